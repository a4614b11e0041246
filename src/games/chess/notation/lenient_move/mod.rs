//! The slow path for words of the movetext that the fast resolver refused:
//! every spelling that people, old programs and books use.

mod explain;
mod parse;
mod split;
#[cfg(test)]
mod tests;

use crate::games::chess::basics::{Chess, FromSetup as _, Move, MoveList, Position, Role};
use shakmaty::san::San;

use crate::games::notation::{clip, letters::Language};
use crate::{base::diagnostic::Code, games::chess_variant::played::Played};
use parse::{Go, Mark, OWN_TIER, Reading, Stripped};

/// What a word was resolved to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved<'w> {
    /// The plies in order; more than one where moves are glued together.
    pub plies: Vec<Ply>,
    /// A result that was glued to the end, as written.
    pub trailing_result: Option<&'w str>,
    /// What was unusual, each code once.
    pub findings: Vec<Code>,
}

/// A ply of movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ply {
    /// A legal move.
    Move(Move),
    /// A null move: the turn passes.
    Null,
}

/// Why a word is no ply here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It reads as a move, but none that is legal here.
    #[error("`{word}`: {reason}")]
    Illegal {
        /// The word, cut to a length for messages.
        word: String,
        /// For people: "no white bishop can reach c5".
        reason: String,
    },
    /// It fits more than one legal move.
    #[error("`{word}`: {reason}")]
    Ambiguous {
        /// The word, cut to a length for messages.
        word: String,
        /// For people: which moves it fits.
        reason: String,
    },
    /// It cannot be a move at all; a reader may skip it.
    #[error("`{word}` is not a move")]
    NotAMove {
        /// The word, cut to a length for messages.
        word: String,
    },
}

/// A position whose moves are read here: of chess, or of a variant that shakmaty plays.
pub trait Playable: Position + Clone {
    /// The same with the other side to move; `None` where the turn cannot pass.
    fn passed(&self) -> Option<Self>;
}

impl Playable for Chess {
    fn passed(&self) -> Option<Self> {
        pass(self)
    }
}

impl Playable for Played {
    fn passed(&self) -> Option<Self> {
        self.passed()
    }
}

/// Longer words are never split; no game has them. In bytes.
const WORD_BYTES_MAX: usize = 64 * 1024;

/// Resolves a word in English and, where English has no such piece letter, in
/// every other language known.
///
/// # Errors
///
/// [`MoveError`]; its reason is for people.
pub fn resolve<'w, P: Playable>(position: &P, word: &'w str) -> Result<Resolved<'w>, MoveError> {
    resolve_in(position, word, None)
}

/// [`resolve`], with the language of the text known: its letters come first.
///
/// # Errors
///
/// As [`resolve`].
pub fn resolve_in<'w, P: Playable>(
    position: &P,
    word: &'w str,
    language: Option<&Language>,
) -> Result<Resolved<'w>, MoveError> {
    if word.len() > WORD_BYTES_MAX {
        return Err(MoveError::NotAMove { word: clip(word) });
    }
    let error = match single(position, &position.legal_moves(), word, language) {
        Ok(one) => {
            let findings = one.findings;
            return Ok(Resolved {
                plies: vec![one.ply],
                trailing_result: None,
                findings,
            });
        }
        Err(error) => error,
    };
    split::split(position, word, language).ok_or(error)
}

/// Resolves a word that is one ply, with the letters of one language and no other:
/// where it is asked which language a text is in.
///
/// # Errors
///
/// As [`resolve`].
pub fn resolve_strictly_in<P: Playable>(
    position: &P,
    word: &str,
    language: &Language,
) -> Result<Ply, MoveError> {
    tiers(
        position,
        &position.legal_moves(),
        word,
        Some(language),
        parse::TIERS_OF_LANGUAGE,
    )
    .map(|one| one.ply)
}

/// One ply and what was unusual about its spelling.
struct One {
    ply: Ply,
    findings: Vec<Code>,
}

/// Plays a ply. A null move is refused in check.
fn play<P: Playable>(position: &P, ply: Ply) -> Option<P> {
    match ply {
        Ply::Move(m) => {
            let mut next = position.clone();
            next.play_unchecked(m);
            Some(next)
        }
        Ply::Null => position.passed(),
    }
}

/// The position after a null move; `None` in check.
pub fn pass(position: &Chess) -> Option<Chess> {
    if position.is_check() {
        return None;
    }
    // Odd positions that were let in must not fail here for being odd.
    let mut setup = position.to_setup(crate::games::chess::basics::EnPassantMode::Always);
    setup.swap_turn();
    Chess::from_setup(setup, position.castles().mode())
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()
}

/// Resolves a word that is one ply.
fn single<P: Playable>(
    position: &P,
    legal: &MoveList,
    word: &str,
    language: Option<&Language>,
) -> Result<One, MoveError> {
    tiers(position, legal, word, language, 0..parse::TIERS)
}

