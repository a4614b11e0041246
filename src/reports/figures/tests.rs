use super::*;

fn record(won: u64, drawn: u64, lost: u64) -> ScoreRecord {
    ScoreRecord {
        games: won + drawn + lost,
        won,
        drawn,
        lost,
        ..ScoreRecord::default()
    }
}

/// How often the interval has the true score in it, and how wide it is on average: over all
/// results of that many games, each with its probability.
fn coverage(games: u64, [win, draw]: [f64; 2]) -> (f64, f64) {
    let factorial = |n: u64| (1..=n).map(|n| (n as f64).ln()).sum::<f64>();
    let logs: Vec<f64> = (0..=games).map(factorial).collect();
    let truth = win + draw / 2.0;
    let (mut covered, mut width) = (0.0, 0.0);
    for won in 0..=games {
        for drawn in 0..=games - won {
            let lost = games - won - drawn;
            let ways = logs[games as usize]
                - logs[won as usize]
                - logs[drawn as usize]
                - logs[lost as usize];
            let chances = [(won, win), (drawn, draw), (lost, 1.0 - win - draw)];
            let log: f64 = chances
                .map(|(count, chance)| count as f64 * chance.ln())
                .iter()
                .sum();
            let probability = (ways + log).exp();
            let (low, high) = record(won, drawn, lost).interval().expect("games");
            if (low - 1e-12..=high + 1e-12).contains(&truth) {
                covered += probability;
            }
            width += probability * (high - low);
        }
    }
    (covered, width)
}

#[test]
fn the_interval_covers_the_true_score() {
    // Results of every kind: of equals, of masters, against the weak, and hardly a loss or a win.
    for mix in [
        [0.30, 0.50],
        [0.45, 0.35],
        [0.80, 0.15],
        [0.95, 0.045],
        [0.10, 0.80],
    ] {
        for games in [6, 10, 20, 50, 200] {
            let (covered, width) = coverage(games, mix);
            assert!(
                (0.91..=1.0).contains(&covered),
                "{mix:?} {games}: {covered}"
            );
            // About as wide as the normal interval of the true spread, but for few games.
            let mean = mix[0] + mix[1] / 2.0;
            let variance = mix[0] + mix[1] / 4.0 - mean * mean;
            let normal = 2.0 * Z * (variance / games as f64).sqrt();
            if games >= 50 {
                assert!(
                    (0.9..1.35).contains(&(width / normal)),
                    "{mix:?} {games}: {width} {normal}"
                );
            }
        }
    }
}

#[test]
fn the_interval_is_between_0_and_1_and_mirrors_with_the_sides() {
    for (won, drawn, lost) in [
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 7),
        (13, 0, 0),
        (2, 5, 1),
        (0, 40, 0),
    ] {
        let (low, high) = record(won, drawn, lost).interval().expect("games");
        let score = record(won, drawn, lost).score().expect("games");
        assert!(0.0 <= low && low <= score && score <= high && high <= 1.0);
        let (mirrored_low, mirrored_high) = record(lost, drawn, won).interval().expect("games");
        assert!((1.0 - high - mirrored_low).abs() < 1e-9);
        assert!((1.0 - low - mirrored_high).abs() < 1e-9);
    }
    assert_eq!(ScoreRecord::default().interval(), None);
}

fn view(half_points: u8, rating: u16, opponent: u16) -> SideResult {
    SideResult {
        half_points: Some(half_points),
        has_white: true,
        rating: Some(rating).filter(|&rating| rating > 0),
        opponent_rating: Some(opponent).filter(|&rating| rating > 0),
    }
}

#[test]
fn a_mean_rating_of_a_half_is_rounded_up_before_the_difference_is_added() {
    let mut record = ScoreRecord::default();
    for rating in [2642, 2643] {
        record.add(&view(1, 0, rating), None);
    }
    assert_eq!(record.performance(), Some(2643));
    // Three wins and a loss are 75 %: 193 points.
    let mut record = ScoreRecord::default();
    for (half_points, rating) in [(2, 2600), (2, 2600), (2, 2601), (0, 2601)] {
        record.add(&view(half_points, 0, rating), None);
    }
    assert_eq!(record.performance(), Some(2601 + 193));
}

