//! A game, and its positions one after the other.

use crate::{
    base::record::{GameHeader, GameId, GameRecord, MoveForm, MovetextItem, Outcome},
    games::{AnyCursor, AnyPosition, GameNotation as _, with_game},
    pgn::writer,
    search::GameReader,
    store::StoreError,
};

/// A game: its tags, its moves with comments and variations, and its positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    record: GameRecord,
    start: Option<AnyPosition>,
    /// The main line, packed.
    plies: Vec<u8>,
}

impl Game {
    pub(super) fn read(
        reader: &mut GameReader<'_>,
        id: GameId,
    ) -> Result<Option<Self>, StoreError> {
        let Some(record) = reader.game(id)? else {
            return Ok(None);
        };
        let (start, plies) = reader.main_line(id)?.unzip();
        Ok(Some(Self {
            record,
            start,
            plies: plies.unwrap_or_default(),
        }))
    }

    /// Its number in the database, from 1.
    pub const fn id(&self) -> GameId {
        self.record.header.id
    }

    /// What lists show of it: players, ratings, event, date, result, opening, variant.
    pub const fn header(&self) -> &GameHeader {
        &self.record.header
    }

    /// Everything that is written of it.
    pub const fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Its tag pairs, in order, as they were written.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        let tags = self.record.tags.iter();
        tags.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag, by its name in the case in which PGN has it: `White`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags()
            .find(|(own, _)| *own == name)
            .map(|(_, value)| value)
    }

    /// How it ended.
    pub const fn outcome(&self) -> Outcome {
        self.record.outcome
    }

    /// Its movetext: moves, comments, glyphs and variations, in the order of the text.
    pub fn items(&self) -> &[MovetextItem] {
        &self.record.items
    }

    /// The position in which it begins; `None` if that is none in which its variant can be played.
    pub const fn start(&self) -> Option<&AnyPosition> {
        self.start.as_ref()
    }

    /// The plies of its main line, each with the position after it; [`start`](Self::start) is the
    /// position before the first. A game whose rules plydex does not know has none.
    pub fn positions(&self) -> Positions<'_> {
        Positions {
            cursor: self.start.as_ref().map(AnyCursor::new),
            plies: &self.plies,
        }
    }

    /// The game as PGN, or PDN if it is one of draughts, with the blank line after it.
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        writer::write_regular(&self.record, &mut text);
        text
    }
}

/// A move of a game's main line, and the position after it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedMove {
    /// How many plies were played with it: 1 is the first.
    pub number: u32,
    /// The move as the game writes it: SAN in chess, squares in draughts.
    pub name: String,
    /// The move for programs: UCI in chess, all squares in draughts.
    pub uci: String,
    /// The position after it.
    pub position: AnyPosition,
}

/// The plies of a main line.
#[derive(Debug, Clone)]
pub struct Positions<'g> {
    cursor: Option<AnyCursor>,
    plies: &'g [u8],
}

impl Iterator for Positions<'_> {
    type Item = PlayedMove;

    fn next(&mut self) -> Option<PlayedMove> {
        let cursor = self.cursor.as_mut()?;
        let code = cursor.peek(&mut self.plies)?;
        let (before, detail) = (cursor.position()?, cursor.detail());
        let name = cursor.next_name(code, MoveForm::Short, before.corner())?;
        let [_, uci] = with_game!(AnyPosition of &before, at => at.named(code, detail));
        cursor.play(code);
        Some(PlayedMove {
            number: cursor.ply(),
            name,
            uci,
            position: cursor.position()?,
        })
    }
}
