//! The compared pose and the clips of the interactive view, as compact joint transforms per frame.

use glam::{Affine3, Mat3, Quat, Vec3, Vec4};
use serde_json::{Value, json};

use super::measures::Measures;
use super::quantization::{QuantizedRange, dequantize, signed, whole};
use super::skin::PageSkin;
use crate::jobs::Progress;
use crate::rig::{Bounds, ClipMoment, Pose, Posed, Rig, SamplingBuffers, evaluate_into};
use crate::skinning::{Deformed, JointTransform, Method, Palette, Surface, skin_into};

/// Maximum frame rate to store; the player interpolates between frames.
const MAX_RATE: f32 = 30.0;
const MAX_FRAMES: usize = 300;
/// Minimum number of frames of a clip that must fit on the page. If fewer frames of a longer clip fit, the clip is left
/// out.
const MIN_SHOWN_FRAMES: usize = 8;
const MAX_CLIPS: usize = 60;
/// Maximum size of a clip without stretch, before base64 encoding (which adds a third), bytes.
const MAX_CLIP_BYTES: usize = 200_000;
/// Maximum size of all clips, before base64 encoding, bytes.
const MAX_BYTES: usize = 600_000;
/// A frame counts as at least this many bytes, because posing and measuring take time even if there are few joints.
const MIN_FRAME_BYTES: usize = 200;
/// Numbers per joint and frame if no joint stretches: rotation and position.
const RIGID: usize = 7;
/// Numbers per joint and frame if any joint stretches: rotation, position and stretch.
const STRETCHED: usize = 13;
/// Stretches smaller than this are rounding errors.
const MIN_STRETCH: f32 = 5e-5;
/// If a clip's extent, relative to the character's size, is larger than this, the camera follows the character instead
/// of staying still.
const ROOM: f32 = 1.7;

pub(super) struct RecordedMotions {
    pub pose: RecordedMotion,
    pub clips: Vec<RecordedMotion>,
    pub left_out: usize,
}

pub(super) struct RecordedMotion {
    pub name: String,
    pub duration_secs: f32,
    /// Number of frames, evenly spaced from the start to the end of the clip.
    pub frames: usize,
    pub is_coarse: bool,
    /// True if morph targets move. The view doesn't show morph targets.
    pub moves_morphs: bool,
    pub worst: usize,
    /// Maximum distance between LBS and DQS in frame `worst`, metres.
    pub max_deviation: f32,
    range: QuantizedRange,
    /// Maximum absolute entry of all stretch matrices; `None` if no joint stretches.
    stretch: Option<f32>,
    numbers: Vec<i16>,
    /// World-space centre of what the camera shows, metres.
    center: Vec3,
    /// Radius of what the camera shows, metres.
    radius: f32,
    is_followed: bool,
}

/// `T_j`, split into a stretch followed by a rotation, and the transformed bind position.
#[derive(Clone, Copy)]
struct JointFrame {
    rotation: Quat,
    position: Vec3,
    stretch: Mat3,
}

impl RecordedMotions {
    /// Records the motions. `pose` holds the user's edits, which are combined with clips. Returns `None` if cancelled.
    pub(super) fn new(
        measures: &Measures,
        pose: &Pose,
        skin: &PageSkin,
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
        let (mut clips, mut room) = (Vec::new(), MAX_BYTES);
        for clip in first.into_iter().chain(others) {
            progress.add(1);
            if clips.len() == MAX_CLIPS {
                break;
            }
            let Some(moments) = recorder.moments(clip, room) else { continue };
            let motion = recorder.clip(clip, &pose.over_time(), &moments, progress)?;
            room = room.saturating_sub((motion.numbers.len() * 2).max(motion.frames * MIN_FRAME_BYTES));
            clips.push((clip, motion));
        }
        clips.sort_by_key(|(clip, _)| *clip);
        let left_out = rig.clips.len() - clips.len();
        Some(Self { pose: still, clips: clips.into_iter().map(|(_, motion)| motion).collect(), left_out })
    }

    pub(super) fn json(&self) -> Value {
        std::iter::once(&self.pose).chain(&self.clips).map(RecordedMotion::json).collect()
    }
}

impl RecordedMotion {
    pub(super) fn time_secs(&self, frame: usize) -> f32 {
        frame as f32 / (self.frames - 1).max(1) as f32 * self.duration_secs
    }

