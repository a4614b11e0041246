//! The parser against the deviation files, the rules one by one, and text
//! made to hurt.

mod corpora;
mod hostile;
mod pdn;
mod rules;
mod vectors;

use super::{ItemKind, Parser, RawGame, Syntax};

/// A game as a test sees it: owned, in words.
#[derive(Debug)]
struct Seen {
    tags: Vec<(String, String)>,
    /// Words of the main line.
    words: Vec<String>,
    /// All items in a compact notation.
    items: String,
    termination: Option<String>,
    diagnostics: Vec<&'static str>,
    span: (u32, u32),
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads all games of a text and checks what holds for each whatever the text.
fn read(bytes: &[u8]) -> Vec<Seen> {
    read_with(bytes, Syntax::Pgn)
}

/// The same in a file whose syntax is known.
fn read_with(bytes: &[u8], hint: Syntax) -> Vec<Seen> {
    let mut parser = Parser::with_hint(bytes, hint);
    let mut game = RawGame::default();
    let mut games: Vec<Seen> = Vec::new();
    while parser.next_game(&mut game) {
        check_shape(bytes, &game);
        assert!(
            games.last().is_none_or(|last| last.span.1 <= game.span.0),
            "games overlap"
        );
        games.push(see(bytes, &game));
    }
    assert!(!parser.next_game(&mut game), "the end stays the end");
    games
}

fn check_shape(bytes: &[u8], game: &RawGame) {
    assert!(game.span.0 <= game.span.1 && game.span.1 as usize <= bytes.len());
    assert!(
        game.movetext_span.0 <= game.movetext_span.1,
        "{:?}",
        game.movetext_span
    );
    assert!(
        game.span.0 <= game.movetext_span.0,
        "{:?} {:?}",
        game.span,
        game.movetext_span
    );
    assert!(
        game.movetext_span.1 <= game.span.1,
        "{:?} {:?}",
        game.span,
        game.movetext_span
    );
    let mut depth = 0_usize;
    let mut last = game.span.0;
    for item in &game.items {
        assert!(item.offset >= last, "items go forward: {item:?}");
        assert!(
            item.offset + item.len <= game.span.1,
            "items lie within: {item:?} {:?}",
            game.span
        );
        last = item.offset;
        match item.kind {
            ItemKind::VariationStart => depth += 1,
            ItemKind::VariationEnd => depth -= 1,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "variations are closed");
    assert!(game.diagnostics.len() <= crate::base::limits::DIAGNOSTICS_PER_GAME_MAX);
}

fn see(bytes: &[u8], game: &RawGame) -> Seen {
    let mut words = Vec::new();
    let mut items = Vec::new();
    let mut depth = 0;
    for item in &game.items {
        let text = lossy(game.text(bytes, item));
        items.push(match item.kind {
            ItemKind::Word => {
                if depth == 0 {
                    words.push(text.clone());
                }
                if item.value > 0 {
                    format!("{}.{text}", item.value)
                } else {
                    text
                }
            }
            ItemKind::Comment => format!("{{{text}}}"),
            ItemKind::LineComment => format!(";{text}"),
            ItemKind::Nag => format!("${}", item.value),
            ItemKind::VariationStart => {
                depth += 1;
                "(".to_owned()
            }
            ItemKind::VariationEnd => {
                depth -= 1;
                ")".to_owned()
            }
            ItemKind::Setup => format!("/{text}/"),
            ItemKind::Result | ItemKind::Text => format!("={text}"),
        });
    }
    Seen {
        tags: game
            .tags
            .iter()
            .map(|tag| (lossy(tag.name_bytes(bytes)), lossy(tag.value_bytes(bytes))))
            .collect(),
        words,
        items: items.join(" "),
        termination: game
            .termination
            .map(|(start, end)| lossy(&bytes[start as usize..end as usize])),
        diagnostics: game
            .diagnostics
            .iter()
            .map(|found| found.code.as_str())
            .collect(),
        span: game.span,
    }
}

/// The only game of a text.
fn one(text: &str) -> Seen {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1, "{text:?}: {games:?}");
    games.remove(0)
}

/// The items of the only game of a movetext after a tag.
fn items(movetext: &str) -> String {
    one(&format!("[Event \"x\"]\n\n{movetext}\n")).items
}
