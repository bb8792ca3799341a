//! Feet on the floor over a clip, by the skin: how much a sole slides while it stands, how deep it sinks, and the speed that the feet imply.
//!
//! | measure | unit | is |
//! | --- | --- | --- |
//! | sole | – | the vertices of a foot, whose heaviest joint is the foot or below it, within the lowest tenth of its height at rest |
//! | floor | m | the lowest that any sole comes in the clip |
//! | contact | – | a step from frame to frame in which some of the sole stays within `H` of the floor: 2.5 cm for a leg of 0.9 m, in proportion for others |
//! | skate | m/s | `v * clamp(2 - 2^(h / H), 0, 1)`: `v` the mean horizontal speed of the vertices in contact, beside the ground's own, `h` their mean height over the floor |
//! | ground speed | m/s | in a clip in place the median velocity of what is in contact, which on a treadmill is that of the belt; 0 in a clip that travels |
//!
//! *Source*: H. Zhang and others, "Mode-adaptive neural networks for quadruped motion control" (2018), for the skate; by the skin and not by the ankle, as A. Lyard and
//! N. Magnenat-Thalmann, "A simple footskate removal method for virtual reality applications" (2007), correct plants.

mod sole;
mod table;

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::measurable;
use super::motion::{ClipSkin, Frames};
use super::seams::{Travel, root};
use crate::actor::SharedPose;
use crate::jobs::Progress;
use crate::rig::{ClipMoment, NodeIndex, Pose, Rig, evaluate};
use crate::skinning::Skinner;
use sole::Sole;
pub use sole::feet;
pub use table::FeetTable;

/// Most places of vertices that are kept of all clips: of clips with more, every second frame is looked at, or every third and so on.
const MOST_PLACES: usize = 1 << 24;

/// Skate beyond which a foot slides visibly, for a contact height of one metre, 1/s: 0.1 m/s for a leg of 0.9 m.
const VISIBLE: f32 = 0.1 / 0.025;

/// Feet of a rig over one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipFeet {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Frames a second.
    pub rate: f32,
    /// Frames from one that was looked at to the next: 1, unless there are too many.
    pub step: usize,
    /// Number of frames that were looked at.
    pub frames: usize,
    /// Way of the root from start to end.
    pub travel: Travel,
    /// Speed of the root over the floor from start to end, metres a second.
    pub root_speed: f32,
    /// Velocity of the ground that the feet imply in a clip in place, metres a second along X and Z; 0 in one that travels.
    pub ground: Vec2,
    /// Y of the floor, world space, metres: the lowest that any sole comes.
    pub floor: f32,
    /// Measures of each foot.
    pub feet: Vec<FootMotion>,
}

/// A foot over one clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootMotion {
    /// The joint of the foot.
    pub foot: NodeIndex,
    /// Number of contacts, each of any number of frames in a row.
    pub contacts: usize,
    /// Share of the steps from frame to frame in which the foot is in contact.
    pub contact_share: f32,
    /// Mean skate in contact, metres a second.
    pub mean_skate: f32,
    /// Largest skate, metres a second.
    pub worst_skate: f32,
    /// Time at which the largest skate begins, seconds.
    pub worst_secs: f32,
    /// Way that the foot slides in a contact, the mean of all, metres.
    pub slide: f32,
    /// Way that the foot slides in the contact in which it slides most, metres.
    pub worst_slide: f32,
    /// Time at which that contact begins, seconds.
    pub worst_slide_secs: f32,
    /// Share of the steps in contact with a skate of more than 0.1 m/s, for a leg of 0.9 m, in proportion for others.
    pub sliding_share: f32,
    /// Greatest depth of the sole below its lowest point at rest, metres.
    pub sinks: f32,
    /// Mean height of the sole's lowest point over the floor while in contact, metres.
    pub floats: f32,
}

/// Sum of the contact shares of all feet below which a clip's numbers say little: someone who walks has a foot on the floor at any time.
const FEW_CONTACTS: f32 = 0.3;

impl ClipFeet {
    /// True where feet are hardly ever in contact: soles that roll or dip below where they stand make the floor too low, or the character is in the air.
    pub fn is_doubtful(&self) -> bool {
        !self.feet.is_empty() && self.feet.iter().map(|foot| foot.contact_share).sum::<f32>() < FEW_CONTACTS
    }
}

