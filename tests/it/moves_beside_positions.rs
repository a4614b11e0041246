//! Moves and words beside positions: they stay with the record that they are of, wherever a text
//! is cut, and moves are played.

use {
    crate::lookalikes::{assert_told, found, read_as},
    crate::support::one_in,
    plydex::import::ImportOptions,
};

/// A position with a number of its own.
fn numbered(number: usize) -> String {
    format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")
}

const MOVES: [&str; 5] = ["e4", "e3", "Kd1", "Kf2", "Kd2"];

#[test]
fn moves_stay_with_their_records_wherever_a_text_is_cut() {
    const RECORDS: usize = 300;
    let templates = [
        "Position {n}: {fen}\nMoves: {m}\n",
        "fen: {fen}\nmoves: {m}\n",
        "moves: {m}\nfen: {fen}\n",
        "fen = \"{fen}\"\nname = \"x\"\nmoves = \"{m}\"\n",
        "E{n}:\n  fen: '{fen}'\n  solution: [{m}]\n",
        "- fen: {fen}\n  moves:\n    - {m}\n",
        "- name: E{n}\n  fen: {fen}\n  moves: {m}\n",
        "[E{n}]\nfen = \"{fen}\"\nmoves = \"{m}\"\n",
        "{fen}\n{m}\n",
        "{fen}\n\nSolution:\n{n}. {m}\n\n",
        "```\n{fen}\n```  \n  \nSolution: {n}. {m}  \n  \n",
    ];
    for (nth, template) in templates.into_iter().enumerate() {
        let record = |number: usize| {
            let filled = template.replace("{fen}", &numbered(number));
            let filled = filled.replace("{n}", &number.to_string());
            filled.replace("{m}", MOVES[number % MOVES.len()])
        };
        let text: String = (1..=RECORDS).map(record).collect();
        let ends = ["\n", "\r\n", "\r"].into_iter();
        for ends in ends.skip(nth % one_in(3)).step_by(one_in(3)) {
            let text = text.replace('\n', ends);
            let (records, done) = read_as("a.txt", text.as_bytes(), ImportOptions::default());
            assert_eq!(records.len(), RECORDS, "{template:?} {ends:?}");
            for (number, record) in (1..).zip(&records) {
                let wanted = format!("FEN={} {}", numbered(number), MOVES[number % MOVES.len()]);
                assert!(record.ends_with(&wanted), "{template:?} {ends:?}: {record}");
            }
            assert_eq!(found(&done, "epd-move"), 0, "{template:?} {ends:?}");
        }
    }
}

#[test]
fn a_single_position_has_what_stands_below_it() {
    for (text, wanted) in [
        (
            "**Black to move**\n\n`4K3/8/4k3/8/8/8/8/r7`\n\n1... Ra8#\n",
            "Ra8#",
        ),
        (
            "Look at\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nwhich is fine.\n\n1. e4 Kd7\n",
            "e4 Kd7",
        ),
        ("7,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,e4 Kd7\n", "e4 Kd7"),
        (
            "1. 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n   e4 Kd7\n---\n",
            "e4 Kd7",
        ),
        (
            "- **E0**: `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1` – 1. e4 Kd7\n",
            "e4 Kd7",
        ),
        (
            "We reached 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 once. Play went on\r1. e4 Kd7\r\r",
            "e4 Kd7",
        ),
    ] {
        let (records, _) = read_as("a.md", text.as_bytes(), ImportOptions::default());
        assert_eq!(records.len(), 1, "{text}");
        assert!(records[0].ends_with(wanted), "{text}: {records:?}");
    }
}

#[test]
fn castling_and_promotions_are_moves_beside_others() {
    for (template, wanted) in [
        (
            "- fen: {fen}\n  moves:\n    - e4\n    - gxh1=Q\n    - e5\n- fen: {A}\n  moves:\n    - Bb5\n",
            &["pv=e4 gxh1=Q e5 FEN={fen} e4 gxh1=Q e5", "pv=Bb5 A Bb5"][..],
        ),
        (
            "{fen}\ne4 gxh1=Q\n{A}\nBb5 a6 O-O\n{A}\nBc4\n",
            &[
                "pv=e4 gxh1=Q FEN={fen} e4 gxh1=Q",
                "pv=Bb5 a6 O-O A Bb5 a6 O-O",
                "pv=Bc4 A Bc4",
            ],
        ),
    ] {
        let fen = "4k3/4p3/8/8/8/8/4PKp1/7R w - - 0 1";
        let filled = template.replace("{fen}", fen);
        let wanted: Vec<String> = wanted
            .iter()
            .map(|told| told.replace("{fen}", fen))
            .collect();
        let wanted: Vec<&str> = wanted.iter().map(|told| &told[..]).collect();
        assert_told("a.txt", &filled, "text", &wanted);
    }
}

#[test]
fn words_behind_a_position_are_kept_with_it() {
    for (words, wanted) in [
        ("Solution: Bb5 a6", "pv=Bb5 a6 c1=Solution A Bb5 a6"),
        ("best move: Bb5", "pv=Bb5 c1=best move A Bb5"),
        ("Best move Bb5", "pv=Bb5 c1=Best move A Bb5"),
        ("solution Bb5 a6", "pv=Bb5 a6 c1=solution A Bb5 a6"),
        ("solution by Ann", "c0=solution by Ann A"),
        ("- Bb5 a6", "pv=Bb5 a6 A Bb5 a6"),
        ("-> Bb5", "pv=Bb5 A Bb5"),
        ("(Bb5)", "pv=Bb5 A Bb5"),
        ("White to play and win", "c0=White to play and win A"),
        ("Sicilian Defence", "c0=Sicilian Defence A"),
        ("mate in 3", "c0=mate in 3 A"),
        ("draw", "c0=draw A"),
        ("+0.35", "c0=+0.35 A"),
        ("e2e4 35", "c0=e2e4 35 A"),
        ("Solution: Qh5 a6", "pv=Qh5 a6 c1=Solution A ‹Qh5 a6›"),
    ] {
        for name in ["a.epd", "a.txt"] {
            let line = format!("{{A}} {words}\n");
            let text = crate::lookalikes::text_of(&line.repeat(3));
            let (records, done) = read_as(name, text.as_bytes(), ImportOptions::default());
            assert_eq!(found(&done, "bad-fen"), 0, "{name}: {words}");
            assert_eq!(records, [wanted; 3], "{name}: {words}");
        }
    }
    // Damaged counters are no words.
    let odd = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1x Bb5\n";
    let (_, done) = read_as("a.epd", odd.as_bytes(), ImportOptions::default());
    assert_eq!(found(&done, "bad-fen"), 1);
}
