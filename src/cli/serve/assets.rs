//! The files of the page, which are part of the program.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use twox_hash::XxHash3_64;

use super::encoding::{BodyEncoding, encoded};
use super::request::Request;
use super::response::Response;

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
    asset!("icons.svg", SVG),
    asset!("tokens.css", CSS),
    asset!("style.css", CSS),
    asset!("game.css", CSS),
    asset!("api.js", SCRIPT),
    asset!("app.js", SCRIPT),
    asset!("board.js", SCRIPT),
    asset!("game.js", SCRIPT),
    asset!("games.js", SCRIPT),
    asset!("gameview.js", SCRIPT),
    asset!("graph.js", SCRIPT),
    asset!("grid.js", SCRIPT),
    asset!("keys.js", SCRIPT),
    asset!("line.js", SCRIPT),
    asset!("moves.js", SCRIPT),
    asset!("notation.js", SCRIPT),
    asset!("reports.js", SCRIPT),
    asset!("save.js", SCRIPT),
    asset!("state.js", SCRIPT),
    asset!("text.js", SCRIPT),
    asset!("theme.js", SCRIPT),
    asset!("wood.js", SCRIPT),
    asset!("vendor/chessground.min.js", SCRIPT),
    asset!("vendor/chessground.base.css", CSS),
    asset!("vendor/chessground.brown.css", CSS),
    asset!("vendor/chessground.cburnett.css", CSS),
];

/// The file of a path, if there is one.
pub(crate) fn answer(request: &Request) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.path == request.path)?;
    // Weak, for a body comes in several encodings.
    let tag = format!("W/\"{:016x}\"", XxHash3_64::oneshot(asset.bytes));
    let response = if request.has(&tag) {
        Response::empty(304).with("Vary", "Accept-Encoding")
    } else {
        let plain = Response::new(200, asset.kind, asset.bytes);
        packed(asset, plain, request)
    };
    // A newer program has newer files, and nothing else says so.
    let response = response.with("ETag", tag).with("Cache-Control", "no-cache");
    Some(response.with("Content-Security-Policy", POLICY))
}

/// Files by their paths and encodings.
type PackedAssets = HashMap<(&'static str, Option<BodyEncoding>), Response>;

/// A file in an encoding that is accepted, as it was packed once.
fn packed(asset: &'static Asset, plain: Response, request: &Request) -> Response {
    static KNOWN: Mutex<Option<PackedAssets>> = Mutex::new(None);
    let key = (asset.path, BodyEncoding::accepted(&request.encodings));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let response = known.entry(key).or_insert_with(|| encoded(plain, request));
    response.clone()
}
