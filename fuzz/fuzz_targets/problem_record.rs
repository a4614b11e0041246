//! Any bytes as a collection of problems, and as the record of one: what is filed is read
//! again as it was, as PGN as well, and texts of records make up the stream.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::{formats::{ChunkText, FORMATS}, problems::{CollectionFormat, CollectionWriter, Composition, StoredProblem, pgn, solution}};

fuzz_target!(|bytes: &[u8]| {
    if let Some(filed) = StoredProblem::read(bytes) {
        assert_eq!(StoredProblem::read(&filed.write()), Some(filed));
    }
    let source = ChunkText {
        bytes,
        fallback: plydex::input::encoding::Charset::WINDOWS_1252,
    };
    for format in FORMATS {
        let mut before = 0;
        for placed in format.problems(&source).into_iter().flatten() {
            assert!(before <= placed.at && placed.at <= bytes.len(), "{}", format.name);
            before = placed.at;
            let Ok(filed) = placed.problem else {
                continue;
            };
            let bare = StoredProblem {
                problem: Composition {
                    findings: Vec::new(),
                    ..filed.problem.clone()
                },
                source: filed.source.clone(),
            };
            assert_eq!(StoredProblem::read(&filed.write()), Some(bare.clone()));
            let (tree, _) = filed.problem.play();
            let black_begins = filed.problem.turn().is_black();
            let played = solution::to_movetext(&tree, &filed.problem.comments, black_begins);
            for item in &played.raw.items {
                let _ = played.raw.text(played.text.as_bytes(), item);
            }
            let tags = pgn::tags(&filed.problem, &[]);
            assert!(pgn::is_problem(&tags), "{tags:?}");
            for format in [CollectionFormat::Lines, CollectionFormat::Popeye, CollectionFormat::Olive] {
                let mut writer = CollectionWriter::new(format);
                let mut text = String::new();
                writer.problem(&filed, &mut text);
                writer.problem(&bare, &mut text);
                writer.finish(&mut text);
            }
        }
    }
});
