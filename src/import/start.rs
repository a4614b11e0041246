//! Where a game begins, from its row of the registry and its FEN tag.

use std::sync::LazyLock;

use crate::{
    base::diagnostic::Code,
    games::{
        AnyCursor, AnyPosition, AnyStart, GameText,
        language::ExpectedNotation,
        variant::{Variant, VariantDetection},
    },
    problems,
    store::StartRow,
};

/// The standard start position of chess.
pub(super) static USUAL: LazyLock<AnyPosition> = LazyLock::new(AnyPosition::initial);

/// A start position other than the usual one of chess.
#[derive(Debug)]
pub(super) struct BatchStart {
    /// Its row, which has no number yet; without a FEN for a variant's usual one.
    pub(super) row: StartRow,
    /// The position itself, where it can be played.
    pub(super) cursor: Option<AnyCursor>,
}

/// From where the moves are played.
#[derive(Debug)]
pub(super) enum StartSource {
    /// The standard start position of chess.
    Usual,
    /// Another position.
    Position(AnyStart),
    /// Nowhere: the movetext is kept as text.
    Nowhere,
}

/// How games begin.
#[derive(Debug)]
pub(super) struct GameStart {
    /// `None` for a game that is not known.
    pub(super) row: Option<&'static Variant>,
    pub(super) from: StartSource,
    /// What was found in the tags, to be reported for every such game.
    pub(super) findings: Vec<(Code, String)>,
    /// The FEN as written.
    fen: String,
    /// What stands on the board, where the pieces are not those of chess.
    diagram: Option<String>,
    /// Where a batch has the start, once a game needed it: by the position that the squares
    /// of the game make of it, the index + 1 into `Batch::starts`, 0 for the standard start
    /// position of chess.
    places: Vec<(Option<AnyPosition>, usize)>,
}

impl GameStart {
    /// Nowhere: the moves cannot be played.
    pub(super) fn nowhere(
        row: Option<&'static Variant>,
        fen: String,
        finding: Option<(Code, String)>,
    ) -> Self {
        Self {
            row,
            from: StartSource::Nowhere,
            findings: finding.into_iter().collect(),
            fen,
            diagram: None,
            places: Vec::new(),
        }
    }

    /// The same with what stands on the board.
    pub(super) fn with_diagram(self, diagram: String) -> Self {
        let diagram = Some(diagram);
        Self { diagram, ..self }
    }

    /// At the FEN of a tag; at the standard start position where that is blank.
    pub(super) fn of(mut row: &'static Variant, fen: String, expected: ExpectedNotation) -> Self {
        let read = if fen.trim().is_empty() {
            let usual = usual(row).map(|at| (at.into_start(expected), Vec::new()));
            usual.ok_or_else(|| {
                let title = row.title;
                format!("{title} has no standard start position, so a FEN is needed")
            })
        } else {
            AnyStart::read_fen(row, &fen, expected)
        };
        let (start, findings) = match read {
            Ok(read) => read,
            Err(error) => return Self::nowhere(Some(row), fen, Some((Code::BadFen, error))),
        };
        let has_rights = |(code, _): &(Code, String)| *code == Code::Chess960Rights;
        if row.id == Variant::CHESS && findings.iter().any(has_rights) {
            row = Variant::by_id(Variant::CHESS960).unwrap_or(row);
        }
        Self {
            row: Some(row),
            from: if start.at() == *USUAL {
                StartSource::Usual
            } else {
                StartSource::Position(start)
            },
            findings,
            fen,
            diagram: None,
            places: Vec::new(),
        }
    }

    /// The same for one game alone, where the moves of its text show how a FEN is meant that could
    /// not be read, or in Chess960 which castling rights it lacks.
    pub(super) fn told_by(&self, text: GameText<'_>, expected: ExpectedNotation) -> Option<Self> {
        let is_bad = || self.findings.iter().any(|(code, _)| *code == Code::BadFen);
        let row = self.row.filter(|_| self.lacks_rights() || is_bad())?;
        let (start, added) = AnyStart::of_text(row, &self.fen, text, expected)?;
        let known = (self.findings.iter()).filter(|(code, _)| *code != Code::BadFen);
        Some(Self {
            from: StartSource::Position(start),
            findings: known.cloned().chain(added).collect(),
            ..Self::nowhere(Some(row), self.fen.clone(), None)
        })
    }

    /// Whether a FEN of Chess960 has no castling rights, or some that contradict the rooks.
    fn lacks_rights(&self) -> bool {
        let is_960 = self.row.is_some_and(|row| row.id == Variant::CHESS960);
        let is_dropped = |(code, _): &(Code, String)| *code == Code::CastlingDropped;
        is_960
            && !self.fen.is_empty()
            && (self.findings.iter().any(is_dropped)
                || (self.fen.split_whitespace().nth(2)).is_none_or(|rights| rights == "-"))
    }

    /// The place of the start of a game among those of a batch. `other` is where it
    /// begins if its squares are named from another corner than was expected.
    pub(super) fn place(
        &mut self,
        other: Option<AnyPosition>,
        starts: &mut Vec<BatchStart>,
    ) -> usize {
        let corner = |at: &Option<AnyPosition>| at.as_ref().and_then(AnyPosition::corner);
        let is_same = |of: &Option<AnyPosition>| *of == other && corner(of) == corner(&other);
        if let Some((_, place)) = self.places.iter().find(|(of, _)| is_same(of)) {
            return *place;
        }
        let place = match self.start(other.clone()) {
            Some(start) => {
                starts.push(start);
                starts.len()
            }
            None => 0,
        };
        self.places.push((other, place));
        place
    }

    /// The start position, unless it is the standard one of chess.
    fn start(&self, other: Option<AnyPosition>) -> Option<BatchStart> {
        let at = match &self.from {
            StartSource::Usual => return None,
            StartSource::Nowhere => None,
            StartSource::Position(start) => Some(other.unwrap_or_else(|| start.at())),
        };
        // What cannot be played can be searched for as it stands.
        let is_chess = self
            .row
            .is_none_or(|row| row.tier() == Some(VariantDetection::Assumed));
        let of_fen = || problems::diagram_of_fen(&self.fen).filter(|_| is_chess);
        let diagram = match at {
            None => self.diagram.clone().or_else(of_fen),
            Some(_) => None,
        };
        // The standard start position has one row, whether it is written out or not.
        let is_usual = at.is_some() && self.row.and_then(usual) == at;
        Some(BatchStart {
            row: StartRow {
                id: 0,
                variant: self.row.map_or(0, |row| row.id),
                fen: if is_usual { "" } else { &self.fen }.to_owned(),
                canonical: at.as_ref().map(AnyPosition::fen),
                corner: at.as_ref().and_then(AnyPosition::corner),
                diagram,
            },
            cursor: at.as_ref().map(AnyCursor::new),
        })
    }
}

/// The standard start position of a game.
fn usual(row: &'static Variant) -> Option<AnyPosition> {
    // Of most games it is known without looking.
    match row.tier() {
        Some(VariantDetection::Assumed) => Some(USUAL.clone()),
        _ => AnyPosition::start(row),
    }
}
