//! Moves as people type them, played by the one reader of games.

use super::numbers::{self, StrayNumber};
use crate::{
    base::diagnostic::{Code, Diagnostic},
    games::{
        AnyPosition, BoardGame, Budget, GameText, MoveStyle, NumberStyle, ParseBudget, ReadFailure,
        StartContext,
        buffers::Reading,
        language::{ExpectedNotation, main_words},
        notation::{
            clip,
            letters::{ENGLISH, LANGUAGES, Language, LetterCounts, is_foreign},
            so_far,
        },
        read_without_alternatives,
        text::parsed_line,
    },
    pgn::parser::{ItemKind, RawGame, RawItem},
};

/// A line of moves as far as it could be played.
pub(super) struct TypedLine {
    /// The position after them.
    pub(super) at: AnyPosition,
    /// The moves, as the game writes them.
    pub(super) moves: Vec<String>,
    /// How many of them only pass the turn.
    pub(super) passes: usize,
    /// What was unusual, each code once.
    pub(super) codes: Vec<Code>,
    /// The square that the last move has passed over as a double step.
    pub(super) double_step: Option<u8>,
    /// Whether squares are named as the game names them.
    pub(super) is_own: bool,
    /// Why the next word is no move, if not all are. It reaches 2 for each move.
    pub(super) stop: Option<ReadFailure>,
    /// The result after the moves, which says nothing of the position.
    pub(super) result: Option<String>,
    /// A number that is not that of a move.
    pub(super) stray: Option<StrayNumber>,
    /// What a comment says that looks like moves.
    pub(super) comment: Option<String>,
}

/// Plays moves; `start` says where a line stands before the first. In the given language, or in one
/// that makes all of them legal.
pub(super) fn play<G: BoardGame>(
    at: &G,
    text: &str,
    start: &str,
    told: Option<&'static Language>,
) -> TypedLine
where
    AnyPosition: From<G>,
{
    let mut line = played(at, text, start, told);
    if line.comment.is_none() || line.stop.is_some() {
        return line;
    }
    // What goes on with moves is no comment.
    for (at_sign, _) in text.match_indices(';').take(SEMICOLONS_MAX) {
        let (before, behind) = text.split_at(at_sign + 1);
        let opened = before.replace(';', " ") + behind;
        let further = played(at, &opened, start, told);
        if further.stop.is_some() || further.moves.len() <= line.moves.len() {
            break;
        }
        line = further;
    }
    line
}

/// The same with semicolons before comments.
fn played<G: BoardGame>(
    at: &G,
    text: &str,
    start: &str,
    told: Option<&'static Language>,
) -> TypedLine
where
    AnyPosition: From<G>,
{
    let text = tidy(text);
    let raw = parsed_line(&text, G::SYNTAX);
    let is_told = told.is_some();
    let told = told.and_then(|language| at.in_language(language));
    let usual = || at.convention(ExpectedNotation::certainly(ENGLISH));
    let read = |convention| {
        PlayedLine::new(StartContext::new(at.clone(), convention), &raw, &text).into_line(at, start)
    };
    let first = read(told.unwrap_or_else(usual));
    if at.in_language(ENGLISH).is_none() {
        return first;
    }
    let words = main_words(GameText::alone(&raw, &text));
    let has_all = |own: &Language| !words.iter().any(|word| is_foreign(word, own));
    // Words with letters of another language may be legal by chance in the one at hand.
    if first.stop.is_none() && (is_told || has_all(ENGLISH)) {
        return first;
    }
    let tally = LetterCounts::of(words.iter().map(AsRef::as_ref));
    let mut others: Vec<&'static Language> = tally.best();
    if others.is_empty() && tally.words() > 0 {
        let explains = |own: &&Language| tally.explained_by(own) == tally.words();
        others.extend(LANGUAGES.iter().filter(explains));
    }
    let others = others.into_iter().filter(|own| !own.is_english());
    let others = others.filter(|own| first.stop.is_some() || has_all(own));
    let conventions = others.filter_map(|own| at.in_language(own));
    let mut lines = conventions.map(read);
    lines.find(|line| line.stop.is_none()).unwrap_or(first)
}

