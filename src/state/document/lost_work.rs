//! Edits and selection of items that a reloaded file lacks. A later reload restores them if the items exist again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::actor::Counterparts;
use crate::analysis::measure::VertexLocation;
use crate::posing::JointLimits;
use crate::rig::{MorphIndex, NodeIndex, Pin, Primitive, Rig, Trs, find_joints, joint_names};
use crate::skinning::JointMethod;
use crate::stage::{Playback, Stage};
use crate::state::Choices;
use crate::state::edit::choices::{ReloadedRig, Undoable};
use crate::view::{Camera, PerSide};

type OwnMethods = Vec<(NodeIndex, JointMethod)>;

#[derive(Default)]
pub(in crate::state) struct LostWork {
    current: LostPose,
    /// Lost work in the choices that were last opened or saved.
    saved: LostPose,
    selected: Option<LostSelection<Vec<NodeIndex>>>,
    isolated: Option<LostSelection<Vec<NodeIndex>>>,
    tie: Option<LostSelection<Vec<TieTarget>>>,
    probes: Option<LostSelection<Vec<VertexLocation>>>,
    /// Camera after the last reload. A lost file camera is restored only if the user has not moved the camera since.
    camera: Option<Camera>,
    morph: Option<LostSelection<Vec<MorphIndex>>>,
    by_joint: PerSide<Option<LostSelection<OwnMethods>>>,
    playback: Option<LostSelection<Playback>>,
}

/// Pose, limits and pins by joint name, as in pose files.
#[derive(Default)]
struct LostPose {
    joints: BTreeMap<String, LostJoint>,
    morphs: BTreeMap<String, f32>,
    expressions: BTreeMap<String, f32>,
}

struct LostJoint {
    user_local: Trs,
    limits: Option<JointLimits>,
    pin: Option<Pin>,
}

/// A selection with items that the reloaded file lacks. A later reload restores it unless the user has changed the
/// selection.
struct LostSelection<T> {
    rig: Arc<Rig>,
    chosen: T,
    left: T,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::state) enum TieTarget {
    Joint(NodeIndex),
    /// Index in `Rig::cameras`.
    File(usize),
}

impl TieTarget {
    pub(super) fn from_stage(stage: &Stage) -> Option<Self> {
        let tie = &stage.camera_tie;
        tie.file_camera(&stage.view.camera).map(Self::File).or(tie.joint().map(Self::Joint))
    }
}

/// Selection and visibility. Unlike [`Choices`], these are not part of undo.
pub(in crate::state) struct Selection {
    pub joints: Vec<NodeIndex>,
    /// Root of the subtree whose bones are visible; `None` shows all.
    pub isolated: Option<NodeIndex>,
    pub tie: Option<TieTarget>,
    pub camera: Camera,
    pub probes: Vec<VertexLocation>,
    pub morph: Option<MorphIndex>,
    /// Joints with their own skinning method, for each side.
    pub by_joint: PerSide<OwnMethods>,
    pub playback: Playback,
}

impl Selection {
    pub(super) fn from_stage(stage: &Stage) -> Self {
        let view = &stage.view;
        Self {
            joints: view.selected.clone(),
            isolated: view.isolated.as_ref().map(|subtree| NodeIndex(subtree.start as u32)),
            tie: TieTarget::from_stage(stage),
            camera: view.camera,
            probes: stage.probes.places.clone(),
            morph: view.morph,
            by_joint: view.sides.each_ref().map(|side| side.skinning.by_joint.clone()),
            playback: stage.playback.clone(),
        }
    }
}

impl LostPose {
    /// Stores the choices for joints, morph targets and expressions that the reloaded rig lacks.
    fn keep(&mut self, Choices { pose, limits, pins, .. }: &Choices, to: ReloadedRig<'_>) {
        let pin = |node: NodeIndex| pins.iter().find(|pin| pin.node == node).copied();
        let is_chosen = |node: NodeIndex| pose.is_posed(node) || limits.get(node).is_some() || pin(node).is_some();
        let is_lost = |node: &NodeIndex| to.counterparts.node(*node).is_none() && is_chosen(*node);
        let nodes: Vec<NodeIndex> = to.old.hierarchy.nodes().filter(is_lost).collect();
        for (name, node) in joint_names(&to.old.hierarchy, &nodes).into_iter().zip(nodes) {
            let joint =
                LostJoint { user_local: *pose.user_local(node), limits: limits.get(node).copied(), pin: pin(node) };
            self.joints.insert(name, joint);
        }
        let morphs = pose.morph_weights().filter(|(morph, _)| to.counterparts.morph(*morph).is_none());
        self.morphs.extend(morphs.map(|(morph, weight)| (to.old.morphs()[morph.index()].name.clone(), weight)));
        let expressions = pose.face().expressions().filter(|(at, _)| to.counterparts.expression(*at).is_none());
        self.expressions.extend(expressions.map(|(at, weight)| (to.old.expressions[at.index()].name.clone(), weight)));
    }

