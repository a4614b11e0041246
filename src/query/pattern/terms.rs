//! The words of a query, one by one.

use super::super::range::{self, RangeSyntax, Ranges};
use super::super::{read, saved};
use super::{
    Area, AttackTarget, Count, MoveTerm, Numbers, PlyCondition, QueryError, SacrificeTerm,
    SetCount, SquareExpr, Term, TextSpan, definitions, fen_pattern, square_set,
};
use crate::games::position_input::fact_meant;

/// What a word is.
pub(super) enum QueryWord {
    Term(Term),
    /// A fact about the game: a name and a value.
    Game(String, String),
}

/// The conditions on a position that have a name and no value.
const FLAGS: [(&str, Term); 9] = [
    ("check", Term::Check),
    ("mate", Term::Mate),
    ("smothered", Term::Smothered),
    ("stalemate", Term::Stalemate),
    ("end", Term::End),
    ("sacrifice", Term::Sacrifice(SacrificeTerm::USUAL)),
    ("capture", Term::Move(MoveTerm::Capture)),
    ("quiet", Term::Move(MoveTerm::Quiet)),
    ("ep", Term::Move(MoveTerm::EnPassant)),
];

/// Whether a word is one of the conditions without a value.
pub(super) fn is_flag(text: &str) -> bool {
    FLAGS
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case(text))
}

/// Whether a word before a colon is a row of letters of pieces, not the name of a fact.
pub(super) fn is_row(pieces: &str) -> bool {
    pieces.chars().count() == 1 || pieces.chars().all(|c| "KQRBNPAMkqrbnpam_x".contains(c))
}

/// Reads a word.
pub(super) fn word(text: &str, span: &TextSpan) -> Result<QueryWord, QueryError> {
    let flag = FLAGS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    if let Some((_, term)) = flag {
        return Ok(QueryWord::Term(term.clone()));
    }
    if let Some(name) = saved::name_of(text) {
        return Ok(QueryWord::Term(Term::Saved(name.to_owned())));
    }
    let wrong = |message: String| QueryError::new(message, span.clone());
    if let Some(term) = definitions::read(text) {
        return term
            .map(QueryWord::Term)
            .map_err(|hint| wrong(format!("`{text}` is not understood")).hint(hint));
    }
    if square_set::is_derived(text) {
        return derived(text).map(QueryWord::Term).ok_or_else(|| {
            let hint = if text.contains('~') {
                "labels are ~1 to ~4, after the letter of a piece: N~1b1 then N~1f1"
            } else {
                "write a set of squares, such as passed:P6, R:open or A:around:k=2.."
            };
            wrong(format!("`{text}` is not understood")).hint(hint)
        });
    }
    if let Some((name, value)) = text.split_once(':') {
        let value = unquoted(value);
        if let Some(term) = named(&name.to_ascii_lowercase(), &value) {
            return term
                .map(QueryWord::Term)
                .map_err(|hint| wrong(format!("`{text}` is not understood")).hint(hint));
        }
        // Sets that are compared may have colons: `B:dark=n:light`.
        let is_compared = name.contains('=') || is_row(name) && value.contains('=');
        let compared = || is_compared.then(|| compared(text)).flatten();
        if let Some(term) = pieces(text).or_else(compared) {
            return Ok(QueryWord::Term(term));
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        if !name.is_empty() && name.chars().all(is_name) {
            if value.trim().is_empty() {
                return Err(wrong(format!("`{name}:` has no value"))
                    .hint(format!("write it without a space: {name}:VALUE")));
            }
            return Ok(QueryWord::Game(name.to_owned(), value));
        }
        return Err(wrong(format!("`{text}` is not understood")));
    }
    let relative = || text.contains('=').then(|| compared(text)).flatten();
    match pieces(text).or_else(relative) {
        Some(pieces) => Ok(QueryWord::Term(pieces)),
        None => Err(wrong(format!("`{text}` is not understood")).hint(guess(text))),
    }
}

/// What the user may have meant by a word that is none of ours.
fn guess(text: &str) -> String {
    if let Some(rest) = text.strip_prefix('!')
        && !rest.is_empty()
    {
        return format!("what must not be so is written with a word: not {rest}");
    }
    let result = || read::outcome(text).ok().map(|_| format!("result:{text}"));
    if let Some(fact) = fact_meant(text).or_else(result) {
        return format!("filters are written name:value: {fact}");
    }
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let is_castling = matches!(bare, "O-O" | "O-O-O" | "0-0" | "0-0-0");
    let ends_in_square = bare.len() >= 2
        && bare.get(bare.len() - 2..).is_some_and(|end| {
            matches!(
                Area::read(end),
                Some(Area::Named {
                    files: Some(_),
                    ranks: Some(_)
                })
            )
        });
    if is_castling || ends_in_square {
        // The number, if it is written, says which side plays it.
        let san = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '…'));
        let number = &text[..text.len() - san.len()];
        let side = match number.trim_start_matches(|c: char| c.is_ascii_digit()) {
            "" => "",
            "." => " by:white",
            _ => " by:black",
        };
        let san = if side.is_empty() { text } else { san };
        return format!("a move is written move:{san}{side}");
    }
    if text.chars().all(char::is_alphabetic) {
        return format!("a name is written player:{text}, event:{text} or site:{text}");
    }
    "pieces stand as Pd4, Nc3,f3 or q; all else has a name, as move:Bxh7 or player:Karpov"
        .to_owned()
}

