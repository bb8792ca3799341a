//! Colours clamped to the range of glTF.

use glam::Vec4;

use crate::export::export_file::left_out;

pub(super) fn clamped_colors(is_clamped: bool) -> Option<String> {
    let reason = "glTF limits colours to 0 to 1; others were clamped";
    left_out(usize::from(is_clamped), "range of colours", "", reason)
}

pub(super) fn is_out_of_range(color: &Vec4) -> bool {
    *color != clamped(*color)
}

pub(super) fn clamped(color: Vec4) -> Vec4 {
    Vec4::from_array(color.to_array().map(|x| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }))
}
