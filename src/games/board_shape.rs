//! What the ranks of a FEN look like: their board, and which variants have such pieces.

use super::variant::Variant;

/// The board of a FEN, and what stands on it that only some variants have.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoardShape {
    /// Files of the board; 0 where ranks differ.
    pub(crate) files: u32,
    /// Its ranks.
    pub(crate) ranks: u32,
    /// How many of them have the squares of a rank of chess, and how many have empty squares.
    right: [u32; 2],
    /// Pieces in hand, in brackets or as a ninth rank: whether they are those of
    /// chess.
    pocket: Option<bool>,
    /// Greatest number of checks that is spoken of.
    checks: Option<u8>,
    /// Whether there are signs in it that no board has, but code and markup.
    is_code: bool,
    /// Whether all letters are those of pieces of chess.
    is_of_chess: bool,
    /// White's pawns, white and black kings.
    pawns: u32,
    kings: [u32; 2],
    /// Archbishops and chancellors, those of Janus.
    archbishops: u32,
    chancellors: u32,
    januses: u32,
}

/// How many ranks of a board of chess have eight squares at least, and how many have empty ones:
/// no more pieces can stand on it than on half of its squares.
pub(crate) const RANKS_RIGHT_MIN: [u32; 2] = [4, 2];

impl BoardShape {
    /// The shape of a line that begins with ranks between slashes; `None` of others.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let is_end = |b: &u8| b.is_ascii_whitespace() || *b == b';';
        let end = line.iter().position(is_end).unwrap_or(line.len());
        let (first, rest) = line.split_at(end);
        let (pieces, hand) = match first.iter().position(|&b| b == b'[') {
            Some(at) => (&first[..at], Some(&first[at..])),
            None => (first, None),
        };
        let slashes = |slash| memchr::memchr_iter(slash, pieces).count();
        // Without any other, a backslash stands between the ranks.
        let is_slashed = slashes(b'/') > 0 || slashes(b'\\') != 7;
        let slash = if is_slashed { b'/' } else { b'\\' };
        if slashes(slash) < 3 || !pieces.is_ascii() {
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
            is_of_chess: (pieces.iter())
                .all(|b| !b.is_ascii_alphabetic() || b"PNBRQKpnbrqk".contains(b)),
            is_code: (pieces.iter()).any(|b| b"\"'{}()<>=:,;\\".contains(b) && *b != slash),
            ..Self::default()
        };
        let mut ranks: Vec<&[u8]> = pieces.split(|&b| b == slash).collect();
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
        let right = ranks.iter().filter(|rank| has(rank, 8)).count();
        let is_empty = |rank: &&&[u8]| rank.iter().any(u8::is_ascii_digit);
        shape.right = [right, ranks.iter().filter(is_empty).count()].map(|n| n as u32);
        let before_operations = rest.split(|&b| b == b';').next().unwrap_or_default();
        let words = before_operations.split(u8::is_ascii_whitespace);
        shape.checks = words.take(9).find_map(checks);
        Some(shape)
    }

    /// Whether it is the board of chess (or none at all, for chess to complain of).
    pub(crate) const fn is_square(&self) -> bool {
        matches!((self.files, self.ranks), (8 | 0, 8))
    }

    /// Whether it can only be a board: one of chess, or any other with a king on it. Some ranks
    /// of one may be counted wrong, but hardly most of them. Paths of files have slashes as well.
    pub(crate) const fn is_board(&self) -> bool {
        let [right, with_empty] = self.right;
        let [right_min, with_empty_min] = RANKS_RIGHT_MIN;
        let is_played = self.files >= 4 && self.ranks >= 4 && self.has_kings();
        // Words of a path may have the letter of a king in them.
        let has_both_kings = self.kings[0] > 0 && self.kings[1] > 0;
        let is_whole = self.files == 8 && (self.has_kings() || self.is_of_chess);
        let is_counted = right >= right_min && (is_whole || has_both_kings);
        let is_chess = self.is_square() && is_counted;
        let is_filled = with_empty < if self.is_square() { with_empty_min } else { 1 };
        !self.is_code && !is_filled && (is_played || is_chess)
    }

    /// Whether a king stands on it.
    pub(crate) const fn has_kings(&self) -> bool {
        self.kings[0] + self.kings[1] > 0
    }

    /// Whether nothing stands in it but board and pieces: no hand, no counted checks.
    pub(crate) const fn is_plain(&self) -> bool {
        self.pocket.is_none() && self.checks.is_none()
    }

    /// The variant that the pieces themselves determine; `None` for chess and for unknown games.
    pub(crate) fn variant(&self) -> Option<&'static Variant> {
        let name = match (self.files, self.ranks) {
            (8, 8) if self.pocket == Some(true) => "crazyhouse",
            (8, 8) if self.checks.is_some_and(|checks| checks > 3) => "fivecheck",
            (8, 8) if self.checks.is_some() => "threecheck",
            // More pawns than chess has, and no king to lead them.
            (8, 8) if self.kings == [0, 1] && self.pawns > 8 => "horde",
            (10, 8) if self.januses > 0 && self.chancellors + self.archbishops == 0 => "janus",
            (10, 8) if self.januses == 0 && self.pocket == Some(true) => "capahouse",
            (10, 8) if self.januses == 0 && self.archbishops > 0 && self.chancellors > 0 => {
                "capablanca"
            }
            (10, 10) if self.archbishops + self.chancellors > 0 => "grand",
            (9, 10) if self.kings == [1, 1] => "xiangqi",
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
