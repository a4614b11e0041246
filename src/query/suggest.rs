//! Suggestions for mistyped words.

/// The one of some words that is nearest to one that was typed, if it is near enough.
pub fn nearest<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let typed = typed.to_lowercase();
    let near = words
        .into_iter()
        .map(|word| (strsim::osa_distance(&typed, word), word))
        .filter(|(distance, word)| *distance <= if word.len() > 4 { 2 } else { 1 });
    near.min().map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_near_are_suggested() {
        let words = ["frisian", "russian", "elo", "date"];
        for (typed, meant) in [
            ("frisien", Some("frisian")),
            ("Rusian", Some("russian")),
            ("eol", Some("elo")),
            ("dat", Some("date")),
            ("turkish", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, words), meant, "{typed}");
        }
    }
}
