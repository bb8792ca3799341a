use std::collections::HashMap;

use glam::Vec3;
use serde_json::{Map, Value, json};

use super::buffer::{GlbBuffer, ViewContent};
use rigscope_core::rig::{Mesh, MorphTarget, Primitive, Rig};

/// Returns the largest morph target count of the primitives. glTF requires the same count in all primitives.
pub(super) fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|p| p.morph_targets.len()).max().unwrap_or(0)
}

/// Writes the targets of a primitive, padded to `count` with empty targets.
pub(super) fn targets(primitive: &Primitive, count: usize, buffer: &mut GlbBuffer) -> Vec<Value> {
    let missing = MorphTarget::default();
    let target = |number: usize| {
        let MorphTarget { positions, normals, tangents } = primitive.morph_targets.get(number).unwrap_or(&missing);
        let mut target = Map::new();
        let position = if moves(positions) {
            buffer.bounded_rows(positions.iter().map(Vec3::to_array), ViewContent::Vertices)
        } else {
            buffer.zeros(primitive.positions.len())
        };
        target.insert("POSITION".to_owned(), json!(position));
        let mut add = |name: &str, displacements: &[Vec3], has_base: bool| {
            if has_base && moves(displacements) {
                let accessor = buffer.rows(displacements.iter().map(Vec3::to_array), ViewContent::Vertices);
                target.insert(name.to_owned(), json!(accessor));
            }
        };
        add("NORMAL", normals, primitive.normals.is_some());
        add("TANGENT", tangents, primitive.tangents.is_some());
        target.into()
    };
    (0..count).map(target).collect()
}

fn moves(displacements: &[Vec3]) -> bool {
    displacements.iter().any(|d| *d != Vec3::ZERO)
}

pub(super) struct TargetNames<'a>(HashMap<(usize, usize), &'a str>);

impl<'a> TargetNames<'a> {
    pub(super) fn new(rig: &'a Rig) -> Self {
        let places = rig.morphs().iter().flat_map(|morph| morph.targets.iter().map(|place| (place, &*morph.name)));
        Self(places.map(|(place, name)| ((rig.instances[place.instance].mesh, place.target), name)).collect())
    }

    pub(super) fn names(&self, mesh: usize, count: usize) -> Vec<&'a str> {
        (0..count).map(|target| self.0.get(&(mesh, target)).copied().unwrap_or_default()).collect()
    }
}

pub(super) fn weights(given: &[f32], count: usize) -> Vec<f32> {
    given.iter().copied().chain(std::iter::repeat(0.0)).take(count).collect()
}
