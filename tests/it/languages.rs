//! Movetext in the letters of other languages: written, found out and read again.

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

use shakmaty::{Chess, Position as _, san::SanPlus};

use {
    crate::support::{Base, files_below, one_in, root},
    plydex::{
        base::record::{GameRecord, MoveForm, MovetextItem},
        games::notation::letters::{ENGLISH, FIGURINES, LANGUAGES, Language},
        import::{ImportOptions, ImportReport},
        pgn::writer as pgn,
        search::{GameReader, MoveNotation},
    },
};

/// All games of a base with moves in a language.
fn games_in(base: &Base, language: &'static Language) -> Vec<GameRecord> {
    let form = MoveForm::Short;
    let mut games = GameReader::new(&base.store).with_writing(MoveNotation { form, language });
    let last = base.store.last_game().expect("a number");
    (1..=last)
        .map(|id| games.game(id).expect("readable").expect("without gaps"))
        .collect()
}

fn text_of<'g>(games: impl IntoIterator<Item = &'g GameRecord>) -> String {
    let mut text = String::new();
    for game in games {
        pgn::write(game, &mut text);
    }
    text
}

/// A small generator of our own (xorshift), so that the games stay the same for ever.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Games of random moves in English, at most so many plies long; some with a
/// variation of the last move.
fn random_games(count: usize, plies_max: u64, seed: u64) -> String {
    let mut state = seed | 1;
    let mut text = String::new();
    for number in 0..count {
        let _ = write!(text, "[White \"Player {number}\"]\n\n");
        let mut position = Chess::default();
        let plies = plies_max / 2 + random(&mut state) % (plies_max / 2 + 1);
        let mut before = None;
        for ply in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[(random(&mut state) % legal.len() as u64) as usize];
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(text, "{} ", SanPlus::from_move(position.clone(), m));
            before = Some(position.clone());
            position.play_unchecked(m);
        }
        if let (Some(before), 0) = (before, number % 3) {
            let other = before.legal_moves()[0];
            let dots = if before.turn().is_white() { "." } else { "..." };
            let san = SanPlus::from_move(before.clone(), other);
            let _ = write!(text, "({}{dots} {san}) ", before.fullmoves());
        }
        text.push_str("*\n\n");
    }
    text
}

/// The code of the language that most games of an import were read in.
fn found(summary: &ImportReport) -> &'static str {
    let english = summary.stored
        - summary
            .languages
            .iter()
            .map(|found| found.games)
            .sum::<u64>();
    let others = summary
        .languages
        .iter()
        .map(|found| (found.games, found.language));
    others
        .chain([(english, "en")])
        .max()
        .map_or("en", |(_, code)| code)
}

