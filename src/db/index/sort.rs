//! A stable radix sort of numbers by some of their bits.

const DIGIT_BITS: u32 = 11;

/// Sorts by the `bits` bits above `low_bit`, keeping the order of equal ones;
/// `scratch` is overwritten.
pub fn by_bits(data: &mut Vec<u64>, scratch: &mut Vec<u64>, low_bit: u32, bits: u32) {
    if data.len() < 256 {
        let mask = (1u64 << bits) - 1;
        data.sort_by_key(|value| value >> low_bit & mask);
        return;
    }
    scratch.clear();
    scratch.resize(data.len(), 0);
    let mut done = 0;
    while done < bits {
        let width = DIGIT_BITS.min(bits - done);
        let shift = low_bit + done;
        let mask = (1u64 << width) - 1;
        let mut starts = [0usize; 1 << DIGIT_BITS];
        for value in data.iter() {
            starts[(value >> shift & mask) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts[..1 << width] {
            sum += std::mem::replace(start, sum);
        }
        for &value in data.iter() {
            let start = &mut starts[(value >> shift & mask) as usize];
            scratch[*start] = value;
            *start += 1;
        }
        std::mem::swap(data, scratch);
        done += width;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_stably(
            mut data in prop::collection::vec(any::<u64>(), 0..2000),
            low_bit in 0u32..40,
            bits in 1u32..24,
        ) {
            let mut expected = data.clone();
            expected.sort_by_key(|value| value >> low_bit & ((1 << bits) - 1));
            by_bits(&mut data, &mut Vec::new(), low_bit, bits);
            prop_assert_eq!(data, expected);
        }
    }
}
