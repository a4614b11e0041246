//! What a user types where a position is asked for: a FEN in any spelling, a
//! UCI `position` line, a line of EPD, a Chess960 number, a diagram in any language,
//! a problem, or moves from the start.

mod diagram;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Position as _, Setup, Square};

pub use diagram::Told;

use super::{
    clip, epd,
    fen::{self, FenError, Fields},
    forsyth::ForsythError,
    lenient_move::{self, MoveError, Ply, Resolved},
    letters::{self, ENGLISH, Language},
    san, so_far,
};
use crate::diagnostic::Code;

/// A position as a user gave it.
#[derive(Debug, Clone)]
pub struct PositionText {
    /// The position after the moves, if any.
    pub position: Chess,
    /// What was said about it: a search does not ask for the rest. A line of
    /// moves says all but the counters.
    pub fields: Fields,
    /// What was repaired, each code once.
    pub warnings: Vec<Code>,
    /// The moves that were played, from the position given or the start.
    pub line: Vec<Move>,
    /// The square that a double step has just passed over, whether or not a capture
    /// there is legal: for FENs of older customs.
    pub double_step: Option<Square>,
    /// The operations of a line of EPD, while no moves are played from it.
    pub operations: Vec<epd::Operation>,
    /// What was said that a FEN does not say: the language of a diagram, a problem.
    pub told: Option<Told>,
}

/// Why a text is no position. The message says what it was understood as and
/// where that broke; [`PositionTextError::hint`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionTextError {
    /// Nothing was typed.
    #[error("no position was given")]
    Empty,
    /// Read as a FEN, but it is none.
    #[error("read as a FEN: {0}")]
    Fen(FenError),
    /// Read as a diagram with letters of another language, but it is none.
    #[error("read as a diagram: {0}")]
    Diagram(ForsythError),
    /// Read as the number of a Chess960 start.
    #[error("read as a Chess960 number: `{text}` is not a number from 0 to 959")]
    Chess960Number {
        /// What stands for the number.
        text: String,
    },
    /// Read as moves, one of which is none or cannot be played.
    #[error("move {number} {}; {after}", describe(.error).0)]
    Move {
        /// The number as in a score: `3` for White's third move, `3...` for Black's.
        number: String,
        /// Where the line stood: "after 1.e4 c5", "in the position given".
        after: String,
        /// What is wrong with the word.
        error: MoveError,
    },
    /// Neither a FEN nor moves.
    #[error("`{word}` is neither a FEN nor a move")]
    NotUnderstood {
        /// The first word.
        word: String,
    },
}

/// What is wrong with a word, as a person is told, and what to do about it.
pub(crate) fn describe(error: &MoveError) -> (String, &'static str) {
    let what = match error {
        MoveError::NotAMove { word } => format!("`{word}` is not a move"),
        MoveError::Illegal { word, reason } => format!("`{word}` cannot be played: {reason}"),
        MoveError::Ambiguous { word, reason } => format!("`{word}` is ambiguous: {reason}"),
    };
    let hint = match error {
        MoveError::Ambiguous { .. } => {
            "name the file or rank the man comes from, as in Nbd2 or R1e2"
        }
        _ => "moves are read in SAN (Nf3), long (Ng1-f3) and UCI (g1f3) spelling",
    };
    (what, hint)
}

impl PositionTextError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Empty | Self::NotUnderstood { .. } => {
                "give a FEN (`8/8/8/4k3/8/8/4P3/4K3 w - - 0 1`), moves (`1.e4 c5 2.Nf3`), `startpos` or a Chess960 number (`960:518`)"
            }
            Self::Fen(
                FenError::Kings { .. }
                | FenError::PawnBackrank { .. }
                | FenError::OppositeCheck { .. },
            ) => "compare the FEN with its diagram: a man or the side to move is wrong",
            Self::Diagram(_) => {
                "a diagram is eight ranks with `/` between, from the top, with the piece letters of one language"
            }
            Self::Fen(_) => {
                "a FEN is: eight ranks with `/` between, side to move, castling rights, en passant square, two counters; all but the ranks may be left out"
            }
            Self::Chess960Number { .. } => "518 is the usual start position",
            Self::Move { error, .. } => describe(error).1,
        }
    }
}

