//! Turns requests into answers. It knows no connection.

use std::path::PathBuf;
use std::sync::Arc;

use hyper::Method;

use super::cache::ResponseCache;
use super::encoding::{BodyEncoding, encoded};
use super::handler_error::{HandlerError, HandlerResult};
use super::request::{BadRequest, Request};
use super::response::{JSON, Response};
use super::workers::RequestHandler;
use super::{assets, lichess, origin, v1};
use crate::base::mix;
use crate::base::observe::CancellationToken;
use crate::cli::commands::serve::ServePlan;
use crate::cli::error::CliError;
use crate::cli::saved_queries;
use crate::database::{CachedDatabase, Error, SharedFacts, Snapshot};

/// The methods that are answered.
const METHODS: &str = "GET, HEAD, OPTIONS";

/// A database that is served.
#[derive(Debug)]
pub(crate) struct ServedDatabase {
    /// Its name on paths and on the page.
    pub name: String,
    path: PathBuf,
    cache: ResponseCache,
    facts: Arc<SharedFacts>,
}

/// What all requests have in common.
#[derive(Debug)]
pub(crate) struct Router {
    /// Which games which path has, and who may ask.
    pub plan: ServePlan,
    /// The databases, the first one first.
    pub databases: Vec<ServedDatabase>,
}

/// Answers requests with the databases open for itself.
pub(crate) struct Worker {
    router: Arc<Router>,
    /// The databases, and the state that each was seen in last.
    open: Vec<(CachedDatabase, Option<u64>)>,
}

impl Router {
    /// A router for a plan, with the databases that are served.
    pub(crate) fn new(plan: ServePlan, databases: Vec<(String, PathBuf)>) -> Self {
        let databases = databases.into_iter().map(|(name, path)| ServedDatabase {
            name,
            path,
            cache: ResponseCache::default(),
            facts: Arc::default(),
        });
        Self {
            plan,
            databases: databases.collect(),
        }
    }

    /// Answers requests about the databases.
    pub(crate) fn worker(self: &Arc<Self>, stop: &CancellationToken) -> Worker {
        let open =
            |database: &ServedDatabase| CachedDatabase::new(&database.path, stop, &database.facts);
        let all = self.databases.iter().map(|database| (open(database), None));
        Worker {
            open: all.collect(),
            router: Arc::clone(self),
        }
    }

    /// The answer to what needs no database; `None` where it does.
    pub(crate) fn answer_without_database(&self, request: &Request) -> Option<Response> {
        if !origin::is_host_known(request.host.as_deref(), &self.plan) {
            return Some(Response::line(
                403,
                "this host name is not known here: ask 127.0.0.1 or localhost, or start the server \
                 with --allow-host",
            ));
        }
        if request.method == Method::OPTIONS {
            return Some(lichess::preflight(request, METHODS));
        }
        if !matches!(request.method, Method::GET | Method::HEAD) {
            let refused = bad_request(&request.path, (405, "only GET is answered here"));
            return Some(refused.with("Allow", METHODS));
        }
        if v1::is_private(&request.path) && origin::is_foreign_page(request) {
            let why = "pages of other sites may not ask this";
            return Some(refuse(&request.path, (403, why, None)));
        }
        assets::answer(request)
    }

    /// Whether a look-up is expected to be cheap.
    pub(crate) fn is_cheap(request: &Request) -> bool {
        request.path == "/healthz" || v1::is_cheap(request) || lichess::is_cheap(request)
    }

    /// Which database is queried, by its place.
    fn database_index(&self, request: &Request) -> Result<usize, HandlerError> {
        let place = |name: &str| {
            self.databases
                .iter()
                .position(|database| database.name == name)
        };
        if request.path.starts_with("/v1/")
            && let Some(name) = request.param("database").filter(|name| !name.is_empty())
        {
            return place(name).ok_or_else(|| {
                let names: Vec<&str> = self
                    .databases
                    .iter()
                    .map(|database| &*database.name)
                    .collect();
                let error = CliError::new(format!("there is no database `{name}`"));
                HandlerError::Wrong(error.hint(format!("the databases are {}", names.join(", "))))
            });
        }
        Ok(lichess::source_name(&request.path)
            .and_then(place)
            .unwrap_or(0))
    }
}

impl RequestHandler for Worker {
    fn answer(&mut self, request: &Request) -> Response {
        match self.ask(request) {
            Ok(response) if lichess::is_path(&request.path) => lichess::with_cors(response),
            Ok(response) => response,
            Err(refused) => {
                let (status, message, hint) = refused.message();
                let response = refuse(&request.path, (status, &message, hint));
                if status == 503 {
                    response.with("Retry-After", "5")
                } else {
                    response
                }
            }
        }
    }

    fn rest(&mut self) {
        self.open.iter_mut().for_each(|(open, _)| open.rest());
    }
}

