//! FEN, X-FEN, Shredder-FEN and EPD: a reader that takes what archives hold,
//! and a writer that knows one spelling. See `docs/reading-fen.md`.

mod extras;
mod fields;
mod quick;
#[cfg(test)]
mod tests;
mod write;

use std::num::NonZeroU32;

use crate::games::chess::basics::{
    Bitboard, CastlingMode, Chess, Color, FromSetup as _, Piece, Rank, Role, Setup, Square,
};
use shakmaty::{PositionError, PositionErrorKinds};

pub use extras::{Extras, write_variant};
pub(in crate::modules::games::chess) use fields::castling_rooks;
pub use write::{Castling, EnPassant, FenStyle, key4, write, write_with};

use crate::base::diagnostic::Code;
pub use crate::games::notation::fen::FenError;
use crate::games::notation::{
    clip, epd,
    fen::{self, Tokens},
};

/// Which fields a FEN had. A search does not ask for what is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools)] // four independent facts
pub struct Fields {
    /// Side to move.
    pub turn: bool,
    /// Castling rights.
    pub castling: bool,
    /// En passant square.
    pub ep: bool,
    /// Halfmove clock and move number (at least the first of them).
    pub counters: bool,
}

impl Fields {
    /// Every field present.
    pub const ALL: Self = Self {
        turn: true,
        castling: true,
        ep: true,
        counters: true,
    };
}

/// A FEN as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessFenReading {
    /// The position. Castling rights are resolved rook squares; the en passant
    /// square is set only where a capture is legal. Absent fields have the
    /// values of `w - - 0 1`.
    pub setup: Setup,
    /// The square that the en passant field names, if a double step can have left
    /// it: whether or not a capture there is legal.
    pub double_step: Option<Square>,
    /// Which fields were present.
    pub fields: Fields,
    /// What was repaired, in the order of the fields.
    pub warnings: Vec<Code>,
    /// Text after the word `moves` of a UCI `position` command.
    pub moves: Option<String>,
    /// EPD operations, as written.
    pub operations: Option<String>,
    /// Checks that White and Black still have to give, where they are counted.
    pub checks: Option<[u8; 2]>,
}

impl ChessFenReading {
    /// Whether the castling rights are such as only Chess960 has.
    pub fn is_chess960(&self) -> bool {
        self.warnings.contains(&Code::Chess960Rights)
    }

    /// A position as if all of it had been read.
    pub const fn of(setup: Setup) -> Self {
        Self {
            setup,
            double_step: None,
            fields: Fields::ALL,
            warnings: Vec::new(),
            moves: None,
            operations: None,
            checks: None,
        }
    }
}

/// Reads a FEN, X-FEN, Shredder-FEN or EPD leniently; every repair is a
/// warning. Whether the pieces can stand so is not checked: see [`read_position`].
///
/// # Errors
///
/// [`FenError`] where a field cannot be read, or the text is empty.
pub fn read(text: &str) -> Result<ChessFenReading, FenError> {
    read_variant(text, Extras::None)
}

/// [`read`], with what a variant adds. Where nothing is said of its additions, pockets
/// are empty and all checks are still to be given.
///
/// # Errors
///
/// As [`read`].
pub fn read_variant(text: &str, extras: Extras) -> Result<ChessFenReading, FenError> {
    let quick = (extras == Extras::None).then(|| quick::read(text));
    quick
        .flatten()
        .map_or_else(|| read_leniently(text, extras), Ok)
}

fn read_leniently(text: &str, extras: Extras) -> Result<ChessFenReading, FenError> {
    let mut warnings = Vec::new();
    let text = fen::unwrap_text(text, &mut warnings);
    if text.is_empty() {
        return Err(FenError::Empty);
    }
    let mut tokens = Tokens::new(text, &mut warnings);
    let mut first = tokens.next();
    let mut prefixed = false;
    for prefix in ["position", "fen"] {
        if first.is_some_and(|word| word.eq_ignore_ascii_case(prefix)) {
            prefixed = true;
            first = tokens.next();
        }
    }
    let Some(first) = first else {
        return Err(FenError::Empty);
    };

    let mut reading = if first.eq_ignore_ascii_case("startpos") {
        start_position(&mut tokens)?
    } else {
        read_fields(first, &mut tokens, extras)?
    };
    if tokens.surplus {
        warnings.push(Code::Spaces);
    }
    if prefixed {
        warnings.push(Code::UciPrefix);
    }
    if !warnings.is_empty() {
        warnings.append(&mut reading.warnings);
        reading.warnings = warnings;
    }
    Ok(reading)
}

