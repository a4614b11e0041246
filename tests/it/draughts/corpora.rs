//! Real files of draughts: every record is accounted for, and of each game that
//! is not played to its end it is known why.

use std::{collections::BTreeSet, ops::ControlFlow, path::Path, sync::Mutex};

use {
    crate::support::{Base, draughts_corpora, every_game, files_below},
    plydex::{
        base::{
            diagnostic::LocatedDiagnostic,
            observe::{Event, Observer},
            record::{GameFormat, GameRecord, MovetextItem},
        },
        import::{self, ImportReport},
    },
};

/// Keeps what is reported.
#[derive(Default)]
struct Reports(Mutex<Vec<LocatedDiagnostic>>);

impl Observer for Reports {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::Diagnostic(report) = event {
            self.0.lock().expect("no panic").push(report.clone());
        }
        ControlFlow::Continue(())
    }
}

/// A file that was imported into a database of its own.
pub(super) struct Imported {
    pub(super) base: Base,
    summary: ImportReport,
    pub(super) reports: Vec<LocatedDiagnostic>,
    pub(super) games: Vec<GameRecord>,
}

impl Imported {
    pub(super) fn new(path: &Path) -> Self {
        let base = Base::new();
        let reports = Reports::default();
        let paths = [path.to_path_buf()];
        let summary = import::import(&base.store, &paths, every_game(), &reports);
        let games = base.games();
        Self {
            summary: summary.expect("an import"),
            reports: reports.0.into_inner().expect("no panic"),
            games,
            base,
        }
    }

    /// The games that are not whole: number and why.
    fn broken(&self) -> Vec<(u64, String)> {
        let rests = self.games.iter().filter(|game| !is_whole(game));
        rests
            .map(|game| {
                let id = game.header.id;
                let why = self
                    .reports
                    .iter()
                    .find(|report| report.game == Some(id) && report.severity == "error");
                let why = why.map_or("no reason is given".to_owned(), |report| {
                    let detail = report.detail.split("; legal:").next().unwrap_or_default();
                    format!("{} {detail}", report.code)
                });
                (id, why)
            })
            .collect()
    }
}

fn is_whole(game: &GameRecord) -> bool {
    !game
        .items
        .iter()
        .any(|item| matches!(item, MovetextItem::Rest(_)))
}

/// What a file is expected to be.
struct Expected {
    /// How its path begins below the folder of the archives.
    file: &'static str,
    seen: u64,
    /// Games that are not whole, and how the reason begins.
    broken: &'static [(u64, &'static str)],
}

const fn whole(file: &'static str, seen: u64) -> Expected {
    Expected {
        file,
        seen,
        broken: &[],
    }
}

