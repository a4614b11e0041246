//! `plydex reread`.

use super::CommandContext;
use super::args_output::TextFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::output::TemporaryFolder;
use super::plan_reread::RereadPlan;
use super::progress::Progress;
use super::render::reread;

pub(crate) fn run(plan: &RereadPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let drafts = TemporaryFolder::for_drafts()?;
    let progress = Progress::new(&context.notes, &context.stop, None);
    let read = backend::reread(&context.db, plan, drafts.path(), &progress);
    progress.clear();
    let report = read?;
    for source in &report.sources {
        if let Some(why) = &source.stored_text {
            let note = format!("{why}; the game was read from its stored text");
            context.notes.warning(&note);
        }
    }
    match plan.format {
        TextFormat::Text => reread::write(context.out, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(Exit::Done)
}
