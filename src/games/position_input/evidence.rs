//! Which of the readings of a text is meant: those that understood all of it are ranked
//! by what speaks for them.

use std::{cmp::Reverse, fmt::Write as _};

use super::{
    ExpectedVariants, PositionError, TypedPosition, Warning, ascii_board,
    line::{self, TypedLine},
};
use crate::base::diagnostic::Code;
use crate::games::{
    AnyPosition, ExtraInfo, ParsedPosition, ReadConfidence, ReadFailure,
    board_shape::BoardShape,
    chess::notation::fen::Fields,
    notation::{clip, epd},
    variant::{ALL, Variant, VariantDetection},
    with_game,
};

/// What speaks for a reading; the greatest is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Evidence {
    /// Whether the text gives a position, and not only moves from a start.
    given: bool,
    /// Moves that were played.
    plies: usize,
    /// Whether the pieces stand as at the start of that game.
    is_start: bool,
    /// Whether it has brackets for pieces in hand, perhaps empty ones, as that game has.
    has_hand: bool,
    /// How likely the game is before anything is read.
    tier: Reverse<u8>,
    /// Whether it is written as that game is.
    fit: ReadConfidence,
    /// Repairs that are worth a look.
    repairs: Reverse<usize>,
}

/// A reading that understood all of a text.
struct RankedReading {
    evidence: Evidence,
    /// Its place where nothing else decides.
    usual: u8,
    typed: TypedPosition,
}

/// A reading that did not.
struct Failure {
    row: &'static Variant,
    refusal: ReadFailure,
    /// Whether it was read as moves from the start.
    is_line: bool,
}

/// The text in its parts.
struct Parts<'t> {
    /// All of it, without quotes and words that say what it is.
    whole: &'t str,
    /// The same, its board drawn square by square brought into the form of a FEN.
    drawn: Option<String>,
    /// What stands before the word `moves`, and after it.
    split: Option<(&'t str, &'t str)>,
}

/// The reading that most speaks for.
pub(super) fn best(text: &str, hint: &ExpectedVariants) -> Result<TypedPosition, PositionError> {
    let rows = playable(hint)?;
    let parts = Parts::of(text);
    let (mut found, mut failed) = (Vec::new(), Vec::new());
    let has_hand = |board: &str| board.contains('[');
    let with_hand = (parts
        .whole
        .split_whitespace()
        .next()
        .filter(|board| has_hand(board)))
    .and_then(|_| BoardShape::of(parts.whole.as_bytes())?.variant());
    for row in rows {
        // Moves alone are of a game that is guessed or requested, and so is what is wrong.
        let is_guessed = row.guess.tier < 2 || !hint.rows.is_empty();
        let line = is_guessed.then(|| parts.line(row));
        for (is_line, read) in [(false, parts.given(row)), (true, line)] {
            match read {
                Some(Ok(read)) if hint.rows.is_empty() && !read.may_be_guessed() => {}
                Some(Ok(mut read)) => {
                    read.evidence.has_hand = with_hand.is_some_and(|of| of.id == row.id);
                    found.push(read);
                }
                Some(Err(refusal)) if is_guessed => failed.push(Failure {
                    row,
                    refusal,
                    is_line,
                }),
                Some(Err(_)) | None => {}
            }
        }
    }
    found.sort_by_key(|candidate| Reverse((candidate.evidence, Reverse(candidate.usual))));
    // Moves with only one of them wrong are more likely meant than a text that only in part says
    // something.
    let is_line = |failure: &Failure| failure.is_line && failure.refusal.reached > 1;
    let is_loose = |candidate: &RankedReading| candidate.evidence.fit == ReadConfidence::Loose;
    match found.first() {
        Some(best) if !(is_loose(best) && failed.iter().any(is_line)) => {}
        _ => return Err(error(failed, &parts, hint)),
    }
    let mut found = found.into_iter();
    let Some(mut best) = found.next() else {
        return Err(error(failed, &parts, hint));
    };
    let other = found.find(|other| other.evidence == best.evidence && other.differs(&best));
    if let Some(other) = other.filter(|_| best.typed.row.guess.tier == 1) {
        best.typed.warnings.push(Warning::OrElse {
            taken: best.typed.row,
            other: other.typed.row,
        });
    }
    Ok(best.typed)
}

