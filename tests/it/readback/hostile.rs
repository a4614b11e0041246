//! Games that no person writes: numbers at the limits of every type, deep variations, odd
//! letters, and clean moves in between. The same seed gives the same games.

use std::fmt::Write as _;

use plydex::games::draughts::rows::ALL as KINDS;

use crate::{signature::short_game, support::vector};

/// Numbers at the limits of types, and beyond all of them.
const NUMBERS: &[&str] = &[
    "0",
    "00",
    "1",
    "-1",
    "7",
    "139",
    "255",
    "256",
    "-256",
    "32767",
    "32768",
    "65535",
    "65536",
    "65537",
    "70000",
    "500000",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000000000000000000000000",
    "0000000000000000000000000000007",
    "1e30",
    "0.5",
    "-0.00",
    "99999.999",
    "+1",
    "1.7976931348623157e309",
];

/// Letters that mean something to one program or another.
const ODD: &[&str] = &[
    "é",
    "ß",
    "Ω",
    "Ж",
    "炮",
    "𝄞",
    "🙂",
    "e\u{301}",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "\u{a0}",
    "\u{85}",
    "\u{2028}",
    "⟨0⟩",
    "⟨…⟩",
    "½",
    "…",
    "−",
    "‑",
    "№",
    "\u{fffd}",
    "\u{1}",
    "\u{1b}[31m",
    "\u{7f}",
    "\t",
    "\\",
    "\"",
    "'",
    "<",
    ">",
    "&amp;",
    "&nbsp;",
    "%",
    "#",
    "$",
    "$$",
    "$65536",
    "~",
    "|",
    "`",
    "=",
    "+",
    "*",
    "1-0",
];

const WORDS: &[&str] = &[
    "won",
    "sharp",
    "e4",
    "Nf3",
    "O-O",
    "1.",
    "12...",
    "pv=Nf3 d5,",
    "d=65536,",
    "mb=+1-1+0,",
    "book",
    "White",
    "0-0",
    "1/2-1/2",
    "N",
    "D",
    "--",
    "Z0",
    "(",
    ")",
    "]",
    "{",
    ";",
    "a} b",
    "%x",
];

/// The counters of a start position, at the end of its tags.
const COUNTERS: &str = " 0 1\"]\n";

/// Where the dice stand.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0dd_ba11)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// True once in that many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn number(&mut self) -> &'static str {
        self.pick(NUMBERS)
    }
}

/// A line of play by which games are made.
pub(super) struct Line {
    /// The tags that say what is played from where.
    tags: String,
    moves: Vec<String>,
}

/// Lines of all kinds of games.
pub(super) fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for row in vector("random_games.tsv").lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [variant, fen, _, moves, ..] = columns[..] else {
            panic!("{row}");
        };
        let tags = format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        let moves = moves.split(' ').take(24).map(str::to_owned).collect();
        lines.push(Line { tags, moves });
    }
    let mut state = 11;
    for kind in KINDS {
        let game = short_game(kind, 1, &mut state);
        let tags = format!("[Variant \"{}\"]\n", kind.name);
        let movetext = game.split("\n\n").find(|part| part.starts_with("1. "));
        let words = movetext.expect("movetext").split_whitespace();
        let is_move = |word: &&str| {
            let is_sign = |sign: char| sign == '-' || sign == 'x';
            word.contains(is_sign)
                && !word.contains(['{', '(', '/'])
                && !matches!(*word, "1-0" | "0-1")
        };
        let moves = words.filter(is_move).take(24).map(str::to_owned).collect();
        lines.push(Line { tags, moves });
    }
    lines
}

/// A game of a line.
pub(super) fn game(dice: &mut Dice, lines: &[Line]) -> String {
    let line = &lines[dice.below(lines.len())];
    let mut text = String::new();
    tags(dice, line, &mut text);
    // A few moves do not tell their game.
    let plies = line.moves.len().min(6 + dice.below(line.moves.len()));
    if dice.once_in(8) {
        let _ = write!(text, "{{{}}} ", words(dice, true));
    }
    // Numbers that go on from one of the limits are those of no other text.
    let is_numbered = text.contains(COUNTERS.trim_end()) || !text.contains("[FEN ");
    stretch(dice, &line.moves[..plies], (0, 0, is_numbered), &mut text);
    if dice.once_in(12) {
        let odd = ["Qz9", "xyz", "e4 e4 e4", "99-98", "??", "a1", "$"];
        let _ = write!(text, "{} ", dice.pick(&odd));
    }
    if !dice.once_in(8) {
        text.push_str(dice.pick(&["*", "1-0", "0-1", "1/2-1/2", "0-0", "2-0", "1-1"]));
    }
    text.push_str("\n\n");
    text
}

