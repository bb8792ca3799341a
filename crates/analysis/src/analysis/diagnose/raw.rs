//! What a file stores: transforms of nodes, joints, influences in the order of the file. In double precision, in the
//! file's coordinates.

use std::borrow::Cow;

use glam::{Affine3, DMat3, DMat4, DQuat, DVec3};

use rigscope_core::rig::{
    Channel, ClipMoment, Influences, NodeIndex, Pose, Posed, Primitive, Property, Rig, StoredInfluences, Trs,
};
use rigscope_core::skinning::Skinning;

use super::pipeline::{
    ByteRounding, MisreadFactor, MisreadNodes, Misreading, NodeScale, Pipeline, RotationEdit, Sampling, TimeOffset,
    WeightChoice,
};
use super::sampling::{normalised, quaternion, sample};

/// Translation, rotation and scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

impl From<&Trs> for Transform {
    fn from(trs: &Trs) -> Self {
        let rotation = normalised(trs.rotation.as_dquat());
        Self { translation: trs.translation.as_dvec3(), rotation, scale: trs.scale.as_dvec3() }
    }
}

impl Transform {
    fn matrix(self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Returns the product of two transforms without its shear, if any.
    fn times(self, inner: Self) -> Self {
        Self {
            translation: self.translation + self.rotation * (self.scale * inner.translation),
            rotation: self.rotation * inner.rotation,
            scale: self.scale * inner.scale,
        }
    }
}

/// The local transform of a node at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    /// `A_j`; without shear if `matrix` is set.
    base: Transform,
    /// Replaces `base`: a matrix in the file, or the result of a behaviour.
    matrix: Option<DMat4>,
    /// `Ul_j`.
    user: Option<Transform>,
    /// Whether the clip rotates the node.
    is_animated: bool,
}

impl Local {
    /// Returns `A_j * Ul_j` without its shear, if any.
    fn product(&self) -> Transform {
        self.user.map_or(self.base, |user| self.base.times(user))
    }

    fn exact_base(&self) -> DMat4 {
        self.matrix.unwrap_or_else(|| self.base.matrix())
    }

    fn exact(&self) -> DMat4 {
        self.user.map_or(self.exact_base(), |user| self.exact_base() * user.matrix())
    }

    pub(super) fn rotation(&self) -> DQuat {
        self.product().rotation
    }

    pub(super) fn scale(&self) -> DVec3 {
        self.product().scale
    }

    /// Returns the parent-from-node matrix as a program with the pipeline's mistakes computes it.
    pub(super) fn matrix(&self, is_joint: bool, pipeline: &Pipeline) -> DMat4 {
        let drops_scale = match pipeline.scale {
            NodeScale::Dropped => true,
            NodeScale::DroppedAtJoints => is_joint,
            _ => false,
        };
        let local = if drops_scale { self.without_scale() } else { *self };
        pipeline.rotation.map_or_else(|| local.exact(), |misreading| local.misread(is_joint, misreading))
    }

    fn without_scale(&self) -> Self {
        let unscaled = |transform: Transform| Transform { scale: DVec3::ONE, ..transform };
        let base = unscaled(self.base);
        Self { base, matrix: self.matrix.map(|_| base.matrix()), user: self.user.map(unscaled), ..*self }
    }

    fn misread(&self, is_joint: bool, Misreading { edit, nodes, factor }: Misreading) -> DMat4 {
        // A matrix has no quaternion to misread.
        let has_quaternion = self.matrix.is_none() || nodes == MisreadNodes::WithMatrices;
        let is_base_read = has_quaternion
            && match nodes {
                MisreadNodes::All | MisreadNodes::WithMatrices => true,
                MisreadNodes::Rotated => self.is_animated || self.base.rotation != DQuat::IDENTITY,
                MisreadNodes::Animated => self.is_animated,
                MisreadNodes::Joints => is_joint,
            };
        let is_user_read = self.user.is_some() && (nodes != MisreadNodes::Joints || is_joint);
        let turned = |transform: Transform| Transform { rotation: edited(transform.rotation, edit), ..transform };
        if factor == MisreadFactor::Product && has_quaternion {
            return if is_base_read || is_user_read { turned(self.product()).matrix() } else { self.exact() };
        }
        let edits_base = is_base_read && matches!(factor, MisreadFactor::Each | MisreadFactor::File);
        let edits_user = is_user_read && factor != MisreadFactor::File;
        let base = if edits_base { turned(self.base).matrix() } else { self.exact_base() };
        let user = self.user.map(|user| if edits_user { turned(user) } else { user });
        user.map_or(base, |user| base * user.matrix())
    }
}

