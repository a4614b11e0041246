//! What benchmarks need: the file to measure with, and medians.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The archive that is measured.
pub(crate) struct Input {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whether it is `otb.pgn.zst`, of which every count is known.
    // Not every benchmark knows its counts.
    #[allow(dead_code)]
    pub(crate) is_otb: bool,
}

/// Copies of the sample games that are measured where there is nothing better.
const SAMPLE_COPIES: usize = 400;

impl Input {
    /// The file named on the command line or in `PLYDEX_BENCH_PGN`, else a
    /// corpus beside the repository, else the sample games again and again.
    pub(crate) fn choose(scratch: &Path, corpus: &str) -> io::Result<Self> {
        let named = std::env::args_os()
            .skip(1)
            .find(|arg| arg != "--bench")
            .or_else(|| std::env::var_os("PLYDEX_BENCH_PGN"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let corpus = root.join("../shared/corpora/chess").join(corpus);
        let path = match named {
            Some(path) => PathBuf::from(path),
            None if corpus.exists() => corpus,
            None => {
                let path = scratch.join("samples.pgn");
                let games = fs::read(root.join("sample-data/pgn/classics.pgn"))?;
                let mut file = io::BufWriter::new(fs::File::create(&path)?);
                for _ in 0..SAMPLE_COPIES {
                    file.write_all(&games)?;
                    file.write_all(b"\n\n")?;
                }
                file.flush()?;
                path
            }
        };
        let is_otb = path.file_name().is_some_and(|name| name == "otb.pgn.zst");
        Ok(Self { path, is_otb })
    }

    #[allow(dead_code)] // Not every benchmark says it.
    /// The file's name, without folders.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

#[allow(dead_code)]
/// The value in the middle; of an even number, the upper of the two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
