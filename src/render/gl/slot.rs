//! Lazily created objects.

use crate::render::RenderError;

/// Returns the content of a slot, creating it with `make` if empty.
pub(crate) fn made<T>(
    slot: &mut Option<T>,
    make: impl FnOnce() -> Result<T, RenderError>,
) -> Result<&mut T, RenderError> {
    let known = slot.take();
    Ok(slot.insert(known.map_or_else(make, Ok)?))
}
