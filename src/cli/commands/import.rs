//! `plydex import`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;

use crate::base::display_path;
use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::reading::{DUPLICATES, ReadingArgs, reading};
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::{Destination, ProtectedFiles};
use crate::cli::progress::Progress;
use crate::cli::render::{findings, json, summary};
use crate::cli::terminal::TerminalInfo;
use crate::database::{DuplicateAction, ErrorKind, ImportOptions, Sources};

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex import`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "A file whose content was imported before is skipped, whatever its name. Ctrl-C
stops the import in good order: the games read so far stay in the database, and
the same command continues from there.

Examples:
  plydex import sample-data               every .pgn, .pdn, .epd … in the folder
  plydex import twic1400.zip lumbra.pgn.zst
  curl -s https://example.org/x.pgn | plydex import -
  plydex import suite.epd openings.epd    positions, found beside the games
  plydex import --variant pool club.pdn   every game is American pool
  plydex import --language nl schaak.pgn  every game is in Dutch"
)]
pub struct ImportArgs {
    /// Files, folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How sources are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// What to do with duplicates: skip, best or keep [default: skip]
    ///
    /// A game is the same whatever its spelling, comments and order of tags, if its moves are
    /// equal and its tags do not contradict: players, date, result, round, time, game ID. With
    /// skip, the stored game stays as it is, and the source is recorded as another source of it.
    /// With best, a game that continues a stored one (same date and event) also counts as the
    /// same. The record with more plies stays, then the one with more annotations, then the one
    /// with more tags. An edited record is never replaced. With keep, both are stored.
    #[arg(long, value_name = "HOW", value_parser = value_parsers::one_of(DUPLICATES))]
    pub duplicates: Option<DuplicateAction>,
    /// Restore deleted games
    ///
    /// A deleted game is not stored again when you import it again. With this
    /// option it is restored under its number, and so are those of files that were imported
    /// before. Other games of the same deletion stay deleted. `plydex undo` undoes the
    /// restoration.
    #[arg(long)]
    pub restore_deleted: bool,
    /// List the files that are missing from these folders
    ///
    /// New files are imported, as always; files that were imported before and are
    /// missing now are listed. Their games stay until you delete them.
    #[arg(long)]
    pub list_missing: bool,
    /// Stop at the first warning or error in the data
    ///
    /// The game, the rest of the file and all further files are not stored; the
    /// games before it are. Notes do not stop the import. The exit status is 2.
    #[arg(long)]
    pub strict: bool,
    /// Write all findings to FILE, as JSON lines
    ///
    /// Each note, warning and error is one JSON object on its own line. With -
    /// as FILE they go to standard output.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Replace the FILE of --report if it exists
    #[arg(long, requires = "report")]
    pub force: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `import`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPlan {
    /// Files, folders, `-`.
    pub paths: Vec<PathBuf>,
    /// How they are read.
    pub options: ImportOptions,
    /// Whether files that are gone are named.
    pub list_missing: bool,
    /// Where the findings go.
    pub report: Option<Destination>,
    /// Of the summary.
    pub format: TextFormat,
}

fn plan(args: ImportArgs) -> Result<ImportPlan, CliError> {
    let stdin = args
        .paths
        .iter()
        .filter(|path| path.as_os_str() == "-")
        .count();
    if stdin > 1 {
        return Err(CliError::new("standard input (-) is named twice")
            .hint("it can be read only once; leave out one -"));
    }
    let other = "name another file with --report";
    let report = (args.report).map(|path| Destination::new(path, args.force, other));
    if report.as_ref().is_some_and(Destination::is_stdout) && args.answer.format == TextFormat::Json
    {
        return Err(CliError::new(
            "--report - and --format json would both write to standard output",
        )
        .hint("name a file with --report, or leave out --format json"));
    }
    if args.list_missing
        && let Some(file) = args.paths.iter().find(|path| !path.is_dir())
    {
        let error = format!("--list-missing: {} is no folder", display_path::path(file));
        return Err(CliError::new(error).hint("name folders, or leave out --list-missing"));
    }
    Ok(ImportPlan {
        list_missing: args.list_missing,
        paths: args.paths,
        options: ImportOptions {
            duplicates: args.duplicates.unwrap_or_default(),
            restore: args.restore_deleted,
            strict: args.strict,
            ..reading(&args.reading)?
        },
        report,
        format: args.answer.format,
    })
}

pub(crate) fn run(plan: &ImportPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    // A folder that had games may have lost them all, which is to be said.
    let known = if plan.list_missing && context.db.exists() {
        let asked = context.database();
        match asked.ask(|snapshot| snapshot.known_folders(&plan.paths)) {
            // Where an import was killed before anything was stored.
            Err(error) if error.kind() == ErrorKind::Empty => Vec::new(),
            known => known?,
        }
    } else {
        Vec::new()
    };
    let sources = Sources::find_again(&plan.paths, &known)?;
    let mut progress = Progress::new(&context.notes, &context.stop, bytes_total(plan));
    if let Some(target) = &plan.report {
        let kept = ProtectedFiles::database(&context.db);
        let inputs = sources.sources.iter();
        let kept = inputs.fold(kept, |kept, source| kept.and_input(source.path()));
        progress = progress.with_report(target.place(&kept)?.open(&context.stop)?);
    }
    let folders = if plan.list_missing {
        &plan.paths[..]
    } else {
        &[]
    };
    let progress = Arc::new(progress);
    let imported = context
        .observed(&progress)
        .import_sources(sources, &plan.options, folders);
    // The bar goes before anything else is said; of an import that failed there is
    // no report.
    progress.clear();
    let done = imported?;
    let reported = progress.end_report();
    match plan.format {
        TextFormat::Json => json::import(context.out, &done, progress.elapsed().as_secs_f64())?,
        TextFormat::Text if context.notes.quiet() => {
            // Errors are shown even so; otherwise the summary has them.
            for (source, why) in &done.sources_failed {
                let failure = summary::failure(source, why);
                context.notes.error(&CliError::new(failure));
            }
        }
        TextFormat::Text => {
            let mut text = Vec::new();
            let (elapsed, bytes) = (progress.elapsed(), progress.bytes_read());
            // Where the findings are the data, the summary is but a note.
            let is_note = plan.report.as_ref().is_some_and(Destination::is_stdout);
            let screen = TerminalInfo {
                colour: context.screen.colour && !is_note,
                ..context.screen
            };
            summary::write(&mut text, &screen, &done, elapsed, bytes)?;
            if is_note {
                context
                    .notes
                    .note(String::from_utf8_lossy(&text).trim_end());
            } else {
                context.out.write_all(&text)?;
            }
        }
    }
    reported?;
    if let Some(refused) = &done.refused {
        context.notes.error(&findings::refusal(refused));
    }
    let complete = !done.interrupted && done.refused.is_none() && done.sources_failed.is_empty();
    Ok(if complete { Exit::Done } else { Exit::Trouble })
}

/// The size of all sources together, where every one is a plain file: only
/// then can one bar show the time left for all.
fn bytes_total(plan: &ImportPlan) -> Option<u64> {
    plan.paths
        .iter()
        .map(|path| {
            let facts = std::fs::metadata(path).ok()?;
            facts.is_file().then_some(facts.len())
        })
        .sum()
}

impl CommandArgs for ImportArgs {
    type Plan = ImportPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
