//! `plydex structure`.

use std::io::Write;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use super::report::{PlanArgs, ReportFormat};
use crate::base::observe::{NullObserver, Observer};
use crate::cli::CommandContext;
use crate::cli::args::query::FilterArgs;
use crate::cli::args::query_builder::conditions;
use crate::cli::args::report_file::ReportFileArgs;
use crate::cli::commands::{CommandArgs, SavedTexts};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::Destination;
use crate::cli::query_notes::misread_error;
use crate::cli::render::number::counted;
use crate::cli::render::{self, structure};
use crate::cli::resolve::{ResolvedQuery, resolve};
use crate::database::{
    EndingSpec, NAMED_STRUCTURES, NameMatches, SkeletonWidth, Snapshot, StructureOptions,
    StructureQuery, StructureReport, structure_named,
};
use crate::games::AnyPosition;
use crate::query::interpret::{self, Context, TypedInput};
use crate::query::{self, Query};

/// `plydex structure`.
#[derive(Debug, Default, ClapArgs)]
#[command(after_long_help = "STRUCTURE is
  a position: games with the same pawns for six plies, in draughts with the same men
  iqp, hanging, carlsbad, maroczy, hedgehog, doubled-c, french, kings-indian, benoni, stonewall
  KRPvKR or RvR: games with these pieces for four plies, pawns as written or any; BvB opposite
  a query on one position, such as `Pd4 Pc/e=0 pd=0`, that holds for six plies

Colours are exchanged, and left and right too once no side can castle, so that White has the
structure. A game counts once, from the first ply on. Scores are those of the side that has it.

Examples:
  plydex structure d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5 Bg5 c6 e3
  plydex structure carlsbad --since 2000 --html carlsbad.html
  plydex structure iqp --min-elo 2500
  plydex structure KRPvKR
  plydex structure 'Pe4 Pc4 pd6 pe5'")]
pub struct StructureArgs {
    /// A position, a structure with a name, an ending or a query
    #[arg(value_name = "STRUCTURE", required = true)]
    pub structure: Vec<String>,
    /// How much pawns must agree: exact or files
    ///
    /// exact: every pawn on its square. files: each side has as many pawns on each file, and those of the
    /// c-, d- and e-file stand on their squares.
    #[arg(long, value_name = "WIDTH", default_value = "exact")]
    pub width: WidthArg,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// How games are followed.
    #[command(flatten)]
    pub plans: PlanArgs,
    /// table or json
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ReportFormat,
    /// The page.
    #[command(flatten)]
    pub page: ReportFileArgs,
}

/// How much two pawn structures must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum WidthArg {
    /// Every pawn on its square.
    #[default]
    Exact,
    /// As many pawns on each file.
    Files,
}

