//! Two sides of one picture, as the command line asks for them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgGroup, Args, ValueEnum};

use super::angles;
use crate::cli::Console;
use crate::cli::MemoryArgs;
use crate::cli::compare::joint;
use crate::cli::morphs::find_morph;
use crate::cli::numbers;
use crate::cli::offering::offering;
use crate::cli::versions::compare_with;
use crate::skinning::{Method, Skinning};
use crate::stage::Stage;
use crate::studio::measure_sides;
use crate::view::{Ghost, Layout, Look, Overlay, ShownPose, Side, Topic};

/// How side B is shown beside A, what it is, and what is painted over both.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("shown").args(["compare", "overlay"]).multiple(true)))]
pub(super) struct SidesArgs {
    /// Compare with a second skin: across a line, side by side, as a translucent ghost, or as its outline
    #[arg(long, value_name = "HOW")]
    compare: Option<How>,

    /// Method of the second skin, or "rest" for the rest pose [default: lbs, or dqs if the first is lbs]
    #[arg(long, value_name = "METHOD|rest", requires = "shown")]
    #[arg(value_parser = offering(With::choices(), str::parse::<With>), hide_possible_values = true)]
    with: Option<With>,

    /// Compare with another file in the same pose (joints are matched by name), across a line unless --compare says otherwise
    #[arg(long, value_name = "OTHER", conflicts_with = "with")]
    with_file: Option<PathBuf>,

    /// Paint a measure over the skin
    #[arg(long, value_name = "NAME", help = overlay_help())]
    #[arg(value_parser = offering(Overlay::ALL, str::parse::<Overlay>), hide_possible_values = true)]
    overlay: Option<Overlay>,

    /// Joint whose weights --overlay weight shows
    #[arg(long, value_name = "NAME", requires = "overlay")]
    joint: Option<String>,

    /// Morph target that --overlay morph shows [default: the last of --morph]
    #[arg(long, value_name = "NAME", requires = "overlay")]
    target: Option<String>,

    /// Angle of the wipe line from upright, clockwise, in degrees: 0 has the first side on the left, 90 on top
    #[arg(long, value_name = "DEG", requires = "compare", allow_negative_numbers = true)]
    #[arg(value_parser = angles::turn)]
    wipe_angle: Option<f32>,

    /// Distance of the wipe line from the middle towards the second side, as a fraction of the picture's height
    #[arg(long, value_name = "S", requires = "compare", allow_negative_numbers = true)]
    #[arg(value_parser = |text: &str| numbers::within(text, -10.0..=10.0, "picture heights"))]
    wipe_offset: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum How {
    Wipe,
    Split,
    Ghost,
    GhostOutline,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum With {
    Method(Method),
    Rest,
}

impl With {
    fn choices() -> impl Iterator<Item = String> {
        Method::CHOICES.map(|method| method.to_string()).into_iter().chain(["rest".to_owned()])
    }
}

impl FromStr for With {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("rest") {
            return Ok(Self::Rest);
        }
        text.parse().map(Self::Method).map_err(|e| format!("{e}; or rest for the rest pose"))
    }
}

impl SidesArgs {
    /// Path of the other file that is read, if any.
    pub(super) fn other_file(&self) -> Option<&Path> {
        self.with_file.as_deref()
    }

    /// Sets up the comparison and the overlay; what was not asked for stays.
    ///
    /// *Errors*: in words for the user.
    pub(super) fn apply_to(&self, stage: &mut Stage, memory: MemoryArgs, console: &Console) -> Result<(), String> {
        if let Some(name) = &self.joint {
            let joint = joint(stage, name)?;
            stage.select(Some(joint));
        }
        if let Some(name) = &self.target {
            let morph = find_morph(stage.rig(), name)?;
            stage.choose_morph(morph);
        }
        if let Some(other) = &self.with_file {
            compare_with(stage, other, memory, console)?;
        }
        self.arrange(stage)?;
        if paints(stage, Topic::ActiveJoint) && stage.selected().is_none() {
            return Err("Whose weights? Name a joint by --joint".to_owned());
        }
        if paints(stage, Topic::MorphTarget) && stage.view.morph.is_none() {
            return Err("Which morph target? Name it by --target or --morph".to_owned());
        }
        stage.refresh();
        console.stage("Measuring", |_| measure_sides(stage))
    }

    /// Shows both sides as requested.
    fn arrange(&self, stage: &mut Stage) -> Result<(), String> {
        if self.compare.is_none() && self.overlay.is_none() {
            return Ok(());
        }
        self.share_picture(stage);
        self.set_other_side(stage)?;
        let wipe = &mut stage.view.compare.wipe;
        wipe.angle = self.wipe_angle.map_or(wipe.angle, f32::to_radians);
        wipe.offset = self.wipe_offset.unwrap_or(wipe.offset);
        if self.overlay.is_some() {
            stage.view.sides.iter_mut().for_each(|side| side.paint(self.overlay));
        }
        Ok(())
    }

