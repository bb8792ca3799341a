use crate::analysis::measure::VertexLocation;

/// The vertex probes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probes {
    /// True if a click on the skin probes the nearest vertex.
    pub is_on: bool,
    /// Probed vertices. The panel shows the last one.
    pub places: Vec<VertexLocation>,
}
