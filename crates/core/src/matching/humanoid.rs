use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use crate::rig::{Limbs, NodeIndex, Rig, name_words};

crate::named_enum! {
    /// Naming scheme of humanoid bones.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Scheme {
        /// VRM 1.0; also used to display a [`HumanBone`].
        Vrm = "vrm";
        /// Unity's humanoid avatar.
        Unity = "unity";
        /// Godot's `SkeletonProfileHumanoid`.
        Godot = "godot";
        /// Unreal Engine mannequins.
        Unreal = "unreal";
        /// Mixamo, without the prefix `mixamorig:`.
        Mixamo = "mixamo";
        /// Rigify's deform bones in Blender.
        Rigify = "rigify";
    }
}

impl Scheme {
    fn sides(self) -> [&'static str; 2] {
        match self {
            Self::Vrm => ["left", "right"],
            Self::Unity | Self::Godot | Self::Mixamo => ["Left", "Right"],
            Self::Unreal => ["l", "r"],
            Self::Rigify => ["L", "R"],
        }
    }
}

/// A humanoid bone as defined by VRM 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HumanBone(u8);

struct HumanBoneRow {
    parent: &'static str,
    /// Name in each scheme of [`Scheme::ALL`], with `{}` for the side; empty if the scheme lacks the bone.
    names: [&'static str; 6],
    /// Other common names, in lower case, without side and separators.
    aliases: &'static [&'static str],
}

const fn row(parent: &'static str, names: [&'static str; 6], aliases: &'static [&'static str]) -> HumanBoneRow {
    HumanBoneRow { parent, names, aliases }
}

