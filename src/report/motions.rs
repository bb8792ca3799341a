//! What the view to turn can show: the compared pose, and clips frame by frame, as transforms of joints in few bytes.

use glam::{Affine3, Mat3, Quat, Vec3, Vec4};
use serde_json::{Value, json};

use super::measures::Measures;
use super::skin::Skin;
use super::whole::{Range, share, signed, whole};
use crate::jobs::Progress;
use crate::rig::{Bounds, ClipMoment, Pose, Posed, Rig, SamplingBuffers, evaluate_into};
use crate::skinning::{Deformed, JointTransform, Method, Palette, Surface, skin_into};

/// Most frames a second: between them joints are blended.
const MOST_RATE: f32 = 30.0;
/// Most frames of a clip.
const MOST_FRAMES: usize = 300;
/// Fewest frames for which a clip that has more is shown.
const FEWEST_FRAMES: usize = 8;
/// Most clips on a page.
const MOST_CLIPS: usize = 60;
/// Most bytes of a clip whose joints do not stretch, and of all clips of a page; a third more as base64.
const MOST_CLIP_BYTES: usize = 200_000;
const MOST_BYTES: usize = 600_000;
/// Numbers of a joint in a frame: rotation and position, and its stretch where some joint has one.
const RIGID: usize = 7;
const STRETCHED: usize = 13;
/// Stretch that is rounding.
const LEAST_STRETCH: f32 = 5e-5;
/// How many times as large as the character the room of a clip may be before the camera follows.
const ROOM: f32 = 1.7;

/// What the view can show.
pub(super) struct Motions {
    /// The compared pose.
    pub pose: Motion,
    /// Clips, in the file's order.
    pub clips: Vec<Motion>,
    /// Clips that there is no room for.
    pub left_out: usize,
}

/// A pose or a clip.
pub(super) struct Motion {
    pub name: String,
    pub duration_secs: f32,
    /// Number of frames, at equal intervals from 0 to the end.
    pub frames: usize,
    /// True where there are more frames in the file.
    pub is_coarse: bool,
    /// True where morph targets move, which the view leaves as they are in the compared pose.
    pub moves_morphs: bool,
    /// Frame in which the sides differ most, of equals the first.
    pub worst: usize,
    /// Largest distance of a vertex from itself on the other side in that frame, metres.
    pub apart: f32,
    /// Positions of joints.
    range: Range,
    /// Largest entry of a stretch; `None` where no joint has one.
    stretch: Option<f32>,
    /// Numbers of each joint in each frame, frame after frame.
    numbers: Vec<i16>,
    /// Middle of what the camera shows, world space, and distance from it to the farthest corner, metres.
    center: Vec3,
    radius: f32,
    /// True where the camera follows the joints.
    is_followed: bool,
}

/// `T_j` of a joint as a rotation, a stretch before it, and where it takes the bind position.
#[derive(Clone, Copy)]
struct JointFrame {
    rotation: Quat,
    position: Vec3,
    stretch: Mat3,
}

impl Motions {
    /// Compared pose and clips of a rig with a skin. `pose` is what the user added, which clips have on top.
    ///
    /// `None` where the job was cancelled.
    pub(super) fn of(
        measures: &Measures,
        pose: &Pose,
        skin: &Skin,
        posed: &Posed,
        progress: &Progress,
    ) -> Option<Self> {
        let compared = &measures.compared;
        let rig = &*measures.rig;
        let mut recorder = Recorder::new(rig, skin, &posed.morph_weights);
        let still = recorder.motion(&compared.title, &compared.pose, &[compared.moment], progress)?;
        let first = compared.moment.map(|moment| moment.clip).filter(|clip| *clip < rig.clips.len());
        let others = (0..rig.clips.len()).filter(|clip| Some(*clip) != first);
        progress.enter("Recording clips", 0, rig.clips.len());
        let (mut clips, mut room) = (Vec::new(), MOST_BYTES);
        for clip in first.into_iter().chain(others) {
            progress.add(1);
            if clips.len() == MOST_CLIPS {
                break;
            }
            let Some(moments) = recorder.moments(clip, room) else { continue };
            let motion = recorder.clip(clip, &pose.over_time(), &moments, progress)?;
            room = room.saturating_sub(motion.numbers.len() * 2);
            clips.push((clip, motion));
        }
        clips.sort_by_key(|(clip, _)| *clip);
        let left_out = rig.clips.len() - clips.len();
        Some(Self { pose: still, clips: clips.into_iter().map(|(_, motion)| motion).collect(), left_out })
    }

    pub(super) fn json(&self) -> Value {
        std::iter::once(&self.pose).chain(&self.clips).map(Motion::json).collect()
    }
}

