//! Floor height, ground velocity and contacts of all feet over a clip.

use glam::Vec2;

use super::sole::Sole;
use crate::analysis::spikes::median;

/// Maximum speed of a foot in contact, per metre of contact height, 1/s: 0.4 m/s for a 0.9 m leg.
const STANDING: f32 = 0.4 / 0.025;

/// Maximum speed of a foot in contact, relative to the swing speed. The larger of this limit and [`STANDING`] applies,
/// because feet slide more when running.
const OF_SWING: f32 = 0.1;

/// The swing speed is this quantile of the speeds of all steps.
const SWING: f32 = 0.95;

/// Between a contact's first and last step, the height and speed limits are multiplied by this factor.
const LEAVE: f32 = 1.5;

/// Minimum duration of a contact, seconds.
const MIN_CONTACT_SECS: f32 = 0.05;

/// Speed limit at the ends of a contact, relative to the contact's median speed. Steps there belong to the swing if
/// they exceed both this limit and [`SWING_HEIGHT`].
const SWING_SPEED: f32 = 2.0;
/// Height limit at the ends of a contact, above the contact's median height and relative to the contact height.
const SWING_HEIGHT: f32 = 0.01;

/// Quantile of a foot's heights that counts as its low position. If the floor is not at rest height, it is the same
/// quantile of the heights of all slow steps.
const LOW: f32 = 0.25;

/// The floor is at rest height if at least this many slow steps, relative to the number of frames, are near rest
/// height.
const AT_REST: f32 = 0.1;

/// Expected spread of the velocities of feet in contact in an in-place clip, relative to the swing speed.
const SPREAD: f32 = 0.2;

/// A ground velocity counts as equally good as the best one if its misfit is at most this factor times the smallest
/// misfit, plus [`UNSEEN`] (1/s) times the contact height.
const AS_WELL: f32 = 1.25;
const UNSEEN: f32 = 0.01 * STANDING;

const MAX_COMPARED: usize = 1024;

#[derive(Clone, Copy, Debug)]
pub(super) struct FootStep {
    pub secs: f32,
    /// World-space Y of the lowest vertex, averaged over the step's two frames, metres; infinite if unknown.
    pub height: f32,
    /// Mean horizontal velocity of the supporting vertices, world space, m/s.
    pub velocity: Vec2,
}

pub(super) struct Gait<'a> {
    pub soles: &'a [Sole],
    pub steps: Vec<Vec<FootStep>>,
    /// For each foot, whether it ends the clip where it started.
    pub is_closed: Vec<bool>,
}

pub(super) struct GaitContacts {
    /// Velocity of the ground along X and Z, m/s.
    pub ground: Vec2,
    pub floor: f32,
    /// True if the floor is at the height of the soles at rest.
    pub is_at_rest: bool,
    /// Step indices by foot and contact, in playback order. A contact that spans a loop's seam starts near the end of
    /// the clip.
    pub contacts: Vec<Vec<Vec<usize>>>,
}

