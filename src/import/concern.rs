//! Parts of a character that warnings are about, so that a command tells only what it uses.

/// The part of a character that a warning is about, from the least: a command that uses one part also uses those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Joints, surfaces, clips: what moves, and where.
    Shape,
    /// Vertex colours.
    Colors,
    /// Materials, textures, lights, and whatever else only a picture shows.
    Looks,
    /// The form of the file, where everything is read all the same and only stricter programs mind.
    Form,
}
