//! What the command line prints as JSON, as dictionaries with the same keys.

use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::refused;

/// Converts a value to Python objects by way of its JSON.
pub(crate) fn as_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(refused)?;
    from_json(py, &text)
}

/// Parses JSON to Python objects.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
