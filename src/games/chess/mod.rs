//! Chess and Chess960.

pub mod basics;
mod castling_played;
pub mod notation;
pub(super) mod openings;
mod position_input;
pub mod replay;
pub mod rules;
mod translate;
mod view;

use crate::games::chess::basics::{
    Chess, EnPassantMode, Move, Position as _, Setup, Square, Zobrist64,
};

use super::parsed_position::{ParsedPosition, ReadFailure};
use super::position_form::{FormExtras, PositionForm};
use super::symmetry::{BoardShift, Symmetry};
use super::{
    AnyPosition, FromText, StartContext,
    cursor::{Cursor as _, Placement},
    export::StoredGameInfo,
    game::{
        BoardGame, GameCodec, GameDisplay, GameKeys, GameNotation, GamePosition, MoveStyle,
        MovetextRules, SymmetryError,
    },
    text::{self, GameText, ParseBudget, ResolvedWord, WordError, WordReading, WordRemainder},
};
use super::{
    Budget, BudgetExceeded, Counting, GameEnd,
    chess::{
        replay::Replay,
        rules::{ChessBoard, PieceNumbering, Ply, PlyKind, piece},
    },
    language::{self, ExpectedNotation},
    opening_names::{NamedOpening, OpeningNames},
    variant::{ALL, Variant, VariantDetection},
};
use crate::games::view::{PieceSets, PositionVisitor};
use crate::{
    base::{
        diagnostic::Code,
        record::{MoveForm, PdnFacts},
    },
    games::{
        chess::notation::{
            fen::{self, Castling},
            lenient_move, position_text, quick_san, san,
        },
        diagram::{Diagram, Highlights},
        key::{self, Structure},
        notation::{
            clip, epd, forsyth,
            letters::{self, ENGLISH, Language},
            move_error::MoveError,
        },
    },
    pgn::parser::Syntax,
};

/// What reading a text of chess keeps in mind.
pub struct ChessContext<'a> {
    text: GameText<'a>,
    start: &'a ChessBoard,
    language: Option<&'static Language>,
    /// Whether the text may still turn out to be in another language.
    is_doubted: bool,
}

impl GamePosition for ChessBoard {
    type Move = Ply;
    const NULL: Ply = Ply::NULL;
    const OBSTACLE: SymmetryError = SymmetryError::Castling;
    const MOVES_AS_CHESS: bool = true;

    fn variant(&self) -> &'static Variant {
        &ALL[0]
    }

    #[inline]
    fn turn(&self) -> usize {
        Self::turn(self)
    }

    #[inline]
    fn number(&self) -> (u32, bool) {
        self.move_number()
    }

    fn legal(&self, _: Budget, out: &mut Vec<Ply>) -> Result<(), BudgetExceeded> {
        if let Some(at) = self.to_position() {
            out.extend(at.legal_moves().iter().filter_map(Ply::from_move));
        }
        Ok(())
    }

    #[inline]
    fn play(&mut self, m: Ply) {
        Self::play(self, m);
    }

    fn outcome(&self) -> Option<GameEnd> {
        let at = self.to_position()?;
        if at.is_checkmate() {
            return Some(GameEnd::Checkmate);
        }
        at.is_stalemate().then_some(GameEnd::Stalemate)
    }

    fn is_check(&self) -> bool {
        Self::is_check(self)
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        let at = translate::transformed(&self.to_position()?, symmetry)?;
        Some(Self::from_position(&at))
    }

    fn shifts(&self) -> Vec<(BoardShift, Self)> {
        self.to_position()
            .map_or_else(Vec::new, |at| translate::shifts(&at))
    }

    fn orientations(&self) -> Vec<(BoardShift, Self)> {
        self.to_position()
            .map_or_else(Vec::new, |at| translate::orientations(&at))
    }

    fn without_rights(&self, castling: bool, en_passant: bool) -> Self {
        let at = self.to_position();
        at.and_then(|at| translate::without_rights(&at, castling, en_passant))
            .map_or_else(|| self.clone(), |at| Self::from_position(&at))
    }

    fn move_transformed(&self, m: Ply, symmetry: Symmetry) -> Ply {
        if m == Ply::NULL {
            return m;
        }
        let mask = symmetry.of_squares();
        Ply::new(m.from() ^ mask, m.to() ^ mask, m.kind())
    }
}

