//! What can be read of the games of a damaged database.

use crate::{
    base::record::GameId,
    blocks::facts::PackedFacts,
    games::{AnyPosition, variation_tree},
    pgn::tags::eco,
    problems::StoredProblem,
    replay::{self, AnnotationReader, Annotations, StoredSums},
    store::{
        FactReader, GameRow, LineReader, RecordKind, RecordReader, StartRow, Store, StoreError,
        StoreErrorKind, TABLE_OF_NAME,
    },
};

/// What stands for a name that is lost.
const UNKNOWN: &str = "?";

/// A tag pair.
#[derive(Debug)]
pub(crate) struct SalvagedTag {
    /// Its name, with its own spelling.
    pub(crate) name: String,
    pub(crate) value: String,
    /// Whether a column has the value.
    pub(crate) is_folded: bool,
}

/// A game as far as it could be read.
#[derive(Debug, Default)]
pub(crate) struct SalvagedGame {
    pub(crate) row: GameRow,
    /// Those of its facts that are no rows of tables.
    pub(crate) facts: PackedFacts,
    pub(crate) tags: Vec<SalvagedTag>,
    /// Where it begins, if not in the standard start position of chess.
    pub(crate) start: Option<(StartRow, Option<AnyPosition>)>,
    pub(crate) plies: Vec<u8>,
    pub(crate) annotations: Annotations<'static>,
    /// The record of a problem, and what it says.
    pub(crate) problem: Option<(Vec<u8>, StoredProblem)>,
    /// What is lost.
    pub(crate) damage: Vec<&'static str>,
}

/// What is said of a game with nothing left.
pub(crate) const NOTHING: &str = "nothing is left";

impl SalvagedGame {
    pub(crate) fn is_lost(&self) -> bool {
        self.damage == [NOTHING]
    }

    /// A game with nothing left.
    fn nothing() -> Self {
        Self {
            row: GameRow {
                layout: "[]".into(),
                ..GameRow::default()
            },
            damage: vec![NOTHING],
            ..Self::default()
        }
    }
}

/// Damage is no error here; whatever else is an error is one.
fn known<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Err(error) if matches!(error.kind, StoreErrorKind::Damaged { .. }) => Ok(None),
        read => read.map(Some),
    }
}

/// Reads what is left.
pub(crate) struct Salvage<'s> {
    store: &'s Store,
    lines: LineReader<'s>,
    facts: FactReader<'s>,
    annotations: AnnotationReader<'s>,
    problems: RecordReader<'s>,
    sums: StoredSums<'s>,
}

impl<'s> Salvage<'s> {
    pub(crate) fn new(store: &'s Store) -> Self {
        Self {
            store,
            lines: store.lines(),
            facts: store.facts(),
            annotations: AnnotationReader::new(store),
            problems: store.records(RecordKind::Problem),
            sums: StoredSums::new(store),
        }
    }

    /// The last game, of whatever table still knows it.
    pub(crate) fn last_game(&self) -> Result<GameId, StoreError> {
        let store = self.store;
        let lasts = [store.last_row(), store.last_sum(), store.last_fact()];
        let mut lasts: Vec<GameId> = lasts
            .into_iter()
            .filter_map(|last| known(last).transpose())
            .collect::<Result<_, _>>()?;
        let row = known(store.last_game())?.or_else(|| lasts.first().copied());
        lasts.sort_unstable();
        // A number that only one of them has may be made up by damage.
        let agreed = lasts.windows(2).rev().find(|pair| pair[0] == pair[1]);
        Ok(agreed.map(|pair| pair[0]).or(row).unwrap_or(0))
    }

    /// How many games imports have stored, as far as that can be read.
    pub(crate) fn stored_by_imports(&self) -> Result<u64, StoreError> {
        Ok(known(self.store.stored_by_imports())?.unwrap_or(0))
    }

