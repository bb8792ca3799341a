//! How feet stand on the floor over a clip, measured on the skin: contacts, slide, depth below the floor, and implied
//! speed.
//!
//! | measure | unit | is |
//! | --- | --- | --- |
//! | sole | – | vertices whose heaviest joint is the foot or a descendant, within the lowest tenth of the foot's height at rest |
//! | `H` | m | contact height: 2.5 cm for a leg of 0.9 m, proportional for others |
//! | floor | m | height of the soles at rest, if slow feet are within `H` of it for a tenth of the clip; otherwise the lower quartile of the heights of slow feet, which a single frame doesn't change |
//! | supporting vertices | – | in each step, the vertices of a sole within `H / 5` of its lowest one |
//! | contact | – | a run of low and slow steps, at least 0.05 s. Its first and last steps are below `H` over the floor, and slower than 0.4 m/s (for a leg of 0.9 m) or a tenth of the swing speed, whichever is faster; steps between them may exceed both limits by a factor of 1.5. Steps at its ends that already rise and speed up are cut off. For a foot that never lifts, only height counts. In a loop, a contact can continue across the seam |
//! | slide | m | path length of the supporting vertices over the ground in one contact |
//! | ground | m/s | 0 in a clip that travels or lifts no foot; in an in-place clip, the contact velocity of the foot that explains all contacts best |
//! | skate | m/s | for steps in which part of the sole stays within `H` of the floor, in stance or swing: `v * clamp(2 - 2^(h / H), 0, 1)`, with the mean horizontal speed `v` of these vertices relative to the ground, and their mean height `h` over the floor |
//!
//! *Source*: L. Kovar, J. Schreiner and M. Gleicher, "Footskate cleanup for motion capture editing" (2002), and L.
//! Ikemoto, O. Arikan and D. Forsyth, "Knowing when to put your foot down" (2006), for contacts by height and speed;
//! H. Zhang and others, "Mode-adaptive neural networks for quadruped motion control" (2018), for the skate; A. Lyard
//! and N. Magnenat-Thalmann, "A simple footskate removal method for virtual reality applications" (2007), for using
//! the skin instead of the ankle.

mod gait;
mod sole;
mod table;

use glam::{Vec2, Vec3};

use super::measurable;
use super::motion::{ClipSkin, Frames};
use super::seams::Travel;
use gait::{FootStep, Gait, GaitContacts};
use rigscope_core::actor::SharedPose;
use rigscope_core::jobs::{Progress, try_map};
use rigscope_core::rig::{ClipMoment, NodeIndex, Pose, Rig, evaluate};
use rigscope_core::skinning::Skinner;
use sole::Sole;
pub use sole::feet;
pub use table::{ClipFeetJson, FootJson, StanceJson};

/// Maximum number of vertex positions to store for all clips; beyond this, frames are skipped.
const MAX_PLACES: usize = 1 << 24;

/// Minimum visible skate, per metre of contact height, 1/s: 0.1 m/s for a 0.9 m leg.
const VISIBLE: f32 = 0.1 / 0.025;

/// Floor contacts of a rig's feet in one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipFeet {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Frames per second.
    pub rate: f32,
    /// Interval between measured frames, in frames; above 1 if there are too many frames to measure them all.
    pub step: usize,
    /// Number of measured frames.
    pub frames: usize,
    /// Travel of the root from start to end.
    pub travel: Travel,
    /// Mean speed of the root over the floor, m/s: its distance from start to end, divided by the duration.
    pub root_speed: f32,
    /// Ground velocity along X and Z that the feet of an in-place clip imply, m/s; 0 if the clip travels.
    pub ground: Vec2,
    /// Y of the floor, world space, metres.
    pub floor: f32,
    /// True if the floor is at the soles' rest height, false if it is at the height of slow feet.
    pub is_floor_at_rest: bool,
    /// One entry per foot.
    pub feet: Vec<FootMotion>,
}

