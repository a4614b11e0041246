//! What a question about positions, moves and facts means: `Pd4 q and player:Karpov`.

use clap::Parser;

use super::args::{FilterArgs, PositionArgs};
use super::error::CliError;
use super::plan_meant::{WORDS, facts_meant, is_opening, moves_in, named_moves};
use super::plan_query::{filter, position, typed_position};
use super::render::number;
use super::values;
use crate::db::query::{Fact, Filter, Question};
use crate::db::search::{GamesElsewhere, Prepared};
use crate::games::AnyPosition;
use crate::games::pattern::{self, AskedBoard, Expr, GameTerm, Misread, program};
use crate::games::variant::{self, Variant};

/// Facts that a question may name.
const FACTS_MAX: usize = 64;

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

/// Variants that a note names.
const NAMES_SHOWN: usize = 4;

/// The words of the command line as one text: a value that was quoted for the shell is quoted
/// here.
pub(super) fn joined(words: &[String]) -> String {
    // What has further names or conditions in it is a question that was quoted as a whole.
    let is_value = |value: &str| {
        let is_word = |word: &str| WORDS.contains(&word.to_lowercase().as_str());
        value.contains(char::is_whitespace)
            && !value.contains(['"', ':', '='])
            && !value.split_whitespace().any(is_word)
    };
    let quoted = words.iter().map(|word| match word.split_once(':') {
        Some((name, value))
            if words.len() > 1
                && name.len() > 1
                && name.chars().all(|c| c.is_alphanumeric() || c == '.')
                && is_value(value) =>
        {
            format!("{name}:\"{value}\"")
        }
        _ => word.clone(),
    });
    let text = quoted.collect::<Vec<_>>().join(" ");
    // As word processors quote.
    if text.contains(":“") {
        return text.replace(['“', '”'], "\"");
    }
    text
}

