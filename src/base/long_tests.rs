//! How much long tests try.

/// Long tests try one of so many cases. With `PLYDEX_TESTS=full`, as in `just full`, it is each.
pub(crate) fn one_in(many: usize) -> usize {
    match std::env::var("PLYDEX_TESTS") {
        Ok(which) if which == "full" => 1,
        _ => many,
    }
}
