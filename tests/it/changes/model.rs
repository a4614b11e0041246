//! What a naive model says of changes: which games there are after them.

use std::collections::BTreeSet;

use plydex::{identity::DedupePolicy, import::DuplicateAction};

/// Games that there are, by their first moves.
pub(super) const PAWNS: [&str; 6] = ["a3", "b3", "c3", "d3", "e3", "g3"];

/// A game as it stands in a file: which one it is, and whether it has a comment.
pub(super) type Entry = (usize, bool);

/// A record of a game.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) game: usize,
    pub(super) has_comment: bool,
    pub(super) note: Option<u8>,
    /// The change that brought it.
    pub(super) brought_by: usize,
    pub(super) is_given_up: bool,
}

impl Known {
    pub(super) fn wealth(&self) -> (bool, bool) {
        (self.has_comment, self.note.is_some())
    }
}

/// What a game of a source is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    record: usize,
    /// Whether the source has brought it.
    is_own: bool,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    /// What the games of a source are, and the text that it has.
    Import(Vec<Taken>, Option<usize>),
    /// The same of a source that was read again, and the change whose source it replaces.
    Reread(Vec<Taken>, usize, usize),
    Remove,
    Edit(usize, Option<u8>, Option<u8>),
    Undo(usize),
    Purge,
}

/// What a change is to the records that it has removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Delete,
    /// It has brought games, or did so until they were read again.
    Import,
    Other,
}

/// What has become of a record; of several the first counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    /// It is there, or one that stands for it.
    There,
    /// That change has deleted it.
    Deleted(usize),
    Gone,
}

#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) what: What,
    /// Records that it has removed, and those that stand for them.
    pub(super) removed: Vec<(usize, Option<usize>)>,
    pub(super) role: Role,
    pub(super) is_done: bool,
    pub(super) is_final: bool,
}

impl Change {
    /// What the games of its source are.
    fn taken(&self) -> &[Taken] {
        match &self.what {
            What::Import(taken, _) | What::Reread(taken, ..) => taken,
            _ => &[],
        }
    }
}

/// What there is; records and changes by their numbers, from 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Model {
    pub(super) records: Vec<Known>,
    pub(super) changes: Vec<Change>,
    /// The import that an undo has made to stand again.
    pub(super) redone: Option<usize>,
}

impl Model {
    pub(super) fn change(&mut self, what: What) -> usize {
        let role = match what {
            What::Import(..) => Role::Import,
            _ => Role::Other,
        };
        self.changes.push(Change {
            what,
            removed: Vec::new(),
            role,
            is_done: true,
            is_final: false,
        });
        self.changes.len()
    }

    pub(super) fn standing(&self) -> impl Iterator<Item = (usize, &Change)> {
        let numbered = (1..).zip(&self.changes);
        numbered.filter(|(_, change)| change.is_done)
    }

    /// Whether a reread that stands has replaced the source of a change.
    pub(super) fn is_replaced(&self, change: usize) -> bool {
        (self.standing())
            .any(|(_, its)| matches!(its.what, What::Reread(.., before) if before == change))
    }

    /// Whether a source has a record that stands, or a record that it stands for.
    pub(super) fn is_held(&self, record: usize, depth: usize) -> bool {
        let has = |(number, change): (usize, &Change)| {
            let its = self.records[record - 1].brought_by == number
                || change
                    .taken()
                    .iter()
                    .any(|taken| taken.record == record && !taken.is_own);
            its && !self.is_replaced(number)
        };
        self.standing().any(has)
            || depth > 0
                && self.standing().any(|(_, change)| {
                    let stands_for = |&(gone, kept): &(usize, Option<usize>)| {
                        kept == Some(record) && self.is_held(gone, depth - 1)
                    };
                    change.removed.iter().any(stands_for)
                })
    }

    pub(super) fn first_to_remove(
        &self,
        record: usize,
        is_one: impl Fn(&Change) -> bool,
    ) -> Option<usize> {
        (self.standing())
            .filter(|(_, change)| is_one(change))
            .filter(|(_, change)| change.removed.iter().any(|(gone, _)| *gone == record))
            .map(|(number, _)| number)
            .min()
    }

    pub(super) fn deleted_by(&self, record: usize) -> Option<usize> {
        self.first_to_remove(record, |change| change.role == Role::Delete)
    }

