//! Adds helper joints along a bone, which share the twist of the joint at its end. Linear blend skinning then loses less
//! volume, because neighbouring joints differ by a smaller angle.
//!
//! Helper `k` of `N` is at `k / N` of the bone and follows `k / (N + 1)` of the twist, by a roll constraint
//! (`VRMC_node_constraint`). The weight of the bone's joint is divided between the two helpers around each vertex.
//!
//! Clips that turn the end get keys for the helpers, for programs that don't run constraints. Where constraints run, they
//! replace the rotations of clips, with the same result.

use std::cell::Cell;
use std::sync::Arc;

use glam::{Affine3, DQuat, DVec3, Quat, Vec3};

use super::error::RefitError;
use super::frames::change_meshes;
use super::nodes::with_nodes;
use super::refitted::Refitted;
use rigscope_core::rig::{
    Channel, Clip, ClipMoment, Constraint, ConstraintAxis, ConstraintKind, DisabledBehaviours, Influences,
    Interpolation, NodeDescription, NodeIndex, Pose, Posed, Primitive, Property, Rig, RigData, SamplingBuffers, Trs,
    evaluate, evaluate_into,
};
use rigscope_core::skinning::{Method, Skinner, Skinning};
use rigscope_core::text::counted;

const NAME: &str = "add-twist";

/// Maximum number of helpers per bone.
pub(super) const MAX_HELPERS: u8 = 8;

/// Angle at which the narrowest place is measured, degrees.
const TESTED_DEG: f32 = 90.0;

pub(super) fn add_twist(rig: &Rig, name: &str, count: u8) -> Result<Refitted, RefitError> {
    let bone = TwistBone::new(rig, name)?;
    let count = usize::from(count);
    let mut nodes = rig.hierarchy.descriptions();
    let new_source: Vec<Option<usize>> = (0..nodes.len()).map(Some).collect();
    let first = nodes.len();
    for number in 1..=count {
        let rest = Trs { translation: bone.offset * (number as f32 / count as f32), ..bone.frame };
        let title = format!("{name} twist {number}");
        if rig.hierarchy.node_named(&title).is_some() {
            return Err(RefitError::new(NAME, format!("there is already a node \"{title}\"")));
        }
        nodes[rig.hierarchy.source(bone.joint)].children.push(first + number - 1);
        nodes.push(NodeDescription::new(title, Vec::new(), rest));
    }
    let (mut data, map) = with_nodes(rig, &nodes, &new_source, NAME)?;
    let new = |node: NodeIndex| map[node.index()].unwrap_or(node);
    let (joint, end) = (new(bone.joint), new(bone.end));
    let helpers: Vec<NodeIndex> = (first..first + count).filter_map(|at| data.hierarchy.by_source(at)).collect();
    data.constraints.extend((1..).zip(&helpers).map(|(number, helper)| Constraint {
        node: *helper,
        source: end,
        kind: ConstraintKind::Roll(ConstraintAxis::X),
        weight: number as f32 / (count + 1) as f32,
    }));
    let moved = add_to_skins(&mut data, joint, &helpers, bone.offset)?;
    let mut refitted = Refitted::with_map(data, map, NAME, "");
    let (clips, baked) = baked_clips(&refitted.rig, end, &helpers);
    refitted.rig = Arc::new(Arc::unwrap_or_clone(refitted.rig).with_clips_replaced(0, clips));
    let keys = if baked > 0 { format!("; keys in {}", counted(baked, "clip", "clips")) } else { String::new() };
    let old = [bone.joint, bone.end];
    let states = [(rig, old, Method::Lbs), (&*refitted.rig, [joint, end], Method::Lbs), (rig, old, Method::Dqs)];
    let [before, after, dqs] = states.map(|(rig, ends, method)| 100.0 * bone.narrowest(rig, ends, method));
    refitted.notes = vec![format!(
        "{NAME}: {} below \"{name}\", for {}{keys}; with \"{}\" twisted by {TESTED_DEG} degrees, the narrowest place keeps \
         {after:.0} % of its radius instead of {before:.0} %, and {dqs:.0} % with DQS",
        counted(count, "joint", "joints"),
        counted(moved, "vertex", "vertices"),
        rig.hierarchy.name(bone.end),
    )];
    Ok(Refitted { changes_skin: true, ..refitted })
}

