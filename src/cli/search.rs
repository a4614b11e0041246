//! `plydex search`.

mod each;

use serde::Serialize;

use super::CommandContext;
use super::args::{ExportFormat, SearchFormat};
use super::args_output::BoardStyleArgs;
use super::error::CliError;
use super::exit::Exit;
use super::export;
use super::names;
use super::plan::SearchPlan;
use super::relax;
use super::render;
use super::render::board_grid::BoardGrid;
use super::render::groups::{self, GroupList};
use super::render::hits;
use super::render::listing::{GameListWriter, SAMPLE_GAMES};
use super::resolve::{ResolvedQuery, resolve};
use super::terminal::TerminalInfo;
use super::view::ViewArgs;
use crate::base::record::GameId;
use crate::db::search::{self, BoardAt, GameReader, GameTally, Hit, QueryPlan};
use crate::db::store::Store;
use crate::games::notation::epd::{Operand, Operation};
use crate::games::variation_tree::PlyRef;
use crate::games::{FormExtras, PositionForm};
use crate::query::GroupKey;

pub(crate) fn run(plan: &SearchPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    if plan.explain {
        return explain(plan, context);
    }
    if let Some((file, list)) = &plan.each {
        return each::run(plan, (file, list), context);
    }
    if !plan.group_by.is_empty() {
        return grouped(plan, context);
    }
    if plan.count {
        let (ready, tally) = context.ask(|store| {
            let ready = resolve(store, &plan.query)?;
            let tally = search::tally(store, &ready.plan)?;
            Ok((ready, tally))
        })?;
        if tally.interrupted {
            return interrupted(tally.games, context);
        }
        writeln!(context.out, "{}", tally.games)?;
        context.out.flush()?;
        names::explain(&ready.names, plan.query.scope.exact_names, context);
        say(ready.notes, context);
        if tally.games == 0 {
            relax::say(&ready.plan, context)?;
        }
        return Ok(Exit::found(tally.games));
    }
    if plan.format == SearchFormat::Pgn {
        let games = export::to_screen(context, &plan.query, plan.writing, ExportFormat::Pgn)?;
        context
            .notes
            .note(&render::number::counted(games, "game", "games"));
        return Ok(Exit::found(games));
    }
    if plan.board || matches!(plan.format, SearchFormat::Fen | SearchFormat::Epd) {
        return positions(plan, context);
    }
    // Queries may take long: what they find is shown as soon as it fills the page.
    let is_short = |limit| limit <= SAMPLE_GAMES as u64 && !plan.query.has_pattern();
    let (ready, tally, games) = if plan.query.page.limit.is_some_and(is_short) {
        let (ready, found) = context.ask(|store| {
            let ready = resolve(store, &plan.query)?;
            let found = search::search(store, &ready.plan, plan.writing)?;
            Ok((ready, found))
        })?;
        let mut listing = listing(plan, context, 0, &ready);
        for hit in found.hits {
            listing.push(hit)?;
        }
        let tally = GameTally {
            games: found.total,
            interrupted: found.interrupted,
        };
        let games = listing.end(tally)?;
        (ready, tally, games)
    } else {
        let store = Store::open(&context.db, &context.stop)?;
        let ready = resolve(&store, &plan.query)?;
        let mut listing = listing(plan, context, store.last_game()?, &ready);
        let mut take = |hit| listing.push(hit);
        let tally = search::each_hit(&store, &ready.plan, plan.writing, &mut take)?;
        let games = listing.end(tally)?;
        (ready, tally, games)
    };
    if tally.interrupted {
        return interrupted(tally.games, context);
    }
    let total = tally.games;
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    // The games stand before the note about them, for they are written.
    let note = hits::page(&context.screen, total, plan.query.page.offset, games);
    context.notes.note(&note);
    say(ready.notes, context);
    if total == 0 {
        relax::say(&ready.plan, context)?;
    }
    Ok(Exit::found(games))
}

