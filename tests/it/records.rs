//! Positions out of EPD and FEN files: stored, found beside games, given back.

use std::{fmt::Write as _, path::PathBuf};

use proptest::prelude::*;
use shakmaty::{Chess, EnPassantMode, Position as _};

use {
    crate::support::{Base, beside, one_in, run, vector},
    plydex::{
        base::record::GameRecord,
        games::{AnyPosition, chess::notation::fen, notation::epd, variant::Variant},
        import::{ImportOptions, ImportReport},
        query::PositionQuery,
        search::{self, AccessPlan, MoveNotation},
    },
};

/// A file of this name with this text, in a database of its own.
fn imported(name: &str, text: &[u8]) -> (Base, ImportReport) {
    imported_as(name, text, ImportOptions::default())
}

fn imported_as(name: &str, text: &[u8], options: ImportOptions) -> (Base, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], options);
    (base, done)
}

/// The line that a record is exported as.
fn line(game: &GameRecord) -> String {
    let usual = || {
        let variant = Variant::by_name(&game.header.variant).expect("a variant");
        AnyPosition::start(variant).expect("a start").fen()
    };
    let fen = game.header.start_fen.clone().unwrap_or_else(usual);
    epd::from_tags(&fen, &game.tags)
}

fn lines(base: &Base) -> Vec<String> {
    base.games().iter().map(line).collect()
}

/// What the records are exported as reads back as the same, from EPD and PGN.
fn assert_round_trip(base: &Base) {
    let written = lines(base);
    let (again, _) = imported("again.epd", written.join("\n").as_bytes());
    assert_eq!(lines(&again), written);
    let mut text = String::new();
    for game in base.games() {
        plydex::pgn::writer::write(&game, &mut text);
    }
    let from_pgn = Base::of(text.as_bytes());
    assert_eq!(lines(&from_pgn), written);
}

#[test]
fn the_vectors_come_through_an_import() {
    let table = vector("epd.tsv");
    let inputs: Vec<&str> = table
        .lines()
        .skip(1)
        .filter_map(|row| row.split('\t').next())
        .collect();
    let (base, done) = imported("epd.epd", inputs.join("\n").as_bytes());
    assert_eq!((done.stored, done.rejected), (inputs.len() as u64, 0));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let wanted = [
        "r1bq1rk1/pp1n1ppp/2pbpn2/3p4/2PP4/1P1BPN2/P4PPP/RNBQ1RK1 w - - acd 12; bm Bb2; ce 35; \
         fmvn 9; hmvc 3; id \"WAC.001; test\";"
            .to_owned(),
        format!("{start} am a3; bm d4 e4; c0 \"say \\\"hi\\\"\"; pv e4 e5 Nf3;"),
        format!("{start} noop;"),
        start.to_owned(),
        format!("{start} bm e4;"),
        format!("{start} bm Qh9;"),
        format!("{start} eco \"C20\";"),
        format!("{start} id \"no end\";"),
        format!("{start} D1 20; D2 400; dm 3;"),
        format!("{start} bm d4 e4;"),
    ];
    assert_eq!(lines(&base), wanted);
    let illegal = done
        .diagnostics
        .iter()
        .find(|(code, _)| code.as_str() == "epd-move");
    assert_eq!(illegal.map(|&(_, count)| count), Some(1));
    assert_round_trip(&base);
    base.assert_sound();
}

