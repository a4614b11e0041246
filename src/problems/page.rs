//! What stands above and below the diagram of a page: title, author, source, award, number,
//! stipulation, and sentences that are none of these.

use super::{Composition, lines::PROBLEM_BYTES_MAX};
use crate::{
    base::diagnostic::Code,
    games::notation::{
        letters::ENGLISH,
        piece_list,
        problem::{self, ProblemLine},
    },
};

/// Words for what a problem won, in small letters without the full stop after them.
const AWARDS: &[&str] = &[
    "prize",
    "prizes",
    "hm",
    "mention",
    "mentions",
    "commendation",
    "commended",
    "comm",
    "preis",
    "lob",
    "erwähnung",
    "prix",
    "recommandé",
    "premio",
    "menzione",
    "mención",
    "prêmio",
    "menção",
    "приз",
    "отзыв",
    "відзнака",
    "βραβείο",
    "έπαινος",
    "μνεία",
    "nagroda",
    "wyróżnienie",
    "wzmianka",
    "cena",
    "uznání",
    "zmienka",
    "uznanie",
    "díj",
    "dicséret",
    "pris",
    "prijs",
    "vermelding",
    "palkinto",
    "premiu",
    "mențiune",
    "награда",
    "похвала",
    "nagrada",
    "pohvala",
    "ödül",
];

/// Words beside these.
const AWARD_QUALIFIERS: &[&str] = &[
    "special",
    "hon",
    "honourable",
    "honorable",
    "honorary",
    "high",
    "highly",
    "shared",
    "equal",
    "spezial",
    "spezialpreis",
    "ehrende",
    "ehrenvolle",
    "geteilter",
    "geteiltes",
    "d'honneur",
    "honneur",
    "ex-aequo",
    "aequo",
    "ex",
    "spécial",
    "especial",
    "speciale",
    "onorevole",
    "honrosa",
    "honorífica",
    "de",
    "почётный",
    "почетный",
    "похвальный",
    "специальный",
    "εύφημη",
    "ειδικό",
    "ειδικός",
    "čestné",
    "čestná",
    "zaszczytna",
    "honorowe",
    "eervolle",
    "first",
    "second",
    "third",
    "erster",
    "zweiter",
    "dritter",
    "premier",
    "deuxième",
    "primer",
    "primo",
    "secondo",
    "πρώτο",
    "δεύτερο",
    "τρίτο",
    "первый",
    "второй",
    "третий",
];

/// What stands before the name of who composed a problem, in small letters.
const AUTHOR_LABELS: &[&str] = &[
    "by",
    "author",
    "composer",
    "composed by",
    "von",
    "autor",
    "verfasser",
    "auteur",
    "par",
    "autore",
    "автор",
    "συνθέτης",
    "του",
    "szerző",
    "författare",
    "auteurs",
    "authors",
    "autoren",
];

/// The same for the other parts of a page.
const TITLE_LABELS: &[&str] = &[
    "title",
    "titel",
    "titre",
    "título",
    "titolo",
    "название",
    "τίτλος",
];
const SOURCE_LABELS: &[&str] = &[
    "source",
    "quelle",
    "fuente",
    "fonte",
    "источник",
    "πηγή",
    "published",
    "published in",
    "origin",
];
const AWARD_LABELS: &[&str] = &[
    "award",
    "auszeichnung",
    "distinction",
    "отличие",
    "διάκριση",
];

/// Headings of solutions.
const SOLUTION_LABELS: &[&str] = &[
    "solution",
    "solutions",
    "lösung",
    "lösungen",
    "loesung",
    "solución",
    "soluzione",
    "solução",
    "решение",
    "рішення",
    "λύση",
    "oplossing",
    "rozwiązanie",
    "řešení",
    "riešenie",
    "megoldás",
    "lösning",
    "løsning",
    "ratkaisu",
    "soluție",
    "rešenje",
    "rješenje",
    "çözüm",
];

