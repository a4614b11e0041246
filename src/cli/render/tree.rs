//! The next moves of a position with a bar of wins, draws and losses.

use std::io::{self, Write};

use clap::builder::styling::{Ansi256Color, AnsiColor, Color, Style};

use super::number::{count, counted, percent};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{ScoreSum, Tree, TreeBranch, TreeMove};

/// Cells of a bar.
const BAR: usize = 20;

/// The three parts of a bar. Shapes and letters distinguish them without colour; colour only makes
/// it quicker to see.
const WHITE: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::BrightWhite)));
const DRAW: Style = Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(245))));
/// Neither.
const PLAIN: Style = Style::new();
const BLACK: Style = Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(239))));

/// Whose scores a table has.
pub fn scorer(screen: &TerminalInfo, player: &str) -> String {
    let mut name = String::with_capacity(player.len());
    for letter in player.chars() {
        // Names are often typed in small letters.
        if name.ends_with(|before: char| before.is_alphanumeric()) {
            name.push(letter);
        } else {
            name.extend(letter.to_uppercase());
        }
    }
    screen.paint(HEADING, &format!("{} scored", screen.safe(&name)))
}

/// Draws a tree, as scores of a player if there is one.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    tree: &Tree,
    player: Option<&str>,
) -> io::Result<()> {
    if let Some(opening) = &tree.opening {
        let eco = screen.paint(HEADING, &opening.eco);
        writeln!(out, "{eco}  {}", screen.safe(&opening.name))?;
    }
    writeln!(out, "{}", screen.paint(DIM, &tree.fen))?;
    if tree.total.games == 0 {
        return Ok(());
    }
    writeln!(out)?;
    let is_deep = tree.moves.iter().any(|line| line.after.is_some());
    let ends = match player {
        Some(player) => {
            writeln!(out, "{}\n", scorer(screen, player))?;
            ["Won", "Drawn", "Lost"]
        }
        None => ["White", "Draw", "Black"],
    };
    let score = match (player, tree.at.turn() & 1) {
        (Some(_), _) => "Score",
        // Each row has the score of the side that makes its move.
        (None, _) if is_deep => "Score (mover)",
        (None, 0) => "Score (W)",
        (None, _) => "Score (B)",
    };
    let mut columns = columns(Column::left("Move"), ends, score).to_vec();
    columns.insert(OPPONENT_AT, Column::right("Opp.").drops(1));
    columns.push(Column::left("Opening").shrinks_to(24).drops(0));
    let mut table = Table::new(columns);
    let all = tree.total.games;
    let mut row_of = |name: Cell, line: &TreeMove, all| {
        let mut cells = scored(screen, name, &line.score, all);
        cells.push(Cell::styled(screen.safe(&behind(line)), DIM));
        table.row(cells);
    };
    if is_deep {
        rows_below(screen, tree, 0, &mut row_of);
    } else {
        for line in &tree.moves {
            row_of(Cell::styled(line.san.as_str(), STRONG), line, all);
        }
    }
    if tree.moves_omitted > 0 {
        let moves = counted(tree.moves_omitted, "more move", "more moves");
        table.row(vec![Cell::styled(format!("({moves})"), DIM)]);
    }
    if tree.ends_here.games > 0 {
        table.row(scored(
            screen,
            Cell::styled("(game ends)", DIM),
            &tree.ends_here,
            all,
        ));
    }
    table.row(scored(screen, "Total".into(), &tree.total, all));
    if tree.total.no_result > 0 {
        // They are counted in the rows above as games, but not in the shares.
        let games = tree.total.no_result;
        table.row(vec![
            Cell::styled("no result", DIM),
            Cell::styled(count(games), DIM),
            Cell::styled(percent(games, all, 1), DIM),
        ]);
    }
    table.write(out, screen)?;
    if is_deep || !table.leaves_out_the_last() {
        return Ok(());
    }
    // Where there is no room for them beside the moves.
    let once = tree.moves.iter().filter_map(|line| {
        let game = line.game.as_ref()?;
        Some(format!("{} in game {}", screen.safe(&line.san), game.id))
    });
    let once: Vec<String> = once.take(ONCE_MAX).collect();
    if !once.is_empty() {
        let text = format!("Played once: {}", once.join(", "));
        writeln!(out, "{}", screen.paint(DIM, &text))?;
    }
    Ok(())
}

