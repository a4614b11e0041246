//! Tests of whether a difference is more than chance.

/// Tables whose probability is greater than that of the observed one only by rounding count as
/// equally probable.
const ROUNDING: f64 = 1.0 + 1e-7;

/// Fisher's exact test of two proportions: how probable it is that chance alone makes two of them
/// differ as much as `taken` of `chances` in one group and in the other, in either direction.
///
/// Returns the two-sided probability from 0 to 1: 1 if a group has no chances. A number of those
/// who took the chance above that of the chances counts as all of them.
pub fn fisher_exact([one, other]: [(u64, u64); 2]) -> f64 {
    let (one_chances, other_chances) = (one.1, other.1);
    let one_taken = one.0.min(one_chances);
    let taken = one_taken + other.0.min(other_chances);
    let all = one_chances + other_chances;
    // With all margins given, the table is known by how often the first group took the chance.
    let (least, most) = (taken.saturating_sub(other_chances), taken.min(one_chances));
    // From the most probable table outwards, each by its ratio to the one before: what is too
    // improbable for a number becomes zero, and nothing overflows.
    let mode = ((taken + 1) as f64 * (one_chances + 1) as f64 / (all + 2) as f64) as u64;
    let mode = mode.clamp(least, most);
    let step_up = |at: u64| {
        (taken - at) as f64 * (one_chances - at) as f64
            / ((at + 1) as f64 * (other_chances + at + 1 - taken) as f64)
    };
    let mut weights = vec![0.0; (most - least + 1) as usize];
    weights[(mode - least) as usize] = 1.0;
    for at in mode..most {
        weights[(at + 1 - least) as usize] = weights[(at - least) as usize] * step_up(at);
    }
    for at in (least..mode).rev() {
        weights[(at - least) as usize] = weights[(at + 1 - least) as usize] / step_up(at);
    }
    let observed = weights[(one_taken - least) as usize] * ROUNDING;
    let total: f64 = weights.iter().sum();
    let as_improbable = weights.iter().filter(|&&weight| weight <= observed);
    (as_improbable.sum::<f64>() / total).min(1.0)
}

/// Which of several tests stand out, if a share of at most `rate` of those that do may be false
/// (Benjamini and Hochberg). The result has the order of the probabilities given.
pub fn discoveries(probabilities: &[f64], rate: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&one, &other| probabilities[one].total_cmp(&probabilities[other]));
    let tests = probabilities.len() as f64;
    let passes =
        |(rank, &at): (usize, &usize)| probabilities[at] <= rate * (rank + 1) as f64 / tests;
    let last = order.iter().enumerate().rposition(passes);
    let passed = last.map_or(0, |rank| rank + 1);
    let mut found = vec![false; probabilities.len()];
    for &at in &order[..passed] {
        found[at] = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by binomial coefficients.
    fn naive([(one, one_all), (other, other_all)]: [(u64, u64); 2]) -> f64 {
        let choose = |all: u64, some: u64| -> f64 {
            (0..some)
                .map(|at| (all - at) as f64 / (at + 1) as f64)
                .product()
        };
        let weight = |at: u64| {
            let rest = (one + other)
                .checked_sub(at)
                .filter(|&rest| rest <= other_all);
            rest.map_or(0.0, |rest| choose(one_all, at) * choose(other_all, rest))
        };
        let all: Vec<f64> = (0..=one_all).map(weight).collect();
        let least = weight(one) * (1.0 + 1e-9);
        all.iter().filter(|&&other| other <= least).sum::<f64>() / all.iter().sum::<f64>()
    }

    #[test]
    fn fisher_has_the_values_of_the_textbooks() {
        // The lady tasting tea, and tables that were computed with fractions of whole numbers.
        for (table, expected) in [
            ([(3, 4), (1, 4)], 0.485_714_285_714),
            ([(8, 10), (1, 6)], 0.034_965_034_965),
            ([(0, 41), (1, 2)], 0.046_511_627_907),
            ([(7, 85), (7, 1806)], 7.712_582_183e-7),
            ([(7, 73), (37, 1723)], 0.001_571_676_211),
            ([(0, 0), (5, 9)], 1.0),
            ([(5, 5), (9, 9)], 1.0),
        ] {
            let found = fisher_exact(table);
            assert!(
                (found - expected).abs() < 1e-5 * expected + 1e-9,
                "{table:?}: {found}"
            );
        }
    }

    #[test]
    fn fisher_agrees_with_binomial_coefficients() {
        for one_all in 0..8 {
            for other_all in 0..9 {
                for one in 0..=one_all {
                    for other in 0..=other_all {
                        let table = [(one, one_all), (other, other_all)];
                        let (found, expected) = (fisher_exact(table), naive(table));
                        assert!(
                            (found - expected).abs() < 1e-9,
                            "{table:?}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn fisher_takes_large_tables() {
        let even = fisher_exact([(500_000, 1_000_000), (500_000, 1_000_000)]);
        assert!((even - 1.0).abs() < 1e-9, "{even}");
        let apart = fisher_exact([(400_000, 1_000_000), (600_000, 1_000_000)]);
        assert!((0.0..1e-300).contains(&apart), "{apart}");
    }

    #[test]
    fn discoveries_are_those_of_the_example_of_benjamini_and_hochberg() {
        // Their fifteen tests of 1995: at 5 % four stand out, by Bonferroni it would be three.
        let tests = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let found = discoveries(&tests, 0.05);
        assert_eq!(found.iter().filter(|&&found| found).count(), 4);
        assert_eq!(found[..5], [true, true, true, true, false]);
        // A later one that passes takes those before it along, in any order.
        assert_eq!(discoveries(&[0.09, 0.08, 0.5], 0.15), [true, true, false]);
        assert_eq!(discoveries(&[], 0.1), Vec::<bool>::new());
    }
}
