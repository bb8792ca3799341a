//! Measures a joint's region at many angles.

use glam::{Affine3, DAffine3, DQuat, DVec3, Vec3};

use super::axes::{Axes, RotationKind, TestRotation};
use super::moved::{FollowedPose, MovedNodes, RotatedPose};
use super::region::{Region, RegionPrimitive, RegionVertex};
use crate::analysis::measure::SurfaceSize;
use crate::analysis::region::{Bulk, Cap, CapAtRest, MIN_AREA, RemainingVolume, Rim, Tear, placed, tear_volume};
use rigscope_core::jobs::{Progress, try_map_with};
use rigscope_core::rig::{NodeIndex, Pose, Posed, PrimitiveIndex, Rig, Skin, Trs};
use rigscope_core::skinning::{Deformed, Palette, RigSkinning, VertexSubset};

/// Edges shorter than this, relative to the rig's size, are not compared, because rounding errors would look like
/// stretch.
const MIN_EDGE: f32 = 1e-5;

/// Losses of a region with one method at one angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Signed volume of the closed region relative to angle 0; NaN if the region has no volume.
    pub volume_ratio: f32,
    /// Maximum change in `volume_ratio` if the openings were capped differently.
    pub volume_ratio_uncertainty: f32,
    /// Area of the most shrunk triangle relative to angle 0.
    pub min_area_ratio: f32,
    /// Length of the most stretched edge relative to angle 0.
    pub max_edge_ratio: f32,
    /// Maximum distance between a vertex's positions with this method and with any other method, metres; 0 if there is
    /// only one method.
    pub largest_distance: f32,
}

/// A rig with its weights, a skinning method, and positions at angle 0, by mesh instance and primitive.
#[derive(Clone, Copy)]
pub(super) struct SkinningVariant<'a> {
    pub rig: &'a Rig,
    pub skinning: RigSkinning<'a>,
    pub straight: &'a [Vec<Deformed>],
}

/// A joint, the pose in which it rotates, and its region for each skinning variant.
pub(super) struct RotationTester<'a> {
    axes: Axes,
    /// Transform from joint to world space, without scale.
    frame: DAffine3,
    /// [`Rig::size`], metres.
    size: f32,
    ways: Vec<RotatedRegion<'a>>,
    /// `Some` if constraints or the look-at follow the joint, in which case rotations move more than its subtree.
    followed: Option<FollowedPose<'a>>,
}

type RegionShape = Vec<Vec<Vec3>>;

/// A region with one skinning variant, split into moving and fixed triangles.
struct RotatedRegion<'a> {
    parts: Vec<RotatedPrimitive<'a>>,
    straight: RegionShape,
    bulk: Bulk,
    /// Volume between the joint's position and all fixed triangles and caps, m³.
    still_volume: f64,
    /// [`stretch`] of fixed triangles.
    still_stretch: [f32; 2],
    /// Openings with at least one moving corner.
    openings: Vec<RotatedOpening<'a>>,
    tears: &'a [Tear<RegionVertex>],
}

struct RotatedOpening<'a> {
    rim: &'a Rim<RegionVertex>,
    at_rest: CapAtRest,
}

struct RotatedPrimitive<'a> {
    /// Vertices that move, as indices into [`RegionPrimitive::vertices`].
    moving: Vec<u32>,
    /// Triangles with at least one moving corner, as indices into [`RegionPrimitive::vertices`].
    triangles: Vec<[u32; 3]>,
    vertices: VertexSubset<'a>,
    morph_weights: &'a [f32],
    /// Palette, at angle 0, of the joints that move these vertices.
    palette: Palette,
    /// For each joint of the palette, true if it is in the rotated joint's subtree.
    follows: Vec<bool>,
    rig: &'a Rig,
    skin: &'a Skin,
    /// Joints of the palette, as indices into `Skin::joints`.
    joints: Vec<usize>,
}

#[derive(Default)]
struct RotationBuffers {
    palette: Palette,
    deformed: Deformed,
    /// Current shape for each skinning variant; empty before the first rotation.
    shapes: Vec<RegionShape>,
    turned: RotatedPose,
}

