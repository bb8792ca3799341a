//! Exceptions, with the texts that the command line prints.

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

/// Exception for anything that the library refuses, in its own words.
pub(crate) fn refused(problem: impl ToString) -> PyErr {
    RigscopeError::new_err(problem.to_string())
}
