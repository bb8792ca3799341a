//! World transforms and skinning matrices of the reference pipeline.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

use rigscope_core::rig::{NodeIndex, polar_f64};

use super::pipeline::{
    Bind, BindLayout, Blend, Chain, HalfPrecision, Lag, Lookup, MatrixLayout, NodeScale, Parents, Pipeline, Signs,
};
use super::raw::{Local, RawRig, matrix};
use super::sampling::normalised;

/// World transforms of all nodes, now and at rest.
pub(super) struct Worlds {
    pub now: Vec<DMat4>,
    rest: Vec<DMat4>,
    /// Products of the nodes' quaternions; empty unless needed.
    rotations: Vec<DQuat>,
}

/// How a joint moves vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointMotion {
    /// `T_j`.
    pub matrix: DMat4,
    /// Rotation and stretch of `T_j`; the identity for linear blend skinning.
    pub rotation: DQuat,
    pub stretch: DMat3,
    /// `x_j`, the position of the joint in the bind pose.
    pub bind: DVec3,
}

impl Worlds {
    pub(super) fn new(raw: &RawRig<'_>, pipeline: &Pipeline) -> Self {
        let other = raw.other_locals(pipeline);
        let locals = other.as_deref().unwrap_or(&raw.locals);
        let usual = Pipeline { chain: Chain::ParentTimesLocal, ..*pipeline };
        let at_rest = || worlds(raw, &raw.rest, &[], &usual);
        let needs_rest = matches!(pipeline.bind, Bind::FromRest | Bind::FromRestOfLookup | Bind::FromRestInMesh);
        let rest = if needs_rest { at_rest() } else { Vec::new() };
        let before = match pipeline.chain {
            Chain::ParentTimesLocal | Chain::LocalTimesParent | Chain::LocalOnly => Vec::new(),
            Chain::EarlierParents(lag) | Chain::EarlierLaterParents(lag) => earlier(raw, locals, lag, pipeline),
            _ => at_rest(),
        };
        let mut now = worlds(raw, locals, &before, pipeline);
        if pipeline.scale == NodeScale::DroppedInWorld {
            for (node, world) in raw.nodes.iter().zip(&mut now).filter(|(node, _)| node.is_joint) {
                debug_assert!(node.is_joint);
                let (rotation, _) = polar_f64(DMat3::from_mat4(*world));
                *world = DMat4::from_rotation_translation(rotation, world.w_axis.truncate());
            }
        }
        let needs_rotations = pipeline.method == Blend::DualQuaternion && pipeline.signs == Signs::OfProducts;
        let rotations = if needs_rotations { rotations(raw, locals) } else { Vec::new() };
        Self { now, rest, rotations }
    }
}

fn rotations(raw: &RawRig<'_>, locals: &[Local]) -> Vec<DQuat> {
    let mut all: Vec<DQuat> = Vec::with_capacity(locals.len());
    for (node, local) in raw.nodes.iter().zip(locals) {
        let above = node.parent.and_then(|parent| all.get(parent)).copied().unwrap_or(DQuat::IDENTITY);
        all.push(above * local.rotation());
    }
    all
}

/// Returns the world transforms that parents had before, in a clip.
fn earlier(raw: &RawRig<'_>, locals: &[Local], lag: Lag, pipeline: &Pipeline) -> Vec<DMat4> {
    let locals_before = |frames: usize| raw.earlier_locals(pipeline, lag.offset, frames);
    let usual = Pipeline { chain: Chain::ParentTimesLocal, ..*pipeline };
    let frames = if lag.adds_up { raw.depth() } else { 1 };
    // The topmost nodes have no parent, so nothing is late where this begins.
    let first = locals_before(frames);
    let mut before = worlds(raw, first.as_deref().unwrap_or(locals), &[], &usual);
    for frames in (1..frames).rev() {
        let next = locals_before(frames);
        before = worlds(raw, next.as_deref().unwrap_or(locals), &before, pipeline);
    }
    before
}

