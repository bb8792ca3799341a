//! What is drawn: parts of a rig, and their morph targets.

use std::sync::Arc;

use numpy::PyArray2;
use pyo3::prelude::*;

use crate::arrays::{numbers, rows};
use crate::rig::SharedRig;
use rigscope::rig::{MeshInstance, MorphTargetIndex, Primitive, PrimitiveIndex};

/// One primitive of one mesh that is placed in the scene, as bound. Its arrays look at the rig's own memory and cannot be written to.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Part {
    shared: Arc<SharedRig>,
    place: PrimitiveIndex,
}

impl Part {
    pub fn new(shared: &Arc<SharedRig>, place: PrimitiveIndex) -> Self {
        Self { shared: Arc::clone(shared), place }
    }

    fn instance(&self) -> &MeshInstance {
        &self.shared.rig().instances[self.place.instance]
    }

    fn primitive(&self) -> &Primitive {
        &self.shared.rig().meshes[self.instance().mesh].primitives[self.place.primitive]
    }
}

#[pymethods]
impl Part {
    /// The file's number of the mesh.
    #[getter]
    fn mesh(&self) -> usize {
        self.shared.rig().meshes[self.instance().mesh].source
    }

    /// The file's number of the primitive within its mesh.
    #[getter]
    fn primitive_index(&self) -> usize {
        self.primitive().source
    }

    /// Name of the node that carries the mesh.
    #[getter]
    fn node(&self) -> &str {
        self.shared.name(self.instance().node)
    }

    /// Index into `Rig.skins`; `None` where the part is not skinned.
    #[getter]
    fn skin(&self) -> Option<usize> {
        self.instance().skin
    }

    /// (vertices, 3) float32: metres in skin space, or in the node's where it is not skinned.
    #[getter]
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        rows!(slf, numbers(&slf.get().primitive().positions), 3)
    }

    /// (vertices, 3) float32: of unit length; `None` where the file has none.
    #[getter]
    fn normals<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let normals = slf.get().primitive().normals.as_ref();
        normals.map(|normals| rows!(slf, numbers(normals), 3)).transpose()
    }

    /// (vertices, 2) float32: texture coordinates of the base colour, v down; without a texture the file's first set. `None` where the file has none.
    #[getter]
    fn uvs<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let uvs = slf.get().primitive().tex_coords.as_ref();
        uvs.map(|uvs| rows!(slf, numbers(uvs), 2)).transpose()
    }

    /// (vertices, 2) float32: texture coordinates of those textures of the material that use another set, v down; `None` where none does.
    #[getter]
    fn second_uvs<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let uvs = slf.get().primitive().second_tex_coords.as_ref();
        uvs.map(|uvs| rows!(slf, numbers(uvs), 2)).transpose()
    }

    /// (vertices, 4) float32: vertex colours, linear RGBA; `None` where the file has none.
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

    /// Morph targets in the file's order, with what they add to positions and normals.
    #[getter]
    fn morph_targets(&self) -> Vec<MorphTarget> {
        let targets = 0..self.primitive().morph_targets.len();
        targets.map(|target| MorphTarget { shared: Arc::clone(&self.shared), place: self.place, target }).collect()
    }

    /// (triangles, 3) uint32: vertex numbers, counter-clockwise seen from outside.
    #[getter]
    fn triangles<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        rows!(slf, &slf.get().primitive().indices, 3)
    }

    /// (vertices, influences) uint16: positions in the skin's list of joints, heaviest first; `None` where it is not skinned.
    #[getter]
    fn joints<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<u16>>>> {
        let influences = slf.get().primitive().influences.as_ref();
        influences.map(|influences| rows!(slf, influences.joints(), influences.per_vertex())).transpose()
    }

    /// (vertices, influences) float32: the weight of each of `joints`; rows sum to 1. `None` where it is not skinned.
    #[getter]
    fn weights<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let influences = slf.get().primitive().influences.as_ref();
        influences.map(|influences| rows!(slf, influences.weights(), influences.per_vertex())).transpose()
    }

    fn __repr__(&self) -> String {
        let (node, vertices) = (self.node(), self.primitive().positions.len());
        format!(
            "<rigscope.Part mesh {} primitive {} at {node}: {vertices} vertices>",
            self.mesh(),
            self.primitive_index()
        )
    }
}

/// A morph target of a part. Its arrays look at the rig's own memory and cannot be written to.
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

/// Displacements as an array; `None` where there are none.
macro_rules! displacements {
    ($target:expr, $values:ident) => {{
        let values = &$target.get().target().$values;
        (!values.is_empty()).then(|| rows!($target, numbers(values), 3)).transpose()
    }};
}

#[pymethods]
impl MorphTarget {
    /// Name among `Rig.morphs`, by which poses set its weight.
    #[getter]
    fn name(&self) -> &str {
        let place = MorphTargetIndex { instance: self.place.instance, target: self.target };
        let morphs = self.shared.rig().morphs();
        morphs.iter().find(|morph| morph.targets.contains(&place)).map_or("", |morph| &morph.name)
    }

    /// The file's number of the target within its primitive.
    #[getter]
    fn index(&self) -> usize {
        self.target
    }

    /// Weight where neither clip nor pose sets it.
    #[getter]
    fn weight(&self) -> f32 {
        let weights = &self.shared.rig().instances[self.place.instance].morph_weights;
        weights.get(self.target).copied().unwrap_or(0.0)
    }

    /// (vertices, 3) float32: metres that are added to `Part.positions` at weight 1; `None` where the target moves no position.
    #[getter]
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        displacements!(slf, positions)
    }

    /// (vertices, 3) float32: what is added to `Part.normals` at weight 1; `None` where the target turns no normal.
    #[getter]
    fn normals<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        displacements!(slf, normals)
    }

    /// (vertices, 3) float32: what is added to the directions of tangents at weight 1; `None` where the target turns none.
    #[getter]
    fn tangents<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        displacements!(slf, tangents)
    }

    fn __repr__(&self) -> String {
        format!("<rigscope.MorphTarget {:?}>", self.name())
    }
}
