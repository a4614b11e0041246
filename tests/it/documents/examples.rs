//! Every example of every document is run, and its output compared.

use super::{Document, MEND, compare, markdown, names, session::Session, writing};

/// What cannot be run, by document and reason: a line more is a promise less.
const NOT_RUN: &[(&str, &str)] = &[
    ("README.md", "these are the tests"),
    ("README.md", "it runs until it is ended"),
    ("docs/commands.md", "the file is your own"),
    ("docs/commands.md", "they write into your home folder"),
    ("docs/explorer.md", "it runs until it is ended"),
    ("docs/explorer.md", "it runs until it is ended"),
    ("docs/explorer.md", "it runs until it is ended"),
    ("docs/explorer.md", "it runs until it is ended"),
    ("docs/explorer.md", "needs nginx"),
    ("docs/explorer.md", "needs systemd"),
    ("docs/fuzzing.md", "installs a program and needs minutes"),
    ("docs/people.md", "the names are those of your own games"),
];

#[test]
fn what_is_not_run_is_known() {
    let mut found = Vec::new();
    for name in names() {
        let document = Document::open(&name);
        for block in markdown::blocks(&document.lines) {
            if let Some(why) = block.comment("not run") {
                found.push((name.clone(), why.to_owned()));
            }
        }
    }
    let known: Vec<_> = NOT_RUN
        .iter()
        .map(|(name, why)| ((*name).to_owned(), (*why).to_owned()))
        .collect();
    assert_eq!(
        found,
        known,
        "examples that are not run (NOT_RUN in {})",
        file!()
    );
}

#[test]
fn examples_run_and_print_what_is_shown() {
    let mut wrong = Vec::new();
    for name in names() {
        let mut document = Document::open(&name);
        Run::of(&name).document(&mut document);
        wrong.append(&mut document.wrong);
        document.close();
    }
    assert!(wrong.is_empty(), "\n{}\n{MEND}\n", wrong.join("\n"));
}

/// The run of one document.
struct Run {
    session: Session,
    /// What the last command printed, for a block that shows it.
    last: Vec<String>,
    /// Variables that were exported, as lines of shell.
    exports: String,
    /// Lines to be put into the place of others.
    edits: Vec<(std::ops::Range<usize>, Vec<String>)>,
}

impl Run {
    /// README.md imports the samples itself, all others find them imported.
    fn of(name: &str) -> Self {
        let session = match name {
            "README.md" => Session::empty(),
            _ => Session::imported(),
        };
        Self {
            session,
            last: Vec::new(),
            exports: String::new(),
            edits: Vec::new(),
        }
    }

    fn document(mut self, document: &mut Document) {
        for block in markdown::blocks(&document.lines) {
            if block.comment("not run").is_some() {
                continue;
            }
            match block.language.as_str() {
                "sh" | "console" => self.commands(document, &block),
                "sql" => self.statements(document, &block),
                "text" if block.comment("output").is_some() => {
                    let printed = std::mem::take(&mut self.last);
                    self.compare(document, block.body, &printed);
                }
                "text" => {
                    for line in block.body {
                        let text = document.lines[line].trim_start();
                        if text.starts_with("plydex ") || text.starts_with("$ ") {
                            document.wrong(line, "a command in a block of `text`: say `sh`");
                        }
                    }
                }
                other => document.wrong(
                    block.body.start - 1,
                    format!("a block of `{other}`: say `sh`, `console`, `sql` or `text`"),
                ),
            }
        }
        for (lines, by) in self.edits.into_iter().rev() {
            document.replace(lines, by);
        }
    }

    /// Runs the commands of a block: each line of `sh`, what stands behind `$ ` of
    /// `console`, where the lines up to the next are what it prints.
    fn commands(&mut self, document: &mut Document, block: &markdown::Block) {
        let shows = block.language == "console";
        let is_command = |line: &str| !shows || line.starts_with("$ ");
        let mut line = block.body.start;
        while line < block.body.end {
            let at = line;
            let text = document.lines[line].clone();
            line += 1;
            if !is_command(&text) {
                document.wrong(at, "output before the first command");
                continue;
            }
            let mut command = text.trim_start_matches("$ ").to_owned();
            while command.ends_with('\\') && line < block.body.end {
                command.truncate(command.len() - 1);
                command.push_str(document.lines[line].trim_start());
                line += 1;
            }
            self.command(
                document,
                at,
                &command,
                block.comment("finds nothing").is_some(),
            );
            if shows {
                let shown = document.lines[line..block.body.end].iter();
                let end = line + shown.take_while(|line| !is_command(line)).count();
                let printed = std::mem::take(&mut self.last);
                self.compare(document, line..end, &printed);
                line = end;
            }
        }
    }

