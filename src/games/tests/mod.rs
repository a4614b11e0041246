//! One suite for every game, and a toy game that shows what a game needs.

mod conformance;
pub(super) mod tic_tac_toe;
