//! `plydex perft`: counts the lines of legal moves, as engines do.

use shakmaty::uci::UciMove;
use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingMode, EnPassantMode, Position};

use super::Context;
use super::args::TextFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan::PerftPlan;
use super::render::json;

pub(crate) fn run(plan: &PerftPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let mut nodes = 0;
    let mut moves = Vec::new();
    if plan.divide {
        let counts = match &plan.position {
            VariantPosition::Chess(position) => divide(position, plan.depth),
            other => divide(other, plan.depth),
        };
        for (name, count) in counts {
            nodes += count;
            if plan.format == TextFormat::Text {
                writeln!(context.out, "{name}: {count}")?;
            }
            moves.push(serde_json::json!({ "uci": name, "nodes": count }));
        }
    } else {
        // Chess itself without the detour, for speed.
        nodes = match &plan.position {
            VariantPosition::Chess(position) => perft(position, plan.depth),
            other => perft(other, plan.depth),
        };
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

/// Counts the lines of `depth` moves. The last move is counted, not played.
fn perft<P: Position + Clone>(position: &P, depth: u32) -> u64 {
    let moves = match depth {
        0 => return 1,
        _ => position.legal_moves(),
    };
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|&played| {
            let mut child = position.clone();
            child.play_unchecked(played);
            perft(&child, depth - 1)
        })
        .sum()
}

/// The same for each first move, in the order of their UCI names.
fn divide<P: Position + Clone>(position: &P, depth: u32) -> Vec<(String, u64)> {
    let mode = castling_mode(position);
    let mut counts: Vec<(String, u64)> = position
        .legal_moves()
        .iter()
        .map(|&played| {
            let mut child = position.clone();
            child.play_unchecked(played);
            let name = UciMove::from_move(played, mode).to_string();
            (name, perft(&child, depth.saturating_sub(1)))
        })
        .collect();
    counts.sort();
    counts
}

/// How castling is written: as the king's two steps, unless king or rooks with
/// a right stand where only Chess960 puts them.
fn castling_mode<P: Position>(position: &P) -> CastlingMode {
    CastlingMode::detect(&position.to_setup(EnPassantMode::Legal))
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn lines_are_counted() {
        let start = Chess::default();
        assert_eq!(perft(&start, 0), 1);
        assert_eq!(perft(&start, 3), 8902);
        let divided = divide(&start, 3);
        assert_eq!(divided.len(), 20);
        assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), 8902);
        assert_eq!(divided[0], ("a2a3".to_owned(), 380));
    }
}
