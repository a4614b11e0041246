//! Draughts of every kind, by a row of facts each.

pub mod ballots;
pub mod notation;
pub mod replay;
pub mod rows;
pub mod rules;
mod typed;
mod words;
mod write;

use std::borrow::Cow;

use super::{
    cursor::{Placement, Stepper},
    game::{Fen, Game, MoveStyle},
    line_move::LineMove,
    text::{Attempt, Effort, Text, WordReading},
    written::{Refusal, Score, Written},
};
use super::{
    draughts::{
        notation::{fen as draughts_fen, fen::FenNote, moves as draughts_move, moves::Form},
        replay::{Opening, Step, code, pack, structure, word},
        rows::ResultOrder,
        rules::{
            Budget, BudgetExceeded, Counting, Move, Position, board::cells_of, key, moves,
            moves_between, perft,
        },
    },
    language::Expected,
    variant::Variant,
};
use crate::{
    diagnostic::Code,
    key::Structure,
    notation::{
        letters::Language,
        position::{numbering, numbering_at},
    },
    parse::Family,
    position::{Draughts, Symmetry},
    record::MoveForm,
};
use words::Context;

impl From<Opening> for super::Opening<Draughts> {
    fn from(opening: Opening) -> Self {
        let at = Draughts {
            variant: opening.variant(),
            position: *opening.position(),
            corner: None,
        };
        Self::new(at, opening)
    }
}

/// Legal moves that are named where a move is not one of them.
const NAMED_MOVES_MAX: usize = 8;
/// Jumps that are looked at to name them.
const NAMING: Budget = Budget(2_000);

impl Game for Draughts {
    type Move = Step;
    type Slots = ();
    /// The start position as it is meant, and how its squares are named.
    type Convention = Opening;
    type Context<'a> = Context<'a>;
    type Cursor = Stepper<Self>;

    const NULL: Step = Step::Null;
    const FAMILY: Family = Family::Draughts;
    const STRUCTURE_RECURS: bool = true;
    const REMEMBERS: bool = true;
    const SETS_UP: bool = true;

