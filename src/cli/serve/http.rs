//! HTTP by hyper: connections, their bounds, and what stands in every answer.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::log::{LogEntry, LogFormat};
use super::request::Request;
use super::response::{BodyStream, Response};
use super::router::{self, Router, Worker};
use super::stream::{ClientStream, ConnectionState};
use super::workers::{BUSY, WorkerPool};

/// Connections at the same time; more are turned away.
const CONNECTIONS_MAX: usize = 256;

/// Connections that get that answer at the same time.
const TURNED_AWAY_MAX: usize = 64;

/// Bytes of a request at most.
const HEAD_MAX: usize = 16 * 1024;

/// How long a connection may be idle, and how long a request may take to arrive.
const IDLE: Duration = Duration::from_secs(15);

/// How long it is waited where too many files are open.
const BREATH: Duration = Duration::from_millis(50);

/// What all connections share.
pub(crate) struct Server {
    pub router: Arc<Router>,
    pub workers: WorkerPool<Worker>,
    /// Answers that are looked up or sent.
    pub answering: AtomicUsize,
    connections: AtomicUsize,
    /// Where lines about requests go, and their form.
    log: Option<(LogFormat, Sender<String>)>,
}

impl Server {
    /// A server without connections.
    pub(crate) const fn new(
        router: Arc<Router>,
        workers: WorkerPool<Worker>,
        log: Option<(LogFormat, Sender<String>)>,
    ) -> Self {
        Self {
            router,
            workers,
            answering: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            log,
        }
    }
}

/// Takes connections until the end is requested, and waits until they are gone.
pub(crate) async fn serve(
    listener: TcpListener,
    server: Arc<Server>,
    mut ending: watch::Receiver<bool>,
) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ending.changed() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let count = server.connections.fetch_add(1, Ordering::Relaxed);
                let open = ConnectionGuard(Arc::clone(&server));
                // Small answers are not to wait for what may follow.
                if count >= CONNECTIONS_MAX + TURNED_AWAY_MAX || stream.set_nodelay(true).is_err() {
                    continue;
                }
                let is_turned_away = count >= CONNECTIONS_MAX;
                tokio::spawn(connection(
                    (stream, peer),
                    open,
                    is_turned_away,
                    ending.clone(),
                ));
            }
            // Too many files are open, as a rule: some will be closed.
            Err(_) => tokio::time::sleep(BREATH).await,
        }
    }
    drop(listener);
    while server.connections.load(Ordering::Relaxed) > 0 {
        tokio::time::sleep(BREATH / 10).await;
    }
}