fn edited(rotation: DQuat, edit: RotationEdit) -> DQuat {
    let [x, y, z, w] = rotation.to_array();
    let turned = |rotation: DQuat, factor: f64| {
        let (axis, angle) = rotation.to_axis_angle();
        DQuat::from_axis_angle(axis, angle * factor)
    };
    let shortest = if w < 0.0 { -rotation } else { rotation };
    match edit {
        RotationEdit::ReadAsWxyz => DQuat::from_xyzw(y, z, w, x),
        RotationEdit::WrittenAsWxyz => DQuat::from_xyzw(w, x, y, z),
        RotationEdit::Conjugate => rotation.conjugate(),
        RotationEdit::TimesDegrees => turned(rotation, 1_f64.to_degrees()),
        RotationEdit::PerDegrees => turned(rotation, 1_f64.to_radians()),
        RotationEdit::ShortestTimesDegrees => turned(shortest, 1_f64.to_degrees()),
        RotationEdit::ShortestPerDegrees => turned(shortest, 1_f64.to_radians()),
    }
}

/// Returns a weight from 0 to 255 as an integer.
fn byte(weight: f64, rounding: ByteRounding) -> f64 {
    let single = weight as f32 * 255.0;
    match rounding {
        ByteRounding::Up => f64::from((single + 0.5).floor()),
        ByteRounding::Even => f64::from(single.round_ties_even()),
        ByteRounding::EvenInDouble => (weight * 255.0).round_ties_even(),
        ByteRounding::Down => f64::from(single.floor()),
        ByteRounding::DownWithTolerance => (weight * 255.0 + 1e-4).floor(),
    }
}

#[derive(Clone, Debug)]
pub(super) struct RawNode {
    pub parent: Option<usize>,
    /// Number in the file.
    pub source: usize,
    pub is_joint: bool,
    /// Position in the first skin that lists the node.
    pub rank: Option<usize>,
}

/// A drawn primitive.
pub(super) struct RawPart<'a> {
    pub instance: usize,
    pub node: usize,
    pub skin: Option<usize>,
    pub primitive: &'a Primitive,
    /// Influences as the reference uses them.
    influences: Option<Cow<'a, Influences>>,
    /// Influences as stored, if they differ.
    stored: Option<Influences>,
}

impl RawPart<'_> {
    fn stored(&self) -> Option<&Influences> {
        self.stored.as_ref().or(self.influences.as_deref())
    }

    /// Returns the joint in the first slot of the file.
    pub(super) fn first_stored(&self, vertex: usize) -> Option<usize> {
        self.stored()?.vertex(vertex).next().map(|(joint, _)| joint)
    }

    pub(super) fn influence_count(&self, vertex: usize) -> usize {
        let count = |i: &Influences| i.vertex(vertex).filter(|(_, weight)| *weight > 0.0).count();
        self.stored().map_or(0, count)
    }

    /// Collects the joints of a vertex and their weights; joints with weight 0 are left out.
    pub(super) fn slots(&self, vertex: usize, pipeline: &Pipeline, slots: &mut Vec<(usize, f64)>) {
        slots.clear();
        let source = match pipeline.weights {
            WeightChoice::Imported | WeightChoice::Normalised => self.influences.as_deref(),
            _ => self.stored(),
        };
        slots.extend(source.into_iter().flat_map(|i| i.vertex(vertex)).map(|(joint, w)| (joint, f64::from(w))));
        let heaviest = |slots: &mut Vec<(usize, f64)>, count| {
            slots.sort_by(|a, b| b.1.total_cmp(&a.1));
            slots.truncate(count);
        };
        let normalises = match pipeline.weights {
            WeightChoice::Imported | WeightChoice::Stored => false,
            WeightChoice::Normalised => true,
            WeightChoice::FirstSet { normalises } => {
                slots.truncate(4);
                normalises
            }
            WeightChoice::FirstFour { normalises } => {
                slots.retain(|(_, weight)| *weight > 0.0);
                slots.truncate(4);
                normalises
            }
            WeightChoice::HeaviestFour { normalises } => {
                heaviest(slots, 4);
                normalises
            }
            WeightChoice::Heaviest | WeightChoice::FirstOnly => {
                if pipeline.weights == WeightChoice::Heaviest {
                    heaviest(slots, 1);
                }
                slots.truncate(1);
                for (_, weight) in slots.iter_mut() {
                    *weight = 1.0;
                }
                false
            }
        };
        if let Some(bytes) = pipeline.weight_bytes {
            for (_, weight) in slots.iter_mut() {
                *weight = byte(*weight, bytes.rounding) / 255.0;
            }
        }
        if normalises || pipeline.weight_bytes.is_some_and(|bytes| bytes.normalises) {
            let sum: f64 = slots.iter().map(|(_, weight)| weight).sum();
            if sum > 0.0 {
                for (_, weight) in slots.iter_mut() {
                    *weight /= sum;
                }
            }
        }
        slots.retain(|(_, weight)| *weight > 0.0);
    }
}

