//! From a raw game of a chess variant to its plies and what was written around them.

use super::{Replay, Step};
use crate::{
    diagnostic::Code,
    limits::PLIES_MAX,
    notation::{
        kin::{resolve, san},
        letters::{ENGLISH, Language, Tally},
    },
    parse::{Family, Item, Kind, Parser, RawGame},
    replay::{
        Walk,
        read::{Decode, Reading, keep_rest, with_number},
        tongue::{self, Branch, Expected},
    },
};

/// What a word did to a line.
enum Taken {
    Played,
    /// It is no move.
    Skipped,
    /// It is a move that is not legal.
    Refused,
}

/// A line of play.
#[derive(Clone)]
struct Line {
    at: Replay,
    /// The position before the last move: what a variation of it begins from.
    before: Option<Box<Replay>>,
    cut: bool,
    /// The language of its words; `None` is English.
    language: Option<&'static Language>,
}

impl Line {
    fn new(at: &Replay, language: Option<&'static Language>) -> Self {
        Self {
            at: at.clone(),
            before: None,
            cut: false,
            language,
        }
    }

    fn word(&mut self, word: &str, mut each: impl FnMut(&Step, &Replay)) -> Taken {
        if self.cut {
            return Taken::Refused;
        }
        let english = self.language.and_then(|own| own.to_english(word));
        let word = english.as_ref().map_or(word, |english| english.as_str());
        let step = match resolve(self.at.position(), word) {
            Some(m) => Step::Move(m),
            None if matches!(word, "--" | "Z0" | "null" | "pass" | "@@@@") => Step::Null,
            None if !word
                .bytes()
                .any(|byte| matches!(byte, b'1'..=b'8' | b'O' | b'0')) =>
            {
                return Taken::Skipped;
            }
            None => {
                self.cut = true;
                return Taken::Refused;
            }
        };
        let before = self.at.clone();
        self.at.play_step(&step);
        each(&step, &self.at);
        self.before = Some(Box::new(before));
        Taken::Played
    }
}

impl Branch for Line {
    fn branch(&self) -> Self {
        Self {
            at: self
                .before
                .as_deref()
                .cloned()
                .unwrap_or_else(|| self.at.clone()),
            before: None,
            cut: self.cut || self.before.is_none(),
            language: self.language,
        }
    }
}

/// Reads a game from a start position, in the expected language or, if it comes
/// further so, in the one that explains its letters.
pub fn read(raw: &RawGame, bytes: &[u8], start: &Replay, decode: Decode<'_>, out: &mut Reading) {
    let Expected { language, certain } = out.expected;
    let mark = out.mark();
    if read_in(raw, bytes, start, decode, language, out) || certain {
        return;
    }
    let far = out.ply_count;
    let words = tongue::main_words(raw, bytes, decode);
    let tally = Tally::of(words.iter().map(AsRef::as_ref));
    let expected = language.unwrap_or(ENGLISH);
    for other in tally.best() {
        let other = (!other.is_english()).then_some(other);
        if other.unwrap_or(ENGLISH).moves_as(expected) {
            continue;
        }
        out.forget(mark);
        read_in(raw, bytes, start, decode, other, out);
        if out.ply_count > far {
            return;
        }
    }
    if out.language != language {
        out.forget(mark);
        read_in(raw, bytes, start, decode, language, out);
    }
}

/// Reads a game in a language; whether every word was a legal move.
fn read_in(
    raw: &RawGame,
    bytes: &[u8],
    start: &Replay,
    decode: Decode<'_>,
    language: Option<&'static Language>,
    out: &mut Reading,
) -> bool {
    let mut whole = true;
    let mut main = Line::new(start, language);
    out.begin_in(language);
    let mut variations: Vec<Line> = Vec::new();
    let mut structure = start.structure();
    out.structures.push((structure.key() >> 32) as u32);
    for item in &raw.items {
        let text = raw.text(bytes, item);
        if let Some(line) = variations.last_mut() {
            match item.kind {
                Kind::VariationStart => {
                    let branch = line.branch();
                    variations.push(branch);
                }
                Kind::VariationEnd => {
                    variations.pop();
                }
                Kind::Word => {
                    line.word(&decode(text), |_, at| {
                        let key = at.structure().key();
                        if !out.variations.contains(&key) {
                            out.variations.push(key);
                        }
                    });
                }
                _ => {}
            }
            continue;
        }
        match item.kind {
            Kind::Word => {
                if out.ply_count as usize >= PLIES_MAX {
                    out.report(Code::PliesCut, item.offset, "");
                    keep_rest(raw, bytes, with_number(bytes, item), decode, out);
                    return whole;
                }
                let played = out.ply_count;
                if !main_word(&mut main, item, &decode(text), &mut structure, out) {
                    keep_rest(raw, bytes, with_number(bytes, item), decode, out);
                    return false;
                }
                whole &= out.ply_count > played;
            }
            Kind::Comment => out.annotate("{", &decode(text)),
            Kind::LineComment => out.annotate(";", &decode(text)),
            Kind::Nag => out.annotate_number("$", item.value),
            Kind::Result | Kind::Setup => out.annotate("?", &decode(text)),
            Kind::VariationStart => {
                out.annotate("(", decode(text).trim());
                variations.push(main.branch());
            }
            Kind::VariationEnd => {}
        }
    }
    whole
}

