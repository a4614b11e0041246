//! Signals that ask for the end: Ctrl-C, a closed terminal, `kill`.

use signal_hook::consts::signal;
use signal_hook::flag;

use super::exit::Exit;
use crate::base::observe::CancellationToken;

/// What asks for the end.
#[cfg(unix)]
const ENDS: &[i32] = &[signal::SIGINT, signal::SIGTERM, signal::SIGHUP];
#[cfg(not(unix))]
const ENDS: &[i32] = &[signal::SIGINT, signal::SIGTERM];

/// Whether the parent process wants a signal ignored, as `nohup` does.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// From now on the first of these signals asks for an end in good order, and a second
/// one ends at once. Where they cannot be caught (some sandboxes) they just kill, which
/// the database survives.
pub(super) fn catch() -> CancellationToken {
    let stop = CancellationToken::default();
    for &signal in ENDS {
        if is_ignored(signal) {
            continue;
        }
        // In this order: the first signal finds the flag unset, and sets it.
        let _ =
            flag::register_conditional_shutdown(signal, Exit::InterruptedTwice as i32, stop.flag());
        let _ = flag::register(signal, stop.flag());
    }
    // A file that may grow no further (`ulimit -f`) is an error where it is written, not
    // the end of the program.
    #[cfg(unix)]
    let _ = flag::register(signal::SIGXFSZ, std::sync::Arc::default());
    stop
}
