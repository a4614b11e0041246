//! What is in a database, and whether it is sound.

use std::io::{self, Write};

use super::number::{bytes, count, counted, percent};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{BAD, DIM, HEADING, TerminalInfo};
use crate::database::{CheckReport, DamagedGames, Info, ReindexReport, RepairReport};

/// Parts of the file below this size make one line.
const SMALL_BYTES: u64 = 100_000;

/// Draws what is in a database.
pub fn write(out: &mut dyn Write, screen: &TerminalInfo, info: &Info) -> io::Result<()> {
    writeln!(out, "{}", screen.paint(HEADING, &screen.safe(&info.path)))?;
    let mut table = Table::new([Column::left(""), Column::right(""), Column::left("")]).indent(2);
    let mut fact = |name: &str, number: String, remark: String| {
        table.row(vec![name.into(), number.into(), Cell::styled(remark, DIM)]);
    };
    let span = match (&info.first_date, &info.last_date) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    };
    fact("games", count(info.games), span);
    if info.removed > 0 {
        let way_back = "kept for `plydex undo`".to_owned();
        fact("removed", count(info.removed), way_back);
    }
    let a_game = |number: u64| number as f64 / info.games.max(1) as f64;
    let plies_a_game = if info.games > 0 {
        format!("{:.1} a game", a_game(info.plies))
    } else {
        String::new()
    };
    fact("plies", count(info.plies), plies_a_game);
    let segments = counted(info.segments, "segment", "segments");
    fact(
        "positions",
        count(info.positions),
        format!("indexed in {segments}"),
    );
    fact("players", count(info.players), String::new());
    fact("events", count(info.events), String::new());
    fact("sites", count(info.sites), String::new());
    fact("sources", count(info.sources), String::new());
    fact("schema", info.schema_version.to_string(), String::new());
    table.write(out, screen)?;

    if info.variants.len() > 1 {
        writeln!(out, "\n{}", screen.paint(HEADING, "Variants"))?;
        let mut table = Table::new([Column::left(""), Column::right("")]).indent(2);
        for (name, games) in &info.variants {
            table.row(vec![screen.safe(name).into(), count(*games).into()]);
        }
        table.write(out, screen)?;
    }

    writeln!(out, "\n{}", screen.paint(HEADING, "Size"))?;
    let columns = [
        Column::left(""),
        Column::right(""),
        Column::right(""),
        Column::right(""),
    ];
    let mut table = Table::new(columns).indent(2);
    let mut part = |name: &str, size: u64| {
        let each = if info.games > 0 {
            format!("{:.0} B a game", a_game(size))
        } else {
            String::new()
        };
        table.row(vec![
            screen.safe(name).into(),
            bytes(size).into(),
            percent(size, info.bytes, 0).into(),
            Cell::styled(each, DIM),
        ]);
    };
    let small = |size: u64| size < SMALL_BYTES;
    let (folded, shown): (Vec<_>, Vec<_>) = info.parts.iter().partition(|&&(_, size)| small(size));
    for (name, size) in shown {
        part(name, *size);
    }
    match folded.as_slice() {
        // Of a small file the total says all.
        folded if folded.len() == info.parts.len() => {}
        [] => {}
        [(name, size)] => part(name, *size),
        _ => {
            let size = folded.iter().map(|&&(_, size)| size).sum();
            part(&format!("other ({} parts)", folded.len()), size);
        }
    }
    part("total", info.bytes);
    table.write(out, screen)
}

/// Draws what a check found.
pub fn check(out: &mut dyn Write, screen: &TerminalInfo, report: &CheckReport) -> io::Result<()> {
    for problem in &report.problems {
        writeln!(
            out,
            "{} {}",
            screen.paint(BAD, "problem:"),
            screen.safe(problem)
        )?;
    }
    if report.unindexed > 0 {
        writeln!(
            out,
            "{} of an import that was broken off: the next import or `plydex reindex` files the \
             positions; until then these games are replayed to find them",
            counted(report.unindexed, "game", "games"),
        )?;
    }
    if report.without_columns > 0 {
        writeln!(
            out,
            "{} without columns, because a `plydex reindex` was interrupted: queries scan \
             them until it is run again",
            counted(report.without_columns, "game", "games"),
        )?;
    }
    let removed = match report.removed {
        0 => String::new(),
        removed => format!(", {}", counted(removed, "removed game", "removed games")),
    };
    let done = format!(
        "{}{removed} and {} checked",
        counted(report.games, "game", "games"),
        counted(report.positions, "position", "positions")
    );
    let verdict = match report.problems.len() as u64 {
        0 => "no problem found".to_owned(),
        problems => counted(problems, "problem", "problems"),
    };
    writeln!(out, "{done}: {verdict}")
}

