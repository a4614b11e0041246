//! What tells of which game a record is: names of every spelling, tags of other
//! programs, the shape of a position.

use plydex::base::record::{GameRecord, MovetextItem};

use crate::support::Base;

/// The only game of a text, whole and sound.
fn game(text: &str) -> GameRecord {
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    let game = base.games().remove(0);
    let rest = game
        .items
        .iter()
        .find(|it| matches!(it, MovetextItem::Rest(_)));
    assert_eq!(rest, None, "{text}");
    game
}

#[test]
fn a_game_tag_names_xiangqi() {
    let text = "[Event \"x\"]\n[Game \"Chinese Chess\"]\n[Red \"A\"]\n[Black \"B\"]\n\n\
                1. 炮二平五 马８进７ 2. 馬八進七 車９平８ *\n";
    let game = game(text);
    assert_eq!(game.header.variant, "xiangqi");
    assert_eq!((game.header.plies, game.header.white.as_str()), (4, "A"));
}

#[test]
fn a_position_alone_tells_the_variant() {
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let ten = "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1";
    let xiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for (fen, moves, variant) in [
        (
            format!("{chess}[] w KQkq - 0 1"),
            "1. e4 d5 2. exd5 Qxd5 3. P@e4",
            "crazyhouse",
        ),
        (
            format!("{chess} w KQkq - 3+3 0 1"),
            "1. e4 f6 2. Qh5+",
            "threecheck",
        ),
        (ten.to_owned(), "1. Ad3", "capablanca"),
        (xiangqi.to_owned(), "1. h3e3", "xiangqi"),
        (format!("{chess} w KQkq - 0 1"), "1. e4 d5", "chess"),
    ] {
        let game = game(&format!("[Event \"x\"]\n[FEN \"{fen}\"]\n\n{moves} *\n"));
        assert_eq!(game.header.variant, variant, "{fen}");
    }
}

/// A side that is numbered is written back as it stood.
#[test]
fn numbered_players_are_players() {
    let game = game("[Event \"x\"]\n[P1 \"Anna\"]\n[P2 \"Berta\"]\n\n1. e4 e5 *\n");
    assert_eq!(
        (game.header.white.as_str(), game.header.black.as_str()),
        ("Anna", "Berta")
    );
}

#[test]
fn drawn_starts_and_wild_ones_have_the_moves_of_their_game() {
    let drawn = "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w FBfb - 0 1";
    for (name, variant) in [
        ("Atomic 960", "atomic"),
        ("Crazyhouse960", "crazyhouse"),
        ("King of the Hill 960", "kingofthehill"),
        ("wild/fr", "chess960"),
    ] {
        let text =
            format!("[Event \"x\"]\n[Variant \"{name}\"]\n[FEN \"{drawn}\"]\n\n1. e4 e5 *\n");
        assert_eq!(game(&text).header.variant, variant, "{name}");
    }
}
