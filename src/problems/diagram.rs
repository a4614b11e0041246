//! What stands on the board of a problem: orthodox pieces, fairy pieces, neutral ones.
//!
//! Pieces are named as Popeye names them in English: `K Q R B S P`, and one or two
//! letters for the others (`N` the nightrider, `EH` the edgehog).

use std::fmt::Write as _;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeMap};

use crate::games::{
    chess::{
        basics::{Board, Color, Piece, Setup, Square},
        notation::fen,
    },
    notation::{
        fen::{CHESS, write_placement},
        letters::{LANGUAGES, Language, PROBLEM_ENGLISH, ROLES},
        piece_list, problem,
    },
    symmetry::Symmetry,
};

/// Whose a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemSide {
    /// White's.
    White,
    /// Black's.
    Black,
    /// Of whichever side is to move.
    Neutral,
}

impl ProblemSide {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::White, Self::Black, Self::Neutral];

    /// The word for it: `white`, `black`, `neutral`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        ["white", "black", "neutral"][self as usize]
    }

    /// The other side; neutral pieces have none.
    const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            Self::Neutral => Self::Neutral,
        }
    }

    /// The side that is called so.
    pub(super) fn called(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.word() == word)
    }
}

/// A piece of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemPiece {
    /// Whose.
    pub side: ProblemSide,
    /// Its letters, in capitals; `A/B` for a hunter.
    pub name: String,
    /// What makes it special (`Royal`, `Chameleon`), as written.
    pub kinds: Vec<String>,
}

impl ProblemPiece {
    /// The piece of orthodox chess that it is.
    #[must_use]
    fn orthodox(&self) -> Option<Piece> {
        let color = match self.side {
            ProblemSide::White => Color::White,
            ProblemSide::Black => Color::Black,
            ProblemSide::Neutral => return None,
        };
        let mut letters = PROBLEM_ENGLISH.letters.into_iter().zip(ROLES);
        let (_, role) = letters.find(|(name, _)| *name == self.name)?;
        self.kinds.is_empty().then_some(Piece { color, role })
    }
}

/// A board with its pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemDiagram {
    pieces: Vec<Option<ProblemPiece>>,
}

impl Default for ProblemDiagram {
    fn default() -> Self {
        Self {
            pieces: vec![None; 64],
        }
    }
}