/// The question that a text is; `None` where it is a position. Moves that can be played from
/// the start are moves; what else the same words can mean is said.
pub(super) fn asked(
    text: &str,
    wanted: &PositionArgs,
    filter: &mut Filter,
    warnings: &mut Vec<String>,
) -> Result<Option<Question>, CliError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let forced = text
        .trim()
        .strip_prefix("pattern")
        .and_then(|rest| rest.trim().strip_prefix('{')?.strip_suffix('}'));
    let foreign = text.trim();
    let is_object = foreign.strip_prefix('{').map(str::trim_start);
    if is_object.is_some_and(|inner| inner.starts_with(['"', '}'])) {
        let question = pattern::scoutfish::translate(foreign)
            .map_err(|misread| misread_error(foreign, &misread))?;
        warnings.push(format!("a query of scoutfish, read as: {question}"));
        return asked(&question, wanted, filter, warnings);
    }
    let expr = if let Some(inner) = forced {
        pattern::parser::parse(inner).map_err(|misread| misread_error(inner, &misread))?
    } else {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let has_words = words.iter().any(|word| WORDS.contains(&word.as_str()));
        let counts = |word: &String| {
            let behind = word.split_once('=').map(|(_, count)| count);
            word.contains("..")
                || behind.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()))
        };
        let is_question = has_words
            || text.trim().starts_with(['(', '{'])
            || has_named(text)
            || words.iter().any(counts);
        let read = pattern::parser::parse(text);
        match (typed_position(text, filter, &mut Vec::new()), read) {
            (Ok(typed), Ok(expr)) => {
                // A diagram of draughts is nothing else; moves may be squares as well.
                if !typed.moves.is_empty()
                    && pattern::compile(&expr, &AskedBoard::of(&typed.at)).is_ok()
                {
                    warnings.push(format!(
                        "read as a position; `pattern {{ {text} }}` asks for pieces on squares"
                    ));
                }
                return Ok(None);
            }
            (Ok(_), Err(_)) => return Ok(None),
            (Err(_), read)
                if !is_question
                    && !read.as_ref().is_ok_and(|expr| fits(expr, filter))
                    && let Some(facts) = facts_meant(&words) =>
            {
                let message = format!("`{}` is neither a position nor a question", text.trim());
                return Err(CliError::new(message).hint(format!("facts have names: '{facts}'")));
            }
            (Err(_), read)
                if values::is_eco(text) && !read.as_ref().is_ok_and(|expr| fits(expr, filter)) =>
            {
                let code = format!("eco:{}", text.trim());
                warnings.push(format!("read as an ECO code: {code}"));
                pattern::parser::parse(&code).map_err(|misread| misread_error(&code, &misread))?
            }
            (Err(error), Err(_)) if !is_question && is_opening(text) => {
                let name = text.trim();
                let word = |fact: &str| {
                    if name.contains(char::is_whitespace) {
                        format!("'{fact}:\"{name}\"'")
                    } else {
                        format!("{fact}:{name}")
                    }
                };
                let (opening, player) = (word("opening"), word("player"));
                return Err(CliError::new(error.message()).hint(format!(
                    "write {opening} for the opening of that name, or {player} for a player"
                )));
            }
            (Err(error), Ok(expr)) => {
                if let Some(line) = moves_in(text, filter).filter(|_| is_question) {
                    if !fits(&expr, filter) {
                        return Err(CliError::new(error.message()).hint(named_moves(text, &line)));
                    }
                    warnings.push(format!(
                        "`{line}` is read as pieces on squares; moves:\"{line}\" asks for the \
                         position behind it"
                    ));
                }
                if !is_question {
                    if !fits(&expr, filter) {
                        return Ok(None);
                    }
                    warnings.push(format!(
                        "read as pieces on squares, for as a position it cannot be read: {}",
                        error.message()
                    ));
                }
                expr
            }
            (Err(_), Err(misread)) => {
                let is_name = text.chars().all(|c| c.is_alphabetic() || c == ' ');
                let line = moves_in(text, filter).filter(|_| is_question);
                if let Some(line) = line {
                    let misread = Misread {
                        hint: Some(named_moves(text, &line)),
                        ..misread
                    };
                    return Err(misread_error(text, &misread));
                }
                if is_question || is_name {
                    return Err(misread_error(text, &misread));
                }
                return Ok(None);
            }
        }
    };
    for (given, name) in [
        (wanted.identity.is_some(), "--identity"),
        (wanted.any_variant, "--any-variant"),
        (wanted.turn, "--orientations"),
    ] {
        if given {
            return Err(CliError::new(format!(
                "{name} is for one exact position, not for a question about pieces and moves"
            ))
            .hint(format!(
                "leave out {name}, or write the position as fen:\"...\""
            )));
        }
    }
    for (given, name, word) in [
        (wanted.rotate, "--rotate", "rotate"),
        (wanted.mirror, "--mirror", "mirror"),
        (wanted.flip, "--flip", "either"),
        (wanted.shift, "--shift", "shift"),
    ] {
        if given {
            return Err(
                CliError::new(format!("{name} is for one exact position")).hint(format!(
                    "write `{word} ( ... )` around the question instead"
                )),
            );
        }
    }
    let mut question = meant(forced.unwrap_or(text), expr, filter, warnings)?;
    question.in_variations |= wanted.in_variations;
    Ok(Some(question))
}

/// The question that a text is, whatever else it could be.
pub(super) fn question(
    text: &str,
    filter: &mut Filter,
    warnings: &mut Vec<String>,
) -> Result<Question, CliError> {
    let expr = pattern::parser::parse(text).map_err(|misread| misread_error(text, &misread))?;
    meant(text, expr, filter, warnings)
}

