//! What a person types means: a position, a query, or words that stand for one.

mod advice;
mod bare_moves;
mod board_fit;
mod conditions;
mod mistakes;
mod signs;

use super::{
    GameCondition, Identity, PositionQuery, PositionText, Query, SavedQueries, free_words,
    pattern::{self, BoardSpec, Expr, QueryError, Symmetries, TextSpan, facts, parser},
    position, read, saved,
};
use crate::games::{position_input::TypedPosition, variant::VariantDetection};

pub use advice::{condition_in_shell, in_shell};

/// What is known beside a text.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The variants of which games have one, by their numbers; empty if that is any.
    pub variants: Vec<u8>,
    /// Variations are searched as well.
    pub in_variations: bool,
    /// The other ways in which positions of a query are looked at.
    pub symmetries: Symmetries,
    /// An option that is given and makes sense for one exact position only.
    pub exact_option: Option<&'static str>,
    /// What `@name` stands for.
    pub saved: SavedQueries,
}

/// A text as it is understood.
#[derive(Debug, Clone)]
pub struct Interpretation<M> {
    /// What it means.
    pub meaning: M,
    /// The text; if it is nothing but a name, what that stands for.
    pub text: String,
    /// The variants of which games have one by what the text says, if nothing beside it names any.
    pub variants: Vec<u8>,
    /// What is to be said of it, such as `read as: …`.
    pub notes: Vec<String>,
}

/// What a text can be.
#[derive(Debug, Clone)]
pub enum TypedInput {
    /// There is no text.
    Nothing,
    /// A position.
    Position {
        /// As it was read, or why it cannot be.
        typed: Result<Box<TypedPosition>, QueryError>,
        /// What the words mean as pieces on squares, if they are moves of a game that a database may
        /// not have.
        pieces: Option<Box<Expr>>,
    },
    /// A query.
    Query(Box<Query>),
}

/// Finds out what a text means. Moves that can be played from the start are moves; what else the same
/// words can mean is among the notes.
///
/// # Errors
///
/// [`QueryError`] if it is neither a position nor a query; with what was probably meant.
pub fn interpret(text: &str, context: &Context) -> Result<Interpretation<TypedInput>, QueryError> {
    let saved = named(text, context)?;
    let text = saved.as_deref().unwrap_or(text);
    if let Some(error) = mistakes::moves_with_commas(text, &context.variants) {
        return Err(error);
    }
    let mut interpreter = Interpreter::new(context);
    let meaning = interpreter.meaning(text);
    let meaning = meaning.map_err(|error| mistakes::advise(error, text))?;
    Ok(interpreter.reading(meaning, text))
}

/// Reads a text as a query, whatever else it could be.
///
/// # Errors
///
/// [`QueryError`] if it is none.
pub fn interpret_query(text: &str, context: &Context) -> Result<Interpretation<Query>, QueryError> {
    let saved = named(text, context)?;
    let text = saved.as_deref().unwrap_or(text);
    let mut interpreter = Interpreter::new(context);
    let query = interpreter.query(text)?;
    Ok(interpreter.reading(query, text))
}

impl Query {
    /// Reads what a person types into a search: a query, a FEN, an EPD, or moves from the start
    /// position (`e4 c5`). [`str::parse`] reads queries alone, and guesses nothing.
    ///
    /// # Errors
    ///
    /// [`QueryError`] if it is none of these; with what was probably meant.
    pub fn typed(text: &str) -> Result<Self, QueryError> {
        let read = interpret(text, &Context::default())?;
        let (typed, pieces) = match read.meaning {
            TypedInput::Nothing => return Ok(Self::default()),
            TypedInput::Query(query) => return Ok(*query),
            TypedInput::Position { typed, pieces } => (*typed?, pieces),
        };
        let is_moves = !typed.moves.is_empty();
        let position = PositionQuery {
            own_rules: true,
            words: Some(text.to_owned()),
            pieces,
            ..position::query_of(typed, Identity::Legal)
        };
        Ok(GameCondition::Position(PositionText {
            is_moves,
            text: text.to_owned(),
            ..PositionText::of(position)
        })
        .into())
    }
}

