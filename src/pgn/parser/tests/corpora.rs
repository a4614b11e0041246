//! Real files of draughts beside the repository, where they are at hand.

use std::path::{Path, PathBuf};
use std::{fmt::Write as _, io::Write as _};

use super::{check_shape, lossy};
use crate::base::diagnostic::Code;
use crate::base::limits::CHUNK_BYTES_MAX;
use crate::pgn::parser::{ItemKind, Parser, RawGame, Syntax, detect_syntax};

/// Files whose records are not as many as their list counts lines that begin
/// with `[Event` (or `[FEN`, where there are more of these), and why.
const RECORDS: &[(&str, usize, &str)] = &[
    (
        "english-8x8/EricCJoyce__ACF",
        6563,
        "the list counts a longer file",
    ),
    ("antidraughts-10x10/", 17, "the list counts a longer file"),
    ("brazilian-8x8/", 17, "the list counts a longer file"),
    ("breakthrough-10x10/", 17, "the list counts a longer file"),
    ("frysk-10x10/", 17, "the list counts a longer file"),
    (
        "frisian-10x10/",
        15,
        "the list counts a longer file; 11 with tags, 4 of moves alone",
    ),
    (
        "russian-8x8/miskibin",
        22,
        "the list counts a longer file; 21 with tags, 1 of moves alone",
    ),
    (
        "russian-8x8/portnov__draws_joined",
        519,
        "joined later, not in the list",
    ),
    ("bcorfman__tests__sample", 1, "Event twice in one game"),
    (
        "48th_Polish_Team",
        82,
        "one begins with [[Event, one with [Empty]",
    ),
    ("4th_African", 48, "one game has French names"),
    (
        "TOURNOI_DES_CHAMPION",
        12,
        "one has its bracket on a line of its own",
    ),
    ("Cat.C1", 46, "a move and a result without tags"),
    ("candidate95", 8, "no Event tags"),
    ("Campionato_Assoluto_2005", 53, "Italian names"),
    (
        "Tricks_traps_and_shots",
        91,
        "one tag stands behind a result",
    ),
    ("notation_", 2, "moves between the tags make two records"),
    ("alphanumeric", 1, "no tags"),
    ("gameterminator", 1, "no tags"),
    ("linecomment", 1, "no Event tag"),
    ("movestrength", 1, "no tags"),
    ("nested_comment", 1, "no tags"),
    ("variation.pdn", 1, "no tags"),
];

/// The same names with one record, as the list has it.
const ONE_RECORD: &[&str] = &["notation_variant.pdn"];

/// Texts between the tokens that no item has: escaped lines, and tags that
/// lost their bracket (each is reported).
const LEFT: &[&str] = &[
    "%",
    "Board",
    "game:",
    "International",
    "Draughts",
    "x", // linecomment: an escaped line
    "Event",
    "TOURNOI",
    "DES",
    "CHAMPIONS",
    "REGIONAUX", // its bracket stands a line above
    "\\r",
    "\\n", // escaped line ends
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "pdn") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn corpora() -> Option<PathBuf> {
    beside("corpora/draughts")
}

/// What stands beside the repository; where it does not, that is said past the harness,
/// which would keep it to itself.
fn beside(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(name);
    let found = folder.is_dir().then_some(folder);
    if found.is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: ../shared/{name} is not here");
    }
    found
}

/// What a record says, wherever it stands in its text.
fn told(bytes: &[u8], game: &RawGame) -> String {
    let mut text = format!("{:?}", game.syntax);
    for tag in &game.tags {
        let _ = write!(
            text,
            " [{}={}]",
            lossy(tag.name_bytes(bytes)),
            lossy(tag.value_bytes(bytes))
        );
    }
    for item in &game.items {
        let _ = write!(
            text,
            " {:?} {} {}",
            item.kind,
            item.value,
            lossy(game.text(bytes, item))
        );
    }
    let end = game
        .termination
        .map(|(start, end)| &bytes[start as usize..end as usize]);
    text + &format!(" {:?}", end.map(lossy))
}

/// All records, and the words in them and between them that no record has.
fn read_file(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let mut parser = Parser::with_hint(bytes, detect_syntax(bytes));
    let mut game = RawGame::default();
    let mut records = Vec::new();
    let mut left = bytes.to_vec();
    let mut cover = |from: u32, to: u32| left[from as usize..to as usize].fill(b' ');
    while parser.next_game(&mut game) {
        check_shape(bytes, &game);
        records.push(told(bytes, &game));
        if game.syntax == Syntax::Pgn {
            cover(game.span.0.saturating_sub(3), game.span.1);
            continue;
        }
        for tag in &game.tags {
            cover(tag.name.0, tag.value.1);
        }
        for item in &game.items {
            if item.kind != ItemKind::VariationStart {
                cover(item.offset, item.offset + item.len);
            }
        }
        if let Some((start, end)) = game.termination {
            cover(start, end);
        }
        let unknown = game
            .diagnostics
            .iter()
            .any(|found| found.code == Code::UnknownWord);
        assert!(!unknown, "{:?}", game.diagnostics);
    }
    // Move numbers, brackets and quotes are in no item, as they are its form.
    let signs = |byte: &u8| byte.is_ascii_digit() || b".[](){}\";".contains(byte);
    let left = left
        .split(u8::is_ascii_whitespace)
        .map(|word| {
            lossy(word)
                .trim_matches(|c: char| signs(&(c as u8)))
                .to_owned()
        })
        .filter(|word| !word.is_empty())
        .collect();
    (records, left)
}

