//! Queries as texts: what [`parse`](super::parser::parse) reads as the same query again.

use std::fmt::{self, Display, Formatter};

use super::{
    Area, AttackTarget, Count, Expr, MoveTerm, Numbers, PlyCondition, SacrificeTerm, Sequence,
    SetCount, SquareWildcard, Step, StepGap, Symmetries, Term,
    square_set::{self, SquareExpr},
};
use crate::query::{GameCondition, condition::write_value};

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(all) => joined(f, all, " and ", |f, one| match one {
                Self::Or(_) => write!(f, "({one})"),
                _ => one.fmt(f),
            }),
            Self::Or(any) => joined(f, any, " or ", |f, one| one.fmt(f)),
            Self::Not(inner) => match **inner {
                Self::And(_) | Self::Or(_) => write!(f, "not ({inner})"),
                _ => write!(f, "not {inner}"),
            },
            Self::Seen(looks, inner) => write!(f, "{looks}({inner})"),
            Self::Chain(sequence) => sequence.fmt(f),
            Self::Game(condition, _) => condition.fmt(f),
            Self::Saved(name, _) => write!(f, "@{name}"),
        }
    }
}

/// Writes parts with something between them.
fn joined<T>(
    f: &mut Formatter<'_>,
    parts: &[T],
    between: &str,
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        write(f, part)?;
    }
    Ok(())
}

impl Display for Symmetries {
    /// The words with a blank after each.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (is_asked, word) in [
            (self.either, "either "),
            (self.mirror, "mirror "),
            (self.rotate, "rotate "),
            (self.shift_x && self.shift_y, "shift "),
            (self.shift_x && !self.shift_y, "shiftx "),
            (self.shift_y && !self.shift_x, "shifty "),
        ] {
            if is_asked {
                f.write_str(word)?;
            }
        }
        Ok(())
    }
}

impl Display for Sequence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        for (gap, step) in &self.rest {
            match gap {
                StepGap::Then => f.write_str(" then ")?,
                StepGap::Within(1) => f.write_str(" next ")?,
                StepGap::Within(plies) => write!(f, " within {plies} ")?,
            }
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.looks.fmt(f)?;
        if stands_without_braces(&self.holds) {
            self.holds.fmt(f)?;
        } else {
            write!(f, "{{ {} }}", self.holds)?;
        }
        if self.times > 1 || self.step > 1 {
            write!(f, " for {}", self.times)?;
        }
        if self.step > 1 {
            write!(f, " step {}", self.step)?;
        }
        Ok(())
    }
}

/// Whether conditions of a step are words side by side. A position, or what comments say, would be
/// a condition on the game without braces, and a name could stand for anything.
fn stands_without_braces(condition: &PlyCondition) -> bool {
    match condition {
        PlyCondition::And(all) => all
            .iter()
            .all(|one| matches!(one, PlyCondition::Term(..)) && stands_without_braces(one)),
        PlyCondition::Or(_) | PlyCondition::Not(_) | PlyCondition::Seen(..) => false,
        PlyCondition::Term(term, _) => !matches!(
            term,
            Term::Position(_) | Term::Annotation(_) | Term::Saved(_)
        ),
    }
}

impl Display for PlyCondition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(all) => joined(f, all, " ", |f, one| match one {
                Self::And(_) | Self::Or(_) => write!(f, "({one})"),
                _ => one.fmt(f),
            }),
            Self::Or(any) => joined(f, any, " or ", |f, one| match one {
                Self::Or(_) => write!(f, "({one})"),
                _ => one.fmt(f),
            }),
            Self::Not(inner) => match **inner {
                Self::And(_) | Self::Or(_) => write!(f, "not ({inner})"),
                _ => write!(f, "not {inner}"),
            },
            Self::Seen(looks, inner) => write!(f, "{looks}{{ {inner} }}"),
            Self::Term(term, _) => term.fmt(f),
        }
    }
}

/// A range of numbers, both ends included.
struct Range(Numbers);

impl Display for Range {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            (from, to) if from == to => write!(f, "{from}"),
            (0, to) => write!(f, "..{to}"),
            (from, u32::MAX) => write!(f, "{from}.."),
            (from, to) => write!(f, "{from}..{to}"),
        }
    }
}

/// How often something is there that is there once or more where nothing is said.
const SOME: Numbers = (1, u32::MAX);

