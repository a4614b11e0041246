//! Sets of squares that depend on the position: passed pawns, open files, what a side attacks.

use std::fmt::{self, Display, Formatter};

use super::{Area, display::areas};

/// An expression that stands for a set of squares in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SquareExpr {
    /// The squares of some pieces.
    Pieces {
        /// Letters; `_` is an empty square, `x` any piece, `.` any square.
        pieces: String,
        /// The areas in which they stand; everywhere if there are none.
        on: Vec<Area>,
    },
    /// What a function makes of sets.
    Function(SetFunction, Vec<Self>),
    /// Some pieces, by letters, on the squares of a set.
    On(String, Box<Self>),
    /// The squares that are in both.
    And(Box<Self>, Box<Self>),
    /// The squares of the first that are not in the second.
    Without(Box<Self>, Box<Self>),
    /// The squares that are in either.
    Or(Box<Self>, Box<Self>),
}

/// A function of sets. A filter returns some squares of its argument, a map other ones. "Own" and
/// "enemy" refer to the colour of each piece of the argument, "ahead" to where its pawns promote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetFunction {
    /// Filter: pawns without an enemy pawn ahead on their own and the adjacent files.
    Passed,
    /// Filter: pawns without an own pawn on an adjacent file.
    Isolated,
    /// Filter: pawns with another own pawn on their file.
    Doubled,
    /// Filter: pawns with an own pawn on an adjacent file at most one rank apart.
    Connected,
    /// Filter: pawns whose neighbours all stand ahead, and an enemy pawn attacks the square in front.
    Backward,
    /// Filter: a pair alone on adjacent files at most one rank apart, without an own pawn on the files
    /// next to these and without an enemy pawn on the two files.
    Hanging,
    /// Filter: pawns that defend an own pawn or are defended by one.
    Chain,
    /// Filter: pieces on their fifth or sixth rank that an own pawn defends, and which no enemy
    /// pawn can ever attack.
    Outpost,
    /// Filter: pieces that an own piece attacks.
    Defended,
    /// Filter: pieces that no own piece attacks.
    Undefended,
    /// Filter: pieces but kings that an enemy attacks and no own piece defends.
    Loose,
    /// Filter: pieces that cannot leave a line without exposing their king.
    Pinned,
    /// Squares of files without pawns.
    Open,
    /// Squares of files without own pawns, but with enemy pawns; of the pieces before the colon.
    HalfOpen,
    /// Map: squares at most one rank away on adjacent files.
    Beside,
    /// Map: the square in front.
    Stop,
    /// Map: all squares ahead on the file.
    Front,
    /// Map: all squares of the files.
    Files,
    /// Map: all squares of the ranks.
    Ranks,
    /// Map: the squares next to these, these left out.
    Around,
    /// Map: the squares next to these, and these.
    Zone,
    /// Map: the squares that at least that many pieces of the argument attack.
    Attacked(u8),
    /// Map: the pieces of either side that attack at least that many squares of the argument.
    Attackers(u8),
    /// Squares of the first set from which a line of the piece there meets one square of each further
    /// set in turn, and no other piece.
    Ray,
    /// Squares between one of the first and one of the second set, on a line.
    Between,
    /// The square that the last move came from.
    LastFrom,
    /// The square that the last move went to.
    LastTo,
}

/// The functions by their names, and how many arguments each has.
const FUNCTIONS: [(&str, SetFunction, usize); 26] = [
    ("passed", SetFunction::Passed, 1),
    ("isolated", SetFunction::Isolated, 1),
    ("doubled", SetFunction::Doubled, 1),
    ("connected", SetFunction::Connected, 1),
    ("backward", SetFunction::Backward, 1),
    ("hanging", SetFunction::Hanging, 1),
    ("chain", SetFunction::Chain, 1),
    ("outpost", SetFunction::Outpost, 1),
    ("defended", SetFunction::Defended, 1),
    ("undefended", SetFunction::Undefended, 1),
    ("loose", SetFunction::Loose, 1),
    ("pinned", SetFunction::Pinned, 1),
    ("open", SetFunction::Open, 0),
    ("halfopen", SetFunction::HalfOpen, 0),
    ("beside", SetFunction::Beside, 1),
    ("stop", SetFunction::Stop, 1),
    ("front", SetFunction::Front, 1),
    ("files", SetFunction::Files, 1),
    ("ranks", SetFunction::Ranks, 1),
    ("around", SetFunction::Around, 1),
    ("zone", SetFunction::Zone, 1),
    ("attacked", SetFunction::Attacked(1), 1),
    ("attackers", SetFunction::Attackers(1), 1),
    ("ray", SetFunction::Ray, 2),
    ("between", SetFunction::Between, 2),
    ("lastfrom", SetFunction::LastFrom, 0),
];

