//! Conditions of one ply: how each is written, how it is seen from elsewhere, and at which positions it
//! holds.

use super::scene::{Ground, PlayedMove, Scene, squares};
use super::sets::{Area, Set, View, areas_text, mask};

/// A range of numbers, both ends included.
pub(super) type Numbers = (i64, i64);

/// No upper end.
pub(super) const ANY: i64 = i64::MAX;

/// A range as it is written.
pub(super) fn range_text((from, to): Numbers) -> String {
    match (from, to) {
        (from, to) if from == to => from.to_string(),
        (from, ANY) => format!("{from}.."),
        (i64::MIN | 0, to) => format!("..{to}"),
        (from, to) => format!("{from}..{to}"),
    }
}

fn within((from, to): Numbers, value: i64) -> bool {
    from <= value && value <= to
}

/// A count after a set; some if nothing is written.
fn count_text(count: Numbers) -> String {
    match count {
        (1, ANY) => String::new(),
        count => format!("={}", range_text(count)),
    }
}

/// What a move is like.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MoveTerm {
    /// A move of a piece to a square, that takes something or need not.
    Written(char, bool, Area),
    Moved(String),
    Captured(String),
    Promotes(char),
    From(Vec<Area>),
    To(Vec<Area>),
    /// Which side; either.
    Castles(Option<bool>),
    InPassing,
    Capture,
    Quiet,
    Jumps(Numbers),
}

/// What is attacked: one of some pieces, or a square.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    Men(String),
    On(Area),
}

/// A condition of one ply.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// This many pieces on each of some areas that are joined.
    Men(String, Vec<Vec<Area>>, Numbers),
    /// As many as of others.
    AsMany(String, String),
    Attacks(String, Vec<Vec<Target>>, Numbers),
    Pins([String; 3]),
    Only(String, Vec<Area>),
    Set(Set, Numbers),
    /// More squares than another set has.
    More(Set, Set, Numbers),
    /// Kings and these pieces of both sides; there may be more; the first is White.
    Material([String; 2], bool, bool),
    Imbalance([String; 2], bool),
    Ending([&'static str; 2]),
    Value(Option<usize>, Numbers),
    Pair(usize, bool),
    OppositeBishops,
    Double,
    Discovered,
    Smothered,
    /// Draughts: men or kings of both sides.
    Counts(bool, [Numbers; 2]),
    Turn(usize),
    Ply(Numbers),
    Pieces(Numbers),
    Check,
    Mate,
    Stalemate,
    End,
    Move(MoveTerm),
    Last(MoveTerm),
    Clock(Numbers),
    /// In tenths of a pawn.
    Eval(Numbers),
    Loss(Numbers),
    /// A FEN of four fields.
    Position(String),
}

/// Whether a condition holds in a position.
pub(super) type Holds = Box<dyn Fn(&Scene) -> bool>;

impl MoveTerm {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Written(kind, takes, to) => {
                let kind = if *kind == 'P' {
                    String::new()
                } else {
                    kind.to_string()
                };
                let takes = if *takes { "x" } else { "" };
                format!("move:{kind}{takes}{}", to.text())
            }
            Self::Moved(kinds) => format!("moved:{kinds}"),
            Self::Captured(kinds) => format!("captured:{kinds}"),
            Self::Promotes(kind) => format!("promotes:{kind}"),
            Self::From(areas) => format!("from:{}", areas_text(areas)),
            Self::To(areas) => format!("to:{}", areas_text(areas)),
            Self::Castles(None) => "castles:any".to_owned(),
            Self::Castles(Some(true)) => "castles:O-O".to_owned(),
            Self::Castles(Some(false)) => "castles:O-O-O".to_owned(),
            Self::InPassing => "ep".to_owned(),
            Self::Capture => "capture".to_owned(),
            Self::Quiet => "quiet".to_owned(),
            Self::Jumps(numbers) => format!("jumps:{}", range_text(*numbers)),
        }
    }

    fn seen(&self, view: View) -> Self {
        let moved = |areas: &[Area]| areas.iter().map(|area| area.seen(view)).collect();
        match self {
            Self::Written(kind, takes, to) => Self::Written(*kind, *takes, to.seen(view)),
            Self::From(areas) => Self::From(moved(areas)),
            Self::To(areas) => Self::To(moved(areas)),
            other => other.clone(),
        }
    }

    fn meaning(&self, ground: Ground) -> Box<dyn Fn(&PlayedMove) -> bool> {
        let has = |kinds: &str, kind: char| kinds.contains(kind);
        match self.clone() {
            Self::Written(kind, takes, to) => {
                let to = mask(&[to], ground);
                Box::new(move |m| {
                    m.kind == kind
                        && m.castles.is_none()
                        && m.to & to != 0
                        && (!takes || m.taken.is_some())
                })
            }
            Self::Moved(kinds) => Box::new(move |m| has(&kinds, m.kind)),
            Self::Captured(kinds) => {
                Box::new(move |m| m.taken.is_some_and(|taken| has(&kinds, taken)))
            }
            Self::Promotes(kind) => Box::new(move |m| m.becomes == Some(kind)),
            Self::From(areas) => {
                let from = mask(&areas, ground);
                Box::new(move |m| m.from & from != 0)
            }
            Self::To(areas) => {
                let to = mask(&areas, ground);
                Box::new(move |m| m.to & to != 0)
            }
            Self::Castles(side) => Box::new(move |m| {
                m.castles
                    .is_some_and(|is_short| side.is_none_or(|side| side == is_short))
            }),
            Self::InPassing => Box::new(|m| m.in_passing),
            Self::Capture => Box::new(|m| m.jumps > 0),
            Self::Quiet => Box::new(|m| m.jumps == 0 && m.becomes.is_none()),
            Self::Jumps(numbers) => Box::new(move |m| within(numbers, m.jumps.into())),
        }
    }
}

