//! The table of games found.

use std::io::{self, Write};

use super::number::{count, date, first_move, known, move_number};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, STRONG, Screen};
use crate::record::GameHeader;
use crate::search::{Found, Hit};

/// Draws the games of one page.
pub fn write(out: &mut dyn Write, screen: &Screen, found: &Found) -> io::Result<()> {
    // Problems among games stand as these do: the composer as White, what is asked
    // as Black.
    let problems = !found.hits.is_empty() && found.hits.iter().all(|hit| hit.header.is_problem);
    let [white, black, event] = if problems {
        ["Composer", "Asked", "Source"]
    } else {
        ["White", "Black", "Event"]
    };
    let mut table = Table::new([
        Column::right("Game"),
        Column::left(white).shrinks_to(12),
        Column::right("Elo"),
        Column::left(black).shrinks_to(if problems { 6 } else { 12 }),
        Column::right("Elo"),
        Column::left("Result"),
        Column::left("Date"),
        Column::left("ECO").drops(2),
        Column::left(event)
            .shrinks_to(8)
            .drops(if problems { 3 } else { 0 }),
        Column::right("Plies").drops(1),
        Column::right("At"),
        Column::left("Next"),
    ]);
    for hit in &found.hits {
        let header = &hit.header;
        let elo = |elo: Option<u16>| {
            Cell::styled(elo.map_or_else(String::new, |elo| elo.to_string()), DIM)
        };
        let (at, next) = place(hit);
        // A position has no players; its name stands in their place.
        let (white, event) = if header.is_record() {
            (name(hit).into(), "")
        } else {
            (composers(header), known(&header.event))
        };
        table.row(vec![
            header.id.to_string().into(),
            screen.safe(&white).into(),
            elo(header.white_elo),
            screen.safe(known(&header.black)).into(),
            elo(header.black_elo),
            if problems {
                Cell::from("")
            } else {
                result(screen, &header.result).into()
            },
            screen.safe(date(&header.date)).into(),
            screen.safe(known(&header.eco)).into(),
            screen.safe(event).into(),
            header.plies.to_string().into(),
            Cell::styled(at, DIM),
            Cell::styled(next, STRONG),
        ]);
    }
    table.write(out, screen)
}

/// White's name; the composers of a problem.
fn composers(header: &GameHeader) -> std::borrow::Cow<'_, str> {
    let name = known(&header.white);
    if header.is_problem {
        name.replace(':', " & ").into()
    } else {
        name.into()
    }
}

/// What a record is called, or where it stands.
fn name(hit: &Hit) -> &str {
    match known(&hit.header.event) {
        "" => hit.place.as_deref().unwrap_or_default(),
        event => event,
    }
}

/// A result, as short as it is known.
#[must_use]
pub fn result(screen: &Screen, result: &str) -> String {
    match result {
        "1/2-1/2" if screen.unicode => "½-½".to_owned(),
        result => result.to_owned(),
    }
}

/// When the position is first on the board, and what was played there.
fn place(hit: &Hit) -> (String, String) {
    let Some(ply) = hit.ply else {
        return Default::default();
    };
    let at = move_number(first_move(hit.header.start_fen.as_deref()), ply);
    let mut next = hit.next_move.clone().unwrap_or_else(|| "(ends)".to_owned());
    if hit.in_variation {
        next += " (var.)";
    }
    (at, next)
}

/// Which of how many are shown, and how to see more.
#[must_use]
pub fn page(screen: &Screen, found: &Found) -> String {
    let shown = found.hits.len() as u64;
    let games = if found.total == 1 { "game" } else { "games" };
    if found.total == 0 {
        return "no games found".to_owned();
    }
    if shown == 0 {
        return format!(
            "nothing left after --offset {} of {} {games}",
            found.offset,
            count(found.total)
        );
    }
    let last = found.offset + shown;
    let text = format!(
        "{}{}{} of {} {games}",
        count(found.offset + 1),
        screen.dash(),
        count(last),
        count(found.total)
    );
    if last < found.total {
        return format!("{text}; more with --offset {last}, all with --limit 0");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Symmetry;
    use crate::record::GameHeader;

    fn found() -> Found {
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
                eco: "B90".into(),
                plies: 122,
                ..GameHeader::default()
            },
            ply: Some(10),
            next_move: Some("Be3".into()),
            in_variation: false,
            symmetry: Symmetry::None,
            moved: crate::position::Moved::NOT,
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
            in_variation: true,
            symmetry: Symmetry::None,
            moved: crate::position::Moved::NOT,
        };
        Found {
            total: 11_479,
            offset: 0,
            hits: vec![first, second],
        }
    }

    fn draw(found: &Found, screen: &Screen) -> String {
        let mut out = Vec::new();
        write(&mut out, screen, found).expect("a vector takes everything");
        String::from_utf8(out).expect("tables are text")
    }

    #[test]
    fn hits_with_a_position() {
        insta::assert_snapshot!(draw(&found(), &Screen::plain(140)), @r"
        Game  White             Elo  Black              Elo  Result  Date     ECO  Event                 Plies     At  Next
        1042  Carlsen, Magnus  2850  Nakamura, Hikaru  2775  ½-½     2014.08  B90  Sinquefield Cup 2014    122     6.  Be3
           7  Evil\u{1b}[2J                                  *                                              11  31...  (ends) (var.)
        ");
    }

    #[test]
    fn hits_without_a_position_on_a_narrow_ascii_screen() {
        let mut found = found();
        for hit in &mut found.hits {
            (hit.ply, hit.next_move, hit.in_variation) = (None, None, false);
        }
        let screen = Screen {
            unicode: false,
            ..Screen::plain(80)
        };
        insta::assert_snapshot!(draw(&found, &screen), @r"
        Game  White             Elo  Black             Elo  Result   Date     ECO  Plies
        1042  Carlsen, Magnus  2850  Nakamura, Hika~  2775  1/2-1/2  2014.08  B90    122
           7  Evil\u{1b}[2J                                 *                         11
        ");
    }

    #[test]
    fn eighty_columns_are_enough_for_a_position() {
        let screen = Screen::plain(80);
        insta::assert_snapshot!(draw(&found(), &screen), @r"
        Game  White          Elo  Black          Elo  Result  Date        At  Next
        1042  Carlsen, Ma…  2850  Nakamura, H…  2775  ½-½     2014.08     6.  Be3
           7  Evil\u{1b}[…                            *                31...  (ends) (var.)
        ");
    }

    #[test]
    fn the_page_is_told() {
        let screen = Screen::plain(80);
        let mut found = found();
        assert_eq!(
            page(&screen, &found),
            "1–2 of 11,479 games; more with --offset 2, all with --limit 0"
        );
        found.offset = 11_477;
        assert_eq!(page(&screen, &found), "11,478–11,479 of 11,479 games");
        found.hits.clear();
        assert_eq!(
            page(&screen, &found),
            "nothing left after --offset 11477 of 11,479 games"
        );
        found.total = 0;
        assert_eq!(page(&screen, &found), "no games found");
    }
}
