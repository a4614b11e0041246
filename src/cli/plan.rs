//! What the arguments mean. Contradictions die here, before any file is
//! touched, with the name of the option to use.

use std::path::{Path, PathBuf};

use shakmaty::Chess;

use crate::query::{Filter, Identity, PositionQuery, Query};
use crate::record::GameId;

use super::args::{
    Command, ExportArgs, FilterArgs, IdentityArg, ImportArgs, PageArgs, PositionArgs, SearchArgs,
    SearchFormat, ShowArgs, ShowFormat, TextFormat, TreeArgs, TreeFormat,
};
use super::backend::{self, BoardStyle, PositionText};
use super::error::CliError;
use super::plan_draughts::{self, AnyPerft, DraughtsPerftPlan, MovesPlan, VariantsPlan};
use super::values;

/// Hits of a search where no `--limit` is given: a screenful.
const SEARCH_LIMIT_DEFAULT: u64 = 20;

/// What is to be done.
#[derive(Debug, Clone)]
pub enum Plan {
    /// Read games.
    Import(ImportPlan),
    /// Find games.
    Search(SearchPlan),
    /// Show next moves.
    Tree(TreePlan),
    /// Show a game.
    Show(ShowPlan),
    /// Write games.
    Export(ExportPlan),
    /// Tell what is there.
    Info(TextFormat),
    /// Check it.
    Check(TextFormat),
    /// Count lines of moves.
    Perft(PerftPlan),
    /// The same in draughts.
    PerftDraughts(DraughtsPerftPlan),
    /// List moves.
    Moves(MovesPlan),
    /// Tell which variants there are.
    Variants(VariantsPlan),
}

/// A plan, and what was read with a grain of salt on the way.
#[derive(Debug, Clone)]
pub struct Planned {
    /// What is to be done.
    pub plan: Plan,
    /// Worth a look.
    pub warnings: Vec<String>,
}

/// `import`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPlan {
    /// Files, folders, `-`.
    pub paths: Vec<PathBuf>,
    /// Threads; `None` is one per core.
    pub threads: Option<usize>,
    /// Where the findings go.
    pub report: Option<PathBuf>,
    /// Of the summary.
    pub format: TextFormat,
}

/// `search`.
#[derive(Debug, Clone)]
pub struct SearchPlan {
    /// What is asked.
    pub query: Query,
    /// The number of games alone.
    pub count: bool,
    /// Of the hits.
    pub format: SearchFormat,
}

/// `tree`.
#[derive(Debug, Clone)]
pub struct TreePlan {
    /// The position.
    pub position: PositionQuery,
    /// The games.
    pub filter: Filter,
    /// Of the moves.
    pub format: TreeFormat,
}

/// Which position of a game is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardPlan {
    /// After that many plies; `None` is the end.
    pub ply: Option<u32>,
    /// How it looks.
    pub style: BoardStyle,
}

/// `show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShowPlan {
    /// Which one.
    pub game: GameId,
    /// A board, if one is asked for.
    pub board: Option<BoardPlan>,
    /// Of the game.
    pub format: ShowFormat,
}

/// `export`.
#[derive(Debug, Clone)]
pub struct ExportPlan {
    /// What is asked.
    pub query: Query,
    /// The file; `None` is standard output.
    pub output: Option<PathBuf>,
}

/// `perft`.
#[derive(Debug, Clone)]
pub struct PerftPlan {
    /// Where to begin.
    pub position: Chess,
    /// Plies.
    pub depth: u32,
    /// Each first move apart.
    pub divide: bool,
    /// Of the numbers.
    pub format: TextFormat,
}

/// Turns what was typed into what it means.
pub fn plan(command: Command, db: &Path) -> Result<Planned, CliError> {
    let mut warnings = Vec::new();
    let plan = match command {
        Command::Import(args) => Plan::Import(import(args)?),
        Command::Search(args) => Plan::Search(search(&args, &mut warnings)?),
        Command::Tree(args) => Plan::Tree(tree(&args, &mut warnings)?),
        Command::Show(args) => Plan::Show(show(&args)?),
        Command::Export(args) => Plan::Export(export(args, db, &mut warnings)?),
        Command::Info(args) => Plan::Info(args.format),
        Command::Check(args) => Plan::Check(args.format),
        Command::Perft(args) => match plan_draughts::perft(&args, &mut warnings)? {
            AnyPerft::Chess(plan) => Plan::Perft(plan),
            AnyPerft::Draughts(plan) => Plan::PerftDraughts(plan),
        },
        Command::Moves(args) => Plan::Moves(plan_draughts::moves(&args, &mut warnings)?),
        Command::Variants(args) => Plan::Variants(plan_draughts::variants(&args)?),
    };
    Ok(Planned { plan, warnings })
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
    if let Some(report) = &args.report
        && args.paths.contains(report)
    {
        return Err(CliError::new(format!(
            "--report {} would overwrite a file that is to be imported",
            report.display()
        ))
        .hint("name another file with --report"));
    }
    Ok(ImportPlan {
        paths: args.paths,
        threads: args.threads.map(|threads| threads as usize),
        report: args.report,
        format: args.format,
    })
}

