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
    // German, Dutch, French, Italian, Spanish, Portuguese, Polish and Russian.
    ("weiß", "White"),
    ("weiss", "White"),
    ("wit", "White"),
    ("blancs", "White"),
    ("bianco", "White"),
    ("blancas", "White"),
    ("brancas", "White"),
    ("białe", "White"),
    ("белые", "White"),
    ("schwarz", "Black"),
    ("zwart", "Black"),
    ("noirs", "Black"),
    ("nero", "Black"),
    ("negras", "Black"),
    ("pretas", "Black"),
    ("czarne", "Black"),
    ("черные", "Black"),
    ("чёрные", "Black"),
    ("ergebnis", "Result"),
    ("resultat", "Result"),
    ("uitslag", "Result"),
    ("résultat", "Result"),
    ("risultato", "Result"),
    ("resultado", "Result"),
    ("wynik", "Result"),
    ("результат", "Result"),
    ("datum", "Date"),
    ("fecha", "Date"),
    ("дата", "Date"),
    ("turnier", "Event"),
    ("toernooi", "Event"),
    ("tournoi", "Event"),
    ("torneo", "Event"),
    ("torneio", "Event"),
    ("turniej", "Event"),
    ("турнир", "Event"),
    ("runde", "Round"),
    ("ronde", "Round"),
    ("ronda", "Round"),
    ("тур", "Round"),
];

/// The tag pair that a column or key says by its name, whatever its case and the signs between its
/// words; `None` if it is none of those that are known.
pub fn tag(name: &str) -> Option<&'static str> {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let key: String = letters.flat_map(char::to_lowercase).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_several_languages() {
        for (name, expected) in [
            ("White_Player", Some("White")),
            ("Weiß", Some("White")),
            ("RÉSULTAT", Some("Result")),
            ("Чёрные", Some("Black")),
            ("Züge", None),
        ] {
            assert_eq!(tag(name), expected, "{name}");
        }
    }
}
