//! Problems in plain lines: author, source, diagram, count, stipulation, solution.
//!
//! A line with a diagram is a problem. Lines above the first one of a paragraph give its author and
//! source; other lines without a diagram go on with the solution of the problem above them.

use std::ops::Range;

pub(super) use super::page::date_in;
use super::{
    Composition, ParsedProblem, ProblemDiagram, diagram,
    page::{self, authors},
};
use crate::{
    base::diagnostic::Code,
    games::{
        chess::basics::Color,
        notation::{
            forsyth,
            letters::{ENGLISH, PROBLEM_ENGLISH},
            piece_list::{self, PieceList},
            problem::{self, ProblemError, ProblemLine},
        },
        running_text::{
            fen_scanner,
            side_to_move::{self, StatedSide},
        },
    },
};

/// No problem is longer, with all that stands above and below its diagram, in bytes.
pub const PROBLEM_BYTES_MAX: usize = 64 * 1024;

/// Whether a line has a diagram in it. Paths of files and dates have slashes as well: what may be
/// one of them is a diagram where the text around it speaks of it.
#[must_use]
pub fn has_diagram(line: &str) -> bool {
    line.len() <= PROBLEM_BYTES_MAX
        && problem::diagram_in(line)
            .is_some_and(|found| !problem::may_be_path(found.1) || is_asked_of(found))
}

/// Whether the text around a diagram speaks of it: it counts pieces, says what is special, who
/// moves, what the stipulation is or how it is solved.
fn is_asked_of(found: (&str, &str, &str)) -> bool {
    let (head, _, tail) = found;
    let parts = ProblemLine::of(found);
    let first = |text: &'_ str| text.split_whitespace().next().unwrap_or("").to_owned();
    tail.trim_start().starts_with('[')
        || matches!(&first(tail)[..], "w" | "b")
        || parts.counts_pieces()
        || parts.solution.is_some()
        || [parts.asked, &first(parts.asked), head.trim()]
            .iter()
            .any(|text| problem::stipulation_of(text).is_some())
}

/// Whether a text is a collection of problems: its first paragraph has a diagram
/// that is no FEN, for its language or for what stands beside it.
fn is_collection(text: &str) -> bool {
    const LINES: usize = 8;
    text.trim_start_matches('\u{feff}')
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .take(LINES)
        .take_while(|line| !line.trim().is_empty())
        .find(|line| has_diagram(line))
        .is_some_and(|line| is_problem(line) && problem::read(line).is_ok() && asks(line))
}

/// Whether a line has a diagram that is not the position of a FEN, nor the cell of a table.
#[must_use]
pub fn is_problem(line: &str) -> bool {
    let is_other = line.trim_start().starts_with('|') || !has_diagram(line) || is_fen(line);
    !is_other && crate::games::chess::notation::fen::read(line).is_err()
}

/// Whether a line with a diagram is more than a sentence that quotes a position: it counts
/// pieces, asks something, or has letters that no FEN has.
fn asks(line: &str) -> bool {
    if is_item(line) {
        return false;
    }
    let parts = problem::diagram_in(line).map(ProblemLine::of);
    let is_asked = |parts: ProblemLine<'_>| {
        let words = [Some(parts.asked), parts.asked.split_whitespace().next()];
        let mut words = words.into_iter().flatten();
        parts.counts_pieces() || words.any(|text| problem::stipulation_of(text).is_some())
    };
    fen_scanner::all(line).is_empty() || parts.is_some_and(is_asked)
}

/// Whether a line is an item of a list with nothing but its number before a board, and who moves
/// after it.
fn is_item(line: &str) -> bool {
    let Some(found) = problem::diagram_in(line) else {
        return false;
    };
    let number = found
        .0
        .trim()
        .trim_matches(['(', ')', '.', ':', '#', '-', '*']);
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && side_to_move::said(found.2) != StatedSide::Unstated
        && !found.2.contains('#')
        && !ProblemLine::of(found).counts_pieces()
}

