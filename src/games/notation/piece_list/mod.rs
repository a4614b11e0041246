//! Boards described by what stands where: `White: Kf6, Qa1; Black: Kh8`, `α8 λευκός πύργος`,
//! `weißer König e1`, in lists, in sentences or one square a line.
//!
//! Both sides are named, and each has one king: without these no text is taken for such a list.
//! The words of each language are tried, with its letters and those of others; the first
//! language that explains most of the words and makes a board is taken.

mod token;
mod words;

use std::ops::Range;

use crate::games::{
    chess::basics::{Bitboard, Board, Color, Piece, Role, Square},
    notation::{
        forsyth::distinct_languages,
        letters::{Language, fold, upper},
    },
};
use token::{PieceToken, PieceTokenKind, tokens};
use words::PieceTerm;

/// A board that a text describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceList {
    /// From its first word to its last one, in bytes.
    pub place: Range<usize>,
    /// What stands where.
    pub board: Board,
    /// The language of its words.
    pub language: &'static Language,
}

/// Words of a sentence between those of a list, at most: `stands on the square`.
const WORDS_BETWEEN_MAX: usize = 4;

/// Pieces of the shortest list: less is a remark.
const PIECES_MIN: usize = 3;

/// The boards that a text describes, in order.
///
/// ```
/// use plydex::games::notation::piece_list;
///
/// let found = piece_list::all("White: Kf6, Qa1; Black: Kh8. Mate in 2");
/// assert_eq!(found[0].board.board_fen().to_string(), "7k/8/5K2/8/8/8/8/Q7");
/// ```
#[must_use]
pub fn all(text: &str) -> Vec<PieceList> {
    let tokens = tokens(text);
    let mut found: Vec<PieceList> = Vec::new();
    let mut at = 0;
    while let Some(run) = next_run(&tokens, at) {
        at = run.end;
        if let Some(mut list) = read(&tokens[run.clone()]) {
            list.place = with_edges(&tokens, run, list.place);
            found.push(list);
        }
    }
    found
}

