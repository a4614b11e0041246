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

use super::support::{Base, Ran, plydex, run, scratch, text};

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

/// A source is read within the limit, stored or refused; so is what it has left.
pub(crate) fn bomb_once(rng: &mut Rng) {
    let bomb = &BOMBS[rng.usize(0..BOMBS.len())];
    let in_suite = std::env::var_os("PLYDEX_TORTURE_SECONDS").is_none();
    let mib = if in_suite { 4 } else { bomb.mib_max };
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
