//! The usual spelling of well-known tag names (rule T2): `fen` and `WHITE`
//! occur, but are surely `FEN` and `White`.
//!
//! Names outside this list are kept as they are written, and compared so.

/// The canonical spelling of a well-known tag name, in whatever case it is
/// written; `None` for a name that is not well known.
///
/// ```
/// use plydex::tags::names::canonical;
/// assert_eq!(canonical(b"whiteelo"), Some("WhiteElo"));
/// assert_eq!(canonical(b"Anything"), None);
/// ```
pub fn canonical(name: &[u8]) -> Option<&'static str> {
    // Every game has these, spelled like this: compared as whole words by
    // length, before any table is touched.
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
    let first = STARTS.get(name.len()).copied().unwrap_or(NAMES.len() as u8) as usize;
    let end = STARTS
        .get(name.len() + 1)
        .copied()
        .unwrap_or(NAMES.len() as u8) as usize;
    NAMES[first..end]
        .iter()
        .copied()
        .find(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Bytes of the longest name below.
const NAME_BYTES_MAX: usize = 17;

/// Place of the first name of each length in [`NAMES`].
const STARTS: [u8; NAME_BYTES_MAX + 2] = {
    let mut starts = [NAMES.len() as u8; NAME_BYTES_MAX + 2];
    let mut place = NAMES.len();
    while place > 0 {
        place -= 1;
        assert!(NAMES[place].len() <= NAME_BYTES_MAX);
        starts[NAMES[place].len()] = place as u8;
    }
    // A length without names begins where the next one does.
    let mut length = NAME_BYTES_MAX + 1;
    while length > 0 {
        length -= 1;
        if starts[length] > starts[length + 1] {
            starts[length] = starts[length + 1];
        }
    }
    starts
};

/// Well-known names: those of the PGN standard and of its supplement, those that
/// lichess, chess.com, ChessBase, Scid and correspondence servers write. By
/// length, then by alphabet.
#[rustfmt::skip]
pub const NAMES: &[&str] = &[
    "ECO", "FEN", "NIC", "UID",
    "Date", "Link", "Mode", "Site", "Tags", "Time",
    "Black", "Board", "Event", "Flags", "Input", "Match", "Medal", "Owner", "Round", "SetUp",
    "Stage", "Title", "Topic", "White",
    "Author", "Beauty", "ECOUrl", "Editor", "GameId", "Remark", "Result", "Source",
    "BlackNA", "Comment", "Country", "EndDate", "EndTime", "GameURL", "Lichess", "Opening",
    "Section", "UTCDate", "UTCTime", "Variant", "WhiteNA",
    "BlackDWZ", "BlackECF", "BlackElo", "BlackUrl", "EventURL", "FinalFen", "GameType",
    "HashCode", "Language", "PlyCount", "SetupFen", "TimeZone", "UniqueId", "WhiteDWZ",
    "WhiteECF", "WhiteElo", "WhiteUrl",
    "Annotator", "BlackICCF", "BlackNRtg", "BlackTeam", "BlackType", "BlackUSCF", "Copyright",
    "EventDate", "EventRank", "EventType", "LichessId", "NullMoves", "ScidFlags", "StartDate",
    "StartTime", "StudyName", "TeamMatch", "Variation", "WhiteICCF", "WhiteNRtg", "WhiteTeam",
    "WhiteType", "WhiteUSCF",
    "BlackClock", "BlackTitle", "ChapterURL", "Collection", "GameNumber", "LichessURL",
    "SourceDate", "Tournament", "WhiteClock", "WhiteTitle",
    "BlackFideId", "BlackIsComp", "BlackRating", "ChapterMode", "ChapterName", "Competition",
    "EventRounds", "LastUpdated", "MatchNumber", "Orientation", "SourceTitle", "Stipulation",
    "SubmittedBy", "Termination", "TimeControl", "Transcriber", "WhiteFideId", "WhiteIsComp",
    "WhiteRating",
    "BlackCountry", "BlackEloType", "BroadcastURL", "EventCountry", "EventSponsor",
    "GameDuration", "SubVariation", "WhiteCountry", "WhiteEloType",
    "BlackAccuracy", "BroadcastName", "EventCategory", "SourceQuality", "SourceVersion",
    "WhiteAccuracy",
    "BlackBirthDate", "WhiteBirthDate",
    "BlackRatingDiff", "BlackRatingType", "CurrentPosition", "SourcePublisher",
    "WhiteRatingDiff", "WhiteRatingType",
    "BlackDisplayName", "BlackTeamCountry", "BlackTimeControl", "WhiteDisplayName",
    "WhiteTeamCountry", "WhiteTimeControl",
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
    fn other_names_are_not_known() {
        for name in ["", "X", "Eventt", "Whit", "White Elo", "Événement"] {
            assert_eq!(canonical(name.as_bytes()), None, "{name}");
        }
        assert_eq!(canonical(&[b'x'; 300]), None);
    }
}