/// Whether half of the ranks of a diagram have numbers in them, as those of paths do not.
fn has_empty_squares(line: &str) -> bool {
    let diagram = problem::diagram_in(line).map_or("", |(_, diagram, _)| diagram);
    let has_number = |rank: &&str| rank.contains(|c: char| c.is_ascii_digit());
    diagram.split('/').filter(has_number).count() >= 4
}

/// How much of a text is problems, of 100: the paragraphs with a diagram that is one of a
/// problem, and half as much where its pieces have no meaning.
#[must_use]
pub fn explains(text: &str) -> u32 {
    let (mut all, mut explained) = (0, 0);
    let (mut bytes, mut worth) = (0, 0);
    for line in text.lines().chain([""]).map(str::trim) {
        if line.is_empty() {
            all += bytes;
            explained += bytes * worth;
            (bytes, worth) = (0, 0);
            continue;
        }
        bytes += line.len();
        if worth < 2 && is_problem(line) {
            let is_read = || unread(line, None).unread_diagram.is_empty();
            let is_known = problem::read(line).is_ok() || is_read();
            worth = match asks(line) {
                true if is_known => 2,
                true if has_empty_squares(line) => 1,
                _ => worth,
            };
        }
    }
    let share = (explained * 50).checked_div(all).unwrap_or(0) as u32;
    if is_collection(text) || page::is_page(text) {
        share.max(90)
    } else {
        share
    }
}

/// Whether the diagram of a line is that of a FEN of any game: after it stands who moves, where a
/// problem has its stipulation.
fn is_fen(line: &str) -> bool {
    let tail = problem::diagram_in(line).map_or("", |(_, _, tail)| tail);
    matches!(tail.split_whitespace().next(), Some("w" | "b"))
}

/// Whether a problem can begin with the line at an offset: its paragraph begins
/// there and has a diagram, or its line and the one before have one each.
pub fn begins_problem(text: &str, at: usize) -> bool {
    let line = |text: &str| text.lines().next().unwrap_or("").trim().to_owned();
    let before = text[..at].trim_end_matches(['\n', '\r']);
    let above = &text[before.rfind(['\n', '\r']).map_or(0, |at| at + 1)..at];
    // More than one end of a line lies between: a blank line.
    let is_paragraph = above.matches('\n').count() > 1 || above.trim().is_empty();
    if !is_paragraph {
        return has_diagram(above.trim()) && has_diagram(&line(&text[at..]));
    }
    text[at..]
        .lines()
        .take_while(|line| !line.trim().is_empty())
        .any(has_diagram)
        || page::describes_board(&text[at..])
}

/// A problem and its place in the text, in bytes.
type LocatedProblem = (Range<usize>, Composition);