/// Feet over some clips; `None` where it was cancelled and beyond [`super::MOST_VERTICES`].
///
/// *Shapes*: feet that move nothing are left out. *Cost*: skins every frame once; all cores share the clips.
pub fn clip_feet(
    skinner: &Skinner,
    feet: &[NodeIndex],
    clips: &[usize],
    rate: Option<f32>,
    progress: &Progress,
) -> Option<Vec<ClipFeet>> {
    let rig = skinner.rig();
    measurable(rig)?;
    progress.go_on()?;
    let soles = soles(skinner, feet);
    let kept: usize = soles.iter().map(|sole| sole.vertices.len()).sum();
    let clips: Vec<(Frames, Vec<f32>)> = Frames::of_clips(rig, clips, rate, MOST_PLACES / kept.max(1))
        .into_iter()
        .map(|frames| (frames, frames.times_secs()))
        .collect();
    progress.begin(clips.iter().map(|(_, times)| times.len()).sum());
    let measured = |(frames, times): &(Frames, Vec<f32>)| {
        let walk = Walk::new(skinner, &soles, frames.clip, times.clone(), progress)?;
        Some(walk.feet(*frames))
    };
    clips.par_iter().map(measured).collect()
}

fn soles(skinner: &Skinner, feet: &[NodeIndex]) -> Vec<Sole> {
    let rig = skinner.rig();
    let rest = SharedPose::of(rig, evaluate(rig, None, &Pose::rest(&rig.hierarchy)));
    let surfaces = skinner.deform_positions(rest.skin_pose());
    let positions: Vec<Vec3> = surfaces.iter().flatten().flat_map(|part| part.positions.iter().copied()).collect();
    feet.iter().filter_map(|&foot| Sole::new(rig, &rest.posed, &positions, foot, feet)).collect()
}

/// Soles from frame to frame.
struct Walk<'a> {
    soles: &'a [Sole],
    times: Vec<f32>,
    /// Positions of each sole's vertices in each frame, world space, metres; by sole, then frame.
    places: Vec<Vec<Vec<Vec3>>>,
    travel: Travel,
}

/// A sole between two frames.
struct Step {
    /// Horizontal velocity of each vertex in contact, metres per second.
    velocities: Vec<Vec2>,
    /// Mean height of the vertices in contact over the floor, metres.
    height: f32,
    /// Height of the lowest vertex over the floor, metres.
    lowest: f32,
}

impl<'a> Walk<'a> {
    fn new(skinner: &Skinner, soles: &'a [Sole], clip: usize, times: Vec<f32>, progress: &Progress) -> Option<Self> {
        let rig: &Rig = skinner.rig();
        let root = root(rig, rig.clips.get(clip)?);
        let mut skin = ClipSkin::new(skinner);
        let mut places = vec![Vec::with_capacity(times.len()); soles.len()];
        let mut roots = Vec::with_capacity(2);
        for (number, &time_secs) in times.iter().enumerate() {
            progress.go_on()?;
            skin.go_to(ClipMoment { clip, time_secs });
            let all: Vec<&[Vec3]> = skin.surfaces.iter().flatten().map(|part| part.positions.as_slice()).collect();
            for (sole, places) in soles.iter().zip(&mut places) {
                places.push(picked(&all, &sole.vertices));
            }
            if number == 0 || number + 1 == times.len() {
                roots.push(skin.pose.posed.world_from_node.get(root.index()).copied().unwrap_or_default());
            }
            progress.add(1);
        }
        let (start, end) = (roots.first()?, roots.last()?);
        Some(Self { soles, places, travel: Travel::between(rig, start, end), times })
    }

    fn feet(&self, frames: Frames) -> ClipFeet {
        let heights = self.places.iter().flatten().flatten().map(|place| place.y).filter(|y| y.is_finite());
        let floor = heights.reduce(f32::min).unwrap_or(0.0);
        let steps: Vec<Vec<Option<Step>>> = (0..self.soles.len()).map(|sole| self.steps(sole, floor)).collect();
        let ground = if self.travel.moves { Vec2::ZERO } else { implied(&steps) };
        let duration = self.times.last().map_or(0.0, |end| end - self.times[0]);
        let feet = (0..self.soles.len()).map(|sole| self.foot(sole, &steps[sole], ground));
        ClipFeet {
            clip: frames.clip,
            rate: frames.rate.per_sec,
            step: frames.step,
            frames: self.times.len(),
            travel: self.travel,
            root_speed: if duration > 0.0 { self.travel.distance / duration } else { 0.0 },
            ground,
            floor,
            feet: feet.collect(),
        }
    }

    /// Steps of a sole from each frame to the next; `None` where it is not in contact.
    fn steps(&self, sole: usize, floor: f32) -> Vec<Option<Step>> {
        let within = self.soles[sole].contact_height;
        let frames = self.places[sole].windows(2).zip(self.times.windows(2));
        let step = |(places, times): (&[Vec<Vec3>], &[f32])| {
            let elapsed = times[1] - times[0];
            let heights = |a: &Vec3, b: &Vec3| [a.y - floor, b.y - floor];
            let stays = |(a, b): &(&Vec3, &Vec3)| heights(a, b).iter().all(|height| *height < within);
            let contact: Vec<(&Vec3, &Vec3)> = places[0].iter().zip(&places[1]).filter(stays).collect();
            let velocities = contact.iter().map(|(a, b)| Vec2::new(b.x - a.x, b.z - a.z) / elapsed).collect();
            let height = |(a, b): &(&Vec3, &Vec3)| heights(a, b).iter().sum::<f32>() / 2.0;
            let sum: f32 = contact.iter().map(height).sum();
            let lowest = places[0].iter().map(|place| place.y - floor).fold(f32::INFINITY, f32::min);
            let is_contact = !contact.is_empty() && elapsed > 0.0;
            is_contact.then(|| Step { velocities, height: sum / contact.len() as f32, lowest })
        };
        frames.map(step).collect()
    }