impl ProblemDiagram {
    /// The diagram of a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let mut diagram = Self::default();
        for (square, piece) in board.clone() {
            let side = match piece.color {
                Color::White => ProblemSide::White,
                Color::Black => ProblemSide::Black,
            };
            // Knights are S, for N is the nightrider.
            let name = PROBLEM_ENGLISH.letter(piece.role).to_owned();
            diagram.put(
                square,
                Some(ProblemPiece {
                    side,
                    name,
                    kinds: Vec::new(),
                }),
            );
        }
        diagram
    }

    /// Puts a piece on a square, or takes one away.
    pub fn put(&mut self, square: Square, piece: Option<ProblemPiece>) {
        self.pieces[usize::from(square)] = piece;
    }

    /// What stands on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<&ProblemPiece> {
        self.pieces[usize::from(square)].as_ref()
    }

    /// Whether nothing stands on it.
    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(Option::is_none)
    }

    /// The pieces with their squares, from a8 on as one reads.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, &ProblemPiece)> {
        (0..64_u32).filter_map(|place| {
            let square = Square::new(place ^ 56);
            Some((square, self.at(square)?))
        })
    }

    /// How many pieces are White's, Black's and neutral.
    #[must_use]
    pub fn count(&self) -> [usize; 3] {
        let of = |side| self.pieces().filter(move |(_, piece)| piece.side == side);
        ProblemSide::ALL.map(|side| of(side).count())
    }

    /// The numbers as journals print them: `(5+1)`, with a third for neutral pieces.
    #[must_use]
    pub fn count_text(&self) -> String {
        match self.count() {
            [white, black, 0] => format!("({white}+{black})"),
            [white, black, neutral] => format!("({white}+{black}+{neutral})"),
        }
    }

    /// The board, if every piece is one of orthodox chess.
    #[must_use]
    pub fn board(&self) -> Option<Board> {
        let mut board = Board::empty();
        for (square, piece) in self.pieces() {
            board.set_piece_at(square, piece.orthodox()?);
        }
        Some(board)
    }

    /// The position with this side to move, if every piece is one of orthodox chess.
    /// A king and a rook at home may castle, as the codex of problemists has it.
    #[must_use]
    pub fn setup(&self, turn: Color) -> Option<Setup> {
        let board = self.board()?;
        let mut setup = Setup {
            board,
            turn,
            ..Setup::empty()
        };
        for color in Color::ALL {
            let home = color.fold_wb(Square::E1, Square::E8);
            let kings = setup.board.kings() & setup.board.by_color(color);
            if kings.count() == 1 && kings.contains(home) {
                let corners = color.fold_wb([Square::A1, Square::H1], [Square::A8, Square::H8]);
                let rooks = setup.board.rooks() & setup.board.by_color(color);
                let at_home = corners.into_iter().filter(|&corner| rooks.contains(corner));
                setup.castling_rights.extend(at_home);
            }
        }
        Some(setup)
    }

    /// All pieces in one line, as Popeye's English `pieces` has them:
    /// `white Kc8 Qg7 royal Pb7 black Ke1 neutral Pg5`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for side in ProblemSide::ALL {
            let mut kinds: Option<&[String]> = None;
            for (square, piece) in self.pieces().filter(|(_, piece)| piece.side == side) {
                // What is special holds until the side is named again.
                if kinds != Some(&piece.kinds) {
                    let _ = write!(out, " {}", side.word());
                    for kind in &piece.kinds {
                        let _ = write!(out, " {}", kind.to_lowercase());
                    }
                    kinds = Some(&piece.kinds);
                }
                let _ = write!(out, " {}{square}", piece.name);
            }
        }
        out.trim_start().to_owned()
    }

    /// Reads what [`ProblemDiagram::text`] writes; `None` where a word says nothing of any piece.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let mut diagram = Self::default();
        let (mut side, mut kinds) = (None, Vec::new());
        let mut is_idle = false;
        for word in text.split_whitespace() {
            if let Some(named) = ProblemSide::called(word) {
                if is_idle {
                    return None;
                }
                side = Some(named);
                kinds.clear();
            } else if let Some((name, square)) = piece_and_square(word) {
                let piece = ProblemPiece {
                    side: side?,
                    name: name.to_owned(),
                    kinds: kinds.clone(),
                };
                diagram.put(square, Some(piece));
                is_idle = false;
            } else {
                kinds.push(word.to_owned());
                is_idle = true;
            }
        }
        (!is_idle).then_some(diagram)
    }

    /// A drawing with letters: White's pieces in capitals, Black's in small letters,
    /// neutral ones after an equals sign. Every line ends with a newline.
    pub fn draw(&self) -> String {
        let cell = |square| match self.at(square) {
            None => ".".to_owned(),
            Some(piece) => match piece.side {
                ProblemSide::White => piece.name.clone(),
                ProblemSide::Black => piece.name.to_lowercase(),
                ProblemSide::Neutral => format!("={}", piece.name),
            },
        };
        let squares = (0..64).map(Square::new);
        let width = squares
            .map(|square| cell(square).chars().count())
            .max()
            .unwrap_or(1);
        let rule = format!("  +{}+\n", "-".repeat(8 * (width + 1) + 1));
        let mut out = rule.clone();
        for rank in (0..8_u32).rev() {
            let _ = write!(out, "{} |", rank + 1);
            for file in 0..8 {
                let _ = write!(out, " {:width$}", cell(Square::new(rank * 8 + file)));
            }
            out.push_str(" |\n");
        }
        out.push_str(&rule);
        out.push_str("   ");
        for file in 'a'..='h' {
            let _ = write!(out, " {file:width$}");
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }

    /// Forsyth's notation with the letters of problem journals: fairy pieces of one
    /// letter as they are, of two with a dot before (`.EH`), neutral pieces with `=`.
    #[must_use]
    pub fn forsyth(&self) -> String {
        self.forsyth_with(|name| {
            name.chars().count() > 2 || !name.chars().all(char::is_alphanumeric)
        })
    }

    /// The same with pieces in brackets whose names nothing else shows: `(N)`, `(!n)`.
    pub(super) fn forsyth_with(&self, in_brackets: impl Fn(&str) -> bool) -> String {
        let at = |file: u8, rank: u8| self.at(Square::new(u32::from(rank) * 8 + u32::from(file)));
        write_placement(CHESS.files, CHESS.ranks, at, |piece: &ProblemPiece, out| {
            if in_brackets(&piece.name) {
                let _ = match piece.side {
                    ProblemSide::White => write!(out, "({})", piece.name),
                    ProblemSide::Black => write!(out, "({})", piece.name.to_lowercase()),
                    ProblemSide::Neutral => write!(out, "(!{})", piece.name),
                };
                return;
            }
            if piece.side == ProblemSide::Neutral {
                out.push('=');
            }
            if piece.name.len() > 1 {
                out.push('.');
            }
            match piece.side {
                ProblemSide::Black => out.push_str(&piece.name.to_lowercase()),
                _ => out.push_str(&piece.name),
            }
        })
    }

    /// Reads Forsyth's notation as Popeye does: slashes may be missing, a run may
    /// go beyond a rank, empty squares at the end may be left out. `name` gives
    /// the English name of a piece's letters. `None` if it is no such text.
    pub fn from_forsyth(text: &str, name: impl Fn(&str) -> String) -> Option<Self> {
        let mut diagram = Self::default();
        let mut place = 0_u32;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let mut letter = c;
            let mut side = None;
            match c {
                '/' => {
                    // The rest of a rank that was begun may be missing.
                    place = (place.div_ceil(8) * 8).min(64);
                    continue;
                }
                '0'..='9' => {
                    let mut run = c.to_digit(10)?;
                    if let Some(more) = chars.peek().and_then(|next| next.to_digit(10)) {
                        run = run * 10 + more;
                        chars.next();
                    }
                    place = (place + run).min(64);
                    continue;
                }
                '=' | '+' | '-' => {
                    side = Some(match c {
                        '=' => ProblemSide::Neutral,
                        '+' => ProblemSide::White,
                        _ => ProblemSide::Black,
                    });
                    letter = chars.next()?;
                }
                _ => {}
            }
            let mut letters = String::new();
            let mut is_name = false;
            if letter == '.' {
                letters.extend([chars.next()?, chars.next()?]);
            } else if letter == '(' {
                // As YACPDB writes them: `(eh)`, and `(!n)` is neutral.
                if chars.next_if_eq(&'!').is_some() {
                    side = Some(ProblemSide::Neutral);
                }
                letters.extend(chars.by_ref().take_while(|&c| c != ')'));
                is_name = true;
            } else {
                letters.push(letter);
            }
            let first = letters.chars().next()?;
            let is_sign = |c: char| c.is_alphanumeric() || is_name && matches!(c, '/' | '?');
            if !letters.chars().all(is_sign) || place >= 64 {
                return None;
            }
            let side = side.unwrap_or(if first.is_lowercase() {
                ProblemSide::Black
            } else {
                ProblemSide::White
            });
            let letters = letters.to_uppercase();
            let piece = ProblemPiece {
                side,
                // Of one letter, too: `(N)` is a nightrider, whatever N is.
                name: if is_name { letters } else { name(&letters) },
                kinds: Vec::new(),
            };
            diagram.put(Square::new(place ^ 56), Some(piece));
            place += 1;
        }
        Some(diagram)
    }
}

