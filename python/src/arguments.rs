//! Types of arguments: names or numbers, look-at targets, lists of names, finite numbers.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::errors::refused;
use rigscope::rig::LookAtTarget;

/// A clip or a scene, given by name or by index in the file.
#[derive(Clone)]
pub(crate) enum NameOrNumber {
    Name(String),
    /// An index; not yet checked against the number of clips or scenes in the file.
    Number(i64),
}

/// Look-at target: a point in metres, or two angles in degrees.
#[derive(FromPyObject)]
pub(crate) enum LookAtArg {
    #[pyo3(transparent)]
    Point([f64; 3]),
    #[pyo3(transparent)]
    Angles([f32; 2]),
}

impl LookAtArg {
    pub(crate) fn target(self) -> LookAtTarget {
        match self {
            Self::Point(point) => LookAtTarget::Point(point),
            Self::Angles([yaw_deg, pitch_deg]) => LookAtTarget::Angles { yaw_deg, pitch_deg },
        }
    }
}

impl FromPyObject<'_, '_> for NameOrNumber {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(name) = value.extract() {
            return Ok(Self::Name(name));
        }
        let number = value.call_method0("__index__").and_then(|number| Ok(number.cast_into::<PyInt>()?));
        let Ok(number) = number else {
            return Err(PyTypeError::new_err(format!("A name or a number is wanted, not {value:?}")));
        };
        let Ok(found) = number.extract() else {
            return Err(refused(format!("{number} is no number of a clip or scene")));
        };
        Ok(Self::Number(found))
    }
}

/// A name or a list of names.
#[derive(FromPyObject)]
pub(crate) enum Names {
    One(String),
    Many(Vec<String>),
}

impl Names {
    pub(crate) fn list(self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name],
            Self::Many(names) => names,
        }
    }
}

/// Checks that numbers are finite. *Errors*: a number is NaN or infinite; the message contains `name`, the argument's
/// name.
pub(crate) fn check_finite(name: &str, numbers: &[f32]) -> PyResult<()> {
    if numbers.iter().all(|number| number.is_finite()) {
        return Ok(());
    }
    let given: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    Err(refused(format!("{name} must be finite, not {}", given.join(", "))))
}
