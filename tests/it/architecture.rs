//! The order of the modules of `src`, as a test: who may look into whom, who may name
//! which crate, how long a file may be. Whole files are looked at, tests included;
//! only comments and quoted texts are not.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::root;

/// The modules in their order: each sees only those above it. `lib` shows them all, and
/// `main` starts the last.
const MODULES: &[&str] = &[
    "base", "input", "pgn", "games", "problems", "formats", "draw", "query", "blocks", "index",
    "store", "replay", "people", "identity", "import", "search", "reports", "changes", "database",
    "cli",
];

/// What the command line and the server never see: they use the facade.
const INTERNAL: &[&str] = &[
    "input", "blocks", "index", "store", "replay", "people", "identity", "import", "search",
    "reports", "changes",
];

/// What only some modules may name, and why.
const RESERVED: &[(&str, &[&str], &str)] = &[
    (
        "rusqlite",
        &["store/"],
        "ask the store for a typed function",
    ),
    (
        "logos",
        &["pgn/lexer/", "pgn/parser/"],
        "take tokens from the lexer",
    ),
    ("clap", &["cli/"], "take the value as a parameter"),
    ("saphyr_parser", &["problems/"], "read a `Composition`"),
    ("parquet", &["input/archive/"], "read the text made of it"),
    (
        "aix_chess_compression",
        &["input/archive/"],
        "read the text made of it",
    ),
    ("indicatif", &["cli/"], "send an `observe::Event`"),
    ("anstream", &["cli/"], "return data and let cli draw it"),
    (
        "signal_hook",
        &["cli/"],
        "look at `Stop`, or let an observer break",
    ),
    (
        "rustix",
        &["base/cancellable_io/"],
        "wait for others by `wait::Patient`",
    ),
    ("csv", &["cli/"], "return data and let cli write it"),
    (
        "tempfile",
        &[
            "base/temporary.rs",
            "cli/",
            "input/archive/",
            "replay/spill.rs",
        ],
        "hand in a path or a writer",
    ),
    (
        "unicode_width",
        &["cli/"],
        "only cli knows how wide a screen is",
    ),
    ("println", &["cli/"], "return data, or send an event"),
    ("print", &["cli/"], "return data, or send an event"),
    (
        "eprintln",
        &["cli/"],
        "report a diagnostic, or send an event",
    ),
    ("eprint", &["cli/"], "report a diagnostic, or send an event"),
    (
        "env",
        &["base/temporary.rs", "cli/"],
        "take the value as a parameter",
    ),
    (
        "exit",
        &["cli/"],
        "return an error; only cli ends the program",
    ),
    ("shakmaty", &["games/", "problems/"], "ask the game"),
];

/// Words that begin SQL statements.
const SQL: &[&str] = &[
    "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "ALTER ", "DROP ", "PRAGMA ", "WITH ",
];

/// Lines a file may have.
const LINES_MAX: usize = 650;

