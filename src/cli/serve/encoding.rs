//! Bodies in the encodings that clients accept.

use std::io;

use super::request::Request;
use super::response::{AnswerWriter, Body, Response};

/// Bodies with fewer bytes are sent as they are.
const LENGTH_MIN: u64 = 1024;

/// An encoding of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BodyEncoding {
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
}

impl BodyEncoding {
    /// The first of ours that a header `Accept-Encoding` accepts (RFC 9110, 12.5.3).
    pub(crate) fn accepted(header: &str) -> Option<Self> {
        let is_accepted = |name: &str| {
            header.split(',').any(|part| {
                let (own, weight) = part.split_once(';').unwrap_or((part, ""));
                let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
                own.trim().eq_ignore_ascii_case(name)
                    && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0)
            })
        };
        [Self::Zstd, Self::Gzip]
            .into_iter()
            .find(|encoding| is_accepted(encoding.name()))
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// A body in it.
    fn encode(self, body: &Body) -> io::Result<Body> {
        let out = AnswerWriter::default();
        let mut reader = body.reader();
        let out = match self {
            Self::Zstd => {
                let mut packer = zstd::Encoder::new(out, 1)?;
                io::copy(&mut reader, &mut packer)?;
                packer.finish()?
            }
            Self::Gzip => {
                let mut packer = flate2::write::GzEncoder::new(out, flate2::Compression::fast());
                io::copy(&mut reader, &mut packer)?;
                packer.finish()?
            }
        };
        out.body()
    }
}

/// The same answer in an encoding that is accepted, if that is worth it.
pub(crate) fn encoded(response: Response, request: &Request) -> Response {
    let is_text = ["text/", "application/", "image/svg"]
        .iter()
        .any(|kind| response.kind.starts_with(kind));
    if response.status != 200 || !is_text || response.body.len() < LENGTH_MIN {
        return response;
    }
    let response = response.with("Vary", "Accept-Encoding");
    let Some(encoding) = BodyEncoding::accepted(&request.encodings) else {
        return response;
    };
    match encoding.encode(&response.body) {
        Ok(body) => Response { body, ..response }.with("Content-Encoding", encoding.name()),
        // As it is, then.
        Err(_) => response,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn what_is_accepted_is_chosen() {
        for (header, chosen) in [
            ("", None),
            ("identity", None),
            ("br", None),
            ("gzip", Some(BodyEncoding::Gzip)),
            ("gzip, deflate, br, zstd", Some(BodyEncoding::Zstd)),
            ("GZIP;q=0.5", Some(BodyEncoding::Gzip)),
            ("zstd;q=0, gzip;q=0.1", Some(BodyEncoding::Gzip)),
            ("gzip;q=0", None),
        ] {
            assert_eq!(BodyEncoding::accepted(header), chosen, "{header}");
        }
    }

    #[test]
    fn encoded_bodies_come_back() {
        let text: Vec<u8> = (0..3_000_000).map(|at| (at / 7 % 253) as u8).collect();
        for (name, length) in [
            ("gzip", 5_000),
            ("zstd", 5_000),
            ("gzip", text.len()),
            ("zstd", text.len()),
        ] {
            let request = Request {
                encodings: name.to_owned(),
                ..Request::of("/").expect("a request")
            };
            let mut whole = AnswerWriter::default();
            whole.write_all(&text[..length]).expect("memory or a file");
            let plain = Response {
                body: whole.body().expect("a body"),
                ..Response::empty(200)
            };
            let packed = encoded(plain, &request);
            assert!(packed.body.len() < length as u64 / 2);
            assert!(packed.headers.contains(&("Content-Encoding", name.into())));
            let mut back = Vec::new();
            match name {
                "gzip" => flate2::read::GzDecoder::new(packed.body.reader()).read_to_end(&mut back),
                _ => zstd::Decoder::new(packed.body.reader())
                    .expect("a frame")
                    .read_to_end(&mut back),
            }
            .expect("what was packed");
            assert!(back == text[..length]);
        }
        let short = Response::line(200, "short");
        let request = Request {
            encodings: "gzip".to_owned(),
            ..Request::of("/").expect("a request")
        };
        assert!(encoded(short, &request).headers.is_empty());
    }
}
