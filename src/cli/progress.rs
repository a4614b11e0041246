//! Progress on the terminal, Ctrl-C, and the report of findings: the shell's
//! side of the [`Observer`].

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::error::CliError;
use super::output::Output;
use super::render::{escape, number};
use super::terminal::Messages;
use crate::base::cancellable_io;
use crate::base::display_path;
use crate::base::observe::{CancellationToken, Event, Observer};

/// What is done sooner needs no bar.
const SHOW_AFTER: Duration = Duration::from_millis(250);
/// Frames a second of the spinner and the bar.
const TICK: Duration = Duration::from_millis(100);

/// Between two lines of plain progress.
const LINE_EVERY: Duration = Duration::from_secs(2);

const BYTES: &str =
    "{msg} {wide_bar:.cyan/dim} {percent:>3}%  {decimal_bytes_per_sec}  {games}  {left}";
const STREAM: &str =
    "{spinner:.cyan} {msg}  {decimal_bytes}  {decimal_bytes_per_sec}  {games}  {elapsed}";
const STEPS: &str = "{msg} {wide_bar:.cyan/dim} {percent:>3}%  {left}";
const PHASE: &str = "{spinner:.cyan} {msg}  {elapsed}";

/// Draws progress, writes the report, and stops on Ctrl-C.
pub struct Progress {
    started: Instant,
    stop: CancellationToken,
    notes: Messages,
    /// What the run waits for, as it was reported last.
    waiting: Mutex<String>,
    animate: bool,
    /// Bytes of all sources together, where all of them are files.
    bytes_total: Option<u64>,
    bytes_read: AtomicU64,
    /// The source that was opened last.
    source: Mutex<Option<OpenSource>>,
    /// Whether a phase is shown, and not that source.
    in_phase: AtomicBool,
    games: std::sync::Arc<AtomicU64>,
    bar: Mutex<ProgressBar>,
    /// What is shown as lines, if it is.
    lines: Option<Mutex<PlainProgress>>,
    /// Taken out when it is ended.
    report: Mutex<Option<ReportFile>>,
}

/// A source that is being read.
#[derive(Clone)]
struct OpenSource {
    name: String,
    bytes: Option<u64>,
    /// The bytes that were read of sources before it.
    bytes_before: u64,
}

/// What is under way, as a line says it.
#[derive(Default)]
struct PlainProgress {
    name: String,
    is_bytes: bool,
    done: u64,
    total: Option<u64>,
    /// When the last line was written.
    shown: Option<Instant>,
}

impl PlainProgress {
    fn line(&self, games_a_second: Option<u64>) -> String {
        use std::fmt::Write as _;

        let amount = |number| {
            if self.is_bytes {
                number::bytes(number)
            } else {
                number::count(number)
            }
        };
        let mut line = format!("{}: {}", self.name, amount(self.done));
        if let Some(total @ 1..) = self.total {
            let percent = self.done.min(total) * 100 / total;
            let _ = write!(line, " of {} ({percent} %)", amount(total));
        }
        if let Some(games) = games_a_second {
            let _ = write!(line, ", {} games/s", number::count(games));
        }
        line
    }
}

/// The findings, one JSON object a line.
struct ReportFile {
    out: Output,
    /// Why it cannot be written any more.
    failed: Option<io::Error>,
}

