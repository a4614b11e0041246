//! The names of conditions: which there are, and which was meant by one that is none.

use super::{
    ValueError,
    game_conditions::{self, GAME_CONDITIONS, Repetition},
    pattern, suggest,
};

/// The words of the language that have no value. No list of moves has them.
pub const KEYWORDS: [&str; 23] = [
    "and",
    "or",
    "not",
    "then",
    "next",
    "within",
    "for",
    "step",
    "either",
    "mirror",
    "rotate",
    "shift",
    "shiftx",
    "shifty",
    "check",
    "mate",
    "stalemate",
    "end",
    "capture",
    "quiet",
    "ep",
    "smothered",
    "sacrifice",
];

/// What stands between the values of a condition, if these are a list.
pub fn separator(name: &str) -> Option<&'static str> {
    match game_conditions::find(name)?.repetition {
        Repetition::List(separator) => Some(separator),
        Repetition::All | Repetition::Move => None,
    }
}

/// Whether a condition is a fact of a move: side by side they hold of one and the same.
pub fn is_of_move(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    game_conditions::find(&name).is_some_and(|row| row.repetition == Repetition::Move)
}

/// The names of the conditions on games. After each stands a value; `tag.NAME` is another one.
pub fn game_condition_names() -> impl Iterator<Item = &'static str> {
    GAME_CONDITIONS.iter().map(|row| row.name)
}

/// Conditions on positions and moves that have a name.
const POSITION_CONDITIONS: [&str; 25] = [
    "material",
    "imbalance",
    "attacks",
    "pins",
    "only",
    "men",
    "kings",
    "stm",
    "by",
    "ply",
    "pieces",
    "jumps",
    "move",
    "uci",
    "moved",
    "captured",
    "promotes",
    "from",
    "to",
    "castles",
    "last",
    "legal",
    "repetition",
    "fifty",
    "sacrifice",
];

/// Names that other programs have for a condition.
const SYNONYMS: [(&[&str], &str); 14] = [
    (&["position", "pos", "board"], "fen"),
    (&["rating", "ratings"], "elo"),
    (&["name", "opponent", "players"], "player"),
    (&["winner"], "won"),
    (&["loser"], "lost"),
    (&["tournament", "tourney"], "event"),
    (&["place", "city", "country"], "site"),
    (&["length"], "plies"),
    (&["timecontrol", "speed", "tc", "time-class"], "time"),
    (&["from-file", "path"], "file"),
    (&["time-left"], "clock"),
    (&["evaluation"], "eval"),
    (&["glyph", "glyphs"], "nag"),
    (&["thought", "emt"], "spent"),
];

/// Whether a condition on positions and moves has this name, in small letters.
pub fn is_position_condition(name: &str) -> bool {
    POSITION_CONDITIONS.contains(&name)
}

/// Whether a condition on games has this name, in small letters.
pub fn is_game_condition(name: &str) -> bool {
    game_conditions::find(name).is_some() || matches!(name, "author" | "in" | "similar")
}

/// The name that other programs' name stands for, in small letters.
pub fn synonym(name: &str) -> Option<&'static str> {
    let row = SYNONYMS.iter().find(|(names, _)| names.contains(&name));
    row.map(|(_, meant)| *meant)
}

/// What is wrong with a name that no condition has: what may have been meant, or what there is.
pub fn unknown(name: &str, value: &str) -> ValueError {
    let error = ValueError::new(format!("`{name}:` is not a condition"));
    let typed = name.to_lowercase();
    if typed.chars().count() == 1 {
        return error.hint(
            "pieces and a colon are followed by files, ranks or squares, or light or dark: R:7, B:light",
        );
    }
    let near = POSITION_CONDITIONS
        .into_iter()
        .chain(game_condition_names());
    let near = near.chain(pattern::function_names());
    let meant = synonym(&typed).or_else(|| suggest::nearest(&typed, near));
    if let Some(meant) = meant {
        return error.hint(format!("did you mean {meant}:{value}?"));
    }
    match typed.as_str() {
        "since" => error.hint(format!("did you mean date:{value}..?")),
        "until" => error.hint(format!("did you mean date:..{value}?")),
        "min-elo" => error.hint(format!("did you mean elo:{value}..?")),
        "max-elo" => error.hint(format!("did you mean elo:..{value}?")),
        _ => error.hint(format!(
            "filters on games are {} and tag.NAME; conditions on positions and moves are in docs/query-language.md",
            game_condition_names().collect::<Vec<_>>().join(", ")
        )),
    }
}
