//! Diagrams of any language and problem lines, where a position is wanted.
//!
//! A FEN is in English, so a text that is one is never taken for anything else.
//! What is no FEN may still be a diagram.

use super::{read_fen, set_up};
use crate::games::{
    ParsedPosition, ReadFailure,
    chess::{basics::Chess, notation::fen::Fields},
    notation::{
        clip,
        forsyth::{self, Forsyth},
        letters::{ENGLISH, Language},
        piece_list,
        problem::{self, Problem, ProblemError, Stipulation},
    },
};

/// What a text says that is a diagram and no FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramText {
    /// The language that its letters were taken for.
    pub language: &'static Language,
    /// The stipulation, if it is the line of a problem.
    pub stipulation: Option<Stipulation>,
}

/// A sentence for people about the language that was taken, if there are others.
fn other_languages(diagram: &Forsyth) -> Option<String> {
    let others: Vec<String> = diagram.candidates[1..]
        .iter()
        .map(|other| {
            let names: Vec<&str> = other.languages.iter().map(|l| l.name).collect();
            let board = forsyth::write(&other.board, ENGLISH);
            format!("{} ({board})", names.join(", "))
        })
        .collect();
    let taken = diagram.language().name;
    let others = (!others.is_empty()).then(|| others.join(" or "))?;
    Some(format!(
        "the diagram is read as {taken}; it can also be {others}"
    ))
}

/// Reads a text that is no FEN, if there is a diagram in it. `None`: there is none,
/// and what was said of the text before stands.
pub(super) fn read(text: &str) -> Option<Result<ParsedPosition<Chess>, ReadFailure>> {
    localised_fen(text).or_else(|| line(text))
}

/// A FEN where only the letters of the pieces are not English:
/// `T7/4k3/4S3/K2L4/8/8/8/5T2 w - - 0 1 moves Sd4`.
fn localised_fen(text: &str) -> Option<Result<ParsedPosition<Chess>, ReadFailure>> {
    let (first, rest) = text.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let second = rest.split_whitespace().next()?;
    let is_field = ["w", "b", "white", "black", "moves"]
        .iter()
        .any(|word| second.eq_ignore_ascii_case(word));
    // "White to play and mate in 2" begins so as well.
    if !is_field
        || !forsyth::looks_like_placement(first)
        || problem::read(text).is_ok_and(|problem| problem.stipulation.is_some())
    {
        return None;
    }
    let diagram = forsyth::read(first).ok()?;
    let english = forsyth::write(diagram.board(), ENGLISH);
    let read = read_fen(&format!("{english} {rest}"));
    Some(read.map(|read| with(read, &diagram, None)))
}

fn line(text: &str) -> Option<Result<ParsedPosition<Chess>, ReadFailure>> {
    let problem = match problem::read(text) {
        Ok(problem) => problem,
        Err(ProblemError::NoDiagram { .. }) => return None,
        // A letter that no language has is said of the FEN as well.
        Err(ProblemError::Diagram(error)) if error.word() == "bad-char" => return None,
        Err(ProblemError::Diagram(error)) => {
            // Where English letters were miscounted, the FEN's error is the better one.
            let english = text.split_whitespace().any(|word| {
                forsyth::looks_like_placement(word)
                    && forsyth::read_in(word, ENGLISH).is_err_and(|own| own == error)
            });
            let message = format!("not a valid diagram: {error}");
            let hint = "a diagram is eight ranks from the top, separated by `/`, with the piece letters of one language";
            return (!english).then(|| Err(ReadFailure::at(ReadFailure::BOARD, message, hint)));
        }
    };
    // A FEN with wrong fields is not a problem with odd words after it.
    if problem.unread.is_some() && problem.diagram.language() == ENGLISH {
        return None;
    }
    Some(of_problem(problem))
}

fn of_problem(problem: Problem) -> Result<ParsedPosition<Chess>, ReadFailure> {
    let fields = Fields {
        turn: problem.turn().is_some(),
        ..Fields::default()
    };
    let mut read = set_up(problem.setup(), fields, Vec::new())?;
    read = with(read, &problem.diagram, problem.stipulation);
    read.note(&problem.warnings);
    Ok(read)
}

/// Reads a board that words describe: `White: Kf6, Qa1; Black: Kh8. Mate in 2`.
pub(super) fn described(text: &str) -> Option<Result<ParsedPosition<Chess>, ReadFailure>> {
    let lists = piece_list::all(text);
    let [list] = &lists[..] else {
        return None;
    };
    let (head, tail) = (&text[..list.place.start], &text[list.place.end..]);
    let problem = problem::read_around(head, list, tail);
    let skipped = problem.unread.clone();
    Some(of_problem(problem).map(|mut read| {
        let note = |text| format!("`{}` beside the pieces is skipped", clip(text));
        read.notes.extend(skipped.as_deref().map(note));
        read
    }))
}

fn with(
    mut read: ParsedPosition<Chess>,
    diagram: &Forsyth,
    stipulation: Option<Stipulation>,
) -> ParsedPosition<Chess> {
    let language = diagram.language();
    read.note(&diagram.warnings);
    read.notes.extend(other_languages(diagram));
    read.language = Some(language);
    read.aside.diagram = Some(DiagramText {
        language,
        stipulation,
    });
    read
}
