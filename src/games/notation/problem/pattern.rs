//! Stipulations that are searched for, however they are spelled.

use super::{Stipulation, stipulation_of};

/// Which stipulations are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StipulationPattern {
    /// Those that ask the same.
    Asked {
        /// The stipulation. What it does not say, number of solutions or set play, may be there or
        /// not.
        asked: Stipulation,
        /// In any number of moves.
        in_any_number: bool,
    },
    /// Those that hold a text, in small letters.
    Text(String),
}

impl StipulationPattern {
    /// What a text means: a stipulation (`h#3`, `mate in 3`), one without its number (`h#`),
    /// or a part of one.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = text.trim();
        if let Some(asked) = stipulation_of(text) {
            return Self::Asked {
                asked,
                in_any_number: false,
            };
        }
        let mut numbered = [format!("{text}1"), format!("{text} 1")].into_iter();
        match numbered.find_map(|text| stipulation_of(&text)) {
            Some(asked) if !text.is_empty() => Self::Asked {
                asked,
                in_any_number: true,
            },
            _ => Self::Text(text.to_lowercase()),
        }
    }

    /// Whether a stipulation as it is written is one of them.
    #[must_use]
    pub fn fits(&self, written: &str) -> bool {
        match self {
            Self::Text(text) => written.to_lowercase().contains(text),
            Self::Asked {
                asked,
                in_any_number,
            } => stipulation_of(written).is_some_and(|other| {
                other.play == asked.play
                    && other.goal == asked.goal
                    && (*in_any_number || other.half_moves == asked.half_moves)
                    && (other.exact || !asked.exact)
                    && (other.set_play || !asked.set_play)
                    && (asked.begins.is_none() || other.begins == asked.begins)
                    && (asked.solutions.is_none() || other.solutions == asked.solutions)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_stipulation_fit() {
        for (asked, written, fits) in [
            ("#2", "#2", true),
            ("2#", "#2", true),
            ("#2", "#2*", true),
            ("#2*", "#2", false),
            ("#2", "#3", false),
            ("#2", "h#2", false),
            ("h#2.5", "H#2,5 2.1...", true),
            ("h#", "h#3", true),
            ("h#", "hs#3", false),
            ("#", "#4", true),
            ("#", "h#4", false),
            ("ser-h=", "ser-h=7", true),
            ("=", "=", true),
            ("=", "h=2", false),
            ("mate in 3", "#3", true),
            ("zd4", "zd4 3", true),
            ("ser-", "ser-#5", true),
            ("=>", "ser-a=>b12", true),
        ] {
            let pattern = StipulationPattern::of(asked);
            assert_eq!(pattern.fits(written), fits, "{asked} {written} {pattern:?}");
        }
    }
}
