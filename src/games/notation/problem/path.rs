//! What has the slashes of a diagram and may be something else.

use super::{WIDTHS, ranks_of, squares_of};
use crate::games::notation::forsyth::{self, ForsythError};

/// Whether a diagram of [`diagram_in`](super::diagram_in) may as well be a path of a file, a date or another text
/// with slashes: it has no piece; some rank is counted wrong, and it is empty, the letters are
/// those of no language, or one side alone has pieces; or a rank full of letters has some that
/// are none of a piece, and no king stands anywhere for either side.
pub fn may_be_path(diagram: &str) -> bool {
    let has = |is_case: fn(char) -> bool| diagram.contains(is_case);
    if !has(char::is_alphabetic) {
        return true;
    }
    if !diagram.contains('/') {
        return false;
    }
    let Err(error) = forsyth::read(diagram) else {
        return false;
    };
    let ranks = || ranks_of(diagram);
    let has_width = |rank: &&str, width: &u32| {
        [false, true]
            .map(|how| squares_of(rank, how))
            .contains(width)
    };
    let right = |width: &u32| ranks().filter(|rank| has_width(rank, width)).count();
    // Of as many the first one: chess has eight files.
    let better = |best: u32, width: u32| {
        if right(&width) > right(&best) {
            width
        } else {
            best
        }
    };
    let width = WIDTHS.into_iter().reduce(better).unwrap_or(WIDTHS[0]);
    let is_foreign = matches!(error, ForsythError::BadChar { .. });
    let is_one_sided = has(char::is_lowercase) != has(char::is_uppercase);
    let is_word = |rank: &str| rank.len() > 1 && rank.chars().all(char::is_alphabetic);
    let has_kings = diagram.contains('k') && diagram.contains('K');
    if ranks().any(|rank| !has_width(&rank, &width)) {
        let is_open = diagram.starts_with('/') || diagram.ends_with('/');
        return is_foreign || is_one_sided || is_open;
    }
    is_foreign && !has_kings && ranks().any(is_word)
}

#[cfg(test)]
mod tests {
    use super::may_be_path;

    #[test]
    fn paths_are_told_from_diagrams() {
        for path in [
            "usr/8/bin/8/8/8/8/8",
            "kk/8/8/8/8/8/8/8",
            "projects/8/8/8/8/8/8/8",
            "python3/8/8/8/8/8/8/8",
            "/8/Kk6/8/8/8/8/8",
            "8/8/8/8/8/8/8/8",
        ] {
            assert!(may_be_path(path), "{path}");
        }
        for diagram in [
            "Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2",
            "Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π3",
            "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR",
            "8/8/8/4R3/8/8/8/8",
            "k7/3P4/8/3=N4/8/2K5/8/G7",
            "(R/B)7/8/8/3k4/8/2K5/8/8",
        ] {
            assert!(!may_be_path(diagram), "{diagram}");
        }
    }
}
