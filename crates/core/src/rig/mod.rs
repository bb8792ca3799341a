//! Rigs: imported data, the user's pose, and evaluation ([`evaluate`]). A [`Rig`] is immutable after import.

mod anchor;
mod behaviours;
mod bones;
mod camera;
mod clip;
mod clip_root;
mod clip_tracks;
mod columns;
mod disjoint_sets;
mod euler;
mod extras;
mod face;
mod first_person;
mod front;
mod hierarchy;
mod ik;
mod influences;
mod jagged_array;
mod joint_names;
mod keys;
mod kinematics;
mod limits;
mod material;
mod mesh;
mod morph;
mod names;
mod pins;
mod point_layout;
mod point_space;
mod point_tree;
mod points;
mod polar;
mod pose;
mod pose_fitting;
mod reach;
mod skin;
mod slerp;
mod suppression;
mod tangents;
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub mod testing;
mod trs;
mod unrun_constraint;
mod user_transform;
mod vertex_list;
mod vrm;
mod vrm_blocks;
mod weight_set;
mod welded;
mod world_from_node;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::Arc;

use glam::{Affine3, BVec3, DVec3, Vec3};
use rayon::prelude::*;

pub use behaviours::{
    Behaviours, BoundColor, Collider, ColliderShape, ColorBind, Constraint, ConstraintAxis, ConstraintKind, CoordBind,
    DisabledBehaviours, Expression, ExpressionOverride, LookAt, LookAtAngles, LookAtOutput, LookAtRange, Procedural,
    RestWorlds, SpringBones, SpringChain, SpringJoint, SpringRotations, SpringSettings, SpringState, Springs,
    shown_weights,
};
pub use bones::{Bone, bones, bones_of, drawn_bones, drawn_bones_into};
pub use camera::{FileCamera, FileLens};
pub use clip::{Channel, Clip, Interpolation, Property};
pub use clip_tracks::{ClipTracks, KeySpans};
pub use disjoint_sets::DisjointSets;
pub use euler::EulerOrder;
pub use extras::Extras;
pub use face::{ExpressionIndex, FacePose, LookAtTarget};
pub use first_person::FirstPersonVisibility;
pub use hierarchy::{Hierarchy, HierarchyError, NodeDescription, NodeIndex};
pub use ik::{IkChain, SolverInputs, rest_bend};
pub use influences::{Influences, StoredInfluences};
pub use jagged_array::JaggedArray;
pub use joint_names::{JointNames, find_joints, find_known_joints, joint_names, node_names};
pub use keys::{ClipKey, FrameRate};
pub use kinematics::{
    ClipMoment, Posed, SamplingBuffers, evaluate, evaluate_into, evaluate_pose_into, forward_kinematics,
    forward_kinematics_into,
};
pub use limits::{AxisLimit, JointLimits, Limits};
pub use material::{
    Alpha, Coat, CoordSet, Image, MapKind, Maps, Material, MaterialIndex, MissingTexture, Sheen, Specular, Texture,
    Wrap,
};
pub use mesh::{Mesh, MeshInstance, MorphTarget, Primitive, PrimitiveIndex, VertexStream};
pub use morph::{Morph, MorphIndex, MorphTargetIndex};
pub use names::{common_prefix, name_words, prefix_length, shared_prefix};
pub use pins::{Limbs, Pin, PinError, PinSet};
pub use point_layout::PointLayout;
pub use point_space::{MirrorAxis, PointSpace, PointUnit, UpAxis};
pub use point_tree::PointTree;
pub use points::{PointFrame, PointGroup};
pub use polar::{polar, polar_f64, singular_values};
pub use pose::{Pose, PosedJoint};
pub use pose_fitting::{FittedPose, bind_matrices, bind_pose, pose_for_world};
pub use reach::SkinReach;
pub use skin::{AuthoredMethod, Skin};
pub use suppression::{Suppression, SuppressionTarget};
pub use trs::{Trs, split_shear, unit_rotation};
pub use unrun_constraint::UnsupportedConstraint;
pub use user_transform::{rotate_in_world, user_local_for_world};
pub use vertex_list::VertexList;
pub use vrm::{VrmComponent, VrmMeta, VrmViolations};
pub use vrm_blocks::{StoredImage, VrmBlocks, VrmMaterial};
pub use weight_set::WeightSet;
pub use welded::{Corner, MeshVertex, PointGraph, WeldedMesh, components, hash_bits, position_bits, weld};
pub use world_from_node::world_from_node;

