//! What was learnt about bad data: stable codes, places, and what to do.
//!
//! A [`Diagnostic`] is data, not failure: the game stays, up to its last legal
//! ply. Codes are words that can be searched, filtered and tested; they are
//! listed in `docs/diagnostics.md`.

use std::borrow::Cow;

/// How much a diagnostic matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Read as it was surely meant; nothing is lost.
    Note,
    /// Read by a guess or repaired; worth a look.
    Warning,
    /// Part of the game (or all of it) has no positions in the index.
    Error,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $word:literal, $severity:ident, $message:literal;)*) => {
        /// The stable code of a diagnostic.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $message] $name,)* }

        impl Code {
            /// Every code there is, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code as it is written: lower case with hyphens.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The code that is written so.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == word)
            }

            /// How much it matters.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// One sentence that says what was found and how it was read.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }
        }
    };
}

codes! {
    // Lexing and structure.
    UnclosedComment = "unclosed-comment", Warning, "comment is never closed; it was ended before the next game";
    UnclosedRav = "unclosed-rav", Warning, "variation is never closed; it was ended with the game";
    StrayCloser = "stray-closer", Warning, "closing bracket without an opening one; ignored";
    RavFirst = "rav-first", Warning, "variation before any move has nothing to replace; dropped";
    ResultMissing = "result-missing", Note, "no termination marker; the Result tag stands";
    ResultMismatch = "result-mismatch", Warning, "Result tag and termination marker differ; the marker stands unless it is *";
    ResultMid = "result-mid", Warning, "result in the middle of the movetext; reading continued";
    UnknownWord = "unknown-word", Warning, "word that is not a move; skipped";
    LooseText = "loose-text", Note, "text outside of a comment; kept as one";
    PlayersRead = "players-read", Note, "players taken from the text above a game; that stays as a comment";
    PlayersUnnamed = "players-unnamed", Note, "text above a game names no players that can be read; kept as a comment";
    SuffixLong = "suffix-long", Note, "move suffix of more than two signs; cut";
    NagRange = "nag-range", Note, "annotation glyph with a number that no glyph has; kept as text";
    Prelude = "prelude", Note, "text before the first game or after the last one; skipped";
    Wrapper = "wrapper", Note, "web or mail wrapping around the games; removed";
    NulBytes = "nul-bytes", Note, "NUL bytes in the text; deleted";
    EncodingGuess = "encoding-guess", Note, "text is not UTF-8; its encoding was guessed";
    RepeatedGame = "repeated-game", Note, "the game is stored already; skipped";
    GameTooLarge = "game-too-large", Error, "game is larger than any real one; left out entirely";
    MoreFindings = "more-findings", Note, "further findings in the game; only counted";
    // Tags.
    DupTag = "dup-tag", Warning, "tag name occurs twice; the last value counts, all are kept";
    TagSyntax = "tag-syntax", Warning, "tag pair not in standard form; read as meant";
    TagTruncated = "tag-truncated", Warning, "tag name or value is too long; cut";
    DateSyntax = "date-syntax", Note, "invalid date; the valid part is used";
    // Start position.
    BadFen = "bad-fen", Error, "start position cannot be read; the game is kept as text";
    PdnFen = "draughts-fen", Note, "start position of draughts in an unusual form; read as meant";
    BadVariant = "bad-variant", Error, "variant is not known or not supported; the game is kept as text";
    VariantMismatch = "variant-mismatch", Warning, "moves are not of the variant that the tags or most games of the source say; played by the one that fits";
    Quotes = "quotes", Note, "quotes around a FEN; removed";
    Underscore = "underscore", Note, "underscores in a FEN; read as spaces";
    Spaces = "spaces", Note, "surplus spaces in a FEN; removed";
    UciPrefix = "uci-prefix", Note, "`position` before a FEN; removed";
    MissingFields = "missing-fields", Note, "FEN with fewer than six fields; the rest was assumed";
    SideUnclear = "side-unclear", Warning, "text beside a position says of both sides that they are to move; White was assumed";
    TrailingSlash = "trailing-slash", Note, "slash after the last rank; ignored";
    Backslashes = "backslashes", Note, "backslashes between the ranks of a FEN; read as slashes";
    AdjacentDigits = "adjacent-digits", Note, "two numbers in a row in a FEN; added up";
    TurnWord = "turn-word", Note, "side to move is spelled out";
    CastlingSpelling = "castling-spelling", Note, "castling rights in another order or spelling";
    CastlingDuplicate = "castling-duplicate", Note, "castling right given twice";
    CastlingDropped = "castling-dropped", Warning, "castling right without king or rook in place; dropped";
    CastlingPlayed = "castling-played", Warning, "the game castles, and the FEN has no right to it; right added";
    Chess960Rights = "chess960-rights", Note, "castling rights that only Chess960 knows";
    EpInvalid = "ep-invalid", Warning, "en passant square that no double step can have left; dropped";
    EpNotCapturable = "ep-not-capturable", Note, "en passant square without a legal capture; dropped";
    ClockDash = "clock-dash", Note, "dash for a move counter; default taken";
    ClockRange = "clock-range", Note, "negative move counter; read as 0";
    FullmoveZero = "fullmove-zero", Note, "move number 0; read as 1";
    TooManyPawns = "too-many-pawns", Note, "side with more than eight pawns";
    TooManyPieces = "too-many-pieces", Note, "side with more than sixteen pieces";
    TooManyCheckers = "too-many-checkers", Note, "more checking pieces than play can bring about";
    ImpossibleCheck = "impossible-check", Note, "check that play cannot bring about";
    // Diagrams and lines of positions.
    Homoglyph = "homoglyph", Note, "letters of another alphabet that look alike; read as those of the text";
    CountMismatch = "count-mismatch", Warning, "piece counts beside a diagram do not fit it; the diagram stands";
    AmbiguousDiagram = "ambiguous", Warning, "diagram means another board in another language; the likeliest was taken";
    StipulationUnknown = "stipulation-unknown", Warning, "stipulation of a problem is not understood; kept as text";
    Fairy = "fairy", Note, "problem with fairy pieces or conditions; what chess does not have is kept as text";
    SolutionMove = "solution-move", Warning, "move of a problem's solution cannot be played; kept as text";
    ProblemSyntax = "problem-syntax", Warning, "problem not in the form of its format; read as far as possible, the rest kept as text";
    EpdMove = "epd-move", Warning, "move of an EPD operation cannot be played; kept as text";
    EpdOperand = "epd-operand", Note, "operand of an EPD operation not in standard form; read as meant";
    NoPosition = "no-position", Error, "line of a list of positions that is not a position; left out";
    BrokenJson = "broken-json", Error, "JSON that is broken; read as far as possible, left out if nothing can be read";
    EpdSpelling = "epd-spelling", Note, "EPD line in an unusual form; read as meant";
    // Moves.
    IllegalMove = "illegal-move", Error, "move is not legal here; the game is kept and indexed up to it";
    AmbiguousMove = "ambiguous-move", Error, "move fits more than one piece; the game is kept and indexed up to it";
    NullMove = "null-move", Note, "null move; the turn passes";
    AssumedQueen = "assumed-queen", Warning, "promotion without a piece; queen assumed";
    WrongCheckMark = "wrong-check-mark", Note, "check or mate sign that does not fit; ignored";
    WrongCapture = "wrong-capture", Note, "capture sign that does not fit; ignored";
    MoveApart = "move-apart", Warning, "word is a move only together with the words after it; read as one move";
    UndecidedMove = "undecided-move", Warning, "move fits several pieces, and so does the rest of the game; one was taken";
    MoveSpelling = "move-spelling", Note, "move in an unusual spelling; read as meant";
    OtherCastling = "other-castling", Warning, "castling with this rook is not legal; the king castled with the other one";
    MoveGlued = "move-glued", Note, "moves written without a space; split";
    NumberMismatch = "number-mismatch", Error, "after a skipped word the move number contradicts the side to move; the game is kept and indexed up to there";
    AmbiguousCapture = "ambiguous-capture", Warning, "capture written short fits several, and so does the rest of the game; one was taken";
    SplitCapture = "split-capture", Note, "jumps of one capture written as moves of their own; joined";
    UnverifiedMove = "unverified-move", Warning, "captures branch too often to be listed; the first path that fits was taken";
    OtherPromotion = "other-promotion", Warning, "move is legal only under another rule for captures on the last row; played so";
    Placement = "placement", Note, "balloted start: a piece was moved to another square";
    SquareNumbers = "square-numbers", Note, "square numbering starts at a different corner than usual in the variant";
    PliesCut = "plies-cut", Warning, "more plies than are indexed; the rest is kept as text";
}

