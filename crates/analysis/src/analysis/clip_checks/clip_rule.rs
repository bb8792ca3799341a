//! Rules for a clip.

use super::measures::ClipMeasures;
use crate::analysis::feet::ClipFeet;
use crate::analysis::lint::rules::{Limits, Measure};
use crate::analysis::lint::{Code, short};
use crate::analysis::seams::{Seam, height, min_travel};
use rigscope_core::rig::{NodeIndex, Rig};

/// A rule for a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClipRule {
    /// Maximum angle between a joint's rotations at the start and the end of the clip, degrees.
    Seam(f64),
    /// Maximum distance between a vertex's positions at the start and the end of the clip, millimetres; `None` means
    /// [`LOOP_GAP`] times the rig's height.
    Gap(Option<f64>),
    /// Required motion of the root.
    Root(RootMotion),
    /// Maximum slide of a foot during one floor contact, millimetres.
    FootSlide(f64),
    /// Required frame rate, frames per second.
    Rate(f64),
    /// Limits of the duration.
    Seconds {
        /// Minimum duration, seconds.
        min: Option<f64>,
        /// Maximum duration, seconds.
        max: Option<f64>,
    },
}

/// Required motion of a clip's root; see [`crate::analysis::seams::Travel::moves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootMotion {
    /// The root ends near where it began.
    InPlace,
    /// The root ends away from where it began.
    Moving,
}

/// Default limit of [`ClipRule::Seam`] for looping clips, degrees. 1° at the hip of a 0.9 m leg moves the foot by 16 mm, which is
/// visible. Closed loops are off by about 0.01°; loops that lack their closing frame are off by one frame's rotation, 2° or more.
pub const LOOP_SEAM_DEG: f64 = 1.0;

/// Default limit of [`ClipRule::Gap`], relative to the rig's height at rest. A point one rig height away from the pivot
/// moves this far when it is rotated by 1°.
pub const LOOP_GAP: f64 = 0.0175;

pub(super) struct ClipRuleResult {
    /// Measured value, in the unit of the rule's [`Measure`].
    pub value: f64,
    pub is_met: bool,
    /// Rest of a sentence that starts with the clip's name.
    pub clause: String,
    pub detail: String,
    pub joint: Option<NodeIndex>,
}

/// Tolerance for frame rates, frames per second: small enough to tell 29.97 from 30.
const SAME_RATE: f64 = 0.01;

/// Tolerance for durations, seconds.
const SAME_TIME: f64 = 1e-4;

impl ClipRule {
    pub(super) fn is_of_seam(&self) -> bool {
        matches!(self.code(), Code::ClipSeam | Code::ClipRoot)
    }

    pub(super) fn is_of_feet(&self) -> bool {
        self.code() == Code::ClipFootSlide
    }

