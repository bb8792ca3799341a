//! Running jobs as listed in the window.

/// A job that the user waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct OngoingJobs {
    /// Unique number.
    pub id: u64,
    /// Description of the running job, as in "Looking for findings".
    pub does: String,
    /// Progress of the job in words; empty where unknown.
    pub so_far: String,
    /// Progress, 0 to 1.
    pub fraction: f32,
}