/// Small words within names.
const PARTICLES: &[&str] = &[
    "de", "da", "di", "do", "dos", "du", "del", "della", "der", "den", "des", "la", "le", "van",
    "von", "vom", "zu", "zur", "ten", "ter", "el", "al", "bin", "ibn", "y", "e", "et", "and",
    "und", "og", "och", "i", "и", "та", "και", "of", "the", "af", "av", "d", "l",
];

/// Words of the shortest sentence.
const SENTENCE_WORDS_MIN: usize = 3;

/// Bytes of the longest line that is part of a heading.
const HEADING_BYTES_MAX: usize = 160;

/// Lines of the longest heading.
const HEADING_LINES_MAX: usize = 8;

fn bare(word: &str) -> String {
    let signs = |c: char| !c.is_alphanumeric();
    word.trim_matches(signs).to_lowercase()
}

/// Whether a text is a sentence and no name: half of its words begin with a small letter.
pub(super) fn is_sentence(text: &str) -> bool {
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let words: Vec<&str> = text.split_whitespace().filter(is_word).collect();
    let is_small = |word: &&&str| {
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        bare.starts_with(char::is_lowercase) && !PARTICLES.contains(&&self::bare(word)[..])
    };
    let small = words.iter().filter(is_small).count();
    words.len() >= SENTENCE_WORDS_MIN && small * 2 >= words.len()
}

/// Whether a line is nothing but the heading of a solution.
pub(super) fn is_solution_label(line: &str) -> bool {
    SOLUTION_LABELS.contains(&&bare(line)[..])
}

/// A text cut into an award at its beginning or its end, and the rest: `1 HM`, `2nd Prize`,
/// `Lob`.
pub(super) fn cut_award(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_award = |word: &str| AWARDS.contains(&&bare(word)[..]);
    let is_qualifier = |word: &str| AWARD_QUALIFIERS.contains(&&bare(word)[..]);
    let is_ordinal = |word: &str| {
        let bare = bare(word);
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let is_roman = !bare.is_empty() && bare.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
        is_roman || (1..=2).contains(&digits) && bare[digits..].chars().count() <= 2
    };
    let noun = words.iter().position(|word| is_award(word))?;
    let mut from = noun;
    while from > 0 && is_qualifier(words[from - 1]) {
        from -= 1;
    }
    if from > 0 && is_ordinal(words[from - 1]) {
        from -= 1;
    }
    let mut to = noun + 1;
    while to < words.len() && (is_award(words[to]) || is_qualifier(words[to])) {
        to += 1;
    }
    // Words such as `de` belong to what follows.
    while to > noun + 1
        && to < words.len()
        && words[to - 1].chars().count() < 3
        && !is_award(words[to - 1])
    {
        to -= 1;
    }
    // In the middle of a text such a word is a part of its name.
    let is_said = from < noun || words.len() == 1;
    if !is_said || from > 0 && to < words.len() {
        return None;
    }
    let tidy = |words: &[&str]| {
        let text = words.join(" ");
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'))
            .to_owned()
    };
    let rest = [&words[..from], &words[to..]].concat();
    Some((tidy(&words[from..to]), tidy(&rest)))
}

/// A text without one of the labels before it, as `by` and `Author:`.
fn labelled<'t>(line: &'t str, labels: &[&str]) -> Option<&'t str> {
    let line = line.trim();
    if let Some((label, rest)) = line.split_once(':')
        && labels.contains(&&bare(label)[..])
    {
        return Some(rest.trim()).filter(|rest| !rest.is_empty());
    }
    let (first, rest) = line.split_once(char::is_whitespace)?;
    // Other labels are words of titles as well.
    (labels.contains(&"by") && matches!(&bare(first)[..], "by" | "von" | "par"))
        .then(|| rest.trim())
}

/// The number of a problem before its author: `1. Comins Mansfield`.
fn cut_number(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].strip_prefix(['.', ')'])?;
    let name = rest.trim_start();
    let is_number = (1..=5).contains(&digits) && name.len() < rest.len();
    (is_number && name.starts_with(char::is_alphabetic)).then_some((&text[..digits], name))
}