    /// Runs one, which must succeed, and find something if it looks for it.
    fn command(&mut self, document: &mut Document, line: usize, command: &str, nothing: bool) {
        if command.starts_with("export ") {
            self.exports.push_str(command);
            self.exports.push('\n');
        }
        let printed = self.session.run(&format!("{}{command}", self.exports));
        let mut words = command.split_whitespace().skip(1);
        let subcommand = match words.next() {
            Some("--db") => words.nth(1),
            other => other,
        };
        let searches =
            subcommand.is_some_and(|word| ["search", "tree", "export", "show"].contains(&word));
        let expected = i32::from(nothing && searches);
        if printed.status != Some(expected) {
            let what = format!(
                "`{command}` ends with {:?} where {expected} is right{}:\n{}",
                printed.status,
                match printed.status {
                    Some(1) => "; if nothing is to be found, say `<!-- finds nothing: why -->`",
                    _ => "",
                },
                printed.lines.join("\n")
            );
            document.wrong(line, what);
        } else if searches && !nothing {
            let words: Vec<&str> = command.split_whitespace().collect();
            let file = words
                .windows(2)
                .find(|pair| [">", "--output"].contains(&pair[0]));
            let is_empty = match file {
                Some(pair) => {
                    std::fs::metadata(self.session.path(pair[1])).is_ok_and(|file| file.len() == 0)
                }
                None => printed.lines.is_empty() || printed.lines == ["0"],
            };
            if is_empty {
                document.wrong(line, format!("`{command}` finds nothing"));
            }
        }
        self.last = printed.lines;
    }

    /// Runs the statements of a block, each up to its semicolon; rows as `sqlite3` prints
    /// them stand behind it as comments.
    fn statements(&mut self, document: &mut Document, block: &markdown::Block) {
        let mut line = block.body.start;
        while line < block.body.end {
            let at = line;
            let mut sql = String::new();
            while line < block.body.end && !sql.trim_end().ends_with(';') {
                sql.push_str(&document.lines[line]);
                sql.push('\n');
                line += 1;
            }
            let shown = document.lines[line..block.body.end].iter();
            let end = line + shown.take_while(|line| line.starts_with("--")).count();
            let rows = self.session.query("sample.db", &sql);
            if rows.is_empty() {
                document.wrong(at, "the statement finds nothing");
            }
            let rows: Vec<String> = rows.iter().map(|row| format!("-- {row}")).collect();
            if end > line {
                // What is left out stands behind the marks of a comment as well.
                let shown: Vec<String> = document.lines[line..end]
                    .iter()
                    .map(|line| {
                        if line == "-- …" {
                            "…".to_owned()
                        } else {
                            line.clone()
                        }
                    })
                    .collect();
                if !compare::agree(&shown, &rows) {
                    let mended = compare::mended(&shown, &rows).into_iter();
                    let mended = mended
                        .map(|line| {
                            if line == "…" {
                                "-- …".to_owned()
                            } else {
                                line
                            }
                        })
                        .collect();
                    self.differ(document, line..end, mended);
                }
            }
            line = end;
            while line < block.body.end && document.lines[line].is_empty() {
                line += 1;
            }
        }
    }

    /// Compares lines that are shown; empty ones at the end belong to the document.
    fn compare(
        &mut self,
        document: &mut Document,
        lines: std::ops::Range<usize>,
        printed: &[String],
    ) {
        let shown = &document.lines[lines.clone()];
        let blank = shown
            .iter()
            .rev()
            .take_while(|line| line.is_empty())
            .count();
        let lines = lines.start..lines.end - blank;
        let shown = &document.lines[lines.clone()];
        if !shown.is_empty() && shown.iter().all(|line| line.trim() == "…") {
            document.wrong(lines.start, "all of the output is left out");
        } else if !compare::agree(shown, printed) {
            let mended = compare::mended(shown, printed);
            self.differ(document, lines, mended);
        }
    }

    fn differ(&mut self, document: &mut Document, lines: std::ops::Range<usize>, by: Vec<String>) {
        if writing() {
            self.edits.push((lines, by));
            return;
        }
        let first = document.lines[lines.clone()]
            .iter()
            .zip(&by)
            .position(|(shown, printed)| shown != printed)
            .unwrap_or(by.len().min(lines.len()));
        let what = format!("the output is another one; it is to be\n{}", by.join("\n"));
        document.wrong(lines.start + first, what);
    }
}
