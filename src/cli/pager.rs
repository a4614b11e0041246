//! A pager for long answers on a terminal, as git has one.

use std::env;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// What is run where the user names no pager.
const USUAL: &str = "less";
/// Settings of `less`, where the user has none: it ends by itself if the answer fits on the screen,
/// shows colours, and leaves the answer on the screen.
const LESS: &str = "FRX";

/// The pager that the user wants: `PLYDEX_PAGER`, else `PAGER`, else `less`; `None` if that is empty
/// or `cat`.
pub(crate) fn wanted() -> Option<String> {
    let named = ["PLYDEX_PAGER", "PAGER"].into_iter().find_map(env::var_os);
    let command = named.map_or_else(|| USUAL.to_owned(), |name| name.to_string_lossy().into());
    let command = command.trim();
    (!matches!(command, "" | "cat")).then(|| command.to_owned())
}

/// A pager that starts when the first byte is written. Where it cannot be started, the bytes go to
/// standard output.
pub(crate) struct Pager {
    command: String,
    running: Option<(Child, Option<ChildStdin>)>,
    /// Where they go if there is no pager.
    direct: Box<dyn Write>,
    has_begun: bool,
}

impl Pager {
    pub(crate) fn new(command: String, direct: Box<dyn Write>) -> Self {
        Self {
            command,
            running: None,
            direct,
            has_begun: false,
        }
    }

    /// Closes the pager's input and waits until the user has left it.
    pub(crate) fn end(&mut self) {
        if let Some((mut child, input)) = self.running.take() {
            drop(input);
            let _ = child.wait();
        }
    }

    fn begin(&mut self) {
        self.has_begun = true;
        let mut shell = if cfg!(windows) {
            let mut shell = Command::new("cmd");
            shell.arg("/C");
            shell
        } else {
            let mut shell = Command::new("sh");
            // Says where there is no such command, before anything is written to it.
            shell.arg("-c");
            shell
        };
        shell.arg(&self.command).stdin(Stdio::piped());
        for (name, value) in [("LESS", LESS), ("LV", "-c")] {
            if env::var_os(name).is_none() {
                shell.env(name, value);
            }
        }
        if !is_there(&self.command) {
            return;
        }
        if let Ok(mut child) = shell.spawn() {
            let input = child.stdin.take();
            self.running = Some((child, input));
        }
    }

    fn target(&mut self) -> &mut dyn Write {
        if !self.has_begun {
            self.begin();
        }
        match &mut self.running {
            Some((_, Some(input))) => input,
            _ => &mut *self.direct,
        }
    }
}

/// Whether the first word of a command is a program.
fn is_there(command: &str) -> bool {
    let Some(program) = command.split_whitespace().next() else {
        return false;
    };
    if program.contains(['/', '\\', '"', '\'', '$', '=']) {
        // The shell knows.
        return true;
    }
    let endings = if cfg!(windows) {
        &["", ".exe"][..]
    } else {
        &[""]
    };
    env::var_os("PATH").is_some_and(|path| {
        env::split_paths(&path).any(|folder| {
            let is_file = |ending: &&str| folder.join(format!("{program}{ending}")).is_file();
            endings.iter().any(is_file)
        })
    })
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        // What was not begun has nothing to be flushed.
        if self.has_begun {
            self.target().flush()
        } else {
            Ok(())
        }
    }
}

impl Drop for Pager {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_written_goes_through_the_pager() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("paged");
        let command = format!("cat > '{}'", file.display());
        let mut pager = Pager::new(command, Box::new(io::sink()));
        pager.flush()?;
        assert!(!file.exists(), "it starts with the first byte");
        pager.write_all(b"1. e4 ")?;
        pager.write_all(b"e5\n")?;
        pager.end();
        assert_eq!(fs::read_to_string(&file)?, "1. e4 e5\n");
        Ok(())
    }

    #[test]
    fn a_pager_that_the_user_leaves_is_a_closed_pipe() {
        let mut pager = Pager::new("true".to_owned(), Box::new(io::sink()));
        let line = vec![b'x'; 1 << 16];
        let error = (0..64).find_map(|_| pager.write_all(&line).err());
        assert_eq!(
            error.map(|error| error.kind()),
            Some(io::ErrorKind::BrokenPipe)
        );
    }

    #[test]
    fn without_a_pager_nothing_is_lost() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("direct");
        let direct = Box::new(fs::File::create(&file)?);
        let mut pager = Pager::new("no-such-pager -x".to_owned(), direct);
        pager.write_all(b"1. d4\n")?;
        pager.end();
        assert_eq!(fs::read_to_string(&file)?, "1. d4\n");
        Ok(())
    }
}
