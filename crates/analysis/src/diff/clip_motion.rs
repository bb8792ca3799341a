//! Measures the difference between the motions of two clips as they are drawn.

use glam::Affine3;
use rayon::prelude::*;

use super::Tolerances;
use super::change::ChangeMeasure;
use super::drawn::{DrawnComparison, Palettes};
use rigscope_core::jobs::Progress;
use rigscope_core::matching::RigMatch;
use rigscope_core::rig::{ClipMoment, DisabledBehaviours, NodeIndex, Pose, Posed, Rig, SamplingBuffers, evaluate_into};

/// Number of sample times between checks for cancellation.
const AT_ONCE: usize = 512;
const MAX_EXACT: usize = 48;
/// Number of steps when searching for the time of the largest deviation. Each step narrows the interval by a factor of
/// 0.62.
const REFINEMENTS: usize = 20;

#[derive(Clone, Copy)]
pub(super) struct RigClip<'a> {
    pub rig: &'a Rig,
    pub clip: usize,
}

pub(super) struct ClipComparison<'a> {
    pub drawn: &'a DrawnComparison<'a>,
    pub clips: [RigClip<'a>; 2],
    /// True if both clips are played on the new version's nodes.
    pub is_on_new: bool,
}

pub(super) struct Deviation {
    /// Largest distance between the two positions of a vertex or socket, metres, in the old version's world space.
    pub distance: f32,
    /// Largest rotation of a limb, degrees.
    pub angle: f32,
    pub stretch: f32,
    pub limb: usize,
    time_secs: f32,
}

#[derive(Default)]
struct PoseBuffers {
    buffers: [SamplingBuffers; 2],
    posed: [Posed; 2],
}

/// Differences at one time. `limit` is an upper bound on the distance.
#[derive(Clone, Copy, Default)]
struct MomentDifference {
    time_secs: f32,
    limit: f32,
    angle: f32,
    stretch: f32,
    /// Angle, degrees, and limb index of the most rotated socket. Rotating a socket moves no vertices.
    socket: (f32, usize),
}

