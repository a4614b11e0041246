//! Boards drawn in text, rank by rank: as python-chess, GNU Chess, Stockfish and others print
//! them, with letters or figures, with or without frames, numbers of ranks and letters of
//! files. The rules are numbered as in `docs/reading-epd.md`.

use std::ops::Range;

use super::StreamHints;
use crate::games::{
    AsciiBoard, AsciiPosition,
    guess::GameVariant,
    variant::{ALL, Variant},
};

/// A board of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextBoard {
    /// From its first rank or frame to its last one.
    pub(super) place: Range<usize>,
    /// Its ranks as a FEN has them, and the fields that a line above it says.
    pub(super) position: String,
    /// What it can be besides chess and what is drawn as chess is, the likeliest first; the
    /// position is that of the first one.
    readings: Vec<(&'static Variant, AsciiPosition)>,
}

impl TextBoard {
    /// The position and the game for which the board is taken: the one that the source is of,
    /// or else the likeliest, with all that are as likely.
    pub(super) fn taken(&self, hints: &StreamHints) -> (&str, Option<GameVariant>) {
        let is_hinted = |(row, _): &&(&Variant, AsciiPosition)| hints.variant == Some(*row);
        let Some(first) = self.readings.first() else {
            return (&self.position, None);
        };
        let taken = self.readings.iter().find(is_hinted).unwrap_or(first);
        let is_tie = |(row, read): &&(&'static Variant, AsciiPosition)| {
            *row != taken.0 && read.fit == first.1.fit && row.guess.tier < 2
        };
        let ties = self.readings.iter().filter(is_tie).map(|(row, _)| *row);
        let ties: Vec<&Variant> = ties.collect();
        let inferred = GameVariant {
            variant: taken.0,
            weak: !ties.is_empty(),
            ties,
            is_turned: false,
        };
        (&taken.1.fen, Some(inferred))
    }
}

/// What a line is to a board.
#[derive(Debug, Clone, PartialEq, Eq)]
enum BoardLine {
    /// Squares, what stands between them, and the numbers to their left and right.
    Rank(Vec<char>, SquareSeparator, [Option<u32>; 2]),
    /// The letters of the files; whether from the last to the first.
    Files(bool),
    /// A frame, or a line between two ranks.
    Rule,
    /// Nothing.
    Empty,
    /// None of these.
    Other,
}

/// What stands between the squares of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SquareSeparator {
    Bars,
    Blanks,
    Nothing,
}

/// Bytes of the longest line that can be one of a board.
const LINE_BYTES_MAX: usize = 200;

/// An empty square.
const EMPTY: char = '.';

/// A square with no sign at all.
const BLANK: char = ' ';

/// Signs between squares and around a board.
const BARS: [char; 5] = ['|', '│', '║', '┃', '¦'];

/// Squares of the narrowest and the widest rank.
const WIDTH: Range<usize> = 8..13;

/// The boards of a text, in order.
pub(super) fn all(text: &str) -> Vec<TextBoard> {
    let mut run = BoardRun::default();
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive(['\n', '\r']) {
        let place = at..at + line.trim_end().len();
        at += line.len();
        // The second half of CRLF is no line.
        if line != "\n" || !text[..place.start].ends_with('\r') {
            run.take(line, place, &mut found);
        }
    }
    run.end(&mut found);
    found
}

/// Whether a line can belong to a board, the one below a line of a board.
pub(super) fn is_of_board(line: &str) -> bool {
    matches!(
        read(line),
        BoardLine::Rank(..) | BoardLine::Files(_) | BoardLine::Rule
    )
}

/// A rank and where it stands.
type LocatedRank = (Range<usize>, Vec<char>, [Option<u32>; 2]);

/// Ranks that stand below each other.
#[derive(Debug, Default)]
struct BoardRun {
    ranks: Vec<LocatedRank>,
    /// What stands between their squares.
    between: Option<SquareSeparator>,
    /// Where the frame above the first of them begins.
    from: Option<usize>,
    /// Where the frames and letters end that stand after a rank: its number, counted from
    /// one, and the place.
    ends: Vec<(usize, usize)>,
    is_reversed: Option<bool>,
    /// Empty lines since the last rank.
    gaps: usize,
    /// What the line above all of them says: side to move, castling.
    fields: Option<String>,
}

