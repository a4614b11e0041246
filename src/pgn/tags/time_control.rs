//! The `TimeControl` tag (PGN 9.6.1) and the forms people write instead.
//!
//! A control is a chain of periods: `40/7200:20/3600:900+30`. A period
//! without a number of moves lasts to the end of the game; the last period
//! repeats. Numbers are seconds; minutes are recognised by their unit, and
//! suspected where seconds would be absurd.

/// One period of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    /// Moves to be made in it; `None`: the rest of the game.
    pub moves: Option<u32>,
    /// Thinking time of each side, in seconds.
    pub seconds: u32,
    /// Seconds added for each move.
    pub increment: u32,
}

/// What kind of time control it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeControlKind {
    /// Not given, or not understood.
    Unknown,
    /// Without a clock (`-`).
    Untimed,
    /// A chain of [`Period`]s.
    Periods,
    /// An hour-glass (`*180`): what one side uses, the other gains.
    Sandclock,
}

/// How fast a game is, by the time for 40 moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SpeedClass {
    /// Below 30 seconds.
    UltraBullet,
    /// Below 180 seconds.
    Bullet,
    /// Below 480 seconds.
    Blitz,
    /// Below 1500 seconds.
    Rapid,
    /// Longer than that, over the board.
    Classical,
    /// Half a day or more for each move.
    Correspondence,
}

/// A time control as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// What kind it is.
    pub kind: TimeControlKind,
    /// Its periods, in order; one for a sandclock, none where there is no clock.
    pub periods: Vec<Period>,
    /// The writer seems to have meant minutes where the standard asks for
    /// seconds: take the class with a grain of salt.
    pub suspicious: bool,
}

impl TimeControl {
    /// The seconds that are added for a move, by its number from 1: those of its period; 0 where they
    /// are not known.
    pub fn increment_at(&self, number: u32) -> u32 {
        let mut left = number;
        let period = self.periods.iter().find(|period| match period.moves {
            Some(moves) if left > moves => {
                left -= moves;
                false
            }
            _ => true,
        });
        period
            .or(self.periods.last())
            .map_or(0, |period| period.increment)
    }
}

/// Seconds for one move from which a game counts as correspondence.
const CORRESPONDENCE_SECONDS: u64 = 12 * 60 * 60;

/// Periods of one control; more is not a time control but a joke.
const PERIODS_MAX: usize = 16;

/// Reads the value of a `TimeControl` tag.
///
/// ```
/// use plydex::pgn::tags::time_control::{self, SpeedClass};
/// let control = time_control::parse(b"180+2");
/// assert_eq!((control.periods[0].seconds, control.periods[0].increment), (180, 2));
/// assert_eq!(control.class(), Some(SpeedClass::Blitz));
/// ```
pub fn parse(value: &[u8]) -> TimeControl {
    let value = String::from_utf8_lossy(value.trim_ascii());
    match value.as_ref() {
        "" | "?" => TimeControl::UNKNOWN,
        "-" => TimeControl {
            kind: TimeControlKind::Untimed,
            ..TimeControl::UNKNOWN
        },
        text => parse_standard(text)
            .or_else(|| parse_human(text))
            .unwrap_or(TimeControl::UNKNOWN),
    }
}

fn parse_standard(text: &str) -> Option<TimeControl> {
    if let Some(seconds) = text.strip_prefix('*') {
        return Some(TimeControl {
            kind: TimeControlKind::Sandclock,
            ..TimeControl::one(None, number(seconds)?, 0)
        });
    }
    if text.split(':').count() > PERIODS_MAX {
        return None;
    }
    let periods = text
        .split(':')
        .map(parse_period)
        .collect::<Option<Vec<_>>>()?;
    // `40/100+30:50+30:15+30` is how federations print minutes. No game has 2 seconds for a move
    // and then half a minute on top of it.
    let in_minutes = periods.iter().all(|period| period.seconds <= 180)
        && periods.iter().any(|period| period.increment >= 10)
        && (periods.len() > 1 || periods.iter().any(|period| period.moves.is_some()));
    if in_minutes {
        return Some(TimeControl {
            suspicious: true,
            ..TimeControl::UNKNOWN
        });
    }
    let suspicious = matches!(
        periods[..],
        [Period {
            moves: None,
            seconds: 1..30,
            increment: 1..
        }]
    );
    Some(TimeControl {
        kind: TimeControlKind::Periods,
        periods,
        suspicious,
    })
}