/// The last of them.
const LAST_TO: &str = "lastto";

/// How deep functions may stand in each other.
const DEPTH_MAX: usize = 16;

/// The names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, ..)| *name).chain([LAST_TO])
}

impl SetFunction {
    /// The function of a name, and how many arguments it has at least: `attacked2` is one.
    fn named(name: &str) -> Option<(Self, usize)> {
        if name == LAST_TO {
            return Some((Self::LastTo, 0));
        }
        let known = FUNCTIONS.iter().find(|(own, ..)| *own == name);
        if let Some((_, function, arguments)) = known {
            return Some((*function, *arguments));
        }
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let least: u8 = digits.parse().ok().filter(|least| *least > 1)?;
        match &name[..name.len() - digits.len()] {
            "attacked" => Some((Self::Attacked(least), 1)),
            "attackers" => Some((Self::Attackers(least), 1)),
            _ => None,
        }
    }

    /// Whether it returns squares of its argument alone.
    pub(super) const fn is_filter(self) -> bool {
        matches!(
            self,
            Self::Passed
                | Self::Isolated
                | Self::Doubled
                | Self::Connected
                | Self::Backward
                | Self::Hanging
                | Self::Chain
                | Self::Outpost
                | Self::Defended
                | Self::Undefended
                | Self::Loose
                | Self::Pinned
        )
    }
}

/// Whether a word is a set that depends on the position: it has a function, or joins sets.
pub(super) fn is_derived(text: &str) -> bool {
    let set = text.split_once('=').map_or(text, |(set, _)| set);
    let parts = set
        .split(['|', '&'])
        .map(|part| part.trim_start_matches('!'));
    let mut names = parts.flat_map(|part| part.split([':', ',']));
    names.any(|name| SetFunction::named(name).is_some())
        || set.contains(['|', '&']) && SquareExpr::read(set).is_some()
}

impl SquareExpr {
    /// Reads a set: `passed:P6`, `doubled:isolated:P`, `R:open`, `ray:R,a,q`,
    /// `chain:P&!attacked:P`, `passed:P|passed:p`. `&` binds closer than `|`.
    pub(super) fn read(text: &str) -> Option<Self> {
        read_or(text, 0)
    }
}

fn read_or(text: &str, depth: usize) -> Option<SquareExpr> {
    let mut parts = text.split('|').map(|part| read_and(part, depth));
    let first = parts.next()??;
    parts.try_fold(first, |all, part| {
        Some(SquareExpr::Or(Box::new(all), Box::new(part?)))
    })
}

fn read_and(text: &str, depth: usize) -> Option<SquareExpr> {
    let mut parts = text.split('&');
    let first = read_prime(parts.next()?, depth)?;
    parts.try_fold(first, |all, part| {
        Some(match part.strip_prefix('!') {
            Some(other) => SquareExpr::Without(Box::new(all), Box::new(read_prime(other, depth)?)),
            None => SquareExpr::And(Box::new(all), Box::new(read_prime(part, depth)?)),
        })
    })
}

fn read_prime(text: &str, depth: usize) -> Option<SquareExpr> {
    if depth > DEPTH_MAX {
        return None;
    }
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (name, Some(rest)),
        None => (text, None),
    };
    if let Some((function, arguments)) = SetFunction::named(name) {
        let sets = match (arguments, rest) {
            (0, None) => Vec::new(),
            // `open:a`: of these the squares in areas.
            (0, Some(rest)) => {
                let all = SquareExpr::Function(function, Vec::new());
                let area = SquareExpr::Pieces {
                    pieces: ".".to_owned(),
                    on: read_areas(rest)?,
                };
                return Some(SquareExpr::And(Box::new(all), Box::new(area)));
            }
            (1, Some(rest)) => vec![read_prime(rest, depth + 1)?],
            (2, Some(rest)) => {
                let sets = rest.split(',').map(|set| read_prime(set, depth + 1));
                let sets = sets.collect::<Option<Vec<_>>>()?;
                let is_enough = match function {
                    SetFunction::Between => sets.len() == 2,
                    _ => sets.len() >= 2,
                };
                is_enough.then_some(sets)?
            }
            _ => return None,
        };
        return Some(SquareExpr::Function(function, sets));
    }
    let is_letters = |text: &str| {
        let is_letter = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.');
        !text.is_empty() && text.chars().all(is_letter)
    };
    if let Some(rest) = rest {
        if !is_letters(name) {
            return None;
        }
        let function = rest.split([':', ',']).next().and_then(SetFunction::named);
        if function.is_some() || rest.contains(':') {
            let on = |inner| SquareExpr::On(name.to_owned(), Box::new(inner));
            return Some(match read_prime(rest, depth + 1)? {
                SquareExpr::And(inner, area) => SquareExpr::And(Box::new(on(*inner)), area),
                inner => on(inner),
            });
        }
        return Some(SquareExpr::Pieces {
            pieces: name.to_owned(),
            on: read_areas(rest)?,
        });
    }
    // One letter with areas, or letters alone.
    let first = text.chars().next()?;
    let (one, rest) = text.split_at(first.len_utf8());
    let areas = if rest.is_empty() {
        Some(Vec::new())
    } else {
        read_areas(rest)
    };
    let (pieces, on) = match areas {
        Some(on) if is_letters(one) => (one, on),
        _ if is_letters(text) => (text, Vec::new()),
        _ => return None,
    };
    Some(SquareExpr::Pieces {
        pieces: pieces.to_owned(),
        on,
    })
}

