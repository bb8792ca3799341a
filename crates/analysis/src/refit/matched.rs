//! Pairs two files.

use std::sync::Arc;

use glam::DAffine3;

use super::pairing::Pairing;
use super::proof::quick_deviation;
use super::rig_map::RigMap;
use super::similarity::Similarity;
use super::skeleton::rest_worlds;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{
    RigMatch, VertexMatchError, VertexPairs, clip_match, mesh_pairs, morph_match, rounding_m,
};
use rigscope_core::rig::{MorphIndex, NodeIndex, Rig};

/// Binds are used if they reduce the deviation to less than this fraction.
const CLEARLY: f64 = 0.1;

impl Pairing {
    /// Pairs two files by names, positions and binds. `None` if cancelled. *Errors*: the vertices don't match.
    pub fn between(old: &Arc<Rig>, new: &Arc<Rig>, progress: &Progress) -> Option<Result<Self, VertexMatchError>> {
        let vertices = match VertexPairs::between(old, new, progress)? {
            Ok(vertices) => vertices,
            Err(error) => return Some(Err(error)),
        };
        let matched = RigMatch::new(old, new);
        let named = clip_match(old, new);
        let mut clips: Vec<Option<usize>> = (0..old.clips.len()).map(|clip| named.new_for(clip)).collect();
        if old.clips.len() == new.clips.len() && clips.iter().all(Option::is_none) {
            // Some exporters name clips anew.
            clips = (0..old.clips.len()).map(Some).collect();
        }
        let named = morph_match(old, new);
        let counterpart = |morph| named.new_for(morph).map(|morph| MorphIndex(morph as u32));
        let morphs = (0..old.morphs().len()).map(counterpart).collect();
        let by_rest = Self { map: map_by_rest(&matched), vertices, clips, morphs: Some(morphs), by_binds: false };
        let mut by_binds = Self { by_binds: true, ..by_rest.clone() };
        add_binds(&matched, &mut by_binds.map, progress)?;
        // Rest poses may differ where binds agree, and the other way round.
        let deviation = |pairing: &Self| quick_deviation([old, new], pairing);
        Some(Ok(if deviation(&by_binds) < CLEARLY * deviation(&by_rest) { by_binds } else { by_rest }))
    }
}

fn map_by_rest(matched: &RigMatch<'_>) -> RigMap {
    let (old, new) = (matched.old.rig, matched.new.rig);
    let world = Similarity::from_affine(&matched.space.affine().as_daffine3()).unwrap_or(Similarity::IDENTITY);
    let worlds = [rest_worlds(old), rest_worlds(new)];
    let nodes: Vec<Option<NodeIndex>> = old.hierarchy.nodes().map(|node| matched.joints.new_for(node)).collect();
    let frame = |(old, new): (usize, &Option<NodeIndex>)| {
        let there = worlds[1][new.as_ref()?.index()];
        Similarity::from_affine(&((world.affine() * worlds[0][old]).inverse() * there))
    };
    let frames = nodes.iter().enumerate().map(|at| frame(at).unwrap_or(Similarity::IDENTITY)).collect();
    RigMap { nodes, frames, world }
}

/// Replaces the frames of joints that have binds in both rigs: `D = IB * inverse(S) * inverse(IB')`, where `S` maps old
/// to new mesh coordinates.
fn add_binds(matched: &RigMatch<'_>, map: &mut RigMap, progress: &Progress) -> Option<()> {
    let meshes = matched.mesh_match();
    for pair in mesh_pairs(matched, &meshes, rounding_m(matched.old.rig), progress)? {
        let old_from_new = pair.old_from_new.map_or(DAffine3::IDENTITY, |map| map.as_daffine3());
        let binds = |rig: &Rig, instance: usize| -> Vec<(NodeIndex, DAffine3)> {
            let skin = rig.instances.get(instance).and_then(|instance| rig.skins.get(instance.skin?));
            let binds = skin.into_iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_bind));
            binds.map(|(joint, bind)| (*joint, bind.as_daffine3())).collect()
        };
        let new = binds(matched.new.rig, pair.instances[1]);
        for (joint, bind) in binds(matched.old.rig, pair.instances[0]) {
            let counterpart = map.node(joint);
            let there = new.iter().find(|(joint, _)| Some(*joint) == counterpart).map(|(_, bind)| *bind);
            if let Some(frame) =
                there.and_then(|there| Similarity::from_affine(&(bind * old_from_new * there.inverse())))
            {
                map.frames[joint.index()] = frame;
            }
        }
    }
    Some(())
}
