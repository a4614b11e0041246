//! SAN as the export format writes it, resolved on the import's board without
//! detours. Whatever is written otherwise, or does not fit, is left to the
//! lenient reader, which also says what is wrong.

use crate::games::chess::basics::Position;

use crate::games::chess::rules::{ChessBoard, Ply, PlyKind, piece};

const ANY: u64 = u64::MAX;
const FILE_A: u64 = 0x0101_0101_0101_0101;

#[inline]
fn file(byte: u8) -> Option<u8> {
    let file = byte.wrapping_sub(b'a');
    (file < 8).then_some(file)
}

#[inline]
fn rank(byte: u8) -> Option<u8> {
    let rank = byte.wrapping_sub(b'1');
    (rank < 8).then_some(rank)
}

#[inline]
fn square(name: [u8; 2]) -> Option<u8> {
    Some(rank(name[1])? << 3 | file(name[0])?)
}

/// Reads one move in export-format SAN (PGN 8.2.3), check marks optional and
/// not verified. `None` if it is spelled otherwise or not (uniquely) legal.
#[inline]
pub fn resolve(board: &ChessBoard, word: &[u8]) -> Option<Ply> {
    let word = match word {
        [head @ .., b'+' | b'#'] => head,
        _ => word,
    };
    match *word {
        [f, r] => board.find_pawn(square([f, r])?, None, piece::NONE),
        [
            letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'),
            ref from @ ..,
            f,
            r,
        ] => {
            let to = square([f, r])?;
            let (from, captures) = match from {
                [head @ .., b'x'] => (head, true),
                _ => (from, false),
            };
            if captures != (board.pieces()[usize::from(to)] != piece::NONE) {
                return None;
            }
            let from = match *from {
                [] => ANY,
                [hint] => match (file(hint), rank(hint)) {
                    (Some(file), _) => FILE_A << file,
                    (_, Some(rank)) => 0xff << (rank * 8),
                    _ => return None,
                },
                [f, r] => 1 << square([f, r])?,
                _ => return None,
            };
            // A call for each role, so that each is compiled for its own.
            match letter {
                b'N' => board.find_piece(piece::KNIGHT, to, from),
                b'B' => board.find_piece(piece::BISHOP, to, from),
                b'R' => board.find_piece(piece::ROOK, to, from),
                b'Q' => board.find_piece(piece::QUEEN, to, from),
                _ => board.find_piece(piece::KING, to, from),
            }
        }
        [from, b'x', f, r] => board.find_pawn(square([f, r])?, Some(file(from)?), piece::NONE),
        [b'O', b'-', b'O'] | [b'0', b'-', b'0'] => board.find_castling(true),
        [b'O', b'-', b'O', b'-', b'O'] | [b'0', b'-', b'0', b'-', b'0'] => {
            board.find_castling(false)
        }
        [f, r, b'=', letter] => board.find_pawn(square([f, r])?, None, promotion(letter)?),
        [from, b'x', f, r, b'=', letter] => {
            board.find_pawn(square([f, r])?, Some(file(from)?), promotion(letter)?)
        }
        _ => None,
    }
}

const fn promotion(letter: u8) -> Option<u8> {
    match letter {
        b'N' => Some(piece::KNIGHT),
        b'B' => Some(piece::BISHOP),
        b'R' => Some(piece::ROOK),
        b'Q' => Some(piece::QUEEN),
        _ => None,
    }
}

/// Writes a legal ply in export-format SAN (PGN 8.2.3) and plays it, so that
/// check and mate can be detected; `--` is a null move.
pub fn write_and_play(board: &mut ChessBoard, ply: Ply, out: &mut String) {
    let (from, to) = (ply.from(), ply.to());
    let role = piece::role(board.pieces()[usize::from(from)]);
    let captures = board.captured(ply).is_some();
    match ply.kind() {
        PlyKind::Null => out.push_str("--"),
        PlyKind::Castle => out.push_str(if to > from { "O-O" } else { "O-O-O" }),
        _ if role == piece::PAWN => {
            if captures {
                out.push(char::from(b'a' + (from & 7)));
                out.push('x');
            }
            push_square(to, out);
            if ply.promotion() != piece::NONE {
                out.push('=');
                out.push(letter(ply.promotion()));
            }
        }
        _ => {
            out.push(letter(role));
            out.extend(
                needed_hint(board, ply)
                    .into_iter()
                    .flatten()
                    .map(char::from),
            );
            if captures {
                out.push('x');
            }
            push_square(to, out);
        }
    }
    board.play(ply);
    out.extend(check_mark(board));
}

/// Writes a ply that is neither castling nor a null move in UCI.
#[inline]
pub fn write_squares(ply: Ply, out: &mut String) {
    push_square(ply.from(), out);
    push_square(ply.to(), out);
    if ply.promotion() != piece::NONE {
        out.push(letter(ply.promotion()).to_ascii_lowercase());
    }
}

/// The mark of a move that has led here.
fn check_mark(board: &ChessBoard) -> Option<char> {
    let is_mate = || {
        !board.has_king_move()
            && (board.to_position()).is_some_and(|position| position.legal_moves().is_empty())
    };
    board.is_check().then(|| if is_mate() { '#' } else { '+' })
}

