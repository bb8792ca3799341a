use glam::{Affine3, Vec3};

use super::{DragChange, GizmoFrame, GizmoOptions, Orientation, Pivot, Tool};
use crate::rig::{Hierarchy, NodeIndex, Pose, Posed, PosedJoint, Trs, rotate_in_world};
use crate::view::Lens;

/// Selected joints at the start of a drag. The last one is active and carries the handles. A joint with a selected
/// ancestor follows that ancestor and is not moved or scaled itself. It is rotated only with [`Pivot::Individual`],
/// about its own origin, as when curling fingers.
#[derive(Clone, Debug)]
pub struct Targets {
    joints: Vec<DraggedJoint>,
    pivot: Pivot,
}

#[derive(Clone, Debug)]
struct DraggedJoint {
    node: NodeIndex,
    at_start: Trs,
    world_before_user: Affine3,
    frame: GizmoFrame,
    /// True if no ancestor is selected.
    is_topmost: bool,
}

impl Targets {
    /// Returns `None` if no joint is selected.
    pub fn new(
        hierarchy: &Hierarchy,
        posed: &Posed,
        pose: &Pose,
        selected: &[NodeIndex],
        options: GizmoOptions,
        lens: &Lens,
    ) -> Option<Self> {
        let mut is_selected = vec![false; hierarchy.len()];
        for node in selected {
            is_selected[node.index()] = true;
        }
        let orientation = options.tool.orientation(options.orientation);
        let target = |&node: &NodeIndex| {
            let world_before_user = posed.world_before_user(hierarchy, node);
            let world = &posed.world_from_node[node.index()];
            DraggedJoint {
                node,
                at_start: *pose.user_local(node),
                world_before_user,
                frame: GizmoFrame::new(orientation, options.order, world, &world_before_user, (options.size, lens)),
                is_topmost: !hierarchy.ancestors(node).any(|above| is_selected[above.index()]),
            }
        };
        (!selected.is_empty()).then(|| Self { joints: selected.iter().map(target).collect(), pivot: options.pivot })
    }

    pub fn frame(&self) -> &GizmoFrame {
        &self.active().frame
    }

    fn active(&self) -> &DraggedJoint {
        &self.joints[self.joints.len() - 1]
    }

    /// Starts with world axes; pressing an axis key again switches to the chosen orientation. The scale tool always
    /// uses the joint's axes.
    #[must_use]
    pub fn world_first(mut self, options: GizmoOptions) -> Self {
        if options.tool != Tool::Scale && options.orientation != Orientation::World {
            self.joints.iter_mut().for_each(|joint| joint.frame.swap_axes());
        }
        self
    }

    /// Returns the new user transform `Ul_j` of each changed joint. `frame` is the drag's current frame
    /// ([`super::Drag::frame`]).
    pub fn changed(&self, change: DragChange, frame: &GizmoFrame) -> Vec<PosedJoint> {
        let (axes, is_swapped) = (frame.axes, frame.is_swapped != self.frame().is_swapped);
        let axes_of = |target: &DraggedJoint| if is_swapped { target.frame.other_axes } else { target.frame.axes };
        match change {
            DragChange::Rotate { rotation, axis } if self.pivot == Pivot::Individual => {
                let turned = |target: &DraggedJoint| {
                    let axis = axis.map_or(rotation.axis, |i| axes_of(target).col(i));
                    let turn = glam::Quat::from_axis_angle(axis, rotation.angle);
                    rotate_in_world(&target.at_start, &target.world_before_user, turn)
                };
                self.joints.iter().map(|target| target.posed(turned(target))).collect()
            }
            DragChange::Rotate { rotation, .. } => self.topmost(|target| {
                let turned = rotate_in_world(&target.at_start, &target.world_before_user, rotation.quat());
                self.moved_about_active(target, turned, |from_pivot| rotation.quat() * from_pivot)
            }),
            DragChange::Move { by, follows_axes } => self.topmost(|target| {
                let own = follows_axes && self.pivot == Pivot::Individual;
                let by = if own { axes_of(target) * (axes.transpose() * by) } else { by };
                target.moved(target.at_start, by)
            }),
            DragChange::Scale(factors) => self.topmost(|target| {
                let scaled = Trs { scale: target.at_start.scale * factors, ..target.at_start };
                self.moved_about_active(target, scaled, |from_pivot| axes * (factors * (axes.transpose() * from_pivot)))
            }),
        }
    }

    fn topmost(&self, changed: impl Fn(&DraggedJoint) -> Trs) -> Vec<PosedJoint> {
        let topmost = self.joints.iter().filter(|target| target.is_topmost);
        topmost.map(|target| target.posed(changed(target))).collect()
    }

    /// If the active joint is the pivot, also transforms the joint's origin about the active joint's origin.
    fn moved_about_active(&self, target: &DraggedJoint, changed: Trs, carried: impl Fn(Vec3) -> Vec3) -> Trs {
        if self.pivot == Pivot::Individual || target.node == self.active().node {
            return changed;
        }
        let from_pivot = target.frame.origin - self.frame().origin;
        target.moved(changed, carried(from_pivot) - from_pivot)
    }
}

impl DraggedJoint {
    fn posed(&self, user_local: Trs) -> PosedJoint {
        PosedJoint { node: self.node, user_local }
    }

    /// Moves a transform by a world displacement. Has no effect below an ancestor with scale 0.
    fn moved(&self, user_local: Trs, by: Vec3) -> Trs {
        let by = self.world_before_user.matrix3.inverse() * by;
        let by = if by.is_finite() { by } else { Vec3::ZERO };
        Trs { translation: user_local.translation + by, ..user_local }
    }
}

impl Tool {
    /// Returns an orientation that the tool supports: scale needs the joint's own axes, and moves can't use gimbal
    /// axes.
    fn orientation(self, chosen: Orientation) -> Orientation {
        match (self, chosen) {
            (Self::Scale, _) => Orientation::Local,
            (Self::Move, Orientation::Gimbal) => Orientation::Parent,
            _ => chosen,
        }
    }
}

#[cfg(test)]
mod tests;
