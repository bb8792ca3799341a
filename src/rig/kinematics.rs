//! From rest pose, clip and user pose to world matrices, once per frame.

use glam::Affine3;

use super::columns::Columns;
use super::{Hierarchy, NodeIndex, Pose, Rig};

/// A moment of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipMoment {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Seconds from the clip's start.
    pub time_secs: f32,
}

/// Every node and morph weight of a rig at one moment.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    /// `A_j`: node in parent, from the clip where one plays, else `L_j`.
    pub clip_local: Vec<Affine3>,
    /// `W_j`: world from node.
    pub world_from_node: Vec<Affine3>,
    /// Weights of the morph targets of each mesh instance: the clip's or the file's, and the user's added.
    pub morph_weights: Vec<Vec<f32>>,
}

impl Posed {
    /// The frame in which the user's transform works, world from it: `W_p * A_j`.
    pub fn world_before_user(&self, hierarchy: &Hierarchy, node: NodeIndex) -> Affine3 {
        let local = self.clip_local[node.index()];
        hierarchy.parent(node).map_or(local, |p| self.world_from_node[p.index()] * local)
    }
}

/// Samples the clip, if any, and composes the user's pose on top.
///
/// A clip that the rig lacks counts as none.
pub fn evaluate(rig: &Rig, clip: Option<ClipMoment>, pose: &Pose) -> Posed {
    let mut clip_local: Vec<Affine3> = rig.hierarchy.nodes().map(|n| *rig.hierarchy.rest_local(n)).collect();
    let mut morph_weights: Vec<Vec<f32>> = rig.instances.iter().map(|i| i.morph_weights.clone()).collect();
    if let Some(moment) = clip {
        apply_clip(rig, moment, &mut clip_local, &mut morph_weights);
    }
    for (morph, weight) in pose.morph_weights() {
        if let Some(morph) = rig.morphs().get(morph.index()) {
            morph.add(weight, &mut morph_weights);
        }
    }
    let world_from_node = forward_kinematics(&rig.hierarchy, &clip_local, pose);
    Posed { clip_local, world_from_node, morph_weights }
}

fn apply_clip(
    rig: &Rig,
    ClipMoment { clip: number, time_secs }: ClipMoment,
    clip_local: &mut [Affine3],
    morph_weights: &mut [Vec<f32>],
) {
    let (Some(clip), Some(tracks)) = (rig.clips.get(number), rig.clip_tracks(number)) else { return };
    let mut locals = rig.hierarchy.rests().to_vec();
    tracks.sample_into(clip, time_secs, &mut locals);
    for node in tracks.nodes() {
        clip_local[node.index()] = locals[node.index()].to_affine();
    }
    // A node that draws a mesh in parts has several instances, which stand side by side.
    tracks.sample_morphs(clip, time_secs, |channel, span| {
        for (instance, weights) in rig.instances.iter().zip(&mut *morph_weights) {
            if instance.node == channel.node {
                weights.resize(channel.width, 0.0);
                channel.sample_span(span, weights);
            }
        }
    });
}

/// `W_j = W_p * A_j * Ul_j` in one pass, parents first.
///
/// *Shapes*: `clip_local` and the result hold one matrix per node. *Source*: MATH.md, forward kinematics, matrix form.
pub fn forward_kinematics(hierarchy: &Hierarchy, clip_local: &[Affine3], pose: &Pose) -> Vec<Affine3> {
    let mut world = vec![Affine3::IDENTITY; hierarchy.len()];
    forward_kinematics_into(hierarchy, clip_local, pose, &mut world);
    world
}

/// [`forward_kinematics`] into memory that is already there.
///
/// # Panics
/// Where `clip_local` or `world` is shorter than the hierarchy.
pub fn forward_kinematics_into(hierarchy: &Hierarchy, clip_local: &[Affine3], pose: &Pose, world: &mut [Affine3]) {
    // Nodes are sorted depth first, so a node's parent is mostly the one before it, still in registers.
    let mut last = (None, Columns::IDENTITY);
    for (node, local) in hierarchy.nodes().zip(clip_local) {
        let mut local = Columns::from(local);
        if let Some(user) = pose.user_matrix(node) {
            local = local * user;
        }
        let parent = hierarchy.parent(node);
        let world_from_node = match parent {
            None => local,
            Some(_) if parent == last.0 => last.1 * local,
            Some(parent) => Columns::from(&world[parent.index()]) * local,
        };
        world[node.index()] = world_from_node.into();
        last = (Some(node), world_from_node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{Channel, Clip, Interpolation, Mesh, MeshInstance, Property, RigParts, Trs};

    #[test]
    fn morph_weights_go_to_all_instances_of_their_node_and_to_no_other() {
        let instance = |node| MeshInstance { node: NodeIndex(node), mesh: 0, skin: None, morph_weights: vec![0.25] };
        let channel = Channel {
            node: NodeIndex(1),
            property: Property::MorphWeights,
            interpolation: Interpolation::Linear,
            times_secs: [0.0].into(),
            values: vec![1.0],
            width: 1,
        };
        let rig = Rig::new(RigParts {
            hierarchy: chain(3, Trs::IDENTITY),
            meshes: vec![Mesh::default()],
            instances: [1, 2, 0, 1].map(instance).to_vec(),
            clips: vec![Clip { channels: vec![channel], ..Clip::default() }],
            ..RigParts::default()
        });
        let weights = |clip| {
            let moment = ClipMoment { clip, time_secs: 0.0 };
            evaluate(&rig, Some(moment), &Pose::rest(&rig.hierarchy)).morph_weights.concat()
        };
        assert_eq!(weights(0), [1.0, 0.25, 0.25, 1.0]);
        assert_eq!(weights(1), [0.25; 4], "a clip that the rig lacks is none");
    }
}
