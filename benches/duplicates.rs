//! How well repeated games are told: many copies of games under other headers, and games that only
//! have the same moves. Against `pgn-extract -D` and Scid, where they are installed.
//!
//! See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod support;

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
    path::Path,
    process::Command,
};

use plydex::{
    base::{
        observe::{CancellationToken, NullObserver},
        record::GameRecord,
    },
    import::{self, DuplicateAction, ImportOptions},
    pgn::writer,
    search::{self, AccessPlan, GameReader},
    store::Store,
};
use support::Input;

/// Games that are copied.
const GAMES: usize = 1_000;
/// Copies of each, the original among them.
const COPIES: usize = 40;
/// Games with the moves of each that are others: by players, by day, by round.
const OTHERS: usize = 3;
/// The tag that says which game a copy is of.
const TRUTH: &str = "Truth";

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let games = chosen(scratch.path());
    let mut random = fastrand::Rng::with_seed(15);
    let mut texts = Vec::new();
    for (number, game) in games.iter().enumerate() {
        for copy in 0..COPIES {
            let game = if copy == 0 {
                game.clone()
            } else {
                perturbed(game, &mut random)
            };
            texts.push(text_of(game, &format!("{number}")));
        }
        for other in 0..OTHERS {
            let is_other = |one: &&GameRecord| {
                ["White", "Black"]
                    .iter()
                    .any(|name| tag(one, name) != tag(game, name))
            };
            let mut further =
                (1..games.len()).map(|further| &games[(number + further) % games.len()]);
            let others = further.find(is_other).unwrap();
            texts.push(text_of(
                another(game, others, other),
                &format!("{number}/{other}"),
            ));
        }
    }
    random.shuffle(&mut texts);
    let path = scratch.path().join("copies.pgn");
    std::fs::write(&path, texts.concat()).unwrap();
    if let Some(keep) = std::env::var_os("PLYDEX_BENCH_KEEP") {
        std::fs::copy(&path, keep).unwrap();
    }
    println!(
        "{} records: {} games, {COPIES} copies of each, {OTHERS} others with its moves",
        texts.len(),
        games.len()
    );
    println!("                    missed   false");
    report("plydex", Some(of_plydex(scratch.path(), &path)));
    report("pgn-extract -D", of_pgn_extract(scratch.path(), &path));
    // As its dialogue has it at first, and as it fits these games best.
    let first = "-players 0 -colors 0 -event 0 -site 1 -round 1 -year 1 -month 1 -skipshort 1";
    report("Scid, at first", of_scid(scratch.path(), &path, first));
    let best = "-players 0 -colors 1 -event 0 -site 0 -round 0 -year 1 -month 0 -skipshort 0";
    report("Scid, loosely", of_scid(scratch.path(), &path, best));
}

/// Games of two people who are known, on a day that is known, of which no two have the same moves.
fn chosen(scratch: &Path) -> Vec<GameRecord> {
    let input = Input::choose(scratch, "otb.pgn.zst").unwrap();
    let store =
        Store::create_or_open(&scratch.join("all.db"), &CancellationToken::default()).unwrap();
    let paths = [input.path.clone()];
    import::import(&store, &paths, ImportOptions::default(), &NullObserver).unwrap();
    let mut games = GameReader::new(&store);
    let last = store.last_game().unwrap();
    let mut moves = HashSet::new();
    let step = (last / (2 * GAMES as u64)).max(1);
    let all = (1..=last)
        .step_by(step as usize)
        .map(|id| games.game(id).unwrap().unwrap());
    all.filter(|game| {
        let tag = |name| tag(game, name).unwrap_or_default();
        let is_named = ["White", "Black"]
            .iter()
            .all(|name| tag(name).contains(','));
        let mut text = String::new();
        writer::write(game, &mut text);
        let body = text.split("\n\n").nth(1).unwrap_or_default().to_owned();
        is_named
            && !tag("Date").contains('?')
            && tag("Round") != "?"
            && game.header.plies > 9
            && moves.insert(body)
    })
    .take(GAMES)
    .collect()
}

fn tag<'g>(game: &'g GameRecord, name: &str) -> Option<&'g str> {
    let mut tags = game.tags.iter();
    tags.find_map(|(tag, value)| (tag == name).then_some(&value[..]))
}

fn text_of(mut game: GameRecord, truth: &str) -> String {
    game.tags.push((TRUTH.to_owned(), truth.to_owned()));
    let mut text = String::new();
    writer::write(&game, &mut text);
    text
}

fn change(game: &mut GameRecord, name: &str, to: impl FnOnce(&str) -> String) {
    if let Some((_, value)) = game.tags.iter_mut().find(|(tag, _)| tag == name) {
        *value = to(value);
    }
}

/// The game as somebody else has typed it in.
fn perturbed(game: &GameRecord, random: &mut fastrand::Rng) -> GameRecord {
    let mut game = game.clone();
    for name in ["White", "Black"] {
        let how = random.u8(0..8);
        change(&mut game, name, |value| spelled(value, how));
    }
    let how = random.u8(0..6);
    change(&mut game, "Date", |date| match how {
        0 => format!("{}.??", &date[..date.len().min(7)]),
        1 => format!("{}.??.??", &date[..date.len().min(4)]),
        _ => date.to_owned(),
    });
    let how = random.u8(0..6);
    change(&mut game, "Round", |round| match how {
        0 | 1 => "?".to_owned(),
        2 => format!("0{round}"),
        _ => round.to_owned(),
    });
    let how = random.u8(0..5);
    change(&mut game, "Event", |event| match how {
        0 => "?".to_owned(),
        1 => event.to_uppercase(),
        2 => event.split(' ').next().unwrap_or_default().to_owned(),
        _ => event.to_owned(),
    });
    let how = random.u8(0..4);
    change(&mut game, "Site", |site| match how {
        0 => "?".to_owned(),
        1 => site.split([' ', ',']).next().unwrap_or_default().to_owned(),
        _ => site.to_owned(),
    });
    let dropped: &[&str] =
        [&["WhiteElo", "BlackElo"][..], &["ECO"], &["EventDate"], &[]][random.usize(0..4)];
    game.tags.retain(|(name, _)| !dropped.contains(&&name[..]));
    if random.bool() {
        random.shuffle(&mut game.tags);
    }
    game
}

