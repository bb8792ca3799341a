use std::collections::BTreeMap;

use glam::{Affine3, Mat3, Vec3};

use super::bone_weights::PointWeights;
use super::segment::Segment;
use crate::jobs::{Progress, try_ranges};
use crate::rig::{Bounds, Influences, JaggedArray, NodeIndex, Pose, Posed, Rig, drawn_bones, evaluate, weld};

const SAME_BIND: f32 = 1e-4;

/// Minimum number of common joints for aligning two skins in different spaces: one gives the transform, another
/// confirms it.
const MIN_SHARED: usize = 2;

const MAX_BONES: usize = 1 << 16;

const CHUNK: usize = 1024;

/// Primitives whose skins were bound to the same bones in the same pose, so that clothes get weights together with
/// the body. Each mesh may have been bound in its own space.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Welded positions, metres, in body space: the skin space of the first primitive.
    pub points: Vec<Vec3>,
    /// Point indices, counter-clockwise from outside; no triangle repeats a corner.
    pub triangles: Vec<[u32; 3]>,
    /// Primitives, each listed once.
    pub parts: Vec<BodyPrimitive>,
    /// One bone per joint that may get weight.
    pub bones: Vec<BodyBone>,
}

/// A primitive of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPrimitive {
    /// Index into `Rig::meshes`.
    pub mesh: usize,
    /// Index into the mesh's primitives.
    pub primitive: usize,
    /// Index into `Rig::skins`.
    pub skin: usize,
    /// Transform from skin space to body space.
    pub body_from_skin: Affine3,
    /// Point of each vertex.
    pub points: Vec<u32>,
}

/// A joint as seen by weighting methods.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyBone {
    /// Node of the joint.
    pub node: NodeIndex,
    /// Segments in body space, at least one: one to each child joint, or the drawn stub.
    pub segments: Vec<Segment>,
    /// Index of the nearest ancestor's bone or, in a reconnected IK chain, of the bone that leads to the joint.
    pub parent: Option<u16>,
    /// True if no ancestor is a joint, not even a joint without a bone.
    pub is_top: bool,
    /// True if no descendant is a joint, so that the segment is a stub.
    pub is_end: bool,
}

impl Body {
    /// Builds the bodies of a rig. Joints for which `is_left_out` returns true get no bone; a mesh with several skins
    /// uses the first.
    pub fn from_rig(rig: &Rig, is_left_out: impl Fn(NodeIndex) -> bool) -> Vec<Self> {
        let mut skin_of_mesh = BTreeMap::new();
        for (mesh, skin) in rig.instances.iter().filter_map(|placed| Some((placed.mesh, placed.skin?))) {
            skin_of_mesh.entry(mesh).or_insert(skin);
        }
        let mut skins: Vec<usize> = Vec::new();
        for &skin in skin_of_mesh.values() {
            if !skins.contains(&skin) {
                skins.push(skin);
            }
        }
        let body = |skins: &SkinSpaces| {
            let mut body = Self { bones: bones(rig, skins, &is_left_out), ..Self::default() };
            let meshes =
                skin_of_mesh.iter().filter_map(|(&mesh, skin)| Some((mesh, *skins.iter().find(|(s, _)| s == skin)?)));
            body.join(rig, meshes);
            body
        };
        groups(rig, &skins).iter().map(body).collect()
    }

    fn join(&mut self, rig: &Rig, meshes: impl Iterator<Item = (usize, (usize, Affine3))>) {
        let (mut positions, mut corners) = (Vec::new(), Vec::new());
        for (mesh, (skin, body_from_skin)) in meshes {
            for (primitive, source) in rig.meshes[mesh].primitives.iter().enumerate() {
                let first = positions.len() as u32;
                if body_from_skin == Affine3::IDENTITY {
                    positions.extend(&source.positions);
                } else {
                    positions
                        .extend(source.positions.iter().map(|&position| body_from_skin.transform_point3(position)));
                }
                corners.extend(source.indices.iter().map(|vertex| vertex + first));
                let points = (first..positions.len() as u32).collect();
                self.parts.push(BodyPrimitive { mesh, primitive, skin, body_from_skin, points });
            }
        }
        let mut point_of = vec![0; positions.len()];
        for (vertex, first) in weld(&positions).into_iter().enumerate() {
            if first as usize == vertex {
                point_of[vertex] = self.points.len() as u32;
                self.points.push(positions[vertex]);
            } else {
                point_of[vertex] = point_of[first as usize];
            }
        }
        self.parts.iter_mut().flat_map(|part| &mut part.points).for_each(|vertex| *vertex = point_of[*vertex as usize]);
        let triangles = corners.as_chunks().0.iter().map(|triangle: &[u32; 3]| triangle.map(|v| point_of[v as usize]));
        self.triangles = triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    }

