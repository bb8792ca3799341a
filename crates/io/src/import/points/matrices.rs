//! Matrices of joints, as engines store them: 16 numbers each, by rows or by columns.

use std::path::Path;

use serde::Deserialize;

use super::{DECODED, damaged_matrices, npy};
use crate::import::{ImportError, Job};
use rigscope_core::files;

#[derive(Deserialize)]
#[serde(untagged)]
enum MatrixList {
    Rows(Vec<[[f64; 4]; 4]>),
    Numbers(Vec<Vec<f64>>),
    Flat(Vec<f64>),
}

#[derive(Deserialize)]
struct NamedMatrices {
    matrices: MatrixList,
}

impl MatrixList {
    fn numbers(self) -> Vec<f64> {
        match self {
            Self::Rows(rows) => rows.into_iter().flatten().flatten().collect(),
            Self::Numbers(lists) => lists.into_iter().flatten().collect(),
            Self::Flat(numbers) => numbers,
        }
    }
}

/// Reads matrices of 16 numbers from JSON or `.npy`, in the order of the file. *Errors*: the file cannot be read or has
/// something else.
pub fn matrices_from_path(path: &Path, job: &Job) -> Result<Vec<[f64; 16]>, ImportError> {
    let problem = |source| ImportError::Read { path: path.to_owned(), source };
    let stream = files::open_stream(path).map_err(problem)?;
    let bytes = files::read_bounded(stream, job.memory_limit() / DECODED).map_err(problem)?;
    let numbers = if bytes.starts_with(npy::MAGIC) {
        npy::array(&bytes).map(|array| array.numbers)
    } else {
        let list = if bytes.trim_ascii_start().starts_with(b"{") {
            serde_json::from_slice(&bytes).map(|named: NamedMatrices| named.matrices)
        } else {
            serde_json::from_slice(&bytes)
        };
        list.map(MatrixList::numbers)
            .map_err(|_untagged| "it is neither a .npy file nor a list of matrices in JSON".to_owned())
    };
    let numbers = numbers.map_err(|reason| damaged_matrices(path, &reason))?;
    let (matrices, rest) = numbers.as_chunks::<16>();
    if matrices.is_empty() || !rest.is_empty() {
        let count = numbers.len();
        return Err(damaged_matrices(path, &format!("it has {count} numbers, which is not a multiple of 16")));
    }
    Ok(matrices.to_vec())
}