/// Areas that are joined: `c4/d4`, `a-h5-8`.
fn read_areas(text: &str) -> Option<Vec<Area>> {
    text.split('/').map(Area::read).collect()
}

/// The sets of a text with a comma between areas, each of which a condition is about:
/// `hanging:Pc4,d4` are `hanging:Pc4` and `hanging:Pd4`. `None` if it is one set.
pub(super) fn each_of(text: &str) -> Option<Vec<String>> {
    let (before, last) = text.rsplit_once(':')?;
    if !last.contains(',')
        || before
            .split([':', '&', '|', '!'])
            .any(|name| matches!(name, "ray" | "between"))
    {
        return None;
    }
    let first = last.chars().next()?.len_utf8();
    let letters = if Area::read(last.split(',').next()?).is_some() {
        0
    } else {
        first
    };
    let (letter, areas) = last.split_at(letters);
    let set = |area: &str| format!("{before}:{letter}{area}");
    Some(areas.split(',').map(set).collect())
}

impl Display for SquareExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pieces { pieces, on } => {
                let has_shade = matches!(on.first(), Some(Area::Shade { .. }));
                f.write_str(pieces)?;
                if !on.is_empty() && (has_shade || pieces.chars().count() > 1) {
                    f.write_str(":")?;
                }
                areas(f, on)
            }
            Self::Function(function, sets) => {
                f.write_str(function.name())?;
                if let SetFunction::Attacked(least @ 2..) | SetFunction::Attackers(least @ 2..) =
                    function
                {
                    write!(f, "{least}")?;
                }
                for (at, set) in sets.iter().enumerate() {
                    write!(f, "{}{set}", if at == 0 { ":" } else { "," })?;
                }
                Ok(())
            }
            Self::On(pieces, set) => write!(f, "{pieces}:{set}"),
            Self::And(one, other) => write!(f, "{one}&{other}"),
            Self::Without(one, other) => write!(f, "{one}&!{other}"),
            Self::Or(one, other) => write!(f, "{one}|{other}"),
        }
    }
}

impl SetFunction {
    fn name(self) -> &'static str {
        let bare = match self {
            Self::Attacked(_) => Self::Attacked(1),
            Self::Attackers(_) => Self::Attackers(1),
            other => other,
        };
        let row = FUNCTIONS.iter().find(|(_, own, _)| *own == bare);
        row.map_or(LAST_TO, |(name, ..)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_printed_as_they_are_read() {
        for text in [
            "passed:P6",
            "doubled:isolated:P",
            "R:open",
            "n:stop:passed:P",
            "A:around:k",
            "ray:R,undefended:bn,k",
            "_:between:K,R",
            "chain:P&!attacked:P&!stop:P",
            "passed:P|passed:p",
            "around:k&attacked2:A",
            "A:attackers3:zone:k",
            "B:light",
            "hanging:Pc4/d4",
            "N:lastto",
            "R:open&.a",
            "pinned:qrbn",
            "N:lastto&ray:N,k,q",
            "passed:P|_:between:K,R",
        ] {
            let set = SquareExpr::read(text).expect(text);
            assert_eq!(set.to_string(), text);
        }
        for text in [
            "passed",
            "passed:",
            "open:P",
            "between:K",
            "P&",
            "",
            "passed:5x",
        ] {
            assert_eq!(SquareExpr::read(text), None, "{text}");
        }
        let deep = "zone:".repeat(100) + "k";
        assert_eq!(SquareExpr::read(&deep), None);
    }
}