impl ClipComparison<'_> {
    /// Returns the largest differences at `times`, which are in ascending order. Returns `None` if cancelled and
    /// `Some(None)` if all differences are within the tolerances.
    ///
    /// The bounding boxes of the limbs' vertices give an upper bound at each time. All vertices are compared only at
    /// the times with the highest bounds, until no bound exceeds the largest distance found.
    #[expect(clippy::option_option, reason = "None for a cancelled job, Some(None) for one that found nothing")]
    pub(super) fn deviation(
        &self,
        times: &[f32],
        tolerances: &Tolerances,
        progress: &Progress,
    ) -> Option<Option<Deviation>> {
        let mut seen: Vec<MomentDifference> = Vec::with_capacity(times.len());
        for times in times.chunks(AT_ONCE) {
            progress.check_cancelled()?;
            let found = times
                .par_iter()
                .map_init(PoseBuffers::default, |memory, &time| self.difference_at(time, tolerances, memory));
            seen.par_extend(found);
        }
        let by = |value: fn(&MomentDifference) -> f32| seen.iter().map(value).fold(0.0, f32::max);
        let (angle, stretch, limit) = (by(|s| s.angle), by(|s| s.stretch), by(|s| s.limit));
        let socket = seen.iter().copied().max_by(|a, b| a.socket.0.total_cmp(&b.socket.0)).unwrap_or_default();
        let furthest = if limit > tolerances.distance_m { self.furthest(&mut seen, progress)? } else { (0.0, 0, 0.0) };
        let found = |distance, limb, time_secs| Deviation { distance, angle, stretch, limb, time_secs };
        Some(if furthest.0 > tolerances.distance_m {
            Some(found(furthest.0, furthest.1, furthest.2))
        } else {
            (socket.socket.0 > tolerances.angle_deg).then(|| found(0.0, socket.socket.1, socket.time_secs))
        })
    }

    /// Returns an upper bound on the distance, in metres, at the given times.
    pub(super) fn limit(&self, times: impl Iterator<Item = f32>) -> f32 {
        let mut memory = PoseBuffers::default();
        times.map(|time| self.drawn.limit(&self.palettes(time, &mut memory))).fold(0.0, f32::max)
    }

    fn difference_at(&self, time_secs: f32, tolerances: &Tolerances, memory: &mut PoseBuffers) -> MomentDifference {
        let palettes = self.palettes(time_secs, memory);
        let mut seen =
            MomentDifference { time_secs, limit: self.drawn.limit(&palettes), ..MomentDifference::default() };
        let is_far = seen.limit > tolerances.distance_m;
        for limb in (0..self.drawn.limbs.len()).filter(|limb| is_far || self.drawn.is_socket(*limb)) {
            let motion = self.drawn.turned(limb, &palettes);
            let angle = motion.angle.to_degrees();
            seen.angle = seen.angle.max(angle);
            seen.stretch = seen.stretch.max(motion.stretch);
            if self.drawn.is_socket(limb) && angle > seen.socket.0 {
                seen.socket = (angle, limb);
            }
        }
        seen
    }

    fn furthest(&self, seen: &mut [MomentDifference], progress: &Progress) -> Option<(f32, usize, f32)> {
        let mut memory = PoseBuffers::default();
        let mut at = |time: f32| {
            let (distance, limb) = self.drawn.furthest(&self.palettes(time, &mut memory));
            (distance, limb, time)
        };
        let times: Vec<f32> = seen.iter().map(|seen| seen.time_secs).collect();
        seen.sort_by(|a, b| b.limit.total_cmp(&a.limit));
        let mut best = (0.0, 0, 0.0);
        for seen in seen.iter().take(MAX_EXACT) {
            if seen.limit <= best.0 {
                break;
            }
            progress.check_cancelled()?;
            let found = at(seen.time_secs);
            best = if found.0 > best.0 { found } else { best };
        }
        let place = times.partition_point(|time| *time < best.2);
        let (mut from, mut to) = (times[place.saturating_sub(1)], times[(place + 1).min(times.len() - 1)]);
        for _ in 0..REFINEMENTS {
            progress.check_cancelled()?;
            let thirds = [0.382, 0.618].map(|fraction| at(from + (to - from) * fraction));
            (from, to) = if thirds[0].0 > thirds[1].0 { (from, thirds[1].2) } else { (thirds[0].2, to) };
            best = thirds.into_iter().fold(best, |best, found| if found.0 > best.0 { found } else { best });
        }
        Some(best)
    }

    fn palettes(&self, time_secs: f32, memory: &mut PoseBuffers) -> Palettes {
        let mut worlds = [Vec::new(), Vec::new()];
        for (side, world) in worlds.iter_mut().enumerate() {
            let RigClip { rig, clip } = self.clips[side];
            let rest = Pose::rest(&rig.hierarchy).without(DisabledBehaviours::ALL);
            let posed = &mut memory.posed[side];
            evaluate_into(rig, Some(ClipMoment::new(clip, time_secs)), &rest, &mut memory.buffers[side], posed);
            *world = posed.file_from_node(&rig.hierarchy);
        }
        let worlds: [&[Affine3]; 2] = worlds.each_ref().map(Vec::as_slice);
        if self.is_on_new { self.drawn.palettes_on_new(worlds) } else { self.drawn.palettes(worlds) }
    }

    pub(super) fn causes(&self, both: &RigMatch<'_>, at: &Deviation, tolerances: &Tolerances) -> Option<String> {
        let palettes = self.palettes(at.time_secs, &mut PoseBuffers::default());
        let mut causes: Vec<(f32, ChangeMeasure, NodeIndex)> = Vec::new();
        for (number, limb) in self.drawn.limbs.iter().enumerate() {
            let (motion, _) = self.drawn.own_motion(number, &palettes);
            let (times, measure) = motion.largest(tolerances);
            if times > 1.0 && causes.iter().all(|(_, _, node)| *node != limb.nodes[1]) {
                causes.push((times, measure, limb.nodes[1]));
            }
        }
        causes.sort_by(|a, b| b.0.total_cmp(&a.0));
        let &(_, measure, node) = causes.first()?;
        let done = match measure {
            ChangeMeasure::Distance => "moved",
            ChangeMeasure::Angle => "turned",
            _ => "scaled",
        };
        let more = if causes.len() > 1 { format!(" and {} more", causes.len() - 1) } else { String::new() };
        Some(format!("{} {done}{more}", both.new.name(node)))
    }
}
