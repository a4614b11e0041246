//! A small reader of movetext, so that replays are tested without a parser:
//! words between blanks, braces, brackets, set-ups; numbers are stripped.

use crate::pgn::parser::{ItemKind, RawGame, RawItem, Syntax, TagPair};

/// Makes a raw game of tag pairs and movetext.
pub(in crate::modules::games::draughts::replay) fn raw_of(text: &str) -> RawGame {
    let mut raw = RawGame {
        syntax: Syntax::Pdn,
        span: (0, text.len() as u32),
        ..RawGame::default()
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut movetext = None;
    let mut number = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let to =
            |sign: &str, from: usize| rest[from..].find(sign).map_or(rest.len(), |end| end + from);
        let mut push = |kind, from: usize, to: usize, value| {
            raw.items.push(RawItem {
                kind,
                offset: (at + from) as u32,
                len: (to - from) as u32,
                value,
            });
        };
        let used = match bytes[at] {
            byte if byte.is_ascii_whitespace() => 1,
            b'[' if movetext.is_none() => {
                let end = to("]", 0);
                let name_end = to(" ", 0);
                if let (Some(first), Some(last)) = (rest[..end].find('"'), rest[..end].rfind('"')) {
                    raw.tags.push(TagPair {
                        name: (at as u32 + 1, (at + name_end) as u32),
                        value: ((at + first + 1) as u32, (at + last) as u32),
                        value_unescaped: None,
                        implied_name: None,
                    });
                }
                end + 1
            }
            b'{' => {
                let end = to("}", 0);
                push(ItemKind::Comment, 1, end, 0);
                end + 1
            }
            b'$' => {
                let end = rest[1..].find(|c: char| !c.is_ascii_digit());
                let end = end.map_or(rest.len(), |end| end + 1);
                push(ItemKind::Nag, 0, end, rest[1..end].parse().unwrap_or(0));
                end
            }
            b'(' => {
                open.push(raw.items.len());
                raw.items.push(RawItem {
                    kind: ItemKind::VariationStart,
                    offset: at as u32 + 1,
                    len: 0,
                    value: 0,
                });
                1
            }
            b')' => {
                if let Some(start) = open.pop() {
                    raw.items[start].len = at as u32 - raw.items[start].offset;
                    raw.items.push(RawItem {
                        kind: ItemKind::VariationEnd,
                        offset: at as u32,
                        len: 1,
                        value: 0,
                    });
                }
                1
            }
            b'/' if rest.starts_with("/FEN \"") => {
                let end = to("\"/", 6);
                push(ItemKind::Setup, 6, end, 0);
                end + 2
            }
            _ => {
                movetext = movetext.or(Some(at));
                let mut end = word_end(rest, 0);
                // Squares set apart in columns: `1- 6`.
                let next = rest[end..].trim_start_matches(' ');
                if rest[..end].ends_with(['-', 'x'])
                    && rest.starts_with(|c: char| c.is_ascii_digit())
                    && next.starts_with(|c: char| c.is_ascii_digit())
                {
                    end = word_end(rest, rest.len() - next.len());
                }
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let dots = rest[digits..].bytes().take_while(|&b| b == b'.').count();
                if digits > 0 && dots > 0 {
                    number = rest[..digits].parse().unwrap_or(0);
                    digits + dots
                } else if matches!(
                    &rest[..end],
                    "*" | "1-0" | "0-1" | "2-0" | "0-2" | "1-1" | "1/2-1/2" | "0-0"
                ) {
                    raw.termination = Some((at as u32, (at + end) as u32));
                    end
                } else {
                    let bare = rest[..end].trim_end_matches(['!', '?', '*']);
                    let end_of_word = if bare.is_empty() { end } else { bare.len() };
                    push(ItemKind::Word, 0, end_of_word, std::mem::take(&mut number));
                    end
                }
            }
        };
        at += used.max(1);
    }
    raw.movetext_span = (movetext.unwrap_or(text.len()) as u32, text.len() as u32);
    raw
}

fn word_end(text: &str, from: usize) -> usize {
    text[from..]
        .find(|c: char| c.is_whitespace() || "{}()".contains(c))
        .map_or(text.len(), |end| end + from)
}

/// The records of a file: a tag or a first move after movetext begins the next.
pub(in crate::modules::games::draughts::replay) fn games_of(text: &str) -> Vec<&str> {
    let (mut games, mut start, mut in_moves, mut at) = (Vec::new(), 0, false, 0);
    for line in text.split_inclusive('\n') {
        let is_tag = line.trim_start().starts_with('[') && !line.trim_start().starts_with("[%");
        let is_first = line.starts_with("1. ") && in_moves;
        if (is_tag || is_first) && in_moves {
            games.push(&text[start..at]);
            start = at;
            // A position can have a line of its own.
            in_moves = is_first || line.trim_end().ends_with("] *");
        } else if line.trim_end().ends_with("] *") || !is_tag && !line.trim().is_empty() {
            in_moves = true;
        }
        at += line.len();
    }
    games.push(&text[start..]);
    games
}