impl Display for Area {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Shade { is_light: true } => f.write_str("light"),
            Self::Shade { is_light: false } => f.write_str("dark"),
            Self::Named { files, ranks } => {
                match files {
                    Some((from, to)) if from == to => write!(f, "{from}")?,
                    Some((from, to)) => write!(f, "{from}-{to}")?,
                    None => {}
                }
                match ranks {
                    Some((from, to)) if from == to => write!(f, "{from}"),
                    Some((from, to)) => write!(f, "{from}-{to}"),
                    None => Ok(()),
                }
            }
            // Made of named areas on a board, never read.
            Self::Placed { .. } => Ok(()),
        }
    }
}

pub(super) fn areas(f: &mut Formatter<'_>, on: &[Area]) -> fmt::Result {
    joined(f, on, "/", |f, area| area.fmt(f))
}

/// The sides of a material, White's or the first before the second.
fn sides(f: &mut Formatter<'_>, sides: &[String; 2], is_white_first: bool) -> fmt::Result {
    let [first, second] = sides;
    write!(
        f,
        "{}{first}v{second}",
        if is_white_first { "w:" } else { "" }
    )
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::PiecesOn { pieces, on, count } => {
                f.write_str(pieces)?;
                let has_shade = || {
                    let first = on.iter().flatten().next();
                    matches!(first, Some(Area::Shade { .. }))
                };
                let is_one = pieces.chars().count() == 1;
                // `kb=0` would be kings on a file.
                let ends_like_area = || {
                    let rest = pieces.chars().next().map_or(0, char::len_utf8);
                    Area::read(&pieces[rest..]).is_some()
                };
                let needs_colon = if on.is_empty() {
                    ends_like_area()
                } else {
                    !is_one || has_shade()
                };
                if needs_colon {
                    f.write_str(":")?;
                }
                joined(f, on, ",", |f, on| areas(f, on))?;
                match count {
                    Count::In(SOME) if is_one || !on.is_empty() => Ok(()),
                    Count::In(range) => write!(f, "={}", Range(*range)),
                    Count::AsMany(others) => write!(f, "={others}"),
                }
            }
            Self::Attacks {
                pieces,
                targets,
                count,
            } => {
                write!(f, "attacks:{pieces}:")?;
                joined(f, targets, ",", |f, any| {
                    joined(f, any, "/", |f, target| match target {
                        AttackTarget::Pieces(pieces) => f.write_str(pieces),
                        AttackTarget::On(area) => area.fmt(f),
                    })
                })?;
                match *count {
                    SOME => Ok(()),
                    count => write!(f, "={}", Range(count)),
                }
            }
            Self::Set(set, count) => {
                set.fmt(f)?;
                match count {
                    SetCount::In(SOME) => Ok(()),
                    SetCount::In(range) => write!(f, "={}", Range(*range)),
                    SetCount::Relative { to, plus } => {
                        f.write_str("=")?;
                        match to {
                            // A file would be a second letter of pieces: `N=B:h`.
                            SquareExpr::Pieces { pieces, on }
                                if !on.is_empty() && square_set::is_letters(&to.to_string()) =>
                            {
                                write!(f, "{pieces}:")?;
                                areas(f, on)?;
                            }
                            to => write!(f, "{to}")?,
                        }
                        // Letters alone would be counted on all squares: `Pa-d=pad`.
                        let is_row = |to: &SquareExpr| matches!(to, SquareExpr::Pieces { on, .. } if on.is_empty());
                        match plus {
                            (0, 0) if is_row(to) && matches!(set, SquareExpr::Pieces { .. }) => {
                                f.write_str("+0")
                            }
                            (0, 0) => Ok(()),
                            plus => write!(f, "+{}", Range(*plus)),
                        }
                    }
                }
            }
            Self::Value { side, ranges } => {
                let side = side.map_or("", |side| if side == 0 { "w:" } else { "b:" });
                write!(f, "value:{side}{ranges}")
            }
            Self::Defined { text, .. } => f.write_str(text),
            Self::Pins([by, pinned, behind]) => write!(f, "pins:{by}:{pinned}:{behind}"),
            Self::Only { pieces, on } => {
                write!(f, "only:{pieces}:")?;
                areas(f, on)
            }
            Self::Position(position) => GameCondition::Position(position.clone()).fmt(f),
            Self::Drawn(ranks) => {
                f.write_str("pattern:\"")?;
                joined(f, ranks, "/", |f, rank| drawn_rank(f, rank))?;
                f.write_str("\"")
            }
            Self::Material {
                sides: both,
                at_least,
                is_white_first,
            } => {
                f.write_str("material:")?;
                sides(f, both, *is_white_first)?;
                f.write_str(if *at_least { "+" } else { "" })
            }
            Self::Imbalance {
                sides: both,
                is_white_first,
            } => {
                f.write_str("imbalance:")?;
                sides(f, both, *is_white_first)
            }
            Self::Counts {
                kings,
                sides: [white, black],
            } => {
                let name = if *kings { "kings" } else { "men" };
                write!(f, "{name}:{}v{}", Range(*white), Range(*black))
            }
            Self::Turn(0) => f.write_str("stm:white"),
            Self::Turn(_) => f.write_str("stm:black"),
            Self::Ply(range) => write!(f, "ply:{}", Range(*range)),
            Self::Pieces(range) => write!(f, "pieces:{}", Range(*range)),
            Self::Check => f.write_str("check"),
            Self::Mate => f.write_str("mate"),
            Self::Smothered => f.write_str("smothered"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::End => f.write_str("end"),
            Self::Repetition((least, u32::MAX)) => write!(f, "repetition:{least}"),
            Self::Repetition(times) => write!(f, "repetition:{}", Range(*times)),
            Self::Fifty(plies) => write!(f, "fifty:{}", Range(*plies)),
            Self::Sacrifice(asked) => asked.fmt(f),
            Self::MoveSet(set, is_from) => {
                write!(f, "{}:{set}", if *is_from { "from" } else { "to" })
            }
            Self::Legal(asked) => asked.write_after(f, "legal"),
            Self::Move(asked) => asked.fmt(f),
            Self::Last(asked) => asked.write_after(f, "last"),
            Self::Annotation(asked) => asked.fmt(f),
            Self::Saved(name) => write!(f, "@{name}"),
        }
    }
}

