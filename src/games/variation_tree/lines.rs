//! Lines of play that comments name (`pv=Nf3 d5 c4,`), kept as plies.
//!
//! A line begins at most two plies before its comment. As many of its first moves as may be
//! are those of a *source*: the main line, or a line named shortly before, where both have the
//! same moves up to there. The others are packed like plies of the main line, lists of pieces
//! and all. A word is a move only if the game writes it letter by letter so, in English; what
//! follows the last move stays a text.
//!
//! ```text
//! head   varint: source (0 none, 1 the main line, 2 the line named last, 3 the one before …)
//!        + 6 × plies from the begin of the line to the comment
//!        + 18 if a text follows
//!   varint   moves of the source, if there is one
//!   varint   moves that are packed
//! ```

use std::collections::VecDeque;

use super::{audit::is_legal_at, comment_template::BYTES_MAX, texts::side_of};
use crate::{
    base::varint::{put_varint, take_varint},
    games::BoardGame,
};

/// How many plies before its comment a line can begin.
const BACK_MAX: usize = 2;
/// Where a line is searched for at first: engines name the move that they have just played, then
/// the one that they had expected, then what comes. Then it is where one was found last after a
/// move of the same side: what is written alike packs better.
const BACKS: [usize; BACK_MAX + 1] = [1, 2, 0];
/// How many of the lines named last are sources.
const RECENT: usize = 4;
const SOURCES: u64 = 2 + RECENT as u64;
const PLACES: u64 = SOURCES * (BACK_MAX as u64 + 1);

/// What is stored of a line besides its packed plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineHead {
    /// Plies from its begin to the comment.
    back: usize,
    /// 0 for none, 1 for the main line, 2 for the line named last and so on.
    source: usize,
    /// Moves of the source.
    copied: usize,
    /// Moves that are packed.
    packed: usize,
    /// Whether a text follows.
    pub(super) goes_on: bool,
}

impl LineHead {
    /// The first number of the head.
    pub(super) const fn first(&self) -> u64 {
        let place = self.source as u64 + SOURCES * self.back as u64;
        place + if self.goes_on { PLACES } else { 0 }
    }

    /// Appends the numbers after the first.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        if self.source > 0 {
            put_varint(self.copied as u64, out);
        }
        put_varint(self.packed as u64, out);
    }

    /// Takes the numbers after the first off.
    pub(super) fn take(first: u64, bytes: &mut &[u8]) -> Option<Self> {
        let source = (first % SOURCES) as usize;
        let mut number = || usize::try_from(take_varint(bytes)?).ok();
        (first < 2 * PLACES).then_some(())?;
        Some(Self {
            back: (first % PLACES / SOURCES) as usize,
            source,
            copied: if source > 0 { number()? } else { 0 },
            packed: number()?,
            goes_on: first >= PLACES,
        })
    }
}

/// Packs lines that texts name.
pub(super) trait PackLine {
    /// Packs the line with which a text of a comment after that many plies of the main line
    /// begins: how many bytes of the text that is, and its head. `None` if it begins with none.
    fn pack(&mut self, plies: u32, text: &str, out: &mut Vec<u8>) -> Option<(usize, LineHead)>;
}

/// Writes lines that texts name.
pub trait LineSource {
    /// Whether it takes packed plies off.
    const UNPACKS: bool = true;

    /// Appends the line of a comment after that many plies of the main line; `None` where it
    /// is damaged.
    fn read(
        &mut self,
        plies: u32,
        head: LineHead,
        packed: &mut &[u8],
        out: &mut Vec<u8>,
    ) -> Option<()>;
}

/// Leaves lines out, for who does not ask for them; packs none.
#[derive(Debug, Clone, Copy)]
pub struct NoLines;

impl PackLine for NoLines {
    fn pack(&mut self, _: u32, _: &str, _: &mut Vec<u8>) -> Option<(usize, LineHead)> {
        None
    }
}

impl LineSource for NoLines {
    const UNPACKS: bool = false;

    fn read(&mut self, _: u32, _: LineHead, _: &mut &[u8], _: &mut Vec<u8>) -> Option<()> {
        Some(())
    }
}

/// Lines that were packed just now, in their order.
pub(super) struct KnownLines<'l>(pub(super) std::slice::Iter<'l, &'l str>);

impl LineSource for KnownLines<'_> {
    const UNPACKS: bool = false;

    fn read(&mut self, _: u32, _: LineHead, _: &mut &[u8], out: &mut Vec<u8>) -> Option<()> {
        out.extend_from_slice(self.0.next()?.as_bytes());
        Some(())
    }
}

/// A line by its moves and as it is written.
#[derive(Debug, Clone)]
struct NamedLine<M> {
    /// Plies before it.
    base: usize,
    moves: Vec<M>,
    text: String,
    /// Where each move ends in the text.
    ends: Vec<usize>,
}

impl<M: Copy + PartialEq> NamedLine<M> {
    const fn new() -> Self {
        Self {
            base: 0,
            moves: Vec::new(),
            text: String::new(),
            ends: Vec::new(),
        }
    }