impl Gait<'_> {
    /// Finds the floor, the ground velocity and the contacts. The ground moves only if the clip stays in place and a foot lifts.
    ///
    /// The first estimate of the ground velocity is the most common velocity of low feet. Contacts found with this
    /// estimate yield the candidates for the second estimate: the median velocity of each foot while it is in contact.
    /// The candidate that fits all contacts best wins. Among equally good candidates, 0 wins, then the fastest, because
    /// the body usually drags a sliding foot along.
    pub(super) fn standing(&self, moves: bool) -> GaitContacts {
        let is_treadmill = !moves && (0..self.soles.len()).any(|foot| self.lifts(foot));
        if !is_treadmill {
            return self.standing_on(Vec2::ZERO);
        }
        let first = self.standing_on(self.shared_velocity());
        let ground = self.ground_of_contacts(&first);
        if ground == first.ground { first } else { self.standing_on(ground) }
    }

    fn standing_on(&self, ground: Vec2) -> GaitContacts {
        let swing = self.swing_speed(ground);
        let (floor, is_at_rest) = self.floor(ground, swing);
        let contacts = (0..self.soles.len()).map(|foot| self.contacts(foot, floor, ground, swing)).collect();
        GaitContacts { ground, floor, is_at_rest, contacts }
    }

    fn all_steps(&self) -> impl Iterator<Item = &FootStep> {
        self.steps.iter().flatten()
    }

    fn contact_height(&self) -> f32 {
        self.soles.iter().map(|sole| sole.contact_height).sum::<f32>() / self.soles.len().max(1) as f32
    }

    fn swing_speed(&self, ground: Vec2) -> f32 {
        quantile(self.all_steps().map(|step| step.velocity.distance(ground)), SWING).unwrap_or(0.0)
    }

    fn standing_speed(&self, foot: usize, swing: f32) -> f32 {
        (STANDING * self.soles[foot].contact_height).max(OF_SWING * swing)
    }

    fn lifts(&self, foot: usize) -> bool {
        let heights = || self.steps[foot].iter().map(|step| step.height).filter(|height| height.is_finite());
        let [low, high] = [heights().fold(f32::INFINITY, f32::min), heights().fold(f32::NEG_INFINITY, f32::max)];
        high - low > LEAVE * self.soles[foot].contact_height
    }

    /// Returns the most common velocity of low steps in m/s; 0 if no other velocity fits better.
    fn shared_velocity(&self) -> Vec2 {
        let low = |(steps, sole): (&Vec<FootStep>, &Sole)| {
            let low = quantile(steps.iter().map(|step| step.height), LOW).unwrap_or(f32::INFINITY);
            let max_height = low + sole.contact_height;
            steps.iter().filter(move |step| step.height <= max_height).map(|step| step.velocity).collect::<Vec<_>>()
        };
        let velocities: Vec<Vec2> = self.steps.iter().zip(self.soles).flat_map(low).collect();
        let velocities: Vec<Vec2> =
            velocities.iter().copied().step_by(velocities.len().div_ceil(MAX_COMPARED).max(1)).collect();
        let spread = (STANDING * self.contact_height()).max(SPREAD * self.swing_speed(Vec2::ZERO));
        let misfit = |velocity: Vec2| misfit(&velocities, velocity, spread);
        let best = velocities.iter().map(|&velocity| (velocity, misfit(velocity))).min_by(|a, b| a.1.total_cmp(&b.1));
        best.filter(|(_, best)| misfit(Vec2::ZERO) > *best).map_or(Vec2::ZERO, |(velocity, _)| velocity)
    }

    fn ground_of_contacts(&self, standing: &GaitContacts) -> Vec2 {
        let by_foot: Vec<Vec<Vec2>> = self
            .steps
            .iter()
            .zip(&standing.contacts)
            .map(|(steps, contacts)| contacts.iter().flatten().map(|&at| steps[at].velocity).collect())
            .collect();
        let all = by_foot.concat();
        if all.is_empty() {
            return standing.ground;
        }
        let middle = |of_foot: &Vec<Vec2>| {
            let along = |axis: fn(&Vec2) -> f32| median(&of_foot.iter().map(axis).collect::<Vec<_>>());
            Vec2::new(along(|v| v.x), along(|v| v.y))
        };
        let height = self.contact_height();
        let misfit = |velocity: Vec2| misfit(&all, velocity, STANDING * height);
        let of_feet = by_foot.iter().filter(|of_foot| !of_foot.is_empty()).map(middle);
        let candidates: Vec<(Vec2, f32)> = [Vec2::ZERO].into_iter().chain(of_feet).map(|v| (v, misfit(v))).collect();
        let min_misfit = candidates.iter().map(|(_, misfit)| *misfit).fold(f32::INFINITY, f32::min);
        let mut as_good =
            candidates.iter().filter(|(_, misfit)| *misfit <= AS_WELL * min_misfit + UNSEEN * height).map(|(v, _)| *v);
        let first = as_good.next().unwrap_or(Vec2::ZERO);
        if first == Vec2::ZERO {
            first
        } else {
            as_good.fold(first, |a, b| if b.length() > a.length() { b } else { a })
        }
    }

    /// Returns the floor's Y in metres, and whether it is the rest height of the soles; see [`AT_REST`].
    fn floor(&self, ground: Vec2, swing: f32) -> (f32, bool) {
        let rest = self.soles.iter().map(|sole| sole.rest_height).sum::<f32>() / self.soles.len().max(1) as f32;
        let slow = |foot: usize| {
            let max_speed = self.standing_speed(foot, swing);
            self.steps[foot]
                .iter()
                .filter(move |step| step.velocity.distance(ground) < max_speed)
                .map(|step| step.height)
        };
        let all_slow = || (0..self.soles.len()).flat_map(slow).filter(|height| height.is_finite());
        let at_rest = all_slow().filter(|height| (height - rest).abs() < self.contact_height()).count();
        let frames = self.steps.first().map_or(0, Vec::len);
        if at_rest as f32 >= AT_REST * frames as f32 {
            return (rest, true);
        }
        quantile(all_slow(), LOW).map_or((rest, true), |floor| (floor, false))
    }

    /// Finds runs of low and slow steps, with hysteresis. Ignores the speed of feet that never lift, because such feet
    /// only slide.
    fn contacts(&self, foot: usize, floor: f32, ground: Vec2, swing: f32) -> Vec<Vec<usize>> {
        let (steps, within) = (&self.steps[foot], self.soles[foot].contact_height);
        let lifts = self.lifts(foot);
        let speed = if lifts { self.standing_speed(foot, swing) } else { f32::INFINITY };
        let is_within = |at: usize, times: f32| {
            steps[at].height - floor < times * within && steps[at].velocity.distance(ground) < times * speed
        };
        let all: Vec<usize> = (0..steps.len()).collect();
        let runs = all.chunk_by(|&a, &b| is_within(a, LEAVE) && is_within(b, LEAVE));
        let entered = |run: &[usize]| {
            let [first, last] =
                [run.iter().position(|&at| is_within(at, 1.0))?, run.iter().rposition(|&at| is_within(at, 1.0))?];
            Some(run[first..=last].to_vec())
        };
        let mut contacts: Vec<Vec<usize>> = runs.filter_map(entered).collect();
        self.close(foot, &mut contacts);
        if lifts {
            for contact in &mut contacts {
                without_swing(contact, steps, ground, SWING_HEIGHT * within);
            }
        }
        contacts.retain(|contact| contact.iter().map(|&at| steps[at].secs).sum::<f32>() >= MIN_CONTACT_SECS);
        contacts
    }

    /// Merges a loop's first and last contact if they meet at the seam.
    fn close(&self, foot: usize, contacts: &mut Vec<Vec<usize>>) {
        let begins = contacts.first().is_some_and(|contact| contact.first() == Some(&0));
        let ends =
            contacts.last().is_some_and(|contact| contact.last().map(|at| at + 1) == Some(self.steps[foot].len()));
        if self.is_closed[foot] && contacts.len() > 1 && begins && ends {
            let start = contacts.remove(0);
            contacts.last_mut().into_iter().for_each(|end| end.extend(&start));
        }
    }
}

