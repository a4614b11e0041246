//! Finds the games of a segment that reach a position.
//!
//! Popular positions have their games listed. All others are searched for among the
//! games of their structure (or, where that is crowded, of their board key) by
//! replay, so answers are exact although filed keys are truncated.

mod index_lookup;
mod united;

pub(super) use index_lookup::{listed, matches, matches_among};
pub(super) use united::{LongList, TargetGames, reaching, top_games, united};

use std::collections::HashMap;

use crate::{
    base::record::GameId,
    games::{
        AnyCursor, AnyPosition, StateMask,
        key::Structure,
        symmetry::{BoardShift, Symmetry},
        variation_tree::{self, InVariation, VariationPath, VariationTree},
    },
    index::popular::ENDS,
    pgn::tags::time_control::{self, TimeControl},
    query::{
        PositionQuery,
        pattern::similarity::{BoardSimilarity, ModelBoard},
    },
    replay::{self, AnnotationReader, Annotations},
    store::{LineReader, SegmentRow, Store, StoreError},
};

/// A game of a segment that reaches the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReachingGame {
    /// Numbered from 0 within the segment.
    pub(super) game: u32,
    /// The ply's code played there first; [`ENDS`] if the game ends.
    pub(super) next: u16,
    /// The side to move there.
    pub(super) turn: u8,
    pub(super) in_variation: bool,
    /// Which of the targets it reaches.
    pub(super) target: u16,
}

impl ReachingGame {
    /// A game whose main line reaches the first target there.
    fn of(game: u32, reached: &Occurrence) -> Self {
        Self {
            game,
            next: reached.next.unwrap_or(ENDS),
            turn: reached.at.turn() as u8,
            in_variation: false,
            target: 0,
        }
    }
}

/// A position that is searched for, in one way of looking at it.
#[derive(Debug, Clone)]
pub(super) struct SearchTarget {
    at: AnyCursor,
    /// How the position that was requested is seen here.
    pub(super) symmetry: Symmetry,
    /// How its pieces were moved over the board after that.
    pub(super) moved: BoardShift,
    /// Board keys with their sides to move: both, if the side is not requested.
    boards: Vec<(u64, usize)>,
    /// Bits of the state that are requested, and what they must be.
    state_mask: u32,
    state: u32,
    structure: Structure,
    in_variations: bool,
}

impl SearchTarget {
    /// The targets of a query: the position as it stands, and seen in the other
    /// ways that were requested, each that differs once.
    pub(super) fn all(query: &PositionQuery) -> Vec<Self> {
        let mut targets: Vec<Self> = Vec::new();
        let mut seen = Vec::new();
        let mut add = |position: AnyPosition, symmetry, moved| {
            if !seen.contains(&position) {
                targets.push(Self::new(&position, query, symmetry, moved));
                seen.push(position);
            }
        };
        for symmetry in [Symmetry::None].iter().chain(&query.symmetries) {
            let seen = match symmetry {
                Symmetry::None => Some(query.position.clone()),
                _ => query.bare().transformed(*symmetry),
            };
            let Some(position) = seen else {
                continue;
            };
            if !query.shift && !query.turn {
                add(position, *symmetry, BoardShift::NOT);
                continue;
            }
            let bare = position.without_rights(!query.ask_castling, !query.ask_en_passant);
            let mut turned = if query.turn {
                bare.orientations()
            } else {
                Vec::new()
            };
            if turned.is_empty() {
                turned.push((BoardShift::NOT, bare));
            }
            for (turning, position) in turned {
                let shifts = if query.shift {
                    position.shifts()
                } else {
                    Vec::new()
                };
                if shifts.is_empty() {
                    add(position, *symmetry, turning);
                }
                for (moved, position) in shifts {
                    let turned = turning.turned;
                    add(position, *symmetry, BoardShift { turned, ..moved });
                }
            }
        }
        targets
    }

    fn new(
        position: &AnyPosition,
        query: &PositionQuery,
        symmetry: Symmetry,
        moved: BoardShift,
    ) -> Self {
        let at = AnyCursor::new(position);
        let turn = position.turn();
        let mut boards = vec![(at.board_key(), turn)];
        if !query.ask_turn {
            boards.push((at.other_side_key(), turn ^ 1));
            boards.sort_unstable_by_key(|(_, turn)| *turn);
        }
        let state_mask = position.state_mask(StateMask {
            castling: query.ask_castling,
            en_passant: query.ask_en_passant,
            variant: query.ask_variant || query.own_rules,
        });
        Self {
            symmetry,
            moved,
            boards,
            state_mask,
            state: at.state_bits() & state_mask,
            structure: at.structure(),
            in_variations: query.in_variations,
            at,
        }
    }

    /// The keys of its boards.
    pub(super) fn keys(&self) -> impl Iterator<Item = u64> {
        self.boards.iter().map(|(key, _)| *key)
    }

    const fn fits_state(&self, state: u32) -> bool {
        state & self.state_mask == self.state
    }

