//! Chess problems as records: who composed them, where they were printed, what they
//! ask, what stands on the board, how they are solved.
//!
//! Three kinds of text are read: lines with a diagram ([`lines`]), Popeye's input
//! ([`popeye`]) and the YAML of olive and YACPDB ([`olive`]). All become a
//! [`Composition`], which is filed as it is with the text of its record
//! ([`StoredProblem`]). Its diagram is where play begins, and of its solution a tree of plies
//! is made for the index ([`Composition::play`]). As PGN it is a game with tags of its own,
//! which reads back as the same problem ([`pgn`]).

mod collection;
mod diagram;
pub mod lines;
mod normalise;
pub mod olive;
pub(super) mod page;
pub mod pgn;
pub mod popeye;
pub mod solution;
mod stored;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use collection::{CollectionFormat, CollectionWriter};
pub use diagram::{ProblemDiagram, ProblemPiece, ProblemSide, diagram_of_fen, transformed, typed};
pub use stored::{SourceText, StoredProblem};

use crate::{
    base::diagnostic::Code,
    games::{
        chess::{
            basics::{Chess, Color},
            notation::fen::{self, FenError},
        },
        notation::{
            letters::Language,
            problem::{self, Play, Stipulation},
        },
    },
};
use solution::{Solution, SolutionRules};

/// What a part of a text is: its place there in bytes and the problem, or why it is
/// none.
pub type ParsedProblem = (Range<usize>, Result<Composition, String>);

/// Between the values of a list where it is one text.
const BETWEEN: &str = "; ";

/// A chess problem.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Composition {
    /// Who composed it, in the order printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Where it was printed: a magazine, a book, a tourney.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Volume, issue and number there.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub volume: String,
    /// Issue.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub issue: String,
    /// Number.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub number: String,
    /// When, as in PGN: `2009.02.??`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// Its title, or what stands above it; several lines become one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What it won.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub award: String,
    /// The stipulation, as written.
    pub stipulation: String,
    /// Fairy conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// How it is to be solved, for programs: `duplex`, `SetPlay`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Themes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// What was said about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// What is changed for further twins: a name (`b`) and what is done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<(String, String)>,
    /// How many solutions it has.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub solutions: String,
    /// What stands on the board.
    pub diagram: ProblemDiagram,
    /// The board as it was written, where it could not be read.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unread_diagram: String,
    /// A second diagram: that to be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<ProblemDiagram>,
    /// The solution as written.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub solution: String,
    /// The language whose letters the solution has.
    #[serde(with = "stored::code")]
    pub language: &'static Language,
    /// All else that the record had: names and values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<(String, String)>,
    /// What was found in reading it.
    #[serde(skip)]
    pub findings: Vec<(Code, String)>,
}

impl Composition {
    /// The stipulation, if it is understood.
    #[must_use]
    pub fn asked(&self) -> Option<Stipulation> {
        problem::stipulation_of(&self.stipulation)
    }

    /// Where and when it was printed, as one text, whose last year is that of the date.
    fn printed(&self) -> String {
        let numbers = [&self.volume, &self.issue, &self.number].into_iter();
        // Where no date is known, a number must not become one.
        let is_told = |part: &&String| !self.date.is_empty() || lines::date_in(part).is_empty();
        let parts = std::iter::once(&self.source).chain(numbers.filter(is_told));
        let parts: Vec<&str> = parts
            .filter(|part| !part.is_empty())
            .map(String::as_str)
            .collect();
        let mut printed = parts.join(", ");
        let year = self.date.get(..4).unwrap_or_default();
        let is_year = !year.is_empty() && year.bytes().all(|digit| digit.is_ascii_digit());
        if is_year && !lines::date_in(&printed).starts_with(year) {
            printed.push_str(if printed.is_empty() { "" } else { ", " });
            printed.push_str(year);
        }
        printed
    }

    /// Who moves first. Popeye's option and the words of the stipulation count.
    #[must_use]
    pub fn turn(&self) -> Color {
        let says = |word: &str| self.options.iter().any(|option| begins_with(option, word));
        let first = self.asked().map_or(self.even(), |asked| asked.first());
        // "White to play" turns the order of help play around.
        if says("whitetoplay") || says("weissbeginnt") || says("apparentseul") {
            return match self.even() {
                Color::Black => Color::White,
                Color::White => first,
            };
        }
        first
    }

    /// The side whose moves follow a plain number: Black in help play.
    fn even(&self) -> Color {
        if let Some(asked) = self.asked() {
            return Color::from_white(!asked.play.is_help());
        }
        // Popeye's other goals: `hx2`, `ser-h~1`, `pser-hct3`.
        let text = self.stipulation.trim().to_ascii_lowercase();
        let text = text.trim_start_matches("exact-");
        let begins = |plays: &[&str]| plays.iter().any(|play| text.starts_with(play));
        let is_help = begins(&["h", "ser-h", "pser-h", "phser-", "reci-h"])
            && !begins(&["hs", "hr", "ser-hs"]);
        Color::from_white(!is_help || text.ends_with(".5"))
    }