fn search(args: &SearchArgs, warnings: &mut Vec<String>) -> Result<SearchPlan, CliError> {
    if args.count {
        if matches!(args.format, SearchFormat::Csv | SearchFormat::Pgn) {
            return Err(
                CliError::new("--count prints a number, which has no such --format")
                    .hint("leave out --count or --format"),
            );
        }
        let page = &args.page;
        for (given, name) in [
            (page.limit.is_some(), "--limit"),
            (page.offset.is_some(), "--offset"),
            (page.sort.is_some(), "--sort"),
        ] {
            if given {
                return Err(CliError::new(format!(
                    "--count counts all games, so {name} says nothing"
                ))
                .hint(format!("leave out --count or {name}")));
            }
        }
    }
    let query = query(
        &args.position,
        &args.filter,
        &args.page,
        Some(SEARCH_LIMIT_DEFAULT),
        warnings,
    )?;
    Ok(SearchPlan {
        query,
        count: args.count,
        format: args.format,
    })
}

fn tree(args: &TreeArgs, warnings: &mut Vec<String>) -> Result<TreePlan, CliError> {
    let mut wanted = args.position.clone();
    if wanted.position.is_empty() {
        wanted.position.push("startpos".to_owned());
    }
    let filter = filter(&args.filter, warnings)?;
    let text = wanted.position.join(" ");
    let position = position(&text, &wanted, warnings)?;
    Ok(TreePlan {
        position,
        filter,
        format: args.format,
    })
}

fn show(args: &ShowArgs) -> Result<ShowPlan, CliError> {
    let drawing = args.ascii || args.flip;
    if args.format == ShowFormat::Pgn && (drawing || args.ply.is_some()) {
        return Err(CliError::new("--format pgn has no place for a board")
            .hint("leave out --ply, --ascii and --flip, or use --format text"));
    }
    if args.format == ShowFormat::Json && drawing {
        return Err(
            CliError::new("--format json gives the position as a FEN, not as a drawing")
                .hint("leave out --ascii and --flip; --ply N adds the position"),
        );
    }
    let style = BoardStyle {
        color: false,
        ascii: args.ascii,
        flip: args.flip,
    };
    let board = (drawing || args.ply.is_some()).then_some(BoardPlan {
        ply: args.ply,
        style,
    });
    Ok(ShowPlan {
        game: args.game,
        board,
        format: args.format,
    })
}

fn export(args: ExportArgs, db: &Path, warnings: &mut Vec<String>) -> Result<ExportPlan, CliError> {
    if args.output.as_deref() == Some(db) {
        return Err(
            CliError::new(format!("--output {} is the database itself", db.display()))
                .hint("name another file with --output"),
        );
    }
    let query = query(&args.position, &args.filter, &args.page, None, warnings)?;
    Ok(ExportPlan {
        query,
        output: args.output,
    })
}

/// The query of a search or an export.
fn query(
    wanted: &PositionArgs,
    filters: &FilterArgs,
    page: &PageArgs,
    limit_default: Option<u64>,
    warnings: &mut Vec<String>,
) -> Result<Query, CliError> {
    let text = wanted.position.join(" ");
    let position = if text.trim().is_empty() {
        let idle = [
            (wanted.identity.is_some(), "--identity"),
            (wanted.in_variations, "--in-variations"),
        ];
        for (given, name) in idle {
            if given {
                return Err(
                    CliError::new(format!("{name} needs a POSITION to look for")).hint(format!(
                        "name one, such as `e4 c5 Nf3`, or leave out {name}"
                    )),
                );
            }
        }
        None
    } else {
        Some(position(&text, wanted, warnings)?)
    };
    let (sort, descending) = match &page.sort {
        Some(text) => values::sort(text).map_err(|e| CliError::new(format!("--sort: {e}")))?,
        None => Default::default(),
    };
    Ok(Query {
        position,
        filter: filter(filters, warnings)?,
        sort,
        descending,
        offset: page.offset.unwrap_or(0),
        limit: match page.limit {
            Some(0) => None,
            Some(limit) => Some(limit),
            None => limit_default,
        },
    })
}

