//! Measures the skin in one pose after another.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::abrupt::AbruptBoundaries;
use super::contacts::{Contact, ContactKind, ContactSurface};
use super::limits::{FlexMeasure, PerMeasure};
use super::plan::{FlexPlan, FlexPose};
use super::tree::{MIXED, TreeFit};
use crate::analysis::human_ranges::name_without_side;
use crate::analysis::measure::VertexLocation;
use crate::analysis::motion::{FrameBuffers, RestSkin, SideFrame, SkinAtRest, SurfaceMap};
use crate::analysis::region::{MIN_AREA, is_too_thin};
use crate::analysis::weight_problems::{FarRegion, Layers, RestBones, RestSurface, at_other_side, cross, far_regions};
use crate::analysis::{Topology, deform_positions_into};
use rigscope_core::actor::{PoseEvaluator, SharedPose};
use rigscope_core::jobs::{Progress, try_map};
use rigscope_core::matching::HumanBone;
use rigscope_core::posing::Symmetry;
use rigscope_core::rig::{ClipMoment, NodeIndex, Pose, Posed, Rig};
use rigscope_core::skinning::{Deformed, Skinner};

/// A triangle is pinched if its area relative to rest is below this.
const PINCHED: f32 = 0.1;

/// A flipped triangle smaller than this, relative to its area at rest, counts as pinched instead.
const MIN_FLIP: f32 = 1e-3;

/// Growth of an edge up to this, relative to the rig's size, is not visible.
const MIN_GROWTH: f32 = 0.015;

/// A joint moves no skin if the area that it moves, times its weight, is below this fraction of the surface.
const INERT: f64 = 1e-5;

/// Bones that move skin of their own in every humanoid, without the side. Others are often left to their neighbours.
const PROMISING: [&str; 7] = ["head", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"];

/// Value of a measure, and where it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Value, in the unit of the measure.
    pub value: f32,
    /// The joint that moves, or the joint whose region is worst if several move.
    pub joint: Option<NodeIndex>,
    /// Vertex at the worst place, if there is one.
    pub vertex: Option<VertexLocation>,
}

/// Measurements of a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexMeasurements {
    /// Values of each measure: that of the joint that moves or, if several joints move, the worst value of each joint.
    /// Empty if nothing can be measured.
    pub measures: PerMeasure<Vec<Measured>>,
    /// Smallest area of a triangle relative to rest; 1 if no triangle changes.
    pub min_area_ratio: f32,
    /// Number of triangles that turn over.
    pub flipped: usize,
    /// Volume of everything drawn, m³; see [`crate::analysis::measure::SurfaceSize::volume`].
    pub volume: f64,
    /// Surfaces that intersect in the pose and not at rest.
    pub contacts: Vec<Contact>,
}

/// A rig at rest, prepared for many poses.
pub(super) struct FlexBench<'a> {
    skinner: &'a Skinner,
    rest: Posed,
    rest_world: Vec<Mat3>,
    surface: &'a RestSurface,
    layers: Layers<'a>,
    at_rest: SkinAtRest<'a>,
    contacts: ContactSurface,
    lengths: Vec<f32>,
    /// Twice the area-weighted normals of the triangles at rest.
    normals: Vec<Vec3>,
    whole: f64,
}

/// What a worker reuses between poses.
#[derive(Default)]
pub(super) struct FlexBuffers {
    poser: PoseEvaluator,
    pose: SharedPose,
    surfaces: Vec<Vec<Deformed>>,
    positions: Vec<Vec3>,
    groups: Vec<u32>,
    frame: FrameBuffers,
    fit: TreeFit,
}

/// Worst value of each joint, and the point where it was measured.
#[derive(Default)]
struct WorstByJoint(BTreeMap<Option<NodeIndex>, (f32, u32)>);

impl WorstByJoint {
    /// Adds a value. Of equal values, the first stays.
    fn add(&mut self, joint: Option<NodeIndex>, value: f32, point: u32) {
        let worst = self.0.entry(joint).or_insert((value, point));
        if value > worst.0 {
            *worst = (value, point);
        }
    }
}