    /// What is left of a game.
    pub(crate) fn game(&mut self, id: GameId) -> Result<SalvagedGame, StoreError> {
        self.store.go_on()?;
        let read = self.parts(id);
        Ok(known(read)?.unwrap_or_else(SalvagedGame::nothing))
    }

    fn parts(&mut self, id: GameId) -> Result<SalvagedGame, StoreError> {
        let mut game = SalvagedGame::default();
        let row = known(self.store.game(id))?.flatten();
        let line = known(self.lines.get(id))?.map(|line| (line.start, line.plies.to_vec()));
        let is_row = row.is_some();
        game.row = match row {
            Some(row) => row,
            None => match known(self.facts.get(id))? {
                Some(facts) => {
                    game.damage.push("tags other than names, date and result");
                    self.row_of(&facts)?
                }
                None if line.is_none() => return Ok(SalvagedGame::nothing()),
                None => {
                    game.damage.push("tags");
                    GameRow {
                        start: line.as_ref().map(|line| line.0).filter(|&start| start > 0),
                        ..GameRow::default()
                    }
                }
            },
        };
        self.problem(id, &mut game)?;
        if game.problem.is_some() {
            game.row.layout = "[]".into();
        } else {
            self.tags(is_row, &mut game)?;
        }
        self.start(&mut game)?;
        self.moves(id, line, &mut game)?;
        game.facts = game.row.facts();
        self.compare(id, is_row, &mut game)?;
        Ok(game)
    }

    /// The row that the facts of a game give.
    fn row_of(&self, facts: &PackedFacts) -> Result<GameRow, StoreError> {
        let ids = [facts.white, facts.black, facts.event, facts.site];
        let mut names: [Option<String>; 4] = Default::default();
        for ((name, id), table) in names.iter_mut().zip(ids).zip(TABLE_OF_NAME) {
            if id > 0 {
                let read = known(self.store.name(table, id))?.flatten();
                *name = Some(read.unwrap_or_else(|| UNKNOWN.to_owned()));
            }
        }
        let some = |number: u32| (number > 0).then_some(number);
        let elo = |number: u32| some(number).and_then(|number| u16::try_from(number).ok());
        let eco = facts
            .eco
            .checked_sub(1)
            .and_then(|code| u16::try_from(code).ok());
        Ok(GameRow {
            names,
            date: some(facts.date),
            outcome: u8::try_from(facts.outcome).unwrap_or(0),
            elos: [elo(facts.white_elo), elo(facts.black_elo)],
            eco: eco.and_then(eco::text),
            plies: facts.plies,
            variant: u8::try_from(facts.variant).unwrap_or(0),
            start: some(facts.start),
            ..GameRow::default()
        })
    }

    /// Reads what a problem is in addition to a game.
    fn problem(&mut self, id: GameId, game: &mut SalvagedGame) -> Result<(), StoreError> {
        match known(self.problems.get(id))? {
            Some(None) => {}
            Some(Some(record)) if StoredProblem::read(record).is_some() => {
                let record = record.to_vec();
                game.problem = StoredProblem::read(&record).map(|filed| (record, filed));
            }
            // Games beside it in a block may be no problems: these have tags.
            _ if &*game.row.layout == "[]" => game.damage.push("what is said of a problem"),
            _ => {}
        }
        Ok(())
    }

