//! The options that are conditions of the query language: one for each row of its table.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::query::game_conditions::GAME_CONDITIONS;
use crate::query::words;

/// Conditions on games by their names, with their values.
#[derive(Debug, Clone, Default)]
pub struct ConditionArgs {
    /// The names, each with all values that were given.
    values: Vec<(String, Vec<String>)>,
    /// They come from an address, where names have no hyphens before them.
    pub is_of_address: bool,
}

impl ConditionArgs {
    /// Adds a value of a condition.
    pub fn add(&mut self, name: &str, value: &str) {
        match self.values.iter_mut().find(|(own, _)| own == name) {
            Some((_, values)) => values.push(value.to_owned()),
            None => self.values.push((name.to_owned(), vec![value.to_owned()])),
        }
    }

    /// Whether a condition has a value.
    pub fn has(&self, name: &str) -> bool {
        self.values.iter().any(|(own, _)| own == name)
    }

    /// All values, by the names of their conditions. Several of a list are one.
    pub fn each(&self) -> impl Iterator<Item = (&str, String)> {
        self.values.iter().flat_map(|(name, values)| {
            let values = match words::separator(name) {
                Some(separator) => vec![values.join(separator)],
                None => values.clone(),
            };
            values.into_iter().map(|value| (&name[..], value))
        })
    }
}

impl Args for ConditionArgs {
    fn augment_args(command: Command) -> Command {
        let rows = GAME_CONDITIONS.iter();
        command.args(rows.filter_map(|row| {
            let option = row.option?;
            let arg = Arg::new(row.name)
                .long(row.name)
                .value_name(option.value)
                .help(option.line)
                .hide(!option.is_listed)
                .action(ArgAction::Append)
                .allow_hyphen_values(option.takes_hyphens)
                .aliases(option.former);
            Some(match option.details {
                "" => arg,
                details => arg.long_help(format!("{}\n\n{details}", option.line)),
            })
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ConditionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for row in GAME_CONDITIONS.iter().filter(|row| row.option.is_some()) {
            let values = matches.get_many::<String>(row.name);
            values
                .into_iter()
                .flatten()
                .for_each(|value| self.add(row.name, value));
        }
        Ok(())
    }
}