/// Whether a word compares the numbers of pieces on squares: `Pa-d=pa-d+2..`.
pub(super) fn is_relative(word: &str) -> bool {
    let count = word.split_once('=').map(|(_, count)| count);
    count.is_some_and(|count| numbers(count).is_none()) && derived(word).is_some()
}

/// A set that is compared to another one. One of pieces with a number is read as pieces, or is none.
fn compared(text: &str) -> Option<Term> {
    derived(text)
        .filter(|term| !matches!(term, Term::Set(SquareExpr::Pieces { .. }, SetCount::In(_))))
}

/// A set that depends on the position, with a count.
fn derived(text: &str) -> Option<Term> {
    let (set, count) = match text.split_once('=') {
        Some((set, count)) => (set, Some(count)),
        None => (text, None),
    };
    if let Some(sets) = square_set::each_of(set) {
        let count = count.map_or_else(String::new, |count| format!("={count}"));
        let each = sets.iter().map(|set| {
            let term = derived(&format!("{set}{count}"))?;
            Some(PlyCondition::Term(term, 0..0))
        });
        return Some(Term::Defined {
            text: text.to_owned(),
            meaning: Box::new(PlyCondition::And(each.collect::<Option<_>>()?)),
        });
    }
    let set = SquareExpr::read(set)?;
    Some(Term::Set(set, set_count(count)?))
}

/// How many squares a set has: some, a number, or as many as another set.
fn set_count(text: Option<&str>) -> Option<SetCount> {
    let Some(text) = text else {
        return Some(SetCount::In((1, u32::MAX)));
    };
    if let Some(range) = numbers(text) {
        return Some(SetCount::In(range));
    }
    let (to, plus) = match text.split_once('+') {
        Some((to, plus)) => (to, numbers(plus)?),
        None => (text, (0, 0)),
    };
    Some(SetCount::Relative {
        to: SquareExpr::read(to)?,
        plus,
    })
}

/// A value without its quotes, in which a backslash stands before a quote or a backslash.
fn unquoted(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let (mut letters, mut is_quoted) = (value.chars(), false);
    while let Some(c) = letters.next() {
        match c {
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => plain.extend(letters.next()),
            c => plain.push(c),
        }
    }
    plain
}

