pub(super) mod card;
pub(super) mod compute_program;
pub(super) mod convert;
pub(super) mod data_texture;
pub(super) mod draw_queue;
pub(super) mod driver;
pub(super) mod framebuffer;
#[cfg(test)]
pub(super) mod gl_calls;
#[cfg(test)]
pub(crate) mod gl_faults;
pub(super) mod gl_state;
pub(super) mod gpu_buffer;
pub(super) mod gpu_program;
pub(super) mod gpu_texture;
pub(super) mod picture;
pub(super) mod program;
pub(super) mod quad;
pub(super) mod sample_mean;
pub(super) mod sample_texture;
pub(super) mod vertex_pool;
pub(super) mod vertex_program;

use crate::render::RenderError;

pub(super) fn get_or_create<T>(
    slot: &mut Option<T>,
    create: impl FnOnce() -> Result<T, RenderError>,
) -> Result<&mut T, RenderError> {
    let existing = slot.take();
    Ok(slot.insert(existing.map_or_else(create, Ok)?))
}
