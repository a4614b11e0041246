//! The opcodes of the standard (section 16.2.5), and what their operands are.

/// What the operands of an opcode are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandKind {
    /// Moves of the position, in any number.
    Moves,
    /// Moves one after the other.
    Line,
    /// A text in quotes.
    Text,
    /// A whole number.
    Integer,
    /// Whatever it looks like: opcodes without operands, and those of programs.
    Any,
}

/// Opcodes in ASCII order. Comments `c0` to `c9` and variation names `v0` to `v9`
/// are taken by their shape.
const OPCODES: &[(&str, OperandKind)] = &[
    // Not in the standard: analysis depth, of most engines.
    ("acd", OperandKind::Integer),
    ("acn", OperandKind::Integer),
    ("acs", OperandKind::Integer),
    ("am", OperandKind::Moves),
    ("bm", OperandKind::Moves),
    ("ce", OperandKind::Integer),
    ("dm", OperandKind::Integer),
    ("draw_accept", OperandKind::Any),
    ("draw_claim", OperandKind::Any),
    ("draw_offer", OperandKind::Any),
    ("draw_reject", OperandKind::Any),
    ("eco", OperandKind::Text),
    ("fmvn", OperandKind::Integer),
    ("hmvc", OperandKind::Integer),
    ("id", OperandKind::Text),
    ("nic", OperandKind::Text),
    ("noop", OperandKind::Any),
    ("pm", OperandKind::Moves),
    ("pv", OperandKind::Line),
    ("rc", OperandKind::Integer),
    ("resign", OperandKind::Any),
    ("sm", OperandKind::Moves),
    ("tcgs", OperandKind::Any),
    ("tcri", OperandKind::Any),
    ("tcsi", OperandKind::Any),
];

/// What the operands of an opcode are; any, where it is not known.
pub fn kind(opcode: &str) -> OperandKind {
    known(opcode).unwrap_or(OperandKind::Any)
}

/// Whether an opcode is one of these.
pub(super) fn is_known(opcode: &str) -> bool {
    known(opcode).is_some()
}

fn known(opcode: &str) -> Option<OperandKind> {
    if matches!(opcode.as_bytes(), [b'c' | b'v', b'0'..=b'9']) {
        return Some(OperandKind::Text);
    }
    let found = OPCODES.iter().find(|(name, _)| *name == opcode);
    found.map(|&(_, kind)| kind)
}

/// Whether EPD operations begin with this word: a known opcode, or any name
/// with a semicolon or a known opcode behind it. Asked word after word, so no further
/// is looked than people write operands.
pub fn looks_like_opcode(word: &str, rest: &str) -> bool {
    const BYTES_MAX: usize = 4096;
    const WORDS_MAX: usize = 64;
    let near = &rest.as_bytes()[..rest.len().min(BYTES_MAX)];
    let opcode = word.split(';').next().unwrap_or(word);
    let follows = || rest.split_whitespace().take(WORDS_MAX).any(is_opcode_word);
    opcode.is_empty()
        || (is_name(opcode)
            && (known(opcode).is_some() || word.contains(';') || near.contains(&b';') || follows()))
}

/// Whether a word among others can only be an opcode of the standard: `c4` may be
/// a move.
pub(super) fn is_opcode_word(word: &str) -> bool {
    word.len() > 1 && !matches!(word.as_bytes(), [_, b'0'..=b'9']) && known(word).is_some()
}

/// A letter, then up to fourteen letters, digits and underscores.
pub(super) fn is_name(opcode: &str) -> bool {
    opcode.len() <= 15
        && opcode.starts_with(|c: char| c.is_ascii_alphabetic())
        && opcode
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
