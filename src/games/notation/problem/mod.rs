//! Problems as one line: author, source, diagram, numbers of pieces, stipulation,
//! and perhaps the solution, as collections and newspapers print them.
//!
//! Only the diagram is needed, and only it can be wrong; the rest is read where it exists. What the
//! stipulation says about the language ranks the readings of the diagram.

mod path;
mod pattern;
mod signs;
pub mod stipulation;
#[cfg(test)]
mod tests;
mod words;

use std::fmt::Write as _;

use crate::games::chess::basics::{Color, Setup};

pub use path::may_be_path;
pub use pattern::StipulationPattern;
pub use stipulation::{Goal, Play, Stipulation};

use super::{
    clip,
    forsyth::{self, Forsyth, ForsythError},
    letters::Language,
    piece_list::PieceList,
};
use crate::{base::diagnostic::Code, games::board_shape::RANKS_RIGHT_MIN};

/// A problem as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Who composed it.
    pub author: Option<String>,
    /// Where and when it was printed.
    pub source: Option<String>,
    /// The diagram, in every reading.
    pub diagram: Forsyth,
    /// White's and Black's pieces, as the line says; [`Problem::pieces`] counts them.
    pub count: Option<(u32, u32)>,
    /// What the problem asks.
    pub stipulation: Option<Stipulation>,
    /// What stands for a stipulation but is not understood.
    pub unread: Option<String>,
    /// The solution as written, from its first move number on.
    pub solution: Option<String>,
    /// What was repaired or does not fit, each code once.
    pub warnings: Vec<Code>,
}

/// Why a line is no problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// Nothing in it is a diagram.
    #[error("there is no diagram in `{text}`")]
    NoDiagram {
        /// The line, cut to a length for messages.
        text: String,
    },
    /// The diagram is none.
    #[error(transparent)]
    Diagram(ForsythError),
}

/// Reads a line with a diagram in any language.
///
/// ```
/// use plydex::games::notation::{letters::Language, problem};
///
/// let line = "(Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2) (5+1) Ματ σε 3 κινήσεις";
/// let problem = problem::read(line).unwrap();
/// let german = Language::by_code("de").unwrap();
/// assert_eq!(problem.write(german), "T7/4k3/4S3/K2L4/8/8/8/5T2 (5+1) #3");
/// ```
///
/// # Errors
///
/// [`ProblemError`]; whatever surrounds a good diagram is no error.
pub fn read(line: &str) -> Result<Problem, ProblemError> {
    let no_diagram = || ProblemError::NoDiagram { text: clip(line) };
    let parts = ProblemLine::of(cut(line).ok_or_else(no_diagram)?);
    let diagram = parts.diagram;
    read_parts(&parts, |language| forsyth::read_with(diagram, language))
        .map_err(ProblemError::Diagram)
}

/// Reads what stands around a board that is described by words: the text before it, and that after
/// it.
#[must_use]
pub fn read_around(head: &str, list: &PieceList, tail: &str) -> Problem {
    let parts = ProblemLine::of((head, "", tail));
    let diagram = Forsyth::of(list.board.clone(), list.language);
    let read = read_parts(&parts, |_| Ok::<_, std::convert::Infallible>(diagram));
    match read {
        Ok(problem) => problem,
        Err(never) => match never {},
    }
}

