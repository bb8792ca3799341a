//! Motions as a table for people.

use crate::analysis::motion::{ClipMotion, MotionTable, Motions, WorstFrame};
use crate::cli::console::Line;
use crate::text::counted;
use crate::view::{PerSide, Side};

/// The ranking of all clips; where there is one alone and it was asked for, its frames.
pub(super) fn lines(
    file: &str,
    [a, b]: &[String; 2],
    motions: &Motions,
    table: &MotionTable<'_>,
    lists_frames: bool,
) -> Vec<Line> {
    let frames = motions.clips.iter().map(|clip| clip.times_secs.len()).sum();
    let counts = format!("{}, {}", counted(motions.clips.len(), "clip", "clips"), counted(frames, "frame", "frames"));
    let mut lines = vec![Line::plain(file), Line::plain(&format!("A {a}, B {b}, {counts}"))];
    lines.extend(motions.regions_off.iter().flatten().map(|why| Line::plain(&format!("no volume losses: {why}"))));
    lines.extend(motions.unmatched.iter().map(|why| Line::plain(&format!("no distances: {why}"))));
    match motions.clips.as_slice() {
        [one] if lists_frames => lines.extend(frame_lines(motions, one, table)),
        _ => lines.extend(clip_lines(motions, table)),
    }
    if let Some(step) = motions.clips.first().map(|clip| clip.step).filter(|step| *step > 1) {
        lines.push(Line::plain(&format!("Too many frames to be kept: one in {step} was measured.")));
    }
    lines
}

/// A line for each clip, that with the worst frame first.
fn clip_lines(motions: &Motions, table: &MotionTable<'_>) -> Vec<Line> {
    let head = format!(
        "{:>8} {:>8} {:>8}  {:<20} | {:>8} {:>8} | {:>8} {:>8} | {:>8} {:>8} | {:>9}  clip",
        "A loss",
        "B loss",
        "at s",
        "joint",
        "A volume",
        "B volume",
        "A area",
        "B area",
        "A flips",
        "B flips",
        "dist. m"
    );
    let line = |(clip, worst): (usize, Option<WorstFrame>)| {
        let motion = &motions.clips[clip];
        let [loss_a, loss_b] = Side::ALL.map(|side| worst.map_or(f32::NAN, |worst| worst.loss[side])).map(percent);
        let time = worst.map_or_else(dash, |worst| format!("{:.3}", motion.times_secs[worst.frame]));
        let joint = worst.map_or("-", |worst| table.joint(Side::A, worst.joint));
        let PerSide { a, b } = &motion.sides;
        let [volume_a, volume_b] = Side::ALL.map(|side| {
            let least = motion.sides[side].volume.iter().copied().fold(f64::INFINITY, f64::min);
            percent((least / motions.rest_volume[side]) as f32)
        });
        let [area_a, area_b] = [a, b].map(|side| least(&side.least_area_ratio));
        let [flipped_a, flipped_b] = [a, b].map(|side| side.flipped.iter().max().copied().unwrap_or_default());
        let distance = motion.distances.iter().map(|distance| distance.max).fold(0.0, f64::max);
        let distance = if motions.unmatched.is_some() { dash() } else { format!("{distance:.5}") };
        Line::plain(&format!(
            "{loss_a:>8} {loss_b:>8} {time:>8}  {joint:<20} | {volume_a:>8} {volume_b:>8} | {area_a:>8.4} {area_b:>8.4} | {flipped_a:>8} {flipped_b:>8} | {distance:>9}  {}",
            table.clip(clip)
        ))
    };
    std::iter::once(Line::plain(&head)).chain(motions.ranking().into_iter().map(line)).collect()
}

/// A line for each frame of the only clip.
fn frame_lines(motions: &Motions, motion: &ClipMotion, table: &MotionTable<'_>) -> Vec<Line> {
    let head = format!(
        "{:>8} | {:>8} {:>8} | {:>8} {:>8} | {:>7} {:>7} | {:>9} {:>9} | {:>8} {:>8}  joints A, B",
        "at s", "A volume", "B volume", "A area", "B area", "A flips", "B flips", "max m", "mean m", "A loss", "B loss"
    );
    let line = |frame: usize| {
        let [volume_a, volume_b] =
            Side::ALL.map(|side| percent((motion.sides[side].volume[frame] / motions.rest_volume[side]) as f32));
        let [area_a, area_b] = Side::ALL.map(|side| motion.sides[side].least_area_ratio[frame]);
        let [flipped_a, flipped_b] = Side::ALL.map(|side| motion.sides[side].flipped[frame]);
        let distance = &motion.distances[frame];
        let [max, mean] = [distance.max, distance.mean]
            .map(|metres| if motions.unmatched.is_some() { dash() } else { format!("{metres:.5}") });
        let worst = Side::ALL.map(|side| table.worst_joint(0, frame, side));
        let [loss_a, loss_b] = worst.map(|worst| worst.map_or_else(dash, |(_, loss)| percent(loss)));
        let [joint_a, joint_b] = worst.map(|worst| worst.map_or("-", |(joint, _)| joint));
        Line::plain(&format!(
            "{:>8.3} | {volume_a:>8} {volume_b:>8} | {area_a:>8.4} {area_b:>8.4} | {flipped_a:>7} {flipped_b:>7} | {max:>9} {mean:>9} | {loss_a:>8} {loss_b:>8}  {joint_a}, {joint_b}",
            motion.times_secs[frame]
        ))
    };
    std::iter::once(Line::plain(&head)).chain((0..motion.times_secs.len()).map(line)).collect()
}

fn percent(share: f32) -> String {
    if share.is_finite() { format!("{:.2} %", share * 100.0) } else { dash() }
}

fn least(ratios: &[f32]) -> f32 {
    ratios.iter().copied().fold(f32::INFINITY, f32::min)
}

fn dash() -> String {
    "-".to_owned()
}
