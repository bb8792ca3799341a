//! Aligns two bodies at rest.

use glam::Affine3;

use crate::rig::{Pose, Rig, evaluate};
use crate::weights::body::Body;

/// Factor between two sizes from which the bodies may be in different units.
const OTHER_UNIT: f32 = 3.0;

/// Transform from the first body's skin space to the second's, through world space.
pub(super) fn from_skin_to_skin(from: (&Rig, &Body), onto: (&Rig, &Body)) -> Affine3 {
    let space = world_from_skin(onto).inverse() * world_from_skin(from);
    if space.is_finite() { space } else { Affine3::IDENTITY }
}

/// Transform from skin space to the file's world, of the topmost joint of the body's first skin at rest: that of all joints, if the body rests as it was bound.
fn world_from_skin((rig, body): (&Rig, &Body)) -> Affine3 {
    let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).file_from_node(&rig.hierarchy);
    let skin = body.parts.first().map(|part| &rig.skins[part.skin]);
    let joints = skin.into_iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_bind));
    let topmost = joints.min_by_key(|(joint, _)| joint.index());
    topmost.map_or(Affine3::IDENTITY, |(joint, inverse_bind)| rest[joint.index()] * *inverse_bind)
}

/// A sentence for the user where two bodies in one space do not seem to belong together.
pub(super) fn difference(source: &Body, body: &Body) -> Option<String> {
    let [theirs, ours] = [source, body].map(Body::bounds);
    let factor = theirs.diagonal() / ours.diagonal();
    let is_apart = theirs.min.cmpgt(ours.max).any() || ours.min.cmpgt(theirs.max).any();
    if is_apart {
        Some("The two bodies stand apart at rest: the weights may be those of the wrong places.".to_owned())
    } else if !(1.0 / OTHER_UNIT..=OTHER_UNIT).contains(&factor) {
        Some(format!(
            "The other body is {factor:.2} times as large: its unit or its part of the figure may be another."
        ))
    } else {
        None
    }
}
