//! The words of languages for the two sides, and what each says of the one that is to move.

/// The words of a language for the sides, and what it says of the one that is to move, which
/// `*` stands for.
pub(super) struct SideVocabulary {
    pub(super) white: &'static [&'static str],
    pub(super) black: &'static [&'static str],
    pub(super) phrases: &'static [&'static str],
}

pub(super) const LANGUAGES: &[SideVocabulary] = &[
    // English; in xiangqi White is red.
    SideVocabulary {
        white: &["white", "red"],
        black: &["black"],
        phrases: &[
            "* to move",
            "* to play",
            "* is to move",
            "* is to play",
            "* on move",
            "* moves next",
            "* s turn",
            "to move : *",
            "to play : *",
            "turn : *",
        ],
    },
    // German.
    SideVocabulary {
        white: &["weiß", "weiss", "weißer", "weisser"],
        black: &["schwarz", "schwarzer"],
        phrases: &[
            "* am zug",
            "* ist am zug",
            "* am zuge",
            "* zieht",
            "* beginnt",
            "am zug : *",
            "am zug ist *",
        ],
    },
    // French.
    SideVocabulary {
        white: &["blancs", "blanc"],
        black: &["noirs", "noir"],
        phrases: &[
            "aux * de jouer",
            "aux * à jouer",
            "trait aux *",
            "les * jouent",
            "les * ont le trait",
            "trait : *",
        ],
    },
    // Spanish and Catalan.
    SideVocabulary {
        white: &["blancas", "blanco", "blanques"],
        black: &["negras", "negro", "negres"],
        phrases: &[
            "juegan *",
            "juegan las *",
            "mueven *",
            "mueven las *",
            "* juegan",
            "turno de *",
            "turno de las *",
            "turno : *",
            "juguen *",
            "juguen les *",
        ],
    },
    // Portuguese.
    SideVocabulary {
        white: &["brancas", "branco"],
        black: &["pretas", "negras", "preto"],
        phrases: &["jogam as *", "jogam *", "* jogam", "lance das *"],
    },
    // Italian.
    SideVocabulary {
        white: &["bianco", "bianchi"],
        black: &["nero", "neri"],
        phrases: &[
            "muove il *",
            "il * muove",
            "tocca al *",
            "mossa al *",
            "tratto al *",
        ],
    },
    // Dutch.
    SideVocabulary {
        white: &["wit"],
        black: &["zwart"],
        phrases: &["* aan zet", "* is aan zet", "* begint", "aan zet : *"],
    },
    // Russian.
    SideVocabulary {
        white: &["белые", "белых", "белый"],
        black: &["чёрные", "черные", "чёрных", "черных", "чёрный", "черный"],
        phrases: &["ход *", "* начинают", "* ходят", "ходят *", "начинают *"],
    },
    // Ukrainian.
    SideVocabulary {
        white: &["білі", "білих"],
        black: &["чорні", "чорних"],
        phrases: &["хід *", "* починають", "* ходять", "ходять *"],
    },
    // Bulgarian.
    SideVocabulary {
        white: &["белите"],
        black: &["черните"],
        phrases: &["* са на ход", "на ход са *", "ход на *"],
    },
    // Polish.
    SideVocabulary {
        white: &["białe", "białych"],
        black: &["czarne", "czarnych"],
        phrases: &["ruch *", "posunięcie *", "* zaczynają", "* na posunięciu"],
    },
    // Czech and Slovak.
    SideVocabulary {
        white: &["bílý", "biely"],
        black: &["černý", "čierny"],
        phrases: &["* na tahu", "* na ťahu", "na tahu *"],
    },
    // Serbian, Croatian, Slovene.
    SideVocabulary {
        white: &["bijeli", "beli"],
        black: &["crni", "črni"],
        phrases: &["* na potezu", "* je na potezu", "* na potezi"],
    },
    // Swedish, Danish, Norwegian, Icelandic.
    SideVocabulary {
        white: &["vit", "hvid", "hvit", "hvítur"],
        black: &["svart", "sort", "svartur"],
        phrases: &["* vid draget", "* i trækket", "* i trekket", "* á leik"],
    },
    // Finnish.
    SideVocabulary {
        white: &["valkea", "valkoinen"],
        black: &["musta"],
        phrases: &["* siirtovuorossa", "* siirtää", "* aloittaa"],
    },
    // Hungarian.
    SideVocabulary {
        white: &["világos"],
        black: &["sötét"],
        phrases: &["* lép", "* indul", "* jön"],
    },
    // Romanian.
    SideVocabulary {
        white: &["alb", "albul"],
        black: &["negru", "negrul"],
        phrases: &["* la mutare", "* mută"],
    },
    // Greek.
    SideVocabulary {
        white: &["λευκά", "λευκών"],
        black: &["μαύρα", "μαύρων"],
        phrases: &["παίζουν τα *", "παίζουν *", "* παίζουν", "σειρά των *"],
    },
    // Turkish.
    SideVocabulary {
        white: &["beyaz", "beyazda"],
        black: &["siyah", "siyahta"],
        phrases: &["sıra *", "* oynar"],
    },
];

/// Letters that mean a side in some language and nothing else in any, where a value is about
/// who moves: the first letters of the words above. `b` is not among them.
pub(super) const LETTERS: [(&str, &str); 12] = [
    ("w", "w"),
    ("r", "w"),
    ("s", "b"),
    ("z", "b"),
    ("n", "b"),
    ("p", "b"),
    ("c", "b"),
    ("č", "b"),
    ("h", "w"),
    ("v", "w"),
    ("б", "w"),
    ("ч", "b"),
];

/// Those of languages whose `b` is White.
pub(super) const BESIDE_WHITE: [&str; 4] = ["n", "p", "c", "č"];

/// Names of values that say who moves, without blanks and signs.
pub(super) const KEYS: &[&str] = &[
    "side",
    "sidetomove",
    "sidetoplay",
    "stm",
    "turn",
    "tomove",
    "toplay",
    "nexttomove",
    "whoseturn",
    "whosemove",
    "whomoves",
    "color",
    "colour",
    "colortomove",
    "colourtomove",
    "active",
    "activeside",
    "activeplayer",
    "activecolor",
    "activecolour",
    "player",
    "playertomove",
    "mover",
    "amzug",
    "zug",
    "anzug",
    "zugrecht",
    "seite",
    "farbe",
    "zet",
    "aanzet",
    "kleur",
    "ход",
    "хід",
    "очередьхода",
    "drag",
    "färg",
];

/// The same in languages whose `b` can be White.
pub(super) const KEYS_OF_WHITE_B: &[&str] = &[
    "trait", "couleur", "turno", "tratto", "colore", "bando", "vez", "lance", "ruch", "kolor",
    "tah", "natahu", "barva",
];
