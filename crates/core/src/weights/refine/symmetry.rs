use crate::jobs::Progress;
use crate::rig::Rig;
use crate::weights::body::{Body, map_indices};
use crate::weights::bone_weights::{PointWeights, Row, normalize};
use crate::weights::mirror::{BodyMirror, MirroredSurface, NEAR_SURFACE};

/// A body is symmetric only if at most this fraction of its points has no mirror image.
const MAX_ALONE: f32 = 0.1;

pub(super) struct MirroredHalves {
    mirror: BodyMirror,
    partners: Vec<Option<u32>>,
}

impl MirroredHalves {
    /// Returns the mirror plane of a body; `None`, with a note, if it has no opposite bones.
    pub(super) fn mirror(rig: &Rig, body: &Body, notes: &mut Vec<String>) -> Option<BodyMirror> {
        let mirror = BodyMirror::new(rig, body);
        if mirror.is_none() {
            notes.push("No joints are mirror images of each other: weights are not made symmetric.".to_owned());
        }
        mirror
    }

    pub(super) fn new(mirror: BodyMirror, body: &Body, progress: &Progress) -> Option<Self> {
        Some(Self { partners: mirror.partner_points(body, progress)?, mirror })
    }

    /// Returns true if paired joints are at each other's mirror images and nearly all points have a mirror image.
    pub(super) fn are_alike(&self, body: &Body) -> bool {
        let head = |bone: u16| body.bones[usize::from(bone)].segments[0].head;
        let partner = |bone: u16| Some((bone, self.mirror.partner(bone)?));
        let off = |(bone, partner)| self.mirror.image(head(bone)).distance(head(partner));
        let max_offset = (0..body.bones.len()).filter_map(|bone| partner(bone as u16)).map(off).fold(0.0, f32::max);
        let alone = self.partners.iter().filter(|partner| partner.is_none()).count() as f32;
        max_offset <= NEAR_SURFACE * body.size() && alone <= MAX_ALONE * body.points.len() as f32
    }

    /// Averages the weights of each point and its mirror image. Points without an image lose their partner; appends a
    /// note with their number.
    pub(super) fn mean(
        &mut self,
        body: &Body,
        shares: &PointWeights,
        notes: &mut Vec<String>,
        progress: &Progress,
    ) -> Option<PointWeights> {
        let rows = MirroredSurface::new(&self.mirror, body, progress)?.rows(shares, progress)?;
        let mean = PointWeights::computed(rows.len(), progress, |point, row| match &rows[point] {
            Some(mirrored) => {
                row.add(shares.row(point), 0.5);
                row.add(mirrored.iter().copied(), 0.5);
            }
            None => row.add(shares.row(point), 1.0),
        })?;
        let has_image = |point: u32| rows[point as usize].is_some();
        self.partners = map_indices(rows.len(), progress, |point| {
            self.partners[point].filter(|&partner| has_image(partner) && has_image(point as u32))
        })?;
        let alone = rows.iter().filter(|row| row.is_none()).count();
        if alone > 0 {
            notes.push(format!("{alone} of {} points have no mirror image and keep their weights.", rows.len()));
        }
        Some(mean)
    }

    /// Returns a point's row after `change`. The second of two partners takes the mirrored row of the first, because
    /// `change` may drop different influences of each.
    pub(super) fn even(&self, point: usize, change: impl Fn(usize) -> Row) -> Row {
        match self.partners[point].map(|partner| partner as usize) {
            Some(partner) if partner == point => self.even_out(change(point)),
            Some(partner) if partner < point => self.mirror.mirrored(change(partner)).unwrap_or_else(|| change(point)),
            _ => change(point),
        }
    }

    /// Makes the row of a point in the plane symmetric. Drops bones whose opposite is not in the row, unless nothing
    /// would be left.
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
