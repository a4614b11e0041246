//! Which legal move a text means.
//!
//! Texts are taken apart into what they say, and the legal moves that fit are
//! counted: the variants are rare enough for that.

use super::{
    MoveError,
    fen::{file_and_rank, rank, square},
    role, wxf,
};
use crate::games::{
    fairy::{
        rows::FairyVariant,
        rules::{
            FairyPly, FairyPlyKind, FairyPosition,
            piece::{self, KING, PAWN},
        },
    },
    grid::OFF,
};

/// How the ranks of coordinates are numbered, in xiangqi. A file has one way: the first move of a
/// game shows it, since it is not legal if read in the other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranks {
    /// From 0, as ICCS has them: `H2-E2`.
    FromZero,
    /// From 1, as UCI has them: `h3e3`.
    FromOne,
    /// Not known: capital letters with a hyphen are ICCS; otherwise what is legal
    /// in one way only.
    #[default]
    Either,
}

/// What a text says of a move.
#[derive(Debug, Clone, Copy, Default)]
struct FairyMoveText {
    /// Castling, with the rook on the king's h-side (0) or a-side (1).
    castling: Option<usize>,
    role: Option<u8>,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: u8,
    /// The role of a promotion, or of what comes in.
    becomes: Option<u8>,
    /// The square on which something comes in while castling.
    gate: Option<u8>,
    /// Whether the piece comes from the hand.
    is_drop: bool,
}

/// The legal move of a text: SAN, long forms (`e2-e4`, `Ng1-f3`), drops (`N@f3`) and the
/// moves of engines (`f1i1` or `f1j1` for castling); in xiangqi coordinates of either
/// numbering and WXF as well. Signs of check and strength are ignored; `--` and its like
/// are null moves.
///
/// ```
/// use plydex::games::{fairy::notation::{self, Ranks}, variant::Variant};
/// let variant = Variant::by_name("capablanca").unwrap().fairy().unwrap();
/// let mut position = notation::fen::read(variant, variant.start_fen).unwrap().0;
/// for text in ["Ci3", "i7i6", "e2-e4!"] {
///     position.play(notation::resolve(variant, &position, text, Ranks::FromOne).unwrap());
/// }
/// assert_eq!(position.turn, 1);
/// ```
///
/// # Errors
///
/// [`MoveError`].
pub fn resolve(
    variant: &FairyVariant,
    position: &FairyPosition,
    text: &str,
    ranks: Ranks,
) -> Result<FairyPly, MoveError> {
    match resolve_all(variant, position, text, ranks)?[..] {
        [ply] => Ok(ply),
        _ => Err(MoveError::Ambiguous),
    }
}

/// Every legal move that a text can mean, as [`resolve`] reads it; there is one at least.
///
/// # Errors
///
/// [`MoveError`].
pub fn resolve_all(
    variant: &FairyVariant,
    position: &FairyPosition,
    text: &str,
    ranks: Ranks,
) -> Result<Vec<FairyPly>, MoveError> {
    let text = bare(text);
    let is_eastern = variant.is_eastern();
    let is_null = matches!(text, "--" | "Z0" | "null" | "pass" | "@@@@" | "0000");
    if is_null || is_eastern && text == "-" {
        return if position.is_check() {
            Err(MoveError::Illegal)
        } else {
            Ok(vec![FairyPly::NULL])
        };
    }
    let squares = two_squares(variant, text);
    if is_eastern {
        if let Some((squares, "")) = squares {
            let found = by_squares(variant, position, text, squares, ranks);
            return found.map(|ply| vec![ply]);
        }
        if let Some(said) = wxf::parse(variant, text) {
            return fitting(position, |ply| wxf::fits(position, ply, &said));
        }
    }
    let told = castling(variant, text)
        .or_else(|| coordinates(variant, position, squares?))
        .or_else(|| drop(variant, text));
    let mut said: Vec<FairyMoveText> = told.into_iter().collect();
    if said.is_empty() {
        said = first_ranks(variant, ranks)
            .flat_map(|first_rank| lettered(variant, text, first_rank))
            .collect();
        if text.starts_with('b') && !is_eastern {
            // A bishop in lower case, if no pawn of the b-file can do it.
            said.extend(san(variant, &text.replacen('b', "B", 1), 1));
        }
    }
    if said.is_empty() {
        return Err(MoveError::Unreadable);
    }
    let found = said
        .iter()
        .find_map(|said| fitting(position, |ply| fits(position, ply, said)).ok());
    found.ok_or(MoveError::Illegal)
}

