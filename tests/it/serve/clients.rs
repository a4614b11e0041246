//! Programs of others that ask explorers, unchanged, and the counter of the rules that these
//! rely on. They need Python.

use std::process::{Command, Stdio};

use super::{game, rated, serving};
use crate::support::{Base, root, skip};

/// Runs a script with the address of a server; what it printed, unless it failed.
fn python(script: &str, args: &[&str]) -> Result<String, String> {
    let path = root().join("tests/it/serve").join(script);
    let ran = Command::new("python3")
        .arg(path)
        .args(args)
        .stdin(Stdio::null())
        .output();
    let ran = ran.expect("Python was there");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    if ran.status.success() {
        Ok(text(&ran.stdout))
    } else {
        Err(text(&ran.stdout) + &text(&ran.stderr))
    }
}

fn has_python(module: &str) -> bool {
    let tried = Command::new("python3")
        .args(["-c", &format!("import {module}")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}

#[test]
fn every_rule_holds() {
    if !has_python("json") {
        skip("every_rule_holds", "there is no python3");
        return;
    }
    let base = Base::new();
    base.import(&[root().join("sample-data")], crate::support::every_game());
    base.import_text(rated().as_bytes(), crate::support::every_game());
    let server = super::Server::start(&base.folder().join("test.db"), &[]);
    let address = format!("http://{}", server.address);
    for player in ["Carlsen", "Carlsen3"] {
        match python("conform.py", &[&address, player]) {
            Ok(said) => assert!(said.contains(" 0 do not"), "{said}"),
            Err(said) => panic!("{said}"),
        }
    }
}

#[test]
fn berserk_reads_the_answers() {
    if !has_python("berserk") {
        skip(
            "berserk_reads_the_answers",
            "the Python package berserk is not installed",
        );
        return;
    }
    let (_base, server) = serving(&(rated() + &game(&[], "1. e4 e5 2. Nf3 Nc6")), &[]);
    let address = format!("http://{}", server.address);
    let said = python("berserk_client.py", &[&address]);
    assert_eq!(said.as_deref().map(str::trim_end), Ok("61 61 31 Game0059"));
}
