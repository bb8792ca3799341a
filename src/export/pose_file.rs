//! Pose files: the user's pose as JSON, by joint name.

use std::collections::{BTreeMap, HashMap};

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::rig::{Hierarchy, NodeIndex, Pose, Trs};

/// A pose file: `{"version":1,"joints":{"NAME":{"rotation":[x,y,z,w],"translation":[x,y,z],"scale":[x,y,z]}}}`.
///
/// NAME is the node's name, or its path from the root where names repeat, or `#N` with the file's number of the node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseFile {
    version: u32,
    joints: BTreeMap<String, JointPose>,
}

/// `Ul_j` of one joint; what is left out is the identity's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JointPose {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rotation: Option<[f32; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    translation: Option<[f32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scale: Option<[f32; 3]>,
}

/// Why a pose file was not read.
#[derive(Debug, thiserror::Error)]
pub enum PoseFileError {
    /// Not JSON, or not of the shape of a pose file; says the line and column.
    #[error("Not a pose file: {0}")]
    Json(#[from] serde_json::Error),
    /// A later format.
    #[error("This pose file has version {0}; this program reads version 1. Use a newer Rigscope")]
    Version(u32),
    /// A value that is no transform.
    #[error("Joint \"{joint}\" has a {what} that {problem}")]
    Value {
        /// The key in the file.
        joint: String,
        /// Which part.
        what: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
}

/// A joint of a pose file that the rig lacks; the rest of the pose applies all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The pose names joint \"{0}\", which this rig does not have; it was left out")]
pub struct UnknownJoint(pub String);

impl PoseFile {
    /// Reads JSON.
    ///
    /// *Errors*: no JSON of this shape (with line and column), another version, a rotation of length 0, a number that is not finite.
    pub fn parse(json: &[u8]) -> Result<Self, PoseFileError> {
        let file: Self = serde_json::from_slice(json)?;
        if file.version != 1 {
            return Err(PoseFileError::Version(file.version));
        }
        for (joint, pose) in &file.joints {
            pose.check().map_err(|(what, problem)| PoseFileError::Value { joint: joint.clone(), what, problem })?;
        }
        Ok(file)
    }

    /// Everything that the user posed, by the shortest name that is unique.
    pub fn from_pose(hierarchy: &Hierarchy, pose: &Pose) -> Self {
        let names = name_counts(hierarchy);
        let joints = hierarchy
            .nodes()
            .filter(|&n| pose.is_posed(n))
            .map(|n| (unique_name(hierarchy, &names, n), JointPose::from_trs(pose.user_local(n))))
            .collect();
        Self { version: 1, joints }
    }

    /// JSON with a line end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{json}\n")
    }

    /// The pose for a rig, and the joints that it lacks.
    pub fn pose_for(&self, hierarchy: &Hierarchy) -> (Pose, Vec<UnknownJoint>) {
        let by_name = names_to_nodes(hierarchy);
        let mut pose = Pose::rest(hierarchy);
        let mut unknown = Vec::new();
        for (name, joint) in &self.joints {
            match find(hierarchy, &by_name, name) {
                Some(node) => pose.set_user_local(node, joint.to_trs()),
                None => unknown.push(UnknownJoint(name.clone())),
            }
        }
        (pose, unknown)
    }
}

impl JointPose {
    fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let is_finite = |values: &[f32]| values.iter().all(|v| v.is_finite());
        if let Some(rotation) = self.rotation {
            if !is_finite(&rotation) {
                return Err(("rotation", "is not finite"));
            }
            if Quat::from_array(rotation).length() < 1e-6 {
                return Err(("rotation", "has length 0; a quaternion [x, y, z, w] has length 1"));
            }
        }
        if self.translation.is_some_and(|t| !is_finite(&t)) {
            return Err(("translation", "is not finite"));
        }
        if self.scale.is_some_and(|s| !is_finite(&s)) {
            return Err(("scale", "is not finite"));
        }
        Ok(())
    }

    fn from_trs(trs: &Trs) -> Self {
        Self {
            rotation: (trs.rotation != Quat::IDENTITY).then(|| trs.rotation.to_array()),
            translation: (trs.translation != Vec3::ZERO).then(|| trs.translation.to_array()),
            scale: (trs.scale != Vec3::ONE).then(|| trs.scale.to_array()),
        }
    }

    fn to_trs(self) -> Trs {
        Trs {
            rotation: self.rotation.map_or(Quat::IDENTITY, Quat::from_array),
            translation: self.translation.map_or(Vec3::ZERO, Vec3::from),
            scale: self.scale.map_or(Vec3::ONE, Vec3::from),
        }
    }
}

fn name_counts(hierarchy: &Hierarchy) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for node in hierarchy.nodes() {
        *counts.entry(hierarchy.name(node)).or_insert(0) += 1;
    }
    counts
}

