//! Sentences around positions in running text.

/// Bytes of a sentence that are kept on either side of a position.
pub(super) const SENTENCE_BYTES_MAX: usize = 400;

/// Where the last sentence of a text begins, the text up to its end.
pub(super) fn last_sentence(text: &str) -> &str {
    sentence_before(text).0
}

/// The text up to the end of its first sentence.
pub(super) fn first_sentence(text: &str) -> &str {
    sentence_behind(text).0
}

/// The last sentence of a text, and whether that is too long, so that it begins at a word within
/// it.
pub(super) fn sentence_before(text: &str) -> (&str, bool) {
    let from = text.ceil_char_boundary(text.len().saturating_sub(SENTENCE_BYTES_MAX));
    let (before, near) = text.split_at(from);
    let mut ended = sentence_ends(near).filter(|&end| !near[end..].trim().is_empty());
    if let Some(end) = ended.by_ref().last() {
        return (near[end..].trim(), false);
    }
    let said = before.trim_end();
    let last = &said[said.ceil_char_boundary(said.len().saturating_sub(8))..];
    if said.is_empty() || sentence_ends(last).any(|end| end == last.len()) {
        return (near.trim(), false);
    }
    // A word that is longer than all of it is cut all the same.
    let is_between = before.ends_with(char::is_whitespace);
    let word = near.find(char::is_whitespace).filter(|_| !is_between);
    let whole = word.map_or(near, |at| &near[at..]).trim();
    (if whole.is_empty() { near.trim() } else { whole }, true)
}

/// The first sentence of a text, and whether that is too long, so that it ends after a word within
/// it.
pub(super) fn sentence_behind(text: &str) -> (&str, bool) {
    let (near, rest) = text.split_at(text.floor_char_boundary(SENTENCE_BYTES_MAX));
    if let Some(end) = sentence_ends(near).next() {
        return (near[..end].trim(), false);
    }
    if rest.trim().is_empty() {
        return (near.trim(), false);
    }
    let is_between = rest.starts_with(char::is_whitespace);
    let word = near.rfind(char::is_whitespace).filter(|_| !is_between);
    let whole = word.map_or(near, |at| &near[..at]).trim();
    (if whole.is_empty() { near.trim() } else { whole }, true)
}

/// Where sentences of a text end: a number with a point after it, and a move with a mark,
/// ends none.
pub(super) fn sentence_ends(text: &str) -> impl Iterator<Item = usize> {
    let ends = |&(at, _): &(usize, &str)| {
        let is_word = text[..at].ends_with(|c: char| c.is_alphabetic() || matches!(c, ')' | '"'));
        is_word
            && text[at + 1..]
                .chars()
                .next()
                .is_none_or(char::is_whitespace)
    };
    let marks = text.match_indices(['.', '!', '?']);
    marks.filter(ends).map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_cut_between_words() {
        let words = |from: usize| {
            let words = (from..from + 60).map(|number| format!("word{number:03}"));
            words.collect::<Vec<_>>().join(" ")
        };
        // 50 words with a blank after each are 400 bytes, one letter more cuts a word.
        let long = format!("{} x ", words(100));
        let (found, is_cut) = sentence_before(&long);
        assert!(
            is_cut && found.starts_with("word111 ") && found.ends_with(" x"),
            "{found}"
        );
        let (found, is_cut) = sentence_behind(&long);
        assert!(
            is_cut && found.starts_with("word100 ") && found.ends_with(" word149"),
            "{found}"
        );
        let (found, is_cut) = sentence_behind(&long[3..]);
        assert!(is_cut && found.ends_with(" word149"), "{found}");
        for text in [
            format!("Long ago. {}", &words(0)[..390]),
            words(0)[..400].to_owned(),
            "So he won.".to_owned(),
            String::new(),
        ] {
            assert!(!sentence_before(&text).1, "{text}");
        }
        assert_eq!(
            sentence_behind(&format!("and so on. {long}")),
            ("and so on.", false)
        );
        // A word that is longer than all of it.
        let word = "y".repeat(500);
        assert_eq!(sentence_before(&word), (&word[..400], true));
        assert_eq!(sentence_behind(&word), (&word[..400], true));
    }
}
