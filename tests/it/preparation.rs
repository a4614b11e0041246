//! Trees behind their moves, novelties and repertoires, against a look through all games.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    path::Path,
    process::Command,
};

use serde_json::Value;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position,
    fen::{Epd, Fen},
    san::{San, SanPlus},
    uci::UciMove,
};
use tempfile::TempDir;

use crate::support::{run, skip};

/// A game as the oracle has it: the positions in order, and the moves between them.
struct Known {
    date: String,
    result: &'static str,
    positions: Vec<String>,
    moves: Vec<String>,
}

fn key(at: &Chess) -> String {
    Epd::from_position(at, EnPassantMode::Legal).to_string()
}

fn key_of_fen(fen: &str) -> String {
    let fen: Fen = fen.parse().expect("a FEN");
    key(&fen
        .into_position(CastlingMode::Standard)
        .expect("a position"))
}

fn played(line: &str) -> Chess {
    let words = line
        .split(' ')
        .filter(|word| !word.is_empty() && !word.ends_with('.'));
    words.fold(Chess::default(), |at, word| {
        let san: San = word.parse().expect("a move");
        let m = san.to_move(&at).expect("a legal move");
        at.play(m).expect("a legal move")
    })
}

const RESULTS: [&str; 4] = ["1-0", "1/2-1/2", "0-1", "*"];
const DATES: [&str; 8] = [
    "1990.??.??",
    "1990.05.03",
    "1990.05.??",
    "1991.01.01",
    "1991.01.02",
    "1992.??.??",
    "????.??.??",
    "1993.12.31",
];

/// Games of a few moves each, so few that many games meet, by other ways too.
fn games(random: &mut fastrand::Rng, count: usize) -> Vec<Known> {
    let mut all = Vec::new();
    for _ in 0..count {
        let mut at = Chess::default();
        let mut known = Known {
            date: DATES[random.usize(..DATES.len())].to_owned(),
            result: RESULTS[random.usize(..4)],
            positions: vec![key(&at)],
            moves: Vec::new(),
        };
        for _ in 0..random.usize(3..9) {
            let mut legal: Vec<_> = at.legal_moves().into_iter().collect();
            legal.sort_by_key(|m| UciMove::from_standard(*m).to_string());
            let step = (legal.len() / 3).max(1);
            let few: Vec<_> = legal.into_iter().step_by(step).collect();
            let m = few[random.usize(..few.len())];
            let san = SanPlus::from_move_and_play_unchecked(&mut at, m);
            known.moves.push(san.to_string());
            known.positions.push(key(&at));
        }
        all.push(known);
    }
    all
}

fn pgn(games: &[Known]) -> String {
    let mut text = String::new();
    for (number, game) in games.iter().enumerate() {
        let _ = write!(
            text,
            "[White \"Ann\"]\n[Black \"Ben\"]\n[Date \"{}\"]\n[Round \"{number}\"]\n[Result \"{}\"]\n\n{} {}\n\n",
            game.date,
            game.result,
            game.moves.join(" "),
            game.result
        );
    }
    text
}

struct Archive {
    folder: TempDir,
    games: Vec<Known>,
}

impl Archive {
    fn new(seed: u64, count: usize) -> Self {
        let games = games(&mut fastrand::Rng::with_seed(seed), count);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.pgn");
        std::fs::write(&file, pgn(&games)).expect("a file");
        let archive = Self { folder, games };
        let file = file.to_str().expect("a name");
        let imported = run(&archive.db(), &["import", "--duplicates", "keep", file]);
        assert_eq!(imported.status, Some(0), "{}", imported.err);
        archive
    }

    fn db(&self) -> std::path::PathBuf {
        self.folder.path().join("games.db")
    }

    fn path(&self, name: &str) -> String {
        self.folder
            .path()
            .join(name)
            .to_str()
            .expect("a name")
            .to_owned()
    }

