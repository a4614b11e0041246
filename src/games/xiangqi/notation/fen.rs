//! FEN in and out.

use super::{letters, role};
use crate::{
    base::diagnostic::Code,
    games::{
        chess::notation::fen::Fields,
        grid::NINE,
        notation::grid_fen::{self, GridFenError},
        xiangqi::rules::{
            Position, Setup, SetupError,
            man::{self, NONE},
        },
    },
};

/// The start of a game.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

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

/// Reads a FEN leniently; every repair is a warning, and so is a general that
/// could be taken at once. The fields of castling and
/// en passant may be left out.
///
/// ```
/// use plydex::games::xiangqi::notation::fen;
/// let read = fen::read("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r").unwrap();
/// assert_eq!(fen::write(&read.position), fen::START);
/// ```
///
/// # Errors
///
/// [`GridFenError`] where a field cannot be read or the men cannot stand so.
pub fn read(text: &str) -> Result<Reading, GridFenError> {
    let mut warnings = Vec::new();
    let words = grid_fen::words(text, &mut warnings);
    let (&first, rest) = words.split_first().ok_or(GridFenError::Empty)?;
    let mut setup = Setup {
        men: [NONE; 90],
        turn: 0,
        counters: (0, 1),
    };
    let put = |file, rank, c: char| {
        let Some(role) = role(c) else {
            return false;
        };
        let man = man::of(u8::from(c.is_ascii_lowercase()), role);
        setup.men[usize::from(NINE.at(file, rank))] = man;
        true
    };
    grid_fen::placement(first, NINE.files, NINE.ranks, &mut warnings, put)?;
    if let Some(word) = rest.first() {
        setup.turn = grid_fen::turn(word, &mut warnings)?;
    }
    let void = rest
        .iter()
        .skip(1)
        .take(2)
        .take_while(|word| grid_fen::is_dash(word))
        .count();
    let counters = rest.get(1 + void..).unwrap_or_default();
    setup.counters = grid_fen::counters(counters, &mut warnings)?;
    if rest.len() < 5 {
        warnings.push(Code::MissingFields);
    }
    let position = Position::set_up(&setup).map_err(|error| GridFenError::Impossible {
        word: match error {
            SetupError::Generals(..) | SetupError::Palace => "kings",
        },
        text: error.to_string(),
    })?;
    if position.is_in_check(position.turn() ^ 1) {
        warnings.push(Code::ImpossibleCheck);
    }
    let fields = Fields {
        turn: !rest.is_empty(),
        castling: void > 0,
        ep: void > 1,
        counters: !counters.is_empty(),
    };
    Ok(Reading {
        position,
        fields,
        warnings,
    })
}

/// The position as FEN, with the letters of most programs: N horses, B elephants.
pub fn write(position: &Position) -> String {
    let out = grid_fen::write_placement(NINE.files, NINE.ranks, |file, rank| {
        let man = position.at(NINE.at(file, rank));
        let letter = letters(man::role(man)).0;
        (man != NONE).then(|| {
            if man::side(man) == 0 {
                letter
            } else {
                letter.to_ascii_lowercase()
            }
        })
    });
    let turn = if position.turn() == 0 { 'w' } else { 'b' };
    let (halfmoves, fullmoves) = position.counters();
    out + &format!(" {turn} - - {halfmoves} {fullmoves}")
}