/// The ply of a word that is written letter by letter as [`write_and_play`] does, but perhaps
/// for its mark.
#[inline]
pub fn resolve_but_mark(board: &ChessBoard, word: &[u8]) -> Option<Ply> {
    let ply = resolve(board, word)?;
    let head = match *word {
        [ref head @ .., b'+' | b'#'] => head,
        _ => word,
    };
    let is_exact = match *head {
        [b'0', ..] => false,
        [b'N' | b'B' | b'R' | b'Q' | b'K', ref hint @ .., _, _] => {
            let hint = hint.strip_suffix(b"x").unwrap_or(hint);
            // Without one it is the only piece that can go there.
            hint.is_empty()
                || needed_hint(board, ply)
                    .into_iter()
                    .flatten()
                    .eq(hint.iter().copied())
        }
        _ => true,
    };
    is_exact.then_some(ply)
}

/// Whether a word that has led to a board has the mark that it must have.
#[inline]
pub fn is_marked(board: &ChessBoard, word: &[u8]) -> bool {
    let written = word.last().map(|&last| char::from(last));
    check_mark(board) == written.filter(|mark| matches!(mark, '+' | '#'))
}

/// File and rank of where a piece comes from, as far as others of its kind could go to the
/// same square.
#[inline]
fn needed_hint(board: &ChessBoard, ply: Ply) -> [Option<u8>; 2] {
    let (from, to) = (ply.from(), ply.to());
    let rivals = board.rivals(piece::role(board.pieces()[usize::from(from)]), from, to);
    let same_file = rivals & (FILE_A << (from & 7)) != 0;
    let same_rank = rivals & (0xff << (from & 56)) != 0;
    let names_file = rivals != 0 && (!same_file || same_rank);
    [
        names_file.then_some(b'a' + (from & 7)),
        same_file.then_some(b'1' + (from >> 3)),
    ]
}

fn push_square(square: u8, out: &mut String) {
    out.push(char::from(b'a' + (square & 7)));
    out.push(char::from(b'1' + (square >> 3)));
}

/// The letter of a piece, by its role.
const fn letter(role: u8) -> char {
    b"?PNBRQK?"[role as usize & 7] as char
}

#[cfg(test)]
mod tests {
    use crate::games::chess::basics::Chess;
    use shakmaty::san::SanPlus;

    use super::*;

    /// A small generator of our own (xorshift), so that the games stay the same for ever.
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// In random play every legal move, written by shakmaty, is found; every
    /// SAN that shakmaty refuses is refused.
    #[test]
    fn agrees_with_shakmaty_on_random_games() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..60 {
            let mut position = Chess::default();
            let mut board = ChessBoard::initial();
            for _ in 0..160 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                for m in &legal {
                    let san = SanPlus::from_move(position.clone(), *m).to_string();
                    let ply = resolve(&board, san.as_bytes());
                    assert_eq!(ply, Ply::from_move(m), "{san} in {board:?}");
                    let mut written = String::new();
                    write_and_play(&mut board.clone(), ply.expect("found"), &mut written);
                    assert_eq!(written, san);
                    is_exact_alone(&board, &san, ply.expect("found"));
                }
                refuses_what_shakmaty_refuses(&position, &board);
                let m = legal[(random(&mut state) % legal.len() as u64) as usize];
                board.play(Ply::from_move(&m).expect("no drops in chess"));
                position.play_unchecked(m);
                assert_eq!(board.is_check(), position.is_check());
                assert_eq!(board.to_position().as_ref(), Some(&position));
            }
        }
    }

    /// A word is exact only if it is what is written.
    fn is_exact_alone(board: &ChessBoard, san: &str, ply: Ply) {
        let from = crate::games::chess::basics::Square::new(u32::from(ply.from()));
        let bare = san.trim_end_matches(['+', '#']);
        let (letter, rest) = bare.split_at(1);
        let words = [
            san.to_owned(),
            bare.to_owned(),
            format!("{bare}+"),
            format!("{bare}#"),
            bare.replace('O', "0"),
            format!("{letter}{from}{rest}"),
            format!("{letter}{}{rest}", from.file()),
            format!("{letter}{}{rest}", from.rank()),
        ];
        for word in words {
            let resolved = resolve_but_mark(board, word.as_bytes());
            let is_exact = resolved.is_some_and(|ply| {
                let mut behind = board.clone();
                behind.play(ply);
                let mut written = String::new();
                write_and_play(&mut board.clone(), ply, &mut written);
                let is_marked = is_marked(&behind, word.as_bytes());
                assert_eq!(is_marked, written == word, "{word} for {written}");
                is_marked
            });
            assert!(is_exact || word != san, "{san} in {board:?}");
        }
    }

    fn refuses_what_shakmaty_refuses(position: &Chess, board: &ChessBoard) {
        for letter in ["N", "B", "R", "Q", "K", ""] {
            for to in crate::games::chess::basics::Square::ALL {
                let word = format!("{letter}{to}");
                let expected = word
                    .parse::<shakmaty::san::San>()
                    .ok()
                    .and_then(|san| san.to_move(position).ok())
                    .filter(|m| m.is_capture() == word.contains('x'));
                let ply = resolve(board, word.as_bytes());
                assert_eq!(
                    ply,
                    expected.as_ref().and_then(Ply::from_move),
                    "{word} in {board:?}"
                );
            }
        }
        for word in ["O-O", "O-O-O"] {
            let san = word.parse::<shakmaty::san::San>().expect("castling is SAN");
            let expected = san.to_move(position).ok().as_ref().and_then(Ply::from_move);
            assert_eq!(
                resolve(board, word.as_bytes()),
                expected,
                "{word} in {board:?}"
            );
        }
    }
}
