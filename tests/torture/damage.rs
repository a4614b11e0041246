//! Databases in which bytes have changed or gone: answers may be errors or wrong, but
//! there is one, and soon.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    sync::mpsc,
    thread,
};

use fastrand::Rng;
use plydex::{
    base::observe::{CancellationToken, NullObserver},
    changes,
    games::{
        notation::letters::ENGLISH,
        position_input::{self, ExpectedVariants},
    },
    import::ImportOptions,
    query::PositionQuery,
    search::{self, AccessPlan, GameConditions, GameReader, MoveNotation},
    store::Store,
};

use super::support::{Archive, PATIENCE, Sources, import_with};

fn sources() -> Sources {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    Sources::new(ARCHIVE.get_or_init(|| Archive::of(&[20, 8, 3])))
}

/// Does some harm to the bytes of a database.
fn harm(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const PAGE: usize = 4096;
    match rng.u8(0..6) {
        0 => bytes.truncate(rng.usize(0..bytes.len())),
        1 => bytes.truncate(rng.usize(0..bytes.len() / PAGE) * PAGE),
        2 => {
            let page = rng.usize(0..bytes.len() / PAGE) * PAGE;
            bytes[page..page + PAGE].fill(0);
        }
        3 => {
            let (from, to) = (
                rng.usize(0..bytes.len() / PAGE),
                rng.usize(0..bytes.len() / PAGE),
            );
            bytes.copy_within(from * PAGE..(from + 1) * PAGE, to * PAGE);
        }
        _ => {
            // Here and there, or close together.
            let around = rng.usize(0..bytes.len());
            let spread = 1 << rng.u8(4..21);
            for _ in 0..rng.usize(1..20) {
                let at = (around + rng.usize(0..spread)) % bytes.len();
                bytes[at] = rng.u8(..);
            }
        }
    }
}

/// Asks almost everything, then imports.
fn use_it(db: &Path, paths: &[PathBuf]) {
    if let Ok(store) = Store::open(db, &CancellationToken::default()) {
        for line in ["startpos", "e4 e5", "d4 Nf6 c4"] {
            let position = position_input::read_position(line, &ExpectedVariants::default())
                .expect("a position")
                .at;
            let position = PositionQuery::of(position);
            let _ = search::tree(&store, &position, &GameConditions::default(), ENGLISH);
            let query = AccessPlan {
                position: Some(position),
                ..AccessPlan::default()
            };
            let _ = search::search(&store, &query, MoveNotation::default());
        }
        let _ = search::count(&store, &AccessPlan::default());
        let mut games = GameReader::new(&store);
        for id in 1..=25 {
            let _ = games.game(id);
            let _ = games.board_at(id, None);
        }
        let _ = changes::check(&store, &NullObserver);
    }
    let _ = import_with(db, paths, ImportOptions::default());
}

/// A damaged database is asked and imported into.
pub(crate) fn damage(rng: &mut Rng) {
    let sources = sources();
    let base = sources.base(2);
    let db = base.path.clone();
    let mut bytes = fs::read(&db).expect("a database");
    for _ in 0..rng.u8(1..3) {
        if !bytes.is_empty() && bytes.len() > 4096 {
            harm(&mut bytes, rng);
        }
    }
    fs::write(&db, &bytes).expect("a database");
    if rng.u8(0..8) == 0 {
        // What claims to be a journal of it.
        let mut name = db.clone().into_os_string();
        name.push(["-journal", "-wal"][rng.usize(0..2)]);
        let mut journal = bytes[..bytes.len().min(20_000)].to_vec();
        journal.splice(..journal.len().min(8), *b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7");
        fs::write(name, journal).expect("a journal");
    }
    let (done, ended) = mpsc::channel();
    let paths = sources.paths.clone();
    let asked = thread::spawn(move || {
        use_it(&db, &paths);
        let _ = done.send(());
    });
    let ended = ended.recv_timeout(PATIENCE);
    let is_late = ended == Err(mpsc::RecvTimeoutError::Timeout);
    assert!(!is_late, "no end after {PATIENCE:?}");
    if let Err(panic) = asked.join() {
        std::panic::resume_unwind(panic);
    }
}
