//! Compares matrices of another program joint by joint, before any skin.

use glam::{Affine3, DMat3, DMat4, DVec3};

use rigscope_core::rig::{ClipMoment, NodeIndex, Pose, Posed, Rig, polar_f64};
use rigscope_core::skinning::Skinning;

use super::diagnosis::{DiagnosisInput, FITS, GAIN, ROUNDING, fraction_text};
use super::joints::{Worlds, palette};
use super::mistakes::{MISTAKES, Mistake};
use super::pipeline::Pipeline;
use super::raw::RawRig;

/// The rig and pose that matrices should show.
#[derive(Clone, Copy, Debug)]
pub struct MatricesInput<'a> {
    /// The rig.
    pub rig: &'a Rig,
    /// The user's pose.
    pub pose: &'a Pose,
    /// The evaluated pose.
    pub posed: &'a Posed,
    /// The moment in a clip, if one plays.
    pub moment: Option<ClipMoment>,
    /// The skinning method.
    pub skinning: &'a Skinning,
}

impl<'a> From<&DiagnosisInput<'a>> for MatricesInput<'a> {
    fn from(input: &DiagnosisInput<'a>) -> Self {
        let &DiagnosisInput { rig, pose, posed, moment, skinning, .. } = input;
        Self { rig, pose, posed, moment, skinning }
    }
}

/// How the matrix of a joint differs from the right one. All numbers are infinite if the matrix is not finite.
#[derive(Clone, Copy, Debug)]
pub struct JointMatrixError {
    /// The joint.
    pub node: NodeIndex,
    /// Angle between the rotations, radians.
    pub angle: f64,
    /// Distance between the places to which both matrices move the joint's origin, metres.
    pub distance: f64,
    /// Largest deviation from 1 of the ratio of lengths of an axis.
    pub scale: f64,
    /// Largest difference of a number; of translations, as a fraction of the size.
    pub max: f64,
}

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
    /// Differences from the right matrices of all joints of the skin, largest first.
    pub errors: Vec<JointMatrixError>,
}

impl MatrixDiagnosis {
    /// Returns whether the matrices are explained up to rounding.
    pub fn fits(&self) -> bool {
        self.max <= FITS
    }

    /// Returns how badly the matrices fit, to choose among skins: a few wrong joints don't hide what the others are.
    fn misfit(&self) -> f64 {
        let typical = || self.errors.get(self.errors.len() / 2).map_or(f64::INFINITY, |error| error.max);
        if self.fits() { self.max } else { typical().max(FITS) }
    }

    /// Returns the answer as a sentence.
    pub fn summary(&self) -> String {
        let kind = if self.is_skinning { "skinning matrices" } else { "world matrices of joints" };
        let layout = if self.is_by_columns { "by columns" } else { "by rows" };
        let what = match self.mistake {
            Some(mistake) => format!("with {}", mistake.wording),
            None if self.fits() => "and right".to_owned(),
            None => "and no known mistake explains them".to_owned(),
        };
        format!("Your matrices are {kind}, {layout}, {what}: largest difference {}.", fraction_text(self.max))
    }

    /// Iterates over the joints whose matrices are wrong by more than rounding, worst first.
    pub fn wrong_joints(&self) -> impl Iterator<Item = &JointMatrixError> {
        self.errors.iter().filter(|error| error.max > ROUNDING)
    }
}

/// Compares matrices with those of the skins that have as many joints, and returns the best result. *Errors*: no skin
/// has as many.
pub fn diagnose_matrices(input: &MatricesInput<'_>, matrices: &[[f64; 16]]) -> Result<MatrixDiagnosis, String> {
    let raw = RawRig::new(input.rig, (input.pose, input.posed, input.moment), input.skinning);
    let skins = (0..input.rig.skins.len()).filter(|&skin| input.rig.skins[skin].joints.len() == matrices.len());
    let found = skins.map(|skin| of_skin(input, &raw, skin, matrices));
    found.min_by(|a, b| a.misfit().total_cmp(&b.misfit())).ok_or_else(|| {
        let counts: Vec<String> = input.rig.skins.iter().map(|skin| skin.joints.len().to_string()).collect();
        format!("There are {} matrices, but the skins have {} joints", matrices.len(), counts.join(", "))
    })
}