/// Answers as JSON: a page of hits, or groups; with what was said of the query as a note.
pub(crate) fn json(
    plan: &SearchPlan,
    said: Vec<String>,
    store: &Store,
    out: &mut dyn std::io::Write,
) -> Result<(), CliError> {
    let mut ready = resolve(store, &plan.query)?;
    ready.notes.splice(0..0, said);
    if !plan.group_by.is_empty() {
        let by = &plan.group_by;
        let viewed = ViewArgs::viewed(plan.view, store, &ready.plan)?;
        let found = search::groups(
            store,
            &ready.plan,
            by,
            plan.query.scope.exact_names,
            viewed.as_ref(),
        )?;
        let mut list = GroupList::of(&found, by, plan.query.page.limit).seen_by(viewed.as_ref());
        (list.names, list.other_variants) = (&ready.names, &ready.other_variants);
        list.notes = &ready.notes;
        if found.tally.interrupted {
            return Err(CliError::interrupted());
        }
        return Ok(render::json::pretty(out, &list)?);
    }
    let found = search::search(store, &ready.plan, plan.writing)?;
    if found.interrupted {
        return Err(CliError::interrupted());
    }
    let screen = TerminalInfo::plain(0);
    let mut listing = GameListWriter::new(
        Box::new(out),
        screen,
        SearchFormat::Json,
        plan.query.page.offset,
        0,
    )
    .with_list("names", &ready.names)
    .with_list("other_variants", &ready.other_variants)
    .with_list("notes", &ready.notes);
    for hit in found.hits {
        listing.push(hit)?;
    }
    listing.end(GameTally {
        games: found.total,
        interrupted: false,
    })?;
    Ok(())
}

/// Counts the games by what they have in common.
fn grouped(plan: &SearchPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let by = &plan.group_by;
    let (ready, found, viewed) = context.ask(|store| {
        let ready = resolve(store, &plan.query)?;
        let viewed = ViewArgs::viewed(plan.view, store, &ready.plan)?;
        if viewed.is_none()
            && by.iter().any(GroupKey::is_of_player)
            && !by.contains(&GroupKey::Player)
        {
            return Err(
                CliError::new("--group-by opponent and colour need a player")
                    .hint("name one with --player, --white or --black"),
            );
        }
        let exact_names = plan.query.scope.exact_names;
        let found = search::groups(store, &ready.plan, by, exact_names, viewed.as_ref())?;
        Ok((ready, found, viewed))
    })?;
    let mut list = GroupList::of(&found, by, plan.query.page.limit).seen_by(viewed.as_ref());
    (list.names, list.other_variants) = (&ready.names, &ready.other_variants);
    list.notes = &ready.notes;
    write_groups(&list, plan.format, context)?;
    if found.tally.interrupted {
        return interrupted(found.tally.games, context);
    }
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    context.notes.note(&groups::note(&list));
    say(ready.notes, context);
    if found.tally.games == 0 {
        relax::say(&ready.plan, context)?;
    }
    Ok(Exit::found(found.tally.games))
}

fn write_groups(
    list: &GroupList<'_>,
    format: SearchFormat,
    context: &mut CommandContext<'_>,
) -> Result<(), CliError> {
    match format {
        SearchFormat::Json => context.json(list)?,
        SearchFormat::Csv => groups::csv(&mut *context.data(), list)?,
        _ => {
            groups::write(context.out, &context.screen, list)?;
            context.out.flush()?;
        }
    }
    Ok(())
}

