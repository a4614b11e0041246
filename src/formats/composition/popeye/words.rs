//! The words of Popeye's input in its three languages
//! (`output/plaintext/language_dependant.c` in Popeye's source).

use super::names;
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

impl Keyword {
    const ALL: [Self; 21] = [
        Self::Begin,
        Self::End,
        Self::Next,
        Self::Twin,
        Self::ZeroPosition,
        Self::Remark,
        Self::StructuredStipulation,
        Self::Author,
        Self::Origin,
        Self::Pieces,
        Self::Condition,
        Self::Option,
        Self::Stipulation,
        Self::Protocol,
        Self::Input,
        Self::Title,
        Self::LaTeX,
        Self::LaTeXPieces,
        Self::Award,
        Self::InitialArray,
        Self::Forsyth,
    ];

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

/// The words of one language.
#[derive(Debug)]
pub(super) struct Table {
    /// The code of the letters that its orthodox men have.
    pub(super) letters: &'static str,
    /// In the order of [`Keyword::ALL`].
    keywords: [&'static str; 21],
    /// White, Black, neutral.
    sides: [&'static str; 3],
    /// What makes a man special.
    kinds: [&'static str; 14],
    /// Its place among the names of men.
    column: usize,
}

pub(super) const TABLES: &[Table; 3] = &[
    Table {
        letters: "en-problem",
        keywords: [
            "beginproblem",
            "endproblem",
            "nextproblem",
            "twin",
            "zeroposition",
            "remark",
            "sstipulation",
            "author",
            "origin",
            "pieces",
            "condition",
            "option",
            "stipulation",
            "protocol",
            "input",
            "title",
            "latex",
            "latexpieces",
            "award",
            "initialgamearray",
            "forsyth",
        ],
        sides: ["white", "black", "neutral"],
        kinds: [
            "royal",
            "kamikaze",
            "paralysing",
            "chameleon",
            "jigger",
            "volage",
            "functionary",
            "halfneutral",
            "hurdlecolourchanging",
            "protean",
            "magic",
            "uncapturable",
            "patrol",
            "frischauf",
        ],
        column: 0,
    },
    Table {
        letters: "de",
        keywords: [
            "anfangproblem",
            "endeproblem",
            "weiteresproblem",
            "zwilling",
            "nullstellung",
            "bemerkung",
            "sforderung",
            "autor",
            "quelle",
            "steine",
            "bedingung",
            "option",
            "forderung",
            "protokoll",
            "eingabe",
            "titel",
            "latex",
            "latexsteine",
            "auszeichnung",
            "partieanfangsstellung",
            "forsyth",
        ],
        sides: ["weiss", "schwarz", "neutral"],
        kinds: [
            "koeniglich",
            "kamikaze",
            "paralysierend",
            "chamaeleon",
            "jigger",
            "volage",
            "beamtet",
            "halbneutral",
            "sprungbockfarbewechselnd",
            "proteisch",
            "magisch",
            "unschlagbar",
            "patrouille",
            "frischauf",
        ],
        column: 1,
    },
    Table {
        letters: "fr",
        keywords: [
            "debutprobleme",
            "finprobleme",
            "asuivre",
            "jumeau",
            "zeroposition",
            "remarque",
            "senonce",
            "auteur",
            "source",
            "pieces",
            "condition",
            "option",
            "enonce",
            "protocol",
            "entree",
            "titre",
            "latex",
            "pieceslatex",
            "prix",
            "positioninitialepartie",
            "forsyth",
        ],
        sides: ["blanc", "noir", "neutre"],
        kinds: [
            "royale",
            "kamikaze",
            "paralysante",
            "cameleon",
            "jigger",
            "volage",
            "fonctionnaire",
            "demineutre",
            "couleurechangeantsautoir",
            "protee",
            "magique",
            "imprenable",
            "patrouille",
            "frischauf",
        ],
        column: 2,
    },
];

impl Table {
    /// How a keyword is spelled out.
    pub(super) fn spelling(&self, keyword: Keyword) -> &'static str {
        let at = Keyword::ALL.iter().position(|&other| other == keyword);
        at.map_or("", |at| self.keywords[at])
    }

    /// The keyword that a word is or, cut to at least so many letters, stands for
    /// alone.
    pub(super) fn keyword(&self, word: &str, least: usize) -> Option<Keyword> {
        unique(&self.keywords, word, least).map(|at| Keyword::ALL[at])
    }

    /// The side that a word names, cut or not.
    pub(super) fn side(&self, word: &str) -> Option<Side> {
        let at = unique(&self.sides, word, 2)?;
        Some([Side::White, Side::Black, Side::Neutral][at])
    }

    /// What a word makes of a man, in English.
    pub(super) fn kind(&self, word: &str) -> Option<&'static str> {
        unique(&self.kinds, word, 3).map(|at| TABLES[0].kinds[at])
    }

    /// The English name of a man of this language.
    pub(super) fn english(&self, name: &str) -> String {
        names::english(name, self.column)
    }
}

/// The one word of a list that this is or, cut, can be.
fn unique(list: &[&str], word: &str, least: usize) -> Option<usize> {
    if word.len() < least || !word.is_ascii() {
        return None;
    }
    if let Some(at) = list
        .iter()
        .position(|whole| whole.eq_ignore_ascii_case(word))
    {
        return Some(at);
    }
    let mut fits = (0..list.len()).filter(|&at| begins_with(list[at], word));
    let first = fits.next()?;
    fits.next().is_none().then_some(first)
}
