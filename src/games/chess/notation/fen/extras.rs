//! What variants on the board of chess add to a FEN: men in hand and promoted men
//! (Crazyhouse), checks still to be given (three-check). A6 of the notation rules.
//!
//! The rest of the field is read by the reader of chess, so that every leniency it
//! has holds here as well.

use std::fmt::Write as _;

use crate::games::chess::basics::{Bitboard, ByColor, ByRole, Color, Role, Setup, Square};

use super::{FenError, FenReading, key4, read};
use crate::games::notation::clip;

/// What a variant adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extras {
    /// Men in hand, `[QRp]`, and promoted men, `Q~`.
    Pockets,
    /// So many checks win; how many each side still has to give.
    Checks(u8),
}

/// A FEN with what its variant adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantFen {
    /// The FEN; men in hand and promoted men are in its setup.
    pub reading: FenReading,
    /// Checks that White and Black still have to give.
    pub checks: Option<[u8; 2]>,
}

/// The order of men in hand.
const IN_HAND: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// Reads a FEN of such a variant. Where nothing is said of its additions, pockets
/// are empty and all checks are still to be given.
///
/// # Errors
///
/// [`FenError`], as for chess.
pub fn read_variant(text: &str, extras: Extras) -> Result<VariantFen, FenError> {
    match extras {
        Extras::Pockets => with_pockets(text.trim()),
        Extras::Checks(all) => with_checks(text, all),
    }
}

/// Writes the one spelling of a FEN with additions: `[QRp]` glued to the men, White
/// before Black, queens first; checks still to be given before the counters.
pub fn write_variant(fen: &VariantFen) -> String {
    let setup = &fen.reading.setup;
    let key = key4(setup);
    let (placement, rest) = key.split_once(' ').unwrap_or((&key, ""));
    let mut out = mark_promoted(placement, setup);
    if let Some(pockets) = &setup.pockets {
        out.push('[');
        for color in Color::ALL {
            for role in IN_HAND {
                let letter = role.of(color).char();
                let count = pockets[color][role];
                out.extend((0..count).map(|_| letter));
            }
        }
        out.push(']');
    }
    let _ = write!(out, " {rest}");
    if let Some([white, black]) = fen.checks {
        let _ = write!(out, " {white}+{black}");
    }
    let _ = write!(out, " {} {}", setup.halfmoves, setup.fullmoves);
    out
}

fn with_pockets(text: &str) -> Result<VariantFen, FenError> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    // `[Qp]` behind the men, or a ninth rank as lichess writes it.
    let (men, in_hand) = if let Some((men, pocket)) = first.split_once('[') {
        (men, pocket.trim_end_matches(']'))
    } else if first.matches('/').count() == 8 {
        first.rsplit_once('/').unwrap_or((first, ""))
    } else {
        (first, "")
    };
    let mut pockets = ByColor::<ByRole<u8>>::default();
    for c in in_hand.chars().filter(|&c| c != '-') {
        let role = Role::from_char(c).filter(|&role| role != Role::King);
        let Some(role) = role else {
            return Err(FenError::Pocket {
                text: clip(in_hand),
            });
        };
        let count = &mut pockets[Color::from_white(c.is_ascii_uppercase())][role];
        *count = count.saturating_add(1);
    }
    let mut reading = read(&format!("{}{rest}", men.replace('~', "")))?;
    reading.setup.promoted = promoted(men) & reading.setup.board.occupied();
    reading.setup.pockets = Some(pockets);
    Ok(VariantFen {
        reading,
        checks: None,
    })
}

/// The squares of men with a `~` behind them.
fn promoted(men: &str) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for (rank, line) in (0_u32..8).rev().zip(men.split('/')) {
        let mut file = 0_u32;
        for c in line.chars() {
            match c.to_digit(10) {
                Some(empty) => file += empty,
                None if c == '~' && (1..=8).contains(&file) => {
                    found.add(Square::new(rank * 8 + file - 1));
                }
                None if c == '~' => {}
                None => file += 1,
            }
        }
    }
    found
}

/// Puts a `~` behind promoted men.
fn mark_promoted(placement: &str, setup: &Setup) -> String {
    let mut out = String::with_capacity(placement.len() + 8);
    for (rank, line) in (0_u32..8).rev().zip(placement.split('/')) {
        if rank < 7 {
            out.push('/');
        }
        let mut file = 0_u32;
        for c in line.chars() {
            out.push(c);
            if let Some(empty) = c.to_digit(10) {
                file += empty;
                continue;
            }
            if file < 8 && setup.promoted.contains(Square::new(rank * 8 + file)) {
                out.push('~');
            }
            file += 1;
        }
    }
    out
}

fn with_checks(text: &str, all: u8) -> Result<VariantFen, FenError> {
    let mut checks = None;
    let kept: Vec<&str> = text
        .split_whitespace()
        .filter(|word| match counted(word, all) {
            Some(found) => {
                checks = Some(found);
                false
            }
            None => true,
        })
        .collect();
    Ok(VariantFen {
        reading: read(&kept.join(" "))?,
        checks: Some(checks.unwrap_or([all; 2])),
    })
}

/// `2+3`: still to be given; `+1+0`, of lichess: already given.
fn counted(word: &str, all: u8) -> Option<[u8; 2]> {
    let (given, word) = match word.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let (white, black) = word.split_once('+')?;
    let number = |text: &str| text.parse::<u8>().ok().filter(|&n| n <= all);
    let found = [number(white)?, number(black)?];
    Some(if given { found.map(|n| all - n) } else { found })
}
