//! Vertices that the user looks at.

use crate::analysis::measure::VertexPlace;

/// The vertex probes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probes {
    /// True where a click on the skin probes the nearest vertex.
    pub is_on: bool,
    /// Places of the probed vertices; the panel shows the last.
    pub places: Vec<VertexPlace>,
}
