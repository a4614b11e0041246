//! Conditions that follow from a line as a whole, against a walk through the line with another
//! program's rules: repetitions, quiet plies, sacrifices, legal moves, promoted pieces, and pieces with
//! labels.

use std::{collections::HashMap, fmt::Write as _};

use plydex::base::record::GameId;
use shakmaty::{
    Board, Chess, Color, EnPassantMode, Move, Position, Role, Square,
    fen::{Epd, Fen},
    san::{San, SanPlus},
};

use super::found;
use crate::support::{Base, every_game};

/// A game: its start, its positions and the moves that leave them.
struct Line {
    start: Chess,
    clock: u32,
    positions: Vec<Chess>,
    moves: Vec<Move>,
}

/// Random games in which pieces are given up, pawns run and positions come back.
fn lines(count: usize) -> Vec<Line> {
    let mut random = fastrand::Rng::with_seed(52);
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/PPP4P/8/8/8/8/ppp4p/4K3 w - - 37 60",
        "r3k2r/8/3q4/8/8/3Q4/8/R3K2R w KQkq - 12 30",
        "6k1/5ppp/8/8/8/1B6/5PPP/R5K1 w - - 0 30",
    ];
    let each = (0..count).map(|at| {
        let fen: Fen = starts[at % starts.len()].parse().expect("a FEN");
        let clock = fen.as_setup().halfmoves;
        let start: Chess = fen
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("a start");
        let (mut here, mut positions, mut moves) = (start.clone(), vec![start.clone()], Vec::new());
        for _ in 0..random.usize(20..160) {
            let legal = here.legal_moves();
            if legal.is_empty() {
                break;
            }
            let back = moves.len().checked_sub(2).and_then(|before: usize| {
                let own: &Move = &moves[before];
                legal
                    .iter()
                    .find(|m| m.from() == Some(own.to()) && Some(m.to()) == own.from())
            });
            let next = match back {
                Some(back) if random.u8(..3) > 0 => *back,
                _ => legal[random.usize(..legal.len())],
            };
            moves.push(next);
            here.play_unchecked(next);
            positions.push(here.clone());
        }
        Line {
            start,
            clock,
            positions,
            moves,
        }
    });
    each.collect()
}

fn pgn(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        let fen = Fen::from_position(&line.start, EnPassantMode::Legal).to_string();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let clock = line.clock.to_string();
        fields[4] = &clock;
        let _ = write!(text, "[SetUp \"1\"]\n[FEN \"{}\"]\n\n", fields.join(" "));
        for (position, m) in line.positions.iter().zip(&line.moves) {
            let san = SanPlus::from_move(position.clone(), *m);
            let dots = if position.turn().is_white() {
                "."
            } else {
                "..."
            };
            let _ = write!(text, "1{dots} {san} ");
        }
        text.push_str("*\n\n");
    }
    text
}

/// White's material less Black's, in pawns.
fn value(board: &Board) -> i32 {
    let values = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    let of = |color: Color| -> i32 {
        let each = values.map(|(role, value)| value * count(board, color, role));
        each.iter().sum()
    };
    of(Color::White) - of(Color::Black)
}

fn count(board: &Board, color: Color, role: Role) -> i32 {
    (board.by_color(color) & board.by_role(role)).count() as i32
}

impl Line {
    /// The plies at which the side to move gives something that it does not get back.
    fn gives(
        &self,
        plies: usize,
        is_given: impl Fn(i32, i32, i32) -> bool,
        of: impl Fn(&Board) -> i32,
    ) -> bool {
        let last = self.positions.len() - 1;
        (0..last).any(|ply| {
            let sign = if self.positions[ply].turn().is_white() {
                1
            } else {
                -1
            };
            let b = |ply: usize| sign * of(self.positions[ply].board());
            let before = if ply >= 2 { b(ply - 2) } else { i32::MAX };
            let later: Vec<usize> = (ply + 2..=last.min(ply + plies)).step_by(2).collect();
            !later.is_empty()
                && later
                    .iter()
                    .all(|later| is_given(b(ply), before, b(*later)))
        })
    }

