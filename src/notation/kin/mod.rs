//! Text of positions and moves of the games that are kin to chess: FEN with men in
//! hand and checks, SAN with drops, and whatever the others have for these.

mod fen;

pub use fen::{Reading, guess, read_fen, start, write_fen};

use shakmaty::{
    CastlingMode, EnPassantMode, Position as _,
    san::{San, SanPlus},
    uci::UciMove,
};

use super::{
    clip,
    fen::{FenError, Fields},
    grid_fen::GridFenError,
    lenient_move,
    letters::{self, Language},
    move_error::MoveError,
    position_text, so_far,
};
use crate::games::{
    capablanca::notation as compound,
    othello::notation as othello,
    xiangqi::{notation as xiangqi, notation::Ranks},
};
use crate::{
    diagnostic::Code,
    games::{
        Refusal,
        chess_variant::played::Played,
        othello::rules::PASS,
        variant::{Rules, Variant},
    },
    position::{KinPly, KinPosition},
};

/// Why a text is no position of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KinError {
    /// The variant is none of these.
    #[error("the moves of this variant are not known")]
    NoRules,
    /// Nothing was typed.
    #[error("no position was given")]
    Empty,
    /// No FEN was given, and the variant has no start of its own.
    #[error("a game of {0} has no usual start, so its FEN must be given")]
    NoStart(&'static str),
    /// It is no FEN.
    #[error("`{0}` is no FEN: {1}")]
    Fen(String, FenError),
    /// It is no FEN of a board with rules of our own.
    #[error("`{0}` is no position of {1}: {2}")]
    Grid(String, &'static str, GridFenError),
    /// The position cannot be.
    #[error("`{0}` is a FEN of no position that can be: {1}")]
    Position(String, String),
    /// A word of a line that is no legal move.
    #[error("move {number} {what}; {after}")]
    Move {
        /// Which move it is: `2...`.
        number: String,
        /// The word, and what is wrong with it.
        what: String,
        /// Where the line stood: "after 1.e4 c5", "in the position given".
        after: String,
        /// The rules of the game.
        rules: Rules,
    },
}

impl KinError {
    /// How much of a FEN was read, as [`FenError::reached`] has it.
    pub(crate) fn reached(&self) -> u32 {
        match self {
            Self::Fen(_, error) => error.reached(),
            Self::Grid(_, _, error) => error.reached(),
            Self::Position(..) => Refusal::BOARD,
            Self::NoRules | Self::Empty | Self::NoStart(_) | Self::Move { .. } => 0,
        }
    }

    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoRules => "`plydex variants` tells which are",
            Self::Empty => "give `startpos`, moves from the start, or a FEN",
            Self::NoStart(_) => "write the FEN, with X-FEN castling (`w KQkq` or files: `w GDgd`)",
            Self::Grid(..) => "`plydex variants NAME` shows the start position and its FEN",
            Self::Fen(..) | Self::Position(..) => {
                "men in hand stand in brackets behind the pieces (`…/RNBQKBNR[Pp] w …`), checks left \
                 as `3+3` or checks given as `+0+1`"
            }
            Self::Move {
                rules: Rules::Xiangqi,
                ..
            } => "moves are written as `h3e3` (or `h2e2`), `C2=5` or `Che3`",
            Self::Move {
                rules: Rules::Othello,
                ..
            } => "moves are written as `f5`, a pass as `--`",
            Self::Move {
                rules: Rules::Compound(_),
                ..
            } => "moves are written as `e4`, `Ci3` or `h1i3`, what comes in as `Nf3/H`",
            Self::Move { .. } => "moves are written as `e4`, `Nf3`, drops as `N@f3`",
        }
    }
}