/// A rig at one moment.
pub(super) struct RawRig<'a> {
    pub rig: &'a Rig,
    pub nodes: Vec<RawNode>,
    pub parts: Vec<RawPart<'a>>,
    pub locals: Vec<Local>,
    pub rest: Vec<Local>,
    /// Whether the quaternion of each joint is negated under `Signs::Fitted`, by skin.
    pub signs: Vec<Vec<bool>>,
    /// Morph weights by mesh instance.
    pub morphs: Vec<Vec<f64>>,
    pose: &'a Pose,
    posed: &'a Posed,
    moment: Option<ClipMoment>,
    is_held: Vec<bool>,
}

impl<'a> RawRig<'a> {
    /// Returns all vertices, by primitive.
    pub(super) fn vertices(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let sizes = self.parts.iter().map(|part| part.primitive.positions.len()).enumerate();
        sizes.flat_map(|(part, count)| (0..count as u32).map(move |vertex| (part, vertex)))
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.parts.iter().map(|part| part.primitive.positions.len()).sum()
    }

    pub(super) fn new(
        rig: &'a Rig,
        (pose, posed, moment): (&'a Pose, &'a Posed, Option<ClipMoment>),
        skinning: &Skinning,
    ) -> Self {
        let hierarchy = &rig.hierarchy;
        let mut ranks = vec![None; hierarchy.len()];
        for (rank, joint) in rig.skins.iter().flat_map(|skin| skin.joints.iter().enumerate()) {
            ranks[joint.index()].get_or_insert(rank);
        }
        let raw_node = |node: NodeIndex| RawNode {
            parent: hierarchy.parent(node).map(NodeIndex::index),
            source: hierarchy.source(node),
            is_joint: rig.is_joint(node),
            rank: ranks[node.index()],
        };
        let part = |(index, (instance, primitive)): (_, (&'a rigscope_core::rig::MeshInstance, &'a Primitive))| {
            let index: rigscope_core::rig::PrimitiveIndex = index;
            let influences = primitive.influences.as_ref();
            RawPart {
                instance: index.instance,
                node: instance.node.index(),
                skin: instance.skin.filter(|_| influences.is_some()),
                primitive,
                influences: influences.map(|own| skinning.influences.apply(own)),
                stored: primitive.stored_influences.as_ref().zip(influences).map(applied),
            }
        };
        let mut raw = Self {
            rig,
            nodes: hierarchy.nodes().map(raw_node).collect(),
            parts: rig.parts().zip(rig.primitives()).map(part).collect(),
            locals: Vec::new(),
            rest: Vec::new(),
            signs: Vec::new(),
            morphs: posed.morph_weights.iter().map(|weights| weights.iter().map(|w| f64::from(*w)).collect()).collect(),
            pose,
            posed,
            moment,
            is_held: Vec::new(),
        };
        let at_rest = |node: NodeIndex| Local { user: None, ..raw.local_from_file(node) };
        raw.rest = hierarchy.nodes().map(at_rest).collect();
        raw.is_held = raw.held_nodes();
        raw.locals = raw.sampled(Sampling::AsStored, 0.0);
        raw
    }

