//! Operations as they are read: opcodes brought together, moves looked for in the
//! position.

use std::{borrow::Cow, collections::HashMap};

use shakmaty::{Chess, Position as _};

use super::{
    Kind, Operand, Operation, kind,
    opcode::{is_known, is_opcode_word},
    split::{self, Raw, RawOperand},
};
use crate::{
    diagnostic::Code,
    games::xiangqi::notation::Ranks,
    notation::{
        kin,
        lenient_move::{self, Ply, Resolved},
        san,
    },
    position::{KinPly, KinPosition, Position},
};

/// Operations of a line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Operations {
    /// Each opcode once, in the order of the line, without the counters.
    pub list: Vec<Operation>,
    /// What `hmvc` and `fmvn` say.
    pub counters: [Option<u32>; 2],
    /// What was repaired, each code once.
    pub warnings: Vec<Code>,
}

/// Reads operations. Moves are looked for in a position, if it is of a game whose
/// moves this program writes as EPD does; else they stay text, and nothing is said.
pub fn operations(text: &str, at: Option<&Position>) -> Operations {
    let mut found = Operations::default();
    let at = at.and_then(At::of);
    let mut so_far = SoFar {
        line: at.clone(),
        at,
        places: HashMap::new(),
    };
    each(text, |opcode, operands, odd| {
        found.take(opcode, operands, odd, &mut so_far);
    });
    found
}

/// What is known while operations are read.
struct SoFar {
    /// The position that moves are looked for in; `None` where none are.
    at: Option<At>,
    /// The position behind the line so far, since a second `pv` goes on with it; `None`
    /// behind a move that cannot be played.
    line: Option<At>,
    /// Where opcodes stand in the list of operations.
    places: HashMap<String, usize>,
}

/// Operands of one operation among which another that is the same is looked for.
const OPERANDS_MAX: usize = 256;

/// Calls for each operation with its name, its operands, and whether it is written in
/// an odd way. Where the semicolon behind moves is left out, they are two.
fn each(text: &str, mut take: impl FnMut(&str, &[RawOperand], bool)) {
    for raw in split::operations(text) {
        match second(&raw) {
            Some(at) => {
                let (first, rest) = raw.operands.split_at(at);
                take(raw.opcode, first, true);
                take(&rest[0].text, &rest[1..], true);
            }
            None => take(raw.opcode, &raw.operands, raw.odd),
        }
    }
}

/// The operand of moves that begins an operation, the semicolon before it being
/// left out (`bm Rc8+ dm 26`).
fn second(raw: &Raw<'_>) -> Option<usize> {
    let begins = |operand: &RawOperand| !operand.quoted && is_opcode_word(&operand.text);
    if kind(&meant(raw.opcode)) != Kind::Moves {
        return None;
    }
    let found = raw.operands.iter().skip(1).position(begins)?;
    Some(found + 1)
}

/// The counters among operations, as `hmvc` and `fmvn` give them.
pub(in crate::notation) fn counters(operations: &str) -> [Option<u32>; 2] {
    let mut found = [None; 2];
    each(operations, |opcode, operands, _| {
        if let Some((at, number)) = counter(&meant(opcode), operands) {
            found[at] = Some(number);
        }
    });
    found
}

/// The opcode that a name is meant to be: `PV:` and `BM` are `pv` and `bm`.
fn meant(written: &str) -> Cow<'_, str> {
    let folded = written.trim_end_matches(':').to_ascii_lowercase();
    if !is_known(written) && is_known(&folded) {
        folded.into()
    } else {
        written.into()
    }
}

/// Which counter an operation is, and what it says.
fn counter(opcode: &str, operands: &[RawOperand]) -> Option<(usize, u32)> {
    let at = ["hmvc", "fmvn"].iter().position(|&name| name == opcode)?;
    match operands {
        [operand] => Some((at, operand.text.parse().ok()?)),
        _ => None,
    }
}

/// A position in which moves are read and written.
#[derive(Debug, Clone)]
pub(super) enum At {
    Chess(Chess),
    Kin(KinPosition),
}

impl At {
    pub(super) fn of(position: &Position) -> Option<Self> {
        match position {
            Position::Chess(position) => Some(Self::Chess(position.clone())),
            Position::Kin(at) => Some(Self::Kin(at.position.clone())),
            Position::Draughts(_) => None,
        }
    }

    /// The moves that a word is, and whether it is written as the standard asks.
    fn resolve(&self, word: &str) -> Option<(Vec<KinPly>, bool)> {
        match self {
            Self::Chess(at) => {
                let Resolved {
                    plies, findings, ..
                } = lenient_move::resolve(at, word).ok()?;
                let moves = plies.into_iter().filter_map(|ply| match ply {
                    Ply::Move(m) => Some(KinPly::Shakmaty(m)),
                    Ply::Null => None,
                });
                Some((moves.collect(), findings.is_empty()))
            }
            Self::Kin(at) => {
                let ply = kin::resolve(at, word, Ranks::Either).ok()?;
                if ply == KinPly::Null {
                    return None;
                }
                let bare = |word: &str| word.trim_end_matches(['+', '#']).to_owned();
                Some((vec![ply], bare(&kin::san(at, ply)) == bare(word)))
            }
        }
    }

    /// Plays a legal move of this position.
    pub(super) fn play(&mut self, ply: KinPly) {
        match (self, ply) {
            (Self::Chess(at), KinPly::Shakmaty(m)) => at.play_unchecked(m),
            (Self::Chess(_), _) => {}
            (Self::Kin(at), ply) => at.play(ply),
        }
    }