    fn json(&self, args: &[&str]) -> Value {
        let ran = run(&self.db(), &[args, &["--format", "json"]].concat());
        assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.err);
        serde_json::from_str(&ran.out).expect("JSON")
    }

    /// The moves of a position with the games that play them at their first visit.
    fn next(&self, position: &str) -> BTreeMap<&str, Vec<&Known>> {
        let mut next: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
        for game in &self.games {
            let at = game.positions.iter().position(|known| known == position);
            if let Some(m) = at.and_then(|at| game.moves.get(at)) {
                next.entry(m).or_default().push(game);
            }
        }
        next
    }

    fn games_of(&self, position: &str) -> u64 {
        let reach = |game: &&Known| game.positions.iter().any(|known| known == position);
        self.games.iter().filter(reach).count() as u64
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Compares a tree and what is behind it; gathers the positions that have trees, and those that
/// are said to be elsewhere.
fn compare(
    archive: &Archive,
    tree: &Value,
    (depth, games_min): (u32, u64),
    there: &mut BTreeSet<String>,
    elsewhere: &mut Vec<(String, String)>,
) {
    let at = key_of_fen(text(&tree["fen"]));
    assert!(there.insert(at.clone()), "{at} stands in the tree twice");
    assert_eq!(
        number(&tree["total"]["games"]),
        archive.games_of(&at),
        "{at}"
    );
    let mut expected = archive.next(&at);
    expected.retain(|_, games| games.len() as u64 >= games_min);
    let moves = tree["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), expected.len(), "{at}");
    for line in moves {
        let games = &expected[text(&line["san"])];
        let of = |result: &str| games.iter().filter(|game| game.result == result).count() as u64;
        assert_eq!(number(&line["games"]), games.len() as u64);
        for (field, result) in ["white_wins", "draws", "black_wins", "no_result"]
            .iter()
            .zip(RESULTS)
        {
            assert_eq!(number(&line[field]), of(result), "{at} {line}");
        }
        match games[..] {
            [only] => assert_eq!(text(&line["game"]["date"]), only.date),
            _ => assert!(line["game"].is_null()),
        }
        let mut behind = key_position(&at);
        let san: San = text(&line["san"]).parse().expect("a move");
        behind.play_unchecked(san.to_move(&behind).expect("a legal move"));
        match &line["after"] {
            Value::Null => assert_eq!(depth, 1, "{at} {line}"),
            tree if tree["fen"].is_string() => {
                assert_eq!(key_of_fen(text(&tree["fen"])), key(&behind));
                compare(archive, tree, (depth - 1, games_min), there, elsewhere);
            }
            other => {
                elsewhere.push((key(&behind), text(&other["transposes_to"]).to_owned()));
            }
        }
    }
}

fn key_position(key: &str) -> Chess {
    let epd: Epd = key.parse().expect("a position");
    epd.into_position(CastlingMode::Standard)
        .expect("a position")
}

fn behind(position: &str, san: &str) -> Chess {
    let mut behind = key_position(position);
    let san: San = san.parse().expect("a move");
    behind.play_unchecked(san.to_move(&behind).expect("a legal move"));
    behind
}

#[test]
fn deep_trees_have_each_position_once() {
    let archive = Archive::new(17, 160);
    for games_min in [1, 3] {
        let min = games_min.to_string();
        let tree = archive.json(&["tree", "--depth", "5", "--min-games", &min]);
        let (mut there, mut elsewhere) = (BTreeSet::new(), Vec::new());
        compare(&archive, &tree, (5, games_min), &mut there, &mut elsewhere);
        assert!(games_min > 1 || !elsewhere.is_empty(), "nothing transposes");
        for (at, line) in elsewhere {
            assert!(there.contains(&at), "{at} is nowhere else");
            assert_eq!(key(&played(&line)), at);
        }
    }
}

/// The tree as PGN reads back with the same positions, each of which the database has.
#[test]
fn trees_read_back_as_games() {
    let archive = Archive::new(18, 120);
    let file = archive.path("tree.pgn");
    let args = ["tree", "--depth", "6", "--min-games", "2", "--format"];
    let written = run(
        &archive.db(),
        &[&args[..], &["pgn", "--output", &file]].concat(),
    );
    assert_eq!(written.status, Some(0), "{}", written.err);
    let again = run(
        &archive.db(),
        &[&args[..], &["pgn", "--output", &file]].concat(),
    );
    assert_eq!(again.status, Some(2), "a file that is there was replaced");
    let tree = archive.json(&args[..5]);
    let mut expected = BTreeSet::new();
    positions_of(&tree, &mut expected);
    let report = archive.json(&["repertoire", &file]);
    let read: BTreeSet<String> = (report["positions"].as_array().expect("positions").iter())
        .map(|at| key_of_fen(text(&at["fen"])))
        .collect();
    assert_eq!(read, expected);
    let none = archive.path("none.pgn");
    let nothing = [
        "tree", "--white", "Nobody", "--format", "pgn", "--output", &none,
    ];
    assert_eq!(run(&archive.db(), &nothing).status, Some(1));
    assert!(!Path::new(&none).exists());
}

/// All positions of a tree, those behind its last moves included.
fn positions_of(tree: &Value, all: &mut BTreeSet<String>) {
    let at = key_of_fen(text(&tree["fen"]));
    all.insert(at.clone());
    for line in tree["moves"].as_array().expect("moves") {
        let mut behind = key_position(&at);
        let san: San = text(&line["san"]).parse().expect("a move");
        behind.play_unchecked(san.to_move(&behind).expect("a legal move"));
        all.insert(key(&behind));
        if line["after"]["fen"].is_string() {
            positions_of(&line["after"], all);
        }
    }
}

/// Entries of a book by the keys of their positions.
fn entries(book: &[u8]) -> HashMap<u64, Vec<(u16, u16)>> {
    assert_eq!(book.len() % 16, 0);
    let mut entries: HashMap<u64, Vec<(u16, u16)>> = HashMap::new();
    let mut last = 0;
    for entry in book.chunks_exact(16) {
        let key = u64::from_be_bytes(entry[..8].try_into().expect("8 bytes"));
        assert!(last <= key, "keys are in order");
        last = key;
        let two = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        entries.entry(key).or_default().push((two(8), two(10)));
    }
    entries
}

const SCRIPT: &str = r#"
import sys, chess, chess.polyglot
at, seen = {}, 0
def walk(board, depth):
    global seen
    key = chess.polyglot.zobrist_hash(board)
    if depth == 0 or key in at: return
    at[key] = True
    with chess.polyglot.open_reader(sys.argv[1]) as book:
        for entry in book.find_all(board, minimum_weight=0):
            seen += 1
            print(board.epd(), entry.move.uci(), entry.weight, sep="\t")
            board.push(entry.move); walk(board, depth - 1); board.pop()
walk(chess.Board(), 6)
"#;

/// A book has the moves of the tree, by keys and codes that were published with the format and
/// that python-chess reads, where it is there.
#[test]
fn books_of_polyglot_have_the_moves_of_the_tree() {
    let archive = Archive::new(19, 200);
    let file = archive.path("book.bin");
    let args = ["tree", "--depth", "6", "--min-games", "2", "--format"];
    let written = run(
        &archive.db(),
        &[&args[..], &["polyglot", "--output", &file]].concat(),
    );
    assert_eq!(written.status, Some(0), "{}", written.err);
    let book = std::fs::read(&file).expect("a book");
    let entries = entries(&book);
    // The key of the start position, as the description of the format has it.
    let start = &entries[&0x463b_9618_1691_fc9c];
    let expected = archive.next(&key(&Chess::default()));
    let mut moves: Vec<(u16, u16)> = Vec::new();
    for (san, games) in expected.iter().filter(|(_, games)| games.len() > 1) {
        let san: San = san.parse().expect("a move");
        let m = san.to_move(&Chess::default()).expect("a legal move");
        let (from, to) = (m.from().expect("a square"), m.to());
        let points = |game: &&Known| match game.result {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        };
        let weight = games.iter().map(points).sum();
        moves.push((u16::from(from) << 6 | u16::from(to), weight));
    }
    let mut found = start.clone();
    found.sort_unstable();
    moves.sort_unstable();
    assert_eq!(found, moves);
    let python = Command::new("python3").args(["-c", SCRIPT, &file]).output();
    let Some(output) = python.ok().filter(|ran| ran.status.success()) else {
        return skip(
            "books_of_polyglot_have_the_moves_of_the_tree",
            "python-chess is not there",
        );
    };
    let mut read: BTreeSet<(String, String)> = BTreeSet::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        read.insert((key(&key_position(cells[0])), cells[1].to_owned()));
    }
    let mut expected = BTreeSet::new();
    moves_of(&archive.json(&args[..5]), &mut expected);
    // What has no points is in the book and never played.
    assert_eq!(read, expected);
    assert_eq!(
        entries.values().map(Vec::len).sum::<usize>(),
        expected.len()
    );
}

/// The engine's own program reads the books, where it is there: all of their positions are reached from
/// the start, castling among their moves.
#[test]
fn polyglot_reads_the_books() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a name")
            .to_owned()
    };
    let castled = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. d4";
    std::fs::write(path("games.pgn"), format!("{castled} 1-0\n")).expect("a file");
    let db = folder.path().join("games.db");
    assert_eq!(run(&db, &["import", &path("games.pgn")]).status, Some(0));
    let book = path("book.bin");
    let args = [
        "tree",
        "--format",
        "polyglot",
        "--min-games",
        "1",
        "--output",
        &book,
    ];
    assert_eq!(run(&db, &args).status, Some(0));
    let programs = ["polyglot", "/usr/games/polyglot"].into_iter();
    let mut found = programs.filter_map(|program| {
        let mut asked = Command::new(program);
        asked.args(["dump-book", "-bin", &book, "-color", "white", "-out"]);
        asked
            .arg(path("lines.txt"))
            .current_dir(folder.path())
            .output()
            .ok()
    });
    if found.next().is_none() {
        return skip("polyglot_reads_the_books", "polyglot is not there");
    }
    let lines = std::fs::read_to_string(path("lines.txt")).expect("lines");
    assert!(lines.replace("{100%}", "").contains(castled), "{lines}");
}

