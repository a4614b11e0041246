//! What reading, storing, indexing and writing make of the sample games and of random
//! games of draughts, as one hash a part: a change of the code that is to change nothing
//! changes none of them.
//!
//! Where a part is meant to change, `PLYDEX_SIGNATURE=write cargo test signature` puts
//! the new hashes into `tests/it/signature.tsv`, and the commit says what and why.

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

use twox_hash::xxhash3_128::Hasher;

use {
    crate::support::{Base, every_game, root, run},
    plydex::{
        base::record::{GameRecord, MovetextItem},
        blocks::facts::{FactColumn, PackedFacts},
        games::{
            Budget, ResultOrder,
            draughts::{
                rows::{ALL, DraughtsVariant},
                rules::{DraughtsPosition, moves},
            },
            variant::Variant,
        },
        import::ImportOptions,
        index::{Block, posting::Section},
        store::{IndexPart, RecordKind, SegmentRow, StartRow},
    },
};

/// A hash of what is stored or written, in its order: bytes and texts with their lengths,
/// numbers as little-endian bytes. Names of the code have no part in it.
struct Hash(Hasher);

impl Hash {
    fn new() -> Self {
        Self(Hasher::new())
    }

    fn add(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        self.add_number(bytes.len() as u64);
        self.0.write(bytes);
    }

    fn add_number(&mut self, number: impl Into<u64>) {
        self.0.write(&number.into().to_le_bytes());
    }

    /// Adds the bytes of what may be missing.
    fn add_option(&mut self, bytes: Option<impl AsRef<[u8]>>) {
        self.add_number(bytes.is_some());
        if let Some(bytes) = bytes {
            self.add(bytes);
        }
    }

    fn text(self) -> String {
        format!("{:032x}", self.0.finish_128())
    }
}

/// Adds a start position as its row in the database has it.
fn add_start(hash: &mut Hash, start: &StartRow) {
    hash.add_number(start.id);
    hash.add_number(start.variant);
    hash.add(&start.fen);
    hash.add_option(start.canonical.as_ref());
    hash.add_option(start.corner.map(|corner| [corner]));
    hash.add_option(start.diagram.as_ref());
}

/// Adds the description of a segment as its row in the database has it.
fn add_segment(hash: &mut Hash, segment: &SegmentRow) {
    hash.add_number(segment.id);
    hash.add_number(segment.first_game);
    hash.add_number(segment.games);
    hash.add_number(segment.positions);
    hash.add_number(segment.key_version);
    for layout in segment.layouts {
        for bits in [layout.key_bits, layout.key_rice, layout.game_bits] {
            hash.add_number(bits);
        }
    }
}

/// Adds what an export writes of a game: its tags, its movetext and its result.
fn add_game(hash: &mut Hash, game: &GameRecord) {
    let add_tags = |hash: &mut Hash, tags: &[(String, String)]| {
        hash.add_number(tags.len() as u64);
        for (name, value) in tags {
            hash.add(name);
            hash.add(value);
        }
    };
    add_tags(hash, &game.tags);
    hash.add_number(game.items.len() as u64);
    for item in &game.items {
        // What opens each of them in a text, where something does.
        let (kind, text) = match item {
            MovetextItem::Move(text) => ("move", text),
            MovetextItem::Comment(text) => ("{", text),
            MovetextItem::LineComment(text) => (";", text),
            MovetextItem::Nag(glyph) => ("$", &glyph.to_string()),
            MovetextItem::Variation(text) => ("(", text),
            MovetextItem::Word(text) => ("word", text),
            MovetextItem::Rest(text) => ("rest", text),
        };
        hash.add(kind);
        hash.add(text);
    }
    hash.add(game.outcome.as_pgn());
    hash.add(&game.pdn.result);
    hash.add(&game.pdn.result_written);
    hash.add_number(game.pdn.black_begins);
    add_tags(hash, &game.pdn.tags);
}

