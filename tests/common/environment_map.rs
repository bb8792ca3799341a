//! Environment maps in Radiance files, built in code.

use std::path::{Path, PathBuf};

/// Writes an environment map of 64 × 32 pixels. `pixel` returns RGBE bytes for a column and row.
pub fn environment_map(folder: &Path, name: &str, pixel: impl Fn(usize, usize) -> [u8; 4]) -> PathBuf {
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 32 +X 64\n".to_vec();
    for y in 0..32 {
        (0..64).for_each(|x| bytes.extend(pixel(x, y)));
    }
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Writes a blue sky over brown ground, with an orange evening sun in front of the character, to its right.
pub fn evening(folder: &Path) -> PathBuf {
    environment_map(folder, "evening.hdr", |x, y| match (x, y) {
        (8, 10) => [240, 160, 80, 141],
        (_, 0..16) => [60, 90, 160, 128],
        _ => [50, 40, 30, 127],
    })
}