impl BoardRun {
    fn take(&mut self, line: &str, place: Range<usize>, found: &mut Vec<TextBoard>) {
        let line_read = read(line);
        if line_read != BoardLine::Empty {
            self.gaps = 0;
        }
        match line_read {
            BoardLine::Rank(squares, between, numbers) => {
                let width = self.ranks.first().map(|(_, first, _)| first.len());
                let is_other = width.is_some_and(|width| width != squares.len());
                if is_other || self.between.is_some_and(|known| known != between) {
                    self.end(found);
                }
                self.between = Some(between);
                self.ranks.push((place, squares, numbers));
            }
            // A rank of a board without blanks may have dashes for all its squares.
            BoardLine::Rule if self.is_empty_rank(line.trim()) => {
                let squares = vec![EMPTY; line.trim().len()];
                self.ranks.push((place, squares, [None; 2]));
            }
            BoardLine::Rule if self.ranks.is_empty() => self.from = self.from.or(Some(place.start)),
            BoardLine::Rule => self.ends.push((self.ranks.len(), place.end)),
            BoardLine::Files(is_reversed) => {
                self.is_reversed = self.is_reversed.or(Some(is_reversed));
                if self.ranks.is_empty() {
                    self.from = self.from.or(Some(place.start));
                } else {
                    self.ends.push((self.ranks.len(), place.end));
                }
            }
            BoardLine::Empty if self.gaps == 0 => self.gaps = 1,
            BoardLine::Empty => self.end(found),
            BoardLine::Other => {
                self.end(found);
                self.fields = fields(line);
                self.from = self.fields.as_ref().map(|_| place.start);
            }
        }
    }

    /// Whether a line of dashes is a rank, below others that have no blanks.
    fn is_empty_rank(&self, line: &str) -> bool {
        let width = self.ranks.first().map(|(_, first, _)| first.len());
        self.between == Some(SquareSeparator::Nothing)
            && width == Some(line.len())
            && line.bytes().all(|byte| byte == b'-')
    }

    /// Hands over the boards that are complete.
    fn end(&mut self, found: &mut Vec<TextBoard>) {
        let run = std::mem::take(self);
        let Some(width) = run.ranks.first().map(|(_, first, _)| first.len()) else {
            return;
        };
        let sizes = ALL
            .iter()
            .map(|row| (usize::from(row.files), usize::from(row.ranks)));
        let mut heights = sizes.filter(|size| size.0 == width).map(|size| size.1);
        let Some(height) = heights.find(|height| run.ranks.len().is_multiple_of(*height)) else {
            return;
        };
        for (nth, ranks) in run.ranks.chunks(height).enumerate() {
            let drawing = AsciiBoard {
                ranks: ranks
                    .iter()
                    .map(|(_, squares, _)| squares.clone())
                    .collect(),
                numbers: ranks.iter().map(|&(.., numbers)| numbers).collect(),
                is_reversed: run.is_reversed,
            };
            let readings = drawing.readings();
            let read = readings.first().map(|(_, read)| read.fen.clone());
            let Some(mut position) = read.or_else(|| placement(&drawing)) else {
                continue;
            };
            if let (0, Some(fields)) = (nth, &run.fields) {
                position.push_str(fields);
            }
            let last = (nth + 1) * height;
            let below = run.ends.iter().filter(|(rank, _)| *rank == last);
            let end = below.map(|&(_, end)| end).next_back();
            let from = run.from.filter(|_| nth == 0).unwrap_or(ranks[0].0.start);
            found.push(TextBoard {
                place: from..end.unwrap_or(ranks[height - 1].0.end),
                position,
                readings,
            });
        }
    }
}

/// Whether a square is empty or has a piece of chess.
fn is_of_chess(square: char) -> bool {
    square == EMPTY || "PNBRQKpnbrqk".contains(square)
}