struct TwistBone {
    joint: NodeIndex,
    /// The joint at the end, whose twist the helpers share.
    end: NodeIndex,
    /// Position of the end in the joint's space, metres.
    offset: Vec3,
    /// Rotation that points +X along the bone.
    frame: Trs,
}

impl TwistBone {
    fn new(rig: &Rig, name: &str) -> Result<Self, RefitError> {
        let refused = |reason: String| Err(RefitError::new(NAME, reason));
        let Some(joint) = rig.hierarchy.node_named(name).filter(|joint| rig.is_joint(*joint)) else {
            return refused(format!("there is no joint \"{name}\""));
        };
        let children = rig.hierarchy.children(joint).iter().copied().filter(|child| rig.is_joint(*child));
        let reach = |child: &NodeIndex| -> usize {
            rig.hierarchy.subtree(*child).map(|node| rig.moved_vertices(node.into())).sum()
        };
        let Some(end) = children.max_by_key(reach).filter(|end| reach(end) > 0) else {
            return refused(format!("no joint that moves skin follows \"{name}\""));
        };
        let offset = rig.hierarchy.rest(end).translation;
        let Some(direction) = offset.try_normalize() else {
            return refused(format!("\"{name}\" and \"{}\" are at the same place", rig.hierarchy.name(end)));
        };
        let frame = Trs::from_rotation(Quat::from_rotation_arc(Vec3::X, direction));
        Ok(Self { joint, end, offset, frame })
    }

    /// Returns the radius of the narrowest place of the skin around the bone and its end when the end twists by
    /// [`TESTED_DEG`], as a fraction of the radius at rest; NaN without such skin.
    fn narrowest(&self, rig: &Rig, [joint, end]: [NodeIndex; 2], method: Method) -> f32 {
        let rig = Arc::new(rig.clone());
        let Ok(skinner) = Skinner::new(&rig, &Skinning::new(method)) else { return f32::NAN };
        let axis = rig.hierarchy.rest(end).rotation.inverse() * self.offset.normalize_or(Vec3::X);
        let radii = |angle_deg: f32| -> Vec<f32> {
            let mut pose = Pose::rest(&rig.hierarchy);
            pose.set_user_local(end, Trs::from_rotation(Quat::from_axis_angle(axis, angle_deg.to_radians())));
            let posed = evaluate(&rig, None, &pose);
            let world = posed.world_from_node[joint.index()];
            let (from, along) = (world.translation, world.transform_vector3(self.offset).normalize_or(Vec3::X));
            let surfaces = skinner.deform(&posed).into_iter().flatten();
            surfaces.flat_map(|part| part.positions).map(|p| (p - from).reject_from(along).length()).collect()
        };
        let (rest, twisted) = (radii(0.0), radii(TESTED_DEG));
        let near = self.offset.length();
        let mut ratios: Vec<f32> = follows(&rig, joint)
            .zip(rest.iter().zip(&twisted))
            .filter(|(follows, (rest, _))| *follows && **rest > 1e-3 * near && **rest < near)
            .map(|(_, (rest, twisted))| twisted / rest)
            .collect();
        ratios.sort_unstable_by(f32::total_cmp);
        // The narrowest place is more than a single vertex.
        ratios.get(ratios.len() / 100).copied().unwrap_or(f32::NAN)
    }
}

/// Maximum angle between a baked rotation and that of the constraint, radians.
const MAX_ERROR_RAD: f64 = 1e-5;

/// Number of times that the time between two keys is halved at most.
const MAX_HALVINGS: u32 = 9;

/// Returns the clips with keys for the helpers, and the number of clips that got some.
fn baked_clips(rig: &Rig, end: NodeIndex, helpers: &[NodeIndex]) -> (Vec<Clip>, usize) {
    let mut clips = rig.clips.clone();
    let is_constrained = rig.constraints.iter().any(|constraint| constraint.node == end);
    let mut baked = 0;
    for (number, clip) in clips.iter_mut().enumerate() {
        let turns =
            |channel: &&Channel| channel.property == Property::Rotation && (is_constrained || channel.node == end);
        let sources: Vec<&Channel> = clip.channels.iter().filter(turns).collect();
        let channels = ClipBaker::new(rig, number, helpers).channels(&sources);
        baked += usize::from(!channels.is_empty());
        clip.channels.extend(channels);
    }
    (clips, baked)
}

