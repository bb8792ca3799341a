//! Colours clamped to the range of glTF.

use glam::Vec4;

use crate::export::export_file::left_out;

/// Clause for the user if some colour was out of range.
pub(super) fn clamped_colors(is_clamped: bool) -> Option<String> {
    let reason = "glTF has colours from 0 to 1 only, so larger ones are 1 and smaller ones 0";
    left_out(usize::from(is_clamped), "range of colours", "", reason)
}

/// True for a colour with a component outside 0 to 1, which glTF does not allow.
pub(super) fn is_out_of_range(color: &Vec4) -> bool {
    *color != clamped(*color)
}

/// The nearest colour that glTF allows.
pub(super) fn clamped(color: Vec4) -> Vec4 {
    Vec4::from_array(color.to_array().map(|x| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }))
}
