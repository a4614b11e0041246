//! Writing problems as Popeye's input.

use std::fmt::Write as _;

use super::words::{INPUT_LANGUAGES, InputLanguage};
use crate::problems::{Composition, ProblemDiagram, ProblemSide, StoredProblem};

/// Writes an input of several problems: those that came from one in the same language as
/// they stood, but for the words that part them.
#[derive(Debug, Default)]
pub struct PopeyeWriter {
    /// The language of all, that of the first; `None` before it.
    language: Option<&'static InputLanguage>,
    /// How the text of the last problem ends the input, if it does.
    end: String,
}

impl PopeyeWriter {
    /// Writes one more problem.
    pub fn problem(&mut self, filed: &StoredProblem, out: &mut String) {
        let own = language_of(&filed.problem);
        let (keyword, language) = match self.language {
            None => ("beginproblem", *self.language.insert(own)),
            Some(language) => ("nextproblem", language),
        };
        self.end.clear();
        let came = filed.text_in("popeye");
        let Some(text) = came.filter(|_| std::ptr::eq(own, language)) else {
            let _ = writeln!(out, "{}", language.spelling(keyword));
            return write(&filed.problem, language, out);
        };
        let from = text.len() - text.trim_start_matches(super::is_blank).len();
        let word = super::first_word(text);
        let stands_for = own.keyword(word, 3);
        out.push_str(&text[..from]);
        let mut body = &text[from..];
        if stands_for != Some(keyword) {
            out.push_str(own.spelling(keyword));
            if matches!(stands_for, Some("beginproblem" | "nextproblem")) {
                body = &body[word.len()..];
            } else {
                out.push('\n');
            }
        }
        let ends = |line: &&str| own.keyword(super::first_word(line), 3) == Some("endproblem");
        let end = body.split_inclusive(['\n', '\r']).find(ends);
        let end = end.map_or(body.len(), |line| {
            line.as_ptr() as usize - body.as_ptr() as usize
        });
        out.push_str(&body[..end]);
        if !out.ends_with(['\n', '\r']) {
            out.push('\n');
        }
        body[end..].clone_into(&mut self.end);
    }

    /// Ends the input.
    pub fn finish(&mut self, out: &mut String) {
        match self.language.take() {
            Some(language) if self.end.is_empty() => {
                let _ = writeln!(out, "{}", language.spelling("endproblem"));
            }
            _ => out.push_str(&self.end),
        }
    }
}

/// The language that a problem was read in; English if that is none of Popeye's.
fn language_of(problem: &Composition) -> &'static InputLanguage {
    let code = problem.language.code;
    let mut known = INPUT_LANGUAGES.iter();
    let own = known.find(|language| language.letters() == code);
    own.unwrap_or(&INPUT_LANGUAGES[0])
}

/// Writes the statements of a problem; what Popeye has none for is left out.
fn write(problem: &Composition, language: &InputLanguage, out: &mut String) {
    let mut line = |keyword: &str, text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        if !words.is_empty() {
            let _ = writeln!(out, "{} {}", language.spelling(keyword), words.join(" "));
        }
    };
    for author in &problem.authors {
        line("author", author);
    }
    line("origin", &problem.printed());
    line("title", &problem.title);
    line("award", &problem.award);
    for remark in problem.comments.iter().flat_map(|comment| comment.lines()) {
        line("remark", remark);
    }
    line("stipulation", &problem.stipulation);
    for (name, text) in &problem.extra {
        if name == "sstipulation" {
            line("sstipulation", text);
        }
    }
    for condition in &problem.conditions {
        line("condition", condition);
    }
    for option in &problem.options {
        line("option", option);
    }
    line("forsyth", &problem.unread_diagram);
    for diagram in std::iter::once(&problem.diagram).chain(&problem.target) {
        line("pieces", &pieces(diagram, language));
    }
    for (name, change) in &problem.twins {
        let keyword = if name == "a" { "zeroposition" } else { "twin" };
        line(keyword, change);
    }
}

/// A diagram in words; what makes a piece special stands before it alone.
fn pieces(diagram: &ProblemDiagram, language: &InputLanguage) -> String {
    let mut out = String::new();
    for side in ProblemSide::ALL {
        let word = language.spelling(side.word());
        let mut is_plain = false;
        for (square, piece) in diagram.pieces().filter(|(_, piece)| piece.side == side) {
            if !piece.kinds.is_empty() || !is_plain {
                let _ = write!(out, " {word}");
            }
            for kind in &piece.kinds {
                let own = language.spelling(kind);
                let _ = write!(out, " {}", if own.is_empty() { kind } else { own });
            }
            is_plain = piece.kinds.is_empty();
            let names: Vec<&str> = piece.name.split('/').collect();
            let names: Vec<&str> = names.into_iter().map(|name| language.piece(name)).collect();
            let _ = write!(out, " {}{square}", names.join("/"));
        }
    }
    out
}
