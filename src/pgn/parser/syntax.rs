//! The syntax that a game is written in: that of PGN or of PDN.
//!
//! Called once for each game, so the answer for a usual game of chess must cost
//! next to nothing: its tags have neither name, its first word is a move.

use super::game::Parser;
use super::game_start::begins_in_squares;
use super::lookahead::{is_tag_start, line_end, text_gap};
use super::square_pairs::{file, numeric_move_len, separator_len};
use super::word::{is_move_like, is_of_squares, leading_number, wide_number_at};
use super::{RawGame, Syntax};

/// Words looked at before the syntax of the file is decided.
const WORDS_MAX: usize = 16;

/// Steps of any kind before that; comments are steps, too.
const STEPS_MAX: usize = 64;

/// What most of the first records of a text are written in, by their content
/// alone: the hint for records that do not show it (see [`Parser::with_hint`]).
///
/// ```
/// use plydex::pgn::parser::{Syntax, detect_syntax};
/// assert_eq!(detect_syntax(b"[Event \"x\"]\n\n1. 32-28 19-23 2-0\n"), Syntax::Pdn);
/// ```
pub fn detect_syntax(bytes: &[u8]) -> Syntax {
    const RECORDS: usize = 32;
    const BYTES: usize = 256 << 10;
    let mut parser = Parser::new(&bytes[..bytes.len().min(BYTES)]);
    let mut game = RawGame::default();
    let mut balance = 0_i32;
    for read in 0..RECORDS as i32 {
        // Those that are left could not tip it.
        let left = RECORDS as i32 - read;
        if balance > left || balance + left <= 0 {
            break;
        }
        if !parser.next_game(&mut game) {
            break;
        }
        match parser.evidence {
            Some(Syntax::Pdn) => balance += 1,
            Some(Syntax::Pgn) => balance -= 1,
            None => {}
        }
    }
    if balance > 0 {
        Syntax::Pdn
    } else {
        Syntax::Pgn
    }
}

/// `20`, `25,W,8,8,A0,0`. Moves of xiangqi are words as those of chess, moves of
/// Othello squares as those of draughts. Unassigned numbers say nothing.
fn of_game_type(value: &[u8]) -> Option<Syntax> {
    let value = value.trim_ascii_start();
    let (digits, number) = leading_number(value);
    match number {
        _ if digits == 0 => None,
        0 | 1 => Some(Syntax::Pgn),
        20..=50 | 96..=99 => Some(Syntax::Pdn),
        _ => None,
    }
}

/// Positions of draughts have colons (`W:W31-50:B1-20`), those of chess slashes.
fn of_fen(value: &[u8]) -> Option<Syntax> {
    match memchr::memchr2(b':', b'/', value).map(|at| value[at]) {
        Some(b':') => Some(Syntax::Pdn),
        Some(_) => Some(Syntax::Pgn),
        None => None,
    }
}

impl Parser<'_> {
    /// What the tags say: the type of the game, else its variant, else the form
    /// of its position.
    #[inline]
    pub(super) fn syntax_of_tags(&self, game: &RawGame) -> Option<Syntax> {
        let bytes = self.bytes;
        let (mut by_variant, mut by_game, mut by_fen) = (None, None, None);
        for tag in &game.tags {
            match tag.name.1 - tag.name.0 {
                8 if tag.name_bytes(bytes).eq_ignore_ascii_case(b"GameType") => {
                    if let Some(syntax) = of_game_type(tag.value_bytes(bytes)) {
                        return Some(syntax);
                    }
                }
                7 if tag.name_bytes(bytes).eq_ignore_ascii_case(b"Variant") => {
                    by_variant = by_variant.or_else(|| (self.of_variant)(tag.value_bytes(bytes)));
                }
                4 if tag.name_bytes(bytes).eq_ignore_ascii_case(b"Game") => {
                    by_game = by_game.or_else(|| (self.of_variant)(tag.value_bytes(bytes)));
                }
                3 if tag.name_bytes(bytes).eq_ignore_ascii_case(b"FEN") => {
                    by_fen = by_fen.or_else(|| of_fen(tag.value_bytes(bytes)));
                }
                _ => {}
            }
        }
        by_variant.or(by_game).or(by_fen)
    }

    /// What the first words show of the movetext that begins at `at`.
    #[inline]
    pub(super) fn syntax_of_words(&mut self, at: usize) -> Option<Syntax> {
        // Nearly always: a number, a dot, a pawn's move or a piece's.
        if let [b'1', b'.', rest @ ..] = &self.bytes[at.min(self.bytes.len())..]
            && let [b'a'..=b'h', b'1'..=b'8', b' ', ..]
            | [b'K' | b'N', b'a'..=b'h', b'1'..=b'8', b' ', ..] =
                rest.strip_prefix(b" ").unwrap_or(rest)
        {
            return Some(Syntax::Pgn);
        }
        self.syntax_of_any_words(at)
    }

    fn syntax_of_any_words(&mut self, mut at: usize) -> Option<Syntax> {
        let bytes = self.bytes;
        let mut words = 0;
        // Whether the first moves are those of pieces that stand before the rows of chess; a replay
        // shows all else.
        let mut advances = false;
        let told = |advances: bool| advances.then_some(Syntax::Pdn);
        for _ in 0..STEPS_MAX {
            at = text_gap(bytes, at).next;
            let Some(&byte) = bytes.get(at) else {
                return told(advances);
            };
            match byte {
                b'{' => at = self.comment_end(at).next,
                b';' | b'%' => at = line_end(bytes, at),
                b'[' if is_tag_start(bytes, at) => return told(advances),
                byte if byte.is_ascii_alphanumeric() || byte >= 0x80 => {
                    let (digits, _) = leading_number(&bytes[at..]);
                    if digits > 0 && matches!(bytes.get(at + digits), Some(b'.' | b',' | b')')) {
                        at += digits + 1;
                        continue;
                    }
                    if let Some(number) = wide_number_at(bytes, at) {
                        at += number.len;
                        continue;
                    }
                    let (syntax, len) = of_word(bytes, at);
                    let squares = squares_of(&bytes[at..at + len]);
                    words += 1;
                    match squares {
                        Some(steps) if words <= 2 && steps == ADVANCES[words - 1] => {
                            advances |= words == 1;
                        }
                        Some(_) if advances && words > 2 => {}
                        _ if syntax.is_some() => return syntax,
                        _ => {}
                    }
                    if words == WORDS_MAX {
                        return told(advances);
                    }
                    at += len;
                }
                _ => at += 1,
            }
        }
        None
    }
}

