//! What is expected of the values of tags that mean something, for people who write them by hand.

use super::{date, eco, elo, person, result, time_control};

/// What is expected of a value, with an example.
pub type Expectation = &'static str;

/// Ratings; other tags with these endings are something else (`WhiteRatingDiff`, `WhiteEloType`).
const RATINGS: [&str; 6] = ["Elo", "Rating", "DWZ", "ICCF", "NRtg", "USCF"];

/// What is expected instead of the value of a tag of that (canonical) name, if the value is certainly
/// none: what an import would not understand, or warn of. `None` for all other values, those that say
/// that something is not known among them, and for tags that may have any text. `has_points` says that
/// results are those of draughts (`2-0`).
///
/// ```
/// use plydex::pgn::tags::expected::expected_instead;
/// assert_eq!(expected_instead("WhiteElo", "2750", false), None);
/// assert!(expected_instead("WhiteElo", "abc", false).is_some_and(|text| text.contains("2750")));
/// assert_eq!(expected_instead("Annotator", "abc", false), None);
/// ```
pub fn expected_instead(name: &str, value: &str, has_points: bool) -> Option<Expectation> {
    let bytes = value.as_bytes();
    let (is_one, expected) = match name {
        "Result" if has_points => (
            result::parse_pdn(bytes).is_some(),
            "a result, such as 2-0, 1-1, 0-2, 1-0, 1/2-1/2, 0-1 or *",
        ),
        "Result" => (
            result::parse_tag(bytes).is_some(),
            "a result: 1-0, 0-1, 1/2-1/2 or *",
        ),
        "ECO" => (
            eco::parse(bytes).is_some(),
            "an ECO code from A00 to E99, such as B90",
        ),
        "TimeControl" | "WhiteTimeControl" | "BlackTimeControl" | "TimeControlWhite"
        | "TimeControlBlack" => (
            time_control::parse(bytes).kind != time_control::TimeControlKind::Unknown,
            "a time control in seconds, such as 40/7200:3600, 180+2 or - for none",
        ),
        "PlyCount" | "EventRounds" => (is_whole(value), "a number, such as 62"),
        "Time" | "UTCTime" | "StartTime" | "EndTime" => {
            (is_time(value), "a time of day, such as 18:30:00")
        }
        "WhiteFideId" | "BlackFideId" => (
            person::fide_id(value).is_some() || value.trim() == "0",
            "the number of a player at FIDE, such as 1503014",
        ),
        "WhiteRatingDiff" | "BlackRatingDiff" => (
            is_whole(value.trim().trim_start_matches(['+', '-'])),
            "a number with a sign, such as +5",
        ),
        _ if name.ends_with("Date") => (
            date::parse(bytes).1.is_none(),
            "a date, such as 2024.05.31, 2024.05.?? or ????.??.??",
        ),
        _ if is_rating(name) => (
            elo::parse(bytes).is_some() || value.trim() == "0",
            "a rating from 1 to 5000, such as 2750",
        ),
        _ => return None,
    };
    (!is_one && !says_nothing(value)).then_some(expected)
}

fn is_rating(name: &str) -> bool {
    let side = name.strip_prefix("White").or(name.strip_prefix("Black"));
    let rating = side.map(|rest| rest.strip_prefix("Estimated").unwrap_or(rest));
    rating.is_some_and(|rating| RATINGS.contains(&rating))
}

/// Whether a value stands for what is not known.
fn says_nothing(value: &str) -> bool {
    value
        .chars()
        .all(|c| matches!(c, '?' | '-' | '.' | ':' | ' '))
}

