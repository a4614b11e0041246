//! Sets of squares that depend on the position: passed pawns, open files, what a side attacks.

use std::fmt::{self, Display, Formatter};

use super::{Area, display::areas, line_history::LABELS_MAX, terms::is_row};

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
    /// The square of one piece, the same wherever a query has the label.
    Labelled {
        /// Letters, of any kind if there are none.
        pieces: String,
        /// The label, from 1.
        label: u8,
        /// The areas in which it stands; everywhere if there are none.
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
    /// Filter: pieces that were pawns.
    Promoted,
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
const FUNCTIONS: [(&str, SetFunction, usize); 28] = [
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
    ("promoted", SetFunction::Promoted, 1),
    ("lastfrom", SetFunction::LastFrom, 0),
    ("lastto", SetFunction::LastTo, 0),
];

/// How deep functions may stand in each other.
const DEPTH_MAX: usize = 16;

/// The names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, ..)| *name)
}

impl SetFunction {
    /// The function of a name, and how many arguments it has at least: `attacked2` is one.
    fn named(name: &str) -> Option<(Self, usize)> {
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
                | Self::Promoted
        )
    }
}

/// Whether a word is a set that depends on the position: it has a function or a label, or joins sets.
pub(super) fn is_derived(text: &str) -> bool {
    let set = text.split_once('=').map_or(text, |(set, _)| set);
    let signs = ['|', '&', '!', ':', ',', '(', ')'];
    // `event:open` has the name of a condition before it.
    if let Some((first, _)) = set.split_once(':')
        && !first.contains(signs)
        && SetFunction::named(first).is_none()
        && !is_row(first.split('~').next().unwrap_or_default())
    {
        return false;
    }
    let mut names = set.split(signs);
    names.any(|name| SetFunction::named(name).is_some() || has_label(name))
        || set.contains(['|', '&']) && SquareExpr::read(set).is_some()
}

/// Whether a word looks like pieces with a label.
pub(super) fn has_label(text: &str) -> bool {
    text.split_once('~').is_some_and(|(pieces, rest)| {
        (pieces.is_empty() || is_letters(pieces)) && rest.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The word in brackets at the beginning of a text: up to the bracket that closes the first.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some((&text[1..at], &text[at + 1..])),
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    None
}

/// The parts of a text between signs that stand outside brackets.
fn parts(text: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && c == sign
    })
}

impl SquareExpr {
    /// Reads a set: `passed:P6`, `doubled:isolated:P`, `R:open`, `ray(R,a,q)`, `N~1b1`,
    /// `chain:P&!(attacked:P|stop:P)`. `&` binds closer than `|`; blanks do not matter.
    pub(super) fn read(text: &str) -> Option<Self> {
        if text.contains(char::is_whitespace) {
            return read_or(&without_blanks(text)?, 0);
        }
        read_or(text, 0)
    }
}

/// A text without blanks; `None` if one stands between two sets that no sign joins.
fn without_blanks(text: &str) -> Option<String> {
    let mut bare = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let is_joined = bare.is_empty()
            || bare.ends_with(['|', '&', '!', '(', ','])
            || word.starts_with(['|', '&', ')', ',']);
        if !is_joined {
            return None;
        }
        bare.push_str(word);
    }
    Some(bare)
}

fn read_or(text: &str, depth: usize) -> Option<SquareExpr> {
    let mut parts = parts(text, '|').map(|part| read_and(part, depth));
    let first = parts.next()??;
    parts.try_fold(first, |all, part| {
        Some(SquareExpr::Or(Box::new(all), Box::new(part?)))
    })
}

