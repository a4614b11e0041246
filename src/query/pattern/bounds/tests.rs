use super::*;
use crate::games::AnyPosition;
use crate::query::pattern::{BoardSpec, compile, parser};

/// What the first chain of a query on the board of chess asks, and whether that is all.
fn of(text: &str) -> String {
    let board = BoardSpec::of(&AnyPosition::initial());
    let pattern = compile(&parser::parse(text).unwrap(), &board).unwrap();
    let bounded = &pattern.bounds()[0];
    format!("{} {}", shown(&bounded.bound), bounded.is_exact)
}

fn shown(bound: &SummaryBound) -> String {
    let join = |inner: &[SummaryBound], word: &str| {
        let inner: Vec<String> = inner.iter().map(shown).collect();
        format!("({})", inner.join(word))
    };
    match bound {
        SummaryBound::Open => "open".into(),
        SummaryBound::All(inner) => join(inner, " and "),
        SummaryBound::Any(inner) => join(inner, " or "),
        SummaryBound::Stood { pieces, on } => format!("{} pieces on {on:x}", pieces.count_ones()),
        SummaryBound::Happened(keys) => format!("happened {}", keys.len()),
        SummaryBound::Counted(_) => "counted".into(),
    }
}

#[test]
fn bounds_are_as_sharp_as_columns_can_tell() {
    for (text, bound) in [
        ("material:KRPvKR", "counted true"),
        ("Q=2..", "counted true"),
        ("not Q=0 or q", "counted true"),
        ("Kh4", "1 pieces on 80000000 true"),
        (
            "Ph4 Pg4",
            "(1 pieces on 80000000 and 1 pieces on 40000000 and counted) false",
        ),
        ("Kh4 stm:white", "(1 pieces on 80000000 and counted) false"),
        (
            "{ Kh4 or kh4 }",
            "(1 pieces on 80000000 or 1 pieces on 80000000) true",
        ),
        ("Ph4=0", "open false"),
        ("mate", "happened 1 true"),
        ("mate last:P", "happened 1 false"),
        ("check", "happened 30 true"),
        ("check stm:black", "happened 15 true"),
        (
            "check stm:black for 8 step 2",
            "(happened 15 and happened 8) false",
        ),
        ("check for 8", "(happened 15 or happened 15) false"),
        ("castles:O-O by:white", "happened 1 true"),
        ("castles:any", "happened 4 true"),
        // Of either side.
        (
            "castles:O-O then mate",
            "((happened 1 and happened 1) or (happened 1 and happened 1)) false",
        ),
        ("promotes:N", "happened 2 true"),
        ("ep", "happened 1 true"),
        ("ep by:white", "happened 1 false"),
        ("moved:N", "open false"),
        (
            "move:Nf3",
            "(1 pieces on 200000 or 1 pieces on 200000) false",
        ),
        ("move:Nf3 by:white", "1 pieces on 200000 false"),
        (
            "move:e8=N by:white",
            "(2 pieces on 1000000000000000 and happened 1) false",
        ),
        // A pawn on the last rank may have become anything, but a pawn.
        (
            "moved:P to:e8 by:white",
            "(happened 30 and 30 pieces on 1000000000000000) false",
        ),
        ("moved:P to:e7 by:white", "open false"),
        (
            "captured:N to:c3 moved:R by:black",
            "1 pieces on 40000 false",
        ),
        ("moved:K captured:Q", "happened 4 true"),
        ("moved:N captured:Q by:white", "happened 2 true"),
        ("moved:P captured:N", "open false"),
        ("Pc=2.. Pb/d=0", "happened 1 true"),
        ("Pc=3..", "happened 1 true"),
        ("Pc=2..", "(1 pieces on 404040404040404 and counted) false"),
        (
            "Pd4 Pc/e=0 pd=0",
            "(1 pieces on 8000000 and happened 1 and counted) false",
        ),
        ("Q=0 q=0 ply:..20", "happened 2 true"),
        ("Q=0 q=0 ply:..15", "(happened 2 and counted) false"),
        ("Q=0 q=0 ply:..70", "counted false"),
        (
            "Ke1 ply:40..",
            "(1 pieces on 10 and happened 2 and counted) false",
        ),
        ("moved:N next moved:N next moved:N", "happened 1 false"),
        ("moved:N for 3", "happened 1 false"),
        ("moved:N next moved:N then moved:N", "open false"),
        ("_e4", "open false"),
        ("ply:20", "open false"),
    ] {
        assert_eq!(of(text), bound, "{text}");
    }
}
