//! The usual spelling of well-known tag names (rule T2): `fen` and `WHITE`
//! occur, but are surely `FEN` and `White`.
//!
//! Names outside this list are kept as they are written, and compared so.

/// The canonical spelling of a well-known tag name, in whatever case it is
/// written; `None` for a name that is not well known.
///
/// ```
/// use plydex::pgn::tags::names::canonical;
/// assert_eq!(canonical(b"whiteelo"), Some("WhiteElo"));
/// assert_eq!(canonical(b"Anything"), None);
/// ```
pub fn canonical(name: &[u8]) -> Option<&'static str> {
    // Every game has these, spelled like this: compared as entire words by length, before any table
    // is touched.
    Some(match name {
        b"Event" => "Event",
        b"Site" => "Site",
        b"Date" => "Date",
        b"Round" => "Round",
        b"White" => "White",
        b"Black" => "Black",
        b"Result" => "Result",
        b"ECO" => "ECO",
        b"WhiteElo" => "WhiteElo",
        b"BlackElo" => "BlackElo",
        b"UTCDate" => "UTCDate",
        b"UTCTime" => "UTCTime",
        b"Opening" => "Opening",
        b"EventDate" => "EventDate",
        b"PlyCount" => "PlyCount",
        b"TimeControl" => "TimeControl",
        b"Termination" => "Termination",
        b"WhiteRatingDiff" => "WhiteRatingDiff",
        b"BlackRatingDiff" => "BlackRatingDiff",
        _ => return canonical_by_table(name),
    })
}

fn canonical_by_table(name: &[u8]) -> Option<&'static str> {
    let first = NAMES.partition_point(|known| known.len() < name.len());
    NAMES[first..]
        .iter()
        .copied()
        .take_while(|known| known.len() == name.len())
        .find(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// The canonical name of a tag that is written in another language, as the files
/// of draughts federations have it; entities may stand for letters. `None` for
/// any other name, English ones among them.
///
/// ```
/// use plydex::pgn::tags::names::localised;
/// assert_eq!(localised("Bianco"), Some("White"));
/// assert_eq!(localised("&#x00c9;v&#x00e9;nement"), Some("Event"));
/// assert_eq!(localised("White"), None);
/// ```
pub fn localised(name: &str) -> Option<&'static str> {
    let decoded = decode_entities(name.as_bytes());
    let name = String::from_utf8_lossy(&decoded).trim().to_lowercase();
    let found = LOCALISED.iter().find(|(known, _)| *known == name)?;
    Some(found.1)
}

/// A text with its entities undone; what is no known entity stays.
pub(crate) fn decode_entities(text: &[u8]) -> Vec<u8> {
    /// Longer ones are not searched for: `&#x0010FFFF;`.
    const ENTITY_BYTES_MAX: usize = 12;
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let near = &text[at..text.len().min(at + ENTITY_BYTES_MAX)];
        let found = near
            .starts_with(b"&")
            .then(|| memchr::memchr(b';', near))
            .flatten()
            .and_then(|len| Some((len, entity(&near[1..len])?)));
        if let Some((len, c)) = found {
            plain.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            at += len + 1;
        } else {
            plain.push(text[at]);
            at += 1;
        }
    }
    plain
}

fn entity(name: &[u8]) -> Option<char> {
    let name = std::str::from_utf8(name).ok()?;
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let code = name.strip_prefix('#')?;
            char::from_u32(match code.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => code.parse().ok()?,
            })
        }
    }
}