    fn stands(&self, least: usize) -> bool {
        let mut stood: HashMap<String, usize> = HashMap::new();
        self.positions.iter().any(|position| {
            let key = Epd::from_position(position, EnPassantMode::Legal).to_string();
            let times = stood.entry(key).or_default();
            *times += 1;
            *times >= least
        })
    }

    fn quiet_plies(&self) -> u32 {
        let mut clock = self.clock;
        let mut most = clock;
        for m in &self.moves {
            clock = if m.is_capture() || m.role() == Role::Pawn {
                0
            } else {
                clock + 1
            };
            most = most.max(clock);
        }
        most
    }

    fn any_legal(&self, is: impl Fn(&Chess, &Move) -> bool) -> bool {
        self.positions
            .iter()
            .any(|at| at.legal_moves().iter().any(|m| is(at, m)))
    }

    /// The pieces by the squares where they were first, as squares by the ply, and as what.
    fn pieces(&self) -> Vec<Vec<Option<(Square, Color, Role)>>> {
        let board = self.start.board();
        let starts: Vec<Square> = board.occupied().into_iter().collect();
        starts
            .iter()
            .map(|start| {
                let mut at = Some(*start);
                let mut places = Vec::new();
                for (ply, position) in self.positions.iter().enumerate() {
                    places.push(at.and_then(|square| {
                        let piece = position.board().piece_at(square)?;
                        Some((square, piece.color, piece.role))
                    }));
                    let Some(m) = self.moves.get(ply) else { break };
                    at = at.and_then(|square| match *m {
                        Move::Castle { king, rook } if square == king || square == rook => {
                            let side = if king < rook {
                                shakmaty::CastlingSide::KingSide
                            } else {
                                shakmaty::CastlingSide::QueenSide
                            };
                            Some(if square == king {
                                side.king_to(position.turn())
                            } else {
                                side.rook_to(position.turn())
                            })
                        }
                        Move::EnPassant { from, to }
                            if Square::from_coords(to.file(), from.rank()) == square =>
                        {
                            None
                        }
                        _ if m.from() == Some(square) => Some(m.to()),
                        _ if m.to() == square => None,
                        _ => Some(square),
                    });
                }
                places
            })
            .collect()
    }

    /// Whether one and the same piece is such at a ply and such at a later one.
    fn one_piece(
        &self,
        first: impl Fn(Square, Color, Role) -> bool,
        then: impl Fn(Square, Color, Role) -> bool,
    ) -> bool {
        self.pieces().iter().any(|places| {
            let is = |place: &Option<(Square, Color, Role)>,
                      test: &dyn Fn(Square, Color, Role) -> bool| {
                place.is_some_and(|(square, color, role)| test(square, color, role))
            };
            let begin = places.iter().position(|place| is(place, &first));
            begin.is_some_and(|begin| places[begin + 1..].iter().any(|place| is(place, &then)))
        })
    }

    /// How many pieces of a kind that were pawns stand on the board at most at once.
    fn promoted(&self, color: Color, role: Role) -> usize {
        let pieces = self.pieces();
        let at = |ply: usize| {
            let is_it = |places: &&Vec<Option<(Square, Color, Role)>>| {
                let was_pawn = places[..=ply]
                    .iter()
                    .flatten()
                    .any(|place| place.2 == Role::Pawn);
                was_pawn && places[ply].is_some_and(|place| (place.1, place.2) == (color, role))
            };
            pieces.iter().filter(is_it).count()
        };
        (0..self.positions.len()).map(at).max().unwrap_or(0)
    }
}

fn exchange_balance(board: &Board) -> i32 {
    let more = |role| count(board, Color::White, role) - count(board, Color::Black, role);
    // A number for each of the three balances that an exchange is about.
    100 * (100 * more(Role::Queen) + more(Role::Rook)) + more(Role::Knight) + more(Role::Bishop)
}

