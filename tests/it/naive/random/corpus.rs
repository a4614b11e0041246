//! The games that are searched: random and real ones of chess, with tags, comments and variations, and
//! random ones of draughts. Those of chess are read again from their text, by a reader of its own.

use std::{fmt::Write as _, fs, io::Cursor, ops::ControlFlow};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, PositionError, fen::Fen,
    san::San,
};

use super::super::draughts::plain_game;
use super::super::game::{RESULTS, STARTS, position};
use super::scene::{Game, Line, PlayedMove, Said, Scene};
use crate::{openings::last_name, support::root};

/// Names of players, no two of which are spellings of one.
const PLAYERS: [&str; 9] = [
    "Adams, Michael",
    "Baker, Ann",
    "Čapek, Jan",
    "Zaitsev, Ann",
    "Fischer, Robert",
    "Quist, Ole",
    "Morphy, Paul",
    "Ng, Li",
    "?",
];
const EVENTS: [&str; 6] = [
    "Linares",
    "Casual blitz game",
    "Rated rapid game",
    "Cup of Brno",
    "World championship",
    "?",
];
const SITES: [&str; 5] = [
    "Linares",
    "London ENG",
    "https://lichess.org",
    "Brno CZE",
    "?",
];
const CONTROLS: [&str; 8] = [
    "15",
    "60+1",
    "180+2",
    "600+5",
    "5400+30",
    "40/7200:3600",
    "1/86400",
    "?",
];
const COMMENTS: [&str; 5] = [
    "a blunder",
    "the best move",
    "zugzwang, or nearly",
    "The only move; White blundered before",
    "time trouble",
];
/// Few pieces, which soon promote, mate or do not.
const ENDINGS: [&str; 8] = [
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "4k3/PPP5/8/8/8/8/5ppp/4K3 w - - 0 1",
    "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1",
    "2b1k3/8/8/3R4/3r4/8/8/2B1K3 w - - 0 1",
    "4k3/1p6/8/P7/8/2B5/5n2/4K2R w K - 0 1",
    "k7/8/KQ6/8/8/8/8/8 b - - 0 1",
    "3qk3/3n4/8/1B6/8/2N5/8/3RK3 w - - 0 1",
    "6rk/5ppp/8/6N1/8/8/8/6QK w - - 0 1",
];