/// The name of a condition on games as it is compared: in small letters, up to the name of a tag.
pub(super) fn folded_name(name: &str) -> String {
    match name.split_once('.') {
        Some((first, tag)) => format!("{}.{tag}", first.to_lowercase()),
        None => name.to_lowercase(),
    }
}

const NUMBERS: RangeSyntax<u32> = range::whole_numbers("40, 20..40, 40.. or ..40");

/// Reads a range of numbers, both ends included.
pub(super) fn numbers(text: &str) -> Option<Numbers> {
    let ranges = Ranges::read(text, &NUMBERS).ok()?;
    match ranges.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

fn areas(text: &str) -> Option<Vec<Area>> {
    text.split('/').map(Area::read).collect()
}

/// Pieces on squares: `Pc4,d5`, `R7=2..`, `BN=3`, `Q`.
fn pieces(text: &str) -> Option<Term> {
    let (head, count) = match text.split_once('=') {
        Some((head, count)) => (head, Some(count)),
        None => (text, None),
    };
    let count = match count {
        None => Count::In((1, u32::MAX)),
        Some(count) => match numbers(count) {
            Some(numbers) => Count::In(numbers),
            None if is_pieces(count) => Count::AsMany(count.to_owned()),
            None => return None,
        },
    };
    let squares = |text: &str| match text {
        "" => Some(Vec::new()),
        _ => text.split(',').map(areas).collect::<Option<Vec<_>>>(),
    };
    let (pieces, on) = if let Some((pieces, on)) = head.split_once(':') {
        // `event:a` is a fact, whose name is no row of letters.
        if !is_row(pieces) || on.is_empty() && !text.contains('=') {
            return None;
        }
        (pieces, squares(on)?)
    } else {
        let first = head.chars().next()?.len_utf8();
        let (one, rest) = head.split_at(first);
        match squares(rest) {
            Some(on) => (one, on),
            None if text.contains('=') => (head, Vec::new()),
            None => return None,
        }
    };
    is_pieces(pieces).then(|| Term::PiecesOn {
        pieces: pieces.to_owned(),
        on,
        count,
    })
}

fn is_pieces(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
}

/// A condition by its name; `None` if it is none of these, an error that says how it is
/// written.
fn named(name: &str, value: &str) -> Option<Result<Term, &'static str>> {
    const KINDS: &str = "write letters of pieces, such as N or RQ";
    const RANGE: &str = "write a number or a range, such as 40, 20..40, 40.. or ..40";
    const AREAS: &str =
        "write squares, files or ranks joined by /, such as e4, c or a-d1-4, or a set such as open";
    let kinds = || {
        if value.eq_ignore_ascii_case("x") {
            return Ok("x".to_owned());
        }
        let letters = value.to_ascii_uppercase();
        (is_pieces(&letters) && !letters.contains('_'))
            .then_some(letters)
            .ok_or(KINDS)
    };
    let range = || numbers(value).ok_or(RANGE);
    let of_move = |term| Ok(Term::Move(term));
    let in_set = |is_from| {
        let set = square_set::is_derived(value).then(|| SquareExpr::read(value));
        set.flatten().map(|set| Term::MoveSet(set, is_from))
    };
    Some(match name {
        "repetition" => range().map(|(least, most)| {
            let is_least = value.chars().all(|c| c.is_ascii_digit());
            Term::Repetition((least, if is_least { u32::MAX } else { most }))
        }),
        "fifty" => range().map(Term::Fifty),
        "sacrifice" => SacrificeTerm::read(value).map(Term::Sacrifice).ok_or(
            "write the pawns that are given, such as sacrifice:2, and after a comma for how many plies, such as sacrifice:2,6; or sacrifice:exchange",
        ),
        "legal" => match of_last(value) {
            Some(Ok(Term::Move(asked))) => Ok(Term::Legal(asked)),
            None if !value.is_empty() => Ok(Term::Legal(MoveTerm::Written(value.to_owned()))),
            Some(Err(how)) => Err(how),
            _ => Err(
                "write a move, such as legal:Qxh7, or a condition on moves, such as legal:mates or legal:captured:Q",
            ),
        },
        "pattern" => fen_pattern::read(&value.replace('"', ""))
            .map(Term::Drawn)
            .ok_or("write the ranks from above with / between them, such as */*/p??p*/*/*/*/*/*"),
        "material" => material(value),
        "imbalance" => {
            let white_first = value.strip_prefix("w:");
            let read = sides(white_first.unwrap_or(value)).map(|sides| Term::Imbalance {
                sides,
                is_white_first: white_first.is_some(),
            });
            read.ok_or(
                "write the pieces of both sides, such as QvRB; with w: before it the first side is White",
            )
        }
        "attacks" => attacks(value).ok_or(
            "write who attacks what, such as N:k,q, B/Q:h7 or A:e5=2..; squares have digits",
        ),
        "pins" => {
            let mut parts = value.split(':');
            let mut next = || {
                parts
                    .next()
                    .filter(|pieces| is_pieces(pieces))
                    .map(str::to_owned)
            };
            match (next(), next(), next(), parts.next()) {
                (Some(by), Some(pinned), Some(behind), None) => {
                    Ok(Term::Pins([by, pinned, behind]))
                }
                _ => Err("write who pins whom to whom, such as B:n:k"),
            }
        }
        "only" => {
            let parts = value
                .split_once(':')
                .filter(|(pieces, _)| is_pieces(pieces));
            parts
                .and_then(|(pieces, on)| {
                    let (pieces, on) = (pieces.to_owned(), areas(on)?);
                    Some(Term::Only { pieces, on })
                })
                .ok_or(
                    "write pieces and all squares on which they may stand, such as P:2/e4 or m:1-20",
                )
        }
        "men" | "kings" => {
            let both = value
                .split_once('v')
                .and_then(|(white, black)| Some([numbers(white)?, numbers(black)?]));
            both.map(|sides| Term::Counts {
                kings: name == "kings",
                sides,
            })
            .ok_or("write the numbers of White and of Black, such as 3v2 or 2..4v1")
        }
        "stm" | "by" => match value.to_ascii_lowercase().as_str() {
            "w" | "white" => Ok(Term::Turn(0)),
            "b" | "black" => Ok(Term::Turn(1)),
            _ => Err("write white or black"),
        },
        "ply" => range().map(Term::Ply),
        "pieces" => range().map(Term::Pieces),
        "jumps" => range().and_then(|jumps| of_move(MoveTerm::Jumps(jumps))),
        "move" if value.eq_ignore_ascii_case("checks") => of_move(MoveTerm::Checks),
        "move" if value.eq_ignore_ascii_case("mates") => of_move(MoveTerm::Mates),
        "move" if !value.is_empty() => of_move(MoveTerm::Written(value.to_owned())),
        "move" => Err("write a move, such as Bxh7 or O-O"),
        "uci" if value.len() >= 4 && value.is_ascii() => {
            of_move(MoveTerm::Squares(value.to_ascii_lowercase()))
        }
        "uci" => Err("write a move by its squares, such as b1d2 or e7e8q"),
        "moved" if value.contains('~') => in_set(true).ok_or("write a label, such as moved:~1"),
        "moved" => kinds().and_then(|kinds| of_move(MoveTerm::Moved(kinds))),
        "captured" => kinds().and_then(|kinds| of_move(MoveTerm::Captured(kinds))),
        "promotes" => kinds().and_then(|kinds| of_move(MoveTerm::Promotes(kinds))),
        "from" => match areas(value) {
            Some(on) => of_move(MoveTerm::From(on)),
            None => in_set(true).ok_or(AREAS),
        },
        "to" => match areas(value) {
            Some(on) => of_move(MoveTerm::To(on)),
            None => in_set(false).ok_or(AREAS),
        },
        "castles" => match value.to_ascii_uppercase().replace('0', "O").as_str() {
            "O-O" | "K" => of_move(MoveTerm::Castles(Some(1))),
            "O-O-O" | "Q" => of_move(MoveTerm::Castles(Some(2))),
            "ANY" => of_move(MoveTerm::Castles(None)),
            _ => Err("write O-O, O-O-O or any"),
        },
        "last" if value.len() == 1 => kinds().map(|kinds| Term::Last(MoveTerm::Moved(kinds))),
        "last" => match of_last(value) {
            Some(Ok(Term::Move(asked))) => Ok(Term::Last(asked)),
            None if !value.is_empty() => Ok(Term::Last(MoveTerm::Written(value.to_owned()))),
            Some(Err(how)) => Err(how),
            _ => Err(
                "write a move, such as Bxh7, the letter of a piece, or a condition on moves, such as captured:Q",
            ),
        },
        _ => return None,
    })
}

