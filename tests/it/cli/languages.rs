//! `--language`: moves as people of other tongues write them.

use super::{db, json, ok};
use crate::support::run;

#[test]
fn moves_are_written_in_a_language() {
    let russian = ok(&["moves", "e4 e5", "--language", "ru"]);
    for word in ["Кf3", "Сc4", "Фh5", "Крe2"] {
        assert!(russian.contains(word), "{russian}");
    }
    let figures = ok(&["moves", "e4 e5", "--language", "figurine"]);
    assert!(figures.contains("♘f3"), "{figures}");
    let position = ["search", "e4", "c5", "Nf3", "d6", "d4", "cxd4"];
    let found = ok(&[&position[..], &["--language", "de"]].concat());
    assert!(found.contains("Sxd4"), "{found}");
    let tree = ok(&["tree", "e4 c5", "--language", "french"]);
    assert!(tree.contains("\nCf3 "), "{tree}");
}

#[test]
fn data_are_in_standard_notation_unless_asked() {
    let first = |args: &[&str]| {
        json(&[&["tree", "e4 c5", "--format", "json"], args].concat())["moves"][0]["san"].clone()
    };
    assert_eq!(first(&[]), "Nf3");
    assert_eq!(first(&["--language", "el"]), "Ιζ3");
}

#[test]
fn an_export_in_a_language_is_read_as_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let english = ok(&["export", "--variant", "chess"]);
    for code in ["de", "el", "hu", "figurine"] {
        let path = folder.path().join(format!("{code}.pgn"));
        let (path, there) = (path.to_str().expect("UTF-8"), folder.path().join(code));
        ok(&[
            "export",
            "--variant",
            "chess",
            "--language",
            code,
            "-o",
            path,
        ]);
        let ran = run(&there, &["import", "--format", "json", path]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let summary: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(summary["languages"][0]["language"], code, "{summary}");
        let back = run(&there, &["export"]).out;
        let (one, two) = (main_lines(&english), main_lines(&back));
        let different: Vec<_> = one
            .iter()
            .zip(&two)
            .filter(|(a, b)| a != b)
            .take(3)
            .collect();
        assert!(different.is_empty(), "{code}: {different:#?}");
        assert_eq!(one.len(), two.len());
    }
}

/// The text without variations and breaks between lines, of which other spellings
/// have others.
fn main_lines(pgn: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let (mut out, mut in_comment) = (String::new(), false);
    for c in pgn.chars() {
        match c {
            '{' => in_comment = true,
            '}' => in_comment = false,
            '(' if !in_comment => depth += 1,
            _ => {}
        }
        if depth == 0 || in_comment {
            out.push(c);
        }
        if c == ')' && !in_comment {
            depth -= 1;
        }
    }
    out.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_language_that_is_not_known_is_refused_before_anything_is_done() {
    for command in [&["import", "x.pgn"][..], &["tree"], &["moves"], &["export"]] {
        let ran = run(db(), &[command, &["--language", "klingon"]].concat());
        assert_eq!(ran.status, Some(2));
        assert!(
            ran.err.starts_with(
                "error: --language: `klingon` is not a known language\nhint: use one of en, el, ru"
            ),
            "{}",
            ran.err
        );
    }
}