/// Names in other languages, in lower case: Italian and French as federations
/// write them, Russian as programs and translators do, and the plain words of
/// German, Dutch, Spanish, Portuguese and Polish.
#[rustfmt::skip]
const LOCALISED: &[(&str, &str)] = &[
    ("dati", "Event"), ("anno", "Date"), ("bianco", "White"), ("nero", "Black"),
    ("risultato", "Result"), ("apertura", "Opening"), ("evento", "Event"), ("luogo", "Site"),
    ("turno", "Round"), ("data", "Date"),
    ("событие", "Event"), ("сайт", "Site"), ("место", "Site"), ("дата", "Date"),
    ("раунд", "Round"), ("круглый", "Round"), ("тур", "Round"), ("белый", "White"),
    ("белые", "White"), ("черный", "Black"), ("черные", "Black"), ("чёрный", "Black"),
    ("чёрные", "Black"), ("результат", "Result"), ("настройка", "SetUp"),
    ("тип игры", "GameType"), ("дебют", "Opening"),
    ("événement", "Event"), ("évènement", "Event"), ("lieu", "Site"), ("manche", "Round"),
    ("ronde", "Round"), ("blanc", "White"), ("blancs", "White"), ("noir", "Black"),
    ("noirs", "Black"), ("résultat", "Result"), ("type de jeu", "GameType"),
    ("ouverture", "Opening"), ("heure blanche", "WhiteTime"), ("heure noire", "BlackTime"),
    ("titre blanc", "WhiteTitle"), ("titre noir", "BlackTitle"),
    ("évaluation blanche", "WhiteRating"), ("évaluation noire", "BlackRating"),
    ("ereignis", "Event"), ("turnier", "Event"), ("ort", "Site"), ("datum", "Date"),
    ("runde", "Round"), ("weiß", "White"), ("weiss", "White"), ("schwarz", "Black"),
    ("ergebnis", "Result"), ("eröffnung", "Opening"),
    ("evenement", "Event"), ("plaats", "Site"), ("wit", "White"), ("zwart", "Black"),
    ("uitslag", "Result"), ("resultaat", "Result"),
    ("lugar", "Site"), ("fecha", "Date"), ("ronda", "Round"), ("blancas", "White"),
    ("negras", "Black"), ("resultado", "Result"), ("local", "Site"), ("rodada", "Round"),
    ("brancas", "White"), ("pretas", "Black"), ("abertura", "Opening"),
    ("wydarzenie", "Event"), ("miejsce", "Site"), ("runda", "Round"), ("białe", "White"),
    ("czarne", "Black"), ("wynik", "Result"), ("otwarcie", "Opening"), ("debiut", "Opening"),
];

/// The sides in the languages of the field, in lower case: what a line above a game calls them, and
/// what a tag pair may. In xiangqi White is red.
#[rustfmt::skip]
const SIDES: &[(&str, &str)] = &[
    ("white", "black"), ("red", "black"), ("weißer", "schwarzer"), ("weisser", "schwarzer"),
    ("blanques", "negres"), ("blanco", "negro"), ("branco", "preto"), ("bianchi", "neri"),
    ("rot", "schwarz"), ("rouges", "noirs"), ("rojas", "negras"), ("biały", "czarny"),
    ("білі", "чорні"), ("бели", "черни"), ("белите", "черните"), ("бели", "црни"),
    ("белыя", "чорныя"), ("красные", "чёрные"),
    ("bílý", "černý"), ("biely", "čierny"), ("bijeli", "crni"), ("beli", "črni"),
    ("vit", "svart"), ("hvid", "sort"), ("hvit", "svart"), ("hvítur", "svartur"),
    ("valkea", "musta"), ("valkoinen", "musta"), ("valge", "must"), ("világos", "sötét"),
    ("fehér", "fekete"), ("alb", "negru"), ("albul", "negrul"), ("λευκά", "μαύρα"),
    ("λευκα", "μαυρα"), ("λευκός", "μαύρος"), ("beyaz", "siyah"), ("baltie", "melnie"),
    ("baltais", "melnais"), ("baltieji", "juodieji"), ("i bardhi", "i ziu"), ("blanko", "nigro"),
    ("blankaj", "nigraj"), ("putih", "hitam"), ("trắng", "đen"),
    ("白", "黑"), ("白方", "黑方"), ("红", "黑"), ("紅", "黒"), ("红方", "黑方"), ("紅方", "黑方"),
    ("先手", "后手"), ("先手", "後手"), ("白番", "黒番"), ("백", "흑"), ("לבן", "שחור"),
    ("الأبيض", "الأسود"), ("أبيض", "أسود"), ("سفید", "سیاه"), ("սպիտակ", "սև"),
    ("თეთრი", "შავი"), ("सफेद", "काला"),
];

/// The side that a word names, in whatever language: `White` or `Black`.
///
/// ```
/// use plydex::pgn::tags::names::side_of;
/// assert_eq!(side_of("Λευκά"), Some("White"));
/// assert_eq!(side_of("黑方"), Some("Black"));
/// assert_eq!(side_of("Event"), None);
/// ```
pub fn side_of(word: &str) -> Option<&'static str> {
    let word = word.trim().to_lowercase();
    let found = SIDES.iter().find_map(|(white, black)| {
        let is_white = (*white == word).then_some("White");
        is_white.or_else(|| (*black == word).then_some("Black"))
    });
    found.or_else(|| localised(&word).filter(|name| matches!(*name, "White" | "Black")))
}