fn parse_period(text: &str) -> Option<Period> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(number(moves)?).filter(|&moves| moves > 0), time),
        None => (None, text),
    };
    let (seconds, increment) = match time.split_once('+') {
        Some((seconds, increment)) => (number(seconds)?, number(increment)?),
        None => (number(time)?, 0),
    };
    Some(Period {
        moves,
        seconds,
        increment,
    })
}

/// `90'+30"`, `90 min`, `15m + 10s`, `G/60`, `G/90;d5`, `3 days/move`.
fn parse_human(text: &str) -> Option<TimeControl> {
    let text = text.to_ascii_lowercase();
    if let Some(rest) = text.strip_prefix("g/") {
        // USCF: game in that many minutes, delay or increment in seconds.
        let (minutes, extra) = rest.split_once([';', '+', ' ']).unwrap_or((rest, ""));
        let extra = extra.trim().trim_start_matches(['d', '+', 'i', 'n', 'c']);
        let increment = if extra.is_empty() { 0 } else { number(extra)? };
        let seconds = number(minutes)?.checked_mul(60)?;
        return Some(TimeControl::one(None, seconds, increment));
    }
    if let Some(days) = ["/move", " per move"]
        .iter()
        .find_map(|end| text.strip_suffix(end))
    {
        return Some(TimeControl::one(Some(1), duration(days)?, 0));
    }
    let (base, increment) = text.split_once('+').unwrap_or((&text, ""));
    let increment = increment.trim();
    let increment = match increment {
        "" => 0,
        _ => number(increment).or_else(|| duration(increment))?,
    };
    Some(TimeControl::one(None, duration(base)?, increment))
}

