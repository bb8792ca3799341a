//! Formatting of file sizes.

/// Formats a size in decimal units: "812 B", "45.1 kB", "1.2 MB".
pub fn byte_count(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
