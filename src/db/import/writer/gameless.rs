//! Gives up sources that go on and on without a game. By the bytes of whole chunks, so that it does not
//! depend on how many threads read.

use super::Writer;
use crate::{
    base::limits::NOISE_WEIGHT,
    db::{
        findings::path_of,
        import::{batch::BatchGame, pipeline::ChunkPart},
    },
    input::{SourceError, SourceErrorKind},
};

/// Where games of text are farther apart than that, it is looked whether it is text at all.
const SPARSE_BYTES: usize = 4 << 10;

/// One of so many bytes of what is no text is a control character.
const NOISE_SHARE: usize = 32;

/// Text without a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gameless {
    /// Its bytes.
    bytes: u64,
    /// What they count for.
    weight: u64,
}

impl Gameless {
    /// So many bytes, if they are text.
    pub(super) const fn of(bytes: u64) -> Self {
        Self {
            bytes,
            weight: bytes,
        }
    }
}

/// What a piece of a source has without a game; `None` if it has any.
pub(super) fn gameless(piece: &ChunkPart) -> Option<Gameless> {
    let ChunkPart { chunk, batch, .. } = piece;
    // Any text reads as a game without tags and moves.
    let says_something = |game: &&BatchGame| {
        game.facts.plies > 0
            || game.start > 0
            || game.problem.is_some()
            || batch.text[game.layout.clone()] != *"[]"
    };
    let games = batch.games.iter().filter(says_something).count();
    let is_sparse = games * SPARSE_BYTES < chunk.bytes.len();
    let is_noise = is_sparse && is_noise(&chunk.bytes);
    let skipped = chunk.skipped.map_or(0, |skipped| skipped.bytes);
    let text = Gameless::of(chunk.bytes.len() as u64 + chunk.nul_bytes + skipped);
    match (is_noise, games) {
        (true, _) => Some(Gameless {
            weight: text.bytes * NOISE_WEIGHT,
            ..text
        }),
        (false, 0) => Some(text),
        (false, _) => None,
    }
}

/// Whether bytes are those of pictures or programs, or drawn by lot.
fn is_noise(bytes: &[u8]) -> bool {
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    bytes.iter().filter(is_control).count() * NOISE_SHARE > bytes.len()
}

impl Writer<'_> {
    /// Notes text without a game, or that there was one.
    pub(super) fn add_gameless(&mut self, text: Option<Gameless>) {
        let source = &mut self.source;
        source.gameless = text.map_or(Gameless::default(), |text| Gameless {
            bytes: source.gameless.bytes + text.bytes,
            weight: source.gameless.weight + text.weight,
        });
        if source.gameless.weight > self.gameless_bytes_max {
            source.is_given_up = true;
            self.given_up = self.opened;
        }
    }

    /// Which source, counted from 1, was given up last.
    pub(in crate::db::import) const fn given_up(&self) -> u64 {
        self.given_up
    }

    /// Why the source at hand was given up, if it was.
    pub(super) fn gameless_failure(&self) -> Option<SourceError> {
        let bytes = self.source.gameless.bytes;
        let error = || {
            SourceError::new(
                &path_of(&self.source.path),
                SourceErrorKind::Gameless { bytes },
            )
        };
        self.source.is_given_up.then(error)
    }
}
