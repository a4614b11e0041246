//! The parameters of addresses below `/v1/`: conditions of the query language, and settings.

use clap::ValueEnum;

use super::handler_error::HandlerError;
use super::request::Request;
use super::v1::{self, Route};
use crate::cli::args::output::FORMS;
use crate::cli::args::query::{IDENTITIES, ListArgs};
use crate::cli::args::value_parsers::{self, whole, word_of};
use crate::cli::args::view::{SideArg, ViewArgs};
use crate::cli::commands::crosstable::BYES;
use crate::cli::commands::report::WINDOW_MAX;
use crate::cli::commands::structure::WidthArg;
use crate::cli::commands::tree::DEPTH_MAX;
use crate::cli::error::CliError;
use crate::database::TieBreak;
use crate::games::variation_tree::{ParsePlyRefError, PlyRef};
use crate::query::{GroupKey, words};

/// What parameters say.
#[derive(Debug, Default)]
pub(crate) struct Params {
    /// Which games, in which order.
    pub(crate) list: ListArgs,
    /// What they are counted by.
    pub(crate) group_by: Vec<GroupKey>,
    /// Whose scores are counted.
    pub(crate) view: ViewArgs,
    /// How far a tree goes.
    pub(crate) depth: Option<u32>,
    /// Games of a move in it.
    pub(crate) min_games: Option<u64>,
    /// Percents of the points of a move in it.
    pub(crate) min_score: Option<u8>,
    /// A place in a game.
    pub(crate) ply: Option<PlyRef>,
    /// The game that a position is of.
    pub(crate) variant: Option<String>,
    /// What reports are about.
    pub(crate) report: ReportParams,
}

/// What parameters say that only reports have.
#[derive(Debug, Default)]
pub(crate) struct ReportParams {
    /// The side of the reader.
    pub(crate) you: Option<SideArg>,
    /// Another player.
    pub(crate) against: Option<String>,
    /// Percent of a side's games of a line.
    pub(crate) min_share: Option<u8>,
    /// A time class.
    pub(crate) time: Option<String>,
    /// Plies that games are followed.
    pub(crate) window: Option<u32>,
    /// Percent of the games that play a step of the set-up.
    pub(crate) setup: Option<u8>,
    /// How much pawns must agree.
    pub(crate) width: WidthArg,
    /// The year of an event.
    pub(crate) year: Option<u16>,
    /// The site of an event.
    pub(crate) site: Option<String>,
    /// The round of a table.
    pub(crate) round: Option<u32>,
    /// Tie-breaks in their order.
    pub(crate) tie_breaks: Vec<TieBreak>,
    /// What a round without a game counts.
    pub(crate) assume_bye: Option<f64>,
    /// Whether all spellings of names are shown.
    pub(crate) spellings: bool,
}

/// Sets what a parameter is about to its value.
type Set = fn(&mut Params, &str) -> Result<(), String>;

/// The place of a value.
type Place<T> = fn(&mut Params) -> &mut T;

/// Settings with a value that is read here.
const SETTINGS: &[(&str, Set)] = &[
    ("identity", |params, text| {
        params.list.position.identity = Some(word_of(text, IDENTITIES)?);
        Ok(())
    }),
    ("min-elo", |params, text| {
        params.list.filter.min_elo = Some(whole(0, 9999)(text)?);
        Ok(())
    }),
    ("max-elo", |params, text| {
        params.list.filter.max_elo = Some(whole(0, 9999)(text)?);
        Ok(())
    }),
    ("limit", |params, text| {
        params.list.page.limit = Some(whole(0, u64::MAX)(text)?);
        Ok(())
    }),
    ("offset", |params, text| {
        params.list.page.offset = Some(whole(0, u64::MAX)(text)?);
        Ok(())
    }),
    ("notation", |params, text| {
        params.list.notation.notation = Some(word_of(text, FORMS)?);
        Ok(())
    }),
    ("side", |params, text| {
        params.view.side = Some(value_of(text)?);
        Ok(())
    }),
    ("view", |params, text| {
        params.view.view = Some(value_of(text)?);
        Ok(())
    }),
    ("depth", |params, text| {
        params.depth = Some(whole(1, DEPTH_MAX)(text)?);
        Ok(())
    }),
    ("min-games", |params, text| {
        params.min_games = Some(whole(0, u64::MAX)(text)?);
        Ok(())
    }),
    ("min-score", |params, text| {
        params.min_score = Some(whole(0, 100)(text)?);
        Ok(())
    }),
    ("you", |params, text| {
        params.report.you = Some(value_of(text)?);
        Ok(())
    }),
    ("min-share", |params, text| {
        params.report.min_share = Some(whole(1, 100)(text)?);
        Ok(())
    }),
    ("window", |params, text| {
        params.report.window = Some(whole(8, WINDOW_MAX)(text)?);
        Ok(())
    }),
    ("setup", |params, text| {
        params.report.setup = Some(whole(10, 100)(text)?);
        Ok(())
    }),
    ("width", |params, text| {
        params.report.width = value_of(text)?;
        Ok(())
    }),
    ("year", |params, text| {
        params.report.year = Some(whole(1, 9999)(text)?);
        Ok(())
    }),
    ("round", |params, text| {
        params.report.round = Some(whole(1, 9999)(text)?);
        Ok(())
    }),
    ("assume-bye", |params, text| {
        params.report.assume_bye = Some(word_of(text, BYES)?);
        Ok(())
    }),
    ("ply", |params, text| {
        params.ply = Some(
            text.parse()
                .map_err(|error: ParsePlyRefError| error.to_string())?,
        );
        Ok(())
    }),
];

