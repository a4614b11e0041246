//! The one reader of movetext: from a parsed game to its plies and what was written
//! around them.
//!
//! Words are resolved one after the other; the first that is no legal move ends the
//! main line, and the rest is kept as text (rule M10). Comments, NAGs, variations and
//! stray words are noted with their places in a [tree](super::variation_tree), and variations as
//! plies.

use super::{
    buffers::Reading,
    game::BoardGame,
    language::ExpectedNotation,
    line::{PlayLine, TokenResult, kept_word},
    raw_text::{keep_rest, with_number},
    text::{GameText, ParseAttempt, ParseBudget, WordRemainder},
    variation::Variations,
    variation_tree::{Annotation, TreeIter, VariationTree},
};
use crate::{
    base::{diagnostic::Code, limits::PLIES_MAX},
    games::key::Structure,
    pgn::parser::{ItemKind, RawItem},
};

/// A start position made ready for reading games from it.
#[derive(Debug, Clone)]
pub struct StartContext<G: BoardGame> {
    /// The position.
    pub at: G,
    /// How texts are expected to be meant.
    pub convention: G::Convention,
    slots: G::Slots,
    structure: Structure,
}

impl<G: BoardGame> StartContext<G> {
    /// Makes a position ready.
    pub fn new(at: G, convention: G::Convention) -> Self {
        Self {
            slots: at.slots(),
            structure: at.structure(),
            at,
            convention,
        }
    }

    /// Makes a position ready for texts of a source.
    pub fn expected(at: G, expected: ExpectedNotation) -> Self {
        let convention = at.convention(expected);
        Self::new(at, convention)
    }
}

/// What became of a game.
#[derive(Debug)]
pub struct ReadOutcome<G: BoardGame> {
    /// The position after the last ply.
    pub last: G,
    /// The convention that it was read by, if another than was expected.
    pub other: Option<G::Convention>,
}

/// How a reading came to its end.
enum ReadStop<C> {
    /// All words were read; this many of them are no moves, or have letters that the convention
    /// lacks.
    Through(u32),
    /// A move is not legal.
    Cut,
    /// It is meant in another way.
    Meant(C),
}

/// Looks how far a text can be read as it is expected to be meant, at little cost.
pub fn attempt<G: BoardGame>(
    context: &StartContext<G>,
    text: GameText<'_>,
) -> ParseAttempt<G::Move> {
    let mut out = Reading::default();
    let read = read_in(
        context,
        &context.convention,
        text,
        ParseBudget::Trial,
        &mut out,
    );
    read.attempt(out.ply_count)
}

/// Reads a text as it is expected to be meant and in no other way.
pub fn read_without_alternatives<G: BoardGame>(
    context: &StartContext<G>,
    text: GameText<'_>,
    out: &mut Reading,
) -> G {
    read_in(context, &context.convention, text, ParseBudget::Game, out).last
}

/// A game read by one convention.
struct ReadGame<G: BoardGame> {
    last: G,
    played: Vec<G::Move>,
    end: ReadStop<G::Convention>,
}

impl<G: BoardGame> ReadGame<G> {
    fn attempt(self, plies: u32) -> ParseAttempt<G::Move> {
        ParseAttempt {
            plies,
            moves: self.played,
            odd_words: match self.end {
                ReadStop::Through(odd) => Some(odd),
                ReadStop::Cut | ReadStop::Meant(_) => None,
            },
        }
    }
}

/// Reads a game in the way that is expected or, where that does not fit, in the one that
/// fits best. Variations that would not be found again as they were read are kept as text.
pub fn read<G: BoardGame>(
    context: &StartContext<G>,
    text: GameText<'_>,
    out: &mut Reading,
) -> ReadOutcome<G> {
    let mark = out.mark();
    let ended = read_best(context, text, out);
    let is_kept = !out.is_over() && out.tree.has_plies();
    if is_kept && !is_found_again(context, &ended, out.plies_from(mark), out) {
        out.forget(mark);
        out.keeps_variations_as_text = true;
        read_best(context, text, out);
        out.keeps_variations_as_text = false;
        // No search finds positions in text.
        out.forget_variations(mark);
    }
    ended
}

