//! Variations walked word by word, whatever the rules. Nesting needs no recursion.

use crate::base::limits::VARIATION_DEPTH_MAX;

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

    /// A variation of the last move of the line at hand begins; whether it is not nested
    /// too deep to be played.
    pub(crate) fn enter(&mut self) -> bool {
        match self.open.last() {
            Some(line) if self.too_deep == 0 && self.open.len() < VARIATION_DEPTH_MAX => {
                let branch = line.branch();
                self.open.push(branch);
                true
            }
            _ => {
                self.too_deep += 1;
                false
            }
        }
    }

    /// The variation at hand ends; whether it was played.
    pub(crate) fn leave(&mut self) -> bool {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            false
        } else {
            self.open.pop().is_some()
        }
    }

    /// How many lines are open within the last one, nested too deep to be played.
    pub(crate) const fn too_deep(&self) -> usize {
        self.too_deep
    }

    /// The line that the next word belongs to; `None` where it is nested too deep.
    pub(crate) fn at_hand(&mut self) -> Option<&mut L> {
        match self.too_deep {
            0 => self.open.last_mut(),
            _ => None,
        }
    }
}
