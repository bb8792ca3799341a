//! Symmetry: how far the weights of both halves of a body differ.

use crate::jobs::Progress;
use crate::posing::Symmetry;
use crate::rig::Rig;
use crate::weights::body::Body;
use crate::weights::mirror::BodyMirror;
use crate::weights::shares::Shares;

use super::found::Balance;

/// Running sum over bodies and points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    error: f64,
    largest: f64,
    matched: usize,
    points: usize,
}

impl Sum {
    pub(super) fn add(&mut self, other: Self) {
        self.error += other.error;
        self.largest = self.largest.max(other.largest);
        self.matched += other.matched;
        self.points += other.points;
    }

    pub(super) fn mean(self) -> Option<Balance> {
        let mean_error = self.error / self.matched as f64;
        let matched_share = self.matched as f64 / self.points as f64;
        (self.matched > 0).then_some(Balance { mean_error, largest_error: self.largest, matched_share })
    }
}

/// Compares every point with its mirror image, if it has one; `None` for a body whose joints do not pair.
pub(super) fn balance(rig: &Rig, body: &Body, shares: &Shares, progress: &Progress) -> Option<Sum> {
    let Some(mirror) = Symmetry::found(rig).and_then(|symmetry| BodyMirror::new(body, &symmetry)) else {
        return Some(Sum::default());
    };
    let images = mirror.images(body, progress)?;
    let mut sum = Sum { points: body.points.len(), ..Sum::default() };
    let mut differences = Vec::new();
    for (point, image) in images.into_iter().enumerate() {
        let Some(image) = image else { continue };
        differences.clear();
        differences.extend(shares.row(image as usize).map(|(bone, share)| (Some(bone), f64::from(share))));
        for (bone, share) in shares.row(point) {
            let partner = mirror.partner(bone);
            match differences.iter_mut().find(|(known, _)| partner.is_some() && *known == partner) {
                Some((_, difference)) => *difference -= f64::from(share),
                None => differences.push((None, f64::from(share))),
            }
        }
        let error: f64 = differences.iter().map(|(_, difference)| difference.abs()).sum();
        sum.error += error;
        sum.largest = sum.largest.max(error);
        sum.matched += 1;
    }
    Some(sum)
}