impl GameKeys for ChessBoard {
    fn key(&self) -> u64 {
        key::board_key(self.pieces(), Self::turn(self))
    }

    fn book_key(&self) -> Option<u64> {
        let at = self.to_position()?;
        let Zobrist64(key) = at.zobrist_hash(EnPassantMode::PseudoLegal);
        Some(key)
    }

    fn book_code(m: Ply) -> u16 {
        let becomes = m.promotion().saturating_sub(1);
        u16::from(m.to()) | u16::from(m.from()) << 6 | u16::from(becomes) << 12
    }

    fn placement(&self) -> Placement {
        placement(self.pieces())
    }

    fn structure(&self) -> Structure {
        Structure::of(self.pieces())
    }

    fn state(&self) -> u32 {
        self.cursor().state_bits()
    }

    fn double_step(&self, m: Ply) -> Option<u8> {
        let is_pawn = piece::role(self.mover(m).0) == piece::PAWN && m != Ply::NULL;
        (is_pawn && m.from().abs_diff(m.to()) == 16).then(|| m.from().midpoint(m.to()))
    }

    fn code(&self, m: Ply) -> u16 {
        m.bits()
    }

    fn moves_of(&self, code: u16) -> Vec<Ply> {
        Ply::from_bits(code).into_iter().collect()
    }
}

impl GameNotation for ChessBoard {
    const TIER: VariantDetection = VariantDetection::Assumed;
    const HAS_LETTERS: bool = true;
    const HAS_EN_PASSANT: bool = true;