const fn broken(file: &'static str, seen: u64, broken: &'static [(u64, &'static str)]) -> Expected {
    Expected { file, seen, broken }
}

/// Files of which the number of games is known, and every game that is not whole.
/// Files that no row is about must be whole.
const FILES: &[Expected] = &[
    whole("english-8x8/EricCJoyce__ACF", 6563),
    // The moves of another game stand twice in it.
    broken(
        "english-8x8/bcorfman__training__tinsley",
        724,
        &[(541, "illegal-move 32-28 at ply 123")],
    ),
    broken(
        "english-8x8/eygilbert__games__tinsley",
        724,
        &[(541, "illegal-move 32-28 at ply 123")],
    ),
    whole(
        "numeric-8x8-no-gametype/wiegerw__games__succeed__Campionato_Assoluto_2005",
        53,
    ),
    whole(
        "numeric-8x8-no-gametype/wiegerw__games__succeed__OCA_2.0",
        43,
    ),
    whole(
        "numeric-8x8-no-gametype/wiegerw__games__succeed__inferno",
        68,
    ),
    whole(
        "numeric-8x8-no-gametype/wiegerw__games__succeed__Tricks_traps_and_shots",
        91,
    ),
    whole(
        "algebraic-8x8-no-gametype/wiegerw__games__succeed__mrcd2000kval",
        40,
    ),
    whole(
        "algebraic-8x8-no-gametype/wiegerw__games__succeed__mrcd2007",
        102,
    ),
    whole("international-10x10/bas080__t__all", 190),
    whole("international-10x10/wiegerw__games__succeed__wk2003", 23),
    whole("international-10x10/wiegerw__games__succeed__nk2003", 33),
    whole("russian-8x8/portnov__draws_joined", 519),
    // One side's squares are garbled from there on.
    broken(
        "international-10x10-no-gametype/Yodachess__Dames_PartiesPdn_FEN__BrunoVsScan31",
        11,
        &[(11, "illegal-move 17-11 at ply 64")],
    ),
    // Made to be refused.
    broken(
        "international-10x10-no-gametype/bas080__t__invalid",
        1,
        &[(1, "illegal-move 12-18 at ply 63")],
    ),
    // A move and a result that lost their game.
    broken(
        "international-10x10-no-gametype/wiegerw__games__fail__Cat.C1",
        46,
        &[(46, "illegal-move 36x27 at ply 1")],
    ),
    // Moves of the middle of a game without a position.
    broken(
        "algebraic-8x8-no-gametype/lynx-r__boardservice__src__test__resources__pdn__fork_1_3",
        1,
        &[(1, "bad-variant draughts of some kind")],
    ),
    broken(
        "international-10x10/lynx-r__boardservice__src__test__resources__pdn__fork_inter_1_3",
        1,
        &[(1, "illegal-move 28-22 at ply 1")],
    ),
    // Tags in the middle of the moves make two games of one.
    broken(
        "international-10x10/lynx-r__boardservice__src__test__resources__pdn__notation_undo1",
        2,
        &[(1, "bad-variant draughts of some kind")],
    ),
    broken(
        "international-10x10/lynx-r__boardservice__src__test__resources__pdn__notation_undo3",
        2,
        &[(1, "bad-variant draughts of some kind")],
    ),
    broken(
        "international-10x10/lynx-r__boardservice__src__test__resources__pdn__notation_variant_nested",
        2,
        &[(2, "illegal-move g3-h4 at ply 1")],
    ),
];

/// Chess filed as PDN, some of it of variants that are kept as text.
const CHESS: &[Expected] = &[
    whole(
        "algebraic-8x8-no-gametype/RoepStoep__scaladraughts_fixtures",
        2,
    ),
    whole("fen-only-or-other/RoepStoep__scaladraughts_fixtures", 15),
    broken(
        "numeric-8x8-no-gametype/RoepStoep__scaladraughts_fixtures",
        23,
        &[(4, "illegal-move `Re1`")],
    ),
];

#[test]
fn every_record_is_accounted_for() {
    let Some(folder) = draughts_corpora("every_record_is_accounted_for") else {
        return;
    };
    let mut wrong = Vec::new();
    for path in files_below(&folder, "pdn") {
        let name = path.strip_prefix(&folder).expect("a file below it");
        let name = name.to_string_lossy().into_owned();
        let row = |rows: &'static [Expected]| rows.iter().find(|row| name.starts_with(row.file));
        let file = Imported::new(&path);
        file.base.assert_sound();
        let ImportReport {
            seen,
            stored,
            duplicate,
            rejected,
            ..
        } = file.summary;
        if seen != stored + duplicate + rejected || seen != file.games.len() as u64 {
            wrong.push(format!("{name}: {:?}", file.summary));
        }
        let expected = row(FILES).or(row(CHESS));
        if expected.is_some_and(|row| row.seen != seen) {
            wrong.push(format!("{name}: {seen} games"));
        }
        let reasons = expected.map_or(&[][..], |row| row.broken);
        let broken = file.broken();
        let fits = |(found, expected): (&(u64, String), &(u64, &str))| {
            found.0 == expected.0 && found.1.starts_with(expected.1)
        };
        if broken.len() != reasons.len() || !broken.iter().zip(reasons).all(fits) {
            wrong.push(format!("{name}: not whole: {broken:?}"));
        }
        // Records that say nothing of themselves but their tags have no script.
        let of_chess = |game: &&GameRecord| game.script == GameFormat::Pgn && game.header.plies > 0;
        let chess = file.games.iter().filter(of_chess).count();
        if (chess > 0) != row(CHESS).is_some() {
            wrong.push(format!("{name}: {chess} games of chess"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Half of the drawn openings are begun by lifting men, which is no move.
#[test]
fn drawn_openings_are_moves_or_placements() {
    let Some(folder) = draughts_corpora("drawn_openings_are_moves_or_placements") else {
        return;
    };
    let file = Imported::new(&folder.join("russian-8x8/portnov__draws_joined.pdn"));
    let reports = file.reports.iter();
    let placed: BTreeSet<u64> = reports
        .filter(|report| report.code == "placement")
        .filter_map(|report| report.game)
        .collect();
    assert_eq!((file.games.len() - placed.len(), placed.len()), (245, 274));
    assert!(file.games.iter().all(is_whole));
}
