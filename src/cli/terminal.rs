//! What the terminal is like, and the way to standard output and error.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};

use super::error::CliError;
use super::render::escape;
use crate::base::cancellable_io;
use crate::base::observe::CancellationToken;
use crate::cli::args::output::BoardStyleArgs;
use crate::cli::args::{Color, ProgressArg};
use crate::cli::pager::Pager;
use crate::draw::board::{BoardStyle, Glyphs};

/// Columns where the width of the terminal is unknown.
const COLUMNS_DEFAULT: usize = 100;
/// Wider than this no table becomes.
const COLUMNS_MAX: usize = 400;
/// Narrower than this a table cannot be read any more, so it may run over.
const COLUMNS_MIN: usize = 40;

/// Headings.
pub const HEADING: Style = Style::new().bold();
/// What may be overlooked.
pub const DIM: Style = Style::new().dimmed();
/// What is to be seen first.
pub const STRONG: Style = Style::new().bold();
/// Trouble.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// A thing worth a look.
pub const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// What helps.
pub const HELP: Style = AnsiColor::Cyan.on_default();

/// What the place is like that is drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalInfo {
    /// A person is looking: escape what would drive the terminal.
    pub terminal: bool,
    /// Colours may be used.
    pub colour: bool,
    /// Characters beyond ASCII may be used for drawing.
    pub unicode: bool,
    /// Width.
    pub columns: usize,
}

impl TerminalInfo {
    /// A page without colour, for pipes and tests.
    pub const fn plain(columns: usize) -> Self {
        Self {
            terminal: false,
            colour: false,
            unicode: true,
            columns,
        }
    }

    /// How boards are drawn on it.
    pub fn board_style(&self, look: BoardStyleArgs) -> BoardStyle {
        BoardStyle {
            glyphs: if self.unicode && !look.ascii {
                Glyphs::Unicode
            } else {
                Glyphs::Ascii
            },
            color: self.colour,
            flipped: look.flip,
        }
    }

    /// What standard output is like.
    pub fn of_stdout(color: Color) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        Self {
            terminal,
            colour: is_coloured(color, &stdout),
            unicode: locale_is_utf8(),
            columns: columns(),
        }
    }

    /// The text in a style, if colours may be used.
    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("{}{text}{}", style.render(), style.render_reset())
        } else {
            text.to_owned()
        }
    }

    /// The text of a tag, made safe for this screen and free of line breaks.
    pub fn safe<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        escape::line(text)
    }

    /// The mark of something cut off.
    pub const fn ellipsis(&self) -> &'static str {
        if self.unicode { "…" } else { "~" }
    }

    /// The dash between two ends of a range.
    pub const fn dash(&self) -> &'static str {
        if self.unicode { "–" } else { "-" }
    }
}

/// Whether colours may be used on a stream.
fn is_coloured(color: Color, stream: &impl RawStream) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => AutoStream::choice(stream) != ColorChoice::Never,
    }
}

/// The width from a text such as `COLUMNS` holds, else the default.
fn columns_from(text: Option<&str>) -> usize {
    text.and_then(|text| text.trim().parse().ok())
        .filter(|&columns: &usize| columns > 0)
        .map_or(COLUMNS_DEFAULT, |columns| columns.max(COLUMNS_MIN))
}

/// The width of the screen: `COLUMNS`, else what the terminal reports, else the default. clap asks
/// the system in order to wrap its help, so a line wrapped by it gives the answer without one more
/// dependency or unsafe code.
fn columns() -> usize {
    let asked = std::env::var("COLUMNS").ok();
    if asked.is_some() {
        return columns_from(asked.as_deref());
    }
    let help = clap::Command::new("")
        .max_term_width(COLUMNS_MAX)
        .help_template("{before-help}")
        .before_help("- ".repeat(COLUMNS_MAX))
        .render_help()
        .to_string();
    // Lines of `- - -` end in a word, so an even width comes out one too small: never too wide.
    let widest = help.lines().map(str::len).max();
    columns_from(widest.map(|columns| columns.to_string()).as_deref())
}

