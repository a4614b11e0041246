//! Words that stand for other conditions: each is defined by a query.

#[cfg(test)]
use super::PlyCondition;
use super::{Term, parser};
use crate::query::{Ranges, range::RangeSyntax};

/// Words without a value, and what they mean.
const WORDS: &[(&str, &str)] = &[
    (
        "double",
        "check (stm:white a:attackers:K=2.. or stm:black A:attackers:k=2..)",
    ),
    (
        "discovered",
        "check not last:castles:any \
         (stm:white a:attackers:K&!.:lastto or stm:black A:attackers:k&!.:lastto)",
    ),
    (
        "opposite-bishops",
        "B=1 b=1 (B:light b:dark or B:dark b:light)",
    ),
    // A new word needs nothing else.
    #[cfg(test)]
    ("fixed-centre", "Pd4 pd5"),
];

/// Kinds of endings by their names, and the pieces of both sides beside kings and pawns.
const ENDINGS: [(&str, &[&str]); 10] = [
    ("pawn", &["v"]),
    ("knight", &["NvN"]),
    ("bishop", &["BvB"]),
    ("bishop-knight", &["BvN"]),
    ("rook", &["RvR"]),
    ("rook-minor", &["RvB", "RvN"]),
    ("two-rooks", &["RRvRR"]),
    ("queen", &["QvQ"]),
    ("rook-bishop", &["RBvRB"]),
    ("rook-knight", &["RNvRN"]),
];

/// The names of all.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let words = WORDS.iter().map(|(word, _)| *word);
    words.chain(["pair", "ending", "value"])
}

/// Values of a side's pieces, less those of the other.
const VALUES: RangeSyntax<i64> = RangeSyntax {
    value: |text| {
        let number = text.parse().ok()?;
        Some((number, number))
    },
    is_signed: true,
    what: "a range",
    examples: "3.., ..-2 or -1..1",
};

/// The word that a text is, if it is one of these; an error says how it is written.
pub(super) fn read(text: &str) -> Option<Result<Term, &'static str>> {
    let lower = text.to_ascii_lowercase();
    if let Some((word, meaning)) = WORDS.iter().find(|(word, _)| *word == lower) {
        return defined((*word).to_owned(), meaning).map(Ok);
    }
    let (name, value) = text.split_once(':')?;
    match name.to_ascii_lowercase().as_str() {
        "pair" => {
            let (side, is_not) = match value.strip_suffix("=0") {
                Some(side) => (side, true),
                None => (value, false),
            };
            let bishop = match side {
                "w" | "white" => "B",
                "b" | "black" => "b",
                _ => return Some(Err("write pair:w or pair:b; with =0 after it there is none")),
            };
            let both = format!("{bishop}:light {bishop}:dark");
            let meaning = if is_not { format!("not ({both})") } else { both };
            let side = if bishop == "B" { "w" } else { "b" };
            let end = if is_not { "=0" } else { "" };
            defined(format!("pair:{side}{end}"), &meaning).map(Ok)
        }
        "ending" => Some(ending(value).ok_or(
            "write the pieces of both sides without kings and pawns, such as RvR or RBvRN (material:KRPvKR names all of them), or pawn, knight, bishop, rook, queen, same-bishops, opposite-bishops, bishop-knight, rook-bishop, rook-knight, rook-minor, two-rooks; w: before it means that the first side is White",
        )),
        "value" => {
            let (side, range) = match value.split_once(':') {
                Some(("w" | "white", range)) => (Some(0), range),
                Some(("b" | "black", range)) => (Some(1), range),
                _ => (None, value),
            };
            let ranges = Ranges::read(range, &VALUES);
            Some(
                ranges
                    .map(|ranges| Term::Value { side, ranges })
                    .map_err(|_| "write a range in pawns, such as value:3.. or value:w:..10"),
            )
        }
        _ => None,
    }
}

fn defined(text: String, meaning: &str) -> Option<Term> {
    let meaning = Box::new(parser::parse_ply(meaning)?);
    Some(Term::Defined { text, meaning })
}

/// Pieces other than kings and pawns are exactly these, whichever side has which.
fn ending(value: &str) -> Option<Term> {
    let lower = value.to_ascii_lowercase();
    let shade = match lower.as_str() {
        "same-bishops" => " (B:light b:light or B:dark b:dark)",
        "opposite-bishops" => " (B:light b:dark or B:dark b:light)",
        _ => "",
    };
    let named = ENDINGS.iter().find(|(name, _)| *name == lower);
    let (pieces, is_white_first) = match (named, value.strip_prefix("w:")) {
        _ if !shade.is_empty() => (vec!["BvB"], false),
        (Some((_, pieces)), _) => (pieces.to_vec(), false),
        (None, Some(pieces)) => (vec![pieces], true),
        (None, None) => (vec![value], false),
    };
    let mut any = Vec::new();
    for pieces in pieces {
        let sides = pieces.split_once('v')?;
        let is_piece = |c: char| "QRBN".contains(c.to_ascii_uppercase());
        if !(sides.0.chars().all(is_piece) && sides.1.chars().all(is_piece)) {
            return None;
        }
        any.push(exactly(sides));
        if !is_white_first && sides.0 != sides.1 {
            any.push(exactly((sides.1, sides.0)));
        }
    }
    let meaning = format!("({}){shade}", any.join(" or "));
    defined(format!("ending:{value}"), &meaning)
}

/// The counts of all kinds of pieces of both sides.
fn exactly((white, black): (&str, &str)) -> String {
    let count = |pieces: &str, kind: char| {
        let kinds = pieces.chars().map(|c| c.to_ascii_uppercase());
        kinds.filter(|own| *own == kind).count()
    };
    let kinds = ['Q', 'R', 'B', 'N'].map(|kind| {
        let small = kind.to_ascii_lowercase();
        format!(
            "{kind}={} {small}={}",
            count(white, kind),
            count(black, kind)
        )
    });
    kinds.join(" ")
}

/// What conditions mean together at a ply, for tests.
#[cfg(test)]
pub(super) fn meaning(text: &str) -> Option<PlyCondition> {
    match read(text)?.ok()? {
        Term::Defined { meaning, .. } => Some(*meaning),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_definition_can_be_read() {
        for (word, _) in WORDS {
            assert!(meaning(word).is_some(), "{word}");
        }
        for (name, _) in ENDINGS {
            assert!(meaning(&format!("ending:{name}")).is_some(), "{name}");
        }
        for text in ["pair:w", "pair:b=0", "ending:RBvRN", "ending:w:QvRR"] {
            assert!(meaning(text).is_some(), "{text}");
        }
        for text in [
            "pair:x",
            "ending:xyz",
            "ending:KvK",
            "value:a",
            "value:5..3",
        ] {
            assert!(read(text).is_some_and(|read| read.is_err()), "{text}");
        }
    }
}
