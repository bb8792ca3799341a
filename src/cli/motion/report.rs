//! Motions as a table for people.

use crate::analysis::feet::{ClipFeet, FeetTable, FootMotion};
use crate::analysis::motion::{ClipMotion, MotionTable, Motions, ThinJoint, WorstFrame};
use crate::analysis::seams::{Seam, SeamTable, Spike, TurnSpike};
use crate::analysis::twist::Standing;
use crate::cli::console::Line;
use crate::text::counted;
use crate::view::{PerSide, Side};

/// Most joints that are too thin to tell and listed.
const MAX_THIN: usize = 10;

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
    lines.extend(thin_lines(motions, table));
    lines.extend(motions.clips.iter().enumerate().filter_map(|(at, clip)| step_line(table.clip(at), clip.step)));
    lines
}

/// A line that tells how many frames of a long clip were measured.
fn step_line(clip: &str, step: usize) -> Option<Line> {
    (step > 1).then(|| Line::plain(&format!("Too many frames in {clip}: one in {step} was measured.")))
}

/// A line for each clip, that with the worst frame first.
fn clip_lines(motions: &Motions, table: &MotionTable<'_>) -> Vec<Line> {
    let head = format!(
        "{:>8} {:>8} {:>8} {:>8} {:>8}  {:<20} | {:>8} {:>8} | {:>8} {:>8} | {:>8} {:>8} | {:>9}  clip",
        "A loss",
        "±",
        "B loss",
        "±",
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
        let of_worst = |number: fn(WorstFrame) -> PerSide<f32>| {
            Side::ALL.map(|side| worst.map_or(f32::NAN, |worst| number(worst)[side])).map(percent)
        };
        let ([loss_a, loss_b], [doubt_a, doubt_b]) =
            (of_worst(|worst| worst.loss), of_worst(|worst| worst.uncertainty));
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
            "{loss_a:>8} {doubt_a:>8} {loss_b:>8} {doubt_b:>8} {time:>8}  {joint:<20} | {volume_a:>8} {volume_b:>8} | {area_a:>8.4} {area_b:>8.4} | {flipped_a:>8} {flipped_b:>8} | {distance:>9}  {}",
            table.clip(clip)
        ))
    };
    std::iter::once(Line::plain(&head)).chain(motions.ranking().into_iter().map(line)).collect()
}

/// A line for each of the joints that are too thin to tell.
fn thin_lines(motions: &Motions, table: &MotionTable<'_>) -> Vec<Line> {
    let thin = motions.too_thin();
    let line = |found: &ThinJoint| {
        let (loss, uncertainty) = (percent(found.loss), percent(found.uncertainty));
        let time = motions.clips[found.clip].times_secs[found.frame];
        let joint = table.joint(Side::A, found.joint);
        Line::plain(&format!(
            "{loss:>8} {uncertainty:>8} {:>17} {time:>8.3}  {joint:<20} | {}",
            "",
            table.clip(found.clip)
        ))
    };
    let head = Standing::TooThin.heading().filter(|_| !thin.is_empty());
    let head = head.into_iter().flat_map(|head| [Line::plain(""), Line::plain(head)]);
    let more = thin.len().saturating_sub(MAX_THIN);
    let more = (more > 0).then(|| Line::plain(&format!("and {more} more; --json lists all")));
    head.chain(thin.iter().take(MAX_THIN).map(line)).chain(more).collect()
}

/// A line for each frame of the only clip.
fn frame_lines(motions: &Motions, motion: &ClipMotion, table: &MotionTable<'_>) -> Vec<Line> {
    let head = format!(
        "{:>8} | {:>8} {:>8} | {:>8} {:>8} | {:>7} {:>7} | {:>9} {:>9} | {:>8} {:>8} {:>8} {:>8}  joints A, B",
        "at s",
        "A volume",
        "B volume",
        "A area",
        "B area",
        "A flips",
        "B flips",
        "max m",
        "mean m",
        "A loss",
        "±",
        "B loss",
        "±"
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
        let [loss_a, loss_b] = worst.map(|worst| worst.map_or_else(dash, |(_, worst)| percent(worst.loss)));
        let [doubt_a, doubt_b] = worst.map(|worst| worst.map_or_else(dash, |(_, worst)| percent(worst.uncertainty)));
        let [joint_a, joint_b] = worst.map(|worst| worst.map_or("-", |(joint, _)| joint));
        Line::plain(&format!(
            "{:>8.3} | {volume_a:>8} {volume_b:>8} | {area_a:>8.4} {area_b:>8.4} | {flipped_a:>7} {flipped_b:>7} | {max:>9} {mean:>9} | {loss_a:>8} {doubt_a:>8} {loss_b:>8} {doubt_b:>8}  {joint_a}, {joint_b}",
            motion.times_secs[frame]
        ))
    };
    std::iter::once(Line::plain(&head)).chain((0..motion.times_secs.len()).map(line)).collect()
}