/// Settings whose value is a text.
const TEXTS: &[(&str, Place<Option<String>>)] = &[
    ("ballot", |params| &mut params.list.position.ballot),
    ("ending", |params| &mut params.list.position.ending),
    ("value", |params| &mut params.list.position.value),
    ("men", |params| &mut params.list.position.men),
    ("kings", |params| &mut params.list.position.kings),
    ("where", |params| &mut params.list.question),
    ("since", |params| &mut params.list.filter.since),
    ("until", |params| &mut params.list.filter.until),
    ("sort", |params| &mut params.list.page.sort),
    ("language", |params| &mut params.list.language.language),
    ("variant", |params| &mut params.variant),
    ("against", |params| &mut params.report.against),
    ("time", |params| &mut params.report.time),
    ("site", |params| &mut params.report.site),
];

/// Settings that may be given several times.
const LISTS: &[(&str, Set)] = &[
    ("tag", |params, text| {
        params.list.filter.tag.push(text.to_owned());
        Ok(())
    }),
    ("tie-breaks", |params, text| {
        for name in text.split(',') {
            params.report.tie_breaks.push(name.parse()?);
        }
        Ok(())
    }),
    ("group-by", |params, text| {
        for key in text.split(',') {
            params.group_by.push(value_parsers::group_key(key)?);
        }
        Ok(())
    }),
];

/// Settings that are set or not.
const FLAGS: &[(&str, Place<bool>)] = &[
    ("in-variations", |params| {
        &mut params.list.position.in_variations
    }),
    ("any-variant", |params| {
        &mut params.list.position.any_variant
    }),
    ("rotate", |params| &mut params.list.position.rotate),
    ("mirror", |params| &mut params.list.position.mirror),
    ("flip", |params| &mut params.list.position.flip),
    ("shift", |params| &mut params.list.position.shift),
    ("orientations", |params| &mut params.list.position.turn),
    ("spellings", |params| &mut params.report.spellings),
    ("exact-names", |params| &mut params.list.filter.exact_names),
];

/// Former names of parameters, as the options have them.
const FORMER: &[(&str, &str)] = &[
    ("from-file", "file"),
    ("author", "composer"),
    ("winner", "result"),
    ("from", "since"),
    ("to", "until"),
    ("time-class", "time"),
    ("time-left", "clock"),
    ("evaluation", "eval"),
    ("turn", "orientations"),
];

/// The name that a parameter has which was called otherwise.
pub(super) fn former(name: &str) -> Option<&'static str> {
    let row = FORMER.iter().find(|(former, _)| *former == name);
    row.map(|(_, now)| *now)
}

/// Whether a parameter is a setting.
#[cfg(test)]
pub(super) fn is_setting(name: &str) -> bool {
    let is_value = SETTINGS.iter().chain(LISTS).any(|(own, _)| *own == name);
    is_value
        || TEXTS.iter().any(|(own, _)| *own == name)
        || FLAGS.iter().any(|(own, _)| *own == name)
}

