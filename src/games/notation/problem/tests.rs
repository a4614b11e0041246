use proptest::prelude::*;

use super::*;
use crate::games::notation::letters::{ENGLISH, LANGUAGES, Language};

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split('\t').collect())
}

/// The name of a variant, as the vectors have it without dashes.
fn word(variant: impl std::fmt::Debug) -> String {
    format!("{variant:?}").to_lowercase()
}

#[test]
fn every_stipulation_of_the_vectors() {
    let mut seen = 0;
    for row in rows(include_str!("../../../../tests/vectors/stipulations.tsv")) {
        let asked = stipulation_of(row[0]).unwrap_or_else(|| panic!("{}", row[0]));
        assert_eq!(
            word(asked.play).trim_end_matches("play"),
            row[1].replace('-', "")
        );
        let (goal, square) = row[2].split_once(' ').unwrap_or((row[2], ""));
        let goal = goal.trim_end_matches('?').replace('-', "");
        match asked.goal {
            Goal::Aim(aim) => assert_eq!(word(aim), goal, "{}", row[0]),
            other => assert!(word(other).starts_with(&goal), "{}", row[0]),
        }
        if let Goal::TargetSquare(at) = asked.goal {
            assert!(square.is_empty() || square == at.to_string(), "{}", row[0]);
            assert!(row[0].contains(&at.to_string()));
        }
        let (moves, remark) = row[3].split_once([' ', ',']).unwrap_or((row[3], ""));
        assert_eq!(asked.moves().unwrap_or_default(), moves, "{}", row[0]);
        assert_eq!(asked.set_play, remark.contains("set play"), "{}", row[0]);
        let solutions = remark.trim().strip_prefix("solutions ").unwrap_or_default();
        assert!(
            asked
                .solutions
                .as_deref()
                .unwrap_or_default()
                .starts_with(solutions)
                && asked.solutions.is_some() != solutions.is_empty(),
            "{}",
            row[0]
        );
        // What is written means the same.
        let written = asked.to_string();
        let again = stipulation_of(&written).expect(&written);
        assert_eq!(again, asked, "{written}");
        seen += 1;
    }
    assert_eq!(seen, 43);
}

#[test]
fn every_line_of_the_vectors() {
    let mut seen = 0;
    for row in rows(include_str!("../../../../tests/vectors/problem_lines.tsv")) {
        seen += 1;
        let result = read(row[0]);
        if let Some(error) = row[5].strip_prefix("err: ") {
            let Err(ProblemError::Diagram(refused)) = result else {
                panic!("{}", row[0]);
            };
            let word = match error.split(' ').next() {
                Some("pawn") => "pawn-backrank",
                word => word.unwrap_or_default(),
            };
            assert_eq!(refused.word(), word, "{}", row[0]);
            continue;
        }
        let problem = result.expect(row[0]);
        assert_eq!(forsyth::write(problem.diagram.board(), ENGLISH), row[1]);
        let (white, black) = problem.pieces();
        assert_eq!(format!("{white}+{black}"), row[2], "{}", row[0]);
        let asked = problem.stipulation.as_ref().map(ToString::to_string);
        assert_eq!(asked.unwrap_or_default(), row[3], "{}", row[0]);
        assert_eq!(problem.diagram.language().code, row[4], "{}", row[0]);
        let mismatch = row[5].starts_with("warn:count-mismatch");
        assert_eq!(problem.warnings.contains(&Code::CountMismatch), mismatch);
        assert_eq!(problem.warnings.len(), usize::from(mismatch), "{}", row[0]);
    }
    assert_eq!(seen, 10);
}

#[test]
fn authors_sources_and_solutions() {
    let line = "S. Loyd, New York Albion 1857: (T7/4k3/4P3/K2L4/8/8/8/5T2) 5+1 Mat in 3 zetten 1.Pd4! Kd7 2.Pb5";
    let problem = read(line).expect("readable");
    assert_eq!(problem.author.as_deref(), Some("S. Loyd"));
    assert_eq!(problem.source.as_deref(), Some("New York Albion 1857"));
    assert_eq!(problem.count, Some((5, 1)));
    assert_eq!(problem.solution.as_deref(), Some("1.Pd4! Kd7 2.Pb5"));
    // The words are Dutch, so the P is a knight.
    assert_eq!(problem.diagram.language().code, "nl");
    assert_eq!(
        problem.write(ENGLISH),
        "S. Loyd, New York Albion 1857, R7/4k3/4N3/K2B4/8/8/8/5R2 (5+1) #3 1.Pd4! Kd7 2.Pb5"
    );
    // Without words, the solution shows it.
    let problem = read("T7/4k3/4P3/K2L4/8/8/8/5T2 #3 1.Pd4").expect("readable");
    assert_eq!(problem.diagram.language().code, "nl");
    let above = read("Weiß am Zug, Matt in 3 Zügen: T7/4k3/4S3/K2L4/8/8/8/5T2").expect("readable");
    assert_eq!(above.stipulation.expect("told").to_string(), "#3");
    let odd = read("T7/4k3/4S3/K2L4/8/8/8/5T2 Circe").expect("readable");
    assert_eq!(odd.unread.as_deref(), Some("Circe"));
    assert_eq!(odd.warnings, [Code::StipulationUnknown]);
    assert!(matches!(
        read("no diagram"),
        Err(ProblemError::NoDiagram { .. })
    ));
}

