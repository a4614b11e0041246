//! The moves of a row as movetext, with the clock and the evaluation of each.

use std::{fmt::Write as _, panic::catch_unwind};

use aix_chess_compression::{Decode as _, Decoder, EncodedGame};
use parquet::record::Field;

use super::columns::{hexadecimal, shown};

/// Columns that hold a list with a value for each ply, or for each ply of a side.
pub(super) const PER_PLY: [&str; 3] = ["clocks_white", "clocks_black", "evals"];

/// Evaluations from this one on are mates: of the largest number in one move, of the next in
/// two (Aix, `eval_conversions.cpp`).
const MATES_FROM: i64 = 32_767 - 511;

/// Writes movetext of what a column says; `column` gives other columns of the row by name.
pub(super) fn movetext<'r>(
    moves: &'r Field,
    column: &dyn Fn(&str) -> Option<&'r Field>,
    text: &mut String,
) {
    let Field::Bytes(packed) = moves else {
        // Text is as people have written it.
        text.push_str(&shown(moves));
        text.push('\n');
        return;
    };
    let (words, rest) = unpacked(packed.data());
    let list = |name: &str| column(name).map(numbers).unwrap_or_default();
    let clocks = [list("clocks_white"), list("clocks_black")];
    let evaluations = list("evals");
    let mut is_commented = true;
    for (ply, word) in words.iter().enumerate() {
        let number = ply / 2 + 1;
        match (ply % 2, is_commented) {
            (0, _) => _ = write!(text, "{number}. "),
            (_, true) => _ = write!(text, "{number}... "),
            _ => {}
        }
        text.push_str(word);
        let mut comment = String::new();
        if let Some(value) = evaluations.get(ply) {
            let _ = write!(comment, "[%eval {}] ", evaluation(*value));
        }
        if let Some(seconds) = clocks[ply % 2].get(ply / 2) {
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            let (hours, minutes) = (minutes / 60, minutes % 60);
            let _ = write!(comment, "[%clk {hours}:{minutes:02}:{seconds:02}] ");
        }
        is_commented = !comment.is_empty();
        if is_commented {
            let _ = write!(text, " {{ {comment}}}");
        }
        text.push(if ply % 8 == 7 { '\n' } else { ' ' });
    }
    if rest {
        // A word that no reader plays, so that it is kept and reported.
        let _ = write!(text, "movedata:{} ", hexadecimal(packed.data()));
    }
}

/// The moves that bytes are packed of, in SAN, and whether there are more that cannot be
/// unpacked.
fn unpacked(bytes: &[u8]) -> (Vec<String>, bool) {
    // The crate panics at some damage.
    let unpacked = catch_unwind(|| {
        let game = EncodedGame::from_bytes(bytes).ok()?;
        Decoder::new(&game).into_pgn_string().ok()
    });
    let words = |text: String| {
        let words = text.split(' ').filter(|word| !word.ends_with('.'));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    if let Ok(Some(text)) = unpacked {
        return (words(text), false);
    }
    let begun = catch_unwind(|| {
        let game = EncodedGame::from_bytes(bytes).ok()?;
        let moves = Decoder::new(&game).into_iter_moves();
        let played = moves.map_while(Result::ok).map(|played| played.to_string());
        Some(played.collect())
    });
    (begun.ok().flatten().unwrap_or_default(), true)
}

fn numbers(list: &Field) -> Vec<i64> {
    let Field::ListInternal(list) = list else {
        return Vec::new();
    };
    let number = |value: &Field| shown(value).parse().ok();
    list.elements().iter().map_while(number).collect()
}

/// An evaluation as lichess writes it: pawns, or moves to mate.
fn evaluation(value: i64) -> String {
    match value {
        MATES_FROM.. => format!("#{}", 32_767 - value + 1),
        ..=-32_257 => format!("#{}", -32_768 - value - 1),
        _ => {
            let sign = if value < 0 { "-" } else { "" };
            format!("{sign}{}.{:02}", value.abs() / 100, value.abs() % 100)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_as_lichess_writes_them() {
        for (value, text) in [
            (0, "0.00"),
            (-7, "-0.07"),
            (135, "1.35"),
            (32_767, "#1"),
            (32_256, "#512"),
            (32_255, "322.55"),
            (-32_768, "#-1"),
            (-32_257, "#-512"),
        ] {
            assert_eq!(evaluation(value), text);
        }
    }

    /// The example of the crate's page, and what is left of damaged bytes.
    #[test]
    fn packed_moves_are_unpacked_as_far_as_they_go() {
        let bytes = b"<]\x93.\x0DT?\xE2\xEC\xDE\xEFaFR\x973\xDB\x03v";
        let (moves, rest) = unpacked(bytes);
        assert!(!rest);
        assert_eq!(
            moves.join(" "),
            "e4 e5 Bc4 Nc6 Nf3 b6 O-O Nf6 c3 Bc5 Bxf7+ Kxf7 Ng5+ Kg8 Qb3+ Nd5 Qxd5+ Kf8 Qf7#"
        );
        assert_eq!(unpacked(b""), (Vec::new(), true));
        let (moves, rest) = unpacked(b"\x0C\x1C4$\x05\x00\x00");
        assert!(rest);
        assert_eq!(moves.len(), 2);
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..random.usize(1..60)).map(|_| random.u8(..)).collect();
            let _ = unpacked(&bytes);
        }
    }
}
