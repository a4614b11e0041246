use super::*;

fn fens(text: &str) -> Vec<String> {
    let lists = all(text).into_iter();
    lists
        .map(|list| list.board.board_fen().to_string())
        .collect()
}

/// A position with every piece.
const FEN: &str = "3rk3/p6n/8/1B6/6q1/8/P6P/R3K2Q";

/// What stands on its squares.
fn pieces() -> Vec<(Square, Piece)> {
    let board: Board = FEN.parse().expect("a board");
    board.into_iter().collect()
}

/// A word of the table that is no stem.
fn shown(cell: &str) -> &str {
    cell.split(' ')
        .next()
        .unwrap_or_default()
        .trim_end_matches('-')
}

/// The languages with their words, and the letters and files of the language.
fn rows() -> impl Iterator<Item = (&'static Language, Vec<&'static str>)> {
    include_str!("words.tsv").lines().skip(1).map(|row| {
        let (code, cells) = row.split_once('\t').expect("words");
        let language = Language::by_code(code).expect(code);
        (language, cells.split('\t').map(shown).collect())
    })
}

fn named(square: Square, language: &Language) -> String {
    let text = square.to_string();
    let file = u32::from(text.as_bytes()[0] - b'a') as usize;
    let file = language.files.chars().nth(file).expect("a file");
    format!("{file}{}", &text[1..])
}

#[test]
fn every_language_of_letters_has_words() {
    let known: Vec<&str> = rows().map(|(language, _)| language.code).collect();
    for language in crate::games::notation::letters::LANGUAGES {
        let base = language.code.split('-').next().expect("a code");
        assert!(known.contains(&base), "{}", language.code);
    }
    for (language, cells) in rows() {
        assert_eq!(cells.len(), 8, "{}", language.code);
        assert!(
            cells.iter().all(|cell| !cell.is_empty()),
            "{}",
            language.code
        );
    }
}

#[test]
fn one_position_is_the_same_in_all_languages_and_layouts() {
    for (language, words) in rows() {
        let [white, black] = [words[0], words[1]];
        let word = |role: Role| {
            words[2 + crate::games::notation::letters::ROLES
                .iter()
                .position(|own| *own == role)
                .expect("a role")]
        };
        let side = |piece: Piece| if piece.color.is_white() { white } else { black };
        let at = |square| named(square, language);
        let lines = |form: &dyn Fn(Square, Piece) -> String| {
            let lines = pieces()
                .into_iter()
                .map(|(square, piece)| form(square, piece));
            lines.collect::<Vec<_>>()
        };
        let list = |form: &dyn Fn(Square, Piece) -> String| {
            [(Color::White, white), (Color::Black, black)]
                .map(|(color, name)| {
                    let own = pieces()
                        .into_iter()
                        .filter(|(_, piece)| piece.color == color);
                    let own: Vec<String> = own.map(|(square, piece)| form(square, piece)).collect();
                    format!("{name}: {}", own.join(", "))
                })
                .join("; ")
        };
        let with_side =
            lines(&|square, piece| format!("{} {} {}", side(piece), word(piece.role), at(square)));
        let romance =
            lines(&|square, piece| format!("{} {} {}", word(piece.role), side(piece), at(square)));
        let by_square =
            lines(&|square, piece| format!("{} {} {}", at(square), side(piece), word(piece.role)));
        let all_squares: Vec<String> = Square::ALL
            .into_iter()
            .map(|square| {
                let own = pieces().into_iter().find(|(its, _)| *its == square);
                own.map_or_else(
                    || at(square),
                    |(_, piece)| format!("{} {} {}", at(square), side(piece), word(piece.role)),
                )
            })
            .collect();
        for text in [
            with_side.join("\n"),
            with_side.join(", "),
            romance.join(", "),
            by_square.join("\n"),
            by_square.join(", "),
            all_squares.join("\n"),
            all_squares.join(" "),
            list(&|square, piece| format!("{} {}", word(piece.role), at(square))),
            list(&|square, piece| format!("{}{}", language.letter(piece.role), at(square))),
        ] {
            assert_eq!(fens(&text), [FEN], "{} {text}", language.code);
        }
    }
}

#[test]
fn lists_are_found_among_other_words() {
    for (text, wanted) in [
        (
            "White: Kf6, Qa1; Black: Kh8. Mate in 2",
            "7k/8/5K2/8/8/8/8/Q7",
        ),
        (
            "Mate in 2. Weiß: Kf6, Da1. Schwarz: Kh8.",
            "7k/8/5K2/8/8/8/8/Q7",
        ),
        (
            "The white king stands on f6 and the white queen on a1; the black king is on h8.",
            "7k/8/5K2/8/8/8/8/Q7",
        ),
        (
            "The Black Knight\nby A. Author\n\nWhite\nKf6\nQa1\n\nBlack\nKh8\n\nMate in 2",
            "7k/8/5K2/8/8/8/8/Q7",
        ),
        (
            "White: king g1, rooks a1 and f1, pawns a2 b2; Black: king g8",
            "6k1/8/8/8/8/8/PP6/R4RK1",
        ),
        (
            "White: Kg1, Ra1,f1, a2, b2; Black: Kg8",
            "6k1/8/8/8/8/8/PP6/R4RK1",
        ),
        (
            "White: Kg1, Ra1, Pa2, b2; Black: Kg8",
            "6k1/8/8/8/8/8/PP6/R5K1",
        ),
        (
            "White: Kg1, Ra1, a2, b2\nBlack: Kg8, Pa7, b7",
            "6k1/pp6/8/8/8/8/PP6/R5K1",
        ),
        ("Blanc: Rf6, Da1; Noir: Rh8", "7k/8/5K2/8/8/8/8/Q7"),
        ("Λευκά: Kf6, Qa1; Μαύρα: Kh8", "7k/8/5K2/8/8/8/8/Q7"),
    ] {
        assert_eq!(fens(text), [wanted], "{text}");
    }
}

#[test]
fn what_describes_no_board_is_none() {
    for text in [
        "",
        "1. e4 e5 2. Nf3 Nc6",
        "White: Kasparov, Black: Karpov 1. e4 c5",
        "The white king went from e1 to g1, then the black king to e7.",
        "White: Kf6, Qa1",
        "White: Kf6, Ka1; Black: Kh8",
        "Kf6 Qa1 Kh8",
        "White: Kf6, Qf6; Black: Kh8",
    ] {
        assert_eq!(fens(text), [] as [String; 0], "{text}");
    }
}

#[test]
fn the_place_of_a_list_has_its_edges() {
    let text = "abcdefgh\n8\na8 white king\nb8\nc8 black king\nd8 black rook\na7 black pawn\n8\n77\nabcdefgh\nMate in 2\n";
    let found = all(text);
    assert!(text[..found[0].place.start].is_empty(), "{:?}", found[0]);
    assert_eq!(&text[found[0].place.end..], "\nMate in 2\n");
}
