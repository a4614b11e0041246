//! Writing moves: SAN with its check sign, and UCI.

use shakmaty::{CastlingMode, Chess, Move, Position as _, Role, san::SanPlus, uci::UciMove};

use super::letters::{Language, Script};

/// Writes a legal move in SAN, with `+` for check and `#` for mate.
pub fn write(position: &Chess, m: &Move) -> String {
    SanPlus::from_move(position.clone(), *m).to_string()
}

/// Writes a legal move in SAN with the letters of a language: those of the men, and
/// of the files where it has its own (`Ιδ4`).
pub fn write_in(position: &Chess, m: &Move, language: &Language) -> String {
    in_language(&write(position, m), language)
}

/// A move in SAN with the letters of a language instead of the English ones.
pub fn in_language(english: &str, language: &Language) -> String {
    let mut out = String::with_capacity(english.len() + 4);
    for c in english.chars() {
        let role = match c {
            'K' => Role::King,
            'Q' => Role::Queen,
            'R' => Role::Rook,
            'B' => Role::Bishop,
            'N' => Role::Knight,
            'a'..='h' => {
                let at = c as usize - 'a' as usize;
                out.extend(language.files.chars().nth(at));
                continue;
            }
            // A Greek keyboard has an omicron; elsewhere the Latin letter is usual.
            'O' if language.script() == Script::Greek => {
                out.push('Ο');
                continue;
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push_str(language.letter(role));
    }
    out
}

/// Writes a move in UCI: castling is a king's move in standard chess (`e1g1`),
/// king takes rook in Chess960 (`e1h1`).
pub fn uci(mode: CastlingMode, m: &Move) -> String {
    UciMove::from_move(*m, mode).to_string()
}

/// [`uci`] with the castling mode of the position. A position whose castling
/// rights standard chess also knows counts as standard.
pub fn uci_in(position: &Chess, m: &Move) -> String {
    uci(position.castles().mode(), m)
}
