//! Tags of a game are changed; its moves, comments and index stay as they are.

use std::path::Path;

use serde::Serialize;

use super::whole;
use crate::{
    base::{
        observe::{NullObserver, Observer},
        record::{GameId, GameRecord, Outcome},
    },
    blocks::facts::PackedFacts,
    changes::repair::copy::GameCopier,
    games::{self, AnyCursor, AnyPosition, ResultOrder, outcome, variant::Variant},
    import::{self, DuplicateAction, ImportError, ImportOptions},
    index::popular::Tally,
    input::SourceReader,
    pgn::{
        tags::{
            expected::{Expectation, expected_instead},
            names,
        },
        writer as pgn,
    },
    replay::{
        self,
        salvage::{Salvage, SalvagedGame},
    },
    store::{ChangeKind, EditRow, IndexPart, SegmentRow, Store, StoreError, TagList, TagValues},
};

/// A tag as it is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagEdit {
    /// Its name.
    pub name: String,
    /// Its value; `None` takes it away.
    pub value: Option<String>,
}

/// What an edit did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditReport {
    /// Its change; none if the tags were so already.
    pub change: Option<i64>,
    /// The game.
    pub game: GameId,
    /// Its tags that were changed: name, value before, value now.
    pub tags: Vec<(String, Option<String>, Option<String>)>,
}

/// Why tags cannot be changed. The database is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// There is no game of that number.
    #[error("there is no game {0}")]
    NoGame(GameId),
    /// A problem has no tags.
    #[error("game {0} is a chess problem, which has no tags")]
    Problem(GameId),
    /// The tag says by what rules, or from where, the game is played.
    #[error("[{0}] says how the game is played, so that its moves would have to be read again")]
    Playing(String),
    /// The value is none of its tag.
    #[error("[{name}] cannot be `{value}`: expected {expected}")]
    Value {
        /// The tag.
        name: String,
        /// As it was given.
        value: String,
        /// What is expected, with an example.
        expected: Expectation,
    },
    /// That cannot be the name of a tag.
    #[error("`{0}` cannot be the name of a tag")]
    Name(String),
    /// The tags could not be read back.
    #[error("the tags of game {0} cannot be written like that")]
    Unwritable(GameId),
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EditError {
    /// What to do about it, for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoGame(_) => "the first column of `plydex search` has the numbers of games",
            Self::Problem(_) => "export it, change it, import it, and delete the old one",
            Self::Playing(_) => {
                "`plydex reread` reads a game by other rules; to change where it begins, export \
                 it, change it and import it"
            }
            Self::Value { .. } => "correct the value; with --force it is written as it is",
            Self::Name(_) => "names of tags are letters, digits, `_` and `-`, such as Annotator",
            Self::Unwritable(_) => {
                "remove line breaks and control characters; a value has at most 64 KiB"
            }
            Self::Store(error) => error.hint(),
        }
    }
}

/// Tags that say how a game is played.
const PLAYING: [&str; 4] = ["FEN", "SetUp", "Variant", "GameType"];

