//! Text of chess variants: FEN with pieces in hand and checks, SAN with drops.

use crate::games::chess::basics::{CastlingMode, EnPassantMode, Move, Position as _};
use shakmaty::{
    san::{San, SanPlus},
    uci::UciMove,
};

use super::played::CountedChecks;
use crate::{
    base::diagnostic::Code,
    games::{
        ReadFailure,
        chess::notation::{
            fen::{self, EnPassant, Extras, FenStyle, Fields},
            lenient_move,
        },
        chess_variant::ChessVariantKind,
        notation::{clip, letters::Language},
        text::ResolvedWord,
    },
};

/// What to do about a FEN that cannot be read.
const HINT: &str = "pieces in hand stand in brackets after the board (`…/RNBQKBNR[Pp] w …`), remaining checks as `3+3` or given checks as `+0+1`";

/// Reads a FEN as leniently as one of chess; castling may be that of Chess960.
///
/// # Errors
///
/// Why it cannot be read.
pub fn read_fen(
    kind: ChessVariantKind,
    text: &str,
) -> Result<(CountedChecks, Fields, Vec<Code>), ReadFailure> {
    let reading = fen::read_variant(text, extras(kind)).map_err(|error| {
        let message = format!("`{}` is not a valid FEN: {error}", clip(text));
        ReadFailure::at(error.reached(), message, HINT)
    })?;
    let wrong = |why| {
        let message = format!(
            "`{}` is the FEN of an impossible position: {why}",
            clip(text)
        );
        ReadFailure::at(ReadFailure::BOARD, message, HINT)
    };
    if reading.checks == Some([0; 2]) {
        return Err(wrong("both sides have given their last check".to_owned()));
    }
    let mode = CastlingMode::detect(&reading.setup);
    let position = CountedChecks::set_up(kind, reading.setup, mode)
        .map_err(wrong)?
        .with_checks_left(reading.checks.unwrap_or_default());
    Ok((position, reading.fields, reading.warnings))
}

/// What a variant adds to a FEN.
const fn extras(kind: ChessVariantKind) -> Extras {
    match kind {
        ChessVariantKind::Crazyhouse => Extras::Pockets,
        ChessVariantKind::Checks(all) => Extras::Checks(all),
        _ => Extras::None,
    }
}

/// The FEN; pieces in hand in the order of their worth, White's first.
pub fn write_fen(position: &CountedChecks) -> String {
    write_with(position, FenStyle::default())
}

/// The same in a style, which must not ask for the squares of all double steps.
pub fn write_with(position: &CountedChecks, style: FenStyle) -> String {
    let mut setup = position.to_setup(match style.en_passant {
        EnPassant::Legal => EnPassantMode::Legal,
        EnPassant::XFen | EnPassant::Always => EnPassantMode::PseudoLegal,
    });
    setup.promoted &= setup.board.occupied();
    fen::write_variant(&setup, position.checks_left(), style)
}

/// A word by shakmaty's rules: as the standard writes it, in a language, or in any
/// spelling that is read in chess.
pub fn resolve(
    position: &CountedChecks,
    word: &str,
    language: Option<&Language>,
) -> ResolvedWord<Option<Move>> {
    let plain = |word: &str| {
        let bare = word.trim_end_matches(['+', '#']);
        San::from_ascii(bare.as_bytes())
            .ok()?
            .to_move(position)
            .ok()
    };
    let english = match language {
        None => plain(word),
        Some(own) => own.to_english(word).and_then(|word| plain(word.as_str())),
    };
    if let Some(found) = english {
        return ResolvedWord::of(vec![Some(found)]);
    }
    lenient_move::resolve_in(position, word, language).unwrap_or_else(|stop| ResolvedWord {
        stop: Some(stop),
        ..ResolvedWord::of(Vec::new())
    })
}

/// A legal move in SAN.
pub fn san(position: &CountedChecks, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// A legal move as engines write it.
pub fn uci(position: &CountedChecks, m: Move) -> String {
    let mode = CastlingMode::detect(&position.to_setup(EnPassantMode::Legal));
    UciMove::from_move(m, mode).to_string()
}
