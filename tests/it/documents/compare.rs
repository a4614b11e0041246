//! Outputs as documents show them against what was printed.

/// Stands for any number of lines.
const LEFT_OUT: &str = "…";

/// A line without what differs from run to run: seconds, and the rates behind them.
fn steady(line: &str) -> &str {
    let line = line.trim_end();
    let seconds = line.match_indices(" in ").find(|(at, _)| {
        let number = line[at + 4..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        number.len() < line[at + 4..].len() && number.starts_with(" s")
    });
    seconds.map_or(line, |(at, _)| &line[..at])
}

fn is_left_out(line: &str) -> bool {
    line.trim() == LEFT_OUT
}

/// Whether lines were printed as they are shown.
pub(super) fn agree(shown: &[String], printed: &[String]) -> bool {
    shown == mended(shown, printed)
}

/// What a line costs that is there on one side only.
const ALONE: usize = 1000;

/// How unlike two lines are: 0 the same, half as much again as [`ALONE`] nothing in common.
fn distance(shown: &str, printed: &str) -> usize {
    let (shown, printed) = (steady(shown), steady(printed));
    if shown == printed {
        return 0;
    }
    let mut words: Vec<&str> = printed.split_whitespace().collect();
    let all = words.len() + shown.split_whitespace().count();
    let mut common = 0;
    for word in shown.split_whitespace() {
        if let Some(at) = words.iter().position(|other| *other == word) {
            words.swap_remove(at);
            common += 2;
        }
    }
    // A little more than nothing, so that a line that is the same is preferred.
    1 + 3 * ALONE / 2 * (all - common) / all.max(1)
}

/// What is shown, brought up to what was printed: lines that are left out stay so as far as
/// there is something to leave out.
pub(super) fn mended(shown: &[String], printed: &[String]) -> Vec<String> {
    let (m, n) = (shown.len(), printed.len());
    // cost[i][j]: of the shown lines from i on against the printed ones from j on.
    let mut cost = vec![vec![0; n + 1]; m + 1];
    for i in (0..=m).rev() {
        for j in (0..=n).rev() {
            cost[i][j] = match (i < m, j < n) {
                (false, _) => (n - j) * ALONE,
                (true, false) if is_left_out(&shown[i]) => cost[i + 1][j],
                (true, false) => cost[i + 1][j] + ALONE,
                (true, true) if is_left_out(&shown[i]) => cost[i + 1][j].min(cost[i][j + 1]),
                (true, true) => (cost[i + 1][j + 1] + distance(&shown[i], &printed[j]))
                    .min(cost[i + 1][j] + ALONE)
                    .min(cost[i][j + 1] + ALONE),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < m || j < n {
        if i < m && is_left_out(&shown[i]) {
            let from = j;
            while j < n && cost[i][j + 1] < cost[i + 1][j] {
                j += 1;
            }
            if j > from {
                lines.push(shown[i].clone());
            }
            i += 1;
        } else if i < m
            && j < n
            && cost[i][j] == cost[i + 1][j + 1] + distance(&shown[i], &printed[j])
        {
            let same = steady(&shown[i]) == steady(&printed[j]);
            let line = if same {
                shown[i].as_str()
            } else {
                printed[j].trim_end()
            };
            lines.push(line.to_owned());
            (i, j) = (i + 1, j + 1);
        } else if j < n && cost[i][j] == cost[i][j + 1] + ALONE {
            lines.push(printed[j].trim_end().to_owned());
            j += 1;
        } else {
            i += 1;
        }
    }
    lines
}

#[test]
fn outputs_are_compared_and_mended() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let printed = lines("a 1\nb\nread in 2.5 s\nc 3 x y\nd");
    for shown in [
        "a 1\nb\nread in 0.1 s\nc 3 x y\nd",
        "…\nc 3 x y\nd",
        "a 1\n…\nd",
        "a 1\n…",
        "…",
    ] {
        assert!(agree(&lines(shown), &printed), "{shown}");
    }
    for (shown, mended_to) in [
        (
            "a 1\nb\nread in 0.1 s\nc 3 z y\nd",
            "a 1\nb\nread in 0.1 s\nc 3 x y\nd",
        ),
        ("a 0\n…\nc 2 x y\nd", "a 1\n…\nc 3 x y\nd"),
        ("a 1\nd", "a 1\nb\nread in 2.5 s\nc 3 x y\nd"),
        ("…\na 1\nb\n…", "a 1\nb\n…"),
        ("a 1\n…\nc 3 x y\nd\ne", "a 1\n…\nc 3 x y\nd"),
        ("", "a 1\nb\nread in 2.5 s\nc 3 x y\nd"),
    ] {
        assert!(!agree(&lines(shown), &printed), "{shown}");
        assert_eq!(mended(&lines(shown), &printed), lines(mended_to), "{shown}");
    }
}
