//! What the arguments mean. Contradictions die here, before any file is
//! touched, with the name of the option to use.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::base::display_path;
use crate::base::record::GameId;
use crate::db::findings::FindingQuery;
use crate::db::search::{self, MoveNotation};
use crate::db::store::NameTable;
use crate::games::AnyPosition;
use crate::games::variant::Variant;
use crate::games::variation_tree::PlyRef;
use crate::query::{GROUP_KEYS_MAX, GameCondition, GroupKey, Query};

use super::args::{
    ClocksArg, Command, ExportArgs, ExportFormat, ImportArgs, ListArgs, SearchArgs, SearchFormat,
    ShowArgs, ShowFormat,
};
use super::args_diagnostics::{DiagnosticsArgs, FindingFormat, ImportSelection};
use super::args_names::{NAME_ORDERS, NameOrder, NamesArgs};
use super::args_output::{BoardStyleArgs, TableFormat, TextFormat};
use super::args_rules::PerftArgs;
use super::args_sql::RowFormat;
use super::backend::ImportOptions;
use super::eco::EcoPlan;
use super::error::CliError;
use super::output::Destination;
use super::plan_changes::{self, DedupePlan, DeletePlan, EditPlan, LogPlan, MergePlan};
use super::plan_convert::{self, BoardOfPlan, ConvertPlan};
use super::plan_prepare::{self, NoveltyPlan, RepertoirePlan};
use super::plan_query::{at, query, writing};
use super::plan_reread::{self, RereadPlan};
use super::plan_rules;
use super::plan_tree::{self, TreePlan};
use super::serve::plan_serve::{self, ServePlan};
use super::value_parsers;
use super::view::ViewArg;

/// Hits of a search where no `--limit` is given: a screenful.
pub(super) const SEARCH_LIMIT_DEFAULT: u64 = 20;

/// Findings where no `--limit` is given.
const FINDING_LIMIT_DEFAULT: u64 = 20;

/// What is to be done.
#[derive(Debug, Clone)]
pub enum Plan {
    /// Read games.
    Import(ImportPlan),
    /// Read something again.
    Reread(RereadPlan),
    /// Show what was changed.
    Log(LogPlan),
    /// Take a change back.
    Undo(i64, TextFormat),
    /// Delete games.
    Delete(DeletePlan),
    /// Change tags.
    Edit(EditPlan),
    /// Find and remove games that are stored twice.
    Dedupe(DedupePlan),
    /// Take in another database.
    Merge(MergePlan),
    /// Make the file small, giving up removed games or not.
    Optimize(bool, TextFormat),
    /// Find games.
    Search(SearchPlan),
    /// Show next moves.
    Tree(Box<TreePlan>),
    /// Find where games left what was known.
    Novelty(NoveltyPlan),
    /// Hold a repertoire against the games.
    Repertoire(RepertoirePlan),
    /// Show a game.
    Show(ShowPlan),
    /// Write games.
    Export(ExportPlan),
    /// List names.
    Names(NamesPlan),
    /// Show findings.
    Diagnostics(DiagnosticsPlan),
    /// Show what the database holds.
    Info(TextFormat),
    /// Check it.
    Check(TextFormat),
    /// Write what can be read of it to another file.
    Repair(Destination, TextFormat),
    /// Bring it up to date.
    Reindex(TextFormat),
    /// Copy it.
    Backup(Destination),
    /// Put the backup of that name in the place of the database.
    Restore(PathBuf),
    /// Run a statement.
    Sql(SqlPlan),
    /// Write plain tables.
    Unpack(UnpackPlan),
    /// Answer over HTTP.
    Serve(ServePlan),
    /// Count lines of moves.
    Perft(PerftArgs, AnyPosition),
    /// List moves.
    Moves(AnyPosition, MoveNotation, TextFormat),
    /// Draw a position.
    Board(BoardOfPlan),
    /// Write a position in another notation.
    Convert(ConvertPlan),
    /// Show what a position is called.
    Eco(EcoPlan, TextFormat),
    /// Show which variants there are.
    Variants(Option<&'static Variant>, TextFormat),
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

/// `export`.
#[derive(Debug, Clone)]
pub struct ExportPlan {
    /// The query.
    pub query: Query,
    /// How moves are written.
    pub writing: MoveNotation,
    /// What is written of each game.
    pub format: ExportFormat,
    /// The file; `None` is standard output.
    pub output: Option<Destination>,
}

/// `players`, `events`, `sites`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamesPlan {
    /// Which names.
    pub table: NameTable,
    /// What is done with them.
    pub task: NamesTask,
    /// The words that they hold.
    pub text: Option<String>,
    /// Whether all spellings are shown.
    pub spellings: bool,
    /// How many at most; `None` is all.
    pub limit: Option<u64>,
    /// Their order.
    pub order: NameOrder,
    /// Largest first.
    pub descending: bool,
    /// How they are given.
    pub format: TableFormat,
}

/// What is done with names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamesTask {
    /// They are listed.
    List,
    /// Two of them are joined, or parted.
    Decide {
        /// The names.
        names: [String; 2],
        /// Whether they are one's.
        is_same: bool,
    },
}

