//! Lines of moves beside positions.

use crate::{
    base::field_names,
    formats::games,
    games::{
        chess::notation::fen,
        notation::{
            epd as notation,
            epd::{Operand, Operation},
        },
        position_input::{self, ExpectedVariants},
        running_text::epd_fields,
        variant::{ALL, Variant, VariantDetection},
    },
};

/// Words that a line of moves has at most.
const WORDS_MAX: usize = 4096;

/// Whether a text is moves that can be played from a position.
pub(in crate::modules::formats) fn is_line(position: &str, text: &str) -> bool {
    !text.is_empty() && moves(position, text).is_some()
}

/// The words of a text between blanks, commas and semicolons, without numbers of moves and the
/// result after them.
fn words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ';' | ','));
    let words = words.map(without_number).filter(|word| !word.is_empty());
    let mut words: Vec<&str> = words.take(WORDS_MAX + 1).collect();
    words.pop_if(|last| field_names::RESULTS.contains(last));
    words
}

/// Moves of a text as they are written, without their numbers; `None` if a word of it is none.
pub(super) fn unplayed(text: &str) -> Option<String> {
    let words = words(text);
    let line = words.join(" ");
    (words.len() <= WORDS_MAX && games::moves_in(&line) == words.len() && !words.is_empty())
        .then_some(line)
}

/// The line of `pv` as it is written, moves that cannot be played among them.
pub(in crate::modules::formats) fn written_line(operations: &[Operation]) -> Option<String> {
    let line = operations.iter().find(|found| found.opcode == "pv")?;
    let words: Vec<&str> = line.operands.iter().map(Operand::text).collect();
    let line = words.join(" ");
    (games::moves_in(&line) == words.len()).then_some(line)
}

/// Whether moves from the beginning of chess lead to a position.
pub(super) fn leads_to(position: &str, text: &str) -> bool {
    let words = words(text);
    let board = position.split_whitespace().next().unwrap_or_default();
    let line = words.join(" ");
    if words.is_empty() || words.len() > WORDS_MAX || games::moves_in(&line) != words.len() {
        return false;
    }
    let rows = ALL.iter().filter(|row| row.id == Variant::CHESS).collect();
    let read = position_input::read_position(
        &format!("startpos moves {line}"),
        &ExpectedVariants { rows },
    );
    read.is_ok_and(|read| {
        read.moves.len() == words.len() && read.at.fen().split(' ').next() == Some(board)
    })
}

/// The words of a text without their numbers, if all of them can be moves of a line.
pub(in crate::modules::formats) fn moves(position: &str, text: &str) -> Option<String> {
    let words = words(text);
    if words.len() > WORDS_MAX || words.is_empty() {
        return None;
    }
    if epd_fields::of_pdn(position.as_bytes()) {
        return draughts(position, &words);
    }
    let line = words.join(" ");
    let (at, _) = fen::read_position(position.split(';').next()?).ok()?;
    let read = notation::operations(&format!("pv {line};"), Some(&at.into()));
    let played = notation::line_of(&read.list)?;
    (played.split(' ').count() == words.len()).then_some(line)
}

/// The line of `pv` that waits for the import to say which kind of draughts it is of, if all
/// of it can be played under one of them.
pub(in crate::modules::formats) fn unresolved_line(
    fen: &str,
    operations: &[Operation],
) -> Option<String> {
    if !epd_fields::of_pdn(fen.as_bytes()) {
        return None;
    }
    let line = operations.iter().find(|found| found.opcode == "pv")?;
    let words: Vec<&str> = line.operands.iter().map(Operand::text).collect();
    draughts(fen, &words)
}

/// Moves of draughts without their numbers, if they can be played from a position in any
/// kind of it.
fn draughts(position: &str, words: &[&str]) -> Option<String> {
    let end = epd_fields::pdn_end(position).unwrap_or(position.len());
    let words: Vec<&str> = words.iter().map(|word| without_number(word)).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let is_move = |word: &&str| {
        let squares: Vec<&str> = word.split(['-', 'x', ':', '*']).collect();
        squares.len() > 1 && squares.iter().all(|square| is_square(square))
    };
    if words.is_empty() || words.len() > WORDS_MAX || !words.iter().all(is_move) {
        return None;
    }
    let line = words.join(" ");
    let text = format!("{} moves {line}", position[..end].trim());
    let mut rows = ALL
        .iter()
        .filter(|row| row.tier() == Some(VariantDetection::Guessed));
    let is_played = rows.any(|row| {
        let read = position_input::read_position(&text, &ExpectedVariants { rows: vec![row] });
        read.is_ok_and(|read| read.moves.len() == words.len())
    });
    is_played.then_some(line)
}

/// A move without the number before it.
fn without_number(word: &str) -> &str {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match behind.trim_start_matches(['.', '…']) {
        cut if cut.len() < behind.len() => cut,
        _ => word,
    }
}

/// Whether a text is the name of a square: a number, or a file and a rank.
fn is_square(text: &str) -> bool {
    let digits = text
        .strip_prefix(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text);
    (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}