impl std::str::FromStr for Query {
    type Err = QueryError;

    /// Reads a query in the language of `docs/query-language.md`. What is no query is not guessed.
    fn from_str(text: &str) -> Result<Self, QueryError> {
        let context = Context::default();
        let mut interpreter = Interpreter::new(&context);
        let expr = interpreter.parse_whole(text)?;
        let mut query = interpreter.bind(text, expr)?;
        let is_of_variant = |one: &GameCondition| matches!(one, GameCondition::Variant(_));
        if !interpreter.variants.is_empty() && !query.required().any(is_of_variant) {
            query.require([GameCondition::Variant(interpreter.variants)]);
        }
        Ok(query)
    }
}

/// Reads a text as a position, whatever else it could be.
///
/// # Errors
///
/// [`QueryError`] if it is none; of a query, that a position is wanted.
pub fn interpret_position(
    text: &str,
    context: &Context,
) -> Result<Interpretation<TypedPosition>, QueryError> {
    let saved = named(text, context)?;
    let text = saved.as_deref().unwrap_or(text);
    let mut interpreter = Interpreter::new(context);
    let typed = interpreter.typed_position(text);
    let typed = typed.map_err(|error| interpreter.no_position_but_query(text, error))?;
    Ok(interpreter.reading(typed, text))
}

/// An error at a place of a text: of a value that lacks quotes, with these.
pub fn in_text(text: &str, error: QueryError) -> QueryError {
    QueryError {
        hint: advice::quoted(text, &error.span).or(error.hint),
        text: Some(text.to_owned()),
        ..error
    }
}

/// What is said of words that are moves, where they can be pieces on squares as well.
pub fn read_as_position(text: &str) -> String {
    format!("read as a position; `pattern {{ {text} }}` finds pieces on squares")
}

/// Whether there are brackets outside quotes.
fn has_brackets(text: &str) -> bool {
    text.split('"')
        .step_by(2)
        .any(|part| part.contains(['(', '{']))
}

/// What a text stands for that is nothing but a name.
fn named(text: &str, context: &Context) -> Result<Option<String>, QueryError> {
    let named = context.saved.text_of(text);
    named.map_err(|error| in_text(text, error))
}

/// Reads a position in one of some variants, and says nothing of it.
fn typed_position(text: &str, variants: &[u8]) -> Result<TypedPosition, QueryError> {
    let read = position::read(text, variants, &mut Vec::new());
    read.map_err(|error| QueryError::of_position(error, 0..0))
}

/// One text on its way to a meaning.
struct Interpreter<'c> {
    context: &'c Context,
    /// The variants of which games have one, as far as that is known.
    variants: Vec<u8>,
    notes: Vec<String>,
}

impl<'c> Interpreter<'c> {
    fn new(context: &'c Context) -> Self {
        Self {
            context,
            variants: context.variants.clone(),
            notes: Vec::new(),
        }
    }

    fn reading<M>(self, meaning: M, text: &str) -> Interpretation<M> {
        Interpretation {
            meaning,
            text: text.to_owned(),
            variants: if self.context.variants.is_empty() {
                self.variants
            } else {
                Vec::new()
            },
            notes: self.notes,
        }
    }

    /// Reads a query, with what its names stand for.
    fn parse(&self, text: &str) -> Result<Expr, QueryError> {
        saved::resolve(parser::parse(text)?, &self.context.saved)
    }

    /// The same, with an error that is to be said.
    fn parse_whole(&self, text: &str) -> Result<Expr, QueryError> {
        self.parse(text).map_err(|error| in_text(text, error))
    }

    fn fits(&self, expr: &Expr) -> bool {
        board_fit::fits(expr, &self.variants)
    }

    fn fits_some(&self, expr: &Expr) -> bool {
        self.fits(expr) || board_fit::fits_draughts(expr, &self.variants)
    }

