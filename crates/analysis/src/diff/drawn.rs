//! Draws the same meshes in both versions: the old version's vertices, moved by the joints of either version.
//!
//! A vertex `p` is drawn at `sum_j w_j W_j IB_j p`. Only the products `W_j IB_j` are compared, not their factors,
//! because files that distribute scale and rotation differently among nodes, or use different joint axes, look the
//! same. Positions and weights are taken from the old version, so that edits to them don't count as motion.

use std::collections::{HashMap, HashSet};

use glam::{Affine3, Vec3};
use rayon::prelude::*;

use super::Tolerances;
use super::motion::TransformDifference;
use rigscope_core::matching::{IndexMatch, MeshPair, RigMatch};
use rigscope_core::rig::{Bounds, JaggedArray, NodeIndex, Rig, Skin};

/// A joint and the vertices that it moves in one mesh, or a node and its unskinned mesh.
pub(super) struct Limb {
    /// The node in the old and the new version.
    pub nodes: [NodeIndex; 2],
    /// Matrices from old mesh coordinates to the node in each version: the converted inverse bind matrices.
    pub binds: [Affine3; 2],
    /// Corners of the bounding box of the moved vertices, in old mesh coordinates; `None` if there are none.
    corners: Option<[Vec3; 8]>,
    /// Origin of the joint in each version, in old mesh coordinates. For unskinned meshes, the centre of the mesh.
    pivots: [Vec3; 2],
    /// Limb of the nearest ancestor node that has a limb.
    above: Option<usize>,
    is_socket: bool,
}

struct DrawnMesh<'a> {
    positions: &'a [Vec3],
    by: MeshBinding,
}

enum MeshBinding {
    /// Limbs and weights that move each vertex.
    Skin(JaggedArray<(u32, f32)>),
    Node(usize),
}

pub(super) struct DrawnComparison<'a> {
    pub limbs: Vec<Limb>,
    meshes: Vec<DrawnMesh<'a>>,
    old_from_new_world: Affine3,
}

/// Matrices from old mesh coordinates to the old version's world space, per limb, for the old and the new version.
pub(super) type Palettes = [Vec<Affine3>; 2];

