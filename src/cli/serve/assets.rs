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
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file of `web/` under its own name.
macro_rules! asset {
    ($name:literal, $kind:expr) => {
        Asset {
            path: concat!("/", $name),
            kind: $kind,
            bytes: include_bytes!(concat!("../../../web/", $name)),
        }
    };
}

/// All of them, by their paths.
const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        kind: HTML,
        bytes: include_bytes!("../../../web/index.html"),
    },
    asset!("icon.svg", SVG),
    asset!("style.css", CSS),
    asset!("api.js", SCRIPT),
    asset!("app.js", SCRIPT),
    asset!("board.js", SCRIPT),
    asset!("games.js", SCRIPT),
    asset!("grid.js", SCRIPT),
    asset!("line.js", SCRIPT),
    asset!("moves.js", SCRIPT),
    asset!("save.js", SCRIPT),
    asset!("state.js", SCRIPT),
    asset!("text.js", SCRIPT),
    asset!("wood.js", SCRIPT),
    asset!("vendor/chessground.min.js", SCRIPT),
    asset!("vendor/chessground.base.css", CSS),
    asset!("vendor/chessground.brown.css", CSS),
    asset!("vendor/chessground.cburnett.css", CSS),
];

/// The file of a path, if there is one.
pub(crate) fn answer(asking: &Asking) -> Option<Reply> {
    let asset = ASSETS.iter().find(|asset| asset.path == asking.path)?;
    let tag = format!("\"{:016x}\"", XxHash3_64::oneshot(asset.bytes));
    let known = asking.known.as_deref().unwrap_or_default();
    // Weak or strong makes no difference here (RFC 9110, 13.1.2).
    let mut known = known.split(',').map(str::trim);
    let is_known = known.any(|known| known == "*" || known.trim_start_matches("W/") == tag);
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