/// A bar that was locked when its owner panicked is still a bar.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress {
    /// Progress of a run; `bytes_total` is what will be read, if it is known.
    pub fn new(notes: &Messages, stop: &CancellationToken, bytes_total: Option<u64>) -> Self {
        Self {
            started: Instant::now(),
            stop: stop.clone(),
            notes: notes.clone(),
            waiting: Mutex::default(),
            animate: notes.may_animate(),
            bytes_total,
            bytes_read: AtomicU64::new(0),
            source: Mutex::default(),
            in_phase: AtomicBool::new(false),
            games: std::sync::Arc::default(),
            bar: Mutex::new(ProgressBar::hidden()),
            lines: notes.shows_lines().then(Mutex::default),
            report: Mutex::default(),
        }
    }

    /// Writes the findings as well.
    pub(crate) fn with_report(self, out: Output) -> Self {
        *lock(&self.report) = Some(ReportFile { out, failed: None });
        self
    }

    /// Time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Bytes read from all sources.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        lock(&self.bar).finish_and_clear();
    }

    /// Ends the report and puts it into its place.
    pub fn end_report(&self) -> Result<(), CliError> {
        let Some(ReportFile { out, failed }) = lock(&self.report).take() else {
            return Ok(());
        };
        match failed {
            Some(error) if cancellable_io::is_stopped(&error) => Err(error.into()),
            Some(error) => Err(CliError::new(format!(
                "{}: cannot write the report",
                display_path::path(out.name())
            ))
            .because(&error)
            .hint("the games read so far are stored; name another file with --report")),
            None => out.finish(),
        }
    }

    /// Puts another bar in the place of the old one.
    fn show(&self, template: &str, length: Option<u64>, message: String) {
        if !self.animate {
            return;
        }
        let bar = lock(&self.bar);
        bar.finish_and_clear();
        drop(bar);
        let games = self.games.clone();
        let started = self.started;
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("━╸─")
            .with_key(
                "left",
                |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = write!(out, "{} left", number::duration(state.eta()));
                },
            )
            .with_key(
                "games",
                move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let rate = games.load(Ordering::Relaxed) as f64
                        / started.elapsed().as_secs_f64().max(0.001);
                    let _ = write!(out, "{} games/s", number::count(rate as u64));
                },
            );
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        bar.set_style(style);
        bar.set_message(message);
        *lock(&self.bar) = bar;
        self.reveal();
    }

    /// One bar for all files: it goes on where it was.
    fn show_total(&self, total: u64, name: String) {
        let shown = {
            let bar = lock(&self.bar);
            bar.set_message(name.clone());
            bar.length() == Some(total) && !bar.is_finished()
        };
        if !shown {
            self.show(BYTES, Some(total), name);
            let bar = lock(&self.bar);
            bar.set_position(self.bytes_read());
            // What was read before is no hint at today's speed.
            bar.reset_eta();
        }
    }

    /// Shows how much of a source is read.
    fn show_source(&self, source: &OpenSource) {
        self.in_phase.store(false, Ordering::Relaxed);
        let OpenSource { name, bytes, .. } = source.clone();
        self.begin(&name, bytes, true);
        match (self.bytes_total, bytes) {
            (Some(total), _) => self.show_total(total, name),
            (None, Some(size)) => self.show(BYTES, Some(size), name),
            (None, None) if name == "-" => self.show(STREAM, None, "standard input".into()),
            (None, None) => self.show(STREAM, None, name),
        }
    }

    /// Shows the source again, if games of it are handled after a phase.
    fn leave_phase(&self) {
        if !self.in_phase.load(Ordering::Relaxed) {
            return;
        }
        let Some(source) = lock(&self.source).clone() else {
            return;
        };
        self.show_source(&source);
        let mut done = self.bytes_read();
        if self.bytes_total.is_none() {
            done -= source.bytes_before;
        }
        let bar = lock(&self.bar);
        bar.set_position(done);
        bar.reset_eta();
        drop(bar);
        if let Some(lines) = &self.lines {
            lock(lines).done = done;
        }
    }

    /// Makes the bar visible once the run has taken long enough.
    fn reveal(&self) {
        let bar = lock(&self.bar);
        if self.animate
            && bar.is_hidden()
            && !bar.is_finished()
            && self.started.elapsed() >= SHOW_AFTER
        {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    }

    /// Says whom we wait for: on a terminal until it is over, elsewhere once.
    fn wait_for(&self, whom: &str) {
        let mut waiting = lock(&self.waiting);
        if *waiting == whom {
            return;
        }
        whom.clone_into(&mut waiting);
        let text = format!("waiting for {whom}");
        if self.animate {
            self.show(PHASE, None, text);
        } else {
            self.notes.clone().note(&text);
        }
    }

    fn advance(&self, steps: u64) {
        lock(&self.bar).inc(steps);
        self.reveal();
        if let Some(lines) = &self.lines {
            lock(lines).done += steps;
            self.say();
        }
    }

    /// Begins something that lines are about.
    fn begin(&self, name: &str, total: Option<u64>, is_bytes: bool) {
        let Some(lines) = &self.lines else {
            return;
        };
        let mut lines = lock(lines);
        let goes_on = is_bytes && self.bytes_total.is_some() && lines.is_bytes;
        *lines = PlainProgress {
            name: name.to_owned(),
            is_bytes,
            done: if goes_on { lines.done } else { 0 },
            total: if is_bytes {
                self.bytes_total.or(total)
            } else {
                total
            },
            shown: lines.shown,
        };
    }

    /// Writes a line, if the last one was written long enough ago.
    fn say(&self) {
        let Some(lines) = &self.lines else {
            return;
        };
        let mut lines = lock(lines);
        let since = lines.shown.unwrap_or(self.started);
        if since.elapsed() < LINE_EVERY {
            return;
        }
        lines.shown = Some(Instant::now());
        let seconds = self.started.elapsed().as_secs_f64().max(0.001);
        let games = self.games.load(Ordering::Relaxed);
        let rate = (lines.is_bytes && games > 0).then(|| (games as f64 / seconds) as u64);
        let line = lines.line(rate);
        drop(lines);
        self.notes.clone().note(&line);
    }
}

