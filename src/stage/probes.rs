use crate::analysis::measure::VertexLocation;

/// The vertex probes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probes {
    /// Clicks on the skin probe the nearest vertex.
    pub is_on: bool,
    /// Probed vertices. The panel shows the last one.
    pub places: Vec<VertexLocation>,
}
