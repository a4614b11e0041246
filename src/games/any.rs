//! A position of any game: every method delegates to its game.

use super::{
    AnyPosition, AnyStart, BoardGame, Budget, BudgetExceeded, Counting, FormExtras, GameDisplay,
    GameEnd, GameKeys, GameNotation, GamePosition, ListStyle, ListedMove, MoveStyle, MovetextRules,
    Placement, PositionForm, ResultOrder, StartContext, StateMask,
    chess::rules::ChessBoard,
    divide,
    language::ExpectedNotation,
    symmetry::{BoardShift, Symmetry},
    variant::Variant,
    with_game,
};
use crate::games::view::PositionVisitor;
use crate::{
    base::{diagnostic::Code, record::MoveForm},
    games::{
        GameText, buffers::Reading, diagram::Diagram, notation::letters::ENGLISH,
        read_without_alternatives, text::parsed_line,
    },
};

/// A legal move of any game.
#[derive(Debug, Clone, PartialEq)]
pub struct NextMove {
    /// Its name in the notation of the game, and for programs.
    pub names: [String; 2],
    /// The position after it.
    pub behind: AnyPosition,
}

impl AnyPosition {
    /// What stands where and in hand.
    #[doc(hidden)]
    pub fn placement(&self) -> Placement {
        with_game!(AnyPosition of self, at => at.placement())
    }