/// A line for each clip with its seam, and below one for each spike.
pub(super) fn seam_lines(file: &str, table: &SeamTable<'_>, clips: usize) -> Vec<Line> {
    let head = format!(
        "{:>8} {:>8} {:>8} | {:>9} {:>9} {:>7} | {:>9} {:>8} | {:>6} {:>9} {:>11}  clip",
        "gap mm",
        "gap °",
        "skin mm",
        "jump m/s",
        "jump °/s",
        "ratio",
        "travel m",
        "turn °",
        "spikes",
        "constant",
        "spare keys"
    );
    let mut lines = vec![Line::plain(file), Line::plain(&head)];
    for seam in table.seams() {
        lines.push(seam_line(table, seam));
        lines.extend(seam.spikes.iter().map(|spike| spike_line(table, spike)));
        lines.extend(seam.turn_spikes.iter().map(|spike| turn_spike_line(table, spike)));
    }
    lines.extend(table.seams().iter().filter_map(|seam| step_line(table.clip(seam), seam.step)));
    let short = clips - table.seams().len();
    if short > 0 {
        let counted = counted(short, "clip has", "clips have");
        lines.push(Line::plain(&format!("{counted} fewer than three frames and no seam.")));
    }
    lines
}

fn seam_line(table: &SeamTable<'_>, seam: &Seam) -> Line {
    let number = |value: Option<f32>, digits: usize| {
        value.filter(|value| value.is_finite()).map_or_else(dash, |value| format!("{value:.digits$}"))
    };
    let degrees = |found: Option<(_, f32)>| found.map(|(_, angle)| angle.to_degrees());
    let (gap, turn_gap) = (number(seam.gap.map(|(_, gap)| gap * 1e3), 2), number(degrees(seam.turn_gap), 3));
    let skin = number(Some((seam.skin_gap.max * 1e3) as f32), 2);
    let (jump, turn_jump) = (number(seam.jump.map(|jump| jump.change), 4), number(degrees(seam.turn_jump), 2));
    let ratio = number(Some(seam.ratio), 2);
    let (way, turn) = if seam.travel.moves {
        (format!("{:.3}", seam.travel.distance), format!("{:.1}", seam.travel.turn.to_degrees()))
    } else {
        ("in place".to_owned(), dash())
    };
    let keys = format!("{}/{}", seam.keys.spare_keys, seam.keys.keys);
    let constant = format!("{}/{}", seam.keys.constant_channels, seam.keys.channels);
    Line::plain(&format!(
        "{gap:>8} {turn_gap:>8} {skin:>8} | {jump:>9} {turn_jump:>9} {ratio:>7} | {way:>9} {turn:>8} | {:>6} {constant:>9} {keys:>11}  {}",
        seam.spikes.len() + seam.turn_spikes.len(),
        table.clip(seam)
    ))
}

fn spike_line(table: &SeamTable<'_>, spike: &Spike) -> Line {
    let joint = spike.joint.map_or_else(String::new, |joint| format!(", joint {}", table.joint(joint)));
    let times = if spike.times.is_finite() { format!(", {:.0} times the usual", spike.times) } else { String::new() };
    Line::plain(&format!("  spike at {:.3} s: {:.1} mm off{times}{joint}", spike.time_secs, spike.offset * 1e3))
}

fn turn_spike_line(table: &SeamTable<'_>, spike: &TurnSpike) -> Line {
    let times = if spike.times.is_finite() { format!(", {:.0} times the usual", spike.times) } else { String::new() };
    let (angle, joint) = (spike.angle.to_degrees(), table.joint(spike.joint));
    Line::plain(&format!("  spike at {:.3} s: joint {joint} turned {angle:.1}° off{times}", spike.time_secs))
}

/// A line for each foot of each clip.
pub(super) fn feet_lines(file: &str, table: &FeetTable<'_>, clips: &[ClipFeet]) -> Vec<Line> {
    let head = format!(
        "{:<20} | {:>8} {:>6} | {:>8} {:>8} {:>8} | {:>10} {:>8} | {:>8} {:>8} | {:>9} {:>10}  clip",
        "foot",
        "contacts",
        "in",
        "slide mm",
        "worst mm",
        "at s",
        "skate mm/s",
        "worst",
        "sinks mm",
        "floats",
        "root m/s",
        "ground m/s"
    );
    let line = |(clip, foot): (&ClipFeet, &FootMotion)| {
        let root = if clip.travel.moves { format!("{:.3}", clip.root_speed) } else { "in place".to_owned() };
        let contact = format!("{:.0} %", foot.contact_share * 100.0);
        let [worst, at] = foot.worst_contact().map_or_else(
            || [dash(), dash()],
            |contact| [format!("{:.1}", contact.slide * 1e3), format!("{:.3}", contact.start_secs)],
        );
        Line::plain(&format!(
            "{:<20} | {:>8} {contact:>6} | {:>8.1} {worst:>8} {at:>8} | {:>10.1} {:>8.1} | {:>8.1} {:>8.1} | {root:>9} {:>10.3}  {}",
            table.joint(foot.foot),
            foot.contacts.len(),
            foot.mean_slide() * 1e3,
            foot.mean_skate * 1e3,
            foot.worst_skate * 1e3,
            foot.sinks * 1e3,
            foot.floats * 1e3,
            clip.ground.length(),
            table.clip(clip)
        ))
    };
    let doubt = |clip: &ClipFeet| {
        Line::plain(&format!("  {}: feet hardly ever stand on the floor, so little is known of them", table.clip(clip)))
    };
    let of_clip = |clip: &ClipFeet| {
        let feet = clip.feet.iter().map(|foot| line((clip, foot)));
        feet.chain(clip.is_doubtful().then(|| doubt(clip))).collect::<Vec<_>>()
    };
    let steps = clips.iter().filter_map(|clip| step_line(table.clip(clip), clip.step));
    [Line::plain(file), Line::plain(&head)].into_iter().chain(clips.iter().flat_map(of_clip)).chain(steps).collect()
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
