//! Games of xiangqi as the boards of web pages have them: `[DhtmlXQ_movelist]7747…[/DhtmlXQ_movelist]`.
//!
//! A move is file and rank of two squares, files from Red's left, ranks from Black's side, both
//! from 0. `move_0_3_1` is a variation of the line 0 from its third ply on, itself the line 1;
//! `comment5` stands after the fifth ply, `comment1_5` after that of the line 1.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    ChunkText, PgnTranscript, Sample, StreamHints,
    around::{self, comment_text},
    text::DecodedText,
};
use crate::{
    base::{diagnostic::Code, record::Outcome},
    input::chunk::RecordBoundary,
    pgn::tags::result,
};

const MARK: &str = "[DhtmlXQ";

/// A game begins where it is opened.
pub(super) const LINES: RecordBoundary = RecordBoundary {
    name: "DhtmlXQ",
    begins: |bytes, at| {
        let line = bytes[at..].trim_ascii_start();
        line.starts_with(b"[DhtmlXQ]") || line.starts_with(b"[DhtmlXQ_ver]")
    },
    may_begin: |bytes, at| bytes[at..].starts_with(MARK.as_bytes()),
};

/// How much of a sample is such games: they have signs that nothing else has.
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    let text = &sample.text;
    let is_one = |at: usize| {
        ["movelist]", "binit]"]
            .iter()
            .any(|name| text[at..].contains(&format!("{MARK}_{name}")))
    };
    let is_game = text
        .find(MARK)
        .is_some_and(|at| is_one(at) && !around::is_quoted(text, at));
    100 * u32::from(is_game)
}

/// A value with its name and where it stands.
struct TagField<'t> {
    name: &'t str,
    value: &'t str,
    at: usize,
}

/// What comes next in a text.
enum DhtmlToken<'t> {
    /// A game is opened.
    Game(usize),
    TagField(TagField<'t>),
}

/// What comes next from a place on, and where that ends.
fn next(text: &str, from: usize) -> Option<(DhtmlToken<'_>, usize)> {
    let mut from = from;
    loop {
        let at = from + text[from..].find(MARK)?;
        let rest = &text[at + MARK.len()..];
        if rest.starts_with(']') {
            return Some((DhtmlToken::Game(at), at + MARK.len() + 1));
        }
        from = at + MARK.len();
        let len = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        if len < 2 || !rest.starts_with('_') || !rest[len..].starts_with(']') {
            continue;
        }
        let name = &rest[1..len];
        let start = from + len + 1;
        // A value that is not closed ends before the next sign.
        let to = text[start..].find(MARK).map_or(text.len(), |n| start + n);
        let end = text[start..to].find("[/DhtmlXQ").map_or(to, |n| start + n);
        let field = TagField {
            name,
            value: text[start..end].trim(),
            at: start,
        };
        let close = text[end..]
            .strip_prefix("[/DhtmlXQ_")
            .and_then(|rest| rest.find(']'));
        return Some((
            DhtmlToken::TagField(field),
            close.map_or(end, |n| end + "[/DhtmlXQ_".len() + n + 1),
        ));
    }
}

/// Writes the games of a chunk as PGN.
pub(super) fn transcribe(chunk: &ChunkText<'_>, _: &StreamHints, out: &mut PgnTranscript) {
    const CLOSE: &str = "[/DhtmlXQ]";
    let decoded = chunk.decoded();
    let text = &decoded.text[..];
    let (mut from, mut behind) = (0, 0);
    let mut fields: Vec<TagField<'_>> = Vec::new();
    let (mut begun, mut above) = (0, String::new());
    while let Some((found, end)) = next(text, from) {
        let at = match &found {
            DhtmlToken::Game(at) => *at,
            DhtmlToken::TagField(field) => field.at,
        };
        let is_next = match &found {
            DhtmlToken::Game(_) => true,
            DhtmlToken::TagField(new) => {
                matches!(new.name, "ver" | "movelist" | "binit" | "title")
                    && fields.iter().any(|field| field.name == new.name)
            }
        };
        if is_next && !fields.is_empty() {
            write(&fields, begun, &above, &decoded, out);
            fields.clear();
        }
        let open = text[from..at].rfind(MARK).map_or(at, |n| from + n);
        if fields.is_empty() {
            let between = around::text_of(&text[behind..open].replace(CLOSE, " "));
            // The sign that opens a game stands right above its first value.
            if is_next || behind == 0 || !between.is_empty() {
                above = between;
            }
            begun = open;
        }
        if let DhtmlToken::TagField(field) = found {
            fields.push(field);
        }
        (from, behind) = (end, end);
    }
    if !fields.is_empty() {
        write(&fields, begun, &above, &decoded, out);
    }
    out.end();
    if !around::text_of(&text[behind..].replace(CLOSE, " ")).is_empty() {
        out.find(Code::Prelude, decoded.offset(behind), "");
    }
    out.guessed(decoded.guessed, chunk.fallback.name());
}

