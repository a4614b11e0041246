//! Tables of what the code knows: diagnostics, languages, kinds of draughts, variants.

use std::collections::BTreeSet;

use plydex::{
    base::diagnostic::{Code, Severity},
    games::{
        chess::notation::fen,
        draughts::{
            rows::{self, DraughtsVariant},
            rules::{
                Directions, DraughtsBoard, DraughtsGoal, Landing, Priority, Promotion, Reach,
                Removal, WHITE,
            },
        },
        notation::letters::LANGUAGES,
        variant::{ALL, Rules, Variant},
    },
};

use super::{Document, MEND, markdown, names, session::Session, writing};

/// Every code stands in docs/diagnostics.md with its severity and message, and no other.
#[test]
fn diagnostics_are_documented() {
    let mut document = Document::open("docs/diagnostics.md");
    let mut documented = BTreeSet::new();
    for table in markdown::tables(&document.lines) {
        if table.columns[0] != "code" {
            continue;
        }
        for (row, cells) in table.rows.iter().enumerate() {
            let line = table.line(row);
            let word = cells[0].trim_matches('`');
            let Some(code) = Code::ALL.iter().find(|code| code.as_str() == word) else {
                document.wrong(line, format!("no code `{word}`"));
                continue;
            };
            documented.insert(word.to_owned());
            let (severity, message) = (code.severity().as_str(), code.message());
            let there = format!("| `{word}` | {severity} | {message} |");
            if document.lines[line] != there {
                if writing() {
                    document.replace(line..line + 1, vec![there]);
                } else {
                    document.wrong(line, format!("the code has `{there}`; {MEND}"));
                }
            }
        }
    }
    for code in Code::ALL {
        if !documented.contains(code.as_str()) {
            document.wrong(0, format!("no row for `{}`", code.as_str()));
        }
    }
    let severities = [Severity::Note, Severity::Warning, Severity::Error].map(Severity::as_str);
    let tables = markdown::tables(&document.lines);
    let rows: Vec<&str> = tables[0]
        .rows
        .iter()
        .map(|cells| cells[0].as_str())
        .collect();
    assert_eq!(
        rows, severities,
        "docs/diagnostics.md begins with the severities"
    );
    document.close();
}

#[test]
fn languages_are_documented() {
    let rows: Vec<Vec<String>> = LANGUAGES
        .iter()
        .map(|language| {
            let code = format!("`{}`", language.code);
            vec![code, language.name.to_owned(), language.letters.join(" ")]
        })
        .collect();
    let mut document = Document::open("docs/forsyth.md");
    document.made("languages", &["code", "language", "letters"], &rows);
    document.close();
    for name in ["docs/languages.md", "docs/forsyth.md"] {
        let mut document = Document::open(name);
        for table in markdown::tables(&document.lines) {
            for (row, cells) in table.rows.iter().enumerate() {
                let Some((language, code)) = cells[0].split_once(" (`") else {
                    continue;
                };
                // `English (problems) (`en-problem`)` has two parentheses.
                let code = code.trim_end_matches("`)");
                let is_there = |row: &plydex::games::notation::letters::Language| {
                    (row.name, row.code) == (language, code)
                };
                if !LANGUAGES.iter().any(is_there) {
                    document.wrong(table.line(row), format!("no language {language} ({code})"));
                }
            }
        }
        document.close();
    }
}

#[test]
fn numbers_of_languages_and_kinds_are_right() {
    for name in names() {
        let mut document = Document::open(&name);
        for line in 0..document.lines.len() {
            let text = document.lines[line].clone();
            for (what, right) in [
                (" languages", LANGUAGES.len()),
                (" kinds of draughts", rows::ALL.len()),
            ] {
                let Some(at) = text.find(what) else { continue };
                let said = text[..at]
                    .rsplit(' ')
                    .next()
                    .and_then(|word| word.parse().ok());
                if said.is_some_and(|said: usize| said != right) {
                    document.wrong(line, format!("there are {right}{what}"));
                }
            }
        }
        document.close();
    }
}

