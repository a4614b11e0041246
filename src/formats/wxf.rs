//! Games of xiangqi as the World Xiangqi Federation's programs write them: `FORMAT WXF`, lines of
//! names and values, and the moves between `START{` and `}END`.

use super::{
    ChunkText, PgnTranscript, Sample, StreamHints,
    around::{self, comment_text},
    dhtmlxq::result_of,
    text::DecodedText,
};
use crate::{
    base::diagnostic::Code,
    input::chunk::RecordBoundary,
    pgn::tags::{
        date::{self, PgnDate},
        elo, heading,
        time_control::{self, TimeControlKind},
    },
};

/// A game begins with its `FORMAT`.
pub(super) const LINES: RecordBoundary = RecordBoundary {
    name: "WXF",
    begins: |bytes, at| {
        is_format(&String::from_utf8_lossy(
            &bytes[at..bytes.len().min(at + 40)],
        ))
    },
    may_begin: |_, _| false,
};

/// Whether a text begins with the line that says the format.
fn is_format(text: &str) -> bool {
    let line = text
        .trim_start_matches(['\u{feff}', ' ', '\t'])
        .lines()
        .next()
        .unwrap_or_default();
    let mut words = line.split_whitespace();
    words.next() == Some("FORMAT")
        && words
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case("WXF"))
}

/// How much of a sample is such games: they have signs that nothing else has.
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    let mut begins = sample.lines().map(is_format);
    let has_format = begins.by_ref().any(|is_format| is_format);
    let is_tagged = || {
        sample
            .lines()
            .take_while(|line| !is_format(line))
            .any(|line| super::text::is_tag(line.as_bytes()))
    };
    100 * u32::from(has_format && !is_tagged())
}

/// Writes the games of a chunk as PGN.
pub(super) fn transcribe(chunk: &ChunkText<'_>, _: &StreamHints, out: &mut PgnTranscript) {
    let decoded = chunk.decoded();
    let text = &decoded.text[..];
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        if is_format(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let mut above = around::text_of(&text[..starts.first().copied().unwrap_or(text.len())]);
    for (nth, &start) in starts.iter().enumerate() {
        let end = *starts.get(nth + 1).unwrap_or(&text.len());
        above = write(&text[start..end], start, &above, &decoded, out);
    }
    out.end();
    if !above.is_empty() {
        out.find(Code::Prelude, decoded.offset(text.len()), "");
    }
    out.guessed(decoded.guessed, chunk.fallback.name());
}

/// Writes a game; what stands after it is returned, for it belongs to the next one.
fn write(
    text: &str,
    start: usize,
    above: &str,
    decoded: &DecodedText<'_>,
    out: &mut PgnTranscript,
) -> String {
    out.begin(decoded.offset(start));
    let open = text.match_indices("START").map(|(at, _)| at);
    let open = open.into_iter().find(|&at| {
        text[..at]
            .trim_end_matches([' ', '\t'])
            .ends_with(['\n', '\r'])
    });
    let head = &text[..open.unwrap_or(text.len())];
    let mut record = WxfRecord::default();
    let mut comments: Vec<String> = Some(above.to_owned())
        .filter(|above| !above.is_empty())
        .into_iter()
        .collect();
    for line in head
        .lines()
        .skip(1)
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let len = line
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(line.len());
        let (name, value) = (
            &line[..len],
            line[len..].trim_start_matches([':', '=', ' ', '\t']).trim(),
        );
        let is_name = len > 1 && name.bytes().all(|byte| !byte.is_ascii_lowercase());
        match is_name {
            true if name.starts_with("COMMENT") => comments.push(value.to_owned()),
            true => record.value(name, value.trim_end_matches([';', ' ', '\t'])),
            false => comments.push(line.to_owned()),
        }
    }
    for (name, value) in record.tags.iter().filter(|(_, value)| !value.is_empty()) {
        out.tag(name, value);
    }
    let outcome = record.result;
    out.tag("Result", outcome);
    out.variant("Xiangqi", None);
    if let Some(fen) = &record.fen {
        out.tag("SetUp", "1");
        out.tag("FEN", fen);
    }
    if !record
        .tags
        .iter()
        .any(|(name, _)| matches!(&name[..], "White" | "Black"))
    {
        out.find(Code::PlayersUnnamed, decoded.offset(start), "RED and BLACK");
    }
    for text in comments
        .iter()
        .map(|text| comment_text(text))
        .filter(|text| !text.trim().is_empty())
    {
        out.movetext(&format!("{{{text}}}"));
    }
    let Some(open) = open else {
        out.result(outcome);
        return String::new();
    };
    let (moves, rest) = moves(text, open + "START".len());
    let mut in_comment = false;
    let mut at = moves.start;
    for line in text[moves].split_inclusive('\n') {
        out.place(decoded.offset(start + at));
        at += line.len();
        let line = line.trim();
        // Brackets at the beginning of a line would be read as tags.
        let is_bracket = line.starts_with('[') && !in_comment;
        for c in line.chars() {
            in_comment = (in_comment || c == '{') && c != '}';
        }
        if is_bracket {
            out.movetext(&format!("{{{}}}", comment_text(line)));
        } else if !line.is_empty() {
            out.movetext(line);
        }
    }
    if in_comment {
        out.movetext("}");
    }
    out.result(outcome);
    around::text_of(rest)
}

