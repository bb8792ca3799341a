use super::super::console::Line;
use super::super::text_table::{TextTable, number, percent};
use crate::analysis::feet::{ClipFeetJson, FootJson};
use crate::analysis::motion::{ClipMotionJson, MotionJson, RankedClipJson, ThinJointJson};
use crate::analysis::seams::{RotationSpikeJson, SeamJson, SpikeJson};
use crate::analysis::twist::RankList;
use crate::rows::Series;
use crate::text::counted;

const MAX_THIN: usize = 10;

/// Returns the lines of a report: a ranking of all clips or, if `lists_frames`, the frames of a single clip.
pub(super) fn lines(file: &str, motion: &MotionJson, lists_frames: bool) -> Vec<Line> {
    let frames = motion.clips.iter().map(|clip| clip.time_secs.0.len()).sum();
    let counts = format!("{}, {}", counted(motion.clips.len(), "clip", "clips"), counted(frames, "frame", "frames"));
    let [a, b] = &motion.sides;
    let mut lines = vec![Line::plain(file), Line::plain(&format!("A {a}, B {b}, {counts}"))];
    lines.extend(motion.joints_off.iter().map(|why| Line::plain(&format!("no volume losses: {why}"))));
    lines.extend(motion.distances_off.iter().map(|why| Line::plain(&format!("no distances: {why}"))));
    match motion.clips.as_slice() {
        [one] if lists_frames => lines.extend(frame_lines(motion, one)),
        _ => lines.extend(clip_lines(motion)),
    }
    lines.extend(thin_lines(&motion.too_thin));
    lines.extend(motion.clips.iter().filter_map(|clip| step_line(&clip.clip, clip.step)));
    lines
}

fn step_line(clip: &str, step: usize) -> Option<Line> {
    (step > 1).then(|| Line::plain(&format!("Too many frames in {clip}: one in {step} was measured.")))
}

fn clip_lines(motion: &MotionJson) -> Vec<Line> {
    type Row<'a> = (&'a RankedClipJson, &'a ClipMotionJson);
    let volume = |(_, clip): &Row<'_>, side: usize| {
        let smallest = clip.volume_m3[side].0.iter().copied().fold(f64::INFINITY, f64::min);
        percent(smallest / motion.rest_volume_m3.0[side])
    };
    let area = |(_, clip): &Row<'_>, side: usize| {
        let smallest = clip.min_area_ratio[side].0.iter().copied().fold(f32::INFINITY, f32::min);
        format!("{smallest:.4}")
    };
    let flips = |(_, clip): &Row<'_>, side: usize| {
        clip.flipped_triangles[side].0.iter().max().copied().unwrap_or(0).to_string()
    };
    let largest = |metres: &Series<f64>| metres.0.iter().copied().fold(0.0, f64::max);
    let table = TextTable::<Row<'_>>::new()
        .right(8, "A loss", |(ranked, _)| percent(ranked.volume_loss[0].map(f64::from)))
        .right(8, "±", |(ranked, _)| percent(ranked.volume_loss_uncertainty[0].map(f64::from)))
        .right(8, "B loss", |(ranked, _)| percent(ranked.volume_loss[1].map(f64::from)))
        .right(8, "±", |(ranked, _)| percent(ranked.volume_loss_uncertainty[1].map(f64::from)))
        .right(8, "at s", |(ranked, _)| number(ranked.time_secs.map(f64::from), 3))
        .left(20, "joint", |(ranked, _)| ranked.joint.clone().unwrap_or_else(|| "-".to_owned()))
        .bar()
        .right(8, "A volume", |row| volume(row, 0))
        .right(8, "B volume", |row| volume(row, 1))
        .bar()
        .right(8, "A area", |row| area(row, 0))
        .right(8, "B area", |row| area(row, 1))
        .bar()
        .right(8, "A flips", |row| flips(row, 0))
        .right(8, "B flips", |row| flips(row, 1))
        .bar()
        .right(9, "dist. m", |(_, clip)| number(clip.max_distance_m.as_ref().map(largest), 5))
        .left(0, "clip", |(ranked, _)| ranked.clip.clone());
    let measured = |ranked| motion.clips.iter().find(|clip| clip.number == ranked);
    let rows = motion.ranking.iter().filter_map(|ranked| Some((ranked, measured(ranked.number)?)));
    std::iter::once(table.head()).chain(rows.map(|row| table.row(&row))).collect()
}

