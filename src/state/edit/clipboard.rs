use crate::export::PoseFile;
use crate::posing::{mirrored_face, morph_partner};
use crate::rig::{MorphIndex, PosedJoint};
use crate::stage::Stage;
use crate::state::Notice;
use crate::state::edit::joints::JointEditor;

impl JointEditor<'_> {
    /// Applies a pose file's text, possibly mirrored, as one undo step. Returns a notice about unknown names.
    pub(in crate::state) fn paste(&mut self, text: &str, is_mirrored: bool) -> Option<Notice> {
        let file = match PoseFile::parse(text.as_bytes()) {
            Ok(file) => file,
            Err(problem) => return Some(Notice::error(format!("The clipboard holds no pose. {problem}"))),
        };
        let (joints, warnings) = file.joints_for(&self.stage.document.rig.hierarchy);
        let mut told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let edits = if joints.is_empty() {
            Vec::new()
        } else if is_mirrored {
            let (edits, problem) = self.symmetry.mirrored(self.stage, &joints, self.posing.mirror);
            told.extend(problem);
            edits
        } else {
            onto_targets(self.stage, joints)
        };
        let morphs = pasted_morphs(self.stage, &file, is_mirrored, &mut told);
        let (face, warnings) = file.face_for(self.stage.rig());
        told.extend(warnings.iter().map(ToString::to_string));
        if !edits.is_empty() || !morphs.is_empty() || !face.is_empty() {
            let mut pose = self.stage.document.pose.clone();
            pose.set_joints(edits.iter().copied());
            if !face.is_empty() {
                *pose.face_mut() = if is_mirrored { mirrored_face(self.stage.rig(), &face) } else { face };
            }
            for (morph, weight) in &morphs {
                pose.set_morph_weight(*morph, *weight);
            }
            let what = match (edits.as_slice(), morphs.len()) {
                ([], 0) => "the face".to_owned(),
                ([], _) => "morph targets".to_owned(),
                (_, 0) => called(self.stage, &edits),
                _ => format!("{} and morph targets", called(self.stage, &edits)),
            };
            self.history.replace_pose(
                self.stage,
                pose,
                &format!("{} {what}", if is_mirrored { "Paste mirrored" } else { "Paste" }),
            );
        }
        Notice::of_problems(&told)
    }
}

/// Returns the pose of the selected joints as a pose file without morph targets; `None` without a selection.
pub(in crate::state) fn copied_pose(stage: &Stage) -> Option<String> {
    let nodes = &stage.view.selected;
    let file = PoseFile::of_joints(&stage.document.rig.hierarchy, &stage.posed().without_pins(stage.pose()), nodes);
    (!nodes.is_empty()).then(|| file.to_json())
}

/// Returns the morph target weights of a pose file. If mirrored, swaps left and right targets by name.
fn pasted_morphs(stage: &Stage, file: &PoseFile, is_mirrored: bool, told: &mut Vec<String>) -> Vec<(MorphIndex, f32)> {
    let (mut morphs, warnings) = file.morphs_for(stage.rig());
    told.extend(warnings.iter().map(ToString::to_string));
    if is_mirrored {
        for (morph, _) in &mut morphs {
            *morph = morph_partner(stage.rig(), *morph).unwrap_or(*morph);
        }
    }
    morphs
}

/// Assigns the copied joint poses to joints. A single pose is assigned to all selected joints. Several poses are
/// assigned to the joints that they were copied from. If none of those joints is selected and as many joints are
/// selected as were copied, the poses are assigned to the selected joints in tree order.
fn onto_targets(stage: &Stage, joints: Vec<PosedJoint>) -> Vec<PosedJoint> {
    let mut selected = stage.view.selected.clone();
    if let ([one], false) = (joints.as_slice(), selected.is_empty()) {
        return selected.into_iter().map(|node| PosedJoint { node, ..*one }).collect();
    }
    let are_others = joints.iter().all(|joint| !selected.contains(&joint.node));
    if !are_others || selected.len() != joints.len() {
        return joints;
    }
    selected.sort_unstable();
    selected.into_iter().zip(joints).map(|(node, joint)| PosedJoint { node, ..joint }).collect()
}

pub(in crate::state) fn called(stage: &Stage, edits: &[PosedJoint]) -> String {
    match edits {
        [one] => stage.document.rig.hierarchy.name(one.node).to_owned(),
        _ => format!("{} joints", edits.len()),
    }
}
