//! `plydex show`.

use std::io::Write;

use clap::{Args as ClapArgs, ValueEnum};

use crate::{
    base::record::GameId,
    cli::{
        CommandContext,
        args::{
            output::{BoardStyleArgs, LanguageArgs, NotationArgs},
            query_builder::writing,
            value_parsers,
        },
        commands::{
            CommandArgs,
            export::{ExportFormat, RecordWriter, epd_line},
        },
        error::CliError,
        exit::Exit,
        render::{game_tree, json, problem, show},
    },
    database::{BoardAt, GameTree, MoveNotation, Provenance, Reader, Snapshot, StoredGame},
    games::variation_tree::PlyRef,
    problems::StoredProblem,
};

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex show`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The board is drawn if --ply, --ascii or --black-below is given; without --ply it
shows the final position.

Examples:
  plydex show 91
  plydex show 91 --ply 10 --black-below
  plydex show 91 --language figurine
  plydex show 91 --format pgn"
)]
pub struct ShowArgs {
    /// Number of the game, from the first column of search
    #[arg(value_name = "GAME", value_parser = value_parsers::whole::<u64>(1, u64::MAX))]
    pub game: u64,
    /// Draw the board after N plies; 0 is the start position
    ///
    /// In a variation, write the path first: 23.1/26 is ply 26 in the first variation
    /// of ply 23, 23.1/25.2/30 ply 30 in the second variation of its ply 25. Searches
    /// with --in-variations show such places.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Board",
        allow_negative_numbers = true
    )]
    pub ply: Option<PlyRef>,
    /// How the board looks.
    #[command(flatten, next_help_heading = "Board")]
    pub look: BoardStyleArgs,
    /// on or off: clocks and evaluations after the moves
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "on",
        help_heading = "Output"
    )]
    pub clocks: ClocksArg,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// text, json, tree, pgn, epd, problem or olive
    ///
    /// tree is JSON with the variations as moves and the position after every move. pgn writes games of draughts as PDN; epd is the start position. Only for chess
    /// problems: problem (one line) and olive (YAML).
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ShowFormat,
}

/// Whether clocks and evaluations are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ClocksArg {
    /// After the moves.
    #[default]
    On,
    /// Not at all.
    Off,
}

/// Formats of `show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ShowFormat {
    /// Tags and wrapped movetext, for reading.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// One JSON object, with variations as moves and the position after each move.
    Tree,
    /// As `export` writes it.
    #[value(alias = "pdn")]
    Pgn,
    /// A problem as a line.
    #[value(alias = "problems")]
    Problem,
    /// A problem as Popeye's input.
    Popeye,
    /// A problem as the YAML of olive.
    Olive,
    /// Its start position as a line of EPD.
    Epd,
}

/// Which position of a game is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPlan {
    /// At that place; `None` is the end of the main line.
    pub ply: Option<PlyRef>,
    /// How it looks.
    pub look: BoardStyleArgs,
}

/// `show`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowPlan {
    /// Which one.
    pub game: GameId,
    /// A board, if one is requested.
    pub board: Option<BoardPlan>,
    /// How moves are written.
    pub writing: MoveNotation,
    /// Whether clocks and evaluations stand after them.
    pub has_clocks: bool,
    /// Of the game.
    pub format: ShowFormat,
}

pub(crate) fn plan(args: &ShowArgs) -> Result<ShowPlan, CliError> {
    let drawing = args.look != BoardStyleArgs::default();
    let is_file = !matches!(
        args.format,
        ShowFormat::Text | ShowFormat::Json | ShowFormat::Tree
    );
    if is_file && (drawing || args.ply.is_some()) {
        let format = args.format.to_possible_value();
        let format = format.as_ref().map_or("", |value| value.get_name());
        return Err(
            CliError::new(format!("--format {format} cannot include a board"))
                .hint("leave out --ply, --ascii and --black-below, or use --format text"),
        );
    }
    if args.format == ShowFormat::Tree && (drawing || args.ply.is_some()) {
        return Err(
            CliError::new("--format tree has the position after every move")
                .hint("leave out --ply, --ascii and --black-below"),
        );
    }
    if args.format == ShowFormat::Json && drawing {
        return Err(
            CliError::new("--format json gives the position as a FEN, not as a drawing")
                .hint("leave out --ascii and --black-below; --ply N adds the position"),
        );
    }
    let board = (drawing || args.ply.is_some()).then_some(BoardPlan {
        ply: args.ply.clone(),
        look: args.look,
    });
    Ok(ShowPlan {
        game: args.game,
        board,
        writing: writing(args.notation, &args.language)?,
        has_clocks: args.clocks == ClocksArg::On,
        format: args.format,
    })
}

