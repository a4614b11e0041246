//! What a query about positions, moves and facts means: `Pd4 q and player:Karpov`.

use super::args::PositionArgs;
use super::error::CliError;
use super::plan_facts::{fact, unquoted, with_colon};
use super::plan_meant::{
    WORDS, facts_meant, in_shell, is_opening, is_person, moves_in, named_moves, of_name, players,
};
use super::plan_query::typed_position;
use super::plan_said::{misread_error, read_as_position};
use super::plan_wrong::{
    another_word, beside_moves, has_fact, has_named, has_pieces, is_query_like, off_board,
};

use super::value_parsers;
use crate::db::query::{Fact, Filter, QueryExpr};

use crate::games::AnyPosition;
use crate::games::pattern::{
    self, BoardSpec, Expr, GameTerm, PlyCondition, QueryError, Term, program,
};
use crate::games::variant::{self, Variant, VariantDetection};

/// Facts that a query may name.
const FACTS_MAX: usize = 64;

/// The words of the command line as one text: a value that was quoted for the shell is quoted
/// here.
pub(super) fn joined(words: &[String]) -> String {
    // What has further names or conditions in it is a query that was quoted entirely.
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

/// What a text asks.
pub(super) enum Interpretation {
    /// It is a position, or nothing.
    Position,
    /// It is moves of a game; where a database has none of that game, and the words are nothing in
    /// those that it has, the query is meant.
    ForeignMoves(QueryExpr),
    /// It is a query.
    Question(QueryExpr),
}

/// What a text is meant as. Moves that can be played from the start are moves; what else the same
/// words can mean is said.
pub(super) fn asked(
    text: &str,
    wanted: &PositionArgs,
    filter: &mut Filter,
    warnings: &mut Vec<String>,
) -> Result<Interpretation, CliError> {
    if text.trim().is_empty() {
        return Ok(Interpretation::Position);
    }
    let forced = forced(text);
    let foreign = text.trim();
    if forced.is_none() && foreign.starts_with("pattern") && foreign.contains('{') {
        let error =
            CliError::new("the brace after `pattern` is not closed, or something follows it");
        return Err(error.hint("write 'pattern { Pd4 Nf3 }' and nothing else"));
    }
    if let Some(fact) = with_colon(foreign) {
        let error = CliError::new(format!("`{foreign}` is not understood"));
        return Err(error.hint(format!("filters are written name:value: {fact}")));
    }
    if let Some(question) = of_scoutfish(foreign, warnings)? {
        return asked(&question, wanted, filter, warnings);
    }
    let expr = if let Some(inner) = forced {
        pattern::parser::parse(inner).map_err(|misread| misread_error(inner, &misread))?
    } else {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let is_question = is_query_like(text);
        let read = pattern::parser::parse(text);
        // To try a query as moves of every game takes a millisecond or two.
        let position = if read.is_ok() && has_fact(text) {
            Err(CliError::new(format!("`{foreign}` is not a position")))
        } else {
            typed_position(text, filter, &mut Vec::new())
        };
        match (position, read) {
            (Ok(typed), Ok(expr)) => {
                // A diagram of draughts is nothing else; moves may be squares as well.
                let is_line = !typed.moves.is_empty();
                let is_usual = typed.at.variant().tier() == Some(VariantDetection::Assumed);
                let is_free = filter.variants.is_empty() && for_one_position(wanted).is_ok();
                // What is no piece of chess may be one of draughts.
                let is_question = if is_usual {
                    !fits(&expr, filter) && fits_draughts(&expr, filter)
                } else {
                    fits(&expr, filter)
                };
                if is_line && is_free && is_question {
                    let mut filter = filter.clone();
                    let around = (&mut filter, wanted.in_variations);
                    let question = meant(text, expr, around, &mut Vec::new())?;
                    return Ok(Interpretation::ForeignMoves(question));
                }
                if is_line && pattern::compile(&expr, &BoardSpec::of(&typed.at)).is_ok() {
                    warnings.push(read_as_position(text));
                }
                return Ok(Interpretation::Position);
            }
            (Ok(_), Err(_)) => {
                let passed_over = before_the_board(text);
                if let Some((words, board)) = passed_over.filter(|_| is_question) {
                    let error =
                        CliError::new(format!("`{words}` is not a part of the position after it"));
                    return Err(error.hint(format!(
                        "in a query, write a position as 'fen:\"{board}\" and {words}'"
                    )));
                }
                if let Some((words, _)) = passed_over {
                    warnings.push(format!(
                        "`{words}` is skipped, as the words before a diagram are"
                    ));
                }
                return Ok(Interpretation::Position);
            }
            (Err(_), read)
                if !is_question
                    && !read.as_ref().is_ok_and(|expr| fits(expr, filter))
                    && let Some(facts) = facts_meant(&words) =>
            {
                let message = format!("`{}` is neither a position nor a query", text.trim());
                return Err(CliError::new(message)
                    .hint(format!("filters are written name:value: '{facts}'")));
            }
            (Err(_), read)
                if value_parsers::is_eco(text)
                    && !read.as_ref().is_ok_and(|expr| fits(expr, filter)) =>
            {
                let code = format!("eco:{}", text.trim());
                warnings.push(format!("read as an ECO code: {code}"));
                pattern::parser::parse(&code).map_err(|misread| misread_error(&code, &misread))?
            }
            (Err(error), Err(_)) if !is_question && is_opening(text) => {
                let name = text.trim();
                let [opening, player] = ["opening", "player"].map(|fact| of_name(fact, name));
                let mut hint = format!(
                    "write {opening} for the opening of that name, or {player} for a player"
                );
                let each: Vec<String> = players(name.split_whitespace()).collect();
                if each.len() > 1 {
                    hint = format!("{hint}, or {} for several", each.join(" "));
                }
                return Err(CliError::new(error.message()).hint(hint));
            }
            (Err(error), Err(_)) if !is_question && is_person(text) => {
                let player = in_shell(&format!("player:\"{}\"", text.trim()));
                let hint = format!("write {player} for the games of a player");
                return Err(CliError::new(error.message()).hint(hint));
            }
            (Err(_), Ok(expr))
                if !fits(&expr, filter)
                    && let Some(hint) = unquoted(text) =>
            {
                let error = CliError::new(format!("`{foreign}` is not understood"));
                return Err(error.hint(hint));
            }
            (Err(error), Ok(expr)) => {
                let named = Filter {
                    variants: named_variants(&expr, filter),
                    ..filter.clone()
                };
                if let Some(line) = moves_in(text, &named).filter(|_| is_question) {
                    if !fits(&expr, filter) && !fits_draughts(&expr, filter) {
                        let misread = off_board(text, &expr, filter);
                        return Err(misread.unwrap_or_else(|| {
                            if has_named(text) {
                                return beside_moves(text, &line, filter);
                            }
                            another_word(text, &line, filter).unwrap_or_else(|| {
                                CliError::new(error.message()).hint(named_moves(text, &line))
                            })
                        }));
                    }
                    warnings.push(format!(
                        "`{line}` is read as pieces on squares; moves:\"{line}\" finds the \
                         position after it"
                    ));
                }
                if !is_question && !fits(&expr, filter) && !fits_draughts(&expr, filter) {
                    if let Some(misread) = off_board(text, &expr, filter) {
                        return Err(misread);
                    }
                    // What cannot be moves is searched for in the games that a database has.
                    if !has_pieces(text, filter) {
                        return Ok(Interpretation::Position);
                    }
                } else if !is_question {
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
                    return Err(another_word(text, &line, filter).unwrap_or_else(|| {
                        let misread = QueryError {
                            hint: Some(named_moves(text, &line)),
                            ..misread
                        };
                        misread_error(text, &misread)
                    }));
                }
                if is_question || is_name {
                    return Err(misread_error(text, &misread));
                }
                return Ok(Interpretation::Position);
            }
        }
    };
    for_one_position(wanted)?;
    let around = (filter, wanted.in_variations);
    let question = meant(forced.unwrap_or(text), expr, around, warnings)?;
    Ok(Interpretation::Question(question))
}

/// The words before the board of chess that a text ends with, and the board.
fn before_the_board(text: &str) -> Option<(&str, &str)> {
    let (words, board) = text.trim().rsplit_once(char::is_whitespace)?;
    let is_board = board.matches('/').count() == 7;
    is_board.then(|| (words.trim_end(), board))
}

/// Refuses what is for one exact position.
fn for_one_position(wanted: &PositionArgs) -> Result<(), CliError> {
    for (given, name) in [
        (wanted.identity.is_some(), "--identity"),
        (wanted.any_variant, "--any-variant"),
        (wanted.turn, "--orientations"),
    ] {
        if given {
            return Err(CliError::new(format!(
                "{name} is for one exact position, not for a query about pieces and moves"
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
            return Err(CliError::new(format!("{name} is for one exact position"))
                .hint(format!("write `{word} ( ... )` around the query instead")));
        }
    }
    Ok(())
}

/// What stands between the braces of `pattern { }`.
fn forced(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("pattern")?;
    let inner = rest.trim().strip_prefix('{')?.strip_suffix('}')?;
    // That nothing stands there is said of the braces.
    Some(if inner.trim().is_empty() {
        rest.trim()
    } else {
        inner
    })
}

/// The query that a query of scoutfish stands for, if a text is one.
fn of_scoutfish(text: &str, warnings: &mut Vec<String>) -> Result<Option<String>, CliError> {
    let inner = text.strip_prefix('{').map(str::trim_start);
    if !inner.is_some_and(|inner| inner.starts_with('"')) {
        return Ok(None);
    }
    let question = pattern::scoutfish::translate(text);
    let question = question.map_err(|misread| misread_error(text, &misread))?;
    warnings.push(format!("a query of scoutfish, read as: {question}"));
    Ok(Some(question))
}

/// The query that a text is, whatever else it could be.
pub(super) fn question(
    text: &str,
    (filter, in_variations): (&mut Filter, bool),
    warnings: &mut Vec<String>,
) -> Result<QueryExpr, CliError> {
    let translated = of_scoutfish(text.trim(), warnings)?;
    let text = translated.as_deref().unwrap_or(text);
    let text = forced(text).unwrap_or(text);
    let expr = pattern::parser::parse(text).map_err(|misread| misread_error(text, &misread))?;
    if value_parsers::is_eco(text) && !fits(&expr, filter) {
        let code = format!("eco:{}", text.trim());
        warnings.push(format!("read as an ECO code: {code}"));
        return question(&code, (filter, in_variations), warnings);
    }
    // Moves can be squares of another game, which is not what is meant.
    if !fits(&expr, filter)
        && let Some(line) = moves_in(text, filter)
    {
        return Err(beside_moves(text, &line, filter));
    }
    meant(text, expr, (filter, in_variations), warnings)
}

/// What the facts of a query of main lines, or of variations as well, mean.
fn meant(
    text: &str,
    expr: Expr,
    (filter, mut in_variations): (&mut Filter, bool),
    warnings: &mut Vec<String>,
) -> Result<QueryExpr, CliError> {
    for term in program::facts(&expr) {
        in_variations |= is_scope(term, &expr, text)?;
    }
    let expr = if in_variations {
        pattern::of_lines(expr)
    } else {
        expr
    };
    let terms = program::facts(&expr);
    if let Some(term) = terms.get(FACTS_MAX) {
        let misread = QueryError {
            message: format!("a query has at most {FACTS_MAX} filters"),
            hint: None,
            span: term.span.clone(),
        };
        return Err(misread_error(text, &misread));
    }
    if expects_moves_at_the_end(&expr) {
        warnings.push(
            "from mate, stalemate and the end of a game no move is played, and these words are about \
             a move that is; write `next` between them: clock:..10 next mate"
                .to_owned(),
        );
    }
    let (mut facts, mut like) = (Vec::new(), None);
    for term in terms {
        if like.is_some() && term.name.eq_ignore_ascii_case("similar") {
            let misread = QueryError {
                message: "a query has one `similar:`".to_owned(),
                hint: Some("leave out one of them".to_owned()),
                span: term.span.clone(),
            };
            return Err(misread_error(text, &misread));
        }
        if term.name.eq_ignore_ascii_case("similar") {
            let read = typed_position(&term.value, filter, warnings)?.at;
            let rules = read.variant().rules;
            if filter.variants.is_empty() {
                let own = variant::ALL.iter().filter(|row| row.rules == rules);
                filter.variants = own.map(|row| row.id).collect();
            }
            like = Some(read);
        }
        let mut meant = fact(text, term, filter, warnings)?;
        if let Fact::Position(asked) = &mut meant {
            asked.in_variations = in_variations;
        }
        if is_required(&expr, term)
            && let Fact::Games(filters) = &meant
            && let [only] = &filters[..]
            && filter.variants.is_empty()
        {
            filter.variants.clone_from(&only.variants);
        }
        facts.push(meant);
    }
    Ok(QueryExpr {
        text: text.to_owned(),
        expr,
        facts,
        boards: Vec::new(),
        like,
        in_variations,
        without_columns: false,
    })
}

/// Whether there is a condition on a move that is played from where nothing is played any more.
fn expects_moves_at_the_end(expr: &Expr) -> bool {
    match expr {
        Expr::And(inner) | Expr::Or(inner) => inner.iter().any(expects_moves_at_the_end),
        Expr::Not(inner) | Expr::Seen(_, inner) => expects_moves_at_the_end(inner),
        Expr::Game(_) => false,
        Expr::Chain(chain) => {
            let rest = chain.rest.iter().map(|(_, step)| step);
            let mut steps = std::iter::once(&chain.first).chain(rest);
            steps.any(|step| {
                is_always(&step.holds, &|term| {
                    matches!(term, Term::Move(_) | Term::Fact(_))
                }) && is_always(&step.holds, &|term| {
                    matches!(
                        term,
                        Term::Mate | Term::Smothered | Term::Stalemate | Term::End
                    )
                })
            })
        }
    }
}

/// Whether a condition of a ply cannot hold without such a term.
fn is_always(condition: &PlyCondition, is_such: &impl Fn(&Term) -> bool) -> bool {
    match condition {
        PlyCondition::And(all) => all.iter().any(|one| is_always(one, is_such)),
        PlyCondition::Or(any) => any.iter().all(|one| is_always(one, is_such)),
        PlyCondition::Not(_) => false,
        PlyCondition::Term(term, _) => is_such(term),
    }
}

/// Whether a fact is none, but says that variations are searched as well. One that is about the
/// entire query must not be an alternative.
fn is_scope(term: &GameTerm, expr: &Expr, text: &str) -> Result<bool, CliError> {
    let is_in = term.name.eq_ignore_ascii_case("in");
    if !is_in && !term.name.eq_ignore_ascii_case("similar") {
        return Ok(false);
    }
    let wrong = |message: &str, hint: &str| QueryError {
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
            &format!("`{}:` applies to the complete query", term.name),
            "write it first or last, not beside `or` and `not`",
        )
    };
    Err(misread_error(text, &misread))
}

/// Whether a text makes sense as a query.
pub(super) fn is_question(text: &str, filter: &Filter) -> bool {
    pattern::parser::parse(text).is_ok_and(|expr| fits(&expr, filter))
}

/// The variants that a query or a filter names.
pub(super) fn named_variants(expr: &Expr, filter: &Filter) -> Vec<u8> {
    let mut named = filter.variants.clone();
    for term in program::facts(expr) {
        if term.name.eq_ignore_ascii_case("variant")
            && is_required(expr, term)
            && let Ok(Fact::Games(filters)) = fact("", term, filter, &mut Vec::new())
        {
            named.extend(filters.iter().flat_map(|own| &own.variants));
        }
    }
    named
}

/// Whether a query makes sense on a board of the variants that are named; of chess, if none is.
pub(super) fn fits(expr: &Expr, filter: &Filter) -> bool {
    let named = named_variants(expr, filter);
    if named.is_empty() {
        return is_about(expr, [AnyPosition::initial()]);
    }
    let rows = named.iter().filter_map(|&id| Variant::by_id(id));
    is_about(expr, rows.filter_map(AnyPosition::start))
}

/// Whether a query makes sense in draughts of some kind, where no variant is named.
pub(super) fn fits_draughts(expr: &Expr, filter: &Filter) -> bool {
    let rows = variant::ALL
        .iter()
        .filter(|row| row.tier() == Some(VariantDetection::Guessed));
    filter.variants.is_empty() && is_about(expr, rows.filter_map(AnyPosition::start))
}

/// Whether a query makes sense on one of some boards.
fn is_about(expr: &Expr, starts: impl IntoIterator<Item = AnyPosition>) -> bool {
    let mut starts = starts.into_iter();
    starts.any(|start| pattern::compile(expr, &BoardSpec::of(&start)).is_ok())
}

/// Whether all games that are found must have a fact.
fn is_required(expr: &Expr, term: &GameTerm) -> bool {
    match expr {
        Expr::Game(own) => own == term,
        Expr::And(all) => all.iter().any(|one| is_required(one, term)),
        _ => false,
    }
}
