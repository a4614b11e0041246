//! Games in motion: from stored plies to positions, and from raw games to plies.

pub mod chess;