    fn variant(&self) -> &'static Variant {
        Variant::of_draughts(self.variant)
    }

    fn turn(&self) -> usize {
        usize::from(self.position.turn())
    }

    fn number(&self) -> (u32, bool) {
        (1, self.position.turn() != self.variant.rules.first)
    }

    fn legal(&self, budget: Budget, out: &mut Vec<Step>) -> Result<(), BudgetExceeded> {
        let legal = moves(&self.position, &self.variant.rules, budget)?;
        out.extend(legal.into_iter().map(Step::Move));
        Ok(())
    }

    fn play(&mut self, m: Step) {
        m.play(&mut self.position);
    }

    fn perft(&self, depth: u32, budget: Budget) -> Result<u64, BudgetExceeded> {
        let rules = &self.variant.rules;
        perft(&self.position, rules, depth, Counting::Drop, budget)
    }

    fn key(&self) -> u64 {
        key::of(&self.position, self.variant.rules.board)
    }

    fn key_after(&self, key: u64, m: Step) -> u64 {
        if let Step::Move(m) = m {
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

    fn state(&self) -> u32 {
        u32::from(self.id())
    }

    fn code(&self, m: Step) -> u16 {
        code::of_step(self.variant.rules.board, &m)
    }

    fn moves_of(&self, code: u16) -> Vec<Step> {
        let board = self.variant.rules.board;
        let legal = moves(&self.position, &self.variant.rules, Budget::default());
        let found = legal.unwrap_or_default().into_iter();
        found
            .filter(|m| code::of_move(board, m) == code)
            .map(Step::Move)
            .collect()
    }

    fn detail(m: Step) -> u128 {
        match m {
            Step::Move(m) => m.captured,
            _ => 0,
        }
    }

    fn shared_codes(&self) -> Vec<u16> {
        write::shared_codes(self)
    }

    fn write_and_play(&mut self, m: Step, form: MoveForm) -> String {
        let text = write::step_text(self, &m, form);
        self.play(m);
        text
    }

    fn named(&self, code: u16, taken: u128) -> [String; 2] {
        write::named(self, code, taken)
    }

    fn next_name(&self, code: u16, m: Option<Step>, form: MoveForm) -> String {
        if let Some(Step::Move(m)) = m {
            return write::text(self, &m, form);
        }
        let [name, _] = self.named(code, 0);
        name
    }

    fn played(&self, step: Step) -> LineMove {
        LineMove::Draughts {
            before: self.position,
            step,
        }
    }

    fn corner(&self) -> Option<u8> {
        self.corner
    }

    fn set_corner(&mut self, corner: Option<u8>) {
        self.corner = corner;
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
        let board = self.variant.rules.board;
        let mirrored = |set| {
            let cells = cells_of(set).filter_map(|cell| board.mirrored(cell));
            cells.fold(0, |set, cell| set | 1 << cell)
        };
        match symmetry {
            Symmetry::None => taken,
            Symmetry::Rotate => board.rotated(taken),
            Symmetry::Mirror => mirrored(taken),
            Symmetry::Flip => mirrored(board.rotated(taken)),
        }
    }

    fn slots(&self) {}

    fn pack(&self, m: Step, (): &mut (), out: &mut Vec<u8>) {
        pack::pack(&m, &self.position, self.variant.rules.board, out);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<Step> {
        pack::unpack(&self.position, self.variant.rules.board, bytes)
    }

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }

    #[inline]
    fn advance(&mut self, m: Step, structure: &mut Structure) -> bool {
        let may_change = m.may_change_structure(&self.position);
        self.play(m);
        if !may_change {
            return false;
        }
        let now = self.structure();
        std::mem::replace(structure, now) != now
    }

    fn fen(&self) -> String {
        draughts_fen::write(&self.position, numbering_at(self))
    }

    fn read_fen(row: &'static Variant, text: &str) -> Result<Fen<Self>, String> {
        let variant = row
            .draughts()
            .ok_or_else(|| format!("{} is another game", row.title))?;
        let numbering = numbering(variant);
        let read = draughts_fen::parse(text, numbering).map_err(|error| error.to_string())?;
        let corner = read.number_corner;
        Ok(Fen {
            at: Self {
                variant,
                position: read.position,
                corner: (corner != numbering.number_corner()).then_some(corner),
            },
            warnings: read.notes.iter().map(|_| Code::DraughtsFen).collect(),
            has_turn: !read.notes.contains(&FenNote::NoSide),
        })
    }

    fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        typed::read(row, text)
    }

    fn refusal(&self, word: &str, opening: &Opening) -> Refusal {
        typed::refusal(self, opening.numbering(), word)
    }

    const SCORE: Score = Score::SpacedPairs;

    fn write(&self, m: Step, style: MoveStyle, _: &Language) -> String {
        let form = match style {
            MoveStyle::Usual => MoveForm::Short,
            MoveStyle::Squares => MoveForm::Full,
        };
        write::step_text(self, &m, form)
    }

    fn convention(&self, _: Expected) -> Opening {
        let (row, id, numbering) = (self.variant, self.id(), numbering_at(self));
        if self.position == Position::start(&row.rules) {
            return Opening::new(row, id, numbering);
        }
        Opening::from_position(row, id, numbering, self.position)
    }

    fn meant(&self, opening: &Opening) -> Option<Self> {
        Some(Self {
            position: *opening.position(),
            corner: Some(opening.numbering().number_corner()),
            ..*self
        })
    }

    fn result_order(&self) -> Option<ResultOrder> {
        Some(self.variant.result_order)
    }

    fn winner(&self) -> Option<usize> {
        let winner = self.position.winner(&self.variant.rules);
        winner.map(usize::from)
    }

    fn context<'a>(&'a self, text: Text<'a>, opening: &'a Opening, effort: Effort) -> Context<'a> {
        Context::new(text, opening, effort)
    }

    #[inline]
    fn quick(&self, context: &mut Context<'_>, word: &[u8]) -> Option<Step> {
        let (from, to) = context.opening.squares().quick_move(word)?;
        let moves = &mut context.moves;
        moves.clear();
        let rules = &self.variant.rules;
        // Where there are too many to look at, one that was found decides as well.
        let _ = moves_between(&self.position, rules, from, to, words::CHEAP, moves);
        match moves[..] {
            [only] => Some(Step::Move(only)),
            _ => None,
        }
    }

    fn word(&self, context: &mut Context<'_>, item: usize, before: &[Step]) -> WordReading<Step> {
        context.word(&self.position, item, before)
    }

    fn others(&self, _: Text<'_>, opening: &Opening, attempt: &Attempt<Step>) -> Vec<Opening> {
        // Not even the first move: numbers may run from another corner.
        if attempt.odd_words.is_some() || has_moves(attempt) {
            return Vec::new();
        }
        let usual = opening.numbering().number_corner();
        let others = (0..4).filter(|&corner| corner != usual);
        others
            .filter_map(|corner| opening.with_number_corner(corner))
            .collect()
    }

    fn rank(_: Text<'_>, opening: &Opening, attempt: &Attempt<Step>) -> Option<(u32, u32)> {
        let (is_whole, plies) = (attempt.odd_words.is_some(), attempt.plies);
        // A single move can be legal by chance wherever pieces are not in rows.
        let enough = if is_whole {
            1 + u32::from(!opening.is_usual())
        } else {
            4
        };
        let is_enough = plies >= enough && has_moves(attempt);
        is_enough.then_some((u32::from(is_whole), plies))
    }

    fn note(opening: &Opening) -> Option<(Code, &'static str)> {
        const NAMES: [&str; 4] = ["bottom left", "bottom right", "top left", "top right"];
        let corner = usize::from(opening.numbering().number_corner() & 3);
        Some((Code::SquareNumbers, NAMES[corner]))
    }

    fn explained(
        &self,
        context: &Context<'_>,
        item: usize,
        played: u32,
        (code, detail): (Code, Cow<'static, str>),
    ) -> Cow<'static, str> {
        match code {
            Code::IllegalMove => complaint(self, context, item, played, &detail).into(),
            _ => detail,
        }
    }

    fn fits(&self, context: &Context<'_>) -> u32 {
        let result = context.text.result();
        match (word::is_decisive(&result), self.winner()) {
            (Some(true), Some(winner)) => {
                // Whose win the first number is, sources disagree about; but that
                // someone has won is better than that nobody has.
                let first = result.trim_start().starts_with(['1', '2']);
                let white = first == (self.variant.result_order == ResultOrder::WhiteFirst);
                1 + u32::from(white == (winner == 0))
            }
            (Some(false), None) => 1,
            _ => 0,
        }
    }

    fn weight(m: Step) -> u32 {
        match m {
            Step::Move(m) => m.captured.count_ones(),
            _ => 0,
        }
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        let board = self.variant.rules.board;
        let position = match symmetry {
            Symmetry::None => self.position,
            Symmetry::Rotate => self.position.rotated(board),
            Symmetry::Mirror => self.position.mirrored(board)?,
            Symmetry::Flip => self.position.mirrored(board)?.rotated(board),
        };
        Some(Self { position, ..*self })
    }

    fn move_transformed(&self, m: Step, symmetry: Symmetry) -> Step {
        let board = self.variant.rules.board;
        let cell = |cell: u8| {
            let is_mirrored = matches!(symmetry, Symmetry::Mirror | Symmetry::Flip);
            let cell = match board.mirrored(cell) {
                Some(mirrored) if is_mirrored => mirrored,
                _ => cell,
            };
            if symmetry.swaps_colours() {
                board.rotated(1 << cell).trailing_zeros() as u8
            } else {
                cell
            }
        };
        match m {
            Step::Move(m) => Step::Move(Move {
                from: cell(m.from),
                to: cell(m.to),
                promotes: m.promotes,
                captured: cells_of(m.captured).fold(0, |set, taken| set | 1 << cell(taken)),
            }),
            Step::Placement { from, to } => Step::Placement {
                from: cell(from),
                to: cell(to),
            },
            other => other,
        }
    }
}

