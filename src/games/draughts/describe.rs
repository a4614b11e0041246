//! The rules of a kind of draughts in words.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{
    Draughts, export,
    notation::fen as draughts_fen,
    rows::DraughtsVariant,
    rules::{
        BLACK, Directions, DraughtsGoal, DraughtsPosition, Landing, Priority, Promotion, Reach,
        Removal,
    },
};
use crate::games::{ResultOrder, Results, VariantDescription};

/// The corners, as White sees them.
pub(super) const CORNERS: [&str; 4] = ["bottom left", "bottom right", "top left", "top right"];
/// The same of the square a1.
pub(super) const A1_CORNERS: [&str; 4] = [
    "a1 bottom left",
    "a1 bottom right",
    "a1 top left",
    "a1 top right",
];

/// The facts of a kind.
pub(super) fn facts(row: &'static DraughtsVariant) -> VariantDescription {
    let board = row.rules.board;
    VariantDescription {
        family: "draughts",
        family_title: "Draughts",
        game_type: row
            .game_type
            .map_or_else(String::new, |number| number.to_string()),
        board: format!("{}x{}", board.width(), board.height()),
        aside: ("Squares", squares(row)),
        start: format!("{} men a side, {} first", men(row), first(row)),
        words: words(row),
        json: for_programs(row),
    }
}

fn for_programs(row: &'static DraughtsVariant) -> Value {
    let board = row.rules.board;
    let rules: Map<String, Value> = rules_in_words(row)
        .into_iter()
        .map(|(name, text)| (name.to_lowercase(), text.into()))
        .collect();
    json!({
        "name": row.name,
        "title": row.title,
        "family": "draughts",
        "aliases": row.aliases,
        "game_type": row.game_type,
        "game_type_tag": tag_of(row),
        "board": {
            "width": board.width(),
            "height": board.height(),
            "squares": board.square_count(),
        },
        "first": first(row).to_lowercase(),
        "men": men(row),
        "start_fen": start_fen(row),
        "capture_separator": row.capture_separator.to_string(),
        "moves": "known",
        "rules": rules,
        "source": row.source,
    })
}

fn words(variant: &'static DraughtsVariant) -> Vec<(&'static str, String)> {
    let mut words = vec![
        ("Name", variant.name.to_owned()),
        ("Also", variant.aliases.join(", ")),
        ("GameType", tag_of(variant)),
        ("Board", board(variant)),
        ("Start", start(variant)),
    ];
    words.extend(rules_in_words(variant));
    words.push(("Results", results(variant)));
    words.push(("Notation", notation(variant)));
    words.push(("FEN", short_start_fen(variant)));
    words.push(("Source", variant.source.to_owned()));
    words
}

/// What the `GameType` tag says in full.
fn tag_of(variant: &'static DraughtsVariant) -> String {
    export::game_type_of(&Draughts::start(variant), variant.numbering()).unwrap_or_default()
}

fn board(variant: &DraughtsVariant) -> String {
    let board = variant.rules.board;
    let count = board.square_count();
    let played = if board.is_full() {
        "all squares used".to_owned()
    } else if variant.tag.inverted {
        format!("{count} squares used, not the corner at White's left")
    } else {
        format!("{count} squares used")
    };
    let names = if variant.tag.letters {
        squares(variant)
    } else {
        let corner = CORNERS[usize::from(variant.numbering().number_corner() & 3)];
        let squares = squares(variant);
        format!("numbered {squares} from the {corner}, seen by White")
    };
    format!("{}x{}, {played}, {names}", board.width(), board.height())
}

/// The names of the first and of the last square.
fn squares(variant: &DraughtsVariant) -> String {
    let board = variant.rules.board;
    if variant.tag.letters {
        let file = char::from(b'a' + board.width() - 1);
        format!("a1 to {file}{}", board.height())
    } else {
        format!("1 to {}", board.square_count())
    }
}

fn start(variant: &DraughtsVariant) -> String {
    let rows = match (variant.rules.rows, variant.rules.gap) {
        (1, 0) => "1 row".to_owned(),
        (rows, 0) => format!("{rows} rows"),
        (rows, _) => format!("{rows} rows, the last row empty"),
    };
    format!(
        "{} men a side on {rows}; {} moves first",
        men(variant),
        first(variant)
    )
}

fn men(variant: &DraughtsVariant) -> u32 {
    DraughtsPosition::start(&variant.rules).men(0).count_ones()
}

const fn first(variant: &DraughtsVariant) -> &'static str {
    if variant.rules.first == BLACK {
        "Black"
    } else {
        "White"
    }
}

fn start_fen(variant: &DraughtsVariant) -> String {
    draughts_fen::write(
        &DraughtsPosition::start(&variant.rules),
        variant.numbering(),
    )
}

