//! Pawn structures with names.

/// The pawns of a side that has a structure, and those of the other side, with the first side at
/// the bottom of the board. Bit 0 is a1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PawnStructure {
    /// Of the side itself.
    pub own: u64,
    /// Of the other side.
    pub other: u64,
}

const FILE_A: u64 = 0x0101_0101_0101_0101;

const fn file(name: u8) -> u64 {
    FILE_A << (name - b'a')
}

/// The square of a name such as `d4`.
const fn square(name: [u8; 2]) -> u64 {
    1 << ((name[1] - b'1') * 8 + name[0] - b'a')
}

const fn squares<const N: usize>(names: [&[u8; 2]; N]) -> u64 {
    let (mut all, mut at) = (0, 0);
    while at < N {
        all |= square(*names[at]);
        at += 1;
    }
    all
}

impl PawnStructure {
    /// The same from the other side of the board.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self {
            own: self.other.swap_bytes(),
            other: self.own.swap_bytes(),
        }
    }

    const fn has(self, own: u64, other: u64) -> bool {
        self.own & own == own && self.other & other == other
    }

    const fn lacks(self, own: u64, other: u64) -> bool {
        self.own & own == 0 && self.other & other == 0
    }
}

/// A pawn structure with a name.
#[derive(Debug)]
pub struct NamedStructure {
    /// Its word on the command line and in JSON.
    pub key: &'static str,
    /// What players call it.
    pub title: &'static str,
    /// What it is, for help.
    pub meaning: &'static str,
    /// The same as a query, as White has it.
    pub pattern: &'static str,
    /// Whether a side has it.
    pub test: fn(PawnStructure) -> bool,
}

/// The structures that have names, as one side has them.
pub static NAMED_STRUCTURES: [NamedStructure; 10] = [
    NamedStructure {
        key: "iqp",
        title: "isolated queen's pawn",
        meaning: "a pawn on d4 or d5 without own pawns on the c- and e-file or an enemy pawn on the d-file",
        pattern: "Pd4/d5=1.. Pc/e=0 pd=0",
        test: |at| {
            at.own & squares([b"d4", b"d5"]) != 0 && at.lacks(file(b'c') | file(b'e'), file(b'd'))
        },
    },
    NamedStructure {
        key: "hanging",
        title: "hanging pawns",
        meaning: "pawns on c4 and d4 without own pawns on the b- and e-file or enemy pawns on the c- and d-file",
        pattern: "Pc4,d4 Pb/e=0 pc/d=0",
        test: |at| {
            at.has(squares([b"c4", b"d4"]), 0)
                && at.lacks(file(b'b') | file(b'e'), file(b'c') | file(b'd'))
        },
    },
    NamedStructure {
        key: "carlsbad",
        title: "Carlsbad",
        meaning: "pawns on d4 and the e-file and none on the c-file, against c6, d5 and none on the e-file",
        pattern: "Pd4 Pe=1.. Pc=0 pc6,d5 pe=0",
        test: |at| {
            at.has(square(*b"d4"), squares([b"c6", b"d5"]))
                && at.own & file(b'e') != 0
                && at.lacks(file(b'c'), file(b'e'))
        },
    },
    NamedStructure {
        key: "maroczy",
        title: "Maroczy bind",
        meaning: "pawns on c4 and e4 and none on the d-file, against d6 and none on the c-file",
        pattern: "Pc4,e4 Pd=0 pd6 pc=0",
        test: |at| {
            at.has(squares([b"c4", b"e4"]), square(*b"d6")) && at.lacks(file(b'd'), file(b'c'))
        },
    },
    NamedStructure {
        key: "hedgehog",
        title: "Hedgehog",
        meaning: "pawns on a3, b3, d3 and e3 and none on the c-file, against c5, e5 and none on the d-file",
        pattern: "Pa3,b3,d3,e3 Pc=0 pc5,e5 pd=0",
        test: |at| {
            let own = squares([b"a3", b"b3", b"d3", b"e3"]);
            at.has(own, squares([b"c5", b"e5"])) && at.lacks(file(b'c'), file(b'd'))
        },
    },
    NamedStructure {
        key: "doubled-c",
        title: "doubled c-pawns",
        meaning: "two pawns or more on the c-file",
        pattern: "Pc=2..",
        test: |at| (at.own & file(b'c')).count_ones() > 1,
    },
    NamedStructure {
        key: "french",
        title: "French chain",
        meaning: "pawns on d4 and e5 against d5 and e6",
        pattern: "Pd4,e5 pd5,e6",
        test: |at| at.has(squares([b"d4", b"e5"]), squares([b"d5", b"e6"])),
    },
    NamedStructure {
        key: "kings-indian",
        title: "King's Indian chain",
        meaning: "pawns on d5 and e4 against d6 and e5",
        pattern: "Pd5,e4 pd6,e5",
        test: |at| at.has(squares([b"d5", b"e4"]), squares([b"d6", b"e5"])),
    },
    NamedStructure {
        key: "benoni",
        title: "Benoni",
        meaning: "pawns on d5 and e4 and none on the c-file, against c5, d6 and none on the e-file",
        pattern: "Pd5,e4 Pc=0 pc5,d6 pe=0",
        test: |at| {
            at.has(squares([b"d5", b"e4"]), squares([b"c5", b"d6"]))
                && at.lacks(file(b'c'), file(b'e'))
        },
    },
    NamedStructure {
        key: "stonewall",
        title: "Stonewall",
        meaning: "pawns on c3, d4, e3 and f4",
        pattern: "Pc3,d4,e3,f4",
        test: |at| at.has(squares([b"c3", b"d4", b"e3", b"f4"]), 0),
    },
];

