//! Games as PGN, in the export format of the standard (8.1) where the game
//! allows it: comments and variations stand as they were written.

use std::io::{self, Write};

use super::number::move_number;
use crate::record::{Game, Item};

/// Longest line of movetext (PGN 4.3 asks for less than 80 with the newline).
const LINE: usize = 79;

/// Writes one game with an empty line after it.
pub fn write(out: &mut dyn Write, game: &Game) -> io::Result<()> {
    for (name, value) in &game.tags {
        // Backslash and quote are all that a tag value can escape; a line
        // break in it would end the tag for most readers.
        let value = value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace(['\n', '\r'], " ");
        writeln!(out, "[{name} \"{value}\"]")?;
    }
    if !game.tags.is_empty() {
        writeln!(out)?;
    }
    let mut line = Line { out, column: 0 };
    let mut ply = 0;
    let mut number_due = true;
    for item in &game.items {
        match item {
            Item::Move(san) => {
                let number = move_number(game.first_move, ply);
                if number_due || !number.ends_with("...") {
                    line.word(&number)?;
                }
                line.word(san)?;
                ply += 1;
            }
            Item::Nag(nag) => line.word(&format!("${nag}"))?,
            Item::Comment(text) => line.verbatim(&format!("{{{text}}}"))?,
            Item::LineComment(text) => line.until_line_end(&format!(";{text}"))?,
            Item::Variation(text) => {
                // A semicolon comment would swallow the closing parenthesis.
                let end = if ends_in_line_comment(text) { "\n" } else { "" };
                line.verbatim(&format!("({text}{end})"))?;
            }
            Item::Word(word) => line.word(word)?,
            Item::Rest(text) => {
                let text = text.trim();
                line.verbatim(text)?;
                // A semicolon comment would swallow the result.
                if ends_in_line_comment(text) {
                    line.end()?;
                }
            }
        }
        number_due = !matches!(item, Item::Move(_) | Item::Nag(_));
    }
    line.word(game.outcome.as_pgn())?;
    write!(line.out, "\n\n")
}

/// Whether what is appended to a text would belong to a `;` comment.
fn ends_in_line_comment(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or(text);
    line.rsplit('}').next().unwrap_or(line).contains(';')
}

/// Fills lines.
struct Line<'w> {
    out: &'w mut dyn Write,
    column: usize,
}

impl Line<'_> {
    /// Writes a text that must not be broken.
    fn word(&mut self, word: &str) -> io::Result<()> {
        let width = word.chars().count();
        // A line that begins with a per cent sign would be an escape (PGN 6).
        let fits = self.column + 1 + width <= LINE || word.starts_with('%');
        if self.column > 0 {
            self.out.write_all(if fits { b" " } else { b"\n" })?;
            self.column = if fits { self.column + 1 } else { 0 };
        } else if word.starts_with('%') {
            self.out.write_all(b" ")?;
            self.column = 1;
        }
        self.out.write_all(word.as_bytes())?;
        self.column += width;
        Ok(())
    }

    /// Writes a text with line breaks of its own, which stay.
    fn verbatim(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let Some((first, rest)) = text.split_once('\n') else {
            return self.word(text);
        };
        self.word(first)?;
        write!(self.out, "\n{rest}")?;
        self.column = rest.rsplit('\n').next().unwrap_or(rest).chars().count();
        Ok(())
    }

    /// Writes a text that takes the rest of its line.
    fn until_line_end(&mut self, text: &str) -> io::Result<()> {
        self.word(text.trim_end_matches(['\r', '\n']))?;
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.column = 0;
        self.out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameHeader, Outcome};

    #[test]
    fn line_comments_swallow_nothing() {
        assert!(ends_in_line_comment("2... d6 ;Philidor"));
        assert!(!ends_in_line_comment("2... d6 ;Philidor\n"));
        assert!(!ends_in_line_comment("2... d6 {a; b}"));
    }

    #[test]
    fn games_are_written_as_they_were() {
        let moves = |text: &str| {
            text.split(' ')
                .map(|san| Item::Move(san.into()))
                .collect::<Vec<_>>()
        };
        let mut items = moves("e4 e5 Nf3");
        items.push(Item::Nag(1));
        items.push(Item::Comment(" the\nusual ".into()));
        items.extend(moves("Nc6"));
        items.push(Item::Variation("2... d6 {Philidor}".into()));
        items.extend(moves("Bb5 a6"));
        items.push(Item::LineComment(" Morphy".into()));
        items.extend(moves("Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2"));
        items.push(Item::Rest("c5 Qx9 %odd".into()));
        let game = Game {
            header: GameHeader::default(),
            tags: vec![("Event".into(), "The \"big\" one \\ x".into())],
            first_move: (1, false),
            items,
            outcome: Outcome::First,
        };
        let mut out = Vec::new();
        write(&mut out, &game).expect("a vector takes everything");
        insta::assert_snapshot!(String::from_utf8_lossy(&out), @r#"
        [Event "The \"big\" one \\ x"]

        1. e4 e5 2. Nf3 $1 { the
        usual } 2... Nc6 (2... d6 {Philidor}) 3. Bb5 a6 ; Morphy
        4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2
        c5 Qx9 %odd 1-0
        "#);
    }
}
