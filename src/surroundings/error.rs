//! Why surroundings were not read.

/// Why a file gives no light.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// The file does not begin with `#?`.
    #[error("it is no Radiance file (.hdr)")]
    NotRadiance,
    /// The header does not end, or lacks a line that says how large the picture is.
    #[error("its header has no line such as \"-Y 1024 +X 2048\"")]
    NoSize,
    /// The colours are of another kind than red, green and blue.
    #[error("its colours are of format \"{0}\", and only 32-bit_rle_rgbe is read")]
    Format(String),
    /// The picture is empty, too large, or does not show all directions.
    #[error("its picture has {0} x {1} pixels; a panorama is twice as wide as high, and at most 32768 x 16384")]
    Size(usize, usize),
    /// The file ends before its picture does.
    #[error("it ends in row {0} of {1}")]
    Truncated(usize, usize),
    /// A run of equal colours goes on beyond the end of its row.
    #[error("row {0} of {1} is broken")]
    Row(usize, usize),
    /// No pixel is bright.
    #[error("its picture is black and gives no light")]
    Black,
    /// Reading was stopped.
    #[error("it was cancelled")]
    Cancelled,
}
