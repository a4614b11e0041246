//! The grammar of queries:
//!
//! ```text
//! query  = and { "or" and }
//! and    = unit { [ "and" ] unit }          (without "and" beside facts about the game only)
//! unit   = "not" unit | looks "(" query ")" | "(" query ")" | looks "@" NAME | chain | fact
//! fact   = NAME:VALUE                            (of the game; in a chain it parts nothing)
//! own    = NAME:VALUE { NAME:VALUE }             (of a move: clock, eval, loss; alone it is a fact)
//! chain  = step { ("then" | "next" | "within" N) step }
//! step = looks { own } ( { term | own } | exact { own } | "{" ply "}" { own } )
//!          [ "for" N [ "step" N ] ]
//! exact  = ( "fen" | "moves" ) ":" VALUE         (a fact about the game where nothing follows)
//! looks  = { "either" | "mirror" | "rotate" | "shift" | "shiftx" | "shifty" }
//! ply    = terms, facts of a move and exact positions with "and", "or", "not" and parentheses,
//!          all at one ply
//! ```

use super::super::GameCondition;
use super::{
    Expr, PlyCondition, QueryError, Sequence, Step, StepGap, Symmetries, TextSpan,
    lexer::{self, QueryToken},
    terms::{self, QueryWord},
};

/// How deep brackets and `not` may be nested.
const DEPTH_MAX: usize = 64;
/// How many terms a query may have.
const TERMS_MAX: usize = 1000;
/// At how many plies a step may last, and how far apart steps may be.
const PLIES_MAX: u32 = 10_000;

/// Reads a query.
///
/// # Errors
///
/// [`QueryError`], with its place.
pub fn parse(text: &str) -> Result<Expr, QueryError> {
    let mut parser = QueryParser {
        text,
        tokens: lexer::tokens(text)?,
        at: 0,
        depth: 0,
        aside: Vec::new(),
    };
    if parser.tokens.len() > TERMS_MAX {
        let (_, span) = parser.tokens[TERMS_MAX].clone();
        return Err(QueryError::new(
            format!("a query has at most {TERMS_MAX} words"),
            span,
        ));
    }
    let asked = parser.any()?;
    match parser.tokens.get(parser.at) {
        None => Ok(asked),
        Some((token, span)) => Err(parser.unexpected(*token, span.clone())),
    }
}

/// Reads conditions of one ply, as they stand between braces.
pub(super) fn parse_ply(text: &str) -> Option<PlyCondition> {
    let mut parser = QueryParser {
        text,
        tokens: lexer::tokens(text).ok()?,
        at: 0,
        depth: 0,
        aside: Vec::new(),
    };
    let read = parser.ply_any().ok()?;
    (parser.at == parser.tokens.len()).then_some(read)
}

pub(super) struct QueryParser<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<(QueryToken, TextSpan)>,
    pub(super) at: usize,
    depth: usize,
    /// Facts about the game that stood between the words of a chain.
    pub(super) aside: Vec<(GameCondition, TextSpan)>,
}

