//! What the reader asks a game about its texts, and the answers.

use std::borrow::Cow;

use super::{
    game::{BoardGame, MoveStyle},
    parsed_position::{ParsedPosition, ReadFailure},
    raw_text::TextDecoder,
    variant::Variant,
    variation_tree::respaced,
};
use crate::{
    base::diagnostic::Code,
    games::{
        chess::notation::fen::Fields,
        notation::{clip, fen::FenError, letters::ENGLISH, move_error::MoveError},
    },
    pgn::parser::{ItemKind, Parser, RawGame, RawItem, Syntax, is_numeric_move},
};

/// A parsed game with the bytes that its spans point into.
#[derive(Clone, Copy)]
pub struct GameText<'a> {
    /// The game.
    pub raw: &'a RawGame,
    /// The bytes.
    pub bytes: &'a [u8],
    /// Turns them into text.
    pub decode: TextDecoder<'a>,
}

impl<'a> GameText<'a> {
    /// A line that stands alone, as it was parsed.
    pub(super) fn alone(raw: &'a RawGame, text: &'a str) -> Self {
        Self {
            raw,
            bytes: text.as_bytes(),
            decode: &|bytes| String::from_utf8_lossy(bytes),
        }
    }

    /// The bytes of an item.
    #[inline]
    pub fn bytes_of(&self, item: &RawItem) -> &'a [u8] {
        self.raw.text(self.bytes, item)
    }

    /// The text of an item.
    pub fn of(&self, item: &RawItem) -> Cow<'a, str> {
        (self.decode)(self.bytes_of(item))
    }

    /// The text of an item that is a word: without the hyphen and the line's end where it was
    /// parted.
    pub fn word_of(&self, item: &RawItem) -> Cow<'a, str> {
        let word = self.of(item);
        match word.split_once(['\n', '\r']) {
            Some((begun, rest)) => {
                let rest = rest.trim_start();
                let is_castling = rest.starts_with(['0', 'O']);
                let begun = begun
                    .strip_suffix('-')
                    .filter(|_| !is_castling)
                    .unwrap_or(begun);
                format!("{begun}{rest}").into()
            }
            None => word,
        }
    }

    /// The result after the moves, or else the one in the tags; empty if none is given.
    pub fn result(&self) -> Cow<'a, str> {
        let written = self
            .raw
            .termination
            .and_then(|(start, end)| self.bytes.get(start as usize..end as usize));
        let result = written
            .filter(|text| *text != b"*")
            .or_else(|| self.raw.tag(self.bytes, "Result"));
        (self.decode)(result.unwrap_or_default())
    }

    /// The places of the words of one line, from an item on: those of variations inside
    /// it are left out, and it ends where the variation does that it stands in.
    pub fn words_of_line(&self, from: usize) -> impl Iterator<Item = usize> + use<'a> {
        let mut depth = 0_u32;
        let items = self.raw.items.iter().enumerate().skip(from);
        items
            .map_while(move |(at, item)| {
                match item.kind {
                    ItemKind::VariationStart => depth += 1,
                    ItemKind::VariationEnd => depth = depth.checked_sub(1)?,
                    ItemKind::Word | ItemKind::Setup if depth == 0 => return Some(Some(at)),
                    _ => {}
                }
                Some(None)
            })
            .flatten()
    }
}

/// What may be spent on a text, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseBudget {
    /// A game, as it is expected to be meant.
    Game,
    /// A game, tried in another way: it is only looked whether it fits.
    Trial,
    /// A variation that stands alone.
    Variation,
}

/// How far a text could be read in one way.
#[derive(Debug, Clone)]
pub struct ParseAttempt<M> {
    /// The plies that could be played.
    pub plies: u32,
    /// What was played, if the game remembers it.
    pub moves: Vec<M>,
    /// The words that are no moves, or have letters that the convention has not; `None`
    /// if a move is not legal.
    pub odd_words: Option<u32>,
}

/// What a word of movetext means in a position.
#[derive(Debug, Clone)]
pub struct WordReading<M> {
    /// Ways to read it, the likeliest first: moves in order, and how many words they take. A move
    /// that was not written takes no word; a capture whose jumps are words of their own takes
    /// several.
    pub options: Vec<(Vec<M>, u32)>,
    /// What is to be said about it; no detail means the word itself.
    pub findings: Vec<(Code, Cow<'static, str>)>,
    /// A result that was glued to it, or that it is.
    pub result: Option<String>,
    /// Whether it has letters that the convention does not have: others are tried then,
    /// however well it could be read.
    pub is_foreign: bool,
    /// What is left of it.
    pub rest: WordRemainder,
}

/// What is left of a word; places are bytes from its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordRemainder {
    /// Nothing.
    None,
    /// From there on it is no move, but the line goes on: it is kept as text.
    Unread(usize),
    /// The line ends there.
    Stop(usize, Code, Cow<'static, str>),
}

impl<M> Default for WordReading<M> {
    fn default() -> Self {
        Self {
            options: Vec::new(),
            findings: Vec::new(),
            result: None,
            is_foreign: false,
            rest: WordRemainder::None,
        }
    }
}

impl<M> WordReading<M> {
    /// The moves of the likeliest way to read it.
    pub fn moves(&self) -> &[M] {
        self.options.first().map_or(&[], |(moves, _)| moves)
    }

