//! The legal moves of a position, with its board.

use std::io::{self, Write};

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::number::counted;
use super::table::{Column, Table};
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::games::ListedMove;

/// A position and its moves.
#[derive(Debug, Serialize)]
pub struct MovesAnswer {
    /// Word of the variant.
    pub variant: &'static str,
    /// Its name.
    #[serde(skip)]
    pub title: &'static str,
    /// What the side to move is called: `white`, `red` or `black`.
    pub turn: &'static str,
    /// The position.
    pub fen: String,
    /// How the game is over, if it is.
    pub end: Option<String>,
    /// Every legal move.
    pub moves: Vec<ListedMove>,
    /// The drawing.
    #[serde(skip)]
    pub board: String,
}

/// Draws the board, the FEN and the moves.
pub fn write(out: &mut dyn Write, screen: &TerminalInfo, answer: &MovesAnswer) -> io::Result<()> {
    let (first, rest) = answer.turn.split_at(1);
    let side = first.to_uppercase() + rest;
    let caption = format!("{}, {side} to move", answer.title);
    writeln!(out, "{}\n", screen.paint(HEADING, &caption))?;
    write!(out, "{}", answer.board)?;
    writeln!(out, "\n{}\n", screen.paint(DIM, &answer.fen))?;
    if let Some(over) = &answer.end {
        writeln!(out, "{}", screen.paint(STRONG, over))?;
    }
    if answer.moves.is_empty() {
        return writeln!(out, "{side} has no legal move");
    }
    let captures = answer.moves.iter().any(|m| {
        m.takes
            .as_ref()
            .is_some_and(|captured| !captured.is_empty())
    });
    let number = if captures {
        counted(answer.moves.len() as u64, "capture", "captures")
    } else {
        counted(answer.moves.len() as u64, "move", "moves")
    };
    writeln!(out, "{}", screen.paint(HEADING, &number))?;
    if captures {
        let columns = [Column::left(""), Column::left("").wraps()];
        let mut table = Table::new(columns).indent(2);
        for m in &answer.moves {
            let taken = m.takes.as_deref().unwrap_or_default().join(", ");
            let crown = if m.promotes == Some(true) {
                " and becomes a king"
            } else {
                ""
            };
            table.row(vec![
                m.text.as_str().into(),
                format!("takes {taken}{crown}").into(),
            ]);
        }
        return table.write(out, screen);
    }
    words(out, screen, &answer.moves)
}

/// The moves in columns, read across.
fn words(out: &mut dyn Write, screen: &TerminalInfo, moves: &[ListedMove]) -> io::Result<()> {
    const GAP: usize = 2;
    const COLUMNS_MAX: usize = 10;
    let width = moves.iter().map(|m| m.text.width()).max().unwrap_or(0) + GAP;
    let room = screen.columns.saturating_sub(GAP);
    let columns = (room / width).clamp(1, COLUMNS_MAX);
    for line in moves.chunks(columns) {
        let mut text = String::new();
        for m in line {
            text.push_str(&" ".repeat(GAP));
            text.push_str(&m.text);
            text.push_str(&" ".repeat(width - GAP - m.text.width()));
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}
