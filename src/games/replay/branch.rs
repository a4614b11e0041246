//! Variations walked word by word, whatever the rules. Nesting needs no recursion.

use crate::{
    limits::VARIATION_DEPTH_MAX,
    parse::{Item, Kind, RawGame},
};

/// A line of play that variations branch off.
pub(crate) trait Branch {
    /// The line of a variation of this line's last move.
    fn branch(&self) -> Self;
}

/// The line at hand, and those that it branched off.
#[derive(Debug)]
pub(crate) struct Lines<L> {
    open: Vec<L>,
    /// Lines that are open within the last one, nested too deep to be played.
    too_deep: usize,
}

impl<L> Default for Lines<L> {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            too_deep: 0,
        }
    }
}

impl<L: Branch> Lines<L> {
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
pub(super) fn each_word<L: Branch>(raw: &RawGame, line: L, mut each: impl FnMut(&mut L, &Item)) {
    let mut lines = Lines::default();
    lines.open(line);
    for item in &raw.items {
        match item.kind {
            Kind::VariationStart => lines.enter(),
            Kind::VariationEnd => lines.leave(),
            Kind::Word => {
                if let Some(line) = lines.at_hand() {
                    each(line, item);
                }
            }
            _ => {}
        }
        if lines.is_empty() {
            break;
        }
    }
}

/// A position met inside a variation.
#[derive(Debug)]
pub struct InVariation<P> {
    /// The position, or what was made of it.
    pub at: P,
    /// Plies from the start of the game.
    pub ply: u32,
    /// The code of the ply with which the variation's own line goes on.
    pub next: Option<u16>,
}

/// A line with its plies so far and where its last position was put.
struct Counted<L> {
    line: L,
    ply: u32,
    last: Option<usize>,
}

impl<L: Branch> Branch for Counted<L> {
    fn branch(&self) -> Self {
        Self {
            line: self.line.branch(),
            ply: self.ply.saturating_sub(1),
            last: None,
        }
    }
}

/// The positions of a variation that begins after `ply` plies, in the order of the
/// text. `play` plays a word on its line and tells each of its plies: the code, and
/// what is to be kept of the position behind it.
pub(super) fn positions<L: Branch, P>(
    raw: &RawGame,
    line: L,
    ply: u32,
    mut play: impl FnMut(&mut L, &Item, &mut dyn FnMut(u16, Option<P>)),
) -> Vec<InVariation<P>> {
    let mut found: Vec<InVariation<P>> = Vec::new();
    let line = Counted {
        line,
        ply,
        last: None,
    };
    each_word(raw, line, |Counted { line, ply, last }, item| {
        play(line, item, &mut |code, kept| {
            if let Some(last) = last.take() {
                found[last].next = Some(code);
            }
            *ply += 1;
            if let Some(at) = kept {
                *last = Some(found.len());
                found.push(InVariation {
                    at,
                    ply: *ply,
                    next: None,
                });
            }
        });
    });
    found
}
