use super::compute::compute;
use super::refine::refine;
use super::spec::WeightResult;
use super::weighting::{Recipe, WeightRefinement, Weighting};
use crate::jobs::Progress;
use crate::rig::{Rig, WeightSet};

/// Request for weights from the command line or Python: to compute weights, or to refine the rig's own weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightRequest {
    /// Method that computes the weights; `None` to refine existing weights.
    pub weighting: Option<Weighting>,
    /// See [`Recipe::cells`].
    pub cells: Option<u16>,
    /// See [`Recipe::left_out`].
    pub left_out: Option<Vec<String>>,
    /// True to make both halves equal, false to let them differ; `None` for the method's default.
    pub symmetric: Option<bool>,
    /// Number of smoothing steps.
    pub smooth: Option<u8>,
    /// Minimum weight; by default 1/255 for computed weights, 0 for other weights.
    pub prune: Option<f32>,
    /// Maximum influences per vertex; by default 4 for computed weights, unlimited for other weights.
    pub max: Option<u8>,
}

impl WeightRequest {
    /// Returns true if the request changes existing weights.
    pub fn refines(&self) -> bool {
        self.max.is_some() || self.smooth.is_some() || self.prune.is_some() || self.symmetric == Some(true)
    }

    /// Returns the computed weights, or `own` refined; `None` if cancelled.
    pub fn weights(&self, rig: &Rig, own: &WeightSet, progress: &Progress) -> Option<WeightResult> {
        match self.weighting {
            Some(weighting) => compute(rig, &self.recipe(weighting), progress),
            None => refine(rig, own, &self.refinement(), progress),
        }
    }

    fn recipe(&self, weighting: Weighting) -> Recipe {
        Recipe {
            weighting,
            cells: self.cells,
            left_out: self.left_out.clone(),
            is_asymmetric: self.symmetric == Some(false),
            refinement: self.refinement(),
        }
    }

    fn refinement(&self) -> WeightRefinement {
        let whole = WeightRefinement { prune: 0.0, max: None, ..WeightRefinement::default() };
        let usual = if self.weighting.is_some() { WeightRefinement::default() } else { whole };
        WeightRefinement {
            smoothing: self.smooth.unwrap_or(usual.smoothing),
            is_symmetric: self.symmetric == Some(true),
            prune: self.prune.unwrap_or(usual.prune),
            max: self.max.map(|max| max.max(1)).or(usual.max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_computed_weights_are_limited_unless_asked() {
        let own = WeightRequest { smooth: Some(1), ..WeightRequest::default() };
        assert_eq!(own.refinement(), WeightRefinement { smoothing: 1, is_symmetric: false, prune: 0.0, max: None });
        let computed = WeightRequest { weighting: Some(Weighting::default()), ..own.clone() };
        assert_eq!(computed.refinement(), WeightRefinement { smoothing: 1, ..WeightRefinement::default() });
        assert_eq!(WeightRequest { max: Some(0), ..own }.refinement().max, Some(1));
        assert!(!WeightRequest { symmetric: Some(false), ..WeightRequest::default() }.refines());
    }
}