/// Contents of an imported file.
#[derive(Clone, Debug, Default)]
pub struct RigData {
    /// Nodes, parents first.
    pub hierarchy: Hierarchy,
    /// Joints and inverse bind matrices.
    pub skins: Vec<Skin>,
    /// Meshes, positioned by `instances`.
    pub meshes: Vec<Mesh>,
    /// Mesh instances in the default scene.
    pub instances: Vec<MeshInstance>,
    /// Materials, referenced by primitives.
    pub materials: Vec<Material>,
    /// Decoded images, referenced by textures.
    pub images: Vec<Image>,
    /// Original encoded bytes of images that import downscaled, by index into `images`; empty if memory was
    /// insufficient.
    pub full_images: BTreeMap<usize, Arc<[u8]>>,
    /// Animation clips, in file order.
    pub clips: Vec<Clip>,
    /// Cameras in the file.
    pub cameras: Vec<FileCamera>,
    /// VRM node constraints, in file order.
    pub constraints: Vec<Constraint>,
    /// Facial expressions with unique names, presets first.
    pub expressions: Vec<Expression>,
    /// Look-at settings (VRM).
    pub look_at: Option<LookAt>,
    /// Constraints that are reported but not evaluated (FBX).
    pub unrun_constraints: Vec<UnsupportedConstraint>,
    /// Spring chains and their colliders.
    pub spring_bones: SpringBones,
    /// Humanoid bones (VRM), with names such as `leftUpperArm`.
    pub human_bones: Vec<(NodeIndex, String)>,
    /// First-person visibility of each mesh instance; empty if the file is not a VRM.
    pub seen_by: Vec<FirstPersonVisibility>,
    /// Unit vector in the direction that the character faces at rest, world space (VRM).
    pub front: Option<Vec3>,
    /// Whether the file is glTF; some findings are less severe in other files.
    pub is_gltf: bool,
    /// Length unit of the file, metres; `None` if the rig is not from a file.
    pub unit_metres: Option<f64>,
    /// VRM version, 0 or 1; `None` if not a VRM.
    pub vrm_version: Option<u8>,
    /// Violations of the VRM specification, one entry per component with violations.
    pub vrm_faults: Vec<VrmViolations>,
    /// Description and licence (VRM).
    pub vrm_meta: Option<VrmMeta>,
    /// Original VRM data, for export.
    pub vrm_blocks: Option<Arc<VrmBlocks>>,
    /// Suppressions of findings, at most [`Suppression::MAX_COUNT`] + 1. An entry beyond the limit indicates that the file
    /// has too many.
    pub suppressions: Vec<Suppression>,
    /// Texts of other programs, for export (glTF).
    pub extras: Extras,
}

/// An imported rig with derived data, immutable. Derefs to [`RigData`], in which all indices are valid.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    parts: RigData,
    is_joint: Vec<bool>,
    human_bone: HashMap<NodeIndex, usize>,
    skin_reach: Vec<SkinReach>,
    moved_vertices: Vec<u32>,
    joint_prefix: String,
    morphs: Vec<Morph>,
    morph_by_name: HashMap<String, MorphIndex>,
    expression_by_name: HashMap<String, ExpressionIndex>,
    frame_rates: Vec<FrameRate>,
    rests_springs: Vec<bool>,
    clip_tracks: Vec<ClipTracks>,
    behaviours: Behaviours,
    bone_joints: Vec<NodeIndex>,
    bone_children: Vec<Vec<NodeIndex>>,
    bone_tips: Vec<Option<Vec3>>,
    stub_fraction: Vec<f32>,
    main_bone_length: f32,
    is_control: Vec<bool>,
    front: Option<Vec3>,
    rest_bounds: Bounds,
}

