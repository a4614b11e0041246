//! Facts about games in a query, `player:Karpov`: what they mean, and what is wrong with them.

use clap::Parser;
use clap::error::{ContextKind, ContextValue};

use super::args::{FilterArgs, PositionArgs};
use super::error::CliError;
use super::plan_meant::{WORDS, in_shell};
use super::plan_query::{filter, position};
use super::plan_said::misread_error;
use super::suggest;
use crate::db::query::{Fact, Filter, PositionQuery};
use crate::games::pattern::{self, GameTerm, QueryError, TextSpan};

/// The facts that are options of their own.
const OPTIONS: [(&str, &str); 24] = [
    ("player", "player"),
    ("white", "white"),
    ("black", "black"),
    ("event", "event"),
    ("site", "site"),
    ("result", "result"),
    ("eco", "eco"),
    ("opening", "opening"),
    ("variant", "variant"),
    ("time", "time-class"),
    ("clock", "time-left"),
    ("eval", "evaluation"),
    ("loss", "loss"),
    ("games", "games"),
    ("file", "from-file"),
    ("start", "start"),
    ("has", "tag"),
    ("author", "author"),
    ("composer", "author"),
    ("stipulation", "stipulation"),
    ("source", "source"),
    ("condition", "condition"),
    ("keyword", "keyword"),
    ("comment", "comment"),
];

/// The other facts, as an error lists them.
const OTHERS: &str = "won, lost, date, elo, welo, belo, diff, plies, fen, moves and tag.NAME";

/// The options of filters, read as the command line reads them.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct FactOptions {
    #[command(flatten)]
    filter: FilterArgs,
}

/// The filter of some options.
fn of_options(options: &[String], warnings: &mut Vec<String>) -> Result<Filter, CliError> {
    let read = FactOptions::try_parse_from(options).map_err(|error| {
        if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
            && let Some(ContextValue::Strings(valid)) = error.get(ContextKind::ValidValue)
        {
            let wrong = CliError::new(format!("`{value}` is not a valid value"));
            return wrong.hint(format!("write one of {}", valid.join(", ")));
        }
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        CliError::new(line.trim_start_matches("error: ").to_owned())
    })?;
    filter(&read.filter, warnings)
}

/// What a fact of a query means.
pub(super) fn fact(
    question: &str,
    term: &GameTerm,
    around: &Filter,
    warnings: &mut Vec<String>,
) -> Result<Fact, CliError> {
    meant(term, around, warnings)
        .map_err(|error| misread_error(question, &in_question(&error, term)))
}

/// What is wrong with a fact, without the names of the options that it stands for.
fn in_question(error: &CliError, term: &GameTerm) -> QueryError {
    let (name, value) = (&term.name, &term.value);
    let message = error.message();
    let mut bare = match message.split_once(": ") {
        Some((option, rest)) if option.starts_with("--") => rest,
        _ => message,
    };
    let mut hint = error
        .hint_text()
        .map(|hint| match hint.split_once(", or leave out --") {
            Some((kept, _)) => kept.to_owned(),
            None => hint.to_owned(),
        });
    if message.starts_with("--since is later") {
        bare = "the first date is later than the second one";
        hint = Some("write the earlier one first, such as date:2010..2019".to_owned());
    } else if let Some((from, to)) = value.split_once('-')
        && name.eq_ignore_ascii_case("date")
        && [from, to].iter().all(|year| year.len() == 4)
    {
        hint = Some(format!(
            "write date:{from}..{to} for the years from {from} to {to}"
        ));
    }
    QueryError {
        message: bare.to_owned(),
        hint,
        span: term.span.clone(),
    }
}

/// Conditions on positions and moves that have a name.
const CONDITIONS: [&str; 21] = [
    "material",
    "imbalance",
    "attacks",
    "pins",
    "only",
    "men",
    "kings",
    "stm",
    "by",
    "ply",
    "pieces",
    "jumps",
    "move",
    "uci",
    "moved",
    "captured",
    "promotes",
    "from",
    "to",
    "castles",
    "last",
];

