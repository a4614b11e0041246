//! What the arguments of the server mean.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Parser;

use super::args_serve::ServeArgs;
use super::log::LogFormat;
use super::origin;
use crate::base::display_path;
use crate::cli::args::FilterArgs;
use crate::cli::error::CliError;
use crate::cli::plan_query;
use crate::db::query::Filter;

/// The port of the API document of lichess.
const PORT: u16 = 9002;

/// `serve`.
#[derive(Debug, Clone)]
pub struct ServePlan {
    /// Where it answers.
    pub address: SocketAddr,
    /// The games of `/masters`.
    pub masters: GameScope,
    /// The games of `/lichess` and `/player`.
    pub lichess: GameScope,
    /// Its names besides its addresses, in small letters.
    pub hosts: Vec<String>,
    /// The form of the lines about requests, if there are any.
    pub log: Option<LogFormat>,
    /// Whether the page is opened in a browser.
    pub opens: bool,
    /// The databases with their names, the first one first.
    pub databases: Vec<(String, PathBuf)>,
}

/// The games that a path has.
#[derive(Debug, Clone, Default)]
pub struct GameScope {
    /// Which.
    pub filter: Filter,
    /// Whether names are as they are written.
    pub exact_names: bool,
}

/// Filters alone, as they are typed behind a command.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct FilterLine {
    #[command(flatten)]
    filter: FilterArgs,
}

/// `serve`.
pub fn serve(args: &ServeArgs, warnings: &mut Vec<String>) -> Result<ServePlan, CliError> {
    let typed = args.bind.as_deref().unwrap_or("127.0.0.1");
    let bare = typed.trim_start_matches('[').trim_end_matches(']');
    let ip: IpAddr = match bare {
        "localhost" => IpAddr::from([127, 0, 0, 1]),
        _ => bare.parse().map_err(|_| {
            CliError::new(format!("--bind: `{typed}` is not an IP address"))
                .hint("write 127.0.0.1 for this computer alone, or the address of a network card")
        })?,
    };
    Ok(ServePlan {
        address: SocketAddr::new(ip, args.port.unwrap_or(PORT)),
        masters: narrowed("--masters", args.masters.as_deref(), warnings)?,
        lichess: narrowed("--lichess", args.lichess.as_deref(), warnings)?,
        hosts: args
            .allow_host
            .iter()
            .map(|name| host(name))
            .collect::<Result<_, _>>()?,
        log: args.log,
        opens: args.open,
        databases: Vec::new(),
    })
}

/// A name that requests may have in their header `Host`.
fn host(name: &str) -> Result<String, CliError> {
    origin::host_name(name).ok_or_else(|| {
        CliError::new(format!("--allow-host: `{name}` is not the name of a host"))
            .hint("write the name that browsers are given, such as chess.example.org")
    })
}

/// The databases that are served: `NAME=PATH` or a path, whose file gives the name.
pub fn databases(arguments: &[PathBuf]) -> Result<Vec<(String, PathBuf)>, CliError> {
    let mut databases: Vec<(String, PathBuf)> = Vec::new();
    for typed in arguments {
        let is_name = |name: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            !name.is_empty() && name.chars().all(is_plain)
        };
        let named = typed.to_str().and_then(|text| text.split_once('='));
        let named = named.filter(|(name, _)| is_name(name) && !typed.exists());
        let database = if let Some((name, path)) = named {
            (name.to_owned(), PathBuf::from(path))
        } else {
            let stem = typed.file_stem().unwrap_or(typed.as_os_str());
            (stem.to_string_lossy().into_owned(), typed.clone())
        };
        if let Some((_, other)) = databases.iter().find(|(name, _)| *name == database.0) {
            let (name, path) = &database;
            let both = format!(
                "{} and {}",
                display_path::path(other),
                display_path::path(path)
            );
            return Err(
                CliError::new(format!("--db: {both} have the name `{name}`")).hint(format!(
                    "give them names: --db a={} --db b={}",
                    display_path::path(other),
                    display_path::path(path)
                )),
            );
        }
        databases.push(database);
    }
    Ok(databases)
}

/// Reads filters that are the value of an option.
fn narrowed(
    option: &'static str,
    text: Option<&str>,
    warnings: &mut Vec<String>,
) -> Result<GameScope, CliError> {
    let Some(text) = text else {
        return Ok(GameScope::default());
    };
    let hint = format!("write the filters of `plydex search`: {option} '--min-elo 2200'");
    let words = words(text).ok_or_else(|| {
        CliError::new(format!("{option}: a quotation mark is not closed")).hint(&hint)
    })?;
    let line = FilterLine::try_parse_from(words).map_err(|error| {
        CliError::new(format!("{option}: {}", first_line(&error.to_string()))).hint(&hint)
    })?;
    Ok(GameScope {
        filter: plan_query::filter(&line.filter, warnings).map_err(|error| error.at(option))?,
        exact_names: line.filter.exact_names,
    })
}

/// What clap says first, without its own word for it.
pub(crate) fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line)
}

/// The words of a line, with those in quotation marks as one; `None` if one is not closed.
fn words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (c, quote) {
            (_, Some(mark)) if c == mark => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_words() {
        let of = |text| words(text).map(|words| words.join("|"));
        assert_eq!(of("--a  b"), Some("--a|b".to_owned()));
        assert_eq!(of("--a 'b c' ''"), Some("--a|b c|".to_owned()));
        assert_eq!(of("--a=\"b 'c'\""), Some("--a=b 'c'".to_owned()));
        assert_eq!(of("'a"), None);
        assert_eq!(of(" "), Some(String::new()));
    }

    #[test]
    fn filters_narrow_a_path() {
        let args = |masters: &str| ServeArgs {
            masters: Some(masters.to_owned()),
            ..ServeArgs::default()
        };
        let plan = |masters| serve(&args(masters), &mut Vec::new());
        let narrow = plan("--min-elo 2200 --white 'fischer, r'").expect("filters");
        assert_eq!(narrow.masters.filter.min_elo, Some(2200));
        assert_eq!(narrow.masters.filter.white.as_deref(), Some("fischer, r"));
        assert_eq!(narrow.lichess.filter, Filter::default());
        assert_eq!(narrow.address.to_string(), "127.0.0.1:9002");
        for wrong in [
            "--min-elo x",
            "e4",
            "--limit 3",
            "--white 'a",
            "--since soon",
        ] {
            let error = plan(wrong).expect_err(wrong);
            assert!(error.message().starts_with("--masters: "), "{error}");
        }
    }
}
