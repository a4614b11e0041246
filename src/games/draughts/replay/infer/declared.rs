//! Which kind of draughts the tags of a game say.

use crate::{
    games::{draughts::rows::DraughtsVariant, variant::Variant},
    pgn::tags::game_type::{self, GameType},
};

/// The row that a game's tags `GameType` and `Variant` say.
pub fn declared(game_type: &[u8], variant: &str) -> Option<&'static Variant> {
    let named = DraughtsVariant::from_tag(variant);
    let typed = game_type::parse(game_type).and_then(|read| of_type(&read));
    let said = match (typed, named) {
        // The name may be more precise: programs write the number of the usual
        // game of that board with the name of another.
        (Some(typed), Some(named))
            if typed.rules.board == named.rules.board && named.name != "international" =>
        {
            Some(named)
        }
        (typed, named) => typed.or(named),
    };
    said.map(Variant::of_draughts)
}

/// The row of a `GameType`: of several with one number the one whose squares and
/// first side it names.
fn of_type(read: &GameType) -> Option<&'static DraughtsVariant> {
    let fits = |row: &&DraughtsVariant| {
        read.letters
            .is_none_or(|letters| letters == row.tag.letters)
            && read.corner.is_none_or(|corner| corner == row.tag.corner)
            && read.first.is_none_or(|first| first == row.rules.first)
    };
    let rows = || DraughtsVariant::by_game_type(read.number);
    rows().find(fits).or_else(|| rows().next())
}
