//! Draughts of every kind, by a row of facts each.

pub mod ballots;
mod describe;
mod export;
mod movetext;
pub mod notation;
mod position;
mod position_input;
pub mod replay;
pub mod rows;
pub mod rules;
mod write;

use std::borrow::Cow;

use super::symmetry::Symmetry;
use super::{
    AsciiBoard, AsciiPosition, Budget, BudgetExceeded, ResultOrder,
    ballot::Ballot,
    draughts::{
        notation::{ascii_board, diagram, fen as draughts_fen, fen::FenNote},
        replay::{Corner, DraughtsPly, DraughtsStart, code, pack, structure, view, word},
        rows::DraughtsVariant,
        rules::{
            DraughtsBoard, DraughtsMove, DraughtsPiece, board::cells_of, each_path, key, moves,
            moves_between, perft,
        },
    },
    export::StoredGameInfo,
    language::ExpectedNotation,
    parsed_position::{NumberStyle, ParsedPosition, ReadFailure},
    variant::{Variant, VariantDetection},
};
use super::{
    Counting, GameEnd, VariantDescription,
    legal_moves::{ListStyle, ListedMove},
    position_form::{FormExtras, PositionForm},
};
use super::{
    cursor::{Placement, Stepper},
    game::{
        BoardGame, FromFen, GameCodec, GameDisplay, GameKeys, GameNotation, GamePosition,
        MoveStyle, MovetextRules, StateMask, SymmetryError,
    },
    text::{GameText, ParseAttempt, ParseBudget, WordReading},
};
use crate::games::view::{PieceSets, PositionVisitor};
use crate::{
    base::{
        diagnostic::Code,
        record::{MoveForm, PdnFacts},
    },
    games::{
        chess::notation::fen::Fields,
        diagram::{Diagram, Highlights},
        key::Structure,
        notation::letters::Language,
    },
    pgn::parser::Syntax,
};
use movetext::DraughtsContext;
pub use position::Draughts;
pub use write::write;

impl From<DraughtsStart> for super::StartContext<Draughts> {
    fn from(opening: DraughtsStart) -> Self {
        let at = Draughts {
            corner: None,
            ..opening.at
        };
        Self::new(at, opening)
    }
}

impl GamePosition for Draughts {
    type Move = DraughtsPly;
    const NULL: DraughtsPly = DraughtsPly::Null;
    const OBSTACLE: SymmetryError = SymmetryError::Squares;
    const CROWNS: bool = true;

    fn is_by_hand(m: DraughtsPly) -> bool {
        matches!(m, DraughtsPly::Setup(_) | DraughtsPly::Placement { .. })
    }

    fn variant(&self) -> &'static Variant {
        Variant::of_draughts(self.variant)
    }

    fn turn(&self) -> usize {
        usize::from(self.position.turn())
    }

    fn number(&self) -> (u32, bool) {
        (1, self.position.turn() != self.variant.rules.first)
    }

    fn legal(&self, budget: Budget, out: &mut Vec<DraughtsPly>) -> Result<(), BudgetExceeded> {
        let legal = moves(&self.position, &self.variant.rules, budget)?;
        out.extend(legal.into_iter().map(DraughtsPly::Move));
        Ok(())
    }

    fn play(&mut self, m: DraughtsPly) {
        m.play(&mut self.position);
    }
    const HAS_WAYS: bool = true;

    fn ways(&self, m: DraughtsPly, budget: Budget) -> Result<u64, BudgetExceeded> {
        let DraughtsPly::Move(m) = m else {
            return Ok(1);
        };
        let mut ways = 0;
        each_path(&self.position, &self.variant.rules, &m, budget, |_| {
            ways += 1;
            false
        })?;
        Ok(ways)
    }

    fn outcome(&self) -> Option<GameEnd> {
        GamePosition::winner(self).map(GameEnd::Won)
    }

    fn result_order(&self) -> Option<ResultOrder> {
        Some(self.variant.result_order)
    }

    fn winner(&self) -> Option<usize> {
        let winner = self.position.winner(&self.variant.rules);
        winner.map(usize::from)
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        self.seen(symmetry)
    }

    fn move_transformed(&self, m: DraughtsPly, symmetry: Symmetry) -> DraughtsPly {
        let board = self.variant.rules.board;
        let cell = |cell: u8| set_seen(board, 1 << cell, symmetry).trailing_zeros() as u8;
        match m {
            DraughtsPly::Move(m) => DraughtsPly::Move(DraughtsMove {
                from: cell(m.from),
                to: cell(m.to),
                promotes: m.promotes,
                captured: set_seen(board, m.captured, symmetry),
            }),
            DraughtsPly::Placement { from, to } => DraughtsPly::Placement {
                from: cell(from),
                to: cell(to),
            },
            other => other,
        }
    }
}

