//! How many answers a second the server gives, and how long each takes.
//!
//! See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod support;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use plydex::{
    base::observe::{CancellationToken, NullObserver},
    import::{self, DuplicateAction, ImportOptions},
    search::{BoardAt, GameReader},
    store::Store,
};
use support::Input;

/// Questions of each kind.
const QUESTIONS: usize = 20_000;
/// The games of otb.pgn. Where there are more, they are copies with random moves (`large`), whose
/// positions nobody asks for.
const REAL_GAMES: u64 = 279_090;

/// What is asked beside the position.
const KINDS: [(&str, &str); 6] = [
    ("/lichess", ""),
    ("/lichess again", ""),
    ("/masters", ""),
    ("/lichess moves alone", "&topGames=0&recentGames=0"),
    ("/lichess ratings", "&ratings=2200,2500"),
    ("/lichess dates", "&since=2010-01&until=2020-12"),
];

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let db = match std::env::var_os("PLYDEX_BENCH_DB") {
        Some(db) => PathBuf::from(db),
        None => imported(scratch.path()),
    };
    let fens = positions(&db);
    println!("{} different positions of {}", fens.len(), db.display());
    let (mut child, address) = serve(&db);
    for (kind, further) in KINDS {
        let path = kind.split(' ').next().unwrap();
        let before = cpu_seconds(child.id());
        let since = Instant::now();
        let mut times = ask(&address, path, further, &fens);
        let (wall, cpu) = (since.elapsed(), cpu_seconds(child.id()) - before);
        times.sort_unstable();
        let at = |share: f64| times[(times.len() as f64 * share) as usize - 1];
        println!(
            "{kind:20} {:6.0} a CPU second, {:6.0} a second; 50 % {:?}, 99 % {:?}, at most {:?}; {} MiB",
            fens.len() as f64 / cpu,
            fens.len() as f64 / wall.as_secs_f64(),
            at(0.5),
            at(0.99),
            at(1.0),
            resident_kib(child.id()) / 1024,
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A database of the games of a file.
fn imported(folder: &Path) -> PathBuf {
    let input = Input::choose(folder, "otb.pgn").unwrap();
    let db = folder.join("bench.db");
    let store = Store::create_or_open(&db, &CancellationToken::default()).unwrap();
    let options = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    import::import(&store, &[input.path], options, &NullObserver).unwrap();
    db
}

/// Different positions that games reach, in random order.
fn positions(db: &Path) -> Vec<String> {
    let store = Store::open(db, &CancellationToken::default()).unwrap();
    let last = store.last_game().unwrap().min(REAL_GAMES);
    let mut games = GameReader::new(&store);
    let mut random = fastrand::Rng::with_seed(17);
    let mut fens = std::collections::HashSet::new();
    let mut tried = 0;
    while fens.len() < QUESTIONS && tried < 10 * QUESTIONS {
        tried += 1;
        let game = random.u64(1..=last);
        let Some(header) = games.header(game).unwrap() else {
            continue;
        };
        if header.variant != "chess" {
            continue;
        }
        let place = random.u32(0..=header.plies).to_string().parse().ok();
        let at = games.board_at(game, place.as_ref()).unwrap();
        if let Some(BoardAt { position, .. }) = at {
            let fen = position.fen();
            let counters = fen.match_indices(' ').nth(3).unwrap().0;
            fens.insert(fen[..counters].replace(' ', "_"));
        }
    }
    let mut fens: Vec<String> = fens.into_iter().collect();
    fens.sort();
    random.shuffle(&mut fens);
    fens
}

/// A server at a free port, and where.
fn serve(db: &Path) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plydex"))
        .args(["serve", "--port", "0", "--db"])
        .arg(db)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut line).unwrap();
    let (_, address) = line.trim_end().rsplit_once("http://").unwrap();
    (child, address.trim_end_matches('/').to_owned())
}

/// Asks one question after the other on one connection; how long each took.
fn ask(address: &str, path: &str, further: &str, fens: &[String]) -> Vec<Duration> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    let (mut line, mut body) = (String::new(), Vec::new());
    let mut times = Vec::with_capacity(fens.len());
    for fen in fens {
        let since = Instant::now();
        let head = format!("GET {path}?fen={fen}{further} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut length = 0;
        loop {
            line.clear();
            answers.read_line(&mut line).unwrap();
            assert!(
                !line.starts_with("HTTP/") || line.contains(" 200 "),
                "{line}{fen}"
            );
            if line.trim_end().is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim_end().parse().unwrap();
            }
        }
        body.resize(length, 0);
        answers.read_exact(&mut body).unwrap();
        times.push(since.elapsed());
    }
    times
}

/// CPU time of a process, user and system.
fn cpu_seconds(id: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let (_, behind) = stat.rsplit_once(") ").unwrap();
    let fields: Vec<f64> = behind
        .split(' ')
        .filter_map(|field| field.parse().ok())
        .collect();
    // Fields 14 and 15, of which the third is the first behind the name; hundredths.
    (fields[10] + fields[11]) / 100.0
}

/// Memory that a process has now.
fn resident_kib(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