#[test]
fn comments_ends_of_lines_and_what_is_no_position() {
    let men = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let text = format!(
        "\u{feff}# a suite\r\n{men} id \"1\";\r; note\r\r\n%x\n{men} id \"2\"; bm Kf2 Kd2\nhello\n\
         9/8/8/8/8/8/8/8 w - - id \"3\";\n"
    );
    let (base, done) = imported("suite.epd", text.as_bytes());
    assert_eq!((done.seen, done.stored, done.rejected), (4, 3, 1));
    assert_eq!(done.incomplete, 1);
    let wanted = [
        format!("{men} id \"1\";"),
        format!("{men} bm Kd2 Kf2; id \"2\";"),
        "9/8/8/8/8/8/8/8 w - - id \"3\";".to_owned(),
    ];
    let found = lines(&base);
    assert_eq!(found[..2], wanted[..2]);
    assert!(
        found[2].starts_with("9/8/8/8/8/8/8/8 w - -"),
        "{}",
        found[2]
    );
    base.assert_sound();
    // The same again is known; what is added is read alone.
    let path = base.folder().join("suite.epd");
    let again = base.import(std::slice::from_ref(&path), ImportOptions::default());
    assert_eq!((again.stored, again.duplicate), (0, 3));
    std::fs::write(&path, text + men + " id \"4\";\n").expect("a file");
    let more = base.import(&[path], ImportOptions::default());
    assert_eq!((more.stored, more.duplicate), (1, 3));
    base.assert_sound();
}

#[test]
fn variants_by_line_name_and_order() {
    let men = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let by = |name: &str, text: String, forced: Option<&str>| {
        let variant = forced.map(|name| Variant::by_name(name).expect("a variant").id);
        let options = ImportOptions {
            variant,
            ..ImportOptions::default()
        };
        let (base, _) = imported_as(name, text.as_bytes(), options);
        base.assert_sound();
        let header = base.games().remove(0).header;
        (header.variant, header.variant_by.unwrap_or_default())
    };
    let told = |variant: &str, by: &str| (variant.to_owned(), by.to_owned());
    let plain = || format!("{men} w KQkq - id \"x\";");
    assert_eq!(by("a.epd", plain(), None), told("chess", ""));
    assert_eq!(by("atomic.epd", plain(), None), told("atomic", "inferred"));
    assert_eq!(by("atomic.epd", plain(), Some("horde")).0, "horde");
    assert_eq!(
        by("a.epd", plain(), Some("atomic")),
        told("atomic", "forced")
    );
    let pocket = format!("{men}[Qp] w KQkq - bm Q@e4;");
    assert_eq!(by("a.epd", pocket, None), told("crazyhouse", "inferred"));
    let checks = format!("{men} w KQkq - 0 1 +1+0");
    assert_eq!(by("a.epd", checks, None), told("threecheck", "inferred"));
    let checks = format!("{men} w KQkq - 5+4 0 1 bm e4; id \"x\";");
    assert_eq!(by("a.epd", checks, None), told("fivecheck", "inferred"));
    let shredder = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 ;D1 21";
    assert_eq!(by("a.epd", shredder.into(), None).0, "chess960");
    assert_eq!(by("alice.epd", plain(), None), told("unknown", ""));
    let draughts = "W:W31-50:B1-20\nB:WK4,36,37:BK29\n";
    assert_eq!(by("a.fen", draughts.into(), None).0, "international");
}

/// Every row, by the name of its file and by order. The variants of all rows have
/// rules; one without would be left to text, and fail here.
#[test]
fn fens_of_variants_come_through_an_import() {
    let mut rows = 0;
    for row in vector("variant_fen.tsv").lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, input, canonical, ..] = cells[..] else {
            panic!("{row}");
        };
        rows += 1;
        let variant = Variant::by_name(name).expect("a variant");
        let forced = ImportOptions {
            variant: Some(variant.id),
            ..ImportOptions::default()
        };
        let named = imported(&format!("{name}.epd"), input.as_bytes());
        let ordered = imported_as("any.epd", input.as_bytes(), forced);
        if canonical.starts_with("err:") {
            let (_, done) = ordered;
            assert_eq!(done.stored - done.incomplete, 0, "{input}");
            continue;
        }
        let wanted = if canonical == "same" {
            input
        } else {
            canonical
        };
        for (base, done) in [named, ordered] {
            assert_eq!((done.stored, done.incomplete), (1, 0), "{input}");
            let game = base.games().remove(0);
            assert_eq!(game.header.variant, name);
            let usual = AnyPosition::start(variant).unwrap_or_else(|| {
                let read = AnyPosition::read_fen(variant, input);
                read.expect("a position").at
            });
            let usual = usual.fen();
            assert_eq!(game.header.start_fen.clone().unwrap_or(usual), wanted);
            // Its PGN says which game it is.
            let mut text = String::new();
            plydex::pgn::writer::write(&game, &mut text);
            let again = Base::of(text.as_bytes()).games().remove(0);
            assert_eq!(again.header.variant, name, "{text}");
            assert_eq!(again.header.start_fen, game.header.start_fen, "{text}");
        }
    }
    assert_eq!(rows, 22);
}

