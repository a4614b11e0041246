//! Queries with the piece letters of other languages, in those of English.

use super::{
    Area,
    lexer::{self, QueryToken},
    terms,
};
use crate::games::notation::letters::{ENGLISH, Language, ROLES};

/// A query with English letters instead of those of a language; what has no letters stays as it is,
/// and so does a text that is no query.
pub fn in_english(text: &str, language: &Language) -> String {
    let Ok(tokens) = lexer::tokens(text) else {
        return text.to_owned();
    };
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (token, span) in tokens {
        out.push_str(&text[end..span.start]);
        let word = &text[span.clone()];
        if token == QueryToken::Word {
            out.push_str(&word_in_english(word, language));
        } else {
            out.push_str(word);
        }
        end = span.end;
    }
    out.push_str(&text[end..]);
    out
}

fn word_in_english(word: &str, language: &Language) -> String {
    if terms::is_flag(word) || word.starts_with('@') {
        return word.to_owned();
    }
    let letters = |text: &str| in_letters(text, language);
    let Some((name, value)) = word.split_once(':') else {
        return pieces(word, language);
    };
    let value = match name.to_lowercase().as_str() {
        "moved" | "captured" | "promotes" => letters(&value.to_uppercase()),
        "last" if terms::is_of_last(value) => word_in_english(value, language),
        "last" if value.chars().count() <= 2 => letters(&value.to_uppercase()),
        "move" | "last" => language
            .to_english(value)
            .map_or_else(|| value.to_owned(), |read| read.as_str().to_owned()),
        "material" | "imbalance" => match value.strip_prefix("w:") {
            Some(value) => format!("w:{}", sides(value, language)),
            None => sides(value, language),
        },
        // `A` and `a` are any piece there, whatever they are elsewhere.
        "pattern" => {
            let parts = value.split_inclusive(['A', 'a']).map(|part| {
                let own = part.trim_end_matches(['A', 'a']);
                letters(own) + &part[own.len()..]
            });
            parts.collect()
        }
        "attacks" | "pins" | "only" => {
            let parts = value.split_inclusive([':', ',', '/', '=']);
            parts.map(|part| before_sign(part, language)).collect()
        }
        // `event:a` is a fact, whose name is no row of letters.
        _ => {
            let pieces = letters(name);
            // A row names no piece twice, as words do.
            let names_twice = name
                .chars()
                .enumerate()
                .any(|(at, c)| name.chars().take(at).any(|one| one == c));
            if !terms::is_row(&pieces) || names_twice {
                return word.to_owned();
            }
            return format!("{pieces}:{}", as_many(value, language));
        }
    };
    format!("{name}:{value}")
}

/// Pieces on squares: `Sf3`, `LS=3`, `T=t`.
fn pieces(word: &str, language: &Language) -> String {
    let (head, count) = match word.split_once('=') {
        Some((head, count)) => (head, Some(count)),
        None => (word, None),
    };
    let chars: Vec<char> = head.chars().collect();
    let (first, length) = letter(&chars, language);
    let rest: String = chars[length..].iter().collect();
    let are_squares = rest
        .split([',', '/'])
        .all(|part| part.is_empty() || Area::read(part).is_some());
    let head = if are_squares {
        first + &rest
    } else if count.is_some() {
        in_letters(head, language)
    } else {
        return word.to_owned();
    };
    match count {
        Some(count) => format!("{head}={}", in_letters(count, language)),
        None => head,
    }
}

/// A value with letters after its sign, as `d4=t`.
fn as_many(value: &str, language: &Language) -> String {
    match value.split_once('=') {
        Some((on, count)) => format!("{on}={}", in_letters(count, language)),
        None => value.to_owned(),
    }
}

/// Letters up to the sign that ends them; squares stay.
fn before_sign(part: &str, language: &Language) -> String {
    if part.contains(|c: char| c.is_ascii_digit() || c == '.') {
        part.to_owned()
    } else {
        in_letters(part, language)
    }
}

fn sides(value: &str, language: &Language) -> String {
    // The letter between the sides may be that of a piece; it is the small one.
    let sides = value.split('v').map(|side| in_letters(side, language));
    sides.collect::<Vec<_>>().join("v")
}

/// All letters of a text, one after the other.
fn in_letters(text: &str, language: &Language) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < chars.len() {
        let (read, length) = letter(&chars[at..], language);
        out.push_str(&read);
        at += length;
    }
    out
}

/// The letter that some characters begin with, in English and in its case, and how many
/// characters it takes; what is none stays.
fn letter(chars: &[char], language: &Language) -> (String, usize) {
    let Some(&first) = chars.first() else {
        return (String::new(), 0);
    };
    let capitals: Vec<char> = (chars.iter().take(2).enumerate())
        .map(|(at, c)| match at {
            0 => c.to_uppercase().next().unwrap_or(*c),
            _ => c.to_lowercase().next().unwrap_or(*c),
        })
        .collect();
    let Some((role, length)) = language.piece_at_start(&capitals) else {
        return (first.to_string(), 1);
    };
    let at = ROLES.iter().position(|own| *own == role).unwrap_or(0);
    let english = ENGLISH.letters[at];
    let read = if first.is_lowercase() {
        english.to_lowercase()
    } else {
        english.to_owned()
    };
    (read, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_language() {
        for (language, text, english) in [
            ("de", "Bd4 Bc/e=0 bd=0 D d", "Pd4 Pc/e=0 pd=0 Q q"),
            ("de", "LS=3 T=t S:e5/d5", "BN=3 R=r N:e5/d5"),
            ("de", "move:Sxf7+ kg8 last:L", "move:Nxf7+ kg8 last:B"),
            (
                "de",
                "last:captured:D last:move:Sf3 last:quiet",
                "last:captured:Q last:move:Nf3 last:quiet",
            ),
            ("de", "material:w:KTBvKT+", "material:w:KRPvKR+"),
            (
                "de",
                "moved:S captured:D promotes:S",
                "moved:N captured:Q promotes:N",
            ),
            (
                "de",
                "attacks:S:k,d=2.. pins:L:s:k",
                "attacks:N:k,q=2.. pins:B:n:k",
            ),
            (
                "de",
                "only:B:2/e4 player:Lasker tag.S:D",
                "only:P:2/e4 player:Lasker tag.S:D",
            ),
            (
                "de",
                "start:x matt:1 check and not ( ply:20 or _e4 xd5 )",
                "start:x matt:1 check and not ( ply:20 or _e4 xd5 )",
            ),
            ("fr", "Cf3 move:Dxd8 then R=1", "Nf3 move:Qxd8 then K=1"),
            ("ru", "Крe1 крg8 Кf3 move:Фd1", "Ke1 kg8 Nf3 move:Qd1"),
            (
                "de",
                "uci:b1d2 fen:\"8/8/8/8/8/8/8/8 w\"",
                "uci:b1d2 fen:\"8/8/8/8/8/8/8/8 w\"",
            ),
        ] {
            let language = Language::by_code(language).expect("a language");
            assert_eq!(in_english(text, language), english, "{text}");
        }
    }
}
