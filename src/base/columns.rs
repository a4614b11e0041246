//! What the columns of tables, and the keys of JSON, are called that say what tag pairs of PGN do.

/// Names, letters and digits alone, and the tags that they are.
const TAGS: &[(&str, &str)] = &[
    ("white", "White"),
    ("whiteid", "White"),
    ("whitename", "White"),
    ("whiteplayer", "White"),
    ("whiteusername", "White"),
    ("playerwhite", "White"),
    ("black", "Black"),
    ("blackid", "Black"),
    ("blackname", "Black"),
    ("blackplayer", "Black"),
    ("blackusername", "Black"),
    ("playerblack", "Black"),
    ("playerswhiteusername", "White"),
    ("playerswhiteuserid", "White"),
    ("playersblackuserid", "Black"),
    ("playerswhitename", "White"),
    ("playersblackusername", "Black"),
    ("playersblackname", "Black"),
    ("playerswhite", "White"),
    ("playersblack", "Black"),
    ("playerswhiterating", "WhiteElo"),
    ("playersblackrating", "BlackElo"),
    ("playerswhiteusertitle", "WhiteTitle"),
    ("playersblackusertitle", "BlackTitle"),
    ("playerswhiteratingdiff", "WhiteRatingDiff"),
    ("playersblackratingdiff", "BlackRatingDiff"),
    ("whitetitle", "WhiteTitle"),
    ("blacktitle", "BlackTitle"),
    ("whiteelo", "WhiteElo"),
    ("whiterating", "WhiteElo"),
    ("blackelo", "BlackElo"),
    ("blackrating", "BlackElo"),
    ("eco", "ECO"),
    ("openingeco", "ECO"),
    ("opening", "Opening"),
    ("openingname", "Opening"),
    ("lichessid", "Site"),
    ("plycount", "PlyCount"),
    ("whiteratingdiff", "WhiteRatingDiff"),
    ("blackratingdiff", "BlackRatingDiff"),
    ("id", "GameId"),
    ("gameid", "GameId"),
    ("game", "GameId"),
    ("event", "Event"),
    ("tournament", "Event"),
    ("site", "Site"),
    ("url", "Link"),
    ("link", "Link"),
    ("round", "Round"),
    ("date", "Date"),
    ("utcdate", "UTCDate"),
    ("utctime", "UTCTime"),
    ("time", "Time"),
    ("timecontrol", "TimeControl"),
    ("termination", "Termination"),
    ("result", "Result"),
    ("winner", "Result"),
    ("variant", "Variant"),
    ("gametype", "GameType"),
];

/// The tag pair that a column or key says by its name, whatever its case and the signs between its
/// words; `None` if it is none of those that are known.
pub fn tag(name: &str) -> Option<&'static str> {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let key: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    let found = TAGS.iter().find(|(known, _)| *known == key);
    found.map(|(_, tag)| *tag)
}

/// Results as movetext has them.
pub const RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "*", "2-0", "1-1", "0-2"];

/// The result that a value says: a score, or who has won; `None` if it says neither.
pub fn result(cell: &str) -> Option<&'static str> {
    let word = cell.trim().to_ascii_lowercase();
    let found = RESULTS.iter().find(|&&result| result == word);
    found.copied().or(match &word[..] {
        "white" | "w" | "white wins" | "white won" | "1:0" | "1–0" => Some("1-0"),
        "black" | "b" | "black wins" | "black won" | "0:1" | "0–1" => Some("0-1"),
        "draw" | "d" | "drawn" | "tie" | "½-½" | "½–½" | "0.5-0.5" => Some("1/2-1/2"),
        _ => None,
    })
}
