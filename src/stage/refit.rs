//! The open character with a changed skeleton, shown on a side.

use std::sync::Arc;
use std::time::Instant;

use super::{ComparisonRig, Stage};
use crate::export::PoseFile;
use crate::import::Job;
use crate::refit::{Operation, Pairing, Proof, ProofPose, RefitError, RigMap, prove, refit};
use crate::rig::{NodeIndex, Pose, Posed, PrimitiveIndex, Rig, pose_for_world};
use crate::skinning::{Method, Skinning};
use crate::view::{Layout, Overlay, Side};

/// How the skeleton of the open character was changed.
#[derive(Clone, Debug)]
pub struct RefitSummary {
    /// What each operation did, as sentences without full stops.
    pub notes: Vec<String>,
    /// Distances between the two characters, posed alike.
    pub proof: Proof,
    /// Whether an operation is meant to change the skin.
    pub changes_skin: bool,
    open: Arc<Rig>,
    map: RigMap,
}

impl RefitSummary {
    /// Returns whether the rig may be exported.
    pub fn is_proven(&self) -> bool {
        self.proof.holds() || self.changes_skin
    }

    /// Returns the result of the proof, as a sentence without full stop.
    pub fn verdict(&self) -> &'static str {
        if self.proof.holds() {
            "Proven: it deforms like the open one"
        } else if self.changes_skin {
            "The skin changes, as the operation is meant to"
        } else {
            "Not proven: the skin would change"
        }
    }

    /// Sets the user transforms of a pose so that the changed character looks like the open one.
    pub(super) fn add_joints(&self, open: &Pose, rig: &Rig, is_in_clip: bool, pose: &mut Pose) {
        for (node, user_local) in self.map.user_locals([&self.open, rig], open, is_in_clip) {
            pose.set_user_local(node, user_local);
        }
    }
}

impl ComparisonRig {
    /// Changes the skeleton of the open character and compares both; `None` if stopped. *Errors*: a message for the
    /// user.
    pub(super) fn refitted(open: &Arc<Rig>, operations: &[String], job: &Job) -> Option<Result<Self, String>> {
        let start = Instant::now();
        let parsed: Result<Vec<Operation>, String> = operations.iter().map(|text| text.parse()).collect();
        let refitted = match parsed.map(|parsed| refit(open, &parsed, job)) {
            Ok(Ok(refitted)) => refitted,
            Ok(Err(RefitError::Cancelled)) => return None,
            Ok(Err(error)) => return Some(Err(error.to_string())),
            Err(problem) => return Some(Err(problem)),
        };
        let proof = prove([open, &refitted.rig], &Pairing::with_refitted(open, &refitted), &job.progress)?;
        let mut found = Self::between(open, Arc::clone(&refitted.rig), &job.progress)?;
        // Removed joints are named by the operation.
        found.notes.clear();
        found.refit = Some(RefitSummary {
            notes: refitted.notes,
            proof,
            changes_skin: refitted.changes_skin,
            open: Arc::clone(open),
            map: refitted.map,
        });
        Some(Ok(Self { took: start.elapsed(), ..found }))
    }
}

impl Stage {
    /// Returns how the skeleton on a side was changed, once computed.
    pub fn refit_on(&self, side: Side) -> Option<&RefitSummary> {
        self.other_on(side)?.refit.as_ref()
    }

    /// Shows a pose of a proof for an image: the open character on A, the changed one on B, with the distance between them
    /// as an overlay.
    pub fn arrange_proof(&mut self, worst: &ProofPose) {
        self.arrange_pose(worst.pose.clone(), worst.moment);
        self.set_layout(Layout::SideBySide);
        for side in Side::ALL {
            _ = self.set_skinning(side, Skinning::new(Method::Lbs));
        }
        self.view.sides.b.paint(Some(Overlay::Distance));
        let joint = worst.skin.vertex.and_then(|(part, vertex)| heaviest_joint(self.rig(), part, vertex));
        self.mark_vertex(joint, worst.skin.vertex);
    }
}

fn heaviest_joint(rig: &Rig, part: PrimitiveIndex, vertex: u32) -> Option<NodeIndex> {
    let instance = rig.instances.get(part.instance)?;
    let influences = rig.meshes[instance.mesh].primitives.get(part.primitive)?.influences.as_ref()?;
    let (slot, _) = influences.vertex(vertex as usize).max_by(|a, b| a.1.total_cmp(&b.1))?;
    rig.skins.get(instance.skin?)?.joints.get(slot).copied()
}

/// Returns the shown pose of `rig`, with clip and behaviours, relative to the rest pose of the skeleton that an operation
/// changes: the one that earlier operations changed, or else that of `rig`.
pub(crate) fn pose_over_rest(rig: &Rig, posed: &Posed, changed: Option<&ComparisonRig>) -> PoseFile {
    let wanted: Vec<_> = posed.world_from_node.iter().copied().map(Some).collect();
    let fitted = pose_for_world(&rig.hierarchy, rig.hierarchy.rest_locals(), &Pose::rest(&rig.hierarchy), &wanted);
    let (rig, pose) = match changed.and_then(|other| Some((&*other.own, other.refit.as_ref()?))) {
        Some((own, refit)) => (own, refit.map.pose([rig, own], &fitted.pose)),
        None => (rig, fitted.pose),
    };
    let all: Vec<NodeIndex> = rig.hierarchy.nodes().collect();
    PoseFile::of_joints(&rig.hierarchy, &pose, &all)
}
