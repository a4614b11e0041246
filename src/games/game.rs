//! What a game must be able to do to be read, stored, indexed, searched and written.

use std::{borrow::Cow, fmt::Debug};

use super::ascii_board::{AsciiBoard, AsciiPosition};
use super::ballot::Ballot;
use super::cursor::{Cursor, Placement};
use super::export::StoredGameInfo;
use super::facts::VariantDescription;
use super::legal_moves::{Counting, ListStyle, ListedMove, perft};
use super::opening_names::{self, NamedOpening, OpeningNames};
use super::parsed_position::{NumberStyle, ParsedPosition, ReadFailure};
use super::position_form::{FormExtras, PositionForm};
use super::reader::StartContext;
use super::symmetry::{BoardShift, Symmetry};
use super::text::{GameText, ParseAttempt, ParseBudget, WordReading};
use super::{Budget, BudgetExceeded, GameEnd, ResultOrder};
use super::{
    language::ExpectedNotation,
    variant::{Variant, VariantDetection},
};
use crate::games::view::{self, PieceSets, PositionVisitor};
use crate::{
    base::{
        diagnostic::Code,
        record::{MoveForm, PdnFacts},
    },
    games::{
        diagram::{Diagram, Highlights},
        key::Structure,
        notation::letters::{ENGLISH, Language},
    },
    pgn::parser::Syntax,
};

/// How a move is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveStyle {
    /// As the game writes its moves: SAN, WXF, squares.
    Usual,
    /// By all its squares: UCI, a capture with those between.
    Squares,
}

/// The bits of a state that hold castling rights: of each side, the files of the rooks.
pub const CASTLING: u32 = 0xffff;
/// The bits of a state that hold the file of a legal capture en passant.
pub const EN_PASSANT: u32 = 0xf_0000;

/// Why a board cannot be looked at in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymmetryError {
    /// A side may castle, and would castle otherwise.
    Castling,
    /// Other squares would be played.
    Squares,
    /// The rules know up, down, left and right.
    Rules,
}

/// What is requested of a position besides what stands where and who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateMask {
    /// The castling rights.
    pub castling: bool,
    /// The en passant square.
    pub en_passant: bool,
    /// The variant, where several share their positions.
    pub variant: bool,
}

/// An opening made of a FEN, with what was odd about the text; or why that cannot be
/// read.
pub type FromFen<O> = Result<(O, Vec<(Code, String)>), String>;

/// Where a game begins by what its text says of its FEN, with findings; `None` if it says nothing.
pub type FromText<O> = Option<(O, Vec<(Code, String)>)>;

