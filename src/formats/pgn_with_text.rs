//! Files that have both games and positions: which part of a chunk is what. Games are handed to
//! the parser as they stand, positions to their own reader.

use std::ops::Range;

use super::{
    ChunkText, FORMATS, Format, OtherRecords, PgnTranscript, RecordsKind, Sample, StreamHints,
    TableLayout, TextOrder, epd, games, json_like, prose, text,
};
use crate::{
    base::diagnostic::Code,
    games::{cited_lines::are_games, running_text::fen_scanner},
    pgn::parser::{ItemKind, Parser, RawGame, detect_syntax},
};

/// A part of a chunk.
#[derive(Debug)]
pub(super) struct MixedPart {
    /// Where it stands.
    range: Range<usize>,
    /// The notation of its positions; `None` if it is games.
    format: Option<&'static Format>,
}

/// A part of a text that blank lines end, or the beginning of a game.
struct Paragraph {
    range: Range<usize>,
    /// What its lines are.
    kind: ParagraphKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ParagraphKind {
    /// It is tag pairs.
    Tags,
    /// It begins with the first move of a game.
    Moves,
    /// It begins with tag pairs, and goes on.
    Game,
    /// It is positions.
    Positions,
    /// Anything else: the rest of a game, comments.
    Other,
}

/// The parts of a chunk of games, if it has positions besides.
pub(super) fn of_games(text: &ChunkText<'_>) -> Option<Vec<MixedPart>> {
    // Nearly no archive has any, and this is checked for each chunk.
    if !has_board(text.bytes) {
        return None;
    }
    let paragraphs = paragraphs(text);
    let mut parts: Vec<MixedPart> = Vec::new();
    let mut from = 0;
    for (nth, own) in paragraphs.iter().enumerate() {
        // A diagram within a game is part of it, and so is one between its tags and its moves.
        let kind_of = |of: Option<&Paragraph>| of.map(|paragraph| paragraph.kind);
        let is_text = |of: &&Paragraph| of.kind != ParagraphKind::Positions;
        let before = kind_of(paragraphs[..nth].iter().rfind(is_text));
        let is_within = match kind_of(paragraphs[nth + 1..].iter().find(is_text)) {
            Some(ParagraphKind::Other) => true,
            Some(ParagraphKind::Moves) => before == Some(ParagraphKind::Tags),
            _ => false,
        };
        if own.kind != ParagraphKind::Positions || is_within {
            continue;
        }
        let sample = Sample::of(&text.bytes[own.range.clone()]);
        let Some(format) = positions_format(&sample) else {
            continue;
        };
        if own.range.start > from {
            parts.push(MixedPart {
                range: from..own.range.start,
                format: None,
            });
        }
        from = own.range.end;
        match parts.last_mut() {
            Some(last) if last.format == Some(format) => last.range.end = from,
            _ => parts.push(MixedPart {
                range: own.range.clone(),
                format: Some(format),
            }),
        }
    }
    if parts.is_empty() {
        return None;
    }
    if from < text.bytes.len() {
        parts.push(MixedPart {
            range: from..text.bytes.len(),
            format: None,
        });
    }
    Some(parts)
}

/// The notation of a text that is mostly positions.
fn positions_format(sample: &Sample<'_>) -> Option<&'static Format> {
    const POINTS_MIN: u32 = 50;
    let rows = FORMATS.iter().filter(|row| row.has_games);
    let best = rows.rev().max_by_key(|row| (row.explains)(sample))?;
    ((best.explains)(sample) >= POINTS_MIN).then_some(best)
}

/// Whether a line that is no tag pair has a board in it, or squares of draughts.
fn has_board(bytes: &[u8]) -> bool {
    const RANK_BYTES_MAX: usize = 12;
    let mut ranks = [0; 4];
    memchr::memchr2_iter(b'/', b':', bytes).any(|at| {
        let is_board = if bytes[at] == b':' {
            matches!(bytes[..at], [.., b'W' | b'B'])
                && matches!(bytes.get(at + 1), Some(b'W' | b'B'))
        } else {
            ranks.rotate_left(1);
            ranks[3] = at;
            let is_near = |pair: &[usize]| pair[1] - pair[0] <= RANK_BYTES_MAX;
            ranks.windows(2).all(is_near) && ranks[0] > 0
        };
        is_board && {
            let line = memchr::memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |end| end + 1);
            bytes.get(line) != Some(&b'[')
        }
    })
}

/// The paragraphs of a text; comments in braces have no blank lines.
fn paragraphs(text: &ChunkText<'_>) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let mut in_comment = false;
    let mut is_apart = true;
    for line in text::lines(text.bytes) {
        let was_in_comment = in_comment;
        let bare = games::without_comments(line.bytes, &mut in_comment);
        let end = line.at + line.bytes.len();
        if line.bytes.is_empty() && !was_in_comment {
            is_apart = true;
            continue;
        }
        let bare = text.decode(&bare).0;
        let kind = if was_in_comment {
            ParagraphKind::Other
        } else if text::is_tag(bare.as_bytes()) {
            ParagraphKind::Tags
        } else if is_first_move(&bare) {
            ParagraphKind::Moves
        } else if is_position(&bare) {
            ParagraphKind::Positions
        } else {
            ParagraphKind::Other
        };
        let is_begun = matches!(kind, ParagraphKind::Tags | ParagraphKind::Moves);
        match found.last_mut() {
            Some(last) if !(is_apart || is_begun && last.kind == ParagraphKind::Positions) => {
                last.range.end = end;
                last.kind = match last.kind {
                    ParagraphKind::Other => kind,
                    ParagraphKind::Tags if kind != last.kind => ParagraphKind::Game,
                    own => own,
                };
            }
            _ => found.push(Paragraph {
                range: line.at..end,
                kind,
            }),
        }
        is_apart = false;
    }
    found
}

/// Whether a line is the first move of a game, with what follows.
fn is_first_move(line: &str) -> bool {
    let behind = line.trim_start().strip_prefix('1');
    let behind = behind.map(str::trim_start);
    let is_numbered =
        behind.is_some_and(|behind| behind.starts_with('.') && !behind.starts_with(".."));
    is_numbered && games::is_movetext(line)
}

/// Whether a line goes on with the game that stands above it among positions.
pub(super) fn is_within_game(bytes: &[u8], at: usize) -> bool {
    let (before, rest) = bytes.split_at(at);
    let said = before.trim_ascii_end();
    let from = memchr::memrchr2(b'\n', b'\r', said).map_or(0, |end| end + 1);
    let above = &said[from.max(said.len().saturating_sub(prose::LINE_BYTES))..];
    let is_below = before.len() - said.len() <= 2;
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    let line = rest[..end].trim_ascii();
    if text::is_tag(line) {
        return is_below && text::is_tag(above);
    }
    let (line, above) = [line, above].map(String::from_utf8_lossy).into();
    let goes_on = || {
        let is_played = |line: &str| !line.is_empty() && games::is_movetext(line);
        is_below && is_played(&above) && is_played(&line) && !is_first_move(&line)
    };
    (text::is_tag(above.as_bytes()) || is_first_move(&above) || goes_on()) && !is_position(&line)
}

/// Whether a line is a position and no sentence that quotes one.
fn is_position(line: &str) -> bool {
    // A set-up within the moves of PDN belongs to its game.
    if line.trim_start().starts_with("/FEN") {
        return false;
    }
    let is_sign = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"');
    let is_cell = |at: &Range<usize>| {
        line[..at.start].ends_with(is_sign) && line[at.end..].starts_with(is_sign)
    };
    line.contains(['/', ':'])
        && !line.starts_with([';', '%'])
        && (epd::is_record(line)
            || prose::item(line).is_some()
            || line.contains([',', ';', '\t', '|']) && fen_scanner::all(line).iter().any(is_cell))
}

/// The parts of a chunk of positions, if it has games besides.
pub(super) fn of_positions(text: &ChunkText<'_>, own: &'static Format) -> Option<Vec<MixedPart>> {
    let bytes = text.bytes;
    let mut parts: Vec<MixedPart> = Vec::new();
    let (mut from, mut is_apart, mut above) = (0, true, 0..0);
    // Up to where no position stands, as was found.
    let mut limit = 0;
    for line in text::lines(bytes) {
        if line.at < from {
            continue;
        }
        if line.bytes.is_empty() {
            is_apart = true;
            continue;
        }
        // What is indented belongs to a key of YAML.
        let is_first = line.at == 0 || matches!(bytes[line.at - 1], b'\n' | b'\r');
        let may_begin = is_first
            && (text::is_tag(line.bytes) || is_apart && is_first_move(&text.decode(line.bytes).0));
        if may_begin {
            limit = limit.max(position_behind(text, line.at));
            if let Some(end) = game_end(text, line.at..limit, above.clone()) {
                parts.push(MixedPart {
                    range: from..line.at,
                    format: Some(own),
                });
                parts.push(MixedPart {
                    range: line.at..end,
                    format: None,
                });
                (from, is_apart) = (end, true);
                continue;
            }
        }
        is_apart = false;
        above = line.at..line.at + line.bytes.len();
    }
    if parts.is_empty() {
        return None;
    }
    parts.push(MixedPart {
        range: from..bytes.len(),
        format: Some(own),
    });
    Some(parts)
}

/// Where the next line begins that has a position outside of comments and tag pairs.
fn position_behind(text: &ChunkText<'_>, from: usize) -> usize {
    let mut in_comment = false;
    let mut lines = text::lines(&text.bytes[from..]);
    let found = lines.find(|line| {
        let bare = games::without_comments(line.bytes, &mut in_comment);
        let bare = bare.split(|&byte| byte == b';').next().unwrap_or_default();
        !text::is_tag(line.bytes) && !fen_scanner::all(&text.decode(bare).0).is_empty()
    });
    found.map_or(text.bytes.len(), |line| from + line.at)
}

/// Where the game ends that begins a text; `None` if it begins with none. Moves without tags are a
/// game if they can be played from the beginning, and not from the position `above` them.
fn game_end(text: &ChunkText<'_>, range: Range<usize>, above: Range<usize>) -> Option<usize> {
    let bytes = &text.bytes[range.clone()];
    let mut parser = Parser::with_hint(bytes, detect_syntax(bytes)).parting(are_games);
    let mut raw = RawGame::default();
    if !parser.next_game(&mut raw) || raw.span.0 > 0 {
        return None;
    }
    let words = main_words(&raw, bytes);
    // Tag pairs alone say nothing of a game.
    if words.is_empty() && raw.tag(bytes, "FEN").is_none() {
        return None;
    }
    if raw.tags.is_empty() {
        let line = text.decode(&text.bytes[above]).0;
        let position = fen_scanner::all(&line)
            .pop()
            .map(|at| fen_scanner::written(&line[at]));
        let is_beside = position.is_some_and(|at| json_like::played_line(&at, &words).is_some());
        let mut starts = STARTS.iter();
        if is_beside || !starts.any(|start| json_like::played_line(start, &words).is_some()) {
            return None;
        }
    }
    Some(range.start + raw.span.1 as usize)
}

/// Beginnings of games that are recognised by their first moves.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "W:W31-50:B1-20",
    "B:W21-32:B1-12",
    "W:W21-32:B1-12",
];

