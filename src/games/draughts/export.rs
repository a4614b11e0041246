//! What an export writes that the tags of a game do not say: its kind, how its squares
//! are numbered, its start in these squares.

use super::{Draughts, notation::fen, rows::DraughtsVariant};
use crate::{base::record::PdnFacts, games::export::Stored, pgn::tags::game_type};

/// The facts of a game of a kind.
pub(super) fn facts(variant: &'static DraughtsVariant, game: &Stored<'_>) -> PdnFacts {
    let at = Draughts {
        corner: game.corner,
        ..Draughts::start(variant)
    };
    let mut written = Vec::new();
    // A guess among several is handed on with its doubt: among other games it
    // might be guessed otherwise.
    if let Some(by) = &game.header.variant_by
        && by.contains([';', ','])
        && game.tag(game_type::DOUBT_TAG) != Some(by)
    {
        written.push((game_type::DOUBT_TAG.to_owned(), by.clone()));
    }
    if let Some(value) = game_type_of(&at)
        && !agrees(&at, game.tag("GameType"))
    {
        written.push(("GameType".to_owned(), value));
    }
    // Only a name can say a variant that has no number.
    if variant.game_type.is_none()
        && game.tag("Variant").and_then(DraughtsVariant::from_tag) != Some(variant)
    {
        written.push(("Variant".to_owned(), variant.title.to_owned()));
    }
    if let Some(canonical) = &game.header.start_fen
        && !same_position(&at, game.tag("FEN"), canonical)
    {
        written.push(("FEN".to_owned(), canonical.clone()));
    }
    PdnFacts {
        result: game.result_behind_moves(variant.result_order, variant.results),
        black_begins: variant.rules.first == 1,
        tags: written,
    }
}

/// The corner of square 1 as the side that begins sees it.
const fn corner_of(at: &Draughts) -> u8 {
    match at.corner {
        Some(corner) if at.variant.rules.first == 1 => 3 - corner,
        Some(corner) => corner,
        None => at.variant.tag.corner,
    }
}

/// The whole value of the `GameType` tag of a game; `None` if its kind has no number.
pub(super) fn game_type_of(at: &Draughts) -> Option<String> {
    let (tag, rules) = (&at.variant.tag, &at.variant.rules);
    Some(format!(
        "{},{},{},{},{}{},{}",
        at.variant.game_type?,
        if rules.first == 0 { 'W' } else { 'B' },
        rules.board.width(),
        rules.board.height(),
        if tag.letters { 'A' } else { 'N' },
        corner_of(at),
        u8::from(tag.inverted),
    ))
}

/// Whether a tag is there that says the variant and nothing against its squares.
fn agrees(at: &Draughts, tag: Option<&str>) -> bool {
    let variant = at.variant;
    let Some(read) = tag.and_then(|value| game_type::parse(value.as_bytes())) else {
        return false;
    };
    let same = |said: Option<u8>, own| said.is_none_or(|said| said == own);
    // The bare number means the usual squares of its first variant.
    let is_bare_enough = variant.is_default_of_type && at.corner.is_none();
    Some(read.number) == variant.game_type
        && (is_bare_enough || read.corner.is_some())
        && same(read.first, variant.rules.first)
        && same(read.corner, corner_of(at))
        && same(read.inverted.map(u8::from), u8::from(variant.tag.inverted))
        && read
            .letters
            .is_none_or(|letters| letters == variant.tag.letters)
}

/// Whether a FEN tag, read as the game numbers its squares, says a position.
fn same_position(at: &Draughts, tag: Option<&str>, canonical: &str) -> bool {
    let read = |text| fen::parse(text, at.numbering());
    match (tag.map(read), read(canonical)) {
        (Some(Ok(tag)), Ok(canonical)) => tag.position == canonical.position,
        // A position that cannot be read is written as it was.
        (Some(Err(_)), _) => true,
        _ => false,
    }
}
