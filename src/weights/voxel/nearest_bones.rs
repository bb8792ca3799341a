//! The bones that are nearest to each point of a body, through the inside.

use glam::Vec3;
use rayon::prelude::*;

use super::reach::{self, RATIO};
use super::resolution;
use super::solid::Solid;
use super::sources::Sources;
use super::wave::Wave;
use crate::jobs::Progress;
use crate::weights::body::Body;

/// Bones that are kept for a point.
const MOST: usize = 8;

/// Bones that spread at the same time, which bounds what their distances take.
const BATCH: usize = 16;

/// Distances from points to bones through the inside of a body.
#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct NearestBones {
    /// Of every point the bones that may matter, nearest first, with their distances in cells. Empty where the point is not finite, or there is nothing inside.
    pub of_points: Vec<Vec<(u16, f32)>>,
    /// Length of the side of a cell, metres.
    pub cell: f64,
    /// Bones of which nothing is inside.
    pub outside: Vec<u16>,
    /// Points that no bone reaches through the inside; they have the bones of the nearest cell that is reached.
    pub unreached: usize,
}

/// See [`NearestBones`]; `cells` as in [`crate::weights::Recipe::cells`]. `None` where the job was cancelled.
pub(in crate::weights) fn nearest_bones(body: &Body, cells: Option<u16>, progress: &Progress) -> Option<NearestBones> {
    progress.enter("Filling the inside", 0, 1);
    let solid = resolution::solid(body, cells, progress)?;
    let sources: Vec<Sources> = body.bones.par_iter().map(|bone| Sources::of(bone, &solid)).collect();
    progress.enter("Measuring distances", 0, sources.len() + 1);
    let reached = reached(&solid, &sources, progress)?;
    let homes = Homes::new(body, &solid, &reached.is_reached);
    let limits = reach::limits(&solid, &homes.holds_points(), |cell| reached.nearest[cell as usize], progress)?;
    progress.add(1);
    let mut of_points = vec![Vec::new(); body.points.len()];
    for first in (0..sources.len()).step_by(BATCH) {
        let batch = first..(first + BATCH).min(sources.len());
        let spread = |wave: &mut Wave<'_>, bone: usize| {
            wave.run(&sources[bone], |cell| limits[cell as usize], progress)?;
            progress.add(1);
            Some(homes.distances(wave))
        };
        let found = batch.clone().into_par_iter().map_init(|| Wave::new(&solid), spread).collect::<Option<Vec<_>>>()?;
        for (bone, distances) in batch.zip(found) {
            distances.into_iter().for_each(|(point, distance)| insert(&mut of_points[point as usize], bone, distance));
        }
    }
    let of_bones = (0..).zip(&sources);
    let outside = of_bones.filter(|(_, sources)| sources.is_outside()).map(|(bone, _)| bone).collect();
    Some(NearestBones { of_points, cell: solid.frame.cell, outside, unreached: homes.unreached })
}

/// Puts a bone among the nearest of a point, behind those as near.
fn insert(nearest: &mut Vec<(u16, f32)>, bone: usize, distance: f32) {
    let at = nearest.partition_point(|(_, other)| *other <= distance);
    if at < MOST {
        nearest.truncate(MOST - 1);
        nearest.insert(at, (bone as u16, distance));
        let most = RATIO * nearest[0].1.max(1.0);
        nearest.retain(|(_, distance)| *distance <= most);
    }
}

/// How far each cell is from the nearest bone.
struct ReachedCells {
    nearest: Vec<f32>,
    is_reached: super::bits::Bits,
}

fn reached(solid: &Solid, sources: &[Sources], progress: &Progress) -> Option<ReachedCells> {
    let all = Sources {
        segments: sources.iter().flat_map(|sources| sources.segments.iter().copied()).collect(),
        entries: sources.iter().flat_map(|sources| sources.entries.iter().copied()).collect(),
    };
    let mut wave = Wave::new(solid);
    wave.run(&all, |_| f32::INFINITY, progress)?;
    let mut is_reached = super::bits::Bits::none(solid.bits.size);
    wave.known().iter().for_each(|&cell| is_reached.insert(solid.cells[cell as usize].map(usize::from)));
    Some(ReachedCells { nearest: (0..solid.len() as u32).map(|cell| wave.distance(cell)).collect(), is_reached })
}

/// The cell whose distances each point has.
struct Homes {
    /// Points of each cell: from here to the next cell's in `points`.
    starts: Vec<u32>,
    /// By cell, with their places in the grid.
    points: Vec<(u32, Vec3)>,
    unreached: usize,
}

impl Homes {
    fn new(body: &Body, solid: &Solid, is_reached: &super::bits::Bits) -> Self {
        let home = |&point: &Vec3| {
            let place = solid.frame.to_grid(point);
            let own = solid.at(place).map(|cell| solid.cells[cell as usize]);
            let own = own.filter(|cell| is_reached.has(cell.map(usize::from)));
            let cell = own.or_else(|| if point.is_finite() { is_reached.nearest(place) } else { None })?;
            let number = solid.number(cell.map(usize::from));
            // What lies elsewhere gets the distances of the cell, whatever lies between.
            Some((number, if own.is_some() { place } else { solid.middle(number) }, own.is_none()))
        };
        let homes: Vec<Option<(u32, Vec3, bool)>> = body.points.par_iter().map(home).collect();
        let unreached = homes.iter().flatten().filter(|(_, _, is_elsewhere)| *is_elsewhere).count();
        let mut starts = vec![0; solid.len() + 1];
        homes.iter().flatten().for_each(|(cell, ..)| starts[*cell as usize + 1] += 1);
        for cell in 0..solid.len() {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut points = vec![(0, Vec3::ZERO); homes.iter().flatten().count()];
        for (point, home) in (0..).zip(&homes) {
            if let Some((cell, place, _)) = home {
                points[next[*cell as usize] as usize] = (point, *place);
                next[*cell as usize] += 1;
            }
        }
        Self { starts, points, unreached }
    }

    fn in_cell(&self, cell: u32) -> &[(u32, Vec3)] {
        &self.points[self.starts[cell as usize] as usize..self.starts[cell as usize + 1] as usize]
    }

    fn holds_points(&self) -> Vec<bool> {
        self.starts.windows(2).map(|pair| pair[0] < pair[1]).collect()
    }

    /// The points that a wave has come to, with their distances.
    fn distances(&self, wave: &Wave<'_>) -> Vec<(u32, f32)> {
        let of_cell = |&cell: &u32| {
            self.in_cell(cell).iter().map(move |&(point, place)| (point, wave.distance_at(cell, place)))
        };
        wave.known().iter().flat_map(of_cell).collect()
    }
}
