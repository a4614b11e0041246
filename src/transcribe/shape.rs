//! What a line of EPD looks like: its board, and which variants it can be of.

use super::Hints;
use crate::variant::{Rules, Variant};

/// The board of a line, and what stands on it that only some variants have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// Files of the board; 0 where ranks differ.
    pub(super) files: u32,
    /// Its ranks.
    pub(super) ranks: u32,
    /// Men in hand, in brackets or as a ninth rank: whether they are those of
    /// chess.
    pocket: Option<bool>,
    /// Greatest number of checks that is spoken of.
    checks: Option<u8>,
    /// White's pawns, white and black kings.
    pawns: u32,
    kings: [u32; 2],
    /// Archbishops and chancellors, those of Janus.
    archbishops: u32,
    chancellors: u32,
    januses: u32,
}

/// Whether a line begins as a position of draughts: `W:…:…`.
pub(super) fn of_draughts(line: &[u8]) -> bool {
    let end = line.iter().position(|&b| b == b';').unwrap_or(line.len());
    let colons = memchr::memchr_iter(b':', &line[..end]).count();
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    colons == 2 && matches!(line, [b'W' | b'B' | b'w' | b'b', b':', ..])
}

impl Shape {
    /// The shape of a line that begins with ranks between slashes; `None` of others.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let is_end = |b: &u8| b.is_ascii_whitespace() || *b == b';';
        let end = line.iter().position(is_end).unwrap_or(line.len());
        let (first, rest) = line.split_at(end);
        let (men, hand) = match first.iter().position(|&b| b == b'[') {
            Some(at) => (&first[..at], Some(&first[at..])),
            None => (first, None),
        };
        if memchr::memchr_iter(b'/', men).count() < 3 || !men.is_ascii() {
            return None;
        }
        let mut shape = Self {
            pocket: hand.map(is_of_chess),
            ..Self::default()
        };
        let mut ranks: Vec<&[u8]> = men.split(|&b| b == b'/').collect();
        if ranks.last().is_some_and(|last| last.is_empty()) {
            ranks.pop();
            // lichess writes an empty hand as a ninth rank without anything in it.
            if ranks.len() == 8 && hand.is_none() && men.contains(&b'~') {
                shape.pocket = Some(true);
            }
        } else if ranks.len() == 9 && width(ranks[8], true) != width(ranks[0], true) {
            shape.pocket = ranks.pop().map(is_of_chess);
        }
        shape.ranks = ranks.len() as u32;
        let width_of = |decimal: bool| {
            let first = width(ranks[0], decimal);
            let all = ranks.iter().all(|rank| width(rank, decimal) == first);
            all.then_some(first)
        };
        shape.files = width_of(true).or_else(|| width_of(false)).unwrap_or(0);
        for &b in men {
            match b {
                b'P' => shape.pawns += 1,
                b'K' => shape.kings[0] += 1,
                b'k' => shape.kings[1] += 1,
                b'A' | b'a' => shape.archbishops += 1,
                b'C' | b'c' => shape.chancellors += 1,
                b'J' | b'j' => shape.januses += 1,
                _ => {}
            }
        }
        let before_operations = rest.split(|&b| b == b';').next().unwrap_or_default();
        let words = before_operations.split(u8::is_ascii_whitespace);
        shape.checks = words.take(9).find_map(checks);
        Some(shape)
    }

    /// Whether it is the board of chess (or none at all, for chess to complain of).
    pub(super) const fn is_square(&self) -> bool {
        matches!((self.files, self.ranks), (8 | 0, 8))
    }

    /// The variant of the line: the one that was said, the one that the file's name
    /// says if it has such a board, the one that the men themselves tell; `None`
    /// for chess and for what nobody knows.
    pub(super) fn variant(&self, hints: &Hints) -> Option<&'static Variant> {
        let hint = hints.variant.filter(|variant| {
            let has_board =
                (u32::from(variant.files), u32::from(variant.ranks)) == (self.files, self.ranks);
            let is_chess = matches!(variant.rules, Rules::Chess);
            let is_plain = self.pocket.is_none() && self.checks.is_none();
            hints.is_forced
                || (has_board && variant.draughts().is_none() && (!is_chess || is_plain))
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
                // Promoted men, and those of the other board of Alice.
                width += u32::from(!matches!(b, b'+' | b'~' | b'|'));
            }
        }
    }
    width + number
}

/// Whether men in hand are those of chess.
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

/// The fields of a position of any game, and the operations behind them: from the
/// first semicolon on, or from the first word behind the fourth that can be an
/// opcode.
pub(super) fn split(line: &str) -> (String, &str) {
    let semicolon = line.find(';').unwrap_or(line.len());
    let mut fields = String::new();
    let mut at = 0;
    for number in 1.. {
        let rest = &line[at..semicolon];
        let word_at = at + (rest.len() - rest.trim_start().len());
        let rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        let behind = &line[word_at + word.len()..];
        if number >= 5 && crate::notation::epd::looks_like_opcode(word, behind) {
            return (fields, &line[word_at..]);
        }
        if number > 1 {
            fields.push(' ');
        }
        fields.push_str(word);
        at = word_at + word.len();
    }
    (fields, line[semicolon..].trim_start_matches(';').trim())
}
