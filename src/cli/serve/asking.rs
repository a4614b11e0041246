//! A request without the socket that it came through.

/// Bytes of the first line of a request at most.
pub(crate) const URL_MAX: usize = 8 * 1024;

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Answer.
    Get,
    /// Answer without the body.
    Head,
    /// Say what may be asked by pages of other hosts.
    Options,
    /// Something that this server never does.
    Other,
}

/// What somebody asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asking {
    /// What is to be done.
    pub verb: Verb,
    /// The path, decoded.
    pub path: String,
    /// The parameters in their order, decoded.
    pub params: Vec<(String, String)>,
    /// Path and parameters as they were sent.
    pub target: String,
    /// The header `Host`.
    pub host: Option<String>,
    /// The header `If-None-Match`.
    pub known: Option<String>,
    /// Whether the connection stays open.
    pub keeps: bool,
    /// Whether there is a body.
    pub has_body: bool,
    /// Whether it is asked if pages of the internet may ask us.
    pub is_from_afar: bool,
}

/// Why a request cannot be understood: the status and a line for whoever sent it.
pub(crate) type Misasked = (u16, &'static str);

impl Asking {
    /// Reads a request up to the empty line.
    ///
    /// # Errors
    ///
    /// [`Misasked`].
    pub(crate) fn read(head: &str) -> Result<Self, Misasked> {
        let mut lines = head.split("\r\n").flat_map(|part| part.split('\n'));
        let first = lines.next().unwrap_or_default();
        if first.len() > URL_MAX {
            return Err((414, "the address is too long"));
        }
        let words: Vec<&str> = first.split(' ').collect();
        let [verb, target, version] = words[..] else {
            return Err((400, "this is no request of HTTP/1.1"));
        };
        let is_new = match version {
            "HTTP/1.1" => true,
            "HTTP/1.0" => false,
            _ => return Err((505, "only HTTP/1.0 and HTTP/1.1 are understood")),
        };
        let mut asking = Self::of(target)?;
        asking.keeps = is_new;
        asking.verb = match verb {
            "GET" => Verb::Get,
            "HEAD" => Verb::Head,
            "OPTIONS" => Verb::Options,
            _ => Verb::Other,
        };
        for line in lines.take_while(|line| !line.is_empty()) {
            let Some((name, value)) = line.split_once(':') else {
                return Err((400, "a header has no colon"));
            };
            asking.take_header(name, value.trim())?;
        }
        if is_new && asking.host.is_none() {
            return Err((400, "the header Host is missing"));
        }
        Ok(asking)
    }

    /// A question without headers, by its path and its parameters.
    ///
    /// # Errors
    ///
    /// [`Misasked`].
    pub(crate) fn of(target: &str) -> Result<Self, Misasked> {
        // What a proxy is sent begins with the host.
        let local = match target.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
            None => target,
        };
        let (path, query) = local.split_once('?').unwrap_or((local, ""));
        let query = query.split('#').next().unwrap_or_default();
        let wrong = (400, "the address is not encoded as UTF-8 with %XX");
        let mut params = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let [name, value] = [name, value].map(|text| decoded(text, true));
            params.push((name.ok_or(wrong)?, value.ok_or(wrong)?));
        }
        Ok(Self {
            verb: Verb::Get,
            path: decoded(path, false).ok_or(wrong)?,
            params,
            target: local.to_owned(),
            host: None,
            known: None,
            keeps: false,
            has_body: false,
            is_from_afar: false,
        })
    }

    fn take_header(&mut self, name: &str, value: &str) -> Result<(), Misasked> {
        match name.to_ascii_lowercase().as_str() {
            "host" if self.host.is_some() => return Err((400, "there are two headers Host")),
            "host" => self.host = Some(value.to_owned()),
            "if-none-match" => match &mut self.known {
                None => self.known = Some(value.to_owned()),
                // A list may come in several headers.
                Some(known) => known.extend([",", value]),
            },
            "connection" => {
                let value = value.to_ascii_lowercase();
                let says = |word| value.split(',').any(|part| part.trim() == word);
                self.keeps = !says("close") && (self.keeps || says("keep-alive"));
            }
            "transfer-encoding" => self.has_body = true,
            "content-length" => self.has_body |= value != "0",
            "access-control-request-private-network" => self.is_from_afar = true,
            _ => {}
        }
        Ok(())
    }

    /// The last value of a parameter.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        let mut values = self.params.iter().rev();
        let found = values.find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
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

    #[test]
    fn requests_are_read() {
        let head = "GET /lichess?fen=a_b%20c+d&speeds=&x HTTP/1.1\r\nHost: localhost:9002\r\n\
                    Authorization: Bearer lip_x\r\nIf-None-Match: \"1\"\r\n";
        let asking = Asking::read(head).expect("a request");
        assert_eq!((asking.verb, &*asking.path), (Verb::Get, "/lichess"));
        assert_eq!(asking.param("fen"), Some("a_b c d"));
        assert_eq!(asking.param("speeds"), Some(""));
        assert_eq!(asking.param("x"), Some(""));
        assert_eq!(asking.param("y"), None);
        assert_eq!(asking.host.as_deref(), Some("localhost:9002"));
        assert!(asking.keeps && !asking.has_body);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for (head, status) in [
            ("", 400),
            ("GET /\r\n", 400),
            ("GET / HTTP/2\r\n", 505),
            ("GET / HTTP/1.1\r\n", 400),
            ("GET /%zz HTTP/1.1\r\nHost: a\r\n", 400),
            ("GET /%ff HTTP/1.1\r\nHost: a\r\n", 400),
            ("GET /%00 HTTP/1.1\r\nHost: a\r\n", 400),
            ("GET /%2 HTTP/1.1\r\nHost: a\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", 400),
            ("GET / HTTP/1.1\r\nnonsense\r\n", 400),
        ] {
            let read = Asking::read(head).map(|_| ());
            assert_eq!(read.map_err(|(status, _)| status), Err(status), "{head}");
        }
        let long = format!("GET /{} HTTP/1.1\r\nHost: a\r\n", "a".repeat(URL_MAX));
        assert_eq!(Asking::read(&long).expect_err("too long").0, 414);
    }

    #[test]
    fn connections_end_as_is_asked() {
        for (version, header, keeps) in [
            ("1.1", "", true),
            ("1.1", "Connection: close\r\n", false),
            ("1.0", "", false),
            ("1.0", "Connection: Keep-Alive\r\n", true),
        ] {
            let head = format!("GET / HTTP/{version}\r\nHost: a\r\n{header}");
            assert_eq!(Asking::read(&head).expect("a request").keeps, keeps);
        }
    }
}
