//! Conditions on games, each made ready for a database.

use std::sync::Arc;

use super::{CompiledFilter, ConstantPredicate, ids, names, starts};
use crate::{
    base::{
        id_set::IdSet,
        range_map::{RangeEntry, RangeMap},
        record::Outcome,
    },
    blocks::{fact_predicate::of_values, facts::FactColumn as Is},
    games::opening_names::OpeningQuery,
    pgn::tags::date::{DateRange, PackedRange, PgnDate},
    query::{GameCondition, NameField, PlayerScore, ProblemField, Ranges, RatingField},
    search::{
        openings, pattern,
        plan::ResolvedNames,
        tags::{TagCondition, ValueTest, WordCondition},
    },
    store::{NameTable, ProblemText, Store, StoreError},
};

impl CompiledFilter {
    pub(super) fn add(
        &mut self,
        store: &Store,
        condition: &GameCondition,
        found: &ResolvedNames,
    ) -> Result<(), StoreError> {
        match condition {
            GameCondition::Number(ranges) => {
                let asked = ranges.as_slice().iter().map(|&(first, last)| RangeEntry {
                    first,
                    end: last.saturating_add(1),
                    mark: 0,
                });
                self.numbered.push(RangeMap::of(asked));
            }
            GameCondition::File(file) => {
                self.numbered
                    .push(store.games_of_sources(|name| name.contains(file))?);
            }
            GameCondition::Name(field, text) => self.add_name(store, *field, text, found)?,
            GameCondition::Score(score, text) => {
                let set = names(store, NameTable::Player, text, &found.players)?;
                self.takes_none |= set.is_empty();
                let outcomes = match score {
                    PlayerScore::Won => [Outcome::First, Outcome::Second],
                    PlayerScore::Lost => [Outcome::Second, Outcome::First],
                };
                let [as_white, as_black] = outcomes.map(|outcome| outcome as u32);
                let has = move |[white, black, outcome]: [u32; 3]| {
                    outcome == as_white && set.contains(white)
                        || outcome == as_black && set.contains(black)
                };
                self.conditions
                    .push(of_values([Is::White, Is::Black, Is::Outcome], has));
            }
            GameCondition::Result(results) => {
                let bits = results
                    .iter()
                    .fold(0_u32, |bits, &result| bits | 1 << (result as u32 & 31));
                let is = move |[outcome]: [u32; 1]| bits >> (outcome & 31) & 1 == 1;
                self.conditions.push(of_values([Is::Outcome], is));
            }
            GameCondition::Date(ranges) => {
                let date = |day: u32, open: u32| match day {
                    day if day == open => PgnDate::UNKNOWN,
                    day => PgnDate::from_packed(day),
                };
                let dates: Vec<PackedRange> = ranges
                    .as_slice()
                    .iter()
                    .map(|&(from, to)| {
                        let (from, to) = (date(from, u32::MIN), date(to, u32::MAX));
                        DateRange { from, to }.packed()
                    })
                    .collect();
                self.conditions.push(match dates[..] {
                    [range] => {
                        of_values([Is::Date], move |[date]| range.contains(date) && date > 0)
                    }
                    _ => of_values([Is::Date], move |[date]| {
                        date > 0 && dates.iter().any(|range| range.contains(date))
                    }),
                });
            }
            GameCondition::Month(months) => {
                let months = months.clone();
                let is = move |[date]: [u32; 1]| months.contains((date / 100 % 100) as u8);
                self.conditions.push(of_values([Is::Date], is));
            }
            GameCondition::Rating(field, ranges) => self.add_rating(*field, ranges.clone()),
            GameCondition::Eco(codes) => {
                let asked = OpeningQuery {
                    codes: codes.as_slice().to_vec(),
                    texts: Vec::new(),
                };
                self.add_opening(store, &asked)?;
            }
            GameCondition::Opening(texts) => {
                let asked = OpeningQuery {
                    codes: Vec::new(),
                    texts: texts.clone(),
                };
                self.add_opening(store, &asked)?;
            }
            GameCondition::Plies(ranges) => {
                let ranges = ranges.clone();
                let is = move |[plies]: [u32; 1]| ranges.contains(plies);
                self.conditions.push(of_values([Is::Plies], is));
            }
            GameCondition::Variant(ids) => {
                let variants: Vec<u32> = ids.iter().map(|&id| id.into()).collect();
                self.limit_variants(&variants);
                let is = move |[variant]: [u32; 1]| variants.contains(&variant);
                self.conditions.push(of_values([Is::Variant], is));
            }
            GameCondition::TimeClass {
                classes,
                or_unknown,
            } => self.add_tag(store, ValueTest::of_classes(classes, *or_unknown))?,
            GameCondition::Casual(is_casual) => {
                let is_casual = *is_casual;
                let casual = ids(store, NameTable::Event, |name| {
                    name.to_lowercase().contains("casual")
                })?;
                let is = move |[event]: [u32; 1]| casual.contains(event) == is_casual;
                self.conditions.push(of_values([Is::Event], is));
            }
            GameCondition::Tag(tag) => self.add_tag(store, ValueTest::of(tag))?,
            GameCondition::Comment(text) => self.comments.push(WordCondition::of(text)),
            GameCondition::Problem(field, text) => {
                let what = match field {
                    ProblemField::Source => ProblemText::Source,
                    ProblemField::Condition => ProblemText::Condition,
                    ProblemField::Keyword => ProblemText::Keyword,
                };
                let words = WordCondition::of(text);
                self.add_problems(store, what, &|text| words.are_in(text))?;
            }
            GameCondition::Stipulation { pattern, .. } => {
                self.add_problems(store, ProblemText::Stipulation, &|text| pattern.fits(text))?;
            }
            GameCondition::Start(position) => {
                let set = match &position.read {
                    Some(start) => starts(store, start)?,
                    None => IdSet::default(),
                };
                self.takes_none |= set.is_empty();
                let is = move |[start]: [u32; 1]| set.contains(start);
                self.conditions.push(of_values([Is::Start], is));
            }
            GameCondition::Position(position) => {
                let asked = position.read.as_deref();
                self.limit_games(pattern::reaching(store, asked, &position.diagrams)?.games);
            }
            GameCondition::Move(asked) => self.moves.push(asked.clone()),
            GameCondition::InVariations | GameCondition::Similar(_) => {}
        }
        Ok(())
    }

