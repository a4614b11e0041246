//! The rows of the kinds of draughts.
//!
//! Numbers after facts are the articles of the rule book that the row names.
//! Facts without one are the common ground of all sources (`docs/draughts.md`
//! says where these disagree and what was decided).

use super::{DraughtsVariant, GameTypeTag};
use crate::games::ResultOrder;
use crate::games::Results;
use crate::games::draughts::rules::{
    BLACK, Directions, DraughtsBoard, DraughtsGoal, DraughtsRules, Landing, Priority, Promotion,
    Reach, Removal, WHITE,
};
use crate::games::variant::DetectionRule;

const fn tag(letters: bool, corner: u8, inverted: bool) -> GameTypeTag {
    GameTypeTag {
        letters,
        corner,
        inverted,
    }
}

const NUMBERS: bool = false;
const LETTERS: bool = true;

/// FMJD, Annex 1, Official Rules of International Draughts.
const INTERNATIONAL: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Half10, // 2.1, 2.4
    rows: 4,                      // 2.8
    gap: 0,
    first: WHITE,
    men_move: Directions::FORWARD,
    men_capture: Directions::DIAGONAL, // 4.1
    kings_move: Directions::DIAGONAL,
    kings_capture: Directions::DIAGONAL,
    reach: Reach::Flying, // 3.9
    landing: Landing::Any,
    men_take_kings: true,    // 4.2
    removal: Removal::After, // 4.11
    may_reverse: false,
    promotion: Promotion::Pass, // 4.15
    priority: Priority::Most,   // 4.13; 4.14: with what is free
    goal: DraughtsGoal::Usual,
};

/// ACF rules of checkers (WCDF).
const ENGLISH: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Half8, // 1.1, 1.4
    rows: 3,                     // 1.11
    first: BLACK,
    men_capture: Directions::FORWARD, // 1.18, kings too
    reach: Reach::Short,              // 1.17
    landing: Landing::Behind,
    // 1.19 removal after the move.
    promotion: Promotion::Stop, // 1.19
    priority: Priority::Free,   // 1.20
    ..INTERNATIONAL
};

/// FID, Regolamento tecnico, capo I (2008).
const ITALIAN: DraughtsRules = DraughtsRules {
    first: WHITE,
    men_take_kings: false, // 5.3(b)
    // 6.6 most, 6.7 with a king, 6.8 most kings, 6.9 a king first.
    priority: Priority::Italian,
    // 2.1, 2.3 the board; 4.7 short kings; 5.3(a) men capture forward.
    ..ENGLISH
};

/// APCA tournament rules of play.
const POOL: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Half8, // 1, 2, 4
    rows: 3,                     // 5
    first: BLACK,
    // 14 men capture backwards; 15 flying kings; 16 men take kings; 16, 22 and
    // 23 a man passing the last row stays a man; 19 removal after the move.
    priority: Priority::Free, // 20
    ..INTERNATIONAL
};

/// Federação Portuguesa de Damas, rules of classical draughts (2.1.2 and 2.1.5
/// the board); the Spanish rules are the same.
const SPANISH: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Half8,
    rows: 3,
    men_capture: Directions::FORWARD,
    promotion: Promotion::Stop,
    priority: Priority::MostThenKings,
    ..INTERNATIONAL
};

/// Russian code of draughts (2004).
const RUSSIAN: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Half8,
    rows: 3,
    // 1.4.5 flying kings; 1.5.3 men capture backwards.
    promotion: Promotion::Continue, // 1.5.15
    priority: Priority::Free,
    ..INTERNATIONAL
};

/// Czech rules (damweb.cz): 2.1, 2.4 the board, 3.9 flying kings.
const CZECH: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Half8,
    rows: 3,
    men_capture: Directions::FORWARD, // 4.1
    promotion: Promotion::Stop,
    priority: Priority::WithKing, // 4.14
    ..INTERNATIONAL
};

/// Turkish draughts, as kish 1.1.7, pydraughts 0.6.7 and hcheckers play it.
const TURKISH: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Full8,
    rows: 2,
    gap: 1, // ranks 2, 3 and 6, 7
    men_move: Directions::FORWARD_SIDEWAYS,
    men_capture: Directions::FORWARD_SIDEWAYS,
    kings_move: Directions::ORTHOGONAL,
    kings_capture: Directions::ORTHOGONAL,
    removal: Removal::AtOnce,
    may_reverse: false, // no half turn between two jumps
    ..INTERNATIONAL
};

/// Thai draughts (makhos), dctl's rules/thai with eight men.
const THAI: DraughtsRules = DraughtsRules {
    board: DraughtsBoard::Half8,
    rows: 2,
    first: BLACK,
    men_capture: Directions::FORWARD,
    landing: Landing::Behind,
    removal: Removal::AtOnce,
    may_reverse: true,
    promotion: Promotion::Stop,
    priority: Priority::Free,
    ..INTERNATIONAL
};