/// What the facts of a question mean.
fn meant(
    text: &str,
    expr: Expr,
    filter: &mut Filter,
    warnings: &mut Vec<String>,
) -> Result<Question, CliError> {
    let terms = program::facts(&expr);
    if let Some(term) = terms.get(FACTS_MAX) {
        let misread = Misread {
            message: format!("a question names at most {FACTS_MAX} facts about the game"),
            hint: None,
            span: term.span.clone(),
        };
        return Err(misread_error(text, &misread));
    }
    let (mut facts, mut in_variations, mut like) = (Vec::new(), false, None);
    for term in terms {
        in_variations |= is_scope(term, &expr, text)?;
        if term.name.eq_ignore_ascii_case("similar") {
            let read = typed_position(&term.value, filter, warnings)?.at;
            let rules = read.variant().rules;
            if filter.variants.is_empty() {
                let own = variant::ALL.iter().filter(|row| row.rules == rules);
                filter.variants = own.map(|row| row.id).collect();
            }
            like = Some(read);
        }
        let meant = fact(term, filter, warnings)?;
        if is_required(&expr, term)
            && let Fact::Games(filters) = &meant
            && let [only] = &filters[..]
            && filter.variants.is_empty()
        {
            filter.variants.clone_from(&only.variants);
        }
        facts.push(meant);
    }
    Ok(Question {
        text: text.to_owned(),
        expr,
        facts,
        boards: Vec::new(),
        like,
        in_variations,
        without_columns: false,
    })
}

/// Whether a fact is none, but says that variations are asked as well. One that is about the
/// whole question must not be an alternative.
fn is_scope(term: &GameTerm, expr: &Expr, text: &str) -> Result<bool, CliError> {
    let is_in = term.name.eq_ignore_ascii_case("in");
    if !is_in && !term.name.eq_ignore_ascii_case("similar") {
        return Ok(false);
    }
    let wrong = |message: &str, hint: &str| Misread {
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
        span: term.span.clone(),
    };
    let misread = if is_in && !term.value.eq_ignore_ascii_case("variations") {
        wrong(
            &format!("`in:{}` is not understood", term.value),
            "in:variations looks through variations as well",
        )
    } else if is_required(expr, term) {
        return Ok(is_in);
    } else {
        wrong(
            &format!("`{}:` is about the complete question", term.name),
            "write it before or behind all else, not beside `or` and `not`",
        )
    };
    Err(misread_error(text, &misread))
}

/// Whether a text makes sense as a question.
pub(super) fn is_question(text: &str, filter: &Filter) -> bool {
    pattern::parser::parse(text).is_ok_and(|expr| fits(&expr, filter))
}

/// Whether a question makes sense on a board of the variants that a filter names; of chess, if it
/// names none.
fn fits(expr: &Expr, filter: &Filter) -> bool {
    let rows = filter.variants.iter().filter_map(|&id| Variant::by_id(id));
    let mut starts: Vec<AnyPosition> = rows.filter_map(AnyPosition::start).collect();
    if filter.variants.is_empty() {
        starts.push(AnyPosition::initial());
    }
    let mut boards = starts.iter().map(AskedBoard::of);
    boards.any(|board| pattern::compile(expr, &board).is_ok())
}

/// Whether a word of a text has a name that a question knows.
fn has_named(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| {
        let is_name = |name: &str| {
            name.len() > 1
                && name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
        };
        word.split_once(':').is_some_and(|(name, _)| is_name(name))
    })
}

/// Whether all games that are found must have a fact.
fn is_required(expr: &Expr, term: &GameTerm) -> bool {
    match expr {
        Expr::Game(own) => own == term,
        Expr::And(all) => all.iter().any(|one| is_required(one, term)),
        _ => false,
    }
}

/// Characters of a question that are shown before a place in it, and from there on.
const SHOWN: [usize; 2] = [80, 120];

/// What is shown of a question around a place: the text, the characters before the place, and
/// those that are marked.
fn around(text: &str, span: &std::ops::Range<usize>) -> (String, usize, usize) {
    let before = text.get(..span.start).unwrap_or(text);
    let marked = text.get(span.clone()).unwrap_or_default();
    let (before, marked) = (before.chars().count(), marked.chars().count());
    let left_out = before.saturating_sub(SHOWN[0]);
    let mut shown: String = if left_out > 0 { "…" } else { "" }.into();
    let mut rest = text.chars().skip(left_out);
    shown.extend(rest.by_ref().take(before - left_out + SHOWN[1]));
    if rest.next().is_some() {
        shown.push('…');
    }
    let before = before - left_out + usize::from(left_out > 0);
    (shown, before, marked.min(SHOWN[1]))
}

