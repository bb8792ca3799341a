//! Converts the JSON of the command line to Python dictionaries with the same keys.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::errors::refused;
use rigscope::rows::{Described, Shape};

/// Converts a value to Python objects by way of its JSON.
pub(crate) fn as_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(refused)?;
    from_json(py, &text)
}

/// Converts JSON text to Python objects.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// Converts rows to Python objects. Series become arrays.
pub(crate) fn rows_as_python<'py, R: Serialize + Described>(py: Python<'py>, rows: &R) -> PyResult<Bound<'py, PyAny>> {
    with_arrays(as_python(py, rows)?, &R::shape())
}

/// Replaces the series in a value with arrays.
fn with_arrays<'py>(value: Bound<'py, PyAny>, shape: &Shape) -> PyResult<Bound<'py, PyAny>> {
    if value.is_none() {
        return Ok(value);
    }
    if let Some(kind) = array_type(shape) {
        return value.py().import("numpy")?.call_method1("array", (value, kind));
    }
    match shape {
        Shape::OrNull(inner) => return with_arrays(value, inner),
        Shape::List(inner) if inner.object().is_some() => {
            for item in value.try_iter()? {
                with_arrays(item?, inner)?;
            }
        }
        Shape::Object(object) => {
            let dictionary = value.cast::<PyDict>()?;
            for key in &object.keys {
                if let Some(item) = dictionary.get_item(key.name)? {
                    dictionary.set_item(key.name, with_arrays(item, &key.shape)?)?;
                }
            }
        }
        _ => {}
    }
    Ok(value)
}

/// Returns the array type for a series or a list of series; `None` for other shapes.
fn array_type(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Array(kind) => Some(kind),
        Shape::List(inner) | Shape::OrNull(inner) => array_type(inner),
        _ => None,
    }
}
