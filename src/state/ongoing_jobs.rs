/// A running job as listed in the window.
#[derive(Clone, Debug, PartialEq)]
pub struct OngoingJobs {
    pub id: u64,
    /// Description for the user, such as "Looking for findings".
    pub does: String,
    /// Progress in words; empty if unknown.
    pub so_far: String,
    /// Progress, 0 to 1.
    pub fraction: f32,
}