/// Contacts, skate and heights of a foot in one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct FootMotion {
    /// Joint of the foot.
    pub foot: NodeIndex,
    /// Contacts with the floor, by start time.
    pub contacts: Vec<Contact>,
    /// Fraction of the clip in which the foot is in contact, 0 to 1.
    pub contact_fraction: f32,
    /// Fraction of the clip in which the foot is low enough for contact, at any speed.
    pub low_fraction: f32,
    /// Mean skate near the floor, m/s.
    pub mean_skate: f32,
    /// Maximum skate, m/s.
    pub worst_skate: f32,
    /// Start time of the step with the maximum skate, seconds.
    pub worst_secs: f32,
    /// Fraction of the steps near the floor in which the skate is visible: above 0.1 m/s for a 0.9 m leg.
    pub sliding_fraction: f32,
    /// Maximum depth of the sole below its lowest point at rest, metres.
    pub sinks: f32,
    /// Mean height of the sole's lowest point above the floor while in contact, metres; negative below the floor.
    pub floats: f32,
}

/// A contact of a foot with the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Start time, seconds.
    pub start_secs: f32,
    /// End time, seconds; before the start if the contact continues across a loop's seam.
    pub end_secs: f32,
    /// How far the supporting vertices slide over the ground, metres.
    pub slide: f32,
}

impl FootMotion {
    /// Returns the mean slide per contact in metres; 0 if there are no contacts.
    pub fn mean_slide(&self) -> f32 {
        sum(self.contacts.iter().map(|contact| contact.slide)) / self.contacts.len().max(1) as f32
    }

    /// Returns the contact with the longest slide.
    pub fn worst_contact(&self) -> Option<&Contact> {
        self.contacts.iter().reduce(|a, b| if b.slide > a.slide { b } else { a })
    }
}

/// Results are unreliable if the [`FootMotion::contact_fraction`] values of all feet add up to less than this. In a walk,
/// at least one foot is always on the ground, so the sum is at least 1.
const FEW_CONTACTS: f32 = 0.3;

/// Results are unreliable if a foot is low but not in contact for more than this fraction of the clip: the foot is
/// probably dragged.
const MUCH_DRAGGED: f32 = 0.6;

impl ClipFeet {
    /// Returns true if contacts are too rare for reliable results, as when a character flies or drags its feet.
    pub fn is_doubtful(&self) -> bool {
        let in_contact = self.feet.iter().map(|foot| foot.contact_fraction).sum::<f32>();
        let is_dragged = |foot: &FootMotion| foot.low_fraction - foot.contact_fraction > MUCH_DRAGGED;
        !self.feet.is_empty() && (in_contact < FEW_CONTACTS || self.feet.iter().any(is_dragged))
    }

    /// Returns the foot with the longest slide, and the contact in which it slides.
    pub fn worst_foot(&self) -> Option<(&FootMotion, &Contact)> {
        let worst = self.feet.iter().filter_map(|foot| Some((foot, foot.worst_contact()?)));
        worst.reduce(|a, b| if b.1.slide > a.1.slide { b } else { a })
    }
}

/// Measures the feet in each clip. Skips feet that move no vertices. Skins every frame once, in parallel. Returns
/// `None` if cancelled or if the rig exceeds [`super::MAX_VERTICES`].
pub fn clip_feet(
    skinner: &Skinner,
    feet: &[NodeIndex],
    clips: &[usize],
    rate: Option<f32>,
    progress: &Progress,
) -> Option<Vec<ClipFeet>> {
    let rig = skinner.rig();
    measurable(rig)?;
    progress.check_cancelled()?;
    let soles = soles(skinner, feet);
    let kept: usize = soles.iter().map(|sole| sole.vertices.len()).sum();
    let clips: Vec<(Frames, Vec<f32>)> = Frames::of_clips(rig, clips, rate, MAX_PLACES / kept.max(1))
        .into_iter()
        .map(|frames| (frames, frames.times_secs()))
        .collect();
    progress.begin(clips.iter().map(|(_, times)| times.len()).sum());
    let measured = |(frames, times): &(Frames, Vec<f32>)| {
        let walk = SoleTracks::new(skinner, &soles, frames.clip, times.clone(), progress)?;
        Some(walk.feet(*frames))
    };
    try_map(&clips, progress, measured)
}

