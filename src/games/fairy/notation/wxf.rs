//! The notation of the World Xiangqi Federation: `C2=5`, `H8+7`, `C+-2`.
//!
//! Files count from each player's own right, from 1. Pieces that go along lines give the number of
//! steps they go ahead (`+`) or back (`-`), the others and all moves to the side (`=`) the file
//! they go to. Where two pieces of a kind stand on one file, `+` (the front one) or `-` (the rear
//! one) takes the place of the file, before or after the letter; where soldiers stand so on
//! several files or in threes, the number of the soldier from the front stands before its file and
//! in place of the letter: `17+1`.
//!
//! Chinese records say the same in characters, simplified or traditional: `炮二平五`,
//! `前馬退６`. Numbers may be of either script, of any width; soldiers that stand one
//! behind the other are `前兵`, `前四` with their file, or `二兵`, counted from the front
//! and from the player's right over all files that have several.

use super::{letter, role};
use crate::games::fairy::{
    rows::FairyVariant,
    rules::{
        FairyPly, FairyPosition,
        piece::{self, ADVISOR, BISHOP, KNIGHT, PAWN},
    },
};

/// Which of its like moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceSelector {
    /// The one on a file.
    File(u8),
    Front,
    Rear,
    /// The one between two others.
    Middle,
    /// The soldier of this number, from the front, on a file.
    Soldier(u8, u8),
    /// The last one on a file.
    RearOf(u8),
    /// The soldier of this number among those that stand behind each other.
    Tandem(u8),
}

/// A move as it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WxfText {
    role: u8,
    who: PieceSelector,
    sign: char,
    digit: u8,
}

/// The file of a square as a side counts it.
const fn file_of(position: &FairyPosition, square: u8) -> u8 {
    let grid = position.grid();
    let file = grid.file(square);
    if position.turn == 0 {
        grid.files.saturating_sub(file)
    } else {
        file + 1
    }
}

/// A Chinese character as a letter, digit or sign; every other character as it is.
const fn in_letters(c: char) -> char {
    match c {
        '.' | '平' | '中' => '=',
        '–' | '—' | '−' | '退' | '后' | '後' => '-',
        '进' | '進' | '前' => '+',
        '车' | '車' | '俥' => 'R',
        '马' | '馬' | '傌' => 'H',
        '炮' | '砲' | '包' => 'C',
        '相' | '象' => 'E',
        '仕' | '士' => 'A',
        '帅' | '帥' | '将' | '將' => 'K',
        '兵' | '卒' => 'P',
        '一' | '１' => '1',
        '二' | '２' => '2',
        '三' | '３' => '3',
        '四' | '４' => '4',
        '五' | '５' => '5',
        '六' | '６' => '6',
        '七' | '７' => '7',
        '八' | '８' => '8',
        '九' | '９' => '9',
        c => c,
    }
}

/// Takes a text apart; `None` if it is none of these.
pub(super) fn parse(variant: &FairyVariant, text: &str) -> Option<WxfText> {
    let mut chars = text.chars().map(in_letters);
    let (first, second) = (chars.next()?, chars.next()?);
    let (sign, digit) = (chars.next()?, chars.next()?);
    if chars.next().is_some() {
        return None;
    }
    let number = |c: char| c.to_digit(10).filter(|&d| d > 0).map(|d| d as u8);
    let place = |c| match c {
        '+' => Some(PieceSelector::Front),
        '-' => Some(PieceSelector::Rear),
        '=' => Some(PieceSelector::Middle),
        _ => None,
    };
    let digit = number(digit)?;
    if !matches!(sign, '+' | '-' | '=') {
        return None;
    }
    let (role, who) = if let Some(index) = number(first) {
        let who = match number(second) {
            Some(file) => PieceSelector::Soldier(index, file),
            None => PieceSelector::Tandem(index),
        };
        (
            number(second).map_or_else(|| role(variant, second), |_| Some(PAWN))?,
            who,
        )
    } else if let (Some(who), Some(file)) = (place(first), number(second)) {
        let who = match who {
            PieceSelector::Front => PieceSelector::Soldier(1, file),
            PieceSelector::Rear => PieceSelector::RearOf(file),
            _ => PieceSelector::Soldier(2, file),
        };
        (PAWN, who)
    } else if let Some(who) = place(first) {
        (role(variant, second)?, who)
    } else if let Some(who) = place(second) {
        (role(variant, first)?, who)
    } else {
        (role(variant, first)?, PieceSelector::File(number(second)?))
    };
    Some(WxfText {
        role,
        who,
        sign,
        digit,
    })
}

