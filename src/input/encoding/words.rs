//! How much a text is made of words: what distinguishes encodings whose bytes are all letters.

/// Letters that words of western Europe have often.
const USUAL: &str = "äöüßéèêëáíóúñçãõøåæàôðþ";

/// Words of one such letter.
const ALONE: &str = "àèéòóåöôæø";

/// Letters that stand at one byte in several encodings, so that only their neighbours distinguish
/// them: what nearly always stands before each of them, and what after; a blank is the end of
/// a word.
const NEIGHBOURS: [(char, &str, &str); 5] = [
    ('ß', "aeiouyäöü", " eltb"),
    ('ì', "dlrst", " "),
    ('ò', "bcdfglmnprstvz", " "),
    ('ñ', "aeiouáéíóú", "aeiouáéíóú"),
    (
        'á',
        "bcčdďfghjklmnňpqrřsštťvwxzž",
        "bcčdďfghjklmnňpqrřsštťvwxyzž",
    ),
];

/// What follows an apostrophe in English.
const CONTRACTED: [&[char]; 7] = [
    &['s'],
    &['t'],
    &['d'],
    &['m'],
    &['r', 'e'],
    &['v', 'e'],
    &['l', 'l'],
];

/// How usual a letter is between two others.
fn beside(before: char, letter: char, after: char) -> i64 {
    let row = NEIGHBOURS.iter().find(|(known, ..)| *known == letter);
    row.map_or(0, |(_, usual_before, usual_after)| {
        let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
        let is_usual = |usual: &str, c: char| {
            let c = if c.is_alphabetic() { lower(c) } else { ' ' };
            if usual.contains(c) { 1 } else { -1 }
        };
        is_usual(usual_before, before) + is_usual(usual_after, after)
    })
}

/// The alphabet of a letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordScript {
    Latin,
    Greek,
    Cyrillic,
}

/// The alphabet of what is a letter of words; letters that are signs have none.
fn script(c: char) -> Option<WordScript> {
    match c {
        'ª' | 'º' | 'µ' | 'ƒ' | 'ⁿ' | 'ˆ' | 'ˇ' => None,
        '\u{370}'..='\u{3ff}' => Some(WordScript::Greek),
        '\u{400}'..='\u{4ff}' => Some(WordScript::Cyrillic),
        _ => c.is_alphabetic().then_some(WordScript::Latin),
    }
}

/// How much a text is made of words, by its characters that are not ASCII: letters in a word are
/// of one alphabet, small after the first, and nothing but letters stands within it. What is
/// set around words, quotation marks and dashes, counts where it stands as it does in print.
pub(super) fn likeness(text: &str) -> i64 {
    let chars: Vec<char> = text.chars().collect();
    let mut likeness = 0;
    // Whether a quotation was opened on this line.
    let mut quoted = false;
    for (at, &c) in chars.iter().enumerate() {
        if c == '\n' || c == '\r' {
            quoted = false;
        }
        if c.is_ascii() {
            continue;
        }
        let before = at.checked_sub(1).map_or(' ', |at| chars[at]);
        let after = chars.get(at + 1).copied().unwrap_or(' ');
        likeness += match script(c) {
            Some(own) => letter(own, before, c, after),
            None => sign(&chars, at, before, after, &mut quoted),
        };
    }
    likeness
}

/// The share of a letter.
fn letter(own: WordScript, before: char, c: char, after: char) -> i64 {
    let other = |c: char| script(c).is_some_and(|script| script != own);
    let touches = script(before).is_some() || script(after).is_some();
    if other(before) || other(after) {
        // `Кf3` is a move.
        let is_piece =
            c.is_uppercase() && !before.is_alphanumeric() && ('a'..='h').contains(&after);
        return if is_piece { 0 } else { -3 };
    }
    if !touches {
        return i64::from(ALONE.contains(c));
    }
    if c.is_lowercase() {
        // Accents in the West stand between plain letters.
        let crowded = own == WordScript::Latin && !before.is_ascii() && script(before).is_some();
        return 2 + i64::from(USUAL.contains(c)) + beside(before, c, after)
            - 2 * i64::from(crowded)
            - 3 * i64::from(after.is_uppercase());
    }
    if c.is_uppercase() && before.is_lowercase() {
        return -3;
    }
    let begins = !before.is_alphabetic() && after.is_lowercase();
    let is_usual = c.to_lowercase().any(|small| USUAL.contains(small));
    i64::from(c.is_uppercase() && after.is_alphabetic())
        * (1 + i64::from(begins) + i64::from(begins && is_usual))
}

