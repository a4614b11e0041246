//! What is in games as rows of tables, for statements and for files of plain tables.

use std::{cell::RefCell, ops::Range, rc::Rc};

use super::{
    games::GameReader,
    locate::{self, SearchTarget},
    movetext::{MoveNotation, number_after},
    ruleset,
    select::SelectedGame,
    values::views_of,
};
use crate::{
    base::{range_map::RangeMap, record::GameId},
    games::{
        BoardGame, Cursor, Stepper,
        position_input::{self, ExpectedVariants},
        variation_tree::{Annotation, CorruptTree, TreeEvent, TreeReader},
        with_game,
    },
    pgn::{
        parser::{
            comment::{self, CommandValue, CommentValue},
            eval_view::{EvalEvidence, EvalViews},
        },
        writer::VariationText,
    },
    query::PositionQuery,
    replay::Annotations,
    store::{
        FactReader, GameRows, PositionRow, RowField, SqlError, SqlTable, Store, StoreError,
        TableRow, TableSource,
    },
};

/// The games of a database as tables.
#[derive(Debug)]
pub struct GameTables<'s> {
    store: &'s Store,
    games: RefCell<GameReader<'s>>,
    last_game: GameId,
    /// Games that are not there any more.
    removed: RangeMap,
    /// Positions that were requested lately: joins need several in turn.
    asked: RefCell<Vec<PositionLookup>>,
}

/// Positions that are kept at most.
const ASKED_MAX: usize = 16;

/// A position as it was typed, and as it is searched for.
type PositionLookup = (String, Rc<LookupTarget>);

/// A position that is searched for.
#[derive(Debug)]
struct LookupTarget {
    targets: Vec<SearchTarget>,
    /// The variants whose games are searched, if not all are.
    variants: Option<Vec<u8>>,
}

impl LookupTarget {
    /// Whether a game is of a variant that is searched.
    fn is_of_variant(&self, facts: &mut FactReader<'_>, game: GameId) -> Result<bool, StoreError> {
        let Some(variants) = &self.variants else {
            return Ok(true);
        };
        let variant = facts.get(game)?.variant;
        Ok(variants.iter().any(|&own| u32::from(own) == variant))
    }
}

impl<'s> GameTables<'s> {
    /// The tables of a database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read.
    pub fn new(store: &'s Store) -> Result<Self, StoreError> {
        Ok(Self {
            store,
            games: RefCell::new(GameReader::new(store)),
            last_game: store.last_game()?,
            removed: store.removed()?,
            asked: RefCell::default(),
        })
    }

    /// A position as it is searched for.
    fn asked(&self, text: &str) -> Result<Rc<LookupTarget>, SqlError> {
        let mut asked = self.asked.borrow_mut();
        if let Some((_, position)) = asked.iter().find(|(known, _)| known == text) {
            return Ok(Rc::clone(position));
        }
        let read = position_input::requested_position(text, &ExpectedVariants::default())
            .map_err(|error| SqlError::statement(error.to_string(), error.hint.as_ref()))?;
        let mut position = PositionQuery {
            own_rules: true,
            ask_turn: read.fields.turn,
            ask_castling: read.fields.castling,
            ask_en_passant: read.fields.ep,
            in_variations: true,
            ..PositionQuery::of(read.at)
        };
        // As a search treats a position: of the games that are played by its rules.
        let variants = ruleset::own(self.store, &position)?;
        if !ruleset::instead(self.store, &position)?.is_empty() {
            (position.own_rules, position.ask_variant) = (false, false);
        }
        let position = Rc::new(LookupTarget {
            targets: SearchTarget::all(&position),
            variants,
        });
        if asked.len() == ASKED_MAX {
            asked.remove(0);
        }
        asked.push((text.to_owned(), Rc::clone(&position)));
        Ok(position)
    }
}

