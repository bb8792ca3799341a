use std::sync::{Arc, Weak};

use crate::render::{FrameInput, RenderError};
use crate::rig::Rig;
use crate::state::DrawFault;
use crate::view::{Camera, View};

/// Remembers the last frame that failed to draw, so that repaints don't retry it.
#[derive(Clone, Default)]
pub(super) struct DrawRetries {
    failed: Option<FailedFrame>,
}

/// Inputs that determine whether a frame can be drawn. The pose and the camera are left out, because they can't make
/// drawing fail.
#[derive(Clone)]
struct FailedFrame {
    rig: Weak<Rig>,
    view: View,
    size: [u32; 2],
}

impl DrawRetries {
    /// Returns true if there is no fault, or if the fault can be retried and this frame differs from the one that
    /// failed.
    pub(super) fn is_due(&self, frame: &FrameInput<'_>, fault: Option<&DrawFault>) -> bool {
        let Some(fault) = fault else { return true };
        fault.can_retry && self.failed.as_ref().is_none_or(|failed| !failed.is_like(frame))
    }

    /// Records whether drawing a frame succeeded. Returns the fault to show; `None` if it succeeded.
    pub(super) fn outcome<T>(&mut self, frame: &FrameInput<'_>, drawn: &Result<T, RenderError>) -> Option<DrawFault> {
        let problem = drawn.as_ref().err();
        self.failed = problem.map(|_| FailedFrame::new(frame));
        problem.map(draw_fault)
    }
}

impl FailedFrame {
    fn new(frame: &FrameInput<'_>) -> Self {
        Self { rig: Arc::downgrade(frame.open), view: without_camera(frame.view), size: frame.size }
    }

    fn is_like(&self, frame: &FrameInput<'_>) -> bool {
        std::ptr::eq(self.rig.as_ptr(), Arc::as_ptr(frame.open))
            && self.size == frame.size
            && self.view == without_camera(frame.view)
    }
}

/// Resets those view settings that affect neither uploads nor shader programs.
fn without_camera(view: &View) -> View {
    View {
        camera: Camera::default(),
        selected: Vec::new(),
        problem: None,
        hovered: None,
        is_dragging: false,
        ..view.clone()
    }
}

fn draw_fault(problem: &RenderError) -> DrawFault {
    let can_retry = problem.can_be_retried();
    let kept = "The character and its pose are kept.";
    let text = if can_retry {
        format!("The image could not be drawn: {problem}. {kept}")
    } else {
        format!(
            "The image could not be drawn: {problem}. {kept} Start Rigscope again; File > Restore last session brings back what you posed."
        )
    };
    DrawFault { text, can_retry }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actor::Actor;
    use crate::rig::{NodeIndex, Pose};
    use crate::skinning::Method;
    use crate::view::Side;

    struct TestFrame {
        view: View,
        size: [u32; 2],
        actor: Actor,
        pose: Pose,
    }

    impl TestFrame {
        fn new() -> Self {
            let (actor, pose) = (Actor::default(), Pose::default());
            Self { view: View::default(), size: [64, 48], actor, pose }
        }

        fn frame(&self, version: u64) -> FrameInput<'_> {
            FrameInput { version, ..FrameInput::for_actor(&self.actor, (&self.pose, &self.view), self.size) }
        }
    }

    #[test]
    fn failed_frame_is_retried_only_after_a_change_or_on_request() {
        let (mut shown, mut attempts) = (TestFrame::new(), DrawRetries::default());
        let failure = Err::<bool, _>(RenderError::OutOfMemory);
        let fault = attempts.outcome(&shown.frame(0), &failure);
        assert!(fault.as_ref().is_some_and(|f| f.can_retry && f.text.contains("out of memory")), "{fault:?}");
        assert!(!attempts.is_due(&shown.frame(0), fault.as_ref()));
        shown.view.camera.orbit(1.0, 0.2);
        shown.view.hovered = Some(NodeIndex(0));
        assert!(!attempts.is_due(&shown.frame(1), fault.as_ref()), "neither the pose nor the camera helps");
        assert!(attempts.is_due(&shown.frame(1), None), "the user wants it");
        let changes: [fn(&mut TestFrame); 3] = [
            |shown| shown.size = [32, 24],
            |shown| shown.view.sides[Side::A].skinning.method = Method::Dqs,
            |shown| shown.actor.rig = Arc::default(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let fault = attempts.outcome(&shown.frame(1), &failure);
            change(&mut shown);
            assert!(attempts.is_due(&shown.frame(1), fault.as_ref()), "change {number}");
        }
        assert_eq!(attempts.outcome(&shown.frame(1), &Ok(true)), None);
        assert!(attempts.is_due(&shown.frame(1), None));
    }

    #[test]
    fn nothing_is_drawn_again_with_a_lost_context() {
        let (mut shown, mut attempts) = (TestFrame::new(), DrawRetries::default());
        let fault = attempts.outcome(&shown.frame(0), &Err::<bool, _>(RenderError::ContextLost));
        assert!(fault.as_ref().is_some_and(|f| f.text.contains("Start Rigscope again")), "{fault:?}");
        shown.size = [32, 24];
        assert!(!attempts.is_due(&shown.frame(0), fault.as_ref()));
    }
}
