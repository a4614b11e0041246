//! Commands and options: docs/commands.md has all of them, and no document names others.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Arg, Command, CommandFactory};
use plydex::cli::args::Args;

use super::{Document, markdown, names};

/// Options of other programs that documents speak of.
const FOREIGN: &[&str] = &[
    "all-targets", // cargo
    "bench",
    "help",
    "ignored",
    "lib",
    "locked", // cargo
    "long",   // zstd
    "nocapture",
    "path",
    "release",
    "sanitizer",
    "test",
];

/// The program as clap knows it, `help` left out.
fn program() -> Command {
    let mut program = Args::command();
    program.build();
    program
}

fn subcommands(program: &Command) -> impl Iterator<Item = &Command> {
    program
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
}

/// The options of a command, those of every command included.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_shown =
        |arg: &&Arg| !arg.is_hide_set() && arg.get_long().is_some_and(|name| name != "help");
    command.get_arguments().filter(is_shown)
}

/// All names of an option.
fn spellings(arg: &Arg) -> Vec<String> {
    arg.get_long_and_visible_aliases()
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect()
}

#[test]
fn all_options_are_documented() {
    let program = program();
    let mut rows: Vec<(String, String, Vec<&str>)> = Vec::new();
    for command in subcommands(&program) {
        for option in options(command) {
            let value = option.get_value_names().unwrap_or_default();
            let takes = option.get_action().takes_values();
            let value = if takes {
                format!(" {}", value.join(" "))
            } else {
                String::new()
            };
            let mut names: Vec<String> = spellings(option)
                .iter()
                .map(|name| format!("`--{name}{value}`"))
                .collect();
            names.extend(option.get_short().map(|short| format!("`-{short}`")));
            let (names, help) = (
                names.join(", "),
                option.get_help().expect("a help").to_string(),
            );
            match rows.iter_mut().find(|row| row.0 == names && row.1 == help) {
                Some(row) => row.2.push(command.get_name()),
                None => rows.push((names, help, vec![command.get_name()])),
            }
        }
    }
    rows.sort();
    let count = subcommands(&program).count();
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(names, help, commands)| {
            let of = if commands.len() == count {
                "all".to_owned()
            } else {
                commands.join(", ")
            };
            vec![names, of, help]
        })
        .collect();
    let mut document = Document::open("docs/commands.md");
    document.made("options", &["option", "commands", "meaning"], &rows);
    let headings: BTreeSet<&str> = document
        .lines
        .iter()
        .filter_map(|line| line.strip_prefix("## "))
        .flat_map(|heading| heading.split(", "))
        .collect();
    let missing: Vec<&str> = subcommands(&program)
        .map(Command::get_name)
        .filter(|name| !headings.contains(name))
        .collect();
    if !missing.is_empty() {
        document.wrong(0, format!("no heading for the commands {missing:?}"));
    }
    document.close();
}

/// The names of options in a text: what stands behind two hyphens.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("--").filter_map(|(at, _)| {
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let name = &text[at + 2..];
        let name = &name[..name.find(|c| !is_word(c)).unwrap_or(name.len())];
        let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
        (begins && !text[..at].ends_with(|c: char| is_word(c) || c == '<')).then_some(name)
    })
}

#[test]
fn no_document_names_other_commands_or_options() {
    let program = program();
    let of: BTreeMap<&str, BTreeSet<String>> = subcommands(&program)
        .map(|command| {
            (
                command.get_name(),
                options(command).flat_map(spellings).collect(),
            )
        })
        .collect();
    for name in names() {
        let mut document = Document::open(&name);
        let fenced: Vec<_> = markdown::blocks(&document.lines)
            .into_iter()
            .map(|block| block.body)
            .collect();
        for line in 0..document.lines.len() {
            if fenced.iter().any(|body| body.contains(&line)) {
                // Examples are run.
                continue;
            }
            for text in markdown::code(&document.lines[line].clone()) {
                let mut words = text.split_whitespace().skip_while(|word| *word == "…");
                let command = match (words.next(), words.next()) {
                    (Some("plydex"), Some(word))
                        if word.starts_with(|c: char| c.is_ascii_lowercase()) =>
                    {
                        Some(word)
                    }
                    (Some(word), _) if of.contains_key(word) => Some(word),
                    _ => None,
                };
                let unknown: Vec<&str> = named(text)
                    .filter(|option| match command.and_then(|command| of.get(command)) {
                        Some(options) => !options.contains(*option),
                        None => {
                            !of.values().any(|options| options.contains(*option))
                                && !FOREIGN.contains(option)
                        }
                    })
                    .collect();
                if !unknown.is_empty() {
                    document.wrong(
                        line,
                        format!("`{text}` has options that are not there: {unknown:?}"),
                    );
                }
                if command.is_some_and(|command| !of.contains_key(command)) {
                    document.wrong(line, format!("`{text}` is no command"));
                }
            }
        }
        document.close();
    }
}
