//! Bounds the memory of what was read and waits to be written.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lets threads go on reading while what they hold together is within a bound. The thread
/// that reads what is written next always goes on, so that at least one does.
pub(super) struct MemoryBudget {
    bytes_max: usize,
    state: Mutex<MemoryBudgetState>,
    turn: Condvar,
}

#[derive(Default)]
struct MemoryBudgetState {
    /// Bytes of all that is read and not yet written.
    held: usize,
    /// The step that is written next.
    next: u64,
}

impl MemoryBudget {
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            state: Mutex::default(),
            turn: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, MemoryBudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is read for a step has grown by `bytes`: waits until there is room,
    /// or it is the step's turn.
    pub(super) fn grow(&self, step: u64, bytes: usize) {
        let mut state = self.state();
        state.held += bytes;
        while state.held > self.bytes_max && step > state.next {
            state = self
                .turn
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A step is written; `bytes` were held for it.
    pub(super) fn written(&self, step: u64, bytes: usize) {
        let mut state = self.state();
        state.held -= bytes;
        state.next = step + 1;
        self.turn.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_next_in_order_goes_on() {
        let gate = MemoryBudget::new(100);
        let most = Mutex::new((0, 0));
        std::thread::scope(|scope| {
            // The later ones come first and take all the room.
            for step in (0..50).rev() {
                let (gate, most) = (&gate, &most);
                scope.spawn(move || {
                    for _ in 0..3 {
                        gate.grow(step, 20);
                    }
                    let mut done = most.lock().expect("no panic");
                    done.0 += 60;
                    done.1 = done.1.max(done.0);
                    // Written in order only.
                    drop(done);
                    while gate.state().next != step {
                        std::thread::yield_now();
                    }
                    most.lock().expect("no panic").0 -= 60;
                    gate.written(step, 60);
                });
            }
        });
        assert_eq!(gate.state().held, 0);
        let (_, most) = *most.lock().expect("no panic");
        // Ready in addition to the next one: no more than there is room for.
        assert!(most <= 100 + 60, "{most}");
    }
}
