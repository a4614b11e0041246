//! Othello.

pub mod notation;
pub mod rules;

use super::{
    AsciiBoard, AsciiPosition, Budget, BudgetExceeded, GameEnd, ResultOrder, Results,
    cursor::{Placement, Stepper},
    export::StoredGameInfo,
    game::{
        BoardGame, GameCodec, GameDisplay, GameKeys, GameNotation, GamePosition, MoveStyle,
        MovetextRules,
    },
    language::ExpectedNotation,
    parsed_position::{NumberStyle, ParsedPosition, ReadConfidence, ReadFailure},
    symmetry::Symmetry,
    text::{self, GameText, ParseBudget, WordReading},
    variant::{ALL, Variant},
};
use crate::games::view::PieceSets;
use crate::{
    base::record::PdnFacts,
    games::{
        diagram::{BoardKind, Diagram, DiagramPiece, Highlights},
        key::Structure,
        notation::letters::Language,
    },
    pgn::parser::Syntax,
};
use rules::{self as othello, OthelloPosition, PASS};

impl GamePosition for OthelloPosition {
    /// A square, or the pass, which is also legal where it is forced.
    type Move = u8;
    const NULL: u8 = PASS;

    fn variant(&self) -> &'static Variant {
        Variant::by_name("othello").unwrap_or(&ALL[0])
    }

    /// Its rules count the side that begins first, and that is Black.
    fn turn(&self) -> usize {
        usize::from(Self::turn(self) ^ 1)
    }

    fn number(&self) -> (u32, bool) {
        (1, Self::turn(self) == 1)
    }

    fn legal(&self, _: Budget, out: &mut Vec<u8>) -> Result<(), BudgetExceeded> {
        out.extend(Self::legal(self));
        Ok(())
    }

    fn play(&mut self, m: u8) {
        Self::play(self, m);
    }

    fn outcome(&self) -> Option<GameEnd> {
        let [black, white] = Self::outcome(self)?;
        Some(GameEnd::Discs(black, white))
    }

    fn result_order(&self) -> Option<ResultOrder> {
        Some(ResultOrder::BlackFirst)
    }

    fn winner(&self) -> Option<usize> {
        let [black, white] = Self::outcome(self)?;
        (black != white).then_some(usize::from(black > white))
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        let seen = |side: u8| {
            let discs = (0..64).filter(|square| self.discs(side) >> square & 1 == 1);
            discs.fold(0_u64, |set, square| set | 1 << seen_from(square, symmetry))
        };
        Some(Self::new(seen(0), seen(1), Self::turn(self)))
    }

    fn move_transformed(&self, m: u8, symmetry: Symmetry) -> u8 {
        if m < PASS { seen_from(m, symmetry) } else { m }
    }

    /// The start must stay the same.
    fn swaps_sides(_: Symmetry) -> bool {
        false
    }
}

impl GameKeys for OthelloPosition {
    fn key(&self) -> u64 {
        Self::key(self)
    }

    fn key_after(&self, key: u64, m: u8) -> u64 {
        Self::key_after(self, key, m)
    }

    fn placement(&self) -> Placement {
        let discs = [self.discs(0), self.discs(1)];
        Placement {
            board: "othello".to_owned(),
            squares: discs.into_iter().flat_map(u64::to_le_bytes).collect(),
            besides: 0,
        }
    }

    fn structure(&self) -> Structure {
        Self::structure(self)
    }

    fn state(&self) -> u32 {
        0
    }

    fn code(&self, m: u8) -> u16 {
        u16::from(m)
    }

    fn moves_of(&self, code: u16) -> Vec<u8> {
        let square = u8::try_from(code).ok();
        square.filter(|&m| m <= PASS).into_iter().collect()
    }
}

impl GameNotation for OthelloPosition {
    const NAME_DECIDES: bool = true;

    fn export(row: &'static Variant, game: &StoredGameInfo<'_>) -> PdnFacts {
        PdnFacts {
            result: game.result_behind_moves(ResultOrder::BlackFirst, Results::Default),
            result_written: game.result_written(ResultOrder::BlackFirst, Results::Default),
            black_begins: true,
            tags: game.variant_tag(row).into_iter().collect(),
        }
    }

