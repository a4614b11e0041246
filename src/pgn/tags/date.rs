//! Dates that may be known in part: `YYYY.MM.DD` with question marks (PGN 8.1.1.3).
//!
//! Accepted deviations (`tests/vectors/dates.tsv`): other separators, `d.m.y`
//! and `m/d/y` where only one of the two can be meant, eight digits without
//! separators, a time of day after the date. A part that cannot be right invalidates the parts
//! below it: a month that does not exist leaves the year.

use crate::base::diagnostic::Code;

/// A calendar date whose parts may be unknown.
///
/// A month is only known with its year and a day only with its month, so that
/// the order of the fields is the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PgnDate {
    /// Year of the common era, 1 to 9999; 0 is unknown.
    pub year: u16,
    /// Month, 1 to 12; 0 is unknown.
    pub month: u8,
    /// Day of the month, from 1; 0 is unknown.
    pub day: u8,
}

/// One part of a written date.
#[derive(Clone, Copy)]
struct DatePart {
    /// Its number; `None` for question marks, zeros, or nothing.
    number: Option<u32>,
    /// Whether it was written with the four digits of a year.
    is_year: bool,
    /// Digits and question marks mixed (`188?`): the writer knew something
    /// that a date cannot hold.
    is_vague: bool,
}

impl DatePart {
    const UNKNOWN: Self = Self {
        number: None,
        is_year: false,
        is_vague: false,
    };

    fn of(text: &[u8]) -> Option<Self> {
        if text.len() > 4 {
            return None;
        }
        let digits = text.iter().filter(|byte| byte.is_ascii_digit());
        let (count, marks) = (
            digits.clone().count(),
            memchr::memchr_iter(b'?', text).count(),
        );
        let number = digits.fold(0, |sum, &byte| sum * 10 + u32::from(byte - b'0'));
        let part = Self {
            number: Some(number).filter(|&number| marks == 0 && number > 0),
            is_year: count == 4 && number > 0,
            is_vague: count > 0 && marks > 0,
        };
        (count + marks == text.len()).then_some(part)
    }
}

/// Reads the value of a date tag; the code says that the certain part of something other than a
/// calendar date was taken.
///
/// ```
/// use plydex::pgn::tags::date::parse;
/// let (date, finding) = parse(b"1972.07.??");
/// assert_eq!((date.iso_prefix().as_str(), finding), ("1972-07", None));
/// ```
pub fn parse(value: &[u8]) -> (PgnDate, Option<Code>) {
    if let Some(date) = parse_usual(value) {
        return (date, None);
    }
    match parse_lenient(value.trim_ascii()) {
        Some((date, true)) => (date, None),
        Some((date, false)) => (date, Some(Code::DateSyntax)),
        None => (PgnDate::UNKNOWN, Some(Code::DateSyntax)),
    }
}

/// The form of nearly all dates in nearly all archives.
fn parse_usual(value: &[u8]) -> Option<PgnDate> {
    let &[y3, y2, y1, y0, b'.', m1, m0, b'.', d1, d0] = value else {
        return None;
    };
    if value == b"????.??.??" {
        return Some(PgnDate::UNKNOWN);
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u16::from(byte - b'0'));
    let pair = |tens: u8, ones: u8| match (tens, ones) {
        (b'?', b'?') => Some(0),
        _ => Some(digit(tens)? * 10 + digit(ones)?).filter(|&number| number > 0),
    };
    let year = digit(y3)? * 1000 + digit(y2)? * 100 + digit(y1)? * 10 + digit(y0)?;
    // Whatever is odd takes the slow road, which knows what to say about it.
    PgnDate::new(year, pair(m1, m0)? as u8, pair(d1, d0)? as u8).checked()
}

/// The date and whether all that was written went into it; `None` if nothing did.
fn parse_lenient(value: &[u8]) -> Option<(PgnDate, bool)> {
    if value.is_empty() || value == b"-" {
        return Some((PgnDate::UNKNOWN, true));
    }
    // A time of day after the date is dropped, but mentioned.
    let end = value
        .iter()
        .position(|byte| b" \tT,".contains(byte))
        .unwrap_or(value.len());
    let (value, whole) = (&value[..end], end == value.len());
    let separator = value.iter().find(|byte| b".-/".contains(byte));
    let pieces: Vec<&[u8]> = match separator {
        Some(separator) => value.split(|byte| byte == separator).collect(),
        None if value.len() == 8 => vec![&value[..4], &value[4..6], &value[6..]],
        None => vec![value],
    };
    let part = |at: usize| {
        pieces
            .get(at)
            .map_or(Some(DatePart::UNKNOWN), |text| DatePart::of(text))
    };
    let (first, second, third) = (part(0)?, part(1)?, part(2)?);
    let whole = whole && pieces.iter().skip(3).all(|rest| rest.is_empty());
    let (date, exact) = if third.is_year && !first.is_year {
        from_day_first(first, second, third, separator == Some(&b'.'))
    } else {
        from_year_first(first, second, third)
    };
    Some((date, exact && whole))
}

/// The certain part of year, month and day, and whether that is all of them.
fn from_year_first(year: DatePart, month: DatePart, day: DatePart) -> (PgnDate, bool) {
    let year = match year.number {
        Some(number) if year.is_year => number as u16,
        Some(_) => return (PgnDate::UNKNOWN, false),
        // `188?` is good PGN, merely less than a date can hold.
        None => {
            let nothing_lost = month.number.is_none() && day.number.is_none();
            return (PgnDate::UNKNOWN, year.is_vague || nothing_lost);
        }
    };
    // 99 is how some programs write "unknown".
    let known = |part: DatePart| part.number.filter(|&number| number != 99);
    let known = |part| known(part).map_or(0, |number| number.min(u8::MAX.into()) as u8);
    let written = PgnDate::new(year, known(month), known(day));
    let only_month = PgnDate { day: 0, ..written };
    let sound = written.checked().or(only_month.checked());
    let date = sound.unwrap_or(PgnDate::new(year, 0, 0));
    (date, date == written)
}