/// Changes tags of a game. `drafts` is an empty folder for what is read until then. Values that are
/// none of their tags are written only if that `is_forced`.
///
/// # Errors
///
/// [`EditError`]; then nothing has changed.
pub fn edit(
    store: &Store,
    game: GameId,
    (edits, is_forced): (&[TagEdit], bool),
    drafts: &Path,
    observer: &dyn Observer,
) -> Result<EditReport, EditError> {
    let _alone = store.write_alone(observer)?;
    if store.removed()?.contains(game) {
        return Err(EditError::NoGame(game));
    }
    let before = tags_of(store, game)?.ok_or(EditError::NoGame(game))?;
    if store.problem(game)?.is_some() {
        return Err(EditError::Problem(game));
    }
    let has_points = settled_by(&Salvage::new(store).game(game)?).0.is_some();
    let mut after = before.tags.clone();
    let mut report = EditReport {
        change: None,
        game,
        tags: Vec::new(),
    };
    for TagEdit { name, value } in edits {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(EditError::Name(name.clone()));
        }
        let name = names::canonical(name.as_bytes()).unwrap_or(name);
        if PLAYING.contains(&name) {
            return Err(EditError::Playing(name.to_owned()));
        }
        let at = (after.iter()).position(|(own, _)| replay::name_of(own) == name);
        let had = match (at, value) {
            (Some(at), Some(value)) => Some(std::mem::replace(&mut after[at].1, value.clone())),
            (Some(at), None) => Some(after.remove(at).1),
            (None, Some(value)) => {
                after.push((name.to_owned(), value.clone()));
                None
            }
            (None, None) => None,
        };
        if had == *value {
            continue;
        }
        if let Some(value) = value.as_ref().filter(|_| !is_forced)
            && let Some(expected) = expected_instead(name, value, has_points)
        {
            return Err(EditError::Value {
                name: name.to_owned(),
                value: value.clone(),
                expected,
            });
        }
        report.tags.push((name.to_owned(), had, value.clone()));
    }
    if report.tags.is_empty() {
        return Ok(report);
    }
    whole::<EditError>(store, || {
        rewrite(store, game, (&after, None), drafts, observer)?;
        // As they are read back.
        let read = tags_of(store, game)?.filter(|read| read.tags == after);
        let after = read.ok_or(EditError::Unwritable(game))?;
        let told = report.tags.iter().map(|(name, _, now)| match now {
            Some(now) => format!("{name}={now}"),
            None => format!("{name} removed"),
        });
        let what = format!("game {game}: {}", told.collect::<Vec<_>>().join(", "));
        let change = store.insert_change(ChangeKind::Edit, &what, None, None)?;
        let row = EditRow {
            game,
            before,
            after,
        };
        store.insert_edit(change, &row)?;
        report.change = Some(change);
        Ok(())
    })?;
    Ok(report)
}

/// The tags of a game, there or removed: names as layouts have them, and values.
pub(super) fn tags_of(store: &Store, game: GameId) -> Result<Option<TagValues>, StoreError> {
    let Some(row) = store.game(game)? else {
        return Ok(None);
    };
    let mut tags = TagList::new();
    replay::each_tag(store, &row, |name, value| {
        tags.push((name.to_owned(), value));
    })?;
    Ok(Some(TagValues {
        outcome: row.outcome,
        tags,
    }))
}

/// Gives a game other tags, within a transaction. What they mean to the columns is determined by an
/// import of nothing but them; the outcome by the Result tag, unless it is known.
pub(super) fn rewrite(
    store: &Store,
    game: GameId,
    (tags, outcome): (&TagList, Option<u8>),
    drafts: &Path,
    observer: &dyn Observer,
) -> Result<(), EditError> {
    let mut own = Salvage::new(store).game(game)?;
    let variant = Variant::by_id(own.row.variant);
    let file = drafts.join("tags.db");
    // What could not be read may have been begun.
    let _ = std::fs::remove_file(&file);
    let draft = read_tags(&file, tags, variant, observer)?;
    if draft.last_game()? != 1 {
        return Err(EditError::Unwritable(game));
    }
    let read = Salvage::new(&draft).game(1)?;
    let fen = own.start.as_ref().map(|(start, _)| start.fen.clone());
    let is_same = read.tags.len() == tags.len()
        && (read.tags.iter().zip(tags)).all(|(read, (name, value))| {
            replay::name_of(&read.name) == replay::name_of(name) && read.value == *value
        });
    if !is_same {
        return Err(EditError::Unwritable(game));
    }
    let results = |tags: &mut dyn Iterator<Item = (&str, &str)>| -> Vec<String> {
        let results = tags.filter(|(name, _)| replay::name_of(name) == "Result");
        results.map(|(_, value)| value.to_owned()).collect()
    };
    let had = results(&mut (own.tags.iter()).map(|tag| (&tag.name[..], &tag.value[..])));
    let has = results(&mut tags.iter().map(|(name, value)| (&name[..], &value[..])));
    let told = if had == has {
        None
    } else {
        told_by(&has, &own)
    };
    let (row, from) = (&mut own.row, read.row);
    (row.names, row.round, row.date) = (from.names, from.round, from.date);
    (row.elos, row.eco) = (from.elos, from.eco);
    row.outcome = outcome.or(told).unwrap_or(row.outcome);
    let outcome = Outcome::from_code(row.outcome);
    let mut layout = Vec::new();
    own.tags = read.tags;
    for (tag, (name, _)) in own.tags.iter_mut().zip(tags) {
        tag.name.clone_from(name);
        // What columns have of these is this game's own.
        match replay::name_of(name) {
            "FEN" => tag.is_folded = fen.as_ref() == Some(&tag.value),
            "Result" => tag.is_folded = outcome.as_pgn() == tag.value,
            _ => {}
        }
        let plus = if tag.is_folded { "" } else { "+" };
        layout.push(format!("{plus}{name}"));
    }
    own.row.layout = serde_json::Value::from(layout).to_string().into();
    let facts_before = std::mem::replace(&mut own.facts, own.row.facts());
    let had = store.rows_of_game(game)?;
    let rims = store.make_room(game, game + 1)?;
    let mut copied = GameCopier::new(store)?;
    copied.game(game, &own)?;
    copied.write_blocks()?;
    store.insert_edge_blocks(&rims)?;
    store.settle()?;
    if summed(&facts_before) != summed(&own.facts) {
        sum_up(store, game)?;
    }
    store.forget_idle_of(game, &had)?;
    Ok(())
}

