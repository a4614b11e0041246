//! Imports files, and lists the games of a query.
//!
//! `cargo run --example import_and_search -- sample-data/pgn "e4 c5"`

#![expect(clippy::print_stdout, reason = "a program of the command line")]

use plydex::{Database, ImportOptions, Query, SortKey};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let files = words.next().unwrap_or_else(|| "sample-data/pgn".to_owned());
    let text = words.next().unwrap_or_else(|| "e4 e5".to_owned());

    let folder = tempfile::tempdir()?;
    let database = Database::create(folder.path().join("games.plydex"))?;
    let report = database.import([files], &ImportOptions::default())?;
    println!("{} games from {} files", report.stored, report.sources);

    let query = Query::typed(&text)?;
    let search = database
        .search(&query)
        .sort_descending(SortKey::Date)
        .limit(10);
    println!("{text}: {} games", search.count()?);
    for hit in search.hits()? {
        let hit = hit?;
        let next = hit.next_move.as_deref().unwrap_or("-");
        let header = hit.header;
        println!(
            "{:>4}  {:<10}  {} - {}  {}  {next}",
            header.id, header.date, header.white, header.black, header.result
        );
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
