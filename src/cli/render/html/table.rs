//! Tables of a page.

use std::fmt::Write as _;

use super::charts::{ResultBar, ShareBar, Whisker};
use super::escape;

/// A column.
#[derive(Debug, Clone)]
pub struct HtmlColumn {
    title: String,
    hint: &'static str,
    is_right: bool,
    is_minor: bool,
}

impl HtmlColumn {
    /// A column of words.
    pub fn left(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            hint: "",
            is_right: false,
            is_minor: false,
        }
    }

    /// A column of numbers.
    pub fn right(title: impl Into<String>) -> Self {
        Self {
            is_right: true,
            ..Self::left(title)
        }
    }

    /// The same column, explained where the pointer is on its title.
    #[must_use]
    pub fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    /// The same column, left out on a narrow screen.
    #[must_use]
    pub fn minor(self) -> Self {
        Self {
            is_minor: true,
            ..self
        }
    }

    fn class(&self) -> &'static str {
        match (self.is_right, self.is_minor) {
            (false, false) => "",
            (true, false) => " class=\"n\"",
            (false, true) => " class=\"minor\"",
            (true, true) => " class=\"n minor\"",
        }
    }
}

/// What stands in a table.
#[derive(Debug, Clone)]
pub enum HtmlCell {
    /// A text.
    Text(String),
    /// A text of weight.
    Strong(String),
    /// A quiet text.
    Quiet(String),
    /// A text with what is shown where the pointer is on it.
    Hint(String, String),
    /// Where a player meets himself, and other places with nothing in them.
    Blank,
    /// Wins, draws and losses as a bar.
    Results(ResultBar),
    /// A share as a bar.
    Share(ShareBar),
    /// A difference with its error.
    Whisker(Whisker),
}

impl<T: Into<String>> From<T> for HtmlCell {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl HtmlCell {
    /// A text with what is shown where the pointer is on it.
    pub fn hint(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Hint(text.into(), hint.into())
    }

    /// Characters of the text; 0 of a drawing.
    fn length(&self) -> usize {
        match self {
            Self::Text(text) | Self::Strong(text) | Self::Quiet(text) | Self::Hint(text, _) => {
                text.chars().count()
            }
            _ => 0,
        }
    }

    fn html(&self) -> String {
        match self {
            Self::Text(text) => escape(text),
            Self::Strong(text) => format!("<strong>{}</strong>", escape(text)),
            Self::Quiet(text) => format!("<span class=\"quiet\">{}</span>", escape(text)),
            Self::Hint(text, hint) => {
                format!("<span title=\"{}\">{}</span>", escape(hint), escape(text))
            }
            Self::Blank => "<span class=\"blank\"></span>".to_owned(),
            Self::Results(bar) => bar.html(),
            Self::Share(bar) => bar.html(),
            Self::Whisker(whisker) => whisker.html(),
        }
    }
}

/// Texts of a first column up to this length are never broken.
const UNBROKEN_MAX: usize = 24;

/// Characters of a row for which a narrow screen has room. In longer rows the first text has a line of
/// its own, above the other cells.
const ROW_MAX: usize = 47;

/// Characters of a column of figures, and of a bar.
const COLUMN: usize = 10;
const BAR: usize = 8;

/// With more columns than these there is no room for bars on a narrow screen.
const ROOMY_COLUMNS: usize = 4;

/// Rows below headings. It scrolls by itself where the page is too narrow for it.
#[derive(Debug, Clone, Default)]
pub struct HtmlTable {
    columns: Vec<HtmlColumn>,
    rows: Vec<Vec<HtmlCell>>,
    is_dense: bool,
}

impl HtmlTable {
    /// A table without rows.
    pub fn new(columns: impl Into<Vec<HtmlColumn>>) -> Self {
        Self {
            columns: columns.into(),
            ..Self::default()
        }
    }

    /// The same table with narrow cells, for a matrix.
    #[must_use]
    pub fn dense(self) -> Self {
        Self {
            is_dense: true,
            ..self
        }
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: Vec<HtmlCell>) {
        debug_assert!(cells.len() <= self.columns.len());
        self.rows.push(cells);
    }

    /// The classes and the style of the table: how its first column behaves.
    fn shape(&self) -> (String, String) {
        let is_text = self.columns.first().is_some_and(|first| !first.is_right);
        if self.is_dense || !is_text {
            let class = if self.is_dense { " dense" } else { "" };
            return (class.to_owned(), String::new());
        }
        let longest = self.rows.iter().filter_map(|row| row.first());
        let longest = longest.map(HtmlCell::length).max().unwrap_or_default();
        let mut class = String::new();
        if longest <= UNBROKEN_MAX {
            class.push_str(" unbroken");
        }
        let mut style = String::new();
        let others = self.columns[1..].iter().filter(|column| !column.is_minor);
        let others = others.count().max(1);
        let is_crowded = others >= ROOMY_COLUMNS;
        let is_bar = |cell: &HtmlCell| matches!(cell, HtmlCell::Share(_));
        let has_bar = self.rows.iter().flatten().any(is_bar);
        let bar = if has_bar && !is_crowded { BAR } else { 0 };
        if longest + COLUMN * others + bar > ROW_MAX {
            class.push_str(" stacked");
            let _ = write!(style, " style=\"--columns:{others}\"");
        } else if is_crowded {
            class.push_str(" crowded");
        }
        (class, style)
    }

    pub(super) fn html(&self) -> String {
        let (class, style) = self.shape();
        let mut html =
            format!("<div class=\"wide\" tabindex=\"0\"><table class=\"t{class}\"{style}>\n");
        html.push_str("<thead><tr>");
        for column in &self.columns {
            let (class, title) = (column.class(), escape(&column.title));
            let title = if column.hint.is_empty() {
                title
            } else {
                format!("<abbr title=\"{}\">{title}</abbr>", escape(column.hint))
            };
            let _ = write!(html, "<th scope=\"col\"{class}>{title}</th>");
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for (column, cell) in self.columns.iter().zip(row) {
                let _ = write!(html, "<td{}>{}</td>", column.class(), cell.html());
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div>\n");
        html
    }
}
