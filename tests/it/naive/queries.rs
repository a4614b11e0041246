//! Questions about men, moves and moments against a look at every square of every position.
//! The oracle never turns a question round: it turns the position.

use std::sync::Arc;

use plydex::{
    query::{GameCondition, pattern},
    search::{self, AccessPlan, ColumnUse, GameConditions, MoveNotation, PatternQuery as Asked},
};
use proptest::{prelude::*, sample::select};
use shakmaty::{CastlingSide, Chess, Color, Move, Position, Role, Square, san::San, san::SanPlus};

use super::{
    attacks::attacks,
    base_of,
    game::{Known, specs},
    oracle,
};

/// A position and the moves around it, as plain letters on squares.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    /// By rank and file from a1; a dot for an empty square.
    board: [[char; 8]; 8],
    /// All that stands there, where the board was moved and lost what went over its edge.
    whole: [[char; 8]; 8],
    turn: usize,
    ply: u32,
    check: bool,
    mate: bool,
    stalemate: bool,
    played: Option<Played>,
    last: Option<Played>,
    /// What is left on the clock after the move that is played.
    seconds: Option<u32>,
}

/// Clocks of a game: some of its moves have none.
fn clock(ply: usize) -> Option<u32> {
    let seconds = (7 * ply as u32 + 3) % 13;
    (!seconds.is_multiple_of(4)).then_some(seconds)
}

/// A move; squares are files and ranks from 0.
#[derive(Debug, Clone, Copy)]
struct Played {
    kind: char,
    from: (usize, usize),
    to: (usize, usize),
    taken: Option<char>,
    becomes: Option<char>,
    castles: Option<bool>,
    in_passing: bool,
}

/// A null move, which is no move of anybody.
const PASS: Played = Played {
    kind: '-',
    from: (0, 0),
    to: (0, 0),
    taken: None,
    becomes: None,
    castles: None,
    in_passing: false,
};

fn letter(role: Role) -> char {
    role.upper_char()
}

fn place(square: Square) -> (usize, usize) {
    (usize::from(square.file()), usize::from(square.rank()))
}

fn played(m: Move) -> Played {
    let taken = m.capture().map(letter);
    let none = Played {
        kind: letter(m.role()),
        from: (0, 0),
        to: place(m.to()),
        taken,
        becomes: m.promotion().map(letter),
        castles: None,
        in_passing: m.is_en_passant(),
    };
    match m {
        Move::Castle { king, rook } => {
            let is_short = CastlingSide::from_king_side(king < rook) == CastlingSide::KingSide;
            let file = if is_short { 6 } else { 2 };
            Played {
                from: place(king),
                to: (file, place(king).1),
                castles: Some(is_short),
                ..none
            }
        }
        _ => Played {
            from: place(m.from().expect("no drops in chess")),
            ..none
        },
    }
}

fn scenes(game: &Known) -> Vec<Scene> {
    let mut last = None;
    let scene = |stop: &super::game::Stop| {
        let at: &Chess = &stop.position;
        let mut board = [['.'; 8]; 8];
        for (square, piece) in at.board() {
            let (file, rank) = place(square);
            board[rank][file] = piece.char();
        }
        let next = stop.next.as_ref().map(|san| {
            let san: SanPlus = san.parse().expect("SAN");
            match san.san {
                San::Null => PASS,
                _ => played(san.san.to_move(at).expect("a legal move")),
            }
        });
        let scene = Scene {
            board,
            whole: board,
            turn: usize::from(at.turn() == Color::Black),
            ply: stop.ply,
            check: at.is_check(),
            mate: at.is_checkmate(),
            stalemate: at.is_stalemate(),
            played: next,
            last,
            seconds: clock(stop.ply as usize).filter(|_| next.is_some()),
        };
        last = next;
        scene
    };
    game.line.iter().map(scene).collect()
}