/// The rows that are requested and have rules.
fn playable(hint: &ExpectedVariants) -> Result<Vec<&'static Variant>, PositionError> {
    let asked: Vec<&'static Variant> = match &hint.rows[..] {
        [] => ALL.iter().collect(),
        rows => rows.to_vec(),
    };
    let has_rules = |row: &&&'static Variant| row.has_rules();
    let rows: Vec<_> = asked.iter().filter(has_rules).copied().collect();
    match asked.first() {
        Some(first) if rows.is_empty() => Err(PositionError {
            message: format!("the moves of {} are not supported", first.title),
            hint: "`plydex variants` lists the supported variants".into(),
            row: Some(first),
        }),
        _ => Ok(rows),
    }
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Self {
        let is_around = |c: char| {
            c.is_whitespace() || matches!(c, '_' | '\u{FEFF}' | '"' | '\'' | '“' | '”' | '„')
        };
        let mut whole = text.trim_matches(is_around);
        for word in ["position", "fen"] {
            whole = without_word(whole, word).unwrap_or(whole);
        }
        Self {
            whole,
            drawn: ascii_board::as_fen(whole),
            split: split(whole),
        }
    }

    /// The text as a position that is written out, with moves after it or none.
    fn given(&self, row: &'static Variant) -> Option<Result<RankedReading, ReadFailure>> {
        if self.whole.is_empty() || self.start_and_moves().is_some() {
            return None;
        }
        if let Some(drawn) = &self.drawn {
            let read = AnyPosition::read_written(row, drawn);
            return Some(read.map(|written| RankedReading::new(row, written, None)));
        }
        let head = self.split.map(|(head, moves)| {
            let read = AnyPosition::read_written(row, head);
            read.map(|read| (read, moves))
        });
        let read = if let Some(Ok(read)) = head {
            Ok(read)
        } else {
            // The word may be one of a sentence.
            let with_operations = || with_operations(row, self.whole);
            let ended = self.whole.contains(';').then(with_operations).flatten();
            ended
                .map_or_else(|| AnyPosition::read_written(row, self.whole), Ok)
                .or_else(|refusal| with_operations().ok_or(refusal))
                .map(|read| (read, ""))
        };
        Some(read.and_then(|(written, moves)| behind(row, written, moves)))
    }

    /// The text as moves from the start, or as the word for it.
    fn line(&self, row: &'static Variant) -> Result<RankedReading, ReadFailure> {
        let (is_named, moves) = match self.start_and_moves() {
            Some(moves) => (true, moves),
            None => (false, self.whole),
        };
        let Some(at) = AnyPosition::start(row) else {
            let message = format!(
                "{} has no standard start position, so a FEN is needed",
                row.title
            );
            let hint =
                "write the FEN, with castling rights as in X-FEN (`w KQkq` or by file: `w GDgd`)";
            return Err(ReadFailure::nothing(message, hint));
        };
        if is_named && moves.is_empty() {
            let written = ParsedPosition::new(at, Fields::ALL);
            let mut candidate = RankedReading::new(row, written, None);
            candidate.evidence.given = false;
            return Ok(candidate);
        }
        let before = if row.guess.tier == 0 {
            "in the start position".to_owned()
        } else {
            format!("in the start position of {}", row.title)
        };
        let line = with_game!(AnyPosition of &at, at => line::play(at, moves, &before, None));
        if let Some(stop) = line.stop {
            return Err(stop);
        }
        // Numbers, results and comments alone: the start is not what was meant.
        if line.moves.is_empty() {
            return Err(ReadFailure::nothing(NOTHING, WHAT_TO_GIVE));
        }
        // A dash alone is no position.
        if line.passes == line.moves.len() && !is_named {
            let message = format!("`{}` only passes the turn", clip(moves));
            let hint = "type moves before it (`e4 -- d4`), or `startpos moves --`";
            return Err(ReadFailure::at(1, message, hint));
        }
        let fields = Fields {
            counters: is_named,
            ..Fields::ALL
        };
        let mut candidate = RankedReading::new(row, ParsedPosition::new(at, fields), Some(line));
        candidate.evidence.given = false;
        candidate.usual = row.guess.by_moves;
        Ok(candidate)
    }

    /// The moves after the word for the start position, if there is one.
    fn start_and_moves(&self) -> Option<&'t str> {
        let (head, moves) = self.split.unwrap_or((self.whole, ""));
        let is_start = ["startpos", "start"]
            .iter()
            .any(|word| head.eq_ignore_ascii_case(word));
        is_start.then_some(moves)
    }
}

