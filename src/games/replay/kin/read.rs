//! From a raw game of chess's kin to its plies and what was written around them.

use std::borrow::Cow;

use super::{Replay, line};
use crate::{
    diagnostic::Code,
    games::replay::{
        read::{Decode, Reading, keep_rest, with_number},
        tongue::{self, Expected},
    },
    limits::PLIES_MAX,
    notation::{
        kin::{has_letters, ranks_of, resolve_all},
        letters::{ENGLISH, Language, Tally, is_foreign},
        move_error::MoveError,
        xiangqi::Ranks,
    },
    parse::{Family, Item, Kind, RawGame},
    position::{Kin, KinPly, KinPosition},
};

/// In which signs the movetext of a game is written: squares alone, in Othello,
/// as those of draughts are.
pub(super) const fn family(position: &KinPosition) -> Family {
    match position {
        KinPosition::Othello(_) => Family::Draughts,
        _ => Family::Chess,
    }
}

/// Reads a game from a start position, in the expected language or, if it comes
/// further so, in the one that explains its letters; gives the last position.
pub fn read(
    raw: &RawGame,
    bytes: &[u8],
    start: &Replay,
    decode: Decode<'_>,
    out: &mut Reading,
) -> Kin {
    let Expected { language, certain } = out.expected;
    let language = language.filter(|_| has_letters(&start.at.position));
    let mark = out.mark();
    let read_as = |language, out: &mut Reading| read_in(raw, bytes, start, decode, language, out);
    let (last, is_whole) = read_as(language, out);
    if is_whole || certain || !has_letters(&start.at.position) {
        return last;
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
        let (last, _) = read_as(other, out);
        let explains = |language| tally.explained_by(language);
        let is_better = explains(other.unwrap_or(ENGLISH)) > explains(expected);
        if out.ply_count > far || out.ply_count == far && is_better {
            return last;
        }
    }
    if out.language != language {
        out.forget(mark);
        return read_as(language, out).0;
    }
    last
}

/// Reads a game in a language; gives the last position, and whether every word was
/// a legal move in its letters.
fn read_in(
    raw: &RawGame,
    bytes: &[u8],
    start: &Replay,
    decode: Decode<'_>,
    language: Option<&'static Language>,
    out: &mut Reading,
) -> (Kin, bool) {
    let mut reader = Reader {
        raw,
        bytes,
        decode,
        at: start.clone(),
        before: None,
        ranks: ranks(raw, bytes, decode, &start.at.position),
        language,
    };
    out.begin_in(language);
    out.structures.push((start.structure.key() >> 32) as u32);
    let mut is_whole = true;
    let mut depth = 0_u32;
    for item in &raw.items {
        if out.is_over() {
            break;
        }
        match item.kind {
            Kind::VariationStart => {
                if depth == 0 {
                    reader.variation(item, out);
                }
                depth += 1;
            }
            Kind::VariationEnd => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Kind::Word => match reader.word(item, out) {
                Ok(is_move) => is_whole &= is_move,
                Err(from) => {
                    keep_rest(raw, bytes, from, decode, out);
                    is_whole = false;
                    break;
                }
            },
            Kind::Comment => out.annotate("{", &decode(raw.text(bytes, item))),
            Kind::LineComment => out.annotate(";", &decode(raw.text(bytes, item))),
            Kind::Nag => out.annotate_number("$", item.value),
            Kind::Result | Kind::Setup => out.annotate("?", &decode(raw.text(bytes, item))),
        }
    }
    (reader.at.at, is_whole)
}

struct Reader<'a> {
    raw: &'a RawGame,
    bytes: &'a [u8],
    decode: Decode<'a>,
    at: Replay,
    /// Before the last ply: what a variation of it begins from.
    before: Option<Box<Replay>>,
    ranks: Ranks,
    /// The language of the words; `None` is English.
    language: Option<&'static Language>,
}