/// `diagnostics`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagnosticsPlan {
    /// Whose findings; `None` is the newest import.
    pub import: Option<ImportSelection>,
    /// Which of them.
    pub query: FindingQuery,
    /// How they are given.
    pub format: FindingFormat,
}

/// `sql`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlPlan {
    /// The statement; `None` is what standard input has.
    pub statement: Option<String>,
    /// Of the rows.
    pub format: RowFormat,
}

/// `unpack`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackPlan {
    /// The file.
    pub target: Destination,
    /// Whether the moves are among the tables.
    pub moves: bool,
}

/// Turns what was typed into what it means; with warnings of what is worth a look.
pub fn plan(command: Command) -> Result<(Plan, Vec<String>), CliError> {
    let mut warnings = Vec::new();
    let plan = match command {
        Command::Import(args) => Plan::Import(import(args)?),
        Command::Reread(args) => Plan::Reread(plan_reread::reread(args)?),
        Command::Log(args) => Plan::Log(plan_changes::log(args)),
        Command::Undo(args) => Plan::Undo(args.change, args.answer.format),
        Command::Delete(args) => Plan::Delete(plan_changes::delete(args, &mut warnings)?),
        Command::Edit(args) => Plan::Edit(plan_changes::edit(args)?),
        Command::Dedupe(args) => Plan::Dedupe(plan_changes::dedupe(args)),
        Command::Merge(args) => Plan::Merge(plan_changes::merge(args)),
        Command::Optimize(args) => Plan::Optimize(args.purge, args.answer.format),
        Command::Search(args) => Plan::Search(search(&args, &mut warnings)?),
        Command::Tree(args) => Plan::Tree(Box::new(plan_tree::tree(&args, &mut warnings)?)),
        Command::Novelty(args) => Plan::Novelty(plan_prepare::novelty(&args, &mut warnings)?),
        Command::Repertoire(args) => {
            Plan::Repertoire(plan_prepare::repertoire(args, &mut warnings)?)
        }
        Command::Show(args) => Plan::Show(show(&args)?),
        Command::Export(args) => Plan::Export(export(args, &mut warnings)?),
        Command::Players(args) => Plan::Names(names(NameTable::Player, args.names)?),
        Command::Events(args) => Plan::Names(names(NameTable::Event, args.names)?),
        Command::Sites(args) => Plan::Names(names(NameTable::Site, args.names)?),
        Command::Diagnostics(args) => Plan::Diagnostics(diagnostics(args)),
        Command::Info(args) => Plan::Info(args.format),
        Command::Check(args) => match args.repair {
            None => Plan::Check(args.answer.format),
            Some(file) => {
                let target = Destination::new(file, false, "name a new file with --repair");
                Plan::Repair(target, args.answer.format)
            }
        },
        Command::Reindex(args) => Plan::Reindex(args.answer.format),
        Command::Backup(args) => {
            Plan::Backup(Destination::new(args.file, args.force, "name another file"))
        }
        Command::Restore(args) => Plan::Restore(args.backup),
        Command::Sql(args) => Plan::Sql(SqlPlan {
            statement: (args.statement != "-").then_some(args.statement),
            format: args.format,
        }),
        Command::Unpack(args) => Plan::Unpack(UnpackPlan {
            target: Destination::new(args.output, args.force, "name another file with --output"),
            moves: args.moves,
        }),
        Command::Serve(args) => Plan::Serve(plan_serve::serve(&args, &mut warnings)?),
        Command::Perft(args) => {
            let at = plan_rules::perft(&args, &mut warnings)?;
            Plan::Perft(args, at)
        }
        Command::Moves(args) => {
            let (at, writing) = plan_rules::moves(&args, &mut warnings)?;
            Plan::Moves(at, writing, args.answer.format)
        }
        Command::Board(args) => Plan::Board(plan_convert::board(args, &mut warnings)?),
        Command::Convert(args) => Plan::Convert(plan_convert::convert(&args, &mut warnings)?),
        Command::Eco(args) => {
            let plan = plan_rules::eco(&args, &mut warnings)?;
            Plan::Eco(plan, args.answer.format)
        }
        Command::Variants(args) => Plan::Variants(plan_rules::variants(&args)?, args.answer.format),
    };
    Ok((plan, warnings))
}

