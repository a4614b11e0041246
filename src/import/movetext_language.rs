//! The language in which the moves of a source are written, by its first games.

use crate::{
    games::{
        chess::{basics::Chess, notation::fen},
        language::ExpectedNotation,
        notation::letters::{self, ENGLISH, LetterCounts},
        raw_text::TextDecoder,
    },
    input::encoding::{self, Charset},
    pgn::parser::{ItemKind, Parser, RawGame, Syntax},
};

/// Words with a letter for a piece that are counted: more say no more.
const WORDS: usize = 1_000;

/// Games that are played where letters leave a choice.
const GAMES: usize = 24;

/// The language of a source of chess. What its letters do not decide is decided by
/// the moves: they go furthest in it, and further than in English.
pub(super) fn of(bytes: &[u8], fallback: Charset) -> ExpectedNotation {
    let mut tally = LetterCounts::default();
    each_game(bytes, fallback, |_, words| {
        for word in &words {
            tally.add(word);
        }
        tally.words() < WORDS
    });
    let mut languages = tally.best();
    if languages.is_empty() || languages == [ENGLISH] {
        return ExpectedNotation::default();
    }
    if !languages.contains(&ENGLISH) {
        languages.push(ENGLISH);
    }
    let mut games: Vec<(Chess, Vec<String>)> = Vec::new();
    each_game(bytes, fallback, |start, words| {
        games.extend(start.map(|start| (start, words)));
        games.len() < GAMES
    });
    let games: Vec<(Chess, Vec<&str>)> = games
        .iter()
        .map(|(start, words)| (start.clone(), words.iter().map(String::as_str).collect()))
        .collect();
    let found = letters::furthest(&languages, &games);
    ExpectedNotation {
        language: found.filter(|language| !language.is_english()),
        certain: false,
        squares: None,
    }
}

/// Gives the games of chess: where they begin, if that can be played, and the words
/// of their main line, with those of variations after it. Ends when `each` says so.
fn each_game(
    bytes: &[u8],
    fallback: Charset,
    mut each: impl FnMut(Option<Chess>, Vec<String>) -> bool,
) {
    let decode: TextDecoder<'_> = &|text| encoding::decode(text, fallback).0;
    let mut parser = Parser::with_hint(bytes, Syntax::Pgn);
    let mut raw = RawGame::default();
    while parser.next_game(&mut raw) {
        if raw.syntax != Syntax::Pgn {
            continue;
        }
        let start = match raw.tag(bytes, "FEN") {
            None | Some(b"" | b"?") => Some(Chess::default()),
            Some(text) => fen::read_position(&decode(text))
                .ok()
                .map(|(position, _)| position),
        };
        let (mut words, mut aside, mut depth) = (Vec::new(), Vec::new(), 0_usize);
        for item in &raw.items {
            match item.kind {
                ItemKind::VariationStart => depth += 1,
                ItemKind::VariationEnd => depth = depth.saturating_sub(1),
                ItemKind::Word => {
                    let word = decode(raw.text(bytes, item)).into_owned();
                    if depth == 0 { &mut words } else { &mut aside }.push(word);
                }
                _ => {}
            }
            if words.len() + aside.len() > WORDS {
                break;
            }
        }
        words.append(&mut aside);
        if !each(start, words) {
            return;
        }
    }
}
