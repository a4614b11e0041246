//! `--view` and `--side`: whose scores are counted.

use clap::{Args as ClapArgs, ValueEnum};

use crate::cli::error::CliError;
use crate::database::{AccessPlan, Snapshot, ViewedPlayer};
use crate::query::{GameCondition, NameField, Query};

/// A side of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SideArg {
    /// The side that the game calls White.
    White,
    /// The side that the game calls Black.
    Black,
}

/// Whose scores are counted, and with which side.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct ViewArgs {
    /// Only games in which the player has this side
    ///
    /// The player is the first of --player: `--player carlsen --side black`.
    #[arg(long, value_name = "SIDE", requires = "player")]
    pub side: Option<SideArg>,
    /// Count the scores of: player or white
    ///
    /// If you give a player, scores, ratings and performances are that player's; `--view
    /// white` counts White's.
    #[arg(long, value_name = "VIEW")]
    pub view: Option<ViewArg>,
}

/// Whose scores are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewArg {
    /// Those of the player who is asked for.
    Player,
    /// White's.
    White,
}

impl ViewArgs {
    /// Gives the first player the side that is requested.
    pub(crate) fn place(&self, query: &mut Query) -> Result<(), CliError> {
        let Some(side) = self.side else {
            return Ok(());
        };
        let (field, option) = match side {
            SideArg::White => (NameField::White, "--white"),
            SideArg::Black => (NameField::Black, "--black"),
        };
        let is_of = |field: NameField| move |one: &GameCondition| matches!(one, GameCondition::Name(own, _) if *own == field);
        if query.required().any(is_of(field)) {
            return Err(CliError::new(format!(
                "--side gives a player a side that {option} gives to another"
            ))
            .hint(format!("leave out --side or {option}")));
        }
        let mut conditions = query.required_mut().into_iter();
        let player = conditions.find(|one| is_of(NameField::Player)(one));
        if let Some(GameCondition::Name(own, _)) = player {
            *own = field;
        }
        Ok(())
    }

    /// The player whose scores are counted, if any.
    pub(crate) fn viewed(
        view: Option<ViewArg>,
        snapshot: &Snapshot<'_>,
        plan: &AccessPlan,
    ) -> Result<Option<ViewedPlayer>, CliError> {
        if view == Some(ViewArg::White) {
            return Ok(None);
        }
        let viewed = snapshot.viewed_player(plan)?;
        if viewed.is_none() && view.is_some() {
            return Err(CliError::new("--view player needs --player")
                .hint("name one with --player, --white or --black"));
        }
        Ok(viewed)
    }
}
