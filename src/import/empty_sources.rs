//! An import whose sources could be opened, and have nothing to be stored.

use std::{fmt, path::Path};

use crate::input::{SourceError, SourceErrorKind};

/// The sources of an import in which no game, position or problem is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptySources {
    /// How many were read.
    pub sources: u64,
    /// How many of them are text.
    pub texts: usize,
    /// Those that could not be read (to the end), and why.
    pub failed: Vec<(String, String)>,
    /// Those that were read to the end.
    pub empty: Vec<String>,
    /// Members of archives, and files of folders, that are no games by name or beginning.
    pub files_skipped: u64,
    /// The first of them, as many as [`NAMED`](super::NAMED).
    pub files_skipped_named: Vec<String>,
}

/// Sources and members that are named in one line.
const SHOWN: usize = 3;

impl EmptySources {
    /// What to do about it, for a person.
    pub(super) const fn hint(&self) -> &'static str {
        if self.failed.is_empty() {
            "name a file, folder or archive with games or positions"
        } else {
            "look at the files that cannot be read; nothing was stored"
        }
    }
}

impl fmt::Display for EmptySources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.failed[..], &self.empty[..]) {
            ([(source, why)], []) if why.starts_with(source.as_str()) => f.write_str(why),
            ([(source, why)], []) => write!(f, "{source}: {why}"),
            ([], [text]) if self.texts > 0 => {
                let error = SourceError::new(Path::new(text), SourceErrorKind::NoRecord);
                write!(f, "{error}")
            }
            ([], [archive]) if self.files_skipped == 0 => {
                write!(
                    f,
                    "{archive}: not a file of games: it is an archive without files"
                )
            }
            ([], [archive]) => {
                let within = |name: &String| {
                    let name = name.strip_prefix(archive.as_str()).unwrap_or(name);
                    name.trim_start_matches(['/', '\\']).to_owned()
                };
                let names: Vec<String> = self.files_skipped_named.iter().map(within).collect();
                write!(f, "{archive}: no file of games in it; it has ")?;
                write_names(f, &names, self.files_skipped)
            }
            (failed, empty) => {
                write!(
                    f,
                    "none of the {} sources has a game or position: ",
                    self.sources
                )?;
                let names = failed.iter().map(|(source, _)| source).chain(empty);
                write_names(f, &names.cloned().collect::<Vec<_>>(), self.sources)
            }
        }
    }
}

/// Writes the first names of `all` things.
fn write_names(f: &mut fmt::Formatter<'_>, names: &[String], all: u64) -> fmt::Result {
    let shown = &names[..names.len().min(SHOWN)];
    f.write_str(&shown.join(", "))?;
    match all - shown.len() as u64 {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}