/// A text without a word that it begins with.
fn without_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    let is_word = head.eq_ignore_ascii_case(word) && rest.starts_with(is_blank);
    is_word.then(|| rest.trim_start_matches(is_blank))
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '_'
}

/// What stands before the word `moves` and after it, where it is not quoted.
fn split(text: &str) -> Option<(&str, &str)> {
    const WORD: &str = "moves";
    let lower = text.to_ascii_lowercase();
    let mut places = lower.match_indices(WORD).map(|(at, _)| at);
    let at = places.find(|&at| {
        let (before, behind) = (&text[..at], &text[at + WORD.len()..]);
        let is_word =
            before.ends_with(is_blank) && (behind.is_empty() || behind.starts_with(is_blank));
        is_word && before.matches('"').count() % 2 == 0
    })?;
    let is_around = |c: char| is_blank(c) || matches!(c, '"' | '“' | '”');
    Some((
        text[..at].trim_matches(is_around),
        text[at + WORD.len()..].trim_matches(is_around),
    ))
}

/// Words of a position that stand before the operations of a line of EPD, at most: a FEN of
/// draughts may have blanks between its squares.
const POSITION_WORDS_MAX: usize = 48;

/// A line of EPD of a game whose positions have no operations of their own, as those of chess
/// do.
fn with_operations(row: &'static Variant, text: &str) -> Option<ParsedPosition<AnyPosition>> {
    if row.tier() == Some(VariantDetection::Assumed) || !text.contains(char::is_whitespace) {
        return None;
    }
    let mut starts = Vec::new();
    let mut is_behind_blank = false;
    for (at, c) in text.char_indices() {
        if is_behind_blank && !c.is_whitespace() && starts.len() < POSITION_WORDS_MAX {
            starts.push(at);
        }
        is_behind_blank = c.is_whitespace();
    }
    let is_between = |c: char| c == ';' || c.is_whitespace();
    // As much as can be is of the position: its fields look like names of operations.
    for at in starts.into_iter().rev() {
        let (head, operations) = text.split_at(at);
        let word = operations.split_whitespace().next().unwrap_or_default();
        let behind = &operations[word.len()..];
        if !word.starts_with(';') && !epd::looks_like_opcode(word, behind) {
            continue;
        }
        let mut head = head.trim_end_matches(is_between).to_owned();
        // The readers of some games pass over operations.
        let is_named = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        if !head.contains(':') && head.split_whitespace().skip(4).any(is_named) {
            continue;
        }
        let counters = epd::counters(operations);
        if counters != [None; 2] && matches!(head.split_whitespace().count(), 4 | 5) {
            let [half, full] = [counters[0].unwrap_or(0), counters[1].unwrap_or(1)];
            let _ = write!(head, " {half} {full}");
        }
        let Ok(mut read) = AnyPosition::read_written(row, &head) else {
            continue;
        };
        if read.fit == ReadConfidence::Loose {
            continue;
        }
        let found = epd::operations(operations, Some(&read.at));
        // Four fields are all that EPD has.
        read.codes.retain(|&code| code != Code::MissingFields);
        read.note(&found.warnings);
        read.aside.operations = found.list;
        return Some(read);
    }
    None
}

/// A position that was written out, with moves after it.
fn behind(
    row: &'static Variant,
    mut written: ParsedPosition<AnyPosition>,
    moves: &str,
) -> Result<RankedReading, ReadFailure> {
    if moves.is_empty() {
        return Ok(RankedReading::new(row, written, None));
    }
    let before = "in the given position";
    let language = written.language;
    let line = with_game!(AnyPosition of &written.at, at => {
        line::play(at, moves, before, language)
    });
    if let Some(stop) = line.stop {
        let reached = stop.reached + ReadFailure::BOARD + 1;
        return Err(ReadFailure { reached, ..stop });
    }
    if !line.moves.is_empty() {
        // Now it is known who moves and what can be captured; castling rights are still
        // only what was said of them.
        written.fields.turn = true;
        written.fields.ep = true;
        written.aside.operations.clear();
    }
    Ok(RankedReading::new(row, written, Some(line)))
}