impl Term {
    pub(super) fn text(&self) -> String {
        let sides = |[first, second]: &[String; 2], is_white_first: bool| {
            format!("{}{first}v{second}", if is_white_first { "w:" } else { "" })
        };
        match self {
            Self::Men(letters, on, count) => {
                let on: Vec<String> = on.iter().map(|areas| areas_text(areas)).collect();
                let colon = if on.is_empty() { "" } else { ":" };
                let count = match *count {
                    (1, ANY) if on.is_empty() && letters.len() > 1 => "=1..".to_owned(),
                    count => count_text(count),
                };
                format!("{letters}{colon}{}{count}", on.join(","))
            }
            Self::AsMany(one, other) => format!("{one}={other}"),
            Self::Attacks(men, targets, count) => {
                let one = |target: &Target| match target {
                    Target::Men(letters) => letters.clone(),
                    Target::On(area) => area.text(),
                };
                let any = |any: &Vec<Target>| any.iter().map(one).collect::<Vec<_>>().join("/");
                let targets: Vec<String> = targets.iter().map(any).collect();
                format!("attacks:{men}:{}{}", targets.join(","), count_text(*count))
            }
            Self::Pins([by, pinned, behind]) => format!("pins:{by}:{pinned}:{behind}"),
            Self::Only(letters, on) => format!("only:{letters}:{}", areas_text(on)),
            Self::Set(set, count) => format!("{}{}", set.text(), count_text(*count)),
            Self::More(set, other, (0, 0)) => format!("{}={}", set.text(), other.text()),
            Self::More(set, other, more) => {
                format!("{}={}+{}", set.text(), other.text(), range_text(*more))
            }
            Self::Material(both, is_open, is_white_first) => {
                let open = if *is_open { "+" } else { "" };
                format!("material:{}{open}", sides(both, *is_white_first))
            }
            Self::Imbalance(both, is_white_first) => {
                format!("imbalance:{}", sides(both, *is_white_first))
            }
            Self::Ending([one, other]) => format!("ending:{one}v{other}"),
            Self::Value(side, numbers) => {
                let side = side.map_or("", |side| ["w:", "b:"][side]);
                format!("value:{side}{}", signed_text(*numbers))
            }
            Self::Pair(side, has) => {
                format!("pair:{}{}", ["w", "b"][*side], if *has { "" } else { "=0" })
            }
            Self::OppositeBishops => "opposite-bishops".to_owned(),
            Self::Double => "double".to_owned(),
            Self::Discovered => "discovered".to_owned(),
            Self::Smothered => "smothered".to_owned(),
            Self::Counts(kings, [white, black]) => format!(
                "{}:{}v{}",
                if *kings { "kings" } else { "men" },
                range_text(*white),
                range_text(*black)
            ),
            Self::Turn(side) => format!("stm:{}", ["white", "black"][*side]),
            Self::Ply(numbers) => format!("ply:{}", range_text(*numbers)),
            Self::Pieces(numbers) => format!("pieces:{}", range_text(*numbers)),
            Self::Check => "check".to_owned(),
            Self::Mate => "mate".to_owned(),
            Self::Stalemate => "stalemate".to_owned(),
            Self::End => "end".to_owned(),
            Self::Move(term) => term.text(),
            Self::Last(term) => format!("last:{}", term.text()),
            Self::Clock(numbers) => format!("clock:{}", range_text(*numbers)),
            Self::Eval(numbers) => format!("eval:{}", tenths_text(*numbers)),
            Self::Loss(numbers) => format!("loss:{}", tenths_text(*numbers)),
            Self::Position(fen) => format!("fen:\"{fen}\""),
        }
    }

