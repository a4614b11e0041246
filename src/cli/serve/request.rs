//! What a client asks for, without the connection that it came through.

use hyper::Method;
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::http::request::Parts;

/// Bytes of a target at most.
pub(crate) const TARGET_MAX: usize = 8 * 1024;

/// A request for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The method.
    pub method: Method,
    /// The path, decoded.
    pub path: String,
    /// The parameters in their order, decoded.
    pub params: Vec<(String, String)>,
    /// Path and parameters as they were sent.
    pub target: String,
    /// The requested host: that of the target, else the header `Host`.
    pub host: Option<String>,
    /// The header `If-None-Match`, its lists joined.
    pub if_none_match: Option<String>,
    /// The encodings that the client accepts for the body, as the header has them.
    pub encodings: String,
    /// The header `Origin`.
    pub origin: Option<String>,
    /// The header `Sec-Fetch-Site`.
    pub fetch_site: Option<String>,
    /// Whether a browser asks if pages of the internet may ask this computer.
    pub is_remote: bool,
}

/// Why a request cannot be understood: the status and a line for the client.
pub(crate) type BadRequest = (u16, &'static str);

impl Request {
    /// Reads the head of a request (RFC 9112, 3.2).
    ///
    /// # Errors
    ///
    /// [`BadRequest`].
    pub(crate) fn read(head: &Parts) -> Result<Self, BadRequest> {
        let uri = &head.uri;
        let is_whole = uri.scheme().is_some();
        // `OPTIONS *` and `CONNECT host:port` have no path.
        let local = match uri.path_and_query() {
            Some(local) => local.as_str(),
            None if head.method == Method::CONNECT => "/",
            None => return Err((400, "the target is not a path")),
        };
        let is_path = local.starts_with('/') || local == "*";
        if !is_path || (uri.authority().is_some() && !is_whole && head.method != Method::CONNECT) {
            return Err((400, "the target is not a path"));
        }
        let mut request = Self::of(local)?;
        request.method = head.method.clone();
        let mut hosts = head.headers.get_all(header::HOST).iter();
        let host = hosts.next();
        if hosts.next().is_some() {
            return Err((400, "there are two headers Host"));
        }
        if host.is_none() && head.version == hyper::Version::HTTP_11 {
            return Err((400, "the header Host is missing"));
        }
        let host = host.map(|host| {
            host.to_str()
                .map_err(|_| (400, "the header Host is not text"))
        });
        let host = host.transpose()?.map(str::to_owned);
        // A target with a host overrules the header (RFC 9112, 3.2.2).
        request.host = match uri.authority() {
            Some(authority) if is_whole => Some(authority.to_string()),
            _ => host,
        };
        let headers = &head.headers;
        request.if_none_match = joined(headers, &header::IF_NONE_MATCH);
        request.encodings = joined(headers, &header::ACCEPT_ENCODING).unwrap_or_default();
        request.origin = joined(headers, &header::ORIGIN);
        request.fetch_site = joined(headers, &HeaderName::from_static("sec-fetch-site"));
        request.is_remote = headers.contains_key("access-control-request-private-network");
        Ok(request)
    }

    /// A request without headers, by its path and its parameters.
    ///
    /// # Errors
    ///
    /// [`BadRequest`].
    pub(crate) fn of(target: &str) -> Result<Self, BadRequest> {
        if target.len() > TARGET_MAX {
            return Err((414, "the address is too long"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let wrong = (400, "the address is not encoded as UTF-8 with %XX");
        let mut params = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let [name, value] = [name, value].map(|text| decoded(text, true));
            params.push((name.ok_or(wrong)?, value.ok_or(wrong)?));
        }
        Ok(Self {
            method: Method::GET,
            path: decoded(path, false).ok_or(wrong)?,
            params,
            target: target.to_owned(),
            host: None,
            if_none_match: None,
            encodings: String::new(),
            origin: None,
            fetch_site: None,
            is_remote: false,
        })
    }

    /// The last value of a parameter.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        let mut values = self.params.iter().rev();
        let found = values.find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether the client has the answer with that tag (RFC 9110, 13.1.2).
    pub(crate) fn has(&self, tag: &str) -> bool {
        let known = self.if_none_match.as_deref().unwrap_or_default();
        // Weak or strong makes no difference here.
        let bare = |tag: &str| tag.trim_start_matches("W/").to_owned();
        let mut known = known.split(',').map(str::trim);
        known.any(|known| known == "*" || bare(known) == bare(tag))
    }
}

/// The values of a header, which may come in several lines, with commas between.
fn joined(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values = headers.get_all(name).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values
        .map(str::to_owned)
        .reduce(|all, more| all + "," + &more)
}

/// Text with `%XX` for bytes; in parameters `+` is a blank.
fn decoded(text: &str, is_param: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter();
    while let Some(&byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(*rest.next()?).to_digit(16);
                (digit()? * 16 + digit()?) as u8
            }
            b'+' if is_param => b' ',
            _ => byte,
        });
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(target: &str, headers: &[(&str, &str)]) -> Result<Request, BadRequest> {
        let mut request = hyper::Request::builder().uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).expect("a request");
        Request::read(&request.into_parts().0)
    }

    #[test]
    fn requests_are_read() {
        let request = read(
            "/lichess?fen=a_b%20c+d&speeds=&x",
            &[
                ("Host", "localhost:9002"),
                ("If-None-Match", "\"1\""),
                ("If-None-Match", "W/\"2\""),
            ],
        );
        let request = request.expect("a request");
        assert_eq!(
            (&request.method, &*request.path),
            (&Method::GET, "/lichess")
        );
        assert_eq!(request.param("fen"), Some("a_b c d"));
        assert_eq!(request.param("speeds"), Some(""));
        assert_eq!(request.param("x"), Some(""));
        assert_eq!(request.param("y"), None);
        assert_eq!(request.host.as_deref(), Some("localhost:9002"));
        assert!(request.has("\"2\"") && request.has("W/\"1\"") && !request.has("\"3\""));
        // An address in a parameter is no target of a proxy.
        let request = read("/v1/search?site=https://a.org/b", &[("Host", "a")]);
        assert_eq!(request.expect("a request").path, "/v1/search");
        let request = read("http://b/x", &[("Host", "a")]).expect("a request");
        assert_eq!((&*request.path, request.host.as_deref()), ("/x", Some("b")));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let host = ("Host", "a");
        for (target, headers, status) in [
            ("/", &[][..], 400),
            ("/%zz", &[host], 400),
            ("/%ff", &[host], 400),
            ("/%00", &[host], 400),
            ("/%2", &[host], 400),
            ("etc", &[host], 400),
            ("/", &[host, ("Host", "b")], 400),
            (&format!("/{}", "a".repeat(TARGET_MAX)), &[host], 414),
        ] {
            let read = read(target, headers).map(|_| ());
            assert_eq!(
                read.map_err(|(status, _)| status),
                Err(status),
                "{target:.20}"
            );
        }
    }
}