impl<'a> RotationTester<'a> {
    /// `posed` must be the evaluation of `pose`. The rigs of `ways` may differ only in weights.
    pub(super) fn new(
        ways: &[SkinningVariant<'a>],
        (posed, pose): (&'a Posed, &'a Pose),
        (joint, axes): (NodeIndex, Axes),
        region: &'a Region,
    ) -> Option<Self> {
        let rig = ways.first()?.rig;
        let Trs { translation, rotation, .. } = *pose.user_local(joint);
        let user = DAffine3::from_rotation_translation(rotation.as_dquat(), translation.as_dvec3());
        let frame = posed.world_before_user(&rig.hierarchy, joint).as_daffine3() * user;
        let is_followed = FollowedPose::is_followed(rig, pose, joint);
        let nodes = MovedNodes::new(rig, joint, is_followed);
        // A joint stays in place while it rotates.
        let turned = |way: &SkinningVariant<'a>| RotatedRegion::new(way, region, posed, &nodes, frame.translation);
        let followed = is_followed.then_some(FollowedPose { rig, joint, pose, posed });
        Some(Self { axes, frame, size: rig.size(), ways: ways.iter().map(turned).collect(), followed })
    }

    pub(super) fn sizes(&self) -> impl Iterator<Item = SurfaceSize> {
        self.ways.iter().map(|way| way.bulk.size)
    }

    #[cfg(test)]
    pub(super) fn work(&self) -> usize {
        let parts = self.ways.iter().flat_map(|way| &way.parts);
        parts.map(|part| part.palette.joints.len() + part.moving.len()).sum()
    }

    /// Returns the volumes relative to angle 0, by rotation and skinning variant; `None` if cancelled.
    pub(super) fn volumes_left(
        &self,
        turns: &[TestRotation],
        progress: &Progress,
    ) -> Option<Vec<Vec<RemainingVolume>>> {
        self.each_turn(turns, progress, |shapes| self.left(shapes).collect())
    }

    pub(super) fn losses(&self, turns: &[TestRotation], progress: &Progress) -> Option<Vec<Vec<Loss>>> {
        self.each_turn(turns, progress, |shapes| {
            let losses = self.left(shapes).enumerate().map(|(way, left)| {
                let [min_area_ratio, max_edge_ratio] = self.ways[way].stretch(&shapes[way], self.size);
                Loss {
                    volume_ratio: left.ratio,
                    volume_ratio_uncertainty: left.uncertainty,
                    min_area_ratio,
                    max_edge_ratio,
                    largest_distance: largest_distance(shapes, way),
                }
            });
            losses.collect()
        })
    }

    fn each_turn<T: Send>(
        &self,
        turns: &[TestRotation],
        progress: &Progress,
        measured: impl Fn(&[RegionShape]) -> T + Sync,
    ) -> Option<Vec<T>> {
        let at = |place: &mut RotationBuffers, &turn: &TestRotation| {
            self.turn(turn, place);
            progress.add(1);
            Some(measured(&place.shapes))
        };
        try_map_with(turns, progress, RotationBuffers::default, at)
    }

    fn turn(&self, turn: TestRotation, RotationBuffers { palette, deformed, shapes, turned }: &mut RotationBuffers) {
        if shapes.is_empty() {
            shapes.extend(self.ways.iter().map(|way| way.straight.clone()));
        }
        let carried = self.carried(turn);
        let posed = self.followed.map(|followed| followed.turned(self.axis(turn.motion), turn.angle, turned));
        for (shape, way) in shapes.iter_mut().zip(&self.ways) {
            for (positions, part) in shape.iter_mut().zip(&way.parts) {
                match posed {
                    None => part.carry_into(carried, palette, deformed),
                    Some(posed) => part.pose_into(posed, deformed),
                }
                for (&vertex, position) in part.moving.iter().zip(&deformed.positions) {
                    positions[vertex as usize] = *position;
                }
            }
        }
    }

    /// Returns the rigid motion of the joint's subtree in world space: `F R F^-1`, with the joint's frame `F` and the
    /// rotation `R`. Identity if an ancestor's scale flattens the joint.
    fn carried(&self, TestRotation { motion, angle }: TestRotation) -> Affine3 {
        let rotation = DQuat::from_axis_angle(self.axis(motion).as_dvec3().normalize_or(DVec3::Y), f64::from(angle));
        let carried = (self.frame * DAffine3::from_quat(rotation) * self.frame.inverse()).as_affine3();
        if carried.is_finite() { carried } else { Affine3::IDENTITY }
    }

    fn axis(&self, motion: RotationKind) -> Vec3 {
        match motion {
            RotationKind::Twist => self.axes.twist,
            RotationKind::Bend => self.axes.bend,
        }
    }

    fn left(&self, shapes: &[RegionShape]) -> impl Iterator<Item = RemainingVolume> {
        let about = self.frame.translation;
        shapes.iter().zip(&self.ways).map(move |(shape, way)| way.left(shape, about))
    }
}

impl<'a> RotatedRegion<'a> {
    /// Prepares a region. `about` is the joint's world position.
    fn new(way: &SkinningVariant<'a>, region: &'a Region, posed: &'a Posed, nodes: &MovedNodes, about: DVec3) -> Self {
        let (mut parts, mut straight, mut is_moving) = (Vec::new(), Vec::new(), Vec::new());
        let (mut still, mut moved, mut still_stretch) =
            (SurfaceSize::default(), SurfaceSize::default(), [f32::INFINITY, 0.0]);
        for part in &region.parts {
            let PrimitiveIndex { instance, primitive } = part.part;
            let all = &way.straight[instance][primitive].positions;
            let positions: Vec<Vec3> = part.vertices.iter().map(|&vertex| all[vertex as usize]).collect();
            let moves = part.follows(way.rig, nodes);
            let (moving, staying): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
                part.triangles.iter().partition(|corners| corners.iter().any(|&v| moves[v as usize]));
            still = still.combined_with(SurfaceSize::of_triangles(&staying, &positions, about, 1.0));
            moved = moved.combined_with(SurfaceSize::of_triangles(&moving, &positions, about, 1.0));
            still_stretch = stretch(still_stretch, &staying, [&positions, &positions], way.rig.size());
            parts.extend(RotatedPrimitive::new(way, part, (&moves, moving), posed, nodes));
            straight.push(positions);
            is_moving.push(moves);
        }
        let is_turned = |rim: &&Rim<RegionVertex>| {
            rim.iter().flat_map(|edge| edge.ends).any(|corner| is_moving[corner.part][corner.vertex])
        };
        let (rims, staying): (Vec<_>, Vec<_>) = region.openings.iter().partition(is_turned);
        let at = relative_to(about, &straight);
        let staying: Vec<Cap> = staying.into_iter().map(|rim| Cap::new(placed(rim, at))).collect();
        let opening = |rim| RotatedOpening { rim, at_rest: CapAtRest::new(placed(rim, at)) };
        let openings: Vec<RotatedOpening<'a>> = rims.into_iter().map(opening).collect();
        let still_volume = still.volume + staying.iter().map(|cap| cap.volume).sum::<f64>();
        let caps = || openings.iter().map(|opening| &opening.at_rest.cap);
        let torn = torn_volume(&region.tears, at);
        let volume = still_volume + moved.volume + caps().map(|cap| cap.volume).sum::<f64>() + torn;
        let uncertainty = staying.iter().chain(caps()).map(|cap| cap.uncertainty).sum();
        let bulk = Bulk { size: SurfaceSize { volume, area: still.area + moved.area }, uncertainty };
        Self { parts, straight, bulk, still_volume, still_stretch, openings, tears: &region.tears }
    }

