//! What the text above a game without tags says of it: lines of a name and a value (`Weiß: Tal`),
//! and a line that names the players (`Tal vs Botvinnik, Moscow 1960, 1-0`).
//!
//! The text stays a comment of the game whatever is read of it.

use super::{date, elo, names, result};

/// A tag that a heading says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadingTag {
    /// A well-known name.
    pub name: &'static str,
    /// The value, never empty.
    pub value: String,
}

/// Bytes of a name at most, and words.
const NAME_BYTES_MAX: usize = 60;
const NAME_WORDS_MAX: usize = 5;

/// What stands between the names of two players.
const BETWEEN: &[&str] = &[
    " vs. ",
    " vs ",
    " v. ",
    " v ",
    " versus ",
    " gegen ",
    " contra ",
    " contre ",
    " tegen ",
    " против ",
    " – ",
    " — ",
    " − ",
    " - ",
    "–",
    "—",
    " 对 ",
    " 對 ",
];

/// Words with a small letter within names.
const PARTICLES: &[&str] = &[
    "van", "von", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "ten",
    "ter", "zu", "zur", "al", "el", "bin", "ibn", "y", "and", "und", "et", "&",
];

/// Words of openings and of books, which no player is called.
const NO_NAMES: &[&str] = &[
    "attack",
    "defence",
    "defense",
    "gambit",
    "opening",
    "variation",
    "system",
    "game",
    "games",
    "chapter",
    "round",
    "lesson",
    "exercise",
    "line",
    "accepted",
    "declined",
    "sicilian",
    "french",
    "english",
    "indian",
    "lopez",
    "benoni",
    "najdorf",
    "dragon",
    "scheveningen",
    "dutch",
    "slav",
    "caro-kann",
    "pirc",
    "grünfeld",
    "scandinavian",
    "italian",
    "exchange",
    "advance",
    "classical",
    "verteidigung",
    "eröffnung",
    "variante",
    "partie",
    "angriff",
    "défense",
    "defensa",
    "apertura",
    "diagram",
    "position",
    "white",
    "black",
    "introduction",
    "part",
    "section",
    "example",
    "the",
    "theory",
    "endgame",
    "middlegame",
    "study",
    "puzzle",
    "problem",
    "table",
    "board",
    "this",
];

/// The tags that a heading says, each name once; the first place counts.
///
/// ```
/// use plydex::pgn::tags::heading::read;
/// let tags = read("Carlsen, M (2850) – Anand, V (2780)");
/// let tags: Vec<(&str, &str)> = tags.iter().map(|tag| (tag.name, &tag.value[..])).collect();
/// let wanted = [("White", "Carlsen, M"), ("WhiteElo", "2850"), ("Black", "Anand, V"),
///     ("BlackElo", "2780")];
/// assert_eq!(tags, wanted);
/// ```
pub fn read(text: &str) -> Vec<HeadingTag> {
    let mut found = HeadingMatch::default();
    let mut lines = text
        .lines()
        .map(|line| line.trim_start_matches(['>', '#', '*', ' ']).trim());
    let mut others = Vec::new();
    for line in lines.by_ref().filter(|line| !line.is_empty()) {
        let pairs = pairs(line);
        if pairs.is_empty() {
            others.push(line);
        }
        for (name, value) in pairs {
            found.pair(name, value);
        }
    }
    if !found.has_players() {
        let named = others.iter().position(|line| found.players(line));
        if let Some(at) = named {
            // Place and year often have a line of their own.
            others[at + 1..]
                .iter()
                .take(2)
                .for_each(|line| found.about(line));
        }
    }
    found.tags
}

/// The name that a player's line says besides: rating in parentheses or after a semicolon.
pub fn player(text: &str) -> (&str, Option<&str>) {
    let text = text.trim().trim_end_matches([';', ',']).trim_end();
    let end = text.strip_suffix([')', ']']);
    let cut = end
        .and_then(|text| text.rsplit_once(['(', '[']))
        .or_else(|| text.rsplit_once(';'));
    match cut {
        Some((name, rating)) if is_rating(rating.trim()) => (
            name.trim().trim_end_matches(';').trim_end(),
            Some(rating.trim()),
        ),
        _ => (text, None),
    }
}

fn is_rating(text: &str) -> bool {
    elo::parse(text.as_bytes()).is_some_and(|rating| (100..4000).contains(&rating))
}

#[derive(Default)]
struct HeadingMatch {
    tags: Vec<HeadingTag>,
}

impl HeadingMatch {
    fn put(&mut self, name: &'static str, value: &str) {
        let value = value.trim();
        if !value.is_empty() && self.tags.iter().all(|tag| tag.name != name) {
            let value = value.to_owned();
            self.tags.push(HeadingTag { name, value });
        }
    }