    fn opening_names(_: &'static Variant) -> Option<&'static OpeningNames> {
        Some(openings::names())
    }

    fn write_as(&self, form: PositionForm, besides: &FormExtras) -> Option<String> {
        let written = |castling| {
            let setup = self.to_setup();
            let setup = Setup {
                ep_square: besides
                    .double_step
                    .map(|at| Square::new(at.into()))
                    .or(setup.ep_square),
                ..setup
            };
            let en_passant = besides.en_passant;
            fen::write_with(
                &setup,
                fen::FenStyle {
                    castling,
                    en_passant,
                },
            )
        };
        match form {
            PositionForm::Fen | PositionForm::XFen => Some(written(Castling::XFen)),
            PositionForm::Shredder => Some(written(Castling::Shredder)),
            PositionForm::Forsyth(language) => {
                Some(forsyth::write(&self.to_setup().board, language))
            }
            PositionForm::Epd => {
                let position = self.to_position()?;
                // Counters that were not given and say nothing are left out.
                let counters = (position.halfmoves(), position.fullmoves().get()) != (0, 1);
                let counters = counters && besides.fields.counters;
                Some(epd::write(&position, counters, &besides.operations))
            }
            PositionForm::Hub => None,
        }
    }

    fn write_and_play(&mut self, m: Ply, _: MoveForm) -> String {
        let mut san = String::with_capacity(7);
        quick_san::write_and_play(self, m, &mut san);
        san
    }

    #[inline]
    fn write_onto(&mut self, m: Ply, out: &mut String) {
        quick_san::write_and_play(self, m, out);
    }

    #[inline]
    fn write_squares_onto(&self, m: Ply, out: &mut String) {
        match m.kind() {
            // How it is written depends on the castling rights.
            PlyKind::Castle => out.push_str(&self.write(m, MoveStyle::Squares, ENGLISH)),
            PlyKind::Null => out.push_str("0000"),
            _ if self.mover(m).0 == piece::NONE || self.can_take_king() => out.push_str("0000"),
            _ => quick_san::write_squares(m, out),
        }
    }

    fn next_name(&self, code: u16, _: Option<Ply>, form: MoveForm) -> String {
        let ply = Ply::from_bits(code).unwrap_or(Ply::NULL);
        self.clone().write_and_play(ply, form)
    }

    fn export(row: &'static Variant, game: &StoredGameInfo<'_>) -> PdnFacts {
        // The castling rights of a FEN say as well that it is Chess960.
        let tells_itself = || {
            let start = game.header.start_fen.as_deref().map(fen::read_position);
            row.id == Variant::CHESS960
                && matches!(start, Some(Ok((_, read))) if read.is_chess960())
        };
        let is_told = row.id == Variant::CHESS || tells_itself();
        let tag = (!is_told).then(|| game.named_variant(row)).flatten();
        PdnFacts {
            tags: tag.into_iter().collect(),
            ..PdnFacts::default()
        }
    }

    fn fen(&self) -> String {
        // shakmaty says whether a pawn may really be taken so, if it knows such a position.
        let known = self.en_passant().and_then(|_| self.to_position());
        let setup = known.map(|at| at.to_setup(EnPassantMode::Legal));
        fen::write(&setup.unwrap_or_else(|| self.to_setup()))
    }

    fn read_fen(_: &'static Variant, text: &str) -> Result<ParsedPosition<Self>, String> {
        let (at, read) = fen::read_position(text).map_err(|error| error.to_string())?;
        Ok(ParsedPosition {
            codes: read.warnings,
            ..ParsedPosition::new(Self::from_position(&at), read.fields)
        })
    }

    fn read_written(_: &'static Variant, text: &str) -> Result<ParsedPosition<Self>, ReadFailure> {
        position_text::read(text).map(|read| read.map(|at| Self::from_position(&at)))
    }

    fn write(&self, m: Ply, style: MoveStyle, language: &Language) -> String {
        match style {
            MoveStyle::Usual => {
                let mut san = String::new();
                quick_san::write_and_play(&mut self.clone(), m, &mut san);
                if language.is_english() {
                    san
                } else {
                    language.of_english(&san)
                }
            }
            MoveStyle::Squares => match (self.to_position(), m.to_move(self.pieces())) {
                (Some(at), Some(m)) => san::uci(&at, m),
                _ => "0000".to_owned(),
            },
        }
    }
}

impl GameCodec for ChessBoard {
    type Slots = PieceNumbering;

    #[inline]
    fn take_exact(
        &mut self,
        word: &str,
        slots: &mut PieceNumbering,
        out: &mut Vec<u8>,
    ) -> Option<Ply> {
        let ply = quick_san::resolve_but_mark(self, word.as_bytes())?;
        self.pack(ply, slots, out);
        self.play(ply);
        quick_san::is_marked(self, word.as_bytes()).then_some(ply)
    }

    fn slots(&self) -> PieceNumbering {
        PieceNumbering::new(self.pieces())
    }

    #[inline]
    fn pack(&self, m: Ply, slots: &mut PieceNumbering, out: &mut Vec<u8>) {
        slots.push(m, self.mover(m), self.captured(m), out);
    }

    #[inline]
    fn unpack(&self, slots: &mut PieceNumbering, bytes: &mut &[u8]) -> Option<Ply> {
        let (turn, rooks) = (Self::turn(self), self.castling().rooks());
        slots.next(bytes, self.pieces(), turn, rooks[turn])
    }

    #[inline]
    fn advance(&mut self, m: Ply, structure: &mut Structure) -> bool {
        let (piece, from) = self.mover(m);
        let captured = self.captured(m);
        let moves_pawn = piece::role(piece) == piece::PAWN && m != Ply::NULL;
        if let Some(square) = captured {
            structure.lift(self.pieces()[usize::from(square)], square);
        }
        if moves_pawn {
            structure.lift(piece, from);
            let becomes = match m.promotion() {
                piece::NONE => piece,
                promotion => piece::of(Self::turn(self), promotion),
            };
            structure.put(becomes, m.to());
        }
        Self::play(self, m);
        captured.is_some() || moves_pawn
    }
}

impl GameDisplay for ChessBoard {
    fn marks(&self, m: Ply) -> Highlights {
        match m {
            Ply::NULL => Highlights::default(),
            _ => Highlights::ends(m.from(), m.to()),
        }
    }

