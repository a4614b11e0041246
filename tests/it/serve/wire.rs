//! Requests as they come over the wire, byte for byte: what RFC 9110 and RFC 9112 want for them.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use super::client::Server;
use super::{rated, serving};

/// What a case is about, its bytes, the statuses of which the first answer has one, and how many answers
/// there are at most.
type Case = (&'static str, &'static [u8], &'static [u16], usize);

/// `@HOST@` is the address of the server.
const CASES: &[Case] = &[
    ("plain", b"GET / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200], 1),
    ("http/1.0 no host", b"GET / HTTP/1.0\r\n\r\n", &[200], 1),
    ("no host 1.1", b"GET / HTTP/1.1\r\n\r\n", &[400], 1),
    ("two hosts", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nHost: @HOST@\r\n\r\n", &[400], 1),
    ("invalid host value", b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", &[400, 403], 1),
    ("empty host", b"GET / HTTP/1.1\r\nHost:\r\n\r\n", &[400, 403, 200], 1),
    ("host with userinfo", b"GET / HTTP/1.1\r\nHost: x@127.0.0.1\r\n\r\n", &[400, 403], 1),
    ("host 127.0.0.1:evil", b"GET / HTTP/1.1\r\nHost: 127.0.0.1:evil\r\n\r\n", &[400, 403], 1),
    ("host localhost.evil.com", b"GET /v1/variants HTTP/1.1\r\nHost: localhost.evil.com\r\n\r\n", &[403], 1),
    ("host 127.0.0.1.evil.com", b"GET /v1/variants HTTP/1.1\r\nHost: 127.0.0.1.evil.com\r\n\r\n", &[403], 1),
    ("host [::1]evil", b"GET /v1/variants HTTP/1.1\r\nHost: [::1].evil.com\r\n\r\n", &[400, 403], 1),
    ("host LOCALHOST.", b"GET / HTTP/1.1\r\nHost: LOCALHOST.\r\n\r\n", &[200], 1),
    ("host 0.0.0.0", b"GET /v1/variants HTTP/1.1\r\nHost: 0.0.0.0\r\n\r\n", &[403], 1),
    ("host 127.1", b"GET /v1/variants HTTP/1.1\r\nHost: 127.1\r\n\r\n", &[403], 1),
    ("absolute-form foreign, Host ok", b"GET http://evil.com/v1/variants HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[403, 400, 421], 1),
    ("absolute-form own, Host foreign", b"GET http://@HOST@/ HTTP/1.1\r\nHost: evil.com\r\n\r\n", &[200], 1),
    ("url in query", b"GET /v1/search?site=https://lichess.org/x&count HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200, 400], 1),
    ("url in query2", b"GET /v1/variants?x=http://127.0.0.1/masters HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400], 1),
    ("space before colon CL smuggle", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length : 36\r\n\r\nGET /v1/variants HTTP/1.1\r\nHost: a\r\n\r\n", &[400], 1),
    ("space before colon TE smuggle", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", &[400], 1),
    ("tab before colon", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length\t: 5\r\n\r\nGET /", &[400], 1),
    ("obs-fold", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nX: a\r\n b: c\r\n\r\n", &[400, 200], 1),
    ("obs-fold CL", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nX: a\r\n Content-Length: 5\r\n\r\nhello", &[400], 1),
    ("leading ws header line", b"GET / HTTP/1.1\r\n Host: evil\r\nHost: @HOST@\r\n\r\n", &[400], 1),
    ("bare CR in value", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nX: a\rContent-Length: 5\r\n\r\nhello", &[400], 1),
    ("NUL in header", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nX: a\0b\r\n\r\n", &[400], 1),
    ("empty header name", b"GET / HTTP/1.1\r\nHost: @HOST@\r\n: x\r\n\r\n", &[400], 1),
    ("header name with spaces", b"GET / HTTP/1.1\r\nHost: @HOST@\r\na b: x\r\n\r\n", &[400], 1),
    ("header without colon", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nnonsense\r\n\r\n", &[400], 1),
    ("CL and TE", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200, 400], 1),
    ("TE chunked then pipelined", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200, 400], 2),
    ("TE 1.0", b"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", &[200, 400], 1),
    ("TE xchunked", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nTransfer-Encoding: xchunked\r\n\r\n", &[400, 501], 1),
    ("CL negative", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: -1\r\n\r\n", &[400], 1),
    ("CL plus", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: +0\r\n\r\n", &[400], 1),
    ("CL two differ", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello", &[400], 1),
    ("CL two differ rev", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: 5\r\nContent-Length: 0\r\n\r\nhello", &[400], 1),
    ("CL text", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: abc\r\n\r\n", &[400], 1),
    ("CL empty", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length:\r\n\r\n", &[400], 1),
    ("GET with body keepalive", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: 5\r\n\r\nhelloGET /x HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200, 400], 2),
    ("bare LF", b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n", &[200, 400], 1),
    ("leading CRLF", b"\r\nGET / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200], 1),
    ("CRLF after post body", b"GET / HTTP/1.1\r\nHost: @HOST@\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200], 2),
    ("lower-case method", b"get / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 405, 501], 1),
    ("http/1.2", b"GET / HTTP/1.2\r\nHost: @HOST@\r\n\r\n", &[200, 505], 1),
    ("http/2.0", b"GET / HTTP/2.0\r\nHost: @HOST@\r\n\r\n", &[505, 400], 1),
    ("h2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &[505, 400], 1),
    ("http/0.9", b"GET /\r\n\r\n", &[400, 505], 1),
    ("two spaces", b"GET  / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 200], 1),
    ("tab sep", b"GET\t/\tHTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 200], 1),
    ("OPTIONS *", b"OPTIONS * HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200, 204], 1),
    ("TRACE", b"TRACE / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[405, 501], 1),
    ("CONNECT", b"CONNECT evil.com:80 HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 405, 501, 403], 1),
    ("unknown method", b"FOO / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[501, 405], 1),
    ("PUT", b"PUT / HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: 3\r\n\r\nabc", &[405], 1),
    ("POST", b"POST /v1/search HTTP/1.1\r\nHost: @HOST@\r\nContent-Length: 3\r\n\r\nabc", &[405], 1),
    ("DELETE", b"DELETE /v1/games/1 HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[405], 1),
    ("HEAD", b"HEAD / HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200], 1),
    ("HEAD 404", b"HEAD /nothing HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[404], 1),
    ("%00", b"GET /%00 HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 404], 1),
    ("../", b"GET /../../../../etc/passwd HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 404], 1),
    ("%2e%2e", b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 404], 1),
    ("//etc", b"GET //etc/passwd HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400, 404], 1),
    ("no slash target", b"GET etc HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[400], 1),
    ("fragment in target", b"GET /v1/variants#x HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200, 400, 404], 1),
    ("utf8 raw in target", b"GET /v1/search?player=\xc3\xa9 HTTP/1.1\r\nHost: @HOST@\r\n\r\n", &[200, 400], 1),
    ("latin1 raw in header", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nUser-Agent: caf\xe9\r\n\r\n", &[200], 1),
    ("expect 100", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n", &[200, 417, 100], 1),
    ("expect unknown", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nExpect: foo\r\n\r\n", &[200, 417], 1),
    ("range", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nRange: bytes=0-1\r\n\r\n", &[200, 206], 1),
    ("if-none-match *", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nIf-None-Match: *\r\n\r\n", &[304], 1),
    ("if-match other", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nIf-Match: \"nope\"\r\n\r\n", &[412, 200], 1),
    ("upgrade h2c", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n", &[200], 1),
    ("connection close", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nConnection: close\r\n\r\n", &[200], 1),
    ("origin evil", b"GET /v1/variants HTTP/1.1\r\nHost: @HOST@\r\nOrigin: https://evil.com\r\n\r\n", &[200], 1),
    ("x-forwarded-host", b"GET / HTTP/1.1\r\nHost: @HOST@\r\nX-Forwarded-Host: evil.com\r\n\r\n", &[200], 1),
];

/// Everything that comes back until the server has nothing to say for a while, or ends.
fn exchange(server: &Server, bytes: &[u8]) -> String {
    let host = server.address.to_string();
    let text = replaced(bytes, b"@HOST@", host.as_bytes());
    let mut stream = server.connect();
    // Where the server ends the connection early, what it said is there.
    let _ = stream.write_all(&text);
    stream
        .set_read_timeout(Some(Duration::from_millis(400)))
        .expect("a timeout");
    let (mut all, mut part) = (Vec::new(), vec![0; 65_536]);
    while let Ok(read @ 1..) = stream.read(&mut part) {
        all.extend_from_slice(&part[..read]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

fn replaced(bytes: &[u8], what: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, what) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(by);
        rest = &rest[at + what.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// The statuses of all answers.
fn statuses(text: &str) -> Vec<u16> {
    let answers = text.split("HTTP/1.1 ").skip(1);
    let status = |answer: &str| answer.get(..3).and_then(|digits| digits.parse().ok());
    answers.filter_map(status).collect()
}

#[test]
fn requests_are_answered_as_the_standard_has_it() {
    let (_base, server) = serving(&rated(), &[]);
    let head = |rest: &str| format!("GET /{rest} HTTP/1.1\r\nHost: @HOST@\r\n").into_bytes();
    let many = |lines: &str| [head(""), lines.as_bytes().to_vec(), b"\r\n".to_vec()].concat();
    let mut cases: Vec<(&str, Vec<u8>, &[u16], usize)> = CASES
        .iter()
        .map(|&(name, bytes, statuses, max)| (name, bytes.to_vec(), statuses, max))
        .collect();
    let long = [head(&"a".repeat(9000)), b"\r\n".to_vec()].concat();
    cases.push(("long url", long, &[414], 1));
    let huge = format!("X: {}\r\n", "a".repeat(20_000));
    cases.push(("huge header", many(&huge), &[431], 1));
    cases.push(("10000 headers", many(&"a:b\r\n".repeat(10_000)), &[431], 1));
    let cookie = format!("Cookie: {}\r\n", "a".repeat(15_000));
    cases.push(("header 15 kB", many(&cookie), &[200], 1));
    let one = b"GET /v1/variants HTTP/1.1\r\nHost: @HOST@\r\n\r\n".repeat(50);
    cases.push(("pipelined 50", one, &[200], 50));
    let hello = [
        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
        &[0; 50][..],
        b"\n\n",
    ]
    .concat();
    cases.push(("hello of TLS", hello, &[400], 1));
    assert_eq!(cases.len(), 82);
    let mut wrong = Vec::new();
    for (name, bytes, expected, max) in cases {
        let text = exchange(&server, &bytes);
        let found = statuses(&text);
        let is_right = found.first().is_some_and(|first| expected.contains(first));
        // Nothing of a foreign name comes back.
        if !is_right || found.len() > max || text.contains("evil") {
            wrong.push(format!(
                "{name}: {found:?}, not {expected:?}, at most {max}: {text:.300}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
