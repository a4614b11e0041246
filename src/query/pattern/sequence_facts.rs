//! Facts in a query: which are about the game, and which belong to a ply, beside conditions on its
//! position and its move.

use super::super::{GameCondition, MoveFilter, PositionText, saved, words};
use super::{
    Expr, PlyCondition, QueryError, Sequence, Step, Symmetries, Term, TextSpan,
    lexer::QueryToken,
    parser::QueryParser,
    terms::{self, QueryWord},
};

/// Whether a fact is a position that a game reaches.
fn is_position(name: &str) -> bool {
    let mut names = ["fen", "moves"].iter();
    names.any(|own| name.eq_ignore_ascii_case(own))
}

/// A query about lines: the positions that a game must reach must stand on the board of the same
/// line as all else.
pub fn of_lines(expr: Expr) -> Expr {
    let each = |all: Vec<Expr>| all.into_iter().map(of_lines).collect();
    match expr {
        Expr::And(all) => Expr::And(each(all)),
        Expr::Or(all) => Expr::Or(each(all)),
        Expr::Not(inner) => Expr::Not(Box::new(of_lines(*inner))),
        Expr::Game(GameCondition::Position(position), span) => {
            let stands = on_line(position.clone(), span.clone());
            Expr::And(vec![
                Expr::Game(GameCondition::Position(position), span),
                stands,
            ])
        }
        // An exact position is not looked at in other ways.
        Expr::Seen(..) | Expr::Chain(_) | Expr::Game(..) | Expr::Saved(..) => expr,
    }
}

/// The condition that a position stands on the board of a line.
pub fn on_line(position: PositionText, span: TextSpan) -> Expr {
    let first = Step {
        holds: PlyCondition::Term(Term::Position(position), span),
        looks: Symmetries::default(),
        times: 1,
        step: 1,
    };
    let rest = Vec::new();
    Expr::Chain(Sequence { first, rest })
}

