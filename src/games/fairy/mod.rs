//! Games of pieces on grids of squares whose rules are our own, each by a row of facts:
//! chess with archbishop and chancellor on boards of several sizes, with reserves and
//! drops; xiangqi and its small board.

pub mod notation;
pub mod rows;
pub mod rules;

use std::borrow::Cow;

use super::{
    Budget, BudgetExceeded, GameEnd,
    cursor::{Placement, Stepper},
    game::{
        BoardGame, GameCodec, GameDisplay, GameKeys, GameNotation, GamePosition, MoveStyle,
        MovetextRules, SymmetryError,
    },
    language::{ExpectedNotation, main_words},
    parsed_position::{ParsedPosition, ReadConfidence, ReadFailure},
    position_form::{FormExtras, PositionForm},
    symmetry::Symmetry,
    text::{self, GameText, ParseAttempt, ParseBudget, ResolvedWord, WordReading},
    variant::{ALL, Variant},
};
use crate::games::view::PieceSets;
use crate::{
    base::diagnostic::Code,
    games::{
        diagram::{BoardKind, Diagram, Highlights},
        key::Structure,
        notation::letters::{Language, LetterCounts},
    },
    pgn::{
        parser::{RawItem, Syntax},
        tags::result,
    },
};
use notation::Ranks;
use rows::FairyVariant;
use rules::{FairyPly, FairyPosition, Reserve, piece};

/// A position with the row whose rules it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fairy {
    /// Which game.
    pub row: &'static FairyVariant,
    /// What stands where.
    pub at: FairyPosition,
}

/// What reading a text keeps in mind.
#[derive(Clone, Copy)]
pub struct FairyContext<'a> {
    text: GameText<'a>,
    language: Option<&'static Language>,
    /// How the ranks of coordinates are numbered, in xiangqi.
    ranks: Ranks,
    /// Whether soldiers of xiangqi may move without their letter. Such moves look like those of
    /// pawns of chess, so a piece that chess does not have must be in the line.
    has_soldiers: bool,
}

/// The letters of pieces of xiangqi that chess does not have.
const OWN_PIECES: [char; 4] = ['A', 'C', 'E', 'H'];

impl Fairy {
    /// A word in the letters of a language, or else in English ones.
    fn resolve(
        &self,
        word: &str,
        language: Option<&Language>,
        ranks: Ranks,
    ) -> ResolvedWord<FairyPly> {
        let english = language.and_then(|own| notation::to_english(self.row, word, own));
        let resolve = |word: &str| notation::resolve(self.row, &self.at, word, ranks);
        let read = english.map(|word| resolve(&word)).filter(Result::is_ok);
        ResolvedWord::from_result(read.unwrap_or_else(|| resolve(word)))
    }

    /// The same, but for soldiers of xiangqi without their letter.
    fn resolve_lettered(
        &self,
        word: &str,
        language: Option<&'static Language>,
        ranks: Ranks,
    ) -> ResolvedWord<FairyPly> {
        if notation::is_soldier(self.row, word) {
            return ResolvedWord::from_result(Err(notation::MoveError::Unreadable));
        }
        self.resolve(word, language, ranks)
    }

    fn word_of<'a>(&self, text: GameText<'a>, item: &RawItem) -> Cow<'a, str> {
        if self.row.is_eastern() {
            xiangqi_word(text, item)
        } else {
            (text.decode)(text.bytes_of(item))
        }
    }
}

/// The text of a word of xiangqi, where a dot that is the sign of a move to the side (`C2.5`) makes
/// two words of one.
pub(crate) fn xiangqi_word<'a>(text: GameText<'a>, item: &RawItem) -> Cow<'a, str> {
    let word = text.bytes_of(item);
    let from = item.offset as usize;
    let behind = text.bytes.get(from + word.len()..);
    if word.len() == 2
        && let Some([b'.', b'1'..=b'9', rest @ ..]) = behind
        && !rest.first().is_some_and(u8::is_ascii_alphanumeric)
    {
        return (text.decode)(&text.bytes[from..from + 4]);
    }
    (text.decode)(word)
}

