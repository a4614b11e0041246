//! What the parameters of lichess' explorer ask for.

use crate::cli::serve::position::ResolvedPosition;
use crate::cli::serve::request::Request;
use crate::games::variant::Variant;
use crate::pgn::tags::time_control::SpeedClass;

/// The paths, which differ in what they know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExplorerPath {
    /// `/masters`.
    Masters,
    /// `/lichess`; its old path has the history alone.
    Lichess { only_history: bool },
    /// `/player`.
    Player,
}

/// Lower bounds of the groups of ratings.
pub(crate) const GROUPS: [u32; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// The group from which on games are top games.
const TOP_GROUP: u32 = 2000;

/// Years that can be requested.
const YEARS: std::ops::RangeInclusive<u32> = 1952..=3000;

/// The speeds as lichess has them.
pub(crate) const SPEEDS: [(&str, SpeedClass); 6] = [
    ("ultraBullet", SpeedClass::UltraBullet),
    ("bullet", SpeedClass::Bullet),
    ("blitz", SpeedClass::Blitz),
    ("rapid", SpeedClass::Rapid),
    ("classical", SpeedClass::Classical),
    ("correspondence", SpeedClass::Correspondence),
];

/// The variants as lichess has them, with what they are called here.
const VARIANTS: [(&str, &str); 11] = [
    ("chess", "chess"),
    ("standard", "chess"),
    ("chess960", "chess"),
    ("fromPosition", "chess"),
    ("antichess", "antichess"),
    ("atomic", "atomic"),
    ("crazyhouse", "crazyhouse"),
    ("horde", "horde"),
    ("kingOfTheHill", "kingofthehill"),
    ("racingKings", "racingkings"),
    ("threeCheck", "threecheck"),
];

/// The query.
#[derive(Debug)]
pub(crate) struct ExplorerParams {
    /// The position.
    pub(crate) placed: ResolvedPosition,
    /// Earliest and latest date, packed as `yyyymmdd`.
    pub(crate) dates: [Option<u32>; 2],
    /// Moves at most.
    pub(crate) moves: usize,
    /// Top games at most.
    pub(crate) top: usize,
    /// Recent games at most.
    pub(crate) recent: usize,
    /// Whether months are counted.
    pub(crate) history: bool,
    /// Any of these; `None` is all.
    pub(crate) speeds: Option<Vec<SpeedClass>>,
    /// Any of these groups of ratings, by their places among [`GROUPS`]; `None` is all.
    pub(crate) groups: Option<Vec<usize>>,
    /// Whether rated and casual games are wanted.
    pub(crate) modes: [bool; 2],
    /// Whose games, of White (0) or of Black.
    pub(crate) player: Option<(String, usize)>,
}

impl ExplorerParams {
    /// Reads the parameters of a path.
    ///
    /// # Errors
    ///
    /// What is wrong, in a line.
    pub(crate) fn read(request: &Request, path: ExplorerPath) -> Result<Self, String> {
        let is_masters = path == ExplorerPath::Masters;
        let get = |name: &str| request.param(name);
        let variant = if is_masters { None } else { get("variant") };
        let row = row(variant.unwrap_or("chess"))?;
        let fen = get("fen").filter(|fen| !fen.trim().is_empty());
        let mut placed =
            ResolvedPosition::of_row(row, fen).map_err(|error| format!("fen: {error}"))?;
        if let Some(play) = get("play") {
            placed
                .play(play)
                .map_err(|error| format!("play: {error}"))?;
        }
        let date = |name| {
            get(name)
                .map(|text| date(name, text, is_masters))
                .transpose()
        };
        let number = |name: &str, usual| match get(name) {
            None => Ok(usual),
            Some(text) => (text.parse::<u32>().map(|number| number as usize))
                .map_err(|_| format!("{name}: `{text}` is not a number")),
        };
        let top_max = match path {
            ExplorerPath::Masters => 15,
            ExplorerPath::Lichess { .. } => 4,
            ExplorerPath::Player => 0,
        };
        let only_history = path == ExplorerPath::Lichess { only_history: true };
        let usual_moves = if path == ExplorerPath::Player {
            usize::MAX
        } else {
            12
        };
        let params = Self {
            placed,
            dates: [date("since")?, date("until")?],
            moves: number("moves", usual_moves)?,
            top: number("topGames", top_max)?.min(top_max),
            recent: number("recentGames", 8)?.min(8),
            history: only_history || !is_masters && is_yes("history", get("history"))?,
            speeds: list(get("speeds"), speed)?,
            groups: list(get("ratings"), group)?,
            modes: modes(get("modes").filter(|_| !is_masters))?,
            player: player(request, path)?,
        };
        Ok(match path {
            // These know neither ratings nor speeds.
            ExplorerPath::Masters => Self {
                recent: 0,
                history: false,
                speeds: None,
                groups: None,
                ..params
            },
            ExplorerPath::Lichess { .. } if only_history => Self {
                moves: 0,
                top: 0,
                recent: 0,
                ..params
            },
            ExplorerPath::Lichess { .. } => params,
            ExplorerPath::Player => Self {
                groups: None,
                ..params
            },
        })
    }

    /// The mean rating that a top game of `/lichess` has at least: the lowest group that the
    /// ratings reach from the top down without a gap; `None` if they do not reach the top.
    pub(crate) fn top_mean(&self) -> Option<u32> {
        let is_asked = |at: &usize| (self.groups.as_ref()).is_none_or(|asked| asked.contains(at));
        let reached = (0..GROUPS.len()).rev().take_while(is_asked);
        reached
            .map(|at| GROUPS[at])
            .take_while(|&least| least >= TOP_GROUP)
            .last()
    }

    /// The means of ratings that are wanted, inclusive.
    pub(crate) fn means(&self) -> Option<Vec<(u32, u32)>> {
        let asked = self.groups.as_ref()?;
        let range = |&at: &usize| {
            let next = GROUPS.get(at + 1).map_or(u32::MAX, |next| next - 1);
            (GROUPS[at], next)
        };
        Some(asked.iter().map(range).collect())
    }

    /// Whether nothing can be found: a list is empty.
    pub(crate) fn is_nothing(&self) -> bool {
        self.speeds.as_ref().is_some_and(Vec::is_empty)
            || self.groups.as_ref().is_some_and(Vec::is_empty)
            || self.modes == [false, false]
    }
}

/// The variant of a name that lichess has, in any of its spellings: programs send `3check` and
/// `kingofthehill` as well.
fn row(name: &str) -> Result<&'static Variant, String> {
    let folded = |name: &str| name.to_lowercase().replace([' ', '-'], "");
    let known = |name: &str| {
        let mut all = VARIANTS.iter();
        all.find(|(known, _)| folded(known) == folded(name))
    };
    let found = known(name).or_else(|| known(Variant::named(name)?.name));
    found
        .and_then(|(_, own)| Variant::by_name(own))
        .ok_or_else(|| format!("variant: `{name}` is not a variant of lichess"))
}