fn other_case(letter: char) -> char {
    if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

impl Scene {
    /// What stands on a square, by file and rank.
    pub(super) fn at(&self, (file, rank): (usize, usize)) -> char {
        self.board[rank][file]
    }

    /// The same from the other side, top and bottom exchanged.
    fn flipped(&self) -> Self {
        let mut seen = self.clone();
        seen.board.reverse();
        for letter in seen.board.iter_mut().chain(&mut seen.whole).flatten() {
            *letter = other_case(*letter);
        }
        seen.turn ^= 1;
        for played in [&mut seen.played, &mut seen.last].into_iter().flatten() {
            played.from.1 = 7 - played.from.1;
            played.to.1 = 7 - played.to.1;
        }
        seen
    }

    /// The same with everything moved by files to the left and ranks down. Beside the board
    /// nothing stands.
    fn moved(&self, by: (i8, i8)) -> Self {
        let mut seen = self.clone();
        for (rank, file) in (0..8).flat_map(|rank| (0..8).map(move |file| (rank, file))) {
            let from = |at: usize, by: i8| at.checked_add_signed(by.into()).filter(|at| *at < 8);
            let from = from(rank, by.1).zip(from(file, by.0));
            seen.board[rank][file] = from.map_or('.', |(rank, file)| self.board[rank][file]);
        }
        seen
    }

    /// The same with left and right exchanged.
    fn mirrored(&self) -> Self {
        let mut seen = self.clone();
        for rank in &mut seen.board {
            rank.reverse();
        }
        for played in [&mut seen.played, &mut seen.last].into_iter().flatten() {
            played.from.0 = 7 - played.from.0;
            played.to.0 = 7 - played.to.0;
        }
        seen
    }
}

/// A test of a scene.
type Holds = Arc<dyn Fn(&Scene) -> bool>;

/// A condition as text, and what it means; whether it may not be mirrored, or not be moved over
/// the board.
#[derive(Clone)]
pub(super) struct Part {
    text: String,
    holds: Holds,
    castles: bool,
    is_fixed: bool,
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

pub(super) fn part(text: String, holds: impl Fn(&Scene) -> bool + 'static) -> Part {
    Part {
        text,
        holds: Arc::new(holds),
        castles: false,
        is_fixed: false,
    }
}

/// The same, which is not moved over the board.
pub(super) fn fixed(text: String, holds: impl Fn(&Scene) -> bool + 'static) -> Part {
    Part {
        is_fixed: true,
        ..part(text, holds)
    }
}

/// An area as text, and its squares (file, rank).
pub(super) fn area() -> impl Strategy<Value = (String, Vec<(usize, usize)>)> {
    let files = || (0usize..8, 0usize..8).prop_map(|(one, other)| (one.min(other), one.max(other)));
    let name = |file: usize| char::from(b'a' + file as u8);
    prop_oneof![
        4 => (0usize..8, 0usize..8).prop_map(move |(file, rank)| {
            (format!("{}{}", name(file), rank + 1), vec![(file, rank)])
        }),
        2 => (0usize..8).prop_map(move |file| {
            (name(file).to_string(), (0..8).map(|rank| (file, rank)).collect())
        }),
        2 => (0usize..8).prop_map(|rank| {
            ((rank + 1).to_string(), (0..8).map(|file| (file, rank)).collect())
        }),
        1 => any::<bool>().prop_map(|is_light| {
            let squares = (0..64).map(|at| (at % 8, at / 8));
            let wanted = squares.filter(|(file, rank)| ((file + rank) % 2 == 1) == is_light);
            (if is_light { "light" } else { "dark" }.to_owned(), wanted.collect())
        }),
        2 => (files(), files()).prop_map(move |((left, right), (low, high))| {
            let text = format!("{}-{}{}-{}", name(left), name(right), low + 1, high + 1);
            let squares = (low..=high).flat_map(|rank| (left..=right).map(move |file| (file, rank)));
            (text, squares.collect())
        }),
    ]
}

pub(super) fn is_of(men: &str, stands: char) -> bool {
    men.chars().any(|man| match man {
        '_' => stands == '.',
        'x' => stands != '.',
        'A' => stands.is_ascii_uppercase(),
        'a' => stands.is_ascii_lowercase(),
        man => stands == man,
    })
}

fn men() -> impl Strategy<Value = Part> {
    let letter = select("KQRBNPkqrbnpAa_x".chars().collect::<Vec<_>>());
    let sets = prop::collection::vec(prop::collection::vec(area(), 1..3), 1..3);
    let count = prop_oneof![
        2 => Just((String::new(), 1, 64)),
        1 => (0usize..3).prop_map(|n| (format!("={n}"), n, n)),
        1 => (1usize..4).prop_map(|n| (format!("={n}.."), n, 64)),
        1 => (0usize..3).prop_map(|n| (format!("=..{n}"), 0, n)),
    ];
    (letter, sets, count).prop_map(|(letter, sets, (count, least, most))| {
        let texts: Vec<String> = sets
            .iter()
            .map(|set| {
                set.iter()
                    .map(|(text, _)| &**text)
                    .collect::<Vec<_>>()
                    .join("/")
            })
            .collect();
        // A whole file or the squares of a colour have no end at the edge of the board.
        let is_bounded = |(text, squares): &(String, Vec<_>)| text.len() > 1 && squares.len() != 32;
        let is_fixed = !sets.iter().flatten().all(is_bounded);
        let text = format!("{letter}:{}{count}", texts.join(","));
        let own = part(text, move |scene| {
            sets.iter().all(|set| {
                let mut squares: Vec<_> = set.iter().flat_map(|(_, squares)| squares).collect();
                squares.sort_unstable();
                squares.dedup();
                let there = squares
                    .iter()
                    .filter(|(file, rank)| is_of(&letter.to_string(), scene.board[*rank][*file]));
                (least..=most).contains(&there.count())
            })
        });
        Part { is_fixed, ..own }
    })
}

fn on_board(scene: &Scene, men: &str) -> usize {
    let all = scene.whole.iter().flatten();
    all.filter(|&&stands| is_of(men, stands)).count()
}

fn counted() -> impl Strategy<Value = Part> {
    let men = || select(vec!["QR", "BN", "qrbn", "P", "p", "RBN", "x"]);
    prop_oneof![
        (men(), 0usize..6).prop_map(|(men, n)| part(format!("{men}={n}.."), move |scene| {
            on_board(scene, men) >= n
        })),
        (men(), men()).prop_map(
            |(men, others)| part(format!("{men}={others}"), move |scene| {
                on_board(scene, men) == on_board(scene, others)
            })
        ),
        (4usize..33).prop_map(|n| part(format!("pieces:{n}..32"), move |scene| {
            on_board(scene, "x") >= n
        })),
        prop::collection::vec(select(vec!['Q', 'R', 'B', 'N', 'P']), 0..5).prop_map(|men| {
            let men: String = men.into_iter().collect();
            let text = format!("material:K{men}vK+");
            part(text, move |scene| {
                [false, true].iter().any(|black| {
                    "QRBNP".chars().all(|kind| {
                        let own = if *black { other_case(kind) } else { kind };
                        on_board(scene, &own.to_string()) >= men.matches(kind).count()
                    })
                })
            })
        }),
        prop::collection::vec(select(vec!['Q', 'R', 'B', 'N', 'P']), 0..2).prop_map(|men| {
            let men: String = men.into_iter().collect();
            let text = format!("material:K{men}vKP");
            part(text, move |scene| {
                [false, true].iter().any(|black| {
                    "QRBNP".chars().all(|kind| {
                        let (one, other) = if *black {
                            (other_case(kind), kind)
                        } else {
                            (kind, other_case(kind))
                        };
                        on_board(scene, &one.to_string()) == men.matches(kind).count()
                            && on_board(scene, &other.to_string()) == usize::from(kind == 'P')
                    })
                })
            })
        }),
    ]
}

fn of_move() -> impl Strategy<Value = Part> {
    let kind = || select("KQRBNP".chars().collect::<Vec<_>>());
    let move_of = |text: String, fits: Arc<dyn Fn(&Played) -> bool>| {
        fixed(text, move |scene| {
            let is_move = |m: &&Played| m.kind != PASS.kind;
            scene
                .played
                .as_ref()
                .filter(is_move)
                .is_some_and(|m| fits(m))
        })
    };
    let is_at = |squares: &[(usize, usize)], at| squares.contains(&at);
    prop_oneof![
        kind().prop_map(move |kind| move_of(
            format!("moved:{kind}"),
            Arc::new(move |m| m.kind == kind)
        )),
        kind().prop_map(move |kind| move_of(
            format!("captured:{kind}"),
            Arc::new(move |m| m.taken == Some(kind))
        )),
        kind().prop_map(|kind| fixed(format!("last:{kind}"), move |scene| {
            scene.last.is_some_and(|m| m.kind == kind)
        })),
        select(vec!['Q', 'N']).prop_map(move |kind| move_of(
            format!("promotes:{kind}"),
            Arc::new(move |m| m.becomes == Some(kind))
        )),
        area().prop_map(move |(text, squares)| move_of(
            format!("from:{text}"),
            Arc::new(move |m| is_at(&squares, m.from))
        )),
        area().prop_map(move |(text, squares)| move_of(
            format!("to:{text}"),
            Arc::new(move |m| is_at(&squares, m.to))
        )),
        (kind(), 0usize..8, 0usize..8, any::<bool>()).prop_map(move |(kind, file, rank, takes)| {
            let man = if kind == 'P' {
                String::new()
            } else {
                kind.to_string()
            };
            let name = char::from(b'a' + file as u8);
            let sign = if takes && kind != 'P' { "x" } else { "" };
            move_of(
                format!("move:{man}{sign}{name}{}", rank + 1),
                Arc::new(move |m| {
                    m.kind == kind
                        && m.castles.is_none()
                        && m.to == (file, rank)
                        && (sign.is_empty() || m.taken.is_some())
                }),
            )
        }),
        Just(move_of("capture".into(), Arc::new(|m| m.taken.is_some()))),
        Just(move_of(
            "quiet".into(),
            Arc::new(|m| m.taken.is_none() && m.becomes.is_none())
        )),
        Just(move_of("ep".into(), Arc::new(|m| m.in_passing))),
        any::<bool>().prop_map(move |is_short| {
            let text = if is_short {
                "castles:O-O"
            } else {
                "castles:O-O-O"
            };
            Part {
                castles: true,
                ..move_of(text.into(), Arc::new(move |m| m.castles == Some(is_short)))
            }
        }),
    ]
}

/// The same of the move that led to a position.
fn of_last() -> impl Strategy<Value = Part> {
    of_move().prop_map(|own| {
        if own.text.starts_with("last:") {
            return own;
        }
        let holds = own.holds;
        let of_last = move |scene: &Scene| {
            holds(&Scene {
                played: scene.last,
                ..scene.clone()
            })
        };
        Part {
            castles: own.castles,
            ..fixed(format!("last:{}", own.text), of_last)
        }
    })
}

fn plain() -> impl Strategy<Value = Part> {
    prop_oneof![
        Just(part("check".into(), |scene| scene.check)),
        Just(part("mate".into(), |scene| scene.mate)),
        Just(part("stalemate".into(), |scene| scene.stalemate)),
        Just(part("end".into(), |scene| scene.played.is_none())),
        Just(part("stm:white".into(), |scene| scene.turn == 0)),
        Just(part("by:black".into(), |scene| scene.turn == 1)),
        (0u32..13, 0u32..13).prop_map(|(one, other)| {
            let (from, to) = (one.min(other), one.max(other));
            part(format!("clock:{from}..{to}"), move |scene| {
                (scene.seconds).is_some_and(|seconds| (from..=to).contains(&seconds))
            })
        }),
        (0u32..30, 0u32..30).prop_map(|(one, other)| {
            let (from, to) = (one.min(other), one.max(other));
            part(format!("ply:{from}..{to}"), move |scene| {
                (from..=to).contains(&scene.ply)
            })
        }),
    ]
}

/// Conditions of one ply.
fn at_a_ply() -> impl Strategy<Value = Part> {
    let term = prop_oneof![5 => men(), 2 => counted(), 4 => of_move(), 2 => of_last(), 2 => plain(), 2 => attacks()];
    term.prop_recursive(3, 8, 3, |inner| {
        let joined = |parts: &[Part], word: &str| {
            let texts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
            format!("( {} )", texts.join(word))
        };
        let castles = |parts: &[Part]| parts.iter().any(|part| part.castles);
        let is_fixed = |parts: &[Part]| parts.iter().any(|part| part.is_fixed);
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(move |parts| Part {
                text: joined(&parts, " "),
                castles: castles(&parts),
                is_fixed: is_fixed(&parts),
                holds: Arc::new(move |scene| parts.iter().all(|part| (part.holds)(scene))),
            }),
            prop::collection::vec(inner.clone(), 2..4).prop_map(move |parts| Part {
                text: joined(&parts, " or "),
                castles: castles(&parts),
                is_fixed: is_fixed(&parts),
                holds: Arc::new(move |scene| parts.iter().any(|part| (part.holds)(scene))),
            }),
            inner.prop_map(|part| Part {
                text: format!("not {}", part.text),
                castles: part.castles,
                is_fixed: part.is_fixed,
                holds: Arc::new(move |scene| !(part.holds)(scene)),
            }),
        ]
    })
}

#[derive(Debug, Clone)]
struct Moment {
    part: Part,
    either: bool,
    mirror: bool,
    /// Along the ranks, along the files.
    shifts: (bool, bool),
    times: usize,
    step: usize,
    /// How far behind the one before; 0 any.
    within: usize,
}

fn moment() -> impl Strategy<Value = Moment> {
    let looks = (prop::bool::weighted(0.3), prop::bool::weighted(0.2));
    let shifts = (prop::bool::weighted(0.5), prop::bool::weighted(0.3));
    let lasts = prop_oneof![4 => Just((1, 1)), 1 => (2usize..4, 1usize..3)];
    let ways = (looks, shifts);
    (at_a_ply(), ways, lasts, 0usize..4).prop_map(|(part, (looks, shifts), lasts, within)| Moment {
        either: looks.0,
        mirror: looks.1 && !part.castles,
        shifts: (shifts.0 && !part.is_fixed, shifts.1 && !part.is_fixed),
        part,
        times: lasts.0,
        step: lasts.1,
        within,
    })
}

impl Moment {
    fn text(&self) -> String {
        let word = |is: bool, word: &'static str| if is { word } else { "" };
        format!(
            "{}{}{}{}{{ {} }} for {} step {}",
            word(self.either, "either "),
            word(self.mirror, "mirror "),
            word(self.shifts.0, "shiftx "),
            word(self.shifts.1, "shifty "),
            self.part.text,
            self.times,
            self.step
        )
    }

    /// Whether it begins at a ply.
    fn begins(&self, scenes: &[Scene], at: usize) -> bool {
        let plies: Vec<usize> = (0..self.times).map(|nth| at + nth * self.step).collect();
        let lasts = |seen: &dyn Fn(&Scene) -> Scene| {
            plies.iter().all(|&ply| {
                scenes
                    .get(ply)
                    .is_some_and(|scene| (self.part.holds)(&seen(scene)))
            })
        };
        let range = |is_asked: bool| if is_asked { -7..8 } else { 0..1 };
        let moved = range(self.shifts.0).flat_map(|x| range(self.shifts.1).map(move |y| (x, y)));
        moved.into_iter().any(|by| {
            lasts(&|scene| scene.moved(by))
                || self.either && lasts(&|scene| scene.moved(by).flipped())
                || self.mirror && lasts(&|scene| scene.moved(by).mirrored())
                || self.either
                    && self.mirror
                    && lasts(&|scene| scene.moved(by).flipped().mirrored())
        })
    }
}

/// The plies at which a chain begins.
fn begins(chain: &[Moment], scenes: &[Scene], behind: Option<usize>) -> Vec<u32> {
    let Some((moment, rest)) = chain.split_first() else {
        return Vec::new();
    };
    let reached = |at: usize| {
        behind.is_none_or(|end| at > end && (moment.within == 0 || at <= end + moment.within))
    };
    let goes_on = |at: usize| {
        let end = at + (moment.times - 1) * moment.step;
        rest.is_empty() || !begins(rest, scenes, Some(end)).is_empty()
    };
    (0..scenes.len())
        .filter(|&at| reached(at) && moment.begins(scenes, at) && goes_on(at))
        .map(|at| scenes[at].ply)
        .collect()
}

#[derive(Debug, Clone)]
enum Question {
    Chain(Vec<Moment>),
    Fact,
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
}

fn question() -> impl Strategy<Value = Question> {
    let chain = prop_oneof![
        3 => prop::collection::vec(moment(), 1..2),
        1 => prop::collection::vec(moment(), 2..4),
    ];
    let leaf = prop_oneof![5 => chain.prop_map(Question::Chain), 1 => Just(Question::Fact)];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Question::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Question::Or),
            inner.prop_map(|inner| Question::Not(Box::new(inner))),
        ]
    })
}

