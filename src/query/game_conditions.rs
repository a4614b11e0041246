//! The conditions on games: one row for each, which makes its word in a query, its option and its
//! parameter in an address.

use super::{
    GameCondition, MoveFilter, NameField, PlayerScore, ProblemField, RatingField, ValueError, read,
};

/// What several values of an option or a parameter mean together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// They are one list, with this between them: one of them must fit.
    List(&'static str),
    /// Each is a condition of its own.
    All,
    /// They are about one and the same move.
    Move,
}

/// How the option of a condition is described.
#[derive(Debug, Clone, Copy)]
pub struct OptionHelp {
    /// What its value is.
    pub value: &'static str,
    /// A line.
    pub line: &'static str,
    /// What else is to be known; empty if nothing is.
    pub details: &'static str,
    /// Former names of the option.
    pub former: &'static [&'static str],
    /// Whether a value may begin with a hyphen.
    pub takes_hyphens: bool,
    /// Whether the help lists it.
    pub is_listed: bool,
}

/// A condition on games.
#[derive(Debug, Clone, Copy)]
pub struct ConditionDefinition {
    /// Its name.
    pub name: &'static str,
    /// Reads its value.
    pub read: fn(&str) -> Result<GameCondition, ValueError>,
    /// What several values mean.
    pub repetition: Repetition,
    /// Its option; `None` if the condition has none of its own.
    pub option: Option<OptionHelp>,
    /// Values that it takes.
    pub examples: &'static [&'static str],
}

/// The condition of a name, in small letters.
pub fn find(name: &str) -> Option<&'static ConditionDefinition> {
    GAME_CONDITIONS.iter().find(|row| row.name == name)
}

/// A condition whose values are ranges.
const fn ranges(
    name: &'static str,
    repetition: Repetition,
    line: &'static str,
    read: fn(&str) -> Result<GameCondition, ValueError>,
    examples: &'static [&'static str],
) -> ConditionDefinition {
    row(name, repetition, ("RANGE", line), read, examples).takes_hyphens()
}

/// A condition with an option that has no details.
const fn row(
    name: &'static str,
    repetition: Repetition,
    (value, line): (&'static str, &'static str),
    read: fn(&str) -> Result<GameCondition, ValueError>,
    examples: &'static [&'static str],
) -> ConditionDefinition {
    ConditionDefinition {
        name,
        read,
        repetition,
        option: Some(OptionHelp {
            value,
            line,
            details: "",
            former: &[],
            takes_hyphens: false,
            is_listed: true,
        }),
        examples,
    }
}

impl ConditionDefinition {
    const fn details(mut self, text: &'static str) -> Self {
        if let Some(option) = &mut self.option {
            option.details = text;
        }
        self
    }

    const fn former(mut self, names: &'static [&'static str]) -> Self {
        if let Some(option) = &mut self.option {
            option.former = names;
        }
        self
    }

    const fn takes_hyphens(mut self) -> Self {
        if let Some(option) = &mut self.option {
            option.takes_hyphens = true;
        }
        self
    }

    #[cfg(test)]
    const fn unlisted(mut self) -> Self {
        if let Some(option) = &mut self.option {
            option.is_listed = false;
        }
        self
    }

    const fn without_option(mut self) -> Self {
        self.option = None;
        self
    }
}

use GameCondition as Is;
use Repetition::{All, List, Move};

const COMMA: Repetition = List(",");

