//! The SQL statements that give the figures of a report, for `plydex sql`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::super::html::HtmlPage;
use super::{COLORS, whole};
use crate::cli::terminal::{HEADING, TerminalInfo};
use crate::database::PlayerReport;

/// A text as it stands in a statement.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn list<T: ToString>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    values.join(", ")
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(quoted).collect();
    names.join(", ")
}

/// The first recent day as columns have it: `2022-09-11` is 20220911.
fn since(report: &PlayerReport) -> u32 {
    let digits: String = report.since.chars().filter(char::is_ascii_digit).collect();
    format!("{digits:0<8}").parse().unwrap_or(u32::MAX)
}

/// The player's games: `has_white`, `points`, and both ratings.
fn games(report: &PlayerReport) -> String {
    let own = names(report.player.spellings.iter().map(|one| &one.name[..]));
    let which = if report.has_all_games {
        format!(
            "(g.white IN own OR g.black IN own)\n    AND g.variant = (SELECT id FROM variant WHERE name = {})",
            quoted(report.variant)
        )
    } else {
        format!("g.id IN ({})", list(&report.games))
    };
    format!(
        "own AS (SELECT id FROM player WHERE name IN ({own})),
games AS (
  SELECT g.id, coalesce(g.date, 0) AS date, g.start, g.opening_name, g.white IN own AS has_white,
         CASE WHEN g.white IN own THEN g.black ELSE g.white END AS opponent,
         CASE g.result WHEN 3 THEN 0.5 WHEN 1 THEN g.white IN own WHEN 2 THEN g.white NOT IN own END AS points,
         nullif(CASE WHEN g.white IN own THEN g.white_elo ELSE g.black_elo END, 0) AS rating,
         nullif(CASE WHEN g.white IN own THEN g.black_elo ELSE g.white_elo END, 0) AS opponent_rating
  FROM game g WHERE {which})"
    )
}

/// The same with `expected`: the scores that the ratings let expect.
fn rated(report: &PlayerReport) -> String {
    let games = games(report);
    let Some(advantage) = report.white_advantage else {
        return format!("WITH {games},\nrated AS (SELECT *, NULL AS expected FROM games)");
    };
    let step = 10_f64.powf(1.0 / 400.0);
    let lowest = 10_f64.powf(-1.0);
    let first = 10_f64.powf(advantage / 400.0);
    let unrated = list(&report.not_expected);
    // SQLite has no powers: the odds of each difference are those of the one before it, times ten to
    // the power of 1/400.
    format!(
        "WITH RECURSIVE {games},
ranks AS (
  SELECT date / 10000 AS year, rating, row_number() OVER years AS nth,
         count(*) OVER (PARTITION BY date / 10000) AS number
  FROM games WHERE rating > 0 AND date >= 10000
  WINDOW years AS (PARTITION BY date / 10000 ORDER BY rating)),
curve(difference, odds) AS (
  VALUES (-400, {lowest:?})
  UNION ALL SELECT difference + 1, odds * {step:?} FROM curve WHERE difference < 400),
checked AS (
  SELECT games.*, CASE WHEN abs(games.rating - ranks.rating) > 300 THEN NULL ELSE games.rating END AS own_rating
  FROM games LEFT JOIN ranks ON ranks.year = games.date / 10000 AND ranks.nth = ranks.number / 2 + 1),
chances AS (
  SELECT checked.*, odds * CASE WHEN has_white THEN {first:?} ELSE 1 / {first:?} END AS odds
  FROM checked LEFT JOIN curve ON difference = max(-400, min(400, own_rating - opponent_rating))
  AND points IS NOT NULL AND id NOT IN ({unrated})),
rated AS (SELECT *, odds / (1 + odds) AS expected FROM chances)"
    )
}

/// What is counted of rated games.
const FIGURES: &str = "count(*) AS games, count(CASE WHEN points = 1 THEN 1 END) AS won,
       count(CASE WHEN points = 0.5 THEN 1 END) AS drawn, count(CASE WHEN points = 0 THEN 1 END) AS lost,
       avg(points) AS score, count(expected) AS rated, avg(expected) AS expected,
       avg(points - expected) AS diff, avg(CASE WHEN points IS NOT NULL THEN opponent_rating END) AS opponents";

/// The results but for those by time class, which no column has.
fn results(report: &PlayerReport) -> String {
    let since = since(report);
    let label = quoted(&report.since);
    format!(
        "{},
counted AS (
  SELECT 'all' AS counted_by, 'all' AS label, * FROM rated
  UNION ALL SELECT 'color', CASE WHEN has_white THEN 'white' ELSE 'black' END, * FROM rated
  UNION ALL SELECT 'since', {label}, * FROM rated WHERE date >= max(1, {since})
  UNION ALL SELECT 'opponents', CASE WHEN opponent_rating >= 2700
    THEN (opponent_rating / 50 * 50) || '..' || (opponent_rating / 50 * 50 + 49)
    ELSE (opponent_rating / 100 * 100) || '..' || (opponent_rating / 100 * 100 + 99) END, *
    FROM rated WHERE opponent_rating > 0
  UNION ALL SELECT 'year', CASE WHEN date >= 10000 THEN CAST(date / 10000 AS TEXT) ELSE 'unknown' END, * FROM rated)
SELECT counted_by, label, {FIGURES}
FROM counted GROUP BY counted_by, label",
        rated(report)
    )
}

