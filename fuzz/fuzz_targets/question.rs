//! Questions of any text, asked of the board and of damaged lines of any variant: each is
//! understood or says where it is not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::{
    AnyPosition,
    pattern::{self, AskedBoard, program::GameSeen},
    variant::ALL,
};

fuzz_target!(|input: (u8, &str, &[u8])| {
    let (number, text, line) = input;
    let variant = &ALL[usize::from(number) % ALL.len()];
    let Some(start) = AnyPosition::start(variant) else {
        return;
    };
    match pattern::parser::parse(text) {
        Ok(asked) => {
            if let Ok(pattern) = pattern::compile(&asked, &AskedBoard::of(&start)) {
                let mut seen = GameSeen::default();
                start.look(line, &pattern, &mut seen, false);
                pattern.holds(&seen, &mut |_| true);
            }
        }
        Err(misread) => assert!(text.get(misread.span).is_some()),
    }
});
