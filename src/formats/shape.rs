//! What a line of EPD looks like: its board, and which variants it can be of.

use super::Hints;
use crate::games::{
    AnyPosition,
    variant::{ALL, Tier, Variant},
};

/// The board of a line, and what stands on it that only some variants have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineShape {
    /// Files of the board; 0 where ranks differ.
    pub(super) files: u32,
    /// Its ranks.
    pub(super) ranks: u32,
    /// Pieces in hand, in brackets or as a ninth rank: whether they are those of
    /// chess.
    pocket: Option<bool>,
    /// Greatest number of checks that is spoken of.
    checks: Option<u8>,
    /// Whether there are signs in it that no board has, but code and markup.
    is_code: bool,
    /// White's pawns, white and black kings.
    pawns: u32,
    kings: [u32; 2],
    /// Archbishops and chancellors, those of Janus.
    archbishops: u32,
    chancellors: u32,
    januses: u32,
}

/// Whether a line begins as a FEN of PDN: `W:…:…`.
///
/// Some programs write the side to move twice.
pub(super) fn of_pdn(line: &[u8]) -> bool {
    let end = line.iter().position(|&b| b == b';').unwrap_or(line.len());
    let colons = memchr::memchr_iter(b':', &line[..end]).count();
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    match line {
        [side @ (b'W' | b'B' | b'w' | b'b'), b':', rest @ ..] => {
            colons == 2 || (colons == 3 && rest.starts_with(&[*side, b':']))
        }
        _ => false,
    }
}

/// Whether a text is a FEN of PDN and nothing else.
pub(super) fn is_pdn(text: &str) -> bool {
    let mut rows = ALL.iter().filter(|row| row.tier() == Some(Tier::Guessed));
    of_pdn(text.as_bytes()) && rows.any(|row| AnyPosition::read_written(row, text).is_ok())
}