/// Reads a position as people type it: `startpos`, a FEN, moves, or one of the
/// first two with moves behind it (`… moves e4 e5`). The fields tell what was given.
///
/// # Errors
///
/// [`KinError`].
pub fn read_text(variant: &'static Variant, text: &str) -> Result<Reading, KinError> {
    let text = text.trim();
    // A move may have a slash of its own: `Nf3/H`.
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_fen = first.matches('/').count() > 1
        || variant.rules == Rules::Othello
            && (first.contains(':')
                || first.len() > 60 && { !first.contains(|c: char| c.is_ascii_digit()) });
    let (head, moves) = match text.split_once(" moves ") {
        Some((head, moves)) => (head.trim(), moves),
        None if is_fen || text.eq_ignore_ascii_case("startpos") => (text, ""),
        None => ("startpos", text),
    };
    let mut read = if head.eq_ignore_ascii_case("startpos") {
        Reading {
            at: start(variant).ok_or(if variant.is_kin() {
                KinError::NoStart(variant.title)
            } else {
                KinError::NoRules
            })?,
            fields: Fields::ALL,
            warnings: Vec::new(),
        }
    } else {
        read_fen(variant, head)?
    };
    let without_comments = position_text::strip_comments(moves);
    let words = position_text::words(&without_comments);
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    // Numbers and results alone: the start is not what was meant.
    if words.is_empty() && moves == text {
        return Err(KinError::Empty);
    }
    let from = read.at.position.clone();
    let (plies, stop) = play(&from, &words, None);
    let (plies, stop) = match (&from, stop) {
        // Perhaps it was meant in another language.
        (KinPosition::Shakmaty(start), Some(what)) => {
            letters::detect_language_by_play(start, &words)
                .map(|language| play(&from, &words, Some(language)))
                .filter(|(_, stop)| stop.is_none())
                .unwrap_or((plies, Some(what)))
        }
        (_, stop) => (plies, stop),
    };
    if let Some(what) = stop {
        let (number, score) = score(&from, &plies);
        return Err(KinError::Move {
            number,
            what,
            after: so_far(&score, || {
                if head.eq_ignore_ascii_case("startpos") {
                    format!("in the start position of {}", variant.title)
                } else {
                    "in the position given".to_owned()
                }
            }),
            rules: variant.rules,
        });
    }
    if !words.is_empty() {
        for ply in plies {
            read.at.position.play(ply);
        }
        read.fields = Fields::ALL;
    }
    Ok(read)
}

/// The moves of a line as far as its words are legal moves; where that is not to
/// their end, what is wrong with the next.
fn play(
    from: &KinPosition,
    words: &[&str],
    language: Option<&Language>,
) -> (Vec<KinPly>, Option<String>) {
    let mut at = from.clone();
    let mut plies = Vec::new();
    let ranks = ranks_of(from, words.iter().copied());
    for word in words {
        let read = resolve_all(&at, word, ranks, language);
        let passes = |ply: &KinPly| !matches!(ply, KinPly::Othello(_)) && ply.squares().is_none();
        if read.plies.iter().any(passes) {
            let word = clip(word);
            let what = format!("`{word}` cannot be played: a line to search for has no null moves");
            return (plies, Some(what));
        }
        for ply in read.plies {
            at.play(ply);
            plies.push(ply);
        }
        if let Some(stop) = read.stop {
            return (plies, Some(stop.told(word)));
        }
    }
    (plies, None)
}

/// The number of the move behind a line, and the line's moves, numbered as in a
/// score. Those of Othello are counted one by one.
fn score(from: &KinPosition, plies: &[KinPly]) -> (String, Vec<String>) {
    let mut at = from.clone();
    let mut score = Vec::with_capacity(plies.len());
    let numbered = !matches!(from, KinPosition::Othello(_));
    for &ply in plies {
        let text = san(&at, ply);
        score.push(match at.number() {
            (number, false) if numbered => format!("{number}.{text}"),
            (number, true) if numbered && score.is_empty() => format!("{number}...{text}"),
            _ => text,
        });
        at.play(ply);
    }
    let number = match at.number() {
        _ if !numbered => (plies.len() + 1).to_string(),
        (number, false) => number.to_string(),
        (number, true) => format!("{number}..."),
    };
    (number, score)
}

/// How the ranks of coordinates are numbered in a line of xiangqi.
pub fn ranks_of<'w>(start: &KinPosition, words: impl Iterator<Item = &'w str> + Clone) -> Ranks {
    match start {
        KinPosition::Xiangqi(start) => xiangqi::ranks_of(start, words),
        _ => Ranks::Either,
    }
}