impl QueryParser<'_> {
    /// The name of a saved query that is next, with nothing beside it that belongs to a ply.
    pub(super) fn saved(&mut self) -> Option<Expr> {
        let (_, span) = self.tokens.get(self.at)?.clone();
        let name = saved::name_of(self.word(&span))?.to_owned();
        self.at += 1;
        let (here, aside) = (self.at, self.aside.len());
        let is_alone = match self.peek() {
            None
            | Some(QueryToken::And | QueryToken::Or | QueryToken::Close | QueryToken::BraceClose) => {
                true
            }
            _ => self.is_fact() && !self.is_of_move() && !self.pass_facts(true, false),
        };
        self.at = if is_alone { here } else { here - 1 };
        self.aside.truncate(aside);
        is_alone.then_some(Expr::Saved(name, span))
    }

    /// The name and the value of the fact that is next, if one is.
    fn named_value(&mut self) -> Option<(String, String, TextSpan)> {
        let (token, span) = self.tokens.get(self.at)?.clone();
        if token != QueryToken::Word {
            return None;
        }
        let Ok(QueryWord::Game(name, value)) = terms::word(self.word(&span), &span) else {
            return None;
        };
        self.at += 1;
        let value = self.rest_of_fen(&name, value);
        Some((name, value, span))
    }

    /// The condition on the game that is next, if one is.
    pub(super) fn fact(&mut self) -> Result<Option<(GameCondition, TextSpan)>, QueryError> {
        let Some((name, value, span)) = self.named_value() else {
            return Ok(None);
        };
        let read = GameCondition::read(&terms::folded_name(&name), &value);
        match read.unwrap_or_else(|| Err(words::unknown(&name, &value))) {
            Ok(condition) => Ok(Some((condition, span))),
            Err(error) => Err(QueryError::of_value(error, span)),
        }
    }

    /// Whether a fact is next that is of a move.
    fn is_of_move(&self) -> bool {
        let Some((QueryToken::Word, span)) = self.tokens.get(self.at) else {
            return false;
        };
        let Ok(QueryWord::Game(name, _)) = terms::word(self.word(span), span) else {
            return false;
        };
        words::is_of_move(&name)
    }

    /// The facts of one and the same move that are next, if there are any, and where they stand.
    pub(super) fn own(&mut self) -> Result<Option<(MoveFilter, TextSpan)>, QueryError> {
        let mut own: Option<(MoveFilter, TextSpan)> = None;
        while self.is_of_move() {
            let Some((GameCondition::Move(asked), span)) = self.fact()? else {
                break;
            };
            own = Some(match own {
                None => (asked, span),
                Some((before, place)) => (before.and(asked), place.start..span.end),
            });
        }
        Ok(own)
    }

    /// The same as a condition of a ply.
    pub(super) fn own_condition(&mut self) -> Result<Option<PlyCondition>, QueryError> {
        let own = self.own()?;
        Ok(own.map(|(asked, span)| PlyCondition::Term(Term::Annotation(asked), span)))
    }

    /// Steps over facts of a move; whether there was one.
    fn skip_own(&mut self) -> bool {
        let begin = self.at;
        while self.is_of_move() {
            self.named_value();
        }
        self.at > begin
    }

    /// Whether a fact is next that belongs to a chain: a position, or facts of a move, with
    /// something beside it or after it.
    pub(super) fn begins_chain(&mut self) -> bool {
        let (begin, aside) = (self.at, self.aside.len());
        let is_chain = self.begins_at_position()
            || self.skip_own()
                && (self.goes_on()
                    || self.begins_group()
                    || self.is_term()
                    || self.pass_facts(true, true));
        self.at = begin;
        self.aside.truncate(aside);
        is_chain
    }

    /// Whether a position is next, and something that is to come after it.
    pub(super) fn begins_at_position(&mut self) -> bool {
        let begin = self.at;
        let is_position = self.position().is_some();
        self.skip_own();
        let is_chain = is_position && self.goes_on();
        self.at = begin;
        is_chain
    }

    /// Whether something is next that only a step has after it.
    pub(super) fn goes_on(&self) -> bool {
        matches!(
            self.peek(),
            Some(QueryToken::Then | QueryToken::Next | QueryToken::Within | QueryToken::For)
        )
    }

    /// Whether a step's brace or its exact position is next.
    fn begins_group(&mut self) -> bool {
        self.peek() == Some(QueryToken::BraceOpen) || self.begins_at_position()
    }

    /// Whether a condition on a position is next.
    fn is_term(&self) -> bool {
        let Some((QueryToken::Word, span)) = self.tokens.get(self.at) else {
            return false;
        };
        matches!(terms::word(self.word(span), span), Ok(QueryWord::Term(_)))
    }

    /// Passes over facts about the game after which a step goes on: with facts of the move,
    /// and as far as it may have them, with conditions or with a group. If it does not, they are
    /// not passed over.
    pub(super) fn pass_facts(&mut self, may_be_term: bool, may_be_group: bool) -> bool {
        let (begin, aside) = (self.at, self.aside.len());
        loop {
            let here = self.at;
            let goes_on = self.skip_own();
            self.at = here;
            if goes_on
                || may_be_group && here > begin && self.begins_group()
                || may_be_term && here > begin && self.is_term()
            {
                return true;
            }
            match self.fact() {
                Ok(Some(fact)) if !self.goes_on() => self.aside.push(fact),
                // What is wrong with one is found where it is read.
                _ => {
                    self.at = begin;
                    self.aside.truncate(aside);
                    return false;
                }
            }
        }
    }

    /// A position that is to stand on the board at a ply, if one is next.
    pub(super) fn position(&mut self) -> Option<PlyCondition> {
        let (_, span) = self.tokens.get(self.at)?.clone();
        let Ok(QueryWord::Game(name, value)) = terms::word(self.word(&span), &span) else {
            return None;
        };
        if !is_position(&name) {
            return None;
        }
        self.at += 1;
        let value = self.rest_of_fen(&name, value);
        let position = PositionText {
            is_moves: name.eq_ignore_ascii_case("moves"),
            text: value,
            read: None,
            diagrams: Vec::new(),
        };
        Some(PlyCondition::Term(Term::Position(position), span))
    }

    /// A FEN with the fields that follow it as words of their own.
    fn rest_of_fen(&mut self, name: &str, mut value: String) -> String {
        if !name.eq_ignore_ascii_case("fen") || value.contains(' ') || !value.contains('/') {
            return value;
        }
        let fits: [fn(&str) -> bool; 5] = [
            |word| matches!(word, "w" | "b"),
            |word| word == "-" || word.chars().all(|c| c.is_ascii_alphabetic()),
            |word| word == "-" || word.len() == 2,
            |word| word.parse::<u32>().is_ok(),
            |word| word.parse::<u32>().is_ok(),
        ];
        for fits in fits {
            let Some((QueryToken::Word, span)) = self.tokens.get(self.at) else {
                break;
            };
            let word = &self.text[span.clone()];
            if !fits(word) {
                break;
            }
            value.push(' ');
            value.push_str(word);
            self.at += 1;
        }
        value
    }
}