    /// Whether it can be looked at with left and right exchanged, and moved over the board.
    pub(super) fn may_be_turned(&self) -> bool {
        let may = |term: &MoveTerm| !matches!(term, MoveTerm::Castles(_));
        match self {
            // Its definition asks for castling.
            Self::Discovered => false,
            Self::Move(term) | Self::Last(term) => may(term),
            other => other.may_be_seen(),
        }
    }

    /// Whether it can be looked at from the other side.
    pub(super) fn may_be_seen(&self) -> bool {
        !matches!(self, Self::Position(_))
    }

    pub(super) fn seen(&self, view: View) -> Self {
        let moved = |areas: &[Area]| areas.iter().map(|area| area.seen(view)).collect();
        let turn = |numbers: &Numbers| {
            if view.flips {
                (numbers.1.saturating_neg(), numbers.0.saturating_neg())
            } else {
                *numbers
            }
        };
        let swapped = |both: &[String; 2], is_white_first: bool| {
            if is_white_first && view.flips {
                [both[1].clone(), both[0].clone()]
            } else {
                both.clone()
            }
        };
        match self {
            Self::Men(letters, on, count) => Self::Men(
                view.letters(letters),
                on.iter().map(|areas| moved(areas)).collect(),
                *count,
            ),
            Self::AsMany(one, other) => Self::AsMany(view.letters(one), view.letters(other)),
            Self::Attacks(men, targets, count) => {
                let one = |target: &Target| match target {
                    Target::Men(letters) => Target::Men(view.letters(letters)),
                    Target::On(area) => Target::On(area.seen(view)),
                };
                let any = |any: &Vec<Target>| any.iter().map(one).collect();
                Self::Attacks(view.letters(men), targets.iter().map(any).collect(), *count)
            }
            Self::Pins(all) => Self::Pins(all.each_ref().map(|letters| view.letters(letters))),
            Self::Only(letters, on) => Self::Only(view.letters(letters), moved(on)),
            Self::Set(set, count) => Self::Set(set.seen(view), *count),
            Self::More(set, other, more) => Self::More(set.seen(view), other.seen(view), *more),
            Self::Material(both, is_open, is_white_first) => {
                Self::Material(swapped(both, *is_white_first), *is_open, *is_white_first)
            }
            Self::Imbalance(both, is_white_first) => {
                Self::Imbalance(swapped(both, *is_white_first), *is_white_first)
            }
            Self::Value(None, numbers) => Self::Value(None, turn(numbers)),
            Self::Value(Some(side), numbers) => Self::Value(Some(view.side(*side)), *numbers),
            Self::Pair(side, has) => Self::Pair(view.side(*side), *has),
            Self::Counts(kings, [white, black]) if view.flips => {
                Self::Counts(*kings, [*black, *white])
            }
            Self::Turn(side) => Self::Turn(view.side(*side)),
            Self::Move(term) => Self::Move(term.seen(view)),
            Self::Last(term) => Self::Last(term.seen(view)),
            other => other.clone(),
        }
    }