    pub(super) fn palette(&self, frame: usize, skin: &PageSkin) -> Palette {
        let width = self.width();
        let numbers = &self.numbers[frame * skin.joints.len() * width..][..skin.joints.len() * width];
        let joint = |(numbers, joint): (&[i16], &super::skin::PageJoint)| {
            let rotation =
                Quat::from_vec4(Vec4::from_slice(&numbers[..4].iter().map(|n| dequantize(*n)).collect::<Vec<_>>()));
            let stretch = self.stretch.map_or(Mat3::IDENTITY, |max_stretch| {
                let [xx, yy, zz, xy, xz, yz] = std::array::from_fn(|at| dequantize(numbers[RIGID + at]) * max_stretch);
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
            "apart": self.max_deviation,
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

struct Recorder<'a> {
    rig: &'a Rig,
    skin: &'a PageSkin,
    positions: Vec<Vec3>,
    morph_weights: &'a [Vec<f32>],
    buffers: SamplingBuffers,
    posed: Posed,
    sides: [Deformed; 2],
}

impl<'a> Recorder<'a> {
    fn new(rig: &'a Rig, skin: &'a PageSkin, morph_weights: &'a [Vec<f32>]) -> Self {
        let (buffers, posed) = (SamplingBuffers::default(), Posed::default());
        Self { rig, skin, positions: skin.positions(), morph_weights, buffers, posed, sides: Default::default() }
    }

    /// Returns the number of frames of a clip at its own frame rate or at `max_rate` frames per second, whichever is
    /// lower.
    fn frame_count(&self, clip: usize, max_rate: f32) -> usize {
        let rate = self.rig.frame_rate(clip).per_sec.min(max_rate);
        let intervals = (self.rig.clips[clip].duration_secs * rate).round().max(0.0) as usize;
        intervals.saturating_add(1)
    }

    /// Returns evenly spaced moments of a clip; `None` if too few moments fit, or if they take more than `room` bytes.
    fn moments(&self, clip: usize, room: usize) -> Option<Vec<Option<ClipMoment>>> {
        let wanted = self.frame_count(clip, MAX_RATE);
        let of_frame = (self.skin.joints.len() * RIGID * 2).max(MIN_FRAME_BYTES);
        let frames = wanted.min(MAX_FRAMES).min(MAX_CLIP_BYTES / of_frame);
        if frames < wanted.min(MIN_SHOWN_FRAMES) || frames * of_frame > room {
            return None;
        }
        let step = self.rig.clips[clip].duration_secs / (frames - 1).max(1) as f32;
        Some((0..frames).map(|frame| Some(ClipMoment::new(clip, frame as f32 * step))).collect())
    }

    fn clip(
        &mut self,
        clip: usize,
        pose: &Pose,
        moments: &[Option<ClipMoment>],
        progress: &Progress,
    ) -> Option<RecordedMotion> {
        let is_coarse = moments.len() < self.frame_count(clip, f32::INFINITY);
        let of = &self.rig.clips[clip];
        let motion = self.motion(of.title(), pose, moments, progress)?;
        let duration_secs = if moments.len() > 1 { of.duration_secs } else { 0.0 };
        Some(RecordedMotion { duration_secs, is_coarse, ..motion })
    }

    fn motion(
        &mut self,
        name: &str,
        pose: &Pose,
        moments: &[Option<ClipMoment>],
        progress: &Progress,
    ) -> Option<RecordedMotion> {
        let mut frames: Vec<Vec<JointFrame>> = Vec::with_capacity(moments.len());
        let (mut bounds, mut radius, mut moves_morphs) = (Bounds::default(), 0.0_f32, false);
        let mut worst = (0, 0.0);
        for (number, moment) in moments.iter().enumerate() {
            progress.check_cancelled()?;
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
        let range = QuantizedRange::from_points(all().map(|joint| joint.position));
        let has_stretch = all().any(|joint| !joint.stretch.abs_diff_eq(Mat3::IDENTITY, MIN_STRETCH));
        let entries = all().flat_map(|joint| joint.stretch.to_cols_array());
        let stretch = has_stretch.then(|| entries.fold(1e-6_f32, |max_stretch, entry| max_stretch.max(entry.abs())));
        let numbers = all().flat_map(|joint| joint.numbers(range, stretch)).collect();
        let is_followed = bounds.diagonal() * 0.5 > radius * ROOM;
        let radius = if is_followed { radius } else { bounds.diagonal() * 0.5 };
        Some(RecordedMotion {
            name: name.to_owned(),
            duration_secs: 0.0,
            frames: frames.len(),
            is_coarse: false,
            moves_morphs,
            worst: worst.0,
            max_deviation: worst.1,
            range,
            stretch,
            numbers,
            center: if bounds.is_empty() { Vec3::ZERO } else { bounds.center() },
            radius: if radius.is_finite() { radius.max(1e-6) } else { 1.0 },
            is_followed,
        })
    }

    fn measure(&mut self, palette: &Palette) -> (Bounds, f32) {
        let surface = Surface { positions: &self.positions, ..Surface::default() };
        for (method, side) in [Method::Lbs, Method::Dqs].into_iter().zip(&mut self.sides) {
            skin_into(method, palette, &self.skin.influences, surface, side);
        }
        let bounds = self.sides.iter().flat_map(|side| &side.positions).copied().collect();
        let [a, b] = self.sides.each_ref().map(|side| &side.positions);
        let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b)).filter(|distance| distance.is_finite());
        (bounds, distances.fold(0.0, f32::max))
    }
}

impl JointFrame {
    /// Creates a frame. Chooses the sign of the quaternion that is closer to the rotation in `before`, the previous
    /// frame.
    fn new(joint: &JointTransform, before: Option<&Self>) -> Self {
        let rotation = Quat::from_vec4(joint.rigid.real);
        let is_far = before.is_some_and(|before| before.rotation.dot(rotation) < 0.0);
        Self {
            rotation: if is_far { -rotation } else { rotation },
            position: joint.matrix.transform_point3(joint.bind_position),
            stretch: joint.stretch_axes,
        }
    }

    fn numbers(&self, range: QuantizedRange, stretch: Option<f32>) -> Vec<i16> {
        let [x, y, z] = [self.stretch.x_axis, self.stretch.y_axis, self.stretch.z_axis];
        let entries = [x.x, y.y, z.z, x.y, x.z, y.z];
        let stretched = stretch.into_iter().flat_map(|max_stretch| entries.map(|entry| whole(entry / max_stretch)));
        self.rotation.to_array().map(whole).into_iter().chain(range.quantize(self.position)).chain(stretched).collect()
    }
}

/// Returns the maximum quantisation error, in metres, of either side in the compared pose.
pub(super) fn rounding(skin: &PageSkin, pose: &RecordedMotion, sides: &[Vec<Vec3>; 2]) -> f32 {
    let (palette, positions) = (pose.palette(0, skin), skin.positions());
    let surface = Surface { positions: &positions, ..Surface::default() };
    let mut shown = Deformed::default();
    [Method::Lbs, Method::Dqs].into_iter().zip(sides).fold(0.0, |max_distance, (method, side)| {
        skin_into(method, &palette, &skin.influences, surface, &mut shown);
        shown.positions.iter().zip(side).map(|(a, b)| a.distance(*b)).fold(max_distance, f32::max)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;
    use crate::import::{Job, import_bytes};
    use crate::report::model::primitive;
    use crate::rig::{Clip, Influences, PrimitiveIndex, Trs, evaluate};
    use crate::skinning::{RigSkinning, Skinning, deform_some, palettes, skin};
    use crate::stage::BuiltIn;

    /// Largest allowed difference between the page's result and the kernels', relative to the rig's size.
    const OFF: f32 = 2e-4;

    fn rig(built_in: BuiltIn) -> Rig {
        import_bytes(built_in.bytes(), &Job::default()).unwrap().rig
    }

    fn vertices(rig: &Rig, step: usize) -> Vec<(PrimitiveIndex, usize)> {
        let of_part = |part| (0..primitive(rig, part).positions.len()).step_by(step).map(move |vertex| (part, vertex));
        rig.parts().flat_map(of_part).collect()
    }

    fn numbers(text: &Value) -> Vec<i16> {
        let bytes = STANDARD.decode(text.as_str().unwrap()).unwrap();
        bytes.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair)).collect()
    }

    fn float(value: &Value) -> f32 {
        value.as_f64().unwrap() as f32
    }

    fn vector(value: &Value) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|axis| float(&value[axis])))
    }

