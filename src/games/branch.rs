//! Variations walked word by word, whatever the rules. Nesting needs no recursion.

use crate::{
    base::limits::VARIATION_DEPTH_MAX,
    pgn::parser::{Kind, RawGame},
};

/// A line of play that variations branch off.
pub(crate) trait Branch {
    /// The line of a variation of this line's last move.
    fn branch(&self) -> Self;
}

/// The line at hand, and those that it branched off.
#[derive(Debug)]
pub(crate) struct BranchedLines<L> {
    open: Vec<L>,
    /// Lines that are open within the last one, nested too deep to be played.
    too_deep: usize,
}

impl<L: Branch> BranchedLines<L> {
    /// Without any.
    pub(crate) const fn new() -> Self {
        Self {
            open: Vec::new(),
            too_deep: 0,
        }
    }

    /// Begins with a line.
    pub(crate) fn open(&mut self, line: L) {
        self.open.push(line);
    }

    /// Whether no line is open.
    pub(crate) const fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// A variation of the last move of the line at hand begins.
    pub(crate) fn enter(&mut self) {
        match self.open.last() {
            Some(line) if self.open.len() < VARIATION_DEPTH_MAX => {
                let branch = line.branch();
                self.open.push(branch);
            }
            _ => self.too_deep += 1,
        }
    }

    /// The variation at hand ends.
    pub(crate) fn leave(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else {
            self.open.pop();
        }
    }

    /// The line that the next word belongs to; `None` where it is nested too deep.
    pub(crate) fn at_hand(&mut self) -> Option<&mut L> {
        match self.too_deep {
            0 => self.open.last_mut(),
            _ => None,
        }
    }
}

/// Calls `each` with every word of a variation, those of variations inside it
/// included, and the line that it stands in.
pub(crate) fn each_word<L: Branch>(raw: &RawGame, line: L, mut each: impl FnMut(&mut L, usize)) {
    let mut lines = BranchedLines::new();
    lines.open(line);
    for (at, item) in raw.items.iter().enumerate() {
        match item.kind {
            Kind::VariationStart => lines.enter(),
            Kind::VariationEnd => lines.leave(),
            Kind::Word | Kind::Setup => {
                if let Some(line) = lines.at_hand() {
                    each(line, at);
                }
            }
            _ => {}
        }
        if lines.is_empty() {
            break;
        }
    }
}
