//! What is in games as rows of tables, for statements and for files of plain tables.

mod moves;
mod variations;

use std::{cell::RefCell, rc::Rc};

use super::{
    games::GameReader,
    locate::{self, SearchTarget},
    ruleset,
    select::SelectedGame,
    values::views_of,
};
use crate::{
    base::{range_map::RangeMap, record::GameId},
    games::{
        BoardGame,
        position_input::{self, ExpectedVariants},
        variation_tree::{Annotation, CorruptTree, TreeEvent},
        with_game,
    },
    pgn::parser::{
        comment::{self, CommandValue, CommentValue},
        eval_view::EvalViews,
    },
    query::PositionQuery,
    replay::Annotations,
    store::{
        FactReader, GameRows, LateColumn, LateTexts, LinePaths, PlyRange, PositionRow, RowField,
        RowPlace, SqlError, SqlTable, Store, StoreError, TableSource,
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

    fn rows(
        &self,
        game: GameId,
        tables: &[SqlTable],
        last_ply: u32,
        rows: &mut GameRows,
    ) -> Result<(), StoreError> {
        // Most games are in blocks that are in memory, so that the database is rarely queried.
        self.store.go_on()?;
        if self.removed.contains(game) {
            return Ok(());
        }
        let mut games = self.games.borrow_mut();
        let is_annotated = |table: &SqlTable| !matches!(table, SqlTable::Moves | SqlTable::Results);
        if tables.iter().any(is_annotated) {
            games.with_annotations(game, |start, main_line, annotations| {
                let Some(annotations) = annotations else {
                    return Ok(());
                };
                with_game!(AnyPosition of start, at => {
                    annotated(at, main_line, annotations, tables, rows)
                })
            })?;
        }
        if tables.contains(&SqlTable::Moves) {
            games.with_tree(game, |(_, start), main_line, tree| {
                with_game!(AnyCursor of start, at => {
                    moves::places(&**at, main_line, tree, last_ply, rows)
                })
            })?;
        }
        if tables.contains(&SqlTable::Results)
            && let Some(header) = games.header(game)?
        {
            let place = RowPlace {
                line: 0,
                ply: header.plies,
            };
            let values = [
                rows.text(&header.result),
                rows.text(&header.result_written),
                RowField::Null,
            ];
            rows.push(SqlTable::Results, place, values);
        }
        Ok(())
    }

    fn late_texts(
        &self,
        game: GameId,
        column: LateColumn,
        plies: PlyRange,
        count: usize,
        texts: &mut LateTexts,
    ) -> Result<(), StoreError> {
        let mut games = self.games.borrow_mut();
        let notation = match column {
            LateColumn::Move => Some(moves::Notation::Usual),
            LateColumn::Uci => Some(moves::Notation::Squares),
            LateColumn::Variation => None,
        };
        match notation {
            Some(notation) => games.with_tree(game, |(start, _), main_line, tree| {
                with_game!(AnyPosition of start, at => {
                    moves::texts(at, main_line, tree, (notation, plies), texts)
                })
            })?,
            None => games.with_annotations(game, |start, main_line, annotations| {
                let Some(annotations) = annotations else {
                    return Ok(());
                };
                with_game!(AnyPosition of start, at => {
                    variations::texts(at, main_line, annotations, texts)
                })
            })?,
        }
        if texts.parts.len() < count {
            return Err(self.store.damaged(format!("moves of game {game}")));
        }
        Ok(())
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

/// A line of a game that is gone through.
#[derive(Debug)]
struct OpenLine {
    /// Where it stands.
    place: RowPlace,
    /// Variations of that ply so far.
    branches: u32,
}

impl OpenLine {
    const fn new(line: u32, ply: u32) -> Self {
        let place = RowPlace { line, ply };
        Self { place, branches: 0 }
    }
}

/// The lines that are open: the main line, and the variations that have begun.
#[derive(Debug)]
struct OpenLines {
    main: OpenLine,
    variations: Vec<OpenLine>,
}

impl Default for OpenLines {
    fn default() -> Self {
        Self {
            main: OpenLine::new(0, 0),
            variations: Vec::new(),
        }
    }
}

impl OpenLines {
    /// The current line.
    fn at(&mut self) -> &mut OpenLine {
        self.variations.last_mut().unwrap_or(&mut self.main)
    }

    /// Whether the main line has gone past a ply, so that no variation of it follows.
    const fn is_past(&self, ply: u32) -> bool {
        self.variations.is_empty() && self.main.place.ply > ply
    }

    /// The current line goes on by a ply; where it stands now.
    #[inline]
    fn go_on(&mut self) -> RowPlace {
        let line = self.at();
        line.branches = 0;
        line.place.ply += 1;
        line.place
    }

    /// A variation of the current ply: where its row stands.
    fn branch(&mut self, paths: &mut LinePaths) -> RowPlace {
        let at = self.at();
        at.branches += 1;
        let RowPlace { line, ply } = at.place;
        let line = paths.add(line, ply, at.branches);
        RowPlace { line, ply }
    }

    /// Follows what happens in a tree; where the row of a ply or a variation stands.
    #[inline]
    fn follow(
        &mut self,
        event: TreeEvent,
        paths: &mut LinePaths,
    ) -> Result<Option<RowPlace>, CorruptTree> {
        Ok(match event {
            TreeEvent::Ply(_) => Some(self.go_on()),
            TreeEvent::Mark(Annotation::VariationStart) => {
                let place = self.branch(paths);
                let first = OpenLine::new(place.line, place.ply.saturating_sub(1));
                self.variations.push(first);
                Some(place)
            }
            TreeEvent::Mark(Annotation::VariationText) => Some(self.branch(paths)),
            TreeEvent::Mark(Annotation::VariationEnd) => {
                self.variations.pop().ok_or(CorruptTree)?;
                None
            }
            TreeEvent::Nag(_) | TreeEvent::Mark(_) => None,
        })
    }
}

/// Rows of comments as they are gathered.
struct CommentRows<'t> {
    tables: &'t [SqlTable],
    /// Whether the side that usually moves second begins.
    second_begins: bool,
    annotations: &'t Annotations<'t>,
    /// From whose view evaluations are written, once that was needed.
    views: Option<EvalViews>,
    rows: &'t mut GameRows,
}

impl CommentRows<'_> {
    /// Adds a row; of a table that is not requested, none.
    fn push(&mut self, table: SqlTable, place: RowPlace, values: [RowField; 3]) {
        if self.tables.contains(&table) {
            self.rows.push(table, place, values);
        }
    }

    /// A comment, with the times and evaluations in it.
    fn comment(&mut self, place: RowPlace, text: &str, kind: &'static str) {
        if self.tables.contains(&SqlTable::Comments) {
            let values = [self.rows.text(text), RowField::Word(kind), RowField::Null];
            self.rows.push(SqlTable::Comments, place, values);
        }
        if !(self.tables.contains(&SqlTable::Clocks) || self.tables.contains(&SqlTable::Evals)) {
            return;
        }
        let second_moved = (place.ply % 2 == 1) == self.second_begins;
        let (annotations, known) = (self.annotations, &mut self.views);
        let evals = annotations.evals;
        let views = || *known.get_or_insert_with(|| views_of(annotations));
        for CommentValue { name, value } in comment::values(text, second_moved, evals, views) {
            let depth =
                |depth: Option<u32>| depth.map_or(RowField::Null, |n| RowField::Integer(n.into()));
            let (table, values) = match value {
                CommandValue::Time { milliseconds } => {
                    let seconds = RowField::Real(milliseconds as f64 / 1000.0);
                    let kind = self.rows.text(name);
                    (SqlTable::Clocks, [seconds, kind, RowField::Null])
                }
                CommandValue::Centipawns {
                    centipawns,
                    depth: at_depth,
                } => {
                    let pawns = RowField::Real(f64::from(centipawns) / 100.0);
                    (SqlTable::Evals, [pawns, RowField::Null, depth(at_depth)])
                }
                CommandValue::Mate {
                    moves,
                    depth: at_depth,
                } => {
                    let mate = RowField::Integer(moves.into());
                    (SqlTable::Evals, [RowField::Null, mate, depth(at_depth)])
                }
                CommandValue::Squares(_) | CommandValue::Arrows(_) | CommandValue::Unknown => {
                    continue;
                }
            };
            self.push(table, place, values);
        }
    }
}

/// Adds the rows of what stands between the moves of a game.
fn annotated<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    annotations: &Annotations<'_>,
    tables: &[SqlTable],
    rows: &mut GameRows,
) -> Result<(), CorruptTree> {
    let mut reader = annotations.reader(start, main_line)?;
    let mut lines = OpenLines::default();
    let mut gathered = CommentRows {
        tables,
        second_begins: start.turn() == 1,
        annotations,
        views: None,
        rows,
    };
    while let Some((event, text)) = reader.step(|_| ())? {
        let row = lines.follow(event, &mut gathered.rows.paths)?;
        let place = row.unwrap_or(lines.at().place);
        match event {
            TreeEvent::Nag(number) => {
                let number = RowField::Integer(number.into());
                let values = [number, RowField::Null, RowField::Null];
                gathered.push(SqlTable::Nags, place, values);
            }
            TreeEvent::Mark(Annotation::VariationStart | Annotation::VariationText) => {
                // A variation that is only text is not gone into.
                let is_text = event == TreeEvent::Mark(Annotation::VariationText);
                let depth = reader.walk().depth() + usize::from(is_text);
                let depth = RowField::Integer(depth as i64);
                gathered.push(
                    SqlTable::Variations,
                    place,
                    [RowField::Null, depth, RowField::Null],
                );
            }
            TreeEvent::Mark(Annotation::Comment) => gathered.comment(place, &text, "brace"),
            TreeEvent::Mark(Annotation::LineComment) => gathered.comment(place, &text, "line"),
            TreeEvent::Ply(_) | TreeEvent::Mark(_) => {}
        }
    }
    Ok(())
}
