//! Makes a new database of what can be read of a damaged one: what is built of the games is
//! built again, games that are intact are copied, and of others what is left.

pub(crate) mod copy;

use serde::Serialize;

use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    games::variant,
    import::merge_segments,
    replay::{
        rebuilt_segment,
        salvage::{NOTHING, Salvage, SalvagedGame},
    },
    store::{Store, StoreError},
};
use copy::GameCopier;

/// What became of a damaged database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RepairReport {
    /// Games of the new database, under their old numbers.
    pub games: u64,
    /// Those that are as they were stored.
    pub intact: u64,
    /// Those that have lost something or have changed.
    pub damaged: Vec<DamagedGames>,
    /// Games with nothing left; empty ones have their numbers.
    pub lost: u64,
    /// Tables of where games came from that have lost rows.
    pub tables: Vec<&'static str>,
    /// It was stopped before the end; there is no new database.
    pub interrupted: bool,
}

/// Neighbouring games with the same damage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DamagedGames {
    /// The first.
    pub first: GameId,
    /// The last.
    pub last: GameId,
    /// What is lost.
    pub what: String,
}

impl RepairReport {
    /// Whether nothing is lost.
    pub const fn is_intact(&self) -> bool {
        self.damaged.is_empty() && self.tables.is_empty() && !self.interrupted
    }

    fn take(&mut self, game: GameId, salvaged: &SalvagedGame) {
        self.games += 1;
        if salvaged.damage.is_empty() {
            self.intact += 1;
            return;
        }
        self.lost += u64::from(salvaged.is_lost());
        let what = salvaged.damage.join(", ");
        match self.damaged.last_mut() {
            Some(run) if run.last + 1 == game && run.what == what => run.last = game,
            _ => self.damaged.push(DamagedGames {
                first: game,
                last: game,
                what,
            }),
        }
    }
}

/// Games between two looks at the observer.
const GAMES_A_STEP: u64 = 256;

/// Fills a new database with what can be read of another one, which was opened to be
/// repaired. Tables of where games came from are read of `strict`, the same database opened
/// as usual, if that is possible.
///
/// # Errors
///
/// [`StoreError`] of the new database, or if nothing can be read of the old one.
pub fn repair(
    from: &Store,
    strict: Option<&Store>,
    to: &Store,
    observer: &dyn Observer,
) -> Result<RepairReport, StoreError> {
    let mut report = RepairReport::default();
    let mut salvage = Salvage::new(from);
    let last = salvage.last_game()?;
    let phase = Event::Phase {
        name: "copying games",
        steps: Some(last),
    };
    report.interrupted = observer.on(phase).is_break();
    let names = variant::ALL
        .iter()
        .map(|variant| (variant.id, variant.name));
    to.at_once(|| to.insert_variants(names.chain([(0, "unknown")])))?;
    let mut copy = RepairCopy::new(to, observer)?;
    for game in 1..=last {
        if report.interrupted {
            return Ok(report);
        }
        let salvaged = salvage.game(game)?;
        report.take(game, &salvaged);
        copy.game(game, &salvaged)?;
        if game.is_multiple_of(GAMES_A_STEP) {
            let steps = GAMES_A_STEP;
            report.interrupted =
                observer.on(Event::Steps { steps }).is_break() || observer.stop().is_cancelled();
        }
    }
    let all = salvage.stored_by_imports()?;
    if all > last {
        report.damaged.push(DamagedGames {
            first: last + 1,
            last: all,
            what: NOTHING.to_owned(),
        });
    }
    copy.write()?;
    merge_segments(to, copy.threads, observer)?;
    let program = concat!("plydex ", env!("CARGO_PKG_VERSION"), " check --repair");
    to.at_once(|| {
        report.tables = strict.unwrap_or(from).copy_provenance(to, program, last)?;
        Ok(())
    })?;
    report.interrupted = observer.stop().is_cancelled();
    Ok(report)
}

/// Writes games that are known completely, and their segments.
struct RepairCopy<'s> {
    to: &'s Store,
    observer: &'s dyn Observer,
    threads: usize,
    games: GameCopier<'s>,
}

impl<'s> RepairCopy<'s> {
    fn new(to: &'s Store, observer: &'s dyn Observer) -> Result<Self, StoreError> {
        Ok(Self {
            to,
            observer,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            games: GameCopier::new(to)?,
        })
    }

    fn game(&mut self, id: GameId, game: &SalvagedGame) -> Result<(), StoreError> {
        if self.games.is_empty() {
            self.to.begin()?;
        }
        self.games.game(id, game)?;
        if self.games.is_full() {
            self.write()?;
        }
        Ok(())
    }

    /// Writes the current games and their segment, and commits them.
    fn write(&mut self) -> Result<(), StoreError> {
        if self.games.is_empty() {
            return Ok(());
        }
        let _ = self.observer.on(Event::Phase {
            name: "indexing",
            steps: None,
        });
        let (first, games) = self.games.write_blocks()?;
        let segment = rebuilt_segment(self.to, first, games, self.threads)?;
        self.to.insert_segment(first, games as usize, &segment)?;
        self.to.commit()
    }
}