impl Motion {
    /// Time of a frame, seconds.
    pub(super) fn time_secs(&self, frame: usize) -> f32 {
        frame as f32 / (self.frames - 1).max(1) as f32 * self.duration_secs
    }

    /// Joints in a frame, as a page holds them.
    pub(super) fn palette(&self, frame: usize, skin: &Skin) -> Palette {
        let width = self.width();
        let numbers = &self.numbers[frame * skin.joints.len() * width..][..skin.joints.len() * width];
        let joint = |(numbers, joint): (&[i16], &super::skin::Joint)| {
            let rotation =
                Quat::from_vec4(Vec4::from_slice(&numbers[..4].iter().map(|n| share(*n)).collect::<Vec<_>>()));
            let stretch = self.stretch.map_or(Mat3::IDENTITY, |most| {
                let [xx, yy, zz, xy, xz, yz] = std::array::from_fn(|at| share(numbers[RIGID + at]) * most);
                Mat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
            });
            let matrix3 = Mat3::from_quat(rotation.normalize()) * stretch;
            let position = self.range.point([numbers[4], numbers[5], numbers[6]]);
            let matrix = Affine3::from_mat3_translation(matrix3, position - matrix3 * joint.bind_position);
            JointTransform::new(matrix, joint.bind_position)
        };
        Palette::from(numbers.chunks_exact(width).zip(&skin.joints).map(joint).collect::<Vec<_>>())
    }

    fn width(&self) -> usize {
        if self.stretch.is_some() { STRETCHED } else { RIGID }
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "duration": self.duration_secs,
            "frames": self.frames,
            "worst": self.worst,
            "apart": self.apart,
            "center": self.center.to_array(),
            "radius": self.radius,
            "follow": self.is_followed,
            "origin": self.range.center.to_array(),
            "reach": self.range.reach,
            "stretch": self.stretch,
            "joints": signed(self.numbers.iter().copied()),
        })
    }
}

/// Poses a rig moment after moment, and measures the view's vertices on both sides.
struct Recorder<'a> {
    rig: &'a Rig,
    skin: &'a Skin,
    positions: Vec<Vec3>,
    /// Weights of morph targets in the compared pose.
    morph_weights: &'a [Vec<f32>],
    buffers: SamplingBuffers,
    posed: Posed,
    sides: [Deformed; 2],
}

/// The name of a clip, or what stands for one that has none.
fn clip_name(name: &str) -> String {
    if name.is_empty() { "Clip without a name".to_owned() } else { name.to_owned() }
}

impl<'a> Recorder<'a> {
    fn new(rig: &'a Rig, skin: &'a Skin, morph_weights: &'a [Vec<f32>]) -> Self {
        let (buffers, posed) = (SamplingBuffers::default(), Posed::default());
        Self { rig, skin, positions: skin.positions(), morph_weights, buffers, posed, sides: Default::default() }
    }

    /// Number of frames of a clip at its own rate or at another one, if that is lower.
    fn frames_of(&self, clip: usize, most_rate: f32) -> usize {
        let rate = self.rig.frame_rate(clip).per_sec.min(most_rate);
        (self.rig.clips[clip].duration_secs * rate).round().max(0.0) as usize + 1
    }

    /// Moments of a clip as many as there is room for, in bytes; `None` where those are too few.
    fn moments(&self, clip: usize, room: usize) -> Option<Vec<Option<ClipMoment>>> {
        let wanted = self.frames_of(clip, MOST_RATE);
        let of_frame = (self.skin.joints.len() * RIGID * 2).max(1);
        let frames = wanted.min(MOST_FRAMES).min(MOST_CLIP_BYTES / of_frame);
        if frames < wanted.min(FEWEST_FRAMES) || frames * of_frame > room {
            return None;
        }
        let step = self.rig.clips[clip].duration_secs / (frames - 1).max(1) as f32;
        Some((0..frames).map(|frame| Some(ClipMoment { clip, time_secs: frame as f32 * step })).collect())
    }

    fn clip(
        &mut self,
        clip: usize,
        pose: &Pose,
        moments: &[Option<ClipMoment>],
        progress: &Progress,
    ) -> Option<Motion> {
        let is_coarse = moments.len() < self.frames_of(clip, f32::INFINITY);
        let of = &self.rig.clips[clip];
        let motion = self.motion(&clip_name(&of.name), pose, moments, progress)?;
        let duration_secs = if moments.len() > 1 { of.duration_secs } else { 0.0 };
        Some(Motion { duration_secs, is_coarse, ..motion })
    }

