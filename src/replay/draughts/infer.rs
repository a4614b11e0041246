//! Which variant a game without a declared one is.