    pub(super) fn fate(&self, record: usize, seen: &mut Vec<usize>) -> Fate {
        seen.push(record);
        let mut fate = Fate::Gone;
        let stand = |its: &&Change| its.is_done || its.role == Role::Import;
        for change in self.changes.iter().filter(stand) {
            for &(gone, kept) in &change.removed {
                if let Some(kept) = kept.filter(|kept| gone == record && !seen.contains(kept)) {
                    fate = fate.min(self.fate(kept, seen));
                }
            }
        }
        let is_removed = self.first_to_remove(record, |_| true).is_some();
        match (fate, self.deleted_by(record)) {
            (Fate::Gone, Some(change)) => Fate::Deleted(change),
            (Fate::Gone, None) if !is_removed && self.is_held(record, self.records.len()) => {
                Fate::There
            }
            _ => fate,
        }
    }

    /// The change that has removed a record, where an import that was undone did: what it put in
    /// its place is there all the same, for another source has it.
    pub(super) fn replaced_by(&self, record: usize) -> Option<usize> {
        let mut by = Vec::new();
        for (number, change) in (1..).zip(&self.changes) {
            let is_undone = change.role == Role::Import && !change.is_done;
            for &(gone, kept) in change.removed.iter().filter(|_| is_undone) {
                let Some(kept) = kept.filter(|_| gone == record) else {
                    continue;
                };
                match self.fate(kept, &mut vec![record]) {
                    Fate::There => by.push(number),
                    Fate::Deleted(change) => by.push(change),
                    Fate::Gone => {}
                }
            }
        }
        by.into_iter().min()
    }

    /// Whether a record is not to be stored again.
    pub(super) fn is_deleted(&self, record: usize) -> bool {
        let is_delete = |change: usize| self.changes[change - 1].role == Role::Delete;
        self.deleted_by(record).is_some() || self.removed_by(record).is_some_and(is_delete)
    }

    /// The last change that has made a change stand or not.
    pub(super) fn last_set(&self, change: usize) -> usize {
        let mut last = change;
        for (number, undo) in (1..).zip(&self.changes) {
            let mut what = &undo.what;
            while let What::Undo(undone) = what {
                if *undone == change {
                    last = number;
                }
                what = &self.changes[undone - 1].what;
            }
        }
        last
    }

    /// The change that has removed a record.
    pub(super) fn removed_by(&self, record: usize) -> Option<usize> {
        let by_change = self.first_to_remove(record, |_| true);
        let brought_by = self.records[record - 1].brought_by;
        let undone = (!self.is_held(record, self.records.len())).then(|| {
            let undoing = self.standing().filter(
                |(_, change)| matches!(change.what, What::Undo(undone) if undone == brought_by),
            );
            undoing
                .map(|(number, _)| number)
                .max()
                .unwrap_or(brought_by)
        });
        let replaced = self.replaced_by(record);
        by_change.or(replaced).or(undone)
    }

    pub(super) fn visible(&self) -> Vec<usize> {
        let all = 1..=self.records.len();
        all.filter(|&record| self.removed_by(record).is_none())
            .collect()
    }

    /// The record that an entry is, if one is known: equal in all if there is such a one.
    pub(super) fn find(&self, (game, has_comment): Entry, but: &BTreeSet<usize>) -> Option<usize> {
        let is_known = |&record: &usize| {
            let known = &self.records[record - 1];
            let is_there = self.removed_by(record).is_none() || self.is_deleted(record);
            known.game == game && !known.is_given_up && is_there && !but.contains(&record)
        };
        let is_equal = |record: &usize| {
            let known = &self.records[*record - 1];
            known.has_comment == has_comment && known.note.is_none()
        };
        let known: Vec<usize> = (1..=self.records.len()).filter(is_known).collect();
        (known.iter().copied().find(is_equal)).or(known.first().copied())
    }

    /// Whether a text is known.
    pub(super) fn is_read(&self, text: Option<usize>) -> bool {
        text.is_some_and(|text| self.reading_of(text).is_some())
    }

    /// The import of a text, or the last time that it was read again.
    pub(super) fn reading_of(&self, text: usize) -> Option<usize> {
        let reads = |(number, change): &(usize, &Change)| match change.what {
            What::Import(_, own) => own == Some(text) && !self.is_replaced(*number),
            What::Reread(_, own, _) => own == text && !self.is_replaced(*number),
            _ => false,
        };
        self.standing().find(reads).map(|(number, _)| number)
    }

    /// The records that the source of a change has brought, or has of those before it.
    fn own(&self, change: usize) -> BTreeSet<usize> {
        let its = &self.changes[change - 1];
        let before = match its.what {
            What::Reread(.., before) => self.own(before),
            _ => BTreeSet::new(),
        };
        let own = its.taken().iter();
        let own = own.filter(|taken| taken.is_own || before.contains(&taken.record));
        own.map(|taken| taken.record).collect()
    }

