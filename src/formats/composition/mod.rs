//! Chess problems as records: who composed them, where they were printed, what they
//! ask, what stands on the board, how they are solved.
//!
//! Three kinds of text are read: lines with a diagram ([`lines`]), Popeye's input
//! ([`popeye`]) and the YAML of olive and YACPDB ([`olive`]). All become a
//! [`Composition`], which is stored as a game: its start is the diagram, its main
//! line the key and what follows. [`of_game`] makes a composition of a
//! stored game again, so that it can be shown and written as what it was.

mod diagram;
mod game;
pub mod lines;
pub mod olive;
pub mod popeye;
pub mod solution;

use std::ops::Range;

use crate::games::chess::basics::{Chess, Color};

pub use diagram::{ProblemDiagram, ProblemPiece, Side, piece_and_square};
pub(super) use game::write_record;
pub use game::{is_problem, of_game};

use crate::{
    base::diagnostic::Code,
    games::{
        chess::notation::fen::{self, FenError},
        notation::{
            letters::Language,
            problem::{self, Play, Stipulation},
        },
    },
};
use solution::{Solution, SolutionRules};

/// What a part of a text is: its place there in bytes and the problem, or why it is
/// none.
pub type Found = (Range<usize>, Result<Composition, String>);

/// A chess problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Composition {
    /// Who composed it, in the order printed.
    pub authors: Vec<String>,
    /// Where it was printed: a magazine, a book, a tourney.
    pub source: String,
    /// Volume, issue and number there.
    pub volume: String,
    /// Issue.
    pub issue: String,
    /// Number.
    pub number: String,
    /// When, as in PGN: `2009.02.??`.
    pub date: String,
    /// Its title, or what stands above it; several lines become one.
    pub title: String,
    /// What it won.
    pub award: String,
    /// What is asked, as written.
    pub stipulation: String,
    /// Fairy conditions.
    pub conditions: Vec<String>,
    /// How it is to be solved, for programs: `duplex`, `SetPlay`.
    pub options: Vec<String>,
    /// Themes.
    pub keywords: Vec<String>,
    /// What was said about it.
    pub comments: Vec<String>,
    /// What is changed for further twins: a name (`b`) and what is done.
    pub twins: Vec<(String, String)>,
    /// How many solutions it has.
    pub solutions: String,
    /// What stands on the board.
    pub diagram: ProblemDiagram,
    /// The board as it was written, where it could not be read.
    pub unread_diagram: String,
    /// A second diagram: that to be reached.
    pub target: Option<ProblemDiagram>,
    /// The solution as written.
    pub solution: String,
    /// In the letters of which language the solution is.
    pub language: &'static Language,
    /// All else that the record had: names and values.
    pub extra: Vec<(String, String)>,
    /// What was found in reading it.
    pub findings: Vec<(Code, String)>,
}

impl Composition {
    /// What is asked, if it is understood.
    #[must_use]
    pub fn asked(&self) -> Option<Stipulation> {
        problem::stipulation_of(&self.stipulation)
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
    pub fn is_proof_game(&self) -> bool {
        let text = self.stipulation.trim().to_ascii_lowercase();
        self.asked()
            .is_some_and(|asked| asked.play == Play::ProofGame)
            || text.starts_with("dia")
    }

    /// Whether play is that of orthodox chess from the diagram.
    #[must_use]
    pub fn is_orthodox(&self) -> bool {
        self.conditions.is_empty() && self.diagram.board().is_some()
    }

    /// The diagram as a position, and why it is none of chess; `None` with fairy pieces.
    fn start(&self) -> Option<Result<Chess, FenError>> {
        let setup = self.diagram.setup(self.turn())?;
        Some(fen::set_up(&setup, &mut Vec::new()))
    }

    /// The solution as a tree, where it can be played from the diagram.
    fn tree(&self) -> (Solution, Vec<String>) {
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

/// Whether a text begins with a word, whatever the case.
fn begins_with(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word))
}
