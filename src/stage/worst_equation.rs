//! The equation of the vertex that is farthest from points of another program.

use glam::{DVec3, Vec3};

use super::points::shown_frame;
use super::{PointsSummary, Stage};
use crate::analysis::measure::{SurfaceDistance, VertexLocation};
use crate::analysis::probe::{Probe, ProbeRow, probe};
use crate::rig::{NodeIndex, PrimitiveIndex, Rig};
use crate::rows::rows;
use crate::skinning::deform_some;
use crate::view::Side;

/// The vertex that is farthest from its point, and how its position comes about.
#[derive(Clone, Debug)]
pub struct WorstEquation {
    /// The vertex of the open character.
    pub place: VertexLocation,
    /// Index of its point in the file, from 0.
    pub point_index: u32,
    /// The point as it is in the file, in the file's unit and axes.
    pub file_point: DVec3,
    /// The point in world space, metres.
    pub point: Vec3,
    /// Position of the vertex by the method of the other side, world space, metres.
    pub expected: Vec3,
    /// Terms of its joints.
    pub probe: Probe,
}

impl WorstEquation {
    /// Returns the equation of the vertex with the largest distance, if one side shows points and the other one the
    /// open character.
    pub fn new(stage: &Stage, distance: &SurfaceDistance) -> Option<Self> {
        let of_a = distance.worst?;
        let (side, summary) = PointsSummary::shown(stage)?;
        let pairs = stage.characters.matched_versions()?.ok()?;
        let [points, open] = [side, side.other()].map(|side| stage.actor(side));
        let first = if side == Side::A { &points.rig } else { &open.rig };
        let number = number(first, of_a)?;
        let partner = match pairs.counterparts(true) {
            Some(all) => *all.get(number)? as usize,
            None => number,
        };
        let [of_points, of_open] = if side == Side::A { [number, partner] } else { [partner, number] };
        let place = location(&open.rig, of_open)?;
        let point_place = location(&points.rig, of_points)?;
        let probed = probe(&open.rig, open.pose.skin_pose(), place)?;
        let point = probe(&points.rig, points.pose.skin_pose(), point_place)?.lbs.point;
        let skinned = stage.skinned(side.other());
        let part = PrimitiveIndex { instance: place.instance, primitive: place.primitive };
        let vertex = u32::try_from(place.vertex).ok()?;
        let expected =
            *deform_some(&open.rig, part, &[vertex], open.pose.skin_pose(), skinned.as_rig_skinning()).first()?;
        let point_index = *summary.order.get(of_points)?;
        let frame = summary.frames.get(shown_frame(&points.pose.posed))?;
        let mut in_file = frame.groups.iter().flat_map(|group| &group.positions);
        let file_point = *in_file.nth(point_index as usize)?;
        Some(Self { place, point_index, file_point, point, expected, probe: probed })
    }
}

/// Returns the number of a vertex across the primitives of a rig.
fn number(rig: &Rig, place: VertexLocation) -> Option<usize> {
    let mut before = 0;
    for (part, (_, primitive)) in rig.parts().zip(rig.primitives()) {
        if (part.instance, part.primitive) == (place.instance, place.primitive) {
            return Some(before + place.vertex);
        }
        before += primitive.positions.len();
    }
    None
}

/// Returns the place of a vertex that is numbered across the primitives of a rig.
fn location(rig: &Rig, number: usize) -> Option<VertexLocation> {
    let mut left = number;
    for (part, (_, primitive)) in rig.parts().zip(rig.primitives()) {
        let count = primitive.positions.len();
        if left < count {
            return Some(VertexLocation { instance: part.instance, primitive: part.primitive, vertex: left });
        }
        left -= count;
    }
    None
}

rows! {
    /// Equation of the vertex that is farthest from points of another program: sum_j w_j (T_j v) by linear blending.
    pub struct WorstEquationJson {
        /// Index of the vertex's point in the file, from 0.
        pub point_index: u32,
        /// The point in the file's own unit and axes.
        pub file_point: [f64; 3],
        /// The point in metres and the axes of glTF.
        pub point_m: [f64; 3],
        /// Position of the vertex by the method of side A, metres.
        pub expected_m: [f64; 3],
        /// Distance between point and vertex, metres.
        pub distance_m: f64,
        /// Position v in the bind pose, after morph targets, metres.
        pub bound_m: [f64; 3],
        /// Terms of the joints, largest weight first.
        pub terms: Vec<EquationTermJson>,
        /// Sum of the terms: the vertex by linear blending, metres.
        pub sum_m: [f64; 3],
    }

    /// Contribution of a joint to a vertex.
    pub struct EquationTermJson {
        /// Name of the joint.
        pub joint: String,
        /// Weight w_j.
        pub weight: f32,
        /// T_j v: the vertex moved by this joint alone, metres.
        pub moved_m: [f64; 3],
        /// w_j (T_j v): the joint's contribution, metres.
        pub term_m: [f64; 3],
    }
}

impl WorstEquationJson {
    /// Converts an equation. Coordinates are those of the file; `name` returns a node's name.
    pub fn new(rig: &Rig, equation: &WorstEquation, name: &dyn Fn(NodeIndex) -> String) -> Self {
        let in_file = |point: Vec3| rig.hierarchy.in_file(point);
        let term = |row: &ProbeRow| {
            let moved = in_file(row.point);
            EquationTermJson {
                joint: name(row.joint),
                weight: row.weight,
                moved_m: moved.to_array(),
                term_m: (moved * f64::from(row.weight)).to_array(),
            }
        };
        Self {
            point_index: equation.point_index,
            file_point: equation.file_point.to_array(),
            point_m: in_file(equation.point).to_array(),
            expected_m: in_file(equation.expected).to_array(),
            distance_m: equation.point.distance(equation.expected).into(),
            bound_m: equation.probe.bound.as_dvec3().to_array(),
            terms: equation.probe.rows.iter().map(term).collect(),
            sum_m: in_file(equation.probe.lbs.point).to_array(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::faces;

    #[test]
    fn numbers_and_places_of_vertices_agree() {
        let rig = faces(&[&["a"], &["b"], &["c"]]);
        let places: Vec<VertexLocation> = (0..3).filter_map(|vertex| location(&rig, vertex)).collect();
        assert_eq!(places.iter().map(|place| place.instance).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(places.iter().map(|&place| number(&rig, place)).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
        assert_eq!(location(&rig, 3), None);
    }
}