/// All of them, in the order in which they are listed.
pub const GAME_CONDITIONS: &[ConditionDefinition] = &[
    ranges(
        "games",
        COMMA,
        "Numbers of games: 17, 20..25, 100..; several with commas",
        |text| read::ranges(text, &read::GAMES).map(Is::Number),
        &["1..3", "2,5", "..4"],
    ),
    row(
        "file",
        All,
        ("NAME", "Source file name, or part of it"),
        |text| read::words(text).map(Is::File),
        &["pgn", "pdn"],
    )
    .former(&["from-file"]),
    row(
        "player",
        All,
        ("NAME", "Name or FIDE ID of either player; repeat to require both"),
        |text| read::name(NameField::Player, text),
        &["fischer", "Spassky, Boris"],
    ),
    row(
        "white",
        All,
        ("NAME", "Name of White, part of it, or FIDE ID"),
        |text| read::name(NameField::White, text),
        &["fischer", "lasker"],
    ),
    row(
        "black",
        All,
        ("NAME", "Name of Black, part of it, or FIDE ID"),
        |text| read::name(NameField::Black, text),
        &["spassky", "capablanca"],
    ),
    row(
        "won",
        All,
        ("NAME", "Name of the player who won, part of it, or FIDE ID"),
        |text| read::words(text).map(|text| Is::Score(PlayerScore::Won, text)),
        &["fischer", "lasker"],
    ),
    row(
        "lost",
        All,
        ("NAME", "Name of the player who lost, part of it, or FIDE ID"),
        |text| read::words(text).map(|text| Is::Score(PlayerScore::Lost, text)),
        &["spassky"],
    ),
    row(
        "event",
        All,
        ("NAME", "Name of the event, or part of it"),
        |text| read::name(NameField::Event, text),
        &["world", "championship"],
    ),
    row(
        "site",
        All,
        ("NAME", "Name of the site, or part of it"),
        |text| read::name(NameField::Site, text),
        &["london", "reykjavik"],
    ),
    row(
        "composer",
        All,
        ("NAME", "Chess problems: name of a composer; twice for a joint problem"),
        |text| read::name(NameField::Composer, text),
        &["plydex"],
    )
    .former(&["author"]),
    row(
        "stipulation",
        All,
        ("TEXT", "Chess problems: #2, h#3.5, `mate in 3` …; h# for any number"),
        read::stipulation,
        &["#2", "h#"],
    )
    .takes_hyphens()
    .details("All its spellings match. A text that is not a stipulation finds those that contain it."),
    row(
        "source",
        All,
        ("NAME", "Chess problems: where printed, or part of it"),
        |text| read::words(text).map(|text| Is::Problem(ProblemField::Source, text)),
        &["samples"],
    ),
    row(
        "condition",
        All,
        ("NAME", "Chess problems: a fairy condition, or part of it"),
        |text| read::words(text).map(|text| Is::Problem(ProblemField::Condition, text)),
        &["circe"],
    ),
    row(
        "keyword",
        All,
        ("NAME", "Chess problems: a theme, or part of it"),
        |text| read::words(text).map(|text| Is::Problem(ProblemField::Keyword, text)),
        &["task"],
    ),
    row(
        "result",
        COMMA,
        ("RESULT", "1-0, 0-1, 1/2-1/2, *, or several"),
        read::results,
        &["1-0", "0-1,1/2-1/2", "white", "*"],
    )
    .details(
        "The words white, black and draw mean 1-0, 0-1 and 1/2-1/2. Several results are separated by \
         commas.",
    )
    .former(&["winner"]),
    ranges(
        "date",
        COMMA,
        "Date: 2019, 2019-05, 2010..2019 or 2010..",
        |text| read::dates(text).map(Is::Date),
        &["1972", "1900..1950", "1900-1950", "1972-07..", "..1950", ">=1950", "1972.7.11"],
    ),
    ranges(
        "month",
        COMMA,
        "Month, if it is known: 12 or 6..8",
        read::months,
        &["7", "6..8", "1,12"],
    ),
    ranges(
        "elo",
        COMMA,
        "Ratings of both players: 2600.. or 2400..2500",
        |text| read::rating(RatingField::Both, text),
        &["2000..", "2000-2700", "..2800"],
    ),
    ranges(
        "welo",
        COMMA,
        "Rating of White",
        |text| read::rating(RatingField::White, text),
        &["2000..", ">2000"],
    ),
    ranges(
        "belo",
        COMMA,
        "Rating of Black",
        |text| read::rating(RatingField::Black, text),
        &["2000..", "<2800"],
    ),
    ranges(
        "melo",
        COMMA,
        "Mean rating of both players",
        |text| read::rating(RatingField::Mean, text),
        &["2000.."],
    ),
    ranges(
        "diff",
        COMMA,
        "Difference of the ratings, in either direction",
        |text| read::rating(RatingField::Difference, text),
        &["0..100", "50.."],
    ),
    row(
        "eco",
        COMMA,
        ("ECO", "ECO codes: C42, B20..B99 or B; several with commas"),
        |text| read::codes(text).map(Is::Eco),
        &["C", "B2..B9", "D0-D9", "A00,E99"],
    )
    .details(
        "The opening is that of the game's positions, whatever its tag ECO says; --tag ECO=C42 searches \
         the tag.",
    ),
    row(
        "opening",
        List("|"),
        ("NAME", "Words of an opening's name; with several, any of them"),
        read::opening,
        &["sicilian", "ruy lopez"],
    )
    .details("As in `plydex eco`: najdorf, \"king's indian\". Accents and case do not matter."),
    row(
        "variant",
        COMMA,
        ("NAME", "Variant: chess, russian …; several with commas"),
        read::variants,
        &["chess", "chess,chess960", "russian"],
    )
    .details("`plydex variants` lists all of them."),
    row(
        "time",
        COMMA,
        ("CLASS", "Time control: bullet, blitz, rapid …; several with commas"),
        read::time_classes,
        &["classical", "blitz,unknown"],
    )
    .details(
        "ultrabullet is less than half a minute for 40 moves, bullet less than 3 minutes, blitz less than \
         8, rapid less than 25, classical is slower, and correspondence has half a day or more for a move, \
         by the tag `TimeControl`; unknown is a time control that is not known.",
    )
    .former(&["time-class"]),
    row(
        "mode",
        All,
        ("MODE", "rated or casual, as the event is called"),
        read::mode,
        &["rated", "casual"],
    ),
    ranges(
        "clock",
        Move,
        "Seconds left after some move: ..30, 30.. or 10..30",
        |text| {
            let ranges = read::ranges(text, &read::SECONDS)?;
            Ok(of_move(|asked| asked.time_left_ms = Some(ranges)))
        },
        &["..30", "10..100"],
    )
    .details(
        "By the clock of the side that moved, from the comments ([%clk 0:00:29], or tl of engines). If you \
         combine it with the next four options, one move must meet all of them.",
    )
    .former(&["time-left"]),
    ranges(
        "eval",
        Move,
        "Evaluation after a move, in pawns: 2.., ..-2 or -0.3..0.3",
        |text| {
            let ranges = read::ranges(text, &read::PAWNS)?;
            Ok(of_move(|asked| asked.evaluation = Some(ranges)))
        },
        &["2..", "..-2", "-0.3..0.3"],
    )
    .details(
        "By the evaluations in the comments ([%eval 0.31], or those of engines), from White's point of \
         view. A mate is more than any number of pawns.",
    )
    .former(&["evaluation"]),
    ranges(
        "loss",
        Move,
        "Evaluation that a move lost, in pawns: 3.. or 1.5..3",
        |text| {
            let ranges = read::ranges(text, &read::PAWNS)?;
            Ok(of_move(|asked| asked.loss = Some(ranges)))
        },
        &["1.."],
    )
    .details(
        "How far the evaluation fell for the side that moved, compared with the move before. Evaluations \
         beyond ten pawns, and mates, count as ten.",
    ),
    ranges(
        "spent",
        Move,
        "Seconds spent on a move: 60.., ..5 or 10..30",
        |text| {
            let ranges = read::ranges(text, &read::SECONDS)?;
            Ok(of_move(|asked| asked.spent_ms = Some(ranges)))
        },
        &["1..", "..3"],
    )
    .details(
        "By the comment [%emt], or by the clock of the side that moved before and after the move and the \
         increment in the tag `TimeControl`.",
    ),
    row(
        "nag",
        Move,
        ("GLYPH", "Glyph at a move: ??, 4 or !?,5; several with commas"),
        |text| {
            let any = read::glyphs(text)?;
            Ok(of_move(|asked| asked.glyphs = vec![any]))
        },
        &["??,2", "1"],
    )
    .details("Numbers are those of numeric annotation glyphs (NAG), from 1 to 255."),
    row(
        "comment",
        All,
        ("TEXT", "Words of a comment, also inside variations"),
        |text| read::words(text).map(Is::Comment),
        &["the", "mate"],
    )
    .details(
        "One comment must contain all of them, in any order and case. If you give the option several \
         times, a game must have a comment for each.",
    ),
    row(
        "annotator",
        All,
        ("NAME", "Name of the annotator, or part of it"),
        |text| read::tag_words("Annotator", text, false),
        &["a"],
    ),
    row(
        "round",
        All,
        ("TEXT", "Round, as the tag has it"),
        |text| read::tag_words("Round", text, true),
        &["1", "6"],
    ),
    ranges(
        "plies",
        COMMA,
        "Length in plies: 40, 40.., ..40 or 40..80",
        |text| read::ranges(text, &read::PLIES).map(Is::Plies),
        &["40", "20..80", "..60", "60..", "10,20..30"],
    ),
    row(
        "start",
        All,
        ("POSITION", "Start position of the game"),
        |text| Ok(Is::Start(read::position(text, false))),
        &["startpos"],
    ),
    // A new condition needs nothing else for its word, its option and its parameter.
    #[cfg(test)]
    row(
        "opening-tag",
        All,
        ("TEXT", "Words of the tag Opening"),
        |text| read::tag_words("Opening", text, false),
        &["ruy"],
    )
    .unlisted(),
    row(
        "has",
        All,
        ("", ""),
        read::has_tag,
        &["Annotator", "WhiteElo"],
    )
    .without_option(),
    row(
        "fen",
        All,
        ("", ""),
        |text| Ok(Is::Position(read::position(text, false))),
        &[],
    )
    .without_option(),
    row(
        "moves",
        All,
        ("", ""),
        |text| Ok(Is::Position(read::position(text, true))),
        &[],
    )
    .without_option(),
];

/// A condition on some move.
fn of_move(set: impl FnOnce(&mut MoveFilter)) -> GameCondition {
    let mut asked = MoveFilter::default();
    set(&mut asked);
    Is::Move(asked)
}
