use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use glam::{Quat, Vec3};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use rigscope_core::files;
use rigscope_core::rig::{
    ExpressionIndex, FacePose, Hierarchy, JointNames, LookAtTarget, MorphIndex, NodeIndex, Pose, PosedJoint, Rig, Trs,
    joint_names,
};

/// A pose: user transforms of joints, weights of morph targets and expressions, and the look-at target.
///
/// As JSON: `{"version":1,"joints":{"NAME":{"rotation":[x,y,z,w],"translation":[x,y,z],"scale":[x,y,z]}},
/// "morphs":{"MORPH":WEIGHT},"expressions":{"EXPRESSION":WEIGHT},"look_at":LOOK_AT}`.
///
/// MORPH is the name of a [`rigscope_core::rig::Morph`], and WEIGHT is added to the morph's own weight. NAME is the
/// node's name, its path from the root if names are not unique, or `#N`, where N is the node's index in the file. An
/// ambiguous name is resolved as `#N` first, then as a path, then as a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PoseFile {
    /// Format version: 1.
    #[schemars(range(min = 1, max = 1))]
    version: u32,
    /// Transforms by joint name, by path from the root if names are not unique, or by `#` and the node's index in the file.
    joints: EntriesByName<JointPose>,
    #[serde(default, skip_serializing_if = "EntriesByName::is_empty")]
    /// Weights that are added to those of morph targets, by name.
    morphs: EntriesByName<Weight>,
    #[serde(default, skip_serializing_if = "EntriesByName::is_empty")]
    /// Weights of expressions, by name.
    expressions: EntriesByName<Weight>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    /// What the eyes look at.
    look_at: Option<LookAtTarget>,
}

#[derive(Clone, Debug, PartialEq)]
struct EntriesByName<T> {
    by_name: BTreeMap<String, T>,
    repeated: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Weight(#[serde(deserialize_with = "finite_number")] f32);

/// User transform `Ul_j` of one joint. Omitted components have their identity value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JointPose {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "rotation")]
    /// Quaternion x, y, z, w, in the joint's own axes.
    rotation: Option<[f32; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "finite")]
    /// Metres, in the joint's own axes.
    translation: Option<[f32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "finite")]
    /// Scale along the joint's own axes.
    scale: Option<[f32; 3]>,
}

/// Error from reading a pose file.
#[derive(Debug, thiserror::Error)]
pub enum PoseFileError {
    /// The file cannot be read.
    #[error("The file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The text is not JSON or not a pose file, or it has an invalid transform. The error includes the line and column.
    #[error("Not a pose file: {0}")]
    Json(#[from] serde_json::Error),
    /// The format version is not supported: it is newer than this program or older than the first release.
    #[error("This pose file has version {0}; this program reads version 1. Save the pose again with this program")]
    Version(u32),
}

/// Problem with an entry of a pose file. The rest of the pose still applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoseFileWarning {
    /// The rig has no joint of this name.
    #[error("The pose names joint \"{0}\", which this rig does not have; it was left out")]
    Unknown(String),
    /// Several joints match a name; the first was posed.
    #[error("The pose names joint \"{name}\", and this rig has {count} of that name; the first was posed, #{posed}")]
    Ambiguous {
        /// Name in the file.
        name: String,
        /// Number of matching nodes.
        count: usize,
        /// File index of the posed node.
        posed: usize,
    },
    /// A joint name is repeated, which JSON allows.
    #[error("The pose names joint \"{0}\" more than once; the last was used")]
    Repeated(String),
    /// Two names refer to the same joint.
    #[error("The pose names one joint twice, as \"{first}\" and as \"{last}\"; the second was used")]
    Twice {
        /// Name that is ignored.
        first: String,
        /// Name that is used.
        last: String,
    },
    /// The rig has no morph target of this name.
    #[error("The pose names morph target \"{0}\", which this rig does not have; it was left out")]
    UnknownMorph(String),
    /// The rig has no expression of this name.
    #[error("The pose names expression \"{0}\", which this rig does not have; it was left out")]
    UnknownExpression(String),
    /// A morph target name is repeated.
    #[error("The pose names morph target \"{0}\" more than once; the last was used")]
    RepeatedMorph(String),
}

