//! What engines say in comments: the fields of TCEC (`d=26, mt=15000, tl=1785000, wv=0.23,`)
//! and the short form of cutechess (`+0.31/12 2.3s`).

use super::comment::{CommandValue, CommentValue, eval, time};

/// The values of a comment behind a move of a side, the first or the second.
pub(super) fn values(comment: &str, second_moved: bool) -> Vec<CommentValue<'_>> {
    let comment = comment.trim();
    match cutechess(comment, second_moved) {
        Some(values) => values,
        None => fields(comment),
    }
}

/// `name=value` between commas. `wv` and `ev` are evaluations from White's view (so they are in
/// all games of TCEC that were looked at), `mt` the time spent on the move, `tl` the time left,
/// both in milliseconds or as `h:mm:ss`.
fn fields(comment: &str) -> Vec<CommentValue<'_>> {
    let fields = || {
        let fields = comment.split([',', ';']);
        fields.filter_map(|field| field.trim().split_once('='))
    };
    let depth = fields().find(|(name, _)| *name == "d");
    let depth = depth.and_then(|(_, depth)| depth.parse().ok());
    fields()
        .filter_map(|(name, text)| {
            let value = match name {
                "wv" | "ev" => evaluation(text, depth)?,
                "mt" | "tl" => duration(text)?,
                _ => return None,
            };
            Some(CommentValue { name, value })
        })
        .collect()
}

fn duration(text: &str) -> Option<CommandValue> {
    if text.contains(':') {
        return Some(time(text)?.value);
    }
    let milliseconds = text.parse().ok()?;
    Some(CommandValue::Time { milliseconds })
}

/// `0.23`, `M12`, `-M5`.
fn evaluation(text: &str, depth: Option<u32>) -> Option<CommandValue> {
    let (is_negative, size) = match text.strip_prefix(['-', '+']) {
        Some(size) => (text.starts_with('-'), size),
        None => (false, text),
    };
    match size.strip_prefix('M') {
        Some(moves) => {
            let moves: u16 = moves.parse().ok()?;
            let moves = i32::from(moves);
            let moves = if is_negative { -moves } else { moves };
            Some(CommandValue::Mate { moves, depth })
        }
        None => match eval(text)?.value {
            CommandValue::Centipawns { centipawns, .. } => {
                Some(CommandValue::Centipawns { centipawns, depth })
            }
            _ => None,
        },
    }
}

/// `+0.31/12 2.3s`, perhaps with words behind it: score from the view of who moved, depth, time
/// spent on the move.
fn cutechess(comment: &str, second_moved: bool) -> Option<Vec<CommentValue<'_>>> {
    let (score, rest) = comment.split_once(' ')?;
    let (score, depth) = score.split_once('/')?;
    if !score.starts_with(['+', '-']) && score != "0.00" {
        return None;
    }
    let seconds = rest.split([' ', ',']).next()?.strip_suffix('s')?;
    let value = evaluation(score, Some(depth.parse().ok()?))?;
    let value = match value {
        CommandValue::Centipawns { centipawns, depth } if second_moved => {
            CommandValue::Centipawns {
                centipawns: -centipawns,
                depth,
            }
        }
        CommandValue::Mate { moves, depth } if second_moved => CommandValue::Mate {
            moves: -moves,
            depth,
        },
        value => value,
    };
    Some(vec![
        CommentValue {
            name: "eval",
            value,
        },
        CommentValue {
            name: "emt",
            value: time(seconds)?.value,
        },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(comment: &str, second_moved: bool) -> String {
        let values = values(comment, second_moved);
        let values = values
            .iter()
            .map(|CommentValue { name, value }| match value {
                CommandValue::Time { milliseconds } => format!("{name} {milliseconds} ms"),
                CommandValue::Centipawns { centipawns, depth } => {
                    format!("{name} {centipawns} cp {depth:?}")
                }
                CommandValue::Mate { moves, depth } => format!("{name} mate {moves} {depth:?}"),
                other => format!("{name} {other:?}"),
            });
        values.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn fields_of_tcec() {
        let comment =
            "d=36, sd=36, pd=Nxe5, mt=83210, tl=1866700, pv=Rxe5 a5 d=4, wv=-0.23, R50=50,";
        assert_eq!(
            said(comment, true),
            "mt 83210 ms, tl 1866700 ms, wv -23 cp Some(36)"
        );
        assert_eq!(
            said(
                " ev=0.08, d=29, pd=Kd3, mt=00:02:11, tl=00:28:36, s=16954 kN/s,  ",
                false
            ),
            "ev 8 cp Some(29), mt 131000 ms, tl 1716000 ms"
        );
        assert_eq!(said("d=55, wv=M27, mb=+0", false), "wv mate 27 Some(55)");
        assert_eq!(said("wv=-M5", false), "wv mate -5 None");
        // Numbers that cannot be turned around are none.
        assert_eq!(said("wv=M-2147483648, ev=-M-5", false), "");
        assert_eq!(said("book, mb=+0+0+0+0+0,", false), "");
        assert_eq!(said("wv=, mt=x, tl=1:2:3:4", false), "");
        assert_eq!(said("White wins with a=b", false), "");
    }

    #[test]
    fn cutechess_speaks_for_who_moved() {
        assert_eq!(
            said("+0.31/12 2.3s", false),
            "eval 31 cp Some(12), emt 2300 ms"
        );
        assert_eq!(
            said("+0.31/12 2s", true),
            "eval -31 cp Some(12), emt 2000 ms"
        );
        assert_eq!(
            said("-M6/33 0.013s, Black mates", true),
            "eval mate 6 Some(33), emt 13 ms"
        );
        for other in [
            "1/2 points",
            "+0.31/12",
            "+0.31/x 2s",
            "0.5/3 2s",
            "+/- 3s",
            "",
        ] {
            assert_eq!(said(other, false), "", "{other}");
        }
    }
}
