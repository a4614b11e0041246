//! What the arguments mean that select games: positions, filters, pages.

use crate::db::query::{
    Filter, Identity, Material, MoveFilter, PositionQuery, Query, ResolvedNames, SortKey, TagQuery,
};
use crate::db::search::{self, MoveNotation};
use crate::formats::composition;
use crate::games::notation::letters::{ENGLISH, LANGUAGES, Language};
use crate::games::notation::problem::StipulationPattern;
use crate::games::opening_names::OpeningQuery;
use crate::games::pattern;
use crate::games::position_input::TypedPosition;
use crate::games::variant::Variant;
use crate::games::{AnyPosition, SymmetryError, ballot, symmetry::Symmetry};

use super::args::{FilterArgs, ListArgs, PositionArgs};
use super::args_output::{LanguageArgs, NotationArgs};
use super::backend;
use super::eco;
use super::error::CliError;
use super::mistakes::{advise, moves_with_commas};
use super::plan_asked::{self, Interpretation};
use super::value_parsers;

/// A query with English letters, where those of another language are requested. Moves and
/// diagrams are read in whatever language they are.
fn in_english(text: &str, letters: &LanguageArgs, filter: &mut Filter) -> Result<String, CliError> {
    let letters = output_language(letters)?;
    if letters.is_english() || typed_position(text, filter, &mut Vec::new()).is_ok() {
        return Ok(text.to_owned());
    }
    Ok(pattern::in_english(text, letters))
}

/// The query of a search or an export.
pub(super) fn query(
    list: &ListArgs,
    limit_default: Option<u64>,
    warnings: &mut Vec<String>,
) -> Result<Query, CliError> {
    let (wanted, page) = (&list.position, &list.page);
    let mut filter = filter(&list.filter, warnings)?;
    let typed = position_text(wanted, &mut filter)?;
    let text = in_english(&typed, &list.language, &mut filter)?;
    if text != typed {
        warnings.push(format!("read as: {text}"));
    }
    let material = material(wanted)?;
    // A variant that the query names is that of the position, too.
    let mut said_of_question = Vec::new();
    let question = list.question.as_ref().map(|text| {
        let around = (&mut filter, wanted.in_variations);
        plan_asked::question(text, around, &mut said_of_question)
    });
    let mut diagrams = Vec::new();
    let meaning = match material {
        None if let Some(error) = moves_with_commas(&text, &filter) => return Err(error),
        None => plan_asked::asked(&text, wanted, &mut filter, warnings)
            .map_err(|error| advise(error, &text))?,
        Some(_) => Interpretation::Position,
    };
    let (asked, mut otherwise) = match meaning {
        Interpretation::Position => (None, None),
        Interpretation::ForeignMoves(question) => (None, Some(question)),
        Interpretation::Question(question) => (Some(question), None),
    };
    let position = if asked.is_some() {
        None
    } else if text.trim().is_empty() {
        let idle = [
            (wanted.identity.is_some(), "--identity"),
            (wanted.in_variations, "--in-variations"),
            (wanted.any_variant, "--any-variant"),
            (wanted.rotate && material.is_none(), "--rotate"),
            (wanted.mirror, "--mirror"),
            (wanted.flip, "--flip"),
            (wanted.shift, "--shift"),
            (wanted.turn, "--orientations"),
        ];
        for (given, name) in idle {
            if given {
                return Err(
                    CliError::new(format!("{name} needs a POSITION to search for")).hint(format!(
                        "give one, such as `e4 c5 Nf3`, or leave out {name}"
                    )),
                );
            }
        }
        None
    } else if material.is_some() {
        return Err(
            CliError::new("--men and --kings cannot be combined with a POSITION")
                .hint("these options cannot be combined"),
        );
    } else {
        let is_moved = wanted.shift || wanted.turn;
        diagrams = composition::typed(&text);
        for (_, symmetry, _) in symmetries(wanted) {
            let seen = |diagram: &String| composition::transformed(diagram, symmetry);
            diagrams.extend(diagrams.iter().filter_map(seen).collect::<Vec<_>>());
        }
        match typed_position(&text, &filter, warnings) {
            // What cannot be played from is searched for as it stands on the board.
            Err(error) if !diagrams.is_empty() && !is_moved => {
                let message = error.message();
                let why = message.lines().next().unwrap_or_default();
                warnings.push(format!(
                    "the board cannot be played from ({why}): only the first positions of \
                     problems and games are compared with it"
                ));
                None
            }
            read => {
                let read = read.map_err(|error| advise(error, &text))?;
                Some(within_its_rules((&text, read), wanted, &mut filter)?)
            }
        }
    };
    let asked = match question {
        None => asked,
        Some(question)
            if asked.is_none()
                && material.is_none()
                && (position.is_some() || diagrams.is_empty()) =>
        {
            let question = question?;
            if let Some(own) = &mut otherwise {
                let both = format!("( {} ) and ( {} )", own.text, question.text);
                let around = (&mut filter.clone(), wanted.in_variations);
                *own = plan_asked::question(&both, around, &mut Vec::new())?;
            }
            warnings.append(&mut said_of_question);
            Some(question)
        }
        Some(_) => {
            return Err(
                CliError::new("--where needs a POSITION that can be played from, or none")
                    .hint("join queries by `and` in one text"),
            );
        }
    };
    let sort = page.sort.as_deref().map(value_parsers::sort).transpose();
    let mut then = sort.map_err(at("--sort"))?.unwrap_or_default();
    let is_like = position.is_none() && asked.as_ref().is_some_and(|asked| asked.like.is_some());
    let (sort, descending) = if then.is_empty() && is_like {
        (SortKey::Likeness, true)
    } else if then.is_empty() {
        Default::default()
    } else {
        then.remove(0)
    };
    Ok(Query {
        position,
        diagrams,
        material,
        otherwise,
        asked,
        filter,
        sort,
        descending,
        then,
        offset: page.offset.unwrap_or(0),
        limit: match page.limit {
            Some(0) => None,
            Some(limit) => Some(limit),
            None => limit_default,
        },
    })
}