/// Joints whose regions are compared with each other, and their parents.
struct Owners {
    owner: Vec<NodeIndex>,
    above: Vec<Option<NodeIndex>>,
}

impl Owners {
    /// In a humanoid, skin of twist helpers and other joints counts to the humanoid bone above them.
    fn new(rig: &Rig, bones: &BTreeMap<NodeIndex, HumanBone>) -> Self {
        let is_owner = |node: NodeIndex| if bones.is_empty() { rig.is_joint(node) } else { bones.contains_key(&node) };
        let with_ancestors = |node| std::iter::once(node).chain(rig.hierarchy.ancestors(node));
        let owner = |node: NodeIndex| with_ancestors(node).find(|&node| is_owner(node)).unwrap_or(node);
        let above = |node: NodeIndex| rig.hierarchy.ancestors(node).find(|&node| is_owner(node));
        Self { owner: rig.hierarchy.nodes().map(owner).collect(), above: rig.hierarchy.nodes().map(above).collect() }
    }
}

/// What is prepared before a [`FlexBench`] can borrow it.
pub(super) struct FlexRest {
    surface: RestSurface,
    rest: SharedPose,
    bones: RestBones,
    topology: Arc<Topology>,
}

impl FlexRest {
    pub(super) fn new(skinner: &Skinner) -> Self {
        let rig = skinner.rig();
        let mut buffers = FlexBuffers::default();
        buffers.skin(skinner, None, &Pose::rest(&rig.hierarchy));
        let topology = Arc::new(Topology::new(rig));
        let surface = RestSurface::new(rig, &topology, buffers.positions);
        let bones = RestBones::new(rig, &buffers.pose.posed);
        Self { surface, rest: buffers.pose, bones, topology }
    }
}

impl FlexBuffers {
    fn skin(&mut self, skinner: &Skinner, moment: Option<ClipMoment>, pose: &Pose) {
        let Self { poser, pose: shared, surfaces, positions, .. } = self;
        poser.pose_into(skinner.rig(), moment, pose, shared);
        deform_positions_into(skinner, shared.skin_pose(), surfaces);
        positions.clear();
        surfaces.iter().flatten().for_each(|part| positions.extend(&part.positions));
    }
}

impl<'a> FlexBench<'a> {
    pub(super) fn new(
        skinner: &'a Skinner,
        prepared: &'a FlexRest,
        plan: &FlexPlan,
        progress: &Progress,
    ) -> Option<Self> {
        let rig: &'a Rig = skinner.rig();
        let FlexRest { surface, rest, bones, topology } = prepared;
        let layers = Layers::new(surface, (&rig.hierarchy, bones), rig.size(), progress)?;
        progress.check_cancelled()?;
        let skin = RestSkin::new(skinner, topology);
        let map = Arc::new(SurfaceMap::new(&skin, Arc::clone(topology), progress)?);
        let at_rest = SkinAtRest::new(skin, map);
        let Owners { owner, above } = Owners::new(rig, &plan.bones);
        let contacts = ContactSurface::new(surface, owner, above, progress)?;
        let length = |[a, b]: &[u32; 2]| surface.rest[*a as usize].distance(surface.rest[*b as usize]);
        let normal = |triangle: usize| cross(surface.corners(triangle as u32, &surface.rest));
        Some(Self {
            skinner,
            rest: Posed::clone(&rest.posed),
            rest_world: rest.posed.world_from_node.iter().map(|world| world.matrix3.inverse()).collect(),
            lengths: surface.graph.edges.iter().map(length).collect(),
            normals: (0..surface.triangles.len()).map(normal).collect(),
            whole: surface.areas.iter().map(|area| f64::from(*area)).sum(),
            surface,
            layers,
            at_rest,
            contacts,
        })
    }

    pub(super) fn rig(&self) -> &Rig {
        self.skinner.rig()
    }

