use crate::games::chess::basics::{Chess, EnPassantMode, Position as _};
use proptest::prelude::*;

use super::*;
use crate::{
    base::diagnostic::Code,
    games::{
        AnyPosition, ParsedPosition, ReadFailure,
        chess::notation::{position_text, san},
        notation::forsyth::tests::played,
    },
};

type Line = ParsedPosition<Chess>;

fn try_read(line: &str) -> Result<Line, ReadFailure> {
    let mut read = position_text::read(line)?;
    // Four fields without operations are a FEN that lacks two fields.
    let is_fen = read.aside.operations.is_empty();
    read.codes
        .retain(|&code| !(is_fen && code == Code::MissingFields));
    Ok(read)
}

fn read(line: &str) -> Line {
    try_read(line).unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

fn write(line: &Line) -> String {
    super::write(&line.at, line.fields.counters, &line.aside.operations)
}

fn operands<'l>(line: &'l Line, opcode: &str) -> &'l [Operand] {
    let mut operations = line.aside.operations.iter();
    let found = operations.find(|operation| operation.opcode == opcode);
    found.map_or(&[], |found| &found.operands)
}

/// The first operand of an operation, which is no move.
fn text<'l>(line: &'l Line, opcode: &str) -> Option<&'l str> {
    match operands(line, opcode).first()? {
        Operand::Move(_) => None,
        other => Some(other.text()),
    }
}

fn sans(line: &Line, opcode: &str) -> Vec<String> {
    let operands = operands(line, opcode).iter();
    let moves = operands.filter(|operand| matches!(operand, Operand::Move(_)));
    moves.map(ToString::to_string).collect()
}

fn vectors() -> Vec<Line> {
    let rows = include_str!("../../../../tests/vectors/epd.tsv").lines();
    let cells = rows.skip(1).map(|row| row.split('\t').next());
    cells.map(|cell| read(cell.expect("a cell"))).collect()
}

#[test]
fn every_row_of_the_vectors() {
    let rows = vectors();
    assert_eq!(rows.len(), 10);
    let counters = |line: &Line| (line.at.halfmoves(), line.at.fullmoves().get());

    assert_eq!(sans(&rows[0], "bm"), ["Bb2"]);
    assert_eq!(text(&rows[0], "id"), Some("WAC.001; test"));
    assert_eq!(
        (text(&rows[0], "ce"), text(&rows[0], "acd")),
        (Some("35"), Some("12"))
    );
    assert_eq!(counters(&rows[0]), (3, 9));
    assert!(rows[0].codes.is_empty());

    assert_eq!(sans(&rows[1], "bm"), ["e4", "d4"]);
    assert_eq!(sans(&rows[1], "am"), ["a3"]);
    assert_eq!(sans(&rows[1], "pv"), ["e4", "e5", "Nf3"]);
    // The table's own escapes double the backslashes of the line.
    assert!(text(&rows[1], "c0").expect("there").starts_with("say "));

    assert!(operands(&rows[2], "noop").is_empty());
    assert!(rows[3].aside.operations.is_empty() && rows[3].codes.is_empty());
    assert_eq!(
        (sans(&rows[4], "bm"), counters(&rows[4])),
        (vec!["e4".to_owned()], (0, 1))
    );
    assert_eq!(operands(&rows[5], "bm"), [Operand::Word("Qh9".to_owned())]);
    assert_eq!(rows[5].codes, [Code::EpdMove]);
    assert_eq!(text(&rows[6], "eco"), Some("C20"));
    assert_eq!(rows[6].codes, [Code::EpdOperand]);
    assert_eq!(text(&rows[7], "id"), Some("no end"));
    assert_eq!(rows[7].codes, [Code::EpdSpelling]);
    assert_eq!(text(&rows[8], "dm"), Some("3"));
    assert_eq!(
        (text(&rows[8], "D1"), text(&rows[8], "D2")),
        (Some("20"), Some("400"))
    );
    assert_eq!(sans(&rows[9], "bm"), ["e4", "d4"]);
    assert_eq!(rows[9].codes, [Code::EpdSpelling]);
}