/// Reads a position as users type it: a FEN with one to six fields, EPD,
/// `startpos`, a UCI `position …` line, `960:518`, a diagram with the piece letters
/// of any language, alone, with the other fields of a FEN or in the line of a
/// problem, or moves such as `1.e4 c5 2.Nf3`, `e4 c5`, `e2e4 c7c5`. Move numbers, results, comments and
/// evaluation signs among the moves are passed over.
///
/// # Errors
///
/// [`PositionTextError`]; print its hint below it.
pub fn read(text: &str) -> Result<PositionText, PositionTextError> {
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    if trimmed.is_empty() {
        return Err(PositionTextError::Empty);
    }
    if let Some(number) = chess960_number(trimmed) {
        return chess960(number);
    }
    let read = if looks_like_fen(trimmed) {
        read_fen_text(trimmed, None)
    } else {
        read_moves(trimmed.trim_matches(['"', '“', '”']))
    };
    match read {
        Ok(read) => Ok(read),
        // What is neither a FEN nor moves may be a diagram. Without slashes there
        // is none where somebody clearly meant moves.
        Err(error @ PositionTextError::Move { .. }) if !diagram::is_in(trimmed) => Err(error),
        Err(error) => diagram::read(trimmed).unwrap_or(Err(error)),
    }
}

/// Reads a position that is written out: as [`read`], but moves from the start are none.
///
/// # Errors
///
/// As [`read`].
pub fn given(text: &str) -> Result<PositionText, PositionTextError> {
    if let Some(number) = chess960_number(text) {
        return chess960(number);
    }
    read_fen_text(text, None).or_else(|error| diagram::read(text).unwrap_or(Err(error)))
}

/// Reads moves from the start, in any language. Where words can be moves in several,
/// the one is taken in which all of them can be played.
fn read_moves(text: &str) -> Result<PositionText, PositionTextError> {
    let fields = Fields {
        counters: false,
        ..Fields::ALL
    };
    let start = |language| Line::new(Chess::default(), Vec::new(), true, language);
    let line = start(None).read(text).or_else(|error| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let language = letters::detect_language_by_play(&Chess::default(), &words)
            .filter(|&language| language != ENGLISH);
        let Some(language) = language else {
            return Err(error);
        };
        start(Some(language)).read(text).map_err(|_| error)
    })?;
    // Numbers, results and comments alone: the start is not what was meant.
    if line.moves.is_empty() {
        return Err(PositionTextError::Empty);
    }
    Ok(line.finish(fields))
}

/// Reads a FEN or a line of EPD; moves behind it may be in another language.
fn read_fen_text(
    text: &str,
    language: Option<&'static Language>,
) -> Result<PositionText, PositionTextError> {
    let mut reading = fen::read(text).map_err(PositionTextError::Fen)?;
    let position = set_up(&mut reading.setup, reading.fields, &mut reading.warnings)
        .map_err(PositionTextError::Fen)?;
    let start = reading.setup == Setup::initial();
    let mut fields = reading.fields;
    let mut warnings = reading.warnings;
    let mut operations = Vec::new();
    if reading.operations.is_some()
        && let Ok(epd) = epd::read(text)
    {
        operations = epd.operations;
        warnings = epd.warnings;
    }
    let mut line = Line::new(position, warnings, start, language);
    line.double_step = reading.double_step;
    if let Some(moves) = &reading.moves {
        line = line.read_all(moves)?;
        // Once moves are played it is known who moves and what can be
        // captured; castling rights are still only what the FEN said.
        if !line.moves.is_empty() {
            fields = Fields {
                turn: true,
                ep: true,
                ..fields
            };
        }
    }
    let mut read = line.finish(fields);
    read.operations = operations;
    Ok(read)
}

