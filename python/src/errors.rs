//! Exceptions with the same messages as on the command line.

use std::ffi::CString;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

create_exception!(
    rigscope,
    RigscopeError,
    PyException,
    "Something that cannot be done; says what, where and what to do."
);

/// Creates the exception for a request that the library rejects, with the library's message.
pub(crate) fn refused(problem: impl ToString) -> PyErr {
    RigscopeError::new_err(problem.to_string())
}

/// Returns the class `OpenError`, which is a `RigscopeError` and an `OSError`.
pub(crate) fn open_error_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.get_or_try_init(py, || {
        let bases = PyTuple::new(py, [py.get_type::<RigscopeError>(), py.get_type::<PyOSError>()])?;
        let members = PyDict::new(py);
        members.set_item("__doc__", "A file that cannot be opened; says why, and what to do.")?;
        members.set_item("__module__", "rigscope")?;
        let class = py.get_type::<PyType>().call1(("OpenError", bases, members))?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// Creates the exception for a file that cannot be opened.
pub(crate) fn not_opened(problem: String) -> PyErr {
    Python::attach(|py| match open_error_class(py) {
        Ok(class) => PyErr::from_type(class.clone(), problem),
        Err(problem) => problem,
    })
}

/// Issues a warning of what could not be done. *Errors*: the caller turns warnings into exceptions.
pub(crate) fn warn(py: Python<'_>, note: &str) -> PyResult<()> {
    let text = CString::new(note.replace('\0', " ")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
}
