/// A suppression of findings by the file's author, as read from the file; not validated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// Element that the suppression applies to.
    pub place: SuppressionTarget,
    /// Code of the suppressed findings; empty if the file has no list of codes.
    pub code: String,
    /// Reason; empty if the file has none.
    pub reason: String,
}

/// Element of a file that a suppression applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressionTarget {
    /// The whole file.
    File,
    /// A node, by its index in the file.
    Node(usize),
    /// A mesh, by its index in the file.
    Mesh(usize),
}

impl Suppression {
    /// Maximum number of suppressions per file. Import reads one more, to detect files that exceed the limit.
    pub const MAX_COUNT: usize = 1000;
}
