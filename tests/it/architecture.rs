//! The arrows between the rooms of `src`, as a test: who may look into whom,
//! who may name which crate, how long a file may be.
//!
//! Comments, texts in quotes and the tests inside `src` are not looked at.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use crate::support::root;

/// Room → rooms it may look into. Everything else is forbidden.
const ARROWS: &[(&str, &[&str])] = &[
    // Leaves: facts and words that everybody may use.
    ("lex", &[]),
    ("limits", &[]),
    ("diagnostic", &[]),
    ("record", &[]),
    ("shown", &[]),
    // Bytes come in and become tokens, then games. Nobody here knows a rule.
    ("observe", &["diagnostic"]),
    // Pipes, terminals and sockets, which all who read or write must not become deaf at.
    ("wait", &["observe"]),
    ("source", &["limits", "observe", "shown", "wait"]),
    ("parse", &["lex", "diagnostic", "limits"]),
    ("tags", &["record", "diagnostic"]),
    // Records in other notations become PGN, which alone is parsed.
    (
        "transcribe",
        &[
            "composition",
            "diagnostic",
            "lex",
            "notation",
            "source",
            "games",
        ],
    ),
    // Chess problems, whatever they were written in, and back from stored games.
    (
        "composition",
        &["diagnostic", "notation", "parse", "record", "games"],
    ),
    ("pgn", &["record", "tags"]),
    ("notation", &["games", "diagnostic"]),
    ("key", &[]),
    // What a game is, and the one reader of its movetext.
    (
        "games",
        &[
            "diagnostic",
            "key",
            "limits",
            "notation",
            "observe",
            "parse",
            "record",
            "tags",
        ],
    ),
    // What people type for a position, of any game.
    ("typed", &["diagnostic", "games", "notation", "parse"]),
    // The index sees games in motion, never tokens, SQL or files.
    ("index", &["games"]),
    (
        "store",
        &[
            "index", "key", "limits", "observe", "record", "shown", "tags",
        ],
    ),
    ("query", &["record", "games"]),
    // Games out of the store, set in motion.
    ("stored", &["index", "notation", "record", "games", "store"]),
    // The two rooms that see both ends.
    (
        "import",
        &[
            "diagnostic",
            "index",
            "limits",
            "notation",
            "observe",
            "parse",
            "record",
            "games",
            "shown",
            "source",
            "store",
            "stored",
            "tags",
            "transcribe",
        ],
    ),
    (
        "search",
        &[
            "index", "key", "notation", "observe", "query", "record", "games", "store", "stored",
            "tags",
        ],
    ),
    // The shell around it all; it has no business with bytes, tokens and blocks.
    (
        "cli",
        &[
            "composition",
            "diagnostic",
            "import",
            "notation",
            "observe",
            "pgn",
            "query",
            "record",
            "search",
            "shown",
            "store",
            "tags",
            "games",
            "typed",
            "wait",
        ],
    ),
];

/// What only some rooms may name, and why.
const RESERVED: &[(&str, &[&str], &str)] = &[
    (
        "rusqlite",
        &["store"],
        "ask the store for a typed function instead",
    ),
    (
        "logos",
        &["lex", "parse"],
        "tokens are made in lex; take them from there",
    ),
    (
        "clap",
        &["cli"],
        "the library knows no command line; take the value as a parameter",
    ),
    (
        "saphyr_parser",
        &["composition"],
        "YAML is a format of problems; read a `Composition`",
    ),
    ("indicatif", &["cli"], "send an `observe::Event` instead"),
    ("anstream", &["cli"], "return data and let cli draw it"),
    (
        "signal_hook",
        &["cli"],
        "look at `Stop`, or let an observer break",
    ),
    ("rustix", &["wait"], "wait for others by `wait::Patient`"),
    ("csv", &["cli"], "return data and let cli write it"),
    ("tempfile", &["cli"], "hand in a path or a writer"),
    (
        "unicode_width",
        &["cli"],
        "only cli knows how wide a screen is",
    ),
    ("println", &["cli"], "return data, or send an event"),
    ("print", &["cli"], "return data, or send an event"),
    (
        "eprintln",
        &["cli"],
        "report a diagnostic, or send an event",
    ),
    ("eprint", &["cli"], "report a diagnostic, or send an event"),
    ("env", &["cli"], "take the value as a parameter"),
    (
        "exit",
        &["cli"],
        "return an error; only cli ends the program",
    ),
    (
        "shakmaty",
        &[
            "rules",
            "games",
            "notation",
            "key",
            "position",
            "stored",
            "import",
            "search",
            "cli",
            "composition",
        ],
        "storage, blocks, tags and parsing serve draughts as well: keep chess out",
    ),
];

