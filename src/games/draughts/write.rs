//! Moves of draughts as text, and in lists: with what they take, in the order of the
//! board.

use super::{
    Draughts,
    notation::{fen as draughts_fen, moves::square::Numbering},
    replay::{DraughtsPly, code},
    rules::{DraughtsMove, board::cells_of, first_path, moves},
};
use crate::{
    base::record::MoveForm,
    games::{Budget, BudgetExceeded, ListStyle, ListedMove},
};

/// The text of a legal move: quiet moves have a hyphen, captures the sign of their kind.
/// Of a capture, the short form has from and to, and the complete way only where these fit several
/// moves (PDN 3.0's canonical form); the complete way is every square where it turns, and between
/// two jumps straight on the one directly behind the first captured piece.
///
/// # Errors
///
/// [`BudgetExceeded`] if the captures of the position are too many to determine whether the short
/// form is ambiguous.
pub fn write(
    at: &Draughts,
    written: &DraughtsMove,
    form: MoveForm,
    budget: Budget,
) -> Result<String, BudgetExceeded> {
    let (position, rules) = (&at.position, &at.variant.rules);
    let numbering = at.numbering_in(form);
    if !written.is_capture() {
        return Ok(squares(numbering, written.from, written.to, '-'));
    }
    let same_ends = |other: &&DraughtsMove| (other.from, other.to) == (written.from, written.to);
    let is_whole = written.captured.count_ones() > 1
        && (form == MoveForm::Full
            || moves(position, rules, budget)?
                .iter()
                .filter(same_ends)
                .count()
                > 1);
    let separator = at.variant.capture_separator;
    if is_whole && let Some(path) = first_path(position, rules, written, budget)? {
        let mut out = String::with_capacity(12);
        numbering.write(written.from, &mut out);
        for &cell in &path.landings {
            out.push(separator);
            numbering.write(cell, &mut out);
        }
        return Ok(out);
    }
    Ok(squares(numbering, written.from, written.to, separator))
}

/// Two squares with a sign between.
fn squares(numbering: Numbering, from: u8, to: u8, sign: char) -> String {
    let mut out = String::with_capacity(5);
    numbering.write(from, &mut out);
    out.push(sign);
    numbering.write(to, &mut out);
    out
}

/// A move as text.
pub(super) fn text(at: &Draughts, played: &DraughtsMove, form: MoveForm) -> String {
    write(at, played, form, Budget::default()).unwrap_or_else(|_| {
        // Too many captures to look at: the squares and what was taken determine it.
        let numbering = at.numbering_in(form);
        let ends = squares(
            numbering,
            played.from,
            played.to,
            at.variant.capture_separator,
        );
        let taken: Vec<String> = cells_of(played.captured)
            .map(|cell| numbering.name(cell))
            .collect();
        format!("{ends} <{}>", taken.join(","))
    })
}

/// The names of some moves of a position, at most that many, with commas between.
pub(super) fn names<'m>(
    at: &Draughts,
    moves: impl IntoIterator<Item = &'m DraughtsMove>,
    most: usize,
    budget: Budget,
) -> String {
    let mut names: Vec<String> = Vec::new();
    for m in moves {
        if names.len() == most {
            names.push("…".to_owned());
            break;
        }
        if let Ok(name) = write(at, m, MoveForm::Short, budget)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names.join(", ")
}

/// What happened at a ply, as text.
pub(super) fn step_text(before: &Draughts, step: &DraughtsPly, form: MoveForm) -> String {
    let numbering = before.numbering_in(form);
    match step {
        DraughtsPly::Move(played) => text(before, played, form),
        DraughtsPly::Null => "--".to_owned(),
        DraughtsPly::Setup(position) => {
            format!("/FEN \"{}\"/", draughts_fen::write(position, numbering))
        }
        DraughtsPly::Placement { from, to } => squares(numbering, *from, *to, '-'),
    }
}

/// What a list says of a move.
pub(super) fn listed(
    at: &Draughts,
    step: &DraughtsPly,
    style: ListStyle,
) -> Result<ListedMove, BudgetExceeded> {
    let DraughtsPly::Move(m) = step else {
        return Ok(ListedMove {
            text: step_text(at, step, style.form),
            ..ListedMove::default()
        });
    };
    let numbering = at.numbering_in(style.form);
    let mut taken: Vec<u8> = cells_of(m.captured).collect();
    taken.sort_by_key(|&cell| place(numbering, cell));
    let name = |cell: u8| {
        let is_king = at.position.at(cell).is_some_and(|piece| piece.king);
        format!("{}{}", if is_king { "K" } else { "" }, numbering.name(cell))
    };
    Ok(ListedMove {
        text: write(at, m, style.form, style.budget)?,
        uci: None,
        takes: Some(taken.into_iter().map(name).collect()),
        promotes: Some(m.promotes),
    })
}

/// The legal moves by where they begin and end.
pub(super) fn list(at: &Draughts, style: ListStyle) -> Result<Vec<ListedMove>, BudgetExceeded> {
    let numbering = at.numbering_in(style.form);
    let mut legal = moves(&at.position, &at.variant.rules, style.budget)?;
    legal.sort_by_key(|m| (place(numbering, m.from), place(numbering, m.to), m.captured));
    let listed = legal
        .into_iter()
        .map(|m| listed(at, &DraughtsPly::Move(m), style));
    listed.collect()
}

/// Where a square comes in a list: by file and rank, or by number.
const fn place(numbering: Numbering, cell: u8) -> (u8, u8) {
    if numbering.letters() {
        numbering.file_and_rank(cell)
    } else {
        (numbering.number(cell), 0)
    }
}

/// A position with the captures of every variant of its board, by their codes, its own
/// variant first: games of the others may have moves that it lacks.
fn in_each_variant(at: &Draughts) -> impl Iterator<Item = (Draughts, Vec<DraughtsMove>)> {
    let board = at.variant.rules.board;
    let others = super::rows::ALL
        .iter()
        .filter(move |other| other.rules.board == board && other.name != at.variant.name);
    std::iter::once(at.variant).chain(others).map(|variant| {
        let legal = moves(&at.position, &variant.rules, Budget::default());
        (Draughts { variant, ..*at }, legal.unwrap_or_default())
    })
}

/// The codes that several captures share, in any variant of the board: only what they take
/// distinguishes them.
pub(super) fn shared_codes(at: &Draughts) -> Vec<u16> {
    let board = at.variant.rules.board;
    let mut captures: Vec<(u16, u128)> = in_each_variant(at)
        .flat_map(|(_, legal)| legal)
        // A code of at most one captured piece says all there is.
        .filter(|m| m.captured.count_ones() > 1)
        .map(|m| (code::of_move(board, &m), m.captured))
        .collect();
    captures.sort_unstable();
    captures.dedup();
    let shared = captures.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    shared.map(|pair| pair[0].0).collect()
}

/// The name of a ply by its code and what it takes (0: not given), short and in full.
pub(super) fn named(at: &Draughts, code: u16, taken: u128) -> [String; 2] {
    let board = at.variant.rules.board;
    for (here, legal) in in_each_variant(at) {
        let mut found = legal.iter().filter(|m| taken == 0 || m.captured == taken);
        if let Some(played) = found.find(|m| code::of_move(board, m) == code) {
            return [MoveForm::Short, MoveForm::Full].map(|form| text(&here, played, form));
        }
    }
    let name = match code::ends(board, code) {
        Some((from, to)) => squares(at.numbering(), from, to, '-'),
        None if code == code::NULL => "...".to_owned(),
        None => "(set up)".to_owned(),
    };
    [name.clone(), name]
}
