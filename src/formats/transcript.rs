//! The PGN text of a chunk's records, written record by record.

use std::borrow::Cow;

use crate::base::diagnostic::{Code, Diagnostic};

/// What is found while records are transcribed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptFinding {
    /// What, at an offset of the source text.
    pub diagnostic: Diagnostic,
    /// The record it is of, counted from 0; `None` of what became no record.
    pub record: Option<usize>,
}

/// PGN text, and where in the source it comes from. Each record is one game.
#[derive(Debug, Default)]
pub struct PgnTranscript {
    text: String,
    /// Offset in the text, offset in the source; both ascend.
    places: Vec<(usize, usize)>,
    /// Where in the text each record begins, and how its variant is known.
    records: Vec<(usize, Option<Cow<'static, str>>)>,
    findings: Vec<TranscriptFinding>,
    rejected: u64,
    state: TranscriptState,
    /// The result of the record at hand.
    result: String,
    /// Where in the source that begins what is being read.
    source_from: usize,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum TranscriptState {
    /// Between records.
    #[default]
    Between,
    /// Tags are being written.
    Tags,
    /// Movetext is being written.
    Movetext,
    /// Games are being written as they stand.
    Verbatim,
}

impl PgnTranscript {
    /// Begins a record that stands at an offset of the source; the one before is
    /// complete.
    pub fn begin(&mut self, at: usize) {
        self.end();
        self.records.push((self.text.len(), None));
        self.state = TranscriptState::Tags;
        self.place(at);
    }

    /// What is written from here on stands at an offset of the source. Offsets ascend.
    pub fn place(&mut self, at: usize) {
        self.places.push((self.text.len(), self.source_from + at));
    }

    /// Says that offsets of the source are counted from here on, in what is read next.
    pub const fn source_from(&mut self, at: usize) {
        self.source_from = at;
    }

    /// Writes a part of the record as it stands, with whatever tag pairs and results are in it.
    pub fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
        self.state = TranscriptState::Verbatim;
    }

    /// Writes a tag pair of the record. A name has letters, digits and underscores;
    /// what a value must not have (line ends and the like) becomes blanks.
    pub fn tag(&mut self, name: &str, value: &str) {
        debug_assert_eq!(self.state, TranscriptState::Tags, "tags stand before moves");
        let text = &mut self.text;
        text.push('[');
        text.push_str(name);
        text.push_str(" \"");
        if value
            .bytes()
            .any(|b| b < b' ' || matches!(b, b'"' | b'\\' | 0x7f))
        {
            for c in value.chars() {
                match c {
                    '"' | '\\' => text.extend(['\\', c]),
                    c if c.is_ascii_control() => text.push(' '),
                    c => text.push(c),
                }
            }
        } else {
            text.push_str(value);
        }
        text.push_str("\"]\n");
    }

    /// Writes the tag of the variant, and keeps how it is known where the record
    /// itself does not say it.
    pub fn variant(&mut self, title: &str, by: Option<Cow<'static, str>>) {
        self.tag("Variant", title);
        if let Some(record) = self.records.last_mut() {
            record.1 = by;
        }
    }

    /// Writes movetext of the record as it is. It must have no line that begins
    /// with `[`, and no result.
    pub fn movetext(&mut self, text: &str) {
        self.moves_begin();
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Says how the record ends: with one of the results of PGN or PDN.
    pub fn result(&mut self, result: &str) {
        result.clone_into(&mut self.result);
    }

    /// Notes a finding about the record at hand.
    pub fn find(&mut self, code: Code, at: usize, detail: impl Into<Cow<'static, str>>) {
        let record = match self.state {
            TranscriptState::Between => None,
            _ => self.records.len().checked_sub(1),
        };
        let at = (self.source_from + at) as u64;
        let diagnostic = Diagnostic::with(code, at, detail);
        self.findings.push(TranscriptFinding { diagnostic, record });
    }

    /// Notes that the encoding was guessed, from an offset of the source on, of the record that has
    /// it or else the first one; where there is none, nothing of the text was kept.
    pub fn guessed(&mut self, at: Option<usize>, encoding: &'static str) {
        let Some(at) = at.filter(|_| !self.records.is_empty()) else {
            return;
        };
        let at = self.source_from + at;
        let stands_behind = |(from, _): &(usize, _)| self.source_offset(*from) > at;
        let behind = self.records.iter().position(stands_behind);
        let record = behind.unwrap_or(self.records.len()).saturating_sub(1);
        let diagnostic = Diagnostic::with(Code::EncodingGuess, at as u64, encoding);
        let is_later = |finding: &TranscriptFinding| finding.record.is_some_and(|of| of > record);
        let place = self.findings.iter().position(is_later);
        let found = TranscriptFinding {
            diagnostic,
            record: Some(record),
        };
        self.findings
            .insert(place.unwrap_or(self.findings.len()), found);
    }

    /// Notes that something at an offset of the source is no record, and why.
    pub fn reject(&mut self, code: Code, at: usize, detail: impl Into<Cow<'static, str>>) {
        self.end();
        self.rejected += 1;
        self.find(code, at, detail);
    }

    /// Completes the last record. To be called after the last one.
    pub fn end(&mut self) {
        if self.state == TranscriptState::Tags {
            self.text.push('\n');
        }
        if self.state == TranscriptState::Verbatim {
            self.text.push_str("\n\n");
        } else if self.state != TranscriptState::Between {
            let result = Some(&self.result[..]).filter(|result| !result.is_empty());
            self.text.push_str(result.unwrap_or("*"));
            self.text.push_str("\n\n");
        }
        self.result.clear();
        self.state = TranscriptState::Between;
    }

    /// The PGN text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The findings, in order.
    pub fn findings(&self) -> &[TranscriptFinding] {
        &self.findings
    }

    /// How much was no record.
    pub const fn rejected(&self) -> u64 {
        self.rejected
    }

    /// How many records there are.
    pub const fn records(&self) -> usize {
        self.records.len()
    }

    /// The record that an offset of the text belongs to, counted from 0.
    pub fn record_at(&self, offset: usize) -> usize {
        let begun = self.records.partition_point(|(from, _)| *from <= offset);
        begun.saturating_sub(1)
    }

    /// How the variant of a record is known, if the record does not say it.
    pub fn variant_by(&self, record: usize) -> Option<&Cow<'static, str>> {
        self.records.get(record)?.1.as_ref()
    }

    /// The offset in the source of what stands at an offset of the text.
    pub fn source_offset(&self, offset: usize) -> usize {
        let before = self.places.partition_point(|&(from, _)| from <= offset);
        before.checked_sub(1).map_or(0, |at| self.places[at].1)
    }

    fn moves_begin(&mut self) {
        if self.state == TranscriptState::Tags {
            self.text.push('\n');
            self.state = TranscriptState::Movetext;
        }
    }
}
