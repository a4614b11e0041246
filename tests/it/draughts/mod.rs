//! Draughts from file to answer and back.

mod corpora;
mod digits;
mod hostile;
mod mixed;
mod roundtrip;
mod seed;
