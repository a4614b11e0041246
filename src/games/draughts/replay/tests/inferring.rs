//! Variants inferred from moves and positions.

use super::{reader::raw_of, *};
use crate::base::record::MoveForm;
use crate::games::{
    draughts::{
        replay::infer::{GameVariant, VariantInference},
        write,
    },
    raw_text::TextDecoder,
    variant::Variant,
};

const DECODE: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);

/// What is inferred of each of some games that stand together.
fn infer(games: &[&str]) -> Vec<Option<GameVariant>> {
    let mut poll = VariantInference::new();
    for game in games {
        poll.add(&raw_of(game), game.as_bytes(), DECODE, None);
    }
    let verdict = poll.result();
    games
        .iter()
        .map(|game| verdict.of(&raw_of(game), game.as_bytes()))
        .collect()
}

fn name(inferred: Option<&GameVariant>) -> &'static str {
    inferred.map_or("nothing", |inferred| inferred.variant.name)
}

fn random_text(variant: &'static DraughtsVariant, dice: &mut Dice) -> String {
    let rules = &variant.rules;
    let mut words = Vec::new();
    random_game(
        DraughtsPosition::start(rules),
        rules,
        dice,
        |position, _, played| {
            let at = placed(variant, *position);
            words.push(write(&at, played, MoveForm::Short, Budget::default()).unwrap());
        },
    );
    words.join(" ")
}

/// Games by chance of every variant that can be inferred are, ten at a time.
#[test]
fn random_games_are_told_apart() {
    let mut dice = Dice(41);
    for wanted in [
        "international",
        "english",
        "italian",
        "pool",
        "spanish",
        "russian",
        "brazilian",
        "czech",
        "canadian",
        "turkish",
        "thai",
        "frisian",
        "frysk",
        "spantsiretti",
    ] {
        let fen = if wanted == "frysk" {
            "[FEN \"W:W46,47,48,49,50:B1,2,3,4,5\"]\n"
        } else {
            ""
        };
        let texts: Vec<String> = (0..10)
            .map(|_| format!("{fen}{}", random_text(variant(wanted), &mut dice)))
            .collect();
        let games: Vec<&str> = texts.iter().map(String::as_str).collect();
        for inferred in infer(&games) {
            assert_eq!(name(inferred.as_ref()), wanted);
        }
    }
}

/// A game by chance, its squares named otherwise than is usual.
fn random_text_in(variant: &'static DraughtsVariant, names: Numbering, dice: &mut Dice) -> String {
    let rules = &variant.rules;
    let mut text = String::new();
    random_game(
        DraughtsPosition::start(rules),
        rules,
        dice,
        |_, _, played| {
            names.write(played.from, &mut text);
            text.push(if played.is_capture() { 'x' } else { '-' });
            names.write(played.to, &mut text);
            text.push(' ');
        },
    );
    text
}

/// Kinds that have numbers are written in letters, and the other way round; A1 and square
/// 1 are in any corner.
#[test]
fn unusual_names_of_squares_tell_the_same() {
    let mut dice = Dice(77);
    let letters = |name, corner| {
        let usual = numbering(variant(name)).with_letters(true);
        (name, usual.with_letter_corner(corner))
    };
    let numbers = |name, corner| {
        let usual = numbering(variant(name)).with_letters(false);
        (name, usual.with_number_corner(corner))
    };
    for (wanted, names) in [
        letters("english", 0),
        letters("english", 3),
        letters("pool", 0),
        letters("thai", 0),
        letters("italian", 0),
        letters("italian", 1),
        numbers("russian", 2),
        numbers("brazilian", 2),
        numbers("czech", 2),
        numbers("english", 1),
        numbers("english", 3),
        numbers("international", 1),
    ] {
        let texts: Vec<String> = (0..10)
            .map(|_| random_text_in(variant(wanted), names, &mut dice))
            .collect();
        let games: Vec<&str> = texts.iter().map(String::as_str).collect();
        for inferred in infer(&games) {
            assert_eq!(name(inferred.as_ref()), wanted, "{names:?}");
        }
    }
}

/// Russian records have Cyrillic letters for those of files.
#[test]
fn squares_in_cyrillic_letters_tell_as_much() {
    let [latin, cyrillic] = ["1. c3-d4 d6-c5 2. b2-c3", "1. с3-д4 д6-с5 2. б2-ц3"];
    let found = infer(&[latin, cyrillic]);
    assert_ne!(name(found[0].as_ref()), "nothing");
    assert_eq!(name(found[1].as_ref()), name(found[0].as_ref()));
    assert_eq!(
        name(infer(&[cyrillic])[0].as_ref()),
        name(found[0].as_ref())
    );
}

#[test]
fn a_source_can_hold_several_boards() {
    let inferred = infer(&[
        "1. 32-28 18-23 2. 33-29 23x32",
        "1. 31-26 17-22",
        "1. 11-15 23-19 2. 8-11 22-17",
        "1. c3-d4 d6-c5",
        "[FEN \"W:WK46:BK5\"]",
        "[FEN \"W:WKi1:BKa7\"]",
        "{nothing} *",
    ]);
    let names: Vec<_> = inferred.iter().map(|it| name(it.as_ref())).collect();
    assert_eq!(
        names,
        [
            "international",
            "english",
            "english",
            "brazilian",
            "international",
            "spantsiretti",
            "nothing"
        ]
    );
    let ties: Vec<_> = inferred[3]
        .as_ref()
        .unwrap()
        .ties
        .iter()
        .map(|it| it.name)
        .collect();
    assert_eq!(ties, ["czech", "russian"]);
}

#[test]
fn positions_alone_are_weak() {
    let english = infer(&["[FEN \"B:WK1:B32\"]", "[FEN \"W:WK1:B32\"]"]);
    let italian = infer(&["[FEN \"W:WK1:B32\"]", "[FEN \"B::\"]"]);
    for (inferred, wanted) in [
        (&english[0], "english"),
        (&english[1], "english"),
        (&italian[0], "italian"),
    ] {
        assert_eq!(name(inferred.as_ref()), wanted);
        let inferred = inferred.as_ref().unwrap();
        assert!(inferred.weak && inferred.ties.len() > 1);
    }
    assert_eq!(italian[1], None);
}

/// Where some games of a file say what they are, the others are likely the same.
#[test]
fn games_that_say_what_they_are_speak_for_the_others() {
    let russian = Variant::by_name("russian");
    let game = "1. c3-d4 d6-c5";
    let mut poll = VariantInference::new();
    poll.add(&raw_of(game), game.as_bytes(), DECODE, None);
    poll.add(&raw_of(game), game.as_bytes(), DECODE, russian);
    // What is not legal in the variant that it names does not count.
    for lie in ["1. c3-d5", "1. h2-g3"] {
        let italian = Variant::by_name("italian");
        poll.add(&raw_of(lie), lie.as_bytes(), DECODE, italian);
    }
    let inferred = poll.result().of(&raw_of(game), game.as_bytes()).unwrap();
    assert_eq!((inferred.variant.name, inferred.ties.len()), ("russian", 0));
}