/// Samples the rotations that constraints give to helpers in a clip.
struct ClipBaker<'a> {
    rig: &'a Rig,
    clip: usize,
    helpers: &'a [NodeIndex],
    pose: Pose,
    buffers: SamplingBuffers,
    posed: Posed,
}

/// Time in seconds, and the local rotation of each helper.
type HelperKey = (f32, Vec<DQuat>);

impl<'a> ClipBaker<'a> {
    fn new(rig: &'a Rig, clip: usize, helpers: &'a [NodeIndex]) -> Self {
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.switch_off(DisabledBehaviours { expressions: true, look_at: true, springs: true, constraints: false });
        Self { rig, clip, helpers, pose, buffers: SamplingBuffers::default(), posed: Posed::default() }
    }

    fn key(&mut self, time_secs: f32) -> HelperKey {
        let moment = ClipMoment::new(self.clip, time_secs);
        evaluate_into(self.rig, Some(moment), &self.pose, &mut self.buffers, &mut self.posed);
        let local = |helper: &NodeIndex| Trs::from_affine(&self.posed.local(&self.pose, *helper)).rotation.as_dquat();
        (time_secs, self.helpers.iter().map(local).collect())
    }

    /// Returns a channel for each helper that turns, at the keys of `sources` and between them.
    fn channels(mut self, sources: &[&Channel]) -> Vec<Channel> {
        let mut times: Vec<f32> = sources.iter().flat_map(|channel| channel.times_secs.iter().copied()).collect();
        times.sort_unstable_by(f32::total_cmp);
        times.dedup();
        let is_step = sources.iter().all(|channel| channel.interpolation == Interpolation::Step);
        let mut keys: Vec<HelperKey> = Vec::with_capacity(times.len());
        for time_secs in times {
            let next = self.key(time_secs);
            if let Some(last) = keys.last().filter(|_| !is_step).cloned() {
                self.add_between(&last, &next, MAX_HALVINGS, &mut keys);
            }
            keys.push(next);
        }
        let interpolation = if is_step { Interpolation::Step } else { Interpolation::Linear };
        let times: Arc<[f32]> = keys.iter().map(|(time, _)| *time).collect();
        let channel = |(at, helper): (usize, &NodeIndex)| {
            let rest = self.rig.hierarchy.rest(*helper).rotation.as_dquat();
            let turns: Vec<DQuat> = keys.iter().map(|(_, turns)| turns[at]).collect();
            let is_turned = turns.iter().any(|turn| angle_between(*turn, rest) > MAX_ERROR_RAD);
            let values = turns.iter().flat_map(|turn| turn.as_quat().to_array()).collect();
            let times = Arc::clone(&times);
            is_turned.then(|| Channel::new(*helper, Property::Rotation, interpolation, times, values))
        };
        self.helpers.iter().enumerate().filter_map(channel).collect()
    }

    /// Adds keys between two keys until interpolation is as exact as [`MAX_ERROR_RAD`].
    fn add_between(&mut self, from: &HelperKey, to: &HelperKey, halvings: u32, keys: &mut Vec<HelperKey>) {
        let time = |fraction: f32| from.0 + (to.0 - from.0) * fraction;
        let Some(left) = halvings.checked_sub(1).filter(|_| time(0.25) > from.0 && time(0.75) < to.0) else { return };
        let inside = [0.25, 0.5, 0.75].map(|fraction| self.key(time(fraction)));
        let is_exact = |key: &HelperKey| {
            let fraction = f64::from((key.0 - from.0) / (to.0 - from.0));
            let ends = from.1.iter().zip(&to.1);
            ends.zip(&key.1).all(|((a, b), exact)| angle_between(a.slerp(*b, fraction), *exact) <= MAX_ERROR_RAD)
        };
        if !inside.iter().all(is_exact) {
            let [_, middle, _] = inside;
            self.add_between(from, &middle, left, keys);
            keys.push(middle.clone());
            self.add_between(&middle, to, left, keys);
        }
    }
}

fn angle_between(a: DQuat, b: DQuat) -> f64 {
    2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
}

