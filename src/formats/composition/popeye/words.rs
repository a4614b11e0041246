//! The words of Popeye's input in its three languages, and what it calls its pieces
//! (`output/plaintext/language_dependant.c` in Popeye's source).

use std::sync::LazyLock;

use crate::formats::composition::{Side, begins_with};

/// What a statement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    Begin,
    End,
    Next,
    Twin,
    ZeroPosition,
    Remark,
    StructuredStipulation,
    Author,
    Origin,
    Pieces,
    Condition,
    Option,
    Stipulation,
    Protocol,
    Input,
    Title,
    LaTeX,
    LaTeXPieces,
    Award,
    InitialArray,
    Forsyth,
}

/// A word in English, German and French.
type PopeyeWord = [&'static str; 3];

const KEYWORDS: &[(Keyword, PopeyeWord)] = &[
    (
        Keyword::Begin,
        ["beginproblem", "anfangproblem", "debutprobleme"],
    ),
    (Keyword::End, ["endproblem", "endeproblem", "finprobleme"]),
    (Keyword::Next, ["nextproblem", "weiteresproblem", "asuivre"]),
    (Keyword::Twin, ["twin", "zwilling", "jumeau"]),
    (
        Keyword::ZeroPosition,
        ["zeroposition", "nullstellung", "zeroposition"],
    ),
    (Keyword::Remark, ["remark", "bemerkung", "remarque"]),
    (
        Keyword::StructuredStipulation,
        ["sstipulation", "sforderung", "senonce"],
    ),
    (Keyword::Author, ["author", "autor", "auteur"]),
    (Keyword::Origin, ["origin", "quelle", "source"]),
    (Keyword::Pieces, ["pieces", "steine", "pieces"]),
    (Keyword::Condition, ["condition", "bedingung", "condition"]),
    (Keyword::Option, ["option", "option", "option"]),
    (Keyword::Stipulation, ["stipulation", "forderung", "enonce"]),
    (Keyword::Protocol, ["protocol", "protokoll", "protocol"]),
    (Keyword::Input, ["input", "eingabe", "entree"]),
    (Keyword::Title, ["title", "titel", "titre"]),
    (Keyword::LaTeX, ["latex", "latex", "latex"]),
    (
        Keyword::LaTeXPieces,
        ["latexpieces", "latexsteine", "pieceslatex"],
    ),
    (Keyword::Award, ["award", "auszeichnung", "prix"]),
    (
        Keyword::InitialArray,
        [
            "initialgamearray",
            "partieanfangsstellung",
            "positioninitialepartie",
        ],
    ),
    (Keyword::Forsyth, ["forsyth", "forsyth", "forsyth"]),
];

const SIDES: &[(Side, PopeyeWord)] = &[
    (Side::White, ["white", "weiss", "blanc"]),
    (Side::Black, ["black", "schwarz", "noir"]),
    (Side::Neutral, ["neutral", "neutral", "neutre"]),
];

/// What makes a piece special.
const KINDS: &[PopeyeWord] = &[
    ["royal", "koeniglich", "royale"],
    ["kamikaze", "kamikaze", "kamikaze"],
    ["paralysing", "paralysierend", "paralysante"],
    ["chameleon", "chamaeleon", "cameleon"],
    ["jigger", "jigger", "jigger"],
    ["volage", "volage", "volage"],
    ["functionary", "beamtet", "fonctionnaire"],
    ["halfneutral", "halbneutral", "demineutre"],
    [
        "hurdlecolourchanging",
        "sprungbockfarbewechselnd",
        "couleurechangeantsautoir",
    ],
    ["protean", "proteisch", "protee"],
    ["magic", "magisch", "magique"],
    ["uncapturable", "unschlagbar", "imprenable"],
    ["patrol", "patrouille", "patrouille"],
    ["frischauf", "frischauf", "frischauf"],
];

/// The names of every piece that Popeye knows, the six of orthodox chess first
/// (`PieNamString`, in its order).
static PIECES: LazyLock<Vec<PopeyeWord>> = LazyLock::new(|| {
    let rows = include_str!("pieces.tsv").lines().skip(1);
    rows.map(|row| {
        let mut names = row.split('\t');
        std::array::from_fn(|_| names.next().unwrap_or_default())
    })
    .collect()
});

/// How many of them are pieces of orthodox chess.
const ORTHODOX: usize = 6;

/// A language of the input: its place in a row of words.
#[derive(Debug)]
pub(super) struct InputLanguage(usize);

pub(super) const INPUT_LANGUAGES: &[InputLanguage; 3] =
    &[InputLanguage(0), InputLanguage(1), InputLanguage(2)];

impl Keyword {
    /// Whether it takes the rest of its line as it is.
    pub(super) const fn takes_line(self) -> bool {
        matches!(
            self,
            Self::Remark
                | Self::Author
                | Self::Origin
                | Self::Protocol
                | Self::Input
                | Self::Title
                | Self::Award
        )
    }
}

impl InputLanguage {
    /// The code of the letters that its orthodox pieces have.
    pub(super) const fn letters(&self) -> &'static str {
        ["en-problem", "de", "fr"][self.0]
    }

    /// How a keyword is spelled out.
    pub(super) fn spelling(&self, keyword: Keyword) -> &'static str {
        let row = KEYWORDS.iter().find(|(other, _)| *other == keyword);
        row.map_or("", |(_, words)| words[self.0])
    }

    /// The keyword that a word is or, cut to at least so many letters, stands for
    /// alone.
    pub(super) fn keyword(&self, word: &str, least: usize) -> Option<Keyword> {
        let rows = KEYWORDS.iter().map(|(keyword, words)| (*keyword, words));
        self.only(rows, word, least)
    }

    /// The side that a word names, cut or not.
    pub(super) fn side(&self, word: &str) -> Option<Side> {
        self.only(SIDES.iter().map(|(side, words)| (*side, words)), word, 2)
    }

    /// What a word makes of a piece, in English.
    pub(super) fn kind(&self, word: &str) -> Option<&'static str> {
        self.only(KINDS.iter().map(|words| (words[0], words)), word, 3)
    }

    /// What the one row means in which a word stands or, cut, can stand.
    fn only<T>(
        &self,
        rows: impl Iterator<Item = (T, &'static PopeyeWord)>,
        word: &str,
        least: usize,
    ) -> Option<T> {
        if word.len() < least || !word.is_ascii() {
            return None;
        }
        let mut cut = Vec::new();
        for (meaning, words) in rows {
            let own = words[self.0];
            if own.len() == word.len() && own.eq_ignore_ascii_case(word) {
                return Some(meaning);
            }
            if begins_with(own, word) {
                cut.push(meaning);
            }
        }
        cut.pop().filter(|_| cut.is_empty())
    }

    /// The English name of a piece that is called so; what nothing is called so stays
    /// as it is. Letters that are an orthodox piece in English and nothing in this
    /// language get a question mark, so as not to be taken for it.
    pub(super) fn english(&self, name: &str) -> String {
        let name = name.to_uppercase();
        if let Some(row) = PIECES.iter().find(|row| row[self.0] == name) {
            return row[0].to_owned();
        }
        if PIECES[..ORTHODOX].iter().any(|row| row[0] == name) {
            return format!("{name}?");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_piece() {
        for column in 0..3 {
            let mut names: Vec<&str> = PIECES.iter().map(|row| row[column]).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{column}");
            assert!(names.iter().all(|name| matches!(name.len(), 1 | 2)));
        }
    }

    #[test]
    fn names_become_english() {
        for (name, column, wanted) in [
            ("s", 0, "S"),
            ("eh", 0, "EH"),
            ("zz", 0, "ZZ"),
            ("S", 1, "S"),
            ("h", 1, "L"),
            ("kl", 1, "C"),
            ("rd", 1, "EH"),
            ("q", 1, "Q?"),
            ("s", 2, "G"),
            ("g", 2, "GN"),
            ("re", 2, "EK"),
            ("k", 2, "K?"),
        ] {
            assert_eq!(
                INPUT_LANGUAGES[column].english(name),
                wanted,
                "{name} {column}"
            );
        }
    }
}