    fn has_players(&self) -> bool {
        let is_side = |tag: &HeadingTag| matches!(tag.name, "White" | "Black");
        self.tags.iter().any(is_side)
    }

    fn pair(&mut self, name: &'static str, value: &str) {
        let rated = match name {
            "White" => Some("WhiteElo"),
            "Black" => Some("BlackElo"),
            _ => None,
        };
        match rated {
            Some(rated) => {
                let (player, rating) = player(value);
                self.put(name, player);
                self.put(rated, rating.unwrap_or_default());
            }
            None => self.put(name, value),
        }
    }

    /// Reads a line that names the players; whether it does.
    fn players(&mut self, line: &str) -> bool {
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || " .)".contains(c));
        let parted = BETWEEN.iter().find_map(|sign| line.split_once(sign));
        let Some((white, rest)) = parted else {
            return false;
        };
        let (white, white_elo) = player(white);
        let (black, rest) = second(rest, white.contains(','));
        let (black, mut black_elo) = player(black);
        let year = black_elo.filter(|said| white_elo.is_none() && is_year(said));
        if year.is_some() {
            black_elo = None;
        }
        if !is_name(white) || !is_name(black) {
            return false;
        }
        self.put("White", white);
        self.put("WhiteElo", white_elo.unwrap_or_default());
        self.put("Black", black);
        self.put("BlackElo", black_elo.unwrap_or_default());
        self.put("Date", year.unwrap_or_default());
        rest.split(',').for_each(|part| self.about(part));
        true
    }

    /// Reads a part that says where and when, or how a game ended.
    fn about(&mut self, text: &str) {
        let mut text = text.trim().trim_matches(['(', ')', '.', '[', ']']).trim();
        if let Some((before, mark)) = ended(text) {
            self.put("Result", mark);
            text = before;
        }
        let (place, day) = text.rsplit_once(' ').unwrap_or(("", text));
        let (read, _) = date::parse(day.as_bytes());
        let is_date = is_year(day) || read != date::PgnDate::UNKNOWN && day.len() > 5;
        if is_date {
            self.put("Date", &read.pgn_text());
            text = place;
        }
        let is_place = is_name(text) || is_date && !text.contains(['.', '?']);
        if is_place && text.split_whitespace().count() <= NAME_WORDS_MAX {
            self.put("Site", text.trim_end_matches(','));
        }
    }
}

/// The second player, up to what else a line says, and that; a comma may stand before a first
/// name, as it does with the other player.
fn second(rest: &str, is_inverted: bool) -> (&str, &str) {
    let bracket = rest.find(['(', '[']);
    let closed = bracket.and_then(|open| Some(open + rest[open..].find([')', ']'])? + 1));
    let mut commas = rest.match_indices(',').map(|(at, _)| at);
    let comma = if is_inverted {
        commas.nth(1)
    } else {
        commas.next()
    };
    let end = match (closed, comma) {
        (Some(closed), Some(comma)) if comma > closed => closed,
        (Some(closed), None) => closed,
        (_, Some(comma)) => comma,
        (None, None) => rest.len(),
    };
    let (black, rest) = rest.split_at(end);
    match ended(black) {
        Some((name, _)) if rest.is_empty() => (name, &black[name.len()..]),
        _ => (black, rest),
    }
}

/// A text that ends with a result: what stands before that, and the result.
fn ended(text: &str) -> Option<(&str, &'static str)> {
    let text = text.trim_end_matches([' ', '.']);
    let word = text.rsplit([' ', '\t', ',']).next()?;
    Some((&text[..text.len() - word.len()], outcome(word)?))
}

/// A result in signs or in Chinese.
fn outcome(text: &str) -> Option<&'static str> {
    use crate::base::record::Outcome;
    let text = text.trim().trim_matches(['(', ')', '[', ']']);
    let halves = matches!(text, "½-½" | "½–½" | "½:½" | "½" | "½ - ½");
    let dashed = text.replace(['–', '—'], "-");
    let read = result::parse_marker(dashed.as_bytes());
    match read.or_else(|| result::parse_xiangqi(text.as_bytes())) {
        Some(Outcome::First) => Some("1-0"),
        Some(Outcome::Second) => Some("0-1"),
        Some(Outcome::Draw) => Some("1/2-1/2"),
        _ if halves => Some("1/2-1/2"),
        // Points of draughts.
        _ => result::pdn_mark(dashed.as_bytes()),
    }
}

fn is_year(text: &str) -> bool {
    let year = text.parse::<u16>().ok().filter(|_| text.len() == 4);
    year.is_some_and(|year| (1475..=2100).contains(&year))
}

