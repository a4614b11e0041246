//! One game for reading: tags, movetext, a board.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::number::move_number;
use super::table::{Cell, Column, Table};
use crate::base::record::{GameFormat, GameRecord, MovetextItem, Outcome, suffix_of};
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{BoardAt, Provenance};
use crate::draw::board::{self, BoardStyle};
use crate::games::ballot::{self, Ballot, BallotStatus};
use crate::games::variant::Variant;
use crate::pgn::parser::comment;

/// Comments and variations stand this far to the right.
const INDENT: usize = 4;
/// Longer lines are hard to read, however wide the screen is.
const LINE: usize = 80;

/// Draws a game, with clocks and evaluations after the moves or without them.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    game: &GameRecord,
    board: Option<&BoardAt>,
    style: BoardStyle,
    has_clocks: bool,
) -> io::Result<()> {
    let mut tags = Table::new([Column::left(""), Column::left("").wraps()]);
    tags.row(vec![
        Cell::styled("Game", DIM),
        Cell::styled(game.header.id.to_string(), HEADING),
    ]);
    for (name, value) in &game.tags {
        let style = if matches!(name.as_str(), "White" | "Black" | "Result") {
            STRONG
        } else {
            clap::builder::styling::Style::new()
        };
        tags.row(vec![
            Cell::styled(screen.safe(name), DIM),
            Cell::styled(screen.safe(value), style),
        ]);
    }
    if game.script == GameFormat::Pdn {
        for (name, value) in untold_facts(game) {
            tags.row(vec![Cell::styled(name, DIM), Cell::styled(value, DIM)]);
        }
    }
    if game.script == GameFormat::Pgn && game.header.variant_by.is_some() {
        let played = Cell::styled(played_as(game), DIM);
        tags.row(vec![Cell::styled("Played as", DIM), played]);
    }
    if let Some(opening) = &game.header.opening {
        let text = format!("{} {}", opening.eco, opening.name);
        let text = Cell::styled(screen.safe(&text), DIM);
        tags.row(vec![Cell::styled("Opens as", DIM), text]);
    }
    tags.write(out, screen)?;
    writeln!(out)?;
    movetext(out, screen, game, board, has_clocks)?;
    if let Some(board) = board {
        writeln!(out, "\n{}", screen.paint(HEADING, &caption(game, board)))?;
        let mut diagram = board.position.diagram();
        diagram.marks.clone_from(&board.marks);
        writeln!(out, "\n{}", board::draw(&diagram, style).trim_end())?;
        writeln!(out, "\n{}", screen.paint(DIM, &board.fen))?;
    }
    Ok(())
}

/// The rules that a game is played by, and how they are known where its tags do not say them.
fn played_as(game: &GameRecord) -> String {
    let variant = Variant::by_name(&game.header.variant);
    let title = variant.map_or(game.header.variant.as_str(), |variant| variant.title);
    match &game.header.variant_by {
        Some(by) => format!("{title} ({by})"),
        None => title.to_owned(),
    }
}

/// What the tags of a game of draughts do not say, or not plainly: what it is
/// played as, and who won.
fn untold_facts(game: &GameRecord) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Played as", played_as(game))];
    if let Some(ballot) = ballot_of(game) {
        let mut text = format!("no. {}", ballot.number);
        if let Some(name) = ballot.name {
            text = format!("{text}, {name}");
        }
        if ballot.standing == BallotStatus::Barred {
            text.push_str(" (barred)");
        }
        facts.push(("Ballot", text));
    }
    let winner = match game.outcome {
        Outcome::First => "White",
        Outcome::Second => "Black",
        Outcome::Draw | Outcome::Unknown => return facts,
    };
    facts.push(("Winner", winner.to_owned()));
    facts
}

/// Says where the game was read, and what was found wanting there.
pub fn provenance(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    provenance: &Provenance,
) -> io::Result<()> {
    let Some((source, number)) = provenance.source.as_ref().zip(provenance.number) else {
        return Ok(());
    };
    let place = format!("Read from {}, game {number}", screen.safe(source));
    writeln!(out, "\n{}", screen.paint(DIM, &place))?;
    for place in &provenance.repeats {
        let place = format!(
            "Also in {}, game {}",
            screen.safe(&place.source),
            place.number
        );
        writeln!(out, "{}", screen.paint(DIM, &place))?;
    }
    for finding in &provenance.diagnostics {
        let what = if finding.detail.is_empty() {
            finding.message
        } else {
            &finding.detail
        };
        let code = screen.paint(STRONG, &finding.code);
        writeln!(
            out,
            "  {code} at byte {}: {}",
            finding.offset_bytes,
            screen.safe(what)
        )?;
    }
    Ok(())
}