/// Frisian draughts, friesdammen.nl; values as lidraughts and dctl have them.
const FRISIAN: DraughtsRules = DraughtsRules {
    men_capture: Directions::ALL,
    kings_capture: Directions::ALL,
    priority: Priority::Value {
        man: 100,
        king: 199,
    },
    ..INTERNATIONAL
};

/// A kind that is never guessed, with what most kinds have in common.
const fn kind(rules: DraughtsRules) -> DraughtsVariant {
    DraughtsVariant {
        name: "",
        title: "",
        aliases: &[],
        game_type: None,
        is_default_of_type: true,
        tag: tag(NUMBERS, 2, false),
        capture_separator: 'x',
        results: Results::Default,
        result_order: ResultOrder::WhiteFirst,
        rules,
        source: "",
        guess: DetectionRule::NOT,
    }
}

/// Every kind of draughts. The order is part of the file format (it gives the
/// numbers of the registry): new rows are added at the end.
pub const ALL: &[DraughtsVariant] = &[
    DraughtsVariant {
        name: "international",
        title: "International draughts",
        aliases: &[
            "Standard",
            "From Position",
            "10x10",
            "Dammen",
            "Polish draughts",
            "International 10x10",
            "International checkers",
            "100 squares",
        ],
        game_type: Some(20),
        results: Results::International,
        guess: DetectionRule::at(1, 1),
        source: "FMJD, Official Rules of International Draughts, Annex 1, articles 2 to 4",
        ..kind(INTERNATIONAL)
    },
    DraughtsVariant {
        name: "english",
        title: "English draughts",
        aliases: &[
            "Checkers",
            "American checkers",
            "Anglo-American",
            "Anglo-American checkers",
            "Draughts",
            "Straight checkers",
            "English checkers",
        ],
        game_type: Some(21),
        tag: tag(NUMBERS, 1, false),
        result_order: ResultOrder::BlackFirst,
        guess: DetectionRule::at(8, 10),
        source: "ACF (WCDF), Rules of Checkers, 1.1 to 1.20",
        ..kind(ENGLISH)
    },
    DraughtsVariant {
        name: "italian",
        title: "Italian draughts",
        aliases: &["Dama italiana", "Italy", "Italian checkers"],
        game_type: Some(22),
        tag: tag(NUMBERS, 2, true),
        guess: DetectionRule::at(10, 9),
        source: "FID, Regolamento tecnico, capo I (2008), articles 2 to 6",
        ..kind(ITALIAN)
    },
    DraughtsVariant {
        name: "pool",
        title: "American pool checkers",
        aliases: &["American pool", "Pool checkers", "Pool draughts"],
        game_type: Some(23),
        tag: tag(NUMBERS, 1, false),
        guess: DetectionRule::at(11, 12),
        source: "APCA, Tournament Rules of Play, rules 1 to 23",
        ..kind(POOL)
    },
    DraughtsVariant {
        name: "poolunified",
        title: "Pool checkers (unified)",
        aliases: &["Unified pool", "Zimbabwe", "Zimbabwean pool checkers"],
        game_type: Some(23),
        is_default_of_type: false,
        tag: tag(LETTERS, 0, false),
        source: "PDN 3.0, GameType 23: the rules of American pool, White first",
        ..kind(DraughtsRules {
            first: WHITE,
            ..POOL
        })
    },
    DraughtsVariant {
        name: "jamaican",
        title: "Jamaican draughts",
        aliases: &["Jamaica"],
        game_type: Some(23),
        is_default_of_type: false,
        tag: tag(LETTERS, 1, true),
        source: "PDN 3.0, GameType 23 (Black first since 13 April 2026): the rules of American pool",
        ..kind(POOL)
    },
    DraughtsVariant {
        name: "spanish",
        title: "Spanish draughts",
        aliases: &["Damas", "Damas españolas", "Spain", "Spanish checkers"],
        game_type: Some(24),
        tag: tag(NUMBERS, 1, true),
        guess: DetectionRule::at(12, 11),
        source: "Federação Portuguesa de Damas, Damas Clássicas; dctl rules/spanish",
        ..kind(SPANISH)
    },
    DraughtsVariant {
        name: "russian",
        title: "Russian draughts",
        aliases: &["Shashki", "Russia", "Russkie shashki", "Russian checkers"],
        game_type: Some(25),
        tag: tag(LETTERS, 0, false),
        capture_separator: ':',
        guess: DetectionRule::at(5, 6),
        source: "Code of draughts of Russia (2004), 1.4 and 1.5",
        ..kind(RUSSIAN)
    },
    DraughtsVariant {
        name: "brazilian",
        title: "Brazilian draughts",
        aliases: &["Brazil", "Draughts-64", "Brazilian checkers"],
        game_type: Some(26),
        tag: tag(LETTERS, 0, false),
        guess: DetectionRule::at(6, 4),
        source: "the rules of international draughts on 8x8 (dctl rules/international)",
        ..kind(DraughtsRules {
            board: DraughtsBoard::Half8,
            rows: 3,
            ..INTERNATIONAL
        })
    },
    DraughtsVariant {
        name: "canadian",
        title: "Canadian draughts",
        aliases: &["Canada", "12x12", "Canadian checkers"],
        game_type: Some(27),
        results: Results::International,
        guess: DetectionRule::at(3, 3),
        source: "the rules of international draughts on 12x12 (dctl rules/international)",
        ..kind(DraughtsRules {
            board: DraughtsBoard::Half12,
            rows: 5,
            ..INTERNATIONAL
        })
    },
    DraughtsVariant {
        name: "portuguese",
        title: "Portuguese draughts",
        aliases: &["Damas clássicas", "Portugal"],
        game_type: Some(28),
        tag: tag(NUMBERS, 1, true),
        source: "Federação Portuguesa de Damas, Damas Clássicas, 2.1",
        ..kind(SPANISH)
    },
    DraughtsVariant {
        name: "czech",
        title: "Czech draughts",
        aliases: &["Česká dáma", "Czechia", "Ceska dama", "Czech checkers"],
        game_type: Some(29),
        tag: tag(LETTERS, 0, false),
        guess: DetectionRule::at(7, 5),
        source: "Czech rules (damweb.cz), 2.1 to 4.14",
        ..kind(CZECH)
    },
    DraughtsVariant {
        name: "turkish",
        title: "Turkish draughts",
        aliases: &["Turkey", "Turk damasi", "Türk daması", "Turkish checkers"],
        game_type: Some(30),
        tag: tag(LETTERS, 0, false),
        guess: DetectionRule::at(9, 8),
        source: "as played by kish 1.1.7, pydraughts 0.6.7 and hcheckers",
        ..kind(TURKISH)
    },
    DraughtsVariant {
        name: "thai",
        title: "Thai draughts",
        aliases: &["Makhos", "Mak hot", "Thailand", "Thai checkers"],
        game_type: Some(31),
        capture_separator: '-',
        guess: DetectionRule::at(13, 13),
        source: "dctl rules/thai; eight men as in PDN 3.0 and on PlayOK",
        ..kind(THAI)
    },
    DraughtsVariant {
        name: "frisian",
        title: "Frisian draughts",
        aliases: &["Frysk dammen", "Fries dammen", "Frisian checkers"],
        game_type: Some(40),
        guess: DetectionRule::at(2, 2),
        source: "friesdammen.nl; dctl rules/frisian, lidraughts",
        ..kind(FRISIAN)
    },
    DraughtsVariant {
        name: "spantsiretti",
        title: "Spantsiretti draughts",
        aliases: &["Spantsireti", "10x8"],
        game_type: Some(41),
        tag: tag(LETTERS, 0, false),
        capture_separator: ':',
        guess: DetectionRule::at(4, 7),
        source: "the Russian code on 10x8 (hcheckers); PDN 3.0, GameType 41",
        ..kind(DraughtsRules {
            board: DraughtsBoard::Half10x8,
            ..RUSSIAN
        })
    },
    DraughtsVariant {
        name: "breakthrough",
        title: "Breakthrough",
        aliases: &["Breakthrough draughts"],
        game_type: Some(96),
        results: Results::International,
        source: "lidraughts.org/variant/breakthrough",
        ..kind(DraughtsRules {
            goal: DraughtsGoal::FirstKing,
            ..INTERNATIONAL
        })
    },
    DraughtsVariant {
        name: "frysk",
        title: "Frysk!",
        aliases: &["Frysk"],
        game_type: Some(97),
        source: "lidraughts.org/variant/frysk",
        ..kind(DraughtsRules { rows: 1, ..FRISIAN })
    },
    DraughtsVariant {
        name: "antidraughts",
        title: "Antidraughts",
        aliases: &["Anti", "Losing draughts", "Giveaway"],
        game_type: Some(98),
        results: Results::International,
        source: "lidraughts.org/variant/antidraughts",
        ..kind(DraughtsRules {
            goal: DraughtsGoal::Lose,
            ..INTERNATIONAL
        })
    },
    DraughtsVariant {
        name: "killer",
        title: "Killer draughts",
        aliases: &["Killer"],
        results: Results::International,
        source: "mindsports.nl, Killer Draughts; dctl rules/killer",
        ..kind(DraughtsRules {
            landing: Landing::BehindLastKing,
            ..INTERNATIONAL
        })
    },
    DraughtsVariant {
        name: "armenian",
        title: "Armenian draughts (Tama)",
        aliases: &["Tama", "Armenian"],
        tag: tag(LETTERS, 0, false),
        source: "hcheckers (its variant 44)",
        ..kind(DraughtsRules {
            men_move: Directions::FORWARD_HALF,
            kings_move: Directions::ALL,
            promotion: Promotion::Continue,
            ..TURKISH
        })
    },
];
