use glam::{Affine3, Vec3};

use crate::posing::{IkChain, SolverInputs};
use crate::rig::NodeIndex;
use crate::stage::Stage;
use crate::state::{Notice, OpenDocument, PosingOptions};

impl OpenDocument {
    /// Pins all selected joints, or unpins them if all are pinned.
    pub(in crate::state) fn toggle_pin(&mut self) {
        self.as_step(|open| {
            let Stage { view, document, .. } = &mut open.stage;
            let (selected, pinned) = (&view.selected, &mut document.pinned);
            let are_pinned = selected.iter().all(|node| pinned.contains(node));
            pinned.retain(|node| !selected.contains(node));
            if !are_pinned {
                pinned.extend(selected);
            }
        });
    }

    /// Pulls the chain that ends at `node` to a target. Starts from the pose before the drag, so that errors don't
    /// accumulate.
    pub(in crate::state) fn pull(&mut self, node: NodeIndex, target: Vec3, posing: PosingOptions) -> Option<Notice> {
        let hierarchy = &self.stage.document.rig.hierarchy;
        if node.index() >= hierarchy.len() {
            return None;
        }
        let chain = IkChain::new(hierarchy, node, posing.chain_bones, |n| self.stage.document.pinned.contains(&n))?;
        let pose = self.history.pose_before()?;
        let stand =
            SolverInputs { hierarchy, clip_local: &self.stage.posed().clip_local, bend: bend(&self.stage, &chain) };
        let turned = chain
            .solve_toward(stand, pose, target, |node, user_local| self.stage.document.limits.keep(node, user_local));
        self.pulled = Some(node);
        self.edit_joints(turned, posing)
    }
}

/// Returns the direction in which a straight chain bends: as in the rest pose, or forwards if the rest pose is straight
/// too. Visits only the chain and its ancestors, because it runs on each pointer motion.
fn bend(stage: &Stage, chain: &IkChain) -> Vec3 {
    let hierarchy = &stage.document.rig.hierarchy;
    let above = chain.joints().first().map_or(Affine3::IDENTITY, |&first| {
        let in_file =
            hierarchy.ancestors(first).fold(Affine3::IDENTITY, |below, node| *hierarchy.rest_local(node) * below);
        hierarchy.matrix_from_file(in_file)
    });
    let place = |world: &mut Affine3, node: &NodeIndex| {
        *world *= *hierarchy.rest_local(*node);
        Some(world.translation)
    };
    let points: Vec<Vec3> = chain.joints().iter().scan(above, place).collect();
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Vec3::Z };
    let along = (last - first).normalize_or_zero();
    let off: Vec3 = points.iter().map(|p| (*p - first).reject_from_normalized(along)).sum();
    if along != Vec3::ZERO && off.length() > 1e-3 * first.distance(last) { off } else { Vec3::Z }
}