/// A word cut in two is no diagram: a line has one.
#[test]
fn a_part_of_a_word_above_the_diagram_is_none() {
    let line = "T7/4k3/4S3/K2L4/8/8/8/5T2L;/8/8 T7/4k3/4S3/K2L4/8/8/8/5T2 #3";
    let problem = read(line).expect("readable");
    let german = Language::by_code("de").expect("a language");
    let again = read(&problem.write(german)).expect("what is written is read");
    assert_eq!(again.diagram.board(), problem.diagram.board());
}

/// Pieces whose letters are words, in two corners, are not the parentheses of a diagram.
#[test]
fn men_in_parentheses_stand_in_corners() {
    let board = "(S)7/8/8/8/8/8/2(l)1(k)3/(L)6(K)";
    for line in [format!("{board} #4"), format!("({board}) #4")] {
        let found = diagram_in(&line).map(|(_, diagram, _)| diagram.trim_matches(['(', ')']));
        assert_eq!(found, Some(board.trim_matches(['(', ')'])), "{line}");
    }
}

/// `00` is an aim: what looked like a number before it was read as one.
#[test]
fn castling_is_no_number() {
    for text in ["3 00 00", "00 3 00", "h003"] {
        let told = stipulation_of(text).expect(text);
        assert_eq!(told.half_moves, Some(6), "{text}");
        let again = stipulation_of(&told.to_string()).expect(text);
        assert_eq!(again, told);
    }
    for text in ["000 00", "0#", "#0", "000"] {
        assert_eq!(stipulation_of(text), None, "{text}");
    }
    assert_eq!(
        stipulation_of("h#0.5").and_then(|told| told.half_moves),
        Some(1)
    );
}

/// Words say that Black begins, and signs did not.
#[test]
fn who_begins_is_not_lost_in_signs() {
    for row in rows(include_str!("../../../../tests/vectors/stipulations.tsv")) {
        if let Some(told) = stipulation_of(row[0]) {
            assert_eq!(stipulation_of(&told.to_string()), Some(told), "{}", row[0]);
        }
    }
    for (asked, first) in [
        ("Black to move, mate in 3", Color::Black),
        ("#3 black 1.Kd7", Color::Black),
        ("h#2 white 1.Kd7", Color::White),
    ] {
        let text = format!("R7/4k3/4N3/K2B4/8/8/8/5R2 {asked}");
        let problem = read(&text).expect("readable");
        assert_eq!(problem.turn(), Some(first), "{asked}");
        let again = read(&problem.write(ENGLISH)).expect("what is written is read");
        assert_eq!(again.stipulation, problem.stipulation);
    }
}

/// A sign whose number came after a solution was once read as one with that many solutions.
#[test]
fn a_solution_is_no_number_of_solutions() {
    let line = "T7/4k3/4S3/K2L4/8/8/8/7T 2##1.\u{41a}T 2#3";
    let problem = read(line).expect("readable");
    for language in LANGUAGES {
        let again = read(&problem.write(language)).expect("what is written is read");
        assert_eq!(again.stipulation, problem.stipulation);
    }
}

#[test]
fn who_begins() {
    for (text, first) in [
        ("#2", Color::White),
        ("h#2", Color::Black),
        ("h#2.5", Color::White),
        ("ser-h#5", Color::Black),
        ("hs#3", Color::White),
        ("Black to play and win", Color::Black),
        ("White to play and draw", Color::White),
    ] {
        let asked = stipulation_of(text).expect(text);
        assert_eq!(asked.first(), first, "{text}");
    }
    for text in ["", "Nf3", "e4", "Circe", "#", "h#", "x", "3"] {
        assert!(stipulation_of(text).is_none(), "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        choices in prop::collection::vec(any::<u16>(), 0..80),
        language in 0..LANGUAGES.len(),
        half_moves in 2_u16..40,
    ) {
        let position = crate::games::notation::forsyth::tests::played(&choices);
        let board = crate::games::chess::basics::Position::board(&position);
        let language = &LANGUAGES[language];
        let text = forsyth::write(board, language);
        let Ok(diagram) = forsyth::read_in(&text, language) else {
            return Err(TestCaseError::fail(text));
        };
        let problem = Problem {
            author: Some("A. Author".to_owned()),
            source: Some("Source 1900".to_owned()),
            diagram,
            count: None,
            stipulation: Some(Stipulation::new(Play::Help, Goal::Aim(stipulation::Aim::Mate), Some(half_moves))),
            unread: None,
            solution: None,
            warnings: Vec::new(),
        };
        let back = read(&problem.write(language)).expect("readable");
        prop_assert!(back.diagram.candidates.iter().any(|c| &c.board == board));
        prop_assert_eq!(&back.stipulation, &problem.stipulation);
        prop_assert_eq!(&back.author, &problem.author);
        prop_assert_eq!(&back.source, &problem.source);
        if !back.diagram.is_ambiguous() {
            prop_assert_eq!(back.count, Some(problem.pieces()));
        }
    }

    #[test]
    fn no_line_is_too_strange(text in "\\PC{0,80}") {
        let _ = read(&text);
    }
}