impl GamePosition for Fairy {
    type Move = FairyPly;
    const NULL: FairyPly = FairyPly::NULL;
    const OBSTACLE: SymmetryError = SymmetryError::Castling;

    fn variant(&self) -> &'static Variant {
        Variant::by_name(self.row.name).unwrap_or(&ALL[0])
    }

    fn turn(&self) -> usize {
        usize::from(self.at.turn)
    }

    fn number(&self) -> (u32, bool) {
        (self.at.counters.1, self.at.turn == 1)
    }

    fn legal(&self, _: Budget, out: &mut Vec<FairyPly>) -> Result<(), BudgetExceeded> {
        self.at.legal_into(out);
        Ok(())
    }

    fn play(&mut self, m: FairyPly) {
        self.at.play(m);
    }

    fn outcome(&self) -> Option<GameEnd> {
        let is_over = self.at.legal().is_empty();
        is_over.then(|| {
            if self.at.is_check() {
                GameEnd::Checkmate
            } else if self.row.is_eastern() {
                GameEnd::LosingStalemate
            } else {
                GameEnd::Stalemate
            }
        })
    }

    fn is_check(&self) -> bool {
        self.at.is_check()
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        if symmetry == Symmetry::None {
            return Some(self.clone());
        }
        let at = self.at.seen(symmetry.mirrors(), symmetry.swaps_colours())?;
        Some(Self { at, ..*self })
    }

    fn move_transformed(&self, m: FairyPly, symmetry: Symmetry) -> FairyPly {
        if symmetry == Symmetry::None || m.is_null() {
            return m;
        }
        let grid = self.at.grid();
        let seen = |square| grid.seen(square, symmetry.mirrors(), symmetry.swaps_colours());
        FairyPly {
            from: seen(m.from),
            to: seen(m.to),
            way: m.way,
        }
    }
}

impl GameKeys for Fairy {
    /// What was taken comes back where it is dropped again.
    fn structure_recurs(&self) -> bool {
        self.row.facts.reserve == Reserve::Hand
    }

    fn key(&self) -> u64 {
        self.at.key()
    }

    fn placement(&self) -> Placement {
        let grid = self.at.grid();
        let mut squares = self.at.pieces[..usize::from(grid.squares())].to_vec();
        let roles = (0..2).flat_map(|side| (1..piece::ROLES as u8).map(move |role| (side, role)));
        squares.extend(roles.map(|(side, role)| self.at.in_reserve(side, role)));
        // The pieces of xiangqi have the numbers of others.
        let kind = ["chess", "xiangqi"][usize::from(self.row.is_eastern())];
        Placement {
            board: format!("{kind} {}x{}", grid.files, grid.ranks),
            squares,
            besides: 0,
        }
    }

    fn structure(&self) -> Structure {
        self.at.structure()
    }

    fn state(&self) -> u32 {
        self.at.state_bits()
    }

    fn code(&self, m: FairyPly) -> u16 {
        m.code(self.row.facts.board)
    }

    fn moves_of(&self, code: u16) -> Vec<FairyPly> {
        let found = FairyPly::of_code(self.row.facts.board, code);
        found.into_iter().collect()
    }
}

impl GameNotation for Fairy {
    const NAME_DECIDES: bool = true;

