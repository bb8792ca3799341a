//! Weight problems of any weights, ranked by the skin's behaviour in random poses within the natural range of the
//! joints.
//!
//! | file | finds |
//! | --- | --- |
//! | `stretch` | edges that become more than three times as long |
//! | `layers` | surfaces that pass through others that they lay over or under at rest |
//! | `far_joints` | vertices whose joint is much farther away than the joints of their surroundings |
//! | `one_sided` | weights that differ from those of the opposite side of a symmetric character |
//! | `poses` | the poses: each joint alone and many together |
//! | `regions` | connected regions of these problems, and their rank |
//!
//! All poses use LBS and start from the file's rest pose, independent of the user's pose and clip. The same rig gives
//! the same poses for any weights, so that weights can be compared. A joint with limits rotates within them, others by
//! up to 45° about any axis.

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
use far_joints::RestBones;
use layers::Layers;
use regions::Ranking;
use rigscope_core::jobs::Progress;
use rigscope_core::posing::{Limits, Symmetry};
use rigscope_core::rig::{NodeIndex, Pose, Posed, PrimitiveIndex, Rig, SamplingBuffers, VertexList, evaluate_into};
use rigscope_core::skinning::{Deformed, Method, Palette, SkinPose, Skinner, Skinning, palettes_into};
use stretch::EdgeStretch;
use surface::{RestSurface, deform_joined};
pub use table::{SuspectJson, SuspectPartJson, SuspectPoseJson, SuspectTurnJson, SuspectUnit, SuspectsJson};

/// Maximum vertices times poses: larger rigs get fewer poses, but at least [`MIN_POSES`].
const MAX_WORK: usize = 1 << 25;
const MIN_POSES: usize = 24;
const MAX_POSES: usize = 2048;

/// Maximum number of listed regions, highest rank first.
pub const MAX_SUSPECTS: usize = 100;

/// Kind of weight problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuspectKind {
    /// Edges become more than three times as long as at rest.
    Stretch,
    /// A surface passes through another that it lay over or under at rest.
    Crossing,
    /// Vertices follow a joint much farther away than the joints of their surroundings.
    FarJoint,
    /// The weights differ from those of the opposite side.
    OneSided,
}

/// A connected region of vertices whose weights are suspicious.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Kind of problem.
    pub kind: SuspectKind,
    /// Severity at the worst position: for [`SuspectKind::Stretch`] the length relative to rest; for
    /// [`SuspectKind::Crossing`] the depth and for [`SuspectKind::FarJoint`] the mean distance from the joint's bone,
    /// metres; for [`SuspectKind::OneSided`] the fraction of the weight that differs, 0 to 1.
    pub measure: f32,
    /// The joint with doubtful weights, then those that the surroundings follow.
    pub joints: Vec<NodeIndex>,
    /// Rotations of the joints, `Ul_j`, in the worst pose; all others are at rest.
    pub turns: Vec<(NodeIndex, Quat)>,
    /// Middle of the region at rest, metres, world space.
    pub place: Vec3,
    /// Fraction of the whole surface, 0 to 1.
    pub area_share: f32,
    /// Vertices of the region by part.
    pub parts: Vec<(PrimitiveIndex, VertexList)>,
}

impl Suspect {
    /// Returns the user's pose in which the region is worst.
    pub fn pose(&self, rig: &Rig) -> Pose {
        poses::turned(rig, &self.turns)
    }

    /// Returns the number of vertices in the region.
    pub fn vertex_count(&self) -> usize {
        self.parts.iter().map(|(_, vertices)| vertices.count()).sum()
    }
}

/// Weight problems of a rig.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suspects {
    /// Regions by area times severity, highest first, at most [`MAX_SUSPECTS`].
    pub list: Vec<Suspect>,
    /// Number of all regions, listed or not.
    pub count: usize,
    /// Number of tested poses.
    pub poses: usize,
    /// Number of edges and triangles visited over all poses, a measure of the cost.
    pub work: usize,
}

/// Finds weight problems of a rig; for a [`rigscope_core::rig::WeightSet`], pass [`Rig::with_weights`]. `None` if cancelled or
/// beyond [`super::MAX_VERTICES`].
///
/// *Cost*: linear in vertices times poses; large rigs are tested in fewer poses. Runs on all cores. Results do not depend on the
/// number of cores.
pub fn suspects(rig: &Arc<Rig>, limits: &Limits, progress: &Progress) -> Option<Suspects> {
    measurable(rig)?;
    progress.go_on()?;
    let most = (MAX_WORK / rig.vertex_count().max(1)).clamp(MIN_POSES, MAX_POSES);
    let poses = poses::random_poses(rig, limits, most);
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
        progress.go_on()?;
        let positions = bench.positions(&pose.pose(rig));
        stretch.look(positions, number);
        work += surface.graph.edges.len() + layers.look(positions, number);
        progress.add(1);
    }
    let far = far_joints::far_regions(&surface, &bones, size, progress)?;
    progress.add(1);
    let one_sided = one_sided::one_sided(&surface, &bones, Symmetry::found(rig).as_ref(), size, progress)?;
    progress.add(1);
    let mut ranking = Ranking::new(&surface, &bones);
    ranking.stretched(&stretch);
    ranking.crossed(&layers);
    ranking.one_sided(one_sided);
    ranking.far(far);
    let (list, count) = ranking.into_list(&stretch, &poses);
    Some(Suspects { list, count, poses: poses.len(), work })
}

/// A rig posed repeatedly in reused memory.
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

    /// Returns the positions of all vertices in a pose, world space.
    fn positions(&mut self, pose: &Pose) -> &[Vec3] {
        let Self { skinner, sampling, posed, palettes: [by_skin, palettes], part, positions } = self;
        let rig = skinner.rig();
        evaluate_into(rig, None, pose, sampling, posed);
        palettes_into(rig, posed, by_skin, palettes);
        deform_joined(skinner, SkinPose { posed, palettes }, part, positions);
        positions
    }
}
