//! Collections of problems as they are written: a record as it came where it stood in the
//! same format, else from its fields.

use super::{StoredProblem, lines, olive, popeye::PopeyeWriter};

/// The format that a collection is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionFormat {
    /// Plain lines.
    Lines,
    /// Popeye's input.
    Popeye,
    /// The YAML of olive and YACPDB.
    Olive,
}

/// Writes a collection, problem by problem.
#[derive(Debug)]
pub struct CollectionWriter {
    format: CollectionFormat,
    popeye: PopeyeWriter,
    /// The end of the last problem's text, as far as it matters: nothing before the first.
    last: Option<String>,
}

impl CollectionWriter {
    /// Begins a collection.
    #[must_use]
    pub fn new(format: CollectionFormat) -> Self {
        Self {
            format,
            popeye: PopeyeWriter::default(),
            last: None,
        }
    }

    /// Writes a problem after the others.
    pub fn problem(&mut self, filed: &StoredProblem, out: &mut String) {
        let from = out.len();
        let above = self.last.take();
        let name = match self.format {
            CollectionFormat::Lines => "problems",
            CollectionFormat::Popeye => "popeye",
            CollectionFormat::Olive => "olive",
        };
        let came = filed.text_in(name);
        let first = came.and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
        let first = first.unwrap_or_default().trim();
        let is_lines = self.format == CollectionFormat::Lines;
        let begins_above = is_lines && came.is_some() && !lines::has_diagram(first);
        part(above.as_deref(), begins_above, out);
        match (self.format, came) {
            (CollectionFormat::Popeye, _) => self.popeye.problem(filed, out),
            (CollectionFormat::Lines, None) => {
                out.push_str(&filed.problem.write_line());
                out.push('\n');
            }
            (CollectionFormat::Olive, None) => out.push_str(&filed.problem.write_yaml()),
            (_, Some(text)) => {
                if !is_lines && above.is_some() && !olive::begins_document(first) {
                    out.push_str("---\n");
                }
                out.push_str(text);
            }
        }
        let end = out[from..].char_indices().rev().nth(3);
        let end = end.map_or(from, |(at, _)| from + at);
        self.last = Some(out[end..].to_owned());
    }

    /// Ends the collection.
    pub fn finish(&mut self, out: &mut String) {
        if self.format == CollectionFormat::Popeye {
            self.popeye.finish(out);
        }
    }
}

/// Ends the line above, and parts what follows by a blank line if need be.
fn part(above: Option<&str>, by_blank_line: bool, out: &mut String) {
    let Some(above) = above else {
        return;
    };
    let is_ended = above.ends_with(['\n', '\r']);
    if !is_ended {
        out.push('\n');
    }
    let bare = above.trim_end_matches(['\n', '\r']);
    let ends = above[bare.len()..].matches('\n').count();
    if by_blank_line && ends < 2 {
        out.push('\n');
    }
}