    /// Calls `make` for each point on all cores and returns the results in point order; `None` if cancelled.
    pub(super) fn map_points<T: Send>(&self, progress: &Progress, make: impl Fn(Vec3) -> T + Sync) -> Option<Vec<T>> {
        self.by_point_number(progress, |_, point| make(point))
    }

    pub(super) fn by_point_number<T: Send>(
        &self,
        progress: &Progress,
        make: impl Fn(usize, Vec3) -> T + Sync,
    ) -> Option<Vec<T>> {
        map_indices(self.points.len(), progress, |number| make(number, self.points[number]))
    }

    pub(super) fn bones_by_node(&self) -> BTreeMap<NodeIndex, u16> {
        self.bones.iter().enumerate().map(|(at, bone)| (bone.node, at as u16)).collect()
    }

    /// Returns the rig's weights by point, averaged over each point's vertices. Ignores joints without a bone.
    pub fn shares(&self, rig: &Rig) -> PointWeights {
        let bones_by_node = self.bones_by_node();
        let parts = self.parts.iter().filter_map(|part| {
            let influences = rig.meshes[part.mesh].primitives[part.primitive].influences.as_ref()?;
            let joints = rig.skins[part.skin].joints.iter();
            Some((&part.points, influences, joints.map(|node| bones_by_node.get(node).copied()).collect::<Vec<_>>()))
        });
        let parts: Vec<(&Vec<u32>, &Influences, Vec<_>)> = parts.collect();
        let places = (0_u32..).zip(&parts).flat_map(|(part, (points, ..))| {
            (0_u32..).zip(*points).map(move |(vertex, &point)| (point, (part, vertex)))
        });
        let vertices = JaggedArray::new(self.points.len(), places);
        let shares = PointWeights::computed(self.points.len(), &Progress::default(), |point, row| {
            let vertices = vertices.row(point);
            for &(part, vertex) in vertices {
                let (_, influences, bones) = &parts[part as usize];
                let of_vertex = influences.vertex(vertex as usize);
                row.add(of_vertex.filter_map(|(joint, weight)| Some((bones.get(joint).copied()??, weight))), 1.0);
            }
            row.divide(vertices.len() as f32);
        });
        shares.unwrap_or_default()
    }

    /// Returns the bounds of the points.
    pub fn bounds(&self) -> Bounds {
        self.points.iter().copied().collect()
    }

    /// Returns the diagonal of the bounds, metres.
    pub fn size(&self) -> f32 {
        self.bounds().diagonal()
    }

    pub(super) fn skins(&self) -> SkinSpaces {
        self.parts.iter().map(|part| (part.skin, part.body_from_skin)).collect()
    }

    pub(super) fn parents_first(&self) -> Vec<usize> {
        let parent = |bone: usize| self.bones[bone].parent;
        let all = 0..self.bones.len();
        let children =
            JaggedArray::new(all.len(), all.clone().filter_map(|bone| Some((u32::from(parent(bone)?), bone))));
        let mut order: Vec<usize> = all.filter(|&bone| parent(bone).is_none()).collect();
        let mut at = 0;
        while let Some(&bone) = order.get(at) {
            order.extend(children.row(bone));
            at += 1;
        }
        order
    }

    /// Returns each bone with its straight-line distance to a point, metres, in bone order.
    pub fn distances(&self, point: Vec3) -> impl Iterator<Item = (u16, f32)> + '_ {
        self.bones.iter().enumerate().map(move |(bone, b)| (bone as u16, b.distance(point)))
    }
}

