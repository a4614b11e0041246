//! A database of ten million games, and what it costs to add to it, to look for doubles and for people in it,
//! and to take changes back. Copies of a file have other people, and from some ply of each game on, random moves.
//!
//! See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "support/run.rs"]
mod run;
mod support;

use std::{
    fs,
    io::{BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use run::measure;
use shakmaty::{Chess, Position, san::San};
use support::Input;

/// Copies of the file in the database: 36 times otb.pgn are nearly ten million games.
const COPIES: usize = 36;
/// What stands before the names of players: copies with other ones have other players.
const PEOPLE: [&str; 12] = [
    "", "Ba", "Ce", "Di", "Fo", "Gu", "Ka", "Le", "Mi", "No", "Ru", "Va",
];
/// Games of a file that is added.
const ADDED: usize = 5_000;

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let input = Input::choose(scratch.path(), "otb.pgn.zst").unwrap();
    let mut text = Vec::new();
    let file = fs::File::open(&input.path).unwrap();
    if input.path.extension().is_some_and(|name| name == "zst") {
        let mut unpacked = zstd::stream::read::Decoder::new(file).unwrap();
        unpacked.read_to_end(&mut text).unwrap();
    } else {
        { file }.read_to_end(&mut text).unwrap();
    }
    let folder = std::env::var_os("PLYDEX_BENCH_LARGE")
        .map_or_else(|| scratch.path().to_owned(), PathBuf::from);
    let base = folder.join("base.db");
    if !base.exists() {
        fs::create_dir_all(&folder).unwrap();
        let made = folder.join("made.db");
        for nth in 0..COPIES {
            import_copy(&text, nth, &made);
        }
        fs::rename(made, &base).unwrap();
    }
    let bytes = fs::metadata(&base).unwrap().len();
    println!("{COPIES} copies of {}: {bytes} bytes", input.name());

    let copy = scratch.path().join("copy.db");
    let asked = |db: &Path, what: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plydex"));
        command.arg("--db").arg(db).args(["--quiet"]).args(args);
        let run = measure(&mut command);
        println!(
            "{what:52} {run}, {:.0} MiB",
            run.peak_mib.unwrap_or(f64::NAN)
        );
    };
    asked(&base, "dedupe, dry run", &["dedupe", "--format", "json"]);
    asked(&base, "players, first page", &["players", "--limit", "20"]);
    fs::copy(&base, &copy).unwrap();
    let empty = scratch.path().join("empty.db");
    for (nth, duplicates) in ["skip", "best", "keep", "skip"].into_iter().enumerate() {
        let added = scratch.path().join(format!("added{nth}.pgn"));
        // Games of people who are not there yet.
        let games = copied(first_games(&text, nth * ADDED, ADDED), "Zy", 40 + nth, 50);
        fs::write(&added, games).unwrap();
        let added = added.to_str().unwrap();
        let args = ["import", added, "--duplicates", duplicates];
        asked(
            &empty,
            &format!("{ADDED} games, {duplicates}, into few"),
            &args,
        );
        asked(
            &copy,
            &format!("{ADDED} games, {duplicates}, into all"),
            &args,
        );
    }
    // Each copy was one import, and four have followed.
    let [last_import, deletion] = [COPIES + 4, COPIES + 6].map(|change| change.to_string());
    asked(&copy, "undo of the last import", &["undo", &last_import]);
    let one = ["delete", "--white", "carlsen", "--yes"];
    asked(&copy, "delete of a player's games", &one);
    asked(&copy, "its undo", &["undo", &deletion]);
    asked(&copy, "delete again", &one);
    asked(&copy, "optimize --purge", &["optimize", "--purge"]);
}