/// The pieces of each side as olive lists them: `{"white": ["Kc3", "Royal Pd7"]}`.
impl Serialize for ProblemDiagram {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for side in ProblemSide::ALL {
            let of_side = self.pieces().filter(|(_, piece)| piece.side == side);
            let pieces: Vec<String> = of_side
                .map(|(square, piece)| {
                    let own = format!("{}{square}", piece.name);
                    let kinds = piece.kinds.iter().map(String::as_str);
                    kinds.chain([own.as_str()]).collect::<Vec<_>>().join(" ")
                })
                .collect();
            if !pieces.is_empty() {
                map.serialize_entry(side.word(), &pieces)?;
            }
        }
        map.end()
    }
}

impl<'d> Deserialize<'d> for ProblemDiagram {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        let sides = std::collections::BTreeMap::<String, Vec<String>>::deserialize(from)?;
        let mut diagram = Self::default();
        for (word, pieces) in sides {
            let side = ProblemSide::called(&word).ok_or_else(|| D::Error::custom("not a side"))?;
            for text in pieces {
                let mut kinds: Vec<String> = text.split(' ').map(str::to_owned).collect();
                let piece = kinds.pop().unwrap_or_default();
                let square = piece
                    .len()
                    .checked_sub(2)
                    .filter(|&at| piece.is_char_boundary(at));
                let named = square.and_then(|at| {
                    let square = Square::from_ascii(&piece.as_bytes()[at..]).ok()?;
                    Some((piece[..at].to_owned(), square))
                });
                let (name, square) = named.ok_or_else(|| D::Error::custom("not a piece"))?;
                diagram.put(square, Some(ProblemPiece { side, name, kinds }));
            }
        }
        Ok(diagram)
    }
}

