//! The sample games of draughts are legal to their last move.

use plydex::games::{
    position_input::{self, ExpectedVariants},
    variant::Variant,
};

use crate::support::root;

/// The value of a tag of a record.
fn tag<'t>(record: &'t str, name: &str) -> Option<&'t str> {
    let start = format!("[{name} \"");
    let line = record.lines().find_map(|line| line.strip_prefix(&start))?;
    line.strip_suffix("\"]")
}

/// Plays a whole file, of which every record is tags, a blank line and movetext;
/// how many records, plies and kinds of draughts it has.
fn play(file: &str) -> (usize, usize, usize) {
    let path = root().join("sample-data/pdn").join(file);
    let text = std::fs::read_to_string(path).expect("a sample file");
    let blocks: Vec<&str> = text.trim().split("\n\n").collect();
    let (mut plies, mut kinds) = (0, std::collections::BTreeSet::new());
    for record in blocks.chunks(2) {
        let [tags, movetext] = record else {
            panic!("{file}: a record without movetext: {record:?}");
        };
        let game_type = tag(tags, "GameType").expect("a GameType");
        let Some(variant) = Variant::named(game_type).and_then(Variant::draughts) else {
            panic!("{file}: {game_type} is no kind of draughts");
        };
        let start = tag(tags, "FEN").unwrap_or("startpos");
        let line = format!("{start} moves {movetext}");
        let row = Variant::of_draughts(variant);
        let read = position_input::read_position(&line, &ExpectedVariants { rows: vec![row] })
            .unwrap_or_else(|error| panic!("{file}: {tags}\n{error}"));
        assert!(read.warnings.is_empty(), "{tags}: {:?}", read.warnings);
        // A game that somebody has won is not drawn; problems have no result.
        let winner = read.at.winner();
        let result = tag(tags, "Result").expect("a Result");
        if winner.is_some() {
            let fen = read.at.fen();
            assert!(!["1/2-1/2", "1-1"].contains(&result), "{tags}: {fen}");
        }
        plies += read.moves.len();
        kinds.insert(variant.name);
    }
    (blocks.len() / 2, plies, kinds.len())
}

#[test]
fn ballots_are_legal() {
    let english: Vec<_> = Variant::by_name("english").into_iter().collect();
    for ballot in plydex::games::draughts::ballots::all() {
        let hint = ExpectedVariants {
            rows: english.clone(),
        };
        let read = position_input::read_position(&ballot.moves.join(" "), &hint)
            .unwrap_or_else(|error| panic!("{}: {error}", ballot.number));
        assert_eq!(read.moves.len(), 3);
    }
}

#[test]
fn sample_games_are_legal_to_their_last_move() {
    assert_eq!(play("classics.pdn"), (3, 113, 2));
    assert_eq!(play("kinds.pdn"), (18, 1654, 16));
    assert_eq!(play("problems.pdn"), (15, 71, 10));
}
