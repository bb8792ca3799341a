//! Two sides of one picture, as the command line asks for them.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{ArgGroup, Args, ValueEnum};

use super::Console;
use super::compare::joint;
use super::numbers;
use crate::skinning::{Method, Normals, Skinner, Skinning};
use crate::state::{AppState, Command, MeasureError, findings, measure};
use crate::view::{Compare, Ghost, Layout, Overlay, Side, View, Wipe};

/// How side B is shown beside A, what it is, and what is painted over both.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("shown").args(["compare", "overlay"]).multiple(true)))]
pub struct SidesArgs {
    /// Show the skin by another method too: beyond a line, side by side, as glass over it, or its silhouette
    #[arg(long, value_name = "HOW")]
    compare: Option<How>,

    /// What to compare with: a method, or "rest" for the rest pose [default: dqs for lbs, otherwise lbs]
    #[arg(long, value_name = "METHOD|rest", requires = "shown")]
    with: Option<With>,

    /// Paint values over the skin: weight, joint-colors, dominant-joint, influence-count, distance, determinant, area-stretch,
    /// edge-stretch, normal-deviation, antipodal or findings
    #[arg(long, value_name = "NAME")]
    overlay: Option<Overlay>,

    /// The joint whose weights "--overlay weight" shows
    #[arg(long, value_name = "NAME", requires = "overlay")]
    joint: Option<String>,

    /// Degrees from upright, clockwise: 0 has the first method on the left, 90 above
    #[arg(long, value_name = "DEG", requires = "compare", allow_negative_numbers = true)]
    #[arg(value_parser = numbers::turn)]
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
    /// Sets up the comparison, and what is painted; what was not asked for stays.
    ///
    /// *Errors*: in words for the user.
    pub(super) fn apply_to(&self, state: &mut AppState, console: &Console) -> Result<(), String> {
        if let Some(name) = &self.joint {
            let joint = joint(state, name)?;
            state.apply(Command::Select(Some(joint)));
        }
        let compare = self.compare(&state.view);
        if compare.overlays.contains(&Some(Overlay::Weight)) && state.selected().is_none() {
            return Err("Whose weights? Name a joint by --joint".to_owned());
        }
        state.apply(Command::SetCompare(compare));
        state.refresh();
        console.stage("Measuring", String::new, || measure_sides(state))
    }

    fn compare(&self, view: &View) -> Compare {
        let shown = view.compare.clone();
        if self.compare.is_none() && self.overlay.is_none() {
            return shown;
        }
        let (layout, ghost) = match self.compare {
            None => (shown.layout, shown.ghost),
            Some(How::Wipe) => (Layout::Wipe, shown.ghost),
            Some(How::Split) => (Layout::SideBySide, shown.ghost),
            Some(How::Ghost) => (Layout::Ghost, Ghost::Translucent),
            Some(How::GhostOutline) => (Layout::Ghost, Ghost::Outline),
        };
        let a = &view.skinning;
        let (b, b_is_rest) = match self.with {
            // A session says itself what it compares.
            None if view.is_comparing() => (shown.b.clone(), shown.b_is_rest),
            None => (Skinning::new(a.method.next()), false),
            Some(With::Method(method)) => (Skinning::new(method), false),
            Some(With::Rest) => (a.clone(), true),
        };
        let wipe = Wipe {
            angle: self.wipe_angle.map_or(shown.wipe.angle, f32::to_radians),
            offset: self.wipe_offset.unwrap_or(shown.wipe.offset),
        };
        let overlays = self.overlay.map_or(shown.overlays, |overlay| [Some(overlay); 2]);
        // Halves have room for the file's own materials; where the sides lie over each other, clay tells their shapes apart.
        let is_clay = if self.compare == Some(How::Split) { view.display.clay } else { shown.is_clay };
        Compare { layout, b, b_is_rest, wipe, ghost, overlays, is_clay, ..shown }
    }
}

/// Finds what is to be painted over the sides, and the normals that they ask for.
///
/// *Errors*: a method that cannot serve this rig.
fn measure_sides(state: &mut AppState) -> Result<(), String> {
    let overlays = state.view.compare.overlays;
    let recomputes = |side| state.skinning(side).normals == Normals::Recomputed;
    if overlays == [None; 2] && !Side::ALL.into_iter().any(recomputes) {
        return Ok(());
    }
    MeasureError::check(state.rig()).map_err(|e| e.to_string())?;
    let never = AtomicBool::new(false);
    if overlays.contains(&Some(Overlay::Findings)) {
        let rig = Arc::clone(state.rig());
        let findings = findings(&rig, &state.document.warnings, &never).unwrap_or_default();
        state.apply(Command::Found { rig, findings });
    }
    let skinner = |side| Skinner::new(state.rig(), state.skinning(side)).map(Arc::new).map_err(|e| e.to_string());
    let skinners = [skinner(Side::A)?, skinner(Side::B)?];
    let plan = state.measure_plan();
    let measured = measure(&plan.job(skinners, 0), &never).unwrap_or_default();
    state.apply(Command::Measured(Box::new(plan), Box::new(Ok(measured))));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_compare_with_is_a_method_or_rest() {
        assert_eq!("rest".parse(), Ok(With::Rest));
        assert_eq!("dqs".parse(), Ok(With::Method(Method::Dqs)));
        assert!("pose".parse::<With>().unwrap_err().contains("rest"));
    }

    #[test]
    fn the_other_method_is_what_a_picture_is_compared_with_unless_another_is_named() {
        let args = |with| SidesArgs {
            compare: Some(How::Split),
            with,
            overlay: None,
            joint: None,
            wipe_angle: Some(90.0),
            wipe_offset: None,
        };
        let dqs = View { skinning: Method::Dqs.into(), ..View::default() };
        let compare = args(None).compare(&dqs);
        assert_eq!((compare.b.method, compare.layout, compare.b_is_rest), (Method::Lbs, Layout::SideBySide, false));
        assert!((compare.wipe.angle - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        let rest = args(Some(With::Rest)).compare(&dqs);
        assert_eq!((rest.b.method, rest.b_is_rest), (Method::Dqs, true));
        let nothing = SidesArgs { compare: None, ..args(None) };
        assert_eq!(nothing.compare(&dqs), dqs.compare);
        let painted = SidesArgs { overlay: Some(Overlay::Distance), ..nothing }.compare(&dqs);
        assert_eq!((painted.layout, painted.b.method), (Layout::Single, Method::Lbs));
    }

    #[test]
    fn halves_are_clay_where_asked_for_and_what_lies_over_each_other_always() {
        let is_clay = |how, clay| {
            let args = SidesArgs {
                compare: Some(how),
                with: None,
                overlay: None,
                joint: None,
                wipe_angle: None,
                wipe_offset: None,
            };
            let display = crate::view::Display { clay, ..Default::default() };
            args.compare(&View { display, ..View::default() }).is_clay
        };
        assert_eq!([is_clay(How::Split, false), is_clay(How::Split, true)], [false, true]);
        assert!([How::Wipe, How::Ghost, How::GhostOutline].into_iter().all(|how| is_clay(how, false)));
    }
}