    fn first_player(row: &Variant) -> Option<&'static str> {
        row.fairy().filter(|row| row.is_eastern()).map(|_| "Red")
    }

    /// Castling can be written in two ways where arrays differ.
    fn write_as(&self, form: PositionForm, besides: &FormExtras) -> Option<String> {
        match form {
            PositionForm::Fen => Some(self.fen()),
            PositionForm::Epd => Some(besides.epd(&self.fen())),
            _ if self.row.facts.castled_king.is_none() => None,
            PositionForm::XFen => Some(self.fen()),
            PositionForm::Shredder => Some(notation::fen::write_shredder(self.row, &self.at)),
            _ => None,
        }
    }

    fn fen(&self) -> String {
        notation::fen::write(self.row, &self.at)
    }

    fn read_written(
        row: &'static Variant,
        text: &str,
    ) -> Result<ParsedPosition<Self>, ReadFailure> {
        let facts = row.fairy().ok_or_else(|| text::another_game(row))?;
        let read = notation::fen::read(facts, text);
        let read = text::written(row, text, read)?.map(|at| Self { row: facts, at });
        // The compound pieces have other letters in each of these games.
        let board = text.split_whitespace().next().unwrap_or_default();
        let is_foreign = board.chars().any(|c| notation::is_of_another(facts, c));
        Ok(ParsedPosition {
            fit: if is_foreign {
                ReadConfidence::Foreign
            } else {
                ReadConfidence::Own
            },
            ..read
        })
    }

    fn write_squares_onto(&self, m: FairyPly, out: &mut String) {
        out.push_str(&notation::write_uci(self.row, &self.at, m));
    }

    fn write(&self, m: FairyPly, style: MoveStyle, _: &Language) -> String {
        match style {
            MoveStyle::Usual => notation::write_san(self.row, &self.at, m),
            MoveStyle::Squares => notation::write_uci(self.row, &self.at, m),
        }
    }
}

impl GameCodec for Fairy {
    type Slots = ();

    fn slots(&self) {}

    fn pack(&self, m: FairyPly, (): &mut (), out: &mut Vec<u8>) {
        rules::pack::pack(m, &self.at, out);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<FairyPly> {
        rules::pack::unpack(&self.at, bytes)
    }
}

impl GameDisplay for Fairy {
    fn sides(&self) -> [&'static str; 2] {
        let first = ["white", "red"][usize::from(self.row.is_eastern())];
        [first, "black"]
    }

    fn marks(&self, m: FairyPly) -> Highlights {
        if m.is_null() {
            Highlights::default()
        } else {
            Highlights::ends(m.from, m.to)
        }
    }

    fn sets(&self) -> PieceSets {
        let squares = self.at.grid().squares();
        let mut places = [0; piece::CODES];
        for (square, &piece) in self.at.pieces[..usize::from(squares)].iter().enumerate() {
            places[usize::from(piece) % piece::CODES] |= 1 << square;
        }
        let mut sets = PieceSets::empty((1 << squares) - 1);
        for (piece, &here) in (0..).zip(&places) {
            if here != 0
                && let Some(piece) = notation::drawn(self.row, piece)
            {
                sets.put_drawn(piece, here);
            }
        }
        sets
    }

    fn diagram(&self) -> Diagram {
        let grid = self.at.grid();
        let ground = [BoardKind::Squares, BoardKind::Points][usize::from(self.row.is_eastern())];
        let size = (grid.files, grid.ranks);
        Diagram::of_grid(size, ground, GameNotation::fen(self), |square| {
            notation::drawn(self.row, self.at.at(square))
        })
    }
}

impl MovetextRules for Fairy {
    type Convention = ExpectedNotation;
    type Context<'a> = FairyContext<'a>;
    const SYNTAX: Syntax = Syntax::Pgn;
    const UNDECIDED: Code = Code::UndecidedMove;

    fn refusal(&self, word: &str, convention: &ExpectedNotation) -> ReadFailure {
        let hint = match (self.row.is_eastern(), self.row.facts.reserve) {
            (true, _) => "moves are written as `h3e3` (or `h2e2`), `C2=5` or `Che3`",
            (_, Reserve::Hand) => "moves are written as `e4`, `Ci3` or `h1i3`, drops as `N@f3`",
            (_, Reserve::Gates) => {
                "moves are written as `e4`, `Ng3` or `h1g3`, gated pieces as `Nf3/H`"
            }
            (_, Reserve::None) => "moves are written as `e4`, `Ci3` or `h1i3`",
        };
        let read = self.resolve_lettered(word, convention.language, Ranks::Either);
        text::refusal(&read, word, hint)
    }

