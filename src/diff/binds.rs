//! Joints to which meshes are bound at other places.

use std::collections::{BTreeMap, HashSet};

use super::Tolerances;
use super::change::{Change, ChangeKind};
use super::mesh_pair::{MeshPair, binds};
use super::motion::Motion;
use super::rig_match::RigMatch;
use crate::rig::NodeIndex;

/// Bind poses that moved, each joint once; what only goes with a joint above is left out.
pub(super) fn bind_changes(both: &RigMatch<'_>, pairs: &[MeshPair<'_>], tolerances: &Tolerances) -> Vec<Change> {
    let mut seen = HashSet::new();
    let mut moved: BTreeMap<NodeIndex, Motion> = BTreeMap::new();
    for pair in pairs {
        let instances = [&both.old.rig.instances[pair.instances[0]], &both.new.rig.instances[pair.instances[1]]];
        let skins = instances.map(|instance| instance.skin);
        if skins.contains(&None) || !seen.insert(skins) {
            continue;
        }
        let old = binds(both.old.rig, skins[0], |joint| both.id_of_old(joint));
        let new = binds(both.new.rig, skins[1], |joint| joint.0);
        let expected = |joint: NodeIndex| Some(both.in_new(pair.space, *old.get(&joint.0)?));
        for (_, joint) in both.joints.pairs() {
            let (Some(was), Some(now)) = (expected(joint), new.get(&joint.0)) else { continue };
            let motion = Motion::between(&was, now, pair.metre);
            // Of all that moved, the binds of the next joint above say what was to be expected.
            let above = both.new.rig.hierarchy.ancestors(joint).find(|above| new.contains_key(&above.0));
            let goes_with = || {
                let above = above?;
                let carried = *new.get(&above.0)? * expected(above)?.inverse() * was;
                Some(!Motion::between(&carried, now, pair.metre).is_beyond(tolerances))
            };
            if motion.is_beyond(tolerances) && goes_with() != Some(true) {
                moved.entry(joint).or_insert(motion);
            }
        }
    }
    let told = moved.iter().map(|(joint, motion)| {
        motion.told(Change::new(ChangeKind::BindMoved, both.joint_of_id(joint.0).0), tolerances)
    });
    told.collect()
}