/// Words that begin SQL statements.
const SQL: &[&str] = &[
    "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "ALTER ", "DROP ", "PRAGMA ", "WITH ",
];

/// Lines a file may have.
const LINES_MAX: usize = 650;

/// Files that may be longer: tables.
const TABLES: &[&str] = &[];

/// A file of `src` with its code laid bare.
pub(crate) struct Source {
    /// Path from `src`, with slashes.
    pub(crate) name: String,
    /// `lex` for `lex/tag.rs` and `lex.rs`.
    room: String,
    /// How many modules deep it is: 1 for `lex/mod.rs`, 2 for `lex/tag.rs`.
    depth: usize,
    text: String,
    /// Without comments, quoted texts and tests; lines stay in place.
    code: String,
    /// The same with quoted texts.
    pub(crate) quoted: String,
}

pub(crate) fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let src = root().join("src");
    let mut paths = Vec::new();
    walk(&src, &mut paths);
    paths.sort();
    paths.iter().map(|path| source(&src, path)).collect()
}

fn source(src: &Path, path: &Path) -> Source {
    let parts: Vec<String> = path
        .strip_prefix(src)
        .expect("inside src")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let file = parts.last().expect("a name").as_str();
    let text = fs::read_to_string(path).expect("a source file");
    let is_test = parts.iter().any(|part| part == "tests")
        || file == "tests.rs"
        || file.ends_with("_tests.rs");
    let code = if is_test { "" } else { before_tests(&text) };
    Source {
        name: parts.join("/"),
        room: parts[0].trim_end_matches(".rs").to_owned(),
        depth: parts.len() - usize::from(file == "mod.rs"),
        code: bare(code, false),
        quoted: bare(code, true),
        text,
    }
}

/// The part of a file before its module of tests, which stands last.
fn before_tests(text: &str) -> &str {
    let end = [
        "\n#[cfg(test)]\nmod ",
        "\n#[cfg(test)]\n#[path",
        "\n#[cfg(all(test, unix))]\nmod ",
    ]
    .iter()
    .filter_map(|mark| text.find(mark))
    .min();
    &text[..end.unwrap_or(text.len())]
}

/// Blanks comments out, and the insides of quoted texts unless they are kept.
fn bare(text: &str, keep_quoted: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut last = '\n';
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                while chars.peek().is_some_and(|&c| c != '\n') {
                    chars.next();
                }
            }
            // A quote as a character: b'"' or '"'.
            '\'' if chars.peek() == Some(&'"') => {
                out.push_str("' ");
                chars.next();
            }
            '"' => {
                let raw = last == 'r' || last == '#';
                out.push('"');
                while let Some(c) = chars.next() {
                    match c {
                        '\\' if !raw => {
                            // What is escaped goes, but for the ends of lines.
                            out.extend(chars.next().filter(|&c| c == '\n'));
                        }
                        '"' => break,
                        '\n' => out.push('\n'),
                        _ if keep_quoted => out.push(c),
                        _ => {}
                    }
                }
                out.push('"');
            }
            _ => out.push(c),
        }
        last = c;
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The rooms that a piece of code looks into, each with its line.
fn rooms_seen(source: &Source) -> Vec<(usize, String)> {
    let code = &source.code;
    let mut seen = Vec::new();
    for (start, head) in code
        .match_indices("crate::")
        .chain(code.match_indices("super::"))
    {
        if code[..start].ends_with(|c: char| is_word(c) || c == '$')
            || code[..start].ends_with("super::")
        {
            continue;
        }
        let mut rest = &code[start + head.len()..];
        if head == "super::" {
            let mut up = 1;
            while let Some(further) = rest.strip_prefix("super::") {
                rest = further;
                up += 1;
            }
            if up < source.depth {
                continue;
            }
        }
        let line = code[..start].matches('\n').count() + 1;
        seen.extend(first_words(rest).into_iter().map(|room| (line, room)));
    }
    seen
}

