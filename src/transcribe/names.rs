//! What the name of a file says of its records.

use std::path::Path;

use crate::variant::Variant;

/// The variant whose name, in one of its spellings, is a word of the file's name
/// (`atomic.epd`, `3check-p4-f12.epd`); `None` if there is none, or several.
pub(super) fn variant_of(path: &Path) -> Option<&'static Variant> {
    let name = path.file_name()?.to_string_lossy();
    let mut found: Option<&'static Variant> = None;
    for word in name.split(|c: char| !c.is_alphanumeric()) {
        let Some(variant) = Variant::from_tag(word.as_bytes()).filter(|_| word.len() > 2) else {
            continue;
        };
        if found.is_some_and(|known| known.id != variant.id) {
            return None;
        }
        found = Some(variant);
    }
    found
}