impl Worker {
    fn ask(&mut self, request: &Request) -> HandlerResult {
        if request.path == "/v1/databases" {
            return match request.params.first() {
                Some((name, _)) => Err(v1::unknown_parameter(name)),
                None => self.list(),
            };
        }
        let nth = self.router.database_index(request)?;
        let (router, database) = (&self.router, &self.router.databases[nth]);
        let cache = &database.cache;
        let (open, state) = &mut self.open[nth];
        // One answer in each encoding.
        let encoding = BodyEncoding::accepted(&request.encodings).map_or("", BodyEncoding::name);
        // Before the database: whatever comes of a state that is old by then is not kept.
        let mut age = cache.age();
        open.ask(|snapshot: &Snapshot<'_>, is_new| {
            let now = match *state {
                Some(state) if !is_new => state,
                _ => {
                    age = cache.renew();
                    *state.insert(state_of(snapshot, nth, &router.plan)?)
                }
            };
            // The file of saved queries is no part of the database.
            let values = request.params.iter().map(|(_, value)| value);
            let saved = saved_queries::hash_of(values, snapshot.path());
            let asked = format!("{encoding} {saved:x} {}", request.target);
            let tag = &tag_of(now ^ saved, &request.target);
            // `*` is any answer that there is, which is found out first.
            let is_any = request.if_none_match.as_deref() == Some("*");
            if !is_any && request.has(tag) {
                return Ok(Ok(not_modified(tag)));
            }
            let answer = match cache.get(&asked) {
                Some(response) => Ok(response),
                None => route(router, snapshot, request).map(|response| {
                    let response = encoded(response, request)
                        .with("ETag", tag.clone())
                        .with("Cache-Control", "no-cache");
                    cache.put(&asked, &response, age);
                    response
                }),
            };
            match answer {
                Ok(_) if is_any => Ok(Ok(not_modified(tag))),
                // This is no fault of the query.
                Err(HandlerError::Failed(error)) => Err(HandlerError::Failed(error)),
                answer => Ok(answer),
            }
        })?
    }

    /// The databases, with their numbers of games.
    fn list(&mut self) -> HandlerResult {
        let mut all = Vec::new();
        for (database, (open, _)) in self.router.databases.iter().zip(&mut self.open) {
            let games = open.ask(|snapshot, _| Ok::<_, HandlerError>(snapshot.games()?))?;
            all.push(serde_json::json!({ "name": database.name, "games": games }));
        }
        Response::json(&serde_json::json!({ "databases": all }))
    }
}

/// What all answers of a database in its state, from this program with these filters, have in common.
fn state_of(snapshot: &Snapshot<'_>, nth: usize, plan: &ServePlan) -> Result<u64, Error> {
    let games = format!(
        "{} {nth} {:?} {:?}",
        env!("CARGO_PKG_VERSION"),
        plan.masters,
        plan.lichess
    );
    let [number, generation] = snapshot.state()?;
    let games = twox_hash::XxHash3_64::oneshot(games.as_bytes());
    Ok(mix(mix(mix(number) ^ generation) ^ games))
}

/// The tag of the answer to a target (RFC 9110, 8.8.3). One that another target has given means nothing.
fn tag_of(state: u64, target: &str) -> String {
    let target = twox_hash::XxHash3_64::oneshot(target.as_bytes());
    format!("W/\"{:016x}\"", mix(state ^ target))
}

fn not_modified(tag: &str) -> Response {
    Response::empty(304)
        .with("ETag", tag.to_owned())
        .with("Cache-Control", "no-cache")
        .with("Vary", "Accept-Encoding")
}

fn route(router: &Router, snapshot: &Snapshot<'_>, request: &Request) -> HandlerResult {
    if let Some(path) = request.path.strip_prefix("/v1/") {
        return v1::answer(snapshot, path, request);
    }
    if lichess::is_path(&request.path) {
        return lichess::answer(&router.plan, snapshot, request);
    }
    if request.path == "/healthz" {
        snapshot.last_game()?;
        return Ok(Response::line(200, "ok"));
    }
    Err(HandlerError::Nothing(format!(
        "there is nothing at {}",
        request.path
    )))
}

/// Why a request is none that is answered, in the form of its path.
pub(crate) fn bad_request(path: &str, (status, why): BadRequest) -> Response {
    if path.starts_with("/v1/") {
        refuse(path, (status, why, None))
    } else {
        Response::line(status, why)
    }
}

/// Why there is no answer, in the form of a path: a line as lichess has it, or JSON.
pub(crate) fn refuse(path: &str, (status, message, hint): (u16, &str, Option<&str>)) -> Response {
    if lichess::is_path(path) {
        return lichess::with_cors(Response::line(status, message));
    }
    let said = serde_json::json!({ "error": message, "hint": hint });
    Response::new(status, JSON, said.to_string())
}