    /// Whether a position is the one that is searched for.
    pub(super) fn is_at(&self, at: &AnyCursor) -> bool {
        self.boards.iter().any(|(key, _)| *key == at.board_key())
            && self.at.has_pieces_of(at)
            && (self.state_mask == 0 || self.fits_state(at.state_bits()))
    }

    /// The first visit of a main line.
    fn first_visit(&self, start: &AnyCursor, mut plies: &[u8]) -> Option<Occurrence> {
        let mut replay = start.clone();
        let mut met = false;
        loop {
            let here = replay.structure() == self.structure;
            // A structure that was left comes back only where a position is set up.
            if met && !here && !replay.may_go_back() {
                return None;
            }
            met |= here;
            let found = here && self.is_at(&replay);
            let next = replay.peek(&mut plies);
            if found {
                return Some(reached(replay, next));
            }
            replay.play(next?);
        }
    }
}

/// A position that a game reaches, on its main line or inside a variation.
#[derive(Debug)]
pub(super) struct Occurrence {
    /// The position, with the next ply of its line taken off.
    pub(super) at: AnyCursor,
    /// Plies from the start of the game.
    pub(super) ply: u32,
    /// Its line.
    pub(super) line: VariationPath,
    /// The code of the ply with which that line goes on; none if it ends.
    pub(super) next: Option<u16>,
}

/// The position after `ply` plies of a line, with the code of the next ply.
fn after(start: &AnyCursor, mut line: &[u8], ply: u32) -> Option<(AnyCursor, Option<u16>)> {
    let mut at = start.clone();
    for _ in 0..ply {
        let code = at.peek(&mut line)?;
        at.play(code);
    }
    let next = at.peek(&mut line);
    Some((at, next))
}

/// A position of a main line.
fn reached(at: AnyCursor, next: Option<u16>) -> Occurrence {
    let ply = at.ply();
    let line = VariationPath::default();
    Occurrence {
        at,
        ply,
        line,
        next,
    }
}

/// Start positions that are kept at most.
const STARTS_MAX: usize = 4096;

/// Where a main line starts, as a position and as a cursor, and its packed plies.
type ReplayLine<'r> = (&'r AnyPosition, &'r AnyCursor, &'r [u8]);

/// Replays games of a database; it remembers lines and start positions that neighbours
/// share.
#[derive(Debug)]
pub(super) struct Replays<'s> {
    store: &'s Store,
    lines: LineReader<'s>,
    annotations: AnnotationReader<'s>,
    starts: HashMap<u32, Option<(AnyPosition, AnyCursor)>>,
}

impl<'s> Replays<'s> {
    pub(super) fn new(store: &'s Store) -> Self {
        Self {
            store,
            lines: store.lines(),
            annotations: AnnotationReader::new(store),
            starts: HashMap::new(),
        }
    }

