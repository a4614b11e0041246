//! FEN in and out.

use super::{letter, role};
use crate::{
    base::diagnostic::Code,
    games::{
        capablanca::{
            rows::Compound,
            rules::{
                Position, Setup, SetupError,
                man::{self, ARCHBISHOP, CHANCELLOR, KING, NONE, ROOK},
            },
        },
        chess::notation::fen::Fields,
        notation::{
            clip,
            grid_fen::{self, GridFenError},
        },
    },
};

/// A FEN as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The position; absent fields have the values of `w - - 0 1`.
    pub position: Position,
    /// Which fields were present.
    pub fields: Fields,
    /// What was repaired.
    pub warnings: Vec<Code>,
}

/// Reads a FEN leniently; every repair is a warning.
///
/// ```
/// use plydex::games::capablanca::{notation::fen, rows::Compound};
/// let gothic = Compound::by_name("gothic").unwrap();
/// let text = "rnbqckabnr/pppppppppp/55/91/19/10/PPPPPPPPPP/RNBQCKABNR w JAja -";
/// let read = fen::read(gothic, text).unwrap();
/// assert_eq!(fen::write(gothic, &read.position), gothic.start_fen);
/// ```
///
/// # Errors
///
/// [`GridFenError`] where a field cannot be read or the men cannot stand so.
pub fn read(variant: &'static Compound, text: &str) -> Result<Reading, GridFenError> {
    let mut warnings = Vec::new();
    let words = grid_fen::words(text, &mut warnings);
    let (&first, rest) = words.split_first().ok_or(GridFenError::Empty)?;
    if rest.len() < 5 {
        warnings.push(Code::MissingFields);
    }
    let fields = Fields {
        turn: !rest.is_empty(),
        castling: rest.len() > 1,
        ep: rest.len() > 2,
        counters: rest.len() > 3,
    };
    let grid = variant.facts.board.grid();
    let mut setup = Setup::default();
    let placed = pocket(variant, first, &mut setup)?;
    let put = |file, rank, c: char| {
        let Some(role) = role(variant, c).filter(|_| c.is_ascii_alphabetic()) else {
            return false;
        };
        let man = man::of(u8::from(c.is_ascii_lowercase()), role);
        setup.men[usize::from(grid.at(file, rank))] = man;
        true
    };
    grid_fen::placement(placed, grid.files, grid.ranks, &mut warnings, put)?;
    if let Some(word) = rest.first() {
        setup.turn = grid_fen::turn(word, &mut warnings)?;
    }
    let mut is_void = false;
    if let Some(word) = rest.get(1) {
        is_void = castling(variant, word, &mut setup, &mut warnings)?;
    }
    if let Some(word) = rest.get(2).filter(|word| !grid_fen::is_dash(word)) {
        setup.passed = Some(square(variant, word)?);
    }
    setup.counters = grid_fen::counters(rest.get(3..).unwrap_or_default(), &mut warnings)?;
    let (position, dropped) = Position::set_up(&variant.facts, &setup).map_err(impossible)?;
    for (happened, code) in [
        (dropped.castling || is_void, Code::CastlingDropped),
        (dropped.passed, Code::EpInvalid),
        (dropped.not_capturable, Code::EpNotCapturable),
    ] {
        if happened {
            warnings.push(code);
        }
    }
    Ok(Reading {
        position,
        fields,
        warnings,
    })
}

fn impossible(error: SetupError) -> GridFenError {
    let word = match error {
        SetupError::Kings(..) => "kings",
        SetupError::PawnOnEdge => "pawn-backrank",
        SetupError::OppositeCheck => "opposite-check",
    };
    let text = error.to_string();
    GridFenError::Impossible { word, text }
}

/// Reads the reserve off the end of the placement.
fn pocket<'t>(
    variant: &Compound,
    text: &'t str,
    setup: &mut Setup,
) -> Result<&'t str, GridFenError> {
    let Some(open) = text.find('[') else {
        return Ok(text);
    };
    let (placed, pocket) = text.split_at(open);
    let men = pocket[1..].strip_suffix(']').unwrap_or("?");
    for c in men.chars().filter(|&c| c != '-') {
        match role(variant, c) {
            Some(role @ (ARCHBISHOP | CHANCELLOR)) if variant.facts.gates => {
                setup.reserve[usize::from(c.is_ascii_lowercase())].push(role);
            }
            _ => {
                let text = clip(pocket);
                return Err(GridFenError::Pocket { text });
            }
        }
    }
    Ok(placed)
}

