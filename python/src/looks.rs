//! Materials and images of a rig.

use std::collections::BTreeMap;
use std::sync::Arc;

use numpy::{PyArray3, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::rows;
use crate::detached::detached;
use crate::errors::refused;
use crate::rig::SharedRig;
use rigscope::export::image_png;
use rigscope::jobs::Progress;
use rigscope::rig::Alpha;

/// Name of the base colour texture. The names of other textures come from `MapKind`.
const BASE_COLOR: &str = "base colour";

/// A material of a primitive, in the model of glTF 2.0.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Material {
    shared: Arc<SharedRig>,
    material: usize,
}

impl Material {
    pub fn all(shared: &Arc<SharedRig>) -> Vec<Self> {
        let all = 0..shared.rig().materials.len();
        all.map(|material| Self { shared: Arc::clone(shared), material }).collect()
    }

    fn material(&self) -> &rigscope::rig::Material {
        &self.shared.rig().materials[self.material]
    }
}

#[pymethods]
impl Material {
    /// Name in the file; may be empty.
    #[getter]
    fn name(&self) -> &str {
        &self.material().name
    }

    /// Linear red, green, blue and alpha, 0 to 1, multiplied with the texture and the vertex colour.
    #[getter]
    fn base_color(&self) -> (f32, f32, f32, f32) {
        self.material().base_color.into()
    }

    /// Indices into `Rig.images`, by use of the texture: ``"base colour"``, ``"normal"``, ``"metallic-roughness"``, ``"occlusion"``, ``"emissive"`` and others.
    #[getter]
    fn textures(&self) -> BTreeMap<&'static str, usize> {
        let material = self.material();
        let base = material.texture.as_ref().map(|texture| (BASE_COLOR, texture.image));
        base.into_iter().chain(material.maps.iter().map(|(kind, texture)| (kind.name(), texture.image))).collect()
    }

    /// Metalness, 0 to 1.
    #[getter]
    fn metallic(&self) -> f32 {
        self.material().metallic
    }

    /// Perceptual roughness, 0 to 1.
    #[getter]
    fn roughness(&self) -> f32 {
        self.material().roughness
    }

    /// Emitted light as linear red, green and blue; may exceed 1.
    #[getter]
    fn emission(&self) -> (f32, f32, f32) {
        self.material().emission.into()
    }

    /// How alpha is used: ``"opaque"``, ``"mask"`` or ``"blend"``.
    #[getter]
    fn alpha(&self) -> &'static str {
        match self.material().alpha {
            Alpha::Opaque => "opaque",
            Alpha::Mask(_) => "mask",
            Alpha::Blend => "blend",
        }
    }

    /// If `alpha` is ``"mask"``, pixels with a lower alpha than this (0 to 1) are not drawn; otherwise `None`.
    #[getter]
    fn alpha_cutoff(&self) -> Option<f32> {
        match self.material().alpha {
            Alpha::Mask(cutoff) => Some(cutoff),
            Alpha::Opaque | Alpha::Blend => None,
        }
    }

    /// True if back faces are drawn too.
    #[getter]
    fn double_sided(&self) -> bool {
        self.material().is_double_sided
    }

    /// True if the surface is drawn without lighting.
    #[getter]
    fn unlit(&self) -> bool {
        self.material().is_unlit
    }

    fn __repr__(&self) -> String {
        format!("<rigscope.Material {:?}>", self.name())
    }
}

/// A decoded image that textures refer to.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Image {
    shared: Arc<SharedRig>,
    image: usize,
}

impl Image {
    pub fn all(shared: &Arc<SharedRig>) -> Vec<Self> {
        (0..shared.rig().images.len()).map(|image| Self { shared: Arc::clone(shared), image }).collect()
    }

    fn image(&self) -> &rigscope::rig::Image {
        &self.shared.rig().images[self.image]
    }
}

#[pymethods]
impl Image {
    /// Width in pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.image().width
    }

    /// Height in pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.image().height
    }

    /// (height, width, 4) uint8: red, green, blue and straight alpha, top row first. Colours are sRGB; normal maps and
    /// similar images hold linear data. A read-only view of the rig's memory.
    #[getter]
    fn pixels<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let image = slf.get().image();
        let [width, height] = [image.width as usize, image.height as usize];
        rows!(slf, &image.rgba, 4 * width)?.reshape([height, width, 4])
    }

    /// Returns the image as PNG with all channels unchanged. These are the same bytes that :meth:`Rig.save` writes.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let made = |progress: &Arc<Progress>| image_png(self.shared.rig(), self.image, progress);
        Ok(PyBytes::new(py, &detached(py, made)?.map_err(refused)?))
    }

    fn __repr__(&self) -> String {
        format!("<rigscope.Image {} x {}>", self.width(), self.height())
    }
}