/// The one castling that is legal, where a text names that with the other rook.
pub(in crate::modules::games::fairy) fn other_castling(
    variant: &FairyVariant,
    position: &FairyPosition,
    text: &str,
) -> Option<FairyPly> {
    let said = castling(variant, bare(text))?;
    let other = FairyMoveText {
        castling: said.castling.map(|wing| 1 - wing),
        ..said
    };
    let found = fitting(position, |ply| {
        fits(position, ply, &other) || fits(position, ply, &said)
    });
    match found.ok()?[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The numbers that the first rank can have in moves with letters, the likelier one first.
fn first_ranks(variant: &FairyVariant, ranks: Ranks) -> impl Iterator<Item = u8> {
    let numbers: &[u8] = match ranks {
        _ if !variant.is_eastern() => &[1],
        Ranks::FromZero => &[0],
        Ranks::FromOne => &[1],
        Ranks::Either => &[1, 0],
    };
    numbers.iter().copied()
}

/// What a move with the letter of its piece says, the likeliest first; in xiangqi also that of a
/// soldier without one, as `WinBoard` writes it.
fn lettered(
    variant: &FairyVariant,
    text: &str,
    first_rank: u8,
) -> impl Iterator<Item = FairyMoveText> {
    let soldier = soldier(variant, text, first_rank);
    let along = soldier
        .filter(|said| said.from_file.is_none())
        .map(|said| FairyMoveText {
            from_file: Some(variant.facts.board.grid.file(said.to)),
            ..said
        });
    [along, soldier, san(variant, text, first_rank)]
        .into_iter()
        .flatten()
}

/// Whether a text can only be the move of a soldier of xiangqi without its letter. Alone it says
/// nothing: that is how pawns of chess are written.
pub(in crate::modules::games::fairy) fn is_soldier(variant: &FairyVariant, text: &str) -> bool {
    [0, 1]
        .iter()
        .any(|&rank| soldier(variant, bare(text), rank).is_some())
}

/// Reads the move of a soldier of xiangqi without its letter: `c5`, `cxd5`.
fn soldier(variant: &FairyVariant, text: &str, first_rank: u8) -> Option<FairyMoveText> {
    let first = text.bytes().next()?;
    if !variant.is_eastern() || !first.is_ascii_lowercase() {
        return None;
    }
    let said = |text: &str| match square_from(variant, text, first_rank) {
        Some((to, "")) => Some(FairyMoveText {
            role: Some(PAWN),
            to,
            ..FairyMoveText::default()
        }),
        _ => None,
    };
    said(text).or_else(|| {
        let from_file = Some(first - b'a').filter(|&file| file < variant.facts.board.grid.files)?;
        let said = said(text[1..].trim_start_matches(['x', '-', ':']))?;
        Some(FairyMoveText {
            from_file: Some(from_file),
            ..said
        })
    })
}

/// The square that a text begins with, and what follows it; the first rank has that number.
fn square_from<'t>(variant: &FairyVariant, text: &'t str, first_rank: u8) -> Option<(u8, &'t str)> {
    let (file, rank, rest) = file_and_rank(variant, text)?;
    let grid = variant.facts.board.grid;
    let square = grid.at(file, rank.wrapping_sub(first_rank));
    (square != OFF).then_some((square, rest))
}

/// A text without signs of check, of strength and of en passant.
fn bare(text: &str) -> &str {
    let text = text.trim_end_matches(['+', '#', '!', '?', '‼', '⁇', '⁉', '⁈']);
    text.strip_suffix("e.p.")
        .or_else(|| text.strip_suffix("ep"))
        .unwrap_or(text)
        .trim_end()
}

/// The legal moves that fit.
fn fitting(
    position: &FairyPosition,
    mut fits: impl FnMut(FairyPly) -> bool,
) -> Result<Vec<FairyPly>, MoveError> {
    let found: Vec<FairyPly> = position
        .legal()
        .into_iter()
        .filter(|&ply| fits(ply))
        .collect();
    if found.is_empty() {
        return Err(MoveError::Illegal);
    }
    Ok(found)
}

fn fits(position: &FairyPosition, ply: FairyPly, said: &FairyMoveText) -> bool {
    let grid = position.grid();
    if let Some(wing) = said.castling {
        let gate_fits = match ply.way {
            FairyPlyKind::CastlingGating { at_rook, .. } => said
                .gate
                .is_none_or(|gate| gate == if at_rook { ply.to } else { ply.from }),
            _ => true,
        };
        return ply.way.is_castling()
            && usize::from(ply.to < ply.from) == wing
            && ply.way.gated() == said.becomes
            && gate_fits;
    }
    let becomes = match ply.way {
        FairyPlyKind::Castling | FairyPlyKind::CastlingGating { .. } => return false,
        FairyPlyKind::Drop(role) => {
            return said.is_drop && ply.to == said.to && said.role == Some(role);
        }
        FairyPlyKind::Promotion(role) | FairyPlyKind::Gating(role) => Some(role),
        FairyPlyKind::Plain => None,
    };
    let is = |said: Option<u8>, it: u8| said.is_none_or(|said| said == it);
    !said.is_drop
        && ply.to == said.to
        && becomes == said.becomes
        && is(said.role, piece::role(position.at(ply.from)))
        && is(said.from_file, grid.file(ply.from))
        && is(said.from_rank, grid.rank(ply.from))
}

/// Reads castling in any of its letters, with what comes in: `0-0`, `O-O-O/Ha1`.
fn castling(variant: &FairyVariant, text: &str) -> Option<FairyMoveText> {
    let (text, gate) = match text.split_once('/') {
        Some((text, gate)) => (text, Some(gate)),
        None => (text, None),
    };
    let is_o = |c| matches!(c, 'O' | '0' | 'o' | 'Ο' | 'О' | 'о');
    let is_dash = |c| matches!(c, '-' | '–' | '—' | '−' | '‐' | '‑');
    if !text.chars().all(|c| is_o(c) || is_dash(c)) {
        return None;
    }
    let wing = match text.chars().filter(|&c| is_o(c)).count() {
        2 => 0,
        3 => 1,
        _ => return None,
    };
    let mut said = FairyMoveText {
        castling: Some(wing),
        ..FairyMoveText::default()
    };
    if let Some(gate) = gate {
        let mut chars = gate.chars();
        said.becomes = Some(chars.next().and_then(|c| role(variant, c))?);
        let place = chars.as_str();
        if !place.is_empty() {
            said.gate = Some(whole_square(variant, place)?);
        }
    }
    Some(said)
}

fn whole_square(variant: &FairyVariant, text: &str) -> Option<u8> {
    let (square, rest) = square(variant, text)?;
    rest.is_empty().then_some(square)
}

/// Two squares as files from 0 and ranks as written.
type SquarePair = [(u8, u8); 2];

/// Reads two squares, and what follows them: `e2e4`, `E2E4`, `e7e8=c`.
fn two_squares<'t>(variant: &FairyVariant, text: &'t str) -> Option<(SquarePair, &'t str)> {
    let lower = text.to_ascii_lowercase();
    let (file, rank, rest) = file_and_rank(variant, &lower)?;
    let bare = rest.trim_start_matches(['-', 'x', ':']);
    // `A2j4` is an archbishop of the second rank, `A2J4` two squares.
    let second = text.as_bytes().get(lower.len() - bare.len())?;
    if text.as_bytes()[0].is_ascii_uppercase() && second.is_ascii_lowercase() {
        return None;
    }
    let (to_file, to_rank, rest) = file_and_rank(variant, bare)?;
    let behind = &text[lower.len() - rest.len()..];
    Some(([(file, rank), (to_file, to_rank)], behind))
}

