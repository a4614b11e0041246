//! `plydex perft`: counts the lines of legal moves, as engines do.

use super::Context;
use super::args_output::TextFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan::PerftPlan;
use super::render::json;
use crate::notation::kin;
use crate::position::KinPosition;

pub(crate) fn run(plan: &PerftPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let mut nodes = 0;
    let mut moves = Vec::new();
    if plan.divide {
        let counts = divide(&plan.at.position, plan.depth);
        for (name, count) in counts {
            nodes += count;
            if plan.format == TextFormat::Text {
                writeln!(context.out, "{name}: {count}")?;
            }
            moves.push(serde_json::json!({ "uci": name, "nodes": count }));
        }
    } else {
        nodes = plan.at.position.perft(plan.depth);
    }
    match plan.format {
        TextFormat::Text if plan.divide => writeln!(context.out, "\nNodes searched: {nodes}")?,
        TextFormat::Text => writeln!(context.out, "{nodes}")?,
        TextFormat::Json => {
            let mut value = serde_json::json!({ "depth": plan.depth, "nodes": nodes });
            if plan.divide {
                value["moves"] = moves.into();
            }
            json::pretty(context.out, &value)?;
        }
    }
    Ok(Exit::Done)
}

/// Counts the lines behind each first move, in the order of their UCI names.
fn divide(position: &KinPosition, depth: u32) -> Vec<(String, u64)> {
    let count = |ply| {
        let mut child = position.clone();
        child.play(ply);
        (
            kin::uci(position, ply),
            child.perft(depth.saturating_sub(1)),
        )
    };
    let mut counts: Vec<(String, u64)> = position.legal().into_iter().map(count).collect();
    counts.sort();
    counts
}

#[cfg(test)]
mod tests {
    use crate::games::variant::Variant;

    use super::*;

    #[test]
    fn lines_are_counted() {
        let chess = KinPosition::Shakmaty(shakmaty::Chess::default().into());
        assert_eq!(chess.perft(0), 1);
        assert_eq!(chess.perft(3), 8902);
        let divided = divide(&chess, 3);
        assert_eq!(divided.len(), 20);
        assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), 8902);
        assert_eq!(divided[0], ("a2a3".to_owned(), 380));
    }

    #[test]
    fn what_is_divided_adds_up() {
        for (name, nodes) in [
            ("janus", 24_747),
            ("seirawan", 24_830),
            ("xiangqi", 79_666),
            ("othello", 56),
            ("crazyhouse", 8_902),
        ] {
            let start = Variant::by_name(name).and_then(kin::start).expect(name);
            let parts: u64 = divide(&start.position, 3)
                .iter()
                .map(|(_, count)| count)
                .sum();
            assert_eq!((parts, start.position.perft(3)), (nodes, nodes), "{name}");
        }
    }
}
