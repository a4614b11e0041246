//! Endings by what is left besides kings and pawns.

use crate::games::view::code_of;

/// Pieces besides king and pawns that a side of an ending has, at most.
const PIECES_MAX: u32 = 2;

/// Plies that the pieces of an ending stay on the board, at least.
pub(super) const ENDING_PLIES: u32 = 4;

/// The pieces of a side besides king and pawns: queens, rooks, bishops, knights.
pub(super) type PieceCounts = [u8; 4];

const LETTERS: [char; 4] = ['Q', 'R', 'B', 'N'];

/// What both sides have besides kings and pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct EndingFamily {
    /// White's pieces, or those of the side that is looked at.
    pub own: PieceCounts,
    /// Those of the other side.
    pub other: PieceCounts,
    /// Of one bishop each and nothing else, whether they are on squares of different colours.
    pub opposite: Option<bool>,
}

const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

impl EndingFamily {
    /// The family of a board, if each side has two pieces or fewer besides king and pawns.
    pub fn of(pieces: impl Fn(u8) -> u128) -> Option<Self> {
        let of_side = |side: usize| -> PieceCounts {
            LETTERS.map(|letter| {
                let letter = if side == 0 {
                    letter
                } else {
                    letter.to_ascii_lowercase()
                };
                pieces(code_of(letter)).count_ones().min(255) as u8
            })
        };
        let [own, other] = [of_side(0), of_side(1)];
        let is_small = |side: &PieceCounts| {
            side.iter().map(|count| u32::from(*count)).sum::<u32>() <= PIECES_MAX
        };
        if !is_small(&own) || !is_small(&other) {
            return None;
        }
        let is_light = |letter: char| pieces(code_of(letter)) as u64 & LIGHT != 0;
        let bishops = [0, 0, 1, 0];
        let opposite = (own == bishops && other == bishops).then(|| is_light('B') != is_light('b'));
        Some(Self {
            own,
            other,
            opposite,
        })
    }

    /// The same from the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            opposite: self.opposite,
        }
    }

    /// Its name: `rook endings`, `rook and knight v rook and bishop`.
    pub fn title(self) -> String {
        match self.opposite {
            Some(true) => return "bishops of opposite colours".to_owned(),
            Some(false) => return "bishops of the same colour".to_owned(),
            None => {}
        }
        let [own, other] = [self.own, self.other].map(words);
        match (own == other, self.own == [0; 4]) {
            (true, true) => "pawn endings".to_owned(),
            (true, false) => format!("{own} endings"),
            (false, _) => format!("{own} v {other}"),
        }
    }

    /// Its letters: `RNvRB`.
    pub fn letters(self) -> String {
        let side = |counts: PieceCounts| -> String {
            let letters = LETTERS.into_iter().zip(counts);
            let letters =
                letters.flat_map(|(letter, count)| std::iter::repeat_n(letter, count.into()));
            format!("K{}", letters.collect::<String>())
        };
        let tail = match self.opposite {
            Some(true) => " opposite",
            Some(false) => " same",
            None => "",
        };
        format!("{}v{}{tail}", side(self.own), side(self.other))
    }
}

fn words(counts: PieceCounts) -> String {
    let names = [
        ("queen", "queens"),
        ("rook", "rooks"),
        ("bishop", "bishops"),
        ("knight", "knights"),
    ];
    let parts: Vec<String> = (names.iter().zip(counts))
        .filter_map(|((one, several), count)| match count {
            0 => None,
            1 => Some((*one).to_owned()),
            2 => Some(format!("two {several}")),
            count => Some(format!("{count} {several}")),
        })
        .collect();
    if parts.is_empty() {
        return "pawns".to_owned();
    }
    parts.join(" and ")
}

/// An ending as it is asked for: `KRPvKR`, `RvR`, `BvB opposite`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndingSpec {
    /// The pieces.
    pub family: EndingFamily,
    /// The pawns of both sides, if kings are written; otherwise there may be any.
    pub pawns: Option<[u8; 2]>,
}

