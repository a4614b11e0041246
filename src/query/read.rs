//! Reads the values of conditions on games: one reader of each kind of value for options, texts
//! and addresses.

use super::{
    GameCondition, NameField, PositionText, Ranges, RatingField, TagQuery, ValueError,
    game_conditions,
    range::{self, RangeSyntax},
    suggest,
};
use crate::{
    base::record::Outcome,
    games::{
        notation::problem::StipulationPattern,
        opening_names::{self, OpeningQuery},
        variant::{self, Variant},
    },
    pgn::parser::glyph_of,
    pgn::tags::{
        date::{self, PgnDate},
        eco,
        time_control::SpeedClass,
    },
};

/// Ranges of numbers of games.
pub(super) const GAMES: RangeSyntax<u64> = range::whole_numbers("17, 20..25, 100.. or ..16");
/// Ranges of ratings.
const RATINGS: RangeSyntax<u32> = range::whole_numbers("2600, 2600.. or 2400..2600");
/// Ranges of differences of ratings.
const DIFFERENCES: RangeSyntax<u32> = range::whole_numbers("200, 200.. or 100..200");
/// Ranges of lengths and plies.
pub(super) const PLIES: RangeSyntax<u32> = range::whole_numbers("40, 40.., ..40 or 20..40");
/// Ranges of months.
const MONTHS: RangeSyntax<u8> = range::whole_numbers("12, 6..8 or 1,12");
/// Ranges of ECO codes.
const CODES: RangeSyntax<u16> = RangeSyntax {
    value: eco::beginning_with,
    is_signed: false,
    what: "an ECO code",
    examples: "C42, B20..B99, or a letter from A to E",
};
/// Ranges of days.
const DAYS: RangeSyntax<u32> = RangeSyntax {
    value: days,
    is_signed: false,
    what: "a date",
    examples: "2019, 2019-05, 2019-05-31, 2010..2019 or 2010..",
};
/// Ranges of seconds, in thousandths.
pub(super) const SECONDS: RangeSyntax<i64> = RangeSyntax {
    value: decimal::<1000>,
    is_signed: false,
    what: "a range",
    examples: "30, 30.., ..30 or 10..30",
};
/// Ranges of pawns, in hundredths.
pub(super) const PAWNS: RangeSyntax<i64> = RangeSyntax {
    value: decimal::<100>,
    is_signed: true,
    what: "a range",
    examples: "2.., ..-2, 0.5 or -0.3..0.3",
};

/// The words of the classes of time controls.
const CLASSES: [(&str, SpeedClass); 6] = [
    ("ultrabullet", SpeedClass::UltraBullet),
    ("bullet", SpeedClass::Bullet),
    ("blitz", SpeedClass::Blitz),
    ("rapid", SpeedClass::Rapid),
    ("classical", SpeedClass::Classical),
    ("correspondence", SpeedClass::Correspondence),
];

/// The word of a class.
pub fn word_of(class: SpeedClass) -> &'static str {
    let row = CLASSES.iter().find(|(_, own)| *own == class);
    row.map_or("", |(word, _)| word)
}

/// A number with decimals, times `UNIT`.
fn decimal<const UNIT: u32>(text: &str) -> Option<(i64, i64)> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let number: f64 = text.chars().all(is_number).then(|| text.parse().ok())??;
    let number = (number * f64::from(UNIT)).round() as i64;
    Some((number, number))
}

/// The first and the last day that a date can mean.
fn days(text: &str) -> Option<(u32, u32)> {
    match date::parse(text.trim().as_bytes()) {
        (date, None) if date != PgnDate::UNKNOWN => {
            Some((date.first_day().to_packed(), date.last_day().to_packed()))
        }
        _ => None,
    }
}

