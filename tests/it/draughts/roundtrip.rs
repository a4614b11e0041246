//! Games of draughts that are exported and imported again are the same: moves,
//! start positions, results, variants, annotations, and the bytes of a second
//! export.

use std::path::{Path, PathBuf};

use {
    crate::{
        roundtrip::{exported, exported_essence},
        support::{Base, draughts_corpora, files_below, one_in, root, run},
    },
    plydex::{
        base::record::{GameRecord, MovetextItem},
        games::{variant::Variant, variation_tree::PlyRef},
        import::ImportOptions,
        search::GameReader,
    },
};

/// The first and the last position of every game.
fn ends(base: &Base) -> Vec<[Option<String>; 2]> {
    let mut reader = GameReader::new(&base.store);
    let last = base.store.last_game().expect("a number");
    (1..=last)
        .map(|id| {
            [Some(PlyRef::default()), None].map(|ply| {
                let at = reader.board_at(id, ply.as_ref()).expect("a readable game");
                at.map(|at| format!("{:?}", at.position))
            })
        })
        .collect()
}

/// Imports a text, exports it, imports that, and says what became different.
fn difference(name: &str, text: &[u8]) -> Option<String> {
    let first = Base::new();
    first.import_text(text, ImportOptions::default());
    let games = first.games();
    let text = exported(&games);
    let second = Base::of(text.as_bytes());
    second.assert_sound();
    let again = second.games();
    if games.len() != again.len() {
        let (before, after) = (games.len(), again.len());
        return Some(format!("{name}: {before} games became {after}"));
    }
    let pairs = games.iter().zip(&again);
    for ((one, two), (ends, ends_again)) in pairs.zip(ends(&first).iter().zip(&ends(&second))) {
        let number = one.header.id;
        let by = (&one.header.variant_by, &two.header.variant_by);
        let (one, two) = (exported_essence(one), exported_essence(two));
        if one != two {
            let change = first_change(&one, &two);
            return Some(format!("{name}: game {number} {by:?}:\n{change}"));
        }
        if ends != ends_again {
            return Some(format!("{name}: game {number}:\n{ends:?}\n{ends_again:?}"));
        }
    }
    let text_again = exported(&again);
    let line = text_again
        .lines()
        .zip(text.lines())
        .find(|(one, two)| one != two);
    (text_again != text).then(|| format!("{name}: the second export is another text: {line:?}"))
}

fn first_change(one: &GameRecord, two: &GameRecord) -> String {
    if one.header != two.header {
        return format!("{:?}\n{:?}", one.header, two.header);
    }
    if one.tags != two.tags {
        return format!("{:?}\n{:?}", one.tags, two.tags);
    }
    let at = one.items.iter().zip(&two.items).position(|(a, b)| a != b);
    let Some(at) =
        at.or((one.items.len() != two.items.len()).then_some(one.items.len().min(two.items.len())))
    else {
        return format!("{:?} {:?}", one.first_move, two.first_move);
    };
    let near = |game: &GameRecord| {
        let near: Vec<_> = game
            .items
            .iter()
            .skip(at.saturating_sub(1))
            .take(3)
            .collect();
        format!("{near:?}").chars().take(300).collect::<String>()
    };
    format!("item {at}:\n{}\n{}", near(one), near(two))
}

fn assert_same(paths: &[PathBuf]) {
    assert!(!paths.is_empty());
    let read = |path: &Path| {
        let text = std::fs::read(path).expect("a file");
        let below = path.components().rev().take(2).collect::<Vec<_>>();
        difference(&format!("{below:?}"), &text)
    };
    let changed: Vec<String> = paths.iter().filter_map(|path| read(path)).collect();
    let (count, all) = (changed.len(), paths.len());
    assert!(
        changed.is_empty(),
        "{count} of {all} files changed:\n{}",
        changed.join("\n")
    );
}

#[test]
fn sample_games_come_back_the_same() {
    assert_same(&files_below(&root().join("sample-data/pdn"), "pdn"));
}

#[test]
fn real_archives_come_back_the_same() {
    if let Some(folder) = draughts_corpora("real_archives_come_back_the_same") {
        let files = files_below(&folder, "pdn").into_iter();
        assert_same(&files.step_by(one_in(3)).collect::<Vec<_>>());
    }
}

