use crate::analysis::twist::{Motion, Sweep, SweepRow};
use crate::page::Element;

const WIDTH: f32 = 320.0;
const HEIGHT: f32 = 180.0;
const MARGIN: f32 = 34.0;
const MOST: f32 = 1.5;

/// Draws the remaining volume fraction over the angle, one line per method.
pub(super) fn volume(sweep: &Sweep, motion: Motion) -> Element {
    let rows: Vec<&SweepRow> = sweep.rows.iter().filter(|row| row.motion == motion).collect();
    let name = format!("Volume left at each {} by {}", motion.name(), sweep.methods.join(" and "));
    let plot = Element::new("svg").with("viewBox", &format!("0 0 {WIDTH} {HEIGHT}"));
    let plot = plot.with("role", "img").with("aria-label", &name);
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return plot };
    let (from, to) = (first.angle, last.angle);
    let x = |angle: f32| MARGIN + (angle - from) / (to - from).max(1e-3) * (WIDTH - 1.5 * MARGIN);
    let y = |share: f32| HEIGHT - MARGIN * 0.7 - share.clamp(0.0, MOST) / MOST * (HEIGHT - MARGIN);
    let line = |method: usize| {
        let points = rows.iter().filter(|row| row.losses[method].volume_ratio.is_finite());
        let points: Vec<String> =
            points.map(|row| format!("{:.1},{:.1}", x(row.angle), y(row.losses[method].volume_ratio))).collect();
        Element::new("polyline").with("class", ["at-a", "at-b"][method % 2]).with("points", &points.join(" "))
    };
    let levels = [0.0, 0.5, 1.0, 1.5].into_iter().flat_map(|share| {
        let line = Element::new("line").with("class", "axis").with("x1", &MARGIN.to_string());
        let line = line.with("x2", &format!("{:.0}", WIDTH - MARGIN * 0.5));
        let height = format!("{:.1}", y(share));
        [line.with("y1", &height).with("y2", &height), label([2.0, y(share) + 4.0], &format!("{:.0} %", share * 100.0))]
    });
    let angles = [from, (from + to) * 0.5, to].map(|angle| {
        label([x(angle), HEIGHT - 6.0], &format!("{:.0}°", angle.to_degrees())).with("text-anchor", "middle")
    });
    plot.children(levels).children(angles).children((0..sweep.methods.len()).map(line))
}

fn label([x, y]: [f32; 2], text: &str) -> Element {
    Element::new("text").with("x", &format!("{x:.1}")).with("y", &format!("{y:.1}")).text(text)
}
