//! The names of plies: what a code of the index means in a position.

use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::{
    games::replay::{
        draughts::{
            self, Step,
            code::{self, Coded},
        },
        kin,
    },
    index::hot::ENDS,
    notation::{
        self,
        draughts_board::Marks,
        draughts_fen, draughts_move,
        draughts_move::{Form, square::Numbering},
        position::numbering_at,
        quick_san, san,
    },
    position::{Draughts, Kin, Position, Symmetry},
    record::MoveForm,
    rules::{
        self,
        chess::{Board, Ply, Slots, man},
        draughts::{Budget, Move, board::cells_of},
    },
    variant::{self, draughts::DraughtsVariant},
};

/// The code of a ply as it is for whoever sees the board in another way.
pub(super) fn seen(position: &Position, code: u16, symmetry: Symmetry) -> u16 {
    if code == ENDS || symmetry == Symmetry::None {
        return code;
    }
    match position {
        Position::Chess(_) => match Ply::from_bits(code) {
            Some(ply) if ply != Ply::NULL => {
                let mask = symmetry.of_squares();
                Ply::new(ply.from() ^ mask, ply.to() ^ mask, ply.kind()).bits()
            }
            _ => code,
        },
        Position::Kin(at) => {
            let replay = kin::Replay::new(at.clone());
            let seen = |ply| replay.code(at.position.ply_seen(ply, symmetry));
            replay.ply_of(code).map_or(code, seen)
        }
        Position::Draughts(at) => {
            let board = at.variant.rules.board;
            let mirrored = |code| code::mirrored(board, code).unwrap_or(code);
            match symmetry {
                Symmetry::None => code,
                Symmetry::Rotate => code::rotated(board, code),
                Symmetry::Mirror => mirrored(code),
                Symmetry::Flip => mirrored(code::rotated(board, code)),
            }
        }
    }
}

/// What a ply did on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Played {
    /// Of chess and its kin: the squares it left and reached as the board of the
    /// game numbers them; for castling those of king and rook.
    Squares(u8, u8),
    /// The turn was passed.
    Null,
    /// Of draughts.
    Draughts {
        /// The position before it.
        before: rules::draughts::Position,
        /// What was done.
        step: Step,
    },
}

impl Played {
    /// What stands out of it on a board of draughts.
    pub fn marks(&self, variant: &DraughtsVariant) -> Marks {
        match self {
            Self::Draughts {
                before,
                step: Step::Move(played),
            } => Marks::of(before, &variant.rules, played),
            Self::Draughts {
                step: Step::Placement { from, to },
                ..
            } => Marks {
                ends: 1 << from | 1 << to,
                ..Marks::default()
            },
            _ => Marks::default(),
        }
    }
}

/// The number of a game's first move, and whether the second side makes it.
pub(super) fn first_number(start: &Position) -> (u32, bool) {
    match start {
        Position::Chess(position) => Board::from_position(position).move_number(),
        Position::Kin(at) => at.position.number(),
        Position::Draughts(at) => (1, at.position.turn() != at.variant.rules.first),
    }
}

/// Plays a main line; `each` gets every ply's text and what it did, and says
/// whether to go on. The position at the end of it.
pub(super) fn play(
    start: &Position,
    mut plies: &[u8],
    form: MoveForm,
    mut each: impl FnMut(String, Played) -> bool,
) -> Option<Position> {
    match start {
        Position::Chess(position) => {
            let mut board = Board::from_position(position);
            let mut slots = Slots::new(board.men());
            while let Some(ply) = slots.next(
                &mut plies,
                board.men(),
                board.turn(),
                board.castling_rooks(),
            ) {
                let mut san = String::with_capacity(7);
                quick_san::write_and_play(&mut board, ply, &mut san);
                if !each(san, Played::Squares(ply.from(), ply.to())) {
                    break;
                }
            }
            board.to_position().map(Position::Chess)
        }
        Position::Kin(at) => {
            let mut replay = kin::Replay::new(at.clone());
            loop {
                let before = replay.at().position.clone();
                let Some(ply) = replay.next_ply(&mut plies) else {
                    break;
                };
                let played = match ply.squares() {
                    Some((from, to)) => Played::Squares(from, to),
                    None => Played::Null,
                };
                if !each(notation::kin::san(&before, ply), played) {
                    break;
                }
            }
            Some(Position::Kin(replay.at().clone()))
        }
        Position::Draughts(at) => {
            let mut replay = draughts::Replay::new(at.id(), &at.variant.rules, at.position);
            loop {
                let before = *replay.position();
                let Some(step) = replay.next_step(&mut plies) else {
                    break;
                };
                let here = Draughts {
                    position: before,
                    ..*at
                };
                let text = step_text(&here, &step, form);
                if !each(text, Played::Draughts { before, step }) {
                    break;
                }
            }
            Some(Position::Draughts(Draughts {
                position: *replay.position(),
                ..*at
            }))
        }
    }
}

