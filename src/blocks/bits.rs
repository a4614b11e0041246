//! Bit streams, least significant bit first: fixed widths, Rice and Elias gamma codes.

/// Writes bits.
#[derive(Debug, Default, Clone)]
pub struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    pending_bits: u32,
}

impl BitWriter {
    /// Bits written so far.
    pub const fn len_bits(&self) -> usize {
        self.bytes.len() * 8 + self.pending_bits as usize
    }

    /// Writes the `width` (0 to 56) low bits of `value`; the others must be 0.
    #[inline]
    pub fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 56 && value >> width == 0);
        self.pending |= value << self.pending_bits;
        let bits = self.pending_bits + width;
        if bits < 64 {
            self.pending_bits = bits;
            return;
        }
        self.bytes.extend_from_slice(&self.pending.to_le_bytes());
        // What did not fit; no value is so wide that it begins a word and fills it.
        self.pending = value >> (64 - self.pending_bits);
        self.pending_bits = bits - 64;
    }

    /// Writes `zeros` zero bits and a one.
    #[inline]
    pub fn put_unary(&mut self, mut zeros: u64) {
        while zeros > 48 {
            self.put(0, 48);
            zeros -= 48;
        }
        self.put(1 << zeros, zeros as u32 + 1);
    }

    /// Writes a Rice code: the quotient by 2^`shift` in unary, then the rest.
    #[inline]
    pub fn put_rice(&mut self, value: u64, shift: u32) {
        let (zeros, rest) = (value >> shift, value & ((1 << shift) - 1));
        // At once, if that fits: nearly all do, and most of an index is written so.
        if zeros + u64::from(shift) < 56 {
            self.put((rest << 1 | 1) << zeros, zeros as u32 + 1 + shift);
        } else {
            self.put_unary(zeros);
            self.put(rest, shift);
        }
    }

    /// Writes an Elias gamma code; `value` is at least 1 and below 2^56.
    #[inline]
    pub fn put_gamma(&mut self, value: u64) {
        let width = value.ilog2();
        self.put_unary(u64::from(width));
        self.put(value & ((1 << width) - 1), width);
    }

    /// Fills up the last byte with zeros and gives the bytes.
    pub fn finish(mut self) -> Vec<u8> {
        let rest = self.pending_bits.div_ceil(8) as usize;
        self.bytes
            .extend_from_slice(&self.pending.to_le_bytes()[..rest]);
        self.bytes
    }
}

/// Bits of a Rice code.
#[inline]
pub const fn rice_bits(value: u64, shift: u32) -> u64 {
    (value >> shift) + 1 + shift as u64
}

/// Bits of an Elias gamma code.
#[inline]
pub const fn gamma_bits(value: u64) -> u64 {
    2 * value.ilog2() as u64 + 1
}

/// The Rice shift that suits numbers with this sum best, or nearly so.
pub fn rice_shift(sum: u64, count: u64) -> u32 {
    // The best shift for geometric gaps is near log2 of the mean times ln 2.
    let mean = sum * 11 / (count.max(1) * 16);
    if mean == 0 { 0 } else { mean.ilog2() + 1 }.min(31)
}

/// Reads bits; after the end there are zeros, and [`BitReader::is_past_end`] says so.
#[derive(Debug, Clone)]
pub struct BitReader<'b> {
    bytes: &'b [u8],
    position: usize,
}

impl<'b> BitReader<'b> {
    /// A reader at the first bit.
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// A reader at some bit, from 0.
    pub const fn at(bytes: &'b [u8], position: usize) -> Self {
        Self { bytes, position }
    }

    /// Whether more was read than there is.
    pub const fn is_past_end(&self) -> bool {
        self.position > self.bytes.len() * 8
    }

    /// At least 56 bits from here on.
    #[inline]
    fn peek(&self) -> u64 {
        let at = self.position / 8;
        let word = if let Some(chunk) = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            u64::from_le_bytes(*chunk)
        } else {
            let mut word = [0; 8];
            let rest = self.bytes.get(at..).unwrap_or_default();
            word[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(word)
        };
        word >> (self.position % 8)
    }

    /// Reads `width` (0 to 56) bits.
    #[inline]
    pub fn take(&mut self, width: u32) -> u64 {
        let value = self.peek() & ((1 << width) - 1);
        self.position += width as usize;
        value
    }

    /// Counts zero bits up to the next one and reads past it.
    #[inline]
    pub fn take_unary(&mut self) -> u64 {
        let mut zeros = 0;
        loop {
            let word = self.peek() & ((1 << 56) - 1);
            if word != 0 {
                let here = word.trailing_zeros();
                self.position += here as usize + 1;
                return zeros + u64::from(here);
            }
            zeros += 56;
            self.position += 56;
            if self.is_past_end() {
                return zeros;
            }
        }
    }

    /// Reads a Rice code.
    #[inline]
    pub fn take_rice(&mut self, shift: u32) -> u64 {
        let quotient = self.take_unary();
        quotient << shift | self.take(shift)
    }