/// The ranks from which and to which first moves go, in games with pieces that stand on the second
/// and third rows and move straight on. In chess no piece stands there yet.
const ADVANCES: [[i16; 3]; 2] = [[0, 3, 4], [0, 6, 5]];

/// By how many files a word of two squares goes, and from which rank to which.
fn squares_of(word: &[u8]) -> Option<[i16; 3]> {
    let (file, rank, len) = cell(word)?;
    let behind = |sep: usize| cell(word.get(len + sep..)?);
    let (to_file, to_rank, _) = behind(0).or_else(|| behind(separator_len(word, len)))?;
    Some([to_file - file, rank, to_rank])
}

/// What one word shows, and its length.
fn of_word(bytes: &[u8], at: usize) -> (Option<Syntax>, usize) {
    let len = numeric_move_len(bytes, at);
    if len > 0 {
        return (Some(Syntax::Pdn), len);
    }
    if begins_in_squares(bytes, at) {
        return (Some(Syntax::Pdn), 4);
    }
    let len = bytes[at..]
        .iter()
        .take(64)
        .take_while(|byte| !matches!(byte, 0..=b' ' | b'{' | b'}' | b'(' | b')' | b'[' | b';'))
        .count();
    let word = &bytes[at..at + len.max(1)];
    let bare = word
        .iter()
        .rposition(|byte| !matches!(byte, b'!' | b'?' | b'*' | b'.' | b','))
        .map_or(word, |last| &word[..=last]);
    let syntax = match bare {
        // Halves are written otherwise in chess, so these are scores of draughts.
        b"2-0" | b"0-2" => Some(Syntax::Pdn),
        [b'0'..=b'9', ..] if !bare.contains(&b'0') || bare.len() > 5 => {
            // `1e4` is a number and a move.
            is_move_like(bare).then_some(Syntax::Pgn)
        }
        [b'0'..=b'9', ..] => None,
        _ => match of_coordinates(bare) {
            Coordinates::Of(syntax) => Some(syntax),
            Coordinates::Either => None,
            Coordinates::No => is_move_like(bare).then_some(Syntax::Pgn),
        },
    };
    (syntax, word.len())
}

/// A square with letters: file and rank from 1, and its length.
fn cell(text: &[u8]) -> Option<(i16, i16, usize)> {
    let (file, len) = file(text)?;
    let rest = &text[len..];
    let (digits, rank) = leading_number(&rest[..rest.len().min(3)]);
    (matches!(digits, 1 | 2) && (1..=12).contains(&rank)).then_some((
        i16::from(file) + 1,
        rank as i16,
        len + digits,
    ))
}

/// What squares with letters are.
enum Coordinates {
    /// The word is something else.
    No,
    /// They fit both syntaxes.
    Either,
    Of(Syntax),
}

fn of_coordinates(word: &[u8]) -> Coordinates {
    let Some((file, rank, len)) = cell(word) else {
        return Coordinates::No;
    };
    // A Cyrillic х between squares is a cross, before a number a file.
    let sep = match cell(&word[len..]) {
        Some(_) => 0,
        None => separator_len(word, len),
    };
    let Some((to_file, to_rank, to_len)) = cell(&word[len + sep..]) else {
        return Coordinates::No;
    };
    let (across, along) = ((to_file - file).abs(), (to_rank - rank).abs());
    let end = len + sep + to_len;
    let goes_on = cell(&word[end + separator_len(word, end)..]).is_some();
    let is_wide = file.max(to_file) > 8 || rank.max(to_rank) > 8;
    let is_colon = sep == 1 && word[len] == b':';
    if goes_on && is_of_squares(word) && !is_path(word) {
        // Moves of Othello that stick together.
        return Coordinates::Of(Syntax::Pgn);
    }
    if goes_on || is_wide || is_colon || (across, along) == (1, 1) {
        Coordinates::Of(Syntax::Pdn)
    } else if across == along {
        // A capture of draughts, or a bishop's move.
        Coordinates::Either
    } else {
        Coordinates::Of(Syntax::Pgn)
    }
}

