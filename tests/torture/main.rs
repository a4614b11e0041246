//! Torture: a database is killed, cut off from its power, crowded, interrupted, filled
//! up and damaged, at random moments. What must hold then is in docs/reliability.md.
//!
//! Each kind of torture is a function that makes one try of a seed and panics if
//! something does not hold. The suite makes a few of each; `just torture MINUTES` goes on
//! for as long as is wanted and prints a table. A try that did not hold is repeated with
//! what it says: `PLYDEX_TORTURE_SEED=… PLYDEX_TORTURE_TRIES=1 cargo test --test torture KIND`.

mod archives;
mod bombs;
mod changes;
mod damage;
mod disk;
mod faults;
mod kills;
mod leftovers;
mod rereads;
mod restores;
mod signals;
mod support;
#[path = "../common/signals.rs"]
mod terminal;
mod together;
#[expect(unsafe_code, reason = "SQLite's file layer is a table of C functions")]
mod vfs;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Mutex,
    time::{Duration, Instant},
};

use fastrand::Rng;

/// A kind of torture.
struct Kind {
    name: &'static str,
    /// Makes one try.
    once: fn(&mut Rng),
    /// Tries in the suite.
    tries: u64,
}

/// One test for each kind, and the list of them.
macro_rules! kinds {
    ($($name:ident: $once:path, $tries:literal;)*) => {
        const KINDS: &[Kind] = &[$(Kind {
            name: stringify!($name),
            once: $once,
            tries: $tries,
        }),*];

        $(#[test]
        fn $name() {
            in_suite(stringify!($name));
        })*
    };
}

kinds! {
    power_cut: faults::power_cut, 60;
    reindex_cut: faults::reindex_cut, 40;
    reread_cut: rereads::reread_cut, 40;
    change_cut: changes::change_cut, 60;
    failing_file: faults::failing_file, 60;
    failing_answer: faults::failing_answer, 40;
    kill: kills::kill, 6;
    foreign_log: restores::foreign_log, 6;
    restore_kill: restores::restore_kill, 4;
    left_by_kill: leftovers::left_by_kill, 4;
    first_import: leftovers::first_import, 6;
    reread_kill: rereads::reread_kill, 4;
    change_kill: changes::change_kill, 6;
    change_readers: changes::change_readers, 4;
    changes_at_once: changes::changes_at_once, 4;
    importers: together::importers, 2;
    held_export: together::held_export, 2;
    backups: together::backups, 1;
    signal: signals::signal, 12;
    damage: damage::damage, 60;
    bombs: bombs::bomb_once, 4;
    archive_bombs: bombs::archive_bomb, 4;
    spoiled_member: archives::spoiled_member, 30;
    cut_archive: archives::cut_archive, 30;
}

/// A number from the environment.
fn asked(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name}={text}: a number is wanted")),
    )
}

/// Makes one try; why it did not hold, if so.
fn attempt(kind: &Kind, seed: u64) -> Result<(), String> {
    // Before anybody opens a database: plydex puts its own layer on the usual one of then.
    vfs::install();
    let caught = catch_unwind(AssertUnwindSafe(|| (kind.once)(&mut Rng::with_seed(seed))));
    caught.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!(
            "{name} did not hold: {}\nrepeat it: PLYDEX_TORTURE_SEED={seed} PLYDEX_TORTURE_TRIES=1 \
             cargo test --test torture {name}",
            text.unwrap_or("panicked"),
            name = kind.name,
        )
    })
}

fn in_suite(name: &str) {
    let kind = KINDS.iter().find(|kind| kind.name == name).expect("a kind");
    let first = asked("PLYDEX_TORTURE_SEED").unwrap_or(1);
    let tries = asked("PLYDEX_TORTURE_TRIES").unwrap_or(kind.tries);
    for seed in first..first + tries {
        attempt(kind, seed).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// What has come of a kind so far.
#[derive(Default, Clone)]
struct Tally {
    tries: u64,
    spent: Duration,
    not_held: Vec<String>,
}

/// Tortures for `PLYDEX_TORTURE_SECONDS`, each kind (of `PLYDEX_TORTURE_KINDS`) for the
/// same time, and prints a table.
#[test]
#[ignore = "takes as long as it is told to: `just torture MINUTES`"]
fn for_as_long_as_asked() {
    let Some(seconds) = asked("PLYDEX_TORTURE_SECONDS") else {
        return;
    };
    let seed = asked("PLYDEX_TORTURE_SEED").unwrap_or_else(|| Rng::new().u64(0..1 << 40));
    let end = Instant::now() + Duration::from_secs(seconds);
    let wanted = std::env::var("PLYDEX_TORTURE_KINDS").unwrap_or_default();
    let is_wanted =
        |kind: &&Kind| wanted.is_empty() || wanted.split(' ').any(|name| name == kind.name);
    let kinds: Vec<&Kind> = KINDS.iter().filter(is_wanted).collect();
    let names = kinds.iter().map(|kind| (kind.name, Tally::default()));
    let tallies: Mutex<BTreeMap<&str, Tally>> = Mutex::new(names.collect());
    let told = |text: &str| {
        let _ = writeln!(std::io::stderr(), "{text}");
    };
    told(&format!("seed {seed}, {seconds} seconds"));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while Instant::now() < end {
                    let (kind, number) = {
                        let mut tallies = tallies.lock().expect("tallies");
                        let least = |kind: &&&Kind| {
                            let tally = &tallies[kind.name];
                            (tally.spent, tally.tries)
                        };
                        let kind = *kinds.iter().min_by_key(least).expect("a kind");
                        let tally = tallies.get_mut(kind.name).expect("a tally");
                        tally.tries += 1;
                        // Until it is known: the other thread takes another kind.
                        tally.spent += Duration::from_millis(50);
                        (kind, tally.tries)
                    };
                    let since = Instant::now();
                    let held = attempt(kind, seed + number);
                    let mut tallies = tallies.lock().expect("tallies");
                    let tally = tallies.get_mut(kind.name).expect("a tally");
                    tally.spent += since.elapsed().saturating_sub(Duration::from_millis(50));
                    if let Err(why) = held {
                        told(&why);
                        tally.not_held.push(why);
                    }
                }
            });
        }
    });
    let tallies = tallies.into_inner().expect("tallies");
    let mut table = String::from("\nkind                tries      held   seconds\n");
    for (name, tally) in &tallies {
        let held = tally.tries - tally.not_held.len() as u64;
        let seconds = tally.spent.as_secs();
        let _ = writeln!(
            table,
            "{name:<16} {:>8}  {held:>8}  {seconds:>8}",
            tally.tries
        );
    }
    told(&table);
    let not_held: usize = tallies.values().map(|tally| tally.not_held.len()).sum();
    assert_eq!(
        not_held, 0,
        "tries that did not hold; each says above how to repeat it"
    );
}
