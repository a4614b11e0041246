//! Gives up sources that go on and on without a game. By the bytes of complete chunks, so that it
//! does not depend on how many threads read.

use super::Writer;
use crate::{
    base::limits::NOISE_WEIGHT,
    import::{batch::BatchGame, findings::path_of, pipeline::ChunkPart},
    input::{SourceError, SourceErrorKind},
};

/// Where games of text are farther apart than that, it is checked whether it is text at all.
const SPARSE_BYTES: usize = 4 << 10;

/// One of this many bytes of what is no text is a control character.
const NOISE_SHARE: usize = 32;

/// Text without a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NonGameText {
    /// Its bytes.
    bytes: u64,
    /// What they count for.
    weight: u64,
}

impl NonGameText {
    /// This many bytes, if they are text.
    pub(super) const fn of(bytes: u64) -> Self {
        Self {
            bytes,
            weight: bytes,
        }
    }
}

/// What a part of a source has without a game; `None` if it has any.
pub(super) fn gameless(part: &ChunkPart) -> Option<NonGameText> {
    let ChunkPart { chunk, batch, .. } = part;
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
    let text = NonGameText::of(chunk.bytes.len() as u64 + chunk.nul_bytes + skipped);
    match (is_noise, games) {
        (true, _) => Some(NonGameText {
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
    pub(super) fn add_gameless(&mut self, text: Option<NonGameText>) {
        let source = &mut self.source;
        source.gameless = text.map_or(NonGameText::default(), |text| NonGameText {
            bytes: source.gameless.bytes + text.bytes,
            weight: source.gameless.weight + text.weight,
        });
        if source.gameless.weight > self.gameless_bytes_max {
            source.is_given_up = true;
            self.given_up = self.opened;
        }
    }

    /// Which source, counted from 1, was given up last.
    pub(in crate::modules::import) const fn given_up(&self) -> u64 {
        self.given_up
    }

    /// Why the current source was given up, if it was.
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

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use crate::{
        base::observe::{CancellationToken, NullObserver},
        import::{self, DuplicateAction, ImportOptions, ImportReport},
        input::SourceReader,
        store::Store,
    };

    const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n\n";

    /// Imports a stream, giving it up after half a megabyte without a game.
    fn imported(store: &Store, threads: usize, text: impl Read + Send + 'static) -> ImportReport {
        let options = ImportOptions {
            threads: Some(threads),
            gameless_bytes_max: Some(512 << 10),
            duplicates: DuplicateAction::Keep,
            ..ImportOptions::default()
        };
        let name = "endless";
        let text = SourceReader::of_text(name.as_ref(), Box::new(text));
        import::import_text(store, (name.into(), text), options, &NullObserver).expect("an import")
    }

    fn database() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store =
            Store::create_or_open(&folder.path().join("a.db"), &CancellationToken::default());
        (folder, store.expect("a database"))
    }

    /// The same again and again, without an end.
    struct Endless(Vec<u8>, usize);

    impl Endless {
        fn of(text: &str) -> Self {
            Self(text.into(), 0)
        }
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for byte in &mut *buffer {
                *byte = self.0[self.1];
                self.1 = (self.1 + 1) % self.0.len();
            }
            Ok(buffer.len())
        }
    }

    /// Bytes by lot, among which a game may stand.
    fn noise() -> Endless {
        let bytes = (0..1_100_000).map(|nth| crate::base::mix(nth) as u8);
        Endless(
            bytes
                .chain(format!("\n\n*\n\n{GAME}").into_bytes())
                .collect(),
            0,
        )
    }

    /// What ends is the same for one thread and for many, and so is what is stored before.
    #[test]
    fn what_goes_on_without_a_game_is_given_up() {
        type Make = fn() -> Endless;
        let kinds: [(&str, Make); 5] = [
            ("brackets", || Endless::of("[Event]\n\nno game at all\n\n")),
            ("prose", || Endless::of("Some words of prose.\n")),
            ("lines", || Endless::of("y\n")),
            ("results", || Endless::of("*\n")),
            ("noise", noise),
        ];
        for (at, (what, make)) in kinds.into_iter().enumerate() {
            // The threads take the chunks of any kind in the same way.
            let all_threads: &[usize] = if at == 1 { &[1, 4] } else { &[1 + at % 2] };
            let mut summaries = all_threads.iter().map(|&threads| {
                let (_folder, store) = database();
                let games = io::Cursor::new(GAME.repeat(3));
                let summary = imported(&store, threads, games.chain(make().take(20 << 20)));
                assert!(summary.stored >= 3, "{what}: {summary:?}");
                let [(name, why)] = &summary.sources_failed[..] else {
                    panic!("{what}: {summary:?}");
                };
                assert_eq!(name, "endless");
                assert!(why.contains("no game in "), "{what}: {why}");
                assert!(!summary.interrupted);
                ImportReport {
                    database_bytes: 0,
                    ..summary
                }
            });
            let first = summaries.next();
            assert!(
                summaries.all(|other| Some(&other) == first.as_ref()),
                "{what}"
            );
        }
    }

    #[test]
    fn games_may_go_on_and_on() {
        let (_folder, store) = database();
        // Three megabytes of games, then of games far apart.
        let apart = format!("{}\n\n{GAME}", "A line of prose.\n".repeat(10_000));
        let games = io::Cursor::new(GAME.repeat(60_000)).chain(io::Cursor::new(apart.repeat(8)));
        let summary = imported(&store, 2, games);
        assert_eq!(summary.stored, 60_008, "{summary:?}");
        assert!(summary.sources_failed.is_empty(), "{summary:?}");
    }

    /// What was read before counts as well.
    #[test]
    fn what_is_known_has_no_games_either() {
        let (_folder, store) = database();
        let prose = || io::Cursor::new("Some words of prose.\n".repeat(20_000));
        let games = || io::Cursor::new(GAME);
        let first = imported(&store, 1, games().chain(prose()));
        assert!(first.sources_failed.is_empty(), "{first:?}");
        for _ in 0..2 {
            let more = Endless::of("Some words of prose.\n").take(20 << 20);
            let again = imported(&store, 1, games().chain(more));
            assert_eq!(again.sources_failed.len(), 1, "{again:?}");
        }
    }
}
