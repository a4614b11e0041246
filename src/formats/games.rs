//! Distinguishes games from other records, where a game quotes what these begin with: a FEN
//! in a comment or a preface is no reason to read an archive as one problem.

use std::borrow::Cow;

use super::{
    recognise::{Sample, percent},
    text, yaml_like,
};
use crate::{
    games::{
        notation::problem,
        running_text::{epd_fields, fen_scanner},
    },
    pgn::{parser::is_numeric_move, tags::names},
    problems::lines::PROBLEM_BYTES_MAX,
};

/// What speaks for games and what for other records in the beginning of a text.
#[derive(Debug, Default)]
struct GamesEvidence {
    /// Lines that begin as tag pairs do.
    tags: usize,
    /// Other lines with a diagram or a position, outside of comments in braces.
    diagrams: usize,
    /// A numbered move stands before the first diagram.
    moves_first: bool,
}

/// How much of a sample is games: all of it if its tag pairs say so, else its movetext and
/// its comments.
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    if yaml_like::quotes_games(&sample.text) {
        return 0;
    }
    if have_tags(sample.bytes) {
        return 100;
    }
    let (mut all, mut explained, mut is_played) = (0, 0, false);
    let mut in_comment = false;
    for line in sample.lines() {
        if !in_comment && line.starts_with(['%', ';']) {
            continue;
        }
        let bare = without_comments(line.as_bytes(), &mut in_comment);
        let bare = String::from_utf8_lossy(&bare);
        let bare = bare.split(" ;").next().unwrap_or_default();
        // Moves after a position are its own.
        let is_markup = bare.starts_with('<') && (bare.contains("</") || bare.contains('='));
        let is_own = !is_markup && (!bare.contains('/') || fen_scanner::all(bare).is_empty());
        let is_by_post = has_moves_by_post(bare);
        is_played |= is_own && has_move(bare) || is_by_post;
        all += line.len();
        if text::is_tag(line.as_bytes()) || is_own && is_movetext(bare) || is_by_post {
            explained += line.len();
        }
    }
    if is_played {
        percent(explained, all)
    } else {
        0
    }
}

/// Whether a text with tag pairs is one of games: settings and the like have such pairs as well.
pub(super) fn are_likely(sample: &Sample<'_>) -> bool {
    let mut tags = text::lines(sample.bytes).filter_map(|line| text::tag_name(line.bytes));
    let is_known = |name: &[u8]| {
        let text = || String::from_utf8_lossy(name);
        names::canonical(name).is_some() || names::localised(&text()).is_some()
    };
    tags.any(is_known) || has_move(&sample.text)
}

/// Whether a line is a tag pair of a name that is known.
pub(super) fn has_known_tag(bytes: &[u8]) -> bool {
    let mut tags = text::lines(bytes).filter_map(|line| text::tag_name(line.bytes));
    tags.any(|name| names::canonical(name).is_some())
}

/// Whether most words of a line without comments belong to movetext.
pub(super) fn is_movetext(line: &str) -> bool {
    // A list of texts in JSON, whatever these are.
    if line.starts_with("[\"") {
        return false;
    }
    let (mut words, mut moves) = (0, 0);
    for word in line.split_ascii_whitespace() {
        let word = word.trim_matches(['(', ')']);
        let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = behind.len() < word.len() && behind.starts_with('.');
        let is_other = word.starts_with('$') || matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2");
        words += 1;
        moves += usize::from(
            is_other || is_numbered || word.is_empty() || looks_like_move(word) || is_taking(word),
        );
    }
    moves * 2 >= words
}

/// How many moves a text is that is nothing else but their numbers, marks and a result; 0 where a
/// word of it is something else.
pub(super) fn moves_in(text: &str) -> usize {
    let mut moves = 0;
    let mut in_comment = false;
    let bare = without_comments(text.as_bytes(), &mut in_comment);
    let bare = String::from_utf8_lossy(&bare);
    let separators = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | ';' | '(' | ')');
    for word in bare.split(separators) {
        let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = match behind.trim_start_matches(['.', '…']) {
            cut if cut.len() < behind.len() => cut,
            _ => word,
        };
        let is_number = behind.bytes().all(|byte| byte.is_ascii_digit());
        let is_result = matches!(
            behind,
            "*" | "1-0" | "0-1" | "1/2-1/2" | "2-0" | "1-1" | "0-2"
        );
        if looks_like_move(behind) || !is_result && is_taking(behind) {
            moves += 1;
        } else if !is_number && !is_result && !behind.starts_with('$') {
            return 0;
        }
    }
    moves
}

/// Whether a word is a move of draughts in numbers.
fn is_taking(word: &str) -> bool {
    let squares = word.split(['-', 'x']);
    squares.clone().count() > 1
        && squares.into_iter().all(|square| {
            (1..=2).contains(&square.len()) && square.bytes().all(|b| b.is_ascii_digit())
        })
}