fn start_position(tokens: &mut Tokens<'_>) -> Result<ChessFenReading, FenError> {
    let moves = match tokens.next() {
        None => None,
        Some(word) if word.eq_ignore_ascii_case("moves") => Some(tokens.rest().to_owned()),
        Some(word) => return Err(FenError::ExtraFields { text: clip(word) }),
    };
    Ok(ChessFenReading {
        moves,
        ..ChessFenReading::of(Setup::initial())
    })
}

fn read_fields(
    first: &str,
    tokens: &mut Tokens<'_>,
    extras: Extras,
) -> Result<ChessFenReading, FenError> {
    let mut warnings = Vec::new();
    let mut fields = Fields::default();
    let mut setup = Setup::empty();
    let (mut moves, mut operations, mut double_step) = (None, None, None);
    let mut checks = extras.checks();
    let (mut clock_warnings, mut missing) = (Vec::new(), true);

    let mut placement_warnings = Vec::new();
    fields::placement(first, extras, &mut setup, &mut placement_warnings)?;

    let mut number = 1;
    loop {
        let before = tokens.at;
        let Some(word) = tokens.next() else { break };
        if let Some(found) = extras.counted(word) {
            checks = Some(found);
            continue;
        }
        number += 1;
        if word.eq_ignore_ascii_case("moves") {
            moves = Some(tokens.rest().to_owned());
            break;
        }
        let is_late = number >= 5;
        if word.starts_with(';') || is_late && epd::looks_like_opcode(word, tokens.rest()) {
            operations = Some(tokens.text[before..].trim_matches(fen::is_blank).to_owned());
            missing = !is_late;
            break;
        }
        match number {
            2 => {
                let sides = fen::WHITE_AND_BLACK;
                let side = fen::turn(word, sides, &fen::TURN, &mut warnings)?;
                setup.turn = Color::from_white(side == 0);
                fields.turn = true;
            }
            3 => {
                fields::castling(word, &mut setup, &mut warnings)?;
                fields.castling = true;
            }
            4 => {
                double_step = fields::en_passant(word, &setup.board, setup.turn, &mut warnings)?;
                setup.ep_square = double_step
                    .filter(|&square| fields::ep_capturable(&setup.board, setup.turn, square));
                fields.ep = true;
            }
            5 => {
                setup.halfmoves = fen::halfmoves(word, &mut clock_warnings)?;
                fields.counters = true;
            }
            6 => {
                let number = fen::fullmoves(word, &mut clock_warnings)?;
                setup.fullmoves = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
                missing = false;
            }
            _ => {
                return Err(FenError::ExtraFields {
                    text: clip(&tokens.text[before..]),
                });
            }
        }
    }
    if let Some(operations) = &operations {
        fields.counters |= counters_of(operations, &mut setup);
    }
    // Warnings come in the order in which the rules name the repairs, not in that of finding them.
    clock_warnings.sort_unstable();
    clock_warnings.dedup();
    if missing {
        placement_warnings.insert(0, Code::MissingFields);
    }
    if !placement_warnings.is_empty() || !clock_warnings.is_empty() {
        placement_warnings.append(&mut warnings);
        placement_warnings.append(&mut clock_warnings);
        warnings = placement_warnings;
    }
    Ok(ChessFenReading {
        setup,
        double_step,
        fields,
        warnings,
        moves,
        operations,
        checks,
    })
}

/// Reads a FEN and sets up the position. Chess960 castling is switched on
/// where the rights need it. Too many pieces and checks that play cannot bring
/// about are warnings.
///
/// # Errors
///
/// What [`read`] refuses; a side without exactly one king, a pawn on the first
/// or last rank, the side not to move in check.
pub fn read_position(text: &str) -> Result<(Chess, ChessFenReading), FenError> {
    let mut reading = read(text)?;
    let position = set_up(&reading.setup, &mut reading.warnings)?;
    Ok((position, reading))
}