impl TableSource for GameTables<'_> {
    fn last_game(&self) -> Result<GameId, StoreError> {
        Ok(self.last_game)
    }

    fn verify_checksum(&self, game: GameId) -> Result<(), StoreError> {
        self.games.borrow_mut().verify_checksum(game)
    }

    fn rows(&self, game: GameId, tables: &[SqlTable]) -> Result<GameRows, StoreError> {
        // Most games are in blocks that are in memory, so that the database is rarely queried.
        self.store.go_on()?;
        if self.removed.contains(game) {
            return Ok(GameRows::default());
        }
        let mut games = self.games.borrow_mut();
        let mut rows = match tables {
            [SqlTable::Results] => GameRows::default(),
            _ => games.with_annotations(game, |start, main_line, annotations| {
                with_game!(AnyPosition of start, at => rows_of(at, main_line, annotations, tables))
            })?,
        };
        if tables.contains(&SqlTable::Results)
            && let Some(header) = games.header(game)?
        {
            let [result, written] =
                [&header.result, &header.result_written].map(|text| RowField::text(text));
            rows.tables[SqlTable::Results as usize].push(TableRow {
                line: 0,
                ply: header.plies,
                values: [result, written, RowField::Null],
            });
        }
        Ok(rows)
    }

    fn positions(&self, text: &str, part: usize) -> Result<Option<Vec<PositionRow>>, SqlError> {
        let asked = self.asked(text)?;
        let segments = self.store.index()?;
        let Some(segment) = segments.get(part) else {
            return Ok(None);
        };
        let found = locate::matches(self.store, segment, &asked.targets)?;
        let mut facts = self.store.facts();
        let mut rows = Vec::new();
        for found in &found {
            let game = segment.first_game + u64::from(found.game);
            if !self.removed.contains(game) && asked.is_of_variant(&mut facts, game)? {
                rows.push(PositionRow {
                    game,
                    in_variation: found.in_variation,
                });
            }
        }
        Ok(Some(rows))
    }

    fn position_in(&self, text: &str, game: GameId) -> Result<Option<PositionRow>, SqlError> {
        let asked = self.asked(text)?;
        if !(1..=self.last_game).contains(&game)
            || self.removed.contains(game)
            || !asked.is_of_variant(&mut self.store.facts(), game)?
        {
            return Ok(None);
        }
        let reached = self.games.borrow_mut().reaches(game, &asked.targets)?;
        Ok(reached.map(|in_variation| PositionRow { game, in_variation }))
    }

    fn place(&self, text: &str, row: PositionRow) -> Result<(u32, Option<String>), SqlError> {
        let asked = self.asked(text)?;
        let PositionRow { game, in_variation } = row;
        let found = SelectedGame { game, in_variation };
        let (place, next_move, _) = self.games.borrow_mut().visit(found, &asked.targets)?;
        Ok((place.ply, next_move))
    }
}

/// A line that is being written out.
#[derive(Debug, Default)]
struct OpenLine {
    /// Its number.
    line: u32,
    /// Plies from the start of the game.
    ply: u32,
    /// Variations of that ply so far.
    branches: u32,
    /// Where its row is, and where its text begins in that of the outermost variation.
    row: usize,
    text_from: usize,
}

/// Rows as they are gathered.
struct RowBuffer<'t> {
    tables: &'t [SqlTable],
    /// Whether the side that usually moves second begins.
    second_begins: bool,
    annotations: Option<&'t Annotations<'t>>,
    /// From whose view evaluations are written, once that was needed.
    views: Option<EvalViews>,
    rows: GameRows,
    /// The lines that are open, the main line first.
    open: Vec<OpenLine>,
    /// The current outermost variation, and the rows of those in it with their parts of it.
    variation: VariationText,
    parts: Vec<(usize, Range<usize>)>,
}

