//! What every game must keep, tried on random games of every row of the registry that
//! has a start: one suite for all.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Debug,
};

use crate::games::symmetry::Symmetry;
use crate::games::view::{ANY, PieceSets};
use crate::games::{
    AnyPosition, BoardGame, Counting, Cursor, GameText, ListStyle, MoveStyle, ParseBudget,
    StartContext, Stepper, perft, read, with_game,
};
use crate::games::{
    Budget,
    buffers::Reading,
    language::ExpectedNotation,
    raw_text::TextDecoder,
    variant::{ALL, Variant},
    variation_tree::{Annotation, TreeEvent, TreeIter, VariationHash, VariationTree},
};
use crate::{
    base::{diagnostic::Code, long_tests::one_in, mix, record::MoveForm},
    games::notation::letters::ENGLISH,
    pgn::parser::{Parser, RawGame},
};

const SYMMETRIES: [Symmetry; 3] = [Symmetry::Rotate, Symmetry::Mirror, Symmetry::Flip];

/// A sequence of numbers that a seed begins.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15));
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// The rows that can be played, each from its standard start position or one of its own.
fn starts() -> impl Iterator<Item = (&'static Variant, AnyPosition)> {
    // Arrays that are drawn by lot have no standard start position.
    const DRAWN: &[(&str, &str)] = &[
        (
            "chess960",
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
        ),
        (
            "caparandom",
            "rqbbnkcnar/pppppppppp/10/10/10/10/PPPPPPPPPP/RQBBNKCNAR w KQkq - 0 1",
        ),
    ];
    let playable = ALL.iter().filter(|row| row.has_rules());
    playable.map(|row| {
        let drawn = DRAWN.iter().find(|(name, _)| *name == row.name);
        let at = match drawn {
            Some((_, fen)) => AnyPosition::read_fen(row, fen).ok().map(|read| read.at),
            None => AnyPosition::start(row),
        };
        (row, at.unwrap_or_else(|| panic!("{}: no start", row.name)))
    })
}

/// What did not hold, with how often and an example each.
#[derive(Debug, Default)]
struct Failed(BTreeMap<String, (u64, String)>);

impl Failed {
    fn unless(&mut self, holds: bool, what: &str, example: impl FnOnce() -> String) {
        if !holds {
            let entry = self.0.entry(what.to_owned());
            entry.or_insert_with(|| (0, example())).0 += 1;
        }
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "values are made where they are compared"
    )]
    fn unless_equal<T: PartialEq + Debug>(&mut self, one: T, other: T, what: &str, fen: &str) {
        let is_equal = one == other;
        self.unless(is_equal, what, || format!("{fen}: {one:?}, {other:?}"));
    }
}

/// Parses a text as movetext of a game and runs something on it.
fn with_text<G: BoardGame, T>(text: &str, run: impl FnOnce(GameText<'_>) -> T) -> T {
    let mut raw = RawGame {
        syntax: G::SYNTAX,
        ..RawGame::default()
    };
    Parser::variation(text.as_bytes(), G::SYNTAX, &mut raw);
    let decode: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);
    run(GameText {
        raw: &raw,
        bytes: text.as_bytes(),
        decode,
    })
}

/// The moves that a written word can mean.
fn meanings<G: BoardGame>(at: &G, word: &str) -> Vec<Vec<G::Move>> {
    let convention = at.convention(ExpectedNotation::default());
    with_text::<G, _>(word, |text| {
        let mut context = at.context(text, &convention, ParseBudget::Game);
        let Some(item) = text.raw.items.first() else {
            return Vec::new();
        };
        let quick = at.read_standard_move(&mut context, text.bytes_of(item));
        let reading = at.read_word(&mut context, 0, &[]);
        let all: Vec<_> = reading
            .options
            .into_iter()
            .map(|(moves, _)| moves)
            .collect();
        match quick {
            // What is read quickly is what is read thoroughly.
            Some(m) if all != [vec![m]] => Vec::new(),
            _ => all,
        }
    })
}

/// Everything that identifies where a cursor stands.
fn place<C: Cursor>(walk: &C) -> (u64, u64, u32, usize) {
    let structure = walk.structure().key();
    (walk.board_key(), structure, walk.state_bits(), walk.turn())
}

fn place_of<G: BoardGame>(at: &G) -> (u64, u64, u32, usize) {
    (at.key(), at.structure().key(), at.state(), at.turn())
}

