//! How answers look: each file draws one thing to any writer.

pub mod board_grid;
pub mod changes;
pub mod csv;
pub mod escape;
pub mod explain;
pub mod findings;
pub mod groups;
pub mod hits;
pub mod info;
pub mod json;
pub mod listing;
pub mod moves;
pub mod names;
pub mod novelty;
pub mod number;
pub mod openings;
pub mod problem;
pub mod repertoire;
pub mod reread;
pub mod rows;
pub mod show;
pub mod summary;
pub mod table;
pub mod tree;
pub mod tree_game;
pub mod variants;
