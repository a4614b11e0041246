//! Builds queries from the arguments that select games.

use crate::{
    base::record::OpeningName,
    cli::{
        args::{
            output::{LanguageArgs, NotationArgs},
            query::{FilterArgs, ListArgs, PositionArgs},
            value_parsers,
        },
        error::CliError,
        query_notes::misread_error,
    },
    database::MoveNotation,
    games::{
        AnyPosition, SymmetryError, ballot,
        notation::letters::{ENGLISH, LANGUAGES, Language},
        position_input::TypedPosition,
        symmetry::Symmetry,
    },
    problems,
    query::{
        self, GameCondition, MoveFilter, Page, PositionQuery, PositionText, Query, SavedQueries,
        Scope, SortKey,
        interpret::{self, Context, Interpretation, TypedInput},
        pattern::{self, Expr, QueryError, Symmetries},
        position,
        words::{self, KEYWORDS},
    },
};

/// A query with English letters, where those of another language are requested. Moves and
/// diagrams are read in whatever language they are.
fn in_english(text: &str, letters: &LanguageArgs, variants: &[u8]) -> Result<String, CliError> {
    let letters = output_language(letters)?;
    if letters.is_english() || position::read(text, variants, &mut Vec::new()).is_ok() {
        return Ok(text.to_owned());
    }
    Ok(pattern::in_english(text, letters))
}

/// The saved queries, in English letters as well.
fn saved(list: &ListArgs) -> Result<SavedQueries, CliError> {
    let letters = output_language(&list.language)?;
    let saved = &list.filter.saved;
    Ok(if letters.is_english() {
        saved.clone()
    } else {
        saved.map(|text| pattern::in_english(text, letters))
    })
}

/// The query of a search or an export.
pub(crate) fn query(
    list: &ListArgs,
    limit_default: Option<u64>,
    warnings: &mut Vec<String>,
) -> Result<Query, CliError> {
    let (wanted, page) = (&list.position, &list.page);
    let mut conditions = conditions(&list.filter, warnings)?;
    let typed = position_text(wanted, &mut conditions)?;
    let text = in_english(&typed, &list.language, &query::variants_of(&conditions))?;
    let saved = saved(list)?;
    if text != typed {
        warnings.push(format!("read as: {text}"));
    }
    // A variant that the query names is that of the position, too.
    let mut said_of_question = Vec::new();
    let question = list.question.as_ref().map(|text| {
        let around = (&mut conditions, &list.filter.saved, wanted.in_variations);
        question(text, around, &mut said_of_question)
    });
    let context = context(wanted, &conditions, saved);
    let counts = counts(wanted);
    let mut query = if let (Some(counts), true) = (&counts, text.trim().is_empty()) {
        let reading = interpret::interpret_query(counts, &context);
        take(counts, reading, &mut conditions, warnings)?.1
    } else {
        let reading = interpret::interpret(&text, &context);
        let (text, meaning) = take(&text, reading, &mut conditions, warnings)?;
        let query = match meaning {
            TypedInput::Query(query) => *query,
            TypedInput::Nothing => {
                has_position(wanted)?;
                Query::default()
            }
            TypedInput::Position { typed, pieces } => {
                let typed = typed.map_err(|error| misread_error(&text, &error));
                position_of((&text, typed, pieces), wanted, &mut conditions, warnings)?
            }
        };
        match counts {
            None => query,
            Some(counts) => {
                let around = (&mut conditions, &context.saved, wanted.in_variations);
                both(query, self::question(&counts, around, warnings)?, &context)?
            }
        }
    };
    if let Some(question) = question {
        query = both(query, question?, &context)?;
        warnings.append(&mut said_of_question);
    }
    query.require(conditions);
    query.scope.exact_names = list.filter.exact_names;
    let sort = page.sort.as_deref().map(value_parsers::sort).transpose();
    let mut then = sort.map_err(at("--sort"))?.unwrap_or_default();
    let (sort, descending) = if then.is_empty() && query.like.is_some() {
        (SortKey::Likeness, true)
    } else if then.is_empty() {
        Default::default()
    } else {
        then.remove(0)
    };
    query.page = Page {
        sort,
        descending,
        then,
        offset: page.offset.unwrap_or(0),
        limit: match page.limit {
            Some(0) => None,
            Some(limit) => Some(limit),
            None => limit_default,
        },
    };
    Ok(query)
}