/// Whether lines apart from a diagram are the heading of its page: one of them says when it was
/// printed, what it won, or who composed it.
pub(super) fn is_heading(lines: &[&str]) -> bool {
    let is_short = |line: &&str| line.len() <= HEADING_BYTES_MAX && !has_move_number(line);
    let is_told = |line: &&str| {
        labelled(line, AUTHOR_LABELS).is_some()
            || labelled(line, SOURCE_LABELS).is_some()
            || cut_award(line).is_some()
            || !date_in(line).is_empty() && !is_sentence(line)
    };
    (1..=HEADING_LINES_MAX).contains(&lines.len())
        && lines.iter().all(is_short)
        && lines.iter().any(is_told)
}

/// Whether a line has the number of a move with something after it.
fn has_move_number(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let behind = word[digits..].trim_start_matches(['.', '…']);
        digits > 0 && behind.len() + digits < word.len() && behind.starts_with(char::is_alphabetic)
    })
}

/// Whether the paragraph that a text begins with describes a board by words.
pub(super) fn describes_board(text: &str) -> bool {
    let lines = text.split_inclusive('\n');
    let lines = lines.take_while(|line| !line.trim().is_empty());
    let end = lines.map(str::len).sum::<usize>().min(PROBLEM_BYTES_MAX);
    !piece_list::all(&text[..text.floor_char_boundary(end)]).is_empty()
}

/// The lines of the paragraph that a text begins with.
fn first_paragraph(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.take_while(|line| !line.is_empty()).collect()
}

/// Whether a problem begins with the paragraph of a text, seen from what stands above it: with its
/// heading, if that stands apart, else with its diagram. `is_all`: that is all of the source.
pub(crate) fn begins(above: &str, is_all: bool, text: &str, has_diagram: bool) -> bool {
    if !has_diagram {
        let own = first_paragraph(text);
        let own_end = own.last().map_or(0, |last| {
            last.as_ptr() as usize - text.as_ptr() as usize + last.len()
        });
        let below = text[own_end..].trim_start();
        let below: Vec<&str> = first_paragraph(below);
        return is_heading(&own) && below.iter().any(|line| super::lines::has_diagram(line));
    }
    let lines = above.lines().rev().map(str::trim);
    let mut last: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    last.reverse();
    if is_heading(&last) && !last.iter().any(|line| super::lines::has_diagram(line)) {
        return false;
    }
    let mut lines = above.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_opening = is_all && !above.trim().is_empty() && lines.all(is_sentence);
    !is_opening
}

/// Whether a text begins with the heading of a page, apart from a diagram of chess,
/// and a line below that asks something.
pub(super) fn is_page(text: &str) -> bool {
    let heading = first_paragraph(text.trim_start_matches('\u{feff}').trim_start());
    let Some(last) = heading.last().filter(|_| is_heading(&heading)) else {
        return false;
    };
    let end = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    let mut lines = text[end..].lines().map(str::trim);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty());
    let is_diagram = |line: &str| super::lines::has_diagram(line) && problem::read(line).is_ok();
    lines.next().is_some_and(is_diagram)
        && lines
            .take(HEADING_LINES_MAX)
            .any(|line| problem::stipulation_of(line).is_some())
}

/// The score of a text whose words describe a board.
const DESCRIBED: u32 = 90;

/// How much of a text is problems whose boards words describe, of 100.
#[must_use]
pub(crate) fn explains_lists(text: &str) -> u32 {
    // What begins so is a record of another kind.
    if text.trim_start().starts_with(['[', '{', '<', '-', '|']) {
        return 0;
    }
    let lists = piece_list::all(text);
    // The words of one side alone are those of a table or a form.
    DESCRIBED * u32::from(!lists.is_empty())
}

/// What a text is worth whose diagrams have the letters of other languages than English.
const FOREIGN: u32 = 80;

