//! When two records are one problem, however their texts are spaced and wrapped.

use super::{Composition, StoredProblem};
use crate::{games::variation_tree::respaced, pgn::tags::date};

impl StoredProblem {
    /// What distinguishes a problem from others, of its stored record: position, stipulation with
    /// conditions and twins, authors and solution.
    #[must_use]
    pub fn told(record: &[u8]) -> Option<Vec<u8>> {
        Self::read(record).map(|filed| filed.problem.told())
    }
}

impl Composition {
    /// What distinguishes it from others, as bytes that have no other use.
    fn told(&self) -> Vec<u8> {
        let telling = Self {
            authors: self.authors.clone(),
            stipulation: self.stipulation.clone(),
            conditions: self.conditions.clone(),
            twins: self.twins.clone(),
            diagram: self.diagram.clone(),
            unread_diagram: self.unread_diagram.clone(),
            target: self.target.clone(),
            solution: self.solution.clone(),
            ..Self::default()
        };
        let problem = StoredProblem {
            problem: telling.respaced(),
            source: None,
        };
        problem.write()
    }

    /// Its texts with one blank for each run of white space.
    fn respaced(mut self) -> Self {
        for text in self.texts_mut() {
            *text = respaced(text);
        }
        self
    }

    fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let lists = [
            &mut self.authors,
            &mut self.conditions,
            &mut self.options,
            &mut self.keywords,
            &mut self.comments,
        ];
        let pairs = self.twins.iter_mut().chain(&mut self.extra);
        let single = [
            &mut self.source,
            &mut self.volume,
            &mut self.issue,
            &mut self.number,
            &mut self.title,
            &mut self.award,
            &mut self.stipulation,
            &mut self.solutions,
            &mut self.unread_diagram,
            &mut self.solution,
        ];
        let pairs = pairs.flat_map(|(name, value)| [name, value]);
        single
            .into_iter()
            .chain(pairs)
            .chain(lists.into_iter().flatten())
    }

    /// Whether another record is of the same problem: the same distinguishes it from others, and
    /// what both say besides does not contradict.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let (one, other) = (self.clone().respaced(), other.clone().respaced());
        let texts = |its: &Self| {
            [
                &its.source,
                &its.volume,
                &its.issue,
                &its.number,
                &its.title,
                &its.award,
                &its.solutions,
            ]
            .map(Clone::clone)
        };
        let agree =
            |(one, other): (String, String)| one.is_empty() || other.is_empty() || one == other;
        let lists = |its: &Self| [&its.options, &its.keywords, &its.comments].map(Clone::clone);
        let lists_agree = |(one, other): (Vec<String>, Vec<String>)| {
            one.is_empty() || other.is_empty() || one == other
        };
        let is_told = |(name, value): &(String, String)| {
            let mut named = other.extra.iter().filter(|(its, _)| its == name).peekable();
            named.peek().is_none() || named.any(|(_, its)| its == value)
        };
        one.told() == other.told()
            && texts(&one).into_iter().zip(texts(&other)).all(agree)
            && lists(&one).into_iter().zip(lists(&other)).all(lists_agree)
            && one.extra.iter().all(is_told)
            && dates_agree(&one.date, &other.date)
    }
}

/// Whether two dates can be one.
fn dates_agree(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| date::parse(text.as_bytes()).0);
    let agree = |one: u16, other: u16| one == 0 || other == 0 || one == other;
    agree(one.year, other.year)
        && agree(one.month.into(), other.month.into())
        && agree(one.day.into(), other.day.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_what_one_does_not_say_do_not_count() {
        let problem = Composition {
            authors: vec!["Sample, Sam".into()],
            stipulation: "#2".into(),
            date: "2026.11.??".into(),
            solution: "1.Kg3!\r\n 1...Kg1 2.Ra1#".into(),
            comments: vec!["two\nlines".into()],
            ..Composition::default()
        };
        let with = |change: &dyn Fn(&mut Composition)| {
            let mut other = problem.clone();
            change(&mut other);
            assert_eq!(problem.is_same(&other), other.is_same(&problem));
            problem.is_same(&other)
        };
        assert!(with(&|its| its.solution = "1.Kg3! 1...Kg1\n2.Ra1#".into()));
        assert!(with(&|its| its.comments = vec!["two lines".into()]));
        assert!(with(&|its| its.comments.clear()));
        assert!(with(&|its| its.source = "Samples".into()));
        assert!(with(&|its| its.date = "2026".into()));
        assert!(!with(&|its| its.date = "2025".into()));
        assert!(!with(&|its| its.solution.clear()));
        assert!(!with(&|its| its.stipulation = "#3".into()));
        assert!(!with(&|its| its.authors.clear()));
        assert!(!with(&|its| its.conditions.push("Circe".into())));
        assert!(!with(&|its| its.comments = vec!["others".into()]));
    }
}
