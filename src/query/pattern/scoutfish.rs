//! Queries of scoutfish, JSON objects of conditions, as queries of plydex.
//!
//! Keys are those of its README (github.com/mcostalba/scoutfish). Their meanings are those of its
//! source, which replays a game and asks everything of the position after a move: the move is the
//! one that led there, and the side to move the other one.

use serde_json::{Map, Value};

use super::QueryError;

/// The plydex query that a query of scoutfish stands for.
///
/// # Errors
///
/// [`QueryError`] for what is no such query.
pub fn translate(text: &str) -> Result<String, QueryError> {
    let read: Value = serde_json::from_str(text).map_err(|error| {
        let at = error.column().saturating_sub(1).min(text.len());
        wrong(format!("this is no query of scoutfish: {error}"), at..at)
    })?;
    let Value::Object(query) = read else {
        return Err(wrong("a query of scoutfish is an object".into(), 0..0));
    };
    for (key, option) in [("skip", "--offset"), ("limit", "--limit")] {
        // None of them is the default.
        if let Some(number) = query.get(key).filter(|number| number.as_u64() != Some(0)) {
            let message = format!("`{key}` of scoutfish is about the answer, not about games");
            return Err(wrong(message, 0..0).hint(format!(
                "leave it out, and give the option {option} {number}"
            )));
        }
    }
    let mut facts = Vec::new();
    let mut found = steps_of(&query, &mut facts)?;
    if found.is_empty() && facts.is_empty() {
        return Err(wrong("this scoutfish query has no condition".into(), 0..0));
    }
    found.append(&mut facts);
    Ok(found.join(" and "))
}

/// What an object asks of plies: of one, and of several that follow each other. What it asks of the
/// game, which holds wherever it stands, is put to the facts.
fn steps_of(
    query: &Map<String, Value>,
    facts: &mut Vec<String>,
) -> Result<Vec<String>, QueryError> {
    let mut found: Vec<String> = step_of(query)?.into_iter().collect();
    for (key, value) in query {
        let link = match key.as_str() {
            "sequence" => " then ",
            "streak" => " next ",
            "result" => {
                let results: Vec<&str> = texts(key, value)?;
                facts.push(format!("result:{}", results.join(",")));
                continue;
            }
            _ => continue,
        };
        let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
        if list.is_empty() {
            return Err(unreadable(key, value));
        }
        let mut steps = Vec::new();
        for step in list {
            let Value::Object(step) = step else {
                return Err(unreadable(key, step));
            };
            // As there: a step without conditions is none, and takes no ply.
            if step.is_empty() {
                continue;
            }
            let own = self::steps_of(step, facts)?;
            steps.push(match &own[..] {
                [] => ANYTHING.to_owned(),
                // Plies one after the other cannot have any number of others between them.
                [only] if link == " then " || !only.contains(" then ") => only.clone(),
                _ => {
                    return Err(wrong(
                        format!("`{key}` of scoutfish has a step with several conditions on several plies"),
                        0..0,
                    ));
                }
            });
        }
        if steps.is_empty() {
            return Err(unreadable(key, value));
        }
        found.push(steps.join(link));
    }
    Ok(found)
}

/// What holds of every position.
const ANYTHING: &str = "ply:0..";

fn wrong(message: String, span: super::TextSpan) -> QueryError {
    QueryError::new(message, span)
}

fn unreadable(key: &str, value: &Value) -> QueryError {
    wrong(format!("`{key}` of scoutfish cannot be {value}"), 0..0)
}

/// The texts of a value: one, or several, and any will do.
fn texts<'v>(key: &str, value: &'v Value) -> Result<Vec<&'v str>, QueryError> {
    let list = match value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    let texts = list.iter().map(|one| one.as_str());
    let texts: Option<Vec<&str>> = texts.collect();
    texts
        .filter(|texts| !texts.is_empty())
        .ok_or_else(|| unreadable(key, value))
}

/// The conditions of an object that hold at one ply; `None` if there are none.
fn step_of(query: &Map<String, Value>) -> Result<Option<String>, QueryError> {
    let mut all = Vec::new();
    // The moves of both sides are one list, and any of them will do.
    let mut moves = Vec::new();
    for (key, by) in [("white-move", 0), ("black-move", 1)] {
        if let Some(value) = query.get(key) {
            moves.extend(texts(key, value)?.into_iter().map(|text| played(text, by)));
        }
    }
    if !moves.is_empty() {
        all.push(any_of(moves));
    }
    for (key, value) in query {
        let each: fn(&str) -> Option<String> = match key.as_str() {
            "sub-fen" => squares,
            "material" => |text| {
                // The second king begins the other side.
                let second = 1 + text.get(1..)?.find('K')?;
                let (one, other) = text.split_at(second);
                Some(format!("material:w:{one}v{other}"))
            },
            // Pawns count there whether one is written or not.
            "imbalance" => |text| {
                let (one, other) = text.split_once('v')?;
                let asked = format!("imbalance:w:{one}v{other}");
                Some(if text.contains('P') {
                    asked
                } else {
                    format!("{{ {asked} and P=p }}")
                })
            },
            "moved" => |text| Some(format!("last:moved:{text}")),
            "captured" => |text| match text {
                "" => Some("last:jumps:0".to_owned()),
                _ => Some(format!("last:captured:{text}")),
            },
            "stm" => |text| Some(format!("stm:{}", text.to_ascii_lowercase())),
            "result-type" => |text| match text {
                "mate" | "stalemate" => Some(text.to_owned()),
                _ => None,
            },
            "pass" => {
                all.push(ANYTHING.to_owned());
                continue;
            }
            // What is asked of games and of the answer, and what has already been read.
            "white-move" | "black-move" | "sequence" | "streak" | "result" | "skip" | "limit" => {
                continue;
            }
            _ => {
                return Err(wrong(
                    format!("`{key}` is not a condition of scoutfish that is known"),
                    0..0,
                ));
            }
        };
        let texts = texts(key, value)?;
        let texts: Option<Vec<String>> = texts.into_iter().map(each).collect();
        let texts = texts.ok_or_else(|| unreadable(key, value))?;
        all.push(any_of(texts));
    }
    Ok((!all.is_empty()).then(|| {
        let inner = all.join(" and ");
        if inner == ANYTHING || all.len() == 1 && inner.starts_with('{') {
            inner
        } else {
            format!("{{ {inner} }}")
        }
    }))
}