fn read(text: &str, warnings: &mut Vec<String>) -> Result<PositionText, CliError> {
    let mut read = backend::read_position(text)?;
    warnings.append(&mut read.warnings);
    Ok(read)
}

/// The position that is looked for. A field that was not given is not asked
/// for, whatever the identity.
fn position(
    text: &str,
    wanted: &PositionArgs,
    warnings: &mut Vec<String>,
) -> Result<PositionQuery, CliError> {
    let identity = match wanted.identity {
        None | Some(IdentityArg::Legal) => Identity::Legal,
        Some(IdentityArg::Board) => Identity::Board,
        Some(IdentityArg::Placement) => Identity::Placement,
    };
    let PositionText {
        position, fields, ..
    } = read(text, warnings)?;
    Ok(PositionQuery {
        position,
        ask_turn: fields.turn && identity != Identity::Placement,
        ask_castling: fields.castling && identity == Identity::Legal,
        ask_en_passant: fields.ep && identity == Identity::Legal,
        in_variations: wanted.in_variations,
    })
}

fn filter(args: &FilterArgs, warnings: &mut Vec<String>) -> Result<Filter, CliError> {
    let at =
        |option: &'static str| move |error: String| CliError::new(format!("{option}: {error}"));
    let all = |texts: &[String]| {
        texts
            .iter()
            .filter(|t| !t.is_empty())
            .cloned()
            .collect::<Vec<_>>()
    };
    for (option, text) in [
        ("--white", &args.white),
        ("--black", &args.black),
        ("--event", &args.event),
        ("--site", &args.site),
    ] {
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return Err(CliError::new(format!("{option} is empty"))
                .hint(format!("write a name, or leave out {option}")));
        }
    }
    if args.player.iter().any(|name| name.trim().is_empty()) {
        return Err(CliError::new("--player is empty").hint("write a name, or leave out --player"));
    }
    let mut results = Vec::new();
    for text in &args.result {
        let outcome = values::outcome(text).map_err(at("--result"))?;
        if !results.contains(&outcome) {
            results.push(outcome);
        }
    }
    let date = |option, text: &Option<String>| {
        text.as_deref()
            .map(backend::parse_date)
            .transpose()
            .map_err(at(option))
    };
    let (date_from, date_to) = (date("--from", &args.from)?, date("--to", &args.to)?);
    if let (Some(from), Some(to)) = (date_from, date_to)
        && from > end_of(to)
    {
        return Err(CliError::new("--from is later than --to").hint("exchange --from and --to"));
    }
    if let (Some(min), Some(max)) = (args.min_elo, args.max_elo)
        && min > max
    {
        return Err(
            CliError::new("--min-elo is above --max-elo").hint("exchange --min-elo and --max-elo")
        );
    }
    let start = match &args.start {
        Some(text) => Some(Box::new(position(
            text,
            &PositionArgs::default(),
            warnings,
        )?)),
        None => None,
    };
    let eco: Result<_, _> = args.eco.iter().map(|text| values::eco(text)).collect();
    let variants: Result<_, _> = args
        .variant
        .iter()
        .map(|name| backend::variant_id(name))
        .collect();
    Ok(Filter {
        players: all(&args.player),
        white: args.white.clone(),
        black: args.black.clone(),
        event: args.event.clone(),
        site: args.site.clone(),
        results,
        date_from,
        date_to,
        min_elo: args.min_elo,
        max_elo: args.max_elo,
        eco: eco.map_err(at("--eco"))?,
        variants: variants.map_err(at("--variant"))?,
        plies: args
            .plies
            .as_deref()
            .map(values::plies)
            .transpose()
            .map_err(at("--plies"))?,
        start,
    })
}

/// The last day that a packed date can mean, or a little later.
const fn end_of(packed: u32) -> u32 {
    let month = if (packed / 100).is_multiple_of(100) {
        99
    } else {
        packed / 100 % 100
    };
    let day = if packed.is_multiple_of(100) {
        99
    } else {
        packed % 100
    };
    packed / 10_000 * 10_000 + month * 100 + day
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
