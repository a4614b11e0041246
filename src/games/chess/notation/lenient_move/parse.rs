//! What a word can mean as a move, before anyone looks at the board.

use std::iter::repeat;

use crate::games::chess::basics::{CastlingSide, File, Rank, Role, Square};

use crate::{
    games::notation::{
        self,
        letters::{self, ENGLISH, LANGUAGES, Language, Usage},
    },
    pgn::parser::is_numeric_move,
};

/// The longest spelling of one move in characters, with room for suffixes.
pub(super) const MOVE_CHARS_MAX: usize = 24;

/// A word without what stands around the move.
pub(super) struct BareWord {
    pub(super) core: Vec<char>,
    pub(super) mark: CheckSign,
    /// A colon after the move: a capture, in old books.
    pub(super) capture: bool,
    /// Whether the check sign stands before what a pawn becomes.
    pub(super) is_turned: bool,
}

/// A check sign as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckSign {
    None,
    Check,
    Mate,
}

/// One way to read a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordParse {
    Null,
    Castle(CastlingSide),
    /// A piece from the hand.
    Drop {
        role: Role,
        to: Square,
    },
    Go(CandidateMove),
}

/// A move from somewhere to somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CandidateMove {
    /// `None`: coordinates only, any piece.
    pub(super) role: Option<Role>,
    pub(super) from_file: Option<File>,
    pub(super) from_rank: Option<Rank>,
    pub(super) to_file: File,
    /// `None` in captures such as `ed`.
    pub(super) to_rank: Option<Rank>,
    pub(super) promotion: Option<Role>,
    pub(super) capture: bool,
}

impl CandidateMove {
    pub(super) fn to(self) -> Option<Square> {
        Some(Square::from_coords(self.to_file, self.to_rank?))
    }

    pub(super) fn from(self) -> Option<Square> {
        Some(Square::from_coords(self.from_file?, self.from_rank?))
    }
}

fn is_dash(c: char) -> bool {
    notation::is_dash(c) || matches!(c, '\u{AD}' | '~')
}

/// What may stand after a move, and which check sign it is; those that end in another
/// come before it.
const ENDS: [(&str, CheckSign); 5] = [
    ("e.p. e.p ep. ep", CheckSign::None),
    ("checkmate mate", CheckSign::Mate),
    ("dblch dbl.ch disch check ch. ch ++ + †", CheckSign::Check),
    ("‡ #", CheckSign::Mate),
    ("! ? ‼ ⁇ ⁈ ⁉ . , ;", CheckSign::None),
];

/// Removes blanks, suffixes, check signs and `e.p.` around a move.
pub(super) fn strip(word: &str) -> Option<BareWord> {
    let mut core: Vec<char> = Vec::with_capacity(word.len().min(MOVE_CHARS_MAX * 2));
    for c in word
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '\u{200B}' && *c != '\u{FEFF}')
    {
        if core.len() > MOVE_CHARS_MAX * 2 {
            return None;
        }
        // Figurines may carry a selector of how to show them.
        if !matches!(c, '\u{FE0E}' | '\u{FE0F}') {
            core.push(c);
        }
    }
    let (mut mark, mut capture) = (CheckSign::None, false);
    loop {
        let length = core.len();
        strip_nag(&mut core);
        for (end, sign) in ENDS
            .iter()
            .flat_map(|&(ends, sign)| ends.split(' ').zip(repeat(sign)))
        {
            // Never consume the entire word: `ep` alone is no move, nor is `#`.
            if core.len() > end.chars().count() && ends_with(&core, end) {
                core.truncate(core.len() - end.chars().count());
                if mark == CheckSign::None || sign == CheckSign::Mate {
                    mark = sign;
                }
                break;
            }
        }
        if core.len() > 2 && core.last() == Some(&':') {
            core.pop();
            capture = true;
        }
        if core.len() == length {
            break;
        }
    }
    let turned = sign_before_promotion(&mut core);
    (!core.is_empty() && core.len() <= MOVE_CHARS_MAX).then_some(BareWord {
        core,
        mark: turned.unwrap_or(mark),
        capture,
        is_turned: turned.is_some(),
    })
}

/// Takes the check sign out that stands between the last rank and what a pawn becomes:
/// `gxh1+=Q`, `e8#(D)`.
fn sign_before_promotion(core: &mut Vec<char>) -> Option<CheckSign> {
    let at = core.iter().rposition(|c| matches!(c, '+' | '#'))?;
    let is_on_last_rank = at > 1 && matches!(core[at - 1], '1' | '8');
    let mut letters = core[at + 1..].iter().filter(|c| !"=/()".contains(**c));
    let is_promotion =
        letters.next().is_some_and(|c| c.is_alphabetic()) && letters.next().is_none();
    if !is_on_last_rank || !is_promotion {
        return None;
    }
    let sign = [CheckSign::Check, CheckSign::Mate][usize::from(core.remove(at) == '#')];
    Some(sign)
}