/// All games, with the texts of the files that they are in.
pub(super) fn corpus(random: &mut fastrand::Rng) -> (Vec<Game>, Vec<(&'static str, String)>) {
    let made: String = (0..130).map(|number| chess(random, number)).collect();
    let folder = root().join("sample-data/pgn");
    let real = ["classics.pgn", "chess960.pgn"]
        .map(|name| fs::read_to_string(folder.join(name)).expect("sample data"));
    let (mut draughts, mut texts) = (Vec::new(), String::new());
    for number in 0..30 {
        let (game, text) = of_draughts(random, number);
        draughts.push(game);
        texts.push_str(&text);
    }
    let files = vec![
        ("random-chess.pgn", made),
        ("real-chess.pgn", real.concat()),
        ("random-draughts.pdn", texts),
    ];
    let mut games = read(&files[0].1, files[0].0);
    games.extend(read(&files[1].1, files[1].0));
    games.extend(draughts);
    (games, files)
}

fn pick<T: Copy>(random: &mut fastrand::Rng, from: &[T]) -> T {
    from[random.usize(..from.len())]
}

fn tags(random: &mut fastrand::Rng, out: &mut String, result: &str) {
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    tag("Event", pick(random, &EVENTS));
    tag("Site", pick(random, &SITES));
    let (year, month, day) = (random.u32(1970..2000), random.u32(1..13), random.u32(1..29));
    match random.u8(..6) {
        0 => tag("Date", "????.??.??"),
        1 => tag("Date", &format!("{year}.??.??")),
        2 => tag("Date", &format!("{year}.{month:02}.??")),
        _ => tag("Date", &format!("{year}.{month:02}.{day:02}")),
    }
    if random.bool() {
        tag("Round", pick(random, &["1", "2", "10", "1.2"]));
    }
    tag("White", pick(random, &PLAYERS));
    tag("Black", pick(random, &PLAYERS));
    tag("Result", result);
    for name in ["WhiteElo", "BlackElo"] {
        if random.u8(..4) > 0 {
            tag(name, &random.u32(1900..2800).to_string());
        }
    }
    if random.bool() {
        tag("TimeControl", pick(random, &CONTROLS));
    }
    if random.u8(..5) == 0 {
        tag("Annotator", pick(random, &["Kmoch, Hans", "Baker, Ann"]));
    }
    if random.u8(..3) == 0 {
        tag("ECO", pick(random, &["B90", "C42", "A00"]));
    }
}

/// A move that a player might make: some are looked at, and the one that does most is chosen.
fn choice(random: &mut fastrand::Rng, at: &Chess) -> Option<Move> {
    let moves = at.legal_moves();
    let tries = if moves.is_empty() { 0 } else { 3 };
    let some = (0..tries).map(|_| moves[random.usize(..moves.len())]);
    some.max_by_key(|m| {
        let mut next = at.clone();
        next.play_unchecked(*m);
        u8::from(m.is_capture())
            + 3 * u8::from(m.is_promotion())
            + 4 * u8::from(m.is_castle())
            + 4 * u8::from(m.is_en_passant())
            + 9 * u8::from(next.is_checkmate() || next.is_stalemate())
    })
}

/// Writes moves from a position, with comments and variations.
fn write_moves(
    random: &mut fastrand::Rng,
    at: &Chess,
    plies: usize,
    depth: usize,
    out: &mut String,
) {
    let mut at = at.clone();
    let (has_clocks, has_evals) = (random.u8(..3) == 0, random.u8(..3) == 0);
    let has_variations = depth < 2 && random.u8(..4) == 0;
    for ply in 0..plies {
        let Some(m) = choice(random, &at) else {
            break;
        };
        let dots = if at.turn().is_white() { "." } else { "..." };
        let san = SanPlus::from_move(at.clone(), m);
        let before = at.clone();
        // A null move now and then, where it is possible.
        let passed = (random.u8(..150) == 0).then(|| at.clone().swap_turn().ok());
        if let Some(passed) = passed.flatten().filter(|_| !at.is_check()) {
            let _ = write!(out, "{}{dots} -- ", at.fullmoves());
            at = passed;
            continue;
        }
        let _ = write!(out, "{}{dots} {san} ", at.fullmoves());
        at.play_unchecked(m);
        let mut comment = String::new();
        if depth == 0 && has_clocks && random.u8(..6) > 0 {
            let seconds = random.u32(..100);
            let _ = write!(comment, "[%clk 0:{:02}:{:02}] ", seconds / 60, seconds % 60);
        }
        if depth == 0 && has_evals && random.u8(..6) > 0 {
            let tenths = random.i32(-60..61);
            let _ = match random.u8(..20) {
                0 => write!(comment, "[%eval #{}] ", random.i32(1..5)),
                1 => write!(comment, "[%eval #-{}] ", random.i32(1..5)),
                _ => write!(comment, "[%eval {:.1}] ", f64::from(tenths) / 10.0),
            };
        }
        if random.u8(..25) == 0 {
            comment.push_str(pick(random, &COMMENTS));
        }
        if !comment.is_empty() {
            let _ = write!(out, "{{{}}} ", comment.trim_end());
        }
        if has_variations && ply > 0 && random.u8(..8) == 0 {
            out.push('(');
            let plies = random.usize(1..8);
            write_moves(random, &before, plies, depth + 1, out);
            out.push_str(") ");
        }
    }
}

/// A random game of chess as PGN.
fn chess(random: &mut fastrand::Rng, number: usize) -> String {
    let mut out = String::new();
    let result = pick(random, &RESULTS);
    tags(random, &mut out, result);
    let (variant, fen) = match number % 6 {
        0 => ("", pick(random, &ENDINGS)),
        1 => STARTS[random.usize(..STARTS.len())],
        _ => ("", ""),
    };
    if !variant.is_empty() {
        let _ = writeln!(out, "[Variant \"{variant}\"]");
    }
    let start = if fen.is_empty() {
        Chess::default()
    } else {
        let _ = writeln!(out, "[SetUp \"1\"]\n[FEN \"{fen}\"]");
        position(fen)
    };
    out.push('\n');
    let plies = if number.is_multiple_of(6) {
        random.usize(..14)
    } else {
        random.usize(..40)
    };
    write_moves(random, &start, plies, 0, &mut out);
    let _ = write!(out, "{result}\n\n");
    out
}

/// A random game of draughts.
fn of_draughts(random: &mut fastrand::Rng, number: usize) -> (Game, String) {
    let (variant, ground) = [
        ("russian", super::scene::Ground::Russian),
        ("international", super::scene::Ground::International),
    ][number % 2];
    let choices: Vec<u8> = (0..random.usize(..70)).map(|_| random.u8(..250)).collect();
    let known = plain_game(variant, random.u8(..4), choices, random.usize(..4));
    let mut text = String::new();
    tags(random, &mut text, known.written);
    text.push_str(&known.tags);
    // Its moves are none that a reader of chess understands.
    let tags = read(&format!("{text}\n*\n"), "").remove(0).tags;
    let _ = write!(text, "\n{}\n\n", known.moves);
    let scenes = known.stops.iter().enumerate().map(|(ply, stop)| {
        let played = |jumps: Option<u32>| {
            jumps.map(|jumps| PlayedMove {
                kind: '?',
                jumps,
                ..PlayedMove::default()
            })
        };
        Scene {
            ground,
            men: stop.men.clone(),
            sides: [[0, 2], [1, 3]].map(|both| both.map(|at: usize| stop.men[at].1).iter().sum()),
            turn: stop.turn,
            ply: ply as u32,
            check: false,
            mate: false,
            stalemate: false,
            next: played(stop.jumps),
            last: ply
                .checked_sub(1)
                .and_then(|before| played(known.stops[before].jumps)),
            said: Said::default(),
            seen: Vec::new(),
        }
    });
    let line = Line {
        scenes: scenes.collect(),
        positions: Vec::new(),
    };
    let game = Game {
        variant,
        tags,
        result: known.result,
        comments: Vec::new(),
        opening: None,
        file: "random-draughts.pdn",
        lines: vec![line],
    };
    (game, text)
}

/// Reads games from PGN.
fn read(text: &str, file: &'static str) -> Vec<Game> {
    let mut reader = Reader::new(Cursor::new(text));
    let mut lines = LineReader { file };
    let games = reader.read_games(&mut lines);
    games.map(|game| game.expect("a game")).collect()
}

/// The start of a game, which may have more pieces than a game could come to.
fn start_of(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    Chess::from_setup(fen.into_setup(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .expect("a position")
}

/// Takes all lines of a game.
struct LineReader {
    file: &'static str,
}

/// A line that is being read: its positions and moves.
#[derive(Clone)]
struct OpenLine {
    positions: Vec<Chess>,
    moves: Vec<Option<Move>>,
    /// How many of its moves are those of the main line.
    shared: usize,
}

struct OpenGame {
    game: Game,
    /// The main line, and variations that are open.
    open: Vec<OpenLine>,
    done: Vec<OpenLine>,
    said: Vec<Said>,
}

impl Visitor for LineReader {
    type Tags = Vec<(String, String)>;
    type Movetext = OpenGame;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Game, OpenGame> {
        let tag = |name: &str| {
            let mut tags = tags.iter();
            let found = tags.find(|(own, _)| own == name);
            found.map(|(_, value)| value.as_str())
        };
        let is_960 = tag("Variant").is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            name.contains("960") || name.contains("fischer")
        });
        let is_draughts = tag("GameType").is_some();
        let start = tag("FEN").filter(|_| !is_draughts).map(start_of);
        let result = RESULTS.into_iter().find(|own| tag("Result") == Some(own));
        let line = OpenLine {
            positions: vec![start.unwrap_or_default()],
            moves: Vec::new(),
            shared: usize::MAX,
        };
        ControlFlow::Continue(OpenGame {
            game: Game {
                variant: if is_960 { "chess960" } else { "chess" },
                tags,
                result: result.unwrap_or("*"),
                comments: Vec::new(),
                opening: None,
                file: self.file,
                lines: Vec::new(),
            },
            open: vec![line],
            done: Vec::new(),
            said: Vec::new(),
        })
    }

    fn san(&mut self, game: &mut OpenGame, san: SanPlus) -> ControlFlow<Game> {
        let line = game.open.last_mut().expect("a line");
        let at = line.positions.last().expect("a position").clone();
        let (next, m) = match san.san {
            San::Null => (at.swap_turn().expect("no check"), None),
            san => {
                let m = san.to_move(&at).expect("a legal move");
                let mut next = at;
                next.play_unchecked(m);
                (next, Some(m))
            }
        };
        line.positions.push(next);
        line.moves.push(m);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut OpenGame, comment: RawComment<'_>) -> ControlFlow<Game> {
        let text = String::from_utf8_lossy(comment.as_bytes()).into_owned();
        let depth = game.open.len();
        let plies = game.open.last().map_or(0, |line| line.moves.len());
        if depth == 1 && plies > 0 {
            game.said
                .resize(game.said.len().max(plies), Said::default());
            let said = &mut game.said[plies - 1];
            said.clock = command(&text, "clk").map(|value| {
                let parts = value
                    .split(':')
                    .map(|part| part.parse::<i64>().expect("a number"));
                parts.fold(0, |all, part| 60 * all + part)
            });
            said.eval = command(&text, "eval").map(|value| match value.strip_prefix('#') {
                // More than any number of pawns.
                Some(mate) => {
                    let moves: i64 = mate.parse().expect("a number");
                    moves.signum() * (1 << 40) - moves
                }
                None => (value.parse::<f64>().expect("a number") * 100.0).round() as i64,
            });
        }
        game.game.comments.push(text);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, game: &mut OpenGame) -> ControlFlow<Game, Skip> {
        let mut line = game.open.last().expect("a line").clone();
        line.positions.pop();
        line.moves.pop();
        line.shared = line.shared.min(line.moves.len());
        game.open.push(line);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, game: &mut OpenGame) -> ControlFlow<Game> {
        let line = game.open.pop().expect("a variation");
        game.done.push(line);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut open: OpenGame) -> Game {
        let main = open.open.remove(0);
        // What was lost, from one evaluation to the next.
        for at in 1..open.said.len() {
            let limited = |value: i64| value.clamp(-1000, 1000);
            let [before, after] = [at - 1, at].map(|at| open.said[at].eval.map(limited));
            let sign = if main.positions[at].turn().is_white() {
                1
            } else {
                -1
            };
            open.said[at].loss = before
                .zip(after)
                .map(|(before, after)| sign * (before - after));
        }
        let mut game = open.game;
        game.opening = opening(&main.positions);
        for line in std::iter::once(&main).chain(&open.done) {
            let shared = open.said.len().min(line.shared);
            game.lines.push(Line::of_chess(
                &line.positions,
                &line.moves,
                &open.said[..shared],
            ));
        }
        game
    }
}

/// The code of an opening as a number, and its name.
fn opening(line: &[Chess]) -> Option<(i64, String)> {
    let (code, name) = last_name(line.iter())?;
    let digits: i64 = code[1..].parse().expect("digits");
    Some((i64::from(code.as_bytes()[0] - b'A') * 100 + digits, name))
}

/// The value of a command in a comment.
fn command<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("[%{name} "))?;
    rest.split_once(']').map(|(value, _)| value)
}

/// A position as FEN.
pub(super) fn fen(at: &Chess) -> String {
    Fen::try_from_setup(at.to_setup(EnPassantMode::Legal))
        .expect("a position")
        .to_string()
}