impl Deref for Rig {
    type Target = RigData;

    fn deref(&self) -> &RigData {
        &self.parts
    }
}

impl Rig {
    /// Creates a rig and computes its derived data.
    pub fn new(mut parts: RigData) -> Self {
        clip_tracks::share_times(parts.clips.iter_mut().flat_map(|clip| &mut clip.channels));
        let mut rig = Self { parts, ..Self::default() };
        rig.is_joint = vec![false; rig.hierarchy.len()];
        for joint in rig.parts.skins.iter().flat_map(|s| &s.joints) {
            rig.is_joint[joint.index()] = true;
        }
        (rig.skin_reach, rig.moved_vertices) = reach::reach(&rig.parts);
        let names =
            rig.hierarchy.nodes().filter(|node| rig.counts_as_joint(*node)).map(|node| rig.hierarchy.name(node));
        let prefix = names::common_prefix(names).to_owned();
        rig.joint_prefix = prefix;
        rig.morphs = morph::morphs(&rig.parts);
        rig.morph_by_name = (0..).map(MorphIndex).zip(&rig.morphs).map(|(at, m)| (m.name.clone(), at)).collect();
        rig.expression_by_name = rig.indexed_expressions().map(|(at, e)| (e.name.clone(), at)).collect();
        rig.frame_rates = rig.parts.clips.iter().map(Clip::frame_rate).collect();
        rig.clip_tracks = rig.parts.clips.iter().map(ClipTracks::new).collect();
        rig.behaviours = Behaviours::new(&rig.parts.hierarchy, &rig.parts.constraints)
            .with_springs(Springs::new(&rig.parts.hierarchy, &rig.parts.spring_bones));
        rig.limit_springs();
        let bones = rig.parts.human_bones.iter().enumerate().rev();
        rig.human_bone = bones.map(|(at, (node, _))| (*node, at)).collect();
        let rest = rig.rest_from(DVec3::ZERO);
        if !anchor::is_far(rig.rest_bounds) {
            rig.derive_from(&rest);
            return rig;
        }
        // Measures the bounds again relative to the approximate centre, where single precision suffices.
        rig.rest_from(rig.rest_bounds.center().as_dvec3());
        let middle = rig.hierarchy.in_file(rig.rest_bounds.center());
        let anchor = anchor::anchor_near(middle, f64::from(rig.rest_bounds.diagonal()));
        rig.anchored_at(anchor)
    }

    /// Moves the anchor ([`Hierarchy::anchor`]), so that two rigs can share one world space. `anchor` must be exact in
    /// `f32`.
    #[must_use]
    pub fn anchored_at(mut self, anchor: DVec3) -> Self {
        let rest = self.rest_from(anchor);
        self.derive_from(&rest);
        self
    }

    fn rest_from(&mut self, anchor: DVec3) -> Posed {
        self.parts.hierarchy.set_anchor(anchor);
        let rest = evaluate(self, None, &Pose::rest(&self.hierarchy));
        self.rest_bounds = bounds(self, &rest);
        rest
    }

    fn derive_from(&mut self, rest: &Posed) {
        let topology = if self.skins.is_empty() {
            // Without skins, all nodes are posable.
            bones::BoneTopology::new(self, rest, &vec![true; self.hierarchy.len()])
        } else {
            bones::BoneTopology::new(self, rest, &self.is_joint)
        };
        self.bone_joints = topology.joints;
        self.bone_children = topology.children;
        self.bone_tips = topology.tips;
        self.is_control = bones::controls(self);
        self.stub_fraction = bones::stub_fractions(self, rest);
        self.main_bone_length = bones::main_bone_length(self, rest);
        self.front = self.parts.front.or_else(|| front::guessed(&self.parts.hierarchy, rest, &self.bone_joints));
    }

