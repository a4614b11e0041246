//! What a query about positions, moves and facts means: `Pd4 q and player:Karpov`.

use super::args::PositionArgs;
use super::error::CliError;
use super::mistakes::is_known_mistake;
use super::plan_facts::{unquoted, with_colon};
use super::plan_meant::{moves_in, named_moves, with_named_moves};
use super::plan_query::typed_position;
use super::plan_said::{misread_error, read_as_position};
use super::plan_wrong::{another_word, has_fact, has_named, has_pieces, is_query_like, off_board};
use crate::query::words::KEYWORDS;

use crate::query::{
    self, Filter, GameCondition, PositionText, QueryExpr, free_words, position, read,
};

use crate::games::AnyPosition;
use crate::games::variant::{self, Variant, VariantDetection};
use crate::query::pattern::{
    self, BoardSpec, Expr, PlyCondition, QueryError, Symmetries, Term, TextSpan,
    facts::{self, FactRef},
};

/// Facts that a query may name.
const FACTS_MAX: usize = 64;

/// The words of the command line as one text: a value that was quoted for the shell is quoted
/// here.
pub(super) fn joined(words: &[String]) -> String {
    // What has further names or conditions in it is a query that was quoted entirely.
    let is_value = |value: &str| {
        let is_word = |word: &str| KEYWORDS.contains(&word.to_lowercase().as_str());
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
                let is_free = filter.variants().is_empty() && for_one_position(wanted).is_ok();
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
                    && text.contains(|c: char| c.is_ascii_digit())
                    && let Some(expr) = names_in(text) =>
            {
                of_free_words(expr, warnings)
            }
            (Err(_), read)
                if read::is_eco(text) && !read.as_ref().is_ok_and(|expr| fits(expr, filter)) =>
            {
                let code = format!("eco:{}", text.trim());
                warnings.push(format!("read as an ECO code: {code}"));
                pattern::parser::parse(&code).map_err(|misread| misread_error(&code, &misread))?
            }
            (Err(_), Err(_)) if !is_question && let Some(expr) = names_in(text) => {
                of_free_words(expr, warnings)
            }
            (Err(_), Ok(expr))
                if !fits(&expr, filter)
                    && let Some(hint) = unquoted(text) =>
            {
                let error = CliError::new(format!("`{foreign}` is not understood"));
                return Err(error.hint(hint));
            }
            (Err(error), Ok(expr)) => {
                let named = Filter::of([GameCondition::Variant(named_variants(&expr, filter))]);
                if let Some(line) = moves_in(text, &named).filter(|_| is_question) {
                    if !fits(&expr, filter) && !fits_draughts(&expr, filter) {
                        let misread = off_board(text, &expr, filter);
                        if misread.is_none()
                            && has_named(text)
                            && another_word(text, &line, filter).is_none()
                        {
                            let named = with_named_moves(text, &line);
                            warnings.push(format!("read as: {named}"));
                            return asked(&named, wanted, filter, warnings);
                        }
                        return Err(misread.unwrap_or_else(|| {
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
                // `B:lite`: without numbers and squares it is no position, whatever is wrong.
                let is_name = text.chars().all(|c| c.is_alphabetic() || " :".contains(c));
                let line = moves_in(text, filter).filter(|_| is_question);
                if let Some(line) = line {
                    let named = with_named_moves(text, &line);
                    if another_word(text, &line, filter).is_none()
                        && pattern::parser::parse(&named).is_ok()
                    {
                        warnings.push(format!("read as: {named}"));
                        return asked(&named, wanted, filter, warnings);
                    }
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
    let expr = seen(expr, wanted);
    let question = meant(forced.unwrap_or(text), expr, around, warnings)?;
    Ok(Interpretation::Question(question))
}

/// The query that free words stand for; `None` if they look like a file or like pieces.
fn names_in(text: &str) -> Option<Expr> {
    free_words::read(text).filter(|_| !is_known_mistake(text))
}

/// The query that free words stand for, which is said.
fn of_free_words(expr: Expr, warnings: &mut Vec<String>) -> Expr {
    warnings.push(format!("read as: {expr}"));
    expr
}

/// The query that options for positions stand for, seen in the ways that are asked for.
pub(super) fn of_options(
    text: &str,
    wanted: &PositionArgs,
    around: (&mut Filter, bool),
    warnings: &mut Vec<String>,
) -> Result<QueryExpr, CliError> {
    let expr = pattern::parser::parse(text).map_err(|misread| misread_error(text, &misread))?;
    meant(text, seen(expr, wanted), around, warnings)
}

/// The words before the board of chess that a text ends with, and the board.
fn before_the_board(text: &str) -> Option<(&str, &str)> {
    let (words, board) = text.trim().rsplit_once(char::is_whitespace)?;
    let is_board = board.matches('/').count() == 7;
    is_board.then(|| (words.trim_end(), board))
}

/// A query whose positions are looked at in the ways that options ask for: together, so that one way
/// fits all of them.
fn seen(expr: Expr, wanted: &PositionArgs) -> Expr {
    let looks = Symmetries {
        either: wanted.flip,
        mirror: wanted.mirror,
        rotate: wanted.rotate,
        shift_x: wanted.shift,
        shift_y: wanted.shift,
    };
    if looks == Symmetries::default() {
        return expr;
    }
    let all = match expr {
        Expr::And(all) => all,
        other => vec![other],
    };
    let (mut all, mut positions): (Vec<_>, Vec<_>) = all.into_iter().partition(facts::is_of_facts);
    let inner = match positions.len() {
        0 => return Expr::And(all),
        1 => positions.remove(0),
        _ => Expr::And(positions),
    };
    all.push(Expr::Seen(looks, Box::new(inner)));
    Expr::And(all)
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
    if read::is_eco(text) && !fits(&expr, filter) {
        let code = format!("eco:{}", text.trim());
        warnings.push(format!("read as an ECO code: {code}"));
        return question(&code, (filter, in_variations), warnings);
    }
    // Moves can be squares of another game, which is not what is meant.
    if !fits(&expr, filter)
        && let Some(line) = moves_in(text, filter)
    {
        if let Some(error) = another_word(text, &line, filter) {
            return Err(error);
        }
        let named = with_named_moves(text, &line);
        if named != text {
            warnings.push(format!("read as: {named}"));
            return question(&named, (filter, in_variations), warnings);
        }
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
    for (condition, span) in facts::game_conditions(&expr) {
        in_variations |= is_scope(condition, span, &expr, text)?;
    }
    let mut expr = if in_variations {
        pattern::of_lines(expr)
    } else {
        expr
    };
    if let Some((_, span)) = facts::game_conditions(&expr).nth(FACTS_MAX) {
        let misread = QueryError {
            message: format!("a query has at most {FACTS_MAX} filters"),
            hint: None,
            span: span.clone(),
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
    let mut like = None;
    for (condition, span) in facts::game_conditions(&expr) {
        let GameCondition::Similar(value) = condition else {
            continue;
        };
        if like.is_some() {
            let misread = QueryError {
                message: "a query has one `similar:`".to_owned(),
                hint: Some("leave out one of them".to_owned()),
                span: span.clone(),
            };
            return Err(misread_error(text, &misread));
        }
        let read = typed_position(value, filter, warnings)?.at;
        let rules = read.variant().rules;
        if filter.variants().is_empty() {
            let own = variant::ALL.iter().filter(|row| row.rules == rules);
            let own = own.map(|row| row.id).collect();
            filter.all.push(GameCondition::Variant(own));
        }
        like = Some(read);
    }
    if filter.variants().is_empty() {
        let required = required_conditions(&expr);
        let variants = query::variants_of(required);
        if !variants.is_empty() {
            filter.all.push(GameCondition::Variant(variants));
        }
    }
    let variants = filter.variants();
    position::each_condition(&mut expr, &mut |condition, span| {
        position::resolve(condition, &variants, warnings).map_err(|error| {
            let misread = QueryError {
                message: error.message,
                hint: Some(error.hint.into_owned()),
                span: span.clone(),
            };
            misread_error(text, &misread)
        })?;
        if let GameCondition::Position(PositionText {
            read: Some(asked), ..
        }) = condition
        {
            asked.in_variations = in_variations;
        }
        Ok::<_, CliError>(())
    })?;
    Ok(QueryExpr {
        like,
        in_variations,
        ..QueryExpr::of(text, expr)
    })
}

/// Whether there is a condition on a move that is played from where nothing is played any more.
fn expects_moves_at_the_end(expr: &Expr) -> bool {
    match expr {
        Expr::And(inner) | Expr::Or(inner) => inner.iter().any(expects_moves_at_the_end),
        Expr::Not(inner) | Expr::Seen(_, inner) => expects_moves_at_the_end(inner),
        Expr::Game(..) => false,
        Expr::Chain(chain) => {
            let rest = chain.rest.iter().map(|(_, step)| step);
            let mut steps = std::iter::once(&chain.first).chain(rest);
            steps.any(|step| {
                is_always(&step.holds, &|term| {
                    matches!(term, Term::Move(_) | Term::Annotation(_))
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
        PlyCondition::Not(_) | PlyCondition::Seen(..) => false,
        PlyCondition::Term(term, _) => is_such(term),
    }
}

/// Whether a condition says that variations are searched as well. One that is about the
/// entire query must not be an alternative.
fn is_scope(
    condition: &GameCondition,
    span: &TextSpan,
    expr: &Expr,
    text: &str,
) -> Result<bool, CliError> {
    let name = match condition {
        GameCondition::InVariations => "in",
        GameCondition::Similar(_) => "similar",
        _ => return Ok(false),
    };
    if required_conditions(expr).any(|own| own == condition) {
        return Ok(name == "in");
    }
    let misread = QueryError {
        message: format!("`{name}:` applies to the complete query"),
        hint: Some("write it first or last, not beside `or` and `not`".to_owned()),
        span: span.clone(),
    };
    Err(misread_error(text, &misread))
}

/// Whether a text makes sense as a query.
pub(super) fn is_question(text: &str, filter: &Filter) -> bool {
    pattern::parser::parse(text).is_ok_and(|expr| fits(&expr, filter))
}

/// The variants that a query or a filter names.
pub(super) fn named_variants(expr: &Expr, filter: &Filter) -> Vec<u8> {
    let mut named = filter.variants();
    for condition in required_conditions(expr) {
        if let GameCondition::Variant(ids) = condition {
            named.extend(ids);
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
    filter.variants().is_empty() && is_about(expr, rows.filter_map(AnyPosition::start))
}

/// Whether a query makes sense on one of some boards.
fn is_about(expr: &Expr, starts: impl IntoIterator<Item = AnyPosition>) -> bool {
    let mut starts = starts.into_iter();
    starts.any(|start| pattern::compile(expr, &BoardSpec::of(&start)).is_ok())
}

/// The conditions that all games fulfil which are found.
fn required_conditions(expr: &Expr) -> impl Iterator<Item = &GameCondition> {
    let facts = facts::facts(expr).into_iter().zip(facts::required(expr));
    facts.filter_map(|(fact, is_required)| match fact {
        FactRef::Game(condition, _) if is_required => Some(condition),
        _ => None,
    })
}
