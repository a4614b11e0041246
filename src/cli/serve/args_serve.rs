//! What was typed to start the server.

use clap::{ArgAction, Args as ClapArgs};

use super::log::LogFormat;
use crate::query::SavedQueries;

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
