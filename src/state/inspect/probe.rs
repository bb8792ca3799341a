use crate::actor::{PosedSkin, SkinPoint, point_in};
use crate::analysis;
use crate::analysis::measure::VertexLocation;
use crate::analysis::probe::{Probe, probe};
use crate::rig::{PrimitiveIndex, Rig};
use crate::stage::Stage;
use crate::state::inspect::skin_pick::SkinPicker;
use crate::state::inspect::vertices::toggle_weight_editing;
use crate::view::{Overlay, Ray, Side, Values};

/// Overlay value under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct PointedValue {
    pub side: Side,
    /// Value with unit, or the joint's name.
    pub text: String,
}

/// Maximum number of probes. More probes would overlap on screen.
const MAX_PROBES: usize = 16;

pub(in crate::state) fn pointed_value(stage: &Stage, side: Side, ray: &Ray) -> Option<PointedValue> {
    let overlay = stage.view.overlay(side)?;
    let values = &stage.measured.painted(&stage.view, side)?.values;
    let measured = stage.measured.result()?.as_ref().ok()?;
    let actor = stage.actor(side);
    let point = point_in(&actor.rig, measured.positions[side].iter().map(Vec::as_slice), &actor.hidden, ray)?;
    let text = match &**values {
        Values::Scalars { parts, .. } => {
            let value = point.value(parts.get(point.part)?).filter(|value| value.is_finite())?;
            value_text(overlay, value, stage.rig())
        }
        Values::Colors { .. } => {
            let VertexLocation { instance, primitive, vertex } = place(&actor.rig, &point)?;
            let joint = analysis::dominant_joint(&actor.rig, instance, primitive, vertex)?;
            actor.rig.hierarchy.name(joint).to_owned()
        }
    };
    Some(PointedValue { side, text })
}

/// Probes the vertex closest to where a ray hits a side's skin. Returns false if nothing was probed. If `adds` is true,
/// keeps earlier probes.
pub(in crate::state) fn probe_at(
    stage: &mut Stage,
    picker: &mut SkinPicker,
    side: Side,
    ray: &Ray,
    adds: bool,
) -> bool {
    if stage.other_on(side).is_some() {
        // Only the open character can be probed.
        return false;
    }
    let point = picker.point_under(PosedSkin::new(stage.skinned(side), stage.actor(side)), ray);
    let Some(place) = point.and_then(|point| place(stage.rig(), &point)) else { return false };
    let places = &mut stage.probes.places;
    if !adds {
        places.clear();
    }
    places.retain(|known| *known != place);
    places.push(place);
    let excess = places.len().saturating_sub(MAX_PROBES);
    places.drain(..excess);
    true
}

/// Starts or ends probing; returns true if it is on now. Probing ends weight editing.
pub(in crate::state) fn toggle_probes(stage: &mut Stage) -> bool {
    stage.probes.is_on ^= true;
    if stage.probes.is_on && stage.editing.is_on {
        toggle_weight_editing(stage);
    }
    stage.probes.is_on
}

pub(in crate::state) fn remove_probe(stage: &mut Stage, index: usize) {
    if index < stage.probes.places.len() {
        stage.probes.places.remove(index);
    }
}

/// Returns the probe of a vertex in a side's pose; `None` if the open character has no such vertex.
pub fn probed(stage: &Stage, side: Side, place: VertexLocation) -> Option<Probe> {
    let is_of_open = stage.other_on(side).is_none();
    is_of_open.then(|| probe(&stage.actor(side).rig, stage.actor(side).pose.skin_pose(), place))?
}

/// Formats an overlay value. For distances, also shows the percentage of the character's size.
fn value_text(overlay: Overlay, value: f32, rig: &Rig) -> String {
    let text = overlay.text(value);
    if overlay == Overlay::Distance { format!("{text} ({:.2} %)", value / rig.size() * 100.0) } else { text }
}

/// Returns the vertex closest to a point on the skin.
pub(super) fn place(rig: &Rig, point: &SkinPoint) -> Option<VertexLocation> {
    let PrimitiveIndex { instance, primitive } = rig.parts().nth(point.part)?;
    Some(VertexLocation { instance, primitive, vertex: point.vertex() })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    use crate::rig::Trs;
    use crate::stage::BuiltIn;
    use crate::state::{AppState, Command};
    use crate::view::{ShownPose, SideOptions};

    #[test]
    fn a_probe_is_in_the_pose_that_its_side_shows() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let place = VertexLocation { instance: 0, primitive: 0, vertex: 0 };
        let at_rest = probed(&state.open.stage, Side::A, place).unwrap();
        let root = state.open.stage.rig().hierarchy.nodes().next().unwrap();
        let moved = Trs { translation: Vec3::X, ..Trs::IDENTITY };
        state.apply(Command::Edit { node: root, user_local: moved });
        state.apply(Command::SetSideOptions(Side::A, SideOptions { pose: ShownPose::Rest, ..SideOptions::default() }));
        state.open.stage.refresh();
        assert_eq!(probed(&state.open.stage, Side::A, place).unwrap(), at_rest);
        let posed = probed(&state.open.stage, Side::B, place).unwrap().lbs.point;
        assert!(posed.distance(at_rest.lbs.point) > 0.5, "{posed}");
    }

    #[test]
    fn of_more_vertices_than_have_room_the_newest_are_looked_at() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let hierarchy = &state.open.stage.rig().hierarchy;
        let at = |name: &str| {
            let node = hierarchy.node_named(name).unwrap();
            state.open.stage.posed().world_from_node[node.index()].translation
        };
        let (middle, far) = (at("Middle"), at("Far"));
        let mut all = Vec::new();
        for i in 0..2 * MAX_PROBES {
            let on = middle.lerp(far, i as f32 / (2 * MAX_PROBES) as f32);
            let ray = Ray { origin: on + Vec3::Y * 5.0, direction: Vec3::NEG_Y };
            state.apply(Command::ProbeAt { side: Side::A, ray, adds: true });
            let newest = *state.open.stage.probes.places.last().unwrap();
            all.retain(|known| *known != newest);
            all.push(newest);
        }
        assert!(all.len() > MAX_PROBES);
        assert_eq!(state.open.stage.probes.places, all[all.len() - MAX_PROBES..]);
    }
}
