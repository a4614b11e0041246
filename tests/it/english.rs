//! The program, its documents and its code speak the English of the field: words that a player or
//! an engineer would stumble over stand in none of them (`docs/glossary.md`).

use std::path::Path;

use crate::architecture::{before_tests, sources};
use crate::support::{root, run};

/// What is not said, and what is said instead.
const INSTEAD: &[(&str, &str)] = &[
    ("whoever", "the reader, the caller or you"),
    ("somebody", "a side, a user or you"),
    ("nobody", "no program or no game"),
    ("so many", "N or that many"),
    ("told", "given, detected or reported"),
    ("tell", "show or explain"),
    ("tells", "shows or explains"),
    ("whole", "complete"),
    ("kin", "similar variants"),
    ("tongue", "language"),
    ("anew", "again"),
    ("moment", "step"),
    ("moments", "steps"),
    ("question", "query"),
    ("questions", "queries"),
    ("half move", "ply"),
    ("half moves", "plies"),
    ("passed over", "skipped"),
    ("looked for", "searched"),
    ("looked through", "scanned"),
    ("takes it back", "undoes it"),
    ("finding about", "finding"),
    ("findings about", "findings"),
    ("is there already", "already exists"),
    ("came into being", "was created"),
    ("says nothing about", "has no effect on"),
    ("a word that is no", "a word that is not a"),
    ("usual start", "standard start"),
    ("facts have", "filters are written"),
    ("behind each other", "after each other"),
];

/// Behind is a place on a board, or of a server with a proxy; in a text things come after others.
const BEHIND: &[&str] = &[
    "behind a proxy",
    "behind nginx",
    "behind caddy",
    "behind the proxy",
    "behind the captured",
    "directly behind",
    "proxies behind",
    "leave behind",
];

/// Men are pieces of draughts; those of chess are called pieces.
const IN_DRAUGHTS: &[&str] = &["man", "men"];

/// The program that shows manual pages, and the command that writes them.
const MANUAL: &[&str] = &["plydex man", "man(1)", "of `man`", "the manual page"];

/// Names of types that end like participles and are nouns, or terms of the field: the glossary
/// argues for each.
const PARTICIPLES: &[&str] = &["BudgetExceeded", "Cancelled", "LimitExceeded", "NameSeed"];

