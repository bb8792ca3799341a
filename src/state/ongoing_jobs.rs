//! Running jobs, as the window lists them.

/// A job that the user waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct OngoingJobs {
    /// Number that no other job has.
    pub id: u64,
    /// Description of the running job, as in "Looking for findings".
    pub does: String,
    /// Progress of the job in words; empty where unknown.
    pub so_far: String,
    /// Share of the job that is done, 0 to 1.
    pub fraction: f32,
}
