//! Games as the naive evaluator has them: every position of every line, with the move that leaves it
//! and the one that led there.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square, attacks,
};

/// The board of a game. Its squares are bits: on a board of chess as everywhere, in draughts those that
/// are played on, one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// Eight files and ranks.
    Chess,
    /// The dark squares of it, by letters.
    Russian,
    /// Fifty squares with numbers.
    International,
}

/// A square by file and rank from 0, or by its number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: i8,
    pub(super) rank: i8,
    pub(super) number: i8,
}

impl Ground {
    /// The places of its squares, by their bits.
    pub(super) fn places(self) -> Vec<Place> {
        let lettered = |file: i8, rank: i8| Place {
            file,
            rank,
            number: 0,
        };
        let all = (0..64).map(|at| lettered(at % 8, at / 8));
        match self {
            Self::Chess => all.collect(),
            Self::Russian => all
                .filter(|place| (place.file + place.rank) % 2 == 0)
                .collect(),
            Self::International => (1..=50)
                .map(|number| Place {
                    file: -1,
                    rank: -1,
                    number,
                })
                .collect(),
        }
    }

    /// All squares.
    pub(super) fn all(self) -> u64 {
        match self {
            Self::Chess => u64::MAX,
            Self::Russian => (1 << 32) - 1,
            Self::International => (1 << 50) - 1,
        }
    }
}

/// A move. Squares are bits; a null move has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PlayedMove {
    /// The letter of what moves, in capitals; `-` for a null move.
    pub(super) kind: char,
    pub(super) from: u64,
    pub(super) to: u64,
    /// Where the rook stood that castles.
    pub(super) rook: u64,
    pub(super) taken: Option<char>,
    /// How many pieces it takes.
    pub(super) jumps: u32,
    pub(super) becomes: Option<char>,
    /// Whether it castles on the king's side.
    pub(super) castles: Option<bool>,
    pub(super) in_passing: bool,
}

/// What comments say of a move: seconds left, hundredths of a pawn for White, and lost ones.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Said {
    pub(super) clock: Option<i64>,
    pub(super) eval: Option<i64>,
    pub(super) loss: Option<i64>,
}

/// A position with what is around it.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) ground: Ground,
    /// The letters that stand on squares, each with these.
    pub(super) men: Vec<(char, u64)>,
    /// All pieces of each side.
    pub(super) sides: [u64; 2],
    pub(super) turn: usize,
    pub(super) ply: u32,
    pub(super) check: bool,
    pub(super) mate: bool,
    pub(super) stalemate: bool,
    pub(super) next: Option<PlayedMove>,
    pub(super) last: Option<PlayedMove>,
    pub(super) said: Said,
    /// What is attacked from each square.
    pub(super) seen: Vec<u64>,
}

impl Scene {
    /// A position of chess, without what is around it.
    pub(super) fn of_chess(at: &Chess, ply: u32) -> Self {
        let board = at.board();
        let occupied = board.occupied();
        let men = Color::ALL.into_iter().flat_map(|color| {
            Role::ALL.map(|role| {
                let piece = Piece { color, role };
                (piece.char(), u64::from(board.by_piece(piece)))
            })
        });
        let from = |square: Square| match board.piece_at(square) {
            Some(piece) => u64::from(attacks::attacks(square, piece, occupied)),
            None => 0,
        };
        Self {
            ground: Ground::Chess,
            men: men.collect(),
            sides: [Color::White, Color::Black].map(|color| board.by_color(color).into()),
            turn: usize::from(at.turn().is_black()),
            ply,
            check: at.is_check(),
            mate: at.is_checkmate(),
            stalemate: at.is_stalemate(),
            next: None,
            last: None,
            said: Said::default(),
            seen: Square::ALL.map(from).to_vec(),
        }
    }

    /// The squares of a letter: `A` and `a` are any pieces of a side, `x` any at all, `_` none, and
    /// `.` whatever stands there.
    pub(super) fn of(&self, letter: char) -> u64 {
        let any = self.sides[0] | self.sides[1];
        match letter {
            'A' => self.sides[0],
            'a' => self.sides[1],
            'x' => any,
            '_' => self.ground.all() & !any,
            '.' => self.ground.all(),
            letter => {
                let mut men = self.men.iter();
                let found = men.find(|(own, _)| *own == letter);
                found.map_or(0, |(_, on)| *on)
            }
        }
    }

