//! Diagrams in any language: every board that is found is written and found again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::notation::forsyth;

fuzz_target!(|text: &str| {
    let Ok(found) = forsyth::read(text) else {
        return;
    };
    assert!(!found.candidates.is_empty());
    for candidate in &found.candidates {
        for language in &candidate.languages {
            let written = forsyth::write(&candidate.board, language);
            assert!(written.chars().count() <= 7 + 2 * 64, "{written}");
            let again = forsyth::read_in(&written, language).expect("what is written is read");
            assert_eq!(again.board(), &candidate.board, "{written}");
            let guessed = forsyth::read(&written).expect("its language is one of those known");
            let boards = guessed.candidates.iter().map(|candidate| &candidate.board);
            assert!(boards.into_iter().any(|board| *board == candidate.board), "{written}");
        }
    }
});
