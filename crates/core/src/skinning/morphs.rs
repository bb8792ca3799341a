use std::borrow::Cow;
use std::ops::AddAssign;

use glam::{Vec3, Vec4};

use super::Surface;
use crate::rig::{MorphTarget, Primitive};

/// A primitive's surface with morph targets applied; borrows the primitive's arrays if all weights are 0.
#[derive(Clone, Debug)]
pub struct MorphedSurface<'a> {
    positions: Cow<'a, [Vec3]>,
    normals: Option<Cow<'a, [Vec3]>>,
    tangents: Option<Cow<'a, [Vec4]>>,
}

impl MorphedSurface<'_> {
    /// Returns the morphed surface, skin space.
    pub fn surface(&self) -> Surface<'_> {
        Surface { positions: &self.positions, normals: self.normals.as_deref(), tangents: self.tangents.as_deref() }
    }
}

/// Adds each morph target, multiplied by its weight; missing weights count as 0. *Source*: glTF 2.0, 3.7.2.2.
pub fn morphed<'a>(primitive: &'a Primitive, morph_weights: &[f32]) -> MorphedSurface<'a> {
    let mut morphed = MorphedSurface {
        positions: Cow::Borrowed(&primitive.positions),
        normals: primitive.normals.as_deref().map(Cow::Borrowed),
        tangents: primitive.tangents.as_deref().map(Cow::Borrowed),
    };
    for (target, &weight) in primitive.morph_targets.iter().zip(morph_weights).filter(|(_, weight)| **weight != 0.0) {
        let MorphTarget { positions, normals, tangents } = target;
        add(&mut morphed.positions, positions, |displacement| displacement * weight);
        if let Some(values) = &mut morphed.normals {
            add(values, normals, |displacement| displacement * weight);
        }
        if let Some(values) = &mut morphed.tangents {
            add(values, tangents, |displacement| (displacement * weight).extend(0.0));
        }
    }
    morphed
}

fn add<T: Copy + AddAssign>(values: &mut Cow<'_, [T]>, displacements: &[Vec3], scaled: impl Fn(Vec3) -> T) {
    if displacements.is_empty() {
        return;
    }
    for (value, &displacement) in values.to_mut().iter_mut().zip(displacements) {
        *value += scaled(displacement);
    }
}