/// One finding about the data, at a place within a chunk or a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What was found.
    pub code: Code,
    /// 0-based byte offset; relative to what the producing module was given,
    /// made absolute in the decompressed stream by the import.
    pub offset_bytes: u64,
    /// What exactly, for a person: the word, the squares. May be empty.
    pub detail: Cow<'static, str>,
}

/// Bytes of a detail: a word of a source may be as long as the source.
const DETAIL_MAX: usize = 300;

impl Diagnostic {
    /// Makes a finding with detail, which is cut if it is longer than any sentence.
    pub fn with(code: Code, offset_bytes: u64, detail: impl Into<Cow<'static, str>>) -> Self {
        let mut detail = detail.into();
        if detail.len() > DETAIL_MAX {
            let end = detail.floor_char_boundary(DETAIL_MAX);
            detail = Cow::Owned(format!("{}…", &detail[..end]));
        }
        Self {
            code,
            offset_bytes,
            detail,
        }
    }
}

/// A diagnostic with its full place, as an import reports and stores it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LocatedDiagnostic {
    /// Stable code word.
    pub code: &'static str,
    /// `note`, `warning` or `error`.
    pub severity: &'static str,
    /// The source as it was named: a path, or `-`.
    pub source: String,
    /// Member of an archive, where the source is one.
    pub member: Option<String>,
    /// 1-based number of the game within the source (or member).
    pub game_number: Option<u64>,
    /// Id of the stored game, if it was stored.
    pub game: Option<u64>,
    /// 0-based byte offset in the decompressed stream.
    pub offset_bytes: u64,
    /// 1-based line in the decompressed stream, where it was counted.
    pub line: Option<u64>,
    /// What was found and how it was read.
    pub message: &'static str,
    /// What exactly.
    pub detail: String,
}

impl Severity {
    /// The severity as a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_as_long_as_a_file_is_no_detail() {
        let long = Diagnostic::with(Code::UnknownWord, 0, "é".repeat(1_000_000));
        assert!(long.detail.len() < DETAIL_MAX + 4 && long.detail.ends_with('…'));
        assert_eq!(Diagnostic::with(Code::UnknownWord, 0, "e9").detail, "e9");
    }
}
