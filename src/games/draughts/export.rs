//! What an export writes that the tags of a game do not say: its kind, how its squares
//! are numbered, its start in these squares.

use super::{
    Draughts,
    notation::{fen, moves::square::Numbering},
    rows::DraughtsVariant,
};
use crate::{base::record::PdnFacts, games::export::StoredGameInfo, pgn::tags::game_type};

/// The facts of a game of a kind.
pub(super) fn facts(variant: &'static DraughtsVariant, game: &StoredGameInfo<'_>) -> PdnFacts {
    let at = Draughts {
        corner: game.corner,
        ..Draughts::start(variant)
    };
    let numbering = at.numbering_in(game.form);
    let mut written = Vec::new();
    // A guess among several is handed on with its doubt: among other games it
    // might be guessed otherwise.
    if let Some(by) = &game.header.variant_by
        && by.contains([';', ','])
        && game.tag(game_type::DOUBT_TAG) != Some(by)
    {
        written.push((game_type::DOUBT_TAG.to_owned(), by.clone()));
    }
    // How squares are named in moves that are text only its own tags can say.
    let is_as_written = game.is_text && says_number(variant, game.tag("GameType"));
    if let Some(value) = game_type_of(&at, numbering)
        && !is_as_written
        && !agrees(&at, numbering, game.tag("GameType"))
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
        && !(is_as_written && game.tag("FEN").is_some())
    {
        let renamed = (numbering != at.numbering())
            .then(|| fen::parse(canonical, at.numbering()).ok())
            .flatten()
            .map(|read| fen::write(&read.position, numbering));
        let is_said = renamed.is_none() && same_position(&at, game.tag("FEN"), canonical);
        let value = renamed.as_ref().unwrap_or(canonical);
        if !is_said && game.tag("FEN") != Some(value) {
            written.push(("FEN".to_owned(), value.clone()));
        }
    }
    PdnFacts {
        result: game.result_behind_moves(variant.result_order, variant.results),
        result_written: game.result_written(variant.result_order, variant.results),
        black_begins: variant.rules.first == 1,
        tags: written,
    }
}

/// The corner of square 1, or of A1, as the side that begins sees it.
const fn corner_of(at: &Draughts, numbering: Numbering) -> u8 {
    let corner = if numbering.letters() {
        numbering.letter_corner()
    } else {
        numbering.number_corner()
    };
    if at.variant.rules.first == 1 {
        3 - corner
    } else {
        corner
    }
}

/// The complete value of the `GameType` tag of a game whose squares are written in some way; `None`
/// if its kind has no number.
pub(super) fn game_type_of(at: &Draughts, numbering: Numbering) -> Option<String> {
    let (tag, rules) = (&at.variant.tag, &at.variant.rules);
    Some(format!(
        "{},{},{},{},{}{},{}",
        at.variant.game_type?,
        if rules.first == 0 { 'W' } else { 'B' },
        rules.board.width(),
        rules.board.height(),
        if numbering.letters() { 'A' } else { 'N' },
        corner_of(at, numbering),
        u8::from(tag.inverted),
    ))
}

/// Whether a tag has the number of a variant, whatever it says of its squares.
fn says_number(variant: &DraughtsVariant, tag: Option<&str>) -> bool {
    let read = tag.and_then(|value| game_type::parse(value.as_bytes()));
    read.is_some_and(|read| Some(read.number) == variant.game_type)
}

/// Whether there is a tag that gives the variant and does not contradict its squares.
fn agrees(at: &Draughts, numbering: Numbering, tag: Option<&str>) -> bool {
    let (variant, board) = (at.variant, at.variant.rules.board);
    let Some(read) = tag.and_then(|value| game_type::parse(value.as_bytes())) else {
        return false;
    };
    let same = |said: Option<u8>, own| said.is_none_or(|said| said == own);
    // The bare number means the usual squares of its first variant.
    let is_bare_enough = variant.is_default_of_type && numbering == variant.numbering();
    Some(read.number) == variant.game_type
        && (is_bare_enough || read.corner.is_some() && read.letters.is_some())
        && same(read.first, variant.rules.first)
        && same(read.corner, corner_of(at, numbering))
        && same(read.inverted.map(u8::from), u8::from(variant.tag.inverted))
        && (read.size).is_none_or(|size| size == (board.width(), board.height()))
        && read
            .letters
            .is_none_or(|letters| letters == numbering.letters())
}

/// Whether a FEN tag, read as the game numbers its squares, says a position.
fn same_position(at: &Draughts, tag: Option<&str>, canonical: &str) -> bool {
    let read = |text| fen::parse(text, at.numbering());
    match (tag.map(read), read(canonical)) {
        (Some(Ok(tag)), Ok(canonical)) => tag.position == canonical.position,
        // A position that cannot be read is written as it was. In one that can, squares may
        // have been named from another corner.
        (Some(Err(_)), Err(_)) => true,
        _ => false,
    }
}
