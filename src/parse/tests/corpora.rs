//! Real files of draughts, where they are at hand.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{check_shape, lossy};
use crate::diagnostic::Code;
use crate::parse::{Family, Kind, Parser, RawGame, habit};

#[test]
fn explore() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/draughts");
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut files = Vec::new();
    for dir in std::fs::read_dir(&folder).unwrap() {
        let dir = dir.unwrap().path();
        if dir.is_dir() {
            for file in std::fs::read_dir(dir).unwrap() {
                files.push(file.unwrap().path());
            }
        }
    }
    files.push(folder.join("../../vectors/pdn_seed_mangled.pdn"));
    files.push(folder.join("../../vectors/pdn_seed_repaired.pdn"));
    files.sort();
    let mut out = String::new();
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let dir = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let row = manifest
            .lines()
            .find(|l| l.starts_with(&format!("{dir}\t{name}\t")))
            .unwrap_or("");
        let cols: Vec<&str> = row.split('\t').collect();
        let mut parser = Parser::with_hint(&bytes, habit(&bytes));
        let mut game = RawGame::default();
        let (mut games, mut words, mut chess) = (0, 0, 0);
        let mut covered = vec![false; bytes.len()];
        let mut cover = |a: u32, b: u32| covered[a as usize..b as usize].fill(true);
        let mut codes = std::collections::BTreeMap::new();
        let mut details = Vec::new();
        while parser.next_game(&mut game) {
            check_shape(&bytes, &game);
            games += 1;
            chess += usize::from(game.family == Family::Chess);
            for t in &game.tags {
                cover(t.name.0, t.value.1);
            }
            for i in &game.items {
                if i.kind == Kind::VariationStart {
                    continue;
                }
                cover(i.offset, i.offset + i.len);
                if i.kind == Kind::Word {
                    words += 1;
                    if game.family == Family::Draughts
                        && !lossy(game.text(&bytes, i))
                            .bytes()
                            .any(|b| b.is_ascii_digit())
                    {
                        details.push(format!("WORD {}", lossy(game.text(&bytes, i))));
                    }
                }
            }
            if let Some((a, b)) = game.termination {
                cover(a, b);
            }
            for d in &game.diagnostics {
                *codes.entry(d.code.as_str()).or_insert(0) += 1;
                if game.family == Family::Draughts
                    && !matches!(d.code, Code::ResultMissing)
                    && details.len() < 12
                {
                    details.push(format!(
                        "{}@{} {}",
                        d.code.as_str(),
                        d.offset_bytes,
                        d.detail
                    ));
                }
            }
        }
        let mut left = String::new();
        for (at, b) in bytes.iter().enumerate() {
            if covered[at] {
                if !left.ends_with(' ') {
                    left.push(' ');
                }
            } else {
                left.push(*b as char);
            }
        }
        let mut rest = std::collections::BTreeMap::new();
        for w in left.split_whitespace() {
            let w = w.trim_matches(|c: char| c.is_ascii_digit() || ".,[]{}()\"".contains(c));
            if !w.is_empty() {
                *rest.entry(w.to_owned()).or_insert(0) += 1;
            }
        }
        writeln!(
            out,
            "{dir}/{name} ev={:?} fen={:?} games={games} chess={chess} words={words} {codes:?}",
            cols.get(5),
            cols.get(6)
        )
        .unwrap();
        for d in details {
            writeln!(out, "      {d}").unwrap();
        }
        let rest: Vec<_> = rest.into_iter().take(12).collect();
        if !rest.is_empty() {
            writeln!(out, "      REST {rest:?}").unwrap();
        }
    }
    std::fs::write("/tmp/explore.txt", out).unwrap();
}
