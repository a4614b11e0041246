//! XML and web pages as listings: an element is brackets, its attributes and the elements within
//! it are named values.

use super::tree::{DEPTH_MAX, ListingContents, read_tokens};
use crate::{games::running_text::fen_scanner, pgn::lexer::listing::ListingToken as Token};

/// Attributes that say how something looks, not what it is.
const LOOKS: [&str; 3] = ["class", "style", "xmlns"];

/// Beginnings of elements and attributes whose values are positions or games.
const EVIDENCE: [&str; 9] = [
    "<fen",
    "<epd",
    "<pgn",
    "<moves",
    "<movetext",
    "fen=\"",
    "fen='",
    "pgn=\"",
    "pgn='",
];

/// Whether a text is markup.
pub(super) fn is_markup(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// Whether markup has elements or attributes of positions and games, and quotes not many more.
pub(super) fn is_structured(text: &str, found: &ListingContents) -> bool {
    let records = found.positions.len() + found.games.len();
    let lower = text.to_ascii_lowercase();
    records > 0
        && EVIDENCE.iter().any(|begin| lower.contains(begin))
        && records * 2 >= fen_scanner::all(text).len()
}

/// Every position and every game of a text.
pub(super) fn read(text: &str) -> ListingContents {
    let mut tokens = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let content = &rest[..rest.find('<').unwrap_or(rest.len())];
        put(&mut tokens, text, content, Token::Text);
        at += content.len();
        let rest = &text[at..];
        let end = |close: &str| rest.find(close).map_or(rest.len(), |end| end + close.len());
        let len = if rest.starts_with("<!--") {
            end("-->")
        } else if let Some(inner) = rest.strip_prefix("<![CDATA[") {
            let inner = &inner[..inner.find("]]>").unwrap_or(inner.len())];
            put(&mut tokens, text, inner, Token::Text);
            end("]]>")
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            end(">")
        } else if let Some(behind) = rest.strip_prefix("</") {
            let name = name_of(behind);
            // Elements that nothing closes end with those around them.
            let mut around = open.iter().rev().take(DEPTH_MAX);
            if let Some(within) = around.position(|known| known.eq_ignore_ascii_case(name)) {
                open.truncate(open.len() - within - 1);
                tokens.extend((0..=within).map(|_| (Token::Close, at, "}")));
            }
            end(">")
        } else {
            tag(&mut tokens, text, at, &mut open)
        };
        at += len.max(1);
    }
    read_tokens(tokens.into_iter())
}

/// The tokens of an element's beginning; its bytes.
fn tag<'t>(
    tokens: &mut Vec<(Token, usize, &'t str)>,
    text: &'t str,
    at: usize,
    open: &mut Vec<&'t str>,
) -> usize {
    let name = name_of(&text[at + usize::from(at < text.len())..]);
    if name.is_empty() {
        return 1;
    }
    tokens.push((Token::Word, at + 1, name));
    tokens.push((Token::Is, at + 1, "="));
    tokens.push((Token::Open, at, "{"));
    let mut from = at + 1 + name.len();
    let mut is_empty = false;
    loop {
        let rest = &text[from..];
        let skipped = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_whitespace() || c == '/')
                .len();
        is_empty = if skipped > 0 {
            rest[..skipped].contains('/')
        } else {
            is_empty
        };
        from += skipped;
        let key = name_of(&text[from..]);
        if key.is_empty() {
            from += usize::from(text[from..].starts_with('>'));
            break;
        }
        from += key.len();
        let rest = text[from..].trim_start();
        let Some(value) = rest.strip_prefix('=').map(str::trim_start) else {
            continue;
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = &value[quote.map_or(0, char::len_utf8)..];
        let is_end = |c: char| quote.map_or(c.is_whitespace() || c == '>', |quote| c == quote);
        let inner = &inner[..inner.find(is_end).unwrap_or(inner.len())];
        from = inner.as_ptr() as usize - text.as_ptr() as usize + inner.len();
        from += usize::from(quote.is_some() && from < text.len());
        if !LOOKS.contains(&key) {
            tokens.push((Token::Word, from, key.trim_start_matches("data-")));
            tokens.push((Token::Is, from, "="));
            put(tokens, text, inner, Token::Text);
            tokens.push((Token::Comma, from, ","));
        }
    }
    if is_empty {
        tokens.push((Token::Close, from, "}"));
    } else {
        open.push(name);
    }
    from - at
}

/// Adds a text of markup, if it says anything.
fn put<'t>(tokens: &mut Vec<(Token, usize, &'t str)>, text: &str, said: &'t str, token: Token) {
    let said = said.trim();
    if !said.is_empty() {
        tokens.push((token, said.as_ptr() as usize - text.as_ptr() as usize, said));
    }
}

fn name_of(text: &str) -> &str {
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    &text[..text.find(|c| !of_name(c)).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements that nothing closes, and ends of elements that nothing began.
    #[test]
    fn elements_without_end_are_looked_through_once() {
        const DEPTH: usize = 150_000;
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let text = format!(
            "<fen>{position}</fen>{}{}<fen>{position}</fen>",
            "<a>".repeat(DEPTH),
            "</b>".repeat(DEPTH)
        );
        assert_eq!(read(&text).positions.len(), 2);
        let text = format!("<a><b><c><fen>{position}</fen></a><fen>{position}</fen>");
        assert_eq!(read(&text).positions.len(), 2);
    }
}
