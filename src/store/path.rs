//! The names of databases: a database is a file.

use std::path::{Path, PathBuf};

use super::{StoreError, StoreErrorKind};

/// The name of a database as `SQLite` is given it.
///
/// `SQLite` makes databases in memory of `:memory:` and the empty name, and takes what begins with
/// `file:` for a URI whose parameters it obeys. With a folder before the name it does neither.
///
/// # Errors
///
/// [`StoreErrorKind::NotAFile`] for such names, and for names of the form `scheme://…`;
/// [`StoreErrorKind::Folder`].
pub(super) fn file_name(path: &Path) -> Result<PathBuf, StoreError> {
    let refused = |why, hint| StoreError::new(path, StoreErrorKind::NotAFile { why, hint });
    let name = path.as_os_str().as_encoded_bytes();
    if name.is_empty() {
        return Err(refused(
            "the name of the database is empty",
            "name a file with --db PATH or PLYDEX_DB",
        ));
    }
    if name == b":memory:" {
        return Err(refused(
            "a database is a file: one in memory would be lost when the command ends",
            "name a file with --db PATH; a file of that name is ./:memory:",
        ));
    }
    if has_scheme(name) {
        return Err(refused(
            "a database is a file on this machine, not an address",
            "fetch the database first, and name the file with --db PATH",
        ));
    }
    if name.len() >= 5 && name[..5].eq_ignore_ascii_case(b"file:") {
        return Err(refused(
            "a database is named by its path, not by a URI",
            "remove `file:` and the parameters; write ./file:… for a file of that name",
        ));
    }
    if path.is_dir() {
        return Err(StoreError::new(path, StoreErrorKind::Folder));
    }
    Ok(if path.is_relative() {
        Path::new(".").join(path)
    } else {
        path.to_path_buf()
    })
}

/// Whether a name is of the form `scheme://…` (RFC 3986, section 3.1).
fn has_scheme(name: &[u8]) -> bool {
    let Some(at) = memchr::memmem::find(name, b"://") else {
        return false;
    };
    let scheme = &name[..at];
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_of_files_are_refused() {
        for name in [
            "",
            ":memory:",
            "file:games.db",
            "FILE:games.db?mode=memory",
            "file:///games.db",
            "https://example.org/games.db",
            "s3://bucket/games.db",
        ] {
            let kind = file_name(Path::new(name)).expect_err(name).kind;
            assert!(matches!(kind, StoreErrorKind::NotAFile { .. }), "{name}");
        }
        for (name, given) in [
            ("games.db", "./games.db"),
            ("./:memory:", "././:memory:"),
            ("./file:games.db", "././file:games.db"),
            ("a/b://c", "./a/b://c"),
            ("profile:1.db", "./profile:1.db"),
            ("/file:x", "/file:x"),
        ] {
            let named = file_name(Path::new(name)).expect(name);
            assert_eq!(named.as_os_str(), given);
        }
    }
}
