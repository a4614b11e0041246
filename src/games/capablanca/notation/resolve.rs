//! Which legal move a text means.
//!
//! Texts are taken apart into what they say, and the legal moves that fit are
//! counted: the variants are rare enough for that.

use super::{MoveError, role};
use crate::games::{
    capablanca::{
        rows::Compound,
        rules::{
            Ply, Position, Way,
            man::{self, KING, PAWN},
        },
    },
    grid::OFF,
};

/// What a text says of a move.
#[derive(Debug, Clone, Copy, Default)]
struct Said {
    /// Castling, with the rook on the king's h-side (0) or a-side (1).
    castling: Option<usize>,
    role: Option<u8>,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: u8,
    /// The role of a promotion, or of what comes in.
    becomes: Option<u8>,
    /// The square on which something comes in while castling.
    gate: Option<u8>,
}

/// The legal move of a text: SAN, long forms (`e2-e4`, `Ng1-f3`) and the moves
/// of engines (`f1i1` or `f1j1` for castling), signs of check and strength
/// ignored; `--` and its like are null moves.
///
/// ```
/// use plydex::games::capablanca::{notation, rows::Compound};
/// let variant = Compound::by_name("capablanca").unwrap();
/// let mut position = notation::fen::read(variant, variant.start_fen).unwrap().position;
/// for text in ["Ci3", "i7i6", "e2-e4!"] {
///     position.play(notation::resolve(variant, &position, text).unwrap());
/// }
/// assert_eq!(position.turn(), 1);
/// ```
///
/// # Errors
///
/// [`MoveError`].
pub fn resolve(variant: &Compound, position: &Position, text: &str) -> Result<Ply, MoveError> {
    let text = text.trim_end_matches(['+', '#', '!', '?', '‼', '⁇', '⁉', '⁈']);
    let text = text
        .strip_suffix("e.p.")
        .or_else(|| text.strip_suffix("ep"))
        .unwrap_or(text)
        .trim_end();
    if matches!(text, "--" | "Z0" | "null" | "pass" | "@@@@" | "0000") {
        return if position.is_check() {
            Err(MoveError::Illegal)
        } else {
            Ok(Ply::NULL)
        };
    }
    let said = castling(variant, text)
        .or_else(|| coordinates(variant, position, text))
        .or_else(|| san(variant, text))
        .ok_or(MoveError::Unreadable)?;
    match find(position, &said) {
        Err(MoveError::Illegal) if text.starts_with('b') => {
            // A bishop in lower case, if no pawn of the b-file can do it.
            let said = san(variant, &text.replacen('b', "B", 1)).ok_or(MoveError::Illegal)?;
            find(position, &said)
        }
        found => found,
    }
}

fn find(position: &Position, said: &Said) -> Result<Ply, MoveError> {
    let mut found = None;
    for ply in position.legal() {
        if fits(position, ply, said) {
            if found.is_some() {
                return Err(MoveError::Ambiguous);
            }
            found = Some(ply);
        }
    }
    found.ok_or(MoveError::Illegal)
}

fn fits(position: &Position, ply: Ply, said: &Said) -> bool {
    let grid = position.board().grid();
    if let Some(wing) = said.castling {
        let gate_fits = match ply.way {
            Way::CastlingGating { at_rook, .. } => said
                .gate
                .is_none_or(|gate| gate == if at_rook { ply.to } else { ply.from }),
            _ => true,
        };
        return ply.way.is_castling()
            && usize::from(ply.to < ply.from) == wing
            && ply.way.gated() == said.becomes
            && gate_fits;
    }
    if ply.way.is_castling() {
        return false;
    }
    let becomes = match ply.way {
        Way::Promotion(role) | Way::Gating(role) => Some(role),
        _ => None,
    };
    ply.to == said.to
        && becomes == said.becomes
        && said
            .role
            .is_none_or(|role| role == man::role(position.at(ply.from)))
        && said
            .from_file
            .is_none_or(|file| file == grid.file(ply.from))
        && said
            .from_rank
            .is_none_or(|rank| rank == grid.rank(ply.from))
}

/// Reads castling in any of its letters, with what comes in: `0-0`, `O-O-O/Ha1`.
fn castling(variant: &Compound, text: &str) -> Option<Said> {
    let (text, gate) = match text.split_once('/') {
        Some((text, gate)) => (text, Some(gate)),
        None => (text, None),
    };
    let is_o = |c| matches!(c, 'O' | '0' | 'o' | 'Ο' | 'О' | 'о');
    let is_dash = |c| matches!(c, '-' | '–' | '—' | '−' | '‐' | '‑');
    if !text.chars().all(|c| is_o(c) || is_dash(c)) {
        return None;
    }
    let wing = match text.chars().filter(|&c| is_o(c)).count() {
        2 => 0,
        3 => 1,
        _ => return None,
    };
    let mut said = Said {
        castling: Some(wing),
        ..Said::default()
    };
    if let Some(gate) = gate {
        let mut chars = gate.chars();
        said.becomes = Some(chars.next().and_then(|c| role(variant, c))?);
        let place = chars.as_str();
        if !place.is_empty() {
            said.gate = Some(square(variant, place)?);
        }
    }
    Some(said)
}

