//! The figures that every report shows of some games: as columns of a table that fits a terminal,
//! of a page, and as comma-separated values.

use super::html::{HtmlCell, HtmlColumn, ResultBar, Whisker};
use super::number::count;
use super::table::{Cell, Column};
use crate::cli::terminal::{DIM, TerminalInfo};
use crate::database::Figures;

/// The columns of [`cells`]. Beside a first column that [shrinks](Column::shrinks_to) to ten they fit
/// 80 columns.
pub fn columns() -> [Column; 10] {
    [
        Column::right("Games"),
        Column::right("Won"),
        Column::right("Drawn"),
        Column::right("Lost"),
        Column::right("Score"),
        Column::right("95 %").drops(3),
        Column::right("Exp.").drops(2),
        Column::right("Diff."),
        Column::right("Opp.").drops(1),
        Column::right("Perf.").drops(4),
    ]
}

/// The figures as text; what there are too few games for is a dash.
pub fn cells(figures: &Figures, screen: &TerminalInfo) -> Vec<Cell> {
    let dash = || Cell::styled(screen.dash(), DIM);
    let text = |text: Option<String>| text.map_or_else(dash, Cell::from);
    vec![
        count(figures.games).into(),
        count(figures.won).into(),
        count(figures.drawn).into(),
        count(figures.lost).into(),
        text(figures.score.map(percent)),
        text(interval(figures, screen.dash())),
        text(figures.expected.map(percent)),
        text(difference(figures, screen.unicode)),
        text(figures.opponents.map(whole)),
        text(figures.performance.map(|rating| rating.to_string())),
    ]
}

/// A share from 0 to 1 in per cent: `67.2`. The heading has the sign.
pub fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// The ends of the interval in whole per cents: `66–68`.
pub fn interval(figures: &Figures, dash: &str) -> Option<String> {
    let (low, high) = (figures.low?, figures.high?);
    Some(format!("{:.0}{dash}{:.0}", 100.0 * low, 100.0 * high))
}

/// The difference from the expected score in per cent, with two standard errors: `+1.7±1.1`.
pub fn difference(figures: &Figures, is_unicode: bool) -> Option<String> {
    Some(plus_minus(figures.diff?, figures.diff_2se?, is_unicode))
}

/// A difference from -1 to 1 in per cent, with how far it may be off.
pub fn plus_minus(value: f64, error: f64, is_unicode: bool) -> String {
    let (minus, sign) = if is_unicode {
        ("−", "±")
    } else {
        ("-", "+-")
    };
    let value = format!("{:.1}", 100.0 * value);
    let value = match value.strip_prefix('-') {
        Some("0.0") => "+0.0".to_owned(),
        Some(size) => format!("{minus}{size}"),
        None => format!("+{value}"),
    };
    format!("{value}{sign}{:.1}", 100.0 * error)
}

/// The columns of [`html_cells`].
pub fn html_columns() -> Vec<HtmlColumn> {
    vec![
        HtmlColumn::right("Games"),
        HtmlColumn::left("Won, drawn, lost").minor(),
        HtmlColumn::right("Score"),
        HtmlColumn::right("95 %")
            .hint("the interval that has the true score in 95 of 100 cases")
            .minor(),
        HtmlColumn::right("Expected")
            .hint("by the ratings and the advantage of the first move")
            .minor(),
        HtmlColumn::right("Difference").hint("score less expected score, with two standard errors"),
        HtmlColumn::left("").minor(),
        HtmlColumn::right("Opponents").hint("mean rating").minor(),
        HtmlColumn::right("Performance")
            .hint("FIDE Handbook B.02, 8.1.1")
            .minor(),
    ]
}

/// The figures as cells of a page. `scale` is the difference at the end of each whisker:
/// [`scale_of`] all rows of the table.
pub fn html_cells(figures: &Figures, scale: f64) -> Vec<HtmlCell> {
    let dash = || HtmlCell::Quiet("–".to_owned());
    let text = |text: Option<String>| text.map_or_else(dash, HtmlCell::from);
    let whisker = figures.diff.zip(figures.diff_2se);
    let sign = |share: f64| format!("{} %", percent(share));
    vec![
        count(figures.games).into(),
        HtmlCell::Results(ResultBar {
            won: figures.won,
            drawn: figures.drawn,
            lost: figures.lost,
        }),
        figures
            .score
            .map_or_else(dash, |score| HtmlCell::Strong(sign(score))),
        text(interval(figures, "–")),
        text(figures.expected.map(sign)),
        text(difference(figures, true)),
        whisker.map_or_else(
            || "".into(),
            |(value, error)| {
                HtmlCell::Whisker(Whisker {
                    value,
                    error,
                    scale,
                    is_notable: value.abs() > error,
                })
            },
        ),
        text(figures.opponents.map(whole)),
        text(figures.performance.map(|rating| rating.to_string())),
    ]
}

/// The largest difference that the whiskers of some rows have to reach.
pub fn scale_of<'f>(rows: impl IntoIterator<Item = &'f Figures>) -> f64 {
    let ends = rows.into_iter().filter_map(|figures| {
        let (value, error) = (figures.diff?, figures.diff_2se?);
        Some(value.abs() + error)
    });
    ends.fold(0.02, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::render::table::Table;

    fn carlsen() -> Figures {
        Figures {
            games: 3687,
            won: 1832,
            drawn: 1294,
            lost: 561,
            score: Some(0.672),
            low: Some(0.659),
            high: Some(0.684),
            rated: 3600,
            expected: Some(0.654),
            diff: Some(0.0173),
            diff_2se: Some(0.0108),
            opponents: Some(2658.2),
            performance: Some(2783),
            performance_by: Some("fide-8.1.1"),
            ..Figures::default()
        }
    }

    #[test]
    fn a_table_of_figures_fits_80_columns() {
        let mut columns = vec![Column::left("").shrinks_to(10)];
        columns.extend(super::columns());
        let few = Figures {
            games: 3,
            won: 1,
            no_result: 2,
            ..Figures::default()
        };
        let mut table = Table::new(columns);
        for (name, figures) in [("All games", carlsen()), ("one year", few)] {
            let mut row = vec![Cell::from(name)];
            row.extend(cells(&figures, &TerminalInfo::plain(80)));
            table.row(row);
        }
        let mut out = Vec::new();
        table
            .write(&mut out, &TerminalInfo::plain(80))
            .expect("a vector takes everything");
        insta::assert_snapshot!(String::from_utf8(out).expect("text"), @r"
                   Games    Won  Drawn  Lost  Score   95 %  Exp.     Diff.  Opp.  Perf.
        All games  3,687  1,832  1,294   561   67.2  66–68  65.4  +1.7±1.1  2658   2783
        one year       3      1      0     0      –      –     –         –     –      –
        ");
    }

    #[test]
    fn differences_have_their_sign_and_their_error() {
        assert_eq!(plus_minus(0.0173, 0.0108, true), "+1.7±1.1");
        assert_eq!(plus_minus(-0.07, 0.1, false), "-7.0+-10.0");
        assert_eq!(plus_minus(-0.0001, 0.1, true), "+0.0±10.0");
        assert_eq!(html_cells(&carlsen(), 0.1).len(), html_columns().len());
        assert_eq!(
            cells(&carlsen(), &TerminalInfo::plain(80)).len(),
            columns().len()
        );
    }
}
