//! Words to plies.

use super::{
    reader::{games_of, raw_of},
    *,
};
use crate::{
    base::{diagnostic::Code, record::MoveForm},
    games::{
        self, AnyCursor, GameCodec, GameKeys, GamePosition, GameText,
        draughts::write,
        key::Structure,
        raw_text::{Reading, TextDecoder},
        variation_tree::{self, VariationTree},
    },
};

/// What was read of a text, with the positions replayed.
struct Seen {
    out: Reading,
    opening: DraughtsStart,
    steps: Vec<DraughtsPly>,
    last: DraughtsPosition,
}

impl Seen {
    fn codes(&self) -> Vec<Code> {
        self.out
            .diagnostics
            .iter()
            .map(|found| found.code)
            .collect()
    }

    fn annotations(&self) -> String {
        variation_tree::listed(&self.out.tree)
    }

    /// Moves from and to by their names.
    fn moves(&self) -> String {
        let name = |step: &DraughtsPly| match step {
            DraughtsPly::Move(played) => {
                let mut text = String::new();
                self.opening.numbering().write(played.from, &mut text);
                text.push(if played.is_capture() { 'x' } else { '-' });
                self.opening.numbering().write(played.to, &mut text);
                text
            }
            DraughtsPly::Null => "null".to_owned(),
            DraughtsPly::Setup(_) => "setup".to_owned(),
            DraughtsPly::Placement { .. } => "placed".to_owned(),
        };
        self.steps.iter().map(name).collect::<Vec<_>>().join(" ")
    }
}

fn see(opening: &DraughtsStart, text: &str) -> Seen {
    let raw = raw_of(text);
    let mut out = Reading::default();
    let decode: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let bytes = text.as_bytes();
    let text_of = GameText {
        raw: &raw,
        bytes,
        decode,
    };
    let ended = games::read(&opening.clone().into(), text_of, &mut out);
    let opening = ended.other.unwrap_or_else(|| opening.clone());
    let mut at = opening.at;
    let mut rest = out.plies.as_slice();
    let mut steps = Vec::new();
    let filed = |structure: Structure| (structure.key() >> 32) as u32;
    let mut last = at.structure();
    let mut structures = vec![filed(last)];
    while let Some(step) = at.unpack(&mut (), &mut rest) {
        steps.push(step);
        if at.advance(step, &mut last) {
            structures.push(filed(last));
        }
    }
    assert!(rest.is_empty());
    assert_eq!(steps.len(), out.ply_count as usize);
    assert_eq!(structures, out.structures, "{text}");
    Seen {
        last: at.position,
        out,
        opening,
        steps,
    }
}

fn see_as(name: &str, text: &str) -> Seen {
    see(&opening(variant(name)), text)
}

fn see_from(name: &str, fen: &str, text: &str) -> Seen {
    let variant = variant(name);
    let (opening, _) = DraughtsStart::from_fen(Draughts::start(variant), fen, None).unwrap();
    see(&opening, text)
}

/// Every spelling of every move of random games is read as that move.
#[test]
fn what_is_written_is_read_in_every_spelling() {
    let mut dice = Dice(11);
    for variant in ALL {
        let rules = &variant.rules;
        for letters in [false, true] {
            for (form, separator) in [
                (MoveForm::Short, 'x'),
                (MoveForm::Full, ':'),
                (MoveForm::Full, '-'),
            ] {
                let mut spelt = *variant;
                spelt.tag.letters = letters;
                spelt.capture_separator = separator;
                let spelt: &'static DraughtsVariant = Box::leak(Box::new(spelt));
                let start = if form == MoveForm::Full {
                    random_position(rules, &mut dice)
                } else {
                    DraughtsPosition::start(rules)
                };
                let mut words = Vec::new();
                let mut played = Vec::new();
                let last = random_game(start, rules, &mut dice, |position, _, chosen| {
                    let word = write(&placed(spelt, *position), chosen, form, Budget::default());
                    words.push(word.unwrap());
                    played.push(*chosen);
                });
                let opening = DraughtsStart::new(placed(spelt, start));
                let seen = see(&opening, &words.join(" "));
                assert_eq!(seen.out.ply_count as usize, words.len(), "{}", variant.name);
                // Where two ways differ in nothing that is written, either will do.
                if !seen.codes().contains(&Code::AmbiguousCapture) {
                    assert_eq!(seen.last, last, "{} {words:?}", variant.name);
                }
            }
        }
    }
}

