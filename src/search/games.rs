//! Complete games out of the store: their facts, tags and movetext, written out again.

mod hits;

use super::{
    SampleGame,
    game_tree::{self, GameTree},
    locate::Replays,
    movetext::{self, BoardAt, MoveNotation, StoredMovetext},
    openings,
    values::{self, MoveAnnotation},
};
use crate::{
    base::{
        id_set::IdSet,
        record::{GameFormat, GameHeader, GameId, GameRecord, MovetextItem, Outcome, ProblemFacts},
    },
    games::{
        self, AnyCursor, AnyPosition,
        export::{self, StoredGameInfo},
        variant::Variant,
        variation_tree::{CorruptTree, PlyRef},
    },
    pgn::tags::{
        date::{self, PgnDate},
        result,
        time_control::TimeControl,
    },
    problems::{StoredProblem, pgn},
    replay::{self, Annotations, StoredSums},
    store::{GameRow, ProblemRow, RecordKind, RecordReader, Store, StoreError},
};

/// Reads games of a database, keeping in memory what neighbours share.
#[derive(Debug)]
pub struct GameReader<'s> {
    store: &'s Store,
    replays: Replays<'s>,
    sums: StoredSums<'s>,
    problems: RecordReader<'s>,
    writing: MoveNotation,
}

/// A complete game, and what it also is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The game; of a problem, its diagram and its solution as PGN has them.
    pub game: GameRecord,
    /// The problem that it is, if it is one.
    pub problem: Option<StoredProblem>,
}