/// The moves of a game and of its variations.
fn moves(game: &GameRecord) -> Vec<&str> {
    let texts = game.items.iter().filter_map(|item| match item {
        MovetextItem::Move(text) | MovetextItem::Variation(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// Writes games in a language, reads them, and gives what was found and how many
/// of the games, and of their words, are other ones now.
fn told_and_wrong(games: &Base, language: &'static Language) -> (&'static str, usize, usize) {
    let written = Base::new();
    let summary = written.import_text(
        text_of(&games_in(games, language)).as_bytes(),
        ImportOptions::default(),
    );
    let (mut wrong_games, mut wrong_plies) = (0, 0);
    for (one, two) in games_in(games, ENGLISH)
        .iter()
        .zip(&games_in(&written, ENGLISH))
    {
        let (one, two) = (moves(one), moves(two));
        let same = one.iter().zip(&two).take_while(|(a, b)| a == b).count();
        wrong_games += usize::from(one != two);
        wrong_plies += one.len() - same;
    }
    (found(&summary), wrong_games, wrong_plies)
}

/// Each set of letters once: languages that write moves alike cannot be told apart.
fn distinct() -> Vec<&'static Language> {
    let mut found: Vec<&'static Language> = Vec::new();
    for language in LANGUAGES {
        if !found.iter().any(|other| other.moves_as(language)) {
            found.push(language);
        }
    }
    found
}

#[test]
fn samples_come_back_the_same_in_every_language() {
    let paths = files_below(&root().join("sample-data/pgn"), "pgn");
    assert!(!paths.is_empty());
    for path in paths {
        let first = Base::new();
        first.import(&[PathBuf::from(&path)], ImportOptions::default());
        for language in LANGUAGES.iter().chain([&FIGURINES]) {
            let games = games_in(&first, language);
            let second = Base::new();
            let options = ImportOptions {
                language: Some(language),
                ..ImportOptions::default()
            };
            second.import_text(text_of(&games).as_bytes(), options);
            for (one, two) in games.iter().zip(&games_in(&second, language)) {
                let name = format!("{} {}", path.display(), language.code);
                assert_eq!(one.tags, two.tags, "{name}");
                // What was not played stands as it stood, in whatever letters.
                if one
                    .items
                    .iter()
                    .any(|item| matches!(item, MovetextItem::Rest(_)))
                {
                    continue;
                }
                assert_eq!(one.items, two.items, "{name} game {}", one.header.id);
            }
        }
    }
}

#[test]
fn a_file_tells_its_language_and_every_ply_is_read() {
    let games = Base::of(random_games(12, 120, 7).as_bytes());
    for language in distinct() {
        assert_eq!(
            told_and_wrong(&games, language),
            (language.code, 0, 0),
            "{}",
            language.code
        );
    }
    assert_eq!(told_and_wrong(&games, &FIGURINES), ("figurine", 0, 0));
}

#[test]
fn a_game_in_the_middle_is_read_in_its_own_language() {
    let games = Base::of(random_games(60, 100, 11).as_bytes());
    let by_code = |code| Language::by_code(code).expect("in the table");
    for (usual, other) in [
        ("en", "de"),
        ("de", "en"),
        ("fr", "en"),
        ("ru", "el"),
        ("nl", "hu"),
    ] {
        let (most, some) = (
            games_in(&games, by_code(usual)),
            games_in(&games, by_code(other)),
        );
        let mixed =
            most.iter().zip(&some).enumerate().map(
                |(at, (usual, other))| {
                    if at % 20 == 19 { other } else { usual }
                },
            );
        let written = Base::new();
        let summary = written.import_text(text_of(mixed).as_bytes(), ImportOptions::default());
        assert_eq!(found(&summary), usual);
        for (one, two) in games_in(&games, ENGLISH)
            .iter()
            .zip(&games_in(&written, ENGLISH))
        {
            assert_eq!(moves(one), moves(two), "{usual} {other} {}", one.header.id);
        }
    }
}

#[test]
fn a_language_holds_for_games_that_do_not_tell() {
    // The king goes where a rook could: only the games before tell that it is French.
    let french = "[White \"a\"]\n\n1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fa4 Cf6 5. O-O Fe7 6. Te1 b5 \
                  7. Dd2 Rf8 *\n\n";
    let silent = "[FEN \"4k3/8/8/8/8/8/8/R3K2R w - - 0 1\"]\n\n1. Rf1 *\n\n";
    let read = |text: &str, options| {
        let base = Base::new();
        base.import_text(text.as_bytes(), options);
        let games = games_in(&base, ENGLISH);
        moves(games.last().expect("a game")).join(" ")
    };
    assert_eq!(
        read(&format!("{french}{silent}"), ImportOptions::default()),
        "Kf1"
    );
    assert_eq!(read(silent, ImportOptions::default()), "Rf1");
    let said = ImportOptions {
        language: Language::by_code("fr"),
        ..ImportOptions::default()
    };
    assert_eq!(read(silent, said), "Kf1");
}

#[test]
fn books_in_other_alphabets() {
    for (text, code, wanted) in [
        (
            "1. ε4 ε5 2. Ιζ3 Ιγ6 3. Αβ5 α6 4. Αχγ6 δχγ6 5. Ο-Ο Αδ6 6. Πε1 Βε7 7. Ρθ1 *",
            "el",
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Bd6 Re1 Qe7 Kh1",
        ),
        (
            "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. С:c6 dc 5. 0-0 Сd6 6. Лe1 Фe7 7. Крh1 *",
            "ru",
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Bd6 Re1 Qe7 Kh1",
        ),
        (
            "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 (3... Sf6 4. Sc3 {ruhig} Lb4) 4. L:c6 dxc6 5. O-O Ld6 \
             6. Te1 De7 7. Kh1 *",
            "de",
            "e4 e5 Nf3 Nc6 Bb5 a6 3... Nf6 4. Nc3 {ruhig} 4... Bb4 Bxc6 dxc6 O-O Bd6 Re1 Qe7 Kh1",
        ),
    ] {
        let base = Base::new();
        let pgn = format!("[White \"a\"]\n\n{text}\n");
        let summary = base.import_text(pgn.as_bytes(), ImportOptions::default());
        assert_eq!(found(&summary), code);
        assert_eq!(moves(&games_in(&base, ENGLISH)[0]).join(" "), wanted);
        base.assert_sound();
    }
}

#[test]
fn drops_and_variants_have_letters_too() {
    let text = "[Variant \"Crazyhouse\"]\n\n1. e4 Sf6 2. Sc3 Sxe4 3. Sxe4 d5 4. S@f3 (4. S@d4 dxe4 \
                5. Lb5+) dxe4 5. Lb5+ *\n";
    let base = Base::new();
    let summary = base.import_text(text.as_bytes(), ImportOptions::default());
    assert_eq!(found(&summary), "de");
    let game = &games_in(&base, ENGLISH)[0];
    assert_eq!(
        moves(game).join(" "),
        "e4 Nf6 Nc3 Nxe4 Nxe4 d5 N@f3 4. N@d4 dxe4 5. Bb5+ dxe4 Bb5+"
    );
    let french = Language::by_code("fr").expect("in the table");
    let game = &games_in(&base, french)[0];
    assert!(moves(game).join(" ").contains("C@f3 4. C@d4 dxe4 5. Fb5+"));
    base.assert_sound();
}

/// Bytes of a text whose letters beyond ASCII lie in one row of an old encoding.
fn encoded(text: &str, byte: impl Fn(char) -> Option<u8>) -> Vec<u8> {
    let letter = |c: char| if c.is_ascii() { Some(c as u8) } else { byte(c) };
    text.chars()
        .map(|c| letter(c).expect("in the encoding"))
        .collect()
}

#[test]
fn old_encodings_tell_their_language_by_the_moves_alone() {
    // Windows-1253 has Greek from 0xC0 on in the order of Unicode, Windows-1251 Cyrillic.
    let greek = |c: char| u8::try_from(c as u32 - 0x390 + 0xc0).ok();
    let cyrillic = |c: char| u8::try_from(c as u32 - 0x410 + 0xc0).ok();
    for (bytes, code) in [
        (
            encoded(
                "[White \"a\"]\n\n1. ε4 ε5 2. Ιζ3 Ιγ6 3. Αβ5 α6 4. Αxγ6 δxγ6 *\n",
                greek,
            ),
            "el",
        ),
        (
            encoded(
                "[White \"a\"]\n\n1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. С:c6 dc *\n",
                cyrillic,
            ),
            "ru",
        ),
    ] {
        let base = Base::new();
        let summary = base.import_text(&bytes, ImportOptions::default());
        assert_eq!(found(&summary), code);
        let read = moves(&games_in(&base, ENGLISH)[0]).join(" ");
        assert_eq!(read, "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6");
    }
}

#[test]
fn threads_do_not_change_what_is_found() {
    // Three chunks and more, each with games of several languages.
    let games = Base::of(random_games(6_000, 160, 3).as_bytes());
    let languages = ["de", "fr", "de", "nl", "de", "ru", "en"];
    let by_language: BTreeMap<&str, Vec<GameRecord>> = languages
        .into_iter()
        .map(|code| {
            (
                code,
                games_in(&games, Language::by_code(code).expect("in the table")),
            )
        })
        .collect();
    let mixed: String = (0..6_000)
        .map(|at| text_of([&by_language[languages[at % languages.len()]][at]]))
        .collect();
    assert!(mixed.len() > 3 << 20, "{}", mixed.len());
    let read = |threads| {
        let base = Base::new();
        let options = ImportOptions {
            threads: Some(threads),
            ..ImportOptions::default()
        };
        let summary = base.import_text(mixed.as_bytes(), options);
        let languages = summary.languages.into_iter();
        let counted: Vec<(&str, u64)> = languages
            .map(|found| (found.language, found.games))
            .collect();
        (games_in(&base, ENGLISH), counted)
    };
    let one = read(1);
    for threads in [7, 2].into_iter().step_by(one_in(2)) {
        assert!(read(threads) == one, "{threads} threads");
    }
    let wrong = games_in(&games, ENGLISH)
        .iter()
        .zip(&one.0)
        .filter(|(a, b)| moves(a) != moves(b))
        .count();
    assert_eq!(wrong, 0);
}

/// The table in `docs/languages.md`.
#[test]
#[ignore = "long: part of `just full`"]
fn the_table_of_the_documentation_is_measured() {
    let short: Vec<Base> = (0..50)
        .map(|seed| Base::of(random_games(1, 12, seed * 77 + 5).as_bytes()))
        .collect();
    let medium: Vec<Base> = (0..50)
        .map(|seed| Base::of(random_games(1, 80, seed * 91 + 3).as_bytes()))
        .collect();
    let archive = Base::of(random_games(200, 120, 99).as_bytes());
    let mut table = String::from(
        "| language | detected: 200 games | one game | opening | read wrong of 200, 50, 50 | openings \
         taken for |\n\
         |---|---|---|---|---|---|\n",
    );
    for language in distinct() {
        let (whole, wrong, _) = told_and_wrong(&archive, language);
        let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
        let mut told = |bases: &[Base]| {
            let (mut right, mut wrong) = (0, 0);
            for base in bases {
                let (code, games, _) = told_and_wrong(base, language);
                right += usize::from(code == language.code);
                wrong += games;
                if code != language.code {
                    *taken.entry(code).or_default() += 1;
                }
            }
            (right * 100 / bases.len(), wrong)
        };
        let (one, wrong_one) = told(&medium);
        let (opening, wrong_opening) = told(&short);
        let taken: Vec<String> = taken
            .iter()
            .map(|(code, times)| format!("{code} {times}"))
            .collect();
        let _ = writeln!(
            table,
            "| {} (`{}`) | {} | {one} % | {opening} % | {wrong}, {wrong_one}, {wrong_opening} | {} |",
            language.name,
            language.code,
            if whole == language.code {
                "100 %"
            } else {
                whole
            },
            if taken.is_empty() {
                "–".to_owned()
            } else {
                taken.join(", ")
            },
        );
    }
    let documented = std::fs::read_to_string(root().join("docs/languages.md")).expect("a document");
    assert!(
        documented.contains(&table),
        "docs/languages.md has another table than this:\n{table}"
    );
}