    /// The squares of several letters.
    pub(super) fn any_of(&self, letters: &str) -> u64 {
        letters.chars().fold(0, |all, letter| all | self.of(letter))
    }

    /// All pieces of a side.
    pub(super) fn side(&self, side: usize) -> u64 {
        self.sides[side]
    }

    /// A letter as a side has it.
    pub(super) fn own(&self, kind: char, side: usize) -> u64 {
        self.of(cased(kind, side))
    }

    /// How many of a kind a side has.
    pub(super) fn number(&self, kind: char, side: usize) -> usize {
        self.own(kind, side).count_ones() as usize
    }

    /// How many pieces of a set attack a square.
    pub(super) fn attackers(&self, square: u32, among: u64) -> usize {
        squares(among)
            .filter(|from| self.seen[*from as usize] >> square & 1 == 1)
            .count()
    }
}

/// A letter as a side has it.
pub(super) fn cased(kind: char, side: usize) -> char {
    match side {
        0 => kind.to_ascii_uppercase(),
        _ => kind.to_ascii_lowercase(),
    }
}

/// The numbers of the bits of a set.
pub(super) fn squares(set: u64) -> impl Iterator<Item = u32> {
    Bitboard(set).into_iter().map(u32::from)
}

/// A move of chess before it is played.
pub(super) fn played(m: Move, board: &Board) -> PlayedMove {
    let bit = |square: Square| 1 << u32::from(square);
    let plain = PlayedMove {
        kind: m.role().upper_char(),
        from: m.from().map_or(0, bit),
        to: bit(m.to()),
        taken: m.capture().map(Role::upper_char),
        jumps: u32::from(m.is_capture()),
        becomes: m.promotion().map(Role::upper_char),
        in_passing: m.is_en_passant(),
        ..PlayedMove::default()
    };
    match m {
        Move::Castle { king, rook } => {
            let is_short = CastlingSide::from_king_side(king < rook) == CastlingSide::KingSide;
            let file = if is_short { 6 } else { 2 };
            debug_assert!(board.role_at(rook) == Some(Role::Rook));
            PlayedMove {
                from: bit(king),
                to: 1 << (u32::from(king) / 8 * 8 + file),
                rook: bit(rook),
                castles: Some(is_short),
                taken: None,
                jumps: 0,
                ..plain
            }
        }
        _ => plain,
    }
}

/// A line from the start of a game to its end.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) scenes: Vec<Scene>,
    /// The same of chess.
    pub(super) positions: Vec<Chess>,
}

impl Line {
    /// A line of chess: its positions, and the moves between them; `None` is a null move.
    pub(super) fn of_chess(positions: &[Chess], moves: &[Option<Move>], said: &[Said]) -> Self {
        let null = PlayedMove {
            kind: '-',
            ..PlayedMove::default()
        };
        let played = |at: usize| {
            let m = moves.get(at)?;
            Some(m.map_or(null, |m| played(m, positions[at].board())))
        };
        let scene = |(at, position)| Scene {
            next: played(at),
            last: at.checked_sub(1).and_then(played),
            said: said.get(at).copied().unwrap_or_default(),
            ..Scene::of_chess(position, at as u32)
        };
        Self {
            scenes: positions.iter().enumerate().map(scene).collect(),
            positions: positions.to_vec(),
        }
    }
}

/// A game with all its lines, the main one first.
#[derive(Debug, Clone)]
pub(super) struct Game {
    /// The name of its variant.
    pub(super) variant: &'static str,
    pub(super) tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub(super) result: &'static str,
    pub(super) comments: Vec<String>,
    /// The code of its opening as a number, and its name.
    pub(super) opening: Option<(i64, String)>,
    /// What is in the name of the file that it was read from.
    pub(super) file: &'static str,
    pub(super) lines: Vec<Line>,
}

impl Game {
    /// The value of a tag.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Whether it is a game of chess, from whatever start.
    pub(super) fn is_chess(&self) -> bool {
        self.variant.starts_with("chess")
    }

    /// The plies of its main line.
    pub(super) fn plies(&self) -> u32 {
        self.lines[0].scenes.len() as u32 - 1
    }
}