/// Reads a result: `1-0` or `white`, `0-1` or `black`, `1/2-1/2` or `draw`, `*`.
pub fn outcome(text: &str) -> Result<Outcome, ValueError> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1-0" | "2-0" | "white" => Ok(Outcome::First),
        "0-1" | "0-2" | "black" => Ok(Outcome::Second),
        "1/2-1/2" | "1/2" | "½-½" | "1-1" | "draw" => Ok(Outcome::Draw),
        "*" => Ok(Outcome::Unknown),
        _ => Err(ValueError::new(format!("`{text}` is not a result"))
            .hint("write 1-0, 0-1, 1/2-1/2, white, black, draw or *")),
    }
}

/// The number of a variant, by any of its spellings.
pub fn variant_id(name: &str) -> Result<u8, ValueError> {
    if let Some(variant) = Variant::named(name) {
        return Ok(variant.id);
    }
    let error = ValueError::new(format!("`{name}` is not a known variant"));
    let known = || variant::ALL.iter().map(|variant| variant.name);
    if let Some(meant) = suggest::nearest(name, known()) {
        let hint = format!("did you mean {meant}? `plydex variants` lists all");
        return Err(error.suggest(meant).hint(hint));
    }
    let known: Vec<_> = known().collect();
    Err(error.hint(format!("the known ones are {}", known.join(", "))))
}

/// Reads ECO codes, the beginnings of codes, and ranges of them.
pub fn codes(text: &str) -> Result<Ranges<u16>, ValueError> {
    Ranges::read(text, &CODES).map_err(|error| {
        if opening_names::nearest(text).is_some() {
            ValueError::new(format!("`{text}` is not an ECO code"))
                .hint(format!("names are written opening:{text}"))
        } else {
            error
        }
    })
}

/// Whether a text is an ECO code, the beginning of one or a range, and no move: in capitals, or
/// complete.
pub fn is_eco(text: &str) -> bool {
    let text = text.trim();
    let parts = text.split_once("..").or_else(|| text.split_once('-'));
    let is_code = |text: &str| {
        matches!(
            text.trim().as_bytes(),
            [b'A'..=b'E', b'0'..=b'9']
                | [b'A'..=b'E' | b'a'..=b'e', b'0'..=b'9', b'0'..=b'9']
        )
    };
    match parts {
        // `B2-B4` is a move in the words of old books.
        Some((from, to)) => is_code(from) && is_code(to) && (from.len() + to.len() > 4),
        None => is_code(text),
    }
}

/// Reads dates and ranges of them.
pub fn dates(text: &str) -> Result<Ranges<u32>, ValueError> {
    Ranges::read(text, &DAYS)
}

/// Words of a list with commas, each as the value beside it in a table; case does not matter.
fn listed<T: Copy>(text: &str, table: &[(&str, T)], what: &str) -> Result<Vec<T>, ValueError> {
    let one = |word: &str| {
        let row = table
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(word.trim()));
        row.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
            let error = ValueError::new(format!("`{word}` is not {what}"))
                .hint(format!("write one of {}", words.join(", ")));
            match suggest::nearest(word, words.iter().copied()) {
                Some(meant) => error.suggest(meant),
                None => error,
            }
        })
    };
    text.split(',').map(one).collect()
}

/// Whether a text has a word that a name could hold.
pub fn has_words(text: &str) -> bool {
    text.contains(|c: char| !c.is_whitespace() && c != ',')
}

pub(super) fn words(text: &str) -> Result<String, ValueError> {
    if has_words(text) {
        return Ok(text.to_owned());
    }
    Err(
        ValueError::new(format!("`{text}` contains no word to search for"))
            .hint("write a word, or leave the condition out"),
    )
}

/// The condition of a name with its value; `None` if no condition on games has the name.
pub(super) fn condition(name: &str, value: &str) -> Option<Result<GameCondition, ValueError>> {
    if let Some(tag) = name.strip_prefix("tag.") {
        return Some(tag_condition(tag, value));
    }
    Some(match name {
        "author" => self::name(NameField::Composer, value),
        "year" => dates(value).map(GameCondition::Date),
        "in" if value.eq_ignore_ascii_case("variations") => Ok(GameCondition::InVariations),
        "in" => Err(ValueError::new(format!("`in:{value}` is not understood"))
            .hint("in:variations looks through variations as well")),
        "similar" => Ok(GameCondition::Similar(position(value, false))),
        _ => (game_conditions::find(name)?.read)(value),
    })
}