/// The query that both of two are. Where both were read from texts, it is read from one, so that its
/// errors have a place.
fn both(query: Query, question: Query, context: &Context) -> Result<Query, CliError> {
    if query.text.is_empty() || question.text.is_empty() {
        return Ok(query.and(question));
    }
    let text = format!("({}) and ({})", query.expr, question.expr);
    let context = Context {
        variants: context.variants.clone(),
        ..Context::default()
    };
    let read = interpret::interpret_query(&text, &context);
    let read = read.map_err(|error| misread_error(&text, &error))?.meaning;
    Ok(Query {
        scope: Scope {
            in_variations: query.scope.in_variations || question.scope.in_variations,
            ..query.scope
        },
        like: query.like.or(question.like),
        ..read
    })
}

/// The query that a text is which is a position, as it was read or with what is wrong with it, and what
/// it means besides as pieces on squares.
fn position_of(
    (text, typed, pieces): (
        &str,
        Result<Box<TypedPosition>, CliError>,
        Option<Box<Expr>>,
    ),
    wanted: &PositionArgs,
    conditions: &mut Vec<GameCondition>,
    warnings: &mut Vec<String>,
) -> Result<Query, CliError> {
    let mut diagrams = problems::typed(text);
    for (_, symmetry, _) in symmetries(wanted) {
        let seen = |diagram: &String| problems::transformed(diagram, symmetry);
        diagrams.extend(diagrams.iter().filter_map(seen).collect::<Vec<_>>());
    }
    let is_moved = wanted.shift || wanted.turn;
    let (read, is_moves) = match typed {
        // What cannot be played from is searched for as it stands on the board.
        Err(error) if !diagrams.is_empty() && !is_moved => {
            let why = error.message().lines().next().unwrap_or_default();
            warnings.push(format!(
                "the board cannot be played from ({why}): only the first positions of \
                 problems and games are compared with it"
            ));
            (None, false)
        }
        typed => {
            let typed = typed?;
            let is_moves = !typed.moves.is_empty();
            let read = within_its_rules((text, *typed), wanted, conditions)?;
            let pieces = pieces.filter(|_| read.own_rules);
            (Some(Box::new(PositionQuery { pieces, ..read })), is_moves)
        }
    };
    Ok(Query::from(GameCondition::Position(PositionText {
        text: text.to_owned(),
        is_moves,
        read,
        diagrams,
    })))
}

/// Refuses what is said of a position where there is none.
fn has_position(wanted: &PositionArgs) -> Result<(), CliError> {
    let idle = [
        (wanted.identity.is_some(), "--identity"),
        (wanted.in_variations, "--in-variations"),
        (wanted.any_variant, "--any-variant"),
        (wanted.rotate, "--rotate"),
        (wanted.mirror, "--mirror"),
        (wanted.flip, "--flip"),
        (wanted.shift, "--shift"),
        (wanted.turn, "--orientations"),
    ];
    let Some((_, name)) = idle.into_iter().find(|(given, _)| *given) else {
        return Ok(());
    };
    Err(
        CliError::new(format!("{name} needs a POSITION to search for")).hint(format!(
            "give one, such as `e4 c5 Nf3`, or leave out {name}"
        )),
    )
}

/// What options say of a text.
fn context(wanted: &PositionArgs, conditions: &[GameCondition], saved: SavedQueries) -> Context {
    let exact = [
        (wanted.identity.is_some(), "--identity"),
        (wanted.any_variant, "--any-variant"),
        (wanted.turn, "--orientations"),
    ];
    Context {
        variants: query::variants_of(conditions),
        in_variations: wanted.in_variations,
        symmetries: Symmetries {
            either: wanted.flip,
            mirror: wanted.mirror,
            rotate: wanted.rotate,
            shift_x: wanted.shift,
            shift_y: wanted.shift,
        },
        saved,
        exact_option: exact
            .into_iter()
            .find_map(|(given, name)| given.then_some(name)),
    }
}

