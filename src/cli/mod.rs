//! The command line: the only module that prints, reads the environment, exits.
//!
//! A run goes through three steps. [`args`] is what was typed; [`plan`] is what
//! it means, and contradictions die between the two, before any file is
//! touched; then the file named after the subcommand carries the plan out and
//! [`render`] draws what came back. Data go to standard output, everything
//! else to standard error.

pub mod args;
pub mod args_changes;
mod args_conditions;
pub mod args_diagnostics;
pub mod args_names;
pub mod args_output;
mod args_prepare;
mod args_query;
pub mod args_reread;
pub mod args_rules;
pub mod args_sql;
mod args_tree;
pub mod backend;
mod backup;
mod changes;
mod check;
mod convert;
mod diagnostics;
pub mod eco;
pub mod error;
pub mod exit;
mod export;
mod import;
mod info;
mod moves;
mod names;
mod novelty;
pub mod output;
mod perft;
pub mod plan;
pub mod plan_changes;
pub mod plan_convert;
mod plan_prepare;
mod plan_query;
mod plan_reread;
pub mod plan_rules;
mod plan_said;
mod plan_tree;
pub mod progress;
mod reindex;
mod relax;
pub mod render;
mod repertoire;
mod reread;
mod resolve;
mod restore;
mod saved_queries;
mod search;
pub mod serve;
mod show;
mod signals;
mod sql;
pub mod terminal;
mod tree;
mod unpack;
mod usage;
pub mod value_parsers;
mod variants;
mod view;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use serde::Serialize;

use self::error::CliError;
use self::exit::Exit;
use self::plan::Plan;
use self::render::escape::TerminalEscaper;
use self::terminal::{Messages, TerminalInfo};
use crate::base::{display_path, observe::CancellationToken};
use crate::db::store::{self, Store};

/// What a subcommand works with.
pub(crate) struct CommandContext<'a> {
    /// The database file.
    pub(crate) db: PathBuf,
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
        question: impl FnMut(&Store) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        Store::ask(&self.db, &self.stop, question)
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
    let mut notes = Messages::new(args.global.color, args.global.quiet);
    let screen = TerminalInfo::of_stdout(args.global.color);
    let stop = match args.command {
        // Counting has nothing to leave in good order, and never looks up.
        args::Command::Perft(_) => CancellationToken::default(),
        _ => signals::catch(),
    };
    let mut out = terminal::stdout(&screen, &stop);
    let result = run(args, &mut out, screen, notes.clone(), stop).and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
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
            // What was written before the error is still wanted.
            let _ = out.flush();
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
    saved_queries::load(&mut args.command, &args.global.databases())?;
    let (mut plan, warnings) = plan::plan(args.command)?;
    let databases = args.global.databases();
    let mut db = args.global.database();
    match &mut plan {
        Plan::Serve(plan) => {
            plan.databases = serve::plan_serve::databases(&databases)?;
            db.clone_from(&plan.databases[0].1);
        }
        _ if databases.len() > 1 => {
            let error = CliError::new("--db: this command works on one database");
            return Err(error.hint("give --db once; `plydex merge` brings databases together"));
        }
        _ => {}
    }
    for warning in &warnings {
        notes.warning(warning);
    }
    let mut context = CommandContext {
        db,
        out,
        screen,
        notes,
        stop,
    };
    let aside = store::set_logs_aside(&context.db, &context.stop);
    for log in aside {
        context.notes.warning(&format!(
            "{} belongs to another state of the database and was moved aside",
            display_path::path(&log)
        ));
    }
    output::ProtectedFiles::database(&context.db).check_stdout()?;
    match plan {
        Plan::Import(plan) => import::run(&plan, &mut context),
        Plan::Reread(plan) => reread::run(&plan, &mut context),
        Plan::Log(plan) => changes::log(&plan, &mut context),
        Plan::Undo(change, format) => changes::undo(change, format, &mut context),
        Plan::Delete(plan) => changes::delete(&plan, &mut context),
        Plan::Edit(plan) => changes::edit(&plan, &mut context),
        Plan::Dedupe(plan) => changes::dedupe(&plan, &mut context),
        Plan::Merge(plan) => changes::merge(&plan, &mut context),
        Plan::Optimize(purge, format) => changes::optimize(purge, format, &mut context),
        Plan::Search(plan) => search::run(&plan, &mut context),
        Plan::Tree(plan) => tree::run(&plan, &mut context),
        Plan::Novelty(plan) => novelty::run(&plan, &mut context),
        Plan::Repertoire(plan) => repertoire::run(&plan, &mut context),
        Plan::Show(plan) => show::run(&plan, &mut context),
        Plan::Export(plan) => export::run(&plan, &mut context),
        Plan::Diagnostics(plan) => diagnostics::run(&plan, &mut context),
        Plan::Names(plan) => names::run(&plan, &mut context),
        Plan::Info(format) => info::run(format, &mut context),
        Plan::Check(format) => check::run(format, &mut context),
        Plan::Repair(target, format) => check::repair(&target, format, &mut context),
        Plan::Reindex(format) => reindex::run(format, &mut context),
        Plan::Backup(target) => backup::run(&target, &mut context),
        Plan::Restore(backup) => restore::run(&backup, &mut context),
        Plan::Sql(plan) => sql::run(&plan, &mut context),
        Plan::Unpack(plan) => unpack::run(&plan, &mut context),
        Plan::Serve(plan) => serve::run(&plan, &mut context),
        Plan::Perft(args, at) => perft::run(&args, &at, &mut context),
        Plan::Moves(at, writing, format) => moves::run(&at, writing, format, &mut context),
        Plan::Board(plan) => convert::board(&plan, &mut context),
        Plan::Convert(plan) => convert::run(&plan, &mut context),
        Plan::Eco(plan, format) => eco::run(&plan, format, &mut context),
        Plan::Variants(variant, format) => variants::run(variant, format, &mut context),
    }
}

#[cfg(test)]
#[path = "toy_tests.rs"]
mod toy_tests;

#[cfg(test)]
#[path = "stopped_tests.rs"]
mod stopped_tests;
