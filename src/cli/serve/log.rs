//! Lines about requests that were answered: who, what, when, with which answer.

use std::net::IpAddr;
use std::time::SystemTime;

use clap::ValueEnum;
use hyper::header::{self, HeaderMap, HeaderValue};

/// The form of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// That of Apache and nginx.
    Combined,
    /// An object of JSON.
    Json,
}

/// A request for the log.
#[derive(Debug)]
pub(crate) struct LogEntry {
    client: String,
    request: String,
    referer: String,
    agent: String,
}

impl LogEntry {
    /// The request of a client, whose address a proxy on this computer gives.
    pub(crate) fn of(peer: IpAddr, request: String, headers: &HeaderMap) -> Self {
        let text = |name: &str| {
            // Of several headers the last one is the proxy's own.
            let value = headers.get_all(name).iter().next_back();
            let value = value.map(HeaderValue::as_bytes);
            let text = value.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            text.unwrap_or_default()
        };
        // The last address is the one that the proxy itself has seen.
        let forwarded = text("x-forwarded-for");
        let forwarded = forwarded.rsplit(',').next().map(str::trim);
        let forwarded = forwarded.and_then(|text| text.parse::<IpAddr>().ok());
        let client = forwarded.filter(|_| peer.is_loopback()).unwrap_or(peer);
        Self {
            client: client.to_string(),
            request,
            referer: text(header::REFERER.as_str()),
            agent: text(header::USER_AGENT.as_str()),
        }
    }

    /// Its line, with the status, the bytes of the body and the seconds that the answer took.
    pub(crate) fn line(
        &self,
        format: LogFormat,
        (status, bytes, seconds): (u16, u64, f64),
    ) -> String {
        let now = httpdate::fmt_http_date(SystemTime::now());
        // `Sat, 28 Nov 2026 13:26:26 GMT`
        let [_, day, month, year, time, _] = now.split(' ').collect::<Vec<_>>()[..] else {
            return String::new();
        };
        let months = "JanFebMarAprMayJunJulAugSepOctNovDec";
        let number = months.find(month).map_or(0, |at| at / 3 + 1);
        match format {
            LogFormat::Combined => format!(
                "{} - - [{day}/{month}/{year}:{time} +0000] \"{}\" {status} {bytes} \"{}\" \"{}\"",
                self.client,
                escaped(&self.request),
                or_dash(&self.referer),
                or_dash(&self.agent),
            ),
            LogFormat::Json => serde_json::json!({
                "time": format!("{year}-{number:02}-{day}T{time}Z"),
                "client": self.client,
                "request": self.request,
                "status": status,
                "bytes": bytes,
                "seconds": seconds,
                "referer": self.referer,
                "agent": self.agent,
            })
            .to_string(),
        }
    }
}

fn or_dash(text: &str) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        escaped(text)
    }
}

/// Text that stays between its quotation marks and on its line.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_others_write_them() {
        let mut headers = HeaderMap::new();
        headers.insert("user-agent", "a \"b\"".parse().expect("a value"));
        headers.insert("x-forwarded-for", "10.6.6.6".parse().expect("a value"));
        headers.append(
            "x-forwarded-for",
            "10.9.9.9, 192.0.2.7".parse().expect("a value"),
        );
        let entry = |peer: &str| {
            let peer = peer.parse().expect("an address");
            LogEntry::of(peer, "GET /x?y HTTP/1.1".to_owned(), &headers)
        };
        let line = entry("127.0.0.1").line(LogFormat::Combined, (200, 12, 0.5));
        assert!(line.starts_with("192.0.2.7 - - ["), "{line}");
        assert!(
            line.ends_with(" +0000] \"GET /x?y HTTP/1.1\" 200 12 \"-\" \"a \\\"b\\\"\""),
            "{line}"
        );
        // Only a proxy on this computer is believed.
        let line = entry("198.51.100.1").line(LogFormat::Json, (404, 0, 0.25));
        let json: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(json["client"], "198.51.100.1");
        let time = json["time"].as_str().expect("a time");
        assert!(
            time.starts_with("20") && time.ends_with('Z') && time.len() == 20,
            "{time}"
        );
        assert_eq!(
            (&json["status"], &json["seconds"]),
            (&404.into(), &0.25.into())
        );
    }
}
