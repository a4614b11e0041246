//! Openings that are drawn by ballot, in games that have such a list.

use super::{
    ballots,
    variant::{ALL, Variant},
};

/// Whether a ballot is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BallotStatus {
    /// In play over the board.
    Played,
    /// In play by correspondence, too hard over the board.
    ByMail,
    /// Not drawn: it loses.
    Barred,
}

/// One ballot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ballot {
    /// Its number in the federation's list, from 1.
    pub number: u8,
    /// Its three moves.
    pub moves: [&'static str; 3],
    /// Whether it is drawn.
    pub standing: BallotStatus,
    /// What it is called, if it has a name.
    pub name: Option<&'static str>,
}

/// The ballots of all games, by number, each with the row of its game.
fn all() -> impl Iterator<Item = (&'static Variant, Ballot)> {
    let of_row = |row| ballots(row).into_iter().map(move |ballot| (row, ballot));
    ALL.iter().flat_map(of_row)
}

/// The ballots of a number, or of a name in any case; of one name there can be two.
pub fn named(text: &str) -> Vec<(&'static Variant, Ballot)> {
    let text = text.trim();
    let number = text.trim_start_matches('#').parse::<u8>().ok();
    let is_called = |name: &str| name.eq_ignore_ascii_case(text);
    all()
        .filter(|(_, ballot)| number == Some(ballot.number) || ballot.name.is_some_and(is_called))
        .collect()
}

/// The ballot of the first three moves of a game as they are written in the list.
pub fn of_moves<'m>(row: &'static Variant, moves: impl Iterator<Item = &'m str>) -> Option<Ballot> {
    let moves: Vec<&str> = moves.take(3).collect();
    ballots(row)
        .into_iter()
        .find(|ballot| ballot.moves == moves[..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ballots_are_found_by_number_name_and_moves() {
        let [(english, ballot)] = named("white doctor")[..] else {
            panic!("one of that name");
        };
        assert_eq!((english.name, ballot.number), ("english", 68));
        assert_eq!(named("#68")[0].1.name, Some("White Doctor"));
        assert_eq!(named("octopus").len(), 2);
        assert!(named("175").is_empty() && named("").is_empty());
        let moves = ["10-14", "22-18", "12-16", "24-20"];
        let found = of_moves(english, moves.into_iter()).map(|b| b.number);
        assert_eq!(found, Some(68));
        assert_eq!(of_moves(english, ["11-15"].into_iter()), None);
        assert_eq!(of_moves(&ALL[0], moves.into_iter()), None);
    }
}
