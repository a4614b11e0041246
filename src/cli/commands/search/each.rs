//! `plydex search --each`: the lines of a file as queries.

use std::io::Read;
use std::path::Path;

use super::SearchPlan;
use crate::base::cancellable_io::{self, CancellableIo};
use crate::cli::args::query::ListArgs;
use crate::cli::args::query_builder;
use crate::cli::commands::names;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::{
    self,
    groups::{self, GroupList},
};
use crate::cli::resolve::resolve;
use crate::cli::{CommandContext, relax, saved_queries};
use crate::query::GroupKey;

/// Bytes of a file at most: some hundred thousand lines.
const BYTES_MAX: u64 = 1 << 26;

pub(super) fn run(
    plan: &SearchPlan,
    (file, list): (&Path, &ListArgs),
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let text = read(file, context)?;
    let text = text.trim_start_matches('\u{feff}');
    let at = |line: usize| format!("{}, line {}", shown(file), line + 1);
    let mut questions = Vec::new();
    // All are read before the first is answered: one that cannot be is no surprise at the end.
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut asked = list.clone();
        asked.position.position = vec![line.to_owned()];
        let texts = asked.position.position.iter().chain(&asked.question);
        let saved = saved_queries::of_texts(texts, &context.db, &context.db);
        asked.filter.saved = saved.map_err(|error| error.at(&at(number)))?;
        let query = query_builder::query(&asked, None, &mut Vec::new());
        let query = query.map_err(|error| error.at(&at(number)))?;
        questions.push((number, line, query));
    }
    if questions.is_empty() {
        return Err(CliError::new(format!("{} has no line to ask", shown(file)))
            .hint("write a POSITION in each line, as after `plydex search`"));
    }
    let snapshot = context.snapshot()?;
    let (mut scores, mut games, mut is_cut) = (Vec::new(), 0, false);
    let (mut taken, mut notes) = (Vec::new(), Vec::new());
    let lines = questions.len();
    for (number, line, query) in questions {
        if is_cut {
            break;
        }
        let found = || {
            let ready = resolve(&snapshot, &query);
            let ready = ready.map_err(|error| error.at(&at(number)))?;
            let found = snapshot.groups(&ready.plan, &[GroupKey::Result], true, None)?;
            Ok((ready, found))
        };
        // For the current line a part of its games would pass for all of them.
        let (ready, found) = match found() {
            Err(error) if CliError::is_stopped(&error) => {
                is_cut = true;
                break;
            }
            Ok((_, found)) if found.tally.interrupted => {
                is_cut = true;
                break;
            }
            found => found?,
        };
        games += found.tally.games;
        scores.push((line.to_owned(), found.total));
        let mut own = ready.notes;
        if found.tally.games == 0 {
            match relax::found(&snapshot, &ready.plan) {
                Err(error) if error.is_stopped() => is_cut = true,
                nearly => own.extend(nearly?),
            }
        }
        notes.extend(own.iter().map(|note| format!("{}: {note}", at(number))));
        for name in ready.names {
            if !taken.contains(&name) {
                taken.push(name);
            }
        }
    }
    let mut answer = GroupList::of_questions(&scores, is_cut);
    answer.names = &taken;
    super::write_groups(&answer, plan.format, context)?;
    if is_cut {
        let asked = render::number::count(scores.len() as u64);
        let lines = render::number::counted(lines as u64, "line", "lines");
        let note = format!("stopped after {asked} of {lines}");
        context.notes.note(&note);
        return Err(CliError::interrupted());
    }
    names::explain(&taken, plan.query.scope.exact_names, context);
    context.notes.note(&groups::note(&answer));
    super::say(notes, context);
    Ok(Exit::found(games))
}

fn shown(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}

fn read(file: &Path, context: &CommandContext<'_>) -> Result<String, CliError> {
    let unreadable = |error: &std::io::Error| {
        CliError::new(format!("{} cannot be read", shown(file))).because(error)
    };
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        let stdin = cancellable_io::stdin(&context.stop)?;
        stdin.take(BYTES_MAX + 1).read_to_end(&mut bytes)
    } else {
        let opened =
            CancellableIo::open(file, &context.stop).map_err(|error| unreadable(&error))?;
        opened.take(BYTES_MAX + 1).read_to_end(&mut bytes)
    };
    match read {
        Err(error) if cancellable_io::is_stopped(&error) => Err(error.into()),
        Err(error) => Err(unreadable(&error)),
        Ok(length) if length as u64 > BYTES_MAX => Err(CliError::new(format!(
            "{} is longer than {} MiB",
            shown(file),
            BYTES_MAX >> 20
        ))
        .hint("split it into several files")),
        Ok(_) => String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..at]);
            let line = before.matches('\n').count() + 1;
            CliError::new(format!(
                "{}, line {line}: no UTF-8 text from byte {at} on",
                shown(file)
            ))
            .hint("name a text file in UTF-8")
        }),
    }
}
