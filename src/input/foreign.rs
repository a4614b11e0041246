//! Files that are no text of games, identified by their first bytes. Each is a row of `CONTENTS`.
//!
//! A row names what it recognises and says what to do with it. A row whose bytes
//! could stand in a text as well requires a control character beside them; one that has no
//! bytes of its own is identified by the ending of the name, and never where the file is text.

use std::path::Path;

use super::format;

/// A kind of content that has no games that could be read.
#[derive(Debug)]
pub(super) struct ForeignContent {
    /// Name as it is shown.
    pub name: &'static str,
    /// What to do to get at the games, one line without a final stop.
    pub advice: &'static str,
    /// How it is recognised: one of these suffices.
    marks: &'static [Signature],
}

/// How a content is recognised.
#[derive(Debug, Clone, Copy)]
enum Signature {
    /// By bytes at an offset that no text has.
    At(usize, &'static [u8]),
    /// By bytes at an offset, where there are control characters as well.
    Binary(usize, &'static [u8]),
    /// By what stands where.
    Layout(fn(&[u8]) -> bool),
    /// By the ending of the name (lower case, without the dot), where the content is binary.
    Named(&'static [&'static str]),
}

use Signature::{At, Binary, Layout, Named};

const fn row(
    name: &'static str,
    advice: &'static str,
    marks: &'static [Signature],
) -> ForeignContent {
    ForeignContent {
        name,
        advice,
        marks,
    }
}

const TEXT_ONLY: &str = "plydex reads text; name the file that has the games as text";
const OFFICE: &str = "open it in the program that made it and save it as plain text";
const CHESSBASE: &str = "open the database in ChessBase and export its games as PGN";
const SCID: &str = "open the database in Scid and export its games as PGN";
const BOOK: &str =
    "an opening book has moves and no games; name the PGN file that it was made from";
const TABLEBASE: &str = "an endgame tablebase has no games; name a file with games";

/// Every content that is recognised, first match first.
static CONTENTS: &[ForeignContent] = &[
    row(
        "plydex database",
        "`plydex merge` adds its games to another database, `plydex --db PATH export` writes them as PGN",
        &[Layout(is_own_database)],
    ),
    row(
        "SQLite database",
        "name the PGN files that its games came from, or export them with the program that made it",
        &[At(0, b"SQLite format 3\0")],
    ),
    row("PNG image", TEXT_ONLY, &[At(0, b"\x89PNG\r\n\x1a\n")]),
    row("JPEG image", TEXT_ONLY, &[At(0, b"\xff\xd8\xff")]),
    row(
        "GIF image",
        TEXT_ONLY,
        &[Binary(0, b"GIF87a"), Binary(0, b"GIF89a")],
    ),
    row("BMP image", TEXT_ONLY, &[Layout(is_bitmap)]),
    row("TIFF image", TEXT_ONLY, &[At(0, b"II*\0"), At(0, b"MM\0*")]),
    row("icon", TEXT_ONLY, &[Layout(is_icon)]),
    row("WebP image", TEXT_ONLY, &[Binary(8, b"WEBP")]),
    row("Photoshop image", TEXT_ONLY, &[Binary(0, b"8BPS")]),
    row(
        "audio or video",
        TEXT_ONLY,
        &[
            Binary(8, b"WAVE"),
            Binary(8, b"AVI "),
            Binary(4, b"ftyp"),
            At(0, b"OggS\0"),
            Binary(0, b"fLaC"),
            Binary(0, b"ID3"),
            Binary(0, b"MThd"),
            At(0, b"\x1a\x45\xdf\xa3"),
            At(0, b"\xff\xfb\x90"),
        ],
    ),
    row(
        "PDF document",
        "copy the games out of it as text, or convert it with `pdftotext`",
        &[Layout(is_pdf)],
    ),
    row("RTF document", OFFICE, &[At(0, b"{\\rtf")]),
    row("PostScript document", TEXT_ONLY, &[At(0, b"%!PS-Adobe")]),
    row(
        "Microsoft Office document",
        OFFICE,
        &[
            At(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
            At(30, b"[Content_Types].xml"),
            At(30, b"_rels/.rels"),
            At(30, b"docProps/"),
        ],
    ),
    row(
        "OpenDocument or EPUB document",
        OFFICE,
        &[At(30, b"mimetypeapplication/")],
    ),
    row("program (ELF)", TEXT_ONLY, &[At(0, b"\x7fELF")]),
    row(
        "program (Windows)",
        TEXT_ONLY,
        &[Layout(is_windows_program)],
    ),
    row(
        "program (Mach-O)",
        TEXT_ONLY,
        &[
            At(0, b"\xfe\xed\xfa\xce"),
            At(0, b"\xfe\xed\xfa\xcf"),
            At(0, b"\xce\xfa\xed\xfe"),
            At(0, b"\xcf\xfa\xed\xfe"),
        ],
    ),
    row(
        "Java class or Mach-O program",
        TEXT_ONLY,
        &[At(0, b"\xca\xfe\xba\xbe")],
    ),
    row("WebAssembly module", TEXT_ONLY, &[At(0, b"\0asm")]),
    row("archive of object files", TEXT_ONLY, &[At(0, b"!<arch>\n")]),
    row(
        "font",
        TEXT_ONLY,
        &[
            At(0, b"\0\x01\0\0\0"),
            Binary(0, b"OTTO"),
            Binary(0, b"wOFF"),
            Binary(0, b"wOF2"),
            Binary(0, b"ttcf"),
        ],
    ),
    row(
        "RAR archive",
        "unpack it first, then import what comes out",
        &[At(0, b"Rar!\x1a\x07")],
    ),
    row(
        "cabinet archive",
        "unpack it first, then import what comes out",
        &[At(0, b"MSCF\0\0\0\0")],
    ),
    row("Scid database", SCID, &[At(0, b"Scid.si\0")]),
    row(
        "part of a Scid database",
        SCID,
        &[Named(&[
            "si4", "si3", "sg4", "sg3", "sn4", "sn3", "si5", "sg5", "sn5",
        ])],
    ),
    row(
        "ChessBase archive",
        "open it in ChessBase and export its games as PGN",
        &[Named(&["cbv", "cbz", "cbi"])],
    ),
    row(
        "ChessBase database",
        CHESSBASE,
        &[
            At(0, b"\0\0\x2c\0\x2e\x01"),
            At(0, b"\0\0\x24\0\x2e\x01"),
            Named(&["cbh", "2cbh", "cbf"]),
        ],
    ),
    row(
        "part of a ChessBase database",
        CHESSBASE,
        &[Named(&[
            "cbg", "2cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj", "cbb", "cbl", "cbm",
            "cbd", "cbgi", "cpo", "cp1", "cp2", "cp3", "ck", "ck1", "ck2", "cko", "cit", "cib",
            "flags", "html_cb", "ini_cb",
        ])],
    ),
    row(
        "ChessBase opening book",
        BOOK,
        &[Named(&["ctg", "ctb", "cto"])],
    ),
    row(
        "XQF game of xiangqi",
        "open it in a program for xiangqi and save it as PGN or DhtmlXQ",
        &[Binary(0, b"XQ\x0a"), Binary(0, b"XQ\x12"), Named(&["xqf"])],
    ),
    row(
        "CCBridge record of xiangqi",
        "open it in CCBridge and save it as PGN or DhtmlXQ",
        &[At(0, b"CCBridge Record\0")],
    ),
    row(
        "WTHOR database of Othello",
        "open it in a program for Othello and save its games as GGF or as lists of moves",
        &[Named(&["wtb", "jou", "trn"])],
    ),
    row(
        "Syzygy tablebase",
        TABLEBASE,
        &[At(0, b"\x71\xe8\x23\x5d"), At(0, b"\xd7\x66\x0c\xa5")],
    ),
    row(
        "endgame tablebase",
        TABLEBASE,
        &[Named(&["nbw", "nbb", "emd", "rtbw", "rtbz", "gtb", "cp4"])],
    ),
    row("Polyglot opening book", BOOK, &[Layout(is_polyglot)]),
];

/// The row of a content that begins so and is called so; none of what may be text.
pub(super) fn recognise(start: &[u8], path: &Path) -> Option<&'static ForeignContent> {
    let is_binary = is_binary(start);
    let has = |mark: &Signature| match *mark {
        At(at, bytes) => stands_at(start, at, bytes),
        Binary(at, bytes) => is_binary && stands_at(start, at, bytes),
        Layout(holds) => holds(start),
        Named(endings) => is_binary && format::has_extension(path, endings),
    };
    CONTENTS.iter().find(|row| row.marks.iter().any(has))
}

fn stands_at(start: &[u8], at: usize, bytes: &[u8]) -> bool {
    (start.get(at..)).is_some_and(|behind| behind.starts_with(bytes))
}

/// Whether bytes are no text in any encoding: several control characters other than NUL and those
/// that texts have, or more NULs than UTF-16 has.
fn is_binary(start: &[u8]) -> bool {
    let nuls = memchr::memchr_iter(0, start).count();
    controls(start) >= 2 || start.len() >= 16 && nuls * 10 > start.len() * 8
}

/// How many bytes are control characters that no text has. NULs do not count: UTF-16 has them, and
/// copies of texts are filled with them.
pub fn controls(bytes: &[u8]) -> usize {
    let is_control = |byte: &&u8| matches!(byte, 0x01..=0x08 | 0x0e..=0x19 | 0x1c..=0x1f | 0x7f);
    bytes.iter().filter(is_control).count()
}

/// A database of plydex: its number of application stands in the header of SQLite.
fn is_own_database(start: &[u8]) -> bool {
    start.starts_with(b"SQLite format 3\0") && stands_at(start, 68, b"plyd")
}

/// The reserved words of the header are 0.
fn is_bitmap(start: &[u8]) -> bool {
    start.starts_with(b"BM") && stands_at(start, 6, &[0; 4]) && stands_at(start, 15, &[0; 3])
}

/// One image or more, which UTF-32 cannot begin with.
fn is_icon(start: &[u8]) -> bool {
    let is_headed = start.starts_with(b"\0\0\x01\0") || start.starts_with(b"\0\0\x02\0");
    is_headed && start.get(4).is_some_and(|count| *count > 0) && start.get(5) == Some(&0)
}

/// Some bytes may stand before the mark.
fn is_pdf(start: &[u8]) -> bool {
    start
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(start)
        .trim_ascii_start()
        .strip_prefix(b"%PDF-")
        .is_some_and(|version| version.first().is_some_and(u8::is_ascii_digit))
}

/// `MZ` and the header of DOS, which is mostly 0.
fn is_windows_program(start: &[u8]) -> bool {
    start.starts_with(b"MZ") && start.len() >= 64 && is_binary(start)
}

/// Entries of 16 bytes: a key, a move, a weight, a number for learning, in the order of the keys.
fn is_polyglot(start: &[u8]) -> bool {
    let keys: Vec<&[u8]> = (start.chunks_exact(16)).map(|entry| &entry[..8]).collect();
    keys.len() >= 8 && keys.is_sorted() && keys.first() != keys.last() && is_binary(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a mark, with what it needs after them.
    fn written(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut start = vec![b'P'; at];
        start.extend_from_slice(bytes);
        start.extend_from_slice(b"\x01\x02\x03\0\0\0");
        start
    }

    #[test]
    fn every_mark_is_recognised_as_its_row() {
        for row in CONTENTS {
            assert!(
                !row.advice.is_empty() && !row.advice.ends_with('.'),
                "{}",
                row.name
            );
            for mark in row.marks {
                let found = match *mark {
                    At(at, bytes) | Binary(at, bytes) => {
                        assert!(at + bytes.len() <= format::MAGIC_BYTES_MAX);
                        recognise(&written(at, bytes), Path::new("a.pgn"))
                    }
                    Named(endings) => {
                        let path = format!("a.{}", endings[0].to_uppercase());
                        assert!(recognise(b"[Event \"a\"]\n", Path::new(&path)).is_none());
                        recognise(b"\x01\x02ab", Path::new(&path))
                    }
                    Layout(_) => continue,
                };
                assert_eq!(found.map(|row| row.name), Some(row.name), "{mark:?}");
            }
        }
    }

    #[test]
    fn layouts_are_recognised() {
        let name = |start: &[u8]| recognise(start, Path::new("-")).map(|row| row.name);
        let bitmap = b"BM\x36\0\x0c\0\0\0\0\0\x36\0\0\0\x28\0\0\0\0\x02\0\0";
        assert_eq!(name(bitmap), Some("BMP image"));
        assert_eq!(name(b"%PDF-1.4\n%text\n"), Some("PDF document"));
        assert_eq!(name(b"\0\0\x01\0\x01\0\x20\x20"), Some("icon"));
        let program = [&b"MZ\x90\0\x03\0\0\0\x04"[..], &[0; 60]].concat();
        assert_eq!(name(&program), Some("program (Windows)"));
        let book: Vec<u8> = (0..16_u8)
            .flat_map(|entry| [entry, 7, 1, 2, 200, 3, 4, 5, 0, 12, 1, 1, 0, 0, 0, 0])
            .collect();
        assert_eq!(name(&book), Some("Polyglot opening book"));
    }

    #[test]
    fn texts_that_begin_alike_stay_texts() {
        for text in [
            "BM 1990, round 3\n[Event \"x\"]",
            "MZ against KS\n1. e4 e5 *",
            "GIF89a is a format; 1. e4 *",
            "ID3 1. e4 e5 *",
            "% PDF-1.4\n1. e4 *",
            "RIFF    WAVE 1. d4 *",
            "",
        ] {
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            for bytes in [text.as_bytes(), &wide] {
                assert!(recognise(bytes, Path::new("a.cbh")).is_none(), "{text}");
            }
        }
    }
}
