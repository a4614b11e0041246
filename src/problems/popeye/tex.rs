//! TeX's accents: `\"o`, `\'{e}`, `\v{s}`, `\ss`, and the `"u` of German texts.

/// Letters under accents: the accent, the letters, what comes out.
const ACCENTS: &[(char, &str, &str)] = &[
    ('"', "aeiouyAEIOUY", "äëïöüÿÄËÏÖÜŸ"),
    ('\'', "aeiouycnszlrAEIOUYCNSZLR", "áéíóúýćńśźĺŕÁÉÍÓÚÝĆŃŚŹĹŔ"),
    ('`', "aeiouAEIOU", "àèìòùÀÈÌÒÙ"),
    ('^', "aeioucghjsAEIOUCGHJS", "âêîôûĉĝĥĵŝÂÊÎÔÛĈĜĤĴŜ"),
    ('~', "anoiuANOIU", "ãñõĩũÃÑÕĨŨ"),
    ('=', "aeiouAEIOU", "āēīōūĀĒĪŌŪ"),
    ('.', "zegcZEGCI", "żėġċŻĖĠĊİ"),
    ('/', "oO", "øØ"),
    ('v', "cszrndteCSZRNDTE", "čšžřňďťěČŠŽŘŇĎŤĚ"),
    ('H', "ouOU", "őűŐŰ"),
    ('u', "agiAGI", "ăğĭĂĞĬ"),
    ('c', "cstCST", "çşţÇŞŢ"),
    ('k', "aeAE", "ąęĄĘ"),
    ('r', "auAU", "åůÅŮ"),
];

/// Letters with names of their own.
const LETTERS: &[(&str, &str)] = &[
    ("ss", "ß"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    ("aa", "å"),
    ("AA", "Å"),
    ("o", "ø"),
    ("O", "Ø"),
    ("l", "ł"),
    ("L", "Ł"),
    ("i", "ı"),
];

/// The text as it is meant to be read.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '\\' => accent(&rest[1..]).or_else(|| letter(&rest[1..])),
            // `M"uller`: no quotation begins after a letter.
            '"' if out.ends_with(char::is_alphabetic) => german(&rest[1..]),
            _ => None,
        };
        if let Some((read, len)) = taken {
            out.push_str(&read);
            rest = &rest[1 + len..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// An accent with its letter, after the backslash.
fn accent(text: &str) -> Option<(String, usize)> {
    let sign = text.chars().next()?;
    let &(_, from, to) = ACCENTS.iter().find(|(other, ..)| *other == sign)?;
    let rest = &text[sign.len_utf8()..];
    let braced = rest.strip_prefix('{');
    let letters = braced.unwrap_or(rest);
    // `\'\i` is an accent on a dotless i.
    let (letter, len) = match letters.strip_prefix("\\i") {
        Some(_) => ('i', 2),
        None => letters.chars().next().map(|c| (c, c.len_utf8()))?,
    };
    let at = from.chars().position(|other| other == letter)?;
    let read = to.chars().nth(at)?;
    let mut taken = sign.len_utf8() + len;
    if braced.is_some() {
        letters[len..].strip_prefix('}')?;
        taken += 2;
    }
    Some((read.to_string(), taken))
}

fn letter(text: &str) -> Option<(String, usize)> {
    let (name, read) = LETTERS.iter().find(|(name, _)| text.starts_with(name))?;
    let mut taken = name.len();
    // `\ss{}` and `\o ` end the name.
    if text[taken..].starts_with("{}") {
        taken += 2;
    }
    Some(((*read).to_owned(), taken))
}

fn german(text: &str) -> Option<(String, usize)> {
    match text.chars().next()? {
        's' => Some(("ß".to_owned(), 1)),
        'a' | 'o' | 'u' | 'A' | 'O' | 'U' => {
            accent(&format!("\"{}", &text[..1])).map(|(read, _)| (read, 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn accents() {
        for (tex, read) in [
            (r#"Gy\"orgy Bakcsi"#, "György Bakcsi"),
            (r"Bj\/orn Enemark", "Bjørn Enemark"),
            (r"Vaclav Kote\vsovec", "Vaclav Kotešovec"),
            (r#"Dieter M"uller"#, "Dieter Müller"),
            (r#"Torsten Lin"s"#, "Torsten Linß"),
            (r"L\'aszl\'o", "László"),
            (r"Ph\'enix", "Phénix"),
            (r"\v{S}ahovski \ss{} \L\'od\'z", "Šahovski ß Łódź"),
            (r"Bogdanovi\'{c} \'\i", "Bogdanović í"),
            (r#"a "quoted" word \"#, r#"a "quoted" word \"#),
            (r"\zz \'", r"\zz \'"),
        ] {
            assert_eq!(plain(tex), read);
        }
    }
}