impl GameKeys for Draughts {
    fn key(&self) -> u64 {
        key::of(&self.position, self.variant.rules.board)
    }

    fn key_after(&self, key: u64, m: DraughtsPly) -> u64 {
        if let DraughtsPly::Move(m) = m {
            return key::after(key, &self.position, self.variant.rules.board, &m);
        }
        let mut next = *self;
        next.play(m);
        next.key()
    }

    fn placement(&self) -> Placement {
        let at = &self.position;
        let sets = [at.men(0), at.men(1), at.kings(0), at.kings(1)];
        Placement {
            board: format!("{:?}", self.variant.rules.board),
            squares: sets.into_iter().flat_map(u128::to_le_bytes).collect(),
            besides: 0,
        }
    }

    fn structure(&self) -> Structure {
        structure(&self.position, self.variant.rules.board)
    }

    fn structure_recurs(&self) -> bool {
        true
    }

    fn state(&self) -> u32 {
        u32::from(self.id())
    }

    fn state_mask(asked: StateMask) -> u32 {
        /// The state is the registry's number of the kind.
        const VARIANT: u32 = 0xff;
        if asked.variant { VARIANT } else { 0 }
    }

    fn code(&self, m: DraughtsPly) -> u16 {
        code::of_step(self.variant.rules.board, &m)
    }

    fn moves_of(&self, code: u16) -> Vec<DraughtsPly> {
        let board = self.variant.rules.board;
        let legal = moves(&self.position, &self.variant.rules, Budget::default());
        let found = legal.unwrap_or_default().into_iter();
        found
            .filter(|m| code::of_move(board, m) == code)
            .map(DraughtsPly::Move)
            .collect()
    }

    fn detail(m: DraughtsPly) -> u128 {
        match m {
            DraughtsPly::Move(m) => m.captured,
            _ => 0,
        }
    }

    fn shared_codes(&self) -> Vec<u16> {
        write::shared_codes(self)
    }

    fn code_transformed(&self, code: u16, symmetry: Symmetry) -> u16 {
        let board = self.variant.rules.board;
        let mirrored = |code| code::mirrored(board, code).unwrap_or(code);
        match symmetry {
            Symmetry::None => code,
            Symmetry::Rotate => code::rotated(board, code),
            Symmetry::Mirror => mirrored(code),
            Symmetry::Flip => mirrored(code::rotated(board, code)),
        }
    }

    fn detail_transformed(&self, taken: u128, symmetry: Symmetry) -> u128 {
        set_seen(self.variant.rules.board, taken, symmetry)
    }
}

impl GameNotation for Draughts {
    const TIER: VariantDetection = VariantDetection::Guessed;

    fn start(row: &'static Variant) -> Option<Self> {
        row.draughts().map(Self::start)
    }