impl RankedReading {
    fn new(
        row: &'static Variant,
        written: ParsedPosition<AnyPosition>,
        line: Option<TypedLine>,
    ) -> Self {
        let ParsedPosition {
            at,
            fields,
            mut fit,
            mut codes,
            notes,
            mut aside,
            ..
        } = written;
        let is_start = AnyPosition::start(row).is_some_and(|start| {
            start.placement() == at.placement() && (!fields.turn || start.turn() == at.turn())
        });
        let start = at.clone();
        let (mut at, mut moves) = (at, Vec::new());
        let (mut notes, mut stray) = (notes, None);
        if let Some(line) = line {
            let said = |result| format!("`{result}` after the moves is not part of the position");
            notes.extend(line.result.map(said));
            let said = |text: String| format!("`{}` after the semicolon is a comment", clip(&text));
            notes.extend(line.comment.map(said));
            stray = line.stray;
            aside = ExtraInfo {
                double_step: line.double_step,
                ..aside
            };
            at = line.at;
            moves = line.moves;
            codes.extend(line.codes);
            if !line.is_own {
                fit = fit.min(ReadConfidence::Foreign);
            }
        }
        let mut warnings: Vec<Warning> = Vec::new();
        let codes = codes.into_iter().map(Warning::Repaired);
        for warning in codes.chain(notes.into_iter().map(Warning::Said)) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let repairs = warnings.iter().filter(|warning| !warning.is_usual());
        let evidence = Evidence {
            given: fit != ReadConfidence::Loose,
            plies: moves.len(),
            is_start: is_start && moves.is_empty(),
            has_hand: false,
            tier: Reverse(row.guess.tier),
            fit,
            repairs: Reverse(repairs.count()),
        };
        Self {
            evidence,
            usual: row.guess.by_position,
            typed: TypedPosition {
                at,
                row,
                fields,
                warnings,
                moves,
                start,
                aside,
                stray,
            },
        }
    }

    /// Whether it may be guessed where no game is named.
    fn may_be_guessed(&self) -> bool {
        let Evidence {
            fit,
            tier,
            is_start,
            given,
            ..
        } = self.evidence;
        fit != ReadConfidence::Asked && (tier.0 < 2 || is_start && given)
    }

    /// Whether it has other pieces or another side to move.
    fn differs(&self, other: &Self) -> bool {
        let (at, other) = (&self.typed.at, &other.typed.at);
        at.turn() != other.turn() || at.placement() != other.placement()
    }
}

/// What is wrong with the reading that came furthest.
fn error(failed: Vec<Failure>, parts: &Parts<'_>, hint: &ExpectedVariants) -> PositionError {
    let text = parts.whole;
    let nothing = |message: String| PositionError {
        message,
        hint: WHAT_TO_GIVE.into(),
        row: None,
    };
    let rank = |failure: &Failure| {
        let guess = failure.row.guess;
        let usual = if failure.is_line {
            guess.by_moves
        } else {
            guess.by_position
        };
        (failure.refusal.reached, Reverse(guess.tier), Reverse(usual))
    };
    let furthest = failed.into_iter().reduce(|known, other| {
        // Of one row the line comes last, and is the better one.
        let is_same =
            other.row.id == known.row.id && other.refusal.reached == known.refusal.reached;
        if is_same || rank(&other) > rank(&known) {
            other
        } else {
            known
        }
    });
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_numbered = word.starts_with(|c: char| c.is_ascii_digit());
    let Some(Failure { row, refusal, .. }) = furthest.filter(|_| !text.is_empty()) else {
        return nothing(NOTHING.to_owned());
    };
    let is_any = hint.rows.iter().all(|row| row.guess.tier == 0);
    if refusal.reached == 0 && is_any && !is_numbered && refusal.message != NOTHING {
        return nothing(format!("`{}` is neither a FEN nor a move", clip(word)));
    }
    let mut message = refusal.message;
    if hint.rows.len() > 1 {
        let names: Vec<&str> = hint.rows.iter().map(|row| row.title).collect();
        let _ = write!(message, " (read as {}, of {})", row.title, names.join(", "));
    }
    PositionError {
        message,
        hint: refusal.hint,
        row: Some(row),
    }
}

const NOTHING: &str = "no position was given";
const WHAT_TO_GIVE: &str = "give a FEN (`8/8/8/4k3/8/8/4P3/4K3 w - - 0 1`), moves (`1.e4 c5 2.Nf3`), `startpos` or a Chess960 number (`960:518`)";