    fn typed_position(&mut self, text: &str) -> Result<TypedPosition, QueryError> {
        let read = position::read(text, &self.variants, &mut self.notes);
        read.map_err(|error| QueryError::of_position(error, 0..0))
    }

    /// The meaning of a text that is a position, unless it is something else, too.
    fn position(&mut self, text: &str, pieces: Option<Box<Expr>>) -> TypedInput {
        let typed = self.typed_position(text).map(Box::new);
        TypedInput::Position {
            typed: typed.map_err(|error| mistakes::advise(error, text)),
            pieces,
        }
    }

    fn meaning(&mut self, text: &str) -> Result<TypedInput, QueryError> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Ok(TypedInput::Nothing);
        }
        if let Some(inner) = in_braces(text) {
            let expr = self.parse_whole(inner)?;
            return self.query_of(inner, expr);
        }
        if trimmed.starts_with("pattern") && trimmed.contains('{') {
            let error = "the brace after `pattern` is not closed, or something follows it";
            return Err(
                QueryError::new(error, 0..0).hint("write 'pattern { Pd4 Nf3 }' and nothing else")
            );
        }
        if let Some(fact) = advice::with_colon(trimmed) {
            return Err(
                not_understood(trimmed).hint(format!("filters are written name:value: {fact}"))
            );
        }
        if let Some(query) = self.of_scoutfish(trimmed)? {
            return self.meaning(&query);
        }
        let read = self.parse(text);
        // To try a query as moves of every game takes a millisecond or two.
        let typed = if read.is_ok() && signs::has_fact(text) {
            let error = format!("`{trimmed}` is not a position");
            Err(QueryError::new(error, 0..0))
        } else {
            typed_position(text, &self.variants)
        };
        match (typed, read) {
            (Ok(typed), Ok(expr)) => self.moves_or_pieces(text, &typed, expr),
            // What stands in brackets would be passed over as a variation.
            (Ok(_), Err(error)) if has_brackets(text) && signs::is_query_like(text) => {
                Err(in_text(text, error))
            }
            (Ok(_), Err(_)) => self.board_behind_words(text),
            (Err(error), read) => self.no_position(text, error, read),
        }
    }

    /// The meaning of a query that was parsed.
    fn query_of(&mut self, text: &str, expr: Expr) -> Result<TypedInput, QueryError> {
        if let Some(name) = self.context.exact_option {
            let error =
                format!("{name} is for one exact position, not for a query about pieces and moves");
            return Err(QueryError::new(error, 0..0).hint(format!(
                "leave out {name}, or write the position as fen:\"...\""
            )));
        }
        let expr = seen(expr, self.context.symmetries);
        Ok(TypedInput::Query(Box::new(self.bind(text, expr)?)))
    }

    /// The meaning of words that are a position, and pieces on squares as well.
    fn moves_or_pieces(
        &mut self,
        text: &str,
        typed: &TypedPosition,
        expr: Expr,
    ) -> Result<TypedInput, QueryError> {
        // A diagram of draughts is nothing else; moves may be squares as well.
        if typed.moves.is_empty() {
            return Ok(self.position(text, None));
        }
        if has_brackets(text) && signs::is_query_like(text) && self.fits(&expr) {
            return self.query_of(text, expr);
        }
        let is_usual = typed.at.variant().tier() == Some(VariantDetection::Assumed);
        let is_free = self.variants.is_empty() && self.context.exact_option.is_none();
        // What is no piece of chess may be one of draughts.
        let is_query = if is_usual {
            !self.fits(&expr) && board_fit::fits_draughts(&expr, &self.variants)
        } else {
            self.fits(&expr)
        };
        if is_free && is_query {
            let mut aside = Interpreter::new(self.context);
            let query = aside.bind(text, expr)?;
            return Ok(self.position(text, Some(Box::new(query.expr))));
        }
        if pattern::compile(&expr, &BoardSpec::of(&typed.at)).is_ok() {
            self.notes.push(read_as_position(text));
        }
        Ok(self.position(text, None))
    }

    /// The meaning of a position with words that are no part of it.
    fn board_behind_words(&mut self, text: &str) -> Result<TypedInput, QueryError> {
        if let Some((words, board)) = before_the_board(text) {
            if signs::is_query_like(text) {
                let error = format!("`{words}` is not a part of the position after it");
                return Err(QueryError::new(error, 0..0).hint(format!(
                    "in a query, write a position as 'fen:\"{board}\" and {words}'"
                )));
            }
            self.notes.push(format!(
                "`{words}` is skipped, as the words before a diagram are"
            ));
        }
        Ok(self.position(text, None))
    }

    /// The meaning of a text that is no position: free words, a query, or a query with moves that have
    /// no name.
    fn no_position(
        &mut self,
        text: &str,
        error: QueryError,
        read: Result<Expr, QueryError>,
    ) -> Result<TypedInput, QueryError> {
        let is_query = signs::is_query_like(text);
        let does_fit = read.as_ref().is_ok_and(|expr| self.fits(expr));
        let has_digit = text.contains(|c: char| c.is_ascii_digit());
        if !is_query
            && !does_fit
            && has_digit
            && let Some(meaning) = self.free_words(text)
        {
            return meaning;
        }
        if read::is_eco(text) && !does_fit {
            let expr = self.eco(text)?;
            return self.query_of(text, expr);
        }
        let expr = match read {
            Err(error) if !is_query => match self.free_words(text) {
                Some(meaning) => return meaning,
                None => return self.unreadable(text, error),
            },
            Err(error) => return self.unreadable(text, error),
            Ok(expr) => expr,
        };
        if !does_fit && let Some(hint) = advice::unquoted(text) {
            return Err(not_understood(text.trim()).hint(hint));
        }
        let fits = self.fits_some(&expr);
        let named = board_fit::named_variants(&expr, &self.variants);
        if is_query && let Some(line) = bare_moves::find(text, &named) {
            if !fits {
                return self.with_named_moves(text, &line, &expr, error);
            }
            self.notes.push(format!(
                "`{line}` is read as pieces on squares; moves:\"{line}\" finds the \
                 position after it"
            ));
        }
        if !is_query && !fits {
            if let Some(error) = board_fit::off_board(text, &expr, &self.variants) {
                return Err(error);
            }
            // What cannot be moves is searched for in the games that a database has.
            if !board_fit::has_pieces(text, &self.variants) {
                return Ok(self.position(text, None));
            }
        } else if !is_query {
            self.notes.push(format!(
                "read as pieces on squares, for as a position it cannot be read: {}",
                error.message
            ));
        }
        self.query_of(text, expr)
    }

    /// The meaning of a query that makes sense only if the moves in it are given their name.
    fn with_named_moves(
        &mut self,
        text: &str,
        line: &str,
        expr: &Expr,
        error: QueryError,
    ) -> Result<TypedInput, QueryError> {
        if let Some(error) = board_fit::off_board(text, expr, &self.variants) {
            return Err(error);
        }
        if let Some(error) = self.another_word(text, line) {
            return Err(error);
        }
        if signs::has_named(text) {
            let named = bare_moves::with_name(text, line);
            self.notes.push(format!("read as: {named}"));
            return self.meaning(&named);
        }
        Err(error.hint(bare_moves::advice(text, line)))
    }

    /// The meaning of a text that is neither a position nor a query as it stands.
    fn unreadable(&mut self, text: &str, error: QueryError) -> Result<TypedInput, QueryError> {
        let is_query = signs::is_query_like(text);
        if is_query && let Some(line) = bare_moves::find(text, &self.variants) {
            let wrong = self.another_word(text, &line);
            let named = bare_moves::with_name(text, &line);
            if wrong.is_none() && self.parse(&named).is_ok() {
                self.notes.push(format!("read as: {named}"));
                return self.meaning(&named);
            }
            return Err(
                wrong.unwrap_or_else(|| in_text(text, error.hint(bare_moves::advice(text, &line))))
            );
        }
        // `B:lite`: without numbers and squares it is no position, whatever is wrong.
        let is_name = text.chars().all(|c| c.is_alphabetic() || " :".contains(c));
        if is_query || is_name {
            return Err(in_text(text, error));
        }
        Ok(self.position(text, None))
    }

    /// The meaning of words that are names, years and the like; `None` if they look like a file or
    /// like pieces.
    fn free_words(&mut self, text: &str) -> Option<Result<TypedInput, QueryError>> {
        let expr = free_words::read(text).filter(|_| !mistakes::is_known(text))?;
        self.notes.push(format!("read as: {expr}"));
        Some(self.query_of(text, expr))
    }

    /// An ECO code as the condition that it stands for.
    fn eco(&mut self, text: &str) -> Result<Expr, QueryError> {
        let code = format!("eco:{}", text.trim());
        self.notes.push(format!("read as an ECO code: {code}"));
        self.parse_whole(&code)
    }

    /// The query that a query of scoutfish stands for, if a text is one.
    fn of_scoutfish(&mut self, text: &str) -> Result<Option<String>, QueryError> {
        let inner = text.strip_prefix('{').map(str::trim_start);
        if !inner.is_some_and(|inner| inner.starts_with('"')) {
            return Ok(None);
        }
        let query = pattern::scoutfish::translate(text).map_err(|error| in_text(text, error))?;
        self.notes
            .push(format!("a query of scoutfish, read as: {query}"));
        Ok(Some(query))
    }

    /// The query that a text is, whatever else it could be.
    fn query(&mut self, text: &str) -> Result<Query, QueryError> {
        let translated = self.of_scoutfish(text.trim())?;
        let text = translated.as_deref().unwrap_or(text);
        let text = in_braces(text).unwrap_or(text);
        let expr = self.parse_whole(text)?;
        if read::is_eco(text) && !self.fits(&expr) {
            let expr = self.eco(text)?;
            return self.bind(&format!("eco:{}", text.trim()), expr);
        }
        // Moves can be squares of another game, which is not what is meant.
        if !self.fits(&expr)
            && let Some(line) = bare_moves::find(text, &self.variants)
        {
            if let Some(error) = self.another_word(text, &line) {
                return Err(error);
            }
            let named = bare_moves::with_name(text, &line);
            if named != text {
                self.notes.push(format!("read as: {named}"));
                return self.query(&named);
            }
        }
        let expr = seen(expr, self.context.symmetries);
        self.bind(text, expr)
    }
}

