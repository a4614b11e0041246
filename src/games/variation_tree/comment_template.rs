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
pub(super) enum TemplateSlot {
    /// A number of thousandths, hundredths, tenths or ones (3 to 0 decimals); `true`
    /// if those that are not negative have a plus.
    Number(u8, bool),
    /// Hours, minutes and seconds, hours of at least that many digits; `true` with tenths of
    /// seconds, which are then its unit.
    Time(u8, bool),
    /// Minutes and seconds.
    Minutes,
    /// Text: that of a field up to the next comma, that of a command up to its bracket.
    Text,
}

/// All slots and their signs, at the places that [`TemplateSlot::sign`] knows.
const ALL: [(TemplateSlot, &str); 14] = [
    (TemplateSlot::Number(0, false), "⟨0⟩"),
    (TemplateSlot::Number(0, true), "⟨+0⟩"),
    (TemplateSlot::Number(1, false), "⟨0.0⟩"),
    (TemplateSlot::Number(1, true), "⟨+0.0⟩"),
    (TemplateSlot::Number(2, false), "⟨0.00⟩"),
    (TemplateSlot::Number(2, true), "⟨+0.00⟩"),
    (TemplateSlot::Number(3, false), "⟨0.000⟩"),
    (TemplateSlot::Number(3, true), "⟨+0.000⟩"),
    (TemplateSlot::Time(1, false), "⟨h:mm:ss⟩"),
    (TemplateSlot::Time(2, false), "⟨hh:mm:ss⟩"),
    (TemplateSlot::Time(1, true), "⟨h:mm:ss.0⟩"),
    (TemplateSlot::Time(2, true), "⟨hh:mm:ss.0⟩"),
    (TemplateSlot::Minutes, "⟨m:ss⟩"),
    (TemplateSlot::Text, "⟨…⟩"),
];

/// The letters that mark a slot, which a comment with a shape has not of itself.
const BRACKETS: [char; 2] = ['⟨', '⟩'];

impl TemplateSlot {
    /// The sign that stands for it in a shape.
    fn sign(self) -> &'static str {
        let at = match self {
            Self::Number(places, plus) => 2 * places + u8::from(plus),
            Self::Time(hours, tenths) => 7 + hours + 2 * u8::from(tenths),
            Self::Minutes => 12,
            Self::Text => 13,
        };
        ALL[usize::from(at)].1
    }

    /// Writes a value.
    pub(super) fn write(self, value: i64, out: &mut Vec<u8>) {
        let size = value.unsigned_abs();
        match (value < 0, self) {
            (_, Self::Text) => return,
            (true, _) => out.push(b'-'),
            (false, Self::Number(_, true)) => out.push(b'+'),
            (false, _) => {}
        }
        match self {
            Self::Number(0, _) => put_digits(size, 1, out),
            Self::Number(places, _) => {
                let one = 10_u64.pow(u32::from(places));
                put_digits(size / one, 1, out);
                out.push(b'.');
                put_digits(size % one, usize::from(places), out);
            }
            Self::Time(hours, tenths) => {
                let seconds = if tenths { size / 10 } else { size };
                put_digits(seconds / 3600, usize::from(hours), out);
                out.push(b':');
                put_digits(seconds / 60 % 60, 2, out);
                out.push(b':');
                put_digits(seconds % 60, 2, out);
                if tenths {
                    out.push(b'.');
                    put_digits(size % 10, 1, out);
                }
            }
            Self::Minutes => {
                put_digits(size / 60, 1, out);
                out.push(b':');
                put_digits(size % 60, 2, out);
            }
            Self::Text => {}
        }
    }
}

