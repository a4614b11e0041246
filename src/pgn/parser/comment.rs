//! Commands in comments, `[%clk 1:23:45]` (rule K1).
//!
//! A comment's raw text is what is stored; this is for showing it and for
//! asking about clocks and evaluations. Comments come here decoded.

use super::{
    engine_comment,
    eval_view::{EvalEvidence, EvalForm, EvalViews, SourceEvals},
};

/// A command in a comment: `[%name args]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommentCommand<'c> {
    /// Its name, such as `clk`.
    pub name: &'c str,
    /// What stands between the name and the bracket, without blanks around it.
    pub args: &'c str,
}

/// What a command says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandValue {
    /// `clk` (time left), `emt` (time spent on the move), `egt` (time spent on
    /// the game), `mct` (what a mechanical clock shows), `timestamp` (time
    /// spent on the move, as chess.com writes it).
    Time {
        /// Milliseconds.
        milliseconds: u64,
    },
    /// `eval` without a mate.
    Centipawns {
        /// Hundredths of a pawn, from White's view.
        centipawns: i32,
        /// Search depth in plies, if given.
        depth: Option<u32>,
    },
    /// `eval` with a mate found.
    Mate {
        /// Moves to mate; negative if Black mates.
        moves: i32,
        /// Search depth in plies, if given.
        depth: Option<u32>,
    },
    /// `csl`: coloured squares.
    Squares(Vec<(char, CommandSquare)>),
    /// `cal`: coloured arrows.
    Arrows(Vec<(char, CommandSquare, CommandSquare)>),
    /// A command this program does not read; kept verbatim.
    Unknown,
}

/// A square by its name: file `a` to `h`, rank `1` to `8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CommandSquare {
    /// `a` to `h`.
    pub file: char,
    /// `1` to `8`.
    pub rank: char,
}

/// A command's value, and whether it is written as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandReading {
    /// What it says, as far as it can be read.
    pub value: CommandValue,
    /// Whether a part was missing or had to be left out.
    pub odd: bool,
}

/// A value that a comment gives: its name and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentValue<'c> {
    /// As it is written: `clk`, `eval`, `wv`.
    pub name: &'c str,
    /// What it says; evaluations from White's view.
    pub value: CommandValue,
}

/// What a comment says in values, after a move of the first or the second side: its commands, of
/// several of one name the last, and without commands what engines write. `source` has what is
/// known of the evaluations of the source; `views` is called where that and the form do not show
/// how an evaluation is meant.
pub fn values(
    comment: &str,
    second_moved: bool,
    source: SourceEvals,
    mut views: impl FnMut() -> EvalViews,
) -> Vec<CommentValue<'_>> {
    let written = written_values(comment).into_iter();
    let values = written.map(|(mut found, form)| {
        if !matches!(
            found.value,
            CommandValue::Centipawns { .. } | CommandValue::Mate { .. }
        ) {
            return found;
        }
        let views = match form {
            EvalForm::Named => return found,
            EvalForm::Usual => EvalEvidence::default().views(source),
            EvalForm::Command { .. } | EvalForm::Short => views(),
        };
        let sign = if second_moved && views.is_turned(form) {
            -1
        } else {
            1
        };
        match &mut found.value {
            CommandValue::Centipawns { centipawns, .. } => {
                *centipawns = sign * views.centipawns(form, *centipawns);
            }
            CommandValue::Mate { moves, .. } => *moves *= sign,
            _ => {}
        }
        found
    });
    values.collect()
}