/// Lists joints that are too thin for a reliable volume loss.
fn thin_lines(thin: &[ThinJointJson]) -> Vec<Line> {
    let table = TextTable::<ThinJointJson>::new()
        .right(8, "", |thin| percent(f64::from(thin.volume_loss)))
        .right(8, "", |thin| percent(f64::from(thin.volume_loss_uncertainty)))
        .right(26, "", |thin| number(f64::from(thin.time_secs), 3))
        .left(20, "", |thin| thin.joint.clone())
        .bar()
        .left(0, "", |thin| thin.clip.clone());
    let head = RankList::TooThin.heading().filter(|_| !thin.is_empty());
    let head = head.into_iter().flat_map(|head| [Line::plain(""), Line::plain(head)]);
    let more = thin.len().saturating_sub(MAX_THIN);
    let more = (more > 0).then(|| Line::plain(&format!("and {more} more; --json lists all")));
    head.chain(thin.iter().take(MAX_THIN).map(|thin| table.row(thin))).chain(more).collect()
}

fn frame_lines(motion: &MotionJson, clip: &ClipMotionJson) -> Vec<Line> {
    let volume = |side: usize, frame: usize| percent(clip.volume_m3[side].0[frame] / motion.rest_volume_m3.0[side]);
    let area = |side: usize, frame: usize| format!("{:.4}", clip.min_area_ratio[side].0[frame]);
    let flips = |side: usize, frame: usize| clip.flipped_triangles[side].0[frame].to_string();
    let metres = |of: &Option<Series<f64>>, frame: usize| number(of.as_ref().map(|metres| metres.0[frame]), 5);
    let share = |of: &[Series<f32>; 2], side: usize, frame: usize| percent(f64::from(of[side].0[frame]));
    let joint = |side: usize, frame: usize| clip.worst_joint[side][frame].as_deref().unwrap_or("-");
    let table = TextTable::<usize>::new()
        .right(8, "at s", |frame| format!("{:.3}", clip.time_secs.0[*frame]))
        .bar()
        .right(8, "A volume", |frame| volume(0, *frame))
        .right(8, "B volume", |frame| volume(1, *frame))
        .bar()
        .right(8, "A area", |frame| area(0, *frame))
        .right(8, "B area", |frame| area(1, *frame))
        .bar()
        .right(7, "A flips", |frame| flips(0, *frame))
        .right(7, "B flips", |frame| flips(1, *frame))
        .bar()
        .right(9, "max m", |frame| metres(&clip.max_distance_m, *frame))
        .right(9, "mean m", |frame| metres(&clip.mean_distance_m, *frame))
        .bar()
        .right(8, "A loss", |frame| share(&clip.volume_loss, 0, *frame))
        .right(8, "±", |frame| share(&clip.volume_loss_uncertainty, 0, *frame))
        .right(8, "B loss", |frame| share(&clip.volume_loss, 1, *frame))
        .right(8, "±", |frame| share(&clip.volume_loss_uncertainty, 1, *frame))
        .left(0, "joints A, B", |frame| format!("{}, {}", joint(0, *frame), joint(1, *frame)));
    std::iter::once(table.head()).chain((0..clip.time_secs.0.len()).map(|frame| table.row(&frame))).collect()
}

