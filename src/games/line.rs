//! A line of play that is read word by word, and looks ahead where a word can mean
//! several things.

use std::{borrow::Cow, collections::VecDeque};

use super::{
    branch::Branch,
    buffers::Reading,
    game::BoardGame,
    raw_text::with_number,
    text::{GameText, WordReading, WordRemainder},
    variation_tree::respaced,
};
use crate::{
    base::{diagnostic::Code, limits::PLIES_MAX},
    games::key::Structure,
    pgn::parser::{ItemKind, RawItem},
};

/// Words of the main line that may be read again for other meanings of words before them.
const AGAIN: u32 = 20_000;
/// The same of a variation.
const AGAIN_IN_VARIATION: u32 = 500;

/// A line of play: the main line, or one inside a variation.
#[derive(Debug, Clone)]
pub(super) struct PlayLine<G: BoardGame> {
    pub(super) at: G,
    pub(super) structure: Structure,
    slots: G::Slots,
    /// Plies from the start of the game.
    pub(super) ply: u32,
    /// What was before the last move: a variation of that move begins there.
    before: Option<(G, Structure, G::Slots)>,
    /// The moves so far, if the game remembers them.
    pub(super) played: Vec<G::Move>,
    /// A move that cannot be played has ended the line.
    is_cut: bool,
    /// Words to come that an earlier one has taken.
    taken: u32,
    /// What the words to come mean, once it was looked ahead.
    ahead: VecDeque<WordReading<G::Move>>,
}

/// A word that was read: one meaning at most, and how many words that takes.
#[derive(Debug)]
pub(super) struct TokenResult<M> {
    pub(super) reading: WordReading<M>,
    pub(super) words: u32,
}

impl<G: BoardGame> Branch for PlayLine<G> {
    fn branch(&self) -> Self {
        let (at, structure, slots) = match &self.before {
            Some((at, structure, slots)) => (at, *structure, slots),
            None => (&self.at, self.structure, &self.slots),
        };
        let ply = self.ply.saturating_sub(1);
        Self {
            is_cut: self.is_cut || self.before.is_none(),
            ..Self::new(at.clone(), structure, slots.clone(), ply)
        }
    }
}

impl<G: BoardGame> PlayLine<G> {
    /// Begins at a position, after that many plies.
    pub(super) const fn new(at: G, structure: Structure, slots: G::Slots, ply: u32) -> Self {
        Self {
            at,
            structure,
            slots,
            ply,
            before: None,
            played: Vec::new(),
            is_cut: false,
            taken: 0,
            ahead: VecDeque::new(),
        }
    }

    /// Whether the next word belongs to one before it.
    #[inline]
    pub(super) const fn passes_over(&mut self) -> bool {
        let is_taken = self.taken > 0;
        if is_taken {
            self.taken -= 1;
        }
        is_taken
    }

    /// The move of a word that is written as nearly all are.
    #[inline]
    pub(super) fn plain(
        &self,
        context: &mut G::Context<'_>,
        text: GameText<'_>,
        item: &RawItem,
    ) -> Option<G::Move> {
        if !self.ahead.is_empty() || item.kind != ItemKind::Word {
            return None;
        }
        self.at.read_standard_move(context, text.bytes_of(item))
    }

    /// Plays a move and packs it; whether the structure has changed.
    #[inline]
    pub(super) fn play(&mut self, m: G::Move, keeps_before: bool, packed: &mut Vec<u8>) -> bool {
        if keeps_before {
            let slots = self.slots.clone();
            self.before = Some((self.at.clone(), self.structure, slots));
        }
        self.at.pack(m, &mut self.slots, packed);
        if G::REMEMBERS {
            self.played.push(m);
        }
        self.ply += 1;
        self.at.advance(m, &mut self.structure)
    }

