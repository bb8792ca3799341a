use std::borrow::Cow;
use std::sync::Arc;

use glam::{DVec3, Vec3, Vec4};

use super::{ExportError, MissingTextures};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Influences, Material, Mesh, MeshInstance, Primitive, Rig};
use rigscope_core::skinning::{Deformed, Palette};
use rigscope_core::text::counted;

/// A rig and its posed vertices in world space. Exporters convert them to file coordinates. `palettes` and `deformed`
/// have one entry per mesh instance. Each entry of `deformed` has one item per primitive, in rig order.
#[derive(Clone, Copy, Debug)]
pub struct PosedMeshes<'a> {
    /// The posed rig.
    pub rig: &'a Rig,
    /// Palettes from [`rigscope_core::skinning::palettes`]; they determine which triangles are mirrored.
    pub palettes: &'a [Arc<Palette>],
    /// Positions and normals, all finite; see [`make_finite`].
    pub deformed: &'a [Vec<Deformed>],
    /// Materials changed by expressions; see [`rigscope_core::rig::Posed::materials`].
    pub changed_materials: &'a [(usize, Material)],
    /// How to handle unreadable textures.
    pub missing: MissingTextures,
    /// Progress, advanced for each primitive and image. Cancelling the progress ends the export with
    /// [`ExportError::Cancelled`].
    pub progress: &'a Progress,
}

#[derive(Clone, Copy)]
pub(super) struct PosedMesh<'a> {
    rig: &'a Rig,
    palette: &'a Palette,
    deformed: &'a [Deformed],
    pub instance: &'a MeshInstance,
    pub mesh: &'a Mesh,
}

#[derive(Clone, Copy)]
pub(super) struct PosedPrimitive<'a> {
    rig: &'a Rig,
    palette: &'a Palette,
    pub primitive: &'a Primitive,
    pub deformed: &'a Deformed,
}

impl<'a> PosedMeshes<'a> {
    pub(super) fn step(self) -> Result<(), ExportError> {
        step(self.progress)
    }

    pub(super) fn anchor(self) -> DVec3 {
        self.rig.hierarchy.anchor()
    }

    pub(super) fn material(self, index: usize) -> &'a Material {
        shown_material(self.rig, self.changed_materials, index)
    }

    pub(super) fn meshes(self) -> impl Iterator<Item = PosedMesh<'a>> {
        let rig = self.rig;
        rig.instances.iter().zip(self.palettes).zip(self.deformed).map(move |((instance, palette), deformed)| {
            PosedMesh { rig, palette, deformed, instance, mesh: &rig.meshes[instance.mesh] }
        })
    }

    pub(super) fn parts(self) -> impl Iterator<Item = PosedPrimitive<'a>> {
        self.meshes().flat_map(PosedMesh::parts)
    }
}

impl<'a> PosedMesh<'a> {
    pub(super) fn parts(self) -> impl Iterator<Item = PosedPrimitive<'a>> {
        let Self { rig, palette, deformed, mesh, .. } = self;
        mesh.primitives.iter().zip(deformed).map(move |(primitive, deformed)| PosedPrimitive {
            rig,
            palette,
            primitive,
            deformed,
        })
    }

    pub(super) fn name(self) -> String {
        let node = self.rig.hierarchy.name(self.instance.node);
        if self.mesh.name.is_empty() || self.mesh.name == node {
            node.to_owned()
        } else {
            format!("{node} {}", self.mesh.name)
        }
    }
}

impl<'a> PosedPrimitive<'a> {
    /// Returns the position of a vertex in file coordinates in f64; `None` for a rig without an anchor.
    pub(super) fn far_position(self, vertex: usize) -> Option<DVec3> {
        let hierarchy = &self.rig.hierarchy;
        (hierarchy.anchor() != DVec3::ZERO).then(|| hierarchy.in_file(self.deformed.positions[vertex]))
    }

    pub(super) fn vertex_count(self) -> usize {
        self.deformed.positions.len()
    }

    pub(super) fn normals(self) -> Option<&'a [Vec3]> {
        self.deformed.normals.as_deref()
    }

    pub(super) fn material(self) -> Option<&'a Material> {
        self.primitive.material.and_then(|m| self.rig.materials.get(m.0))
    }

    /// Returns the triangles, counter-clockwise as seen from outside. Flips triangles whose weights are mostly on
    /// mirrored joints. The determinant of the blended matrix is not a valid test, because its sign also changes where
    /// the skin collapses.
    pub(super) fn triangles(self) -> Cow<'a, [u32]> {
        let mirrors: Vec<bool> = self.palette.joints.iter().map(|j| j.matrix.matrix3.determinant() < 0.0).collect();
        if !mirrors.contains(&true) {
            return Cow::Borrowed(&self.primitive.indices);
        }
        let influences = self.primitive.influences.as_ref().filter(|_| mirrors.len() > 1);
        let mut triangles = self.primitive.indices.clone();
        for triangle in triangles.chunks_exact_mut(3) {
            let share: f32 = triangle.iter().map(|&vertex| mirrored_fraction(influences, &mirrors, vertex)).sum();
            if share > 1.5 {
                triangle.swap(1, 2);
            }
        }
        Cow::Owned(triangles)
    }
}

