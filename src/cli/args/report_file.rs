//! `--html`: where the page of a report goes.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::output::Destination;

/// A report as a file for a browser.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct ReportFileArgs {
    /// Also write the report to FILE as a web page
    ///
    /// The page has all that it needs in one file, and prints well. A name that ends in .gz or .zst
    /// is compressed.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "html")]
    pub force: bool,
}

impl ReportFileArgs {
    /// Where the page goes; `None` if none was requested.
    pub fn destination(self) -> Option<Destination> {
        let other = "name another file with --html";
        let path = self.html?;
        Some(Destination::new(path, self.force, other))
    }
}