/// *Sources*: VRM 1.0, `humanoid.md`; Unity, `HumanTrait.BoneName`; Godot, `SkeletonProfileHumanoid`; Unreal
/// mannequins, Mixamo and Rigify skeletons.
#[rustfmt::skip]
const ROWS: [HumanBoneRow; 31] = [
    row("", ["hips", "Hips", "Hips", "pelvis", "Hips", "DEF-spine"], &["hip", "pelvis"]),
    row("hips", ["spine", "Spine", "Spine", "spine_01", "Spine", "DEF-spine.001"], &["spine", "spine01", "spinelower", "lowerspine", "abdomen", "waist"]),
    row("spine", ["chest", "Chest", "Chest", "spine_02", "Spine1", "DEF-spine.002"], &["spine1", "spine02", "torso", "spinemid"]),
    row("chest", ["upperChest", "UpperChest", "UpperChest", "spine_03", "Spine2", "DEF-spine.003"], &["spine2", "spine03", "chestupper"]),
    row("upperChest", ["neck", "Neck", "Neck", "neck_01", "Neck", "DEF-spine.004"], &["neck01", "neck1", "necktwist01"]),
    row("neck", ["head", "Head", "Head", "head", "Head", "DEF-spine.006"], &[]),
    row("head", ["jaw", "Jaw", "Jaw", "", "", "DEF-jaw"], &[]),
    row("head", ["{}Eye", "{}Eye", "{}Eye", "", "{}Eye", "DEF-eye.{}"], &["eyeball", "faceeye", "adjeye"]),
    row("hips", ["{}UpperLeg", "{}UpperLeg", "{}UpperLeg", "thigh_{}", "{}UpLeg", "DEF-thigh.{}"], &["thigh", "upleg", "hip", "legupper"]),
    row("upperLeg", ["{}LowerLeg", "{}LowerLeg", "{}LowerLeg", "calf_{}", "{}Leg", "DEF-shin.{}"], &["calf", "shin", "leg", "knee", "leglower"]),
    row("lowerLeg", ["{}Foot", "{}Foot", "{}Foot", "foot_{}", "{}Foot", "DEF-foot.{}"], &["ankle"]),
    row("foot", ["{}Toes", "{}Toes", "{}Toes", "ball_{}", "{}ToeBase", "DEF-toe.{}"], &["toe", "toe0", "toebase", "ball"]),
    row("upperChest", ["{}Shoulder", "{}Shoulder", "{}Shoulder", "clavicle_{}", "{}Shoulder", "DEF-shoulder.{}"], &["clavicle", "collar"]),
    row("shoulder", ["{}UpperArm", "{}UpperArm", "{}UpperArm", "upperarm_{}", "{}Arm", "DEF-upper_arm.{}"], &["arm", "uparm", "armupper"]),
    row("upperArm", ["{}LowerArm", "{}LowerArm", "{}LowerArm", "lowerarm_{}", "{}ForeArm", "DEF-forearm.{}"], &["forearm", "elbow", "armlower"]),
    row("lowerArm", ["{}Hand", "{}Hand", "{}Hand", "hand_{}", "{}Hand", "DEF-hand.{}"], &["wrist"]),
    row("hand", ["{}ThumbMetacarpal", "{} Thumb Proximal", "{}ThumbMetacarpal", "thumb_01_{}", "{}HandThumb1", "DEF-thumb.01.{}"], &["thumb1"]),
    row("thumbMetacarpal", ["{}ThumbProximal", "{} Thumb Intermediate", "{}ThumbProximal", "thumb_02_{}", "{}HandThumb2", "DEF-thumb.02.{}"], &["thumb2"]),
    row("thumbProximal", ["{}ThumbDistal", "{} Thumb Distal", "{}ThumbDistal", "thumb_03_{}", "{}HandThumb3", "DEF-thumb.03.{}"], &["thumb3"]),
    row("hand", ["{}IndexProximal", "{} Index Proximal", "{}IndexProximal", "index_01_{}", "{}HandIndex1", "DEF-f_index.01.{}"], &["index1"]),
    row("indexProximal", ["{}IndexIntermediate", "{} Index Intermediate", "{}IndexIntermediate", "index_02_{}", "{}HandIndex2", "DEF-f_index.02.{}"], &["index2"]),
    row("indexIntermediate", ["{}IndexDistal", "{} Index Distal", "{}IndexDistal", "index_03_{}", "{}HandIndex3", "DEF-f_index.03.{}"], &["index3"]),
    row("hand", ["{}MiddleProximal", "{} Middle Proximal", "{}MiddleProximal", "middle_01_{}", "{}HandMiddle1", "DEF-f_middle.01.{}"], &["middle1", "mid1"]),
    row("middleProximal", ["{}MiddleIntermediate", "{} Middle Intermediate", "{}MiddleIntermediate", "middle_02_{}", "{}HandMiddle2", "DEF-f_middle.02.{}"], &["middle2", "mid2"]),
    row("middleIntermediate", ["{}MiddleDistal", "{} Middle Distal", "{}MiddleDistal", "middle_03_{}", "{}HandMiddle3", "DEF-f_middle.03.{}"], &["middle3", "mid3"]),
    row("hand", ["{}RingProximal", "{} Ring Proximal", "{}RingProximal", "ring_01_{}", "{}HandRing1", "DEF-f_ring.01.{}"], &["ring1"]),
    row("ringProximal", ["{}RingIntermediate", "{} Ring Intermediate", "{}RingIntermediate", "ring_02_{}", "{}HandRing2", "DEF-f_ring.02.{}"], &["ring2"]),
    row("ringIntermediate", ["{}RingDistal", "{} Ring Distal", "{}RingDistal", "ring_03_{}", "{}HandRing3", "DEF-f_ring.03.{}"], &["ring3"]),
    row("hand", ["{}LittleProximal", "{} Little Proximal", "{}LittleProximal", "pinky_01_{}", "{}HandPinky1", "DEF-f_pinky.01.{}"], &["little1", "pinky1"]),
    row("littleProximal", ["{}LittleIntermediate", "{} Little Intermediate", "{}LittleIntermediate", "pinky_02_{}", "{}HandPinky2", "DEF-f_pinky.02.{}"], &["little2", "pinky2"]),
    row("littleIntermediate", ["{}LittleDistal", "{} Little Distal", "{}LittleDistal", "pinky_03_{}", "{}HandPinky3", "DEF-f_pinky.03.{}"], &["little3", "pinky3"]),
];

const NOISE: [&str; 16] = [
    "j",
    "bip",
    "bip01",
    "bip001",
    "def",
    "c",
    "cc",
    "base",
    "mixamorig",
    "jnt",
    "joint",
    "bone",
    "bn",
    "bind",
    "skin",
    "org",
];

