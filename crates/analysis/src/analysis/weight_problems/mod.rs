//! Weight problems, ranked by how the skin behaves in random poses within the natural range of the joints.
//!
//! All poses use LBS and start from the file's rest pose, ignoring the user's pose and clip. The poses don't depend on
//! the weights, so that results can be compared. Joints rotate within their limits, or by up to 45° about any axis.

mod far_joints;
mod layers;
mod one_sided;
mod poses;
mod regions;
mod stretch;
mod surface;
mod table;

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::{Topology, measurable};
pub(super) use far_joints::{FarRegion, RestBones, at_other_side, far_regions};
pub(super) use layers::Layers;
pub(super) use poses::{Random, rest_pose_with_rotations, unconstrained_joints};
use regions::Ranking;
use rigscope_core::jobs::Progress;
use rigscope_core::posing::{Limits, Symmetry};
use rigscope_core::rig::{NodeIndex, Pose, Posed, PrimitiveIndex, Rig, SamplingBuffers, VertexList, evaluate_into};
use rigscope_core::skinning::{Deformed, Method, Palette, SkinPose, Skinner, Skinning, palettes_into};
use stretch::EdgeStretch;
use surface::deform_joined;
pub(super) use surface::{RestSurface, cross};
pub use table::{
    JointRotationJson, WeightProblemJson, WeightProblemPoseJson, WeightProblemUnit, WeightProblemVerticesJson,
    WeightProblemsJson,
};

/// Maximum product of vertices and poses. Larger rigs get fewer poses, but at least [`MIN_POSES`].
const MAX_WORK: usize = 1 << 25;
const MIN_POSES: usize = 24;
const MAX_POSES: usize = 2048;

/// Maximum number of regions to list, highest rank first.
pub const MAX_WEIGHT_PROBLEMS: usize = 100;

/// Kind of weight problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WeightProblemKind {
    /// Edges stretch to more than three times their length at rest.
    Stretch,
    /// A surface passes through another surface that it is over or under at rest.
    Crossing,
    /// Vertices follow a joint much farther away than the joints that nearby vertices follow.
    FarJoint,
    /// The weights differ from the weights on the opposite side.
    OneSided,
}

/// Connected region of vertices with wrong weights.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightProblem {
    /// Kind of problem.
    pub kind: WeightProblemKind,
    /// Severity at the worst point, by kind. [`WeightProblemKind::Stretch`]: length relative to rest.
    /// [`WeightProblemKind::Crossing`]: depth, metres. [`WeightProblemKind::FarJoint`]: mean distance from the joint's
    /// bone, metres. [`WeightProblemKind::OneSided`]: fraction of the weight that differs, 0 to 1.
    pub measure: f32,
    /// Joint with wrong weights, then the joints that the surrounding surface follows.
    pub joints: Vec<NodeIndex>,
    /// Joint rotations `Ul_j` in the worst pose; all other joints are at rest.
    pub turns: Vec<(NodeIndex, Quat)>,
    /// World-space centre of the region at rest, metres.
    pub place: Vec3,
    /// Area of the region as a fraction of the whole surface, 0 to 1.
    pub area_fraction: f32,
    /// Vertices of the region, by primitive.
    pub primitives: Vec<(PrimitiveIndex, VertexList)>,
}

impl WeightProblem {
    /// Returns the user pose in which the region is worst.
    pub fn pose(&self, rig: &Rig) -> Pose {
        poses::rest_pose_with_rotations(rig, &self.turns)
    }

    /// Returns the number of vertices in the region.
    pub fn vertex_count(&self) -> usize {
        self.primitives.iter().map(|(_, vertices)| vertices.count()).sum()
    }
}

/// Weight problems of a rig.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightProblems {
    /// Regions sorted by area times severity, highest first; at most [`MAX_WEIGHT_PROBLEMS`].
    pub list: Vec<WeightProblem>,
    /// Total number of regions, listed or not.
    pub count: usize,
    /// Number of poses tested.
    pub poses: usize,
    /// Number of edges and triangles visited in all poses, as a measure of cost.
    pub work: usize,
}

/// Finds the weight problems of a rig, in parallel. To check a [`rigscope_core::rig::WeightSet`], pass the result of
/// [`Rig::with_weights`]. Returns `None` if cancelled or if the rig exceeds [`super::MAX_VERTICES`].
///
/// *Cost*: linear in vertices times poses; large rigs get fewer poses. Results don't depend on the number of cores.
pub fn find_weight_problems(rig: &Arc<Rig>, limits: &Limits, progress: &Progress) -> Option<WeightProblems> {
    measurable(rig)?;
    progress.check_cancelled()?;
    let max_poses = (MAX_WORK / rig.vertex_count().max(1)).clamp(MIN_POSES, MAX_POSES);
    let poses = poses::random_poses(rig, limits, max_poses);
    progress.enter("Finding weight problems", 0, poses.len() + 4);
    // LBS supports every rig.
    let skinner = Skinner::new(rig, &Skinning::new(Method::Lbs)).ok()?;
    let mut bench = RepeatedPoser::new(&skinner);
    let rest = Pose::rest(&rig.hierarchy);
    let surface = RestSurface::new(rig, &Topology::new(rig), bench.positions(&rest).to_vec());
    let bones = RestBones::new(rig, &bench.posed);
    progress.add(1);
    let size = rig.size();
    let mut stretch = EdgeStretch::new(&surface.graph.edges, &surface.rest, size);
    let mut layers = Layers::new(&surface, (&rig.hierarchy, &bones), size, progress)?;
    progress.add(1);
    let mut work = 0;
    for (number, pose) in (0..).zip(&poses) {
        progress.check_cancelled()?;
        let positions = bench.positions(&pose.pose(rig));
        stretch.add_pose(positions, number);
        work += surface.graph.edges.len() + layers.look(positions, number);
        progress.add(1);
    }
    let far = far_regions(&surface, &bones, size, progress)?;
    progress.add(1);
    let one_sided = one_sided::one_sided(&surface, &bones, Symmetry::find(rig).as_ref(), size, progress)?;
    progress.add(1);
    let mut ranking = Ranking::new(&surface, &bones);
    ranking.stretched(&stretch);
    ranking.crossed(&layers);
    ranking.one_sided(one_sided);
    ranking.far(far);
    let (list, count) = ranking.into_list(&stretch, &poses);
    Some(WeightProblems { list, count, poses: poses.len(), work })
}

struct RepeatedPoser<'a> {
    skinner: &'a Skinner,
    sampling: SamplingBuffers,
    posed: Posed,
    palettes: [Vec<Arc<Palette>>; 2],
    part: Deformed,
    positions: Vec<Vec3>,
}

impl<'a> RepeatedPoser<'a> {
    fn new(skinner: &'a Skinner) -> Self {
        Self {
            skinner,
            sampling: SamplingBuffers::default(),
            posed: Posed::default(),
            palettes: Default::default(),
            part: Deformed::default(),
            positions: Vec::new(),
        }
    }

    fn positions(&mut self, pose: &Pose) -> &[Vec3] {
        let Self { skinner, sampling, posed, palettes: [by_skin, palettes], part, positions } = self;
        let rig = skinner.rig();
        evaluate_into(rig, None, pose, sampling, posed);
        palettes_into(rig, posed, by_skin, palettes);
        deform_joined(skinner, SkinPose { posed, palettes }, part, positions);
        positions
    }
}
