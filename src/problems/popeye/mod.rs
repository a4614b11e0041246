//! Popeye's input: problems for the solving program, in English, German or French.
//!
//! A statement begins with a keyword, which may be cut as long as it differs from the others; some
//! take the rest of their line, the others go on up to the next keyword (`input/plaintext` in
//! Popeye's source, its file `py-engl.txt`). The language is that of most keywords, for a part of a
//! file has no `begin`.

pub mod output;
mod pieces;
#[cfg(test)]
mod tests;
mod tex;
mod words;
mod write;

use std::ops::Range;

use super::{Composition, ParsedProblem, ProblemDiagram, begins_with};
use crate::{base::diagnostic::Code, games::notation::letters::Language};
use words::{INPUT_LANGUAGES, InputLanguage};
pub use write::PopeyeWriter;

/// The keywords that take the rest of their line as it is.
const KEYWORDS_OF_LINES: [&str; 7] = [
    "remark", "author", "origin", "protocol", "input", "title", "award",
];

/// Whether a line begins the next problem, seen alone.
#[must_use]
pub fn begins_problem(line: &str) -> bool {
    let word = first_word(line);
    INPUT_LANGUAGES.iter().any(|language| {
        ["nextproblem", "beginproblem"].into_iter().any(|keyword| {
            let whole = language.spelling(keyword);
            // Shorter words could begin other statements.
            word.len() >= 3.max(whole.len().min(4)) && begins_with(whole, word)
        })
    })
}

/// Whether a text is Popeye's input: its first word begins one, and its keywords make a problem
/// of what follows. The word alone begins much else: a preface, a script, a line of SQL.
#[must_use]
pub fn is_input(text: &str) -> bool {
    let word = first_word(text.trim_start_matches('\u{feff}').trim_start());
    let is_begun = word.len() >= 3
        && INPUT_LANGUAGES
            .iter()
            .any(|language| begins_with(language.spelling("beginproblem"), word));
    is_begun && is_in_statements(text) && read(text).iter().any(|(_, found)| shows_problem(found))
}

/// Whether what was read is a problem even without other evidence: pieces stand on its board, or it
/// has a stipulation in signs.
fn shows_problem(found: &Result<Composition, String>) -> bool {
    let Ok(problem) = found else {
        return false;
    };
    let is_asked = || problem.stipulation.contains(['#', '=', '~', '+']);
    !problem.diagram.is_empty() || problem.asked().is_some() || is_asked()
}

/// Whether the first problem of a text is written in statements: no fewer than a third of its
/// lines begin with one.
fn is_in_statements(text: &str) -> bool {
    let language = language_of(text);
    let (mut lines, mut known) = (0, 0);
    for line in text.split(['\n', '\r']) {
        let word = first_word(line);
        if word.is_empty() {
            continue;
        }
        let keyword = language.keyword(word, 2);
        if lines > 0 && matches!(keyword, Some("nextproblem" | "endproblem")) {
            break;
        }
        lines += 1;
        known += usize::from(keyword.is_some() || language.side(word).is_some());
    }
    known * 3 >= lines
}

/// How much of a text is such input, of 100: its first word shows it, if a problem follows, or its
/// keywords, if they give the board and the stipulation.
#[must_use]
pub fn explains(text: &str) -> u32 {
    if is_input(text) {
        return 95;
    }
    let language = language_of(text);
    let (mut lines, mut known) = (0, 0);
    let (mut has_board, mut has_stipulation) = (false, false);
    for line in text
        .split(['\n', '\r'])
        .filter(|line| !line.trim().is_empty())
    {
        let word = first_word(line);
        let keyword = language.keyword(word, 3);
        has_board |= matches!(keyword, Some("pieces" | "forsyth"));
        has_stipulation |= matches!(keyword, Some("stipulation" | "sstipulation"));
        lines += 1;
        known += usize::from(keyword.is_some() || language.side(word).is_some());
    }
    if has_board && has_stipulation {
        (known * 90).checked_div(lines).unwrap_or(0) as u32
    } else {
        0
    }
}

