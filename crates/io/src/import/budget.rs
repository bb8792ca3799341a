use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug)]
pub(super) struct MemoryBudget(AtomicU64);

impl MemoryBudget {
    pub(super) fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    pub(super) fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, bytes: u64) {
        // The closure never returns `None`.
        _ = self.0.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_add(bytes)));
    }

    /// Takes `bytes` from the budget. Returns false and takes nothing if fewer bytes are left.
    pub(super) fn charge(&self, bytes: u64) -> bool {
        self.0.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    /// Tries to reserve `kept + meanwhile` bytes, then calls `make`, passing true if this succeeded. Afterwards,
    /// releases `meanwhile` bytes if `make` succeeded, otherwise all of them.
    pub(super) fn with_reserved<T, E>(
        &self,
        kept: u64,
        meanwhile: u64,
        make: impl FnOnce(bool) -> Result<T, E>,
    ) -> Result<T, E> {
        let bytes = kept.saturating_add(meanwhile);
        let is_enough = self.charge(bytes);
        let result = make(is_enough);
        if is_enough {
            self.add(if result.is_ok() { meanwhile } else { bytes });
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_budget_rejects_charges_beyond_the_rest() {
        let budget = MemoryBudget::new(10);
        assert!(budget.charge(7) && !budget.charge(4));
        assert_eq!(budget.left(), 3);
        assert!(budget.charge(3) && budget.charge(0) && !budget.charge(1));
        budget.add(2);
        assert!(budget.charge(2) && !budget.charge(1));
    }
}