/// What was asked for, before it is known which games have it.
#[derive(Debug, Clone)]
pub enum StructureInput {
    /// The pawns of a position.
    Position(Box<AnyPosition>, SkeletonWidth),
    /// A structure with a name.
    Named(&'static str),
    /// An ending.
    Ending(EndingSpec),
    /// A query, as it stands and with the colours exchanged as well.
    Query(String, Box<[Query; 2]>),
}

/// `structure`.
#[derive(Debug, Clone)]
pub struct StructurePlan {
    /// What was asked for.
    pub input: StructureInput,
    /// The games that are searched.
    pub query: Query,
    /// What the report has.
    pub options: StructureOptions,
    /// Of the answer.
    pub format: ReportFormat,
    /// Where the page goes.
    pub page: Option<Destination>,
}

pub(crate) fn plan(
    args: StructureArgs,
    warnings: &mut Vec<String>,
) -> Result<StructurePlan, CliError> {
    let conditions = conditions(&args.filter, warnings)?;
    let text = args.structure.join(" ");
    let text = text.trim();
    if text.is_empty() {
        return Err(CliError::new("the STRUCTURE is empty")
            .hint("give a position, a name such as iqp, an ending such as KRPvKR or a query"));
    }
    let width = match args.width {
        WidthArg::Exact => SkeletonWidth::Exact,
        WidthArg::Files => SkeletonWidth::Files,
    };
    let context = Context {
        variants: query::variants_of(&conditions),
        saved: args.filter.saved.clone(),
        ..Context::default()
    };
    let input = input(text, width, &context, warnings)?;
    if width == SkeletonWidth::Files && !matches!(input, StructureInput::Position(..)) {
        return Err(CliError::new("--width is for the pawns of a position")
            .hint("leave out --width, or give a position"));
    }
    let scoped = |mut query: Query| {
        query.require(conditions.clone());
        query.scope.exact_names = args.filter.exact_names;
        query
    };
    let input = match input {
        StructureInput::Query(text, both) => {
            StructureInput::Query(text, Box::new(both.map(scoped)))
        }
        input => input,
    };
    let mut query = Query::default();
    query.require(conditions);
    query.scope.exact_names = args.filter.exact_names;
    Ok(StructurePlan {
        input,
        query,
        options: StructureOptions {
            window: args.plans.window(),
            limits: args.plans.limits(),
        },
        format: args.format,
        page: args.page.destination(),
    })
}

/// What a text means: a name, an ending, a position or a query.
fn input(
    text: &str,
    width: SkeletonWidth,
    context: &Context,
    warnings: &mut Vec<String>,
) -> Result<StructureInput, CliError> {
    if let Some(named) = structure_named(text) {
        return Ok(StructureInput::Named(named.key));
    }
    if let Some(spec) = EndingSpec::read(text) {
        return Ok(StructureInput::Ending(spec));
    }
    let read = interpret::interpret(text, context);
    let read = read.map_err(|error| misread_error(text, &error))?;
    warnings.extend(read.notes);
    match read.meaning {
        TypedInput::Position { typed, .. } => {
            let typed = typed.map_err(|error| misread_error(&read.text, &error))?;
            Ok(StructureInput::Position(Box::new(typed.at), width))
        }
        TypedInput::Nothing | TypedInput::Query(_) => {
            let wrapped = |word: &str| {
                let text = format!("{word}{{ {} }} for 6", read.text);
                let found = interpret::interpret_query(&text, context);
                found.map(|found| found.meaning).map_err(|_| {
                    let names: Vec<&str> = NAMED_STRUCTURES.iter().map(|named| named.key).collect();
                    CliError::new(format!("`{}` is not about one position", read.text)).hint(format!(
                        "give conditions that hold together, such as `Pd4 Pc/e=0 pd=0`, or one of {}; \
                         filters are options such as --player",
                        names.join(", ")
                    ))
                })
            };
            let both = [wrapped("")?, wrapped("either ")?];
            Ok(StructureInput::Query(read.text, Box::new(both)))
        }
    }
}

/// What is printed as JSON.
#[derive(Serialize)]
struct StructureResult<'r> {
    command: &'static str,
    #[serde(flatten)]
    report: &'r StructureReport,
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'r [NameMatches],
}

fn find(
    plan: &StructurePlan,
    snapshot: &Snapshot<'_>,
    progress: &dyn Observer,
) -> Result<(ResolvedQuery, StructureReport), CliError> {
    let ready = resolve(snapshot, &plan.query)?;
    let query = match &plan.input {
        StructureInput::Position(at, width) => StructureQuery::Skeleton((**at).clone(), *width),
        StructureInput::Named(key) => match structure_named(key) {
            Some(named) => StructureQuery::Named(named),
            None => return Err(CliError::new(format!("`{key}` is not a structure"))),
        },
        StructureInput::Ending(spec) => StructureQuery::Ending(*spec),
        StructureInput::Query(text, both) => {
            let [plain, either] = &**both;
            StructureQuery::Pattern {
                text: text.clone(),
                plain: Box::new(resolve(snapshot, plain)?.plan),
                either: Box::new(resolve(snapshot, either)?.plan),
            }
        }
    };
    let report = snapshot.report_structure((&ready.plan, &query), &plan.options, progress)?;
    Ok((ready, report))
}

/// The report as JSON.
pub(crate) fn json(
    plan: &StructurePlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (ready, report) = find(plan, snapshot, &NullObserver)?;
    let result = StructureResult {
        command: "structure",
        report: &report,
        names: &ready.names,
    };
    Ok(render::json::line(out, &result)?)
}

fn run(plan: &StructurePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let place = context.place_page(plan.page.as_ref(), &[])?;
    let progress = context.progress();
    let found = context.ask(|snapshot| find(plan, snapshot, &progress));
    progress.clear();
    let (ready, found) = found?;
    match plan.format {
        ReportFormat::Table => structure::write(context.out, &context.screen, &found)?,
        ReportFormat::Json => context.json(&StructureResult {
            command: "structure",
            report: &found,
            names: &ready.names,
        })?,
    }
    context.out.flush()?;
    ready.explain(plan.query.scope.exact_names, context);
    if found.other_variants > 0 {
        let games = counted(found.other_variants, "game", "games");
        let note = format!("{games} of other variants not counted; select one with --variant");
        context.notes.note(&note);
    }
    if found.results.games == 0 {
        let games = counted(found.searched, "game", "games");
        context.notes.note(&format!("no games found among {games}"));
    } else if let Some(place) = &place {
        context.write_page(place, structure::page(&found))?;
    }
    Ok(Exit::found(found.results.games))
}

impl CommandArgs for StructureArgs {
    const IS_PAGED: bool = true;
    type Plan = StructurePlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        let texts = self.structure.iter().collect();
        Some((texts, &mut self.filter.saved))
    }
}
