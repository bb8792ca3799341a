use crate::jobs::Progress;
use crate::rig::Rig;
use crate::weights::body::Body;
use crate::weights::bone_weights::{PointWeights, Row};
use crate::weights::mirror::{BodyMirror, MirroredSurface};

use super::weight_numbers::WeightSymmetry;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BalanceSum {
    error: f64,
    largest: f64,
    matched: usize,
    points: usize,
}

impl BalanceSum {
    pub(super) fn add(&mut self, other: Self) {
        self.error += other.error;
        self.largest = self.largest.max(other.largest);
        self.matched += other.matched;
        self.points += other.points;
    }

    pub(super) fn mean(self) -> Option<WeightSymmetry> {
        let mean_error = self.error / self.matched as f64;
        let matched_fraction = self.matched as f64 / self.points as f64;
        (self.matched > 0).then_some(WeightSymmetry { mean_error, largest_error: self.largest, matched_fraction })
    }
}

/// Compares each point with its mirror image. Counts zero points if the body has no paired joints.
pub(super) fn balance(rig: &Rig, body: &Body, shares: &PointWeights, progress: &Progress) -> Option<BalanceSum> {
    let Some(mirror) = BodyMirror::new(rig, body) else { return Some(BalanceSum::default()) };
    let rows = MirroredSurface::new(&mirror, body, progress)?.rows(shares, progress)?;
    let mut sum = BalanceSum { points: body.points.len(), ..BalanceSum::default() };
    for (point, row) in rows.into_iter().enumerate() {
        let Some(row) = row else { continue };
        let difference = PointWeights::mixed(
            [(row, 1.0), (shares.row(point).collect::<Row>(), -1.0)]
                .into_iter()
                .map(|(row, sign)| (row.into_iter(), sign)),
        );
        let error: f64 = difference.iter().map(|(_, difference)| f64::from(difference.abs())).sum();
        sum.error += error;
        sum.largest = sum.largest.max(error);
        sum.matched += 1;
    }
    Some(sum)
}