/// What was forced on games is said by their export, also where no number says it.
#[test]
fn forced_variants_come_back_without_force() {
    let moves = "[Event \"x\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n";
    for name in ["killer", "international", "frisian"] {
        let base = Base::new();
        let options = ImportOptions {
            variant: Variant::by_name(name).map(|variant| variant.id),
            ..ImportOptions::default()
        };
        let summary = base.import_text(moves.as_bytes(), options);
        assert!(summary.variants.iter().all(|found| found.inferred == 0));
        let again = Base::of(exported(&base.games()).as_bytes());
        let header = &again.games()[0].header;
        assert_eq!((header.variant.as_str(), header.plies), (name, 4));
        assert_eq!(header.variant_by, None, "{name}");
    }
}

#[test]
fn moves_that_are_not_known_and_set_ups_come_back() {
    let texts = [
        "1. 32-28 19-23 2. -- 17-22 3. 28x17 11x22 *",
        "1. 32-28 19-23 2. -- *",
        "1. 32-28 {a} -- 2. 37-32 (2. -- 19-23) 19-23 *",
        "1. 32-28 /FEN \"B::\"/ 19-23 /FEN \"W:WK46:B37,11\"/ 46x5 *",
    ];
    for moves in texts {
        let text = format!("[GameType \"20\"]\n\n{moves}\n");
        assert_eq!(difference(moves, text.as_bytes()), None);
    }
}

/// Tags that belong to games which cannot be played stand over others that can.
#[test]
fn a_game_that_is_not_played_takes_no_start_from_others() {
    let base = Base::new();
    let odd =
        "[Event \"a\"]\n[Variant \"English\"]\n\n1. zz qq *\n\n[Variant \"Frisian\"]\n\n*\n\n";
    base.import_text(odd.as_bytes(), ImportOptions::default());
    let sound = "[GameType \"21\"]\n\n1. 11-15 23-19 *\n\n[GameType \"40\"]\n\n1. 32-28 19-23 *\n";
    base.import_text(sound.as_bytes(), ImportOptions::default());
    base.assert_sound();
    let games = base.games();
    assert_eq!(games.len(), 4);
    for game in &games[2..] {
        assert_eq!(game.header.plies, 2);
        let moves = game
            .items
            .iter()
            .filter(|item| matches!(item, MovetextItem::Move(_)));
        assert_eq!(moves.count(), 2);
    }
}

/// Guesses are handed on with their doubt, so that games written into one file are
/// not guessed anew in other company.
#[test]
fn guesses_survive_in_other_company() {
    let tied = "[Event \"tied\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n";
    let base = Base::of(tied.as_bytes());
    let before = base.games();
    let by = before[0].header.variant_by.clone().expect("a guess");
    assert!(by.contains([';', ',']), "{by}");
    let frisian = "[GameType \"40\"]\n\n1. 32-28 19-23 *\n\n".repeat(30);
    let together = Base::of(format!("{frisian}{}", exported(&before)).as_bytes());
    let after = together.games().pop().expect("the last");
    assert_eq!(after.header.variant, before[0].header.variant);
    assert_eq!(after.header.variant_by, Some(by));
    assert_eq!(exported(&[after]), exported(&before));
}

/// Russian records type files on a Cyrillic keyboard, by looks or by sound.
#[test]
fn squares_in_cyrillic_letters_are_read() {
    let text = "[Event \"Чемпионат России по русским шашкам\"]\n[White \"Иванов\"]\n\
                [GameType \"25\"]\n\n1. с3-d4 d6-с5 2. b2-ц3 ф6-г5 3. С3-Б4 2-0\n";
    let (legacy, ..) = encoding_rs::WINDOWS_1251.encode(text);
    for bytes in [text.as_bytes(), &legacy] {
        let base = Base::of(bytes);
        let games = base.games();
        let moves: Vec<&str> = games[0]
            .items
            .iter()
            .filter_map(|item| match item {
                MovetextItem::Move(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(moves, ["c3-d4", "d6-c5", "b2-c3", "f6-g5", "c3-b4"]);
    }
}

#[test]
fn moves_of_variations_have_their_numbers() {
    for text in [
        "[GameType \"20\"]\n\n1. 32-28 17-22 2. 28x17 12x21 3. 34-29 (3. 37-32 7-12 4. 41-37 1-7 \
         (4... 21-26 5. 46-41)) 3... 7-12 *\n",
        "[GameType \"50\"]\n\n1. f5 d6 (1... f6 2. e6 f4 3. c3) 2. c3 *\n",
    ] {
        let base = Base::of(text.as_bytes());
        let out = run(base.store.path(), &["export"]).out;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&out).contains(&words(text)), "{text}{out}");
        let sql = "select text from variations where depth = 1";
        let told = run(base.store.path(), &["sql", sql, "--format", "csv"]).out;
        let inner = told.lines().nth(1).expect("a variation");
        assert!(words(text).contains(inner), "{told}");
    }
}