impl<'a> DrawnComparison<'a> {
    pub(super) fn new(both: &RigMatch<'_>, meshes: &IndexMatch, pairs: &'a [MeshPair<'_>]) -> Self {
        let mut found = Self {
            limbs: Vec::new(),
            meshes: Vec::with_capacity(pairs.len()),
            old_from_new_world: both.space.affine().inverse(),
        };
        let by_drawn: HashMap<_, _> = pairs.iter().map(|pair| (both.drawn(pair.instances.into()), pair)).collect();
        for pair in pairs.iter().filter(|pair| both.old.rig.instances[pair.instances[0]].skin.is_some()) {
            found.add_skin(both, pair);
        }
        for (old, new) in meshes.pairs() {
            let [from, to] = [&both.old.rig.instances[old], &both.new.rig.instances[new]];
            if let (None, None, Some(pair)) = (from.skin, to.skin, by_drawn.get(&both.drawn((old, new)))) {
                found.add_carried(pair, [from.node, to.node]);
            }
        }
        found.add_sockets(both);
        found.find_above(both);
        found
    }

    fn add_skin(&mut self, both: &RigMatch<'_>, pair: &'a MeshPair<'_>) {
        let (Some(old), Some(new)) =
            (instance_skin(both.old.rig, pair.instances[0]), instance_skin(both.new.rig, pair.instances[1]))
        else {
            return;
        };
        let new_from_old = new_from_old(pair);
        let binds_now: HashMap<NodeIndex, Affine3> =
            new.joints.iter().copied().zip(new.inverse_bind.iter().copied()).collect();
        let mut by_id = HashMap::new();
        let begin = self.limbs.len();
        for (&joint, &bind) in old.joints.iter().zip(&old.inverse_bind) {
            let there = both.joints.new_for(joint).and_then(|now| Some((now, binds_now.get(&now)? * new_from_old)));
            let Some((now, bind_now)) = there.filter(|(_, now)| is_invertible(now) && is_invertible(&bind)) else {
                continue;
            };
            by_id.insert(now.0, self.limbs.len() as u32);
            let binds = [bind, bind_now];
            let pivots = binds.map(|bind| bind.inverse().translation);
            self.limbs.push(Limb { nodes: [joint, now], binds, corners: None, pivots, above: None, is_socket: false });
        }
        let mut boxes = vec![Bounds::default(); self.limbs.len() - begin];
        let weights = JaggedArray::filled(pair.old.vertex_count(), |vertex, list| {
            for (joint, weight) in pair.old.weights(vertex) {
                if let Some(&limb) = by_id.get(&joint) {
                    list.push((limb, weight));
                    boxes[limb as usize - begin].add(pair.old.positions[vertex]);
                }
            }
        });
        for (limb, bounds) in self.limbs[begin..].iter_mut().zip(boxes) {
            limb.corners = (!bounds.is_empty()).then(|| bounds.corners());
        }
        self.meshes.push(DrawnMesh { positions: &pair.old.positions, by: MeshBinding::Skin(weights) });
    }

    fn add_carried(&mut self, pair: &'a MeshPair<'_>, nodes: [NodeIndex; 2]) {
        let bounds: Bounds = pair.old.positions.iter().copied().collect();
        if bounds.is_empty() {
            return;
        }
        self.meshes.push(DrawnMesh { positions: &pair.old.positions, by: MeshBinding::Node(self.limbs.len()) });
        let binds = [Affine3::IDENTITY, new_from_old(pair)];
        let (corners, pivots) = (Some(bounds.corners()), [bounds.center(); 2]);
        self.limbs.push(Limb { nodes, binds, corners, pivots, above: None, is_socket: false });
    }

    /// Adds leaf nodes that have no mesh, because they may be attachment points. If nothing is drawn, adds all nodes.
    fn add_sockets(&mut self, both: &RigMatch<'_>) {
        let is_bare = self.limbs.is_empty();
        let known: HashSet<NodeIndex> = self.limbs.iter().map(|limb| limb.nodes[0]).collect();
        let pairs = both.joints.pairs().filter(|(from, to)| both.old.is_visible(*from) && both.new.is_visible(*to));
        for (from, to) in pairs.filter(|(from, _)| !known.contains(from)) {
            let is_leaf =
                both.old.rig.hierarchy.children(from).is_empty() && both.new.rig.hierarchy.children(to).is_empty();
            let worlds = [both.old.world[from.index()], self.old_from_new_world * both.new.world[to.index()]];
            if !(is_bare || is_leaf) || !worlds.iter().all(is_invertible) {
                continue;
            }
            // Rotated and scaled like the old node at rest, because the axes of an empty node are arbitrary.
            let axes = Affine3::from_mat3(worlds[1].matrix3.inverse() * worlds[0].matrix3);
            self.limbs.push(Limb {
                nodes: [from, to],
                binds: [Affine3::IDENTITY, axes],
                corners: Some([Vec3::ZERO; 8]),
                pivots: [Vec3::ZERO; 2],
                above: None,
                is_socket: true,
            });
        }
    }

    fn find_above(&mut self, both: &RigMatch<'_>) {
        let mut by_node: HashMap<NodeIndex, usize> = HashMap::new();
        for (number, limb) in self.limbs.iter().enumerate() {
            by_node.entry(limb.nodes[0]).or_insert(number);
        }
        for limb in &mut self.limbs {
            limb.above = both.old.rig.hierarchy.ancestors(limb.nodes[0]).find_map(|above| by_node.get(&above).copied());
        }
    }

    pub(super) fn is_skeleton_same(&self, both: &RigMatch<'_>) -> bool {
        let (old, new) = (&both.old.rig.hierarchy, &both.new.rig.hierarchy);
        let is_node_same = |(from, to): (NodeIndex, NodeIndex)| {
            old.rest_local(from) == new.rest_local(to)
                && old.parent(from).and_then(|above| both.joints.new_for(above)) == new.parent(to)
        };
        old.len() == new.len()
            && both.joints.pairs().count() == old.len()
            && both.joints.pairs().all(is_node_same)
            && self.limbs.iter().all(|limb| limb.binds[0] == limb.binds[1])
    }

    /// `worlds` holds the world matrices of the old and the new nodes, each in its own version's world space.
    pub(super) fn palettes(&self, worlds: [&[Affine3]; 2]) -> Palettes {
        let of_old = |limb: &Limb| worlds[0][limb.nodes[0].index()] * limb.binds[0];
        let of_new = |limb: &Limb| self.in_old_world(worlds[1][limb.nodes[1].index()]) * limb.binds[1];
        [self.limbs.iter().map(of_old).collect(), self.limbs.iter().map(of_new).collect()]
    }

    /// Like [`Self::palettes`], but both matrices move nodes of the new version.
    pub(super) fn palettes_on_new(&self, worlds: [&[Affine3]; 2]) -> Palettes {
        worlds.map(|world| {
            let of = |limb: &Limb| self.in_old_world(world[limb.nodes[1].index()]) * limb.binds[1];
            self.limbs.iter().map(of).collect()
        })
    }

    fn in_old_world(&self, world_from_node: Affine3) -> Affine3 {
        self.old_from_new_world * world_from_node
    }

    /// Returns a limb's motion relative to the limb above, in the old version's world space, and an upper bound on how
    /// far the motion moves a vertex.
    pub(super) fn own_motion(&self, limb: usize, palettes: &Palettes) -> (TransformDifference, f32) {
        let [was, now] = [palettes[0][limb], palettes[1][limb]];
        let Limb { above, pivots, corners, .. } = &self.limbs[limb];
        let carried = above.map(|above| palettes[1][above] * palettes[0][above].inverse()).filter(Affine3::is_finite);
        let expected = carried.unwrap_or(Affine3::IDENTITY) * was;
        let at = Affine3::from_translation(pivots[0]);
        (TransformDifference::between(&(expected * at), &(now * at), 1.0), distance(corners.as_ref(), &expected, &now))
    }

    /// Returns true if both versions draw a limb in the same place relative to the limb above, and rotate it about the
    /// same point.
    pub(super) fn is_alike(&self, limb: usize, palettes: &Palettes, tolerances: &Tolerances) -> bool {
        let (motion, distance) = self.own_motion(limb, palettes);
        let [was, now] = self.limbs[limb].pivots.map(|pivot| palettes[1][limb].transform_point3(pivot));
        !motion.is_beyond(tolerances) && distance <= tolerances.distance_m && was.distance(now) <= tolerances.distance_m
    }

    pub(super) fn limit(&self, palettes: &Palettes) -> f32 {
        let limit = |limb: usize| distance(self.limbs[limb].corners.as_ref(), &palettes[0][limb], &palettes[1][limb]);
        (0..self.limbs.len()).map(limit).fold(0.0, f32::max)
    }

    /// Returns the largest distance, in metres, between a vertex's positions in the two versions, and the limb with the
    /// largest weight on this vertex.
    pub(super) fn furthest(&self, palettes: &Palettes) -> (f32, usize) {
        let sockets = self.limbs.iter().enumerate().filter(|(_, limb)| limb.is_socket);
        let apart = |limb: usize| distance(self.limbs[limb].corners.as_ref(), &palettes[0][limb], &palettes[1][limb]);
        let sockets = sockets.map(|(number, _)| (apart(number), number));
        let meshes = self.meshes.iter().map(|mesh| mesh.furthest(palettes));
        sockets.chain(meshes).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
    }

    /// Returns the motion of a limb. For a socket, returns the smaller of two motions: with the new version's own axes,
    /// or with the axes aligned at rest.
    pub(super) fn turned(&self, limb: usize, palettes: &Palettes) -> TransformDifference {
        let [was, now] = [palettes[0][limb], palettes[1][limb]];
        let motion = TransformDifference::between(&was, &now, 1.0);
        if !self.is_socket(limb) {
            return motion;
        }
        let by_axes = TransformDifference::between(&was, &(now * self.limbs[limb].binds[1].inverse()), 1.0);
        if by_axes.angle < motion.angle { by_axes } else { motion }
    }

    pub(super) fn is_socket(&self, limb: usize) -> bool {
        self.limbs[limb].is_socket
    }
}

impl DrawnMesh<'_> {
    fn furthest(&self, palettes: &Palettes) -> (f32, usize) {
        let at = |vertex: usize| -> (f32, usize) {
            let position = self.positions[vertex];
            let moved = |limb: usize| {
                palettes[0][limb].transform_point3(position) - palettes[1][limb].transform_point3(position)
            };
            match &self.by {
                MeshBinding::Node(limb) => (moved(*limb).length(), *limb),
                MeshBinding::Skin(weights) => {
                    let list = weights.row(vertex);
                    let sum: Vec3 = list.iter().map(|&(limb, weight)| moved(limb as usize) * weight).sum();
                    let heaviest = list.iter().max_by(|a, b| a.1.total_cmp(&b.1));
                    (sum.length(), heaviest.map_or(0, |(limb, _)| *limb as usize))
                }
            }
        };
        let larger = |a: (f32, usize), b: (f32, usize)| if b.0 > a.0 { b } else { a };
        (0..self.positions.len()).into_par_iter().with_min_len(1024).map(at).reduce(|| (0.0, 0), larger)
    }
}

fn distance(corners: Option<&[Vec3; 8]>, was: &Affine3, now: &Affine3) -> f32 {
    let apart = |corner: &Vec3| was.transform_point3(*corner).distance(now.transform_point3(*corner));
    corners.into_iter().flatten().map(apart).filter(|distance| distance.is_finite()).fold(0.0, f32::max)
}

fn instance_skin(rig: &Rig, instance: usize) -> Option<&Skin> {
    rig.skins.get(rig.instances[instance].skin?)
}

fn new_from_old(pair: &MeshPair<'_>) -> Affine3 {
    pair.old_from_new.map_or(Affine3::IDENTITY, |map| map.inverse())
}

fn is_invertible(map: &Affine3) -> bool {
    map.is_finite() && map.inverse().is_finite()
}