    /// Returns this rig without constraints or springs.
    #[must_use]
    pub fn without_behaviours(mut self) -> Self {
        self.parts.constraints.clear();
        self.parts.spring_bones = SpringBones::default();
        self.behaviours = Behaviours::default();
        self.limit_springs();
        self
    }

    /// Returns the indices of mesh instances that a first-person (`by_itself`) or third-person camera doesn't see.
    pub fn unseen_meshes(&self, by_itself: bool) -> BTreeSet<usize> {
        let unseen = if by_itself { FirstPersonVisibility::Observers } else { FirstPersonVisibility::Itself };
        (0..).zip(&self.seen_by).filter(|(_, seen_by)| **seen_by == unseen).map(|(instance, _)| instance).collect()
    }

    /// Returns whether first-person and third-person cameras see different meshes.
    pub fn has_first_person(&self) -> bool {
        self.seen_by.iter().any(|seen_by| *seen_by != FirstPersonVisibility::All)
    }

    /// Appends clips; their channels must refer to nodes of this rig.
    #[must_use]
    pub fn with_clips(mut self, mut clips: Vec<Clip>) -> Self {
        clip_tracks::share_times(clips.iter_mut().flat_map(|clip| &mut clip.channels));
        self.frame_rates.extend(clips.iter().map(Clip::frame_rate));
        self.clip_tracks.extend(clips.iter().map(ClipTracks::new));
        self.parts.clips.append(&mut clips);
        self.limit_springs();
        self
    }

    /// Replaces clips, starting with index `first`; their channels must refer to nodes of this rig.
    #[must_use]
    pub fn with_clips_replaced(mut self, first: usize, mut clips: Vec<Clip>) -> Self {
        clip_tracks::share_times(clips.iter_mut().flat_map(|clip| &mut clip.channels));
        for (at, clip) in (first..self.parts.clips.len()).zip(clips) {
            (self.frame_rates[at], self.clip_tracks[at]) = (clip.frame_rate(), ClipTracks::new(&clip));
            self.parts.clips[at] = clip;
        }
        self.limit_springs();
        self
    }

    fn limit_springs(&mut self) {
        let durations: Vec<f32> = self.parts.clips.iter().map(|clip| clip.duration_secs).collect();
        self.rests_springs = self.behaviours.springs().rest_in_clips(self.parts.hierarchy.len(), &durations);
    }

    /// Returns whether springs stay at rest in a clip because it is too long to simulate ([`Springs::max_steps`]).
    pub fn rests_springs(&self, clip: usize) -> bool {
        self.rests_springs.get(clip).copied().unwrap_or(false)
    }

    /// Returns whether a skin lists the node.
    pub fn is_joint(&self, node: NodeIndex) -> bool {
        self.is_joint[node.index()]
    }

    /// Returns whether the node counts as a joint: a skin lists it, or the rig has no skins.
    pub fn counts_as_joint(&self, node: NodeIndex) -> bool {
        self.skins.is_empty() || self.is_joint(node)
    }

    /// Returns the name of the node's humanoid bone, if the file declares one.
    pub fn human_bone(&self, node: NodeIndex) -> Option<&str> {
        self.human_bone.get(&node).map(|&at| self.human_bones[at].1.as_str())
    }

    /// Returns the common prefix of all joint names, such as `mixamorig:`; without skins, of all node names.
    pub fn joint_prefix(&self) -> &str {
        &self.joint_prefix
    }

    /// Returns the number of drawn vertices that a joint moves with non-zero weight.
    pub fn moved_vertices(&self, node: NodeIndex) -> usize {
        self.moved_vertices[node.index()] as usize
    }

    /// Returns the constraints and springs.
    pub fn behaviours(&self) -> &Behaviours {
        &self.behaviours
    }