/// Whether the locale asks for something else than UTF-8. Without any locale
/// (containers, services) UTF-8 is the better guess today.
fn locale_is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Standard output, buffered; a writer that waits for its reader ends when `stop` is requested.
/// Without colour the bytes go through as they are: a stripping stream would change the
/// data in a pipe.
pub fn stdout(
    screen: &TerminalInfo,
    pager: Option<String>,
    stop: &CancellationToken,
) -> Box<dyn Write> {
    // Without a standard output nothing can be said that anybody would read.
    let out = cancellable_io::stdout(stop).unwrap_or_else(|_| Box::new(io::sink()));
    let out: Box<dyn Write> = match pager {
        Some(command) => Box::new(Pager::new(command, out)),
        None => out,
    };
    if screen.colour {
        Box::new(BufWriter::with_capacity(1 << 16, AutoStream::always(out)))
    } else {
        Box::new(BufWriter::with_capacity(1 << 16, out))
    }
}

/// What another thread may have left locked is still a text.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Standard error: notes, warnings, errors.
#[derive(Debug, Clone)]
pub struct Messages {
    colour: bool,
    quiet: bool,
    terminal: bool,
    progress: ProgressArg,
    /// What is not shown yet, while a pager has the screen.
    held: Arc<Mutex<Option<String>>>,
}

impl Messages {
    /// What standard error is like.
    pub fn new(color: Color, quiet: bool) -> Self {
        let stderr = io::stderr();
        Self {
            colour: is_coloured(color, &stderr),
            quiet,
            terminal: stderr.is_terminal(),
            progress: ProgressArg::Auto,
            held: Arc::default(),
        }
    }

    /// The same, with progress shown so.
    #[must_use]
    pub fn with_progress(self, progress: ProgressArg) -> Self {
        Self { progress, ..self }
    }

    /// Whether a progress bar may be drawn.
    pub fn may_animate(&self) -> bool {
        self.terminal && !self.quiet && self.progress == ProgressArg::Auto
    }

    /// Whether progress is shown as lines.
    pub fn shows_lines(&self) -> bool {
        !self.quiet && self.progress == ProgressArg::Plain
    }

    /// Keeps everything back until it is [released](Self::release).
    pub(super) fn hold(&self) {
        *lock(&self.held) = Some(String::new());
    }

    /// Shows what was kept back.
    pub(super) fn release(&self) {
        if let Some(text) = lock(&self.held).take() {
            self.show(&text);
        }
    }

    /// Whether only errors are to be shown.
    pub const fn quiet(&self) -> bool {
        self.quiet
    }

    /// Shows a note; nothing with `--quiet`.
    pub fn note(&mut self, text: &str) {
        if !self.quiet {
            self.write(&format!("{}\n", escape::text(text)));
        }
    }

    /// Shows a warning; nothing with `--quiet`.
    pub fn warning(&mut self, text: &str) {
        if !self.quiet {
            let word = self.paint(WARN, "warning:");
            self.write(&format!("{word} {}\n", escape::text(text)));
        }
    }

    /// Shows an error with its causes and its hint.
    pub fn error(&mut self, error: &CliError) {
        let line = |(style, word, text)| {
            let word = self.paint(style, word);
            format!("{word} {}\n", escape::text(text))
        };
        self.write(&error.lines().map(line).collect::<String>());
    }

    fn paint(&self, style: Style, text: &str) -> String {
        TerminalInfo {
            colour: self.colour,
            ..TerminalInfo::plain(0)
        }
        .paint(style, text)
    }

    fn write(&self, text: &str) {
        match &mut *lock(&self.held) {
            Some(held) => held.push_str(text),
            None => self.show(text),
        }
    }

    /// A failure is ignored where standard error itself cannot be written.
    fn show(&self, text: &str) {
        let lock = io::stderr().lock();
        let mut stream = if self.colour {
            AutoStream::always(lock)
        } else {
            AutoStream::never(lock)
        };
        let _ = stream.write_all(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_comes_from_the_environment_within_reason() {
        assert_eq!(columns_from(None), 100);
        assert_eq!(columns_from(Some("132")), 132);
        assert_eq!(columns_from(Some(" 80 ")), 80);
        assert_eq!(columns_from(Some("5")), 40);
        assert_eq!(columns_from(Some("0")), 100);
        assert_eq!(columns_from(Some("wide")), 100);
    }

    #[test]
    fn paint_does_nothing_without_colour() {
        assert_eq!(TerminalInfo::plain(80).paint(STRONG, "e4"), "e4");
        let screen = TerminalInfo {
            colour: true,
            ..TerminalInfo::plain(80)
        };
        assert_eq!(screen.paint(STRONG, "e4"), "\u{1b}[1me4\u{1b}[0m");
        assert_eq!(screen.paint(STRONG, ""), "");
    }
}
