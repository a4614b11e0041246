//! Trees and texts of any bytes, lines that comments name among them: what is sound is found
//! so, and nothing else happens.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::{AnyPosition, variation_tree, variant::ALL};

fuzz_target!(|input: (u8, &[u8], &[u8], &[u8])| {
    let (number, main_line, tree, texts) = input;
    let variant = &ALL[usize::from(number) % ALL.len()];
    let Some(start) = AnyPosition::start(variant) else {
        return;
    };
    let _ = variation_tree::audit(&start, main_line, tree, texts);
    let parts = variation_tree::parts(tree, texts);
    assert_eq!(parts[0].concat(), tree);
    assert_eq!(parts[1].concat(), texts);
});
