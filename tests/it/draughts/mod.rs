//! Draughts from file to answer and back.

mod corpora;
mod hostile;
mod roundtrip;
mod seed;
