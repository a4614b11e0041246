//! The command line: the only module that prints, reads the environment, exits.
//!
//! A run goes through three steps. A command of [`commands`] is what was typed; its plan is what
//! that means, and contradictions die between the two, before any file is touched; then the command
//! carries the plan out and [`render`] draws what came back. Data go to standard output, everything
//! else to standard error.

pub mod args;
pub mod commands;
pub mod error;
pub mod exit;
pub mod output;
mod pager;
pub mod progress;
mod query_notes;
mod relax;
pub mod render;
mod resolve;
mod saved_queries;
pub mod serve;
mod signals;
pub mod terminal;
mod usage;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use serde::Serialize;

use self::error::CliError;
use self::exit::Exit;
use self::progress::Progress;
use self::render::escape::TerminalEscaper;
use self::terminal::{Messages, TerminalInfo};
use crate::base::display_path;
use crate::base::observe::CancellationToken;
use crate::database::{Database, Snapshot};

/// What a subcommand works with.
pub struct CommandContext<'a> {
    /// The database file.
    pub(crate) db: PathBuf,
    /// All that `--db` names, as they were typed: those of a server may have names.
    pub(crate) databases: Vec<PathBuf>,
    /// Standard output: data.
    pub(crate) out: &'a mut dyn Write,
    /// What standard output is like.
    pub(crate) screen: TerminalInfo,
    /// Standard error: everything that is no data.
    pub(crate) notes: Messages,
    /// Set by the first signal that asks for the end.
    pub(crate) stop: CancellationToken,
}

impl CommandContext<'_> {
    /// Runs a short query, whose entire answer is known before any of it is written: from one state
    /// of the database, its file held no longer than that takes.
    pub(crate) fn ask<T>(
        &self,
        query: impl FnMut(&Snapshot<'_>) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        self.database().ask(query)
    }

    /// One state of the database, for answers that are written while they are read.
    pub(crate) fn snapshot(&self) -> Result<Snapshot<'static>, CliError> {
        Ok(self.database().snapshot()?)
    }

    /// The database.
    pub(crate) fn database(&self) -> Database {
        Database::at(&self.db).with_cancellation(&self.stop)
    }

    /// The database, whose calls draw their progress.
    pub(crate) fn observed(&self, progress: &Arc<Progress>) -> Database {
        Database::at(&self.db).with_observer(Arc::clone(progress))
    }

    /// What draws the progress of a run.
    pub(crate) fn progress(&self) -> Arc<Progress> {
        Arc::new(Progress::new(&self.notes, &self.stop, None))
    }

    /// Where formats for programs go: on a terminal they are made safe to look
    /// at, elsewhere not a byte is changed.
    pub(crate) fn data(&mut self) -> Box<dyn Write + '_> {
        if self.screen.terminal {
            Box::new(TerminalEscaper::new(&mut *self.out))
        } else {
            Box::new(&mut *self.out)
        }
    }

    /// Finds the place of a report's page before the report is made, so that a bad path costs no
    /// waiting. Besides the database, the inputs of the command are never replaced.
    pub(crate) fn place_page(
        &self,
        page: Option<&output::Destination>,
        inputs: &[&std::path::Path],
    ) -> Result<Option<output::CheckedDestination>, CliError> {
        let kept = output::ProtectedFiles::database(&self.db);
        let kept = inputs
            .iter()
            .fold(kept, |kept, input| kept.and_input(input));
        page.map(|page| page.place(&kept)).transpose()
    }

    /// Writes the page of a report to its place.
    pub(crate) fn write_page(
        &mut self,
        place: &output::CheckedDestination,
        page: render::html::HtmlPage,
    ) -> Result<(), CliError> {
        let mut out = place.open(&self.stop)?;
        let name = display_path::path(out.name()).into_owned();
        let html = page.finish();
        out.put(html.as_bytes())?;
        out.finish()?;
        if place.file().is_some() {
            let size = render::number::bytes(html.len() as u64);
            self.notes.note(&format!("{size} written to {name}"));
        }
        Ok(())
    }

    /// Writes an answer as one JSON object.
    pub(crate) fn json(&mut self, answer: &impl Serialize) -> Result<(), CliError> {
        Ok(render::json::pretty(&mut *self.data(), answer)?)
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are requested data; all else is a usage error.
            let exit = if error.use_stderr() {
                Exit::Trouble
            } else {
                Exit::Done
            };
            let words: Vec<String> = std::env::args_os()
                .map(|word| word.to_string_lossy().into_owned())
                .collect();
            match usage::explain(&error, &words) {
                Some(error) => Messages::new(args::Color::Auto, false).error(&error),
                // Where even that cannot be printed, there is no reader.
                None => drop(error.print()),
            }
            return exit.into();
        }
    };
    let notes = Messages::new(args.global.color, args.global.quiet);
    let mut notes = notes.with_progress(args.global.progress);
    let screen = TerminalInfo::of_stdout(args.global.color);
    let stop = if args.command.stops_in_order() {
        signals::catch()
    } else {
        CancellationToken::default()
    };
    let is_paged = screen.terminal && !args.global.no_pager && args.command.is_paged();
    let pager = is_paged.then(pager::wanted).flatten();
    if pager.is_some() {
        notes.hold();
    }
    let mut out = terminal::stdout(&screen, pager, &stop);
    let result = run(args, &mut out, screen, notes.clone(), stop).and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
    // What was written before an error is still wanted, and the user leaves a pager first.
    let _ = out.flush();
    drop(out);
    notes.release();
    match result {
        Ok(exit) => exit.into(),
        // The reader has seen enough (`plydex search … | head`): no error.
        Err(error) if error.is_closed_pipe() => Exit::Done.into(),
        // A user who requested the end need not hear why.
        Err(error) if error.is_stopped() => {
            notes.note("interrupted");
            Exit::Trouble.into()
        }
        Err(error) => {
            notes.error(&error);
            Exit::Trouble.into()
        }
    }
}

/// Turns the arguments into a plan and carries it out.
fn run(
    mut args: args::Args,
    out: &mut dyn Write,
    screen: TerminalInfo,
    mut notes: Messages,
    stop: CancellationToken,
) -> Result<Exit, CliError> {
    let mut databases = args.global.databases();
    if args.command.takes_databases() {
        // The first one is that of saved queries.
        databases = vec![commands::serve::databases(&databases)?.swap_remove(0).1];
    } else if databases.len() > 1 {
        let error = CliError::new("--db: this command works on one database");
        return Err(error.hint("give --db once; `plydex merge` brings databases together"));
    }
    let db = databases.swap_remove(0);
    saved_queries::load(&mut args.command, &db)?;
    let (plan, warnings) = args.command.plan()?;
    for warning in &warnings {
        notes.warning(warning);
    }
    let mut context = CommandContext {
        db,
        databases: args.global.databases(),
        out,
        screen,
        notes,
        stop,
    };
    for log in context.database().set_logs_aside() {
        context.notes.warning(&format!(
            "{} belongs to another state of the database and was moved aside",
            display_path::path(&log)
        ));
    }
    output::ProtectedFiles::database(&context.db).check_stdout()?;
    plan.run(&mut context)
}

#[cfg(test)]
#[path = "toy_tests.rs"]
mod toy_tests;

#[cfg(test)]
#[path = "stopped_tests.rs"]
mod stopped_tests;
