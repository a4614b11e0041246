use super::*;
use crate::base::record::{GameHeader, Outcome};

fn game(tags: &[(&str, &str)], items: Vec<MovetextItem>) -> GameRecord {
    GameRecord {
        header: GameHeader::default(),
        tags: tags
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        first_move: (1, false),
        items,
        outcome: Outcome::First,
        ..GameRecord::default()
    }
}

fn moves(text: &str) -> Vec<MovetextItem> {
    text.split_whitespace()
        .map(|san| MovetextItem::Move(san.to_owned()))
        .collect()
}

fn text(game: &GameRecord) -> String {
    let mut out = String::new();
    write(game, &mut out);
    out
}

/// The movetext of items, without tags.
fn movetext(items: Vec<MovetextItem>) -> String {
    text(&game(&[], items))
}

#[test]
fn tags_in_stored_order() {
    let tags = [
        ("White", "A \"B\" C"),
        ("Event", "C:\\temp"),
        ("Note", "a\r\nb\nc"),
        ("Note", ""),
    ];
    assert_eq!(
        text(&game(&tags, moves("e4 e5 Nf3"))),
        "[White \"A \\\"B\\\" C\"]\n[Event \"C:\\\\temp\"]\n[Note \"a b c\"]\n[Note \"\"]\n\n\
         1. e4 e5 2. Nf3 1-0\n\n"
    );
}

#[test]
fn numbers_after_interruptions() {
    let mut items = vec![MovetextItem::Comment("start".into())];
    items.extend(moves("e4"));
    items.push(MovetextItem::Nag(1));
    items.extend(moves("e5 Nf3"));
    items.push(MovetextItem::Variation("2. f4 exf4".into()));
    items.extend(moves("Nc6"));
    items.push(MovetextItem::Word("novelty".into()));
    items.extend(moves("Bb5"));
    items.push(MovetextItem::LineComment(" the Spanish".into()));
    items.extend(moves("a6"));
    assert_eq!(
        movetext(items),
        "{start} 1. e4 $1 e5 2. Nf3 (2. f4 exf4) 2... Nc6 novelty 3. Bb5 ; the Spanish\n\
         3... a6 1-0\n\n"
    );
}

#[test]
fn black_begins_and_nobody_moves() {
    let mut late = game(&[], moves("Kf7 Kd2 Ke6"));
    late.first_move = (34, true);
    late.outcome = Outcome::Draw;
    assert_eq!(text(&late), "34... Kf7 35. Kd2 Ke6 1/2-1/2\n\n");
    assert_eq!(movetext(Vec::new()), "1-0\n\n");
}

#[test]
fn lines_are_broken_between_words_only() {
    let long = "x".repeat(100);
    let mut items = moves(&"Nf3 Nf6 Ng1 Ng8 ".repeat(30));
    items.insert(
        7,
        MovetextItem::Comment("two  blanks and\na line of its own".into()),
    );
    items.insert(20, MovetextItem::Comment(long.clone()));
    let written = movetext(items);
    assert!(written.contains("{two  blanks and\na line of its own} 4..."));
    assert!(written.contains(&format!("\n{{{long}}}\n")));
    for line in written.lines().filter(|line| !line.contains(&long)) {
        assert!(line.len() <= COLUMNS_MAX, "{line}");
        assert!(!line.ends_with(' '), "{line}");
    }
    // Letters count, not bytes.
    let umlauts = "\u{fc}".repeat(COLUMNS_MAX - 6);
    assert_eq!(
        movetext(vec![MovetextItem::Comment(umlauts.clone())]),
        format!("{{{umlauts}}} 1-0\n\n")
    );
}

#[test]
fn comments_with_braces_stay_line_comments() {
    let items = vec![
        MovetextItem::Move("e4".into()),
        MovetextItem::Comment("a } b\nc".into()),
    ];
    assert_eq!(movetext(items), "1. e4 ;a } b\n;c\n1-0\n\n");
}

