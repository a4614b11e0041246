//! What is wrong with a query that cannot be read, and what to write instead.

use super::{QueryError, TextSpan, lexer::QueryToken, parser::QueryParser};

impl QueryParser<'_> {
    /// What to say of a token that cannot stand where it does.
    pub(super) fn unexpected(&self, token: QueryToken, span: TextSpan) -> QueryError {
        let word = self.word(&span);
        let misread = QueryError::new(format!("`{word}` cannot stand here"), span.clone());
        match token {
            QueryToken::Close => misread.hint("no parenthesis is open"),
            QueryToken::BraceClose => misread.hint("no brace is open"),
            QueryToken::Open if self.is_in_sequence() => misread.hint(
                "in a sequence, braces group conditions of one ply: Pd4 then { Ne5 or Nd5 }; \
                 parentheses group complete queries",
            ),
            QueryToken::Open | QueryToken::BraceOpen => misread.hint(
                "write all conditions of one ply within the same braces: { Pd4 (Ne5 or Nd5) }; \
                 `and` joins conditions of any plies",
            ),
            QueryToken::Not => misread.hint(
                "`not` does not begin a later step: { not Pd4 } is a ply without the pawn, and \
                 A and not (A then B) has no such sequence",
            ),
            QueryToken::Then | QueryToken::Next | QueryToken::Within => misread.hint(
                "parentheses group complete queries: write a sequence without them, and braces \
                 around the conditions of one ply",
            ),
            _ if self.tokens[..self.at].last().is_some_and(|(token, _)| {
                *token == QueryToken::BraceClose
            }) => misread.hint(
                "write all conditions of one ply within the braces; `and` joins conditions of any plies",
            ),
            _ => misread.hint(
                "write `and` or `or` between conditions; braces join conditions of one and the same ply",
            ),
        }
    }

    /// Whether the word before joins steps of a sequence.
    fn is_in_sequence(&self) -> bool {
        let before = self.tokens[..self.at].last();
        before.is_some_and(|(token, span)| {
            matches!(token, QueryToken::Then | QueryToken::Next)
                || *token == QueryToken::Word && self.word(span).parse::<u32>().is_ok()
        })
    }

    /// What to say where a condition should stand.
    pub(super) fn missing(&self) -> QueryError {
        match self.tokens.get(self.at) {
            None => QueryError::new("a condition is missing at the end", self.here())
                .hint("write one, such as Pd4, q, move:Bxh7 or mate"),
            Some((QueryToken::Word, span)) if self.is_fact() => QueryError::new(
                format!(
                    "`{}` is a filter on the game, not a condition on a ply",
                    self.word(span)
                ),
                span.clone(),
            )
            .hint("write it before the other conditions, or after `and`"),
            Some((QueryToken::Close | QueryToken::BraceClose, span)) if self.is_opened() => {
                let (_, open) = &self.tokens[self.at - 1];
                let brackets = open.start..span.end;
                QueryError::new("no condition stands between these brackets", brackets)
                    .hint("write one there, such as Pd4, q, move:Bxh7 or mate")
            }
            Some((token, span)) => self.unexpected(*token, span.clone()),
        }
    }

    /// Whether a bracket has just been opened.
    fn is_opened(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        matches!(before, Some((QueryToken::Open | QueryToken::BraceOpen, _)))
    }
}
