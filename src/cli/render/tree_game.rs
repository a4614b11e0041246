//! A tree as a game: its first line has the first move of each position, its variations have the
//! others, and comments say how often each was played and how it scored.

use std::fmt::Write as _;

use super::number::counted;
use crate::base::record::{GameFormat, GameHeader, GameRecord, MoveForm, MovetextItem};
use crate::database::{Tree, TreeBranch, TreeMove};
use crate::games::export::StoredGameInfo;
use crate::games::{self, AnyPosition};
use crate::pgn::writer::VariationText;

/// The game.
pub fn of(tree: &Tree) -> GameRecord {
    let mut text = TreeText::default();
    text.behind(tree);
    let at = &tree.at;
    let row = at.variant();
    let is_usual = AnyPosition::start(row).is_some_and(|start| start == *at);
    let header = GameHeader {
        start_fen: (!is_usual).then(|| tree.fen.clone()),
        result: "*".to_owned(),
        ..GameHeader::default()
    };
    let opening = tree.opening.as_ref();
    let event = opening.map_or("Tree", |opening| &opening.name);
    let mut tags: Vec<(String, String)> = [
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    if let Some(opening) = opening {
        tags.push(("ECO".to_owned(), opening.eco.clone()));
    }
    let script = games::script(row);
    if let Some(fen) = &header.start_fen {
        if script == GameFormat::Pgn {
            tags.push(("SetUp".to_owned(), "1".to_owned()));
        }
        tags.push(("FEN".to_owned(), fen.clone()));
    }
    let whole = StoredGameInfo {
        header: &header,
        tags: &tags,
        corner: at.corner(),
        form: MoveForm::Short,
        proven: None,
        is_text: false,
    };
    let pdn = games::export(row, &whole);
    GameRecord {
        script,
        first_move: at.number(),
        items: text.items,
        pdn,
        header,
        tags,
        ..GameRecord::default()
    }
}

/// The movetext of a tree on its way.
#[derive(Default)]
struct TreeText {
    items: Vec<MovetextItem>,
    /// The variation that is being written, and how many are open.
    variation: VariationText,
    open: usize,
}

impl TreeText {
    /// The moves of a position and what follows them: the first goes on with the line, the
    /// others are variations of it.
    fn behind(&mut self, tree: &Tree) {
        let Some((first, others)) = tree.moves.split_first() else {
            return;
        };
        self.ply(tree, first);
        for other in others {
            self.variation.open(self.open > 0);
            self.open += 1;
            self.ply(tree, other);
            self.below(other);
            self.open -= 1;
            if self.open > 0 {
                self.variation.close();
            } else {
                let text = self.variation.take();
                self.items.push(MovetextItem::Variation(text));
            }
        }
        self.below(first);
    }

    fn below(&mut self, line: &TreeMove) {
        if let Some(TreeBranch::Tree(tree)) = &line.after {
            self.behind(tree);
        }
    }

    fn ply(&mut self, tree: &Tree, line: &TreeMove) {
        let comment = comment(line);
        if self.open == 0 {
            self.items.push(MovetextItem::Move(line.san.clone()));
            self.items.push(MovetextItem::Comment(comment));
        } else {
            let (number, is_second) = tree.number;
            self.variation.ply(number, is_second, &line.san);
            self.variation.comment(&comment);
        }
    }
}

/// Whether a tag says anything.
fn is_known(value: &str) -> bool {
    !value.is_empty() && !value.starts_with('?')
}

/// What is said of a move.
fn comment(line: &TreeMove) -> String {
    let mut text = match &line.game {
        Some(game) if is_known(&game.white) || is_known(&game.black) => {
            let date = Some(&game.date).filter(|date| is_known(date));
            let date = date.map_or_else(String::new, |date| format!(", {date}"));
            format!("{} - {}{date}", game.white, game.black)
        }
        _ => counted(line.score.games, "game", "games"),
    };
    if let Some(score) = line.score.score {
        let _ = write!(text, ", {:.1} %", 100.0 * score);
    }
    if line.game.is_none()
        && let Some(rating) = line.score.average_rating
    {
        let _ = write!(text, ", rating {rating:.0}");
    }
    if let Some(TreeBranch::Transposition { transposes_to }) = &line.after {
        let _ = write!(text, "; = {transposes_to}");
    }
    // What closes a comment would end it.
    text.replace(['{', '}'], "")
}