/// The name of a ply that a game plays in a position; `step` is all of it, where
/// its code says less.
pub(super) fn name(position: &Position, code: u16, step: Option<&Step>, form: MoveForm) -> String {
    match position {
        Position::Chess(position) => {
            let mut san = String::new();
            let ply = Ply::from_bits(code).unwrap_or(Ply::NULL);
            quick_san::write_and_play(&mut Board::from_position(position), ply, &mut san);
            san
        }
        Position::Kin(_) => names(position, position.turn(), code, 0).0,
        Position::Draughts(at) => match step {
            Some(Step::Move(played)) => text(at, played, form),
            _ => names_of_draughts(at, position.turn(), code, 0).0,
        },
    }
}

/// A move in the notation of its game and in one for programs (UCI, or all
/// squares), from the position with that side to move. `taken` is what a move of
/// draughts takes, where its code does not tell that, else 0.
pub(super) fn names(position: &Position, turn: usize, code: u16, taken: u128) -> (String, String) {
    match position {
        Position::Chess(position) => names_of_chess(position, turn, code),
        Position::Kin(at) => names_of_kin(at, turn, code),
        Position::Draughts(at) => names_of_draughts(at, turn, code, taken),
    }
}

fn names_of_kin(at: &Kin, turn: usize, code: u16) -> (String, String) {
    let mut at = at.clone();
    if at.position.turn() != turn {
        at.position = at.position.passed();
    }
    let replay = kin::Replay::new(at);
    let position = &replay.at().position;
    match replay.ply_of(code) {
        Some(ply) => (
            notation::kin::san(position, ply),
            notation::kin::uci(position, ply),
        ),
        None => ("--".to_owned(), "0000".to_owned()),
    }
}

/// The codes that several captures of a position share, with that side to move
/// and in any variant of its board: what they take is all that tells them apart.
pub(super) fn shared_codes(position: &Position, turn: usize) -> Vec<u16> {
    let Position::Draughts(at) = position else {
        return Vec::new();
    };
    let mut position = at.position;
    position.set_turn(turn as u8);
    let board = at.variant.rules.board;
    let mut captures: Vec<(u16, u128)> = Vec::new();
    for variant in variant::draughts::ALL {
        if variant.rules.board == board {
            let legal = rules::draughts::moves(&position, &variant.rules, Budget::default());
            // A code of at most one captured piece says all there is.
            let of_many = |m: &Move| m.captured.count_ones() > 1;
            let found = legal.unwrap_or_default().into_iter().filter(of_many);
            captures.extend(found.map(|m| (code::of_move(board, &m), m.captured)));
        }
    }
    captures.sort_unstable();
    captures.dedup();
    let shared = captures.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    shared.map(|pair| pair[0].0).collect()
}

/// What a game's next ply takes, for whoever sees the board in another way.
pub(super) fn taken(position: &Position, step: Option<&Step>, symmetry: Symmetry) -> u128 {
    match step {
        Some(Step::Move(played)) => taken_seen(position, played.captured, symmetry),
        _ => 0,
    }
}

/// What a move of draughts takes, as a set of cells, for whoever sees the board in
/// another way; 0 in other games.
pub(super) fn taken_seen(position: &Position, taken: u128, symmetry: Symmetry) -> u128 {
    let Position::Draughts(at) = position else {
        return 0;
    };
    let board = at.variant.rules.board;
    let mirrored = |set| {
        let cells = cells_of(set).filter_map(|cell| board.mirrored(cell));
        cells.fold(0, |set, cell| set | 1 << cell)
    };
    match symmetry {
        Symmetry::None => taken,
        Symmetry::Rotate => board.rotated(taken),
        Symmetry::Mirror => mirrored(taken),
        Symmetry::Flip => mirrored(board.rotated(taken)),
    }
}

