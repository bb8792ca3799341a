use std::collections::{BTreeMap, HashMap, HashSet};

use glam::{Affine3, Vec2, Vec3, Vec4};

use super::Tolerances;
use super::change::{Change, ChangeKind, ChangeMeasure, ChangedObject};
use super::materials::MaterialMatch;
use super::motion::TransformDifference;
use super::topology::changed_elements;
use rigscope_core::matching::{
    IndexMatch, MeshAndSkin, MeshPair, MeshPlacements, RigMatch, VertexAttributes, weight_changes,
};
use rigscope_core::rig::{Primitive, Rig, Skin};

pub(super) fn instance_changes(
    both: &RigMatch<'_>,
    meshes: &IndexMatch,
    pairs: &[MeshPair<'_>],
    tolerances: &Tolerances,
) -> Vec<Change> {
    let RigMatch { old, new, .. } = both;
    let counted = |rig: &Rig, i: usize| {
        let primitives = &rig.meshes[rig.instances[i].mesh].primitives;
        primitives.iter().map(|p| p.positions.len()).sum::<usize>() as f64
    };
    let removed = meshes.unmatched_old().map(|i| {
        let change = Change::new(ChangeKind::MeshRemoved, old.mesh_name(i)).at_old(ChangedObject::Mesh(i));
        change.with(ChangeMeasure::Vertices, counted(old.rig, i))
    });
    let added = meshes.unmatched_new().map(|i| {
        let change = Change::new(ChangeKind::MeshAdded, new.mesh_name(i)).at_new(ChangedObject::Mesh(i));
        change.with(ChangeMeasure::Vertices, counted(new.rig, i))
    });
    let spaces: HashMap<[MeshAndSkin; 2], Option<Affine3>> =
        pairs.iter().map(|pair| (both.drawn(pair.instances.into()), pair.old_from_new)).collect();
    let old_from_new = |pair| spaces.get(&both.drawn(pair)).copied().flatten().unwrap_or(Affine3::IDENTITY);
    let mut seen = HashSet::new();
    let moved = meshes.pairs().filter_map(|pair| {
        let change = placement_change(both, pair, &old_from_new(pair), tolerances)?;
        seen.insert(change.object_name.clone()).then_some(change)
    });
    let moved: Vec<Change> = moved.collect();
    removed.chain(added).chain(moved).chain(meshes.pairs().flat_map(|pair| node_and_skin_changes(both, pair))).collect()
}

/// Returns how a mesh moved between the versions, either by itself or with a node that only holds the mesh. Omits
/// changes that only compensate for changed vertex coordinates.
fn placement_change(
    both: &RigMatch<'_>,
    pair: (usize, usize),
    old_from_new: &Affine3,
    tolerances: &Tolerances,
) -> Option<Change> {
    let RigMatch { old, new, .. } = both;
    let MeshPlacements { was, now, on } = both.mesh_placements(pair).filter(|_| !is_on_another_node(both, pair))?;
    let world = on.map_or(Affine3::IDENTITY, |on| new.world[on.index()]);
    let motion = TransformDifference::between(&(world * was * *old_from_new), &(world * now), both.space.factor);
    let holder = old.named_holder(old.rig.instances[pair.0].node);
    let change = || Change::new(ChangeKind::RestMoved, old.name(holder)).at_old(ChangedObject::Mesh(pair.0));
    motion.is_beyond(tolerances).then(|| motion.describe(change(), tolerances))
}

/// Returns true if an unskinned mesh is on a different node. Nameless nodes that hold meshes count as their parents.
fn is_on_another_node(both: &RigMatch<'_>, (from, to): (usize, usize)) -> bool {
    let [from, to] = [both.old.rig.instances[from].node, both.new.rig.instances[to].node];
    let [above, now] = [both.old.named_holder(from), both.new.named_holder(to)];
    both.joints.new_for(from) != Some(to) && both.joints.new_for(above) != Some(now)
}

fn node_and_skin_changes(both: &RigMatch<'_>, (from, to): (usize, usize)) -> Vec<Change> {
    let RigMatch { old, new, .. } = both;
    let (of, now) = (old.mesh_name(from), new.mesh_name(to));
    let [a, b] = [&old.rig.instances[from], &new.rig.instances[to]];
    let mut changes: Vec<Change> = Vec::new();
    // A nameless mesh is identified by its node, whose own changes are reported instead.
    let is_named = [&old.rig.meshes[a.mesh], &new.rig.meshes[b.mesh]].iter().any(|mesh| !mesh.name.is_empty());
    if of != now && is_named {
        let now = if new.has_mesh_name(to) { now } else { "no name" };
        changes.push(Change::new(ChangeKind::MeshRenamed, of).now(now));
    }
    if a.skin.is_none() && b.skin.is_none() && is_on_another_node(both, (from, to)) {
        changes.push(Change::new(ChangeKind::MeshReparented, of).was(old.name(a.node)).now(new.name(b.node)));
    }
    if a.skin.is_some() != b.skin.is_some() {
        let word = |is_skinned| if is_skinned { "skinned" } else { "not skinned" };
        changes.push(Change::new(ChangeKind::Skinned, of).was(word(a.skin.is_some())).now(word(b.skin.is_some())));
    }
    let method = |rig: &Rig, skin: Option<usize>| rig.skins.get(skin?).map(|skin: &Skin| skin.authored);
    if let (Some(was), Some(now)) = (method(old.rig, a.skin), method(new.rig, b.skin))
        && was != now
    {
        changes.push(Change::new(ChangeKind::Method, of).was(was.name()).now(now.name()));
    }
    changes.into_iter().map(|change| change.at_old(ChangedObject::Mesh(from))).collect()
}

pub(super) fn geometry_changes(
    both: &RigMatch<'_>,
    pair: &MeshPair<'_>,
    materials: &MaterialMatch<'_>,
    tolerances: &Tolerances,
) -> Vec<Change> {
    let of = both.old.mesh_name(pair.instances[0]);
    let change = |kind| Change::new(kind, of).at_old(ChangedObject::Mesh(pair.instances[0]));
    let mut changes = Vec::new();
    let [removed, added] = pair.vertices.left();
    let [elements_removed, elements_added] = changed_elements(&pair.old, &pair.new, &pair.vertices);
    if removed + added + elements_removed + elements_added > 0 {
        changes.push(
            change(ChangeKind::Topology)
                .with_some(ChangeMeasure::TrianglesRemoved, elements_removed as f64)
                .with_some(ChangeMeasure::TrianglesAdded, elements_added as f64)
                .with_some(ChangeMeasure::VerticesRemoved, removed as f64)
                .with_some(ChangeMeasure::VerticesAdded, added as f64),
        );
    } else if let Some(now) = other_materials(both, pair, materials) {
        changes.push(change(ChangeKind::MaterialUse).now(now));
    }
    let moved = LargestDifference::new(distances(pair), tolerance_m(pair, tolerances));
    changes.extend(moved.describe(change(ChangeKind::Vertices), ChangeMeasure::Distance));
    changes.extend(attribute_changes(pair, tolerances, change));
    changes
}

/// Returns the distances between matched vertices in metres.
fn distances<'a>(pair: &'a MeshPair<'a>) -> impl Iterator<Item = f32> + 'a {
    pair.vertices.pairs().map(|(from, to)| pair.old.positions[from].distance(pair.new.positions[to]) / pair.metre)
}

pub(super) fn rounding(pair: &MeshPair<'_>, tolerances: &Tolerances) -> f32 {
    let tolerance = tolerance_m(pair, tolerances);
    distances(pair).filter(|distance| *distance <= tolerance).fold(0.0, f32::max)
}

/// Returns the tolerance for vertex positions in metres. The tolerance is larger if one of the versions stores
/// positions as integers.
pub(super) fn tolerance_m(pair: &MeshPair<'_>, tolerances: &Tolerances) -> f32 {
    tolerances.distance_m.max(pair.grain_m)
}

/// Returns changes in vertex attributes other than positions and weights. If all vertices gained or lost an attribute,
/// the attribute counts as added or removed.
fn attribute_changes(
    pair: &MeshPair<'_>,
    tolerances: &Tolerances,
    change: impl Fn(ChangeKind) -> Change,
) -> Vec<Change> {
    let fraction = tolerances.fraction;
    let angle = |a: Vec3, b: Vec3| (2.0 * (a.distance(b) * 0.5).min(1.0).asin()).to_degrees();
    let set = |set: usize| move |attributes: &VertexAttributes| attributes.tex_coords[set];
    let normal_deg = tolerances.angle_deg.max(NORMAL_DEG);
    let changes = [
        looks_change(pair, normal_deg, |attributes| attributes.normal, angle)
            .changes(&change(ChangeKind::Normals), ChangeMeasure::Angle),
        looks_change(pair, fraction, set(0), Vec2::distance)
            .changes(&change(ChangeKind::TexCoords), ChangeMeasure::Largest),
        looks_change(pair, fraction, set(1), Vec2::distance)
            .changes(&change(ChangeKind::TexCoords).was("second set"), ChangeMeasure::Largest),
        looks_change(pair, fraction, |attributes| attributes.color, Vec4::distance)
            .changes(&change(ChangeKind::Colors), ChangeMeasure::Largest),
        looks_change(pair, fraction, |attributes| attributes.dq_weight, |a, b| (a - b).abs())
            .changes(&change(ChangeKind::DqWeights), ChangeMeasure::Largest),
    ];
    changes.into_iter().flatten().collect()
}

#[derive(Default)]
struct AttributeChange {
    removed: usize,
    added: usize,
    largest: LargestDifference,
}

fn looks_change<T>(
    pair: &MeshPair<'_>,
    tolerance: f32,
    value: impl Fn(&VertexAttributes) -> Option<T>,
    apart: impl Fn(T, T) -> f32,
) -> AttributeChange {
    let mut found = AttributeChange::default();
    for (from, to) in pair.vertices.pairs() {
        match (value(&pair.old.attributes(from)), value(&pair.new.attributes(to))) {
            (Some(_), None) => found.removed += 1,
            (None, Some(_)) => found.added += 1,
            (Some(was), Some(now)) => found.largest.add(apart(was, now), tolerance),
            (None, None) => {}
        }
    }
    found
}

impl AttributeChange {
    fn changes(&self, change: &Change, measure: ChangeMeasure) -> Vec<Change> {
        let counted = |now: &str, count: usize| {
            (count > 0).then(|| change.clone().now(now).with(ChangeMeasure::Vertices, count as f64))
        };
        let gone = [counted("removed", self.removed), counted("added", self.added)];
        gone.into_iter().flatten().chain(self.largest.describe(change.clone(), measure)).collect()
    }
}

/// Rounding error of normals stored with 8 bits per component, degrees.
const NORMAL_DEG: f32 = 1.5;

#[derive(Default)]
pub(super) struct LargestDifference {
    count: usize,
    largest: f32,
}

impl LargestDifference {
    fn new(differences: impl Iterator<Item = f32>, tolerance: f32) -> Self {
        let mut largest = Self::default();
        differences.for_each(|difference| largest.add(difference, tolerance));
        largest
    }

    pub(super) fn add(&mut self, difference: f32, tolerance: f32) {
        if difference > tolerance {
            (self.count, self.largest) = (self.count + 1, self.largest.max(difference));
        }
    }

    pub(super) fn describe(&self, change: Change, measure: ChangeMeasure) -> Option<Change> {
        let change = change.with(measure, self.largest).with(ChangeMeasure::Vertices, self.count as f64);
        (self.count > 0).then_some(change)
    }
}

fn other_materials(both: &RigMatch<'_>, pair: &MeshPair<'_>, materials: &MaterialMatch<'_>) -> Option<String> {
    let counts = |primitives: &[Primitive], id: &dyn Fn(usize) -> usize| {
        let mut counts: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        for primitive in primitives {
            *counts.entry(primitive.material.map(|material| id(material.0))).or_default() +=
                primitive.indices.len() / 3;
        }
        counts
    };
    let was = counts(pair.old.primitives, &|material| materials.id_of_old(material));
    let now = counts(pair.new.primitives, &|material| material);
    let name = |id: &Option<usize>| {
        let material = id.and_then(|id| both.new.rig.materials.get(id));
        material.map_or("the default material", |material| material.name.as_str())
    };
    let describe = |(id, count): (&Option<usize>, &usize)| format!("{} on {count} triangles", name(id));
    (was != now).then(|| now.iter().map(describe).collect::<Vec<_>>().join(", "))
}

/// Maximum change in a weight when the weights of a vertex are rounded to 8 bits such that their sum is preserved.
const BYTE_ROUNDING: f32 = 2.0 / 255.0;

/// Returns true if weights were stored in 8 bits: most of them are multiples of 1/255. The importer may have normalised
/// the others.
fn is_in_bytes(primitives: &[Primitive]) -> bool {
    let weights = primitives.iter().filter_map(|p| p.influences.as_ref()).flat_map(|i| i.weights().iter().copied());
    let (mut all, mut whole) = (0_usize, 0_usize);
    for steps in weights.filter(|weight| (0.001..0.999).contains(weight)).map(|weight| weight * 255.0) {
        (all, whole) = (all + 1, whole + usize::from((steps.round() - steps).abs() < 0.02));
    }
    whole * 2 > all
}

/// Returns how much weight each joint gained or lost, summed over all vertices. Skips added and removed joints.
pub(super) fn weight_changes_by_joint(
    both: &RigMatch<'_>,
    pairs: &[MeshPair<'_>],
    tolerances: &Tolerances,
) -> Vec<Change> {
    let mut by_joint: HashMap<u32, (f64, usize, f32)> = HashMap::new();
    for pair in pairs {
        let is_skinned = |primitives: &[Primitive]| primitives.iter().any(|p| p.influences.is_some());
        if !is_skinned(pair.old.primitives) || !is_skinned(pair.new.primitives) {
            continue;
        }
        let is_in_bytes = [pair.old.primitives, pair.new.primitives].into_iter().any(is_in_bytes);
        let tolerance = if is_in_bytes { tolerances.fraction.max(BYTE_ROUNDING) } else { tolerances.fraction };
        for (from, to) in pair.vertices.pairs() {
            for (joint, change) in weight_changes(&pair.old, &pair.new, from, to) {
                if change.abs() > tolerance {
                    let (sum, vertices, largest) = by_joint.entry(joint).or_default();
                    *sum += f64::from(change.abs());
                    *vertices += 1;
                    *largest = largest.max(change.abs());
                }
            }
        }
    }
    let mut by_joint: Vec<_> = by_joint.into_iter().collect();
    by_joint.sort_unstable_by_key(|(joint, _)| *joint);
    let changes = by_joint.into_iter().filter_map(|(joint, (sum, vertices, largest))| {
        let (name, is_in_both) = both.joint_of_id(joint);
        let change = Change::new(ChangeKind::Weights, name).with(ChangeMeasure::L1, sum);
        let change = match both.nodes_of_id(joint) {
            [Some(old), _] => change.at_old(ChangedObject::Node(old)),
            [None, Some(new)] => change.at_new(ChangedObject::Node(new)),
            [None, None] => change,
        };
        is_in_both.then(|| change.with(ChangeMeasure::Vertices, vertices as f64).with(ChangeMeasure::Largest, largest))
    });
    changes.collect()
}