    fn sets(&self) -> PieceSets {
        let mut sets = PieceSets::empty(u64::MAX.into());
        let squares = self.pieces().iter().enumerate();
        for (square, &piece) in squares.filter(|(_, piece)| **piece != piece::NONE) {
            sets.put(view::code(piece), piece::color(piece), 1 << square);
        }
        sets
    }

    fn diagram(&self) -> Diagram {
        Diagram::of_chess(&self.to_setup().board)
    }
}

impl MovetextRules for ChessBoard {
    type Convention = ExpectedNotation;
    type Context<'a> = ChessContext<'a>;
    const SYNTAX: Syntax = Syntax::Pgn;
    const NUMBERS_DECIDE: bool = true;

    fn refusal(&self, word: &str, convention: &ExpectedNotation) -> ReadFailure {
        position_input::refusal(self, word, convention.language)
    }

    fn convention(&self, expected: ExpectedNotation) -> ExpectedNotation {
        expected
    }

    fn in_language(&self, language: &'static Language) -> Option<ExpectedNotation> {
        Some(ExpectedNotation::certainly(language))
    }

    fn language(convention: &ExpectedNotation) -> Option<&'static Language> {
        convention.language
    }

    fn context<'a>(
        &'a self,
        text: GameText<'a>,
        convention: &'a ExpectedNotation,
        effort: ParseBudget,
    ) -> ChessContext<'a> {
        ChessContext {
            text,
            start: self,
            language: convention.language,
            is_doubted: effort == ParseBudget::Game && !convention.certain,
        }
    }

    #[inline]
    fn read_standard_move(&self, context: &mut ChessContext<'_>, word: &[u8]) -> Option<Ply> {
        match context.language {
            None => quick_san::resolve(self, word),
            Some(language) => {
                let word = (context.text.decode)(word);
                quick_san::resolve(self, language.to_english(&word)?.as_bytes())
            }
        }
    }

    #[cold]
    fn read_word(
        &self,
        context: &mut ChessContext<'_>,
        item: usize,
        _: &[Ply],
    ) -> WordReading<Ply> {
        let raw = context.text.raw;
        let word = context.text.word_of(&raw.items[item]);
        let Some(position) = self.to_position() else {
            return WordReading::stop(Code::IllegalMove, word.into_owned());
        };
        let mut out = WordReading::default();
        let language = context.language;
        let read = lenient_move::resolve_in(&position, &word, language);
        let resolve = |word: &str| played(lenient_move::resolve_in(&position, word, language));
        if read.is_err()
            && let Some(apart) = text::apart(context.text, item, is_piece_of(language), resolve)
        {
            return apart;
        }
        match read {
            Ok(read) => {
                let said = |code: Code| (code, word.clone().into_owned().into());
                out.findings = read.findings.into_iter().map(said).collect();
                let plies = read.moves.iter().map(|m| {
                    let ply = m.as_ref().and_then(Ply::from_move);
                    ply.unwrap_or(Ply::NULL)
                });
                out.options = vec![(plies.collect(), 1)];
                out.result = read.result;
            }
            Err(stop) if stop.error == MoveError::Unreadable => {
                let finding = (Code::UnknownWord, word.into_owned().into());
                out.findings.push(finding);
                out.rest = WordRemainder::Unread(0);
            }
            // A double forfeit, where castling is not legal and nothing follows.
            Err(_)
                if matches!(&*word, "0-0" | "0–0" | "0:0" | "0 - 0")
                    && item + 1 == raw.items.len()
                    && raw.termination.is_none() =>
            {
                out.result = Some("0-0".to_owned());
            }
            Err(stop) => {
                let code = match stop.error {
                    MoveError::Ambiguous => Code::AmbiguousMove,
                    _ => Code::IllegalMove,
                };
                let reason = stop.reason.unwrap_or_default();
                return WordReading::stop(code, format!("`{}`: {reason}", clip(&word)));
            }
        }
        out
    }

    fn read_alone(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        // Nearly all are written as they are usual.
        let mut at = self.clone();
        if let Some(ply) = quick_san::resolve(self, word.as_bytes()) {
            let name = at.write_and_play(ply, MoveForm::Short);
            if name == word {
                return Some((vec![(name, at)], true));
            }
            at = self.clone();
        }
        let read = lenient_move::resolve(&self.to_position()?, word).ok()?;
        let plies = read.moves.iter().flatten().filter_map(Ply::from_move);
        let named = plies.map(|ply| (at.write_and_play(ply, MoveForm::Short), at.clone()));
        Some((named.collect(), read.findings.is_empty()))
    }

    /// Looks, once a text, whether its words are rather in another language.
    #[cold]
    fn doubt(
        &self,
        context: &mut ChessContext<'_>,
        item: usize,
        failed: bool,
    ) -> Option<ExpectedNotation> {
        let own = context.language.unwrap_or(ENGLISH);
        if !context.is_doubted
            || !failed && !letters::is_foreign(&context.text.of(&context.text.raw.items[item]), own)
        {
            return None;
        }
        context.is_doubted = false;
        let words = language::main_words(context.text);
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let other = letters::better_language(&context.start.to_position()?, &words, own)?;
        Some(ExpectedNotation {
            language: (!other.is_english()).then_some(other),
            certain: true,
            squares: None,
        })
    }
}

