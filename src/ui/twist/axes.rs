use egui::{Color32, Stroke, Ui};

use crate::analysis::twist::Motion;
use crate::state::{AppState, TestedJoint, bone_length};
use crate::ui::area::Area;
use crate::ui::theme;
use crate::ui::view_labels::ViewLabels;

const VIOLET: Color32 = Color32::from_rgb(0xC0, 0x8C, 0xFF);

pub(crate) fn paint(ui: &Ui, view: &Area, state: &AppState) {
    let (Some((origin, axes)), Some(TestedJoint { plan, .. })) =
        (state.open.twist.test_axes(&state.open.stage), state.open.twist.tested.as_ref())
    else {
        return;
    };
    let reach = bone_length(&state.open.stage, plan.test.joint) * 0.8;
    let painter = ui.painter().with_clip_rect(view.rect);
    for (axis, motion) in axes.into_iter().zip([Motion::Twist, Motion::Bend]) {
        let ends = [-reach, reach].map(|by| view.lens.project(origin + axis * by).map(|p| view.to_screen(p)));
        let [Some(from), Some(to)] = ends else { continue };
        let is_plotted = state.open.twist.motion == motion;
        let color = theme::as_mark(VIOLET, ui.visuals()).gamma_multiply(if is_plotted { 1.0 } else { 0.4 });
        painter.line_segment([from, to], Stroke::new(if is_plotted { 2.0 } else { 1.0 }, color));
        if is_plotted {
            let color = theme::as_text(VIOLET, ui.visuals());
            ViewLabels::new(ui, view.rect).write(to, 6.0, &format!("{} axis", motion.name()), color);
        }
    }
}