fn is_whole(value: &str) -> bool {
    let value = value.trim();
    (1..=9).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// `18:30`, `18:30:05`, `18:30:05.25`; `6:30 PM` and `18:30:05 UTC` have a word more.
fn is_time(value: &str) -> bool {
    let value = value.trim();
    let (time, _) = value.split_once(' ').unwrap_or((value, ""));
    let time = time.strip_suffix('Z').unwrap_or(time);
    let parts: Vec<&str> = time.split(':').collect();
    let bounds = [24, 60, 61];
    let is_part = |(part, bound): (&&str, u32)| {
        let (whole, _) = part.split_once('.').unwrap_or((part, ""));
        let number = whole
            .parse()
            .ok()
            .filter(|_| (1..=2).contains(&whole.len()));
        number.is_some_and(|number: u32| number < bound)
    };
    (2..=3).contains(&parts.len()) && parts.iter().zip(bounds).all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::tags::rows;

    fn is_refused(name: &str, value: &str) -> bool {
        expected_instead(name, value, false).is_some()
    }

    /// What an import reads without a warning may be written, and nothing else of a known meaning.
    #[test]
    fn what_the_readers_understand_may_be_written() {
        for [value, canonical] in rows(include_str!("../../../tests/vectors/results.tsv")) {
            let is_draughts = canonical.starts_with("draughts only");
            assert_eq!(is_refused("Result", value), is_draughts, "{value}");
        }
        for value in ["2-0", "1-1", "0-2", "12-0", "1-0", "*", "30-34"] {
            assert_eq!(expected_instead("Result", value, true), None, "{value}");
        }
        for [value, _, precision] in rows(include_str!("../../../tests/vectors/dates.tsv")) {
            let is_warned = precision.ends_with("warn") || precision.contains("ambiguous");
            for name in ["Date", "UTCDate", "EventDate", "WhiteBirthDate"] {
                assert_eq!(is_refused(name, value), is_warned, "{name}: {value}");
            }
        }
        for [value, read] in rows(include_str!("../../../tests/vectors/elo.tsv")) {
            let is_raw = read.contains("raw kept") || value == "+12";
            for name in ["WhiteElo", "BlackRating", "WhiteEstimatedElo", "BlackDWZ"] {
                assert_eq!(is_refused(name, value), is_raw, "{name}: {value}");
            }
        }
        for [value, kind] in rows(include_str!("../../../tests/vectors/timecontrol.tsv")) {
            let is_raw = kind.starts_with("minutes form");
            assert_eq!(is_refused("TimeControl", value), is_raw, "{value}");
        }
    }

    #[test]
    fn what_is_certainly_none_is_refused() {
        for (name, value) in [
            ("Result", "win"),
            ("Result", "2-0"),
            ("Date", "foo"),
            ("Date", "2024.13.01"),
            ("WhiteElo", "abc"),
            ("BlackElo", "-5"),
            ("ECO", "Z99"),
            ("ECO", "Sicilian"),
            ("TimeControl", "fast"),
            ("PlyCount", "many"),
            ("PlyCount", "-1"),
            ("WhiteFideId", "carlsen"),
            ("UTCTime", "25:00:00"),
            ("Time", "noon"),
            ("Time", "12"),
            ("WhiteRatingDiff", "x"),
        ] {
            assert!(is_refused(name, value), "{name}={value}");
            // An example that is given is none of these.
            let expected = expected_instead(name, value, false).unwrap_or_default();
            let examples = expected
                .rsplit_once("such as ")
                .or(expected.rsplit_once(": "));
            let examples = examples.map_or("", |(_, examples)| examples);
            for example in examples.replace(" or ", ", ").split(", ") {
                let example = example.split(" for ").next().unwrap_or_default();
                assert!(!is_refused(name, example), "{name}={example}");
            }
        }
        assert!(expected_instead("Result", "win", true).is_some());
    }

    #[test]
    fn any_text_may_stand_elsewhere() {
        for (name, value) in [
            ("Round", "final"),
            ("Termination", "lost on time"),
            ("WhiteEloType", "provisional"),
            ("WhiteRatingDiff", "+12"),
            ("WhiteRatingDiff", "-3"),
            ("Annotator", "2-0"),
            ("Date", "????.??.??"),
            ("Date", ""),
            ("WhiteElo", "-"),
            ("ECO", "?"),
            ("UTCTime", "18:30:05"),
            ("Time", "6:30 PM"),
            ("EndTime", "14:02:11 GMT+0000"),
            ("StartTime", "??:??:??"),
            ("WhiteFideId", "0"),
        ] {
            assert!(!is_refused(name, value), "{name}={value}");
        }
    }
}