fn openings(report: &PlayerReport) -> String {
    format!(
        "{},
named AS (
  SELECT *, substr(opening_name, 1, min(instr(opening_name || ':', ':'), instr(opening_name || ',', ',')) - 1) AS name
  FROM rated WHERE opening_name <> '')
SELECT CASE WHEN has_white THEN 'white' ELSE 'black' END AS color, name, {FIGURES}
FROM named GROUP BY color, name ORDER BY color DESC, games DESC",
        rated(report)
    )
}

/// A move of the player, with the moves before it.
type CountedMove<'r> = (&'r str, &'r [String]);

/// How often moves were played, and could be.
fn moves(report: &PlayerReport, moves: &[CountedMove<'_>]) -> Option<String> {
    // Only English letters are read.
    if moves.is_empty() || report.variant != "chess" || !report.is_english {
        return None;
    }
    let mut met = Vec::new();
    for (nth, (color, line)) in moves.iter().enumerate() {
        let (last, before) = line.split_last()?;
        let before = match before {
            [] => "startpos".to_owned(),
            moves => moves.join(" "),
        };
        // The first names the columns.
        let [color_as, line_as, played_as] = match nth {
            0 => [" AS color", " AS line", " AS is_played"],
            _ => [""; 3],
        };
        met.push(format!(
            "SELECT DISTINCT {}{color_as}, {}{line_as}, game, next_move = {}{played_as} FROM positions({})\n  \
             WHERE NOT in_variation AND next_move <> ''",
            quoted(color),
            quoted(&whole(line)),
            quoted(last),
            quoted(&before)
        ));
    }
    let since = since(report).max(1);
    let [white, black] = COLORS;
    Some(format!(
        "WITH {},
met AS (
  {})
SELECT color, line, count(*) AS chances, sum(is_played) AS games,
       sum(date >= {since}) AS recent_chances, sum(is_played AND date >= {since}) AS recent,
       sum(date BETWEEN 1 AND {since} - 1) AS earlier_chances, sum(is_played AND date BETWEEN 1 AND {since} - 1) AS earlier
FROM met JOIN games ON games.id = met.game
WHERE has_white = (color = '{white}') AND color IN ('{white}', '{black}') AND games.start IS NULL
GROUP BY color, line",
        games(report),
        met.join("\n  UNION ALL ")
    ))
}

/// The statements of a report, by its tables.
pub fn statements(report: &PlayerReport) -> BTreeMap<&'static str, String> {
    let mut all = BTreeMap::new();
    all.insert("results", results(report));
    if !report.openings.is_empty() {
        all.insert("openings", openings(report));
    }
    let mut add = |name, lines: Vec<CountedMove<'_>>| {
        if let Some(statement) = moves(report, &lines) {
            all.insert(name, statement);
        }
    };
    let lines = report.lines.iter();
    add(
        "lines",
        lines.map(|line| (line.color, &line.moves[..])).collect(),
    );
    let changed = report.changes.changes.iter();
    add(
        "changes",
        changed.map(|line| (line.color, &line.moves[..])).collect(),
    );
    for (name, lines) in [
        ("pet_lines", &report.changes.pet_lines),
        ("surprises", &report.changes.surprises),
    ] {
        add(
            name,
            lines
                .iter()
                .map(|line| (line.color, &line.moves[..]))
                .collect(),
        );
    }
    if let Some(forecast) = &report.repertoire {
        let color = COLORS[usize::from(forecast.side == COLORS[0])];
        let missing = super::forecast::missing(forecast);
        add(
            "holes",
            missing.map(|line| (color, &line.moves[..])).collect(),
        );
    }
    if let Some(against) = &report.against {
        let opponent = names(against.spellings.iter().map(String::as_str));
        let statement = format!(
            "{}\nSELECT {FIGURES}\nFROM rated WHERE opponent IN (SELECT id FROM player WHERE name IN ({opponent}))",
            rated(report)
        );
        all.insert("against", statement);
    }
    all
}

/// Writes them as text.
pub fn write_statements(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &PlayerReport,
) -> io::Result<()> {
    for (name, statement) in statements(report) {
        let title = format!("SQL: {name}");
        writeln!(out, "\n{}", screen.paint(HEADING, &title))?;
        for line in statement.lines() {
            writeln!(out, "{}", screen.safe(line))?;
        }
    }
    Ok(())
}

/// Adds them to a page.
pub fn statements_page(page: &mut HtmlPage, report: &PlayerReport) {
    page.section("SQL");
    page.note("plydex sql runs these statements.");
    for (name, statement) in statements(report) {
        let mut title = name.replace('_', " ");
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        page.details(&title, &statement);
    }
}