/// Sets up a position read before; warnings of the legality step are added.
///
/// # Errors
///
/// As the legality step of [`read_position`].
pub fn set_up(setup: &Setup, warnings: &mut Vec<Code>) -> Result<Chess, FenError> {
    let board = &setup.board;
    let kings = |color| (board.kings() & board.by_color(color)).count();
    let (white, black) = (kings(Color::White), kings(Color::Black));
    if (white, black) != (1, 1) {
        return Err(FenError::kings(white, black));
    }
    if let Some(square) = (board.pawns() & Bitboard::BACKRANKS).first() {
        let text =
            format!("a pawn stands on {square}; no pawn can stand on the first or last rank");
        return Err(FenError::impossible("pawn-backrank", text));
    }
    let attackers = |side: Color| {
        board.king_of(side).map_or(Bitboard::EMPTY, |king| {
            board.attacks_to(king, !side, board.occupied())
        })
    };
    if attackers(!setup.turn).any() {
        return Err(opposite_check(!setup.turn));
    }
    let pawns = |color| {
        board
            .by_piece(Piece {
                color,
                role: Role::Pawn,
            })
            .count()
    };
    if Color::ALL.into_iter().any(|color| pawns(color) > 8) {
        warnings.push(Code::TooManyPawns);
    }
    if Color::ALL
        .into_iter()
        .any(|color| board.by_color(color).count() > 16)
    {
        warnings.push(Code::TooManyPieces);
    }
    guard_move_list(setup)?;
    let checkers = attackers(setup.turn).count();
    if checkers > 2 {
        warnings.push(Code::TooManyCheckers);
    }

    let mode = CastlingMode::detect(setup);
    match Chess::from_setup(setup.clone(), mode) {
        Ok(position) => Ok(position),
        Err(error) => {
            if error.kinds().contains(PositionErrorKinds::IMPOSSIBLE_CHECK) && checkers <= 2 {
                warnings.push(Code::ImpossibleCheck);
            }
            ignore_the_rest(error).map_err(|error| legality_error(setup, &error))
        }
    }
}

#[allow(clippy::result_large_err)] // the library's own type, used once
fn ignore_the_rest(error: PositionError<Chess>) -> Result<Chess, PositionError<Chess>> {
    error
        .ignore_too_much_material()
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
}

fn opposite_check(side: Color) -> FenError {
    let text = format!("the {side} king is in check, but the other side is to move");
    FenError::impossible("opposite-check", text)
}

/// Our own checks come first, so this is for what they might have missed.
fn legality_error(setup: &Setup, error: &PositionError<Chess>) -> FenError {
    if error.kinds().contains(PositionErrorKinds::OPPOSITE_CHECK) {
        opposite_check(!setup.turn)
    } else {
        FenError::kings(0, 0)
    }
}

/// The move generator's list has a fixed size, which is enough for any board with one
/// king of each side; should one have more, it must be refused before the list overflows.
fn guard_move_list(setup: &Setup) -> Result<(), FenError> {
    // `shakmaty::MoveList` with its variants: 270 and all drops.
    const MOVES_MAX: usize = 450;
    let us = setup.board.by_color(setup.turn);
    let mut bound = 2;
    for square in us {
        let targets = (setup.board.attacks_from(square) & !us).count();
        let promoting = setup.turn.fold_wb(Rank::Seventh, Rank::Second);
        bound += match (
            setup.board.pawns().contains(square),
            square.rank() == promoting,
        ) {
            (true, true) => 12, // three targets, four pieces
            (true, false) => 4,
            _ => targets,
        };
    }
    if bound > MOVES_MAX {
        let text = format!("the position has more moves than can be handled ({MOVES_MAX} at most)");
        Err(FenError::impossible("too-many-moves", text))
    } else {
        Ok(())
    }
}

/// Feeds `hmvc` and `fmvn` into the counters; `true` if one was there.
fn counters_of(operations: &str, setup: &mut Setup) -> bool {
    let [halfmoves, fullmoves] = epd::counters(operations);
    if let Some(number) = halfmoves {
        setup.halfmoves = number;
    }
    if let Some(number) = fullmoves {
        setup.fullmoves = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
    }
    halfmoves.is_some() || fullmoves.is_some()
}
