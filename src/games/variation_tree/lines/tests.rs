//! Comments that name lines, in every game: each comes back letter by letter, and damage does
//! no harm.

use super::*;
use crate::games::GameCodec;
use crate::games::{
    AnyPosition, Budget,
    variant::ALL,
    variation_tree::{Annotation, Texts, TreeWriter, VariationTree, audit, parts},
    with_game,
};

/// A random line of at most that many plies, as it is written, and its packed plies.
fn line<G: BoardGame>(at: &G, plies: usize, random: &mut fastrand::Rng) -> (Vec<String>, Vec<u8>) {
    let (mut at, mut slots) = (at.clone(), at.slots());
    let (mut words, mut packed, mut legal) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plies {
        legal.clear();
        at.legal(Budget::default(), &mut legal).expect("few ways");
        let Some(&m) = legal.get(random.usize(..legal.len().max(1))) else {
            break;
        };
        at.pack(m, &mut slots, &mut packed);
        let mut word = String::new();
        at.write_onto(m, &mut word);
        words.push(word);
    }
    (words, packed)
}

/// Where a game stands after that many plies.
fn after<G: BoardGame>(start: &G, mut packed: &[u8], plies: usize) -> G {
    let (mut at, mut slots) = (start.clone(), start.slots());
    for _ in 0..plies {
        let m = at.unpack(&mut slots, &mut packed).expect("a ply");
        at.play(m);
    }
    at
}

/// A game with comments that name lines: its main line, tree and texts, and the comments.
fn game<G: BoardGame>(
    start: &G,
    random: &mut fastrand::Rng,
) -> (Vec<u8>, [Vec<u8>; 2], Vec<String>) {
    let (main, packed) = line(start, 30, random);
    let (mut writer, mut comments) = (TreeWriter::default(), Vec::<String>::new());
    for plies in 0..=main.len() {
        let from = plies.saturating_sub(random.usize(0..4));
        let played = random.usize(from..=main.len().min(from + 5));
        let further = line(&after(start, &packed, played), random.usize(0..6), random).0;
        let mut words: Vec<&str> = main[from..played].iter().map(String::as_str).collect();
        words.extend(further.iter().map(String::as_str));
        if random.u8(0..3) == 0 {
            words.push(["Zz9", "", "e4", "Nf3+", "--", "\u{e9}"][random.usize(0..6)]);
        }
        let mut named = words.join(" ");
        if let Some((at, _)) = named.char_indices().nth(random.usize(0..90)) {
            named.insert(at, [' ', '+', 'x', '1'][random.usize(0..4)]);
        }
        let again = comments
            .len()
            .checked_sub(2)
            .filter(|_| random.u8(0..4) == 0);
        let comment = match again {
            Some(earlier) => comments[earlier].clone(),
            None => format!("d={plies}, pv={named}, tb=x,"),
        };
        writer.text(Annotation::Comment, &comment, plies as u32);
        comments.push(comment);
    }
    let mut records = [Vec::new(), Vec::new()];
    writer.write_tree(&mut records[0]);
    writer.write_texts_of(start, &packed, &mut records[1]);
    (packed, records, comments)
}

/// Its comments, read again; `None` where they are damaged.
fn read<G: BoardGame>(start: &G, main: &[u8], [tree, texts]: &[Vec<u8>; 2]) -> Option<Vec<String>> {
    let tree = VariationTree::of(tree)?;
    let mut texts = Texts::of(texts, &tree, || Lines::new(start, main))?;
    let read = tree
        .marks()
        .map(|mark| Some(texts.next(mark)?.into_owned()));
    let read = read.collect::<Option<Vec<_>>>()?;
    texts.is_used_up().then_some(read)
}

#[test]
fn lines_of_every_game_come_back() {
    let mut random = fastrand::Rng::with_seed(5);
    for start in ALL.iter().filter_map(AnyPosition::start) {
        with_game!(AnyPosition of &start, at => {
            for _ in 0..3 {
                let (main, records, comments) = game(at, &mut random);
                assert_eq!(read(at, &main, &records).as_ref(), Some(&comments), "{at:?}");
                let [tree, texts] = &records;
                assert_eq!(audit(&start, &main, tree, texts), Ok(()), "{comments:?}");
                assert_eq!(parts(tree, texts)[1].concat(), *texts);
            }
        });
    }
}

#[test]
fn damaged_lines_do_no_harm() {
    let mut random = fastrand::Rng::with_seed(8);
    let start = AnyPosition::initial();
    let mut read_anew = 0;
    for _ in 0..60 {
        with_game!(AnyPosition of &start, at => {
            let (main, mut records, _) = game(at, &mut random);
            for _ in 0..20 {
                let byte = random.usize(..records[1].len());
                records[1][byte] = random.u8(..);
                if let Some(comments) = read(at, &main, &records) {
                    read_anew += 1;
                    assert!(comments.iter().all(|comment| comment.len() < 4 * BYTES_MAX));
                }
                let [tree, texts] = &records;
                let _ = audit(&start, &main, tree, texts);
            }
        });
    }
    assert!(read_anew > 0);
}

/// What engines write takes a few bytes a comment; what is not requested is left out.
#[expect(clippy::clone_on_copy, reason = "not every game is `Copy`")]
#[test]
fn what_was_played_or_named_before_is_not_packed_again() {
    let start = AnyPosition::initial();
    with_game!(AnyPosition of &start, at => {
        let mut main = Vec::new();
        let (mut board, mut slots) = (at.clone(), at.slots());
        for word in ["e4", "e5", "Nf3", "Nc6"] {
            board.take_exact(word, &mut slots, &mut main).expect("a move");
        }
        let named = ["e4 e5 Nf3 Nc6 Bb5", "e5 Nf3 Nc6 Bb5 a6", "Nf3 Nc6 Bb5 a6 O-O?", "Nc6 Bb5"];
        let mut writer = TreeWriter::default();
        for (plies, named) in (1..).zip(named) {
            writer.text(Annotation::Comment, &format!("pv={named},"), plies);
        }
        let mut records = [Vec::new(), Vec::new()];
        writer.write_tree(&mut records[0]);
        writer.write_texts_of(at, &main, &mut records[1]);
        let texts = &records[1];
        // Marker, two packed plies: Bb5 and a6.
        assert_eq!(texts[..3], [1, 0xff, 2]);
        let tail = texts.windows(5).filter(|bytes| bytes == b" O-O?");
        assert_eq!(tail.count(), 1, "{texts:?}");
        assert!(!texts.windows(3).any(|bytes| bytes == b"Bb5"), "{texts:?}");
        let expected = named.map(|named| format!("pv={named},"));
        assert_eq!(read(at, &main, &records).as_deref(), Some(&expected[..]));
        let tree = VariationTree::of(&records[0]).expect("a tree");
        let mut left_out = Texts::of(texts, &tree, || NoLines).expect("texts");
        let comments = tree.marks().filter_map(|mark| left_out.next(mark));
        assert_eq!(comments.collect::<Vec<_>>(), ["pv=,", "pv=,", "pv= O-O?,", "pv=,"]);
    });
}
