//! Golden files next to the samples: poses of real files, skinned by an independent implementation in double precision. Their format is that of
//! `rigscope bake -o OUT.json`, with the pose added.

use std::path::{Path, PathBuf};

use rigscope::skinning::Method;
use serde::Deserialize;

/// Number of golden files: 32 poses with two methods.
pub const EXPECTED_CASES: usize = 2 * 32;

/// A golden file.
#[derive(Deserialize)]
pub struct Golden {
    /// Path of the file in the samples folder.
    pub file: String,
    pub clip: Option<usize>,
    pub time: f32,
    pub method: Method,
    /// Content of a pose file.
    pub pose: serde_json::Value,
    pub size: f32,
    /// Expected vertices of the skinned primitives.
    pub primitives: Vec<GoldenPrimitive>,
}

#[derive(Deserialize)]
pub struct GoldenPrimitive {
    pub node: usize,
    pub mesh: usize,
    pub primitive: usize,
    pub positions: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    /// Vertices for which rounding decides the sign of a dual quaternion.
    pub skip: Vec<usize>,
}

/// Returns all golden files with their names, in order.
pub fn all(samples: &Path) -> Vec<(String, Golden)> {
    let paths = super::files_below(&samples.join("../reference/golden"), &["json"]);
    let read = |path: PathBuf| {
        let golden: Golden = serde_json::from_slice(&std::fs::read(&path).unwrap()).expect("the golden format");
        (path.file_stem().expect("a name").to_string_lossy().into_owned(), golden)
    };
    assert_eq!(paths.len(), EXPECTED_CASES, "golden files");
    paths.into_iter().map(read).collect()
}

impl GoldenPrimitive {
    /// Asserts that positions agree within 2e-5 of the size and normals within 2e-3. Returns the maximum differences.
    pub fn assert_near(&self, what: &str, size: f32, positions: &[[f32; 3]], normals: Option<&[[f32; 3]]>) -> [f32; 2] {
        let key = (self.node, self.mesh, self.primitive);
        assert_eq!(positions.len(), self.positions.len(), "{what} {key:?}: number of vertices");
        assert_eq!(normals.is_some(), self.normals.is_some(), "{what} {key:?}: normals");
        let position = self.largest(positions, &self.positions) / size;
        let normal = normals.zip(self.normals.as_deref()).map_or(0.0, |(n, expected)| self.largest(n, expected));
        assert!(position <= 2e-5, "{what} {key:?}: positions differ by {position} of the size");
        assert!(normal <= 2e-3, "{what} {key:?}: normals differ by {normal}");
        [position, normal]
    }

    fn largest(&self, found: &[[f32; 3]], expected: &[[f32; 3]]) -> f32 {
        let kept = (0..expected.len()).filter(|i| !self.skip.contains(i));
        let distance = |i: usize| glam::Vec3::from(found[i]).distance(expected[i].into());
        kept.map(distance).fold(0.0, |a: f32, d| if d.is_nan() { f32::INFINITY } else { a.max(d) })
    }
}