    /// The line ends before the word.
    pub fn stop(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rest: WordRemainder::Stop(0, code, detail.into()),
            ..Self::default()
        }
    }
}

/// A position read from a FEN, which fields that had, and what was repaired.
pub type FenReading<G> = Result<(G, Fields, Vec<Code>), FenError>;

/// A line of moves that stands alone, parsed.
pub(super) fn parsed_line(text: &str, syntax: Syntax) -> RawGame {
    let mut raw = RawGame {
        syntax,
        ..RawGame::default()
    };
    Parser::variation(text.as_bytes(), syntax, &mut raw);
    raw
}

/// A position that was written out, of a game on a board of its own.
pub(super) fn written<G>(
    row: &Variant,
    text: &str,
    read: FenReading<G>,
) -> Result<ParsedPosition<G>, ReadFailure> {
    match read {
        Ok((at, fields, codes)) => Ok(ParsedPosition {
            codes,
            ..ParsedPosition::new(at, fields)
        }),
        Err(why) => {
            let message = format!(
                "`{}` is not a position of {}: {why}",
                clip(text.trim()),
                row.title
            );
            let hint = "`plydex variants NAME` shows the start position and its FEN";
            Err(ReadFailure::at(why.reached(), message, hint))
        }
    }
}

/// A row is played by other rules than those that were requested.
pub(super) fn another_game(row: &Variant) -> ReadFailure {
    ReadFailure::nothing(format!("{} is a different game", row.title), "")
}

/// What a word that is no move means with those after it: a piece, perhaps with its file or rank,
/// that stands apart from where it goes (`Nb d7`, `B xc6`, `e x d5`).
pub(super) fn apart<M>(
    text: GameText<'_>,
    item: usize,
    is_piece: impl Fn(&[char]) -> bool,
    resolve: impl Fn(&str) -> ResolvedWord<M>,
) -> Option<WordReading<M>> {
    /// Bytes of a move that is written so.
    const BYTES_MAX: usize = 16;
    const WORDS_MAX: u32 = 3;
    let items = text.raw.items.get(item..)?;
    let (first, mut last) = (items.first()?, items.first()?);
    let begun: Vec<char> = text.of(first).chars().collect();
    let is_file = matches!(begun[..], ['a'..='l'] | ['a'..='l', 'x' | ':']);
    let is_begun = begun.len() <= 3 && (is_file || is_piece(&begun));
    for (next, words) in items[1..]
        .iter()
        .take_while(|_| is_begun)
        .zip(2..=WORDS_MAX)
    {
        let (from, to) = (first.offset as usize, (next.offset + next.len) as usize);
        let between = text
            .bytes
            .get((last.offset + last.len) as usize..next.offset as usize)?;
        // `A1 A2` are squares or codes, no piece and where it goes.
        let goes = text
            .of(next)
            .starts_with(|c: char| c.is_lowercase() || c == ':');
        let is_joined =
            goes && next.kind == ItemKind::Word && next.value == 0 && to - from <= BYTES_MAX;
        if !is_joined || !between.iter().all(u8::is_ascii_whitespace) {
            break;
        }
        last = next;
        let written = (text.decode)(&text.bytes[from..to]);
        let word: String = written.split_whitespace().collect();
        if is_file && !word.contains(['x', ':']) {
            continue;
        }
        let read = resolve(&word);
        if read.stop.is_none() && read.moves.len() == 1 && !read.findings.contains(&Code::MoveGlued)
        {
            let spelling = [Code::MoveApart].into_iter();
            let others = read
                .findings
                .into_iter()
                .filter(|&code| code != Code::MoveSpelling);
            let said = |code| (code, respaced(&written).into());
            return Some(WordReading {
                options: vec![(read.moves, words)],
                findings: spelling.chain(others).map(said).collect(),
                ..WordReading::default()
            });
        }
    }
    None
}

/// What a word of movetext means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedWord<M> {
    /// Its legal moves in order, as far as they go.
    pub moves: Vec<M>,
    /// What was unusual, each code once.
    pub findings: Vec<Code>,
    /// A result that was glued to the end, as written.
    pub result: Option<String>,
    /// Where it means less than all, why.
    pub stop: Option<WordError>,
}