    /// Decodes both sides of a frame from the page's data alone.
    fn shown(skin_json: &Value, motion: &Value, frame: usize) -> [Vec<Vec3>; 2] {
        let unit = |numbers: &[i16]| Vec3::from_slice(&numbers.iter().map(|n| dequantize(*n)).collect::<Vec<_>>());
        let (center, reach) = (vector(&skin_json["center"]), float(&skin_json["reach"]));
        let positions: Vec<Vec3> =
            numbers(&skin_json["positions"]).chunks(3).map(|p| center + unit(p) * reach).collect();
        let slots = skin_json["slots"].as_u64().unwrap() as usize;
        let joints = numbers(&skin_json["joints"]).into_iter().map(i16::cast_unsigned).collect();
        let weights: Vec<f32> =
            numbers(&skin_json["weights"]).into_iter().map(|w| f32::from(w.cast_unsigned())).collect();
        let weights = weights.chunks(slots).flat_map(|w| w.iter().map(|x| x / w.iter().sum::<f32>())).collect();
        let bind: Vec<f32> = skin_json["bind"].as_array().unwrap().iter().map(float).collect();
        let max_stretch = motion["stretch"].as_f64().map(|max_stretch| max_stretch as f32);
        let width = if max_stretch.is_some() { 13 } else { 7 };
        let of_frame = numbers(&motion["joints"]);
        let of_frame = of_frame.chunks(width).skip(frame * bind.len() / 3);
        let transform = |(numbers, bind): (&[i16], &[f32])| {
            let bind = Vec3::from_slice(bind);
            let rotation =
                Quat::from_slice(&numbers[..4].iter().map(|n| dequantize(*n)).collect::<Vec<_>>()).normalize();
            let stretch = max_stretch.map_or(Mat3::IDENTITY, |max_stretch| {
                let [diagonal, rest] = [unit(&numbers[7..10]) * max_stretch, unit(&numbers[10..]) * max_stretch];
                Mat3::from_cols(
                    Vec3::new(diagonal.x, rest.x, rest.y),
                    Vec3::new(rest.x, diagonal.y, rest.z),
                    Vec3::new(rest.y, rest.z, diagonal.z),
                )
            });
            let place = vector(&motion["origin"]) + unit(&numbers[4..7]) * float(&motion["reach"]);
            let matrix3 = Mat3::from_quat(rotation) * stretch;
            JointTransform::new(Affine3::from_mat3_translation(matrix3, place - matrix3 * bind), bind)
        };
        let palette = Palette::from(of_frame.zip(bind.chunks(3)).map(transform).collect::<Vec<_>>());
        let influences = Influences::new(slots, joints, weights);
        let surface = Surface { positions: &positions, ..Surface::default() };
        [Method::Lbs, Method::Dqs].map(|method| skin(method, &palette, &influences, surface).positions)
    }

