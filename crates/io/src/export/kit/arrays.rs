//! The arrays of a kit.

use std::sync::Arc;

use glam::{Affine3, DAffine3, DVec3, Vec3};

use super::super::numpy_array::NumpyArray;
use super::sample::KitSample;
use rigscope_core::rig::{DisabledBehaviours, Posed, Primitive, Rig, evaluate};
use rigscope_core::skinning::{Deformed, Palette, palettes};

/// A pose of a kit with its matrices, by nodes in the order of the hierarchy and by joints of all skins. *Spaces*: the
/// file's.
pub(super) struct KitPose {
    pub posed: Posed,
    pub palettes: Vec<Arc<Palette>>,
    /// Parent from node.
    pub locals: Vec<Affine3>,
    /// World from joint.
    pub worlds: Vec<DAffine3>,
    /// World from skin.
    pub skinning: Vec<DAffine3>,
}

impl KitPose {
    pub(super) fn new(rig: &Rig, sample: &KitSample) -> Self {
        let pose = sample.pose.clone().without(DisabledBehaviours::ALL);
        let posed = evaluate(rig, sample.moment, &pose);
        let anchor = rig.hierarchy.anchor();
        let in_file = |matrix: Affine3| {
            let matrix = matrix.as_daffine3();
            DAffine3 { translation: matrix.translation + anchor, ..matrix }
        };
        let world = |joint: &rigscope_core::rig::NodeIndex| posed.world_from_node[joint.index()];
        let joints = || rig.skins.iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_bind));
        Self {
            palettes: palettes(rig, &posed),
            locals: rig.hierarchy.nodes().map(|node| posed.local(&pose, node)).collect(),
            worlds: joints().map(|(joint, _)| in_file(world(joint))).collect(),
            skinning: joints().map(|(joint, bind)| in_file(world(joint) * *bind)).collect(),
            posed,
        }
    }
}

/// Returns 16 numbers, by rows.
fn rows(matrix: DAffine3) -> [f64; 16] {
    glam::DMat4::from(matrix).transpose().to_cols_array()
}

/// Arrays of `kit.npz`. Those with the prefix `points_` or `normals_` belong to a method.
pub(super) struct KitArrays {
    /// What the file stores, by name.
    stored: Vec<(&'static str, NumpyArray)>,
    locals: NumpyArray,
    worlds: NumpyArray,
    skinning: NumpyArray,
    by_method: Vec<(String, NumpyArray)>,
    samples: usize,
}

impl KitArrays {
    pub(super) fn new(rig: &Rig, samples: usize) -> Self {
        let joints: usize = rig.skins.iter().map(|skin| skin.joints.len()).sum();
        let matrices = |count: usize, is_double: bool| NumpyArray::floats(vec![samples, count, 4, 4], is_double);
        let is_far = rig.hierarchy.anchor() != DVec3::ZERO;
        Self {
            stored: stored(rig, joints),
            locals: matrices(rig.hierarchy.len(), false),
            worlds: matrices(joints, is_far),
            skinning: matrices(joints, is_far),
            by_method: Vec::new(),
            samples,
        }
    }

    pub(super) fn add_matrices(&mut self, pose: &KitPose) {
        self.locals.extend(pose.locals.iter().flat_map(|local| rows(local.as_daffine3())));
        self.worlds.extend(pose.worlds.iter().copied().flat_map(rows));
        self.skinning.extend(pose.skinning.iter().copied().flat_map(rows));
    }

    pub(super) fn add_points(&mut self, rig: &Rig, method: &str, deformed: &[Vec<Deformed>]) {
        let is_far = rig.hierarchy.anchor() != DVec3::ZERO;
        let shape = vec![self.samples, rig.vertex_count(), 3];
        let surfaces = || deformed.iter().flatten();
        let positions = surfaces().flat_map(|surface| &surface.positions);
        let points = self.of_method(format!("points_{method}"), || NumpyArray::floats(shape.clone(), is_far));
        points.extend(positions.flat_map(|position| rig.hierarchy.in_file(*position).to_array()));
        let normals = self.of_method(format!("normals_{method}"), || NumpyArray::floats(shape.clone(), false));
        for surface in surfaces() {
            normals.extend(numbers(surface.normals.as_deref(), surface.positions.len()));
        }
    }