/// The text that was read and what it means, with its variants among the conditions and its notes among
/// the warnings.
pub(crate) fn take<M>(
    text: &str,
    reading: Result<Interpretation<M>, QueryError>,
    conditions: &mut Vec<GameCondition>,
    warnings: &mut Vec<String>,
) -> Result<(String, M), CliError> {
    let reading = reading.map_err(|error| misread_error(text, &error))?;
    if !reading.variants.is_empty() {
        conditions.push(GameCondition::Variant(reading.variants));
    }
    warnings.extend(reading.notes);
    Ok((reading.text, reading.meaning))
}

/// The query that a text is, whatever else it could be.
pub(crate) fn question(
    text: &str,
    (conditions, saved, in_variations): (&mut Vec<GameCondition>, &SavedQueries, bool),
    warnings: &mut Vec<String>,
) -> Result<Query, CliError> {
    let context = Context {
        variants: query::variants_of(&*conditions),
        in_variations,
        saved: saved.clone(),
        ..Context::default()
    };
    let reading = interpret::interpret_query(text, &context);
    Ok(take(text, reading, conditions, warnings)?.1)
}

/// The words of the command line as one text: a value that was quoted for the shell is quoted
/// here.
fn joined(words: &[String]) -> String {
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

/// The position as text: as it was typed, or the moves of a ballot.
fn position_text(
    wanted: &PositionArgs,
    conditions: &mut Vec<GameCondition>,
) -> Result<String, CliError> {
    let Some(name) = &wanted.ballot else {
        let text = joined(&wanted.position);
        if text.trim().is_empty() && !wanted.position.is_empty() {
            return Err(CliError::new("the POSITION is empty")
                .hint("give one, such as `e4 c5 Nf3`, or leave it out"));
        }
        return Ok(text);
    };
    match &ballot::named(name)[..] {
        [] => Err(
            CliError::new(format!("--ballot: `{name}` is not a three-move ballot"))
                .hint("write a number from 1 to 174, or a name such as `white doctor`"),
        ),
        [(row, only)] => {
            let named = query::variants_of(&*conditions);
            if !named.is_empty() && named != [row.id] {
                return Err(CliError::new(format!(
                    "three-move ballots exist only in {}",
                    row.title
                ))
                .hint("leave out --variant or --ballot"));
            }
            query::remove_variants(conditions);
            conditions.push(GameCondition::Variant(vec![row.id]));
            Ok(only.moves.join(" "))
        }
        several => {
            let numbers: Vec<String> = several.iter().map(|(_, b)| b.number.to_string()).collect();
            Err(
                CliError::new(format!("--ballot: several ballots are called `{name}`")).hint(
                    format!("write one of their numbers: {}", numbers.join(" or ")),
                ),
            )
        }
    }
}

/// The condition on what is on the board that options stand for.
fn counts(wanted: &PositionArgs) -> Option<String> {
    let counts = [
        ("ending", &wanted.ending),
        ("value", &wanted.value),
        ("men", &wanted.men),
        ("kings", &wanted.kings),
    ];
    let each = counts.into_iter().filter_map(|(name, count)| {
        let count = count.as_ref()?;
        Some(format!("{name}:{}", count.trim()))
    });
    let text = each.collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// A query on one position.
pub(crate) struct OnePosition {
    pub(crate) position: PositionQuery,
    /// The games that reach it.
    pub(crate) query: Query,
    /// The last name on the way there.
    pub(crate) opening: Option<OpeningName>,
}

/// The query on the position that is typed, or on the start position, and on games that match
/// another query and the conditions.
pub(crate) fn one_position(
    (wanted, other): (&PositionArgs, Option<&str>),
    filter: &FilterArgs,
    mut conditions: Vec<GameCondition>,
    warnings: &mut Vec<String>,
) -> Result<OnePosition, CliError> {
    let mut text = position_text(wanted, &mut conditions)?;
    if text.is_empty() {
        "startpos".clone_into(&mut text);
    }
    let other = other.map(|text| {
        let around = (&mut conditions, &filter.saved, wanted.in_variations);
        question(text, around, warnings)
    });
    let context = Context {
        variants: query::variants_of(&conditions),
        saved: filter.saved.clone(),
        ..Context::default()
    };
    let read = interpret::interpret_position(&text, &context);
    let (text, read) = take(&text, read, &mut conditions, warnings)?;
    let named = read.named_opening();
    let opening = named.or_else(|| read.last_named().map(|(opening, _)| opening));
    let is_moves = !read.moves.is_empty();
    let position = within_its_rules((&text, read), wanted, &mut conditions)?;
    let asked = PositionText {
        text,
        is_moves,
        ..PositionText::of(position.clone())
    };
    let mut query = Query::from(GameCondition::Position(asked));
    if let Some(other) = other {
        query = query.and(other?);
    }
    query.require(conditions);
    query.scope.exact_names = filter.exact_names;
    Ok(OnePosition {
        position,
        query,
        opening: opening.map(OpeningName::from),
    })
}

/// The position that is searched for, in games that are played by its rules, unless others are
/// requested.
fn within_its_rules(
    (text, read): (&str, TypedPosition),
    wanted: &PositionArgs,
    conditions: &mut Vec<GameCondition>,
) -> Result<PositionQuery, CliError> {
    let own_rules = query::variants_of(&*conditions).is_empty() && !wanted.any_variant;
    let position = position_query(read, wanted, conditions)?;
    Ok(PositionQuery {
        own_rules,
        words: Some(text.to_owned()),
        ..position
    })
}

/// What to look for. A field that was not given is not searched for, whatever the identity. A
/// variant of draughts that is asked for is part of the position, so that nothing is left to test.
fn position_query(
    read: TypedPosition,
    wanted: &PositionArgs,
    conditions: &mut Vec<GameCondition>,
) -> Result<PositionQuery, CliError> {
    let query = position::query_of(read, wanted.identity.unwrap_or_default());
    let position = &query.position;
    let named = query::variants_of(&*conditions);
    let ask_variant = named == [position.variant().id] && position.tells_variant();
    if ask_variant {
        query::remove_variants(conditions);
    }
    let bare = query.bare();
    let mut symmetries = Vec::new();
    for (_, symmetry, name) in self::symmetries(wanted) {
        if bare.transformed(symmetry).is_none() {
            return Err(no_symmetry(position, name));
        }
        symmetries.push(symmetry);
    }
    if wanted.shift && bare.shifts().is_empty() {
        return Err(CliError::new(
            "--shift needs a position of chess without castling rights and en passant",
        )
        .hint("write `-` for them, or add --identity board"));
    }
    if wanted.turn && bare.orientations().is_empty() {
        return Err(CliError::new(
            "--orientations needs a position of chess without pawns, castling rights and en passant",
        )
        .hint("pawns move in one direction only; try --mirror, --flip or --rotate"));
    }
    Ok(PositionQuery {
        symmetries,
        shift: wanted.shift,
        turn: wanted.turn,
        ask_variant,
        in_variations: wanted.in_variations,
        ..query
    })
}

/// The symmetries that are requested, with their options.
fn symmetries(wanted: &PositionArgs) -> impl Iterator<Item = (bool, Symmetry, &'static str)> {
    let options = [
        (wanted.rotate, Symmetry::Rotate, "--rotate"),
        (wanted.mirror, Symmetry::Mirror, "--mirror"),
        (wanted.flip, Symmetry::Flip, "--flip"),
    ];
    options.into_iter().filter(|(is_given, ..)| *is_given)
}

/// Why a position cannot be searched for as an option has it.
fn no_symmetry(position: &AnyPosition, option: &str) -> CliError {
    match position.obstacle() {
        SymmetryError::Castling => CliError::new(format!(
            "{option} is not possible with castling rights: castling has no mirror image"
        ))
        .hint("add --identity board to leave castling out; --flip is always possible"),
        SymmetryError::Squares => CliError::new(format!("{option} is not possible on this board"))
            .hint("boards that use half of their squares can only be rotated, with --rotate"),
        SymmetryError::Rules => {
            let title = position.variant().title;
            CliError::new(format!(
                "{option} is not possible in {title}: its positions are only searched as they stand"
            ))
            .hint(format!("leave out {option}"))
        }
    }
}

/// Names the option that an error is about.
pub(crate) fn at(option: &'static str) -> impl Fn(String) -> CliError {
    move |error| CliError::new(format!("{option}: {error}"))
}

/// Reads `--language`.
pub(crate) fn language(name: &str) -> Result<&'static Language, CliError> {
    Language::for_moves(name.trim()).ok_or_else(|| unknown_language("--language", name))
}

/// An error that names the languages there are.
pub(crate) fn unknown_language(option: &str, name: &str) -> CliError {
    let codes: Vec<&str> = LANGUAGES.iter().map(|language| language.code).collect();
    CliError::new(format!("{option}: `{name}` is not a known language")).hint(format!(
        "use one of {}, or its English name",
        codes.join(", ")
    ))
}

/// How moves are to be written.
pub(crate) fn writing(
    form: NotationArgs,
    language: &LanguageArgs,
) -> Result<MoveNotation, CliError> {
    Ok(MoveNotation {
        form: form.notation.unwrap_or_default(),
        language: output_language(language)?,
    })
}

/// The language that moves are to be written in.
pub(crate) fn output_language(args: &LanguageArgs) -> Result<&'static Language, CliError> {
    args.language.as_deref().map_or(Ok(ENGLISH), language)
}