/// The values of a comment as they are written, each with its form.
pub(super) fn written_values(comment: &str) -> Vec<(CommentValue<'_>, EvalForm)> {
    if !comment.contains("[%") {
        let (values, form) = engine_comment::values(comment);
        return values.into_iter().map(|value| (value, form)).collect();
    }
    let (commands, _) = split_commands(comment);
    let mut values: Vec<(CommentValue<'_>, EvalForm)> = Vec::new();
    let mut depth_beside = None;
    for command in commands {
        let name = command.name;
        if name == "depth" {
            depth_beside = command.args.parse().ok();
        }
        values.retain(|(value, _)| value.name != name);
        let value = command.read().value;
        let has_decimals = command.args.contains('.');
        let is_mate = matches!(value, CommandValue::Mate { .. });
        let form = if (has_decimals || is_mate) && !command.args.contains([',', '/']) {
            EvalForm::Usual
        } else {
            EvalForm::Command {
                is_whole: !has_decimals,
            }
        };
        values.push((CommentValue { name, value }, form));
    }
    for (found, _) in &mut values {
        if let CommandValue::Centipawns { depth, .. } | CommandValue::Mate { depth, .. } =
            &mut found.value
        {
            *depth = depth.or(depth_beside);
        }
    }
    values
}

/// What a comment says of clocks and evaluations, as briefly as it can be said (`0:59`, `+0.20`), and
/// the rest of it, other commands included.
pub fn in_brief(comment: &str) -> (String, String) {
    let mut brief = String::new();
    let mut rest = String::new();
    let mut open = comment;
    while let Some((before, command)) = next_command(open) {
        add_text(&mut rest, before);
        let said = brief_of(&command.0);
        match said {
            Some(said) => {
                if !brief.is_empty() {
                    brief.push(' ');
                }
                brief.push_str(&said);
                add_text(&mut rest, " ");
            }
            None => add_text(&mut rest, command.1),
        }
        open = &open[before.len() + command.1.len()..];
    }
    add_text(&mut rest, open);
    rest.truncate(rest.trim_end().len());
    (brief, rest)
}

/// The first command of a text with its name, in its brackets, and the text before it.
fn next_command(text: &str) -> Option<(&str, (CommentCommand<'_>, &str))> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find("[%")?;
        let len = text[open..].find(']')?;
        let body = &text[open + 2..open + len];
        let name = body.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &body[..name.unwrap_or(body.len())];
        if !name.is_empty() {
            let args = body[name.len()..].trim();
            return Some((
                &text[..open],
                (CommentCommand { name, args }, &text[open..=open + len]),
            ));
        }
        from = open + 2;
    }
}

/// A clock without the hours that it has not, or an evaluation with its sign.
fn brief_of(command: &CommentCommand<'_>) -> Option<String> {
    let reading = command.read();
    match (command.name, reading.value) {
        ("clk", CommandValue::Time { .. }) => {
            let short = command.args.strip_prefix("0:").unwrap_or(command.args);
            let is_padded = short.len() > 4 && short.starts_with('0');
            Some(short[usize::from(is_padded)..].to_owned())
        }
        ("eval", CommandValue::Centipawns { centipawns, .. }) => {
            Some(format!("{:+.2}", f64::from(centipawns) / 100.0))
        }
        ("eval", CommandValue::Mate { moves, .. }) => Some(format!("#{moves}")),
        _ => None,
    }
}

/// The text of a comment without its commands, with runs of blanks collapsed.
pub fn without_commands(comment: &str) -> String {
    split_commands(comment).1
}

/// Takes a comment apart: its commands in order, and its text without them,
/// with runs of blanks collapsed. Where a command is repeated, the last counts.
fn split_commands(comment: &str) -> (Vec<CommentCommand<'_>>, String) {
    let mut commands = Vec::new();
    let mut text = String::new();
    let mut rest = comment;
    // Without a closing bracket further on, no `[%` is a command.
    while let Some((before, (command, written))) = next_command(rest) {
        add_text(&mut text, before);
        // A command parts words as a blank does.
        add_text(&mut text, " ");
        commands.push(command);
        rest = &rest[before.len() + written.len()..];
    }
    add_text(&mut text, rest);
    text.truncate(text.trim_end().len());
    (commands, text)
}

fn add_text(text: &mut String, more: &str) {
    for c in more.chars() {
        if !c.is_whitespace() {
            text.push(c);
        } else if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }
}

impl CommentCommand<'_> {
    /// What the command says; a known command that cannot be read is
    /// [`CommandValue::Unknown`] and odd.
    pub fn read(&self) -> CommandReading {
        let reading = match self.name {
            "clk" | "emt" | "egt" | "mct" => time(self.args),
            "timestamp" => self.args.parse::<u64>().ok().map(|tenths| CommandReading {
                value: CommandValue::Time {
                    milliseconds: tenths.saturating_mul(100),
                },
                odd: false,
            }),
            "eval" => eval(self.args),
            "csl" => Some(list(self.args, colored_square, CommandValue::Squares)),
            "cal" => Some(list(self.args, colored_arrow, CommandValue::Arrows)),
            _ => {
                return CommandReading {
                    value: CommandValue::Unknown,
                    odd: false,
                };
            }
        };
        reading.unwrap_or(CommandReading {
            value: CommandValue::Unknown,
            odd: true,
        })
    }
}

