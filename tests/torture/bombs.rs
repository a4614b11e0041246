//! Sources that are small on disk and large within, read under a limit of memory.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
    process::Command,
    time::Duration,
};

use fastrand::Rng;
use flate2::{Compression, write::GzEncoder};

use super::{
    archives::{ARCHIVES, archive_of, compressed, zip_of},
    support::{Base, Ran, games, plydex, run, scratch, sound, text},
};

/// Memory that an import may take, in KiB.
const LIMIT_KIB: u32 = 1 << 20;
/// A large source takes its time.
const LONG: Duration = Duration::from_mins(5);

/// A source that is much of one thing.
struct Bomb {
    name: &'static str,
    before: &'static str,
    /// Again and again.
    filling: &'static str,
    after: &'static str,
    /// Up to which size in MiB it must be read within the limit.
    mib_max: usize,
}

const fn bomb(name: &'static str, before: &'static str, filling: &'static str) -> Bomb {
    Bomb {
        name,
        before,
        filling,
        after: "",
        mib_max: 32,
    }
}

const BOMBS: &[Bomb] = &[
    bomb("nothing", "", "\0"),
    bomb("blanks", "1. e4 *\n\n", " \n"),
    bomb("one line", "", "e"),
    bomb("a word of a game", "1. e4 ", "x"),
    bomb("a comment", "1. e4 {", "long "),
    bomb("a tag value", "[Event \"", "long "),
    bomb("tags", "", "[A \"b\"]\n"),
    bomb("a game", "", "Nf3 Nf6 Ng1 Ng8 "),
    bomb("illegal moves", "1. e4 e5 ", "Ke7 "),
    bomb("variations", "1. e4 e5 ", "(1... c5) "),
    bomb("nested variations", "1. e4 e5 ", "("),
    bomb("annotations", "1. e4 ", "$1 "),
    bomb("results", "", "* "),
    bomb("draughts", "[GameType \"20\"]\n1. 32-28 ", "19-23 28x19 "),
    bomb("brackets", "", "["),
    bomb("JSON", "[", "{\"fen\":\"8/8/8/8/8/8/8/K1k5 w - -\"},"),
];

impl Bomb {
    fn write(&self, path: &Path, bytes: usize) -> io::Result<()> {
        let file = File::create(path)?;
        let packed: Box<dyn Write> = if path.extension().is_some_and(|ending| ending == "gz") {
            Box::new(GzEncoder::new(file, Compression::fast()))
        } else {
            Box::new(zstd::Encoder::new(file, 1)?.auto_finish())
        };
        let mut out = BufWriter::with_capacity(1 << 16, packed);
        out.write_all(self.before.as_bytes())?;
        let filling = self.filling.repeat((1 << 16) / self.filling.len());
        let mut written = 0;
        while written < bytes {
            out.write_all(filling.as_bytes())?;
            written += filling.len();
        }
        out.write_all(self.after.as_bytes())?;
        out.flush()
    }
}

/// Runs the program with so much memory and no more.
fn limited(db: &Path, args: &[&str]) -> Ran {
    let program = plydex(db, args);
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {LIMIT_KIB}; exec \"$0\" \"$@\""))
        .arg(program.get_program())
        .args(program.get_args());
    let ran = run(&mut command, LONG);
    assert!(matches!(ran.status, Some(0..=2)), "{args:?}: {ran:?}");
    ran
}

/// How large a source is that could be of so many MiB.
fn mib_of(mib_max: usize) -> usize {
    let in_suite = std::env::var_os("PLYDEX_TORTURE_SECONDS").is_none();
    if in_suite { 4 } else { mib_max }
}

/// A source is read within the limit, stored or refused; so is what it has left.
pub(crate) fn bomb_once(rng: &mut Rng) {
    let bomb = &BOMBS[rng.usize(0..BOMBS.len())];
    let mib = mib_of(bomb.mib_max);
    let folder = scratch();
    let name = ["bomb.pgn.zst", "bomb.pgn.gz"][rng.usize(0..2)];
    let path = folder.path().join(name);
    bomb.write(&path, mib << 20).expect("a file");
    let base = Base::new();
    let ran = limited(&base.path, &["import", "--threads", "2", text(&path)]);
    assert!(
        !ran.err.contains("memory allocation"),
        "{}: {ran:?}",
        bomb.name
    );
    for args in [&["search", "e4", "--count"][..], &["show", "1"], &["check"]] {
        limited(&base.path, args);
    }
}

/// Members that are small in an archive and large, or many, or deep, outside of it.
fn bomb_of_members(rng: &mut Rng) -> (&'static str, Vec<(String, Vec<u8>)>) {
    let blanks = vec![b' '; mib_of(96) << 20];
    let one = |name: &str, bytes| vec![(name.to_owned(), bytes)];
    match rng.u8(0..6) {
        0 => ("a large member", one("large.pgn", blanks)),
        1 => {
            let members =
                (0..mib_of(32) * 1000).map(|number| (format!("{number}.pgn"), Vec::new()));
            ("many members", members.collect())
        }
        2 => {
            let mut level = zip_of(&one("large.pgn", blanks[..1 << 20].to_vec()));
            for _ in 0..8 {
                let again = (0..6).map(|number| (format!("{number}.zip"), level.clone()));
                level = zip_of(&again.collect::<Vec<_>>());
            }
            ("archives in archives", one("level.zip", level))
        }
        3 => {
            let twice = compressed(".gz", &compressed(".gz", &blanks));
            ("compressed again", one("twice.pgn.gz.gz", twice))
        }
        4 => {
            let large = compressed(".xz", &blanks);
            let members = (0..12).map(|number| (format!("{number}.pgn.xz"), large.clone()));
            ("many large members", members.collect())
        }
        _ => {
            let names = format!("{}.pgn", "long/".repeat(40));
            ("a long name", one(&names, games(6, 1).into_bytes()))
        }
    }
}

/// An archive with such members is read within the limit; the games that stand before them are
/// there, and those behind them where one can go on.
pub(crate) fn archive_bomb(rng: &mut Rng) {
    let (what, bomb) = bomb_of_members(rng);
    let sound_one = |name: &str, first| (name.to_owned(), games(first, 3).into_bytes());
    let mut files = vec![sound_one("a.pgn", 0)];
    files.extend(bomb);
    files.push(sound_one("z.pgn", 3));
    let ending = ARCHIVES[rng.usize(0..ARCHIVES.len())];
    let folder = scratch();
    let path = folder.path().join(format!("bomb{ending}"));
    std::fs::write(&path, archive_of(ending, &files)).expect("a file");
    let base = Base::new();
    let ran = limited(&base.path, &["import", "--threads", "2", text(&path)]);
    assert!(!ran.err.contains("memory allocation"), "{what}: {ran:?}");
    let found = sound(&base.path).expect("a database");
    let has = |number: usize| {
        let tag = format!("[GameId \"{number}\"]");
        found.iter().any(|game| game.contains(&tag))
    };
    assert!((1..=3).all(has), "{what} in {ending}: {ran:?}");
    if [".zip", ".7z", ".tar"].contains(&ending) {
        assert!((4..=6).all(has), "{what} in {ending}: {ran:?}");
    }
}