/// Names that other programs have for a condition.
const SYNONYMS: [(&[&str], &str); 11] = [
    (&["position", "pos", "board"], "fen"),
    (&["rating", "ratings"], "elo"),
    (&["name", "opponent", "players"], "player"),
    (&["winner"], "won"),
    (&["loser"], "lost"),
    (&["tournament", "tourney"], "event"),
    (&["place", "city", "country"], "site"),
    (&["length"], "plies"),
    (&["timecontrol", "speed", "tc"], "time"),
    (&["round"], "tag.Round"),
    (&["annotator"], "tag.Annotator"),
];

/// What may have been meant by a name that none of the facts has, and what can be written.
fn unknown(term: &GameTerm) -> CliError {
    let error = CliError::new(format!("`{}:` is not a condition", term.name));
    let typed = term.name.to_lowercase();
    if typed.chars().count() == 1 {
        return error.hint(
            "pieces and a colon are followed by files, ranks or squares, or light or dark: R:7, B:light",
        );
    }
    let synonym = SYNONYMS
        .iter()
        .find(|(names, _)| names.contains(&typed.as_str()));
    if let Some((_, name)) = synonym {
        return error.hint(format!("did you mean {name}:{}?", term.value));
    }
    let facts = || OPTIONS.iter().map(|(name, _)| *name);
    let others = OTHERS
        .split([' ', ','])
        .filter(|name| !matches!(*name, "" | "and" | "tag.NAME"));
    let near = CONDITIONS.into_iter().chain(facts()).chain(others);
    if let Some(name) = suggest::nearest(&typed, near) {
        return error.hint(format!("did you mean {name}:{}?", term.value));
    }
    error.hint(format!(
        "filters on games are {}, {OTHERS}; conditions on positions and moves are in docs/query-language.md",
        facts().collect::<Vec<_>>().join(", ")
    ))
}

/// How a fact is written that was typed with another sign than a colon: `elo>2600`, `player=karpov`.
pub(super) fn with_colon(question: &str) -> Option<String> {
    question.split_whitespace().find_map(|word| {
        let (name, rest) = word.split_at(word.find(['=', '<', '>'])?);
        let value = rest.trim_start_matches(['=', '<', '>']);
        let typed = name.to_lowercase();
        let mut facts = OPTIONS
            .iter()
            .map(|(name, _)| *name)
            .chain(OTHERS.split([' ', ',']));
        let synonym = SYNONYMS
            .iter()
            .find(|(names, _)| names.contains(&typed.as_str()));
        let name = match synonym {
            Some((_, known)) => known,
            None if facts.any(|known| known == typed) => name,
            None => return None,
        };
        if name.len() < 3 || value.is_empty() {
            return None;
        }
        Some(match (rest.starts_with('>'), rest.starts_with('<')) {
            (true, _) => format!("{name}:{value}.."),
            (_, true) => format!("{name}:..{value}"),
            _ => format!("{name}:{value}"),
        })
    })
}

/// How a fact is written whose value was typed with blanks and no quotes, where a word that is not
/// understood stands after it.
pub(super) fn quoted(question: &str, wrong: &TextSpan) -> Option<String> {
    const TEXTS: [&str; 13] = [
        "player", "white", "black", "won", "lost", "event", "site", "opening", "comment", "author",
        "source", "moves", "fen",
    ];
    if question.contains('"') {
        return None;
    }
    let before = question.get(..wrong.start)?.trim_end();
    let fact = before.rsplit([' ', '(', '{']).next()?;
    let (name, first) = fact.split_once(':')?;
    if !TEXTS.contains(&&name.to_lowercase()[..]) || first.is_empty() {
        return None;
    }
    let behind = question.get(wrong.start..)?.split_whitespace();
    let is_word = |word: &&str| {
        !WORDS.contains(&&word.to_lowercase()[..]) && !word.contains([':', '(', ')', '{', '}'])
    };
    let rest: Vec<&str> = behind.take_while(is_word).collect();
    if rest.is_empty() {
        return None;
    }
    let rest = rest.join(" ");
    let fact = in_shell(&format!("{name}:\"{first} {rest}\""));
    Some(format!(
        "quote values that contain spaces, and the complete query for the shell: {fact}"
    ))
}