    fn share_picture(&self, stage: &mut Stage) {
        let Some(how) = self.compare else { return };
        let (layout, ghost) = how.layout();
        stage.set_layout(layout);
        let is_clay = stage.view.display.look == Look::Clay;
        let compare = &mut stage.view.compare;
        compare.ghost = ghost.unwrap_or(compare.ghost);
        // Side by side there is room for the file's own materials; where the sides overlap, clay distinguishes their shapes.
        compare.is_clay = if how == How::Split { is_clay } else { compare.is_clay };
    }

    fn set_other_side(&self, stage: &mut Stage) -> Result<(), String> {
        let a = stage.skinning(Side::A).clone();
        let (skinning, pose) = match self.with {
            // A session itself says what it compares.
            None if stage.view.is_comparing() => return Ok(()),
            None => (Skinning::new(a.method.next()), ShownPose::Current),
            Some(With::Method(method)) => (Skinning::new(method), ShownPose::Current),
            Some(With::Rest) => (a, ShownPose::Rest),
        };
        stage.show_pose_on(Side::B, pose);
        let set = stage.set_skinning(Side::B, skinning);
        // A default that was not requested need not be possible.
        if self.with.is_some() { set.map_err(|problem| problem.to_string()) } else { Ok(()) }
    }
}

impl How {
    fn layout(self) -> (Layout, Option<Ghost>) {
        match self {
            Self::Wipe => (Layout::Wipe, None),
            Self::Split => (Layout::SideBySide, None),
            Self::Ghost => (Layout::Ghost, Some(Ghost::Translucent)),
            Self::GhostOutline => (Layout::Ghost, Some(Ghost::Outline)),
        }
    }
}

fn overlay_help() -> String {
    let [others @ .., last] = Overlay::ALL.map(|overlay| overlay.to_string());
    format!("Paint values over the skin: {} or {last}", others.join(", "))
}

/// True where the values painted over a side also depend on `subject`.
pub(super) fn paints(stage: &Stage, subject: Topic) -> bool {
    stage.view.sides.iter().any(|side| side.overlay.is_some_and(|overlay| overlay.spec().topic == subject))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::stage::{BuiltIn, Document, Source};
    use crate::view::View;

    #[test]
    fn what_to_compare_with_is_a_method_or_rest() {
        assert_eq!("rest".parse(), Ok(With::Rest));
        assert_eq!("dqs".parse(), Ok(With::Method(Method::Dqs)));
        assert!("pose".parse::<With>().unwrap_err().contains("rest"));
    }

    #[test]
    fn the_other_method_is_what_a_picture_is_compared_with_unless_another_is_named() {
        let args = |with| SidesArgs {
            with_file: None,
            compare: Some(How::Split),
            with,
            overlay: None,
            joint: None,
            target: None,
            wipe_angle: Some(90.0),
            wipe_offset: None,
        };
        let dqs = |args: &SidesArgs| compared(args, Method::Dqs).view;
        let view = dqs(&args(None));
        let b = &view.sides.b;
        assert_eq!((b.skinning.method, b.pose), (Method::Lbs, ShownPose::Current));
        assert_eq!(view.compare.layout, Layout::SideBySide);
        assert!((view.compare.wipe.angle - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        let rest = dqs(&args(Some(With::Rest))).sides.b;
        assert_eq!((rest.skinning.method, rest.pose), (Method::Dqs, ShownPose::Rest));
        let nothing = SidesArgs { compare: None, ..args(None) };
        assert_eq!(compared(&nothing, Method::Dqs).view.sides.b, View::skinned(Method::Dqs).sides.b);
        let painted = dqs(&SidesArgs { overlay: Some(Overlay::Distance), ..nothing });
        assert_eq!((painted.compare.layout, painted.sides.b.skinning.method), (Layout::Single, Method::Lbs));
    }

    fn compared(args: &SidesArgs, method: Method) -> Stage {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut stage = Stage::seen_as(tube, &View::skinned(method));
        stage.refresh();
        args.arrange(&mut stage).unwrap();
        stage
    }

    #[test]
    fn halves_are_clay_where_asked_for_and_what_lies_over_each_other_always() {
        let is_clay = |how, clay| {
            let args = SidesArgs {
                with_file: None,
                compare: Some(how),
                with: None,
                overlay: None,
                joint: None,
                target: None,
                wipe_angle: None,
                wipe_offset: None,
            };
            let mut stage = compared(&args, Method::Lbs);
            stage.view.display.look = if clay { Look::Clay } else { Look::Textured };
            args.arrange(&mut stage).unwrap();
            stage.view.is_clay()
        };
        assert_eq!([is_clay(How::Split, false), is_clay(How::Split, true)], [false, true]);
        assert!([How::Wipe, How::Ghost, How::GhostOutline].into_iter().all(|how| is_clay(how, false)));
    }
}
