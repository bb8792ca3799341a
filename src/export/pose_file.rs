//! Pose files: the user's pose as JSON, by joint name.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::Path;

use glam::{Quat, Vec3};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::files;
use crate::rig::{Hierarchy, NodeIndex, Pose, PosedJoint, Trs};

/// A pose file: `{"version":1,"joints":{"NAME":{"rotation":[x,y,z,w],"translation":[x,y,z],"scale":[x,y,z]}}}`.
///
/// NAME is the node's name, or its path from the root where names repeat, or `#N` with the file's number of the node. Where a name could be
/// read in more than one way, `#N` comes before a path and a path before a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseFile {
    version: u32,
    joints: Joints,
}

/// Joints by name; a name that the file has several times stands for the last.
#[derive(Clone, Debug, Default, PartialEq)]
struct Joints {
    by_name: BTreeMap<String, JointPose>,
    repeated: BTreeSet<String>,
}

/// `Ul_j` of one joint; what is left out is the identity's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JointPose {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "rotation")]
    rotation: Option<[f32; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "finite")]
    translation: Option<[f32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "finite")]
    scale: Option<[f32; 3]>,
}

/// Why a pose file was not read.
#[derive(Debug, thiserror::Error)]
pub enum PoseFileError {
    /// The file itself.
    #[error("The file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// Not JSON, not of the shape of a pose file, or a value that is no transform; says the line and column.
    #[error("Not a pose file: {0}")]
    Json(#[from] serde_json::Error),
    /// A later format.
    #[error("This pose file has version {0}; this program reads version 1. Use a newer Rigscope")]
    Version(u32),
}

/// A joint of a pose file that is not plainly one of the rig's; the rest of the pose applies all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoseFileWarning {
    /// The rig lacks it.
    #[error("The pose names joint \"{0}\", which this rig does not have; it was left out")]
    Unknown(String),
    /// Several joints of the rig are called so; the first was posed.
    #[error("The pose names joint \"{name}\", and this rig has {count} of that name; the first was posed, #{posed}")]
    Ambiguous {
        /// As the file says.
        name: String,
        /// How many.
        count: usize,
        /// The glTF number of the node that was posed.
        posed: usize,
    },
    /// The file has the name more than once, which JSON allows.
    #[error("The pose names joint \"{0}\" more than once; the last was taken")]
    Repeated(String),
    /// Two names for one joint.
    #[error("The pose names one joint twice, as \"{first}\" and as \"{last}\"; the second was taken")]
    Twice {
        /// The name that was passed over.
        first: String,
        /// The name that was taken.
        last: String,
    },
}

impl PoseFile {
    /// Reads a file.
    ///
    /// *Errors*: one that cannot be read or is no file; as [`Self::parse`].
    pub fn read(path: &Path) -> Result<Self, PoseFileError> {
        Self::parse(&files::read(path)?)
    }

    /// Reads JSON.
    ///
    /// *Errors*: no JSON of this shape, a rotation of length 0, a number that is not finite, each with its line and column; another version.
    pub fn parse(json: &[u8]) -> Result<Self, PoseFileError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        // Editors on Windows begin a file with it.
        let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
        // Before the rest: a later version may have another shape.
        match serde_json::from_slice(json) {
            Ok(Version { version }) if version != 1 => Err(PoseFileError::Version(version)),
            _ => Ok(serde_json::from_slice(json)?),
        }
    }

    /// Everything that the user posed, by the shortest name that is unique.
    pub fn from_pose(hierarchy: &Hierarchy, pose: &Pose) -> Self {
        let posed: Vec<NodeIndex> = hierarchy.nodes().filter(|&n| pose.is_posed(n)).collect();
        Self::of_joints(hierarchy, pose, &posed)
    }

    /// These joints, posed or not.
    pub fn of_joints(hierarchy: &Hierarchy, pose: &Pose, nodes: &[NodeIndex]) -> Self {
        let names = name_counts(hierarchy);
        let joint = |&n: &NodeIndex| (unique_name(hierarchy, &names, n), JointPose::from_trs(pose.user_local(n)));
        let joints = Joints { by_name: nodes.iter().map(joint).collect(), repeated: BTreeSet::new() };
        Self { version: 1, joints }
    }

    /// JSON with a line end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{json}\n")
    }

    /// The pose for a rig, and what of the file is not plainly a joint of it.
    pub fn pose_for(&self, hierarchy: &Hierarchy) -> (Pose, Vec<PoseFileWarning>) {
        let (joints, warnings) = self.joints_for(hierarchy);
        let mut pose = Pose::rest(hierarchy);
        pose.set_joints(joints);
        (pose, warnings)
    }

    /// The joints that the file names, in the order of the hierarchy; a joint named twice has its last.
    pub fn joints_for(&self, hierarchy: &Hierarchy) -> (Vec<PosedJoint>, Vec<PoseFileWarning>) {
        let by_name = names_to_nodes(hierarchy);
        let mut joints: BTreeMap<NodeIndex, (&String, Trs)> = BTreeMap::new();
        let mut warnings: Vec<_> = self.joints.repeated.iter().cloned().map(PoseFileWarning::Repeated).collect();
        for (name, joint) in &self.joints.by_name {
            let nodes = find(hierarchy, &by_name, name);
            match nodes.first().map(|&node| joints.entry(node)) {
                None => warnings.push(PoseFileWarning::Unknown(name.clone())),
                Some(Entry::Vacant(place)) => _ = place.insert((name, joint.to_trs())),
                Some(Entry::Occupied(mut place)) => {
                    let (first, _) = place.insert((name, joint.to_trs()));
                    warnings.push(PoseFileWarning::Twice { first: first.clone(), last: name.clone() });
                }
            }
            if let [first, _, ..] = nodes[..] {
                let (name, count, posed) = (name.clone(), nodes.len(), hierarchy.source(first));
                warnings.push(PoseFileWarning::Ambiguous { name, count, posed });
            }
        }
        (joints.into_iter().map(|(node, (_, user_local))| PosedJoint { node, user_local }).collect(), warnings)
    }
}