/// The place of a list with the lines right above and below it that have nothing but the letters
/// and numbers at the edge of a board.
fn with_edges(tokens: &[PieceToken<'_>], run: Range<usize>, place: Range<usize>) -> Range<usize> {
    let is_edge =
        |t: &&PieceToken<'_>| matches!(t.kind, PieceTokenKind::Edge | PieceTokenKind::Line);
    let is_line = |t: &PieceToken<'_>| matches!(t.kind, PieceTokenKind::Line);
    let above = tokens[..run.start].iter().rev().take_while(is_edge);
    let above: Vec<_> = above.collect();
    let below = tokens[run.end..].iter().take_while(is_edge);
    let below: Vec<_> = below.collect();
    // A number that words stand beside is a part of what they say.
    let ends_line = |edges: &[&PieceToken<'_>], has_more: bool| {
        let last = edges.iter().rposition(|t| is_line(t)).filter(|_| has_more);
        last.unwrap_or(if has_more { 0 } else { edges.len() })
    };
    let count = |edges: &[&PieceToken<'_>], has_more: bool| {
        let edges = &edges[..ends_line(edges, has_more)];
        let is_apart = edges.first().is_some_and(|t| is_line(t));
        edges
            .iter()
            .rfind(|t| is_apart && !is_line(t))
            .map(|t| t.place.clone())
    };
    let has_above = above.len() < run.start;
    let has_below = below.len() < tokens.len() - run.end;
    let start = count(&above, has_above).map_or(place.start, |edge| edge.start);
    let end = count(&below, has_below).map_or(place.end, |edge| edge.end);
    start..end
}

/// What a token is to a list, whatever its language.
const fn is_of_list(kind: &PieceTokenKind<'_>) -> bool {
    matches!(
        kind,
        PieceTokenKind::Word(_) | PieceTokenKind::Square(..) | PieceTokenKind::Lettered(..)
    )
}

/// The next tokens that belong together: nothing but a few words stands between those that say
/// something of a board.
fn next_run(tokens: &[PieceToken<'_>], from: usize) -> Option<Range<usize>> {
    let start = from + tokens[from..].iter().position(|t| is_of_list(&t.kind))?;
    let mut end = start + 1;
    let (mut others, mut is_apart) = (0, false);
    for (at, token) in tokens.iter().enumerate().skip(start + 1) {
        match &token.kind {
            kind if is_of_list(kind) => {
                // A word begins what continues on the next line; nothing does after its square.
                let is_open = matches!(tokens[end - 1].kind, PieceTokenKind::Word(_));
                if others > 0 && is_apart && !is_open {
                    break;
                }
                end = at + 1;
                (others, is_apart) = (0, false);
            }
            PieceTokenKind::Number => break,
            PieceTokenKind::Line | PieceTokenKind::Sentence => is_apart = true,
            PieceTokenKind::Other(_) => {
                others += 1;
                if others > WORDS_BETWEEN_MAX {
                    break;
                }
            }
            _ => {}
        }
    }
    Some(start..end)
}

/// The board of a run, in the language that explains most of its words.
fn read(tokens: &[PieceToken<'_>]) -> Option<PieceList> {
    let languages = words::languages();
    let mut known = vec![0_usize; languages.len()];
    let mut sides = vec![[false; 2]; languages.len()];
    for token in tokens {
        let PieceTokenKind::Word(meanings) = &token.kind else {
            continue;
        };
        for &(language, meaning) in meanings {
            known[language] += 1;
            if let PieceTerm::Side(side) = meaning {
                sides[language][usize::from(side.is_white())] = true;
            }
        }
    }
    let mut order: Vec<usize> = (0..languages.len())
        .filter(|&at| sides[at] == [true; 2])
        .collect();
    order.sort_by_key(|&at| std::cmp::Reverse(known[at]));
    let has_letters = tokens
        .iter()
        .any(|t| matches!(t.kind, PieceTokenKind::Lettered(..)));
    let own = order.iter().map(|&at| (at, languages[at]));
    let others = order.iter().take(usize::from(has_letters));
    let others = others.flat_map(|&at| distinct_languages().map(move |letters| (at, letters)));
    own.chain(others).find_map(|(words, letters)| {
        let reader = PieceListReader::of(tokens, words);
        let (place, board) = reader.read(tokens, words, letters)?;
        let language = if has_letters {
            letters
        } else {
            languages[words]
        };
        Some(PieceList {
            place,
            board,
            language,
        })
    })
}

/// A square on which the list puts something.
#[derive(Debug, Clone, Copy)]
struct ListedPiece {
    side: Color,
    role: Role,
    square: Square,
    /// Nothing but the piece before it says what stands there.
    goes_on: bool,
}

/// What is known while a list is read in one language.
#[derive(Debug, Default)]
struct PieceListReader {
    /// Squares stand before what is on them.
    is_square_first: bool,
    side: Option<Color>,
    /// The side that the piece at hand was given.
    own_side: Option<Color>,
    role: Option<Role>,
    square: Option<Square>,
    /// Where the words of the piece at hand began, and whether a square followed.
    is_placed: bool,
    placed: Vec<ListedPiece>,
    /// From the first word that counts to the last.
    place: Option<Range<usize>>,
}

impl PieceListReader {
    /// A reader that knows whether squares come first, which the first piece shows.
    fn of(tokens: &[PieceToken<'_>], language: usize) -> Self {
        let (mut is_behind_square, mut is_square_first) = (false, false);
        for token in tokens {
            match &token.kind {
                PieceTokenKind::Square(..) => is_behind_square = true,
                PieceTokenKind::Line | PieceTokenKind::Sentence | PieceTokenKind::Lettered(..) => {
                    is_behind_square = false;
                }
                PieceTokenKind::Word(meanings) => {
                    if let Some(PieceTerm::Piece(_)) = meaning(meanings, language) {
                        is_square_first = is_behind_square;
                        break;
                    }
                }
                _ => {}
            }
        }
        Self {
            is_square_first,
            ..Self::default()
        }
    }

    fn read(
        mut self,
        tokens: &[PieceToken<'_>],
        words: usize,
        letters: &Language,
    ) -> Option<(Range<usize>, Board)> {
        // Whose pawns are named.
        let mut pawns = [false; 2];
        // Where the words before the first square begin, and whether others are among them.
        let (mut from, mut has_others) = (None, false);
        for (at, token) in tokens.iter().enumerate() {
            let begin = *from.get_or_insert(token.place.start);
            match &token.kind {
                PieceTokenKind::Word(meanings) => match meaning(meanings, words) {
                    Some(PieceTerm::Side(side)) => self.side(side),
                    Some(PieceTerm::Piece(role)) => {
                        self.piece(role);
                        if self.is_square_first && self.place.is_some() {
                            self.extend(begin..token.place.end);
                        }
                    }
                    None => has_others = true,
                },
                PieceTokenKind::Square(square, is_glued) => {
                    self.square(*square, *is_glued)?;
                    self.extend(begin..token.place.end);
                }
                PieceTokenKind::Lettered(text, square) => {
                    let role = role_of(text, letters)?;
                    if let Some(side) = self.side.filter(|_| role == Role::Pawn) {
                        pawns[usize::from(side.is_white())] = true;
                    }
                    self.end_square()?;
                    (self.role, self.is_placed) = (Some(role), false);
                    self.put(*square)?;
                    self.extend(begin..token.place.end);
                }
                // A title may name sides and pieces as well.
                PieceTokenKind::Line if self.place.is_none() && has_others => {
                    (self.side, self.role, self.own_side) = (None, None, None);
                    (from, has_others) = (None, false);
                }
                PieceTokenKind::Line if self.is_square_first => self.end_square()?,
                PieceTokenKind::Other(word) => {
                    has_others = true;
                    // `K f6`: letters apart from their square.
                    let next = tokens.get(at + 1).map(|next| &next.kind);
                    if matches!(next, Some(PieceTokenKind::Square(..)))
                        && let Some(role) = role_of(word, letters)
                    {
                        self.piece(role);
                    }
                }
                _ => {}
            }
        }
        self.end_square()?;
        let is_worded = tokens.iter().any(|token| match &token.kind {
            PieceTokenKind::Word(meanings) => {
                matches!(meaning(meanings, words), Some(PieceTerm::Piece(_)))
            }
            _ => false,
        });
        let as_pawns = pawns.map(|named| !named && !is_worded);
        let orders = [as_pawns, as_pawns.map(|own| !own)];
        let board = orders.into_iter().find_map(|pawns| self.board(pawns))?;
        Some((self.place?, board))
    }

    fn extend(&mut self, place: Range<usize>) {
        let start = self.place.as_ref().map_or(place.start, |own| own.start);
        self.place = Some(start..place.end);
    }

    fn side(&mut self, side: Color) {
        let is_of_piece = if self.is_square_first {
            self.square.is_some()
        } else {
            self.role.is_some() && !self.is_placed
        };
        if is_of_piece {
            self.own_side = Some(side);
        } else {
            self.role = None;
            self.own_side = None;
        }
        if !(is_of_piece && self.is_square_first) {
            self.side = Some(side);
        }
    }

    fn piece(&mut self, role: Role) {
        if !self.is_square_first {
            self.own_side = None;
            self.is_placed = false;
        }
        self.role = Some(role);
    }

    fn square(&mut self, square: Square, is_glued: bool) -> Option<()> {
        if self.is_square_first {
            self.end_square()?;
            self.square = Some(square);
            return Some(());
        }
        let is_new = !self.is_placed || is_glued;
        let role = *self.role.get_or_insert(Role::Pawn);
        let side = self.own_side.or(self.side)?;
        self.placed.push(ListedPiece {
            side,
            role,
            square,
            goes_on: !is_new,
        });
        self.is_placed = true;
        Some(())
    }

    /// Puts what stands after a square on it; on an empty square nothing does.
    fn end_square(&mut self) -> Option<()> {
        if let (Some(square), true) = (self.square.take(), self.is_square_first) {
            if let Some(role) = self.role.take() {
                let side = self.own_side.or(self.side)?;
                self.placed.push(ListedPiece {
                    side,
                    role,
                    square,
                    goes_on: false,
                });
            }
            self.own_side = None;
            self.role = None;
        }
        Some(())
    }

    fn put(&mut self, square: Square) -> Option<()> {
        self.placed.push(ListedPiece {
            side: self.side?,
            role: self.role?,
            square,
            goes_on: false,
        });
        self.own_side = None;
        self.is_placed = true;
        Some(())
    }

    /// The board, with pawns on the squares without a piece of their own or with the piece
    /// before them.
    fn board(&self, as_pawns: [bool; 2]) -> Option<Board> {
        let mut board = Board::empty();
        for own in &self.placed {
            let role = if own.goes_on && as_pawns[usize::from(own.side.is_white())] {
                Role::Pawn
            } else {
                own.role
            };
            let piece = Piece {
                color: own.side,
                role,
            };
            if board
                .piece_at(own.square)
                .is_some_and(|other| other != piece)
            {
                return None;
            }
            board.set_piece_at(own.square, piece);
        }
        let kings = |color| (board.kings() & board.by_color(color)).count();
        let is_board = Color::ALL.map(kings) == [1; 2]
            && (board.pawns() & Bitboard::BACKRANKS).is_empty()
            && board.occupied().count() >= PIECES_MIN;
        is_board.then_some(board)
    }
}

/// What a word means in one language.
fn meaning(meanings: &[(usize, PieceTerm)], language: usize) -> Option<PieceTerm> {
    let mut own = meanings.iter().filter(|(at, _)| *at == language);
    own.next().map(|&(_, meaning)| meaning)
}

/// The piece of letters, all of them; in capitals, or all in small ones.
fn role_of(text: &str, language: &Language) -> Option<Role> {
    let folded = fold(text);
    let is_written = |letter: &str| {
        let own = letter.chars().map(upper);
        folded.chars().map(upper).eq(own)
    };
    let places = language
        .letters
        .iter()
        .position(|letter| is_written(letter));
    places.map(|at| crate::games::notation::letters::ROLES[at])
}

#[cfg(test)]
mod tests;
