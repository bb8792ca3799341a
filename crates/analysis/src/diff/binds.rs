use std::collections::{BTreeMap, HashSet};

use glam::Affine3;

use super::Tolerances;
use super::change::{Change, ChangeKind, ChangedObject};
use super::joints::RestComparison;
use super::motion::TransformDifference;
use rigscope_core::matching::{MeshPair, RigMatch};
use rigscope_core::rig::NodeIndex;

/// Returns one change per joint whose bind pose moved. Omits motion inherited from a parent joint, and bind matrices
/// that only compensate for changed local transforms.
pub(super) fn bind_changes(
    both: &RigMatch<'_>,
    pairs: &[MeshPair<'_>],
    rest: &RestComparison<'_>,
    tolerances: &Tolerances,
) -> Vec<Change> {
    let mut seen = HashSet::new();
    let mut moved: BTreeMap<NodeIndex, TransformDifference> = BTreeMap::new();
    for pair in pairs {
        let drawn = both.drawn(pair.instances.into());
        let skins = drawn.map(|(_, skin)| skin);
        if skins.contains(&None)
            || !seen.insert((skins, pair.old_from_new.map(|map| map.to_cols_array().map(f32::to_bits))))
        {
            continue;
        }
        let in_old = |now: Affine3| pair.old_from_new.map_or(now, |old_from_new| old_from_new * now);
        let binds = both.binds(drawn);
        for (&joint, &[was, now]) in &binds {
            let motion = TransformDifference::between(&was, &in_old(now), pair.metre);
            // The joint may merely follow its parent joint, whose bind pose moved too.
            let above = both.new.rig.hierarchy.ancestors(joint).find_map(|above| binds.get(&above));
            let goes_with = || {
                let [was_above, now_above] = *above?;
                let carried = in_old(now_above) * was_above.inverse() * was;
                Some(!TransformDifference::between(&carried, &in_old(now), pair.metre).is_beyond(tolerances))
            };
            let is_undone = || both.joints.old_for(joint).is_some_and(|old| rest.is_joint_alike(old));
            if motion.is_beyond(tolerances) && goes_with() != Some(true) && !is_undone() {
                moved.entry(joint).or_insert(motion);
            }
        }
    }
    let changes = moved.iter().map(|(joint, motion)| {
        let change = Change::new(ChangeKind::BindMoved, both.joint_of_id(joint.0).0);
        let change = match both.joints.old_for(*joint) {
            Some(old) => change.at_old(ChangedObject::Node(old)),
            None => change.at_new(ChangedObject::Node(*joint)),
        };
        motion.describe(change, tolerances)
    });
    changes.collect()
}