    /// What the word at an item means, looking ahead if it can be several things.
    #[cold]
    pub(super) fn take(
        &mut self,
        context: &mut G::Context<'_>,
        text: GameText<'_>,
        item: usize,
        is_main: bool,
    ) -> TokenResult<G::Move> {
        let known = self.ahead.pop_front();
        let mut reading = known.unwrap_or_else(|| self.at.read_word(context, item, &self.played));
        if reading.options.len() > 1 {
            self.ahead = self.look_ahead(context, text, item, is_main, reading);
            reading = self.ahead.pop_front().unwrap_or_default();
        }
        let words = reading.options.first().map_or(1, |(_, words)| *words);
        self.taken = words.saturating_sub(1);
        TokenResult { reading, words }
    }

    /// Takes a word of a variation: plays what it means, and notes it where variations
    /// are [kept](Reading::keeps_variations_as_text) as plies.
    pub(super) fn word(
        &mut self,
        context: &mut G::Context<'_>,
        text: GameText<'_>,
        at: usize,
        out: &mut Reading,
    ) {
        let item = &text.raw.items[at];
        if self.is_cut {
            return out.word_of_variation(&kept_word(text, item, 0, false));
        }
        if self.passes_over() {
            return;
        }
        if let Some(m) = self.plain(context, text, item) {
            return self.play_variation(m, out);
        }
        loop {
            let TokenResult { reading, words } = self.take(context, text, at, false);
            let moves = reading.moves();
            for &m in moves {
                self.play_variation(m, out);
            }
            // Where the line goes on, its numbers do.
            if let WordRemainder::Unread(from) = reading.rest {
                out.word_of_variation(&kept_word(text, item, from, true));
            }
            if let WordRemainder::Stop(from, ..) = reading.rest {
                out.word_of_variation(&kept_word(text, item, from, !moves.is_empty()));
            }
            if let Some(result) = &reading.result {
                out.word_of_variation(result);
            }
            self.is_cut = matches!(reading.rest, WordRemainder::Stop(..));
            if words > 0 || moves.is_empty() {
                return;
            }
        }
    }

    fn play_variation(&mut self, m: G::Move, out: &mut Reading) {
        let code = self.at.code(m);
        if out.keeps_variations_as_text {
            self.play(m, true, &mut Vec::new());
        } else {
            out.tree.ply(code, |packed| {
                self.play(m, true, packed);
            });
        }
        out.note_variation(self.structure.key());
    }
}

/// What is left of a word from a byte on, as it is kept; where nothing of it could be
/// played, with its move number.
pub(super) fn kept_word<'t>(
    text: GameText<'t>,
    item: &RawItem,
    from: usize,
    has_moves: bool,
) -> Cow<'t, str> {
    if item.kind == ItemKind::Setup {
        let word = text.of(item);
        return format!("/FEN \"{}\"/", word.get(from..).unwrap_or(&word)).into();
    }
    let end = (item.offset + item.len) as usize;
    let from = if has_moves || from > 0 {
        item.offset as usize + from
    } else {
        with_number(text.bytes, item) as usize
    };
    let word = (text.decode)(text.bytes.get(from..end).unwrap_or_default());
    if word.bytes().any(|byte| byte.is_ascii_whitespace()) {
        // An export breaks lines where it likes.
        return respaced(&word).into();
    }
    word
}

