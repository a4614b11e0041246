//! Lines of EPD and FEN, of chess and of draughts. The rules are numbered as in
//! `docs/reading-epd.md`.

use std::{borrow::Cow, fmt::Write as _, ops::Range};

use super::{
    ChunkText, PgnTranscript, Sample, StreamHints, games,
    json_like::{self, FieldRecord},
    move_context, pgn_with_text, prose,
    text::first_line,
};
use crate::{
    base::diagnostic::Code,
    games::{
        AnyPosition,
        board_shape::BoardShape,
        chess::notation::fen::{self, ChessFenReading},
        notation::epd,
        running_text::{epd_fields, fen_scanner},
        variant::{Variant, VariantDetection},
    },
    input::chunk::RecordBoundary,
    problems::lines,
};

/// Every line is a record of its own (E1).
pub(super) const LINES: RecordBoundary = RecordBoundary {
    name: "EPD",
    begins: |bytes, at| !pgn_with_text::is_within_game(bytes, at),
    may_begin: |_, _| false,
};

/// First bytes of comment lines (E2).
const COMMENTS: &[u8] = b"#;%";

/// Bytes of a line that are shown of what is no position.
const EXCERPT_BYTES: usize = 100;

/// What a first line that is a position is worth, of whatever the others are.
const BEGUN: u32 = 25;

/// What positions with moves in the lines below them are worth at most: they are a text (L4).
const WITH_MOVES: u32 = 75;

/// Whether half of the positions of a sample have a line below them that can be played.
fn has_moves_below(sample: &Sample<'_>) -> bool {
    let (mut records, mut played, mut above) = (0, 0, None);
    for line in sample.lines() {
        if is_record(line) {
            records += 1;
            above = Some(line);
        } else if let Some(above) = above.take().filter(|_| games::moves_in(line) > 0) {
            let position = fen_scanner::all(above).into_iter().next();
            let is_played = |at: Range<usize>| move_context::are_moves(&above[at], line);
            played += usize::from(position.is_some_and(is_played));
        }
    }
    played > 0 && played * 2 >= records
}

/// How much of a sample is lines that begin with a position (E3): less where the first
/// line, which may be the names of columns, does not.
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    let share = match sample.share(is_record) {
        // Moves are short beside what they are played from, and would be left out.
        share if share < 100 && has_moves_below(sample) => share.min(WITH_MOVES),
        share => share,
    };
    let first = first_line(sample.bytes, COMMENTS).map(String::from_utf8_lossy);
    if first.is_some_and(|line| is_record(&line)) {
        share.max(BEGUN)
    } else {
        share * 4 / 5
    }
}

/// Whether a line is one of EPD, and not the row of a table nor a problem.
pub(super) fn is_record(line: &str) -> bool {
    let line = &fen_scanner::spaced(line)[..];
    let line = of_other_board(line).unwrap_or(line);
    if line.starts_with("startpos") || line.starts_with("position ") {
        return fen::read(line).is_ok();
    }
    let first = line.split([' ', '\t', ';']).next().unwrap_or_default();
    if !first.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    if epd_fields::of_pdn(line.as_bytes()) {
        // A quote that opens and does not close is that of a program.
        return line.starts_with('"') == line.ends_with('"');
    }
    if !BoardShape::of(line.as_bytes()).is_some_and(|shape| shape.is_board()) {
        return false;
    }
    let fields = line.split(';').next().unwrap_or_default();
    let is_cut = |(at, word): (usize, &str)| {
        let is_field = at < 3 || word.starts_with(|c: char| c.is_ascii_digit());
        is_field && word.contains([',', '|'])
    };
    let mut words = fields.split_ascii_whitespace().skip(1).take(5).enumerate();
    if words.any(is_cut) || has_other(fields) {
        return false;
    }
    let side = fields.split_ascii_whitespace().nth(1);
    let has_side = matches!(side, None | Some("w" | "b" | "W" | "B"));
    // A cell that is a position is followed by others; fields have tabs between them, too.
    if let Some((cell, rest)) = line.split_once('\t') {
        let is_whole = cell.split_ascii_whitespace().count() >= 4;
        let word = rest.split_ascii_whitespace().next().unwrap_or_default();
        let behind = rest.trim_start().get(word.len()..).unwrap_or_default();
        let is_row = !has_side || is_whole && !epd::looks_like_opcode(word, behind);
        if is_row {
            return false;
        }
    }
    has_side || !lines::is_problem(line)
}