impl HumanBoneRow {
    fn has_sides(&self) -> bool {
        self.names[0].starts_with("{}")
    }
}

impl HumanBone {
    /// Iterates over all bones. In a pair, the left bone comes first.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_row = |(number, row): (usize, &'static HumanBoneRow)| {
            (0..=usize::from(row.has_sides())).map(move |side| Self((2 * number + side) as u8))
        };
        ROWS.iter().enumerate().flat_map(of_row)
    }

    fn row(self) -> &'static HumanBoneRow {
        &ROWS[usize::from(self.0) / 2]
    }

    fn side(self) -> usize {
        usize::from(self.0) % 2
    }

    /// Returns the bone that a name in any scheme or program denotes, such as "hand.l".
    pub fn similar(name: &str) -> Option<Self> {
        BONES_BY_NAME_KEY.get(&core(without_namespace(name))).copied()
    }

    /// Returns the bone's name in a scheme, if it has one.
    pub fn name_in(self, scheme: Scheme) -> Option<String> {
        let name = self.row().names[scheme as usize];
        (!name.is_empty()).then(|| name.replace("{}", scheme.sides()[self.side()]))
    }

    /// Returns the bone with a VRM 1.0 name, such as `leftUpperArm`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|bone| bone.to_string() == name)
    }

    /// Returns whether the bone requires its parent bone (VRM 1.0, `humanoid.md`, "Needs Parent Bone").
    pub fn needs_parent(self) -> bool {
        let name = self.to_string();
        name == "upperChest" || ["ThumbProximal", "Intermediate", "Distal"].iter().any(|end| name.ends_with(end))
    }

    /// Returns the bone's parent in a complete skeleton; `None` for the hips.
    pub fn parent(self) -> Option<Self> {
        let parent = self.row().parent;
        let is_parent = |row: &HumanBoneRow| row.names[0].trim_start_matches("{}").eq_ignore_ascii_case(parent);
        let number = ROWS.iter().position(|row| !parent.is_empty() && is_parent(row))?;
        let side = if ROWS[number].has_sides() { self.side() } else { 0 };
        Some(Self((2 * number + side) as u8))
    }

    /// Iterates over ancestors, nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |bone| bone.parent())
    }
}

impl fmt::Display for HumanBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name_in(Scheme::Vrm).unwrap_or_default())
    }
}

/// Humanoid bones of a rig.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Humanoid {
    nodes: BTreeMap<HumanBone, NodeIndex>,
    is_declared: bool,
}

impl Humanoid {
    /// Returns the humanoid bones that the file declares. If it declares none, detects them by name; joints take
    /// precedence over other nodes. *Cost*: linear in nodes.
    pub fn from_rig(rig: &Rig) -> Self {
        if rig.human_bones.is_empty() { Self::from_names(rig) } else { Self::declared(rig) }
    }

    fn declared(rig: &Rig) -> Self {
        // VRM 0 names thumb joints as Unity does: the first one is called proximal.
        let is_zero = rig.human_bones.iter().any(|(_, name)| name.ends_with("ThumbIntermediate"));
        let as_now = |name: &str| {
            if is_zero {
                name.replace("ThumbProximal", "ThumbMetacarpal").replace("ThumbIntermediate", "ThumbProximal")
            } else {
                name.to_owned()
            }
        };
        let mut nodes = BTreeMap::new();
        for (node, name) in &rig.human_bones {
            if let Some(bone) = HumanBone::named(&as_now(name)) {
                nodes.entry(bone).or_insert(*node);
            }
        }
        Self { nodes, is_declared: true }
    }

