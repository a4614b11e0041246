//! The one reader of ranges: `40`, `20..40`, `40..`, `..40`, `20-40`, `>=40`, `<40`, and several of
//! them with commas.

use std::fmt::{self, Display};

use super::ValueError;

/// Ranges of values, both ends included: ascending, and none touches another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ranges<T>(Vec<(T, T)>);

/// A value of which there are ranges.
pub trait RangeValue: Copy + Ord {
    /// The least and the greatest one.
    const BOUNDS: (Self, Self);
    /// The next greater one; itself at the greatest.
    #[must_use]
    fn next(self) -> Self;
    /// The next smaller one; itself at the least.
    #[must_use]
    fn previous(self) -> Self;
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl RangeValue for $number {
            const BOUNDS: (Self, Self) = (Self::MIN, Self::MAX);
            fn next(self) -> Self {
                self.saturating_add(1)
            }
            fn previous(self) -> Self {
                self.saturating_sub(1)
            }
        }
    )*};
}
whole_numbers!(u8, u16, u32, u64, i64);

/// How the values of a range are written.
#[derive(Debug, Clone, Copy)]
pub struct RangeSyntax<T> {
    /// Reads the first and the last value that a text names: a year names all its days. `None` if
    /// it names none.
    pub value: fn(&str) -> Option<(T, T)>,
    /// Values can be negative, and a hyphen is a minus.
    pub is_signed: bool,
    /// What a range is, for errors: `a range`.
    pub what: &'static str,
    /// What to write, for errors: `40, 20..40, 40.. or ..40`.
    pub examples: &'static str,
}

impl<T: RangeValue> Ranges<T> {
    /// One range, both ends included.
    ///
    /// # Panics
    ///
    /// If it ends before it begins.
    pub fn of(from: T, to: T) -> Self {
        assert!(from <= to, "a range ends before it begins");
        Self(vec![(from, to)])
    }

    /// All values of some ranges, in any order.
    pub fn union(ranges: impl IntoIterator<Item = (T, T)>) -> Self {
        let mut all: Vec<(T, T)> = ranges.into_iter().collect();
        all.sort_unstable();
        let mut merged: Vec<(T, T)> = Vec::with_capacity(all.len());
        for (from, to) in all {
            match merged.last_mut() {
                Some((_, last)) if from <= last.next() => *last = (*last).max(to),
                _ => merged.push((from, to)),
            }
        }
        Self(merged)
    }

    /// The ranges, ascending.
    pub fn as_slice(&self) -> &[(T, T)] {
        &self.0
    }

    /// Whether a value is in one of them.
    pub fn contains(&self, value: T) -> bool {
        self.0
            .iter()
            .any(|&(from, to)| from <= value && value <= to)
    }

    /// The values that are in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let both = self.0.iter().flat_map(|&(from, to)| {
            let cut = move |&(own_from, own_to): &(T, T)| (from.max(own_from), to.min(own_to));
            other.0.iter().map(cut)
        });
        Self::union(both.filter(|(from, to)| from <= to))
    }

    /// Reads a list of ranges.
    ///
    /// # Errors
    ///
    /// [`ValueError`] if a part is no range, or ends before it begins.
    pub fn read(text: &str, syntax: &RangeSyntax<T>) -> Result<Self, ValueError> {
        let ranges = text.split(',').map(|part| read_one(part.trim(), syntax));
        Ok(Self::union(ranges.collect::<Result<Vec<_>, _>>()?))
    }
}

fn read_one<T: RangeValue>(text: &str, syntax: &RangeSyntax<T>) -> Result<(T, T), ValueError> {
    let (least, most) = T::BOUNDS;
    let value = syntax.value;
    let no_range = || {
        let error = ValueError::new(format!("`{text}` is not {}", syntax.what));
        // `-40` and `40-` meant a range with one end once, as page numbers have it.
        let open = match text.strip_suffix('-').map(|from| (from, "")) {
            Some((from, _)) => Some((from, format!("{from}.."))),
            None if syntax.is_signed => None,
            None => text.strip_prefix('-').map(|to| (to, format!("..{to}"))),
        };
        match open {
            Some((number, meant)) if value(number).is_some() => error.suggest(meant),
            _ => error.hint(format!("write {}", syntax.examples)),
        }
    };
    for (sign, is_least, is_open) in [
        (">=", true, false),
        ("<=", false, false),
        (">", true, true),
        ("<", false, true),
    ] {
        if let Some(rest) = text.strip_prefix(sign) {
            let (first, last) = value(rest.trim()).ok_or_else(no_range)?;
            return Ok(match (is_least, is_open) {
                (true, false) => (first, most),
                (true, true) => (last.next(), most),
                (false, false) => (least, last),
                (false, true) => (least, first.previous()),
            });
        }
    }
    let (from, to) = if let Some((from, to)) = text.split_once("..") {
        let end = |text: &str| match text.trim() {
            "" => Some((least, most)),
            text => value(text),
        };
        let both = end(from).zip(end(to)).ok_or_else(no_range)?;
        (both.0.0, both.1.1)
    } else if let Some(named) = value(text) {
        named
    } else if syntax.is_signed {
        return Err(no_range());
    } else {
        // A hyphen may stand within a value, as in a date: any of them may part two values.
        let mut parts = text.match_indices('-');
        let range = parts.find_map(|(at, _)| {
            let (from, to) = (text[..at].trim(), text[at + 1..].trim());
            Some((value(from)?.0, value(to)?.1))
        });
        range.ok_or_else(no_range)?
    };
    if from > to {
        let error = ValueError::new(format!("`{text}` is in the wrong order"));
        let parts = text.split_once("..").or_else(|| text.split_once('-'));
        return Err(match parts {
            Some((from, to)) => error.suggest(format!("{}..{}", to.trim(), from.trim())),
            None => error.hint("write the smaller number first"),
        });
    }
    Ok((from, to))
}

