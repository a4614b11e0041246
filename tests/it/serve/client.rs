//! A server that is ended with its test, and a client that knows no more of HTTP than it needs.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Command};
use std::time::Duration;

use crate::support::plydex;

/// A running server.
pub(crate) struct Server {
    child: Child,
    errors: BufReader<ChildStderr>,
    /// Where it answers.
    pub(crate) address: SocketAddr,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The status.
    pub(crate) status: u16,
    /// The headers, names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    /// The body.
    pub(crate) body: String,
}

impl Answered {
    /// A header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Reads one.
    pub(crate) fn read(stream: &mut BufReader<TcpStream>) -> std::io::Result<Self> {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| std::io::Error::other(format!("no status: {line:?}")))?;
        let mut headers = Vec::new();
        loop {
            line.clear();
            stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.map_or(0, |(_, value)| value.parse().expect("a number"));
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        let body = String::from_utf8(body).expect("UTF-8");
        Ok(Self {
            status,
            headers,
            body,
        })
    }
}

/// Text as it stands in a parameter.
pub(crate) fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let encode = |byte| match byte {
        _ if is_plain(byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

impl Server {
    /// Starts it at a free port.
    pub(crate) fn start(db: &Path, args: &[&str]) -> Self {
        let mut all = vec!["serve", "--port", "0"];
        all.extend(args);
        let mut child = plydex(db, &all).spawn().expect("the program starts");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("a line");
        let address = line.trim_end().rsplit_once("http://");
        let address = address.and_then(|(_, address)| address.trim_end_matches('/').parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address: {line:?}"));
        Self {
            child,
            errors,
            address,
        }
    }

    /// A connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .expect("a timeout");
        stream
    }

    /// Sends bytes as they are, and reads one answer.
    pub(crate) fn send(&self, bytes: &[u8]) -> std::io::Result<Answered> {
        let mut stream = self.connect();
        stream.write_all(bytes)?;
        Answered::read(&mut BufReader::new(stream))
    }

    /// Asks for something, with further headers.
    pub(crate) fn ask(&self, verb: &str, target: &str, headers: &str) -> Answered {
        let head = format!(
            "{verb} {target} HTTP/1.1\r\nHost: localhost\r\n{headers}Connection: close\r\n\r\n"
        );
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).expect("it listens");
        let mut stream = BufReader::new(stream);
        if verb == "HEAD" {
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("an answer");
            assert!(text.ends_with("\r\n\r\n"), "no body: {text}");
            let status = text.split(' ').nth(1).and_then(|word| word.parse().ok());
            Answered {
                status: status.expect("a status"),
                headers: Vec::new(),
                body: text,
            }
        } else {
            Answered::read(&mut stream).expect("an answer")
        }
    }

    /// Gets something.
    pub(crate) fn get(&self, target: &str) -> Answered {
        self.ask("GET", target, "")
    }

    /// Gets an object of JSON.
    pub(crate) fn json(&self, target: &str) -> serde_json::Value {
        let answered = self.get(target);
        assert_eq!(answered.status, 200, "{target}: {}", answered.body);
        answered.json()
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Sends a signal; the exit status, and what it said at the end.
    pub(crate) fn end(self, signal: &str) -> (Option<i32>, String) {
        self.signal(signal);
        self.ended()
    }

    /// Waits for its end: the exit status, and what it said.
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().expect("it ends").code();
        let mut said = String::new();
        self.errors.read_to_string(&mut said).expect("text");
        (status, said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