/// Plays random games from a position.
fn conform<G: BoardGame>(start: &G, seed: u64, failed: &mut Failed) {
    const PLIES: usize = 160;
    let games = 12 / one_in(3);
    let mut dice = Dice(seed);
    for _ in 0..games {
        let mut at = start.clone();
        let (mut slots, mut line) = (start.slots(), Vec::new());
        let (mut cursor, mut stepper) = (start.cursor(), Stepper::new(start));
        let mut words = Vec::new();
        let mut left = HashSet::new();
        for _ in 0..PLIES {
            let mut moves = Vec::new();
            if at.legal(Budget::default(), &mut moves).is_err() || moves.is_empty() {
                break;
            }
            let fen = at.fen();
            position_conforms(&at, &fen, failed);
            // A pass wherever it may be: rarely, for records hold few.
            let is_pass = dice.below(40) == 0 && {
                let mut passed = at.clone();
                passed.play(G::NULL);
                // No side passes in check.
                let read = G::read_fen(at.variant(), &passed.fen());
                let is_possible = read.is_ok_and(|read| read.codes.is_empty());
                is_possible && passed.turn() != at.turn()
            };
            let chosen = dice.below(moves.len());
            for (number, &m) in moves.iter().enumerate() {
                if number == chosen || dice.below(4) == 0 {
                    move_conforms(&at, m, &slots, &fen, failed);
                }
                if number == chosen || dice.below(16) == 0 {
                    symmetry_conforms(&at, m, moves.len(), &fen, failed);
                }
            }
            let m = if is_pass { G::NULL } else { moves[chosen] };
            let from = line.len();
            at.pack(m, &mut slots, &mut line);
            let code = at.code(m);
            for found in [
                {
                    let found = cursor.peek(&mut &line[from..]);
                    cursor.play(code);
                    found
                },
                {
                    let found = stepper.peek(&mut &line[from..]);
                    stepper.play(code);
                    found
                },
            ] {
                failed.unless_equal(found, Some(code), "code of a packed move", &fen);
            }
            if is_pass {
                words.clear();
            } else {
                words.push((at.clone(), m));
            }
            let before = at.structure();
            at.play(m);
            if at.structure() != before {
                left.insert(before.key());
            }
            let is_new = at.structure_recurs() || !left.contains(&at.structure().key());
            failed.unless(is_new, "a structure that was left", || fen.clone());
            failed.unless_equal(place(&cursor), place_of(&at), "cursor", &fen);
            let agree = cursor.placement() == at.placement();
            failed.unless(agree, "placement", || fen.clone());
            let others = (cursor.other_side_key(), at.other_side_key());
            failed.unless_equal(others.0, others.1, "key of the other side", &fen);
            failed.unless_equal(place(&stepper), place_of(&at), "stepper", &fen);
        }
        line_conforms(&words, &at, failed);
    }
}

/// A line of random moves with random variations, as text.
struct Branched {
    text: String,
    /// What its variations must come to.
    trace: VariationHash,
    variations: usize,
}

impl Branched {
    const DEPTH_MAX: usize = 3;

    /// Writes a line from a position on.
    fn write<G: BoardGame>(&mut self, start: &G, plies: usize, depth: usize, dice: &mut Dice) {
        let mut at = start.clone();
        for _ in 0..plies {
            let mut moves = Vec::new();
            let is_known = at.legal(Budget::default(), &mut moves).is_ok();
            moves.retain(|m| *m != G::NULL);
            if !is_known || moves.is_empty() {
                return;
            }
            let m = moves.swap_remove(dice.below(moves.len()));
            if depth > 0 {
                self.trace.add(at.code(m));
            }
            let before = at.clone();
            let word = at.write_and_play(m, MoveForm::Full);
            self.text.push_str(&word);
            self.text.push(' ');
            while depth < Self::DEPTH_MAX && dice.below(4) == 0 {
                self.variations += 1;
                self.text.push_str("( ");
                self.write(&before, 1 + dice.below(4), depth + 1, dice);
                self.text.push_str(") ");
            }
        }
    }
}

