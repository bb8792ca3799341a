//! Blend shapes. Every shape of every channel, including in-between shapes, becomes a morph target.

use glam::{Affine3, Vec3};

use super::from_ufbx::vec3;
use super::loader::{FbxLoader, number};
use crate::import::{ImportError, ImportWarning, Stage};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{MorphTarget, Primitive};
use rigscope_core::text::counted;

#[derive(Default)]
pub(super) struct Shapes<'a> {
    pub channels: Vec<&'a ufbx::BlendChannel>,
}

/// A primitive, and the control point of each of its vertices.
pub(super) struct PrimitiveWithPoints {
    pub primitive: Primitive,
    pub points: Vec<u32>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(mesh: &'a ufbx::Mesh) -> Self {
        let channels = mesh.blend_deformers.iter().flat_map(|deformer| &deformer.channels);
        Self { channels: channels.filter(|channel| channel.keyframes.count > 0).collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.channels.iter().map(|channel| channel.keyframes.count).fold(0, usize::saturating_add)
    }

    /// Returns the names of the morph targets: the channel's name, with the weight appended if the channel has several
    /// shapes.
    pub(super) fn names(&self) -> Vec<String> {
        let of_channel = |channel: &&ufbx::BlendChannel| {
            let name = channel.element.name.to_string();
            let shapes: Vec<String> = channel
                .keyframes
                .iter()
                .map(|key| if channel.keyframes.count == 1 { name.clone() } else { between(&name, key.target_weight) })
                .collect();
            shapes
        };
        self.channels.iter().flat_map(of_channel).collect()
    }

    pub(super) fn weights(&self, of_channel: impl Fn(&ufbx::BlendChannel) -> f64) -> Vec<f32> {
        let weights = |channel: &&ufbx::BlendChannel| {
            let at: Vec<f64> = channel.keyframes.iter().map(|key| key.target_weight).collect();
            target_weights(&at, of_channel(channel))
        };
        self.channels
            .iter()
            .flat_map(weights)
            .map(|weight| if weight.is_finite() { weight as f32 } else { 0.0 })
            .collect()
    }
}

fn between(name: &str, weight: f64) -> String {
    format!("{name} {:.0} %", weight * 100.0)
}

/// Returns the weights of a channel's shapes: interpolated between shapes, extrapolated beyond the last. `at`: the
/// channel weight at which each shape has full weight, ascending. At weight 0 the mesh is undeformed.
pub(super) fn target_weights(at: &[f64], weight: f64) -> Vec<f64> {
    let keys = || at.iter().copied().enumerate();
    let (mut before, mut after): (Vec<_>, Vec<_>) = keys().partition(|(_, at)| *at < 0.0);
    before.reverse();
    let (side, other) = if weight > 0.0 { (&mut after, &before) } else { (&mut before, &after) };
    if side.is_empty() {
        side.extend(other.iter().take(1));
    }
    let beyond = side.iter().position(|(_, at)| at.abs() > weight.abs()).unwrap_or(side.len().saturating_sub(1));
    let next = side.get(beyond).copied();
    let previous = beyond.checked_sub(1).and_then(|i| side.get(i)).copied();
    let at_of = |key: Option<(usize, f64)>| key.map_or(0.0, |(_, at)| at);
    let span = at_of(next) - at_of(previous);
    let mut weights = vec![0.0; at.len()];
    if span != 0.0 {
        let share = (weight - at_of(previous)) / span;
        for (key, value) in [(previous, 1.0 - share), (next, share)] {
            if let Some(place) = key.and_then(|(i, _)| weights.get_mut(i)) {
                *place = value;
            }
        }
    }
    weights
}

impl FbxLoader<'_> {
    /// Adds morph targets to the primitives of one mesh. A target that exceeds the memory limit gets no displacements.
    pub(super) fn add_morph_targets(
        &self,
        mesh: &ufbx::Mesh,
        shapes: &Shapes<'_>,
        transform: Option<Affine3>,
        primitives: &mut [PrimitiveWithPoints],
    ) -> Result<(), ImportError> {
        let mut moved = Displacements { positions: vec![Vec3::ZERO; mesh.num_vertices], normals: Vec::new() };
        let mut too_large = 0_usize;
        for key in shapes.channels.iter().flat_map(|channel| &channel.keyframes) {
            self.job.advance(Stage::Geometry, number(&mesh.element), self.scene.meshes.count)?;
            let is_moving = moved.add(&key.shape);
            for PrimitiveWithPoints { primitive, points } in &mut *primitives {
                let bytes = (points.len() as u64).saturating_mul(if moved.normals.is_empty() { 12 } else { 24 });
                let is_kept = is_moving && self.budget.charge(bytes);
                too_large = too_large.saturating_add(usize::from(is_moving && !is_kept));
                primitive.morph_targets.push(if is_kept {
                    moved.target(points, transform, primitive.normals.as_deref())
                } else {
                    MorphTarget::default()
                });
            }
            moved.clear(&key.shape);
        }
        if too_large > 0 {
            let shapes = counted(too_large, "blend shape has", "blend shapes have");
            let mesh = number(&mesh.element);
            let message = format!("Mesh {mesh}: {shapes} no effect: the memory limit for one file would be exceeded.");
            self.report.warn(ImportWarning::new(Code::MorphIgnored, Target::File, message).lowered());
        }
        Ok(())
    }
}