/// The first words of a path or of each path in braces.
fn first_words(path: &str) -> Vec<String> {
    let word = |text: &str| {
        text.trim_start()
            .chars()
            .take_while(|&c| is_word(c))
            .collect::<String>()
    };
    let Some(group) = path.strip_prefix('{') else {
        return vec![word(path)];
    };
    let (mut depth, mut from, mut words) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                words.push(word(&group[from..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                words.push(word(&group[from..at]));
                from = at + 1;
            }
            _ => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn complain(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "the house has rules (ARCHITECTURE.md):\n{}",
        complaints.join("\n")
    );
}

/// What the rules of a game may see: other rules, keys, and the row of facts that they
/// go by. Never text.
#[test]
fn rules_never_see_text() {
    let mut complaints = Vec::new();
    for source in sources() {
        let is_rules = source.name.starts_with("games/") && source.name.contains("/rules/");
        let words = [
            "notation",
            "parse",
            "lex",
            "language",
            "reading",
            "diagnostic",
        ];
        for word in words {
            let named = [
                format!("::{word}::"),
                format!(" {word}::"),
                format!("::{word};"),
            ];
            if is_rules && named.iter().any(|name| source.code.contains(name)) {
                complaints.push(format!("src/{}: rules see {word}", source.name));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn rooms_look_only_where_they_may() {
    let arrows: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    let mut complaints = Vec::new();
    for source in sources() {
        let room = source.room.as_str();
        if matches!(room, "lib" | "main") {
            continue;
        }
        let Some(allowed) = arrows.get(room) else {
            complaints.push(format!(
                "src/{}: {room} is a new room: say in tests/it/architecture.rs where it may look",
                source.name
            ));
            continue;
        };
        for (line, seen) in rooms_seen(&source) {
            if seen != room && !allowed.contains(&seen.as_str()) {
                complaints.push(format!(
                    "src/{}:{line}: {room} must never look into {seen}: \
                     move what it needs to a room below both, or hand it in as a parameter",
                    source.name
                ));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn no_arrow_is_allowed_in_vain() {
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for source in sources() {
        for (_, room) in rooms_seen(&source) {
            seen.insert((source.room.clone(), room));
        }
    }
    let complaints: Vec<String> = ARROWS
        .iter()
        .flat_map(|(from, to)| to.iter().map(move |to| (*from, *to)))
        .filter(|(from, to)| !seen.contains(&((*from).to_owned(), (*to).to_owned())))
        .map(|(from, to)| format!("{from} no longer looks into {to}: take the arrow out of ARROWS"))
        .collect();
    complain(&complaints);
}

#[test]
fn crates_and_powers_stay_in_their_rooms() {
    let mut complaints = Vec::new();
    for source in sources() {
        let room = source.room.as_str();
        for (number, line) in source.code.lines().enumerate() {
            for &(word, rooms, instead) in RESERVED {
                if !rooms.contains(&room) && names(line, word) {
                    complaints.push(format!(
                        "src/{}:{}: only {} may name {word}: {instead}",
                        source.name,
                        number + 1,
                        rooms.join(", ")
                    ));
                }
            }
        }
    }
    complain(&complaints);
}

/// Whether a line names a crate (`word::`), a macro (`word!`) or `process::exit`.
fn names(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = &line[..at];
        let after = &line[at + word.len()..];
        let is_use = before.trim_end().ends_with("use") && after.starts_with(';');
        match word {
            "exit" => before.ends_with("process::"),
            "env" => before.ends_with("std::"),
            _ => {
                !before.ends_with(|c: char| is_word(c) || c == ':')
                    && (after.starts_with("::") || after.starts_with('!') || is_use)
            }
        }
    })
}

/// `BEGIN`, `COMMIT` and `ROLLBACK` say nothing about tables, so they may stand
/// where transactions are.
#[test]
fn sql_stands_in_migrations_and_statements_alone() {
    let mut complaints = Vec::new();
    for source in sources() {
        if source.name == "store/statements.rs" || source.room == "cli" {
            continue;
        }
        for (number, line) in source.quoted.lines().enumerate() {
            if SQL.iter().any(|word| line.contains(&format!("\"{word}"))) {
                complaints.push(format!(
                    "src/{}:{}: SQL outside store/statements.rs: make it a const there, \
                     list it in ALL, and give it a function in store",
                    source.name,
                    number + 1
                ));
            }
        }
    }
    complain(&complaints);
}

/// An answer that is written any other way can leave half a file, or none.
#[test]
fn files_are_written_by_way_of_an_output() {
    let mut complaints = Vec::new();
    for source in sources() {
        if source.room != "cli" || source.name.starts_with("cli/output/") {
            continue;
        }
        for (number, line) in source.code.lines().enumerate() {
            let writes = ["File::create", "File::options", "OpenOptions", "fs::write"];
            if writes.iter().any(|word| line.contains(word)) {
                complaints.push(format!(
                    "src/{}:{}: files are written in cli/output alone: open an `Output`",
                    source.name,
                    number + 1
                ));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut complaints = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > LINES_MAX && !TABLES.contains(&source.name.as_str()) {
            complaints.push(format!(
                "src/{}: {lines} lines, at most {LINES_MAX}: find the two things it does \
                 and give each a file",
                source.name
            ));
        }
        // The tests of a module are described by the module itself.
        if !source.text.starts_with("//! ") && !source.code.is_empty() {
            complaints.push(format!(
                "src/{}: begin it with `//! ` and a sentence that says what it is for",
                source.name
            ));
        }
    }
    complain(&complaints);
}

/// A file of tests that no `mod` names is never run.
#[test]
fn every_file_of_tests_is_run() {
    let folder = root().join("tests/it");
    let main = fs::read_to_string(folder.join("main.rs")).expect("main.rs");
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        // Failing tests for bugs that are known, until they are mended.
        let is_apart = name == "main" || name == "found";
        assert!(
            is_apart || main.contains(&format!("mod {name};")),
            "tests/it/{name}.rs is never run: add `mod {name};` to tests/it/main.rs"
        );
    }
}

#[test]
fn the_scanner_sees_what_it_must() {
    let source = |text: &str, depth| Source {
        name: "x/y.rs".to_owned(),
        room: "x".to_owned(),
        depth,
        code: bare(text, false),
        quoted: String::new(),
        text: text.to_owned(),
    };
    let rooms = |text: &str, depth| -> Vec<String> {
        rooms_seen(&source(text, depth))
            .into_iter()
            .map(|(_, room)| room)
            .collect()
    };
    assert_eq!(rooms("use crate::lex::Tag;", 2), ["lex"]);
    assert_eq!(
        rooms("use crate::{\n a::{B, c::D},\n e,\n};", 2),
        ["a", "e"]
    );
    assert_eq!(rooms("use super::{z, w::V};", 1), ["z", "w"]);
    assert!(rooms("use super::z; // crate::lex", 2).is_empty());
    assert_eq!(rooms("use super::super::z;", 2), ["z"]);
    assert!(rooms("let t = \"crate::lex\"; let q = b'\"';", 2).is_empty());
    assert!(names("    println!()", "println"));
    assert!(names("use rusqlite::Error;", "rusqlite"));
    assert!(!names("fn eprintln_like()", "eprintln"));
}