    fn fen(&self) -> String {
        notation::fen::write(self)
    }
    /// Lists of squares look like those of draughts, and boards of `b` and `p` alone like
    /// those of chess: only with signs of its own is a board surely one of Othello.
    const SCORE: NumberStyle = NumberStyle::Single;

    fn read_written(
        row: &'static Variant,
        text: &str,
    ) -> Result<ParsedPosition<Self>, ReadFailure> {
        let is_list = text.contains(':');
        match text::written(row, text, notation::fen::read(text)) {
            Ok(read) => {
                let fit = if is_list {
                    ReadConfidence::Foreign
                } else if text.contains(['X', 'x', 'O', 'o', '*', '[']) {
                    ReadConfidence::Own
                } else {
                    ReadConfidence::Asked
                };
                Ok(ParsedPosition { fit, ..read })
            }
            Err(refusal) if is_list => Err(ReadFailure {
                reached: refusal.reached.min(1),
                ..refusal
            }),
            Err(refusal) => Err(refusal),
        }
    }

    fn read_drawing(_: &'static Variant, drawing: &AsciiBoard) -> Option<AsciiPosition> {
        notation::ascii_board::read(drawing)
    }

    fn write(&self, m: u8, _: MoveStyle, _: &Language) -> String {
        notation::write(m)
    }
}

impl GameCodec for OthelloPosition {
    type Slots = ();

    fn slots(&self) {}

    fn pack(&self, m: u8, (): &mut (), out: &mut Vec<u8>) {
        othello::pack(m, out);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<u8> {
        othello::unpack(self, bytes)
    }
}

impl GameDisplay for OthelloPosition {
    fn marks(&self, m: u8) -> Highlights {
        if m < PASS {
            Highlights::ends(m, m)
        } else {
            Highlights::default()
        }
    }

    fn sets(&self) -> PieceSets {
        let mut sets = PieceSets::empty(u64::MAX.into());
        for side in 0..2 {
            sets.put_drawn(drawn(side), self.discs(side ^ 1).into());
        }
        sets
    }

    fn diagram(&self) -> Diagram {
        Diagram::of_grid(
            (8, 8),
            BoardKind::Cells,
            GameNotation::fen(self),
            |square| Some(drawn(self.at(square)? ^ 1)),
        )
    }
}

impl MovetextRules for OthelloPosition {
    type Convention = ();
    type Context<'a> = GameText<'a>;
    const SYNTAX: Syntax = Syntax::Pdn;

    fn refusal(&self, word: &str, (): &()) -> ReadFailure {
        let read = notation::resolve_all(self, word);
        text::refusal(&read, word, "moves are written as `f5`, a pass as `--`")
    }

    fn convention(&self, _: ExpectedNotation) {}

    fn context<'a>(&'a self, text: GameText<'a>, (): &'a (), _: ParseBudget) -> GameText<'a> {
        text
    }

    fn read_word(&self, text: &mut GameText<'_>, item: usize, _: &[u8]) -> WordReading<u8> {
        let word = text.of(&text.raw.items[item]);
        text::of_resolved(notation::resolve_all(self, &word), &word, is_score)
    }

    fn read_alone(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        let m = notation::resolve(self, word).ok()?;
        Some(text::alone(self, m, word))
    }
}

impl BoardGame for OthelloPosition {
    type Cursor = Stepper<Self>;

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }
}

/// The disc of a side: 0 White, 1 Black.
const fn drawn(side: u8) -> DiagramPiece {
    DiagramPiece::disc(if side == 0 { 'O' } else { 'X' }, side)
}

/// Where a square is seen: the start is the same turned by half a circle and over either
/// diagonal, with no colour exchanged.
const fn seen_from(square: u8, symmetry: Symmetry) -> u8 {
    let (file, row) = (square % 8, square / 8 % 8);
    match symmetry {
        Symmetry::None => square,
        Symmetry::Rotate => 63 - (square & 63),
        Symmetry::Mirror => file * 8 + row,
        Symmetry::Flip => (7 - file) * 8 + 7 - row,
    }
}

/// Whether a word is the result in discs (`38-26`).
fn is_score(word: &str) -> bool {
    let is_number = |text: &str| {
        let text = text.trim();
        (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    word.split_once(['-', ':'])
        .is_some_and(|(one, other)| is_number(one) && is_number(other))
}
