//! Which nodes, vertices and clips of two rigs belong together.

use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::proof::quick_deviation;
use super::similarity::Similarity;
use super::{Refitted, RigMap, rest_worlds};
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{RigMatch, VertexMatchError, VertexPairs, clip_match, mesh_pairs, rounding_m};
use rigscope_core::rig::{NodeIndex, Rig, polar_f64};
use rigscope_core::text::{counted, listed};

const NAMED: usize = 4;

/// Binds are used if they reduce the deviation to less than this fraction.
const CLEARLY: f64 = 0.1;

/// Nodes, vertices and clips of two rigs that belong together.
#[derive(Clone, Debug)]
pub struct Pairing {
    pub(super) map: RigMap,
    pub(super) vertices: VertexPairs,
    /// New clip of each old clip.
    pub(super) clips: Vec<Option<usize>>,
    /// Whether frames of joints were found by their binds, because rest poses differ.
    by_binds: bool,
}

impl Pairing {
    /// Pairs a rig with its change: vertices and clips keep their order.
    pub fn with_refitted(old: &Rig, refitted: &Refitted) -> Self {
        let clips = (0..old.clips.len()).map(Some).collect();
        Self { map: refitted.map.clone(), vertices: VertexPairs::InOrder, clips, by_binds: false }
    }

    /// Pairs a rig with the same rig after a file was written and read: nodes keep their numbers. `None` if cancelled.
    ///
    /// *Errors*: the vertices don't match.
    pub fn with_written(
        rig: &Arc<Rig>,
        written: &Arc<Rig>,
        progress: &Progress,
    ) -> Option<Result<Self, VertexMatchError>> {
        let nodes = rig.hierarchy.nodes().map(|node| written.hierarchy.by_source(rig.hierarchy.source(node))).collect();
        let map = RigMap { nodes, ..RigMap::identity(rig) };
        let clips = (0..rig.clips.len()).map(|clip| (clip < written.clips.len()).then_some(clip)).collect();
        Some(VertexPairs::between(rig, written, progress)?.map(|vertices| Self {
            map,
            vertices,
            clips,
            by_binds: false,
        }))
    }

    /// Pairs two files by names, positions and binds. `None` if cancelled. *Errors*: the vertices don't match.
    pub fn between(old: &Arc<Rig>, new: &Arc<Rig>, progress: &Progress) -> Option<Result<Self, VertexMatchError>> {
        let vertices = match VertexPairs::between(old, new, progress)? {
            Ok(vertices) => vertices,
            Err(error) => return Some(Err(error)),
        };
        let matched = RigMatch::new(old, new);
        let named = clip_match(old, new);
        let clips = (0..old.clips.len()).map(|clip| named.new_for(clip)).collect();
        let by_rest = Self { map: map_by_rest(&matched), vertices, clips, by_binds: false };
        let mut by_binds = Self { by_binds: true, ..by_rest.clone() };
        add_binds(&matched, &mut by_binds.map, progress)?;
        // Rest poses may differ where binds agree, and the other way round.
        let deviation = |pairing: &Self| quick_deviation([old, new], pairing);
        Some(Ok(if deviation(&by_binds) < CLEARLY * deviation(&by_rest) { by_binds } else { by_rest }))
    }

    /// Describes what a proof of two files leaves out, one sentence each, without full stops.
    pub fn notes(&self, [old, new]: [&Rig; 2]) -> Vec<String> {
        let mut notes = Vec::new();
        let mut add = |names: &[&str], what: [&str; 2], which: &str| {
            if !names.is_empty() {
                let count = counted(names.len(), what[0], what[1]);
                notes.push(format!("{count} only in the {which} file: {}", listed(names, NAMED)));
            }
        };
        let joints = |rig: &Rig| rig.hierarchy.nodes().filter(|node| rig.counts_as_joint(*node)).collect::<Vec<_>>();
        let is_paired = |node: &NodeIndex| self.map.nodes.contains(&Some(*node));
        let lost: Vec<_> = joints(old).into_iter().filter(|node| self.map.node(*node).is_none()).collect();
        let added: Vec<_> = joints(new).into_iter().filter(|node| !is_paired(node)).collect();
        let names = |rig: &'_ Rig, nodes: &[NodeIndex]| -> Vec<String> {
            nodes.iter().map(|node| rig.hierarchy.name(*node).to_owned()).collect()
        };
        for (rig, nodes, which) in [(old, lost, "first"), (new, added, "second")] {
            let names = names(rig, &nodes);
            add(&names.iter().map(String::as_str).collect::<Vec<_>>(), ["joint", "joints"], which);
        }
        let clips = [
            (old, (0..old.clips.len()).filter(|clip| self.clips[*clip].is_none()).collect::<Vec<_>>(), "first"),
            (new, (0..new.clips.len()).filter(|clip| !self.clips.contains(&Some(*clip))).collect(), "second"),
        ];
        for (rig, clips, which) in clips {
            let titles: Vec<&str> = clips.iter().map(|clip| rig.clips[*clip].title()).collect();
            add(&titles, ["clip", "clips"], which);
        }
        if old.vertex_count() != new.vertex_count() {
            notes.push(format!(
                "{} vertices in the first file and {} in the second",
                old.vertex_count(),
                new.vertex_count()
            ));
        }
        let share = self.vertices.share();
        if share < 1.0 {
            notes.push(format!("{:.1} % of the vertices of the first file have a counterpart", 100.0 * share));
        }
        if self.by_binds {
            notes.push("The rest poses differ; joints were paired by their binds".to_owned());
        }
        notes
    }
}

fn map_by_rest(matched: &RigMatch<'_>) -> RigMap {
    let (old, new) = (matched.old.rig, matched.new.rig);
    let world = similarity(&matched.space.affine().as_daffine3()).unwrap_or(Similarity::IDENTITY);
    let worlds = [rest_worlds(old), rest_worlds(new)];
    let nodes: Vec<Option<NodeIndex>> = old.hierarchy.nodes().map(|node| matched.joints.new_for(node)).collect();
    let frame = |(old, new): (usize, &Option<NodeIndex>)| {
        let there = worlds[1][new.as_ref()?.index()];
        similarity(&((world.affine() * worlds[0][old]).inverse() * there))
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
            if let Some(frame) = there.and_then(|there| similarity(&(bind * old_from_new * there.inverse()))) {
                map.frames[joint.index()] = frame;
            }
        }
    }
    Some(())
}

/// Decomposes a matrix. `None` if its scale is uneven or mirrored, or a number is not finite.
fn similarity(matrix: &DAffine3) -> Option<Similarity> {
    const EVEN: f64 = 1e-3;
    let (rotation, stretch) = polar_f64(matrix.matrix3);
    let factors = DVec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z);
    let scale = factors.element_sum() / 3.0;
    let is_even = factors.is_finite() && scale > 0.0 && (factors - scale).abs().max_element() <= EVEN * scale;
    is_even.then_some(Similarity { translation: matrix.translation, rotation, scale })
}