/// Whether something is wanted, in the words that lichess takes for yes, or their like for no.
fn is_yes(name: &str, text: Option<&str>) -> Result<bool, String> {
    match text.unwrap_or_default() {
        "true" | "True" | "on" | "1" | "yes" => Ok(true),
        "" | "false" | "False" | "off" | "0" | "no" => Ok(false),
        other => Err(format!("{name}: `{other}` is neither true nor false")),
    }
}

/// A list with commas; `None` where it is not given.
fn list<T>(
    text: Option<&str>,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<Vec<T>>, String> {
    let Some(text) = text else { return Ok(None) };
    let words = text
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty());
    words.map(read).collect::<Result<_, _>>().map(Some)
}

fn speed(word: &str) -> Result<SpeedClass, String> {
    let found = SPEEDS.iter().find(|(name, _)| *name == word);
    found
        .map(|(_, class)| *class)
        .ok_or_else(|| format!("speeds: `{word}` is not a speed"))
}

/// The place of the group that a rating is in.
fn group(word: &str) -> Result<usize, String> {
    let rating: u32 = (word.parse()).map_err(|_| format!("ratings: `{word}` is not a rating"))?;
    Ok(GROUPS
        .iter()
        .rposition(|&least| least <= rating)
        .unwrap_or(0))
}

/// Whether rated and casual games are wanted.
fn modes(text: Option<&str>) -> Result<[bool; 2], String> {
    let read = |word: &str| match word {
        "rated" => Ok(0),
        "casual" => Ok(1),
        _ => Err(format!("modes: `{word}` is not rated or casual")),
    };
    Ok(match list(text, read)? {
        None => [true; 2],
        Some(asked) => [0, 1].map(|mode| asked.contains(&mode)),
    })
}

/// Whose games `/player` asks for.
fn player(request: &Request, path: ExplorerPath) -> Result<Option<(String, usize)>, String> {
    if path != ExplorerPath::Player {
        return Ok(None);
    }
    let name = request.param("player").unwrap_or_default();
    if !crate::database::has_words(name) {
        return Err("player: whose games? A name is missing".to_owned());
    }
    let side = match request.param("color") {
        Some("white") => 0,
        Some("black") => 1,
        _ => return Err("color: write white or black".to_owned()),
    };
    Ok(Some((name.to_owned(), side)))
}