/// Imports one copy of the text.
fn import_copy(text: &[u8], nth: usize, db: &Path) {
    let people = PEOPLE[nth % PEOPLE.len()];
    let mut child = Command::new(env!("CARGO_BIN_EXE_plydex"))
        .arg("--db")
        .arg(db)
        .args(["--quiet", "import", "--duplicates", "keep", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = BufWriter::with_capacity(1 << 20, child.stdin.take().unwrap());
    let games = copied(text, people, nth, nth);
    pipe.write_all(&games).unwrap();
    pipe.write_all(&again(&games)).unwrap();
    drop(pipe);
    assert!(child.wait().unwrap().success(), "import of copy {nth}");
}

/// So many games of a text, from one on.
fn first_games(text: &[u8], from: usize, games: usize) -> &[u8] {
    let mut begins = memchr::memmem::find_iter(text, b"[Event ").skip(from);
    let first = begins.next().unwrap();
    &text[first..begins.nth(games - 1).unwrap()]
}

/// The games of a text, as other people played them some years later: unless it is the first copy, each goes its
/// own way from some ply on. Short ones are in the first alone.
fn copied(text: &[u8], people: &str, copy: usize, years: usize) -> Vec<u8> {
    let mut random = Random(copy as u64);
    let mut out = Vec::with_capacity(text.len());
    let (mut tags, mut moves) = (Vec::new(), Vec::new());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if !line.starts_with(b"[") {
            moves.extend_from_slice(line);
            continue;
        }
        if !moves.is_empty() && !tags.is_empty() {
            game(&tags, &moves, copy, &mut random, &mut out);
            tags.clear();
        }
        moves.clear();
        let names: [&[u8]; 2] = [b"[White \"", b"[Black \""];
        let date: &[u8] = b"[Date \"";
        if let Some(begin) = names.into_iter().find(|begin| line.starts_with(begin)) {
            tags.extend_from_slice(begin);
            tags.extend_from_slice(people.as_bytes());
            tags.extend_from_slice(&line[begin.len()..]);
        } else if let Some(rest) = line.strip_prefix(date)
            && let Some(year) = rest
                .get(..4)
                .and_then(|year| std::str::from_utf8(year).ok())
            && let Ok(year) = year.parse::<usize>()
        {
            write!(tags, "[Date \"{:04}", year + years).unwrap();
            tags.extend_from_slice(&rest[4..]);
        } else {
            tags.extend_from_slice(line);
        }
    }
    game(&tags, &moves, copy, &mut random, &mut out);
    out
}

/// One of a hundred games again, as another collection has it: White in capital letters, without the
/// site, and with a tag more.
fn again(games: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let begins: Vec<usize> = memchr::memmem::find_iter(games, b"[Event ").collect();
    let ends = begins.iter().skip(1).copied().chain([games.len()]);
    for (&from, end) in begins.iter().zip(ends).step_by(100) {
        for line in games[from..end].split_inclusive(|&byte| byte == b'\n') {
            if line.starts_with(b"[Site ") {
                out.extend_from_slice(b"[Annotator \"Somebody\"]\n");
            } else if let Some(name) = line.strip_prefix(b"[White ") {
                out.extend_from_slice(b"[White ");
                out.extend(name.iter().map(u8::to_ascii_uppercase));
            } else {
                out.extend_from_slice(line);
            }
        }
    }
    out
}

/// A generator of numbers (Knuth's, of 64 bits).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Writes a game: as it is in the first copy, with an end of its own in others, unless it is short.
fn game(tags: &[u8], moves: &[u8], copy: usize, random: &mut Random, out: &mut Vec<u8>) {
    /// Plies that stay at least.
    const LEFT_MIN: usize = 16;
    if moves.iter().any(|byte| b"{(;$".contains(byte)) {
        if copy == 0 {
            out.extend_from_slice(tags);
            out.extend_from_slice(moves);
        }
        return;
    }
    let words = moves.split(u8::is_ascii_whitespace);
    let numbered = |word: &[u8]| {
        word.iter()
            .rposition(|&byte| byte == b'.')
            .map_or(0, |at| at + 1)
    };
    let mut words: Vec<Vec<u8>> = words
        .map(|word| word[numbered(word)..].to_vec())
        .filter(|word| !word.is_empty())
        .collect();
    let Some(result) = words.pop() else {
        return;
    };
    if copy > 0 {
        if words.len() <= LEFT_MIN {
            return;
        }
        let left = LEFT_MIN + random.below(words.len() - LEFT_MIN);
        with_other_end(&mut words, left, random);
    }
    out.extend_from_slice(tags);
    out.push(b'\n');
    let mut line = 0;
    for word in words
        .into_iter()
        .chain([result])
        .filter(|word| !word.is_empty())
    {
        let end = if line + word.len() > 78 { b'\n' } else { b' ' };
        line = if end == b'\n' {
            0
        } else {
            line + word.len() + 1
        };
        out.extend_from_slice(&word);
        out.push(end);
    }
    out.extend_from_slice(b"\n\n");
}

/// Puts random legal moves in the place of those behind the first `left`.
fn with_other_end(words: &mut [Vec<u8>], left: usize, random: &mut Random) {
    let mut at = Chess::default();
    for (ply, word) in words.iter_mut().enumerate() {
        let played = if ply < left {
            San::from_ascii(word)
                .ok()
                .and_then(|san| san.to_move(&at).ok())
        } else {
            let legal = at.legal_moves();
            let chosen = (!legal.is_empty()).then(|| legal[random.below(legal.len())]);
            *word = chosen.map_or_else(Vec::new, |chosen| {
                San::from_move(&at, chosen).to_string().into_bytes()
            });
            chosen
        };
        match played {
            Some(played) => at.play_unchecked(played),
            // Not chess as usual, or over: what follows stays, or is nothing.
            None if ply < left => return,
            None => (),
        }
    }
}
