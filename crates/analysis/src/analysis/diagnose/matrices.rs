//! Compares matrices of another program joint by joint, before any skin.

use glam::{DMat3, DMat4};

use rigscope_core::rig::NodeIndex;

use super::diagnosis::{DiagnosisInput, FITS, GAIN, ROUNDING};
use super::joints::{Worlds, palette};
use super::mistakes::{MISTAKES, Mistake};
use super::pipeline::Pipeline;
use super::raw::RawRig;

/// What matrices of another program are.
#[derive(Clone, Debug)]
pub struct MatrixDiagnosis {
    /// The mistake that explains them; `None` if they are right or nothing explains them.
    pub mistake: Option<&'static Mistake>,
    /// Largest difference of a number with the mistake; of translations, as a fraction of the size.
    pub max: f64,
    /// Whether they are skinning matrices, not world matrices of joints.
    pub is_skinning: bool,
    /// Whether each matrix is stored by columns.
    pub is_by_columns: bool,
    /// Names of the joints with the largest differences from the right matrices, largest first, at most eight.
    pub joints: Vec<(String, f64)>,
}

impl MatrixDiagnosis {
    /// Returns whether the matrices are explained up to rounding.
    pub fn fits(&self) -> bool {
        self.max <= FITS
    }
}

/// Compares matrices with those of the skins that have as many joints, and returns the best result. *Errors*: no skin
/// has as many.
pub fn diagnose_matrices(input: &DiagnosisInput<'_>, matrices: &[[f64; 16]]) -> Result<MatrixDiagnosis, String> {
    let raw = RawRig::new(input.rig, (input.pose, input.posed, input.moment), input.skinning);
    let skins = (0..input.rig.skins.len()).filter(|&skin| input.rig.skins[skin].joints.len() == matrices.len());
    let found = skins.map(|skin| of_skin(input, &raw, skin, matrices));
    found.min_by(|a, b| a.max.total_cmp(&b.max)).ok_or_else(|| {
        let counts: Vec<String> = input.rig.skins.iter().map(|skin| skin.joints.len().to_string()).collect();
        format!("There are {} matrices, but the skins have {} joints", matrices.len(), counts.join(", "))
    })
}

fn of_skin(input: &DiagnosisInput<'_>, raw: &RawRig<'_>, skin: usize, matrices: &[[f64; 16]]) -> MatrixDiagnosis {
    let size = f64::from(input.rig.size());
    let carrier = input.rig.instances.iter().find(|instance| instance.skin == Some(skin));
    let mesh_node = carrier.map_or(0, |instance| instance.node.index());
    let expected = |pipeline: &Pipeline, is_skinning: bool| -> Vec<DMat4> {
        let worlds = Worlds::new(raw, pipeline);
        if is_skinning {
            palette(raw, &worlds, (skin, mesh_node), pipeline).into_iter().map(|joint| joint.matrix).collect()
        } else {
            input.rig.skins[skin].joints.iter().map(|joint| worlds.now[joint.index()]).collect()
        }
    };
    let given = |is_by_columns: bool| -> Vec<DMat4> {
        let matrix = |numbers: &[f64; 16]| {
            let columns = DMat4::from_cols_array(numbers);
            if is_by_columns { columns } else { columns.transpose() }
        };
        matrices.iter().map(matrix).collect()
    };
    let conventions = [(true, true), (true, false), (false, true), (false, false)];
    let usual = Pipeline::default();
    let layouts = [given(true), given(false)];
    let right = conventions.map(|(is_skinning, by_columns)| {
        largest(&expected(&usual, is_skinning), &layouts[usize::from(!by_columns)], size)
    });
    let nearest = (0..conventions.len()).min_by(|a, b| right[*a].total_cmp(&right[*b])).unwrap_or(0);
    let (mut best, mut max) = ((None, nearest), right[nearest]);
    let is_right = max <= ROUNDING;
    for mistake in MISTAKES.iter().filter(|_| !is_right) {
        for change in mistake.variants {
            let mut pipeline = usual;
            change(&mut pipeline);
            let own = [true, false].map(|is_skinning| expected(&pipeline, is_skinning));
            for (at, &(is_skinning, by_columns)) in conventions.iter().enumerate() {
                let difference = largest(&own[usize::from(!is_skinning)], &layouts[usize::from(!by_columns)], size);
                if difference.max(ROUNDING) * GAIN < max {
                    (best, max) = ((Some(mistake), at), difference);
                }
            }
        }
    }
    let (mistake, at) = best;
    let (is_skinning, is_by_columns) = conventions[at];
    let (own, given) = (expected(&usual, is_skinning), &layouts[usize::from(!is_by_columns)]);
    let joints = input.rig.skins[skin].joints.iter().zip(own.iter().zip(given));
    let mut joints: Vec<(NodeIndex, f64)> =
        joints.map(|(node, (own, given))| (*node, difference(own, given, size))).collect();
    joints.retain(|(_, difference)| *difference > ROUNDING);
    joints.sort_by(|a, b| b.1.total_cmp(&a.1));
    joints.truncate(8);
    let joints = joints.into_iter().map(|(node, off)| (input.rig.hierarchy.name(node).to_owned(), off)).collect();
    MatrixDiagnosis { mistake: mistake.filter(|_| max <= FITS), max, is_skinning, is_by_columns, joints }
}

fn largest(a: &[DMat4], b: &[DMat4], size: f64) -> f64 {
    a.iter().zip(b).map(|(a, b)| difference(a, b, size)).fold(0.0, f64::max)
}

/// Returns the largest difference of two matrices; of translations, as a fraction of the size.
fn difference(a: &DMat4, b: &DMat4, size: f64) -> f64 {
    let linear = (DMat3::from_mat4(*a) - DMat3::from_mat4(*b)).to_cols_array();
    let linear = linear.into_iter().map(f64::abs).fold(0.0, f64::max);
    let moved = a.w_axis.truncate().distance(b.w_axis.truncate()) / size;
    let bottom = (a.row(3) - b.row(3)).abs().max_element();
    let difference = linear.max(moved).max(bottom);
    if difference.is_finite() { difference } else { f64::MAX }
}
