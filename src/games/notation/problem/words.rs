//! Stipulations in words: "Mate in 3", "Ματ σε 3 κινήσεις", "White to play and win".
//!
//! One row a language. Words are compared letter by letter in lower case, without
//! Greek accents. Other words in between do not matter, so that word order and
//! little words need no table.

use super::stipulation::{Aim, Goal, Play, Stipulation};
use crate::games::notation::letters::{Language, fold};

/// The words of one language.
struct Row {
    code: &'static str,
    mate: &'static [&'static str],
    stalemate: &'static [&'static str],
    win: &'static [&'static str],
    draw: &'static [&'static str],
    /// Words, alone or beside that for mate, that make it help play.
    help: &'static [&'static str],
    /// … self play.
    against: &'static [&'static str],
    /// Words for a move, which tell the language.
    moves: &'static [&'static str],
    /// Black, where it is said who moves.
    black: &'static [&'static str],
    /// Numbers from two on.
    numbers: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        code: "en",
        mate: &["mate", "mates", "checkmate"],
        stalemate: &["stalemate"],
        win: &["win", "wins"],
        draw: &["draw", "draws"],
        help: &["helpmate", "help"],
        against: &["selfmate", "self"],
        moves: &["move", "moves", "in"],
        black: &["black"],
        numbers: &["two", "three", "four", "five", "six", "seven", "eight"],
    },
    Row {
        code: "de",
        mate: &["matt"],
        stalemate: &["patt"],
        win: &["gewinn", "gewinnt"],
        draw: &["remis"],
        help: &["hilfsmatt"],
        against: &["selbstmatt"],
        moves: &["zug", "züge", "zügen", "in"],
        black: &["schwarz"],
        numbers: &["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"],
    },
    Row {
        code: "fr",
        mate: &["mat"],
        stalemate: &["pat"],
        win: &["gain", "gagne", "gagnent"],
        draw: &["nulle"],
        help: &["aidé", "aide"],
        against: &["inverse"],
        moves: &["coup", "coups", "en"],
        black: &["noirs"],
        numbers: &["deux", "trois", "quatre", "cinq", "six", "sept", "huit"],
    },
    Row {
        code: "nl",
        mate: &["mat"],
        stalemate: &["pat"],
        win: &["wint", "winst"],
        draw: &["remise"],
        help: &["hulpmat"],
        against: &["zelfmat"],
        moves: &["zet", "zetten", "in"],
        black: &["zwart"],
        numbers: &["twee", "drie", "vier", "vijf", "zes", "zeven", "acht"],
    },
    Row {
        code: "it",
        mate: &["matto", "scaccomatto"],
        stalemate: &["stallo"],
        win: &["vince", "vincono"],
        draw: &["patta", "pattano"],
        help: &["aiutomatto"],
        against: &["automatto"],
        moves: &["mossa", "mosse", "in"],
        black: &["nero"],
        numbers: &["due", "tre", "quattro", "cinque", "sei", "sette", "otto"],
    },
    Row {
        code: "es",
        mate: &["mate"],
        stalemate: &["ahogado"],
        win: &["gana", "ganan"],
        draw: &["tablas"],
        help: &["ayudado"],
        against: &["inverso"],
        moves: &["jugada", "jugadas", "movimientos", "en"],
        black: &["negras"],
        numbers: &["dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho"],
    },
    Row {
        code: "pt",
        mate: &["mate"],
        stalemate: &["afogamento"],
        win: &["ganham", "vencem"],
        draw: &["empate", "empatam"],
        help: &["ajudado"],
        against: &["inverso"],
        moves: &["lance", "lances", "em"],
        black: &["pretas"],
        numbers: &["dois", "três", "quatro", "cinco", "seis", "sete", "oito"],
    },
    Row {
        code: "ru",
        mate: &["мат"],
        stalemate: &["пат"],
        win: &["выигрыш", "выигрывают"],
        draw: &["ничья"],
        help: &["кооперативный", "коопмат"],
        against: &["обратный"],
        moves: &["ход", "хода", "ходов", "в"],
        black: &["черные", "чёрные"],
        numbers: &["два", "три", "четыре", "пять", "шесть", "семь", "восемь"],
    },
    Row {
        code: "el",
        mate: &["ματ"],
        stalemate: &["πατ"],
        win: &["νικη", "κερδιζουν", "κερδιζει"],
        draw: &["ισοπαλια"],
        help: &["βοηθητικο"],
        against: &["αντιστροφο"],
        moves: &["κινηση", "κινησεις", "σε"],
        black: &["μαυρα"],
        numbers: &["δυο", "τρεις", "τεσσερις", "πεντε", "εξι", "επτα", "οκτω"],
    },
    Row {
        code: "pl",
        mate: &["mat"],
        stalemate: &["pat"],
        win: &["wygrana", "wygrywają"],
        draw: &["remis"],
        help: &["pomocniczy"],
        against: &["samomat"],
        moves: &["posunięciach", "posunięcia", "ruchach", "w"],
        black: &["czarne"],
        numbers: &["dwóch", "trzech", "czterech", "pięciu", "sześciu"],
    },
    Row {
        code: "cs",
        mate: &["mat"],
        stalemate: &["pat"],
        win: &["výhra", "vyhraje"],
        draw: &["remíza", "remis"],
        help: &["pomocný"],
        against: &["samomat"],
        moves: &["tahem", "tahy", "tah"],
        black: &["černý"],
        numbers: &["dvěma", "třemi", "čtyřmi"],
    },
    Row {
        code: "hu",
        mate: &["matt"],
        stalemate: &["patt"],
        win: &["nyer"],
        draw: &["döntetlen"],
        help: &["segítőmatt"],
        against: &["önmatt"],
        moves: &["lépésben", "lépés"],
        black: &["sötét"],
        numbers: &["két", "három", "négy", "öt", "hat"],
    },
    Row {
        code: "sv",
        mate: &["matt"],
        stalemate: &["patt"],
        win: &["vinst", "vinner"],
        draw: &["remi"],
        help: &["hjälpmatt"],
        against: &["självmatt"],
        moves: &["drag", "i"],
        black: &["svart"],
        numbers: &["två", "tre", "fyra", "fem", "sex", "sju", "åtta"],
    },
];

