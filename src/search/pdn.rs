//! What an export of draughts and of chess's kin writes that the tags of a game do
//! not say, or say in squares of their own.

use crate::games::ResultOrder;
use crate::{
    games::{
        draughts::{
            notation::fen as draughts_fen,
            rows::{DraughtsVariant, Results},
        },
        variant::{Rules, Variant},
    },
    notation::{fen, position::numbering_at},
    position::Draughts,
    record::{GameHeader, Outcome, PdnFacts},
    tags::{game_type, result},
};

/// The facts of a game whose variant nothing tells: it says so, or among other games
/// it would be taken for one of theirs.
pub(super) fn facts_of_unknown(tags: &[(String, String)]) -> PdnFacts {
    let names = ["GameType", "Variant", game_type::DOUBT_TAG];
    let is_told = tags.iter().any(|(name, _)| names.contains(&name.as_str()));
    let tag = (
        game_type::DOUBT_TAG.to_owned(),
        game_type::UNKNOWN.to_owned(),
    );
    PdnFacts {
        tags: (!is_told).then_some(tag).into_iter().collect(),
        ..PdnFacts::default()
    }
}

/// The facts of a game of a variant; `corner` is that of square 1, as White sees
/// it, where the game has its own; `proven` is who has won by the last position.
pub(super) fn facts(
    variant: &'static DraughtsVariant,
    header: &GameHeader,
    tags: &[(String, String)],
    corner: Option<u8>,
    proven: Option<Outcome>,
) -> PdnFacts {
    let at = Draughts {
        corner,
        ..Draughts::start(variant)
    };
    let tag = |name: &str| {
        let found = tags.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    };
    let mut written = Vec::new();
    // A guess among several is handed on with its doubt: among other games it
    // might be guessed otherwise.
    if let Some(by) = &header.variant_by
        && by.contains([';', ','])
        && tag(game_type::DOUBT_TAG) != Some(by)
    {
        written.push((game_type::DOUBT_TAG.to_owned(), by.clone()));
    }
    if let Some(number) = variant.game_type
        && !agrees(&at, tag("GameType"))
    {
        written.push(("GameType".to_owned(), game_type_of(&at, number)));
    }
    // Only a name can say a variant that has no number.
    if variant.game_type.is_none()
        && tag("Variant").and_then(DraughtsVariant::from_tag) != Some(variant)
    {
        written.push(("Variant".to_owned(), variant.title.to_owned()));
    }
    if let Some(canonical) = &header.start_fen
        && !same_position(&at, tag("FEN"), canonical)
    {
        written.push(("FEN".to_owned(), canonical.clone()));
    }
    let style = (variant.result_order, variant.results);
    PdnFacts {
        result: result_behind_moves(header, tag("Result"), style, proven),
        black_begins: variant.rules.first == 1,
        tags: written,
    }
}

/// The facts of a game that is kin to chess, or of Othello: which variant it is,
/// where no tag says so, and `GameType` where PDN has one.
pub(super) fn facts_of_kin(
    variant: &'static Variant,
    header: &GameHeader,
    tags: &[(String, String)],
    proven: Option<Outcome>,
) -> PdnFacts {
    let tag = |name: &str| {
        let found = tags.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    };
    let written = if let Some(number) = variant.game_type {
        let read = tag("GameType").and_then(|value| game_type::parse(value.as_bytes()));
        let is_told = read.is_some_and(|read| read.number == number);
        (!is_told).then(|| ("GameType".to_owned(), number.to_string()))
    } else {
        variant_untold(variant, tags)
    };
    let is_othello = variant.rules == Rules::Othello;
    let style = (ResultOrder::BlackFirst, Results::Default);
    PdnFacts {
        result: if is_othello {
            result_behind_moves(header, tag("Result"), style, proven)
        } else {
            String::new()
        },
        black_begins: is_othello,
        tags: written.into_iter().collect(),
    }
}

