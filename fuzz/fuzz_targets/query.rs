//! Queries of any text: what is read has places in the text, is printed and read again, is made ready for the board of any
//! variant or refused there, and is asked of a game of any bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::{AnyPosition, variant::ALL};
use plydex::query::pattern::{self, BoardSpec, parser, scoutfish, matcher::{GameMatch, MatchMode}};

fuzz_target!(|input: (u8, &str, &[u8])| {
    let (number, text, plies) = input;
    let in_text = |span: &std::ops::Range<usize>| text.get(span.clone()).is_some();
    let _ = scoutfish::translate(text);
    let expr = match parser::parse(text) {
        Ok(expr) => expr,
        Err(misread) => return assert!(in_text(&misread.span)),
    };
    // What is read is printed so that it is read as the same.
    assert_eq!(parser::parse(&expr.to_string()).as_ref(), Ok(&expr));
    let variant = &ALL[usize::from(number) % ALL.len()];
    let Some(start) = AnyPosition::start(variant) else {
        return;
    };
    match pattern::compile(&expr, &BoardSpec::of(&start)) {
        Err(misread) => assert!(in_text(&misread.span)),
        Ok(asked) => {
            // Whether a query is fulfilled does not depend on how much is to be known.
            let [quick, whole] = [MatchMode::Decided, MatchMode::End].map(|until| {
                let mut seen = GameMatch::default();
                asked.is_fulfilled((&start, plies), &mut seen, until, &mut |_| true)
            });
            assert_eq!(quick, whole);
        }
    }
});
