//! Problems in plain lines: author, source, diagram, count, stipulation, solution.
//!
//! A line with a diagram is a problem. Lines without one go on with the problem
//! above them, or stand above the first of their paragraph: its author and source.

use std::ops::Range;

use super::{Composition, Diagram};
use crate::{
    diagnostic::Code,
    notation::{
        letters::Language,
        problem::{self, ProblemError},
    },
};

/// Longer lines are no problems, in bytes.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// Whether a line has a diagram in it.
pub fn has_diagram(line: &str) -> bool {
    line.len() <= LINE_BYTES_MAX && problem::diagram_in(line).is_some()
}

/// Whether a text is a collection of problems: its first paragraph has a diagram
/// with a stipulation or the numbers of men beside it.
pub fn is_collection(text: &str) -> bool {
    const LINES: usize = 8;
    text.trim_start_matches('\u{feff}')
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .take(LINES)
        .take_while(|line| !line.trim().is_empty())
        .find(|line| has_diagram(line))
        .is_some_and(|line| {
            crate::notation::fen::read(line).is_err()
                && problem::read(line)
                    .is_ok_and(|read| read.count.is_some() || read.stipulation.is_some())
        })
}

/// The problems of a text, each with its place there in bytes. Text that no
/// problem stands near is returned as well.
pub fn read(text: &str) -> (Vec<(Range<usize>, Composition)>, Vec<Range<usize>>) {
    let mut found: Vec<(Range<usize>, Composition)> = Vec::new();
    let mut loose = Vec::new();
    // Lines of the paragraph before its first diagram.
    let mut head: Option<Range<usize>> = None;
    let mut below: Option<Range<usize>> = None;
    let mut at = 0;
    let mut in_problem = false;
    for line in text.split_inclusive('\n') {
        let place = at..at + line.len();
        at = place.end;
        let content = line.trim_start_matches('\u{feff}').trim();
        if content.is_empty() {
            // Text above a diagram may be set apart from it.
            in_problem = false;
            continue;
        }
        if has_diagram(content) {
            close(text, &mut found, below.take());
            let from = head.as_ref().map_or(place.start, |head| head.start);
            let above = head.take().map(|head| &text[head]);
            found.push((from..place.end, one(above, content)));
            in_problem = true;
        } else if in_problem || (below.is_some() && !found.is_empty()) {
            let from = below.take().map_or(place.start, |below| below.start);
            below = Some(from..place.end);
        } else if begins_solution(content) && !found.is_empty() && head.is_none() {
            below = Some(place);
        } else {
            let from = head.take().map_or(place.start, |head| head.start);
            head = Some(from..place.end);
        }
    }
    close(text, &mut found, below);
    loose.extend(head);
    (found, loose)
}

/// Whether a line goes on with a solution.
fn begins_solution(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit()) || line.starts_with("a)") || line.starts_with("b)")
}

/// Adds the lines below a problem to it.
fn close(text: &str, found: &mut [(Range<usize>, Composition)], below: Option<Range<usize>>) {
    let Some((below, (place, problem))) = below.zip(found.last_mut()) else {
        return;
    };
    place.end = below.end;
    if !problem.solution.is_empty() {
        problem.solution.push('\n');
    }
    problem.solution.push_str(text[below].trim_end());
}

/// One problem, from its line and what stands above it.
fn one(above: Option<&str>, line: &str) -> Composition {
    let mut problem = match problem::read(line) {
        Ok(read) => {
            let language = read.diagram.language();
            Composition {
                authors: read.author.map(authors).unwrap_or_default(),
                source: read.source.unwrap_or_default(),
                stipulation: match (&read.stipulation, read.unread) {
                    (Some(asked), _) => asked.to_string(),
                    (None, unread) => unread.unwrap_or_default(),
                },
                diagram: Diagram::of(read.diagram.board()),
                solution: read.solution.unwrap_or_default(),
                language,
                findings: read
                    .warnings
                    .iter()
                    .map(|&code| (code, line.to_owned()))
                    .collect(),
                ..Composition::default()
            }
        }
        Err(error) => unread(line, &error),
    };
    if let Some(above) = above {
        let told: Vec<&str> = above.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let told = told.join(", ");
        let (author, source) = told.split_once([',', ';']).unwrap_or((&told, ""));
        if problem.authors.is_empty() {
            problem.authors = authors(author.trim().to_owned());
            if problem.source.is_empty() {
                source.trim().clone_into(&mut problem.source);
            }
        } else {
            problem.comments.push(told);
        }
    }
    problem.date = date_in(&problem.source);
    problem
}

/// A line whose diagram orthodox chess does not know: fairy men, or a side without
/// its one king.
fn unread(line: &str, error: &ProblemError) -> Composition {
    let (head, diagram, tail) = problem::diagram_in(line).unwrap_or(("", line, ""));
    let bare = diagram.trim_matches(|c| matches!(c, '(' | ')' | '"' | '\''));
    let english = |name: &str| if name == "N" { "S" } else { name }.to_owned();
    // Letters of problem journals, where a king is a K.
    let read = Diagram::from_forsyth(bare, english).filter(|_| bare.is_ascii());
    let parts = problem::around(head, tail);
    Composition {
        authors: parts.author.map(authors).unwrap_or_default(),
        source: parts.source.unwrap_or_default(),
        stipulation: parts.stipulation.unwrap_or_default(),
        solution: parts.solution.unwrap_or_default(),
        unread_diagram: match read {
            Some(_) => String::new(),
            None => bare.to_owned(),
        },
        diagram: read.unwrap_or_default(),
        language: Language::by_code("en-problem").unwrap_or(crate::notation::letters::ENGLISH),
        findings: vec![(Code::ProblemSyntax, error.to_string())],
        ..Composition::default()
    }
}

/// Composers, where several are named.
fn authors(text: String) -> Vec<String> {
    text.split(" & ")
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The year that a source names, as a date of PGN; empty if it names none.
pub(super) fn date_in(source: &str) -> String {
    let years = source
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| digits.len() == 4)
        .filter_map(|digits| digits.parse::<u16>().ok())
        .filter(|year| (1000..2100).contains(year));
    years.last().map_or_else(String::new, |year| format!("{year}.??.??"))
}

impl Composition {
    /// The problem as one line that reads back, the diagram and the moves in the
    /// language of its solution.
    pub fn write_line(&self, language: &'static Language) -> String {
        let mut parts = Vec::new();
        let mut head = self.authors.join(" & ");
        if !self.source.is_empty() {
            head.push_str(", ");
            head.push_str(&self.source);
        }
        if !head.trim().is_empty() {
            parts.push(format!("{head},"));
        }
        parts.push(match self.diagram.board() {
            _ if !self.unread_diagram.is_empty() => self.unread_diagram.clone(),
            Some(board) => crate::notation::forsyth::write(&board, language),
            None => self.diagram.forsyth(),
        });
        if self.unread_diagram.is_empty() {
            parts.push(self.diagram.count_text());
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        parts.push(words(&self.stipulation));
        parts.push(words(&self.solution));
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }
}
