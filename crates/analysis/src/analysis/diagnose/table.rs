//! JSON of a diagnosis.

use rigscope_core::rig::NodeIndex;
use rigscope_core::rows::{columns, csv, rows};

use super::diagnosis::{Diagnosis, Explanation, Similarity};
use super::matrices::{JointMatrixError, MatrixDiagnosis};

rows! {
    /// Which mistakes explain the points of another program.
    pub struct DiagnosisJson {
        /// The answer as a sentence.
        pub summary: String,
        /// Explanations, best first.
        pub explanations: Vec<ExplanationJson>,
        /// Identifiers of the explanation that fits; empty if the points are right, null if nothing fits.
        pub best: Option<Vec<&'static str>>,
        /// Identifiers of other explanations that give the same points in this pose.
        pub tied: Vec<Vec<&'static str>>,
        /// Method that the points should show.
        pub method: &'static str,
        /// How points were matched with vertices.
        pub matched_by: &'static str,
        /// Number of matched vertices.
        pub vertices: usize,
        /// Diagonal of the bounding box of the expected points, metres.
        pub size_m: f64,
        /// What the vertices have in common that the first explanation doesn't explain, if only some are not.
        pub disagreement: Option<String>,
        /// Unit, rotation and handedness of the points relative to the expected ones, by least squares.
        pub similarity: Option<SimilarityJson>,
        /// Comparison of matrices, if there are any.
        pub matrices: Option<MatricesJson>,
    }

    /// A combination of mistakes. Distances are fractions of the size.
    pub struct ExplanationJson {
        /// Identifiers of the mistakes; empty if the points are right.
        pub id: Vec<&'static str>,
        /// Largest distance.
        pub max: f64,
        /// Mean distance.
        pub mean: f64,
        /// Number of vertices that are farther away than rounding explains.
        pub vertices: usize,
    }

    /// Matrices of another program, compared joint by joint.
    pub struct MatricesJson {
        /// Identifier of the mistake that explains the matrices; null if they are right or nothing does.
        pub mistake: Option<&'static str>,
        /// Whether the matrices are right, or a mistake explains them.
        pub fits: bool,
        /// Largest difference of a number; of translations, as a fraction of the size; null if it is not a number.
        pub max: Option<f64>,
        /// Whether they are skinning matrices, not world matrices of joints.
        pub is_skinning: bool,
        /// Whether each matrix is stored by columns.
        pub is_by_columns: bool,
        /// Joints with the largest differences from the right matrices.
        pub joints: Vec<MatrixJointJson>,
    }

    /// Difference of the matrix of a joint.
    pub struct MatrixJointJson {
        /// Name of the joint.
        pub joint: String,
        /// Largest difference of a number; null if it is not a number.
        pub max: Option<f64>,
    }

    /// Matrices of another program against those of the pose, joint by joint.
    pub struct MatrixComparisonJson {
        /// Id of the mistake that explains them; null if they are right or nothing explains them.
        pub mistake: Option<&'static str>,
        /// Whether the matrices are right, or explained by the mistake.
        pub fits: bool,
        /// Whether they are skinning matrices, not world matrices of joints.
        pub is_skinning: bool,
        /// Whether each matrix is stored by columns.
        pub is_by_columns: bool,
        /// All joints of the skin, worst first.
        pub joints: Vec<JointMatrixErrorJson>,
    }

    /// How the matrix of a joint differs from the right one.
    pub struct JointMatrixErrorJson {
        /// Name of the joint.
        pub joint: String,
        /// Angle between the rotations, degrees; null if it is not a number.
        pub rotation_deg: Option<f64>,
        /// Distance between the places to which both matrices move the joint's origin, metres; null if it is not a number.
        pub translation_m: Option<f64>,
        /// Largest deviation from 1 of the ratio of lengths of an axis; null if it is not a number.
        pub scale: Option<f64>,
        /// Largest difference of a number of the matrix; of translations, as a fraction of the size; null if it is not a number.
        pub max: Option<f64>,
    }

    /// A scale, rotation, reflection and translation from the expected points to the given ones.
    pub struct SimilarityJson {
        /// Factor from metres to the unit of the points.
        pub scale: f64,
        /// Rotation angle, degrees.
        pub angle_deg: f64,
        /// Whether it mirrors.
        pub mirrors: bool,
        /// Translation, in the unit of the points.
        pub translation: [f64; 3],
        /// Root mean square of the remaining distances, as a fraction of the size.
        pub rms: f64,
    }
}

impl From<&Diagnosis> for DiagnosisJson {
    fn from(diagnosis: &Diagnosis) -> Self {
        Self {
            summary: diagnosis.summary(),
            explanations: diagnosis.explanations.iter().map(ExplanationJson::from).collect(),
            best: diagnosis.best().map(Explanation::ids),
            tied: diagnosis.tied().map(Explanation::ids).collect(),
            method: diagnosis.method,
            matched_by: diagnosis.matched_by,
            vertices: diagnosis.vertices,
            size_m: diagnosis.size,
            disagreement: diagnosis.disagreement.clone(),
            similarity: diagnosis.similarity.as_ref().map(SimilarityJson::from),
            matrices: None,
        }
    }
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

impl From<&MatrixDiagnosis> for MatricesJson {
    fn from(found: &MatrixDiagnosis) -> Self {
        let joint = |(joint, max): &(String, f64)| MatrixJointJson { joint: joint.clone(), max: finite(*max) };
        Self {
            mistake: found.mistake.map(|mistake| mistake.id),
            fits: found.fits(),
            max: finite(found.max),
            is_skinning: found.is_skinning,
            is_by_columns: found.is_by_columns,
            joints: found.joints.iter().map(joint).collect(),
        }
    }
}

impl MatrixComparisonJson {
    /// Converts a diagnosis of matrices. `name` returns a node's name.
    pub fn new(found: &MatrixDiagnosis, name: &dyn Fn(NodeIndex) -> String) -> Self {
        let joint = |error: &JointMatrixError| JointMatrixErrorJson {
            joint: name(error.node),
            rotation_deg: finite(error.angle.to_degrees()),
            translation_m: finite(error.distance),
            scale: finite(error.scale),
            max: finite(error.max),
        };
        Self {
            mistake: found.mistake.map(|mistake| mistake.id),
            fits: found.fits(),
            is_skinning: found.is_skinning,
            is_by_columns: found.is_by_columns,
            joints: found.errors.iter().map(joint).collect(),
        }
    }

    /// Formats the joints as CSV.
    pub fn csv(&self) -> String {
        let columns = columns![|row: &JointMatrixErrorJson|
            joint: row.joint,
            rotation_deg: row.rotation_deg,
            translation_m: row.translation_m,
            scale: row.scale,
            max: row.max,
        ];
        csv(&columns, &self.joints)
    }
}

impl From<&Explanation> for ExplanationJson {
    fn from(explanation: &Explanation) -> Self {
        let residual = &explanation.residual;
        Self { id: explanation.ids(), max: residual.max, mean: residual.mean, vertices: residual.vertices }
    }
}

impl From<&Similarity> for SimilarityJson {
    fn from(similarity: &Similarity) -> Self {
        let &Similarity { scale, angle, mirrors, translation, rms } = similarity;
        Self { scale, angle_deg: angle.to_degrees(), mirrors, translation, rms }
    }
}
