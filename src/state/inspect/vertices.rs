use std::sync::Arc;

use crate::actor::PosedSkin;
use crate::analysis::lint::{Finding, Target};
use crate::analysis::weight_problems::WeightProblems;
use crate::rig::PrimitiveIndex;
use crate::stage::{Preview, SelectStep, Stage, VertexBox, VertexClick, WeightProblemPlan};
use crate::state::Notice;
use crate::view::{Ray, SelectedProblem, Side};

pub(in crate::state) fn vertex_obstacle(stage: &Stage) -> Option<&'static str> {
    let editing = &stage.editing;
    match editing.mesh() {
        _ if stage.rig().skins.is_empty() => Some("This file has no skin"),
        _ if !editing.is_on => Some("Switch on Edit weights first"),
        _ if stage.other_on(Side::A).is_some() => Some("Side A shows another file"),
        None => Some("Preparing the mesh"),
        Some(_) => None,
    }
}

/// Starts or ends weight editing; returns true if it is on now.
pub(in crate::state) fn toggle_weight_editing(stage: &mut Stage) -> bool {
    stage.editing.is_on ^= true;
    enter_weight_editing(stage);
    stage.view.vertices = stage.editing.marks(&stage.document.rig);
    stage.editing.is_on
}

pub(in crate::state) fn clear_vertices(stage: &mut Stage) {
    stage.editing.clear_selection();
    stage.view.vertices.clear();
}

/// Leaves probing and shows the weights of the chosen joint while weights are edited.
pub(in crate::state) fn enter_weight_editing(stage: &mut Stage) {
    if stage.editing.is_on {
        stage.probes.is_on = false;
        stage.previews.start(Preview::EditedWeights);
    }
}

/// Selects the vertex closest to where a ray hits a side's skin. A ray that misses the skin clears the selection.
pub(in crate::state) fn click_vertex(stage: &mut Stage, side: Side, ray: Ray, click: VertexClick) {
    if has_points_on(stage, side) {
        let step = SelectStep::Click(PosedSkin::new(stage.skinned(side), stage.actor(side)), ray, click);
        stage.editing.select(step);
    }
}

pub(in crate::state) fn box_vertices(stage: &mut Stage, drawn: VertexBox) {
    if has_points_on(stage, drawn.side) {
        let (skin, is_through) =
            (PosedSkin::new(stage.skinned(drawn.side), stage.actor(drawn.side)), stage.editing.is_through);
        stage.editing.select(SelectStep::Box { skin, drawn, is_through });
    }
}

/// Selects the vertices of the current finding or weight problem. Returns a notice if the list of vertices is
/// incomplete.
pub(in crate::state) fn select_finding_vertices(stage: &mut Stage) -> Option<Notice> {
    if let Some((found, index)) = shown_weight_problem(stage) {
        let step = SelectStep::Region(Arc::clone(found), index);
        stage.editing.select(step);
        return None;
    }
    let Target::Primitive { mesh, primitive, vertices, .. } = &shown_finding(stage)?.target else { return None };
    let rig = stage.rig();
    let is_meant = |part: &PrimitiveIndex| {
        let own = &rig.meshes[rig.instances[part.instance].mesh];
        own.source == *mesh && own.primitives[part.primitive].source == *primitive
    };
    let (listed, all) = (vertices.first().len(), vertices.count());
    let step = SelectStep::Finding(rig.parts().filter(is_meant).collect(), vertices.clone());
    stage.editing.select(step);
    let said = || format!("Selected {listed} of {all} vertices: a finding lists only the first {listed}.");
    (listed < all).then(|| Notice::info(said()))
}

pub(in crate::state) fn has_finding_vertices(stage: &Stage) -> bool {
    let is_of_vertices = |finding: &Finding| matches!(finding.target, Target::Primitive { .. });
    shown_weight_problem(stage).is_some() || shown_finding(stage).is_some_and(is_of_vertices)
}

fn shown_weight_problem(stage: &Stage) -> Option<(&Arc<WeightProblems>, usize)> {
    let Some(SelectedProblem::Weights(side, index)) = stage.view.problem else { return None };
    Some((stage.side_value::<WeightProblemPlan>(side)?, index))
}

fn shown_finding(stage: &Stage) -> Option<&Finding> {
    stage.lint.list().get(stage.view.selected_finding()?)
}

pub(in crate::state) fn reselect(stage: &mut Stage, how: SelectStep) {
    if stage.editing.mesh().is_some() {
        stage.editing.select(how);
    }
}

