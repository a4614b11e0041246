//! What the arguments of the server mean.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use super::args_serve::ServeArgs;
use super::log::LogFormat;
use super::origin;
use crate::base::display_path;
use crate::cli::error::CliError;
use crate::cli::plan_query::question;
use crate::query::{GameCondition, SavedQueries};

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
    /// What all of them fulfil.
    pub conditions: Vec<GameCondition>,
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
        masters: narrowed(
            "--masters",
            (args.masters.as_deref(), &args.saved),
            warnings,
        )?,
        lichess: narrowed(
            "--lichess",
            (args.lichess.as_deref(), &args.saved),
            warnings,
        )?,
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

/// Reads the conditions on games that a path has.
fn narrowed(
    option: &'static str,
    (text, saved): (Option<&str>, &SavedQueries),
    warnings: &mut Vec<String>,
) -> Result<GameScope, CliError> {
    let Some(text) = text else {
        return Ok(GameScope::default());
    };
    let query = question(text, (&mut Vec::new(), saved, false), warnings);
    let query = query.map_err(|error| error.at(option))?;
    if query.has_pattern() {
        let error = CliError::new(format!("{option}: only conditions on games can be given"));
        return Err(error.hint(format!(
            "join them by `and`: {option} 'elo:2200.. and date:2010..'"
        )));
    }
    Ok(GameScope {
        conditions: query.required().cloned().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_narrow_a_path() {
        let args = |masters: &str| ServeArgs {
            masters: Some(masters.to_owned()),
            ..ServeArgs::default()
        };
        let plan = |masters| serve(&args(masters), &mut Vec::new());
        let narrow = plan("elo:2200.. white:\"fischer, r\"").expect("conditions");
        let asked = [
            GameCondition::elo(2200, u32::MAX),
            GameCondition::white("fischer, r"),
        ];
        assert_eq!(narrow.masters.conditions, asked);
        assert_eq!(narrow.lichess.conditions, []);
        assert_eq!(narrow.address.to_string(), "127.0.0.1:9002");
        for wrong in [
            "elo:x",
            "Pd4",
            "--limit 3",
            "white:\"a",
            "date:soon",
            "elo:1.. or elo:2..",
        ] {
            let error = plan(wrong).expect_err(wrong);
            assert!(error.message().starts_with("--masters: "), "{error}");
        }
    }
}
