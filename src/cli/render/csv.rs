//! Answers as comma-separated values; columns as the JSON fields.

use std::borrow::Cow;
use std::io::Write;

use crate::db::search::{Hit, ScoreSum, Tree};

/// Text as spreadsheets show it: what they would take for a formula begins with an
/// apostrophe, which they hide.
fn safe(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn line<T: AsRef<[u8]>>(
    out: &mut dyn Write,
    values: impl IntoIterator<Item = T>,
) -> Result<(), csv::Error> {
    // By way of a buffer: the csv crate would flush the writer after each line.
    let mut text = Vec::new();
    let mut csv = csv::WriterBuilder::new()
        .buffer_capacity(1 << 10)
        .from_writer(&mut text);
    csv.write_record(values)?;
    csv.flush()?;
    drop(csv);
    out.write_all(&text).map_err(Into::into)
}

/// The names of the columns of games.
pub fn hit_names(out: &mut dyn Write) -> Result<(), csv::Error> {
    line(
        out,
        [
            "id",
            "white",
            "black",
            "white_elo",
            "black_elo",
            "event",
            "site",
            "date",
            "round",
            "result",
            "eco",
            "variant",
            "plies",
            "start_fen",
            "ply",
            "next_move",
            "in_variation",
        ],
    )
}

/// The line of a game found.
pub fn hit(out: &mut dyn Write, hit: &Hit) -> Result<(), csv::Error> {
    let header = &hit.header;
    line(
        out,
        [
            &*header.id.to_string(),
            &*safe(&header.white),
            &*safe(&header.black),
            &*text(header.white_elo),
            &*text(header.black_elo),
            &*safe(&header.event),
            &*safe(&header.site),
            &*safe(&header.date),
            &*safe(&header.round),
            &*safe(&header.result),
            &*safe(&header.eco),
            &*safe(&header.variant),
            &*header.plies.to_string(),
            &*safe(&text(header.start_fen.as_deref())),
            &*text(hit.ply),
            &*safe(&text(hit.next_move.as_deref())),
            &*hit.in_variation.to_string(),
        ],
    )
}

/// One line for each move, then `(game ends)` and `(total)` without UCI.
pub fn tree(out: &mut dyn Write, tree: &Tree) -> Result<(), csv::Error> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "san",
        "uci",
        "games",
        "white_wins",
        "draws",
        "black_wins",
        "no_result",
        "score",
        "average_rating",
        "performance",
        "first_year",
        "last_year",
    ])?;
    let moves = tree
        .moves
        .iter()
        .map(|line| (line.san.as_str(), line.uci.as_str(), &line.score));
    let rest: [(&str, &str, &ScoreSum); 2] = [
        ("(game ends)", "", &tree.ends_here),
        ("(total)", "", &tree.total),
    ];
    for (san, uci, score) in moves.chain(rest) {
        csv.write_record([
            &*safe(san),
            &*safe(uci),
            &score.games.to_string(),
            &score.white_wins.to_string(),
            &score.draws.to_string(),
            &score.black_wins.to_string(),
            &score.no_result.to_string(),
            &text(score.score),
            &text(score.average_rating),
            &text(score.performance),
            &text(score.first_year),
            &text(score.last_year),
        ])?;
    }
    csv.flush().map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::record::GameHeader;

    #[test]
    fn no_text_is_a_formula() {
        for text in ["=1+1", "+49", "-", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(safe(text), format!("'{text}"));
        }
        for text in ["", "Réti", "1-0", "?", "'=1", " =1"] {
            assert_eq!(safe(text), text);
        }
    }

    #[test]
    fn values_are_quoted_where_they_must_be() {
        let header = GameHeader {
            id: 3,
            white: "Réti, \"R\"".into(),
            ..GameHeader::default()
        };
        let found = Hit {
            place: None,
            header,
            ply: Some(4),
            next_move: None,
            in_variation: false,
            symmetry: crate::games::symmetry::Symmetry::None,
            moved: crate::games::symmetry::Moved::NOT,
        };
        let mut out = Vec::new();
        hit_names(&mut out).expect("writes");
        hit(&mut out, &found).expect("writes");
        insta::assert_snapshot!(String::from_utf8_lossy(&out), @r#"
        id,white,black,white_elo,black_elo,event,site,date,round,result,eco,variant,plies,start_fen,ply,next_move,in_variation
        3,"Réti, ""R""",,,,,,,,,,,0,,4,,false
        "#);
    }
}
