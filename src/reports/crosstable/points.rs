//! What games count for: by their outcomes, or by the points that were written.

use std::collections::HashMap;

use super::{game::TableGame, players::is_name, standings::is_equal};
use crate::{
    base::record::{GameFormat, Outcome},
    games::{self, variant::Variant},
    replay,
    search::GameReader,
    store::{Store, StoreError},
};

/// What games count for.
pub(super) struct GamePoints {
    /// Points of a win.
    pub win: f64,
    /// Whether games have written points that are not those of wins and draws.
    pub are_written: bool,
}

impl GamePoints {
    /// Finds the points of all games, which of them were not played, and their teams.
    pub(super) fn read(store: &Store, games: &mut [TableGame<'_>]) -> Result<Self, StoreError> {
        let mut reader = GameReader::new(store);
        let mut written: Vec<Option<[f64; 2]>> = Vec::with_capacity(games.len());
        for game in &mut *games {
            store.go_on()?;
            let row = &game.game.row;
            let mut ends_without_play = false;
            let has = |name: &str| row.layout.contains(name);
            if has("Termination") || has("Team") {
                let mut teams = [None, None];
                replay::each_tag(store, row, |name, value| match replay::name_of(name) {
                    "Termination" => ends_without_play = is_forfeit(&value),
                    "WhiteTeam" => teams[0] = Some(value).filter(|name| is_name(name)),
                    "BlackTeam" => teams[1] = Some(value).filter(|name| is_name(name)),
                    _ => {}
                })?;
                let [white, black] = teams;
                game.teams = white.zip(black).map(|(white, black)| [white, black]);
            }
            game.is_played = !ends_without_play;
            let variant = Variant::by_id(row.variant);
            let is_draughts =
                variant.is_some_and(|variant| games::script(variant) == GameFormat::Pdn);
            written.push(if is_draughts {
                let header = reader.header(game.game.id)?;
                header.and_then(|header| written_points(&header.result_written))
            } else {
                None
            });
        }
        // Where most games are bare results, none of them was forfeited for that.
        let bare = games.iter().filter(|game| game.game.row.plies == 0).count();
        if 2 * bare <= games.len() {
            for game in &mut *games {
                let is_won = matches!(
                    Outcome::from_code(game.game.row.outcome),
                    Outcome::First | Outcome::Second
                );
                game.is_played &= game.game.row.plies > 0 || !is_won;
            }
        }
        // A written result counts if its points add up to those of most games.
        let mut totals: HashMap<u64, usize> = HashMap::new();
        for [white, black] in written.iter().flatten() {
            *totals.entry((white + black) as u64).or_default() += 1;
        }
        let total = totals.into_iter().filter(|&(total, _)| total > 0);
        let total = total.max_by_key(|&(total, games)| (games, total));
        let win = total.map_or(1.0, |(total, _)| total as f64);
        for (game, written) in games.iter_mut().zip(&written) {
            let fits = |points: &[f64; 2]| {
                let sum = points[0] + points[1];
                is_equal(sum, win) || is_equal(sum, 0.0)
            };
            let by_outcome = match Outcome::from_code(game.game.row.outcome) {
                Outcome::Unknown => None,
                Outcome::First => Some([win, 0.0]),
                Outcome::Second => Some([0.0, win]),
                Outcome::Draw => Some([win / 2.0, win / 2.0]),
            };
            game.points = written.filter(fits).or(by_outcome);
        }
        let is_between = |points: f64| {
            let usual = [0.0, win / 2.0, win];
            !usual.iter().any(|&usual| is_equal(points, usual))
        };
        let are_written = win > 2.0
            || games
                .iter()
                .filter_map(|game| game.points)
                .flatten()
                .any(is_between);
        Ok(Self { win, are_written })
    }
}

/// Whether a game ended so because one did not come to play it.
fn is_forfeit(termination: &str) -> bool {
    let text = termination.to_ascii_lowercase();
    ["forfeit", "default", "unplayed", "walkover"]
        .iter()
        .any(|word| text.contains(word))
}

/// The points that a result gives both: `2-0`, `12-8`; `None` if it is not of that kind.
fn written_points(result: &str) -> Option<[f64; 2]> {
    let (white, black) = result.split_once('-')?;
    let number = |text: &str| text.trim().parse::<u16>().ok().map(f64::from);
    Some([number(white)?, number(black)?])
}