    fn convention(&self, expected: ExpectedNotation) -> ExpectedNotation {
        expected
    }

    fn language(convention: &ExpectedNotation) -> Option<&'static Language> {
        convention.language
    }

    fn in_language(&self, language: &'static Language) -> Option<ExpectedNotation> {
        (!self.row.is_eastern()).then(|| ExpectedNotation::certainly(language))
    }

    /// The languages that have the letters of a text that cannot be read to its end.
    fn others(
        &self,
        text: GameText<'_>,
        convention: &ExpectedNotation,
        _: &ParseAttempt<FairyPly>,
    ) -> Vec<ExpectedNotation> {
        if convention.certain || self.row.is_eastern() {
            return Vec::new();
        }
        let words = main_words(text);
        let best = LetterCounts::of(words.iter().map(AsRef::as_ref)).best();
        best.into_iter().map(ExpectedNotation::certainly).collect()
    }

    fn context<'a>(
        &'a self,
        text: GameText<'a>,
        convention: &'a Self::Convention,
        _: ParseBudget,
    ) -> Self::Context<'a> {
        let items = text.words_of_line(0);
        let words = items.map(|at| self.word_of(text, &text.raw.items[at]));
        let (ranks, has_soldiers) = if self.row.is_eastern() {
            let words: Vec<Cow<'_, str>> = words.collect();
            let ranks = notation::ranks_of(self.row, &self.at, words.iter().map(AsRef::as_ref));
            (ranks, words.iter().any(|word| word.starts_with(OWN_PIECES)))
        } else {
            (Ranks::Either, false)
        };
        FairyContext {
            text,
            language: convention.language.filter(|_| !self.row.is_eastern()),
            ranks,
            has_soldiers,
        }
    }

    fn read_word(
        &self,
        context: &mut FairyContext<'_>,
        item: usize,
        _: &[FairyPly],
    ) -> WordReading<FairyPly> {
        let FairyContext {
            text,
            language,
            ranks,
            has_soldiers,
        } = *context;
        let word = self.word_of(text, &text.raw.items[item]);
        let read = if has_soldiers {
            self.resolve(&word, language, ranks)
        } else {
            self.resolve_lettered(&word, language, ranks)
        };
        let error = read.stop.as_ref().map(|stop| stop.error);
        if error == Some(notation::MoveError::Ambiguous)
            && self.row.is_eastern()
            && let Ok(all) = notation::resolve_all(self.row, &self.at, &word, ranks)
        {
            // What follows shows which of its pieces has moved.
            return WordReading {
                options: all.into_iter().map(|ply| (vec![ply], 1)).collect(),
                ..WordReading::default()
            };
        }
        if error == Some(notation::MoveError::Illegal)
            && let Some(ply) = notation::other_castling(self.row, &self.at, &word)
        {
            return WordReading {
                options: vec![(vec![ply], 1)],
                findings: vec![(Code::OtherCastling, word.into_owned().into())],
                ..WordReading::default()
            };
        }
        if error.is_some() {
            let is_piece = |word: &[char]| notation::is_piece(self.row, word);
            let resolve = |word: &str| self.resolve(word, language, ranks);
            if let Some(apart) = text::apart(text, item, is_piece, resolve) {
                return apart;
            }
        }
        let is_result =
            |word: &str| self.row.is_eastern() && result::parse_xiangqi(word.as_bytes()).is_some();
        text::of_resolved(read, &word, is_result)
    }

    fn read_alone(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        if notation::is_soldier(self.row, word) {
            return None;
        }
        let m = notation::resolve(self.row, &self.at, word, Ranks::Either).ok()?;
        (!m.is_null()).then(|| text::alone(self, m, word))
    }
}

impl BoardGame for Fairy {
    type Cursor = Stepper<Self>;

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }
}
