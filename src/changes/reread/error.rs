//! Why something cannot be read again.

use crate::{base::record::GameId, store::StoreError};

/// What keeps a source or a game from being read again. The database is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RereadError {
    /// Nothing was imported under that name, or not by that import.
    #[error("{0}: no such source in the database")]
    NoSource(String),
    /// There is no game of that number.
    #[error("there is no game {0}")]
    NoGame(GameId),
    /// It is not known any more where it was read.
    #[error("{0}: it is not known which text its games were read from")]
    Unrecorded(String),
    /// Another source has the same text, and was imported before.
    #[error("{source_name}: has the text of {other}, which was imported before")]
    Copy {
        /// As it was named.
        source_name: String,
        /// The other one.
        other: String,
    },
    /// The source cannot be read any more.
    #[error("{source_name}: {why}")]
    Gone {
        /// As it was named.
        source_name: String,
        /// Why.
        why: String,
    },
    /// The source is another one by now.
    #[error("{0}: has changed since it was imported")]
    Changed(String),
    /// Some of its games were removed or edited, which would be lost.
    #[error("{what}: change {change} has {done} of it")]
    Touched {
        /// The source or the game.
        what: String,
        /// The change.
        change: i64,
        /// What it did.
        done: &'static str,
    },
    /// Read like that, there is nothing in it.
    #[error("{source_name}: has no games if it is read as {format}")]
    Nothing {
        /// As it was named.
        source_name: String,
        /// The notation.
        format: &'static str,
    },
    /// Read like that, a part of it is what another source is, or two of them are the same.
    #[error("{source_name}: read that way, its games duplicate those of {other}")]
    Twice {
        /// As it was named.
        source_name: String,
        /// The other one: its name and its import.
        other: String,
    },
    /// Read like that, there is another number of games, so that none is the one that is meant.
    #[error(
        "game {game} is one of {before} games of a part of {source_name}, which has {now} if it is read like that"
    )]
    OtherGames {
        /// Which one.
        game: GameId,
        /// As the source was named.
        source_name: String,
        /// Games of the part.
        before: u64,
        /// Games that it has.
        now: u64,
    },
    /// The end was requested.
    #[error("interrupted")]
    Interrupted,
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RereadError {
    /// What to do about it, for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSource(_) => {
                "name it as it was imported; `plydex sql 'SELECT * FROM source'` lists the sources"
            }
            Self::NoGame(_) => "the first column of `plydex search` has the numbers of games",
            Self::Unrecorded(_) => "import the file into a new database",
            Self::Copy { .. } => "reread that one",
            Self::Gone { .. } => {
                "put the file back where it was; without --as a single game can be read from its \
                 stored text: name it, as in `plydex reread '#17'`"
            }
            Self::Changed(_) => {
                "put the file back as it was; if several imports have read files of that name, \
                 choose one with --import N"
            }
            Self::Touched { .. } => {
                "undo that change first (`plydex undo`), and make it again afterwards"
            }
            Self::Nothing { .. } => "name another format with --as, or leave it out",
            Self::Twice { .. } => {
                "the text was imported twice, read in different ways; to have its games once, \
                 import it into a new database"
            }
            Self::OtherGames { .. } => "read all of the source again",
            Self::Interrupted => "run the command again",
            Self::Store(error) => error.hint(),
        }
    }
}