pub(super) fn shown_material<'a>(rig: &'a Rig, changed: &'a [(usize, Material)], index: usize) -> &'a Material {
    let at = changed.binary_search_by_key(&index, |(material, _)| *material);
    at.map_or_else(|_| &rig.materials[index], |at| &changed[at].1)
}

fn mirrored_fraction(influences: Option<&Influences>, mirrors: &[bool], vertex: u32) -> f32 {
    let Some(influences) = influences else { return 1.0 };
    influences.vertex(vertex as usize).filter(|&(joint, _)| mirrors[joint]).map(|(_, weight)| weight).sum()
}

/// Replaces infinite and NaN coordinates, which no format supports, with 0. Returns the number of affected vectors.
pub fn make_finite(deformed: &mut [Vec<Deformed>]) -> usize {
    let mut count = 0;
    for Deformed { positions, normals, tangents } in deformed.iter_mut().flatten() {
        for vector in positions.iter_mut().chain(normals.iter_mut().flatten()).filter(|v| !v.is_finite()) {
            *vector = Vec3::from_array(vector.to_array().map(finite));
            count += 1;
        }
        for tangent in tangents.iter_mut().flatten() {
            *tangent = Vec4::from_array(tangent.to_array().map(finite));
        }
    }
    count
}

/// Returns a clause stating that [`make_finite`] changed `count` vectors.
pub fn not_finite(count: usize) -> String {
    let vectors = counted(count, "position or normal is", "positions or normals are");
    format!("{vectors} not finite; coordinates were replaced by 0")
}

pub(super) fn finite(x: f32) -> f32 {
    if x.is_finite() { x } else { 0.0 }
}

/// Advances progress by one step. *Errors*: [`ExportError::Cancelled`].
pub(super) fn step(progress: &Progress) -> Result<(), ExportError> {
    progress.add(1);
    progress.check_cancelled().ok_or(ExportError::Cancelled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine3, Mat3};
    use rigscope_core::skinning::JointTransform;

    fn part(palette: &Palette, primitive: &Primitive) -> Vec<u32> {
        let deformed = Deformed::default();
        PosedPrimitive { rig: &Rig::default(), palette, primitive, deformed: &deformed }.triangles().into_owned()
    }

    #[test]
    fn triangles_turn_where_most_of_their_weight_is_mirrored() {
        let joint =
            |x: f32| JointTransform::new(Affine3::from_mat3(Mat3::from_diagonal(Vec3::new(x, 1.0, 1.0))), Vec3::ZERO);
        // Vertices 0 to 2 follow the first joint, 3 to 5 the second; the last triangle has two corners on the second.
        let influences = Influences::new(1, vec![0, 0, 0, 1, 1, 1], vec![1.0; 6]);
        let indices = vec![0, 1, 2, 3, 4, 5, 2, 3, 4];
        let skinned = Primitive { indices: indices.clone(), influences: Some(influences), ..Primitive::default() };
        let palette = Palette::from(vec![joint(1.0), joint(-2.0)]);
        assert_eq!(part(&palette, &skinned), [0, 1, 2, 3, 5, 4, 2, 4, 3]);
        let plain = Primitive { indices: indices.clone(), ..Primitive::default() };
        assert_eq!(part(&Palette::from(vec![joint(-1.0)]), &plain), [0, 2, 1, 3, 5, 4, 2, 4, 3]);
        assert_eq!(part(&Palette::from(vec![joint(1.0)]), &plain), indices);
    }

    #[test]
    fn non_finite_values_become_zero_and_are_counted() {
        let odd = Vec3::new(f32::NAN, 1.0, f32::NEG_INFINITY);
        let mut deformed = vec![vec![Deformed {
            positions: vec![Vec3::X, odd],
            normals: Some(vec![odd, Vec3::Y]),
            tangents: Some(vec![odd.extend(1.0)]),
        }]];
        assert_eq!(make_finite(&mut deformed), 2);
        assert_eq!(deformed[0][0].positions, [Vec3::X, Vec3::Y]);
        assert_eq!(deformed[0][0].normals, Some(vec![Vec3::Y; 2]));
        assert_eq!(deformed[0][0].tangents, Some(vec![Vec4::new(0.0, 1.0, 0.0, 1.0)]));
        assert_eq!(make_finite(&mut deformed), 0);
    }
}
