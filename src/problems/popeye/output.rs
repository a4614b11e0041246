//! Popeye's answers: a board between two borders, the stipulation and the number of pieces below
//! it, conditions, and the solution (`output/plaintext` in Popeye's source).

use std::ops::Range;

use super::{
    super::{Composition, ParsedProblem, ProblemDiagram, ProblemPiece, ProblemSide},
    INPUT_LANGUAGES, InputLanguage,
};
use crate::{
    base::diagnostic::Code,
    games::{chess::basics::Square, notation::letters::Language},
};

/// Above and below a board.
const BORDER: &str = "+---a---b---c---d---e---f---g---h---+";

/// Lines between two borders of a board.
const BOARD_LINES: usize = 17;

/// What the last line of an answer has in it, in the languages of the program.
const ENDS: [(&str, usize); 3] = [
    ("olution finished", 0),
    ("sung beendet", 1),
    ("olution termin", 2),
];

/// What the program was to do, which stands among the conditions.
const OPTIONS: &[&str] = &[
    "duplex",
    "halfduplex",
    "setplay",
    "try",
    "variation",
    "whitetoplay",
    "quodlibet",
    "nontrivial",
    "postkeyplay",
    "nothreat",
];

/// How much of a text is such answers, of 100: all of it, if it has boards of theirs.
#[must_use]
pub fn explains(text: &str) -> u32 {
    let lines: Vec<&str> = text.lines().collect();
    match boards(&lines)[..] {
        [] => 0,
        _ => 96,
    }
}

/// Whether a line ends an answer.
#[must_use]
pub fn ends_answer(line: &str) -> bool {
    ENDS.iter().any(|(end, _)| line.contains(end))
}

/// The problems of a text, each with its place there in bytes: from what stands right above
/// its board to where the next one begins.
#[must_use]
pub fn read(text: &str) -> Vec<ParsedProblem> {
    let mut at = 0;
    let mut places = Vec::new();
    let lines: Vec<&str> = text
        .split_inclusive('\n')
        .map(|line| {
            places.push(at);
            at += line.len();
            line.trim_end()
        })
        .collect();
    let language = ENDS.iter().find(|(end, _)| text.contains(end));
    let language = &INPUT_LANGUAGES[language.map_or(0, |&(_, language)| language)];
    let boards = boards(&lines);
    let heads: Vec<usize> = boards.iter().map(|&board| head(&lines, board)).collect();
    let mut found: Vec<(Range<usize>, Composition)> = Vec::new();
    for (nth, &board) in boards.iter().enumerate() {
        let next = heads.get(nth + 1).copied().unwrap_or(lines.len());
        let end = places.get(next).copied().unwrap_or(text.len());
        let problem = answer(&lines[heads[nth]..next], board - heads[nth], language);
        match found.last_mut() {
            // The second diagram of play that leads from one to another.
            Some((place, before))
                if before.stipulation.contains("=>") && problem.stipulation.is_empty() =>
            {
                before.target = Some(problem.diagram);
                before.solution = problem.solution;
                place.end = end;
            }
            _ => found.push((places[heads[nth]]..end, problem)),
        }
    }
    let whole = |(place, problem)| (place, Ok(problem));
    found.into_iter().map(whole).collect()
}

/// The lines at which boards with pieces begin: a grid has numbers on its squares.
fn boards(lines: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let end = at + BOARD_LINES + 1;
        let is_board =
            lines[at].trim() == BORDER && lines.get(end).is_some_and(|line| line.trim() == BORDER);
        if !is_board {
            at += 1;
            continue;
        }
        let mut squares = ranks(&lines[at..end]).flat_map(|(_, rank)| rank.split_whitespace());
        if squares.any(|square| !square.starts_with(|c: char| c.is_ascii_digit())) {
            found.push(at);
        }
        at = end + 1;
    }
    found
}

/// The lines of a board that are ranks: the digit, and what stands between the two of it.
fn ranks<'l>(lines: &'l [&str]) -> impl Iterator<Item = (u32, &'l str)> {
    lines.iter().filter_map(|line| {
        let line = line.trim();
        let digit = line.chars().next()?.to_digit(10)?;
        let inner = &line[1..];
        Some((digit, inner.strip_suffix(&line[..1]).unwrap_or(inner)))
    })
}

/// The line where the text above a board begins: right above it or after a blank line.
fn head(lines: &[&str], board: usize) -> usize {
    let is_blank = |line: &&str| line.trim().is_empty();
    let is_other = |line: &&str| {
        let is_count = line.contains(':') && line.ends_with(|c: char| c.is_ascii_digit());
        let is_work = ends_answer(line) || is_banner(line) || line.starts_with(">>>");
        is_blank(line) || is_work || is_count
    };
    let blanks = lines[..board]
        .iter()
        .rev()
        .take_while(|line| is_blank(line));
    let below = board - blanks.count();
    let head = lines[..below].iter().rev();
    below - head.take_while(|line| !is_other(line)).count()
}

