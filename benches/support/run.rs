//! Runs of whole programs, and what they took.

use std::{
    fs,
    io::Read,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// What one run of a program took.
pub(crate) struct Run {
    pub(crate) cpu: Option<f64>,
    pub(crate) wall: f64,
    // Not every benchmark asks for it.
    #[allow(dead_code)]
    pub(crate) peak_mib: Option<f64>,
    // Likewise.
    #[allow(dead_code)]
    pub(crate) output: String,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cpu = self.cpu.unwrap_or(f64::NAN);
        write!(f, "{cpu:.2} CPU s, {:.2} s", self.wall)
    }
}

/// Runs a program to its end.
pub(crate) fn measure(command: &mut Command) -> Run {
    let before = children_cpu();
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Meanwhile: a pipe holds little of what is written.
    let mut written = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut output = String::new();
        written.read_to_string(&mut output).map(|_| output)
    });
    let peak_mib = wait(&mut child);
    let wall = start.elapsed().as_secs_f64();
    let output = reader.join().unwrap().unwrap();
    assert!(child.wait().unwrap().success(), "{command:?}");
    Run {
        cpu: children_cpu()
            .zip(before)
            .map(|(after, before)| after - before),
        wall,
        peak_mib,
        output,
    }
}

/// Waits for a child and asks now and then how much memory it has had at most.
fn wait(child: &mut Child) -> Option<f64> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().unwrap().is_none() {
        if let Some(kib) = peak_kib(&status) {
            peak = Some(kib / 1024.0);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}

fn peak_kib(status: &str) -> Option<f64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// CPU seconds, user and system, of all children that were waited for. Linux
/// tells them in hundredths; elsewhere they are not measured.
fn children_cpu() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold blanks, so fields are counted behind it:
    // `cutime` and `cstime` are fields 16 and 17, the state is field 3.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}
