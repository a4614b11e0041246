//! `plydex prepare`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use crate::base::observe::{NullObserver, Observer};
use crate::cli::CommandContext;
use crate::cli::args::output::LanguageArgs;
use crate::cli::args::query::FilterArgs;
use crate::cli::args::query_builder::{conditions, output_language, question};
use crate::cli::args::report_file::ReportFileArgs;
use crate::cli::args::value_parsers;
use crate::cli::args::view::SideArg;
use crate::cli::commands::repertoire::read_file;
use crate::cli::commands::{CommandArgs, SavedTexts};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::Destination;
use crate::cli::render::number::counted;
use crate::cli::render::{self, prepare};
use crate::cli::resolve::{ResolvedQuery, resolve};
use crate::database::{
    MatchedPlayer, PlayerMatch, PlayerReport, PlayerReportInput, PlayerReportOptions, Repertoire,
    RepertoireInput, Snapshot,
};
use crate::pgn::tags::date::{self, PgnDate};
use crate::query::{GameCondition, Query, SavedQueries};

/// Percent of a side's games down to which lines are shown.
const SHARE_MIN: u8 = 5;

/// `plydex prepare`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Spellings of the name are joined. If a name fits several players, plydex lists them; type
the name as it is listed, or a FIDE ID.

The lines are the player's own moves, each with its share of the games in which the player
could choose; a position counts all games that reach it, by any moves. With --you, the lines
that you will meet come first. Expected scores are those of the ratings, with the advantage
of White's first move as the games of the database show it. ▲ and ▼ mark what is more than
chance; one mark in ten may be false.

Examples:
  plydex prepare 'Carlsen, Magnus' --you white
  plydex prepare anand --since 2010 --time classical --html anand.html
  plydex prepare karpov --against kasparov
  plydex prepare anand --repertoire white.pgn
  plydex prepare 4100018 --format json"
)]
pub struct PrepareArgs {
    /// The player: a name, or a FIDE ID
    #[arg(id = "player_name", value_name = "NAME", required = true)]
    pub name: Vec<String>,
    /// The side that you will have
    #[arg(long, value_name = "SIDE")]
    pub you: Option<SideArg>,
    /// Also the games against this player
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// What is likely to come up of a repertoire: a file with games and variations (PGN, PDN …)
    ///
    /// Its side is that of `--you`, else the one with fewer choices.
    #[arg(long, value_name = "FILE")]
    pub repertoire: Option<PathBuf>,
    /// First day of the recent games: 2024, 2024-05 or 2024-05-31
    ///
    /// By default these are the games of the 24 months before the player's last dated game.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Percent of a side's games down to which lines are shown [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u8>(1, 100))]
    pub min_share: Option<u8>,
    /// Only games of this time class: bullet, blitz, rapid, classical …
    #[arg(long, value_name = "CLASS")]
    pub time: Option<String>,
    /// Only games of this variant [default: the one with most games]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Only games that match a query, as in `plydex search`
    #[arg(long = "where", value_name = "QUERY")]
    pub question: Option<String>,
    /// Do not join spellings of names
    #[arg(long)]
    pub exact_names: bool,
    /// Also the SQL statements that give the figures, for `plydex sql`
    #[arg(long)]
    pub explain: bool,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// table or json
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: PrepareFormat,
    /// The page.
    #[command(flatten)]
    pub page: ReportFileArgs,
    /// What `@name` stands for in queries.
    #[arg(skip)]
    pub saved: SavedQueries,
}

/// Formats of `prepare`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum PrepareFormat {
    /// Text, for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
}

/// `prepare`.
#[derive(Debug, Clone)]
pub struct PreparePlan {
    /// The player.
    pub name: String,
    /// The opponent.
    pub against: Option<String>,
    /// The file of the reader's repertoire.
    pub repertoire: Option<PathBuf>,
    /// The games.
    pub query: Query,
    /// What the report has.
    pub options: PlayerReportOptions,
    /// Whether SQL statements are also shown.
    pub explain: bool,
    /// Of the answer.
    pub format: PrepareFormat,
    /// Where the page goes.
    pub page: Option<Destination>,
}

fn since(text: &str) -> Result<PgnDate, CliError> {
    let read = GameCondition::read("date", &format!("{text}.."));
    if let Some(Err(error)) = read {
        return Err(CliError::of_value(error).at("--since"));
    }
    Ok(date::parse(text.replace('-', ".").as_bytes()).0)
}

pub(crate) fn plan(args: PrepareArgs, warnings: &mut Vec<String>) -> Result<PreparePlan, CliError> {
    let mut filter = FilterArgs {
        exact_names: args.exact_names,
        saved: args.saved.clone(),
        ..FilterArgs::default()
    };
    for (name, value) in [("time", &args.time), ("variant", &args.variant)] {
        if let Some(value) = value {
            filter.conditions.add(name, value);
        }
    }
    let mut conditions = conditions(&filter, warnings)?;
    let mut query = match &args.question {
        Some(text) => question(text, (&mut conditions, &args.saved, false), warnings)?,
        None => Query::default(),
    };
    query.require(conditions);
    query.scope.exact_names = args.exact_names;
    Ok(PreparePlan {
        name: args.name.join(" "),
        against: args.against,
        repertoire: args.repertoire,
        query,
        options: PlayerReportOptions {
            since: args.since.as_deref().map(since).transpose()?,
            reader_side: args.you.map(|side| match side {
                SideArg::White => 0,
                SideArg::Black => 1,
            }),
            share_min: f64::from(args.min_share.unwrap_or(SHARE_MIN)) / 100.0,
            language: output_language(&args.language)?,
        },
        explain: args.explain,
        format: args.format,
        page: args.page.destination(),
    })
}

