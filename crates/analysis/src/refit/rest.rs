//! A pose becomes the rest pose. Meshes, binds and world matrices of every pose stay as they are.

use glam::{Affine3, Quat, Vec3};

use super::error::RefitError;
use super::frames::hierarchy;
use super::refitted::Refitted;
use super::similarity::is_even;
use rigscope_core::rig::{Channel, Clip, Hierarchy, Interpolation, NodeIndex, Pose, Posed, Property, Rig, Trs};
use rigscope_core::text::counted;

const NAME: &str = "pose-as-rest";

/// Relative difference up to which a component of a transform counts as unchanged.
const ROUNDING: f32 = 2e-6;

/// Makes an evaluated pose the rest pose. Clips get keys that hold what they left at the old rest.
pub(super) fn pose_as_rest(rig: &Rig, pose: &Pose, posed: &Posed) -> Result<Refitted, RefitError> {
    let mut nodes = rig.hierarchy.descriptions();
    let mut changed = vec![false; rig.hierarchy.len()];
    for node in rig.hierarchy.nodes() {
        let (old, local) = (*rig.hierarchy.rest(node), posed.local(pose, node));
        if local == *rig.hierarchy.rest_local(node) {
            continue;
        }
        let new = rounded_to(old, Trs::from_affine(&local));
        let is_turned = new.rotation != old.rotation || new.scale != old.scale;
        // Rotations on top of an uneven scale would act along other axes.
        if !is_near(&new.to_affine(), &local) || is_turned && !is_even(new.scale) {
            let name = rig.hierarchy.name(node);
            let reason =
                format!("\"{name}\" has an uneven scale in the pose or at rest; a pose can't turn or scale it");
            return Err(RefitError::new(NAME, reason));
        }
        let description = &mut nodes[rig.hierarchy.source(node)];
        changed[node.index()] = new != old || description.matrix.is_some();
        (description.rest, description.matrix) = (new, None);
    }
    check_behaviours(rig, &changed)?;
    let mut data = (**rig).clone();
    data.hierarchy = hierarchy(&nodes, NAME)?;
    for clip in &mut data.clips {
        hold_old_rest(clip, &rig.hierarchy, &data.hierarchy);
    }
    let count = changed.iter().filter(|changed| **changed).count();
    Ok(Refitted::same_nodes(data, rig, NAME, &format!("new rest transforms of {}", counted(count, "node", "nodes"))))
}

/// Takes each component that is equal up to rounding from `old`, so that unchanged components stay exact.
fn rounded_to(old: Trs, new: Trs) -> Trs {
    let is_near = |a: Vec3, b: Vec3| a.distance(b) <= ROUNDING * a.length().max(b.length());
    Trs {
        translation: if is_near(old.translation, new.translation) { old.translation } else { new.translation },
        rotation: if apart(old.rotation, new.rotation) <= ROUNDING { old.rotation } else { new.rotation },
        scale: if is_near(old.scale, new.scale) { old.scale } else { new.scale },
    }
}

/// Returns half of the angle between two rotations, radians, for small angles.
fn apart(a: Quat, b: Quat) -> f32 {
    (a.conjugate() * b).xyz().length()
}

fn is_near(a: &Affine3, b: &Affine3) -> bool {
    let largest = |m: &Affine3| m.matrix3.to_cols_array().into_iter().fold(0.0, |m: f32, x| m.max(x.abs()));
    largest(&Affine3::from_mat3(a.matrix3 - b.matrix3)) <= 1e-5 * largest(b)
}

fn check_behaviours(rig: &Rig, changed: &[bool]) -> Result<(), RefitError> {
    let refused = |node: NodeIndex, what: &str| {
        let reason =
            format!("{what} of \"{}\" starts from its rest pose, which would change", rig.hierarchy.name(node));
        Err(RefitError::new(NAME, reason))
    };
    let is_changed = |node: &NodeIndex| changed[node.index()];
    let of_constraints = rig.constraints.iter().flat_map(|constraint| [constraint.node, constraint.source]);
    if let Some(node) = of_constraints.into_iter().find(is_changed) {
        return refused(node, "a constraint");
    }
    let chains = rig.spring_bones.chains.iter();
    if let Some(node) = chains.flat_map(|chain| &chain.joints).map(|joint| joint.node).find(is_changed) {
        return refused(node, "the spring");
    }
    let gaze = rig.look_at.iter().flat_map(|look_at| std::iter::once(look_at.head).chain(look_at.eyes()));
    gaze.into_iter().find(is_changed).map_or(Ok(()), |node| refused(node, "the look-at"))
}

fn hold_old_rest(clip: &mut Clip, old: &Hierarchy, new: &Hierarchy) {
    let start = clip.first_key_secs().unwrap_or(0.0);
    for node in old.nodes() {
        let (old, new) = (old.rest(node), new.rest(node));
        let components = [
            (Property::Translation, old.translation.to_array().to_vec(), old.translation == new.translation),
            (Property::Rotation, old.rotation.to_array().to_vec(), old.rotation == new.rotation),
            (Property::Scale, old.scale.to_array().to_vec(), old.scale == new.scale),
        ];
        for (property, values, is_same) in components {
            let is_animated = |channel: &Channel| channel.node == node && channel.property == property;
            if !is_same && !clip.channels.iter().any(is_animated) {
                clip.channels.push(Channel::new(node, property, Interpolation::Step, [start], values));
            }
        }
    }
}
