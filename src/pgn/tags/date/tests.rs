use super::*;
use crate::pgn::tags::rows;

impl DateRange {
    /// The test that [`PackedRange`] makes on numbers, made on dates.
    fn contains(self, date: PgnDate) -> bool {
        if self == Self::default() {
            return true;
        }
        date.year != 0
            && (self.from.year == 0 || date.last_day() >= self.from.first_day())
            && (self.to.year == 0 || date.first_day() <= self.to.last_day())
    }
}

fn date(text: &str) -> PgnDate {
    parse(text.as_bytes()).0
}

#[test]
fn vectors() {
    for [input, iso, precision] in rows(include_str!("../../../../tests/vectors/dates.tsv")) {
        let (date, finding) = parse(input.as_bytes());
        assert_eq!(date.iso_prefix(), iso, "{input}");
        let word = match date {
            PgnDate { year: 0, .. } => "unknown",
            PgnDate { month: 0, .. } => "year",
            PgnDate { day: 0, .. } => "month",
            _ => "day",
        };
        assert!(precision.starts_with(word), "{input}: {word}");
        let noted = precision.contains("warn") || precision.contains("ambiguous");
        assert_eq!(finding.is_some(), noted, "{input}");
        assert_eq!(PgnDate::from_packed(date.to_packed()), date, "{input}");
        assert_eq!(parse(date.pgn_text().as_bytes()), (date, None), "{input}");
    }
}

#[test]
fn more_spellings() {
    for (input, canonical, noted) in [
        ("05.06.2026", "2026.06.05", false),
        ("05/05/2026", "2026.05.05", false),
        ("11.20.2026", "2026.11.20", false),
        ("??.11.2026", "2026.11.??", false),
        ("??/11/2026", "2026.??.??", true),
        ("13/14/2026", "2026.??.??", true),
        ("2026.11.20.", "2026.11.20", false),
        ("2026-11-20T18:30:00Z", "2026.11.20", true),
        ("????.11.20", "????.??.??", true),
        ("20.11.98", "????.??.??", true),
        ("Easter 1911", "????.??.??", true),
        ("1900.02.29", "1900.02.??", true),
        ("2000.02.29", "2000.02.29", false),
        ("202611", "????.??.??", true),
        ("\u{bd}", "????.??.??", true),
    ] {
        let (date, finding) = parse(input.as_bytes());
        assert_eq!(date.pgn_text(), canonical, "{input}");
        assert_eq!(finding.is_some(), noted, "{input}");
    }
}

#[test]
fn ranges_take_partial_dates_whole() {
    let range = DateRange {
        from: date("1999.05"),
        to: date("2000"),
    };
    for (text, inside) in [
        ("1999.05.01", true),
        ("1999.04.30", false),
        ("1999.05.??", true),
        ("1999.04.??", false),
        ("1999.??.??", true),
        ("2000.12.31", true),
        ("2001.??.??", false),
        ("1998", false),
        ("?", false),
    ] {
        assert_eq!(range.contains(date(text)), inside, "{text}");
    }
    assert!(DateRange::default().contains(PgnDate::UNKNOWN));
    assert!(
        !DateRange {
            to: date("2000"),
            ..DateRange::default()
        }
        .contains(date("?"))
    );
}

#[test]
fn packed_ranges_agree_with_dates() {
    let texts = [
        "?",
        "1998",
        "1999",
        "1999.02",
        "1999.02.28",
        "1999.03.01",
        "1999.12",
        "2000",
    ];
    for from in texts.map(date) {
        for to in texts.map(date) {
            let range = DateRange { from, to };
            for game in texts.map(date) {
                assert_eq!(
                    range.packed().contains(game.to_packed()),
                    range.contains(game),
                    "{range:?} {game:?}"
                );
            }
        }
    }
}

#[test]
fn unsound_numbers_are_unknown() {
    for packed in [1, 1120, 20_261_399, 20_260_015, 20_260_230, u32::MAX] {
        assert_eq!(PgnDate::from_packed(packed), PgnDate::UNKNOWN, "{packed}");
    }
}
