//! Text of positions and moves of chess variants that shakmaty plays: FEN with men
//! in hand and checks, SAN with drops.

use shakmaty::{
    ByColor, CastlingMode, EnPassantMode, Move, Position as _, PositionError, RemainingChecks,
    san::{San, SanPlus},
    uci::UciMove,
    variant::VariantPosition,
};

use super::{
    clip,
    fen::{self, Extras, FenError, FenReading, Fields, VariantFen},
};
use crate::{
    position::{Kin, Position, shakmaty_variant},
    variant::{Rules, Variant},
};

/// Why a text is no position of a variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KinError {
    /// The variant is none of these.
    #[error("the moves of this variant are not known")]
    NoRules,
    /// It is no FEN.
    #[error("`{0}` is no FEN: {1}")]
    Fen(String, FenError),
    /// The position cannot be.
    #[error("`{0}` is a FEN of no position that can be: {1}")]
    Position(String, String),
    /// A move that is not legal.
    #[error("`{0}` is no legal move here")]
    Move(String),
}

impl KinError {
    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoRules => "`plydex variants` tells which are",
            Self::Fen(..) | Self::Position(..) => {
                "men in hand stand in brackets behind the pieces (`…/RNBQKBNR[Pp] w …`), checks left \
                 as `3+3` or checks given as `+0+1`"
            }
            Self::Move(_) => "moves are written as `e4`, `Nf3`, drops as `N@f3`",
        }
    }
}

/// Reads a FEN of a variant as leniently as one of chess; castling may be that of
/// Chess960.
///
/// # Errors
///
/// [`KinError`].
pub fn read_fen(variant: &'static Variant, text: &str) -> Result<Kin, KinError> {
    let Rules::Kin(kin) = variant.rules else {
        return Err(KinError::NoRules);
    };
    let text = text.trim();
    let read = match extras(kin) {
        Some(extras) => fen::read_variant(text, extras),
        None => fen::read(text).map(|reading| VariantFen {
            reading,
            checks: None,
        }),
    };
    let read = read.map_err(|error| KinError::Fen(clip(text), error))?;
    let mut setup = read.reading.setup;
    setup.remaining_checks = read.checks.map(|[white, black]| ByColor {
        white: RemainingChecks::new(u32::from(white)),
        black: RemainingChecks::new(u32::from(black)),
    });
    let mode = CastlingMode::detect(&setup);
    VariantPosition::from_setup(shakmaty_variant(kin), setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .map(|position| Kin { variant, position })
        .map_err(|error| KinError::Position(clip(text), error.to_string()))
}

/// What a variant adds to a FEN.
const fn extras(kin: crate::variant::Kin) -> Option<Extras> {
    use crate::variant::Kin;
    match kin {
        Kin::Crazyhouse => Some(Extras::Pockets),
        Kin::ThreeCheck => Some(Extras::Checks(3)),
        _ => None,
    }
}

/// Reads a position as people type it: `startpos`, a FEN, moves, or one of the
/// first two with moves behind it (`… moves e4 e5`). The fields tell what was given.
///
/// # Errors
///
/// [`KinError`].
pub fn read_text(variant: &'static Variant, text: &str) -> Result<(Kin, Fields), KinError> {
    let text = text.trim();
    let all = Fields {
        turn: true,
        castling: true,
        ep: true,
        ..Fields::default()
    };
    let (head, moves) = match text.split_once(" moves ") {
        Some((head, moves)) => (head.trim(), moves),
        None if text.contains('/') || text.eq_ignore_ascii_case("startpos") => (text, ""),
        None => ("startpos", text),
    };
    let (mut at, fields) = if head.eq_ignore_ascii_case("startpos") {
        let Some(Position::Kin(at)) = Position::start(variant) else {
            return Err(KinError::NoRules);
        };
        (at, all)
    } else {
        let given = head.split_whitespace().count();
        let fields = Fields {
            turn: given > 1,
            castling: given > 2,
            ep: given > 3,
            ..Fields::default()
        };
        (read_fen(variant, head)?, fields)
    };
    let numbered = |word: &str| {
        word.trim_start_matches(|c: char| c.is_ascii_digit())
            .starts_with('.')
    };
    let mut played = false;
    for word in moves.split_whitespace() {
        let word = if numbered(word) {
            word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
        } else {
            word
        };
        if word.is_empty() {
            continue;
        }
        let m = resolve(&at.position, word).ok_or_else(|| KinError::Move(clip(word)))?;
        at.position.play_unchecked(m);
        played = true;
    }
    Ok((at, if played { all } else { fields }))
}

/// A word as a move: standard notation and its usual misspellings, drops with or
/// without their letter, UCI.
pub fn resolve(position: &VariantPosition, word: &str) -> Option<Move> {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    let word = word.replace(['0', 'o'], "O");
    let spelled = if word.starts_with('O') {
        word
    } else {
        // The zeros of castling only were meant.
        word.replace('O', "0")
    };
    let spelled = spelled.trim_end_matches("e.p.").trim_end_matches("ep");
    // `@e4` drops a pawn, too.
    let with_letter;
    let spelled = if spelled.starts_with('@') {
        with_letter = format!("P{spelled}");
        with_letter.as_str()
    } else {
        spelled
    };
    if let Ok(san) = San::from_ascii(spelled.as_bytes()) {
        return san.to_move(position).ok();
    }
    // `e8Q` and `e8(Q)`: the sign is missing.
    let letters: String = spelled
        .chars()
        .filter(|c| !matches!(c, '(' | ')'))
        .collect();
    if let Some((before, role)) = letters.len().checked_sub(1).map(|at| letters.split_at(at))
        && role.chars().all(|c| "QRBNKqrbnk".contains(c))
        && let Ok(san) = San::from_ascii(format!("{before}={}", role.to_uppercase()).as_bytes())
        && let Ok(m) = san.to_move(position)
    {
        return Some(m);
    }
    let uci = UciMove::from_ascii(spelled.as_bytes()).ok()?;
    uci.to_move(position).ok()
}

/// The position in FEN; men in hand in the order of their worth, White's first.
pub fn write_fen(position: &VariantPosition) -> String {
    let setup = position.to_setup(EnPassantMode::Legal);
    let checks = setup.remaining_checks.as_ref().map(|left| {
        [left.white, left.black].map(|left| u8::try_from(u32::from(left)).unwrap_or(u8::MAX))
    });
    let mut reading = FenReading::of(setup);
    reading.setup.promoted &= reading.setup.board.occupied();
    fen::write_variant(&VariantFen { reading, checks })
}

/// A legal move in SAN.
pub fn san(position: &VariantPosition, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// A legal move in UCI.
pub fn uci(position: &VariantPosition, m: Move) -> String {
    UciMove::from_move(m, position.castles().mode()).to_string()
}