impl BoardGame for ChessBoard {
    type Cursor = Replay;

    fn perft(&self, depth: u32, _: Counting, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(self
            .to_position()
            .map_or(0, |at| shakmaty::perft(&at, depth)))
    }

    fn last_named(
        &self,
        plies: &[u8],
        structures: Option<&[u32]>,
    ) -> Option<&'static NamedOpening> {
        openings::last_named(self, plies, structures)
    }

    fn show(&self, plies: &[u8], watch: &mut impl PositionVisitor) {
        view::show(self, plies, watch);
    }

    fn cursor(&self) -> Replay {
        Replay::of_board(self)
    }

    fn start_of_text(
        row: &'static Variant,
        fen: &str,
        text: GameText<'_>,
        expected: ExpectedNotation,
    ) -> FromText<StartContext<Self>> {
        let is_960 = row.id == Variant::CHESS960;
        is_960.then(|| castling_played::start_of_text(fen, text, expected))?
    }
}

/// The plies of a word that was read.
fn played(read: Result<ResolvedWord<Option<Move>>, WordError>) -> ResolvedWord<Ply> {
    match read {
        Ok(read) => {
            let plies = read.moves.iter().flatten().filter_map(Ply::from_move);
            ResolvedWord {
                findings: read.findings,
                ..ResolvedWord::of(plies.collect())
            }
        }
        Err(stop) => ResolvedWord {
            stop: Some(stop),
            ..ResolvedWord::of(Vec::new())
        },
    }
}

/// Whether a word begins with a piece in the letters of a language.
pub(super) fn is_piece_of(language: Option<&Language>) -> impl Fn(&[char]) -> bool {
    let language = language.unwrap_or(ENGLISH);
    |word| {
        let is_figurine = word
            .first()
            .is_some_and(|&c| letters::figurine(c).is_some());
        is_figurine || language.piece_at_start(word).is_some()
    }
}

impl From<Chess> for AnyPosition {
    fn from(at: Chess) -> Self {
        ChessBoard::from_position(&at).into()
    }
}

/// What stands on a board of chess.
pub(super) fn placement(pieces: &[u8; 64]) -> Placement {
    Placement {
        board: String::new(),
        squares: pieces.to_vec(),
        besides: 0,
    }
}
