use std::cell::Cell;

thread_local! {
    /// True to simulate a driver that silently fails to make contexts current on this thread.
    pub(crate) static STAYS_NOT_CURRENT: Cell<bool> = const { Cell::new(false) };
}