/// What is printed as JSON.
#[derive(Serialize)]
struct PrepareResult<'r> {
    command: &'static str,
    #[serde(flatten)]
    report: &'r PlayerReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    sql: Option<BTreeMap<&'static str, String>>,
}

/// The only player that a name means.
fn player(snapshot: &Snapshot<'_>, name: &str, is_exact: bool) -> Result<MatchedPlayer, CliError> {
    match snapshot.one_player(name, is_exact)? {
        PlayerMatch::One(player) => Ok(*player),
        PlayerMatch::Several(players) => {
            let listed = players.iter().map(|player| {
                format!(
                    "{} ({})",
                    player.name,
                    counted(player.games, "game", "games")
                )
            });
            let listed: Vec<String> = listed.collect();
            let error = format!("several players are called `{name}`: {}", listed.join("; "));
            Err(CliError::new(error).hint("type one of these names, or a FIDE ID"))
        }
        PlayerMatch::NotFound(similar) => {
            if name.trim().is_empty() {
                let error = CliError::new("the name of a player is empty");
                return Err(error.hint("give one, such as `carlsen`, or a FIDE ID"));
            }
            let error = CliError::new(format!("no player is called `{name}`"));
            Err(match &similar[..] {
                [] => error.hint("`plydex players WORD` lists the names of players"),
                names => error.hint(format!("did you mean {}?", names.join("; "))),
            })
        }
    }
}

/// The repertoire of a file, with the side that has it.
fn repertoire<'f>(
    (name, known): &'f (String, Repertoire),
    options: &PlayerReportOptions,
) -> Result<RepertoireInput<'f>, CliError> {
    let side = options.reader_side.ok_or_else(|| {
        let error = format!("both sides have as many moves to choose from in {name}");
        CliError::new(error).hint("--you white or --you black says whose repertoire it is")
    })?;
    Ok(RepertoireInput { name, side, known })
}

/// The report on the player of a plan.
fn find(
    plan: &PreparePlan,
    (repertoire, options): (Option<RepertoireInput<'_>>, &PlayerReportOptions),
    snapshot: &Snapshot<'_>,
    progress: &dyn Observer,
) -> Result<(ResolvedQuery, PlayerReport), CliError> {
    let is_exact = plan.query.scope.exact_names;
    let one = player(snapshot, &plan.name, is_exact)?;
    let other = plan.against.as_deref();
    let other = other
        .map(|name| player(snapshot, name, is_exact))
        .transpose()?;
    let ready = resolve(snapshot, &plan.query)?;
    let input = PlayerReportInput {
        against: other.as_ref(),
        repertoire,
    };
    let report = snapshot.report_player((&one, &ready.plan), &input, options, progress)?;
    Ok((ready, report))
}

/// The report as JSON.
pub(crate) fn json(
    plan: &PreparePlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (_, report) = find(plan, (None, &plan.options), snapshot, &NullObserver)?;
    let result = PrepareResult {
        command: "prepare",
        report: &report,
        sql: None,
    };
    Ok(render::json::line(out, &result)?)
}

fn run(plan: &PreparePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let inputs: Vec<&Path> = plan.repertoire.iter().map(PathBuf::as_path).collect();
    let place = context.place_page(plan.page.as_ref(), &inputs)?;
    let file = match &plan.repertoire {
        Some(path) => Some(read_file(path, context)?),
        None => None,
    };
    let mut options = plan.options;
    if let Some((_, known)) = &file {
        options.reader_side = options.reader_side.or_else(|| known.side());
    }
    let repertoire = file.as_ref().map(|file| repertoire(file, &options));
    let repertoire = repertoire.transpose()?;
    let progress = context.progress();
    let is_exact = plan.query.scope.exact_names;
    let found = context.ask(|snapshot| find(plan, (repertoire, &options), snapshot, &progress));
    progress.clear();
    let (ready, report) = found?;
    match plan.format {
        PrepareFormat::Table => {
            prepare::write(context.out, &context.screen, &report)?;
            if plan.explain {
                prepare::write_statements(context.out, &context.screen, &report)?;
            }
        }
        PrepareFormat::Json => context.json(&PrepareResult {
            command: "prepare",
            report: &report,
            sql: plan.explain.then(|| prepare::statements(&report)),
        })?,
    }
    context.out.flush()?;
    ready.explain(is_exact, context);
    if let Some((name, _)) = file.as_ref().filter(|_| report.repertoire.is_none()) {
        let note = format!(
            "{name} has no line from the standard start position of {}",
            report.variant
        );
        context.notes.note(&note);
    }
    let games = report.results.first().map_or(0, |all| all.figures.games);
    if games == 0 {
        let note = format!(
            "no games of {} meet the other conditions",
            report.player.name
        );
        context.notes.note(&note);
    } else if let Some(place) = &place {
        let mut page = prepare::page(&report);
        if plan.explain {
            prepare::statements_page(&mut page, &report);
        }
        context.write_page(place, page)?;
    }
    Ok(Exit::found(games))
}

impl CommandArgs for PrepareArgs {
    const IS_PAGED: bool = true;
    type Plan = PreparePlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        Some((self.question.iter().collect(), &mut self.saved))
    }
}
