//! Two sides of one picture, as the command line asks for them.

use std::str::FromStr;

use clap::{Args, ValueEnum};

use crate::skinning::{Method, Skinning};
use crate::view::{Compare, Ghost, Layout, View, Wipe};

/// How side B is shown beside A, and what it is.
#[derive(Args, Debug)]
pub struct SidesArgs {
    /// Show the skin by another method too: beyond a line, side by side, as glass over it, or its silhouette
    #[arg(long, value_name = "HOW")]
    compare: Option<How>,

    /// What to compare with: a method, or "rest" for the rest pose [default: dqs for lbs, otherwise lbs]
    #[arg(long, value_name = "METHOD|rest", requires = "compare")]
    with: Option<With>,

    /// Degrees from upright, clockwise: 0 has the first method on the left, 90 above
    #[arg(long, value_name = "DEG", requires = "compare", allow_negative_numbers = true)]
    #[arg(default_value_t = 0.0, value_parser = parse_number)]
    wipe_angle: f32,

    /// From the middle towards the second method, as a share of the picture's height
    #[arg(long, value_name = "S", requires = "compare", allow_negative_numbers = true)]
    #[arg(default_value_t = 0.0, value_parser = parse_number)]
    wipe_offset: f32,
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
    /// What the picture is to show: what it already does where nothing was asked for.
    pub(super) fn apply_to(&self, view: &View) -> Compare {
        let shown = view.compare.clone();
        let Some(how) = self.compare else { return shown };
        let (layout, ghost) = match how {
            How::Wipe => (Layout::Wipe, shown.ghost),
            How::Split => (Layout::SideBySide, shown.ghost),
            How::Ghost => (Layout::Ghost, Ghost::Translucent),
            How::GhostOutline => (Layout::Ghost, Ghost::Outline),
        };
        let a = &view.skinning;
        let (b, b_is_rest) = match self.with {
            None => (Skinning::new(a.method.next()), false),
            Some(With::Method(method)) => (Skinning::new(method), false),
            Some(With::Rest) => (a.clone(), true),
        };
        let wipe = Wipe { angle: self.wipe_angle.to_radians(), offset: self.wipe_offset };
        Compare { layout, ghost, b, b_is_rest, wipe, ..shown }
    }
}

fn parse_number(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|n: &f32| n.is_finite());
    number.ok_or_else(|| "not a finite number".to_owned())
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
        let args = |with| SidesArgs { compare: Some(How::Split), with, wipe_angle: 90.0, wipe_offset: 0.0 };
        let dqs = View { skinning: Method::Dqs.into(), ..View::default() };
        let compare = args(None).apply_to(&dqs);
        assert_eq!((compare.b.method, compare.layout, compare.b_is_rest), (Method::Lbs, Layout::SideBySide, false));
        assert!((compare.wipe.angle - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        let rest = args(Some(With::Rest)).apply_to(&dqs);
        assert_eq!((rest.b.method, rest.b_is_rest), (Method::Dqs, true));
        let nothing = SidesArgs { compare: None, ..args(None) };
        assert_eq!(nothing.apply_to(&dqs), dqs.compare);
    }
}
