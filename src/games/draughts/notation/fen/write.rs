//! Writing.

use crate::games::draughts::{
    notation::moves::square::Numbering,
    rules::{BLACK, DraughtsPosition, WHITE, board::cells_of},
};

/// The position as PDN FEN: White's pieces, then Black's, squares ascending,
/// `K` before each king, no ranges, no spaces, no dot.
pub fn write(position: &DraughtsPosition, numbering: Numbering) -> String {
    let mut out = String::with_capacity(96);
    out.push(if position.turn() == WHITE { 'W' } else { 'B' });
    for (side, letter) in [(WHITE, ":W"), (BLACK, ":B")] {
        out.push_str(letter);
        let mut cells: Vec<u8> = cells_of(position.pieces(side)).collect();
        cells.sort_unstable_by_key(|&cell| numbering.place(cell));
        for (place, &cell) in cells.iter().enumerate() {
            if place > 0 {
                out.push(',');
            }
            if position.kings(side) >> cell & 1 == 1 {
                out.push('K');
            }
            numbering.write(cell, &mut out);
        }
    }
    out
}

/// The position as a Hub string: the side to move, then one letter a square in
/// the order of reading.
pub fn write_hub(position: &DraughtsPosition, numbering: Numbering) -> String {
    let mut out = String::with_capacity(80);
    out.push(if position.turn() == WHITE { 'W' } else { 'B' });
    for place in 0..numbering.board().square_count() {
        let piece = numbering
            .cell_in_reading_order(place)
            .and_then(|cell| position.at(cell));
        out.push(match piece.map(|piece| (piece.side, piece.king)) {
            None => 'e',
            Some((WHITE, false)) => 'w',
            Some((WHITE, true)) => 'W',
            Some((_, false)) => 'b',
            Some((_, true)) => 'B',
        });
    }
    out
}