    fn foot(&self, sole: usize, steps: &[Option<Step>], ground: Vec2) -> FootMotion {
        let Sole { foot, contact_height, rest_height, .. } = self.soles[sole];
        let skate = |step: &Step| {
            let speed = step.velocities.iter().map(|velocity| velocity.distance(ground)).sum::<f32>();
            let weight = (2.0 - (step.height / contact_height).exp2()).clamp(0.0, 1.0);
            speed / step.velocities.len() as f32 * weight
        };
        let known = steps.iter().zip(self.times.windows(2)).filter_map(|(step, times)| Some((step.as_ref()?, times)));
        let skates: Vec<(f32, f32)> = known.clone().map(|(step, times)| (skate(step), times[0])).collect();
        let count = skates.len().max(1) as f32;
        let contacts = contacts(steps, &self.times, skate);
        let total = sum(contacts.iter().map(|(_, slide)| *slide));
        let (worst_slide_secs, worst_slide) =
            contacts.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a }).unwrap_or_default();
        let worst = skates.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a }).unwrap_or_default();
        let sliding = skates.iter().filter(|(skate, ..)| *skate > VISIBLE * contact_height).count();
        let lowest = self.places[sole].iter().flatten().map(|place| place.y).fold(f32::INFINITY, f32::min);
        FootMotion {
            foot,
            contacts: contacts.len(),
            contact_share: skates.len() as f32 / steps.len().max(1) as f32,
            mean_skate: sum(skates.iter().map(|(skate, ..)| *skate)) / count,
            worst_skate: worst.0,
            worst_secs: worst.1,
            slide: total / contacts.len().max(1) as f32,
            worst_slide,
            worst_slide_secs,
            sliding_share: sliding as f32 / count,
            sinks: if lowest.is_finite() { (rest_height - lowest).max(0.0) } else { 0.0 },
            floats: sum(known.map(|(step, _)| step.lowest)) / count,
        }
    }
}

/// Contacts of a sole, each of steps in a row: the time at which it begins, and how far the foot slides in it.
fn contacts(steps: &[Option<Step>], times: &[f32], skate: impl Fn(&Step) -> f32) -> Vec<(f32, f32)> {
    let mut contacts: Vec<(f32, f32)> = Vec::new();
    let mut was_on_floor = false;
    for (step, times) in steps.iter().zip(times.windows(2)) {
        if let Some(step) = step {
            if !was_on_floor {
                contacts.push((times[0], 0.0));
            }
            if let Some((_, slide)) = contacts.last_mut() {
                *slide += skate(step) * (times[1] - times[0]);
            }
        }
        was_on_floor = step.is_some();
    }
    contacts
}

/// Sum of some numbers; of none 0, and not -0 as of `Iterator::sum`.
fn sum(numbers: impl Iterator<Item = f32>) -> f32 {
    numbers.fold(0.0, |sum, number| sum + number)
}

/// Velocity of the ground that steps in contact imply: the median along X and along Z, of two in the middle the slower.
fn implied(steps: &[Vec<Option<Step>>]) -> Vec2 {
    let mean = |step: &Step| step.velocities.iter().sum::<Vec2>() / step.velocities.len() as f32;
    let velocities: Vec<Vec2> = steps.iter().flatten().flatten().map(mean).filter(|v| v.is_finite()).collect();
    let median = |along: fn(&Vec2) -> f32| {
        let mut all: Vec<f32> = velocities.iter().map(along).collect();
        all.sort_by(f32::total_cmp);
        let [low, high] =
            [all.len().saturating_sub(1) / 2, all.len() / 2].map(|at| all.get(at).copied().unwrap_or(0.0));
        if low.abs() < high.abs() { low } else { high }
    };
    Vec2::new(median(|v| v.x), median(|v| v.y))
}

/// Places of some vertices, numbered through all parts.
fn picked(parts: &[&[Vec3]], vertices: &[usize]) -> Vec<Vec3> {
    let (mut part, mut first) = (0, 0);
    let place = |&vertex: &usize| {
        while vertex >= first + parts[part].len() {
            first += parts[part].len();
            part += 1;
        }
        parts[part][vertex - first]
    };
    vertices.iter().map(place).collect()
}
