//! Conditions on games: texts and what they mean, by the tags and lines of a game.

use std::sync::Arc;

use shakmaty::{Chess, Position, san::San};

use super::super::game::{RESULTS, STARTS, start};
use super::corpus::fen;
use super::scene::{Game, Line, Said};

type Check = Arc<dyn Fn(usize, &Game, &Line) -> bool>;

/// A condition on games: names with their values, all of one condition.
#[derive(Clone)]
pub(super) struct Fact {
    pub(super) parts: Vec<(String, String)>,
    check: Check,
}

impl std::fmt::Debug for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl Fact {
    fn new(
        name: &str,
        value: String,
        check: impl Fn(usize, &Game, &Line) -> bool + 'static,
    ) -> Self {
        Self {
            parts: vec![(name.to_owned(), value)],
            check: Arc::new(check),
        }
    }

    /// The same of the game alone.
    fn of_game(name: &str, value: String, check: impl Fn(&Game) -> bool + 'static) -> Self {
        Self::new(name, value, move |_, game, _| check(game))
    }

    pub(super) fn text(&self) -> String {
        let one = |(name, value): &(String, String)| {
            let is_plain = value
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-.:=/*#,".contains(c));
            let value = if is_plain && !value.is_empty() {
                value.clone()
            } else {
                format!("\"{value}\"")
            };
            format!("{name}:{value}")
        };
        self.parts.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    /// Its first name.
    pub(super) fn name(&self) -> &str {
        &self.parts[0].0
    }

    pub(super) fn holds(&self, number: usize, game: &Game, line: &Line) -> bool {
        (self.check)(number, game, line)
    }

    /// Whether it names a position that a game reaches.
    pub(super) fn is_position(&self) -> bool {
        matches!(self.name(), "fen" | "moves")
    }

    /// The variant that it names.
    pub(super) fn of_variant(name: &'static str) -> Self {
        Self::of_game("variant", name.to_owned(), move |game| game.variant == name)
    }
}

/// Whether a text has every word of another.
fn has_words(value: &str, words: &str) -> bool {
    let value = value.to_lowercase();
    let words = words.to_lowercase();
    let mut words = words.split([' ', ',']).filter(|word| !word.is_empty());
    words.all(|word| value.contains(word))
}

fn pick<T: Copy>(random: &mut fastrand::Rng, from: &[T]) -> T {
    from[random.usize(..from.len())]
}

/// Ranges in a smaller unit that each number has that many of, and in one of the forms that are read.
fn ranges(
    random: &mut fastrand::Rng,
    (least, most): (i64, i64),
    unit: i64,
    name: &dyn Fn(i64) -> String,
) -> (Vec<(i64, i64)>, String) {
    let (mut all, mut texts) = (Vec::new(), Vec::new());
    for _ in 0..if random.u8(..4) == 0 { 2 } else { 1 } {
        let (one, other) = (random.i64(least..=most), random.i64(least..=most));
        let (from, to) = (one.min(other), one.max(other));
        let [first, last] = [from, to].map(name);
        let (from, to) = (from * unit, to * unit);
        let (range, text) = match random.u8(..9) {
            0 => ((from, from), first),
            // Where numbers have signs a hyphen is a minus.
            1 if least >= 0 => ((from, to), format!("{first}-{last}")),
            2 => ((from, i64::MAX), format!(">={first}")),
            3 => ((from + 1, i64::MAX), format!(">{first}")),
            4 => ((i64::MIN, to), format!("<={last}")),
            5 => ((i64::MIN, to - 1), format!("<{last}")),
            6 => ((from, i64::MAX), format!("{first}..")),
            7 => ((i64::MIN, to), format!("..{last}")),
            _ => ((from, to), format!("{first}..{last}")),
        };
        all.push(range);
        texts.push(text);
    }
    (all, texts.join(","))
}

fn is_in(ranges: &[(i64, i64)], value: i64) -> bool {
    ranges
        .iter()
        .any(|(from, to)| *from <= value && value <= *to)
}

/// A rating that is known.
fn rating(game: &Game, side: &str) -> Option<i64> {
    game.tag(side)?.parse().ok()
}

/// A name, which a game has in one of some tags.
fn of_name(random: &mut fastrand::Rng) -> Fact {
    let name = pick(
        random,
        &["player", "white", "black", "won", "lost", "event", "site"],
    );
    let players = [
        "adams",
        "Ann",
        "čapek, jan",
        "ZAITSEV",
        "fischer",
        "Morphy, Paul",
        "anderssen",
        "quist",
        "robert",
        "unknown",
        "Paul Morphy",
        "an",
    ];
    let places = [
        "linares", "casual", "rated", "cup brno", "London", "lichess", "world", "of", "game",
    ];
    let is_place = matches!(name, "event" | "site");
    let words = if is_place {
        pick(random, &places)
    } else {
        pick(random, &players)
    };
    Fact::of_game(name, words.to_owned(), move |game| {
        let has = |tag: &str| game.tag(tag).is_some_and(|value| has_words(value, words));
        match name {
            "white" => has("White"),
            "black" => has("Black"),
            "event" => has("Event"),
            "site" => has("Site"),
            "won" => game.result == "1-0" && has("White") || game.result == "0-1" && has("Black"),
            "lost" => game.result == "1-0" && has("Black") || game.result == "0-1" && has("White"),
            _ => has("White") || has("Black"),
        }
    })
}

/// A day as a number, from parts that are zero where they are not known: the first or the last that
/// it can be.
fn day(parts: [i64; 3], is_last: bool) -> i64 {
    let [year, month, day] = parts;
    let month = if month > 0 {
        month
    } else if is_last {
        12
    } else {
        1
    };
    let day = if day > 0 {
        day
    } else if is_last {
        31
    } else {
        1
    };
    year * 10_000 + month * 100 + day
}

/// The year, month and day of a game; zero where they are not known.
fn date_of(game: &Game) -> [i64; 3] {
    let mut parts = game.tag("Date").unwrap_or("").split('.');
    [(); 3].map(|()| parts.next().and_then(|part| part.parse().ok()).unwrap_or(0))
}

fn of_date(random: &mut fastrand::Rng) -> Fact {
    if random.u8(..4) == 0 {
        let (months, text) = ranges(random, (2, 11), 1, &|month| month.to_string());
        return Fact::of_game("month", text, move |game| {
            let [year, month, _] = date_of(game);
            year > 0 && month > 0 && is_in(&months, month)
        });
    }
    let mut date = || {
        let parts = [random.i64(1968..2002), random.i64(1..13), random.i64(1..29)];
        match random.u8(..3) {
            0 => ([parts[0], 0, 0], format!("{}", parts[0])),
            1 => (
                [parts[0], parts[1], 0],
                format!("{}-{:02}", parts[0], parts[1]),
            ),
            _ => (
                parts,
                format!("{}-{:02}-{:02}", parts[0], parts[1], parts[2]),
            ),
        }
    };
    let (mut one, mut other) = (date(), date());
    if day(one.0, false) > day(other.0, false) {
        std::mem::swap(&mut one, &mut other);
    }
    let ((from, first), (to, last)) = (one, other);
    let (range, text) = match random.u8(..5) {
        0 => ((day(from, false), day(from, true)), first),
        1 => ((day(from, false), i64::MAX), format!("{first}..")),
        2 => ((0, day(to, true)), format!("..{last}")),
        3 => ((day(from, false), i64::MAX), format!(">={first}")),
        _ if day(from, false) <= day(to, true) => (
            (day(from, false), day(to, true)),
            format!("{first}..{last}"),
        ),
        _ => ((day(to, false), day(to, true)), last),
    };
    Fact::of_game("date", text, move |game| {
        let date = date_of(game);
        date[0] > 0 && day(date, false) <= range.1 && range.0 <= day(date, true)
    })
}

fn of_rating(random: &mut fastrand::Rng) -> Fact {
    let name = pick(random, &["elo", "welo", "belo", "melo", "diff"]);
    let bounds = if name == "diff" {
        (0, 900)
    } else {
        (1850, 2850)
    };
    let (asked, text) = ranges(random, bounds, 1, &|elo| elo.to_string());
    Fact::of_game(name, text, move |game| {
        let both = [rating(game, "WhiteElo"), rating(game, "BlackElo")];
        let known = both[0].zip(both[1]);
        match name {
            "welo" => both[0].is_some_and(|elo| is_in(&asked, elo)),
            "belo" => both[1].is_some_and(|elo| is_in(&asked, elo)),
            "melo" => known.is_some_and(|(one, other)| is_in(&asked, i64::midpoint(one, other))),
            "diff" => known.is_some_and(|(one, other)| is_in(&asked, (one - other).abs())),
            _ => both
                .iter()
                .all(|elo| elo.is_some_and(|elo| is_in(&asked, elo))),
        }
    })
}

fn of_opening(random: &mut fastrand::Rng) -> Fact {
    if random.u8(..4) == 0 {
        let words = [
            "sicilian",
            "defense",
            "gambit",
            "ruy lopez",
            "game",
            "opening",
            "attack",
        ];
        let mut texts = vec![pick(random, &words)];
        if random.u8(..3) == 0 {
            texts.push(pick(random, &words));
        }
        return Fact::of_game("opening", texts.join(" | "), move |game| {
            game.opening
                .as_ref()
                .is_some_and(|(_, name)| texts.iter().any(|text| has_words(name, text)))
        });
    }
    let code = |code: i64| format!("{}{:02}", char::from(b'A' + (code / 100) as u8), code % 100);
    let (asked, text) = match random.u8(..4) {
        0 => {
            let letter = random.i64(0..5);
            let name = char::from(b'A' + letter as u8).to_string();
            (vec![(letter * 100, letter * 100 + 99)], name)
        }
        1 => {
            let ten = random.i64(0..50);
            (
                vec![(ten * 10, ten * 10 + 9)],
                code(ten * 10)[..2].to_owned(),
            )
        }
        _ => ranges(random, (0, 499), 1, &code),
    };
    Fact::of_game("eco", text, move |game| {
        game.opening
            .as_ref()
            .is_some_and(|(code, _)| is_in(&asked, *code))
    })
}

/// The class of a time control: the time for forty moves.
fn class(game: &Game) -> &'static str {
    match game.tag("TimeControl").unwrap_or("?") {
        "15" => "ultrabullet",
        "60+1" => "bullet",
        "180+2" => "blitz",
        "600+5" => "rapid",
        "5400+30" | "40/7200:3600" => "classical",
        "1/86400" => "correspondence",
        _ => "unknown",
    }
}

/// One of a few words, or several.
fn list(random: &mut fastrand::Rng, words: &[&'static str]) -> Vec<&'static str> {
    let mut some: Vec<_> = (0..random.usize(1..3))
        .map(|_| pick(random, words))
        .collect();
    some.dedup();
    some
}

fn of_list(random: &mut fastrand::Rng, variants: &[&'static str]) -> Fact {
    let name = pick(random, &["result", "variant", "time", "mode"]);
    let listed = match name {
        "result" => list(random, &RESULTS),
        "variant" => list(random, variants),
        "time" => list(
            random,
            &[
                "ultrabullet",
                "bullet",
                "blitz",
                "rapid",
                "classical",
                "correspondence",
                "unknown",
            ],
        ),
        _ => vec![pick(random, &["casual", "rated"])],
    };
    Fact::of_game(name, listed.join(","), move |game| {
        listed.contains(&match name {
            "result" => game.result,
            "variant" => game.variant,
            "time" => class(game),
            _ if has_words(game.tag("Event").unwrap_or(""), "casual") => "casual",
            _ => "rated",
        })
    })
}

fn of_text(random: &mut fastrand::Rng) -> Fact {
    let name = pick(
        random,
        &[
            "comment",
            "annotator",
            "round",
            "has",
            "file",
            "tag.Site",
            "tag.ECO",
            "whole",
        ],
    );
    match name {
        "comment" => {
            let words = pick(
                random,
                &[
                    "blunder",
                    "best move",
                    "zugzwang",
                    "white before",
                    "trouble",
                    "pieces",
                ],
            );
            Fact::of_game(name, words.to_owned(), move |game| {
                game.comments
                    .iter()
                    .any(|comment| has_words(comment, words))
            })
        }
        "round" => {
            let round = pick(random, &["1", "2", "10", "1.2", "4.6"]);
            Fact::of_game(name, round.to_owned(), move |game| {
                game.tag("Round") == Some(round)
            })
        }
        "has" => {
            let tag = pick(
                random,
                &[
                    "Annotator",
                    "WhiteElo",
                    "TimeControl",
                    "FEN",
                    "Round",
                    "ECO",
                ],
            );
            Fact::of_game(name, tag.to_owned(), move |game| game.tag(tag).is_some())
        }
        "file" => {
            let part = pick(
                random,
                &["random-chess", "real-chess", "draughts", "nowhere"],
            );
            Fact::of_game(name, part.to_owned(), move |game| game.file.contains(part))
        }
        "whole" => {
            let (tag, value) = pick(
                random,
                &[
                    ("Event", "linares"),
                    ("White", "Baker, Ann"),
                    ("Site", "London"),
                    ("ECO", "c42"),
                ],
            );
            Fact::of_game(&format!("tag.{tag}"), format!("={value}"), move |game| {
                game.tag(tag)
                    .is_some_and(|own| own.eq_ignore_ascii_case(value))
            })
        }
        _ => {
            let (tag, words) = match name {
                "annotator" => ("Annotator", pick(random, &["kmoch", "ann", "unknown"])),
                "tag.Site" => ("Site", pick(random, &["on", "London ENG", "lichess"])),
                _ => ("ECO", pick(random, &["B", "90", "C4"])),
            };
            Fact::of_game(name, words.to_owned(), move |game| {
                game.tag(tag).is_some_and(|value| has_words(value, words))
            })
        }
    }
}

fn of_numbers(random: &mut fastrand::Rng, games: usize) -> Fact {
    let name = pick(random, &["plies", "games"]);
    let most = if name == "plies" {
        70
    } else {
        games as i64 + 5
    };
    let (asked, text) = ranges(random, (1, most), 1, &|number| number.to_string());
    Fact::new(name, text, move |number, game, _| match name {
        "plies" => is_in(&asked, game.plies().into()),
        _ => is_in(&asked, number as i64),
    })
}

/// What comments say of some move of the main line.
fn of_move(random: &mut fastrand::Rng) -> Fact {
    let mut names = vec!["clock", "eval", "loss"];
    random.shuffle(&mut names);
    names.truncate(if random.u8(..3) == 0 { 2 } else { 1 });
    let mut parts = Vec::new();
    let mut checks: Vec<(&str, Vec<(i64, i64)>)> = Vec::new();
    for name in names {
        let tenths = |value: i64| format!("{}", value as f64 / 10.0);
        let (asked, text) = match name {
            "clock" => ranges(random, (0, 100), 1000, &|seconds| seconds.to_string()),
            _ => ranges(random, (-60, 60), 10, &tenths),
        };
        checks.push((name, asked));
        parts.push((name.to_owned(), text));
    }
    Fact {
        parts,
        check: Arc::new(move |_, game, _| {
            let fits = |said: &Said| {
                checks.iter().all(|(name, asked)| {
                    let value = match *name {
                        "clock" => said.clock.map(|seconds| seconds * 1000),
                        "eval" => said.eval,
                        _ => said.loss,
                    };
                    value.is_some_and(|value| is_in(asked, value))
                })
            };
            game.lines[0].scenes.iter().any(|scene| fits(&scene.said))
        }),
    }
}

/// A position with rights: those of chess that are equal in all of it.
fn is_same(one: &Chess, other: &Chess) -> bool {
    one.board() == other.board()
        && one.turn() == other.turn()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && one.legal_ep_square() == other.legal_ep_square()
}

fn of_position(random: &mut fastrand::Rng, games: &[Game]) -> Fact {
    let chess: Vec<&Game> = games.iter().filter(|game| game.is_chess()).collect();
    let positions = &pick(random, &chess).lines[0].positions;
    match random.u8(..3) {
        0 => {
            let number = random.usize(..STARTS.len());
            let (at, text) = match STARTS[number].1 {
                "" => (Chess::default(), "startpos".to_owned()),
                text => (start(number), text.to_owned()),
            };
            Fact::of_game("start", text, move |game| {
                game.lines[0]
                    .positions
                    .first()
                    .is_some_and(|first| is_same(first, &at))
            })
        }
        1 => {
            let at = positions[random.usize(..positions.len().min(12))].clone();
            Fact::new("fen", fen(&at), move |_, _, line| {
                line.positions.iter().any(|own| is_same(own, &at))
            })
        }
        _ => {
            let (mut at, mut words) = (Chess::default(), Vec::new());
            for _ in 0..random.usize(1..4) {
                let moves = ["e4", "e5", "d4", "c5", "Nf3", "Nc6", "d5", "Bb5", "a6"];
                let legal = moves.iter().filter_map(|word| {
                    let san: San = word.parse().ok()?;
                    Some((*word, san.to_move(&at).ok()?))
                });
                let legal: Vec<_> = legal.collect();
                let (word, m) = pick(random, &legal);
                words.push(word);
                at.play_unchecked(m);
            }
            Fact::new("moves", words.join(" "), move |_, _, line| {
                line.positions.iter().any(|own| is_same(own, &at))
            })
        }
    }
}

/// What conditions may be about.
#[derive(Clone, Copy)]
pub(super) struct Scope<'g> {
    pub(super) games: &'g [Game],
    /// The variants that may be named.
    pub(super) variants: &'g [&'static str],
    /// Whether positions of chess may be.
    pub(super) has_positions: bool,
}

/// A random condition.
pub(super) fn random(random: &mut fastrand::Rng, scope: Scope<'_>) -> Fact {
    match random.u8(..20) {
        0..4 => of_name(random),
        4..6 => of_date(random),
        6..8 => of_rating(random),
        8..10 => of_opening(random),
        10..12 => of_list(random, scope.variants),
        15 => of_numbers(random, scope.games.len()),
        16..18 => of_move(random),
        18..20 if scope.has_positions => of_position(random, scope.games),
        _ => of_text(random),
    }
}
