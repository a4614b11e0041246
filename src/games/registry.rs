//! The rows of the registry. Facts only; each names its rule book.

use super::{
    Rules,
    chess_variant::ChessVariantKind,
    draughts::{rows as draughts, rows::DraughtsVariant},
    fairy::{rows as fairy, rows::FairyVariant},
    variant::{DetectionRule, Variant},
};

/// Every variant there is, by number: those below, then those of
/// [`draughts::ALL`] in its order. Row and number are part of the file format:
/// a new row is added at the end of its table, its number is the next that was
/// never given (draughts' are counted from 24, and 45 to 47 are taken), and a variant
/// that is given up keeps its row.
pub static ALL: [Variant; CHESS_AND_OTHERS.len() + draughts::ALL.len()] = {
    let mut all = [CHESS_AND_OTHERS[0]; CHESS_AND_OTHERS.len() + draughts::ALL.len()];
    let mut row = 0;
    while row < all.len() {
        all[row] = if row < CHESS_AND_OTHERS.len() {
            CHESS_AND_OTHERS[row]
        } else {
            let row = row - CHESS_AND_OTHERS.len();
            of_draughts(&draughts::ALL[row], number_of_draughts(row))
        };
        row += 1;
    }
    all
};

/// The number of a row of [`draughts::ALL`]: from 24, without those that other games have.
const fn number_of_draughts(row: usize) -> u8 {
    let number = 24 + row as u8;
    if number < 45 { number } else { number + 3 }
}

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
        files: row.rules.board.width(),
        ranks: row.rules.board.height(),
        start_fen: None,
        source: row.source,
        rules: Rules::Draughts(row),
        key_family: number_of_draughts(leader),
        game_type: if row.is_default_of_type {
            row.game_type
        } else {
            None
        },
        guess: row.guess,
    }
}

/// A row of chess, its variants and whatever else is played on its board; most begin as chess does.
const fn on_eight(id: u8, name: &'static str, title: &'static str) -> Variant {
    Variant {
        id,
        name,
        title,
        aliases: &[],
        files: 8,
        ranks: 8,
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        source: "",
        rules: Rules::None,
        key_family: id,
        game_type: None,
        guess: DetectionRule::NOT,
    }
}

/// A row of a game on a grid of squares.
const fn of_fairy(id: u8, title: &'static str, row: &'static FairyVariant) -> Variant {
    Variant {
        files: row.facts.board.grid.files,
        ranks: row.facts.board.grid.ranks,
        start_fen: Some(row.start_fen),
        source: row.source,
        rules: Rules::Fairy(row),
        ..on_eight(id, row.name, title)
    }
}

