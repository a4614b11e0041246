//! The variants of chess with archbishop and chancellor, one row of facts each.

use super::rules::{
    Board, Facts,
    man::{ARCHBISHOP, BISHOP, CHANCELLOR, KNIGHT, QUEEN, ROOK},
};
use crate::games::variant::{Rules, Variant};

/// What a pawn becomes where both compound men are known.
const PROMOTIONS: &[u8] = &[QUEEN, CHANCELLOR, ARCHBISHOP, ROOK, BISHOP, KNIGHT];

/// The facts of one variant.
#[derive(Debug, PartialEq, Eq)]
pub struct Compound {
    /// Its name in the registry.
    pub name: &'static str,
    /// What its moves are made of.
    pub facts: Facts,
    /// The letter of the archbishop.
    pub archbishop: char,
    /// The letter of the chancellor.
    pub chancellor: char,
    /// The start position where a game does not tell another; where arrays are
    /// drawn by lot, one of them.
    pub start_fen: &'static str,
    /// Where its rules are laid down.
    pub source: &'static str,
}

/// Every such variant.
pub static ALL: &[Compound] = &[CAPABLANCA, CAPARANDOM, GOTHIC, EMBASSY, JANUS, SEIRAWAN];

impl Compound {
    /// The variant of a name of the registry.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|variant| variant.name == name)
    }
}

/// Capablanca Chess, the king castling by three squares to c or i.
pub(crate) const CAPABLANCA: Compound = Compound {
    name: "capablanca",
    facts: Facts {
        board: Board::Ten,
        castled_king: [8, 2],
        free_array: false,
        promotions: PROMOTIONS,
        gates: false,
    },
    archbishop: 'A',
    chancellor: 'C',
    start_fen: "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
    source: "J. R. Capablanca, proposal of the 1920s, array as in X-FEN practice",
};

/// Any array; a game should tell which. King and rook castle to where those of
/// Capablanca Chess stand.
pub(crate) const CAPARANDOM: Compound = Compound {
    name: "caparandom",
    facts: Facts {
        board: Board::Ten,
        castled_king: [8, 2],
        free_array: true,
        promotions: PROMOTIONS,
        gates: false,
    },
    archbishop: 'A',
    chancellor: 'C',
    start_fen: "bqnrakrcnb/pppppppppp/10/10/10/10/PPPPPPPPPP/BQNRAKRCNB w KQkq - 0 1",
    source: "R. Scharnagl, Fischer-Random-Schach (2004)",
};

/// Gothic Chess, castling as in Capablanca Chess.
pub(crate) const GOTHIC: Compound = Compound {
    name: "gothic",
    start_fen: "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1",
    source: "E. Trice, Gothic Chess (2000)",
    ..CAPABLANCA
};

/// Embassy Chess: the king begins on e and castles by three squares to b or h.
pub(crate) const EMBASSY: Compound = Compound {
    name: "embassy",
    facts: Facts {
        board: Board::Ten,
        castled_king: [7, 1],
        free_array: false,
        promotions: PROMOTIONS,
        gates: false,
    },
    archbishop: 'A',
    chancellor: 'C',
    start_fen: "rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1",
    source: "K. Hill, Embassy Chess (2005)",
};

/// Janus Chess: two archbishops a side and no chancellor; the king castles to b
/// or i.
pub(crate) const JANUS: Compound = Compound {
    name: "janus",
    facts: Facts {
        board: Board::Ten,
        castled_king: [8, 1],
        free_array: false,
        promotions: &[QUEEN, ARCHBISHOP, ROOK, BISHOP, KNIGHT],
        gates: false,
    },
    archbishop: 'J',
    chancellor: 'C',
    start_fen: "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1",
    source: "W. Schöndorf, Janusschach (1978)",
};

/// Seirawan Chess: hawk and elephant come in on squares that men of the first
/// rank leave for the first time.
pub(crate) const SEIRAWAN: Compound = Compound {
    name: "seirawan",
    facts: Facts {
        board: Board::Eight,
        castled_king: [6, 2],
        free_array: false,
        promotions: PROMOTIONS,
        gates: true,
    },
    archbishop: 'H',
    chancellor: 'E',
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1",
    source: "Y. Seirawan and B. Harper, S-Chess (2007)",
};

impl Variant {
    /// The facts of chess with archbishop and chancellor; `None` for other games.
    pub const fn compound(&self) -> Option<&'static Compound> {
        match self.rules {
            Rules::Capablanca(row) => Some(row),
            _ => None,
        }
    }
}
