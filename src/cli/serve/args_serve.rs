//! What was typed to start the server.

use clap::Args as ClapArgs;

/// `plydex serve`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Answers on this computer alone, until Ctrl-C: a page for the browser at /, the API of
lichess' opening explorer at /masters, /lichess and /player, and what the commands
answer as JSON below /v1/. The database is only read; games that are imported
meanwhile are seen. docs/explorer.md has everything about it.

Examples:
  plydex serve                            then open http://127.0.0.1:9002/
  plydex serve --db club.db --port 8080
  plydex serve --masters '--min-elo 2200' --lichess '--site lichess.org'"
)]
pub struct ServeArgs {
    /// Address to answer at [default: 127.0.0.1]
    ///
    /// With 0.0.0.0 or :: every computer of the network can ask, with nobody asking for a
    /// password.
    #[arg(long, value_name = "ADDRESS")]
    pub bind: Option<String>,
    /// Port to answer at, 0 for any that is free [default: 9002]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Filters for the games of /masters, such as '--min-elo 2200'
    #[arg(long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub masters: Option<String>,
    /// Filters for the games of /lichess and /player
    #[arg(long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub lichess: Option<String>,
}
