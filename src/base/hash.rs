//! One way to spread bits, which keys and order by lot share.

/// Spreads every bit of `x` over the complete word (the `SplitMix64` finaliser,
/// Steele, Lea, Flood 2014). One to one.
#[inline]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