/// The same of a query that can be read otherwise, but makes no sense.
pub(super) fn unquoted(question: &str) -> Option<String> {
    let begin = question.as_ptr() as usize;
    let words = question.split_whitespace();
    let mut starts = words.skip(1).map(|word| word.as_ptr() as usize - begin);
    starts.find_map(|at| quoted(question, &(at..at)))
}

/// What a fact means.
fn meant(term: &GameTerm, around: &Filter, warnings: &mut Vec<String>) -> Result<Fact, CliError> {
    let (name, value) = (term.name.to_lowercase(), term.value.as_str());
    let option = |name: &str, value: &str| format!("--{name}={value}");
    let wrong = |what: &str| CliError::new(format!("{name}: `{value}` is not {what}"));
    let mut one = |options: &[String]| {
        let filter = of_options(options, warnings)?;
        Ok::<_, CliError>(Fact::Games(vec![filter]))
    };
    let long = |name: &str| {
        let found = OPTIONS.iter().find(|(known, _)| *known == name);
        found.map(|(_, long)| *long)
    };
    if let Some(first) = long(&name) {
        let mut options = vec![option(first, value)];
        for (name, value) in &term.beside {
            options.extend(long(&name.to_lowercase()).map(|long| option(long, value)));
        }
        if term.is_of_ply {
            let asked = of_options(&options, warnings)?.a_move;
            return Ok(Fact::Move(asked.unwrap_or_default()));
        }
        return one(&options);
    }
    if let Some(tag) = term.name.strip_prefix("tag.") {
        return one(&[format!("--tag={tag}={value}")]);
    }
    let range = || {
        pattern::numbers(value).ok_or_else(|| {
            wrong("a range").hint(match name.as_str() {
                "plies" => "write 40, 40.., ..40 or 20..40",
                "diff" => "write 200, 200.. or 100..200",
                _ => "write 2600, 2600.. or 2400..2600",
            })
        })
    };
    Ok(match name.as_str() {
        // Every game passes: these are a scope and an order.
        "in" | "similar" => Fact::Games(vec![Filter::default()]),
        "won" | "lost" => {
            let results = if name == "won" {
                ["1-0", "0-1"]
            } else {
                ["0-1", "1-0"]
            };
            let sides = ["white", "black"].iter().zip(results);
            let filters = sides.map(|(side, result)| {
                of_options(&[option(side, value), option("result", result)], warnings)
            });
            Fact::Games(filters.collect::<Result<_, _>>()?)
        }
        "date" | "year" => {
            let (from, to) = value.split_once("..").unwrap_or((value, value));
            let mut options = Vec::new();
            for (name, date) in [("since", from), ("until", to)] {
                if !date.is_empty() {
                    options.push(option(name, date));
                }
            }
            one(&options)?
        }
        "elo" => {
            let (least, most) = range()?;
            let mut options = vec![option("min-elo", &least.to_string())];
            if most < u32::MAX {
                options.push(option("max-elo", &most.to_string()));
            }
            one(&options)?
        }
        "welo" | "belo" | "diff" | "plies" => {
            let range = Some(range()?);
            let none = None;
            let is = |asked: &str| if name == asked { range } else { none };
            Fact::Games(vec![Filter {
                white_elo: is("welo"),
                black_elo: is("belo"),
                elo_difference: is("diff"),
                plies: is("plies"),
                ..Filter::default()
            }])
        }
        "fen" | "moves" => {
            let mut variants = Filter {
                variants: around.variants.clone(),
                ..Filter::default()
            };
            let own_rules = around.variants.is_empty();
            let read = position(value, &PositionArgs::default(), &mut variants, warnings)?;
            // As a position is that stands alone.
            Fact::Position(Box::new(PositionQuery { own_rules, ..read }))
        }
        _ => return Err(unknown(term)),
    })
}