/// Where the moves stand, and what follows them: comments have braces of their own.
fn moves(text: &str, from: usize) -> (std::ops::Range<usize>, &str) {
    let rest = &text[from..];
    let open = from + rest.len() - rest.trim_start().len();
    let is_braced = text[open..].starts_with('{');
    let start = if is_braced { open + 1 } else { from };
    let mut depth = 0_usize;
    for (at, c) in text[start..].char_indices() {
        let behind = &text[start + at..];
        let is_end = depth == 0 && (c == '}' || !is_braced && behind.starts_with("END"));
        if is_end {
            let behind = behind.trim_start_matches('}').trim_start();
            return (
                start..start + at,
                behind.strip_prefix("END").unwrap_or(behind),
            );
        }
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (start..text.len(), "")
}

struct WxfRecord {
    tags: Vec<(String, String)>,
    fen: Option<String>,
    result: &'static str,
}

impl Default for WxfRecord {
    fn default() -> Self {
        Self {
            tags: Vec::new(),
            fen: None,
            result: "*",
        }
    }
}

impl WxfRecord {
    fn put(&mut self, name: &str, value: &str) {
        const LOOKED_AT: usize = 64;
        let mut known = self.tags.iter().take(LOOKED_AT);
        if known.all(|(known, _)| known != name) {
            self.tags.push((name.to_owned(), value.to_owned()));
        } else {
            self.tags.push((format!("WXF_{name}"), value.to_owned()));
        }
    }

    fn value(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        match name {
            "RED" => self.player(["White", "WhiteElo", "WhiteTeam", "WhiteTitle"], value),
            "BLACK" => self.player(["Black", "BlackElo", "BlackTeam", "BlackTitle"], value),
            "RESULT" => {
                self.result = result_of(value);
                if self.result == "*" && value != "*" {
                    self.put("WXF_RESULT", value);
                }
            }
            "DATE" => self.date(value),
            "TIME" => self.put("Time", value),
            "EVENT" => self.event(value),
            "GAME" => self.put("Title", value),
            "PLACE" | "SITE" => self.put("Site", value),
            "ROUND" => self.put("Round", value),
            "OPENING" | "OPEN" => self.put("Opening", value),
            "TIMECONTROL" => self.put("TimeControl", value),
            "AUTHOR" | "ANNOTATOR" => self.put("Annotator", value),
            "FEN" => self.fen = Some(value.to_owned()),
            other => self.put(&format!("WXF_{other}"), value),
        }
    }

    /// `name; rating; team; title`, in whatever order and as far as it is said.
    fn player(&mut self, [name, rating, team, title]: [&str; 4], value: &str) {
        let mut parts = value.split(';').map(str::trim);
        let (player, rated) = heading::player(parts.next().unwrap_or_default());
        self.put(name, player);
        if let Some(rated) = rated {
            self.put(rating, rated);
        }
        for part in parts.filter(|part| !part.is_empty()) {
            if elo::parse(part.as_bytes()).is_some() {
                self.put(rating, part);
            } else if part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_uppercase()) {
                self.put(title, part);
            } else {
                self.put(team, part);
            }
        }
    }

    fn date(&mut self, value: &str) {
        let (day, time) = value.split_once([' ', 'T']).unwrap_or((value, ""));
        match date::parse(day.as_bytes()).0 {
            PgnDate::UNKNOWN => self.put("Date", value),
            read => {
                self.put("Date", &read.pgn_text());
                if !time.trim().is_empty() {
                    self.put("Time", time.trim());
                }
            }
        }
    }

    /// `casual ; 10m+0s`: the last part may be the time control.
    fn event(&mut self, value: &str) {
        if let Some((event, control)) = value.rsplit_once(';') {
            let read = time_control::parse(control.trim().as_bytes());
            if read.kind == TimeControlKind::Periods {
                self.put("Event", event.trim());
                return self.put("TimeControl", control.trim());
            }
        }
        self.put("Event", value);
    }
}
