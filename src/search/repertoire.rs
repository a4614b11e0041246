//! A repertoire held against the games of a database: what these play in its positions, and
//! where they leave it.

use std::collections::HashMap;

use serde::Serialize;

use super::{
    GameReader, LineVisit, MoveCode, ScoreSum, TreeMove,
    deep_tree::{TreeKey, behind, key_of, with_move},
    moves::{in_language, shared_codes},
    movetext::number_after,
    plan::GameConditions,
    tree::PositionTrees,
};
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    games::{
        AnyCursor, AnyPosition, BoardGame, Budget, Cursor, Stepper,
        notation::{clip, letters::Language},
        variation_tree::{Annotation, CorruptTree, PlyRef, TreeEvent, TreeReader},
        with_game,
    },
    query::PositionQuery,
    replay::Annotations,
    store::{Store, StoreError},
};

/// The positions of some games and of their variations, each once, with the moves that are
/// played there.
#[derive(Debug, Default)]
pub struct Repertoire {
    positions: Vec<RepertoirePosition>,
    known: HashMap<TreeKey, usize>,
    unread: Vec<UnreadVariation>,
}

/// A variation that ends before a move which cannot be played: what follows in it is no part of
/// the repertoire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadVariation {
    /// The game.
    pub game: GameId,
    /// Where the variation ends; where it begins, if it is deeper in others than anything is read.
    pub place: PlyRef,
    /// The move, and why it cannot be played.
    pub detail: String,
}

/// A position of a repertoire.
#[derive(Debug)]
struct RepertoirePosition {
    at: AnyPosition,
    /// The moves of the first way there.
    line: String,
    /// The number of plies; 0 is where a game starts.
    ply: u32,
    /// The number of the next move, and whether it is of the side that moves second.
    number: (u32, bool),
    moves: Vec<RepertoireMove>,
}

/// A move of a repertoire.
#[derive(Debug)]
struct RepertoireMove {
    /// Its names, in the notation of the game and for programs.
    names: [String; 2],
    /// The position after it.
    to: usize,
}

/// Where a game has a position of a repertoire for the last time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepertoireVisit {
    /// The place of the position among all.
    pub place: usize,
    /// Plies before it.
    pub ply: u32,
    /// The move that leaves it; `None` if the game ends there.
    pub next: Option<MoveCode>,
}