    fn local_from_file(&self, node: NodeIndex) -> Local {
        let hierarchy = &self.rig.hierarchy;
        let rest = hierarchy.rest(node);
        let stored = hierarchy.rest_local(node);
        // A matrix of the file differs at least by rounding from the transform into which import factors it.
        let is_matrix = rest.to_affine() != *stored;
        let user = self.pose.user_local(node);
        Local {
            base: Transform::from(rest),
            matrix: is_matrix.then(|| matrix(stored)),
            user: self.pose.is_posed(node).then(|| Transform::from(user)),
            is_animated: false,
        }
    }

    fn time_secs(&self) -> f64 {
        self.moment.map_or(0.0, |moment| f64::from(moment.time_secs))
    }

    fn channels(&self) -> impl Iterator<Item = &Channel> {
        let clip = self.moment.and_then(|moment| self.rig.clips.get(moment.clip));
        let channels = clip.into_iter().flat_map(|clip| &clip.channels);
        channels.filter(|channel| channel.width > 0 && !channel.times_secs.is_empty())
    }

    fn offset_secs(&self, offset: TimeOffset) -> f64 {
        let rate = self.moment.map_or(30.0, |moment| f64::from(self.rig.frame_rate(moment.clip).per_sec));
        match offset {
            TimeOffset::None => 0.0,
            TimeOffset::Frames(frames) => frames / rate,
            TimeOffset::Seconds(secs) => secs,
        }
    }

    /// Returns the local transforms under another sampling; `None` if they are [`Self::locals`].
    pub(super) fn other_locals(&self, pipeline: &Pipeline) -> Option<Vec<Local>> {
        let offset = self.offset_secs(pipeline.time);
        let is_usual = self.moment.is_none() || pipeline.sampling == Sampling::AsStored && offset == 0.0;
        (!is_usual).then(|| self.sampled(pipeline.sampling, offset))
    }

    /// Returns the local transforms some offsets before those of a pipeline; `None` without a clip.
    pub(super) fn earlier_locals(&self, pipeline: &Pipeline, offset: TimeOffset, count: usize) -> Option<Vec<Local>> {
        self.moment?;
        let offset_secs = self.offset_secs(pipeline.time) + self.offset_secs(offset) * count as f64;
        Some(self.sampled(pipeline.sampling, offset_secs))
    }

    /// Returns the number of nodes on the longest path from a root.
    pub(super) fn depth(&self) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            depths.push(node.parent.and_then(|parent| depths.get(parent)).map_or(1, |above| above + 1));
        }
        depths.into_iter().max().unwrap_or(1)
    }

    fn sampled(&self, sampling: Sampling, offset_secs: f64) -> Vec<Local> {
        let mut locals = self.with_channels(sampling, offset_secs);
        let held = locals.iter_mut().zip(&self.posed.clip_local).zip(&self.is_held).filter(|(_, is_held)| **is_held);
        for ((local, posed), _) in held {
            local.base = Transform::from(&Trs::from_affine(posed));
            local.matrix = Some(matrix(posed));
        }
        locals
    }

    /// Returns whether each node is where something other than the clip puts it: a behaviour, or a root that is held
    /// in place.
    fn held_nodes(&self) -> Vec<bool> {
        let usual = self.with_channels(Sampling::AsStored, 0.0);
        // Samplers alone differ by less.
        let is_held = |(local, posed): (&Local, &Affine3)| !is_close(&affine(&local.exact_base()), posed);
        usual.iter().zip(&self.posed.clip_local).map(is_held).collect()
    }

    fn with_channels(&self, sampling: Sampling, offset_secs: f64) -> Vec<Local> {
        let mut locals: Vec<Local> = self.rig.hierarchy.nodes().map(|node| self.local_from_file(node)).collect();
        let time_secs = self.time_secs() + offset_secs;
        for channel in self.channels().filter(|channel| channel.property != Property::MorphWeights) {
            let mut value = [0.0; 4];
            let width = channel.width.min(4);
            sample(channel, time_secs, sampling, &mut value[..width]);
            let Some(local) = locals.get_mut(channel.node.index()) else { continue };
            local.matrix = None;
            match channel.property {
                Property::Translation => local.base.translation = DVec3::from_slice(&value),
                Property::Scale => local.base.scale = DVec3::from_slice(&value),
                Property::Rotation => {
                    local.base.rotation = normalised(quaternion(value.into_iter()));
                    local.is_animated = true;
                }
                Property::MorphWeights => {}
            }
        }
        locals
    }

    /// Returns the morph weights of an instance. The weights that pose and expressions add don't depend on the clip.
    pub(super) fn morph_weights(&self, instance: usize, pipeline: &Pipeline) -> Vec<f64> {
        let mut weights = self.morphs.get(instance).cloned().unwrap_or_default();
        let offset = self.offset_secs(pipeline.time);
        let Some(placed) = self.rig.instances.get(instance) else { return weights };
        let is_usual = pipeline.sampling == Sampling::AsStored && offset == 0.0;
        for channel in self.channels().filter(|c| c.property == Property::MorphWeights && c.node == placed.node) {
            if is_usual {
                break;
            }
            let [mut usual, mut other] = [(); 2].map(|()| vec![0.0; channel.width]);
            sample(channel, self.time_secs(), Sampling::AsStored, &mut usual);
            sample(channel, self.time_secs() + offset, pipeline.sampling, &mut other);
            weights.iter_mut().zip(usual.iter().zip(&other)).for_each(|(weight, (a, b))| *weight += b - a);
        }
        weights
    }
}

