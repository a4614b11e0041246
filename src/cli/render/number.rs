//! Numbers and the small facts of a game as people read them.

use std::time::Duration;

/// A count with thousands set apart: `279,090`.
pub fn count(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// A count with the word that fits it: `1 game`, `2 games`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A size in decimal units: `110.2 MB`.
pub fn bytes(number: u64) -> String {
    let mut size = number as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        // 999.95 would be rounded to 1000.0.
        if size < 999.95 {
            let digits = usize::from(unit != "B");
            return format!("{size:.digits$} {unit}");
        }
        size /= 1000.0;
    }
    format!("{size:.1} TB")
}

/// A share in percent: `45.1%`, `<0.1%`; nothing of nothing is empty.
pub fn percent(part: u64, whole: u64, digits: usize) -> String {
    if whole == 0 {
        return String::new();
    }
    share(part as f64 / whole as f64, digits)
}

/// A share from 0 to 1 as a percentage.
pub fn share(share: f64, digits: usize) -> String {
    let share = 100.0 * share;
    // What exists at all is not nothing.
    let least = 0.1_f64.powi(digits as i32);
    if share > 0.0 && share < least / 2.0 {
        return format!("<{least:.digits$}%");
    }
    format!("{share:.digits$}%")
}

/// A span of time: `0.4 s`, `12 s`, `3 min 20 s`, `1 h 02 min`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// The number before a move: `12.` for White, `12...` for Black, where the
/// game starts with `first_move` (its number, and whether Black moves).
pub fn move_number(first_move: (u32, bool), ply: u32) -> String {
    let (first, black_first) = first_move;
    let half = u64::from(ply) + u64::from(black_first);
    let number = u64::from(first) + half / 2;
    if half % 2 == 0 {
        format!("{number}.")
    } else {
        format!("{number}...")
    }
}

/// The first move's number and whether Black makes it, from the FEN of a
/// start position; none is the usual one.
pub fn first_move(start_fen: Option<&str>) -> (u32, bool) {
    let Some(fen) = start_fen else {
        return (1, false);
    };
    let mut fields = fen.split_whitespace().skip(1);
    let black = fields.next() == Some("b");
    let number = fields
        .nth(3)
        .and_then(|number| number.parse().ok())
        .unwrap_or(1);
    (number.max(1), black)
}

/// A date without its unknown parts: `2011.??.??` is `2011`.
pub fn date(text: &str) -> &str {
    let known = text.trim_end_matches(['?', '.', '-']);
    if known.starts_with('?') { "" } else { known }
}

/// A tag value, or nothing where it says that it is not known.
pub fn known(text: &str) -> &str {
    if matches!(text.trim(), "?" | "-" | "??") {
        ""
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_sizes_times() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(23_256_520), "23,256,520");
        assert_eq!(counted(1, "game", "games"), "1 game");
        assert_eq!(bytes(812), "812 B");
        assert_eq!(bytes(999_960), "1.0 MB");
        assert_eq!(bytes(110_234_000), "110.2 MB");
        assert_eq!(percent(1, 3, 1), "33.3%");
        assert_eq!(percent(0, 0, 1), "");
        assert_eq!(percent(0, 9, 1), "0.0%");
        assert_eq!(percent(1, 9999, 1), "<0.1%");
        assert_eq!(percent(1, 9999, 0), "<1%");
        assert_eq!(duration(Duration::from_millis(420)), "0.4 s");
        assert_eq!(duration(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(duration(Duration::from_secs(3725)), "1 h 02 min");
    }

    #[test]
    fn move_numbers_follow_the_start_position() {
        assert_eq!(move_number((1, false), 0), "1.");
        assert_eq!(move_number((1, false), 23), "12...");
        assert_eq!(move_number((30, true), 0), "30...");
        assert_eq!(move_number((30, true), 1), "31.");
        assert_eq!(first_move(None), (1, false));
        assert_eq!(first_move(Some("8/8/8/8/8/8/8/8 b - - 3 30")), (30, true));
        assert_eq!(first_move(Some("8/8/8/8/8/8/8/8 w")), (1, false));
    }

    #[test]
    fn dates_lose_what_is_not_known() {
        assert_eq!(date("2011.03.??"), "2011.03");
        assert_eq!(date("????.??.??"), "");
        assert_eq!(date("2011.03.05"), "2011.03.05");
        assert_eq!(known("?"), "");
    }
}