/// The position of an engine's `position fen …` whose board is not that of chess: such a FEN is
/// read without these words.
fn of_other_board(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("position ")?.trim_start();
    let rest = rest.strip_prefix("fen ").unwrap_or(rest).trim_start();
    let shape = BoardShape::of(rest.as_bytes())?;
    (shape.is_board() && (shape.files, shape.ranks) != (8, 8)).then_some(rest)
}

/// Whether six fields of chess are followed by something else than operations and checks.
fn has_other(fields: &str) -> bool {
    let mut words = fields.split_ascii_whitespace().skip(4);
    let mut is_counter = || {
        let word = words.next();
        word.is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()))
    };
    let has_counters = is_counter() && is_counter();
    let next = words.next().filter(|_| has_counters);
    next.is_some_and(|word| {
        let is_named = word.starts_with(|c: char| c.is_ascii_alphabetic());
        !is_named && !word.contains('+')
    })
}

pub(super) fn transcribe(text: &ChunkText<'_>, hints: &StreamHints, out: &mut PgnTranscript) {
    let mut guessed = false;
    for line in text.lines() {
        match line.bytes.first() {
            None => continue,
            Some(first) if COMMENTS.contains(first) => continue,
            Some(_) => {}
        }
        let (written, guess) = text.decode(line.bytes);
        let written = written.trim_matches(fen_scanner::is_between);
        if hints.variant.is_some() && variant_set(written) == hints.variant {
            continue;
        }
        for part in positions(written).filter(|part| !part.is_empty()) {
            record(line.at, part, hints, OperationSource::Theirs, out);
        }
        if guess && !guessed {
            guessed = true;
            out.find(Code::EncodingGuess, line.at, text.fallback.name());
        }
    }
    out.end();
}

/// The variant that an engine has to play: `setoption name UCI_Variant value xiangqi`.
pub(super) fn variant_set(line: &str) -> Option<&'static Variant> {
    let rest = line.strip_prefix("setoption name UCI_Variant value ")?;
    Variant::named(rest.trim())
}

/// The positions of a line that has several of them, else the line.
fn positions(line: &str) -> impl Iterator<Item = &str> {
    let whole = std::iter::once(0..line.len());
    let listed = fen_scanner::listed(line).into_iter().flatten();
    let mut found: Vec<_> = listed.collect();
    if found.is_empty() {
        found.extend(whole);
    }
    found.into_iter().map(|at| &line[at])
}

/// Writes the record of a line that stands at an offset of the source.
pub(super) fn record(
    at: usize,
    written: &str,
    hints: &StreamHints,
    wording: OperationSource,
    out: &mut PgnTranscript,
) {
    let written = of_other_board(written).unwrap_or(written);
    let written = fen_scanner::spaced(written);
    let with_comment = || with_comment(&written).filter(|_| wording == OperationSource::Theirs);
    let written = with_moves(&written)
        .or_else(with_comment)
        .map_or(written, Cow::Owned);
    let record = EpdRecord {
        at,
        written: &written,
        wording,
        out,
    };
    record.write(hints);
}

/// A line with moves after its position, which an opcode may look like (`c5`), as one with a
/// line of play.
fn with_moves(written: &str) -> Option<String> {
    let is_plain = !written.contains([';', '"']) && !epd_fields::of_pdn(written.as_bytes());
    let last = written
        .split_whitespace()
        .nth(2)
        .and(written.split_whitespace().next_back())?;
    if !is_plain || games::moves_in(last) == 0 {
        return None;
    }
    let at = fen_scanner::all(written)
        .into_iter()
        .next()
        .filter(|at| at.start == 0)?;
    let (position, moves) = written.split_at(at.end);
    let moves = json_like::played_line(position, moves)?;
    Some(format!("{position};pv {moves};"))
}

