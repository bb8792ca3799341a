use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::grid::VoxelGrid;
use super::solid::Solid;
use super::surface;
use crate::jobs::Progress;
use crate::weights::body::Body;

/// Number of cells across the thinnest limb.
const ACROSS_LIMB: f32 = 5.0;

/// Minimum and maximum number of cells along the longest side if the thinnest limb determines the cell size.
const AUTOMATIC: [f64; 2] = [64.0, 512.0];

/// Maximum number of cells in the grid, and maximum cost of marking triangles; this bounds memory and time.
const MAX_GRID: f64 = 6.4e7;

const MAX_INSIDE: f64 = 3e5;

const MAX_WAVES: f64 = 2e7;

const MIN_CELLS: f64 = 4.0;

const SAMPLES: usize = 20_000;

const LIMB: usize = 8;

/// Fills a body with voxels: `cells` along its longest side, or by default as many as its thinnest limb needs; fewer if
/// too costly.
pub(super) fn solid(body: &Body, cells: Option<u16>, progress: &Progress) -> Option<Solid> {
    let bounds = bounds(body);
    let longest = (bounds[1] - bounds[0]).max_element();
    let [min_resolution, max_resolution] = AUTOMATIC;
    let wanted = match (cells, thinnest_limb(body)) {
        (Some(cells), _) => f64::from(cells),
        (None, Some(thickness)) => (longest / f64::from(thickness / ACROSS_LIMB)).clamp(min_resolution, max_resolution),
        (None, None) => min_resolution,
    };
    let mut cells = wanted.clamp(MIN_CELLS, MAX_GRID.sqrt());
    let max_cells = (MAX_WAVES / body.bones.len().max(1) as f64).min(MAX_INSIDE);
    loop {
        progress.check_cancelled()?;
        let cell = if longest > 0.0 { longest / cells } else { 1.0 };
        let frame = VoxelGrid::new(bounds, cell);
        let is_coarsest = cells <= MIN_CELLS;
        let cost = cost(body, frame) / MAX_GRID;
        if cost > 1.0 && !is_coarsest {
            cells = (cells / cost.sqrt().clamp(1.1, 4.0)).max(MIN_CELLS);
            continue;
        }
        let solid = Solid::new(frame, &body.points, &body.triangles, progress)?;
        let excess = solid.len() as f64 / max_cells;
        if excess <= 1.0 || is_coarsest {
            return Some(solid);
        }
        cells = (cells / (excess.cbrt() * 1.05)).max(MIN_CELLS);
    }
}

/// Returns the bounds of finite points, clipped around the bones: distant points would make cells too coarse.
fn bounds(body: &Body) -> [DVec3; 2] {
    let of = |points: &mut dyn Iterator<Item = Vec3>| {
        let finite = points.filter(|point| point.is_finite()).map(Vec3::as_dvec3);
        finite.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
    };
    let points = of(&mut body.points.iter().copied());
    let segments = body.bones.iter().flat_map(|bone| &bone.segments);
    let bones = of(&mut segments.flat_map(|segment| [segment.head, segment.tail]));
    let reach = (bones[1] - bones[0]).length();
    let cut = [points[0].max(bones[0] - reach), points[1].min(bones[1] + reach)];
    if reach > 0.0 && cut[0].cmple(cut[1]).all() {
        cut
    } else if points[0].is_finite() && points[1].is_finite() {
        points
    } else {
        [DVec3::ZERO; 2]
    }
}

fn cost(body: &Body, frame: VoxelGrid) -> f64 {
    let [width, height, depth] = frame.size.map(|cells| cells as f64);
    let grid = ((width / 64.0).ceil() * 64.0) * height * depth;
    if grid > 2.0 * MAX_GRID {
        return grid;
    }
    let of_triangle = |triangle: &[u32; 3]| {
        surface::cost(triangle.map(|point| frame.to_grid(body.points[point as usize])), frame.size)
    };
    grid.max(body.triangles.par_iter().map(of_triangle).sum::<u64>() as f64)
}

/// Returns the diameter of the thinnest limb, metres, from the distance of bones to the skin; `None` if unknown.
fn thinnest_limb(body: &Body) -> Option<f32> {
    let step = body.points.len().div_ceil(SAMPLES).max(1);
    let samples: Vec<Vec3> = body.points.iter().copied().step_by(step).filter(|point| point.is_finite()).collect();
    let nearest = |&point: &Vec3| body.distances(point).min_by(|a, b| a.1.total_cmp(&b.1));
    let nearest: Vec<Option<(u16, f32)>> = samples.par_iter().map(nearest).collect();
    let mut of_bones = vec![Vec::new(); body.bones.len()];
    for (bone, distance) in nearest.into_iter().flatten().filter(|(_, distance)| distance.is_finite()) {
        of_bones[usize::from(bone)].push(distance);
    }
    let limbs = of_bones.iter_mut().filter(|distances| distances.len() >= LIMB);
    let median = |distances: &mut Vec<f32>| {
        let middle = distances.len() / 2;
        *distances.select_nth_unstable_by(middle, f32::total_cmp).1
    };
    limbs.map(median).filter(|radius| *radius > 0.0).reduce(f32::min).map(|radius| 2.0 * radius)
}
