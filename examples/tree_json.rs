//! Writes the moves of a position, with their results, as JSON.
//!
//! `cargo run --example tree_json -- sample-data/pgn "e4"`

#![expect(clippy::print_stdout, reason = "a program of the command line")]

use plydex::{Database, ImportOptions, Query};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let files = words.next().unwrap_or_else(|| "sample-data/pgn".to_owned());
    let text = words.next().unwrap_or_else(|| "e4".to_owned());

    let folder = tempfile::tempdir()?;
    let database = Database::create(folder.path().join("games.plydex"))?;
    database.import([files], &ImportOptions::default())?;

    let tree = database.tree(&Query::typed(&text)?)?;
    println!("{}", serde_json::to_string_pretty(&tree)?);
    assert!(tree.total.games > 0);
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