/// What a search for a position finds.
fn hits(base: &Base, position: AnyPosition) -> Vec<u64> {
    let query = AccessPlan {
        position: Some(PositionQuery::of(position)),
        ..AccessPlan::default()
    };
    let found = search::search(&base.store, &query, MoveNotation::default()).expect("a search");
    found.hits.iter().map(|hit| hit.header.id).collect()
}

fn played(choices: &[u16]) -> Chess {
    let mut at = Chess::default();
    for &choice in choices {
        let moves = at.legal_moves();
        if moves.is_empty() {
            break;
        }
        at.play_unchecked(moves[usize::from(choice) % moves.len()]);
    }
    at
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_position_is_found_and_given_back(
        games in prop::collection::vec(prop::collection::vec(any::<u16>(), 1..80), 1..8),
        id in "[ -~]{1,20}",
    ) {
        let positions: Vec<Chess> = games.iter().map(|choices| played(choices)).collect();
        let mut text = String::new();
        for position in &positions {
            let name = epd::Operation {
                opcode: "id".to_owned(),
                operands: vec![epd::Operand::Text(id.clone())],
            };
            text += &epd::write(position, true, &[name]);
            text.push('\n');
        }
        let (base, done) = imported("any.epd", text.as_bytes());
        prop_assert_eq!(done.stored as usize, positions.len());
        for (at, position) in positions.iter().enumerate() {
            let found = hits(&base, AnyPosition::from(position.clone()));
            prop_assert!(found.contains(&(at as u64 + 1)), "{}", text);
            let setup = position.to_setup(EnPassantMode::Legal);
            let game = &base.games()[at];
            let fen = game.header.start_fen.clone();
            prop_assert_eq!(fen.unwrap_or_else(|| fen::write(&setup)), fen::write(&setup));
        }
        assert_round_trip(&base);
        base.assert_sound();
    }
}

/// A line of `pv` is played, so that its positions are found.
#[test]
fn positions_of_a_line_are_found() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv e4 e5 Nf3 Ke4; id \"x\";";
    let (base, done) = imported("pv.epd", text.as_bytes());
    assert_eq!(done.plies, 3);
    let mut at = Chess::default();
    for san in ["e4", "e5"] {
        let san: shakmaty::san::San = san.parse().expect("a move");
        at.play_unchecked(san.to_move(&at).expect("legal"));
    }
    assert_eq!(hits(&base, AnyPosition::from(at)), [1]);
    assert!(lines(&base)[0].contains("pv e4 e5 Nf3 Ke4;"));
    assert_round_trip(&base);
}