/// As [`from_year_first`], where the year stands last and the order of the
/// other two must be found out.
fn from_day_first(
    first: DatePart,
    second: DatePart,
    year: DatePart,
    is_dotted: bool,
) -> (PgnDate, bool) {
    match first.number.zip(second.number) {
        Some((one, two)) if two > 12 && one <= 12 => from_year_first(year, first, second),
        Some((one, two)) if one > 12 || one == two => from_year_first(year, second, first),
        // With dots the middle is the month everywhere.
        _ if is_dotted => from_year_first(year, second, first),
        // 05/06/2026: June in London, May in New York.
        Some(_) => (
            from_year_first(year, DatePart::UNKNOWN, DatePart::UNKNOWN).0,
            false,
        ),
        None => {
            let (date, exact) = from_year_first(year, DatePart::UNKNOWN, first);
            (date, exact && second.number.is_none())
        }
    }
}

impl PgnDate {
    /// The unknown date.
    pub const UNKNOWN: Self = Self::new(0, 0, 0);

    const fn new(year: u16, month: u8, day: u8) -> Self {
        Self { year, month, day }
    }

    /// The date itself, if it is one: known parts exist in the calendar and
    /// nothing is known below an unknown part.
    pub fn checked(self) -> Option<Self> {
        let Self { year, month, day } = self;
        let sound = match (year, month, day) {
            (0..=9999, 0, 0) => true,
            (1..=9999, 1..=12, _) => day <= days_of(year, month),
            _ => false,
        };
        sound.then_some(self)
    }

    /// The date as one number, `yyyymmdd` in decimal with 00 for unknown parts;
    /// 0 if nothing is known. The stored form: smaller is earlier.
    pub const fn to_packed(self) -> u32 {
        self.year as u32 * 10_000 + self.month as u32 * 100 + self.day as u32
    }

    /// The date of a stored number; unknown where the number is none.
    pub fn from_packed(packed: u32) -> Self {
        u16::try_from(packed / 10_000)
            .ok()
            .and_then(|year| {
                Self::new(year, (packed / 100 % 100) as u8, (packed % 100) as u8).checked()
            })
            .unwrap_or(Self::UNKNOWN)
    }

    /// The canonical text of PGN: `1972.07.??`.
    pub fn pgn_text(self) -> String {
        let known = self.iso_prefix().replace('-', ".");
        let unknown = &"????.??.??"[known.len()..];
        known + unknown
    }

    /// What is known, as ISO 8601 writes it: `1972-07-11`, `1972-07`, `1972`
    /// or nothing.
    pub fn iso_prefix(self) -> String {
        let mut text = format!("{:04}-{:02}-{:02}", self.year, self.month, self.day);
        text.truncate(match (self.year, self.month, self.day) {
            (0, ..) => 0,
            (_, 0, _) => 4,
            (_, _, 0) => 7,
            _ => 10,
        });
        text
    }

    /// The first day this date can mean; unknown for an unknown year.
    pub fn first_day(self) -> Self {
        match self.year {
            0 => Self::UNKNOWN,
            year => Self::new(year, self.month.max(1), self.day.max(1)),
        }
    }

    /// The last day this date can mean; unknown for an unknown year.
    pub const fn last_day(self) -> Self {
        match self {
            Self { year: 0, .. } => Self::UNKNOWN,
            Self { year, month: 0, .. } => Self::new(year, 12, 31),
            Self { day: 0, .. } => Self {
                day: days_of(self.year, self.month),
                ..self
            },
            _ => self,
        }
    }
}

/// Days of a month of the (proleptic) Gregorian calendar; 0 for no month.
const fn days_of(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 0,
    }
}

/// A span of time for filters. Partial bounds include all they name: from `1999`
/// is from 1 January, to `1999` is to 31 December.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DateRange {
    /// First date of the span; unknown: no bound.
    pub from: PgnDate,
    /// Last date of the span; unknown: no bound.
    pub to: PgnDate,
}

/// A [`DateRange`] as a test on stored numbers ([`PgnDate::to_packed`]): such
/// a number lies in the range if it is not above `at_most` and either not
/// below `at_least` or one of `also`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedRange {
    /// Smallest number, inclusive.
    pub at_least: u32,
    /// Greatest number, inclusive.
    pub at_most: u32,
    /// The month and the year of the first day, whose later days may lie in
    /// the range although their numbers are smaller.
    pub also: [u32; 2],
}

impl DateRange {
    /// Whether any day that the date of a game can mean lies in the range, as a test on
    /// stored numbers, for those who compare millions. An unknown date lies only in the
    /// range without bounds.
    pub fn packed(self) -> PackedRange {
        let at_most = if self.to.year == 0 {
            u32::MAX
        } else {
            self.to.last_day().to_packed()
        };
        let at_least = match (self.from.year, self.to.year) {
            // The smallest known date; 0 only where everything is welcome.
            (0, 0) => 0,
            (0, _) => 10_000,
            _ => self.from.first_day().to_packed(),
        };
        PackedRange {
            at_least,
            at_most,
            also: [at_least / 100 * 100, at_least / 10_000 * 10_000],
        }
    }
}

impl PackedRange {
    /// Whether a stored number lies in the range.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, several numbers are tested at once"
    )]
    pub fn contains(self, packed: u32) -> bool {
        let [month, year] = self.also;
        (packed <= self.at_most)
            & ((packed >= self.at_least) | (packed == month) | (packed == year))
    }
}

#[cfg(test)]
mod tests;
