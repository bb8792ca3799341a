use std::borrow::Cow;

use glam::{Affine3, DAffine3, DVec3, Vec3};

use super::anchor::far_kinematics;
use super::behaviours::{BehaviourBuffers, SpringRun, apply_expressions, apply_look_at};
use super::clip_root::HeldRoot;
use super::clip_tracks::KeySpans;
use super::columns::PaddedColumns;
use super::pins::FileLocals;
use super::{
    Hierarchy, LookAt, LookAtAngles, Material, NodeIndex, PinError, Pose, PosedJoint, Rig, SpringRotations, Trs,
};

/// A time in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipMoment {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Time from the clip's start, seconds.
    pub time_secs: f32,
    /// True to remove the horizontal motion of the clip's root ([`Rig::clip_root`]) since the clip's start.
    pub holds_root: bool,
}

impl ClipMoment {
    /// Creates a moment in which the root moves as the clip moves it.
    pub fn new(clip: usize, time_secs: f32) -> Self {
        Self { clip, time_secs, holds_root: false }
    }
}

/// Evaluated transforms and morph weights of a rig at one moment.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    /// `C_j`, parent from node: `A_j` as changed by behaviours.
    pub clip_local: Vec<Affine3>,
    /// Original `A_j` of each node that behaviours moved, in evaluation order. A node that several behaviours moved is
    /// listed once per behaviour, with its transform before that behaviour.
    pub replaced: Vec<(NodeIndex, Affine3)>,
    /// `W_j`: world from node, relative to [`Hierarchy::anchor`].
    pub world_from_node: Vec<Affine3>,
    /// `W_p * A_j` of each node if the rig has an anchor, because recomputing it would lose precision; otherwise empty.
    pub world_before_user: Vec<Affine3>,
    /// Morph weights of each mesh instance: the weights in the clip or the file, plus the weights added by the user and
    /// by expressions.
    pub morph_weights: Vec<Vec<f32>>,
    /// Effective expression weights, 0 to 1; empty if no expression is active.
    pub expressions: Vec<f32>,
    /// Materials changed by expressions, sorted by index into `Rig::materials`.
    pub materials: Vec<(usize, Material)>,
    /// Look-at direction, if there is a target.
    pub look_at: Option<LookAtAngles>,
    /// Rotations of the springs, if springs run.
    pub spring_turns: Option<SpringRotations>,
    /// For each joint that pins moved, the `Ul_j` that has the same effect as the pins.
    pub pinned: Vec<PosedJoint>,
    /// Deviation of each pinned joint from its pin.
    pub pin_errors: Vec<PinError>,
}

impl Posed {
    /// Returns a material as changed by expressions; `None` if they don't change it.
    pub fn material(&self, index: usize) -> Option<&Material> {
        let at = self.materials.binary_search_by_key(&index, |(material, _)| *material).ok()?;
        self.materials.get(at).map(|(_, material)| material)
    }

    /// Returns the origin of a node in world space.
    pub fn position(&self, node: NodeIndex) -> Vec3 {
        self.world_from_node[node.index()].translation
    }

    /// Returns whether the node is an eye that the look-at rotates.
    pub fn is_rotated_by_look_at(&self, rig: &Rig, node: NodeIndex) -> bool {
        self.look_at.is_some() && rig.look_at.iter().flat_map(LookAt::eyes).any(|eye| eye == node)
    }

    /// Iterates over the pins that are out of reach.
    pub fn missed_pins(&self, rig: &Rig) -> impl Iterator<Item = &PinError> {
        let size = rig.size();
        self.pin_errors.iter().filter(move |error| error.is_missed(size))
    }

    /// Returns the evaluated pose with the pins replaced by the transforms that they cause.
    pub fn without_pins(&self, pose: &Pose) -> Pose {
        let mut pose = pose.clone();
        pose.set_pins(None);
        pose.set_joints(self.pinned.iter().copied());
        pose
    }

    /// Returns `A_j` of a node, before behaviours changed it.
    pub fn before_behaviours(&self, node: NodeIndex) -> Affine3 {
        let replaced = self.replaced.iter().find(|(turned, _)| *turned == node);
        replaced.map_or(self.clip_local[node.index()], |(_, clip_local)| *clip_local)
    }