/// The outcome that the Result tags of a game state, as an import of it would have it. Where they
/// state none, the one after its moves counts, which is its own.
fn told_by(results: &[String], game: &SalvagedGame) -> Option<u8> {
    let (order, winner) = settled_by(game);
    let counting = match order {
        None => results.last(),
        Some(_) => results.first(),
    };
    let written = outcome::read_tag(counting?.as_bytes(), order)?;
    Some(outcome::meant(written, order, winner) as u8)
}

/// Whose points the results of a game name first, and who has won by its last position.
fn settled_by(game: &SalvagedGame) -> (Option<ResultOrder>, Option<usize>) {
    let start = match &game.start {
        Some((_, position)) => position.clone(),
        None => Some(AnyPosition::initial()),
    };
    let Some(start) = start else {
        let row = Variant::by_id(game.row.variant);
        let usual = row.and_then(AnyPosition::start);
        return (usual.and_then(|at| at.result_order()), None);
    };
    let (mut at, mut plies) = (AnyCursor::new(&start), &game.plies[..]);
    while let Some(ply) = at.peek(&mut plies) {
        at.play(ply);
    }
    let winner = at.position().and_then(|last| last.winner());
    (start.result_order(), winner)
}

/// What popular positions have of a game that either side begins.
fn summed(facts: &PackedFacts) -> [Tally; 2] {
    [0, 1].map(|turn| {
        let mut tally = Tally::default();
        tally.add(facts, turn);
        tally
    })
}

/// Sums up the popular positions of a game whose facts have changed.
fn sum_up(store: &Store, game: GameId) -> Result<(), StoreError> {
    let segments = store.segments()?;
    let has = |segment: &&SegmentRow| {
        (segment.first_game..segment.first_game + segment.games).contains(&game)
    };
    // What is not indexed yet has no sums.
    if let Some(segment) = segments.iter().find(has) {
        let [popular, top_games] = replay::popular_summed_again(store, segment, game)?;
        store.change_blocks(segment.id, IndexPart::Popular, &popular)?;
        store.change_blocks(segment.id, IndexPart::TopGames, &top_games)?;
    }
    Ok(())
}

/// A draft with one game that has these tags and no moves.
fn read_tags(
    file: &Path,
    tags: &TagList,
    variant: Option<&'static Variant>,
    observer: &dyn Observer,
) -> Result<Store, EditError> {
    let script = variant.map(games::script).unwrap_or_default();
    let written =
        |(name, value): &(String, String)| (replay::written_name(name).to_owned(), value.clone());
    let mut text = String::new();
    let game = GameRecord {
        tags: tags.iter().map(written).collect(),
        script,
        ..GameRecord::default()
    };
    pgn::write(&game, &mut text);
    let draft = Store::create_draft(file, &observer.stop())?;
    let format = import::format_named("pgn").ok();
    let options = ImportOptions {
        threads: Some(1),
        format,
        variant: variant.map(|variant| variant.id),
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    let text = SourceReader::of_text(file, Box::new(std::io::Cursor::new(text.into_bytes())));
    let source = (file.to_path_buf(), text);
    match import::import_text(&draft, source, options, &NullObserver) {
        Ok(_) => Ok(draft),
        Err(ImportError::Store(error)) => Err(error.into()),
        Err(_) => Err(draft.interrupted().into()),
    }
}