/// The problems of a text. Text above the first one that does not belong to it is
/// none, nor is what is longer than any.
#[must_use]
pub fn read(text: &str) -> Vec<ParsedProblem> {
    let mut found: Vec<LocatedProblem> = Vec::new();
    let mut loose: Option<Range<usize>> = None;
    let mut paragraph: Vec<LocatedLine<'_>> = Vec::new();
    let mut boards = piece_list::all(text).into_iter().peekable();
    // Lines of the paragraph that are the heading of what follows.
    let mut held = 0;
    let mut at = 0;
    while at < text.len() {
        let behind = |from: usize| {
            let end = memchr::memchr(b'\n', &text.as_bytes()[from..]);
            end.map_or(text.len(), |end| from + end + 1)
        };
        let mut end = behind(at);
        while boards.next_if(|board| board.place.start < at).is_some() {}
        let board =
            boards.next_if(|board| board.place.start < end && !has_diagram(text[at..end].trim()));
        if let Some(board) = &board {
            end = behind(board.place.end.max(at));
            if board.place.end > at && text[..board.place.end].ends_with('\n') {
                end = board.place.end;
            }
        }
        let line = &text[at..end];
        let content = line.trim_start_matches('\u{feff}').trim();
        if content.is_empty() {
            // A heading that stands apart belongs to the diagram below it.
            let lines = || {
                paragraph[held..]
                    .iter()
                    .map(|line| line.text)
                    .collect::<Vec<_>>()
            };
            let has_board = paragraph[held..].iter().any(LocatedLine::has_board);
            if paragraph.len() > held && !has_board && page::is_heading(&lines()) {
                take(&paragraph[..held], &mut found, &mut loose);
                paragraph.drain(..held);
                held = paragraph.len();
            } else if paragraph.len() > held {
                if !has_board {
                    take(&paragraph[..held], &mut found, &mut loose);
                    paragraph.drain(..held);
                }
                take(&paragraph, &mut found, &mut loose);
                paragraph.clear();
                held = 0;
            }
        } else {
            let start = content.as_ptr() as usize - text.as_ptr() as usize;
            let board = board.map(|board| PieceList {
                place: board.place.start.max(start) - start..board.place.end - start,
                ..board
            });
            paragraph.push(LocatedLine {
                place: at..at + line.trim_end().len(),
                text: content,
                board,
            });
        }
        at = end;
    }
    if !paragraph[held..].iter().any(LocatedLine::has_board) {
        take(&paragraph[..held], &mut found, &mut loose);
        paragraph.drain(..held);
    }
    take(&paragraph, &mut found, &mut loose);
    take_loose(text, &mut found, &mut loose);
    let problem = |(place, problem): LocatedProblem| match place.len() {
        0..=PROBLEM_BYTES_MAX => (place, Ok(problem)),
        _ => (place, Err("longer than any problem".to_owned())),
    };
    let loose = loose.map(|place| (place.clone(), Err(text[place].trim().to_owned())));
    loose
        .into_iter()
        .chain(found.into_iter().map(problem))
        .collect()
}

/// A line without the blanks around it, or several of them that describe a board.
#[derive(Debug, Clone)]
struct LocatedLine<'t> {
    /// From its first byte on.
    place: Range<usize>,
    text: &'t str,
    /// The board, whose place is in the text of the lines.
    board: Option<PieceList>,
}

impl LocatedLine<'_> {
    fn has_board(&self) -> bool {
        self.board.is_some() || has_diagram(self.text)
    }
}

