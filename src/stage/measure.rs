use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::lint_status::repairs;
use super::{LintStatus, Stage};
use crate::actor::{Counterparts, SharedPose, ShownActor, ShownTrails};
use crate::analysis::lint::Finding;
use crate::analysis::sides::{MeasureError, MeasureJob, MeasureScope, MeasuredSide, SideComparison, SideMeasurer};
use crate::jobs::Progress;
use crate::matching::{VertexMatchError, VertexPairs};
use crate::rig::{MorphIndex, NodeIndex, Rig};
use crate::skinning::{Normals, RecomputedNormals, SkinnedRig, Skinner, UnsupportedSkinning};
use crate::view::{Overlay, OverlayInput, OverlayValues, PerSide, Side, View};
use crate::weights::Repair;

/// Input of a measurement; cheap to clone and compare.
#[derive(Clone, Debug)]
pub struct MeasurePlan {
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    /// Both sides with their current settings.
    pub sides: PerSide<PlannedSide>,
    active: PerSide<Option<NodeIndex>>,
    morph: PerSide<Option<MorphIndex>>,
    findings: Arc<[Finding]>,
    repaired: PerSide<Vec<Repair>>,
    versions: Option<Result<Arc<VertexPairs>, VertexMatchError>>,
    counterparts: PerSide<Option<Arc<Counterparts>>>,
    scope: MeasureScope,
}

/// Measurement input of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedSide {
    /// The character with its current weights and skinning.
    pub skinned: SkinnedRig,
    pose: SharedPose,
    overlay: Option<Overlay>,
    range: Option<[f32; 2]>,
}

impl MeasurePlan {
    /// Returns the findings for [`Overlay::Findings`] on a side, except those that its weights repair.
    fn findings_on(&self, side: Side) -> Arc<[Finding]> {
        if self.repaired[side].is_empty() {
            return Arc::clone(&self.findings);
        }
        let status = LintStatus::new(&self.findings, self.repaired.each_ref().map(Vec::as_slice));
        self.findings.iter().filter(|finding| !status.is_repaired_on(side, finding)).cloned().collect()
    }

    /// Limits the plan to the values that the image needs and omits statistics; `None` if the image needs no values.
    pub fn of_picture(mut self, view: &View) -> Option<Self> {
        let is_wanted = |side: Side| {
            let PlannedSide { overlay, skinned, .. } = &self.sides[side];
            view.compare.shows(side) && (overlay.is_some() || skinned.skinning.normals == Normals::Recomputed)
        };
        self.scope = MeasureScope { numbers: false, overlay_values: PerSide::from_fn(is_wanted) };
        (self.scope.overlay_values.a || self.scope.overlay_values.b).then_some(self)
    }

    /// Creates the measurement job. `skinners` contains a skinner for each side's rig.
    pub fn job(&self, skinners: PerSide<Arc<Skinner>>, version: u64) -> MeasureJob {
        let PerSide { a, b } = skinners;
        let side = |skinner, side: Side| {
            let PlannedSide { pose, overlay, range, .. } = self.sides[side].clone();
            MeasuredSide { skinner, pose, overlay, range }
        };
        let sides = PerSide { a: side(a, Side::A), b: side(b, Side::B) };
        MeasureJob {
            sides,
            active: self.active,
            morph: self.morph,
            findings: PerSide::from_fn(|side| self.findings_on(side)),
            versions: self.versions.clone(),
            counterparts: self.counterparts.clone(),
            scope: self.scope,
            version,
        }
    }
}

impl PartialEq for MeasurePlan {
    fn eq(&self, other: &Self) -> bool {
        let paints = |file| self.sides.iter().any(|side| side.overlay.is_some_and(|o| o.spec().topic == file));
        Arc::ptr_eq(&self.rig, &other.rig)
            && self.scope == other.scope
            && self.sides == other.sides
            && (self.active == other.active || !paints(OverlayInput::ActiveJoint))
            && (self.morph == other.morph || !paints(OverlayInput::MorphTarget))
            && (Arc::ptr_eq(&self.findings, &other.findings) && self.repaired == other.repaired
                || !paints(OverlayInput::Findings))
    }
}

impl MeasurePlan {
    /// Plans a full measurement of the current state.
    pub fn new(stage: &Stage) -> Self {
        let side = |side: Side| PlannedSide {
            skinned: stage.skinned(side),
            pose: stage.actor(side).pose.clone(),
            overlay: stage.view.overlay(side),
            range: stage.view.range(side),
        };
        Self {
            rig: Arc::clone(stage.rig()),
            sides: PerSide::from_fn(side),
            active: PerSide::from_fn(|side| stage.actor(side).node(stage.view.active_joint()?)),
            morph: PerSide::from_fn(|side| stage.actor(side).morph(stage.view.active_morph(stage.rig())?)),
            findings: stage.lint.findings.clone().unwrap_or_default(),
            repaired: PerSide::from_fn(|side| repairs(stage, side).to_vec()),
            versions: stage.characters.matched_versions(),
            counterparts: PerSide::from_fn(|side| stage.actor(side).counterparts.clone()),
            scope: MeasureScope::ALL,
        }
    }
}

