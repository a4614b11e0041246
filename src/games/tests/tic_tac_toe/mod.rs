//! Tic-tac-toe, for tests only: the least that a game with rules of its own needs is this folder,
//! its line in the list and its row in the registry.

use crate::games::{
    Budget, BudgetExceeded, GameEnd,
    cursor::{Placement, Stepper},
    game::{
        BoardGame, GameCodec, GameDisplay, GameKeys, GameNotation, GamePosition, MoveStyle,
        MovetextRules,
    },
    language::ExpectedNotation,
    parsed_position::{ParsedPosition, ReadFailure},
    symmetry::Symmetry,
    text::{self, GameText, ParseBudget, ResolvedWord, WordReading},
    variant::Variant,
};
use crate::{
    games::{
        chess::notation::fen::Fields,
        diagram::{BoardKind, Diagram, DiagramPiece, Highlights},
        key::Structure,
        notation::{
            fen::{self, PlacementFacts},
            letters::Language,
            move_error::MoveError,
        },
    },
    pgn::parser::Syntax,
};

/// The lines of three.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// What White and Black write.
const SIGNS: [char; 2] = ['X', 'O'];

/// A board of nine squares, a1 first, and who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TicTacToe {
    row: &'static Variant,
    /// The squares of crosses, which White has, and of noughts.
    marks: [u16; 2],
    turn: usize,
}

/// A square, or the turn passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ply {
    /// A mark.
    Square(u8),
    /// None.
    Pass,
}

impl TicTacToe {
    fn is_free(&self, square: u8) -> bool {
        (self.marks[0] | self.marks[1]) >> square & 1 == 0
    }

    fn has_line(&self, side: usize) -> bool {
        LINES.iter().any(|&line| self.marks[side] & line == line)
    }

    fn sign(&self, square: u8) -> Option<char> {
        let side = (0..2).find(|&side| self.marks[side] >> square & 1 == 1);
        side.map(|side: usize| SIGNS[side])
    }

    fn resolve(&self, word: &str) -> Result<Ply, MoveError> {
        let &[file @ b'a'..=b'c', rank @ b'1'..=b'3'] = word.as_bytes() else {
            return Err(MoveError::Unreadable);
        };
        let square = (rank - b'1') * 3 + file - b'a';
        let mut legal = Vec::new();
        let _ = GamePosition::legal(self, Budget::default(), &mut legal);
        if legal.contains(&Ply::Square(square)) {
            Ok(Ply::Square(square))
        } else {
            Err(MoveError::Illegal)
        }
    }
}

impl GamePosition for TicTacToe {
    type Move = Ply;
    const NULL: Ply = Ply::Pass;

    fn variant(&self) -> &'static Variant {
        self.row
    }

    fn turn(&self) -> usize {
        self.turn
    }

    fn number(&self) -> (u32, bool) {
        (self.marks[1].count_ones() + 1, self.turn == 1)
    }

    fn legal(&self, _: Budget, out: &mut Vec<Ply>) -> Result<(), BudgetExceeded> {
        if !self.has_line(0) && !self.has_line(1) {
            out.extend(
                (0..9)
                    .filter(|&square| self.is_free(square))
                    .map(Ply::Square),
            );
        }
        Ok(())
    }

    fn play(&mut self, m: Ply) {
        if let Ply::Square(square) = m {
            self.marks[self.turn] |= 1 << square;
        }
        self.turn ^= 1;
    }

    fn outcome(&self) -> Option<GameEnd> {
        let won = (0..2).find(|&side| self.has_line(side)).map(GameEnd::Won);
        let is_full = (self.marks[0] | self.marks[1]) == 0o777;
        won.or_else(|| is_full.then_some(GameEnd::Stalemate))
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        (symmetry == Symmetry::None).then_some(*self)
    }

    fn move_transformed(&self, m: Ply, _: Symmetry) -> Ply {
        m
    }
}

impl GameKeys for TicTacToe {
    fn key(&self) -> u64 {
        crate::base::mix(0x7469_6374 ^ self.structure().key() ^ (self.turn as u64) << 60)
    }

    fn placement(&self) -> Placement {
        Placement {
            board: "3x3".to_owned(),
            squares: self
                .marks
                .iter()
                .flat_map(|set| set.to_le_bytes())
                .collect(),
            besides: 0,
        }
    }