#[test]
fn the_games_of_the_seed_are_whole() {
    let text = include_str!("../../../../../tests/vectors/pdn_seed_repaired.pdn");
    let games = games_of(text);
    assert_eq!(games.len(), 3);
    for (game, (plies, name)) in
        games
            .iter()
            .zip([(20, "english"), (13, "english"), (80, "international")])
    {
        let raw = raw_of(game);
        let fen = raw.tag(game.as_bytes(), "FEN");
        let seen = match fen {
            Some(fen) => see_from(name, std::str::from_utf8(fen).unwrap(), game),
            None => see_as(name, game),
        };
        assert_eq!(seen.out.ply_count, plies, "{:?}", seen.out.diagnostics);
        assert_eq!(seen.out.diagnostics, []);
    }
    // The last capture written short: the one of four that wins was meant.
    let short = games[1].replace("5x14x7x16x23x14x21x30x23x32", "5x32");
    let fen = "W:W27,19,18,11,7,6,5:B28,26,25,20,17,10,9,4,3,2.";
    let seen = see_from("english", fen, &short);
    assert_eq!(seen.out.ply_count, 13);
    assert_eq!(seen.out.diagnostics, []);
    assert_eq!(seen.last.winner(&variant("english").rules), Some(0));
}

#[test]
fn squares_count_and_signs_do_not() {
    let seen = see_as(
        "english",
        "1. 11x15 23:18 2. 8-11 26x23 3. 10-14 30-26 4. 6-10 24-19 5. 15-24 27-20",
    );
    assert_eq!(seen.out.ply_count, 10);
    assert!(seen.moves().ends_with("15x24 27x20"));
    assert_eq!(seen.out.diagnostics, []);
}

/// A short capture, one reading of which lets the game go on.
#[test]
fn what_follows_tells_which_capture_was_meant() {
    // The king can take 9 or 14 on its way from 5 to ... either way round.
    let mut dice = Dice(23);
    let rules = &variant("international").rules;
    let (mut ambiguous, mut decided) = (0, 0);
    for _ in 0..3000 {
        let start = random_position(rules, &mut dice);
        let mut legal = moves(&start, rules, Budget::default()).unwrap();
        legal.sort_by_key(|m| (m.from, m.to));
        let Some(pair) = legal
            .windows(2)
            .find(|pair| (pair[0].from, pair[0].to) == (pair[1].from, pair[1].to))
        else {
            continue;
        };
        for chosen in pair {
            let usual = numbering(variant("international"));
            let mut position = start;
            position.play(chosen);
            let mut words = vec![format!(
                "{}x{}",
                usual.number(chosen.from),
                usual.number(chosen.to)
            )];
            // Long games say more.
            let mut others = start;
            others.play(&pair[usize::from(chosen == &pair[0])]);
            let last = random_game(position, rules, &mut dice, |position, _, chosen| {
                let at = placed(variant("international"), *position);
                let word = write(&at, chosen, MoveForm::Full, Budget::default());
                words.push(word.unwrap());
            });
            let opening = DraughtsStart::new(placed(variant("international"), start));
            let seen = see(&opening, &words.join(" "));
            assert_eq!(seen.out.ply_count as usize, words.len());
            ambiguous += 1;
            decided += usize::from(seen.last == last);
        }
    }
    assert!(ambiguous > 30, "{ambiguous}");
    assert!(decided * 10 > ambiguous * 6, "{decided} of {ambiguous}");
}

#[test]
fn jumps_written_apart_are_one_capture() {
    // 11x18x25 as two words, and the game goes on.
    let fen = "W:W30,32,11:B1,15,22";
    let whole = see_from("english", "B:W15,22,32:B11,1", "11x18x25 32-28 1-5");
    let apart = see_from(
        "english",
        "B:W15,22,32:B11,1",
        "1. 11x18 18x25 {why} 32-28 2. 1-5",
    );
    assert_eq!(whole.out.ply_count, 3, "{:?} {fen}", whole.out.diagnostics);
    assert_eq!(apart.out.plies, whole.out.plies);
    assert_eq!(apart.codes(), [Code::SplitCapture]);
    assert_eq!(apart.annotations(), "1 Comment why");
}

#[test]
fn moves_without_a_space_are_parted_by_the_board() {
    let seen = see_as("english", "1. 11-1523-19 2. 8-11");
    assert_eq!(seen.moves(), "11-15 23-19 8-11");
    assert_eq!(seen.codes(), [Code::MoveGlued]);
    // What fits no pair of moves stays what it was.
    let seen = see_as("english", "1. 9-1323-18 2. 5-922-17 3. 11-1524-15");
    assert_eq!(seen.moves(), "9-13 23-18 5-9 22-17");
    assert_eq!(
        seen.codes(),
        [Code::MoveGlued, Code::MoveGlued, Code::IllegalMove]
    );
}

