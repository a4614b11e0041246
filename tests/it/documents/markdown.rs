//! The parts of Markdown that are looked at: blocks of code with the comments above them,
//! tables, headings, and words in code.

use std::ops::Range;

/// A fenced block.
pub(super) struct Block {
    /// What stands behind the fence.
    pub(super) language: String,
    /// Its lines, without the fences, counted from 0.
    pub(super) body: Range<usize>,
    /// The comments directly above it, without their marks.
    pub(super) comments: Vec<String>,
}

impl Block {
    /// What a comment above says behind a word and a colon, or nothing behind the word.
    pub(super) fn comment(&self, word: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| {
            let rest = comment.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with(':')).then(|| rest.trim_matches([':', ' ']))
        })
    }
}

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    Some(inner.trim())
}

/// The comments directly above a line.
pub(super) fn comments_above(lines: &[String], line: usize) -> Vec<String> {
    let above = lines[..line].iter().rev();
    above
        .skip_while(|line| line.is_empty())
        .map_while(|line| comment(line))
        .map(str::to_owned)
        .collect()
}

/// All blocks.
pub(super) fn blocks(lines: &[String]) -> Vec<Block> {
    let fences: Vec<usize> = (0..lines.len())
        .filter(|&line| lines[line].trim_start().starts_with("```"))
        .collect();
    assert!(fences.len().is_multiple_of(2), "a fence is not closed");
    fences
        .chunks(2)
        .map(|pair| Block {
            language: lines[pair[0]].trim_start_matches(['`', ' ']).to_owned(),
            body: pair[0] + 1..pair[1],
            comments: comments_above(lines, pair[0]),
        })
        .collect()
}

/// A table.
pub(super) struct Table {
    /// The headings above it, from the outermost.
    pub(super) headings: Vec<String>,
    /// The cells of its first line.
    pub(super) columns: Vec<String>,
    /// Its lines, the two of the head included, counted from 0.
    pub(super) lines: Range<usize>,
    /// The other rows.
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// Whether it is below a heading, at any depth.
    pub(super) fn is_below(&self, heading: &str) -> bool {
        self.headings.iter().any(|above| above == heading)
    }

    /// The line of a row.
    pub(super) const fn line(&self, row: usize) -> usize {
        self.lines.start + 2 + row
    }
}

/// The cells of a row.
pub(super) fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|');
    let line = line.strip_suffix('|').unwrap_or(line);
    line.replace("\\|", "\0")
        .split('|')
        .map(|cell| cell.trim().replace('\0', "|"))
        .collect()
}

/// All tables.
pub(super) fn tables(lines: &[String]) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut headings: Vec<String> = Vec::new();
    let mut line = 0;
    while line < lines.len() {
        let text = &lines[line];
        let end = line
            + lines[line..]
                .iter()
                .take_while(|line| line.starts_with('|'))
                .count();
        if let Some((marks, heading)) = text.split_once(' ')
            && !marks.is_empty()
            && marks.bytes().all(|byte| byte == b'#')
        {
            headings.truncate(marks.len() - 1);
            headings.resize(marks.len() - 1, String::new());
            headings.push(heading.to_owned());
        } else if end > line + 1 {
            tables.push(Table {
                headings: headings.clone(),
                columns: cells(text),
                lines: line..end,
                rows: lines[line + 2..end]
                    .iter()
                    .map(|line| cells(line))
                    .collect(),
            });
            line = end;
        }
        line += 1;
    }
    tables
}

/// The lines below a heading, up to the next that is no deeper.
pub(super) fn section(lines: &[String], heading: &str) -> Range<usize> {
    let depth = |line: &str| line.bytes().take_while(|&byte| byte == b'#').count();
    let start = lines
        .iter()
        .position(|line| depth(line) > 0 && line.trim_start_matches(['#', ' ']) == heading)
        .unwrap_or_else(|| panic!("no heading `{heading}`"));
    let ends = |line: &String| (1..=depth(&lines[start])).contains(&depth(line));
    let end = lines[start + 1..].iter().position(ends);
    start..end.map_or(lines.len(), |end| start + 1 + end)
}

/// The words in code of a line or cell, without their marks.
pub(super) fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// A text without what stands in parentheses.
pub(super) fn without_asides(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for c in text.chars() {
        depth += usize::from(c == '(');
        if depth == 0 {
            kept.push(c);
        }
        depth = depth.saturating_sub(usize::from(c == ')'));
    }
    kept
}
