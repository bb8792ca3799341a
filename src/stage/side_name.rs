use super::{CentersPlan, ChoiceState, Stage};
use crate::text::counted;
use crate::view::{Overlay, OverlayInput, ShownFile, ShownPose, Side};
use crate::weights::WeightChoice;

impl Stage {
    /// Returns the name of the method that a side shows, such as "DQS". While centres of rotation are being computed,
    /// also names the method shown until then, and the progress.
    pub fn method_name(&self, side: Side) -> String {
        let label = self.skinning(side).method.label();
        if !self.awaits_centers(side) {
            return label.to_owned();
        }
        let progress =
            self.progress.get::<CentersPlan>().map_or(String::new(), |done| format!(", {:.0} %", done * 100.0));
        format!("{} until {label} is ready{progress}", self.shown_method(side).label())
    }

    /// Returns the name of a side's content, such as "DQS, rest pose" or "LBS, 4 influences".
    pub fn side_name(&self, side: Side) -> String {
        if self.points_on(side).is_some() {
            return format!("Points, {}", self.shown_file(side).title());
        }
        let skinning = self.skinning(side);
        let mut parts = vec![self.method_name(side)];
        let file = choice_name(&self.choice::<ShownFile>(side), self.shown_file(side).title());
        parts
            .extend(file.or_else(|| choice_name(&self.choice::<WeightChoice>(side), self.weight_choice(side).title())));
        parts.extend(skinning.influences.count.map(|count| counted(count.into(), "influence", "influences")));
        parts.extend((self.view.sides[side].options.pose == ShownPose::Rest).then(|| "rest pose".to_owned()));
        parts.extend(self.normals_name(side).map(str::to_owned));
        parts.join(", ")
    }

    fn normals_name(&self, side: Side) -> Option<&'static str> {
        if self.awaits_normals(side) {
            return Some("normals on their way");
        }
        self.recomputed_normals(side).map(|_| "recomputed normals")
    }

    /// Returns the title of an overlay with its joint or morph target, such as "Weight of Hips".
    pub fn overlay_title(&self, overlay: Overlay) -> String {
        let file = match overlay.spec().topic {
            OverlayInput::ActiveJoint => self.view.active_joint().map(|node| self.rig().hierarchy.name(node)),
            OverlayInput::MorphTarget => self.view.morph.map(|morph| self.rig().morphs()[morph.index()].name.as_str()),
            OverlayInput::Sides | OverlayInput::Findings => None,
        };
        match (overlay, file) {
            (Overlay::Weight, Some(joint)) => format!("Weight of {joint}"),
            (_, Some(file)) => format!("{}: {file}", overlay.title()),
            (_, None) => overlay.title().to_owned(),
        }
    }
}

fn choice_name<T>(state: &ChoiceState<'_, T>, title: String) -> Option<String> {
    match state {
        ChoiceState::Own | ChoiceState::Missing(_) => None,
        ChoiceState::Awaited => Some(format!("loading {title}…")),
        ChoiceState::Shown(_) => Some(title),
    }
}
