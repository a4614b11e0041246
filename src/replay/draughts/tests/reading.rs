//! Words to plies.

use super::*;

#[test]
fn placeholder() {}