/// Whether the packed tree of a game has the plies that were read.
fn is_found_again<G: BoardGame>(
    context: &StartContext<G>,
    ended: &ReadOutcome<G>,
    main_line: &[u8],
    out: &Reading,
) -> bool {
    let meant = ended
        .other
        .as_ref()
        .and_then(|other| context.at.meant(other));
    let start = meant.as_ref().unwrap_or(&context.at).cursor();
    let mut packed = Vec::new();
    out.tree.write_tree(&mut packed);
    let trace =
        VariationTree::of(&packed).map(|tree| TreeIter::new(start, main_line, tree).trace());
    trace == Some(Ok(out.tree.trace()))
}

fn read_best<G: BoardGame>(
    context: &StartContext<G>,
    text: GameText<'_>,
    out: &mut Reading,
) -> ReadOutcome<G> {
    let mark = out.mark();
    let expected = &context.convention;
    let read_as = |convention: &G::Convention, effort, out: &mut Reading| {
        out.forget(mark);
        read_in(context, convention, text, effort, out)
    };
    let read = read_as(expected, ParseBudget::Game, out);
    let last = read.last.clone();
    match read.end {
        ReadStop::Through(0) => return ReadOutcome { last, other: None },
        ReadStop::Meant(other) => {
            let ReadGame { last, .. } = read_as(&other, ParseBudget::Trial, out);
            let other = Some(other);
            return ReadOutcome { last, other };
        }
        ReadStop::Through(_) | ReadStop::Cut => {}
    }
    let attempt = read.attempt(out.ply_count);
    let others = context.at.others(text, expected, &attempt);
    if others.is_empty() {
        return ReadOutcome { last, other: None };
    }
    let mut best = G::rank(text, expected, &attempt);
    let mut taken = None;
    for other in others {
        let read = read_as(&other, ParseBudget::Trial, out);
        let last = read.last.clone();
        let attempt = read.attempt(out.ply_count);
        let rank = G::rank(text, &other, &attempt);
        if rank > best {
            if attempt.odd_words == Some(0) {
                let other = Some(other);
                return ReadOutcome { last, other };
            }
            best = rank;
            taken = Some(other);
        }
    }
    let ReadGame { last, .. } = match &taken {
        Some(other) => read_as(other, ParseBudget::Trial, out),
        None => read_as(expected, ParseBudget::Game, out),
    };
    ReadOutcome { last, other: taken }
}

/// Reads a game by a convention.
fn read_in<G: BoardGame>(
    context: &StartContext<G>,
    convention: &G::Convention,
    text: GameText<'_>,
    effort: ParseBudget,
    out: &mut Reading,
) -> ReadGame<G> {
    let GameText { raw, bytes, decode } = text;
    let meant = context.at.meant(convention);
    let start = meant.as_ref().unwrap_or(&context.at);
    let structure = match &meant {
        Some(at) => at.structure(),
        None => context.structure,
    };
    let mut reader = MovetextReader {
        text,
        context: start.context(text, convention, effort),
        main: PlayLine::new(start.clone(), structure, context.slots.clone(), 0),
        keeps_before: raw
            .items
            .iter()
            .any(|item| item.kind == ItemKind::VariationStart),
        variations: Variations::default(),
        skipped: None,
        odd_words: 0,
        first_number: None,
    };
    out.begin_in(G::language(convention));
    out.structures.push((structure.key() >> 32) as u32);
    if let Some((code, detail)) = G::note(convention, effort == ParseBudget::Game) {
        let first = text.words_of_line(0).next();
        let offset = first.map_or(raw.span.0, |first| raw.items[first].offset);
        out.report(code, offset, detail);
    }
    for (at, item) in raw.items.iter().enumerate() {
        if out.is_over() {
            return reader.ended(ReadStop::Through(0));
        }
        if !reader.variations.is_empty() {
            reader.variations.item(&mut reader.context, text, at, out);
            continue;
        }
        match item.kind {
            ItemKind::Setup if !G::SETS_UP => out.text(Annotation::Word, &text.of(item)),
            ItemKind::Word | ItemKind::Setup => match reader.word(at, item, out) {
                WordOutcome::On => {}
                WordOutcome::Stop(from, number) => {
                    keep_rest(raw, bytes, (from, number), decode, out);
                    return reader.ended(ReadStop::Cut);
                }
                WordOutcome::Meant(other) => return reader.ended(ReadStop::Meant(other)),
            },
            ItemKind::Comment => out.text(Annotation::Comment, &text.of(item)),
            ItemKind::LineComment => out.text(Annotation::LineComment, &text.of(item)),
            ItemKind::Nag => out.nag(item.value),
            ItemKind::Result | ItemKind::Text => out.aside(&text.of(item)),
            ItemKind::VariationStart => reader.variations.open(&reader.main, text, at, out),
            ItemKind::VariationEnd => {}
        }
    }
    reader.variations.close_all(out);
    let odd_words = reader.odd_words;
    reader.ended(ReadStop::Through(odd_words))
}

