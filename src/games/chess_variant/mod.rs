//! Chess variants by shakmaty's rules: crazyhouse, king of the hill, three- and
//! five-check, atomic, antichess, horde, racing kings.

pub mod code;
pub mod notation;
pub mod played;

use crate::games::chess::basics::{Color, Move, Position as _, Role};

use super::{
    Budget, BudgetExceeded, Counting, GameEnd,
    chess::{
        is_piece_of,
        notation::fen::{Castling, EnPassant, FenStyle},
        replay::state_bits,
        rules::{CastlingRooks, piece},
    },
    cursor::{Placement, Stepper},
    game::{
        BoardGame, GameCodec, GameDisplay, GameKeys, GameNotation, GamePosition, MoveStyle,
        MovetextRules,
    },
    language::{ExpectedNotation, main_words},
    opening_names::OpeningNames,
    parsed_position::{ParsedPosition, ReadFailure},
    position_form::{FormExtras, PositionForm},
    symmetry::Symmetry,
    text::{self, GameText, ParseAttempt, ParseBudget, WordReading},
    variant::{Rules, Variant},
};
use crate::games::view::PieceSets;
use crate::{
    games::{
        diagram::{Diagram, Highlights},
        key::{self, Structure},
        notation::letters::{ENGLISH, Language, LetterCounts, is_foreign},
    },
    pgn::parser::Syntax,
};
use played::CountedChecks;

/// What a chess variant adds to the rules of chess, or takes from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChessVariantKind {
    /// Captured pieces are dropped again.
    Crazyhouse,
    /// A king in the middle wins.
    KingOfTheHill,
    /// The number of checks that win.
    Checks(u8),
    /// Captures explode.
    Atomic,
    /// Who has nothing left wins; captures are compulsory.
    Antichess,
    /// Thirty-six pawns against an army.
    Horde,
    /// The first king on the last rank wins.
    RacingKings,
}

/// A position of a chess variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessVariant {
    /// Which variant.
    pub row: &'static Variant,
    /// The position with its pockets or checks.
    pub at: CountedChecks,
}

/// What beside pieces and turn makes a position in these games: the pieces in hand and
/// the checks that were given, as a number to combine with a key. 0 where there
/// is nothing of the kind, so that such a position has the key of chess.
fn besides(position: &CountedChecks) -> u64 {
    /// The first bits of the fraction of the square root of 3.
    const SEED: u64 = 0xbb67_ae85_84ca_a73b;
    let mut key = 0;
    let mut add = |place: u64, count: u64| {
        if count > 0 {
            key ^= crate::base::mix(SEED ^ (place << 8 | count));
        }
    };
    if let Some(pockets) = position.pockets() {
        for (side, color) in Color::ALL.into_iter().enumerate() {
            for role in Role::ALL {
                let count = u64::from(*pockets.get(color).get(role));
                add((side as u64) << 4 | role as u64, count);
            }
        }
    }
    for (side, given) in position.checks_given().into_iter().flatten().enumerate() {
        add(0x40 | side as u64, u64::from(given));
    }
    key
}

impl GamePosition for ChessVariant {
    /// `None` passes the turn: shakmaty has no such move.
    type Move = Option<Move>;
    const NULL: Option<Move> = None;
    const MOVES_AS_CHESS: bool = true;
    const CAPTURES_EXPLODE: bool = true;