impl<'s> GameReader<'s> {
    /// A reader of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            replays: Replays::new(store),
            sums: StoredSums::new(store),
            problems: store.records(RecordKind::Problem),
            writing: MoveNotation::default(),
        }
    }

    /// The same, with moves written in another way.
    #[must_use]
    pub const fn with_writing(mut self, writing: MoveNotation) -> Self {
        self.writing = writing;
        self
    }

    /// A game's facts; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn header(&mut self, game: GameId) -> Result<Option<GameHeader>, StoreError> {
        let Some(row) = self.store.game(game)? else {
            return Ok(None);
        };
        let mut header = self.header_of(game, &row)?;
        header.result_written = self.result_written(&header, &row)?;
        Ok(Some(header))
    }

    /// The result of a game as it was written.
    fn result_written(&mut self, header: &GameHeader, row: &GameRow) -> Result<String, StoreError> {
        let variant = Variant::by_id(row.variant);
        let Some(variant) = variant.filter(|row| games::script(row) == GameFormat::Pdn) else {
            return Ok(header.result.clone());
        };
        let tags = self.tags_of(row)?;
        let mut whole = StoredGameInfo {
            header,
            tags: &tags,
            corner: None,
            form: self.writing.form,
            proven: None,
            is_text: false,
        };
        let written = games::export(variant, &whole).result_written;
        // What contradicts the winner may stand where the last position proves that one.
        let is_disputed = |told: &str| {
            told != written
                && (result::PDN_RESULTS.contains(&told) || result::is_score(told.as_bytes()))
        };
        if row.outcome == 0 || !whole.tag("Result").is_some_and(is_disputed) {
            return Ok(written);
        }
        whole.proven = winner(&self.movetext(header.id, row)?.last);
        Ok(games::export(variant, &whole).result_written)
    }

    fn header_of(&mut self, game: GameId, row: &GameRow) -> Result<GameHeader, StoreError> {
        let [white, black, event, site] = row.names.clone().map(Option::unwrap_or_default);
        let start_fen = match row.start {
            // A row without a FEN is the standard start position of its variant.
            Some(start) => self
                .store
                .start(start)?
                .filter(|start| !start.fen.is_empty())
                .map(|start| start.canonical.unwrap_or(start.fen)),
            None => None,
        };
        let extra_dates = ["\"+Date\"", "\"+Date|"];
        let date = if extra_dates.iter().any(|entry| row.layout.contains(entry)) {
            // Written in another way than ours: as written.
            self.tags_of(row)?
                .into_iter()
                .rev()
                .find(|(name, _)| name == "Date")
                .map(|(_, value)| value)
                // A server's date may be known where this one is not.
                .filter(|value| {
                    row.date.is_none() || date::parse(value.as_bytes()).0.to_packed() > 0
                })
        } else {
            None
        };
        let problem = self.problem_facts(game, row)?;
        if let Some((facts, printed)) = problem {
            let known = |text: String| match text.as_str() {
                "" => "?".to_owned(),
                _ => text,
            };
            return Ok(GameHeader {
                id: game,
                event: known(event),
                site: "?".to_owned(),
                date: match printed.date.as_str() {
                    "" => PgnDate::UNKNOWN.pgn_text(),
                    _ => printed.date,
                },
                round: known(printed.number),
                result: Outcome::Unknown.as_pgn().to_owned(),
                result_written: Outcome::Unknown.as_pgn().to_owned(),
                variant: variant_name(row.variant).to_owned(),
                plies: row.plies,
                start_fen: start_fen.filter(|fen| !fen.is_empty()),
                problem: Some(facts),
                ..GameHeader::default()
            });
        }
        Ok(GameHeader {
            id: game,
            white,
            black,
            white_elo: row.elos[0],
            black_elo: row.elos[1],
            event,
            site,
            date: date.unwrap_or_else(|| PgnDate::from_packed(row.date.unwrap_or(0)).pgn_text()),
            round: row.round.clone().unwrap_or_default(),
            result: Outcome::from_code(row.outcome).as_pgn().to_owned(),
            result_written: Outcome::from_code(row.outcome).as_pgn().to_owned(),
            eco: row.eco.clone().unwrap_or_default(),
            opening: openings::shown(row),
            variant: variant_name(row.variant).to_owned(),
            variant_by: row.variant_by.clone(),
            plies: row.plies,
            start_fen: start_fen.filter(|fen| !fen.is_empty()),
            problem: None,
        })
    }

    /// What lists show of a game that is a problem, and when and as which number it was
    /// printed.
    fn problem_facts(
        &self,
        game: GameId,
        row: &GameRow,
    ) -> Result<Option<(ProblemFacts, ProblemRow)>, StoreError> {
        // A problem has no tags.
        let printed = match &*row.layout {
            "[]" => self.store.problem(game)?,
            _ => None,
        };
        Ok(printed.map(|mut printed| {
            let facts = ProblemFacts {
                authors: std::mem::take(&mut printed.authors),
                stipulation: std::mem::take(&mut printed.stipulation),
            };
            (facts, printed)
        }))
    }

    /// The file in which a record without a name was read, and its number there.
    fn place_of(&self, header: &GameHeader) -> Result<Option<String>, StoreError> {
        if !header.is_record() || !matches!(header.event.as_str(), "" | "?") {
            return Ok(None);
        }
        let place = self.store.place(header.id)?;
        Ok(place.map(|place| format!("{} #{}", place.file, place.number)))
    }

    /// The tag pairs of a row, in order.
    pub(super) fn tags_of(&self, row: &GameRow) -> Result<Vec<(String, String)>, StoreError> {
        let mut tags = Vec::new();
        replay::each_tag(self.store, row, |name, value| {
            tags.push((replay::name_of(name).to_owned(), value));
        })?;
        Ok(tags)
    }

    /// A game that goes on with a move where a position was explored.
    pub(super) fn explored(
        &mut self,
        game: GameId,
        played: [String; 2],
    ) -> Result<Option<SampleGame>, StoreError> {
        let Some(row) = self.store.game(game)? else {
            return Ok(None);
        };
        Ok(Some(SampleGame {
            header: self.header_of(game, &row)?,
            tags: self.tags_of(&row)?,
            facts: row.facts(),
            played,
        }))
    }

    /// A complete game; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn game(&mut self, game: GameId) -> Result<Option<GameRecord>, StoreError> {
        Ok(self.record(game)?.map(|record| record.game))
    }

    /// A complete game, and what it also is; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn record(&mut self, game: GameId) -> Result<Option<StoredGame>, StoreError> {
        let Some(row) = self.store.game(game)? else {
            return Ok(None);
        };
        let mut header = self.header_of(game, &row)?;
        let mut tags = self.tags_of(&row)?;
        let StoredMovetext {
            items,
            first_move,
            last,
        } = self.movetext(game, &row)?;
        let mut problem = None;
        if header.problem.is_some() {
            let damaged = || self.store.damaged(RecordKind::Problem.damage(game));
            let filed = self.problems.get(game)?.and_then(StoredProblem::read);
            let filed = filed.ok_or_else(damaged)?;
            tags = pgn::tags(&filed.problem, &items);
            problem = Some(filed);
        }
        let outcome = Outcome::from_code(row.outcome);
        let proven = winner(&last);
        let variant = Variant::by_id(row.variant);
        let corner = last.corner();
        let whole = StoredGameInfo {
            header: &header,
            tags: &tags,
            corner,
            form: self.writing.form,
            proven,
            is_text: row.plies == 0
                && items
                    .iter()
                    .any(|item| matches!(item, MovetextItem::Rest(_))),
        };
        let (script, pdn) = match variant {
            Some(variant) => (games::script(variant), games::export(variant, &whole)),
            None => (GameFormat::Pgn, export::of_unknown(&tags)),
        };
        if problem.is_none() {
            let names = replay::layout_of(&row.layout);
            for ((name, _), own) in tags.iter_mut().zip(names) {
                let own = own.strip_prefix('+').unwrap_or(&own);
                replay::written_name(own).clone_into(name);
            }
        }
        if script == GameFormat::Pdn {
            header.result_written.clone_from(&pdn.result_written);
        }
        let game = GameRecord {
            script,
            header,
            tags,
            first_move,
            items,
            outcome,
            pdn,
        };
        Ok(Some(StoredGame { game, problem }))
    }

    /// The movetext of a game, which is compared with its checksum.
    fn movetext(&mut self, game: GameId, row: &GameRow) -> Result<StoredMovetext, StoreError> {
        let Self {
            replays,
            sums,
            writing,
            ..
        } = self;
        let text = replays.with_annotations(game, |start, main_line, annotations| {
            sums.compare(game, row, main_line, annotations)?;
            Ok(movetext::movetext(start, main_line, annotations, *writing))
        })?;
        text?.map_err(|fault| {
            let what = format!("annotations of game {game}: {fault}");
            self.store.damaged(what)
        })
    }

    /// Compares a game with its checksum.
    pub(super) fn verify_checksum(&mut self, game: GameId) -> Result<(), StoreError> {
        let row = self.store.game(game)?;
        let row = row.ok_or_else(|| self.store.damaged(format!("game {game} is missing")))?;
        let Self { replays, sums, .. } = self;
        replays.with_annotations(game, |_, main_line, annotations| {
            sums.compare(game, &row, main_line, annotations)
        })?
    }

    /// What `each` makes of a game: of where it begins, its main line, and its
    /// annotations.
    pub(super) fn with_annotations<T>(
        &mut self,
        game: GameId,
        each: impl FnOnce(&AnyPosition, &[u8], Option<&Annotations<'_>>) -> Result<T, CorruptTree>,
    ) -> Result<T, StoreError> {
        let made = self.replays.with_annotations(game, each)?;
        made.map_err(|CorruptTree| self.store.damaged(format!("annotations of game {game}")))
    }

    /// What `each` makes of a game: of where it begins, its main line, and its packed tree.
    pub(super) fn with_tree<T>(
        &mut self,
        game: GameId,
        each: impl FnOnce((&AnyPosition, &AnyCursor), &[u8], Option<&[u8]>) -> Result<T, CorruptTree>,
    ) -> Result<T, StoreError> {
        let made = self.replays.with_tree(game, each)?;
        made.map_err(|CorruptTree| self.store.damaged(format!("annotations of game {game}")))
    }

    /// The position at a place of a game, or at the end of its main line. `None` if there is
    /// no such game, it has not the place or cannot be played.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn board_at(
        &mut self,
        game: GameId,
        place: Option<&PlyRef>,
    ) -> Result<Option<BoardAt>, StoreError> {
        if self.store.game(game)?.is_none() || self.replays.game(game)?.is_none() {
            return Ok(None);
        }
        let writing = self.writing;
        let of_game = self
            .replays
            .with_annotations(game, |start, main_line, annotations| {
                movetext::board_at(start, main_line, annotations, place, writing)
            })?;
        of_game.map_err(|CorruptTree| self.store.damaged(format!("annotations of game {game}")))
    }

    /// A game as a tree of its moves; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn tree(&mut self, game: GameId) -> Result<Option<GameTree>, StoreError> {
        let Some(row) = self.store.game(game)? else {
            return Ok(None);
        };
        let start = self.replays.game(game)?;
        let start = start.map(|(start, ..)| game_tree::start(start));
        let Self {
            replays,
            sums,
            writing,
            ..
        } = self;
        let main = replays.with_annotations(game, |start, main_line, annotations| {
            sums.compare(game, &row, main_line, annotations)?;
            Ok(game_tree::game_tree(
                start,
                main_line,
                annotations,
                *writing,
            ))
        })?;
        let main = main?.map_err(|fault| {
            let what = format!("annotations of game {game}: {fault}");
            self.store.damaged(what)
        })?;
        Ok(Some(GameTree { start, main }))
    }

    /// The position in which a game begins, and its main line, packed; `None` if it cannot be played.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn main_line(
        &mut self,
        game: GameId,
    ) -> Result<Option<(AnyPosition, Vec<u8>)>, StoreError> {
        let line = self.replays.game(game)?;
        Ok(line.map(|(start, _, plies)| (start.clone(), plies.to_vec())))
    }

    /// The moves of a main line whose comments have a time or an evaluation, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn move_annotations(&mut self, game: GameId) -> Result<Vec<MoveAnnotation>, StoreError> {
        values::annotations(&mut self.replays, game)
    }

    /// The time control of a game, as its tag has it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn time_control(&self, game: GameId) -> Result<TimeControl, StoreError> {
        self.replays.time_control(game)
    }

    /// Whether a game begins in one of some start positions.
    pub(super) fn begins_in(&mut self, game: GameId, starts: &IdSet) -> Result<bool, StoreError> {
        let row = self.store.game(game)?;
        Ok(row
            .and_then(|row| row.start)
            .is_some_and(|start| starts.contains(start)))
    }
}

/// Who has won by the goal of a game of draughts, or by discs.
fn winner(position: &AnyPosition) -> Option<Outcome> {
    let winner = position.winner()?;
    Some([Outcome::First, Outcome::Second][winner])
}

fn variant_name(id: u8) -> &'static str {
    Variant::by_id(id).map_or("unknown", |variant| variant.name)
}