/// Blanks where old books have them, taken out, and what stands for them, put in:
/// `e8 = Q`, `e8 (Q)`.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split([' ', '\t', '\n', '\r', '\u{a0}']) {
        let inside = word
            .strip_prefix('(')
            .and_then(|word| word.strip_suffix(')'));
        let piece = inside.filter(|piece| piece.chars().count() == 1);
        match piece {
            Some(piece) if out.ends_with(|c: char| c.is_ascii_digit()) => {
                out.push('=');
                out.push_str(piece);
                continue;
            }
            _ => {}
        }
        let is_glued = word.starts_with('=')
            && word.chars().count() < 3
            && out.ends_with(|c: char| c.is_ascii_digit())
            || out.ends_with('=') && word.chars().count() == 1;
        if !is_glued && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Findings that end a typed line: a position is reached by moves, each of them legal.
const fn stops(code: Code) -> bool {
    matches!(
        code,
        Code::IllegalMove
            | Code::AmbiguousMove
            | Code::UnknownWord
            | Code::LooseText
            | Code::NumberMismatch
            | Code::Placement
            | Code::OtherPromotion
            | Code::PliesCut
            | Code::StrayCloser
            | Code::UnclosedComment
            | Code::UnclosedRav
    )
}

/// Semicolons between moves after which text is searched.
const SEMICOLONS_MAX: usize = 100;

/// Results that are never meant as moves.
const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "½-½", "2-0", "0-2", "1-1", "*"];

/// Letters that annotate a move and are none: in a line that was typed they are a mistake.
const GLYPHS: [&str; 5] = ["N", "TN", "D", "RR", "zz"];

/// Words that say of a move what it does, and how a move that does it is written.
const REMARKS: [(&str, &str); 5] = [
    ("mate", "#"),
    ("ch", "+"),
    ("dis", "+"),
    ("dbl", "+"),
    ("ep", "x"),
];

/// Whether all words of a text can be conditions of a query: pieces on squares (`Pd4`, `q`), words
/// with a value (`player:x`, `R7=2`), or words that join such. Remarks of a person are not.
fn is_query_like(text: &str) -> bool {
    let is_like = |word: &str| {
        let mut letters = word.chars();
        let is_piece = letters.next().is_some_and(char::is_alphabetic)
            && letters.all(|c| c.is_ascii_digit() || matches!(c, 'a'..='l' | '-' | ',' | '/'))
            && word.len() <= 2 + 2 * word.chars().filter(char::is_ascii_digit).count();
        is_piece
            || word.contains([':', '='])
            || matches!(word, "and" | "or" | "not" | "check" | "mate")
    };
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some() && words.all(is_like)
}

/// A line as the reader of games has it.
struct PlayedLine<'a, G: BoardGame> {
    opening: StartContext<G>,
    raw: &'a RawGame,
    text: &'a str,
}