    fn from_names(rig: &Rig) -> Self {
        let hierarchy = &rig.hierarchy;
        let (joints, others): (Vec<NodeIndex>, Vec<NodeIndex>) =
            hierarchy.nodes().filter(|&node| !hierarchy.is_unnamed(node)).partition(|&node| rig.is_joint(node));
        let all: Vec<NodeIndex> = joints.into_iter().chain(others).collect();
        let plain = |node: NodeIndex| without_namespace(hierarchy.name(node));
        let exact = |scheme: Scheme| -> BTreeMap<HumanBone, NodeIndex> {
            let mut by_name: BTreeMap<&str, NodeIndex> = BTreeMap::new();
            for &node in &all {
                by_name.entry(plain(node)).or_insert(node);
            }
            let found = |bone: HumanBone| Some((bone, *by_name.get(bone.name_in(scheme)?.as_str())?));
            HumanBone::all().filter_map(found).collect()
        };
        let mut nodes = Scheme::ALL
            .into_iter()
            .map(exact)
            .fold(BTreeMap::new(), |best, found| if found.len() > best.len() { found } else { best });
        let mut taken: BTreeSet<NodeIndex> = nodes.values().copied().collect();
        let has_scheme = !nodes.is_empty();
        for &node in all.iter().filter(|node| has_scheme || rig.is_joint(**node) || rig.skins.is_empty()) {
            let name = plain(node);
            let known = |key: (Side, String)| BONES_BY_NAME_KEY.get(&key).copied();
            let without_digits =
                |(side, core): (Side, String)| (side, core.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned());
            // Some exporters number all nodes: `J_Bip_L_Index1_63`.
            let unnumbered = name.rsplit_once('_').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
            let bone =
                known(core(name)).or_else(|| known(core(unnumbered?.0))).or_else(|| known(without_digits(core(name))));
            if let Some(bone) = bone.filter(|bone| !nodes.contains_key(bone) && !taken.contains(&node)) {
                nodes.insert(bone, node);
                taken.insert(node);
            }
        }
        Self { nodes, is_declared: false }
    }

    /// Keeps only the bones for whose nodes `accepts` returns true.
    #[must_use]
    pub fn only(mut self, accepts: impl Fn(NodeIndex) -> bool) -> Self {
        self.nodes.retain(|_, node| accepts(*node));
        self
    }

    /// Returns whether the file declares its humanoid bones.
    pub fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// Returns the node of a humanoid bone.
    pub fn node(&self, bone: HumanBone) -> Option<NodeIndex> {
        self.nodes.get(&bone).copied()
    }

    /// Iterates over the rig's humanoid bones and their nodes.
    pub fn bones(&self) -> impl Iterator<Item = (HumanBone, NodeIndex)> {
        self.nodes.iter().map(|(bone, node)| (*bone, *node))
    }

    /// Returns the limbs that pins use.
    pub fn limbs(&self) -> Limbs {
        let node = |name: &str| HumanBone::named(name).and_then(|bone| self.node(bone));
        let limb = |upper: &str, last: &str| Some([node(upper)?, node(last)?]);
        let sides = |limbs: [Option<[NodeIndex; 2]>; 2]| limbs.into_iter().flatten().collect();
        Limbs {
            hips: node("hips"),
            legs: sides([limb("leftUpperLeg", "leftFoot"), limb("rightUpperLeg", "rightFoot")]),
            arms: sides([limb("leftUpperArm", "leftHand"), limb("rightUpperArm", "rightHand")]),
        }
    }

    /// Returns the nearest humanoid bone above a bone in the rig's hierarchy.
    pub fn above(&self, rig: &Rig, bone: HumanBone) -> Option<HumanBone> {
        let node = self.node(bone)?;
        let of_node = |above: NodeIndex| self.nodes.iter().find(|(_, n)| **n == above).map(|(bone, _)| *bone);
        rig.hierarchy.ancestors(node).find_map(of_node)
    }
}

/// Strips namespaces and Mixamo's prefix in all its forms: `mixamorig:Hips`, `mixamorig1_Hips`, `mixamorigHips`.
pub fn without_namespace(name: &str) -> &str {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let bare = name.strip_prefix("mixamorig").map(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix('_').unwrap_or(rest)
    });
    bare.filter(|bare| !bare.is_empty()).unwrap_or(name)
}

type Side = Option<usize>;

static BONES_BY_NAME_KEY: LazyLock<BTreeMap<(Side, String), HumanBone>> = LazyLock::new(bones_by_name_key);

fn bones_by_name_key() -> BTreeMap<(Side, String), HumanBone> {
    let mut cores = BTreeMap::new();
    for bone in HumanBone::all() {
        let side = bone.row().has_sides().then(|| bone.side());
        // Rigify's torso names and Unity's thumb names denote different bones in other schemes, so both are left out.
        let schemes = [Scheme::Vrm, Scheme::Godot, Scheme::Unreal, Scheme::Mixamo];
        let names = schemes.into_iter().filter_map(|scheme| bone.name_in(scheme)).map(|name| core(&name).1);
        for word in names.chain(bone.row().aliases.iter().map(|&alias| alias.to_owned())) {
            cores.entry((side, word)).or_insert(bone);
        }
    }
    cores
}

