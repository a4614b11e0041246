//! Conditions of a ply put together, without what always or never holds.

use super::program::PlyTest;

impl PlyTest {
    /// What holds of no position.
    pub(super) const NEVER: Self = Self::Any(Vec::new());

    /// Whether it holds of no position, whatever stands there.
    pub(super) const fn is_never(&self) -> bool {
        matches!(self, Self::Any(any) if any.is_empty())
    }

    /// Whether it holds of every position.
    pub(super) const fn is_always(&self) -> bool {
        matches!(self, Self::All(all) if all.is_empty())
    }

    /// One of some conditions.
    pub(super) fn any(mut nodes: Vec<Self>) -> Self {
        nodes.retain(|node| !node.is_never());
        match nodes.iter().position(Self::is_always) {
            Some(always) => nodes.swap_remove(always),
            None if nodes.len() == 1 => nodes.remove(0),
            None => Self::Any(nodes),
        }
    }

    /// The opposite of a condition.
    pub(super) fn not(node: Self) -> Self {
        if node.is_never() {
            Self::All(Vec::new())
        } else if node.is_always() {
            Self::NEVER
        } else {
            Self::Not(Box::new(node))
        }
    }

    /// Puts numbers of pieces behind other conditions, where few positions are tested that do not have
    /// them.
    pub(super) fn put_pieces_last(&mut self) {
        if let Self::All(all) = self {
            all.sort_by_key(|test| matches!(test, Self::Pieces { .. } | Self::Balance { .. }));
        }
    }

    /// All of some conditions, the cheapest first.
    pub(super) fn all(nodes: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for node in nodes {
            match node {
                Self::All(inner) => flat.extend(inner),
                node if node.is_never() => return node,
                node => flat.push(node),
            }
        }
        flat.sort_by_key(Self::cost);
        if flat.len() == 1 {
            flat.remove(0)
        } else {
            Self::All(flat)
        }
    }
}
