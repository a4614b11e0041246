//! Lines that comments name, which older programs kept as texts, become plies. Nothing in a
//! database says which program has packed a game: it is tried, where there are values of
//! comments that may be lines.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    convert::Infallible,
    time::Instant,
};

use super::{ReindexOptions, ReindexReport, step, tell};
use crate::{
    base::{observe::Observer, record::GameId},
    blocks::{
        fingerprint::Fingerprint,
        pages::{RecordBlock, RecordBlockReader},
    },
    games::{
        AnyPosition,
        variation_tree::{self, VariationTree},
        with_game,
    },
    replay::{self, FullGameReader},
    store::{COMMIT_AFTER, LineReader, RecordKind, RecordReader, Store, StoreError},
};

/// Bytes of texts between two commits, more or less.
const BYTES_A_COMMIT: usize = 16 << 20;

/// Texts of a game packed again: of its tree and texts, its start and its main line.
type Change = fn(&VariationTree<'_>, &[u8], &AnyPosition, &[u8]) -> Option<Vec<u8>>;

fn with_lines(
    tree: &VariationTree<'_>,
    texts: &[u8],
    start: &AnyPosition,
    main_line: &[u8],
) -> Option<Vec<u8>> {
    with_game!(AnyPosition of start, start => variation_tree::with_lines(tree, texts, start, main_line))
}

/// Packs the lines of all games, each game compared with what was there.
pub(super) fn pack(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    change(store, options, observer, report, with_lines)
}

fn change(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
    report: &mut ReindexReport,
    change: Change,
) -> Result<(), StoreError> {
    let phase = "packing lines in comments";
    tell(store, observer, phase, Some(store.last_game()?))?;
    let mut packer = LinePacker {
        store,
        change,
        lines: store.lines(),
        trees: store.records(RecordKind::Tree),
        games: FullGameReader::new(store),
        starts: HashMap::new(),
    };
    let (mut row, mut before) = (0, 0);
    loop {
        let since = Instant::now();
        let mut writer = store.record_writer(RecordKind::Texts);
        let mut blocks: Vec<RecordBlock> = Vec::new();
        let mut keep = |block| {
            blocks.push(block);
            Ok::<_, Infallible>(())
        };
        let mut sums: BTreeMap<GameId, Fingerprint> = BTreeMap::new();
        let (from, mut last, mut bytes) = (row, 0, 0);
        while let Some((first, block)) = store.records_from(RecordKind::Texts, row)? {
            store.go_on()?;
            row = first + 1;
            let block: Option<RecordBlockReader> = block;
            let block = block.ok_or_else(|| store.damaged(RecordKind::Texts.damage(first)))?;
            for (game, texts) in block.records() {
                let new = packer.packed(game, texts)?;
                if let Some((_, sum)) = new {
                    sums.insert(game, sum);
                }
                let texts = new.as_ref().map_or(texts, |(texts, _)| texts);
                let tree = packer.trees.get(game)?.unwrap_or_default();
                let parts = RecordKind::parted([tree, texts, &[]])[RecordKind::Texts as usize];
                let Ok(()) = writer.push(game, parts, &mut keep);
                (last, bytes) = (game, bytes + texts.len());
            }
            if sums.len() >= options.games_per_commit
                || bytes >= BYTES_A_COMMIT
                || since.elapsed() >= COMMIT_AFTER
            {
                break;
            }
        }
        if row == from {
            return Ok(());
        }
        let Ok(()) = writer.finish(&mut keep);
        if !sums.is_empty() {
            store.at_once(|| {
                store.delete_records(RecordKind::Texts, from..row)?;
                for block in &blocks {
                    store.insert_records(RecordKind::Texts, block)?;
                }
                store.update_sums(&sums)
            })?;
            report.comment_line_games += sums.len() as u64;
        }
        step(store, observer, last.saturating_sub(before))?;
        before = last;
        // Blocks that were put together begin elsewhere now.
        row = row.max(last + 1);
    }
}

/// Packs the texts of one game after the other.
struct LinePacker<'s> {
    store: &'s Store,
    change: Change,
    lines: LineReader<'s>,
    trees: RecordReader<'s>,
    games: FullGameReader<'s>,
    starts: HashMap<u32, Option<AnyPosition>>,
}