#[test]
fn unknown_moves_pass_the_turn() {
    let seen = see_as("english", "1. ... 23-18 2. - - 26-23 3. -- 18-14");
    assert_eq!(seen.moves(), "null 23-18 null 26-23 null 18-14");
    let seen = see_as("international", "1... 20-24 2. 32-28");
    assert_eq!(seen.moves(), "null 20-24 32-28");
    assert_eq!(seen.codes(), [Code::NullMove]);
}

#[test]
fn positions_are_set_up_in_the_middle() {
    let text = "1. 32-28 18-23 /FEN \"B:W28,31-36:B1-20\"/ 20-24 /FEN \"B::\"/ 24-29 *";
    let seen = see_as("international", text);
    assert_eq!(seen.moves(), "32-28 18-23 setup 20-24 null 24-29");
    let bad = see_as("international", "1. 32-28 18-23 /FEN \"B:W28,99\"/ 20-24");
    assert_eq!(bad.out.ply_count, 2);
    assert_eq!(bad.codes(), [Code::IllegalMove]);
    assert_eq!(bad.annotations(), "2 Rest /FEN \"B:W28,99\"/ 20-24");
}

#[test]
fn drawn_openings_place_men() {
    let seen = see_as("russian", "1. a1-a5 a7-h4 2. c3-d4 d6-c5");
    assert_eq!(seen.moves(), "placed placed c3-d4 d6-c5");
    assert_eq!(seen.codes(), [Code::Placement; 2]);
    let seen = see_as("russian", "1. B2-H6 H6-A5");
    assert_eq!(seen.moves(), "placed placed");
    let russian = numbering(variant("russian"));
    let mut placed = DraughtsPosition::start(&variant("russian").rules);
    for (from, to) in [("h6", "a5"), ("b2", "h6")] {
        let cell = |name: &str| {
            let name = name.as_bytes();
            russian
                .cell_of_file_and_rank(name[0] - b'a', name[1] - b'0')
                .unwrap()
        };
        let piece = placed.at(cell(from)).unwrap();
        placed.lift(cell(from));
        placed.put(cell(to), piece);
    }
    assert_eq!(seen.last, placed);
    // Not later, and not where squares are numbered.
    let seen = see_as("russian", "1. c3-d4 d6-c5 2. a1-a5");
    assert_eq!(seen.out.ply_count, 2);
    assert_eq!(seen.codes(), [Code::IllegalMove]);
    assert_eq!(see_as("english", "1. 32-16").out.ply_count, 0);
}

#[test]
fn numbers_from_another_corner_are_found_out() {
    // International squares counted from the bottom right, as `N1` says.
    let opening = DraughtsStart::new(Draughts {
        corner: Some(1),
        ..Draughts::start(variant("international"))
    });
    let seen = see(&opening, "1. 32-28 17-22 2. 28x17 12x21");
    assert_eq!(seen.out.ply_count, 4);
    assert_eq!(seen.opening.numbering().number_corner(), 2);
    assert_eq!(seen.codes(), [Code::SquareNumbers]);
    // A FEN of numbers where letters are usual, counted from a1.
    let seen = see_from("russian", "W:W1,9:B22,30", "1. 1-5 22-18");
    assert_eq!(
        seen.opening.numbering().number_corner(),
        0,
        "{:?}",
        seen.codes()
    );
}

#[test]
fn a_line_ends_where_it_is_not_legal() {
    let seen = see_as(
        "international",
        "1. 32-28 17-22 2. 33-29 12x21 3. 31-27 {so} 20-25 1-0",
    );
    assert_eq!(seen.out.ply_count, 2);
    let [found] = &seen.out.diagnostics[..] else {
        panic!("{:?}", seen.out.diagnostics)
    };
    assert_eq!(found.code, Code::IllegalMove);
    assert_eq!(found.detail, "33-29 at ply 3; legal: 28x17");
    assert_eq!(
        seen.annotations(),
        "2 Rest 2. 33-29 12x21 3. 31-27 {so} 20-25"
    );
    let seen = see_as(
        "international",
        "1. 32-28 nonsense 17-22 $3 (18-22 31-27) 2. 28x17",
    );
    assert_eq!(seen.out.ply_count, 3);
    assert_eq!(seen.codes(), [Code::UnknownWord]);
    assert_eq!(
        seen.annotations(),
        "1 Word nonsense; 2 Nag; 1 VariationStart; 2 VariationEnd"
    );
}

