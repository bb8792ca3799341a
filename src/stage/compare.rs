use super::Stage;
use crate::skinning::{Skinning, UnsupportedSkinning};
use crate::view::{Camera, Compare, Layout, PerSide, Side, SideView};

/// The camera before and after it was moved back to fit the character into the halves of [`Layout::SideBySide`].
#[derive(Clone, Copy, Debug)]
pub(super) struct FittedCamera {
    before: Camera,
    after: Camera,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CameraBeforeOther {
    layout: Layout,
    camera: Camera,
    /// The camera after it was moved back to frame the other character; `None` if it wasn't moved.
    pub(super) framed: Option<Camera>,
}

impl CameraBeforeOther {
    pub(super) fn new(layout: Layout, camera: Camera) -> Self {
        Self { layout, camera, framed: None }
    }
}

impl Stage {
    /// Sets the skinning of a side. *Errors*: the open character does not support this skinning; nothing changes.
    pub fn set_skinning(&mut self, side: Side, skinning: Skinning) -> Result<(), UnsupportedSkinning> {
        skinning.check(self.rig())?;
        if skinning.antipodality != self.view.sides[side].skinning.antipodality {
            self.view.sides[side].options.point_out_antipodal(skinning.antipodality);
        }
        self.view.sides[side].skinning = skinning;
        Ok(())
    }

    pub(crate) fn show_sides(&mut self, sides: PerSide<SideView>) -> Vec<UnsupportedSkinning> {
        let mut unsuited = Vec::new();
        for (side, wanted) in [(Side::A, sides.a), (Side::B, sides.b)] {
            unsuited.extend(self.set_skinning(side, wanted.skinning.clone()).err());
            let skinning = self.view.sides[side].skinning.clone();
            self.view.sides[side] = SideView { skinning, ..wanted };
        }
        unsuited
    }

    /// Sets the layout. When changing to side by side, moves the camera back until each half shows everything that the
    /// whole image showed.
    pub fn set_layout(&mut self, layout: Layout) {
        let (before, aspect) = (self.view.compare, self.aspect);
        self.set_compare(Compare { layout, is_blinking: false, ..before });
        if before.layout == Layout::Single {
            self.view.ensure_different_methods();
        }
        match (before.layout == Layout::SideBySide, layout == Layout::SideBySide) {
            (false, true) => {
                let all = self.all_points();
                let before = self.view.camera;
                self.view.camera.narrow(&all, aspect, self.aspect);
                self.fitted = Some(FittedCamera { before, after: self.view.camera });
            }
            (true, false) => self.leave_halves(aspect),
            _ => {}
        }
    }

    /// Sets the comparison settings and updates the aspect ratio immediately, not in the next frame.
    pub(crate) fn set_compare(&mut self, compare: Compare) {
        let width = |layout| if layout == Layout::SideBySide { 0.5 } else { 1.0 };
        self.aspect *= width(compare.layout) / width(self.view.compare.layout);
        self.view.compare = compare;
    }

    /// Restores the camera from before the side-by-side layout. If the user has moved the camera since, frames
    /// everything, unless the camera shows a close-up.
    fn leave_halves(&mut self, half: f32) {
        let camera = self.view.camera;
        let fitted = self.fitted.take();
        if let Some(fitted) = fitted.filter(|fitted| fitted.after == camera) {
            self.view.camera = fitted.before;
        } else if fitted.is_some_and(|fitted| camera.distance >= fitted.after.distance)
            || camera.sees_all(&self.all_points(), half)
        {
            self.frame_all();
        }
    }

    /// Updates the layout after undo or redo. If a comparison file was added, shows it; if one was removed, restores
    /// the previous layout and camera.
    pub(crate) fn update_comparison_layout(&mut self, was_other_chosen: bool) {
        match (was_other_chosen, self.view.shows_other()) {
            (false, true) if self.view.compare.layout == Layout::Single => {
                self.frames_other = true;
                self.show_wipe_if_single();
            }
            (true, false) => {
                let Some(before) = self.before_other.take() else { return };
                let is_shared = self.view.compare.layout == Layout::Wipe && before.layout == Layout::Single;
                if is_shared {
                    self.set_layout(before.layout);
                }
                if before.framed == Some(self.view.camera) {
                    self.view.camera = before.camera;
                }
                self.frames_other = false;
            }
            _ => {}
        }
    }
}
