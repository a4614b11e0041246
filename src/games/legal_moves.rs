//! The legal moves of a position as a list for people and programs, and how many lines
//! begin with each.

use serde::Serialize;

use super::{BoardGame, Budget, BudgetExceeded};
use crate::{
    base::record::MoveForm,
    games::notation::letters::{ENGLISH, Language},
};

/// A legal move in a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ListedMove {
    /// As its game writes it.
    #[serde(rename = "move")]
    pub text: String,
    /// As engines write it, in games where they have a notation of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<String>,
    /// The squares of what it takes, in games where the text does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<Vec<String>>,
    /// Whether a man becomes a king by it, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotes: Option<bool>,
}

/// How moves are listed.
#[derive(Debug, Clone, Copy)]
pub struct ListStyle {
    /// The form, in games that have several.
    pub form: MoveForm,
    /// The language, in games whose pieces have letters.
    pub language: &'static Language,
    /// What may be looked at for a position.
    pub budget: Budget,
}

/// What counts as one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Moves that do the same, whatever their path, are one.
    Drop,
    /// Each path is one.
    Keep,
}

/// Counts lines of legal moves by playing them; the last moves are counted, not played.
///
/// # Errors
///
/// As [`GamePosition::legal`](crate::games::GamePosition::legal).
pub fn perft<G: BoardGame>(at: &G, depth: u32, budget: Budget) -> Result<u64, BudgetExceeded> {
    if depth == 0 {
        return Ok(1);
    }
    count(at, depth, budget, &mut Vec::with_capacity(256))
}

/// `moves` holds those of all positions on the way, one after the other.
fn count<G: BoardGame>(
    at: &G,
    depth: u32,
    budget: Budget,
    moves: &mut Vec<G::Move>,
) -> Result<u64, BudgetExceeded> {
    let start = moves.len();
    at.legal(budget, moves)?;
    let end = moves.len();
    let mut lines = (end - start) as u64;
    if depth > 1 {
        lines = 0;
        for index in start..end {
            let mut next = at.clone();
            next.play(moves[index]);
            lines += count(&next, depth - 1, budget, moves)?;
        }
    }
    moves.truncate(start);
    Ok(lines)
}

/// Counts the lines after each first move: by its name for engines, or in the order in
/// which the moves were found.
///
/// # Errors
///
/// As [`BoardGame::perft`].
pub fn divide<G: BoardGame>(
    at: &G,
    depth: u32,
    counting: Counting,
    budget: Budget,
) -> Result<Vec<(ListedMove, u64)>, BudgetExceeded> {
    let style = ListStyle {
        form: MoveForm::Short,
        language: ENGLISH,
        budget,
    };
    let mut moves = Vec::new();
    at.legal(budget, &mut moves)?;
    let mut counts = Vec::with_capacity(moves.len());
    for m in moves {
        let listed = at.listed(m, style)?;
        let ways = match counting {
            Counting::Drop => 1,
            Counting::Keep => at.ways(m, budget)?,
        };
        let mut next = at.clone();
        next.play(m);
        let below = next.perft(depth.saturating_sub(1), counting, budget)?;
        counts.push((listed, ways * below));
    }
    counts.sort_by(|(one, _), (other, _)| one.uci.cmp(&other.uci));
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{AnyPosition, variant::Variant};

    const BUDGET: Budget = Budget(2_000_000);

    fn sum(at: &AnyPosition, depth: u32, counting: Counting) -> u64 {
        let divided = at.divide(depth, counting, BUDGET).expect("few captures");
        divided.iter().map(|(_, count)| count).sum()
    }

    #[test]
    fn lines_are_counted() {
        for (name, nodes) in [
            ("chess", 8_902),
            ("janus", 24_747),
            ("seirawan", 24_830),
            ("xiangqi", 79_666),
            ("othello", 56),
            ("crazyhouse", 8_902),
        ] {
            let row = Variant::by_name(name).expect(name);
            let start = AnyPosition::start(row).expect(name);
            let parts = sum(&start, 3, Counting::Drop);
            let whole = start.perft(3, Counting::Drop, BUDGET);
            assert_eq!((whole, parts), (Ok(nodes), nodes), "{name}");
            assert_eq!(start.perft(0, Counting::Drop, BUDGET), Ok(1));
        }
    }

    #[test]
    fn first_moves_come_by_their_names() {
        let start = AnyPosition::start(&crate::games::variant::ALL[0]).expect("chess");
        let divided = start
            .divide(3, Counting::Drop, BUDGET)
            .expect("no captures");
        assert_eq!(divided.len(), 20);
        let (first, count) = &divided[0];
        assert_eq!((first.uci.as_deref(), *count), (Some("a2a3"), 380));
    }

    /// Positions where captures differ in their path alone, among them some with kings: the parts
    /// add up to the total both ways.
    #[test]
    fn paths_are_counted() {
        let mut differ = 0;
        for (name, fen) in [
            ("international", "W:WK46,K20:B37,38,19,13,18,28,29,8,9"),
            ("russian", "W:WKa1,c3:Bb4,d4,f4,d6,f6,b6"),
            ("english", "W:WK5:B28,26,25,20,17,10,9,11,18,19"),
        ] {
            let row = Variant::by_name(name).expect(name);
            let at = AnyPosition::read_fen(row, fen).expect(fen).at;
            let counted = [Counting::Drop, Counting::Keep].map(|counting| {
                let whole = at.perft(4, counting, BUDGET);
                assert_eq!(Ok(sum(&at, 4, counting)), whole, "{fen} {counting:?}");
                whole
            });
            differ += u32::from(counted[0] != counted[1]);
        }
        assert!(differ > 0);
    }
}