/// What a word of movetext means.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// Its legal moves in order, as far as they go.
    pub plies: Vec<KinPly>,
    /// What was unusual, each code once.
    pub findings: Vec<Code>,
    /// A result that was glued to the end, as written.
    pub result: Option<String>,
    /// Where it means less than all, why.
    pub stop: Option<Stop>,
}

/// Why a word, or the rest of it, is no legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// 0-based byte offset in the word, from which on it is none.
    pub at: usize,
    /// What is wrong.
    pub error: MoveError,
    /// For people, where more is known than that: "white has no knight in hand".
    pub reason: Option<String>,
}

impl Stop {
    /// What is wrong with the word, as a person is told.
    pub fn told(&self, word: &str) -> String {
        let rest = clip(word.get(self.at..).unwrap_or(word));
        let because = self.because();
        match self.error {
            MoveError::Unreadable => format!("`{rest}` is not a move"),
            MoveError::Ambiguous if because.is_empty() => {
                format!("`{rest}` fits more than one man")
            }
            MoveError::Illegal if because.is_empty() => format!("`{rest}` is not legal"),
            MoveError::Illegal | MoveError::Ambiguous => {
                format!("`{rest}` cannot be played{because}")
            }
        }
    }

    /// The reason to put behind a sentence, after a colon; empty where there is none.
    pub fn because(&self) -> String {
        let told = |reason: &String| format!(": {reason}");
        self.reason.as_ref().map(told).unwrap_or_default()
    }
}

impl Resolved {
    fn of(ply: KinPly) -> Self {
        Self {
            plies: vec![ply],
            ..Self::default()
        }
    }

    fn stop(at: usize, error: MoveError) -> Self {
        Self {
            stop: Some(Stop {
                at,
                error,
                reason: None,
            }),
            ..Self::default()
        }
    }
}

/// The legal move that a word means, if it is one. `ranks` is for coordinates of
/// xiangqi.
///
/// # Errors
///
/// [`MoveError`].
pub fn resolve(position: &KinPosition, word: &str, ranks: Ranks) -> Result<KinPly, MoveError> {
    match position {
        KinPosition::Shakmaty(position) => {
            let read = of_chess(position, word, None);
            match (read.stop, read.plies.as_slice()) {
                (None, [ply]) => Ok(*ply),
                (Some(stop), _) => Err(stop.error),
                (None, _) => Err(MoveError::Unreadable),
            }
        }
        KinPosition::Compound(row, position) => {
            compound::resolve(row, position, word).map(KinPly::Compound)
        }
        KinPosition::Xiangqi(position) => {
            xiangqi::resolve(position, word, ranks).map(KinPly::Xiangqi)
        }
        KinPosition::Othello(position) => othello::resolve(position, word).map(KinPly::Othello),
    }
}

/// The legal moves that a word means: of chess variants those that are glued
/// together, in the letters of a language (English if none is known) or, where it
/// has no such letter, of any; of Othello those of squares that stick together,
/// with the passes that nobody wrote.
pub fn resolve_all(
    position: &KinPosition,
    word: &str,
    ranks: Ranks,
    language: Option<&Language>,
) -> Resolved {
    let start = match position {
        KinPosition::Shakmaty(position) => return of_chess(position, word, language),
        KinPosition::Othello(start) => start,
        KinPosition::Compound(..) | KinPosition::Xiangqi(_) => {
            return resolve(position, word, ranks)
                .map_or_else(|error| Resolved::stop(0, error), Resolved::of);
        }
    };
    let mut now = *start;
    let mut plies = Vec::new();
    for (at, part) in othello::parts(word) {
        let mut found = othello::resolve(&now, part);
        if found == Err(MoveError::Illegal) && now.must_pass() {
            // Many records leave passes out.
            let passed = now.passed();
            if let Ok(ply) = othello::resolve(&passed, part) {
                plies.push(KinPly::Othello(PASS));
                now = passed;
                found = Ok(ply);
            }
        }
        match found {
            Ok(ply) => {
                plies.push(KinPly::Othello(ply));
                now.play(ply);
            }
            // Some write the passes with which a game ends.
            Err(MoveError::Illegal) if othello::is_pass(part) && now.outcome().is_some() => {}
            Err(error) => {
                return Resolved {
                    plies,
                    ..Resolved::stop(at, error)
                };
            }
        }
    }
    Resolved {
        plies,
        ..Resolved::default()
    }
}