fn names_of_chess(position: &Chess, turn: usize, code: u16) -> (String, String) {
    let color = shakmaty::Color::from_white(turn == 0);
    let position = if position.turn() == color {
        position.clone()
    } else {
        // Asked for pieces alone: moves of the other side count as well.
        let mut setup = position.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        setup.ep_square = None;
        let mode = position.castles().mode();
        setup.position(mode).unwrap_or_else(|error| {
            error
                .ignore_too_much_material()
                .unwrap_or_else(|_| position.clone())
        })
    };
    let ply = Ply::from_bits(code).unwrap_or(Ply::NULL);
    match ply.to_move(&man::codes(position.board())) {
        Some(m) => {
            let castles_far = m.is_castle() && !is_usual_castling(m);
            let mode = if castles_far {
                CastlingMode::Chess960
            } else {
                position.castles().mode()
            };
            (san::write(&position, &m), san::uci(mode, &m))
        }
        None => ("--".to_owned(), "0000".to_owned()),
    }
}

/// Whether castling is that of chess: king on the e-file, rook in the corner.
fn is_usual_castling(m: shakmaty::Move) -> bool {
    matches!(m, shakmaty::Move::Castle { king, rook }
        if king.file() == shakmaty::File::E
            && matches!(rook.file(), shakmaty::File::A | shakmaty::File::H))
}

fn names_of_draughts(at: &Draughts, turn: usize, code: u16, taken: u128) -> (String, String) {
    let mut position = at.position;
    position.set_turn(turn as u8);
    let board = at.variant.rules.board;
    // Games of other variants of the board may have moves that this one lacks.
    let others = variant::draughts::ALL
        .iter()
        .filter(|other| other.rules.board == board && other.name != at.variant.name);
    for variant in std::iter::once(at.variant).chain(others) {
        let legal = rules::draughts::moves(&position, &variant.rules, Budget::default());
        let found = legal
            .unwrap_or_default()
            .into_iter()
            .filter(|m| taken == 0 || m.captured == taken)
            .find(|m| code::of_move(board, m) == code);
        if let Some(played) = found {
            let here = Draughts {
                variant,
                position,
                corner: at.corner,
            };
            let named = |form| text(&here, &played, form);
            return (named(MoveForm::Short), named(MoveForm::Full));
        }
    }
    let name = match code::read(board, code) {
        Some(Coded::Move { from, to, .. } | Coded::Placement(Some((from, to)))) => {
            squares(numbering_at(at), from, to)
        }
        Some(Coded::Null) => "...".to_owned(),
        Some(Coded::Setup | Coded::Placement(None)) | None => "(set up)".to_owned(),
    };
    (name.clone(), name)
}

/// Two squares as a quiet move has them.
fn squares(numbering: Numbering, from: u8, to: u8) -> String {
    let mut out = String::with_capacity(5);
    numbering.write(from, &mut out);
    out.push('-');
    numbering.write(to, &mut out);
    out
}

/// How a game's squares are written in a form.
const fn numbering_in(at: &Draughts, form: MoveForm) -> Numbering {
    let numbering = numbering_at(at);
    match form {
        MoveForm::Algebraic => numbering.with_letters(true),
        MoveForm::Short | MoveForm::Full => numbering,
    }
}

/// A move of draughts as text.
fn text(at: &Draughts, played: &Move, form: MoveForm) -> String {
    let Draughts {
        variant, position, ..
    } = at;
    let numbering = numbering_in(at, form);
    let separator = variant.capture_separator;
    let whole = match form {
        MoveForm::Full => Form::Full,
        MoveForm::Short | MoveForm::Algebraic => Form::Short,
    };
    let budget = Budget::default();
    let write =
        |rules| draughts_move::write(position, rules, numbering, played, whole, separator, budget);
    write(&variant.rules).unwrap_or_else(|_| {
        // Too many captures to look at: the squares and what was taken tell it.
        let mut out = String::new();
        numbering.write(played.from, &mut out);
        out.push(separator);
        numbering.write(played.to, &mut out);
        out.push_str(" <");
        for (at, cell) in cells_of(played.captured).enumerate() {
            if at > 0 {
                out.push(',');
            }
            numbering.write(cell, &mut out);
        }
        out.push('>');
        out
    })
}

/// What happened at a ply of a game of draughts, as text.
pub(super) fn step_text(before: &Draughts, step: &Step, form: MoveForm) -> String {
    let numbering = numbering_in(before, form);
    match step {
        Step::Move(played) => text(before, played, form),
        Step::Null => "--".to_owned(),
        Step::Setup(position) => format!("/FEN \"{}\"/", draughts_fen::write(position, numbering)),
        Step::Placement { from, to } => squares(numbering, *from, *to),
    }
}
