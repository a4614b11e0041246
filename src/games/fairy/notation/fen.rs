//! FEN in and out.

use super::{cased, letter, role};
use crate::{
    base::diagnostic::Code,
    games::{
        chess::notation::fen::Fields,
        fairy::{
            rows::FairyVariant,
            rules::{
                FairyPosition, Reserve, SetupError,
                piece::{self, ARCHBISHOP, CHANCELLOR, KING, NONE, PAWN, ROOK},
            },
        },
        grid::OFF,
        notation::fen::{self, FenError, FenField, PlacementFacts},
        text::FenReading,
    },
};

/// Who moves: White may be Red.
const SIDES: &[(&str, u8)] = &[
    ("w", 0),
    ("b", 1),
    ("white", 0),
    ("black", 1),
    ("r", 0),
    ("red", 0),
];

/// The side to move where White may be Red.
const TURN: FenField = FenField {
    allowed: "are w (or r) and b",
    ..fen::TURN
};

/// Castling rights, which may be gates.
const CASTLING: FenField = FenField {
    word: "castling",
    name: "castling rights (third field of the FEN) are",
    allowed: "are KQkq, the letters of files, or -",
};

/// Reads a FEN leniently; every repair is a warning, absent fields have the values of
/// `w - - 0 1`. In xiangqi a general that could be
/// taken at once is one too, and the fields of castling and en passant may be left out.
///
/// ```
/// use plydex::games::{fairy::notation::fen, variant::Variant};
/// for (name, text) in [
///     ("gothic", "rnbqckabnr/pppppppppp/55/91/19/10/PPPPPPPPPP/RNBQCKABNR w JAja -"),
///     ("xiangqi", "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r"),
/// ] {
///     let row = Variant::by_name(name).unwrap().fairy().unwrap();
///     let read = fen::read(row, text).unwrap();
///     assert_eq!(fen::write(row, &read.0), row.start_fen);
/// }
/// ```
///
/// # Errors
///
/// [`FenError`] where a field cannot be read or the pieces cannot stand so.
pub fn read(variant: &'static FairyVariant, text: &str) -> FenReading<FairyPosition> {
    let mut warnings = Vec::new();
    let words = fen::words(text, &mut warnings);
    let (&first, rest) = words.split_first().ok_or(FenError::Empty)?;
    if rest.len() < 5 {
        warnings.push(Code::MissingFields);
    }
    let between = rest.get(1..).unwrap_or_default();
    // Xiangqi has neither castling nor en passant, so their fields may be missing.
    let skipped = if variant.is_eastern() {
        between
            .iter()
            .take(2)
            .take_while(|word| fen::is_dash(word))
            .count()
    } else {
        between.len().min(2)
    };
    let counters = &between[skipped..];
    let fields = Fields {
        turn: !rest.is_empty(),
        castling: skipped > 0,
        ep: skipped > 1,
        counters: !counters.is_empty(),
    };
    let mut setup = FairyPosition::empty(&variant.facts);
    placement(variant, first, &mut setup, &mut warnings)?;
    if let Some(word) = rest.first() {
        setup.turn = fen::turn(word, SIDES, &TURN, &mut warnings)?;
    }
    let mut rooks = [const { Vec::new() }; 2];
    let mut is_void = false;
    if let [word, ..] = &between[..skipped] {
        is_void = castling(variant, word, (&mut setup, &mut rooks), &mut warnings)?;
    }
    let mut passed = None;
    if let [_, word] = &between[..skipped]
        && !fen::is_dash(word)
    {
        passed = match square(variant, &word.to_ascii_lowercase()) {
            Some((square, "")) => Some(square),
            _ => return Err(FenError::field(&fen::EN_PASSANT, word)),
        };
    }
    setup.counters = fen::counters(counters, &mut warnings)?;
    let (position, dropped) = setup
        .set_up(&rooks, passed)
        .map_err(|error| impossible(variant, error))?;
    for (happened, code) in [
        (dropped.castling || is_void, Code::CastlingDropped),
        (dropped.passed, Code::EpInvalid),
        (dropped.not_capturable, Code::EpNotCapturable),
        (dropped.king_hangs, Code::ImpossibleCheck),
    ] {
        if happened {
            warnings.push(code);
        }
    }
    Ok((position, fields, warnings))
}

