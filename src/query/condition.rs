//! Conditions on games: what a game says of itself, whatever stands on the board.

use std::fmt::{self, Write as _};

use super::{PositionQuery, Ranges, ValueError, read};
use crate::{
    base::record::{GameId, Outcome},
    games::{notation::problem::StipulationPattern, variant::Variant},
    pgn::tags::{date::PgnDate, eco, time_control::SpeedClass},
};

/// A condition on a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameCondition {
    /// Its number.
    Number(Ranges<GameId>),
    /// A source that had it has this in its name.
    File(String),
    /// A name of it: words of the name, which further spellings may have as well.
    Name(NameField, String),
    /// The player of this name won, or lost.
    Score(PlayerScore, String),
    /// It ended in one of these ways.
    Result(Vec<Outcome>),
    /// It was played on a day in these ranges, as far as its date is known; days are packed as
    /// [`PgnDate::to_packed`] has it.
    Date(Ranges<u32>),
    /// The month is known and one of these, from 1.
    Month(Ranges<u8>),
    /// Its ratings.
    Rating(RatingField, Ranges<u32>),
    /// The ECO code of its opening, as a [number](eco).
    Eco(Ranges<u16>),
    /// The name of its opening holds all words of one of these.
    Opening(Vec<String>),
    /// Plies of its main line.
    Plies(Ranges<u32>),
    /// It is of one of these variants, by their numbers.
    Variant(Vec<u8>),
    /// Its time control is of one of these classes.
    TimeClass {
        /// The classes.
        classes: Vec<SpeedClass>,
        /// A time control that is not known will do.
        or_unknown: bool,
    },
    /// Whether its event is called casual.
    Casual(bool),
    /// It has a tag.
    Tag(TagQuery),
    /// One of its comments holds all of these words, variations included.
    Comment(String),
    /// A text about a problem holds these words.
    Problem(ProblemField, String),
    /// What a problem asks.
    Stipulation {
        /// As it was written.
        text: String,
        /// What it means.
        pattern: StipulationPattern,
    },
    /// It starts from this position.
    Start(PositionText),
    /// It reaches this position.
    Position(PositionText),
    /// Some move of its main line is such.
    Move(MoveFilter),
    /// Every game; its variations are searched as well.
    InVariations,
    /// Every game; those that come near this position come first.
    Similar(PositionText),
}

/// A position as it is written, and what that was read as once the variants were known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText {
    /// A FEN or moves.
    pub text: String,
    /// Moves from the start position, not a FEN.
    pub is_moves: bool,
    /// What it is.
    pub read: Option<Box<PositionQuery>>,
    /// Games that begin in one of these diagrams, which cannot be played from, are found as
    /// well: each in the spelling of [`typed`](crate::problems::typed).
    pub diagrams: Vec<String>,
}

impl PositionText {
    /// A position that has been read.
    pub fn of(query: PositionQuery) -> Self {
        Self {
            text: query.position.fen(),
            is_moves: false,
            read: Some(Box::new(query)),
            diagrams: Vec::new(),
        }
    }
}

/// A kind of name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameField {
    /// Either player.
    Player,
    /// White.
    White,
    /// Black.
    Black,
    /// The event.
    Event,
    /// The site.
    Site,
    /// A composer of a problem.
    Composer,
}

impl NameField {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Player,
        Self::White,
        Self::Black,
        Self::Event,
        Self::Site,
        Self::Composer,
    ];

    /// The name of the condition.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::White => "white",
            Self::Black => "black",
            Self::Event => "event",
            Self::Site => "site",
            Self::Composer => "composer",
        }
    }
}

/// How a game ended for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerScore {
    /// It was won.
    Won,
    /// It was lost.
    Lost,
}

/// Which ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RatingField {
    /// Both players' are known and within the ranges.
    Both,
    /// White's.
    White,
    /// Black's.
    Black,
    /// The mean of both, rounded down.
    Mean,
    /// By how much they differ.
    Difference,
}

impl RatingField {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Both,
        Self::White,
        Self::Black,
        Self::Mean,
        Self::Difference,
    ];

    /// The name of the condition.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Both => "elo",
            Self::White => "welo",
            Self::Black => "belo",
            Self::Mean => "melo",
            Self::Difference => "diff",
        }
    }
}

/// A text about a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemField {
    /// Where it was printed.
    Source,
    /// A fairy condition.
    Condition,
    /// A theme.
    Keyword,
}

impl ProblemField {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Source, Self::Condition, Self::Keyword];

    /// The name of the condition.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Condition => "condition",
            Self::Keyword => "keyword",
        }
    }
}

/// A tag that a game must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagQuery {
    /// Its name; case does not matter.
    pub name: String,
    /// Its value holds every word of this text, whatever the case; without words
    /// any value will do.
    pub text: String,
    /// Whether its value must be this text and nothing else, whatever the case.
    pub is_whole: bool,
}