/// Men, kings, captures and the end, each in a sentence.
fn rules_in_words(variant: &DraughtsVariant) -> Vec<(&'static str, String)> {
    let rules = &variant.rules;
    let mut men = format!(
        "move {}, capture {}",
        ways(rules.men_move),
        ways(rules.men_capture)
    );
    if !rules.men_take_kings {
        men.push_str("; they may not take kings");
    }
    let reach = match (rules.reach, rules.landing) {
        (Reach::Short, _) => "one square",
        (Reach::Flying, Landing::Any) => "any distance",
        (Reach::Flying, Landing::Behind) => {
            "any distance, landing directly behind the captured piece"
        }
        (Reach::Flying, Landing::BehindLastKing) => {
            "any distance, landing directly behind a king taken last"
        }
    };
    let go = ways(rules.kings_move);
    let kings = if rules.kings_move == rules.kings_capture {
        format!("move and capture {go}, {reach}")
    } else {
        let capture = ways(rules.kings_capture);
        format!("move {go}, capture {capture}, {reach}")
    };
    let choice: Cow<'_, str> = match rules.priority {
        Priority::Free => "any capture may be chosen, but must be completed".into(),
        Priority::Most => "the most pieces must be taken".into(),
        Priority::MostThenKings => "the most pieces must be taken, then the most kings".into(),
        Priority::Italian => {
            "the most pieces must be taken, then with a king, then the most kings, then a king as early as possible".into()
        }
        Priority::Value { man, king } => format!(
            "the greatest value must be taken (a man {man}, a king {king}), with a king if values are equal"
        )
        .into(),
        Priority::WithKing => "with a king if possible, else any".into(),
    };
    let promotion = match rules.promotion {
        Promotion::Pass => {
            "a man that ends its move on the last row; passing over it does not count"
        }
        Promotion::Stop => "a man that reaches the last row, where its move ends",
        Promotion::Continue => "a man that reaches the last row; it continues to capture as a king",
    };
    let removal = match rules.removal {
        Removal::After => "captured pieces are removed after the move and may not be jumped twice",
        Removal::AtOnce if rules.may_reverse => {
            "each captured piece is removed at once; a capture may turn back on its line"
        }
        Removal::AtOnce => {
            "each captured piece is removed at once; a capture may not turn back on its line"
        }
    };
    let goal = match rules.goal {
        DraughtsGoal::Usual => "a player who cannot move loses",
        DraughtsGoal::Lose => "a player who cannot move wins",
        DraughtsGoal::FirstKing => {
            "the first player to get a king wins; a player who cannot move loses"
        }
    };
    vec![
        ("Men", men),
        ("Kings", kings),
        ("Captures", format!("compulsory; {choice}")),
        ("Crowned", promotion.to_owned()),
        ("Removal", removal.to_owned()),
        ("Goal", goal.to_owned()),
    ]
}

fn ways(directions: Directions) -> &'static str {
    match directions {
        Directions::FORWARD => "diagonally forward",
        Directions::DIAGONAL => "diagonally, forward and backward",
        Directions::ORTHOGONAL => "along rows and columns",
        Directions::FORWARD_SIDEWAYS => "straight forward and sideways",
        Directions::FORWARD_HALF => "forward, diagonally forward and sideways",
        _ => "in all eight directions",
    }
}

fn results(variant: &DraughtsVariant) -> String {
    let (written, draw, lost) = match variant.results {
        Results::Default => ("1-0", "1/2-1/2", "0-1"),
        Results::International => ("2-0", "1-1", "0-2"),
    };
    let winner = match variant.result_order {
        ResultOrder::WhiteFirst => "White",
        ResultOrder::BlackFirst => "Black",
    };
    format!("{written} ({winner} has won), {draw}, {lost}")
}

/// How moves look.
fn notation(variant: &DraughtsVariant) -> String {
    let mark = variant.capture_separator;
    if variant.tag.letters {
        format!("c3-d4, captures c3{mark}e5")
    } else {
        format!("22-18, captures 22{mark}15")
    }
}

/// The start position with ranges of numbers, which is short enough to read.
fn short_start_fen(variant: &DraughtsVariant) -> String {
    let fen = start_fen(variant);
    if variant.tag.letters {
        return fen;
    }
    let fields = fen.split(':').map(|field| {
        let numbers: Vec<u8> = field
            .trim_start_matches(['W', 'B'])
            .split(',')
            .filter_map(|number| number.parse().ok())
            .collect();
        match numbers[..] {
            // The men of a side stand on neighbouring squares.
            [first, .., last] => format!("{}{first}-{last}", &field[..1]),
            _ => field.to_owned(),
        }
    });
    fields.collect::<Vec<_>>().join(":")
}
