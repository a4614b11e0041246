use crate::games::chess::basics::Board;

use super::*;
use crate::games::{AnyPosition, diagram::Diagram, draughts::rules::DraughtsPosition, variant};

/// Whether every element that is opened is closed, in order.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
    }
    open.is_empty()
}

#[test]
fn every_man_is_drawn_once_and_a_board_is_well_formed() {
    let start = Diagram::of_chess(&Board::default());
    let drawing = draw(&start, Style::default());
    assert!(is_well_formed(&drawing));
    assert_eq!(drawing.matches("<g transform").count(), 32);
    assert_eq!(drawing.matches("width=\"45\"").count(), 64);
    assert!(drawing.contains(">a</text>") && drawing.contains(">8</text>"));
}

#[test]
fn black_below_when_flipped() {
    let mut board = Board::empty();
    board.set_piece_at(
        crate::games::chess::basics::Square::A1,
        crate::games::chess::basics::Piece {
            color: crate::games::chess::basics::Color::White,
            role: crate::games::chess::basics::Role::Rook,
        },
    );
    let place = |flipped| {
        let style = Style {
            flipped,
            ..Style::default()
        };
        let drawing = draw(&Diagram::of_chess(&board), style);
        let at = drawing.find("translate(").expect("a piece");
        drawing[at..].split(')').next().expect("a place").to_owned()
    };
    assert_eq!(place(false), "translate(26 341");
    assert_eq!(place(true), "translate(341 26");
}

#[test]
fn every_board_is_drawn() {
    let mut drawn = 0;
    for row in &variant::ALL {
        // Capablanca Random Chess has no standard start position.
        let Some(start) = AnyPosition::start(row) else {
            continue;
        };
        let diagram = start.diagram();
        let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).count();
        let pieces = row.start_fen.map_or_else(
            || {
                row.draughts()
                    .map(|row| DraughtsPosition::start(&row.rules).iter().count())
            },
            |fen| Some(letters(fen.split([' ', '[']).next().unwrap_or_default())),
        );
        assert_eq!(Some(diagram.count()), pieces, "{}", row.name);
        for flipped in [false, true] {
            let style = Style {
                flipped,
                turn: Some(start.turn() as u8),
                has_squares: flipped,
            };
            let drawing = draw(&diagram, style);
            assert!(is_well_formed(&drawing), "{}", row.name);
            let shapes = drawing
                .matches("stroke-width=\"1.4\" stroke-linecap")
                .count();
            assert_eq!(shapes, diagram.count(), "{}", row.name);
            let squares = drawing.matches("<g data-square=\"").count();
            let played = diagram.rows.iter().flatten();
            let played = played.filter(|place| place.square.is_some()).count();
            assert_eq!(squares, if flipped { played } else { 0 }, "{}", row.name);
        }
        drawn += 1;
    }
    assert_eq!(drawn, 45);
}