/// The condition that stands after `last:`; `None` if it is a move as it is written.
fn of_last(value: &str) -> Option<Result<Term, &'static str>> {
    let flag = FLAGS
        .iter()
        .find(|(flag, _)| flag.eq_ignore_ascii_case(value));
    if let Some((_, term)) = flag {
        return Some(Ok(term.clone()));
    }
    match value.to_ascii_lowercase().as_str() {
        "checks" => return Some(Ok(Term::Move(MoveTerm::Checks))),
        "mates" => return Some(Ok(Term::Move(MoveTerm::Mates))),
        _ => {}
    }
    let (name, value) = value.split_once(':')?;
    named(&name.to_ascii_lowercase(), value)
}

/// Whether what stands after `last:` is a condition, not a move as it is written.
pub(super) fn is_of_last(value: &str) -> bool {
    of_last(value).is_some()
}

/// Who attacks what, from `N:k,q` or `A:e5=2..`.
fn attacks(value: &str) -> Option<Term> {
    let (value, count) = match value.split_once('=') {
        Some((value, count)) => (value, numbers(count)?),
        None => (value, (1, u32::MAX)),
    };
    let (pieces, targets) = value.split_once(':')?;
    let target = |text: &str| {
        if text.contains(|c: char| c.is_ascii_digit()) {
            Area::read(text).map(AttackTarget::On)
        } else {
            is_pieces(text).then(|| AttackTarget::Pieces(text.to_owned()))
        }
    };
    let any = |text: &str| text.split('/').map(target).collect::<Option<Vec<_>>>();
    let pieces = pieces.replace('/', "");
    is_pieces(&pieces).then_some(Term::Attacks {
        pieces,
        targets: targets.split(',').map(any).collect::<Option<_>>()?,
        count,
    })
}

/// The pieces of both sides in capitals, from `KRPvKR`.
fn sides(value: &str) -> Option<[String; 2]> {
    let (first, second) = value.split_once('v')?;
    let side = |text: &str| (text.is_empty() || is_pieces(text)).then(|| text.to_ascii_uppercase());
    let is_empty = first.is_empty() && second.is_empty();
    Some([side(first)?, side(second)?]).filter(|_| !is_empty && !value.contains('_'))
}

fn material(value: &str) -> Result<Term, &'static str> {
    const HOW: &str = "write the pieces of both sides, such as KRPvKR; with + at the end there may be more, with w: before it the first side is White";
    let (value, is_white_first) = match value.strip_prefix("w:") {
        Some(rest) => (rest, true),
        None => (value, false),
    };
    let (value, at_least) = match value.strip_suffix('+') {
        Some(rest) => (rest, true),
        None => (value, false),
    };
    // Where kings can be taken a side may have nothing left.
    let any = |sides: &[String; 2]| sides.iter().any(|side| !side.is_empty());
    let sides = sides(value).filter(any).ok_or(HOW)?;
    Ok(Term::Material {
        sides,
        at_least,
        is_white_first,
    })
}
