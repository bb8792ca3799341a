//! Makes the weights of both halves of a body the same.

use crate::jobs::Progress;
use crate::posing::Symmetry;
use crate::rig::Rig;
use crate::weights::body::Body;
use crate::weights::mirror::BodyMirror;
use crate::weights::shares::{Row, Shares, normalize};
use crate::weights::surface::TriangleTree;

/// Distance, as a share of the body's size, within which the other half must have surface at a point's mirror image.
const TOLERANCE: f32 = 0.005;

/// Largest share of a symmetric body's points that may lack a mirror image.
const MOST_ALONE: f32 = 0.1;

/// The two halves of a body: which bones and which points are opposite each other.
pub(super) struct Halves {
    mirror: BodyMirror,
    /// Mirror image of each point, if the two are each other's; a point in the plane is its own.
    partners: Vec<Option<u32>>,
}

impl Halves {
    /// The mirror plane of a body; `None`, with a note, if it has no bones to the left and right of each other.
    pub(super) fn mirror(rig: &Rig, body: &Body, notes: &mut Vec<String>) -> Option<BodyMirror> {
        let mirror = Symmetry::found(rig).and_then(|symmetry| BodyMirror::new(body, &symmetry));
        if mirror.is_none() {
            notes.push("No joints stand left and right of each other: weights are not made symmetric.".to_owned());
        }
        mirror
    }

    /// Finds the halves on both sides of a mirror plane. `None` if cancelled.
    pub(super) fn new(mirror: BodyMirror, body: &Body, progress: &Progress) -> Option<Self> {
        let images = mirror.images(body, progress)?;
        let is_mutual =
            |(point, image): (usize, &Option<u32>)| image.filter(|&i| images[i as usize] == Some(point as u32));
        let partners = images.iter().enumerate().map(is_mutual).collect();
        Some(Self { mirror, partners })
    }

    /// True where the joints of the body are opposite each other, and nearly all of its points have a mirror image.
    pub(super) fn are_alike(&self, body: &Body) -> bool {
        let head = |bone: u16| body.bones[usize::from(bone)].segments[0].head;
        let partner = |bone: u16| Some((bone, self.mirror.partner(bone)?));
        let off = |(bone, partner)| self.mirror.image(head(bone)).distance(head(partner));
        let most = (0..body.bones.len()).filter_map(|bone| partner(bone as u16)).map(off).fold(0.0, f32::max);
        let alone = self.partners.iter().filter(|partner| partner.is_none()).count() as f32;
        most <= TOLERANCE * body.size() && alone <= MOST_ALONE * body.points.len() as f32
    }

    /// Mean of each point's shares and those of its mirror image on the surface, with bones swapped. Points without an image keep theirs; a note
    /// tells how many these are. `None` if cancelled.
    pub(super) fn mean(
        &self,
        body: &Body,
        shares: &Shares,
        notes: &mut Vec<String>,
        progress: &Progress,
    ) -> Option<Shares> {
        let tree = TriangleTree::new(&body.points, &body.triangles, 0..body.triangles.len());
        let reach = TOLERANCE * body.size();
        let images = body.by_point(progress, |point| tree.nearest(self.mirror.image(point), reach))?;
        let mean = Shares::made(images.len(), progress, |point, row| {
            let Some(image) = images[point] else { return row.add(shares.row(point), 1.0) };
            row.add(shares.row(point), 0.5);
            for (&corner, share) in body.triangles[image.triangle].iter().zip(image.shares) {
                row.add(self.mirrored(shares.row(corner as usize)), 0.5 * share);
            }
        })?;
        let alone = || self.partners.iter().zip(&images).filter(|(partner, _)| partner.is_none());
        let (count, kept) = (alone().count(), alone().filter(|(_, image)| image.is_none()).count());
        if count > 0 {
            notes.push(format!(
                "The mesh is not symmetric: {count} of {} points have no mirror partner. {} of them have the mean with the surface opposite, {kept} \
                 keep their own weights, as there is none.",
                body.points.len(),
                count - kept,
            ));
        }
        Some(mean)
    }

    /// The row of a point from those of all, each changed by `change`. The second of two mirror images has the row of the first, with bones swapped, since a
    /// different influence may have been dropped on either side.
    pub(super) fn even(&self, point: usize, change: impl Fn(usize) -> Row) -> Row {
        match self.partners[point].map(|partner| partner as usize) {
            Some(partner) if partner == point => self.even_out(change(point)),
            Some(partner) if partner < point => self.mirrored(change(partner).into_iter()).collect(),
            _ => change(point),
        }
    }

    /// Gives each bone and its opposite the same share in a row in the plane. A bone whose opposite was dropped is dropped too, unless nothing would be left.
    fn even_out(&self, row: Row) -> Row {
        let opposite = |bone: u16| self.mirrored(row.iter().copied()).find(|(other, _)| *other == bone);
        let mut even: Row =
            row.iter().filter_map(|&(bone, share)| Some((bone, f32::midpoint(share, opposite(bone)?.1)))).collect();
        if even.is_empty() {
            return row;
        }
        normalize(&mut even);
        even
    }

    fn mirrored(&self, row: impl Iterator<Item = (u16, f32)>) -> impl Iterator<Item = (u16, f32)> {
        row.map(|(bone, share)| (self.mirror.partner(bone).unwrap_or(bone), share))
    }
}