/// Returns for each vertex, across primitives, whether it follows nothing but the joint and its children.
fn follows(rig: &Rig, joint: NodeIndex) -> impl Iterator<Item = bool> {
    rig.primitives().flat_map(move |(instance, primitive)| {
        let skin = instance.skin.and_then(|skin| rig.skins.get(skin)).zip(primitive.influences.as_ref());
        (0..primitive.positions.len()).map(move |vertex| {
            let Some((skin, influences)) = skin else { return false };
            let is_part = |slot: usize| {
                skin.joints.get(slot).is_some_and(|node| *node == joint || rig.hierarchy.parent(*node) == Some(joint))
            };
            influences.vertex(vertex).all(|(slot, weight)| weight <= 0.0 || is_part(slot))
        })
    })
}

/// Adds the helpers to each skin of the joint, and divides the joint's weights. Returns the number of changed vertices.
fn add_to_skins(
    data: &mut RigData,
    joint: NodeIndex,
    helpers: &[NodeIndex],
    offset: Vec3,
) -> Result<usize, RefitError> {
    let mut splits: Vec<Option<WeightSplit>> = Vec::with_capacity(data.skins.len());
    for skin in &mut data.skins {
        let Some(at) = skin.joints.iter().position(|known| *known == joint) else {
            splits.push(None);
            continue;
        };
        if skin.joints.len() + helpers.len() > usize::from(u16::MAX) {
            return Err(RefitError::new(NAME, "a skin can't have more than 65535 joints"));
        }
        let bind = skin.inverse_bind[at];
        let first = skin.joints.len();
        for helper in helpers {
            let local = data.hierarchy.rest(*helper).to_affine().as_daffine3();
            skin.joints.push(*helper);
            skin.inverse_bind.push((local.inverse() * bind.as_daffine3()).as_affine3());
        }
        // Slots of the joint and its helpers, in the order of the bone.
        let slots = std::iter::once(at).chain(first..skin.joints.len()).map(|at| at as u16).collect();
        splits.push(Some(WeightSplit { slots, joint_from_skin: bind, offset: offset.as_dvec3() }));
    }
    let skins: Vec<Option<usize>> = data.instances.iter().map(|instance| instance.skin).collect();
    let count = Cell::new(0);
    change_meshes(data, &skins, |mesh, skin| {
        let Some(split) = skin.and_then(|skin| splits[skin].as_ref()) else { return };
        let changed = mesh.primitives.iter_mut().map(|primitive| split.apply(primitive)).sum::<usize>();
        count.set(count.get() + changed);
    });
    Ok(count.get())
}

/// How the weight of a joint is divided between it and its helpers.
struct WeightSplit {
    slots: Vec<u16>,
    joint_from_skin: Affine3,
    offset: DVec3,
}

impl WeightSplit {
    fn apply(&self, primitive: &mut Primitive) -> usize {
        let Some(influences) = &primitive.influences else { return 0 };
        let mut rows: Vec<Vec<(u16, f32)>> = Vec::with_capacity(influences.len());
        let mut changed = 0;
        for (vertex, position) in primitive.positions.iter().enumerate() {
            let mut row: Vec<(u16, f32)> = influences
                .vertex(vertex)
                .filter(|(_, weight)| *weight > 0.0)
                .map(|(joint, weight)| (joint as u16, weight))
                .collect();
            if let Some(at) = row.iter().position(|(joint, _)| *joint == self.slots[0]) {
                let (_, weight) = row.swap_remove(at);
                row.extend(self.divided(*position, weight));
                changed += 1;
            }
            row.sort_by(|a, b| b.1.total_cmp(&a.1));
            rows.push(row);
        }
        if changed > 0 {
            primitive.influences = Some(Influences::from_rows(&rows));
            primitive.stored_influences = None;
        }
        changed
    }

    fn divided(&self, position: Vec3, weight: f32) -> impl Iterator<Item = (u16, f32)> {
        let last = self.slots.len() - 1;
        let point = self.joint_from_skin.as_daffine3().transform_point3(position.as_dvec3());
        let along = (point.dot(self.offset) / self.offset.length_squared()).clamp(0.0, 1.0) * last as f64;
        let before = (along as usize).min(last.saturating_sub(1));
        let share = (along - before as f64) as f32;
        let parts = [(self.slots[before], weight * (1.0 - share)), (self.slots[before + 1], weight * share)];
        parts.into_iter().filter(|(_, weight)| *weight > 0.0)
    }
}
