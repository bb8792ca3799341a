//! Two-sided images. The options match those of `rigscope render` and Python's `render`.

use std::str::FromStr;

use super::Stage;
use crate::skinning::{Method, Skinning};
use crate::view::{Ghost, Layout, Overlay, ShadingMode, ShownPose, Side};

/// Options for a two-sided image: layout, content of side B and overlay. `None` keeps the stage's setting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// Layout of the sides.
    pub compare: Option<ComparisonLayout>,
    /// Content of side B. If `None` and nothing is compared yet, side B shows the same pose with another method.
    pub with: Option<CompareWith>,
    /// Overlay on both sides.
    pub overlay: Option<Overlay>,
    /// Angle of the wipe line, degrees clockwise from vertical.
    pub wipe_angle_deg: Option<f32>,
    /// Offset of the wipe line from the image centre towards side B, in image heights.
    pub wipe_offset: Option<f32>,
}

/// Layout of two sides, as named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonLayout {
    /// A on one side of a line, B on the other.
    Wipe,
    /// A in the left half of the image, B in the right half.
    SideBySide,
    /// B as a translucent ghost over A.
    Ghost,
    /// B as an outline over A.
    GhostOutline,
}

/// Content of side B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CompareWith {
    /// The same pose with another method.
    Method(Method),
    /// The rest pose with side A's method.
    Rest,
}

impl ComparisonLayout {
    /// All layouts, in the order of the help text.
    pub const ALL: [Self; 4] = [Self::Wipe, Self::SideBySide, Self::Ghost, Self::GhostOutline];

    /// Returns the name on the command line and in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wipe => "wipe",
            Self::SideBySide => "side-by-side",
            Self::Ghost => "ghost",
            Self::GhostOutline => "ghost-outline",
        }
    }

    fn layout(self) -> (Layout, Option<Ghost>) {
        match self {
            Self::Wipe => (Layout::Wipe, None),
            Self::SideBySide => (Layout::SideBySide, None),
            Self::Ghost => (Layout::Ghost, Some(Ghost::Translucent)),
            Self::GhostOutline => (Layout::Ghost, Some(Ghost::Outline)),
        }
    }
}

