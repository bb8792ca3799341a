//! Ranks all joints of a rig by how much volume their regions lose with linear blending.

use std::cmp::Ordering;

use glam::DVec3;

use super::ranges::JointRanges;
use super::region::Region;
use super::sweep::{RotationTester, SkinningVariant};
use super::{Axes, RotationKind, TestRange, TestRotation, TwistTest, smallest};
use crate::analysis::measure::SurfaceSize;
use crate::analysis::region::{MIN_SURFACE, MIN_TRIANGLES, Regions, RemainingVolume, is_too_thin, joint_above};
use crate::analysis::{MAX_VERTICES, Topology};
use rigscope_core::jobs::{Progress, try_map};
use rigscope_core::posing::Limits;
use rigscope_core::rig::{NodeIndex, Pose, Posed, PrimitiveIndex, Rig};
use rigscope_core::skinning::{Deformed, Method, RigSkinning, Skinning, deform_positions_into, palettes};

/// Maximum number of region vertices, summed over joints. This many vertices take half a minute of processor time.
const MAX_WORK: u64 = 1 << 25;

/// Why joints cannot be ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RankError {
    /// The regions have too many vertices, summed over all joints.
    #[error(
        "The joints of this file and their parents move {0} vertices, one counted for each; up to {MAX_WORK} can be ranked. Test single joints instead"
    )]
    TooLarge(u64),
    /// The rig draws more than [`MAX_VERTICES`] vertices.
    #[error(
        "This file draws {0} vertices; joints of up to {MAX_VERTICES} can be ranked. Test single joints of a smaller file instead"
    )]
    TooManyVertices(usize),
}

impl RankError {
    /// Checks that the rig is not too large to be ranked. *Cost*: linear in nodes. *Errors*: the rig is too large.
    pub fn check(rig: &Rig) -> Result<(), Self> {
        if rig.vertex_count() > MAX_VERTICES {
            return Err(Self::TooManyVertices(rig.vertex_count()));
        }
        let moved = |node: NodeIndex| rig.moved_vertices(node) as u64;
        let joints = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node));
        let work: u64 = joints.map(|joint| moved(joint) + joint_above(rig, joint).map_or(0, moved)).sum();
        if work > MAX_WORK { Err(Self::TooLarge(work)) } else { Ok(()) }
    }
}

/// Joint and its worst rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRank {
    /// The ranked joint.
    pub joint: NodeIndex,
    /// Fraction of the region's volume lost with LBS at the worst rotation, 0 to 1; NaN if the region has no volume.
    pub loss: f32,
    /// Maximum change in `loss` if the region's openings were capped differently.
    pub uncertainty: f32,
    /// Axis of the worst rotation.
    pub motion: RotationKind,
    /// Angle of the worst rotation, radians.
    pub angle: f32,
    /// Number of triangles in the region.
    pub triangles: usize,
    /// True if the region has fewer than 50 triangles or less than 0.1 % of the whole surface.
    pub is_speck: bool,
}

impl JointRank {
    /// Returns true if the uncertainty exceeds both half the loss and 5 %.
    pub fn is_too_thin(&self) -> bool {
        is_too_thin(self.loss, self.uncertainty)
    }

    /// Returns the list that contains the joint.
    pub fn rank_list(&self) -> RankList {
        match (self.is_speck, self.is_too_thin()) {
            (true, _) => RankList::Speck,
            (false, true) => RankList::TooThin,
            (false, false) => RankList::Ranked,
        }
    }
}

/// The lists that joints are divided into, in display order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RankList {
    /// Ranked by loss.
    Ranked,
    /// Unranked because the loss is uncertain; see [`JointRank::is_too_thin`].
    TooThin,
    /// Unranked because the region has hardly any surface; see [`JointRank::is_speck`].
    Speck,
}

impl RankList {
    /// Returns the heading of a list of unranked joints.
    pub fn heading(self) -> Option<&'static str> {
        match self {
            Self::Ranked => None,
            Self::TooThin => Some("Too thin to tell: other caps would change the loss by more than half"),
            Self::Speck => Some("Specks: under 0.1 % of the surface or 50 triangles"),
        }
    }
}

