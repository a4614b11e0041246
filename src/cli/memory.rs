//! What becomes of memory that was given back.

/// From now on most of it waits for whoever asks next instead of going back to the system, which
/// would clear it page by page before it came again: a segment is built of tables of some
/// megabytes, one after the other. That is a thirtieth of what an import costs (docs/benchmarks.md).
/// Where the allocator is not that of the GNU C library, nothing changes.
pub(super) fn keep() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// So much at the end of the heap stays.
        const KEPT_BYTES: i32 = 512 << 20;
        /// What is larger has pages of its own, which go back at once: the most that can be set.
        const OWN_PAGES_BYTES: i32 = 32 << 20;
        #[expect(unsafe_code, reason = "the allocator of the system is a C library")]
        // SAFETY: numbers go in and out; threads may allocate meanwhile.
        unsafe {
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES);
            libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_PAGES_BYTES);
        }
    }
}