/// A rank as it is drawn: runs of empty squares as digits.
fn drawn_rank(f: &mut Formatter<'_>, rank: &[SquareWildcard]) -> fmt::Result {
    let mut empty = 0;
    let write_empty = |f: &mut Formatter<'_>, empty: &mut u32| {
        let count = std::mem::take(empty);
        for run in std::iter::repeat_n(9, (count / 9) as usize).chain([count % 9]) {
            if run > 0 {
                write!(f, "{run}")?;
            }
        }
        Ok(())
    };
    for square in rank {
        if let SquareWildcard::Pieces {
            letters,
            is_none: false,
        } = square
            && letters == "_"
        {
            empty += 1;
            continue;
        }
        write_empty(f, &mut empty)?;
        match square {
            SquareWildcard::Any => f.write_str("?")?,
            SquareWildcard::Some => f.write_str("*")?,
            SquareWildcard::Pieces {
                letters,
                is_none: false,
            } if letters == "x" => f.write_str("!")?,
            SquareWildcard::Pieces {
                letters,
                is_none: false,
            } if letters.chars().count() == 1 => f.write_str(letters)?,
            SquareWildcard::Pieces { letters, is_none } => {
                write!(f, "[{}{letters}]", if *is_none { "^" } else { "" })?;
            }
        }
    }
    write_empty(f, &mut empty)
}

impl MoveTerm {
    /// Writes it after the name of what it is a condition on.
    fn write_after(&self, f: &mut Formatter<'_>, name: &str) -> fmt::Result {
        write!(f, "{name}:")?;
        match self {
            Self::Written(san) => write_value(f, san),
            Self::Checks => f.write_str("checks"),
            Self::Mates => f.write_str("mates"),
            asked => asked.fmt(f),
        }
    }
}

impl Display for SacrificeTerm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("sacrifice:")?;
        match self.pawns {
            Some(pawns) => write!(f, "{pawns}")?,
            None => f.write_str("exchange")?,
        }
        if self.plies != Self::USUAL.plies {
            write!(f, ",{}", self.plies)?;
        }
        Ok(())
    }
}

impl Display for MoveTerm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written(_) | Self::Checks | Self::Mates => self.write_after(f, "move"),
            Self::Squares(squares) => {
                f.write_str("uci:")?;
                write_value(f, squares)
            }
            Self::Moved(kinds) => write!(f, "moved:{kinds}"),
            Self::Captured(kinds) => write!(f, "captured:{kinds}"),
            Self::Promotes(kinds) => write!(f, "promotes:{kinds}"),
            Self::From(on) => {
                f.write_str("from:")?;
                areas(f, on)
            }
            Self::To(on) => {
                f.write_str("to:")?;
                areas(f, on)
            }
            Self::Castles(Some(1)) => f.write_str("castles:O-O"),
            Self::Castles(Some(_)) => f.write_str("castles:O-O-O"),
            Self::Castles(None) => f.write_str("castles:any"),
            Self::EnPassant => f.write_str("ep"),
            Self::Capture => f.write_str("capture"),
            Self::Quiet => f.write_str("quiet"),
            Self::Jumps(range) => write!(f, "jumps:{}", Range(*range)),
        }
    }
}