    pub(super) fn is_edited(&self, record: usize) -> bool {
        self.standing()
            .any(|(_, change)| matches!(change.what, What::Edit(of, ..) if of == record))
    }

    /// Whether the records that a source has are as it has brought them.
    pub(super) fn is_untouched(&self, change: usize) -> bool {
        self.own(change).into_iter().all(|record| {
            self.removed_by(record).is_none_or(|by| by == change) && !self.is_edited(record)
        })
    }

    /// A text is read again, and reads as before: what it has brought stays, and the rest is
    /// searched for once more.
    pub(super) fn reread(&mut self, entries: &[Entry], text: usize) {
        let Some(before) = self.reading_of(text) else {
            return;
        };
        let own = self.own(before);
        let taken = self.changes[before - 1].taken().to_vec();
        let known = self.clone();
        let change = self.change(What::Reread(Vec::new(), text, before));
        for (&entry, was) in entries.iter().zip(taken) {
            let is_same = own.contains(&was.record) && known.removed_by(was.record).is_none();
            let record = if is_same {
                Some(was.record)
            } else {
                let mut seen = known.clone();
                seen.records
                    .extend_from_slice(&self.records[known.records.len()..]);
                // What is replaced counts until all is read.
                seen.change(What::Import(Vec::new(), None));
                seen.find(entry, &BTreeSet::new())
            };
            let taken = Taken {
                record: record.unwrap_or(self.records.len() + 1),
                is_own: record.is_none(),
            };
            if taken.is_own {
                self.records.push(Known {
                    game: entry.0,
                    has_comment: entry.1,
                    note: None,
                    brought_by: change,
                    is_given_up: false,
                });
            }
            if let What::Reread(all, ..) = &mut self.changes[change - 1].what {
                all.push(taken);
            }
        }
    }

    /// Takes in what a file or another database has.
    pub(super) fn take(&mut self, entries: &[Entry], how: DuplicateAction, text: Option<usize>) {
        if self.is_read(text) {
            return;
        }
        // What is known does not change while it is read, but for what is read.
        let before = self.clone();
        let change = self.change(What::Import(Vec::new(), text));
        let mut replaced = BTreeSet::new();
        for &entry in entries {
            let mut seen = before.clone();
            seen.records
                .extend_from_slice(&self.records[before.records.len()..]);
            seen.changes.push(self.changes[change - 1].clone());
            seen.changes[change - 1].removed.clear();
            let found = match how {
                DuplicateAction::Keep => None,
                _ => seen.find(entry, &replaced),
            };
            let new = Known {
                game: entry.0,
                has_comment: entry.1,
                note: None,
                brought_by: change,
                is_given_up: false,
            };
            if let Some(found) = found {
                let stays = seen.removed_by(found).is_some() || seen.is_edited(found);
                let is_poorer = new.wealth() > self.records[found - 1].wealth();
                if how != DuplicateAction::Best || stays || !is_poorer {
                    if let What::Import(all, _) = &mut self.changes[change - 1].what {
                        all.push(Taken {
                            record: found,
                            is_own: false,
                        });
                    }
                    continue;
                }
                replaced.insert(found);
                let kept = Some(self.records.len() + 1);
                self.changes[change - 1].removed.push((found, kept));
            }
            self.records.push(new);
            let record = self.records.len();
            if let What::Import(all, _) = &mut self.changes[change - 1].what {
                all.push(Taken {
                    record,
                    is_own: true,
                });
            }
        }
    }

    pub(super) fn dedupe(&mut self, policy: DedupePolicy) {
        let visible = self.visible();
        let mut removed = Vec::new();
        for game in 0..PAWNS.len() {
            let same = visible
                .iter()
                .copied()
                .filter(|record| self.records[record - 1].game == game);
            let same: Vec<usize> = same.collect();
            let wealth = |record: &&usize| {
                let its = self.records[**record - 1].wealth();
                (self.is_edited(**record), its)
            };
            let kept = match policy {
                DedupePolicy::Best => same.iter().rev().max_by_key(wealth),
                DedupePolicy::First => same.first(),
                DedupePolicy::Last => same.last(),
            };
            let Some(&kept) = kept else { continue };
            let stays = |record| policy == DedupePolicy::Best && self.is_edited(record);
            let others = same.into_iter();
            let others = others.filter(|&record| record != kept && !stays(record));
            removed.extend(others.map(|record| (record, Some(kept))));
        }
        if !removed.is_empty() {
            let change = self.change(What::Remove);
            self.changes[change - 1].removed = removed;
        }
    }