impl LineShape {
    /// The shape of a line that begins with ranks between slashes; `None` of others.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let is_end = |b: &u8| b.is_ascii_whitespace() || *b == b';';
        let end = line.iter().position(is_end).unwrap_or(line.len());
        let (first, rest) = line.split_at(end);
        let (pieces, hand) = match first.iter().position(|&b| b == b'[') {
            Some(at) => (&first[..at], Some(&first[at..])),
            None => (first, None),
        };
        if memchr::memchr_iter(b'/', pieces).count() < 3 || !pieces.is_ascii() {
            return None;
        }
        let count = |letters: &[u8]| pieces.iter().filter(|b| letters.contains(b)).count() as u32;
        let mut shape = Self {
            pocket: hand.map(is_of_chess),
            pawns: count(b"P"),
            kings: [count(b"K"), count(b"k")],
            archbishops: count(b"Aa"),
            chancellors: count(b"Cc"),
            januses: count(b"Jj"),
            is_code: pieces.iter().any(|b| b"\"'{}()<>=:,;\\".contains(b)),
            ..Self::default()
        };
        let mut ranks: Vec<&[u8]> = pieces.split(|&b| b == b'/').collect();
        if ranks.last().is_some_and(|last| last.is_empty()) {
            ranks.pop();
            // lichess writes an empty hand as a ninth rank without anything in it.
            if ranks.len() == 8 && hand.is_none() && pieces.contains(&b'~') {
                shape.pocket = Some(true);
            }
        } else if ranks.len() == 9 && width(ranks[8], true) != width(ranks[0], true) {
            shape.pocket = ranks.pop().map(is_of_chess);
        }
        shape.ranks = ranks.len() as u32;
        // `10` is ten squares, `55` and `91` are ten as well.
        let has =
            |rank: &[u8], files: u32| [true, false].map(|how| width(rank, how)).contains(&files);
        let files = [true, false].map(|how| width(ranks[0], how));
        let fits = |files: &u32| ranks.iter().all(|rank| has(rank, *files));
        shape.files = files.into_iter().find(fits).unwrap_or(0);
        let before_operations = rest.split(|&b| b == b';').next().unwrap_or_default();
        let words = before_operations.split(u8::is_ascii_whitespace);
        shape.checks = words.take(9).find_map(checks);
        Some(shape)
    }

    /// Whether it is the board of chess (or none at all, for chess to complain of).
    pub(super) const fn is_square(&self) -> bool {
        matches!((self.files, self.ranks), (8 | 0, 8))
    }

    /// Whether it can only be a board: one of chess, or any other with a king on it.
    /// Paths of files have slashes as well.
    pub(super) const fn is_board(&self) -> bool {
        let is_played = self.files >= 4 && self.ranks >= 4 && self.has_kings();
        let is_chess = self.is_square() && (self.files == 8 || self.has_kings());
        !self.is_code && (is_played || is_chess)
    }

    /// Whether a king stands on it.
    pub(super) const fn has_kings(&self) -> bool {
        self.kings[0] + self.kings[1] > 0
    }

    /// The variant of the line: the one that was said, the one that the file's name
    /// says if it has such a board, the one that the pieces themselves tell; `None`
    /// for chess and for what nobody knows.
    pub(super) fn variant(&self, hints: &Hints) -> Option<&'static Variant> {
        let hint = hints.variant.filter(|variant| {
            let has_board =
                (u32::from(variant.files), u32::from(variant.ranks)) == (self.files, self.ranks);
            let is_chess = variant.tier() == Some(Tier::Assumed);
            let is_guessed = variant.tier() == Some(Tier::Guessed);
            let is_plain = self.pocket.is_none() && self.checks.is_none();
            hints.is_forced || (has_board && !is_guessed && (!is_chess || is_plain))
        });
        if hint.is_some() {
            return hint;
        }
        let name = match (self.files, self.ranks) {
            (8, 8) if self.pocket == Some(true) => "crazyhouse",
            (8, 8) if self.checks.is_some_and(|checks| checks > 3) => "fivecheck",
            (8, 8) if self.checks.is_some() => "threecheck",
            // More pawns than chess has, and nobody to lead them.
            (8, 8) if self.kings == [0, 1] && self.pawns > 8 => "horde",
            (10, 8) if self.januses > 0 && self.chancellors + self.archbishops == 0 => "janus",
            (10, 8) if self.januses == 0 && self.archbishops > 0 && self.chancellors > 0 => {
                "capablanca"
            }
            _ => return None,
        };
        Variant::by_name(name)
    }
}

/// Squares of a rank, with numbers of several digits or of one.
fn width(rank: &[u8], decimal: bool) -> u32 {
    let (mut width, mut number) = (0_u32, 0_u32);
    for &b in rank {
        match b {
            b'0'..=b'9' if decimal => number = (number * 10 + u32::from(b - b'0')).min(1000),
            b'0'..=b'9' => width += u32::from(b - b'0'),
            _ => {
                width += number;
                number = 0;
                // Promoted pieces, and those of the other board of Alice.
                width += u32::from(!matches!(b, b'+' | b'~' | b'|'));
            }
        }
    }
    width + number
}

/// Whether pieces in hand are those of chess.
fn is_of_chess(hand: &[u8]) -> bool {
    hand.iter().all(|b| b"[]-PNBRQpnbrq".contains(b))
}

/// The greatest number in `3+3` or `+0+1`.
fn checks(word: &[u8]) -> Option<u8> {
    match word.strip_prefix(b"+").unwrap_or(word) {
        [white @ b'0'..=b'5', b'+', black @ b'0'..=b'5'] => Some(white.max(black) - b'0'),
        _ => None,
    }
}

/// More fields than a position of any game has.
const FIELDS_MAX: usize = 16;