/// Whether squares that stick together are the path of a draughts man or king: straight on, from
/// each to the next.
fn is_path(squares: &[u8]) -> bool {
    let (squares, _) = squares.as_chunks::<2>();
    squares.windows(2).all(|step| {
        let file = |square: [u8; 2]| square[0].to_ascii_lowercase();
        let across = file(step[0]).abs_diff(file(step[1]));
        let along = step[0][1].abs_diff(step[1][1]);
        across == along || across == 0 || along == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(movetext: &str) -> Option<Syntax> {
        Parser::new(movetext.as_bytes()).syntax_of_words(0)
    }

    #[test]
    fn words_tell() {
        for text in [
            "1. 32-28 19-23",
            "32x23",
            "1. 1 - 6",
            "1.a3b4",
            "1. c3-d4",
            "1. A3-B4",
            "1. a1:e5:h8",
            "{text} (1. x) 1. 9-13",
            "1. ... 7-12",
            "1. 2-0",
            "1. d2xf4xh6",
            "1. i3-j4",
            "1.32-28!?",
            "  1. 33-29 17-21",
            "1. h4-f6 e7-g5 2. a1-b2",
            "1. a1c3e5g7",
            "1. a3a5c5c7e7",
            "1. с3-d4",
            "1. г3х4",
            "\\r\\n1. 5-10",
        ] {
            assert_eq!(of(text), Some(Syntax::Pdn), "{text}");
        }
        // Pieces that stand before the rows of chess, and go straight on.
        for text in [
            "1. a3-a4 h6-h5 2. b3-b4 a6-a5",
            "1. a3a4 h6h5 2. a4-b4 h5-h4 3. a2-a3 {x}",
            "1.d3-d4 d6-d5 *",
            "e3-e4",
            "1. d3-d4 d6-d5 2. d4xd6 c7-b7 3. a1xa5xd5",
        ] {
            assert_eq!(of(text), Some(Syntax::Pdn), "{text}");
        }
        for text in [
            "1. a3-a4 h6-h5 2. Kg1-f1",
            "1. a3-a4 Nf6",
            "12. d4-d5 e6-e5",
            "1. a2-a3 h7-h6 2. a3-a4 h6-h5",
            "1. a2a3 a7a6 2. a3a4 a6a5",
            "1. e4 e5",
            "1.Nf3",
            "1. e2-e4",
            "1. e2e4",
            "f5d6c3d3c4",
            "f5d6c3d3c4f4f6g5e3f3g6e2h5",
            "1. g1f3",
            "1. O-O",
            "12. Qxd4",
            "{x} 1. d4",
            "1. 0-0 Re8",
            "1... c5",
            "1. ♘f3",
            "exd5",
            "1. Сf3",
            "1e4",
            "1. b8=Q",
            "1. P@e4",
            "1. е2-е4",
            "1. Сс4",
        ] {
            assert_eq!(of(text), Some(Syntax::Pgn), "{text}");
        }
        for text in [
            "",
            "*",
            "1-0",
            "0-1 ",
            "1/2-1/2",
            "0-0",
            "resigns",
            "[Event \"x\"]",
            "{x",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn tags_tell() {
        let of = |tags: &str| {
            let text = format!("{tags}\n\n*\n");
            let mut parser = Parser::new(text.as_bytes());
            let mut game = RawGame::default();
            assert!(parser.next_game(&mut game));
            parser.evidence
        };
        assert_eq!(of("[GameType \"0\"]"), Some(Syntax::Pgn));
        assert_eq!(of("[GameType\" 20 \"]"), Some(Syntax::Pdn));
        assert_eq!(of("[GAMETYPE \"25,W,8,8,A0,0\"]"), Some(Syntax::Pdn));
        assert_eq!(of("[GameType \"98\"]"), Some(Syntax::Pdn));
        assert_eq!(of("[GameType \"77\"]"), None);
        assert_eq!(of("[FEN \"W:W31:B1.\"]"), Some(Syntax::Pdn));
        assert_eq!(of("[FEN \"B::\"]"), Some(Syntax::Pdn));
        assert_eq!(of("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]"), Some(Syntax::Pgn));
        assert_eq!(
            of("[FEN \"8/8/8/8/8/8/8/8 w\"]\n[GameType \"20\"]"),
            Some(Syntax::Pdn)
        );
        assert_eq!(of("[Variant \"Russian\"]"), None);
    }
}