impl<'a, G: BoardGame> PlayedLine<'a, G>
where
    AnyPosition: From<G>,
{
    const fn new(opening: StartContext<G>, raw: &'a RawGame, text: &'a str) -> Self {
        Self { opening, raw, text }
    }

    fn read(&self, raw: &RawGame) -> (Reading, G) {
        let mut out = Reading::default();
        let last =
            read_without_alternatives(&self.opening, GameText::alone(raw, self.text), &mut out);
        (out, last)
    }

    /// The text of a word that begins at a byte.
    fn word_at(&self, from: usize) -> &'a str {
        let items = &mut self.raw.items.iter();
        let is_here = |item: &&RawItem| item.offset as usize == from && item.kind == ItemKind::Word;
        let rest = self.text.get(from..).unwrap_or_default();
        let length = items.find(is_here).map(|item| item.len as usize);
        let word = length.and_then(|length| rest.get(..length));
        word.unwrap_or_else(|| rest.split_whitespace().next().unwrap_or_default())
    }

    /// Where the first word begins that is no move of a typed line.
    fn stop(&self, read: &Reading, last: &G) -> Option<usize> {
        let raw = self.raw;
        let found = read.diagnostics.iter().chain(&raw.diagnostics);
        let found = found.filter(|found| stops(found.code) || self.is_unknown(found));
        let setups = raw.items.iter().filter(|item| item.kind == ItemKind::Setup);
        // A result may be meant as a move, and nothing may follow it.
        let words = || raw.items.iter().filter(|item| item.kind == ItemKind::Word);
        let last_word = words().next_back().map(|item| item.offset as usize);
        let as_result = last_word
            .filter(|&from| read.result.as_deref().map(str::trim) == Some(self.word_at(from)));
        let marker = raw.termination.map(|(from, _)| from as usize);
        let result = marker.into_iter().chain(as_result).find(|&from| {
            let word = self.word_at(from);
            let refusal = || last.refusal(word, &self.opening.convention);
            !RESULTS.contains(&word) && refusal().reached > 0
        });
        let behind = raw.movetext_span.1 as usize;
        let rest = self.text.get(behind..).unwrap_or_default().trim_start();
        let rest = (!rest.is_empty()).then(|| self.text.len() - rest.len());
        found
            .map(|found| found.offset_bytes as usize)
            .chain(setups.map(|item| item.offset as usize))
            .chain(self.behind_result())
            .chain(self.remark(read))
            .chain(self.aside())
            .chain(result)
            .chain(rest)
            .min()
    }

    /// Where the first word stands after a result, after which there is another game.
    fn behind_result(&self) -> Option<usize> {
        let mut items = self.raw.items.iter();
        items.find(|item| item.kind == ItemKind::Result)?;
        let word = items.find(|item| item.kind == ItemKind::Word)?;
        Some(word.offset as usize)
    }

    /// Whether moves have numbers.
    fn is_numbered(&self) -> bool {
        let mut items = self.raw.items.iter();
        items.any(|item| item.kind == ItemKind::Word && item.value > 0)
    }

    /// Where the first word stands that annotates a move, or says of it what it does not do.
    fn remark(&self, read: &Reading) -> Option<usize> {
        let items = || self.raw.items.iter();
        if self.is_numbered() {
            // It was copied from somewhere, and is no query.
            return None;
        }
        let begin = self.text.as_ptr() as usize;
        let start = &self.opening.at;
        self.text.split_ascii_whitespace().find_map(|word| {
            let at = word.as_ptr() as usize - begin;
            let is_in = |item: &RawItem| {
                let from = item.offset as usize;
                let is_comment = matches!(item.kind, ItemKind::Comment | ItemKind::LineComment);
                is_comment && (from..from + item.len as usize).contains(&at)
            };
            let is_wrong = if let Some((_, sign)) = REMARKS.iter().find(|(own, _)| *own == word) {
                let before =
                    |item: &&RawItem| item.kind == ItemKind::Word && (item.offset as usize) < at;
                let plies = items().filter(before).count();
                let (_, moves) = score(start, &unpacked(start, read));
                let last = plies.checked_sub(1).and_then(|ply| moves.get(ply));
                let is_so = |own: &String| own.contains(sign) || *sign == "+" && own.contains('#');
                !last.is_some_and(is_so)
            } else {
                GLYPHS.contains(&word)
            };
            (is_wrong && !items().any(is_in)).then_some(at)
        })
    }

    /// Where the first thing beside the moves begins that can be meant as a part of a query: in
    /// brackets, or with a sign. Where moves have numbers it was copied, and is not meant so.
    fn aside(&self) -> Option<usize> {
        if self.is_numbered() {
            return None;
        }
        let is_aside = |item: &&RawItem| {
            let (from, length) = (item.offset as usize, item.len as usize);
            let inner = self.text.get(from..from + length).unwrap_or_default();
            matches!(
                item.kind,
                ItemKind::Comment | ItemKind::LineComment | ItemKind::VariationStart
            ) && is_query_like(inner)
        };
        let item = self.raw.items.iter().find(is_aside);
        // Its text begins after the bracket.
        let item = item.map(|item| (item.offset as usize).saturating_sub(1));
        let begin = self.text.as_ptr() as usize;
        let mut words = self.text.split_ascii_whitespace();
        let sign = words.find(|word| word.starts_with(['!', '"']));
        let sign = sign.map(|word| word.as_ptr() as usize - begin);
        item.into_iter().chain(sign).min()
    }

    /// The result after moves without numbers, as it is written: with numbers they were copied, and
    /// it is no part of a query.
    fn result(&self) -> Option<String> {
        if self.is_numbered() {
            return None;
        }
        let (from, to) = self.raw.termination?;
        let text = self.text.get(from as usize..to as usize)?.trim();
        (text.len() > 1).then(|| text.to_owned())
    }

    /// What stands after a semicolon and begins as moves do, with a number.
    fn moves_in_comment(&self) -> Option<String> {
        let is_comment = |item: &&RawItem| item.kind == ItemKind::LineComment;
        let comments = self.raw.items.iter().filter(is_comment);
        let mut texts = comments.filter_map(|item| {
            let from = item.offset as usize;
            self.text.get(from..from + item.len as usize)
        });
        let text = texts.find(|text| text.trim().starts_with(|c: char| c.is_ascii_digit()))?;
        Some(text.trim().to_owned())
    }

    /// Whether a word passes the turn only because the move is unknown (`...` in draughts): with
    /// such a word no user types a position.
    fn is_unknown(&self, found: &Diagnostic) -> bool {
        let word = || self.word_at(found.offset_bytes as usize);
        found.code == Code::NullMove && word().contains(['.', '…'])
    }

    /// Whether the last word can mean several moves, where nothing determines the right one.
    fn is_open(&self, start: &G, moves: &[G::Move]) -> bool {
        let Some((_, before)) = moves.split_last() else {
            return false;
        };
        let mut at = start.clone();
        for &m in before {
            at.play(m);
        }
        let text = GameText::alone(self.raw, self.text);
        let Some(last) = text.words_of_line(0).last() else {
            return false;
        };
        let mut context = start.context(text, &self.opening.convention, ParseBudget::Variation);
        let options = at.read_word(&mut context, last, before).options;
        let mut keys = options.iter().map(|(moves, _)| {
            let mut next = at.clone();
            for &m in moves {
                next.play(m);
            }
            next.key()
        });
        let first = keys.next();
        keys.any(|key| Some(key) != first)
    }

    fn into_line(self, start: &G, before: &str) -> TypedLine {
        let (mut out, mut last) = self.read(self.raw);
        let stop = self.stop(&out, &last);
        // Moves that stick together are separated up to the one that is none.
        let glued = stop.filter(|&stop| {
            let is_here = |found: &&Diagnostic| found.offset_bytes as usize == stop;
            let found = out.diagnostics.iter().find(is_here);
            found.is_some_and(|found| matches!(found.code, Code::IllegalMove | Code::AmbiguousMove))
        });
        let told = glued.map(|_| unpacked(start, &out));
        let moves = if let Some(stop) = stop {
            let before = parsed_line(self.text.get(..stop).unwrap_or_default(), G::SYNTAX);
            (out, last) = self.read(&before);
            unpacked(start, &out)
        } else {
            unpacked(start, &out)
        };
        let (number, score) = score(start, told.as_ref().unwrap_or(&moves));
        let refusal = stop.map(|stop| {
            let word = self.word_at(stop);
            let mut why = last.refusal(word, &self.opening.convention);
            if self.behind_result() == Some(stop) {
                let what = format!("`{}` follows a result", clip(word));
                why = ReadFailure::at(1, what, "type the moves of one game");
            }
            if why.reached == 0
                && let Some(fact) = numbers::fact_meant(word)
            {
                why.hint = format!("filters are written name:value: {fact}").into();
            }
            let after = so_far(&score, || before.to_owned());
            let message = format!("move {number}: {} ({after})", why.message);
            // To pass proves nothing.
            let played = moves.iter().filter(|m| **m != G::NULL).count() as u32;
            ReadFailure::at(why.reached + 2 * played, message, why.hint)
        });
        let mut codes: Vec<Code> = out.diagnostics.iter().map(|found| found.code).collect();
        codes.dedup();
        let mut written = Vec::with_capacity(moves.len());
        if self.is_open(start, &moves) && !codes.contains(&Code::AmbiguousCapture) {
            codes.push(Code::AmbiguousCapture);
        }
        let stray = numbers::stray(self.raw, self.text, &|number| {
            is_due(start, moves.len() as u32, number)
        });
        let passes = moves.iter().filter(|m| **m == G::NULL).count();
        if passes > 0 && !codes.contains(&Code::NullMove) && has_null_move(start, &moves) {
            codes.push(Code::NullMove);
        }
        let (mut at, mut double_step) = (start.clone(), None);
        for m in moves {
            written.push(at.write(m, MoveStyle::Usual, ENGLISH));
            double_step = at.double_step(m);
            at.play(m);
        }
        // By numbers or by letters.
        let first = self
            .raw
            .items
            .iter()
            .find(|item| item.kind == ItemKind::Word);
        let digit = |text: &[u8]| text.first().is_some_and(u8::is_ascii_digit);
        let is_own = first.zip(written.first()).is_none_or(|(item, own)| {
            digit(self.raw.text(self.text.as_bytes(), item)) == digit(own.as_bytes())
        });
        TypedLine {
            at: last.into(),
            moves: written,
            passes,
            codes,
            double_step,
            is_own,
            stop: refusal,
            result: self.result(),
            stray,
            comment: self.moves_in_comment(),
        }
    }
}

