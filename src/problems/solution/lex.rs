//! The words of a solution.

/// A word of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SolutionToken<'t> {
    /// A move number; whether dots say that the second move of the pair follows.
    Number(u32, bool),
    /// What can be a move, with everything glued to it.
    Move(&'t str),
    /// `!`, `?` and the like.
    Mark(&'t str),
    /// `+`, `#`, `=` and `ep.` standing alone after a move.
    Sign(&'t str),
    /// `threat:`.
    Threat,
    /// `zugzwang.`.
    Zugzwang,
    /// `but`.
    But,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// `{…}`, without the braces.
    Comment(&'t str),
    /// `b)` at the beginning of a line.
    Twin(&'t str),
    /// Any other word.
    Text(&'t str),
}

/// The words of a text with their places, one after the other.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// There is no closing brace further on.
    unclosed: bool,
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            unclosed: false,
        }
    }

    fn line_begins(&self) -> bool {
        self.text[..self.at]
            .bytes()
            .rev()
            .take_while(|&byte| byte != b'\n')
            .take(16)
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'+'))
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let from = self.at;
        self.at += bytes;
        &self.text[from..self.at]
    }
}

impl<'t> Iterator for Lexer<'t> {
    type Item = (usize, SolutionToken<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let at = self.at;
        let token = match first {
            '(' | ')' => {
                self.at += 1;
                if first == '(' {
                    SolutionToken::Open
                } else {
                    SolutionToken::Close
                }
            }
            '{' => {
                if let Some(end) = (!self.unclosed).then(|| rest.find('}')).flatten() {
                    SolutionToken::Comment(&self.take(end + 1)[1..end])
                } else {
                    self.unclosed = true;
                    SolutionToken::Text(self.take(1))
                }
            }
            // `(>2.Qg2)`: a sign for what is threatened.
            '>' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                self.at += 1;
                SolutionToken::Threat
            }
            '!' | '?' => {
                let len = rest
                    .bytes()
                    .take_while(|byte| matches!(byte, b'!' | b'?'))
                    .count();
                SolutionToken::Mark(self.take(len))
            }
            '0'..='9' => match number(rest) {
                Some((number, second, len)) => {
                    self.at += len;
                    SolutionToken::Number(number, second)
                }
                None => self.word(),
            },
            _ => self.word(),
        };
        Some((at, token))
    }
}

impl<'t> Lexer<'t> {
    fn word(&mut self) -> SolutionToken<'t> {
        let rest = &self.text[self.at..];
        let twin = rest.strip_prefix('+').unwrap_or(rest);
        if let [b'a'..=b'z', b')', ..] = twin.as_bytes()
            && self.line_begins()
        {
            let len = rest.len() - twin.len() + 2;
            return SolutionToken::Twin(self.take(len));
        }
        let mut end = 0;
        let mut square = false;
        for (offset, c) in rest.char_indices() {
            let goes_on = match c {
                '[' => {
                    square = true;
                    true
                }
                ']' => {
                    square = false;
                    true
                }
                // `cxd2(Pd7)`: where a captured piece is born again.
                '(' => {
                    let Some(close) = effect(&rest[offset..]).filter(|_| offset > 0) else {
                        break;
                    };
                    end = offset + close;
                    continue;
                }
                ')' if offset < end => true,
                ')' | '{' | '!' | '?' => square,
                _ if c.is_whitespace() => false,
                _ => true,
            };
            if offset < end {
                continue;
            }
            if !goes_on {
                break;
            }
            end = offset + c.len_utf8();
        }
        let word = self.take(end.max(first_len(rest)));
        classify(word)
    }
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// The length of `(Pd7)` or `(+wPd2)` glued to a move.
fn effect(text: &str) -> Option<usize> {
    const LEN_MAX: usize = 16;
    let close = text.bytes().take(LEN_MAX).position(|byte| byte == b')')?;
    let inside = text.get(1..close)?;
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '=' | '>' | '/');
    let named = inside.starts_with(|c: char| c.is_alphabetic() || c == '+' || c == '-');
    (named && inside.chars().all(fits)).then_some(close + 1)
}

