//! What must hold of every game that the parser cuts out of any bytes.

use plydex::pgn::parser::RawGame;

/// Follows the games of one text.
#[derive(Default)]
pub struct Spans {
    games: usize,
    end: u32,
}

impl Spans {
    /// Asserts that the next game lies within the text and behind the one before, with
    /// no more items than it has bytes to make them of.
    pub fn next(&mut self, raw: &RawGame, bytes: &[u8]) {
        self.games += 1;
        assert!(self.games <= bytes.len() + 1);
        assert!(self.end <= raw.span.0 && raw.span.0 <= raw.span.1);
        assert!(raw.span.1 as usize <= bytes.len());
        assert!(raw.items.len() <= 2 * (raw.span.1 - raw.span.0) as usize + 2);
        self.end = raw.span.1;
    }
}