/// What a FEN that cannot be played from has on its board, in the one spelling of diagrams;
/// `None` if it has none of chess.
#[must_use]
pub fn diagram_of_fen(text: &str) -> Option<String> {
    let read = fen::read(text).ok()?;
    Some(ProblemDiagram::of(&read.setup.board).forsyth())
}

/// A diagram without the brackets, quotes and blanks around all of it.
pub(super) fn bare(text: &str) -> &str {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    match text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(inner) if !inner.contains([')', '(']) => inner,
        // `((!n)7/…)`.
        Some(inner) if inner.starts_with('(') && inner.contains(')') => inner,
        _ => text,
    }
}

/// Every diagram that a text can mean whose pieces need not be those of chess, each in its
/// one spelling: Forsyth's notation with the signs of fairy pieces and the letters of any
/// language, or a list of pieces as Popeye has it. Empty if it is none.
#[must_use]
pub fn typed(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |diagram: String| {
        if !found.contains(&diagram) {
            found.push(diagram);
        }
    };
    let is_list = |diagram: &ProblemDiagram| !diagram.is_empty();
    if let Some(listed) = ProblemDiagram::from_text(text.trim()).filter(is_list) {
        add(listed.forsyth());
        return found;
    }
    let quotes = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
    let Some((_, diagram, _)) = problem::diagram_in(text.trim_matches(quotes)) else {
        if let [list] = &piece_list::all(text)[..] {
            add(ProblemDiagram::of(&list.board).forsyth());
        }
        return found;
    };
    let diagram = bare(diagram);
    add(diagram.to_owned());
    let mut read = |name: &dyn Fn(&str) -> String| {
        if let Some(read) = ProblemDiagram::from_forsyth(diagram, name) {
            add(read.forsyth());
        }
    };
    read(&|name| name.to_owned());
    for language in LANGUAGES {
        read(&|name| english(name, language));
    }
    found
}

/// A diagram of [`typed`] as it is seen under a symmetry, in the same spelling; `None` if it
/// is no diagram.
#[must_use]
pub fn transformed(diagram: &str, symmetry: Symmetry) -> Option<String> {
    let read = ProblemDiagram::from_forsyth(diagram, str::to_owned)?;
    let mut seen = ProblemDiagram::default();
    for (square, piece) in read.pieces() {
        let mut piece = piece.clone();
        if symmetry.swaps_colours() {
            piece.side = piece.side.opponent();
        }
        let square = u32::from(square) ^ u32::from(symmetry.of_squares());
        seen.put(Square::new(square), Some(piece));
    }
    Some(seen.forsyth())
}

/// The English name of a piece, if it is one of orthodox chess in a language.
fn english(name: &str, language: &Language) -> String {
    let is_it = |letter: &str| letter.chars().flat_map(char::to_uppercase).eq(name.chars());
    match language.letters.iter().position(|letter| is_it(letter)) {
        Some(at) => PROBLEM_ENGLISH.letters[at].to_owned(),
        None => name.to_owned(),
    }
}