/// A year, or a month, packed as a date without its day.
fn date(name: &str, text: &str, is_year: bool) -> Result<u32, String> {
    let wrong = || {
        let form = if is_year { "2015" } else { "2015-03" };
        let (first, last) = (YEARS.start(), YEARS.end());
        format!("{name}: `{text}` is not a date such as {form}, from {first} to {last}")
    };
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| is_number)
    };
    let (year, month) = match text.split_once(['-', '/']) {
        None if is_year => (number(text), Some(0)),
        Some((year, month)) if !is_year => (
            number(year),
            number(month).filter(|month| (1..=12).contains(month)),
        ),
        _ => (None, None),
    };
    let year = year.filter(|year| YEARS.contains(year)).ok_or_else(wrong)?;
    Ok(year * 10_000 + month.ok_or_else(wrong)? * 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LICHESS: ExplorerPath = ExplorerPath::Lichess {
        only_history: false,
    };

    fn read(query: &str, path: ExplorerPath) -> Result<ExplorerParams, String> {
        ExplorerParams::read(
            &Request::of(&format!("/?{query}")).expect("a question"),
            path,
        )
    }

    #[test]
    fn dates_are_years_or_months() {
        let dates = |query: &str, path| read(query, path).map(|params| params.dates);
        assert_eq!(
            dates("since=2015&until=2016", ExplorerPath::Masters),
            Ok([Some(20_150_000), Some(20_160_000)])
        );
        for month in ["2015-03", "2015-3", "2015/03"] {
            let query = format!("since={month}");
            assert_eq!(
                dates(&query, LICHESS),
                Ok([Some(20_150_300), None]),
                "{month}"
            );
        }
        for (query, path) in [
            ("since=2015-03", ExplorerPath::Masters),
            ("since=1951", ExplorerPath::Masters),
            ("until=3001", ExplorerPath::Masters),
            ("since=+2015", ExplorerPath::Masters),
            ("since=2015", LICHESS),
            ("since=2015-13", LICHESS),
            ("since=2015-", LICHESS),
        ] {
            assert!(read(query, path).is_err(), "{query}");
        }
    }

    #[test]
    fn top_games_need_the_top_groups() {
        let top = |query| read(query, LICHESS).expect(query).top_mean();
        assert_eq!(top(""), Some(2000));
        assert_eq!(top("ratings=2500"), Some(2500));
        assert_eq!(top("ratings=2700,2000"), Some(2500));
        assert_eq!(top("ratings=2200,2500"), Some(2200));
        assert_eq!(top("ratings=1600,1800,2000,2200,2500"), Some(2000));
        assert_eq!(top("ratings=2200"), None);
        assert_eq!(top("ratings="), None);
    }

    #[test]
    fn ratings_name_their_groups() {
        let means = |query| read(query, LICHESS).expect(query).means();
        assert_eq!(means(""), None);
        assert_eq!(means("ratings=1300"), Some(vec![(1200, 1399)]));
        assert_eq!(
            means("ratings=999,9999"),
            Some(vec![(0, 999), (2500, u32::MAX)])
        );
        assert!(read("ratings=-1", LICHESS).is_err());
        assert!(read("ratings=", LICHESS).expect("a list").is_nothing());
        assert!(read("modes=", LICHESS).expect("a list").is_nothing());
        assert!(
            !read("modes=rated&speeds=blitz", LICHESS)
                .expect("lists")
                .is_nothing()
        );
    }

    #[test]
    fn months_are_wanted_or_not() {
        let wanted = |query| read(query, LICHESS).map(|params| params.history);
        for (query, is_wanted) in [
            ("", false),
            ("history=", false),
            ("history=true", true),
            ("history=on", true),
            ("history=false", false),
            ("history=0", false),
        ] {
            assert_eq!(wanted(query), Ok(is_wanted), "{query}");
        }
        assert!(wanted("history=banana").is_err());
        // A path that has none does not read it.
        assert!(read("history=banana", ExplorerPath::Masters).is_ok());
    }

    #[test]
    fn every_variant_is_there() {
        for (name, _) in VARIANTS {
            let read = read(&format!("variant={name}"), LICHESS).map(|_| ());
            assert_eq!(read, Ok(()), "{name}");
        }
        assert!(read("variant=go", LICHESS).is_err());
    }
}