/// The parts of a database, by name.
fn parts(base: &Base) -> BTreeMap<&'static str, String> {
    let store = &base.store;
    let last = store.last_game().expect("a number");
    let mut parts = BTreeMap::new();
    let mut part = |name, fill: &dyn Fn(&mut Hash)| {
        let mut hash = Hash::new();
        fill(&mut hash);
        parts.insert(name, hash.text());
    };
    part("lines", &|hash| {
        let mut lines = store.lines();
        for game in 1..=last {
            let line = lines.get(game).expect("a main line");
            hash.add_number(line.start);
            hash.add(line.plies);
        }
    });
    part("facts", &|hash| {
        let each = |game, facts: &PackedFacts| {
            hash.add_number(game);
            for column in FactColumn::ALL {
                hash.add_number(facts.get(column));
            }
        };
        store.for_each_facts(&FactColumn::ALL, each).expect("facts");
    });
    part("starts", &|hash| {
        let each = |start| add_start(hash, &start);
        store.for_each_start(each).expect("starts");
    });
    part("annotations", &|hash| {
        for kind in RecordKind::ALL {
            let mut records = store.records(kind);
            for game in 1..=last {
                if let Some(record) = records.get(game).expect("records") {
                    hash.add_number(game);
                    hash.add(record);
                }
            }
        }
    });
    let index = |hash: &mut Hash, of: &[IndexPart]| {
        for segment in store.segments().expect("segments") {
            add_segment(hash, &segment);
            for Block { first_key, bytes } in of
                .iter()
                .flat_map(|of| store.blocks(&segment, *of).expect("blocks"))
            {
                hash.add_number(first_key);
                hash.add(bytes);
            }
        }
    };
    part("index", &|hash| {
        let sections = Section::ALL.map(IndexPart::Postings);
        index(hash, &[&sections[..], &[IndexPart::Popular]].concat());
    });
    part("columns", &|hash| {
        for segment in store.segments().expect("segments") {
            add_segment(hash, &segment);
            for range in store.column_ranges(&segment).expect("column ranges") {
                for Block { first_key, bytes } in store.stored_columns(&range).expect("columns") {
                    hash.add_number(first_key);
                    hash.add(bytes);
                }
            }
        }
    });
    part("findings", &|hash| {
        for game in 1..=last {
            for (code, offset_bytes, detail) in store.diagnostics(game).expect("findings") {
                hash.add_number(game);
                hash.add(code);
                hash.add_number(offset_bytes);
                hash.add(detail);
            }
        }
    });
    part("games", &|hash| {
        for game in base.games() {
            add_game(hash, &game);
        }
    });
    parts
}

/// What commands print about a database.
const COMMANDS: &[(&str, &[&str])] = &[
    ("export", &["export"]),
    ("export algebraic", &["export", "--notation", "algebraic"]),
    ("list", &["search", "--limit", "0", "--format", "csv"]),
    ("hits", &["search", "e4", "--limit", "0", "--format", "csv"]),
    (
        "hits of draughts",
        &["search", "32-28", "--limit", "0", "--format", "csv"],
    ),
    (
        "hits inside variations",
        &[
            "search",
            "e4",
            "e5",
            "--in-variations",
            "--limit",
            "0",
            "--format",
            "json",
        ],
    ),
    ("tree", &["tree", "--format", "csv"]),
    (
        "tree of draughts",
        &["tree", "--variant", "english", "--format", "csv"],
    ),
    ("check", &["check"]),
];

fn printed(base: &Base, args: &[&str]) -> String {
    let ran = run(base.store.path(), args);
    assert!(matches!(ran.status, Some(0 | 1)), "{args:?}: {ran:?}");
    let mut hash = Hash::new();
    hash.add(ran.out);
    hash.text()
}

/// The number of a random choice below a bound.
fn below(state: &mut u64, bound: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % bound
}

/// A random game in PDN in which every capture is written short, however many there are
/// between its two squares.
pub(crate) fn short_game(
    variant: &'static DraughtsVariant,
    number: usize,
    state: &mut u64,
) -> String {
    let names = variant.numbering();
    let mut position = DraughtsPosition::start(&variant.rules);
    let mut text = String::new();
    for ply in 0..120 {
        let legal = moves(&position, &variant.rules, Budget::default()).unwrap_or_default();
        if legal.is_empty() {
            break;
        }
        // Of three the one that takes most: long captures are what can be mistaken.
        let drawn: Vec<_> = (0..3).map(|_| legal[below(state, legal.len())]).collect();
        let most = drawn
            .into_iter()
            .max_by_key(|one| one.captured.count_ones());
        let played = most.expect("three");
        if ply % 2 == 0 {
            let _ = write!(text, "{}. ", ply / 2 + 1);
        }
        let from = text.len();
        names.write(played.from, &mut text);
        text.push(if played.is_capture() { 'x' } else { '-' });
        names.write(played.to, &mut text);
        let word = text[from..].to_owned();
        if ply % 9 == 4 {
            text.push_str(" {a comment}");
        }
        if ply % 11 == 5 {
            let _ = write!(text, " ({word} {{instead}})");
        }
        text.push(if ply % 12 == 11 { '\n' } else { ' ' });
        position.play(&played);
    }
    let result = match position.winner(&variant.rules) {
        Some(side) if (side == 0) == (variant.result_order == ResultOrder::WhiteFirst) => "1-0",
        Some(_) => "0-1",
        None => "1/2-1/2",
    };
    let name = variant.name;
    format!(
        "[Event \"{name}\"]\n[White \"W{number}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{text}{result}\n\n"
    )
}