    /// Measures a pose. `None` if cancelled.
    pub(super) fn measure(
        &self,
        pose: &FlexPose,
        buffers: &mut FlexBuffers,
        progress: &Progress,
    ) -> Option<FlexMeasurements> {
        buffers.skin(self.skinner, pose.moment, &pose.pose(self.rig()));
        self.group(buffers, &pose.turns);
        let frame = self.at_rest.frame(&buffers.surfaces, &buffers.pose, &mut buffers.frame);
        let FlexBuffers { positions, groups, fit, .. } = &mut *buffers;
        let contacts = self.contacts.contacts(self.surface, (positions, groups), fit, progress)?;
        let mut all = FlexMeasurements { min_area_ratio: 1.0, volume: frame.volume, contacts, ..Default::default() };
        all.set(FlexMeasure::VolumeLoss, self.volume_losses(&frame, pose.joint).collect());
        all.set(FlexMeasure::Stretch, self.stretch(buffers, pose));
        all.set(FlexMeasure::Folds, self.folds(&all.contacts, pose));
        all.set(FlexMeasure::Layers, self.crossed(buffers, pose));
        self.triangles(buffers, pose, &mut all);
        Some(all)
    }

    /// Finds which points move rigidly together: those whose joints did not move relative to each other since rest.
    fn group(&self, buffers: &mut FlexBuffers, turns: &[(NodeIndex, Quat)]) {
        let FlexBuffers { pose: SharedPose { posed, .. }, groups, .. } = buffers;
        groups.clear();
        if posed.morph_weights != self.rest.morph_weights {
            groups.resize(self.surface.len(), MIXED);
            return;
        }
        let hierarchy = &self.rig().hierarchy;
        let mut of_nodes: Vec<u32> = Vec::with_capacity(hierarchy.len());
        for node in hierarchy.nodes() {
            let is_turned = turns.iter().any(|(turned, _)| *turned == node);
            let is_still = !is_turned && posed.clip_local[node.index()] == self.rest.clip_local[node.index()];
            let above = hierarchy.parent(node).map_or(0, |parent| of_nodes[parent.index()]);
            of_nodes.push(if is_still { above } else { node.index() as u32 + 1 });
        }
        groups.extend((0..self.surface.len() as u32).map(|point| {
            let moved = self.surface.weights(point).iter().map(|(node, _)| of_nodes[node.index()]);
            moved.reduce(|a, b| if a == b { a } else { MIXED }).unwrap_or(MIXED)
        }));
    }

    /// Returns the reliable losses of the regions of a joint, or of all joints.
    fn volume_losses(&self, frame: &SideFrame, joint: Option<NodeIndex>) -> impl Iterator<Item = Measured> {
        let regions = self.at_rest.joints().iter().zip(&frame.regions);
        let is_asked = move |owner: NodeIndex| joint.is_none_or(|joint| joint == owner);
        regions.filter(move |(joint, _)| is_asked(**joint)).filter_map(|(&joint, left)| {
            let loss = (1.0 - left.ratio).clamp(0.0, 1.0);
            (left.ratio.is_finite() && !is_too_thin(loss, left.uncertainty)).then_some(Measured {
                value: loss,
                joint: Some(joint),
                vertex: None,
            })
        })
    }

    /// Returns the largest volume loss of any joint's region at a moment of a clip; `None` if no loss is reliable.
    pub(super) fn loss_at(&self, moment: ClipMoment, buffers: &mut FlexBuffers) -> Option<f32> {
        buffers.skin(self.skinner, Some(moment), &Pose::rest(&self.rig().hierarchy));
        let frame = self.at_rest.frame(&buffers.surfaces, &buffers.pose, &mut buffers.frame);
        self.volume_losses(&frame, None).map(|measured| measured.value).reduce(f32::max)
    }

