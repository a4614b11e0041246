//! The door to the library: every call of the commands into the rooms behind.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, san::San};

use crate::diagnostic::Code;
use crate::observe::Observer;
use crate::query::{Filter, PositionQuery, Query};
use crate::record::{Game, GameId};
use crate::search::{Found, Tree};

use super::error::CliError;

/// How an import is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Threads; `None` is one per core.
    pub threads: Option<usize>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportSummary {
    /// Sources that were opened.
    pub sources: u64,
    /// Games seen: stored, duplicate and rejected together.
    pub seen: u64,
    /// Games stored.
    pub stored: u64,
    /// Games that the database has already.
    pub duplicate: u64,
    /// Games that could not be kept in any form.
    pub rejected: u64,
    /// Plies stored and indexed.
    pub plies: u64,
    /// Positions indexed.
    pub positions: u64,
    /// Findings by code.
    pub diagnostics: Vec<(Code, u64)>,
    /// Ctrl-C came before the end.
    pub interrupted: bool,
    /// Size of the database afterwards.
    pub database_bytes: u64,
    /// Known sources that were passed over.
    pub unchanged_sources: Vec<String>,
    /// Sources that could not be read (to the end), and why.
    pub sources_failed: Vec<(String, String)>,
}

/// What is in a database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Info {
    /// The file.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Version of its schema.
    pub schema_version: u32,
    /// Games.
    pub games: u64,
    /// Plies of all main lines.
    pub plies: u64,
    /// Positions in the index.
    pub positions: u64,
    /// Different players.
    pub players: u64,
    /// Different events.
    pub events: u64,
    /// Different sites.
    pub sites: u64,
    /// Imported sources.
    pub sources: u64,
    /// Segments of the position index.
    pub segments: u64,
    /// Earliest known date, as `yyyy-mm-dd` or the known beginning of it.
    pub first_date: Option<String>,
    /// Latest known date, likewise.
    pub last_date: Option<String>,
    /// Bytes by part of the database.
    pub parts: Vec<(String, u64)>,
    /// Games by variant.
    pub variants: Vec<(String, u64)>,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CheckReport {
    /// Games that were replayed.
    pub games: u64,
    /// Positions that were compared with the index.
    pub positions: u64,
    /// What is wrong, and where.
    pub problems: Vec<String>,
    /// Ctrl-C came before the end.
    pub interrupted: bool,
}

/// The position of a game after some plies.
#[derive(Debug, Clone)]
pub struct BoardAt {
    /// The position.
    pub position: Chess,
    /// Its FEN.
    pub fen: String,
    /// The move that led to it, in SAN; `None` for the start position.
    pub last_move: Option<String>,
}

/// Which fields a FEN had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each field of a FEN")]
pub struct Fields {
    /// Side to move.
    pub turn: bool,
    /// Castling rights.
    pub castling: bool,
    /// En passant square.
    pub ep: bool,
    /// Both counters.
    pub counters: bool,
}

/// A position as it was typed.
#[derive(Debug, Clone)]
pub struct PositionText {
    /// The position.
    pub position: Chess,
    /// The fields that were given; all of them for moves and `startpos`.
    pub fields: Fields,
    /// What was read with a grain of salt.
    pub warnings: Vec<String>,
}

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardStyle {
    /// Letters instead of figures.
    pub ascii: bool,
    /// From Black's side.
    pub flip: bool,
}

fn not_wired<T>(what: &str) -> Result<T, CliError> {
    Err(CliError::new(format!("{what} is not wired yet")))
}

/// Imports sources.
pub fn import(
    _db: &Path,
    _paths: &[PathBuf],
    _options: ImportOptions,
    _observer: &dyn Observer,
) -> Result<ImportSummary, CliError> {
    not_wired("import")
}

/// Finds games.
pub fn search(_db: &Path, _query: &Query) -> Result<Found, CliError> {
    not_wired("search")
}

/// Counts games; order and paging of the query do not matter.
pub fn count(_db: &Path, _query: &Query) -> Result<u64, CliError> {
    not_wired("count")
}

/// The next moves from a position.
pub fn tree(_db: &Path, _position: &PositionQuery, _filter: &Filter) -> Result<Tree, CliError> {
    not_wired("tree")
}

/// One whole game.
pub fn game(_db: &Path, _game: GameId) -> Result<Option<Game>, CliError> {
    not_wired("show")
}

