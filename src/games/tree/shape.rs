//! Comments of one shape: `[%clk 1:59:14]` and `[%clk 1:59:02]` differ in a number only.
//!
//! A shape is the text of a comment with slots for its values, plain to read:
//! `[%clk ⟨h:mm:ss⟩]`. A value has a slot only if writing it gives the same letters again;
//! what does not (`-0.00`, `00:5`) stays in the shape.

/// Slots that a shape has at most.
const SLOTS_MAX: usize = 64;
/// Bytes of the longest comment that has a shape.
pub(super) const BYTES_MAX: usize = 4096;
/// Digits of the longest number that has a slot.
const DIGITS_MAX: usize = 15;

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    /// A number of so many thousandths, hundredths, tenths or ones (3 to 0 decimals); `true`
    /// if those that are not negative have a plus.
    Number(u8, bool),
    /// Hours, minutes and seconds, hours of at least so many digits; `true` with tenths of
    /// seconds, in which it is counted then.
    Time(u8, bool),
    /// Minutes and seconds.
    Minutes,
    /// Text up to the next comma.
    Text,
}

const ALL: [(Slot, &str); 14] = [
    (Slot::Number(0, false), "⟨0⟩"),
    (Slot::Number(0, true), "⟨+0⟩"),
    (Slot::Number(1, false), "⟨0.0⟩"),
    (Slot::Number(1, true), "⟨+0.0⟩"),
    (Slot::Number(2, false), "⟨0.00⟩"),
    (Slot::Number(2, true), "⟨+0.00⟩"),
    (Slot::Number(3, false), "⟨0.000⟩"),
    (Slot::Number(3, true), "⟨+0.000⟩"),
    (Slot::Time(1, false), "⟨h:mm:ss⟩"),
    (Slot::Time(2, false), "⟨hh:mm:ss⟩"),
    (Slot::Time(1, true), "⟨h:mm:ss.0⟩"),
    (Slot::Time(2, true), "⟨hh:mm:ss.0⟩"),
    (Slot::Minutes, "⟨m:ss⟩"),
    (Slot::Text, "⟨…⟩"),
];

/// The letters that mark a slot, which a comment with a shape has not of itself.
const BRACKETS: [char; 2] = ['⟨', '⟩'];

impl Slot {
    /// The sign that stands for it in a shape.
    fn sign(self) -> &'static str {
        ALL.iter()
            .find(|(slot, _)| *slot == self)
            .map_or("", |(_, sign)| sign)
    }

    /// Writes a value.
    pub(super) fn write(self, value: i64, out: &mut String) {
        let size = value.unsigned_abs();
        let sign = match (value < 0, self) {
            (_, Self::Text) => "",
            (true, _) => "-",
            (false, Self::Number(_, true)) => "+",
            (false, _) => "",
        };
        out.push_str(sign);
        match self {
            Self::Number(0, _) => put_digits(size, 1, out),
            Self::Number(places, _) => {
                let one = 10_u64.pow(u32::from(places));
                put_digits(size / one, 1, out);
                out.push('.');
                put_digits(size % one, usize::from(places), out);
            }
            Self::Time(hours, tenths) => {
                let seconds = if tenths { size / 10 } else { size };
                put_digits(seconds / 3600, usize::from(hours), out);
                out.push(':');
                put_digits(seconds / 60 % 60, 2, out);
                out.push(':');
                put_digits(seconds % 60, 2, out);
                if tenths {
                    out.push('.');
                    put_digits(size % 10, 1, out);
                }
            }
            Self::Minutes => {
                put_digits(size / 60, 1, out);
                out.push(':');
                put_digits(size % 60, 2, out);
            }
            Self::Text => {}
        }
    }
}