    fn stretch(&self, buffers: &FlexBuffers, pose: &FlexPose) -> Vec<Measured> {
        let FlexBuffers { positions, groups, .. } = buffers;
        let min_growth = MIN_GROWTH * self.rig().size();
        let mut worst = WorstByJoint::default();
        for ([a, b], rest) in self.surface.graph.edges.iter().zip(&self.lengths) {
            let (start, end) = (*a as usize, *b as usize);
            if groups[start] == groups[end] && groups[start] != MIXED {
                continue;
            }
            let length = positions[start].distance(positions[end]);
            // An edge without length at rest stretches to no ratio.
            if length - rest > min_growth && *rest > 0.0 && length.is_finite() {
                worst.add(self.owner(pose, *a), length / rest, *a);
            }
        }
        self.measured(worst, pose, 1.0)
    }

    fn folds(&self, contacts: &[Contact], pose: &FlexPose) -> Vec<Measured> {
        let mut worst = WorstByJoint::default();
        for fold in contacts.iter().filter(|contact| contact.kind == ContactKind::Fold) {
            worst.add(self.owner(pose, fold.point), fold.fraction, fold.point);
        }
        self.measured(worst, pose, 0.0)
    }

    /// Returns the joint to which a value at a point counts: the joint that moves, else the owner of the skin.
    fn owner(&self, pose: &FlexPose, point: u32) -> Option<NodeIndex> {
        pose.joint.or_else(|| Some(self.contacts.owner(self.surface.heaviest(point)?)))
    }

    /// Returns the worst value of each joint, or `ideal` if there is none.
    fn measured(&self, worst: WorstByJoint, pose: &FlexPose, ideal: f32) -> Vec<Measured> {
        if worst.0.is_empty() {
            return vec![Measured { value: ideal, joint: pose.joint, vertex: None }];
        }
        let measured = |(joint, (value, point))| Measured { value, joint, vertex: self.surface.location(point) };
        worst.0.into_iter().map(measured).collect()
    }

    fn crossed(&self, buffers: &FlexBuffers, pose: &FlexPose) -> Vec<Measured> {
        let FlexBuffers { positions, groups, .. } = buffers;
        let is_rigid = |point: u32, triangle: [u32; 3]| {
            let group = groups[point as usize];
            group != MIXED && triangle.iter().all(|&corner| groups[corner as usize] == group)
        };
        let mut crossed: BTreeMap<NodeIndex, (f64, f32, u32)> = BTreeMap::new();
        let mut seen = HashSet::new();
        for crossing in self.layers.crossings(positions, is_rigid).filter(|crossing| seen.insert(crossing.point)) {
            let Some(triangle) = self.surface.around(crossing.point).first() else { continue };
            let owner = self.contacts.owners[*triangle as usize];
            let (area, depth, at) = crossed.entry(owner).or_insert((0.0, 0.0, crossing.point));
            *area += f64::from(self.surface.areas[crossing.point as usize]);
            if crossing.depth > *depth {
                (*depth, *at) = (crossing.depth, crossing.point);
            }
        }
        self.of_regions(crossed.into_iter().map(|(owner, (area, _, at))| (owner, (area, at))), pose)
    }

    /// Returns areas as fractions of their regions. Each item is a joint, an area (m²), and a point in it. If only one
    /// joint moves, all areas count to the region of this joint and its parent: which of the two owns a triangle may hang
    /// on rounding.
    fn of_regions(&self, areas: impl Iterator<Item = (NodeIndex, (f64, u32))>, pose: &FlexPose) -> Vec<Measured> {
        let mut worst = WorstByJoint::default();
        if let Some(joint) = pose.joint {
            let all = areas.map(|(_, found)| found);
            let found = all.reduce(|a, b| (a.0 + b.0, if b.0 > a.0 { b.1 } else { a.1 }));
            if let Some((area, at)) = found {
                worst.add(pose.joint, self.contacts.fraction(area, self.contacts.pair_area(joint)), at);
            }
        } else {
            for (owner, (area, at)) in areas {
                worst.add(Some(owner), self.contacts.fraction(area, self.contacts.owned[owner.index()]), at);
            }
        }
        self.measured(worst, pose, 0.0)
    }

