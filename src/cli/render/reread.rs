//! What has become of sources that were read again.

use std::io::{self, Write};

use super::number::{count, counted};
use crate::database::{RereadReport, SourceReread};

/// Says of each source what there is now, and what there was.
pub fn write(out: &mut dyn Write, report: &RereadReport) -> io::Result<()> {
    report.sources.iter().try_for_each(|source| {
        let name = match source.game {
            Some(game) => format!("game {} of {}", count(game), source.source),
            None => source.source.clone(),
        };
        writeln!(out, "{name}: {}", told(source))
    })?;
    if let Some(change) = report.change {
        writeln!(out, "`plydex undo {change}` undoes it")?;
    }
    report.evaluations.iter().try_for_each(|set| {
        let how = match (set.unit, set.side) {
            (None, None) => "as their form and the games show".to_owned(),
            (unit, side) => {
                let unit = unit.map(|unit| format!("in {unit}"));
                let side = side.map(|side| format!("as {}", eval_side(side)));
                let parts: Vec<String> = unit.into_iter().chain(side).collect();
                parts.join(", ")
            }
        };
        writeln!(out, "{}: evaluations are read {how}", set.source)
    })
}

/// Who sees evaluations as they are written.
pub fn eval_side(side: &str) -> &'static str {
    match side {
        "white" => "White sees them",
        _ => "the side that moved sees them",
    }
}

fn told(source: &SourceReread) -> String {
    let before = |now: u64, before: u64| {
        if now == before {
            return "as before".to_owned();
        }
        format!("{} before", count(before))
    };
    let mut games = counted(source.games, "game", "games");
    if source.games != source.games_before {
        games = format!("{games}, {}", before(source.games, source.games_before));
    }
    if let Some((first, last)) = source.first_game.zip(source.last_game) {
        let stored = last - first + 1;
        let which = if stored == source.games {
            String::new()
        } else {
            format!("{} of them ", count(stored))
        };
        let numbers = if first == last {
            format!("#{first}")
        } else {
            format!("#{first}-#{last}")
        };
        games = format!("{games}, {which}now {numbers}");
    }
    let complete = before(source.complete, source.complete_before);
    let plies = before(source.plies, source.plies_before);
    let mut told = vec![
        format!("{games}: {} complete, {complete}", count(source.complete)),
        format!("{}, {plies}", counted(source.plies, "ply", "plies")),
    ];
    if source.repeated > 0 {
        told.push(format!("{} stored already", count(source.repeated)));
    }
    if source.rejected > 0 {
        told.push(format!("{} rejected", count(source.rejected)));
    }
    let variants =
        (source.variants.iter()).map(|(name, games)| format!("{name} {}", count(*games)));
    told.extend(variants);
    let languages = source.languages.iter();
    told.extend(languages.map(|(code, games)| format!("in `{code}` {}", count(*games))));
    told.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_sources() {
        let said = |source: SourceReread| {
            let mut out = Vec::new();
            let report = RereadReport {
                change: Some(4),
                sources: vec![source],
                evaluations: Vec::new(),
            };
            write(&mut out, &report).expect("a vector takes everything");
            String::from_utf8_lossy(&out).into_owned()
        };
        let source = SourceReread {
            source: "club.pdn".into(),
            format: "pdn",
            first_game: Some(31),
            last_game: Some(60),
            games: 30,
            games_before: 30,
            complete: 30,
            complete_before: 0,
            plies: 1_812,
            plies_before: 44,
            variants: vec![("russian".into(), 30)],
            ..SourceReread::default()
        };
        insta::assert_snapshot!(said(source.clone()), @r"
        club.pdn: 30 games, now #31-#60: 30 complete, 0 before; 1,812 plies, 44 before; russian 30
        `plydex undo 4` undoes it
        ");
        let other = SourceReread {
            game: Some(1_017),
            first_game: Some(61),
            last_game: Some(61),
            games: 1,
            games_before: 2,
            complete: 0,
            rejected: 1,
            plies: 44,
            variants: vec![("chess".into(), 1)],
            languages: vec![("nl", 1)],
            ..source
        };
        insta::assert_snapshot!(said(other), @r"
        game 1,017 of club.pdn: 1 game, 2 before, now #61: 0 complete, as before; 44 plies, as before; 1 rejected; chess 1; in `nl` 1
        `plydex undo 4` undoes it
        ");
    }
}