/// Reads ranges, separated by commas.
pub(super) fn ranges<T: range::RangeValue>(
    text: &str,
    syntax: &RangeSyntax<T>,
) -> Result<Ranges<T>, ValueError> {
    Ranges::read(text, syntax)
}

/// Words of a name, or after `=` the complete one.
pub(super) fn name(field: NameField, text: &str) -> Result<GameCondition, ValueError> {
    match text.strip_prefix('=') {
        Some(whole) => whole_name(field, whole),
        None => words(text).map(|text| GameCondition::Name(field, text)),
    }
}

/// Ranges of ratings, or of their differences.
pub(super) fn rating(field: RatingField, text: &str) -> Result<GameCondition, ValueError> {
    let syntax = match field {
        RatingField::Difference => &DIFFERENCES,
        _ => &RATINGS,
    };
    ranges(text, syntax).map(|ranges| GameCondition::Rating(field, ranges))
}

pub(super) fn results(text: &str) -> Result<GameCondition, ValueError> {
    let mut results: Vec<Outcome> = Vec::new();
    for text in text.split(',') {
        let result = outcome(text)?;
        if !results.contains(&result) {
            results.push(result);
        }
    }
    Ok(GameCondition::Result(results))
}

pub(super) fn months(text: &str) -> Result<GameCondition, ValueError> {
    let months = ranges(text, &MONTHS)?.intersection(&Ranges::of(1, 12));
    if months.as_slice().is_empty() {
        return Err(
            ValueError::new(format!("`{text}` is not a month")).hint("write numbers from 1 to 12")
        );
    }
    Ok(GameCondition::Month(months))
}

pub(super) fn variants(text: &str) -> Result<GameCondition, ValueError> {
    let ids: Result<Vec<u8>, _> = text.split(',').map(variant_id).collect();
    ids.map(GameCondition::Variant)
}

pub(super) fn time_classes(text: &str) -> Result<GameCondition, ValueError> {
    let (unknown, known): (Vec<_>, Vec<_>) = text
        .split(',')
        .partition(|word| word.trim().eq_ignore_ascii_case("unknown"));
    let or_unknown = !unknown.is_empty();
    let classes = if known.is_empty() && or_unknown {
        Vec::new()
    } else {
        listed(&known.join(","), &CLASSES, "a class of time controls")?
    };
    Ok(GameCondition::TimeClass {
        classes,
        or_unknown,
    })
}

pub(super) fn mode(text: &str) -> Result<GameCondition, ValueError> {
    match listed(text, &[("rated", false), ("casual", true)], "a mode")?[..] {
        [is_casual] => Ok(GameCondition::Casual(is_casual)),
        _ => Err(ValueError::new("games are rated or casual").hint("write one of them")),
    }
}

pub(super) fn stipulation(text: &str) -> Result<GameCondition, ValueError> {
    let text = words(text)?;
    Ok(GameCondition::Stipulation {
        pattern: StipulationPattern::of(&text),
        text,
    })
}

/// Words of a tag; the complete value after `=`, or where it always is.
pub(super) fn tag_words(
    tag: &str,
    text: &str,
    is_always_whole: bool,
) -> Result<GameCondition, ValueError> {
    let whole = text.strip_prefix('=');
    Ok(GameCondition::Tag(TagQuery {
        name: tag.to_owned(),
        text: words(whole.unwrap_or(text))?,
        is_whole: is_always_whole || whole.is_some(),
    }))
}

pub(super) fn has_tag(text: &str) -> Result<GameCondition, ValueError> {
    Ok(GameCondition::Tag(TagQuery {
        name: tag_name(text)?,
        text: String::new(),
        is_whole: false,
    }))
}

pub(super) fn position(text: &str, is_moves: bool) -> PositionText {
    PositionText {
        text: text.to_owned(),
        is_moves,
        read: None,
        diagrams: Vec::new(),
    }
}