/// Well-known names: those of the PGN standard and of its supplement, those that
/// lichess, chess.com, ChessBase, Scid and correspondence servers write, and those
/// of PDN and of draughts programs. By length, then by alphabet.
#[rustfmt::skip]
pub const NAMES: &[&str] = &[
    "ECO", "FEN", "NIC", "UID",
    "Date", "Link", "Mode", "Site", "Tags", "Time",
    "Black", "Board", "Event", "Flags", "Input", "Match", "Medal", "Owner", "Round", "SetUp",
    "Stage", "Title", "Topic", "White",
    "Author", "Beauty", "ECOUrl", "Editor", "GameId", "Remark", "Result", "Source",
    "BlackNA", "Comment", "Country", "EndDate", "EndTime", "GameURL", "Lichess", "Opening",
    "Section", "UTCDate", "UTCTime", "Variant", "WhiteNA",
    "BlackDWZ", "BlackECF", "BlackElo", "BlackUrl", "EventURL", "Filename", "FinalFen", "GameType",
    "HashCode", "Language", "PlyCount", "SetupFen", "TimeZone", "UniqueId", "WhiteDWZ", "WhiteECF",
    "WhiteElo", "WhiteUrl",
    "Annotator", "BlackICCF", "BlackNRtg", "BlackTeam", "BlackTime", "BlackType", "BlackUSCF",
    "Copyright", "EventDate", "EventRank", "EventType", "LichessId", "NullMoves", "ScidFlags",
    "StartDate", "StartTime", "StudyName", "TeamMatch", "Variation", "WhiteICCF", "WhiteNRtg",
    "WhiteTeam", "WhiteTime", "WhiteType", "WhiteUSCF",
    "BlackClock", "BlackTitle", "ChapterURL", "Collection", "GameNumber", "LichessURL",
    "SourceDate", "Tournament", "WhiteClock", "WhiteTitle",
    "BlackFideId", "BlackFmjdId", "BlackIsComp", "BlackRating", "ChapterMode", "ChapterName",
    "Competition", "EventRounds", "LastUpdated", "MatchNumber", "Orientation", "Publication",
    "SourceTitle", "Stipulation", "SubmittedBy", "Termination", "TimeControl", "Transcriber",
    "WhiteFideId", "WhiteFmjdId", "WhiteIsComp", "WhiteRating",
    "BlackCountry", "BlackEloType", "BroadcastURL", "DamboTopLine", "EventCountry", "EventSponsor",
    "GameDuration", "ResultFormat", "SubVariation", "WhiteCountry", "WhiteEloType",
    "BlackAccuracy", "BroadcastName", "EventCategory", "SourceQuality", "SourceVersion",
    "WhiteAccuracy",
    "BlackBirthDate", "WhiteBirthDate",
    "BlackRatingDiff", "BlackRatingType", "CurrentPosition", "DamboBottomLine", "PublicationDate",
    "SourcePublisher", "WhiteRatingDiff", "WhiteRatingType",
    "BlackDisplayName", "BlackTeamCountry", "BlackTimeControl", "TimeControlBlack",
    "TimeControlWhite", "WhiteDisplayName", "WhiteTeamCountry", "WhiteTimeControl",
    "BlackEstimatedElo", "SourceVersionDate", "WhiteEstimatedElo",
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_name_is_found_in_any_case() {
        for &name in NAMES {
            assert_eq!(canonical(name.as_bytes()), Some(name));
            assert_eq!(canonical(name.to_ascii_lowercase().as_bytes()), Some(name));
            assert_eq!(canonical(name.to_ascii_uppercase().as_bytes()), Some(name));
        }
    }

    #[test]
    fn names_are_sorted_and_unique() {
        assert!(NAMES.is_sorted_by_key(|name| (name.len(), name.to_ascii_lowercase())));
        let unique: HashSet<_> = NAMES.iter().map(|name| name.to_ascii_lowercase()).collect();
        assert_eq!(unique.len(), NAMES.len());
    }

    #[test]
    fn names_of_draughts_and_of_other_languages() {
        assert_eq!(canonical(b"Setup"), Some("SetUp"));
        assert_eq!(canonical(b"gametype"), Some("GameType"));
        assert_eq!(canonical(b"WHITEFMJDID"), Some("WhiteFmjdId"));
        assert_eq!(localised("Событие"), Some("Event"));
        assert_eq!(localised("Risultato"), Some("Result"));
        assert_eq!(localised("R&#x00e9;sultat"), Some("Result"));
        assert_eq!(localised("R&#233;sultat"), Some("Result"));
        assert_eq!(localised("Type de jeu"), Some("GameType"));
        for name in ["Event", "", "&", "&#;", "&#xzz;", "R&#x", "Anything"] {
            assert_eq!(localised(name), None, "{name}");
        }
        for (name, meant) in LOCALISED {
            assert_eq!(*name, name.to_lowercase());
            assert!(NAMES.contains(meant), "{meant}");
            // A name that is well known itself is never taken for another.
            assert_eq!(canonical(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn other_names_are_not_known() {
        for name in ["", "X", "Eventt", "Whit", "White Elo", "Événement"] {
            assert_eq!(canonical(name.as_bytes()), None, "{name}");
        }
        assert_eq!(canonical(&[b'x'; 300]), None);
    }
}
