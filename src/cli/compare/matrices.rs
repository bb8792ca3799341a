//! `compare --with-matrices`: matrices of another program, joint by joint.

use std::path::Path;

use super::super::console::Line;
use super::super::results::Results;
use super::super::text_table::TextTable;
use crate::analysis::diagnose::{
    JointMatrixErrorJson, MatricesInput, MatrixComparisonJson, MatrixDiagnosis, diagnose_matrices,
};
use crate::import::{Job, matrices_from_path};
use crate::rig::joint_names;
use crate::rows::UnderKey;
use crate::stage::Stage;
use crate::text::counted;

pub(super) fn results(stage: &Stage, path: &Path, job: &Job) -> Result<Results, String> {
    let matrices = matrices_from_path(path, job).map_err(|problem| problem.to_string())?;
    let input = MatricesInput {
        rig: stage.rig(),
        pose: stage.pose(),
        posed: stage.posed(),
        moment: stage.playback.sample(),
        skinning: &stage.view.sides.a.skinning,
    };
    let found = diagnose_matrices(&input, &matrices)?;
    let name = |joint| joint_names(&stage.rig().hierarchy, &[joint]).concat();
    let (row, file) = (MatrixComparisonJson::new(&found, &name), stage.document.source.full_name());
    Ok(Results::new(&file, &UnderKey("matrices", &row), row.csv(), lines(&file, &found, &row)))
}

fn lines(file: &str, found: &MatrixDiagnosis, row: &MatrixComparisonJson) -> Vec<Line> {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.6}"));
    let table = TextTable::<JointMatrixErrorJson>::new()
        .right(13, "rotation, deg", move |joint| number(joint.rotation_deg))
        .right(14, "translation, m", move |joint| number(joint.translation_m))
        .right(12, "scale", move |joint| number(joint.scale))
        .left(0, "joint", |joint| joint.joint.clone());
    let wrong = found.wrong_joints().count();
    let mut lines = vec![Line::plain(file), Line::plain(&found.summary())];
    if wrong > 0 {
        lines.extend([Line::default(), table.head()]);
        lines.extend(row.joints.iter().take(wrong).map(|joint| table.row(joint)));
    }
    let right = counted(row.joints.len() - wrong, "matrix of a joint is", "matrices of joints are");
    lines.push(Line::plain(&format!("{right} right.")));
    lines
}
