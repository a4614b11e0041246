//! What notation a stream is in, by evidence: every notation says how much of the
//! beginning it explains, the name of the file counts something, and the best one wins.

use std::{borrow::Cow, iter, path::Path};

use super::{FORMATS, Format, games, text};
use crate::input::{self, format};

/// Bytes of a stream that are looked at, as long as they say what it is.
const SAMPLE_BYTES_MAX: usize = 64 << 10;

/// What an ending of the file's name counts, of 100; what the content says is the rest.
const NAME_WEIGHT: u32 = 15;

/// The lead in points of a winner whose name need not be doubted.
const LEAD_MIN: u32 = 10;

/// Points of content below which a notation is no rival.
const RIVAL_MIN: u32 = 40;

/// Points of content from which a stream is of a notation whatever it is called.
const CERTAIN_MIN: u32 = 65;

/// Content with at least one control character in this number of characters is binary; in random
/// bytes, one in eleven is a control character.
const BINARY_PARTS_MIN: usize = 40;

/// First bytes of comment lines, which speak for no notation.
const COMMENTS: &[char] = &['#', ';', '%'];

/// The beginning of a stream, in lines.
#[derive(Debug)]
pub struct Sample<'s> {
    /// As it was read; the last line is perhaps cut.
    pub(super) bytes: &'s [u8],
    /// The same as text.
    pub(super) text: Cow<'s, str>,
}

/// What a stream is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecognizedFormat {
    /// Its notation.
    pub format: &'static Format,
    /// Another notation that explains it nearly as well.
    pub rival: Option<&'static Format>,
    /// Whether more of the stream would not change it.
    pub is_certain: bool,
    /// Whether the notation explains anything of the content; else it is only what is assumed.
    pub is_explained: bool,
}

impl<'s> Sample<'s> {
    /// The sample of a beginning.
    pub fn of(beginning: &'s [u8]) -> Self {
        let bytes = &beginning[..beginning.len().min(SAMPLE_BYTES_MAX)];
        let unmarked = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        Self {
            bytes: unmarked,
            text: text::blanked(String::from_utf8_lossy(unmarked)),
        }
    }

    /// Whether the stream goes on after it.
    pub(super) fn is_cut(&self) -> bool {
        self.bytes.len() + 3 >= SAMPLE_BYTES_MAX
    }

    /// The text up to the last line, if that is cut: half a line may look like something else.
    pub(super) fn whole_lines(&self) -> &str {
        match self.text.rfind(['\n', '\r']) {
            Some(end) if self.is_cut() => &self.text[..end],
            _ => &self.text,
        }
    }

    /// Its lines without the blanks around them, empty ones left out, and the last one if it
    /// is cut.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.rows().map(str::trim_start)
    }

    /// The same with the tabs before them, which cells of a table may stand before.
    pub(super) fn rows(&self) -> impl Iterator<Item = &str> {
        let lines = self.whole_lines().split(['\n', '\r']);
        let lines = lines.map(|line| line.trim_end().trim_start_matches(' '));
        lines.filter(|line| !line.is_empty())
    }

    /// The percentage of its lines, weighed by their bytes, that a notation explains;
    /// comments do not count.
    pub(super) fn share(&self, mut explains: impl FnMut(&str) -> bool) -> u32 {
        let (mut all, mut explained) = (0, 0);
        for line in self.lines().filter(|line| !line.starts_with(COMMENTS)) {
            all += line.len();
            explained += line.len() * usize::from(explains(line));
        }
        percent(explained, all)
    }
}

/// A part in percent of the total; 0 of nothing.
pub(super) fn percent(part: usize, whole: usize) -> u32 {
    (part * 100).checked_div(whole).unwrap_or(0) as u32
}

/// The notation of a stream that begins so and is called so: the one that explains most of
/// it, PGN if none explains anything. What stands before tag pairs, a preface perhaps, is
/// no evidence against them.
pub fn recognise(beginning: &[u8], path: &Path) -> RecognizedFormat {
    let behind = text::behind_comments(beginning);
    let is_headed = text::begins_with_tag(behind);
    let mut samples = samples(if is_headed { behind } else { beginning });
    let first = scored(&Sample::of(samples.next().unwrap_or_default()), path);
    let is_told = first.content >= CERTAIN_MIN && !behind.is_empty();
    if is_told {
        return first.found(true);
    }
    for sample in samples {
        let other = scored(&Sample::of(sample), path);
        if other.content >= CERTAIN_MIN && (other.format.is_games() || first.content == 0) {
            return other.found(true);
        }
    }
    first.found(beginning.len() < SAMPLE_BYTES_MAX)
}

/// The parts of a beginning that are looked at one after the other.
fn samples(beginning: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(beginning);
    iter::from_fn(move || {
        let all = rest.take()?;
        let (sample, behind) = all.split_at(all.len().min(SAMPLE_BYTES_MAX));
        let line = memchr::memchr(b'\n', behind).map_or(behind.len(), |at| at + 1);
        rest = Some(&behind[line..]).filter(|behind| !behind.is_empty());
        Some(sample)
    })
}

/// What explains a sample best.
struct ScoredFormat {
    /// Points of content, without those of the name.
    content: u32,
    format: &'static Format,
    rival: Option<&'static Format>,
}

impl ScoredFormat {
    const fn found(self, is_certain: bool) -> RecognizedFormat {
        RecognizedFormat {
            format: self.format,
            rival: self.rival,
            is_certain,
            is_explained: self.content > 0,
        }
    }
}

/// How many points a notation has for a sample.
#[derive(Debug, Clone, Copy)]
struct FormatScore {
    /// With those of the name.
    points: u32,
    /// Without them.
    content: u32,
    /// The number of the notation.
    nth: usize,
}