fn applied((stored, own): (&StoredInfluences, &Influences)) -> Influences {
    stored.applied_to(own)
}

pub(super) fn matrix(affine: &Affine3) -> DMat4 {
    DMat4::from_mat3_translation(affine.matrix3.as_dmat3(), affine.translation.as_dvec3())
}

fn affine(matrix: &DMat4) -> Affine3 {
    Affine3 { matrix3: DMat3::from_mat4(*matrix).as_mat3(), translation: matrix.w_axis.truncate().as_vec3() }
}

fn is_close(a: &Affine3, b: &Affine3) -> bool {
    const NEAR: f32 = 1e-4;
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let differs_by_less = |range: std::ops::Range<usize>, size: f32| {
        a[range.clone()].iter().zip(&b[range]).all(|(a, b)| (a - b).abs() <= size * NEAR)
    };
    let largest = |numbers: &[f32]| numbers.iter().fold(1e-6_f32, |size, number| size.max(number.abs()));
    // A large translation doesn't make up for another rotation.
    differs_by_less(0..9, largest(&b[..9])) && differs_by_less(9..12, largest(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quaternion and its negative are the same rotation, but not the same angle.
    #[test]
    fn degrees_of_negative_quaternions_are_those_of_the_large_angle() {
        let (axis, angle) = (DVec3::new(0.6, 0.0, 0.8), 5.0_f64);
        let rotation = DQuat::from_axis_angle(axis, angle);
        assert!(rotation.w < 0.0);
        for (edit, expected) in [
            (RotationEdit::TimesDegrees, angle.to_degrees()),
            (RotationEdit::PerDegrees, angle.to_radians()),
            (RotationEdit::ShortestTimesDegrees, (angle - std::f64::consts::TAU).to_degrees()),
            (RotationEdit::ShortestPerDegrees, (angle - std::f64::consts::TAU).to_radians()),
        ] {
            let expected = DQuat::from_axis_angle(axis, expected);
            assert!(edited(rotation, edit).dot(expected).abs() > 1.0 - 1e-12, "{edit:?}");
        }
    }

    #[test]
    fn halves_are_rounded_as_programs_round_them() {
        use ByteRounding::{Down, DownWithTolerance, Even, EvenInDouble, Up};
        // The product with 255 is 178.5 in single precision, and less in double precision.
        let weight = f64::from(0.7_f32);
        let bytes = [Up, Even, EvenInDouble, Down, DownWithTolerance].map(|rounding| byte(weight, rounding));
        assert_eq!(bytes, [179.0, 178.0, 178.0, 178.0, 178.0]);
        assert_eq!([0.1, 0.3].map(|weight: f32| byte(f64::from(weight), Up)), [26.0, 77.0]);
        assert_eq!([0.1, 0.3].map(|weight: f32| byte(f64::from(weight), Even)), [26.0, 76.0]);
        let almost_one = f64::from(1.0_f32.next_down());
        assert_eq!([Down, DownWithTolerance].map(|rounding| byte(almost_one, rounding)), [254.0, 255.0]);
    }
}