/// The first words of a main line.
fn main_words(raw: &RawGame, bytes: &[u8]) -> String {
    const WORDS_MAX: usize = 8;
    let mut depth = 0_usize;
    let words = raw.items.iter().filter(|item| {
        match item.kind {
            ItemKind::VariationStart => depth += 1,
            ItemKind::VariationEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        item.kind == ItemKind::Word && depth == 0
    });
    let words: Vec<_> = words
        .take(WORDS_MAX)
        .map(|item| String::from_utf8_lossy(raw.text(bytes, item)))
        .collect();
    words.join(" ")
}

/// Writes the parts of a chunk, positions with what is known of the stream where they are of its
/// own notation.
pub(super) fn transcribe(
    parts: Vec<MixedPart>,
    text: &ChunkText<'_>,
    hints: &StreamHints,
    out: &mut PgnTranscript,
) {
    for part in parts {
        let own = ChunkText {
            bytes: &text.bytes[part.range.clone()],
            ..*text
        };
        out.source_from(part.range.start);
        match part.format.map(|format| (format, format.kind)) {
            Some((_, RecordsKind::Positions(read))) if hints.others == OtherRecords::Games => {
                read(&own, hints, out);
            }
            Some((_, RecordsKind::Positions(read))) => {
                let sample = Sample::of(own.bytes);
                let own_hints = StreamHints {
                    table: TableLayout::of(&sample).map(Into::into),
                    order: TextOrder::of(&sample.text, sample.is_cut()),
                    ..hints.clone()
                };
                read(&own, &own_hints, out);
            }
            _ => games_of(&own, out),
        }
    }
    out.source_from(0);
    out.end();
}

/// Writes games as they stand.
fn games_of(text: &ChunkText<'_>, out: &mut PgnTranscript) {
    out.begin(0);
    let mut guessed = None;
    let mut at = 0;
    for line in text.bytes.split_inclusive(|&byte| byte == b'\n') {
        let (written, is_guessed) = text.decode(line);
        guessed = guessed.or(is_guessed.then_some(at));
        out.place(at);
        out.verbatim(&written);
        at += line.len();
    }
    if let Some(at) = guessed {
        out.find(Code::EncodingGuess, at, text.fallback.name());
    }
    out.end();
}
