//! Moves glued together, and results glued to moves.

use super::{One, Playable, Ply, Resolved, parse, play, single};
use crate::{base::diagnostic::Code, games::notation::letters::Language};

/// Terminations that may be glued to a move; longer ones first.
const RESULTS: &[&str] = &[
    "1/2-1/2", "½-½", "1-0", "0-1", "1–0", "0–1", "1/2", "½", "*",
];

/// How often a piece of a word may be tried, per byte of the word: keeps the
/// work linear however the word is made.
const TRIES_PER_BYTE: usize = 8;

/// A place up to which the word is read.
struct Step<P> {
    position: P,
    at: usize,
    /// Length of the next piece to try, in bytes; shorter ones follow.
    next_length: usize,
    ply: Option<Ply>,
    findings: Vec<Code>,
}

/// Splits a word where every piece is a legal ply, longest pieces first.
pub(super) fn split<'w, P: Playable>(
    position: &P,
    word: &'w str,
    language: Option<&Language>,
) -> Option<Resolved<'w>> {
    let (moves, result) = cut_result(word);
    let plies = split_moves(position, moves, language);
    if let Some((plies, mut findings)) = plies {
        if plies.len() > 1 || result.is_some() {
            note(&mut findings, Code::MoveGlued);
        }
        return Some(Resolved {
            plies,
            trailing_result: result,
            findings,
        });
    }
    None
}

fn cut_result(word: &str) -> (&str, Option<&str>) {
    for result in RESULTS {
        if let Some(rest) = word.strip_suffix(result)
            && !rest.is_empty()
        {
            return (rest, Some(&word[rest.len()..]));
        }
    }
    (word, None)
}

fn split_moves<P: Playable>(
    position: &P,
    word: &str,
    language: Option<&Language>,
) -> Option<(Vec<Ply>, Vec<Code>)> {
    let mut tries = 256 + word.len().saturating_mul(TRIES_PER_BYTE);
    let start = number_length(word);
    let mut steps = vec![Step {
        position: position.clone(),
        at: start,
        next_length: reach(&word[start..]),
        ply: None,
        findings: Vec::new(),
    }];
    while let Some(step) = steps.last_mut() {
        if step.at == word.len() && step.ply.is_some() {
            let mut findings = Vec::new();
            for code in steps.iter().flat_map(|step| &step.findings) {
                note(&mut findings, *code);
            }
            return Some((steps.iter().filter_map(|step| step.ply).collect(), findings));
        }
        let legal = step.position.legal_moves();
        let mut next = None;
        while step.next_length > 0 && next.is_none() {
            let length = step.next_length;
            step.next_length -= 1;
            if !word.is_char_boundary(step.at + length) {
                continue;
            }
            let piece = &word[step.at..step.at + length];
            // More than two ranks are more than one move; no need to look.
            if piece
                .bytes()
                .filter(|byte| matches!(byte, b'1'..=b'8'))
                .count()
                > 2
            {
                continue;
            }
            tries = tries.checked_sub(1)?;
            if let Ok(One { ply, findings }) = single(&step.position, &legal, piece, language)
                && let Some(position) = play(&step.position, ply)
            {
                let mut at = step.at + length;
                at += number_length(&word[at..]);
                let next_length = reach(&word[at..]);
                next = Some(Step {
                    position,
                    at,
                    next_length,
                    ply: Some(ply),
                    findings,
                });
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

fn note(findings: &mut Vec<Code>, code: Code) {
    if !findings.contains(&code) {
        findings.push(code);
    }
}