/// A position with the rules to go on from it. Implemented once for each rule book, by
/// the position type.
pub trait Game: Clone + PartialEq + Debug + Sized + 'static {
    /// A move, or whatever else takes a ply: a pass, a drop, a placement.
    type Move: Copy + PartialEq + Debug;
    /// What packing a line needs beside its positions: chess numbers its pieces.
    type Slots: Clone + Debug;
    /// How a text may be meant: a language, the corner of square 1.
    type Convention: Clone + Debug;
    /// What reading one text keeps in mind: its words, what may still be spent, doubts.
    type Context<'a>;
    /// The quickest way through a packed line.
    type Cursor: Cursor<Game = Self>;

    /// The move that only passes the turn, legal or not. In check it does nothing where
    /// the rules have no such position.
    const NULL: Self::Move;
    /// How movetext is cut into words.
    const SYNTAX: Syntax;
    /// Whether, once a word was passed over, a move number that is wrong ends the line
    /// (rule M10).
    const NUMBERS_DECIDE: bool = false;
    /// Whether what a word means may depend on the moves before it.
    const REMEMBERS: bool = false;
    /// Whether movetext may set up another position (PDN 3.0, 4.5). Where it may not, a
    /// set-up is a remark.
    const SETS_UP: bool = false;
    /// Whether a ply is such a position, or puts a piece elsewhere without asking the rules.
    fn is_by_hand(_: Self::Move) -> bool {
        false
    }

    /// The row of the registry.
    fn variant(&self) -> &'static Variant;
    /// The row that a name stands for only where the user names a game: in a tag it may be a word
    /// of another.
    fn row_named(_: &str) -> Option<&'static Variant> {
        None
    }
    /// The row of a number of PDN's `GameType` that is none of the standard.
    fn by_game_type(_: u8) -> Option<&'static Variant> {
        None
    }
    /// The openings of a row that are drawn by ballot, by number.
    fn ballots(_: &'static Variant) -> Vec<Ballot> {
        Vec::new()
    }
    /// The names that positions of a row have; `None` where there are none.
    fn opening_names(_: &'static Variant) -> Option<&'static OpeningNames> {
        None
    }
    /// The standard start position of a row; `None` where it is drawn by lot.
    fn start(row: &'static Variant) -> Option<Self> {
        let read = Self::read_fen(row, row.start_fen?).ok()?;
        Some(read.at)
    }
    /// The side to move: 0 White (red in xiangqi), 1 Black.
    fn turn(&self) -> usize;
    /// The number of the next move, from 1, and whether it is of the side that moves
    /// second in the standard start position.
    fn number(&self) -> (u32, bool);
    /// Adds the legal moves; none from a position that cannot be.
    ///
    /// # Errors
    ///
    /// [`BudgetExceeded`] if there are too many ways to look at (captures in draughts).
    fn legal(&self, budget: Budget, out: &mut Vec<Self::Move>) -> Result<(), BudgetExceeded>;
    /// Plays a move, without checking whether it is legal.
    fn play(&mut self, m: Self::Move);
    /// Whose points a result names first, where results are points or scores and not
    /// those of PGN.
    fn result_order(&self) -> Option<ResultOrder> {
        None
    }
    /// Who has won by the goal of the game, in games whose records do not always say so
    /// in the same way: the position proves it.
    fn winner(&self) -> Option<usize> {
        None
    }
    /// Whether and how the game is over here, as far as the position proves it.
    fn outcome(&self) -> Option<GameEnd>;
    /// How many lines of legal moves of that length there are.
    ///
    /// # Errors
    ///
    /// As [`legal`](Self::legal).
    fn perft(&self, depth: u32, _: Counting, budget: Budget) -> Result<u64, BudgetExceeded> {
        perft(self, depth, budget)
    }
    /// Whether a move can go several ways, so that [`Counting`] makes a difference.
    const HAS_WAYS: bool = false;
    /// The ways that a legal move can go.
    ///
    /// # Errors
    ///
    /// As [`legal`](Self::legal).
    fn ways(&self, _: Self::Move, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(1)
    }

    /// The key of what stands where (in hand, too) and of the side to move. Databases
    /// hold it.
    fn key(&self) -> u64;
    /// The key after a move, from the key here.
    fn key_after(&self, _key: u64, m: Self::Move) -> u64 {
        let mut next = self.clone();
        next.play(m);
        next.key()
    }
    /// The key of the same with the other side to move.
    fn other_side_key(&self) -> u64 {
        let mut other = self.clone();
        other.play(Self::NULL);
        other.key()
    }
    /// The key under which opening books of Polyglot file the position, in games that they know.
    fn book_key(&self) -> Option<u64> {
        None
    }
    /// A move as these books have it.
    fn book_code(_: Self::Move) -> u16 {
        0
    }
    /// What stands where and in hand.
    fn placement(&self) -> Placement;
    /// What changes at irreversible moves only. Databases hold its key.
    fn structure(&self) -> Structure;
    /// Whether a structure that was left can come back: pieces are dropped, or positions
    /// set up in the middle of games.
    fn structure_recurs(&self) -> bool {
        false
    }
    /// What else makes the position, in twenty bits: castling, en passant, the kind of
    /// draughts. Databases hold it.
    fn state(&self) -> u32;
    /// The bits of the [state](Self::state) that a query asks for.
    fn state_mask(asked: StateMask) -> u32 {
        let mask = |asked: bool, bits: u32| if asked { bits } else { 0 };
        mask(asked.castling, CASTLING) | mask(asked.en_passant, EN_PASSANT)
    }
    /// A move in sixteen bits. Databases hold it. Not always to be turned back: in
    /// draughts it hashes what is taken.
    fn code(&self, m: Self::Move) -> u16;

    /// The moves that have a code: the likeliest first, legal ones where the code does not
    /// determine them.
    fn moves_of(&self, code: u16) -> Vec<Self::Move>;
    /// What a code does not say of a move, as a number; 0 for nothing.
    fn detail(_: Self::Move) -> u128 {
        0
    }
    /// The codes that several legal moves share: their [details](Self::detail) distinguish them.
    fn shared_codes(&self) -> Vec<u16> {
        Vec::new()
    }
    /// The square, from 0 by ranks, that a move from here passes over as a double step,
    /// whether or not a capture there is legal.
    fn double_step(&self, _: Self::Move) -> Option<u8> {
        None
    }
    /// The same with a side to move.
    fn with_turn(&self, side: usize) -> Self {
        let mut at = self.clone();
        if at.turn() != side {
            at.play(Self::NULL);
        }
        at
    }

    /// The slots for a line from here.
    fn slots(&self) -> Self::Slots;
    /// Appends a move from here to a packed line.
    fn pack(&self, m: Self::Move, slots: &mut Self::Slots, out: &mut Vec<u8>);
    /// Takes a move from here off a packed line; `None` at its end and where the bytes
    /// are damaged.
    fn unpack(&self, slots: &mut Self::Slots, bytes: &mut &[u8]) -> Option<Self::Move>;
    /// A cursor that stands here.
    fn cursor(&self) -> Self::Cursor;
    /// Plays a move and brings the structure up to date; whether that has changed.
    #[inline]
    fn advance(&mut self, m: Self::Move, structure: &mut Structure) -> bool {
        self.play(m);
        let now = self.structure();
        std::mem::replace(structure, now) != now
    }

    /// The FEN; of positions that cannot be, too.
    fn fen(&self) -> String;
    /// Reads a FEN of a row that this type plays.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn read_fen(row: &'static Variant, text: &str) -> Result<ParsedPosition<Self>, String> {
        Self::read_written(row, text).map_err(|refusal| refusal.message)
    }

    /// What an export writes of a game of a row beside its tags and moves, so that it is
    /// read as the same game.
    fn export(row: &'static Variant, game: &StoredGameInfo<'_>) -> PdnFacts {
        PdnFacts {
            tags: game.variant_tag(row).into_iter().collect(),
            ..PdnFacts::default()
        }
    }
    /// Whether men become kings, so that they can be counted in queries.
    const CROWNS: bool = false;
    /// Whether pieces move as those of chess do, on a board of its 64 squares.
    const MOVES_AS_CHESS: bool = false;
    /// Whether what takes can leave the board with what it takes.
    const CAPTURES_EXPLODE: bool = false;
    /// Whether a side (0 the first) has a king in all positions of a variant.
    fn always_has_king(_row: &Variant, _side: usize) -> bool {
        true
    }
    /// Reads the FEN of a start position as databases hold it; its squares are numbered
    /// from a corner, where that is not the usual one.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn read_stored(row: &'static Variant, text: &str, _: Option<u8>) -> Result<Self, String> {
        Self::read_fen(row, text).map(|read| read.at)
    }
    /// Reads a position that was written out, in any notation of a row that this type
    /// plays: its FEN, and what it alone has. Moves from there are not read.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, and how much of it was understood.
    fn read_written(row: &'static Variant, text: &str)
    -> Result<ParsedPosition<Self>, ReadFailure>;
    /// Reads a board drawn in a text, sign by sign; `None` if it is none of the row, and in games
    /// whose drawings have the letters of their FEN.
    fn read_drawing(_: &'static Variant, _: &AsciiBoard) -> Option<AsciiPosition> {
        None
    }
    /// Why a word is no legal move here, in words for the user; it reaches 1 if it is a move at
    /// all.
    fn refusal(&self, word: &str, convention: &Self::Convention) -> ReadFailure;
    /// How moves are numbered where a line is shown to the user.
    const SCORE: NumberStyle = NumberStyle::Pairs;
    /// Writes a legal move; where pieces have letters, in those of a language.
    fn write(&self, m: Self::Move, style: MoveStyle, language: &Language) -> String;
    /// Writes a legal move, as much of it as a form asks for, and plays it.
    fn write_and_play(&mut self, m: Self::Move, _: MoveForm) -> String {
        let text = self.write(m, MoveStyle::Usual, ENGLISH);
        self.play(m);
        text
    }
    /// Appends a legal move as [`write_and_play`](Self::write_and_play) writes it in the usual
    /// form, and plays it.
    fn write_onto(&mut self, m: Self::Move, out: &mut String) {
        out.push_str(&self.write_and_play(m, MoveForm::default()));
    }
    /// Packs and plays the legal move that is [written](Self::write_onto) just so. Where there
    /// is none, position, slots and what was appended are of no more use.
    fn take_exact(
        &mut self,
        word: &str,
        slots: &mut Self::Slots,
        out: &mut Vec<u8>,
    ) -> Option<Self::Move> {
        let (mut legal, mut written) = (Vec::new(), String::new());
        self.legal(Budget::default(), &mut legal).ok()?;
        let (m, behind) = legal.into_iter().find_map(|m| {
            let mut behind = self.clone();
            written.clear();
            behind.write_onto(m, &mut written);
            (written == word).then_some((m, behind))
        })?;
        self.pack(m, slots, out);
        *self = behind;
        Some(m)
    }
    /// The name of a move by its code and [detail](Self::detail), in the notation of the
    /// game and in one for programs.
    fn named(&self, code: u16, _detail: u128) -> [String; 2] {
        let name = |m, style| self.write(m, style, ENGLISH);
        match self.moves_of(code)[..] {
            [m, ..] => [name(m, MoveStyle::Usual), name(m, MoveStyle::Squares)],
            [] => ["--".to_owned(), "0000".to_owned()],
        }
    }
    /// The name of the move that comes next in a line: its code, and all of it where that
    /// is known.
    fn next_name(&self, code: u16, _: Option<Self::Move>, _: MoveForm) -> String {
        let [name, _] = self.named(code, 0);
        name
    }
    /// Whether moves are written in several forms.
    const HAS_FORMS: bool = false;
    /// What a list says of a legal move.
    ///
    /// # Errors
    ///
    /// As [`legal`](Self::legal).
    fn listed(&self, m: Self::Move, style: ListStyle) -> Result<ListedMove, BudgetExceeded> {
        Ok(ListedMove {
            text: self.write(m, MoveStyle::Usual, style.language),
            uci: Some(self.write(m, MoveStyle::Squares, style.language)),
            ..ListedMove::default()
        })
    }
    /// The legal moves as a list, sorted.
    ///
    /// # Errors
    ///
    /// As [`legal`](Self::legal).
    fn list(&self, style: ListStyle) -> Result<Vec<ListedMove>, BudgetExceeded> {
        let mut moves = Vec::new();
        self.legal(style.budget, &mut moves)?;
        let listed = moves.into_iter().map(|m| self.listed(m, style));
        let mut list = listed.collect::<Result<Vec<_>, _>>()?;
        list.sort_by(|one, other| one.text.cmp(&other.text));
        Ok(list)
    }
    /// What the sides are called.
    fn sides(&self) -> [&'static str; 2] {
        ["white", "black"]
    }
    /// What stands where, for queries about positions.
    fn sets(&self) -> PieceSets {
        PieceSets::of(&self.diagram())
    }
    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        false
    }
    /// The name of the last position of a packed line from here that has one; the line's structures,
    /// by the top 32 bits of their keys, spare some of the way.
    fn last_named(
        &self,
        plies: &[u8],
        structures: Option<&[u32]>,
    ) -> Option<&'static NamedOpening> {
        opening_names::last_named(self, plies, structures)
    }
    /// Shows every position of a packed line from here to a visitor, with the move that leaves
    /// it.
    fn show(&self, plies: &[u8], watch: &mut impl PositionVisitor) {
        view::show(self, plies, watch);
    }
    /// The position as something to draw.
    fn diagram(&self) -> Diagram;
    /// The same with the names that squares have in a form of moves.
    fn diagram_in(&self, _: MoveForm) -> Diagram {
        self.diagram()
    }
    /// The FEN, likewise.
    fn fen_in(&self, _: MoveForm) -> String {
        self.fen()
    }
    /// What to highlight of a move from here on the board after it.
    fn marks(&self, m: Self::Move) -> Highlights;
    /// Writes the position in a notation; `None` where the game has it not.
    fn write_as(&self, form: PositionForm, besides: &FormExtras) -> Option<String> {
        match form {
            PositionForm::Fen => Some(self.fen()),
            PositionForm::Epd => Some(besides.epd(&self.fen())),
            _ => None,
        }
    }
    /// Whether its FEN has a field for en passant that can be written by several customs.
    const HAS_EN_PASSANT: bool = false;
    /// What there is to say of a row that this type plays.
    fn facts(row: &'static Variant) -> VariantDescription {
        VariantDescription::of(row)
    }
    /// The corner of square 1, where it is not that of the game's usual one.
    fn corner(&self) -> Option<u8> {
        None
    }
    /// Numbers the squares from a corner, where squares have numbers.
    fn set_corner(&mut self, _: Option<u8>) {}
    /// Whether pieces have letters in movetext, so that languages matter.
    const HAS_LETTERS: bool = false;
    /// How a record becomes known to be of one of these games.
    const TIER: VariantDetection = VariantDetection::Named;
    /// Whether the name of the game decides on the syntax, against what the words look
    /// like: moves on greater boards look like those of others.
    const NAME_DECIDES: bool = false;
    /// The tag that names who has the first move in a row, where that is not `White`.
    fn first_player(_: &Variant) -> Option<&'static str> {
        None
    }

    /// Makes the position of a FEN ready for reading games, whose texts are expected to be
    /// meant so. What is odd about the FEN is worded for the user.
    ///
    /// # Errors
    ///
    /// As [`read_fen`](Self::read_fen).
    fn start_of_fen(
        row: &'static Variant,
        fen: &str,
        expected: ExpectedNotation,
    ) -> FromFen<StartContext<Self>> {
        let read = Self::read_fen(row, fen)?;
        let findings = read.codes.iter().map(|code| (*code, fen.to_owned()));
        let opening = StartContext::expected(read.at, expected);
        Ok((opening, findings.collect()))
    }
    /// The position of a FEN that cannot be read as it usually is, or whose castling rights are
    /// in doubt, where its squares or the moves after it leave only one other way; with what is to
    /// be said of that.
    fn start_of_text(
        _: &'static Variant,
        _fen: &str,
        _: GameText<'_>,
        _: ExpectedNotation,
    ) -> FromText<StartContext<Self>> {
        None
    }
    /// How a text is expected to be meant.
    fn convention(&self, expected: ExpectedNotation) -> Self::Convention;
    /// The convention of a text in a language, whatever else was expected; `None` where
    /// pieces have no letters.
    fn in_language(&self, _: &'static Language) -> Option<Self::Convention> {
        None
    }
    /// The language of a convention; `None` is English, or none at all.
    fn language(_: &Self::Convention) -> Option<&'static Language> {
        None
    }
    /// The start position under a convention, where that makes another one: squares
    /// numbered from another corner.
    fn meant(&self, _: &Self::Convention) -> Option<Self> {
        None
    }
    /// Gets ready to read a text that begins here.
    fn context<'a>(
        &'a self,
        text: GameText<'a>,
        convention: &'a Self::Convention,
        effort: ParseBudget,
    ) -> Self::Context<'a>;
    /// The move of a word that is written as nearly all are. The hot path of reading.
    #[inline]
    fn read_standard_move(&self, _: &mut Self::Context<'_>, _word: &[u8]) -> Option<Self::Move> {
        None
    }
    /// What a word means here. `item` is its place among the items of the text,
    /// `before` the moves of its line so far if the game [remembers](Self::REMEMBERS)
    /// them.
    fn read_word(
        &self,
        context: &mut Self::Context<'_>,
        item: usize,
        before: &[Self::Move],
    ) -> WordReading<Self::Move>;
    /// The moves of a word that stands alone, as an operand of EPD does: each as the game
    /// writes it, with the position after it, and whether the word is written so;
    /// `None` if it is no legal move, or nothing that EPD writes.
    fn read_alone(&self, _word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        None
    }
    /// Whether a word of the main line shows that the text is meant in another way:
    /// called before a word is read thoroughly, and once more if that has failed.
    fn doubt(
        &self,
        _: &mut Self::Context<'_>,
        _item: usize,
        _failed: bool,
    ) -> Option<Self::Convention> {
        None
    }
    /// Other ways to read a text that could not be read as it was expected to be meant.
    fn others(
        &self,
        _: GameText<'_>,
        _: &Self::Convention,
        _: &ParseAttempt<Self::Move>,
    ) -> Vec<Self::Convention> {
        Vec::new()
    }
    /// How good a reading is; `None` is too little to be believed.
    fn rank(
        _: GameText<'_>,
        _: &Self::Convention,
        attempt: &ParseAttempt<Self::Move>,
    ) -> Option<(u32, u32)> {
        Some((u32::from(attempt.odd_words.is_some()), attempt.plies))
    }
    /// The detail of the finding that ends a line before a word, in words for the user; the
    /// line has had that many plies.
    fn explained(
        &self,
        _: &Self::Context<'_>,
        _item: usize,
        _played: u32,
        found: (Code, Cow<'static, str>),
    ) -> Cow<'static, str> {
        found.1
    }
    /// Something to say at the first word of how a text was read: as expected, or in another
    /// way.
    fn note(_: &Self::Convention, _is_expected: bool) -> Option<(Code, &'static str)> {
        None
    }
    /// What is said where several readings of a move fit as well.
    const UNDECIDED: Code = Code::AmbiguousCapture;
    /// How well the last position of the main line agrees with the result.
    fn fits(&self, _: &Self::Context<'_>) -> u32 {
        0
    }
    /// What a move counts where several readings fit as well: the pieces that it takes.
    fn weight(_: Self::Move) -> u32 {
        0
    }

    /// The position seen in another way; `None` where the rules are not the same from
    /// there.
    fn transformed(&self, symmetry: Symmetry) -> Option<Self>;
    /// What stands in the way where the position is [none seen so](Self::transformed).
    const OBSTACLE: SymmetryError = SymmetryError::Rules;
    /// The position at every place of the board where all its pieces still stand on it, as
    /// it stands first; none where they cannot be moved so.
    fn shifts(&self) -> Vec<(BoardShift, Self)> {
        Vec::new()
    }
    /// The position in all eight ways to lay the board down, as it stands first; none
    /// where it means something else then.
    fn orientations(&self) -> Vec<(BoardShift, Self)> {
        Vec::new()
    }
    /// The same without castling rights and en passant, where these are not requested.
    fn without_rights(&self, _castling: bool, _en_passant: bool) -> Self {
        self.clone()
    }
    /// A move from here, as it is in the position seen so.
    fn move_transformed(&self, m: Self::Move, symmetry: Symmetry) -> Self::Move;
    /// A code of a move from here, as it is in the position seen so.
    fn code_transformed(&self, code: u16, symmetry: Symmetry) -> u16 {
        let found = self.moves_of(code);
        let seen = |m: &Self::Move| self.code(self.move_transformed(*m, symmetry));
        found.first().map_or(code, seen)
    }
    /// A [detail](Self::detail), likewise.
    fn detail_transformed(&self, detail: u128, _: Symmetry) -> u128 {
        detail
    }
    /// Whether a way of looking exchanges the colours.
    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry.swaps_colours()
    }
}
