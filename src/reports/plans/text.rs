//! Steps in the notation of players.

use super::step::{PlanStep, StepKind};
use crate::games::{diagram::Diagram, view::PieceSets};

/// What the squares of a board are called, and what stands on them.
#[derive(Debug, Clone)]
pub struct SquareLabels {
    names: Vec<String>,
    /// The pieces of the position, if the steps begin at one.
    pieces: Option<PieceSets>,
}

impl SquareLabels {
    /// Those of a board; with its pieces if all steps begin there.
    pub fn new(diagram: &Diagram, has_position: bool) -> Self {
        let mut names = vec![String::new(); 128];
        for (row, rank) in diagram.rows.iter().zip(
            diagram
                .ranks
                .iter()
                .map(Some)
                .chain(std::iter::repeat(None)),
        ) {
            for (at, place) in row.iter().enumerate() {
                let Some(square) = place.square else {
                    continue;
                };
                names[usize::from(square & 127)] = match (diagram.files.get(at), rank, place.number)
                {
                    (Some(file), Some(rank), _) => format!("{file}{rank}"),
                    (.., Some(number)) => number.to_string(),
                    _ => square.to_string(),
                };
            }
        }
        Self {
            names,
            pieces: has_position.then(|| PieceSets::of(diagram)),
        }
    }

    /// The name of a square.
    pub fn square(&self, square: u8) -> &str {
        self.names
            .get(usize::from(square))
            .map_or("", String::as_str)
    }

    /// Whether a piece stands on a square where the steps begin.
    fn stands(&self, side: Option<u8>, piece: char, square: u8) -> bool {
        let letter = if side == Some(1) {
            piece.to_ascii_lowercase()
        } else {
            piece
        };
        let code = crate::games::view::code_of(letter);
        (self.pieces.as_ref()).is_some_and(|pieces| pieces.pieces(code) >> square & 1 == 1)
    }

    /// A step in words: `Nd2-f1-g3`, `f5!`, `cxd5`, `dark-squared bishops`.
    pub fn step(&self, step: PlanStep, route: &[u8], is_break: bool) -> String {
        let square = |at: u8| self.square(at);
        match step.kind {
            StepKind::Piece {
                piece: 'M',
                square: at,
            } => match route {
                [from, .., _] => format!("{}-{}", square(*from), square(at)),
                _ => square(at).to_owned(),
            },
            StepKind::Piece { piece, square: at } => self.way(step.side, piece, at, route),
            StepKind::RookLift { square: at } => self.way(step.side, 'R', at, route),
            StepKind::RookFile { file } => match route {
                [.., at] => self.way(step.side, 'R', *at, route),
                [] => format!("R on the {}-file", file_name(file)),
            },
            StepKind::Push { square: at } => {
                format!("{}{}", square(at), if is_break { "!" } else { "" })
            }
            StepKind::PawnCapture { file, square: at } => {
                format!("{}x{}", file_name(file), square(at))
            }
            StepKind::Castling { is_long: false } => "O-O".to_owned(),
            StepKind::Castling { is_long: true } => "O-O-O".to_owned(),
            StepKind::SeventhRank => {
                let rank = if step.side == Some(1) { "2nd" } else { "7th" };
                format!("R on the {rank} rank")
            }
            StepKind::Exchange { piece, is_light } => match (piece, is_light) {
                ('Q', _) => "queens".to_owned(),
                ('R', _) => "a pair of rooks".to_owned(),
                ('N', _) => "a pair of knights".to_owned(),
                (_, Some(true)) => "light-squared bishops".to_owned(),
                (_, Some(false)) => "dark-squared bishops".to_owned(),
                (piece, None) => format!("{piece} for {piece}"),
            },
            StepKind::UnequalExchange {
                gives, square: at, ..
            } => format!("{gives}x{}", square(at)),
            StepKind::Shots { gives, takes } => format!("exchange {gives}\u{d7}{takes}"),
            StepKind::Crowning => "a king".to_owned(),
        }
    }

    /// A piece with the squares that it goes over. Where it starts is left out if it stands there
    /// at the position, and so is known.
    fn way(&self, side: Option<u8>, piece: char, at: u8, route: &[u8]) -> String {
        let shown = match route {
            [from, rest @ ..] if piece == 'K' || self.stands(side, piece, *from) => rest,
            // A rook that has castled has no other place to come from.
            [from, rest @ ..] if piece == 'R' && CASTLED.contains(from) => rest,
            [_, rest @ ..] if self.pieces.is_none() => rest,
            route => route,
        };
        if shown.is_empty() {
            return format!("{piece}{}", self.square(at));
        }
        let names: Vec<&str> = shown.iter().map(|at| self.square(*at)).collect();
        format!("{piece}{}", names.join("-"))
    }
}

/// Where rooks of chess stand after castling.
const CASTLED: [u8; 4] = [3, 5, 59, 61];

fn file_name(file: u8) -> char {
    char::from(b'a' + file.min(25))
}
