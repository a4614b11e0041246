//! `plydex show`.

use std::io::Write;

use super::CommandContext;
use super::args::{ExportFormat, ShowFormat};
use super::backend::{self, Provenance};
use super::error::CliError;
use super::exit::Exit;
use super::export::RecordWriter;
use super::plan::ShowPlan;
use super::render::{json, problem, show};
use crate::db::changes;
use crate::db::search::{BoardAt, GameReader, StoredGame};
use crate::db::store::Store;
use crate::formats::composition::StoredProblem;
use crate::games::variation_tree::PlyRef;

/// Everything that is shown of a game, read from one state of the database.
struct GameView {
    record: StoredGame,
    /// Whether it is shown as the problem that it is.
    is_problem: bool,
    at: Option<BoardAt>,
    provenance: Provenance,
}

fn read(store: &Store, plan: &ShowPlan) -> Result<Option<GameView>, CliError> {
    if let Some(change) = store.removed()?.mark_of(plan.game) {
        let error = format!("game {} was removed by change {change}", plan.game);
        if store.purged()?.contains(plan.game) {
            return Err(CliError::new(format!(
                "{error}, and given up by `plydex optimize --purge`"
            ))
            .hint("only a backup from before has it"));
        }
        let log = changes::log(store)?;
        let can_be_undone = log
            .iter()
            .any(|its| its.change == change && its.can_be_undone);
        return Err(CliError::new(error).hint(if can_be_undone {
            format!("`plydex undo {change}` brings it back; `plydex log` lists the changes")
        } else {
            "`plydex log` lists the changes".to_owned()
        }));
    }
    let mut games = GameReader::new(store).with_writing(plan.writing);
    let Some(record) = games.record(plan.game)? else {
        return Ok(None);
    };
    let is_text = plan.format == ShowFormat::Text;
    // A problem is its diagram; with --ply it is shown as a game.
    let has_ply = (plan.board.as_ref()).is_some_and(|board| board.ply.is_some());
    let is_problem = is_text && !has_ply && record.problem.is_some();
    let at = match &plan.board {
        _ if is_problem => None,
        Some(board) => Some(backend::board_at(
            &mut games,
            plan.game,
            board.ply.as_ref(),
        )?),
        // A position is meant to be seen with its board. What cannot be played is shown without.
        None if is_text && record.game.header.is_record() => {
            backend::board_at(&mut games, plan.game, Some(&PlyRef::default())).ok()
        }
        None => None,
    };
    let provenance = backend::provenance(store, plan.game)?;
    Ok(Some(GameView {
        record,
        is_problem,
        at,
        provenance,
    }))
}

/// A game as JSON, or as it is exported; whether there is such a game.
pub(crate) fn data(plan: &ShowPlan, store: &Store, out: &mut dyn Write) -> Result<bool, CliError> {
    let Some(shown) = read(store, plan)? else {
        return Ok(false);
    };
    if plan.format == ShowFormat::Json {
        let value = json::game(&shown.record, shown.at.as_ref(), &shown.provenance);
        json::pretty(out, &value)?;
    } else {
        let mut text = String::new();
        RecordWriter::new(ExportFormat::Pgn).write(&shown.record, &mut text);
        out.write_all(text.as_bytes())?;
    }
    Ok(true)
}

pub(crate) fn run(plan: &ShowPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let Some(shown) = context.ask(|store| read(store, plan))? else {
        context
            .notes
            .note(&format!("there is no game {}", plan.game));
        return Ok(Exit::NothingFound);
    };
    let GameView {
        record,
        is_problem,
        at,
        provenance,
    } = shown;
    let (game, filed) = (&record.game, &record.problem);
    let look = (plan.board.as_ref()).map_or_else(Default::default, |board| board.look);
    let style = context.screen.board_style(look);
    if let Some(StoredProblem { problem, .. }) = filed.as_ref().filter(|_| is_problem) {
        problem::write(context.out, &context.screen, plan.game, problem, style)?;
        show::provenance(context.out, &context.screen, &provenance)?;
        return Ok(Exit::Done);
    }
    match plan.format {
        ShowFormat::Text => {
            let at = at.as_ref();
            show::write(
                context.out,
                &context.screen,
                game,
                at,
                style,
                plan.has_clocks,
            )?;
            show::provenance(context.out, &context.screen, &provenance)?;
        }
        ShowFormat::Json => {
            let value = json::game(&record, at.as_ref(), &provenance);
            context.json(&value)?;
        }
        ShowFormat::Epd => {
            let Some(line) = backend::epd_line(game) else {
                let note = format!("the start position of game {} is not known", plan.game);
                context.notes.note(&note);
                return Ok(Exit::NothingFound);
            };
            writeln!(context.data(), "{line}")?;
        }
        ShowFormat::Pgn | ShowFormat::Problem | ShowFormat::Popeye | ShowFormat::Olive => {
            let mut writer = RecordWriter::new(match plan.format {
                ShowFormat::Problem => ExportFormat::Problem,
                ShowFormat::Popeye => ExportFormat::Popeye,
                ShowFormat::Olive => ExportFormat::Olive,
                _ => ExportFormat::Pgn,
            });
            let mut text = String::new();
            let is_written = writer.write(&record, &mut text);
            writer.finish(&mut text);
            if !is_written {
                let note = format!("game {} is not a chess problem", plan.game);
                context.notes.note(&note);
                return Ok(Exit::NothingFound);
            }
            context.data().write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}