fn classify(word: &str) -> SolutionToken<'_> {
    match word {
        "+" | "#" | "=" | "++" | "##" | "==" | "ep." | "e.p." | "ep" | "e.p" | "+." | "#." => {
            return SolutionToken::Sign(word);
        }
        "but" | "But" | "but:" | "aber" | "mais" => return SolutionToken::But,
        "threat" | "threat:" | "threats:" | "threatening" | "Drohung:" | "droht:" | "menace:"
        | "Drohung" | "droht" | "menace" | "menaces:" | "minaccia" | "minaccia:" | "amenaza"
        | "amenaza:" | "ameaça" | "ameaça:" | "dreigt" | "dreiging:" | "угроза" | "угроза:"
        | "απειλή" | "απειλή:" | "hrozba" | "hrozba:" | "hrozí" | "groźba" | "groźba:"
        | "Threat" | "Threat:" => {
            return SolutionToken::Threat;
        }
        "zugzwang" | "zugzwang." | "zz" | "ZZ" | "Zugzwang" | "Zugzwang." | "blocus" => {
            return SolutionToken::Zugzwang;
        }
        _ => {}
    }
    if is_move(word) {
        SolutionToken::Move(word)
    } else {
        SolutionToken::Text(word)
    }
}

/// Whether a word can be a move: a square in it, a castling, or any move (`~`).
fn is_move(word: &str) -> bool {
    const CHARS_MAX: usize = 64;
    if word.len() > CHARS_MAX * 2 {
        return false;
    }
    let bare = word.trim_end_matches(['+', '#', '=', '.', ',', ';']);
    if matches!(
        bare,
        "0-0" | "0-0-0" | "O-O" | "O-O-O" | "o-o" | "o-o-o" | "Ο-Ο" | "Ο-Ο-Ο" | "~" | "-" | "any"
    ) {
        return true;
    }
    let chars: Vec<char> = bare.chars().collect();
    let capped = chars.contains(&'~') && chars.len() <= 4;
    capped
        || chars.windows(2).any(|pair| {
            let file = matches!(pair[0], 'a'..='h' | 'α'..='θ' | 'а' | 'с' | 'е');
            file && matches!(pair[1], '1'..='8')
        })
}

/// A move number with its dots: `1.`, `1...`, `1. ...`, `1…`, and their length.
fn number(text: &str) -> Option<(u32, bool, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: u32 = text[..digits].parse().ok()?;
    let (mut count, len) = dots(&text[digits..]);
    let mut end = digits + len;
    if count == 1 {
        let rest = text[end..].trim_start_matches(' ');
        let (more, len) = dots(rest);
        if more > 0 {
            count += more;
            end = text.len() - rest.len() + len;
        }
    }
    (count > 0).then_some((number, count > 1, end))
}

/// How many dots a text begins with, an ellipsis being three, and their length.
fn dots(text: &str) -> (usize, usize) {
    let (mut count, mut len) = (0, 0);
    for c in text.chars() {
        count += match c {
            '.' => 1,
            '…' => 3,
            _ => break,
        };
        len += c.len_utf8();
    }
    (count, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_word() {
        let text =
            "a) 1.Ra6 ! (2.Qa7+) 1. ... Kb5 1…Sf2!? but cxd2(Pd7)! 0-0 # {C+ x} x[f3=wQ a] Preis";
        let tokens: Vec<_> = Lexer::new(text).map(|(_, token)| token).collect();
        assert_eq!(
            tokens,
            [
                SolutionToken::Twin("a)"),
                SolutionToken::Number(1, false),
                SolutionToken::Move("Ra6"),
                SolutionToken::Mark("!"),
                SolutionToken::Open,
                SolutionToken::Number(2, false),
                SolutionToken::Move("Qa7+"),
                SolutionToken::Close,
                SolutionToken::Number(1, true),
                SolutionToken::Move("Kb5"),
                SolutionToken::Number(1, true),
                SolutionToken::Move("Sf2"),
                SolutionToken::Mark("!?"),
                SolutionToken::But,
                SolutionToken::Move("cxd2(Pd7)"),
                SolutionToken::Mark("!"),
                SolutionToken::Move("0-0"),
                SolutionToken::Sign("#"),
                SolutionToken::Comment("C+ x"),
                SolutionToken::Move("x[f3=wQ"),
                SolutionToken::Text("a]"),
                SolutionToken::Text("Preis"),
            ]
        );
    }
}