impl EndingSpec {
    /// Reads an ending; `None` if the text is not one.
    pub fn read(text: &str) -> Option<Self> {
        let (pieces, opposite) = match text.split_once(char::is_whitespace) {
            None => (text, None),
            Some((pieces, word)) => match word.trim() {
                "opposite" => (pieces, Some(true)),
                "same" => (pieces, Some(false)),
                _ => return None,
            },
        };
        let (own, other) = pieces.split_once('v')?;
        let [own, other] = [own, other].map(side_of);
        let ((own, pawns, has_king), (other, other_pawns, has_other_king)) = (own?, other?);
        if has_king != has_other_king || !has_king && pawns + other_pawns > 0 {
            return None;
        }
        let is_bishops = own == [0, 0, 1, 0] && other == own;
        if opposite.is_some() && !is_bishops {
            return None;
        }
        Some(Self {
            family: EndingFamily {
                own,
                other,
                opposite,
            },
            pawns: has_king.then_some([pawns, other_pawns]),
        })
    }

    /// Whether a side of a board has it, given the pawns of that side and of the other.
    pub fn fits(&self, at: EndingFamily, pawns: [u8; 2]) -> bool {
        let asked = self.family;
        at.own == asked.own
            && at.other == asked.other
            && (asked.opposite.is_none() || asked.opposite == at.opposite)
            && self.pawns.is_none_or(|own| own == pawns)
    }

    /// Whether both sides have the same pieces.
    pub fn is_even(&self) -> bool {
        self.family.own == self.family.other && self.pawns.is_none_or(|[own, other]| own == other)
    }

    /// The text that is read as it.
    pub fn text(&self) -> String {
        let EndingFamily {
            own,
            other,
            opposite,
        } = self.family;
        let side = |counts: PieceCounts, pawns: u8| -> String {
            let king = if self.pawns.is_some() { "K" } else { "" };
            let letters = LETTERS.into_iter().zip(counts).chain([('P', pawns)]);
            let letters =
                letters.flat_map(|(letter, count)| std::iter::repeat_n(letter, count.into()));
            format!("{king}{}", letters.collect::<String>())
        };
        let [pawns, other_pawns] = self.pawns.unwrap_or_default();
        let tail = match opposite {
            Some(true) => " opposite",
            Some(false) => " same",
            None => "",
        };
        format!("{}v{}{tail}", side(own, pawns), side(other, other_pawns))
    }
}

/// The pieces and pawns of a side, and whether its king is written.
fn side_of(letters: &str) -> Option<(PieceCounts, u8, bool)> {
    let (mut counts, mut pawns) = ([0; 4], 0);
    let rest = letters.strip_prefix('K');
    for letter in rest.unwrap_or(letters).chars() {
        match LETTERS.iter().position(|own| *own == letter) {
            Some(at) => counts[at] += 1,
            None if letter == 'P' => pawns += 1,
            None => return None,
        }
    }
    let pieces: u32 = counts.iter().map(|count| u32::from(*count)).sum();
    let is_named = rest.is_some() || pieces > 0;
    (is_named && pieces <= PIECES_MAX && pawns <= 8).then_some((counts, pawns, rest.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_read_and_written() {
        for text in [
            "KRPvKR",
            "RvR",
            "BvB opposite",
            "BvB same",
            "KPPvK",
            "RNvRB",
            "KQvKRR",
        ] {
            let read = EndingSpec::read(text).expect(text);
            assert_eq!(read.text(), text);
            let again = EndingFamily::letters(read.family);
            assert!(!again.contains('P'), "{again}");
        }
        for text in [
            "KRvR",
            "PvP",
            "RvR opposite",
            "RRRvR",
            "XvR",
            "RR",
            "",
            "v",
            "K v K",
            "e4",
        ] {
            assert_eq!(EndingSpec::read(text), None, "{text}");
        }
        let exchange = EndingSpec::read("KRvKB").expect("an ending");
        assert!(!exchange.is_even() && EndingSpec::read("RvR").expect("an ending").is_even());
        assert_eq!(exchange.family.title(), "rook v bishop");
        let pawns = EndingSpec::read("KPvK").expect("an ending");
        assert_eq!(pawns.family.title(), "pawn endings");
    }
}
