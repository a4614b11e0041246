//! Stored games set in motion: start positions and variations out of the store,
//! and the index built anew from them.

mod segment;

pub use segment::{rebuilt_segment, usual_starts};

use crate::{
    db::store::{Store, StoreError},
    games::{
        self, AnyCursor, AnyPosition, Game,
        language::{self, Expected, LANGUAGE_KIND},
        notation::letters::{ENGLISH, Language},
        variant::Variant,
        with_game,
    },
};

/// The position in which the games of a start row begin; row 0 is the usual
/// start of chess. `None` if they cannot be played.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or the row is damaged.
pub fn start_position(store: &Store, id: u32) -> Result<Option<AnyPosition>, StoreError> {
    if id == 0 {
        return Ok(Some(AnyPosition::initial()));
    }
    let Some(row) = store.start(id)? else {
        return Err(store.damaged(format!("start position {id} is missing")));
    };
    let (Some(variant), Some(canonical)) = (Variant::by_id(row.variant), row.canonical) else {
        return Ok(None);
    };
    let damaged = |error: String| store.damaged(format!("start position {id}: {error}"));
    AnyPosition::read_stored(variant, &canonical, row.corner).map_err(damaged)
}

/// One annotation as it is stored: plies before it, kind, value.
pub type Annotation = (u32, String, serde_json::Value);

/// The positions inside the variations of a game that are to be kept, from its stored
/// annotations and main line, in the order of the text.
pub fn variations_of(
    items: &str,
    start: &AnyPosition,
    plies: &[u8],
    mut keep: impl FnMut(&AnyCursor) -> bool,
) -> Vec<Reached> {
    let Ok(items) = serde_json::from_str::<Vec<Annotation>>(items) else {
        return Vec::new();
    };
    let language = language_of(&items);
    let mut keep = |at: AnyCursor| keep(&at).then_some(at);
    let mut found = Vec::new();
    each_variation(&items, start, plies, |_, text, before| {
        positions_of(text, start, before, language, &mut keep, &mut found);
    });
    found
}

/// The language in which the words of a game are; `None` is English.
fn language_of(items: &[Annotation]) -> Option<&'static Language> {
    let (_, _, code) = items.iter().find(|(_, kind, _)| kind == LANGUAGE_KIND)?;
    Language::for_moves(code.as_str()?)
}

/// A position that a game reaches, on its main line or inside a variation.
#[derive(Debug)]
pub struct Reached {
    /// The position, with the next ply of its line taken off.
    pub at: AnyCursor,
    /// Plies from the start of the game.
    pub ply: u32,
    /// The code of the ply with which that line goes on; none if it ends.
    pub next: Option<u16>,
}

/// Writes the moves that a game of chess keeps as text, those in its variations and
/// those behind an illegal one, in a language, if they are in another.
pub fn translate(items: &mut [Annotation], start: &AnyPosition, plies: &[u8], to: &Language) {
    let from = language_of(items);
    // Where pieces are always written in English, only others' letters are translated.
    let to = if start.has_letters() { to } else { ENGLISH };
    if from.unwrap_or(ENGLISH).moves_as(to) {
        return;
    }
    let mut translated: Vec<(usize, String)> = Vec::new();
    each_variation(items, start, plies, |at, text, replay| {
        if let Some(before) = begins(start, replay) {
            let text = with_game!(AnyPosition of &before, before => {
                games::variation_in(text, before, &before.convention(certainly(from)), to)
            });
            translated.push((at, text));
        }
    });
    for (at, (_, kind, text)) in items.iter().enumerate() {
        if let ("!", Some(text)) = (kind.as_str(), text.as_str()) {
            translated.push((at, language::rest_in(text, from, to)));
        }
    }
    for (at, text) in translated {
        items[at].2 = text.into();
    }
}

/// Calls `each` with every variation of a game: its place among the annotations,
/// its text, and the position in which it begins.
fn each_variation(
    items: &[Annotation],
    start: &AnyPosition,
    plies: &[u8],
    mut each: impl FnMut(usize, &str, &AnyCursor),
) {
    let mut replay = AnyCursor::new(start);
    let mut rest = plies;
    for (at, (ply, kind, text)) in items.iter().enumerate() {
        if kind != "(" || *ply == 0 {
            continue;
        }
        // A variation replaces the move before it.
        while replay.ply() + 1 < *ply {
            let Some(code) = replay.peek(&mut rest) else {
                break;
            };
            replay.play(code);
        }
        if replay.ply() + 1 != *ply {
            // Several variations of one move: the replay stands there already.
            if replay.ply() + 1 > *ply {
                continue;
            }
            break;
        }
        if let Some(text) = text.as_str() {
            each(at, text, &replay);
        }
    }
}

/// The position in which a variation begins; squares are named as in the start position.
fn begins(start: &AnyPosition, before: &AnyCursor) -> Option<AnyPosition> {
    let mut at = before.position()?;
    at.set_corner(start.corner());
    Some(at)
}

/// That texts are in a language and no other is tried.
const fn certainly(language: Option<&'static Language>) -> Expected {
    Expected {
        language,
        certain: true,
    }
}

/// Adds the positions of one variation that begins where `before` stands, as far as
/// `keep` gives them back.
fn positions_of(
    text: &str,
    start: &AnyPosition,
    before: &AnyCursor,
    language: Option<&'static Language>,
    keep: &mut impl FnMut(AnyCursor) -> Option<AnyCursor>,
    found: &mut Vec<Reached>,
) {
    let Some(at) = begins(start, before) else {
        return;
    };
    with_game!(AnyPosition of &at, at => {
        let kept = |reached: &_| {
            let reached = Clone::clone(reached);
            let start = AnyCursor::new(&AnyPosition::from(Clone::clone(&reached)));
            Some((keep(start)?, reached))
        };
        let positions = {
            let convention = &at.convention(certainly(language));
            games::variation_positions(text, at, before.ply(), convention, kept)
        };
        found.extend(positions.into_iter().map(|position| {
            let (mut at, reached) = position.at;
            let next = position.next.and_then(|m| {
                // Taken off a line of its own, as the next ply of the game's would be.
                let mut packed = Vec::new();
                reached.pack(m, &mut reached.slots(), &mut packed);
                at.peek(&mut &packed[..])
            });
            Reached { at, ply: position.ply, next }
        }));
    });
}