impl FromStr for ComparisonLayout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Accepts the former name of the side-by-side layout.
        let name = if text == "split" { "side-by-side" } else { text };
        let known = Self::ALL.into_iter().find(|how| how.name() == name);
        known.ok_or_else(|| format!("a comparison is one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

impl CompareWith {
    /// Returns the names to choose from.
    pub fn choices() -> impl Iterator<Item = String> {
        Method::CHOICES.map(|method| method.to_string()).into_iter().chain(["rest".to_owned()])
    }
}

impl FromStr for CompareWith {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("rest") {
            return Ok(Self::Rest);
        }
        text.parse().map(Self::Method).map_err(|e| format!("{e}; or rest for the rest pose"))
    }
}

impl Arrangement {
    /// Applies the options. *Errors*: a message for the user if the rig does not support the method, or if wipe options
    /// are set without a comparison.
    pub fn apply_to(&self, stage: &mut Stage) -> Result<(), String> {
        if *self == Self::default() {
            return Ok(());
        }
        self.share_picture(stage);
        self.set_other_side(stage)?;
        let has_wipe = self.wipe_angle_deg.is_some() || self.wipe_offset.is_some();
        if has_wipe && stage.view.compare.layout == Layout::Single {
            return Err("A wipe angle or offset needs a comparison, such as \"wipe\".".to_owned());
        }
        let wipe = &mut stage.view.compare.wipe;
        wipe.angle = self.wipe_angle_deg.map_or(wipe.angle, f32::to_radians);
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
        let is_clay = stage.view.display.shading == ShadingMode::Clay;
        let compare = &mut stage.view.compare;
        compare.ghost = ghost.unwrap_or(compare.ghost);
        // Side-by-side images keep the materials. Overlapping sides use clay shading, which shows differences in shape.
        compare.is_clay = if how == ComparisonLayout::SideBySide { is_clay } else { compare.is_clay };
    }

    fn set_other_side(&self, stage: &mut Stage) -> Result<(), String> {
        let a = stage.view.sides.a.skinning.clone();
        let (skinning, pose) = match self.with {
            // The session already set up the comparison.
            None if stage.view.is_comparing() => return Ok(()),
            None => (Skinning::new(a.method.next()), ShownPose::Current),
            Some(CompareWith::Method(method)) => (Skinning::new(method), ShownPose::Current),
            Some(CompareWith::Rest) => (a, ShownPose::Rest),
        };
        stage.view.sides.b.options.pose = pose;
        let set = stage.set_skinning(Side::B, skinning);
        // Reports an error only if the user requested the method.
        if self.with.is_some() { set.map_err(|problem| problem.to_string()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::stage::{BuiltIn, Document};
    use crate::view::View;

    #[test]
    fn comparison_target_is_a_method_or_rest() {
        assert_eq!("rest".parse(), Ok(CompareWith::Rest));
        assert_eq!("dqs".parse(), Ok(CompareWith::Method(Method::Dqs)));
        assert!("pose".parse::<CompareWith>().unwrap_err().contains("rest"));
        assert_eq!(ComparisonLayout::ALL.map(|how| how.name().parse()), ComparisonLayout::ALL.map(Ok));
        assert!("ghosts".parse::<ComparisonLayout>().unwrap_err().contains("ghost-outline"));
    }

    #[test]
    fn the_other_method_is_what_a_picture_is_compared_with_unless_another_is_named() {
        let split = |with| Arrangement {
            compare: Some(ComparisonLayout::SideBySide),
            with,
            wipe_angle_deg: Some(90.0),
            ..Arrangement::default()
        };
        let dqs = |asked: &Arrangement| compared(asked, Method::Dqs).view;
        let view = dqs(&split(None));
        let b = &view.sides.b;
        assert_eq!((b.skinning.method, b.options.pose), (Method::Lbs, ShownPose::Current));
        assert_eq!(view.compare.layout, Layout::SideBySide);
        assert!((view.compare.wipe.angle - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        let rest = dqs(&split(Some(CompareWith::Rest))).sides.b;
        assert_eq!((rest.skinning.method, rest.options.pose), (Method::Dqs, ShownPose::Rest));
        let no_comparison = Arrangement { compare: None, ..split(None) };
        let mut stage = Stage::with_view(Document::built_in(BuiltIn::Tube), &View::skinned(Method::Dqs));
        assert!(no_comparison.apply_to(&mut stage).unwrap_err().contains("needs a comparison"));
        let nothing = Arrangement::default();
        assert_eq!(compared(&nothing, Method::Dqs).view.sides.b, View::skinned(Method::Dqs).sides.b);
        let painted = dqs(&Arrangement { overlay: Some(Overlay::Distance), ..nothing });
        assert_eq!((painted.compare.layout, painted.sides.b.skinning.method), (Layout::Single, Method::Lbs));
    }

    fn compared(asked: &Arrangement, method: Method) -> Stage {
        let tube = Document::built_in(BuiltIn::Tube);
        let mut stage = Stage::with_view(tube, &View::skinned(method));
        stage.refresh();
        asked.apply_to(&mut stage).unwrap();
        stage
    }

    #[test]
    fn halves_are_clay_where_asked_for_and_what_lies_over_each_other_always() {
        let is_clay = |how, clay| {
            let asked = Arrangement { compare: Some(how), ..Arrangement::default() };
            let mut stage = compared(&asked, Method::Lbs);
            stage.view.display.shading = if clay { ShadingMode::Clay } else { ShadingMode::Textured };
            asked.apply_to(&mut stage).unwrap();
            stage.view.is_clay()
        };
        assert_eq!(
            [is_clay(ComparisonLayout::SideBySide, false), is_clay(ComparisonLayout::SideBySide, true)],
            [false, true]
        );
        assert!(
            ComparisonLayout::ALL
                .into_iter()
                .filter(|how| *how != ComparisonLayout::SideBySide)
                .all(|how| is_clay(how, false))
        );
    }
}