/// Writes or draws the position that is found in each game.
fn positions(plan: &SearchPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let store = Store::open(&context.db, &context.stop)?;
    let ready = resolve(&store, &plan.query)?;
    let mut games = GameReader::new(&store);
    let (mut written, mut left_out) = (0, 0);
    let screen = context.screen;
    let tally = {
        let mut out = if plan.board {
            Box::new(&mut *context.out)
        } else {
            context.data()
        };
        let mut sheet = BoardGrid::new(
            &mut *out,
            screen,
            screen.board_style(BoardStyleArgs::default()),
        );
        let tally = search::each_hit(&store, &ready.plan, plan.writing, &mut |hit| {
            let place = place_of(&hit);
            let Some(board) = games.board_at(hit.header.id, place.as_ref())? else {
                left_out += 1;
                return Ok::<_, CliError>(());
            };
            if plan.board {
                sheet.push(&hit, &board)?;
            } else if let Some(line) = position_of(&hit, &board, plan.format) {
                sheet.line(&line)?;
            } else {
                left_out += 1;
                return Ok(());
            }
            written += 1;
            Ok(())
        })?;
        sheet.end()?;
        out.flush()?;
        tally
    };
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    say(ready.notes, context);
    if tally.interrupted {
        return interrupted(tally.games, context);
    }
    let note = hits::page(
        &context.screen,
        tally.games,
        plan.query.page.offset,
        written + left_out,
    );
    context.notes.note(&note);
    if left_out > 0 {
        let games = render::number::counted(left_out, "game", "games");
        context
            .notes
            .note(&format!("{games} left out: they cannot be replayed"));
    }
    if tally.games == 0 {
        relax::say(&ready.plan, context)?;
    }
    Ok(Exit::found(written))
}

/// Where a game was found; `None` is its end.
fn place_of(hit: &Hit) -> Option<PlyRef> {
    let ply = hit.ply?;
    let place = match &hit.variation {
        Some(line) => format!("{line}/{ply}"),
        None => ply.to_string(),
    };
    place.parse().ok()
}

/// The position that is found in a game, as a line; `None` if it cannot be written.
fn position_of(hit: &Hit, board: &BoardAt, format: SearchFormat) -> Option<String> {
    let header = &hit.header;
    if format == SearchFormat::Fen {
        return Some(board.position.fen());
    }
    let operation = |opcode: &str, text: String| Operation {
        opcode: opcode.to_owned(),
        operands: vec![Operand::Text(text.replace('"', "'"))],
    };
    let players = format!(
        "{} - {}, {} {}",
        header.white, header.black, header.event, header.date
    );
    let besides = FormExtras {
        operations: vec![
            operation("id", players),
            operation("c0", format!("game {}, ply {}", header.id, board.place)),
        ],
        ..FormExtras::default()
    };
    board.position.write_as(PositionForm::Epd, &besides)
}

/// Says how a query is answered.
fn explain(plan: &SearchPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let (ready, planned, tally) = context.ask(|store| {
        let ready = resolve(store, &plan.query)?;
        let tally = search::tally(store, &ready.plan)?;
        let planned = search::explain(store, &ready.plan, tally.games)?;
        Ok((ready, planned, tally))
    })?;
    let found = tally.games;
    if plan.format == SearchFormat::Json {
        let planned = ExplainOutput { planned, found };
        context.json(&planned)?;
    } else {
        render::explain::planned(context.out, &context.screen, &planned, found)?;
        context.out.flush()?;
    }
    if tally.interrupted {
        return interrupted(found, context);
    }
    say(ready.notes, context);
    Ok(Exit::found(found))
}

/// How a query is answered, and how many games are found.
#[derive(Serialize)]
struct ExplainOutput {
    #[serde(flatten)]
    planned: QueryPlan,
    found: u64,
}

/// Says how many games were found before the end was requested.
pub(crate) fn interrupted(games: u64, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let games = render::number::counted(games, "game", "games");
    let note = format!("{games} found until then; there may be more");
    context.notes.note(&note);
    Err(CliError::interrupted())
}

pub(super) fn say(notes: impl IntoIterator<Item = String>, context: &mut CommandContext<'_>) {
    for note in notes {
        context.notes.note(&note);
    }
}

/// A list on standard output of games up to a number.
fn listing<'o>(
    plan: &SearchPlan,
    context: &'o mut CommandContext<'_>,
    last_game: GameId,
    ready: &ResolvedQuery,
) -> GameListWriter<'o> {
    let screen = context.screen;
    let out = if plan.format == SearchFormat::Table {
        Box::new(&mut *context.out)
    } else {
        context.data()
    };
    let listing = GameListWriter::new(out, screen, plan.format, plan.query.page.offset, last_game);
    listing
        .with_list("names", &ready.names)
        .with_list("other_variants", &ready.other_variants)
        .with_list("notes", &ready.notes)
        .of_at_most(plan.query.page.limit)
}