    /// How the words of the solution are to be read.
    #[must_use]
    pub fn rules(&self) -> SolutionRules {
        SolutionRules::new(self.language, self.even(), self.turn())
    }

    /// Whether one side moves alone.
    #[must_use]
    pub fn is_series(&self) -> bool {
        let text = self.stipulation.to_ascii_lowercase();
        text.contains("ser-")
    }

    /// Whether the diagram is what is to be reached, not where play begins.
    #[must_use]
    fn is_proof_game(&self) -> bool {
        let text = self.stipulation.trim().to_ascii_lowercase();
        self.asked()
            .is_some_and(|asked| asked.play == Play::ProofGame)
            || text.starts_with("dia")
    }

    /// Whether play is that of orthodox chess from the diagram.
    #[must_use]
    fn is_orthodox(&self) -> bool {
        self.conditions.is_empty() && self.diagram.board().is_some()
    }

    /// The diagram as a position, and why it is none of chess; `None` with fairy pieces.
    fn start(&self) -> Option<Result<Chess, FenError>> {
        let setup = self.diagram.setup(self.turn())?;
        Some(fen::set_up(&setup, &mut Vec::new()))
    }

    /// Where play begins, as far as it can; and what is to be said of the problem: what was
    /// found in reading it, and what of it chess does not know.
    #[must_use]
    pub fn beginning(&self) -> (ProblemStart, Vec<(Code, String)>) {
        let mut findings = self.findings.clone();
        let is_read = self.unread_diagram.is_empty();
        let Some(setup) = self.diagram.setup(self.turn()).filter(|_| is_read) else {
            let (text, diagram) = if is_read {
                (self.diagram.text(), self.diagram.forsyth())
            } else {
                (self.unread_diagram.clone(), self.unread_diagram.clone())
            };
            findings.push((Code::Fairy, text));
            let fen = String::new();
            return (ProblemStart::Diagram { fen, diagram }, findings);
        };
        let fen = fen::write(&setup);
        let start = match fen::set_up(&setup, &mut Vec::new()) {
            Ok(_) => ProblemStart::Playable { fen },
            Err(why) => {
                // Kings are missing, or too many: nothing is wrong with that.
                findings.push((Code::Fairy, why.to_string()));
                let diagram = self.diagram.forsyth();
                ProblemStart::Diagram { fen, diagram }
            }
        };
        if !self.conditions.is_empty() {
            findings.push((Code::Fairy, self.conditions.join(BETWEEN)));
        }
        (start, findings)
    }

    /// The solution as a tree, played as far as it can be from the diagram, and the moves
    /// that were refused.
    #[must_use]
    pub fn play(&self) -> (Solution, Vec<String>) {
        let text = || (Solution::text(&self.solution), Vec::new());
        if self.solution.trim().is_empty() || !self.is_orthodox() || self.is_proof_game() {
            return text();
        }
        let Some(Ok(start)) = self.start() else {
            return text();
        };
        let rules = self.rules();
        let read = solution::read(&self.solution, rules.first_depth);
        let (played, refused) = solution::play(read, &start, rules);
        if played.is_empty() {
            return (Solution::text(&self.solution), refused);
        }
        (played, refused)
    }
}

/// Where the play of a problem begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemStart {
    /// In a position of chess.
    Playable {
        /// Its FEN.
        fen: String,
    },
    /// In a diagram that is none: it can be searched for, but not played from.
    Diagram {
        /// Its FEN, where its pieces are those of chess; else empty.
        fen: String,
        /// The one spelling of what stands on it, or what could not be read.
        diagram: String,
    },
}

/// Whether a text begins with a word, whatever the case.
fn begins_with(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// The board of a list of pieces as Popeye has it, in the FEN of chess, if all of them are
/// pieces of chess; `None` for any other text, a board among words as well: what they mean is not to
/// be passed over.
#[must_use]
pub fn listed_board(text: &str) -> Option<String> {
    if text.contains('/') {
        return None;
    }
    let listed = ProblemDiagram::from_text(text.trim()).filter(|listed| !listed.is_empty())?;
    Some(listed.board()?.board_fen().to_string())
}

#[cfg(test)]
mod tests {
    use super::listed_board;

    #[test]
    fn pieces_of_chess_are_a_board() {
        let listed = listed_board(" white Kf3 Sa2 black Kh1 ");
        assert_eq!(listed.as_deref(), Some("8/8/8/8/8/5K2/N7/7k"));
        for text in [
            "white Kf3 Ga2 black Kh1",
            "white Ka1 neutral Sb1",
            "e4 e5",
            "player:carlsen 8/8/8/8/8/5K2/N7/7k",
            "",
        ] {
            assert_eq!(listed_board(text), None, "{text}");
        }
    }
}