const VERSION: u32 = 1;

impl PoseFile {
    /// Reads a pose file. *Errors*: the path cannot be read or is not a file; errors of [`Self::parse`].
    pub fn read(path: &Path) -> Result<Self, PoseFileError> {
        Self::parse(&files::read(path)?)
    }

    /// Like [`Self::read`], but accepts pipes; see [`files::read_waiting`].
    pub fn read_waiting(path: &Path) -> Result<Self, PoseFileError> {
        Self::parse(&files::read_waiting(path)?)
    }

    /// Parses a pose file. *Errors*: JSON with a different structure, a rotation of length 0 or a non-finite number,
    /// each with its line and column; an unsupported version.
    pub fn parse(json: &[u8]) -> Result<Self, PoseFileError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        // Windows editors add a byte order mark.
        let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
        // The version is checked first, since a later version may have a different structure.
        match serde_json::from_slice(json) {
            Ok(Version { version }) if version != VERSION => Err(PoseFileError::Version(version)),
            _ => Ok(serde_json::from_slice(json)?),
        }
    }

    /// Creates a pose file that refers to each joint by its shortest unique name.
    pub fn from_pose(rig: &Rig, pose: &Pose) -> Self {
        let posed: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&n| pose.is_posed(n)).collect();
        let joints = joint_poses(&rig.hierarchy, pose, &posed);
        Self { joints, ..Self::of_morphs_where(rig, pose, |w| w != 0.0) }.with_face(rig, pose.face())
    }

    /// Creates a pose file with these joints, whether posed or not, and without morph targets.
    pub fn of_joints(hierarchy: &Hierarchy, pose: &Pose, nodes: &[NodeIndex]) -> Self {
        Self { version: VERSION, joints: joint_poses(hierarchy, pose, nodes), ..Self::default() }
    }

    /// Creates a pose file with the face and all morph targets, whether changed or not, and without joints.
    pub fn from_morphs(rig: &Rig, pose: &Pose) -> Self {
        Self::of_morphs_where(rig, pose, |_| true).with_face(rig, pose.face())
    }

    fn with_face(self, rig: &Rig, face: &FacePose) -> Self {
        let named = |(at, weight): (ExpressionIndex, f32)| {
            rig.expressions.get(at.index()).map(|expression| (expression.name.clone(), Weight(weight)))
        };
        Self { expressions: face.expressions().filter_map(named).collect(), look_at: face.look_at(), ..self }
    }

    fn of_morphs_where(rig: &Rig, pose: &Pose, is_wanted: impl Fn(f32) -> bool) -> Self {
        let weights = rig.indexed_morphs().map(|(at, morph)| (morph.name.clone(), pose.morph_weight(at)));
        let wanted = weights.filter(|(_, weight)| is_wanted(*weight));
        let morphs: EntriesByName<Weight> = wanted.map(|(name, weight)| (name, Weight(weight))).collect();
        Self { version: VERSION, morphs, ..Self::default() }
    }

    /// Returns whether the file contains morph targets.
    pub fn has_morphs(&self) -> bool {
        !self.morphs.is_empty()
    }

    /// Serializes to JSON with a final line break.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{json}\n")
    }

    /// Returns the pose for a rig, and warnings about unknown and ambiguous entries.
    pub fn pose_for(&self, rig: &Rig) -> (Pose, Vec<PoseFileWarning>) {
        let ((joints, mut warnings), (morphs, more)) = (self.joints_for(&rig.hierarchy), self.morphs_for(rig));
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.set_joints(joints);
        for (morph, weight) in morphs {
            pose.set_morph_weight(morph, weight);
        }
        warnings.extend(more);
        let (face, more) = self.face_for(rig);
        *pose.face_mut() = face;
        warnings.extend(more);
        (pose, warnings)
    }

    /// Returns expression weights and the look-at target, and warnings about unknown expressions.
    pub fn face_for(&self, rig: &Rig) -> (FacePose, Vec<PoseFileWarning>) {
        let (mut face, mut warnings) = (FacePose::default(), Vec::new());
        face.set_look_at(self.look_at);
        for (name, Weight(weight)) in &self.expressions.by_name {
            match rig.expression_named(name) {
                Some(expression) => face.set_expression(expression, *weight),
                None => warnings.push(PoseFileWarning::UnknownExpression(name.clone())),
            }
        }
        (face, warnings)
    }

    /// Returns each morph target with the weight to add, and warnings about unknown and repeated names.
    pub fn morphs_for(&self, rig: &Rig) -> (Vec<(MorphIndex, f32)>, Vec<PoseFileWarning>) {
        let mut warnings: Vec<_> = self.morphs.repeated.iter().cloned().map(PoseFileWarning::RepeatedMorph).collect();
        let mut morphs = Vec::new();
        for (name, Weight(weight)) in &self.morphs.by_name {
            match rig.morph_named(name) {
                Some(morph) => morphs.push((morph, *weight)),
                None => warnings.push(PoseFileWarning::UnknownMorph(name.clone())),
            }
        }
        (morphs, warnings)
    }

    /// Returns each joint with its `Ul_j`, in hierarchy order, and warnings. If a joint has several entries, the last
    /// one wins.
    pub fn joints_for(&self, hierarchy: &Hierarchy) -> (Vec<PosedJoint>, Vec<PoseFileWarning>) {
        let names = JointNames::new(hierarchy);
        let mut joints: BTreeMap<NodeIndex, (&String, Trs)> = BTreeMap::new();
        let mut warnings: Vec<_> = self.joints.repeated.iter().cloned().map(PoseFileWarning::Repeated).collect();
        for (name, joint) in &self.joints.by_name {
            let nodes = names.find(name);
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

fn joint_poses(hierarchy: &Hierarchy, pose: &Pose, nodes: &[NodeIndex]) -> EntriesByName<JointPose> {
    let joints = nodes.iter().map(|&node| JointPose::from_trs(pose.user_local(node)));
    joint_names(hierarchy, nodes).into_iter().zip(joints).collect()
}

impl<T> Default for EntriesByName<T> {
    fn default() -> Self {
        Self { by_name: BTreeMap::new(), repeated: BTreeSet::new() }
    }
}

impl<T> FromIterator<(String, T)> for EntriesByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(values: I) -> Self {
        Self { by_name: values.into_iter().collect(), repeated: BTreeSet::new() }
    }
}

impl<T> EntriesByName<T> {
    fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

impl<T: JsonSchema> JsonSchema for EntriesByName<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<String, T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, T>::json_schema(generator)
    }
}

impl<T: Serialize> Serialize for EntriesByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.by_name.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for EntriesByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Names<T> {
            type Value = EntriesByName<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a value for each name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EntriesByName<T>, A::Error> {
                let mut named = EntriesByName::default();
                while let Some((name, value)) = map.next_entry::<String, T>()? {
                    if named.by_name.insert(name.clone(), value).is_some() {
                        named.repeated.insert(name);
                    }
                }
                Ok(named)
            }
        }
        deserializer.deserialize_map(Names(PhantomData))
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

fn rotation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[f32; 4]>, D::Error> {
    let rotation = finite(deserializer)?;
    if rotation.is_some_and(|r| Quat::from_array(r).length() < 1e-6) {
        return Err(D::Error::custom("a rotation of length 0; a quaternion [x, y, z, w] has length 1"));
    }
    Ok(rotation)
}

fn finite_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    let number = f32::deserialize(deserializer)?;
    if number.is_finite() { Ok(number) } else { Err(D::Error::custom("a number that is too large")) }
}

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

#[cfg(test)]
mod tests;