fn soles(skinner: &Skinner, feet: &[NodeIndex]) -> Vec<Sole> {
    let rig = skinner.rig();
    let rest = SharedPose::new(rig, evaluate(rig, None, &Pose::rest(&rig.hierarchy)));
    let surfaces = skinner.deform_positions(rest.skin_pose());
    let positions: Vec<Vec3> = surfaces.iter().flatten().flat_map(|part| part.positions.iter().copied()).collect();
    feet.iter().filter_map(|&foot| Sole::new(rig, &rest.posed, &positions, foot, feet)).collect()
}

struct SoleTracks<'a> {
    soles: &'a [Sole],
    times: Vec<f32>,
    /// Positions by sole, frame and vertex, world space, metres.
    places: Vec<Vec<Vec<Vec3>>>,
    travel: Travel,
}

struct NearStep {
    time_secs: f32,
    skate: f32,
}

impl<'a> SoleTracks<'a> {
    fn new(skinner: &Skinner, soles: &'a [Sole], clip: usize, times: Vec<f32>, progress: &Progress) -> Option<Self> {
        let rig: &Rig = skinner.rig();
        let root = rig.clip_root(clip)?;
        let mut skin = ClipSkin::new(skinner);
        let mut places = vec![Vec::with_capacity(times.len()); soles.len()];
        let mut roots = Vec::with_capacity(2);
        for (number, &time_secs) in times.iter().enumerate() {
            progress.check_cancelled()?;
            skin.go_to(ClipMoment::new(clip, time_secs));
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
        let gait = Gait {
            soles: self.soles,
            steps: (0..self.soles.len()).map(|sole| self.steps(sole)).collect(),
            is_closed: (0..self.soles.len()).map(|sole| self.is_closed(sole)).collect(),
        };
        let standing = gait.standing(self.travel.moves);
        let duration = self.times.last().map_or(0.0, |end| end - self.times[0]);
        let feet = (0..self.soles.len()).map(|sole| self.foot(sole, &gait.steps[sole], &standing));
        ClipFeet {
            clip: frames.clip,
            rate: frames.rate.per_sec,
            step: frames.step,
            frames: self.times.len(),
            travel: self.travel,
            root_speed: if duration > 0.0 { self.travel.distance / duration } else { 0.0 },
            ground: standing.ground,
            floor: standing.floor,
            is_floor_at_rest: standing.is_at_rest,
            feet: feet.collect(),
        }
    }

    fn steps(&self, sole: usize) -> Vec<FootStep> {
        let band = STANDING_ON * self.soles[sole].contact_height;
        let frames = self.places[sole].windows(2).zip(self.times.windows(2));
        frames.map(|(places, times)| step([&places[0], &places[1]], times[1] - times[0], band)).collect()
    }

    /// Returns true if a sole ends where it started, apart from the clip's travel.
    fn is_closed(&self, sole: usize) -> bool {
        let Some((start, end)) = self.places[sole].first().zip(self.places[sole].last()) else { return false };
        let from_start = self.travel.end_from_start;
        let gaps = start.iter().zip(end).map(|(a, b)| from_start.transform_point3(*a).distance(*b));
        sum(gaps) <= self.soles[sole].contact_height * start.len() as f32
    }

    fn near_steps(&self, sole: usize, standing: &GaitContacts) -> Vec<NearStep> {
        let within = self.soles[sole].contact_height;
        let height = |place: &Vec3| place.y - standing.floor;
        let frames = self.places[sole].windows(2).zip(self.times.windows(2));
        let near = |(places, times): (&[Vec<Vec3>], &[f32])| {
            let elapsed = times[1] - times[0];
            let stays = |(a, b): &(&Vec3, &Vec3)| height(a) < within && height(b) < within;
            let near: Vec<(&Vec3, &Vec3)> = places[0].iter().zip(&places[1]).filter(stays).collect();
            let count = near.len() as f32;
            let speed = |(a, b): &(&Vec3, &Vec3)| (over_floor(**b - **a) / elapsed).distance(standing.ground);
            let mean_height = near.iter().map(|(a, b)| f32::midpoint(height(a), height(b))).sum::<f32>() / count;
            let weight = (2.0 - (mean_height / within).exp2()).clamp(0.0, 1.0);
            let skate = near.iter().map(speed).sum::<f32>() / count * weight;
            (!near.is_empty() && elapsed > 0.0).then_some(NearStep { time_secs: times[0], skate })
        };
        frames.filter_map(near).collect()
    }

    fn foot(&self, number: usize, steps: &[FootStep], standing: &GaitContacts) -> FootMotion {
        let Sole { foot, contact_height, rest_height, .. } = self.soles[number];
        let near = self.near_steps(number, standing);
        let worst = near.iter().reduce(|a, b| if b.skate > a.skate { b } else { a });
        let sliding = near.iter().filter(|step| step.skate > VISIBLE * contact_height).count();
        let of_foot = &standing.contacts[number];
        let duration = sum(steps.iter().map(|step| step.secs)).max(f32::MIN_POSITIVE);
        let share = |steps: &mut dyn Iterator<Item = &FootStep>| sum(steps.map(|step| step.secs)) / duration;
        let in_contact = || of_foot.iter().flatten().map(|&at| &steps[at]);
        let heights = sum(in_contact().map(|step| (step.height - standing.floor) * step.secs));
        let contact_fraction = share(&mut in_contact());
        let lowest = self.places[number].iter().flatten().map(|place| place.y).fold(f32::INFINITY, f32::min);
        let mut contacts: Vec<Contact> =
            of_foot.iter().filter_map(|contact| self.contact(contact, steps, standing.ground)).collect();
        contacts.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
        FootMotion {
            foot,
            contacts,
            contact_fraction,
            low_fraction: share(&mut steps.iter().filter(|step| step.height - standing.floor < contact_height)),
            mean_skate: sum(near.iter().map(|step| step.skate)) / near.len().max(1) as f32,
            worst_skate: worst.map_or(0.0, |step| step.skate),
            worst_secs: worst.map_or(0.0, |step| step.time_secs),
            sliding_fraction: sliding as f32 / near.len().max(1) as f32,
            sinks: if lowest.is_finite() { (rest_height - lowest).max(0.0) } else { 0.0 },
            floats: if contact_fraction > 0.0 { heights / (contact_fraction * duration) } else { 0.0 },
        }
    }

    fn contact(&self, contact: &[usize], steps: &[FootStep], ground: Vec2) -> Option<Contact> {
        let slide = sum(contact.iter().map(|&at| steps[at].velocity.distance(ground) * steps[at].secs));
        let (start_secs, end_secs) = (*self.times.get(*contact.first()?)?, *self.times.get(contact.last()? + 1)?);
        Some(Contact { start_secs, end_secs, slide })
    }
}

/// Maximum height of a supporting vertex above the lowest one, relative to the contact height.
const STANDING_ON: f32 = 0.2;

/// Measures a sole's step between two frames. Vertices at most `band` metres above the lowest one count as supporting.
fn step([before, after]: [&[Vec3]; 2], secs: f32, band: f32) -> FootStep {
    let height = |(a, b): &(&Vec3, &Vec3)| f32::midpoint(a.y, b.y);
    let pairs = || before.iter().zip(after);
    let lowest = pairs().map(|pair| height(&pair)).fold(f32::INFINITY, f32::min);
    let stands_on = pairs().filter(|pair| height(pair) <= lowest + band);
    let (count, way) =
        stands_on.fold((0_usize, Vec2::ZERO), |(count, way), (a, b)| (count + 1, way + over_floor(*b - *a)));
    let velocity = way / (count as f32 * secs);
    if velocity.is_finite() && lowest.is_finite() {
        FootStep { secs, height: lowest, velocity }
    } else {
        FootStep { secs: secs.max(0.0), height: f32::INFINITY, velocity: Vec2::ZERO }
    }
}

fn over_floor(way: Vec3) -> Vec2 {
    Vec2::new(way.x, way.z)
}

fn sum(numbers: impl Iterator<Item = f32>) -> f32 {
    numbers.fold(0.0, |sum, number| sum + number)
}

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
