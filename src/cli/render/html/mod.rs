//! Reports as HTML: one file with everything in it, for a browser or for paper. It needs no script
//! and asks no other host for anything.

mod charts;
mod table;

use std::fmt::Write as _;

pub use charts::{ResultBar, ShareBar, Whisker};
pub use table::{HtmlCell, HtmlColumn, HtmlTable};

use crate::draw::svg;
use crate::games::diagram::Diagram;

/// How pages look.
const STYLE: &str = include_str!("style.css");

/// A page that a report is written to: headings, texts, tables and boards, from top to bottom.
/// All texts are escaped.
#[derive(Debug, Clone)]
pub struct HtmlPage {
    title: String,
    body: String,
    has_section: bool,
}

impl HtmlPage {
    /// A page with a title, and what it is about in a sentence.
    pub fn new(title: &str, about: &str) -> Self {
        let mut page = Self {
            title: title.to_owned(),
            body: String::new(),
            has_section: false,
        };
        page.element("h1", "", title);
        if !about.is_empty() {
            page.element("p", "about", about);
        }
        page
    }

    fn element(&mut self, name: &str, class: &str, text: &str) {
        let class = if class.is_empty() {
            String::new()
        } else {
            format!(" class=\"{class}\"")
        };
        let _ = writeln!(self.body, "<{name}{class}>{}</{name}>", escape(text));
    }

    /// Begins a section.
    pub fn section(&mut self, heading: &str) {
        if std::mem::replace(&mut self.has_section, true) {
            self.body.push_str("</section>\n");
        }
        self.body.push_str("<section>\n");
        self.element("h2", "", heading);
    }

    /// Adds a heading within a section.
    pub fn subheading(&mut self, heading: &str) {
        self.element("h3", "", heading);
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.element("p", "", text);
    }

    /// Adds a remark, in smaller letters.
    pub fn note(&mut self, text: &str) {
        self.element("p", "note", text);
    }

    /// Adds a warning.
    pub fn warning(&mut self, text: &str) {
        self.element("p", "warning", text);
    }

    /// Adds figures side by side, each with what it is.
    pub fn key_figures(&mut self, figures: &[(&str, String)]) {
        self.body.push_str("<dl class=\"figures\">\n");
        for (name, value) in figures {
            let (name, value) = (escape(name), escape(value));
            let _ = writeln!(self.body, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        self.body.push_str("</dl>\n");
    }

    /// Adds a table.
    pub fn table(&mut self, table: &HtmlTable) {
        self.body.push_str(&table.html());
    }

    /// Begins a row of boards, which wraps where the page is narrow.
    pub fn begin_boards(&mut self) {
        self.body.push_str("<div class=\"boards\">\n");
    }

    /// Adds a board with the text below it.
    pub fn board(&mut self, diagram: &Diagram, style: svg::Style, caption: &str) {
        self.board_with(diagram, style, &[], caption);
    }

    /// Adds a board with arrows and the text below it.
    pub fn board_with(
        &mut self,
        diagram: &Diagram,
        style: svg::Style,
        arrows: &[svg::Arrow],
        caption: &str,
    ) {
        self.body.push_str("<figure>\n");
        self.body.push_str(&svg::draw_with(diagram, style, arrows));
        self.element("figcaption", "", caption);
        self.body.push_str("</figure>\n");
    }

    /// Ends a row of boards.
    pub fn end_boards(&mut self) {
        self.body.push_str("</div>\n");
    }

    /// Adds a text that is hidden until the reader opens it: a query, a list.
    pub fn details(&mut self, summary: &str, text: &str) {
        let (summary, text) = (escape(summary), escape(text));
        let _ = writeln!(
            self.body,
            "<details><summary>{summary}</summary><pre>{text}</pre></details>"
        );
    }

    /// The complete file.
    pub fn finish(mut self) -> String {
        if self.has_section {
            self.body.push_str("</section>\n");
        }
        let (title, body) = (escape(&self.title), &self.body);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'\">\n\
             <meta name=\"generator\" content=\"plydex {version}\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
            version = env!("CARGO_PKG_VERSION"),
        )
    }
}

/// A text as it stands in an element or an attribute. Characters that HTML cannot hold are
/// replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_wherever_they_stand() {
        let bad = "<script>alert('1')</script> & \"x\"\u{1b}[31m";
        let mut page = HtmlPage::new(bad, bad);
        page.section(bad);
        page.subheading(bad);
        page.paragraph(bad);
        page.note(bad);
        page.warning(bad);
        page.key_figures(&[("name", bad.to_owned())]);
        page.details(bad, bad);
        let mut table = HtmlTable::new([HtmlColumn::left("<a>"), HtmlColumn::right("b")]);
        table.row(vec![bad.into(), HtmlCell::hint(bad, bad)]);
        page.table(&table);
        let html = page.finish();
        assert!(!html.contains("<script") && !html.contains("<a>") && !html.contains('\u{1b}'));
        assert!(
            html.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot;")
        );
        assert_eq!(
            html.matches("<section>").count(),
            html.matches("</section>").count()
        );
        assert!(
            !html.contains("http://") && !html.contains("https://"),
            "asks no other host"
        );
    }

    #[test]
    fn long_texts_of_a_first_column_have_a_line_of_their_own_where_there_is_no_room() {
        let table = |text: &str| {
            let mut table = HtmlTable::new([
                HtmlColumn::left("Line"),
                HtmlColumn::right("Games"),
                HtmlColumn::right("Years").minor(),
                HtmlColumn::right("Score"),
            ]);
            table.row(vec![text.into(), "1".into(), "2".into(), "3".into()]);
            table.html()
        };
        let short = table("1.e4");
        assert!(short.contains("class=\"t unbroken\"") && !short.contains("stacked"));
        let long = table("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6");
        assert!(
            long.contains("class=\"t stacked\" style=\"--columns:2\""),
            "{long}"
        );
    }
}