    /// Reads the tags; of those that cannot be read the columns are left.
    fn tags(&self, is_row: bool, game: &mut SalvagedGame) -> Result<(), StoreError> {
        let mut entries = replay::layout_of(&game.row.layout).into_iter();
        let tags = &mut game.tags;
        let read = replay::each_tag(self.store, &game.row, |name, value| {
            let is_folded = entries.next().is_some_and(|entry| !entry.starts_with('+'));
            tags.push(SalvagedTag {
                name: name.to_owned(),
                value,
                is_folded,
            });
        });
        if is_row && known(read)?.is_some() && !(tags.is_empty() && &*game.row.layout != "[]") {
            return Ok(());
        }
        if is_row {
            game.damage.push("tags without a column");
            game.row.extra = None;
        }
        let row = &game.row;
        let has_fen = match row.start {
            Some(start) => known(self.store.start(start))?
                .flatten()
                .is_some_and(|start| !start.fen.is_empty()),
            None => false,
        };
        let present = [
            ("Event", row.names[2].is_some()),
            ("Site", row.names[3].is_some()),
            ("Date", true),
            ("Round", row.round.is_some()),
            ("White", row.names[0].is_some()),
            ("Black", row.names[1].is_some()),
            ("Result", true),
            ("WhiteElo", row.elos[0].is_some()),
            ("BlackElo", row.elos[1].is_some()),
            ("ECO", row.eco.is_some()),
            ("FEN", has_fen),
        ];
        let names = present.iter().filter(|(_, is_there)| *is_there);
        let names: Vec<&str> = names.map(|(name, _)| *name).collect();
        game.row.layout = serde_json::Value::from(names).to_string().into();
        game.tags.clear();
        let tags = &mut game.tags;
        replay::each_tag(self.store, &game.row, |name, value| {
            tags.push(SalvagedTag {
                name: name.to_owned(),
                value,
                is_folded: true,
            });
        })
    }

    /// Reads where the game begins. A start that is lost is one that cannot be played.
    fn start(&self, game: &mut SalvagedGame) -> Result<(), StoreError> {
        let Some(id) = game.row.start else {
            return Ok(());
        };
        let row = known(self.store.start(id))?.flatten();
        let position = known(replay::start_position(self.store, id))?;
        game.start = Some(match (row, position) {
            (Some(row), Some(position)) => (row, position),
            (row, _) => {
                game.damage.push("start position");
                let variant = game.row.variant;
                let fen = row.map(|row| row.fen).unwrap_or_default();
                let row = StartRow {
                    id,
                    variant,
                    fen,
                    canonical: None,
                    corner: None,
                    diagram: None,
                };
                (row, None)
            }
        });
        Ok(())
    }

    /// Reads the main line and what stands beside it.
    fn moves(
        &mut self,
        id: GameId,
        line: Option<(u32, Vec<u8>)>,
        game: &mut SalvagedGame,
    ) -> Result<(), StoreError> {
        let usual = AnyPosition::initial();
        let position = match &game.start {
            None => Some(&usual),
            Some((_, position)) => position.as_ref(),
        };
        let start = game.row.start.unwrap_or(0);
        let fits = line.filter(|(own, _)| *own == start);
        let Some((_, plies)) = fits else {
            game.damage.push("moves");
            game.row.plies = 0;
            return Ok(());
        };
        let (at, plies) = match position {
            Some(at) => {
                let (bytes, count) = variation_tree::legal_part(at, &plies);
                if bytes < plies.len() {
                    game.damage.push("a part of the moves");
                }
                game.row.plies = count;
                game.plies = plies[..bytes].to_vec();
                (at, &game.plies[..])
            }
            None => (&usual, &[][..]),
        };
        let Some(read) = known(self.annotations.get(id))? else {
            game.damage.push("comments and variations");
            return Ok(());
        };
        if let Some(read) = read {
            let [tree, texts] = read.records();
            if variation_tree::audit(at, plies, tree, texts).is_ok() {
                game.annotations = Annotations::of(tree.to_vec(), texts.to_vec());
            } else {
                game.damage.push("comments and variations");
            }
        }
        Ok(())
    }

    /// Compares what was read with the checksum of the import.
    fn compare(
        &mut self,
        id: GameId,
        is_row: bool,
        game: &mut SalvagedGame,
    ) -> Result<(), StoreError> {
        if !game.damage.is_empty() || !is_row {
            return Ok(());
        }
        let annotations = Some(&game.annotations);
        let compared = self.sums.compare(id, &game.row, &game.plies, annotations);
        if known(compared)?.is_none() {
            game.damage
                .push("nothing for certain, but its checksum differs or is lost");
        }
        Ok(())
    }
}
