//! Where a game begins, from its Variant and FEN tags.

use encoding_rs::Encoding;
use shakmaty::{Position as _, Setup};

use crate::{
    diagnostic::Code,
    key,
    notation::{
        fen,
        kin::{self, KinError},
    },
    position::Position,
    replay::{self, Walk, chess::State, read::Opening},
    rules::chess::man,
    source::encoding,
    variant::{self, Rules, Variant},
};

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
    pub(super) position: Option<Position>,
}

/// From where the moves are played.
#[derive(Debug)]
pub(super) enum From {
    /// The usual start of chess.
    Usual,
    /// Another position; `Batch::starts` gets it.
    Position(Box<Opening>),
    /// A position of a game that is kin to chess, or of Othello.
    Kin(Box<replay::kin::Replay>),
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
/// name is in the tag then). The second part is the start position, unless it is the usual one.
pub(super) fn begin(
    variant: Option<&'static Variant>,
    variant_tag: &[u8],
    fen_tag: &[u8],
    fallback: &'static Encoding,
) -> (Beginning, Option<BatchStart>) {
    let mut start = BatchStart {
        variant: variant.map_or(0, |variant| variant.id),
        fen: encoding::decode(fen_tag, fallback).0.into_owned(),
        canonical: None,
        corner: None,
        key: None,
        position: None,
    };
    let mut findings = Vec::new();
    let nowhere = |start: BatchStart, code, why| {
        let findings = vec![(code, why)];
        let variant = start.variant;
        (
            Beginning {
                variant,
                from: From::Nowhere,
                findings,
            },
            Some(start),
        )
    };
    match variant.map_or(Rules::None, |variant| variant.rules) {
        Rules::Chess => {}
        Rules::Kin(_) | Rules::Compound(_) | Rules::Xiangqi | Rules::Othello => {
            return begin_kin(variant.unwrap_or(&variant::ALL[0]), start);
        }
        Rules::None | Rules::Draughts(_) => {
            let why = encoding::decode(variant_tag, fallback).0.into_owned();
            let is_fairy = why == Variant::FAIRY;
            let (mut beginning, start) = nowhere(start, Code::BadVariant, why);
            if is_fairy {
                // Whoever wrote that tag has said what it means.
                beginning.findings.clear();
            }
            return (beginning, start);
        }
    }
    if start.fen.trim().is_empty() {
        let variant = start.variant;
        return (
            Beginning {
                variant,
                from: From::Usual,
                findings,
            },
            None,
        );
    }
    let (position, reading) = match fen::read_position(&start.fen) {
        Ok(read) => read,
        Err(error) => return nowhere(start, Code::BadFen, error.to_string()),
    };
    findings.extend(
        reading
            .warnings
            .iter()
            .map(|&code| (code, start.fen.clone())),
    );
    if reading.warnings.contains(&Code::Chess960Rights) && start.variant == Variant::CHESS {
        start.variant = Variant::CHESS960;
    }
    let variant = start.variant;
    if reading.setup == Setup::initial() {
        return (
            Beginning {
                variant,
                from: From::Usual,
                findings,
            },
            None,
        );
    }
    let men = man::codes(position.board());
    let turn = usize::from(position.turn().is_black());
    start.canonical = Some(fen::write(&reading.setup));
    start.key = Some((key::board_key(&men, turn), State::of(&position).bits()));
    let from = From::Position(Box::new(Opening::new(&position)));
    start.position = Some(Position::Chess(position));
    (
        Beginning {
            variant,
            from,
            findings,
        },
        Some(start),
    )
}

/// Where a game begins that is kin to chess, or Othello.
fn begin_kin(variant: &'static Variant, mut start: BatchStart) -> (Beginning, Option<BatchStart>) {
    let usual = kin::start(variant);
    let is_usual = start.fen.trim().is_empty();
    let read = match &usual {
        None if is_usual => Err(KinError::NoStart(variant.title)),
        Some(at) if is_usual => Ok((at.clone(), Vec::new())),
        _ => kin::read_fen(variant, &start.fen).map(|read| (read.at, read.warnings)),
    };
    let mut beginning = Beginning {
        variant: variant.id,
        from: From::Nowhere,
        findings: Vec::new(),
    };
    match read {
        Err(error) => beginning.findings.push((Code::BadFen, error.to_string())),
        Ok((at, warnings)) => {
            let fen = &start.fen;
            let findings = warnings.into_iter().map(|code| (code, fen.clone()));
            beginning.findings.extend(findings);
            // The usual start has one row, whether it is written out or not.
            if usual.is_some_and(|usual| usual.position == at.position) {
                start.fen.clear();
            }
            let replay = replay::kin::Replay::new(at.clone());
            start.key = Some((replay.board_key(), replay.state_bits()));
            start.canonical = Some(kin::write_fen(&at.position));
            start.position = Some(Position::Kin(at));
            beginning.from = From::Kin(Box::new(replay));
        }
    }
    (beginning, Some(start))
}