/// Whether a line is the name of the program: `Popeye Linux-4.87-64Bit v4.87 (512 MB)`.
fn is_banner(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_version = |word: &str| {
        let number = word.strip_prefix('v');
        number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    };
    words.next() == Some("Popeye") && words.any(is_version)
}

/// The problem of the lines of an answer, whose board begins at one of them.
fn answer(lines: &[&str], board: usize, language: &InputLanguage) -> Composition {
    let below = board + BOARD_LINES + 2;
    let title: Vec<&str> = lines[..board].iter().map(|line| line.trim()).collect();
    let mut problem = Composition {
        title: title.join(" ").trim().to_owned(),
        language: Language::by_code(language.letters())
            .unwrap_or(crate::games::notation::letters::ENGLISH),
        ..Composition::default()
    };
    put_pieces(&mut problem, &lines[board..below], language);
    let mut rest = lines[below..]
        .iter()
        .skip_while(|line| line.trim().is_empty());
    let mut is_first = true;
    for line in rest.by_ref().map(|line| line.trim()) {
        if line.is_empty() {
            break;
        }
        match line.find("  ").filter(|_| is_first) {
            Some(end) => {
                line[..end].clone_into(&mut problem.stipulation);
                count(&mut problem, line[end..].trim());
            }
            None if is_first && line.contains(" + ") => count(&mut problem, line),
            None => condition(&mut problem, line, language),
        }
        is_first = false;
    }
    let solution: Vec<&str> = rest.copied().filter(|line| is_of_solution(line)).collect();
    solution
        .join("\n")
        .trim_matches('\n')
        .clone_into(&mut problem.solution);
    for line in &solution {
        let twin = line.trim().trim_start_matches('+').split_once(')');
        if let Some((name, change)) = twin.filter(|(name, _)| is_twin(name))
            && !change.trim().is_empty()
        {
            problem
                .twins
                .push((name.to_owned(), change.trim().to_owned()));
        }
    }
    problem
}

/// Whether a word before a bracket names a twin.
fn is_twin(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    name.len() == digits.len() + 1 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a line is about how a problem is solved, and not about the work of the program.
fn is_of_solution(line: &str) -> bool {
    let counted = line.split_once(':').is_some_and(|(name, number)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ');
        let number = number.trim();
        !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && name.chars().all(is_name)
    });
    !counted && !ends_answer(line)
}

fn put_pieces(problem: &mut Composition, lines: &[&str], language: &InputLanguage) {
    let mut diagram = ProblemDiagram::default();
    let mut ranks_read = 0;
    for (digit, rank) in ranks(lines) {
        let squares: Vec<&str> = rank.split_whitespace().collect();
        if squares.len() != 8 || !(1..=8).contains(&digit) {
            break;
        }
        ranks_read += 1;
        for (file, sign) in (0..).zip(squares).filter(|&(_, sign)| sign != ".") {
            let (side, name) = match sign.split_at_checked(1) {
                Some(("-", name)) => (ProblemSide::Black, name),
                Some(("=", name)) => (ProblemSide::Neutral, name),
                _ => (ProblemSide::White, sign),
            };
            let piece = ProblemPiece {
                side,
                name: language.english(name),
                kinds: Vec::new(),
            };
            diagram.put(Square::new((digit - 1) * 8 + file), Some(piece));
        }
    }
    if ranks_read == 8 {
        problem.diagram = diagram;
    } else {
        // A board with signs between its squares stays text.
        problem.unread_diagram = lines.join("\n");
        let finding = (Code::ProblemSyntax, "board with other squares".to_owned());
        problem.findings.push(finding);
    }
}

/// Compares the numbers of pieces, `3 + 11 + 1n`, with the board.
fn count(problem: &mut Composition, text: &str) {
    let mut told = [0; 3];
    for (nth, part) in text.split('+').map(str::trim).enumerate().take(4) {
        // Pieces without anything known are on no square.
        if let Some(number) = part.strip_suffix("TI") {
            let extra = ("totalinvisible".to_owned(), number.trim().to_owned());
            problem.extra.push(extra);
        } else if let Some(told) = told.get_mut(nth) {
            *told = part.trim_end_matches('n').trim().parse().unwrap_or(0);
        }
    }
    if problem.unread_diagram.is_empty() && told != problem.diagram.count() {
        let finding = (Code::CountMismatch, text.to_owned());
        problem.findings.push(finding);
    }
}

