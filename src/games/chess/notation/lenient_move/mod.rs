//! The slow path for words of the movetext that the fast resolver refused:
//! every spelling that people, old programs and books use.

mod explain;
mod parse;
mod split;
#[cfg(test)]
mod tests;

use crate::games::chess::basics::{
    CastlingSide, Chess, EnPassantMode, FromSetup as _, Move, MoveList, Position, Role, Square,
};
use shakmaty::san::San;

use crate::{
    base::diagnostic::Code,
    games::{
        chess_variant::played::CountedChecks,
        notation::{letters::Language, move_error::MoveError},
        text::{ResolvedWord, WordError},
    },
};
use parse::{BareWord, CandidateMove, CheckSign, OWN_TIER, WordParse};

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

impl Playable for CountedChecks {
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
/// Why it is no ply here.
pub fn resolve<P: Playable>(
    position: &P,
    word: &str,
) -> Result<ResolvedWord<Option<Move>>, WordError> {
    resolve_in(position, word, None)
}

/// [`resolve`], with the language of the text known: its letters come first. A null move,
/// which passes the turn, is `None`; there are several plies where moves are glued together.
///
/// # Errors
///
/// As [`resolve`].
pub fn resolve_in<P: Playable>(
    position: &P,
    word: &str,
    language: Option<&Language>,
) -> Result<ResolvedWord<Option<Move>>, WordError> {
    if word.len() > WORD_BYTES_MAX {
        return Err(WordError::from(MoveError::Unreadable));
    }
    match single(position, &position.legal_moves(), word, language) {
        Ok(one) => Ok(ResolvedWord {
            findings: one.findings,
            ..ResolvedWord::of(vec![one.ply])
        }),
        Err(stop) => split::split(position, word, language).ok_or(stop),
    }
}

/// Resolves a word that is one ply, with the letters of one language and no other:
/// to find out which language a text is in.
///
/// # Errors
///
/// As [`resolve`].
pub fn resolve_strictly_in<P: Playable>(
    position: &P,
    word: &str,
    language: &Language,
) -> Result<Option<Move>, WordError> {
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
struct LenientMove {
    /// `None` for a null move.
    ply: Option<Move>,
    findings: Vec<Code>,
}

/// Plays a ply. A null move is refused in check.
fn play<P: Playable>(position: &P, ply: Option<Move>) -> Option<P> {
    let Some(m) = ply else {
        return position.passed();
    };
    let mut next = position.clone();
    next.play_unchecked(m);
    Some(next)
}

/// The position after a null move; `None` in check.
pub fn pass(position: &Chess) -> Option<Chess> {
    if position.is_check() {
        return None;
    }
    // Odd positions that were let in must not fail here for being odd.
    let mut setup = position.to_setup(EnPassantMode::Always);
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
) -> Result<LenientMove, WordError> {
    tiers(position, legal, word, language, 0..parse::TIERS)
}

/// [`single`], of some tiers of readings alone.
fn tiers<P: Playable>(
    position: &P,
    legal: &MoveList,
    word: &str,
    language: Option<&Language>,
    range: std::ops::Range<usize>,
) -> Result<LenientMove, WordError> {
    let not_a_move = || WordError::from(MoveError::Unreadable);
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
                WordParse::Null if position.passed().is_none() => {}
                WordParse::Null => {
                    return Ok(LenientMove {
                        ply: None,
                        findings: vec![Code::NullMove],
                    });
                }
                WordParse::Drop { role, to } => {
                    let (role, to) = (*role, *to);
                    let put = |m: &&Move| **m == Move::Put { role, to };
                    found.extend(legal.iter().find(put).map(|&m| (m, false)));
                }
                WordParse::Castle(side) => {
                    let castle = legal.iter().find(|m| m.castling_side() == Some(*side));
                    found.extend(castle.map(|&m| (m, false)));
                }
                WordParse::Go(go) => {
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
                return Ok(LenientMove {
                    ply: Some(m),
                    findings,
                });
            }
            _ => {
                let reason = explain::ambiguous(position, found.iter().map(|(m, _)| m));
                return Err(WordError {
                    reason: Some(reason),
                    ..MoveError::Ambiguous.into()
                });
            }
        }
    }
    // A number that is no legal move is no move at all: a year, a rating.
    if parse::numeric(&stripped.core).is_some() {
        return Err(not_a_move());
    }
    let reason = explain::illegal(position, first.ok_or_else(not_a_move)?);
    Err(WordError {
        reason: Some(reason),
        ..MoveError::Illegal.into()
    })
}

/// The legal moves a reading fits, each with whether a queen was assumed.
fn candidates(legal: &MoveList, go: CandidateMove) -> Vec<(Move, bool)> {
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
fn castling_by_squares(legal: &MoveList, go: CandidateMove) -> Option<Move> {
    let to = go.to()?;
    let mut fitting = legal.iter().copied().filter(|m| {
        let Move::Castle { king, rook } = *m else {
            return false;
        };
        let side = CastlingSide::from_king_side(king < rook);
        let goal = Square::from_coords(side.king_to_file(), king.rank());
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
    stripped: &BareWord,
    (tier, language): (&[WordParse], Option<&Language>),
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
        WordParse::Go(go) => Some(go),
        _ => None,
    });
    let crossed = goes.clone().any(|go| go.capture);
    let silent = m.role() == Role::Pawn || goes.clone().all(|go| go.role.is_none());
    if !m.is_castle() && ((crossed && !m.is_capture()) || (!crossed && m.is_capture() && !silent)) {
        findings.push(Code::WrongCapture);
    }
    if stripped.mark != CheckSign::None {
        let mut after = position.clone();
        after.play_unchecked(m);
        let is_over = after.is_checkmate() || after.is_variant_end();
        if !(is_over || stripped.mark == CheckSign::Check && after.is_check()) {
            findings.push(Code::WrongCheckMark);
        }
    }
    let mut usual = San::from_move(position, m).to_string();
    if let Some(language) = language {
        usual = language.of_english(&usual);
    }
    let told = findings.iter().any(|code| *code != Code::WrongCheckMark);
    let is_usual = !stripped.is_turned && usual.chars().eq(stripped.core.iter().copied());
    if !told && !is_usual {
        findings.push(Code::MoveSpelling);
    }
    findings
}
