//! Expands what a user named: files as they are, folders into the game files
//! below them, `-` into standard input.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::error::{SourceError, SourceErrorKind as Kind};
use super::{OpenedSource, format};
use crate::base::display_path;
use crate::base::observe::CancellationToken;

/// One source to be opened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SourcePath {
    /// A file.
    File(PathBuf),
    /// Standard input, named `-`.
    Stdin,
}

impl SourcePath {
    /// The path; `-` for standard input.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Stdin => Path::new("-"),
        }
    }
}

impl fmt::Display for SourcePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&display_path::path(self.path()))
    }
}

/// Which files of a folder are taken.
#[derive(Debug, Clone, Copy)]
pub struct FileFilter<'w> {
    /// Those whose name has one of these endings, compressed or not.
    pub endings: &'w [&'w str],
    /// Those with another name that begin so. Shown are 4 KiB at most.
    pub begins: fn(&[u8]) -> bool,
    /// Folders that may have none.
    pub may_be_empty: &'w [PathBuf],
}

/// Bytes that are looked at of a file whose name says nothing.
const GLANCE_BYTES: u64 = 4 << 10;

/// Endings of copies that programs make, and of files that are not there yet.
const COPIES: &[&str] = &[
    "bak",
    "crdownload",
    "download",
    "old",
    "orig",
    "part",
    "partial",
    "swp",
    "tmp",
];

impl FileFilter<'_> {
    fn has(&self, path: &Path) -> bool {
        let is_other = is_hidden(path) || is_copy(path);
        format::has_extension(path, self.endings) || (!is_other && self.likes(path))
    }

    /// Whether the file can be read and begins as wanted.
    fn likes(&self, path: &Path) -> bool {
        let source = SourcePath::File(path.to_path_buf());
        match super::open(&source, &CancellationToken::default()) {
            Ok(OpenedSource::Stream(reader)) => {
                let mut glance = Vec::new();
                let read = reader.take(GLANCE_BYTES).read_to_end(&mut glance);
                read.is_ok() && (self.begins)(&glance)
            }
            Ok(OpenedSource::Archive(_)) => true,
            Err(_) => false,
        }
    }

    /// Whether a member of an archive is taken, by its name and its beginning.
    pub fn has_member(&self, path: &Path, beginning: &[u8]) -> bool {
        let glance = &beginning[..beginning.len().min(GLANCE_BYTES as usize)];
        format::has_extension(path, self.endings) || (!is_copy(path) && (self.begins)(glance))
    }
}

/// Whether a name is hidden.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether a name is that of a copy or of an unfinished file.
fn is_copy(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().ends_with(b"~") || format::has_extension(path, COPIES)
}

/// What paths expand to.
#[derive(Debug, Default)]
pub struct DiscoveredSources {
    /// The sources, in order.
    pub sources: Vec<SourcePath>,
    /// Files of folders that were looked at and not taken, in order.
    pub passed_over: Vec<PathBuf>,
}

/// Expands `paths` in the order given, deduplicating nothing.
///
/// A file named explicitly is taken whatever its name is. A folder is walked
/// recursively, by name in byte order within each folder, for the regular files
/// that are [`FileFilter`]. Symbolic links are followed, but each
/// folder is entered once per folder named, so that loops end.
///
/// # Errors
///
/// If a path does not exist, a folder cannot be listed, or no game file is
/// found in a folder that may not be empty.
pub fn find(paths: &[PathBuf], wanted: &FileFilter<'_>) -> Result<DiscoveredSources, SourceError> {
    let mut found = DiscoveredSources::default();
    for path in paths {
        if path.as_os_str() == "-" {
            found.sources.push(SourcePath::Stdin);
            continue;
        }
        let metadata = fs::metadata(path).map_err(|source| open_error(path, source))?;
        if metadata.is_dir() {
            let before = found.sources.len();
            walk(path, wanted, &mut found)?;
            if found.sources.len() == before && !wanted.may_be_empty.contains(path) {
                let wanted = format::endings(wanted.endings);
                return Err(SourceError::new(path, Kind::NoGameFile { wanted }));
            }
        } else {
            found.sources.push(SourcePath::File(path.clone()));
        }
    }
    Ok(found)
}

pub(super) fn open_error(path: &Path, source: io::Error) -> SourceError {
    // `a.pgn/b` names a file below a file: that is missing, too.
    let kind = match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Kind::Missing,
        _ => Kind::Open { source },
    };
    SourceError::new(path, kind)
}