/// Random games of every kind of draughts, and what was read of them.
fn random_draughts() -> BTreeMap<String, String> {
    const GAMES: usize = 40;
    let mut parts = BTreeMap::new();
    let mut state = 77;
    for variant in ALL {
        let base = Base::new();
        let text: String = (0..GAMES)
            .map(|number| short_game(variant, number, &mut state))
            .collect();
        let path = base.folder().join("random.pdn");
        std::fs::write(&path, &text).expect("a file");
        let options = ImportOptions {
            variant: Variant::by_name(variant.name).map(|row| row.id),
            ..every_game()
        };
        base.import(&[path], options);
        let mut hash = Hash::new();
        for (name, part) in self::parts(&base) {
            hash.add(name);
            hash.add(part);
        }
        parts.insert(format!("random {}", variant.name), hash.text());
        assert_reads_as_written(&base, &text, variant.name);
    }
    parts
}

/// Whichever of several captures a short one was taken for, written short it is the word
/// that stood there.
fn assert_reads_as_written(base: &Base, text: &str, name: &str) {
    let ran = run(base.store.path(), &["export", "--notation", "short"]);
    let words = |text: &str| -> Vec<String> {
        let mut depth = 0_i32;
        let mut words = Vec::new();
        for word in text
            .lines()
            .filter(|line| !line.starts_with('['))
            .flat_map(str::split_whitespace)
        {
            depth += word.matches(['(', '{']).count() as i32;
            let is_move =
                word.starts_with(|c: char| c.is_ascii_alphanumeric()) && !word.ends_with('.');
            if depth == 0 && is_move && !word.contains("...") {
                // What is ambiguous is written with squares between.
                let squares: Vec<&str> = word.split([':', 'x', '-']).collect();
                words.push(format!("{} {}", squares[0], squares[squares.len() - 1]));
            }
            depth -= word.matches([')', '}']).count() as i32;
        }
        words
    };
    let (written, read) = (words(text), words(&ran.out));
    let first = written
        .iter()
        .zip(&read)
        .position(|(one, other)| one != other);
    assert!(
        first.is_none() && written.len() == read.len(),
        "{name}: {} words, {} read, first differs at {first:?}: {:?}",
        written.len(),
        read.len(),
        first.map(|at| (&written[at], &read[at]))
    );
}

fn signature_file() -> PathBuf {
    root().join("tests/it/signature.tsv")
}

fn assert_signature(found: &BTreeMap<String, String>) {
    if std::env::var_os("PLYDEX_SIGNATURE").is_some() {
        let lines = found
            .iter()
            .map(|(name, hash)| [name, "\t", hash, "\n"].concat());
        std::fs::write(signature_file(), lines.collect::<String>()).expect("a file");
        return;
    }
    let known = std::fs::read_to_string(signature_file()).expect("the signature");
    let known: BTreeMap<&str, &str> = known
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let changed: Vec<&String> = found
        .iter()
        .filter(|(name, hash)| known.get(name.as_str()) != Some(&hash.as_str()))
        .map(|(name, _)| name)
        .collect();
    assert!(
        changed.is_empty() && known.len() == found.len(),
        "changed: {changed:?}"
    );
}

/// The parts do not change, and do not depend on how many threads there are.
#[test]
fn the_signature_stands() {
    let mut found: Option<BTreeMap<String, String>> = None;
    for threads in [1, 2, 7] {
        let base = Base::new();
        let options = ImportOptions {
            threads: Some(threads),
            ..every_game()
        };
        base.import(&[root().join("sample-data")], options);
        let mut now: BTreeMap<String, String> = parts(&base)
            .into_iter()
            .map(|(name, hash)| (name.to_owned(), hash))
            .collect();
        if threads == 1 {
            for (name, args) in COMMANDS {
                now.insert((*name).to_owned(), printed(&base, args));
            }
            found = Some(now);
        } else if let Some(found) = &found {
            for (name, hash) in now {
                assert_eq!(found[&name], hash, "{name} with {threads} threads");
            }
        }
    }
    let mut found = found.expect("a run");
    found.extend(random_draughts());
    assert_signature(&found);
}