fn ends_with(word: &[char], end: &str) -> bool {
    let mut at = word.len();
    end.chars().rev().all(|c| {
        at = at.wrapping_sub(1);
        word.get(at) == Some(&c)
    })
}

fn strip_nag(core: &mut Vec<char>) {
    if let Some(at) = core.iter().rposition(|&c| c == '$')
        && at > 0
        && core[at + 1..].iter().all(char::is_ascii_digit)
    {
        core.truncate(at);
    }
}

/// How many tiers of readings there are.
pub(super) const TIERS: usize = 11;

/// The tier of the letters of the given language.
pub(super) const OWN_TIER: usize = 1;

/// Those that know no language but the given one: entire words, its letters, pawn moves, bare
/// coordinates.
pub(super) const TIERS_OF_LANGUAGE: std::ops::Range<usize> = 0..4;

/// The readings of a word, tier by tier: a later tier is tried only when the
/// earlier ones have no legal move. May be empty.
pub(super) fn tier(
    number: usize,
    stripped: &BareWord,
    language: Option<&Language>,
) -> Vec<WordParse> {
    let (word, colon) = (&stripped.core[..], stripped.capture);
    match (number, whole_word(word, language)) {
        (0, WordKind::Is(reading)) => return vec![reading],
        (0, _) | (_, WordKind::Is(_) | WordKind::Nonsense) => return Vec::new(),
        (_, WordKind::Other) => {}
    }
    let others = |common| -> Vec<&Language> {
        LANGUAGES[1..]
            .iter()
            .filter(|language| {
                language.in_movetext() && (language.usage == Usage::Common) == common
            })
            .collect()
    };
    match number {
        OWN_TIER => language.map_or_else(Vec::new, |language| {
            let mut own = word.to_vec();
            language.put_right(&mut own);
            let mut found = in_languages(&own, colon, &[language]);
            if found.is_empty() {
                // What a pawn becomes may be in letters of another keyboard, too.
                let last = own.len() - 1;
                own[last] = language.look_alike(own[last]).unwrap_or(own[last]);
                found = go(&own, Some(Role::Pawn), &[language], colon);
                found.retain(|&reading| promotes(reading));
            }
            found
        }),
        // A pawn's move first: `bc4` may be one, and is a bishop's only if not. With both squares
        // named, the square determines the piece.
        2 => {
            let mut pawns = go(word, Some(Role::Pawn), &[ENGLISH], colon);
            pawns.retain(|reading| !matches!(reading, WordParse::Go(go) if go.from().is_some()));
            pawns
        }
        3 => match numeric(word) {
            Some(numeric) => vec![WordParse::Go(numeric)],
            None => go(word, None, &[ENGLISH], colon),
        },
        4 => in_languages(word, colon, &[ENGLISH]),
        5 => letters::figurine(word[0]).map_or_else(Vec::new, |role| {
            go(&word[1..], Some(role), &[ENGLISH], colon)
        }),
        6 => {
            let language = language.unwrap_or(ENGLISH);
            language
                .capital_of(word[0])
                .map_or_else(Vec::new, |capital| {
                    let mut upper = word.to_vec();
                    upper[0] = capital;
                    in_languages(&upper, colon, &[language])
                })
        }
        7 | 9
            if !ENGLISH
                .letters
                .iter()
                .any(|letter| letter.starts_with(word[0])) =>
        {
            in_languages(word, colon, &others(number == 7))
        }
        // `e8D`: only the promotion is in another language.
        8 | 10 => {
            let languages = others(number == 8);
            let mut found = go(word, Some(Role::Pawn), &languages, colon);
            found.extend(go(word, None, &languages, colon));
            found.retain(|&reading| promotes(reading));
            found
        }
        _ => Vec::new(),
    }
}

/// Whether a reading is of a piece by its letter, other than a pawn.
pub(super) const fn is_of_piece(reading: WordParse) -> bool {
    matches!(reading, WordParse::Go(go) if !matches!(go.role, None | Some(Role::Pawn)))
}

const fn promotes(reading: WordParse) -> bool {
    matches!(reading, WordParse::Go(go) if go.promotion.is_some())
}

/// What an entire word is.
enum WordKind {
    Is(WordParse),
    Nonsense,
    /// A piece and squares, perhaps.
    Other,
}