/// The ranks of a FEN of chess or a game like it; `None` of what is no board: without kings and
/// empty squares, or with numbers that do not go up or down.
fn placement(drawing: &AsciiBoard) -> Option<String> {
    let ranks = drawing.ranks.iter();
    let ranks = ranks.map(|rank| rank.iter().map(|&sign| piece(sign)).collect());
    let mut rows: Vec<Vec<char>> = ranks.collect::<Option<_>>()?;
    let squares = || rows.iter().flatten();
    let count = |piece: char| squares().filter(|square| **square == piece).count();
    let kings = [count('K'), count('k')];
    let is_chess = rows.len() == 8 && rows[0].len() == 8;
    let has_pieces = if is_chess {
        kings.iter().all(|&kings| kings < 2)
            && kings != [0, 0]
            && squares().copied().all(is_of_chess)
    } else {
        kings == [1, 1]
    };
    let is_drawn = squares().any(|&square| square == EMPTY);
    if !has_pieces || !is_drawn {
        return None;
    }
    let numbers = drawing.numbers.iter().filter_map(|&numbers| match numbers {
        [Some(left), Some(right)] if left != right => Some(None),
        [left, right] => left.or(right).map(Some),
    });
    let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
    let steps = |step: i64| {
        let mut pairs = numbers.windows(2);
        pairs.all(|pair| i64::from(pair[1]) - i64::from(pair[0]) == step)
    };
    let from_below = match numbers.len() {
        // A side that sees the last file on the left sees the first rank on top.
        0 => drawing.is_reversed == Some(true),
        len if len == rows.len() && steps(-1) => false,
        len if len == rows.len() && steps(1) => true,
        _ => return None,
    };
    if from_below {
        rows.reverse();
    }
    let is_reversed = drawing.is_reversed.unwrap_or(from_below);
    let written = rows.iter().map(|squares| {
        if is_reversed {
            rank(squares.iter().rev())
        } else {
            rank(squares.iter())
        }
    });
    Some(written.collect::<Vec<_>>().join("/"))
}

/// A rank as a FEN has it.
fn rank<'s>(squares: impl Iterator<Item = &'s char>) -> String {
    let mut out = String::new();
    let mut empty = 0;
    for &square in squares.chain([&'\0']) {
        if square == EMPTY {
            empty += 1;
            continue;
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
            empty = 0;
        }
        out.extend(Some(square).filter(|&square| square != '\0'));
    }
    out
}

/// What a line is.
fn read(line: &str) -> BoardLine {
    let line = line.trim();
    if line.is_empty() {
        return BoardLine::Empty;
    }
    if line.len() > LINE_BYTES_MAX {
        return BoardLine::Other;
    }
    let is_rule = |c: char| "+-=_ \t".contains(c) || ('─'..='╿').contains(&c) || BARS.contains(&c);
    let is_line = |c: char| matches!(c, '-' | '=' | '_' | '─' | '═' | '━');
    if line.chars().all(is_rule) && line.chars().filter(|&c| is_line(c)).count() >= WIDTH.start
        // Dashes apart from each other are empty squares.
        && !line.split_whitespace().all(|word| word.chars().count() == 1)
    {
        return BoardLine::Rule;
    }
    let (rest, before) = number_at(line, false);
    let (rest, behind) = number_at(rest, true);
    if let (None, None, Some(is_reversed)) = (before, behind, files(rest)) {
        return BoardLine::Files(is_reversed);
    }
    match squares(rest) {
        Some((squares, between)) if WIDTH.contains(&squares.len()) => {
            BoardLine::Rank(squares, between, [before, behind])
        }
        _ => BoardLine::Other,
    }
}

/// A line without the number of its rank before or after it.
fn number_at(line: &str, is_behind: bool) -> (&str, Option<u32>) {
    let is_digit = |c: char| c.is_ascii_digit();
    let rest = if is_behind {
        line.trim_end_matches(is_digit)
    } else {
        line.trim_start_matches(is_digit)
    };
    let is_apart = |c: char| c.is_whitespace() || BARS.contains(&c);
    let is_number = if is_behind {
        rest.ends_with(is_apart)
    } else {
        rest.starts_with(is_apart)
    };
    let digits = if is_behind {
        &line[rest.len()..]
    } else {
        &line[..line.len() - rest.len()]
    };
    match digits
        .parse()
        .ok()
        .filter(|_| is_number && digits.len() < 3)
    {
        Some(number) => (rest.trim(), Some(number)),
        None => (line, None),
    }
}