impl QueryParser<'_> {
    pub(super) fn peek(&self) -> Option<QueryToken> {
        self.tokens.get(self.at).map(|(token, _)| *token)
    }

    fn take(&mut self, token: QueryToken) -> bool {
        let is_here = self.peek() == Some(token);
        self.at += usize::from(is_here);
        is_here
    }

    /// Where the next token stands, or the end of the text.
    pub(super) fn here(&self) -> TextSpan {
        let end = self.text.len()..self.text.len();
        self.tokens
            .get(self.at)
            .map_or(end, |(_, span)| span.clone())
    }

    pub(super) fn word(&self, span: &TextSpan) -> &str {
        &self.text[span.clone()]
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(QueryError::new(
                format!("brackets are nested more than {DEPTH_MAX} deep"),
                self.here(),
            ));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn any(&mut self) -> Result<Expr, QueryError> {
        let mut any = vec![self.all()?];
        while self.take(QueryToken::Or) {
            any.push(self.all()?);
        }
        let any = any.into_iter().flat_map(|one| match one {
            Expr::Or(inner) => inner,
            other => vec![other],
        });
        Ok(one_or(any.collect(), Expr::Or))
    }

    fn all(&mut self) -> Result<Expr, QueryError> {
        let mut all = Vec::new();
        loop {
            let is_fact = self.unit(&mut all)?;
            let aside = self.aside.drain(..);
            all.extend(aside.map(|(condition, span)| Expr::Game(condition, span)));
            if self.take(QueryToken::And) {
                continue;
            }
            // Facts about the game stand beside anything, and beside each other.
            let begins = !matches!(
                self.peek(),
                None | Some(QueryToken::Or | QueryToken::Close | QueryToken::BraceClose)
            );
            if !begins || !is_fact && !self.is_fact() {
                let all = all.into_iter().flat_map(|one| match one {
                    Expr::And(inner) => inner,
                    other => vec![other],
                });
                return Ok(one_or(all.collect(), Expr::And));
            }
        }
    }

    /// Whether the next token is a fact about the game.
    pub(super) fn is_fact(&self) -> bool {
        let Some((QueryToken::Word, span)) = self.tokens.get(self.at) else {
            return false;
        };
        matches!(terms::word(self.word(span), span), Ok(QueryWord::Game(..)))
    }

    /// Reads one unit; whether it was a fact about the game.
    fn unit(&mut self, out: &mut Vec<Expr>) -> Result<bool, QueryError> {
        if self.take(QueryToken::Not) {
            let mut inner = Vec::new();
            let is_fact = self.deeper(|parser| parser.unit(&mut inner))?;
            out.push(Expr::Not(Box::new(one_or(inner, Expr::And))));
            return Ok(is_fact);
        }
        let begin = self.at;
        let looks = self.looks();
        let group = if self.take(QueryToken::Open) {
            let inner = self.deeper(Self::any)?;
            self.closed(QueryToken::Close, begin)?;
            Some(inner)
        } else {
            self.saved()
        };
        if let Some(inner) = group {
            out.push(if looks == Symmetries::default() {
                inner
            } else {
                Expr::Seen(looks, Box::new(inner))
            });
            return Ok(false);
        }
        if self.is_fact() && !self.begins_chain() {
            if looks != Symmetries::default() {
                let (_, span) = self.tokens[begin].clone();
                let word = self.word(&span);
                return Err(QueryError::new(
                    format!("`{word}` says how the board is looked at, not the game"),
                    span.clone(),
                )
                .hint("write it before conditions on positions"));
            }
            let fact = match self.own()? {
                Some((asked, span)) => Some((GameCondition::Move(asked), span)),
                None => self.fact()?,
            };
            out.extend(fact.map(|(condition, span)| Expr::Game(condition, span)));
            return Ok(true);
        }
        self.at = begin;
        let chain = self.chain()?;
        out.push(Expr::Chain(chain));
        Ok(false)
    }

    fn closed(&mut self, token: QueryToken, begin: usize) -> Result<(), QueryError> {
        if self.take(token) {
            return Ok(());
        }
        if self.at < self.tokens.len() {
            let (token, span) = self.tokens[self.at].clone();
            return Err(self.unexpected(token, span));
        }
        let (_, span) = self.tokens[begin].clone();
        Err(QueryError::new("this bracket is not closed", span))
    }

    fn looks(&mut self) -> Symmetries {
        let mut looks = Symmetries::default();
        loop {
            match self.peek() {
                Some(QueryToken::Either) => looks.either = true,
                Some(QueryToken::Mirror) => looks.mirror = true,
                Some(QueryToken::Rotate) => looks.rotate = true,
                Some(QueryToken::Shift) => (looks.shift_x, looks.shift_y) = (true, true),
                Some(QueryToken::ShiftX) => looks.shift_x = true,
                Some(QueryToken::ShiftY) => looks.shift_y = true,
                _ => return looks,
            }
            self.at += 1;
        }
    }

    fn chain(&mut self) -> Result<Sequence, QueryError> {
        let first = self.step()?;
        let mut rest = Vec::new();
        loop {
            let link = if self.take(QueryToken::Then) {
                StepGap::Then
            } else if self.take(QueryToken::Next) {
                StepGap::Within(1)
            } else if self.take(QueryToken::Within) {
                StepGap::Within(self.number("such as `within 6`")?)
            } else {
                return Ok(Sequence { first, rest });
            };
            rest.push((link, self.step()?));
        }
    }

    /// A number of plies from 1.
    fn number(&mut self, what: &str) -> Result<u32, QueryError> {
        let span = self.here();
        let number = self.word(&span).parse::<u32>().ok();
        let number = number.filter(|number| (1..=PLIES_MAX).contains(number));
        self.at += 1;
        number.ok_or_else(|| {
            QueryError::new(format!("a number is wanted here, {what}"), span)
                .hint(format!("write a number from 1 to {PLIES_MAX}"))
        })
    }

    fn step(&mut self) -> Result<Step, QueryError> {
        let looks = self.looks();
        let begin = self.at;
        let (mut parts, mut has_terms, mut has_group) = (Vec::new(), false, false);
        loop {
            let may_be_group = !has_terms && !has_group;
            if let Some(own) = self.own_condition()? {
                parts.push(own);
            } else if may_be_group && self.take(QueryToken::BraceOpen) {
                parts.push(self.deeper(Self::ply_any)?);
                self.closed(QueryToken::BraceClose, begin)?;
                has_group = true;
            } else if may_be_group
                && (parts.is_empty() || self.begins_at_position())
                && let Some(position) = self.position()
            {
                parts.push(position);
                has_group = true;
            } else if has_terms && self.take(QueryToken::Not) {
                let inner = self.deeper(Self::ply_unit)?;
                parts.push(PlyCondition::Not(Box::new(inner)));
            } else if has_terms && self.is_seen_group() {
                let looks = self.looks();
                parts.push(self.seen(looks)?);
            } else if !has_group && let Some(term) = self.term()? {
                parts.push(term);
                has_terms = true;
            } else if parts.is_empty() {
                return Err(self.missing());
            } else if !self.pass_facts(!has_group, may_be_group) {
                break;
            }
        }
        let parts = parts.into_iter().flat_map(|part| match part {
            PlyCondition::And(inner) => inner,
            other => vec![other],
        });
        let holds = one_or(parts.collect(), PlyCondition::And);
        let (mut times, mut step) = (1, 1);
        if self.take(QueryToken::For) {
            times = self.number("such as `for 10`")?;
            if self.take(QueryToken::Step) {
                step = self.number("such as `step 2`")?;
            }
        }
        Ok(Step {
            holds,
            looks,
            times,
            step,
        })
    }

    /// Whether ways of looking at the board are next, and then a brace.
    fn is_seen_group(&mut self) -> bool {
        let begin = self.at;
        let is_seen = self.looks() != Symmetries::default();
        let is_group = is_seen && self.peek() == Some(QueryToken::BraceOpen);
        self.at = begin;
        is_group
    }

    /// The next condition on a position, if one is next.
    fn term(&mut self) -> Result<Option<PlyCondition>, QueryError> {
        let Some((QueryToken::Word, span)) = self.tokens.get(self.at).cloned() else {
            return Ok(None);
        };
        match terms::word(self.word(&span), &span)? {
            QueryWord::Term(term) => {
                self.at += 1;
                Ok(Some(PlyCondition::Term(term, span)))
            }
            QueryWord::Game(..) => Ok(None),
        }
    }

    /// What ways of looking at the board are about: a bracket, or all words up to the end.
    fn seen(&mut self, looks: Symmetries) -> Result<PlyCondition, QueryError> {
        let is_group = matches!(self.peek(), Some(QueryToken::Open | QueryToken::BraceOpen));
        let inner = self.deeper(|parser| {
            if is_group {
                parser.ply_unit()
            } else {
                parser.ply_all()
            }
        })?;
        Ok(PlyCondition::Seen(looks, Box::new(inner)))
    }

    fn ply_any(&mut self) -> Result<PlyCondition, QueryError> {
        let mut any = vec![self.ply_all()?];
        while self.take(QueryToken::Or) {
            any.push(self.ply_all()?);
        }
        let any = any.into_iter().flat_map(|one| match one {
            PlyCondition::Or(inner) => inner,
            other => vec![other],
        });
        Ok(one_or(any.collect(), PlyCondition::Or))
    }

    fn ply_all(&mut self) -> Result<PlyCondition, QueryError> {
        let mut all = vec![self.ply_unit()?];
        loop {
            let is_more = self.take(QueryToken::And)
                || matches!(
                    self.peek(),
                    Some(
                        QueryToken::Word
                            | QueryToken::Not
                            | QueryToken::Open
                            | QueryToken::BraceOpen
                            | QueryToken::Either
                            | QueryToken::Mirror
                            | QueryToken::Rotate
                            | QueryToken::Shift
                            | QueryToken::ShiftX
                            | QueryToken::ShiftY
                    )
                );
            if !is_more {
                let all = all.into_iter().flat_map(|one| match one {
                    PlyCondition::And(inner) => inner,
                    other => vec![other],
                });
                return Ok(one_or(all.collect(), PlyCondition::And));
            }
            all.push(self.ply_unit()?);
        }
    }

    fn ply_unit(&mut self) -> Result<PlyCondition, QueryError> {
        let looks = self.looks();
        if looks != Symmetries::default() {
            return self.seen(looks);
        }
        let begin = self.at;
        if self.take(QueryToken::Not) {
            let inner = self.deeper(Self::ply_unit)?;
            return Ok(PlyCondition::Not(Box::new(inner)));
        }
        for (open, close) in [
            (QueryToken::Open, QueryToken::Close),
            (QueryToken::BraceOpen, QueryToken::BraceClose),
        ] {
            if self.take(open) {
                let inner = self.deeper(Self::ply_any)?;
                self.closed(close, begin)?;
                return Ok(inner);
            }
        }
        let found = match self.position() {
            Some(position) => Some(position),
            None => self.own_condition()?,
        };
        if let Some(found) = found {
            return Ok(found);
        }
        match self.term()? {
            Some(term) => Ok(term),
            None => Err(self.missing()),
        }
    }
}

