//! The games of the old choice in motion, for what is still asked of them.

pub mod kin;
