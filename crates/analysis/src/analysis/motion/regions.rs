//! Computes the volumes of all joints' regions at once.
//!
//! The volume of a closed region doesn't depend on the reference point, so each triangle is measured once. Triangles
//! that belong to the same set of regions form a class and are summed together; the volume of a region is the sum over
//! its classes.

use std::collections::HashMap;

use glam::{DVec3, Vec3};

use crate::analysis::Topology;
use crate::analysis::measure::SurfaceSize;
use crate::analysis::region::{
    Bulk, Cap, CapAtRest, MIN_SURFACE, MIN_TRIANGLES, Patch, Regions, RemainingVolume, Rim, Tear, placed, tear_volume,
};
use crate::analysis::twist::RankError;
use rigscope_core::jobs::{Progress, try_map};
use rigscope_core::rig::{NodeIndex, Rig};

#[derive(Default)]
pub(super) struct RegionMap {
    pub joints: Vec<NodeIndex>,
    pub off: Option<RankError>,
    /// Area of each region at rest, m².
    areas: Vec<f64>,
    /// Classes as linked lists of regions. Each entry holds the class of all regions but the last, and the last region.
    /// Class 0 has no regions.
    classes: Vec<(u32, u32)>,
    openings: Vec<Vec<Opening>>,
    /// Edges at which the skin can tear, by mesh instance. Each entry holds a region and vertices of the mesh.
    tears: Vec<Vec<(usize, Tear<u32>)>>,
}

struct Opening {
    region: usize,
    /// Edges as vertex indices into the mesh.
    rim: Rim<u32>,
}

#[derive(Default)]
pub(super) struct RegionVolumes {
    /// Volume of each region, m³.
    pub volumes: Vec<f64>,
    /// How much each region's change in volume since rest could differ, at most, if its openings were capped
    /// differently, m³.
    pub changes: Vec<f64>,
}

impl RegionVolumes {
    pub(super) fn clear(&mut self, regions: usize) {
        for list in [&mut self.volumes, &mut self.changes] {
            list.clear();
            list.resize(regions, 0.0);
        }
    }
}

/// Index of a set of regions that share triangles.
pub(super) type Class = u32;

impl RegionMap {
    /// Finds all regions except tiny ones, and the class of each triangle. `areas` holds the triangles' areas by mesh
    /// instance, m².
    pub(super) fn new(
        rig: &Rig,
        topology: &Topology,
        areas: &[Vec<f64>],
        progress: &Progress,
    ) -> Option<(Self, Vec<Vec<Class>>)> {
        let mut of_triangles: Vec<Vec<Class>> = areas.iter().map(|areas| vec![0; areas.len()]).collect();
        let mut all = Self { classes: vec![(0, 0)], off: RankError::check(rig).err(), ..Self::default() };
        all.openings.resize_with(areas.len(), Vec::new);
        all.tears.resize(areas.len(), Vec::new());
        if all.off.is_some() {
            return Some((all, of_triangles));
        }
        let regions = Regions::new(rig, topology);
        let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
        let found: Vec<Vec<Patch>> = try_map(&joints, progress, |&joint| Some(regions.patches(joint)))?;
        let whole: f64 = areas.iter().flatten().sum();
        let mut known = HashMap::new();
        for (joint, patches) in joints.into_iter().zip(found) {
            let triangles: usize = patches.iter().map(|patch| patch.triangles.len()).sum();
            let area: f64 = patches.iter().flat_map(|p| p.triangles.iter().map(|&t| areas[p.instance][t])).sum();
            if triangles >= MIN_TRIANGLES && area >= MIN_SURFACE * whole {
                all.add(joint, area, patches, &mut of_triangles, &mut known);
            }
        }
        Some((all, of_triangles))
    }

    fn add(
        &mut self,
        joint: NodeIndex,
        area: f64,
        patches: Vec<Patch>,
        of_triangles: &mut [Vec<Class>],
        known: &mut HashMap<(Class, u32), Class>,
    ) {
        let region = self.joints.len();
        self.joints.push(joint);
        self.areas.push(area);
        for Patch { instance, triangles, openings, tears } in patches {
            let mut last = None;
            for triangle in triangles {
                let class = &mut of_triangles[instance][triangle];
                // Consecutive triangles mostly have the same class.
                let next = match last {
                    Some((of, next)) if of == *class => next,
                    _ => *known.entry((*class, region as u32)).or_insert_with(|| {
                        self.classes.push((*class, region as u32));
                        self.classes.len() as u32 - 1
                    }),
                };
                last = Some((*class, next));
                *class = next;
            }
            self.openings[instance].extend(openings.into_iter().map(|rim| Opening { region, rim }));
            self.tears[instance].extend(tears.into_iter().map(|tear| (region, tear)));
        }
    }

    pub(super) fn classes(&self) -> usize {
        self.classes.len()
    }

    pub(super) fn caps_at_rest(&self, instance: usize, positions: &[Vec3], about: DVec3) -> Vec<CapAtRest> {
        let at = |vertex: u32| positions[vertex as usize].as_dvec3() - about;
        self.openings[instance].iter().map(|opening| CapAtRest::new(placed(&opening.rim, at))).collect()
    }

    /// Adds the volumes of a mesh instance's caps and torn edges, relative to `about`.
    pub(super) fn add_caps(
        &self,
        instance: usize,
        positions: &[Vec3],
        about: DVec3,
        at_rest: &[CapAtRest],
        regions: &mut RegionVolumes,
    ) {
        let at = |vertex: u32| positions[vertex as usize].as_dvec3() - about;
        for (opening, at_rest) in self.openings[instance].iter().zip(at_rest) {
            let cap = Cap::new(placed(&opening.rim, at));
            regions.volumes[opening.region] += cap.volume;
            regions.changes[opening.region] += at_rest.change(&cap, placed(&opening.rim, at));
        }
        for (region, tear) in &self.tears[instance] {
            regions.volumes[*region] += tear_volume(tear.map(at));
        }
    }

    /// Returns the volume and uncertainty of each region at rest. `at_rest` holds the caps by mesh instance.
    pub(super) fn bulks(&self, volumes: &[f64], at_rest: &[Vec<CapAtRest>]) -> Vec<Bulk> {
        let sizes = volumes.iter().zip(&self.areas).map(|(&volume, &area)| SurfaceSize { volume, area });
        let mut bulks: Vec<Bulk> = sizes.map(|size| Bulk { size, uncertainty: 0.0 }).collect();
        for (opening, cap) in self.openings.iter().flatten().zip(at_rest.iter().flatten()) {
            bulks[opening.region].uncertainty += cap.cap.uncertainty;
        }
        bulks
    }

    /// Adds the volumes of triangles to their regions. `sums` holds six times the volume of each class.
    pub(super) fn add_triangles(&self, sums: &[f64], volumes: &mut [f64]) {
        for (class, sum) in sums.iter().enumerate() {
            let mut class = class;
            while class > 0 {
                let (rest, region) = self.classes[class];
                volumes[region as usize] += sum / 6.0;
                class = rest as usize;
            }
        }
    }
}

pub(super) fn remaining_volumes(now: &RegionVolumes, bulks: &[Bulk]) -> Vec<RemainingVolume> {
    let regions = now.volumes.iter().zip(&now.changes).zip(bulks);
    regions.map(|((volume, change), bulk)| bulk.left(*volume, *change)).collect()
}
