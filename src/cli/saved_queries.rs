//! The file of saved queries beside a database: lines such as `iqp = Pd4 Pc/e=0 pd=0`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::commands::Command;
use super::error::CliError;
use crate::query::SavedQueries;
use crate::query::saved::{has_names, is_name};

/// The ending that the file with the saved queries adds to the name of the database.
pub(super) const ENDING: &str = ".queries";

/// Reads the saved queries of a database that the arguments of a command name, if they name any.
pub(super) fn load(command: &mut Command, db: &Path) -> Result<(), CliError> {
    if let Some((texts, saved)) = command.saved() {
        *saved = of_texts(texts, db, db)?;
    }
    Ok(())
}

/// The file of a database.
fn file_of(db: &Path) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(ENDING);
    name.into()
}

/// The saved queries of a database, if one of some texts names any. Their file is called as that of a
/// database at another place.
pub(super) fn of_texts<'t>(
    texts: impl IntoIterator<Item = &'t String>,
    db: &Path,
    shown: &Path,
) -> Result<SavedQueries, CliError> {
    if !texts.into_iter().any(|text| has_names(text)) {
        return Ok(SavedQueries::default());
    }
    let shown = file_of(shown).display().to_string();
    match fs::read_to_string(file_of(db)) {
        Ok(text) => read(&text, &shown),
        Err(error) if error.kind() == io::ErrorKind::NotFound => read("", &shown),
        Err(error) => Err(CliError::new(format!("{shown} cannot be read")).because(&error)),
    }
}

/// A number for the contents of the file, if one of some texts names a saved query.
pub(super) fn hash_of<'t>(texts: impl IntoIterator<Item = &'t String>, db: &Path) -> u64 {
    if !texts.into_iter().any(|text| has_names(text)) {
        return 0;
    }
    fs::read(file_of(db)).map_or(0, |bytes| twox_hash::XxHash3_64::oneshot(&bytes))
}

/// Reads the lines of a file.
fn read(text: &str, file: &str) -> Result<SavedQueries, CliError> {
    let mut saved: Vec<(String, String)> = Vec::new();
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = format!("{file}, line {}", number + 1);
        let named = line.split_once('=');
        let named = named.map(|(name, query)| (name.trim(), query.trim()));
        match named {
            Some((name, _)) if saved.iter().any(|(known, _)| known == name) => {
                return Err(CliError::new(format!("{at}: {name} was named before")));
            }
            Some((name, query)) if is_name(name) && !query.is_empty() => {
                saved.push((name.to_owned(), query.to_owned()));
            }
            _ => {
                return Err(CliError::new(format!("{at}: not a saved query"))
                    .hint("write NAME = QUERY; a name has letters, digits, - and _"));
            }
        }
    }
    Ok(SavedQueries::new(saved, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_queries() {
        let text = "# structures\niqp = Pd4 Pc/e=0 pd=0\n\nmine=player:\"Doe, J\" or player:roe\n";
        let saved = read(text, "my.db.queries").expect("saved queries");
        let query = saved.text_of("@mine").expect("a query");
        assert_eq!(query.as_deref(), Some("player:\"Doe, J\" or player:roe"));
        for (text, message) in [
            ("a b = q", "my.db.queries, line 1: not a saved query"),
            ("a =", "my.db.queries, line 1: not a saved query"),
            (
                "\na = q\na = k",
                "my.db.queries, line 3: a was named before",
            ),
        ] {
            let error = read(text, "my.db.queries").expect_err(text);
            assert_eq!(error.message(), message);
        }
    }
}