/// `H:MM:SS`, with a fraction; `MM:SS` and seconds alone are odd.
pub(super) fn time(args: &str) -> Option<CommandReading> {
    let (whole, fraction) = args.split_once('.').unwrap_or((args, ""));
    let mut seconds = 0_u64;
    let mut fields = 0;
    for field in whole.split(':') {
        fields += 1;
        if field.is_empty() || !field.bytes().all(|byte| byte.is_ascii_digit()) || fields > 3 {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(field.parse().ok()?)?;
    }
    let thousandths = decimals(fraction, 3)?;
    let milliseconds = seconds.checked_mul(1000)?.checked_add(thousandths.into())?;
    Some(CommandReading {
        value: CommandValue::Time { milliseconds },
        odd: fields != 3,
    })
}

/// `0.17` in pawns, `31` in hundredths of a pawn, mates as `#-3`, `-#3`, `M5` and `-M5`; each perhaps
/// with `,depth` or `/depth`.
pub(super) fn eval(args: &str) -> Option<CommandReading> {
    let (score, depth) = match args.split_once([',', '/']) {
        Some((score, depth)) => (score.trim(), Some(depth.trim())),
        None => (args, None),
    };
    let read_depth = depth.map(str::parse::<u32>);
    let odd = matches!(read_depth, Some(Err(_)));
    let depth = read_depth.and_then(Result::ok);
    let (is_negative, size) = match score.strip_prefix(['-', '+']) {
        Some(size) => (score.starts_with('-'), size),
        None => (false, score),
    };
    let value = if let Some(moves) = size.strip_prefix(['#', 'M']) {
        let moves: i32 = moves.parse().ok()?;
        let has_two_signs = size.len() < score.len() && moves < 0;
        if has_two_signs || moves.unsigned_abs() > MATE_MOVES_MAX {
            return None;
        }
        CommandValue::Mate {
            moves: if is_negative { -moves } else { moves },
            depth,
        }
    } else {
        let (whole, fraction) = size.split_once('.').unwrap_or((size, ""));
        if size.is_empty() || size == "." || whole.starts_with(['-', '+']) {
            return None;
        }
        let whole_number: i32 = match whole {
            "" => 0,
            _ => whole.parse().ok()?,
        };
        // Programs that write pawns write decimals; more than two are rounded.
        let centipawns = if size.contains('.') {
            let hundredths = (decimals(fraction, 3)? + 5).cast_signed() / 10;
            whole_number.checked_mul(100)?.checked_add(hundredths)?
        } else {
            whole_number
        };
        CommandValue::Centipawns {
            centipawns: if is_negative { -centipawns } else { centipawns },
            depth,
        }
    };
    Some(CommandReading { value, odd })
}

/// Moves to mate that a program can have found.
const MATE_MOVES_MAX: u32 = 9999;

/// The first `places` decimals of a fraction as a whole number.
fn decimals(fraction: &str, places: usize) -> Option<u32> {
    let digits = fraction.bytes().chain(std::iter::repeat(b'0'));
    let is_number = fraction.bytes().all(|byte| byte.is_ascii_digit());
    let value = |value, digit: u8| value * 10 + u32::from(digit - b'0');
    is_number.then(|| digits.take(places).fold(0, value))
}

/// A list with commas; what cannot be read in it is left out.
fn list<T>(
    args: &str,
    item: fn(&str) -> Option<T>,
    make: fn(Vec<T>) -> CommandValue,
) -> CommandReading {
    let mut odd = false;
    let items = args
        .split(',')
        .filter_map(|text| {
            let read = item(text.trim());
            odd |= read.is_none();
            read
        })
        .collect();
    CommandReading {
        value: make(items),
        odd,
    }
}

fn colored_square(text: &str) -> Option<(char, CommandSquare)> {
    match *text.as_bytes() {
        [color, file, rank] => Some((letter(color)?, square(file, rank)?)),
        _ => None,
    }
}

fn colored_arrow(text: &str) -> Option<(char, CommandSquare, CommandSquare)> {
    match *text.as_bytes() {
        [color, file, rank, to_file, to_rank] => Some((
            letter(color)?,
            square(file, rank)?,
            square(to_file, to_rank)?,
        )),
        _ => None,
    }
}

fn letter(byte: u8) -> Option<char> {
    byte.is_ascii_alphabetic().then_some(byte as char)
}

fn square(file: u8, rank: u8) -> Option<CommandSquare> {
    (matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8')).then_some(CommandSquare {
        file: file as char,
        rank: rank as char,
    })
}