/// An error with its place in the question.
pub(super) fn misread_error(text: &str, misread: &Misread) -> CliError {
    let (shown, before, marked) = around(text, &misread.span);
    let error = if misread.span.start == 0 && misread.span.end == 0 {
        CliError::new(misread.message.clone())
    } else {
        CliError::new(format!(
            "{}\n  {shown}\n  {}{}",
            misread.message,
            " ".repeat(before),
            "^".repeat(marked.max(1)),
        ))
    };
    let quoted = text.contains("moves:") && !text.contains('"');
    match &misread.hint {
        Some(hint) => error.hint(hint.clone()),
        None if quoted => error.hint("a value with blanks is quoted: 'moves:\"e4 c5\" and q'"),
        None => error,
    }
}

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
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        CliError::new(line.trim_start_matches("error: ").to_owned())
    })?;
    filter(&read.filter, warnings)
}

/// What a fact means.
fn fact(term: &GameTerm, around: &Filter, warnings: &mut Vec<String>) -> Result<Fact, CliError> {
    let (name, value) = (term.name.to_lowercase(), term.value.as_str());
    let option = |name: &str, value: &str| format!("--{name}={value}");
    let wrong = |what: &str| CliError::new(format!("{name}: `{value}` is not {what}"));
    let mut one = |options: &[String]| {
        let filter = of_options(options, warnings)?;
        Ok::<_, CliError>(Fact::Games(vec![filter]))
    };
    if let Some((_, long)) = OPTIONS.iter().find(|(known, _)| *known == name) {
        return one(&[option(long, value)]);
    }
    if let Some(tag) = term.name.strip_prefix("tag.") {
        return one(&[format!("--tag={tag}={value}")]);
    }
    let range = || {
        pattern::numbers(value)
            .ok_or_else(|| wrong("a range").hint("write 2600, 2600.. or 2400..2600"))
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
            let read = position(value, &PositionArgs::default(), &mut variants, warnings)?;
            Fact::Position(Box::new(read))
        }
        _ => {
            let known: Vec<&str> = OPTIONS.iter().map(|(name, _)| *name).collect();
            return Err(
                CliError::new(format!("`{}:` is not known in a question", term.name)).hint(format!(
                    "facts about games are {}, {OTHERS}; conditions on positions and moves are in docs/questions.md",
                    known.join(", ")
                )),
            );
        }
    })
}

/// What else is to be said of a search in some games only.
pub(super) fn others(prepared: &Prepared) -> Option<String> {
    let names = |rows: &[&Variant]| listed(rows.iter().map(|row| row.name));
    if prepared.others.is_empty() {
        return None;
    }
    Some(format!(
        "only games of {} were searched; for others add variant:NAME ({})",
        names(&prepared.asked),
        names(&prepared.others)
    ))
}

/// What is said where a database has no games by the rules of a position, but others.
pub(super) fn instead(own: &Variant, rows: &[&Variant]) -> String {
    let titles = listed(rows.iter().map(|row| row.title));
    format!("no game of {} is stored: searched in {titles}", own.title)
}

/// What is said of games that hold an exact position by other rules.
pub(super) fn elsewhere(found: &[GamesElsewhere]) -> Option<String> {
    let games: u64 = found.iter().map(|found| found.games).sum();
    let titles = found.iter().map(|found| {
        let row = Variant::by_name(found.variant);
        row.map_or(found.variant, |row| row.title)
    });
    (games > 0).then(|| {
        let (games, titles) = (number::count(games), listed(titles));
        format!("{games} more in {titles}: --any-variant")
    })
}

/// The first names of a list, and how many more there are.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let shown = names[..NAMES_SHOWN.min(names.len())].join(", ");
    match names.len().saturating_sub(NAMES_SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