    fn left(&self, shape: &RegionShape, about: DVec3) -> RemainingVolume {
        let parts = self.parts.iter().zip(shape);
        let moved =
            parts.map(|(part, positions)| SurfaceSize::of_triangles(&part.triangles, positions, about, 1.0).volume);
        let (mut volume, mut change) = (self.still_volume + moved.sum::<f64>(), 0.0);
        let at = relative_to(about, shape);
        volume += torn_volume(self.tears, at);
        for RotatedOpening { rim, at_rest } in &self.openings {
            let cap = Cap::new(placed(rim, at));
            volume += cap.volume;
            change += at_rest.change(&cap, placed(rim, at));
        }
        self.bulk.left(volume, change)
    }

    fn stretch(&self, now: &RegionShape, size: f32) -> [f32; 2] {
        let parts = self.parts.iter().zip(&self.straight).zip(now);
        let [min_ratio, max_ratio] = parts.fold(self.still_stretch, |extremes, ((part, before), now)| {
            stretch(extremes, &part.triangles, [before, now], size)
        });
        [if min_ratio.is_finite() { min_ratio } else { 1.0 }, if max_ratio > 0.0 { max_ratio } else { 1.0 }]
    }
}

impl<'a> RotatedPrimitive<'a> {
    fn new(
        way: &SkinningVariant<'a>,
        part: &RegionPrimitive,
        (moves, triangles): (&[bool], Vec<[u32; 3]>),
        posed: &'a Posed,
        nodes: &MovedNodes,
    ) -> Option<Self> {
        let moving: Vec<u32> = (0_u32..).zip(moves).filter_map(|(at, moves)| moves.then_some(at)).collect();
        let numbers: Vec<u32> = moving.iter().map(|&at| part.vertices[at as usize]).collect();
        let mut vertices = VertexSubset::new(way.rig, part.part, &numbers, way.skinning)?;
        let skin = &way.rig.skins[way.rig.instances[part.part.instance].skin?];
        let joints = vertices.retain_used_joints();
        let palette = palette(way.rig, &vertices, skin, posed, &joints);
        Some(Self {
            moving,
            triangles,
            vertices,
            morph_weights: posed.morph_weights.get(part.part.instance).map_or(&[], Vec::as_slice),
            palette,
            follows: joints.iter().map(|&joint| nodes.contains(skin.joints[joint])).collect(),
            rig: way.rig,
            skin,
            joints,
        })
    }

