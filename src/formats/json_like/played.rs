//! Objects of JSON that are games: their moves or their PGN, and what else they say as tag pairs.

use std::fmt::Write as _;

use super::{
    moves::is_line,
    tree::{ObjectField, ObjectPosition},
};
use crate::formats::{
    PgnTranscript, StreamHints,
    game_values::{KeyedGame, is_game, tag_of},
};

/// An object that is a game.
#[derive(Debug)]
pub(in crate::modules::formats) struct ObjectGame {
    /// Offset of its beginning.
    pub(in crate::modules::formats) at: usize,
    /// What it says, with the names of the brackets within it before each name.
    pub(in crate::modules::formats) values: Vec<ObjectField>,
    /// The positions in it, and what they are called.
    pub(in crate::modules::formats) positions: Vec<(Option<String>, ObjectPosition)>,
}

/// What a single move is called, or that of one side.
const PLAYED: [&str; 8] = ["white", "black", "w", "b", "move", "san", "ply", "m"];

/// What moves are called, the best first; letters alone, in lower case.
const MOVES: [&str; 10] = [
    "pgn",
    "moves",
    "san",
    "movetext",
    "movelist",
    "movesan",
    "moveslist",
    "history",
    "uci",
    "lan",
];

/// Names of brackets within a game that have nothing but its moves.
const WRAPS: [&str; 4] = ["game", "record", "data", "play"];

/// Names of brackets that have the tag pairs of a game.
const TAG_PAIRS: [&str; 4] = ["headers", "header", "tags", "info"];

/// Ends of games at lichess without a winner: drawn, and not played to their ends.
const DRAWN: [&str; 5] = [
    "draw",
    "stalemate",
    "insufficientmaterialclaim",
    "outoftime",
    "timeout",
];

/// The letters of a name, or of the last part of it.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

fn last_part(name: &str) -> String {
    letters(name.rsplit('.').next().unwrap_or_default())
}

/// Whether values are those of a game: its moves stand among them, and where these are too few to
/// decide, or a position could be what they are about, a player, too.
pub(in crate::modules::formats) fn are_game(values: &[ObjectField], has_position: bool) -> bool {
    let mut found = is_certain(values.iter().filter(|value| value.key.is_some()));
    if !found || has_position {
        let is_named = |value: &ObjectField| {
            value
                .key
                .as_deref()
                .is_some_and(|key| !value.is_bare && is_of_moves(key))
        };
        let tag = |value: &ObjectField| value.key.as_deref().map(|key| tag_of(key, 0));
        let is_player =
            |value: &ObjectField| matches!(tag(value).as_deref(), Some("White" | "Black"));
        found = (found || values.iter().any(is_named)) && values.iter().any(is_player);
    }
    found
}

/// Whether a value is moves beyond doubt.
pub(super) fn is_certain<'v>(values: impl IntoIterator<Item = &'v ObjectField>) -> bool {
    let mut keyed: Vec<(&str, String)> = Vec::new();
    for value in values.into_iter().filter(|value| !value.is_bare) {
        let key = value.key.as_deref().unwrap_or_default();
        if is_game(&value.text) && (is_of_moves(key) || !is_list_of_names(&value.text)) {
            return true;
        }
        // Moves that stand one by one: `[{"san": "e4"}, {"san": "e5"}]`.
        if is_of_moves(key) {
            match keyed.iter_mut().find(|(known, _)| *known == key) {
                Some((_, text)) => {
                    text.push(' ');
                    text.push_str(&value.text);
                }
                None => keyed.push((key, value.text.clone())),
            }
        }
    }
    keyed.iter().any(|(_, text)| is_game(text))
}

/// Whether a key is one of moves.
pub(in crate::modules::formats) fn is_of_moves(key: &str) -> bool {
    MOVES.contains(&&last_part(key)[..])
}

/// Whether a key is what one of the moves of a game is called, or that of one side.
pub(super) fn is_move(key: &str) -> bool {
    PLAYED.iter().any(|name| name.eq_ignore_ascii_case(key))
}

/// Whether the brackets that are called so belong to those around them, which have the rest.
pub(super) fn is_wrapped(key: Option<&str>, values: &[ObjectField]) -> bool {
    let is_wrap = |key: &str| WRAPS.contains(&&letters(key)[..]) || is_of_moves(key);
    // Of a single move may be said more: its clock (`move.clock`).
    let are_moves = key.is_some_and(is_of_moves);
    let of_move = |key: &str| key.split('.').next().is_some_and(is_move);
    let of_moves = |key: &str| is_of_moves(key) || are_moves && of_move(key);
    key.is_some_and(is_wrap)
        && (values.iter()).all(|value| value.key.as_deref().is_some_and(of_moves))
}

