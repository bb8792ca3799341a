use glam::Vec3;
use rayon::prelude::*;

use super::inside::VoxelDistances;
use super::reach::{self, RATIO};
use super::wave::Wave;
use crate::jobs::{Progress, try_map_with};
use crate::rig::JaggedArray;
use crate::weights::body::Body;

const MAX_BONES: usize = 8;

/// Number of bones to process in parallel. A small batch limits memory and discards distant bones sooner.
const BATCH: usize = 8;

/// Tolerance in cells. A bone that is at most this much farther from a cell than all kept bones may still be nearer to
/// a point beyond the cell. The tolerance covers half a cell's diagonal for each of the two distances, plus their
/// errors.
const SLACK: f32 = 3.0;

#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct NearestBones {
    /// Bones of each point, nearest first, with distances in cells; empty if the point isn't finite or no bone reaches
    /// any cell.
    pub of_points: Vec<Vec<(u16, f32)>>,
    /// Number of points that no bone reaches; they take the bones of the nearest reached cell.
    pub unreached: usize,
}

pub(in crate::weights) fn nearest_bones(
    body: &Body,
    inside: &VoxelDistances,
    progress: &Progress,
) -> Option<NearestBones> {
    let points_of = CellPoints::new(body, inside);
    let holds_points: Vec<bool> = (0..inside.solid.len()).map(|cell| !points_of.points.row(cell).is_empty()).collect();
    let limits = reach::limits(&inside.solid, &holds_points, |cell| inside.nearest[cell as usize], progress)?;
    let mut of_points = vec![Vec::new(); body.points.len()];
    let mut of_cells = NearestOfCells::new(inside.solid.len());
    for batch in batches(inside.sources.len()) {
        let limit = |cell: u32| limits[cell as usize].min(of_cells.farthest(cell) + SLACK);
        let spread = |wave: &mut Wave<'_>, &bone: &usize| {
            wave.run(&inside.sources[bone], limit, progress)?;
            progress.add(1);
            let cells: Vec<(u32, f32)> = wave.known().iter().map(|&cell| (cell, wave.distance(cell))).collect();
            Some((points_of.distances(wave), cells))
        };
        let found = try_map_with(&batch, progress, || Wave::new(&inside.solid), spread)?;
        for (&bone, (points, cells)) in batch.iter().zip(found) {
            for (point, distance) in points {
                insert(&mut of_points[point as usize], bone, distance);
            }
            for (cell, distance) in cells {
                of_cells.insert(cell, distance);
            }
        }
    }
    Some(NearestBones { of_points, unreached: points_of.unreached })
}

/// Splits bones into batches spread over the body, so that the first batch already bounds the distances.
fn batches(bones: usize) -> impl Iterator<Item = Vec<usize>> {
    let count = bones.div_ceil(BATCH);
    (0..count).map(move |first| (first..bones).step_by(count).collect())
}

/// Inserts a bone into a point's list of nearest bones; at equal distances, lower indices come first.
fn insert(nearest: &mut Vec<(u16, f32)>, bone: usize, distance: f32) {
    let bone = bone as u16;
    let at =
        nearest.partition_point(|&(other, of_other)| of_other < distance || (of_other == distance && other < bone));
    if at < MAX_BONES {
        nearest.truncate(MAX_BONES - 1);
        nearest.insert(at, (bone, distance));
        let max_distance = RATIO * nearest[0].1.max(1.0);
        nearest.retain(|(_, distance)| *distance <= max_distance);
    }
}

/// The smallest distances from bones to each cell so far. A bone farther than all of these is also farther from every
/// point that it reaches through the cell, because the nearer bones can take the same path.
struct NearestOfCells(Vec<[f32; MAX_BONES]>);

impl NearestOfCells {
    fn new(cells: usize) -> Self {
        Self(vec![[f32::INFINITY; MAX_BONES]; cells])
    }

    fn insert(&mut self, cell: u32, distance: f32) {
        let nearest = &mut self.0[cell as usize];
        let at = nearest.partition_point(|other| *other <= distance);
        if at < MAX_BONES {
            nearest.copy_within(at..MAX_BONES - 1, at + 1);
            nearest[at] = distance;
        }
    }