impl Question {
    fn text(&self) -> String {
        let joined = |inner: &[Self], word: &str| {
            let texts: Vec<String> = inner.iter().map(Self::text).collect();
            format!("( {} )", texts.join(word))
        };
        match self {
            Self::Chain(chain) => {
                let mut text = chain[0].text();
                for moment in &chain[1..] {
                    let link = match moment.within {
                        0 => "then".to_owned(),
                        1 => "next".to_owned(),
                        plies => format!("within {plies}"),
                    };
                    text = format!("{text} {link} {}", moment.text());
                }
                text
            }
            Self::Fact => "player:ann".to_owned(),
            Self::Not(inner) => format!("not {}", inner.text()),
            Self::And(inner) => joined(inner, " and "),
            Self::Or(inner) => joined(inner, " or "),
        }
    }

    fn holds(&self, game: &Known, scenes: &[Scene], plies: &mut Vec<u32>) -> bool {
        match self {
            Self::Chain(chain) => {
                let found = begins(chain, scenes, None);
                plies.extend(&found);
                !found.is_empty()
            }
            Self::Fact => oracle::passes(game, &fact()),
            Self::Not(inner) => !inner.holds(game, scenes, &mut Vec::new()),
            Self::And(inner) => {
                let mut own = Vec::new();
                let is_true = inner.iter().all(|one| one.holds(game, scenes, &mut own));
                if is_true {
                    plies.extend(own);
                }
                is_true
            }
            Self::Or(inner) => {
                let found = inner.iter().map(|one| one.holds(game, scenes, plies));
                found.fold(false, |any, one| any | one)
            }
        }
    }
}