/// The problems of a text, each with its place there in bytes.
#[must_use]
pub fn read(text: &str) -> Vec<ParsedProblem> {
    let language = language_of(text);
    let mut found = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let mut reader = PopeyeReader::new(language);
    let mut is_behind_end = false;
    for line in text.split_inclusive(['\n', '\r']) {
        let content = line.trim_start_matches('\u{feff}').trim();
        let keyword = language.keyword(first_word(content), 3);
        let ends = matches!(keyword, Some("nextproblem" | "beginproblem" | "endproblem"))
            && (begins_problem(content) || keyword == Some("endproblem"));
        if ends {
            put(&mut found, reader.end(from..at), is_behind_end);
            reader = PopeyeReader::new(language);
            from = at;
            is_behind_end = keyword == Some("endproblem");
            // What stands after the keyword belongs to what follows.
            if keyword != Some("endproblem") {
                reader.line(content[first_word(content).len()..].trim());
            }
        } else {
            reader.line(content);
        }
        at += line.len();
    }
    put(&mut found, reader.end(from..at), is_behind_end);
    found
}

/// Adds a problem. Text alone after the end of one is a remark about that.
fn put(
    found: &mut Vec<ParsedProblem>,
    next: Option<(ParsedProblem, Vec<String>)>,
    is_behind_end: bool,
) {
    let Some((next, comments)) = next else {
        return;
    };
    match found.last_mut() {
        Some((place, Ok(before))) if is_behind_end && next.1.is_err() && !comments.is_empty() => {
            place.end = next.0.end;
            before.comments.extend(comments);
        }
        _ => found.push(next),
    }
}

/// The language that most lines begin in, the first of several.
fn language_of(text: &str) -> &'static InputLanguage {
    const LINES: usize = 2000;
    let count = |language: &&InputLanguage| {
        let words = text.split(['\n', '\r']).take(LINES).map(first_word);
        words
            .filter(|word| language.keyword(word, 3).is_some() || language.side(word).is_some())
            .count()
    };
    let languages = INPUT_LANGUAGES.iter().rev();
    languages.max_by_key(count).unwrap_or(&INPUT_LANGUAGES[0])
}

/// Popeye takes commas and semicolons for blanks.
const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | ';' | ',')
}

fn first_word(line: &str) -> &str {
    let line = line.trim_start_matches(is_blank);
    line.split(is_blank).next().unwrap_or("")
}

struct PopeyeReader {
    language: &'static InputLanguage,
    problem: Composition,
    /// The statement that is open, with its words.
    statement: Option<&'static str>,
    words: Vec<String>,
    /// There was any statement at all.
    is_begun: bool,
}

impl PopeyeReader {
    fn new(language: &'static InputLanguage) -> Self {
        let problem = Composition {
            language: Language::by_code(language.letters())
                .unwrap_or(crate::games::notation::letters::ENGLISH),
            ..Composition::default()
        };
        Self {
            language,
            problem,
            statement: None,
            words: Vec::new(),
            is_begun: false,
        }
    }

    /// What was read, and its comments.
    fn end(mut self, place: Range<usize>) -> Option<(ParsedProblem, Vec<String>)> {
        self.close();
        let problem = self.problem;
        let comments = problem.comments.clone();
        let is_empty = problem.diagram.is_empty()
            && problem.unread_diagram.is_empty()
            && problem.stipulation.is_empty()
            && problem.extra.is_empty();
        let problem = if is_empty {
            Err("it has neither a diagram nor a stipulation".to_owned())
        } else {
            Ok(problem)
        };
        self.is_begun.then_some(((place, problem), comments))
    }

    fn line(&mut self, line: &str) {
        let mut rest = line;
        let mut is_first = true;
        loop {
            rest = rest.trim_start_matches(is_blank);
            if rest.is_empty() {
                return;
            }
            let word = first_word(rest);
            let after = &rest[word.len()..];
            let keyword = self.keyword(word, is_first);
            is_first = false;
            if let Some(keyword) = keyword {
                self.close();
                self.statement = Some(keyword);
                self.is_begun = true;
                if KEYWORDS_OF_LINES.contains(&keyword) {
                    self.line_of_text(keyword, after.trim_matches(is_blank));
                    self.statement = None;
                    return;
                }
            } else if self.statement.is_some() {
                self.words.push(word.to_owned());
            } else {
                // Text that no keyword stands before.
                self.is_begun = true;
                let text = tex::plain(rest.trim());
                self.problem
                    .findings
                    .push((Code::ProblemSyntax, text.clone()));
                self.problem.comments.push(text);
                return;
            }
            rest = after;
        }
    }

