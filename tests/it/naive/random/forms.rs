//! A query in its forms: as one text, as options of the command line, and as parameters of an address.

use std::fmt::Write as _;

use clap::Parser as _;

use super::expression::RandomQuery;
use super::facts::Fact;
use {
    crate::{
        serve::client::{Server, encoded},
        support::{Base, game_ids},
    },
    plydex::{
        cli::{args::Args, commands::Plan},
        query::{Page, Query, pattern::parser},
        search::{
            self, AccessPlan, ColumnUse,
            planner::{self, PlanError},
        },
    },
};

/// Conditions that options have under their names, each once: repeated they would be one list.
const LISTS: [&str; 13] = [
    "result", "date", "month", "elo", "welo", "belo", "melo", "diff", "eco", "opening", "plies",
    "variant", "time",
];
/// The same of texts, all of which must be there.
const TEXTS: [&str; 13] = [
    "player",
    "white",
    "black",
    "won",
    "lost",
    "event",
    "site",
    "file",
    "mode",
    "comment",
    "annotator",
    "round",
    "start",
];

/// A query as one text.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) asked: RandomQuery,
    pub(super) in_variations: bool,
    /// Games of a variant alone.
    pub(super) variant: Option<&'static str>,
}

/// Options with their values, and what is left as a text.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) named: Vec<(String, String)>,
    pub(super) rest: Option<String>,
}

impl Question {
    pub(super) fn text(&self) -> String {
        self.text_of(self.asked.text())
    }

    fn text_of(&self, text: String) -> String {
        if self.in_variations {
            format!("{text} and in:variations")
        } else {
            text
        }
    }

    /// The conditions of its first level as options; `None` if none of them can be one.
    pub(super) fn options(&self) -> Option<Options> {
        let RandomQuery::And(all) = &self.asked else {
            return None;
        };
        let (mut named, mut rest, mut has_moves) = (Vec::new(), Vec::new(), false);
        for one in all {
            let options = match one {
                RandomQuery::Game(fact) => options_of(fact, &named, has_moves),
                _ => None,
            };
            match options {
                Some(options) => {
                    has_moves |= options.iter().any(|(name, _)| is_of_move(name));
                    named.extend(options);
                }
                None => rest.push(one.clone()),
            }
        }
        let rest = match rest.len() {
            0 if self.in_variations => Some("in:variations".to_owned()),
            0 => None,
            1 => Some(self.text_of(rest.remove(0).text())),
            _ => Some(self.text_of(RandomQuery::And(rest).text())),
        };
        (!named.is_empty()).then_some(Options { named, rest })
    }
}

fn is_of_move(name: &str) -> bool {
    matches!(name, "clock" | "eval" | "loss")
}

/// A condition as options, where others are there already.
fn options_of(
    fact: &Fact,
    named: &[(String, String)],
    has_moves: bool,
) -> Option<Vec<(String, String)>> {
    let is_new = |name: &str| named.iter().all(|(own, _)| own != name);
    let one = |(name, value): &(String, String)| {
        let (option, value) = match name.strip_prefix("tag.") {
            Some(tag) => ("tag", format!("{tag}={value}")),
            None if name == "has" => ("tag", value.clone()),
            None => (name.as_str(), value.clone()),
        };
        let is_one = match option {
            "tag" => true,
            "games" => is_new(option),
            option if is_of_move(option) => !has_moves,
            option => TEXTS.contains(&option) || LISTS.contains(&option) && is_new(option),
        };
        is_one.then(|| (option.to_owned(), value))
    };
    fact.parts.iter().map(one).collect()
}

/// What the command line makes of words.
fn planned(words: &[String]) -> Result<Query, String> {
    let begin = ["plydex", "search"].map(str::to_owned);
    let args =
        Args::try_parse_from(begin.iter().chain(words)).map_err(|error| error.to_string())?;
    match args.command.plan() {
        Ok((Plan::Search(plan), _)) => Ok(Query {
            page: Page::default(),
            ..plan.query
        }),
        Ok(_) => Err("this is no search".to_owned()),
        Err(error) => Err(error.message().to_owned()),
    }
}

