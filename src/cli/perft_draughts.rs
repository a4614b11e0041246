//! `plydex perft` for draughts: counts the lines of legal moves.

use super::Context;
use super::args_output::TextFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan_draughts::DraughtsPerftPlan;
use super::render::json;
use crate::games::draughts::notation::{moves as draughts_move, moves::Form};
use crate::games::draughts::rules::{Counting, each_path, moves, perft};
use crate::games::{Budget, BudgetExceeded};

/// More than an import allows a position: who counts has time.
pub(super) const BUDGET: Budget = Budget(2_000_000);

pub(crate) fn run(plan: &DraughtsPerftPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let reading = &plan.reading;
    let (nodes, divided) = if plan.divide {
        let divided = divide(plan).map_err(incomplete)?;
        (divided.iter().map(|(_, count)| count).sum(), divided)
    } else {
        let rules = &reading.variant.rules;
        let count = perft(&reading.position, rules, plan.depth, plan.counting, BUDGET);
        (count.map_err(incomplete)?, Vec::new())
    };
    match plan.format {
        TextFormat::Text => {
            for (name, count) in &divided {
                writeln!(context.out, "{name}: {count}")?;
            }
            if plan.divide {
                writeln!(context.out, "\nNodes searched: {nodes}")?;
            } else {
                writeln!(context.out, "{nodes}")?;
            }
        }
        TextFormat::Json => {
            let counting = match plan.counting {
                Counting::Drop => "drop",
                Counting::Keep => "keep",
            };
            let mut value = serde_json::json!({
                "variant": reading.variant.name,
                "depth": plan.depth,
                "count": counting,
                "nodes": nodes,
            });
            if plan.divide {
                value["moves"] = divided
                    .iter()
                    .map(|(name, count)| serde_json::json!({ "move": name, "nodes": count }))
                    .collect();
            }
            json::pretty(context.out, &value)?;
        }
    }
    Ok(Exit::Done)
}

/// The error of a position whose captures are beyond counting. Nothing is shown
/// then: a part would be taken for the whole.
pub(super) fn incomplete(error: BudgetExceeded) -> CliError {
    CliError::new("the answer would be incomplete, so none is given")
        .because(&error)
        .hint("take some of the pieces off the board: so many captures occur in no game")
}

/// The same for each first move, in the order of the board.
fn divide(plan: &DraughtsPerftPlan) -> Result<Vec<(String, u64)>, BudgetExceeded> {
    let reading = &plan.reading;
    let (position, rules) = (&reading.position, &reading.variant.rules);
    let mut counts = Vec::new();
    for played in moves(position, rules, BUDGET)? {
        let name = draughts_move::write(
            position,
            rules,
            reading.numbering,
            &played,
            Form::Short,
            reading.variant.capture_separator,
            BUDGET,
        )?;
        let mut ways = 1;
        if plan.counting == Counting::Keep {
            ways = 0;
            each_path(position, rules, &played, BUDGET, |_| {
                ways += 1;
                false
            })?;
        }
        let mut child = *position;
        child.play(&played);
        let depth = plan.depth.saturating_sub(1);
        let below = perft(&child, rules, depth, plan.counting, BUDGET)?;
        counts.push((name, ways * below));
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::notation::typed as draughts_text;
    use crate::games::draughts::rows::DraughtsVariant;

    /// A position where captures differ in their path alone, from the start and
    /// amid kings: the parts add up to the whole both ways.
    #[test]
    fn what_is_divided_adds_up() {
        for (name, text) in [
            ("international", "startpos"),
            ("frisian", "startpos"),
            ("international", "W:WK46,K20:B37,38,19,13,18,28,29,8,9"),
            ("russian", "W:WKa1,c3:Bb4,d4,f4,d6,f6,b6"),
            ("english", "W:WK5:B28,26,25,20,17,10,9,11,18,19"),
        ] {
            let variant = DraughtsVariant::by_name(name);
            for counting in [Counting::Drop, Counting::Keep] {
                let reading = Box::new(draughts_text::read(text, variant).unwrap());
                let whole = perft(
                    &reading.position,
                    &reading.variant.rules,
                    4,
                    counting,
                    BUDGET,
                );
                let plan = DraughtsPerftPlan {
                    reading,
                    depth: 4,
                    counting,
                    divide: true,
                    format: TextFormat::Text,
                };
                let parts: u64 = divide(&plan).unwrap().iter().map(|(_, count)| count).sum();
                assert_eq!(Ok(parts), whole, "{name} {text} {counting:?}");
            }
        }
    }
}