/// Directions in words; `of_men` is seen by the side that moves.
fn directions(directions: Directions) -> &'static str {
    match directions {
        Directions::FORWARD => "forward",
        Directions::DIAGONAL => "forward, back",
        Directions::ORTHOGONAL => "along rows and columns",
        Directions::FORWARD_SIDEWAYS => "forward, sideways",
        Directions::FORWARD_HALF => "5 ways ahead",
        Directions::ALL => "8 ways",
        other => panic!("{other:?} has no words in {}", file!()),
    }
}

/// A kind of draughts as a row of the table.
fn draughts_row(kind: &DraughtsVariant, game_type: &str) -> Vec<String> {
    let rules = &kind.rules;
    let board = match rules.board {
        DraughtsBoard::Full8 => "8x8, all squares".to_owned(),
        _ => format!("{}x{}", kind.rules.board.width(), kind.rules.board.height()),
    };
    let rows = match (rules.rows, rules.gap) {
        (1, 0) => "1 row".to_owned(),
        (rows, 0) => format!("{rows} rows"),
        (rows, gap) => format!("rows {} to {}", gap + 1, gap + rows),
    };
    let mut captures = directions(rules.men_capture).to_owned();
    if !rules.men_take_kings {
        captures += ", never kings";
    }
    let mut king = vec![match rules.reach {
        Reach::Short => "short".to_owned(),
        Reach::Flying => "flying".to_owned(),
    }];
    match (rules.reach, rules.landing) {
        (Reach::Short, _) | (_, Landing::Any) => {}
        (_, Landing::Behind) => king.push("lands directly behind".to_owned()),
        (_, Landing::BehindLastKing) => {
            king.push("lands directly behind a king taken last".to_owned());
        }
    }
    let (moves, captures_to) = (rules.kings_move, rules.kings_capture);
    if moves == captures_to && moves != Directions::DIAGONAL {
        king.push(directions(moves).to_owned());
    } else {
        for (word, ways) in [("moves", moves), ("captures", captures_to)] {
            if ways != Directions::DIAGONAL {
                king.push(format!("{word} {}", directions(ways)));
            }
        }
    }
    let choice = match rules.priority {
        Priority::Free => "free".to_owned(),
        Priority::Most => "most".to_owned(),
        Priority::MostThenKings => "most, then kings".to_owned(),
        Priority::Italian => "Italian".to_owned(),
        Priority::Value { man, king } => format!("value, {man} and {king}"),
        Priority::WithKing => "with a king".to_owned(),
    };
    let last_row = match rules.promotion {
        Promotion::Pass => "pass",
        Promotion::Stop => "stop",
        Promotion::Continue => "continue",
    };
    let removal = match (rules.removal, rules.may_reverse) {
        (Removal::After, _) => "after",
        (Removal::AtOnce, false) => "at once",
        (Removal::AtOnce, true) => "at once, may turn back",
    };
    let goal = match rules.goal {
        DraughtsGoal::Usual => "usual",
        DraughtsGoal::Lose => "who cannot move wins",
        DraughtsGoal::FirstKing => "first king wins",
    };
    vec![
        kind.name.to_owned(),
        game_type.to_owned(),
        board,
        rows,
        if rules.first == WHITE {
            "White"
        } else {
            "Black"
        }
        .to_owned(),
        captures,
        king.join(", "),
        choice,
        last_row.to_owned(),
        removal.to_owned(),
        goal.to_owned(),
    ]
}

#[test]
fn kinds_of_draughts_are_documented() {
    let listed = Session::empty().json("variants");
    let game_type = |name: &str| -> String {
        let all = listed.as_array().expect("an array");
        let kind = all
            .iter()
            .find(|kind| kind["name"] == name)
            .expect("a kind");
        match kind["game_type_tag"].as_str().expect("a text") {
            "" => kind["game_type"]
                .as_u64()
                .map_or("none".to_owned(), |number| number.to_string()),
            tag => format!("`{tag}`"),
        }
    };
    let rows: Vec<Vec<String>> = rows::ALL
        .iter()
        .map(|kind| draughts_row(kind, &game_type(kind.name)))
        .collect();
    let columns = [
        "name",
        "GameType",
        "board",
        "men",
        "starts",
        "men capture",
        "king",
        "choice",
        "last row",
        "removal",
        "goal",
    ];
    let mut document = Document::open("docs/draughts.md");
    document.made("kinds of draughts", &columns, &rows);
    document.close();
}