fn names_to_nodes(hierarchy: &Hierarchy) -> HashMap<&str, NodeIndex> {
    // The first of a repeated name: parents come before children.
    hierarchy.nodes().rev().map(|n| (hierarchy.name(n), n)).collect()
}

fn unique_name(hierarchy: &Hierarchy, counts: &HashMap<&str, usize>, node: NodeIndex) -> String {
    let name = hierarchy.name(node);
    if counts.get(name) == Some(&1) && !name.starts_with('#') && !name.contains('/') {
        return name.to_owned();
    }
    let path = hierarchy.path(node);
    let is_unique = path.contains('/') && find_by_path(hierarchy, &path) == vec![node];
    if is_unique { path } else { format!("#{}", hierarchy.source(node)) }
}

fn find(hierarchy: &Hierarchy, by_name: &HashMap<&str, NodeIndex>, name: &str) -> Option<NodeIndex> {
    by_name
        .get(name)
        .copied()
        .or_else(|| hierarchy.by_source(name.strip_prefix('#')?.parse().ok()?))
        .or_else(|| find_by_path(hierarchy, name).first().copied())
}

fn find_by_path(hierarchy: &Hierarchy, path: &str) -> Vec<NodeIndex> {
    let Some(last) = path.rsplit('/').next() else { return Vec::new() };
    hierarchy
        .nodes()
        .filter(|&n| path.ends_with(hierarchy.name(n)) || hierarchy.name(n) == last)
        .filter(|&n| hierarchy.path(n) == path)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::NodeDescription;

    fn hierarchy() -> Hierarchy {
        let node = |name: &str, children: &[usize]| NodeDescription {
            name: name.to_owned(),
            children: children.to_vec(),
            ..NodeDescription::default()
        };
        // root -> (left -> hand, right -> hand), and two twins under `right`.
        let nodes = [
            node("root", &[1, 2]),
            node("left", &[3]),
            node("right", &[4, 5, 6]),
            node("hand", &[]),
            node("hand", &[]),
            node("twin", &[]),
            node("twin", &[]),
        ];
        Hierarchy::new(&nodes).unwrap()
    }

    fn posed(sources: &[usize]) -> Pose {
        let h = hierarchy();
        let mut pose = Pose::rest(&h);
        for &s in sources {
            let trs = Trs {
                translation: Vec3::new(s as f32, 0.5, -1.0),
                rotation: Quat::from_rotation_y(0.3 * (s as f32 + 1.0)),
                scale: Vec3::splat(1.5),
            };
            pose.set_user_local(h.by_source(s).unwrap(), trs);
        }
        pose
    }

    #[test]
    fn every_pose_comes_back() {
        let h = hierarchy();
        let pose = posed(&[0, 1, 2, 3, 4, 5, 6]);
        let file = PoseFile::from_pose(&h, &pose);
        let names: Vec<_> = file.joints.keys().map(String::as_str).collect();
        assert_eq!(names, ["#5", "#6", "left", "right", "root", "root/left/hand", "root/right/hand"]);
        let again = PoseFile::parse(file.to_json().as_bytes()).unwrap();
        let (read, unknown) = again.pose_for(&h);
        assert!(unknown.is_empty());
        for node in h.nodes() {
            let (a, b) = (read.user_local(node), pose.user_local(node));
            assert!(a.rotation.abs_diff_eq(b.rotation, 1e-6), "{}", h.path(node));
            assert_eq!((a.translation, a.scale), (b.translation, b.scale));
        }
    }

    #[test]
    fn unknown_joints_are_named_and_the_rest_applies() {
        let h = hierarchy();
        let file = PoseFile::parse(br#"{"version":1,"joints":{"tail":{},"left":{"rotation":[0,0,2,0]}}}"#).unwrap();
        let (pose, unknown) = file.pose_for(&h);
        assert_eq!(unknown, [UnknownJoint("tail".to_owned())]);
        assert_eq!(pose.user_local(h.by_source(1).unwrap()).rotation, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
    }

    #[test]
    fn what_is_no_pose_is_refused_with_its_place() {
        let message = |json: &str| PoseFile::parse(json.as_bytes()).unwrap_err().to_string();
        assert!(message("{\n  \"version\": 1,\n  \"joints\": 7 }").contains("line 3 column"));
        assert!(message(r#"{"version":9,"joints":{}}"#).contains("version 9"));
        assert!(message(r#"{"version":1,"joints":{"a":{"rotation":[0,0,0,0]}}}"#).contains("length 0"));
        assert!(message(r#"{"version":1,"joints":{"a":{"rotate":[0,0,0,1]}}}"#).contains("rotate"));
    }
}