/// Splits a name into its side and the remaining words: `J_Bip_L_UpperArm`, `upperarm_l` and `LeftUpperArm` all become
/// the left side and "upperarm".
fn core(name: &str) -> (Side, String) {
    let mut side = None;
    let mut word = String::new();
    for token in name_words(name, char::is_alphanumeric) {
        match token.as_str() {
            "l" | "left" => side = side.or(Some(0)),
            "r" | "right" => side = side.or(Some(1)),
            noise if NOISE.contains(&noise) => {}
            other => word += other,
        }
    }
    (side, word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Hierarchy, NodeDescription, RigData, Trs};

    fn rig(names: &[String]) -> Rig {
        let node = |at| NodeDescription::new(&names[at], (at + 1..names.len()).take(1).collect(), Trs::IDENTITY);
        let described: Vec<NodeDescription> = (0..names.len()).map(node).collect();
        Rig::new(RigData { hierarchy: Hierarchy::new(&described).unwrap(), ..RigData::default() })
    }

    #[test]
    fn there_are_55_bones_and_each_hangs_on_one_of_them() {
        assert_eq!(HumanBone::all().count(), 55);
        let of = |name: &str| HumanBone::named(name).unwrap();
        assert_eq!(of("hips").parent(), None);
        assert_eq!(of("rightUpperArm").parent(), Some(of("rightShoulder")));
        assert_eq!(of("leftShoulder").parent(), Some(of("upperChest")));
        assert_eq!(of("leftThumbDistal").ancestors().last(), Some(of("hips")));
        for bone in HumanBone::all() {
            assert!(bone.to_string() == "hips" || bone.parent().is_some(), "{bone}");
        }
    }

    #[test]
    fn the_names_of_every_scheme_are_found_as_the_bones_that_they_are() {
        for scheme in Scheme::ALL {
            let bones: Vec<HumanBone> = HumanBone::all().filter(|bone| bone.name_in(scheme).is_some()).collect();
            for prefix in ["", "mixamorig:", "mixamorig_", "mixamorig", "mixamorig12_", "a:b|", "a:mixamorig_"] {
                let name = |bone: &HumanBone| format!("{prefix}{}", bone.name_in(scheme).unwrap());
                let rig = rig(&bones.iter().map(name).collect::<Vec<_>>());
                let found = Humanoid::from_rig(&rig);
                for (number, bone) in bones.iter().enumerate() {
                    assert_eq!(found.node(*bone), Some(NodeIndex(number as u32)), "{scheme:?} {bone}");
                }
            }
        }
    }

    #[test]
    fn names_of_other_programs_are_found_by_side_and_word() {
        for (name, bone) in [
            ("J_Bip_L_UpperArm", "leftUpperArm"),
            ("J_Bip_C_Hips", "hips"),
            ("Bip01 R Thigh", "rightUpperLeg"),
            ("lForearm", "leftLowerArm"),
            ("shin.R", "rightLowerLeg"),
            ("hand_r_jnt", "rightHand"),
            ("LeftFoot_103", "leftFoot"),
            ("Pelvis", "hips"),
            ("CC_Base_Hip", "hips"),
            ("CC_Base_L_Upperarm", "leftUpperArm"),
            ("CC_Base_R_Calf", "rightLowerLeg"),
            ("CC_Base_Waist", "spine"),
            ("CC_Base_L_Mid1", "leftMiddleProximal"),
            ("CC_Base_NeckTwist01", "neck"),
            ("J_Bip_L_Index1_63", "leftIndexProximal"),
            ("J_Bip_R_Thumb3_45", "rightThumbDistal"),
            ("spine_01_2", "spine"),
        ] {
            let names = ["x".to_owned(), name.to_owned()];
            let found = Humanoid::from_rig(&rig(&names));
            assert_eq!(found.bones().map(|(bone, _)| bone.to_string()).collect::<Vec<_>>(), [bone], "{name}");
        }
    }
}
