//! Plots of sweeps, as inline SVG in the colours of the sides.

use crate::analysis::twist::{Motion, Sweep, SweepRow};

const WIDTH: f32 = 320.0;
const HEIGHT: f32 = 180.0;
const MARGIN: f32 = 34.0;
/// Above 1, a share of the volume that is drawn.
const MOST: f32 = 1.5;

/// The share of the volume that is left at each angle of a motion: a line for each method.
pub(super) fn volume(sweep: &Sweep, motion: Motion) -> String {
    let rows: Vec<&SweepRow> = sweep.rows.iter().filter(|row| row.motion == motion).collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return String::new() };
    let (from, to) = (first.angle, last.angle);
    let x = |angle: f32| MARGIN + (angle - from) / (to - from).max(1e-3) * (WIDTH - 1.5 * MARGIN);
    let y = |share: f32| HEIGHT - MARGIN * 0.7 - share.clamp(0.0, MOST) / MOST * (HEIGHT - MARGIN);
    let line = |method: usize| {
        let points = rows.iter().filter(|row| row.losses[method].volume_ratio.is_finite());
        let points: Vec<String> =
            points.map(|row| format!("{:.1},{:.1}", x(row.angle), y(row.losses[method].volume_ratio))).collect();
        format!("<polyline class=\"{}\" points=\"{}\"/>", ["at-a", "at-b"][method % 2], points.join(" "))
    };
    let lines: String = (0..sweep.methods.len()).map(line).collect();
    let level = |share: f32| {
        let (at, percent) = (y(share), share * 100.0);
        format!(
            "<line class=\"axis\" x1=\"{MARGIN}\" x2=\"{:.0}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text x=\"2\" y=\"{:.1}\">{percent:.0} %</text>",
            WIDTH - MARGIN * 0.5,
            at + 4.0
        )
    };
    let levels: String = [0.0, 0.5, 1.0, 1.5].into_iter().map(level).collect();
    let angle = |angle: f32| {
        let (at, below, degrees) = (x(angle), HEIGHT - 6.0, angle.to_degrees());
        format!("<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{degrees:.0}°</text>")
    };
    let angles: String = [from, (from + to) * 0.5, to].into_iter().map(angle).collect();
    let (name, methods) = (motion.name(), sweep.methods.join(" and "));
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Volume left at each {name} by {methods}\">{levels}{angles}{lines}</svg>"
    )
}