/// The fields of a position of any game, and the operations behind them: from the
/// first semicolon on, or from the first word behind the fourth that can be an
/// opcode.
pub(super) fn split(line: &str) -> (String, &str) {
    let semicolon = line.find(';').unwrap_or(line.len());
    let mut fields = String::new();
    let mut at = 0;
    for number in 1..=FIELDS_MAX {
        let rest = &line[at..semicolon];
        let word_at = at + (rest.len() - rest.trim_start().len());
        let rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        let behind = &line[word_at + word.len()..];
        if number >= 5 && crate::games::notation::epd::looks_like_opcode(word, behind) {
            return (fields, &line[word_at..]);
        }
        if number > 1 {
            fields.push(' ');
        }
        fields.push_str(word);
        at = word_at + word.len();
    }
    (fields, line[at..].trim_start_matches([';', ' ']).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(line: &str, hint: Option<&str>) -> &'static str {
        let hints = Hints {
            variant: hint.and_then(Variant::named),
            ..Hints::default()
        };
        let shape = LineShape::of(line.as_bytes()).expect("a position");
        shape.variant(&hints).map_or("", |variant| variant.name)
    }

    #[test]
    fn lines_tell_their_variant() {
        let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let ten = "rnabqkbcnr/pppppppppp/10/55/91/19/PPPPPPPPPP/RNABQKBCNR";
        for (line, hint, wanted) in [
            (format!("{pieces} w KQkq -"), None, ""),
            (format!("{pieces}[Qp] w KQkq -"), None, "crazyhouse"),
            (format!("{pieces}[] w KQkq -"), Some("chess"), "crazyhouse"),
            (format!("{pieces}[] w KQkq -"), Some("bughouse"), "bughouse"),
            (format!("{pieces}[HE] w KQkq -"), None, ""),
            (format!("{pieces}/Qp w KQkq -"), None, "crazyhouse"),
            (format!("{pieces} w KQkq - 3+3 0 1"), None, "threecheck"),
            (format!("{pieces} w KQkq - 0 1 +1+0"), None, "threecheck"),
            (format!("{pieces} w KQkq - 5+4 0 1"), None, "fivecheck"),
            (format!("{pieces} w KQkq - id \"a\"; c0 3+3"), None, ""),
            (format!("{pieces} w KQkq -"), Some("atomic"), "atomic"),
            // The name of the file is not that of this board.
            (format!("{pieces} w KQkq -"), Some("capablanca"), ""),
            (format!("{pieces} w KQkq -"), Some("english"), ""),
            (format!("{ten} w KQkq -"), None, "capablanca"),
            (format!("{ten} w KQkq -"), Some("gothic"), "gothic"),
            (
                "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq -".into(),
                None,
                "horde",
            ),
        ] {
            assert_eq!(variant(&line, hint), wanted, "{line}");
        }
    }

    #[test]
    fn fields_and_operations_are_parted() {
        for (line, fields, operations) in [
            ("a/b/c w - -", "a/b/c w - -", ""),
            ("a/b/c  w - -  0 1; D1 20", "a/b/c w - - 0 1", "D1 20"),
            ("a/b/c w - -;D1 20", "a/b/c w - -", "D1 20"),
            (
                "a/b/c w - - bm e4; id \"x\";",
                "a/b/c w - -",
                "bm e4; id \"x\";",
            ),
            ("a/b/c w - - 3+3 1 3;", "a/b/c w - - 3+3 1 3", ""),
            ("a/b/c[G] b 2 4", "a/b/c[G] b 2 4", ""),
        ] {
            assert_eq!(split(line), (fields.to_owned(), operations), "{line}");
        }
    }

    #[test]
    fn what_is_no_position_has_no_shape() {
        for line in [
            "",
            "e4 e5",
            "1/2-1/2",
            "startpos",
            "[Event \"a/b/c/d\"]",
            "http://a",
        ] {
            assert!(LineShape::of(line.as_bytes()).is_none(), "{line}");
        }
        assert!(of_pdn(b"W:W31-50:B1-20"));
        assert!(!of_pdn(b"White: A Black: B"));
    }
}