/// Any of some conditions.
fn any_of(mut texts: Vec<String>) -> String {
    if texts.len() == 1 {
        texts.remove(0)
    } else {
        format!("( {} )", texts.join(" or "))
    }
}

/// A move that a side has played; signs of check are not required there.
fn played(text: &str, by: usize) -> String {
    let text = text.trim_end_matches(['+', '#']);
    let turn = ["black", "white"][by];
    format!("{{ last:{text} and stm:{turn} }}")
}

/// The pieces of a board of FEN, each on its square; the other squares do not matter.
fn squares(fen: &str) -> Option<String> {
    let board = fen.split_whitespace().next()?;
    let mut words = Vec::new();
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() > 8 {
        return None;
    }
    // As in FEN the eighth rank is the first, however many follow.
    for (row, rank) in (1..=8).rev().zip(ranks) {
        let mut column = b'a';
        for c in rank.chars() {
            match c.to_digit(10) {
                Some(empty) => column += empty as u8,
                None if c.is_ascii_alphabetic() && column <= b'h' => {
                    words.push(format!("{c}{}{row}", char::from(column)));
                    column += 1;
                }
                None => return None,
            }
        }
    }
    (!words.is_empty()).then(|| format!("{{ {} }}", words.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::pattern::parser::parse;

    #[test]
    fn queries_are_questions() {
        for (query, question) in [
            (r#"{"material": "KRPKR"}"#, "{ material:w:KRPvKR }"),
            (r#"{"imbalance": "vPP"}"#, "{ imbalance:w:vPP }"),
            (
                r#"{"imbalance": ["BvN", "NNvB", "BPvN"]}"#,
                "{ ( { imbalance:w:BvN and P=p } or { imbalance:w:NNvB and P=p } or imbalance:w:BPvN ) }",
            ),
            (
                r#"{ "sub-fen": "8/8/p7/8/8/1B3N2/8/8" }"#,
                "{ pa6 and Bb3 and Nf3 }",
            ),
            (r#"{ "sub-fen": "8/8/8/3p4" }"#, "{ pd5 }"),
            (
                r#"{ "sub-fen": ["8/8/8/8/8/8/8/K7", "8/8/8/8/8/8/8/7K"], "stm": "BLACK" }"#,
                "{ ( { Ka1 } or { Kh1 } ) and stm:black }",
            ),
            (
                r#"{ "moved": "P", "captured": "Q", "result": "1-0" }"#,
                "{ last:moved:P and last:captured:Q } and result:1-0",
            ),
            (
                r#"{ "white-move": ["O-O-O", "O-O"], "black-move": "O-O" }"#,
                "{ ( { last:O-O-O and stm:black } or { last:O-O and stm:black } or { last:O-O and stm:white } ) }",
            ),
            (
                r#"{ "white-move": "Bxh7+", "stm": "black", "skip": 0 }"#,
                "{ { last:Bxh7 and stm:black } and stm:black }",
            ),
            (
                r#"{ "sequence": [{ "white-move": "e4" }, {}, { "pass": "" }, { "result-type": "mate" }] }"#,
                "{ last:e4 and stm:black } then ply:0.. then { mate }",
            ),
            (
                r#"{ "streak": [{ "captured": "" }, { "moved": "NB" }] }"#,
                "{ last:jumps:0 } next { last:moved:NB }",
            ),
            (
                r#"{ "sequence": [{ "sub-fen": "8/8/8/3p4", "result": "1-0" }, { "streak": [{ "moved": "N" }, { "moved": "P" }] }, { "moved": "Q" }] }"#,
                "{ pd5 } then { last:moved:N } next { last:moved:P } then { last:moved:Q } and result:1-0",
            ),
            (r#"{ "result": ["0-1", "1/2-1/2"] }"#, "result:0-1,1/2-1/2"),
        ] {
            let read = translate(query).expect(query);
            assert_eq!(read, question);
            parse(&read).expect(question);
        }
        for query in [
            "{",
            "{}",
            "[]",
            r#"{"sub-fen": 3}"#,
            r#"{"sub-fen": "8/9x"}"#,
            r#"{"material": "Q"}"#,
            r#"{"colour": "white"}"#,
            r#"{"result-type": "time"}"#,
            r#"{"sequence": []}"#,
            r#"{"sequence": [{}]}"#,
            r#"{"pass": "", "limit": 100}"#,
            r#"{"pass": "", "skip": 20}"#,
            r#"{"sequence": ["e4"]}"#,
            r#"{"streak": [{"sequence": [{"pass": ""}, {"pass": ""}]}]}"#,
        ] {
            assert!(translate(query).is_err(), "{query}");
        }
    }
}
