//! What is diagnosed, and the result.

use rigscope_core::rig::{ClipMoment, PointFrame, Pose, Posed, Rig};
use rigscope_core::skinning::Skinning;
use rigscope_core::text::{capitalized, counted};

use super::mistakes::Mistake;
use super::pipeline::Pipeline;

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
    pub(super) is_near: bool,
    /// Method with the mistakes, as in "LBS".
    pub method: &'static str,
    pub(super) pipeline: Pipeline,
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

    /// Returns the identifiers, as in "z-up + degrees"; "none" without a mistake.
    pub fn title(&self) -> String {
        if self.mistakes.is_empty() { "none".to_owned() } else { self.ids().join(" + ") }
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

    /// Returns what else is known, as sentences: which vertices disagree, what else gives the same points, how points
    /// were matched, and how the whole is moved if nothing explains the points.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.disagreement.iter().map(|text| format!("{text}.")).collect();
        let tied: Vec<String> = self.tied().map(Explanation::title).collect();
        if !tied.is_empty() {
            let tied = tied.join(", ");
            remarks.push(format!("In this pose, these mistakes give the same points: {tied}. Try another pose."));
        }
        let vertices = capitalized(&counted(self.vertices, "vertex", "vertices"));
        remarks.push(format!("{vertices} matched by {}.", self.matched_by));
        if let Some(similarity) = self.similarity.filter(|_| self.best().is_none()) {
            let mirrored = if similarity.mirrors { ", mirrored" } else { "" };
            remarks.push(format!(
                "Nearest fit of the whole: scaled by {:.4}, turned by {:.1} degrees{mirrored}; {} remains.",
                similarity.scale,
                similarity.angle.to_degrees(),
                fraction_text(similarity.rms)
            ));
        }
        remarks
    }

    /// Returns whether the points are right.
    pub fn is_right(&self) -> bool {
        self.best().is_some_and(|explanation| explanation.mistakes.is_empty())
    }

    /// Returns the answer as a sentence: the explanation that fits and its residual, or the nearest one.
    pub fn summary(&self) -> String {
        let Some(first) = self.explanations.first() else { return "Nothing was compared.".to_owned() };
        let largest = fraction_text(first.residual.max);
        if self.best().is_none() && first.mistakes.is_empty() {
            return format!(
                "No known mistake explains your points; they are nearest to the right ones, with a largest residual of {largest} of the size."
            );
        }
        if self.best().is_none() {
            return format!(
                "No known mistake explains your points; the nearest is {}, with a largest residual of {largest} of the size.",
                first.title()
            );
        }
        let sentence = first.sentence(self.method);
        if self.is_right() {
            return format!("{sentence}; largest residual {largest} of the size.");
        }
        let next = self.explanations.iter().skip(1).find(|explanation| !explanation.is_tied);
        let next = next.map_or_else(String::new, |next| format!("; next best {}", fraction_text(next.residual.max)));
        format!("{sentence}: largest residual {largest} of the size{next}.")
    }

    /// Returns the explanations that give the same points as the best one in this pose.
    pub fn tied(&self) -> impl Iterator<Item = &Explanation> {
        self.explanations.iter().skip(1).take_while(|explanation| explanation.is_tied)
    }
}

/// Formats a fraction of the size with two digits.
pub fn fraction_text(value: f64) -> String {
    if !value.is_finite() {
        return "not a number".to_owned();
    }
    if value == 0.0 || (0.01..1e4).contains(&value) { format!("{value:.2}") } else { format!("{value:.0e}") }
}

/// Distances to the points, as fractions of the size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Largest distance.
    pub max: f64,
    /// Mean distance.
    pub mean: f64,
    /// Number of vertices that are farther away than rounding explains; estimated from some vertices of large meshes,
    /// except for the first explanations.
    pub vertices: usize,
    pub(super) rms: f64,
    /// Fraction of the vertices that are farther away than rounding explains.
    pub(super) fraction: f64,
}

/// Distances up to this fraction of the size are rounding.
pub(super) const ROUNDING: f64 = 1e-5;

/// A further mistake must reduce the distances by this factor.
pub(super) const GAIN: f64 = 4.0;

impl Residual {
    /// `total` is the number of vertices that the distances stand for.
    pub(super) fn new(distances: impl Iterator<Item = f64>, total: usize) -> Self {
        let (mut max, mut sum, mut squares, mut count, mut far) = (0.0_f64, 0.0, 0.0, 0_usize, 0_usize);
        for distance in distances {
            max = max.max(distance);
            sum += distance;
            squares += distance * distance;
            count += 1;
            far += usize::from(distance > ROUNDING);
        }
        let count = count.max(1) as f64;
        let fraction = far as f64 / count;
        let vertices = (fraction * total as f64).round() as usize;
        Self { max, mean: sum / count, vertices, rms: (squares / count).sqrt(), fraction }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_have_two_digits() {
        assert_eq!([0.312, 2.04e-7, 0.0, 12.3, 0.003].map(fraction_text), ["0.31", "2e-7", "0.00", "12.30", "3e-3"]);
    }
}