/// A piece of the popular form `EHa5`: its name and its square.
fn piece_and_square(word: &str) -> Option<(&str, Square)> {
    let at = word.len().checked_sub(2)?;
    let square = Square::from_ascii(word.as_bytes().get(at..)?).ok()?;
    let name = word.get(..at)?;
    (!name.is_empty() && !name.chars().any(char::is_lowercase)).then_some((name, square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        let english = |name: &str| name.to_owned();
        for text in [
            "4K3/8/8/8/8/8/8/4k3",
            ".EH7/8/=P=.LI5n/8/8/8/8/K6k",
            "8/8/8/8/8/8/8/8",
            ".EH.eh6/8/8/8/8/8/8/=.NE7",
            "(R/B)(r/b)(!Q?)5/8/8/8/8/8/8/8",
        ] {
            let diagram = ProblemDiagram::from_forsyth(text, english).expect(text);
            assert_eq!(diagram.forsyth(), text);
            assert_eq!(
                ProblemDiagram::from_text(&diagram.text()),
                Some(diagram),
                "{text}"
            );
        }
    }

    #[test]
    fn diagrams_have_mirror_images() {
        let seen = |symmetry| transformed(".EH7/8/=p7/8/8/8/8/K6k", symmetry);
        let images = [
            (Symmetry::Mirror, "7.EH/8/7=p/8/8/8/8/k6K"),
            (Symmetry::Flip, "k6K/8/8/8/8/=p7/8/.eh7"),
            (Symmetry::Rotate, "K6k/8/8/8/8/7=p/8/7.eh"),
        ];
        for (symmetry, image) in images {
            assert_eq!(
                seen(symmetry).map(|seen| seen.to_lowercase()).as_deref(),
                Some(&*image.to_lowercase())
            );
        }
        let white = transformed("8/8/8/8/8/8/8/N7", Symmetry::Rotate);
        assert_eq!(white.as_deref(), Some("7n/8/8/8/8/8/8/8"));
    }

    #[test]
    fn popeye_forsyth_may_be_short() {
        let english = |name: &str| name.to_owned();
        let pieces = |text| ProblemDiagram::from_forsyth(text, english).map(|found| found.text());
        assert_eq!(pieces(".MA").as_deref(), Some("white MAa8"));
        let proof = pieces("rsbqkbsr/pppppppp/1S6/24/PPPPPPPP/RSBQKB1R/").expect("a diagram");
        assert!(proof.contains("Sb6") && proof.contains("Rh1"), "{proof}");
        assert_eq!(pieces("32Kk").as_deref(), Some("white Ka4 black Kb4"));
        assert_eq!(pieces("3k4/8/8/8/8/8/8/16").as_deref(), Some("black Kd8"));
        assert_eq!(pieces("8/8/8/8/8/8/8/8/k"), None);
        assert_eq!(pieces("k?"), None);
    }

    #[test]
    fn diagrams_are_typed_in_many_ways() {
        let wanted = ".EH7/8/=S=P.LI5/8/8/8/8/K6k".to_owned();
        for text in [
            ".EH7/8/=S=P.LI5/8/8/8/8/K6k",
            "((EH)7/8/(!S)(!P)(LI)5/8/8/8/8/K6k)",
            "\"(EH)7/8/(!s)(!p)(LI)5/8/8/8/8/K6k\"",
            ".EH7/8/=C=P.LI5/8/8/8/8/R6r",
            "white EHa8 LIc6 Ka1 neutral Sa6 Pb6 black Kh1",
            "Composer, Journal 1990, .EH7/8/=N=P.LI5/8/8/8/8/K6k (2+1+2) h#2",
        ] {
            assert!(typed(text).contains(&wanted), "{text}: {:?}", typed(text));
        }
        // A nightrider, or a knight.
        let both = typed("8/8/8/8/8/8/8/N7");
        assert!(both.contains(&"8/8/8/8/8/8/8/N7".to_owned()));
        assert!(both.contains(&"8/8/8/8/8/8/8/S7".to_owned()));
        // What cannot be read is searched for as it stands.
        assert_eq!(typed("*2q7/8/8/8/8/8/8/8"), ["*2q7/8/8/8/8/8/8/8"]);
        assert!(typed("e4 e5").is_empty() && typed("").is_empty());
        let illegal = diagram_of_fen("8/8/8/8/8/8/8/KN6 w - - 0 1");
        assert_eq!(illegal.as_deref(), Some("8/8/8/8/8/8/8/KS6"));
    }

    #[test]
    fn diagrams_are_filed_whole() {
        let text = "white Kf6 royal Pb7 black EHd2 neutral chameleon Qa1";
        let mut diagram = ProblemDiagram::from_text(text).expect("a diagram");
        let hunter = ProblemPiece {
            side: ProblemSide::Black,
            name: "R/ΛB".to_owned(),
            kinds: vec!["Volage".to_owned(), String::new()],
        };
        diagram.put(Square::H8, Some(hunter));
        let json = serde_json::to_string(&diagram).expect("JSON");
        let again: ProblemDiagram = serde_json::from_str(&json).expect("a diagram");
        assert_eq!(again, diagram, "{json}");
    }

    #[test]
    fn kinds_stay_with_their_pieces() {
        let text = "white Kf6 white royal Pb7 black Kd2 neutral chameleon Qa1";
        let diagram = ProblemDiagram::from_text(text).expect("a diagram");
        assert_eq!(diagram.count(), [2, 1, 1]);
        assert_eq!(diagram.count_text(), "(2+1+1)");
        assert_eq!(
            ProblemDiagram::from_text(&diagram.text()),
            Some(diagram.clone())
        );
        assert_eq!(diagram.board(), None);
    }

    #[test]
    fn kings_and_rooks_at_home_may_castle() {
        let diagram =
            ProblemDiagram::from_text("white Ke1 Rh1 Ra1 black Kd8 Ra8").expect("a diagram");
        let setup = diagram.setup(Color::White).expect("orthodox pieces");
        assert_eq!(setup.castling_rights.count(), 2);
    }
}