fn square(variant: &Compound, text: &str) -> Option<u8> {
    let &[file, rank] = text.as_bytes() else {
        return None;
    };
    let square = variant
        .facts
        .board
        .grid()
        .at(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (square != OFF).then_some(square)
}

/// Reads two squares: `e2e4`, `E2E4`, `e7e8=c`, and castling by them.
fn coordinates(variant: &Compound, position: &Position, text: &str) -> Option<Said> {
    let lower = text.to_ascii_lowercase();
    let grid = variant.facts.board.grid();
    let from = square(variant, lower.get(..2)?)?;
    let rest = lower[2..].trim_start_matches(['-', 'x', ':']);
    // `A2j4` is an archbishop of the second rank, `A2J4` two squares.
    let second = text.chars().nth(lower.len() - rest.len());
    if text.starts_with(|c: char| c.is_ascii_uppercase())
        && second.is_some_and(|c| c.is_ascii_lowercase())
    {
        return None;
    }
    let to = square(variant, rest.get(..2)?)?;
    let becomes = match suffix(&rest[2..]) {
        "" => None,
        letter => Some(only(variant, letter)?),
    };
    let said = Said {
        from_file: Some(grid.file(from)),
        from_rank: Some(grid.rank(from)),
        to,
        becomes,
        ..Said::default()
    };
    let turn = position.turn();
    let king = position.king(turn)?;
    for wing in 0..2 {
        let Some(rook) = position.castling_rook(turn, wing) else {
            continue;
        };
        let by_rook = (from, to) == (king, rook) || (from, to) == (rook, king);
        let by_king = from == king
            && to == position.castled_king(king, rook)
            && man::role(position.at(from)) == KING
            && grid.file(from).abs_diff(grid.file(to)) > 1;
        if by_rook || by_king {
            let gate = (by_rook || becomes.is_some()).then_some(from);
            return Some(Said {
                castling: Some(wing),
                gate,
                ..said
            });
        }
    }
    Some(said)
}

/// What a promotion or a gate is written with, taken off: `=Q`, `/H`, `(Q)`.
fn suffix(text: &str) -> &str {
    text.trim_start_matches(['=', '/', '('])
        .trim_end_matches(')')
}

fn only(variant: &Compound, text: &str) -> Option<u8> {
    let mut chars = text.chars();
    let role = role(variant, chars.next()?)?;
    chars.as_str().is_empty().then_some(role)
}

/// Reads SAN and its long form.
fn san(variant: &Compound, text: &str) -> Option<Said> {
    let grid = variant.facts.board.grid();
    let mut said = Said::default();
    let mut rest = text;
    let first = text.chars().next()?;
    said.role = Some(PAWN);
    if first.is_ascii_uppercase() {
        said.role = Some(role(variant, first)?);
        rest = &text[1..];
    }
    // The target is the last square; what follows is a promotion or a gate.
    let is_square = |at: usize| {
        rest.is_char_boundary(at)
            && rest
                .get(at..at + 2)
                .is_some_and(|two| square(variant, two).is_some())
    };
    let at = (0..rest.len()).rev().find(|&at| is_square(at))?;
    said.to = square(variant, &rest[at..at + 2])?;
    match suffix(&rest[at + 2..]) {
        "" => {}
        letter => said.becomes = Some(only(variant, letter)?),
    }
    let before = rest[..at].trim_end_matches(['x', 'X', ':', '×', '-', '–']);
    for c in before.chars() {
        let (file, rank) = match c {
            'a'..='j' => (Some(c as u8 - b'a'), None),
            '1'..='8' => (None, Some(c as u8 - b'1')),
            _ => return None,
        };
        if file.is_some_and(|file| file >= grid.files || said.from_file.is_some())
            || rank.is_some() && said.from_rank.is_some()
        {
            return None;
        }
        said.from_file = said.from_file.or(file);
        said.from_rank = said.from_rank.or(rank);
    }
    if said.role == Some(PAWN) && said.from_file.is_none() {
        // Not a capture: a pawn comes along its own file.
        said.from_file = Some(grid.file(said.to));
    }
    Some(said)
}