    /// The row of the registry.
    pub fn variant(&self) -> &'static Variant {
        with_game!(AnyPosition of self, at => at.variant())
    }

    /// The side to move: 0 White, 1 Black.
    #[doc(hidden)]
    pub fn turn(&self) -> usize {
        with_game!(AnyPosition of self, at => GamePosition::turn(at))
    }

    /// The number of the next move, and whether it is of the side that moves second in the standard
    /// start position.
    pub fn number(&self) -> (u32, bool) {
        with_game!(AnyPosition of self, at => GamePosition::number(at))
    }

    /// Who has won, if the position proves it and records do not always say so.
    #[doc(hidden)]
    pub fn winner(&self) -> Option<usize> {
        with_game!(AnyPosition of self, at => GamePosition::winner(at))
    }

    /// The corner of square 1, where it is not that of the game's usual one.
    #[doc(hidden)]
    pub fn corner(&self) -> Option<u8> {
        with_game!(AnyPosition of self, at => at.corner())
    }

    /// The FEN.
    pub fn fen(&self) -> String {
        with_game!(AnyPosition of self, at => GameNotation::fen(at))
    }

    /// The standard start position of chess.
    pub fn initial() -> Self {
        ChessBoard::initial().into()
    }

    /// [`GamePosition::transformed`].
    #[doc(hidden)]
    pub fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        with_game!(AnyPosition of self, at => GamePosition::transformed(at, symmetry).map(Self::from))
    }

    /// [`GamePosition::shifts`].
    #[doc(hidden)]
    pub fn shifts(&self) -> Vec<(BoardShift, Self)> {
        with_game!(AnyPosition of self, at => of_any(at.shifts()))
    }

    /// [`GamePosition::orientations`].
    #[doc(hidden)]
    pub fn orientations(&self) -> Vec<(BoardShift, Self)> {
        with_game!(AnyPosition of self, at => of_any(at.orientations()))
    }

    /// [`GamePosition::without_rights`].
    #[must_use]
    #[doc(hidden)]
    pub fn without_rights(&self, castling: bool, en_passant: bool) -> Self {
        with_game!(AnyPosition of self, at => at.without_rights(castling, en_passant).into())
    }

    /// Whether what makes the position determines its variant among those that share positions.
    #[doc(hidden)]
    pub fn tells_variant(&self) -> bool {
        self.state_mask(StateMask {
            castling: false,
            en_passant: false,
            variant: true,
        }) != 0
    }

    /// The legal moves.
    ///
    /// # Errors
    ///
    /// [`BudgetExceeded`] if there are too many to look at.
    pub fn moves(&self, budget: Budget) -> Result<Vec<NextMove>, BudgetExceeded> {
        with_game!(AnyPosition of self, at => moves_of(at, budget))
    }

    /// The legal move that is written so for programs.
    ///
    /// # Errors
    ///
    /// As [`moves`](Self::moves).
    pub fn move_by_squares(
        &self,
        word: &str,
        budget: Budget,
    ) -> Result<Option<NextMove>, BudgetExceeded> {
        with_game!(AnyPosition of self, at => {
            let mut legal = Vec::new();
            GamePosition::legal(at, budget, &mut legal)?;
            let is_it = |m: &_| at.write(*m, MoveStyle::Squares, ENGLISH) == word;
            Ok(legal.into_iter().find(is_it).map(|m| next_move(at, m)))
        })
    }

    /// The null move that a word stands for, played as in movetext: by the one reader of games.
    /// `None` where the word is none, and where the turn cannot pass.
    #[doc(hidden)]
    pub fn null_move(&self, word: &str) -> Option<NextMove> {
        with_game!(AnyPosition of self, at => null_move(at, word))
    }

    /// What a word of movetext sets by hand, as `/FEN "W:W31:B20"/` of PDN: it is no move, but a ply
    /// of the game. `None` where the word is none.
    #[doc(hidden)]
    pub fn by_hand(&self, word: &str) -> Option<NextMove> {
        with_game!(AnyPosition of self, at => by_hand(at, word))
    }

    /// Why a line of movetext ends before a word, if the word is a move that cannot be played.
    #[doc(hidden)]
    pub fn why_unplayable(&self, word: &str) -> Option<String> {
        with_game!(AnyPosition of self, at => why_unplayable(at, word))
    }

    /// Whose points a result names first; `None` if results are those of PGN.
    #[doc(hidden)]
    pub fn result_order(&self) -> Option<ResultOrder> {
        with_game!(AnyPosition of self, at => at.result_order())
    }

    /// [`GameNotation::write_as`].
    #[doc(hidden)]
    pub fn write_as(&self, form: PositionForm, besides: &FormExtras) -> Option<String> {
        with_game!(AnyPosition of self, at => at.write_as(form, besides))
    }

    /// [`BoardGame::show`].
    #[doc(hidden)]
    pub fn show(&self, plies: &[u8], watch: &mut impl PositionVisitor) {
        with_game!(AnyPosition of self, at => at.show(plies, watch));
    }

    /// [`GameDisplay::diagram`].
    #[doc(hidden)]
    pub fn diagram(&self) -> Diagram {
        with_game!(AnyPosition of self, at => at.diagram())
    }

    /// [`GameDisplay::diagram_in`].
    #[doc(hidden)]
    pub fn diagram_in(&self, form: MoveForm) -> Diagram {
        with_game!(AnyPosition of self, at => at.diagram_in(form))
    }

    /// [`GameNotation::fen_in`].
    #[doc(hidden)]
    pub fn fen_in(&self, form: MoveForm) -> String {
        with_game!(AnyPosition of self, at => at.fen_in(form))
    }

    /// What the side to move is called.
    pub fn side_to_move(&self) -> &'static str {
        with_game!(AnyPosition of self, at => at.sides()[GamePosition::turn(at) & 1])
    }

    /// What the sides are called, the first one first.
    pub fn sides(&self) -> [&'static str; 2] {
        with_game!(AnyPosition of self, at => at.sides())
    }

    /// Whether the king of the side to move is attacked.
    pub fn is_check(&self) -> bool {
        with_game!(AnyPosition of self, at => GamePosition::is_check(at))
    }

    /// How the game ends here by its rules; `None` if it goes on.
    pub fn outcome(&self) -> Option<GameEnd> {
        with_game!(AnyPosition of self, at => GamePosition::outcome(at))
    }

    /// [`GameDisplay::list`].
    ///
    /// # Errors
    ///
    /// As [`GamePosition::legal`].
    #[doc(hidden)]
    pub fn list(&self, style: ListStyle) -> Result<Vec<ListedMove>, BudgetExceeded> {
        with_game!(AnyPosition of self, at => at.list(style))
    }

    /// [`BoardGame::perft`].
    ///
    /// # Errors
    ///
    /// As [`GamePosition::legal`].
    #[doc(hidden)]
    pub fn perft(
        &self,
        depth: u32,
        counting: Counting,
        budget: Budget,
    ) -> Result<u64, BudgetExceeded> {
        with_game!(AnyPosition of self, at => BoardGame::perft(at, depth, counting, budget))
    }

    /// [`divide`].
    ///
    /// # Errors
    ///
    /// As [`GamePosition::legal`].
    #[doc(hidden)]
    pub fn divide(
        &self,
        depth: u32,
        counting: Counting,
        budget: Budget,
    ) -> Result<Vec<(ListedMove, u64)>, BudgetExceeded> {
        with_game!(AnyPosition of self, at => divide(at, depth, counting, budget))
    }

    /// [`MovetextRules::read_alone`].
    #[doc(hidden)]
    pub fn read_alone(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        with_game!(AnyPosition of self, at => {
            let (moves, is_usual) = at.read_alone(word)?;
            let any = |(name, at)| (name, Self::from(at));
            Some((moves.into_iter().map(any).collect(), is_usual))
        })
    }

    /// Made ready for reading games, whose texts are expected to be meant so.
    #[doc(hidden)]
    pub fn into_start(self, expected: ExpectedNotation) -> AnyStart {
        with_game!(AnyPosition of self, at => StartContext::expected(at, expected).into())
    }
}

