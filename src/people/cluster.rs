//! Spellings grouped to people: a function of the names, of what their games say, and of what was
//! decided by hand. The order in which the names come does not matter.
//!
//! Longer names go first. A name is joined to the only person it fits. If it fits several, it is
//! joined only to one whose ratings it has and who has far more games than each of the others.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
};

use super::{
    decisions::Decisions,
    name::NameForm,
    stats::{NameSimilarity, PlayerStats, SplitReason},
};
use crate::{pgn::tags::person::NameKey, store::NameRule};

/// A name as it is written in games, and what these say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameSpelling {
    /// Its row.
    pub id: u32,
    /// The name.
    pub name: Box<str>,
    /// What of it is compared.
    pub form: NameForm,
    /// Its games.
    pub career: PlayerStats,
}

impl NameSpelling {
    /// The name of a player, without games.
    pub fn player(id: u32, name: &str) -> Self {
        Self::with_form(id, name, NameForm::of(name))
    }

    /// The name of an event or a site, without games.
    pub fn title(id: u32, name: &str) -> Self {
        Self::with_form(id, name, NameForm::of_title(name))
    }

    fn with_form(id: u32, name: &str, form: NameForm) -> Self {
        Self {
            id,
            name: name.into(),
            form,
            career: PlayerStats::default(),
        }
    }
}

/// A player with this many times the games of a namesake is meant where the names alone do not
/// decide. For shorter forms of the names of `otb.pgn`, whose players are known by full names,
/// this and the ratings gave 2 % of the games to the wrong player.
pub const OUTWEIGHING: u64 = 20;

/// Why a spelling is a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JoinReason {
    /// The longest of the names, from which the others were judged.
    First,
    /// It is the same name as another spelling but for case, accents, punctuation and order.
    Whole,
    /// It has initials, or fewer first names.
    Short,
    /// So it has and fits several people, but its ratings are this one's, who has
    /// [many times](OUTWEIGHING) the games of each of the others.
    ByRating,
    /// It is the family name alone.
    Bare,
    /// FIDE has given it the same number.
    FideId,
    /// The user has joined them by hand.
    ByHand,
}

/// The spellings of one name: those of a person, an event or a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameGroup {
    /// The spellings by their places among all names, the most used first.
    pub spellings: Vec<(usize, JoinReason)>,
    /// All games.
    pub career: PlayerStats,
    /// Names, and other people's spellings among them, that fit but were not joined, with the
    /// reason.
    pub apart: Vec<(usize, SplitReason)>,
}

/// Groups names to people, those with the most games first. `clashes` are pairs of names, by their
/// places, that have played each other; of `rules` later ones overrule earlier ones.
pub fn group(
    names: &[NameSpelling],
    clashes: &BTreeSet<(usize, usize)>,
    rules: &[NameRule],
) -> Vec<NameGroup> {
    let mut loose = BTreeSet::new();
    loop {
        let mut sorting = NameGrouping {
            names,
            loose: &loose,
            enemies: HashMap::new(),
            people: Vec::new(),
            person_of: vec![None; names.len()],
            by_key: HashMap::new(),
            by_family: HashMap::new(),
            apart: Vec::new(),
        };
        for &(one, other) in clashes {
            sorting.part(one, other, &SplitReason::Opponents);
        }
        let atoms = sorting.decided(rules);
        for atom in &atoms {
            sorting.place(atom);
        }
        let more = sorting.torn();
        if more.is_empty() {
            return sorting.finish();
        }
        loose.extend(more);
    }
}

/// A name of a person, and how it came there.
struct ClusterMember {
    name: usize,
    joined: JoinReason,
    /// The one that was there first of those that it was compared with.
    seed: usize,
}

/// A person that is being made.
#[derive(Default)]
struct ClusterBuilder {
    members: Vec<ClusterMember>,
    career: PlayerStats,
}

/// Names that were decided to be one person's, before any are compared.
type NameSeed = Vec<(usize, JoinReason)>;

