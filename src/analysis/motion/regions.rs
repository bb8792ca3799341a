//! The volumes of the regions of all joints at once.
//!
//! A region and the caps that close it enclose the same volume seen from any point. So each triangle is measured once, from one point for all; triangles of the same regions are
//! summed together, and of these sums each region adds up its own.

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::analysis::Topology;
use crate::analysis::measure::Size;
use crate::analysis::region::{Bulk, Cap, CapAtRest, MIN_SURFACE, MIN_TRIANGLES, Patch, Regions, Rim, VolumeLeft};
use crate::analysis::twist::RankError;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig};

/// Regions of the joints of a rig, in any pose.
#[derive(Default)]
pub(super) struct RegionMap {
    pub joints: Vec<NodeIndex>,
    /// Why there are none.
    pub off: Option<RankError>,
    /// Areas of the regions in the rest pose, m².
    areas: Vec<f64>,
    /// By class of triangles, the class of triangles that lack the last of its regions, and that region; the first class is in none.
    classes: Vec<(u32, u32)>,
    /// By mesh instance, the openings of all regions.
    openings: Vec<Vec<Opening>>,
}

/// An opening where a region is cut out of the surface.
struct Opening {
    region: usize,
    /// By vertices of the mesh.
    rim: Rim<u32>,
}

impl Opening {
    /// The edges of the rim as seen from a point, with how often each counts.
    fn seen<'s>(&'s self, positions: &'s [Vec3], about: DVec3) -> impl Iterator<Item = ([DVec3; 2], f64)> + Clone + 's {
        let corner = move |vertex: u32| positions[vertex as usize].as_dvec3() - about;
        self.rim.iter().map(move |edge| (edge.ends.map(corner), edge.share))
    }
}

/// What the regions of a frame enclose.
#[derive(Default)]
pub(super) struct RegionVolumes {
    /// Volume of each region, m³.
    pub volumes: Vec<f64>,
    /// By region, how much more or less of its volume other caps can have won or lost since the rest pose, m³.
    pub changes: Vec<f64>,
}

impl RegionVolumes {
    /// Begins a frame.
    pub(super) fn clear(&mut self, regions: usize) {
        for list in [&mut self.volumes, &mut self.changes] {
            list.clear();
            list.resize(regions, 0.0);
        }
    }
}

/// Index into the sums of a frame: the set of regions that a triangle is in.
pub(super) type Class = u32;

impl RegionMap {
    /// Regions of all joints but specks, and the class of each triangle by mesh instance; `None` where it was cancelled.
    ///
    /// *Shapes*: `areas` by mesh instance and triangle, m².
    pub(super) fn new(
        rig: &Rig,
        topology: &Topology,
        areas: &[Vec<f64>],
        progress: &Progress,
    ) -> Option<(Self, Vec<Vec<Class>>)> {
        let mut of_triangles: Vec<Vec<Class>> = areas.iter().map(|areas| vec![0; areas.len()]).collect();
        let mut all = Self { classes: vec![(0, 0)], off: RankError::check(rig).err(), ..Self::default() };
        all.openings.resize_with(areas.len(), Vec::new);
        if all.off.is_some() {
            return Some((all, of_triangles));
        }
        let regions = Regions::new(rig, topology);
        let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
        let patches = |&joint: &NodeIndex| progress.go_on().map(|()| regions.of(joint));
        let found: Vec<Vec<Patch>> = joints.par_iter().map(patches).collect::<Option<_>>()?;
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
        for Patch { instance, triangles, openings } in patches {
            let mut last = None;
            for triangle in triangles {
                let class = &mut of_triangles[instance][triangle];
                // Neighbours in the list are mostly of one class.
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
        }
    }

    /// Number of classes of triangles.
    pub(super) fn classes(&self) -> usize {
        self.classes.len()
    }

    /// Caps of the openings of a mesh instance at rest.
    pub(super) fn caps_at_rest(&self, instance: usize, positions: &[Vec3], about: DVec3) -> Vec<CapAtRest> {
        self.openings[instance].iter().map(|opening| CapAtRest::new(opening.seen(positions, about))).collect()
    }

    /// Adds what the caps of a mesh instance enclose, seen from `about`, as its triangles are.
    ///
    /// *Shapes*: `at_rest` as [`Self::caps_at_rest`] of the instance.
    pub(super) fn add_caps(
        &self,
        instance: usize,
        positions: &[Vec3],
        about: DVec3,
        at_rest: &[CapAtRest],
        regions: &mut RegionVolumes,
    ) {
        for (opening, at_rest) in self.openings[instance].iter().zip(at_rest) {
            let cap = Cap::new(opening.seen(positions, about));
            regions.volumes[opening.region] += cap.volume;
            regions.changes[opening.region] += at_rest.change(&cap, opening.seen(positions, about));
        }
    }

    /// What each region has to lose, by what they enclose at rest.
    ///
    /// *Shapes*: `at_rest` as [`Self::caps_at_rest`], by mesh instance.
    pub(super) fn bulks(&self, volumes: &[f64], at_rest: &[Vec<CapAtRest>]) -> Vec<Bulk> {
        let sizes = volumes.iter().zip(&self.areas).map(|(&volume, &area)| Size { volume, area });
        let mut bulks: Vec<Bulk> = sizes.map(|size| Bulk { size, uncertainty: 0.0 }).collect();
        for (opening, cap) in self.openings.iter().flatten().zip(at_rest.iter().flatten()) {
            bulks[opening.region].uncertainty += cap.cap.uncertainty;
        }
        bulks
    }

    /// Adds what the triangles enclose, by six times the volumes of each class.
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

/// What is left of each region beside what it has to lose.
pub(super) fn volumes_left(now: &RegionVolumes, bulks: &[Bulk]) -> Vec<VolumeLeft> {
    let regions = now.volumes.iter().zip(&now.changes).zip(bulks);
    regions.map(|((volume, change), bulk)| bulk.left(*volume, *change)).collect()
}