/// Removes swing steps from both ends of a contact. A swing step is faster than twice the contact's median speed and
/// more than `above` metres above its median height. Nothing is removed at the start of a contact that begins with the
/// clip, nor at the end of a contact that ends with the clip.
fn without_swing(contact: &mut Vec<usize>, steps: &[FootStep], ground: Vec2, above: f32) {
    let speed = |at: usize| steps[at].velocity.distance(ground);
    let middle = |value: &dyn Fn(usize) -> f32| median(&contact.iter().map(|&at| value(at)).collect::<Vec<_>>());
    let (fast, high) = (SWING_SPEED * middle(&speed), middle(&|at| steps[at].height) + above);
    let stands = |at: &usize| speed(*at) <= fast || steps[*at].height <= high;
    let begins = contact.first() == Some(&0);
    let ends = contact.last().map(|at| at + 1) == Some(steps.len());
    let first = if begins { 0 } else { contact.iter().position(stands).unwrap_or(contact.len()) };
    let end = if ends { contact.len() } else { contact.iter().rposition(stands).map_or(first, |last| last + 1) };
    contact.truncate(end.max(first));
    contact.drain(..first);
}

fn misfit(velocities: &[Vec2], from: Vec2, max_distance: f32) -> f32 {
    velocities.iter().map(|velocity| velocity.distance(from).min(max_distance)).sum::<f32>()
        / velocities.len().max(1) as f32
}

fn quantile(numbers: impl Iterator<Item = f32>, fraction: f32) -> Option<f32> {
    let mut sorted: Vec<f32> = numbers.collect();
    sorted.sort_unstable_by(f32::total_cmp);
    sorted.get(((sorted.len() as f32 * fraction) as usize).min(sorted.len().saturating_sub(1))).copied()
}