/// Whether any move was played.
fn has_moves(attempt: &Attempt<Step>) -> bool {
    let is_move = |step: &Step| matches!(step, Step::Move(_));
    attempt.moves.iter().any(is_move)
}

/// What is wrong with a move, and what would be right.
fn complaint(at: &Draughts, context: &Context<'_>, item: usize, played: u32, why: &str) -> String {
    let word = context.text.of(&context.text.raw.items[item]);
    let mut detail = format!("{word} at ply {}", played + 1);
    if !why.is_empty() {
        detail.push_str(": ");
        detail.push_str(why);
    }
    let rules = &at.variant.rules;
    let Ok(legal) = moves(&at.position, rules, NAMING) else {
        return detail;
    };
    if legal.is_empty() {
        detail.push_str("; no move is legal");
        return detail;
    }
    detail.push_str("; legal: ");
    let (numbering, sign) = (context.opening.numbering(), at.variant.capture_separator);
    let named = legal.iter().take(NAMED_MOVES_MAX).filter_map(|other| {
        let form = Form::Short;
        draughts_move::write(&at.position, rules, numbering, other, form, sign, NAMING).ok()
    });
    let mut names: Vec<String> = named.collect();
    if legal.len() > NAMED_MOVES_MAX {
        names.push("…".to_owned());
    }
    detail.push_str(&names.join(", "));
    detail
}