/// Gives the whole games of a query in its order, until the visitor breaks.
/// Returns how many were given.
pub fn for_each_game(
    _db: &Path,
    _query: &Query,
    _visit: &mut dyn FnMut(&Game) -> ControlFlow<()>,
) -> Result<u64, CliError> {
    not_wired("export")
}

/// The position of a game after `ply` plies; `None` is its last indexed ply.
/// An error where the game has fewer plies or cannot be replayed.
pub fn board_at(_db: &Path, _game: GameId, _ply: Option<u32>) -> Result<(u32, BoardAt), CliError> {
    not_wired("show --ply")
}

/// What is in the database.
pub fn info(_db: &Path) -> Result<Info, CliError> {
    not_wired("info")
}

/// Checks the database.
pub fn check(_db: &Path, _observer: &dyn Observer) -> Result<CheckReport, CliError> {
    not_wired("check")
}

/// Reads a position as people type it.
///
/// Stand-in for `notation::position_text::read`: full FEN, `startpos`, SAN.
pub fn read_position(text: &str) -> Result<PositionText, CliError> {
    let all = Fields {
        turn: true,
        castling: true,
        ep: true,
        counters: true,
    };
    let bad = |error: &(dyn std::error::Error + 'static)| {
        CliError::new(format!("`{text}` is no position")).because(error)
    };
    let given = |position| PositionText {
        position,
        fields: all,
        warnings: Vec::new(),
    };
    if text.trim() == "startpos" {
        return Ok(given(Chess::default()));
    }
    if text.contains('/') {
        let fen: Fen = text.parse().map_err(|e| bad(&e))?;
        let position = fen
            .into_position(CastlingMode::Chess960)
            .map_err(|e| bad(&e))?;
        let fields = text.split_whitespace().count();
        let fields = Fields {
            turn: fields > 1,
            castling: fields > 2,
            ep: fields > 3,
            counters: fields > 5,
        };
        return Ok(PositionText {
            fields,
            ..given(position)
        });
    }
    let mut position = Chess::default();
    for word in text.split_whitespace() {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if !word.is_empty() {
            let san: San = word.parse().map_err(|e| bad(&e))?;
            let play = san.to_move(&position).map_err(|e| bad(&e))?;
            position.play_unchecked(play);
        }
    }
    Ok(given(position))
}

/// Reads `--from` or `--to`, packed as [`Filter::date_from`] has it.
///
/// Stand-in for `tags::date`.
pub fn parse_date(text: &str) -> Result<u32, String> {
    let bad = || format!("`{text}` is no date; write 2019, 2019-05 or 2019-05-31");
    let mut packed = 0;
    let mut parts = text.split(['-', '.', '/']);
    for most in [9999, 12, 31] {
        packed *= if most == 9999 { 1 } else { 100 };
        if let Some(part) = parts.next() {
            let number: u32 = part.parse().map_err(|_| bad())?;
            if number == 0 || number > most {
                return Err(bad());
            }
            packed += number;
        }
    }
    if parts.next().is_some() || packed < 1_000_000 {
        return Err(bad());
    }
    Ok(packed)
}

/// The registry number of a variant.
///
/// Stand-in for the registry.
pub fn variant_id(name: &str) -> Result<u8, String> {
    match name.trim().to_ascii_lowercase().as_str() {
        "chess" | "standard" => Ok(0),
        "chess960" => Ok(1),
        _ => Err(format!(
            "`{name}` is no variant that is known; write chess or chess960"
        )),
    }
}

/// Draws a board, without a line break at the end.
///
/// Stand-in for `notation::board::draw`.
pub fn draw_board(board: &BoardAt, style: BoardStyle) -> String {
    let mut lines = Vec::new();
    for row in 0..8 {
        let rank = if style.flip { row } else { 7 - row };
        let mut line = format!("{}  ", rank + 1);
        for column in 0..8 {
            let file = if style.flip { 7 - column } else { column };
            let square = shakmaty::Square::new(rank * 8 + file);
            line.push(match board.position.board().piece_at(square) {
                Some(piece) if style.ascii => piece.char(),
                Some(piece) => {
                    let index = "KQRBNPkqrbnp".find(piece.char()).unwrap_or(0);
                    "♔♕♖♗♘♙♚♛♜♝♞♟".chars().nth(index).unwrap_or('?')
                }
                None => '.',
            });
            line.push(' ');
        }
        lines.push(line.trim_end().to_owned());
    }
    let files = if style.flip {
        "h g f e d c b a"
    } else {
        "a b c d e f g h"
    };
    lines.push(format!("\n   {files}"));
    lines.join("\n")
}
