//! `plydex export`, and the PGN of `plydex search`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::{
    base::{
        display_path,
        record::{GameId, GameRecord},
    },
    cli::{
        CommandContext,
        args::{
            query::ListArgs,
            query_builder::{query, writing},
        },
        commands::{CommandArgs, SavedTexts},
        error::CliError,
        exit::Exit,
        output::{Destination, ProtectedFiles},
        relax,
        render::number,
        resolve::resolve,
    },
    database::{AccessPlan, Error, MoveNotation, Snapshot, StoredGame},
    games::{AnyPosition, notation::epd, variant::Variant},
    pgn::writer as pgn,
    problems::{CollectionFormat, CollectionWriter},
    query::Query,
};

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex export`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Takes every option that selects games in search. Importing the exported file
gives the same games.

Examples:
  plydex export > all.pgn
  plydex export e4 e5 Nf3 Nc6 Bb5 --result 1-0 --output ruy.pgn
  plydex export --white fischer --sort date --limit 100
  plydex export --tag FEN --format epd > positions.epd
  plydex export --language de > partien.pgn"
)]
pub struct ExportArgs {
    /// The games.
    #[command(flatten)]
    pub list: ListArgs,
    /// pgn, epd, problem, popeye or olive
    ///
    /// pgn writes games of draughts as PDN; epd is the start positions, with the
    /// operations of lines that came from EPD. Only for chess problems: problem (one
    /// line each), popeye (its input) and olive (YAML); what came in the same format is
    /// written as it came.
    #[arg(long, value_name = "FORMAT", default_value = "pgn")]
    pub format: ExportFormat,
    /// Write to FILE; .zst and .gz are compressed
    ///
    /// Without this option the games go to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Formats of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ExportFormat {
    /// Complete games.
    #[default]
    #[value(alias = "pdn")]
    Pgn,
    /// Problems, one a line.
    #[value(alias = "problems")]
    Problem,
    /// Problems as Popeye's input.
    Popeye,
    /// Problems as the YAML of olive and YACPDB.
    Olive,
    /// Start positions, one a line.
    Epd,
}

/// `export`.
#[derive(Debug, Clone)]
pub struct ExportPlan {
    /// The query.
    pub query: Query,
    /// How moves are written.
    pub writing: MoveNotation,
    /// What is written of each game.
    pub format: ExportFormat,
    /// Whether novelties are noted in the games.
    pub annotates: bool,
    /// The file; `None` is standard output.
    pub output: Option<Destination>,
}

/// What is written of each game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordForm {
    /// How moves are written.
    pub(crate) writing: MoveNotation,
    /// The format.
    pub(crate) format: ExportFormat,
    /// Whether novelties are noted in the games.
    pub(crate) annotates: bool,
}

impl ExportPlan {
    const fn form(&self) -> RecordForm {
        RecordForm {
            writing: self.writing,
            format: self.format,
            annotates: self.annotates,
        }
    }
}

pub(crate) fn plan(args: ExportArgs, warnings: &mut Vec<String>) -> Result<ExportPlan, CliError> {
    let list = &args.list;
    let query = query(list, None, warnings)?;
    let other = "name another file with --output";
    let output = (args.output).map(|path| Destination::new(path, args.force, other));
    Ok(ExportPlan {
        query,
        writing: writing(list.notation, &list.language)?,
        format: args.format,
        annotates: false,
        output: output.filter(|target| !target.is_stdout()),
    })
}

pub(crate) fn run(plan: &ExportPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let Some(target) = &plan.output else {
        let games = to_screen(context, &plan.query, plan.form())?;
        if games == 0 {
            context.notes.note("no games found");
        }
        return Ok(Exit::found(games));
    };
    // Before the search, so that a bad path costs no waiting.
    let place = target.place(&ProtectedFiles::database(&context.db))?;
    let snapshot = context.snapshot()?;
    let mut out = place.open(&context.stop)?;
    let ready = resolve(&snapshot, &plan.query)?;
    ready.explain(plan.query.scope.exact_names, context);
    let asked = (&ready.plan, plan.form());
    let mut lost = UnreadableGames::default();
    let games = all(
        &snapshot,
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

    fn take(&mut self, game: GameId, why: &Error) {
        self.games += 1;
        if self.named.len() < Self::NAMED_MAX {
            let why = why.damage().map_or_else(|| why.to_string(), str::to_owned);
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

/// Writes the games of a query to standard output, or what was found of them when the end is
/// requested; how many there are.
pub(crate) fn to_screen(
    context: &mut CommandContext<'_>,
    query: &Query,
    form: RecordForm,
) -> Result<u64, CliError> {
    let snapshot = context.snapshot()?;
    let ready = resolve(&snapshot, query)?;
    ready.explain(query.scope.exact_names, context);
    let mut out = context.data();
    let asked = (&ready.plan, form);
    let mut lost = UnreadableGames::default();
    let mut leave_out = |game, why| {
        lost.take(game, &why);
        Ok(())
    };
    let put = &mut |text: &[u8]| Ok(out.write_all(text)?);
    let (games, is_cut) = each(&snapshot, asked, put, &mut leave_out)?;
    out.flush()?;
    drop(out);
    lost.tell(context)?;
    if is_cut {
        crate::cli::commands::search::interrupted(games, context)?;
    }
    if games == 0 {
        relax::say(&ready.plan, context)?;
    }
    Ok(games)
}

/// Writes the games to be exported, as they stand in PGN and PDN.
pub(crate) fn data(
    plan: &ExportPlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let ready = resolve(snapshot, &plan.query)?;
    let asked = (&ready.plan, plan.form());
    // A server answers with an error rather than without a game.
    let fail = &mut |_, why: Error| Err(why.into());
    all(snapshot, asked, &mut |text| Ok(out.write_all(text)?), fail)?;
    Ok(())
}

/// What becomes of a game that cannot be read.
type Omission<'l> = &'l mut dyn FnMut(GameId, Error) -> Result<(), CliError>;

/// Writes all games of a query one by one; how many they are.
fn all(
    snapshot: &Snapshot<'_>,
    asked: (&AccessPlan, RecordForm),
    put: &mut dyn FnMut(&[u8]) -> Result<(), CliError>,
    leave_out: Omission<'_>,
) -> Result<u64, CliError> {
    let stop = snapshot.stop();
    let put_on = &mut |text: &[u8]| {
        // A part of them is of no use.
        if stop.is_cancelled() {
            return Err(CliError::interrupted());
        }
        put(text)
    };
    let (games, is_cut) = each(snapshot, asked, put_on, leave_out)?;
    if is_cut {
        return Err(CliError::interrupted());
    }
    Ok(games)
}

/// Writes the games of a query one by one; how many they are, and whether the end was requested
/// before the last of them.
fn each(
    snapshot: &Snapshot<'_>,
    (plan, form): (&AccessPlan, RecordForm),
    put: &mut dyn FnMut(&[u8]) -> Result<(), CliError>,
    leave_out: Omission<'_>,
) -> Result<(u64, bool), CliError> {
    let mut buffer = String::new();
    let mut games = 0;
    let mut writer = RecordWriter::new(form.format);
    let mut novelties = (form.annotates)
        .then(|| snapshot.novelties(form.writing))
        .transpose()?;
    let is_cut = snapshot.each_game(plan, form.writing, &mut |game, record| {
        let record = match record {
            Ok(record) => record,
            Err(why) => return leave_out(game, why),
        };
        let mut annotated = None;
        if let Some(novelties) = &mut novelties
            && let Some(found) = novelties.of(game)?
        {
            let mut record = record.clone();
            found.annotate(&mut record.game);
            annotated = Some(record);
        }
        let record = annotated.as_ref().unwrap_or(record);
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
            Self::Epd => match epd_line(&record.game) {
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

/// A game's start position as a line of EPD, with the operations that it came
/// with; `None` of a game whose start is not known.
pub(crate) fn epd_line(game: &GameRecord) -> Option<String> {
    let usual = || Some(AnyPosition::start(Variant::by_name(&game.header.variant)?)?.fen());
    let fen = game.header.start_fen.clone().or_else(usual)?;
    Some(epd::from_tags(&fen, &game.tags))
}

impl CommandArgs for ExportArgs {
    type Plan = ExportPlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        Some(self.list.saved())
    }
}