/// A line with a comment after its position, or after its operations, as one with that
/// comment among them: `… - 0 1 # drawn`, `… - 0 1 ; Black is lost`.
fn with_comment(written: &str) -> Option<String> {
    let at = fen_scanner::all(written).into_iter().next()?;
    let (position, behind) = written.split_at_checked(at.end).filter(|_| at.start == 0)?;
    let mut marks = ["#", "//"].into_iter();
    let begins = |mark| {
        let (before, text) = behind.split_once(mark)?;
        let before = before.trim();
        (before.is_empty() || before.ends_with(';')).then_some((before, text))
    };
    let behind_semicolon = || {
        let text = behind.trim_start().strip_prefix(';')?;
        is_comment(text).then_some(("", text))
    };
    let (operations, text) = marks.find_map(begins).or_else(behind_semicolon)?;
    let text = text.trim_start_matches(['#', '/']).trim();
    let text = text.trim_end_matches(';').trim_end();
    let is_free = |opcode: &String| !operations.contains(&opcode[..]);
    let opcode = (0..=9).map(|nth| format!("c{nth}")).find(is_free)?;
    let operations = operations.trim_start_matches(';');
    text.contains(char::is_alphanumeric)
        .then(|| format!("{position};{operations}{opcode} {};", epd::quoted(text)))
}

/// Whether words after a semicolon are a comment: operations begin with an opcode that is known,
/// or have numbers and moves after their names, and a semicolon at their ends.
fn is_comment(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_known = |word: &str| epd::kind(word) != epd::OperandKind::Any;
    let is_plain = |word: &str| {
        let letters = word.trim_matches(|c: char| c.is_ascii_punctuation());
        letters.chars().count() > 1 && letters.chars().all(char::is_alphabetic)
    };
    let first = words.next().unwrap_or_default();
    let is_sentence = match words.clone().next() {
        None => is_plain(first),
        Some(_) => words.any(is_plain),
    };
    !text.contains([';', '"']) && !is_known(first) && is_sentence
}

/// The beginning of a line that is no position, to be shown.
pub(super) fn excerpt(written: &str) -> String {
    let end = written.floor_char_boundary(EXCERPT_BYTES);
    let dots = if end < written.len() { "…" } else { "" };
    format!("{}{dots}", &written[..end])
}

/// Who worded the operations of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperationSource {
    /// The source, so that what is odd about them is noted.
    Theirs,
    /// Another module of this crate.
    Ours,
}

/// A line on its way to be a record.
struct EpdRecord<'r> {
    at: usize,
    written: &'r str,
    wording: OperationSource,
    out: &'r mut PgnTranscript,
}

/// The name of a variant, and how it is known.
type NamedVariant<'v> = Option<(&'v str, Option<Cow<'static, str>>)>;