    fn structure(&self) -> Structure {
        let [crosses, noughts] = self.marks.map(u64::from);
        Structure::from_number(crate::base::mix(
            0x7474_7400_0000_0000 | crosses << 9 | noughts,
        ))
    }

    fn state(&self) -> u32 {
        0
    }

    fn code(&self, m: Ply) -> u16 {
        match m {
            Ply::Square(square) => u16::from(square),
            Ply::Pass => 9,
        }
    }

    fn moves_of(&self, code: u16) -> Vec<Ply> {
        match code {
            0..9 => vec![Ply::Square(code as u8)],
            9 => vec![Ply::Pass],
            _ => Vec::new(),
        }
    }
}

impl GameNotation for TicTacToe {
    const NAME_DECIDES: bool = true;

    fn fen(&self) -> String {
        let at = |file, rank| self.sign(rank * 3 + file);
        let placed = fen::write_placement(3, 3, at, |sign, out| out.push(sign));
        format!("{placed} {}", ['w', 'b'][self.turn])
    }

    fn read_written(
        row: &'static Variant,
        text: &str,
    ) -> Result<ParsedPosition<Self>, ReadFailure> {
        let mut codes = Vec::new();
        let (placed, turn) = text.trim().split_once(' ').unwrap_or((text.trim(), "w"));
        let mut marks = [0; 2];
        let shape = PlacementFacts {
            files: 3,
            ranks: 3,
            letters: "XO",
        };
        let read = fen::read_placement(placed, shape, &mut codes, |file, rank, rest| {
            let side = SIGNS.iter().position(|&known| rest.starts_with(known))?;
            marks[side] |= 1 << (rank * 3 + file);
            Some(1)
        });
        let turn =
            read.and_then(|()| fen::turn(turn, fen::WHITE_AND_BLACK, &fen::TURN, &mut codes));
        let read = turn.map(|turn| {
            let turn = usize::from(turn);
            let fields = Fields {
                turn: true,
                ..Fields::default()
            };
            (Self { row, marks, turn }, fields, codes)
        });
        text::written(row, text, read)
    }

    fn write(&self, m: Ply, _: MoveStyle, _: &Language) -> String {
        match m {
            Ply::Square(square) => {
                let [file, rank] = [b'a' + square % 3, b'1' + square / 3].map(char::from);
                format!("{file}{rank}")
            }
            Ply::Pass => "--".to_owned(),
        }
    }
}

impl GameCodec for TicTacToe {
    type Slots = ();

    fn slots(&self) {}

    fn pack(&self, m: Ply, (): &mut (), out: &mut Vec<u8>) {
        out.push(self.code(m) as u8);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<Ply> {
        let (&first, rest) = bytes.split_first()?;
        let m = self.moves_of(first.into()).pop()?;
        *bytes = rest;
        Some(m)
    }
}

impl GameDisplay for TicTacToe {
    fn diagram(&self) -> Diagram {
        Diagram::of_grid(
            (3, 3),
            BoardKind::Cells,
            GameNotation::fen(self),
            |square| {
                let sign = self.sign(square)?;
                Some(DiagramPiece::disc(sign, u8::from(sign == SIGNS[1])))
            },
        )
    }

    fn marks(&self, m: Ply) -> Highlights {
        match m {
            Ply::Square(square) => Highlights::ends(square, square),
            Ply::Pass => Highlights::default(),
        }
    }
}

impl MovetextRules for TicTacToe {
    type Convention = ();
    type Context<'a> = GameText<'a>;
    const SYNTAX: Syntax = Syntax::Pgn;

    fn refusal(&self, word: &str, (): &()) -> ReadFailure {
        let read = ResolvedWord::from_result(self.resolve(word));
        text::refusal(&read, word, "moves are written as `b2`")
    }

    fn convention(&self, _: ExpectedNotation) {}

    fn context<'a>(&'a self, text: GameText<'a>, (): &'a (), _: ParseBudget) -> GameText<'a> {
        text
    }

    fn read_word(&self, text: &mut GameText<'_>, item: usize, _: &[Ply]) -> WordReading<Ply> {
        let word = text.of(&text.raw.items[item]);
        let read = match &*word {
            "--" => Ok(Ply::Pass),
            word => self.resolve(word),
        };
        text::of_resolved(ResolvedWord::from_result(read), &word, |_| false)
    }
}

impl BoardGame for TicTacToe {
    type Cursor = Stepper<Self>;

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }
}