/// Computes world transforms; `before` are those that a [`Chain`] takes from another moment.
fn worlds(raw: &RawRig<'_>, locals: &[Local], before: &[DMat4], pipeline: &Pipeline) -> Vec<DMat4> {
    let mut worlds: Vec<DMat4> = Vec::with_capacity(locals.len());
    // Nearest joint at or above each node.
    let mut joint_above: Vec<Option<usize>> = Vec::with_capacity(locals.len());
    for (index, (node, local)) in raw.nodes.iter().zip(locals).enumerate() {
        let above = node.parent.and_then(|parent| joint_above[parent]);
        let parent = match pipeline.parents {
            _ if !node.is_joint => node.parent,
            Parents::All => node.parent,
            Parents::Joints => above,
            Parents::BelowTopJoints => node.parent.filter(|_| above.is_some()),
            Parents::JointsAndAbove => above.or(node.parent),
        };
        joint_above.push(if node.is_joint { Some(index) } else { above });
        let own = local.matrix(node.is_joint, pipeline);
        let own = parent.map_or(own, |parent| without_parent_scale(own, node.is_joint, &locals[parent], pipeline));
        let Some(parent) = parent else {
            worlds.push(own);
            continue;
        };
        let before = || before.get(parent).copied().unwrap_or(DMat4::IDENTITY);
        let is_later = raw.nodes[parent].source > node.source;
        let is_later_joint = raw.nodes[parent].rank > node.rank && node.is_joint;
        worlds.push(match pipeline.chain {
            Chain::LocalTimesParent => own * worlds[parent],
            Chain::ParentsAtRest | Chain::EarlierParents(_) => before() * own,
            Chain::LaterParentsAtRest | Chain::EarlierLaterParents(_) if is_later => before() * own,
            Chain::LaterJointsAtRest if is_later_joint => before() * own,
            Chain::LocalOnly => own,
            Chain::LaterParentsMissing if is_later => own,
            Chain::LaterJointsMissing if is_later_joint => own,
            _ => worlds[parent] * own,
        });
    }
    worlds
}

/// Applies `Compensated` and `NotInherited`. Scales of 0 are left alone.
fn without_parent_scale(own: DMat4, is_joint: bool, parent: &Local, pipeline: &Pipeline) -> DMat4 {
    let (is_wanted, moves) = match pipeline.scale {
        NodeScale::Compensated => (true, true),
        NodeScale::CompensatedAtJoints => (is_joint, true),
        NodeScale::NotInherited => (true, false),
        NodeScale::NotInheritedAtJoints => (is_joint, false),
        _ => (false, false),
    };
    let scale = parent.scale();
    if !is_wanted || scale.abs().min_element() < 1e-12 {
        return own;
    }
    let back = DMat4::from_scale(scale.recip());
    let origin = own.w_axis.truncate();
    if moves { DMat4::from_translation(origin) * back * DMat4::from_translation(-origin) * own } else { back * own }
}

/// Computes the motions of the joints of a skin; `mesh_node` carries the mesh.
pub(super) fn palette(
    raw: &RawRig<'_>,
    worlds: &Worlds,
    (skin, mesh_node): (usize, usize),
    pipeline: &Pipeline,
) -> Vec<JointMotion> {
    let signs = raw.signs.get(skin);
    let Some(skin) = raw.rig.skins.get(skin) else { return Vec::new() };
    let nodes: Vec<usize> = skin.joints.iter().map(|joint| joint.index()).collect();
    let sorted = |by_source: bool| {
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&joint| if by_source { raw.nodes[nodes[joint]].source } else { nodes[joint] });
        order
    };
    let by_source = |source: usize| raw.rig.hierarchy.by_source(source).map(NodeIndex::index);
    // Node and inverse bind matrix of each slot.
    let slots: Vec<(Option<usize>, Option<usize>)> = match pipeline.lookup {
        Lookup::SkinJoints => nodes.iter().enumerate().map(|(slot, &node)| (Some(node), Some(slot))).collect(),
        Lookup::Nodes => (0..nodes.len()).map(|slot| (by_source(slot), Some(slot))).collect(),
        Lookup::NodePalette | Lookup::NodePaletteOrIdentity => {
            let joints: HashMap<usize, usize> = nodes.iter().enumerate().map(|(joint, node)| (*node, joint)).collect();
            let slot = |slot: usize| {
                let node = by_source(slot);
                let joint = node.and_then(|node| joints.get(&node)).copied();
                (node.filter(|_| joint.is_some() || pipeline.lookup == Lookup::NodePalette), joint)
            };
            (0..nodes.len()).map(slot).collect()
        }
        Lookup::SortedJoints | Lookup::TreeJoints => {
            let order = sorted(pipeline.lookup == Lookup::SortedJoints);
            order.into_iter().enumerate().map(|(slot, joint)| (Some(nodes[joint]), Some(slot))).collect()
        }
        Lookup::SortedPairs | Lookup::TreePairs => {
            let order = sorted(pipeline.lookup == Lookup::SortedPairs);
            order.into_iter().map(|joint| (Some(nodes[joint]), Some(joint))).collect()
        }
    };
    let stored =
        |joint: Option<usize>| joint.and_then(|joint| skin.inverse_bind.get(joint)).map_or(DMat4::IDENTITY, matrix);
    let motion = |(slot, (node, joint)): (usize, (Option<usize>, Option<usize>))| {
        let at = |list: &[DMat4]| node.and_then(|node| list.get(node)).copied().unwrap_or(DMat4::IDENTITY);
        let world = at(&worlds.now);
        let listed = joint.and_then(|joint| nodes.get(joint)).and_then(|&node| worlds.rest.get(node)).copied();
        let listed_at_rest = || listed.unwrap_or_else(|| at(&worlds.rest));
        let mesh_at_rest = || worlds.rest.get(mesh_node).copied().unwrap_or(DMat4::IDENTITY);
        let bind = match pipeline.bind {
            Bind::Stored => stored(joint),
            Bind::Missing => DMat4::IDENTITY,
            Bind::FromRest => inverse(listed_at_rest()),
            Bind::FromRestOfLookup => inverse(at(&worlds.rest)),
            Bind::FromRestInMesh => inverse(listed_at_rest()) * mesh_at_rest(),
        };
        let bind = if pipeline.inverts_bind { inverse(bind) } else { bind };
        let bind = match pipeline.bind_layout {
            BindLayout::Columns => bind,
            BindLayout::Transposed => bind.transpose(),
            BindLayout::LinearTransposed => linear_transposed(bind),
        };
        let (world, bind) = match pipeline.half {
            HalfPrecision::Factors => (half_matrix(world), half_matrix(bind)),
            _ => (world, bind),
        };
        let world = if pipeline.palette == MatrixLayout::WorldTransposed { world.transpose() } else { world };
        let product = if pipeline.bind_first { bind * world } else { world * bind };
        let product = match pipeline.palette {
            MatrixLayout::Transposed => product.transpose(),
            MatrixLayout::LinearTransposed => linear_transposed(product),
            MatrixLayout::Columns | MatrixLayout::WorldTransposed => product,
        };
        let product = if pipeline.half == HalfPrecision::Palette { half_matrix(product) } else { product };
        let rotation = node.and_then(|node| worlds.rotations.get(node)).copied();
        let mut motion = joint_motion(product, bind, rotation, pipeline);
        if pipeline.signs == Signs::Fitted && signs.and_then(|signs| signs.get(slot)) == Some(&true) {
            motion.rotation = -motion.rotation;
        }
        motion
    };
    slots.into_iter().enumerate().map(motion).collect()
}

