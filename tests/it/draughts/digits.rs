//! What the `GameType` of an export says of its squares is how they are written there: read as
//! PDN 3.0 has it, by a reader that knows nothing else.

use std::fmt::Write as _;

use super::random_line;
use {
    crate::support::Base,
    plydex::{
        base::record::{GameRecord, MoveForm, MovetextItem},
        games::{
            draughts::{
                notation::moves::square::Numbering,
                rows::{ALL, DraughtsVariant},
            },
            notation::letters::ENGLISH,
        },
        import::ImportOptions,
        pgn::writer,
        search::{GameReader, MoveNotation},
    },
};

/// A square by row from the top and column from the left, as White sees the board.
type Square = (usize, usize);

/// The digits of a tag.
#[derive(Debug)]
struct Digits {
    black_begins: bool,
    width: usize,
    height: usize,
    letters: bool,
    corner: usize,
    inverted: bool,
}

impl Digits {
    /// Those of a whole tag, or what PDN 3.0 has for a bare number.
    fn of(tag: &str) -> Self {
        let whole = match tag {
            "20" | "96" | "97" | "98" | "99" => "20,W,10,10,N2,0",
            "21" => "21,B,8,8,N1,0",
            "22" => "22,W,8,8,N2,1",
            "23" => "23,B,8,8,N1,0",
            "24" => "24,W,8,8,N1,1",
            "25" => "25,W,8,8,A0,0",
            "26" => "26,W,8,8,A0,0",
            "27" => "27,W,12,12,N2,0",
            "28" => "28,W,8,8,N1,1",
            "29" => "29,W,8,8,A0,0",
            "30" => "30,W,8,8,A0,0",
            "31" => "31,B,8,8,N2,0",
            "40" => "40,W,10,10,N2,0",
            "41" => "41,W,10,8,A0,0",
            whole => whole,
        };
        let parts: Vec<&str> = whole.split(',').collect();
        let [_, first, width, height, notation, inverted] = parts[..] else {
            panic!("{tag}");
        };
        Self {
            black_begins: first == "B",
            width: width.parse().expect("squares"),
            height: height.parse().expect("rows"),
            letters: notation.starts_with('A'),
            corner: notation[1..].parse().expect("a corner"),
            inverted: inverted == "1",
        }
    }

    /// The square of a name.
    fn square(&self, name: &str, all_squares: bool) -> Square {
        let (width, height) = (self.width, self.height);
        let corner = if self.black_begins {
            3 - self.corner
        } else {
            self.corner
        };
        let is_letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
        assert_eq!(is_letter, self.letters, "{name}: {self:?}");
        if self.letters {
            let file = usize::from(name.as_bytes()[0] - b'a');
            let rank: usize = name[1..].parse().expect("a rank");
            let row = [height - rank, rank - 1][corner / 2];
            return (row, [file, width - 1 - file][corner % 2]);
        }
        let in_row = if all_squares { width } else { width / 2 };
        let place = name.parse::<usize>().expect("a number") - 1;
        let (row, nth) = (place / in_row, place % in_row);
        let row = [height - 1 - row, row][corner / 2];
        let nth = [nth, in_row - 1 - nth][corner % 2];
        let is_played = |column: &usize| {
            let parity = (column + height - 1 - row) % 2;
            all_squares || parity == usize::from(self.inverted)
        };
        let column = (0..width).filter(is_played).nth(nth);
        (row, column.expect("a square"))
    }
}