    /// The main line of a game and where it starts, if it can be played.
    pub(super) fn game(&mut self, game: GameId) -> Result<Option<ReplayLine<'_>>, StoreError> {
        self.know_start(game)?;
        let line = self.lines.get(game)?;
        let start = self.starts.get(&line.start).and_then(Option::as_ref);
        Ok(start.map(|(position, cursor)| (position, cursor, line.plies)))
    }

    /// Loads the start position of a game.
    fn know_start(&mut self, game: GameId) -> Result<(), StoreError> {
        let line = self.lines.get(game)?;
        if !self.starts.contains_key(&line.start) {
            // Collections of positions have one for each game.
            if self.starts.len() == STARTS_MAX {
                self.starts.clear();
            }
            let position = replay::start_position(self.store, line.start)?;
            let known = position.map(|position| {
                let start = AnyCursor::new(&position);
                (position, start)
            });
            self.starts.insert(line.start, known);
        }
        Ok(())
    }

    /// Where a game first reaches one of the targets, on its main line or in its variations
    /// in the order of the text, and which.
    pub(super) fn visit(
        &mut self,
        game: GameId,
        in_variation: bool,
        targets: &[SearchTarget],
    ) -> Result<Option<(Occurrence, usize)>, StoreError> {
        if in_variation {
            return self.visit_in_variation(game, targets);
        }
        let Some((_, start, plies)) = self.game(game)? else {
            return Ok(None);
        };
        if targets.len() > TARGETS_MIN {
            return Ok(visit_of_many(start, plies, targets));
        }
        let visits = targets.iter().enumerate().filter_map(|(at, target)| {
            let visit = target.first_visit(start, plies)?;
            Some((visit, at))
        });
        Ok(visits.min_by_key(|(visit, at)| (visit.ply, *at)))
    }

    /// The same inside its variations.
    fn visit_in_variation(
        &mut self,
        game: GameId,
        targets: &[SearchTarget],
    ) -> Result<Option<(Occurrence, usize)>, StoreError> {
        self.know_start(game)?;
        let line = self.lines.get(game)?;
        let Some((_, start)) = self.starts.get(&line.start).and_then(Option::as_ref) else {
            return Ok(None);
        };
        let Some(tree) = self.annotations.tree(game)? else {
            return Ok(None);
        };
        let mut reached = None;
        let found = VariationTree::of(tree).map(|tree| {
            let may_be = |key| {
                targets
                    .iter()
                    .any(|target| target.keys().any(|own| own == key))
            };
            variation_tree::find(start, line.plies, tree, may_be, |at| {
                reached = targets.iter().position(|target| target.is_at(at));
                reached.is_some()
            })
        });
        let Some(Ok(found)) = found else {
            return Err(self.store.damaged(format!("variations of game {game}")));
        };
        let found = found.map(|InVariation { at, line, next }| Occurrence {
            line,
            ..self::reached(at, next)
        });
        Ok(found.zip(reached))
    }

    /// A position of a main line by the plies before it, and the code of the next; `None` if
    /// it does not get that far.
    pub(super) fn at_ply(
        &mut self,
        game: GameId,
        ply: u32,
    ) -> Result<Option<(AnyCursor, Option<u16>)>, StoreError> {
        let Some((_, start, plies)) = self.game(game)? else {
            return Ok(None);
        };
        Ok(after(start, plies, ply))
    }

    /// The first ply at which a main line is most like a board, and how much; `None` if it
    /// cannot be played.
    pub(super) fn most_alike(
        &mut self,
        game: GameId,
        model: &ModelBoard,
    ) -> Result<Option<(u32, BoardSimilarity)>, StoreError> {
        let line = self.game(game)?;
        Ok(line.map(|(start, _, plies)| model.most_alike(start, plies)))
    }

    /// The same on a packed line that begins where a game does.
    pub(super) fn at_ply_of(
        &mut self,
        game: GameId,
        line: &[u8],
        ply: u32,
    ) -> Result<Option<(AnyCursor, Option<u16>)>, StoreError> {
        let of_game = self.game(game)?;
        Ok(of_game.and_then(|(_, start, _)| after(start, line, ply)))
    }

    /// The time control of a game, as its tag has it.
    pub(super) fn time_control(&self, game: GameId) -> Result<TimeControl, StoreError> {
        let mut text = String::new();
        if let Some(row) = self.store.game(game)? {
            replay::each_tag(self.store, &row, |name, value| {
                if replay::name_of(name).eq_ignore_ascii_case("TimeControl") {
                    text = value;
                }
            })?;
        }
        Ok(time_control::parse(text.as_bytes()))
    }

    /// An error that says what of the annotations of a game is damaged.
    pub(super) fn damaged(&self, what: String) -> StoreError {
        self.store.damaged(what)
    }

    /// What `each` makes of a game: of where it begins, its main line, and its
    /// annotations. A game that cannot be played has no moves, from whatever position.
    pub(super) fn with_annotations<T>(
        &mut self,
        game: GameId,
        each: impl FnOnce(&AnyPosition, &[u8], Option<&Annotations<'_>>) -> T,
    ) -> Result<T, StoreError> {
        self.know_start(game)?;
        let line = self.lines.get(game)?;
        let known = self.starts.get(&line.start).and_then(Option::as_ref);
        let nowhere = AnyPosition::initial();
        let (start, plies) = known.map_or((&nowhere, &[][..]), |(at, _)| (at, line.plies));
        let annotations = self.annotations.get(game)?;
        Ok(each(start, plies, annotations.as_ref()))
    }

    /// What `each` makes of a game: of where it begins, its main line, and its packed tree.
    pub(super) fn with_tree<T>(
        &mut self,
        game: GameId,
        each: impl FnOnce((&AnyPosition, &AnyCursor), &[u8], Option<&[u8]>) -> T,
    ) -> Result<T, StoreError> {
        self.know_start(game)?;
        let line = self.lines.get(game)?;
        let tree = self.annotations.tree(game)?;
        let known = self.starts.get(&line.start).and_then(Option::as_ref);
        Ok(match known {
            Some((position, cursor)) => each((position, cursor), line.plies, tree),
            None => each((&AnyPosition::initial(), &AnyCursor::initial()), &[], tree),
        })
    }

    /// The match of a game of a segment that may reach one of the targets.
    fn find(
        &mut self,
        segment: &SegmentRow,
        game: u32,
        in_variation: bool,
        targets: &[SearchTarget],
    ) -> Result<Option<ReachingGame>, StoreError> {
        let id = segment.first_game + u64::from(game);
        let visit = self.visit(id, in_variation, targets)?;
        Ok(visit.map(|(reached, target)| ReachingGame {
            in_variation,
            target: target as u16,
            ..ReachingGame::of(game, &reached)
        }))
    }
}

/// From how many targets on a game is played once for all of them.
const TARGETS_MIN: usize = 4;

/// [`Replays::visit`] of many targets on a main line, in one replay.
fn visit_of_many(
    start: &AnyCursor,
    mut plies: &[u8],
    targets: &[SearchTarget],
) -> Option<(Occurrence, usize)> {
    let mut replay = start.clone();
    loop {
        let structure = replay.structure();
        let found = targets
            .iter()
            .position(|target| target.structure == structure && target.is_at(&replay));
        let next = replay.peek(&mut plies);
        if let Some(target) = found {
            return Some((reached(replay, next), target));
        }
        replay.play(next?);
    }
}
