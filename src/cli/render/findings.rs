//! Findings about the data, with their places, and how many there are.

use std::io::{self, Write};

use clap::builder::styling::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::number::{count, counted};
use super::table::{Cell, Column, Table};
use super::{csv, json};
use crate::base::diagnostic::{Code, Severity};
use crate::cli::commands::diagnostics::FindingFormat;
use crate::cli::error::CliError;
use crate::cli::terminal::{BAD, DIM, HEADING, STRONG, TerminalInfo, WARN};
use crate::database::{FindingQuery, FindingTotals, StoredFinding};

/// Findings one below the other, in one of the formats.
pub struct Findings<'o> {
    out: Box<dyn Write + 'o>,
    screen: TerminalInfo,
    format: FindingFormat,
    is_first: bool,
}

const COLUMNS: [&str; 12] = [
    "code",
    "severity",
    "source",
    "game_number",
    "game",
    "offset_bytes",
    "line",
    "column",
    "message",
    "detail",
    "import",
    "text",
];

impl<'o> Findings<'o> {
    /// Begins a list of the findings of an import, or of all.
    pub fn begin(
        mut out: Box<dyn Write + 'o>,
        screen: TerminalInfo,
        format: FindingFormat,
        import: Option<u64>,
    ) -> Result<Self, CliError> {
        match format {
            FindingFormat::Text => {}
            FindingFormat::Json => {
                let import = import.map_or_else(|| "null".to_owned(), |import| import.to_string());
                write!(out, "{{\n  \"import\": {import},\n  \"findings\": [")?;
            }
            FindingFormat::Csv => csv::line(&mut *out, &COLUMNS)?,
        }
        Ok(Self {
            out,
            screen,
            format,
            is_first: true,
        })
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: &StoredFinding) -> Result<(), CliError> {
        let is_first = std::mem::take(&mut self.is_first);
        let out = &mut *self.out;
        match self.format {
            FindingFormat::Text => {
                write(out, &self.screen, finding)?;
                writeln!(out)?;
            }
            FindingFormat::Json => json::hit(out, finding, is_first)?,
            FindingFormat::Csv => {
                let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
                let safe = |text: &str| csv::safe(text).into_owned();
                csv::line(
                    out,
                    &[
                        safe(&finding.code),
                        finding.severity.to_owned(),
                        safe(&finding.source),
                        number(finding.game_number),
                        number(finding.game),
                        finding.offset_bytes.to_string(),
                        number(finding.line),
                        number(finding.column),
                        finding.message.to_owned(),
                        safe(&finding.detail),
                        finding.import.to_string(),
                        safe(finding.text.as_deref().unwrap_or_default()),
                    ],
                )?;
            }
        }
        Ok(())
    }

    /// Ends the list with what was counted.
    pub fn end(mut self, asked: &FindingQuery, totals: &FindingTotals) -> Result<(), CliError> {
        let out = &mut *self.out;
        match self.format {
            FindingFormat::Text => {
                let of = match asked.import {
                    Some(import) if totals.is_undone => {
                        format!("import {import}, which was undone")
                    }
                    Some(import) => format!("import {import}"),
                    None => "all imports".to_owned(),
                };
                // Sources have no counts of their own.
                let sources = asked.source.as_ref().map_or("", |_| ", all sources");
                let heading = format!("Findings of {of}{sources}");
                counts(out, &self.screen, &heading, &totals.counts)?;
            }
            FindingFormat::Json => {
                let indent = if self.is_first { "" } else { "\n  " };
                let counts: Vec<_> = totals.counts.iter().map(counted_code).collect();
                let rest = serde_json::json!({
                    "total": totals.total,
                    "counts": counts,
                    "sources_lost": totals.lost,
                    "undone": totals.is_undone,
                });
                let rest = serde_json::to_string_pretty(&rest)?;
                // Its fields go on in the object that was begun.
                writeln!(out, "{indent}],{}", rest.trim_start_matches('{'))?;
            }
            FindingFormat::Csv => {}
        }
        Ok(())
    }
}

/// A code and how often it was found, as JSON.
pub fn counted_code((code, count): &(String, u64)) -> serde_json::Value {
    let known = Code::named(code);
    serde_json::json!({
        "code": code,
        "severity": known.map_or("", |code| code.severity().as_str()),
        "message": known.map_or("", Code::message),
        "count": count,
    })
}

