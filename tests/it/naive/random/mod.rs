//! Random queries of all kinds in all forms, against an evaluator that looks at every ply of every
//! line and knows neither an index nor columns.

mod corpus;
mod expression;
mod facts;
mod forms;
mod maker;
mod scene;
mod sets;
mod terms;

use std::io::Write as _;

use facts::Scope;
use forms::Question;
use maker::Maker;
use scene::{Game, Ground};

use crate::serve::client::Server;
use crate::support::{Base, every_game, one_in};

/// How many queries are compared in `just full`, or as many as `PLYDEX_RANDOM_QUERIES` asks for.
const QUERIES: usize = 2_000;

/// A number from the environment.
fn asked_for(name: &str, usual: u64) -> u64 {
    let asked = std::env::var(name).ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(usual)
}

/// The same games in a database and as lines.
struct Archive {
    base: Base,
    games: Vec<Game>,
    server: Server,
}

impl Archive {
    fn new(random: &mut fastrand::Rng) -> Self {
        let (games, files) = corpus::corpus(random);
        let base = Base::new();
        for (name, text) in &files {
            let path = base.folder().join(name);
            std::fs::write(&path, text).expect("a file");
            base.import(&[path], every_game());
        }
        let stored = base.games();
        assert_eq!(stored.len(), games.len());
        for (stored, game) in stored.iter().zip(&games) {
            let header = &stored.header;
            assert_eq!(header.variant, game.variant, "game {}", header.id);
            assert_eq!(header.plies, game.plies(), "game {}", header.id);
        }
        let server = Server::start(base.store.path(), &[]);
        Self {
            base,
            games,
            server,
        }
    }

    /// How many games a question finds in each of its forms that is asked for; or what is wrong with
    /// an answer.
    fn compare(&self, question: &Question, has_forms: bool) -> Result<usize, String> {
        let text = question.text();
        forms::is_printed_as_read(&text)?;
        let asked = &question.asked;
        let expected = asked.games(&self.games, question.in_variations, question.variant);
        let compare = |form: &dyn Fn() -> String, found: Vec<u64>| {
            if found == expected {
                Ok(())
            } else {
                Err(format!("{}: {found:?}, expected {expected:?}", form()))
            }
        };
        // Of those that are asked in one form alone, all ways to answer them are compared.
        let found = if has_forms {
            forms::by_text(&self.base, &text)?
        } else {
            forms::by_any_plan(&self.base, &text)?
        };
        compare(&|| "as a text".to_owned(), found)?;
        if let Some(options) = question.options().filter(|_| has_forms) {
            let found = forms::by_options(&self.base, &options)
                .map_err(|error| format!("{options:?}: {error}"))?;
            compare(&|| format!("as options {options:?}"), found)?;
            let found = forms::by_address(&self.server, &options);
            if found != forms::page_of(&expected) {
                return Err(format!(
                    "as parameters {options:?}: {found:?}, expected {expected:?}"
                ));
            }
        }
        Ok(expected.len())
    }

    /// The smallest question that goes wrong as well.
    fn smallest(&self, mut question: Question, mut why: String) -> (Question, String) {
        'smaller: loop {
            for asked in question.asked.smaller() {
                let smaller = Question { asked, ..question };
                // What is refused is another mistake.
                let wrong = self.compare(&smaller, true).err();
                if let Some(wrong) = wrong.filter(|wrong| wrong.contains("expected")) {
                    (question, why) = (smaller, wrong);
                    continue 'smaller;
                }
            }
            return (question, why);
        }
    }
}

/// The query of a number: most are about chess, some about draughts, and some about facts alone.
fn question(games: &[Game], random: &mut fastrand::Rng, number: u64) -> Question {
    let (ground, variants): (_, &[&'static str]) = match number % 12 {
        0 => (Ground::Russian, &["russian"]),
        1 => (Ground::International, &["international"]),
        2 => (
            Ground::Chess,
            &["chess", "chess960", "russian", "international"],
        ),
        _ => (Ground::Chess, &["chess", "chess960"]),
    };
    let mut maker = Maker {
        random,
        scope: Scope {
            games,
            variants,
            has_positions: variants.len() == 2,
        },
        ground,
        is_of_facts: variants.len() == 4,
    };
    Question {
        asked: maker.query(),
        in_variations: number % 7 == 3,
        variant: (ground != Ground::Chess).then(|| variants[0]),
    }
}

#[test]
fn random_queries_find_in_all_forms_what_a_look_at_every_ply_finds() {
    let seed = asked_for("PLYDEX_RANDOM_SEED", 1);
    let queries = asked_for("PLYDEX_RANDOM_QUERIES", (QUERIES / one_in(4)) as u64) as usize;
    let archive = Archive::new(&mut fastrand::Rng::with_seed(seed));
    let (mut with_options, mut with_games) = (0, 0);
    for number in 0..queries as u64 {
        let mut random = fastrand::Rng::with_seed(seed << 32 | number);
        let question = question(&archive.games, &mut random, number);
        // One in four is asked as a text alone, which saves time.
        let has_forms = number % 4 != 3;
        let found = match archive.compare(&question, has_forms) {
            Ok(found) => found,
            Err(why) => {
                let written = question.text();
                let (smallest, why) = archive.smallest(question, why);
                panic!(
                    "query {number} of seed {seed}: {}\n{why}\nwritten first as {written}",
                    smallest.text()
                );
            }
        };
        with_options += usize::from(has_forms && question.options().is_some());
        with_games += usize::from(found > 0 && found < archive.games.len());
    }
    let said = format!(
        "random queries: {queries} compared as texts, {with_options} of them as options and as \
         parameters; {with_games} find some of {} games",
        archive.games.len()
    );
    let _ = writeln!(std::io::stderr(), "{said}");
    assert!(with_options * 10 >= queries * 6, "{with_options}");
    assert!(with_games * 10 >= queries * 4, "{with_games}");
}