/// The last measurement of both sides, possibly outdated.
#[derive(Clone, Debug, Default)]
pub struct LastMeasurement(Option<(MeasurePlan, Result<SideComparison, MeasureError>)>);

impl LastMeasurement {
    /// True if it used this plan and succeeded.
    pub fn is_for(&self, plan: &MeasurePlan) -> bool {
        self.0.as_ref().is_some_and(|(measured, result)| measured == plan && result.is_ok())
    }

    /// Returns the result, or why measuring failed; `None` before the first measurement.
    pub fn result(&self) -> Option<&Result<SideComparison, MeasureError>> {
        self.0.as_ref().map(|(_, result)| result)
    }

    /// Returns a side's recomputed normals, possibly of the previous pose. `None` before the first measurement, or if
    /// the side doesn't use them.
    pub fn normals(&self, view: &View, side: Side) -> Option<&RecomputedNormals> {
        let measured = self.result()?.as_ref().ok()?;
        measured.normals[side].as_ref().filter(|_| view.sides[side].skinning.normals == Normals::Recomputed)
    }

    /// Returns the overlay values of a side.
    pub fn painted(&self, view: &View, side: Side) -> Option<&OverlayValues> {
        self.as_painted(view, side)?.overlays[side].as_ref()
    }

    /// Returns the minimum and maximum overlay value of a side; `None` if the overlay has no numbers.
    pub fn extremes(&self, view: &View, side: Side) -> Option<[f32; 2]> {
        self.as_painted(view, side)?.extremes[side]
    }

    fn as_painted(&self, view: &View, side: Side) -> Option<&SideComparison> {
        let (plan, measured) = self.0.as_ref()?;
        let is_wanted = plan.sides[side].overlay == view.overlay(side);
        measured.as_ref().ok().filter(|_| is_wanted)
    }
}

impl Stage {
    /// Stores a measurement, unless its character was closed.
    pub fn take_measured(&mut self, plan: MeasurePlan, result: Result<SideComparison, MeasureError>) {
        if self.belongs_to_open(&plan.rig) {
            self.measured = LastMeasurement(Some((plan, result)));
        }
    }

    /// Returns the data for rendering a side.
    pub fn shown(&self, side: Side) -> ShownActor<'_> {
        ShownActor {
            actor: self.actor(side),
            skinning: self.skinning_on(side),
            normals: self.measured.normals(&self.view, side),
            painted: self.measured.painted(&self.view, side),
            trails: self.trails.get(side).map(|trails| ShownTrails {
                trails,
                time_secs: self.playback.time_secs,
                side,
            }),
            centers: self.centers(side).filter(|_| self.view.sides[side].skinning.method.needs_centers()),
        }
    }
}

/// Number of measurements since the program started. Serves as the version of the overlays: the renderer uploads them
/// again when it changes.
static MEASURED: AtomicU64 = AtomicU64::new(1);

/// Runs measurements, reusing topology, rest surfaces and skinners.
#[derive(Default)]
pub struct MeasureBench {
    measurer: SideMeasurer,
    skinners: PerSide<Option<(SkinnedRig, Arc<Skinner>)>>,
}

impl MeasureBench {
    /// Measures both sides; `None` if cancelled. *Errors*: a side is too large, or its method does not support the rig.
    pub fn measure(&mut self, plan: &MeasurePlan, progress: &Progress) -> Option<Result<SideComparison, MeasureError>> {
        if let Err(problem) = plan.sides.iter().try_for_each(|side| MeasureError::check(&side.skinned.rig)) {
            return Some(Err(problem));
        }
        let skinners = match PerSide::try_from_fn(|side| self.skinner(plan, side)) {
            Ok(skinners) => skinners,
            Err(problem) => return Some(Err(problem.into())),
        };
        let version = MEASURED.fetch_add(1, Ordering::Relaxed);
        self.measurer.measure(&plan.job(skinners, version), progress).map(Ok)
    }

    fn skinner(&mut self, plan: &MeasurePlan, side: Side) -> Result<Arc<Skinner>, UnsupportedSkinning> {
        let (skinned, known) = (&plan.sides[side].skinned, &mut self.skinners[side]);
        if let Some((_, skinner)) = known.as_ref().filter(|(of, _)| of == skinned) {
            return Ok(Arc::clone(skinner));
        }
        let skinner = Arc::new(skinned.skinner()?);
        *known = Some((skinned.clone(), Arc::clone(&skinner)));
        Ok(skinner)
    }
}
