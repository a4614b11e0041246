//! Lines of EPD: what is written reads back the same and is written the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::notation::epd;

fuzz_target!(|text: &str| {
    for line in epd::records(text).take(8) {
        let Ok(read) = line.epd else {
            continue;
        };
        let written = epd::write(&read);
        assert!(written.len() <= 400 + 8 * line.text.len(), "{written}");
        let again = epd::read(&written).expect("what is written is read");
        assert_eq!(read.position, again.position, "{written}");
        assert_eq!(epd::write(&again), written);
    }
});