/// The name of a condition on games as the language has it, if a parameter has one.
fn condition_name(typed: &str) -> Option<String> {
    if let Some((tag, name)) = typed.split_once('.') {
        let is_tag = tag.eq_ignore_ascii_case("tag") && !name.is_empty();
        return is_tag.then(|| format!("tag.{name}"));
    }
    Some(typed.to_lowercase()).filter(|name| words::is_game_condition(name))
}

/// Reads the parameters of a route that name no place.
///
/// # Errors
///
/// [`HandlerError::Wrong`] if one is unknown, or its value is none.
pub(super) fn read(request: &Request, route: &Route) -> Result<Params, HandlerError> {
    let (mut params, mut known) = (Params::default(), Vec::new());
    params.list.filter.conditions.is_of_address = true;
    for (typed, value) in &request.params {
        // The router has chosen it.
        if typed == v1::DATABASE.0 && !route.is_static {
            continue;
        }
        if route.places.iter().any(|(own, _)| own == typed) {
            if typed == "position" && !value.trim().is_empty() {
                params.list.position.position.push(value.clone());
            }
            continue;
        }
        let name = former(typed).unwrap_or(typed);
        if route.has_conditions
            && let Some(name) = condition_name(name)
        {
            params.condition(&name, value);
            continue;
        }
        if !route.settings.iter().any(|names| names.contains(&name)) {
            return Err(v1::unknown_parameter(typed));
        }
        let is_again = known.contains(&name);
        known.push(name);
        let of_value = |error: String| wrong(format!("{typed}: {error}"));
        if let Some((_, set)) = LISTS.iter().find(|(own, _)| *own == name) {
            set(&mut params, value).map_err(of_value)?;
        } else if is_again {
            return Err(of_value("it can be given only once".to_owned()));
        } else if let Some((_, flag)) = FLAGS.iter().find(|(own, _)| *own == name) {
            *flag(&mut params) = is_set(typed, value)?;
        } else if let Some((_, text)) = TEXTS.iter().find(|(own, _)| *own == name) {
            *text(&mut params) = Some(value.clone());
        } else if let Some((_, set)) = SETTINGS.iter().find(|(own, _)| *own == name) {
            set(&mut params, value).map_err(of_value)?;
        }
    }
    params.contradiction().map_or(Ok(params), Err)
}

impl Params {
    /// Adds a condition. One that is about positions stands in the query.
    fn condition(&mut self, name: &str, value: &str) {
        if matches!(name, "fen" | "moves" | "in" | "similar") {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let own = format!("{name}:\"{value}\"");
            let query = &mut self.list.question;
            *query = Some(match query.take() {
                Some(query) => format!("({query}) and {own}"),
                None => own,
            });
            return;
        }
        self.list.filter.conditions.add(name, value);
    }

    /// What of the parameters cannot stand together.
    fn contradiction(&self) -> Option<HandlerError> {
        let position = &self.list.position;
        let has = |name: &str| self.list.filter.conditions.has(name);
        let wrong_pairs = [
            (
                position.any_variant && has("variant"),
                "any-variant cannot be combined with variant",
            ),
            (
                position.ballot.is_some() && !position.position.is_empty(),
                "ballot cannot be combined with position",
            ),
            (
                self.view.side.is_some() && !has("player"),
                "side needs player",
            ),
        ];
        let found = wrong_pairs.into_iter().find(|(is_so, _)| *is_so);
        found.map(|(_, error)| wrong(error.to_owned()))
    }
}

fn wrong(error: String) -> HandlerError {
    HandlerError::Wrong(CliError::new(error))
}

/// Reads one of the words of a type.
fn value_of<T: ValueEnum + 'static>(text: &str) -> Result<T, String> {
    let words = T::value_variants().iter();
    let words = words.filter_map(|value| Some((value.to_possible_value()?, value.clone())));
    let words: Vec<_> = words.collect();
    let table: Vec<_> = words
        .iter()
        .map(|(word, value)| (word.get_name(), value.clone()))
        .collect();
    word_of(text, &table)
}

/// Whether a flag is set.
///
/// # Errors
///
/// That a value is neither true nor false.
pub(super) fn is_set(name: &str, value: &str) -> Result<bool, HandlerError> {
    match value {
        "" | "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(wrong(format!(
            "{name}: `{value}` is neither true nor false"
        ))),
    }
}
