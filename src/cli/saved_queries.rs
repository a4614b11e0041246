//! Queries that have names: `@iqp` stands for what a file beside the database says it does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::Command;
use super::error::CliError;
use crate::query::pattern::{Expr, parser};

/// How often a name may stand in what another stands for, one after the other.
const DEPTH_MAX: usize = 16;
/// Bytes of a query, with its names replaced.
const BYTES_MAX: usize = 1 << 16;

/// The ending that the file with the saved queries adds to the name of the database.
pub(super) const ENDING: &str = ".queries";

/// Where the saved queries of a database are: beside it.
fn file_of(db: &Path) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(ENDING);
    name.into()
}

/// Puts queries in the place of their names, wherever a command takes one.
pub(super) fn put_in(command: &mut Command, db: &Path) -> Result<(), CliError> {
    let (words, question) = match command {
        Command::Search(args) => (&mut args.list.position.position, &mut args.list.question),
        Command::Export(args) => (&mut args.list.position.position, &mut args.list.question),
        Command::Novelty(args) => (&mut args.list.position.position, &mut args.list.question),
        Command::Delete(args) => (&mut args.position.position, &mut args.question),
        Command::Repertoire(args) => (&mut Vec::new(), &mut args.question),
        Command::Tree(args) => (&mut Vec::new(), &mut args.question),
        _ => return Ok(()),
    };
    for text in words.iter_mut().chain(question) {
        *text = replaced(text, db)?;
    }
    Ok(())
}

/// A text with queries for the names in it.
pub(super) fn replaced(text: &str, db: &Path) -> Result<String, CliError> {
    if places(text).is_empty() {
        return Ok(text.to_owned());
    }
    let file = file_of(db);
    let saved = match fs::read_to_string(&file) {
        Ok(text) => read(&text, &file)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            let what = format!("{} cannot be read", file.display());
            return Err(CliError::new(what).because(&error));
        }
    };
    with_questions(text, &saved, &file, &[])
}

/// Names and the queries that they stand for.
type SavedQueries = Vec<(String, String)>;

/// Reads lines such as `iqp = Pd4 Pc/e=0 pd=0`.
fn read(text: &str, file: &Path) -> Result<SavedQueries, CliError> {
    let mut saved: SavedQueries = Vec::new();
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = format!("{}, line {}", file.display(), number + 1);
        let named = line.split_once('=');
        let named = named.map(|(name, question)| (name.trim(), question.trim()));
        match named {
            Some((name, _)) if saved.iter().any(|(known, _)| known == name) => {
                return Err(CliError::new(format!("{at}: {name} was named before")));
            }
            Some((name, question)) if is_name(name) && !question.is_empty() => {
                saved.push((name.to_owned(), question.to_owned()));
            }
            _ => {
                return Err(CliError::new(format!("{at}: not a saved query"))
                    .hint("write NAME = QUERY; a name has letters, digits, - and _"));
            }
        }
    }
    Ok(saved)
}

const fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

/// Where names stand in a text, with their signs: at the beginning of words, not within quotes.
fn places(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut is_quoted, mut before) = (Vec::new(), false, ' ');
    for (at, c) in text.char_indices() {
        is_quoted ^= c == '"';
        let begins = before.is_whitespace() || matches!(before, '(' | '{');
        if c == '@' && begins && !is_quoted {
            let name = &text[at + 1..];
            let length = name.find(|c| !is_letter(c)).unwrap_or(name.len());
            if length > 0 {
                found.push((at, at + 1 + length));
            }
        }
        before = c;
    }
    found
}

fn with_questions(
    text: &str,
    saved: &SavedQueries,
    file: &Path,
    within: &[&str],
) -> Result<String, CliError> {
    let (mut out, mut end) = (String::new(), 0);
    for (from, to) in places(text) {
        let name = &text[from + 1..to];
        let Some((_, question)) = saved.iter().find(|(known, _)| known == name) else {
            let known: Vec<&str> = saved.iter().map(|(known, _)| known.as_str()).collect();
            let hint = if known.is_empty() {
                format!("write {name} = QUERY into a line of {}", file.display())
            } else {
                format!("{} has {}", file.display(), known.join(", "))
            };
            return Err(CliError::new(format!("there is no saved query @{name}")).hint(hint));
        };
        let wrong = if within.contains(&name) {
            Some(format!("@{name} stands for itself in the end"))
        } else {
            let message = format!("@{name} is nested in {DEPTH_MAX} other saved queries");
            (within.len() == DEPTH_MAX).then_some(message)
        };
        if let Some(message) = wrong {
            let hint = format!("change its line in {}", file.display());
            return Err(CliError::new(message).hint(hint));
        }
        let within = [within, &[name]].concat();
        let question = with_questions(question, saved, file, &within)?;
        out.push_str(&text[end..from]);
        // A step can be part of a longer one; all else is one thing.
        let is_part = matches!(
            parser::parse(&question),
            Ok(Expr::Chain(_) | Expr::Game(..))
        );
        if is_part {
            out.push_str(&question);
        } else {
            out.extend(["(", &question, ")"]);
        }
        end = to;
        if out.len() > BYTES_MAX {
            return Err(CliError::new(format!(
                "@{name} stands for more than {} KiB of text",
                BYTES_MAX >> 10
            )));
        }
    }
    out.push_str(&text[end..]);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str, saved: &str) -> String {
        let file = Path::new("my.db.queries");
        let asked = read(saved, file).and_then(|saved| with_questions(text, &saved, file, &[]));
        asked.unwrap_or_else(|error| format!("error: {}", error.message()))
    }

    const SAVED: &str = "# structures\niqp = Pd4 Pc/e=0 pd=0\n\nmine=player:\"Doe, J\" or player:roe\nboth = @iqp q and @mine\nloop = not @loop\n";

    #[test]
    fn names_stand_for_questions() {
        for (text, meant) in [
            ("@iqp Q", "Pd4 Pc/e=0 pd=0 Q"),
            ("@mine and q", "(player:\"Doe, J\" or player:roe) and q"),
            ("not {@iqp}", "not {Pd4 Pc/e=0 pd=0}"),
            (
                "@both",
                "(Pd4 Pc/e=0 pd=0 q and (player:\"Doe, J\" or player:roe))",
            ),
            ("N@e4 and event:\"a @iqp b\"", "N@e4 and event:\"a @iqp b\""),
            ("@loop", "error: @loop stands for itself in the end"),
            ("@iq", "error: there is no saved query @iq"),
        ] {
            assert_eq!(asked(text, SAVED), meant, "{text}");
        }
        for (saved, message) in [
            ("a b = q", "my.db.queries, line 1: not a saved query"),
            ("a =", "my.db.queries, line 1: not a saved query"),
            (
                "\na = q\na = k",
                "my.db.queries, line 3: a was named before",
            ),
        ] {
            assert_eq!(asked("@a", saved), format!("error: {message}"));
        }
    }
}