    /// Measures pinched and flipped triangles.
    fn triangles(&self, buffers: &FlexBuffers, pose: &FlexPose, all: &mut FlexMeasurements) {
        let FlexBuffers { positions, groups, pose: SharedPose { posed, .. }, .. } = buffers;
        let min_area = MIN_AREA * self.rig().size() * self.rig().size();
        // Area of pinched and flipped triangles of each owner, and one of the triangles.
        let mut sums: [BTreeMap<NodeIndex, (f64, u32)>; 2] = Default::default();
        let mut turns: Vec<Option<Mat3>> = vec![None; self.rest_world.len()];
        for (triangle, points) in self.surface.triangles.iter().enumerate() {
            let group = groups[points[0] as usize];
            let rest = self.normals[triangle];
            let rest_area = rest.length();
            if group != MIXED && points.iter().all(|&point| groups[point as usize] == group) || rest_area <= min_area {
                continue;
            }
            let now = cross(points.map(|point| positions[point as usize]));
            let ratio = now.length() / rest_area;
            if !ratio.is_finite() {
                continue;
            }
            all.min_area_ratio = all.min_area_ratio.min(ratio);
            let node = self.surface.followed(*points);
            let turn = turns[node.index()].get_or_insert_with(|| {
                let turn = posed.world_from_node[node.index()].matrix3 * self.rest_world[node.index()];
                turn.inverse().transpose() * turn.determinant().signum()
            });
            let expected = (*turn * rest).normalize_or_zero();
            let is_flipped = now.dot(expected) < -MIN_FLIP * rest_area;
            all.flipped += usize::from(is_flipped);
            let owner = self.contacts.owners[triangle];
            for (sum, is_so) in sums.iter_mut().zip([ratio < PINCHED, is_flipped]) {
                if is_so {
                    let (area, _) = sum.entry(owner).or_insert((0.0, points[0]));
                    *area += f64::from(self.contacts.areas[triangle]);
                }
            }
        }
        for (sum, measure) in sums.into_iter().zip([FlexMeasure::Pinched, FlexMeasure::Flipped]) {
            all.set(measure, self.of_regions(sum.into_iter(), pose));
        }
    }

    /// Returns joints whose skin lies far from them or at the joint of the other side, with the fraction of the skinned
    /// surface. Rigid parts, such as props, have no weights that could be wrong.
    pub(super) fn elsewhere(&self, bones: &RestBones, progress: &Progress) -> Option<Vec<(FlexMeasure, Measured)>> {
        let far = far_regions(self.surface, bones, self.rig().size(), progress)?;
        let mut by_joint: BTreeMap<NodeIndex, BTreeSet<u32>> = BTreeMap::new();
        for FarRegion { joint, points, .. } in far {
            by_joint.entry(joint).or_default().extend(points);
        }
        let symmetry = Symmetry::find(self.rig());
        for (joint, point) in symmetry.iter().flat_map(|symmetry| at_other_side(self.surface, bones, symmetry)) {
            by_joint.entry(joint).or_default().insert(point);
        }
        let area = |point: u32| f64::from(self.surface.areas[point as usize]);
        let is_skinned = |point: &u32| self.surface.is_skinned[*point as usize];
        let whole: f64 = self.surface.used_points().filter(is_skinned).map(area).sum();
        let measured = |(joint, points): (NodeIndex, BTreeSet<u32>)| {
            let area: f64 = points.iter().copied().map(area).sum();
            Measured {
                value: (area / whole.max(f64::MIN_POSITIVE)) as f32,
                joint: Some(joint),
                vertex: points.first().and_then(|&point| self.surface.location(point)),
            }
        };
        Some(by_joint.into_iter().map(|found| (FlexMeasure::Elsewhere, measured(found))).collect())
    }