/// The rows of chess, its variants and other games.
const CHESS_AND_OTHERS: &[Variant] = &[
    Variant {
        aliases: &[
            "Standard",
            "Classical",
            "Normal",
            "From Position",
            "Illegal",
            "orthodox",
            "Chess Standard",
            "Orthodox chess",
            "Normal chess",
            "No castle",
            "No castling",
            "Wild castle",
            "wild/0",
            "wild/1",
            "wild/2",
            "wild/3",
            "wild/4",
            "wild/5",
            "wild/8",
            "wild/8a",
        ],
        source: "FIDE Laws of Chess (2023), articles 1 to 5 and 9",
        rules: Rules::Chess,
        game_type: Some(0),
        guess: DetectionRule::FIRST,
        ..on_eight(1, "chess", "Chess")
    },
    Variant {
        aliases: &[
            "Fischerandom",
            "Fischerrandom",
            "FRC",
            "Freestyle",
            "Fischer Random Chess",
            "Freestyle chess",
            "Chess9LX",
            "wild/fr",
            "wild/22",
        ],
        source: "FIDE Laws of Chess (2023), Guidelines II",
        rules: Rules::Chess,
        key_family: 1,
        ..on_eight(2, "chess960", "Chess960")
    },
    Variant {
        aliases: &["House", "ZH", "Crazyhouse chess", "wild/23"],
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
        source: "lichess.org/variant/crazyhouse",
        rules: Rules::ChessVariant(ChessVariantKind::Crazyhouse),
        guess: DetectionRule::at(40, 40),
        ..on_eight(3, "crazyhouse", "Crazyhouse")
    },
    Variant {
        aliases: &["Bug", "Bughouse chess", "wild/24"],
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
        source: "FICS, help bughouse",
        ..on_eight(4, "bughouse", "Bughouse")
    },
    Variant {
        aliases: &["Three check chess", "3-check", "Three checks", "wild/25"],
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1"),
        source: "lichess.org/variant/threeCheck",
        rules: Rules::ChessVariant(ChessVariantKind::Checks(3)),
        guess: DetectionRule::at(41, 41),
        ..on_eight(5, "threecheck", "Three-check")
    },
    Variant {
        aliases: &["5check", "5 check chess", "Five checks"],
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5+5 0 1"),
        source: "as three-check, but with five checks; Fairy-Stockfish, variant 5check",
        rules: Rules::ChessVariant(ChessVariantKind::Checks(5)),
        guess: DetectionRule::at(42, 42),
        ..on_eight(6, "fivecheck", "Five-check")
    },
    Variant {
        aliases: &["KOTH", "KingOfTheHill chess", "Hill"],
        source: "lichess.org/variant/kingOfTheHill",
        rules: Rules::ChessVariant(ChessVariantKind::KingOfTheHill),
        ..on_eight(7, "kingofthehill", "King of the Hill")
    },
    Variant {
        aliases: &["Atom", "Atomic chess", "wild/27"],
        source: "lichess.org/variant/atomic",
        rules: Rules::ChessVariant(ChessVariantKind::Atomic),
        ..on_eight(8, "atomic", "Atomic")
    },
    Variant {
        aliases: &[
            "Anti",
            "Giveaway",
            "Giveaway chess",
            "Losing",
            "Losing chess",
            "wild/26",
        ],
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        source: "lichess.org/variant/antichess",
        rules: Rules::ChessVariant(ChessVariantKind::Antichess),
        ..on_eight(9, "antichess", "Antichess")
    },
    Variant {
        // The moves of antichess; who wins a stalemate differs, and results are given.
        aliases: &["Suicide chess"],
        start_fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        source: "FICS, help suicide",
        rules: Rules::ChessVariant(ChessVariantKind::Antichess),
        key_family: 9,
        ..on_eight(10, "suicide", "Suicide")
    },
    Variant {
        aliases: &["Losers chess", "wild/17"],
        source: "FICS, help losers",
        ..on_eight(11, "losers", "Losers")
    },
    Variant {
        aliases: &["Horde chess"],
        start_fen: Some(
            "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        ),
        source: "lichess.org/variant/horde",
        rules: Rules::ChessVariant(ChessVariantKind::Horde),
        ..on_eight(12, "horde", "Horde")
    },
    Variant {
        aliases: &["Racing", "Race", "Racing Kings chess", "Racing King"],
        start_fen: Some("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
        source: "lichess.org/variant/racingKings",
        rules: Rules::ChessVariant(ChessVariantKind::RacingKings),
        ..on_eight(13, "racingkings", "Racing Kings")
    },
    Variant {
        guess: DetectionRule::at(44, 44),
        ..of_fairy(14, "Capablanca Chess", &fairy::CAPABLANCA)
    },
    Variant {
        aliases: &["CRC", "Capablanca Random", "Capablanca960"],
        start_fen: None,
        key_family: 14,
        ..of_fairy(15, "Capablanca Random Chess", &fairy::CAPARANDOM)
    },
    Variant {
        key_family: 14,
        ..of_fairy(16, "Gothic Chess", &fairy::GOTHIC)
    },
    Variant {
        key_family: 14,
        ..of_fairy(17, "Embassy Chess", &fairy::EMBASSY)
    },
    Variant {
        key_family: 14,
        guess: DetectionRule::at(45, 45),
        ..of_fairy(18, "Janus Chess", &fairy::JANUS)
    },
    of_fairy(19, "Capahouse", &fairy::CAPAHOUSE),
    of_fairy(20, "Grand Chess", &fairy::GRAND),
    Variant {
        aliases: &["S-Chess"],
        guess: DetectionRule::at(43, 43),
        ..of_fairy(21, "Seirawan Chess", &fairy::SEIRAWAN)
    },
    Variant {
        aliases: &["Chinese Chess", "CChess", "Elephant chess"],
        game_type: Some(1),
        guess: DetectionRule::at(46, 46),
        ..of_fairy(22, "Xiangqi", &fairy::XIANGQI)
    },
    Variant {
        aliases: &["Reversi", "flipello", "Othello 8x8"],
        start_fen: Some("8/8/8/3OX3/3XO3/8/8/8 b"),
        source: "World Othello Federation, Rules of Othello",
        rules: Rules::Othello,
        game_type: Some(50),
        guess: DetectionRule::at(47, 47),
        ..on_eight(23, "othello", "Othello")
    },
    Variant {
        aliases: &["Mini Xiangqi"],
        ..of_fairy(45, "Minixiangqi", &fairy::MINIXIANGQI)
    },
    Variant {
        aliases: &["Gardner", "Minichess", "Gardner Minichess"],
        ..of_fairy(46, "Gardner's Minichess", &fairy::GARDNER)
    },
    Variant {
        aliases: &["Los Alamos", "Anti-Clerical Chess"],
        ..of_fairy(47, "Los Alamos Chess", &fairy::LOS_ALAMOS)
    },
    #[cfg(test)]
    Variant {
        files: 3,
        ranks: 3,
        start_fen: Some("3/3/3 w"),
        source: "for tests",
        rules: Rules::TicTacToe,
        ..on_eight(255, "tictactoe", "Tic-tac-toe")
    },
];
