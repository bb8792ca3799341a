//! Methods and options of A and B, and the layout of the sides.

use crate::skinning::{Method, Skinning};
use crate::stage::Stage;
use crate::state::{History, Notice};
use crate::view::{Layout, PerSide, Side, SideView};

/// Sets the skinning of a side, as an undo step. Returns a notice if the open character does not support it.
pub(in crate::state) fn choose_skinning(
    history: &mut History,
    stage: &mut Stage,
    side: Side,
    skinning: Skinning,
) -> Option<Notice> {
    let problem = history.as_step(stage, |stage| stage.set_skinning(side, skinning)).err()?;
    Some(Notice::warning(format!("The method was not changed: {problem}")))
}

/// Sets the method of side A; see [`choose_skinning`].
pub(in crate::state) fn choose_method(history: &mut History, stage: &mut Stage, method: Method) -> Option<Notice> {
    let skinning = Skinning { method, ..stage.view.sides.a.skinning.clone() };
    choose_skinning(history, stage, Side::A, skinning)
}

/// Sets side A to the next method. If side B already shows that method, swaps the sides.
pub(in crate::state) fn next_method(history: &mut History, stage: &mut Stage) -> Option<Notice> {
    let PerSide { a, b } = &stage.view.sides;
    let next = a.skinning.method.next();
    if stage.view.compare.layout != Layout::Single && b.skinning.method == next {
        return swap_sides(history, stage);
    }
    choose_method(history, stage, next)
}

pub(in crate::state) fn swap_sides(history: &mut History, stage: &mut Stage) -> Option<Notice> {
    // No check is needed, because the character supports both methods.
    history.as_step(stage, |stage| stage.view.sides.swap());
    None
}

/// Switches sides to LBS if the open character does not support their method. Returns a notice if any side was
/// switched.
pub(in crate::state) fn replace_unsupported_methods(stage: &mut Stage) -> Option<Notice> {
    let Stage { document, view, .. } = stage;
    let mut last = None;
    for SideView { skinning, .. } in view.sides.iter_mut() {
        if let Err(problem) = skinning.check(&document.rig) {
            skinning.method = Method::Lbs;
            last = Some(problem);
        }
    }
    let problem = last?;
    Some(Notice::info(format!("Switched to LBS: {problem}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::stage::BuiltIn;
    use crate::state::{Action, AppState, Command};
    use crate::view::Camera;

    #[test]
    fn layout_that_needs_two_methods_can_be_undone() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let methods = |state: &AppState| state.open.stage.view.sides.each_ref().map(|side| side.skinning.method);
        let before = methods(&state);
        state.apply(Command::SetLayout(Layout::Single));
        state.apply(Command::SetMethod(before.b));
        let equal = methods(&state);
        state.apply(Command::SetLayout(Layout::Ghost));
        assert_eq!((equal.a, methods(&state).a, methods(&state).b), (equal.b, before.b, before.a));
        state.apply(Command::Do(Action::Undo));
        assert_eq!(methods(&state), equal);
        state.apply(Command::Do(Action::Undo));
        assert_eq!(methods(&state), before);
    }

    #[test]
    fn side_by_side_shows_all_in_each_half_and_the_camera_goes_back_if_it_was_not_moved() {
        let mut state = AppState::with_built_in(BuiltIn::Figure);
        state.apply(Command::SetAspect(0.8));
        state.apply(Command::Do(Action::FrameAll));
        let (aspect, before) = (state.open.stage.aspect, state.open.stage.view.camera);
        state.apply(Command::SetLayout(Layout::SideBySide));
        let halves = state.open.stage.view.camera;
        assert!(halves.distance > before.distance * 1.1, "{} {}", halves.distance, before.distance);
        assert_eq!(Camera { distance: before.distance, ..halves }, before, "from the same direction");
        assert!(state.open.history.is_empty());
        state.apply(Command::SetLayout(Layout::Wipe));
        assert_eq!((state.open.stage.aspect, state.open.stage.view.camera), (aspect, before));
        state.apply(Command::SetLayout(Layout::SideBySide));
        state.apply(Command::Do(Action::ViewFront));
        let moved = state.open.stage.view.camera;
        state.apply(Command::SetLayout(Layout::Single));
        let whole = state.open.stage.view.camera;
        assert!(whole.yaw == moved.yaw && whole.distance < moved.distance * 0.9, "it fits: {moved:?} {whole:?}");
        state.apply(Command::SetLayout(Layout::SideBySide));
        state.open.stage.view.camera.distance *= 0.2;
        let close = state.open.stage.view.camera;
        state.apply(Command::SetLayout(Layout::Single));
        assert_eq!(state.open.stage.view.camera, close, "what was looked at closely still is");
    }
}
