//! Reads games without a database, and shows what is wrong with each.
//!
//! `cargo run --example broken_pgn -- games.pgn`

#![expect(clippy::print_stdout, reason = "a program of the command line")]

use std::{
    fs::File,
    io::{Cursor, Read},
};

const BROKEN: &str = r#"[Event "A game that breaks off"]
[White "Anderssen"]
[Date "1851.13.40"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Ke5 { the king cannot get there *

[Event "A good one"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text: Box<dyn Read + Send> = match std::env::args().nth(1) {
        Some(file) if !file.starts_with('-') => Box::new(File::open(file)?),
        _ => Box::new(Cursor::new(BROKEN)),
    };
    let (mut games, mut wrong) = (0, 0);
    for read in plydex::read_games(text)? {
        let (game, diagnostics) = read?;
        games += 1;
        let plies = game.header().plies;
        println!("{}: {plies} plies", game.tag("Event").unwrap_or("?"));
        for diagnostic in diagnostics {
            wrong += 1;
            println!("  byte {}: {}", diagnostic.offset_bytes, diagnostic.message);
            println!("    {}", diagnostic.detail);
        }
    }
    println!("{games} games, {wrong} diagnostics");
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