    /// Returns the largest kept distance; infinite if there is room for more.
    fn farthest(&self, cell: u32) -> f32 {
        self.0[cell as usize][MAX_BONES - 1]
    }
}

/// Points, grouped by the cell whose distances they use.
struct CellPoints {
    points: JaggedArray<(u32, Vec3)>,
    unreached: usize,
}

impl CellPoints {
    fn new(body: &Body, inside: &VoxelDistances) -> Self {
        // An unreached point uses the distances at the centre of the nearest reached cell, ignoring obstacles.
        let locate = |&point: &Vec3| match inside.cell_at(point) {
            Some((cell, place)) => Some((cell, place, false)),
            None => inside.nearest_cell(point).map(|(cell, place)| (cell, place, true)),
        };
        let located: Vec<Option<(u32, Vec3, bool)>> = body.points.par_iter().map(locate).collect();
        let unreached = located.iter().flatten().filter(|(_, _, is_elsewhere)| *is_elsewhere).count();
        let by_cell =
            (0..).zip(&located).filter_map(|(point, located)| located.map(|(cell, at, _)| (cell, (point, at))));
        Self { points: JaggedArray::new(inside.solid.len(), by_cell), unreached }
    }

    fn distances(&self, wave: &Wave<'_>) -> Vec<(u32, f32)> {
        let of_cell = |&cell: &u32| {
            self.points.row(cell as usize).iter().map(move |&(point, at)| (point, wave.distance_at(cell, at)))
        };
        wave.known().iter().flat_map(of_cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::NodeIndex;
    use crate::weights::body::BodyBone;
    use crate::weights::segment::Segment;

    fn body(bone: Vec3) -> Body {
        let segments = vec![Segment { head: bone, tail: bone }];
        Body {
            bones: vec![BodyBone { node: NodeIndex(0), segments, parent: None, is_top: true, is_end: true }],
            ..Body::default()
        }
    }

    fn sheet(body: &mut Body, columns: usize, rows: usize, at: impl Fn(usize, usize) -> Vec3) {
        let first = body.points.len();
        body.points.extend((0..=rows).flat_map(|r| (0..=columns).map(move |c| (c, r))).map(|(c, r)| at(c, r)));
        for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
            let number = |c: usize, r: usize| (first + r * (columns + 1) + c) as u32;
            let [a, b, d, e] = [number(c, r), number(c + 1, r), number(c + 1, r + 1), number(c, r + 1)];
            body.triangles.extend([[a, b, d], [a, d, e]]);
        }
    }

    /// Returns each point's distance from its nearest bone, and the edge length of a cell, metres.
    fn distances(body: &Body, cells: u16) -> (Vec<f32>, f32) {
        let inside = VoxelDistances::new(body, Some(cells), &Progress::default()).unwrap();
        let cell = inside.solid.frame.cell as f32;
        let nearest = nearest_bones(body, &inside, &Progress::default()).unwrap();
        assert_eq!(nearest.unreached, 0);
        (nearest.of_points.iter().map(|near| near[0].1 * cell).collect(), cell)
    }

    fn cuboid(body: &mut Body, low: Vec3, high: Vec3) {
        for (axis, side) in (0..3).flat_map(|axis| [(axis, low), (axis, high)]) {
            sheet(body, 1, 1, |c, r| {
                let mut corner = side;
                corner[(axis + 1) % 3] = [low, high][c][(axis + 1) % 3];
                corner[(axis + 2) % 3] = [low, high][r][(axis + 2) % 3];
                corner
            });
        }
    }

    #[test]
    fn around_a_corner_the_way_is_a_taut_string_to_within_the_cell_of_the_corner() {
        let bone = Vec3::splat(0.5);
        let mut body = body(bone);
        cuboid(&mut body, Vec3::ZERO, Vec3::new(10.0, 1.0, 1.0));
        cuboid(&mut body, Vec3::new(9.0, 0.0, 0.0), Vec3::new(10.0, 10.0, 1.0));
        for step in 0..=40_u8 {
            let along = f32::from(step) / 4.0;
            body.points.extend([9.0, 9.5, 10.0].map(|x| Vec3::new(x, along, 0.3)));
            body.points.extend([0.0, 0.5, 1.0].map(|y| Vec3::new(along, y, 0.9)));
        }
        let corner = Vec3::new(9.0, 1.0, 0.0);
        let flat = |from: Vec3, to: Vec3| (to - from).truncate().length();
        let exact = |point: &Vec3| {
            let at_corner = bone.y + (point.y - bone.y) * (corner.x - bone.x) / (point.x - bone.x);
            let is_hidden = point.x >= corner.x && at_corner > corner.y;
            let around = (flat(bone, corner) + flat(corner, *point)).hypot(point.z - bone.z);
            if is_hidden { around } else { bone.distance(*point) }
        };
        for cells in [40, 67, 120] {
            let (found, cell) = distances(&body, cells);
            for (point, found) in body.points.iter().zip(found) {
                let exact = exact(point);
                // A shortest path may cross the cell at the corner from side to side.
                assert!(
                    (found - exact).abs() <= 1.42 * cell,
                    "{point}: {found} in place of {exact} with cells of {cell}"
                );
            }
        }
    }

    #[test]
    fn in_a_bent_tube_the_way_hugs_the_inner_wall_to_within_a_cell() {
        let (bend, radius) = (5.0_f32, 1.0_f32);
        let on_ring = |angle: f32, out: f32, up: f32| {
            let (sin, cos) = angle.sin_cos();
            Vec3::new((bend + out) * cos, (bend + out) * sin, up)
        };
        let mut body = body(on_ring(0.2, 0.0, 0.0));
        sheet(&mut body, 24, 120, |side, ring| {
            let (sin, cos) = (side as f32 / 24.0 * std::f32::consts::TAU).sin_cos();
            on_ring(ring as f32 / 120.0 * 3.0, radius * cos, radius * sin)
        });
        let surface = body.points.len();
        let angles: Vec<f32> = (4..=11_u8).map(|step| f32::from(step) * 0.25).collect();
        body.points.extend(angles.iter().map(|angle| on_ring(*angle, 0.0, 0.0)));
        for cells in [50, 90, 150] {
            let (found, cell) = distances(&body, cells);
            for (angle, found) in angles.iter().zip(&found[surface..]) {
                // `seen` is twice the angle over which either end sees along the inner wall.
                let (inner, turn) = (bend - radius, angle - 0.2);
                let seen = 2.0 * (inner / bend).acos();
                let around = 2.0 * (bend * bend - inner * inner).sqrt() + inner * (turn - seen);
                let exact = if turn > seen { around } else { 2.0 * bend * (turn / 2.0).sin() };
                assert!((found - exact).abs() <= cell, "{angle}: {found} in place of {exact} with cells of {cell}");
            }
        }
    }

    #[test]
    fn of_many_bones_each_point_has_the_nearest_as_if_each_had_spread_alone() {
        let mut body = body(Vec3::ZERO);
        cuboid(&mut body, Vec3::ZERO, Vec3::new(8.0, 2.0, 2.0));
        body.points.extend((0..60_u8).map(|step| Vec3::new(f32::from(step) * 0.13 + 0.05, 1.3, 0.4)));
        let bone = |number: u16| {
            let at = f32::from(number);
            let head = Vec3::new(0.2 + at * 0.19, 1.0 + 0.6 * at.sin(), 1.0 + 0.6 * at.cos());
            BodyBone {
                node: NodeIndex(u32::from(number)),
                segments: vec![Segment { head, tail: head }],
                parent: None,
                is_top: true,
                is_end: true,
            }
        };
        body.bones = (0..40).map(bone).collect();
        let inside = VoxelDistances::new(&body, Some(60), &Progress::default()).unwrap();
        let cell = inside.solid.frame.cell as f32;
        let nearest = nearest_bones(&body, &inside, &Progress::default()).unwrap();
        for (point, near) in body.points.iter().zip(&nearest.of_points) {
            let mut exact: Vec<f32> = body.distances(*point).map(|(_, distance)| distance).collect();
            exact.sort_by(f32::total_cmp);
            assert!(!near.is_empty());
            for ((_, found), exact) in near.iter().zip(&exact) {
                assert!((found * cell - exact).abs() < cell, "{point}: {near:?}, {exact}");
            }
        }
    }
}