    fn row_named(text: &str) -> Option<&'static Variant> {
        DraughtsVariant::from_tag(text).map(Variant::of_draughts)
    }

    fn by_game_type(number: u8) -> Option<&'static Variant> {
        let mut rows = DraughtsVariant::by_game_type(number);
        rows.next().map(Variant::of_draughts)
    }

    fn ballots(row: &'static Variant) -> Vec<Ballot> {
        let all = ballots::all();
        all.filter(|_| row.name == ballots::ROW).collect()
    }

    fn write_and_play(&mut self, m: DraughtsPly, form: MoveForm) -> String {
        let text = write::step_text(self, &m, form);
        self.play(m);
        text
    }

    fn named(&self, code: u16, taken: u128) -> [String; 2] {
        write::named(self, code, taken)
    }

    fn next_name(&self, code: u16, m: Option<DraughtsPly>, form: MoveForm) -> String {
        if let Some(DraughtsPly::Move(m)) = m {
            return write::text(self, &m, form);
        }
        let [name, _] = self.named(code, 0);
        name
    }
    const HAS_FORMS: bool = true;

    fn fen_in(&self, form: MoveForm) -> String {
        draughts_fen::write(&self.position, self.numbering_in(form))
    }

    fn write_as(&self, form: PositionForm, besides: &FormExtras) -> Option<String> {
        match form {
            PositionForm::Fen => Some(self.fen()),
            PositionForm::Epd => Some(besides.epd(&self.fen())),
            PositionForm::Hub => Some(draughts_fen::write_hub(&self.position, self.numbering())),
            _ => None,
        }
    }

    fn facts(row: &'static Variant) -> VariantDescription {
        row.draughts()
            .map_or_else(|| VariantDescription::of(row), describe::facts)
    }

    fn corner(&self) -> Option<u8> {
        self.corner
    }

    fn set_corner(&mut self, corner: Option<u8>) {
        self.corner = corner;
    }

    fn export(row: &'static Variant, game: &StoredGameInfo<'_>) -> PdnFacts {
        row.draughts()
            .map_or_else(PdnFacts::default, |variant| export::facts(variant, game))
    }

    fn fen(&self) -> String {
        self.fen_in(MoveForm::Short)
    }

    fn read_fen(row: &'static Variant, text: &str) -> Result<ParsedPosition<Self>, String> {
        let variant = kind_of(row)?;
        let numbering = variant.numbering();
        let read = draughts_fen::parse(text, numbering).map_err(|error| error.to_string())?;
        let corner = read.number_corner;
        let at = Self {
            variant,
            position: read.position,
            corner: (corner != numbering.number_corner()).then_some(corner),
        };
        let fields = Fields {
            turn: !read.notes.contains(&FenNote::NoSide),
            ..Fields::ALL
        };
        Ok(ParsedPosition {
            codes: read.notes.iter().map(|_| Code::PdnFen).collect(),
            ..ParsedPosition::new(at, fields)
        })
    }

    fn read_stored(row: &'static Variant, text: &str, corner: Option<u8>) -> Result<Self, String> {
        let mut at = Self::start(kind_of(row)?);
        at.corner = corner.filter(|&corner| corner < 4);
        let read = draughts_fen::parse(text, at.numbering());
        at.position = read.map_err(|error| error.to_string())?.position;
        Ok(at)
    }

    fn read_written(
        row: &'static Variant,
        text: &str,
    ) -> Result<ParsedPosition<Self>, ReadFailure> {
        position_input::read(row, text)
    }

    fn read_drawing(row: &'static Variant, drawn: &AsciiBoard) -> Option<AsciiPosition> {
        ascii_board::read(drawn, row.draughts()?.numbering())
    }
    const SCORE: NumberStyle = NumberStyle::SpacedPairs;

    fn write(&self, m: DraughtsPly, style: MoveStyle, _: &Language) -> String {
        let form = match style {
            MoveStyle::Usual => MoveForm::Short,
            MoveStyle::Squares => MoveForm::Full,
        };
        write::step_text(self, &m, form)
    }
}

impl GameCodec for Draughts {
    type Slots = ();

    fn slots(&self) {}

    fn pack(&self, m: DraughtsPly, (): &mut (), out: &mut Vec<u8>) {
        pack::pack(&m, &self.position, self.variant.rules.board, out);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<DraughtsPly> {
        pack::unpack(&self.position, self.variant.rules.board, bytes)
    }

    #[inline]
    fn advance(&mut self, m: DraughtsPly, structure: &mut Structure) -> bool {
        let may_change = m.may_change_structure(&self.position);
        self.play(m);
        if !may_change {
            return false;
        }
        let now = self.structure();
        std::mem::replace(structure, now) != now
    }
}

impl GameDisplay for Draughts {
    fn listed(&self, m: DraughtsPly, style: ListStyle) -> Result<ListedMove, BudgetExceeded> {
        write::listed(self, &m, style)
    }

    fn list(&self, style: ListStyle) -> Result<Vec<ListedMove>, BudgetExceeded> {
        write::list(self, style)
    }

    fn sets(&self) -> PieceSets {
        let at = &self.position;
        let mut sets = PieceSets::empty(self.variant.rules.board.cells());
        for side in 0..2 {
            for (king, cells) in [(false, at.men(side)), (true, at.kings(side))] {
                sets.put_drawn(diagram::drawn(DraughtsPiece { side, king }), cells);
            }
        }
        sets
    }