    fn of_method(&mut self, name: String, new: impl FnOnce() -> NumpyArray) -> &mut NumpyArray {
        let at = self.by_method.iter().position(|(other, _)| *other == name).unwrap_or_else(|| {
            self.by_method.push((name, new()));
            self.by_method.len() - 1
        });
        &mut self.by_method[at].1
    }

    /// Returns all arrays with their names.
    pub(super) fn named(&self) -> impl Iterator<Item = (&str, &NumpyArray)> {
        let stored = self.stored.iter().map(|(name, array)| (*name, array));
        let posed = [("local", &self.locals), ("world", &self.worlds), ("skinning", &self.skinning)];
        stored.chain(posed).chain(self.by_method.iter().map(|(name, array)| (name.as_str(), array)))
    }
}

/// Returns the numbers of vectors, or zeros if there are none.
fn numbers(vectors: Option<&[Vec3]>, count: usize) -> impl Iterator<Item = f64> {
    (0..count).flat_map(move |at| vectors.map_or(Vec3::ZERO, |vectors| vectors[at]).to_array().map(f64::from))
}

/// Returns the drawn primitives, with the number of the first joint of their skin among the joints of all skins.
pub(super) fn primitives(rig: &Rig) -> impl Iterator<Item = (&Primitive, Option<usize>)> {
    let first = |skin: usize| rig.skins.iter().take(skin).map(|skin| skin.joints.len()).sum();
    rig.instances.iter().flat_map(move |instance| {
        let first: Option<usize> = instance.skin.map(first);
        rig.meshes[instance.mesh].primitives.iter().map(move |primitive| (primitive, first))
    })
}

fn stored(rig: &Rig, joints: usize) -> Vec<(&'static str, NumpyArray)> {
    let hierarchy = &rig.hierarchy;
    let vertices = rig.vertex_count();
    let nodes = || hierarchy.nodes();
    let source = |node| Some(hierarchy.source(node));
    let parents = nodes().map(|node| hierarchy.parent(node).map(|parent| hierarchy.source(parent)));
    let mut inverse_bind = NumpyArray::floats(vec![joints, 4, 4], false);
    let binds = rig.skins.iter().flat_map(|skin| &skin.inverse_bind);
    inverse_bind.extend(binds.flat_map(|bind| rows(bind.as_daffine3())));
    let [mut positions, mut normals] = [(); 2].map(|()| NumpyArray::floats(vec![vertices, 3], false));
    for (primitive, _) in primitives(rig) {
        positions.extend(numbers(Some(&primitive.positions), primitive.positions.len()));
        normals.extend(numbers(primitive.normals.as_deref(), primitive.positions.len()));
    }
    let slots = primitives(rig).filter_map(|(primitive, _)| Some(primitive.influences.as_ref()?.per_vertex())).max();
    let slots = slots.unwrap_or(0);
    let mut weights = NumpyArray::floats(vec![vertices, slots], false);
    let mut of_vertices = Vec::new();
    for (primitive, first) in primitives(rig) {
        for vertex in 0..primitive.positions.len() {
            let own = primitive.influences.as_ref().zip(first).into_iter();
            let own =
                own.flat_map(|(own, first)| own.vertex(vertex).map(move |(joint, weight)| (first + joint, weight)));
            let own = own.filter(|(_, weight)| *weight > 0.0).map(|(joint, weight)| (Some(joint), f64::from(weight)));
            let padded: Vec<(Option<usize>, f64)> = own.chain(std::iter::repeat((None, 0.0))).take(slots).collect();
            weights.extend(padded.iter().map(|(_, weight)| *weight));
            of_vertices.extend(padded.into_iter().map(|(joint, _)| joint));
        }
    }
    vec![
        ("nodes", NumpyArray::indices(vec![hierarchy.len()], nodes().map(source))),
        ("parents", NumpyArray::indices(vec![hierarchy.len()], parents)),
        (
            "joints",
            NumpyArray::indices(vec![joints], rig.skins.iter().flat_map(|skin| &skin.joints).copied().map(source)),
        ),
        ("inverse_bind", inverse_bind),
        ("positions", positions),
        ("normals", normals),
        ("vertex_joints", NumpyArray::indices(vec![vertices, slots], of_vertices)),
        ("vertex_weights", weights),
    ]
}