impl Repertoire {
    /// The main lines and variations of all games of a database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read or is damaged.
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        let mut games = GameReader::new(store);
        let mut all = Self::default();
        for game in 1..=store.last_game()? {
            games.with_annotations(game, |start, main_line, annotations| {
                with_game!(AnyPosition of start, at => all.add(game, at, main_line, annotations))
            })?;
        }
        Ok(all)
    }

    fn add<G: BoardGame>(
        &mut self,
        game: GameId,
        start: &G,
        main_line: &[u8],
        annotations: Option<&Annotations<'_>>,
    ) -> Result<(), CorruptTree>
    where
        AnyPosition: From<G>,
    {
        let mut reader = match annotations {
            Some(annotations) => annotations.reader(start, main_line)?,
            None => TreeReader::plain(Stepper::new(start), main_line),
        };
        self.place_of(start.clone().into(), String::new, 0, None);
        // How deep the variation is whose end is not read: nothing inside it is.
        let mut unread = usize::MAX;
        loop {
            let mut played = None;
            let step = reader.step(|cursor| {
                played = cursor.pending().map(|m| (cursor.at().clone(), m));
            })?;
            let Some((step, text)) = step else {
                return Ok(());
            };
            let walk = reader.walk();
            let depth = walk.depth();
            match (step, played) {
                (TreeEvent::Ply(_), Some((before, m))) => {
                    let names = before.named(before.code(m), G::detail(m));
                    self.play(before.into(), names, walk.at().at().clone().into());
                }
                (TreeEvent::Mark(Annotation::VariationEnd), _) if depth < unread => {
                    unread = usize::MAX;
                }
                (TreeEvent::Mark(mark), _) if mark.is_word() => {
                    let detail = match mark {
                        _ if depth >= unread => None,
                        Annotation::VariationText => Some(format!("`{}`: not read", clip(&text))),
                        Annotation::Word if depth > 0 => {
                            let at = AnyPosition::from(walk.at().at().clone());
                            at.why_unplayable(&text)
                        }
                        _ => None,
                    };
                    if let Some(detail) = detail {
                        if mark == Annotation::Word {
                            unread = depth;
                        }
                        let (line, ply) = (walk.path(), walk.ply());
                        self.unread.push(UnreadVariation {
                            game,
                            place: PlyRef { line, ply },
                            detail,
                        });
                    }
                }
                _ => {}
            }
        }
    }

    fn play(&mut self, before: AnyPosition, names: [String; 2], behind: AnyPosition) {
        let from = self.place_of(before, String::new, 0, None);
        let at = &self.positions[from];
        let number = at.number;
        if at.moves.iter().any(|known| known.names == names) {
            return;
        }
        let (line, ply) = (at.line.clone(), at.ply + 1);
        let next = Some(number_after(number, 1));
        let to = self.place_of(behind, || with_move(&line, number, &names[0]), ply, next);
        self.positions[from]
            .moves
            .push(RepertoireMove { names, to });
    }

    /// The place of a position among all, where it is added if it is new.
    fn place_of(
        &mut self,
        at: AnyPosition,
        line: impl FnOnce() -> String,
        ply: u32,
        number: Option<(u32, bool)>,
    ) -> usize {
        let positions = &mut self.positions;
        *self.known.entry(key_of(&at)).or_insert_with(|| {
            positions.push(RepertoirePosition {
                number: number.unwrap_or_else(|| at.number()),
                at,
                line: line(),
                ply,
                moves: Vec::new(),
            });
            positions.len() - 1
        })
    }

    /// The last position of a game that the repertoire has, by whatever moves; `None` if it has none.
    pub fn last_visit(&self, line: &LineVisit<'_>) -> Option<RepertoireVisit> {
        let (_, _, rules) = key_of(line.start);
        let (mut at, mut rest) = (AnyCursor::new(line.start), line.plies);
        let mut last: Option<RepertoireVisit> = None;
        for ply in 0.. {
            let key = (at.board_key(), at.state_bits(), rules);
            let known = self.known.get(&key).copied();
            let next = at.peek(&mut rest);
            if let Some(place) = known {
                let next = next.map(|code| (code, at.detail()));
                last = Some(RepertoireVisit { place, ply, next });
            }
            match next {
                Some(code) => at.play(code),
                None => break,
            }
        }
        let last = last?;
        let at = &self.positions[last.place].at;
        let next = last.next.map(|(code, detail)| {
            let is_shared = detail != 0 && shared_codes(at, at.turn()).contains(&code);
            (code, if is_shared { detail } else { 0 })
        });
        Some(RepertoireVisit { next, ..last })
    }

    /// Whether the repertoire has a move in a position.
    pub fn has_moves(&self, place: usize) -> bool {
        !self.positions[place].moves.is_empty()
    }

    /// The moves that lead to a position; empty at a start.
    pub fn line(&self, place: usize) -> &str {
        &self.positions[place].line
    }

    /// The number of the next move of a position, and whether it is of the side that moves second.
    pub fn number(&self, place: usize) -> (u32, bool) {
        self.positions[place].number
    }

    /// The moves that lead to a position, with one more.
    pub fn line_with(&self, place: usize, san: &str) -> String {
        let at = &self.positions[place];
        with_move(&at.line, at.number, san)
    }

    /// The variations that were not read to their ends.
    pub fn unread(&self) -> &[UnreadVariation] {
        &self.unread
    }

    /// How many positions there are.
    pub const fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// How many moves each side has to choose from, on average of the positions in which it has
    /// any: White, Black.
    pub fn choices(&self) -> [f64; 2] {
        [0, 1].map(|side| {
            let own = |at: &&RepertoirePosition| at.at.turn() & 1 == side && !at.moves.is_empty();
            let own = self.positions.iter().filter(own);
            let (positions, moves) = own.fold((0, 0), |(positions, moves), at| {
                (positions + 1, moves + at.moves.len())
            });
            moves as f64 / f64::from(positions.max(1))
        })
    }

    /// The side that it seems to be made for, which has fewer moves to choose from than the
    /// other; `None` if both have as many.
    pub fn side(&self) -> Option<usize> {
        let [white, black] = self.choices();
        // A side that never moves has nothing to prepare.
        let weight = |choices: f64| if choices == 0.0 { f64::MAX } else { choices };
        match weight(white).partial_cmp(&weight(black))? {
            std::cmp::Ordering::Less => Some(0),
            std::cmp::Ordering::Greater => Some(1),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Holds all positions against the games of a database that pass a filter. Without a side,
    /// both play as the games do.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged, or the end was requested.
    pub fn compare(
        &self,
        store: &Store,
        (filter, side, language): (&GameConditions, Option<usize>, &Language),
        observer: &dyn Observer,
    ) -> Result<Vec<ComparedPosition>, StoreError> {
        let _ = observer.on(Event::Phase {
            name: "looking positions up",
            steps: Some(self.len() as u64),
        });
        let mut compared: Vec<ComparedPosition> = Vec::with_capacity(self.len());
        for known in &self.positions {
            store.go_on()?;
            let query = PositionQuery {
                own_rules: true,
                ..PositionQuery::of(known.at.clone())
            };
            // The games of one position share its world; positions may be of several.
            let tree = PositionTrees::new(store, &query, filter, language)?.of(&query)?;
            let is_own = side.map(|side| side == known.at.turn() & 1);
            let legal = known.at.moves(Budget::default()).unwrap_or_default();
            let mut moves: Vec<ComparedMove> = (tree.moves.into_iter())
                .map(|played| {
                    let own = known.moves.iter().find(|own| own.names[1] == played.uci);
                    let to = own.map(|own| own.to).or_else(|| {
                        let behind = behind(&known.at, &legal, &played.uci)?;
                        self.known.get(&key_of(&behind)).copied()
                    });
                    let line = |to: usize| self.positions[to].line.clone();
                    ComparedMove {
                        in_file: own.is_some(),
                        transposes_to: to.filter(|_| own.is_none()).map(line),
                        to,
                        played,
                    }
                })
                .collect();
            for own in &known.moves {
                if moves.iter().all(|line| line.played.uci != own.names[1]) {
                    moves.push(ComparedMove {
                        in_file: true,
                        transposes_to: None,
                        to: Some(own.to),
                        played: TreeMove::unplayed(&known.at, &own.names, language),
                    });
                }
            }
            compared.push(ComparedPosition {
                line: known.line.clone(),
                fen: tree.fen,
                own: is_own,
                number: known.number,
                frequency: if known.ply == 0 { 1.0 } else { 0.0 },
                total: tree.total,
                moves,
            });
            let _ = observer.on(Event::Steps { steps: 1 });
        }
        self.weigh(&mut compared);
        Ok(compared)
    }

    /// Works out how often each position is reached, from the starts on.
    fn weigh(&self, compared: &mut [ComparedPosition]) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&at| self.positions[at].ply);
        for at in order {
            let here = &compared[at];
            let played: u64 = here.moves.iter().map(|line| line.played.score.games).sum();
            let own = self.positions[at].moves.len();
            let ways: Vec<(usize, f64)> = (here.moves.iter())
                .filter_map(|line| {
                    let share = match here.own {
                        Some(true) if line.in_file => 1.0 / own as f64,
                        // The own side keeps to the file.
                        Some(true) => return None,
                        _ => line.played.score.games as f64 / played.max(1) as f64,
                    };
                    Some((line.to?, share))
                })
                .collect();
            let frequency = here.frequency;
            for (to, share) in ways {
                // What leads back to where a line came from is no further way there.
                if self.positions[to].ply > self.positions[at].ply {
                    compared[to].frequency += frequency * share;
                }
            }
        }
    }
}

