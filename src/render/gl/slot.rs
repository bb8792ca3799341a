//! Slots of what is created when it is first drawn.

use crate::render::RenderError;

/// Content of a slot, created where it is empty.
///
/// *Errors*: those of `make`.
pub(crate) fn made<T>(
    slot: &mut Option<T>,
    make: impl FnOnce() -> Result<T, RenderError>,
) -> Result<&mut T, RenderError> {
    let known = slot.take();
    Ok(slot.insert(known.map_or_else(make, Ok)?))
}