    fn farthest(rig: &Rig, clip: usize, step: usize) -> f32 {
        let vertices = vertices(rig, step);
        let rest = Pose::rest(&rig.hierarchy);
        let morphs = evaluate(rig, None, &rest).morph_weights;
        let of_page = PageSkin::new(rig, &vertices, &morphs);
        let mut recorder = Recorder::new(rig, &of_page, &morphs);
        let moments = recorder.moments(clip, MAX_BYTES).unwrap();
        let motion = recorder.clip(clip, &rest, &moments, &Progress::default()).unwrap();
        let (skin_json, motion_json) = (of_page.json(), motion.json());
        let frames = [0, motion.frames / 3, motion.worst, motion.frames - 1];
        let methods = [Method::Lbs, Method::Dqs].map(Skinning::new);
        frames.into_iter().fold(0.0, |max_distance, frame| {
            let moment = ClipMoment::new(clip, motion.time_secs(frame));
            let posed = evaluate(rig, Some(moment), &rest);
            let palettes = palettes(rig, &posed);
            let pose = crate::skinning::SkinPose { posed: &posed, palettes: &palettes };
            methods.iter().zip(shown(&skin_json, &motion_json, frame)).fold(
                max_distance,
                |max_distance, (skinning, shown)| {
                    let expected = rig.parts().flat_map(|part| {
                        let of_part: Vec<u32> = vertices.iter().filter(|v| v.0 == part).map(|v| v.1 as u32).collect();
                        deform_some(rig, part, &of_part, pose, RigSkinning { skinning, centers: None })
                    });
                    shown.iter().zip(expected).map(|(a, b)| a.distance(b)).fold(max_distance, f32::max)
                },
            )
        })
    }

    #[test]
    fn a_page_has_every_vertex_where_the_kernels_have_it_on_both_sides() {
        for (built_in, step) in [(BuiltIn::Tube, 1), (BuiltIn::Figure, 29)] {
            let rig = rig(built_in);
            for clip in 0..rig.clips.len() {
                let off = farthest(&rig, clip, step) / rig.size();
                assert!(off < OFF, "{built_in:?}, clip {clip}: {off}");
            }
        }
    }