/// The facts of a game by the rules of chess, or by none that are known: only its
/// variant, where no tag says it.
pub(super) fn facts_of_chess(
    variant: &'static Variant,
    header: &GameHeader,
    tags: &[(String, String)],
) -> PdnFacts {
    // The castling rights of a FEN say as well that it is Chess960.
    let tells_itself = || {
        let start = header.start_fen.as_deref().map(fen::read_position);
        variant.id == Variant::CHESS960
            && matches!(start, Some(Ok((_, read))) if read.is_chess960())
    };
    let untold =
        (variant.id != Variant::CHESS && !tells_itself()).then(|| variant_untold(variant, tags));
    PdnFacts {
        tags: untold.flatten().into_iter().collect(),
        ..PdnFacts::default()
    }
}

/// The tag of a variant, unless it is there.
fn variant_untold(variant: &Variant, tags: &[(String, String)]) -> Option<(String, String)> {
    let told = tags.iter().rev().find(|(known, _)| known == "Variant");
    let named = told.and_then(|(_, value)| Variant::from_tag(value.as_bytes()));
    let is_told = named.is_some_and(|named| named.id == variant.id);
    (!is_told).then(|| ("Variant".to_owned(), variant.title.to_owned()))
}

/// The result behind the moves: as it was written, if that can stand there.
///
/// Whether the tag alone says how the game ended is asked, for what stood behind
/// the moves may have said otherwise and counted. A winner that the last position
/// proves will be proven again.
fn result_behind_moves(
    header: &GameHeader,
    tag: Option<&str>,
    (order, results): (ResultOrder, Results),
    proven: Option<Outcome>,
) -> String {
    let outcome = match header.result.as_str() {
        "1-0" => Outcome::First,
        "0-1" => Outcome::Second,
        "1/2-1/2" => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let tells = |result: &str| {
        let read = result::parse_draughts(result.as_bytes()).unwrap_or_default();
        let meant = match order {
            ResultOrder::WhiteFirst => read,
            ResultOrder::BlackFirst => read.with_colours_swapped(),
        };
        meant == outcome || proven == Some(outcome) && meant.with_colours_swapped() == outcome
    };
    match tag {
        Some(told) if result::DRAUGHTS.contains(&told) && tells(told) => told.to_owned(),
        _ => result_of((order, results), outcome).to_owned(),
    }
}

/// A result in the style of a variant.
const fn result_of((order, results): (ResultOrder, Results), outcome: Outcome) -> &'static str {
    let first_number = match order {
        ResultOrder::WhiteFirst => outcome,
        ResultOrder::BlackFirst => outcome.with_colours_swapped(),
    };
    match (results, first_number) {
        (_, Outcome::Unknown) => "*",
        (Results::Default, outcome) => outcome.as_pgn(),
        (Results::International, Outcome::First) => "2-0",
        (Results::International, Outcome::Second) => "0-2",
        (Results::International, Outcome::Draw) => "1-1",
    }
}

/// The corner of square 1 as the side that begins sees it.
const fn corner_of(at: &Draughts) -> u8 {
    match at.corner {
        Some(corner) if at.variant.tag.first == 1 => 3 - corner,
        Some(corner) => corner,
        None => at.variant.tag.corner,
    }
}

/// The whole value of a game's tag.
fn game_type_of(at: &Draughts, number: u8) -> String {
    let tag = &at.variant.tag;
    format!(
        "{number},{},{},{},{}{},{}",
        if tag.first == 0 { 'W' } else { 'B' },
        tag.width,
        tag.height,
        if tag.letters { 'A' } else { 'N' },
        corner_of(at),
        u8::from(tag.inverted),
    )
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
        && same(read.first, variant.tag.first)
        && same(read.corner, corner_of(at))
        && same(read.inverted.map(u8::from), u8::from(variant.tag.inverted))
        && read
            .letters
            .is_none_or(|letters| letters == variant.tag.letters)
}

/// Whether a FEN tag, read as the game numbers its squares, says a position.
fn same_position(at: &Draughts, tag: Option<&str>, canonical: &str) -> bool {
    let read = |fen| draughts_fen::parse(fen, numbering_at(at));
    match (tag.map(read), read(canonical)) {
        (Some(Ok(tag)), Ok(canonical)) => tag.position == canonical.position,
        // A position that cannot be read is written as it was.
        (Some(Err(_)), _) => true,
        _ => false,
    }
}