/// Reads glyphs by their numbers or signs, with commas between them, in ascending order.
pub(super) fn glyphs(value: &str) -> Result<Vec<u8>, ValueError> {
    let one = |text: &str| {
        let number = match text {
            "!" | "?" | "!!" | "??" | "!?" | "?!" => u8::try_from(glyph_of(text.as_bytes())).ok(),
            number => number.trim_start_matches('$').parse().ok(),
        };
        number.filter(|number| *number > 0).ok_or_else(|| {
            ValueError::new(format!("`{text}` is not a glyph"))
                .hint("write numbers from 1 to 255, or !, ?, !!, ??, !? or ?!, such as nag:??,6")
        })
    };
    let mut all: Vec<u8> = value
        .split(',')
        .map(|text| one(text.trim()))
        .collect::<Result<_, _>>()?;
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// A name that must agree as a whole: that of the tag.
fn whole_name(field: NameField, text: &str) -> Result<GameCondition, ValueError> {
    let tag = match field {
        NameField::White => "White",
        NameField::Black => "Black",
        NameField::Event => "Event",
        NameField::Site => "Site",
        NameField::Player | NameField::Composer => {
            let error = ValueError::new("`:=` is for the names of tags");
            return Err(error.hint(format!("write (white:=\"{text}\" or black:=\"{text}\")")));
        }
    };
    Ok(GameCondition::Tag(TagQuery {
        name: tag.to_owned(),
        text: text.to_owned(),
        is_whole: true,
    }))
}

/// Reads names of openings, with `|` between alternatives.
pub(super) fn opening(value: &str) -> Result<GameCondition, ValueError> {
    let texts: Vec<String> = value
        .split('|')
        .map(|text| text.trim().to_owned())
        .collect();
    for text in &texts {
        let one = OpeningQuery {
            codes: Vec::new(),
            texts: vec![text.clone()],
        };
        if one.openings().is_empty() {
            return Err(no_opening(text));
        }
    }
    Ok(GameCondition::Opening(texts))
}

/// The error that no opening has some words in its name.
pub fn no_opening(text: &str) -> ValueError {
    if !opening_names::has_words(text) {
        return ValueError::new(format!(
            "`{text}` contains no word of the name of an opening"
        ))
        .hint("`plydex eco WORD` lists the openings that have a word in their names");
    }
    let error = ValueError::new(format!("no opening is called `{text}`"));
    match opening_names::nearest(text) {
        Some(meant) => error.hint(format!("did you mean {meant}?")).suggest(meant),
        None => error.hint("`plydex eco WORD` lists the openings that have a word in their names"),
    }
}

fn tag_name(name: &str) -> Result<String, ValueError> {
    let name = name.trim();
    let is_name = |c: char| !c.is_whitespace() && !matches!(c, '=' | '"' | ':');
    if !name.is_empty() && name.chars().all(is_name) {
        return Ok(name.to_owned());
    }
    let error = ValueError::new(format!("`{name}` is not a tag name"));
    Err(match name.split_once('=') {
        Some((tag, value)) => error.hint(format!(
            "write tag.{tag}:{}{} for a value",
            if value.starts_with('=') { "=" } else { "" },
            value.trim_start_matches('=')
        )),
        None => error.hint("write has:NAME, or tag.NAME:TEXT for a value"),
    })
}

/// `tag.NAME:TEXT`, or with `=` before the text the complete value.
fn tag_condition(name: &str, value: &str) -> Result<GameCondition, ValueError> {
    let name = tag_name(name)?;
    let whole = value.strip_prefix('=');
    if whole.is_none() && !has_words(value) {
        return Err(ValueError::new(format!(
            "`{value}` contains no word to search for in {name}"
        ))
        .hint(format!(
            "has:{name} finds all games with the tag, 'tag.{name}:=\"\"' those where it is empty"
        )));
    }
    Ok(GameCondition::Tag(TagQuery {
        name,
        text: whole.unwrap_or(value).to_owned(),
        is_whole: whole.is_some(),
    }))
}
