//! Converts counts for OpenGL.

/// Converts a count of texels or bytes, which is always far below the type's limit.
pub(crate) fn int(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