/// Reads what stands on the board and in the reserve.
fn placement(
    variant: &FairyVariant,
    text: &str,
    setup: &mut FairyPosition,
    warnings: &mut Vec<Code>,
) -> Result<(), FenError> {
    let grid = variant.facts.board.grid;
    let reserve = variant.facts.reserve;
    let (text, pocket) = fen::split_pocket(text, grid.ranks, reserve == Reserve::Hand);
    fen::read_pocket(pocket, |c| {
        let side = u8::from(c.is_ascii_lowercase());
        role(variant, c).is_some_and(|role| setup.add_to_reserve(side, role))
    })?;
    // Marshall and Cardinal are one set of names: beside an M, C is no chancellor.
    let has = |letter: char| text.contains([letter, letter.to_ascii_lowercase()]);
    let is_cardinal = has('M') && has('C') && !has('A') && !variant.is_eastern();
    let role = |c: char| match c {
        'C' | 'c' if is_cardinal => Some(ARCHBISHOP),
        _ => role(variant, c),
    };
    let shape = PlacementFacts {
        files: grid.files,
        ranks: grid.ranks,
        letters: variant.letters,
    };
    fen::read_placement(text, shape, warnings, |file, rank, rest| {
        let c = rest.chars().next()?;
        let square = grid.at(file, rank);
        if c == '~' {
            setup.promoted |= 1 << square;
            return (reserve == Reserve::Hand).then_some(1);
        }
        let side = u8::from(c.is_ascii_lowercase());
        setup.put(square, piece::of(side, role(c)?));
        Some(1)
    })
}

fn impossible(variant: &FairyVariant, error: SetupError) -> FenError {
    match error {
        SetupError::Kings([white, black]) if variant.is_eastern() => {
            let text = format!(
                "Red has {white} generals and Black {black}; each side must have exactly one"
            );
            FenError::impossible("kings", text)
        }
        SetupError::Kings([white, black]) => FenError::kings(white.into(), black.into()),
        SetupError::Palace => FenError::impossible("kings", "a general stands outside its palace"),
        SetupError::PawnOnEdge => {
            FenError::impossible("pawn-backrank", "a pawn stands on the first or last rank")
        }
        SetupError::OppositeCheck => FenError::impossible(
            "opposite-check",
            "a king is in check, but the other side is to move",
        ),
    }
}

/// Reads castling rights as rook squares, or gates; whether some have no rook.
fn castling(
    variant: &FairyVariant,
    text: &str,
    (setup, known): (&mut FairyPosition, &mut [Vec<u8>; 2]),
    warnings: &mut Vec<Code>,
) -> Result<bool, FenError> {
    if fen::is_dash(text) {
        return Ok(false);
    }
    let grid = variant.facts.board.grid;
    let mut is_void = false;
    for c in text.chars() {
        let side = u8::from(c.is_ascii_lowercase());
        let rank = if side == 0 { 0 } else { grid.ranks - 1 };
        let at = |file| setup.at(grid.at(file, rank));
        let rooks = || (0..grid.files).filter(|&file| at(file) == piece::of(side, ROOK));
        let king = (0..grid.files).find(|&file| at(file) == piece::of(side, KING));
        let named = (c.to_ascii_lowercase() as u32).wrapping_sub(u32::from(b'a'));
        let file = match c {
            'K' | 'k' => rooks().next_back().filter(|&file| Some(file) > king),
            'Q' | 'q' => rooks().next().filter(|&file| Some(file) < king),
            _ if named < u32::from(grid.files) => {
                if variant.facts.reserve == Reserve::Gates {
                    setup.gates[usize::from(side)] |= 1 << named;
                    continue;
                }
                Some(named as u8)
            }
            _ => return Err(FenError::field(&CASTLING, text)),
        };
        let Some(file) = file else {
            is_void = true;
            continue;
        };
        let rook = grid.at(file, rank);
        let known = &mut known[usize::from(side)];
        if known.contains(&rook) {
            warnings.push(Code::CastlingDuplicate);
        } else {
            known.push(rook);
        }
    }
    Ok(is_void)
}

/// The square that a text begins with, and what follows it.
pub(super) fn square<'t>(variant: &FairyVariant, text: &'t str) -> Option<(u8, &'t str)> {
    let grid = variant.facts.board.grid;
    let (file, rank, rest) = file_and_rank(variant, text)?;
    let square = grid.at(file, rank.wrapping_sub(1));
    (square != OFF).then_some((square, rest))
}

