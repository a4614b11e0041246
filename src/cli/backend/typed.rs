//! What was typed, read: positions, dates, names of variants.

use crate::cli::error::CliError;
use crate::diagnostic::Code;
use crate::games::draughts::rows::DraughtsVariant;
use crate::games::variant::{self, Rules, Variant};
use crate::games::{AnyPosition, draughts::Draughts};
use crate::notation::fen::Fields;
use crate::position::Position;
use crate::tags::date::{self, PgnDate};
use crate::{
    games::draughts::notation::typed as draughts_text,
    notation::{self, position_text},
};

/// A position as it was typed.
#[derive(Debug, Clone)]
pub struct PositionText {
    /// The position.
    pub position: AnyPosition,
    /// The fields that were given; all of them for moves and `startpos`.
    pub fields: Fields,
    /// What was read with a grain of salt.
    pub warnings: Vec<String>,
}

/// Reads a position as people type it. Of draughts, if all games that are asked for
/// are, or one of them is and it looks like that; of chess, if that is among them
/// and it can be; else of the first that is kin to it. Where no game is asked for,
/// of the one that it looks like.
pub fn read_position(text: &str, variants: &[u8]) -> Result<PositionText, CliError> {
    let asked = || variants.iter().filter_map(|&id| Variant::by_id(id));
    if let Some(unknown) = asked().next()
        && asked().all(|variant| variant.rules == Rules::None)
    {
        return Err(no_rules(unknown).hint(
            "leave out the position: its games are found by tags, and are kept as they were written",
        ));
    }
    let named = asked().find_map(Variant::draughts);
    let is_draughts = draughts_text::looks_like_draughts(text);
    if named.is_some() && (is_draughts || asked().all(|variant| variant.draughts().is_some())) {
        return read_draughts(text, named);
    }
    let guess = || notation::kin::guess(text);
    let kin = match variants {
        [] => guess(),
        _ => asked().find(|variant| variant.is_kin()),
    };
    let of_kin = |variant| {
        let (read, warnings) = read_kin(variant, text)?;
        Ok(PositionText {
            position: AnyPosition::from(&Position::Kin(read.at)),
            fields: read.fields,
            warnings,
        })
    };
    let of_chess = || {
        let (read, warnings) = read_chess(text)?;
        Ok(PositionText {
            position: AnyPosition::from(&Position::Chess(read.position)),
            fields: read.fields,
            warnings,
        })
    };
    // Games of its kin that have the same men are found, too.
    let may_be_chess = asked().any(|variant| !variant.is_kin() && variant.draughts().is_none());
    match kin {
        Some(variant) if may_be_chess => {
            of_chess().or_else(|error| of_kin(variant).map_err(|_| error))
        }
        Some(variant) => of_kin(variant),
        None if is_draughts && variants.is_empty() => read_draughts(text, None),
        None => of_chess(),
    }
}

/// That positions of a game cannot be looked for.
pub fn no_rules(variant: &Variant) -> CliError {
    let title = variant.title;
    CliError::new(format!("the rules of {title} are not known in full"))
}

/// A position of a game that is kin to chess, and what is worth a look.
pub fn read_kin(
    variant: &'static Variant,
    text: &str,
) -> Result<(notation::kin::Reading, Vec<String>), CliError> {
    let read = notation::kin::read_text(variant, text)
        .map_err(|error| CliError::from_error(&error).hint(error.hint()))?;
    let warnings = worth_a_look(&read.warnings).collect();
    Ok((read, warnings))
}

/// What is to be told of findings.
fn worth_a_look(codes: &[Code]) -> impl Iterator<Item = String> {
    let news = codes.iter().filter(|code| !is_usual(**code));
    news.map(|code| format!("{} ({code})", code.message(), code = code.as_str()))
}

/// A position of chess with all that was typed for it, and what is worth a look.
pub fn read_chess(text: &str) -> Result<(position_text::PositionText, Vec<String>), CliError> {
    let read = position_text::read(text)
        .map_err(|error| CliError::from_error(&error).hint(error.hint()))?;
    let warnings = worth_a_look(&read.warnings)
        .chain(read.told.as_ref().and_then(position_text::Told::note))
        .collect();
    Ok((read, warnings))
}

fn read_draughts(
    text: &str,
    named: Option<&'static DraughtsVariant>,
) -> Result<PositionText, CliError> {
    match draughts_text::read(text, named) {
        Ok(read) => Ok(PositionText {
            position: AnyPosition::from(Draughts {
                variant: read.variant,
                position: read.position,
                corner: None,
            }),
            fields: Fields {
                turn: read.turn_given,
                ..Fields::default()
            },
            warnings: read.warnings.iter().map(ToString::to_string).collect(),
        }),
        Err(error) => Err(CliError::from_error(&error).hint(error.hint())),
    }
}

/// Deviations that are no news to whoever typed the position.
const fn is_usual(code: Code) -> bool {
    matches!(
        code,
        Code::EpNotCapturable
            | Code::MissingFields
            | Code::Spaces
            | Code::Chess960Rights
            | Code::CastlingSpelling
            | Code::UciPrefix
            | Code::Quotes
            | Code::MoveSpelling
            | Code::EpdSpelling
            | Code::EpdOperand
            // Told with the languages that are meant.
            | Code::AmbiguousDiagram
    )
}

/// Reads `--from` or `--to`, packed as [`crate::query::Filter::date_from`] has it.
pub fn parse_date(text: &str) -> Result<u32, String> {
    match date::parse(text.trim().as_bytes()) {
        (date, None) if date != PgnDate::UNKNOWN => Ok(date.to_packed()),
        _ => Err(format!(
            "`{text}` is no date; write 2019, 2019-05 or 2019-05-31"
        )),
    }
}

/// The registry number of a variant, by any of its spellings.
pub fn variant_id(name: &str) -> Result<u8, String> {
    Variant::named(name)
        .map(|variant| variant.id)
        .ok_or_else(|| {
            let known: Vec<_> = variant::ALL.iter().map(|variant| variant.name).collect();
            format!(
                "`{name}` is no variant that is known; known are {}",
                known.join(", ")
            )
        })
}