/// A file of `src` with its code laid bare.
pub(crate) struct Source {
    /// Path from `src`, with slashes.
    pub(crate) name: String,
    /// `store` for `store/mod.rs`, `lib` for `lib.rs`.
    module: String,
    text: String,
    /// Without comments and quoted texts; lines stay in place.
    pub(crate) code: String,
    /// The same with quoted texts.
    pub(crate) quoted: String,
    pub(crate) is_test: bool,
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
    let name = path.strip_prefix(src).expect("inside src");
    let name = name.to_string_lossy().replace('\\', "/");
    let text = fs::read_to_string(path).expect("a source file");
    Source {
        module: name
            .split('/')
            .next()
            .expect("a name")
            .trim_end_matches(".rs")
            .to_owned(),
        code: bare(&text, false),
        quoted: bare(&text, true),
        is_test: ["/tests/", "/tests.rs", "_tests.rs"]
            .iter()
            .any(|mark| name.contains(mark)),
        name,
        text,
    }
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

/// The modules that a piece of code names behind `crate::`, each with its line.
fn rooms_seen(code: &str) -> Vec<(usize, &str)> {
    let mut seen = Vec::new();
    for (start, head) in code.match_indices("crate::") {
        let rest = &code[start + head.len()..];
        let mut depth = 0;
        let mut is_first = true;
        for (at, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ if is_word(c) && is_first && depth <= 1 => {
                    let end = rest[at..].find(|c| !is_word(c)).unwrap_or(rest.len() - at);
                    let line = code[..start + head.len() + at].matches('\n').count() + 1;
                    seen.push((line, &rest[at..at + end]));
                }
                _ => {}
            }
            is_first = (is_first && c.is_whitespace()) || (depth == 1 && matches!(c, '{' | ','));
            if depth <= 0 && !is_first {
                break;
            }
        }
    }
    seen
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
    for source in sources().iter().filter(|source| !source.is_test) {
        let is_rules = source.name.starts_with("games/") && source.name.contains("/rules/");
        let words = ["notation", "pgn", "language", "reading", "diagnostic"];
        for word in words {
            let named = [
                format!("::{word}::"),
                format!(" {word}::"),
                format!("::{word};"),
            ];
            if is_rules
                && named
                    .iter()
                    .any(|name| before_tests(&source.code).contains(name))
            {
                complaints.push(format!("src/{}: rules see {word}", source.name));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn rooms_see_only_those_above_them() {
    let place = |module: &str| MODULES.iter().position(|&known| known == module);
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| source.module != "main") {
        let own = place(&source.module).or((source.module == "lib").then_some(MODULES.len()));
        let seen = rooms_seen(&source.code);
        complaints.extend(
            seen.iter()
                .filter(|seen| place(seen.1) > own)
                .map(|(line, seen)| {
                    let (name, module) = (&source.name, &source.module);
                    format!(
                        "src/{name}:{line}: {module} must never see {seen}: move what it needs up"
                    )
                }),
        );
        // By as many steps as a file is deep, a path leaves its module; in its tests by one more.
        let depth = source.name.trim_end_matches("/mod.rs").split('/').count();
        let before = before_tests(&source.code);
        let tests = &source.code[before.len()..];
        let leaves = |code: &str, depth| code.contains(&"super::".repeat(depth));
        if leaves(before, depth) || leaves(tests, depth + 1) {
            complaints.push(format!(
                "src/{}: write `crate::` for another module",
                source.name
            ));
        }
        if own.is_none() {
            complaints.push(format!(
                "src/{}: a new module: give it a place in MODULES",
                source.name
            ));
        }
    }
    complain(&complaints);
}

#[test]
fn the_command_line_uses_the_facade() {
    let mut complaints = Vec::new();
    let of_cli = |source: &&Source| source.module == "cli" && !source.is_test;
    for source in sources().iter().filter(of_cli) {
        let seen = rooms_seen(before_tests(&source.code));
        for (line, seen) in seen {
            if INTERNAL.contains(&seen) {
                complaints.push(format!(
                    "src/{}:{line}: cli must not see {seen}: use `database`, or add to it",
                    source.name
                ));
            }
        }
    }
    complain(&complaints);
}

/// What the compiler cannot check is left to two files and their folder.
#[test]
fn unsafe_code_stands_in_the_file_layer_and_the_virtual_tables_alone() {
    for source in sources() {
        let allows =
            source.name.starts_with("store/checksum_vfs") || source.name == "store/vtab.rs";
        let is_unsafe = |line: &str| line.split(|c| !is_word(c)).any(|word| word == "unsafe");
        let found = source.code.lines().position(is_unsafe);
        assert!(
            allows || found.is_none(),
            "src/{}:{}: unsafe code outside store/checksum_vfs and store/vtab.rs",
            source.name,
            found.unwrap_or(0) + 1
        );
    }
}

#[test]
fn crates_and_powers_stay_in_their_rooms() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test) {
        for (number, line) in before_tests(&source.code).lines().enumerate() {
            for &(word, modules, instead) in RESERVED {
                if !modules.iter().any(|module| source.name.starts_with(module))
                    && names(line, word)
                {
                    complaints.push(format!(
                        "src/{}:{}: only {} may name {word}: {instead}",
                        source.name,
                        number + 1,
                        modules.join(", ")
                    ));
                }
            }
        }
    }
    complain(&complaints);
}

/// The part of a file before its module of tests, which stands last.
pub(crate) fn before_tests(code: &str) -> &str {
    code.split("\n#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(code)
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
        let is_statement = source.name.starts_with("store/statements");
        if is_statement || source.module == "cli" || source.is_test {
            continue;
        }
        for (number, line) in before_tests(&source.quoted).lines().enumerate() {
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
        if source.module != "cli" || source.name.starts_with("cli/output/") || source.is_test {
            continue;
        }
        for (number, line) in before_tests(&source.code).lines().enumerate() {
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
        if lines > LINES_MAX {
            complaints.push(format!(
                "src/{}: {lines} lines, at most {LINES_MAX}: find the two things it does \
                 and give each a file",
                source.name
            ));
        }
        // The tests of a module are described by the module itself.
        if !source.text.starts_with("//! ") && !source.is_test {
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
    let modules = |text: &str| -> Vec<String> {
        let code = bare(text, false);
        let seen = rooms_seen(&code);
        seen.iter()
            .map(|(_, module)| (*module).to_owned())
            .collect()
    };
    assert_eq!(modules("use crate::pgn::Tag;"), ["pgn"]);
    assert_eq!(modules("use crate::{\n a::{B, c::D},\n e,\n};"), ["a", "e"]);
    assert_eq!(modules("let z = crate::a::b(crate::c);"), ["a", "c"]);
    assert!(modules("use super::z; // crate::pgn").is_empty());
    assert!(modules("let t = \"crate::pgn\"; let q = b'\"';").is_empty());
    assert!(names("    println!()", "println"));
    assert!(names("use rusqlite::Error;", "rusqlite"));
    assert!(!names("fn eprintln_like()", "eprintln"));
}