/// What pose files call some nodes: each the shortest name that is unique.
pub fn joint_names(hierarchy: &Hierarchy, nodes: &[NodeIndex]) -> Vec<String> {
    let names = name_counts(hierarchy);
    nodes.iter().map(|&n| unique_name(hierarchy, &names, n)).collect()
}

/// The nodes that pose files call so; a name that the rig lacks is left out.
pub fn joints_named(hierarchy: &Hierarchy, names: &[String]) -> Vec<NodeIndex> {
    joints_found(hierarchy, names).into_iter().flatten().collect()
}

/// For each name the node that pose files call so; `None` where the rig lacks it.
pub fn joints_found<'a>(hierarchy: &Hierarchy, names: impl IntoIterator<Item = &'a String>) -> Vec<Option<NodeIndex>> {
    let by_name = names_to_nodes(hierarchy);
    names.into_iter().map(|name| find(hierarchy, &by_name, name).first().copied()).collect()
}

impl Serialize for Joints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.by_name.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Joints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Joints;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("joints by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Joints, A::Error> {
                let mut joints = Joints::default();
                while let Some((name, joint)) = map.next_entry::<String, JointPose>()? {
                    if joints.by_name.insert(name.clone(), joint).is_some() {
                        joints.repeated.insert(name);
                    }
                }
                Ok(joints)
            }
        }
        deserializer.deserialize_map(Names)
    }
}

impl JointPose {
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

/// A rotation that is one: of any length but 0.
fn rotation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[f32; 4]>, D::Error> {
    let rotation = finite(deserializer)?;
    if rotation.is_some_and(|r| Quat::from_array(r).length() < 1e-6) {
        return Err(D::Error::custom("a rotation of length 0; a quaternion [x, y, z, w] has length 1"));
    }
    Ok(rotation)
}

/// Numbers that an f32 holds.
fn finite<'de, D: Deserializer<'de>, const N: usize>(deserializer: D) -> Result<Option<[f32; N]>, D::Error>
where
    [f32; N]: Deserialize<'de>,
{
    let values = Option::<[f32; N]>::deserialize(deserializer)?;
    if values.iter().flatten().any(|v| !v.is_finite()) {
        return Err(D::Error::custom("a number that is too large"));
    }
    Ok(values)
}

fn name_counts(hierarchy: &Hierarchy) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for node in hierarchy.nodes() {
        *counts.entry(hierarchy.name(node)).or_insert(0) += 1;
    }
    counts
}