    fn variant(&self) -> &'static Variant {
        self.row
    }

    fn always_has_king(row: &Variant, side: usize) -> bool {
        match row.rules {
            Rules::ChessVariant(ChessVariantKind::Antichess) => false,
            Rules::ChessVariant(ChessVariantKind::Horde) => side == 1,
            _ => true,
        }
    }

    fn turn(&self) -> usize {
        usize::from(self.at.turn().is_black())
    }

    fn number(&self) -> (u32, bool) {
        (self.at.fullmoves().get(), self.at.turn().is_black())
    }

    fn legal(&self, _: Budget, out: &mut Vec<Self::Move>) -> Result<(), BudgetExceeded> {
        out.extend(self.at.legal_moves().into_iter().map(Some));
        Ok(())
    }

    fn play(&mut self, m: Self::Move) {
        match m {
            Some(m) => self.at.play_unchecked(m),
            None => {
                if let Some(at) = self.at.passed() {
                    self.at = at;
                }
            }
        }
    }

    fn outcome(&self) -> Option<GameEnd> {
        // First, for such a position has no moves, and may be one in check.
        if self.at.is_variant_end() {
            Some(GameEnd::Goal)
        } else if self.at.is_checkmate() {
            Some(GameEnd::Checkmate)
        } else {
            self.at.is_stalemate().then_some(GameEnd::Stalemate)
        }
    }

    fn is_check(&self) -> bool {
        self.at.is_check()
    }

    /// Not all of these games are the same in a mirror.
    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        (symmetry == Symmetry::None).then(|| self.clone())
    }

    fn move_transformed(&self, m: Self::Move, _: Symmetry) -> Self::Move {
        m
    }
}

impl GameKeys for ChessVariant {
    fn key(&self) -> u64 {
        key::board_key(&piece::codes(self.at.board()), self.turn()) ^ besides(&self.at)
    }

    /// A side in check cannot pass.
    fn other_side_key(&self) -> u64 {
        self.key() ^ key::polyglot::WHITE_TO_MOVE
    }

    /// Without anything in hand or any check given it is one of chess.
    fn placement(&self) -> Placement {
        Placement {
            besides: besides(&self.at),
            ..super::chess::placement(&piece::codes(self.at.board()))
        }
    }

    fn structure(&self) -> Structure {
        Structure::of(&piece::codes(self.at.board()))
    }

    fn structure_recurs(&self) -> bool {
        true
    }

    fn state(&self) -> u32 {
        let rooks = CastlingRooks::squares_of(self.at.castles());
        state_bits(rooks, self.at.legal_ep_square().map(u8::from))
    }

    fn code(&self, m: Self::Move) -> u16 {
        m.map_or(code::NULL, code::of_move)
    }

    fn moves_of(&self, code: u16) -> Vec<Self::Move> {
        if code == code::NULL {
            return vec![None];
        }
        let legal = self.at.legal_moves().into_iter();
        let found = legal.filter(|&m| code::of_move(m) == code);
        found.map(Some).collect()
    }
}

impl GameNotation for ChessVariant {
    const HAS_LETTERS: bool = true;

    fn opening_names(row: &'static Variant) -> Option<&'static OpeningNames> {
        match row.rules {
            Rules::ChessVariant(
                ChessVariantKind::Crazyhouse
                | ChessVariantKind::KingOfTheHill
                | ChessVariantKind::Checks(3),
            ) => Some(super::chess::openings::names()),
            _ => None,
        }
    }

    fn fen(&self) -> String {
        notation::write_fen(&self.at)
    }

    fn write_as(&self, form: PositionForm, besides: &FormExtras) -> Option<String> {
        let style = match form {
            PositionForm::Fen => FenStyle::default(),
            PositionForm::Epd => return Some(besides.epd(&self.fen())),
            PositionForm::XFen => FenStyle {
                en_passant: EnPassant::XFen,
                ..FenStyle::default()
            },
            PositionForm::Shredder => FenStyle {
                castling: Castling::Shredder,
                ..FenStyle::default()
            },
            PositionForm::Forsyth(_) | PositionForm::Hub => return None,
        };
        Some(notation::write_with(&self.at, style))
    }

    fn read_written(
        row: &'static Variant,
        text: &str,
    ) -> Result<ParsedPosition<Self>, ReadFailure> {
        let Rules::ChessVariant(rules) = row.rules else {
            return Err(text::another_game(row));
        };
        let (at, fields, codes) = notation::read_fen(rules, text.trim())?;
        Ok(ParsedPosition {
            codes,
            ..ParsedPosition::new(Self { row, at }, fields)
        })
    }

    fn write_squares_onto(&self, m: Self::Move, out: &mut String) {
        out.push_str(&self.write(m, MoveStyle::Squares, ENGLISH));
    }

    fn write(&self, m: Self::Move, style: MoveStyle, language: &Language) -> String {
        match (style, m) {
            (MoveStyle::Usual, Some(m)) => language.of_english(&notation::san(&self.at, m)),
            (MoveStyle::Usual, None) => "--".to_owned(),
            (MoveStyle::Squares, Some(m)) => notation::uci(&self.at, m),
            (MoveStyle::Squares, None) => "0000".to_owned(),
        }
    }
}

impl GameCodec for ChessVariant {
    type Slots = ();