/// Whether a text names squares, whose ranks may be numbered in either way.
fn names_squares(variant: &FairyVariant, text: &str) -> bool {
    let text = bare(text);
    matches!(two_squares(variant, text), Some((_, "")))
        || first_ranks(variant, Ranks::Either)
            .any(|first_rank| lettered(variant, text, first_rank).next().is_some())
}

/// The move of two squares whose ranks may be numbered in either way.
fn by_squares(
    variant: &FairyVariant,
    position: &FairyPosition,
    text: &str,
    squares: SquarePair,
    ranks: Ranks,
) -> Result<FairyPly, MoveError> {
    let grid = variant.facts.board.grid;
    let find = |first_rank: u8| {
        let [from, to] = squares.map(|(file, rank)| grid.at(file, rank.wrapping_sub(first_rank)));
        let ply = FairyPly::plain(from, to);
        (from != OFF && to != OFF && position.is_legal(ply)).then_some(ply)
    };
    let is_iccs = text.contains('-') && text.starts_with(|c: char| c.is_ascii_uppercase());
    let (zero, one) = match ranks {
        Ranks::FromZero => (find(0), None),
        Ranks::FromOne => (None, find(1)),
        Ranks::Either if is_iccs => (find(0), None),
        Ranks::Either => (find(0), find(1)),
    };
    match (zero, one) {
        (Some(_), Some(_)) => Err(MoveError::Ambiguous),
        (zero, one) => zero.or(one).ok_or(MoveError::Illegal),
    }
}