/// The share of what is no letter.
fn sign(chars: &[char], at: usize, before: char, after: char, quoted: &mut bool) -> i64 {
    let c = chars[at];
    let is_wordlike = |c: char| script(c).is_some() || (!c.is_ascii() && !is_mark(c));
    let (left, right) = (script(before).is_some(), script(after).is_some());
    match c {
        _ if c.is_control() => -3,
        '’' if left && right => apostrophe(chars, at),
        // Between complete words; an accented letter rarely leaves two.
        '–' | '—' | '\u{a0}' if left && right => {
            match letters_before(chars, at).min(letters_behind(chars, at)) {
                0 | 1 => -1,
                // `Smith–Jones`, but `Espa–a`.
                _ if c == '–' && after.is_lowercase() => 1,
                _ => 3,
            }
        }
        '–' | '—' => i64::from(before == ' ' && after == ' '),
        '…' if left && !right => 3,
        '…' => 0,
        _ if is_mark(c) => {
            let opens = !before.is_alphanumeric() && after.is_alphanumeric();
            let closes = !after.is_alphanumeric() && !before.is_whitespace();
            if opens && c != '”' && c != '’' {
                *quoted = true;
                return 0;
            }
            // As much as two letters, which they would be elsewhere.
            if closes && *quoted && c != '„' && c != '‚' {
                *quoted = false;
                return 6;
            }
            if left && (right || matches!(c, '„' | '‚')) {
                -3
            } else {
                0
            }
        }
        // Frames and signs of mathematics touch no word.
        '\u{2500}'..='\u{259f}'
        | '∩'
        | '≡'
        | '≥'
        | '≤'
        | '⌠'
        | '⌡'
        | '≈'
        | '∙'
        | '√'
        | '∞'
        | '∂'
        | '∑'
        | '∏'
        | '∫'
        | '◊'
        | '≠'
        | '∆'
        | 'µ'
        | 'ƒ'
        | 'ⁿ'
            if left || right =>
        {
            -3
        }
        '\u{a0}' => 0,
        _ if is_wordlike(before) && is_wordlike(after) => -3,
        _ => 0,
    }
}

/// Marks of punctuation.
const fn is_mark(c: char) -> bool {
    matches!(
        c,
        '“' | '”'
            | '„'
            | '‚'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '–'
            | '—'
            | '…'
            | '\u{a0}'
            | '¿'
            | '¡'
    )
}

/// The share of an apostrophe between letters: `White’s`, `l’attaque`, `O’Kelly`.
fn apostrophe(chars: &[char], at: usize) -> i64 {
    let behind = letters_behind(chars, at);
    let rest = &chars[at + 1..][..behind];
    let is_contracted = CONTRACTED.contains(&rest);
    let begins = at - letters_before(chars, at);
    let first = &chars[begins..at];
    let is_elided = match first {
        ['q' | 'Q', 'u'] => behind > 1,
        [c] if c.is_uppercase() && rest[0].is_uppercase() => true,
        [c] if "cdjlmnst".contains(c.to_ascii_lowercase()) => {
            behind > 2 && (!rest[0].is_ascii() || "aeiouyhAEIOUYH".contains(rest[0]))
        }
        _ => false,
    };
    if is_contracted || is_elided { 5 } else { -1 }
}

/// How many letters stand right before a place.
fn letters_before(chars: &[char], at: usize) -> usize {
    let letters = chars[..at].iter().rev();
    letters.take_while(|c| script(**c).is_some()).count()
}

/// How many letters follow a character.
fn letters_behind(chars: &[char], at: usize) -> usize {
    let letters = chars[at + 1..].iter();
    letters.take_while(|c| script(**c).is_some()).count()
}