/// Whether a text has tag pairs, and no fewer of them than it has positions.
pub(super) fn have_tags(beginning: &[u8]) -> bool {
    // Most texts have none, and are not looked through for diagrams.
    text::lines(beginning).any(|line| text::is_tag(line.bytes)) && {
        let found = evidence(beginning);
        found.tags >= found.diagrams.max(1)
    }
}

/// Whether a text that shows a diagram can be problems: its diagrams are neither
/// outnumbered by tag pairs, nor preceded by moves, nor all in comments.
pub(super) fn are_none(beginning: &[u8]) -> bool {
    let found = evidence(beginning);
    found.diagrams > found.tags && !found.moves_first
}

/// Whether a text has one diagram and is longer than any problem.
pub(super) fn are_endless(beginning: &[u8]) -> bool {
    beginning.len() >= PROBLEM_BYTES_MAX && evidence(beginning).diagrams == 1
}

fn evidence(beginning: &[u8]) -> GamesEvidence {
    let mut found = GamesEvidence::default();
    let mut in_comment = false;
    for line in text::lines(beginning).map(|line| line.bytes) {
        if !in_comment && matches!(line.first(), Some(b'%' | b';')) {
            continue;
        }
        if !in_comment && text::is_tag(line) {
            found.tags += 1;
            continue;
        }
        let line = without_comments(line, &mut in_comment);
        let line = String::from_utf8_lossy(&line);
        let diagram = problem::diagram_in(&line);
        let before = diagram.map_or(&line[..], |(head, ..)| head);
        found.moves_first = found.moves_first || found.diagrams == 0 && has_move(before);
        let is_position = diagram.is_some() || epd_fields::of_pdn(line.as_bytes());
        found.diagrams += usize::from(is_position);
    }
    found
}

/// A line without what stands between braces; `in_comment` says whether one is open
/// before it, and then whether one is open after it.
pub(super) fn without_comments<'l>(line: &'l [u8], in_comment: &mut bool) -> Cow<'l, [u8]> {
    if !*in_comment && memchr::memchr(b'{', line).is_none() {
        return line.into();
    }
    let mut bare = Vec::with_capacity(line.len());
    for &byte in line {
        match byte {
            b'{' => *in_comment = true,
            b'}' if *in_comment => *in_comment = false,
            _ if *in_comment => {}
            byte => bare.push(byte),
        }
    }
    bare.into()
}

/// Whether a move number with a move of chess stands in a text.
fn has_move(text: &str) -> bool {
    let mut after_number = false;
    text.split_ascii_whitespace().any(|word| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let behind = word[digits..].trim_start_matches('.');
        let is_number = digits > 0 && word[digits..].starts_with('.');
        let is_move = (is_number || after_number) && looks_like_move(behind);
        after_number = is_number && behind.is_empty();
        is_move
    })
}

/// Whether a move number with both moves in numbers alone stands in a text.
fn has_moves_by_post(text: &str) -> bool {
    let mut before = [false; 2];
    text.split_ascii_whitespace().any(|word| {
        let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = word.len() - behind.len();
        let behind = behind.trim_start_matches('.');
        let is_numbered = number > 0 && word.len() > number + behind.len();
        let is_move = is_numeric_move(if is_numbered { behind } else { word }.as_bytes());
        let is_second = is_move && !is_numbered && before[1];
        before = [
            is_numbered && behind.is_empty(),
            is_move && (before[0] || is_numbered),
        ];
        is_second
    })
}

/// Whether a word ends with a square, perhaps a promotion and marks, as a move does.
fn looks_like_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if word.starts_with("O-O") || word.starts_with("0-0") {
        return true;
    }
    let word = word.split('=').next().unwrap_or_default();
    matches!(word.as_bytes(), [before @ .., b'a'..=b'h', b'1'..=b'8'] if before.len() <= 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

    #[test]
    fn games_outweigh_a_diagram() {
        for text in [
            format!("{{ {FEN} }}\n[Event \"x\"]\n\n1. e4 *"),
            format!("From {FEN} on\n\n[Event \"x\"]\n[Site \"y\"]\n\n1. e4 *"),
            format!("{FEN}\n\n[Event \"x\"]\n\n*"),
        ] {
            assert!(have_tags(text.as_bytes()), "{text}");
            assert!(!are_none(text.as_bytes()), "{text}");
        }
        for text in [
            format!("1. e4 {{ see {FEN} }} e5"),
            format!("1.e4 e5 ; {FEN}"),
            format!("{{ see\n {FEN} }} 1. Sf3 d5 *"),
            format!("% {FEN}\n1. O-O *"),
        ] {
            assert!(!are_none(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn problems_stay_problems() {
        for text in [
            "A. Author, 1. Preis 1920\n8/8/8/4K3/8/4k3/p7/8 (1+2) #3\n1. Kd4 Kd2 2. Kd5",
            "[see \"below\"]\n8/8/8/4K3/8/4k3/p7/8 #3\n\n8/8/8/4K3/8/4k3/1p6/8 #3",
        ] {
            assert!(!have_tags(text.as_bytes()), "{text}");
            assert!(are_none(text.as_bytes()), "{text}");
        }
    }
}
