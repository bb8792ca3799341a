//! What runs beside the frame loop, as the window lists it.

/// A job that the user waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ongoing {
    /// Of no other job.
    pub id: u64,
    /// What it does, as in "Looking for findings".
    pub does: String,
    /// How far it is, in words; empty where nobody knows.
    pub so_far: String,
    /// How much of it is done, 0 to 1.
    pub fraction: f32,
}