fn read_and(text: &str, depth: usize) -> Option<SquareExpr> {
    let mut parts = parts(text, '&');
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
    if text.starts_with('(') {
        let (inner, "") = bracketed(text)? else {
            return None;
        };
        return read_or(inner, depth + 1);
    }
    let end = text.find([':', '(']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if let Some((function, arguments)) = SetFunction::named(name) {
        return read_function((function, arguments), rest, depth + 1);
    }
    if let Some(rest) = rest.strip_prefix(':') {
        let next = rest
            .split([':', ',', '('])
            .next()
            .and_then(SetFunction::named);
        if next.is_some() || rest.starts_with('(') || rest.contains(':') {
            let row = name.split('~').next().unwrap_or_default();
            if !is_row(row) && name.contains('~') == row.is_empty() {
                return None;
            }
            let inner = read_prime(rest, depth + 1)?;
            if name.contains('~') {
                let piece = read_labelled(name, "")?;
                return Some(SquareExpr::And(Box::new(piece), Box::new(inner)));
            }
            let on = |inner| SquareExpr::On(name.to_owned(), Box::new(inner));
            return Some(match inner {
                SquareExpr::And(inner, area) if !rest.starts_with('(') => {
                    SquareExpr::And(Box::new(on(*inner)), area)
                }
                inner => on(inner),
            });
        }
        if name.contains('~') {
            return read_labelled(name, rest);
        }
        return is_letters(name).then_some(SquareExpr::Pieces {
            pieces: name.to_owned(),
            on: read_areas(rest)?,
        });
    }
    if text.contains('~') {
        return read_labelled(text, "");
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

/// A function with its arguments: `open`, `passed:P6`, `ray(R,a,q)`, `ray:R,a,q`.
fn read_function(
    (function, arguments): (SetFunction, usize),
    rest: &str,
    depth: usize,
) -> Option<SquareExpr> {
    let call = bracketed(rest);
    let sets = match (arguments, rest) {
        (0, "") => Vec::new(),
        // `open:a`: of these the squares in areas.
        (0, _) => {
            let all = SquareExpr::Function(function, Vec::new());
            let area = SquareExpr::Pieces {
                pieces: ".".to_owned(),
                on: read_areas(rest.strip_prefix(':')?)?,
            };
            return Some(SquareExpr::And(Box::new(all), Box::new(area)));
        }
        (1, _) => match (rest.strip_prefix(':'), call) {
            (Some(set), _) => vec![read_prime(set, depth)?],
            (None, Some((set, ""))) => vec![read_or(set, depth)?],
            _ => return None,
        },
        _ => match (rest.strip_prefix(':'), call) {
            (Some(sets), _) | (None, Some((sets, ""))) => read_sets(sets, depth)?,
            _ => return None,
        },
    };
    let is_enough = match function {
        SetFunction::Between => sets.len() == 2,
        _ => sets.len() >= arguments,
    };
    is_enough.then_some(SquareExpr::Function(function, sets))
}

fn read_sets(text: &str, depth: usize) -> Option<Vec<SquareExpr>> {
    parts(text, ',').map(|set| read_or(set, depth)).collect()
}

/// A piece with a label: `N~1`, `~2`, `N~1b1`.
fn read_labelled(text: &str, areas: &str) -> Option<SquareExpr> {
    let (pieces, rest) = text.split_once('~')?;
    let digit = rest.chars().next().filter(char::is_ascii_digit)?;
    let label = digit.to_digit(10)? as u8;
    let own = &rest[1..];
    let on = match (own, areas) {
        ("", "") => Vec::new(),
        ("", areas) | (areas, "") => read_areas(areas)?,
        _ => return None,
    };
    let is_known = (1..=LABELS_MAX).contains(&usize::from(label));
    let are_pieces = is_row(pieces) && is_letters(pieces) && !pieces.contains(['_', '.']);
    (is_known && (pieces.is_empty() || are_pieces)).then(|| SquareExpr::Labelled {
        pieces: pieces.to_owned(),
        label,
        on,
    })
}

/// Whether a text is letters of pieces.
pub(super) fn is_letters(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.');
    !text.is_empty() && text.chars().all(is_letter)
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
        || text.contains(['(', '~', '&', '|'])
    {
        return None;
    }
    let first = last.chars().next().filter(|&c| c != ',')?.len_utf8();
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
            Self::Labelled { pieces, label, on } => {
                write!(f, "{pieces}~{label}")?;
                if !on.is_empty() {
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
                match &sets[..] {
                    [] => Ok(()),
                    [set] => write!(f, ":{}", SetPrime(set)),
                    [first, others @ ..] => {
                        write!(f, "({first}")?;
                        others.iter().try_for_each(|set| write!(f, ",{set}"))?;
                        f.write_str(")")
                    }
                }
            }
            // Without brackets they would be letters and areas.
            Self::On(pieces, set)
                if matches!(**set, Self::Pieces { .. } | Self::Labelled { .. }) =>
            {
                write!(f, "{pieces}:({set})")
            }
            Self::On(pieces, set) => write!(f, "{pieces}:{}", SetPrime(set)),
            Self::And(one, other) => write!(f, "{}&{}", SetOperand(one), SetPrime(other)),
            Self::Without(one, other) => write!(f, "{}&!{}", SetOperand(one), SetPrime(other)),
            Self::Or(one, other) => match **other {
                Self::Or(..) => write!(f, "{one}|({other})"),
                _ => write!(f, "{one}|{other}"),
            },
        }
    }
}

/// A set before `&`: in brackets where `|` joins it.
struct SetOperand<'s>(&'s SquareExpr);

impl Display for SetOperand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            SquareExpr::Or(..) => write!(f, "({})", self.0),
            set => set.fmt(f),
        }
    }
}

/// A set after `&` or a colon: in brackets where signs join it.
struct SetPrime<'s>(&'s SquareExpr);

impl Display for SetPrime<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            SquareExpr::Or(..) | SquareExpr::And(..) | SquareExpr::Without(..) => {
                write!(f, "({})", self.0)
            }
            set => set.fmt(f),
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
        row.map_or("", |(name, ..)| *name)
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
            "ray(R,undefended:bn,k)",
            "_:between(K,R)",
            "chain:P&!attacked:P&!stop:P",
            "chain:P&!(attacked:P|stop:P)",
            "(R|Q)&open",
            "A:(around:k&!files:k)",
            "between(R|Q,k)",
            "N~1:b1",
            "~2",
            "P~4:2",
            "~1&stop:P",
            "promoted:Q",
            "passed:P|passed:p",
            "around:k&attacked2:A",
            "A:attackers3:zone:k",
            "B:light",
            "hanging:Pc4/d4",
            "N:lastto",
            "R:open&.a",
            "pinned:qrbn",
            "N:lastto&ray(N,k,q)",
            "passed:P|_:between(K,R)",
        ] {
            let set = SquareExpr::read(text).expect(text);
            assert_eq!(set.to_string(), text);
        }
        for (typed, printed) in [
            ("N~1b1", "N~1:b1"),
            ("~1:stop:P", "~1&stop:P"),
            ("ray:R,a,q", "ray(R,a,q)"),
            ("N:lastto&ray:N,k,q", "N:lastto&ray(N,k,q)"),
            ("((passed:P) | passed:p)", "passed:P|passed:p"),
            (
                "( chain:P &! ( attacked:P | stop:P ) )",
                "chain:P&!(attacked:P|stop:P)",
            ),
        ] {
            let set = SquareExpr::read(typed).expect(typed);
            assert_eq!(set.to_string(), printed);
        }
        for text in [
            "passed",
            "passed:",
            "(passed:P",
            "passed:P)",
            "(passed:P&b to:e4)",
            "(R|Q to:a)",
            "ray(R)",
            "N~5",
            "N~",
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