    pub(super) fn san(&self, ply: KinPly) -> String {
        match (self, ply) {
            (Self::Chess(at), KinPly::Shakmaty(m)) => san::write(at, &m),
            (Self::Chess(_), _) => "--".to_owned(),
            (Self::Kin(at), ply) => kin::san(at, ply),
        }
    }
}

impl Operations {
    fn take(&mut self, written: &str, operands: &[RawOperand], odd: bool, so_far: &mut SoFar) {
        if odd {
            self.warn(Code::EpdSpelling);
        }
        let opcode = meant(written);
        if opcode != written {
            self.warn(Code::EpdSpelling);
        }
        if let Some((at, number)) = counter(&opcode, operands) {
            self.counters[at] = Some(number);
            return;
        }
        let operands = self.operands(&opcode, operands, so_far);
        if let Some(&place) = so_far.places.get(opcode.as_ref()) {
            // The standard allows an opcode once; suites say `bm` twice.
            let is_line = kind(&opcode) == Kind::Line;
            let known = &mut self.list[place].operands;
            for operand in operands {
                if is_line || !known.iter().take(OPERANDS_MAX).any(|one| *one == operand) {
                    known.push(operand);
                }
            }
            self.warn(Code::EpdSpelling);
        } else {
            let opcode = opcode.into_owned();
            so_far.places.insert(opcode.clone(), self.list.len());
            self.list.push(Operation { opcode, operands });
        }
    }

    fn operands(&mut self, opcode: &str, raw: &[RawOperand], so_far: &mut SoFar) -> Vec<Operand> {
        match (kind(opcode), &so_far.at) {
            (Kind::Moves, Some(_)) => self.read_moves(raw, &mut so_far.at.clone(), false),
            (Kind::Line, Some(_)) => self.read_moves(raw, &mut so_far.line, true),
            (kind, _) => self.values(kind, raw),
        }
    }

    fn values(&mut self, kind: Kind, raw: &[RawOperand]) -> Vec<Operand> {
        match kind {
            Kind::Text => {
                let quoted = |operand: &RawOperand| operand.quoted;
                if raw.iter().all(quoted) {
                    return raw.iter().map(text).collect();
                }
                // `eco C20`, `id my test`.
                self.warn(Code::EpdOperand);
                let words: Vec<&str> = raw.iter().map(|o| o.text.as_str()).collect();
                vec![Operand::Text(words.join(" "))]
            }
            Kind::Integer => {
                let operands: Vec<Operand> = raw.iter().map(by_shape).collect();
                if !matches!(operands[..], [Operand::Integer(_)]) {
                    self.warn(Code::EpdOperand);
                }
                operands
            }
            Kind::Any | Kind::Moves | Kind::Line => raw.iter().map(by_shape).collect(),
        }
    }

    /// Moves of the position, or of a line from it, which goes on to where the line ends.
    fn read_moves(&mut self, raw: &[RawOperand], at: &mut Option<At>, line: bool) -> Vec<Operand> {
        let mut found = Vec::with_capacity(raw.len());
        for operand in raw {
            // `1.Nf3`, `Nf3, Nc3` and `Nf3 or Nc3`.
            let word = operand.text.trim_end_matches(',');
            let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let word = match word.trim_start_matches(['.', '…']) {
                cut if cut.len() < word.len() => cut,
                _ => operand.text.trim_end_matches(','),
            };
            if word.is_empty() || matches!(word, "or" | "and" | "|") {
                self.warn(Code::EpdOperand);
                continue;
            }
            // `Qd1 +`: the sign stands apart from its move.
            let is_sign = word.chars().all(|c| "+#!?".contains(c));
            if is_sign && matches!(found.last(), Some(Operand::Move(_))) {
                self.warn(Code::EpdOperand);
                continue;
            }
            // No position has so many moves.
            let is_looked_at = line || found.len() < OPERANDS_MAX;
            let here = at.as_ref().filter(|_| is_looked_at);
            match here.and_then(|at| at.resolve(word)) {
                Some((moves, is_usual)) if line || moves.len() == 1 => {
                    if word.len() < operand.text.len() || !is_usual {
                        self.warn(Code::EpdOperand);
                    }
                    for m in moves {
                        found.push(Operand::Move(m));
                        if line && let Some(at) = at.as_mut() {
                            at.play(m);
                        }
                    }
                }
                // Mate in so many moves, in suites of mates.
                _ if !line && is_mate(word) => {
                    self.warn(Code::EpdOperand);
                    found.push(Operand::Word(operand.text.clone()));
                }
                _ => {
                    // Behind a move that cannot be played nothing of a line can.
                    if line {
                        *at = None;
                    }
                    self.warn(Code::EpdMove);
                    found.push(if operand.quoted {
                        text(operand)
                    } else {
                        Operand::Word(operand.text.clone())
                    });
                }
            }
        }
        found
    }

    fn warn(&mut self, code: Code) {
        if !self.warnings.contains(&code) {
            self.warnings.push(code);
        }
    }
}

/// `#15`, `#-3`.
fn is_mate(word: &str) -> bool {
    let number = word.strip_prefix('#').unwrap_or_default();
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn text(operand: &RawOperand) -> Operand {
    Operand::Text(operand.text.clone())
}

/// What an operand is by its looks.
fn by_shape(operand: &RawOperand) -> Operand {
    let word = operand.text.as_str();
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if operand.quoted {
        return text(operand);
    }
    if number && let Ok(integer) = word.parse() {
        return Operand::Integer(integer);
    }
    if number
        && word.contains('.')
        && !word.ends_with('.')
        && let Ok(float) = word.parse()
    {
        return Operand::Float(float);
    }
    Operand::Word(operand.text.clone())
}