/// Variations are read into a tree that is walked as they were written, keys and all.
fn variations_conform<G: BoardGame>(start: &G, seed: u64, failed: &mut Failed) {
    let games = 12 / one_in(3) as u64;
    let opening = StartContext::expected(start.clone(), ExpectedNotation::default());
    for game in 0..games {
        let mut branched = Branched {
            text: String::new(),
            trace: VariationHash::default(),
            variations: 0,
        };
        branched.write(start, 30, 0, &mut Dice(seed ^ (game << 32)));
        let mut out = Reading::default();
        with_text::<G, _>(&branched.text, |text| read(&opening, text, &mut out));
        let mut packed = Vec::new();
        out.tree.write_tree(&mut packed);
        let Some(tree) = VariationTree::of(&packed) else {
            failed.unless(false, "tree", || branched.text.clone());
            continue;
        };
        let begun = tree
            .marks()
            .filter(|mark| *mark == Annotation::VariationStart);
        failed.unless_equal(
            begun.count(),
            branched.variations,
            "variations",
            &branched.text,
        );
        let is_plain = tree.marks().all(|mark| !mark.is_word());
        failed.unless(is_plain, "words in variations", || branched.text.clone());
        let walk = TreeIter::new(start.cursor(), &out.plies, tree);
        failed.unless_equal(walk.trace(), Ok(branched.trace), "walk", &branched.text);
        let stepper = TreeIter::new(Stepper::new(start), &out.plies, tree);
        failed.unless_equal(
            stepper.trace(),
            Ok(branched.trace),
            "walk by steps",
            &branched.text,
        );
        let mut walk = TreeIter::new(start.cursor(), &out.plies, tree);
        let mut keys = Vec::new();
        while let Ok(Some(step)) = walk.step() {
            let key = walk.at().structure().key();
            if matches!(step, TreeEvent::Ply(_)) && walk.depth() > 0 && keys.last() != Some(&key) {
                keys.push(key);
            }
        }
        failed.unless(keys == out.variations, "keys of variations", || {
            branched.text.clone()
        });
    }
}

/// A position is its FEN.
fn position_conforms<G: BoardGame>(at: &G, fen: &str, failed: &mut Failed) {
    match G::read_fen(at.variant(), fen) {
        Ok(read) => {
            failed.unless_equal(place_of(&read.at), place_of(at), "FEN", fen);
            failed.unless_equal(read.at.number(), at.number(), "move number in a FEN", fen);
            failed.unless_equal(&*read.at.fen(), fen, "FEN of a FEN", fen);
            failed.unless(read.fields.turn, "side to move in a FEN", || fen.to_owned());
            // Files beside the corners are fine in Chess960, whose rules are chess.
            let is_odd = |code: &&Code| **code != Code::Chess960Rights;
            let code = read.codes.iter().find(is_odd);
            failed.unless_equal(code, None, "warning at a FEN", fen);
        }
        Err(error) => failed.unless(false, "FEN", || format!("{fen}: {error}")),
    }
    let passed = {
        let mut passed = at.clone();
        passed.play(G::NULL);
        passed
    };
    let is_passed = passed.turn() != at.turn();
    let structure = (passed.structure(), at.structure());
    failed.unless(structure.0 == structure.1, "pass", || fen.to_owned());
    let key = is_passed == (passed.key() != at.key());
    failed.unless(key, "key of a pass", || fen.to_owned());
}

/// A move is what it is packed as, and what it is written as.
fn move_conforms<G: BoardGame>(
    at: &G,
    m: G::Move,
    slots: &G::Slots,
    fen: &str,
    failed: &mut Failed,
) {
    let mut packed = Vec::new();
    at.pack(m, &mut slots.clone(), &mut packed);
    let mut rest = &packed[..];
    let back = at.unpack(&mut slots.clone(), &mut rest);
    failed.unless_equal(back, Some(m), "unpacked move", fen);
    failed.unless_equal(rest, &[], "rest behind a packed move", fen);
    let mut next = at.clone();
    next.play(m);
    failed.unless_equal(at.key_after(at.key(), m), next.key(), "key after", fen);
    let (mut advanced, mut structure) = (at.clone(), at.structure());
    let changed = advanced.advance(m, &mut structure);
    failed.unless(advanced == next, "advanced position", || fen.to_owned());
    failed.unless_equal(structure, next.structure(), "advanced structure", fen);
    let may = changed || structure == at.structure();
    failed.unless(may, "structure changed unsaid", || fen.to_owned());
    for style in [MoveStyle::Usual, MoveStyle::Squares] {
        let text = at.write(m, style, ENGLISH);
        let read = meanings(at, &text);
        let is_it = read == [vec![m]];
        failed.unless(is_it, &format!("{style:?} text"), || {
            format!("{fen}: `{text}` of {m:?} is read as {read:?}")
        });
    }
}

