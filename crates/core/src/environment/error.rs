/// Error while reading an environment map.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// Opening or reading failed.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// The file does not start with `#?`.
    #[error("not a Radiance file (.hdr)")]
    NotRadiance,
    /// The header is incomplete, or its image size is missing or invalid.
    #[error("its header has no line such as \"-Y 1024 +X 2048\"")]
    NoSize,
    /// The pixel format is not RGBE.
    #[error("its colours are of format \"{0}\", and only 32-bit_rle_rgbe is read")]
    Format(String),
    /// The image is empty, too large, or not twice as wide as high.
    #[error("the image is {0} x {1} pixels; a map must be twice as wide as high, at most 32768 x 16384")]
    Size(usize, usize),
    /// The file ends before its last row.
    #[error("it ends in row {0} of {1}")]
    Truncated(usize, usize),
    /// The run-length encoding of a row is invalid.
    #[error("row {0} of {1} is broken")]
    Row(usize, usize),
    /// All pixels are black.
    #[error("the image is entirely black")]
    Black,
    /// Reading was cancelled.
    #[error("it was cancelled")]
    Cancelled,
}