    /// What it means on a board. `written` is the same as it was written, before it was moved.
    pub(super) fn meaning(&self, written: &Self, ground: Ground) -> Holds {
        match self.clone() {
            Self::Men(letters, on, count) => {
                let counts = |areas: &Vec<Area>| mask(areas, ground);
                // Squares beside the board are empty.
                let beside: Vec<u32> = match written {
                    Self::Men(empty, areas, _) if empty == "_" => (areas.iter().zip(&on))
                        .map(|(areas, on)| {
                            (counts(areas).count_ones()).saturating_sub(counts(on).count_ones())
                        })
                        .collect(),
                    _ => vec![0; on.len()],
                };
                let mut on: Vec<(u64, u32)> = on.iter().map(counts).zip(beside).collect();
                if on.is_empty() {
                    on.push((ground.all(), 0));
                }
                Box::new(move |at| {
                    let men = at.any_of(&letters);
                    on.iter().all(|(on, beside)| {
                        within(count, ((men & on).count_ones() + beside).into())
                    })
                })
            }
            Self::AsMany(one, other) => {
                Box::new(move |at| at.any_of(&one).count_ones() == at.any_of(&other).count_ones())
            }
            Self::Attacks(men, targets, count) => {
                let aims = |any: &Vec<Target>| {
                    any.iter()
                        .fold((String::new(), 0), |(letters, on), target| match target {
                            Target::Men(more) => (letters + more, on),
                            Target::On(area) => (letters, on | mask(&[*area], ground)),
                        })
                };
                let targets: Vec<(String, u64)> = targets.iter().map(aims).collect();
                Box::new(move |at| {
                    let attackers = squares(at.any_of(&men)).filter(|from| {
                        let seen = at.seen[*from as usize];
                        targets
                            .iter()
                            .all(|(letters, on)| seen & (at.any_of(letters) | on) != 0)
                    });
                    within(count, attackers.count() as i64)
                })
            }
            Self::Pins([by, pinned, behind]) => {
                // A ray from something that slides, with just these on it.
                let sliders: String = match by.contains(['A', 'a']) {
                    true if by == "A" => "QRB".to_owned(),
                    true => "qrb".to_owned(),
                    false => by.chars().filter(|c| "QRBqrb".contains(*c)).collect(),
                };
                let men = |letters: &str| Set::Men(letters.to_owned(), Vec::new());
                let ray = Set::Function("ray", vec![men(&sliders), men(&pinned), men(&behind)]);
                let ray = ray.meaning();
                Box::new(move |at| ray(at) != 0)
            }
            Self::Only(letters, on) => {
                let on = mask(&on, ground);
                Box::new(move |at| at.any_of(&letters) & !on == 0)
            }
            Self::Set(set, count) => {
                let set = set.meaning();
                Box::new(move |at| within(count, set(at).count_ones().into()))
            }
            Self::More(set, other, more) => {
                let (set, other) = (set.meaning(), other.meaning());
                Box::new(move |at| {
                    let [own, other] = [set(at), other(at)].map(|set| i64::from(set.count_ones()));
                    within(more, own - other)
                })
            }
            Self::Material(both, is_open, is_white_first) => Box::new(move |at| {
                let sides = if is_white_first { 1 } else { 2 };
                (0..sides).any(|first: usize| {
                    both.iter().enumerate().all(|(nth, men)| {
                        "QRBNP".chars().all(|kind| {
                            let number = at.number(kind, first ^ nth);
                            let wanted = men.matches(kind).count();
                            number == wanted || is_open && number > wanted
                        })
                    })
                })
            }),
            Self::Imbalance(both, is_white_first) => Box::new(move |at| {
                let sides = if is_white_first { 1 } else { 2 };
                (0..sides).any(|first| is_imbalance(at, &both, first))
            }),
            Self::Ending(both) => Box::new(move |at| {
                (0..2).any(|first: usize| {
                    both.iter().enumerate().all(|(nth, men)| {
                        let is = |kind| at.number(kind, first ^ nth) == men.matches(kind).count();
                        "QRBN".chars().all(is)
                    })
                })
            }),
            Self::Value(side, numbers) => Box::new(move |at| {
                let value = match side {
                    None => value(at, 0) - value(at, 1),
                    Some(side) => value(at, side),
                };
                within(numbers, value)
            }),
            Self::Pair(side, has) => {
                Box::new(move |at| has == shades(at, side).iter().all(|number| *number > 0))
            }
            Self::OppositeBishops => Box::new(|at| {
                let [white, black] = [0, 1].map(|side| shades(at, side));
                white.iter().sum::<u32>() == 1 && black.iter().sum::<u32>() == 1 && white != black
            }),
            Self::Double => Box::new(|at| checkers(at).count_ones() >= 2),
            Self::Discovered => Box::new(|at| {
                at.last
                    .is_none_or(|last| last.castles.is_none() && checkers(at) & !last.to != 0)
                    && checkers(at) != 0
            }),
            Self::Smothered => Box::new(|at| {
                let king = at.own('K', at.turn).trailing_zeros();
                let around = at.seen[king as usize];
                at.mate
                    && at.last.is_some_and(|last| last.kind == 'N')
                    && around & !at.side(at.turn) == 0
            }),
            Self::Counts(kings, numbers) => Box::new(move |at| {
                let kind = if kings { 'K' } else { 'M' };
                (0..2).all(|side| within(numbers[side], at.number(kind, side) as i64))
            }),
            Self::Turn(side) => Box::new(move |at| at.turn == side),
            Self::Ply(numbers) => Box::new(move |at| within(numbers, at.ply.into())),
            Self::Pieces(numbers) => {
                Box::new(move |at| within(numbers, at.of('x').count_ones().into()))
            }
            Self::Check => Box::new(|at| at.check),
            Self::Mate => Box::new(|at| at.mate),
            Self::Stalemate => Box::new(|at| at.stalemate),
            Self::End => Box::new(|at| at.next.is_none()),
            Self::Move(term) => {
                let fits = term.meaning(ground);
                Box::new(move |at| at.next.is_some_and(|m| m.kind != '-' && fits(&m)))
            }
            Self::Last(term) => {
                let fits = term.meaning(ground);
                Box::new(move |at| at.last.is_some_and(|m| m.kind != '-' && fits(&m)))
            }
            Self::Clock(numbers) => said(numbers, 1, |at| at.said.clock),
            Self::Eval(numbers) => said(numbers, 10, |at| at.said.eval),
            Self::Loss(numbers) => said(numbers, 10, |at| at.said.loss),
            Self::Position(fen) => Box::new(move |at| is_board(at, &fen)),
        }
    }
}

