//! Diagrams of any language and problem lines, where a position is asked for.
//!
//! A FEN is in English, so a text that is one is never taken for anything else.
//! What is no FEN may still be a diagram.

use crate::games::chess::basics::{Chess, Setup};

use super::{PositionText, PositionTextError, read_fen, set_up};
use crate::{
    base::diagnostic::Code,
    games::{
        chess::notation::fen::Fields,
        notation::{
            forsyth::{self, Candidate, Forsyth},
            letters::{ENGLISH, Language},
            problem::{self, Problem, ProblemError},
        },
    },
};

/// What a text says that is a diagram and no FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The language that its letters were taken for.
    pub language: &'static Language,
    /// Other boards that it can mean in other languages, the likeliest first.
    pub others: Vec<Candidate>,
    /// The line, if it is one of a problem; a bare diagram is one as well.
    pub problem: Option<Problem>,
}

impl Told {
    fn new(diagram: &Forsyth) -> Self {
        Self {
            language: diagram.language(),
            others: diagram.candidates[1..].to_vec(),
            problem: None,
        }
    }

    /// A sentence for people about the language that was taken.
    pub fn note(&self) -> Option<String> {
        let others: Vec<String> = self
            .others
            .iter()
            .map(|other| {
                let names: Vec<&str> = other.languages.iter().map(|l| l.name).collect();
                let board = forsyth::write(&other.board, ENGLISH);
                format!("{} ({board})", names.join(", "))
            })
            .collect();
        (!others.is_empty()).then(|| {
            format!(
                "the diagram is read as {}; it can also be {}",
                self.language.name,
                others.join(" or ")
            )
        })
    }
}

/// Reads a text that is no FEN, if there is a diagram in it. `None`: there is none,
/// and what was said of the text before stands.
pub(super) fn read(text: &str) -> Option<Result<PositionText, PositionTextError>> {
    localised_fen(text).or_else(|| line(text))
}

/// A FEN of which only the letters of the men are not English:
/// `T7/4k3/4S3/K2L4/8/8/8/5T2 w - - 0 1 moves Sd4`.
fn localised_fen(text: &str) -> Option<Result<PositionText, PositionTextError>> {
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
    Some(read.map(|read| with(read, &diagram)))
}

fn line(text: &str) -> Option<Result<PositionText, PositionTextError>> {
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
            return (!english).then_some(Err(PositionTextError::Diagram(error)));
        }
    };
    // A FEN whose fields are wrong is no problem with odd words behind it.
    if problem.unread.is_some() && problem.diagram.language() == ENGLISH {
        return None;
    }
    Some(position_of(problem))
}

fn position_of(problem: Problem) -> Result<PositionText, PositionTextError> {
    let mut setup: Setup = problem.setup();
    let fields = Fields {
        turn: problem.turn().is_some(),
        ..Fields::default()
    };
    let mut warnings = Vec::new();
    let position: Chess =
        set_up(&mut setup, fields, &mut warnings).map_err(PositionTextError::Fen)?;
    let read = PositionText {
        position,
        fields,
        warnings,
        double_step: None,
        operations: Vec::new(),
        told: None,
    };
    let diagram = problem.diagram.clone();
    let mut read = with(read, &diagram);
    for &code in &problem.warnings {
        note(&mut read.warnings, code);
    }
    if let Some(told) = &mut read.told {
        told.problem = Some(problem);
    }
    Ok(read)
}

fn with(mut read: PositionText, diagram: &Forsyth) -> PositionText {
    for &code in &diagram.warnings {
        note(&mut read.warnings, code);
    }
    read.told = Some(Told::new(diagram));
    read
}

fn note(warnings: &mut Vec<Code>, code: Code) {
    if !warnings.contains(&code) {
        warnings.push(code);
    }
}
