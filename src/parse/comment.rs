//! Commands in comments (rule K1).
