//! Text of positions, moves and tag values; asks the rules, never moves a piece itself.

pub mod epd;
pub mod fen;
pub mod forsyth;
pub mod letters;
pub mod move_error;
pub mod piece_list;
pub mod problem;

/// Whether a character is a dash as people type or typeset it.
pub(crate) const fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FF0D}'
    )
}

/// Cuts text for a message: the first characters, control characters made
/// harmless, an ellipsis where something was left out.
pub(crate) fn clip(text: &str) -> String {
    const SHOWN_CHARS: usize = 40;
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == SHOWN_CHARS {
            out.push('…');
            break;
        }
        out.push(if c.is_control() { '\u{FFFD}' } else { c });
    }
    out
}

/// Where a line of moves stands, for a message: "after 1.e4 c5", the last ones of a
/// long line; `at_start` says where it stands without any.
pub(crate) fn so_far(score: &[String], at_start: impl FnOnce() -> String) -> String {
    const SHOWN_PLIES: usize = 10;
    match score.len() {
        0 => at_start(),
        plies if plies > SHOWN_PLIES => {
            format!("after … {}", score[plies - SHOWN_PLIES..].join(" "))
        }
        _ => format!("after {}", score.join(" ")),
    }
}