#[test]
fn variations_are_played_on_the_side() {
    let seen = see_as(
        "international",
        "1. 32-28 18-23 (17-22 (18-22 31-27) 28x17 (1-1) 12x21) 2. 33-29 23x32",
    );
    assert_eq!(seen.out.ply_count, 4);
    // In the order of the text.
    let keys = |line: &str| {
        let line = see_as("international", line);
        let mut at = line.opening.at;
        let played = line.steps.iter().map(|step| {
            GamePosition::play(&mut at, *step);
            at.structure().key()
        });
        played.skip(1).collect::<Vec<_>>()
    };
    let (own, nested) = (keys("32-28 17-22 28x17 12x21"), keys("32-28 18-22 31-27"));
    let mut expected = [&own[..1], &nested, &own[1..]].concat();
    expected.dedup();
    assert_eq!(seen.out.variations, expected);
}

#[test]
fn variations_are_walked_as_they_were_read() {
    let text = "1. 32-28 18-23 (17-22 (18-22 {no} 31-27) 28x17 99-98 (1-1) 12x21) 2. 33-29";
    let seen = see_as("international", text);
    assert_eq!(
        seen.annotations(),
        "1 VariationStart; 1 VariationStart; 2 Comment no; 2 VariationEnd; 3 Word 99-98; \
         2 VariationStart; 3 VariationEnd; 3 Word 12x21; 2 VariationEnd"
    );
    let start = AnyCursor::new(&games::StartContext::from(seen.opening.clone()).at.into());
    let mut packed = Vec::new();
    seen.out.tree.write_tree(&mut packed);
    let mut keys = Vec::new();
    let tree = VariationTree::of(&packed).unwrap();
    variation_tree::structures(&start, &seen.out.plies, tree, |key| keys.push(key)).unwrap();
    keys.dedup();
    assert_eq!(keys, seen.out.variations);
}

/// Pairs of captures that can each be meant, without end.
#[test]
fn many_ambiguous_captures_stay_bounded() {
    // A king that takes one of two pairs of men and lands on the same square,
    // set up again and again.
    let rules = &variant("international").rules;
    let mut dice = Dice(29);
    let (start, pair) = loop {
        let start = random_position(rules, &mut dice);
        let mut legal = moves(&start, rules, Budget::default()).unwrap();
        legal.sort_by_key(|m| (m.from, m.to));
        let same =
            |pair: &&[DraughtsMove]| (pair[0].from, pair[0].to) == (pair[1].from, pair[1].to);
        if let Some(pair) = legal.windows(2).find(same) {
            break (start, pair[0]);
        }
    };
    let usual = numbering(variant("international"));
    let fen = crate::games::draughts::notation::fen::write(&start, usual);
    let capture = format!("{}x{}", usual.number(pair.from), usual.number(pair.to));
    let text = format!("{capture} /FEN \"{fen}\"/ ").repeat(10_000);
    let opening = DraughtsStart::new(placed(variant("international"), start));
    for end in ["", "1-2"] {
        let begin = std::time::Instant::now();
        let seen = see(&opening, &format!("{text} {end}"));
        assert_eq!(seen.out.ply_count, 20_000);
        assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
    }
}

/// The hardest position of scaladraughts' speed tests: captures without measure.
#[test]
fn captures_beyond_measure_are_taken_unverified() {
    let fen = "W:WK5:BK2,K4,K7,K8,K9,K10,K11,K13,K15,K16,K18,K19,K20,K21,K22,K24,K27,K29,K30,K31,K32,K33,K35,K36,K38,K40,K41,K42,K43,K44,K47,K49";
    let begin = std::time::Instant::now();
    let start = Draughts::start(variant("frisian"));
    let (opening, _) = DraughtsStart::from_fen(start, fen, None).unwrap();
    let mut unverified = 0;
    for to in 1..=50 {
        let seen = see(&opening, &format!("5x{to}"));
        if seen.out.ply_count == 1 {
            assert_eq!(seen.codes(), [Code::UnverifiedMove]);
            unverified += 1;
        }
    }
    assert!(unverified > 0, "{:?}", begin.elapsed());
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

#[test]
fn a_result_that_looks_like_a_move_ends_the_game() {
    let seen = see_as("international", "1. 32-28 17-22 2. 28x17 4-6");
    assert_eq!(seen.out.result.as_deref(), Some("4-6"));
    assert_eq!(seen.out.diagnostics, []);
}
