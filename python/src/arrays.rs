//! Exposes the library's memory as numpy arrays, without copying if the layout allows it.

use bytemuck::{Pod, cast_slice, cast_vec};
use glam::Affine3;
use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// Converts vectors to an array that owns its memory, one row per vector.
pub(crate) fn owned<V: Pod, const WIDTH: usize>(py: Python<'_>, rows: Vec<V>) -> PyResult<Py<PyArray2<f32>>> {
    let count = rows.len();
    let flat = numpy::PyArray1::from_vec(py, cast_vec::<V, f32>(rows));
    Ok(flat.reshape([count, WIDTH])?.unbind())
}

/// Returns a read-only array that views memory of `owner` and keeps `owner` alive. Each row has `width` numbers.
///
/// # Safety
/// `owner` must keep the memory of `values` allocated, and the memory must never change.
#[expect(unsafe_code, reason = "numpy gets the owner of the memory that it refers to")]
pub(crate) unsafe fn borrowed<'py, T: Element>(
    owner: &Bound<'py, PyAny>,
    values: &[T],
    width: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let shape = [values.len() / width.max(1), width];
    let view = ArrayView2::from_shape(shape, values).map_err(crate::errors::refused)?;
    // SAFETY: the caller guarantees it. The new array has no other reference yet, so it becomes read-only before anything can write to it.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.clone()) };
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// Returns rows in a rig's memory as an array that keeps `$owner` alive; see [`borrowed`].
macro_rules! rows {
    ($owner:expr, $values:expr, $width:expr) => {{
        let owner: &Bound<'_, _> = $owner;
        // SAFETY: the owner keeps the rig alive, and a rig never changes.
        #[expect(unsafe_code, reason = "numpy gets the owner of the memory that it refers to")]
        unsafe {
            crate::arrays::borrowed(owner.as_any(), $values, $width)
        }
    }};
}
pub(crate) use rows;

/// Casts a slice of vectors to a slice of numbers.
pub(crate) fn numbers<V: Pod>(rows: &[V]) -> &[f32] {
    cast_slice(rows)
}

/// Converts affine transforms to an array (count, 4, 4) of matrices that multiply column vectors.
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