impl BodyBone {
    /// Returns the distance from a point to the nearest segment, metres.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.segments.iter().map(|segment| segment.distance(point)).fold(f32::INFINITY, f32::min)
    }

    /// Returns the nearest point on any segment.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        let places = self.segments.iter().map(|segment| segment.nearest(point));
        let nearer = |a: Vec3, b: Vec3| if b.distance_squared(point) < a.distance_squared(point) { b } else { a };
        places.reduce(nearer).unwrap_or(point)
    }
}

/// Calls `make` for each index below `count` on all cores and returns the results in order; `None` if cancelled.
pub(super) fn map_indices<T: Send>(
    count: usize,
    progress: &Progress,
    make: impl Fn(usize) -> T + Sync,
) -> Option<Vec<T>> {
    let chunks = try_ranges((count, CHUNK), progress, |range| Some(range.map(&make).collect::<Vec<T>>()))?;
    let mut all = Vec::with_capacity(count);
    for chunk in chunks {
        all.extend(chunk);
    }
    Some(all)
}

/// Skin indices, each with its transform to body space.
pub(super) type SkinSpaces = Vec<(usize, Affine3)>;

/// Groups skins that share joints and agree on their bind transforms.
fn groups(rig: &Rig, skins: &[usize]) -> Vec<SkinSpaces> {
    let mut groups: Vec<(SkinSpaces, BTreeMap<NodeIndex, Affine3>)> = Vec::new();
    for &skin in skins {
        let of_skin = &rig.skins[skin];
        let binds: BTreeMap<NodeIndex, Affine3> =
            of_skin.joints.iter().copied().zip(of_skin.inverse_bind.iter().copied()).collect();
        let space = |known: &BTreeMap<NodeIndex, Affine3>| {
            let new = binds.keys().filter(|joint| !known.contains_key(joint)).count();
            (known.len() + new <= MAX_BONES).then(|| group_from_skin(known, &binds))?
        };
        match groups.iter_mut().find_map(|group| Some((space(&group.1)?, group))) {
            Some((space, (members, known))) => {
                members.push((skin, space));
                let skin_from_group = space.as_daffine3().inverse();
                for (joint, bind) in binds {
                    known.entry(joint).or_insert_with(|| (bind.as_daffine3() * skin_from_group).as_affine3());
                }
            }
            None => groups.push((vec![(skin, Affine3::IDENTITY)], binds)),
        }
    }
    groups.into_iter().map(|(members, _)| members).collect()
}

/// Returns the transform from skin space to group space if both were bound in the same pose: all common bind matrices
/// are equal, or there are at least [`MIN_SHARED`] and one transform aligns all of them.
fn group_from_skin(group: &BTreeMap<NodeIndex, Affine3>, skin: &BTreeMap<NodeIndex, Affine3>) -> Option<Affine3> {
    let shared: Vec<(Affine3, Affine3)> =
        skin.iter().filter_map(|(joint, bind)| Some((*group.get(joint)?, *bind))).collect();
    if !shared.is_empty() && shared.iter().all(|(of_group, of_skin)| is_same(of_group, of_skin)) {
        return Some(Affine3::IDENTITY);
    }
    let (of_group, of_skin) = shared.first().filter(|_| shared.len() >= MIN_SHARED)?;
    let space = of_group.as_daffine3().inverse() * of_skin.as_daffine3();
    let agrees =
        |(of_group, of_skin): &(Affine3, Affine3)| is_same(of_skin, &(of_group.as_daffine3() * space).as_affine3());
    // A mirrored space would turn triangles inside out.
    (space.is_finite() && space.matrix3.determinant() > 0.0 && shared.iter().all(agrees)).then(|| space.as_affine3())
}

fn is_same(a: &Affine3, b: &Affine3) -> bool {
    let largest = |m: Affine3| m.to_cols_array().into_iter().fold(0.0, |max: f32, x| max.max(x.abs()));
    largest(Affine3::from_cols_array(&std::array::from_fn(|i| a.to_cols_array()[i] - b.to_cols_array()[i])))
        <= SAME_BIND * largest(*a)
}

