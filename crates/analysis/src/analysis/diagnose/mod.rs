//! Finds the mistake that explains the points of another program.
//!
//! A small reference pipeline runs from what the file stores to points, in double precision. Each row of
//! [`MISTAKES`] sets some of its switches. Each row is tried alone, and pairs of rows on a sample of the vertices;
//! results are ranked by their distance to the points. Without a mistake, the pipeline agrees with
//! [`rigscope_core::skinning::Skinner`].

mod diagnosis;
mod disagreement;
mod evaluate;
mod joints;
mod matching;
mod matrices;
mod mistakes;
mod pipeline;
mod points_rig;
mod raw;
mod sampling;
mod search;
mod signs;
mod suggestion;
mod table;

pub use diagnosis::{Diagnosis, DiagnosisInput, Explanation, FITS, Residual, Similarity, fraction_text};
pub use matrices::{JointMatrixError, MatricesInput, MatrixDiagnosis, diagnose_matrices};
pub use mistakes::{MISTAKES, Mistake, MistakeGroup};
pub use points_rig::{PointsInput, PointsRig, points_rig};
pub use suggestion::suggested_pose;
pub use table::{
    DiagnosisJson, ExplanationJson, JointMatrixErrorJson, MatricesJson, MatrixComparisonJson, MatrixJointJson,
    SimilarityJson,
};

use rigscope_core::jobs::Progress;
use rigscope_core::rig::PointFrame;
use rigscope_core::skinning::{Method, Skinning};

use matching::{MatchedPoints, SimilarityFit, extent, match_points};
use pipeline::{Blend, Pipeline};
use raw::RawRig;
use search::Search;

/// Distances of points to the right ones.
#[derive(Clone, Debug)]
pub struct PointErrors {
    /// Distance of each vertex, metres, in the order of the rig's primitives; only vertices that were matched. Infinite
    /// for points that are not finite.
    pub distances: Vec<f64>,
    /// Diagonal of the bounding box of the right points, metres.
    pub size: f64,
}

/// Compares points with the right ones, in double precision. Ignores normals.
///
/// *Errors*: those of [`diagnose`].
pub fn point_errors(input: &DiagnosisInput<'_>) -> Result<PointErrors, String> {
    let usual = usual_pipeline(input.skinning)?;
    let raw = RawRig::new(input.rig, (input.pose, input.posed, input.moment), input.skinning);
    let matched = matched(&raw, &usual, input)?;
    let expected = raw.points(&usual, &matched.vertices);
    let finite = |distance: f64| if distance.is_finite() { distance } else { f64::INFINITY };
    let distances = expected.iter().zip(&matched.points).map(|(right, point)| finite(right.distance(*point)));
    Ok(PointErrors { distances: distances.collect(), size: extent(&expected) })
}

/// Returns the points of all vertices that a program with one mistake computes, in the rig's order. `None` if there is
/// no such mistake, or if the method is neither LBS nor DQS in its usual settings.
pub fn planted_points(input: &MatricesInput<'_>, mistake: &str) -> Option<PointFrame> {
    let mut pipeline = usual_pipeline(input.skinning).ok()?;
    Mistake::with_id(mistake)?.variants.first()?(&mut pipeline);
    let raw = RawRig::new(input.rig, (input.pose, input.posed, input.moment), input.skinning);
    let vertices: Vec<(usize, u32)> = raw.vertices().collect();
    Some(PointFrame::from_positions(raw.points(&pipeline, &vertices)))
}

/// Tries all known mistakes, alone and in pairs. `None` if cancelled.
///
/// *Errors*: the points can't be matched, or the method is neither LBS nor DQS in its usual settings.
pub fn diagnose(input: &DiagnosisInput<'_>, progress: &Progress) -> Result<Option<Diagnosis>, String> {
    let usual = usual_pipeline(input.skinning)?;
    let mut raw = RawRig::new(input.rig, (input.pose, input.posed, input.moment), input.skinning);
    let matched = matched(&raw, &usual, input)?;
    let expected = raw.points(&usual, &matched.vertices);
    let size = extent(&expected);
    raw.signs = signs::fitted_signs(&raw, &usual, &matched, size);
    let search = Search::new(&raw, usual, &matched, (&expected, size));
    let Some(explanations) = search.ranked(progress) else { return Ok(None) };
    let best = explanations.first().map(|ranked| ranked.explanation.pipeline);
    let disagreement = best
        .and_then(|best| disagreement::describe(&raw, &matched, &raw.points(&best, &matched.vertices), search.size()));
    let similarity = similarity(&expected, &matched, size);
    Ok(Some(Diagnosis {
        explanations: explanations.into_iter().map(|ranked| ranked.explanation).collect(),
        method: usual.method.name(),
        matched_by: matched.by,
        vertices: matched.vertices.len(),
        size,
        disagreement,
        similarity,
    }))
}

fn matched(raw: &RawRig<'_>, usual: &Pipeline, input: &DiagnosisInput<'_>) -> Result<MatchedPoints, String> {
    if input.points.is_empty() || raw.parts.is_empty() {
        return Err("There is nothing to compare: the points or the rig are empty".to_owned());
    }
    match_points(raw, usual, input.points, input.points_at_rest)
}

fn usual_pipeline(skinning: &Skinning) -> Result<Pipeline, String> {
    let is_usual = *skinning == Skinning { influences: skinning.influences, ..Skinning::new(skinning.method) };
    let method = match skinning.method {
        Method::Lbs => Blend::Linear,
        Method::Dqs => Blend::DualQuaternion,
        _ => return Err("Points are compared with LBS or DQS. Choose one with --method".to_owned()),
    };
    if !is_usual {
        return Err("Points are compared with the usual settings of a method. Leave the session out".to_owned());
    }
    Ok(Pipeline { method, ..Pipeline::default() })
}

fn similarity(expected: &[glam::DVec3], matched: &MatchedPoints, size: f64) -> Option<Similarity> {
    let fit = SimilarityFit::new(expected, &matched.points)?;
    let mirrors = fit.turn.determinant() < 0.0;
    let rotation = glam::DQuat::from_mat3(&(fit.turn * if mirrors { -1.0 } else { 1.0 })).normalize();
    let unit = size * if fit.scale > 0.0 { fit.scale } else { 1.0 };
    let angle = rotation.w.abs().clamp(0.0, 1.0).acos() * 2.0;
    let similarity =
        Similarity { scale: fit.scale, angle, mirrors, translation: fit.shift.to_array(), rms: fit.rms / unit };
    let is_finite = [fit.scale, angle, similarity.rms].into_iter().all(f64::is_finite) && fit.shift.is_finite();
    is_finite.then_some(similarity)
}

#[cfg(test)]
mod tests;