/// The tag of a value, if it has a name of its own in PGN.
fn tag_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "title" => "Title",
        "event" => "Event",
        "place" | "site" => "Site",
        "date" => "Date",
        "round" => "Round",
        "table" => "Board",
        "red" | "redname" => "White",
        "black" | "blackname" => "Black",
        "redteam" => "WhiteTeam",
        "blackteam" => "BlackTeam",
        "redtime" => "WhiteTime",
        "blacktime" => "BlackTime",
        "redlevel" | "redtitle" => "WhiteTitle",
        "blacklevel" | "blacktitle" => "BlackTitle",
        "redrating" | "redelo" => "WhiteElo",
        "blackrating" | "blackelo" => "BlackElo",
        "timerule" => "TimeControl",
        "open" | "opening" => "Opening",
        "author" | "remark" => "Annotator",
        "refer" => "Source",
        _ => return None,
    })
}

/// A line of play, and what stands after its plies.
#[derive(Default)]
struct MoveLine<'t> {
    text: &'t str,
    at: usize,
    /// The ply of the line above in whose place it begins, from 1.
    first: usize,
    comments: BTreeMap<usize, &'t str>,
}

impl MoveLine<'_> {
    fn plies(&self) -> usize {
        self.text.len().div_ceil(MOVE_BYTES)
    }
}

/// Digits of a move.
const MOVE_BYTES: usize = 4;

/// Writes a game.
fn write(
    fields: &[TagField<'_>],
    begun: usize,
    above: &str,
    decoded: &DecodedText<'_>,
    out: &mut PgnTranscript,
) {
    out.begin(decoded.offset(begun));
    let mut lines: HashMap<usize, MoveLine<'_>> = HashMap::new();
    // The lines that begin in place of a ply of another one.
    let mut branches: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    let mut parents: HashMap<usize, usize> = HashMap::new();
    let (mut outcome, mut board) = ("*", None);
    let mut tags: Vec<&str> = Vec::new();
    lines.insert(
        0,
        MoveLine {
            first: 1,
            ..MoveLine::default()
        },
    );
    for field in fields.iter().filter(|field| !field.value.is_empty()) {
        let numbers = |name: &str| -> Option<Vec<usize>> {
            let numbers = field.name.strip_prefix(name)?.trim_start_matches('_');
            numbers
                .split('_')
                .map(|number| number.parse().ok())
                .collect()
        };
        if let Some(tag) = tag_of(field.name).filter(|tag| !tags.contains(tag)) {
            tags.push(tag);
            out.tag(tag, field.value);
        } else if field.name == "result" {
            outcome = result_of(field.value);
            if outcome == "*" {
                out.tag("DhtmlXQ_result", field.value);
            }
        } else if field.name == "binit" {
            board = board_of(field.value);
            if board.is_none() {
                out.tag("DhtmlXQ_binit", field.value);
            }
        } else if field.name == "movelist" {
            let main = lines.entry(0).or_default();
            (main.text, main.at) = (field.value, field.at);
        } else if let Some([parent, first, line]) = numbers("move_").as_deref()
            && *line > 0
            && !parents.contains_key(line)
        {
            let own = lines.entry(*line).or_default();
            (own.text, own.at, own.first) = (field.value, field.at, *first);
            parents.insert(*line, *parent);
            branches.entry((*parent, *first)).or_default().push(*line);
        } else if let Some(numbers) = numbers("comment")
            && let [.., ply] = numbers[..]
            && numbers.len() <= 2
        {
            let line = if numbers.len() == 2 { numbers[0] } else { 0 };
            lines
                .entry(line)
                .or_default()
                .comments
                .insert(ply, field.value);
        } else {
            out.tag(&format!("DhtmlXQ_{}", field.name), field.value);
        }
    }
    out.tag("Result", outcome);
    out.variant("Xiangqi", None);
    let pieces = board.unwrap_or(START);
    let first = lines[&0].text.get(..2).unwrap_or_default();
    let is_black = pieces
        .iter()
        .position(|square| *square == square_of(first))
        .is_some_and(|piece| piece >= 16)
        && square_of(first).is_some();
    let fen = fen_of(&pieces, is_black);
    if fen != fen_of(&START, false) {
        out.tag("SetUp", "1");
        out.tag("FEN", &fen);
    }
    if !tags.contains(&"White") && !tags.contains(&"Black") {
        out.find(Code::PlayersUnnamed, decoded.offset(begun), "red and black");
    }
    if !above.is_empty() {
        out.movetext(&format!("{{{}}}", comment_text(above)));
    }
    movetext(&mut lines, &branches, decoded, out);
    out.result(outcome);
}

/// Writes all lines, variations after the ply that they replace.
fn movetext(
    lines: &mut HashMap<usize, MoveLine<'_>>,
    branches: &HashMap<(usize, usize), Vec<usize>>,
    decoded: &DecodedText<'_>,
    out: &mut PgnTranscript,
) {
    let comment = |out: &mut PgnTranscript, text: &str| {
        let text = text.replace("||", " ");
        out.movetext(&format!("{{{}}}", comment_text(&text)));
    };
    let mut written = HashSet::from([0]);
    if let Some(text) = lines.get_mut(&0).and_then(|line| line.comments.remove(&0)) {
        comment(out, text);
    }
    // What is still to be written: a line from a ply on, or what closes one.
    let mut open = vec![(0, 1)];
    while let Some((number, ply)) = open.pop() {
        let Some(line) = lines.get_mut(&number) else {
            continue;
        };
        let nth = ply - line.first;
        let said = (nth * MOVE_BYTES).min(line.text.len());
        if nth == 0 && number > 0 {
            out.movetext("(");
            written.insert(number);
        }
        if said >= line.text.len() {
            if number > 0 {
                out.movetext(")");
            }
            continue;
        }
        let end = line
            .text
            .ceil_char_boundary((said + MOVE_BYTES).min(line.text.len()));
        let word = line.text.get(said..end).unwrap_or_default();
        if number == 0 {
            out.place(decoded.offset(line.at + said));
        }
        out.movetext(&coordinates(word));
        if let Some(text) = line.comments.remove(&ply) {
            comment(out, text);
        }
        open.push((number, ply + 1));
        let below = branches.get(&(number, ply)).into_iter().flatten();
        open.extend(below.rev().map(|line| (*line, ply)));
    }
    // What belongs to no ply that there is stays as text.
    let mut rest: Vec<String> = Vec::new();
    let mut numbers: Vec<usize> = lines.keys().copied().collect();
    numbers.sort_unstable();
    for number in numbers {
        let line = &lines[&number];
        if !written.contains(&number) && line.plies() > 0 {
            out.find(
                Code::UnknownWord,
                decoded.offset(line.at),
                "a variation of a move that there is not",
            );
            rest.push(format!(
                "line {number} from ply {}: {}",
                line.first, line.text
            ));
        }
        rest.extend(line.comments.values().map(|text| (*text).to_owned()));
    }
    for text in rest {
        comment(out, &text);
    }
}

/// A move as engines write it, with ranks from 1; what is none stays as it is.
fn coordinates(text: &str) -> String {
    let digits: Vec<u8> = text.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
    match digits[..] {
        [from, above, to, below]
            if [from, to].iter().all(|file| *file < 9) && above < 10 && below < 10 =>
        {
            let file = |file: u8| char::from(b'a' + file);
            format!("{}{}{}{}", file(from), 10 - above, file(to), 10 - below)
        }
        // Signs of its own would be read as something else.
        _ => text
            .chars()
            .map(|c| if "[](){};".contains(c) { '?' } else { c })
            .collect(),
    }
}

/// The places of the 32 pieces: Red's, then Black's; one that is taken has none.
type PieceSquares = [Option<(u8, u8)>; 32];

const LETTERS: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

const START: PieceSquares = {
    const FILES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 7, 0, 2, 4, 6, 8];
    let mut pieces = [None; 32];
    let mut at = 0;
    while at < 16 {
        let rank = if at < 9 {
            0
        } else if at < 11 {
            2
        } else {
            3
        };
        pieces[at] = Some((FILES[at], 9 - rank));
        pieces[at + 16] = Some((FILES[at], rank));
        at += 1;
    }
    pieces
};