/// How much of a text is problems by diagrams that no FEN has: no fewer of them than of others.
#[must_use]
pub(crate) fn explains_foreign(text: &str) -> u32 {
    let (mut foreign, mut others) = (0, 0);
    let lines = text
        .lines()
        .filter(|line| line.matches('/').take(7).count() == 7);
    for line in lines.filter(|line| line.len() <= PROBLEM_BYTES_MAX) {
        match problem::read(line) {
            Ok(read)
                if read.diagram.language().letters != ENGLISH.letters
                    && super::lines::is_problem(line) =>
            {
                foreign += 1;
            }
            _ => others += 1,
        }
    }
    FOREIGN * u32::from(foreign > 0 && foreign >= others)
}

impl Composition {
    /// Takes the lines of a heading, each of which says one thing.
    pub(super) fn take_heading(&mut self, lines: &[&str]) {
        let mut others: Vec<&str> = Vec::new();
        let mut has_source = !self.source.is_empty();
        for line in lines.iter().map(|line| line.trim()) {
            let line = line.trim_start_matches(['#', '*']).trim();
            if let Some(name) = labelled(line, AUTHOR_LABELS) {
                self.authors = authors(name);
            } else if let Some(title) = labelled(line, TITLE_LABELS) {
                title.clone_into(&mut self.title);
            } else if let Some(award) = labelled(line, AWARD_LABELS) {
                award.clone_into(&mut self.award);
            } else if let Some(source) = labelled(line, SOURCE_LABELS) {
                self.add_source(source);
                has_source = true;
            } else if let Some(asked) =
                problem::stipulation_of(line).filter(|_| self.stipulation.is_empty())
            {
                self.stipulation = asked.to_string();
            } else if is_sentence(line) {
                self.comments.push(line.to_owned());
            } else if cut_award(line).is_some() || !date_in(line).is_empty() {
                // Who composed it may stand before where it was printed.
                match line.split_once([',', ';']) {
                    Some((name, source))
                        if cut_award(name).is_none()
                            && date_in(name).is_empty()
                            && others.is_empty()
                            && self.authors.is_empty()
                            && lines.len() < 3 =>
                    {
                        others.push(name.trim());
                        self.add_source(source.trim());
                    }
                    _ => self.add_source(line),
                }
                has_source = true;
            } else if !line.is_empty() {
                others.push(line);
            }
        }
        let mut others = others.into_iter();
        let count = others.len();
        let has_title = count > 1 && self.title.is_empty() && (has_source || count > 2);
        if has_title || count == 1 && !self.authors.is_empty() && self.title.is_empty() {
            others
                .next()
                .unwrap_or_default()
                .clone_into(&mut self.title);
        }
        if self.authors.is_empty()
            && let Some(name) = others.next()
        {
            self.authors = authors(name);
        }
        for rest in others {
            if has_source {
                self.comments.push(rest.to_owned());
            } else {
                self.add_source(rest);
            }
        }
        self.title = self
            .title
            .trim_matches(['"', '“', '”', '„', '«', '»'])
            .trim()
            .to_owned();
    }

    fn add_source(&mut self, text: &str) {
        if !self.source.is_empty() && !text.is_empty() {
            self.source.push_str(", ");
        }
        self.source.push_str(text);
    }

    /// Parts what stands together in a line: the number before the author, the award beside the
    /// source; and a sentence is no author.
    pub(super) fn part_heading(&mut self) {
        let head = self.authors.join(" & ");
        if is_sentence(&head) {
            let whole = [&head[..], &self.source].join(", ");
            self.comments
                .push(whole.trim_end_matches([',', ' ']).to_owned());
            self.authors.clear();
            self.source.clear();
        }
        if self.award.is_empty() {
            if let Some((award, rest)) = cut_award(&self.source) {
                (self.award, self.source) = (award, rest);
            } else if let Some((award, rest)) = self.authors.first().and_then(|own| cut_award(own))
                && self.authors.len() == 1
            {
                self.authors.clear();
                self.award = award;
                let source = [rest, std::mem::take(&mut self.source)];
                let source = source
                    .iter()
                    .filter(|part| !part.is_empty())
                    .map(String::as_str);
                self.source = source.collect::<Vec<_>>().join(", ");
            } else {
                self.award_among_parts();
            }
        }
        if self.number.is_empty()
            && let Some((number, name)) = self.authors.first().and_then(|own| cut_number(own))
        {
            let (number, name) = (number.to_owned(), name.to_owned());
            self.number = number;
            self.authors[0] = name;
        }
    }