#[test]
fn the_rest_is_verbatim_and_its_result_is_not_repeated() {
    let rest = |text: &str| {
        let mut items = moves("e4 e5");
        items.push(MovetextItem::Rest(text.into()));
        movetext(items)
    };
    assert_eq!(rest("Ke3  Nc6\n2. d4"), "1. e4 e5 Ke3  Nc6\n2. d4 1-0\n\n");
    assert_eq!(rest("Ke3 Nc6 1-0"), "1. e4 e5 Ke3 Nc6 1-0\n\n");
    assert_eq!(rest("\nKe3 1-0\n"), "1. e4 e5\nKe3 1-0\n\n");
    assert_eq!(rest("Ke3 {1-0"), "1. e4 e5 Ke3 {1-0} 1-0\n\n");
    assert_eq!(rest("Ke3 ;1-0"), "1. e4 e5 Ke3 ;1-0\n1-0\n\n");
    assert_eq!(rest("Ke3 (Kd3"), "1. e4 e5 Ke3 (Kd3) 1-0\n\n");
    assert_eq!(rest(""), "1. e4 e5 1-0\n\n");
}

#[test]
fn variations_stay_closed() {
    let variation = |text: &str| {
        movetext(vec![
            MovetextItem::Move("e4".into()),
            MovetextItem::Variation(text.into()),
        ])
    };
    assert_eq!(variation("d4 (c4)"), "1. e4 (d4 (c4)) 1-0\n\n");
    assert_eq!(variation("d4 ;)"), "1. e4 (d4 ;)\n) 1-0\n\n");
    assert_eq!(variation("d4 {;"), "1. e4 (d4 {;}) 1-0\n\n");
}

#[test]
fn words_that_begin_a_line_do_no_harm() {
    let items = vec![
        MovetextItem::LineComment("note".into()),
        MovetextItem::Word("%hidden".into()),
        MovetextItem::Move("e4".into()),
        MovetextItem::Comment("x".repeat(66)),
        MovetextItem::Word("[odd".into()),
    ];
    let written = movetext(items);
    assert!(written.starts_with(";note\n %hidden 1. e4"), "{written}");
    assert!(
        written.lines().all(|line| !line.starts_with(['[', '%'])),
        "{written}"
    );
}

/// A variation may be broken wherever it has a blank.
fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads movetext as simply as can be: just enough to check whether everything is there, in its
/// order and unchanged.
fn naive_read(text: &str) -> Vec<MovetextItem> {
    let mut items = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let until = |end: char| rest.find(end).unwrap_or(rest.len());
        let used = match first {
            '{' => {
                items.push(MovetextItem::Comment(rest[1..until('}')].to_owned()));
                until('}') + 1
            }
            ';' => {
                items.push(MovetextItem::LineComment(rest[1..until('\n')].to_owned()));
                until('\n')
            }
            '(' => {
                items.push(MovetextItem::Variation(single_blanks(&rest[1..until(')')])));
                until(')') + 1
            }
            _ => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                let word = &rest[..end];
                if let Some(nag) = word.strip_prefix('$') {
                    items.push(MovetextItem::Nag(nag.parse().unwrap()));
                } else if !word.ends_with('.') && word != "1-0" {
                    items.push(MovetextItem::Move(word.to_owned()));
                }
                end
            }
        };
        rest = rest[used..].trim_start();
    }
    items
}

proptest::proptest! {
    #[test]
    fn nothing_is_lost_moved_or_changed(
        choices in proptest::collection::vec((0_u8..8, "[a-z ;(%]{0,90}", 0_u32..256), 0..60),
    ) {
        let items: Vec<_> = choices
            .into_iter()
            .map(|(kind, text, nag)| match kind {
                0 => MovetextItem::Comment(text),
                1 => MovetextItem::LineComment(text),
                2 => MovetextItem::Variation(single_blanks(&text.replace(['(', ';'], " "))),
                3 => MovetextItem::Nag(nag),
                _ => MovetextItem::Move("Nf3".to_owned()),
            })
            .collect();
        let written = movetext(items.clone());
        proptest::prop_assert_eq!(naive_read(&written), items);
        // Only what must not be broken makes a line too long.
        for line in written.lines().filter(|line| !line.contains(['{', ';', '('])) {
            proptest::prop_assert!(line.chars().count() <= COLUMNS_MAX || !line.contains("Nf3"));
        }
    }
}