    /// Restores stored choices for items that the reloaded rig has and the previous rig lacked.
    fn give_back(&mut self, Choices { pose, limits, pins, .. }: &mut Choices, to: ReloadedRig<'_>) {
        let names: Vec<String> = self.joints.keys().cloned().collect();
        for (name, node) in names.iter().zip(find_joints(&to.new.hierarchy, &names)) {
            let Some(node) = node else { continue };
            let Some(joint) = self.joints.remove(name).filter(|_| to.counterparts.open_node(node).is_none()) else {
                continue;
            };
            pose.set_user_local(node, joint.user_local);
            if let Some(joint_limits) = joint.limits {
                limits.set(node, joint_limits);
            }
            pins.extend(joint.pin.map(|pin| Pin { node, ..pin }));
            pins.sort_by_key(|pin| pin.node);
        }
        for (morph, number) in to.new.morphs().iter().zip(0..) {
            let morph_index = MorphIndex(number);
            let is_new = !to.counterparts.morphs().contains(&Some(morph_index));
            if let Some(weight) = self.morphs.remove(&morph.name).filter(|_| is_new) {
                pose.set_morph_weight(morph_index, weight);
            }
        }
        for (at, expression) in to.new.indexed_expressions() {
            let is_new = !to.counterparts.expressions().contains(&Some(at));
            if let Some(weight) = self.expressions.remove(&expression.name).filter(|_| is_new) {
                pose.face_mut().set_expression(at, weight);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.morphs.is_empty() && self.expressions.is_empty()
    }
}

impl LostWork {
    pub(crate) fn is_empty(&self) -> bool {
        self.current.is_empty() && self.saved.is_empty()
    }

    /// Transfers the current or saved choices to a reloaded rig. Stores choices for items that the rig lacks, and
    /// restores them once it has these items again.
    pub(crate) fn reload(&mut self, choices: &Choices, is_saved: bool, to: ReloadedRig<'_>) -> Choices {
        let lost = if is_saved { &mut self.saved } else { &mut self.current };
        let mut carried = choices.carried(to);
        lost.give_back(&mut carried, to);
        lost.keep(choices, to);
        carried
    }

    pub(crate) fn note_camera(&mut self, camera: Camera) {
        self.camera = Some(camera);
    }

    /// Transfers the selection to a reloaded rig. Restores lost items unless the user has changed the selection.
    pub(crate) fn reload_selection(&mut self, to: ReloadedRig<'_>, now: Selection) -> Selection {
        let node = |node: &NodeIndex, _: &Rig, same: &Counterparts| same.node(*node);
        let morph = |morph: &MorphIndex, _: &Rig, same: &Counterparts| same.morph(*morph);
        let method = |(node, method): &(NodeIndex, JointMethod), _: &Rig, same: &Counterparts| {
            Some((same.node(*node)?, *method))
        };
        let tie = |tie: &TieTarget, old: &Rig, same: &Counterparts| match tie {
            TieTarget::Joint(node) => same.node(*node).map(TieTarget::Joint),
            TieTarget::File(camera) => camera_counterpart(*camera, old, to.new, same).map(TieTarget::File),
        };
        let probe =
            |place: &VertexLocation, old: &Rig, same: &Counterparts| vertex_counterpart(*place, old, to.new, same);
        let is_file =
            |lost: &LostSelection<Vec<TieTarget>>| lost.chosen.iter().any(|tie| matches!(tie, TieTarget::File(_)));
        if self.camera != Some(now.camera) && self.tie.as_ref().is_some_and(is_file) {
            self.tie = None;
        }
        let PerSide { a, b } = now.by_joint;
        Selection {
            joints: to.list(&mut self.selected, now.joints, node),
            isolated: to.one(&mut self.isolated, now.isolated, node),
            tie: to.one(&mut self.tie, now.tie, tie),
            camera: now.camera,
            probes: to.list(&mut self.probes, now.probes, probe),
            morph: to.one(&mut self.morph, now.morph, morph),
            by_joint: PerSide {
                a: to.list(&mut self.by_joint.a, a, method),
                b: to.list(&mut self.by_joint.b, b, method),
            },
            playback: to.playback(&mut self.playback, now.playback),
        }
    }
}

impl ReloadedRig<'_> {
    fn one<T: Clone + PartialEq>(
        &self,
        lost: &mut Option<LostSelection<Vec<T>>>,
        now: Option<T>,
        counterpart: impl Fn(&T, &Rig, &Counterparts) -> Option<T>,
    ) -> Option<T> {
        self.list(lost, now.into_iter().collect(), counterpart).pop()
    }

    fn list<T: Clone + PartialEq>(
        &self,
        lost: &mut Option<LostSelection<Vec<T>>>,
        now: Vec<T>,
        counterpart: impl Fn(&T, &Rig, &Counterparts) -> Option<T>,
    ) -> Vec<T> {
        let carried = |chosen: &[T], old: &Rig, same: &Counterparts| -> Vec<T> {
            chosen.iter().filter_map(|one| counterpart(one, old, same)).collect()
        };
        let (rig, chosen, left) = match lost.take() {
            Some(LostSelection { rig, chosen, left }) if left == now => {
                let left = carried(&chosen, &rig, &Counterparts::between(&rig, self.new));
                (rig, chosen, left)
            }
            _ => {
                let left = carried(&now, self.old, self.counterparts);
                (Arc::clone(self.old), now, left)
            }
        };
        if left.len() < chosen.len() {
            *lost = Some(LostSelection { rig, chosen, left: left.clone() });
        }
        left
    }

    fn playback(&self, lost: &mut Option<LostSelection<Playback>>, now: Playback) -> Playback {
        let (rig, chosen) = match lost.take() {
            Some(LostSelection { rig, chosen, left }) if now.is_left_alone(&left) => (rig, chosen.resumed_from(&now)),
            _ => (Arc::clone(self.old), now),
        };
        let left = chosen.carried(&rig, self.new);
        if !chosen.is_whole_in(&left) {
            *lost = Some(LostSelection { rig, chosen, left: left.clone() });
        }
        left
    }
}

/// Returns the counterpart of a vertex: the vertex with the same index if its position or the triangles are unchanged,
/// otherwise a vertex at the same position.
fn vertex_counterpart(place: VertexLocation, old: &Rig, new: &Rig, same: &Counterparts) -> Option<VertexLocation> {
    let VertexLocation { instance, primitive, vertex } = place;
    let before = old.instances.get(instance)?;
    let node = same.node(before.node)?;
    let instance = new.instances.iter().position(|placed| placed.node == node)?;
    let was = old.meshes[before.mesh].primitives.get(primitive)?;
    let is = new.meshes[new.instances[instance].mesh].primitives.get(primitive)?;
    Some(VertexLocation { instance, primitive, vertex: vertex_in(vertex, was, is)? })
}

fn vertex_in(vertex: usize, was: &Primitive, is: &Primitive) -> Option<usize> {
    let place = was.positions.get(vertex)?;
    if is.positions.get(vertex) == Some(place) || was.indices == is.indices && vertex < is.positions.len() {
        return Some(vertex);
    }
    is.positions.iter().position(|position| position == place)
}

/// Returns the camera with the same name; if several have this name, prefers the one on the same node.
fn camera_counterpart(camera: usize, old: &Rig, new: &Rig, same: &Counterparts) -> Option<usize> {
    let camera = old.cameras.get(camera)?;
    let named = new.cameras.iter().enumerate().filter(|(_, other)| other.name == camera.name);
    named.min_by_key(|(_, other)| same.node(camera.node) != Some(other.node)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn primitive(points: &[f32], indices: &[u32]) -> Primitive {
        let positions = points.iter().map(|x| Vec3::splat(*x)).collect();
        Primitive { positions, indices: indices.into(), ..Primitive::default() }
    }

    #[test]
    fn a_vertex_is_found_by_its_position_and_in_a_moved_mesh_by_its_number() {
        let was = primitive(&[0.0, 1.0, 2.0], &[0, 1, 2]);
        let cases = [
            (primitive(&[0.0, 1.0, 2.0, 3.0], &[0, 1, 3]), Some(1), "more vertices"),
            (primitive(&[5.0, 0.0, 1.0], &[2, 1, 0]), Some(2), "another order"),
            (primitive(&[7.0, 8.0, 9.0], &[0, 1, 2]), Some(1), "a moved mesh"),
            (primitive(&[7.0, 8.0, 9.0], &[2, 1, 0]), None, "another mesh"),
            (primitive(&[7.0], &[]), None, "a smaller one"),
        ];
        for (is, expected, what) in cases {
            assert_eq!(vertex_in(1, &was, &is), expected, "{what}");
        }
    }
}