/// Ranks all joints: largest loss first, then joints whose regions have no volume, joints whose loss is uncertain, and
/// specks. Returns `None` if cancelled or if [`RankError::check`] fails.
///
/// The worst rotation of a joint is [`super::Sweep::worst`] with LBS over the joint's range. [`TestRange::Full`] tests
/// the same rotations as [`TwistTest::full`]. `limits` are used only by [`TestRange::Limits`]. `posed` must be the
/// evaluation of `pose`.
/// *Cost*: linear in the vertices that each joint and its parent move.
pub fn rank(
    rig: &Rig,
    topology: &Topology,
    (posed, pose): (&Posed, &Pose),
    (range, limits): (TestRange, &Limits),
    progress: &Progress,
) -> Option<Vec<JointRank>> {
    RankError::check(rig).ok()?;
    let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
    let ranges = JointRanges::new(rig, range, limits);
    let test = |&joint: &NodeIndex| {
        let axes = Axes::natural(rig, posed, pose, joint);
        TwistTest { joint, axes, turns: ranges.range(joint, axes, (posed, pose)).rotations() }
    };
    let tests: Vec<TwistTest> = joints.iter().map(test).collect();
    progress.begin(tests.iter().map(|test| test.turns.len()).sum());
    progress.check_cancelled()?;
    let (regions, straight) = (Regions::new(rig, topology), straight(rig, posed));
    let min_area = MIN_SURFACE * area(rig, &straight);
    let lbs = Skinning::new(Method::Lbs);
    let way = SkinningVariant { rig, skinning: RigSkinning { skinning: &lbs, centers: None }, straight: &straight };
    let ranked = |test: &TwistTest| {
        let region = Region::new(rig, topology, regions.patches(test.joint));
        worst(&region, way, (posed, pose), test, min_area, progress)
    };
    let mut all: Vec<JointRank> = try_map(&tests, progress, ranked)?;
    all.sort_by(|a, b| a.rank_list().cmp(&b.rank_list()).then(by_loss(a, b)));
    Some(all)
}

fn straight(rig: &Rig, posed: &Posed) -> Vec<Vec<Deformed>> {
    let instances = rig.instances.iter().zip(palettes(rig, posed)).zip(&posed.morph_weights);
    let parts = instances.map(|((instance, palette), weights)| {
        let part = |primitive| {
            let mut deformed = Deformed::default();
            deform_positions_into(primitive, &palette, weights, Method::Lbs, &mut deformed);
            deformed
        };
        rig.meshes[instance.mesh].primitives.iter().map(part).collect()
    });
    parts.collect()
}

fn area(rig: &Rig, surfaces: &[Vec<Deformed>]) -> f64 {
    let parts = rig.parts().zip(surfaces.iter().flatten());
    let area = |(PrimitiveIndex { instance, primitive }, deformed): (PrimitiveIndex, &Deformed)| {
        let primitive = &rig.meshes[rig.instances[instance].mesh].primitives[primitive];
        SurfaceSize::of_triangles(primitive.indices.as_chunks().0, &deformed.positions, DVec3::ZERO, 1.0).area
    };
    parts.map(area).sum()
}

fn worst(
    region: &Region,
    way: SkinningVariant<'_>,
    pose: (&Posed, &Pose),
    test: &TwistTest,
    min_area: f64,
    progress: &Progress,
) -> Option<JointRank> {
    let bench = RotationTester::new(&[way], pose, (test.joint, test.axes), region)?;
    let left: Vec<RemainingVolume> = bench.volumes_left(&test.turns, progress)?.concat();
    let (at, ratio) = smallest(left.iter().map(|left| left.ratio)).unwrap_or((0, f32::NAN));
    let uncertainty = left.get(at).map_or(f32::NAN, |left| left.uncertainty);
    let TestRotation { motion, angle } = test.turns[at];
    let triangles = region.triangles();
    let is_speck = triangles < MIN_TRIANGLES || bench.sizes().any(|size| size.area < min_area);
    // A region turned inside out counts as completely lost.
    let loss = (1.0 - ratio).clamp(0.0, 1.0);
    Some(JointRank { joint: test.joint, loss, uncertainty, motion, angle, triangles, is_speck })
}

