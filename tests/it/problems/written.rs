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
