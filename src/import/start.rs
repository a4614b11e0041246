//! Where a game begins, from its Variant and FEN tags.

use std::sync::LazyLock;

use encoding_rs::Encoding;

use crate::{
    diagnostic::Code,
    games::{
        AnyCursor, AnyOpening, AnyPosition,
        chess::rules::Board,
        language::Expected,
        variant::{Rules, Variant},
    },
    notation::kin::KinError,
    source::encoding,
};

/// The usual start of chess.
static USUAL: LazyLock<AnyPosition> = LazyLock::new(|| Board::initial().into());

/// A start position other than the usual one of chess.
#[derive(Debug)]
pub(super) struct BatchStart {
    pub(super) variant: u8,
    /// As written; empty for a variant's usual one.
    pub(super) fen: String,
    pub(super) canonical: Option<String>,
    /// Corner of square 1, where a game of draughts has its own.
    pub(super) corner: Option<u8>,
    /// Board key and state, where it can be played.
    pub(super) key: Option<(u64, u32)>,
    /// The position itself, likewise.
    pub(super) cursor: Option<AnyCursor>,
}

impl BatchStart {
    /// A position of a row that was written so and cannot be played, or is not known yet.
    pub(super) const fn unknown(variant: u8, fen: String) -> Self {
        Self {
            variant,
            fen,
            canonical: None,
            corner: None,
            key: None,
            cursor: None,
        }
    }

    /// The same, known.
    pub(super) fn at(self, at: &AnyPosition) -> Self {
        let cursor = AnyCursor::new(at);
        Self {
            canonical: Some(at.fen()),
            key: Some((cursor.board_key(), cursor.state_bits())),
            cursor: Some(cursor),
            ..self
        }
    }
}

/// From where the moves are played.
#[derive(Debug)]
pub(super) enum From {
    /// The usual start of chess.
    Usual,
    /// Another position.
    Position(AnyOpening),
    /// Nowhere: the movetext is kept as text.
    Nowhere,
}

/// How a game begins.
#[derive(Debug)]
pub(super) struct Beginning {
    pub(super) variant: u8,
    pub(super) from: From,
    /// What was found in the tags, to be reported for every such game.
    pub(super) findings: Vec<(Code, String)>,
}

/// Reads the tags of a game of a variant, `None` for one that is not known (its
/// name is in the tag then). The second part is the start position, unless it is the
/// usual one of chess.
pub(super) fn begin(
    variant: Option<&'static Variant>,
    variant_tag: &[u8],
    fen_tag: &[u8],
    fallback: &'static Encoding,
    expected: Expected,
) -> (Beginning, Option<BatchStart>) {
    let fen = encoding::decode(fen_tag, fallback).0.into_owned();
    let mut beginning = Beginning {
        variant: variant.map_or(0, |row| row.id),
        from: From::Nowhere,
        findings: Vec::new(),
    };
    let rules = variant.map_or(Rules::None, |row| row.rules);
    let row = match variant {
        Some(row) if !matches!(rules, Rules::None | Rules::Draughts(_)) => row,
        _ => {
            let why = encoding::decode(variant_tag, fallback).0.into_owned();
            // Whoever wrote that tag has said what it means.
            if why != Variant::FAIRY {
                beginning.findings.push((Code::BadVariant, why));
            }
            let start = BatchStart::unknown(beginning.variant, fen);
            return (beginning, Some(start));
        }
    };
    let is_chess = rules == Rules::Chess;
    let is_usual = fen.trim().is_empty();
    if is_chess && is_usual {
        beginning.from = From::Usual;
        return (beginning, None);
    }
    // Of chess it is known without looking.
    let usual = if is_chess {
        None
    } else {
        AnyPosition::start(row)
    };
    let read = match &usual {
        None if is_usual => Err(KinError::NoStart(row.title).to_string()),
        Some(at) if is_usual => Ok((at.clone(), Vec::new())),
        _ => AnyPosition::read_fen(row, &fen).map(|read| (read.at, read.warnings)),
    };
    let (at, warnings) = match read {
        Ok(read) => read,
        Err(error) => {
            beginning.findings.push((Code::BadFen, error));
            let start = BatchStart::unknown(beginning.variant, fen);
            return (beginning, Some(start));
        }
    };
    if warnings.contains(&Code::Chess960Rights) && beginning.variant == Variant::CHESS {
        beginning.variant = Variant::CHESS960;
    }
    let findings = warnings.into_iter().map(|code| (code, fen.clone()));
    beginning.findings.extend(findings);
    if is_chess && at == *USUAL {
        beginning.from = From::Usual;
        return (beginning, None);
    }
    // The usual start has one row, whether it is written out or not.
    let fen = if usual.is_some_and(|usual| usual == at) {
        String::new()
    } else {
        fen
    };
    let start = BatchStart::unknown(beginning.variant, fen).at(&at);
    beginning.from = From::Position(at.opening(expected));
    (beginning, Some(start))
}