/// The moves that were read from a position.
fn unpacked<G: BoardGame>(start: &G, read: &Reading) -> Vec<G::Move> {
    let mut at = start.clone();
    let mut slots = at.slots();
    let mut bytes = &read.plies[..];
    let mut moves = Vec::with_capacity(read.ply_count as usize);
    while let Some(m) = at.unpack(&mut slots, &mut bytes) {
        moves.push(m);
        at.play(m);
    }
    moves
}

/// Whether the turn passes in a line where it need not.
fn has_null_move<G: BoardGame>(start: &G, moves: &[G::Move]) -> bool {
    let mut at = start.clone();
    moves.iter().any(|&m| {
        let mut legal = Vec::new();
        let is_null =
            m == G::NULL && at.legal(Budget::default(), &mut legal).is_ok() && !legal.contains(&m);
        at.play(m);
        is_null
    })
}

/// Whether one of the moves played, or the one after them, has this number.
fn is_due<G: BoardGame>(start: &G, played: u32, number: u32) -> bool {
    let last = match G::SCORE {
        NumberStyle::Single => played,
        NumberStyle::Pairs | NumberStyle::SpacedPairs => played.div_ceil(2),
    };
    let first = start.number().0;
    number <= last + 1 || (first..=first.saturating_add(last)).contains(&number)
}

/// The number of the move after a line, and the line's moves, numbered as in a score.
fn score<G: BoardGame>(start: &G, moves: &[G::Move]) -> (String, Vec<String>) {
    let mut at = start.clone();
    let mut score = Vec::with_capacity(moves.len());
    let number = |at: &G, played: usize| match G::SCORE {
        NumberStyle::Pairs => at.number(),
        NumberStyle::SpacedPairs => (played as u32 / 2 + 1, at.turn() != start.turn()),
        NumberStyle::Single => (played as u32 + 1, false),
    };
    for &m in moves {
        let text = at.write(m, MoveStyle::Usual, ENGLISH);
        score.push(match (G::SCORE, number(&at, score.len())) {
            (NumberStyle::Single, _) => text,
            (NumberStyle::Pairs, (number, false)) => format!("{number}.{text}"),
            (NumberStyle::SpacedPairs, (number, false)) => format!("{number}. {text}"),
            (_, (number, true)) if score.is_empty() => format!("{number}...{text}"),
            (_, (_, true)) => text,
        });
        at.play(m);
    }
    let (number, is_second) = number(&at, moves.len());
    let dots = if is_second { "..." } else { "" };
    (format!("{number}{dots}"), score)
}