/// What some move of a main line must be like, according to the comments after it and after the
/// move before. All that is given must hold of the same move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveFilter {
    /// Milliseconds left on the clock of the player who moved.
    pub time_left_ms: Option<Ranges<i64>>,
    /// Milliseconds that the player thought about the move.
    pub spent_ms: Option<Ranges<i64>>,
    /// The evaluation after the move in hundredths of a pawn, from White's view; a mate that was
    /// found is as much as any number of pawns.
    pub evaluation: Option<Ranges<i64>>,
    /// By how much the evaluation fell for the side that moved, in hundredths of a pawn; more than
    /// ten pawns counts as ten.
    pub loss: Option<Ranges<i64>>,
    /// It has one glyph of each of these lists, by their numbers (NAG).
    pub glyphs: Vec<Vec<u8>>,
}

impl MoveFilter {
    /// What both ask of one move.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = |one: Option<Ranges<i64>>, other: Option<Ranges<i64>>| match (one, other) {
            (Some(one), Some(other)) => Some(one.intersection(&other)),
            (one, other) => one.or(other),
        };
        Self {
            time_left_ms: both(self.time_left_ms, other.time_left_ms),
            spent_ms: both(self.spent_ms, other.spent_ms),
            evaluation: both(self.evaluation, other.evaluation),
            loss: both(self.loss, other.loss),
            glyphs: [self.glyphs, other.glyphs].concat(),
        }
    }
}

impl GameCondition {
    /// Some games by their numbers, in ascending order; no game if there are none.
    pub fn games(games: &[GameId]) -> Self {
        let runs = games.chunk_by(|one, next| one + 1 == *next);
        Self::Number(Ranges::union(runs.map(|run| (run[0], run[run.len() - 1]))))
    }

    /// Either player's name.
    pub fn player(name: &str) -> Self {
        Self::Name(NameField::Player, name.to_owned())
    }

    /// White's name.
    pub fn white(name: &str) -> Self {
        Self::Name(NameField::White, name.to_owned())
    }

    /// Black's name.
    pub fn black(name: &str) -> Self {
        Self::Name(NameField::Black, name.to_owned())
    }

    /// Both ratings, inclusive.
    pub fn elo(from: u32, to: u32) -> Self {
        Self::Rating(RatingField::Both, Ranges::of(from, to))
    }

    /// Reads the condition of a name, in small letters, with its value; `None` if no condition on
    /// games has that name.
    pub fn read(name: &str, value: &str) -> Option<Result<Self, ValueError>> {
        read::condition(name, value)
    }

    /// Whether it is one of moves: of the main line, or of comments.
    pub const fn is_of_annotations(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Comment(_))
    }

    /// Whether it says how to search, and every game fulfils it.
    pub const fn is_setting(&self) -> bool {
        matches!(self, Self::InVariations | Self::Similar(_))
    }
}

/// Writes a value: in quotes where it could not be told from what follows.
pub(super) fn write_value(f: &mut fmt::Formatter<'_>, value: &str) -> fmt::Result {
    let is_plain = |c: char| !c.is_whitespace() && !"(){}\"\\|&<>".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        return f.write_str(value);
    }
    f.write_char('"')?;
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

/// Writes a name with its value.
fn write_named(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "{name}:")?;
    write_value(f, value)
}

/// Writes hundredths, or thousandths, as decimals.
fn decimal(value: i64, unit: i64) -> String {
    let (whole, rest) = ((value / unit).abs(), (value % unit).abs());
    let sign = if value < 0 { "-" } else { "" };
    let digits = unit.ilog10() as usize;
    let text = format!("{sign}{whole}.{rest:0digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl fmt::Display for MoveFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        let mut begin = |f: &mut fmt::Formatter<'_>| {
            if std::mem::take(&mut is_first) {
                Ok(())
            } else {
                f.write_char(' ')
            }
        };
        for (name, ranges, unit) in [
            ("clock", &self.time_left_ms, 1000),
            ("spent", &self.spent_ms, 1000),
            ("eval", &self.evaluation, 100),
            ("loss", &self.loss, 100),
        ] {
            let Some(ranges) = ranges else {
                continue;
            };
            begin(f)?;
            // Two conditions of one move that contradict each other.
            if ranges.as_slice().is_empty() {
                write!(f, "{name}:0 {name}:1")?;
                continue;
            }
            write!(f, "{name}:")?;
            let number = |value| decimal(value, unit);
            let named = |from, to| (from == to).then(|| number(from));
            ranges.write(f, named, [&number, &number])?;
        }
        self.glyphs.iter().try_for_each(|any| {
            begin(f)?;
            let numbers: Vec<String> = any.iter().map(u8::to_string).collect();
            write!(f, "nag:{}", numbers.join(","))
        })
    }
}