/// Whether numbers stand among moves that are none of theirs: names of openings, one after the
/// other (`001 09-13 21-17`).
fn is_list_of_names(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Takes the values that are games of their own out of a list of games, or of a map of them with a
/// name for each; `is_outermost` is a list that nothing else has around it.
pub(super) fn take_list(values: &mut Vec<ObjectField>, is_outermost: bool) -> Vec<ObjectField> {
    let is_own = |value: &ObjectField| {
        let is_named = value.key.as_deref().is_some_and(is_of_moves);
        !value.is_bare && !is_named && is_game(&value.text) && !is_list_of_names(&value.text)
    };
    let is_map = values
        .iter()
        .filter(|value| value.key.is_some() && is_own(value))
        .count()
        > 1;
    let is_taken = |value: &mut ObjectField| {
        let is_listed = match value.key {
            Some(_) => is_map,
            None => is_outermost || value.text.trim_start().starts_with('['),
        };
        is_listed && is_own(value)
    };
    values.extract_if(.., is_taken).collect()
}

/// Values in the order of their names, those of one name in one text.
#[derive(Default)]
struct TagPairs(Vec<(String, String)>);

impl TagPairs {
    fn of(values: Vec<ObjectField>) -> Self {
        let mut fields = Self::default();
        for value in values {
            let key = value.key.unwrap_or_default();
            match fields.0.iter_mut().find(|(known, _)| *known == key) {
                Some((_, text)) => {
                    text.push(' ');
                    text.push_str(&value.text);
                }
                None => fields.0.push((key, value.text)),
            }
        }
        fields
    }

    fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| letters(key) == name);
        found.map(|(_, text)| &text[..])
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(key, _)| letters(key) == name)?;
        Some(self.0.remove(at).1)
    }

    /// The moves: of several values the one with the best name.
    fn take_moves(&mut self) -> String {
        let rank = |(key, text): &(String, String)| {
            let name = last_part(key);
            let known = MOVES.iter().position(|known| *known == name);
            (!is_game(text), known.unwrap_or(MOVES.len()))
        };
        let best = (0..self.0.len()).min_by_key(|&at| rank(&self.0[at]));
        let best = best.filter(|&at| rank(&self.0[at]) < (true, MOVES.len()));
        best.map_or(String::new(), |at| self.0.remove(at).1)
    }
}

/// Writes the record of a game that stands at an offset of the source.
pub(super) fn record(at: usize, game: ObjectGame, hints: &StreamHints, out: &mut PgnTranscript) {
    if let ([value], []) = (&game.values[..], &game.positions[..]) {
        // A game of a list is what it is called.
        let id = value.key.clone().filter(|key| !is_of_moves(key));
        let game = KeyedGame {
            at,
            moves: &value.text,
            values: id.map(|id| ("GameId".to_owned(), id)).into_iter().collect(),
            start: None,
        };
        return game.write(hints, out);
    }
    let (notes, values) = notes(game.values);
    let mut fields = TagPairs::of(values);
    let moves = fields.take_moves();
    let clocks = fields.take("clocks");
    let (moves, clocks) = annotated(moves, clocks, &notes, &mut fields);
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut put = |name: &str, value: String| tags.push((name.to_owned(), value));
    if let Some(clocks) = clocks {
        put("clocks", clocks);
    }
    if let Some([date, time]) = fields.get("createdat").and_then(step) {
        put("UTCDate", date);
        put("UTCTime", time);
    }
    if let (Some(initial), Some(increment)) =
        (fields.get("clockinitial"), fields.get("clockincrement"))
    {
        put("TimeControl", format!("{initial}+{increment}"));
    }
    for (side, name) in [("white", "White"), ("black", "Black")] {
        if let Some(level) = fields.take(&format!("players{side}ailevel")) {
            put(name, format!("lichess AI level {level}"));
        }
    }
    if fields.get("winner").is_none()
        && fields.get("result").is_none()
        && let Some(result) = result(&fields)
    {
        put("Result", result.to_owned());
    }
    let mut start = None;
    for (key, found) in game.positions {
        let key = key.unwrap_or_default();
        let name = letters(&key);
        let is_start =
            name.contains("initial") || name.contains("start") || is_line(&found.position, &moves);
        if start.is_none() && is_start {
            start = Some(found.position);
        } else {
            put(&tag_of(&format!("position_{key}"), 0), found.position);
        }
    }
    for (nth, (key, text)) in fields.0.into_iter().enumerate() {
        let mut parts = key.split('.');
        let own = match parts.next().map(letters) {
            Some(first) if TAG_PAIRS.contains(&&first[..]) => {
                key.split_once('.').map(|(_, own)| own)
            }
            _ => None,
        };
        if !text.is_empty() {
            tags.push((tag_of(own.unwrap_or(&key), nth), text));
        }
    }
    let game = KeyedGame {
        at,
        moves: &moves,
        values: tags,
        start,
    };
    game.write(hints, out);
}