    fn slots(&self) {}

    fn pack(&self, m: Self::Move, (): &mut (), out: &mut Vec<u8>) {
        out.extend(self.code(m).to_le_bytes());
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<Self::Move> {
        let (head, rest) = bytes.split_first_chunk::<2>()?;
        let m = *self.moves_of(u16::from_le_bytes(*head)).first()?;
        *bytes = rest;
        Some(m)
    }
}

impl GameDisplay for ChessVariant {
    fn marks(&self, m: Self::Move) -> Highlights {
        m.map_or_else(Highlights::default, |m| {
            let to = m.to();
            Highlights::ends(u8::from(m.from().unwrap_or(to)), u8::from(to))
        })
    }

    fn sets(&self) -> PieceSets {
        PieceSets::of_chess(self.at.board())
    }

    fn diagram(&self) -> Diagram {
        Diagram::of_chess(self.at.board())
    }
}

impl MovetextRules for ChessVariant {
    type Convention = ExpectedNotation;
    type Context<'a> = (GameText<'a>, &'a ExpectedNotation);
    const SYNTAX: Syntax = Syntax::Pgn;

    fn refusal(&self, word: &str, convention: &ExpectedNotation) -> ReadFailure {
        let read = notation::resolve(&self.at, word, convention.language);
        text::refusal(
            &read,
            word,
            "moves are written as `e4`, `Nf3`, drops as `N@f3`",
        )
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
        _: ParseBudget,
    ) -> Self::Context<'a> {
        (text, convention)
    }

    fn read_word(
        &self,
        (text, convention): &mut Self::Context<'_>,
        item: usize,
        _: &[Self::Move],
    ) -> WordReading<Self::Move> {
        let word = text.of(&text.raw.items[item]);
        let language = convention.language;
        let resolve = |word: &str| notation::resolve(&self.at, word, language);
        let read = resolve(&word);
        if read.stop.is_some()
            && let Some(apart) = text::apart(*text, item, is_piece_of(language), resolve)
        {
            return apart;
        }
        WordReading {
            is_foreign: is_foreign(&word, language.unwrap_or(ENGLISH)),
            ..text::of_resolved(read, &word, |_| false)
        }
    }

    fn read_alone(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        let read = notation::resolve(&self.at, word, None);
        match (read.stop, &read.moves[..]) {
            (None, &[m @ Some(_)]) => Some(text::alone(self, m, word)),
            _ => None,
        }
    }

    /// The languages that have the letters of the text, where the one that was
    /// expected did not come to its end, or has letters of others in it.
    fn others(
        &self,
        text: GameText<'_>,
        convention: &ExpectedNotation,
        _: &ParseAttempt<Self::Move>,
    ) -> Vec<ExpectedNotation> {
        if convention.certain {
            return Vec::new();
        }
        let expected = convention.language.unwrap_or(ENGLISH);
        let others = tally(text).best();
        let others = others
            .into_iter()
            .filter(|other| !other.moves_as(expected))
            .map(|other| ExpectedNotation {
                language: (!other.is_english()).then_some(other),
                certain: convention.certain,
                squares: None,
            });
        others.collect()
    }

    fn rank(
        text: GameText<'_>,
        convention: &ExpectedNotation,
        attempt: &ParseAttempt<Self::Move>,
    ) -> Option<(u32, u32)> {
        let explained = tally(text).explained_by(convention.language.unwrap_or(ENGLISH));
        Some((attempt.plies, explained as u32))
    }
}

impl BoardGame for ChessVariant {
    type Cursor = Stepper<Self>;

    fn perft(&self, depth: u32, _: Counting, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(self.at.perft(depth))
    }

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }
}

/// The letters of a text's moves.
fn tally(text: GameText<'_>) -> LetterCounts {
    let words = main_words(text);
    LetterCounts::of(words.iter().map(AsRef::as_ref))
}