fn caption(game: &GameRecord, board: &BoardAt) -> String {
    match (&board.last_move, board.place.ply.checked_sub(1)) {
        (Some(san), Some(before)) => {
            format!(
                "After {}{san} (ply {})",
                move_number(game.first_move, before),
                board.place
            )
        }
        _ => "Start position".to_owned(),
    }
}

/// Draws the moves, with comments and variations in blocks of their own. The
/// move that leads to the drawn board is marked.
fn movetext(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    game: &GameRecord,
    board: Option<&BoardAt>,
    has_clocks: bool,
) -> io::Result<()> {
    let mut block = TextBlock::new(screen, 0);
    let mut ply = 0;
    let mut number_due = true;
    for item in &game.items {
        match item {
            MovetextItem::Move(san) => {
                let number = move_number(game.first_move, ply);
                ply += 1;
                let is_drawn = |at: &BoardAt| at.place.line.is_main() && at.place.ply == ply;
                let mark = if board.is_some_and(is_drawn) {
                    HEADING.underline()
                } else {
                    HEADING
                };
                let san_plain = screen.safe(san);
                let painted = screen.paint(mark, &san_plain);
                if number.ends_with("...") && !number_due {
                    block.push(out, &san_plain, painted)?;
                } else {
                    // Number and move stay together.
                    let number_painted = screen.paint(DIM, &number);
                    let gap = if number.ends_with("...") { "" } else { " " };
                    block.push(
                        out,
                        &format!("{number}{gap}{san_plain}"),
                        format!("{number_painted}{gap}{painted}"),
                    )?;
                }
                number_due = false;
            }
            MovetextItem::Nag(nag) => {
                let sign = nag_sign(*nag, screen);
                if is_suffix(*nag) {
                    block.attach(out, &sign)?;
                } else {
                    block.push(out, &sign, sign.clone())?;
                }
            }
            MovetextItem::Word(word) => {
                let word = screen.safe(word);
                block.push(out, &word, word.clone().into_owned())?;
            }
            MovetextItem::Comment(text) if text.contains("[%") => {
                let (brief, rest) = comment::in_brief(text);
                if has_clocks && !brief.is_empty() {
                    let brief = screen.safe(&brief);
                    block.push(out, &brief, screen.paint(DIM, &brief))?;
                }
                if !rest.is_empty() {
                    block.aside(out, &rest, "", "")?;
                    number_due = true;
                }
            }
            MovetextItem::Comment(text) | MovetextItem::LineComment(text) => {
                block.aside(out, text, "", "")?;
                number_due = true;
            }
            MovetextItem::Variation(text) => {
                block.aside(out, text, "(", ")")?;
                number_due = true;
            }
            MovetextItem::Rest(text) => {
                block.flush(out)?;
                let note = "could not be replayed:";
                writeln!(out, "{:INDENT$}{}", "", screen.paint(DIM, note))?;
                block.aside(out, text, "", "")?;
            }
        }
    }
    let result = game.header.result_written.as_str();
    block.push(out, result, screen.paint(STRONG, result))?;
    if result != game.outcome.as_pgn() {
        // Points do not say whose they are.
        let won = match game.outcome {
            Outcome::First => "(White won)",
            Outcome::Second => "(Black won)",
            Outcome::Draw => "(drawn)",
            Outcome::Unknown => "(no result)",
        };
        block.push(out, won, screen.paint(DIM, won))?;
    }
    block.flush(out)
}

/// Words that fill lines. They are written as they come: a game may have millions.
struct TextBlock<'s> {
    screen: &'s TerminalInfo,
    indent: usize,
    column: usize,
    /// Width and painted text of the last word, which may still grow.
    last: Option<(usize, String)>,
}

impl<'s> TextBlock<'s> {
    const fn new(screen: &'s TerminalInfo, indent: usize) -> Self {
        Self {
            screen,
            indent,
            column: 0,
            last: None,
        }
    }

    fn push(&mut self, out: &mut dyn Write, plain: &str, painted: String) -> io::Result<()> {
        self.write_last(out)?;
        self.last = Some((plain.width(), painted));
        Ok(())
    }

    /// Adds to the last word.
    fn attach(&mut self, out: &mut dyn Write, sign: &str) -> io::Result<()> {
        match &mut self.last {
            Some((width, word)) => {
                *width += sign.width();
                word.push_str(sign);
                Ok(())
            }
            None => self.push(out, sign, sign.to_owned()),
        }
    }

    /// Ends this block and writes a dimmed one, moved to the right.
    fn aside(
        &mut self,
        out: &mut dyn Write,
        text: &str,
        open: &str,
        close: &str,
    ) -> io::Result<()> {
        self.flush(out)?;
        let text = format!("{open}{}{close}", text.trim());
        let mut aside = TextBlock::new(self.screen, INDENT);
        for word in text.split_whitespace() {
            let word = self.screen.safe(word);
            aside.push(out, &word, self.screen.paint(DIM, &word))?;
        }
        aside.flush(out)
    }