pub(super) fn seam_lines(file: &str, seams: &[SeamJson], clips: usize) -> Vec<Line> {
    let travels = |seam: &SeamJson, text: String, otherwise: &str| {
        if seam.travel.moves { text } else { otherwise.to_owned() }
    };
    let table = TextTable::<SeamJson>::new()
        .right(8, "gap mm", |seam| number(seam.gap.as_ref().map(|gap| f64::from(gap.distance_m) * 1e3), 2))
        .right(8, "gap °", |seam| number(seam.rotation_gap.as_ref().map(|gap| gap.angle_deg), 3))
        .right(8, "skin mm", |seam| number(seam.skin_gap.max_distance_m * 1e3, 2))
        .bar()
        .right(9, "jump m/s", |seam| number(seam.jump.as_ref().map(|jump| f64::from(jump.speed_m_s)), 4))
        .right(9, "jump °/s", |seam| number(seam.rotation_jump.as_ref().map(|jump| jump.speed_deg_s), 2))
        .right(7, "ratio", |seam| number(seam.ratio.map(f64::from), 2))
        .bar()
        .right(9, "travel m", |seam| travels(seam, format!("{:.3}", seam.travel.distance_m), "in place"))
        .right(8, "turn °", |seam| travels(seam, format!("{:.1}", seam.travel.rotation_deg), "-"))
        .bar()
        .right(6, "spikes", |seam| (seam.spikes.len() + seam.rotation_spikes.len()).to_string())
        .right(9, "constant", |seam| format!("{}/{}", seam.keys.constant_channels, seam.keys.channels))
        .right(11, "spare keys", |seam| format!("{}/{}", seam.keys.spare_keys, seam.keys.keys))
        .left(0, "clip", |seam| seam.clip.clone());
    let mut lines = vec![Line::plain(file), table.head()];
    for seam in seams {
        lines.push(table.row(seam));
        lines.extend(seam.spikes.iter().map(spike_line));
        lines.extend(seam.rotation_spikes.iter().map(rotation_spike_line));
    }
    lines.extend(seams.iter().filter_map(|seam| step_line(&seam.clip, seam.step)));
    let short = clips - seams.len();
    if short > 0 {
        let counted = counted(short, "clip has", "clips have");
        lines.push(Line::plain(&format!("{counted} fewer than three frames and no seam.")));
    }
    lines
}

fn spike_line(spike: &SpikeJson) -> Line {
    let joint = spike.worst.as_ref().and_then(|worst| worst.joint.as_ref());
    let joint = joint.map_or_else(String::new, |joint| format!(", joint {joint}"));
    let times = usual(spike.times);
    Line::plain(&format!("  spike at {:.3} s: {:.1} mm off{times}{joint}", spike.time_secs, spike.offset_m * 1e3))
}

fn rotation_spike_line(spike: &RotationSpikeJson) -> Line {
    let RotationSpikeJson { time_secs, angle_deg, times, joint } = spike;
    Line::plain(&format!("  spike at {time_secs:.3} s: joint {joint} turned {angle_deg:.1}° off{}", usual(*times)))
}

fn usual(times: Option<f32>) -> String {
    times.map_or_else(String::new, |times| format!(", {times:.0} times the usual"))
}

pub(super) fn feet_lines(file: &str, clips: &[ClipFeetJson]) -> Vec<Line> {
    type Row<'a> = (&'a ClipFeetJson, &'a FootJson);
    let millimetres = |length: f32| format!("{length:.1}");
    let worst =
        |foot: &FootJson, value: f32, digits: usize| number((foot.contacts > 0).then_some(f64::from(value)), digits);
    let root =
        |clip: &ClipFeetJson| if clip.moves { format!("{:.3}", clip.root_speed_m_s) } else { "in place".to_owned() };
    let table = TextTable::<Row<'_>>::new()
        .left(20, "foot", |(_, foot)| foot.foot.clone())
        .bar()
        .right(8, "contacts", |(_, foot)| foot.contacts.to_string())
        .right(6, "in", |(_, foot)| format!("{:.0} %", foot.contact_fraction * 100.0))
        .bar()
        .right(8, "slide mm", |(_, foot)| millimetres(foot.slide_mm))
        .right(8, "worst mm", |(_, foot)| worst(foot, foot.worst_slide_mm, 1))
        .right(8, "at s", |(_, foot)| worst(foot, foot.worst_slide_secs, 3))
        .bar()
        .right(10, "skate mm/s", |(_, foot)| millimetres(foot.mean_skate_mm_s))
        .right(8, "worst", |(_, foot)| millimetres(foot.worst_skate_mm_s))
        .bar()
        .right(8, "sinks mm", |(_, foot)| millimetres(foot.sinks_mm))
        .right(8, "floats", |(_, foot)| millimetres(foot.floats_mm))
        .bar()
        .right(9, "root m/s", |(clip, _)| root(clip))
        .right(10, "ground m/s", |(clip, _)| format!("{:.3}", clip.ground_speed_m_s))
        .left(0, "clip", |(clip, _)| clip.clip.clone());
    let mut lines = vec![Line::plain(file), table.head()];
    for clip in clips {
        lines.extend(clip.feet.iter().map(|foot| table.row(&(clip, foot))));
        let doubt =
            || format!("  {}: feet are hardly ever in contact with the floor, so these numbers mean little", clip.clip);
        lines.extend(clip.doubtful.then(|| Line::plain(&doubt())));
    }
    lines.extend(clips.iter().filter_map(|clip| step_line(&clip.clip, clip.step)));
    lines
}
