//! The record of a problem: everything that was read of it, and the text that it was read
//! from.

use serde::{Deserialize, Serialize};

use super::Composition;

/// A problem with the text of its record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StoredProblem {
    /// What was read of it.
    pub problem: Composition,
    /// The text of its record; `None` where that is not known any more, or has other
    /// problems in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceText>,
}

/// The text of a record as it stood, decoded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    /// The name of its format ([`Format::shown`](crate::formats::Format::shown)).
    pub format: String,
    /// The text, from its first byte to where the next record begins.
    pub text: String,
}

impl StoredProblem {
    /// The record that it is stored in.
    ///
    /// # Panics
    ///
    /// Never: texts and lists of texts can always be written.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts are JSON")
    }

    /// Reads what [`Self::write`] has written; `None` if it is damaged.
    #[must_use]
    pub fn read(record: &[u8]) -> Option<Self> {
        serde_json::from_slice(record).ok()
    }

    /// The text of its record, if it stood in that format.
    #[must_use]
    pub fn text_in(&self, format: &str) -> Option<&str> {
        let source = self.source.as_ref()?;
        (source.format == format).then_some(&source.text)
    }
}

/// Languages by their codes.
pub(super) mod code {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::games::notation::letters::Language;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
    pub(in super::super) fn serialize<S: Serializer>(
        language: &&'static Language,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_str(language.code)
    }

    pub(in super::super) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<&'static Language, D::Error> {
        let code = String::deserialize(from)?;
        Ok(Language::by_code(&code).unwrap_or_default())
    }
}