/// Longer texts are no stipulations, whatever words they hold.
const WORDS_MAX: usize = 12;

/// Reads a stipulation in words, and the language if one alone has them.
pub(super) fn read(text: &str) -> Option<(Stipulation, Option<&'static Language>)> {
    let folded = fold(text).to_lowercase();
    let words: Vec<&str> = folded
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '!' | '(' | ')'))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() || words.len() > WORDS_MAX {
        return None;
    }
    let mut best: Option<(usize, Stipulation, Option<&'static str>)> = None;
    for row in ROWS {
        let Some(stipulation) = row.read(&words) else {
            continue;
        };
        let known = words.iter().filter(|word| row.knows(word)).count();
        match &mut best {
            Some((most, _, code)) if *most == known => *code = None,
            Some((most, ..)) if *most > known => {}
            _ => best = Some((known, stipulation, Some(row.code))),
        }
    }
    let (_, stipulation, code) = best?;
    Some((stipulation, code.and_then(Language::by_code)))
}

impl Row {
    fn read(&self, words: &[&str]) -> Option<Stipulation> {
        let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let black_begins = has(self.black);
        let help = has(self.help);
        let against = has(self.against);
        let aim = if has(self.mate) || help || against {
            Some(Aim::Mate)
        } else if has(self.stalemate) {
            Some(Aim::Stalemate)
        } else {
            None
        };
        if let Some(aim) = aim
            && let Some(moves) = words.iter().find_map(|word| self.number(word))
        {
            let play = match (help, against) {
                (true, _) => Play::Help,
                (_, true) => Play::SelfPlay,
                _ => Play::Direct,
            };
            let mut found = Stipulation::new(play, Goal::Aim(aim), Some(moves));
            found.black_begins = black_begins && play == Play::Direct;
            return Some(found);
        }
        let goal = if has(self.win) {
            Goal::Win
        } else if has(self.draw) {
            Goal::Draw
        } else {
            return None;
        };
        // "Black to play, White wins" is said as well; who moves comes first.
        let black_begins = black_begins && self.black.contains(&words[0]) && words.len() > 2;
        let mut found = Stipulation::new(Play::Study, goal, None);
        found.black_begins = black_begins;
        Some(found)
    }

    /// A number of moves, in half-moves.
    fn number(&self, word: &str) -> Option<u16> {
        if let Some(at) = self.numbers.iter().position(|&number| number == word) {
            return Some((at as u16 + 2) * 2);
        }
        let (whole, half) = match word.split_once(['.', ',']) {
            Some((whole, "5")) => (whole, 1),
            Some((whole, "0")) => (whole, 0),
            Some(_) => return None,
            None => (word, 0),
        };
        let whole: u16 = whole.parse().ok().filter(|&n| n > 0 && n <= 1000)?;
        Some(whole * 2 + half)
    }

    fn knows(&self, word: &str) -> bool {
        [
            self.mate,
            self.stalemate,
            self.win,
            self.draw,
            self.help,
            self.against,
            self.moves,
            self.black,
            self.numbers,
        ]
        .iter()
        .any(|list| list.contains(&word))
    }
}