/// The conditions that options stand for, each under the name of its option. An option that is
/// repeated is one list of values, or several conditions that must all hold.
pub(crate) fn conditions(
    args: &FilterArgs,
    warnings: &mut Vec<String>,
) -> Result<Vec<GameCondition>, CliError> {
    let (mut all, mut of_moves) = (Vec::new(), MoveFilter::default());
    // Options have hyphens before their names, parameters do not.
    let sign = if args.conditions.is_of_address {
        ""
    } else {
        "--"
    };
    let read = |option: &str, name: &str, value: &str| {
        let read = GameCondition::read(name, value);
        let read = read.unwrap_or_else(|| Err(words::unknown(name, value)));
        read.map_err(|error| CliError::of_value(error).at(&format!("{sign}{option}")))
    };
    for (name, value) in args.conditions.each() {
        match read(name, name, &value)? {
            GameCondition::Move(one) => of_moves = of_moves.and(one),
            condition => all.push(condition),
        }
    }
    for text in &args.tag {
        let (name, value) = tag(text);
        all.push(read("tag", &name, value)?);
    }
    let [min_elo, max_elo] = [args.min_elo, args.max_elo].map(|elo| elo.map(|elo| elo.to_string()));
    for (name, [from, to]) in [
        ("date", [("since", &args.since), ("until", &args.until)]),
        ("elo", [("min-elo", &min_elo), ("max-elo", &max_elo)]),
    ] {
        for (option, value) in [from, to] {
            if let Some(value) = value {
                read(option, name, value)?;
            }
        }
        let [first, last] = [from, to].map(|(_, value)| value.as_deref().unwrap_or_default());
        if !first.is_empty() || !last.is_empty() {
            let read = GameCondition::read(name, &format!("{first}..{last}"));
            all.push(read.and_then(Result::ok).ok_or_else(|| {
                let is = if name == "date" {
                    "later than"
                } else {
                    "above"
                };
                let [first, last] = [from.0, to.0].map(|option| format!("{sign}{option}"));
                CliError::new(format!("{first} is {is} {last}"))
                    .hint(format!("swap {first} and {last}"))
            })?);
        }
    }
    if of_moves != MoveFilter::default() {
        all.push(GameCondition::Move(of_moves));
    }
    position::resolve_all(&mut all, warnings).map_err(|error| {
        let error = CliError::from_error(&error).hint(error.hint.as_ref());
        error.at(&format!("{sign}start"))
    })?;
    Ok(all)
}

/// The condition that `--tag` stands for: a name, `NAME=TEXT` or `NAME==TEXT`.
fn tag(text: &str) -> (String, &str) {
    match text.split_once('=') {
        Some((name, value)) => (format!("tag.{}", name.trim()), value),
        None => ("has".to_owned(), text),
    }
}