fn walk(
    root: &Path,
    wanted: &FileFilter<'_>,
    found: &mut DiscoveredSources,
) -> Result<(), SourceError> {
    let mut entered = HashSet::new();
    // Taken from the end, so names are pushed in reverse; a stack of our own,
    // since nothing bounds the depth of folders.
    let mut waiting = vec![root.to_path_buf()];
    while let Some(path) = waiting.pop() {
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            // A dangling link, or a file that just went away: if it bears a game
            // file's name, opening it will say so.
            Err(_) if format::has_extension(&path, wanted.endings) => {
                found.sources.push(SourcePath::File(path));
                continue;
            }
            Err(_) => continue,
        };
        if metadata.is_dir() {
            let canonical = fs::canonicalize(&path).map_err(|source| folder(&path, source))?;
            if entered.insert(canonical) {
                waiting.extend(names(&path)?.into_iter().rev());
            }
        } else if metadata.is_file() {
            if wanted.has(&path) {
                found.sources.push(SourcePath::File(path));
            } else if !is_hidden(&path) {
                found.passed_over.push(path);
            }
        }
    }
    Ok(())
}

/// What stands in a folder, by name in byte order.
fn names(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(|source| folder(path, source))? {
        names.push(entry.map_err(|source| folder(path, source))?.file_name());
    }
    names.sort_unstable_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
    Ok(names.into_iter().map(|name| path.join(name)).collect())
}

fn folder(path: &Path, source: io::Error) -> SourceError {
    SourceError::new(path, Kind::Folder { source })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: FileFilter<'_> = FileFilter {
        endings: &["pgn", "pdn"],
        begins: |glance| glance.starts_with(b"[Event"),
        may_be_empty: &[],
    };

    fn touch(path: PathBuf) {
        fs::create_dir_all(path.parent().expect("parent")).expect("folder");
        fs::write(path, "").expect("file");
    }

    #[test]
    fn folders_are_walked_in_order_and_arguments_kept() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let root = dir.path();
        for name in [
            "b.pgn",
            "B.PGN",
            "a/z.pgn.zst",
            "a/y/1.pgn",
            "notes.txt",
            "a.pgn",
            "c.pgn.bz2",
            "d.PDN",
            "a/x.pdn.zst",
        ] {
            touch(root.join(name));
        }
        for name in ["c.txt", ".c.txt", "c.pgn~", "c.pgn.part"] {
            fs::write(root.join(name), "[Event \"?\"]").expect("file");
        }
        let notes = root.join("notes.txt");
        let paths = vec!["-".into(), notes.clone(), root.to_path_buf(), notes.clone()];
        let found = find(&paths, &KNOWN).expect("found");
        let name = |path: &Path| {
            let path = path.strip_prefix(root).unwrap_or(path);
            path.to_string_lossy().replace('\\', "/")
        };
        let sources = found.sources.iter();
        let names: Vec<_> = sources.map(|source| name(source.path())).collect();
        let wanted = [
            "-",
            "notes.txt",
            "B.PGN",
            "a/x.pdn.zst",
            "a/y/1.pgn",
            "a/z.pgn.zst",
            "a.pgn",
            "b.pgn",
            "c.pgn.bz2",
            "c.txt",
            "d.PDN",
            "notes.txt",
        ];
        assert_eq!(names, wanted);
        // Hidden files are not spoken of.
        let passed_over: Vec<_> = found.passed_over.iter().map(|path| name(path)).collect();
        assert_eq!(passed_over, ["c.pgn.part", "c.pgn~", "notes.txt"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let missing = dir.path().join("none.pgn");
        let error = find(std::slice::from_ref(&missing), &KNOWN).expect_err("missing");
        assert!(matches!(error.kind, Kind::Missing) && error.path == missing);
        assert!(error.to_string().contains("none.pgn"));
        assert!(!error.hint().is_empty());
        let error = find(&[dir.path().to_path_buf()], &KNOWN).expect_err("no game file");
        assert!(matches!(error.kind, Kind::NoGameFile { .. }));
        assert!(error.to_string().contains(".pgn, .pdn, also packed: .zst"));
        assert_eq!(error.path, dir.path());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_turn_round_end() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().expect("temporary folder");
        let root = dir.path();
        touch(root.join("a/1.pgn"));
        for name in 0..20 {
            touch(root.join(format!("d{name:02}/g.pgn")));
        }
        for from in 0..20 {
            for to in 0..20 {
                let link = root.join(format!("d{from:02}/to{to:02}"));
                symlink(root.join(format!("d{to:02}")), link).expect("link");
            }
        }
        symlink(root, root.join("a/up")).expect("link");
        symlink(root.join("gone"), root.join("gone.pgn")).expect("link");
        symlink(root.join("self"), root.join("self")).expect("link");
        let found = find(&[root.to_path_buf()], &KNOWN).expect("found");
        assert_eq!(found.sources.len(), 22);
        assert!(
            found
                .sources
                .contains(&SourcePath::File(root.join("gone.pgn")))
        );
    }
}
