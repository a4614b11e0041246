//! FEN of these games, read and written.

use shakmaty::{CastlingMode, EnPassantMode, Position as _};

use super::KinError;
use crate::{
    diagnostic::Code,
    games::{
        capablanca::rows::Compound,
        chess_variant::played::Played,
        variant::{Rules, Variant},
    },
    position::{Kin, KinPosition},
};
use crate::{
    games::{
        capablanca::notation as compound, othello::notation as othello,
        xiangqi::notation as xiangqi,
    },
    notation::{
        clip,
        fen::{self, Extras, FenReading, Fields, VariantFen},
    },
};

/// A FEN as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The position.
    pub at: Kin,
    /// Which fields were present.
    pub fields: Fields,
    /// What was repaired.
    pub warnings: Vec<Code>,
}

/// The usual start of a game; `None` where it has none or is not of this kind.
pub fn start(variant: &'static Variant) -> Option<Kin> {
    read_fen(variant, variant.start_fen?)
        .ok()
        .map(|read| read.at)
}

/// Reads a FEN of a game as leniently as one of chess; castling may be that of
/// Chess960.
///
/// # Errors
///
/// [`KinError`].
pub fn read_fen(variant: &'static Variant, text: &str) -> Result<Reading, KinError> {
    let wrong = |error| KinError::Grid(clip(text.trim()), variant.title, error);
    let (position, fields, warnings) = match variant.rules {
        Rules::Kin(kin) => {
            let (position, fields, warnings) = chess_fen(kin, text.trim())?;
            (KinPosition::Shakmaty(position), fields, warnings)
        }
        Rules::Compound(row) => {
            let read = compound::fen::read(row, text).map_err(wrong)?;
            let position = KinPosition::Compound(row, read.position);
            (position, read.fields, read.warnings)
        }
        Rules::Xiangqi => {
            let read = xiangqi::fen::read(text).map_err(wrong)?;
            let position = KinPosition::Xiangqi(read.position);
            (position, read.fields, read.warnings)
        }
        Rules::Othello => {
            let read = othello::fen::read(text).map_err(wrong)?;
            let fields = Fields {
                turn: read.has_turn,
                ..Fields::default()
            };
            (KinPosition::Othello(read.position), fields, read.warnings)
        }
        Rules::Chess | Rules::Draughts(_) | Rules::None => {
            return Err(KinError::NoRules);
        }
    };
    Ok(Reading {
        at: Kin { variant, position },
        fields,
        warnings,
    })
}

fn chess_fen(
    kin: crate::games::variant::Kin,
    text: &str,
) -> Result<(Played, Fields, Vec<Code>), KinError> {
    let read = match extras(kin) {
        Some(extras) => fen::read_variant(text, extras),
        None => fen::read(text).map(|reading| VariantFen {
            reading,
            checks: None,
        }),
    };
    let VariantFen { reading, checks } = read.map_err(|error| KinError::Fen(clip(text), error))?;
    let wrong = |why: String| KinError::Position(clip(text), why);
    if checks == Some([0; 2]) {
        return Err(wrong("both sides have given their last check".to_owned()));
    }
    let mode = CastlingMode::detect(&reading.setup);
    let position = Played::set_up(kin, reading.setup, mode)
        .map_err(wrong)?
        .with_checks_left(checks.unwrap_or_default());
    Ok((position, reading.fields, reading.warnings))
}

/// The game that the board of a FEN belongs to, where its size or its men tell:
/// xiangqi, Othello, or one with ten files (all of which share their positions).
pub fn guess(text: &str) -> Option<&'static Variant> {
    let placement = text.trim_start_matches(['"', ' ', '\t']);
    let placement = placement.split([' ', '_', '[', '"']).next()?;
    let ranks: Vec<&str> = placement.trim_end_matches('/').split('/').collect();
    let by_name = Variant::by_name;
    match ranks.len() {
        10 => {
            let xiangqi = by_name("xiangqi")?;
            read_fen(xiangqi, placement).ok().map(|_| xiangqi)
        }
        8 if ranks.iter().all(|rank| !rank.is_empty())
            && placement.contains(['X', 'x', 'O', 'o', '*'])
            && othello::fen::read(placement).is_ok() =>
        {
            by_name("othello")
        }
        8 => {
            let is_start = |row: &&Compound| row.start_fen.starts_with(placement);
            let row = crate::games::capablanca::rows::ALL.iter().find(is_start);
            let letter = |c: char| {
                ranks
                    .iter()
                    .any(|rank| rank.contains([c, c.to_ascii_lowercase()]))
            };
            let usual = if letter('J') { "janus" } else { "capablanca" };
            let variant = by_name(row.map_or(usual, |row| row.name))?;
            let is_ten = variant.files == 10 && read_fen(variant, placement).is_ok();
            is_ten.then_some(variant)
        }
        _ => None,
    }
}

/// What a variant adds to a FEN.
const fn extras(kin: crate::games::variant::Kin) -> Option<Extras> {
    use crate::games::variant::Kin;
    match kin {
        Kin::Crazyhouse => Some(Extras::Pockets),
        Kin::Checks(all) => Some(Extras::Checks(all)),
        _ => None,
    }
}

/// The position in FEN, as its game has it.
pub fn write_fen(position: &KinPosition) -> String {
    match position {
        KinPosition::Shakmaty(position) => fen_of_chess(position),
        KinPosition::Compound(row, position) => compound::fen::write(row, position),
        KinPosition::Xiangqi(position) => xiangqi::fen::write(position),
        KinPosition::Othello(position) => othello::fen::write(position),
    }
}

/// FEN by shakmaty's rules; men in hand in the order of their worth, White's first.
fn fen_of_chess(position: &Played) -> String {
    let mut reading = FenReading::of(position.to_setup(EnPassantMode::Legal));
    reading.setup.promoted &= reading.setup.board.occupied();
    let checks = position.checks_left();
    fen::write_variant(&VariantFen { reading, checks })
}