fn joint_motion(matrix: DMat4, bind: DMat4, chained: Option<DQuat>, pipeline: &Pipeline) -> JointMotion {
    let mut motion = JointMotion { matrix, rotation: DQuat::IDENTITY, stretch: DMat3::IDENTITY, bind: DVec3::ZERO };
    if pipeline.method == Blend::Linear {
        return motion;
    }
    let (rotation, stretch) = polar_f64(DMat3::from_mat4(matrix));
    (motion.rotation, motion.stretch) = (normalised(rotation), stretch);
    motion.bind = inverse(bind).w_axis.truncate();
    let is_other_sign = match pipeline.signs {
        Signs::PositiveW => motion.rotation.w < 0.0,
        Signs::OfProducts => {
            let (of_bind, _) = polar_f64(DMat3::from_mat4(bind));
            chained.is_some_and(|chained| (chained * of_bind).dot(motion.rotation) < 0.0)
        }
        _ => false,
    };
    if is_other_sign {
        motion.rotation = -motion.rotation;
    }
    motion
}

/// Inverts a matrix; the identity if it is singular.
fn inverse(matrix: DMat4) -> DMat4 {
    let inverse = matrix.inverse();
    if inverse.is_finite() { inverse } else { DMat4::IDENTITY }
}

fn linear_transposed(matrix: DMat4) -> DMat4 {
    DMat4::from_mat3_translation(DMat3::from_mat4(matrix).transpose(), matrix.w_axis.truncate())
}

fn half_matrix(matrix: DMat4) -> DMat4 {
    let half = |column: DVec4| DVec4::from_array(column.to_array().map(half_rounded));
    DMat4::from_cols(half(matrix.x_axis), half(matrix.y_axis), half(matrix.z_axis), half(matrix.w_axis))
}

/// Rounds a number to half precision (IEEE 754 binary16), ties to even. Numbers beyond its range stay.
pub(super) fn half_rounded(number: f64) -> f64 {
    const MAX: f64 = 65504.0;
    if !number.is_finite() || number == 0.0 || number.abs() > MAX {
        return number;
    }
    let step = (number.abs().log2().floor().max(-14.0) - 10.0).exp2();
    (number / step).round_ties_even() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_has_eleven_bits() {
        for (number, rounded) in [
            (1.0, 1.0),
            (2049.0, 2048.0),
            (2051.0, 2052.0),
            (-0.1, -0.099_975_585_937_5),
            (0.0, 0.0),
            (6e-8, 5.960_464_477_539_063e-8),
        ] {
            assert_eq!(half_rounded(number), rounded, "{number}");
        }
    }
}