/// [`single`], of some tiers of readings alone.
fn tiers<P: Playable>(
    position: &P,
    legal: &MoveList,
    word: &str,
    language: Option<&Language>,
    range: std::ops::Range<usize>,
) -> Result<One, MoveError> {
    let not_a_move = || MoveError::NotAMove { word: clip(word) };
    let stripped = parse::strip(word).ok_or_else(not_a_move)?;
    let mut first = None;
    for number in range {
        let tier = parse::tier(number, &stripped, language);
        let Some(reading) = tier.first().copied() else {
            continue;
        };
        first = first.or(Some(reading));
        let mut found: Vec<(Move, bool)> = Vec::new();
        for reading in &tier {
            match reading {
                Reading::Null if position.passed().is_none() => {}
                Reading::Null => {
                    return Ok(One {
                        ply: Ply::Null,
                        findings: vec![Code::NullMove],
                    });
                }
                Reading::Drop { role, to } => {
                    let (role, to) = (*role, *to);
                    let put = |m: &&Move| **m == Move::Put { role, to };
                    found.extend(legal.iter().find(put).map(|&m| (m, false)));
                }
                Reading::Castle(side) => {
                    let castle = legal.iter().find(|m| m.castling_side() == Some(*side));
                    found.extend(castle.map(|&m| (m, false)));
                }
                Reading::Go(go) => {
                    for candidate in candidates(legal, *go) {
                        if !found.iter().any(|&(m, _)| m == candidate.0) {
                            found.push(candidate);
                        }
                    }
                }
            }
        }
        match found[..] {
            // A letter of the text's own language means nothing else.
            [] if language.is_some()
                && tier.iter().copied().any(parse::is_of_piece)
                && number == OWN_TIER =>
            {
                break;
            }
            [] => {}
            [(m, assumed)] => {
                let findings = findings(position, &stripped, (&tier, language), m, assumed);
                return Ok(One {
                    ply: Ply::Move(m),
                    findings,
                });
            }
            _ => {
                let reason = explain::ambiguous(position, found.iter().map(|(m, _)| m));
                return Err(MoveError::Ambiguous {
                    word: clip(word),
                    reason,
                });
            }
        }
    }
    let reason = explain::illegal(position, first.ok_or_else(not_a_move)?);
    Err(MoveError::Illegal {
        word: clip(word),
        reason,
    })
}

/// The legal moves a reading fits, each with whether a queen was assumed.
fn candidates(legal: &MoveList, go: Go) -> Vec<(Move, bool)> {
    let mut found = Vec::new();
    for &m in legal {
        let Some(from) = m.from() else { continue };
        let fits_from = go.from_file.is_none_or(|file| file == from.file())
            && go.from_rank.is_none_or(|rank| rank == from.rank());
        let fits_to =
            m.to().file() == go.to_file && go.to_rank.is_none_or(|rank| rank == m.to().rank());
        if m.is_castle() || !fits_from || !fits_to || go.role.is_some_and(|role| role != m.role()) {
            continue;
        }
        if go.role == Some(Role::Pawn) {
            // `e4` is a push; a capture names its file, or at least its cross.
            let files_differ = from.file() != m.to().file();
            let named = go.from_file.is_some() || go.capture;
            if (files_differ && !named) || (go.to_rank.is_none() && !files_differ) {
                continue;
            }
        }
        match (m.promotion(), go.promotion) {
            (Some(Role::Queen), None) => found.push((m, true)),
            (promotion, asked) if promotion == asked => found.push((m, false)),
            _ => {}
        }
    }
    if found.is_empty() && go.role.is_none_or(|role| role == Role::King) && go.promotion.is_none() {
        found.extend(castling_by_squares(legal, go).map(|m| (m, false)));
    }
    found
}

/// Castling written as a king's move: two squares, to its castled square, or
/// onto the rook. Only where the king could not simply go there.
fn castling_by_squares(legal: &MoveList, go: Go) -> Option<Move> {
    let to = go.to()?;
    let mut fitting = legal.iter().copied().filter(|m| {
        let Move::Castle { king, rook } = *m else {
            return false;
        };
        let side = crate::games::chess::basics::CastlingSide::from_king_side(king < rook);
        let goal =
            crate::games::chess::basics::Square::from_coords(side.king_to_file(), king.rank());
        go.from_file.is_none_or(|file| file == king.file())
            && go.from_rank.is_none_or(|rank| rank == king.rank())
            && (to == rook || to == goal)
    });
    // Onto a rook is exact; a goal square that is also the other rook's is not.
    let first = fitting.next()?;
    match fitting.next() {
        None => Some(first),
        Some(second) => [first, second].into_iter().find(|m| m.to() == to),
    }
}

fn findings<P: Playable>(
    position: &P,
    stripped: &Stripped,
    (tier, language): (&[Reading], Option<&Language>),
    m: Move,
    assumed: bool,
) -> Vec<Code> {
    let mut findings = Vec::new();
    if assumed {
        findings.push(Code::AssumedQueen);
    }
    // Whether a capture was written: bare coordinates say nothing about it,
    // and a pawn's two files say it without a cross.
    let goes = tier.iter().filter_map(|reading| match reading {
        Reading::Go(go) => Some(go),
        _ => None,
    });
    let crossed = goes.clone().any(|go| go.capture);
    let silent = m.role() == Role::Pawn || goes.clone().all(|go| go.role.is_none());
    if !m.is_castle() && ((crossed && !m.is_capture()) || (!crossed && m.is_capture() && !silent)) {
        findings.push(Code::WrongCapture);
    }
    if stripped.mark != Mark::None {
        let mut after = position.clone();
        after.play_unchecked(m);
        let is_over = after.is_checkmate() || after.is_variant_end();
        if !(is_over || stripped.mark == Mark::Check && after.is_check()) {
            findings.push(Code::WrongCheckMark);
        }
    }
    let mut usual = San::from_move(position, m).to_string();
    if let Some(language) = language {
        usual = language.of_english(&usual);
    }
    let told = findings.iter().any(|code| *code != Code::WrongCheckMark);
    if !told && !usual.chars().eq(stripped.core.iter().copied()) {
        findings.push(Code::MoveSpelling);
    }
    findings
}
