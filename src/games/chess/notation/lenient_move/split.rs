//! Moves glued together, and results glued to moves.

use super::{LenientMove, Playable, parse, play, single};
use crate::{
    base::diagnostic::Code,
    games::{chess::basics::Move, notation::letters::Language, text::ResolvedWord},
};

/// Terminations that may be glued to a move; longer ones first.
const RESULTS: &[&str] = &[
    "1/2-1/2", "½-½", "1-0", "0-1", "1–0", "0–1", "1/2", "½", "*",
];

/// How often a piece of a word may be tried, per byte of the word: keeps the
/// work linear however the word is made.
const TRIES_PER_BYTE: usize = 8;

/// A place up to which the word is read.
struct SplitStep<P> {
    position: P,
    at: usize,
    /// Length of the next piece to try, in bytes; shorter ones follow.
    next_length: usize,
    /// The ply that led there, if any did.
    one: Option<LenientMove>,
}

impl<P> SplitStep<P> {
    fn new(position: P, word: &str, at: usize, one: Option<LenientMove>) -> Self {
        let at = at + number_length(&word[at..]);
        Self {
            position,
            at,
            next_length: reach(&word[at..]),
            one,
        }
    }
}

/// Splits a word where every piece is a legal ply, longest pieces first.
pub(super) fn split<P: Playable>(
    position: &P,
    word: &str,
    language: Option<&Language>,
) -> Option<ResolvedWord<Option<Move>>> {
    let result = RESULTS
        .iter()
        .find(|&&result| word.len() > result.len() && word.ends_with(result));
    let moves = &word[..word.len() - result.map_or(0, |result| result.len())];
    let plies = split_moves(position, moves, language)?;
    let mut read = ResolvedWord {
        result: result.map(|&result| result.to_owned()),
        ..ResolvedWord::of(plies.iter().map(|one| one.ply).collect())
    };
    let glued = (plies.len() > 1 || result.is_some()).then_some(Code::MoveGlued);
    for code in plies.into_iter().flat_map(|one| one.findings).chain(glued) {
        if !read.findings.contains(&code) {
            read.findings.push(code);
        }
    }
    Some(read)
}

fn split_moves<P: Playable>(
    position: &P,
    word: &str,
    language: Option<&Language>,
) -> Option<Vec<LenientMove>> {
    let mut tries = 256 + word.len().saturating_mul(TRIES_PER_BYTE);
    let mut steps = vec![SplitStep::new(position.clone(), word, 0, None)];
    while let Some(step) = steps.last_mut() {
        if step.at == word.len() && step.one.is_some() {
            return Some(steps.into_iter().filter_map(|step| step.one).collect());
        }
        let legal = step.position.legal_moves();
        let mut next = None;
        while step.next_length > 0 && next.is_none() {
            let end = step.at + step.next_length;
            step.next_length -= 1;
            let Some(piece) = word.get(step.at..end) else {
                continue;
            };
            // More than two ranks are more than one move; no need to look.
            let ranks = piece.bytes().filter(|byte| matches!(byte, b'1'..=b'8'));
            if ranks.count() > 2 {
                continue;
            }
            tries = tries.checked_sub(1)?;
            if let Ok(one) = single(&step.position, &legal, piece, language)
                && let Some(position) = play(&step.position, one.ply)
            {
                next = Some(SplitStep::new(position, word, end, Some(one)));
            }
        }
        match next {
            Some(next) => steps.push(next),
            None => {
                steps.pop();
            }
        }
    }
    None
}

/// How far one move can reach into this text, in bytes.
fn reach(text: &str) -> usize {
    // Wider than any single move of a glued word; long marks are rare there.
    const GLUED_CHARS_MAX: usize = parse::MOVE_CHARS_MAX / 2;
    text.char_indices()
        .nth(GLUED_CHARS_MAX)
        .map_or(text.len(), |(at, _)| at)
}

/// The length of a move number (`12.`, `12...`) at the start, in bytes.
fn number_length(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let dots = text[digits..]
        .bytes()
        .take_while(|&byte| byte == b'.')
        .count();
    if digits > 0 && dots > 0 && digits + dots < text.len() {
        digits + dots
    } else {
        0
    }
}