/// A word that can mean several things, and those that were not tried yet.
struct AmbiguousWord<G: BoardGame> {
    /// How many words were read before it.
    read: usize,
    played: usize,
    at: G,
    word: usize,
    weight: u32,
    /// The next one last.
    left: Vec<(Vec<G::Move>, u32)>,
    findings: Vec<(Code, Cow<'static, str>)>,
}

/// How good a line is: complete; how far or how fitting; how much it takes.
type LineRank = (bool, u32, u32);

impl<G: BoardGame> PlayLine<G> {
    /// What the words mean from the first that can mean several things: depth first, with a bound.
    /// Of the meanings that make the entire line legal, one that agrees with the result is
    /// preferred, then the one that takes most, then the first.
    ///
    /// What was found is kept, for a second look may find less: looks are paid for.
    #[cold]
    fn look_ahead(
        &self,
        context: &mut G::Context<'_>,
        text: GameText<'_>,
        from: usize,
        is_main: bool,
        reading: WordReading<G::Move>,
    ) -> VecDeque<WordReading<G::Move>> {
        let words: Vec<usize> = text
            .words_of_line(from)
            .filter(|&at| G::SETS_UP || text.raw.items[at].kind == ItemKind::Word)
            .collect();
        let mut again = if is_main { AGAIN } else { AGAIN_IN_VARIATION };
        let mut best: Option<(LineRank, Vec<WordReading<G::Move>>)> = None;
        let (mut undecided, mut went_back) = (None, None);
        let mut choices: Vec<AmbiguousWord<G>> = Vec::new();
        let mut trial = Lookahead {
            at: self.at.clone(),
            played: self.played.clone(),
            ply: self.ply,
            word: 0,
            weight: 0,
            read: Vec::new(),
        };
        let mut first = Some(reading);
        'search: loop {
            let mut end = None;
            while let Some(&item) = words.get(trial.word) {
                if went_back.is_some() {
                    if again == 0 {
                        break 'search;
                    }
                    again -= 1;
                }
                let mut reading = match first.take() {
                    Some(reading) => reading,
                    None if is_main && trial.ply as usize >= PLIES_MAX => {
                        WordReading::stop(Code::PliesCut, "")
                    }
                    None => trial.at.read_word(context, item, &trial.played),
                };
                if reading.options.len() > 1 {
                    let mut left = reading.options.split_off(1);
                    left.reverse();
                    choices.push(AmbiguousWord {
                        read: trial.read.len(),
                        played: trial.played.len(),
                        at: trial.at.clone(),
                        word: trial.word,
                        weight: trial.weight,
                        left,
                        findings: reading.findings.clone(),
                    });
                }
                if trial.go_on(reading) {
                    end = Some(trial.word as u32);
                    break;
                }
            }
            while choices.last().is_some_and(|choice| choice.left.is_empty()) {
                choices.pop();
            }
            let rank = match end {
                None if choices.is_empty() && best.is_none() => (true, 0, 0),
                None if is_main => (true, trial.at.fits(context), trial.weight),
                None => (true, 0, trial.weight),
                Some(word) => (false, word, 0),
            };
            let known = best.as_ref().map(|(rank, _)| *rank);
            if known == Some(rank) && rank.0 {
                undecided = undecided.or(went_back);
            }
            if known.is_none_or(|known| rank > known) {
                undecided = None;
                // Copies of long lines are no cheaper than reading words.
                again = again.saturating_sub(trial.played.len() as u32 / 16);
                best = Some((rank, trial.read.clone()));
            }
            let Some(choice) = choices.last_mut() else {
                break;
            };
            let Some(option) = choice.left.pop() else {
                break;
            };
            went_back = Some(choice.read);
            trial.go_back_to(choice);
            trial.go_on(WordReading {
                options: vec![option],
                findings: choice.findings.clone(),
                ..WordReading::default()
            });
        }
        let mut read = best.map(|(_, read)| read).unwrap_or_default();
        if let Some(found) = undecided.and_then(|at: usize| read.get_mut(at)) {
            found.findings.push((G::UNDECIDED, Cow::Borrowed("")));
        }
        read.into()
    }
}

/// Where looking ahead stands.
struct Lookahead<G: BoardGame> {
    at: G,
    played: Vec<G::Move>,
    ply: u32,
    word: usize,
    weight: u32,
    read: Vec<WordReading<G::Move>>,
}

impl<G: BoardGame> Lookahead<G> {
    /// Plays what a word means; whether the line ends there.
    fn go_on(&mut self, reading: WordReading<G::Move>) -> bool {
        for &m in reading.moves() {
            self.weight += G::weight(m);
            self.at.play(m);
            self.ply += 1;
            self.played.push(m);
        }
        let ends = matches!(reading.rest, WordRemainder::Stop(..));
        if !ends {
            self.word += reading.options.first().map_or(1, |(_, words)| *words) as usize;
        }
        self.read.push(reading);
        ends
    }

    fn go_back_to(&mut self, choice: &AmbiguousWord<G>) {
        self.ply -= (self.played.len() - choice.played) as u32;
        self.at = choice.at.clone();
        self.word = choice.word;
        self.weight = choice.weight;
        self.played.truncate(choice.played);
        self.read.truncate(choice.read);
    }
}