fn read_parts<E>(
    parts: &ProblemLine<'_>,
    diagram: impl FnOnce(Option<&'static Language>) -> Result<Forsyth, E>,
) -> Result<Problem, E> {
    // Some print the stipulation above the diagram. A sentence may go on after the stipulation.
    let mut unread = parts.asked;
    let asked_below = asked_first(parts.asked).map(|(asked, rest)| {
        unread = rest;
        asked
    });
    let asked_above = if asked_below.is_none() && parts.asked.is_empty() {
        read_stipulation(parts.head)
    } else {
        None
    };
    let (author, source) = match asked_above {
        Some(_) => Default::default(),
        None => parts.author_and_source(),
    };
    let (stipulation, language) = asked_below.or(asked_above).unzip();
    let language = language.flatten();
    let mut diagram = diagram(language)?;
    if diagram.is_ambiguous()
        && language.is_none()
        && let Some(solution) = parts.solution
    {
        diagram.weigh_by_moves(&first_moves(solution));
    }
    let is_unread = stipulation.is_none() && !unread.is_empty();
    let mut problem = Problem {
        author,
        source,
        count: parts.count,
        stipulation,
        unread: (!unread.is_empty()).then(|| unread.to_owned()),
        solution: parts.solution.map(str::to_owned),
        warnings: diagram.warnings.clone(),
        diagram,
    };
    if is_unread {
        problem.warnings.push(Code::StipulationUnknown);
    }
    if problem.count.is_some_and(|count| count != problem.pieces()) {
        problem.warnings.push(Code::CountMismatch);
    }
    Ok(problem)
}

impl Problem {
    /// White's and Black's pieces on the diagram, kings counted.
    pub fn pieces(&self) -> (u32, u32) {
        let board = self.diagram.board();
        let count = |color| board.by_color(color).count() as u32;
        (count(Color::White), count(Color::Black))
    }

    /// Who moves first, if the stipulation says so.
    pub fn turn(&self) -> Option<Color> {
        self.stipulation.as_ref().map(Stipulation::first)
    }

    /// The diagram as a position, without castling rights; White begins where
    /// nothing else is said.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.diagram.board().clone(),
            turn: self.turn().unwrap_or(Color::White),
            ..Setup::empty()
        }
    }

    /// Writes the line in one spelling, the diagram in this language.
    pub fn write(&self, language: &Language) -> String {
        let mut out = String::new();
        for text in [&self.author, &self.source].into_iter().flatten() {
            out.push_str(text);
            out.push_str(", ");
        }
        let (white, black) = self.pieces();
        out.push_str(&forsyth::write(self.diagram.board(), language));
        let _ = write!(out, " ({white}+{black})");
        for text in [
            self.stipulation.as_ref().map(ToString::to_string),
            self.unread.clone(),
            self.solution.clone(),
        ]
        .into_iter()
        .flatten()
        {
            out.push(' ');
            out.push_str(&text);
        }
        out
    }
}

/// Reads a stipulation in signs or in the words of any language.
///
/// ```
/// use plydex::games::notation::problem;
/// assert_eq!(problem::stipulation_of("Matt in 3 Zügen").unwrap().to_string(), "#3");
/// ```
pub fn stipulation_of(text: &str) -> Option<Stipulation> {
    read_stipulation(text).map(|(stipulation, _)| stipulation)
}

/// A stipulation, with the language of its words.
fn read_stipulation(text: &str) -> Option<(Stipulation, Option<&'static Language>)> {
    let text = tidy(text);
    let in_signs = signs::read(text).map(|stipulation| (stipulation, None));
    in_signs.or_else(|| words::read(text))
}

/// What a text says that asks something, and what stands after that.
fn asked_first(text: &str) -> Option<((Stipulation, Option<&'static Language>), &str)> {
    if let Some(asked) = read_stipulation(text) {
        return Some((asked, ""));
    }
    let sentence = text.find(". ").map(|at| at + 1);
    if let Some(end) = sentence
        && let Some(asked) = read_stipulation(text[..end].trim_end_matches('.'))
    {
        return Some((asked, tidy(&text[end..])));
    }
    let (word, rest) = text.split_once(char::is_whitespace)?;
    // A sign alone may be anything before other words.
    let word = word.trim_end_matches(['.', ',', ';', ':']);
    let asked = signs::read(word).filter(|_| word.len() > 1)?;
    // Numbers and brackets count solutions or pieces, or are a part of the stipulation.
    let is_sentence = rest.trim_start().starts_with(char::is_alphabetic);
    is_sentence.then_some(((asked, None), tidy(rest)))
}

/// A line in its parts.
#[derive(Debug)]
pub struct ProblemLine<'t> {
    head: &'t str,
    /// The diagram.
    pub diagram: &'t str,
    /// White's and Black's pieces, as the line says.
    pub count: Option<(u32, u32)>,
    /// What the problem asks, as written.
    pub asked: &'t str,
    /// The solution.
    pub solution: Option<&'t str>,
}