/// A line below the stipulation: a condition, an option, or what some pieces are besides.
fn condition(problem: &mut Composition, line: &str, language: &InputLanguage) {
    let mut words = line.split_whitespace();
    let kind = words.next().and_then(|word| language.kind(word));
    let squares: Option<Vec<Square>> = words.map(|word| word.parse().ok()).collect();
    if let (Some(kind), Some(squares)) = (kind, squares)
        && !squares.is_empty()
        && squares
            .iter()
            .all(|&square| problem.diagram.at(square).is_some())
    {
        for square in squares {
            let mut piece = problem.diagram.at(square).cloned();
            if let Some(piece) = &mut piece {
                piece.kinds.push(kind.to_owned());
            }
            problem.diagram.put(square, piece);
        }
        return;
    }
    let lower = line.to_lowercase();
    let is_option = |option: &&&str| lower.split_whitespace().next() == Some(option);
    match OPTIONS.iter().find(is_option) {
        Some(_) => problem.options.push(line.to_owned()),
        None => problem.conditions.push(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer: a rank as it is given, the others empty.
    fn answer_with(rank: &str, asked: &str) -> String {
        let empty = |digit| format!("{digit}   .   .   .   .   .   .   .   .   {digit}\n");
        let between = "|                                   |\n";
        let ranks: Vec<String> = (1..=8)
            .rev()
            .map(|digit| match digit {
                5 => format!("5{rank}   5\n"),
                digit => empty(digit),
            })
            .collect();
        format!(
            "\n     A. Composer\n     Review 1999\n\n{BORDER}\n{between}{}{between}{BORDER}\n{asked}",
            ranks.join(between)
        )
    }

    #[test]
    fn boards_conditions_and_solutions_are_read() {
        let one = answer_with(
            "   K   .  -EH   .  =Q   .   .  -K",
            "  hs#2                  1 + 2 + 1n\n        Royal c5\n       Circe\n       SetPlay\n\n\
             a)\n\n  1.Ka5-a6 EHc5-c3   2.nQe5*c3 #\n\nb) c5-->d5\n\n  1.Ka5-b6 #\n\n\
             \u{20}          play_move:          43\nsolution finished. Time = 0.1 s\n\n\n",
        );
        let two = answer_with(
            "   K   .   .   .   .   .   .  -K",
            "  #1                          2 + 1\n\n   1.Ka5-a6 !\n",
        );
        let text = format!("Popeye v4.87\n{one}{two}");
        let found = read(&text);
        assert_eq!(found.len(), 2);
        let (place, Ok(problem)) = &found[0] else {
            panic!("{found:?}");
        };
        assert!(text[place.clone()].starts_with("     A. Composer"));
        assert!(text[place.clone()].trim_end().ends_with("0.1 s"));
        assert_eq!(problem.title, "A. Composer Review 1999");
        assert_eq!(problem.stipulation, "hs#2");
        assert_eq!(
            problem.diagram.text(),
            "white Ka5 black royal EHc5 black Kh5 neutral Qe5"
        );
        assert_eq!(problem.conditions, ["Circe"]);
        assert_eq!(problem.options, ["SetPlay"]);
        assert_eq!(problem.twins, [("b".to_owned(), "c5-->d5".to_owned())]);
        assert!(problem.solution.starts_with("a)\n\n  1.Ka5-a6"));
        assert!(problem.solution.ends_with("1.Ka5-b6 #"));
        assert_eq!(problem.findings, []);
        let problem = found[1].1.as_ref().expect("a problem");
        assert_eq!(problem.findings[0].0, Code::CountMismatch);
        assert_eq!(problem.solution.trim(), "1.Ka5-a6 !");
    }

    #[test]
    fn the_name_of_the_program_is_no_title() {
        let asked = "  #1                          2 + 1\n\n   1.Ka5-a6 !\n";
        let one = answer_with("   K   .   .   .   .   .   .  -K", asked);
        let board = &one[one.find(BORDER).expect("a board")..];
        let title = |above: &str| {
            let found = read(&format!("{above}{board}"));
            found[0].1.as_ref().expect("a problem").title.clone()
        };
        let banner = "Popeye Linux-4.87-64Bit v4.87 (512 MB)\n";
        assert_eq!(title(&format!("{banner}\n")), "");
        assert_eq!(title(banner), "");
        assert_eq!(title(&format!("{banner}\nA. Composer\n\n")), "A. Composer");
        assert_eq!(title(&format!("{banner}A. Composer\n")), "A. Composer");
        assert_eq!(title("Popeye the Sailor\n\n"), "Popeye the Sailor");
    }

    #[test]
    fn what_has_no_board_is_none() {
        for text in ["", BORDER, &format!("{BORDER}\n{BORDER}\n"), "8 . . 8\n"] {
            assert_eq!(read(text), [], "{text}");
            assert_eq!(explains(text), 0);
        }
    }
}