    #[test]
    fn joints_that_stretch_do_so_on_a_page() {
        let mut rig = rig(BuiltIn::Tube);
        // Every joint stretches unevenly while it rotates.
        let clips = rig.clips.iter().map(|clip| {
            let mut clip = Clip::clone(clip);
            let scaled = clip.channels.iter().map(|channel| crate::rig::Channel {
                property: crate::rig::Property::Scale,
                interpolation: crate::rig::Interpolation::Linear,
                values: channel.times_secs.iter().flat_map(|t| [1.0 + 0.2 * t, 1.0, 1.0 - 0.1 * t]).collect(),
                width: 3,
                ..channel.clone()
            });
            let scaled: Vec<_> = scaled.collect();
            clip.channels.extend(scaled);
            clip
        });
        let (first, clips) = (rig.clips.len(), clips.collect());
        rig = rig.with_clips(clips);
        let vertices = vertices(&rig, 1);
        let skin = PageSkin::new(&rig, &vertices, &[]);
        let mut recorder = Recorder::new(&rig, &skin, &[]);
        let moments = recorder.moments(first, MAX_BYTES).unwrap();
        let motion = recorder.clip(first, &Pose::rest(&rig.hierarchy), &moments, &Progress::default()).unwrap();
        assert!(motion.stretch.is_some_and(|max_stretch| max_stretch > 1.1), "{:?}", motion.stretch);
        let off = farthest(&rig, first, 1) / rig.size();
        assert!(off < OFF, "{off}");
    }

    #[test]
    fn the_worst_frame_is_that_of_the_measures_over_a_clip() {
        use crate::analysis::motion::{MotionJob, MovedSide, motions};
        use crate::skinning::Skinner;
        let rig = Arc::new(rig(BuiltIn::Tube));
        let pose = Pose::rest(&rig.hierarchy);
        let side = |method| MovedSide {
            skinner: Arc::new(Skinner::new(&rig, &Skinning::new(method)).unwrap()),
            pose: pose.clone(),
            clips: (0..rig.clips.len()).map(Some).collect(),
        };
        let sides = crate::view::PerSide { a: side(Method::Lbs), b: side(Method::Dqs) };
        let job = MotionJob { rig: Arc::clone(&rig), clips: vec![0], rate: None, sides, versions: None };
        let measured = motions(&job, &Progress::default()).unwrap();
        let distances = &measured.clips[0].distances;
        let max_distance = distances.iter().map(|distance| distance.max).fold(0.0, f64::max);
        let skin = PageSkin::new(&rig, &vertices(&rig, 1), &[]);
        let mut recorder = Recorder::new(&rig, &skin, &[]);
        let moments = recorder.moments(0, MAX_BYTES).unwrap();
        let motion = recorder.clip(0, &pose, &moments, &Progress::default()).unwrap();
        assert!(
            (f64::from(motion.max_deviation) / max_distance - 1.0).abs() < 1e-3,
            "{} {max_distance}",
            motion.max_deviation
        );
        let rate = rig.frame_rate(0).per_sec;
        let at = distances[(motion.time_secs(motion.worst) * rate).round() as usize].max;
        assert!((at / max_distance - 1.0).abs() < 1e-3, "{at} {max_distance}");
    }

    #[test]
    fn clips_without_room_are_left_out_and_long_ones_have_fewer_frames() {
        let rig = rig(BuiltIn::Tube);
        let skin = PageSkin::new(&rig, &vertices(&rig, 1), &[]);
        let long = |secs: f32| Clip { duration_secs: secs, ..Clip::default() };
        let first = rig.clips.len();
        let rig = rig.with_clips(vec![long(0.0), long(2.0), long(1e6), long(f32::MAX)]);
        let recorder = Recorder::new(&rig, &skin, &[]);
        let count = |clip, room| recorder.moments(first + clip, room).map(|moments| moments.len());
        assert_eq!([0, 1, 2, 3].map(|clip| count(clip, MAX_BYTES)), [Some(1), Some(61), Some(300), Some(300)]);
        assert_eq!(count(1, 60 * MIN_FRAME_BYTES), None);
    }

    #[test]
    fn a_joint_keeps_the_sign_that_is_near() {
        let turned = |degrees: f32| {
            let rotation = Quat::from_rotation_x(degrees.to_radians());
            let local = Trs { rotation, ..Trs::IDENTITY };
            JointTransform::new(local.to_affine(), Vec3::ZERO)
        };
        let mut before = JointFrame::new(&turned(0.0), None);
        for degrees in (0..720).step_by(10) {
            let next = JointFrame::new(&turned(degrees as f32), Some(&before));
            assert!(before.rotation.dot(next.rotation) > 0.9, "{degrees}");
            before = next;
        }
    }
}