/// What ended a strict import.
pub fn refusal(finding: &StoredFinding) -> CliError {
    let number = |n: Option<u64>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
    let game = finding
        .game_number
        .map_or_else(String::new, |game| format!(" in game {game}"));
    let what = match finding.detail.as_str() {
        "" => finding.message,
        detail => detail,
    };
    let (line, column) = (number(finding.line), number(finding.column));
    let (source, code) = (&finding.source, &finding.code);
    CliError::new(format!("{source}:{line}:{column}: {code}{game}: {what}"))
        .hint("the games before it are stored; correct the file, or leave out --strict")
}

/// How many of how many are shown.
pub fn page(total: u64, shown: u64) -> String {
    match total {
        0 => "no warnings or errors found".to_owned(),
        _ if total == shown => counted(total, "finding", "findings"),
        _ => format!(
            "{} of {} findings; --limit 0 shows all",
            count(shown),
            count(total)
        ),
    }
}

/// Draws a finding: what, where, and the line there.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    finding: &StoredFinding,
) -> io::Result<()> {
    let style = style(Code::named(&finding.code).map(Code::severity));
    let severity = match finding.severity {
        "" => "finding",
        severity => severity,
    };
    let code = screen.safe(&finding.code);
    let head = screen.paint(style, &format!("{severity}[{code}]:"));
    writeln!(out, "{head} {}", screen.paint(STRONG, finding.message))?;
    let gutter = finding.line.map_or(0, |line| line.to_string().len());
    let arrow = screen.paint(DIM, "-->");
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("{line}:{column}"),
        _ => format!("byte {}", finding.offset_bytes),
    };
    let source = match finding.source.as_str() {
        "-" => "standard input".into(),
        source => screen.safe(source),
    };
    let games = match (finding.game_number, finding.game) {
        (Some(number), Some(game)) => format!(" (game {number}, number {game} in the database)"),
        (None, Some(game)) => format!(" (number {game} in the database)"),
        (_, None) => String::new(),
    };
    writeln!(out, "{:gutter$} {arrow} {source}:{place}{games}", "")?;
    let detail = screen.safe(&finding.detail);
    let Some((line, text)) = finding.line.zip(finding.text.as_deref()) else {
        return match finding.detail.as_str() {
            "" => Ok(()),
            _ => writeln!(out, "     {detail}"),
        };
    };
    let bar = screen.paint(DIM, "|");
    let number = screen.paint(DIM, &line.to_string());
    let room = screen.columns.saturating_sub(gutter + 3).max(20);
    let (shown, before, word) = window(screen, text, &finding.word, room);
    writeln!(out, "{number} {bar} {shown}")?;
    let caret = screen.paint(style, &"^".repeat(word.max(1)));
    let mark = format!("{:gutter$} {bar} {:before$}{caret} {detail}", "", "");
    writeln!(out, "{}", mark.trim_end())
}

/// As much of a line around a word as there is room for; how wide it is up to the word, and how
/// wide the word.
fn window(
    screen: &TerminalInfo,
    text: &str,
    word: &std::ops::Range<usize>,
    room: usize,
) -> (String, usize, usize) {
    let plain = |text: &str| screen.safe(&text.replace('\t', " ")).into_owned();
    let width = |c: char| c.width().unwrap_or(0);
    let part = |range| plain(text.get(range).unwrap_or_default());
    let mut before = part(0..word.start);
    let mut behind = part(word.start..text.len());
    let word = part(word.clone()).width();
    let mark = screen.ellipsis();
    // The word and what follows have the first right to half of the room.
    let room_before = room.saturating_sub(behind.width()).max(room / 2);
    if before.width() > room_before {
        let mut left = room_before - mark.width();
        let fits = before.chars().rev().take_while(|&c| {
            let fits = width(c) <= left;
            left = left.saturating_sub(width(c));
            fits
        });
        let kept: usize = fits.map(char::len_utf8).sum();
        before = format!("{mark}{}", &before[before.len() - kept..]);
    }
    let room_behind = room - before.width();
    if behind.width() > room_behind {
        let mut left = room_behind - mark.width();
        let fits = behind.chars().take_while(|&c| {
            let fits = width(c) <= left;
            left = left.saturating_sub(width(c));
            fits
        });
        let kept: usize = fits.map(char::len_utf8).sum();
        behind.truncate(kept);
        behind.push_str(mark);
    }
    let place = before.width();
    let word = word.min(behind.width());
    (before + &behind, place, word)
}