/// A move seen in another way is legal there and leads to what is seen then.
fn symmetry_conforms<G: BoardGame>(
    at: &G,
    m: G::Move,
    legal: usize,
    fen: &str,
    failed: &mut Failed,
) {
    for symmetry in SYMMETRIES {
        let mut next = at.clone();
        next.play(m);
        let Some(seen) = at.transformed(symmetry) else {
            continue;
        };
        let what = |what: &str| format!("{symmetry:?}: {what}");
        let back = seen.transformed(symmetry).map(|back| back.key());
        failed.unless_equal(back, Some(at.key()), &what("seen twice"), fen);
        let swaps = (seen.turn() != at.turn()) == G::swaps_sides(symmetry);
        failed.unless(swaps, &what("side to move"), || fen.to_owned());
        let moved = at.move_transformed(m, symmetry);
        let mut moves = Vec::new();
        if seen.legal(Budget::default(), &mut moves).is_ok() {
            failed.unless_equal(moves.len(), legal, &what("count of moves"), fen);
            let is_legal = moves.contains(&moved);
            failed.unless(is_legal, &what("legal"), || format!("{fen} {m:?}"));
        }
        let Some(next) = next.transformed(symmetry) else {
            continue;
        };
        let mut played = seen;
        played.play(moved);
        let (one, other) = (played.structure(), next.structure());
        failed.unless_equal(played.key(), next.key(), &what("key"), fen);
        failed.unless(one == other, &what("structure"), || fen.to_owned());
    }
}

/// A line that is written is read to the same end by the reader of games.
fn line_conforms<G: BoardGame>(words: &[(G, G::Move)], last: &G, failed: &mut Failed) {
    let Some((start, _)) = words.first() else {
        return;
    };
    let text: Vec<String> = words
        .iter()
        .map(|(at, m)| at.write(*m, MoveStyle::Usual, ENGLISH))
        .collect();
    let text = text.join(" ");
    let opening = StartContext::expected(start.clone(), ExpectedNotation::default());
    let mut out = Reading::default();
    let ended = with_text::<G, _>(&text, |text| crate::games::read(&opening, text, &mut out));
    let fen = start.fen();
    let found = (out.ply_count as usize, out.diagnostics.first());
    failed.unless_equal(
        found,
        (words.len(), None),
        "line",
        &format!("{fen}: {text}"),
    );
    failed.unless_equal(place_of(&ended.last), place_of(last), "end of a line", &fen);
    let (mut slots, mut line) = (start.slots(), Vec::new());
    for (at, m) in words {
        at.pack(*m, &mut slots, &mut line);
    }
    failed.unless(line == out.plies, "packed line", || {
        format!("{fen}: {text}")
    });
}

