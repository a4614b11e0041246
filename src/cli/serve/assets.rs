//! The files of the page, which are part of the program.

use twox_hash::XxHash3_64;

use super::asking::Asking;
use super::reply::{Bytes, Reply};

/// What the page may do: nothing that leads to another host.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'";

/// A file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";

/// All of them, by their paths.
const ASSETS: &[Asset] = &[Asset {
    path: "/",
    kind: HTML,
    bytes: include_bytes!("../../../web/index.html"),
}];

/// The file of a path, if there is one.
pub(crate) fn answer(asking: &Asking) -> Option<Reply> {
    let asset = ASSETS.iter().find(|asset| asset.path == asking.path)?;
    let tag = format!("\"{:016x}\"", XxHash3_64::oneshot(asset.bytes));
    let known = asking.known.as_deref().unwrap_or_default();
    let is_known = known.split(',').any(|known| known.trim() == tag);
    let reply = Reply {
        status: if is_known { 304 } else { 200 },
        kind: asset.kind,
        body: Bytes::Static(asset.bytes),
        headers: Vec::new(),
    };
    // A newer program has newer files, and nothing else says so.
    let reply = reply.with("ETag", tag).with("Cache-Control", "no-cache");
    Some(reply.with("Content-Security-Policy", POLICY))
}