/// Whether a word of a record of xiangqi is a move in this notation, which no other game has: it
/// ends in a digit after a sign.
pub fn is_move(variant: &FairyVariant, word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?']);
    // Longer words need not be taken apart.
    word.len() <= 4 * 3 && parse(variant, word).is_some()
}

/// The sign and the digit of a move.
fn way(position: &FairyPosition, ply: FairyPly) -> (char, u8) {
    let grid = position.grid();
    let (from, to) = (grid.rank(ply.from), grid.rank(ply.to));
    let sign = match (to > from) == (position.turn == 0) {
        _ if from == to => '=',
        true => '+',
        false => '-',
    };
    let role = piece::role(position.at(ply.from));
    let digit = if sign == '=' || matches!(role, KNIGHT | BISHOP | ADVISOR) {
        file_of(position, ply.to)
    } else {
        from.abs_diff(to)
    };
    (sign, digit)
}

/// The pieces like that on a square which stand on its file, itself included,
/// counted from the front: its number from 0, and how many there are.
fn tandem(position: &FairyPosition, square: u8) -> (u8, u8) {
    let (grid, piece) = (position.grid(), position.at(square));
    let mut like: Vec<u8> = (0..grid.ranks)
        .map(|rank| grid.at(grid.file(square), rank))
        .filter(|&other| position.at(other) == piece)
        .collect();
    if position.turn == 0 {
        like.reverse();
    }
    let number = like.iter().position(|&other| other == square);
    (number.unwrap_or(0) as u8, like.len() as u8)
}

/// How many pieces like that on a square stand behind each other on files further to the
/// right of their player.
fn in_tandems_before(position: &FairyPosition, square: u8) -> u8 {
    let own = file_of(position, square);
    let before = (0..position.grid().squares()).filter(|&other| {
        position.at(other) == position.at(square)
            && file_of(position, other) < own
            && tandem(position, other).1 > 1
    });
    before.count() as u8
}

/// Whether a legal move is the one that was said.
pub(super) fn fits(position: &FairyPosition, ply: FairyPly, said: &WxfText) -> bool {
    if piece::role(position.at(ply.from)) != said.role
        || way(position, ply) != (said.sign, said.digit)
    {
        return false;
    }
    let file = file_of(position, ply.from);
    let (number, count) = tandem(position, ply.from);
    match said.who {
        PieceSelector::File(said) => said == file,
        PieceSelector::Front => count > 1 && number == 0,
        PieceSelector::Rear => count > 1 && number + 1 == count,
        PieceSelector::Middle => count == 3 && number == 1,
        PieceSelector::Soldier(index, said) => said == file && number + 1 == index,
        PieceSelector::RearOf(said) => said == file && number + 1 == count,
        PieceSelector::Tandem(index) => {
            count > 1 && number + 1 + in_tandems_before(position, ply.from) == index
        }
    }
}

/// A legal move as WXF has it; a null move is `--`.
///
/// ```
/// use plydex::games::{fairy::notation::{Ranks, fen, resolve, write_wxf}, variant::Variant};
/// let row = Variant::by_name("xiangqi").unwrap().fairy().unwrap();
/// let start = fen::read(row, row.start_fen).unwrap().0;
/// let ply = resolve(row, &start, "h2e2", Ranks::FromZero).unwrap();
/// assert_eq!(write_wxf(row, &start, ply), "C2=5");
/// ```
pub fn write(variant: &FairyVariant, position: &FairyPosition, ply: FairyPly) -> String {
    if ply.is_null() {
        return "--".to_owned();
    }
    let role = piece::role(position.at(ply.from));
    let letter = letter(variant.move_letters, role);
    let (sign, digit) = way(position, ply);
    let file = file_of(position, ply.from);
    let (number, count) = tandem(position, ply.from);
    // Of advisors and elephants on one file only one can go ahead, and only the
    // other back.
    if count < 2 || matches!(role, BISHOP | ADVISOR) {
        return format!("{letter}{file}{sign}{digit}");
    }
    let grid = position.grid();
    let other_file_has_some = (0..grid.squares())
        .filter(|&square| grid.file(square) != grid.file(ply.from))
        .any(|square| {
            position.at(square) == position.at(ply.from) && tandem(position, square).1 > 1
        });
    if count == 2 && !other_file_has_some {
        let place = if number == 0 { '+' } else { '-' };
        return format!("{letter}{place}{sign}{digit}");
    }
    format!("{}{file}{sign}{digit}", number + 1)
}