/// The moves of a tree, by their positions.
fn moves_of(tree: &Value, all: &mut BTreeSet<(String, String)>) {
    for line in tree["moves"].as_array().expect("moves") {
        let at = key_of_fen(text(&tree["fen"]));
        all.insert((at, text(&line["uci"]).to_owned()));
        if line["after"]["fen"].is_string() {
            moves_of(&line["after"], all);
        }
    }
}

/// The first and the last day that a date can mean.
fn days(date: &str) -> Option<(String, String)> {
    let unknown = date.contains('?');
    let date = date.trim_end_matches(".??");
    if date.starts_with('?') {
        return None;
    }
    let last = match date.len() {
        4 => format!("{date}.12.31"),
        7 => format!("{date}.31"),
        _ => date.to_owned(),
    };
    let first = if unknown {
        format!("{date}.00")
    } else {
        date.to_owned()
    };
    Some((first, last))
}

#[test]
fn novelties_are_the_first_positions_that_no_earlier_game_has() {
    let archive = Archive::new(20, 120);
    let answer = archive.json(&["novelty", "--limit", "0"]);
    let found = answer["novelties"].as_array().expect("novelties");
    assert_eq!(found.len(), archive.games.len());
    let mut new = 0;
    for (at, (game, found)) in archive.games.iter().zip(found).enumerate() {
        let is_earlier = |other: usize| match (days(&game.date), days(&archive.games[other].date)) {
            (Some((first, _)), Some((_, last))) => last < first,
            (Some(_), None) => false,
            (None, _) => other != at,
        };
        let earlier: Vec<&Known> = (0..archive.games.len())
            .filter(|&other| is_earlier(other))
            .map(|other| &archive.games[other])
            .collect();
        let is_known =
            |position: &String| earlier.iter().any(|game| game.positions.contains(position));
        let expected = game
            .positions
            .iter()
            .position(|position| !is_known(position));
        assert_eq!(
            found["new_ply"].as_u64(),
            expected.map(|ply| ply as u64),
            "game {}",
            at + 1
        );
        assert_eq!(found["by_date"], days(&game.date).is_some());
        let Some(ply) = expected.filter(|ply| *ply > 0) else {
            continue;
        };
        new += 1;
        assert_eq!(text(&found["new_move"]), game.moves[ply - 1]);
        let before = &game.positions[ply - 1];
        let reach = earlier
            .iter()
            .filter(|game| game.positions.contains(before));
        assert_eq!(
            number(&found["known"]["total"]["games"]),
            reach.count() as u64
        );
    }
    assert!(new > 50, "only {new} games have a novelty");
    let one = archive.json(&["novelty", "#7"]);
    assert_eq!(one["novelties"][0], found[6]);
}