impl<T: RangeValue> Ranges<T> {
    /// Writes them in the form that [`read`](Self::read) reads. `named` writes the values from one
    /// to another if one text names them; it is given a single value for each end of a range.
    pub fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        named: impl Fn(T, T) -> Option<String>,
        ends: [&dyn Fn(T) -> String; 2],
    ) -> fmt::Result {
        let (least, most) = T::BOUNDS;
        for (at, &(from, to)) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            if let Some(name) = named(from, to) {
                f.write_str(&name)?;
                continue;
            }
            if from > least {
                f.write_str(&ends[0](from))?;
            }
            f.write_str("..")?;
            if to < most {
                f.write_str(&ends[1](to))?;
            }
        }
        Ok(())
    }
}

/// A whole number without a sign.
fn whole<T: Copy + std::str::FromStr>(text: &str) -> Option<(T, T)> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok()).flatten()?;
    Some((number, number))
}

/// Ranges of whole numbers.
pub const fn whole_numbers<T: RangeValue + std::str::FromStr>(
    examples: &'static str,
) -> RangeSyntax<T> {
    RangeSyntax {
        value: whole::<T>,
        is_signed: false,
        what: "a range",
        examples,
    }
}

impl<T: RangeValue + Display> Display for Ranges<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: T| number.to_string();
        let named = |from, to| (from == to).then(|| number(from));
        self.write(f, named, [&number, &number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: RangeSyntax<u32> = whole_numbers("40, 20..40, 40.. or ..40");

    #[test]
    fn every_form_of_a_range_is_read() {
        const MOST: u32 = u32::MAX;
        for (text, ranges) in [
            ("40", &[(40, 40)][..]),
            ("20..40", &[(20, 40)]),
            ("20-40", &[(20, 40)]),
            ("40..", &[(40, MOST)]),
            ("..40", &[(0, 40)]),
            (">=40", &[(40, MOST)]),
            ("> 40", &[(41, MOST)]),
            ("<=40", &[(0, 40)]),
            ("<40", &[(0, 39)]),
            ("1,3..4", &[(1, 1), (3, 4)]),
            ("..", &[(0, MOST)]),
            ("0..", &[(0, MOST)]),
            ("3..5,1..2,9", &[(1, 5), (9, 9)]),
        ] {
            let read = Ranges::read(text, &NUMBERS).expect(text);
            assert_eq!(read.as_slice(), ranges, "{text}");
            let again = Ranges::read(&read.to_string(), &NUMBERS);
            assert_eq!(again.as_ref(), Ok(&read), "{read}");
        }
    }

    #[test]
    fn what_is_no_range_has_a_suggestion_that_is_one() {
        for (text, suggestion) in [
            ("40-", Some("40..")),
            ("-40", Some("..40")),
            ("40..20", Some("20..40")),
            ("80-40", Some("40..80")),
            ("x", None),
            ("", None),
            ("-", None),
            ("1-2-3", None),
            ("+4", None),
            ("99999999999", None),
            ("1,,2", None),
        ] {
            let error = Ranges::read(text, &NUMBERS).expect_err(text);
            assert_eq!(error.suggestion.as_deref(), suggestion, "{text}");
            if let Some(meant) = suggestion {
                Ranges::read(meant, &NUMBERS).expect(meant);
            }
        }
    }

    #[test]
    fn both_of_two_lists_are_what_is_in_each() {
        let read = |text: &str| Ranges::read(text, &NUMBERS).expect(text);
        assert_eq!(
            read("1..5,8..").intersection(&read("4..9")),
            read("4..5,8..9")
        );
        assert_eq!(read("1..2").intersection(&read("4..")).as_slice(), &[]);
    }
}
