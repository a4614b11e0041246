//! What games are counted by.

use super::{ValueError, suggest};

/// Keys by which games are counted together.
pub const GROUP_KEYS_MAX: usize = 2;

/// What games are counted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupKey {
    /// How they ended.
    Result,
    /// The year.
    Year,
    /// The month, from 1.
    Month,
    /// The ECO code of the opening.
    Eco,
    /// The name of the opening.
    Opening,
    /// Each player, of either side.
    Player,
    /// The other player, of the player whose games are counted.
    Opponent,
    /// The colour of the player whose games are counted.
    Colour,
    /// White.
    White,
    /// Black.
    Black,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The variant.
    Variant,
    /// The mean rating of both players, in steps of 100.
    Rating,
    /// The class of the time control.
    Time,
    /// The length, in steps of 20 plies.
    Plies,
    /// The move that was played where a game was found.
    Move,
    /// What was on the board there.
    Material,
    /// The pieces there besides kings and pawns, the stronger side first.
    Ending,
    /// The value of a tag.
    Tag(String),
}

/// The keys by their names.
const KEYS: [(&str, GroupKey); 19] = [
    ("result", GroupKey::Result),
    ("year", GroupKey::Year),
    ("month", GroupKey::Month),
    ("eco", GroupKey::Eco),
    ("opening", GroupKey::Opening),
    ("player", GroupKey::Player),
    ("opponent", GroupKey::Opponent),
    ("colour", GroupKey::Colour),
    ("white", GroupKey::White),
    ("black", GroupKey::Black),
    ("event", GroupKey::Event),
    ("site", GroupKey::Site),
    ("variant", GroupKey::Variant),
    ("rating", GroupKey::Rating),
    ("time", GroupKey::Time),
    ("plies", GroupKey::Plies),
    ("move", GroupKey::Move),
    ("material", GroupKey::Material),
    ("ending", GroupKey::Ending),
];

impl GroupKey {
    /// Reads a key: one of the names, or `tag.NAME`.
    ///
    /// # Errors
    ///
    /// [`ValueError`] for other texts, with the names there are.
    pub fn read(text: &str) -> Result<Self, ValueError> {
        let lower = text.trim().to_lowercase();
        if let Some(tag) = text.trim().strip_prefix("tag.")
            && !tag.is_empty()
        {
            return Ok(Self::Tag(tag.to_owned()));
        }
        let lower = if lower == "color" { "colour" } else { &lower };
        if let Some((_, key)) = KEYS.iter().find(|(name, _)| *name == lower) {
            return Ok(key.clone());
        }
        let names = || KEYS.iter().map(|(name, _)| *name);
        let list = names().collect::<Vec<_>>().join(", ");
        let error = ValueError::new(format!("`{text}` is not a key"));
        let error = error.hint(format!("write one of {list}, or tag.NAME"));
        Err(match suggest::nearest(lower, names()) {
            Some(meant) => error.suggest(meant),
            None => error,
        })
    }

    /// Whether it is about the place where a game was found.
    pub const fn is_of_place(&self) -> bool {
        matches!(self, Self::Move | Self::Material | Self::Ending)
    }

    /// Whether it is about one player.
    pub const fn is_of_player(&self) -> bool {
        matches!(self, Self::Opponent | Self::Colour)
    }
}
