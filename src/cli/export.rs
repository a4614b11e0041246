//! `plydex export`, and the PGN of `plydex search`.

use std::io::Write;

use super::CommandContext;
use super::args::ExportFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::names;
use super::output::ProtectedFiles;
use super::plan::ExportPlan;
use super::relax;
use super::render::number;
use super::resolve::{ResolvedQuery, resolve};
use crate::base::display_path;
use crate::base::record::GameId;
use crate::db::search::{self, AccessPlan, MoveNotation, StoredGame};
use crate::db::store::{Store, StoreError, StoreErrorKind};
use crate::formats::composition::{CollectionFormat, CollectionWriter};
use crate::pgn::writer as pgn;
use crate::query::Query;

pub(crate) fn run(plan: &ExportPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let Some(target) = &plan.output else {
        let games = to_screen(context, &plan.query, plan.writing, plan.format)?;
        if games == 0 {
            context.notes.note("no games found");
        }
        return Ok(Exit::found(games));
    };
    // Before the search, so that a bad path costs no waiting.
    let place = target.place(&ProtectedFiles::database(&context.db))?;
    let store = Store::open(&context.db, &context.stop)?;
    let mut out = place.open(&context.stop)?;
    let ready = resolve(&store, &plan.query)?;
    explain(&ready, plan.query.scope.exact_names, context);
    let asked = (&ready.plan, plan.writing, plan.format);
    let mut lost = UnreadableGames::default();
    let games = all(
        &store,
        asked,
        &mut |text| out.put(text),
        &mut |game, why| {
            lost.take(game, &why);
            Ok(())
        },
    )?;
    let name = display_path::path(&target.path);
    if games > 0 {
        out.finish()?;
        let counted = number::counted(games, "game", "games");
        context.notes.note(&format!("{counted} written to {name}"));
    }
    lost.tell(context)?;
    if games == 0 {
        let note = format!("no games found; nothing was written to {name}");
        context.notes.note(&note);
        relax::say(&ready.plan, context)?;
        return Ok(Exit::NothingFound);
    }
    Ok(Exit::Done)
}

/// Games that an export leaves out because they cannot be read.
#[derive(Default)]
struct UnreadableGames {
    games: u64,
    /// What is wrong with the first of them.
    named: Vec<String>,
}

impl UnreadableGames {
    /// As many are named.
    const NAMED_MAX: usize = 20;

    fn take(&mut self, game: GameId, why: &StoreError) {
        self.games += 1;
        if self.named.len() < Self::NAMED_MAX {
            let why = match &why.kind {
                StoreErrorKind::Damaged { what } => what.clone(),
                other => other.to_string(),
            };
            self.named
                .push(format!("game {game} is left out: it is damaged ({why})"));
        }
    }

    /// Names them; an error if there are any.
    fn tell(self, context: &mut CommandContext<'_>) -> Result<(), CliError> {
        if self.games == 0 {
            return Ok(());
        }
        for named in &self.named {
            context.notes.warning(named);
        }
        let further = self.games - self.named.len() as u64;
        if further > 0 {
            let further = number::counted(further, "more game is", "more games are");
            let warning = format!("{further} left out for the same reason");
            context.notes.warning(&warning);
        }
        let missing = number::counted(self.games, "game is", "games are");
        let name = display_path::path(&context.db);
        let error =
            format!("{name}: {missing} missing from the export, for the database is damaged");
        Err(CliError::new(error).hint(
            "run `plydex check` to see what is wrong, and \
             `plydex check --repair NEW.db` to copy what is intact",
        ))
    }
}

/// Says what the names of a query find, unless they are to be as they are written, and what else
/// there is to say.
fn explain(ready: &ResolvedQuery, is_exact: bool, context: &mut CommandContext<'_>) {
    names::explain(&ready.names, is_exact, context);
    for note in &ready.notes {
        context.notes.note(note);
    }
}

