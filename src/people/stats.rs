//! What the games of a name say of the player who bears it, and what of that is contradictory.

use crate::{base::record::Outcome, blocks::facts::PackedFacts};

/// Between the first and the last game of a person there are at most this many years.
const SPAN_MAX: u16 = 75;
/// Two shorter forms of a name are one person's only if no more years without a game are between
/// them …
const GAP_MAX: u16 = 10;
/// … and a family name alone, if no more.
const BARE_GAP_MAX: u16 = 1;
/// Ratings of one year differ by no more.
const RATINGS_MAX: u16 = 500;
/// Ratings of one year, or of neighbouring ones, that differ by no more are one person's.
const SAME_RATINGS_MAX: u16 = 100;

/// The games of a name, added up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerStats {
    /// Games.
    pub games: u32,
    /// Games that were won, drawn and lost; those without a result are not among them.
    pub score: [u32; 3],
    /// The first and the last year that is known; 0 where none is.
    pub years: (u16, u16),
    /// Years with the lowest and the highest rating of each, in order.
    ratings: Vec<(u16, u16, u16)>,
    /// Numbers that FIDE has given, in order.
    fide_ids: Vec<u32>,
}

/// How much of a name two spellings have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameSimilarity {
    /// All of it.
    Whole,
    /// One of them has initials, or fewer first names.
    Short,
    /// One of them is the family name alone.
    Bare,
    /// All of it, of an event or a site, which anybody may have played at any time.
    Title,
}

/// Why two spellings are not joined although their names fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitReason {
    /// The user has parted them by hand.
    ByHand,
    /// They have played each other.
    Opponents,
    /// FIDE has given them different numbers.
    FideIds(u32, u32),
    /// This many years are between the first game and the last.
    Span(u16),
    /// This many years without a game are between the shorter form and the longer one.
    Gap(u16),
    /// Of a family name alone it is not known when it was played.
    Undated,
    /// In that year their ratings were these.
    Ratings(u16, u16, u16),
    /// The name fits several people.
    Several,
    /// The name fits a namesake as well, who has many times the games.
    Outweighed,
}

impl SplitReason {
    /// Whether it says that they are two, and not only that they need not be one.
    pub const fn is_sure(&self) -> bool {
        !matches!(
            self,
            Self::Gap(_) | Self::Undated | Self::Several | Self::Outweighed
        )
    }
}

impl PlayerStats {
    /// Adds a game.
    pub fn add(&mut self, facts: &PackedFacts, is_white: bool) {
        self.count(facts);
        let outcome = Outcome::from_code(facts.outcome as u8);
        let place = match (outcome, is_white) {
            (Outcome::First, true) | (Outcome::Second, false) => Some(0),
            (Outcome::Draw, _) => Some(1),
            (Outcome::First, false) | (Outcome::Second, true) => Some(2),
            (Outcome::Unknown, _) => None,
        };
        if let Some(place) = place {
            self.score[place] += 1;
        }
        if let Some(year) = facts.year() {
            let elo = if is_white {
                facts.white_elo
            } else {
                facts.black_elo
            };
            if let Ok(elo @ 1..) = u16::try_from(elo) {
                self.rate((year, elo, elo));
            }
        }
    }

    /// Adds a game without a winner: one of an event or a site.
    pub fn count(&mut self, facts: &PackedFacts) {
        self.games += 1;
        if let Some(year) = facts.year() {
            self.reach((year, year));
        }
    }

    /// Adds a number that FIDE has given.
    pub fn add_fide_id(&mut self, id: u32) {
        if let Err(place) = self.fide_ids.binary_search(&id) {
            self.fide_ids.insert(place, id);
        }
    }