/// A name in another spelling.
fn spelled(name: &str, how: u8) -> String {
    let (family, given) = name.split_once(',').unwrap_or((name, ""));
    let given = given.trim();
    let initial = given.chars().next().map(String::from).unwrap_or_default();
    match how {
        0 => format!("{family},{initial}"),
        1 => format!("{family}, {initial}."),
        2 => format!("{given} {family}"),
        3 => format!("{initial}. {family}"),
        4 => name.to_uppercase(),
        5 => deunicode::deunicode(name),
        _ => name.to_owned(),
    }
}

/// Another game with the same moves.
fn another(game: &GameRecord, other: &GameRecord, how: usize) -> GameRecord {
    let mut game = game.clone();
    match how {
        0 => {
            for name in ["White", "Black"] {
                let value = tag(other, name).unwrap_or_default().to_owned();
                change(&mut game, name, |_| value);
            }
        }
        1 => change(&mut game, "Date", |date| {
            let year: u32 = date[..4].parse().unwrap_or(2000);
            format!("{}{}", year - 1, &date[4..])
        }),
        _ => change(&mut game, "Round", |round| format!("9{round}")),
    }
    game
}

/// Says how many copies were left besides one of each game, and how many games none is left of.
fn report(name: &str, kept: Option<Vec<String>>) {
    let Some(kept) = kept else {
        println!("{name:<18}  not installed");
        return;
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for truth in kept {
        *counts.entry(truth).or_default() += 1;
    }
    let missed: usize = counts.values().map(|count| count - 1).sum();
    let lost = GAMES * (1 + OTHERS) - counts.len();
    println!("{name:<18}  {missed:>6}  {lost:>6}");
}

/// What the tags of a PGN file say of which games it has.
fn truths(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let value = |line: &str| {
        let value = line.strip_prefix("[Truth \"")?;
        Some(value.strip_suffix("\"]")?.to_owned())
    };
    text.lines().filter_map(value).collect()
}

fn of_plydex(scratch: &Path, path: &Path) -> Vec<String> {
    let store =
        Store::create_or_open(&scratch.join("copies.db"), &CancellationToken::default()).unwrap();
    let options = ImportOptions {
        duplicates: DuplicateAction::Skip,
        ..ImportOptions::default()
    };
    import::import(&store, &[path.to_path_buf()], options, &NullObserver).unwrap();
    let mut games = GameReader::new(&store);
    // Those that are there, without records that gave way to others.
    let all = search::all_games(&store, &AccessPlan::default()).unwrap();
    let truth = |id| {
        tag(&games.game(id).unwrap().unwrap(), TRUTH)
            .unwrap()
            .to_owned()
    };
    all.into_iter().map(truth).collect()
}

/// Debian puts games where no path leads.
fn program(name: &str) -> String {
    let there = format!("/usr/games/{name}");
    if Path::new(&there).exists() {
        there
    } else {
        name.to_owned()
    }
}

fn of_pgn_extract(scratch: &Path, path: &Path) -> Option<Vec<String>> {
    let out = scratch.join("extracted.pgn");
    let mut command = Command::new(program("pgn-extract"));
    command.arg("-D").arg("-s").arg("-o").arg(&out).arg(path);
    command.output().ok()?;
    Some(truths(&out))
}

/// Scid marks duplicates as deleted; the others are exported.
fn of_scid(scratch: &Path, path: &Path, criteria: &str) -> Option<Vec<String>> {
    let (base, out) = (scratch.join("scid"), scratch.join("scid.pgn"));
    let mut script = String::new();
    let _ = writeln!(
        script,
        "catch {{sc_base create SCID4 {base}}} b\n\
         sc_base import $b {pgn}\n\
         sc_base duplicates $b {criteria} -day 0 -result 0 -eco 0 -moves 1 -setfilter 0 \
         -usefilter 0 -comments 0 -variations 0 -delete Shorter\n\
         set f [open {out} w]\n\
         for {{set i 1}} {{$i <= [sc_base numGames $b]}} {{incr i}} {{\n\
           sc_game load $i\n\
           if {{![sc_base gameflag $b $i get del]}} {{ puts $f [sc_game pgn] }}\n\
         }}\n\
         close $f\nexit\n",
        base = base.display(),
        pgn = path.display(),
        out = out.display(),
    );
    let tcl = scratch.join("duplicates.tcl");
    std::fs::write(&tcl, script).unwrap();
    for ending in ["si4", "sg4", "sn4"] {
        let _ = std::fs::remove_file(base.with_extension(ending));
    }
    let ran = Command::new(program("tkscid")).arg(&tcl).output().ok()?;
    if !out.exists() {
        println!("{}", String::from_utf8_lossy(&ran.stderr));
        return None;
    }
    let found = truths(&out);
    std::fs::remove_file(&out).unwrap();
    Some(found)
}
