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
    let decode: TextDecoder<'_> = &|text| encoding::decode(text, fallback).0;
    let mut tally = LetterCounts::default();
    each_game(bytes, |raw| {
        for (word, _) in words(raw, bytes) {
            tally.add(&decode(word));
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
    each_game(bytes, |raw| {
        let start = match raw.tag(bytes, "FEN") {
            None | Some(b"" | b"?") => Some(Chess::default()),
            Some(text) => fen::read_position(&decode(text))
                .ok()
                .map(|(position, _)| position),
        };
        games.extend(start.map(|start| {
            let (main, aside): (Vec<_>, Vec<_>) =
                words(raw, bytes).partition(|&(_, depth)| depth == 0);
            let words = main.into_iter().chain(aside);
            (
                start,
                words.map(|(word, _)| decode(word).into_owned()).collect(),
            )
        }));
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

/// Gives the games in the syntax of PGN. Ends when `each` says so.
fn each_game(bytes: &[u8], mut each: impl FnMut(&RawGame) -> bool) {
    let mut parser = Parser::with_hint(bytes, Syntax::Pgn);
    let mut raw = RawGame::default();
    while parser.next_game(&mut raw) {
        if raw.syntax == Syntax::Pgn && !each(&raw) {
            return;
        }
    }
}

/// The first words of a game, and within how many variations each stands.
fn words<'b>(raw: &'b RawGame, bytes: &'b [u8]) -> impl Iterator<Item = (&'b [u8], usize)> {
    let mut depth = 0_usize;
    let words = raw.items.iter().filter_map(move |item| match item.kind {
        ItemKind::VariationStart => {
            depth += 1;
            None
        }
        ItemKind::VariationEnd => {
            depth = depth.saturating_sub(1);
            None
        }
        ItemKind::Word => Some((raw.text(bytes, item), depth)),
        _ => None,
    });
    words.take(WORDS + 1)
}