/// The names of counts in data, and what they are called in a tree of a player's scores.
const COUNTS: [(&str, &str); 3] = [
    ("white_wins", "won"),
    ("draws", "drawn"),
    ("black_wins", "lost"),
];

/// What a value of a tree is called.
pub fn name_of_count(name: &str, is_of_player: bool) -> &str {
    let renamed = COUNTS.iter().find(|(own, _)| is_of_player && *own == name);
    renamed.map_or(name, |(_, own)| own)
}

/// A tree as JSON.
pub fn as_json(tree: &Tree, is_of_player: bool) -> serde_json::Result<serde_json::Value> {
    fn rename(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::Array(all) => all.into_iter().map(rename).collect(),
            Value::Object(all) => {
                let renamed = all
                    .into_iter()
                    .map(|(name, value)| (name_of_count(&name, true).to_owned(), rename(value)));
                Value::Object(renamed.collect())
            }
            value => value,
        }
    }
    let value = serde_json::to_value(tree)?;
    Ok(if is_of_player { rename(value) } else { value })
}

/// The most moves that were played once and are named with their games, where columns have no room.
const ONCE_MAX: usize = 4;

/// Where trees have the mean rating of the opponents among the columns of a score.
const OPPONENT_AT: usize = 9;

/// A score with the mean rating of the opponents.
fn scored(screen: &TerminalInfo, name: Cell, score: &ScoreSum, all: u64) -> Vec<Cell> {
    let mut cells = row(screen, name, score, all);
    cells.insert(OPPONENT_AT, rating(score.average_opponent_rating).into());
    cells
}

/// The moves of a tree that goes on after them, each further to the right than what it follows.
fn rows_below(
    screen: &TerminalInfo,
    tree: &Tree,
    depth: usize,
    row: &mut impl FnMut(Cell, &TreeMove, u64),
) {
    let (number, is_second) = tree.number;
    let dots = if is_second { "..." } else { "." };
    for line in &tree.moves {
        let name = format!("{:1$}{number}{dots} {2}", "", 2 * depth, line.san);
        let style = if depth == 0 { STRONG } else { PLAIN };
        row(
            Cell::styled(screen.safe(&name), style),
            line,
            tree.total.games,
        );
        if let Some(TreeBranch::Tree(behind)) = &line.after {
            rows_below(screen, behind, depth + 1, row);
        }
    }
}

/// What there is to say of a move besides its score: where else its position stands, whose game
/// it is, what it is called.
fn behind(line: &TreeMove) -> String {
    if let Some(TreeBranch::Transposition { transposes_to }) = &line.after {
        return format!("= {transposes_to}");
    }
    let name = line.opening.as_ref().map(|opening| opening.name.clone());
    let game = || {
        let game = line.game.as_ref()?;
        Some(format!("{} - {} ({})", game.white, game.black, game.id))
    };
    name.or_else(game).unwrap_or_default()
}