/// True if the side shows the open character and its welded points are computed.
fn has_points_on(stage: &Stage, side: Side) -> bool {
    stage.editing.mesh().is_some() && stage.other_on(side).is_none()
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::import::Job;
    use crate::stage::{BuiltIn, DerivedKind, DerivedRequest, EditMeshPlan, SelectPlan, WeightProblemPlan};
    use crate::state::{Action, AppState, Command, JobResult};
    use crate::weights::looked_at;

    /// Computes a derived value on another thread, as the app does.
    fn derive(state: &mut AppState, kind: DerivedKind) {
        let wanted: DerivedRequest = kind.wanted(&state.open.stage).unwrap();
        let beside = std::thread::Builder::new().name("trial".to_owned());
        let done = beside.spawn(move || wanted.run(&Job::default())).unwrap().join().unwrap();
        state.receive(JobResult::Derived(done));
    }

    #[test]
    fn points_that_a_job_looks_at_are_counted() {
        let mut state = AppState::with_built_in(BuiltIn::Figure);
        state.apply(Command::Do(Action::ToggleWeightEditing));
        derive(&mut state, DerivedKind::new::<EditMeshPlan>());
        state.apply(Command::Do(Action::InvertVertices));
        let before = looked_at::points();
        DerivedKind::new::<SelectPlan>().wanted(&state.open.stage).unwrap().run(&Job::default());
        assert!(looked_at::points() - before >= state.open.stage.editing.mesh().unwrap().len());
    }

    #[test]
    fn no_frame_looks_at_any_point_of_a_mesh_whatever_is_selected() {
        let mut state = AppState::with_built_in(BuiltIn::Figure);
        state.apply(Command::Do(Action::ToggleWeightEditing));
        derive(&mut state, DerivedKind::new::<EditMeshPlan>());
        state.apply(Command::request::<WeightProblemPlan>(true));
        derive(&mut state, DerivedKind::new::<WeightProblemPlan>());
        state.apply(Command::ShowWeightProblem(Some((Side::A, 0))));
        let lens = state.open.stage.view.camera.lens(Vec2::new(800.0, 600.0));
        let drawn = VertexBox { side: Side::A, lens, min: Vec2::ZERO, max: lens.viewport, adds: true };
        let click = |adds, takes_piece| Command::ClickVertex {
            side: Side::A,
            ray: lens.ray(lens.viewport * 0.5),
            click: VertexClick { adds, takes_piece },
        };
        let frames = [
            Command::BoxVertices(Box::new(drawn)),
            click(false, false),
            Command::Do(Action::GrowVertices),
            Command::Do(Action::ShrinkVertices),
            Command::Do(Action::SelectPieces),
            Command::Do(Action::InvertVertices),
            click(true, true),
            Command::Do(Action::SelectFindingVertices),
        ];
        for command in frames {
            let name = format!("{command:?}");
            let before = (looked_at::points(), Arc::clone(state.open.stage.editing.selected()));
            state.apply(command);
            state.open.stage.refresh();
            assert!(state.open.stage.editing.is_selecting(), "{name}");
            derive(&mut state, DerivedKind::new::<SelectPlan>());
            state.open.stage.refresh();
            let snapshot = state.open.snapshot();
            assert_eq!(looked_at::points(), before.0, "{name}");
            assert!(
                !state.open.stage.editing.is_selecting() && *state.open.stage.editing.selected() != before.1,
                "{name}"
            );
            drop(snapshot);
        }
        let before = looked_at::points();
        state.apply(Command::Do(Action::ToggleWeightEditing));
        state.apply(Command::Do(Action::ToggleWeightEditing));
        state.apply(Command::Do(Action::ClearVertices));
        assert_eq!(looked_at::points(), before);
    }

    #[test]
    fn steps_are_done_one_after_the_other_and_what_selects_anew_waits_for_none() {
        let mut state = AppState::with_built_in(BuiltIn::Figure);
        state.apply(Command::Do(Action::ToggleWeightEditing));
        derive(&mut state, DerivedKind::new::<EditMeshPlan>());
        for _ in 0..3 {
            state.apply(Command::Do(Action::InvertVertices));
        }
        for _ in 0..3 {
            assert!(state.open.stage.editing.is_selecting());
            derive(&mut state, DerivedKind::new::<SelectPlan>());
        }
        assert_eq!(state.open.stage.editing.selected().len(), state.open.stage.editing.mesh().unwrap().len());
        let beside = Ray { origin: glam::Vec3::splat(1e6), direction: glam::Vec3::X };
        state.apply(Command::Do(Action::InvertVertices));
        let stale = DerivedKind::new::<SelectPlan>().wanted(&state.open.stage).unwrap().run(&Job::default());
        let click = VertexClick { adds: false, takes_piece: false };
        state.apply(Command::ClickVertex { side: Side::A, ray: beside, click });
        state.receive(JobResult::Derived(stale));
        derive(&mut state, DerivedKind::new::<SelectPlan>());
        assert!(state.open.stage.editing.selected().is_empty() && !state.open.stage.editing.is_selecting());
        state.apply(Command::Select(None));
        state.apply(Command::Do(Action::InvertVertices));
        assert_eq!(state.obstacle(Action::ClearSelection), None, "Esc forgets what waits");
        state.apply(Command::Do(Action::ClearSelection));
        assert!(!state.open.stage.editing.is_selecting());
        // Cancelling a selection step also cancels the steps queued after it.
        for _ in 0..2 {
            state.apply(Command::Do(Action::InvertVertices));
        }
        let died = DerivedKind::new::<SelectPlan>().wanted(&state.open.stage).unwrap().died();
        state.receive(JobResult::Derived(died));
        assert!(state.open.stage.editing.selected().is_empty() && !state.open.stage.editing.is_selecting());
    }
}