    /// Returns the fraction of the boundary of each bending joint's skin where weights change abruptly.
    /// `None` if cancelled.
    pub(super) fn abrupt(&self, plan: &FlexPlan, progress: &Progress) -> Option<Vec<Measured>> {
        let boundaries = AbruptBoundaries::new(self.rig(), self.surface);
        let fraction = |&joint: &NodeIndex| {
            let measured = boundaries.fraction(joint).map(|(value, point)| Measured {
                value,
                joint: Some(joint),
                vertex: self.surface.location(point),
            });
            Some(measured)
        };
        let joints: Vec<NodeIndex> = plan.bending_joints().into_iter().collect();
        let found = try_map(&joints, progress, fraction)?;
        Some(found.into_iter().flatten().collect())
    }

    /// Returns humanoid joints that move no skin although their names promise it: neither they nor their helpers have
    /// weights.
    pub(super) fn inert(&self, bones: &BTreeMap<NodeIndex, HumanBone>) -> Vec<NodeIndex> {
        let rig = self.rig();
        let (mut moved, mut carried) = (vec![0.0_f64; rig.hierarchy.len()], vec![0.0_f64; rig.hierarchy.len()]);
        let nearest_joint = |node: NodeIndex| {
            let mut up = std::iter::once(node).chain(rig.hierarchy.ancestors(node));
            up.find(|node| rig.is_joint(*node)).unwrap_or(node)
        };
        for point in self.surface.used_points() {
            for &(node, weight) in self.surface.weights(point) {
                let area = f64::from(weight * self.surface.areas[point as usize]);
                if self.surface.is_skinned[point as usize] {
                    moved[node.index()] += area;
                } else {
                    carried[nearest_joint(node).index()] += area;
                }
            }
        }
        let similar = |node: NodeIndex| HumanBone::similar(rig.hierarchy.name(node));
        // Rigid parts on a bone itself count, such as a robot's hand, but not what helpers hold.
        let area = |of: NodeIndex| {
            let is_own = |helper: &NodeIndex| {
                let mut up = std::iter::once(*helper).chain(rig.hierarchy.ancestors(*helper));
                up.find(|node| *node == of || bones.contains_key(node)) == Some(of)
            };
            let helpers = rig.hierarchy.subtree(of).map(|index| NodeIndex(index as u32));
            carried[of.index()] + helpers.filter(is_own).map(|helper| moved[helper.index()]).sum::<f64>()
        };
        let promised = bones.iter().filter(|(_, bone)| PROMISING.contains(&name_without_side(**bone).as_str()));
        let mut found = BTreeSet::new();
        for (&node, &bone) in promised.filter(|_| self.whole > 0.0) {
            // Joints below with another name of the same bone, such as a hand below a wrist.
            let below = rig.hierarchy.subtree(node).skip(1).map(|index| NodeIndex(index as u32));
            let twins = below.filter(|below| rig.is_joint(*below) && similar(*below) == Some(bone));
            found.extend(std::iter::once(node).chain(twins).filter(|of| area(*of) <= INERT * self.whole));
        }
        found.into_iter().collect()
    }

    /// Returns all intersecting pairs of triangles in a pose, and the new ones among them, as triangles of positions.
    #[cfg(test)]
    pub(super) fn pairs(&self, pose: &FlexPose, buffers: &mut FlexBuffers) -> Vec<[u32; 2]> {
        buffers.skin(self.skinner, pose.moment, &pose.pose(self.rig()));
        self.group(buffers, &pose.turns);
        let FlexBuffers { positions, groups, fit, .. } = buffers;
        self.contacts.new_pairs(self.surface, (positions, groups), fit, &Progress::default()).unwrap_or_default()
    }
}

impl FlexMeasurements {
    fn set(&mut self, measure: FlexMeasure, measured: Vec<Measured>) {
        self.measures[measure as usize] = measured;
    }
}

impl FlexRest {
    pub(super) fn bones(&self) -> &RestBones {
        &self.bones
    }

    #[cfg(test)]
    pub(super) fn surface(&self) -> &RestSurface {
        &self.surface
    }
}