/// The columns of a table of scores: what they are of, what its games ended in, and whose scores they
/// are.
pub fn columns(name: Column, ends: [&'static str; 3], score: &'static str) -> [Column; 11] {
    let [won, drawn, lost] = ends.map(Column::right);
    [
        name,
        Column::right("Games"),
        Column::right("Share"),
        won,
        drawn,
        lost,
        Column::left("").drops(5),
        Column::right(score),
        Column::right("Rating").drops(4),
        Column::right("Perf.").drops(3),
        Column::left("Years").drops(2),
    ]
}

/// A score beside a name, in these columns.
pub fn row(screen: &TerminalInfo, name: Cell, score: &ScoreSum, all: u64) -> Vec<Cell> {
    let decided = score.white_wins + score.draws + score.black_wins;
    let share = |part| percent(part, decided, 0);
    vec![
        name,
        count(score.games).into(),
        percent(score.games, all, 1).into(),
        share(score.white_wins).into(),
        share(score.draws).into(),
        share(score.black_wins).into(),
        bar(screen, score),
        score
            .score
            .map_or_else(String::new, |s| format!("{:.1}%", 100.0 * s))
            .into(),
        rating(score.average_rating).into(),
        rating(score.performance).into(),
        Cell::styled(years(screen, score), DIM),
    ]
}

fn rating(rating: Option<f64>) -> String {
    rating.map_or_else(String::new, |rating| format!("{rating:.0}"))
}

fn years(screen: &TerminalInfo, score: &ScoreSum) -> String {
    match (score.first_year, score.last_year) {
        (Some(first), Some(last)) if first != last => format!("{first}{}{last}", screen.dash()),
        (Some(year), _) | (_, Some(year)) => year.to_string(),
        (None, None) => String::new(),
    }
}

/// The bar of a score; empty where no game has a result.
fn bar(screen: &TerminalInfo, score: &ScoreSum) -> Cell {
    let parts = parts([score.white_wins, score.draws, score.black_wins]);
    let signs = if screen.unicode {
        ["█", "▒", "░"]
    } else {
        ["W", "=", "b"]
    };
    let mut plain = String::new();
    let mut painted = String::new();
    for ((cells, sign), style) in parts.into_iter().zip(signs).zip([WHITE, DRAW, BLACK]) {
        plain += &sign.repeat(cells);
        // With colour all three are solid: a calmer bar.
        let sign = if screen.unicode { "█" } else { sign };
        painted += &screen.paint(style, &sign.repeat(cells));
    }
    Cell::painted(plain, painted)
}

/// Shares out the cells of a bar by largest remainders, so that they always
/// fill it; what exists at all gets at least one.
fn parts(counts: [u64; 3]) -> [usize; 3] {
    let whole: u64 = counts.iter().sum();
    if whole == 0 {
        return [0; 3];
    }
    let exact = counts.map(|part| BAR as f64 * part as f64 / whole as f64);
    let mut cells = exact.map(|part| part.floor() as usize);
    for (cells, &part) in cells.iter_mut().zip(&counts) {
        if part > 0 {
            *cells = (*cells).max(1);
        }
    }
    loop {
        let used: usize = cells.iter().sum();
        let over = |index: &usize| cells[*index] as f64 - exact[*index];
        let by_excess = |a: &usize, b: &usize| over(a).total_cmp(&over(b));
        match used.cmp(&BAR) {
            std::cmp::Ordering::Equal => return cells,
            std::cmp::Ordering::Less => match (0..3).min_by(by_excess) {
                Some(index) => cells[index] += 1,
                None => return cells,
            },
            std::cmp::Ordering::Greater => {
                match (0..3).filter(|&index| cells[index] > 1).max_by(by_excess) {
                    Some(index) => cells[index] -= 1,
                    None => return cells,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::AnyPosition;

    fn score(white_wins: u64, draws: u64, black_wins: u64, no_result: u64) -> ScoreSum {
        let decided = white_wins + draws + black_wins;
        let points = white_wins as f64 + draws as f64 / 2.0;
        ScoreSum {
            games: decided + no_result,
            white_wins,
            draws,
            black_wins,
            no_result,
            score: (decided > 0).then(|| points / decided as f64),
            average_rating: Some(2411.6),
            average_opponent_rating: None,
            performance: Some(2431.2),
            finer_performance: Some(2431.2),
            first_year: Some(1883),
            last_year: Some(2024),
        }
    }

    fn tree() -> Tree {
        let line = |san: &str, score| TreeMove {
            san: san.into(),
            uci: String::new(),
            opening: None,
            score,
            game: None,
            after: None,
        };
        Tree {
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
            at: AnyPosition::initial(),
            number: (1, false),
            opening: None,
            total: score(4705, 4099, 3502, 5),
            moves: vec![
                line("e4", score(4700, 4000, 3500, 4)),
                line("Nf3", score(5, 99, 1, 0)),
                line(
                    "a3",
                    ScoreSum {
                        games: 1,
                        no_result: 1,
                        ..ScoreSum::default()
                    },
                ),
            ],
            moves_omitted: 0,
            ends_here: ScoreSum {
                games: 1,
                black_wins: 1,
                score: Some(0.0),
                ..ScoreSum::default()
            },
        }
    }

    fn draw(tree: &Tree, screen: &TerminalInfo) -> String {
        let mut out = Vec::new();
        write(&mut out, screen, tree, None).expect("a vector takes everything");
        String::from_utf8(out).expect("trees are text")
    }

    #[test]
    fn trees() {
        insta::assert_snapshot!(draw(&tree(), &TerminalInfo::plain(100)), @r"
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

        Move          Games   Share  White  Draw  Black                        Score (W)  Rating  Perf.
        e4           12,204   99.1%    39%   33%    29%  ████████▒▒▒▒▒▒░░░░░░      54.9%    2412   2431
        Nf3             105    0.9%     5%   94%     1%  █▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░      51.9%    2412   2431
        a3                1   <0.1%
        (game ends)       1   <0.1%     0%    0%   100%  ░░░░░░░░░░░░░░░░░░░░       0.0%
        Total        12,311  100.0%    38%   33%    28%  ███████▒▒▒▒▒▒▒░░░░░░      54.9%    2412   2431
        no result         5   <0.1%
        ");
    }

    #[test]
    fn trees_without_unicode() {
        let screen = TerminalInfo {
            unicode: false,
            ..TerminalInfo::plain(100)
        };
        insta::assert_snapshot!(draw(&tree(), &screen), @r"
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

        Move          Games   Share  White  Draw  Black                        Score (W)  Rating  Perf.
        e4           12,204   99.1%    39%   33%    29%  WWWWWWWW======bbbbbb      54.9%    2412   2431
        Nf3             105    0.9%     5%   94%     1%  W==================b      51.9%    2412   2431
        a3                1   <0.1%
        (game ends)       1   <0.1%     0%    0%   100%  bbbbbbbbbbbbbbbbbbbb       0.0%
        Total        12,311  100.0%    38%   33%    28%  WWWWWWW=======bbbbbb      54.9%    2412   2431
        no result         5   <0.1%
        ");
    }

    #[test]
    fn a_bar_is_always_full_and_hides_nothing() {
        for counts in [
            [1, 1, 1],
            [1, 0, 0],
            [1_000_000, 1, 1],
            [7, 13, 29],
            [0, 5, 1],
            [1, 99, 1],
        ] {
            let cells = parts(counts);
            assert_eq!(cells.iter().sum::<usize>(), BAR, "{counts:?}");
            for (cells, part) in cells.into_iter().zip(counts) {
                assert_eq!(cells > 0, part > 0, "{counts:?}");
            }
        }
        assert_eq!(parts([0, 0, 0]), [0, 0, 0]);
        assert_eq!(parts([50, 25, 25]), [10, 5, 5]);
    }

    #[test]
    fn colour_changes_no_letter() {
        let screen = TerminalInfo {
            colour: true,
            ..TerminalInfo::plain(100)
        };
        let text = draw(&tree(), &screen);
        let stripped = anstream::adapter::strip_str(&text).to_string();
        let plain = draw(&tree(), &TerminalInfo::plain(100)).replace(['▒', '░'], "█");
        assert_eq!(stripped, plain);
    }
}
