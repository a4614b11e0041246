//! Where in a game something stands: by the variations that lead there, and the plies of
//! their line.

use std::{fmt, str::FromStr};

/// The way from the main line into a variation: of each variation on it, the number of the
/// ply whose place it takes, and the how manieth of that ply it is, both from 1.
///
/// Written `23.1/25.2`: the first variation of ply 23, therein the second of ply 25. Empty
/// for the main line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct VariationPath(pub Vec<(u32, u32)>);

impl VariationPath {
    /// Whether it is the main line.
    pub const fn is_main(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for VariationPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (ply, nth)) in self.0.iter().enumerate() {
            let before = if at > 0 { "/" } else { "" };
            write!(f, "{before}{ply}.{nth}")?;
        }
        Ok(())
    }
}

/// A place in a game: after a number of plies of a line, counted from the start of the game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlyRef {
    /// The line.
    pub line: VariationPath,
    /// The plies.
    pub ply: u32,
}

impl fmt::Display for PlyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line.is_main() {
            write!(f, "{}", self.ply)
        } else {
            write!(f, "{}/{}", self.line, self.ply)
        }
    }
}

/// The text is no place in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a ply is a number such as 10, or a path into a variation such as 23.1/26")]
pub struct ParsePlyRefError;

impl FromStr for PlyRef {
    type Err = ParsePlyRefError;

    fn from_str(text: &str) -> Result<Self, ParsePlyRefError> {
        let number = |text: &str| text.parse::<u32>().map_err(|_| ParsePlyRefError);
        let mut parts: Vec<&str> = text.split('/').collect();
        let ply = number(parts.pop().unwrap_or_default())?;
        let variation = |part: &str| {
            let (ply, nth) = part.split_once('.').ok_or(ParsePlyRefError)?;
            let (ply, nth) = (number(ply)?, number(nth)?);
            (ply > 0 && nth > 0)
                .then_some((ply, nth))
                .ok_or(ParsePlyRefError)
        };
        let line = parts.into_iter().map(variation).collect::<Result<_, _>>()?;
        Ok(Self {
            line: VariationPath(line),
            ply,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_they_are_read() {
        for text in ["0", "10", "23.1/23", "23.1/25.2/30"] {
            let place: PlyRef = text.parse().expect("a place");
            assert_eq!(place.to_string(), text);
        }
        for text in [
            "", "x", "1.1", "1/2", "0.1/3", "1.0/3", "1.1/", "/3", "-1", "1.1.1/2",
        ] {
            assert_eq!(text.parse::<PlyRef>(), Err(ParsePlyRefError), "{text}");
        }
    }
}
