//! Transforms as CSV: a row for each node, or for each joint of each skin, at one moment or at all frames of a clip.

use glam::Affine3;

use crate::rig::{FrameRate, NodeIndex, Trs};
use crate::rows::{Cell, csv_of_cells};
use crate::stage::Stage;

/// Maximum number of rows, about 1 GB of text.
const MAX_ROWS: usize = 2_000_000;

/// Returns the table. With a rate, it has the frames of the clip from its start, and its end. *Errors*: no clip is
/// chosen; too many rows.
pub(super) fn table(stage: &mut Stage, rate: Option<f32>, has_skinning: bool) -> Result<String, String> {
    let joints = Joint::all(stage, has_skinning);
    let header = header(has_skinning);
    let Some(rate) = rate.map(FrameRate::new) else { return Ok(csv_of_cells(header, rows(stage, 0, &joints))) };
    if stage.playback.clip.is_none() {
        let has_none = stage.rig().clips.is_empty();
        let problem = if has_none { "This file has no clips" } else { "No clip is chosen; name one with --clip" };
        return Err(problem.to_owned());
    }
    let [start, end] = stage.playback.played_secs(stage.rig());
    let count = (rate.frame(end - start) as usize).saturating_add(1).saturating_mul(joints.len());
    if count > MAX_ROWS {
        return Err(format!(
            "The table would have {count} rows, and at most {MAX_ROWS} are written; use a lower --fps"
        ));
    }
    let frames = rate.times_secs(end - start, 1).into_iter().enumerate();
    let rows = frames.flat_map(|(frame, time_secs)| {
        stage.playback.pause_at(start + time_secs, &stage.document.rig);
        stage.refresh();
        rows(stage, frame, &joints)
    });
    Ok(csv_of_cells(header, rows))
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

/// Returns the rows of the shown moment.
fn rows(stage: &Stage, frame: usize, joints: &[Joint]) -> Vec<Vec<String>> {
    let (hierarchy, posed, pose) = (&stage.rig().hierarchy, stage.posed(), stage.pose());
    let in_file = posed.file_from_node(hierarchy);
    let moment = stage.playback.sample();
    let clip = moment.map_or("", |moment| stage.rig().clip_name(moment.clip));
    let row = |Joint { node, of_skin }: &Joint| {
        let Trs { translation, rotation, scale } = Trs::from_affine(&posed.local(pose, *node));
        let world = in_file[node.index()];
        let mut row = vec![clip.to_owned(), frame.to_string(), moment.map(|moment| moment.time_secs).text()];
        row.extend(of_skin.map(|(skin, _)| skin.to_string()));
        let parent = hierarchy.parent(*node).map(|parent| hierarchy.source(parent));
        row.extend([hierarchy.source(*node).to_string(), hierarchy.name(*node).to_owned(), parent.text()]);
        let parts = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
        let matrices = std::iter::once(world).chain(of_skin.map(|(_, bind)| world * bind));
        row.extend(parts.chain(matrices.flat_map(by_rows)).map(|number| number.text()));
        row
    };
    joints.iter().map(row).collect()
}

/// Returns the first three rows of a matrix; the last is 0, 0, 0, 1.
fn by_rows(matrix: Affine3) -> [f32; 12] {
    let all = glam::Mat4::from(matrix).transpose().to_cols_array();
    std::array::from_fn(|at| all[at])
}
