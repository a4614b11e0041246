//! Writing problems as olive's YAML.

use std::fmt::Write as _;

use super::UNREAD;
use crate::problems::{Composition, ProblemSide};

impl Composition {
    /// The problem as one document that olive reads, and that reads back.
    #[must_use]
    pub fn write_yaml(&self) -> String {
        let mut out = "---\nalgebraic:".to_owned();
        if self.diagram.is_empty() {
            out.push_str(" {}");
        }
        out.push('\n');
        for side in ProblemSide::ALL {
            let pieces: Vec<String> = self
                .diagram
                .pieces()
                .filter(|(_, piece)| piece.side == side)
                .map(|(square, piece)| {
                    let kinds: String =
                        piece.kinds.iter().map(|kind| capital(kind) + " ").collect();
                    format!("{kinds}{}{square}", piece.name)
                })
                .collect();
            if !pieces.is_empty() {
                let _ = writeln!(out, "  {}: [{}]", side.word(), pieces.join(", "));
            }
        }
        list("authors", &self.authors, &mut out);
        let parts = [
            ("name", &self.source),
            ("volume", &self.volume),
            ("issue", &self.issue),
            ("problemid", &self.number),
        ];
        let date = dates(&self.date);
        let of_source = |name: &&(String, String)| name.0.starts_with("source.");
        let others: Vec<_> = self.extra.iter().filter(of_source).collect();
        if parts.iter().any(|(_, text)| !text.is_empty()) || !date.is_empty() || !others.is_empty()
        {
            out.push_str("source:\n");
            for (name, text) in parts {
                if !text.is_empty() {
                    let _ = writeln!(out, "  {name}: {}", quoted(text));
                }
            }
            if !date.is_empty() {
                out.push_str("  date:\n");
                for (name, number) in date {
                    let _ = writeln!(out, "    {name}: {number}");
                }
            }
            for (name, text) in others {
                let name = name.trim_start_matches("source.");
                let _ = writeln!(out, "  {}: {}", quoted(name), quoted(text));
            }
        }
        for (name, text) in [
            ("title", &self.title),
            ("award", &self.award),
            ("stipulation", &self.stipulation),
            ("intended-solutions", &self.solutions),
            (UNREAD, &self.unread_diagram),
        ] {
            if !text.is_empty() {
                let _ = writeln!(out, "{name}: {}", quoted(text));
            }
        }
        // With a list of conditions beside them, options are not looked at for such.
        list("options", &self.options, &mut out);
        list("conditions", &self.conditions, &mut out);
        if !self.options.is_empty() && self.conditions.is_empty() {
            out.push_str("conditions: []\n");
        }
        if !self.twins.is_empty() {
            out.push_str("twins:\n");
            for (name, change) in &self.twins {
                let _ = writeln!(out, "  {}: {}", quoted(name), quoted(change));
            }
        }
        list("keywords", &self.keywords, &mut out);
        list("comments", &self.comments, &mut out);
        if !self.solution.is_empty() {
            let _ = writeln!(out, "solution: {}", quoted(&self.solution));
        }
        for (name, text) in self.extra.iter().filter(|name| !of_source(name)) {
            let _ = writeln!(out, "{}: {}", quoted(name), quoted(text));
        }
        out
    }
}

fn list(name: &str, values: &[String], out: &mut String) {
    if values.is_empty() {
        return;
    }
    let _ = writeln!(out, "{name}:");
    for value in values {
        let _ = writeln!(out, "- {}", quoted(value));
    }
}

/// The strings of JSON are strings of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The parts of a date of PGN that are known.
fn dates(date: &str) -> Vec<(&'static str, u32)> {
    ["year", "month", "day"]
        .into_iter()
        .zip(date.split('.'))
        .map_while(|(name, part)| Some((name, part.parse().ok()?)))
        .collect()
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
