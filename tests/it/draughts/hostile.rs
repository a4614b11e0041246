//! Files made to break a reader of draughts: imported whole they cost no more
//! than their length, and every record is accounted for.

use std::{fmt::Write as _, time::Instant};

use {
    crate::support::Base,
    plydex::{import::ImportOptions, search::GameReader},
};

/// Seconds that a hostile file may take at most in a test build while other tests keep all cores busy;
/// what is not linear takes hours.
const SECONDS_MAX: u64 = 60;

/// Imports a text, looks at all games and checks the index.
fn import(name: &str, text: &[u8]) -> Base {
    let start = Instant::now();
    let base = Base::new();
    let summary = base.import_text(text, ImportOptions::default());
    let accounted = summary.stored + summary.duplicate + summary.rejected;
    assert_eq!(summary.seen, accounted, "{name}");
    assert_eq!(base.games().len() as u64, summary.stored, "{name}");
    base.assert_sound();
    let mut reader = GameReader::new(&base.store);
    for id in 1..=summary.stored {
        reader.board_at(id, None).expect("a readable game");
    }
    let seconds = start.elapsed().as_secs();
    assert!(seconds < SECONDS_MAX, "{name}: {seconds} s");
    base
}

fn plies(base: &Base) -> Vec<u32> {
    base.games().iter().map(|game| game.header.plies).collect()
}

#[test]
fn brackets_without_end_cost_their_length() {
    let depth = 10_000;
    let opened = "(1. 33-29 ".repeat(depth);
    let nested = format!(
        "[GameType \"20\"]\n\n1. 32-28 {opened}{} 19-23 2-0\n",
        ")".repeat(depth)
    );
    assert_eq!(plies(&import("nested", nested.as_bytes())), [2]);
    let unclosed = format!("[GameType \"20\"]\n\n1. 32-28 {opened}");
    assert_eq!(plies(&import("unclosed", unclosed.as_bytes())), [1]);
    for sign in [
        "(", ")", "{", "}", "<", "[", "/FEN \"", "*", "$", "1.", "--", "x", "1-a1-", "a1-1x",
        "1-1-", "1/2-", "1 / 2", "pass\n",
    ] {
        let text = format!(
            "[GameType \"20\"]\n\n1. 32-28 {}",
            sign.repeat(1_000_000 / sign.len())
        );
        import(sign, text.as_bytes());
    }
}

/// Thirty pieces stand apart on a Frisian board: its captures are beyond counting.
const EXPLODING: &str = "W:WK5:BK2,K4,K7,K8,K9,K10,K11,K13,K15,K16,K18,K19,K20,K21,K22,K24,K27,K29,\
                         K30,K31,K32,K33,K35,K36,K38,K40,K41,K42,K43,K44,K47,K49";

#[test]
fn captures_beyond_counting_are_bounded() {
    let mut text = String::new();
    for moves in [
        "5x10 1-0",
        "5x46 1x6 1-0",
        "1. 5x23 (1. 5x12 (1. 5x14)) 2-0",
        "5-10 *",
        "*",
    ] {
        let _ = write!(
            text,
            "[GameType \"40\"]\n[FEN \"{EXPLODING}\"]\n\n{moves}\n\n"
        );
    }
    let _ = write!(
        text,
        "[GameType \"40\"]\n\n1. 32-28 /FEN \"{EXPLODING}\"/ 5x10 1-0\n\n"
    );
    let base = import("exploding", text.as_bytes());
    assert_eq!(base.games().len(), 6);
    let many = format!("[GameType \"40\"]\n[FEN \"{EXPLODING}\"]\n\n5x10 1-0\n\n").repeat(60);
    assert_eq!(import("many", many.as_bytes()).games().len(), 60);
    // Without a GameType it is asked under each variant of the board.
    let untold = format!("[FEN \"{EXPLODING}\"]\n\n5x10 1-0\n\n").repeat(20);
    assert_eq!(import("untold", untold.as_bytes()).games().len(), 20);
    // Words that could be read in many ways, over and over.
    let words = format!(
        "[GameType \"40\"]\n[FEN \"{EXPLODING}\"]\n\n{}*\n",
        "5x5 ".repeat(50_000)
    );
    import("words", words.as_bytes());
}