fn fact() -> GameConditions {
    GameConditions::of([GameCondition::player("ann")])
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PLYDEX_QUESTION_CASES")
            .ok()
            .and_then(|cases| cases.parse().ok())
            .unwrap_or(24),
        max_shrink_iters: 400,
        ..ProptestConfig::default()
    })]

    #[test]
    fn questions_are_answered_as_by_a_look_at_every_square(
        specs in specs(1..20),
        questions in prop::collection::vec(question(), 12),
    ) {
        let games = specs.into_iter().map(|spec| Known::with_clocks(spec, &clock));
        let games: Vec<Known> = games.collect();
        let base = base_of(&games, 2, None, &[]);
        let all: Vec<Vec<Scene>> = games.iter().map(scenes).collect();
        for question in questions {
            let text = question.text();
            let expr = pattern::parser::parse(&text).expect(&text);
            let mut asked = Asked::of(&text, expr);
            search::prepare(&base.store, (&GameConditions::default(), None), &mut asked)
                .expect("a database")
                .expect(&text);
            let without_columns = Asked {
                columns: ColumnUse::Never,
                ..asked.clone()
            };
            let mut without_sums = asked.clone();
            for (_, pattern) in &mut without_sums.boards {
                *pattern = Arc::new(pattern.without_shortcuts());
            }
            let queries = [asked, without_columns, without_sums];
            let [query, slow, slower] = queries.map(|asked| AccessPlan {
                pattern: Some(asked),
                ..AccessPlan::default()
            });
            let found = search::search(&base.store, &query, MoveNotation::default()).expect("an answer");
            let hits: Vec<(u64, Vec<u32>)> = found
                .hits
                .iter()
                .map(|hit| (hit.header.id, hit.plies_found.clone()))
                .collect();
            let mut expected = Vec::new();
            for ((game, scenes), id) in games.iter().zip(&all).zip(1..) {
                let mut plies = Vec::new();
                if question.holds(game, scenes, &mut plies) {
                    plies.sort_unstable();
                    plies.dedup();
                    expected.push((id, plies));
                }
            }
            let ids = |hits: &[(u64, Vec<u32>)]| hits.iter().map(|hit| hit.0).collect::<Vec<_>>();
            prop_assert_eq!(ids(&hits), ids(&expected), "{}", text);
            prop_assert_eq!(hits, expected, "{}", text);
            for query in [query, slow, slower] {
                let count = search::count(&base.store, &query).expect("a number");
                prop_assert_eq!(count, found.total, "{}", text);
            }
        }
    }
}
