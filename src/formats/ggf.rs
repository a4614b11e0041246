//! Games of Othello in the Generic Game Format of GGS: `(;GM[Othello]PB[…]…B[d3/0.2/1.5]…;)`.
//!
//! A move has the worth that the mover sees and the seconds that it took; both become commands of
//! a comment, the worth from White's view as everywhere.

use std::{borrow::Cow, fmt::Write as _, ops::Range};

use super::{
    ChunkText, PgnTranscript, Sample, StreamHints,
    around::{self, comment_text},
};
use crate::{base::diagnostic::Code, input::chunk::RecordBoundary, pgn::tags::date};

/// A game begins with its first line.
pub(super) const LINES: RecordBoundary = RecordBoundary {
    name: "GGF",
    begins: |bytes, at| {
        let digits = bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_digit() || **b == b' ');
        bytes[at + digits.count().min(8)..].starts_with(b"(;")
    },
    may_begin: |_, _| false,
};

/// How much of a sample is games of GGF: they have a sign that nothing else has.
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    100 * u32::from(
        next_game(&sample.text, 0).is_some_and(|at| !around::is_quoted(&sample.text, at)),
    )
}

/// Where the next game begins.
fn next_game(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(n) = text[at..].find("(;") {
        let open = at + n;
        let rest = text[open + 2..].trim_start();
        let is_game = rest
            .get(..3)
            .is_some_and(|name| name.eq_ignore_ascii_case("GM["))
            && rest[3..]
                .get(..7)
                .is_some_and(|game| game.eq_ignore_ascii_case("Othello"));
        if is_game {
            return Some(open);
        }
        at = open + 2;
    }
    None
}

/// Writes the games of a chunk as PGN.
pub(super) fn transcribe(chunk: &ChunkText<'_>, _: &StreamHints, out: &mut PgnTranscript) {
    let decoded = chunk.decoded();
    let text = &decoded.text[..];
    let mut from = 0;
    while let Some(open) = next_game(text, from) {
        let (properties, end) = properties(text, open + 2);
        out.begin(decoded.offset(open));
        let above = around::text_of(&text[from..open]);
        let game = GgfGame::of(&properties);
        game.write(&above, &|at| decoded.offset(at), out);
        from = end;
    }
    out.end();
    if !around::text_of(&text[from..]).is_empty() {
        out.find(Code::Prelude, decoded.offset(from), "");
    }
    out.guessed(decoded.guessed, chunk.fallback.name());
}

/// A name with its value and its place.
type Property<'t> = (&'t str, Cow<'t, str>, usize);

/// The properties of a game up to its `;)`, and where that ends.
fn properties(text: &str, from: usize) -> (Vec<Property<'_>>, usize) {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b')' => return (found, at + 1),
            // The game before has no end.
            b'(' if text[at..].starts_with("(;") => return (found, at),
            b'A'..=b'Z' | b'a'..=b'z' => {
                let len = bytes[at..]
                    .iter()
                    .take_while(|b| b.is_ascii_alphabetic())
                    .count();
                let name = &text[at..at + len];
                let open = at + len;
                if bytes.get(open) != Some(&b'[') {
                    at = open;
                    continue;
                }
                let Range { start, end } = value(bytes, open + 1);
                let raw = &text[start..end];
                let value = if raw.contains('\\') {
                    raw.replace("\\]", "]").replace("\\\\", "\\").into()
                } else {
                    raw.into()
                };
                found.push((name, value, at));
                at = (end + 1).min(bytes.len());
            }
            _ => at += 1,
        }
    }
    (found, at)
}

/// The value that begins at an offset, up to its bracket.
fn value(bytes: &[u8], start: usize) -> Range<usize> {
    let mut at = start;
    while let Some(n) = memchr::memchr2(b']', b'\\', &bytes[at..]) {
        if bytes[at + n] == b']' {
            return start..at + n;
        }
        at = (at + n + 2).min(bytes.len());
    }
    start..bytes.len()
}