impl<'t> ProblemLine<'t> {
    /// The parts of the text before a diagram, the diagram, the text after it.
    pub fn of((head, diagram, tail): (&'t str, &'t str, &'t str)) -> Self {
        let (tail, solution) = cut_solution(tail);
        let (mut count, mut tail) = cut_count(tail);
        // Some print the numbers of pieces after the stipulation.
        if count.is_none()
            && let Some((asked, behind)) = tail.rfind('(').map(|at| tail.split_at(at))
            && let (Some(told), rest) = cut_count(behind)
            && tidy(rest).trim_matches('.').is_empty()
        {
            (count, tail) = (Some(told), asked);
        }
        Self {
            head,
            diagram,
            count,
            asked: tidy(tail),
            solution,
        }
    }

    /// Whether it says how many pieces stand on the board.
    pub const fn counts_pieces(&self) -> bool {
        self.count.is_some()
    }

    /// What stands before the diagram: up to the first comma the composer, if one is named, then
    /// where and when it was printed.
    pub fn author_and_source(&self) -> (Option<String>, Option<String>) {
        let is_around = |c: char| c == '(' || c.is_whitespace();
        let head = tidy(self.head.trim_end_matches(is_around));
        // Cut out of a word, a part must not become a diagram.
        let is_diagram = |text: &str| {
            let mut words = text.split_whitespace();
            words.any(forsyth::looks_like_placement)
        };
        // A comma with nothing before it: no composer is named.
        let is_nameless = self.head.trim_start().starts_with(',');
        let parts = if is_nameless {
            Some(("", head))
        } else {
            head.split_once([',', ';'])
        };
        let (author, source) = parts
            .filter(|(author, source)| !is_diagram(author) && !is_diagram(source))
            .unwrap_or((head, ""));
        let known = |text| Some(tidy(text).to_owned()).filter(|text| !text.is_empty());
        (known(author), known(source))
    }
}

/// The text before the first diagram of a line, the diagram, the text after it:
/// one of orthodox pieces, or with the signs of fairy pieces (`.EH`, `=P`, `(!n)`).
pub fn diagram_in(line: &str) -> Option<(&str, &str, &str)> {
    let found = cut(line).or_else(|| {
        let sign = |c: char| c.is_alphanumeric() || "/.=+-*()!?".contains(c);
        let is_diagram = |word: &&str| {
            // `(R/B)` is a piece.
            let mut depth = 0_i32;
            let ends_rank = |c: char| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                c == '/' && (depth == 0 || word.starts_with('(') && depth == 1)
            };
            word.chars().all(sign) && word.chars().filter(|c| *c == '/').count() >= 7 && {
                let mut ends_rank = ends_rank;
                word.chars().filter(|c| ends_rank(*c)).count() == 7
            }
        };
        if !may_have_ranks(line) {
            return None;
        }
        let word = line.split_whitespace().find(is_diagram)?;
        Some(around(line, word))
    });
    // Numbers alone are dates and the like, but for those of empty ranks.
    let can_be = |diagram: &str| {
        let mut ranks = diagram.split('/');
        diagram.chars().any(|c| !c.is_ascii_digit() && c != '/') || ranks.all(|rank| rank == "8")
    };
    found.filter(|(_, diagram, _)| can_be(diagram) && has_ranks(diagram))
}

/// Whether what stands between the slashes of a diagram are ranks: some may be counted wrong,
/// but hardly most of them. The parts of paths are words of any length.
fn has_ranks(diagram: &str) -> bool {
    if !diagram.contains('/') {
        return true;
    }
    let [right_min, with_empty_min] = RANKS_RIGHT_MIN;
    WIDTHS.iter().any(|&width| {
        let is_right = |rank: &&str| {
            [false, true]
                .map(|how| squares_of(rank, how))
                .contains(&width)
        };
        let right = ranks_of(diagram).filter(is_right);
        let is_empty = |rank: &&str| rank.contains(|c: char| c.is_ascii_digit());
        let with_empty = right.clone().filter(is_empty);
        right.count() >= right_min as usize && with_empty.count() >= with_empty_min as usize
    })
}

/// Squares of the ranks of boards that have eight of them.
const WIDTHS: [u32; 4] = [8, 9, 10, 12];

/// The ranks of a diagram; `(R/B)` is a piece.
fn ranks_of(diagram: &str) -> impl Iterator<Item = &str> + Clone {
    let mut depth = 0_i32;
    without_parentheses(diagram).split(move |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == '/' && depth == 0
    })
}

/// A diagram in parentheses that is complete without them. Those around `(S)7/…/6(K)` are two
/// pieces.
fn without_parentheses(diagram: &str) -> &str {
    let inner = diagram.strip_prefix('(').and_then(|d| d.strip_suffix(')'));
    let is_whole = |inner: &&str| {
        let open = inner.find('(').unwrap_or(inner.len());
        inner.find(')').is_none_or(|close| open < close)
    };
    inner.filter(is_whole).unwrap_or(diagram)
}

/// How many squares a rank has: numbers, which may have two digits (`decimal`), are empty ones, a
/// piece has one letter, or two after a full stop, or any in parentheses.
fn squares_of(rank: &str, decimal: bool) -> u32 {
    let mut squares = 0_u32;
    let mut number = 0_u32;
    let mut rest = rank.chars();
    while let Some(c) = rest.next() {
        if let Some(digit) = c.to_digit(10) {
            number = if decimal {
                number.saturating_mul(10)
            } else {
                number
            };
            number = number.saturating_add(digit);
            continue;
        }
        squares = squares.saturating_add(std::mem::take(&mut number));
        squares += u32::from(c.is_alphabetic() || matches!(c, '(' | '.'));
        match c {
            '(' => _ = rest.by_ref().find(|c| *c == ')'),
            '.' => _ = rest.by_ref().nth(1),
            _ => {}
        }
    }
    squares.saturating_add(number)
}

