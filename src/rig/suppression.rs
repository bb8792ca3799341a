//! Findings that the author of a file has marked as meant.

/// A kind of finding that the author of a file suppresses, as the file says it: neither code nor reason need be of any use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// Part of the file that says so.
    pub place: SuppressionPlace,
    /// Code of the findings; empty where the file gives no list of codes.
    pub code: String,
    /// Why they are meant; empty where the file gives no text.
    pub reason: String,
}

/// Part of a file that suppresses findings about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressionPlace {
    /// The file as a whole.
    File,
    /// A node, by its number in the file.
    Node(usize),
    /// A mesh, by its number in the file.
    Mesh(usize),
}

impl Suppression {
    /// Most suppressions of a file that are read; one more shows that there are more.
    pub const MOST: usize = 1000;
}
