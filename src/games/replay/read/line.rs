//! Lines beside the main line of a game of chess: played on the side for the index,
//! found again by a search, and written anew in another language.

use shakmaty::Chess;

use crate::{
    games::replay::{
        branch::{self, Branch, InVariation},
        tongue,
    },
    notation::{
        lenient_move::{self, MoveError},
        letters::Language,
        quick_san,
    },
    parse::{Family, Parser, RawGame},
    rules::chess::{Board, Ply},
};

use super::Decode;

/// A line of play inside a variation.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) board: Board,
    /// The board before the last move: what a variation of that move begins from.
    pub(super) before: Option<Board>,
    /// An unreadable move has cut the line.
    cut: bool,
}

impl Line {
    pub(super) const fn new(board: Board) -> Self {
        Self {
            board,
            before: None,
            cut: false,
        }
    }

    /// Plays a word of a variation; `each` sees every ply and the board after it.
    pub(super) fn play(
        &mut self,
        (text, decode): (&[u8], Decode<'_>),
        language: Option<&Language>,
        mut each: impl FnMut(Ply, &Board),
    ) {
        if self.cut {
            return;
        }
        let plain = match language {
            None => quick_san::resolve(&self.board, text),
            Some(language) => tongue::quick(&self.board, &decode(text), language),
        };
        if let Some(ply) = plain {
            self.advance(ply);
            each(ply, &self.board);
            return;
        }
        let word = decode(text);
        let Some(position) = self.board.to_position() else {
            self.cut = true;
            return;
        };
        match lenient_move::resolve_in(&position, &word, language) {
            Ok(resolved) => {
                for ply in resolved.plies.into_iter().map(to_ply) {
                    self.advance(ply);
                    each(ply, &self.board);
                }
            }
            Err(MoveError::NotAMove { .. }) => {}
            Err(_) => self.cut = true,
        }
    }

    fn advance(&mut self, ply: Ply) {
        self.before = Some(self.board.clone());
        self.board.play(ply);
    }
}

impl Branch for Line {
    fn branch(&self) -> Self {
        Self {
            board: self.before.clone().unwrap_or_else(|| self.board.clone()),
            before: None,
            cut: self.cut || self.before.is_none(),
        }
    }
}

pub(super) fn to_ply(ply: lenient_move::Ply) -> Ply {
    match ply {
        lenient_move::Ply::Move(m) => Ply::from_move(&m).unwrap_or(Ply::NULL),
        lenient_move::Ply::Null => Ply::NULL,
    }
}

/// The positions of a variation, and of those inside it, from its text, as far as
/// `keep` makes something of them. `before` is the position in which it begins,
/// after `ply` plies.
pub fn variation_positions<P>(
    text: &str,
    before: &Chess,
    ply: u32,
    language: Option<&Language>,
    mut keep: impl FnMut(&Board) -> Option<P>,
) -> Vec<InVariation<P>> {
    let bytes = text.as_bytes();
    let mut raw = RawGame::default();
    Parser::variation(bytes, Family::Chess, &mut raw);
    let decode: Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let line = Line::new(Board::from_position(before));
    branch::positions(&raw, line, ply, |line, item, met| {
        let word = (raw.text(bytes, item), decode);
        line.play(word, language, |played, board| {
            met(played.bits(), keep(board));
        });
    })
}

/// The text of a variation with its moves in another language. `before` is the
/// position in which it begins.
pub fn variation_in(text: &str, before: &Chess, from: Option<&Language>, to: &Language) -> String {
    let line = Line::new(Board::from_position(before));
    tongue::rewritten(text, line, |line, word| {
        let decode: Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
        let mut board = line.board.clone();
        let mut words: Vec<String> = Vec::new();
        line.play((word.as_bytes(), decode), from, |ply, _| {
            let mut san = String::new();
            quick_san::write_and_play(&mut board, ply, &mut san);
            words.push(to.of_english(&san));
        });
        if words.is_empty() {
            tongue::respelled(word, from, to)
        } else {
            Some(words.join(" "))
        }
    })
}