/// Returns the bones of skins in bind pose. `skins` holds skin indices with transforms to body space.
pub(super) fn bones(rig: &Rig, skins: &[(usize, Affine3)], is_left_out: impl Fn(NodeIndex) -> bool) -> Vec<BodyBone> {
    let mut bind: BTreeMap<NodeIndex, Affine3> = BTreeMap::new();
    for (skin, space) in skins.iter().map(|(skin, space)| (&rig.skins[*skin], space.as_daffine3())) {
        for (&joint, inverse_bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let matrix = (space * inverse_bind.as_daffine3().inverse()).as_affine3();
            bind.entry(joint).or_insert(if matrix.is_finite() { matrix } else { Affine3::ZERO });
        }
    }
    let posed = bound(rig, &bind);
    let mut bones: BTreeMap<NodeIndex, Vec<Segment>> = BTreeMap::new();
    for bone in
        drawn_bones(rig, &posed).iter().filter(|bone| bind.contains_key(&bone.joint) && !is_left_out(bone.joint))
    {
        let segment = Segment { head: bone.head, tail: bone.tail };
        let is_finite = segment.head.is_finite() && segment.tail.is_finite();
        bones.entry(bone.joint).or_default().extend(is_finite.then_some(segment));
    }
    let at_origin = |segments: Vec<Segment>| if segments.is_empty() { vec![Segment::default()] } else { segments };
    let parents = parents(rig, bones.keys().copied());
    let (is_below, is_above) = (below_joints(rig), above_joints(rig));
    let bone = |((node, segments), parent): ((NodeIndex, Vec<Segment>), _)| BodyBone {
        node,
        segments: at_origin(segments),
        parent,
        is_top: !is_below[node.index()],
        is_end: !is_above[node.index()],
    };
    bones.into_iter().zip(parents).map(bone).collect()
}

fn below_joints(rig: &Rig) -> Vec<bool> {
    let mut is_below = vec![false; rig.hierarchy.len()];
    for node in rig.hierarchy.nodes() {
        is_below[node.index()] =
            rig.hierarchy.parent(node).is_some_and(|parent| rig.is_joint(parent) || is_below[parent.index()]);
    }
    is_below
}

fn above_joints(rig: &Rig) -> Vec<bool> {
    let mut is_above = vec![false; rig.hierarchy.len()];
    for node in rig.hierarchy.nodes().rev().filter(|node| rig.is_joint(*node)) {
        let mut above = rig.hierarchy.parent(node);
        while let Some(node) = above.filter(|node| !is_above[node.index()]) {
            is_above[node.index()] = true;
            above = rig.hierarchy.parent(node);
        }
    }
    is_above
}

/// Returns for each of `joints`, in node order, the index of its nearest ancestor among them.
fn parents(rig: &Rig, joints: impl Iterator<Item = NodeIndex>) -> Vec<Option<u16>> {
    let mut number = vec![None; rig.hierarchy.len()];
    for (at, joint) in joints.enumerate() {
        number[joint.index()] = Some(at as u16);
    }
    let mut above: Vec<Option<u16>> = vec![None; rig.hierarchy.len()];
    let mut parents = Vec::new();
    for node in rig.hierarchy.nodes() {
        above[node.index()] =
            rig.hierarchy.parent(node).and_then(|parent| number[parent.index()].or(above[parent.index()]));
        parents.extend(number[node.index()].map(|_| above[node.index()]));
    }
    parents
}

/// Returns all nodes in bind pose; nodes without a bind matrix keep their rest transform relative to the parent.
fn bound(rig: &Rig, bind: &BTreeMap<NodeIndex, Affine3>) -> Posed {
    let mut posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    // Bind matrices are in file coordinates.
    posed.world_from_node = posed.file_from_node(&rig.hierarchy);
    for node in rig.hierarchy.nodes() {
        let followed =
            rig.hierarchy.parent(node).map(|p| posed.world_from_node[p.index()] * *rig.hierarchy.rest_local(node));
        let known = bind.get(&node).filter(|matrix| matrix.matrix3 != Mat3::ZERO).copied();
        if let Some(world) = known.or(followed) {
            posed.world_from_node[node.index()] = world;
        }
    }
    posed
}