struct NameGrouping<'n> {
    names: &'n [NameSpelling],
    /// Those that fit people who are not one: they go last, and are joined to none.
    loose: &'n BTreeSet<usize>,
    /// The names that are not the same person as a name, whatever they look like.
    enemies: HashMap<usize, Vec<(usize, SplitReason)>>,
    people: Vec<ClusterBuilder>,
    person_of: Vec<Option<usize>>,
    by_key: HashMap<NameKey, Vec<usize>>,
    by_family: HashMap<u64, Vec<usize>>,
    /// A name, the person it fits, and why it is another person.
    apart: Vec<(usize, usize, SplitReason)>,
}

impl NameGrouping<'_> {
    fn part(&mut self, one: usize, other: usize, why: &SplitReason) {
        for (one, other) in [(one, other), (other, one)] {
            let enemies = self.enemies.entry(one).or_default();
            enemies.retain(|(enemy, _)| *enemy != other);
            enemies.push((other, why.clone()));
        }
    }

    /// Names in the order in which they are placed, those together that a rule or a number of FIDE
    /// joins.
    fn decided(&mut self, rules: &[NameRule]) -> Vec<NameSeed> {
        // Of namesakes each has the name by itself.
        let mut of_row: HashMap<u32, Vec<usize>> = HashMap::new();
        for (place, entry) in self.names.iter().enumerate() {
            of_row.entry(entry.id).or_default().push(place);
        }
        let mut atoms = NameUnionFind {
            atom_of: (0..self.names.len()).collect(),
            members: HashMap::new(),
        };
        let decisions = Decisions::of(rules);
        let places = |rows: &BTreeSet<u32>| -> Vec<usize> {
            let places = rows.iter().filter_map(|row| of_row.get(row));
            places.flatten().copied().collect()
        };
        for set in decisions.joined() {
            if let [first, others @ ..] = &places(set)[..] {
                let others = others.iter();
                others.for_each(|&other| atoms.join(*first, other, JoinReason::ByHand));
            }
        }
        for sets in decisions.parted() {
            let [ones, others] = sets.map(|set| places(&set));
            for &one in &ones {
                let others = others.iter();
                others.for_each(|&other| self.part(one, other, &SplitReason::ByHand));
            }
        }
        let mut by_id: HashMap<u32, Vec<usize>> = HashMap::new();
        for (place, entry) in self.names.iter().enumerate() {
            if let Some(id) = entry.career.fide_id() {
                by_id.entry(id).or_default().push(place);
            }
        }
        let mut by_id: Vec<Vec<usize>> = by_id.into_values().filter(|of| of.len() > 1).collect();
        for same in &mut by_id {
            same.sort_by_key(|&name| self.rank(name));
        }
        by_id.sort_by_key(|same| self.rank(same[0]));
        for same in by_id {
            for &other in &same[1..] {
                let (one, members) = (same[0], atoms.of(other));
                let theirs = atoms.of(one);
                if theirs.contains(&other) {
                    continue;
                }
                match self.doubt_of(&members, &theirs, NameSimilarity::Whole) {
                    None => atoms.join(one, other, JoinReason::FideId),
                    Some(why) => self.part(one, other, &why),
                }
            }
        }
        let mut all: Vec<NameSeed> = Vec::new();
        for name in 0..self.names.len() {
            if atoms.atom_of[name] == name {
                let mut atom = atoms.members.remove(&name).unwrap_or_default();
                atom.push((name, JoinReason::First));
                atom.sort_by_key(|&(name, _)| self.rank(name));
                all.push(atom);
            }
        }
        all.sort_by_key(|atom| (self.loose.contains(&atom[0].0), self.rank(atom[0].0)));
        all
    }

    /// Longer names go first, and of equally long ones those whose games say most; then
    /// anything will do that does not depend on their order. Of namesakes, those go first that a
    /// number distinguishes.
    fn rank(&self, name: usize) -> impl Ord + use<'_> {
        let entry = &self.names[name];
        (
            Reverse(entry.form.letters()),
            Reverse((entry.career.rated_years(), entry.career.games)),
            &entry.name,
            entry.id,
            Reverse(entry.career.fide_ids()),
        )
    }

    /// What says that some names are not those of a person.
    fn doubt_of(
        &self,
        names: &[usize],
        others: &[usize],
        form: NameSimilarity,
    ) -> Option<SplitReason> {
        let careers = |names: &[usize]| {
            let mut career = PlayerStats::default();
            for &name in names {
                career.merge(&self.names[name].career);
            }
            career
        };
        self.enmity(names, |name| others.contains(&name))
            .or_else(|| careers(names).doubt(&careers(others), form))
    }

    fn enmity(&self, names: &[usize], is_other: impl Fn(usize) -> bool) -> Option<SplitReason> {
        let enemies = names.iter().filter_map(|name| self.enemies.get(name));
        let mut enemies = enemies.flatten().filter(|(enemy, _)| is_other(*enemy));
        enemies.next().map(|(_, why)| why.clone())
    }

    /// Finds the person of some names, or makes one.
    fn place(&mut self, atom: &NameSeed) {
        let names: Vec<usize> = atom.iter().map(|&(name, _)| name).collect();
        let mut career = PlayerStats::default();
        for &name in &names {
            career.merge(&self.names[name].career);
        }
        let mut open: Vec<(NameSimilarity, usize, usize)> = Vec::new();
        let mut doubts = Vec::new();
        for (form, person, seed) in self.fitting(&names) {
            let draft = &self.people[person];
            let doubt = self
                .enmity(&names, |name| self.person_of[name] == Some(person))
                .or_else(|| draft.career.doubt(&career, form));
            match doubt {
                None => open.push((form, person, seed)),
                Some(why) => doubts.push((person, why)),
            }
        }
        // A number that few games of a name have may be a slip of the pen.
        let is_less = |&(_, person, _): &(NameSimilarity, usize, usize)| {
            open.iter()
                .any(|&(_, other, _)| self.outweighs(other, person))
        };
        let (less, mut open): (Vec<(NameSimilarity, usize, usize)>, Vec<_>) =
            open.iter().copied().partition(is_less);
        // How many more people have a family name alone is not known.
        let is_bare = open.iter().all(|&(form, ..)| form == NameSimilarity::Bare);
        let counts = |why: &SplitReason| is_bare || !why.is_sure();
        let unsure = doubts.iter().filter(|(_, why)| counts(why)).count();
        let mut possible = open.len() + unsure;
        // The complete name counts for more than a shorter form of others.
        if open.iter().any(|&(form, ..)| form == NameSimilarity::Whole) {
            open.retain(|&(form, ..)| form == NameSimilarity::Whole);
            possible = 1.min(open.len());
        }
        doubts.extend(
            less.iter()
                .map(|&(_, person, _)| (person, SplitReason::Outweighed)),
        );
        let is_loose = self.loose.contains(&names[0]);
        let rivals = doubts.iter().filter(|(_, why)| counts(why));
        let rivals: Vec<usize> = rivals.map(|&(person, _)| person).collect();
        let mut how = None;
        let (person, form, seed) = match open[..] {
            [(form, person, seed)] if possible == 1 && !is_loose => (person, Some(form), seed),
            _ if !is_loose && let Some(likely) = self.likely(&open, &rivals, &career) => {
                let (form, person, seed) = likely;
                let others = open.iter().filter(|&&(_, other, _)| other != person);
                doubts.extend(others.map(|&(_, other, _)| (other, SplitReason::Outweighed)));
                how = Some(JoinReason::ByRating);
                (person, Some(form), seed)
            }
            _ => {
                doubts.extend(
                    open.iter()
                        .map(|&(_, person, _)| (person, SplitReason::Several)),
                );
                self.people.push(ClusterBuilder::default());
                (self.people.len() - 1, None, names[0])
            }
        };
        let first = names[0];
        self.apart
            .extend(doubts.into_iter().map(|(person, why)| (first, person, why)));
        for &(name, joined) in atom {
            let (joined, seed) = match (joined, form) {
                (JoinReason::First, Some(NameSimilarity::Whole | NameSimilarity::Title)) => {
                    (JoinReason::Whole, seed)
                }
                (JoinReason::First, Some(NameSimilarity::Short)) => {
                    (how.unwrap_or(JoinReason::Short), seed)
                }
                (JoinReason::First, Some(NameSimilarity::Bare)) => (JoinReason::Bare, seed),
                (joined, _) => (joined, name),
            };
            let draft = &mut self.people[person];
            draft.members.push(ClusterMember { name, joined, seed });
            self.person_of[name] = Some(person);
            for key in self.names[name].form.keys() {
                let near = self.by_key.entry(key).or_default();
                let of_family = self.by_family.entry(key.family).or_default();
                for people in [near, of_family] {
                    if people.last() != Some(&person) {
                        people.push(person);
                    }
                }
            }
        }
        self.people[person].career.merge(&career);
    }

    /// Whether a player has many times the games of a namesake.
    fn outweighs(&self, person: usize, other: usize) -> bool {
        let [one, another] = [person, other].map(|person| &self.people[person]);
        let row = |member: &ClusterMember| self.names[member.name].id;
        let has = |id: u32| one.members.iter().any(|member| row(member) == id);
        person != other
            && self.has_far_more_games(person, other)
            && another.members.iter().any(|member| has(row(member)))
    }

    fn has_far_more_games(&self, person: usize, other: usize) -> bool {
        let [one, another] = [person, other].map(|person| self.people[person].career.games);
        u64::from(one) >= OUTWEIGHING * u64::from(another)
    }

    /// Which of several players a shorter form with a career means, if it has the ratings of one
    /// who has far more games than any of the others and any of the rivals, who are in doubt.
    fn likely(
        &self,
        open: &[(NameSimilarity, usize, usize)],
        rivals: &[usize],
        career: &PlayerStats,
    ) -> Option<(NameSimilarity, usize, usize)> {
        let games = |person: usize| self.people[person].career.games;
        let best = *open.iter().max_by_key(|&&(_, person, _)| games(person))?;
        let (form, person, _) = best;
        let others = open
            .iter()
            .map(|&(_, other, _)| other)
            .chain(rivals.iter().copied());
        let is_likely = form == NameSimilarity::Short
            && self.people[person].career.has_ratings_of(career)
            && others
                .filter(|&other| other != person)
                .all(|other| self.has_far_more_games(person, other));
        is_likely.then_some(best)
    }

    /// The people whose names some names fit, with the member that they were compared with first.
    fn fitting(&self, names: &[usize]) -> Vec<(NameSimilarity, usize, usize)> {
        let mut found: Vec<(NameSimilarity, usize, usize)> = Vec::new();
        for &name in names {
            let form = &self.names[name].form;
            let mut near: Vec<usize> = Vec::new();
            for key in form.keys() {
                let people = if form.is_bare() {
                    self.by_family.get(&key.family)
                } else {
                    self.by_key.get(&key)
                };
                near.extend(people.into_iter().flatten());
            }
            near.sort_unstable();
            near.dedup();
            for person in near {
                let members = &self.people[person].members;
                let seeds = members.iter().filter(|member| member.seed == member.name);
                let forms = seeds.filter_map(|seed| {
                    let of_seed = members.iter().filter(|member| member.seed == seed.name);
                    // The nearest one says how near it is.
                    let (mut nearest, mut is_told) = (None, false);
                    for member in of_seed {
                        let other = &self.names[member.name].form;
                        let fit = form.fit(other)?;
                        nearest = Some(nearest.map_or(fit, |nearest| fit.min(nearest)));
                        is_told |= other.is_told();
                    }
                    let nearest =
                        nearest.filter(|&nearest| nearest != NameSimilarity::Bare || is_told);
                    nearest.map(|nearest| (nearest, seed.name))
                });
                let best = forms.min_by_key(|&(form, _)| form);
                if let Some((form, seed)) = best {
                    match found.iter_mut().find(|(_, known, _)| *known == person) {
                        Some(known) if known.0 > form => *known = (form, person, seed),
                        Some(_) => {}
                        None => found.push((form, person, seed)),
                    }
                }
            }
        }
        found
    }

    /// Names that were joined to a person, but fit another one as well who came later and is
    /// surely not the same.
    fn torn(&self) -> Vec<usize> {
        let mut torn = Vec::new();
        for (name, person, why) in &self.apart {
            let Some(own) = self.person_of[*name].filter(|own| own != person && why.is_sure())
            else {
                continue;
            };
            if self.outweighs(*person, own) {
                continue;
            }
            let own = &self.people[own];
            for member in &self.people[*person].members {
                let (form, entry) = (&self.names[*name].form, &self.names[member.name]);
                let is_decided = matches!(member.joined, JoinReason::ByHand | JoinReason::FideId)
                    || self.loose.contains(&member.name);
                let fit = form
                    .fit(&entry.form)
                    .filter(|fit| !is_decided && *fit == NameSimilarity::Whole);
                let is_torn = fit.is_some_and(|fit| {
                    let is_own = |name| own.members.iter().any(|member| member.name == name);
                    let doubt = self.enmity(&[member.name], is_own);
                    doubt
                        .or_else(|| own.career.doubt(&entry.career, fit))
                        .is_none()
                });
                if is_torn && self.people[*person].members.len() > 1 {
                    torn.push(member.name);
                }
            }
        }
        torn
    }

    fn finish(self) -> Vec<NameGroup> {
        let games = |name: usize| Reverse(self.names[name].career.games);
        let mut apart: Vec<Vec<(usize, SplitReason)>> = vec![Vec::new(); self.people.len()];
        for (name, person, why) in self.apart {
            let own = self.person_of[name];
            if let Some(own) = own.filter(|&own| own != person) {
                let first = self.people[person].members[0].name;
                apart[own].push((first, why.clone()));
                apart[person].push((name, why));
            }
        }
        let drafts = self.people.into_iter().zip(apart);
        let mut people: Vec<NameGroup> = drafts
            .map(|(draft, mut apart)| {
                let members = draft.members.into_iter();
                let mut spellings: Vec<_> =
                    members.map(|member| (member.name, member.joined)).collect();
                spellings.sort_by_key(|&(name, _)| (games(name), &self.names[name].name));
                apart.sort_by_key(|&(name, _)| (games(name), &self.names[name].name, name));
                apart.dedup_by_key(|&mut (name, _)| name);
                NameGroup {
                    spellings,
                    career: draft.career,
                    apart,
                }
            })
            .collect();
        people.sort_by_key(|person| {
            let entry = &self.names[person.spellings[0].0];
            (Reverse(person.career.games), &entry.name, entry.id)
        });
        people
    }
}

/// Names that belong together, by one of them.
struct NameUnionFind {
    atom_of: Vec<usize>,
    /// The others of an atom, with the reason.
    members: HashMap<usize, Vec<(usize, JoinReason)>>,
}

impl NameUnionFind {
    fn of(&self, name: usize) -> Vec<usize> {
        let first = self.atom_of[name];
        let others = self.members.get(&first).into_iter().flatten();
        let others = others.map(|&(name, _)| name);
        std::iter::once(first).chain(others).collect()
    }

    fn join(&mut self, one: usize, other: usize, why: JoinReason) {
        let (one, other) = (self.atom_of[one], self.atom_of[other]);
        let theirs = self.members.remove(&other).unwrap_or_default();
        for &(name, _) in &theirs {
            self.atom_of[name] = one;
        }
        self.atom_of[other] = one;
        let members = self.members.entry(one).or_default();
        members.push((other, why));
        members.extend(theirs);
    }
}