/// Plays a word of the main line; false if the line ends before it.
fn main_word(
    main: &mut Line,
    item: &Item,
    word: &str,
    structure: &mut crate::key::Structure,
    out: &mut Reading,
) -> bool {
    let mut played = None;
    match main.word(word, |step, at| {
        played = Some((step.code(), at.structure()));
    }) {
        Taken::Played => {}
        Taken::Skipped => {
            out.report(Code::UnknownWord, item.offset, word.to_owned());
            out.annotate("?", word);
        }
        Taken::Refused => {
            let detail = format!("`{word}` is not legal here");
            out.report(Code::IllegalMove, item.offset, detail);
            return false;
        }
    }
    if let Some((code, now)) = played {
        out.plies.extend_from_slice(&code.to_le_bytes());
        out.ply_count += 1;
        if now != *structure {
            *structure = now;
            out.structures.push((now.key() >> 32) as u32);
        }
    }
    true
}

/// A position met inside a variation.
#[derive(Debug)]
pub struct InVariation {
    /// The position.
    pub at: Replay,
    /// Plies from the start of the game.
    pub ply: u32,
    /// The code of how the variation's own line goes on.
    pub next: Option<u16>,
}

/// The positions of a variation, and of those inside it, from its text. `before`
/// is the position in which it begins, after `ply` plies.
pub fn variation_positions(
    text: &str,
    before: &Replay,
    ply: u32,
    language: Option<&'static Language>,
) -> Vec<InVariation> {
    /// A line with its plies so far and the index of its last position.
    struct Level {
        line: Line,
        ply: u32,
        last: Option<usize>,
    }
    let bytes = text.as_bytes();
    let mut raw = RawGame::default();
    Parser::variation(bytes, Family::Chess, &mut raw);
    let mut found: Vec<InVariation> = Vec::new();
    let mut levels = vec![Level {
        line: Line::new(before, language),
        ply,
        last: None,
    }];
    for item in &raw.items {
        let Some(level) = levels.last_mut() else {
            break;
        };
        match item.kind {
            Kind::VariationStart => {
                let branch = Level {
                    line: level.line.branch(),
                    ply: level.ply.saturating_sub(1),
                    last: None,
                };
                levels.push(branch);
            }
            Kind::VariationEnd => {
                levels.pop();
            }
            Kind::Word => {
                let Level { line, ply, last } = level;
                let word = String::from_utf8_lossy(raw.text(bytes, item));
                line.word(&word, |step, at| {
                    if let Some(last) = last.replace(found.len()) {
                        found[last].next = Some(step.code());
                    }
                    *ply += 1;
                    found.push(InVariation {
                        at: at.clone(),
                        ply: *ply,
                        next: None,
                    });
                });
            }
            _ => {}
        }
    }
    found
}

/// The text of a variation with its moves in another language. `before` is the
/// position in which it begins.
pub fn variation_in(
    text: &str,
    before: &Replay,
    from: Option<&'static Language>,
    to: &Language,
) -> String {
    tongue::rewritten(text, Line::new(before, from), |line, word| {
        let before = line.at.position().clone();
        let mut spelled = None;
        line.word(word, |step, _| {
            spelled = Some(match step {
                Step::Move(m) => to.of_english(&san(&before, *m)),
                Step::Null => "--".to_owned(),
            });
        });
        spelled.or_else(|| tongue::respelled(word, from, to))
    })
}
