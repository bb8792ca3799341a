//! Primitives of a rig and their morph targets.

use std::sync::Arc;

use numpy::PyArray2;
use pyo3::prelude::*;

use crate::arrays::{numbers, rows};
use crate::rig::SharedRig;
use rigscope::rig::{MeshInstance, MorphTargetIndex, PrimitiveIndex};

/// One primitive of a mesh in the scene, in the bind pose. Its arrays are read-only views of the rig's memory.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Primitive {
    shared: Arc<SharedRig>,
    place: PrimitiveIndex,
}

impl Primitive {
    pub fn new(shared: &Arc<SharedRig>, place: PrimitiveIndex) -> Self {
        Self { shared: Arc::clone(shared), place }
    }

    fn instance(&self) -> &MeshInstance {
        &self.shared.rig().instances[self.place.instance]
    }

    fn primitive(&self) -> &rigscope::rig::Primitive {
        &self.shared.rig().meshes[self.instance().mesh].primitives[self.place.primitive]
    }
}

#[pymethods]
impl Primitive {
    /// Index of the mesh in the file.
    #[getter]
    fn mesh(&self) -> usize {
        self.shared.rig().meshes[self.instance().mesh].source
    }

    /// Index of the primitive in the file's mesh.
    #[getter]
    fn primitive_index(&self) -> usize {
        self.primitive().source
    }

    /// Name of the node to which the mesh belongs.
    #[getter]
    fn node(&self) -> &str {
        self.shared.name(self.instance().node)
    }

    /// Index into `Rig.skins`; `None` if the primitive is not skinned.
    #[getter]
    fn skin(&self) -> Option<usize> {
        self.instance().skin
    }

    /// (vertices, 3) float32: metres in skin space, or in the node's space if the primitive is not skinned.
    #[getter]
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        rows!(slf, numbers(&slf.get().primitive().positions), 3)
    }

    /// (vertices, 3) float32: unit vectors; `None` if the file has none.
    #[getter]
    fn normals<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let normals = slf.get().primitive().normals.as_ref();
        normals.map(|normals| rows!(slf, numbers(normals), 3)).transpose()
    }

    /// (vertices, 2) float32: texture coordinates of the base colour texture, or the file's first set if there is no
    /// such texture; v points down. `None` if the file has none.
    #[getter]
    fn uvs<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let uvs = slf.get().primitive().tex_coords.as_ref();
        uvs.map(|uvs| rows!(slf, numbers(uvs), 2)).transpose()
    }

    /// (vertices, 2) float32: second set of texture coordinates, for textures of the material that don't use `uvs`; v
    /// points down. `None` if no texture uses a second set.
    #[getter]
    fn second_uvs<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let uvs = slf.get().primitive().second_tex_coords.as_ref();
        uvs.map(|uvs| rows!(slf, numbers(uvs), 2)).transpose()
    }

    /// (vertices, 4) float32: vertex colours, linear RGBA; `None` if the file has none.
    #[getter]
    fn colors<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let colors = slf.get().primitive().colors.as_ref();
        colors.map(|colors| rows!(slf, numbers(colors), 4)).transpose()
    }

    /// Index into `Rig.materials`; `None` for glTF's default material.
    #[getter]
    fn material(&self) -> Option<usize> {
        self.primitive().material.map(|material| material.0)
    }

    /// Morph targets in the file's order.
    #[getter]
    fn morph_targets(&self) -> Vec<MorphTarget> {
        let targets = 0..self.primitive().morph_targets.len();
        targets.map(|target| MorphTarget { shared: Arc::clone(&self.shared), place: self.place, target }).collect()
    }

    /// (triangles, 3) uint32: vertex indices, counter-clockwise seen from outside.
    #[getter]
    fn triangles<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        rows!(slf, &slf.get().primitive().indices, 3)
    }

    /// (vertices, influences) uint16: indices into the skin's joints, heaviest first; `None` if the primitive is not
    /// skinned.
    #[getter]
    fn joints<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<u16>>>> {
        let influences = slf.get().primitive().influences.as_ref();
        influences.map(|influences| rows!(slf, influences.joints(), influences.per_vertex())).transpose()
    }

    /// (vertices, influences) float32: weights of `joints`. Each row sums to 1. `None` if the primitive is not skinned.
    #[getter]
    fn weights<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let influences = slf.get().primitive().influences.as_ref();
        influences.map(|influences| rows!(slf, influences.weights(), influences.per_vertex())).transpose()
    }

    fn __repr__(&self) -> String {
        let (node, vertices) = (self.node(), self.primitive().positions.len());
        format!(
            "<rigscope.Primitive {} of mesh {} at {node}: {vertices} vertices>",
            self.primitive_index(),
            self.mesh()
        )
    }
}

/// A morph target of a primitive. Its arrays are read-only views of the rig's memory.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct MorphTarget {
    shared: Arc<SharedRig>,
    place: PrimitiveIndex,
    target: usize,
}

impl MorphTarget {
    fn target(&self) -> &rigscope::rig::MorphTarget {
        let mesh = self.shared.rig().instances[self.place.instance].mesh;
        &self.shared.rig().meshes[mesh].primitives[self.place.primitive].morph_targets[self.target]
    }
}

/// Returns displacements as an array; `None` if there are none.
macro_rules! displacements {
    ($target:expr, $values:ident) => {{
        let values = &$target.get().target().$values;
        (!values.is_empty()).then(|| rows!($target, numbers(values), 3)).transpose()
    }};
}

#[pymethods]
impl MorphTarget {
    /// Name in `Rig.morphs`. Poses set the target's weight by this name.
    #[getter]
    fn name(&self) -> &str {
        let place = MorphTargetIndex { instance: self.place.instance, target: self.target };
        let morphs = self.shared.rig().morphs();
        morphs.iter().find(|morph| morph.targets.contains(&place)).map_or("", |morph| &morph.name)
    }

    /// Index of the target in the file's primitive.
    #[getter]
    fn index(&self) -> usize {
        self.target
    }

    /// Weight that applies if neither the clip nor the pose sets one.
    #[getter]
    fn weight(&self) -> f32 {
        let weights = &self.shared.rig().instances[self.place.instance].morph_weights;
        weights.get(self.target).copied().unwrap_or(0.0)
    }

    /// (vertices, 3) float32: metres added to `Primitive.positions` at weight 1; `None` if the target doesn't change
    /// positions.
    #[getter]
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        displacements!(slf, positions)
    }

    /// (vertices, 3) float32: vectors added to `Primitive.normals` at weight 1; `None` if the target doesn't change normals.
    #[getter]
    fn normals<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        displacements!(slf, normals)
    }

    /// (vertices, 3) float32: vectors added to tangent directions at weight 1; `None` if the target doesn't change
    /// tangents.
    #[getter]
    fn tangents<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        displacements!(slf, tangents)
    }

    fn __repr__(&self) -> String {
        format!("<rigscope.MorphTarget {:?}>", self.name())
    }
}