/// A random game: its moves with squares named in a way, and where these squares are.
fn random_game(
    variant: &DraughtsVariant,
    names: Numbering,
    number: usize,
) -> (String, Vec<[Square; 2]>) {
    let seed = (number as u64 + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (mut text, mut squares) = (String::new(), Vec::new());
    let real = variant.numbering().with_letter_corner(0);
    let height = usize::from(variant.rules.board.height());
    let place = |cell: u8| {
        let (file, rank) = real.file_and_rank(cell);
        (height - usize::from(rank), usize::from(file))
    };
    for (legal, played) in random_line(variant, seed, 60) {
        let ends = |m: &plydex::games::draughts::rules::DraughtsMove| (m.from, m.to);
        if legal.iter().filter(|m| ends(m) == ends(&played)).count() > 1 {
            break;
        }
        let sign = if played.is_capture() { 'x' } else { '-' };
        let _ = write!(
            text,
            "{}{sign}{} ",
            names.name(played.from),
            names.name(played.to)
        );
        squares.push([place(played.from), place(played.to)]);
    }
    (text, squares)
}

/// From and to of every move of an exported text, by the digits of its tag; `None` where the
/// kind has no number.
fn read(game: &GameRecord, variant: &DraughtsVariant) -> Option<Vec<[Square; 2]>> {
    let mut text = String::new();
    writer::write(game, &mut text);
    let tag = text.lines().find_map(|line| {
        let value = line.strip_prefix("[GameType \"")?;
        value.strip_suffix("\"]")
    })?;
    let digits = Digits::of(tag);
    let board = variant.rules.board;
    let all_squares = board.square_count() == board.width() * board.height();
    let ends = |text: &str| {
        let names: Vec<&str> = text.split(['-', 'x', ':']).collect();
        let ends = [names[0], names[names.len() - 1]];
        ends.map(|name| digits.square(name, all_squares))
    };
    let moves = game.items.iter().filter_map(|item| match item {
        MovetextItem::Move(text) => Some(ends(text)),
        _ => None,
    });
    Some(moves.collect())
}

#[test]
fn digits_of_exports_are_how_squares_are_written() {
    let mut compared = 0;
    for variant in ALL {
        let own = variant.numbering();
        let board = variant.rules.board;
        let kind = variant.game_type.map_or("20".to_owned(), |n| n.to_string());
        let named = format!("[Variant \"{}\"]\n", variant.title);
        let lies = [
            String::new(),
            format!("[GameType \"{kind}\"]\n"),
            format!("[GameType \"{kind},W,0,0,N,0\"]\n"),
            format!(
                "[GameType \"{kind},W,{},{},N1,0\"]\n",
                board.width(),
                board.height()
            ),
            format!("[GameType \"{kind},B,8,8,A3,1\"]\n"),
        ];
        // Another number would be that of another kind.
        let lies = &lies[..variant.game_type.map_or(1, |_| lies.len())];
        let ways = [own, own.with_letters(!own.letters())];
        let (mut text, mut expected) = (String::new(), Vec::new());
        for (number, tag) in lies.iter().enumerate() {
            for names in ways {
                let (moves, squares) = random_game(variant, names, number);
                let _ = write!(text, "[Event \"{number}\"]\n{tag}{named}\n{moves}*\n\n");
                expected.push(Some(squares));
            }
        }
        // Numbers from other corners, as some files have them: what was meant is not told,
        // but every export says the same.
        for corner in 0..4 {
            let names = own.with_letters(false).with_number_corner(corner);
            let (moves, _) = random_game(variant, names, usize::from(corner));
            let _ = write!(text, "[Event \"{corner}\"]\n{named}\n{moves}*\n\n");
            expected.push(None);
        }
        let base = Base::new();
        base.import_text(text.as_bytes(), ImportOptions::default());
        base.assert_sound();
        for (id, expected) in (1..).zip(expected) {
            let in_form = |form| {
                let language = ENGLISH;
                let writing = MoveNotation { form, language };
                let mut games = GameReader::new(&base.store).with_writing(writing);
                games.game(id).expect("readable").expect("a game")
            };
            let name = format!("{} game {id}", variant.name);
            let forms = [MoveForm::Short, MoveForm::Full, MoveForm::Algebraic].map(in_form);
            assert_eq!(forms[0].header.variant, variant.name, "{name}");
            let is_whole = !forms[0]
                .items
                .iter()
                .any(|i| matches!(i, MovetextItem::Rest(_)));
            assert!(
                is_whole || expected.is_none(),
                "{name}: {:?}",
                forms[0].items.last()
            );
            if variant.game_type.is_none() {
                continue;
            }
            let [short, full, letters] = forms.each_ref().map(|game| {
                let read = read(game, variant);
                read.unwrap_or_else(|| panic!("{name}: no GameType: {:?}", game.pdn))
            });
            assert_eq!(short, full, "{name}");
            assert_eq!(short, letters, "{name}");
            if let Some(expected) = expected {
                assert_eq!(short, expected, "{name}");
            }
            compared += short.len();
            // What was written in letters is the same game for whoever reads it.
            let mut text = String::new();
            writer::write(&forms[2], &mut text);
            let again = Base::of(text.as_bytes());
            let again = again.games().remove(0);
            assert_eq!(again.header.variant, variant.name, "{name}: {text}");
            assert_eq!(again.header.plies, forms[2].header.plies, "{name}: {text}");
            assert_eq!(
                read(&again, variant).expect("a tag"),
                short,
                "{name}: {text}"
            );
        }
    }
    assert!(compared > 5_000, "{compared}");
}