impl std::fmt::Display for CommandSquare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.file, self.rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command and its reading in the words of the vectors' file.
    fn describe(command: CommentCommand<'_>) -> String {
        let CommandReading { value, odd } = command.read();
        let with_depth =
            |depth: Option<u32>| depth.map_or(String::new(), |d| format!(" depth={d}"));
        let text = match value {
            CommandValue::Time { milliseconds } => format!("{}={milliseconds}ms", command.name),
            CommandValue::Centipawns { centipawns, depth } => {
                format!("eval={centipawns}cp{}", with_depth(depth))
            }
            CommandValue::Mate { moves, depth } => format!("mate={moves}{}", with_depth(depth)),
            CommandValue::Squares(squares) => squares
                .iter()
                .fold("squares".to_owned(), |s, (c, at)| format!("{s} {c}:{at}")),
            CommandValue::Arrows(arrows) => {
                arrows.iter().fold("arrows".to_owned(), |s, (c, from, to)| {
                    format!("{s} {c}:{from}{to}")
                })
            }
            CommandValue::Unknown => format!("unknown {}({})", command.name, command.args),
        };
        if odd { text + ", warn" } else { text }
    }

    /// Every row of `comment_commands.tsv`, with its expectation spelled out.
    #[test]
    fn k1_every_vector() {
        let expected: &[(&str, &[&str], &str)] = &[
            ("[%clk 1:23:45]", &["clk=5025000ms"], ""),
            ("[%clk 0:05:00.1]", &["clk=300100ms"], ""),
            ("[%clk 12:34]", &["clk=754000ms, warn"], ""),
            ("[%clk 45]", &["clk=45000ms, warn"], ""),
            ("[%eval -0.31]", &["eval=-31cp"], ""),
            ("[%eval 2.5,18]", &["eval=250cp depth=18"], ""),
            ("[%eval #-3]", &["mate=-3"], ""),
            ("[%eval #4,20]", &["mate=4 depth=20"], ""),
            ("[%emt 0:00:05]", &["emt=5000ms"], ""),
            ("[%egt 1:05:00]", &["egt=3900000ms"], ""),
            ("[%mct 17:10:42]", &["mct=61842000ms"], ""),
            ("[%csl Ga4,Rb5]", &["squares G:a4 R:b5"], ""),
            ("[%cal Gb1d3,Yd1h5]", &["arrows G:b1d3 Y:d1h5"], ""),
            ("[%csl Ga4,Xz9]", &["squares G:a4, warn"], ""),
            ("[%foo bar]", &["unknown foo(bar)"], ""),
            ("[%clk 1:2", &[], "[%clk 1:2"),
            ("text [%clk 0:01:00] more", &["clk=60000ms"], "text more"),
            (
                "[%clk 0:01:00][%eval 0.17]",
                &["clk=60000ms", "eval=17cp"],
                "",
            ),
            ("[%timestamp 123]", &["timestamp=12300ms"], ""),
            (
                "[%tqu \"En\",\"find it\",\"\",\"\",\"e4\",\"\",10]",
                &["unknown tqu(\"En\",\"find it\",\"\",\"\",\"e4\",\"\",10)"],
                "",
            ),
        ];
        let vectors = include_str!("../../../tests/vectors/comment_commands.tsv");
        let inputs: Vec<&str> = vectors
            .lines()
            .skip(1)
            .filter_map(|line| line.split('\t').next())
            .collect();
        assert_eq!(inputs, expected.iter().map(|row| row.0).collect::<Vec<_>>());
        for (input, commands, text) in expected {
            let (found, rest) = split_commands(input);
            assert_eq!(
                found.into_iter().map(describe).collect::<Vec<_>>(),
                *commands,
                "{input}"
            );
            assert_eq!(rest, *text, "{input}");
        }
    }

    #[test]
    fn clocks_and_evaluations_are_said_in_brief() {
        for (comment, brief, rest) in [
            ("[%clk 0:00:59]", "0:59", ""),
            ("[%clk 0:01:00.5]", "1:00.5", ""),
            ("[%clk 1:23:45]", "1:23:45", ""),
            ("[%clk 0:10:00]", "10:00", ""),
            ("[%eval 0.2] [%clk 0:00:07]", "+0.20 0:07", ""),
            ("[%eval -31,19]", "-0.31", ""),
            ("[%eval #-3]", "#-3", ""),
            (
                "good [%eval 1.5] move [%csl Ga4]",
                "+1.50",
                "good move [%csl Ga4]",
            ),
            ("[%clk x] a  b [% c]", "", "[%clk x] a b [% c]"),
            ("text", "", "text"),
        ] {
            let found = in_brief(comment);
            assert_eq!(found, (brief.to_owned(), rest.to_owned()), "{comment}");
        }
    }

    #[test]
    fn k1_text_without_commands_keeps_its_words() {
        assert_eq!(split_commands("  a \n b [x] c[%y]d ").1, "a b [x] c d");
        assert_eq!(split_commands("[% no name] x").1, "[% no name] x");
        assert_eq!(split_commands("").1, "");
    }

    #[test]
    fn k1_bad_values_are_odd_not_fatal() {
        for args in ["", "1:2:3:4", "x", "1:", "99999999999999999999", "1.x"] {
            let reading = CommentCommand { name: "clk", args }.read();
            assert_eq!(
                reading,
                CommandReading {
                    value: CommandValue::Unknown,
                    odd: true
                },
                "{args}"
            );
        }
        for args in ["", "-", ".", "#", "1.2.3", "99999999999"] {
            assert!(CommentCommand { name: "eval", args }.read().odd, "{args}");
        }
    }

    #[test]
    fn mates_in_every_spelling() {
        for (args, moves) in [
            ("#3", 3),
            ("#-3", -3),
            ("-#3", -3),
            ("+#12", 12),
            ("M5", 5),
            ("-M5", -5),
            ("#0", 0),
        ] {
            let name = "eval";
            let wanted = CommandValue::Mate { moves, depth: None };
            assert_eq!(CommentCommand { name, args }.read().value, wanted, "{args}");
        }
        for args in ["-#-3", "M", "#x", "M2147483648", "-M-5"] {
            let name = "eval";
            assert!(CommentCommand { name, args }.read().odd, "{args}");
        }
    }

    #[test]
    fn more_decimals_are_rounded_and_a_depth_may_stand_beside() {
        for (text, centipawns, depth) in [
            ("[%eval 0.125]", 13, None),
            ("[%eval -1.999]", -200, None),
            ("[%eval 0.1249]", 12, None),
            ("[%eval 0.1234567890123456]", 12, None),
            ("[%eval 31,19]", 31, Some(19)),
            ("[%eval -341]", -341, None),
            ("[%eval 0.16/16]", 16, Some(16)),
            ("[%depth 12][%eval 1.5]", 150, Some(12)),
            ("[%eval 1.5,9] [%depth 12]", 150, Some(9)),
        ] {
            let found = values(text, false, SourceEvals::default(), || {
                EvalEvidence::default().views(SourceEvals::default())
            });
            let wanted = CommandValue::Centipawns { centipawns, depth };
            assert!(
                found.iter().any(|found| found.value == wanted),
                "{text}: {found:?}"
            );
        }
    }
}
