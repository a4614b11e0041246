//! `plydex eco`: what a position is called, and which positions have a name.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::position::{read_typed, variant};
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::openings;
use crate::games::opening_names::{OpeningQuery, has_words, nearest};
use crate::games::position_input::TypedPosition;
use crate::query::read;

/// `plydex eco`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "A position is named by what stands on the board, not by the moves that led to it. The names are those of lichess-org/chess-openings, for chess and for the
variants that begin as chess does (crazyhouse, king of the hill, three-check).

Examples:
  plydex eco e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
  plydex eco 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -'
  plydex eco B90                          all lines of a code, or B9, B90..B99, C42,B20
  plydex eco najdorf                      all lines with the word in their names"
)]
pub struct EcoArgs {
    /// Moves, a position, an ECO code or words of a name
    #[arg(required = true, value_name = "POSITION|CODE|NAME")]
    pub asked: Vec<String>,
    /// Variant [default: the one that POSITION fits]
    ///
    /// Any of its names, or its `GameType` number.
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `eco`: the position, or the openings.
pub fn plan(args: &EcoArgs, warnings: &mut Vec<String>) -> Result<EcoPlan, CliError> {
    let text = args.asked.join(" ");
    if text.trim().is_empty() {
        let error = CliError::new("no opening was given");
        return Err(
            error.hint("give a code (B90), words of a name (najdorf), moves (e4 c5) or a FEN")
        );
    }
    let named = args.variant.as_deref().map(variant).transpose()?;
    // What begins as a code of chess is one: `b4` is a move, `B4` is B40 to B49.
    let is_letter = matches!(text.trim(), "A" | "B" | "C" | "D" | "E");
    if named.is_none() && (is_letter || read::is_eco(&text)) {
        let codes = read::codes(&text).map_err(CliError::of_value)?;
        return Ok(EcoPlan::List(OpeningQuery {
            codes: codes.as_slice().to_vec(),
            texts: Vec::new(),
        }));
    }
    let error = match read_typed(&text, named.as_slice(), warnings) {
        Ok(typed) => return Ok(EcoPlan::Position(Box::new(typed))),
        Err(error) => error,
    };
    if named.is_none()
        && let Some(codes) = codes(&text)
    {
        return Ok(EcoPlan::List(OpeningQuery {
            codes: codes?,
            texts: Vec::new(),
        }));
    }
    let asked = OpeningQuery {
        codes: Vec::new(),
        texts: vec![text.clone()],
    };
    // What has no digit is no mistyped move.
    let is_name = !text.contains(|c: char| c.is_ascii_digit()) && has_words(&text);
    if is_name || !asked.openings().is_empty() {
        return Ok(EcoPlan::List(asked));
    }
    Err(error)
}

/// The codes of a list of them, which is no position; `None` where nothing is meant as a code.
fn codes(text: &str) -> Option<Result<Vec<(u16, u16)>, CliError>> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let words: Vec<&str> = (text.split(is_between))
        .filter(|word| !word.is_empty())
        .collect();
    // A code that there is not, such as `F10`; a letter and a digit are a square.
    let is_like_code = |word: &&str| {
        let digits = word.get(1..).unwrap_or_default();
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && (2..=3).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_meant = |word: &&str| read::is_eco(word) || is_like_code(word);
    let is_letter = |word: &&str| matches!(*word, "A" | "B" | "C" | "D" | "E");
    let is_list =
        words.iter().any(is_meant) && (words.iter()).all(|word| is_meant(word) || is_letter(word));
    let read = || read::codes(&words.join(",")).map_err(CliError::of_value);
    is_list.then(|| read().map(|codes| codes.as_slice().to_vec()))
}

/// The query about openings.
#[derive(Debug, Clone)]
pub enum EcoPlan {
    /// What a position is called.
    Position(Box<TypedPosition>),
    /// Which openings have a code, or words in their names.
    List(OpeningQuery),
}

pub(crate) fn run(
    plan: &EcoPlan,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    match plan {
        EcoPlan::Position(typed) => {
            let answer = openings::PositionOpening::of(typed);
            match format {
                TextFormat::Text => answer.write(context.out, &context.screen)?,
                TextFormat::Json => context.json(&answer)?,
            }
            Ok(Exit::found(answer.is_named().into()))
        }
        EcoPlan::List(asked) => {
            let list = openings::OpeningList::of(&asked.openings());
            if let (true, [text, ..]) = (list.is_empty(), &asked.texts[..]) {
                context.notes.note(&nothing_found(text));
            }
            match format {
                TextFormat::Text => list.write(context.out, &context.screen)?,
                TextFormat::Json => context.json(&list)?,
            }
            Ok(Exit::found(list.openings.len() as u64))
        }
    }
}

/// Says that no name has some words, and which nearly have.
pub(crate) fn nothing_found(text: &str) -> String {
    let meant = nearest(text).map(|near| format!("; did you mean {near}?"));
    format!("no opening is called `{text}`{}", meant.unwrap_or_default())
}

impl CommandArgs for EcoArgs {
    const IS_PAGED: bool = true;
    type Plan = (EcoPlan, TextFormat);

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok((plan(&self, warnings)?, self.answer.format))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(&plan.0, plan.1, context)
    }
}
