//! Rules about inverse bind matrices and about differences between rest pose and bind pose.

use glam::{Affine3, DAffine3, DMat3, DVec3};

use super::Code;
use super::finding::FindingList;
use super::joints::{nearest_above, skin_name};
use rigscope_core::rig::{NodeIndex, Pose, Rig, Skin, evaluate};
use rigscope_core::text::counted;

/// A matrix is singular in single precision if its determinant is at most this fraction of the product of its axis
/// lengths.
const SINGULAR: f64 = 1e-6;
/// Rounding tolerance for scales and for the cosines between axes.
const ROUNDING: f64 = 1e-2;
/// Rotations that differ between rest and bind pose by no more than this many radians look the same.
const SAME_ANGLE: f64 = 0.02;
/// Positions that differ between rest and bind pose by no more than this, relative to the rig's size, look the same.
const SAME_PLACE: f64 = 0.005;

pub(super) fn singular(rig: &Rig, findings: &mut FindingList) {
    each_skin(rig, findings, Code::BindSingular, "singular", is_singular);
}

pub(super) fn scaled(rig: &Rig, findings: &mut FindingList) {
    let is_scaled = |axes: [DVec3; 3]| axes.iter().any(|axis| (axis.length() - 1.0).abs() > ROUNDING);
    each_skin(rig, findings, Code::BindScale, "scaling", |bind| axes(bind).is_some_and(is_scaled));
}

pub(super) fn sheared(rig: &Rig, findings: &mut FindingList) {
    let is_sheared = |axes: [DVec3; 3]| {
        let [x, y, z] = axes.map(DVec3::normalize_or_zero);
        x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs()) > ROUNDING
    };
    each_skin(rig, findings, Code::BindShear, "shearing", |bind| axes(bind).is_some_and(is_sheared));
}

fn each_skin(rig: &Rig, findings: &mut FindingList, code: Code, what: &str, is: impl Fn(&Affine3) -> bool) {
    for skin in &rig.skins {
        let binds = skin.joints.iter().zip(&skin.inverse_bind);
        let joints: Vec<NodeIndex> = binds.filter(|(_, bind)| is(bind)).map(|(joint, _)| *joint).collect();
        let matrices = counted(joints.len(), "inverse bind matrix", "inverse bind matrices");
        let (count, noun) = matrices.split_once(' ').unwrap_or_default();
        findings.nodes(code, &rig.hierarchy, &joints, format!("{count} {what} {noun} in {}", skin_name(skin)));
    }
}

fn is_singular(bind: &Affine3) -> bool {
    let m = bind.as_daffine3().matrix3;
    let room = m.x_axis.length() * m.y_axis.length() * m.z_axis.length();
    m.determinant().abs() <= SINGULAR * room
}

/// Returns the joint's axes in skin space in the bind pose: the columns of `B_j`.
fn axes(bind: &Affine3) -> Option<[DVec3; 3]> {
    inverse(bind).map(|bound| [bound.matrix3.x_axis, bound.matrix3.y_axis, bound.matrix3.z_axis])
}

pub(super) fn unlike_rest(rig: &Rig, findings: &mut FindingList) {
    let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).world_from_node;
    let size = f64::from(rig.size());
    for skin in &rig.skins {
        let (mut moved, mut angle, mut distance) = (Vec::new(), 0.0_f64, 0.0_f64);
        for (joint, residual) in residuals(rig, skin, &rest) {
            if residual.angle > SAME_ANGLE || residual.distance > SAME_PLACE * size {
                moved.push(joint);
                (angle, distance) = (angle.max(residual.angle), distance.max(residual.distance));
            }
        }
        let joints = counted(moved.len(), "joint", "joints");
        let (name, degrees) = (skin_name(skin), angle.to_degrees());
        let text = format!("{joints} of {name} at rest up to {degrees:.1}° and {distance:.3} m off the bind pose");
        findings.nodes(Code::RestUnlikeBind, &rig.hierarchy, &moved, text);
    }
}

struct JointResidual {
    /// Angle between the rotations, radians; 0 if a scale is 0.
    angle: f64,
    /// World-space distance between the positions, metres.
    distance: f64,
}

/// Returns the difference between the rest and bind pose of each joint relative to its parent joint. Skips the topmost
/// joints, which may have moved the whole skeleton away from where the mesh was modelled.
fn residuals<'a>(
    rig: &'a Rig,
    skin: &'a Skin,
    rest: &'a [Affine3],
) -> impl Iterator<Item = (NodeIndex, JointResidual)> + 'a {
    let above = nearest_above(&rig.hierarchy, &skin.joints);
    skin.joints.iter().zip(&skin.inverse_bind).zip(above).filter_map(|((&joint, bind), above)| {
        let above = above?;
        let world_above = &rest[skin.joints[above].index()];
        let bound = skin.inverse_bind[above].as_daffine3() * inverse(bind)?;
        let resting = inverse(world_above)? * rest[joint.index()].as_daffine3();
        Some((joint, residual(&world_above.as_daffine3(), &bound, &resting)))
    })
}

fn residual(world_above: &DAffine3, bound: &DAffine3, resting: &DAffine3) -> JointResidual {
    let moved = world_above.transform_vector3(resting.translation - bound.translation);
    let angle = unscaled(bound).zip(unscaled(resting)).map_or(0.0, |(bound, resting)| {
        let turned = bound.transpose() * resting;
        let trace = turned.x_axis.x + turned.y_axis.y + turned.z_axis.z;
        ((trace - 1.0) * 0.5).clamp(-1.0, 1.0).acos()
    });
    JointResidual { angle, distance: moved.length() }
}

fn unscaled(matrix: &DAffine3) -> Option<DMat3> {
    let m = matrix.matrix3;
    Some(DMat3::from_cols(m.x_axis.try_normalize()?, m.y_axis.try_normalize()?, m.z_axis.try_normalize()?))
}

fn inverse(matrix: &Affine3) -> Option<DAffine3> {
    Some(matrix.as_daffine3().inverse()).filter(|m| !is_singular(matrix) && m.is_finite())
}
