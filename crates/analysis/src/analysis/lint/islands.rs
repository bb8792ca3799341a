//! Rule about islands: groups of vertices that are cut off from the main region of their joint by skin that other
//! joints move.

use std::cell::OnceCell;

use super::Code;
use super::finding::{FindingList, name_list};
use super::surface::JoinedSurface;
use rigscope_core::rig::{Influences, NodeIndex, components};
use rigscope_core::text::counted;

const MIN_WEIGHT: f32 = 0.01;
/// Islands whose largest weight is below this are hardly visible and are not reported.
const MIN_PEAK: f32 = 0.2;
/// Maximum total weight of an island, relative to the total weight of the joint's main region.
const MAX_FRACTION: f32 = 0.1;
/// If more joints of a mesh than this have islands, all of them share one finding.
const MAX_FINDINGS: usize = 16;

/// Maximum number of neighbours to examine per point. The cost is quadratic, and the centre of a triangle fan may have
/// thousands of neighbours.
const MAX_NEIGHBORS: usize = 64;

type WeightedVertex = (u32, f32);

/// Finds islands: connected regions of a joint's vertices that are small relative to the largest region on the same
/// component of the mesh. Separate components, such as eyes and buttons, are not islands of each other.
pub(super) fn islands(surface: &JoinedSurface<'_>, findings: &mut FindingList) {
    let by_joint = ByJoint::new(surface);
    let mut regions = Islands::new(surface);
    let found: Vec<(usize, Vec<usize>)> = (0..by_joint.len())
        .map(|joint| (joint, regions.islands(by_joint.slots(joint))))
        .filter(|(_, points)| !points.is_empty())
        .collect();
    if found.len() > MAX_FINDINGS {
        add_combined_finding(surface, &found, findings);
        return;
    }
    for (joint, points) in found {
        for (part, vertices) in surface.by_part(points) {
            let node = part.joint(joint);
            let name = node.map_or_else(String::new, |n| name_list(part.hierarchy, &[n]));
            let count = counted(vertices.count(), "vertex", "vertices");
            let text = format!("joint {name} moves {count} cut off from the rest of its region");
            findings.influence(Code::WeightIsland, part, vertices, node, text);
        }
    }
}

fn add_combined_finding(surface: &JoinedSurface<'_>, found: &[(usize, Vec<usize>)], findings: &mut FindingList) {
    let mut points: Vec<usize> = found.iter().flat_map(|(_, points)| points).copied().collect();
    points.sort_unstable();
    points.dedup();
    for (part, vertices) in surface.by_part(points) {
        let nodes: Vec<NodeIndex> = found.iter().filter_map(|(joint, _)| part.joint(*joint)).collect();
        let names = name_list(part.hierarchy, &nodes);
        let text = format!("{} joints move vertices cut off from the rest of their regions: {names}", found.len());
        findings.vertices(Code::WeightIsland, part, vertices, text);
    }
}

struct ByJoint {
    starts: Vec<usize>,
    slots: Vec<WeightedVertex>,
}

impl ByJoint {
    fn new(surface: &JoinedSurface<'_>) -> Self {
        let influences = surface.parts().iter().filter_map(|part| part.primitive.influences.as_ref());
        let joints = influences.map(Influences::joint_count).max().unwrap_or(0);
        let mut starts = vec![0; joints + 1];
        surface.each_influence(MIN_WEIGHT, |_, joint, _| starts[joint] += 1);
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut sorted = vec![(0, 0.0); total];
        surface.each_influence(MIN_WEIGHT, |point, joint, weight| {
            starts[joint] -= 1;
            sorted[starts[joint]] = (point as u32, weight);
        });
        Self { starts, slots: sorted }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn slots(&self, joint: usize) -> &[WeightedVertex] {
        &self.slots[self.starts[joint]..self.starts[joint + 1]]
    }
}

struct Island {
    number: u32,
    component: u32,
    weight: f32,
    peak: f32,
    /// Range of the region's points in `Islands::visited`.
    points: std::ops::Range<usize>,
}

/// Region number that marks points not moved by the current joint.
const OUTSIDE: u32 = u32::MAX;
/// Region number that marks points not yet reached by the search.
const UNSEEN: u32 = u32::MAX - 1;

struct Islands<'a> {
    surface: &'a JoinedSurface<'a>,
    /// Connected component of each point, computed on first use.
    components: OnceCell<Vec<u32>>,
    weights: Vec<f32>,
    region_of: Vec<u32>,
    visited: Vec<u32>,
}

