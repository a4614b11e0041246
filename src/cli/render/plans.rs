//! What reports on positions and structures have in common: plans, model games, years.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::figures::{interval, percent, plus_minus};
use super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ShareBar, Whisker};
use super::number::{count, counted, share};
use super::table::{Cell, Column, Table};
use super::wrap::wrapped;
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{
    Figures, GamePlan, PlanList, ReachedFigures, SidePlans, SingleGame, StepFigures, StepResult,
    YearFigures,
};
use crate::draw::svg::{Arrow, Style};
use crate::games::diagram::Diagram;

/// Steps beside the plans that a text names.
const OTHER_STEPS: usize = 8;

/// Rows of years; more are joined to decades.
const YEAR_ROWS: usize = 12;

/// A step as players write it, with dots before those of Black.
pub fn step(step: &StepFigures, is_unicode: bool) -> String {
    let text = if is_unicode {
        step.text.clone()
    } else {
        step.text.replace('\u{d7}', "x")
    };
    match (step.side, is_unicode) {
        (Some("black"), true) => format!("…{text}"),
        (Some("black"), false) => format!("...{text}"),
        _ => text,
    }
}

fn steps(all: &[StepFigures], is_unicode: bool) -> String {
    let mut texts: Vec<String> = Vec::new();
    for text in all.iter().map(|one| step(one, is_unicode)) {
        // A rook lift is a step of its own beside the file.
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join(" ")
}

/// The names of the players without initials, and the year.
pub fn model(game: &SingleGame, dash: &str) -> String {
    let surname = |name: &str| {
        let name = name.split(',').next().unwrap_or(name).trim();
        if name.is_empty() {
            "?".to_owned()
        } else {
            name.to_owned()
        }
    };
    let year: String = game.date.chars().take_while(char::is_ascii_digit).collect();
    let (white, black) = (surname(&game.white), surname(&game.black));
    format!("{white}{dash}{black} {year}").trim_end().to_owned()
}

/// Whether a difference stands out, as a sign.
pub fn mark(result: &StepResult, is_unicode: bool) -> &'static str {
    match (result.marked, is_unicode) {
        (Some("up"), true) => "▲",
        (Some(_), true) => "▼",
        (Some("up"), false) => "up",
        (Some(_), false) => "down",
        (None, _) => "",
    }
}

/// The columns of [`result_cells`].
fn result_columns() -> [Column; 5] {
    [
        Column::right("Games").drops(1),
        Column::right("Share"),
        Column::right("Score"),
        Column::right("Diff."),
        Column::left(""),
    ]
}

fn result_cells((games, of): (u64, f64), result: &StepResult, screen: &TerminalInfo) -> Vec<Cell> {
    let dash = || Cell::styled(screen.dash(), DIM);
    let diff = result.diff.zip(result.diff_2se);
    vec![
        count(games).into(),
        share(of, 0).into(),
        result
            .score
            .map_or_else(dash, |score| Cell::from(format!("{}%", percent(score)))),
        diff.map_or_else(dash, |(value, error)| {
            plus_minus(value, error, screen.unicode).into()
        }),
        Cell::styled(mark(result, screen.unicode), STRONG),
    ]
}

/// Draws the plans of both sides and the exchanges.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    plans: &PlanList,
    names: [&str; 2],
) -> io::Result<()> {
    for (name, own) in names.into_iter().zip([&plans.white, &plans.black]) {
        let heading = format!("Plans of {name}");
        let games = counted(plans.games, "game", "games");
        let about = format!("{} plies, {games}", plans.window);
        writeln!(
            out,
            "\n{}  {}",
            screen.paint(HEADING, &heading),
            screen.paint(DIM, &about)
        )?;
        side(out, screen, own)?;
    }
    if !plans.exchanges.is_empty() {
        let mut columns = vec![Column::left("Exchanges").shrinks_to(24)];
        columns.extend(result_columns());
        let mut table = Table::new(columns);
        for exchange in &plans.exchanges {
            let mut row = vec![step(exchange, screen.unicode).into()];
            row.extend(result_cells(
                (exchange.games, exchange.share),
                &exchange.result,
                screen,
            ));
            table.row(row);
        }
        writeln!(out)?;
        table.write(out, screen)?;
    }
    if plans.every > 1 {
        let text = format!("Plans: one of every {} games was followed.", plans.every);
        writeln!(out, "{}", screen.paint(DIM, &text))?;
    }
    Ok(())
}

