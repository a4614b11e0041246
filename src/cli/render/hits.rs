//! The table of games found.

use std::borrow::Cow;
use std::io::{self, Write};

use super::number::{count, date, first_move, known, move_number};
use super::table::{Cell, Column, Table};
use crate::base::record::GameId;
use crate::cli::terminal::{DIM, STRONG, TerminalInfo};
use crate::database::Hit;

/// Games below each other; the first are known before any is drawn.
#[derive(Debug)]
pub struct HitTable {
    table: Table,
}

impl HitTable {
    /// Draws a table of these games. Where further ones may follow, the columns have
    /// room for them; `last_game` is the greatest number that can come.
    pub fn begin(
        out: &mut dyn Write,
        screen: &TerminalInfo,
        hits: &[Hit],
        last_game: Option<GameId>,
    ) -> io::Result<Self> {
        let problems = !hits.is_empty() && hits.iter().all(|hit| hit.header.problem.is_some());
        let has_place = hits.iter().any(|hit| hit.ply.is_some());
        let [white, black, event] = if problems {
            ["Composer", "Stipulation", "Source"]
        } else {
            ["White", "Black", "Event"]
        };
        let room = |columns| if last_game.is_some() { columns } else { 0 };
        let digits = last_game.map_or(0, |game| game.to_string().len());
        let place = |columns| if has_place { room(columns) } else { 0 };
        let table = Table::new([
            Column::right("Game").at_least(digits),
            Column::left(white).shrinks_to(12).at_least(room(12)),
            Column::right("Elo").at_least(room(4)),
            Column::left(black)
                .shrinks_to(if problems { 6 } else { 12 })
                .at_least(room(12)),
            Column::right("Elo").at_least(room(4)),
            Column::left("Result").at_least(if problems { 0 } else { room(7) }),
            Column::left("Date").at_least(room(10)),
            Column::left("ECO").drops(3).at_least(room(3)),
            Column::left("Opening").shrinks_to(48).drops(0),
            Column::left(event)
                .shrinks_to(8)
                .drops(if problems { 4 } else { 1 })
                .at_least(room(8)),
            Column::right("Plies").drops(2).at_least(room(3)),
            Column::right("At").at_least(place(6)),
            Column::left("Next").at_least(place(7)),
            Column::right("Alike"),
        ]);
        let mut drawn = Self { table };
        for hit in hits {
            drawn.table.row(Self::cells(screen, hit));
        }
        drawn.table.write(out, screen)?;
        Ok(drawn)
    }

    /// Draws one more game.
    pub fn go_on(&self, out: &mut dyn Write, screen: &TerminalInfo, hit: &Hit) -> io::Result<()> {
        self.table.go_on(out, screen, Self::cells(screen, hit))
    }

    fn cells(screen: &TerminalInfo, hit: &Hit) -> Vec<Cell> {
        let header = &hit.header;
        let elo = |elo: Option<u16>| {
            Cell::styled(elo.map_or_else(String::new, |elo| elo.to_string()), DIM)
        };
        let (at, next) = place(hit);
        let opening = header.opening.as_ref();
        let (white, black, event) = players(hit);
        vec![
            header.id.to_string().into(),
            screen.safe(&white).into(),
            elo(header.white_elo),
            screen.safe(black).into(),
            elo(header.black_elo),
            if header.problem.is_some() {
                Cell::from("")
            } else {
                outcome(screen, &header.result, &header.result_written).into()
            },
            screen.safe(date(&header.date)).into(),
            opening.map_or_else(Cell::default, |found| screen.safe(&found.eco).into()),
            opening.map_or_else(Cell::default, |found| screen.safe(&found.name).into()),
            screen.safe(event).into(),
            header.plies.to_string().into(),
            Cell::styled(at, DIM),
            Cell::styled(next, STRONG),
            hit.similarity
                .map_or_else(String::new, |share| format!("{:.0}%", 100.0 * share))
                .into(),
        ]
    }
}

/// Who played, and where. A position has no players: its name stands in their place.
fn players(hit: &Hit) -> (Cow<'_, str>, &str, &str) {
    let header = &hit.header;
    match &header.problem {
        Some(problem) => (
            problem.authors.join(" & ").into(),
            problem.stipulation.as_str(),
            known(&header.event),
        ),
        None if header.is_record() => (Cow::Borrowed(name(hit)), known(&header.black), ""),
        None => {
            let [white, black, event] =
                [&header.white, &header.black, &header.event].map(|text| known(text));
            (white.into(), black, event)
        }
    }
}