/// Long lines, NULs and rubbish end, and everything is counted.
#[test]
fn hostile_lines() {
    let men = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let long = format!(
        "{men} c0 \"{}\n{}\n{men}\n",
        "x;".repeat((4 << 20) / one_in(4)),
        "y/".repeat((4 << 20) / one_in(4))
    );
    let (base, done) = imported("long.epd", long.as_bytes());
    assert_eq!(done.seen, 3);
    base.assert_sound();
    let nuls = format!("{men}\n\0\0{men} id \"\0a\";\n\0\n");
    let (base, done) = imported("nuls.epd", nuls.as_bytes());
    assert_eq!((done.stored, done.rejected), (2, 0));
    assert_eq!(base.games()[1].header.event, "a");
    // Fields without end, each of which could be the name of an operation.
    let begin = std::time::Instant::now();
    let fields = format!("{men} {}\n{men}\n", "x ".repeat(300_000));
    let (_, done) = imported("fields.epd", fields.as_bytes());
    assert_eq!((done.stored, done.rejected), (2, 0));
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    // Operations and operands without end, each looked for among those before it.
    let begin = std::time::Instant::now();
    let many = |count: usize| {
        let (mut names, mut texts) = (String::new(), String::new());
        for n in 0..count {
            let _ = write!(names, "a{n} 1;");
            let _ = write!(texts, "c0 \"{n}\";");
        }
        imported("many.epd", format!("{men} {names}{texts}\n").as_bytes())
    };
    let (base, done) = many(4_900);
    assert_eq!((done.stored, done.rejected), (1, 0));
    let games = base.games();
    let line = epd::from_tags(men, &games[0].tags);
    assert!(line.contains(" a4899 1;"), "the last of them is kept");
    // More than a game may have.
    let (_, done) = many(50_000);
    assert_eq!((done.stored, done.rejected), (0, 1));
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    let rubbish = "\u{1b}[2J ; \"; / [ {\n".repeat(100_000);
    let (base, done) = imported("rubbish.epd", format!("{men}\n{rubbish}").as_bytes());
    assert_eq!((done.stored, done.rejected), (1, 100_000));
    base.assert_sound();
}

/// What is in an archive of positions, and what becomes of it: lines, stored,
/// rejected, of the stored those without a position.
const CORPUS: &[(&str, [u64; 4])] = &[
    (
        "epd-suites/ChrisWhittington__bratko-kopec.epd",
        [24, 24, 0, 0],
    ),
    (
        "epd-suites/ChrisWhittington__destructive.epd",
        [106, 103, 3, 70],
    ),
    (
        "epd-suites/ChrisWhittington__hard-mates-blass-uri.epd",
        [24, 24, 0, 0],
    ),
    ("epd-suites/ChrisWhittington__mixed.epd", [262, 262, 0, 1]),
    ("epd-suites/jdart1__wacnew.epd", [300, 300, 0, 0]),
    ("epd-suites/vondele__matetrackpv.epd", [6554, 6554, 0, 0]),
    ("epd-variants/ianfab__3check.epd", [3447, 3447, 0, 0]),
    ("epd-variants/ianfab__dobutsu.epd", [670, 670, 0, 670]),
    ("epd-variants/ianfab__horde-p4-f12.epd", [1358, 1358, 0, 0]),
    ("fen-draughts/Yodachess__FENCoupturc.fen", [1, 1, 0, 0]),
    ("perft/fathzer-games__Perft960.epd", [960, 960, 0, 0]),
    ("perft/fathzer-games__truncatedFen.epd", [1, 1, 0, 0]),
    ("perft/pychess__perftsuite2.epd", [32, 32, 0, 0]),
];

#[test]
fn real_suites_are_accounted_for() {
    let test = "real_suites_are_accounted_for";
    let Some(archive) = beside("corpora/positions/positions.tar.zst", test) else {
        return;
    };
    let base = Base::new();
    let mut found = 0;
    for (name, text) in members(&archive) {
        let name = name.trim_start_matches("positions/");
        let Some((_, wanted)) = CORPUS.iter().find(|(known, _)| *known == name) else {
            continue;
        };
        found += 1;
        let path = base.folder().join(name.rsplit('/').next().expect("a name"));
        std::fs::write(&path, text).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        let counts = [done.seen, done.stored, done.rejected, done.incomplete];
        assert_eq!(counts, *wanted, "{name}");
    }
    assert_eq!(found, CORPUS.len());
    assert_round_trip_of_chess(&base);
    base.assert_sound();
}

/// The records of chess come back from their own export; what is told by the
/// names of files alone does not.
fn assert_round_trip_of_chess(base: &Base) {
    let games = base.games();
    let of_chess = |game: &&GameRecord| game.header.variant == "chess";
    let written: Vec<String> = games.iter().filter(of_chess).map(line).collect();
    let (again, done) = imported("again.epd", written.join("\n").as_bytes());
    assert_eq!(done.rejected, 0);
    assert_eq!(lines(&again), written);
}

