//! The position that parameters name: a FEN, and moves after it.

use serde::Serialize;

use super::handler_error::HandlerError;
use crate::base::record::OpeningName;
use crate::cli::args::position::read_typed;
use crate::cli::error::CliError;
use crate::draw::svg;
use crate::games::diagram::DiagramSquare;
use crate::games::position_input::TypedPosition;
use crate::games::variant::Variant;
use crate::games::{AnyPosition, Budget, BudgetExceeded, NamedOpening, NextMove};

/// Moves that are played at most.
const PLAY_MAX: usize = 2_000;

/// A position, and what is known of the way there.
#[derive(Debug)]
pub(crate) struct ResolvedPosition {
    /// The position.
    pub at: AnyPosition,
    /// The last name on the way.
    pub opening: Option<&'static NamedOpening>,
    /// The moves of the way, each by its names.
    pub line: Vec<[String; 2]>,
    /// Whether castling rights are known, and whether en passant is: a FEN may lack them.
    pub knows: [bool; 2],
}

impl ResolvedPosition {
    /// Reads a FEN of a variant, or takes its start where there is none.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(crate) fn of_row(row: &'static Variant, fen: Option<&str>) -> Result<Self, String> {
        let Some(fen) = fen else {
            let at = AnyPosition::start(row)
                .ok_or_else(|| format!("{} has no standard start: give a fen", row.title))?;
            return Ok(Self::at(at));
        };
        // Links have underscores where blanks would be encoded.
        let fen = fen.replace('_', " ");
        let read = AnyPosition::read_fen(row, &fen)?;
        let mut at = read.at;
        if !read.fields.castling && fen.split_whitespace().count() <= 2 {
            // Castling that is possible from there is allowed.
            let turn = if read.fields.turn { "" } else { " w" };
            let filled = AnyPosition::read_fen(row, &format!("{}{turn} KQkq", fen.trim()));
            at = filled.map_or(at, |filled| filled.at);
        }
        Ok(Self {
            knows: [read.fields.castling, read.fields.ep],
            ..Self::at(at)
        })
    }

    fn at(at: AnyPosition) -> Self {
        let opening = at.named_opening();
        Self {
            at,
            opening,
            line: Vec::new(),
            knows: [true; 2],
        }
    }

    /// Plays moves that are written for programs, with commas between.
    ///
    /// # Errors
    ///
    /// Which is none, or illegal.
    pub(crate) fn play(&mut self, moves: &str) -> Result<(), String> {
        // The FEN of a position that is set by hand has commas of its own.
        let mut is_quoted = false;
        let words = moves.split(|c| {
            is_quoted ^= c == '"';
            c == ',' && !is_quoted
        });
        let words = words.map(str::trim);
        for (word, played) in words.filter(|word| !word.is_empty()).zip(0..) {
            if played == PLAY_MAX {
                return Err(format!("more than {PLAY_MAX} moves"));
            }
            let at = &self.at;
            let found = match at
                .move_by_squares(word, Budget::default())
                .map_err(too_many)?
            {
                None => (legal(at)?.into_iter())
                    .find(|m| is_written_so(at, m, word))
                    .or_else(|| at.null_move(word))
                    .or_else(|| at.by_hand(word)),
                found => found,
            };
            let Some(next) = found else {
                return Err(format!("`{word}` is not a legal move in {}", self.at.fen()));
            };
            self.line.push(next.names);
            self.knows[1] = true;
            self.at = next.behind;
            self.opening = self.at.named_opening().or(self.opening);
        }
        Ok(())
    }
}

/// The legal moves.
fn legal(at: &AnyPosition) -> Result<Vec<NextMove>, String> {
    at.moves(Budget::default()).map_err(too_many)
}

fn too_many(_: BudgetExceeded) -> String {
    "this position has too many captures to look at".to_owned()
}

/// Whether a word is a move, as its game writes it or as lichess writes castling.
fn is_written_so(at: &AnyPosition, legal: &NextMove, word: &str) -> bool {
    let [san, uci] = &legal.names;
    san == word || (san.starts_with("O-O") && king_takes_rook(at, san, uci) == word)
}

/// A move as lichess writes it: castling is the king that takes its own rook.
pub(crate) fn king_takes_rook(at: &AnyPosition, san: &str, uci: &str) -> String {
    if !san.starts_with("O-O") || uci.len() != 4 {
        return uci.to_owned();
    }
    let diagram = at.diagram();
    let rank = diagram.rows.iter().zip(&diagram.ranks);
    let row = rank
        .into_iter()
        .find(|(_, rank)| uci[1..2] == rank.to_string());
    let (Some((row, _)), Some(king)) = (row, file_of(&uci[..1])) else {
        return uci.to_owned();
    };
    let rook = if at.turn() == 0 { 'R' } else { 'r' };
    let is_rook = |file: &usize| {
        let piece = row.get(*file).and_then(|place| place.piece);
        piece.is_some_and(|piece| piece.letter == rook)
    };
    // King takes rook already, as in Chess960?
    if file_of(&uci[2..3]).is_some_and(|to| is_rook(&to)) {
        return uci.to_owned();
    }
    let is_long = san.starts_with("O-O-O");
    let found = if is_long {
        (0..king).find(is_rook)
    } else {
        (king + 1..row.len()).rev().find(is_rook)
    };
    let file = found.and_then(|file| diagram.files.get(file));
    file.map_or_else(
        || uci.to_owned(),
        |file| format!("{}{file}{}", &uci[..2], &uci[1..2]),
    )
}

fn file_of(letter: &str) -> Option<usize> {
    let byte = letter.bytes().next()?;
    Some(usize::from(byte.checked_sub(b'a')?))
}