#[test]
fn every_game_conforms() {
    let mut complaints = Vec::new();
    for (row, start) in starts() {
        let mut failed = Failed::default();
        let seed = 77 + u64::from(row.id);
        with_game!(AnyPosition of &start, at => {
            conform(at, seed, &mut failed);
            variations_conform(at, seed, &mut failed);
        });
        for (what, (count, example)) in failed.0 {
            complaints.push(format!("{}: {what}, {count} times: {example}", row.name));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What stands where is what is drawn, in every position of random games. How often there
/// was a stronger piece than at the start: one that was dropped, crowned or promoted to.
fn sets_conform<G: BoardGame>(start: &G, mut dice: Dice, failed: &mut Failed) -> u32 {
    let count = |sets: &PieceSets, code: u8| sets.pieces(code).count_ones();
    let usual = start.sets();
    let mut grown = 0;
    for _ in 0..10 {
        let mut at = start.clone();
        for _ in 0..200 {
            let (sets, drawn) = (at.sets(), PieceSets::of(&at.diagram()));
            let letters = (1..64).filter(|code| !ANY.contains(code));
            let more = |code| count(&drawn, code) > count(&usual, code);
            grown += u32::from(letters.into_iter().any(more));
            failed.unless_equal(sets, drawn, "sets", &at.fen());
            let mut moves = Vec::new();
            if at.legal(Budget::default(), &mut moves).is_err() || moves.is_empty() {
                break;
            }
            at.play(moves[dice.below(moves.len())]);
        }
    }
    grown
}

#[test]
fn what_stands_where_is_what_is_drawn() {
    let mut failed = Failed::default();
    for (row, start) in starts() {
        let dice = Dice(7 + u64::from(row.id));
        let grown = with_game!(AnyPosition of &start, at => sets_conform(at, dice, &mut failed));
        let must_grow = crate::games::crowns(row) || row.name == "crazyhouse";
        assert!(grown > 0 || !must_grow, "{}: nothing new", row.name);
    }
    assert!(failed.0.is_empty(), "{failed:?}");
}

#[test]
fn counting_by_playing_agrees_with_each_games_own_count() {
    for (row, start) in starts() {
        for depth in 1..=3 {
            let budget = Budget::default();
            let own =
                with_game!(AnyPosition of &start, at => at.perft(depth, Counting::Drop, budget));
            let plain = with_game!(AnyPosition of &start, at => perft(at, depth, budget));
            assert_eq!(own.ok(), plain.ok(), "{} to depth {depth}", row.name);
        }
    }
}

#[test]
fn what_is_divided_adds_up_and_is_listed() {
    let style = ListStyle {
        form: MoveForm::Short,
        language: ENGLISH,
        budget: Budget::default(),
    };
    for (row, start) in starts() {
        for counting in [Counting::Drop, Counting::Keep] {
            let whole = start.perft(3, counting, style.budget);
            let divided = start.divide(3, counting, style.budget).expect(row.name);
            let parts = divided.iter().map(|(_, count)| count).sum();
            assert_eq!(whole, Ok(parts), "{} {counting:?}", row.name);
            let mut named: Vec<_> = divided.into_iter().map(|(m, _)| m.text).collect();
            let list = start.list(style).expect(row.name);
            let mut listed: Vec<_> = list.into_iter().map(|m| m.text).collect();
            named.sort();
            listed.sort();
            assert_eq!(listed, named, "{}", row.name);
        }
    }
}

/// Hostile words end in a finding, never in a panic.
#[test]
fn no_word_is_too_strange() {
    let words: &[&str] = &[
        "",
        "-",
        "--",
        "...",
        "0-0",
        "O-O-O-O",
        "e9",
        "z1",
        "e2e4e2",
        "999x999",
        "32x",
        "x32",
        "P@",
        "@@@@",
        "½",
        "C2.5",
        "+1=2",
        "/FEN",
        "1x2x3x4x5x6x7x8x9x10x11x12x13",
        "\u{feff}e4",
    ];
    for (_, start) in starts() {
        for word in words {
            with_game!(AnyPosition of &start, at => {
                let read: Vec<_> = meanings(at, word);
                assert!(read.len() < 100, "{word}");
            });
        }
    }
}

/// The cells of a line of CSV; quotes stand around entire cells only.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match (c, cells.last_mut()) {
            ('"', _) => is_quoted = !is_quoted,
            (',', _) if !is_quoted => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
    }
    cells
}

/// The tables of other programs, by nothing but playing the moves that each game says are
/// legal.
#[test]
fn the_plain_count_is_that_of_other_programs() {
    const NODES_MAX: u64 = 30_000;
    // Where the FEN, the depth and the nodes stand; what else must be so.
    let tables = [
        (
            include_str!("../../../tests/vectors/chess_perft.csv"),
            1,
            None,
        ),
        (
            include_str!("../../../tests/vectors/draughts_perft.csv"),
            2,
            Some("drop"),
        ),
    ];
    let mut counted = BTreeMap::new();
    for (table, fen, counting) in tables {
        for line in table.lines().skip(1) {
            let cells = cells(line);
            let is_counted_so = counting.is_none_or(|way| cells.last().is_some_and(|c| c == way));
            let nodes: u64 = cells[fen + 2].parse().expect("nodes");
            let row = Variant::by_name(&cells[0]).filter(|row| row.has_rules());
            let Some(row) = row.filter(|_| is_counted_so && nodes <= NODES_MAX) else {
                continue;
            };
            let at = AnyPosition::read_fen(row, &cells[fen]).expect(line).at;
            let depth = cells[fen + 1].parse().expect("a depth");
            let found = with_game!(AnyPosition of &at, at => perft(at, depth, Budget::default()));
            assert_eq!(found, Ok(nodes), "{line}");
            *counted.entry(row.name).or_insert(0) += 1;
        }
    }
    assert!(counted.len() > 30, "{counted:?}");
}

/// Plays what damaged bytes say, and looks at what comes out.
fn play_damaged<G: BoardGame>(start: &G, mut bytes: &[u8]) {
    let (mut at, mut slots) = (start.clone(), start.slots());
    while let Some(m) = at.unpack(&mut slots, &mut bytes) {
        at.play(m);
        let _ = (at.key(), at.structure(), at.state(), at.fen(), at.outcome());
        let _ = at.legal(Budget(2_000), &mut Vec::new());
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn damaged_bytes_do_no_harm(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
        for (_, start) in starts() {
            with_game!(AnyPosition of &start, at => play_damaged(at, &bytes));
        }
    }
}
