//! Lines of problems: diagram, numbers of men and stipulation read back the same in
//! every language.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::notation::{letters::LANGUAGES, problem};

fuzz_target!(|input: (u8, &str)| {
    let (number, line) = input;
    let Ok(read) = problem::read(line) else {
        return;
    };
    let language = &LANGUAGES[usize::from(number) % LANGUAGES.len()];
    let written = read.write(language);
    assert!(written.len() <= 400 + 4 * line.len(), "{written}");
    let again = problem::read(&written).expect("what is written is read");
    let boards = again.diagram.candidates.iter().map(|candidate| &candidate.board);
    assert!(boards.into_iter().any(|board| board == read.diagram.board()), "{written}");
    assert_eq!(read.stipulation, again.stipulation, "{written}");
});