/// How a command line is answered.
fn plan_of(base: &Base, words: &[String]) -> Result<AccessPlan, String> {
    match planner::plan(&base.store, &planned(words)?) {
        Ok(found) => Ok(found.plan),
        Err(PlanError::Query(misread)) => Err(misread.message),
        Err(PlanError::Store(error)) => panic!("{error}"),
    }
}

/// The games of a plan.
fn found(base: &Base, plan: &AccessPlan) -> Vec<u64> {
    game_ids(&base.store, plan).expect("an answer")
}

/// The games of a text.
pub(super) fn by_text(base: &Base, text: &str) -> Result<Vec<u64>, String> {
    let plan = plan_of(base, &["--where".to_owned(), text.to_owned()])?;
    Ok(found(base, &plan))
}

/// The games of a text, which do not depend on what is read to find them. They are among those that
/// its plan says can be found, and are all that it says certainly are.
pub(super) fn by_any_plan(base: &Base, text: &str) -> Result<Vec<u64>, String> {
    let plan = plan_of(base, &["--where".to_owned(), text.to_owned()])?;
    let games = found(base, &plan);
    for columns in [ColumnUse::Worthwhile, ColumnUse::Always] {
        let mut plan = plan.clone();
        if let Some(pattern) = &mut plan.pattern {
            pattern.columns = columns;
            let others = found(base, &plan);
            if others != games {
                return Err(format!("{columns:?}: {others:?}, expected {games:?}"));
            }
        }
        let told = search::explain(&base.store, &plan, games.len() as u64).expect("a plan");
        if !(told.certain..=told.possible).contains(&(games.len() as u64)) {
            return Err(format!("{told:?}, expected {games:?}"));
        }
    }
    Ok(games)
}

/// The games of options, with the rest as words, or after `--where` if it could be read as moves.
pub(super) fn by_options(base: &Base, options: &Options) -> Result<Vec<u64>, String> {
    let named = options.named.iter();
    let mut words: Vec<String> = named
        .map(|(name, value)| format!("--{name}={value}"))
        .collect();
    match &options.rest {
        Some(rest) if rest.contains('{') => words.push(rest.clone()),
        Some(rest) => words.push(format!("--where={rest}")),
        None => {}
    }
    Ok(found(base, &plan_of(base, &words)?))
}

/// Games of a page.
const PAGE: usize = 6;

/// How many games parameters find, and the first of them.
pub(super) fn by_address(server: &Server, options: &Options) -> (u64, Vec<u64>) {
    let mut target = format!("/v1/search?limit={PAGE}");
    let rest = options.rest.iter().map(|rest| ("where", rest));
    let named = options.named.iter().map(|(name, value)| (&**name, value));
    for (name, value) in named.chain(rest) {
        let _ = write!(target, "&{name}={}", encoded(value));
    }
    let answer = server.json(&target);
    let hits = answer["hits"].as_array().expect("hits").iter();
    let ids = hits.map(|hit| hit["id"].as_u64().expect("a number"));
    (answer["total"].as_u64().expect("a number"), ids.collect())
}

/// What `by_address` gives for these games.
pub(super) fn page_of(games: &[u64]) -> (u64, Vec<u64>) {
    (
        games.len() as u64,
        games.iter().take(PAGE).copied().collect(),
    )
}

/// Whether what a text is printed as is read as the same again.
pub(super) fn is_printed_as_read(text: &str) -> Result<(), String> {
    let read = parser::parse(text).map_err(|misread| misread.message)?;
    let printed = read.to_string();
    match parser::parse(&printed) {
        Ok(again) if again == read && again.to_string() == printed => Ok(()),
        Ok(again) => Err(format!("printed as {printed}, and that as {again}")),
        Err(misread) => Err(format!("printed as {printed}: {}", misread.message)),
    }
}