impl EpdRecord<'_> {
    fn write(mut self, hints: &StreamHints) {
        if epd_fields::of_pdn(self.written.as_bytes()) {
            return self.pdn(hints);
        }
        let Some(shape) = BoardShape::of(self.written.as_bytes()) else {
            // `startpos`, `position fen …`, quotes: whatever else is a FEN.
            match fen::read(self.written) {
                Ok(reading) => match from_start(self.written, hints) {
                    Some(moves) => self.game(moves, hints),
                    None => self.chess(&reading, None),
                },
                Err(_) => self.reject(),
            }
            return;
        };
        if let Some(name) = hints.foreign {
            return self.other(Some((name, None)));
        }
        match hints.variant_of(&shape) {
            Some(variant) if !plays_chess(variant) => self.another(variant, hints),
            None if !shape.is_square() => {
                // No game that is known has such a board.
                let board = format!("{}x{}", shape.files, shape.ranks);
                self.other(Some((&board, None)));
            }
            known => match fen::read(self.written) {
                Ok(reading) => {
                    let known = known.filter(|variant| variant.id != Variant::CHESS);
                    self.chess(&reading, known.map(|variant| (variant.title, hints.by())));
                }
                Err(_) => match self.worded(reads_faultless) {
                    Some(found) => found.write(|at| at, hints, self.out),
                    None => self.other(known.map(|variant| (variant.title, hints.by()))),
                },
            },
        }
    }

    fn reject(self) {
        self.out
            .reject(Code::NoPosition, self.at, excerpt(self.written));
    }

    /// Moves from the start position of a game that an import finds out, if it is not known.
    fn game(self, moves: &str, hints: &StreamHints) {
        self.out.begin(self.at);
        if let Some(variant) = hints.variant {
            self.out.variant(variant.title, hints.by());
        }
        self.out.movetext(moves);
        self.out.result("*");
    }

    /// A position of chess.
    fn chess(&mut self, reading: &ChessFenReading, variant: NamedVariant<'_>) {
        let line = reading.moves.as_ref().map(|moves| format!("pv {moves};"));
        let text = line.or(reading.operations.clone()).unwrap_or_default();
        let text = text.trim();
        let position = if text.is_empty() {
            None
        } else {
            let set_up = fen::set_up(&reading.setup, &mut Vec::new());
            set_up.ok().map(AnyPosition::from)
        };
        let found = epd::operations(text, position.as_ref());
        self.put(&fen::write(&reading.setup), variant, &found);
        for &code in &reading.warnings {
            // The FEN still says which castling it has, and four fields are all
            // that EPD asks for.
            let is_said =
                code == Code::Chess960Rights || (code == Code::MissingFields && reading.fields.ep);
            if !is_said {
                self.out.find(code, self.at, self.written.to_owned());
            }
        }
    }

    /// A position of another game.
    fn another(&mut self, variant: &'static Variant, hints: &StreamHints) {
        let (fields, text) = epd_fields::split(self.written);
        let text = &with_line(text)[..];
        let mut found = epd::operations(text, None);
        let named = Some((variant.title, hints.by()));
        let Ok(read) = AnyPosition::read_fen(variant, &with_counters(&fields, found.counters))
        else {
            let reads = |fen: &str| {
                AnyPosition::read_fen(variant, &with_counters(fen, [None, None])).is_ok()
            };
            return match self.worded(reads) {
                Some(found) => found.write(|at| at, hints, self.out),
                None => self.other(named),
            };
        };
        if !text.is_empty() {
            found = epd::operations(text, Some(&read.at));
        }
        self.put(&read.at.fen(), named, &found);
        // Where the side to move is given, all that lines of EPD need is there.
        if !read.fields.turn && read.codes.contains(&Code::MissingFields) {
            self.out
                .find(Code::MissingFields, self.at, self.written.to_owned());
        }
    }

    /// The position that a line begins with, if words stand after it, with these as a list has them
    /// (L2, L4): `… - 0 1 Solution: e4`.
    fn worded(&self, reads: impl Fn(&str) -> bool) -> Option<FieldRecord> {
        let at = fen_scanner::all(self.written).into_iter().next()?;
        let (position, words) = self.written.split_at_checked(at.end)?;
        let fields = position.split_whitespace().count();
        let is_whole = fields == 6 || fields == 4 && !words.trim_start().starts_with(is_of_counter);
        // What has semicolons is operations, and several positions are a text.
        let is_said = self.wording == OperationSource::Theirs
            && at.start == 0
            && words.contains(char::is_alphanumeric)
            && !words.contains(';')
            && fen_scanner::all(words).is_empty();
        (is_said && is_whole && reads(position))
            .then(|| prose::quoted(self.at, position, ["", words]))
            .map(FieldRecord::Position)
    }

    /// A position that this module does not read: its fields as they stand.
    fn other(&mut self, variant: NamedVariant<'_>) {
        let (fields, text) = epd_fields::split(self.written);
        let found = epd::operations(text, None);
        self.put(&with_counters(&fields, found.counters), variant, &found);
    }

    /// A FEN of PDN: an import finds out which game it is of.
    fn pdn(&mut self, hints: &StreamHints) {
        let end = epd_fields::pdn_end(self.written).unwrap_or(self.written.len());
        let (fields, text) = self.written.split_at(end);
        let text = text.trim_start_matches([';', ' ', '\t']);
        let found = epd::operations(text, None);
        let is_guessed = |variant: &&Variant| variant.tier() == Some(VariantDetection::Guessed);
        let variant = hints.variant.filter(|_| !hints.is_forced);
        let variant = variant.filter(is_guessed);
        let named = variant.map(|variant| (variant.title, hints.by()));
        let mut fields = fields.trim().to_owned();
        for (letter, counter) in ["H", "F"].into_iter().zip(found.counters) {
            if let Some(number) = counter {
                let _ = write!(fields, ":{letter}{number}");
            }
        }
        self.put(&fields, named, &found);
    }

    /// Writes the record of a position, the line of `pv` as its moves, as far as they are
    /// legal (E9).
    fn put(&mut self, fen: &str, variant: NamedVariant<'_>, found: &epd::Operations) {
        self.out.begin(self.at);
        for (name, value) in epd::to_tags(&found.list) {
            self.out.tag(&name, &value);
        }
        let is_ours = |code: &Code| {
            let is_spelling = matches!(code, Code::EpdSpelling | Code::EpdOperand);
            is_spelling && self.wording == OperationSource::Ours
        };
        for &code in found.warnings.iter().filter(|code| !is_ours(code)) {
            self.out.find(code, self.at, self.written.to_owned());
        }
        self.out.tag("FEN", fen);
        self.out.tag("SetUp", "1");
        if let Some((title, by)) = variant {
            self.out.variant(title, by);
        }
        let words = || json_like::unresolved_line(fen, &found.list);
        // What cannot be played of moves that have no other place stays among them.
        let written = || json_like::written_line(&found.list);
        let own = (self.wording == OperationSource::Ours)
            .then(written)
            .flatten();
        if let Some(moves) = own.or_else(|| epd::line_of(&found.list)).or_else(words) {
            self.out.movetext(&moves);
        }
    }
}

