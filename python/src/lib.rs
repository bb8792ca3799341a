//! Rigscope for Python: a thin wrapper around the library's types that raises its errors as exceptions.
//!
//! | module | contents |
//! | --- | --- |
//! | [`opening`] | `load`, `convert` |
//! | [`versions`] | `diff`, which compares two versions of a rig |
//! | [`rig`] | `Rig`, `Node`, `Skin` |
//! | [`clip`] | `Clip`, `Channel` |
//! | [`primitive`] | `Primitive`, `MorphTarget` |
//! | [`looks`] | `Material`, `Image` |
//! | [`config`] | `Config` |
//! | [`pose`] | `Pose`, `Surface` |
//! | [`saving`] | writing of rigs, posed meshes and reports to files |
//! | [`motion`] | measures of whole clips, for both sides |
//! | [`arguments`] | types of arguments |
//! | [`arrays`] | memory of the library as numpy arrays |
//! | [`numbers`] | JSON of the command line, as Python dictionaries |
//! | [`detached`] | long work without the interpreter's lock, which Ctrl+C cancels |
//! | [`pictures`] | PNG images, rendered with OpenGL |

#![cfg_attr(feature = "gl", expect(clippy::fn_params_excessive_bools, reason = "as Python hands arguments over"))]
#![expect(clippy::needless_pass_by_value, clippy::too_many_arguments, reason = "as Python hands arguments over")]

mod arguments;
mod arrays;
mod clip;
mod config;
mod detached;
mod errors;
mod looks;
mod motion;
mod numbers;
mod opening;
#[cfg(feature = "gl")]
mod pictures;
mod pose;
mod primitive;
mod rig;
mod saving;
mod versions;

use pyo3::prelude::*;

/// The extension module that `rigscope` imports from.
#[pymodule]
mod _rigscope {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    use rigscope::skinning::Method;
    use rigscope::weights::Weighting;

    #[pymodule_export]
    use super::clip::{Channel, Clip};
    #[pymodule_export]
    use super::config::Config;
    #[pymodule_export]
    use super::errors::RigscopeError;
    #[pymodule_export]
    use super::looks::{Image, Material};
    #[pymodule_export]
    use super::opening::{convert, load};
    #[pymodule_export]
    use super::pose::{Pose, Surface};
    #[pymodule_export]
    use super::primitive::{MorphTarget, Primitive};
    #[pymodule_export]
    use super::rig::{Node, Rig, Skin};
    #[pymodule_export]
    use super::versions::diff;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("OpenError", super::errors::open_error_class(py)?)?;
        module.add("METHODS", PyTuple::new(py, Method::CHOICES.map(|method| method.to_string()))?)?;
        module.add("WEIGHTINGS", PyTuple::new(py, Weighting::ALL.map(|weighting| weighting.spec().name))?)
    }
}
