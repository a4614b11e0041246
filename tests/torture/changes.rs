//! Changes that are cut off, killed, crowded and watched: the database is as before or as
//! afterwards, the same command does it then, and `undo` takes it back.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use fastrand::Rng;
use plydex::{
    base::{
        observe::{CancellationToken, NullObserver},
        record::GameId,
    },
    changes::{self, ChangeEntry, OptimizeOptions, TagEdit},
    games::{AnyPosition, notation::letters::ENGLISH},
    identity::{DedupeOptions, DedupePolicy},
    import::{DuplicateAction, ImportOptions, import},
    pgn::writer as pgn,
    query::{GameCondition, PositionQuery, Ranges},
    search::{self, AccessPlan, GameConditions, GameReader, Tree},
    store::{NameTable, Store, StoreError},
};

use super::{
    faults::{OFTEN, under_fault},
    signals::send,
    support::{Base, PATIENCE, games, import_with, names_beside, plydex, run, scratch, text, wait},
};

/// What is done.
#[derive(Debug, Clone)]
enum Task {
    Undo(i64),
    Delete(GameId, GameId),
    Edit(GameId, u8),
    Dedupe(DedupePolicy),
    Merge(DuplicateAction),
    Optimize,
    Purge,
    /// One source, or the folder of them.
    Import(DuplicateAction, Option<usize>),
    /// Whether the first two players are the same.
    Names(bool),
}

/// Games to be imported, one file after the other.
const FILES: usize = 3;

const HOWS: [(&str, DuplicateAction); 3] = [
    ("skip", DuplicateAction::Skip),
    ("best", DuplicateAction::Best),
    ("keep", DuplicateAction::Keep),
];

const POLICIES: [(&str, DedupePolicy); 3] = [
    ("best", DedupePolicy::Best),
    ("first", DedupePolicy::First),
    ("last", DedupePolicy::Last),
];

