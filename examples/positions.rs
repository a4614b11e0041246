//! Goes through all positions of all games of a query.
//!
//! `cargo run --example positions -- sample-data/pgn "result:1-0"`

#![expect(clippy::print_stdout, reason = "a program of the command line")]

use std::collections::HashSet;

use plydex::{Database, ImportOptions, Query};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let files = words.next().unwrap_or_else(|| "sample-data/pgn".to_owned());
    let text = words.next().unwrap_or_default();

    let folder = tempfile::tempdir()?;
    let database = Database::create(folder.path().join("games.plydex"))?;
    database.import([files], &ImportOptions::default())?;

    let (mut plies, mut boards) = (0, HashSet::new());
    for game in database.games(&Query::typed(&text)?)? {
        for ply in game?.positions() {
            plies += 1;
            let fen = ply.position.fen();
            boards.extend(fen.split(' ').next().map(str::to_owned));
        }
    }
    println!("{plies} plies, {} different boards", boards.len());
    assert!(plies > 0 && boards.len() <= plies);
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