/// A hit in three lines: the game, where it was played and how it ended, where it was found.
pub fn caption(screen: &TerminalInfo, hit: &Hit) -> [String; 3] {
    let joined = |parts: &[&str], between: &str| {
        let parts = parts.iter().filter(|part| !part.is_empty());
        parts.copied().collect::<Vec<_>>().join(between)
    };
    let header = &hit.header;
    let (white, black, event) = players(hit);
    let result = if header.problem.is_some() {
        String::new()
    } else {
        outcome(screen, &header.result, &header.result_written)
    };
    let (at, next) = place(hit);
    [
        format!("{} {}", header.id, joined(&[&white, black], " - ")),
        joined(&[event, date(&header.date), &result], ", "),
        joined(&[&at, &next], " "),
    ]
}

/// What a record is called, or where it stands.
fn name(hit: &Hit) -> &str {
    match known(&hit.header.event) {
        "" => hit.place.as_deref().unwrap_or_default(),
        event => event,
    }
}

/// A result, as short as it is known, and how it was written where that is otherwise.
#[must_use]
pub fn outcome(screen: &TerminalInfo, result: &str, written: &str) -> String {
    let short = match result {
        "1/2-1/2" if screen.unicode => "½-½",
        result => result,
    };
    if written == result || written.is_empty() {
        return short.to_owned();
    }
    format!("{short} ({written})")
}

/// When the position is first on the board, and what was played there.
fn place(hit: &Hit) -> (String, String) {
    let Some(ply) = hit.ply else {
        return Default::default();
    };
    let at = move_number(first_move(hit.header.start_fen.as_deref()), ply);
    let mut next = hit.next_move.clone().unwrap_or_else(|| "(ends)".to_owned());
    if let Some(variation) = &hit.variation {
        next = format!("{next} at {variation}/{ply}");
    }
    (at, next)
}

