//! Boards of Othello drawn in a text.

use super::fen;
use crate::games::{AsciiBoard, AsciiPosition, ReadConfidence, othello::rules::OthelloPosition};

/// The discs of Black and of White.
const DISCS: [&str; 2] = ["Xx*@Bb●⚫", "OoWw○◯⚪"];

/// The squares in the middle, which have discs from the first move on.
const MIDDLE: [(usize, usize); 4] = [(3, 3), (3, 4), (4, 3), (4, 4)];

/// The position that a drawing is, as its numbers and letters say or else with the first rank on
/// top; `None` if it is none.
pub(in crate::modules::games::othello) fn read(drawing: &AsciiBoard) -> Option<AsciiPosition> {
    let mut ranks = drawing.ranks.clone();
    if ranks.len() != 8 || ranks[0].len() != 8 {
        return None;
    }
    if !drawing.has_numbers(|rank| [rank as u32 + 1; 2]) {
        if !drawing.has_numbers(|rank| [8 - rank as u32; 2]) {
            return None;
        }
        ranks.reverse();
    }
    if drawing.is_reversed == Some(true) {
        for rank in &mut ranks {
            rank.reverse();
        }
    }
    // Small letters beside capitals are something else: men and kings.
    let signs = || ranks.iter().flatten();
    let has_both = |letter: &char| signs().any(|sign| *sign == letter.to_ascii_lowercase());
    if signs().any(|sign| sign.is_ascii_uppercase() && has_both(sign)) {
        return None;
    }
    let mut discs = [0_u64; 2];
    for (at, &sign) in signs()
        .enumerate()
        .filter(|(_, sign)| !AsciiBoard::is_empty(**sign))
    {
        let side = DISCS.iter().position(|discs| discs.contains(sign))?;
        discs[side] |= 1 << at;
    }
    let is_taken =
        |&(rank, file): &(usize, usize)| (discs[0] | discs[1]) >> (rank * 8 + file) & 1 == 1;
    MIDDLE.iter().all(is_taken).then(|| {
        let written = fen::write(&OthelloPosition::new(discs[0], discs[1], 0));
        let board = written.split(' ').next().unwrap_or_default();
        AsciiPosition {
            fen: board.to_owned(),
            fit: ReadConfidence::Own,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, numbers: impl Fn(u32) -> Option<u32>) -> Option<String> {
        let drawing = AsciiBoard {
            ranks: text.lines().map(|line| line.chars().collect()).collect(),
            numbers: (0..8).map(|rank| [numbers(rank); 2]).collect(),
            is_reversed: None,
        };
        read(&drawing).map(|found| found.fen)
    }

    #[test]
    fn discs_are_read_in_their_letters() {
        let empty = "........\n".repeat(3);
        for (black, white) in [("X", "O"), ("x", "o"), ("B", "W"), ("*", "O"), ("●", "○")] {
            let text =
                format!("{empty}..{black}{white}{black}...\n...{black}{white}{black}..\n{empty}");
            let wanted = Some("8/8/8/2XOX3/3XOX2/8/8/8".to_owned());
            assert_eq!(read_text(&text, |_| None), wanted, "{text}");
            assert_eq!(read_text(&text, |rank| Some(rank + 1)), wanted, "{text}");
            let turned = read_text(&text, |rank| Some(8 - rank));
            assert_eq!(turned.as_deref(), Some("8/8/8/3XOX2/2XOX3/8/8/8"), "{text}");
            assert_eq!(read_text(&text, |_| Some(4)), None);
        }
        for other in [
            "..xOX...\n...XO...\n",
            "........\n...OX...\n",
            "...OX...\n...XOq..\n",
        ] {
            assert_eq!(
                read_text(&format!("{empty}{other}{empty}"), |_| None),
                None,
                "{other}"
            );
        }
    }
}