fn import(args: ImportArgs) -> Result<ImportPlan, CliError> {
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
            ..plan_reread::reading(&args.reading)?
        },
        report,
        format: args.answer.format,
    })
}

pub(super) fn search(
    args: &SearchArgs,
    warnings: &mut Vec<String>,
) -> Result<SearchPlan, CliError> {
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
        without.position = super::args::PositionArgs::default();
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

pub(super) fn show(args: &ShowArgs) -> Result<ShowPlan, CliError> {
    let drawing = args.look != BoardStyleArgs::default();
    let is_file = !matches!(args.format, ShowFormat::Text | ShowFormat::Json);
    if is_file && (drawing || args.ply.is_some()) {
        let format = args.format.to_possible_value();
        let format = format.as_ref().map_or("", |value| value.get_name());
        return Err(
            CliError::new(format!("--format {format} cannot include a board"))
                .hint("leave out --ply, --ascii and --black-below, or use --format text"),
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

fn names(table: NameTable, args: NamesArgs) -> Result<NamesPlan, CliError> {
    let pair = |names: Vec<String>| <[String; 2]>::try_from(names).ok();
    let task = match (pair(args.same), pair(args.different)) {
        (Some(names), _) => NamesTask::Decide {
            names,
            is_same: true,
        },
        (None, Some(names)) => NamesTask::Decide {
            names,
            is_same: false,
        },
        (None, None) => NamesTask::List,
    };
    let text = args.text.join(" ");
    if !args.text.is_empty() && !search::has_words(&text) {
        return Err(
            CliError::new(format!("`{text}` contains no word to search for"))
                .hint("write a part of a name, or leave it out"),
        );
    }
    let sort = args
        .sort
        .as_deref()
        .map(|text| value_parsers::order_of(text, NAME_ORDERS));
    let sort = sort.transpose().map_err(at("--sort"))?;
    let (order, descending) = sort.unwrap_or((NameOrder::Games, true));
    let limit = args.limit.unwrap_or(SEARCH_LIMIT_DEFAULT);
    Ok(NamesPlan {
        table,
        task,
        text: (!args.text.is_empty()).then_some(text),
        spellings: args.spellings,
        limit: (limit > 0).then_some(limit),
        order,
        descending,
        format: args.format,
    })
}

fn diagnostics(args: DiagnosticsArgs) -> DiagnosticsPlan {
    let limit = args.limit.unwrap_or(FINDING_LIMIT_DEFAULT);
    DiagnosticsPlan {
        import: args.import,
        query: FindingQuery {
            import: None,
            codes: args.code,
            severities: args.severity,
            source: args.source,
            limit: (limit > 0).then_some(limit),
        },
        format: args.format,
    }
}

pub(super) fn export(args: ExportArgs, warnings: &mut Vec<String>) -> Result<ExportPlan, CliError> {
    let list = &args.list;
    let query = query(list, None, warnings)?;
    let other = "name another file with --output";
    let output = (args.output).map(|path| Destination::new(path, args.force, other));
    Ok(ExportPlan {
        query,
        writing: writing(list.notation, &list.language)?,
        format: args.format,
        output: output.filter(|target| !target.is_stdout()),
    })
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