fn side(out: &mut dyn Write, screen: &TerminalInfo, own: &SidePlans) -> io::Result<()> {
    let listed = |steps: &mut dyn Iterator<Item = &StepFigures>| {
        let texts: Vec<String> = steps
            .map(|one| format!("{} {}", step(one, screen.unicode), share(one.share, 0)))
            .collect();
        texts.join(", ")
    };
    let setup = listed(&mut own.setup.iter());
    if !setup.is_empty() {
        wrapped(out, screen, "Set-up: ", (&setup, ", "))?;
    }
    if own.plans.is_empty() {
        let text = "No steps go together in enough games.";
        writeln!(out, "{}", screen.paint(DIM, text))?;
    } else {
        let mut columns = vec![Column::left("Plan").shrinks_to(26)];
        columns.extend(result_columns());
        columns.push(Column::left("Model game").shrinks_to(14));
        let mut table = Table::new(columns);
        for plan in &own.plans {
            let mut row = vec![Cell::styled(steps(&plan.steps, screen.unicode), STRONG)];
            row.extend(result_cells((plan.games, plan.share), &plan.result, screen));
            let model = plan.models.first().map(|game| model(game, screen.dash()));
            row.push(screen.safe(&model.unwrap_or_default()).into_owned().into());
            table.row(row);
        }
        table.write(out, screen)?;
    }
    let in_plans = |step: &StepFigures| {
        let mut all = own.plans.iter().flat_map(|plan| &plan.steps);
        all.any(|own| own.text == step.text)
    };
    let mut others = own
        .steps
        .iter()
        .filter(|step| !in_plans(step))
        .take(OTHER_STEPS);
    let others = listed(&mut others);
    if !others.is_empty() {
        wrapped(out, screen, "Also: ", (&others, ", "))?;
    }
    Ok(())
}

/// Draws what games reach, below a heading.
pub fn write_reached(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    title: &'static str,
    rows: &[ReachedFigures],
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut columns = vec![Column::left(title).shrinks_to(30)];
    columns.extend(result_columns());
    let mut table = Table::new(columns);
    for reached in rows {
        let mut row = vec![reached_name(reached).into()];
        row.extend(result_cells(
            (reached.games, reached.share),
            &reached.result,
            screen,
        ));
        table.row(row);
    }
    writeln!(out)?;
    table.write(out, screen)
}

fn reached_name(reached: &ReachedFigures) -> String {
    match reached.side {
        Some("white") => format!("{} of White", reached.title),
        Some(_) => format!("{} of Black", reached.title),
        None => reached.title.clone(),
    }
}

/// The years as rows: each by itself, or decades if these are too many.
fn periods(years: &[YearFigures]) -> Vec<(String, YearSpan)> {
    let is_long = years.len() > YEAR_ROWS;
    let mut rows: Vec<(String, YearSpan)> = Vec::new();
    for year in years {
        let name = if is_long {
            let first = year.year / 10 * 10;
            format!("{first}s")
        } else {
            year.year.to_string()
        };
        if rows.last().is_none_or(|(last, _)| *last != name) {
            rows.push((name, YearSpan::default()));
        }
        if let Some((_, period)) = rows.last_mut() {
            period.add(&year.results, year.all_games);
        }
    }
    rows
}

/// The games of the row that has most, at least 1: what bars are drawn against.
fn most_games(rows: &[(String, YearSpan)]) -> u64 {
    let games = rows.iter().map(|(_, span)| span.games);
    games.max().unwrap_or(1).max(1)
}

/// Games of some years.
#[derive(Debug, Clone, Copy, Default)]
struct YearSpan {
    games: u64,
    all: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

impl YearSpan {
    const fn add(&mut self, figures: &Figures, all: u64) {
        self.games += figures.games;
        self.all += all;
        self.won += figures.won;
        self.drawn += figures.drawn;
        self.lost += figures.lost;
    }

    fn score(&self) -> Option<f64> {
        let decided = self.won + self.drawn + self.lost;
        (decided >= 6).then(|| (self.won as f64 + self.drawn as f64 / 2.0) / decided as f64)
    }

