//! Radix sorts of numbers by some of their bits.

const DIGIT_BITS: u32 = 11;

/// Sorts by the `bits` bits above `low_bit`, keeping the order of equal ones;
/// `scratch` is overwritten.
pub fn by_bits(data: &mut Vec<u64>, scratch: &mut Vec<u64>, low_bit: u32, bits: u32) {
    by_bits_of(data, scratch, |value| *value, low_bit, bits);
}

/// The same of values that have such a number each.
fn by_bits_of<T: Copy + Default>(
    data: &mut Vec<T>,
    scratch: &mut Vec<T>,
    number: impl Fn(&T) -> u64,
    low_bit: u32,
    bits: u32,
) {
    if data.len() < 256 {
        let mask = (1u64 << bits) - 1;
        data.sort_by_key(|value| number(value) >> low_bit & mask);
        return;
    }
    scratch.clear();
    scratch.resize(data.len(), T::default());
    let mut done = 0;
    while done < bits {
        let width = DIGIT_BITS.min(bits - done);
        let shift = low_bit + done;
        let mask = (1u64 << width) - 1;
        let mut starts = [0usize; 1 << DIGIT_BITS];
        for value in data.iter() {
            starts[(number(value) >> shift & mask) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts[..1 << width] {
            sum += std::mem::replace(start, sum);
        }
        for &value in data.iter() {
            let start = &mut starts[(number(&value) >> shift & mask) as usize];
            scratch[*start] = value;
            *start += 1;
        }
        std::mem::swap(data, scratch);
        done += width;
    }
}

/// Sorts pairs of numbers; the first ones look random, but are often the same, and the second ones
/// mostly ascend already where they are: in a third of the time that comparisons take.
pub fn pairs(data: &mut Vec<(u64, u64)>) {
    let Some(&(first, _)) = data.first() else {
        return;
    };
    let differing = data.iter().fold(0, |bits, pair| bits | pair.0 ^ first);
    // The topmost bits in which they differ; those above are equal.
    let low_bit = (64 - differing.leading_zeros()).saturating_sub(2 * DIGIT_BITS);
    by_bits_of(
        data,
        &mut Vec::new(),
        |pair| pair.0,
        low_bit,
        2 * DIGIT_BITS,
    );
    for same in data.chunk_by_mut(|one, other| one.0 >> low_bit == other.0 >> low_bit) {
        same.sort_unstable();
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

        #[test]
        fn sorts_pairs(
            keys in prop::collection::vec(any::<u64>(), 1..50),
            top_bits in 0u32..64,
            choices in prop::collection::vec((any::<prop::sample::Index>(), 0u64..500), 0..2000),
        ) {
            // All begin with the same bits, as those of a range of keys do.
            let key = |at: &prop::sample::Index| keys[0] & !(u64::MAX >> top_bits) | at.get(&keys) & u64::MAX >> top_bits;
            let mut data: Vec<(u64, u64)> = choices.iter().map(|(at, second)| (key(at), *second)).collect();
            let mut expected = data.clone();
            expected.sort_unstable();
            pairs(&mut data);
            prop_assert_eq!(data, expected);
        }
    }
}
