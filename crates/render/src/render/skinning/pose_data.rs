use std::sync::Arc;

use glam::{Affine3, Mat3};
use three_d::Context;

use super::frame_data::FrameData;
use crate::render::RenderError;
use crate::render::rig::repeats::first_in_place;
use rigscope_core::actor::SharedPose;
use rigscope_core::rig::{Bounds, Primitive, Rig};
use rigscope_core::skinning::Palette;

const BOUNDS_SAMPLES: usize = 256;

/// A pose of a rig, packed for the graphics card on demand.
#[derive(Default)]
pub(crate) struct PoseData {
    /// Approximate world-space bounds per primitive, in the order of `GpuRig::parts`.
    pub bounds: Vec<Bounds>,
    placements: Vec<Placement>,
    /// For each mesh instance, the first identical instance at the same position; see [`first_in_place`].
    pub first_in_place: Arc<[u32]>,
    packed: Option<FrameData>,
    is_packed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Placement {
    /// Matrix of the first joint or, without a skin, of the instance.
    pub world_from_mesh: Affine3,
    pub mirrors: bool,
    /// Maximum factor by which any joint stretches a mesh axis.
    pub lengthens: f32,
}

impl PoseData {
    pub(crate) fn update(&mut self, rig: &Rig, pose: &SharedPose) {
        self.is_packed = false;
        self.placements.clear();
        self.placements.extend(pose.palettes.iter().map(|palette| Placement::new(palette)));
        self.first_in_place = first_in_place(rig, |instance| self.placement(instance).bits()).into();
        self.bounds.clear();
        let none = Arc::<Palette>::default();
        for (index, instance) in rig.instances.iter().enumerate() {
            let palette = pose.palettes.get(index).unwrap_or(&none);
            let primitives = &rig.meshes[instance.mesh].primitives;
            self.bounds.extend(primitives.iter().map(|primitive| posed_bounds(primitive, palette)));
        }
    }

    /// Returns the placement of an instance, or the default if the pose has fewer instances.
    pub(crate) fn placement(&self, instance: usize) -> Placement {
        self.placements.get(instance).copied().unwrap_or_default()
    }

    pub(crate) fn pack(&mut self, context: &Context, rig: &Rig, pose: &SharedPose) -> Result<&FrameData, RenderError> {
        let packed = match self.packed.take() {
            Some(known) if self.is_packed => known,
            previous => FrameData::new(context, rig, pose, previous)?,
        };
        self.is_packed = true;
        Ok(self.packed.insert(packed))
    }
}

impl Placement {
    fn new(palette: &Palette) -> Self {
        let world_from_mesh = palette.joints.first().map_or(Affine3::IDENTITY, |joint| joint.matrix);
        let longest = |matrix: Mat3| matrix.x_axis.length().max(matrix.y_axis.length()).max(matrix.z_axis.length());
        let lengthens = palette.joints.iter().map(|joint| longest(joint.matrix.matrix3)).fold(0.0, f32::max);
        Self { world_from_mesh, mirrors: palette.mirrors(), lengthens }
    }

    fn bits(self) -> [u32; 12] {
        self.world_from_mesh.to_cols_array().map(f32::to_bits)
    }
}

/// Returns the bounds of evenly sampled vertices, each moved by its heaviest joint. They are used to sort primitives
/// and to place shadows.
fn posed_bounds(primitive: &Primitive, palette: &Palette) -> Bounds {
    let mut bounds = Bounds::default();
    let step = primitive.positions.len().div_ceil(BOUNDS_SAMPLES).max(1);
    for vertex in (0..primitive.positions.len()).step_by(step) {
        let heaviest =
            primitive.influences.as_ref().and_then(|i| i.vertex(vertex).next()).map_or(0, |(joint, _)| joint);
        if let Some(joint) = palette.joints.get(heaviest).or(palette.joints.first()) {
            bounds.add(joint.matrix.transform_point3(primitive.positions[vertex]));
        }
    }
    bounds
}