/// A game as its properties say it.
struct GgfGame<'t> {
    tags: Vec<(Cow<'static, str>, String)>,
    moves: Vec<(bool, Cow<'t, str>, usize)>,
    comments: Vec<(usize, String)>,
    board: Option<BoardText>,
    kind: String,
    result: &'static str,
}

/// A start position.
struct BoardText {
    size: usize,
    fen: String,
}

impl<'t> GgfGame<'t> {
    fn of(properties: &[Property<'t>]) -> Self {
        let mut game = Self {
            tags: Vec::new(),
            moves: Vec::new(),
            comments: Vec::new(),
            board: None,
            kind: String::new(),
            result: "*",
        };
        for (name, value, at) in properties {
            let mut put = |name: &'static str, value: &str| {
                if !value.is_empty() {
                    game.tags.push((name.into(), value.to_owned()));
                }
            };
            match *name {
                "GM" => {}
                "B" | "W" => game.moves.push((*name == "W", value.clone(), *at)),
                "C" | "CO" => game
                    .comments
                    .push((game.moves.len(), value.clone().into_owned())),
                "PC" => put("Site", value),
                "PB" => put("Black", value),
                "PW" => put("White", value),
                "RB" => put("BlackElo", value),
                "RW" => put("WhiteElo", value),
                "EV" => put("Event", value),
                "RO" => put("Round", value),
                "DT" => {
                    let [day, time, zone] = step(value);
                    put("Date", &day);
                    put("Time", &time);
                    put("TimeZone", &zone);
                }
                "TI" => match time_control(value) {
                    Some(control) => put("TimeControl", &control),
                    None => put("TimeControl", value),
                },
                "TY" => {
                    game.kind = value.to_ascii_lowercase();
                    put("GGF_TY", value);
                }
                "RE" => {
                    game.result = outcome(value);
                    put("GGF_RE", value);
                }
                "BO" => match board(value) {
                    Some(board) => game.board = Some(board),
                    None => put("GGF_BO", value),
                },
                other => {
                    let other = format!("GGF_{other}");
                    game.tags.push((other.into(), value.clone().into_owned()));
                }
            }
        }
        game
    }

    /// The name of the variant, and why it cannot be played, if it cannot.
    fn variant(&self) -> (String, Option<String>) {
        let kind = self.kind.strip_prefix('s').unwrap_or(&self.kind);
        let digits = kind.bytes().take_while(u8::is_ascii_digit).count();
        // `88` is size 8 with eight discs in some programs; the board decides.
        let typed = kind[..digits]
            .parse()
            .ok()
            .filter(|size| (4..=26).contains(size));
        let size = self
            .board
            .as_ref()
            .map_or(typed.unwrap_or(8), |board| board.size);
        let of_size = || format!("Othello {size}x{size}");
        if kind[digits..].contains('a') {
            let name = "Anti-Othello".to_owned();
            return (
                name,
                Some("the fewer discs win; the moves are kept as text".to_owned()),
            );
        }
        match size {
            8 => ("Othello".to_owned(), None),
            _ => (
                of_size(),
                Some(format!(
                    "a board of {size}x{size}; the moves are kept as text"
                )),
            ),
        }
    }

    fn write(&self, above: &str, place: &dyn Fn(usize) -> usize, out: &mut PgnTranscript) {
        let (variant, other) = self.variant();
        for (name, value) in &self.tags {
            out.tag(name, value);
        }
        out.tag("Result", self.result);
        out.variant(&variant, None);
        let start = self.board.as_ref().filter(|board| board.fen != STANDARD);
        if let Some(board) = start {
            out.tag("SetUp", "1");
            out.tag("FEN", &board.fen);
        }
        let has = |side: &str| self.tags.iter().any(|(name, _)| name == side);
        let at = self.moves.first().map_or(0, |(.., at)| *at);
        if !has("White") && !has("Black") {
            out.find(Code::PlayersUnnamed, place(at), "PB and PW");
        }
        if !above.is_empty() {
            out.movetext(&format!("{{{}}}", comment_text(above)));
        }
        if let Some(why) = other {
            let written = format!("{variant}: {why}");
            out.find(Code::BadVariant, place(at), written);
        }
        let mut comments = self.comments.iter().peekable();
        for nth in 0..=self.moves.len() {
            while let Some((_, text)) = comments.next_if(|(before, _)| *before == nth) {
                out.movetext(&format!("{{{}}}", comment_text(text)));
            }
            if let Some((is_white, text, at)) = self.moves.get(nth) {
                out.place(place(*at));
                out.movetext(&move_text(*is_white, text));
            }
        }
        out.result(self.result);
    }
}

/// The standard start position.
const STANDARD: &str = "8/8/8/3OX3/3XO3/8/8/8 b - - 0 1";

/// A move with what is said of it.
fn move_text(is_white: bool, text: &str) -> String {
    let mut parts = text.split('/').map(str::trim);
    let square = parts.next().unwrap_or_default().to_ascii_lowercase();
    let mut out = match &square[..] {
        "pa" | "pass" | "ps" => "--".to_owned(),
        square => square.to_owned(),
    };
    let (worth, seconds) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let mut said = Vec::new();
    match worth.parse::<f64>() {
        Ok(worth) if worth.is_finite() => {
            let worth = if is_white || worth == 0.0 {
                worth
            } else {
                -worth
            };
            said.push(format!("[%eval {worth:.2}]"));
        }
        _ if worth.is_empty() => {}
        _ => said.push(comment_text(worth)),
    }
    match seconds.parse::<f64>() {
        Ok(time) if (0.0..360_000.0).contains(&time) => {
            let hundredths = (time * 100.0).round() as u64;
            let (whole, rest) = (hundredths / 100, hundredths % 100);
            let [hours, minutes, seconds] = [whole / 3600, whole / 60 % 60, whole % 60];
            let fraction = if rest > 0 {
                format!(".{rest:02}")
            } else {
                String::new()
            };
            said.push(format!(
                "[%emt {hours}:{minutes:02}:{seconds:02}{fraction}]"
            ));
        }
        _ if seconds.is_empty() => {}
        _ => said.push(comment_text(seconds)),
    }
    said.extend(parts.map(comment_text));
    if !said.is_empty() {
        let _ = write!(out, " {{{}}}", said.join(" "));
    }
    out
}

/// Who has won, by the discs that Black is ahead: Black's result stands first.
fn outcome(text: &str) -> &'static str {
    let number = text.split(':').next().unwrap_or_default().trim();
    match number.parse::<f64>() {
        Ok(ahead) if ahead > 0.0 => "1-0",
        Ok(ahead) if ahead < 0.0 => "0-1",
        Ok(_) => "1/2-1/2",
        Err(_) => "*",
    }
}