    fn write_last(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some((width, word)) = self.last.take() else {
            return Ok(());
        };
        let line = self.screen.columns.min(LINE);
        if self.column == 0 {
            write!(out, "{:1$}", "", self.indent)?;
            self.column = self.indent;
        } else if self.column + 1 + width <= line {
            out.write_all(b" ")?;
            self.column += 1;
        } else {
            write!(out, "\n{:1$}", "", self.indent)?;
            self.column = self.indent;
        }
        out.write_all(word.as_bytes())?;
        self.column += width;
        Ok(())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write_last(out)?;
        let is_begun = std::mem::take(&mut self.column) > 0;
        if is_begun { writeln!(out) } else { Ok(()) }
    }
}

const fn is_suffix(nag: u32) -> bool {
    matches!(nag, 1..=6)
}

/// The usual sign of an annotation glyph, else its number.
fn nag_sign(nag: u32, screen: &TerminalInfo) -> String {
    let sign = match nag {
        1..=6 => suffix_of(nag),
        10 => "=",
        18 => "+-",
        19 => "-+",
        13 if screen.unicode => "∞",
        14 if screen.unicode => "⩲",
        15 if screen.unicode => "⩱",
        16 if screen.unicode => "±",
        17 if screen.unicode => "∓",
        _ => return format!("${nag}"),
    };
    sign.to_owned()
}

/// The ballot that a game begins with.
fn ballot_of(game: &GameRecord) -> Option<Ballot> {
    if game.header.start_fen.is_some() {
        return None;
    }
    let moves = game.items.iter().filter_map(|item| match item {
        MovetextItem::Move(text) => Some(text.as_str()),
        _ => None,
    });
    ballot::of_moves(Variant::by_name(&game.header.variant)?, moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::record::GameHeader;
    use crate::draw::board::Glyphs;
    use crate::games::AnyPosition;

    #[test]
    fn a_game_reads_well() {
        let moves = |text: &str| {
            text.split(' ')
                .map(|san| MovetextItem::Move(san.into()))
                .collect::<Vec<_>>()
        };
        let mut items = moves("e4 e5 Nf3");
        items.push(MovetextItem::Nag(5));
        items.push(MovetextItem::Nag(14));
        items.push(MovetextItem::Comment(
            " the usual move,\nseen in most games that begin in this way, and rightly so ".into(),
        ));
        items.extend(moves("Nc6"));
        items.push(MovetextItem::Variation("2... d6 {Philidor} 3. d4".into()));
        items.extend(moves(
            "Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4",
        ));
        items.push(MovetextItem::Rest("Qx9 Nf4".into()));
        let tags = [
            ("Event", "Test\u{1b}[2J"),
            ("White", "Réti"),
            ("BlackElo", "2500"),
        ];
        let game = GameRecord {
            header: GameHeader {
                id: 42,
                result_written: "1-0".into(),
                ..GameHeader::default()
            },
            tags: tags.map(|(name, value)| (name.into(), value.into())).into(),
            first_move: (1, false),
            items,
            outcome: Outcome::First,
            ..GameRecord::default()
        };
        let at = BoardAt {
            place: "4".parse().expect("a ply"),
            marks: crate::games::diagram::Highlights::default(),
            position: AnyPosition::initial(),
            fen: "(its FEN)".into(),
            last_move: Some("Nc6".into()),
        };
        let style = BoardStyle {
            glyphs: Glyphs::Ascii,
            ..BoardStyle::default()
        };
        let mut out = Vec::new();
        write(
            &mut out,
            &TerminalInfo::plain(72),
            &game,
            Some(&at),
            style,
            true,
        )
        .expect("writes");
        insta::assert_snapshot!(String::from_utf8_lossy(&out), @r"
        Game      42
        Event     Test\u{1b}[2J
        White     Réti
        BlackElo  2500

        1. e4 e5 2. Nf3!? ⩲
            the usual move, seen in most games that begin in this way, and
            rightly so
        2...Nc6
            (2... d6 {Philidor} 3. d4)
        3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5
        10. Bc2 c5 11. d4
            could not be replayed:
            Qx9 Nf4
        1-0

        After 2...Nc6 (ply 4)

          +-----------------+
        8 | r n b q k b n r |
        7 | p p p p p p p p |
        6 | . . . . . . . . |
        5 | . . . . . . . . |
        4 | . . . . . . . . |
        3 | . . . . . . . . |
        2 | P P P P P P P P |
        1 | R N B Q K B N R |
          +-----------------+
            a b c d e f g h

        (its FEN)
        ");
    }
}