/// Takes the lines of a paragraph, each with its place.
fn take(
    lines: &[LocatedLine<'_>],
    found: &mut Vec<LocatedProblem>,
    loose: &mut Option<Range<usize>>,
) {
    let first = lines.iter().position(LocatedLine::has_board);
    let above = &lines[..first.unwrap_or(0)];
    let mut from = above.first().map(|line| line.place.start);
    let mut above = Some(above).filter(|above| !above.is_empty());
    for line in &lines[first.unwrap_or(0)..] {
        let Range { start: at, end } = line.place;
        if line.has_board() {
            let begin = from.take().unwrap_or(at);
            found.push((begin..end, one(above.take().unwrap_or_default(), line)));
        } else if let Some((place, problem)) = found.last_mut() {
            // Whatever else stands below a diagram is about how it is solved.
            place.end = end;
            if problem.take_below(line.text) {
                continue;
            }
            if !problem.solution.is_empty() {
                problem.solution.push('\n');
            }
            problem.solution.push_str(line.text);
        } else {
            let begin = loose.take().map_or(at, |loose| loose.start);
            *loose = Some(begin..end);
        }
    }
}

/// Gives what stands apart above the first problem to it, if it is the heading of its page or
/// sentences; what is neither is left.
fn take_loose(text: &str, found: &mut [LocatedProblem], loose: &mut Option<Range<usize>>) {
    let (Some(above), Some((place, problem))) = (loose.clone(), found.first_mut()) else {
        return;
    };
    let lines: Vec<&str> = text[above.clone()].lines().map(str::trim).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    if page::is_heading(&lines) {
        problem.take_heading(&lines);
    } else if lines.iter().all(|line| page::is_sentence(line)) {
        problem
            .comments
            .splice(..0, lines.into_iter().map(str::to_owned));
    } else {
        return;
    }
    problem.part_heading();
    problem.date = date_in(&problem.source);
    place.start = above.start;
    *loose = None;
}

/// What stands in brackets after a diagram.
#[derive(Debug)]
enum BracketText {
    /// The pieces that are special.
    Special(ProblemDiagram),
    /// The diagram, which could not be read.
    Unread(String),
}

/// A diagram without pieces.
const EMPTY: &str = "8/8/8/8/8/8/8/8";

/// Before a diagram in brackets that could not be read: `8/8/… [unread "…"] #2`.
const UNREAD: &str = "unread ";

/// A line without what is in brackets after its diagram, and that:
/// `k7/3P4/8/… [white royal Pd7] (2+1) h#2`.
fn cut_bracketed(line: &str) -> Option<(String, BracketText)> {
    let (_, diagram, tail) = problem::diagram_in(line)?;
    let inner = tail.trim_start().strip_prefix('[')?;
    let unread = inner.strip_prefix(UNREAD).filter(|_| diagram == EMPTY);
    let (bracketed, rest) = if let Some(text) = unread {
        let mut texts = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let unread = texts.next()?.ok()?;
        let rest = text[texts.byte_offset()..].strip_prefix(']')?;
        (BracketText::Unread(unread), rest)
    } else {
        let (pieces, rest) = inner.split_once(']')?;
        (
            BracketText::Special(ProblemDiagram::from_text(pieces)?),
            rest,
        )
    };
    let head = &line[..line.len() - tail.len()];
    Some((format!("{head}{rest}"), bracketed))
}

/// One problem, from its line and what stands above it.
fn one(above: &[LocatedLine<'_>], line: &LocatedLine<'_>) -> Composition {
    let plain = |text: &str, board| plain(above, text, board);
    let bracketed = line.board.is_none().then(|| cut_bracketed(line.text));
    let mut problem = match bracketed.flatten() {
        None => plain(line.text, line.board.as_ref()),
        Some((line, BracketText::Special(special))) => {
            let mut problem = plain(&line, None);
            for (square, piece) in special.pieces() {
                problem.diagram.put(square, Some(piece.clone()));
            }
            problem
        }
        Some((line, BracketText::Unread(text))) => Composition {
            unread_diagram: text,
            ..plain(&line, None)
        },
    };
    // Play that Black would begin without the mark is Popeye's with an option.
    if let Some(asked) = problem.stipulation.strip_suffix(WHITE_BEGINS)
        && first_of(asked) == Color::Black
    {
        problem.stipulation = asked.to_owned();
        problem.options.push("WhiteToPlay".to_owned());
    }
    problem
}

/// After a stipulation: White begins, where Black would.
const WHITE_BEGINS: &str = " white";

/// Who moves first where only a stipulation shows it.
fn first_of(stipulation: &str) -> Color {
    let problem = Composition {
        stipulation: stipulation.to_owned(),
        ..Composition::default()
    };
    problem.turn()
}

fn plain(above: &[LocatedLine<'_>], line: &str, board: Option<&PieceList>) -> Composition {
    let read = match board {
        Some(list) => {
            let (head, tail) = (&line[..list.place.start], &line[list.place.end..]);
            Ok(problem::read_around(head, list, tail))
        }
        None => problem::read(line),
    };
    let mut problem = match read {
        Ok(read) => {
            let language = read.diagram.language();
            let is_asked = read.stipulation.is_some();
            Composition {
                authors: read.author.as_deref().map(authors).unwrap_or_default(),
                source: read.source.unwrap_or_default(),
                stipulation: match (&read.stipulation, &read.unread) {
                    (Some(asked), _) => asked.to_string(),
                    (None, unread) => unread.clone().unwrap_or_default(),
                },
                comments: read.unread.filter(|_| is_asked).into_iter().collect(),
                diagram: ProblemDiagram::of(read.diagram.board()),
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
        Err(error) => unread(line, Some(&error)),
    };
    if !above.is_empty() {
        let told: Vec<&str> = above.iter().map(|line| line.text).collect();
        if problem.authors.is_empty() && (told.len() > 1 || board.is_some()) {
            problem.take_heading(&told);
        } else if problem.authors.is_empty() {
            let (author, source) = told[0].split_once([',', ';']).unwrap_or((told[0], ""));
            problem.authors = authors(author);
            if problem.source.is_empty() {
                source.trim().clone_into(&mut problem.source);
            }
        } else {
            problem.comments.push(told.join(", "));
        }
    }
    problem.part_heading();
    problem.date = date_in(&problem.source);
    problem
}

/// A line whose diagram orthodox chess does not know: fairy pieces, or a side without
/// its one king.
fn unread(line: &str, error: Option<&ProblemError>) -> Composition {
    let parts = ProblemLine::of(problem::diagram_in(line).unwrap_or(("", line, "")));
    let bare = diagram::bare(parts.diagram);
    // Letters of problem journals, where a king is a K; beside knights and other pieces that
    // are not those of a FEN, N is a nightrider.
    let is_fen = bare.chars().all(|c| "/12345678KQRBNPkqrbnp".contains(c));
    let is_knight = |name: &str| name == "N" && is_fen;
    let english = |name: &str| if is_knight(name) { "S" } else { name }.to_owned();
    let read = ProblemDiagram::from_forsyth(bare, english).filter(|_| bare.is_ascii());
    let (author, source) = parts.author_and_source();
    Composition {
        authors: author.as_deref().map(authors).unwrap_or_default(),
        source: source.unwrap_or_default(),
        stipulation: parts.asked.to_owned(),
        solution: parts.solution.unwrap_or_default().to_owned(),
        unread_diagram: match read {
            Some(_) => String::new(),
            None => bare.to_owned(),
        },
        diagram: read.unwrap_or_default(),
        language: PROBLEM_ENGLISH,
        findings: error
            .into_iter()
            .map(|error| (Code::ProblemSyntax, error.to_string()))
            .collect(),
        ..Composition::default()
    }
}

/// The words of a text, one blank between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What [`Composition::kept_in`] says of a text that keeps all.
const KEPT_WHOLE: u32 = 4;

impl Composition {
    /// The problem as a line that reads back: with the letters of its solution's language if they
    /// determine its diagram, else with those of problem journals. Where nothing separates the
    /// solution from the stipulation, it stands below, with a blank line after it.
    #[must_use]
    pub fn write_line(&self) -> String {
        let special = self.special_pieces();
        let in_language = |language| {
            let board = self.diagram.board();
            board.map(|board| forsyth::write(&board, language))
        };
        let forms: [&dyn Fn() -> Option<String>; 5] = [
            &|| in_language(self.language),
            &|| in_language(ENGLISH),
            &|| Some(self.diagram.forsyth()),
            &|| {
                Some(
                    self.diagram
                        .forsyth_with(|name| name == "N" || name.len() > 2),
                )
            },
            &|| Some(self.diagram.forsyth_with(|_| true)),
        ];
        let unread: [&dyn Fn() -> Option<String>; 2] =
            [&|| Some(words(&self.unread_diagram)), &|| {
                Some(self.diagram_as_text())
            }];
        let forms = if self.unread_diagram.is_empty() {
            &forms[..]
        } else {
            &unread[..]
        };
        let diagrams = forms.iter().filter_map(|form| form());
        let texts = diagrams.flat_map(|diagram| {
            let line = self.line_of(&format!("{diagram}{special}"));
            let solution = words(&self.solution);
            [
                format!("{line} {solution}").trim_end().to_owned(),
                format!("{line}\n{solution}\n"),
            ]
        });
        let mut best = (0, String::new());
        for text in texts {
            let kept = self.kept_in(&text);
            // Of those that give nothing back the last has the shortest line with a diagram.
            if kept > best.0 || best.0 == 0 {
                best = (kept, text);
            }
            if kept == KEPT_WHOLE {
                break;
            }
        }
        best.1
    }

    /// How much of the problem a text of it gives back: nothing if it is not one record with
    /// its diagram, else the stipulation and the solution, which counts more.
    fn kept_in(&self, text: &str) -> u32 {
        let mut found = read(text).into_iter();
        let (Some((_, Ok(again))), None) = (found.next(), found.next()) else {
            return 0;
        };
        if again.diagram != self.diagram || again.unread_diagram != self.unread_diagram {
            return 0;
        }
        let asked = |problem: &Self| problem.asked().map(|asked| asked.to_string());
        let is_asked = words(&again.stipulation) == words(&self.stipulation)
            || asked(&again).is_some() && asked(&again) == asked(self);
        let is_solved = words(&again.solution) == words(&self.solution);
        1 + u32::from(is_asked) + 2 * u32::from(is_solved)
    }

    /// A diagram that could not be read, as text after an empty board.
    fn diagram_as_text(&self) -> String {
        let text = serde_json::Value::from(self.unread_diagram.as_str());
        format!("{EMPTY} [{UNREAD}{text}]")
    }

    /// The pieces that Forsyth's notation has no signs for, after a blank.
    fn special_pieces(&self) -> String {
        let mut special = ProblemDiagram::default();
        for (square, piece) in self.diagram.pieces() {
            if !piece.kinds.is_empty() {
                special.put(square, Some(piece.clone()));
            }
        }
        if special.is_empty() {
            return String::new();
        }
        format!(" [{}]", special.text())
    }

    /// The stipulation as it is written, or in signs with a mark if an option lets White begin.
    fn asked_text(&self) -> String {
        if self.turn() == first_of(&self.stipulation) {
            return self.stipulation.clone();
        }
        let signs = self.asked().map(|asked| asked.to_string());
        let asked = signs.as_ref().unwrap_or(&self.stipulation);
        format!("{asked}{WHITE_BEGINS}")
    }

    fn line_of(&self, diagram: &str) -> String {
        let mut parts = Vec::new();
        // A comma would end the name.
        let plain = |name: &String| match name.split_once(',') {
            Some((last, first)) => format!("{} {}", first.trim(), last.trim())
                .trim()
                .to_owned(),
            None => name.clone(),
        };
        let authors: Vec<String> = self.authors.iter().map(plain).collect();
        let mut head = authors.join(" & ");
        let printed = self.printed();
        let told = format!("{} {printed}", self.award);
        // What reads back as an award is written.
        let is_award = page::cut_award(&told).is_some_and(|(award, _)| award == self.award);
        let printed = if is_award { told } else { printed };
        if !printed.is_empty() {
            head.push_str(", ");
            head.push_str(printed.trim_end());
        }
        if !head.trim().is_empty() {
            parts.push(format!("{},", words(&head)));
        }
        parts.push(diagram.to_owned());
        if self.unread_diagram.is_empty() {
            parts.push(self.diagram.count_text());
        }
        parts.push(words(&self.asked_text()));
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_hold_lines_with_blanks_before_them() {
        // What is left above has a letter of two bytes where, without the blanks, it
        // would end.
        let text = "   so\u{ff}\u{ff}\n\n\u{feff}  8/8/8/8/8/4k3/4p3/4K3 h#2 \n";
        let found = read(text);
        assert_eq!(found[0].1, Err("so\u{ff}\u{ff}".to_owned()));
        let place = found[1].0.clone();
        assert!(text[place].ends_with("4K3 h#2"));
    }
}