/// How a word of the main line was taken.
enum WordOutcome<C> {
    /// The line goes on.
    On,
    /// The line ends; what is left begins there, with a number before it unless that is 0.
    Stop(u32, u32),
    /// The text is meant in another way.
    Meant(C),
}

struct MovetextReader<'a, G: BoardGame> {
    text: GameText<'a>,
    context: G::Context<'a>,
    main: PlayLine<G>,
    /// Whether the position before each move is kept: only if there are variations.
    keeps_before: bool,
    variations: Variations<G>,
    /// After how many plies a word was passed over: since then move numbers are watched
    /// (rule M10).
    skipped: Option<u32>,
    /// Words that are no moves, or have letters that the convention has not.
    odd_words: u32,
    /// The first move number, and the position's own there: numbering may be relative.
    first_number: Option<(u32, u32)>,
}

impl<G: BoardGame> MovetextReader<'_, G> {
    fn ended(self, end: ReadStop<G::Convention>) -> ReadGame<G> {
        ReadGame {
            last: self.main.at,
            played: self.main.played,
            end,
        }
    }

    /// Takes a word of the main line.
    #[inline]
    fn word(&mut self, at: usize, item: &RawItem, out: &mut Reading) -> WordOutcome<G::Convention> {
        if self.main.passes_over() {
            return WordOutcome::On;
        }
        if G::NUMBERS_DECIDE
            && let Some(behind) = self.skipped
            && let Some(taken) = self.behind_text(at, item, behind, out)
        {
            return taken;
        }
        if out.ply_count as usize >= PLIES_MAX {
            return self.too_long(item, out);
        }
        let own_number = if G::NUMBERS_DECIDE {
            self.main.at.number().0
        } else {
            0
        };
        let played = out.ply_count;
        let next = match self.main.plain(&mut self.context, self.text, item) {
            Some(m) => {
                self.play(m, out);
                WordOutcome::On
            }
            None => self.unusual(at, item, out),
        };
        // Only a move shows how the moves are numbered.
        if G::NUMBERS_DECIDE
            && item.value > 0
            && self.first_number.is_none()
            && out.ply_count > played
        {
            self.first_number = Some((item.value, own_number));
        }
        next
    }

    /// Takes a word of the main line after a word that is no move, if it is none of the
    /// next moves either: one that a sentence speaks of, or one of another line (M10).
    #[cold]
    fn behind_text(
        &self,
        at: usize,
        item: &RawItem,
        behind: u32,
        out: &mut Reading,
    ) -> Option<WordOutcome<G::Convention>> {
        let is_aside = if self.contradicts(item) {
            if !self.is_mention(at, item) {
                let detail = format!("{} is not the number of the next move", item.value);
                out.report(Code::NumberMismatch, item.offset, detail);
                let from = with_number(self.text.bytes, item);
                // Its number says why it is not played: it may stand before a comment.
                let is_apart = from == item.offset;
                let number = if is_apart { item.value } else { 0 };
                return Some(WordOutcome::Stop(from, number));
            }
            true
        } else {
            item.value == 0 && behind == out.ply_count && self.comes_later(at)
        };
        is_aside.then(|| {
            let word = kept_word(self.text, item, 0, false);
            out.text(Annotation::Word, &word);
            WordOutcome::On
        })
    }

    /// Whether a word names a move that stands before it: `2. Nf3 Nc6`, "after 2...Nc6".
    fn is_mention(&self, at: usize, item: &RawItem) -> bool {
        const ITEMS_BACK: usize = 64;
        let items = &self.text.raw.items[..at];
        let words = items.iter().rev().take(ITEMS_BACK);
        let mut words = words.filter(|item| item.kind == ItemKind::Word).peekable();
        let text = self.text.bytes_of(item);
        std::iter::from_fn(|| {
            let word = words.next()?;
            let before = words.peek().map_or(0, |before| before.value);
            let number = if word.value == 0 { before } else { word.value };
            Some((word, number))
        })
        .any(|(word, number)| number == item.value && self.text.bytes_of(word) == text)
    }

    /// Whether the move that is due comes with its number after a word that has none.
    fn comes_later(&self, at: usize) -> bool {
        const WORDS: usize = 32;
        let mut words = self.text.words_of_line(at).skip(1).take(WORDS);
        let numbered = words.find_map(|at| {
            let item = &self.text.raw.items[at];
            (item.value > 0).then_some(item)
        });
        let (_, black) = self.main.at.number();
        numbered
            .is_some_and(|item| !self.contradicts(item) && black == (self.dots_before(item) > 1))
    }

    #[inline]
    fn play(&mut self, m: G::Move, out: &mut Reading) {
        if self.main.play(m, self.keeps_before, &mut out.plies) {
            out.structures
                .push((self.main.structure.key() >> 32) as u32);
        }
        out.ply_count += 1;
    }

    fn too_long(&self, item: &RawItem, out: &mut Reading) -> WordOutcome<G::Convention> {
        out.report(Code::PliesCut, item.offset, "");
        WordOutcome::Stop(with_number(self.text.bytes, item), 0)
    }

    /// Takes a word that is not written as nearly all are.
    #[cold]
    fn unusual(
        &mut self,
        at: usize,
        item: &RawItem,
        out: &mut Reading,
    ) -> WordOutcome<G::Convention> {
        loop {
            if let Some(other) = self.main.at.doubt(&mut self.context, at, false) {
                return WordOutcome::Meant(other);
            }
            let TokenResult { reading, words } =
                self.main.take(&mut self.context, self.text, at, true);
            if matches!(reading.rest, WordRemainder::Stop(..))
                && reading.moves().is_empty()
                && let Some(other) = self.main.at.doubt(&mut self.context, at, true)
            {
                return WordOutcome::Meant(other);
            }
            let moves = reading.moves();
            for (code, detail) in &reading.findings {
                let detail = if detail.is_empty() {
                    self.text.of(item).into_owned().into()
                } else {
                    detail.clone()
                };
                out.report(*code, item.offset, detail);
            }
            for &m in moves {
                if out.ply_count as usize >= PLIES_MAX {
                    return self.too_long(item, out);
                }
                self.play(m, out);
            }
            self.odd_words += u32::from(reading.is_foreign);
            if reading.result.is_some() {
                out.result.clone_from(&reading.result);
            }
            match &reading.rest {
                // A move that was not written: now the word itself.
                WordRemainder::None if words == 0 => {}
                WordRemainder::None => return WordOutcome::On,
                WordRemainder::Unread(from) => {
                    // A set-up that only repeats who moves still says what it is.
                    out.aside(&kept_word(self.text, item, *from, !moves.is_empty()));
                    self.skipped = Some(out.ply_count);
                    self.odd_words += 1;
                    return WordOutcome::On;
                }
                WordRemainder::Stop(from, code, detail) => {
                    let found = (*code, detail.clone());
                    let detail = self
                        .main
                        .at
                        .explained(&self.context, at, out.ply_count, found);
                    out.report(*code, item.offset, detail);
                    let from = self.rest_begins(item, *from, !moves.is_empty());
                    return WordOutcome::Stop(from, 0);
                }
            }
        }
    }

    /// Where the text begins that is kept as it stands, if a line ends inside a word.
    fn rest_begins(&self, item: &RawItem, from: usize, has_moves: bool) -> u32 {
        if item.kind == ItemKind::Setup {
            // With the sign that begins a set-up.
            let before = &self.text.bytes[..(item.offset as usize).min(self.text.bytes.len())];
            let sign = before.iter().rposition(|&byte| byte == b'/');
            sign.map_or(item.offset, |sign| sign as u32)
        } else if has_moves || from > 0 {
            item.offset + from as u32
        } else {
            with_number(self.text.bytes, item)
        }
    }

    /// Whether the number before a word cannot be that of the next move.
    fn contradicts(&self, item: &RawItem) -> bool {
        if item.value == 0 {
            return false;
        }
        let (number, black) = self.main.at.number();
        let (written, own) = self.first_number.unwrap_or((number, number));
        let expected = number.wrapping_sub(own).wrapping_add(written);
        // An export writes the position's own number, whatever stood before the first move.
        let is_due = item.value == expected || item.value == number;
        !is_due || (black && self.dots_before(item) == 1)
    }

    /// How many dots stand before a word.
    fn dots_before(&self, item: &RawItem) -> usize {
        let before = self.text.bytes.get(..item.offset as usize);
        let before = before.unwrap_or_default().trim_ascii_end().iter().rev();
        before.take_while(|&&byte| byte == b'.').count()
    }
}
