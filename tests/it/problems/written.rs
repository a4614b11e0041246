//! Problems of other formats as plain lines: every record reads back as one record.

use super::*;

/// The problems of a text of a format, and what they are again after an export as lines.
fn as_lines(name: &str, text: &str) -> (Vec<Composition>, Vec<Composition>, String) {
    let base = base_of_text(name, text);
    let lines = collection(&base, CollectionFormat::Lines);
    let again = base_of_text("again.problems", &lines);
    (essences(&base), essences(&again), lines)
}

#[test]
fn white_who_begins_help_play_begins_it_again() {
    let input = "beginproblem\nstipulation h#2\noption WhiteToPlay\nforsyth 7k/8/5K2/8/8/8/8/6R1\n\
        next\nstipulation Helpmate in 2\noption WhiteToPlay\nforsyth 7k/8/5K2/8/8/8/8/6R1\n\
        next\nstipulation h#2.5\nforsyth 7k/8/5K2/8/8/8/8/6R1\n\
        next\nstipulation h#2\nforsyth 7k/8/5K2/8/8/8/8/6R1\nendproblem\n";
    let (before, after, lines) = as_lines("four.inp", input);
    let turns =
        |problems: &[Composition]| problems.iter().map(Composition::turn).collect::<Vec<_>>();
    assert_eq!(turns(&after), turns(&before), "{lines}");
    let marked: Vec<bool> = lines
        .lines()
        .map(|line| line.ends_with(" h#2 white"))
        .collect();
    assert_eq!(marked, [true, true, false, false], "{lines}");
    assert_eq!(after[0].stipulation, "h#2");
    assert_eq!(after[0].options, ["WhiteToPlay"]);
}

/// What is asked and how it is solved, word by word.
fn asked_and_solved(problems: &[Composition]) -> Vec<(String, String)> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let both = |problem: &Composition| (problem.stipulation.clone(), words(&problem.solution));
    problems.iter().map(both).collect()
}

#[test]
fn a_solution_comes_back_as_the_solution() {
    let mut yaml = String::new();
    for (asked, solution) in [
        ("h#2.5", "1...Rg1-g2 2.Kh8-h7 Rg2-g3 3.Kh7-h8 Rg3-h3 #"),
        ("h#2.5", "1... ...\\n2.Kh8-h7 Rg1-g2 3.Kh7-h8 Rg2-h2 #"),
        ("h#2", "a)\\n  1.Kh8-h7 Rg1-g2\\nb)\\n  1.Kh8-h7 Rg2-g3"),
        ("#2", "Key 1.Kf7! then mate"),
        ("#2", "1.Kf7! b) 7k/8/5K2/8/8/8/8/5R2 1.Kf7!"),
        ("#2", "no solution"),
        ("h#2 2.1.1.1", "either way 1.Kh8-h7"),
        ("", "Kf7 and mate"),
        ("#3", "1.Kf7!"),
    ] {
        let _ = write!(
            yaml,
            "---\nalgebraic: {{white: [Kf6, Rg1], black: [Kh8]}}\nauthors: [Ann Other]\n\
             stipulation: \"{asked}\"\nsolution: \"{solution}\"\n"
        );
    }
    let (before, after, lines) = as_lines("nine.yaml", &yaml);
    assert_eq!(before.len(), 9);
    assert_eq!(
        asked_and_solved(&after),
        asked_and_solved(&before),
        "{lines}"
    );
    // What an older version has written is read, too.
    let line = "7k/8/5K2/8/8/8/8/6R1 (2+1) h#2.5 1... ... 2.Kh8-h7 Rg1-g2 3.Kh7-h8 Rg2-h2 #";
    let problem = lines::read(line)[0].1.clone().expect("a problem");
    assert_eq!(problem.stipulation, "h#2.5");
    assert!(problem.solution.starts_with("1... ... 2.Kh8-h7"));
}

#[test]
fn a_diagram_that_cannot_be_read_is_a_record_of_its_own() {
    let input = "beginproblem\nauthor Ann Other\nstipulation #2\nforsyth 8/5p2/5P1R/3P1ks1/3Ppsp2/8/4p3/2K1Q3/\n\
        next\nauthor Ben Other\nstipulation #2\nforsyth 8/8/8/8/8/5K2/R7/7k\n\
        next\nstipulation #2\nforsyth ]\"8/\nendproblem\n";
    let (before, after, lines) = as_lines("two.inp", input);
    let boards = |problems: &[Composition]| {
        let board =
            |problem: &Composition| (problem.diagram.clone(), problem.unread_diagram.clone());
        problems.iter().map(board).collect::<Vec<_>>()
    };
    assert!(!before[0].unread_diagram.is_empty());
    assert_eq!(boards(&after), boards(&before), "{lines}");
    assert_eq!(
        asked_and_solved(&after),
        asked_and_solved(&before),
        "{lines}"
    );
    assert_eq!(after[0].authors, ["Ann Other"]);
    assert_eq!(after[1].authors, ["Ben Other"]);
    // A board with signs between its squares keeps its lines.
    let border = "+---a---b---c---d---e---f---g---h---+";
    let between = "|                                   |\n";
    let rank = |digit: u32| match digit {
        5 => "5   K | .   .   .   .   .   .  -K   5\n".to_owned(),
        _ => format!("{digit}   .   .   .   .   .   .   .   .   {digit}\n"),
    };
    let ranks: Vec<String> = (1..=8).rev().map(rank).collect();
    let board = format!(
        "{border}\n{between}{}{between}{border}\n",
        ranks.join(between)
    );
    let answer = format!(
        "Ann Other\n\n{board}  #1                          1 + 1\n\n   1.Ka5-a6 !\n\nsolution finished.\n\n"
    );
    let (before, after, lines) = as_lines("answers.txt", &answer.repeat(2));
    assert_eq!(before.len(), 2);
    assert!(before[0].unread_diagram.contains('\n'), "{before:?}");
    assert_eq!(boards(&after), boards(&before), "{lines}");
}

#[test]
fn the_year_comes_back() {
    let mut yaml = String::new();
    for source in [
        "{name: The Problemist, date: 1999-05-03, issue: 17, problemid: P123}",
        "{name: Review 1999, date: 1999-05}",
        "{name: Tourney 2001-2002, date: 2001}",
        "{name: Review, problemid: 1234}",
        "{date: 1999}",
        "{name: Review}",
    ] {
        for authors in ["[Ann Other]", "[]"] {
            let _ = write!(
                yaml,
                "---\nalgebraic: {{white: [Kf6, Rg1], black: [Kh8]}}\nauthors: {authors}\n\
                 stipulation: '#2'\nsource: {source}\n"
            );
        }
    }
    let (before, after, lines) = as_lines("twelve.yaml", &yaml);
    let years = |problems: &[Composition]| {
        let year = |problem: &Composition| {
            let year = problem.date.get(..4).unwrap_or_default();
            (problem.authors.clone(), year.to_owned())
        };
        problems.iter().map(year).collect::<Vec<_>>()
    };
    assert_eq!(before.len(), 12);
    assert_eq!(years(&after), years(&before), "{lines}");
    assert_eq!(after[0].source, "The Problemist, 17, P123, 1999");
    assert_eq!(after[1].source, after[0].source);
    assert_eq!(after[2].source, "Review 1999");
    assert_eq!(after[4].source, "Tourney 2001-2002, 2001");
    assert_eq!(after[6].source, "Review");
}