impl Reader<'_> {
    /// Plays a word of the main line and tells whether it was a move in the letters
    /// of its language; where the line ends, the offset of what is left.
    fn word(&mut self, item: &Item, out: &mut Reading) -> Result<bool, u32> {
        let written = text_of(
            self.raw,
            self.bytes,
            item,
            self.decode,
            &self.at.at.position,
        );
        let own = self.language.unwrap_or(ENGLISH);
        let is_foreign = has_letters(&self.at.at.position) && is_foreign(&written, own);
        let read = resolve_all(&self.at.at.position, &written, self.ranks, self.language);
        let is_first = read.plies.is_empty();
        for code in read.findings {
            out.report(code, item.offset, written.clone().into_owned());
        }
        for ply in read.plies {
            if out.ply_count as usize >= PLIES_MAX {
                out.report(Code::PliesCut, item.offset, "");
                return Err(with_number(self.bytes, item));
            }
            self.play(ply, out);
        }
        if read.result.is_some() {
            out.result = read.result;
        }
        let Some(stop) = read.stop else {
            return Ok(!is_foreign);
        };
        let rest = written.get(stop.at..).unwrap_or(&written);
        match stop.error {
            MoveError::Unreadable if self.is_score(rest) => {
                out.result = Some(rest.to_owned());
                return Ok(true);
            }
            MoveError::Unreadable if !has_square(rest) => {
                out.report(Code::UnknownWord, item.offset, rest.to_owned());
                out.annotate("?", rest);
                return Ok(false);
            }
            MoveError::Ambiguous => {
                let detail = format!("`{rest}` fits more than one man{}", stop.because());
                out.report(Code::AmbiguousMove, item.offset, detail);
            }
            MoveError::Unreadable | MoveError::Illegal => {
                let detail = format!("`{rest}` is not legal here{}", stop.because());
                out.report(Code::IllegalMove, item.offset, detail);
            }
        }
        Err(if is_first && stop.at == 0 {
            with_number(self.bytes, item)
        } else {
            item.offset + stop.at as u32
        })
    }

    fn play(&mut self, ply: KinPly, out: &mut Reading) {
        self.at.pack(ply, &mut out.plies);
        let before = self.at.clone();
        self.at.play_ply(ply);
        out.ply_count += 1;
        if self.at.structure != before.structure {
            let key = self.at.structure.key();
            out.structures.push((key >> 32) as u32);
        }
        self.before = Some(Box::new(before));
    }

    /// Keeps a variation of the last ply, and notes its structures.
    fn variation(&self, item: &Item, out: &mut Reading) {
        let text = (self.decode)(self.raw.text(self.bytes, item));
        let text = text.trim();
        out.annotate("(", text);
        let Some(before) = &self.before else {
            return;
        };
        line::each_position(text, before, self.language, |at| {
            out.note_variation(at.structure.key());
        });
    }

    /// Whether a word is the number of both sides' discs.
    fn is_score(&self, word: &str) -> bool {
        let is_number = |text: &str| {
            let text = text.trim();
            (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        matches!(self.at.at.position, KinPosition::Othello(_))
            && word
                .split_once(['-', ':'])
                .is_some_and(|(one, other)| is_number(one) && is_number(other))
    }
}

/// Whether a word that cannot be read may be meant as a move nevertheless.
pub(super) fn has_square(word: &str) -> bool {
    word.bytes()
        .any(|byte| byte.is_ascii_digit() || byte == b'O')
}

/// The text of a word. In xiangqi a dot may stand within it (`C2.5`), which ends
/// words elsewhere.
pub(super) fn text_of<'b>(
    raw: &RawGame,
    bytes: &'b [u8],
    item: &Item,
    decode: Decode<'_>,
    position: &KinPosition,
) -> Cow<'b, str> {
    let text = raw.text(bytes, item);
    let behind = bytes.get(item.offset as usize + text.len()..);
    if matches!(position, KinPosition::Xiangqi(_))
        && text.len() == 2
        && let Some([b'.', b'1'..=b'9', rest @ ..]) = behind
        && !rest.first().is_some_and(u8::is_ascii_alphanumeric)
    {
        let from = item.offset as usize;
        return decode(&bytes[from..from + text.len() + 2]);
    }
    decode(text)
}

/// How coordinates are meant, by the line that is not in parentheses.
pub(super) fn ranks(raw: &RawGame, bytes: &[u8], decode: Decode<'_>, start: &KinPosition) -> Ranks {
    if !matches!(start, KinPosition::Xiangqi(_)) {
        return Ranks::Either;
    }
    let mut depth = 0_u32;
    let words: Vec<Cow<'_, str>> = raw
        .items
        .iter()
        .filter(|item| {
            match item.kind {
                Kind::VariationStart => depth += 1,
                Kind::VariationEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && item.kind == Kind::Word
        })
        .map(|item| text_of(raw, bytes, item, decode, start))
        .collect();
    ranks_of(start, words.iter().map(AsRef::as_ref))
}
