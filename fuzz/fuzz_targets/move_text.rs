//! Words of movetext in positions of play: what they resolve to is legal, and what is
//! written of it, in any language, resolves to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::{chess::notation::{lenient_move, san}, notation::letters::LANGUAGES};
use shakmaty::{Chess, Position as _};

fuzz_target!(|input: (u8, Vec<u8>, &str)| {
    let (number, choices, word) = input;
    let mut position = Chess::default();
    for choice in choices.iter().take(60) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position.play_unchecked(legal[usize::from(*choice) % legal.len()]);
    }
    let language = &LANGUAGES[usize::from(number) % LANGUAGES.len()];
    for language in [None, Some(language)] {
        let Ok(resolved) = lenient_move::resolve_in(&position, word, language) else {
            continue;
        };
        assert!(resolved.moves.len() <= word.len());
        let mut at = position.clone();
        for ply in resolved.moves {
            let Some(m) = ply else {
                at = lenient_move::pass(&at).expect("nobody passes in check");
                continue;
            };
            assert!(at.is_legal(m), "{word}: {m:?}");
            if let Some(language) = language {
                let text = language.of_english(&san::write(&at, &m));
                let again = lenient_move::resolve_strictly_in(&at, &text, language);
                assert_eq!(again, Ok(Some(m)), "{text}");
            }
            at.play_unchecked(m);
        }
    }
});