/// Sets up a position. Where nobody said who moves and it cannot be White,
/// since Black is in check, it is Black.
fn set_up(setup: &mut Setup, fields: Fields, warnings: &mut Vec<Code>) -> Result<Chess, FenError> {
    let before = warnings.len();
    match fen::set_up(setup, warnings) {
        Err(FenError::OppositeCheck { .. }) if !fields.turn => {
            setup.turn = !setup.turn;
            warnings.truncate(before);
            fen::set_up(setup, warnings)
        }
        done => done,
    }
}

/// Whether the text is meant as a FEN: by a word that says so, or by the
/// slashes of its first field.
fn looks_like_fen(text: &str) -> bool {
    let first = text
        .split(|c: char| c.is_whitespace() || c == '_')
        .find(|word| !word.is_empty());
    let first = first
        .unwrap_or_default()
        .trim_matches(['"', '\'', '“', '”']);
    let keyword = ["position", "fen", "startpos"]
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word));
    keyword || first.matches('/').count() >= 2
}

/// The text after `960:` and its kin.
fn chess960_number(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    for prefix in ["chess960", "fischerandom", "frc", "960", "sp"] {
        if lower.starts_with(prefix) {
            let rest = text[prefix.len()..].trim_start();
            if let Some(number) = rest.strip_prefix([':', '#', '=']) {
                return Some(number.trim());
            }
        }
    }
    None
}

