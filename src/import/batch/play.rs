//! What a game is of, how that is known, and from where it is played.

use std::{borrow::Cow, collections::HashMap};

use foldhash::fast::FixedState;

use super::{BatchGame, ChunkParser, FORCED, ParsedGame};
use crate::{
    base::diagnostic::{Code, Diagnostic},
    games::{
        AnyPosition, GameReadOutcome, GameText, ResultOrder,
        board_shape::BoardShape,
        guess::{self, GameVariant, INFERRED, SourceVariant, VariantInference},
        language::ExpectedNotation,
        notation::clip,
        raw_text as read,
        variant::{self, Variant, VariantDetection},
    },
    import::start::{GameStart, StartSource},
    pgn::{
        parser::{ItemKind, Syntax},
        tags::{game_type, result},
    },
};

/// Beginnings by number of the variant (0 for none), the tag that may name it or its
/// squares (`Variant`, `GameType`), and FEN tag.
type StartCacheKey = (u8, Option<Vec<u8>>, Vec<u8>);
pub(super) type StartCache = HashMap<StartCacheKey, GameStart, FixedState>;

/// How many of them are kept in memory.
const BEGINNINGS_MAX: usize = 1024;

/// What the moves are played by, and how that is parsed.
pub(super) struct VariantChoice {
    pub(super) variant: &'static Variant,
    pub(super) by: Option<Cow<'static, str>>,
    /// Whether squares are expected to be named from another corner than usual.
    pub(super) is_turned: bool,
}

