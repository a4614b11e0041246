//! `plydex repertoire`.

use serde::Serialize;

use super::CommandContext;
use super::args_output::TableFormat;
use super::backend::{self, DuplicateAction, ImportOptions};
use super::error::CliError;
use super::exit::Exit;
use super::names;
use super::output::TemporaryFolder;
use super::plan_prepare::RepertoirePlan;
use super::progress::Progress;
use super::render::{number::counted, repertoire};
use super::resolve::resolve;
use crate::base::display_path;
use crate::db::people::NameMatches;
use crate::db::search::{self, ComparedPosition, Repertoire, RepertoireGap, UnreadVariation, gaps};
use crate::db::store::Store;

/// Variations that are named, if they were not read to their ends.
const WARNINGS_MAX: usize = 20;

/// A repertoire as it stands beside the database.
#[derive(Serialize)]
pub struct RepertoireReport<'r> {
    /// The file as it was named.
    pub file: String,
    /// `white` or `black`; none if it cannot be determined.
    pub side: Option<&'static str>,
    /// Moves that White and Black have to choose from, on average.
    pub choices: [f64; 2],
    /// What there is to prepare, what comes up most often first.
    pub gaps: Vec<RepertoireGap>,
    /// All positions of the file, in the order of its text.
    pub positions: &'r [ComparedPosition],
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'r [NameMatches],
}

pub(crate) fn run(
    plan: &RepertoirePlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let file = display_path::path(&plan.file).into_owned();
    let sources = backend::sources(std::slice::from_ref(&plan.file), &[])?;
    let drafts = TemporaryFolder::for_drafts()?;
    let draft = drafts.path().join("repertoire.db");
    let progress = Progress::new(&context.notes, &context.stop, None);
    let options = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    let read = backend::import(&draft, sources, options, &[], &progress);
    let read = read.and_then(|summary| {
        let store = Store::open(&draft, &context.stop)?;
        Ok((summary, Repertoire::read(&store)?))
    });
    let (summary, known) = match read {
        Ok(read) => read,
        Err(error) => {
            progress.clear();
            return Err(error);
        }
    };
    if known.is_empty() {
        progress.clear();
        let error = format!("{file} has no game that can be played");
        return Err(CliError::new(error).hint("a repertoire is a file of games, such as PGN"));
    }
    let side = plan.side.or_else(|| known.side());
    let compared = context.ask(|store| {
        let ready = resolve(store, &plan.query)?;
        let (conditions, is_cut) = search::conditions_of_games(store, &ready.plan)?;
        if is_cut {
            return Err(CliError::interrupted());
        }
        let asked = (&conditions, side, plan.language);
        let compared = known.compare(store, asked, &progress)?;
        Ok((ready, compared))
    });
    progress.clear();
    let (ready, compared) = compared?;
    for incomplete in &summary.incomplete_named {
        let text = format!(
            "game {} of {file} was read as far as it can be played: {}",
            incomplete.number, incomplete.detail
        );
        context.notes.warning(&text);
    }
    let unread = known.unread();
    for UnreadVariation {
        game,
        place,
        detail,
    } in unread.iter().take(WARNINGS_MAX)
    {
        let text = format!(
            "the variation at {place} of game {game} of {file} was read as far as it can be played: {detail}"
        );
        context.notes.warning(&text);
    }
    if let Some(others @ 1..) = unread.len().checked_sub(WARNINGS_MAX) {
        let others = counted(others as u64, "other variation", "other variations");
        let text = format!("{others} of {file}, read as far as can be played, not listed");
        context.notes.warning(&text);
    }
    let report = RepertoireReport {
        file,
        side: side.map(|side| ["white", "black"][side & 1]),
        choices: known.choices(),
        gaps: gaps(&compared, plan.min_games),
        positions: &compared,
        names: &ready.names,
    };
    match plan.format {
        TableFormat::Table => {
            let limit = plan.limit.map_or(usize::MAX, |limit| limit as usize);
            repertoire::write(context.out, &context.screen, &report, limit)?;
        }
        TableFormat::Json => context.json(&report)?,
        TableFormat::Csv => repertoire::csv(&mut *context.data(), &compared)?,
    }
    context.out.flush()?;
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    if side.is_none() {
        context.notes.note(
            "both sides have as many moves to choose from; --side white or --side black says \
             whose repertoire it is",
        );
    }
    let reached = compared.iter().filter(|at| at.total.games > 0).count() as u64;
    let positions = counted(compared.len() as u64, "position", "positions");
    let note = format!("{reached} of {positions} are in the database");
    context.notes.note(&note);
    Ok(Exit::found(reached))
}
