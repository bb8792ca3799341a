use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rig::{PointLayout, PointUnit, UpAxis};
use crate::weights::as_text;

/// A file with points of another program: skinned positions in the order of the open character's vertices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PointsFile {
    /// Path of the file.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Letters of the numbers of a vertex in raw float32, such as `xyzw`; by default, the content tells the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<PointLayout>,
    /// Unit: m, cm, mm, in or a number of metres; by default, the one that fits the character best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<PointUnit>,
    /// Up axis; by default, the one that fits the character best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<UpAxis>,
}

impl PointsFile {
    /// Endings of raw float32, in lower case.
    pub const RAW_ENDINGS: [&str; 3] = ["bin", "raw", "f32"];

    /// Creates a reference to a file by its absolute path. Takes files with the ending of raw float32 as x, y, z.
    pub fn new(path: &Path) -> Self {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let is_raw = ending.is_some_and(|ending| Self::RAW_ENDINGS.contains(&ending.as_str()));
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { path, layout: is_raw.then_some(PointLayout::XYZ), unit: None, up: None }
    }
}
