//! Helper joints, which serve the animator or other joints and should not move skin.

use std::collections::BTreeSet;

use crate::rig::{NodeIndex, Rig, name_words};

/// A joint that looks like a helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helper {
    /// Node of the joint.
    pub node: NodeIndex,
    /// Why the joint looks like a helper, as a sentence.
    pub reason: String,
    /// True if the joint moves a rigid component around it, such as an eyeball. Not all methods support this.
    pub owns_pieces: bool,
}

const WORDS: [(&[&str], &str); 5] = [
    (&["twist", "roll"], "Its name says that it spreads a twist"),
    (&["ik", "fk", "effector", "goal", "target"], "Its name says that it is a target of inverse kinematics"),
    (&["pole", "polevector"], "The name suggests an IK pole"),
    (&["ctrl", "control", "controller", "locator", "lookat"], "Its name says that it is a control"),
    (&["helper", "dummy", "nub", "end", "socket", "slot", "handslot"], "Its name says that it is a helper"),
];

/// Words in the names of joints that move rigid objects in the head.
const IN_HEADS: [&str; 6] = ["eye", "eyeball", "jaw", "teeth", "tooth", "tongue"];
/// Words that exclude a name with one of [`IN_HEADS`].
const NOT_IN_HEADS: [&str; 6] = ["lid", "brow", "lash", "socket", "corner", "target"];

const HARDLY_ANY: f64 = 1e-3;

/// Joints without weight count as helpers only if at least this fraction of all joints has weight.
const WEIGHTED: f64 = 0.25;

/// Returns joints that should get no weight, in node order. Such a joint has a helper's name and almost no weight in
/// the file; or it has no weight while other joints do; or it moves eyes, jaw, teeth or tongue and would take over the
/// skin around them. Never returns all joints of a skin.
pub fn helpers(rig: &Rig) -> Vec<Helper> {
    let weights = weight_of_nodes(rig);
    let all: f64 = weights.iter().sum();
    let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|node| rig.is_joint(*node)).collect();
    let weighted = joints.iter().filter(|joint| weights[joint.index()] > 0.0).count();
    // In files without real weights, a single joint moves all vertices.
    let is_weighted = weighted > 1 && weighted as f64 >= WEIGHTED * joints.len() as f64;
    let reason = |joint: NodeIndex| {
        let weight = weights[joint.index()];
        let by_name = named(rig.hierarchy.name(joint)).filter(|_| weight <= HARDLY_ANY * all);
        let idle = || (is_weighted && weight == 0.0).then_some("It moves nothing in the file, where others do");
        by_name
            .map(|says| format!("{says}, and it has next to no weight in the file."))
            .or(idle().map(|says| format!("{says}.")))
    };
    let mut found: Vec<Helper> = joints
        .iter()
        .filter_map(|&node| match reason(node) {
            Some(reason) => Some(Helper { node, reason, owns_pieces: false }),
            None => in_head(rig, node).map(|reason| Helper { node, reason, owns_pieces: true }),
        })
        .collect();
    for skin in &rig.skins {
        let nodes: BTreeSet<NodeIndex> = found.iter().map(|helper| helper.node).collect();
        if skin.joints.iter().all(|joint| nodes.contains(joint)) {
            found.retain(|helper| !skin.joints.contains(&helper.node));
        }
    }
    found
}

fn weight_of_nodes(rig: &Rig) -> Vec<f64> {
    let mut weights = vec![0.0; rig.hierarchy.len()];
    for instance in &rig.instances {
        let Some(skin) = instance.skin.map(|skin| &rig.skins[skin]) else { continue };
        for influences in rig.meshes[instance.mesh].primitives.iter().filter_map(|p| p.influences.as_ref()) {
            for (&slot, &weight) in influences.joints().iter().zip(influences.weights()) {
                if let Some(joint) = skin.joints.get(usize::from(slot)) {
                    weights[joint.index()] += f64::from(weight);
                }
            }
        }
    }
    weights
}

fn named(name: &str) -> Option<&'static str> {
    let words = name_words(name, char::is_alphabetic);
    let says = WORDS.iter().find(|(known, _)| words.iter().any(|word| known.contains(&word.as_str())));
    says.map(|(_, says)| *says)
}

/// Returns whether a name marks a joint as a twist helper.
pub fn is_twist_helper(name: &str) -> bool {
    let (twist, _) = WORDS[0];
    name_words(name, char::is_alphabetic).iter().any(|word| twist.contains(&word.as_str()))
}

/// Returns why a joint seems to move only a rigid part of the head, judging by its name and the names of its
/// descendants.
fn in_head(rig: &Rig, joint: NodeIndex) -> Option<String> {
    let word = |node: NodeIndex| {
        let words = name_words(rig.hierarchy.name(node), char::is_alphabetic);
        let is_other = words.iter().any(|word| NOT_IN_HEADS.contains(&word.as_str()));
        IN_HEADS.into_iter().find(|known| !is_other && words.iter().any(|word| word == known))
    };
    rig.hierarchy.parent(joint)?;
    let says = word(joint)?;
    let mut below = rig.hierarchy.children(joint).to_vec();
    while let Some(node) = below.pop() {
        if rig.is_joint(node) && word(node).is_none() {
            return None;
        }
        below.extend(rig.hierarchy.children(node));
    }
    Some(format!("The name contains \"{says}\": the joint moves only the component around it."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        assert_eq!(name_words("LeftForeArm_Twist.01", char::is_alphabetic), ["left", "fore", "arm", "twist"]);
        assert_eq!(name_words("IK-Foot.L", char::is_alphabetic), ["ik", "foot", "l"]);
        for name in ["lowerarm_twist_01_l", "IK_Hand", "KneePole.R", "Ctrl_Head", "Bip01 Head Nub", "handslot.l"] {
            assert!(named(name).is_some(), "{name}");
        }
        for name in ["Spike", "Bikini", "Trolley", "hand.L", "Weekend", "Backbone"] {
            assert_eq!(named(name), None, "{name}");
        }
    }
}