/// Why a word, or the rest of it, is no legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordError {
    /// 0-based byte offset in the word, from which on it is none.
    pub at: usize,
    /// What is wrong.
    pub error: MoveError,
    /// For people, where more is known than that: "white has no knight in hand".
    pub reason: Option<String>,
}

impl From<MoveError> for WordError {
    /// The entire word; no more is known of it.
    fn from(error: MoveError) -> Self {
        Self {
            at: 0,
            error,
            reason: None,
        }
    }
}

impl WordError {
    /// What is wrong with the word.
    pub(super) fn message(&self, word: &str) -> String {
        let rest = clip(word.get(self.at..).unwrap_or(word));
        let because = self.because();
        match self.error {
            MoveError::Unreadable => format!("`{rest}` is not a move"),
            MoveError::Ambiguous if because.is_empty() => {
                format!("`{rest}` fits more than one piece")
            }
            MoveError::Illegal if because.is_empty() => format!("`{rest}` is not legal"),
            MoveError::Illegal => format!("`{rest}` cannot be played{because}"),
            MoveError::Ambiguous => format!("`{rest}` is ambiguous{because}"),
        }
    }

    /// The reason to put after a sentence, after a colon; empty where there is none.
    fn because(&self) -> String {
        let behind = |reason: &String| format!(": {reason}");
        self.reason.as_ref().map(behind).unwrap_or_default()
    }
}

impl<M> ResolvedWord<M> {
    /// A word that means as many moves as it can, up to a byte of it.
    pub fn stop(moves: Vec<M>, at: usize, error: MoveError) -> Self {
        Self {
            stop: Some(WordError { at, ..error.into() }),
            ..Self::of(moves)
        }
    }

    /// A word that means moves.
    pub const fn of(moves: Vec<M>) -> Self {
        Self {
            moves,
            findings: Vec::new(),
            result: None,
            stop: None,
        }
    }

    /// A word that means one move, or none.
    pub fn from_result(read: Result<M, MoveError>) -> Self {
        match read {
            Ok(m) => Self::of(vec![m]),
            Err(error) => Self::stop(Vec::new(), 0, error),
        }
    }
}

/// [`MovetextRules::read_alone`] of a word that means one move.
pub(super) fn alone<G: BoardGame>(at: &G, m: G::Move, word: &str) -> (Vec<(String, G)>, bool) {
    let name = at.write(m, MoveStyle::Usual, ENGLISH);
    let bare = |word: &str| word.trim_end_matches(['+', '#']).to_owned();
    let is_usual = bare(&name) == bare(word);
    let mut behind = at.clone();
    behind.play(m);
    (vec![(name, behind)], is_usual)
}

/// Why a word is no legal move, in words for the user.
pub(super) fn refusal<M>(read: &ResolvedWord<M>, word: &str, hint: &'static str) -> ReadFailure {
    match &read.stop {
        Some(stop) => {
            let is_move = stop.error != MoveError::Unreadable;
            ReadFailure::at(u32::from(is_move), stop.message(word), hint)
        }
        None => ReadFailure::at(1, format!("`{}` cannot be played", clip(word)), hint),
    }
}

/// A word as the readers of games on boards of their own have resolved it.
pub(super) fn of_resolved<M>(
    read: ResolvedWord<M>,
    word: &str,
    is_score: impl Fn(&str) -> bool,
) -> WordReading<M> {
    let mut out = WordReading::default();
    if !read.moves.is_empty() {
        out.options = vec![(read.moves, 1)];
    }
    out.findings = read
        .findings
        .into_iter()
        .map(|code| (code, word.to_owned().into()))
        .collect();
    out.result = read.result;
    let Some(stop) = read.stop else {
        return out;
    };
    let rest = word.get(stop.at..).unwrap_or(word);
    let (code, what) = match stop.error {
        MoveError::Unreadable if is_score(rest) => {
            out.result = Some(rest.to_owned());
            return out;
        }
        MoveError::Unreadable if !has_square(rest) => {
            out.findings
                .push((Code::UnknownWord, rest.to_owned().into()));
            out.rest = WordRemainder::Unread(stop.at);
            return out;
        }
        MoveError::Ambiguous => (Code::AmbiguousMove, "fits more than one piece"),
        MoveError::Unreadable | MoveError::Illegal => (Code::IllegalMove, "is not legal here"),
    };
    let detail = format!("`{rest}` {what}{}", stop.because());
    out.rest = WordRemainder::Stop(stop.at, code, detail.into());
    out
}

/// Whether a word names a square, or castles. Words that do neither are remarks, as are numbers
/// that only chess could take for squares.
fn has_square(word: &str) -> bool {
    !is_numeric_move(word.as_bytes())
        && word
            .bytes()
            .any(|byte| byte.is_ascii_digit() || byte == b'O')
}