    /// Reads an Elias gamma code.
    #[inline]
    pub fn take_gamma(&mut self) -> u64 {
        let width = self.take_unary().min(55) as u32;
        1 << width | self.take(width)
    }
}

impl BitReader<'_> {
    /// Reads a number of `width` (0 to 8) bits and an Elias gamma code after it: at once, if
    /// that fits, as nearly all do.
    #[inline]
    pub fn take_run(&mut self, width: u32) -> (u64, u64) {
        let word = self.peek();
        let rest = word >> width;
        let zeros = rest.trailing_zeros();
        if width + 2 * zeros >= 56 {
            return (self.take(width), self.take_gamma());
        }
        self.position += (width + 2 * zeros + 1) as usize;
        let run = rest >> zeros >> 1 & ((1 << zeros) - 1) | 1 << zeros;
        (word & ((1 << width) - 1), run)
    }
}

/// Reads numbers of `width` (0 to 32) bits each, which follow each other from some bit on, and adds
/// `least` to each; after the end there are zeros.
pub fn unpack(bytes: &[u8], from: usize, width: u32, least: u32, out: &mut [u32]) {
    // Eight bytes that begin anywhere have 57 bits from there on that can be used.
    let whole = match 57_u32.checked_div(width) {
        None => {
            out.fill(least);
            return;
        }
        Some(..2) => unpack_whole::<1>(bytes, from, width, least, out),
        Some(2) => unpack_whole::<2>(bytes, from, width, least, out),
        Some(3) => unpack_whole::<3>(bytes, from, width, least, out),
        Some(4..8) => unpack_whole::<4>(bytes, from, width, least, out),
        Some(8..) => unpack_whole::<8>(bytes, from, width, least, out),
    };
    let mut rest = BitReader::at(bytes, from + whole * width as usize);
    for value in &mut out[whole..] {
        *value = least.wrapping_add(rest.take(width) as u32);
    }
}

/// The same of `N` numbers at a time, which take 57 bits at most, as long as they need no check for
/// the end of the bytes: that costs more than the numbers. How many it has read.
fn unpack_whole<const N: usize>(
    bytes: &[u8],
    from: usize,
    width: u32,
    least: u32,
    out: &mut [u32],
) -> usize {
    let step = N * width as usize;
    let bits = (bytes.len() * 8).saturating_sub(56);
    let steps = (bits.saturating_sub(from).div_ceil(step)).min(out.len() / N);
    let mask = u32::MAX >> (32 - width);
    for (number, values) in out.chunks_exact_mut(N).take(steps).enumerate() {
        let at = from + number * step;
        let word = bytes[at / 8..].first_chunk::<8>();
        let mut word = u64::from_le_bytes(*word.expect("eight bytes")) >> (at % 8);
        for value in values {
            *value = least.wrapping_add(word as u32 & mask);
            word >>= width;
        }
    }
    steps * N
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(values in prop::collection::vec((0u64..1 << 30, 0u32..30), 0..200)) {
            let mut writer = BitWriter::default();
            for &(value, shift) in &values {
                writer.put(value, 30);
                writer.put_rice(value >> (shift / 2), shift.max(16));
                writer.put_gamma(value + 1);
                writer.put_unary(u64::from(shift) * 7);
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for &(value, shift) in &values {
                prop_assert_eq!(reader.take(30), value);
                prop_assert_eq!(reader.take_rice(shift.max(16)), value >> (shift / 2));
                prop_assert_eq!(reader.take_gamma(), value + 1);
                prop_assert_eq!(reader.take_unary(), u64::from(shift) * 7);
            }
            prop_assert!(!reader.is_past_end());
        }

        #[test]
        fn unpacked_numbers_are_those_that_are_read_one_by_one(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            from in 0_usize..70,
            width in 0_u32..=32,
            least in any::<u32>(),
            count in 0_usize..40,
        ) {
            let mut reader = BitReader::at(&bytes, from);
            let mut next = || least.wrapping_add(reader.take(width) as u32);
            let expected: Vec<u32> = (0..count).map(|_| next()).collect();
            let mut found = vec![7; count];
            unpack(&bytes, from, width, least, &mut found);
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn runs_are_those_that_are_read_one_after_the_other(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            zeros in 0_usize..9,
            width in 0_u32..=8,
        ) {
            // Long codes are rare where bits are random.
            let bytes = [&vec![0; zeros][..], &bytes].concat();
            let (mut runs, mut reader) = (BitReader::new(&bytes), BitReader::new(&bytes));
            while !reader.is_past_end() {
                prop_assert_eq!(runs.take_run(width), (reader.take(width), reader.take_gamma()));
                prop_assert_eq!(runs.position, reader.position);
            }
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = BitReader::new(&bytes);
            while !reader.is_past_end() {
                reader.take_rice(3);
                reader.take_gamma();
                reader.take(1);
            }
        }
    }
}