/// A word by shakmaty's rules: as the standard writes it, in a language, or in any
/// spelling that is read in chess.
fn of_chess(position: &Played, word: &str, language: Option<&Language>) -> Resolved {
    let plain = |word: &str| {
        let bare = word.trim_end_matches(['+', '#']);
        San::from_ascii(bare.as_bytes())
            .ok()?
            .to_move(position)
            .ok()
    };
    let english = match language {
        None => plain(word),
        Some(own) => own.to_english(word).and_then(|word| plain(word.as_str())),
    };
    if let Some(found) = english {
        return Resolved::of(KinPly::Shakmaty(found));
    }
    let read = match lenient_move::resolve_in(position, word, language) {
        Ok(read) => read,
        Err(error) => {
            let (error, reason) = match error {
                lenient_move::MoveError::NotAMove { .. } => (MoveError::Unreadable, None),
                lenient_move::MoveError::Illegal { reason, .. } => {
                    (MoveError::Illegal, Some(reason))
                }
                lenient_move::MoveError::Ambiguous { reason, .. } => {
                    (MoveError::Ambiguous, Some(reason))
                }
            };
            let stop = Stop {
                at: 0,
                error,
                reason,
            };
            return Resolved {
                stop: Some(stop),
                ..Resolved::default()
            };
        }
    };
    let plies = read.plies.into_iter().map(|ply| match ply {
        lenient_move::Ply::Move(found) => KinPly::Shakmaty(found),
        lenient_move::Ply::Null => KinPly::Null,
    });
    Resolved {
        plies: plies.collect(),
        findings: read.findings,
        result: read.trailing_result.map(str::to_owned),
        stop: None,
    }
}

/// A legal move as its game writes it: SAN, the like of it in xiangqi, a square.
pub fn san(position: &KinPosition, ply: KinPly) -> String {
    match (position, ply) {
        (KinPosition::Shakmaty(position), KinPly::Shakmaty(played)) => {
            SanPlus::from_move(position.clone(), played).to_string()
        }
        (KinPosition::Compound(row, position), KinPly::Compound(ply)) => {
            compound::write_san(row, position, ply)
        }
        (KinPosition::Xiangqi(position), KinPly::Xiangqi(ply)) => xiangqi::write_san(position, ply),
        (KinPosition::Othello(_), KinPly::Othello(ply)) => othello::write(ply),
        _ => "--".to_owned(),
    }
}

/// Whether moves of a game begin with letters that differ from language to language.
pub const fn has_letters(position: &KinPosition) -> bool {
    matches!(position, KinPosition::Shakmaty(_))
}

/// A legal move as its game writes it, in the letters of a language where they differ.
pub fn san_in(position: &KinPosition, ply: KinPly, language: &Language) -> String {
    let english = san(position, ply);
    if has_letters(position) {
        language.of_english(&english)
    } else {
        english
    }
}

/// A legal move as engines write it.
pub fn uci(position: &KinPosition, ply: KinPly) -> String {
    match (position, ply) {
        (KinPosition::Shakmaty(position), KinPly::Shakmaty(played)) => {
            let mode = CastlingMode::detect(&position.to_setup(EnPassantMode::Legal));
            UciMove::from_move(played, mode).to_string()
        }
        (KinPosition::Compound(row, position), KinPly::Compound(ply)) => {
            compound::write_uci(row, position, ply)
        }
        (_, KinPly::Xiangqi(ply)) => xiangqi::write_uci(ply),
        (_, KinPly::Othello(ply)) => othello::write(ply),
        _ => "0000".to_owned(),
    }
}