    fn share(&self) -> f64 {
        self.games as f64 / self.all.max(1) as f64
    }
}

/// Cells of the bar of a period.
const BAR: usize = 24;

/// Draws how many games there were over the years.
pub fn write_years(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    (years, undated): (&[YearFigures], u64),
) -> io::Result<()> {
    if years.is_empty() {
        return Ok(());
    }
    let rows = periods(years);
    let most = most_games(&rows);
    let mut table = Table::new([
        Column::left("Years"),
        Column::right("Games"),
        Column::left("").drops(0),
        Column::right("Of all"),
        Column::right("Score"),
    ]);
    for (name, period) in rows {
        let cells = (period.games * BAR as u64).div_ceil(most) as usize;
        let bar = if screen.unicode { "▇" } else { "#" }.repeat(cells);
        let score = period.score().map(|score| format!("{}%", percent(score)));
        table.row(vec![
            name.into(),
            count(period.games).into(),
            Cell::styled(bar, DIM),
            share(period.share(), 2).into(),
            score.map_or_else(|| Cell::styled(screen.dash(), DIM), Cell::from),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)?;
    if undated > 0 {
        let text = format!("{} without a year", counted(undated, "game", "games"));
        writeln!(out, "{}", screen.paint(DIM, &text))?;
    }
    Ok(())
}

/// Draws model games below a heading.
pub fn write_models(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    lists: &[(&str, &[SingleGame])],
) -> io::Result<()> {
    if lists.iter().all(|(_, games)| games.is_empty()) {
        return Ok(());
    }
    let mut table = Table::new([
        Column::left("Model games"),
        Column::right("Game"),
        Column::left("White").shrinks_to(12),
        Column::left("Black").shrinks_to(12),
        Column::left("Result"),
        Column::left("Date"),
    ]);
    for (name, games) in lists {
        for (at, game) in games.iter().enumerate() {
            table.row(vec![
                if at == 0 { *name } else { "" }.into(),
                game.id.to_string().into(),
                screen.safe(&game.white).into_owned().into(),
                screen.safe(&game.black).into_owned().into(),
                game.result.as_str().into(),
                super::number::date(&game.date).into(),
            ]);
        }
    }
    writeln!(out)?;
    table.write(out, screen)
}

/// Adds the plans of both sides to a page: a board with arrows for each, if there is a board.
pub fn page(
    page: &mut HtmlPage,
    plans: &PlanList,
    board: Option<(&Diagram, bool)>,
    names: [&str; 2],
) {
    for (name, own) in names.into_iter().zip([&plans.white, &plans.black]) {
        page.section(&format!("Plans of {name}"));
        let games = counted(plans.games, "game", "games");
        let mut about = format!("{} plies from here, {games}", plans.window);
        if plans.every > 1 {
            let _ = write!(about, ", one of every {}", plans.every);
        }
        page.note(&about);
        if !own.setup.is_empty() {
            let setup = own
                .setup
                .iter()
                .map(|one| format!("{} {}", step(one, true), share(one.share, 0)));
            page.paragraph(&format!("Set-up: {}", setup.collect::<Vec<_>>().join(", ")));
        }
        if let Some((diagram, is_flipped)) = board {
            page.begin_boards();
            for plan in &own.plans {
                let style = Style {
                    flipped: is_flipped,
                    ..Style::default()
                };
                page.board_with(diagram, style, &arrows(plan), &caption(plan));
            }
            page.end_boards();
        }
        let rows = own.plans.iter().map(|plan| {
            (
                steps(&plan.steps, true),
                (plan.games, plan.share),
                &plan.result,
                models(&plan.models),
            )
        });
        results(page, "Plan", rows.collect());
        let rows = own.steps.iter().map(|one| {
            let from = format!("half of them by ply {} after the position", one.from_ply);
            (step(one, true), (one.games, one.share), &one.result, from)
        });
        page.subheading("All steps");
        results(page, "Step", rows.collect());
    }
    if !plans.exchanges.is_empty() {
        page.section("Exchanges");
        let rows = plans.exchanges.iter().map(|one| {
            (
                step(one, true),
                (one.games, one.share),
                &one.result,
                String::new(),
            )
        });
        results(page, "Pieces", rows.collect());
    }
}

fn models(games: &[SingleGame]) -> String {
    let games: Vec<String> = games
        .iter()
        .map(|game| format!("{} (#{})", model(game, "–"), game.id))
        .collect();
    games.join("; ")
}

fn caption(plan: &GamePlan) -> String {
    let score = plan
        .result
        .score
        .map(|score| format!(", {} %", percent(score)));
    let diff = plan.result.diff.zip(plan.result.diff_2se);
    let diff = diff.map(|(value, error)| format!(" ({})", plus_minus(value, error, true)));
    let mark = mark(&plan.result, true);
    format!(
        "{}: {}{}{} {mark} {}",
        steps(&plan.steps, true),
        share(plan.share, 0),
        score.unwrap_or_default(),
        diff.unwrap_or_default(),
        models(&plan.models),
    )
}

/// The steps of a plan over a board, the wider the more games do them.
fn arrows(plan: &GamePlan) -> Vec<Arrow> {
    let colour = match plan.result.marked {
        Some("up") => "#1f7a4d",
        Some(_) => "#b03a2a",
        None => "#2f5f9e",
    };
    let of = |step: &StepFigures| Arrow {
        squares: if step.squares.is_empty() {
            step.target.into_iter().collect()
        } else {
            step.squares.clone()
        },
        weight: step.share,
        class: "arrow",
        colour,
    };
    plan.steps.iter().map(of).collect()
}

type ResultRow<'r> = (String, (u64, f64), &'r StepResult, String);

/// Adds rows of shares and scores to a page, with a text beside each.
pub fn results(page: &mut HtmlPage, title: &str, rows: Vec<ResultRow<'_>>) {
    if rows.is_empty() {
        page.note("None in enough games.");
        return;
    }
    let ends = rows
        .iter()
        .filter_map(|(.., result, _)| Some(result.diff?.abs() + result.diff_2se?));
    let scale = ends.fold(0.02, f64::max);
    let mut table = HtmlTable::new([
        HtmlColumn::left(title),
        HtmlColumn::right("Games").minor(),
        HtmlColumn::left("Share"),
        HtmlColumn::right("Score"),
        HtmlColumn::right("Difference")
            .hint("from the other games, of score less expected score, with two standard errors"),
        HtmlColumn::left("").minor(),
        HtmlColumn::left("").minor(),
    ]);
    for (name, (games, of), result, beside) in rows {
        let dash = || HtmlCell::Quiet("–".to_owned());
        let diff = result.diff.zip(result.diff_2se);
        let label = share(of, 0);
        table.row(vec![
            HtmlCell::Strong(name),
            count(games).into(),
            HtmlCell::Share(ShareBar { share: of, label }),
            result
                .score
                .map_or_else(dash, |score| format!("{} %", percent(score)).into()),
            diff.map_or_else(dash, |(value, error)| {
                format!("{} {}", plus_minus(value, error, true), mark(result, true)).into()
            }),
            diff.map_or_else(
                || "".into(),
                |(value, error)| {
                    HtmlCell::Whisker(Whisker {
                        value,
                        error,
                        scale,
                        is_notable: result.marked.is_some(),
                    })
                },
            ),
            HtmlCell::Quiet(beside),
        ]);
    }
    page.table(&table);
}

/// Adds what games reach to a page.
pub fn page_reached(page: &mut HtmlPage, heading: &str, rows: &[ReachedFigures]) {
    if rows.is_empty() {
        return;
    }
    page.section(heading);
    let rows = rows.iter().map(|one| {
        (
            reached_name(one),
            (one.games, one.share),
            &one.result,
            format!("plydex structure {}", one.key),
        )
    });
    results(page, "", rows.collect());
}

/// Adds the years to a page.
pub fn page_years(page: &mut HtmlPage, years: &[YearFigures]) {
    if years.is_empty() {
        return;
    }
    page.section("Over the years");
    let rows = periods(years);
    let most = most_games(&rows);
    let mut table = HtmlTable::new([
        HtmlColumn::left("Years"),
        HtmlColumn::left("Games"),
        HtmlColumn::right("Of all games"),
        HtmlColumn::right("Score"),
    ]);
    for (name, period) in rows {
        let score = period.score().map(|score| format!("{} %", percent(score)));
        table.row(vec![
            name.into(),
            HtmlCell::Share(ShareBar {
                share: period.games as f64 / most as f64,
                label: count(period.games),
            }),
            share(period.share(), 2).into(),
            score.unwrap_or_else(|| "–".to_owned()).into(),
        ]);
    }
    page.table(&table);
}

/// Adds model games to a page.
pub fn page_models(page: &mut HtmlPage, lists: &[(&str, &[SingleGame])]) {
    page.section("Model games");
    let mut table = HtmlTable::new([
        HtmlColumn::left("Won by"),
        HtmlColumn::right("Game"),
        HtmlColumn::left("White"),
        HtmlColumn::left("Black"),
        HtmlColumn::left("Result"),
        HtmlColumn::left("Date").minor(),
    ]);
    for (name, games) in lists {
        for game in *games {
            table.row(vec![
                (*name).into(),
                game.id.to_string().into(),
                game.white.as_str().into(),
                game.black.as_str().into(),
                game.result.as_str().into(),
                super::number::date(&game.date).into(),
            ]);
        }
    }
    page.table(&table);
}

/// A line of figures: `53.5% (52–55), expected 53.0%, +0.5±1.2`.
pub fn summary(figures: &Figures, screen: &TerminalInfo) -> String {
    let mut text = String::new();
    if let Some(score) = figures.score {
        let _ = write!(text, "{}%", percent(score));
        if let Some(ends) = interval(figures, screen.dash()) {
            let _ = write!(text, " ({ends})");
        }
    }
    if let (Some(expected), Some(diff), Some(error)) =
        (figures.expected, figures.diff, figures.diff_2se)
    {
        let diff = plus_minus(diff, error, screen.unicode);
        let _ = write!(text, ", expected {}%, {diff}", percent(expected));
    }
    text
}