/// Appends a number with zeros in front up to so many digits, 20 at most. The formatter of
/// the library takes nearly a tenth of an import of games with engine comments.
fn put_digits(mut value: u64, least: usize, out: &mut String) {
    let mut digits = [b'0'; 20];
    let mut from = digits.len();
    while value > 0 {
        from -= 1;
        digits[from] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    let from = from.min(digits.len() - least.min(digits.len()));
    out.push_str(std::str::from_utf8(&digits[from..]).unwrap_or_default());
}

/// A value of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'t> {
    /// Of a number or a time.
    Number(i64),
    /// Of a text.
    Text(&'t str),
}

/// Writes the shape of a comment and adds its values; `false` if it has none: then what was
/// written is of no use.
pub(super) fn shape<'t>(comment: &'t str, out: &mut String, values: &mut Vec<Value<'t>>) -> bool {
    if comment.len() > BYTES_MAX || !comment.is_ascii() && comment.contains(BRACKETS) {
        return false;
    }
    let bytes = comment.as_bytes();
    let first = values.len();
    let (mut at, mut kept) = (0, 0);
    while at < bytes.len() {
        let found = match bytes[at] {
            b'0'..=b'9' | b'-' | b'+' => number_at(comment, at),
            b'=' => text_at(comment, at + 1).map(|(slot, value, end)| (slot, value, at + 1, end)),
            _ => None,
        };
        let Some((slot, value, from, end)) = found else {
            at += 1;
            // The rest of a number that has no slot, and digits behind letters.
            if bytes[at - 1].is_ascii_alphanumeric() {
                while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                    at += 1;
                }
            }
            continue;
        };
        if values.len() - first == SLOTS_MAX {
            return false;
        }
        out.push_str(&comment[kept..from]);
        out.push_str(slot.sign());
        values.push(value);
        (at, kept) = (end, end);
    }
    out.push_str(&comment[kept..]);
    true
}

type FoundSlot<'t> = (Slot, Value<'t>, usize, usize);

/// The number or time that begins at a byte: its slot and value, and where it begins and ends.
fn number_at(comment: &str, from: usize) -> Option<FoundSlot<'_>> {
    let bytes = comment.as_bytes();
    let has_sign = !bytes[from].is_ascii_digit();
    let is_negative = bytes[from] == b'-';
    let digits_from = |at: usize| {
        let digits = bytes[at.min(bytes.len())..].iter();
        digits.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let first = from + usize::from(has_sign);
    let whole = digits_from(first);
    if whole == 0 || whole > DIGITS_MAX {
        return None;
    }
    // Digits of so many at a place, behind a sign.
    let part = |at: usize, sign: u8, count: usize| {
        (bytes.get(at) == Some(&sign) && digits_from(at + 1) == count).then(|| at + 1 + count)
    };
    let end = first + whole;
    let (slot, end) = if let Some(minutes) = part(end, b':', 2).filter(|_| !has_sign) {
        let hours = if whole == 2 { 2 } else { 1 };
        match part(minutes, b':', 2) {
            Some(seconds) => match part(seconds, b'.', 1) {
                Some(tenths) => (Slot::Time(hours, true), tenths),
                None => (Slot::Time(hours, false), seconds),
            },
            None => (Slot::Minutes, minutes),
        }
    } else {
        let places = (1..=3).find_map(|places| Some((places, part(end, b'.', places)?)));
        let (places, end) = places.map_or((0, end), |(places, end)| (places as u8, end));
        // A minus in a row of signed numbers (`+1-1+0`) stands for the sign that others have.
        let is_of_row = from > 0 && bytes[from - 1].is_ascii_digit();
        (
            Slot::Number(places, has_sign && (!is_negative || is_of_row)),
            end,
        )
    };
    let size = value_of(slot, &bytes[first..end])?;
    // What writing it would change: zeros in front, a minus of nothing, sixty of what has fifty-nine.
    let is_padded = whole > 1 && bytes[first] == b'0' && !matches!(slot, Slot::Time(2, _));
    let has_sixty = || {
        let colon = |at: &usize| bytes[*at] == b':';
        (first..end).filter(colon).any(|at| bytes[at + 1] > b'5')
    };
    if is_padded || (is_negative && size == 0) || has_sixty() {
        return None;
    }
    let value = if is_negative { -size } else { size };
    debug_assert_eq!(written(slot, value), comment[from..end]);
    Some((slot, Value::Number(value), from, end))
}

/// What a slot writes of a value.
fn written(slot: Slot, value: i64) -> String {
    let mut text = String::new();
    slot.write(value, &mut text);
    text
}

/// The value of digits with colons and a dot.
fn value_of(slot: Slot, text: &[u8]) -> Option<i64> {
    let mut value: i64 = 0;
    let mut parts = text.split(|byte| matches!(byte, b':' | b'.')).peekable();
    let mut is_first = true;
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        let factor = match slot {
            _ if is_first => 1,
            Slot::Time(_, true) if is_last => 10,
            Slot::Time(..) | Slot::Minutes => 60,
            Slot::Number(places, _) => 10_i64.pow(u32::from(places)),
            Slot::Text => return None,
        };
        // Fifteen digits at most.
        let number = part
            .iter()
            .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        value = value.checked_mul(factor)?.checked_add(number)?;
        is_first = false;
    }
    Some(value)
}