/// Lists what a repair could not copy as it was.
pub fn repair(out: &mut dyn Write, screen: &TerminalInfo, report: &RepairReport) -> io::Result<()> {
    for DamagedGames { first, last, what } in &report.damaged {
        let games = if first == last {
            format!("game {first}")
        } else {
            format!("games {first} to {last}")
        };
        let what = screen.safe(what);
        writeln!(out, "{} {games}: {what}", screen.paint(BAD, "lost:"))?;
    }
    for table in &report.tables {
        let lost = screen.paint(BAD, "lost:");
        writeln!(out, "{lost} rows of table {table}")?;
    }
    let RepairReport {
        games,
        intact,
        lost,
        ..
    } = *report;
    writeln!(
        out,
        "{} copied: {} intact, {} damaged, {} lost",
        counted(games, "game", "games"),
        count(intact),
        count(games - intact - lost),
        count(lost)
    )
}

/// Says what was rebuilt.
pub fn reindex(out: &mut dyn Write, report: &ReindexReport) -> io::Result<()> {
    if report.is_nothing() {
        let schema = report.schema;
        return writeln!(out, "the database is up to date already (schema {schema})");
    }
    let mut done = Vec::new();
    if report.comment_line_games > 0 {
        let games = counted(report.comment_line_games, "game", "games");
        done.push(format!("lines in comments of {games} packed"));
    }
    if report.segments > 0 {
        let segments = counted(report.segments, "segment", "segments");
        done.push(format!("{segments} of the index built again"));
    }
    if report.column_games > 0 {
        let games = counted(report.column_games, "game", "games");
        done.push(format!("columns of {games} built"));
    }
    if report.top_game_games > 0 {
        let games = counted(report.top_game_games, "game", "games");
        done.push(format!("crowded positions of {games} indexed"));
    }
    if report.opening_games > 0 {
        let games = counted(report.opening_games, "game", "games");
        done.push(format!("openings of {games} named"));
    }
    if report.indexed_names > 0 {
        let names = counted(report.indexed_names, "player", "players");
        done.push(format!("names of {names} filed"));
    }
    if done.is_empty() && report.interrupted {
        return Ok(());
    }
    let sizes = [report.bytes_before, report.bytes].map(bytes);
    done.push(format!("size {} before, {} now", sizes[0], sizes[1]));
    writeln!(out, "{}", done.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_database() {
        let info = Info {
            path: "plydex.db".into(),
            bytes: 110_234_112,
            schema_version: 1,
            games: 279_090,
            removed: 0,
            plies: 23_256_520,
            positions: 23_535_610,
            players: 41_233,
            events: 9_120,
            sites: 2_010,
            sources: 1,
            segments: 3,
            first_date: Some("1783".into()),
            last_date: Some("2024-05-31".into()),
            parts: vec![
                ("games".into(), 70_000_000),
                ("index".into(), 40_110_112),
                ("players".into(), 102_000),
                ("imports".into(), 14_000),
                ("free pages".into(), 8_000),
            ],
            variants: vec![("chess".into(), 279_000), ("chess960".into(), 90)],
        };
        let mut out = Vec::new();
        write(&mut out, &TerminalInfo::plain(80), &info).expect("a vector takes everything");
        insta::assert_snapshot!(String::from_utf8_lossy(&out), @r"
        plydex.db
          games         279,090  1783 to 2024-05-31
          plies      23,256,520  83.3 a game
          positions  23,535,610  indexed in 3 segments
          players        41,233
          events          9,120
          sites           2,010
          sources             1
          schema              1

        Variants
          chess     279,000
          chess960       90

        Size
          games             70.0 MB   64%  251 B a game
          index             40.1 MB   36%  144 B a game
          players          102.0 kB   <1%    0 B a game
          other (2 parts)   22.0 kB   <1%    0 B a game
          total            110.2 MB  100%  395 B a game
        ");
    }

    #[test]
    fn what_a_check_says() {
        let report = CheckReport {
            games: 1,
            positions: 83,
            problems: vec!["game 1, ply 7: position is not in the index".into()],
            ..CheckReport::default()
        };
        let mut out = Vec::new();
        check(&mut out, &TerminalInfo::plain(80), &report).expect("a vector takes everything");
        insta::assert_snapshot!(String::from_utf8_lossy(&out), @r"
        problem: game 1, ply 7: position is not in the index
        1 game and 83 positions checked: 1 problem
        ");
    }

    #[test]
    fn what_a_reindex_says() {
        let said = |report: &ReindexReport| {
            let mut out = Vec::new();
            reindex(&mut out, report).expect("a vector takes everything");
            String::from_utf8_lossy(&out).into_owned()
        };
        let nothing = ReindexReport {
            schema: 13,
            bytes_before: 8192,
            bytes: 8192,
            ..ReindexReport::default()
        };
        insta::assert_snapshot!(said(&nothing), @"the database is up to date already (schema 13)");
        let report = ReindexReport {
            comment_line_games: 7,
            segments: 1,
            column_games: 1234,
            top_game_games: 1234,
            opening_games: 1200,
            bytes_before: 110_234_112,
            ..nothing
        };
        insta::assert_snapshot!(said(&report), @"lines in comments of 7 games packed; 1 segment of the index built again; columns of 1,234 games built; crowded positions of 1,234 games indexed; openings of 1,200 games named; size 110.2 MB before, 8.2 kB now");
    }
}