/// The file, from 0, and the rank as written that a text begins with, and what follows.
pub(super) fn file_and_rank<'t>(
    variant: &FairyVariant,
    text: &'t str,
) -> Option<(u8, u8, &'t str)> {
    let grid = variant.facts.board.grid;
    let file = text.bytes().next()?.wrapping_sub(b'a');
    let (rank, rest) = rank(variant, text.get(1..)?)?;
    (file < grid.files).then_some((file, rank, rest))
}

/// The rank as written that a text begins with, and what follows it.
pub(super) fn rank<'t>(variant: &FairyVariant, text: &'t str) -> Option<(u8, &'t str)> {
    let most = if variant.facts.board.grid.ranks > 9 {
        2
    } else {
        1
    };
    let digits = text
        .bytes()
        .take(most)
        .take_while(u8::is_ascii_digit)
        .count();
    let rank = text[..digits].parse().ok()?;
    (rank <= variant.facts.board.grid.ranks).then_some((rank, &text[digits..]))
}

/// The position as FEN, castling in the spelling of X-FEN.
pub fn write(variant: &FairyVariant, position: &FairyPosition) -> String {
    assemble(variant, position, false)
}

/// The position as Shredder-FEN: castling by the files of the rooks.
pub fn write_shredder(variant: &FairyVariant, position: &FairyPosition) -> String {
    assemble(variant, position, true)
}

fn assemble(variant: &FairyVariant, position: &FairyPosition, by_file: bool) -> String {
    let grid = variant.facts.board.grid;
    let at = |file, rank| Some(grid.at(file, rank)).filter(|&square| position.at(square) != NONE);
    let mut out = fen::write_placement(grid.files, grid.ranks, at, |square, out| {
        let piece = position.at(square);
        out.push(cased(
            letter(variant.letters, piece::role(piece)),
            piece::side(piece),
        ));
        if position.is_promoted(square) {
            out.push('~');
        }
    });
    if variant.facts.reserve != Reserve::None {
        out.push('[');
        for side in 0..2 {
            push_reserve(variant, position, side, &mut out);
        }
        out.push(']');
    }
    out.push_str(if position.turn == 0 { " w " } else { " b " });
    let rights = out.len();
    for side in 0..2 {
        push_rights(variant, position, side, by_file, &mut out);
    }
    if out.len() == rights {
        out.push('-');
    }
    out.push(' ');
    match position.en_passant() {
        Some(square) => super::write::push_square(variant, square, &mut out),
        None => out.push('-'),
    }
    let (halfmoves, fullmoves) = position.counters;
    out + &format!(" {halfmoves} {fullmoves}")
}

/// What a side has in reserve: compound pieces first, pawns last.
fn push_reserve(variant: &FairyVariant, position: &FairyPosition, side: u8, out: &mut String) {
    let compounds = [ARCHBISHOP, CHANCELLOR].into_iter();
    for role in compounds.chain((PAWN..KING).rev()) {
        let letter = cased(letter(variant.letters, role), side);
        out.extend((0..position.in_reserve(side, role)).map(|_| letter));
    }
}

fn push_rights(
    variant: &FairyVariant,
    position: &FairyPosition,
    side: u8,
    by_file: bool,
    out: &mut String,
) {
    let grid = variant.facts.board.grid;
    let has_gates = variant.facts.reserve == Reserve::Gates;
    let rank = if side == 0 { 0 } else { grid.ranks - 1 };
    let mut gates = position.gates(side);
    let is_rook = |file: &u8| position.at(grid.at(*file, rank)) == piece::of(side, ROOK);
    for (wing, word) in ['K', 'Q'].into_iter().enumerate() {
        let Some(rook) = position.castling_rook(side, wing) else {
            continue;
        };
        let file = grid.file(rook);
        let outermost = if wing == 0 {
            (0..grid.files).rfind(is_rook)
        } else {
            (0..grid.files).find(is_rook)
        };
        let by_word = has_gates || !by_file && outermost == Some(file);
        let letter = if by_word {
            word
        } else {
            char::from(b'A' + file)
        };
        out.push(cased(letter, side));
        if let (true, Some(king)) = (gates != 0, position.king(side)) {
            gates &= !(1 << file | 1 << grid.file(king));
        }
    }
    for file in (0..8).filter(|file| gates >> file & 1 == 1) {
        out.push(cased(char::from(b'A' + file), side));
    }
}
