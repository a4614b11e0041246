//! Which language the moves of a whole text are in.
//!
//! Most games hold a word or two that several languages can have written; a
//! whole file seldom does. Letters are counted over all words first, without a
//! board; where languages remain that explain them equally well, the moves are
//! played and the language wins in which they go furthest.

use shakmaty::{Chess, Role};

use super::{LANGUAGES, Language, figurine, fold::upper};
use crate::notation::lenient_move::{self, Ply};

/// Words of a piece and a square that are needed to say anything.
const WORDS_MIN: usize = 2;

/// How many of a hundred words a language must explain to be taken.
const PERCENT_MIN: usize = 90;

/// What was counted of the words of a text.
#[derive(Debug, Clone, Default)]
struct Counts {
    /// Words that begin with a letter for a piece.
    words: usize,
    /// How many of them each language of the table explains.
    explained: Vec<usize>,
}

/// The language of the words of a whole text, by the letters that pieces have in
/// it. `None` where too few words have one, or no language explains nearly all.
/// Of languages that explain the same, the likeliest is taken, and English before
/// all others.
pub fn detect_language<'w>(words: impl IntoIterator<Item = &'w str>) -> Option<&'static Language> {
    best(&count(words)).first().copied()
}

/// [`detect_language`], where several languages are as good: the one in which the
/// words, played from this position, go furthest. The words must be those of one
/// game's main line, at least in the beginning.
pub fn detect_language_by_play(position: &Chess, words: &[&str]) -> Option<&'static Language> {
    let languages = best(&count(words.iter().copied()));
    let mut winner: Option<(&'static Language, usize)> = None;
    for language in languages {
        let far = plies(position, words, language);
        if winner.is_none_or(|(_, most)| far > most) {
            winner = Some((language, far));
        }
    }
    winner.map(|(language, _)| language)
}

fn count<'w>(words: impl IntoIterator<Item = &'w str>) -> Counts {
    let mut counts = Counts {
        words: 0,
        explained: vec![0; LANGUAGES.len()],
    };
    for word in words {
        let Some(piece) = piece_letters(word) else {
            continue;
        };
        counts.words += 1;
        for (language, explained) in LANGUAGES.iter().zip(&mut counts.explained) {
            let whole = language.piece_at_start(&piece);
            // Hardly anybody writes the letter of the pawn in movetext.
            let read =
                whole.is_some_and(|(role, length)| length == piece.len() && role != Role::Pawn);
            *explained += usize::from(read && language.in_movetext());
        }
    }
    counts
}

/// The languages that explain the most words, the likeliest first.
fn best(counts: &Counts) -> Vec<&'static Language> {
    let most = counts.explained.iter().copied().max().unwrap_or(0);
    if counts.words < WORDS_MIN || most * 100 < counts.words * PERCENT_MIN {
        return Vec::new();
    }
    let explained = LANGUAGES.iter().zip(&counts.explained);
    let mut languages: Vec<&'static Language> = Vec::new();
    for (language, &number) in explained {
        // Languages with the same letters are one language here.
        if number == most
            && languages
                .iter()
                .all(|other| other.letters[..5] != language.letters[..5])
        {
            languages.push(language);
        }
    }
    languages
}

/// The letters before the squares of a word that reads as a piece's move: a few
/// capitals, or a capital and a small one, then a file or rank, a sign of capture
/// or another square.
fn piece_letters(word: &str) -> Option<Vec<char>> {
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '…');
    let chars: Vec<char> = word.chars().take(12).collect();
    let rank = chars.iter().position(|c| matches!(c, '1'..='8'))?;
    let first = *chars.first()?;
    // `exd5` and `bxc3` are pawns, whatever language they are in.
    if !first.is_alphabetic() || upper(first) != first || figurine(first).is_some() {
        return None;
    }
    // What stands before the last file letter, a capture sign or a second file.
    let body = &chars[..rank];
    let is_square = |c: char| {
        matches!(
            c,
            'a'..='h' | 'α'..='θ' | 'а' | 'с' | 'е' | 'x' | ':' | '×' | 'х' | 'χ' | '-'
        )
    };
    let end = body
        .iter()
        .skip(1)
        .position(|&c| is_square(c))
        .map_or(rank, |at| at + 1);
    (end < chars.len() && end <= 2).then(|| chars[..end].to_vec())
}

/// How many plies of the words can be played in a language.
fn plies(position: &Chess, words: &[&str], language: &Language) -> usize {
    let (mut position, mut played) = (position.clone(), 0);
    for word in words {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '…');
        if word.is_empty() {
            continue;
        }
        let Ok(resolved) = lenient_move::resolve_in(&position, word, Some(language)) else {
            break;
        };
        for ply in resolved.plies {
            if let Ply::Move(m) = ply {
                shakmaty::Position::play_unchecked(&mut position, m);
                played += 1;
            }
        }
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&'static str> {
        detect_language(text.split_whitespace()).map(|language| language.code)
    }

    #[test]
    fn a_text_tells_its_language() {
        for (text, code) in [
            ("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6", Some("en")),
            ("1.e4 e5 2.Sf3 Sc6 3.Lb5 a6 4.La4 Sf6", Some("de")),
            ("1.e4 e5 2.Cf3 Cc6 3.Fb5 a6 4.Fa4 Cf6", Some("fr")),
            ("1.e4 e5 2.Cf3 Cc6 3.Ab5 a6 4.Aa4 Cf6", Some("es")),
            ("1.e4 e5 2.Кf3 Кc6 3.Сb5 a6 4.Сa4 Кf6 5.Крe2", Some("ru")),
            ("1.Ιδ4 Ρδ7 2.Ιβ5 Ρε7 3.Πζ7#", Some("el")),
            ("1.e4 e5 2.Pf3 Pc6 3.Lb5 a6 4.La4 Pf6", Some("nl")),
            ("1.e4 e5 2.Hf3 Hc6 3.Fb5 a6 4.Fa4 Hf6", Some("hu")),
            ("1.e4 e5 2.Jf3 Jc6 3.Sb5 a6 4.Sa4 Jf6", Some("cs")),
            ("1.e4 e5 2.Sxf3 Sc6 3.Gb5 a6 4.Ga4 Sf6", Some("pl")),
            ("1.e4 e5 exd5 bxc3", None),
            ("Xyz1 Qqq9", None),
        ] {
            assert_eq!(found(text), code, "{text}");
        }
    }

    #[test]
    fn play_decides_where_letters_do_not() {
        // R and K are men in English and in Finnish; the knight is R there.
        let words: Vec<&str> = "1. e4 e5 2. Rf3 Rc6 3. Rc3 Rf6"
            .split_whitespace()
            .collect();
        let found = detect_language_by_play(&Chess::default(), &words).map(|found| found.code);
        assert_eq!(found, Some("fi"));
    }
}