#[test]
fn numbers_and_words_past_everything_are_text() {
    let long = "3".repeat(1_000_000);
    let texts = [
        format!("[GameType \"20\"]\n\n1. 32-28 {long} 19-23 2-0\n"),
        format!(
            "[GameType \"20\"]\n\n1. 32-28 {} 2-0\n",
            "32-28-".repeat(160_000)
        ),
        format!(
            "[GameType \"25\"]\n\n1. c3-d4 {} 2-0\n",
            "a1x".repeat(300_000)
        ),
        format!(
            "[GameType \"20\"]\n[FEN \"W:W{}:B1\"]\n\n1. 32-28 *\n",
            "31,".repeat(300_000)
        ),
        format!("[GameType \"20\"]\n[FEN \"W:W1-99999999999:B1-{long}\"]\n\n1. 32-28 *\n"),
        format!("[GameType \"{long}\"]\n\n1. 32-28 *\n"),
        format!("[GameType \"20,{long},10,10,N2,0\"]\n\n1. 32-28 *\n"),
        format!(
            "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 <{}> 14x23 *\n",
            "23,".repeat(300_000)
        ),
        format!(
            "[GameType \"20\"]\n\n1. 32-28 /FEN \"{}\"/ 19-23 *\n",
            "W:".repeat(400_000)
        ),
        format!("[GameType \"20\"]\n\n1. 32-28 {long}/{long}-{long}/{long}\n"),
    ];
    for (at, text) in texts.iter().enumerate() {
        import(&format!("long text {at}"), text.as_bytes());
    }
    for word in [
        "51-46", "0-1-2", "99x1", "32-0", "72-71", "100-99", "255-256", "k9-l9", "a0-b0", "i1-j2",
    ] {
        for number in [20, 21, 25, 27, 30, 31, 40, 41, 96, 97, 98] {
            let text = format!("[GameType \"{number}\"]\n\n1. {word} {word} *\n");
            let base = import(word, text.as_bytes());
            assert_eq!(base.games().len(), 1, "{text}");
        }
    }
}

/// Every sample file cut at many places, and with a byte changed there.
#[test]
fn cut_and_damaged_files_are_read_as_far_as_they_go() {
    let samples =
        crate::support::files_below(&crate::support::root().join("sample-data/pdn"), "pdn");
    let mut dice = 0x9e37_79b9_u64;
    for path in samples {
        let whole = std::fs::read(&path).expect("a file");
        for _ in 0..12 {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            let at = dice as usize % whole.len();
            import("cut", &whole[..at]);
            let mut damaged = whole.clone();
            damaged[at] = (dice >> 32) as u8;
            import("damaged", &damaged);
        }
    }
}

/// What is looked up for each move must not be looked for in all that stood before.
#[test]
fn many_tags_and_many_set_ups_cost_their_number() {
    let mut tags = String::new();
    for at in 0..40_000 {
        let _ = writeln!(tags, "[T{at} \"x\"]");
    }
    let moves = "32-28\n19-23\n".repeat(20_000);
    import(
        "tags",
        format!("[GameType \"20\"]\n{tags}\n{moves}*\n").as_bytes(),
    );
    let mut set_ups = String::from("[GameType \"20\"]\n\n1. 32-28 (1. ");
    for at in 0..80_000 {
        let (one, two) = (1 + at % 25, 26 + at / 25 % 25);
        let kings = at / 625 % 40;
        let _ = write!(set_ups, "/FEN \"W:W{two},K{}:B{one}\"/ ", 6 + kings);
    }
    set_ups.push_str(") 19-23 *\n");
    import("set-ups", set_ups.as_bytes());
}
