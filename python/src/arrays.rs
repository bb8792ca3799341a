//! Memory of the library as numpy arrays, without a copy where the layout allows it.

use bytemuck::{Pod, cast_slice, cast_vec};
use glam::Affine3;
use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// An array of one row per vector, which owns its memory.
pub(crate) fn owned<V: Pod, const WIDTH: usize>(py: Python<'_>, rows: Vec<V>) -> PyResult<Py<PyArray2<f32>>> {
    let count = rows.len();
    let flat = numpy::PyArray1::from_vec(py, cast_vec::<V, f32>(rows));
    Ok(flat.reshape([count, WIDTH])?.unbind())
}

/// An array of rows of `width` numbers each, which cannot be written to and keeps `owner` alive.
///
/// # Safety
/// `values` must lie in memory that `owner` keeps and nothing changes.
#[expect(unsafe_code, reason = "numpy gets the owner of the memory that it refers to")]
pub(crate) unsafe fn borrowed<'py, T: Element>(
    owner: &Bound<'py, PyAny>,
    values: &[T],
    width: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let shape = [values.len() / width.max(1), width];
    let view = ArrayView2::from_shape(shape, values).map_err(crate::errors::refused)?;
    // SAFETY: as the caller promises; nothing else refers to the new array yet, so it is read-only before anybody can write.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.clone()) };
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// Rows of a rig's memory as an array that keeps `$owner`; see [`borrowed`].
macro_rules! rows {
    ($owner:expr, $values:expr, $width:expr) => {{
        let owner: &Bound<'_, _> = $owner;
        // SAFETY: the owner keeps the rig, and a rig never changes.
        #[expect(unsafe_code, reason = "numpy gets the owner of the memory that it refers to")]
        unsafe {
            crate::arrays::borrowed(owner.as_any(), $values, $width)
        }
    }};
}
pub(crate) use rows;

/// The numbers of a list of vectors.
pub(crate) fn numbers<V: Pod>(rows: &[V]) -> &[f32] {
    cast_slice(rows)
}

/// Affine transforms as an array of matrices that multiply column vectors: (count, 4, 4).
pub(crate) fn matrices(
    py: Python<'_>,
    transforms: impl ExactSizeIterator<Item = Affine3>,
) -> PyResult<Bound<'_, PyArray3<f32>>> {
    let count = transforms.len();
    let flat: Vec<f32> = transforms.flat_map(row_major).collect();
    numpy::PyArray1::from_vec(py, flat).reshape([count, 4, 4])
}

fn row_major(transform: Affine3) -> [f32; 16] {
    glam::Mat4::from(transform).transpose().to_cols_array()
}