    /// Motion of a pose through some moments; `None` where the job was cancelled.
    fn motion(
        &mut self,
        name: &str,
        pose: &Pose,
        moments: &[Option<ClipMoment>],
        progress: &Progress,
    ) -> Option<Motion> {
        let mut frames: Vec<Vec<JointFrame>> = Vec::with_capacity(moments.len());
        let (mut bounds, mut radius, mut moves_morphs) = (Bounds::default(), 0.0_f32, false);
        let mut worst = (0, 0.0);
        for (number, moment) in moments.iter().enumerate() {
            progress.go_on()?;
            evaluate_into(self.rig, *moment, pose, &mut self.buffers, &mut self.posed);
            moves_morphs |= self.posed.morph_weights != self.morph_weights;
            let palette = self.skin.palette(&self.posed);
            let (of_frame, apart) = self.measure(&palette);
            bounds = bounds.joined(of_frame);
            radius = radius.max(of_frame.diagonal() * 0.5);
            if apart > worst.1 {
                worst = (number, apart);
            }
            let before = frames.last();
            frames.push(
                palette
                    .joints
                    .iter()
                    .enumerate()
                    .map(|(at, joint)| JointFrame::new(joint, before.map(|b| &b[at])))
                    .collect(),
            );
        }
        let all = || frames.iter().flatten();
        let range = Range::of(all().map(|joint| joint.position));
        let has_stretch = all().any(|joint| !joint.stretch.abs_diff_eq(Mat3::IDENTITY, LEAST_STRETCH));
        let entries = all().flat_map(|joint| joint.stretch.to_cols_array());
        let stretch = has_stretch.then(|| entries.fold(1e-6_f32, |most, entry| most.max(entry.abs())));
        let numbers = all().flat_map(|joint| joint.numbers(range, stretch)).collect();
        let is_followed = bounds.diagonal() * 0.5 > radius * ROOM;
        let radius = if is_followed { radius } else { bounds.diagonal() * 0.5 };
        Some(Motion {
            name: name.to_owned(),
            duration_secs: 0.0,
            frames: frames.len(),
            is_coarse: false,
            moves_morphs,
            worst: worst.0,
            apart: worst.1,
            range,
            stretch,
            numbers,
            center: if bounds.is_empty() { Vec3::ZERO } else { bounds.center() },
            radius: if radius.is_finite() { radius.max(1e-6) } else { 1.0 },
            is_followed,
        })
    }

    /// Room that both sides take in a pose, and the largest distance between them.
    fn measure(&mut self, palette: &Palette) -> (Bounds, f32) {
        let surface = Surface { positions: &self.positions, ..Surface::default() };
        for (method, side) in [Method::Lbs, Method::Dqs].into_iter().zip(&mut self.sides) {
            skin_into(method, palette, &self.skin.influences, surface, side);
        }
        let mut bounds = Bounds::default();
        self.sides.iter().flat_map(|side| &side.positions).filter(|p| p.is_finite()).for_each(|p| bounds.add(*p));
        let [a, b] = self.sides.each_ref().map(|side| &side.positions);
        let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b)).filter(|distance| distance.is_finite());
        (bounds, distances.fold(0.0, f32::max))
    }
}

impl JointFrame {
    /// Transform of a joint, with the sign of its rotation that is nearer to that of the frame before.
    fn new(joint: &JointTransform, before: Option<&Self>) -> Self {
        let rotation = Quat::from_vec4(joint.rigid.real);
        let is_far = before.is_some_and(|before| before.rotation.dot(rotation) < 0.0);
        Self {
            rotation: if is_far { -rotation } else { rotation },
            position: joint.matrix.transform_point3(joint.bind_position),
            stretch: joint.stretch_axes,
        }
    }

    /// Rotation, position, and the diagonal and the other entries of the stretch.
    fn numbers(&self, range: Range, stretch: Option<f32>) -> Vec<i16> {
        let [x, y, z] = [self.stretch.x_axis, self.stretch.y_axis, self.stretch.z_axis];
        let entries = [x.x, y.y, z.z, x.y, x.z, y.z];
        let stretched = stretch.into_iter().flat_map(|most| entries.map(|entry| whole(entry / most)));
        self.rotation.to_array().map(whole).into_iter().chain(range.whole(self.position)).chain(stretched).collect()
    }
}

/// Largest distance of the vertices on a page from where both sides have them in the compared pose, metres.
pub(super) fn rounding(skin: &Skin, pose: &Motion, sides: &[Vec<Vec3>; 2]) -> f32 {
    let (palette, positions) = (pose.palette(0, skin), skin.positions());
    let surface = Surface { positions: &positions, ..Surface::default() };
    let mut shown = Deformed::default();
    [Method::Lbs, Method::Dqs].into_iter().zip(sides).fold(0.0, |most, (method, side)| {
        skin_into(method, &palette, &skin.influences, surface, &mut shown);
        shown.positions.iter().zip(side).map(|(a, b)| a.distance(*b)).fold(most, f32::max)
    })
}
