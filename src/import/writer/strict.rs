//! A strict import: it ends before the first game about which there is a warning or an error.

use crate::{
    base::diagnostic::{Diagnostic, Severity},
    import::{findings::StoredFinding, pipeline::ChunkPart},
    input::{
        chunk::{Chunk, Records},
        verify::TextExcerpt,
    },
};

use super::Writer;

/// The first finding of a chunk that is more than a note.
struct FirstViolation {
    /// Its part.
    place: usize,
    /// Games of that part before it.
    games_before: usize,
    /// Where the first text begins that is not stored.
    from: usize,
    /// Whether it is about a game.
    is_of_game: bool,
    finding: Diagnostic,
}

fn first_refused(parts: &[ChunkPart]) -> Option<FirstViolation> {
    let is_grave = |finding: &&Diagnostic| finding.code.severity() > Severity::Note;
    parts.iter().enumerate().find_map(|(place, part)| {
        let batch = &part.batch;
        let of_games = batch.games.iter().enumerate().find_map(|(at, game)| {
            let mut findings = batch.diagnostics[game.diagnostics.clone()].iter();
            Some(FirstViolation {
                place,
                games_before: at,
                from: game.offset as usize,
                is_of_game: true,
                finding: findings.find(is_grave)?.clone(),
            })
        });
        let loose = batch.loose.iter().filter(is_grave);
        let first = loose.min_by_key(|finding| finding.offset_bytes);
        let loose = first.map(|finding| {
            let from = finding.offset_bytes as usize;
            let is_before = |offset: u32| (offset as usize) < from;
            FirstViolation {
                place,
                games_before: batch.games.partition_point(|game| is_before(game.offset)),
                from,
                is_of_game: false,
                finding: finding.clone(),
            }
        });
        let is_first =
            |loose: &FirstViolation| of_games.as_ref().is_none_or(|of| loose.from < of.from);
        match loose {
            Some(loose) if is_first(&loose) => Some(loose),
            _ => of_games,
        }
    })
}

/// A chunk up to where something was refused; none if it has no games before. Records of other
/// notations can be read on from where they begin for certain alone: of these none is kept that
/// stands in one line with what was refused.
fn up_to(chunk: Chunk, refused: &FirstViolation) -> Option<Chunk> {
    let is_told = chunk.records.is_boundary(&chunk.bytes, refused.from);
    let can_be_cut = is_told || matches!(chunk.records, Records::Games);
    (can_be_cut && refused.games_before > 0).then(|| {
        let mut kept = chunk.split(refused.from).0;
        kept.is_cut = !is_told;
        kept
    })
}

impl Writer<'_> {
    /// Takes away what stands from the first game on about which there is more than a note.
    /// What is left ends as a stream does that was cut there, so that a later import of the
    /// same source goes on after it.
    pub(super) fn keep_what_is_sound(&mut self, parts: &mut Vec<ChunkPart>) {
        let Some(refused) = first_refused(parts) else {
            return;
        };
        let games_before: usize = parts[..refused.place]
            .iter()
            .map(|place| place.batch.games.len())
            .sum::<usize>()
            + refused.games_before;
        self.refuse(&parts[refused.place], &refused, games_before as u64);
        parts.truncate(refused.place + 1);
        if let Some(mut part) = parts.pop()
            && let Some(chunk) = up_to(part.chunk, &refused)
        {
            if self.chunks.contains_key(&chunk.chain) {
                // Another stream begins with the same games, and has brought them.
                let games = refused.games_before as u64;
                self.source.games += games;
                self.summary.seen += games;
                self.summary.duplicate += games;
                return;
            }
            part.chunk = chunk;
            part.batch.games.truncate(refused.games_before);
            let is_before = |finding: &Diagnostic| (finding.offset_bytes as usize) < refused.from;
            part.batch.loose.retain(is_before);
            // What was rejected has a finding that is more than a note.
            part.batch.rejected = 0;
            parts.push(part);
        }
        if let Some(last) = parts.last_mut() {
            last.chunk.last = true;
        }
    }

    /// Notes what was refused, which is stored nowhere.
    fn refuse(&mut self, part: &ChunkPart, refused: &FirstViolation, games_before: u64) {
        let (chunk, finding) = (&part.chunk, &refused.finding);
        let at = finding.offset_bytes as usize;
        let place = TextExcerpt::in_text(&chunk.bytes, at, part.lines_before, chunk.fallback);
        *self.counts.entry(finding.code).or_default() += 1;
        self.summary.refused = Some(StoredFinding {
            code: finding.code.as_str().to_owned(),
            severity: finding.code.severity().as_str(),
            source: self.source.name.clone(),
            game_number: (refused.is_of_game).then_some(self.source.games + games_before + 1),
            game: None,
            offset_bytes: chunk.source_offset(at),
            line: Some(place.line),
            column: Some(place.column),
            message: finding.code.message(),
            detail: finding.detail.clone().into_owned(),
            import: self.import as u64,
            text: Some(place.text),
            word: place.word,
        });
    }
}
