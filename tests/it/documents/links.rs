//! Links between documents lead to files and headings that are there.

use std::path::Path;

use super::{Document, markdown, names};
use crate::support::root;

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c => c.is_alphanumeric().then_some(c),
        })
        .collect()
}

/// The anchors of a document.
fn anchors(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a document");
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let others = [
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "sample-data/README.md",
    ];
    for name in names().into_iter().chain(others.map(str::to_owned)) {
        let mut document = Document::open(&name);
        let fenced: Vec<_> = markdown::blocks(&document.lines)
            .into_iter()
            .map(|block| block.body)
            .collect();
        for line in 0..document.lines.len() {
            if fenced.iter().any(|body| body.contains(&line)) {
                continue;
            }
            for rest in document.lines[line].clone().split("](").skip(1) {
                let target = rest.split(')').next().unwrap_or_default();
                if target.contains("://") {
                    continue;
                }
                let (file, heading) = target.split_once('#').unwrap_or((target, ""));
                let here = root().join(&name);
                let path = match file {
                    "" => here,
                    file => here.parent().expect("a folder").join(file),
                };
                if !path.exists() {
                    document.wrong(line, format!("no file `{file}`"));
                } else if !heading.is_empty() && !anchors(&path).iter().any(|at| at == heading) {
                    document.wrong(
                        line,
                        format!("no heading `#{heading}` in {}", path.display()),
                    );
                }
            }
        }
        document.close();
    }
}

/// Files of the repository that documents name in code, and the targets of docs/fuzzing.md.
#[test]
fn named_files_are_there() {
    let folders = [
        "src/",
        "tests/",
        "benches/",
        "migrations/",
        "docs/",
        "sample-data/",
    ];
    let others = ["CONTRIBUTING.md", "ARCHITECTURE.md"];
    for name in names().into_iter().chain(others.map(str::to_owned)) {
        let mut document = Document::open(&name);
        for line in 0..document.lines.len() {
            for path in markdown::code(&document.lines[line].clone()) {
                let is_path = folders.iter().any(|folder| path.starts_with(folder));
                if is_path && !path.contains(['*', ' ', 'N']) && !root().join(path).exists() {
                    document.wrong(line, format!("no file `{path}`"));
                }
            }
        }
        document.close();
    }
    let mut document = Document::open("docs/fuzzing.md");
    let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("a manifest");
    let mut there: Vec<&str> = manifest
        .split("[[bin]]")
        .skip(1)
        .filter_map(|bin| bin.split('"').nth(1))
        .collect();
    there.sort_unstable();
    for table in markdown::tables(&document.lines) {
        let named = table.rows.iter().map(|cells| cells[0].trim_matches('`'));
        let mut named: Vec<&str> = named.collect();
        named.sort_unstable();
        if named != there {
            document.wrong(table.lines.start, format!("the targets are {there:?}"));
        }
    }
    document.close();
}