struct Displacements {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Displacements {
    fn add(&mut self, shape: &ufbx::BlendShape) -> bool {
        if shape.normal_offsets.count > 0 && self.normals.is_empty() {
            self.normals = vec![Vec3::ZERO; self.positions.len()];
        }
        let is_moved = add(&mut self.positions, shape, &shape.position_offsets);
        let is_turned = add(&mut self.normals, shape, &shape.normal_offsets);
        is_moved || is_turned
    }

    fn clear(&mut self, shape: &ufbx::BlendShape) {
        for &point in &*shape.offset_vertices {
            for list in [&mut self.positions, &mut self.normals] {
                if let Some(offset) = list.get_mut(point as usize) {
                    *offset = Vec3::ZERO;
                }
            }
        }
        self.normals.clear();
    }

    /// Returns the displacements of a primitive's vertices. `points`: the control point of each vertex. `normals`: the
    /// normal of each vertex after `transform`, of length 1.
    fn target(&self, points: &[u32], transform: Option<Affine3>, normals: Option<&[Vec3]>) -> MorphTarget {
        let of = |list: &[Vec3]| -> Vec<Vec3> {
            points.iter().filter_map(|&point| list.get(point as usize)).copied().collect()
        };
        let (mut positions, mut normal_offsets) = (of(&self.positions), of(&self.normals));
        if let Some(transform) = transform {
            let normal_matrix = transform.matrix3.inverse().transpose();
            let untransformed = transform.matrix3.transpose();
            for offset in &mut positions {
                *offset = transform.transform_vector3(*offset);
            }
            for (vertex, offset) in normal_offsets.iter_mut().enumerate() {
                // Transforming the normal changed its length, and it was made 1 again. Its displacement is scaled alike.
                let normal = normals.and_then(|normals| normals.get(vertex));
                let scale = normal.map_or(1.0, |normal| untransformed.mul_vec3(*normal).length());
                let scaled = normal_matrix.mul_scalar(scale).mul_vec3(*offset);
                // A flat transform has no inverse.
                *offset = if scaled.is_finite() { scaled } else { Vec3::ZERO };
            }
        }
        MorphTarget { positions, normals: normal_offsets, tangents: Vec::new() }
    }
}

/// Adds a shape's offsets to `points`. Returns false if all offsets are zero.
fn add(points: &mut [Vec3], shape: &ufbx::BlendShape, offsets: &[ufbx::Vec3]) -> bool {
    let mut is_any = false;
    for (at, (&point, offset)) in shape.offset_vertices.iter().zip(offsets).enumerate() {
        let weight = shape.offset_weights.get(at).copied().unwrap_or(1.0) as f32;
        let offset = vec3(offset);
        if let Some(place) = points.get_mut(point as usize).filter(|_| offset.is_finite() && offset != Vec3::ZERO) {
            let [x, y, z] = offset.to_array();
            *place = Vec3::new(place.x + x * weight, place.y + y * weight, place.z + z * weight);
            is_any = true;
        }
    }
    is_any
}

#[cfg(test)]
mod tests {
    use glam::{Affine3, Mat3, Vec3};

    use super::{Displacements, target_weights};

    #[test]
    fn a_normal_with_its_displacement_points_where_the_moved_surface_faces() {
        for matrix in [Mat3::from_diagonal(Vec3::splat(100.0)), Mat3::from_diagonal(Vec3::new(3.0, 0.5, -1.0))] {
            let transform = Affine3 { matrix3: matrix, ..Affine3::IDENTITY };
            let normal_matrix = matrix.inverse().transpose();
            let (normal, offset) = (Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.2, 0.1, 0.4));
            let moved = Displacements { positions: vec![Vec3::X], normals: vec![offset] };
            let base = (normal_matrix * normal).normalize_or_zero();
            for weight in [0.25, 1.0] {
                let turned = base + moved.target(&[0], Some(transform), Some(&[base])).normals[0] * weight;
                let expected = (normal_matrix * (normal + offset * weight)).normalize_or_zero();
                assert!((turned.normalize_or_zero() - expected).length() < 1e-6, "{matrix} at {weight}: {turned}");
            }
        }
    }

    #[test]
    fn a_flat_transform_displaces_no_normal() {
        let flat = Affine3 { matrix3: Mat3::from_diagonal(Vec3::new(1.0, 0.0, 1.0)), ..Affine3::IDENTITY };
        let moved = Displacements { positions: vec![Vec3::X], normals: vec![Vec3::ONE] };
        assert_eq!(moved.target(&[0], Some(flat), Some(&[Vec3::Y])).normals, [Vec3::ZERO]);
    }

    #[test]
    fn shapes_between_are_mixed_and_beyond_the_last_they_go_on() {
        for (at, weight, expected) in [
            (&[1.0][..], 0.25, &[0.25][..]),
            (&[1.0], -0.5, &[-0.5]),
            (&[1.0], 0.0, &[0.0]),
            (&[0.5, 1.0], 0.25, &[0.5, 0.0]),
            (&[0.5, 1.0], 0.75, &[0.5, 0.5]),
            (&[0.5, 1.0], 1.5, &[-1.0, 2.0]),
            (&[-1.0, 1.0], -0.5, &[0.5, 0.0]),
            (&[-1.0], 0.5, &[-0.5]),
            (&[0.0], 0.5, &[0.0]),
            (&[], 0.5, &[]),
        ] {
            assert_eq!(target_weights(at, weight), expected, "{at:?} at {weight}");
        }
    }
}