fn not_understood(text: &str) -> QueryError {
    QueryError::new(format!("`{text}` is not understood"), 0..0)
}

/// The words before the board of chess that a text ends with, and the board.
fn before_the_board(text: &str) -> Option<(&str, &str)> {
    let (words, board) = text.trim().rsplit_once(char::is_whitespace)?;
    let is_board = board.matches('/').count() == 7;
    is_board.then(|| (words.trim_end(), board))
}

/// What stands between the braces of `pattern { }`.
fn in_braces(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("pattern")?;
    let inner = rest.trim().strip_prefix('{')?.strip_suffix('}')?;
    // That nothing stands there is said of the braces.
    Some(if inner.trim().is_empty() {
        rest.trim()
    } else {
        inner
    })
}

/// A query whose positions are looked at in other ways: together, so that one way fits all of them.
fn seen(expr: Expr, symmetries: Symmetries) -> Expr {
    if symmetries == Symmetries::default() {
        return expr;
    }
    let all = match expr {
        Expr::And(all) => all,
        other => vec![other],
    };
    let (mut all, mut positions): (Vec<_>, Vec<_>) = all.into_iter().partition(facts::is_of_facts);
    let inner = match positions.len() {
        0 => return Expr::And(all),
        1 => positions.remove(0),
        _ => Expr::And(positions),
    };
    all.push(Expr::Seen(symmetries, Box::new(inner)));
    Expr::And(all)
}