impl ChunkParser<'_> {
    /// Plays the moves, or keeps them as text, and settles the result.
    pub(super) fn movetext(&mut self, parsed: &ParsedGame<'_>, game: &mut BatchGame) {
        if let Some(number) = self.reserved_type(parsed) {
            self.reserved(number, parsed, game);
        } else if self.is_guessed(parsed) {
            self.guessed(parsed, game);
        } else {
            self.named(parsed, game);
        }
    }

    /// The number of a `GameType` that PDN reserves, where nothing else says what is played.
    fn reserved_type(&self, parsed: &ParsedGame<'_>) -> Option<u8> {
        if parsed.game_type.is_empty() || self.profile.forced.is_some() {
            return None;
        }
        let number = game_type::parse(parsed.game_type)?.number;
        let is_silent = parsed.variant.trim_ascii().is_empty();
        let is_known = || Variant::named(&number.to_string()).is_some();
        (game_type::is_reserved(number) && is_silent && !is_known()).then_some(number)
    }

    /// Keeps the moves of a game as text whose `GameType` is reserved.
    fn reserved(&mut self, number: u8, parsed: &ParsedGame<'_>, game: &mut BatchGame) {
        let detail = format!("GameType {number} is reserved by PDN; --variant says how to play it");
        let fen = (parsed.text.decode)(parsed.fen);
        let begin = || GameStart::nowhere(None, fen.into_owned(), Some((Code::BadVariant, detail)));
        let tag = [b"GameType ", parsed.game_type].concat();
        let key = (0, Some(tag), parsed.fen.to_vec());
        let settled = settled(self.play(key, begin, parsed, game), None);
        self.outcome(parsed, settled, game);
    }

    /// Whether the variant of a game is one of those that their moves show.
    fn is_guessed(&self, parsed: &ParsedGame<'_>) -> bool {
        let tier = |variant: Option<&Variant>| variant.and_then(Variant::tier);
        if tier(self.profile.forced) == Some(VariantDetection::Named) {
            return false;
        }
        let named = || tier(Variant::from_tag(parsed.variant));
        let raw = parsed.text.raw;
        if raw.syntax != Syntax::Pdn {
            // A bare record has nothing but its tags to say what it is of.
            return parsed.fen.is_empty()
                && raw.items.iter().all(|item| item.kind != ItemKind::Word)
                && named() == Some(VariantDetection::Guessed);
        }
        let number = game_type::parse(parsed.game_type).map(|read| read.number);
        match number.and_then(Variant::by_game_type) {
            Some(typed) => tier(Some(typed)) == Some(VariantDetection::Guessed),
            None => named() != Some(VariantDetection::Named),
        }
    }

    /// Plays a game that is what the user or its tags say; chess where they say nothing.
    fn named(&mut self, parsed: &ParsedGame<'_>, game: &mut BatchGame) {
        let (forced, expected) = (self.profile.forced, self.profile.expected);
        let tags = [parsed.variant, parsed.fen, parsed.game_type];
        if let Some(found) = self.of_unknown_tag(parsed) {
            let detail = format!(
                "plydex does not know the variant `{}`; by its moves it is {}",
                clip((parsed.text.decode)(parsed.variant).trim()),
                found.variant.name
            );
            self.report(Code::VariantMismatch, parsed.text.raw.span.0, detail);
            return self.play_as(found.into(), parsed, game);
        }
        let finished = if forced.is_none() && tags.iter().all(|tag| tag.is_empty()) {
            game.facts.variant = u32::from(Variant::CHESS);
            let (plies, structures) = (self.reading.plies.len(), self.reading.structures.len());
            let read = self.usual.read(parsed.text, &mut self.reading);
            game.opening = read.opening;
            if let Some(other) = self.other_game(parsed, self.reading.ply_count) {
                self.reading.plies.truncate(plies);
                self.reading.structures.truncate(structures);
                self.reading.clear();
                return self.play_as(other.into(), parsed, game);
            }
            Some(read)
        } else {
            game.variant_by = forced.map(|_| FORCED.into());
            // A GameType that is not chess outranks the other tag.
            let typed = || {
                let number = game_type::parse(parsed.game_type)?.number;
                Variant::by_game_type(number).filter(|variant| variant.id != Variant::CHESS)
            };
            // A board or pieces that chess does not have show what is said nowhere.
            let drawn = || {
                let is_told = !parsed.variant.is_empty() || !parsed.game_type.is_empty();
                let shape = BoardShape::of(parsed.fen).filter(|_| !is_told)?;
                shape.variant()
            };
            let said = forced.or_else(typed).or_else(drawn);
            let is_drawn = forced.is_none() && said.is_some() && typed().is_none();
            if is_drawn {
                game.variant_by = Some(INFERRED.into());
            }
            let (tag, fen) = (parsed.variant, parsed.fen);
            let key = (
                said.map_or(0, |variant| variant.id),
                Some(tag.to_vec()),
                fen.to_vec(),
            );
            let begin = || {
                let decoded = |text| (parsed.text.decode)(text).into_owned();
                let is_guessed = |row: &&Variant| row.tier() == Some(VariantDetection::Guessed);
                let named = || Variant::from_tag(tag);
                // Openings of chess have the names of some kinds of draughts.
                let is_mistaken = said.is_none() && named().as_ref().is_some_and(is_guessed);
                if is_mistaken {
                    let mut beginning = GameStart::of(&variant::ALL[0], decoded(fen), expected);
                    let finding = format!("{} by its tags, chess by its moves", decoded(tag));
                    beginning.findings.push((Code::VariantMismatch, finding));
                    return beginning;
                }
                let row = said.or_else(named);
                if let Some(row) = row.filter(|row| row.tier().is_some() && !is_guessed(row)) {
                    return GameStart::of(row, decoded(fen), expected);
                }
                let why = decoded(tag);
                // The writer of that tag has said what it means.
                let finding = (why != Variant::FAIRY).then_some((Code::BadVariant, why));
                GameStart::nowhere(row, decoded(fen), finding)
            };
            self.play(key, begin, parsed, game)
        };
        let row = u8::try_from(game.facts.variant).ok();
        let settled = settled(finished, row.and_then(Variant::by_id));
        self.outcome(parsed, settled, game);
    }

    /// Plays a game from where games with a key begin. `None` if its moves cannot be
    /// played: they are kept as text.
    fn play(
        &mut self,
        key: StartCacheKey,
        begin: impl FnOnce() -> GameStart,
        parsed: &ParsedGame<'_>,
        game: &mut BatchGame,
    ) -> Option<GameReadOutcome> {
        let text @ GameText { raw, bytes, decode } = parsed.text;
        // In a list of positions each is another, and none is met again.
        if self.beginnings.len() >= BEGINNINGS_MAX {
            self.beginnings.clear();
        }
        let known = self.beginnings.entry(key).or_insert_with(begin);
        let mut own = known.told_by(text, self.profile.expected);
        let beginning = own.as_mut().unwrap_or(known);
        game.facts.variant = beginning.row.map_or(0, |row| u32::from(row.id));
        if let Some(first) = beginning.row.and_then(Variant::first_player) {
            // The side that begins has a name of its own there.
            for (tag, name) in raw.tags.iter().zip(&mut self.names) {
                let written = tag.name_bytes(bytes);
                if name.is_none() && written.eq_ignore_ascii_case(first.as_bytes()) {
                    *name = Some("White");
                }
            }
        }
        let mut finished = match &beginning.from {
            StartSource::Usual => Some(self.usual.read(text, &mut self.reading)),
            StartSource::Position(opening) => Some(opening.read(text, &mut self.reading)),
            StartSource::Nowhere => {
                read::keep_text(raw, bytes, decode, &mut self.reading);
                None
            }
        };
        game.opening = finished.as_ref().and_then(|end| end.opening);
        let other = finished.as_mut().and_then(|end| end.start.take());
        game.start = beginning.place(other, &mut self.batch.starts);
        let offset = u64::from(raw.span.0);
        let findings = beginning.findings.iter();
        self.batch
            .diagnostics
            .extend(findings.map(|(code, detail)| Diagnostic::with(*code, offset, detail.clone())));
        finished
    }

    /// Plays a game whose variant its moves show, if need be.
    fn guessed(&mut self, parsed: &ParsedGame<'_>, game: &mut BatchGame) {
        let Some(told) = self.told(parsed) else {
            let fen = (parsed.text.decode)(parsed.fen);
            let finding = (Code::BadVariant, guess::OF_SOME_KIND.to_owned());
            let begin = || GameStart::nowhere(None, fen.into_owned(), Some(finding));
            self.play((0, None, parsed.fen.to_vec()), begin, parsed, game);
            let written = result::parse_pdn(parsed.result);
            game.facts.outcome = written.unwrap_or_default() as u32;
            return;
        };
        let (plies, structures) = (self.reading.plies.len(), self.reading.structures.len());
        let findings = self.batch.diagnostics.len();
        let is_forced = told.by.as_deref() == Some(FORCED);
        let is_declared = told.by.is_none();
        let (first, is_turned) = (told.variant, told.is_turned);
        self.play_as(told, parsed, game);
        let played = &self.reading;
        let has = |code| played.diagnostics.iter().any(|found| found.code == code);
        let is_doubtful = if is_declared {
            // Tags lie: some programs write one GameType for everything. But a game that
            // goes on for a while as they say is of that kind, and its author erred.
            has(Code::IllegalMove) && played.ply_count == 0
        } else {
            has(Code::IllegalMove) || has(Code::SquareNumbers) && !is_turned
        };
        if is_doubtful
            && !is_forced
            && let Some(other) = self.told_by_itself(parsed)
            && !other.fits(first)
        {
            self.reading.plies.truncate(plies);
            self.reading.structures.truncate(structures);
            self.reading.clear();
            self.batch.diagnostics.truncate(findings);
            let whose = if is_declared { "tags" } else { "source" };
            let detail = format!(
                "{} by its {whose}, {} by its moves",
                first.name, other.variant.name
            );
            self.report(Code::VariantMismatch, parsed.text.raw.span.0, detail);
            self.play_as(other.into(), parsed, game);
        }
    }

    /// What a game's own moves say, where it is complete under some rules.
    fn told_by_itself(&self, parsed: &ParsedGame<'_>) -> Option<GameVariant> {
        let unasked = SourceVariant::default();
        let source = self.profile.verdict.as_ref().unwrap_or(&unasked);
        source.of_alone(parsed.text)
    }

    /// Plays a game by the rules of a variant, and settles its result.
    fn play_as(&mut self, told: VariantChoice, parsed: &ParsedGame<'_>, game: &mut BatchGame) {
        let row = told.variant;
        // What a tag says of its squares makes another beginning of the same FEN.
        let squares = game_type::parse(parsed.game_type).filter(|read| read.corner.is_some());
        let expected = ExpectedNotation {
            squares,
            ..self.profile.expected
        };
        game.variant_by = told.by;
        let of_squares = squares.map(|_| parsed.game_type.to_vec());
        let key = (row.id, of_squares, parsed.fen.to_vec());
        let begin = || {
            let fen = (parsed.text.decode)(parsed.fen);
            GameStart::of(row, fen.into_owned(), expected)
        };
        let settled = settled(self.play(key, begin, parsed, game), Some(row));
        self.outcome(parsed, settled, game);
    }

    /// Which variant a game is of: what the importer says, the `GameType`, the
    /// `Variant` tag, what the moves of the file say, in this order. `None`: its
    /// squares are of no board that is parsed.
    fn told(&self, parsed: &ParsedGame<'_>) -> Option<VariantChoice> {
        let is_guessed = |row: &&Variant| row.tier() == Some(VariantDetection::Guessed);
        if let Some(variant) = self.profile.forced.filter(is_guessed) {
            let by = Some(FORCED.into());
            return Some(VariantChoice {
                variant,
                by,
                is_turned: false,
            });
        }
        let GameText { raw, bytes, decode } = parsed.text;
        let named = decode(parsed.variant);
        let declared = guess::declared(parsed.game_type, &named);
        // An export has handed on what was a guess, or that there was none.
        let doubt = raw.tag(bytes, game_type::DOUBT_TAG).unwrap_or_default();
        let doubt = decode(doubt);
        if doubt == game_type::UNKNOWN {
            return None;
        }
        if let Some(variant) = declared {
            let by = doubt
                .starts_with(INFERRED)
                .then(|| doubt.into_owned().into());
            return Some(VariantChoice {
                variant,
                by,
                is_turned: false,
            });
        }
        let says_nothing = raw.items.is_empty() && parsed.fen.trim_ascii().is_empty();
        let source = self.profile.verdict.as_ref();
        let told = source.and_then(|source| match source.of(raw, bytes) {
            None if says_nothing => source.of_most(),
            told => told,
        });
        match told {
            Some(told) if !told.weak => {
                let is_mixed = source.is_some_and(|source| source.is_mixed(raw, bytes));
                let own = is_mixed.then(|| self.told_by_itself(parsed)).flatten();
                Some(own.unwrap_or(told).into())
            }
            // Others of its kind say little, or stand elsewhere.
            weak => {
                let told = self.told_by_itself(parsed).or(weak);
                // A stray game in a file of others votes for itself.
                let stray = || match source {
                    None => VariantInference::of_one(parsed.text).of(raw, bytes),
                    Some(_) => None,
                };
                told.or_else(stray).map(VariantChoice::from)
            }
        }
    }
}

/// In which order points stand in a game of a row, and who has won by its end, if it was played.
fn settled(
    end: Option<GameReadOutcome>,
    row: Option<&'static Variant>,
) -> (Option<ResultOrder>, Option<usize>) {
    let told = end.map(|end| (end.result_order, end.winner));
    told.unwrap_or_else(|| {
        let start = row.and_then(AnyPosition::start);
        (start.and_then(|at| at.result_order()), None)
    })
}

impl std::convert::From<GameVariant> for VariantChoice {
    fn from(inferred: GameVariant) -> Self {
        Self {
            variant: inferred.variant,
            by: Some(inferred.by()),
            is_turned: inferred.is_turned,
        }
    }
}