    /// The keyword a word stands for where it stands.
    fn keyword(&self, word: &str, is_first: bool) -> Option<&'static str> {
        let least = if is_first { 2 } else { 3 };
        let keyword = self.language.keyword(word, least)?;
        match self.statement {
            // What is changed for a twin can be the stipulation or a condition.
            Some("twin" | "zeroposition") => {
                matches!(keyword, "twin" | "zeroposition").then_some(keyword)
            }
            // `neutral` can be cut as well.
            Some("pieces") if self.language.side(word).is_some() => None,
            _ => Some(keyword),
        }
    }

    fn line_of_text(&mut self, keyword: &str, text: &str) {
        let text = tex::plain(text);
        let problem = &mut self.problem;
        let append = |to: &mut String, between: &str| {
            if !to.is_empty() && !text.is_empty() {
                to.push_str(between);
            }
            to.push_str(&text);
        };
        match keyword {
            "author" if !text.is_empty() => problem.authors.push(text),
            "origin" => {
                append(&mut problem.source, "; ");
                if problem.date.is_empty() {
                    problem.date = super::lines::date_in(&text);
                }
            }
            "title" => append(&mut problem.title, " "),
            "award" => append(&mut problem.award, ", "),
            "remark" if !text.is_empty() => problem.comments.push(text),
            // What the program is to do with its answers is not about the problem.
            _ => {}
        }
    }

    /// Ends the statement at hand.
    fn close(&mut self) {
        let Some(statement) = self.statement.take() else {
            return;
        };
        let words = std::mem::take(&mut self.words);
        let text = words.join(" ");
        match statement {
            "stipulation" => self.problem.stipulation = text,
            "sstipulation" => {
                self.problem.extra.push(("sstipulation".to_owned(), text));
            }
            "condition" => self.problem.conditions.push(text),
            "option" => self.problem.options.push(text),
            "twin" => {
                let last = self.problem.twins.last().map(|(name, _)| name.as_str());
                let name = next_name(last);
                self.problem.twins.push((name, text));
            }
            "zeroposition" => self.problem.twins.push(("a".to_owned(), text)),
            "pieces" => {
                let mut diagram = ProblemDiagram::default();
                let again = !self.problem.diagram.is_empty();
                if !again || !self.has_target() {
                    diagram = std::mem::take(&mut self.problem.diagram);
                }
                let beside = pieces::read(&words, self.language, &mut diagram);
                self.unread(&beside.unread);
                if let Some(number) = beside.invisible {
                    let extra = ("totalinvisible".to_owned(), number);
                    self.problem.extra.push(extra);
                }
                self.put(diagram, again);
            }
            "forsyth" => {
                let again = !self.problem.diagram.is_empty();
                let language = self.language;
                let read = ProblemDiagram::from_forsyth(&text, |name| language.english(name));
                if let Some(diagram) = read {
                    self.put(diagram, again);
                } else {
                    self.problem.unread_diagram.clone_from(&text);
                    self.unread(&text);
                }
            }
            "initialgamearray" => {
                self.problem.diagram =
                    ProblemDiagram::of(&crate::games::chess::basics::Board::default());
            }
            _ => {}
        }
    }

    fn unread(&mut self, text: &str) {
        if !text.is_empty() {
            let finding = (Code::ProblemSyntax, text.to_owned());
            self.problem.findings.push(finding);
            let extra = ("pieces".to_owned(), text.to_owned());
            self.problem.extra.push(extra);
        }
    }

    /// Whether play leads from one diagram to another (`ser-a=>b12`).
    fn has_target(&self) -> bool {
        self.problem.stipulation.contains("=>")
    }

    fn put(&mut self, diagram: ProblemDiagram, again: bool) {
        if again && self.has_target() {
            self.problem.target = Some(diagram);
        } else {
            self.problem.diagram = diagram;
        }
    }
}

/// The name of the twin after this one: `b` after none, `c` after `b`.
pub(super) fn next_name(last: Option<&str>) -> String {
    match last.map(str::as_bytes) {
        None | Some([]) => "b".to_owned(),
        Some([b'z', digits @ ..]) => {
            let number: u32 = std::str::from_utf8(digits)
                .ok()
                .and_then(|digits| digits.parse().ok())
                .unwrap_or(0);
            format!("z{}", number.saturating_add(1))
        }
        Some([letter, ..]) => char::from(letter + 1).to_string(),
    }
}
