//! Random games of other programs through a real import.

use super::{moves, record};
use {
    crate::support::{Base, vector},
    plydex::{
        games::{
            AnyPosition, Budget,
            fairy::notation as fairy,
            registry::ALL,
            variant::{Rules, Variant, VariantDetection},
        },
        search::GameReader,
    },
};

/// Variant, start, moves of engines, moves in text, and the last position.
fn rows() -> Vec<(&'static Variant, [String; 4])> {
    let mut found = Vec::new();
    for table in ["random_games.tsv", "compound_games.tsv"] {
        for line in vector(table).lines().skip(1) {
            let mut cells = line.split('\t').map(str::to_owned);
            let variant = cells.next().expect("a variant");
            let variant = Variant::from_tag(variant.as_bytes());
            let Some(variant) =
                variant.filter(|variant| variant.tier() == Some(VariantDetection::Named))
            else {
                continue;
            };
            let cells = std::array::from_fn(|_| cells.next().unwrap_or_default());
            found.push((variant, cells));
        }
    }
    found
}

/// The moves of a row in several notations, the canonical one first.
fn notations(variant: &'static Variant, [start, uci, san, _]: &[String; 4]) -> Vec<String> {
    let mut at = AnyPosition::read_fen(variant, start).expect("a start").at;
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); 4];
    for word in uci.split(' ') {
        let legal = at.moves(Budget::default()).expect("few");
        let next = legal.iter().find(|next| next.names[1] == word);
        // Castling is written in several ways, and a disc as a drop.
        let next = next.cloned().or_else(|| {
            let (moves, _) = at.read_alone(word)?;
            let (_, behind) = moves.into_iter().next()?;
            legal.into_iter().find(|next| next.behind == behind)
        });
        let next = next.unwrap_or_else(|| panic!("{word} in {} {start} {uci}", at.fen()));
        let [san, uci] = next.names;
        match &at {
            AnyPosition::Fairy(now) if now.row.is_eastern() => {
                let (row, at) = (now.row, &now.at);
                let m = fairy::resolve(row, at, &uci, fairy::Ranks::FromOne).expect("legal");
                let wxf = fairy::write_wxf(row, at, m);
                // A soldier of a number is not written with a dot: `17.` numbers a move.
                let has_number = wxf.starts_with(|c: char| c.is_ascii_digit());
                texts[2].push(if has_number {
                    wxf
                } else {
                    wxf.replace('=', ".")
                });
                // ICCS counts ranks from 0.
                let grid = row.facts.board.grid;
                let square =
                    |at: u8| format!("{}{}", char::from(b'A' + grid.file(at)), grid.rank(at));
                texts[3].push(format!("{}-{}", square(m.from), square(m.to)));
            }
            // Passes are left out.
            AnyPosition::Othello(_) if san != "--" => texts[2].push(san.clone()),
            _ => {}
        }
        texts[0].push(san);
        texts[1].push(uci);
        at = next.behind;
    }
    let mut texts: Vec<String> = texts.into_iter().map(|words| words.join(" ")).collect();
    texts.retain(|text| !text.is_empty());
    if variant.rules == Rules::Othello {
        texts.push(texts[2].replace(' ', ""));
    } else {
        assert_eq!(texts[0], *san, "{}", variant.name);
    }
    texts
}

#[test]
fn random_games_come_back_in_every_notation() {
    let rows = rows();
    let mut text = String::new();
    let mut expected = Vec::new();
    for (variant, cells) in &rows {
        let notations = notations(variant, cells);
        for words in &notations {
            text += &record(variant, Some(&cells[0]), "*", words);
            expected.push((*variant, notations[0].clone(), cells[3].clone()));
        }
    }
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    let games = base.games();
    assert_eq!(games.len(), expected.len());
    let mut names: Vec<&str> = Vec::new();
    let mut reader = GameReader::new(&base.store);
    for (game, (variant, words, end)) in games.iter().zip(&expected) {
        assert_eq!(game.header.variant, variant.name);
        assert_eq!(moves(game).join(" "), *words, "{}", variant.name);
        let at = reader.board_at(game.header.id, None).expect("readable");
        let (at, end) = (at.expect("a board"), AnyPosition::read_fen(variant, end));
        assert_eq!(at.position, end.expect("a position").at, "{words}");
        names.push(variant.name);
    }
    for variant in ALL.iter().filter(|variant| variant.fairy().is_some()) {
        assert!(names.contains(&variant.name), "no game of {}", variant.name);
    }
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 20, "{names:?}");
}