    /// Returns all morphs, in file order.
    pub fn morphs(&self) -> &[Morph] {
        &self.morphs
    }

    /// Returns whether a node is a control: other nodes move drawn geometry, but this node and its descendants don't.
    pub fn is_control(&self, node: NodeIndex) -> bool {
        self.is_control[node.index()]
    }

    /// Returns the length-weighted median of the bone lengths at rest, metres; 0 without bones.
    pub fn main_bone_length(&self) -> f32 {
        self.main_bone_length
    }

    /// Returns [`Clip::frame_rate`] of a clip; 30 frames per second if there is no such clip.
    pub fn frame_rate(&self, clip: usize) -> FrameRate {
        self.frame_rates.get(clip).copied().unwrap_or_default()
    }

    /// Returns a clip's channels, prepared for sampling.
    pub fn clip_tracks(&self, clip: usize) -> Option<&ClipTracks> {
        self.clip_tracks.get(clip)
    }

    /// Returns the vertex and influence counts of a skin.
    pub fn skin_reach(&self, skin: usize) -> SkinReach {
        self.skin_reach[skin]
    }

    /// Returns the name of a clip; empty if there is no such clip.
    pub fn clip_name(&self, clip: usize) -> &str {
        self.clips.get(clip).map_or("", |clip| &clip.name)
    }

    /// Returns the number of nodes that skins list.
    pub fn joint_count(&self) -> usize {
        self.is_joint.iter().filter(|&&j| j).count()
    }

    /// Returns the number of drawn vertices.
    pub fn vertex_count(&self) -> usize {
        self.primitives().map(|(_, p)| p.positions.len()).sum()
    }

    /// Returns the bounds of all drawn geometry at rest, world space (relative to [`Hierarchy::anchor`]).
    pub fn rest_bounds(&self) -> Bounds {
        self.rest_bounds
    }

    /// Returns the unit front direction at rest, world space: from the file, or guessed from joint names, or else +Z.
    pub fn front(&self) -> Vec3 {
        self.front.unwrap_or(Vec3::Z)
    }

    /// Returns the diagonal of the rest bounds, metres; 1 if empty.
    pub fn size(&self) -> f32 {
        let size = self.rest_bounds.diagonal();
        if size > 0.0 && size.is_finite() { size } else { 1.0 }
    }

    /// Returns the diagonal of `bounds`, metres; [`Self::size`] if empty.
    pub fn size_of(&self, bounds: Bounds) -> f32 {
        let size = bounds.diagonal();
        if size > 0.0 && size.is_finite() { size.max(1e-6) } else { self.size() }
    }

    /// Iterates over the indices of all drawn primitives, in the order of [`Self::primitives`].
    pub fn parts(&self) -> impl Iterator<Item = PrimitiveIndex> {
        self.instances.iter().enumerate().flat_map(|(instance, placed)| {
            (0..self.meshes[placed.mesh].primitives.len()).map(move |primitive| PrimitiveIndex { instance, primitive })
        })
    }

    /// Iterates over all drawn primitives, with their instances.
    pub fn primitives(&self) -> impl Iterator<Item = (&MeshInstance, &Primitive)> {
        self.instances.iter().flat_map(|i| self.meshes[i.mesh].primitives.iter().map(move |p| (i, p)))
    }
}

/// Axis-aligned bounding box; empty until a point is added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Minimum coordinates.
    pub min: Vec3,
    /// Maximum coordinates.
    pub max: Vec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { min: Vec3::splat(f32::INFINITY), max: Vec3::splat(f32::NEG_INFINITY) }
    }
}

impl FromIterator<Vec3> for Bounds {
    fn from_iter<I: IntoIterator<Item = Vec3>>(points: I) -> Self {
        let mut bounds = Self::default();
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }
}

impl Bounds {
    /// Extends the box to a point. Non-finite points are ignored.
    pub fn add(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// Returns the union of both boxes.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns whether the box is empty.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Returns the centre; the origin if empty.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { (self.min + self.max) * 0.5 }
    }

