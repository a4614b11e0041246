//! What questions about positions and moves take, as whole commands, and the same asked of scoutfish
//! in turn, where it is named. See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "support/run.rs"]
mod run;
mod support;

use std::{
    fs::File,
    io::Write as _,
    process::{Command, Stdio},
};

use plydex::{
    base::observe::{CancellationToken, NullObserver},
    import::{self, DuplicateAction, ImportOptions},
    store::Store,
};
use run::measure;
use support::{Input, median};

/// How often each question is asked.
const ROUNDS: usize = 5;

/// Questions that scoutfish understands in the same way.
const SCOUTFISH: [(&str, &str); 9] = [
    ("material:KRPvKR", r#"{"material": "KRPKR"}"#),
    ("mate", r#"{"result-type": "mate"}"#),
    (
        "Pe4 Nc3,d4 pa6,d6 nf6",
        r#"{"sub-fen": "8/8/p2p1n2/8/3NP3/2N5/8/8"}"#,
    ),
    ("Nf7 ke8 qd8 rh8", r#"{"sub-fen": "3qk2r/5N2/8/8/8/8/8/8"}"#),
    (
        "Pc4,d5,e4 pc7,d6,e5,f5,g6",
        r#"{"sub-fen": "8/2p5/3p2p1/3Ppp2/2P1P3/8/8/8"}"#,
    ),
    ("castles:O-O-O by:white", r#"{"white-move": "O-O-O"}"#),
    ("moved:K captured:Q", r#"{"moved": "K", "captured": "Q"}"#),
    ("moved:P captured:Q", r#"{"moved": "P", "captured": "Q"}"#),
    (
        "moved:N next moved:B",
        r#"{"streak": [{"moved": "N"}, {"moved": "B"}]}"#,
    ),
];

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let input = Input::choose(scratch.path(), "otb.pgn.zst").unwrap();
    let db = scratch.path().join("bench.db");
    let store = Store::create_or_open(&db, &CancellationToken::default()).unwrap();
    let options = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    import::import(
        &store,
        std::slice::from_ref(&input.path),
        options,
        &NullObserver,
    )
    .unwrap();
    drop(store);
    let scoutfish = std::env::var("PLYDEX_SCOUTFISH").ok();
    let base = std::env::var("PLYDEX_SCOUT_BASE").unwrap_or_default();
    println!("{}: CPU seconds, medians of {ROUNDS}", input.name());
    println!("plydex scoutfish  games     question");
    for line in include_str!("../tests/vectors/questions.tsv").lines() {
        let Some((games, question)) = line.split_once('\t').filter(|_| !line.starts_with('#'))
        else {
            continue;
        };
        let rival = SCOUTFISH.iter().find(|(own, _)| *own == question);
        let (mut own, mut other, mut answer) = (Vec::new(), Vec::new(), String::new());
        for _ in 0..ROUNDS {
            let mut command = Command::new(env!("CARGO_BIN_EXE_plydex"));
            command
                .arg("--db")
                .arg(&db)
                .args(["--quiet", "search", "--count", question]);
            command.stderr(Stdio::null());
            let run = measure(&mut command);
            run.output.trim().clone_into(&mut answer);
            own.push(run.cpu.unwrap_or(f64::NAN));
            if let (Some(program), Some((_, query))) = (&scoutfish, rival) {
                let typed = scratch.path().join("typed");
                writeln!(File::create(&typed).unwrap(), "scout {base} {query}\nquit").unwrap();
                let mut shell = Command::new("sh");
                shell
                    .arg("-c")
                    .arg(r#""$0" < "$1" > /dev/null"#)
                    .arg(program)
                    .arg(&typed);
                other.push(measure(&mut shell).cpu.unwrap_or(f64::NAN));
            }
        }
        if input.is_otb {
            assert_eq!(answer, games, "{question}");
        }
        let other = if other.is_empty() {
            "-".to_owned()
        } else {
            format!("{:.2}", median(other))
        };
        println!("{:>6.2} {other:>9}  {answer:<9} {question}", median(own));
    }
}
