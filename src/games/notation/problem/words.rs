//! Stipulations in words: "Mate in 3", "Ματ σε 3 κινήσεις", "White to play and win".
//!
//! One row a language. Words are compared letter by letter in lower case, without
//! Greek accents. Other words in between do not matter, so that word order and
//! little words need no table.

use std::sync::LazyLock;

use super::stipulation::{Aim, Goal, Play, Stipulation};
use crate::games::{
    chess::basics::Color,
    notation::letters::{Language, fold},
};

/// The words of one language.
struct StipulationWords {
    code: &'static str,
    /// Mate, stalemate, win, draw; words, alone or beside that for mate, that make it help
    /// play or self play; words for a move, which show the language; Black, where it is
    /// said who moves; numbers from two on.
    lists: [Vec<&'static str>; 9],
}

static ROWS: LazyLock<Vec<StipulationWords>> = LazyLock::new(|| {
    let rows = include_str!("words.tsv").lines().skip(1);
    rows.map(|row| {
        let mut cells = row.split('\t');
        StipulationWords {
            code: cells.next().unwrap_or_default(),
            lists: std::array::from_fn(|_| {
                let words = cells.next().unwrap_or_default();
                words.split_whitespace().collect()
            }),
        }
    })
    .collect()
});

/// Longer texts are no stipulations, whatever words they hold.
const WORDS_MAX: usize = 12;

/// Reads a stipulation in words, and the language if one alone has them.
pub(super) fn read(text: &str) -> Option<(Stipulation, Option<&'static Language>)> {
    let folded = fold(text).to_lowercase();
    let words: Vec<&str> = folded
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '!' | '(' | ')'))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() || words.len() > WORDS_MAX {
        return None;
    }
    let mut best: Option<(usize, Stipulation, Option<&'static str>)> = None;
    for row in ROWS.iter() {
        let Some(stipulation) = row.read(&words) else {
            continue;
        };
        let known = words.iter().filter(|word| row.knows(word)).count();
        match &mut best {
            Some((most, _, code)) if *most == known => *code = None,
            Some((most, ..)) if *most > known => {}
            _ => best = Some((known, stipulation, Some(row.code))),
        }
    }
    let (_, stipulation, code) = best?;
    Some((stipulation, code.and_then(Language::by_code)))
}

impl StipulationWords {
    fn read(&self, words: &[&str]) -> Option<Stipulation> {
        let [mate, stalemate, win, draw, help, against, _, black, _] = &self.lists;
        let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let (black_begins, help, against) = (has(black), has(help), has(against));
        let aim = if has(mate) || help || against {
            Some(Aim::Mate)
        } else {
            has(stalemate).then_some(Aim::Stalemate)
        };
        if let Some(aim) = aim
            && let Some(moves) = words.iter().find_map(|word| self.number(word))
        {
            let play = match (help, against) {
                (true, _) => Play::Help,
                (_, true) => Play::SelfPlay,
                _ => Play::Direct,
            };
            let mut found = Stipulation::new(play, Goal::Aim(aim), Some(moves));
            let is_said = black_begins && play == Play::Direct;
            found.begins = is_said.then_some(Color::Black);
            return Some(found);
        }
        let goal = if has(win) {
            Goal::Win
        } else if has(draw) {
            Goal::Draw
        } else {
            return None;
        };
        // "Black to play, White wins" is said as well; who moves comes first.
        let black_begins = black_begins && black.contains(&words[0]) && words.len() > 2;
        let mut found = Stipulation::new(Play::Study, goal, None);
        found.begins = black_begins.then_some(Color::Black);
        Some(found)
    }

    /// A number of moves, in half-moves.
    fn number(&self, word: &str) -> Option<u16> {
        if let Some(at) = self.lists[8].iter().position(|&number| number == word) {
            return Some((at as u16 + 2) * 2);
        }
        let (whole, half) = match word.split_once(['.', ',']) {
            Some((whole, "5")) => (whole, 1),
            Some((whole, "0")) => (whole, 0),
            Some(_) => return None,
            None => (word, 0),
        };
        let whole: u16 = whole.parse().ok().filter(|&n| n > 0 && n <= 1000)?;
        Some(whole * 2 + half)
    }

    fn knows(&self, word: &str) -> bool {
        self.lists.iter().any(|list| list.contains(&word))
    }
}
