//! Chess problems of a chunk: filed as they were read, their solutions played for the index.

use super::{Batch, BatchGame, ChunkParser, ParsedGame, too_many_annotations};
use crate::{
    base::diagnostic::{Code, Diagnostic},
    formats::ChunkProblem,
    games::{
        GameText,
        variant::{self, Variant},
        variation_tree::Annotation,
    },
    import::start::{GameStart, StartSource},
    pgn::{parser::ItemKind, tags::date},
    problems::{Composition, ProblemStart, StoredProblem, pgn, solution},
};

/// What a problem has in addition to what is kept of every game.
#[derive(Debug)]
pub(in crate::modules::import) struct BatchProblem {
    /// The problem.
    pub(in crate::modules::import) problem: Composition,
    /// In which format it stood, if its text is kept.
    pub(in crate::modules::import) format: Option<String>,
    /// Its packed record in `Batch::records`.
    pub(in crate::modules::import) record: std::ops::Range<usize>,
}

impl Batch {
    /// Leaves out what is no problem.
    fn reject_problem(&mut self, at: usize, why: String) {
        let finding = Diagnostic::with(Code::ProblemSyntax, at as u64, why);
        self.loose.push(finding);
        self.rejected += 1;
    }
}

impl ChunkParser<'_> {
    /// Takes a record of a collection of problems.
    pub(super) fn placed(&mut self, placed: ChunkProblem) {
        match placed.problem {
            Ok(filed) => self.problem(filed, placed.at as u32),
            Err(why) => self.batch.reject_problem(placed.at, why),
        }
    }

    /// The problem that a parsed game is by its tags.
    pub(super) fn problem_of(&self, parsed: &ParsedGame<'_>) -> Option<Composition> {
        let GameText { raw, bytes, decode } = parsed.text;
        let is_chess =
            |variant: Option<&Variant>| variant.is_none_or(|row| row.id == Variant::CHESS);
        let mut tags = raw.tags.iter();
        if !tags.any(|tag| tag.name_bytes(bytes) == pgn::STIPULATION.as_bytes())
            || !is_chess(self.profile.forced)
            || !is_chess(Variant::from_tag(parsed.variant))
        {
            return None;
        }
        let tags: Vec<(String, String)> = raw
            .tags
            .iter()
            .zip(&self.names)
            .map(|(tag, name)| {
                let name =
                    name.map_or_else(|| decode(tag.name_bytes(bytes)).into_owned(), str::to_owned);
                (name, decode(tag.value_bytes(bytes)).into_owned())
            })
            .collect();
        pgn::of_tags(&tags, solution::from_parsed(raw, bytes, decode))
    }

    /// Files a problem that begins at an offset, and plays its solution.
    pub(super) fn problem(&mut self, filed: StoredProblem, offset: u32) {
        let mut game = BatchGame {
            offset,
            ..BatchGame::default()
        };
        let first_diagnostic = self.batch.diagnostics.len();
        let (first_ply, first_structure) =
            (self.reading.plies.len(), self.reading.structures.len());
        self.reading.clear();
        let problem = &filed.problem;
        let (start, findings) = problem.beginning();
        for (code, detail) in findings {
            self.report(code, offset, detail);
        }
        let (tree, refused) = problem.play();
        if let Some(first) = refused.first() {
            let detail = match refused.len() - 1 {
                0 => first.clone(),
                more => format!("{first}, and {more} more"),
            };
            self.report(Code::SolutionMove, offset, detail);
        }
        let mut beginning = match start {
            ProblemStart::Playable { fen } => {
                GameStart::of(&variant::ALL[0], fen, self.profile.expected)
            }
            ProblemStart::Diagram { fen, diagram } => {
                GameStart::nowhere(None, fen, None).with_diagram(diagram)
            }
        };
        let played = solution::to_movetext(&tree, &problem.comments, problem.turn().is_black());
        let text = GameText {
            raw: &played.raw,
            bytes: played.text.as_bytes(),
            decode: &|text| String::from_utf8_lossy(text),
        };
        match &beginning.from {
            StartSource::Usual => game.opening = self.usual.read(text, &mut self.reading).opening,
            StartSource::Position(opening) => {
                game.opening = opening.read(text, &mut self.reading).opening;
            }
            StartSource::Nowhere => {
                let comments = played.raw.items.iter();
                for item in comments.filter(|item| item.kind == ItemKind::Comment) {
                    self.reading.text(Annotation::Comment, &text.of(item));
                }
            }
        }
        if self.reading.is_excessive {
            // Its text is kept in full all the same.
            self.report(
                Code::SolutionMove,
                offset,
                too_many_annotations(&self.reading),
            );
            self.reading.plies.truncate(first_ply);
            self.reading.structures.truncate(first_structure);
            self.reading.clear();
        }
        game.facts.variant = beginning.row.map_or(0, |row| u32::from(row.id));
        game.start = beginning.place(None, &mut self.batch.starts);
        game.facts.date = date::parse(problem.date.as_bytes()).0.to_packed();
        let text = &mut self.batch.text;
        let mut keep = |value: &str| {
            let from = text.len();
            text.push_str(value);
            from..text.len()
        };
        game.layout = keep("[]");
        game.names[2] = (!problem.source.is_empty()).then(|| keep(&problem.source));
        let first_record = self.batch.records.len();
        self.batch.records.extend_from_slice(&filed.write());
        game.problem = Some(Box::new(BatchProblem {
            format: filed.source.map(|source| source.format),
            problem: filed.problem,
            record: first_record..self.batch.records.len(),
        }));
        self.keep((first_ply, first_structure), &mut game);
        game.diagnostics = first_diagnostic..self.batch.diagnostics.len();
        self.batch.games.push(game);
    }
}