    /// Returns the corners; undefined if empty.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| Vec3::select(BVec3::new(i & 1 == 0, i & 2 == 0, i & 4 == 0), self.min, self.max))
    }

    /// Returns the length of the diagonal; 0 if empty.
    pub fn diagonal(&self) -> f32 {
        if self.is_empty() { 0.0 } else { self.min.distance(self.max) }
    }
}

const BOUNDED_AT_ONCE: usize = 1 << 15;

/// Returns every `every`-th vertex of the selected primitives in a pose, world space. As in [`bounds`], each vertex
/// follows only its heaviest joint.
pub fn heaviest_points(
    rig: &Rig,
    posed: &Posed,
    every: usize,
    is_asked_for: impl Fn(PrimitiveIndex) -> bool,
) -> Vec<Vec3> {
    let world = |node: NodeIndex| posed.world_from_node[node.index()];
    let mut points = Vec::new();
    for (_, (instance, primitive)) in rig.parts().zip(rig.primitives()).filter(|(part, _)| is_asked_for(*part)) {
        let skinned = primitive.influences.as_ref().zip(instance.skin.and_then(|s| rig.skins.get(s)));
        let matrix = |vertex: usize| {
            let (influences, skin) = skinned?;
            let (joint, _) = influences.vertex(vertex).next()?;
            Some(world(*skin.joints.get(joint)?) * *skin.inverse_bind.get(joint)?)
        };
        let vertices = primitive.positions.iter().enumerate().step_by(every.max(1));
        points.extend(vertices.map(|(vertex, position)| {
            matrix(vertex).unwrap_or_else(|| world(instance.node)).transform_point3(*position)
        }));
    }
    points
}

/// Computes approximate bounds in a pose, world space. For speed, each vertex follows only its heaviest joint.
pub fn bounds(rig: &Rig, posed: &Posed) -> Bounds {
    bounds_of(rig, posed, &|_| true)
}

/// Like [`bounds`], for the selected primitives.
pub fn bounds_of(rig: &Rig, posed: &Posed, is_asked_for: &dyn Fn(PrimitiveIndex) -> bool) -> Bounds {
    let mut bounds = Bounds::default();
    for (_, (instance, primitive)) in rig.parts().zip(rig.primitives()).filter(|(part, _)| is_asked_for(*part)) {
        let world = |node: NodeIndex| posed.world_from_node[node.index()];
        let skin = instance.skin.and_then(|s| rig.skins.get(s));
        match primitive.influences.as_ref().zip(skin) {
            Some((influences, skin)) if influences.per_vertex() > 0 => {
                let binds = skin.joints.iter().zip(&skin.inverse_bind);
                let world_from_skin: Vec<Affine3> = binds.map(|(&joint, bind)| world(joint) * *bind).collect();
                let of_piece = |(positions, joints): (&[Vec3], &[u16])| {
                    let mut bounds = Bounds::default();
                    for (&position, joints) in positions.iter().zip(joints.chunks_exact(influences.per_vertex())) {
                        bounds.add(world_from_skin[usize::from(joints[0])].transform_point3(position));
                    }
                    bounds
                };
                let (positions, joints) = (&primitive.positions, influences.joints());
                bounds = bounds.joined(if positions.len() <= BOUNDED_AT_ONCE {
                    of_piece((positions, joints))
                } else {
                    let heaviest = joints.par_chunks(BOUNDED_AT_ONCE * influences.per_vertex());
                    let pieces = positions.par_chunks(BOUNDED_AT_ONCE).zip(heaviest);
                    pieces.map(of_piece).reduce(Bounds::default, Bounds::joined)
                });
            }
            _ => primitive.positions.iter().for_each(|&p| bounds.add(world(instance.node).transform_point3(p))),
        }
    }
    if bounds.is_empty() {
        for node in rig.hierarchy.nodes() {
            bounds.add(posed.world_from_node[node.index()].translation);
        }
    }
    bounds
}