/// A connection that is counted.
struct ConnectionGuard(Arc<Server>);

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers what comes over a connection, until it ends.
async fn connection(
    (stream, peer): (TcpStream, SocketAddr),
    open: ConnectionGuard,
    is_turned_away: bool,
    mut ending: watch::Receiver<bool>,
) {
    let state = Arc::new(ConnectionState::default());
    let io = TokioIo::new(ClientStream::new(stream, Arc::clone(&state)));
    let server = Arc::clone(&open.0);
    let is_ending = ending.clone();
    let service = service_fn(move |head: hyper::Request<Incoming>| {
        let answering = ActiveResponse::new(&server, &state);
        let (server, is_ending) = (Arc::clone(&server), is_ending.clone());
        async move {
            let since = Instant::now();
            let (mut head, _) = head.into_parts();
            let mut keeps_open = true;
            if answering.state.take_old_version() {
                head.version = hyper::Version::HTTP_10;
                let connection = head.headers.get(header::CONNECTION);
                let connection = connection.and_then(|value| value.to_str().ok());
                keeps_open =
                    connection.is_some_and(|value| value.eq_ignore_ascii_case("keep-alive"));
            }
            // A body is nothing that is read here: the next request would stand after it.
            let has_body = head.headers.contains_key(header::TRANSFER_ENCODING)
                || head
                    .headers
                    .get(header::CONTENT_LENGTH)
                    .is_some_and(|length| length != "0");
            let request = match Request::read(&head) {
                _ if answering.state.is_foreign_version() => {
                    Err((505, "only HTTP/1.0 and HTTP/1.1 are understood"))
                }
                read => read,
            };
            let is_bad = request.is_err();
            let response = match request {
                Err(wrong) => router::bad_request(head.uri.path(), wrong),
                Ok(request) if is_turned_away => {
                    router::refuse(&request.path, (503, BUSY, None)).with("Retry-After", "1")
                }
                Ok(request) => answer(&server, request).await,
            };
            let closes = !keeps_open || has_body || is_bad || is_turned_away || *is_ending.borrow();
            if let Some((format, lines)) = &server.log {
                let uri = &head.uri;
                let what = format!("{} {uri} {:?}", head.method, head.version);
                let entry = LogEntry::of(peer_ip(peer), what, &head.headers);
                let bytes = if head.method == hyper::Method::HEAD {
                    0
                } else {
                    response.body.len()
                };
                let told = (response.status, bytes, since.elapsed().as_secs_f64());
                // The answer does not wait for the log.
                let _ = lines.try_send(entry.line(*format, told));
            }
            Ok::<_, Infallible>(wire(response, closes, answering))
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_buf_size(HEAD_MAX)
        .serve_connection(io, service);
    let mut serving = std::pin::pin!(serving);
    // What goes wrong with a connection is of no use to anybody but its client.
    tokio::select! {
        _ = serving.as_mut() => return,
        _ = ending.changed() => {}
    }
    serving.as_mut().graceful_shutdown();
    let _ = serving.await;
    drop(open);
}

/// The address of a client; that of IPv4 where a socket of IPv6 has it.
fn peer_ip(peer: SocketAddr) -> IpAddr {
    peer.ip().to_canonical()
}

/// The answer to a request.
async fn answer(server: &Server, request: Request) -> Response {
    if let Some(response) = server.router.answer_without_database(&request) {
        return response;
    }
    let mut is_cheap = Router::is_cheap(&request);
    let is_alone = server.answering.load(Ordering::Relaxed) == 1;
    if is_cheap && is_alone {
        if let Some(response) = server.workers.answer_here(&request) {
            return response;
        }
        is_cheap = false;
    }
    let request = Arc::new(request);
    let pending = match server.workers.ask(&request, is_cheap) {
        Ok(pending) => pending,
        Err(response) => return response,
    };
    let failed = || Response::line(500, "the request could not be answered");
    pending.wait().await.unwrap_or_else(failed)
}

/// An answer that is looked up or sent.
struct ActiveResponse {
    server: Arc<Server>,
    state: Arc<ConnectionState>,
}

impl ActiveResponse {
    fn new(server: &Arc<Server>, state: &Arc<ConnectionState>) -> Self {
        server.answering.fetch_add(1, Ordering::Relaxed);
        state.begin();
        Self {
            server: Arc::clone(server),
            state: Arc::clone(state),
        }
    }
}

impl Drop for ActiveResponse {
    fn drop(&mut self) {
        self.server.answering.fetch_sub(1, Ordering::Relaxed);
        self.state.end();
    }
}

/// An answer as hyper sends it.
fn wire(
    response: Response,
    closes: bool,
    answering: ActiveResponse,
) -> hyper::Response<BodyStream<ActiveResponse>> {
    answering.state.send();
    let Response {
        status,
        kind,
        body,
        headers,
    } = response;
    let has_body = !matches!(status, 204 | 304);
    let mut wire = hyper::Response::new(BodyStream::new(body, answering));
    *wire.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or_default();
    let all = wire.headers_mut();
    if has_body {
        all.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    for (name, value) in headers {
        // All names and values are our own.
        if let Ok(value) = HeaderValue::from_str(&value) {
            all.append(name, value);
        }
    }
    all.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    let connection = if closes { "close" } else { "keep-alive" };
    all.insert(header::CONNECTION, HeaderValue::from_static(connection));
    wire
}