fn chess960(text: &str) -> Result<PositionText, PositionTextError> {
    let wrong = || PositionTextError::Chess960Number { text: clip(text) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text
        .parse::<u32>()
        .ok()
        .filter(|&n| n < 960 && digits)
        .ok_or_else(wrong)?;
    let board = Board::chess960(number);
    let castling_rights = board.rooks() & Bitboard::BACKRANKS;
    let setup = Setup {
        board,
        castling_rights,
        ..Setup::initial()
    };
    let mut warnings = Vec::new();
    let position = fen::set_up(&setup, &mut warnings).map_err(PositionTextError::Fen)?;
    Ok(PositionText {
        position,
        fields: Fields::ALL,
        warnings,
        line: Vec::new(),
        double_step: None,
        operations: Vec::new(),
        told: None,
    })
}

/// A line of moves being read.
struct Line {
    position: Chess,
    warnings: Vec<Code>,
    moves: Vec<Move>,
    /// What was played, for messages: `1.e4 c5 2.Nf3`.
    score: Vec<String>,
    from_start: bool,
    /// The language of the moves, if it is known.
    language: Option<&'static Language>,
    double_step: Option<Square>,
}

impl Line {
    fn new(
        position: Chess,
        warnings: Vec<Code>,
        from_start: bool,
        language: Option<&'static Language>,
    ) -> Self {
        Self {
            position,
            warnings,
            moves: Vec::new(),
            score: Vec::new(),
            from_start,
            language,
            double_step: None,
        }
    }

    /// Reads moves where nothing says that it must be moves.
    fn read(self, text: &str) -> Result<Self, PositionTextError> {
        let numbered = text.starts_with(|c: char| c.is_ascii_digit());
        match self.read_all(text) {
            // The first word is no move: perhaps no moves were meant at all.
            Err(PositionTextError::Move {
                after,
                error: MoveError::NotAMove { word },
                ..
            }) if after == START && !numbered => Err(PositionTextError::NotUnderstood { word }),
            other => other,
        }
    }

    fn read_all(mut self, text: &str) -> Result<Self, PositionTextError> {
        for word in words(&strip_comments(text)) {
            self.play(&word)?;
        }
        Ok(self)
    }

    fn play(&mut self, word: &str) -> Result<(), PositionTextError> {
        let Resolved {
            plies, findings, ..
        } = lenient_move::resolve_in(&self.position, word, self.language)
            .map_err(|error| self.error(error))?;
        for ply in plies {
            let Ply::Move(m) = ply else {
                let reason = "a line to search for has no null moves".to_owned();
                return Err(self.error(MoveError::Illegal {
                    word: clip(word),
                    reason,
                }));
            };
            let (number, spelled) = (self.number(), san::write(&self.position, &m));
            self.score.push(match self.position.turn() {
                Color::White => format!("{number}.{spelled}"),
                Color::Black if self.score.is_empty() => format!("{number}{spelled}"),
                Color::Black => spelled,
            });
            self.position.play_unchecked(m);
            self.double_step = self.position.to_setup(EnPassantMode::Always).ep_square;
            self.moves.push(m);
        }
        for code in findings {
            if !self.warnings.contains(&code) {
                self.warnings.push(code);
            }
        }
        Ok(())
    }

    /// The number of the next move as in a score.
    fn number(&self) -> String {
        let dots = if self.position.turn() == Color::White {
            ""
        } else {
            "..."
        };
        format!("{}{dots}", self.position.fullmoves())
    }

    fn error(&self, error: MoveError) -> PositionTextError {
        let after = so_far(&self.score, || {
            let start = if self.from_start {
                START
            } else {
                "in the position given"
            };
            start.to_owned()
        });
        PositionTextError::Move {
            number: self.number(),
            after,
            error,
        }
    }

    fn finish(self, fields: Fields) -> PositionText {
        let Self {
            position,
            warnings,
            moves: line,
            double_step,
            ..
        } = self;
        PositionText {
            position,
            fields,
            warnings,
            line,
            double_step,
            operations: Vec::new(),
            told: None,
        }
    }
}

const START: &str = "in the start position";

/// Blanks out `{comments}`; an unclosed one ends with the text.
pub(crate) fn strip_comments(text: &str) -> String {
    let mut inside = false;
    text.chars()
        .map(|c| {
            let comment = inside || c == '{';
            inside = (inside || c == '{') && c != '}';
            if comment { ' ' } else { c }
        })
        .collect()
}

/// The words of a line, its comments stripped, that may be moves: without numbers
/// and what says nothing about the line.
pub(super) fn words(line: &str) -> Vec<Cow<'_, str>> {
    let mut found: Vec<Cow<'_, str>> = Vec::new();
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let word = strip_number(word);
        if is_decoration(word) {
            continue;
        }
        // Old books write `e8 = Q` and `e8 (Q)`; a blank is no end there.
        let mut joined = String::new();
        while let Some(next) = words.next_if(|next| {
            next.starts_with(['=', '(']) || (joined.ends_with('=') && next.chars().count() == 1)
        }) {
            if joined.is_empty() {
                joined.push_str(word);
            }
            joined.push_str(next);
        }
        found.push(if joined.is_empty() {
            word.into()
        } else {
            joined.into()
        });
    }
    found
}

/// Takes a move number off a word: `12.`, `12...Nf6`, `12…Nf6`.
fn strip_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = |c: char| matches!(c, '.' | '…' | '․');
    if rest.is_empty() && !matches!(word, "00" | "000" | "0000") {
        return rest;
    }
    if rest.starts_with(dots) {
        rest.trim_start_matches(dots)
    } else {
        word
    }
}

/// Words between moves that say nothing about the line.
fn is_decoration(word: &str) -> bool {
    matches!(
        word,
        "" | "1-0"
            | "0-1"
            | "1/2-1/2"
            | "½-½"
            | "*"
            | "e.p."
            | "ep"
            | "+-"
            | "-+"
            | "+/-"
            | "-/+"
            | "="
            | "∞"
            | "±"
            | "∓"
            | "⩲"
            | "⩱"
            | "N"
    ) || word
        .chars()
        .all(|c| matches!(c, '!' | '?' | '+' | '#' | ','))
        || word
            .strip_prefix('$')
            .is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()))
}