/// The files of a tar archive: headers of 512 bytes, sizes in octal.
fn members(archive: &PathBuf) -> Vec<(String, Vec<u8>)> {
    let file = std::fs::File::open(archive).expect("an archive");
    let bytes = zstd::decode_all(file).expect("zstd");
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(header) = bytes.get(at..at + 512) {
        let text = |range: std::ops::Range<usize>| {
            let field = header[range].split(|&b| b == 0).next().unwrap_or_default();
            String::from_utf8_lossy(field).trim().to_owned()
        };
        let size = usize::from_str_radix(&text(124..136), 8).unwrap_or(0);
        let body = &bytes[at + 512..][..size];
        if header[156] == b'0' {
            let prefix = text(345..500);
            let slash = if prefix.is_empty() { "" } else { "/" };
            found.push((format!("{prefix}{slash}{}", text(0..100)), body.to_vec()));
        }
        at += 512 + size.div_ceil(512) * 512;
    }
    found
}

/// Operations are read in the notation of the game, whichever it is.
#[test]
fn operations_of_every_game_are_read() {
    for (file, line, tags, moves) in [
        (
            "xiangqi.epd",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - bm h2e2; id \"x\"; pv h2e2 h9g7;",
            &[("EPD_bm", "Che3"), ("EPD_pv", "Che3 Hg8")][..],
            &["Che3", "Hg8"][..],
        ),
        (
            "ten.epd",
            "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - bm b1c3 Ci3;",
            &[("EPD_bm", "Ci3 Nc3")],
            &[],
        ),
    ] {
        let (base, _) = imported(file, line.as_bytes());
        let game = base.games().remove(0);
        for (name, value) in tags {
            let found = game.tags.iter().find(|(known, _)| known == name);
            assert_eq!(
                found.map(|(_, value)| value.as_str()),
                Some(*value),
                "{line}"
            );
        }
        let played: Vec<&str> = game
            .items
            .iter()
            .filter_map(|item| match item {
                plydex::base::record::MovetextItem::Move(word) => Some(word.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(played, moves, "{line}");
    }
}

/// Positions of draughts with everything that lines can say come back from their export.
#[test]
fn positions_of_draughts_come_back_from_epd() {
    let lines = "W:Wa1,c3,Kh8:Bb6,d6 id \"Puzzle one\"; moves \"c3-d4\"; rating 1500;\n\
        B:Wa1,c3:Bb6,d6,Kg7 id \"7\"; title \"two; with \\\"quotes\\\": a\"; url \"https://example.org/7\";\n\
        W:Wc3:B c9 \"none of Black\"; id \"a:b\";\n\
        W:Wc3:Bb8; c0 \"behind a semicolon\"; id \"four\";\n\
        B:W31-50:B1-20 id \"of another size\";\n\
        B:Wa1:Bb8\n";
    let base = Base::new();
    let path = base.folder().join("russian.epd");
    std::fs::write(&path, lines).expect("a file");
    let imported = base.import(&[path], ImportOptions::default());
    assert_eq!((imported.stored, imported.rejected), (6, 0));
    let first = base.games();
    let events: Vec<&str> = first.iter().map(|game| &game.header.event[..]).collect();
    assert_eq!(
        events,
        ["Puzzle one", "7", "a:b", "four", "of another size", ""]
    );
    let exported = run(base.store.path(), &["export", "--format", "epd"]).out;
    let again = Base::new();
    let path = again.folder().join("russian.epd");
    std::fs::write(&path, &exported).expect("a file");
    let imported = again.import(&[path], ImportOptions::default());
    assert_eq!((imported.stored, imported.rejected), (6, 0), "{exported}");
    for (one, other) in first.iter().zip(again.games()) {
        assert_eq!(*one, other);
    }
    let twice = run(again.store.path(), &["export", "--format", "epd"]).out;
    assert_eq!(exported, twice);
}