/// Reads castling rights as rook squares, or gates; whether some have no rook.
fn castling(
    variant: &Compound,
    text: &str,
    setup: &mut Setup,
    warnings: &mut Vec<Code>,
) -> Result<bool, GridFenError> {
    if grid_fen::is_dash(text) {
        return Ok(false);
    }
    let grid = variant.facts.board.grid();
    let mut is_void = false;
    for c in text.chars() {
        let side = u8::from(c.is_ascii_lowercase());
        let rank = if side == 0 { 0 } else { grid.ranks - 1 };
        let at = |file| setup.men[usize::from(grid.at(file, rank))];
        let rooks = || (0..grid.files).filter(|&file| at(file) == man::of(side, ROOK));
        let king = (0..grid.files).find(|&file| at(file) == man::of(side, KING));
        let named = (c.to_ascii_lowercase() as u32).wrapping_sub(u32::from(b'a'));
        let file = match c {
            'K' | 'k' => rooks().next_back().filter(|&file| Some(file) > king),
            'Q' | 'q' => rooks().next().filter(|&file| Some(file) < king),
            _ if named < u32::from(grid.files) => {
                if variant.facts.gates {
                    setup.gates[usize::from(side)] |= 1 << named;
                    continue;
                }
                Some(named as u8)
            }
            _ => return Err(GridFenError::field("castling field", "castling", text)),
        };
        let Some(file) = file else {
            is_void = true;
            continue;
        };
        let rook = grid.at(file, rank);
        let known = &mut setup.rooks[usize::from(side)];
        if known.contains(&rook) {
            warnings.push(Code::CastlingDuplicate);
        } else {
            known.push(rook);
        }
    }
    Ok(is_void)
}

fn square(variant: &Compound, text: &str) -> Result<u8, GridFenError> {
    let grid = variant.facts.board.grid();
    let lower = text.to_ascii_lowercase();
    if let &[file, rank] = lower.as_bytes() {
        let square = grid.at(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        if square != crate::games::grid::OFF {
            return Ok(square);
        }
    }
    Err(GridFenError::field("en passant square", "ep", text))
}

/// The position as FEN, castling in the spelling of X-FEN.
pub fn write(variant: &Compound, position: &Position) -> String {
    assemble(variant, position, false)
}

/// The position as Shredder-FEN: castling by the files of the rooks.
pub fn write_shredder(variant: &Compound, position: &Position) -> String {
    assemble(variant, position, true)
}

fn assemble(variant: &Compound, position: &Position, by_file: bool) -> String {
    let grid = variant.facts.board.grid();
    let mut out = grid_fen::write_placement(grid.files, grid.ranks, |file, rank| {
        let man = position.at(grid.at(file, rank));
        (man != NONE).then(|| cased(letter(variant, man::role(man)), man::side(man)))
    });
    if variant.facts.gates {
        out.push('[');
        for side in 0..2 {
            for role in [ARCHBISHOP, CHANCELLOR] {
                if position.has_in_reserve(side, role) {
                    out.push(cased(letter(variant, role), side));
                }
            }
        }
        out.push(']');
    }
    out.push_str(if position.turn() == 0 { " w " } else { " b " });
    let rights = out.len();
    for side in 0..2 {
        push_rights(variant, position, side, by_file, &mut out);
    }
    if out.len() == rights {
        out.push('-');
    }
    out.push(' ');
    match position.en_passant() {
        Some(square) => super::write::push_square(variant, square, &mut out),
        None => out.push('-'),
    }
    let (halfmoves, fullmoves) = position.counters();
    out + &format!(" {halfmoves} {fullmoves}")
}

const fn cased(letter: char, side: u8) -> char {
    if side == 0 {
        letter
    } else {
        letter.to_ascii_lowercase()
    }
}

fn push_rights(variant: &Compound, position: &Position, side: u8, by_file: bool, out: &mut String) {
    let grid = variant.facts.board.grid();
    let rank = if side == 0 { 0 } else { grid.ranks - 1 };
    let mut gates = position.gates(side);
    let is_rook = |file: &u8| position.at(grid.at(*file, rank)) == man::of(side, ROOK);
    for (wing, word) in ['K', 'Q'].into_iter().enumerate() {
        let Some(rook) = position.castling_rook(side, wing) else {
            continue;
        };
        let file = grid.file(rook);
        let outermost = if wing == 0 {
            (0..grid.files).rfind(is_rook)
        } else {
            (0..grid.files).find(is_rook)
        };
        let by_word = variant.facts.gates || !by_file && outermost == Some(file);
        let letter = if by_word {
            word
        } else {
            char::from(b'A' + file)
        };
        out.push(cased(letter, side));
        if let (true, Some(king)) = (gates != 0, position.king(side)) {
            gates &= !(1 << file | 1 << grid.file(king));
        }
    }
    for file in (0..8).filter(|file| gates >> file & 1 == 1) {
        out.push(cased(char::from(b'A' + file), side));
    }
}
