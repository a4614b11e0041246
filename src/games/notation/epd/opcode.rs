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

/// Opcodes by what follows them. Comments `c0` to `c9` and variation names `v0` to `v9`
/// are taken by their shape.
const OPCODES: [(OperandKind, &str); 5] = [
    (OperandKind::Moves, "am bm pm sm"),
    (OperandKind::Line, "pv"),
    (OperandKind::Text, "eco id nic"),
    // `acd` is not in the standard: analysis depth, of most engines.
    (OperandKind::Integer, "acd acn acs ce dm fmvn hmvc rc"),
    (
        OperandKind::Any,
        "draw_accept draw_claim draw_offer draw_reject noop resign tcgs tcri tcsi",
    ),
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
    let has = |names: &str| names.split(' ').any(|name| name == opcode);
    let found = OPCODES.iter().find(|(_, names)| has(names));
    found.map(|&(kind, _)| kind)
}

/// Whether EPD operations begin with this word: a known opcode, or any name with a semicolon or a
/// known opcode after it. Called for word after word, so the search goes no further than people
/// write operands.
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