    /// Returns `C_j` without the effect of the pins.
    pub fn clip_local_without_pins(&self) -> Cow<'_, [Affine3]> {
        if self.pinned.is_empty() {
            return Cow::Borrowed(&self.clip_local);
        }
        let mut clip_local = self.clip_local.clone();
        for (node, before) in self.replaced.iter().filter(|(node, _)| is_among(&self.pinned, *node)) {
            clip_local[node.index()] = *before;
        }
        Cow::Owned(clip_local)
    }

    /// Returns `C_j * Ul_j`, parent from node; `pose` must be the pose that was evaluated.
    pub fn local(&self, pose: &Pose, node: NodeIndex) -> Affine3 {
        let local = self.clip_local[node.index()];
        pose.user_matrix(node).map_or(local, |user| (local.as_daffine3() * user.as_daffine3()).as_affine3())
    }

    /// Returns `W_p * A_j`, the frame in which the user transform applies.
    pub fn world_before_user(&self, hierarchy: &Hierarchy, node: NodeIndex) -> Affine3 {
        let local = self.clip_local[node.index()];
        let made = || match hierarchy.parent(node) {
            Some(parent) => self.world_from_node[parent.index()] * local,
            None => hierarchy.matrix_from_file(local),
        };
        self.world_before_user.get(node.index()).copied().unwrap_or_else(made)
    }

    /// Computes `W_j` of every node in file coordinates, in single precision.
    pub fn file_from_node(&self, hierarchy: &Hierarchy) -> Vec<Affine3> {
        self.world_from_node.iter().map(|world| hierarchy.matrix_in_file(*world)).collect()
    }
}

/// Reusable buffers for evaluation.
#[derive(Clone, Debug, Default)]
pub struct SamplingBuffers {
    locals: Vec<Trs>,
    spans: KeySpans,
    /// Double-precision translations of `A_j`; only for a rig with an anchor.
    translations: Vec<DVec3>,
    behaviours: BehaviourBuffers,
    springs: Option<Box<SpringRun>>,
}

/// Samples the clip, runs behaviours and applies the user's pose. A clip index out of range counts as no clip.
///
/// Unless the pose sets spring rotations, springs are simulated in steps of [`super::Springs::STEP_SECS`]. Simulation
/// starts at the clip's start; for a moment after the first 11 minutes, it starts 10 to 11 minutes before that moment.
/// Springs stay at rest in clips that are too long to simulate ([`Rig::rests_springs`]). Equal inputs give
/// bit-identical results, independent of earlier evaluations.
pub fn evaluate(rig: &Rig, clip: Option<ClipMoment>, pose: &Pose) -> Posed {
    let mut posed = Posed::default();
    evaluate_into(rig, clip, pose, &mut SamplingBuffers::default(), &mut posed);
    posed
}

/// Like [`evaluate`], reusing buffers. Allocates nothing if the previous call was for the same rig and clip.
pub fn evaluate_into(
    rig: &Rig,
    clip: Option<ClipMoment>,
    pose: &Pose,
    buffers: &mut SamplingBuffers,
    posed: &mut Posed,
) {
    rig.hierarchy.rest_locals().clone_into(&mut posed.clip_local);
    posed.morph_weights.resize_with(rig.instances.len(), Vec::new);
    for (weights, instance) in posed.morph_weights.iter_mut().zip(&rig.instances) {
        weights.clone_from(&instance.morph_weights);
    }
    if let Some(moment) = clip {
        apply_clip(rig, moment, pose, buffers, posed);
    }
    for (morph, weight) in pose.morph_weights() {
        if let Some(morph) = rig.morphs().get(morph.index()) {
            morph.add(weight, &mut posed.morph_weights);
        }
    }
    posed.spring_turns = spring_turns(rig, clip, pose, buffers);
    place(rig, clip, pose, buffers, posed);
    let weights = rig.look_at.as_ref().zip(posed.look_at).and_then(|(look_at, angles)| look_at.weights(angles));
    apply_expressions(rig, pose, weights, posed);
}

fn spring_turns(
    rig: &Rig,
    clip: Option<ClipMoment>,
    pose: &Pose,
    buffers: &mut SamplingBuffers,
) -> Option<SpringRotations> {
    if !rig.behaviours().swings(pose) {
        return None;
    }
    let told = pose.spring_turns().cloned();
    told.or_else(|| buffers.springs.get_or_insert_default().turns(rig, clip, pose))
}