    fn texts(&self) -> (&'static str, Measure, Code) {
        match self {
            Self::Seam(_) => ("loop, angle", Measure::ClipSeam, Code::ClipSeam),
            Self::Gap(_) => ("loop, gap", Measure::ClipGap, Code::ClipSeam),
            Self::Root(_) => ("root", Measure::ClipTravel, Code::ClipRoot),
            Self::FootSlide(_) => ("foot slide", Measure::FootSlide, Code::ClipFootSlide),
            Self::Rate(_) => ("rate", Measure::ClipRate, Code::ClipTiming),
            Self::Seconds { .. } => ("length", Measure::ClipSeconds, Code::ClipTiming),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.texts().0
    }

    pub(super) fn measure(&self) -> Measure {
        self.texts().1
    }

    pub(super) fn code(&self) -> Code {
        self.texts().2
    }

    pub(super) fn limits(&self, rig: &Rig) -> Limits {
        let min = |min: f64| Limits { min: vec![min], max: Vec::new() };
        match *self {
            Self::Seam(max) | Self::FootSlide(max) => Limits::at_most(max),
            Self::Gap(max) => Limits::at_most(max.unwrap_or_else(|| usual_gap(rig))),
            Self::Root(RootMotion::InPlace) => Limits::at_most(f64::from(min_travel(rig))),
            Self::Root(RootMotion::Moving) => min(f64::from(min_travel(rig))),
            Self::Rate(rate) => Limits { min: vec![rate], max: vec![rate] },
            Self::Seconds { min, max } => Limits { min: min.into_iter().collect(), max: max.into_iter().collect() },
        }
    }

    pub(super) fn requirement(&self, rig: &Rig) -> String {
        match self {
            Self::Root(RootMotion::InPlace) => "it must stay in place".to_owned(),
            Self::Root(RootMotion::Moving) => "it must move".to_owned(),
            Self::Rate(_) => format!("it must have {}", self.limits(rig).describe(self.measure(), 0)),
            Self::Seconds { min: Some(_), .. } => {
                format!("it must be {} long", self.limits(rig).describe(self.measure(), 0))
            }
            _ => format!("the limit is {}", self.limits(rig).describe(self.measure(), 0)),
        }
    }

    pub(super) fn check_clip(&self, rig: &Rig, clip: usize, measured: &ClipMeasures) -> Result<ClipRuleResult, String> {
        match *self {
            Self::Seam(max) => seam_angle(rig, measured.seam(clip)?, max),
            Self::Gap(_) => skin_gap(rig, measured.seam(clip)?, self.limits(rig).max[0]),
            Self::Root(wanted) => Ok(root(measured.seam(clip)?, wanted)),
            Self::FootSlide(max) => foot_slide(rig, measured.feet(clip)?, max),
            Self::Rate(wanted) => rate(rig, clip, wanted),
            Self::Seconds { min, max } => Ok(seconds(rig, clip, min, max)),
        }
    }
}

pub(super) fn clip_name(rig: &Rig, clip: usize) -> String {
    format!("Clip {clip} \"{}\"", short(&rig.clips[clip].name))
}

fn usual_gap(rig: &Rig) -> f64 {
    f64::from(height(rig)) * LOOP_GAP * 1e3
}

fn joint_name(rig: &Rig, joint: NodeIndex) -> String {
    format!("\"{}\"", short(rig.hierarchy.name(joint)))
}

fn at_end(rig: &Rig, seam: &Seam) -> String {
    format!("{:.3} s", rig.clips[seam.clip].duration_secs)
}

fn seam_angle(rig: &Rig, seam: &Seam, max: f64) -> Result<ClipRuleResult, String> {
    let (joint, angle) = seam.rotation_gap.ok_or_else(|| "no joint has a rotation".to_owned())?;
    let value = f64::from(angle.to_degrees());
    let (name, end) = (joint_name(rig, joint), at_end(rig, seam));
    Ok(ClipRuleResult {
        value,
        is_met: value <= max,
        clause: format!(
            "does not loop: at its end ({end}) joint {name} ends {value:.2}° away from its starting rotation"
        ),
        detail: format!("{name} at {end}"),
        joint: Some(joint),
    })
}

fn skin_gap(rig: &Rig, seam: &Seam, max: f64) -> Result<ClipRuleResult, String> {
    let (what, joint, metres) = if rig.vertex_count() > 0 {
        ("the skin", seam.skin_gap.joint, seam.skin_gap.max)
    } else {
        let (joint, gap) = seam.gap.ok_or_else(|| "no joint has a position".to_owned())?;
        ("a joint", Some(joint), f64::from(gap))
    };
    let value = metres * 1e3;
    let end = at_end(rig, seam);
    let name = joint.map_or_else(String::new, |joint| format!(" at joint {}", joint_name(rig, joint)));
    let vertex = seam.skin_gap.worst.map_or_else(String::new, |place| {
        let mesh = &rig.meshes[rig.instances[place.instance].mesh];
        format!(", vertex {} of mesh {}", place.vertex, mesh.source)
    });
    Ok(ClipRuleResult {
        value,
        is_met: value <= max,
        clause: format!("does not loop: at its end ({end}) {what} is {value:.1} mm off{name}"),
        detail: format!("{end}{name}{vertex}"),
        joint,
    })
}

fn root(seam: &Seam, wanted: RootMotion) -> ClipRuleResult {
    let travel = &seam.travel;
    let way = format!("{:.3} m over the floor and turns by {:.1}°", travel.distance, travel.turn.to_degrees());
    let clause = if travel.moves {
        format!("moves: from start to end its root goes {way}")
    } else {
        format!("stays in place: from start to end its root goes {way}")
    };
    ClipRuleResult {
        value: f64::from(travel.distance),
        is_met: travel.moves == (wanted == RootMotion::Moving),
        clause,
        detail: format!("{way} from start to end"),
        joint: None,
    }
}

fn foot_slide(rig: &Rig, feet: &ClipFeet, max: f64) -> Result<ClipRuleResult, String> {
    let (foot, contact) = feet.worst_foot().ok_or_else(|| "no foot is ever on the floor".to_owned())?;
    let value = f64::from(contact.slide) * 1e3;
    let name = joint_name(rig, foot.foot);
    let when = format!("{:.3} s, frame {}", contact.start_secs, rig.frame_rate(feet.clip).frame(contact.start_secs));
    Ok(ClipRuleResult {
        value,
        is_met: value <= max,
        clause: format!("slides: foot {name} by {value:.1} mm in the contact that begins at {when}"),
        detail: format!("{name} from {when} on"),
        joint: Some(foot.foot),
    })
}

fn rate(rig: &Rig, number: usize, wanted: f64) -> Result<ClipRuleResult, String> {
    let (clip, own) = (&rig.clips[number], rig.frame_rate(number));
    let value = f64::from(own.per_sec);
    let is_met = (value - wanted).abs() <= SAME_RATE;
    if !own.is_of_keys {
        return Err("its keys match no common frame rate".to_owned());
    }
    if !is_met && clip.may_have_rate(wanted as f32) {
        return Err(format!("its few keys match both {wanted} and {value:.2} frames per second"));
    }
    let clause = format!("has {}", Measure::ClipRate.number(value));
    Ok(ClipRuleResult { value, is_met, clause, detail: String::new(), joint: None })
}

fn seconds(rig: &Rig, clip: usize, min: Option<f64>, max: Option<f64>) -> ClipRuleResult {
    let value = f64::from(rig.clips[clip].duration_secs);
    let is_met = min.is_none_or(|min| value >= min - SAME_TIME) && max.is_none_or(|max| value <= max + SAME_TIME);
    let clause = format!("is {} long", Measure::ClipSeconds.number(value));
    ClipRuleResult { value, is_met, clause, detail: String::new(), joint: None }
}
