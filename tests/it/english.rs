//! The program speaks the English of its field: words that a player would stumble over
//! stand neither in its help nor in its messages.

use std::path::Path;

use crate::architecture::{before_tests, sources};
use crate::support::run;

/// What is not said, and what is said instead.
const INSTEAD: &[(&str, &str)] = &[
    ("told", "given, detected or reported"),
    ("tell", "show or explain"),
    ("tells", "shows or explains"),
    ("whole", "complete"),
    ("kin", "similar variants"),
    ("tongue", "language"),
    ("anew", "again"),
    ("somebody", "a side"),
    ("half move", "ply"),
    ("half moves", "plies"),
    ("passed over", "skipped"),
    ("looked for", "searched"),
    ("finding about", "finding"),
    ("findings about", "findings"),
    ("is there already", "already exists"),
    ("came into being", "was created"),
    ("says nothing about", "has no effect on"),
    ("a word that is no", "a word that is not a"),
    ("usual start", "standard start"),
];

/// Men are pieces of draughts; those of chess are called pieces.
const IN_DRAUGHTS: &[&str] = &["man", "men"];

/// The words of a text between single blanks, one blank around all of them.
fn words(text: &str) -> String {
    // Names in braces are the code's own.
    let spoken: String = text
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest))
        .collect();
    let spoken = spoken.to_lowercase().replace("--men", "");
    let words: Vec<&str> = spoken
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    format!(" {} ", words.join(" "))
}

/// What is wrong with a text, if anything.
fn complaint(text: &str, is_draughts: bool) -> Option<String> {
    let said = words(text);
    let has = |phrase: &str| said.contains(&format!(" {phrase} "));
    let better = INSTEAD.iter().find(|(phrase, _)| has(phrase));
    let better = better.map(|(phrase, better)| format!("`{phrase}`: write {better}"));
    better
        .or_else(|| {
            let man = IN_DRAUGHTS.iter().find(|man| has(man))?;
            (!is_draughts && !has("draughts")).then(|| format!("`{man}` of chess: write piece"))
        })
        .or_else(|| {
            let is_none = text.contains("` is no ");
            is_none.then(|| "`… is no`: write is not a".to_owned())
        })
        .map(|what| format!("{what}, in \"{}\"", text.trim()))
}

#[test]
fn messages_are_plain_english() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test) {
        let is_draughts = source.name.contains("draughts");
        // Of two words and more: single ones are keys and names.
        let texts = before_tests(&source.quoted).split('"').skip(1).step_by(2);
        for text in texts.filter(|text| text.trim().contains(' ')) {
            let found = complaint(text, is_draughts);
            complaints.extend(found.map(|what| format!("src/{}: {what}", source.name)));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn help_is_plain_english() {
    let commands = [
        "", "import", "search", "tree", "show", "export", "players", "events", "sites", "reread",
        "info", "check", "backup", "sql", "unpack", "board", "moves", "eco", "perft", "convert",
        "variants",
    ];
    let mut complaints = Vec::new();
    for command in commands {
        for flag in ["-h", "--help"] {
            let args: Vec<&str> = [command, flag]
                .into_iter()
                .filter(|a| !a.is_empty())
                .collect();
            let help = run(Path::new("never-opened.db"), &args).out;
            assert!(help.contains("Usage:"), "{args:?}: {help}");
            let found = help.lines().filter_map(|line| complaint(line, false));
            complaints.extend(found.map(|what| format!("{args:?}: {what}")));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn the_words_are_found() {
    for wrong in [
        "2 games are not whole",
        "men in hand",
        "`x` is no date",
        "in half-moves",
    ] {
        assert!(complaint(wrong, false).is_some(), "{wrong}");
    }
    for right in [
        "draughts: men of White",
        "--men and --kings",
        "there is no game 5",
        "kings",
    ] {
        assert!(complaint(right, false).is_none(), "{right}");
    }
    assert!(complaint("12 men a side", true).is_none());
}
