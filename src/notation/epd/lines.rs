//! Files of positions: one FEN or EPD a line.

use super::{Epd, read};
use crate::notation::fen::FenError;

/// A line that holds a position.
#[derive(Debug, Clone)]
pub struct Line<'t> {
    /// From 1.
    pub number: usize,
    /// As written.
    pub text: &'t str,
    /// What it says.
    pub epd: Result<Epd, FenError>,
}

/// The positions of a `.epd` or `.fen` file. Lines end as in any system; empty
/// ones and those that begin with `#`, `;` or `%` are comments.
pub fn records(text: &str) -> impl Iterator<Item = Line<'_>> {
    // A carriage return and a line feed are one end, so that numbers agree with
    // what an editor shows.
    let mut rest = text.trim_start_matches('\u{FEFF}');
    let mut number = 0;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let line = &rest[..end];
            let after = &rest[end..];
            rest = after
                .strip_prefix("\r\n")
                .or_else(|| after.strip_prefix(['\n', '\r']))
                .unwrap_or_default();
            number += 1;
            let text = line.trim();
            if !text.is_empty() && !text.starts_with(['#', ';', '%']) {
                return Some(Line {
                    number,
                    text,
                    epd: read(text),
                });
            }
        }
        None
    })
}
