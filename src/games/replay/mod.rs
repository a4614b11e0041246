//! Games in motion: from stored plies to positions, and from raw games to plies.

pub(crate) mod branch;
pub mod chess;
pub mod draughts;
pub mod kin;
pub mod read;
pub(crate) mod reading;
pub mod tongue;
