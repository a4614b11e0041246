//! What words mean that are no query as they stand: names, years, results, openings.

use super::{GameCondition, NameField, Ranges, pattern::Expr, read, suggest, words};
use crate::{
    base::record::Outcome,
    games::opening_names::{self, OpeningQuery},
};

/// Years that a number is taken for.
const YEARS: std::ops::Range<u32> = 1400..2200;

/// The query that free words stand for, if they are such: years, results and ECO codes among
/// names (`fischer 1972`), the name of an opening (`najdorf`), a name with a comma
/// (`Carlsen, Magnus`), or names alone. Each word of names is a condition of its own: it is unknown
/// whether they are one player's or those of two, and both are found so. One word that names an
/// opening and can be a player's is either.
pub fn read(text: &str) -> Option<Expr> {
    let text = text.trim();
    let (mut facts, mut names) = (Vec::new(), Vec::new());
    let typed: Vec<&str> = text.split_whitespace().collect();
    if is_opening(text) {
        let opening = GameCondition::Opening(vec![text.to_owned()]);
        let either = [opening, player(text)].map(|condition| Expr::Game(condition, 0..0));
        return Some(match typed.len() {
            1 => Expr::Or(either.to_vec()),
            _ => either[0].clone(),
        });
    }
    for &word in &typed {
        match fact(word, typed.len()) {
            Some(fact) => facts.push(fact),
            None if is_name(word) => names.push(word),
            None => return None,
        }
    }
    // A word that is nearly one of the language, or of an opening, is rather that.
    let is_misspelt = |word: &&str| suggest::nearest(word, words::KEYWORDS).is_some();
    let is_nearly_opening = || opening_names::nearest(text).is_some();
    if facts.is_empty()
        && (names.iter().any(is_misspelt) || names.len() == 1 && is_nearly_opening())
    {
        return None;
    }
    // A comma stands within one name.
    if names.iter().any(|name| name.ends_with(',')) {
        facts.insert(0, player(&names.join(" ")));
    } else {
        facts.splice(0..0, names.into_iter().map(player));
    }
    let mut all: Vec<Expr> = facts
        .into_iter()
        .map(|condition| Expr::Game(condition, 0..0))
        .collect();
    match all.len() {
        0 => None,
        1 => all.pop(),
        _ => Some(Expr::And(all)),
    }
}

fn player(name: &str) -> GameCondition {
    GameCondition::Name(NameField::Player, name.to_owned())
}

/// A word that is no name, but says something of a game; `words` stand beside each other.
fn fact(word: &str, words: usize) -> Option<GameCondition> {
    let lower = word.to_lowercase();
    Some(match lower.as_str() {
        "1-0" => GameCondition::Result(vec![Outcome::First]),
        "0-1" => GameCondition::Result(vec![Outcome::Second]),
        "1/2-1/2" | "draw" | "drawn" => GameCondition::Result(vec![Outcome::Draw]),
        _ if word.len() == 4 && word.parse().is_ok_and(|year| YEARS.contains(&year)) => {
            GameCondition::Date(read::dates(word).ok()?)
        }
        _ if words > 1 && read::is_eco(word) => GameCondition::Eco(codes(word)?),
        _ => return None,
    })
}

fn codes(word: &str) -> Option<Ranges<u16>> {
    read::codes(word).ok()
}

/// Whether a word can be a part of a name.
fn is_name(word: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '.' | ',');
    word.chars().all(is_letter) && word.chars().filter(|c| c.is_alphabetic()).count() > 1
}

/// Whether a text is nothing but words that the name of an opening has.
pub fn is_opening(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-');
    let asked = OpeningQuery {
        codes: Vec::new(),
        texts: vec![text.to_owned()],
    };
    text.chars().all(is_letter) && text.trim().chars().count() > 2 && !asked.openings().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_words_have_their_meaning() {
        for (text, meant) in [
            ("Fischer 1972", "player:Fischer and date:1972"),
            ("Carlsen, Magnus", "player:\"Carlsen, Magnus\""),
            (
                "Carlsen, Magnus 2013 1-0",
                "player:\"Carlsen, Magnus\" and date:2013 and result:1-0",
            ),
            ("najdorf", "opening:najdorf or player:najdorf"),
            ("king's indian", "opening:\"king's indian\""),
            (
                "kasparov karpov draw",
                "player:kasparov and player:karpov and result:1/2-1/2",
            ),
            ("1-0", "result:1-0"),
            ("tal B90", "player:tal and eco:B90"),
            ("1972", "date:1972"),
        ] {
            let found = read(text).expect(text);
            assert_eq!(found.to_string(), meant, "{text}");
        }
        for text in [
            "stalmate", "Pd4", "e4 c5", "a", "12", "x=2", "capure", "Sicilan",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