fn place(rig: &Rig, clip: Option<ClipMoment>, pose: &Pose, buffers: &mut SamplingBuffers, posed: &mut Posed) {
    let Posed { clip_local, replaced, look_at, spring_turns, pinned, pin_errors, .. } = &mut *posed;
    replaced.clear();
    pinned.clear();
    pin_errors.clear();
    let is_far = rig.hierarchy.anchor() != DVec3::ZERO;
    buffers.translations.clear();
    if is_far {
        sample_far(rig, clip, pose, clip_local, buffers);
    }
    *look_at = turn_joints(rig, pose, clip_local, &[], buffers, |node, before| replaced.push((node, before)));
    if let Some(pins) = pose.pins() {
        let turned = replaced.len();
        let locals = FileLocals { matrices: clip_local, translations: &mut buffers.translations };
        pins.solve(&rig.hierarchy, pose, locals, (replaced, pinned));
        // Look-at and constraints follow the joints that the pins moved.
        if turned > 0 && !pinned.is_empty() {
            for (node, before) in replaced[..turned].iter().filter(|(node, _)| !is_among(pinned, *node)) {
                clip_local[node.index()] = *before;
            }
            *look_at = turn_joints(rig, pose, clip_local, pinned, buffers, |_, _| ());
        }
    }
    let before_springs = replaced.len();
    rig.behaviours().swing(&rig.hierarchy, (pose, spring_turns.as_ref()), clip_local, replaced);
    if is_far {
        for (node, before) in &replaced[before_springs..] {
            let moved = clip_local[node.index()].translation.as_dvec3() - before.translation.as_dvec3();
            buffers.translations[node.index()] += moved;
        }
    }
    posed.world_from_node.resize(rig.hierarchy.len(), Affine3::IDENTITY);
    if is_far {
        evaluate_far(rig, pose, buffers, posed);
    } else {
        posed.world_before_user.clear();
        forward_kinematics_into(&rig.hierarchy, &posed.clip_local, pose, &mut posed.world_from_node);
    }
    if let Some(pins) = pose.pins() {
        pins.measure(&rig.hierarchy, &posed.world_from_node, &mut posed.pin_errors);
    }
}

fn is_among(joints: &[PosedJoint], node: NodeIndex) -> bool {
    joints.iter().any(|joint| joint.node == node)
}

/// Runs look-at and constraints, except on `pinned` joints. Passes each rotated node with its previous `C_j` to
/// `replaced`.
fn turn_joints(
    rig: &Rig,
    pose: &Pose,
    local: &mut [Affine3],
    pinned: &[PosedJoint],
    buffers: &mut SamplingBuffers,
    mut replaced: impl FnMut(NodeIndex, Affine3),
) -> Option<LookAtAngles> {
    let mut turn = |local: &mut [Affine3], node: NodeIndex, turned: Affine3| {
        if !is_among(pinned, node) {
            replaced(node, std::mem::replace(&mut local[node.index()], turned));
        }
    };
    let evaluated = |of_rig| apply_look_at(of_rig, &rig.hierarchy, pose, local, &mut buffers.behaviours, &mut turn);
    let look_at = rig.look_at.as_ref().and_then(evaluated);
    rig.behaviours().constrain(&rig.hierarchy, pose, local, &mut buffers.behaviours, turn);
    look_at
}

/// Evaluates another user pose at the same moment as `at`. Reuses the morph weights, expressions, materials and spring
/// rotations of `at`.
pub fn evaluate_pose_into(rig: &Rig, at: &Posed, pose: &Pose, buffers: &mut SamplingBuffers, posed: &mut Posed) {
    at.clip_local.clone_into(&mut posed.clip_local);
    for (node, clip_local) in at.replaced.iter().rev() {
        posed.clip_local[node.index()] = *clip_local;
    }
    posed.morph_weights.clone_from(&at.morph_weights);
    posed.expressions.clone_from(&at.expressions);
    posed.materials.clone_from(&at.materials);
    posed.spring_turns = at.spring_turns.clone().filter(|_| rig.behaviours().swings(pose));
    place(rig, None, pose, buffers, posed);
}

/// Samples the translations of `A_j` in double precision, for a rig with an anchor.
fn sample_far(rig: &Rig, clip: Option<ClipMoment>, pose: &Pose, clip_local: &[Affine3], buffers: &mut SamplingBuffers) {
    let SamplingBuffers { spans, translations, .. } = buffers;
    translations.extend(clip_local.iter().map(|local| local.translation.as_dvec3()));
    let moved = clip.and_then(|moment| Some((rig.clips.get(moment.clip)?, rig.clip_tracks(moment.clip)?)));
    if let Some((clip, tracks)) = moved {
        tracks.sample_translations(clip, spans, translations);
    }
    if let Some(root) = clip.and_then(|moment| HeldRoot::new(rig, moment, pose, clip_local)) {
        let translation = &mut translations[root.node.index()];
        *translation = root.hold(*translation);
    }
}

/// Computes the world matrices of a rig with an anchor.
fn evaluate_far(rig: &Rig, pose: &Pose, buffers: &SamplingBuffers, posed: &mut Posed) {
    let Posed { clip_local, world_from_node, world_before_user, .. } = posed;
    world_before_user.resize(rig.hierarchy.len(), Affine3::IDENTITY);
    let local = |node: NodeIndex| {
        let matrix3 = clip_local[node.index()].matrix3.as_dmat3();
        DAffine3 { matrix3, translation: buffers.translations[node.index()] }
    };
    far_kinematics(&rig.hierarchy, local, pose, |node, before, world| {
        world_before_user[node.index()] = before;
        world_from_node[node.index()] = world;
    });
}