/// What a comment says, in a range of some unit.
fn said(numbers: Numbers, unit: i64, of: impl Fn(&Scene) -> Option<i64> + 'static) -> Holds {
    let (from, to) = (
        numbers.0.saturating_mul(unit),
        numbers.1.saturating_mul(unit),
    );
    Box::new(move |at| of(at).is_some_and(|value| within((from, to), value)))
}

/// Tenths as decimals.
fn tenths_text((from, to): Numbers) -> String {
    let one = |value: i64| match value {
        i64::MIN | ANY => String::new(),
        value => format!("{}", value as f64 / 10.0),
    };
    if from == to {
        one(from)
    } else {
        format!("{}..{}", one(from), one(to))
    }
}

/// A range whose numbers may be less than nothing.
fn signed_text((from, to): Numbers) -> String {
    let one = |value: i64| match value {
        i64::MIN | ANY => String::new(),
        value => value.to_string(),
    };
    if from == to {
        one(from)
    } else {
        format!("{}..{}", one(from), one(to))
    }
}

fn is_imbalance(at: &Scene, both: &[String; 2], first: usize) -> bool {
    let count = |side: usize, kind: char| both[side].matches(kind).count() as i64;
    let here = |side: usize, kind: char| at.number(kind, first ^ side) as i64;
    let names_both = "QRBNP"
        .chars()
        .any(|kind| count(0, kind) > 0 && count(1, kind) > 0);
    "QRBNP".chars().all(|kind| {
        let is_named = count(0, kind) + count(1, kind) > 0;
        match (is_named, names_both) {
            (false, _) if kind == 'P' => true,
            (true, true) => (0..2).all(|side| here(side, kind) == count(side, kind)),
            _ => here(0, kind) - here(1, kind) == count(0, kind) - count(1, kind),
        }
    })
}

fn value(at: &Scene, side: usize) -> i64 {
    let values = [('P', 1), ('N', 3), ('B', 3), ('R', 5), ('Q', 9)];
    let each = values.map(|(kind, value)| value * at.number(kind, side) as i64);
    each.iter().sum()
}

/// Bishops on light and on dark squares.
fn shades(at: &Scene, side: usize) -> [u32; 2] {
    let bishops = at.own('B', side);
    [Area::Light, Area::Dark].map(|shade| (bishops & mask(&[shade], at.ground)).count_ones())
}

/// The pieces that give check.
fn checkers(at: &Scene) -> u64 {
    let king = at.own('K', at.turn);
    let others = at.side(at.turn ^ 1);
    let attacking = squares(others).filter(|from| at.check && at.seen[*from as usize] & king != 0);
    attacking.fold(0, |all, from| all | 1 << from)
}

/// Whether a position has the board of a FEN and its side to move.
fn is_board(at: &Scene, fen: &str) -> bool {
    let mut fields = fen.split(' ');
    let (board, turn) = (fields.next().unwrap_or_default(), fields.next());
    let mut stands = 0;
    for (nth, row) in board.split('/').enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty;
                continue;
            }
            let square = (7 - nth as u32) * 8 + file;
            if at.of(letter) >> square & 1 == 0 {
                return false;
            }
            (stands, file) = (stands | 1 << square, file + 1);
        }
    }
    stands == at.of('x') && turn == Some(["w", "b"][at.turn])
}
