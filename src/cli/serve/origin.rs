//! Who may send requests: names of this server, and pages of other sites.

use std::net::IpAddr;

use super::request::Request;
use crate::cli::commands::serve::ServePlan;

/// Whether the requested host is this server: an address of this computer, or a name that is
/// allowed. A foreign name that leads here is the trick of a page that wants to read what is not its
/// own (DNS rebinding).
pub(crate) fn is_host_known(host: Option<&str>, plan: &ServePlan) -> bool {
    let Some(host) = host else {
        return true;
    };
    let Some(name) = host_name(host) else {
        return false;
    };
    let is_own = |ip: IpAddr| !ip.is_unspecified() && (ip.is_loopback() || plan.is_address(ip));
    name == "localhost" || plan.hosts.contains(&name) || name.parse::<IpAddr>().is_ok_and(is_own)
}

/// The name of a host in small letters, without the port; `None` if it is none.
pub(crate) fn host_name(host: &str) -> Option<String> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => match host.split_once(':') {
            Some((name, port)) => (name, &host[host.len() - port.len() - 1..]),
            None => (host, ""),
        },
    };
    let digits = port.strip_prefix(':').unwrap_or(port);
    let is_port = port.is_empty() || port.starts_with(':') && digits.parse::<u16>().is_ok();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
    let name = name.trim_end_matches('.').to_lowercase();
    (is_port && !name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// Whether a page of another site asks, as far as the browser says so: by `Sec-Fetch-Site`, else by
/// `Origin`. What has neither header is no page.
pub(crate) fn is_foreign_page(request: &Request) -> bool {
    if let Some(site) = &request.fetch_site {
        return !matches!(site.as_str(), "same-origin" | "none");
    }
    let Some(origin) = &request.origin else {
        return false;
    };
    // A proxy in front of this server may speak TLS at another port: the names count.
    let origin = origin.split_once("://");
    let origin = origin.and_then(|(_, host)| host_name(host));
    origin.is_none() || origin != request.host.as_deref().and_then(host_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_names() {
        for (host, name) in [
            ("localhost", Some("localhost")),
            ("LOCALHOST.:80", Some("localhost")),
            ("127.0.0.1:9002", Some("127.0.0.1")),
            ("[::1]:9002", Some("::1")),
            ("[::1].evil.com", None),
            ("127.0.0.1:evil", None),
            ("x@127.0.0.1", None),
            ("a b", None),
            ("", None),
        ] {
            assert_eq!(host_name(host).as_deref(), name, "{host}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_known() {
        let with = |site: Option<&str>, origin: Option<&str>| Request {
            fetch_site: site.map(str::to_owned),
            origin: origin.map(str::to_owned),
            host: Some("club.org:80".to_owned()),
            ..Request::of("/v1/search").expect("a request")
        };
        for (site, origin, is_foreign) in [
            (None, None, false),
            (Some("same-origin"), None, false),
            (Some("none"), None, false),
            (Some("same-site"), None, true),
            (Some("cross-site"), None, true),
            (Some("same-origin"), Some("https://proxied.org"), false),
            (None, Some("http://club.org:80"), false),
            (None, Some("https://Club.org:8443"), false),
            (None, Some("https://evil.org"), true),
            (None, Some("null"), true),
        ] {
            assert_eq!(
                is_foreign_page(&with(site, origin)),
                is_foreign,
                "{site:?} {origin:?}"
            );
        }
    }
}