fn apply_clip(rig: &Rig, moment: ClipMoment, pose: &Pose, buffers: &mut SamplingBuffers, posed: &mut Posed) {
    let ClipMoment { clip: number, time_secs, .. } = moment;
    let (Some(clip), Some(tracks)) = (rig.clips.get(number), rig.clip_tracks(number)) else { return };
    let SamplingBuffers { locals, spans, .. } = buffers;
    rig.hierarchy.rests().clone_into(locals);
    tracks.sample_into(clip, time_secs, spans, locals);
    for node in tracks.nodes() {
        posed.clip_local[node.index()] = locals[node.index()].to_affine();
    }
    if let Some(root) = HeldRoot::new(rig, moment, pose, &posed.clip_local) {
        let translation = &mut posed.clip_local[root.node.index()].translation;
        *translation = root.hold(translation.as_dvec3()).as_vec3();
    }
    // If import split the mesh of a node, the node has several adjacent instances.
    tracks.sample_morphs(clip, time_secs, |channel, span| {
        for (instance, weights) in rig.instances.iter().zip(&mut posed.morph_weights) {
            if instance.node == channel.node {
                weights.resize(channel.width, 0.0);
                channel.sample_span(span, weights);
            }
        }
    });
}

/// Computes `W_j = W_p * A_j * Ul_j`, parents first, relative to the hierarchy's anchor. `clip_local` (`A_j`) and the
/// result contain one matrix per node. *Source*: `docs/mathematics.md`, Forward kinematics.
pub fn forward_kinematics(hierarchy: &Hierarchy, clip_local: &[Affine3], pose: &Pose) -> Vec<Affine3> {
    let mut world = vec![Affine3::IDENTITY; hierarchy.len()];
    forward_kinematics_into(hierarchy, clip_local, pose, &mut world);
    world
}

/// Like [`forward_kinematics`], writing to `world`.
///
/// # Panics
/// Panics if `clip_local` or `world` is shorter than the hierarchy.
pub fn forward_kinematics_into(hierarchy: &Hierarchy, clip_local: &[Affine3], pose: &Pose, world: &mut [Affine3]) {
    if hierarchy.anchor() != DVec3::ZERO {
        let local = |node: NodeIndex| clip_local[node.index()].as_daffine3();
        far_kinematics(hierarchy, local, pose, |node, _, placed| world[node.index()] = placed);
        return;
    }
    let has_matrices = pose.has_matrices();
    // In depth-first order, the parent is usually the previous node, whose matrix is still in registers.
    let mut last = (None, PaddedColumns::IDENTITY);
    for (node, local) in hierarchy.nodes().zip(clip_local) {
        let user = if has_matrices { pose.user_matrix(node) } else { None };
        let parent = match hierarchy.parent(node) {
            Some(parent) if Some(parent) == last.0 => Some(last.1),
            parent => parent.map(|parent| PaddedColumns::from(&world[parent.index()])),
        };
        let world_from_node = match (parent, user) {
            (None, None) => PaddedColumns::from(local),
            (None, Some(user)) => PaddedColumns::from(local) * user,
            (Some(parent), None) => parent * local,
            (Some(parent), Some(user)) => parent * (PaddedColumns::from(local) * user),
        };
        world[node.index()] = world_from_node.into();
        last = (Some(node), world_from_node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{Channel, Clip, Mesh, MeshInstance, Property, RigData, Trs};

    #[test]
    fn morph_weights_go_to_all_instances_of_their_node_and_to_no_other() {
        let instance = |node| MeshInstance { node: NodeIndex(node), mesh: 0, skin: None, morph_weights: vec![0.25] };
        let channel = Channel::linear(NodeIndex(1), Property::MorphWeights, [0.0], vec![1.0]);
        let rig = Rig::new(RigData {
            hierarchy: chain(3, Trs::IDENTITY),
            meshes: vec![Mesh::default()],
            instances: [1, 2, 0, 1].map(instance).to_vec(),
            clips: vec![Clip { channels: vec![channel], ..Clip::default() }],
            ..RigData::default()
        });
        let weights = |clip| {
            let moment = ClipMoment::new(clip, 0.0);
            evaluate(&rig, Some(moment), &Pose::rest(&rig.hierarchy)).morph_weights.concat()
        };
        assert_eq!(weights(0), [1.0, 0.25, 0.25, 1.0]);
        assert_eq!(weights(1), [0.25; 4], "a clip that the rig lacks is none");
    }
}