/// Types that were metaphors, pronouns or questions, and do not come back.
const NO_TYPES: &[&str] = &[
    "Asking",
    "Clerk",
    "Crew",
    "Deed",
    "Desk",
    "Fate",
    "Gate",
    "Glance",
    "Nobody",
    "Onlooker",
    "Seat",
    "Sight",
    "Sought",
    "Told",
    "Twig",
    "WaitingRoom",
    "Way",
    "Wealth",
    "Who",
    "Whole",
];

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
            let allowed: usize = BEHIND.iter().map(|place| said.matches(place).count()).sum();
            let behind = said.matches(" behind ").count();
            (behind > allowed).then(|| "`behind`: write after".to_owned())
        })
        .or_else(|| {
            let man = IN_DRAUGHTS.iter().find(|man| has(man))?;
            let of_draughts = ["draughts", "king", "kings"];
            let is_draughts = is_draughts || of_draughts.iter().any(|word| has(word));
            let is_manual = MANUAL.iter().any(|manual| text.contains(manual));
            (!is_draughts && !is_manual).then(|| format!("`{man}` of chess: write piece"))
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

/// The commands, as the program lists them.
fn commands() -> Vec<String> {
    let help = run(Path::new("never-opened.db"), &["--help"]).out;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.take_while(|line| line.starts_with("  "));
    let names = names.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

#[test]
fn help_is_plain_english() {
    let mut complaints = Vec::new();
    let mut commands = commands();
    assert!(commands.len() > 25, "{commands:?}");
    commands.push(String::new());
    for command in &commands {
        for flag in ["-h", "--help"] {
            let args = [command, flag];
            let args: Vec<&str> = args.into_iter().filter(|arg| !arg.is_empty()).collect();
            let help = run(Path::new("never-opened.db"), &args).out;
            assert!(help.contains("Usage:"), "{args:?}: {help}");
            let found = help.lines().filter_map(|line| complaint(line, false));
            complaints.extend(found.map(|what| format!("{args:?}: {what}")));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The paragraphs of a document with the lines where they begin, without code and addresses.
fn prose(document: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for (at, line) in document.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        if is_fence || is_code || line.trim().is_empty() {
            is_code ^= is_fence;
            is_open = false;
            continue;
        }
        // A row of a table, a heading or an item of a list stands alone.
        let starts = ["|", "#", "- ", "<!--"];
        if !is_open
            || starts
                .iter()
                .any(|start| line.trim_start().starts_with(start))
        {
            found.push((at + 1, String::new()));
        }
        is_open = true;
        if let Some((_, text)) = found.last_mut() {
            text.push_str(line);
            text.push(' ');
        }
    }
    for (_, text) in &mut found {
        let bare: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        // `[text](address)`
        let parts = bare.split("](").enumerate().map(|(nth, part)| match nth {
            0 => part,
            _ => part.split_once(')').map_or(part, |(_, rest)| rest),
        });
        *text = parts.collect::<Vec<_>>().join(" ");
    }
    found
}

#[test]
fn documents_are_plain_english() {
    let folder = root();
    let mut names: Vec<String> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ]
    .map(str::to_owned)
    .to_vec();
    for entry in std::fs::read_dir(folder.join("docs")).expect("documents") {
        let name = entry.expect("an entry").file_name().into_string();
        let name = name.expect("a name in UTF-8");
        if Path::new(&name)
            .extension()
            .is_some_and(|extension| extension == "md")
        {
            names.push(format!("docs/{name}"));
        }
    }
    let mut complaints = Vec::new();
    for name in names {
        let text = std::fs::read_to_string(folder.join(&name)).expect("a document");
        let is_draughts = !["README", "ARCH"]
            .iter()
            .any(|start| name.starts_with(start));
        for (line, text) in prose(&text) {
            let found = complaint(&text, is_draughts);
            complaints.extend(found.map(|what| format!("{name}:{line}: {what}")));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The names of the types that a file defines.
fn types(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter_map(|line| {
        let words = line.split_whitespace();
        let mut words = words.skip_while(|word| word.starts_with("pub"));
        let is_type = ["struct", "enum", "trait", "type", "union"].contains(&words.next()?);
        let name = words.next().filter(|_| is_type && !line.starts_with(' '))?;
        name.split(|c: char| !c.is_alphanumeric()).next()
    })
}

#[test]
fn types_are_nouns() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test) {
        for name in types(before_tests(&source.quoted)) {
            let ends = ["ed", "ught", "wn"].iter().any(|end| name.ends_with(end));
            if NO_TYPES.contains(&name) || ends && !PARTICIPLES.contains(&name) {
                complaints.push(format!("src/{}: `{name}` is not a noun", source.name));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Identifiers of games other than draughts have pieces, not men.
#[test]
fn chess_has_no_men() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test) {
        let of_chess = [
            "games/chess",
            "games/fairy",
            "games/key",
            "games/notation",
            "draw/",
            "pgn/",
        ];
        if !of_chess
            .iter()
            .any(|folder| source.name.starts_with(folder))
        {
            continue;
        }
        let code = before_tests(&source.quoted);
        for (at, line) in code.lines().enumerate() {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let names = line.split(|c: char| !is_name(c));
            let parts = names.flat_map(|name| name.split('_'));
            if parts.into_iter().any(|part| IN_DRAUGHTS.contains(&part)) {
                complaints.push(format!("src/{}:{}: {}", source.name, at + 1, line.trim()));
            }
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
        "the FEN behind the move",
        "a question about games",
    ] {
        assert!(complaint(wrong, false).is_some(), "{wrong}");
    }
    for right in [
        "draughts: men of White",
        "--men and --kings",
        "there is no game 5",
        "kings",
        "the server stands behind a proxy",
    ] {
        assert!(complaint(right, false).is_none(), "{right}");
    }
    assert!(complaint("12 men a side", true).is_none());
    let text = "# A head\n\nOne `told` [word](told.md)\nof two.\n\n```text\ntold\n```\n| told |\n";
    let paragraphs = prose(text);
    assert_eq!(paragraphs.len(), 3);
    assert!(complaint(&paragraphs[1].1, false).is_none());
    assert!(complaint(&paragraphs[2].1, false).is_some());
    let code = "pub(crate) struct Told;\n    struct Inner;\npub trait Sight<T> {}\n";
    assert_eq!(types(code).collect::<Vec<_>>(), ["Told", "Sight"]);
}