impl<'a> Islands<'a> {
    fn new(surface: &'a JoinedSurface<'a>) -> Self {
        let (weights, region_of) = (vec![0.0; surface.mesh.vertex_count()], vec![OUTSIDE; surface.mesh.vertex_count()]);
        Self { surface, components: OnceCell::new(), weights, region_of, visited: Vec::new() }
    }

    fn islands(&mut self, slots: &[WeightedVertex]) -> Vec<usize> {
        let mut regions = self.search(slots);
        let mut points: Vec<u32> = Vec::new();
        if regions.len() > 1 {
            let components = self.components.get_or_init(|| {
                let mesh = &self.surface.mesh;
                components(mesh.vertex_count(), mesh.point_triangles()).0
            });
            for region in &mut regions {
                region.component = components[self.visited[region.points.start] as usize];
            }
            regions.sort_by(|a, b| a.component.cmp(&b.component).then(b.weight.total_cmp(&a.weight)));
        }
        for of_component in regions.chunk_by(|a, b| a.component == b.component) {
            let main = &of_component[0];
            let is_island =
                |r: &&Island| r.peak >= MIN_PEAK && r.weight <= main.weight * MAX_FRACTION && self.is_apart(r, main);
            let islands = of_component[1..].iter().filter(is_island);
            points.extend(islands.flat_map(|island| &self.visited[island.points.clone()]));
        }
        self.clear(slots);
        points.sort_unstable();
        points.into_iter().map(|p| p as usize).collect()
    }

    /// Returns true if the main region is more than two edges away. Closer regions don't count as separate, because
    /// weight pruning may leave gaps of one vertex.
    fn is_apart(&self, region: &Island, main: &Island) -> bool {
        let neighbors = |point| self.surface.neighbors(point).take(MAX_NEIGHBORS);
        let two_edges = |point| neighbors(point).flat_map(neighbors);
        let points = &self.visited[region.points.clone()];
        points.iter().all(|&point| two_edges(point as usize).all(|n| self.region_of[n] != main.number))
    }

    fn search(&mut self, slots: &[WeightedVertex]) -> Vec<Island> {
        for &(point, weight) in slots {
            (self.weights[point as usize], self.region_of[point as usize]) = (weight, UNSEEN);
        }
        let mut regions = Vec::new();
        for &(seed, _) in slots {
            if self.region_of[seed as usize] == UNSEEN {
                regions.push(self.region(seed, regions.len() as u32));
            }
        }
        regions
    }

    fn region(&mut self, seed: u32, number: u32) -> Island {
        let start = self.visited.len();
        flood(self.surface, seed, number, &mut self.region_of, &mut self.visited);
        let weights = self.visited[start..].iter().map(|&point| self.weights[point as usize]);
        let (weight, peak) = weights.fold((0.0, 0.0_f32), |(sum, peak), weight| (sum + weight, peak.max(weight)));
        Island { number, component: 0, weight, peak, points: start..self.visited.len() }
    }

    fn clear(&mut self, slots: &[WeightedVertex]) {
        self.visited.clear();
        for &(point, _) in slots {
            self.region_of[point as usize] = OUTSIDE;
        }
    }
}

fn flood(surface: &JoinedSurface<'_>, seed: u32, number: u32, number_of: &mut [u32], visited: &mut Vec<u32>) {
    let mut next = visited.len();
    number_of[seed as usize] = number;
    visited.push(seed);
    while let Some(&point) = visited.get(next) {
        next += 1;
        for neighbor in surface.neighbors(point as usize) {
            if number_of[neighbor] == UNSEEN {
                number_of[neighbor] = number;
                visited.push(neighbor as u32);
            }
        }
    }
}