fn tags(dice: &mut Dice, line: &Line, text: &mut String) {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', r"\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
        if dice.once_in(4) {
            continue;
        }
        let value = match name {
            "Date" => format!(
                "{}.{}.{}",
                dice.number(),
                dice.pick(&["??", "02", "13"]),
                dice.number()
            ),
            "Result" => dice
                .pick(&["*", "1-0", "0-1", "1/2-1/2", "2-0", "0-0", "12-0", ""])
                .to_owned(),
            "Round" => format!("{}.{}", dice.number(), dice.number()),
            _ => words(dice, false),
        };
        tag(name, &value);
    }
    for name in [
        "WhiteElo",
        "BlackElo",
        "PlyCount",
        "TimeControl",
        "ECO",
        "UTCDate",
        "UTCTime",
        "WhiteFideId",
        "EventDate",
        "Annotator",
        "Board",
        "WhiteClock",
        "WhiteRating",
        "Note",
        "+Note",
        "A|B",
        "+A|B",
        "x-y",
        "x_1",
        "1st",
        "Été",
        "event",
        "WHITE",
        "Note",
    ] {
        if dice.once_in(6) {
            let value = if dice.once_in(3) {
                words(dice, false)
            } else {
                dice.number().to_owned()
            };
            tag(name, &value);
        }
    }
    let with_counters = line.tags.strip_suffix(COUNTERS).filter(|_| dice.once_in(5));
    let _ = match with_counters {
        Some(tags) => writeln!(text, "{tags} {} {}\"]\n", dice.number(), dice.number()),
        None => writeln!(text, "{}", line.tags),
    };
}

/// Moves with all that can stand between them, from a ply on.
fn stretch(
    dice: &mut Dice,
    moves: &[String],
    (first, depth, is_numbered): (usize, usize, bool),
    text: &mut String,
) {
    for (at, word) in moves.iter().enumerate() {
        let ply = first + at;
        if !is_numbered {
            // All moves follow each other.
        } else if ply.is_multiple_of(2) {
            let _ = match dice.below(24) {
                0 => write!(text, "{}. ", dice.number()),
                1 => Ok(()),
                _ => write!(text, "{}. ", ply / 2 + 1),
            };
        } else if at == 0 {
            let _ = write!(text, "{}... ", ply / 2 + 1);
        }
        let _ = write!(text, "{word} ");
        if dice.once_in(5) {
            glyph(dice, is_numbered, text);
        }
        if dice.once_in(5) {
            let _ = write!(text, "{{{}}} ", words(dice, true));
        }
        if dice.once_in(40) {
            let line = words(dice, false).replace(['\n', '\r', '\u{85}', '\u{2028}'], " ");
            let _ = writeln!(text, ";{line}");
        }
        if dice.once_in(9) && depth < 6 {
            // What was played is a variation, too.
            let plies = 1 + dice.below(5);
            let end = moves.len().min(at + plies);
            text.push('(');
            stretch(dice, &moves[at..end], (ply, depth + 1, is_numbered), text);
            if dice.once_in(9) {
                let _ = write!(
                    text,
                    "{} ",
                    dice.pick(&["Qz9", "novelty", "$65536", "1-0", "99-98"])
                );
            }
            text.push_str(") ");
        }
        text.push(if dice.once_in(9) { '\n' } else { ' ' });
    }
}

fn glyph(dice: &mut Dice, is_numbered: bool, text: &mut String) {
    let number = dice.number();
    let is_of_squares = !text.contains("[FEN ") || text.contains("flipello");
    let _ = match dice.below(4) {
        // Where moves are squares, signs stand between them, or belong to a result.
        _ if number.starts_with(['-', '+']) && is_of_squares => Ok(()),
        // The rest is a number of a move, which stands in no order with the others.
        _ if number.contains('.') && !is_numbered => Ok(()),
        0 => write!(
            text,
            "{} ",
            dice.pick(&["!", "?", "!!", "?!!", "±", "+-", "⩲", "=", "~"])
        ),
        _ => write!(text, "${number} "),
    };
}

/// Words that can stand in a comment, or in a tag.
fn words(dice: &mut Dice, is_comment: bool) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(6) {
        let number = dice.number();
        let _ = match dice.below(12) {
            0 => write!(text, "[%clk {number}:{}:{}]", dice.number(), dice.number()),
            1 => write!(text, "[%clk 1:{}:30.{number}]", dice.number()),
            2 => write!(text, "[%eval {number},{}]", dice.number()),
            3 => write!(text, "[%eval #{number}]"),
            4 => write!(text, "[%csl Ga{number},Rb2][%cal Gd{number}d5,Re1e8]"),
            5 => write!(text, "[%emt {number}]"),
            6 | 7 => write!(text, "{}", dice.pick(ODD)),
            8 => write!(text, "{number}"),
            9 if is_comment => writeln!(text),
            _ => write!(text, "{}", dice.pick(WORDS)),
        };
        if dice.once_in(2) {
            text.push(' ');
        }
    }
    if is_comment {
        text = text.replace('}', ")");
    }
    text
}