/// A query and whether a line fulfils it.
type Case = (&'static str, Box<dyn Fn(&Line) -> bool>);

fn cases() -> Vec<Case> {
    let is_mate = |at: &Chess, m: &Move| {
        let mut next = at.clone();
        next.play_unchecked(*m);
        next.is_checkmate()
    };
    let is_piece = |color: Color, role: Role| {
        move |_: Square, own: Color, kind: Role| (own, kind) == (color, role)
    };
    let san = |at: &Chess, text: &str| text.parse::<San>().expect("a move").to_move(at).is_ok();
    vec![
        ("repetition:2", Box::new(|line| line.stands(2))),
        ("repetition:3", Box::new(|line| line.stands(3))),
        ("repetition:5..", Box::new(|line| line.stands(5))),
        ("fifty:20..", Box::new(|line| line.quiet_plies() >= 20)),
        ("fifty:45..", Box::new(|line| line.quiet_plies() >= 45)),
        (
            "sacrifice:1",
            Box::new(|line| line.gives(8, |now, before, later| later < now.min(before), value)),
        ),
        (
            "sacrifice",
            Box::new(|line| {
                line.gives(8, |now, before, later| later <= now.min(before) - 2, value)
            }),
        ),
        (
            "sacrifice:5,14",
            Box::new(|line| {
                line.gives(14, |now, before, later| later <= now.min(before) - 5, value)
            }),
        ),
        (
            "sacrifice:8",
            Box::new(|line| {
                line.gives(8, |now, before, later| later <= now.min(before) - 8, value)
            }),
        ),
        (
            "sacrifice:exchange,4",
            Box::new(|line| {
                // Both at once: the values of the pieces decide where it begins.
                let last = line.positions.len() - 1;
                (0..last).any(|ply| {
                    let sign = if line.positions[ply].turn().is_white() {
                        1
                    } else {
                        -1
                    };
                    let b = |ply: usize| sign * value(line.positions[ply].board());
                    let later: Vec<usize> = (ply + 2..=last.min(ply + 4)).step_by(2).collect();
                    let balance = |ply: usize| sign * exchange_balance(line.positions[ply].board());
                    (ply < 2 || b(ply) <= b(ply - 2))
                        && !later.is_empty()
                        && later
                            .iter()
                            .all(|later| balance(*later) - balance(ply) == -100 + 1)
                })
            }),
        ),
        ("legal:mates", Box::new(move |line| line.any_legal(is_mate))),
        (
            "{ legal:mates not move:mates not end }",
            Box::new(move |line| {
                line.positions.iter().zip(&line.moves).any(|(at, played)| {
                    at.legal_moves().iter().any(|m| is_mate(at, m)) && !is_mate(at, played)
                })
            }),
        ),
        (
            "{ legal:checks stm:black }",
            Box::new(|line| {
                line.any_legal(|at, m| {
                    let mut next = at.clone();
                    next.play_unchecked(*m);
                    at.turn().is_black() && next.is_check()
                })
            }),
        ),
        (
            "legal:O-O by:white",
            Box::new(move |line| {
                line.positions
                    .iter()
                    .any(|at| at.turn().is_white() && san(at, "O-O"))
            }),
        ),
        (
            "legal:O-O-O by:black",
            Box::new(move |line| {
                line.positions
                    .iter()
                    .any(|at| at.turn().is_black() && san(at, "O-O-O"))
            }),
        ),
        (
            "{ legal:captured:Q not captured:Q }",
            Box::new(|line| {
                line.positions.iter().enumerate().any(|(ply, at)| {
                    let takes = |m: &Move| m.capture() == Some(Role::Queen);
                    at.legal_moves().iter().any(takes) && !line.moves.get(ply).is_some_and(takes)
                })
            }),
        ),
        (
            "legal:promotes:N",
            Box::new(|line| line.any_legal(|_, m| m.promotion() == Some(Role::Knight))),
        ),
        (
            "promoted:Q",
            Box::new(|line| line.promoted(Color::White, Role::Queen) > 0),
        ),
        (
            "promoted:n=2..",
            Box::new(|line| line.promoted(Color::Black, Role::Knight) > 1),
        ),
        (
            "promoted:R and promoted:r",
            Box::new(|line| {
                line.promoted(Color::White, Role::Rook) > 0
                    && line.promoted(Color::Black, Role::Rook) > 0
            }),
        ),
        (
            "P~1:2 then Q~1:8",
            Box::new(|line| {
                line.one_piece(
                    |square, color, role| {
                        (color, role) == (Color::White, Role::Pawn)
                            && square.rank() == shakmaty::Rank::Second
                    },
                    |square, color, role| {
                        (color, role) == (Color::White, Role::Queen)
                            && square.rank() == shakmaty::Rank::Eighth
                    },
                )
            }),
        ),
        (
            "R~1:h1 then R~1:a",
            Box::new(|line| {
                line.one_piece(
                    |square, color, role| {
                        (color, role) == (Color::White, Role::Rook) && square == Square::H1
                    },
                    |square, color, role| {
                        (color, role) == (Color::White, Role::Rook)
                            && square.file() == shakmaty::File::A
                    },
                )
            }),
        ),
        (
            "N~1:b1 then N~1:4",
            Box::new(|line| {
                line.one_piece(
                    |square, color, role| {
                        (color, role) == (Color::White, Role::Knight) && square == Square::B1
                    },
                    |square, color, role| {
                        (color, role) == (Color::White, Role::Knight)
                            && square.rank() == shakmaty::Rank::Fourth
                    },
                )
            }),
        ),
        (
            "p~1 then { moved:~1 promotes:x }",
            Box::new(move |line| {
                line.one_piece(is_piece(Color::Black, Role::Pawn), |_, color, role| {
                    color == Color::Black && !matches!(role, Role::Pawn | Role::King)
                })
            }),
        ),
        (
            "r~1:h8 and not r~1:f8",
            Box::new(|line| {
                line.pieces().iter().any(|places| {
                    let is = |at: Square| places.contains(&Some((at, Color::Black, Role::Rook)));
                    is(Square::H8) && !is(Square::F8)
                })
            }),
        ),
        (
            "either N~1:b1 then N~1:c3",
            Box::new(|line| {
                let of = |color: Color, from: Square, to: Square| {
                    line.one_piece(
                        move |square, own, role| {
                            (own, role) == (color, Role::Knight) && square == from
                        },
                        move |square, own, role| {
                            (own, role) == (color, Role::Knight) && square == to
                        },
                    )
                };
                of(Color::White, Square::B1, Square::C3)
            }),
        ),
        (
            "{ N~1:b1 n~2:b8 } then { N~1:c3 n~2:c6 }",
            Box::new(|line| {
                let pieces = line.pieces();
                let is = |places: &Vec<Option<(Square, Color, Role)>>,
                          ply: usize,
                          at: Square,
                          color: Color| {
                    places[ply] == Some((at, color, Role::Knight))
                };
                pieces.iter().any(|one| {
                    pieces.iter().any(|other| {
                        (0..line.positions.len()).any(|ply| {
                            is(one, ply, Square::B1, Color::White)
                                && is(other, ply, Square::B8, Color::Black)
                                && (ply + 1..line.positions.len()).any(|later| {
                                    is(one, later, Square::C3, Color::White)
                                        && is(other, later, Square::C6, Color::Black)
                                })
                        })
                    })
                })
            }),
        ),
    ]
}

#[test]
fn conditions_on_lines_are_what_their_definitions_say() {
    let lines = lines(240);
    let base = Base::new();
    base.import_text(pgn(&lines).as_bytes(), every_game());
    let mut met = 0;
    for (text, is) in cases() {
        let expected: Vec<GameId> = (1..)
            .zip(&lines)
            .filter(|(_, line)| is(line))
            .map(|(game, _)| game)
            .collect();
        assert_eq!(found(&base, &[text]), expected, "{text}");
        met += usize::from(!expected.is_empty() && expected.len() < lines.len());
    }
    // A case that is true of all games or of none shows little.
    assert!(met >= 20, "{met}");
}

/// A fact has the name of a condition, not that of a set.
#[test]
fn names_of_sets_are_values_of_conditions_as_well() {
    let base = Base::new();
    let games = "[Event \"Danish Open\"]\n[White \"Chain, A\"]\n[Site \"Around\"]\n\n1. e4 *\n\n";
    base.import_text(games.as_bytes(), every_game());
    for text in [
        "event:open",
        "player:chain",
        "tag.Event:open",
        "site:around",
        "event:open and not player:passed",
    ] {
        assert_eq!(found(&base, &[text]), [1], "{text}");
    }
}