#[test]
fn repertoires_are_held_against_the_games() {
    let archive = Archive::new(21, 200);
    // The lines of the most games, for White: each most played move against two answers.
    let mut lines: Vec<String> = vec![String::new()];
    for ply in 0..4 {
        let mut longer = Vec::new();
        for line in &lines {
            let next = archive.next(&key(&played(line)));
            let mut next: Vec<_> = next
                .iter()
                .map(|(san, games)| (games.len(), *san))
                .collect();
            next.sort_unstable();
            let wanted = if ply % 2 == 0 { 1 } else { 2 };
            longer.extend(
                next.iter()
                    .rev()
                    .take(wanted)
                    .map(|(_, san)| format!("{line} {san}")),
            );
        }
        lines = longer;
    }
    let file = archive.path("repertoire.pgn");
    let text_of = |line: &String| format!("[Result \"*\"]\n\n{line} *\n\n");
    std::fs::write(&file, lines.iter().map(text_of).collect::<String>()).expect("a file");
    let report = archive.json(&["repertoire", &file]);
    assert_eq!(report["side"], "white");
    // What the file has: positions, and the moves there.
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in &lines {
        let mut at = Chess::default();
        for word in line.split_whitespace() {
            known.entry(key(&at)).or_default().insert(word.to_owned());
            let san: San = word.parse().expect("a move");
            at.play_unchecked(san.to_move(&at).expect("a legal move"));
        }
        known.entry(key(&at)).or_default();
    }
    let positions = report["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), known.len());
    let mut frequencies = HashMap::new();
    frequency(&archive, &known, &Chess::default(), 1.0, &mut frequencies);
    let mut gaps: Vec<(String, u64)> = Vec::new();
    for at in positions {
        let here = key_of_fen(text(&at["fen"]));
        assert_eq!(key(&played(text(&at["line"]))), here);
        let is_own = key_position(&here).turn().is_white();
        assert_eq!(at["own"], is_own);
        assert_eq!(number(&at["total"]["games"]), archive.games_of(&here));
        let expected = frequencies[&here];
        assert!((at["frequency"].as_f64().expect("a number") - expected).abs() < 1e-9);
        let next = archive.next(&here);
        let in_file = &known[&here];
        for line in at["moves"].as_array().expect("moves") {
            let san = text(&line["san"]);
            assert_eq!(line["in_file"], in_file.contains(san));
            let games = next.get(san).map_or(0, Vec::len);
            assert_eq!(number(&line["games"]), games as u64);
        }
        if in_file.is_empty() && archive.games_of(&here) > 0 {
            gaps.push((text(&at["line"]).to_owned(), archive.games_of(&here)));
        } else if !is_own {
            // What leads into the file is not missing.
            let missing = next.iter().filter(|(san, _)| {
                !in_file.contains(**san) && !known.contains_key(&key(&behind(&here, san)))
            });
            for (san, games) in missing {
                let words = format!("{} {san}", text(&at["line"]));
                gaps.push((words, games.len() as u64));
            }
        }
    }
    let told = report["gaps"].as_array().expect("gaps");
    let end = |line: &str| key(&played(line));
    let mut told_lines: Vec<(String, u64)> = (told.iter())
        .map(|gap| (end(text(&gap["line"])), number(&gap["score"]["games"])))
        .collect();
    let mut gaps: Vec<(String, u64)> = gaps
        .iter()
        .map(|(line, games)| (end(line), *games))
        .collect();
    told_lines.sort();
    gaps.sort();
    assert_eq!(told_lines, gaps);
    let order: Vec<f64> = (told.iter())
        .map(|gap| gap["frequency"].as_f64().expect("a number"))
        .collect();
    assert!(order.is_sorted_by(|one, next| one >= next));
}

/// How often each position is reached: every way there adds to it.
fn frequency(
    archive: &Archive,
    known: &BTreeMap<String, BTreeSet<String>>,
    at: &Chess,
    here: f64,
    all: &mut HashMap<String, f64>,
) {
    *all.entry(key(at)).or_default() += here;
    let next = archive.next(&key(at));
    let played: usize = next.values().map(Vec::len).sum();
    let in_file = &known[&key(at)];
    if at.turn().is_white() {
        for san in in_file {
            let share = 1.0 / in_file.len() as f64;
            frequency(archive, known, &behind(&key(at), san), here * share, all);
        }
        return;
    }
    // The other side comes into the file by moves, too, that it has not.
    for (san, games) in next {
        let behind = behind(&key(at), san);
        if known.contains_key(&key(&behind)) {
            let share = games.len() as f64 / played.max(1) as f64;
            frequency(archive, known, &behind, here * share, all);
        }
    }
}

#[test]
fn what_is_no_repertoire_is_said() {
    let archive = Archive::new(22, 20);
    let file = archive.path("lines.pgn");
    std::fs::write(&file, "1. a3 a6 2. c4 c5 *").expect("a file");
    let ran = run(&archive.db(), &["repertoire", &file]);
    assert!(
        ran.err.contains("both sides have as many moves"),
        "{}",
        ran.err
    );
    std::fs::write(&file, "").expect("a file");
    let ran = run(&archive.db(), &["repertoire", &file]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("has no game"), "{}", ran.err);
    let missing = run(&archive.db(), &["repertoire", "nowhere.pgn"]);
    assert_eq!(missing.status, Some(2));
}

/// Positions of draughts have no numbers of moves: these are counted on the way.
#[test]
fn moves_of_draughts_are_numbered_on_the_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pdn");
    let game = "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n\n";
    std::fs::write(&file, game.replace("10-14", "9-14") + game).expect("a file");
    let db = folder.path().join("games.db");
    let file = file.to_str().expect("a name");
    assert_eq!(run(&db, &["import", file]).status, Some(0));
    let tree = run(&db, &["tree", "32-28", "--depth", "9", "--format", "pgn"]);
    assert!(
        tree.out.contains("2. 28x19") && tree.out.contains("(3... 9-14 {1 game})"),
        "{tree:?}"
    );
    let novelty = run(&db, &["novelty"]);
    assert!(novelty.out.contains("3... 10-14"), "{novelty:?}");
    let report = run(&db, &["repertoire", file, "--format", "csv"]);
    let line = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32";
    assert!(report.out.contains(line), "{report:?}");
}