/// A position with all that a page needs, so that it can do without the rules.
#[derive(Debug, Serialize)]
pub(crate) struct PositionAnswer {
    fen: String,
    variant: &'static str,
    title: &'static str,
    to_move: &'static str,
    check: bool,
    end: Option<String>,
    opening: Option<OpeningName>,
    line: Vec<LegalMove>,
    files: usize,
    ranks: usize,
    numbered: bool,
    moves: Vec<LegalMove>,
    pieces: Vec<PieceOnSquare>,
}

/// A legal move with its way over the board.
#[derive(Debug, Serialize)]
struct LegalMove {
    san: String,
    uci: String,
    squares: Vec<String>,
    drop: Option<String>,
    promotion: Option<String>,
}

/// What stands on a square.
#[derive(Debug, Serialize)]
struct PieceOnSquare {
    square: String,
    letter: char,
    side: &'static str,
}

/// Reads what `fen`, `play` and `variant` say.
///
/// # Errors
///
/// [`HandlerError`].
pub(crate) fn read(
    fen: Option<&str>,
    play: Option<&str>,
    variant: Option<&str>,
) -> Result<(ResolvedPosition, &'static Variant), HandlerError> {
    let wrong = |message: String| HandlerError::Wrong(CliError::new(message));
    let named = match variant.filter(|name| !name.is_empty()) {
        Some(name) => Some(crate::cli::args::position::variant(name).map_err(HandlerError::Wrong)?),
        None => None,
    };
    let fen = fen.filter(|fen| !fen.trim().is_empty());
    let (mut placed, row) = match (fen, named) {
        (None, named) => {
            let row = named.unwrap_or(&crate::games::variant::ALL[0]);
            (ResolvedPosition::of_row(row, None).map_err(wrong)?, row)
        }
        (Some(fen), named) => {
            let TypedPosition { at, row, .. } =
                read_typed(&fen.replace('_', " "), named.as_slice(), &mut Vec::new())
                    .map_err(HandlerError::Wrong)?;
            (ResolvedPosition::at(at), row)
        }
    };
    if let Some(play) = play {
        placed.play(play).map_err(wrong)?;
    }
    Ok((placed, row))
}

/// Everything about a position.
///
/// # Errors
///
/// [`HandlerError`] if there are too many captures to look at.
pub(crate) fn describe(
    placed: &ResolvedPosition,
    row: &'static Variant,
) -> Result<PositionAnswer, HandlerError> {
    let at = &placed.at;
    let legal = legal(at).map_err(|message| HandlerError::Wrong(CliError::new(message)))?;
    let diagram = at.diagram();
    let sides = at.sides();
    let mut pieces = Vec::new();
    for (row, places) in diagram.rows.iter().enumerate() {
        for (column, place) in places.iter().enumerate() {
            if let (Some(square), Some(piece)) = (diagram.square_name(row, column), place.piece) {
                pieces.push(PieceOnSquare {
                    square,
                    letter: piece.letter,
                    side: sides[usize::from(piece.side) & 1],
                });
            }
        }
    }
    let is_numbered = |place: &DiagramSquare| place.number.is_some();
    Ok(PositionAnswer {
        fen: at.fen(),
        variant: row.name,
        title: row.title,
        to_move: at.side_to_move(),
        check: at.is_check(),
        end: at.outcome().map(|end| end.to_string()),
        opening: placed.opening.map(OpeningName::from),
        line: placed.line.iter().map(LegalMove::of).collect(),
        files: diagram.rows.first().map_or(0, Vec::len),
        ranks: diagram.rows.len(),
        numbered: diagram.rows.iter().flatten().any(is_numbered),
        moves: legal.iter().map(|m| LegalMove::of(&m.names)).collect(),
        pieces,
    })
}

/// The board as SVG, a group for each square.
pub(crate) fn picture(placed: &ResolvedPosition, flipped: bool) -> String {
    let style = svg::Style {
        flipped,
        turn: Some(placed.at.turn() as u8),
        has_squares: true,
    };
    svg::draw(&placed.at.diagram(), style)
}

impl LegalMove {
    /// A move takes apart what is written for programs: `e7e8q`, `P@e4`, `32x23x14`, `a10b9`.
    fn of([san, uci]: &[String; 2]) -> Self {
        let (drop, way) = match uci.split_once('@') {
            Some((piece, way)) => (Some(piece.to_owned()), way),
            // A position that is set by hand has no way over the board.
            None => (
                None,
                if uci.starts_with('/') {
                    ""
                } else {
                    uci.as_str()
                },
            ),
        };
        let is_separated = way.contains(|c: char| !c.is_ascii_alphanumeric());
        let mut squares = Vec::new();
        let mut rest = way;
        let mut promotion = None;
        // The `x` of draughts is no file.
        if is_separated || way.contains('x') {
            let parts = way.split(['-', 'x', ':']);
            // A null move has none.
            let is_square = |part: &&str| part.contains(|c: char| c.is_ascii_alphanumeric());
            squares.extend(parts.filter(is_square).map(str::to_owned));
        } else {
            while let Some(length) = square_length(rest) {
                squares.push(rest[..length].to_owned());
                rest = &rest[length..];
            }
            promotion = (!squares.is_empty() && !rest.is_empty()).then(|| rest.to_owned());
        }
        Self {
            san: san.clone(),
            uci: uci.clone(),
            squares,
            drop,
            promotion,
        }
    }
}

/// How long the name of the square is that a text begins with: a letter and a number.
fn square_length(text: &str) -> Option<usize> {
    let mut bytes = text.bytes();
    bytes.next().filter(u8::is_ascii_lowercase)?;
    let digits = bytes.take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(digits + 1)
}