#[test]
fn records_are_as_many_as_the_list_has_and_nothing_is_lost() {
    let Some(folder) = corpora() else { return };
    let list = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the list");
    let mut wrong = Vec::new();
    for path in files(&folder) {
        let name = path
            .strip_prefix(&folder)
            .expect("inside")
            .to_string_lossy()
            .into_owned();
        let bytes = std::fs::read(&path).expect("a file");
        let (records, left) = read_file(&bytes);
        let row = list.lines().find_map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            let number = |at: usize| fields[at].parse::<usize>().ok();
            (format!("{}/{}", fields[0], fields[1]) == name)
                .then(|| number(5).max(number(6)).unwrap_or(0))
        });
        let known = RECORDS.iter().find(|(part, ..)| {
            name.contains(part) && !ONE_RECORD.iter().any(|one| name.contains(one))
        });
        let wanted = known.map_or(row.unwrap_or(0), |&(_, count, _)| count);
        if records.len() != wanted {
            wrong.push(format!("{name}: {} records, not {wanted}", records.len()));
        }
        let strange: Vec<_> = left
            .iter()
            .filter(|word| !LEFT.contains(&word.as_str()))
            .collect();
        if !strange.is_empty() && !name.contains("fixtures") {
            wrong.push(format!("{name}: nobody has {strange:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn families_are_told() {
    let Some(folder) = corpora() else { return };
    for path in files(&folder) {
        let bytes = std::fs::read(&path).expect("a file");
        // Test data of chess among that of draughts.
        let syntax = if path.to_string_lossy().contains("fixtures") {
            Syntax::Pgn
        } else {
            Syntax::Pdn
        };
        assert_eq!(detect_syntax(&bytes), syntax, "{}", path.display());
        let mut parser = Parser::with_hint(&bytes, detect_syntax(&bytes));
        let mut game = RawGame::default();
        while parser.next_game(&mut game) {
            assert_eq!(game.syntax, syntax, "{}", path.display());
        }
    }
}

/// Chunks of whatever size hold complete records.
#[test]
fn chunks_cut_no_record() {
    use crate::input::chunk::is_game_boundary;
    let Some(folder) = corpora() else { return };
    for path in files(&folder) {
        let bytes = std::fs::read(&path).expect("a file");
        if bytes.len() > 200_000 || bytes.len() > CHUNK_BYTES_MAX {
            continue;
        }
        let whole = read_file(&bytes).0;
        let hint = detect_syntax(&bytes);
        let cuts: Vec<usize> = memchr::memchr_iter(b'[', &bytes)
            .filter(|&at| is_game_boundary(&bytes, at))
            .collect();
        for every in [1, 2, 7] {
            let mut ends: Vec<_> = cuts.iter().copied().step_by(every).collect();
            ends.push(bytes.len());
            let mut from = 0;
            let mut parts = Vec::new();
            for end in ends {
                let part = &bytes[from..end];
                let mut parser = Parser::with_hint(part, hint);
                let mut game = RawGame::default();
                while parser.next_game(&mut game) {
                    parts.push(told(part, &game));
                }
                from = end;
            }
            assert_eq!(parts.len(), whole.len(), "{}", path.display());
            assert!(parts == whole, "{} every {every}", path.display());
        }
    }
}

#[test]
fn the_seed_mended_and_mangled() {
    let Some(folder) = beside("vectors") else {
        return;
    };
    let repaired = std::fs::read(folder.join("pdn_seed_repaired.pdn")).expect("a vector");
    let words = |bytes: &[u8]| -> Vec<usize> {
        let mut parser = Parser::with_hint(bytes, detect_syntax(bytes));
        let mut game = RawGame::default();
        let mut found = Vec::new();
        while parser.next_game(&mut game) {
            assert_eq!(game.syntax, Syntax::Pdn);
            found.push(
                game.items
                    .iter()
                    .filter(|item| item.kind == ItemKind::Word)
                    .count(),
            );
        }
        found
    };
    assert_eq!(words(&repaired), [20, 13, 80]);
    let mangled = std::fs::read(folder.join("pdn_seed_mangled.pdn")).expect("the other");
    // `1-52x9` may be one move or two; only the rules can decide.
    assert_eq!(words(&mangled), [20, 12, 80]);
    let (_, left) = read_file(&mangled);
    assert!(
        left.iter().all(|word| word == "»" || word == ","),
        "{left:?}"
    );
}
