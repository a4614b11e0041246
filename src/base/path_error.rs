//! Errors that are about a file or folder.

use std::{
    error::Error,
    fmt,
    path::{Path, PathBuf},
};

use super::display_path;

/// What went wrong, and with which file or folder.
#[derive(Debug)]
pub struct PathError<K> {
    /// As it was named; `-` stands for standard input.
    pub path: PathBuf,
    /// What went wrong.
    pub kind: K,
}

impl<K> PathError<K> {
    /// An error about a path.
    pub fn new(path: &Path, kind: K) -> Self {
        let path = path.to_path_buf();
        Self { path, kind }
    }
}

impl<K: fmt::Display> fmt::Display for PathError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", display_path::path(&self.path), self.kind)
    }
}

impl<K: Error> Error for PathError<K> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}