    fn clear(&mut self, base: usize) {
        self.base = base;
        self.moves.clear();
        self.text.clear();
        self.ends.clear();
    }

    /// Where a move begins in the text.
    fn begin(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.ends[before] + 1)
    }

    /// Adds a move that `write` writes.
    fn push(&mut self, write: impl FnOnce(&mut String) -> M) {
        if !self.moves.is_empty() {
            self.text.push(' ');
        }
        let m = write(&mut self.text);
        self.moves.push(m);
        self.ends.push(self.text.len());
    }

    /// Begins with that many moves of another line; `None` if that has fewer, or they
    /// are longer than a comment.
    fn copy(&mut self, other: &Self, from: usize, count: usize) -> Option<()> {
        let moves = other.moves.get(from..)?.get(..count)?;
        if let Some(last) = count.checked_sub(1) {
            let begin = other.begin(from);
            let text = &other.text[begin..other.ends[from + last]];
            (text.len() <= BYTES_MAX).then_some(())?;
            self.text.push_str(text);
            self.moves.extend_from_slice(moves);
            let ends = &other.ends[from..from + count];
            self.ends.extend(ends.iter().map(|end| end - begin));
        }
        Some(())
    }

    /// With how many of its moves from one on a text begins.
    fn common(&self, from: usize, text: &str) -> usize {
        let begin = self.begin(from);
        let same = same_bytes(&self.text.as_bytes()[begin..], text.as_bytes());
        let ends = &self.ends[from..];
        let count = ends.partition_point(|end| end - begin <= same);
        let ends_word = |last: usize| {
            let after = text.as_bytes().get(ends[last] - begin);
            matches!(after, None | Some(b' '))
        };
        match count.checked_sub(1) {
            Some(last) if !ends_word(last) => last,
            _ => count,
        }
    }
}

/// With how many equal bytes two texts begin.
fn same_bytes(one: &[u8], other: &[u8]) -> usize {
    const CHUNK: usize = 16;
    let chunks = one.chunks_exact(CHUNK).zip(other.chunks_exact(CHUNK));
    let same = CHUNK * chunks.take_while(|(one, other)| one == other).count();
    let rest = one[same..].iter().zip(&other[same..]);
    same + rest.take_while(|(one, other)| one == other).count()
}

/// The lines that the comments of a game name, one after the other.
#[derive(Debug, Clone)]
pub struct Lines<'b, G: BoardGame> {
    start: &'b G,
    /// `None` once it is played.
    packed_main: Option<&'b [u8]>,
    main: NamedLine<G::Move>,
    /// Those named last, the last first.
    recent: VecDeque<NamedLine<G::Move>>,
    /// To be filled.
    spare: NamedLine<G::Move>,
    /// Where the main line stands, and where it stood before each of the last plies, the
    /// last first.
    stood: VecDeque<(G, G::Slots)>,
    plies: usize,
    /// Where lines are searched for after moves of each side.
    backs: [[usize; BACK_MAX + 1]; 2],
    /// Only legal moves are taken.
    is_strict: bool,
    scratch: Vec<u8>,
}

impl<'b, G: BoardGame> Lines<'b, G> {
    /// Of a game that begins at a position and has that main line.
    pub const fn new(start: &'b G, main_line: &'b [u8]) -> Self {
        Self {
            start,
            packed_main: Some(main_line),
            main: NamedLine::new(),
            recent: VecDeque::new(),
            spare: NamedLine::new(),
            stood: VecDeque::new(),
            plies: 0,
            backs: [BACKS; 2],
            is_strict: false,
            scratch: Vec::new(),
        }
    }

    /// The same; the main line ends before a move that is not legal, and such a move of a
    /// line is damage.
    pub fn of_legal(start: &'b G, main_line: &'b [u8]) -> Self {
        Self {
            is_strict: true,
            ..Self::new(start, main_line)
        }
    }

    /// Goes on to where a comment stands.
    fn go_to(&mut self, plies: u32) -> Option<()> {
        if let Some(mut packed) = self.packed_main.take() {
            let (mut at, mut slots) = (self.start.clone(), self.start.slots());
            self.stood.push_front((at.clone(), slots.clone()));
            let mut legal = Vec::new();
            while let Some(m) = at.unpack(&mut slots, &mut packed) {
                if self.is_strict && !is_legal_at(&at, m, &mut legal) {
                    break;
                }
                self.main.push(|text| {
                    at.write_onto(m, text);
                    m
                });
            }
        }
        let plies = plies as usize;
        for &m in self.main.moves.get(self.plies..plies)? {
            let (mut at, mut slots) = self.stood.front()?.clone();
            self.scratch.clear();
            at.pack(m, &mut slots, &mut self.scratch);
            at.play(m);
            self.stood.truncate(BACK_MAX);
            self.stood.push_front((at, slots));
        }
        self.plies = plies;
        Some(())
    }

