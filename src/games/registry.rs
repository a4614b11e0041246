//! The rows of the registry. Facts only; each names its rule book.

use super::{
    capablanca::rows as compound,
    chess_variant::Kind,
    draughts::{rows as draughts, rows::DraughtsVariant},
    variant::{Guess, Variant},
};

/// Which rules play the games of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// The laws of chess, castling from any Chess960 start included.
    Chess,
    /// Those of a chess variant, as shakmaty plays it.
    ChessVariant(Kind),
    /// Draughts, by these facts.
    Draughts(&'static DraughtsVariant),
    /// Chess with archbishop and chancellor, by these facts.
    Capablanca(&'static compound::Compound),
    /// Xiangqi.
    Xiangqi,
    /// Othello.
    Othello,
    /// None yet: tags and text only.
    None,
}

/// Every variant there is, by number: those below, then those of
/// [`draughts::ALL`] in its order. Row and number are part of the file format:
/// a new row is added at the end of its table, its number is the next that was
/// never given (draughts' are counted from 24), and a variant
/// that is given up keeps its row.
pub static ALL: [Variant; CHESS_AND_OTHERS.len() + draughts::ALL.len()] = {
    let mut all = [CHESS_AND_OTHERS[0]; CHESS_AND_OTHERS.len() + draughts::ALL.len()];
    let mut row = 0;
    while row < all.len() {
        all[row] = if row < CHESS_AND_OTHERS.len() {
            CHESS_AND_OTHERS[row]
        } else {
            let row = row - CHESS_AND_OTHERS.len();
            of_draughts(&draughts::ALL[row], FIRST_DRAUGHTS + row as u8)
        };
        row += 1;
    }
    all
};

/// The number of the first row of [`draughts::ALL`].
pub(super) const FIRST_DRAUGHTS: u8 = 24;

/// A row of draughts as one of the registry.
const fn of_draughts(row: &'static DraughtsVariant, id: u8) -> Variant {
    // All variants of a board share their keys; the first of them leads.
    let mut leader = 0;
    while draughts::ALL[leader].rules.board as u8 != row.rules.board as u8 {
        leader += 1;
    }
    Variant {
        id,
        name: row.name,
        title: row.title,
        // Several are words of chess as well: only who knows that a game is
        // draughts may ask for them.
        aliases: &[],
        files: row.tag.width,
        ranks: row.tag.height,
        start_fen: None,
        source: row.source,
        rules: Rules::Draughts(row),
        key_family: FIRST_DRAUGHTS + leader as u8,
        game_type: if row.is_default_of_type {
            row.game_type
        } else {
            None
        },
        guess: row.guess,
    }
}

/// The rows of chess, its variants and other games.
const CHESS_AND_OTHERS: &[Variant] = &[
    Variant {
        id: 1,
        name: "chess",
        title: "Chess",
        aliases: &[
            "Standard",
            "Classical",
            "Normal",
            "From Position",
            "Illegal",
            "orthodox",
            "Chess Standard",
        ],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        source: "FIDE Laws of Chess (2023), articles 1 to 5 and 9",
        rules: Rules::Chess,
        key_family: 1,
        game_type: Some(0),
        guess: Guess::FIRST,
    },
    Variant {
        id: 2,
        name: "chess960",
        title: "Chess960",
        aliases: &[
            "Fischerandom",
            "Fischerrandom",
            "FRC",
            "Freestyle",
            "Fischer Random Chess",
        ],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        source: "FIDE Laws of Chess (2023), Guidelines II",
        rules: Rules::Chess,
        key_family: 1,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 3,
        name: "crazyhouse",
        title: "Crazyhouse",
        aliases: &["House", "ZH", "Crazyhouse chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
        source: "lichess.org/variant/crazyhouse",
        rules: Rules::ChessVariant(Kind::Crazyhouse),
        key_family: 3,
        game_type: None,
        guess: Guess::at(40, 40),
    },
    Variant {
        id: 4,
        name: "bughouse",
        title: "Bughouse",
        aliases: &["Bug", "Bughouse chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
        source: "FICS, help bughouse",
        rules: Rules::None,
        key_family: 4,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 5,
        name: "threecheck",
        title: "Three-check",
        aliases: &["Three check chess", "3-check", "Three checks"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1"),
        source: "lichess.org/variant/threeCheck",
        rules: Rules::ChessVariant(Kind::Checks(3)),
        key_family: 5,
        game_type: None,
        guess: Guess::at(41, 41),
    },
    Variant {
        id: 6,
        name: "fivecheck",
        title: "Five-check",
        aliases: &["5check", "5 check chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5+5 0 1"),
        source: "as three-check, with five checks; Fairy-Stockfish, variant 5check",
        rules: Rules::ChessVariant(Kind::Checks(5)),
        key_family: 6,
        game_type: None,
        guess: Guess::at(42, 42),
    },
    Variant {
        id: 7,
        name: "kingofthehill",
        title: "King of the Hill",
        aliases: &["KOTH", "KingOfTheHill chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        source: "lichess.org/variant/kingOfTheHill",
        rules: Rules::ChessVariant(Kind::KingOfTheHill),
        key_family: 7,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 8,
        name: "atomic",
        title: "Atomic",
        aliases: &["Atom", "Atomic chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        source: "lichess.org/variant/atomic",
        rules: Rules::ChessVariant(Kind::Atomic),
        key_family: 8,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 9,
        name: "antichess",
        title: "Antichess",
        aliases: &["Anti", "Giveaway", "Giveaway chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        source: "lichess.org/variant/antichess",
        rules: Rules::ChessVariant(Kind::Antichess),
        key_family: 9,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 10,
        name: "suicide",
        title: "Suicide",
        aliases: &["Suicide chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        // The moves of antichess; who wins a stalemate differs, and results are told.
        source: "FICS, help suicide",
        rules: Rules::ChessVariant(Kind::Antichess),
        key_family: 9,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 11,
        name: "losers",
        title: "Losers",
        aliases: &["Losers chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        source: "FICS, help losers",
        rules: Rules::None,
        key_family: 11,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 12,
        name: "horde",
        title: "Horde",
        aliases: &["Horde chess"],
        files: 8,
        ranks: 8,
        start_fen: Some(
            "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        ),
        source: "lichess.org/variant/horde",
        rules: Rules::ChessVariant(Kind::Horde),
        key_family: 12,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 13,
        name: "racingkings",
        title: "Racing Kings",
        aliases: &["Racing", "Race", "Racing Kings chess"],
        files: 8,
        ranks: 8,
        start_fen: Some("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
        source: "lichess.org/variant/racingKings",
        rules: Rules::ChessVariant(Kind::RacingKings),
        key_family: 13,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 14,
        name: "capablanca",
        title: "Capablanca Chess",
        aliases: &[],
        files: 10,
        ranks: 8,
        start_fen: Some(compound::CAPABLANCA.start_fen),
        source: compound::CAPABLANCA.source,
        rules: Rules::Capablanca(&compound::CAPABLANCA),
        key_family: 14,
        game_type: None,
        guess: Guess::at(44, 44),
    },
    Variant {
        id: 15,
        name: "caparandom",
        title: "Capablanca Random Chess",
        aliases: &["CRC", "Capablanca Random"],
        files: 10,
        ranks: 8,
        start_fen: None,
        source: compound::CAPARANDOM.source,
        rules: Rules::Capablanca(&compound::CAPARANDOM),
        key_family: 14,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 16,
        name: "gothic",
        title: "Gothic Chess",
        aliases: &[],
        files: 10,
        ranks: 8,
        start_fen: Some(compound::GOTHIC.start_fen),
        source: compound::GOTHIC.source,
        rules: Rules::Capablanca(&compound::GOTHIC),
        key_family: 14,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 17,
        name: "embassy",
        title: "Embassy Chess",
        aliases: &[],
        files: 10,
        ranks: 8,
        start_fen: Some(compound::EMBASSY.start_fen),
        source: compound::EMBASSY.source,
        rules: Rules::Capablanca(&compound::EMBASSY),
        key_family: 14,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 18,
        name: "janus",
        title: "Janus Chess",
        aliases: &[],
        files: 10,
        ranks: 8,
        start_fen: Some(compound::JANUS.start_fen),
        source: compound::JANUS.source,
        rules: Rules::Capablanca(&compound::JANUS),
        key_family: 14,
        game_type: None,
        guess: Guess::at(45, 45),
    },
    Variant {
        id: 19,
        name: "capahouse",
        title: "Capahouse",
        aliases: &[],
        files: 10,
        ranks: 8,
        start_fen: Some("rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR[] w KQkq - 0 1"),
        source: "Capablanca Chess with the drops of Crazyhouse",
        rules: Rules::None,
        key_family: 19,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 20,
        name: "grand",
        title: "Grand Chess",
        aliases: &[],
        files: 10,
        ranks: 10,
        start_fen: Some(
            "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1",
        ),
        source: "C. Freeling, Grand Chess (1984)",
        rules: Rules::None,
        key_family: 20,
        game_type: None,
        guess: Guess::NOT,
    },
    Variant {
        id: 21,
        name: "seirawan",
        title: "Seirawan Chess",
        aliases: &["S-Chess"],
        files: 8,
        ranks: 8,
        start_fen: Some(compound::SEIRAWAN.start_fen),
        source: compound::SEIRAWAN.source,
        rules: Rules::Capablanca(&compound::SEIRAWAN),
        key_family: 21,
        game_type: None,
        guess: Guess::at(43, 43),
    },
    Variant {
        id: 22,
        name: "xiangqi",
        title: "Xiangqi",
        aliases: &["Chinese Chess", "CChess"],
        files: 9,
        ranks: 10,
        start_fen: Some("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"),
        source: "World Xiangqi Federation, World Xiangqi Rules",
        rules: Rules::Xiangqi,
        key_family: 22,
        game_type: Some(1),
        guess: Guess::at(46, 46),
    },
    Variant {
        id: 23,
        name: "othello",
        title: "Othello",
        aliases: &["Reversi", "flipello"],
        files: 8,
        ranks: 8,
        start_fen: Some("8/8/8/3OX3/3XO3/8/8/8 b"),
        source: "World Othello Federation, Rules of Othello",
        rules: Rules::Othello,
        key_family: 23,
        game_type: Some(50),
        guess: Guess::at(47, 47),
    },
];
