//! Transforms as CSV: a row for each node, or for each joint of each skin, at one moment or at all frames of a clip.

use glam::Affine3;

use crate::rig::{NodeIndex, Trs};
use crate::rows::{Cell, csv_of_cells};
use crate::stage::Stage;

/// Maximum number of rows, about 1 GB of text.
const MAX_ROWS: usize = 2_000_000;

/// Returns the table. With a rate, it has all frames from the start of the clip to its end. *Errors*: nothing moves; too
/// many rows.
pub(super) fn table(stage: &mut Stage, rate: Option<f32>, has_skinning: bool) -> Result<String, String> {
    let joints = Joint::all(stage, has_skinning);
    let times = rate.map(|rate| times_secs(stage, rate)).transpose()?;
    let count = times.as_ref().map_or(1, Vec::len).saturating_mul(joints.len());
    if count > MAX_ROWS {
        return Err(format!(
            "The table would have {count} rows, and at most {MAX_ROWS} are written; use a lower --fps"
        ));
    }
    let mut rows = Vec::with_capacity(count);
    match times {
        None => add_rows(stage, 0, &joints, &mut rows),
        Some(times) => {
            for (frame, time_secs) in times.into_iter().enumerate() {
                stage.seek(time_secs);
                stage.refresh();
                add_rows(stage, frame, &joints, &mut rows);
            }
        }
    }
    Ok(csv_of_cells(header(has_skinning), rows))
}

fn times_secs(stage: &Stage, rate: f32) -> Result<Vec<f32>, String> {
    if stage.playback.clip.is_none() {
        return Err("Nothing moves: there is no clip. Name one with --clip.".to_owned());
    }
    let [start, end] = stage.playback.played_secs(stage.rig());
    // Rounding may turn 2 s at 30 frames per second into 59.99999 frames.
    let last = ((f64::from(end) - f64::from(start)) * f64::from(rate) + 1e-3).floor() as usize;
    Ok((0..=last).map(|frame| (f64::from(start) + frame as f64 / f64::from(rate)) as f32).collect())
}

/// A node, or a joint of a skin with its inverse bind matrix.
struct Joint {
    node: NodeIndex,
    of_skin: Option<(usize, Affine3)>,
}

impl Joint {
    fn all(stage: &Stage, has_skinning: bool) -> Vec<Self> {
        let rig = stage.rig();
        if !has_skinning {
            return rig.hierarchy.nodes().map(|node| Self { node, of_skin: None }).collect();
        }
        let joints = rig.skins.iter().enumerate().flat_map(|(skin, found)| {
            let joints = found.joints.iter().zip(&found.inverse_bind);
            joints.map(move |(node, bind)| Self { node: *node, of_skin: Some((skin, *bind)) })
        });
        joints.collect()
    }
}

fn header(has_skinning: bool) -> Vec<String> {
    let mut names = vec!["clip", "frame", "time_secs"];
    names.extend(has_skinning.then_some("skin"));
    names.extend(["node", "name", "parent", "x_m", "y_m", "z_m", "qx", "qy", "qz", "qw", "sx", "sy", "sz"]);
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    for matrix in ["world", "skinning"].into_iter().take(1 + usize::from(has_skinning)) {
        names.extend((0..3).flat_map(|row| (0..4).map(move |column| format!("{matrix}_{row}{column}"))));
    }
    names
}

fn add_rows(stage: &Stage, frame: usize, joints: &[Joint], rows: &mut Vec<Vec<String>>) {
    let (hierarchy, posed, pose) = (&stage.rig().hierarchy, stage.posed(), stage.pose());
    let in_file = posed.file_from_node(hierarchy);
    let moment = stage.playback.sample();
    let clip = moment.map_or("", |moment| stage.rig().clip_name(moment.clip));
    for Joint { node, of_skin } in joints {
        let Trs { translation, rotation, scale } = Trs::from_affine(&posed.local(pose, *node));
        let world = in_file[node.index()];
        let mut row = vec![clip.to_owned(), frame.to_string(), moment.map(|moment| moment.time_secs).text()];
        row.extend(of_skin.map(|(skin, _)| skin.to_string()));
        let parent = hierarchy.parent(*node).map(|parent| hierarchy.source(parent));
        row.extend([hierarchy.source(*node).to_string(), hierarchy.name(*node).to_owned(), parent.text()]);
        let parts = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
        let matrices = std::iter::once(world).chain(of_skin.map(|(_, bind)| world * bind));
        row.extend(parts.chain(matrices.flat_map(by_rows)).map(|number| number.text()));
        rows.push(row);
    }
}

/// Returns the first three rows of a matrix; the last is 0, 0, 0, 1.
fn by_rows(matrix: Affine3) -> [f32; 12] {
    let all = glam::Mat4::from(matrix).transpose().to_cols_array();
    std::array::from_fn(|at| all[at])
}