/// Whether a line is the letters of files, and whether from the last to the first.
fn files(line: &str) -> Option<bool> {
    let letters: Vec<char> = line
        .chars()
        .filter(|c| !c.is_whitespace() && !BARS.contains(c) && !matches!(c, '+' | '-'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let from_first = || ('a'..).zip(&letters).all(|(file, letter)| file == *letter);
    let from_last = || {
        ('a'..)
            .zip(letters.iter().rev())
            .all(|(file, letter)| file == *letter)
    };
    if !WIDTH.contains(&letters.len()) {
        None
    } else if from_first() {
        Some(false)
    } else {
        from_last().then_some(true)
    }
}

/// The squares of a line: between bars, between blanks, or side by side.
fn squares(line: &str) -> Option<(Vec<char>, SquareSeparator)> {
    let framed = line.strip_prefix(BARS);
    let inner = framed.map_or(line, |line| line.strip_suffix(BARS).unwrap_or(line));
    let is_plain = |c: &char| !matches!(c, '\u{fe0e}' | '\u{fe0f}');
    if inner.contains(BARS) {
        let cell = |cell: &str| {
            let mut signs = cell.trim().chars().filter(is_plain);
            match (signs.next(), signs.next()) {
                (None, _) => Some(BLANK),
                (Some(sign), None) => Some(sign).filter(|&sign| is_sign(sign)),
                _ => None,
            }
        };
        let squares: Option<Vec<char>> = inner.split(BARS).map(cell).collect();
        return Some((squares?, SquareSeparator::Bars));
    }
    let signs: Vec<char> = inner.chars().filter(is_plain).collect();
    if framed.is_some()
        && let Some(squares) = columns(&signs)
    {
        return Some((squares, SquareSeparator::Blanks));
    }
    let mut words = inner.split_whitespace();
    let between = if words.all(|word| word.chars().filter(is_plain).count() == 1) {
        SquareSeparator::Blanks
    } else if inner.trim().contains(char::is_whitespace) {
        return None;
    } else {
        SquareSeparator::Nothing
    };
    let squares = signs.into_iter().filter(|sign| !sign.is_whitespace());
    let squares: Vec<char> = squares.collect();
    if !squares.iter().copied().all(is_sign) {
        return None;
    }
    // A word of eight letters is no rank, but one of two or three of them can be.
    let is_of_chess = |&sign: &char| piece(sign).is_some_and(is_of_chess);
    let is_of_pieces = |sign: &char| !sign.is_alphabetic() || "wWbBzZoOxXrR".contains(*sign);
    let is_rank = squares.iter().all(is_of_chess) || squares.iter().all(is_of_pieces);
    let is_word = between == SquareSeparator::Nothing && !is_rank;
    (!is_word || squares.len() > WIDTH.start).then_some((squares, between))
}

/// The squares of a rank in a frame, every second sign of it, where some of them are left blank.
fn columns(signs: &[char]) -> Option<Vec<char>> {
    let (between, squares): (Vec<_>, Vec<_>) =
        signs.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    let is_blank = |(_, sign): &(usize, &char)| **sign == BLANK;
    let is_rank = signs.len() % 2 == 1
        && between.iter().all(is_blank)
        && squares.iter().any(is_blank)
        && squares
            .iter()
            .all(|(_, sign)| **sign == BLANK || is_sign(**sign));
    is_rank.then(|| squares.into_iter().map(|(_, &sign)| sign).collect())
}

/// Whether a sign can be what stands on a square.
fn is_sign(sign: char) -> bool {
    let is_disc = "○◯⚪●⚫⛀⛁⛂⛃@".contains(sign);
    is_disc || piece(sign).is_some() && sign != BLANK
}

/// The piece of chess, or of a game that is drawn alike, or the empty square that a sign stands
/// for. `None`: nothing.
fn piece(sign: char) -> Option<char> {
    const FIGURES: &str = "KQRBNPkqrbnp";
    match sign {
        '♔'..='♟' => FIGURES.chars().nth(sign as usize - '♔' as usize),
        '*' => Some(EMPTY),
        sign if AsciiBoard::is_empty(sign) => Some(EMPTY),
        sign => Some(sign).filter(char::is_ascii_alphabetic),
    }
}

/// The fields that a line above a board says, as GNU Chess prints it: `white  KQkq`.
pub(super) fn fields(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let side = match words.next()? {
        "white" => "w",
        "black" => "b",
        _ => return None,
    };
    let castling = words.next().unwrap_or("-");
    let is_castling = castling == "-" || castling.chars().all(|c| "KQkq".contains(c));
    (is_castling && words.next().is_none()).then(|| format!(" {side} {castling} -"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "r4k2/8/8/3N4/8/8/1P6/4K3";

    fn found(text: &str) -> Vec<String> {
        all(text).into_iter().map(|board| board.position).collect()
    }

    /// The board of the tests with given signs: between squares, for an empty one, before and after
    /// a rank, between ranks.
    fn drawn(between: &str, empty: &str, [before, behind]: [&str; 2], rule: &str) -> String {
        let ranks = BOARD.split('/').enumerate().map(|(nth, rank)| {
            let squares: Vec<String> = rank
                .chars()
                .flat_map(|c| match c.to_digit(10) {
                    Some(count) => vec![empty.to_owned(); count as usize],
                    None => vec![c.to_string()],
                })
                .collect();
            let number = (8 - nth).to_string();
            let [before, behind] = [before, behind].map(|text| text.replace('#', &number));
            format!("{before}{}{behind}\n{rule}", squares.join(between))
        });
        format!("{rule}{}", ranks.collect::<String>())
    }

    #[test]
    fn boards_are_read_as_programs_draw_them() {
        let bars = "  +---+---+---+---+---+---+---+---+\n";
        let figures = |text: &str| {
            let letters = "KQRBNPkqrbnp".chars().zip('♔'..='♟');
            letters.fold(text.to_owned(), |text, (letter, figure)| {
                text.replace(letter, &figure.to_string())
            })
        };
        for text in [
            drawn(" ", ".", ["", ""], ""),
            drawn("", ".", ["", ""], ""),
            drawn("", "-", ["", ""], ""),
            drawn(" ", "-", ["", ""], ""),
            drawn(" ", ".", ["# ", ""], ""),
            drawn(" ", ".", ["#  ", "  #"], ""),
            drawn(" ", ".", ["  ", "  "], "\n"),
            drawn(" | ", " ", ["  | ", " | #"], bars),
            drawn("|", " ", ["# |", "|"], " -----------------\n"),
            drawn(
                " │ ",
                " ",
                ["│ ", " │"],
                "├───┼───┼───┼───┼───┼───┼───┼───┤\n",
            ),
            figures(&drawn(" ", "⭘", ["", ""], "")),
            figures(&drawn("", "·", ["# ", ""], "")),
            drawn(" ", ".", ["", ""], "") + "a b c d e f g h\n",
            drawn(" ", ".", ["# ", ""], "") + "\n  A B C D E F G H\n",
        ] {
            assert_eq!(found(&text), [BOARD], "{text}");
            let text = format!("Some words.\n\n{text}\nAnd others.\n").replace('\n', "\r\n");
            assert_eq!(found(&text), [BOARD], "{text}");
            let place = all(&text)[0].place.clone();
            let drawn = &text[place];
            assert!(
                !drawn.contains("words") && !drawn.contains("others"),
                "{drawn}"
            );
        }
    }

    #[test]
    fn boards_are_seen_from_either_side() {
        let drawn = drawn(" ", ".", ["", ""], "");
        let turned: String = drawn.trim_end().chars().rev().collect();
        let numbers = ('1'..='8').zip(turned.lines());
        let numbered = numbers.map(|(number, line)| [&number.to_string(), " ", line].concat());
        let numbered = numbered.collect::<Vec<_>>().join("\n");
        let with_files = format!("{turned}\nh g f e d c b a\n");
        assert_eq!(found(&numbered), [BOARD]);
        assert_eq!(found(&with_files), [BOARD]);
        assert_eq!(found(&format!("{drawn}{drawn}")), [BOARD, BOARD]);
        assert_eq!(
            found(&format!("Position\nwhite  KQkq\n\n{drawn}")),
            [format!("{BOARD} w KQkq -")]
        );
    }

    #[test]
    fn other_boards_have_their_sizes() {
        let pieces = "r n a b q k b c n r\n";
        let pawns = "p p p p p p p p p p\n";
        let empty = ". . . . . . . . . .\n".repeat(4);
        let white = [pawns, pieces].map(str::to_uppercase).concat();
        let text = [pieces, pawns, &empty, &white].concat();
        assert_eq!(
            found(&text),
            ["rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR"]
        );
    }

    #[test]
    fn other_lines_are_no_boards() {
        let seven: String = ". . . . . . . .\n".repeat(7);
        for text in [
            format!("{seven}. . . . . . . ."),
            format!("{seven}k . . K . . . ."),
            format!("{seven}k . . K . . x ."),
            format!("k . . K . . . .\n{seven}. . . . . . . ."),
            "| a | b | c | d | e | f | g | h |\n".repeat(8),
            "--------\n".repeat(8),
            "position\n".repeat(8),
        ] {
            let wanted = usize::from(text.ends_with("k . . K . . . ."));
            assert_eq!(found(&text).len(), wanted, "{text}");
        }
    }
}