    /// A source and which of its moves comes next after that many plies; `None` if it does not
    /// go on there, or has come there by other moves.
    fn source(&self, number: usize, base: usize) -> Option<(&NamedLine<G::Move>, usize)> {
        let Some(recent) = number.checked_sub(2) else {
            return (base < self.main.moves.len()).then_some((&self.main, base));
        };
        let line = self.recent.get(recent)?;
        let from = base.checked_sub(line.base)?;
        let is_played = || line.moves[..from] == self.main.moves[line.base..base];
        (from < line.moves.len() && is_played()).then_some((line, from))
    }

    /// The source that has most of the first moves of a text after that many plies, and how many.
    fn best(&self, base: usize, text: &str) -> Option<(usize, usize)> {
        let sources = (1..2 + self.recent.len()).filter_map(|number| {
            let (line, from) = self.source(number, base)?;
            let common = line.common(from, text);
            (common > 0).then_some((number, common))
        });
        // Of equals the first.
        sources.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    /// Begins a line with moves of a source.
    fn begin(&mut self, back: usize, source: usize, copied: usize) -> Option<NamedLine<G::Move>> {
        let mut line = std::mem::replace(&mut self.spare, NamedLine::new());
        let base = self.plies.checked_sub(back)?;
        line.clear(base);
        if source > 0 {
            let (source, from) = self.source(source, base)?;
            line.copy(source, from, copied)?;
        }
        Some(line)
    }

    /// Where a line goes on that has some moves already.
    fn behind(&mut self, back: usize, line: &NamedLine<G::Move>) -> Option<(G, G::Slots)> {
        let (mut at, mut slots) = self.stood.get(back)?.clone();
        for &m in &line.moves {
            self.scratch.clear();
            at.pack(m, &mut slots, &mut self.scratch);
            at.play(m);
        }
        Some((at, slots))
    }

    /// Makes a line a source for the next ones.
    fn keep(&mut self, line: NamedLine<G::Move>) {
        self.recent.push_front(line);
        if self.recent.len() > RECENT {
            self.spare = self.recent.pop_back().unwrap_or_else(NamedLine::new);
        }
    }
}

/// The word that a text begins with.
fn first_word(text: &str) -> &str {
    let end = text.bytes().position(|byte| byte == b' ');
    &text[..end.unwrap_or(text.len())]
}

impl<G: BoardGame> PackLine for Lines<'_, G> {
    fn pack(&mut self, plies: u32, text: &str, out: &mut Vec<u8>) -> Option<(usize, LineHead)> {
        self.go_to(plies)?;
        let side = usize::from(side_of(plies));
        let all = self.backs[side];
        let backs = || all.into_iter().filter(|&back| back < self.stood.len());
        let found = backs().find_map(|back| Some((back, self.best(self.plies - back, text)?)));
        let begins = |back: &usize| {
            let (mut at, mut slots) = self.stood[*back].clone();
            let word = first_word(text);
            at.take_exact(word, &mut slots, &mut Vec::new()).is_some()
        };
        let found = found.or_else(|| Some((backs().find(begins)?, (0, 0))));
        let (back, (source, copied)) = found?;
        if let Some(at) = all.iter().position(|&known| known == back) {
            self.backs[side][..=at].rotate_right(1);
        }
        let mut line = self.begin(back, source, copied)?;
        let mut packed = 0;
        if line.text.len() < text.len() {
            let (mut at, mut slots) = self.behind(back, &line)?;
            loop {
                let rest = &text[line.text.len()..];
                let rest = if line.moves.is_empty() {
                    Some(rest)
                } else {
                    rest.strip_prefix(' ')
                };
                let Some(word) = rest.map(first_word) else {
                    break;
                };
                let before = out.len();
                let Some(m) = at.take_exact(word, &mut slots, out) else {
                    out.truncate(before);
                    break;
                };
                line.push(|text| {
                    text.push_str(word);
                    m
                });
                packed += 1;
            }
        }
        let bytes = line.text.len();
        self.keep(line);
        let head = LineHead {
            back,
            source,
            copied,
            packed,
            goes_on: bytes < text.len(),
        };
        Some((bytes, head))
    }
}

impl<G: BoardGame> LineSource for Lines<'_, G> {
    fn read(
        &mut self,
        plies: u32,
        head: LineHead,
        packed: &mut &[u8],
        out: &mut Vec<u8>,
    ) -> Option<()> {
        self.go_to(plies)?;
        let mut line = self.begin(head.back, head.source, head.copied)?;
        if head.packed > 0 {
            let (mut at, mut slots) = self.behind(head.back, &line)?;
            let mut legal = Vec::new();
            for _ in 0..head.packed {
                let m = at.unpack(&mut slots, packed)?;
                if line.text.len() > BYTES_MAX || self.is_strict && !is_legal_at(&at, m, &mut legal)
                {
                    return None;
                }
                line.push(|text| {
                    at.write_onto(m, text);
                    m
                });
            }
        }
        out.extend_from_slice(line.text.as_bytes());
        self.keep(line);
        Some(())
    }
}

#[cfg(test)]
mod tests;
