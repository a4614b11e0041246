//! The random numbers of the Polyglot opening-book format, by piece and square.
//!
//! Source: the published table `Random64` of the Polyglot book format, which
//! `random64.txt` has as it is: for each piece (black pawn, white pawn, black knight, …)
//! and square, then for castling rights, en passant files and the side to move.
//! They are part of the file format: never to be changed without
//! [`KEY_VERSION`](super::KEY_VERSION).

/// `[piece code][square]`; piece codes as in [`crate::games::chess::rules::piece`], rows of
/// unused codes are zero. Squares are 0 = a1, 1 = b1, … 63 = h8.
pub static PIECES: [[u64; 64]; 16] = {
    let mut pieces = [[0; 64]; 16];
    let mut at = 0;
    while at < 12 * 64 {
        let (role, is_black) = (at / 128 + 1, at / 64 % 2 == 0);
        pieces[role + if is_black { 8 } else { 0 }][at % 64] = random64(at);
        at += 1;
    }
    pieces
};

/// Mixed in when White is to move.
pub const WHITE_TO_MOVE: u64 = random64(780);

/// A number of the table.
const fn random64(at: usize) -> u64 {
    const DIGITS: usize = 16;
    let text = include_bytes!("random64.txt");
    let (mut number, mut digit) = (0, 0);
    while digit < DIGITS {
        let value = match text[at * (DIGITS + 1) + digit] {
            byte @ b'0'..=b'9' => byte - b'0',
            byte => byte - b'a' + 10,
        };
        number = number << 4 | value as u64;
        digit += 1;
    }
    number
}
