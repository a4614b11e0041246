//! What engines say in comments: the fields of TCEC (`d=26, mt=15000, tl=1785000, wv=0.23,`)
//! and the short forms of cutechess (`+0.31/12 2.3s`), `WinBoard` (`(c7-c6) -0.25/13 5`) and Banksia
//! (`+0.57 17/28 583 363004`).

use super::{
    comment::{CommandValue, CommentValue, eval, time},
    eval_view::EvalForm,
};

/// The values of a comment as they are written.
pub(super) fn values(comment: &str) -> (Vec<CommentValue<'_>>, EvalForm) {
    // Fritz has a sign before some.
    let comment = comment.trim().trim_start_matches('\'').trim_start();
    match short_form(comment) {
        Some(values) => (values, EvalForm::Short),
        None => (fields(comment), EvalForm::Named),
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

/// `0.23`, `M12`, `-M5`: pawns, or moves to mate.
fn evaluation(text: &str, depth: Option<u32>) -> Option<CommandValue> {
    let depth = || depth.map(|depth| format!(",{depth}")).unwrap_or_default();
    let value = eval(&format!("{text}{}", depth()))
        .filter(|read| !read.odd)?
        .value;
    let is_whole = !text.contains('.');
    Some(match value {
        // Only commands have hundredths.
        CommandValue::Centipawns { centipawns, depth } if is_whole => CommandValue::Centipawns {
            centipawns: centipawns.checked_mul(100)?,
            depth,
        },
        value => value,
    })
}

/// The score, the depth, and the time spent on the move:
/// `+0.31/12 2.3s` and `+M3/5 0.05s, White mates` of cutechess, which counts mates in plies;
/// `0.79/19`, `-0.27/28 1:23` and `(c7-c6) -0.25/13 5` of `WinBoard`, with the expected move and
/// seconds; `0.44/22 278 (exd6)` of Fritz; `+0.3/21 2424 1511177` and `+0.57 17/28 583 363004`, with milliseconds and nodes.
fn short_form(comment: &str) -> Option<Vec<CommentValue<'_>>> {
    let said = match comment
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
    {
        Some((_, said)) => said.trim_start(),
        // Or after all else.
        None => (comment.strip_suffix(')'))
            .and_then(|rest| rest.rsplit_once('('))
            .map_or(comment, |(said, _)| said.trim_end()),
    };
    let (said, closing) = said.split_once(',').unwrap_or((said, ""));
    let mut words = said.split_ascii_whitespace();
    let (first, second) = (words.next()?, words.clone().next());
    let is_depth = |text: &str| {
        (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (score, depth) = if let Some(parts) = first.split_once('/') {
        parts
    } else {
        // The depth of Banksia stands apart, with the selective one.
        words.next();
        let (depth, _) = second?.split_once('/').filter(|parts| is_depth(parts.1))?;
        (first, depth)
    };
    if !is_depth(depth) {
        return None;
    }
    let spent: Vec<&str> = words.collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let milliseconds = match spent[..] {
        [] => None,
        [seconds] => Some(time(seconds.strip_suffix('s').unwrap_or(seconds))?.value),
        [spent, nodes] if [spent, nodes].iter().all(is_number) => {
            let milliseconds = spent.parse().ok()?;
            Some(CommandValue::Time { milliseconds })
        }
        _ => return None,
    };
    let is_mate = score.contains('M');
    let is_signed = score.starts_with(['+', '-']);
    let decimals = score
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    // `1.5/2` are points of a tournament.
    let is_score =
        is_mate || decimals > 1 || decimals == 1 && (is_signed || milliseconds.is_some());
    if !is_score || !closing.is_empty() && milliseconds.is_none() {
        return None;
    }
    let value = match evaluation(score, Some(depth.parse().ok()?))? {
        CommandValue::Mate {
            moves: plies,
            depth,
        } => {
            let moves = (plies.abs() + 1) / 2 * plies.signum();
            CommandValue::Mate { moves, depth }
        }
        value => value,
    };
    let name = "eval";
    let spent = milliseconds.map(|value| CommentValue { name: "emt", value });
    Some(
        [Some(CommentValue { name, value }), spent]
            .into_iter()
            .flatten()
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parser::eval_view::{EvalViews, SourceEvals};

    fn said(comment: &str, second_moved: bool) -> String {
        // A lone one with a plus or a minus is of who moved.
        let source = SourceEvals::default();
        let views = || EvalViews::of(source, [(1, comment)].into_iter());
        let values = crate::pgn::parser::comment::values(comment, second_moved, source, views);
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
    fn short_forms_of_other_programs() {
        for (comment, values) in [
            ("+0.57 17/28 583 363004", "eval 57 cp Some(17), emt 583 ms"),
            ("+0.30/12 28", "eval 30 cp Some(12), emt 28000 ms"),
            (
                "0.44/22 278 \r\n(exd6)",
                "eval 44 cp Some(22), emt 278000 ms",
            ),
            ("'\r\n1.53/29 135", "eval 153 cp Some(29), emt 135000 ms"),
            ("-0.27/28 1:23", "eval -27 cp Some(28), emt 83000 ms"),
            ("+0.3/21 2424 1511177", "eval 30 cp Some(21), emt 2424 ms"),
            ("0.79/19", "eval 79 cp Some(19)"),
            ("(c7-c6) -0.25/13 5", "eval -25 cp Some(13), emt 5000 ms"),
            ("0.5/3 2s", "eval 50 cp Some(3), emt 2000 ms"),
            ("0.00/1 0s", "eval 0 cp Some(1), emt 0 ms"),
            ("+M3/5 0.05s", "eval mate 2 Some(5), emt 50 ms"),
            ("-M4/5 0.05s", "eval mate -2 Some(5), emt 50 ms"),
        ] {
            assert_eq!(said(comment, false), values, "{comment}");
        }
        for other in [
            "1.5/2",
            "0.5/1 points",
            "4/7",
            "Kramnik 5 4/7.",
            "+0.3 points 1/2",
            "0.79/19, he said",
            "12/3 5",
            "0.5 1/2",
            "(see 1.5/2)",
            "+0.30/1234 5",
            "0.79/19 5 6 7",
        ] {
            assert_eq!(said(other, false), "", "{other}");
        }
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
            "eval mate 3 Some(33), emt 13 ms"
        );
        for other in ["1/2 points", "+0.31/x 2s", "+/- 3s", ""] {
            assert_eq!(said(other, false), "", "{other}");
        }
    }
}