fn square_of(digits: &str) -> Option<(u8, u8)> {
    let [file, rank] = digits.as_bytes() else {
        return None;
    };
    let is_square = (b'0'..=b'8').contains(file) && rank.is_ascii_digit();
    is_square.then(|| (file - b'0', rank - b'0'))
}

/// The places of 64 digits.
fn board_of(text: &str) -> Option<PieceSquares> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(std::array::from_fn(|at| {
        square_of(&text[2 * at..2 * at + 2])
    }))
}

fn fen_of(pieces: &PieceSquares, is_black: bool) -> String {
    let mut squares = [[None; 9]; 10];
    for (place, letter) in pieces.iter().zip(LETTERS) {
        if let Some((file, rank)) = place {
            squares[usize::from(*rank)][usize::from(*file)] = Some(char::from(*letter));
        }
    }
    let mut fen = String::new();
    for (at, row) in squares.iter().enumerate() {
        if at > 0 {
            fen.push('/');
        }
        let mut empty = 0_u8;
        for square in row.iter().chain([&Some(' ')]) {
            match square {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        fen.push(char::from(b'0' + empty));
                    }
                    empty = 0;
                    fen.push(*letter);
                }
            }
        }
        fen.pop();
    }
    fen.push_str(if is_black { " b - - 0 1" } else { " w - - 0 1" });
    fen
}

/// A result in Chinese or in signs.
pub(super) fn result_of(text: &str) -> &'static str {
    let read = result::parse_xiangqi(text.as_bytes());
    match read.or_else(|| result::parse_marker(text.as_bytes())) {
        Some(Outcome::First) => "1-0",
        Some(Outcome::Second) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        _ => "*",
    }
}
