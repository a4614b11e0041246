//! The three-move ballots of English draughts: which openings may be drawn, with
//! their numbers and names.
//!
//! Numbers, moves, names and standing are those of the list of the American
//! Checker Federation as the program `CheckerBoard` has it (E. Gilbert,
//! `utility.c`, `three_move_table`). The 156 that are not barred agree with the
//! number of openings that the federation gives.

use crate::games::ballot::{Ballot, BallotStatus};

/// The name of the row whose ballots they are.
pub const ROW: &str = "english";

/// First move, second move, third moves in the order of the list; `m` after one means by mail only,
/// `b` barred.
const TABLE: &[(&str, &str, &str)] = &[
    ("9-13", "21-17", "5-9 6-9 10-14b"),
    ("9-13", "22-17", "13x22"),
    ("9-13", "22-18", "6-9 10-14m 10-15 11-15 11-16m 12-16"),
    ("9-13", "23-18", "5-9 6-9 10-14b 10-15 11-15 11-16m 12-16"),
    ("9-13", "23-19", "5-9 6-9 10-14 10-15m 11-16"),
    ("9-13", "24-19", "5-9 6-9 10-14 10-15b 11-15 11-16"),
    ("9-13", "24-20", "5-9 6-9 10-14 10-15 11-15 11-16m 12-16b"),
    ("9-14", "22-17", "5-9 6-9 11-15 11-16"),
    ("9-14", "22-18", "5-9 10-15 11-15 11-16 12-16b 14-17b"),
    ("9-14", "23-18", "14x23"),
    ("9-14", "23-19", "5-9 10-15b 11-16 14-18"),
    ("9-14", "24-19", "5-9 10-15b 11-15 11-16"),
    ("9-14", "24-20", "5-9 10-15 11-15 11-16"),
    ("10-14", "22-17", "7-10 9-13m 11-15m 11-16m 14-18"),
    ("10-14", "22-18", "6-10 7-10 11-15 11-16 12-16"),
    ("10-14", "23-18", "14x23"),
    ("10-14", "23-19", "6-10 7-10 11-15 11-16 14-18"),
    ("10-14", "24-19", "6-10 7-10 11-15b 11-16 14-18"),
    ("10-14", "24-20", "6-10 7-10 11-15 11-16 14-18"),
    ("10-15", "21-17", "6-10 7-10 9-13 9-14b 11-16 15-18"),
    ("10-15", "22-17", "6-10 7-10 9-13 9-14b 11-16 15-19"),
    ("10-15", "22-18", "15x22"),
    ("10-15", "23-18", "6-10 7-10 9-14 11-16 12-16"),
    ("10-15", "23-19", "6-10 7-10 11-16m"),
    ("10-15", "24-19", "15x24"),
    ("10-15", "24-20", "6-10 7-10 11-16b 15-19"),
    ("11-15", "21-17", "8-11 9-13 9-14 10-14b 15-19"),
    ("11-15", "22-17", "8-11 9-13 15-18 15-19"),
    ("11-15", "22-18", "15x22"),
    ("11-15", "23-18", "8-11 9-14 10-14 12-16 15-19"),
    ("11-15", "23-19", "8-11 9-13 9-14"),
    ("11-15", "24-19", "15x24"),
    ("11-15", "24-20", "8-11 12-16 15-18"),
    ("11-16", "21-17", "7-11 8-11 9-13 9-14 10-14b 16-20"),
    ("11-16", "22-17", "7-11 8-11 9-13m 16-20"),
    ("11-16", "22-18", "7-11 8-11 10-15b 16-19 16-20"),
    ("11-16", "23-18", "7-11 8-11 9-14 10-14 16-20"),
    ("11-16", "23-19", "16x23m"),
    ("11-16", "24-19", "7-11 8-11 10-15b 16-20"),
    ("11-16", "24-20", "7-11 16-19"),
    ("12-16", "21-17", "9-13 9-14 16-19 16-20"),
    ("12-16", "22-17", "16-19 16-20"),
    ("12-16", "22-18", "16-19 16-20"),
    ("12-16", "23-18", "9-14b 16-19 16-20"),
    ("12-16", "23-19", "16x23b"),
    ("12-16", "24-19", "16-20"),
    ("12-16", "24-20", "8-12 10-15m"),
];

const NAMES: &[(u8, &str)] = &[
    (5, "Dreaded Edinburgh"),
    (6, "Inferno"),
    (8, "Edinburgh Single"),
    (9, "Wilderness I"),
    (16, "Wilderness II"),
    (34, "Twilight Zone"),
    (35, "Dundee Barred"),
    (46, "Double Cross"),
    (48, "Rattlesnake"),
    (60, "Black Hole"),
    (62, "Gemini I"),
    (65, "Fraser's Inferno"),
    (68, "White Doctor"),
    (71, "Diabolical Denny"),
    (86, "Octopus"),
    (87, "Tyne"),
    (94, "Nutcracker"),
    (96, "Skull-Cracker"),
    (105, "Gemini II"),
    (133, "Octopus"),
    (137, "Shark"),
    (145, "Cheetah"),
    (153, "Black Widow"),
    (174, "Skunk"),
];

/// Every ballot, by number.
pub fn all() -> impl Iterator<Item = Ballot> {
    let moves = TABLE.iter().flat_map(|&(first, second, thirds)| {
        thirds.split(' ').map(move |third| (first, second, third))
    });
    (1_u8..).zip(moves).map(|(number, (first, second, third))| {
        let (third, standing) = match third.as_bytes().last() {
            Some(b'm') => (&third[..third.len() - 1], BallotStatus::ByMail),
            Some(b'b') => (&third[..third.len() - 1], BallotStatus::Barred),
            _ => (third, BallotStatus::Played),
        };
        let named = NAMES.iter().find(|(named, _)| *named == number);
        Ballot {
            number,
            moves: [first, second, third],
            standing,
            name: named.map(|(_, name)| *name),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_its_numbers() {
        let all: Vec<Ballot> = all().collect();
        assert_eq!(all.len(), 174);
        let of = |standing| all.iter().filter(|b| b.standing == standing).count();
        assert_eq!(of(BallotStatus::Barred), 18);
        assert_eq!(of(BallotStatus::ByMail), 12);
        // Some numbers of the list, looked up one by one.
        for (number, moves) in [
            (1, "9-13 21-17 5-9"),
            (36, "9-14 22-17 5-9"),
            (59, "10-14 22-17 7-10"),
            (85, "10-15 21-17 6-10"),
            (111, "11-15 21-17 8-11"),
            (133, "11-16 21-17 7-11"),
            (160, "12-16 21-17 9-13"),
            (174, "12-16 24-20 10-15"),
        ] {
            assert_eq!(all[number - 1].moves.join(" "), moves);
            assert_eq!(usize::from(all[number - 1].number), number);
        }
    }
}