/// What is said of each ply: the values of lichess's `analysis`, of which the first is what the
/// position is worth, and the other values.
fn notes(values: Vec<ObjectField>) -> (Vec<String>, Vec<ObjectField>) {
    let mut notes: Vec<String> = Vec::new();
    let (own, others): (Vec<_>, Vec<_>) = (values.into_iter()).partition(|value| {
        value
            .key
            .as_deref()
            .is_some_and(|key| key.starts_with("analysis."))
    });
    for value in own {
        let key = value.key.as_deref().unwrap_or_default();
        let name = key.split_once('.').map_or(key, |(_, name)| name);
        let text = value.text.replace(['{', '}'], "");
        let centipawns = text.parse::<i32>().ok();
        match (name, centipawns) {
            ("eval", Some(worth)) => {
                let sign = if worth < 0 { "-" } else { "" };
                let worth = worth.unsigned_abs();
                notes.push(format!("[%eval {sign}{}.{:02}]", worth / 100, worth % 100));
            }
            ("mate", Some(moves)) => notes.push(format!("[%eval #{moves}]")),
            _ => {
                if notes.is_empty() {
                    notes.push(String::new());
                }
                if let Some(last) = notes.last_mut() {
                    let _ = write!(last, " {name}: {text}");
                }
            }
        }
    }
    (notes, others)
}

/// Moves with what is said of each of them, where there is as much of it as there are moves; what
/// does not fit becomes text of its own. `clocks` are hundredths of a second.
fn annotated(
    moves: String,
    clocks: Option<String>,
    notes: &[String],
    fields: &mut TagPairs,
) -> (String, Option<String>) {
    let words: Vec<&str> = moves.split_whitespace().collect();
    let is_plain = !moves.contains(['{', '(', '[', ';', ',', '.']) && !words.is_empty();
    let times = clocks.as_deref().map(|clocks| {
        let times = clocks.split(' ').map(|time| time.parse().ok());
        times.collect::<Option<Vec<u32>>>().unwrap_or_default()
    });
    // The clock at the end of a game may have been written down as well.
    let fits = |count: usize| is_plain && (count == words.len() || count == words.len() + 1);
    let times = times.filter(|times| fits(times.len()));
    let notes_fit = is_plain && !notes.is_empty() && notes.len() <= words.len();
    if !notes_fit && !notes.is_empty() {
        fields.0.push(("analysis".to_owned(), notes.join(" ")));
    }
    if times.is_none() && !notes_fit {
        return (moves, clocks);
    }
    let mut out = String::new();
    for (ply, word) in words.iter().enumerate() {
        let clock = times
            .as_ref()
            .and_then(|times| times.get(ply))
            .map(|&time| clock(time));
        let note = notes.get(ply).filter(|_| notes_fit).map(|note| note.trim());
        let said: Vec<&str> = note.into_iter().chain(clock.as_deref()).collect();
        let _ = write!(out, "{word} ");
        if !said.is_empty() {
            let _ = write!(out, "{{{}}} ", said.join(" "));
        }
    }
    if let Some(&last) = times.as_ref().and_then(|times| times.get(words.len())) {
        let time = clock(last).replace("[%clk ", "").replace(']', "");
        fields.0.push(("clock at the end".to_owned(), time));
    }
    let clocks = clocks.filter(|_| times.is_none());
    (out, clocks)
}

/// A clock as a command in a comment.
fn clock(hundredths: u32) -> String {
    let (seconds, rest) = (hundredths / 100, hundredths % 100);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut out = format!("[%clk {hours}:{minutes:02}:{:02}", seconds % 60);
    if rest > 0 {
        let _ = write!(out, ".{rest:02}");
    }
    out + "]"
}

/// Seconds since 1970 when games are played; what lies outside is another number.
const TIMESTAMPS: std::ops::Range<u64> = 100_000_000..100_000_000_000;

/// The date and the time of milliseconds since 1970, UTC.
fn step(milliseconds: &str) -> Option<[String; 2]> {
    let seconds = milliseconds.parse::<u64>().ok()? / 1000;
    if !TIMESTAMPS.contains(&seconds) {
        return None;
    }
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // Years from March on have the leap day at their end.
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + u64::from(month < 3);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    Some([
        format!("{year}.{month:02}.{day:02}"),
        format!("{hour:02}:{minute:02}:{second:02}"),
    ])
}

/// The result where no value says it directly: each of the players may say who has won, and what is
/// over without a winner is drawn.
fn result(fields: &TagPairs) -> Option<&'static str> {
    let of_side = ["whiteresult", "blackresult"].map(|name| fields.get(name).map(letters));
    match of_side.each_ref().map(|said| said.as_deref()) {
        [Some("win"), _] => return Some("1-0"),
        [_, Some("win")] => return Some("0-1"),
        [Some(_), Some(_)] => return Some("1/2-1/2"),
        _ => {}
    }
    let status = fields.get("status").map(letters)?;
    DRAWN.contains(&&status[..]).then_some("1/2-1/2")
}
