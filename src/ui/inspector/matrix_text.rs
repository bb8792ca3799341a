use glam::Affine3;
use serde_json::json;

use super::terms::Term;

/// Formats a number with 8 characters, so that columns align.
pub(super) fn fixed(value: f32) -> String {
    let decimals = match value.abs() {
        v if v < 99.99995 => 4,
        v if v < 999.9995 => 3,
        v if v < 9999.995 => 2,
        v if v < 99999.95 => 1,
        _ if value.is_finite() => return format!("{value:>8.1e}"),
        _ => return format!("{value:>8}"),
    };
    // Avoids showing -0.
    let value = if value.abs() < 0.5e-4 { 0.0 } else { value };
    format!("{value:>8.decimals$}")
}

/// Returns the first three rows of a matrix. The fourth is 0 0 0 1.
pub(super) fn rows(matrix: &Affine3) -> [[f32; 4]; 3] {
    let columns = matrix.to_cols_array_2d();
    std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row]))
}

pub(super) fn line(values: &[f32]) -> String {
    values.iter().map(|&v| fixed(v)).collect::<Vec<_>>().join(" ")
}

pub(super) fn text(term: &Term, joint: &str) -> String {
    let trs = term.trs;
    let rows: Vec<String> = rows(&term.matrix).iter().map(|row| line(row)).collect();
    format!(
        "{} of {joint}, {}\n{}\n{}\ntranslation {}\nrotation    {} (x y z w)\nscale       {}\n",
        term.symbol,
        term.space,
        rows.join("\n"),
        line(&[0.0, 0.0, 0.0, 1.0]),
        line(&trs.translation.to_array()),
        line(&trs.rotation.to_array()),
        line(&trs.scale.to_array()),
    )
}

pub(super) fn json(term: &Term, joint: &str) -> String {
    let [x, y, z] = rows(&term.matrix);
    let value = json!({
        "symbol": term.symbol,
        "joint": joint,
        "space": term.space,
        "rows": [x, y, z, [0.0, 0.0, 0.0, 1.0]],
        "translation": term.trs.translation.to_array(),
        "rotation": term.trs.rotation.to_array(),
        "scale": term.trs.scale.to_array(),
    });
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Trs;
    use glam::{Quat, Vec3};

    #[test]
    fn every_number_takes_eight_characters() {
        for value in [
            0.0,
            -0.0,
            -1e-9,
            1.0,
            -99.99996,
            99.9999,
            -999.9999,
            12345.678,
            -99999.99,
            1e30,
            -1e30,
            1e-30,
            f32::NAN,
            f32::NEG_INFINITY,
        ] {
            assert_eq!(fixed(value).chars().count(), 8, "{value} is {}", fixed(value));
        }
        assert_eq!(fixed(-1e-9), "  0.0000");
        assert_eq!(fixed(-12.345_678), "-12.3457");
    }

    #[test]
    fn a_copied_matrix_is_written_row_by_row() {
        let trs = Trs { translation: Vec3::new(1.0, 2.0, 3.0), rotation: Quat::IDENTITY, scale: Vec3::splat(2.0) };
        let term = Term { symbol: "W_j", space: "world from joint", meaning: "", matrix: trs.to_affine(), trs };
        let value: serde_json::Value = serde_json::from_str(&json(&term, "Head")).unwrap();
        assert_eq!(value["rows"][1], json!([0.0, 2.0, 0.0, 2.0]));
        assert_eq!(value["rotation"], json!([0.0, 0.0, 0.0, 1.0]));
        let text = text(&term, "Head");
        assert!(text.contains("  0.0000   2.0000   0.0000   2.0000\n"), "{text}");
    }
}