/// Writes the games of a query to standard output, or what was found of them when the end is
/// requested; how many there are.
pub(crate) fn to_screen(
    context: &mut CommandContext<'_>,
    query: &Query,
    writing: MoveNotation,
    format: ExportFormat,
) -> Result<u64, CliError> {
    let store = Store::open(&context.db, &context.stop)?;
    let ready = resolve(&store, query)?;
    explain(&ready, query.scope.exact_names, context);
    let mut out = context.data();
    let asked = (&ready.plan, writing, format);
    let mut lost = UnreadableGames::default();
    let mut leave_out = |game, why| {
        lost.take(game, &why);
        Ok(())
    };
    let put = &mut |text: &[u8]| Ok(out.write_all(text)?);
    let (games, is_cut) = each(&store, asked, put, &mut leave_out)?;
    out.flush()?;
    drop(out);
    lost.tell(context)?;
    if is_cut {
        super::search::interrupted(games, context)?;
    }
    if games == 0 {
        relax::say(&ready.plan, context)?;
    }
    Ok(games)
}

/// Writes the games to be exported, as they stand in PGN and PDN.
pub(crate) fn data(plan: &ExportPlan, store: &Store, out: &mut dyn Write) -> Result<(), CliError> {
    let ready = resolve(store, &plan.query)?;
    let asked = (&ready.plan, plan.writing, plan.format);
    // A server answers with an error rather than without a game.
    let fail = &mut |_, why: StoreError| Err(why.into());
    all(store, asked, &mut |text| Ok(out.write_all(text)?), fail)?;
    Ok(())
}

/// What becomes of a game that cannot be read.
type Omission<'l> = &'l mut dyn FnMut(GameId, StoreError) -> Result<(), CliError>;

/// Writes all games of a query one by one; how many they are.
fn all(
    store: &Store,
    asked: (&AccessPlan, MoveNotation, ExportFormat),
    put: &mut dyn FnMut(&[u8]) -> Result<(), CliError>,
    leave_out: Omission<'_>,
) -> Result<u64, CliError> {
    let stop = store.stop();
    let put_on = &mut |text: &[u8]| {
        // A part of them is of no use.
        if stop.is_asked() {
            return Err(CliError::interrupted());
        }
        put(text)
    };
    let (games, is_cut) = each(store, asked, put_on, leave_out)?;
    if is_cut {
        return Err(CliError::interrupted());
    }
    Ok(games)
}

/// Writes the games of a query one by one; how many they are, and whether the end was requested
/// before the last of them.
fn each(
    store: &Store,
    (plan, writing, format): (&AccessPlan, MoveNotation, ExportFormat),
    put: &mut dyn FnMut(&[u8]) -> Result<(), CliError>,
    leave_out: Omission<'_>,
) -> Result<(u64, bool), CliError> {
    let mut buffer = String::new();
    let mut games = 0;
    let mut writer = RecordWriter::new(format);
    let is_cut = search::each_record::<CliError>(store, plan, writing, &mut |game, record| {
        let record = match record {
            Ok(record) => record,
            Err(why) => return leave_out(game, why),
        };
        buffer.clear();
        if writer.write(record, &mut buffer) {
            put(buffer.as_bytes())?;
            games += 1;
        }
        Ok(())
    })?;
    if games > 0 {
        buffer.clear();
        writer.finish(&mut buffer);
        put(buffer.as_bytes())?;
    }
    Ok((games, is_cut))
}

/// Writes games in a format, one after the other.
pub(crate) enum RecordWriter {
    /// Complete games as PGN or PDN.
    Pgn,
    /// Start positions.
    Epd,
    /// Problems.
    Problems(CollectionWriter),
}

impl RecordWriter {
    pub(crate) fn new(format: ExportFormat) -> Self {
        Self::Problems(CollectionWriter::new(match format {
            ExportFormat::Pgn => return Self::Pgn,
            ExportFormat::Epd => return Self::Epd,
            ExportFormat::Problem => CollectionFormat::Lines,
            ExportFormat::Popeye => CollectionFormat::Popeye,
            ExportFormat::Olive => CollectionFormat::Olive,
        }))
    }

    /// Writes a game; whether there was anything to write.
    pub(crate) fn write(&mut self, record: &StoredGame, buffer: &mut String) -> bool {
        match self {
            Self::Pgn => pgn::write_regular(&record.game, buffer),
            Self::Epd => match backend::epd_line(&record.game) {
                Some(line) => buffer.extend([line.as_str(), "\n"]),
                None => return false,
            },
            Self::Problems(writer) => match &record.problem {
                Some(filed) => writer.problem(filed, buffer),
                None => return false,
            },
        }
        true
    }

    /// Ends what was written.
    pub(crate) fn finish(&mut self, buffer: &mut String) {
        if let Self::Problems(writer) = self {
            writer.finish(buffer);
        }
    }
}