impl RowBuffer<'_> {
    fn wants(&self, table: SqlTable) -> bool {
        self.tables.contains(&table)
    }

    /// The current line.
    fn line(&mut self) -> &mut OpenLine {
        if self.open.is_empty() {
            self.open.push(OpenLine::default());
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// Adds a row at the current place; of a table that is not requested, none.
    fn push(&mut self, table: SqlTable, values: [RowField; 3]) {
        if self.wants(table) {
            let &mut OpenLine { line, ply, .. } = self.line();
            self.rows.tables[table as usize].push(TableRow { line, ply, values });
        }
    }

    /// A variation of the current ply: its line, and its row, where texts are missing yet.
    fn branch(&mut self, depth: usize, text: RowField) -> u32 {
        let at = self.line();
        at.branches += 1;
        let (parent, ply, nth) = (at.line, at.ply, at.branches);
        let line = self.rows.paths.add(parent, ply, nth);
        if self.wants(SqlTable::Variations) {
            self.rows.tables[SqlTable::Variations as usize].push(TableRow {
                line,
                ply,
                values: [text, RowField::Integer(depth as i64), RowField::Null],
            });
        }
        line
    }

    fn begin(&mut self, depth: usize) {
        let line = self.branch(depth, RowField::Null);
        self.variation.open(depth > 1);
        let before = self.line().ply.saturating_sub(1);
        self.open.push(OpenLine {
            line,
            ply: before,
            branches: 0,
            row: self.rows.tables[SqlTable::Variations as usize]
                .len()
                .wrapping_sub(1),
            text_from: if depth > 1 { self.variation.inner() } else { 0 },
        });
    }

    fn end(&mut self) -> Result<(), CorruptTree> {
        let ended = self.open.pop().ok_or(CorruptTree)?;
        if self.open.len() > 1 {
            self.variation.close();
            let part = ended.text_from..self.variation.inner_end();
            self.parts.push((ended.row, part));
            return Ok(());
        }
        let text: Rc<str> = self.variation.take().into();
        self.parts.push((ended.row, 0..text.len()));
        for (row, part) in self.parts.drain(..) {
            if let Some(row) = self.rows.tables[SqlTable::Variations as usize].get_mut(row) {
                row.values[0] = RowField::Text(Rc::clone(&text), part);
            }
        }
        Ok(())
    }

    /// A comment, with the times and evaluations in it.
    fn comment(&mut self, text: &str, kind: &'static str) {
        if self.wants(SqlTable::Comments) {
            let values = [RowField::text(text), RowField::Word(kind), RowField::Null];
            self.push(SqlTable::Comments, values);
        }
        if !(self.wants(SqlTable::Clocks) || self.wants(SqlTable::Evals)) {
            return;
        }
        let second_moved = (self.line().ply % 2 == 1) == self.second_begins;
        let annotations = self.annotations;
        let known = &mut self.views;
        let evals = annotations.map(|of| of.evals).unwrap_or_default();
        let none = || EvalEvidence::default().views(evals);
        let views = || *known.get_or_insert_with(|| annotations.map_or_else(none, views_of));
        for CommentValue { name, value } in comment::values(text, second_moved, evals, views) {
            let depth =
                |depth: Option<u32>| depth.map_or(RowField::Null, |n| RowField::Integer(n.into()));
            match value {
                CommandValue::Time { milliseconds } => {
                    let seconds = RowField::Real(milliseconds as f64 / 1000.0);
                    let kind = RowField::text(name);
                    self.push(SqlTable::Clocks, [seconds, kind, RowField::Null]);
                }
                CommandValue::Centipawns {
                    centipawns,
                    depth: at_depth,
                } => {
                    let pawns = RowField::Real(f64::from(centipawns) / 100.0);
                    self.push(SqlTable::Evals, [pawns, RowField::Null, depth(at_depth)]);
                }
                CommandValue::Mate {
                    moves,
                    depth: at_depth,
                } => {
                    let mate = RowField::Integer(moves.into());
                    self.push(SqlTable::Evals, [RowField::Null, mate, depth(at_depth)]);
                }
                CommandValue::Squares(_) | CommandValue::Arrows(_) | CommandValue::Unknown => {}
            }
        }
    }
}

/// The rows of a game.
fn rows_of<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    annotations: Option<&Annotations<'_>>,
    tables: &[SqlTable],
) -> Result<GameRows, CorruptTree> {
    let mut reader = match annotations {
        Some(annotations) => annotations.reader(start, main_line)?,
        None => TreeReader::plain(Stepper::new(start), main_line),
    };
    let mut gathered = RowBuffer {
        tables,
        second_begins: start.turn() == 1,
        annotations,
        views: None,
        rows: GameRows::default(),
        open: vec![OpenLine::default()],
        variation: VariationText::default(),
        parts: Vec::new(),
    };
    let (has_moves, has_variations) = (
        gathered.wants(SqlTable::Moves),
        gathered.wants(SqlTable::Variations),
    );
    if annotations.is_none() && !has_moves {
        return Ok(gathered.rows);
    }
    let writing = MoveNotation::default();
    loop {
        let mut named = None;
        let is_named = has_moves || (has_variations && reader.walk().depth() > 0);
        let step = reader.step(|cursor| {
            if is_named && let Some(m) = cursor.pending() {
                let at = cursor.at();
                let uci = has_moves.then(|| {
                    let [_, uci] = at.named(at.code(m), G::detail(m));
                    uci
                });
                let text = at.clone().write_and_play(m, writing.form);
                named = Some((text, uci));
            }
        })?;
        let Some((step, text)) = step else {
            return Ok(gathered.rows);
        };
        let walk = reader.walk();
        let depth = walk.depth();
        let is_written = has_variations && depth > 0;
        match step {
            TreeEvent::Ply(_) => {
                let line = gathered.line();
                line.ply += 1;
                line.branches = 0;
                if let Some((text, uci)) = named {
                    if is_written {
                        let (number, is_second) = number_after(start.number(), walk.ply() - 1);
                        gathered.variation.ply(number, is_second, &text);
                    }
                    if let Some(uci) = uci {
                        let values = [RowField::text(&text), RowField::text(&uci), RowField::Null];
                        gathered.push(SqlTable::Moves, values);
                    }
                }
            }
            TreeEvent::Nag(number) => {
                if is_written {
                    gathered.variation.nag(number);
                }
                let values = [
                    RowField::Integer(number.into()),
                    RowField::Null,
                    RowField::Null,
                ];
                gathered.push(SqlTable::Nags, values);
            }
            TreeEvent::Mark(Annotation::VariationStart) => gathered.begin(depth),
            TreeEvent::Mark(Annotation::VariationEnd) => gathered.end()?,
            TreeEvent::Mark(Annotation::Comment) => {
                if is_written {
                    gathered.variation.comment(&text);
                }
                gathered.comment(&text, "brace");
            }
            TreeEvent::Mark(Annotation::LineComment) => {
                if is_written {
                    gathered.variation.line_comment(&text);
                }
                gathered.comment(&text, "line");
            }
            TreeEvent::Mark(Annotation::VariationText) => {
                gathered.branch(depth + 1, RowField::text(&text));
                if is_written {
                    gathered.variation.kept(&format!("({text})"));
                }
            }
            TreeEvent::Mark(_) if is_written => gathered.variation.kept(&text),
            TreeEvent::Mark(_) => {}
        }
    }
}