fn of_skin(input: &MatricesInput<'_>, raw: &RawRig<'_>, skin: usize, matrices: &[[f64; 16]]) -> MatrixDiagnosis {
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
    if max > FITS {
        // A few wrong joints don't hide what the others are.
        let typical = conventions.map(|(is_skinning, by_columns)| {
            median(&expected(&usual, is_skinning), &layouts[usize::from(!by_columns)], size)
        });
        let at = (0..conventions.len()).min_by(|a, b| typical[*a].total_cmp(&typical[*b])).unwrap_or(nearest);
        (best, max) = ((None, at), right[at]);
    }
    let (mistake, at) = best;
    let (is_skinning, is_by_columns) = conventions[at];
    let (own, given) = (expected(&usual, is_skinning), &layouts[usize::from(!is_by_columns)]);
    let binds = input.rig.skins[skin].joints.iter().zip(&input.rig.skins[skin].inverse_bind);
    let error = |((&node, inverse_bind), pair): ((&NodeIndex, &Affine3), (&DMat4, &DMat4))| {
        let bind = DMat4::from(inverse_bind.as_daffine3().inverse());
        let joint_from_bound = if is_skinning && bind.is_finite() { bind } else { DMat4::IDENTITY };
        joint_error(node, pair, &joint_from_bound, size)
    };
    let mut errors: Vec<JointMatrixError> = binds.zip(own.iter().zip(given)).map(error).collect();
    errors.sort_by(|a, b| b.max.total_cmp(&a.max));
    let name = |node: NodeIndex| input.rig.hierarchy.name(node).to_owned();
    let wrong = errors.iter().filter(|error| error.max > ROUNDING);
    let joints = wrong.take(8).map(|error| (name(error.node), error.max)).collect();
    MatrixDiagnosis { mistake: mistake.filter(|_| max <= FITS), max, is_skinning, is_by_columns, joints, errors }
}

/// Compares the matrix of a joint with the right one. `bind` is the matrix of the joint in the space that both map from.
fn joint_error(node: NodeIndex, (right, given): (&DMat4, &DMat4), bind: &DMat4, size: f64) -> JointMatrixError {
    if !given.is_finite() {
        return JointMatrixError {
            node,
            angle: f64::INFINITY,
            distance: f64::INFINITY,
            scale: f64::INFINITY,
            max: f64::INFINITY,
        };
    }
    let worlds = [right, given].map(|matrix| *matrix * *bind);
    let linear = worlds.map(DMat3::from_mat4);
    let [a, b] = linear.map(|linear| polar_f64(linear).0);
    let [own, other] = linear.map(|linear| [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::length));
    let ratios = own.iter().zip(other).map(|(own, other)| (other / own - 1.0).abs());
    JointMatrixError {
        node,
        angle: 2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin(),
        distance: worlds[0].w_axis.truncate().distance(worlds[1].w_axis.truncate()),
        scale: ratios.fold(0.0, f64::max),
        max: difference(right, given, size),
    }
}

fn median(a: &[DMat4], b: &[DMat4], size: f64) -> f64 {
    let mut differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| difference(a, b, size)).collect();
    differences.sort_unstable_by(f64::total_cmp);
    differences.get(differences.len() / 2).copied().unwrap_or(0.0)
}

fn largest(a: &[DMat4], b: &[DMat4], size: f64) -> f64 {
    a.iter().zip(b).map(|(a, b)| difference(a, b, size)).fold(0.0, f64::max)
}

/// Returns the largest difference of two matrices; of translations, as a fraction of the size. Infinite if a number is
/// not finite.
fn difference(a: &DMat4, b: &DMat4, size: f64) -> f64 {
    if !(a.is_finite() && b.is_finite()) {
        return f64::INFINITY;
    }
    let linear = (DMat3::from_mat4(*a) - DMat3::from_mat4(*b)).to_cols_array();
    let linear = linear.into_iter().map(f64::abs).fold(0.0, f64::max);
    let moved = a.w_axis.truncate().distance(b.w_axis.truncate()) / size;
    let bottom = (a.row(3) - b.row(3)).abs().max_element();
    linear.max(moved).max(bottom)
}
