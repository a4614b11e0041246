//! What a row of the registry says, in words and for programs.

use serde_json::{Value, json};

use super::variant::Variant;

/// What there is to say of a variant.
#[derive(Debug, Clone)]
pub struct VariantDescription {
    /// The word of the family that it is listed in.
    pub family: &'static str,
    /// The title of that list.
    pub family_title: &'static str,
    /// The number of its `GameType`; empty where it has none.
    pub game_type: String,
    /// The size of the board: `8x8`.
    pub board: String,
    /// What the list says besides: the title of the column, and the cell.
    pub aside: (&'static str, String),
    /// The start, in a few words.
    pub start: String,
    /// All of it: labels and texts. An empty text says nothing.
    pub words: Vec<(&'static str, String)>,
    /// The same for programs.
    pub json: Value,
}

impl VariantDescription {
    /// Those of a row that says all itself.
    pub(super) fn of(row: &Variant) -> Self {
        let is_known = row.has_rules();
        let moves = if is_known {
            "supported: games are replayed and their positions found"
        } else {
            "not supported: games are stored as tags and text"
        };
        let game_type = row
            .game_type
            .map_or_else(String::new, |number| number.to_string());
        let board = format!("{}x{}", row.files, row.ranks);
        let start = row.start_fen.unwrap_or(NO_START);
        let words = vec![
            ("Name", row.name.to_owned()),
            ("Also", row.aliases.join(", ")),
            ("GameType", game_type.clone()),
            ("Board", board.clone()),
            ("Moves", moves.to_owned()),
            ("Start", start.to_owned()),
            ("Source", row.source.to_owned()),
        ];
        let json = json!({
            "name": row.name,
            "title": row.title,
            "family": "chess",
            "aliases": row.aliases,
            "game_type": row.game_type,
            "board": { "width": row.files, "height": row.ranks },
            "start_fen": row.start_fen,
            "moves": if is_known { "known" } else { "none" },
            "source": row.source,
        });
        Self {
            family: "chess",
            family_title: "Chess and others",
            game_type,
            board,
            aside: (
                "Moves",
                if is_known { "known" } else { "text only" }.to_owned(),
            ),
            start: short_start(row).to_owned(),
            words,
            json,
        }
    }
}

const NO_START: &str = "varies from game to game";

/// The start where a list has little room.
fn short_start(row: &Variant) -> &'static str {
    const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    match row.start_fen {
        _ if row.id == Variant::CHESS960 => "one of 960",
        Some(fen) if fen.starts_with(USUAL) => "standard",
        Some(fen) => fen.split(' ').next().unwrap_or(fen),
        None => NO_START,
    }
}
