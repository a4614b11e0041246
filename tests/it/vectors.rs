//! The vectors of PGN as it is found, and random games, through a real import.

use std::fmt::Write as _;

use shakmaty::{
    CastlingMode, Chess, Position,
    fen::Fen,
    san::San,
    uci::UciMove,
    variant::{Crazyhouse, VariantPosition},
};

use {
    crate::support::{Base, every_game, root, vector},
    plydex::{
        base::record::{GameRecord, MovetextItem},
        games::variant::{Rules, Variant},
        search::GameReader,
    },
};

/// The main line in SAN.
fn sans(game: &GameRecord) -> Vec<&str> {
    game.items
        .iter()
        .filter_map(|item| match item {
            MovetextItem::Move(san) => Some(san.as_str()),
            _ => None,
        })
        .collect()
}

/// The main line in UCI, played by shakmaty from the tags.
fn uci(game: &GameRecord) -> String {
    if sans(game).is_empty() {
        // Nothing was played, maybe because the start position is none.
        return String::new();
    }
    let mode = if game.header.variant == "chess960" {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let mut position = match &game.header.start_fen {
        Some(fen) => {
            let fen: Fen = fen.parse().expect("a FEN of our own");
            let position: Chess = fen.into_position(mode).expect("a position");
            VariantPosition::from(position)
        }
        None if game.header.variant == "crazyhouse" => Crazyhouse::default().into(),
        None => Chess::default().into(),
    };
    let mut line = Vec::new();
    for san in sans(game) {
        if san == "--" {
            line.push("0000".to_owned());
            position = position.swap_turn().expect("no null move out of check");
            continue;
        }
        let san: San = san.trim_end_matches(['+', '#']).parse().expect("a SAN");
        let m = san.to_move(&position).expect("a legal move");
        line.push(UciMove::from_move(m, mode).to_string());
        position.play_unchecked(m);
    }
    line.join(" ")
}

/// The expected line of a row; long ones are abbreviated in words.
fn expected_uci(text: &str, plies: usize) -> String {
    match text.strip_prefix('(') {
        Some(words) => {
            let cycle: Vec<&str> = words.split(' ').take(4).collect();
            let line: Vec<&str> = cycle.into_iter().cycle().take(plies).collect();
            line.join(" ")
        }
        None => text.to_owned(),
    }
}

fn deviation(row: &str) -> Result<(), String> {
    let fields: Vec<&str> = row.split('\t').collect();
    let [case, file, games, plies, line, ..] = fields[..] else {
        return Err(format!("{row}: too few fields"));
    };
    let base = Base::new();
    let path = root().join("tests/vectors").join(file);
    let summary = base.import(&[path], every_game());
    base.assert_sound();
    let stored = base.games();
    if summary.seen != summary.stored + summary.duplicate + summary.rejected {
        return Err(format!("{case}: the summary does not add up: {summary:?}"));
    }
    if stored.len().to_string() != games {
        return Err(format!("{case}: {} games, expected {games}", stored.len()));
    }
    let counts: Vec<String> = stored
        .iter()
        .map(|game| game.header.plies.to_string())
        .collect();
    if counts.join("/") != plies {
        return Err(format!(
            "{case}: plies {}, expected {plies}",
            counts.join("/")
        ));
    }
    let Some(first) = stored.first() else {
        return Ok(());
    };
    let (got, wanted) = (uci(first), expected_uci(line, sans(first).len()));
    if got != wanted {
        return Err(format!("{case}: {got}, expected {wanted}"));
    }
    Ok(())
}

#[test]
fn deviant_files_give_the_expected_games() {
    let table = vector("pgn_deviations.tsv");
    let mut wrong = Vec::new();
    let mut cases = 0;
    for row in table.lines().skip(1) {
        let case = row.split('\t').next().unwrap_or_default();
        cases += 1;
        if let Err(why) = deviation(row) {
            wrong.push(format!("{case}: {why}"));
        }
    }
    assert_eq!(cases, 109);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Games of random moves, made by other programs; those of chess's kin are read in
/// `kin::vectors`.
#[test]
fn random_games_come_back_move_by_move() {
    let table = vector("random_games.tsv");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect::<Vec<_>>())
        .filter(|row| {
            let variant = Variant::from_tag(row[0].as_bytes());
            matches!(variant.map(|variant| variant.rules), Some(Rules::Chess))
        })
        .collect();
    assert!(!rows.is_empty());
    let mut pgn = String::new();
    for row in &rows {
        let [variant, start, _, moves, ..] = row[..] else {
            panic!("{row:?}: too few fields");
        };
        if variant != "chess" {
            let _ = writeln!(pgn, "[Variant \"{variant}\"]");
        }
        let _ = write!(
            pgn,
            "[SetUp \"1\"]\n[FEN \"{start}\"]\n[Result \"*\"]\n\n{moves} *\n\n"
        );
    }
    let base = Base::of(pgn.as_bytes());
    base.assert_sound();
    let games = base.games();
    assert_eq!(games.len(), rows.len());
    let mut reader = GameReader::new(&base.store);
    for (game, row) in games.iter().zip(&rows) {
        let variant = Variant::from_tag(row[0].as_bytes()).expect("a variant");
        assert_eq!(game.header.variant, variant.name);
        assert_eq!(sans(game).join(" "), row[3], "{row:?}");
        let end = reader
            .board_at(game.header.id, None)
            .expect("a readable game");
        assert_eq!(end.expect("a position").fen, row[4], "{row:?}");
    }
}
