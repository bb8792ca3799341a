use std::collections::HashMap;

use glam::Vec3;

use super::body::{Body, map_indices};
use super::bone_weights::{PointWeights, Row};
use super::surface::{ClosestTriangle, TriangleTree, normals};
use crate::jobs::Progress;
use crate::posing::{JointPairs, Plane};
use crate::rig::{NodeIndex, Rig, components};

/// Maximum distance between a point's mirror image and its partner point, relative to the body's size.
const NEAR: f32 = 1e-3;

/// Maximum distance between a mirror image and the surface, relative to the body's size.
pub(super) const NEAR_SURFACE: f32 = 0.005;

/// Minimum fraction of a component's points that must have a mirror image. A smaller fraction may be a coincidence: a
/// sword's image may cross a shield.
const MIN_MATCHED: f64 = 0.5;

/// Maximum number of points to compare per cell, to bound the cost of dense meshes.
const MAX_IN_CELL: usize = 64;

/// Mirror plane midway between left and right joints in bind pose, and the opposite of each bone.
pub(super) struct BodyMirror {
    plane: Plane,
    partners: Vec<Option<u16>>,
}

impl BodyMirror {
    /// Returns `None` if no two bones are opposite each other.
    pub(super) fn new(rig: &Rig, body: &Body) -> Option<Self> {
        let mut heads = vec![Vec3::NAN; rig.hierarchy.len()];
        for bone in &body.bones {
            heads[bone.node.index()] = bone.segments[0].head;
        }
        let pairs = JointPairs::find(&rig.hierarchy, &heads, Vec3::ZERO, body.size())?;
        let bones_by_node = body.bones_by_node();
        let partner = |node: NodeIndex| bones_by_node.get(&pairs.partner(node)?).copied();
        let partners: Vec<Option<u16>> = body.bones.iter().map(|bone| partner(bone.node)).collect();
        let has_pair = (0..).zip(&partners).any(|(bone, partner)| partner.is_some_and(|partner| partner != bone));
        has_pair.then_some(Self { plane: pairs.plane(), partners })
    }

    /// Returns the opposite bone, or the bone itself if it is in the plane; `None` if unpaired.
    pub(super) fn partner(&self, bone: u16) -> Option<u16> {
        self.partners[usize::from(bone)]
    }

    pub(super) fn mirrored(&self, row: impl IntoIterator<Item = (u16, f32)>) -> Option<Row> {
        row.into_iter().map(|(bone, share)| Some((self.partner(bone)?, share))).collect()
    }

    pub(super) fn image(&self, position: Vec3) -> Vec3 {
        self.plane.mirrored_point(position)
    }

    /// Returns for each point the index of its partner: the point at its mirror image, if each is the other's nearest.
    /// A point in the plane is its own partner.
    pub(super) fn partner_points(&self, body: &Body, progress: &Progress) -> Option<Vec<Option<u32>>> {
        let near = NEAR * body.size();
        let cell = |position: Vec3| (position / near).to_array().map(|x| x.floor() as i64);
        let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        if near > 0.0 {
            for (at, &position) in (0..).zip(&body.points) {
                let in_cell = cells.entry(cell(position)).or_default();
                if in_cell.len() < MAX_IN_CELL {
                    in_cell.push(at);
                }
            }
        }
        let images = body.map_points(progress, |position| {
            let image = self.image(position);
            let [x, y, z] = cell(image);
            let around = |c: i64| c.saturating_sub(1)..=c.saturating_add(1);
            let all = around(x).flat_map(|x| around(y).flat_map(move |y| around(z).map(move |z| [x, y, z])));
            let candidates = all.filter_map(|cell| cells.get(&cell)).flatten();
            let distances = candidates.map(|&at| (at, body.points[at as usize].distance(image)));
            let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            nearest.filter(|(_, distance)| *distance <= near).map(|(at, _)| at)
        })?;
        let is_mutual = |(point, image): (u32, &Option<u32>)| image.filter(|&i| images[i as usize] == Some(point));
        Some((0..).zip(&images).map(is_mutual).collect())
    }
}

/// Positions of points' mirror images on the body's surface, used to measure and enforce symmetric weights.
pub(super) struct MirroredSurface<'a> {
    pub mirror: &'a BodyMirror,
    body: &'a Body,
    images: Vec<Option<ClosestTriangle>>,
}

impl<'a> MirroredSurface<'a> {
    /// Matches each point's mirror image to the nearest surface, if it is close and faces the same way. Drops the
    /// images of components in which fewer than half of the points match.
    pub(super) fn new(mirror: &'a BodyMirror, body: &'a Body, progress: &Progress) -> Option<Self> {
        let tree = TriangleTree::new(&body.points, &body.triangles, 0..body.triangles.len());
        let normals = normals(&body.points, &body.triangles);
        let reach = NEAR_SURFACE * body.size();
        let mut images = body.by_point_number(progress, |point, position| {
            let image = tree.nearest(mirror.image(position), reach)?;
            let [a, b, c] = body.triangles[image.triangle].map(|corner| body.points[corner as usize]);
            let facing = mirror.plane.mirrored_vector(normals[point]).dot((b - a).cross(c - a));
            (facing >= 0.0).then_some(image)
        })?;
        let (piece, count) = components(body.points.len(), body.triangles.iter().copied());
        let mut counts = vec![[0_usize; 2]; count];
        for (&piece, image) in piece.iter().zip(&images) {
            let [matched, all] = &mut counts[piece as usize];
            (*matched, *all) = (*matched + usize::from(image.is_some()), *all + 1);
        }
        let is_matched =
            |piece: u32| counts[piece as usize][0] as f64 >= MIN_MATCHED * counts[piece as usize][1] as f64;
        images.iter_mut().zip(piece).filter(|(_, piece)| !is_matched(*piece)).for_each(|(image, _)| *image = None);
        Some(Self { mirror, body, images })
    }

    /// Returns for each point the weights at its mirror image, with left and right bones swapped. A row is `None` if
    /// the point has no image or one of its bones is unpaired.
    pub(super) fn rows(&self, shares: &PointWeights, progress: &Progress) -> Option<Vec<Option<Row>>> {
        map_indices(self.images.len(), progress, |point| {
            let image = self.images[point]?;
            self.mirror.mirrored(shares.row(point))?;
            let corners = self.body.triangles[image.triangle].into_iter().zip(image.shares);
            let row = PointWeights::mixed(corners.map(|(corner, share)| (shares.row(corner as usize), share)));
            self.mirror.mirrored(row)
        })
    }
}
