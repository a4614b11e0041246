//! A game as a tree of its moves, as JSON; the fields are documented in `docs/json.md`.

use serde::Serialize;

use super::json;
use crate::{
    base::record::{GameHeader, OpeningName},
    database::{GameTree, Provenance, StoredGame, TreeLine, TreeNode, TreeText},
    pgn::parser::{
        comment::{self, CommandValue},
        eval_view::{EvalViews, SourceEvals},
    },
};

/// A complete game.
#[derive(Serialize)]
struct TreeJson<'g> {
    header: &'g GameHeader,
    tags: &'g [(String, String)],
    first_move: json::FirstMove,
    result: &'static str,
    result_written: &'g str,
    provenance: &'g Provenance,
    start: StartJson<'g>,
    #[serde(flatten)]
    main: LineJson<'g>,
}

/// Where a game begins, with what stands before its first move.
#[derive(Serialize)]
struct StartJson<'g> {
    fen: Option<&'g str>,
    opening: Option<&'g OpeningName>,
    #[serde(flatten)]
    said: SaidJson,
}

/// The main line.
#[derive(Serialize)]
struct LineJson<'g> {
    moves: Vec<NodeJson<'g>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<&'g str>,
}

/// A member of a line: a move, or what could not be played of it.
#[derive(Serialize)]
#[serde(untagged)]
enum MemberJson<'g> {
    Move(NodeJson<'g>),
    Rest { rest: &'g str },
    Said(SaidJson),
}

#[derive(Serialize)]
struct NodeJson<'g> {
    ply: u32,
    san: &'g str,
    uci: &'g str,
    fen: &'g str,
    /// Before the first move of a variation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    nags: &'g [u32],
    #[serde(flatten)]
    said: SaidJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'g OpeningName>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<MemberJson<'g>>>,
}

/// What texts say, in words and in values.
#[derive(Serialize, Default)]
struct SaidJson {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<ShapeJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<EvalJson>,
}

/// A coloured square, or an arrow.
#[derive(Serialize)]
struct ShapeJson {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    color: char,
}

#[derive(Serialize)]
struct EvalJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

/// How the evaluations of a game are read.
#[derive(Clone, Copy)]
struct Evals(SourceEvals, EvalViews);

impl Evals {
    fn of(source: SourceEvals, main: &TreeLine) -> Self {
        let comments = main.moves.iter().flat_map(|node| {
            let texts = node.texts.iter().filter_map(|text| match text {
                TreeText::Comment(text) => Some(&**text),
                TreeText::Word(_) => None,
            });
            texts.map(|text| (node.ply, text))
        });
        Self(source, EvalViews::of(source, comments))
    }

    /// What texts say after a move of the first or the second side.
    fn read(self, texts: &[TreeText], second_moved: bool) -> SaidJson {
        let mut said = SaidJson::default();
        for text in texts {
            let text = match text {
                TreeText::Comment(text) => text,
                TreeText::Word(word) => {
                    said.comments.push(word.clone());
                    continue;
                }
            };
            let values = comment::values(text, second_moved, self.0, || self.1);
            let has_commands = text.contains("[%");
            for value in &values {
                said.add(value.name, &value.value);
            }
            let words = if has_commands {
                comment::without_commands(text)
            } else if values.is_empty() {
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            } else {
                // All of it is what an engine writes.
                String::new()
            };
            if !words.is_empty() {
                said.comments.push(words);
            }
        }
        said
    }

    fn node(self, node: &TreeNode) -> NodeJson<'_> {
        NodeJson {
            ply: node.ply,
            san: &node.name,
            uci: &node.uci,
            fen: &node.fen,
            before: Vec::new(),
            nags: &node.nags,
            said: self.read(&node.texts, node.is_second),
            opening: node.opening.as_ref(),
            variations: (node.variations.iter())
                .map(|line| self.variation(line))
                .collect(),
        }
    }

    fn variation(self, line: &TreeLine) -> Vec<MemberJson<'_>> {
        let mut members = Vec::new();
        let is_second = line.moves.first().is_some_and(|node| !node.is_second);
        let before = self.read(&line.before, is_second);
        let mut nodes = line.moves.iter().map(|node| self.node(node));
        match nodes.next() {
            Some(mut first) => {
                first.before = before.comments;
                first.said.shapes.splice(0..0, before.shapes);
                members.push(MemberJson::Move(first));
            }
            None if line.before.is_empty() => {}
            None => members.push(MemberJson::Said(before)),
        }
        members.extend(nodes.map(MemberJson::Move));
        let rest = line.rest.as_deref();
        members.extend(rest.map(|rest| MemberJson::Rest { rest }));
        members
    }
}

impl SaidJson {
    fn add(&mut self, name: &str, value: &CommandValue) {
        match value {
            CommandValue::Time { milliseconds } => {
                let seconds = Some(*milliseconds as f64 / 1000.0);
                match name {
                    "clk" | "tl" => self.clock = seconds,
                    "emt" | "mt" | "timestamp" => self.spent = seconds,
                    _ => {}
                }
            }
            CommandValue::Centipawns { centipawns, depth } => {
                self.eval = Some(EvalJson {
                    cp: Some(*centipawns),
                    mate: None,
                    depth: *depth,
                });
            }
            CommandValue::Mate { moves, depth } => {
                self.eval = Some(EvalJson {
                    cp: None,
                    mate: Some(*moves),
                    depth: *depth,
                });
            }
            CommandValue::Squares(squares) => {
                let shape = |(color, at): &(char, _)| ShapeJson {
                    from: format!("{at}"),
                    to: None,
                    color: *color,
                };
                self.shapes.extend(squares.iter().map(shape));
            }
            CommandValue::Arrows(arrows) => {
                let shape = |(color, from, to): &(char, _, _)| ShapeJson {
                    from: format!("{from}"),
                    to: Some(format!("{to}")),
                    color: *color,
                };
                self.shapes.extend(arrows.iter().map(shape));
            }
            CommandValue::Unknown => {}
        }
    }
}

/// A complete game, its moves as a tree.
pub fn game_tree<'g>(
    record: &'g StoredGame,
    tree: &'g GameTree,
    provenance: &'g Provenance,
) -> impl Serialize + 'g {
    let game = &record.game;
    let evals = Evals::of(provenance.evals, &tree.main);
    TreeJson {
        header: &game.header,
        tags: &game.tags,
        first_move: json::FirstMove::of(game),
        result: game.outcome.as_pgn(),
        result_written: &game.header.result_written,
        provenance,
        start: StartJson {
            fen: tree.start.as_ref().map(|start| &*start.fen),
            opening: (tree.start.as_ref()).and_then(|start| start.opening.as_ref()),
            said: evals.read(&tree.main.before, !game.first_move.1),
        },
        main: LineJson {
            moves: (tree.main.moves.iter())
                .map(|node| evals.node(node))
                .collect(),
            rest: tree.main.rest.as_deref(),
        },
    }
}