/// Which of how many are shown, and how to see more.
#[must_use]
pub fn page(screen: &TerminalInfo, total: u64, offset: u64, shown: u64) -> String {
    let games = if total == 1 { "game" } else { "games" };
    if total == 0 {
        return "no games found".to_owned();
    }
    if shown == 0 {
        return format!("--offset {offset} leaves none of {} {games}", count(total));
    }
    let last = offset + shown;
    let text = format!(
        "{}{}{} of {} {games}",
        count(offset + 1),
        screen.dash(),
        count(last),
        count(total)
    );
    if last < total {
        return format!("{text}; more with --offset {last}, all with --limit 0");
    }
    text
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::base::record::{GameHeader, OpeningName};
    use crate::games::symmetry::Symmetry;

    pub(in crate::modules::cli::render) fn found() -> [Hit; 2] {
        let first = Hit {
            place: None,
            header: GameHeader {
                id: 1042,
                white: "Carlsen, Magnus".into(),
                black: "Nakamura, Hikaru".into(),
                white_elo: Some(2850),
                black_elo: Some(2775),
                event: "Sinquefield Cup 2014".into(),
                date: "2014.08.??".into(),
                result: "1/2-1/2".into(),
                opening: Some(OpeningName {
                    eco: "B90".into(),
                    name: "Sicilian Defense: Najdorf Variation, English Attack, Anti-English"
                        .into(),
                }),
                plies: 122,
                ..GameHeader::default()
            },
            ply: Some(10),
            next_move: Some("Be3".into()),
            plies_found: Vec::new(),
            similarity: None,
            in_variation: false,
            variation: None,
            symmetry: Symmetry::None,
            moved: crate::games::symmetry::BoardShift::NOT,
        };
        let second = Hit {
            place: None,
            header: GameHeader {
                id: 7,
                white: "Evil\u{1b}[2J".into(),
                black: "?".into(),
                result: "*".into(),
                date: "????.??.??".into(),
                plies: 11,
                start_fen: Some("4k3/8/8/8/8/8/8/4K3 b - - 0 30".into()),
                ..GameHeader::default()
            },
            ply: Some(2),
            next_move: None,
            plies_found: Vec::new(),
            similarity: None,
            in_variation: true,
            variation: Some("5.1".into()),
            symmetry: Symmetry::None,
            moved: crate::games::symmetry::BoardShift::NOT,
        };
        [first, second]
    }

    fn draw(found: &[Hit], screen: &TerminalInfo) -> String {
        let mut out = Vec::new();
        HitTable::begin(&mut out, screen, found, None).expect("a vector takes everything");
        String::from_utf8(out).expect("tables are text")
    }

    #[test]
    fn hits_with_a_position() {
        insta::assert_snapshot!(draw(&found(), &TerminalInfo::plain(140)), @r"
        Game  White             Elo  Black              Elo  Result  Date     ECO  Event                 Plies     At  Next
        1042  Carlsen, Magnus  2850  Nakamura, Hikaru  2775  ½-½     2014.08  B90  Sinquefield Cup 2014    122     6.  Be3
           7  Evil\u{1b}[2J                                  *                                              11  31...  (ends) at 5.1/2
        ");
    }

    #[test]
    fn hits_without_a_position_on_a_narrow_ascii_screen() {
        let mut found = found();
        for hit in &mut found {
            (hit.ply, hit.next_move, hit.in_variation) = (None, None, false);
        }
        let screen = TerminalInfo {
            unicode: false,
            ..TerminalInfo::plain(80)
        };
        insta::assert_snapshot!(draw(&found, &screen), @r"
        Game  White             Elo  Black             Elo  Result   Date     ECO  Plies
        1042  Carlsen, Magnus  2850  Nakamura, Hika~  2775  1/2-1/2  2014.08  B90    122
           7  Evil\u{1b}[2J                                 *                         11
        ");
    }

    #[test]
    fn eighty_columns_are_enough_for_a_position() {
        let screen = TerminalInfo::plain(80);
        insta::assert_snapshot!(draw(&found(), &screen), @r"
        Game  White          Elo  Black          Elo  Result  Date        At  Next
        1042  Carlsen, Ma…  2850  Nakamura, H…  2775  ½-½     2014.08     6.  Be3
           7  Evil\u{1b}[…                            *                31...  (ends) at 5.1/2
        ");
    }

    #[test]
    fn the_page_is_told() {
        let page = |offset, shown| page(&TerminalInfo::plain(80), 11_479, offset, shown);
        assert_eq!(
            page(0, 2),
            "1–2 of 11,479 games; more with --offset 2, all with --limit 0"
        );
        assert_eq!(page(11_477, 2), "11,478–11,479 of 11,479 games");
        assert_eq!(
            page(11_477, 0),
            "--offset 11477 leaves none of 11,479 games"
        );
        assert_eq!(
            super::page(&TerminalInfo::plain(80), 0, 3, 0),
            "no games found"
        );
    }

    #[test]
    fn rows_that_come_later_have_room() {
        let screen = TerminalInfo::plain(100);
        let [first, second] = found();
        let mut out = Vec::new();
        let sample = [second];
        let table = HitTable::begin(&mut out, &screen, &sample, Some(123_456)).expect("a vector");
        for id in [1042, 123_456] {
            let mut hit = first.clone();
            hit.header.id = id;
            table.go_on(&mut out, &screen, &hit).expect("a vector");
        }
        insta::assert_snapshot!(String::from_utf8(out).expect("tables are text"), @r"
          Game  White           Elo  Black          Elo  Result   Date        ECO      At  Next
             7  Evil\u{1b}[2J                            *                          31...  (ends) at 5.1/2
          1042  Carlsen, Mag…  2850  Nakamura, H…  2775  ½-½      2014.08     B90      6.  Be3
        123456  Carlsen, Mag…  2850  Nakamura, H…  2775  ½-½      2014.08     B90      6.  Be3
        ");
    }

    #[test]
    fn names_of_openings_stand_where_there_is_room() {
        let drawn = draw(&found(), &TerminalInfo::plain(200));
        let named = "2014.08  B90  Sicilian Defense: Najdorf Variation, English Attack, Anti-English  Sinquefield";
        assert!(drawn.contains(named), "{drawn}");
        let narrow = draw(&found(), &TerminalInfo::plain(150));
        assert!(narrow.contains("2014.08  B90  Sinquefield"), "{narrow}");
    }
}
