//! `plydex perft`: counts the lines of legal moves, as engines do.

use super::CommandContext;
use super::args_output::TextFormat;
use super::args_rules::PerftArgs;
use super::error::CliError;
use super::exit::Exit;
use crate::games::{AnyPosition, Budget, BudgetExceeded, Counting};

/// More than an import allows a position: who counts has time.
pub(super) const BUDGET: Budget = Budget(2_000_000);

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
pub(super) fn incomplete(error: BudgetExceeded) -> CliError {
    CliError::new("the moves of this position cannot all be listed")
        .because(&error)
        .hint("remove some of the pieces; no real game has that many captures")
}