/// The structure of a name, in any case.
pub fn named(word: &str) -> Option<&'static NamedStructure> {
    let mut all = NAMED_STRUCTURES.iter();
    all.find(|named| named.key.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(own: &str, other: &str) -> PawnStructure {
        let set = |names: &str| {
            let squares = names.split_whitespace().map(str::as_bytes);
            squares.fold(0, |all, name| all | square([name[0], name[1]]))
        };
        PawnStructure {
            own: set(own),
            other: set(other),
        }
    }

    #[test]
    fn structures_are_recognised_from_the_side_that_has_them() {
        for (key, own, other) in [
            ("iqp", "a2 b2 d4 f2 g2 h2", "a7 b7 e6 f7 g7 h7"),
            ("hanging", "a2 c4 d4 f2 g2 h2", "a7 b6 e6 f7 g7 h7"),
            ("carlsbad", "a2 b2 d4 e3 f2 g2 h2", "a7 b7 c6 d5 f7 g7 h7"),
            ("maroczy", "a2 b2 c4 e4 f2 g2 h2", "a7 b7 d6 e7 f7 g6 h7"),
            ("hedgehog", "a3 b3 d3 e3 f2 g2 h2", "a7 b6 c5 e5 f7 g7 h7"),
            (
                "doubled-c",
                "a3 c3 c4 d4 e3 f2 g2 h2",
                "a7 b7 c5 d6 e6 f7 g7 h7",
            ),
            (
                "french",
                "a2 b2 c3 d4 e5 f2 g2 h2",
                "a7 b7 c5 d5 e6 f7 g7 h7",
            ),
            (
                "kings-indian",
                "a2 b2 c4 d5 e4 f2 g2 h2",
                "a7 b7 c7 d6 e5 f7 g6 h7",
            ),
            ("benoni", "a2 b2 d5 e4 f2 g2 h2", "a7 b7 c5 d6 f7 g6 h7"),
            (
                "stonewall",
                "a2 b2 c3 d4 e3 f4 g2 h2",
                "a7 b7 c5 d5 e6 f7 g7 h7",
            ),
        ] {
            let at = of(own, other);
            let found: Vec<&str> = (NAMED_STRUCTURES.iter())
                .filter(|named| (named.test)(at))
                .map(|named| named.key)
                .collect();
            assert_eq!(found, [key]);
            assert_eq!(at.flipped().flipped(), at);
            let is_of_other = (named(key).expect("a name").test)(at.flipped());
            assert!(!is_of_other, "{key}");
        }
        assert!(named("IQP").is_some() && named("none").is_none());
    }
}
