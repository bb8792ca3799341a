//! All joints of a rig by what linear blending loses at them.

use std::cmp::Ordering;

use glam::DVec3;
use rayon::prelude::*;

use super::axes::Axes;
use super::region::Regions;
use super::sweep::{Loss, TurnBench};
use super::{Motion, Turn, TwistTest};
use crate::analysis::measure::Size;
use crate::analysis::{Topology, measurable};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Pose, Posed, Rig, bones};
use crate::skinning::{Deformed, Method, SkinPose, deform_positions_into, palettes};

/// Degrees: coarse, as worst cases lie at the ends and losses change slowly.
const TWISTS: [f32; 6] = [-180.0, -120.0, -60.0, 60.0, 120.0, 180.0];
const BENDS: [f32; 5] = [30.0, 60.0, 90.0, 120.0, 150.0];

/// A region of fewer triangles, or of less than this share of the whole surface, is a speck: what it loses is hardly seen.
const LEAST_TRIANGLES: usize = 50;
const LEAST_SURFACE: f64 = 1e-3;

/// A joint and the worst of its turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The joint.
    pub joint: NodeIndex,
    /// Share of its region's closed volume that LBS loses in the worst turn, 0 to 1. NaN where the joint moves nothing that has a volume.
    pub loss: f32,
    /// The worst turn.
    pub motion: Motion,
    /// Its angle, radians.
    pub angle: f32,
    /// Triangles of the region.
    pub triangles: usize,
    /// The region has fewer than 50 triangles or less than 0.1 % of the whole surface.
    pub is_speck: bool,
}

/// All joints, the one that loses most first, those without a volume last, and specks behind all others; `None` where it was cancelled and beyond [`crate::analysis::MOST_VERTICES`].
///
/// *Shapes*: `posed` is that of `pose`. Only the region of each joint is deformed.
pub fn rank(rig: &Rig, topology: &Topology, posed: &Posed, pose: &Pose, progress: &Progress) -> Option<Vec<Ranked>> {
    measurable(rig)?;
    let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
    let turns: Vec<Turn> = TWISTS
        .map(|angle| (Motion::Twist, angle))
        .into_iter()
        .chain(BENDS.map(|angle| (Motion::Bend, angle)))
        .map(|(motion, degrees)| Turn { motion, angle: degrees.to_radians() })
        .collect();
    progress.begin(joints.len() * turns.len());
    progress.go_on()?;
    let (regions, bones, least_area) =
        (Regions::new(rig, topology), bones(rig, posed), LEAST_SURFACE * area(rig, posed));
    let ranked = |&joint: &NodeIndex| {
        let test = TwistTest { joint, axes: Axes::natural(rig, posed, pose, &bones, joint), turns: turns.clone() };
        worst(&regions, rig, posed, pose, &test, least_area, progress)
    };
    let mut all: Vec<Ranked> = joints.par_iter().map(ranked).collect::<Option<_>>()?;
    all.sort_by(|a, b| a.is_speck.cmp(&b.is_speck).then(by_loss(a, b)));
    Some(all)
}

/// m² of everything that is drawn, by LBS.
fn area(rig: &Rig, posed: &Posed) -> f64 {
    let mut deformed = Deformed::default();
    let instances = rig.instances.iter().zip(palettes(rig, posed)).zip(&posed.morph_weights);
    let areas = instances.flat_map(|((instance, palette), weights)| {
        let area = |primitive| {
            deform_positions_into(primitive, &palette, weights, Method::Lbs, &mut deformed);
            Size::of_triangles(primitive.indices.as_chunks().0, &deformed.positions, DVec3::ZERO, 1.0).area
        };
        rig.meshes[instance.mesh].primitives.iter().map(area).collect::<Vec<_>>()
    });
    areas.sum()
}

fn worst(
    regions: &Regions<'_>,
    rig: &Rig,
    posed: &Posed,
    pose: &Pose,
    test: &TwistTest,
    least_area: f64,
    progress: &Progress,
) -> Option<Ranked> {
    let region = regions.of(test.joint);
    let primitives: Vec<_> = region.parts.iter().map(|part| part.cut_out(rig)).collect();
    let deform = |part: usize, pose: SkinPose<'_>, deformed: &mut Deformed| {
        let instance = region.parts[part].part.instance;
        let weights = pose.posed.morph_weights.get(instance).map_or(&[][..], Vec::as_slice);
        deform_positions_into(&primitives[part], &pose.palettes[instance], weights, Method::Lbs, deformed);
    };
    let bench =
        TurnBench { rig, posed, pose, joint: test.joint, axes: test.axes, region: &region, deform: vec![&deform] };
    let (straight, losses) = bench.losses(&test.turns, progress)?;
    // What is turned inside out is lost in full.
    let loss = |losses: &Vec<Loss>| losses.first().map_or(f32::NAN, |l| (1.0 - l.volume_ratio).clamp(0.0, 1.0));
    let losses = test.turns.iter().zip(&losses).map(|(&turn, losses)| (turn, loss(losses)));
    let (Turn { motion, angle }, loss) = losses.reduce(|worst, next| if next.1 > worst.1 { next } else { worst })?;
    let triangles = region.triangles();
    let is_speck = triangles < LEAST_TRIANGLES || straight.iter().any(|size| size.area < least_area);
    Some(Ranked { joint: test.joint, loss, motion, angle, triangles, is_speck })
}

/// The largest loss first, NaN last, else in the order of the hierarchy.
fn by_loss(a: &Ranked, b: &Ranked) -> Ordering {
    let falling = b.loss.partial_cmp(&a.loss).unwrap_or_else(|| a.loss.is_nan().cmp(&b.loss.is_nan()));
    falling.then(a.joint.cmp(&b.joint))
}
