//! Text in brackets that was read as tag pairs, and is none of a game: sections of settings,
//! notes of books, deals of bridge.

use std::borrow::Cow;

use crate::{
    games::notation::clip,
    pgn::{
        parser::{ItemKind, RawGame, looks_like_move},
        tags::names,
    },
};

/// Names that show a record to be a game of chess or draughts whatever else it has.
const PLAYED: [&str; 3] = ["White", "Black", "FEN"];

/// Points of known names that make a game.
const KNOWN_MIN: u32 = 2;

/// Well-known names that other texts have as often: one of them alone says nothing.
#[rustfmt::skip]
const EVERYDAY: [&str; 22] = [
    "Author", "Collection", "Comment", "Copyright", "Country", "Date", "Editor", "Filename",
    "Flags", "Input", "Language", "Link", "Match", "Mode", "Owner", "Remark", "Section", "Source",
    "Tags", "Time", "Title", "Topic",
];

/// What a record is that was read of a text that may not be games; `None` if it is a
/// game: one of its tags is known, or it has moves.
pub(super) fn none_of_games(raw: &RawGame, bytes: &[u8]) -> Option<String> {
    let first = raw.tags.first()?;
    let known = |name: &[u8]| {
        let text = || String::from_utf8_lossy(name);
        names::canonical(name).or_else(|| names::localised(&text()))
    };
    let mut known_names = 0;
    let mut is_bridge = false;
    for tag in &raw.tags {
        let name = tag.name_bytes(bytes);
        let known = known(name);
        if known.is_some_and(|name| PLAYED.contains(&name)) {
            return None;
        }
        known_names += match known {
            Some(name) if EVERYDAY.contains(&name) => 1,
            Some(_) => KNOWN_MIN,
            None => 0,
        };
        is_bridge |= is_of_bridge(name, tag.value_bytes(bytes));
    }
    if is_bridge {
        return Some("a deal of bridge".to_owned());
    }
    let name: Cow<'_, str> = String::from_utf8_lossy(first.name_bytes(bytes));
    (known_names < KNOWN_MIN && !has_moves(raw, bytes)).then(|| format!("[{} …]", clip(&name)))
}

/// Whether a tag is one of those that only records of bridge have, with a value of theirs.
fn is_of_bridge(name: &[u8], value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let is_player = |text: &[u8]| matches!(text, [b'N' | b'E' | b'S' | b'W']);
    match name {
        b"Deal" => {
            matches!(value, [b'N' | b'E' | b'S' | b'W', b':', hands @ ..] if hands.contains(&b'.'))
        }
        b"Declarer" | b"Dealer" | b"Auction" | b"Play" => is_player(value),
        b"Contract" => matches!(value, [b'1'..=b'7', b'S' | b'H' | b'D' | b'C' | b'N', ..]),
        b"Vulnerable" => matches!(value, b"None" | b"NS" | b"EW" | b"All" | b"Love" | b"Both"),
        _ => false,
    }
}

/// Whether a record has moves: one with its number, or little else than moves; or a comment and an
/// end as a game has them.
fn has_moves(raw: &RawGame, bytes: &[u8]) -> bool {
    let (mut words, mut moves, mut is_commented) = (0, 0, false);
    for item in &raw.items {
        match item.kind {
            ItemKind::Setup => return true,
            ItemKind::Word if looks_like_move(raw.text(bytes, item)) => {
                if item.value > 0 {
                    return true;
                }
                moves += 1;
                words += 1;
            }
            ItemKind::Word => words += 1,
            ItemKind::Comment => is_commented |= bytes[..item.offset as usize].ends_with(b"{"),
            _ => {}
        }
    }
    moves * 2 > words || is_commented && raw.termination.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parser::Parser;

    /// What the first record of a text is, if it is no game.
    fn told(text: &str) -> Option<String> {
        let mut raw = RawGame::default();
        assert!(Parser::new(text.as_bytes()).next_game(&mut raw), "{text}");
        none_of_games(&raw, text.as_bytes())
    }

    #[test]
    fn tags_that_nobody_knows_need_moves() {
        for text in [
            "[credential \"https://example.org\"]\n\thelper = x.sh\n",
            "[branch \"master\"]\n\tmerge = refs/heads/v4\n",
            "[Illustration: The captain]\n\nHe moved e4 and the other answered e5.\n",
            "[section \"one\"]\npath = /usr/lib/a1\n",
            "[Play \"S\"]\nSK =1= H3 S4 S3\nC5 C2 C6 CK\n",
            "[Event \"Club\"]\n[Vulnerable \"NS\"]\n[Auction \"N\"]\n1D 1S 3H\n",
        ] {
            assert!(told(text).is_some(), "{text}");
        }
        for text in [
            "[Event \"x\"]\n\n*\n",
            "[Evento \"x\"]\n\n*\n",
            "[white \"A\"]\n[Auction \"N\"]\n",
            "[Anything \"x\"]\n\n1. e4 *\n",
            "[Anything \"x\"]\n\ne4 e5 Nf3 *\n",
            "[Anything \"x\"]\n\n1. 32-28 *\n",
            "[Anything \"x\"]\n\n1. 5254 *\n",
            "[ContentType \"Study\"]\n\n{Made by nobody} *\n",
            "[Contract \"open\"]\n[Event \"x\"]\n\n*\n",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