/// The games that plydex plays are in the table of docs/variants.md, all others in its list
/// of what is kept as text.
#[test]
fn variants_are_documented() {
    let mut document = Document::open("docs/variants.md");
    let named = |text: &str| -> BTreeSet<&str> {
        let words = text
            .split([',', '\n'])
            .map(|word| word.trim().trim_start_matches("and "));
        words
            .filter_map(Variant::named)
            .map(|variant| variant.name)
            .collect()
    };
    let tables = markdown::tables(&document.lines);
    let table = tables
        .iter()
        .find(|table| table.columns[0] == "game")
        .expect("a table");
    let played: BTreeSet<&str> = table
        .rows
        .iter()
        .flat_map(|cells| named(&cells[0]))
        .collect();
    let text = &document.lines[markdown::section(&document.lines, "What is kept as text")];
    let kept = named(
        text[1..]
            .join(" ")
            .split(" are ")
            .next()
            .unwrap_or_default(),
    );
    for variant in &ALL {
        let (is_played, is_kept) = (played.contains(variant.name), kept.contains(variant.name));
        let expected = match variant.rules {
            Rules::Draughts(_) => (false, false),
            Rules::None => (false, true),
            _ => (true, false),
        };
        if (is_played, is_kept) != expected {
            let place = if expected.0 {
                "the table"
            } else {
                "what is kept as text"
            };
            document.wrong(
                table.lines.start,
                format!("{} belongs to {place} alone", variant.title),
            );
        }
    }
    let count: usize = table
        .rows
        .iter()
        .map(|cells| cells[0].split(',').count())
        .sum();
    if count != played.len() {
        document.wrong(
            table.lines.start,
            "a game in the table is not in the registry",
        );
    }
    document.close();
}

/// A FEN for each reason to refuse one. (`too-many-moves` guards a list that no board with
/// one king of each side fills.)
const REFUSED: &[(&str, &str)] = &[
    ("empty", ""),
    ("rank-count", "8/8/8 w - - 0 1"),
    ("bad-char", "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1"),
    ("rank-width", "4k3/8/8/7/8/8/8/4K3 w - - 0 1"),
    ("pocket-not-allowed", "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1"),
    ("turn", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"),
    ("castling", "4k3/8/8/8/8/8/8/4K3 w z - 0 1"),
    ("ep", "4k3/8/8/8/8/8/8/4K3 w - z9 0 1"),
    ("halfmove", "4k3/8/8/8/8/8/8/4K3 w - - x 1"),
    ("fullmove", "4k3/8/8/8/8/8/8/4K3 w - - 0 x"),
    ("extra-fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2"),
    ("kings", "8/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("pawn-backrank", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("opposite-check", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"),
];

#[test]
fn what_is_repaired_and_refused_of_a_fen_is_documented() {
    let mut document = Document::open("docs/reading-fen.md");
    let mut refused: BTreeSet<&str> = BTreeSet::new();
    for (word, text) in REFUSED {
        let read = fen::read_position(text).map(|_| ());
        assert_eq!(read.map_err(|error| error.word()), Err(*word), "{text}");
        refused.insert(word);
    }
    for table in markdown::tables(&document.lines) {
        for (row, cells) in table.rows.iter().enumerate() {
            for word in markdown::code(&cells[0]) {
                let is_known = match table.columns[0].as_str() {
                    "code" => Code::ALL.iter().any(|code| code.as_str() == word),
                    "word" => refused.remove(word),
                    _ => true,
                };
                if !is_known {
                    document.wrong(table.line(row), format!("`{word}` is not there"));
                }
            }
        }
    }
    if !refused.is_empty() {
        document.wrong(0, format!("no row for what is refused as {refused:?}"));
    }
    document.close();
}