    /// Adds all games of another name.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for (sum, more) in self.score.iter_mut().zip(other.score) {
            *sum += more;
        }
        if other.years.1 > 0 {
            self.reach(other.years);
        }
        for &ratings in &other.ratings {
            self.rate(ratings);
        }
        for &id in &other.fide_ids {
            self.add_fide_id(id);
        }
    }

    /// How many years have a rating.
    pub fn rated_years(&self) -> usize {
        self.ratings.len()
    }

    /// The highest rating.
    pub fn rating_top(&self) -> Option<u16> {
        self.ratings.iter().map(|&(_, _, highest)| highest).max()
    }

    /// The share of the points, 0 to 1, of the games with a result.
    pub fn share(&self) -> Option<f64> {
        let [won, drawn, lost] = self.score.map(f64::from);
        let games = won + drawn + lost;
        (games > 0.0).then(|| (won + drawn / 2.0) / games)
    }

    /// The numbers that FIDE has given, in order.
    pub fn fide_ids(&self) -> &[u32] {
        &self.fide_ids
    }

    /// The number that FIDE has given, if all games that have one have the same.
    pub fn fide_id(&self) -> Option<u32> {
        match self.fide_ids[..] {
            [id] => Some(id),
            _ => None,
        }
    }

    /// What says that this is not a career together with another one.
    pub fn doubt(&self, other: &Self, form: NameSimilarity) -> Option<SplitReason> {
        if form == NameSimilarity::Title {
            return None;
        }
        if let (Some(&one), Some(&another)) = (self.fide_ids.first(), other.fide_ids.first())
            && !self.fide_ids.iter().any(|id| other.fide_ids.contains(id))
        {
            return Some(SplitReason::FideIds(one.min(another), one.max(another)));
        }
        let (one, another) = (self.years, other.years);
        if one.1 > 0 && another.1 > 0 {
            let span = one.1.max(another.1) - one.0.min(another.0);
            if span > SPAN_MAX {
                return Some(SplitReason::Span(span));
            }
            let gap = one.0.max(another.0).saturating_sub(one.1.min(another.1));
            let gap_max = match form {
                NameSimilarity::Whole | NameSimilarity::Title => SPAN_MAX,
                NameSimilarity::Short => GAP_MAX,
                NameSimilarity::Bare => BARE_GAP_MAX,
            };
            if gap > gap_max {
                return Some(SplitReason::Gap(gap));
            }
        } else if form == NameSimilarity::Bare {
            return Some(SplitReason::Undated);
        }
        self.distances(other, 0)
            .find(|(_, below, above)| above.saturating_sub(*below) > RATINGS_MAX)
            .map(|(year, below, above)| SplitReason::Ratings(year, below, above))
    }

    /// Whether the ratings of the years that two careers have in common are about the same; those
    /// of neighbouring years if they have none in common. `false` if there is nothing to compare.
    pub fn has_ratings_of(&self, other: &Self) -> bool {
        let mut years = [0, 1].into_iter();
        let compared = years.find(|&years| self.distances(other, years).next().is_some());
        compared.is_some_and(|years| {
            self.distances(other, years)
                .all(|(_, below, above)| above.saturating_sub(below) <= SAME_RATINGS_MAX)
        })
    }

    /// For each two years of ratings that are `years` apart: this career's year, and the end of the
    /// lower range and the beginning of the higher one, which is less where they overlap.
    fn distances(&self, other: &Self, years: u16) -> impl Iterator<Item = (u16, u16, u16)> {
        let pairs = self.ratings.iter().flat_map(move |own| {
            let from = own.0.saturating_sub(years);
            let first = other.ratings.partition_point(|&(year, ..)| year < from);
            let near = other.ratings[first..].iter();
            let near = near.take_while(move |theirs| theirs.0 <= own.0 + years);
            let apart = near.filter(move |theirs| theirs.0.abs_diff(own.0) == years);
            apart.map(move |theirs| (own, theirs))
        });
        pairs.map(
            |(&(year, lowest, highest), &(_, its_lowest, its_highest))| {
                if highest < its_lowest {
                    (year, highest, its_lowest)
                } else {
                    (year, its_highest, lowest)
                }
            },
        )
    }

    fn reach(&mut self, (first, last): (u16, u16)) {
        let known = self.years;
        let from = if known.0 == 0 {
            first
        } else {
            known.0.min(first)
        };
        self.years = (from, known.1.max(last));
    }

    fn rate(&mut self, (year, lowest, highest): (u16, u16, u16)) {
        match self.ratings.binary_search_by_key(&year, |&(year, ..)| year) {
            Ok(at) => {
                let (_, low, high) = &mut self.ratings[at];
                (*low, *high) = ((*low).min(lowest), (*high).max(highest));
            }
            Err(at) => self.ratings.insert(at, (year, lowest, highest)),
        }
    }
}
