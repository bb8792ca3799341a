//! Outline and hit testing of the scale gizmo.

use glam::Vec2;

use super::ScaleHandle;
use crate::gizmo::Frame;
use crate::gizmo::marks::{Form, HandleMark, under};
use crate::view::Lens;

pub fn outline(frame: &Frame, lens: &Lens) -> Vec<HandleMark<ScaleHandle>> {
    if frame.center(lens).is_none() {
        return Vec::new();
    }
    let form = |handle: ScaleHandle| match handle {
        ScaleHandle::Uniform => Form::middle(frame, lens),
        _ => Form::shaft(frame.axes * handle.mask(), frame, lens),
    };
    ScaleHandle::ALL.into_iter().filter_map(|handle| Some(HandleMark { handle, form: form(handle)? })).collect()
}

/// Returns the handle within 6 points of the cursor.
pub fn hit(frame: &Frame, lens: &Lens, cursor: Vec2) -> Option<ScaleHandle> {
    under(&outline(frame, lens), cursor)
}