    fn add_name(
        &mut self,
        store: &Store,
        field: NameField,
        text: &String,
        found: &ResolvedNames,
    ) -> Result<(), StoreError> {
        let (table, further) = match field {
            NameField::Composer => {
                let words = WordCondition::of(text);
                let further = found.authors.get(text);
                let is_further = |name: &str| further.is_some_and(|names| names.contains(name));
                let fits = |name: &str| words.are_in(name) || is_further(name);
                return self.add_problems(store, ProblemText::Author, &fits);
            }
            NameField::Event => (NameTable::Event, &found.events),
            NameField::Site => (NameTable::Site, &found.sites),
            NameField::Player | NameField::White | NameField::Black => {
                (NameTable::Player, &found.players)
            }
        };
        let set = names(store, table, text, further)?;
        self.takes_none |= set.is_empty();
        let one = |column, set: IdSet| of_values([column], move |[id]: [u32; 1]| set.contains(id));
        let condition = match field {
            NameField::White => one(Is::White, set),
            NameField::Black => one(Is::Black, set),
            NameField::Event => one(Is::Event, set),
            NameField::Site => one(Is::Site, set),
            NameField::Player | NameField::Composer => {
                let has = move |ids: [u32; 2]| ids.iter().any(|id| set.contains(*id));
                of_values([Is::White, Is::Black], has)
            }
        };
        match found.games.get(&(field.word(), text.clone())) {
            Some(games) => self.known.push(ConstantPredicate {
                condition,
                games: Arc::clone(games),
            }),
            None => self.conditions.push(condition),
        }
        Ok(())
    }

    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, several games are tested at once"
    )]
    fn add_rating(&mut self, field: RatingField, ranges: Ranges<u32>) {
        match *ranges.as_slice() {
            [(from, to)] => self.add_rating_test(field, move |elo| (from <= elo) & (elo <= to)),
            _ => self.add_rating_test(field, move |elo| ranges.contains(elo)),
        }
    }

    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, several games are tested at once"
    )]
    fn add_rating_test(&mut self, field: RatingField, fits: impl Fn(u32) -> bool + 'static) {
        let both = [Is::WhiteElo, Is::BlackElo];
        self.conditions.push(match field {
            RatingField::White => of_values([Is::WhiteElo], move |[elo]| (elo > 0) & fits(elo)),
            RatingField::Black => of_values([Is::BlackElo], move |[elo]| (elo > 0) & fits(elo)),
            RatingField::Both => of_values(both, move |[white, black]| {
                (white > 0) & (black > 0) & fits(white) & fits(black)
            }),
            RatingField::Mean => of_values(both, move |[white, black]| {
                (white > 0) & (black > 0) & fits(u32::midpoint(white, black))
            }),
            RatingField::Difference => of_values(both, move |[white, black]| {
                (white > 0) & (black > 0) & fits(white.abs_diff(black))
            }),
        });
    }

    fn add_opening(&mut self, store: &Store, asked: &OpeningQuery) -> Result<(), StoreError> {
        let set = openings::ids(store, asked)?;
        self.takes_none |= set.is_empty();
        let has = move |[opening]: [u32; 1]| set.contains(opening);
        self.conditions.push(of_values([Is::Opening], has));
        Ok(())
    }

    fn add_tag(&mut self, store: &Store, asked: ValueTest) -> Result<(), StoreError> {
        let tag = TagCondition::new(store, asked)?;
        self.takes_none |= tag.takes_none();
        self.tags.push(tag);
        Ok(())
    }

    /// The problems with a text that fits.
    fn add_problems(
        &mut self,
        store: &Store,
        what: ProblemText,
        fits: &dyn Fn(&str) -> bool,
    ) -> Result<(), StoreError> {
        let mut set = IdSet::default();
        store.for_each_problem(what, |game, text| {
            if let Ok(id) = u32::try_from(game)
                && fits(text)
            {
                set.insert(id);
            }
        })?;
        self.listed.push(set);
        Ok(())
    }
}
