//! pgn
