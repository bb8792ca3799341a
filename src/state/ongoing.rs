//! What runs beside the frame loop, as the window lists it.

/// A job that the user waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ongoing {
    /// Number that no other job has.
    pub id: u64,
    /// Words for the running job, as in "Looking for findings".
    pub does: String,
    /// Progress of the job in words; empty where nobody knows.
    pub so_far: String,
    /// Share of the job that is done, 0 to 1.
    pub fraction: f32,
}