fn names_to_nodes(hierarchy: &Hierarchy) -> HashMap<&str, Vec<NodeIndex>> {
    let mut nodes: HashMap<&str, Vec<NodeIndex>> = HashMap::new();
    for node in hierarchy.nodes() {
        nodes.entry(hierarchy.name(node)).or_default().push(node);
    }
    nodes
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

/// All nodes that a key may mean, by the first reading that gives any: what [`unique_name`] writes must be read as what it was written for.
fn find(hierarchy: &Hierarchy, by_name: &HashMap<&str, Vec<NodeIndex>>, key: &str) -> Vec<NodeIndex> {
    let number = || key.strip_prefix('#')?.parse().ok();
    if let Some(node) = number().and_then(|n| hierarchy.by_source(n)) {
        return vec![node];
    }
    let by_path = if key.contains('/') { find_by_path(hierarchy, key) } else { Vec::new() };
    if by_path.is_empty() { by_name.get(key).cloned().unwrap_or_default() } else { by_path }
}

fn find_by_path(hierarchy: &Hierarchy, path: &str) -> Vec<NodeIndex> {
    hierarchy.nodes().filter(|&n| path.ends_with(hierarchy.name(n))).filter(|&n| hierarchy.path(n) == path).collect()
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
        let names: Vec<_> = file.joints.by_name.keys().map(String::as_str).collect();
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
        let file =
            PoseFile::parse(br##"{"version":1,"joints":{"tail":{},"#7":{},"left":{"rotation":[0,0,2,0]}}}"##).unwrap();
        let (pose, warnings) = file.pose_for(&h);
        assert_eq!(warnings, ["#7", "tail"].map(|name| PoseFileWarning::Unknown(name.to_owned())));
        assert_eq!(pose.user_local(h.by_source(1).unwrap()).rotation, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
    }

    #[test]
    fn a_name_or_path_of_several_joints_poses_the_first_and_says_so() {
        let h = hierarchy();
        let json = br#"{"version":1,"joints":{"hand":{"scale":[2,2,2]},"root/right/twin":{"scale":[3,3,3]}}}"#;
        let (pose, warnings) = PoseFile::parse(json).unwrap().pose_for(&h);
        let ambiguous = |name: &str, posed| PoseFileWarning::Ambiguous { name: name.to_owned(), count: 2, posed };
        assert_eq!(warnings, [ambiguous("hand", 3), ambiguous("root/right/twin", 5)]);
        let scales = [3, 4, 5, 6].map(|s| pose.user_local(h.by_source(s).unwrap()).scale.x);
        assert_eq!(scales, [2.0, 1.0, 3.0, 1.0]);
    }

    #[test]
    fn a_joint_that_is_named_twice_has_the_last_and_that_is_said() {
        let h = hierarchy();
        let json =
            br##"{"version":1,"joints":{"left":{"scale":[2,2,2]},"#1":{"scale":[4,4,4]},"left":{"scale":[3,3,3]}}}"##;
        let (pose, warnings) = PoseFile::parse(json).unwrap().pose_for(&h);
        let twice = PoseFileWarning::Twice { first: "#1".to_owned(), last: "left".to_owned() };
        assert_eq!(warnings, [PoseFileWarning::Repeated("left".to_owned()), twice]);
        assert_eq!(pose.user_local(h.by_source(1).unwrap()).scale, Vec3::splat(3.0));
    }

    #[test]
    fn names_that_look_like_numbers_or_paths_come_back_as_what_they_are() {
        let node = |name: &str, children: &[usize]| NodeDescription {
            name: name.to_owned(),
            children: children.to_vec(),
            ..NodeDescription::default()
        };
        // Node 0 is called like the number of node 1, node 2 like the path of node 4; node 1 has a twin beside it.
        let nodes =
            [node("#1", &[]), node("x", &[]), node("a/b", &[]), node("a", &[4]), node("b", &[]), node("x", &[])];
        let h = Hierarchy::new(&nodes).unwrap();
        let mut pose = Pose::rest(&h);
        for source in 0..nodes.len() {
            let trs = Trs { translation: Vec3::splat(1.0 + source as f32), ..Trs::IDENTITY };
            pose.set_user_local(h.by_source(source).unwrap(), trs);
        }
        let json = PoseFile::from_pose(&h, &pose).to_json();
        assert_eq!(PoseFile::parse(json.as_bytes()).unwrap().pose_for(&h), (pose, Vec::new()), "{json}");
    }

    #[test]
    fn what_is_no_pose_is_refused_with_its_place() {
        let message = |json: &str| PoseFile::parse(json.as_bytes()).unwrap_err().to_string();
        assert!(message("{\n  \"version\": 1,\n  \"joints\": 7 }").contains("line 3 column"));
        assert!(message(r#"{"version":9,"joints":[],"morphs":7}"#).contains("version 9"));
        for (value, problem) in [
            (r#""rotation":[0,0,0,0]"#, "length 0"),
            (r#""rotation":[0,0,1]"#, "length 3"),
            (r#""rotate":[0,0,0,1]"#, "rotate"),
            (r#""scale":[1,1,1e39]"#, "too large"),
            (r#""translation":[1,1e999,1]"#, "out of range"),
        ] {
            let message = message(&format!("{{\"version\":1,\n\"joints\":{{\"a\":{{{value}}}}}}}"));
            assert!(message.contains(problem) && message.contains("line 2 column"), "{message}");
        }
        assert!(message(r#"{"joints":{}}"#).contains("version"));
        assert!(PoseFile::parse(b"\xEF\xBB\xBF{\"version\":1,\"joints\":{}}").is_ok(), "a byte order mark is no fault");
    }
}