fn by_loss(a: &JointRank, b: &JointRank) -> Ordering {
    let falling = b.loss.partial_cmp(&a.loss).unwrap_or_else(|| a.loss.is_nan().cmp(&b.loss.is_nan()));
    falling.then(a.joint.cmp(&b.joint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use rigscope_core::rig::testing::{chain, skinned};
    use rigscope_core::rig::{Hierarchy, Influences, NodeDescription, Primitive, RigData, Trs, evaluate};

    /// Returns a ribbon of quads along y in which each row follows one joint.
    fn ribbon(hierarchy: Hierarchy, rows: u32) -> Rig {
        let corner = |row: u32, side: u32| 2 * row + side;
        let quad = |row| [(row, 0), (row, 1), (row + 1, 0), (row + 1, 0), (row, 1), (row + 1, 1)];
        let primitive = Primitive {
            positions: (0..2 * rows).map(|v| Vec3::new((v % 2) as f32, (v / 2) as f32, 0.0)).collect(),
            indices: (0..rows - 1).flat_map(quad).map(|(row, side)| corner(row, side)).collect(),
            influences: Some(Influences::new(
                1,
                (0..2 * rows).map(|v| (v / 2 * hierarchy.len() as u32 / rows) as u16).collect(),
                vec![1.0; 2 * rows as usize],
            )),
            ..Primitive::default()
        };
        Rig::new(skinned(hierarchy, primitive))
    }

    fn work(rig: &Rig) -> usize {
        let pose = Pose::rest(&rig.hierarchy);
        let (topology, posed, lbs) = (Topology::new(rig), evaluate(rig, None, &pose), Skinning::new(Method::Lbs));
        let (regions, straight) = (Regions::new(rig, &topology), straight(rig, &posed));
        let way = SkinningVariant { rig, skinning: RigSkinning { skinning: &lbs, centers: None }, straight: &straight };
        let of = |joint| {
            let axes = Axes::natural(rig, &posed, &pose, joint);
            let region = Region::new(rig, &topology, regions.patches(joint));
            RotationTester::new(&[way], (&posed, &pose), (joint, axes), &region).unwrap().work()
        };
        rig.hierarchy.nodes().map(of).sum()
    }

    fn star(count: usize) -> Hierarchy {
        let child = |_| NodeDescription::default();
        let root = NodeDescription { children: (1..count).collect(), ..NodeDescription::default() };
        Hierarchy::new(&[root].into_iter().chain((1..count).map(child)).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn ranking_cost_is_linear_in_joints_and_vertices() {
        for hierarchy in [|count| chain(count, Trs::IDENTITY), star] {
            // Each vertex follows one joint. It belongs to the regions of that joint and of its child.
            for count in [50, 500] {
                let work = work(&ribbon(hierarchy(count), 1000));
                assert!(work <= 4 * 2000 + 4 * count, "{count} joints: {work}");
            }
        }
    }

    #[test]
    fn a_rig_of_more_vertices_than_are_measured_is_refused_with_the_bound() {
        let mut parts = RigData::clone(&ribbon(chain(1, Trs::IDENTITY), 15_000));
        parts.instances = vec![parts.instances[0].clone(); 560];
        let rig = Rig::new(parts);
        let refused = RankError::check(&rig).unwrap_err();
        assert_eq!(refused, RankError::TooManyVertices(560 * 30_000));
        assert!(refused.to_string().contains("16800000 vertices; joints of up to 16777216"), "{refused}");
    }

    #[test]
    fn a_rig_of_which_each_joint_has_all_vertices_in_its_region_is_refused_with_the_bound() {
        let by_root = |joints: usize| {
            let mut parts = RigData::clone(&ribbon(star(joints), 15_000));
            parts.meshes[0].primitives[0].influences = Some(Influences::new(1, vec![0; 30_000], vec![1.0; 30_000]));
            RankError::check(&Rig::new(parts))
        };
        assert_eq!(by_root(1_000), Ok(()));
        let refused = by_root(1_200).unwrap_err();
        assert_eq!(refused, RankError::TooLarge(1_200 * 30_000));
        assert!(
            refused.to_string().contains("36000000 vertices") && refused.to_string().contains("33554432"),
            "{refused}"
        );
    }
}
