//! Where findings stand, and why sources fail, for people.

use crate::input::verify::line_ends_before;

/// Counts lines up to offsets that mostly ascend.
pub(super) struct LineCounter<'b> {
    bytes: &'b [u8],
    before: u64,
    /// An offset, and the line ends before it.
    counted: (usize, u64),
}

impl<'b> LineCounter<'b> {
    pub(super) const fn new(bytes: &'b [u8], before: u64) -> Self {
        Self {
            bytes,
            before,
            counted: (0, 0),
        }
    }

    /// The 1-based line of an offset.
    pub(super) fn line_of(&mut self, offset: usize) -> u64 {
        let offset = offset.min(self.bytes.len());
        if offset < self.counted.0 {
            self.counted = (0, 0);
        }
        let from = self.counted.0;
        let further = line_ends_before(&self.bytes[from..], offset - from);
        // The end of a line is not parted.
        let is_within =
            self.bytes[..offset].ends_with(b"\r") && self.bytes.get(offset) == Some(&b'\n');
        if is_within {
            return self.before + self.counted.1 + further + 1;
        }
        self.counted = (offset, self.counted.1 + further);
        self.before + self.counted.1 + 1
    }
}

/// An error with its causes in one line.
pub(super) fn failure(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
