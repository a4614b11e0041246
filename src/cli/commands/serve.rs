//! `plydex serve`: its arguments and what they mean.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{ArgAction, Args as ClapArgs};

use crate::base::display_path;
use crate::cli::CommandContext;
use crate::cli::args::query_builder::question;
use crate::cli::commands::{CommandArgs, SavedTexts};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::serve::log::LogFormat;
use crate::cli::serve::{self, origin};
use crate::query::{GameCondition, SavedQueries};

/// `plydex serve`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Serves this computer only, until Ctrl-C: a page for the browser at /, the API of lichess'
opening explorer at /masters, /lichess and /player, and the results of the commands as JSON
below /v1/. It only reads the database, and sees games that you import meanwhile. If you
serve several databases, choose one by name on the page or with database=NAME below /v1/;
/masters and /lichess use the database of that name, or the first. See docs/explorer.md.

Examples:
  plydex serve                            then open http://127.0.0.1:9002/
  plydex serve --db club.db --port 8080
  plydex serve --db club=club.db --db masters=otb.db --open
  plydex serve --allow-host chess.example.org --log combined     behind a proxy
  plydex serve --masters 'elo:2200..' --lichess 'site:lichess.org'"
)]
pub struct ServeArgs {
    /// Address to listen on [default: 127.0.0.1]
    ///
    /// With 0.0.0.0 or ::, every computer on the network can use the server without a
    /// password.
    #[arg(long, value_name = "ADDRESS")]
    pub bind: Option<String>,
    /// Port to listen on, 0 for any free port [default: 9002]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Accept this host name, besides localhost and the address
    ///
    /// Behind a proxy, this is the public name. Requests for other names are
    /// refused, because another site could make its name point here (DNS rebinding).
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    pub allow_host: Vec<String>,
    /// Print a line for each request: combined or json
    ///
    /// combined is the format of Apache and nginx. The lines go to standard output.
    #[arg(long, value_name = "FORMAT")]
    pub log: Option<LogFormat>,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// Query for the games of /masters, such as 'elo:2200..'
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub masters: Option<String>,
    /// Query for the games of /lichess and /player
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub lichess: Option<String>,
    /// What `@name` stands for in them.
    #[arg(skip)]
    pub saved: SavedQueries,
}

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
pub fn plan(args: &ServeArgs, warnings: &mut Vec<String>) -> Result<ServePlan, CliError> {
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

impl CommandArgs for ServeArgs {
    const TAKES_DATABASES: bool = true;
    type Plan = ServePlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(&self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        let plan = ServePlan {
            databases: databases(&context.databases)?,
            ..plan.clone()
        };
        serve::run(&plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        let texts = self.masters.iter().chain(&self.lichess);
        Some((texts.collect(), &mut self.saved))
    }
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
        let plan = |masters| plan(&args(masters), &mut Vec::new());
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
