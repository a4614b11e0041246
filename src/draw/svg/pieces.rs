//! The shapes of the pieces, each in a square of 45 units, lit from nowhere: an outline,
//! a filling, and a few lines in the colour of the other side.

use std::fmt::Write as _;

use crate::games::chess::basics::Role;

use super::{BLACK, RED, WHITE};
use crate::games::diagram::{DiagramPiece, PieceGlyph};

/// Shapes of one piece: the body, then the lines upon it.
struct Shapes {
    /// Paths that are filled.
    body: &'static [&'static str],
    /// Paths of lines alone.
    lines: &'static [&'static str],
    /// Discs: centre and radius in tenths.
    balls: &'static [[u32; 3]],
}

const PAWN: Shapes = Shapes {
    body: &[
        "M22.5 9a5.6 5.6 0 0 1 3.7 9.8l3 2.4-2.8 1.2c.5 5 2.6 8.6 5.6 11.4 1.5 1.4 2 2.7 2 4.7h-23c0-2 .5-3.3 2-4.7 3-2.8 5.1-6.4 5.6-11.4l-2.8-1.2 3-2.4A5.6 5.6 0 0 1 22.5 9z",
    ],
    lines: &["M18.6 22.4h7.8"],
    balls: &[],
};

const ROOK: Shapes = Shapes {
    body: &[
        "M11 38.5v-3.2h2.6l2-4V19.6l-3.1-3.4V9h4.3v3h3.6V9h4.2v3h3.6V9h4.3v7.2l-3.1 3.4v11.7l2 4H34v3.2z",
    ],
    lines: &["M15.6 19.6h13.8", "M15.6 31.3h13.8", "M13.6 35.3h17.8"],
    balls: &[],
};

const KNIGHT: Shapes = Shapes {
    body: &[
        "M13 38.5c0-7 5.6-9.6 7.4-14.4-1.9 1.2-4 1.6-5.4 3.5-1.2 1.7-3.6 2-4.8.3-1-1.5-.8-3.2.2-4.6 1.6-2.2 2.2-5 3.5-7.4 1-1.9 2.3-3.1 2.5-4.9l.4-3.4 3.1 2.9c.7-.3 1.5-.4 2.3-.4l1.7-2.9 1.8 3.5c6 2.4 8.8 10.2 8.8 27.8z",
    ],
    lines: &["M26.4 13.6c3.4 4.2 4.9 11 4.9 20.9"],
    balls: &[[168, 172, 9], [121, 257, 6]],
};

const BISHOP: Shapes = Shapes {
    body: &[
        "M11.5 38.5c0-3.4 3.6-3.4 4.8-6h12.4c1.2 2.6 4.8 2.6 4.8 6z",
        "M22.5 10.8c-5.4 4-8.2 8.6-7.2 13.2.5 2.3 1.8 3.8 2.9 4.9l-1.9 3.6h12.4l-1.9-3.6c1.1-1.1 2.4-2.6 2.9-4.9 1-4.6-1.8-9.2-7.2-13.2z",
        "M22.5 5.9a2.5 2.5 0 0 1 0 5 2.5 2.5 0 0 1 0-5z",
    ],
    lines: &["M22.5 16.6v7", "M19.4 19.6h6.2", "M18.2 28.9h8.6"],
    balls: &[],
};

const QUEEN: Shapes = Shapes {
    body: &[
        "M11.6 29.2 8.7 16.4l6.6 7.2.4-10.2 4.6 9.2 2.2-10.8 2.2 10.8 4.6-9.2.4 10.2 6.6-7.2-2.9 12.8c-1 2-1.4 2.6-.9 4.8 1.2 1 1 2.6 1 4.3-7.3 1.2-14.7 1.2-22 0 0-1.7-.2-3.3 1-4.3.5-2.2.1-2.8-.9-4.8z",
        "M8.2 11.6a2.3 2.3 0 0 1 0 4.6 2.3 2.3 0 0 1 0-4.6z",
        "M15.5 8.4a2.3 2.3 0 0 1 0 4.6 2.3 2.3 0 0 1 0-4.6z",
        "M22.5 7a2.3 2.3 0 0 1 0 4.6 2.3 2.3 0 0 1 0-4.6z",
        "M29.5 8.4a2.3 2.3 0 0 1 0 4.6 2.3 2.3 0 0 1 0-4.6z",
        "M36.8 11.6a2.3 2.3 0 0 1 0 4.6 2.3 2.3 0 0 1 0-4.6z",
    ],
    lines: &[
        "M11.6 29.2c7-1.9 14.8-1.9 21.8 0",
        "M12.5 34c6.6-1.6 13.4-1.6 20 0",
    ],
    balls: &[],
};