    /// Makes a change stand, or not; whether that is possible.
    pub(super) fn set(&mut self, change: usize, is_done: bool) -> bool {
        let its = self.changes[change - 1].clone();
        if its.is_final {
            return false;
        }
        match its.what {
            What::Import(_, text) if is_done && !self.is_replaced(change) && self.is_read(text) => {
                return false;
            }
            // The text is that of the source before, or of this one.
            What::Reread(_, text, before)
                if self
                    .reading_of(text)
                    .is_some_and(|reading| reading != if is_done { before } else { change }) =>
            {
                return false;
            }
            What::Reread(..) => self.redone = Some(change),
            What::Edit(record, before, after) => {
                let (from, to) = if is_done {
                    (before, after)
                } else {
                    (after, before)
                };
                if self.records[record - 1].note != from {
                    return false;
                }
                self.records[record - 1].note = to;
            }
            // Another change may have undone it, or not, meanwhile.
            What::Undo(undone) if self.changes[undone - 1].is_done != is_done => return false,
            What::Undo(undone) if !self.set(undone, !is_done) => return false,
            What::Import(..) if is_done => self.redone = Some(change),
            _ => {}
        }
        self.changes[change - 1].is_done = is_done;
        true
    }

    pub(super) fn undo(&mut self, change: usize) -> bool {
        let is_there = change >= 1 && change <= self.changes.len();
        if !is_there || !self.changes[change - 1].is_done {
            return false;
        }
        let mut tried = self.clone();
        tried.redone = None;
        if !tried.set(change, false) || tried.has_come_since(self) || tried.has_deleted_there(self)
        {
            return false;
        }
        tried.change(What::Undo(change));
        *self = tried;
        true
    }

    /// Whether an import that stands again brings back a game that came otherwise since it was
    /// undone.
    pub(super) fn has_come_since(&self, before: &Self) -> bool {
        let Some(redone) = self.redone else {
            return false;
        };
        let undone = before.last_set(redone);
        let (there, was_there) = (self.visible(), before.visible());
        let returned = there.iter().filter(|record| !was_there.contains(record));
        let mut returned = returned.map(|record| self.records[record - 1].game);
        returned.any(|game| {
            (1..=self.records.len()).any(|record| {
                let known = &self.records[record - 1];
                let is_there = was_there.contains(&record) && there.contains(&record)
                    || self.is_deleted(record);
                known.game == game
                    && !known.is_given_up
                    && is_there
                    && known.brought_by != redone
                    && before.last_set(known.brought_by) > undone
            })
        })
    }

    /// Whether a change that stands again leaves a record there in the place of a deleted one.
    pub(super) fn has_deleted_there(&self, before: &Self) -> bool {
        let is_new = |change: usize| !before.changes[change - 1].is_done;
        let visible = self.visible();
        let deletions = self
            .standing()
            .filter(|(_, change)| change.role == Role::Delete);
        let mut deleted = deletions.flat_map(|(number, change)| {
            let records = change.removed.iter();
            records.map(move |(record, _)| (*record, is_new(number)))
        });
        deleted.any(|(record, is_new_here)| {
            let mut heirs = vec![(record, is_new_here)];
            let mut at = 0;
            while let Some(&(record, is_new_here)) = heirs.get(at) {
                at += 1;
                for (number, change) in self.standing() {
                    let replaces = change.role == Role::Import;
                    for &(gone, kept) in change.removed.iter().filter(|_| replaces) {
                        let heir = kept.filter(|_| gone == record);
                        heirs.extend(heir.map(|heir| (heir, is_new_here || is_new(number))));
                    }
                }
            }
            let mut heirs = heirs[1..].iter();
            heirs.any(|(heir, is_new)| *is_new && visible.contains(heir))
        })
    }

    pub(super) fn purge(&mut self) {
        let gone: Vec<usize> = (1..=self.records.len())
            .filter(|&record| self.removed_by(record).is_some())
            .filter(|&record| !self.records[record - 1].is_given_up)
            .collect();
        if gone.is_empty() {
            return;
        }
        let change = self.change(What::Purge);
        for record in gone {
            self.records[record - 1].is_given_up = true;
            self.changes[change - 1].removed.push((record, None));
        }
        for change in &mut self.changes {
            change.is_final = true;
        }
    }

    /// What is to be seen: numbers, games, comments and notes.
    pub(super) fn shown(&self) -> Vec<String> {
        let visible = self.visible().into_iter();
        let shown = visible.map(|record| {
            let known = &self.records[record - 1];
            let comment = if known.has_comment { " {comment}" } else { "" };
            let note = known
                .note
                .map_or(String::new(), |note| format!(" note {note}"));
            format!("{record}: {}{comment}{note}", PAWNS[known.game])
        });
        shown.collect()
    }
}
