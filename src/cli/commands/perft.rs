//! `plydex perft`: counts the lines of legal moves, as engines do.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::position::{PositionInput, PositionInputArgs, given};
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::games::{AnyPosition, Budget, BudgetExceeded, Counting};

/// What counts as one capture of draughts: each set of captured pieces, or each path.
const COUNTINGS: &[(&str, Counting)] = &[("drop", Counting::Drop), ("keep", Counting::Keep)];

/// `plydex perft`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_long_help = "Examples:
  plydex perft startpos --depth 5
  plydex perft e4 c5 --depth 4 --divide
  plydex perft --variant russian --depth 8")]
pub struct PerftArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// Plies to look ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u32>(0, 40))]
    pub depth: u32,
    /// Count each first move separately
    #[arg(long)]
    pub divide: bool,
    /// Equal captures: drop or keep [default: drop]
    ///
    /// These are draughts captures that differ only in their path: drop counts them
    /// once, keep counts each.
    #[arg(long = "equal-captures", value_name = "HOW")]
    #[arg(value_parser = value_parsers::one_of(COUNTINGS))]
    pub count: Option<Counting>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `perft`: where to begin.
pub fn plan(args: &PerftArgs, warnings: &mut Vec<String>) -> Result<AnyPosition, CliError> {
    if args.divide && args.depth == 0 {
        return Err(
            CliError::new("--divide needs a depth of 1 or more").hint("give a greater --depth")
        );
    }
    let PositionInput { at, .. } = given(&args.given, warnings)?;
    if args.count.is_some() && !at.has_ways() {
        return Err(CliError::new(
            "--equal-captures applies only to draughts, where captures can differ in their path",
        )
        .hint("leave out --equal-captures, or name the variant with --variant"));
    }
    Ok(at)
}

/// More than an import allows a position: who counts has time.
pub(crate) const BUDGET: Budget = Budget(2_000_000);

pub(crate) fn run(
    args: &PerftArgs,
    at: &AnyPosition,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let (depth, counting) = (args.depth, args.count.unwrap_or(Counting::Drop));
    let (nodes, divided) = if args.divide {
        let divided = at.divide(depth, counting, BUDGET).map_err(incomplete)?;
        (divided.iter().map(|(_, count)| count).sum(), divided)
    } else {
        let nodes = at.perft(depth, counting, BUDGET).map_err(incomplete)?;
        (nodes, Vec::new())
    };
    match args.answer.format {
        TextFormat::Text => {
            for (m, count) in &divided {
                let name = m.uci.as_ref().unwrap_or(&m.text);
                writeln!(context.out, "{name}: {count}")?;
            }
            if args.divide {
                writeln!(context.out, "\nNodes searched: {nodes}")?;
            } else {
                writeln!(context.out, "{nodes}")?;
            }
        }
        TextFormat::Json => {
            let mut value = serde_json::json!({});
            if at.has_ways() {
                value["variant"] = at.variant().name.into();
            }
            value["depth"] = depth.into();
            if at.has_ways() {
                value["count"] = match counting {
                    Counting::Drop => "drop",
                    Counting::Keep => "keep",
                }
                .into();
            }
            value["nodes"] = nodes.into();
            if args.divide {
                let moves = divided.iter().map(|(m, nodes)| match &m.uci {
                    Some(uci) => serde_json::json!({ "uci": uci, "nodes": nodes }),
                    None => serde_json::json!({ "move": m.text, "nodes": nodes }),
                });
                value["moves"] = moves.collect();
            }
            context.json(&value)?;
        }
    }
    Ok(Exit::Done)
}

/// The error of a position whose moves are beyond counting. Nothing is shown
/// then: a part would be taken for the total.
pub(crate) fn incomplete(error: BudgetExceeded) -> CliError {
    CliError::new("the moves of this position cannot all be listed")
        .because(&error)
        .hint("remove some of the pieces; no real game has that many captures")
}

impl CommandArgs for PerftArgs {
    // Counting has nothing to leave in good order, and never looks up.
    const STOPS_IN_ORDER: bool = false;
    type Plan = (Self, AnyPosition);

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        let at = plan(&self, warnings)?;
        Ok((self, at))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(&plan.0, &plan.1, context)
    }
}