/// Recognises null moves, castling and drops.
fn whole_word(word: &[char], language: Option<&Language>) -> WordKind {
    if is_null(word) {
        WordKind::Is(WordParse::Null)
    } else if let Some(side) = castling(word) {
        WordKind::Is(WordParse::Castle(side))
    } else if let Some(at) = word.iter().position(|&c| c == '@') {
        drop(&word[..at], &word[at + 1..], language).map_or(WordKind::Nonsense, WordKind::Is)
    } else {
        WordKind::Other
    }
}

/// A drop by what stands before and after its sign. The piece is in the letters of the
/// language; if that has no such letter, in English or whatever else may occur.
fn drop(piece: &[char], square: &[char], language: Option<&Language>) -> Option<WordParse> {
    let [file, rank] = square else {
        return None;
    };
    let (F(file), R(rank)) = (coordinate(*file)?, coordinate(*rank)?) else {
        return None;
    };
    let in_language = |language: &Language| {
        let (role, length) = language.piece_at_start(piece)?;
        (length == piece.len()).then_some(role)
    };
    let others = |usage| {
        LANGUAGES
            .iter()
            .filter(move |language| language.usage == usage)
    };
    let role = match piece {
        [] => Some(Role::Pawn),
        [sign] if letters::figurine(*sign).is_some() => letters::figurine(*sign),
        _ => language
            .into_iter()
            .chain([ENGLISH])
            .chain(others(Usage::Common))
            .chain(others(Usage::Rare))
            .find_map(in_language),
    }?;
    Some(WordParse::Drop {
        role,
        to: Square::from_coords(file, rank),
    })
}

/// A move in numbers alone, as it is sent by post: files and ranks from 1, and what a pawn
/// becomes.
pub(super) fn numeric(word: &[char]) -> Option<CandidateMove> {
    let text: String = word.iter().collect();
    if !is_numeric_move(text.as_bytes()) {
        return None;
    }
    let number = |at: usize| word.get(at).and_then(|c| c.to_digit(10));
    let file = |at: usize| number(at).map(|number| File::new(number - 1));
    let rank = |at: usize| number(at).map(|number| Rank::new(number - 1));
    Some(CandidateMove {
        role: None,
        from_file: file(0),
        from_rank: rank(1),
        to_file: file(2)?,
        to_rank: rank(3),
        promotion: number(4).and_then(|number| {
            let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
            roles.get(number as usize - 1).copied()
        }),
        capture: false,
    })
}

fn is_null(word: &[char]) -> bool {
    let is = |text: &str| {
        word.len() == text.len()
            && word
                .iter()
                .zip(text.chars())
                .all(|(c, t)| c.to_ascii_lowercase() == t)
    };
    ["z0", "null", "pass", "@@@@", "0000"].into_iter().any(is)
        || (matches!(word.len(), 2 | 3) && word.iter().all(|&c| is_dash(c)))
}