/// The position as text: as it was typed, or the moves of a ballot.
pub(super) fn position_text(
    wanted: &PositionArgs,
    filter: &mut Filter,
) -> Result<String, CliError> {
    let Some(name) = &wanted.ballot else {
        let text = plan_asked::joined(&wanted.position);
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
            if !filter.variants.is_empty() && filter.variants != [row.id] {
                return Err(CliError::new(format!(
                    "three-move ballots exist only in {}",
                    row.title
                ))
                .hint("leave out --variant or --ballot"));
            }
            filter.variants = vec![row.id];
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

/// The pieces that are wanted.
fn material(wanted: &PositionArgs) -> Result<Option<Material>, CliError> {
    let pieces = |text: &Option<String>, option| {
        text.as_deref()
            .map(|text| value_parsers::pieces(text).map_err(at(option)))
            .transpose()
    };
    let material = Material {
        men: pieces(&wanted.men, "--men")?,
        kings: pieces(&wanted.kings, "--kings")?,
        either_side: wanted.rotate,
    };
    Ok((material.men.is_some() || material.kings.is_some()).then_some(material))
}

/// The position that is searched for, in games of any variant.
pub(super) fn position(
    text: &str,
    wanted: &PositionArgs,
    filter: &mut Filter,
    warnings: &mut Vec<String>,
) -> Result<PositionQuery, CliError> {
    position_query(typed_position(text, filter, warnings)?, wanted, filter)
}

/// The same in games that are played by its rules, unless others are requested.
pub(super) fn within_its_rules(
    (text, read): (&str, TypedPosition),
    wanted: &PositionArgs,
    filter: &mut Filter,
) -> Result<PositionQuery, CliError> {
    let own_rules = filter.variants.is_empty() && !wanted.any_variant;
    let position = position_query(read, wanted, filter)?;
    Ok(PositionQuery {
        own_rules,
        words: own_rules.then(|| text.to_owned()),
        ..position
    })
}

/// Whether a side may castle from where games of a variant begin.
fn has_castling(row: &'static Variant) -> bool {
    let fen = AnyPosition::start(row).map(|start| start.fen());
    let rights = fen.as_deref().and_then(|fen| fen.split(' ').nth(2));
    rights.is_some_and(|rights| rights.contains(|c: char| c.is_ascii_alphabetic()))
}

/// The position that was typed, of the variants that the filter names.
pub(super) fn typed_position(
    text: &str,
    filter: &Filter,
    warnings: &mut Vec<String>,
) -> Result<TypedPosition, CliError> {
    let asked = filter.variants.iter();
    let mut rows: Vec<_> = asked.filter_map(|&id| Variant::by_id(id)).collect();
    // Of several, one that knows of castling reads what the others have besides, whichever is
    // named first.
    rows.sort_by_key(|row| !has_castling(row));
    let is_unknown = !rows.is_empty() && rows.iter().all(|row| row.tier().is_none());
    backend::read_typed(text, rows, warnings).map_err(|error| {
        if is_unknown {
            error.hint(
                "leave out the POSITION: games of this variant are stored as text and found by their tags",
            )
        } else {
            error
        }
    })
}

/// What to look for. A field that was not given is not searched for, whatever the identity. A
/// variant of draughts that the filter names is part of the position, so that nothing is left
/// to filter.
fn position_query(
    read: TypedPosition,
    wanted: &PositionArgs,
    filter: &mut Filter,
) -> Result<PositionQuery, CliError> {
    let identity = wanted.identity.unwrap_or(Identity::Legal);
    let (position, fields) = (read.at, read.fields);
    let ask_variant = filter.variants == [position.variant().id] && position.tells_variant();
    if ask_variant {
        filter.variants.clear();
    }
    let ask_castling = fields.castling && identity == Identity::Legal;
    let ask_en_passant = fields.ep && identity == Identity::Legal;
    let bare = position.without_rights(!ask_castling, !ask_en_passant);
    let mut symmetries = Vec::new();
    for (_, symmetry, name) in self::symmetries(wanted) {
        if bare.transformed(symmetry).is_none() {
            return Err(no_symmetry(&position, name));
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
        position,
        symmetries,
        shift: wanted.shift,
        turn: wanted.turn,
        ask_turn: fields.turn && identity != Identity::Placement,
        ask_castling,
        ask_en_passant,
        ask_variant,
        own_rules: false,
        in_variations: wanted.in_variations,
        words: None,
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
pub(super) fn at(option: &'static str) -> impl Fn(String) -> CliError {
    move |error| CliError::new(format!("{option}: {error}"))
}

/// Reads `--language`.
pub(super) fn language(name: &str) -> Result<&'static Language, CliError> {
    Language::for_moves(name.trim()).ok_or_else(|| unknown_language("--language", name))
}

/// An error that names the languages there are.
pub(super) fn unknown_language(option: &str, name: &str) -> CliError {
    let codes: Vec<&str> = LANGUAGES.iter().map(|language| language.code).collect();
    CliError::new(format!("{option}: `{name}` is not a known language")).hint(format!(
        "use one of {}, or its English name",
        codes.join(", ")
    ))
}

/// How moves are to be written.
pub(super) fn writing(
    form: NotationArgs,
    language: &LanguageArgs,
) -> Result<MoveNotation, CliError> {
    Ok(MoveNotation {
        form: form.notation.unwrap_or_default(),
        language: output_language(language)?,
    })
}

/// The language that moves are to be written in.
pub(super) fn output_language(args: &LanguageArgs) -> Result<&'static Language, CliError> {
    args.language.as_deref().map_or(Ok(ENGLISH), language)
}

pub(super) fn filter(args: &FilterArgs, warnings: &mut Vec<String>) -> Result<Filter, CliError> {
    // A text without a word would fit every name.
    let players = args.player.iter().map(|name| ("--player", name));
    let names = [
        ("--white", &args.white),
        ("--black", &args.black),
        ("--event", &args.event),
        ("--site", &args.site),
        ("--source", &args.source),
        ("--from-file", &args.from_file),
        ("--stipulation", &args.stipulation),
    ];
    let names = names
        .iter()
        .filter_map(|(option, text)| Some((*option, text.as_ref()?)));
    let of_problems = [
        ("--author", &args.author),
        ("--condition", &args.condition),
        ("--keyword", &args.keyword),
        ("--comment", &args.comment),
    ];
    let of_problems = of_problems.iter().flat_map(|(option, texts)| {
        let texts = texts.iter();
        texts.map(move |text| (*option, text))
    });
    let mut games = Vec::new();
    for text in &args.games {
        games.push(value_parsers::games(text).map_err(at("--games"))?);
    }
    for (option, text) in players.chain(names).chain(of_problems) {
        if !search::has_words(text) {
            return Err(CliError::new(format!(
                "{option}: `{text}` contains no word to search for"
            ))
            .hint(format!("write a name, or leave out {option}")));
        }
    }
    let mut results = Vec::new();
    for text in &args.result {
        let outcome = value_parsers::outcome(text).map_err(at("--result"))?;
        if !results.contains(&outcome) {
            results.push(outcome);
        }
    }
    let date = |option, text: &Option<String>| {
        text.as_deref()
            .map(backend::parse_date)
            .transpose()
            .map_err(at(option))
    };
    let (date_from, date_to) = (date("--since", &args.from)?, date("--until", &args.to)?);
    if let (Some(from), Some(to)) = (date_from, date_to)
        && from > end_of(to)
    {
        return Err(CliError::new("--since is later than --until").hint("swap --since and --until"));
    }
    if let (Some(min), Some(max)) = (args.min_elo, args.max_elo)
        && min > max
    {
        return Err(
            CliError::new("--min-elo is above --max-elo").hint("swap --min-elo and --max-elo")
        );
    }
    let variants: Result<Vec<u8>, _> = args
        .variant
        .iter()
        .map(|name| backend::variant_id(name))
        .collect();
    let variants = variants.map_err(at("--variant"))?;
    let start = match &args.start {
        Some(text) => Some(Box::new(position(
            text,
            &PositionArgs::default(),
            &mut Filter {
                variants: variants.clone(),
                ..Filter::default()
            },
            warnings,
        )?)),
        None => None,
    };
    let tags: Result<_, _> = args.tag.iter().map(|text| tag(text)).collect();
    let codes: Result<_, _> = args
        .eco
        .iter()
        .map(|text| value_parsers::eco(text))
        .collect();
    let opening = OpeningQuery {
        codes: codes.map_err(at("--eco"))?,
        texts: args.opening.clone(),
    };
    for text in &args.opening {
        let one = OpeningQuery {
            codes: Vec::new(),
            texts: vec![text.clone()],
        };
        if one.openings().is_empty() {
            let nothing = eco::nothing_found(text);
            return Err(CliError::new(format!("--opening: {nothing}"))
                .hint("`plydex eco WORD` lists the openings that have a word in their names"));
        }
    }
    Ok(Filter {
        games,
        file: args.from_file.clone(),
        players: args.player.clone(),
        white: args.white.clone(),
        black: args.black.clone(),
        event: args.event.clone(),
        site: args.site.clone(),
        further: ResolvedNames::default(),
        authors: args.author.clone(),
        stipulation: args.stipulation.as_deref().map(StipulationPattern::of),
        source: args.source.clone(),
        conditions: args.condition.clone(),
        keywords: args.keyword.clone(),
        results,
        date_from,
        date_to,
        min_elo: args.min_elo,
        max_elo: args.max_elo,
        white_elo: None,
        black_elo: None,
        mean_elo: Vec::new(),
        elo_difference: None,
        opening,
        variants,
        time_classes: args.time_class.clone(),
        or_unclocked: false,
        is_casual: None,
        has_month: false,
        plies: args
            .plies
            .as_deref()
            .map(value_parsers::plies)
            .transpose()
            .map_err(at("--plies"))?,
        start,
        a_move: a_move(args)?,
        comments: args.comment.clone(),
        tags: tags?,
    })
}

/// The conditions on some move.
fn a_move(args: &FilterArgs) -> Result<Option<MoveFilter>, CliError> {
    let range = |text: &Option<String>, name, factor| {
        let range = text
            .as_deref()
            .map(|text| value_parsers::numbers(text, factor));
        range.transpose().map_err(at(name))
    };
    let asked = MoveFilter {
        time_left_ms: range(&args.time_left, "--time-left", 1000)?,
        evaluation: range(&args.evaluation, "--evaluation", 100)?,
        loss: range(&args.loss, "--loss", 100)?,
    };
    Ok((asked != MoveFilter::default()).then_some(asked))
}

/// Reads `--tag`.
fn tag(text: &str) -> Result<TagQuery, CliError> {
    let (name, value) = text.split_once('=').unzip();
    let (name, value) = (name.unwrap_or(text).trim(), value.unwrap_or_default());
    let whole = value.strip_prefix('=');
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(CliError::new(format!("--tag: `{name}` is not a tag name"))
            .hint("write --tag NAME=TEXT, such as --tag Annotator=blom"));
    }
    if text.contains('=') && whole.is_none() && !search::has_words(value) {
        return Err(CliError::new(format!(
            "--tag: `{value}` contains no word to search for in {name}"
        ))
        .hint(format!(
            "--tag {name} finds all games with the tag, --tag {name}== those where it is empty"
        )));
    }
    Ok(TagQuery {
        name: name.to_owned(),
        text: whole.unwrap_or(value).to_owned(),
        is_whole: whole.is_some(),
    })
}

/// The last day that a packed date can mean, or a little later.
const fn end_of(packed: u32) -> u32 {
    let month = if (packed / 100).is_multiple_of(100) {
        99
    } else {
        packed / 100 % 100
    };
    let day = if packed.is_multiple_of(100) {
        99
    } else {
        packed % 100
    };
    packed / 10_000 * 10_000 + month * 100 + day
}
