//! Bytes to tokens, with [`logos`]; no rules, no UTF-8, no files.