/// Everything that is shown of a game, read from one state of the database.
struct GameView {
    record: StoredGame,
    /// Whether it is shown as the problem that it is.
    is_problem: bool,
    at: Option<BoardAt>,
    tree: Option<GameTree>,
    provenance: Provenance,
}

fn read(snapshot: &Snapshot<'_>, plan: &ShowPlan) -> Result<Option<GameView>, CliError> {
    if let Some((change, is_given_up)) = snapshot.deletion(plan.game)? {
        let error = format!("game {} was removed by change {change}", plan.game);
        if is_given_up {
            return Err(CliError::new(format!(
                "{error}, and given up by `plydex optimize --purge`"
            ))
            .hint("only a backup from before has it"));
        }
        let log = snapshot.changes()?;
        let can_be_undone = log
            .iter()
            .any(|its| its.change == change && its.can_be_undone);
        return Err(CliError::new(error).hint(if can_be_undone {
            format!("`plydex undo {change}` brings it back; `plydex log` lists the changes")
        } else {
            "`plydex log` lists the changes".to_owned()
        }));
    }
    let mut games = snapshot.reader(plan.writing);
    let Some(record) = games.record(plan.game)? else {
        return Ok(None);
    };
    let is_text = plan.format == ShowFormat::Text;
    // A problem is its diagram; with --ply it is shown as a game.
    let has_ply = (plan.board.as_ref()).is_some_and(|board| board.ply.is_some());
    let is_problem = is_text && !has_ply && record.problem.is_some();
    let at = match &plan.board {
        _ if is_problem => None,
        Some(board) => Some(board_at(&mut games, plan.game, board.ply.as_ref())?),
        // A position is meant to be seen with its board. What cannot be played is shown without.
        None if is_text && record.game.header.is_record() => {
            board_at(&mut games, plan.game, Some(&PlyRef::default())).ok()
        }
        None => None,
    };
    let tree = match plan.format {
        ShowFormat::Tree => games.tree(plan.game)?,
        _ => None,
    };
    let provenance = snapshot.provenance(plan.game)?;
    Ok(Some(GameView {
        record,
        is_problem,
        at,
        tree,
        provenance,
    }))
}

/// A game as JSON, or as it is exported; whether there is such a game.
pub(crate) fn data(
    plan: &ShowPlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let Some(shown) = read(snapshot, plan)? else {
        return Ok(false);
    };
    if let Some(tree) = &shown.tree {
        let value = game_tree::game_tree(&shown.record, tree, &shown.provenance);
        json::line(out, &value)?;
    } else if plan.format == ShowFormat::Json {
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
    let Some(shown) = context.ask(|snapshot| read(snapshot, plan))? else {
        context
            .notes
            .note(&format!("there is no game {}", plan.game));
        return Ok(Exit::NothingFound);
    };
    let GameView {
        record,
        is_problem,
        at,
        tree,
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
        ShowFormat::Tree => {
            if let Some(tree) = &tree {
                context.json(&game_tree::game_tree(&record, tree, &provenance))?;
            }
        }
        ShowFormat::Epd => {
            let Some(line) = epd_line(game) else {
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

/// The position at a place of a game; `None` is its last indexed ply.
/// An error where the game has not the place or cannot be replayed.
fn board_at(
    games: &mut Reader<'_>,
    game: GameId,
    place: Option<&PlyRef>,
) -> Result<BoardAt, CliError> {
    match games.board_at(game, place)? {
        Some(at) => Ok(at),
        None => Err(match games.header(game)? {
            Some(_) if place.is_some_and(|place| !place.line.is_main()) => {
                let place = place.map(PlyRef::to_string).unwrap_or_default();
                CliError::new(format!("game {game} has no ply {place}"))
                    .hint("`plydex search POSITION --in-variations` shows the plies of variations that it finds")
            }
            Some(header) if place.is_some_and(|place| place.ply > header.plies) => {
                CliError::new(format!("game {game} has only {} plies", header.plies))
                    .hint(format!("give --ply a number from 0 to {}", header.plies))
            }
            _ => CliError::new(format!("game {game} cannot be replayed"))
                .hint("its variant is not supported or its start position cannot be read; `plydex show` without a board prints its text"),
        }),
    }
}

impl CommandArgs for ShowArgs {
    const IS_PAGED: bool = true;
    type Plan = ShowPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(&self)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
