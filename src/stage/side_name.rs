use super::{CentersPlan, ChoiceState, RigChoice, Stage};
use crate::analysis::measurable;
use crate::skinning::Normals;
use crate::text::counted;
use crate::view::{ShownFile, ShownPose, Side};
use crate::weights::WeightChoice;

impl Stage {
    /// Returns the name of the method that a side shows, such as "DQS". While centres of rotation are being computed,
    /// also names the method shown until then, and the progress.
    pub fn method_name(&self, side: Side) -> String {
        let label = self.view.sides[side].skinning.method.label();
        if !self.awaits_centers(side) {
            return label.to_owned();
        }
        let progress =
            self.progress.get::<CentersPlan>().map_or(String::new(), |done| format!(", {:.0} %", done * 100.0));
        format!("{} until {label} is ready{progress}", self.skinned(side).skinning.method.label())
    }

    /// Returns the name of a side's content, such as "DQS, rest pose" or "LBS, 4 influences".
    pub fn side_name(&self, side: Side) -> String {
        if self.points_on(side).is_some() {
            return format!("Points, {}", self.view.sides[side].file.title());
        }
        let skinning = &self.view.sides[side].skinning;
        let mut parts = vec![self.method_name(side)];
        let file = choice_name(&ShownFile::state(self, side), self.view.sides[side].file.title());
        parts.extend(
            file.or_else(|| choice_name(&WeightChoice::state(self, side), self.view.sides[side].weights.title())),
        );
        parts.extend(skinning.influences.count.map(|count| counted(count.into(), "influence", "influences")));
        parts.extend((self.view.sides[side].options.pose == ShownPose::Rest).then(|| "rest pose".to_owned()));
        if self.measured.normals(&self.view, side).is_some() {
            parts.push("recomputed normals".to_owned());
        } else if skinning.normals == Normals::Recomputed && measurable(self.rig()).is_some() {
            parts.push("normals on their way".to_owned());
        }
        parts.join(", ")
    }
}

fn choice_name<T>(state: &ChoiceState<'_, T>, title: String) -> Option<String> {
    match state {
        ChoiceState::Own | ChoiceState::Missing(_) => None,
        ChoiceState::Awaited => Some(format!("loading {title}…")),
        ChoiceState::Shown(_) => Some(title),
    }
}