    fn diagram(&self) -> Diagram {
        self.diagram_in(MoveForm::Short)
    }

    fn diagram_in(&self, form: MoveForm) -> Diagram {
        diagram::diagram(&self.position, self.numbering_in(form))
    }

    fn marks(&self, step: DraughtsPly) -> Highlights {
        match step {
            DraughtsPly::Move(m) => diagram::marks(&self.position, &self.variant.rules, &m),
            DraughtsPly::Placement { from, to } => Highlights::ends(from, to),
            DraughtsPly::Null | DraughtsPly::Setup(_) => Highlights::default(),
        }
    }
}

impl MovetextRules for Draughts {
    /// The start position as it is meant, and how its squares are named.
    type Convention = DraughtsStart;
    type Context<'a> = DraughtsContext<'a>;
    const SYNTAX: Syntax = Syntax::Pdn;
    const REMEMBERS: bool = true;
    const SETS_UP: bool = true;

    fn refusal(&self, word: &str, opening: &DraughtsStart) -> ReadFailure {
        position_input::refusal(self, opening, word)
    }

    fn convention(&self, expected: ExpectedNotation) -> DraughtsStart {
        DraughtsStart::new(*self).declaring(Corner::declared(self.variant, expected.squares))
    }

    fn meant(&self, opening: &DraughtsStart) -> Option<Self> {
        Some(opening.at)
    }

    fn context<'a>(
        &'a self,
        text: GameText<'a>,
        opening: &'a DraughtsStart,
        effort: ParseBudget,
    ) -> DraughtsContext<'a> {
        DraughtsContext::new(text, opening, effort)
    }

    #[inline]
    fn read_standard_move(
        &self,
        context: &mut DraughtsContext<'_>,
        word: &[u8],
    ) -> Option<DraughtsPly> {
        let (from, to) = context.opening.squares().quick_move(word)?;
        let moves = &mut context.moves;
        moves.clear();
        let rules = &self.variant.rules;
        // Where there are too many to look at, one that was found decides as well.
        let _ = moves_between(&self.position, rules, from, to, movetext::CHEAP, moves);
        match moves[..] {
            [only] => Some(DraughtsPly::Move(only)),
            _ => None,
        }
    }

    fn read_word(
        &self,
        context: &mut DraughtsContext<'_>,
        item: usize,
        before: &[DraughtsPly],
    ) -> WordReading<DraughtsPly> {
        context.word(&self.position, item, before)
    }

    fn others(
        &self,
        text: GameText<'_>,
        opening: &DraughtsStart,
        attempt: &ParseAttempt<DraughtsPly>,
    ) -> Vec<DraughtsStart> {
        if attempt.odd_words.is_some() {
            return Vec::new();
        }
        let mut words = text.words_of_line(0);
        let first = words
            .next()
            .map(|item| text.bytes_of(&text.raw.items[item]));
        let is_numeric = first.is_some_and(|word| word.first().is_some_and(u8::is_ascii_digit));
        let named = if is_numeric {
            Corner::OfNumbers
        } else {
            Corner::OfLetters
        };
        let corners = (0..4).map(named);
        let others = corners.filter(|corner| *corner != opening.corner(!is_numeric));
        let mut others: Vec<_> = others
            .filter_map(|corner| opening.named_from(corner))
            .map(|other| other.needing_whole(has_moves(attempt)))
            .collect();
        others.sort_by_key(|other| !other.is_as_declared());
        others
    }

    fn rank(
        _: GameText<'_>,
        opening: &DraughtsStart,
        attempt: &ParseAttempt<DraughtsPly>,
    ) -> Option<(u32, u32)> {
        let is_whole = attempt.odd_words.is_some();
        // A single move can be legal by chance wherever pieces are not in rows.
        let enough = match (is_whole, opening.needs_whole()) {
            (false, true) => return None,
            // Nor is it chance where the tags say so.
            (true, _) if opening.is_as_declared() => 1,
            (true, true) => PLIES_TELLING,
            (true, false) => 1 + u32::from(!opening.is_usual()),
            (false, false) => 4,
        };
        let is_enough = attempt.plies >= enough && has_moves(attempt);
        is_enough.then_some((u32::from(is_whole), attempt.plies))
    }

    fn note(opening: &DraughtsStart, is_expected: bool) -> Option<(Code, &'static str)> {
        let (numbers, letters) = (opening.numbering(), opening.at.numbering());
        if is_expected && numbers.letter_corner() == letters.letter_corner() {
            let detail = "the tags say another corner; the usual one fits as well";
            return opening.is_against_tags().then_some((Code::PdnFen, detail));
        }
        let detail = if numbers.letter_corner() == letters.letter_corner() {
            describe::CORNERS[usize::from(numbers.number_corner() & 3)]
        } else {
            describe::A1_CORNERS[usize::from(numbers.letter_corner() & 3)]
        };
        Some((Code::SquareNumbers, detail))
    }

    fn explained(
        &self,
        context: &DraughtsContext<'_>,
        item: usize,
        played: u32,
        (code, detail): (Code, Cow<'static, str>),
    ) -> Cow<'static, str> {
        match code {
            Code::IllegalMove => movetext::complaint(self, context, item, played, &detail).into(),
            _ => detail,
        }
    }

    fn fits(&self, context: &DraughtsContext<'_>) -> u32 {
        let result = context.text.result();
        match (word::is_decisive(&result), self.winner()) {
            (Some(true), Some(winner)) => {
                // Sources disagree about whose win the first number is; but that one side has won
                // is better than that neither has.
                let first = result.trim_start().starts_with(['1', '2']);
                let white = first == (self.variant.result_order == ResultOrder::WhiteFirst);
                1 + u32::from(white == (winner == 0))
            }
            (Some(false), None) => 1,
            _ => 0,
        }
    }

    fn weight(m: DraughtsPly) -> u32 {
        match m {
            DraughtsPly::Move(m) => m.captured.count_ones(),
            _ => 0,
        }
    }
}

