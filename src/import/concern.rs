//! Aspects of a character that warnings affect, so that a command reports only warnings that matter to it.

/// Aspect of a character that a warning affects, in ascending order: a command that uses one also uses those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarningScope {
    /// Joints, surfaces and clips.
    Shape,
    /// Vertex colours.
    Colors,
    /// Materials, textures, lights and everything else that only affects rendering.
    Looks,
    /// Conformance of the file: everything is read, but stricter programs may reject it.
    Form,
}
