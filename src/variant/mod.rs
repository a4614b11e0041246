//! variant