fn style(severity: Option<Severity>) -> Style {
    match severity {
        Some(Severity::Error) => BAD,
        Some(Severity::Warning) => WARN,
        Some(Severity::Note) | None => DIM,
    }
}

/// Draws how often what was found, the gravest and most frequent first; nothing where nothing
/// was.
pub fn counts(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    heading: &str,
    found: &[(String, u64)],
) -> io::Result<()> {
    let known = |code: &str| Code::named(code).map(|code| (code.severity(), code));
    let mut found: Vec<_> = found
        .iter()
        .map(|(code, times)| (known(code), code, *times))
        .collect();
    found.retain(|&(_, _, times)| times > 0);
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by_key(|&(known, _, times)| {
        (
            std::cmp::Reverse(known.map(|(severity, _)| severity)),
            std::cmp::Reverse(times),
            known.map(|(_, code)| code),
        )
    });
    let total = found.iter().map(|&(_, _, times)| times).sum();
    let heading = format!("{heading} ({})", count(total));
    writeln!(out, "{}", screen.paint(HEADING, &heading))?;
    let mut table = Table::new([
        Column::right("Count"),
        Column::left("Severity"),
        Column::left("Code"),
        Column::left("Meaning").wraps(),
    ])
    .indent(2);
    for (known, code, times) in found {
        let severity = known.map(|(severity, _)| severity);
        table.row(vec![
            count(times).into(),
            Cell::styled(severity.map_or("", Severity::as_str), style(severity)),
            screen.safe(code).into_owned().into(),
            known.map_or("", |(_, code)| code.message()).into(),
        ]);
    }
    table.write(out, screen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding() -> StoredFinding {
        StoredFinding {
            code: "illegal-move".into(),
            severity: "error",
            source: "twic1400.zip/twic1400.pgn".into(),
            game_number: Some(6021),
            game: Some(92),
            offset_bytes: 1_234_567,
            line: Some(88_213),
            column: Some(5),
            message: Code::IllegalMove.message(),
            detail: "Bc5 at ply 27".into(),
            import: 1,
            text: Some("14.\tBc5 Rfe8 15. Qd2".into()),
            word: 4..7,
        }
    }

    fn drawn(columns: usize, finding: &StoredFinding) -> String {
        let mut out = Vec::new();
        write(&mut out, &TerminalInfo::plain(columns), finding).expect("writes");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_finding_stands_below_its_line() {
        insta::assert_snapshot!(drawn(80, &finding()), @"
        error[illegal-move]: move is not legal here; the game is kept and indexed up to it
              --> twic1400.zip/twic1400.pgn:88213:5 (game 6021, number 92 in the database)
        88213 | 14. Bc5 Rfe8 15. Qd2
              |     ^^^ Bc5 at ply 27
        ");
    }

    #[test]
    fn of_a_long_line_there_is_what_fits() {
        let text = "a".repeat(50) + " Zz9 " + &"ž".repeat(50);
        let long = StoredFinding {
            line: Some(7),
            text: Some(text),
            word: 51..54,
            detail: String::new(),
            game_number: None,
            ..finding()
        };
        insta::assert_snapshot!(drawn(44, &long), @"
        error[illegal-move]: move is not legal here; the game is kept and indexed up to it
          --> twic1400.zip/twic1400.pgn:7:5 (number 92 in the database)
        7 | …aaaaaaaaaaaaaaaaaa Zz9 žžžžžžžžžžžžžžž…
          |                     ^^^
        ");
        let word = StoredFinding {
            word: 55..155,
            ..long
        };
        assert!(drawn(44, &word).lines().all(|line| line.width() <= 90));
    }

    #[test]
    fn without_its_line_a_finding_has_its_byte() {
        let lost = StoredFinding {
            line: None,
            column: None,
            text: None,
            game: None,
            game_number: None,
            source: "-".into(),
            ..finding()
        };
        insta::assert_snapshot!(drawn(80, &lost), @"
        error[illegal-move]: move is not legal here; the game is kept and indexed up to it
         --> standard input:byte 1234567
             Bc5 at ply 27
        ");
    }
}