impl BoardGame for Draughts {
    type Cursor = Stepper<Self>;

    fn perft(&self, depth: u32, how: Counting, budget: Budget) -> Result<u64, BudgetExceeded> {
        perft(&self.position, &self.variant.rules, depth, how, budget)
    }

    fn show(&self, plies: &[u8], watch: &mut impl PositionVisitor) {
        view::show(self, plies, watch);
    }

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }

    // Written squares are kept: numbers may turn out to run from another corner.
    fn start_of_fen(
        row: &'static Variant,
        fen: &str,
        expected: ExpectedNotation,
    ) -> FromFen<super::StartContext<Self>> {
        let variant = kind_of(row)?;
        let declared = Corner::declared(variant, expected.squares);
        let (opening, notes) = DraughtsStart::from_fen(Self::start(variant), fen, declared)
            .map_err(|error| error.to_string())?;
        let finding = |note: &FenNote| (Code::PdnFen, format!("{note}: {fen}"));
        Ok((opening.into(), notes.iter().map(finding).collect()))
    }

    fn start_of_text(
        row: &'static Variant,
        fen: &str,
        text: GameText<'_>,
        _: ExpectedNotation,
    ) -> super::FromText<super::StartContext<Self>> {
        let start = Self::start(kind_of(row).ok()?);
        let read = DraughtsStart::of_text(start, fen, text)?;
        Some((read.into(), Vec::new()))
    }
}

/// A set of cells, as it is on the board seen in another way.
fn set_seen(board: DraughtsBoard, set: u128, symmetry: Symmetry) -> u128 {
    let mirrored = match symmetry {
        Symmetry::Mirror | Symmetry::Flip => cells_of(set).fold(0, |set, cell| {
            set | 1 << board.mirrored(cell).unwrap_or(cell)
        }),
        Symmetry::None | Symmetry::Rotate => set,
    };
    if symmetry.swaps_colours() {
        board.rotated(mirrored)
    } else {
        mirrored
    }
}

/// The facts of a row.
fn kind_of(row: &Variant) -> Result<&'static DraughtsVariant, String> {
    row.draughts()
        .ok_or_else(|| format!("{} is a different game", row.title))
}

/// Plies from which on a game determines the rules or squares, of several, that make it legal.
pub(crate) const PLIES_TELLING: u32 = 6;

/// Whether any move was played.
fn has_moves(attempt: &ParseAttempt<DraughtsPly>) -> bool {
    let is_move = |step: &DraughtsPly| matches!(step, DraughtsPly::Move(_));
    attempt.moves.iter().any(is_move)
}