impl LinePacker<'_> {
    /// The texts of a game packed again, and the fingerprint that it has with them; `None` if they
    /// stay as they are.
    fn packed(
        &mut self,
        game: GameId,
        texts: &[u8],
    ) -> Result<Option<(Vec<u8>, Fingerprint)>, StoreError> {
        let line = self.lines.get(game)?;
        let start = match self.starts.entry(line.start) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(replay::start_position(self.store, line.start)?),
        };
        let tree = self.trees.get(game)?.and_then(VariationTree::of);
        let (Some(start), Some(tree)) = (start, tree) else {
            return Ok(None);
        };
        let Some(new) = (self.change)(&tree, texts, start, line.plies) else {
            return Ok(None);
        };
        if !self.games.compared(game)?.1 {
            let what = format!("game {game}: its checksum differs");
            return Err(self.store.damaged(what));
        }
        let sum = self.games.sum_with(game, Some(&new))?;
        Ok(Some((new, sum)))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fmt::Write as _,
        fs,
        ops::ControlFlow,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::{
        base::observe::{CancellationToken, Event, NullObserver},
        changes,
        changes::reindex::reindex,
        import::{self, ImportOptions},
        pgn::writer as pgn,
        search::GameReader,
    };

    fn without_lines(
        tree: &VariationTree<'_>,
        texts: &[u8],
        start: &AnyPosition,
        main_line: &[u8],
    ) -> Option<Vec<u8>> {
        with_game!(AnyPosition of start, start => variation_tree::without_lines(tree, texts, start, main_line))
    }

    /// Games as engines comment them, and others between.
    fn commented() -> String {
        let mut text = String::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 1..=400 {
            let depth = round % 30;
            // Unlike all others, so that they take several blocks.
            let noise: String = (0..1500).map(|_| rng.alphanumeric()).collect();
            let _ = write!(
                text,
                "[Event \"engines\"]\n[Round \"{round}\"]\n\n\
                 1. e4 {{d={depth}, pv=e4 e5 Nf3 Nc6 Bb5, tb=null}} \
                 e5 {{d={depth}, pv=e5 Nf3 Nf6 Nxe5 d6, tb=null}} (1... c5 {{d=1, pv=c5 Nf3, tb=0}}) \
                 2. Nf3 {{d=7, pv=Nf3 Nc6 d4 exd4 Nxd4, tb=null}} Nc6 {{{noise}}} *\n\n\
                 [Event \"plain\"]\n\n1. d4 {{a comment}} d5 *\n\n"
            );
        }
        text
    }

    fn games(store: &Store) -> Vec<String> {
        let mut games = GameReader::new(store);
        let last = store.last_game().expect("games");
        let text = |game| {
            let mut text = String::new();
            let game = games.game(game).expect("a game").expect("a game");
            pgn::write(&game, &mut text);
            text
        };
        (1..=last).map(text).collect()
    }

    fn records(store: &Store) -> Vec<(GameId, Vec<u8>)> {
        let (mut all, mut row) = (Vec::new(), 0);
        while let Some((first, block)) =
            store.records_from(RecordKind::Texts, row).expect("a block")
        {
            row = first + 1;
            let block = block.expect("a block");
            all.extend(block.records().map(|(game, texts)| (game, texts.to_vec())));
        }
        all
    }

    fn assert_sound(store: &Store) {
        let report = changes::check(store, &NullObserver).expect("a check");
        assert_eq!(report.problems, Vec::<String>::new());
    }

    #[test]
    fn lines_that_were_texts_become_plies() {
        let folder = tempfile::tempdir().expect("a folder");
        let (pgn, db) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        fs::write(&pgn, commented()).expect("a file");
        let stop = CancellationToken::default();
        let store = Store::create_or_open(&db, &stop).expect("a database");
        import::import(&store, &[pgn], ImportOptions::default(), &NullObserver).expect("an import");
        let (before, packed) = (games(&store), records(&store));
        let options = ReindexOptions {
            games_per_commit: 70,
        };
        let mut report = ReindexReport::default();
        change(&store, options, &NullObserver, &mut report, without_lines).expect("a change");
        assert_eq!(report.comment_line_games, 400);
        let unpacked = records(&store);
        let bytes = |records: &[(GameId, Vec<u8>)]| -> usize {
            records.iter().map(|(_, texts)| texts.len()).sum()
        };
        assert!(bytes(&packed) + 400 * 20 < bytes(&unpacked));
        assert_sound(&store);
        assert!(games(&store) == before);

        // Broken off after a commit, it goes on where it was.
        let some = CancellationToken::default();
        let stopped = Store::open_to_reindex(&db, &some).expect("a database");
        let observer = StopAfter(AtomicUsize::new(1), some);
        let report = reindex(&stopped, options, &observer).expect("a reindex");
        drop(stopped);
        assert!(
            report.interrupted && (1..400).contains(&report.comment_line_games),
            "{report:?}"
        );
        assert_sound(&store);
        assert!(games(&store) == before);
        let more = reindex(&store, options, &NullObserver).expect("a reindex");
        assert_eq!(report.comment_line_games + more.comment_line_games, 400);
        assert!(records(&store) == packed);
        assert_sound(&store);
        assert!(games(&store) == before);
        assert!(
            reindex(&store, options, &NullObserver)
                .expect("a reindex")
                .is_nothing()
        );
    }

    /// Requests the end after some steps.
    struct StopAfter(AtomicUsize, CancellationToken);

    impl Observer for StopAfter {
        fn on(&self, event: Event<'_>) -> ControlFlow<()> {
            let is_step = matches!(event, Event::Steps { .. });
            if is_step && self.0.fetch_sub(1, Ordering::SeqCst) == 1 {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        }

        fn stop(&self) -> CancellationToken {
            self.1.clone()
        }
    }
}