/// The day, the time and its zone.
fn step(text: &str) -> [String; 3] {
    // The T of ISO dates as well, but not that of a zone.
    let is_iso = text.as_bytes().get(10) == Some(&b'T');
    let parted = |c| matches!(c, ' ' | '_') || is_iso && c == 'T';
    let mut parts = text.split(parted).filter(|part| !part.is_empty());
    let day = parts.next().unwrap_or_default();
    let (read, _) = date::parse(day.as_bytes());
    if read == date::PgnDate::UNKNOWN {
        return [text.to_owned(), String::new(), String::new()];
    }
    let clock = parts.next().unwrap_or_default();
    let (time, zone) = clock.split_once('.').unwrap_or((clock, ""));
    let zone = if zone.is_empty() {
        parts.next().unwrap_or_default()
    } else {
        zone
    };
    let time = match time.split(':').count() {
        2 => format!("{time}:00"),
        _ => time.to_owned(),
    };
    [read.pgn_text(), time, zone.to_owned()]
}

/// `15:00//02:00` is fifteen minutes, no increment, and two minutes more once.
fn time_control(text: &str) -> Option<String> {
    let mut parts = text.split('/');
    let seconds = |text: &str| {
        let clock = text.split(',').next().unwrap_or_default().trim();
        let numbers = clock.split(':').map(|part| part.parse::<u64>().ok());
        numbers.collect::<Option<Vec<_>>>().map(|parts| {
            parts
                .iter()
                .fold(0_u64, |all, n| all.saturating_mul(60).saturating_add(*n))
        })
    };
    let main = seconds(parts.next()?)?;
    let increment = parts.next().filter(|part| !part.trim().is_empty());
    let further = parts.next().filter(|part| !part.trim().is_empty());
    if parts.next().is_some() {
        return None;
    }
    let mut out = main.to_string();
    if let Some(increment) = increment {
        let _ = write!(out, "+{}", seconds(increment)?);
    }
    if let Some(further) = further {
        let _ = write!(out, ":{}", seconds(further)?);
    }
    Some(out)
}

/// A board: its size, the squares row by row, and who moves.
fn board(text: &str) -> Option<BoardText> {
    let (size, rest) = text.trim().split_once(char::is_whitespace)?;
    let size: usize = size.parse().ok().filter(|size| (4..=26).contains(size))?;
    let signs: Vec<char> = rest.chars().filter(|c| !c.is_whitespace()).collect();
    let (squares, side) = (signs.get(..size * size)?, signs.get(size * size..)?);
    let [side] = side else {
        return None;
    };
    let mut fen = String::new();
    for row in squares.chunks(size) {
        if !fen.is_empty() {
            fen.push('/');
        }
        let mut empty = 0;
        for sign in row {
            let disc = match sign {
                '-' | '.' => None,
                '*' | 'X' | 'x' => Some('X'),
                'O' | 'o' => Some('O'),
                _ => return None,
            };
            match disc {
                None => empty += 1,
                Some(disc) => {
                    if empty > 0 {
                        let _ = write!(fen, "{empty}");
                    }
                    empty = 0;
                    fen.push(disc);
                }
            }
        }
        if empty > 0 {
            let _ = write!(fen, "{empty}");
        }
    }
    let side = if matches!(side, '*' | 'X' | 'x') {
        'b'
    } else {
        'w'
    };
    let _ = write!(fen, " {side} - - 0 1");
    Some(BoardText { size, fen })
}
