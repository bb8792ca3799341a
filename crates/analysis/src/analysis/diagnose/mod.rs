//! Finds the mistake that explains the points of another program.
//!
//! A small reference pipeline runs from what the file stores to points, in double precision ([`pipeline`]). Each row of
//! [`MISTAKES`] sets some of its switches. All rows are tried alone, and pairs on some vertices; the results are ranked
//! by their distance to the points. Without a mistake, the pipeline agrees with
//! [`rigscope_core::skinning::Skinner`].

mod disagreement;
mod evaluate;
mod joints;
mod matching;
mod mistakes;
mod pipeline;
mod raw;
mod sampling;
mod search;
mod suggestion;
mod table;

pub use mistakes::{MISTAKES, Mistake, MistakeGroup};
pub use suggestion::suggested_pose;
pub use table::{DiagnosisJson, ExplanationJson, SimilarityJson};

use rigscope_core::jobs::Progress;
use rigscope_core::rig::{ClipMoment, PointFrame, Pose, Posed, Rig};
use rigscope_core::skinning::{Method, Skinning};

use matching::{MatchedPoints, SimilarityFit, extent, match_points};
use pipeline::{Blend, Pipeline};
use raw::RawRig;
use search::{Residual, Search};

/// Points, and the rig and pose that they should show.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosisInput<'a> {
    /// The rig.
    pub rig: &'a Rig,
    /// The user's pose.
    pub pose: &'a Pose,
    /// The evaluated pose.
    pub posed: &'a Posed,
    /// The moment in a clip, if one plays.
    pub moment: Option<ClipMoment>,
    /// The skinning method that the points should show.
    pub skinning: &'a Skinning,
    /// Points of the other program.
    pub points: &'a PointFrame,
    /// Points of the same program in the rest pose, to match vertices by position.
    pub points_at_rest: Option<&'a PointFrame>,
}

/// A combination of mistakes, and how far it is from the points.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The mistakes; empty if the points are right.
    pub mistakes: Vec<&'static Mistake>,
    /// Distances to the points.
    pub residual: Residual,
    /// Whether another explanation before it gives the same points in this pose.
    pub is_tied: bool,
    /// Whether it explains nearly all vertices.
    is_near: bool,
    /// Method with the mistakes, as in "LBS".
    pub method: &'static str,
    pipeline: Pipeline,
}

/// Ranked explanations of points.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Explanations, best first; not empty.
    pub explanations: Vec<Explanation>,
    /// Method that the points should show, as in "LBS".
    pub method: &'static str,
    /// How points were matched with vertices: completes "Matched by …".
    pub matched_by: &'static str,
    /// Number of matched vertices.
    pub vertices: usize,
    /// Diagonal of the bounding box of the expected points, metres.
    pub size: f64,
    /// What the vertices that the best explanation doesn't explain have in common, if only some are not.
    pub disagreement: Option<String>,
    /// Similarity transform from the expected points to the points.
    pub similarity: Option<Similarity>,
}

/// A scale, rotation, reflection and translation that brings the expected points nearest to the points.
#[derive(Clone, Copy, Debug)]
pub struct Similarity {
    /// Factor from metres to the unit of the points.
    pub scale: f64,
    /// Rotation angle, radians.
    pub angle: f64,
    /// Whether it mirrors.
    pub mirrors: bool,
    /// Translation, in the unit of the points.
    pub translation: [f64; 3],
    /// Root mean square of the remaining distances, as a fraction of the size.
    pub rms: f64,
}

/// Largest distance, as a fraction of the size, at which points count as explained.
pub const FITS: f64 = 1e-3;

impl Explanation {
    /// Returns whether all points, or nearly all, are explained up to rounding.
    pub fn fits(&self) -> bool {
        self.residual.max <= FITS || self.is_near
    }

    /// Returns the identifiers of the mistakes.
    pub fn ids(&self) -> Vec<&'static str> {
        self.mistakes.iter().map(|mistake| mistake.id).collect()
    }
}

impl Diagnosis {
    /// Returns the explanation that fits, if any.
    pub fn best(&self) -> Option<&Explanation> {
        self.explanations.first().filter(|explanation| explanation.fits())
    }

    /// Returns whether the points are right.
    pub fn is_right(&self) -> bool {
        self.best().is_some_and(|explanation| explanation.mistakes.is_empty())
    }

    /// Returns the explanations that give the same points as the best one in this pose.
    pub fn tied(&self) -> impl Iterator<Item = &Explanation> {
        self.explanations.iter().skip(1).take_while(|explanation| explanation.is_tied)
    }
}

/// Tries all known mistakes, alone and in pairs. `None` if cancelled.
///
/// *Errors*: the points can't be matched, or the method is neither LBS nor DQS in its usual settings.
pub fn diagnose(input: &DiagnosisInput<'_>, progress: &Progress) -> Result<Option<Diagnosis>, String> {
    let usual = usual_pipeline(input.skinning)?;
    let raw = RawRig::new(input.rig, (input.pose, input.posed, input.moment), input.skinning);
    if input.points.is_empty() || raw.parts.is_empty() {
        return Err("There is nothing to compare: the points or the rig are empty".to_owned());
    }
    let matched = match_points(&raw, &usual, input.points, input.points_at_rest)?;
    let expected = raw.points(&usual, &matched.vertices);
    let size = extent(&expected);
    let Some(explanations) = Search::new(&raw, usual, &matched, (&expected, size)).ranked(progress) else {
        return Ok(None);
    };
    let best = explanations.first().map(|ranked| ranked.explanation.pipeline);
    let disagreement =
        best.and_then(|best| disagreement::describe(&raw, &matched, &raw.points(&best, &matched.vertices), size));
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

impl Explanation {
    /// Returns a sentence without a period: "Your points are LBS with transposed inverse bind matrices".
    pub fn sentence(&self, usual: &str) -> String {
        let is_of_method = |mistake: &&&Mistake| matches!(mistake.id, "lbs-for-dqs" | "dqs-for-lbs");
        let others: Vec<&str> = self.mistakes.iter().filter(|m| !is_of_method(m)).map(|m| m.wording).collect();
        let instead = if self.method == usual { String::new() } else { format!(", not {usual}") };
        match others[..] {
            [] if self.mistakes.is_empty() => format!("Your points are right: {usual}"),
            [] => format!("Your points are {}{instead}", self.method),
            _ => format!("Your points are {}{instead} with {}", self.method, others.join(" and ")),
        }
    }
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