    /// `L'Italia Scacchistica, 1930, 1 HM`.
    fn award_among_parts(&mut self) {
        let mut parts: Vec<&str> = self.source.split(',').map(str::trim).collect();
        let whole = |part: &&str| cut_award(part).is_some_and(|(_, rest)| rest.is_empty());
        if let Some(at) = parts.iter().position(whole) {
            let award = parts.remove(at).to_owned();
            self.source = parts.join(", ");
            self.award = award;
        }
    }

    /// Takes a line below the diagram that gives the stipulation, or is the heading of the
    /// solution; whether it was one.
    pub(super) fn take_below(&mut self, line: &str) -> bool {
        if !self.solution.is_empty() {
            return false;
        }
        if is_solution_label(line) {
            return true;
        }
        if !self.stipulation.is_empty() {
            return false;
        }
        let parts = ProblemLine::of(("", "", line));
        let Some(asked) = problem::stipulation_of(parts.asked.trim_end_matches('.')) else {
            return false;
        };
        self.stipulation = asked.to_string();
        let [white, black, _] = self.diagram.count();
        if parts
            .count
            .is_some_and(|told| told != (white as u32, black as u32))
        {
            self.findings.push((Code::CountMismatch, line.to_owned()));
        }
        parts
            .solution
            .unwrap_or_default()
            .clone_into(&mut self.solution);
        true
    }
}

/// Composers, where several are named.
pub(super) fn authors(text: &str) -> Vec<String> {
    text.split(" & ")
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The year that a source names, as a date of PGN; empty if it names none.
pub(super) fn date_in(source: &str) -> String {
    let mut years = source
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| digits.len() == 4)
        .filter_map(|digits| digits.parse::<u16>().ok())
        .filter(|year| (1000..2100).contains(year));
    years
        .next_back()
        .map_or_else(String::new, |year| format!("{year}.??.??"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awards_stand_before_or_behind_a_source() {
        for (text, wanted) in [
            (
                "1 HM L'Italia Scacchistica 1930",
                Some(("1 HM", "L'Italia Scacchistica 1930")),
            ),
            ("1. Preis Schach 1950", Some(("1. Preis", "Schach 1950"))),
            (
                "Probleemblad 1960, 2nd Hon. Mention",
                Some(("2nd Hon. Mention", "Probleemblad 1960")),
            ),
            (
                "3e Mention d'honneur Thèmes 64 1958",
                Some(("3e Mention d'honneur", "Thèmes 64 1958")),
            ),
            ("2-й приз Шахматы 1970", Some(("2-й приз", "Шахматы 1970"))),
            ("First Prize", Some(("First Prize", ""))),
            ("Lob", Some(("Lob", ""))),
            ("The Problemist 1975", None),
            ("Grand Prix of Paris 1930", None),
            ("", None),
        ] {
            let found = cut_award(text);
            let found = found.as_ref().map(|(award, rest)| (&award[..], &rest[..]));
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn sentences_are_no_names() {
        for (text, wanted) in [
            ("Ein Leser schickt uns", true),
            ("Και μία θέση χωρίς εκφώνηση", true),
            ("Comins Mansfield", false),
            ("Juan de la Cruz y Ortega", false),
            ("so", false),
        ] {
            assert_eq!(is_sentence(text), wanted, "{text}");
        }
    }
}
