//! Exceptions with the same messages as on the command line.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    rigscope,
    RigscopeError,
    PyException,
    "Something that cannot be done; says what, where and what to do."
);
create_exception!(rigscope, OpenError, RigscopeError, "A file that cannot be opened; says why, and what to do.");

/// Creates the exception for a request that the library rejects, with the library's message.
pub(crate) fn refused(problem: impl ToString) -> PyErr {
    RigscopeError::new_err(problem.to_string())
}
