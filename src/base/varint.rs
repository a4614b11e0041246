//! Numbers of as few bytes as they need (unsigned LEB128), as packed data has them.

/// Reads a number off the front of `bytes`; `None` where they end within it.
pub fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Appends a number.
pub fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends bytes after their number.
pub fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Reads bytes that stand after their number.
pub fn take_bytes<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = usize::try_from(take_varint(bytes)?).ok()?;
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bytes_come_back() {
        let numbers = [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            u64::from(u32::MAX),
            u64::MAX,
        ];
        let mut out = Vec::new();
        for number in numbers {
            put_varint(number, &mut out);
            put_bytes(&out.clone(), &mut out);
        }
        let mut rest = &out[..];
        for number in numbers {
            let before = out.len() - rest.len();
            assert_eq!(take_varint(&mut rest), Some(number));
            let behind = out.len() - rest.len();
            assert_eq!(take_bytes(&mut rest), Some(&out[..behind]), "{before}");
        }
        assert!(rest.is_empty());
        assert_eq!(take_varint(&mut &[0x80][..]), None);
        assert_eq!(take_varint(&mut &[0xff; 10][..]), None, "more than 64 bits");
        assert_eq!(take_bytes(&mut &[2, 1][..]), None);
    }
}
