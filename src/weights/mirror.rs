//! The mirror plane of a body in its own space, and the image of each point.

use std::collections::HashMap;

use glam::Vec3;

use super::body::Body;
use crate::jobs::Progress;
use crate::posing::{Plane, Symmetry};
use crate::rig::{Bounds, NodeIndex};

/// Distance, as a share of the body's diagonal, within which a point counts as the mirror image of another.
const NEAR: f32 = 1e-3;

/// Most points of a cell that are compared: crowds must not cost their square.
const MOST_IN_CELL: usize = 64;

/// The plane half-way between the left and right joints in bind pose, with the bone opposite to each bone.
pub(super) struct BodyMirror {
    plane: Plane,
    partners: Vec<Option<u16>>,
}

impl BodyMirror {
    /// Mirror of a body; `None` where no two of its bones are opposite each other.
    pub(super) fn new(body: &Body, symmetry: &Symmetry) -> Option<Self> {
        let bone_of = body.bone_of();
        let partner = |node: NodeIndex| bone_of.get(&symmetry.partner(node)?).copied();
        let partners: Vec<Option<u16>> = body.bones.iter().map(|bone| partner(bone.node)).collect();
        let head = |bone: usize| body.bones[bone].segments[0].head;
        let pairs: Vec<[Vec3; 2]> = partners
            .iter()
            .enumerate()
            .filter_map(|(bone, partner)| Some((bone, usize::from((*partner)?))))
            .filter(|(bone, partner)| bone < partner)
            .map(|(bone, partner)| [head(bone), head(partner)])
            .collect();
        let longest =
            pairs.iter().map(|[a, b]| *a - *b).max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
        let across = |[a, b]: &[Vec3; 2]| if (*a - *b).dot(longest) < 0.0 { *b - *a } else { *a - *b };
        let normal = pairs.iter().map(across).sum::<Vec3>().try_normalize()?;
        let nearest = Vec3::AXES.into_iter().find(|axis| axis.dot(normal).abs() > 0.999);
        let normal = nearest.unwrap_or(normal);
        let middle: f32 = pairs.iter().map(|[a, b]| normal.dot(*a + *b) * 0.5).sum();
        Some(Self { plane: Plane { normal, offset: middle / pairs.len() as f32 }, partners })
    }

    /// The bone opposite to a bone; the bone itself if it is in the plane.
    pub(super) fn partner(&self, bone: u16) -> Option<u16> {
        self.partners[usize::from(bone)]
    }

    /// The mirror image of a point.
    pub(super) fn image(&self, point: Vec3) -> Vec3 {
        self.plane.mirrored_point(point)
    }

    /// Mirror image of each point: the point nearest to it, if one is near; `None` as a whole if cancelled.
    pub(super) fn images(&self, body: &Body, progress: &Progress) -> Option<Vec<Option<u32>>> {
        let mut bounds = Bounds::default();
        body.points.iter().for_each(|&point| bounds.add(point));
        let near = NEAR * bounds.diagonal();
        let cell = |point: Vec3| (point / near).to_array().map(|x| x.floor() as i64);
        let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        if near > 0.0 {
            for (at, &point) in (0..).zip(&body.points) {
                let of_cell = cells.entry(cell(point)).or_default();
                if of_cell.len() < MOST_IN_CELL {
                    of_cell.push(at);
                }
            }
        }
        body.by_point(progress, |point| {
            let image = self.image(point);
            let [x, y, z] = cell(image);
            let around = |c: i64| c.saturating_sub(1)..=c.saturating_add(1);
            let all = around(x).flat_map(|x| around(y).flat_map(move |y| around(z).map(move |z| [x, y, z])));
            let candidates = all.filter_map(|cell| cells.get(&cell)).flatten();
            let distances = candidates.map(|&at| (at, body.points[at as usize].distance(image)));
            let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            nearest.filter(|(_, distance)| *distance <= near).map(|(at, _)| at)
        })
    }
}