/// What two squares and what follows them say; castling, too.
fn coordinates(
    variant: &FairyVariant,
    position: &FairyPosition,
    (squares, behind): (SquarePair, &str),
) -> Option<FairyMoveText> {
    let grid = variant.facts.board.grid;
    let [from, to] = squares.map(|(file, rank)| grid.at(file, rank.wrapping_sub(1)));
    if from == OFF || to == OFF {
        return None;
    }
    let mut said = FairyMoveText {
        from_file: Some(grid.file(from)),
        from_rank: Some(grid.rank(from)),
        to,
        ..FairyMoveText::default()
    };
    becomes(variant, behind, &mut said)?;
    let turn = position.turn;
    let king = position.king(turn)?;
    for wing in 0..2 {
        let Some(rook) = position.castling_rook(turn, wing) else {
            continue;
        };
        let by_rook = (from, to) == (king, rook) || (from, to) == (rook, king);
        let by_king = from == king
            && to == position.castled_king(king, rook)
            && piece::role(position.at(from)) == KING
            && grid.file(from).abs_diff(grid.file(to)) > 1;
        if by_rook || by_king {
            let gate = (by_rook || said.becomes.is_some()).then_some(from);
            return Some(FairyMoveText {
                castling: Some(wing),
                gate,
                ..said
            });
        }
    }
    Some(said)
}

/// Reads what follows the squares of a move, a promotion or what comes in: nothing, `=Q`,
/// `/H`, `(Q)`.
fn becomes(variant: &FairyVariant, text: &str, said: &mut FairyMoveText) -> Option<()> {
    let letter = text
        .trim_start_matches(['+', '#', '=', '/', '('])
        .trim_end_matches(')');
    let mut chars = letter.chars();
    if let Some(c) = chars.next() {
        said.becomes = Some(role(variant, c)?);
    }
    chars.next().is_none().then_some(())
}

/// Reads a drop: `N@f3`, `@f3` of a pawn.
fn drop(variant: &FairyVariant, text: &str) -> Option<FairyMoveText> {
    let (piece, place) = text.split_once('@')?;
    let mut chars = piece.chars();
    let role = match (chars.next(), chars.next()) {
        (None, _) => PAWN,
        (Some(c), None) => role(variant, c)?,
        _ => return None,
    };
    Some(FairyMoveText {
        role: Some(role),
        to: whole_square(variant, &place.to_ascii_lowercase())?,
        is_drop: true,
        ..FairyMoveText::default()
    })
}

/// Reads SAN and its long form; the first rank has that number.
fn san(variant: &FairyVariant, text: &str, first_rank: u8) -> Option<FairyMoveText> {
    let grid = variant.facts.board.grid;
    let mut said = FairyMoveText::default();
    let mut rest = text;
    let first = text.chars().next()?;
    said.role = Some(PAWN);
    if first.is_ascii_uppercase() || variant.is_eastern() {
        said.role = Some(role(variant, first)?);
        rest = &text[1..];
    }
    // The target is the last square; what follows is a promotion or a gate.
    let mut places = (0..rest.len())
        .rev()
        .filter(|&at| rest.is_char_boundary(at));
    let (at, (to, behind)) =
        places.find_map(|at| Some((at, square_from(variant, &rest[at..], first_rank)?)))?;
    said.to = to;
    becomes(variant, behind, &mut said)?;
    let mut before = rest[..at].trim_end_matches(['x', 'X', ':', '×', '-', '–']);
    if let Some(file) = before.bytes().next().filter(u8::is_ascii_lowercase) {
        said.from_file = Some(file - b'a').filter(|&file| file < grid.files);
        said.from_file?;
        before = &before[1..];
    }
    if !before.is_empty() {
        let (from_rank, "") = rank(variant, before)? else {
            return None;
        };
        said.from_rank = Some(from_rank.wrapping_sub(first_rank));
    }
    if said.role == Some(PAWN) && said.from_file.is_none() && !variant.is_eastern() {
        // Not a capture: a pawn comes along its own file.
        said.from_file = Some(grid.file(said.to));
    }
    Some(said)
}

/// How the ranks of coordinates are numbered in a line: the way that makes more of it legal.
pub fn ranks_of<'w>(
    variant: &FairyVariant,
    start: &FairyPosition,
    words: impl Iterator<Item = &'w str> + Clone,
) -> Ranks {
    if !variant.is_eastern() || !words.clone().any(|word| names_squares(variant, word)) {
        return Ranks::Either;
    }
    let (mut from_zero, mut from_one) = (*start, *start);
    let mut is_iccs = false;
    for word in words {
        let zero = resolve(variant, &from_zero, word, Ranks::FromZero);
        let one = resolve(variant, &from_one, word, Ranks::FromOne);
        match (zero, one) {
            (Ok(zero), Ok(one)) => {
                from_zero.play(zero);
                from_one.play(one);
            }
            (Ok(_), Err(_)) => return Ranks::FromZero,
            (Err(_), Ok(_)) => return Ranks::FromOne,
            (Err(MoveError::Unreadable), Err(MoveError::Unreadable)) => {}
            (Err(_), Err(_)) => break,
        }
        is_iccs |= word.contains('-') && word.starts_with(|c: char| ('A'..='I').contains(&c));
    }
    // Legal in both ways: as it looks.
    if is_iccs && from_zero != from_one {
        Ranks::FromZero
    } else {
        Ranks::FromOne
    }
}
