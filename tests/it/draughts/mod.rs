//! Draughts from file to answer and back.

mod corners;
mod corpora;
mod digits;
mod hostile;
mod mixed;
mod roundtrip;
mod seed;

use plydex::games::{
    Budget,
    draughts::{
        rows::DraughtsVariant,
        rules::{DraughtsMove, DraughtsPosition, moves},
    },
};

/// Random moves of a kind from its start, up to so many plies: what is legal, and what is
/// played of it.
fn random_line(
    variant: &DraughtsVariant,
    seed: u64,
    plies: usize,
) -> Vec<(Vec<DraughtsMove>, DraughtsMove)> {
    let (mut state, mut position) = (seed, DraughtsPosition::start(&variant.rules));
    let mut line = Vec::new();
    while line.len() < plies {
        let legal = moves(&position, &variant.rules, Budget::default()).unwrap_or_default();
        if legal.is_empty() {
            break;
        }
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let played = legal[(state >> 33) as usize % legal.len()];
        position.play(&played);
        line.push((legal, played));
    }
    line
}
