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
use crate::state::{AppState, Command};
use crate::studio::measure_sides;
use crate::view::{Ghost, Layout, Look, Overlay, ShownPose, Side, Topic, View, Wipe};

/// How side B is shown beside A, what it is, and what is painted over both.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("shown").args(["compare", "overlay"]).multiple(true)))]
pub struct SidesArgs {
    /// Show the skin by another method too: beyond a line, side by side, as glass over it, or its silhouette
    #[arg(long, value_name = "HOW")]
    compare: Option<How>,

    /// What to compare with: a method, or "rest" for the rest pose [default: dqs for lbs, otherwise lbs]
    #[arg(long, value_name = "METHOD|rest", requires = "shown")]
    #[arg(value_parser = offering(With::choices(), str::parse::<With>), hide_possible_values = true)]
    with: Option<With>,

    /// Another file to compare with, in the same pose by joint name; by a line where --compare does not say otherwise
    #[arg(long, value_name = "OTHER", conflicts_with = "with")]
    with_file: Option<PathBuf>,

    /// Paint values over the skin
    #[arg(long, value_name = "NAME", help = overlay_help())]
    #[arg(value_parser = offering(Overlay::ALL, str::parse::<Overlay>), hide_possible_values = true)]
    overlay: Option<Overlay>,

    /// The joint whose weights "--overlay weight" shows
    #[arg(long, value_name = "NAME", requires = "overlay")]
    joint: Option<String>,

    /// The morph target whose reach "--overlay morph" shows [default: the last of --morph]
    #[arg(long, value_name = "NAME", requires = "overlay")]
    target: Option<String>,

    /// Degrees from upright, clockwise: 0 has the first method on the left, 90 above
    #[arg(long, value_name = "DEG", requires = "compare", allow_negative_numbers = true)]
    #[arg(value_parser = angles::turn)]
    wipe_angle: Option<f32>,

    /// From the middle towards the second method, as a share of the picture's height
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
    /// Another file that is read.
    pub(super) fn other_file(&self) -> Option<&Path> {
        self.with_file.as_deref()
    }

    /// Sets up the comparison, and what is painted; what was not asked for stays.
    ///
    /// *Errors*: in words for the user.
    pub(super) fn apply_to(&self, state: &mut AppState, memory: MemoryArgs, console: &Console) -> Result<(), String> {
        if let Some(name) = &self.joint {
            let joint = joint(state, name)?;
            state.apply(Command::Select(Some(joint)));
        }
        if let Some(name) = &self.target {
            let morph = find_morph(state.rig(), name)?;
            state.apply(Command::ChooseMorph(morph));
        }
        if let Some(other) = &self.with_file {
            compare_with(state, other, memory, console)?;
        }
        for command in self.commands(&state.open.view) {
            state.apply(command);
        }
        if paints(state, Topic::ActiveJoint) && state.selected().is_none() {
            return Err("Whose weights? Name a joint by --joint".to_owned());
        }
        if paints(state, Topic::MorphTarget) && state.open.view.morph.is_none() {
            return Err("Which morph target? Name it by --target or --morph".to_owned());
        }
        state.refresh();
        console.stage("Measuring", |_| measure_sides(state))
    }

    /// What sets up the comparison.
    fn commands(&self, view: &View) -> Vec<Command> {
        if self.compare.is_none() && self.overlay.is_none() {
            return Vec::new();
        }
        let mut commands: Vec<Command> = self.layout();
        // Halves have room for the file's own materials; where the sides lie over each other, clay tells their shapes apart.
        commands.extend(
            (self.compare == Some(How::Split)).then_some(Command::SetCompareInClay(view.display.look == Look::Clay)),
        );
        let a = &view.sides.a.skinning;
        let b = match self.with {
            // A session says itself what it compares.
            None if view.is_comparing() => None,
            None => Some((Skinning::new(a.method.next()), ShownPose::Current)),
            Some(With::Method(method)) => Some((Skinning::new(method), ShownPose::Current)),
            Some(With::Rest) => Some((a.clone(), ShownPose::Rest)),
        };
        if let Some((skinning, pose)) = b {
            commands.extend([Command::SetSkinning(Side::B, skinning), Command::SetShownPose(Side::B, pose)]);
        }
        let shown = view.compare.wipe;
        commands.push(Command::SetWipe(Wipe {
            angle: self.wipe_angle.map_or(shown.angle, f32::to_radians),
            offset: self.wipe_offset.unwrap_or(shown.offset),
        }));
        if self.overlay.is_some() {
            commands.extend(Side::ALL.map(|side| Command::SetOverlay(side, self.overlay)));
        }
        commands
    }

    fn layout(&self) -> Vec<Command> {
        match self.compare {
            None => Vec::new(),
            Some(How::Wipe) => vec![Command::SetLayout(Layout::Wipe)],
            Some(How::Split) => vec![Command::SetLayout(Layout::SideBySide)],
            Some(How::Ghost) => vec![Command::SetLayout(Layout::Ghost), Command::SetGhost(Ghost::Translucent)],
            Some(How::GhostOutline) => vec![Command::SetLayout(Layout::Ghost), Command::SetGhost(Ghost::Outline)],
        }
    }
}

fn overlay_help() -> String {
    let [others @ .., last] = Overlay::ALL.map(|overlay| overlay.to_string());
    format!("Paint values over the skin: {} or {last}", others.join(", "))
}

/// Whether the values painted over a side depend on something besides the sides.
fn paints(state: &AppState, subject: Topic) -> bool {
    state.open.view.sides.iter().any(|side| side.overlay.is_some_and(|overlay| overlay.spec().topic == subject))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::state::{BuiltIn, Document, Settings, Source};

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
        let dqs = |args: &SidesArgs| compared(args, Method::Dqs).open.view;
        let view = dqs(&args(None));
        let b = &view.sides.b;
        assert_eq!((b.skinning.method, b.pose), (Method::Lbs, ShownPose::Current));
        assert_eq!(view.compare.layout, Layout::SideBySide);
        assert!((view.compare.wipe.angle - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        let rest = dqs(&args(Some(With::Rest))).sides.b;
        assert_eq!((rest.skinning.method, rest.pose), (Method::Dqs, ShownPose::Rest));
        let nothing = SidesArgs { compare: None, ..args(None) };
        assert!(nothing.commands(&View::default()).is_empty());
        let painted = dqs(&SidesArgs { overlay: Some(Overlay::Distance), ..nothing });
        assert_eq!((painted.compare.layout, painted.sides.b.skinning.method), (Layout::Single, Method::Lbs));
    }

    fn compared(args: &SidesArgs, method: Method) -> AppState {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut state = AppState::new(tube, Settings { method, ..Settings::default() });
        for command in args.commands(&state.open.view) {
            state.apply(command);
        }
        state
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
            let mut state = compared(&args, Method::Lbs);
            state.apply(Command::SetDisplay(crate::view::Display {
                look: if clay { Look::Clay } else { Look::Textured },
                ..Default::default()
            }));
            args.commands(&state.open.view).into_iter().for_each(|command| _ = state.apply(command));
            state.open.view.is_clay()
        };
        assert_eq!([is_clay(How::Split, false), is_clay(How::Split, true)], [false, true]);
        assert!([How::Wipe, How::Ghost, How::GhostOutline].into_iter().all(|how| is_clay(how, false)));
    }
}