/// Whether a text can be the name of a player: few words, each with a capital letter, or of a
/// script that has none, and no word of openings.
fn is_name(text: &str) -> bool {
    let words = || text.split([' ', ',']).filter(|word| !word.is_empty());
    let is_word = |word: &str| {
        let of_name = |c: char| c.is_alphabetic() || "'’.-`".contains(c);
        let mut chars = word.chars();
        let first = chars
            .next()
            .is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
        (first || PARTICLES.contains(&word)) && word.chars().all(of_name)
    };
    let is_other = |word: &str| NO_NAMES.contains(&word.to_lowercase().trim_end_matches('.'));
    let count = words().count();
    (1..=NAME_WORDS_MAX).contains(&count)
        && text.len() <= NAME_BYTES_MAX
        && words().all(is_word)
        && !words().any(is_other)
        && words().any(|word| !PARTICLES.contains(&word))
}

/// The names and values of a line; of several, each stands after a semicolon, a tab, a comma or
/// two blanks.
fn pairs(line: &str) -> Vec<(&'static str, &str)> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((name, value)) = pair(rest) {
        let next = value.char_indices().find_map(|(at, c)| {
            let parts = matches!(c, ';' | '\t' | ',' | '|') || value[at..].starts_with("  ");
            let behind = &value[at + c.len_utf8()..];
            (parts && pair(behind.trim_start()).is_some()).then_some((at, behind.trim_start()))
        });
        let (own, behind) = next.map_or((value, ""), |(at, behind)| (&value[..at], behind));
        let shown = own.trim().trim_matches(['"', '“', '”']);
        found.push((name, shown));
        rest = behind;
    }
    found
}

/// The name and the value that a text begins with.
fn pair(text: &str) -> Option<(&'static str, &str)> {
    const NAME_BYTES: usize = 40;
    let near = &text[..text.floor_char_boundary(NAME_BYTES)];
    let at = near.find([':', '：', '=', '\t'])?;
    let name = near[..at].trim().trim_matches(['*', '_']);
    let known = names::canonical(name.as_bytes()).filter(|name| IS_READ.contains(name));
    let sign = near[at..].chars().next().map_or(0, char::len_utf8);
    let value = text[at + sign..].trim_start_matches(['*', '_', ' ']);
    let known = known
        .or_else(|| names::localised(name))
        .or_else(|| names::side_of(name))
        .or_else(|| is_score(name, value).then_some("Result"))?;
    Some((known, value))
}

/// Whether a line gives the score, which other words than those of tags name.
fn is_score(name: &str, value: &str) -> bool {
    const NAMES: &[&str] = &["score", "结果", "結果", "赛果", "賽果", "比分"];
    NAMES.contains(&name.to_lowercase().as_str())
        && value.starts_with(|c: char| !c.is_ascii_punctuation())
        && (result::parse_tag(value.as_bytes()).is_some()
            || result::parse_pdn(value.as_bytes()).is_some())
}

/// The English names that are read: others are words of sentences as well.
const IS_READ: &[&str] = &[
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "Opening",
    "TimeControl",
    "Annotator",
    "WhiteTeam",
    "BlackTeam",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let tags = read(text).into_iter();
        let tags: Vec<_> = tags
            .map(|tag| format!("{}={}", tag.name, tag.value))
            .collect();
        tags.join("|")
    }

    #[test]
    fn lines_above_a_game_name_its_players() {
        for (text, wanted) in [
            (
                "Tal vs Botvinnik, Moscow 1960, 1-0",
                "White=Tal|Black=Botvinnik|Date=1960.??.??|Site=Moscow|Result=1-0",
            ),
            (
                "Tal - Botvinnik 1-0",
                "White=Tal|Black=Botvinnik|Result=1-0",
            ),
            (
                "Tal – Botvinnik (1960)",
                "White=Tal|Black=Botvinnik|Date=1960",
            ),
            (
                "12. Tal, Mikhail - Botvinnik, Mikhail, Moscow 1960",
                "White=Tal, Mikhail|Black=Botvinnik, Mikhail|Date=1960.??.??|Site=Moscow",
            ),
            (
                "J. van der Wiel (2520) v J. Timman (2600)\nWijk aan Zee 1985",
                "White=J. van der Wiel|WhiteElo=2520|Black=J. Timman|BlackElo=2600\
                 |Date=1985.??.??|Site=Wijk aan Zee",
            ),
            (
                "White: Tal (2700)  Black: Botvinnik (2680)\nResult: 1-0",
                "White=Tal|WhiteElo=2700|Black=Botvinnik|BlackElo=2680|Result=1-0",
            ),
        ] {
            assert_eq!(told(text), wanted, "{text}");
        }
    }

    #[test]
    fn sentences_and_openings_are_no_players() {
        for text in [
            "Sicilian Defence - Najdorf Variation",
            "Ruy Lopez – Berlin",
            "A game that I like - it is short.",
            "Chapter 3 - Knights",
            "See also: other games",
            "Title: a story",
            "1-0",
            "",
        ] {
            assert_eq!(told(text), "", "{text}");
        }
    }
}