/// The text of a field (`pv=Nf3 e5,`) that is no number, and where it ends.
fn text_at(comment: &str, from: usize) -> Option<(Slot, Value<'_>, usize)> {
    let rest = &comment[from..];
    let first = rest.bytes().next()?;
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let end = rest.find(',').unwrap_or(rest.len());
    Some((Slot::Text, Value::Text(&rest[..end]), from + end))
}

/// A piece of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'s> {
    /// As it stands.
    Text(&'s str),
    /// A slot.
    Slot(Slot),
}

/// The pieces of a shape; ends where it is none.
pub(super) fn pieces(shape: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = shape;
    std::iter::from_fn(move || {
        let slot = |(slot, sign): &(Slot, &str)| Some((*slot, rest.strip_prefix(sign)?));
        if let Some((slot, after)) = ALL.iter().find_map(slot) {
            rest = after;
            return Some(Piece::Slot(slot));
        }
        let end = rest.find(BRACKETS).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        rest = after;
        (!text.is_empty()).then_some(Piece::Text(text))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shaped(comment: &str) -> String {
        let (mut out, mut values) = (String::new(), Vec::new());
        assert!(shape(comment, &mut out, &mut values), "{comment}");
        let mut again = String::new();
        let mut values = values.into_iter();
        for piece in pieces(&out) {
            match piece {
                Piece::Text(text) => again.push_str(text),
                Piece::Slot(slot) => match values.next() {
                    Some(Value::Number(value)) => slot.write(value, &mut again),
                    Some(Value::Text(text)) => again.push_str(text),
                    None => panic!("{comment}"),
                },
            }
        }
        assert_eq!(again, comment);
        assert_eq!(values.next(), None);
        out
    }

    #[test]
    fn values_have_slots_and_come_back() {
        for (comment, expected) in [
            (" [%clk 1:59:14] ", " [%clk ⟨h:mm:ss⟩] "),
            ("[%clk 01:59:14.5]", "[%clk ⟨hh:mm:ss.0⟩]"),
            ("[%emt 0:00:00.0]", "[%emt ⟨h:mm:ss.0⟩]"),
            ("[%eval -0.31] [%clk 12:07]", "[%eval ⟨0.00⟩] [%clk ⟨m:ss⟩]"),
            ("[%eval #-3]", "[%eval #⟨0⟩]"),
            ("+0.31/12 2.3s", "⟨+0.00⟩/⟨0⟩ ⟨0.0⟩s"),
            (
                "d=7, pv=Qd1 Bd7, mb=+1-1+0, R50=49,",
                "d=⟨0⟩, pv=⟨…⟩, mb=⟨+0⟩⟨+0⟩⟨+0⟩, R50=⟨0⟩,",
            ),
            ("12...Nf3 and O-O-O", "⟨0⟩...Nf3 and O-O-O"),
            ("[%cal Gd4d5,Re1e8]", "[%cal Gd4d5,Re1e8]"),
            // What would not be written so again stays.
            (
                "-0.00 +0 0:5 00:5 007 -0 1.2345",
                "-⟨0.00⟩ ⟨+0⟩ ⟨0⟩:⟨0⟩ 00:⟨0⟩ 007 -⟨0⟩ ⟨0⟩.⟨0⟩",
            ),
            ("1234567890123456", "1234567890123456"),
            ("1:60:61 1:2:03", "1:60:⟨0⟩ ⟨0⟩:⟨m:ss⟩"),
            ("=", "="),
            ("a=b", "a=⟨…⟩"),
            ("é±9", "é±⟨0⟩"),
        ] {
            assert_eq!(shaped(comment), expected);
        }
        assert!(!shape("⟨0⟩", &mut String::new(), &mut Vec::new()));
        assert!(!shape(
            &"1 ".repeat(65),
            &mut String::new(),
            &mut Vec::new()
        ));
    }

    proptest! {
        #[test]
        fn whatever_is_written_comes_back(comment in "[-+.:=,0-9 aé%\\[\\]#]{0,40}") {
            shaped(&comment);
        }
    }
}
