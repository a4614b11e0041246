//! What an export writes that the tags of a game do not say, or say in squares of their
//! own: the way back into the same game.

use super::{ResultOrder, Results, script, variant::Variant};
use crate::{
    base::record::{GameFormat, GameHeader, MoveForm, Outcome, PdnFacts},
    pgn::tags::{game_type, result},
};

/// A stored game, as far as an export must know it to say what it is.
#[derive(Debug, Clone, Copy)]
pub struct StoredGameInfo<'g> {
    /// Its facts.
    pub header: &'g GameHeader,
    /// Its tags, in their order.
    pub tags: &'g [(String, String)],
    /// The corner of square 1, where the game has its own.
    pub corner: Option<u8>,
    /// How its moves are written.
    pub form: MoveForm,
    /// Who has won by the last position.
    pub proven: Option<Outcome>,
    /// Whether its moves are text, as they were written, and none could be played.
    pub is_text: bool,
}

impl StoredGameInfo<'_> {
    /// The value of a tag, the last of several of one name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The tag that says which variant it is, unless a tag of the record says so: `GameType` in PDN where that
    /// has a number for it, else `Variant`. PGN has no `GameType`.
    pub fn variant_tag(&self, row: &Variant) -> Option<(String, String)> {
        let Some(number) = row.game_type else {
            return self.named_variant(row);
        };
        let read = self
            .tag("GameType")
            .map(str::as_bytes)
            .and_then(game_type::parse);
        match () {
            () if read.is_some_and(|read| read.number == number) => None,
            () if script(row) == GameFormat::Pgn => self.named_variant(row),
            () => Some(("GameType".to_owned(), number.to_string())),
        }
    }

    /// The `Variant` tag that names its variant, unless a tag of the record does.
    pub fn named_variant(&self, row: &Variant) -> Option<(String, String)> {
        let told = self.tag("Variant").map(str::as_bytes);
        let is_told = told
            .and_then(Variant::from_tag)
            .is_some_and(|named| named.id == row.id);
        (!is_told).then(|| ("Variant".to_owned(), row.title.to_owned()))
    }

    /// The result after the moves: as it was written, if that can stand there.
    ///
    /// The tag alone must say how the game ended, for what stood after the moves may have said
    /// otherwise and counted. A winner that the last position proves will be proven again.
    pub fn result_behind_moves(&self, order: ResultOrder, results: Results) -> String {
        let is_marker = |told: &str| result::PDN_RESULTS.contains(&told);
        let told = self.result_told(order).filter(|told| is_marker(told));
        let usual = || result_of(order, results, self.outcome());
        told.unwrap_or_else(usual).to_owned()
    }

    /// The result as it was written; points that could be taken for a move, too.
    pub fn result_written(&self, order: ResultOrder, results: Results) -> String {
        let is_written =
            |told: &str| result::PDN_RESULTS.contains(&told) || result::is_score(told.as_bytes());
        let told = self.result_told(order).filter(|told| is_written(told));
        let usual = || result_of(order, results, self.outcome());
        told.unwrap_or_else(usual).to_owned()
    }

    fn outcome(&self) -> Outcome {
        match self.header.result.as_str() {
            "1-0" => Outcome::First,
            "0-1" => Outcome::Second,
            "1/2-1/2" => Outcome::Draw,
            _ => Outcome::Unknown,
        }
    }

    /// The value of the Result tag, if it says how the game ended.
    fn result_told(&self, order: ResultOrder) -> Option<&str> {
        let outcome = self.outcome();
        let tells = |result: &&str| {
            let read = result::parse_pdn(result.as_bytes()).unwrap_or_default();
            let meant = match order {
                ResultOrder::WhiteFirst => read,
                ResultOrder::BlackFirst => read.with_colours_swapped(),
            };
            meant == outcome
                || self.proven == Some(outcome) && meant.with_colours_swapped() == outcome
        };
        self.tag("Result").filter(tells)
    }
}

/// The result of a game of a row as it is usually written after the moves.
pub fn usual_result(row: Option<&Variant>, order: ResultOrder, outcome: Outcome) -> &'static str {
    let kind = row.and_then(Variant::draughts);
    let results = kind.map_or(Results::Default, |kind| kind.results);
    result_of(order, results, outcome)
}

/// The facts of a game whose variant nothing determines: it says so, or among other games it would
/// be taken for one of theirs.
pub fn of_unknown(tags: &[(String, String)]) -> PdnFacts {
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

/// A result in the style of a variant.
const fn result_of(order: ResultOrder, results: Results, outcome: Outcome) -> &'static str {
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