#[test]
fn what_is_written_reads_back_without_a_warning() {
    for epd in vectors() {
        let text = write(&epd);
        let back = read(&text);
        assert_eq!(write(&back), text);
        assert_eq!(back.at, epd.at);
        let illegal = |epd: &Line| epd.codes.contains(&Code::EpdMove);
        assert_eq!(back.codes.is_empty(), !illegal(&epd), "{text}");
    }
}

#[test]
fn canonical_lines() {
    let written = |text: &str| write(&read(text));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(
        written(&format!(
            "{start} 3 9 pv 1.e2e4 e7e5 2.Sf3; id a b; bm Nf3, d4 or e4"
        )),
        format!("{start} bm Nf3 d4 e4; fmvn 9; hmvc 3; id \"a b\"; pv e4 e5 Nf3;")
    );
    // Quotes, semicolons and counters in texts stay texts.
    let odd = read(&format!(
        r#"{start} c0 "a \"b\"; hmvc 7;"; ce -3; X 1.5 2.;"#
    ));
    assert_eq!(text(&odd, "c0"), Some(r#"a "b"; hmvc 7;"#));
    assert_eq!(odd.at.halfmoves(), 0);
    assert_eq!(
        write(&odd),
        format!(r#"{start} X 1.5 2.; c0 "a \"b\"; hmvc 7;"; ce -3;"#)
    );
    // `pv` after a move that cannot be played is kept as words.
    let broken = read(&format!("{start} pv e4 e4 Nf3;"));
    assert_eq!(sans(&broken, "pv"), ["e4"]);
    assert_eq!(
        written(&format!("{start} pv e4 e4 Nf3;")),
        format!("{start} pv e4 e4 Nf3;")
    );
}

#[test]
fn suites_as_they_are_found() {
    let written = |text: &str| write(&read(text));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (text, wanted) in [
        // Signs apart from their move, names in capitals, no semicolon between.
        ("; bm e4 + ? ; id BK.01", "bm e4; id \"BK.01\";"),
        ("BM e4; PV: e2e4 e7e5;", "bm e4; pv e4 e5;"),
        ("bm e4 dm 26", "bm e4; dm 26;"),
        ("bm #15;", "bm #15;"),
        ("30 rooks; v=-328", "; 30 rooks; v=-328;"),
        ("Be2 dm 21", "Be2 dm 21;"),
        (";D1 20 ;D2 400", "D1 20; D2 400;"),
    ] {
        let again = format!("{start} {wanted}");
        assert_eq!(written(&format!("{start} ; {text}")), again);
        assert_eq!(written(&again), again);
    }
    assert_eq!(
        written(&format!("{start};D1 20;D2 400")),
        format!("{start} D1 20; D2 400;")
    );
    let mate = read(&format!("{start} bm #15;"));
    assert_eq!(mate.codes, [Code::EpdOperand]);
}

#[test]
fn tags_give_the_operations_back() {
    for text in [
        r#"bm e4; c0 "a; b"; id "WAC \"1\"";"#,
        r#"D1 20; a "foo\"bar"; noop; v=-3; 00:00 x "y";"#,
        r#"c0 "\"quoted\""; c1 "a" "b"; id "?";"#,
    ] {
        let at = AnyPosition::initial();
        let found = operations(text, Some(&at));
        let tags = to_tags(&found.list);
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9";
        let line = from_tags(fen, &tags);
        let read_again = operations(line.split_once(" -").expect("operations").1, Some(&at));
        assert_eq!(read_again.counters, [Some(3), Some(9)], "{line}");
        let mut lists = [found.list, read_again.list];
        for list in &mut lists {
            list.sort_by(|a, b| a.opcode.cmp(&b.opcode));
        }
        assert_eq!(lists[0], lists[1], "{line}");
    }
}

#[test]
fn operations_that_begin_with_no_name_are_read_back() {
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;!acd 12; hmvc 3; fmvn 9;";
    let written = write(&read(line));
    assert_eq!(
        written,
        "4k3/8/8/8/8/8/4P3/4K3 w - - ; !acd 12; bm e4; fmvn 9; hmvc 3;"
    );
    assert_eq!(write(&read(&written)), written);
}

#[test]
fn counters_count_however_they_are_spelled() {
    let wanted = "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2; fmvn 9; hmvc 3;";
    for line in [
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2; HMVC: 3; fmVn 9;",
        "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; bm Kd2 fmvn 9;",
        "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; BM Kd2 fmvn 9;",
    ] {
        let epd = read(line);
        assert_eq!(write(&epd), wanted, "{line}");
        assert!(epd.codes.contains(&Code::EpdSpelling), "{line}");
    }
}

#[test]
fn opcodes_among_moves_are_read_back() {
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e9; bm am a5;";
    let written = write(&read(line));
    assert_eq!(written, r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm "am" a5 e9;"#);
    assert_eq!(write(&read(&written)), written);
}

#[test]
fn a_text_among_moves_keeps_its_quotes() {
    let line = r#"4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 e9 "say \"hi\"";"#;
    let written = write(&read(line));
    assert_eq!(written, line);
}

proptest! {
    #[test]
    fn any_position_with_any_text(
        choices in prop::collection::vec(any::<u16>(), 0..120),
        id in "\\PC{0,20}",
    ) {
        let position = played(&choices);
        let mut list = vec![Operation {
            opcode: "id".to_owned(),
            operands: vec![Operand::Text(id)],
        }];
        if !position.legal_moves().is_empty() {
            let operands = position.legal_moves().iter().map(|m| Operand::Move(san::write(&position, m))).collect();
            list.push(Operation { opcode: "bm".to_owned(), operands });
        }
        let written = super::write(&position, true, &list);
        let back = read(&written);
        prop_assert_eq!(
            back.at.to_setup(EnPassantMode::Legal),
            position.to_setup(EnPassantMode::Legal)
        );
        prop_assert!(back.codes.is_empty(), "{}", written);
        let read_id = operands(&back, "id");
        prop_assert_eq!(read_id.len(), 1);
        let id: String = match &list[0].operands[0] {
            Operand::Text(id) => id.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
            _ => unreachable!("a text"),
        };
        prop_assert_eq!(read_id[0].text(), id);
        prop_assert_eq!(sans(&back, "bm").len(), list.get(1).map_or(0, |bm| bm.operands.len()));
    }

    #[test]
    fn no_operation_is_too_strange(text in "\\PC{0,60}") {
        let _ = try_read(&format!("4k3/8/8/8/8/8/8/4K3 w - - {text}"));
    }
}

/// The moves of the second were searched for from the beginning, and played after those of the
/// first: where pieces explode, no piece stood where a move began.
#[test]
fn a_second_line_goes_on_where_the_first_ends() {
    for variant in ["chess", "atomic"] {
        let variant = crate::games::variant::Variant::by_name(variant).expect("a variant");
        let start = AnyPosition::start(variant).expect("a start");
        for (text, wanted) in [
            ("pv e4 e5; pv Nf3 Nc6;", "e4 e5 Nf3 Nc6"),
            ("pv e4 e5; pv e3 Nf3;", "e4 e5 e3 Nf3"),
            ("pv Nf3 Nc6 Ng1 Nb8; pv Nf3;", "Nf3 Nc6 Ng1 Nb8 Nf3"),
        ] {
            let found = operations(text, Some(&start));
            let tags = to_tags(&found.list);
            assert_eq!(tags, [("EPD_pv".to_owned(), wanted.to_owned())]);
        }
        let line = |text| line_of(&operations(text, Some(&start)).list);
        assert_eq!(line("pv e4 e5; pv e3 Nf3;").as_deref(), Some("e4 e5"));
    }
}