fn castling(word: &[char]) -> Option<CastlingSide> {
    let is_o = |c: char| matches!(c, 'O' | '0' | 'o' | 'О' | 'о' | 'Ο' | 'ο' | 'Ｏ' | '０');
    if !is_o(*word.first()?) || !is_o(*word.last()?) || word.len() > 5 {
        return None;
    }
    // Dashes stand single, between two O's.
    let dashes_single = word.windows(2).all(|pair| is_o(pair[0]) || is_o(pair[1]));
    if !dashes_single || !word.iter().all(|&c| is_o(c) || is_dash(c)) {
        return None;
    }
    match word.iter().filter(|&&c| is_o(c)).count() {
        2 => Some(CastlingSide::KingSide),
        3 => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// Readings with a piece letter of one of these languages.
fn in_languages(word: &[char], capture: bool, languages: &[&Language]) -> Vec<WordParse> {
    let mut found = Vec::new();
    for language in languages {
        if let Some((role, length)) = language.piece_at_start(word) {
            for reading in go(&word[length..], Some(role), languages, capture) {
                if !found.contains(&reading) {
                    found.push(reading);
                }
            }
        }
    }
    found
}

enum Coordinate {
    File(File),
    Rank(Rank),
}
use Coordinate::{File as F, Rank as R};

fn coordinate(c: char) -> Option<Coordinate> {
    let file = match c {
        'a'..='h' => c as u32 - 'a' as u32,
        'A'..='H' => c as u32 - 'A' as u32,
        '1'..='8' => return Some(Coordinate::Rank(Rank::new(c as u32 - '1' as u32))),
        // Greek files; Cyrillic letters that look like Latin ones.
        'α'..='ε' => c as u32 - 'α' as u32,
        'ζ' => 5,
        'η' => 6,
        'θ' => 7,
        'а' => 0,
        'с' => 2,
        'е' => 4,
        _ => return None,
    };
    Some(Coordinate::File(File::new(file)))
}

/// Reads what stands after the piece letter. Several languages may each read
/// the promotion piece, hence a list.
fn go(word: &[char], role: Option<Role>, languages: &[&Language], colon: bool) -> Vec<WordParse> {
    let pawnlike = role.is_none_or(|role| role == Role::Pawn);
    let promotions = if pawnlike {
        split_promotion(word, languages)
    } else {
        Vec::new()
    };
    let mut found = Vec::new();
    for (body, promotion) in promotions.into_iter().chain([(word, None)]) {
        if let Some(go) = squares(body, role, promotion, colon)
            && !found.contains(&WordParse::Go(go))
        {
            found.push(WordParse::Go(go));
        }
    }
    found
}

/// Takes `=Q`, `(Q)`, `/Q`, `Q`, `=q`, `q` and a lone `=` off the end.
fn split_promotion<'w>(
    word: &'w [char],
    languages: &[&Language],
) -> Vec<(&'w [char], Option<Role>)> {
    let mut body = word;
    if let [rest @ .., '='] = body {
        return vec![(rest, None)];
    }
    let closed = matches!(body, [.., ')']);
    if closed {
        body = &body[..body.len() - 1];
    }
    let Some((&letter, rest)) = body.split_last() else {
        return Vec::new();
    };
    let mut roles: Vec<Role> = Vec::new();
    let upper = if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter
    };
    // An English letter is English here too: `e8=P` is no Dutch knight, unless the
    // text is known to be Dutch.
    let english = languages.len() > 1
        && languages.iter().all(|language| language.code != "en")
        && ENGLISH.piece_at_start(&[upper]).is_some();
    for language in languages.iter().filter(|_| !english) {
        let role = language.piece_at_start(&[upper]).map(|(role, _)| role);
        if let Some(role) = role.or_else(|| letters::figurine(letter))
            && !roles.contains(&role)
        {
            roles.push(role);
        }
    }
    let rest = if closed {
        let Some(rest) = rest.strip_suffix(&['(']) else {
            return Vec::new();
        };
        rest
    } else if let [rest @ .., '=' | '/' | '\\' | ':'] = rest {
        rest
    } else {
        rest
    };
    roles.into_iter().map(|role| (rest, Some(role))).collect()
}

fn squares(
    body: &[char],
    role: Option<Role>,
    promotion: Option<Role>,
    colon: bool,
) -> Option<CandidateMove> {
    let mut coordinates: Vec<Coordinate> = Vec::with_capacity(4);
    let (mut separators, mut capture) = (0, colon);
    let (mut upper, mut lower) = (false, false);
    for (at, &c) in body.iter().enumerate() {
        if let Some(coordinate) = coordinate(c) {
            upper |= c.is_ascii_uppercase();
            lower |= c.is_lowercase() && c != 'x';
            coordinates.push(coordinate);
            continue;
        }
        let takes = matches!(c, 'x' | 'X' | ':' | '×' | 'х' | 'Х' | 'χ' | 'Χ');
        separators += 1;
        // One separator, and a pawn's move does not begin with it.
        let place = at + 1 < body.len() && (at > 0 || role.is_some_and(|role| role != Role::Pawn));
        if !(takes || is_dash(c)) || separators > 1 || !place {
            return None;
        }
        capture |= takes;
    }
    // `E4` and `G1F3` are upper-case writing; `Bxc3` is not the b-file.
    if upper && lower {
        return None;
    }
    let go = |from_file, from_rank, to_file, to_rank| {
        Some(CandidateMove {
            role,
            from_file,
            from_rank,
            to_file,
            to_rank,
            promotion,
            capture,
        })
    };
    match coordinates[..] {
        [F(file), R(rank)] if role.is_some() => go(None, None, file, Some(rank)),
        [F(from), F(file), R(rank)] if role.is_some() => go(Some(from), None, file, Some(rank)),
        [R(from), F(file), R(rank)] if role.is_some() => go(None, Some(from), file, Some(rank)),
        [F(from), R(from_rank), F(file), R(rank)] => {
            go(Some(from), Some(from_rank), file, Some(rank))
        }
        // `ed`, `exd`: neighbouring files, or it is an ordinary word.
        [F(from), F(file)] if role == Some(Role::Pawn) && from.distance(file) == 1 => {
            go(Some(from), None, file, None)
        }
        _ => None,
    }
}
