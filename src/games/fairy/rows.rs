//! The variants on grids of squares, one row of facts each.

use super::rules::{
    FairyRules, Reserve,
    facts::{
        CHESS_MOVEMENTS, EASTERN_MOVEMENTS, EIGHT, FIVE, HUNDRED, NINE, Pawns, SEVEN, SIX, TEN,
    },
    piece::{ARCHBISHOP, BISHOP, CHANCELLOR, KNIGHT, QUEEN, ROOK},
};
use crate::games::variant::{Rules, Variant};

/// The facts of one variant.
#[derive(Debug, Clone, Copy)]
pub struct FairyVariant {
    /// Its name in the registry.
    pub name: &'static str,
    /// What its moves are made of.
    pub facts: FairyRules,
    /// The capital letters of FENs, by role from pawns on; a dash for a role it has not.
    pub letters: &'static str,
    /// Those of moves.
    pub move_letters: &'static str,
    /// Letters that are read as well, with their roles.
    pub also: &'static [(char, u8)],
    /// The start position where a game does not give another; where arrays are
    /// drawn by lot, one of them.
    pub start_fen: &'static str,
    /// Where its rules are laid down.
    pub source: &'static str,
}

/// Names are unique.
impl PartialEq for FairyVariant {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for FairyVariant {}

/// What a pawn becomes where both compound pieces are known.
const PROMOTIONS: &[u8] = &[QUEEN, CHANCELLOR, ARCHBISHOP, ROOK, BISHOP, KNIGHT];

/// Letters that archbishop and chancellor have in some of these games.
const COMPOUND_LETTERS: &[(char, u8)] = &[
    ('A', ARCHBISHOP),
    ('J', ARCHBISHOP),
    ('H', ARCHBISHOP),
    ('C', CHANCELLOR),
    ('E', CHANCELLOR),
    ('M', CHANCELLOR),
];

/// Capablanca Chess, the king castling by three squares to c or i.
pub(crate) const CAPABLANCA: FairyVariant = FairyVariant {
    name: "capablanca",
    facts: FairyRules {
        board: &TEN,
        movements: &CHESS_MOVEMENTS,
        pawns: Pawns::Promoting {
            second: Some(1),
            promotes_from: 7,
        },
        promotions: PROMOTIONS,
        promotes_up_to: None,
        castled_king: Some([8, 2]),
        free_array: false,
        reserve: Reserve::None,
        lets_kings_hang: false,
    },
    letters: "PNBRQKAC",
    move_letters: "PNBRQKAC",
    also: COMPOUND_LETTERS,
    start_fen: "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
    source: "J. R. Capablanca, proposal of the 1920s, array as in X-FEN practice",
};

/// Any array; a game should say which. King and rook castle to where those of Capablanca Chess
/// stand.
pub(crate) const CAPARANDOM: FairyVariant = FairyVariant {
    name: "caparandom",
    facts: FairyRules {
        free_array: true,
        ..CAPABLANCA.facts
    },
    start_fen: "bqnrakrcnb/pppppppppp/10/10/10/10/PPPPPPPPPP/BQNRAKRCNB w KQkq - 0 1",
    source: "R. Scharnagl, Fischer-Random-Schach (2004)",
    ..CAPABLANCA
};

/// Gothic Chess, castling as in Capablanca Chess.
pub(crate) const GOTHIC: FairyVariant = FairyVariant {
    name: "gothic",
    start_fen: "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1",
    source: "E. Trice, Gothic Chess (2000)",
    ..CAPABLANCA
};

/// Embassy Chess: the king begins on e and castles by three squares to b or h.
pub(crate) const EMBASSY: FairyVariant = FairyVariant {
    name: "embassy",
    facts: FairyRules {
        castled_king: Some([7, 1]),
        ..CAPABLANCA.facts
    },
    start_fen: "rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1",
    source: "K. Hill, Embassy Chess (2005)",
    ..CAPABLANCA
};

/// Janus Chess: two archbishops a side and no chancellor; the king castles to b
/// or i.
pub(crate) const JANUS: FairyVariant = FairyVariant {
    name: "janus",
    facts: FairyRules {
        castled_king: Some([8, 1]),
        promotions: &[QUEEN, ARCHBISHOP, ROOK, BISHOP, KNIGHT],
        ..CAPABLANCA.facts
    },
    letters: "PNBRQKJC",
    move_letters: "PNBRQKJC",
    start_fen: "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1",
    source: "W. Schöndorf, Janusschach (1978)",
    ..CAPABLANCA
};

/// Seirawan Chess: hawk and elephant come in on squares that pieces of the first
/// rank leave for the first time.
pub(crate) const SEIRAWAN: FairyVariant = FairyVariant {
    name: "seirawan",
    facts: FairyRules {
        board: &EIGHT,
        castled_king: Some([6, 2]),
        reserve: Reserve::Gates,
        ..CAPABLANCA.facts
    },
    letters: "PNBRQKHE",
    move_letters: "PNBRQKHE",
    also: &[('A', ARCHBISHOP), ('C', CHANCELLOR)],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1",
    source: "Y. Seirawan and B. Harper, S-Chess (2007)",
};

/// Capablanca Chess with the drops of Crazyhouse.
pub(crate) const CAPAHOUSE: FairyVariant = FairyVariant {
    name: "capahouse",
    facts: FairyRules {
        reserve: Reserve::Hand,
        ..CAPABLANCA.facts
    },
    start_fen: "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR[] w KQkq - 0 1",
    source: "Capablanca Chess with the drops of Crazyhouse",
    ..CAPABLANCA
};

/// Grand Chess: pawns may promote on the last three ranks, but only to what was taken; there is no
/// castling.
pub(crate) const GRAND: FairyVariant = FairyVariant {
    name: "grand",
    facts: FairyRules {
        board: &HUNDRED,
        pawns: Pawns::Promoting {
            second: Some(2),
            promotes_from: 7,
        },
        promotes_up_to: Some([0, 0, 2, 2, 2, 1, 0, 1, 1]),
        castled_king: None,
        ..CAPABLANCA.facts
    },
    start_fen: "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1",
    source: "C. Freeling, Grand Chess (1984)",
    ..CAPABLANCA
};

/// Gardner's Minichess: the array of chess without the pieces beyond the king. Pawns have no double
/// step, and there is no castling.
pub(crate) const GARDNER: FairyVariant = FairyVariant {
    name: "gardner",
    facts: FairyRules {
        board: &FIVE,
        pawns: Pawns::Promoting {
            second: None,
            promotes_from: 4,
        },
        promotions: &[QUEEN, ROOK, BISHOP, KNIGHT],
        castled_king: None,
        ..CAPABLANCA.facts
    },
    letters: "PNBRQK",
    move_letters: "PNBRQK",
    also: &[],
    start_fen: "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
    source: "M. Gardner, Scientific American (1969); Fairy-Stockfish, variant gardner",
};

/// Los Alamos Chess, which the MANIAC I played in 1956: no bishops, no double step, no
/// castling.
pub(crate) const LOS_ALAMOS: FairyVariant = FairyVariant {
    name: "losalamos",
    facts: FairyRules {
        board: &SIX,
        pawns: Pawns::Promoting {
            second: None,
            promotes_from: 5,
        },
        promotions: &[QUEEN, ROOK, KNIGHT],
        ..GARDNER.facts
    },
    letters: "PN-RQK",
    move_letters: "PN-RQK",
    start_fen: "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1",
    source: "P. Stein and S. Ulam, Experiments in chess on electronic computing machines (1957)",
    ..GARDNER
};

/// Xiangqi.
pub(crate) const XIANGQI: FairyVariant = FairyVariant {
    name: "xiangqi",
    facts: FairyRules {
        board: &NINE,
        movements: &EASTERN_MOVEMENTS,
        pawns: Pawns::Soldiers { sideways_from: 5 },
        promotions: &[],
        promotes_up_to: None,
        castled_king: None,
        free_array: false,
        reserve: Reserve::None,
        lets_kings_hang: true,
    },
    letters: "PNBRCKA",
    move_letters: "PHERCKA",
    also: &[],
    start_fen: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    source: "World Xiangqi Federation, World Xiangqi Rules",
};

/// Minixiangqi: no elephants and advisors, and soldiers go to the side from the start.
pub(crate) const MINIXIANGQI: FairyVariant = FairyVariant {
    name: "minixiangqi",
    facts: FairyRules {
        board: &SEVEN,
        pawns: Pawns::Soldiers { sideways_from: 0 },
        ..XIANGQI.facts
    },
    letters: "PN-RCK",
    move_letters: "PH-RCK",
    start_fen: "rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 0 1",
    source: "S. Iwasaki, Minixiangqi (1973)",
    ..XIANGQI
};

impl FairyVariant {
    /// Whether moves and boards are written and drawn as in xiangqi: coordinates may count
    /// ranks from 0, moves may be those of WXF, and all pieces have a letter in them.
    pub const fn is_eastern(&self) -> bool {
        matches!(self.facts.pawns, Pawns::Soldiers { .. })
    }
}

impl Variant {
    /// The facts of a game on a grid of squares; `None` for other games.
    pub const fn fairy(&self) -> Option<&'static FairyVariant> {
        match self.rules {
            Rules::Fairy(row) => Some(row),
            _ => None,
        }
    }
}