/// A date, its month and its year.
fn names_of(day: u32) -> [PgnDate; 3] {
    let date = PgnDate::from_packed(day);
    let month = PgnDate { day: 0, ..date };
    [PgnDate { month: 0, ..month }, month, date]
}

/// The shortest text of a date whose first day this is.
fn first_day_of(day: u32) -> String {
    let mut names = names_of(day).into_iter();
    let name = names.find(|name| name.first_day().to_packed() == day);
    name.unwrap_or_default().iso_prefix()
}

/// The shortest text of a date whose last day this is.
fn last_day_of(day: u32) -> String {
    let mut names = names_of(day).into_iter();
    let name = names.find(|name| name.last_day().to_packed() == day);
    name.unwrap_or_default().iso_prefix()
}

/// The shortest text for the days from one to another, if one date names just these.
fn named_days(from: u32, to: u32) -> Option<String> {
    let mut names = names_of(from).into_iter();
    let is_it = |name: &PgnDate| [name.first_day(), name.last_day()].map(PgnDate::to_packed);
    let name = names.find(|name| name.year > 0 && is_it(name) == [from, to])?;
    Some(name.iso_prefix())
}

impl fmt::Display for GameCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // No game has the number 0.
            Self::Number(ranges) if ranges.as_slice().is_empty() => f.write_str("games:0"),
            Self::Number(ranges) => write!(f, "games:{ranges}"),
            Self::File(text) => write_named(f, "file", text),
            Self::Name(field, text) => write_named(f, field.word(), text),
            Self::Score(PlayerScore::Won, text) => write_named(f, "won", text),
            Self::Score(PlayerScore::Lost, text) => write_named(f, "lost", text),
            Self::Result(results) => {
                let results: Vec<_> = results.iter().map(|result| result.as_pgn()).collect();
                write!(f, "result:{}", results.join(","))
            }
            Self::Date(ranges) => {
                f.write_str("date:")?;
                ranges.write(f, named_days, [&first_day_of, &last_day_of])
            }
            Self::Month(ranges) => write!(f, "month:{ranges}"),
            Self::Rating(field, ranges) => write!(f, "{}:{ranges}", field.word()),
            Self::Eco(ranges) => {
                f.write_str("eco:")?;
                let code = |code| eco::text(code).unwrap_or_default();
                let named = |from: u16, to: u16| match (from, to) {
                    _ if from == to => Some(code(from)),
                    _ if from.is_multiple_of(100) && to == from + 99 => {
                        Some(code(from)[..1].to_owned())
                    }
                    _ if from.is_multiple_of(10) && to == from + 9 => {
                        Some(code(from)[..2].to_owned())
                    }
                    _ => None,
                };
                ranges.write(f, named, [&code, &code])
            }
            Self::Opening(texts) => {
                let text: Vec<&str> = texts.iter().map(String::as_str).collect();
                write_named(f, "opening", &text.join(" | "))
            }
            Self::Plies(ranges) => write!(f, "plies:{ranges}"),
            Self::Variant(ids) => {
                let names = ids.iter().filter_map(|&id| Variant::by_id(id));
                let names: Vec<&str> = names.map(|row| row.name).collect();
                write!(f, "variant:{}", names.join(","))
            }
            Self::TimeClass {
                classes,
                or_unknown,
            } => {
                let mut words: Vec<&str> =
                    classes.iter().map(|&class| read::word_of(class)).collect();
                words.extend(or_unknown.then_some("unknown"));
                write!(f, "time:{}", words.join(","))
            }
            Self::Casual(true) => f.write_str("mode:casual"),
            Self::Casual(false) => f.write_str("mode:rated"),
            Self::Tag(tag) if tag.is_whole => {
                write!(f, "tag.{}:=", tag.name)?;
                if tag.text.is_empty() {
                    return f.write_str("\"\"");
                }
                write_value(f, &tag.text)
            }
            Self::Tag(tag) if tag.text.is_empty() => write!(f, "has:{}", tag.name),
            Self::Tag(tag) => write_named(f, &format!("tag.{}", tag.name), &tag.text),
            Self::Comment(text) => write_named(f, "comment", text),
            Self::Problem(field, text) => write_named(f, field.word(), text),
            Self::Stipulation { text, .. } => write_named(f, "stipulation", text),
            Self::Start(position) => write_named(f, "start", &position.text),
            Self::Position(position) if position.is_moves => {
                write_named(f, "moves", &position.text)
            }
            Self::Position(position) => write_named(f, "fen", &position.text),
            Self::Move(asked) => asked.fmt(f),
            Self::InVariations => f.write_str("in:variations"),
            Self::Similar(position) => write_named(f, "similar", &position.text),
        }
    }
}