    fn pose_into(&self, posed: &Posed, deformed: &mut Deformed) {
        let palette = palette(self.rig, &self.vertices, self.skin, posed, &self.joints);
        self.vertices.deform_into(&palette, self.morph_weights, deformed);
    }

    fn carry_into(&self, carried: Affine3, palette: &mut Palette, deformed: &mut Deformed) {
        palette.clone_from(&self.palette);
        for (joint, _) in palette.joints.iter_mut().zip(&self.follows).filter(|(_, follows)| **follows) {
            *joint = if self.vertices.blends_matrices_alone() {
                joint.with_matrix(carried * joint.matrix)
            } else {
                joint.carried(carried)
            };
        }
        for (bone, _) in palette.bones.iter_mut().zip(&self.follows).filter(|(_, follows)| **follows) {
            *bone = bone.map(|end| carried.transform_point3(end));
        }
        self.vertices.deform_into(palette, self.morph_weights, deformed);
    }
}

/// Returns the palette of some joints, leaving out data that the vertices don't need.
fn palette(rig: &Rig, vertices: &VertexSubset<'_>, skin: &Skin, posed: &Posed, joints: &[usize]) -> Palette {
    if vertices.blends_matrices_alone() {
        Palette::without_bones(skin, posed, joints)
    } else {
        Palette::for_joints(rig, skin, posed, joints)
    }
}

fn relative_to(about: DVec3, shape: &RegionShape) -> impl Fn(RegionVertex) -> DVec3 + Copy {
    move |RegionVertex { part, vertex }| shape[part][vertex].as_dvec3() - about
}

fn torn_volume(tears: &[Tear<RegionVertex>], at: impl Fn(RegionVertex) -> DVec3 + Copy) -> f64 {
    tears.iter().map(|tear| tear_volume(tear.map(at))).sum()
}

fn stretch(
    [mut min_ratio, mut max_ratio]: [f32; 2],
    triangles: &[[u32; 3]],
    shapes: [&Vec<Vec3>; 2],
    size: f32,
) -> [f32; 2] {
    for triangle in triangles {
        let [before, now] = shapes.map(|positions| triangle.map(|v| positions[v as usize]));
        let area_before = doubled_area(before);
        if area_before > MIN_AREA * size * size {
            min_ratio = min_ratio.min(doubled_area(now) / area_before);
        }
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let length_before = before[from].distance(before[to]);
            if length_before > MIN_EDGE * size {
                max_ratio = max_ratio.max(now[from].distance(now[to]) / length_before);
            }
        }
    }
    [min_ratio, max_ratio]
}

fn largest_distance(shapes: &[RegionShape], method: usize) -> f32 {
    let others = (0..shapes.len()).filter(|&other| other != method);
    let distance = |other: usize| {
        let parts = shapes[method].iter().zip(&shapes[other]);
        let vertices = parts.flat_map(|(a, b)| a.iter().zip(b));
        let squares = vertices.map(|(a, b)| a.distance_squared(*b));
        squares.fold(0.0, f32::max).sqrt()
    };
    others.map(distance).fold(0.0, f32::max)
}

fn doubled_area([a, b, c]: [Vec3; 3]) -> f32 {
    (b - a).cross(c - a).length()
}
