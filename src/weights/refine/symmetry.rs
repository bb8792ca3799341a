//! Makes the weights of both halves of a body the same.

use crate::jobs::Progress;
use crate::rig::Rig;
use crate::weights::body::{Body, by_number};
use crate::weights::mirror::{BodyMirror, MirroredSurface, NEAR_SURFACE};
use crate::weights::shares::{Row, Shares, normalize};

/// Largest fraction of a symmetric body's points that may lack a mirror image.
const MAX_ALONE: f32 = 0.1;

/// The two halves of a body: which bones and which points are opposite each other.
pub(super) struct Halves {
    mirror: BodyMirror,
    /// The point at each point's mirror image, if the two are each other's; a point in the plane is its own.
    partners: Vec<Option<u32>>,
}

impl Halves {
    /// The mirror plane of a body; `None`, with a note, if it has no bones to the left and right of each other.
    pub(super) fn mirror(rig: &Rig, body: &Body, notes: &mut Vec<String>) -> Option<BodyMirror> {
        let mirror = BodyMirror::new(rig, body);
        if mirror.is_none() {
            notes.push("No joints stand left and right of each other: weights are not made symmetric.".to_owned());
        }
        mirror
    }

    /// Finds the halves on both sides of a mirror plane. `None` if cancelled.
    pub(super) fn new(mirror: BodyMirror, body: &Body, progress: &Progress) -> Option<Self> {
        Some(Self { partners: mirror.partner_points(body, progress)?, mirror })
    }

    /// True where the joints of the body are opposite each other, and nearly all of its points have a mirror image.
    pub(super) fn are_alike(&self, body: &Body) -> bool {
        let head = |bone: u16| body.bones[usize::from(bone)].segments[0].head;
        let partner = |bone: u16| Some((bone, self.mirror.partner(bone)?));
        let off = |(bone, partner)| self.mirror.image(head(bone)).distance(head(partner));
        let most = (0..body.bones.len()).filter_map(|bone| partner(bone as u16)).map(off).fold(0.0, f32::max);
        let alone = self.partners.iter().filter(|partner| partner.is_none()).count() as f32;
        most <= NEAR_SURFACE * body.size() && alone <= MAX_ALONE * body.points.len() as f32
    }

    /// Mean of each point's shares and those at its mirror image on the surface, with bones swapped. Points without an image keep theirs and lose their
    /// partners; a note says how many. `None` if cancelled.
    pub(super) fn mean(
        &mut self,
        body: &Body,
        shares: &Shares,
        notes: &mut Vec<String>,
        progress: &Progress,
    ) -> Option<Shares> {
        let rows = MirroredSurface::new(&self.mirror, body, progress)?.rows(shares, progress)?;
        let mean = Shares::made(rows.len(), progress, |point, row| match &rows[point] {
            Some(mirrored) => {
                row.add(shares.row(point), 0.5);
                row.add(mirrored.iter().copied(), 0.5);
            }
            None => row.add(shares.row(point), 1.0),
        })?;
        let has_image = |point: u32| rows[point as usize].is_some();
        self.partners = by_number(rows.len(), progress, |point| {
            self.partners[point].filter(|&partner| has_image(partner) && has_image(point as u32))
        })?;
        let alone = rows.iter().filter(|row| row.is_none()).count();
        if alone > 0 {
            notes.push(format!(
                "The body is not symmetric: {alone} of {} points without a mirror image keep their weights.",
                rows.len(),
            ));
        }
        Some(mean)
    }

    /// The row of a point from those of all, each changed by `change`. The second of two mirror images has the row of the first, with bones swapped, since a
    /// different influence may have been dropped on either side.
    pub(super) fn even(&self, point: usize, change: impl Fn(usize) -> Row) -> Row {
        match self.partners[point].map(|partner| partner as usize) {
            Some(partner) if partner == point => self.even_out(change(point)),
            Some(partner) if partner < point => self.mirror.mirrored(change(partner)).unwrap_or_else(|| change(point)),
            _ => change(point),
        }
    }

    /// Gives each bone and its opposite the same share in a row in the plane. A bone whose opposite was dropped is dropped too, unless nothing would be left.
    fn even_out(&self, row: Row) -> Row {
        let opposite = |bone: u16| row.iter().find(|(other, _)| self.mirror.partner(*other) == Some(bone));
        let mut even: Row =
            row.iter().filter_map(|&(bone, share)| Some((bone, f32::midpoint(share, opposite(bone)?.1)))).collect();
        if even.is_empty() {
            return row;
        }
        normalize(&mut even);
        even
    }
}
