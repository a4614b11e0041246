//! What is inferred of games that do not say which kind of draughts they are: the table
//! of `docs/inference.md`, from folders of files whose kind is known.
//!
//! `cargo bench --bench inference -- FOLDER` takes each folder below `FOLDER` as a row. See
//! `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use plydex::{
    games::{guess::VariantInference, raw_text::TextDecoder},
    pgn::parser::{Parser, RawGame, Syntax},
};

const DECODE: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);

fn main() {
    let folder = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'))
        .map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/draughts"),
            PathBuf::from,
        );
    let Ok(kinds) = fs::read_dir(&folder) else {
        println!("SKIPPED: there is no folder {}", folder.display());
        return;
    };
    let mut kinds: Vec<PathBuf> = kinds.map(|kind| kind.unwrap().path()).collect();
    kinds.retain(|path| path.is_dir());
    kinds.sort();
    println!("| files of | games | inferred |\n|---|---|---|");
    for kind in kinds {
        let mut counts = BTreeMap::new();
        for file in fs::read_dir(&kind).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                count(&fs::read(&path).unwrap(), &mut counts);
            }
        }
        let games: u32 = counts.values().sum();
        let said: Vec<String> = counts
            .iter()
            .map(|(said, count)| format!("{said} {count}"))
            .collect();
        let name = kind.file_name().unwrap().to_string_lossy();
        println!("| {name} | {games} | {} |", said.join(", "));
    }
}

/// Counts what is inferred of the games of a file; no tag pair says anything.
fn count(bytes: &[u8], counts: &mut BTreeMap<String, u32>) {
    let games = |each: &mut dyn FnMut(&RawGame)| {
        let mut parser = Parser::with_hint(bytes, Syntax::Pdn);
        let mut game = RawGame::default();
        while parser.next_game(&mut game) {
            each(&game);
        }
    };
    let mut poll = VariantInference::new();
    games(&mut |game| poll.add(game, bytes, DECODE, None));
    let verdict = poll.result();
    games(&mut |game| {
        let said = verdict.of(game, bytes).map_or("nothing".to_owned(), |it| {
            let names: Vec<&str> = it.ties.iter().map(|tie| tie.name).collect();
            let ties = if names.is_empty() {
                String::new()
            } else {
                format!(" or {}", names.join(", "))
            };
            let weak = if it.weak { " (weak)" } else { "" };
            format!("{}{ties}{weak}", it.variant.name)
        });
        *counts.entry(said).or_insert(0) += 1;
    });
}