/// Takes off blanks and what separates the parts of a line.
fn tidy(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '–' | '—' | '|'))
}

/// The text before the diagram, the diagram, the text after it.
fn cut(line: &str) -> Option<(&str, &str, &str)> {
    const SIGNS_MIN: usize = 8;
    let has_slashes = |word: &&str| forsyth::looks_like_placement(word);
    // Without slashes only the squares themselves show that it is a diagram.
    let fills = |word: &&str| {
        word.len() >= SIGNS_MIN
            && word.chars().count() >= SIGNS_MIN
            && word.contains(|c: char| c.is_ascii_digit())
            && !word.contains('/')
            && forsyth::can_fill_board(word)
            && forsyth::read(word).is_ok()
    };
    let with_slashes = || line.split_whitespace().find(has_slashes);
    let with_slashes = if may_have_ranks(line) {
        with_slashes()
    } else {
        None
    };
    let word = with_slashes.or_else(|| line.split_whitespace().find(fills))?;
    Some(around(line, word))
}

/// Whether a line has as many slashes as stand between the ranks of a board, which hardly any has.
fn may_have_ranks(line: &str) -> bool {
    memchr::memchr_iter(b'/', line.as_bytes()).nth(6).is_some()
}

/// The text before a word of a line, the word, the text after it.
fn around<'l>(line: &'l str, word: &'l str) -> (&'l str, &'l str, &'l str) {
    let at = word.as_ptr() as usize - line.as_ptr() as usize;
    (&line[..at], word, &line[at + word.len()..])
}

/// Takes a solution off: from `1.Nd4` or `1. Nd4` on. `1.1.1.1` counts solutions.
fn cut_solution(text: &str) -> (&str, Option<&str>) {
    for (at, _) in text.match_indices("1.") {
        let own = text[..at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        let after = text[at + 2..].trim_start_matches(['.', '…']).trim_start();
        // The first half move of help play is printed as `1... ...`.
        let is_skipped = text[at + 2..].starts_with("..") && after.starts_with(['.', '…']);
        if own && (is_skipped || after.starts_with(char::is_alphabetic)) {
            // The first of several twins has its name before it.
            let before = text[..at].trim_end();
            let at = before.strip_suffix("a)").map_or(at, str::len);
            return (&text[..at], Some(text[at..].trim()));
        }
    }
    (text, None)
}

/// Takes `(5+1)` off the beginning.
fn cut_count(text: &str) -> (Option<(u32, u32)>, &str) {
    let number = |text: &mut &str| -> Option<u32> {
        *text = text.trim_start();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let number = text[..digits].parse().ok();
        *text = &text[digits..];
        number
    };
    let read = || {
        let mut rest = tidy_start(text);
        let open = rest.starts_with('(');
        rest = rest.trim_start_matches('(');
        let white = number(&mut rest)?;
        rest = rest.trim_start().strip_prefix('+')?;
        let black = number(&mut rest)?;
        // Neutral pieces are counted apart, and belong to both.
        if let Some(neutral) = rest.trim_start().strip_prefix('+') {
            rest = neutral;
            number(&mut rest)?;
        }
        let rest = rest.trim_start();
        // `(5+1=6)`.
        let rest = rest.strip_prefix('=').map_or(rest, |sum| {
            sum.trim_start_matches(|c: char| c.is_ascii_digit())
        });
        let rest = if open {
            rest.trim_start().strip_prefix(')')?
        } else {
            rest
        };
        Some(((white, black), rest))
    };
    match read() {
        Some((count, rest)) => (Some(count), rest),
        None => (None, text),
    }
}

fn tidy_start(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'))
}

/// The words of a solution that are first moves: those after `1.`; those after `1...` answer them,
/// unless there are no others.
fn first_moves(solution: &str) -> Vec<&str> {
    const WORDS_MAX: usize = 20;
    let (mut found, mut answers) = (Vec::new(), Vec::new());
    let mut after_number = None;
    for word in solution.split_whitespace() {
        let number = word
            .strip_prefix("1.")
            .map(|rest| rest.starts_with(['.', '…']));
        let rest = match number {
            Some(_) => word[1..].trim_start_matches(['.', '…']),
            None => word,
        };
        let is_answer = number.or(after_number);
        after_number = number.filter(|_| rest.is_empty());
        match is_answer {
            Some(false) if !rest.is_empty() => found.push(rest),
            Some(true) if !rest.is_empty() => answers.push(rest),
            _ => {}
        }
        if found.len() == WORDS_MAX {
            break;
        }
    }
    if found.is_empty() { answers } else { found }
}