fn one_or<T>(mut several: Vec<T>, join: fn(Vec<T>) -> T) -> T {
    if several.len() == 1 {
        several.remove(0)
    } else {
        join(several)
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::Strategy as _;

    use super::*;

    fn misread(text: &str) -> (String, String) {
        let misread = parse(text).expect_err(text);
        (misread.message, text[misread.span].to_owned())
    }

    #[test]
    fn side_by_side_is_one_ply_and_and_is_several() {
        let chains = |text| match parse(text).expect(text) {
            Expr::And(all) => all.len(),
            _ => 1,
        };
        assert_eq!(chains("Q=0 q=0"), 1);
        assert_eq!(chains("Q=0 and q=0"), 2);
        assert_eq!(chains("Q=0 q=0 player:Karpov result:1-0"), 3);
        assert_eq!(chains("player:Karpov Q=0 and q=0"), 3);
        assert_eq!(chains("move:Bxh7 next move:Kxh7 next move:Ng5"), 1);
        assert_eq!(chains("Q=0 player:Karpov q=0"), 2);
        assert_eq!(chains("clock:..10 loss:3.. player:Karpov"), 2);
        assert_eq!(chains("clock:..10 Q=0"), 1);
        assert_eq!(chains("clock:..10 (Q=0 or q=0)"), 2);
        assert_eq!(chains("not Q=0 player:Karpov q=0"), 2);
    }

    #[test]
    fn fields_of_a_fen_belong_to_it() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let asked = parse(&format!("fen:{fen} elo:2600..")).expect("a question");
        let Expr::And(all) = asked else {
            panic!("two facts");
        };
        let is_fen = |one: &Expr| matches!(one, Expr::Game(GameCondition::Position(own), _) if own.text == fen);
        assert!(is_fen(&all[0]));
    }

    #[test]
    fn errors_name_the_place() {
        for (text, place) in [
            ("Pd4 and", ""),
            ("Pd4 )", ")"),
            ("(Pd4", "("),
            ("{ Pd4 ", "{"),
            ("Pd4 (q or Q)", "("),
            ("{ }", "{ }"),
            ("Pd4 and not ()", "()"),
            ("{ q { } }", "{ }"),
            ("Pd4 then", ""),
            ("Pd4 for x", "x"),
            ("Pd4 within 0 q", "0"),
            ("carlsen", "carlsen"),
            ("ply:4..2", "ply:4..2"),
            ("{ Pd4 player:x }", "player:x"),
            ("either player:x", "either"),
            ("player:", "player:"),
            ("Pd4 \"q", "\"q"),
        ] {
            assert_eq!(misread(text).1, place, "{text}");
        }
        let deep = "(".repeat(5000);
        assert!(misread(&deep).0.contains("deep") || misread(&deep).0.contains("words"));
        let deep = "not ".repeat(100) + "q";
        assert!(misread(&deep).0.contains("deep"));
    }

    proptest::proptest! {
        /// Whatever is typed is understood, or its place is named; on boards as well.
        #[test]
        fn any_text_comes_to_an_end(
            words in proptest::collection::vec(
                proptest::prop_oneof![
                    8 => proptest::sample::select(vec![
                        "and", "or", "not", "then", "next", "within", "for", "step", "either",
                        "mirror", "shift", "rotate", "(", ")", "{", "}", "Pd4", "q=0..2", "R=r",
                        "x:a-d1-4=..3", "material:KRvK+", "imbalance:QvR", "move:exd8=Q#",
                        "move:O-O", "uci:e7e8q", "last:P", "ply:3..", "men:1v2", "check", "mate",
                        "player:x", "fen:8/8", "w", "-", "3", "to:1-20", "jumps:2",
                        "elo:2600..", "date:2010-2012", "eco:B2,C40..C45", "has:Annotator",
                        "tag.Site:=x", "event:\"a \\\"b\\\"\"", "clock:..10", "eval:-0.3..0.3",
                        "opening:najdorf|dragon", "variant:chess,atomic", "time:blitz", "won:x",
                        "plies:10,20..30", "month:12", "in:variations", "B:light", "BN=1..",
                        "attacks:N:k,q/e4=2..", "pins:B:n:k", "only:P:2/e4", "last:captured:Q",
                        "moves:e4", "@a", "pattern:*/*/p??[^NB]p*/*/3!/*/*/*", "kings:1v0",
                    ]).prop_map(str::to_owned),
                    1 => "\\PC{0,6}",
                ],
                0..14,
            ),
        ) {
            let text = words.join(" ");
            match parse(&text) {
                Ok(asked) => {
                    let printed = asked.to_string();
                    let again = parse(&printed).map_err(|misread| (text.clone(), misread));
                    assert_eq!(again.as_ref(), Ok(&asked), "{printed}");
                    assert_eq!(again.map(|again| again.to_string()), Ok(printed));
                    for row in &crate::games::variant::ALL {
                        if let Some(start) = crate::games::AnyPosition::start(row) {
                            let board = super::super::BoardSpec::of(&start);
                            let _ = super::super::compile(&asked, &board);
                        }
                    }
                }
                Err(misread) => assert!(text.get(misread.span).is_some(), "{text}"),
            }
        }
    }
}