fn moves_of<G: BoardGame>(at: &G, budget: Budget) -> Result<Vec<NextMove>, BudgetExceeded>
where
    AnyPosition: From<G>,
{
    let mut legal = Vec::new();
    at.legal(budget, &mut legal)?;
    Ok(legal.into_iter().map(|m| next_move(at, m)).collect())
}

fn next_move<G: BoardGame>(at: &G, m: G::Move) -> NextMove
where
    AnyPosition: From<G>,
{
    let mut behind = at.clone();
    behind.play(m);
    NextMove {
        names: [MoveStyle::Usual, MoveStyle::Squares].map(|style| at.write(m, style, ENGLISH)),
        behind: behind.into(),
    }
}

fn null_move<G: BoardGame>(at: &G, word: &str) -> Option<NextMove>
where
    AnyPosition: From<G>,
{
    let passed = |word| {
        let (_, behind) = only_ply(at, word).filter(|(m, _)| *m == G::NULL)?;
        Some(NextMove {
            names: at.named(at.code(G::NULL), G::detail(G::NULL)),
            behind: behind.into(),
        })
    };
    let is_its_name = |m: &NextMove| m.names.iter().any(|name| name == word);
    passed(word).or_else(|| passed("--").filter(is_its_name))
}

fn by_hand<G: BoardGame>(at: &G, word: &str) -> Option<NextMove>
where
    AnyPosition: From<G>,
{
    let (m, _) = only_ply(at, word).filter(|(m, _)| G::is_by_hand(*m))?;
    Some(next_move(at, m))
}

/// The ply that a word of movetext is, if it is one, and the position after it.
fn only_ply<G: BoardGame>(at: &G, word: &str) -> Option<(G::Move, G)> {
    let (read, behind) = read_alone(at, word);
    let played = at.unpack(&mut at.slots(), &mut &read.plies[..])?;
    (read.ply_count == 1).then_some((played, behind))
}

fn why_unplayable<G: BoardGame>(at: &G, word: &str) -> Option<String> {
    let (read, _) = read_alone(at, word);
    let mut found = read.diagnostics.into_iter();
    let stop = found.find(|found| matches!(found.code, Code::IllegalMove | Code::AmbiguousMove));
    stop.map(|found| found.detail.into_owned())
}

/// Reads a word of movetext that stands alone, in whichever language.
fn read_alone<G: BoardGame>(at: &G, word: &str) -> (Reading, G) {
    let raw = parsed_line(word, G::SYNTAX);
    let opening = StartContext::new(at.clone(), at.convention(ExpectedNotation::default()));
    let mut read = Reading::default();
    let last = read_without_alternatives(&opening, GameText::alone(&raw, word), &mut read);
    (read, last)
}

fn of_any<G: BoardGame>(all: Vec<(BoardShift, G)>) -> Vec<(BoardShift, AnyPosition)>
where
    AnyPosition: From<G>,
{
    let any = |(moved, at)| (moved, AnyPosition::from(at));
    all.into_iter().map(any).collect()
}
