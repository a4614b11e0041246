//! docs/values.md and the reference tables of spellings say what the readers make of them.

use plydex::{
    base::{diagnostic::Code, limits, record::Outcome},
    pgn::tags::{
        date, elo, result,
        time_control::{self, SpeedClass},
    },
};

use super::{Document, markdown};

#[test]
fn dates_are_read_as_the_table_has_it() {
    let mut document = Document::open("docs/values.md");
    let tables = markdown::tables(&document.lines);
    let table = tables
        .iter()
        .find(|table| table.is_below("Dates"))
        .expect("a table");
    for (row, cells) in table.rows.iter().enumerate() {
        let mut written = markdown::code(&cells[0]);
        if cells[0].contains("empty") {
            written.push("");
        }
        let (expected, code) = match cells[1].split_once(", ") {
            Some((date, code)) => (date, markdown::code(code).first().copied()),
            None => (cells[1].as_str(), None),
        };
        let expected = if expected == "unknown" { "" } else { expected };
        for text in written {
            let (date, finding) = date::parse(text.as_bytes());
            let read = (date.iso_prefix(), finding.map(Code::as_str));
            if read != (expected.to_owned(), code) {
                document.wrong(table.line(row), format!("`{text}` is read as {read:?}"));
            }
        }
    }
    document.close();
}

#[test]
fn ratings_are_read_as_the_text_has_it() {
    let document = Document::open("docs/values.md");
    let lines = markdown::section(&document.lines, "Ratings");
    let text = document.lines[lines].join(" ");
    for (written, read) in [
        ("1500?", Some(1500)),
        ("2400P", Some(2400)),
        ("2500.5", Some(2500)),
        ("0", None),
        ("-", None),
        ("?", None),
    ] {
        assert!(
            text.contains(&format!("`{written}`")),
            "docs/values.md: nothing about `{written}`"
        );
        assert_eq!(elo::parse(written.as_bytes()), read, "{written}");
    }
    assert!(
        text.contains("1 to 5000"),
        "docs/values.md: which ratings count"
    );
    assert_eq!(
        [0, 1, 5000, 5001].map(|n: u16| elo::parse(n.to_string().as_bytes()).is_some()),
        [false, true, true, false]
    );
}

#[test]
fn results_are_read_as_the_table_has_it() {
    let mut document = Document::open("docs/values.md");
    let tables = markdown::tables(&document.lines);
    let table = tables
        .iter()
        .find(|table| table.is_below("Results"))
        .expect("a table");
    let mut seen = Vec::new();
    for (row, cells) in table.rows.iter().enumerate() {
        let result = markdown::code(&cells[0])[0].to_owned();
        let outcome = match result.as_str() {
            "1-0" => Outcome::First,
            "0-1" => Outcome::Second,
            "1/2-1/2" => Outcome::Draw,
            _ => Outcome::Unknown,
        };
        for text in markdown::code(&cells[1]) {
            if result::parse_marker(text.as_bytes()) != Some(outcome) {
                document.wrong(
                    table.line(row),
                    format!("`{text}` is not read as `{result}`"),
                );
            }
        }
        seen.push(result);
    }
    if seen != ["1-0", "0-1", "1/2-1/2", "*"] {
        document.wrong(table.lines.start, "the rows are those of the four results");
    }
    let words = markdown::section(&document.lines, "Results");
    let words = document.lines[words].join(" ");
    for word in ["draw", "drawn", "White wins", "Black won", "?"] {
        assert!(
            words.contains(&format!("`{word}`")),
            "docs/values.md: nothing about `{word}`"
        );
        assert!(
            result::parse_tag(word.as_bytes()).is_some(),
            "{word} in a tag"
        );
        assert!(
            result::parse_marker(word.as_bytes()).is_none(),
            "{word} in movetext"
        );
    }
    document.close();
}

#[test]
fn classes_of_time_controls_begin_where_the_table_has_it() {
    let mut document = Document::open("docs/values.md");
    let tables = markdown::tables(&document.lines);
    let table = tables
        .iter()
        .find(|table| table.columns[0] == "class")
        .expect("a table");
    let class = |seconds: u32| time_control::parse(seconds.to_string().as_bytes()).class();
    let number = |text: &str| -> Option<u32> { text.split(' ').find_map(|word| word.parse().ok()) };
    for (row, cells) in table.rows.iter().enumerate() {
        let expected = match cells[0].as_str() {
            "ultrabullet" => SpeedClass::UltraBullet,
            "bullet" => SpeedClass::Bullet,
            "blitz" => SpeedClass::Blitz,
            "rapid" => SpeedClass::Rapid,
            "classical" => SpeedClass::Classical,
            "correspondence" => {
                let read = time_control::parse(b"1/43200").class();
                let less = time_control::parse(b"1/43199").class();
                assert_eq!(read, Some(SpeedClass::Correspondence));
                assert_ne!(less, Some(SpeedClass::Correspondence));
                continue;
            }
            other => {
                document.wrong(table.line(row), format!("no class `{other}`"));
                continue;
            }
        };
        let bound = number(&cells[1]).expect("seconds");
        let read = if cells[1].starts_with("below") {
            [class(bound - 1), class(bound)]
        } else {
            [class(bound), class(bound - 1)]
        };
        if read[0] != Some(expected) || read[1] == Some(expected) {
            document.wrong(table.line(row), format!("not the bound of {expected:?}"));
        }
    }
    assert_eq!(table.rows.len(), 6, "docs/values.md has all classes");
    document.close();
}

/// The limits of docs/sources.md are those of the code.
#[test]
fn limits_are_documented() {
    let bytes = |bytes: usize| format!("{} MiB", bytes >> 20);
    let count = |number: usize| {
        let digits = number.to_string();
        let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
        String::from_utf8(groups.join(&b',')).expect("digits")
    };
    let expected = [
        bytes(limits::GAME_BYTES_MAX),
        format!(
            "{}, with {} of values",
            count(limits::TAGS_PER_GAME_MAX),
            bytes(limits::TAGS_BYTES_MAX)
        ),
        count(limits::ANNOTATIONS_PER_GAME_MAX),
        count(limits::ITEMS_PER_GAME_MAX),
        bytes(limits::ANNOTATION_BYTES_MAX),
    ];
    let mut document = Document::open("docs/sources.md");
    let tables = markdown::tables(&document.lines);
    let table = tables
        .iter()
        .find(|table| table.columns[0] == "of one game")
        .expect("a table");
    let documented: Vec<&String> = table.rows.iter().map(|cells| &cells[1]).collect();
    if documented != expected.iter().collect::<Vec<_>>() {
        document.wrong(table.lines.start, format!("the limits are {expected:?}"));
    }
    document.close();
}
