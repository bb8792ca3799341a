use std::fmt;

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Weights and bind position of a vertex. As text: `VERTEX X Y Z JOINT:WEIGHT …`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct VertexRow {
    /// Index in the primitive.
    pub vertex: u32,
    /// Bind position, skin space, metres; identifies the vertex in a changed file.
    pub at: Vec3,
    /// Indices into [`super::vertex_rows::PrimitiveRows::joints`], with weights that sum to 1.
    pub weights: Vec<(u16, f32)>,
}

impl fmt::Display for VertexRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { vertex, at, weights } = self;
        write!(f, "{vertex} {} {} {}", at.x, at.y, at.z)?;
        weights.iter().try_for_each(|(joint, weight)| write!(f, " {joint}:{weight}"))
    }
}

impl VertexRow {
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let vertex = words.next()?.parse().ok()?;
        let mut at = Vec3::ZERO;
        for axis in 0..3 {
            at[axis] = words.next()?.parse().ok()?;
        }
        let weight = |word: &str| {
            let (joint, weight) = word.split_once(':')?;
            let (joint, weight): (u16, f32) = (joint.parse().ok()?, weight.parse().ok()?);
            (weight.is_finite() && weight >= 0.0).then_some((joint, weight))
        };
        let weights: Vec<(u16, f32)> = words.map(weight).collect::<Option<_>>()?;
        weights.iter().any(|(_, weight)| *weight > 0.0).then_some(Self { vertex, at, weights })
    }
}

impl From<VertexRow> for String {
    fn from(row: VertexRow) -> Self {
        row.to_string()
    }
}

impl TryFrom<String> for VertexRow {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::read(&text).ok_or_else(|| format!("\"{text}\" is no vertex with its weights"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_row_is_the_same_after_a_file(vertex: u32, at in prop::array::uniform3(-1e6_f32..1e6), joint: u16, weight in 1e-6_f32..1.0) {
            let row = VertexRow { vertex, at: at.into(), weights: vec![(joint, weight), (7, 1.0 - weight)] };
            prop_assert_eq!(VertexRow::try_from(row.to_string()), Ok(row));
        }
    }

    #[test]
    fn invalid_vertex_row_is_rejected() {
        for text in
            ["", "1", "1 0 0", "1 0 0 0", "x 0 0 0 1:1", "1 0 0 0 1:-1", "1 0 0 0 1:NaN", "1 0 0 0 1:0", "1 0 0 0 1"]
        {
            assert!(VertexRow::read(text).is_none(), "{text}");
        }
    }
}
