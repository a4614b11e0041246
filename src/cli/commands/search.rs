//! `plydex search`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use crate::base::record::GameId;
use crate::cli::args::output::BoardStyleArgs;
use crate::cli::args::query::{ListArgs, SEARCH_LIMIT_DEFAULT};
use crate::cli::args::query_builder::{query, writing};
use crate::cli::args::value_parsers;
use crate::cli::args::view::{ViewArg, ViewArgs};
use crate::cli::commands::export::{self, ExportFormat, RecordForm};
use crate::cli::commands::{CommandArgs, SavedTexts, names};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::board_grid::BoardGrid;
use crate::cli::render::groups::{self, GroupList};
use crate::cli::render::listing::{GameListWriter, SAMPLE_GAMES};
use crate::cli::render::{self, hits};
use crate::cli::resolve::{ResolvedQuery, resolve};
use crate::cli::terminal::TerminalInfo;
use crate::cli::{CommandContext, relax};
use crate::database::{BoardAt, GameTally, Hit, MoveNotation, QueryPlan, Snapshot};
use crate::games::notation::epd::{Operand, Operation};
use crate::games::variation_tree::PlyRef;
use crate::games::{FormExtras, PositionForm};
use crate::query::{GROUP_KEYS_MAX, GameCondition, GroupKey, Query};

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex search`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Each game is listed once, where the position is first on the board. Without
POSITION only the tags are searched. A FEN field that is left out may have any
value.

Examples:
  plydex search e4 c5 Nf3 d6
  plydex search 1.e4 c5 --player fischer --player spassky --sort date:desc
  plydex search '8/8/8/4k3/8/8/4P3/4K3 w' --identity board --count
  plydex search 32-28 19-23 28x19 14x23 --variant international
  plydex search 'W:W31-50:B1-20' --rotate
  plydex search --eco B90-B99 --since 1960 --format csv --limit 0
  plydex search --tag Annotator=plydex"
)]
pub struct SearchArgs {
    /// The games.
    #[command(flatten)]
    pub list: ListArgs,
    /// Print only the number of games
    #[arg(long)]
    pub count: bool,
    /// Explain how the query runs, and print only the number of games
    ///
    /// For each part of the query, the columns that were read and how many games they
    /// leave; then how many games were scanned.
    #[arg(long)]
    pub explain: bool,
    /// Draw the position found in each game
    ///
    /// Without a POSITION that is the end of each game.
    #[arg(long, conflicts_with_all = ["count", "explain", "group_by", "each"])]
    pub board: bool,
    /// Count the games by result, year, eco, player, move …, or two of these
    ///
    /// The keys are result, year, month, eco, opening, player, white, black, event, site, variant,
    /// rating (the mean of both, in hundreds), time, plies and tag.NAME; opponent and colour, of the
    /// player you search for; and move, material and ending, of the match. Separate two keys by a comma.
    /// --limit applies to the groups.
    #[arg(long, value_name = "KEY", value_parser = value_parsers::group_key, value_delimiter = ',')]
    #[arg(conflicts_with_all = ["count", "explain", "sort", "offset"])]
    pub group_by: Vec<GroupKey>,
    /// Whose scores are counted.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Count the games for each line of a file
    ///
    /// The file - is standard input. A line is a POSITION as you type it after `plydex search`: a query, moves, a FEN, or
    /// a line of EPD. Empty lines and those that begin with # are skipped. The filters apply
    /// to all lines.
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["position", "group_by", "count", "explain", "sort", "offset", "limit"])]
    pub each: Option<PathBuf>,
    /// table, json, ndjson, csv, pgn, fen or epd
    ///
    /// ndjson is one JSON object per line. pgn writes games of draughts as PDN. fen and epd
    /// write the position found in each game, epd with the game it is from.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: SearchFormat,
}

/// Formats of `search`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SearchFormat {
    /// Aligned columns, for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
    /// One JSON object per game and line.
    Ndjson,
    /// Comma-separated values with a heading line.
    Csv,
    /// The complete games.
    #[value(alias = "pdn")]
    Pgn,
    /// The FEN of each position found.
    Fen,
    /// The same as EPD, with the game it is from.
    Epd,
}

/// `search`.
#[derive(Debug, Clone)]
pub struct SearchPlan {
    /// The query.
    pub query: Query,
    /// How moves are written.
    pub writing: MoveNotation,
    /// The number of games alone.
    pub count: bool,
    /// How a query is answered.
    pub explain: bool,
    /// The position of each is drawn.
    pub board: bool,
    /// What the games are counted by.
    pub group_by: Vec<GroupKey>,
    /// Whose scores are counted then.
    pub view: Option<ViewArg>,
    /// A file whose lines are queried one after the other, each as a position with these options.
    pub each: Option<(PathBuf, Box<ListArgs>)>,
    /// Of the hits.
    pub format: SearchFormat,
}

pub(crate) fn plan(args: &SearchArgs, warnings: &mut Vec<String>) -> Result<SearchPlan, CliError> {
    if args.explain && !matches!(args.format, SearchFormat::Table | SearchFormat::Json) {
        return Err(CliError::new("--explain prints a table or JSON, not games")
            .hint("leave out --format, or write --format json"));
    }
    let is_counted = matches!(
        args.format,
        SearchFormat::Table | SearchFormat::Json | SearchFormat::Csv
    );
    if args.board && args.format != SearchFormat::Table {
        return Err(CliError::new("--board draws boards, in no other format")
            .hint("leave out --format; --format fen and --format epd write positions"));
    }
    for (is_given, name) in [
        (!args.group_by.is_empty(), "--group-by"),
        (args.each.is_some(), "--each"),
    ] {
        if is_given && !is_counted {
            return Err(CliError::new(format!("{name} only counts games"))
                .hint("leave out --format, or write --format json or --format csv"));
        }
    }
    if args.count {
        if !matches!(
            args.format,
            SearchFormat::Table | SearchFormat::Json | SearchFormat::Ndjson
        ) {
            return Err(CliError::new(
                "--count prints only a number, not --format csv, pgn, fen or epd",
            )
            .hint("leave out --count or --format"));
        }
        let page = &args.list.page;
        for (given, name) in [
            (page.limit.is_some(), "--limit"),
            (page.offset.is_some(), "--offset"),
            (page.sort.is_some(), "--sort"),
        ] {
            if given {
                return Err(CliError::new(format!(
                    "--count counts all games, so {name} has no effect"
                ))
                .hint(format!("leave out --count or {name}")));
            }
        }
    }
    let list = &args.list;
    let mut query = if args.each.is_some() && list.position.position.is_empty() {
        // How the positions of a file are meant says nothing where there is none.
        let mut without = list.clone();
        without.position = crate::cli::args::query::PositionArgs::default();
        query(&without, Some(SEARCH_LIMIT_DEFAULT), warnings)?
    } else {
        query(list, Some(SEARCH_LIMIT_DEFAULT), warnings)?
    };
    args.view.place(&mut query)?;
    let finds_moves = query.has_places();
    if args.group_by.len() > GROUP_KEYS_MAX {
        return Err(
            CliError::new(format!("--group-by takes at most {GROUP_KEYS_MAX} keys"))
                .hint("write two of them with a comma, such as opening,result"),
        );
    }
    if args.group_by.iter().any(GroupKey::is_of_place)
        && !(finds_moves
            || query.required().any(GameCondition::is_of_annotations)
            || args.group_by.iter().all(|key| *key == GroupKey::Ending))
    {
        return Err(
            CliError::new("--group-by move and material need a position")
                .hint("give a POSITION or a query, such as `e4 c5` or material:KRPvKR+"),
        );
    }
    Ok(SearchPlan {
        query,
        writing: writing(list.notation, &list.language)?,
        count: args.count,
        explain: args.explain,
        board: args.board,
        group_by: args.group_by.clone(),
        view: args.view.view,
        each: (args.each.clone()).map(|file| (file, Box::new(args.list.clone()))),
        format: args.format,
    })
}

mod each;

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
        let (ready, tally) = context.ask(|snapshot| {
            let ready = resolve(snapshot, &plan.query)?;
            let tally = snapshot.tally(&ready.plan)?;
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
        let form = RecordForm {
            writing: plan.writing,
            format: ExportFormat::Pgn,
            annotates: false,
        };
        let games = export::to_screen(context, &plan.query, form)?;
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
        let (ready, found) = context.ask(|snapshot| {
            let ready = resolve(snapshot, &plan.query)?;
            let found = snapshot.search(&ready.plan, plan.writing)?;
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
        let snapshot = context.snapshot()?;
        let ready = resolve(&snapshot, &plan.query)?;
        let mut listing = listing(plan, context, snapshot.last_game()?, &ready);
        let mut take = |hit| listing.push(hit);
        let tally = snapshot.each_hit(&ready.plan, plan.writing, &mut take)?;
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
    snapshot: &Snapshot<'_>,
    out: &mut dyn std::io::Write,
) -> Result<(), CliError> {
    let mut ready = resolve(snapshot, &plan.query)?;
    ready.notes.splice(0..0, said);
    if !plan.group_by.is_empty() {
        let by = &plan.group_by;
        let viewed = ViewArgs::viewed(plan.view, snapshot, &ready.plan)?;
        let found = snapshot.groups(
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
    let found = snapshot.search(&ready.plan, plan.writing)?;
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
    let (ready, found, viewed) = context.ask(|snapshot| {
        let ready = resolve(snapshot, &plan.query)?;
        let viewed = ViewArgs::viewed(plan.view, snapshot, &ready.plan)?;
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
        let found = snapshot.groups(&ready.plan, by, exact_names, viewed.as_ref())?;
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
    let snapshot = context.snapshot()?;
    let ready = resolve(&snapshot, &plan.query)?;
    let mut games = snapshot.reader(MoveNotation::default());
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
        let tally = snapshot.each_hit(&ready.plan, plan.writing, &mut |hit| {
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
    let (ready, planned, tally) = context.ask(|snapshot| {
        let ready = resolve(snapshot, &plan.query)?;
        let tally = snapshot.tally(&ready.plan)?;
        let planned = snapshot.explain(&ready.plan, tally.games)?;
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

pub(crate) fn say(notes: impl IntoIterator<Item = String>, context: &mut CommandContext<'_>) {
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

impl CommandArgs for SearchArgs {
    const IS_PAGED: bool = true;
    type Plan = SearchPlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(&self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        Some(self.list.saved())
    }
}
