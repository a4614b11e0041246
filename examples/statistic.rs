//! A statistic of one's own: how long kings of each side wait until they castle.
//!
//! `cargo run --example statistic -- sample-data/pgn`

#![expect(clippy::print_stdout, reason = "a program of the command line")]

use plydex::{Database, ImportOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = std::env::args().nth(1);
    let files = files.unwrap_or_else(|| "sample-data/pgn".to_owned());

    let folder = tempfile::tempdir()?;
    let database = Database::create(folder.path().join("games.plydex"))?;
    database.import([files], &ImportOptions::default())?;

    // Games and moves of White and of Black, and games without castling.
    let (mut castled, mut moves, mut never) = ([0_u32; 2], [0; 2], 0);
    for game in database.games(&"variant:chess".parse()?)? {
        let mut is_castled = [false; 2];
        for ply in game?.positions() {
            let side = (ply.number as usize + 1) % 2;
            if ply.name.starts_with("O-O") && !is_castled[side] {
                is_castled[side] = true;
                castled[side] += 1;
                moves[side] += ply.number.div_ceil(2);
            }
        }
        never += u32::from(is_castled == [false; 2]);
    }
    for (side, name) in ["White", "Black"].into_iter().enumerate() {
        let mean = f64::from(moves[side]) / f64::from(castled[side].max(1));
        println!(
            "{name} castled in {} games, on average at move {mean:.1}",
            castled[side]
        );
    }
    println!("in {never} games no side castled");
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
