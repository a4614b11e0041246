//! Names of files as people read them, whatever bytes they are made of.

use std::{borrow::Cow, fmt::Write as _, path::Path};

/// A path as it is shown.
pub fn path(path: &Path) -> Cow<'_, str> {
    bytes(path.as_os_str().as_encoded_bytes())
}

/// A name as it is shown: what is not UTF-8 becomes `\xff`, so that two names that
/// differ are never shown as one mark for what cannot be read.
pub fn bytes(name: &[u8]) -> Cow<'_, str> {
    if let Ok(name) = std::str::from_utf8(name) {
        return name.into();
    }
    let mut shown = String::with_capacity(name.len() + 8);
    for chunk in name.utf8_chunks() {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf8_is_told_byte_by_byte() {
        assert_eq!(bytes(b"a/\xc3\xa9.pgn"), "a/é.pgn");
        assert_eq!(bytes(b"a\xff\xfe/\xc3.pgn"), r"a\xff\xfe/\xc3.pgn");
        assert_eq!(path(Path::new("-")), "-");
    }
}