/// What a repertoire plays, by the places of its positions: numbers below [`Repertoire::len`].
impl Repertoire {
    /// The place of a position; `None` if the repertoire does not have it.
    pub fn place(&self, at: &AnyPosition) -> Option<usize> {
        self.known.get(&key_of(at)).copied()
    }

    /// The position at a place.
    ///
    /// # Panics
    ///
    /// If there is no such place; likewise below.
    pub fn position(&self, place: usize) -> &AnyPosition {
        &self.positions[place].at
    }

    /// The moves from a place, each with the place that it leads to.
    pub fn moves(&self, place: usize, language: &Language) -> Vec<(String, usize)> {
        let at = &self.positions[place];
        let has_letters = at.at.has_letters();
        let names = at.moves.iter().map(|own| {
            let san = own.names[0].clone();
            (in_language(has_letters, san, language), own.to)
        });
        names.collect()
    }
}

/// A position of a repertoire, and what the games of a database play there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedPosition {
    /// The moves that lead there; empty at the start.
    pub line: String,
    /// The position in FEN.
    pub fen: String,
    /// Whether the side whose repertoire it is has the move; `None` if it has no owner.
    pub own: Option<bool>,
    /// The number of the next move, and whether it is of the side that moves second.
    #[serde(skip)]
    pub number: (u32, bool),
    /// How often one gets there, from 0 to 1: the own side plays each of its moves as often as
    /// the others, the other side plays as the games do.
    pub frequency: f64,
    /// The games that reach it.
    pub total: ScoreSum,
    /// What is played there: the moves of the games, most games first, then those that only the
    /// repertoire has.
    pub moves: Vec<ComparedMove>,
}

