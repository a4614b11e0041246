//! What the name of a file says of its records.

use std::path::Path;

use crate::variant::Variant;

/// The variant whose name, in one of its spellings, is a word of the file's name
/// (`atomic.epd`, `3check-p4-f12.epd`); `None` if there is none, or several.
pub(super) fn variant_of(path: &Path) -> Option<&'static Variant> {
    let name = path.file_name()?.to_string_lossy();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let mut found: Option<&'static Variant> = None;
    // `king-of-the-hill` has four words; of names within each other the longest
    // one is meant.
    let mut at = 0;
    while at < words.len() {
        let named = (1..=WORDS_MAX.min(words.len() - at)).rev().find_map(|len| {
            let spelled = words[at..at + len].concat();
            let variant = Variant::named(&spelled).filter(|_| is_name(&spelled))?;
            Some((len, variant))
        });
        match named {
            Some((_, variant)) if found.is_some_and(|known| known.id != variant.id) => return None,
            Some((len, variant)) => {
                found = Some(variant);
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

/// Words of the longest name.
const WORDS_MAX: usize = 4;

/// Numbers name variants elsewhere, and two letters say too little.
fn is_name(spelled: &str) -> bool {
    spelled.len() > 2 && spelled.bytes().any(|b| b.is_ascii_alphabetic())
}
