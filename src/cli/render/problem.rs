//! A chess problem as journals print it: composer and source above the diagram,
//! the stipulation below, then the solution as a tree.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::{
    base::record::GameId,
    cli::terminal::{DIM, HEADING, STRONG, TerminalInfo},
    draw::board::{self, BoardStyle},
    games::diagram::Diagram,
    problems::Composition,
};

/// Columns before the board and what goes with it.
const INDENT: usize = 2;

/// Draws a problem.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    game: GameId,
    problem: &Composition,
    style: BoardStyle,
) -> io::Result<()> {
    let mut line = |text: &str, style| -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "{:INDENT$}{}",
            "",
            screen.paint(style, &screen.safe(text))
        )
    };
    let authors = match problem.authors.as_slice() {
        [] => format!("Game {game}"),
        authors => authors.join(" & "),
    };
    line(&authors, HEADING)?;
    line(&printed(problem), clap::builder::styling::Style::new())?;
    line(&problem.award, DIM)?;
    line(&problem.title, DIM)?;
    writeln!(out)?;
    let drawing = draw(problem, style);
    for row in drawing.lines() {
        writeln!(out, "{:INDENT$}{row}", "")?;
    }
    let count = problem.diagram.count_text();
    let asked = if problem.turn().is_black() && !problem.stipulation.starts_with('h') {
        format!("{}, Black begins", problem.stipulation)
    } else {
        problem.stipulation.clone()
    };
    let asked = match problem.solutions.as_str() {
        "" => asked,
        number => format!("{asked}, {number} solutions"),
    };
    // Under the edges of the board.
    let board = drawing
        .lines()
        .next()
        .map_or(0, |row| row.trim_end().width());
    let asked = screen.safe(&asked).into_owned();
    let gap = board
        .saturating_sub(count.width() + 2 + asked.width())
        .max(2);
    writeln!(
        out,
        "{:INDENT$}  {}{:gap$}{}",
        "",
        screen.paint(DIM, &count),
        "",
        screen.paint(STRONG, &asked)
    )?;
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |name: &str, values: &[String]| {
        if !values.is_empty() {
            facts.push((name.to_owned(), values.join(", ")));
        }
    };
    fact("Conditions", &problem.conditions);
    for (name, change) in &problem.twins {
        fact(&format!("{name})"), std::slice::from_ref(change));
    }
    if let Some(target) = &problem.target {
        fact("Target", &[target.text()]);
    }
    if !problem.unread_diagram.is_empty() {
        fact("Diagram", std::slice::from_ref(&problem.unread_diagram));
    } else if problem.diagram.board().is_none() {
        fact("Pieces", &[problem.diagram.text()]);
    }
    fact("Options", &problem.options);
    fact("Keywords", &problem.keywords);
    for (name, value) in &problem.extra {
        fact(name, std::slice::from_ref(value));
    }
    if !facts.is_empty() {
        writeln!(out)?;
    }
    for (name, value) in &facts {
        let name = screen.safe(name).into_owned();
        let value = screen.safe(value).into_owned();
        writeln!(out, "{:INDENT$}{} {value}", "", screen.paint(DIM, &name))?;
    }
    for comment in &problem.comments {
        writeln!(out)?;
        for row in comment.lines() {
            writeln!(
                out,
                "{:INDENT$}{}",
                "",
                screen.paint(DIM, &screen.safe(row))
            )?;
        }
    }
    if !problem.solution.is_empty() {
        writeln!(out)?;
        for row in problem.solution.lines() {
            let row = solution_row(row, screen);
            writeln!(out, "{}", row.trim_end())?;
        }
    }
    writeln!(
        out,
        "\n{:INDENT$}{}",
        "",
        screen.paint(DIM, &format!("Game {game}"))
    )
}

/// Source, volume, issue, number and date, as far as they are known.
fn printed(problem: &Composition) -> String {
    let mut parts = vec![problem.source.clone()];
    let issue = [&problem.volume, &problem.issue]
        .into_iter()
        .filter(|part| !part.is_empty())
        .cloned()
        .collect::<Vec<_>>()
        .join("/");
    parts.push(issue);
    if !problem.number.is_empty() {
        parts.push(format!("no. {}", problem.number));
    }
    let year = super::number::date(&problem.date).to_owned();
    // Many sources have it in them.
    if !problem.source.contains(year.get(..4).unwrap_or("?")) {
        parts.push(year);
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// A line of the solution; keys stand out.
fn solution_row(row: &str, screen: &TerminalInfo) -> String {
    let text = screen.safe(row).into_owned();
    let is_key = row.starts_with("1.")
        && row
            .split(' ')
            .next()
            .is_some_and(|key| key.ends_with('!') && !key.ends_with("?!"));
    let painted = if is_key {
        match text.split_once(' ') {
            Some((key, rest)) => format!("{} {rest}", screen.paint(STRONG, key)),
            None => screen.paint(STRONG, &text),
        }
    } else {
        text
    };
    format!("{:INDENT$}{painted}", "")
}

/// The diagram of a problem, drawn.
fn draw(problem: &Composition, style: BoardStyle) -> String {
    let Some(board) = problem.diagram.board() else {
        return problem.diagram.draw();
    };
    board::draw(&Diagram::of_chess(&board), style)
}
