//! Signals for the programs that tests start.

use std::sync::{Arc, Once, atomic::AtomicBool};

use signal_hook::{
    consts::signal::{SIGHUP, SIGINT},
    flag,
};

/// Lets programs that are started from here hear Ctrl-C and a closed terminal, also where
/// the tests themselves run in the background of a script, or under `nohup`, and pass on
/// that these are ignored: a signal that is caught here is a plain one to a child.
pub(crate) fn as_in_a_terminal() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let at_once = Arc::new(AtomicBool::new(true));
        flag::register_conditional_shutdown(SIGINT, 130, at_once).expect("a signal is caught");
        flag::register(SIGHUP, Arc::default()).expect("a signal is caught");
    });
}