/// What explains a sample best. Most notations need not be asked: those that, however much they
/// explain, neither reach the best one so far nor come near it as a rival.
fn scored(sample: &Sample<'_>, path: &Path) -> ScoredFormat {
    let mut found: Vec<FormatScore> = Vec::new();
    let mut best = 0;
    for nth in by_points_max(path) {
        if points_of(nth, 100, path) + LEAD_MIN <= best {
            break;
        }
        let score = FormatScore::of(nth, sample, path);
        best = best.max(score.points);
        found.push(score);
    }
    best_of(found)
}

/// The notation with the most points, and its rival.
fn best_of(mut found: Vec<FormatScore>) -> ScoredFormat {
    // Of those that explain as much the first one stays the first.
    found.sort_unstable_by_key(|score| (std::cmp::Reverse(score.points), score.nth));
    let best = found[0];
    if best.points == 0 {
        return ScoredFormat {
            content: best.content,
            format: &FORMATS[0],
            rival: None,
        };
    }
    let format = &FORMATS[best.nth];
    let is_rival = |score: &&FormatScore| {
        let is_other = !(FORMATS[score.nth].is_games() && format.is_games());
        is_other && score.content >= RIVAL_MIN && best.points - score.points < LEAD_MIN
    };
    let rival = found[1..].iter().find(is_rival);
    ScoredFormat {
        content: best.content,
        format,
        rival: rival.map(|score| &FORMATS[score.nth]),
    }
}

/// The numbers of all notations, those first that can have the most points under this name.
fn by_points_max(path: &Path) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..FORMATS.len()).collect();
    numbers.sort_by_key(|&nth| std::cmp::Reverse(points_of(nth, 100, path)));
    numbers
}

impl FormatScore {
    fn of(nth: usize, sample: &Sample<'_>, path: &Path) -> Self {
        let content = (FORMATS[nth].explains)(sample).min(100);
        Self {
            points: points_of(nth, content, path),
            content,
            nth,
        }
    }
}

/// The points of a notation that explains so much of the content of a stream with this name.
fn points_of(nth: usize, content: u32, path: &Path) -> u32 {
    let row = &FORMATS[nth];
    let is_own = format::has_extension(path, row.extensions);
    let is_named = is_own && (content > 0 || !row.needs_header)
        || content > 0 && format::has_extension(path, row.shared_extensions);
    content * (100 - NAME_WEIGHT) / 100 + NAME_WEIGHT * u32::from(is_named)
}

/// Whether a beginning is no text in any notation: control characters stand among its signs, and
/// no line is a tag pair that PGN or PDN knows. A damaged text has few of them, or such lines.
pub fn is_binary(beginning: &[u8]) -> bool {
    let signs = beginning.len() - memchr::memchr_iter(0, beginning).count();
    let is_damaged = input::controls(beginning) * BINARY_PARTS_MIN > signs;
    is_damaged && !games::has_known_tag(beginning)
}

/// The notation that a stream is of for certain, whatever it is called.
pub fn looks_like(beginning: &[u8]) -> Option<&'static Format> {
    let sample = Sample::of(beginning);
    if text::begins_with_tag(sample.bytes) && games::are_likely(&sample) {
        return FORMATS.first();
    }
    let others = FORMATS.iter().filter(|row| !row.is_games());
    let best = others.map(|row| ((row.explains)(&sample), row));
    let best = best.rev().max_by_key(|&(content, _)| content);
    best.filter(|&(content, _)| content >= CERTAIN_MIN)
        .map(|(_, row)| row)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;
    use crate::base::long_tests::one_in;

    fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files_below(&path, found);
            } else {
                found.push(path);
            }
        }
    }

    /// A stream is recognised as if all notations were asked, whatever it is called.
    #[test]
    fn who_is_not_asked_would_change_nothing() {
        const ENDINGS: [&str; 10] = [
            "pgn", "pdn", "epd", "csv", "json", "yaml", "problems", "ggf", "inp", "txt",
        ];
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        for folder in ["sample-data", "tests/vectors"] {
            files_below(&root.join(folder), &mut files);
        }
        let texts = files.iter().map(|path| fs::read(path).expect("a file"));
        let mut texts: Vec<Vec<u8>> = texts.collect();
        let files = texts.len();
        // Games at the beginning and something else behind them, and the other way round.
        for other in (1..texts.len()).step_by(one_in(3)) {
            let head = |text: &[u8]| text[..text.len().min(2000)].to_vec();
            texts.push(
                [
                    head(&texts[other - 1]),
                    b"\n\n".to_vec(),
                    head(&texts[other]),
                ]
                .concat(),
            );
        }
        let mut rivals = 0;
        for (nth, text) in texts.iter().enumerate() {
            let sample = Sample::of(&text[..text.len().min(4000)]);
            // Of two texts joined, every third ending is enough.
            let step = if nth < files { 1 } else { 3 };
            for ending in ENDINGS.into_iter().skip(nth % step).step_by(step) {
                let path = Path::new("a").with_extension(ending);
                let all = (0..FORMATS.len()).map(|nth| FormatScore::of(nth, &sample, &path));
                let (wanted, found) = (best_of(all.collect()), scored(&sample, &path));
                let told = |found: &ScoredFormat| {
                    let rival = found.rival.map(|rival| rival.name);
                    (found.format.name, rival, found.content)
                };
                assert_eq!(told(&found), told(&wanted), "{path:?}: {}", sample.text);
                rivals += usize::from(found.rival.is_some());
            }
        }
        assert!(rivals > 0);
    }
}