impl ReportFile {
    fn write(&mut self, report: &crate::base::diagnostic::LocatedDiagnostic) {
        if self.failed.is_none() {
            let written = serde_json::to_writer(&mut self.out, report)
                .map_err(io::Error::from)
                .and_then(|()| self.out.write_all(b"\n"));
            self.failed = written.err();
        }
    }
}

impl Observer for Progress {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::SourceOpened { name, bytes } => {
                let source = OpenSource {
                    name: escape::line(name).into_owned(),
                    bytes,
                    bytes_before: self.bytes_read(),
                };
                self.show_source(&source);
                *lock(&self.source) = Some(source);
            }
            Event::BytesRead { bytes } => {
                self.bytes_read.fetch_add(bytes, Ordering::Relaxed);
                if !self.in_phase.load(Ordering::Relaxed) {
                    self.advance(bytes);
                }
            }
            Event::GamesHandled { games } => {
                self.leave_phase();
                self.games.fetch_add(games, Ordering::Relaxed);
                self.reveal();
                self.say();
            }
            Event::Diagnostic(finding) => {
                if let Some(report) = &mut *lock(&self.report) {
                    report.write(finding);
                }
            }
            Event::Phase { name, steps } => {
                self.in_phase.store(true, Ordering::Relaxed);
                self.begin(name, steps, false);
                let template = if steps.is_some() { STEPS } else { PHASE };
                self.show(template, steps, name.to_owned());
            }
            Event::Waiting { for_whom } => {
                self.wait_for(for_whom);
                self.reveal();
            }
            Event::Steps { steps } => self.advance(steps),
        }
        let report = lock(&self.report);
        let has_failed = report
            .as_ref()
            .is_some_and(|report| report.failed.is_some());
        if self.stop.is_cancelled() || has_failed {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn stop(&self) -> CancellationToken {
        self.stop.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::diagnostic;
    use crate::cli::args::Color;
    use crate::cli::output::{Destination, ProtectedFiles};

    fn output(path: &std::path::Path) -> Result<Output, CliError> {
        let destination = Destination {
            path: path.to_owned(),
            force: false,
            other: "name another file",
        };
        let kept = ProtectedFiles::database(std::path::Path::new("none.db"));
        destination
            .place(&kept)?
            .open(&CancellationToken::default())
    }

    fn finding() -> diagnostic::LocatedDiagnostic {
        diagnostic::LocatedDiagnostic {
            code: "illegal-move",
            severity: "error",
            source: "a.pgn".into(),
            member: None,
            game_number: Some(3),
            game: Some(3),
            offset_bytes: 1024,
            line: None,
            message: "m",
            detail: "Bc5".into(),
        }
    }

    #[test]
    fn the_report_is_one_object_a_line() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("report.ndjson");
        let notes = Messages::new(Color::Never, true);
        let progress =
            Progress::new(&notes, &CancellationToken::default(), None).with_report(output(&path)?);
        assert!(progress.on(Event::Diagnostic(&finding())).is_continue());
        assert!(progress.on(Event::BytesRead { bytes: 7 }).is_continue());
        assert!(!path.exists(), "it is there when it is whole");
        progress.end_report()?;
        assert_eq!(progress.bytes_read(), 7);
        let text = std::fs::read_to_string(&path)?;
        assert_eq!(text.lines().count(), 1);
        let value: serde_json::Value = serde_json::from_str(text.trim())?;
        assert_eq!(value["code"], "illegal-move");
        assert_eq!(value["member"], serde_json::Value::Null);
        Ok(())
    }

    #[test]
    fn plain_progress_is_a_line() {
        let mut plain = PlainProgress {
            name: "games.pgn".to_owned(),
            is_bytes: true,
            done: 34_200_000,
            total: Some(68_400_000),
            shown: None,
        };
        assert_eq!(
            plain.line(Some(5031)),
            "games.pgn: 34.2 MB of 68.4 MB (50 %), 5,031 games/s"
        );
        (plain.is_bytes, plain.total) = (false, None);
        assert_eq!(plain.line(None), "games.pgn: 34,200,000");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_stops_the_run_and_is_told() -> Result<(), Box<dyn std::error::Error>> {
        let notes = Messages::new(Color::Never, true);
        let full = output(std::path::Path::new("/dev/full"))?;
        let progress = Progress::new(&notes, &CancellationToken::default(), None).with_report(full);
        let mut asked_to_stop = false;
        for _ in 0..1000 {
            asked_to_stop |= progress.on(Event::Diagnostic(&finding())).is_break();
        }
        assert!(asked_to_stop);
        assert!(
            progress
                .end_report()
                .is_err_and(|e| e.to_string().contains("/dev/full"))
        );
        Ok(())
    }
}
