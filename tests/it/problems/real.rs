//! Collections of chess problems as they are found, and positions turned and shifted against a
//! naive scan of the board.

use std::{collections::BTreeMap, fmt::Write as _};

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Setup, fen::Fen};

use super::{COLLECTIONS, base_of, collection, essences, exported, filed, found, same};
use {
    crate::support::{Base, files_below, positions},
    plydex::{
        games::{AnyPosition, symmetry::BoardShift},
        import::{DuplicateAction, ImportOptions},
        problems::{CollectionWriter, Composition, StoredProblem},
        query::PositionQuery,
    },
};

/// Problems in a file of Popeye's, counted by their statements alone.
fn statements(text: &str) -> usize {
    let ends = [
        "begin", "anfa", "debut", "next", "weit", "asuiv", "end", "fin",
    ];
    let mut count = 0;
    let mut filled = false;
    for line in text.lines() {
        let lower = line.trim_start().to_lowercase();
        if ends.iter().any(|end| lower.starts_with(end)) {
            count += usize::from(filled);
            filled = lower.split_whitespace().nth(1).is_some();
        } else {
            filled |= !lower.trim().is_empty();
        }
    }
    count + usize::from(filled)
}

#[test]
fn real_collections_are_imported_whole() {
    let Some(folder) = positions("real_collections") else {
        return;
    };
    let popeye = files_below(folder.path(), "inp");
    assert_eq!(popeye.len(), 192);
    let wanted: usize = popeye
        .iter()
        .map(|path| {
            statements(&String::from_utf8_lossy(
                &std::fs::read(path).expect("a file"),
            ))
        })
        .sum();
    // Six of them stand in two files.
    assert_eq!(base_of(&popeye).games().len(), 1797);
    let base = Base::new();
    let keep = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    let _ = base.import(&popeye, keep);
    let games = base.games();
    assert_eq!((games.len(), wanted), (1803, 1803));
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (game, filed) in games.iter().zip(filed(&base)) {
        let problem = filed.problem;
        let kind = match (&problem.diagram, game.header.variant.as_str()) {
            (diagram, _) if diagram.is_empty() => "without men",
            (diagram, _) if diagram.board().is_none() => "fairy men",
            (_, "unknown") => "no position of chess",
            _ if !problem.conditions.is_empty() => "fairy conditions",
            _ => "orthodox",
        };
        *kinds.entry(kind).or_default() += 1;
    }
    insta::assert_debug_snapshot!(kinds, @r#"
    {
        "fairy conditions": 664,
        "fairy men": 339,
        "no position of chess": 357,
        "orthodox": 439,
        "without men": 4,
    }
    "#);
    let olive = files_below(folder.path(), "olv");
    let base = base_of(&olive);
    let games = base.games();
    assert_eq!(games.len(), 12);
    let plies: Vec<u32> = games.iter().map(|game| game.header.plies).collect();
    assert_eq!(plies, [6, 11, 4, 5, 6, 10, 0, 0, 0, 0, 0, 0]);
    // And they read back from YAML.
    same(
        &exported(&base, &["--format", "olive"], "again.olv"),
        &essences(&base),
    );
}

/// Every collection that there is comes back byte for byte in its own format, and with the
/// same boards in the others.
#[test]
fn real_collections_come_back() {
    let Some(folder) = positions("real_collections") else {
        return;
    };
    let mut all: Vec<(String, StoredProblem)> = Vec::new();
    let mut changed = Vec::new();
    for (format, ending, _) in COLLECTIONS {
        for path in files_below(folder.path(), ending) {
            let base = Base::new();
            let _ = base.import(std::slice::from_ref(&path), ImportOptions::default());
            let name = path.strip_prefix(folder.path()).expect("inside").display();
            let bytes = std::fs::read(&path).expect("a file");
            let again = collection(&base, format);
            if String::from_utf8(bytes).is_ok_and(|text| text != again) {
                changed.push(name.to_string());
            }
            let names = (1..).map(|nth| format!("{name} {nth}"));
            all.extend(names.zip(filed(&base)));
        }
    }
    let mut lost: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (format, ending, read) in COLLECTIONS {
        for (name, filed) in &all {
            // From the fields alone.
            let bare = StoredProblem {
                problem: filed.problem.clone(),
                source: None,
            };
            let mut writer = CollectionWriter::new(format);
            let mut text = String::new();
            writer.problem(&bare, &mut text);
            writer.finish(&mut text);
            let after = read(&text)
                .into_iter()
                .next()
                .and_then(|(_, found)| found.ok());
            let board =
                |problem: &Composition| (problem.diagram.forsyth(), problem.unread_diagram.clone());
            let before = &bare.problem;
            if after.as_ref().map(board) != Some(board(before)) {
                lost.entry(ending).or_default().push(name.clone());
            }
        }
    }
    insta::assert_debug_snapshot!((all.len(), changed, lost), @r#"
    (
        1815,
        [],
        {},
    )
    "#);
}

/// Whether men stand alike, moved over the board: every one of them looked at.
fn is_shifted(a: &Chess, b: &Chess, turned: bool) -> bool {
    use shakmaty::{Position as _, Square};
    let men = |at: &Chess| -> Vec<(i32, i32, shakmaty::Piece)> {
        let mut men: Vec<_> = at
            .board()
            .clone()
            .into_iter()
            .map(|(square, piece): (Square, _)| {
                (i32::from(square.file()), i32::from(square.rank()), piece)
            })
            .collect();
        let left = men.iter().map(|man| man.0).min().unwrap_or(0);
        let low = men.iter().map(|man| man.1).min().unwrap_or(0);
        for man in &mut men {
            man.0 -= left;
            man.1 -= low;
        }
        men.sort_by_key(|man| (man.0, man.1));
        men
    };
    let ways: Vec<Chess> = if turned && a.board().pawns().is_empty() {
        (0..8)
            .map(|way| {
                let mut board = a.board().clone();
                if way & 1 != 0 {
                    board.flip_diagonal();
                }
                if way & 2 != 0 {
                    board.flip_vertical();
                }
                if way & 4 != 0 {
                    board.flip_horizontal();
                }
                let setup = Setup {
                    board,
                    ..a.to_setup(EnPassantMode::Legal)
                };
                setup.position(CastlingMode::Standard).expect("legal")
            })
            .collect()
    } else {
        vec![a.clone()]
    };
    a.turn() == b.turn() && ways.iter().any(|way| men(way) == men(b))
}

#[test]
fn shifted_and_turned_positions_are_those_of_a_naive_scan() {
    use shakmaty::{Position as _, Square};
    // Every corner of the board, with and without a pawn, from both sides.
    let mut fens = Vec::new();
    let patterns: [&[(i32, i32, char)]; 3] = [
        &[(0, 0, 'K'), (2, 0, 'k'), (0, 2, 'R')],
        &[(0, 0, 'k'), (2, 1, 'K'), (1, 3, 'Q')],
        &[(0, 0, 'K'), (0, 1, 'P'), (2, 2, 'k')],
    ];
    for pattern in patterns {
        for file in 0..8 {
            for rank in 0..8 {
                let mut board = shakmaty::Board::empty();
                let fits = pattern.iter().all(|&(x, y, man)| {
                    let (x, y) = (file + x, rank + y);
                    if !(0..8).contains(&x) || !(0..8).contains(&y) {
                        return false;
                    }
                    let piece = shakmaty::Piece::from_char(man).expect("a man");
                    board.set_piece_at(Square::new((y * 8 + x) as u32), piece);
                    true
                });
                for turn in [Color::White, Color::Black] {
                    let setup = Setup {
                        board: board.clone(),
                        turn,
                        ..Setup::empty()
                    };
                    if let (true, Ok(at)) = (fits, setup.position::<Chess>(CastlingMode::Standard))
                    {
                        fens.push(at);
                    }
                }
            }
        }
    }
    let mut text = String::new();
    for at in &fens {
        let fen = Fen::from_position(at, EnPassantMode::Legal);
        let _ = write!(text, "[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n");
    }
    let base = Base::of(text.as_bytes());
    assert!(fens.len() > 100);
    for (shift, turn) in [(true, false), (false, true), (true, true)] {
        for asked in fens.iter().step_by(17) {
            if turn && !asked.board().pawns().is_empty() {
                continue;
            }
            let query = PositionQuery {
                shift,
                turn,
                ..PositionQuery::of(AnyPosition::from(asked.clone()))
            };
            let wanted: Vec<u64> = (1..)
                .zip(&fens)
                .filter(|(_, at)| is_shifted(asked, at, turn))
                .map(|(id, _)| id)
                .collect();
            let found = found(&base, query);
            if shift {
                assert_eq!(found, wanted, "{shift} {turn} {asked:?}");
            } else {
                // Turned alone: some of those, the position itself among them.
                let own = fens.iter().position(|at| at == asked).expect("it is there");
                assert!(found.iter().all(|id| wanted.contains(id)));
                assert!(found.len() <= 8 && found.contains(&(own as u64 + 1)));
            }
        }
    }
    let moved = AnyPosition::from(fens[0].clone()).shifts();
    assert_eq!(moved[0].0, BoardShift::NOT);
}