/// A number with a unit, in seconds.
fn duration(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let unit = match text[digits..].trim().trim_end_matches('.') {
        "\"" | "''" | "\u{2033}" | "\u{201d}" | "s" | "sec" | "secs" | "second" | "seconds" => 1,
        "'" | "\u{2032}" | "\u{2019}" | "m" | "min" | "mins" | "minute" | "minutes" => 60,
        "h" | "hr" | "hour" | "hours" => 60 * 60,
        "d" | "day" | "days" => 24 * 60 * 60,
        _ => return None,
    };
    number(&text[..digits])?.checked_mul(unit)
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    // `parse` alone would let a sign pass.
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

impl TimeControl {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        kind: TimeControlKind::Unknown,
        periods: Vec::new(),
        suspicious: false,
    };

    /// A single period.
    fn one(moves: Option<u32>, seconds: u32, increment: u32) -> Self {
        Self {
            kind: TimeControlKind::Periods,
            periods: vec![Period {
                moves,
                seconds,
                increment,
            }],
            suspicious: false,
        }
    }

    /// Seconds that one side has for a game of 40 moves; `None` where there is
    /// no clock or the control is not known.
    fn estimated_seconds(&self) -> Option<u64> {
        const MOVES: u64 = 40;
        let last = self.periods.last()?;
        let mut left = MOVES;
        let mut seconds = 0;
        // The last period repeats, if it ends at all.
        for period in self.periods.iter().chain(std::iter::repeat(last)) {
            let moves = period.moves.map_or(left, u64::from).max(1);
            let time = u64::from(period.seconds);
            let increment = u64::from(period.increment);
            if moves > left {
                return Some(seconds + (time * left).div_ceil(moves) + increment * left);
            }
            seconds += time + increment * moves;
            left -= moves;
            if left == 0 {
                return Some(seconds);
            }
        }
        None
    }

    /// How fast the game is; `None` where that cannot be determined.
    pub fn class(&self) -> Option<SpeedClass> {
        let estimate = self.estimated_seconds()?;
        let by_move = self.periods.first().is_some_and(|period| {
            let moves = period.moves.map_or(u64::MAX, u64::from);
            u64::from(period.seconds) / moves >= CORRESPONDENCE_SECONDS
        });
        Some(match estimate {
            _ if by_move => SpeedClass::Correspondence,
            0..30 => SpeedClass::UltraBullet,
            30..180 => SpeedClass::Bullet,
            180..480 => SpeedClass::Blitz,
            480..1500 => SpeedClass::Rapid,
            _ => SpeedClass::Classical,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::pgn::tags::rows;

    fn periods_text(control: &TimeControl) -> String {
        let mut text = String::new();
        for (place, period) in control.periods.iter().enumerate() {
            if place > 0 {
                text.push_str(" then ");
            }
            if let Some(moves) = period.moves {
                let _ = write!(text, "{moves}/");
            }
            let _ = write!(text, "{}", period.seconds);
            if control.periods.len() > 1 && period.increment > 0 {
                let _ = write!(text, "+{}", period.increment);
            }
        }
        text
    }

    #[test]
    fn vectors() {
        for [input, kind, periods, increment] in
            rows(include_str!("../../../tests/vectors/timecontrol.tsv"))
        {
            let control = parse(input.as_bytes());
            let expected = match kind {
                "unknown" => TimeControlKind::Unknown,
                kind if kind.starts_with("minutes form") => TimeControlKind::Unknown,
                "untimed" => TimeControlKind::Untimed,
                "sandclock" => TimeControlKind::Sandclock,
                _ => TimeControlKind::Periods,
            };
            assert_eq!(control.kind, expected, "{input}");
            assert_eq!(periods_text(&control), periods, "{input}");
            if !increment.is_empty() {
                assert_eq!(
                    control.periods[0].increment.to_string(),
                    increment,
                    "{input}"
                );
            }
            let suspicious = kind.contains("suspicious") || kind.contains("minutes form");
            assert_eq!(control.suspicious, suspicious, "{input}");
        }
    }

    #[test]
    fn classes() {
        for (input, class) in [
            ("15", Some(SpeedClass::UltraBullet)),
            ("29", Some(SpeedClass::UltraBullet)),
            ("30", Some(SpeedClass::Bullet)),
            ("0+1", Some(SpeedClass::Bullet)),
            ("60+0", Some(SpeedClass::Bullet)),
            ("120+1", Some(SpeedClass::Bullet)),
            ("180+0", Some(SpeedClass::Blitz)),
            ("300+3", Some(SpeedClass::Blitz)),
            ("300+5", Some(SpeedClass::Rapid)),
            ("600", Some(SpeedClass::Rapid)),
            ("900+15", Some(SpeedClass::Classical)),
            ("40/240", Some(SpeedClass::Blitz)),
            ("20/60", Some(SpeedClass::Bullet)),
            ("40/7200:20/3600:900+30", Some(SpeedClass::Classical)),
            ("1/86400", Some(SpeedClass::Correspondence)),
            ("10/2592000", Some(SpeedClass::Correspondence)),
            ("3 days/move", Some(SpeedClass::Correspondence)),
            ("15m + 10s", Some(SpeedClass::Rapid)),
            ("G/5;d2", Some(SpeedClass::Blitz)),
            ("*180", Some(SpeedClass::Blitz)),
            ("2 h", Some(SpeedClass::Classical)),
            ("-", None),
            ("?", None),
            ("fast", None),
            ("99999999999", None),
            ("40/", None),
            ("+5", None),
        ] {
            assert_eq!(parse(input.as_bytes()).class(), class, "{input}");
        }
    }

    #[test]
    fn endless_chains_are_refused() {
        let chain = vec!["1/1"; PERIODS_MAX + 1].join(":");
        assert_eq!(parse(chain.as_bytes()), TimeControl::UNKNOWN);
        assert_eq!(parse(b"\xFF\xFE"), TimeControl::UNKNOWN);
    }
}
