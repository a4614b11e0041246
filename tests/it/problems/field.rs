//! Pages of problems, boards in words and Forsyth notation in prose, as they are met.

use super::{base_of, base_of_text, filed};
use crate::support::root;

/// Forsyth's notation and stipulation of each problem of a file.
fn problems_of(name: &str) -> Vec<(String, String)> {
    let base = base_of(&[root().join("tests/data/field").join(name)]);
    let problems = filed(&base).into_iter().map(|own| own.problem);
    problems
        .map(|own| (own.diagram.forsyth(), own.stipulation))
        .collect()
}

fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(board, asked): &(&str, &str)| (board.to_owned(), asked.to_owned());
    wanted.iter().map(owned).collect()
}

const GREEK: &str = "R7/4k3/4S3/K2B4/8/8/8/5R2";

#[test]
fn a_board_of_one_square_a_line_is_one_problem() {
    assert_eq!(problems_of("greek_squares.txt"), pairs(&[(GREEK, "#3")]));
}

#[test]
fn diagrams_in_prose_are_problems_of_their_languages() {
    assert_eq!(
        problems_of("forsyth_prose.txt"),
        pairs(&[
            (GREEK, "#3"),
            (GREEK, ""),
            ("8/8/8/8/8/1K6/3Q4/k7", "#2"),
            ("8/8/8/8/8/5K2/R7/7k", ""),
        ])
    );
}

#[test]
fn a_page_is_one_problem_with_all_that_it_says() {
    let base = base_of(&[root().join("tests/data/field/problem_page.txt")]);
    let problem = filed(&base).remove(0).problem;
    assert_eq!(problem.authors, ["Comins Mansfield"]);
    assert_eq!(problem.number, "1");
    assert_eq!(problem.award, "1 HM");
    assert_eq!(problem.source, "L'Italia Scacchistica 1930");
    assert_eq!(problem.date, "1930.??.??");
    assert_eq!(problem.stipulation, "#2");
    let (solution, refused) = problem.play();
    assert_eq!(refused, [] as [String; 0]);
    let words = solution.nodes.iter().map(|node| &node.word[..]);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // The threat is the answer to a pass.
    assert_eq!(
        words,
        [
            "Qg4", "Qg2#", "Rxf3", "Nc6#", "Bxf3", "Nd3#", "Rb7+", "Nd7#"
        ]
    );
}

#[test]
fn the_parts_of_a_page_may_stand_apart() {
    let head = "The Pearl\nComins Mansfield\nL'Italia Scacchistica 1930\n1st Honourable Mention\n";
    let solution = "Solution:\n1.Qg4! (threat 2.Qg2) Rxf3 2.Sc6; 1...Bxf3 2.Sd3; 1...Rb7+ 2.Sd7.\n";
    for board in [
        "b3R3/B2Q2K1/8/4N3/5p2/1r3P2/1pBPk3/3R4",
        "White: Kg7, Qd7, Rd1, Re8, Ba7, Bc2, Se5, d2, f3\nBlack: Ke2, Rb3, Ba8, Pb2, Pf4",
        "Weiß: Kg7, Dd7, Td1, Te8, La7, Lc2, Se5, Bd2, Bf3\nSchwarz: Ke2, Tb3, La8, Bb2, Bf4",
    ] {
        let text = format!("{head}\n{board}\n\nMate in 2\n\n{solution}");
        let problems = filed(&base_of_text("page.txt", &text));
        assert_eq!(problems.len(), 1, "{text}");
        let problem = &problems[0].problem;
        assert_eq!(
            problem.diagram.forsyth(),
            "b3R3/B2Q2K1/8/4S3/5p2/1r3P2/1pBPk3/3R4"
        );
        assert_eq!(problem.title, "The Pearl");
        assert_eq!(problem.authors, ["Comins Mansfield"]);
        assert_eq!(problem.source, "L'Italia Scacchistica 1930");
        assert_eq!(problem.award, "1st Honourable Mention");
        assert_eq!(problem.date, "1930.??.??");
        assert_eq!(problem.stipulation, "#2");
        assert!(
            problem.solution.starts_with("1.Qg4!"),
            "{}",
            problem.solution
        );
    }
}

#[test]
fn text_behind_the_end_of_an_input_is_a_remark() {
    let text =
        "BeginProblem\nPieces White Kf6 Qa1 Black Kh8\nStipulation #2\nEndProblem\nA remark.\n";
    let problems = filed(&base_of_text("end.inp", text));
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].problem.comments, ["A remark."]);
}