/// Appends a number with zeros in front up to that many digits, 20 at most. The formatter of
/// the library takes nearly a tenth of an import of games with engine comments.
fn put_digits(mut value: u64, least: usize, out: &mut Vec<u8>) {
    // Four of ten numbers of engines have one digit.
    if value < 10 && least <= 1 {
        return out.push(b'0' + value as u8);
    }
    let mut digits = [b'0'; 20];
    let mut from = digits.len();
    while value > 0 {
        from -= 1;
        digits[from] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    let from = from.min(digits.len() - least.min(digits.len()));
    out.extend_from_slice(&digits[from..]);
}

/// A value of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TemplateValue<'t> {
    /// Of a number or a time.
    Number(i64),
    /// Of a text.
    Text(&'t str),
}

/// Letters and digits, by the byte.
static IS_WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut byte = 0;
    while byte < is_word.len() {
        is_word[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    is_word
};

/// Writes the shape of a comment and adds its values; `false` if it has none: then what was
/// written is of no use.
pub(super) fn shape<'t>(
    comment: &'t str,
    out: &mut String,
    values: &mut Vec<TemplateValue<'t>>,
) -> bool {
    if comment.len() > BYTES_MAX || !comment.is_ascii() && comment.contains(BRACKETS) {
        return false;
    }
    let bytes = comment.as_bytes();
    let first = values.len();
    let (mut at, mut kept) = (0, 0);
    while at < bytes.len() {
        let found = match bytes[at] {
            b'0'..=b'9' | b'-' | b'+' => number_at(comment, at),
            b'=' => text_at(comment, at + 1, b','),
            b'[' => command_at(bytes, at).and_then(|text| text_at(comment, text, b']')),
            _ => None,
        };
        let Some((slot, value, from, end)) = found else {
            at += 1;
            // The rest of a number that has no slot, and digits after letters.
            if IS_WORD[usize::from(bytes[at - 1])] {
                let word = bytes[at..].iter();
                at += word.take_while(|&&byte| IS_WORD[usize::from(byte)]).count();
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

type FoundSlot<'t> = (TemplateSlot, TemplateValue<'t>, usize, usize);

/// The digits from a byte on: how many they are, and their number, which is of no use if they
/// are more than [`DIGITS_MAX`].
fn digits_at(bytes: &[u8], at: usize) -> (usize, i64) {
    let (mut count, mut value) = (0, 0_i64);
    for byte in bytes.iter().skip(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        count += 1;
    }
    (count, value)
}

/// The number or time that begins at a byte: its slot and value, and where it begins and ends.
fn number_at(comment: &str, from: usize) -> Option<FoundSlot<'_>> {
    let bytes = comment.as_bytes();
    let has_sign = !bytes[from].is_ascii_digit();
    let is_negative = bytes[from] == b'-';
    let first = from + usize::from(has_sign);
    let (count, whole) = digits_at(bytes, first);
    if count == 0 || count > DIGITS_MAX {
        return None;
    }
    let end = first + count;
    // A minus in a row of signed numbers (`+1-1+0`) stands for the sign that others have.
    let is_of_row = || from > 0 && bytes[from - 1].is_ascii_digit();
    let has_plus = has_sign && (!is_negative || is_of_row());
    let further = match bytes.get(end) {
        Some(b':') if !has_sign => time_at(bytes, end, (count, whole)),
        Some(b'.') => match digits_at(bytes, end + 1) {
            (places @ 1..=3, decimals) => {
                let size = whole * 10_i64.pow(places as u32) + decimals;
                let slot = TemplateSlot::Number(places as u8, has_plus);
                Some((slot, Some(size), end + 1 + places))
            }
            _ => None,
        },
        _ => None,
    };
    let (slot, size, end) =
        further.unwrap_or((TemplateSlot::Number(0, has_plus), Some(whole), end));
    let size = size?;
    // What writing it would change: zeros in front, a minus of nothing.
    let is_padded = count > 1 && bytes[first] == b'0' && !matches!(slot, TemplateSlot::Time(2, _));
    if is_padded || (is_negative && size == 0) {
        return None;
    }
    let value = if is_negative { -size } else { size };
    debug_assert_eq!(written(slot, value), bytes[from..end]);
    Some((slot, TemplateValue::Number(value), from, end))
}

/// The time that goes on at a colon, after that many digits of a number: its slot, its value if
/// writing that gives the same, and where it ends.
fn time_at(
    bytes: &[u8],
    colon: usize,
    (count, whole): (usize, i64),
) -> Option<(TemplateSlot, Option<i64>, usize)> {
    // That many digits after a sign.
    let part = |at: usize, sign: u8, count: usize| {
        let (digits, value) = digits_at(bytes, at + 1);
        (bytes.get(at) == Some(&sign) && digits == count).then_some(value)
    };
    // Sixty of what has fifty-nine would not come back.
    let sixties = |value: i64, part: i64| {
        let value = value.checked_mul(60).filter(|_| part < 60);
        value?.checked_add(part)
    };
    let minutes = sixties(whole, part(colon, b':', 2)?);
    let Some(seconds) = part(colon + 3, b':', 2) else {
        return Some((TemplateSlot::Minutes, minutes, colon + 3));
    };
    let seconds = minutes.and_then(|minutes| sixties(minutes, seconds));
    let hours = if count == 2 { 2 } else { 1 };
    Some(match part(colon + 6, b'.', 1) {
        Some(tenth) => {
            let tenths = seconds.and_then(|seconds| seconds.checked_mul(10)?.checked_add(tenth));
            (TemplateSlot::Time(hours, true), tenths, colon + 8)
        }
        None => (TemplateSlot::Time(hours, false), seconds, colon + 6),
    })
}

/// What a slot writes of a value.
fn written(slot: TemplateSlot, value: i64) -> Vec<u8> {
    let mut text = Vec::new();
    slot.write(value, &mut text);
    text
}

/// The text of a field (`pv=Nf3 e5,`) or of a command (`[%brsp Nf3]`) that is no number.
fn text_at(comment: &str, from: usize, closing: u8) -> Option<FoundSlot<'_>> {
    let rest = &comment[from..];
    let first = rest.bytes().next()?;
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let end = memchr::memchr(closing, rest.as_bytes()).unwrap_or(rest.len());
    Some((
        TemplateSlot::Text,
        TemplateValue::Text(&rest[..end]),
        from,
        from + end,
    ))
}

/// Where the argument of a command (`[%brsp Nf3]`) begins, after the bracket that opens it.
fn command_at(bytes: &[u8], bracket: usize) -> Option<usize> {
    let name = bytes[bracket + 1..].strip_prefix(b"%")?;
    let letters = name.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let blank = letters.count();
    let is_parted = blank > 0 && name.get(blank)?.is_ascii_whitespace();
    is_parted.then_some(bracket + 2 + blank + 1)
}

/// A piece of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TemplatePart<'s> {
    /// As it stands.
    Text(&'s str),
    /// A slot.
    Slot(TemplateSlot),
}

/// The pieces of a shape; ends where it is none.
pub(super) fn pieces(shape: &str) -> impl Iterator<Item = TemplatePart<'_>> {
    let mut rest = shape;
    std::iter::from_fn(move || {
        let slot = |(slot, sign): &(TemplateSlot, &str)| Some((*slot, rest.strip_prefix(sign)?));
        if let Some((slot, after)) = ALL.iter().find_map(slot) {
            rest = after;
            return Some(TemplatePart::Slot(slot));
        }
        let end = rest.find(BRACKETS).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        rest = after;
        (!text.is_empty()).then_some(TemplatePart::Text(text))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shaped(comment: &str) -> String {
        let (mut out, mut values) = (String::new(), Vec::new());
        assert!(shape(comment, &mut out, &mut values), "{comment}");
        let mut again = Vec::new();
        let mut values = values.into_iter();
        for piece in pieces(&out) {
            match piece {
                TemplatePart::Text(text) => again.extend_from_slice(text.as_bytes()),
                TemplatePart::Slot(slot) => match values.next() {
                    Some(TemplateValue::Number(value)) => slot.write(value, &mut again),
                    Some(TemplateValue::Text(text)) => again.extend_from_slice(text.as_bytes()),
                    None => panic!("{comment}"),
                },
            }
        }
        assert_eq!(again, comment.as_bytes());
        assert_eq!(values.next(), None);
        out
    }

    #[test]
    fn every_slot_has_its_sign() {
        for (slot, sign) in ALL {
            assert_eq!(slot.sign(), sign);
        }
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
            ("[%cal Gd4d5,Re1e8]", "[%cal ⟨…⟩]"),
            (
                "[%eval +0.31][%brsp\nNc3] good",
                "[%eval ⟨+0.00⟩][%brsp\n⟨…⟩] good",
            ),
            ("[%brsp Nc3", "[%brsp ⟨…⟩"),
            (
                "[%] [% a] [%brsp  a] [%brsp] [%brsp é]",
                "[%] [% a] [%brsp  a] [%brsp] [%brsp é]",
            ),
            // What would not be written so again stays.
            (
                "-0.00 +0 0:5 00:5 007 -0 1.2345",
                "-⟨0.00⟩ ⟨+0⟩ ⟨0⟩:⟨0⟩ 00:⟨0⟩ 007 -⟨0⟩ ⟨0⟩.⟨0⟩",
            ),
            ("1234567890123456", "1234567890123456"),
            ("999999999999999:00:00.0", "999999999999999:00:00.⟨0⟩"),
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