/// Performances that FIDE's server of tie-breaks (gacrux 1.11) gives.
#[test]
fn the_perfect_performance_is_that_of_the_server_of_fide() {
    for (games, expected) in [
        (&[(2, 2400), (1, 2500), (0, 2600)][..], 2499),
        (
            &[(2, 1900), (2, 2000), (2, 2700), (1, 2750), (0, 2800)],
            2747,
        ),
        (&[(0, 2400), (0, 2500)], 1600),
        (&[(2, 2400), (2, 2500)], 3236),
        (&[(2, 1500), (1, 2850), (2, 2100)], 2847),
    ] {
        let mut record = ScoreRecord::default();
        for &(half_points, rating) in games {
            record.add(&view(half_points, 0, rating), None);
        }
        assert_eq!(record.perfect_performance(), Some(expected), "{games:?}");
    }
}

#[test]
fn few_games_have_no_figures_and_say_why() {
    let expectation = ExpectedScores::default();
    let mut record = ScoreRecord::default();
    let mut all = ScoreRecord::default();
    for nth in 1..=40 {
        let game = view(nth % 3, 2500, if nth == 7 { 0 } else { 2520 });
        record.add(&game, Some(&expectation));
        all.merge(&{
            let mut one = ScoreRecord::default();
            one.add(&game, Some(&expectation));
            one
        });
        let figures = record.figures();
        assert_eq!(figures.games, u64::from(nth));
        assert_eq!(figures.score.is_some(), nth >= 6, "{nth}");
        assert_eq!(figures.performance.is_some(), nth >= 6, "{nth}");
        assert_eq!(figures.diff.is_some(), nth >= 21, "{nth}");
        assert_eq!(figures.why.is_none(), nth >= 21, "{nth}");
        assert_eq!(figures.perfect_performance.is_some(), nth > 31, "{nth}");
    }
    record.add(
        &SideResult {
            half_points: None,
            ..view(0, 2500, 2500)
        },
        Some(&expectation),
    );
    assert_eq!(record.figures().no_result, 1);
    assert_eq!(record.decided(), 40);
    // Sums in parts are sums in a row, but for the order of additions.
    let (one, other) = (all.figures(), record.figures());
    assert_eq!(
        (one.won, one.drawn, one.lost),
        (other.won, other.drawn, other.lost)
    );
    assert_eq!(one.performance, other.performance);
    let near = |one: Option<f64>, other: Option<f64>| (one.unwrap() - other.unwrap()).abs() < 1e-9;
    assert!(near(one.diff, other.diff) && near(one.diff_2se, other.diff_2se));
    assert!(near(one.expected, other.expected));
}

#[test]
fn wins_without_exception_do_not_prove_anything_by_themselves() {
    let mut residuals = Residuals::default();
    for _ in 0..13 {
        residuals.add(0.1);
    }
    let mean = residuals.mean().expect("games");
    assert!((mean.error - 0.30 / 13_f64.sqrt()).abs() < 1e-12);
    let difference = residuals.minus(&residuals).expect("games");
    assert!(difference.value.abs() < 1e-12);
    assert!((difference.probability() - 1.0).abs() < 1e-6);
    let far = Difference {
        value: 1.96,
        error: 1.0,
    };
    assert!((far.probability() - 0.05).abs() < 1e-4);
}

#[test]
fn expected_scores_are_those_of_the_table() {
    for (difference, percent) in [
        (0, 50),
        (3, 50),
        (4, 51),
        (-4, 49),
        (25, 53),
        (26, 54),
        (191, 75),
        (-191, 25),
        (735, 99),
        (736, 100),
        (-736, 0),
        (2000, 100),
    ] {
        assert_eq!(expected_percent(difference), percent, "{difference}");
    }
}