const KING: Shapes = Shapes {
    body: &[
        "M21.4 4.5h2.2v2.4h2.5v2.2h-2.5v3.2h-2.2V9.1h-2.5V6.9h2.5z",
        "M22.5 23.4c-5.2-7-1.6-11.3 0-11.3s5.2 4.3 0 11.3z",
        "M11.6 30.2c-5-3.6-6.2-9.4-2-12.4 4.3-3 9.8-.7 12.9 5.6 3.1-6.3 8.6-8.6 12.9-5.6 4.2 3 3 8.8-2 12.4v7.2c-6.6 2.2-15.2 2.2-21.8 0z",
    ],
    lines: &[
        "M11.6 30.2c6.6-2 15.2-2 21.8 0",
        "M11.6 34c6.6-2 15.2-2 21.8 0",
        "M22.5 23.4v5.1",
    ],
    balls: &[],
};

/// Any piece.
pub(super) fn piece(piece: DiagramPiece) -> String {
    match piece.shape {
        PieceGlyph::Piece(role) => chess_piece(role, piece.side),
        PieceGlyph::WithKnight(role) => both(role, piece.side),
        PieceGlyph::Lettered(letter) => lettered(letter, piece),
        PieceGlyph::Disc => disc(piece.side),
        PieceGlyph::Crowned => crowned(piece.side),
    }
}

/// A piece with the moves of a knight and another: both, side by side.
fn both(other: Role, side: u8) -> String {
    let small = |x: &str, role| {
        let piece = chess_piece(role, side);
        format!("<g transform=\"translate({x}) scale(.72)\">{piece}</g>")
    };
    small("15 11.5", other) + &small("-2 8", Role::Knight)
}

/// A disc with a letter.
fn lettered(letter: char, piece: DiagramPiece) -> String {
    let ink = if piece.is_red { RED } else { BLACK };
    format!(
        "<circle cx=\"22.5\" cy=\"22.5\" r=\"18\" fill=\"{WHITE}\" stroke=\"{ink}\"/>\
         <circle cx=\"22.5\" cy=\"22.5\" r=\"15\" fill=\"none\" stroke=\"{ink}\" \
         stroke-width=\".8\"/>\
         <text x=\"22.5\" y=\"29\" text-anchor=\"middle\" font-weight=\"bold\" \
         font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"18\" fill=\"{ink}\" \
         stroke=\"none\">{letter}</text>"
    )
}

/// A piece of chess.
fn chess_piece(role: Role, side: u8) -> String {
    let shapes = match role {
        Role::Pawn => &PAWN,
        Role::Rook => &ROOK,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Queen => &QUEEN,
        Role::King => &KING,
    };
    let (fill, ink) = colours(side);
    // The outline is dark for both sides, or white pieces would swell.
    let mut out = String::new();
    for path in shapes.body {
        let _ = write!(
            out,
            "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{BLACK}\"/>"
        );
    }
    for path in shapes.lines {
        let _ = write!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{ink}\"/>");
    }
    for [x, y, radius] in shapes.balls {
        let tenth = |n: &u32| f64::from(*n) / 10.0;
        let (x, y, radius) = (tenth(x), tenth(y), tenth(radius));
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{ink}\"/>"
        );
    }
    out
}

/// The filling of a side, and the colour of lines upon it.
const fn colours(side: u8) -> (&'static str, &'static str) {
    if side == 0 {
        (WHITE, BLACK)
    } else {
        (BLACK, WHITE)
    }
}

/// One disc, this many units below the upper edge.
fn round(fill: &str, y: f64) -> String {
    format!("<circle cx=\"22.5\" cy=\"{y}\" r=\"16.5\" fill=\"{fill}\" stroke=\"{BLACK}\"/>")
}

/// A disc with rings.
fn disc(side: u8) -> String {
    let (fill, ink) = colours(side);
    let ring = |radius: f64| {
        format!(
            "<circle cx=\"22.5\" cy=\"22.5\" r=\"{radius}\" fill=\"none\" stroke=\"{ink}\" \
             stroke-opacity=\".55\"/>"
        )
    };
    round(fill, 22.5) + &ring(12.5) + &ring(7.5)
}

/// A disc with another below it, and a crown.
fn crowned(side: u8) -> String {
    let (fill, ink) = colours(side);
    // The lower disc needs an edge of its own where both are dark.
    let edge = format!(
        "<path d=\"M6 21.5a16.5 16.5 0 0 0 33 0\" fill=\"none\" stroke=\"{ink}\" \
         stroke-opacity=\".55\"/>"
    );
    let crown = format!(
        "<path d=\"M13.5 26.5 12 14.5l5.8 5 4.7-7.5 4.7 7.5 5.8-5-1.5 12z\" fill=\"{ink}\" \
         stroke=\"none\"/>"
    );
    round(fill, 25.0) + &edge + &round(fill, 20.0) + &crown
}