/// The moves of `position startpos moves …` that are none of chess.
fn from_start<'m>(line: &'m str, hints: &StreamHints) -> Option<&'m str> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix("position ").unwrap_or(rest).trim_start();
    let moves = rest.strip_prefix("startpos ")?.trim_start();
    let moves = moves.strip_prefix("moves ")?.trim();
    let is_chess = || {
        let line = format!("pv {moves};");
        let found = epd::operations(&line, Some(&AnyPosition::initial()));
        hints.variant.is_none_or(plays_chess) && !found.warnings.contains(&Code::EpdMove)
    };
    (!moves.is_empty() && !is_chess()).then_some(moves)
}

/// Whether a FEN of chess says all that EPD asks for in its usual spelling.
fn reads_faultless(fen: &str) -> bool {
    let usual = [Code::MissingFields, Code::Chess960Rights];
    fen::read(fen).is_ok_and(|found| found.warnings.iter().all(|code| usual.contains(code)))
}

/// Whether a sign can begin a counter, or stand in its place.
fn is_of_counter(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '-' | '+')
}

/// The operations of a position, where moves after it, as UCI has them, are its line.
fn with_line(text: &str) -> Cow<'_, str> {
    let moves = text.strip_prefix("moves ");
    // An operation that is called so may have a text.
    let moves = moves.filter(|moves| !moves.contains('"'));
    moves.map_or(text.into(), |moves| format!("pv {moves};").into())
}

/// Whether positions of a variant are read as those of chess.
fn plays_chess(variant: &Variant) -> bool {
    variant.tier() == Some(VariantDetection::Assumed)
}

/// The fields of a position, with the counters that operations give it; six of
/// them, where they are those of chess.
fn with_counters(fields: &str, counters: [Option<u32>; 2]) -> String {
    let words = fields.split_ascii_whitespace().count();
    match (counters, words) {
        ([None, None], 4) => format!("{fields} 0 1"),
        ([halfmoves, fullmoves], ..=5) if words >= 4 => {
            let [halfmoves, fullmoves] = [halfmoves.unwrap_or(0), fullmoves.unwrap_or(1)];
            format!("{fields} {halfmoves} {fullmoves}")
        }
        _ => fields.to_owned(),
    }
}