/// A move of a position of a repertoire.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedMove {
    /// Whether the repertoire has it.
    pub in_file: bool,
    /// The moves that lead the repertoire to the position after it, where it has that
    /// position and not this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transposes_to: Option<String>,
    /// The place of that position among all.
    #[serde(skip)]
    to: Option<usize>,
    /// How it was played.
    #[serde(flatten)]
    pub played: TreeMove,
}

/// What there is to prepare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GapKind {
    /// A move of the other side that the repertoire does not have, beside others that it has, to
    /// a position that it does not have either.
    Missing,
    /// A position in which it has no move for its own side.
    Unanswered,
    /// A position in which it has no move of the other side: where a line ends.
    End,
}

/// Something that the repertoire does not answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepertoireGap {
    /// What it is.
    pub kind: GapKind,
    /// The moves that lead there, with the one that is missing.
    pub line: String,
    /// How often one gets there, from 0 to 1.
    pub frequency: f64,
    /// How the games fared.
    pub score: ScoreSum,
    /// The move that most games play next, if the repertoire has the position.
    pub next: Option<String>,
}

/// What a repertoire does not answer, most frequent first. Only what `games_min` games have.
pub fn gaps(compared: &[ComparedPosition], games_min: u64) -> Vec<RepertoireGap> {
    let mut gaps = Vec::new();
    for at in compared {
        let known = at.moves.iter().filter(|line| line.in_file).count();
        if known == 0 {
            gaps.push(RepertoireGap {
                kind: match at.own {
                    Some(true) => GapKind::Unanswered,
                    _ => GapKind::End,
                },
                line: at.line.clone(),
                frequency: at.frequency,
                score: at.total.clone(),
                next: at.moves.first().map(|line| line.played.san.clone()),
            });
        } else if at.own != Some(true) {
            let played: u64 = at.moves.iter().map(|line| line.played.score.games).sum();
            for ComparedMove { played: line, .. } in
                at.moves.iter().filter(|line| line.to.is_none())
            {
                gaps.push(RepertoireGap {
                    kind: GapKind::Missing,
                    line: with_move(&at.line, at.number, &line.san),
                    frequency: at.frequency * line.score.games as f64 / played.max(1) as f64,
                    score: line.score.clone(),
                    next: None,
                });
            }
        }
    }
    gaps.retain(|gap| gap.score.games >= games_min.max(1));
    gaps.sort_by(|one, other| {
        let by_frequency = other.frequency.total_cmp(&one.frequency);
        by_frequency.then(other.score.games.cmp(&one.score.games))
    });
    gaps
}
