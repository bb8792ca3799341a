use glam::Vec3;
use rayon::prelude::*;

use super::grid::VoxelBits;
use super::resolution;
use super::solid::Solid;
use super::sources::Sources;
use super::wave::Wave;
use crate::jobs::Progress;
use crate::weights::body::Body;

pub(in crate::weights) struct VoxelDistances {
    pub solid: Solid,
    pub sources: Vec<Sources>,
    /// Distance of each cell to the nearest bone, in cells; infinite if no bone reaches the cell.
    pub nearest: Vec<f32>,
    nearest_bone: Vec<Option<u16>>,
    is_reached: VoxelBits,
}

impl VoxelDistances {
    /// Fills a body with voxels and measures distances; for `cells`, see [`crate::weights::Recipe::cells`].
    pub(crate) fn new(body: &Body, cells: Option<u16>, progress: &Progress) -> Option<Self> {
        Self::filled(Self::solid(body, cells, progress)?, body, progress)
    }

    pub(crate) fn solid(body: &Body, cells: Option<u16>, progress: &Progress) -> Option<Solid> {
        progress.enter("Filling the inside", 0, 1);
        resolution::solid(body, cells, progress)
    }

    pub(crate) fn filled(solid: Solid, body: &Body, progress: &Progress) -> Option<Self> {
        let sources: Vec<Sources> = body.bones.par_iter().map(|bone| Sources::new(bone, &solid)).collect();
        progress.enter("Measuring distances", 0, sources.len() + 1);
        let bone_of_segment: Vec<u16> = sources
            .iter()
            .enumerate()
            .flat_map(|(bone, sources)| sources.segments.iter().map(move |_| bone as u16))
            .collect();
        let all = Sources {
            segments: sources.iter().flat_map(|sources| sources.segments.iter().copied()).collect(),
            entries: sources.iter().flat_map(|sources| sources.entries.iter().copied()).collect(),
        };
        let mut wave = Wave::new(&solid);
        wave.run(&all, |_| f32::INFINITY, progress)?;
        progress.add(1);
        let mut is_reached = VoxelBits::none(solid.bits.size);
        wave.known().iter().for_each(|&cell| is_reached.insert(solid.cells[cell as usize].map(usize::from)));
        let nearest = (0..solid.len() as u32).map(|cell| wave.distance(cell)).collect();
        let bone = |cell: u32| wave.segment(cell).map(|segment| bone_of_segment[segment]);
        let nearest_bone = (0..solid.len() as u32).map(bone).collect();
        Some(Self { solid, sources, nearest, nearest_bone, is_reached })
    }

    /// Returns the cell and grid coordinates of a point in skin space; `None` if no bone reaches the cell.
    pub(crate) fn cell_at(&self, point: Vec3) -> Option<(u32, Vec3)> {
        let place = self.solid.frame.to_grid(point);
        let cell = self.solid.at(place).filter(|cell| self.nearest[*cell as usize].is_finite())?;
        Some((cell, place))
    }

    /// Returns the nearest cell that a bone reaches, and its centre.
    pub(crate) fn nearest_cell(&self, point: Vec3) -> Option<(u32, Vec3)> {
        let cell = self.is_reached.nearest(self.solid.frame.to_grid(point)).filter(|_| point.is_finite())?;
        let number = self.solid.number(cell.map(usize::from));
        Some((number, self.solid.middle(number)))
    }

    /// Returns the bone nearest through the inside and its distance in metres. For a point that no bone reaches, uses
    /// the nearest reached cell.
    pub(crate) fn nearest_bone(&self, body: &Body, point: Vec3) -> Option<(u16, f32)> {
        let (cell, place) = self.cell_at(point).or_else(|| self.nearest_cell(point))?;
        let straight = || {
            let distances =
                body.bones.iter().enumerate().map(|(at, _)| (at as u16, self.straight(body, at, point, place)));
            distances.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| bone)
        };
        let bone = self.nearest_bone[cell as usize].or_else(straight)?;
        Some((
            bone,
            (self.nearest[cell as usize] * self.solid.frame.cell as f32)
                .max(body.bones[usize::from(bone)].distance(point)),
        ))
    }

    /// Returns the straight distance to a bone, in cells: to its inside segments if it has any, otherwise to the whole
    /// bone.
    pub(crate) fn straight(&self, body: &Body, bone: usize, point: Vec3, place: Vec3) -> f32 {
        let segments = &self.sources[bone].segments;
        let inside = segments.iter().map(|segment| segment.distance(place)).fold(f32::INFINITY, f32::min);
        if segments.is_empty() { body.bones[bone].distance(point) / self.solid.frame.cell as f32 } else { inside }
    }
}