fn word<T: PartialEq>(all: &[(&'static str, T)], value: &T) -> &'static str {
    let named = all.iter().find(|(_, named)| named == value);
    named.expect("a name").0
}

impl Task {
    fn any(rng: &mut Rng, db: &Path) -> Self {
        let seen = Seen::of(db).expect("a database");
        let how = HOWS[rng.usize(0..HOWS.len())].1;
        let game = |rng: &mut Rng| rng.choice(&seen.games).map(|(game, _)| *game);
        match (rng.u8(0..9), game(rng)) {
            (0, Some(first)) => Self::Delete(first, first + rng.u64(0..20)),
            (1, Some(game)) => Self::Edit(game, rng.u8(..)),
            (2, _) => Self::Dedupe(POLICIES[rng.usize(0..POLICIES.len())].1),
            (3, _) => Self::Merge(how),
            (4, _) => Self::Optimize,
            (5, _) => Self::Purge,
            (6, _) => Self::Import(how, Some(rng.usize(0..FILES)).filter(|_| rng.bool())),
            (7, Some(_)) => Self::Names(rng.bool()),
            _ => {
                let open = |change: &&ChangeEntry| change.can_be_undone;
                let open: Vec<i64> = (seen.log.iter().filter(open))
                    .map(|change| change.change)
                    .collect();
                // One that is not there is refused.
                Self::Undo(rng.choice(open).unwrap_or(99))
            }
        }
    }

    /// Whether readers see all of it at once or nothing.
    fn is_one_commit(&self) -> bool {
        !matches!(self, Self::Import(..))
    }

    fn run(&self, db: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
        let store = Store::create_or_open(db, &CancellationToken::default())?;
        match self {
            Self::Undo(change) => {
                changes::undo(&store, *change, scratch().path(), &NullObserver).map(drop)?;
            }
            Self::Delete(first, last) => {
                let query = AccessPlan {
                    conditions: GameConditions::of([GameCondition::Number(Ranges::of(
                        *first, *last,
                    ))]),
                    ..AccessPlan::default()
                };
                changes::delete(&store, &query, "", &NullObserver).map(drop)?;
            }
            Self::Edit(game, value) => {
                let edit = TagEdit {
                    name: "Annotator".into(),
                    value: Some(value.to_string()),
                };
                changes::edit(
                    &store,
                    *game,
                    (&[edit], false),
                    scratch().path(),
                    &NullObserver,
                )
                .map(drop)?;
            }
            Self::Dedupe(policy) => {
                let options = DedupeOptions {
                    policy: *policy,
                    with_parts: true,
                };
                changes::dedupe(&store, options, "", &NullObserver).map(drop)?;
            }
            Self::Merge(how) => {
                let other = Store::open(&folder.join("other.db"), &CancellationToken::default())?;
                changes::merge(&store, &other, *how, &NullObserver).map(drop)?;
            }
            Self::Optimize | Self::Purge => {
                let options = OptimizeOptions {
                    purge: matches!(self, Self::Purge),
                    in_place: matches!(self, Self::Purge),
                };
                changes::optimize(&store, options, &NullObserver).map(drop)?;
            }
            Self::Import(how, file) => {
                let options = ImportOptions {
                    duplicates: *how,
                    ..OFTEN
                };
                import(&store, &[source(folder, *file)], options, &NullObserver).map(drop)?;
            }
            Self::Names(is_same) => {
                let mut names = Vec::new();
                let table = NameTable::Player;
                store.for_each_name(table, |_, name| names.push(name.to_owned()))?;
                let two = [names[0].clone(), names[1].clone()];
                changes::decide(&store, table, &two, *is_same, &NullObserver).map(drop)?;
            }
        }
        Ok(())
    }

    /// The same as arguments.
    fn args(&self, db: &Path, folder: &Path) -> Vec<String> {
        let args: Vec<&str> = match self {
            Self::Undo(change) => return vec!["undo".into(), change.to_string()],
            Self::Delete(first, last) => {
                return ["delete", "--yes", "--games", &format!("{first}-{last}")]
                    .map(String::from)
                    .into();
            }
            Self::Edit(game, value) => {
                let (game, tag) = (game.to_string(), format!("Annotator={value}"));
                return ["edit", &game, "--tag", &tag].map(String::from).into();
            }
            Self::Dedupe(policy) => {
                let keep = word(&POLICIES, policy);
                vec!["dedupe", "--yes", "--parts", "--keep", keep]
            }
            Self::Merge(how) => {
                let other = folder.join("other.db");
                return ["merge", "--duplicates", word(&HOWS, how), text(&other)]
                    .map(String::from)
                    .into();
            }
            Self::Optimize => vec!["optimize"],
            Self::Purge => vec!["optimize", "--purge"],
            Self::Import(how, file) => {
                let source = source(folder, *file);
                let mut args = vec!["import", "--duplicates", word(&HOWS, how), text(&source)];
                if file.is_none() {
                    args.push("--list-missing");
                }
                return args.into_iter().map(String::from).collect();
            }
            Self::Names(is_same) => {
                let store = Store::open(db, &CancellationToken::default()).expect("a database");
                let mut names = Vec::new();
                let all =
                    store.for_each_name(NameTable::Player, |_, name| names.push(name.to_owned()));
                all.expect("names");
                let option = if *is_same { "--same" } else { "--different" };
                names.truncate(2);
                let given = ["players".to_owned(), option.to_owned()].into_iter();
                return given.chain(names).collect();
            }
        };
        args.into_iter().map(String::from).collect()
    }
}

fn source(folder: &Path, file: Option<usize>) -> PathBuf {
    let sources = folder.join("sources");
    file.map_or(sources.clone(), |file| sources.join(format!("{file}.pgn")))
}

/// What is seen of a database that is sound.
#[derive(Debug, PartialEq)]
struct Seen {
    games: Vec<(GameId, String)>,
    tree: Tree,
    log: Vec<ChangeEntry>,
}

impl Seen {
    fn of(db: &Path) -> Result<Self, StoreError> {
        let store = Store::open(db, &CancellationToken::default())?;
        let report = changes::check(&store, &NullObserver)?;
        assert_eq!(report.problems, Vec::<String>::new());
        let mut games = Vec::new();
        let mut reader = GameReader::new(&store);
        for id in search::all_games(&store, &AccessPlan::default())? {
            let mut text = String::new();
            pgn::write(&reader.game(id)?.expect("a game"), &mut text);
            games.push((id, text));
        }
        let position = PositionQuery::of(AnyPosition::initial());
        let tree = search::tree(&store, &position, &GameConditions::default(), ENGLISH)?;
        let mut log = changes::log(&store)?;
        for change in &mut log {
            // When it was and how it was asked for.
            (change.at, change.description) = Default::default();
        }
        Ok(Self { games, tree, log })
    }

    fn has_games_of(&self, other: &Self) -> bool {
        self.games == other.games && self.tree == other.tree
    }
}

/// A database in which much has happened, and what is to be done next.
struct Case {
    folder: tempfile::TempDir,
    base: Base,
    task: Task,
    before: Seen,
    after: Seen,
}

impl Case {
    /// With some of so many games in each file.
    fn new(rng: &mut Rng, most: usize) -> Self {
        let (folder, base) = (scratch(), Base::new());
        fs::create_dir(folder.path().join("sources")).expect("a folder");
        let keep = ImportOptions {
            duplicates: DuplicateAction::Keep,
            ..OFTEN
        };
        let mut write = |path: &Path| {
            let mut text = games(rng.usize(0..most), rng.usize(1..=most));
            if rng.bool() {
                text = text.replace("[Event ", "[Opening \"known\"]\n[Event ");
            }
            fs::write(path, text).expect("a file");
        };
        for (name, db) in [
            ("a.pgn", &base.path),
            ("b.pgn", &base.path),
            ("c.pgn", &folder.path().join("other.db")),
        ] {
            let path = folder.path().join(name);
            write(&path);
            import_with(db, &[path], keep).expect("an import");
        }
        for file in 0..FILES {
            write(&source(folder.path(), Some(file)));
        }
        for _ in 0..rng.usize(0..4) {
            // Some are refused.
            let _ = Task::any(rng, &base.path).run(&base.path, folder.path());
        }
        let before = Seen::of(&base.path).expect("a database");
        let copy = Base::new();
        loop {
            let task = Task::any(rng, &base.path);
            fs::copy(&base.path, &copy.path).expect("a copy");
            if task.run(&copy.path, folder.path()).is_err() {
                continue;
            }
            let after = Seen::of(&copy.path).expect("a database");
            break Self {
                folder,
                base,
                task,
                before,
                after,
            };
        }
    }

    fn copy(&self) -> Base {
        let copy = Base::new();
        fs::copy(&self.base.path, &copy.path).expect("a copy");
        copy
    }

    fn run(&self, db: &Path) -> Result<(), Box<dyn Error>> {
        self.task.run(db, self.folder.path())
    }

    fn args(&self) -> Vec<String> {
        self.task.args(&self.base.path, self.folder.path())
    }

    /// Asserts that the database is as before, or as afterwards; whether it is the latter.
    fn assert_whole(&self, db: &Path) -> bool {
        let found = Seen::of(db).expect("a database");
        if self.task.is_one_commit() {
            let is_after = found == self.after;
            assert!(
                is_after || found == self.before,
                "{:?}: {found:?} is neither {:?} nor {:?}",
                self.task,
                self.before,
                self.after
            );
            return is_after;
        }
        // Of some sources: what has replaced games is as much.
        let least = self.before.games.len().min(self.after.games.len());
        assert!(
            found.games.len() >= least,
            "{:?}: games are lost",
            self.task
        );
        found.has_games_of(&self.after)
    }

    /// Asserts that it is done when asked for again, can be taken back, and nothing is left over.
    fn assert_goes_on(&self, db: &Path) {
        if !self.assert_whole(db) {
            self.run(db).expect("it is done");
            assert!(self.assert_whole(db), "{:?}", self.task);
        }
        let store = Store::create_or_open(db, &CancellationToken::default()).expect("a database");
        let last = changes::log(&store).expect("a log").len();
        for number in (self.before.log.len() + 1..=last).rev() {
            // Each undo may make that of an earlier change possible.
            let log = changes::log(&store).expect("a log");
            let change = &log[number - 1];
            if change.can_be_undone {
                let undone = changes::undo(&store, change.change, scratch().path(), &NullObserver);
                undone.expect("an undo");
            }
        }
        // What a killed writer leaves is taken away by the next.
        drop(store.write_alone(&NullObserver).expect("its turn"));
        drop(store);
        let found = Seen::of(db).expect("a database");
        assert!(
            found.has_games_of(&self.before),
            "{:?}: {found:?} is not {:?}",
            self.task,
            self.before
        );
        assert_eq!(names_beside(db), Vec::<String>::new(), "left over");
    }
}

/// The power goes, or a file fails, while something is changed.
pub(crate) fn change_cut(rng: &mut Rng) {
    let case = Case::new(rng, 12);
    let counted = case.copy();
    let db = &case.base.path;
    let done = under_fault(rng, (&counted.path, db), |db| case.run(db));
    let is_after = case.assert_whole(db);
    match done {
        Ok(()) => assert!(is_after, "{:?}: it said that it was done", case.task),
        Err(error) => assert!(error.to_string().contains("games.db"), "{error}"),
    }
    case.assert_goes_on(db);
}

/// The program is killed, or asked to end, while it changes something, up to three times.
pub(crate) fn change_kill(rng: &mut Rng) {
    let case = Case::new(rng, 60);
    let db = &case.base.path;
    let temporary = case.folder.path().join("temporary");
    fs::create_dir(&temporary).expect("a folder");
    let args = case.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let copy = case.copy();
    let since = Instant::now();
    let ran = run(&mut plydex(&copy.path, &args), PATIENCE);
    let time = since.elapsed();
    assert!(matches!(ran.status, Some(0 | 1)), "{args:?}: {ran:?}");
    assert!(case.assert_whole(&copy.path), "{:?}", case.task);
    for _ in 0..rng.u8(1..=3) {
        let mut command = plydex(db, &args);
        command.env("TMPDIR", &temporary);
        let mut child = command.spawn().expect("it runs");
        sleep(time.mul_f64(rng.f64()) + Duration::from_millis(1));
        let signal = ["-KILL", "-KILL", "-INT", "-TERM"][rng.usize(0..4)];
        send(signal, &child);
        wait(&mut child, PATIENCE, &format!("{args:?}"));
        let left = fs::read_dir(&temporary).expect("a folder").count();
        assert!(signal == "-KILL" || left == 0, "{args:?}: drafts");
        if signal == "-KILL" {
            fs::remove_dir_all(&temporary).expect("a folder");
            fs::create_dir(&temporary).expect("a folder");
        }
        if case.assert_whole(db) {
            break;
        }
    }
    case.assert_goes_on(db);
}

/// Others look while something is changed: what they see is as before or as afterwards, and not
/// as before once it was as afterwards.
pub(crate) fn change_readers(rng: &mut Rng) {
    let case = Case::new(rng, 60);
    let db = &case.base.path;
    let args = case.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let looks: [&[&str]; 3] = [
        &["export"],
        &["tree", "--format", "json"],
        &["search", "--format", "csv", "--limit", "0"],
    ];
    let ask = |db: &Path, args: &[&str]| {
        let ran = run(&mut plydex(db, args), PATIENCE);
        assert!(matches!(ran.status, Some(0 | 1)), "{args:?}: {ran:?}");
        ran.out
    };
    let copy = case.copy();
    let before: Vec<String> = looks.iter().map(|look| ask(&copy.path, look)).collect();
    ask(&copy.path, &args);
    let after: Vec<String> = looks.iter().map(|look| ask(&copy.path, look)).collect();
    let mut child = plydex(db, &args).spawn().expect("it runs");
    let mut is_after = false;
    let since = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        assert!(since.elapsed() < PATIENCE, "{args:?}: no end");
        let nth = rng.usize(0..=looks.len());
        if nth == looks.len() {
            assert_eq!(run(&mut plydex(db, &["check"]), PATIENCE).status, Some(0));
            continue;
        }
        let found = ask(db, looks[nth]);
        if !case.task.is_one_commit() {
            continue;
        }
        assert!(
            found == after[nth] || (found == before[nth] && !is_after),
            "{args:?}: {:?}",
            looks[nth]
        );
        is_after |= found != before[nth];
    }
    assert!(matches!(
        wait(&mut child, PATIENCE, "it").code(),
        Some(0 | 1)
    ));
    assert!(case.assert_whole(db), "{:?}", case.task);
    case.assert_goes_on(db);
}

/// Two programs change something at once: it is as if one had come after the other.
pub(crate) fn changes_at_once(rng: &mut Rng) {
    let case = Case::new(rng, 40);
    let (db, folder) = (&case.base.path, case.folder.path());
    let other = Task::any(rng, db);
    let in_turn = |tasks: [&Task; 2]| {
        let copy = case.copy();
        for task in tasks {
            // What the first has done may be in the way of the second.
            let _ = task.run(&copy.path, folder);
        }
        Seen::of(&copy.path).expect("a database")
    };
    let wanted = [in_turn([&case.task, &other]), in_turn([&other, &case.task])];
    let start = |task: &Task| {
        let args = task.args(db, folder);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        plydex(db, &args).spawn().expect("it runs")
    };
    let mut children = [start(&case.task), start(&other)];
    for child in &mut children {
        let status = wait(child, PATIENCE, "a change");
        assert!(status.code().is_some(), "{status}");
    }
    let found = Seen::of(db).expect("a database");
    assert!(
        wanted.iter().any(|wanted| found.has_games_of(wanted)),
        "{:?} and {other:?}: {found:?} is neither {wanted:?}",
        case.task
    );
    assert_eq!(names_beside(db), Vec::<String>::new(), "left over");
}
