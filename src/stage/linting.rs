use std::sync::Arc;

use super::document::judged;
use super::{Derived, DerivedKind, DerivedRequests, DerivedResult, Document, Stage, WeightProblemPlan};
use crate::analysis::lint::rules::{Inventory, ProfileReport};
use crate::analysis::lint::{Finding, SuppressedFinding, Target};
use crate::import::{ImportWarning, Job};
use crate::jobs::JobKind;
use crate::project::{Config, profiles};
use crate::rig::{Bounds, NodeIndex, PrimitiveIndex, Rig, VertexList};
use crate::skinning::RigSkinning;
use crate::view::{SelectedProblem, Side, VertexSet};

/// Findings of the open character.
#[derive(Clone, Debug, Default)]
pub struct Lint {
    /// Findings, worst first; `None` until the lint job ends.
    pub findings: Option<Arc<[Finding]>>,
    /// Findings that the file suppresses, worst first.
    pub suppressed: Arc<[SuppressedFinding]>,
    /// Results for each profile: the project's profiles, then the built-in ones.
    pub sheets: Arc<[ProfileReport]>,
}

impl Lint {
    /// Returns the findings so far.
    pub fn list(&self) -> &[Finding] {
        self.findings.as_deref().unwrap_or_default()
    }

    /// True if the findings are not known yet and the lint job was not stopped.
    pub fn is_awaited(&self, requests: &DerivedRequests) -> bool {
        self.findings.is_none() && requests.has::<LintPlan>()
    }
}

/// Lint results of a character.
#[derive(Clone, Debug, Default)]
pub struct LintResult {
    /// Findings, worst first.
    pub findings: Vec<Finding>,
    /// Findings that the file suppresses, worst first.
    pub suppressed: Vec<SuppressedFinding>,
    /// Results for each profile.
    pub sheets: Vec<ProfileReport>,
}

impl From<Vec<Finding>> for LintResult {
    fn from(findings: Vec<Finding>) -> Self {
        Self { findings, ..Self::default() }
    }
}

/// Input for linting a character.
#[derive(Clone, Debug)]
pub struct LintPlan {
    /// The character as read from its file.
    pub rig: Arc<Rig>,
    file_bytes: Option<u64>,
    warnings: Arc<[ImportWarning]>,
    settings: Result<Arc<Config>, String>,
}

impl DerivedResult {
    /// Creates a lint result from findings computed elsewhere. `linted` is `None` if the job was stopped.
    pub fn findings(rig: Arc<Rig>, linted: Option<LintResult>) -> Self {
        let (warnings, settings) = (Arc::default(), Ok(Arc::default()));
        Self::new(LintPlan { rig, file_bytes: None, warnings, settings }, linted)
    }
}

impl Derived for LintPlan {
    type Value = LintResult;

    const JOB: JobKind = JobKind::new(
        "lint",
        "Looking for findings",
        "All else works. Look again in the Lint panel, or open another file.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let Document { rig, warnings, settings, .. } = &stage.document;
        stage.lint.is_awaited(&stage.requests).then(|| Self {
            rig: Arc::clone(rig),
            file_bytes: stage.document.file_bytes(),
            warnings: Arc::clone(warnings),
            settings: settings.clone(),
        })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
    }

    fn take(self, value: Option<LintResult>, stage: &mut Stage) {
        stage.requests.set(DerivedKind::new::<Self>(), value.is_some());
        if let Some(LintResult { findings, suppressed, sheets }) = value {
            let (findings, suppressed) = (Some(findings.into()), suppressed.into());
            stage.lint = Lint { findings, suppressed, sheets: sheets.into() };
            stage.view.marked.clear();
            if matches!(stage.view.problem, Some(SelectedProblem::Finding(_))) {
                stage.view.problem = None;
            }
        }
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.belongs_to_open(&self.rig)
    }

    fn run(&self, job: &Job) -> Option<LintResult> {
        let progress = &*job.progress;
        let (judged, mut sheets) = judged((&self.rig, self.file_bytes), &self.warnings, &self.settings, progress)?;
        let inventory = Inventory::new(&self.rig, self.file_bytes);
        for profile in profiles() {
            progress.check_cancelled()?;
            if !sheets.iter().any(|sheet| sheet.profile == profile.name) {
                sheets.push(profile.check_rig(&inventory, None));
            }
        }
        Some(LintResult { findings: judged.shown, suppressed: judged.suppressed, sheets })
    }
}

impl Stage {
    /// Selects the joints of a problem or marks its vertices, and frames them. `None` only clears the selection. The
    /// pose of the problem must be shown.
    pub fn select_problem(&mut self, problem: Option<SelectedProblem>) {
        self.view.select(None, &self.document.rig.hierarchy);
        match problem {
            None => return,
            Some(SelectedProblem::Finding(index)) => {
                let Some(finding) = self.lint.list().get(index).cloned() else { return };
                self.show_place(&finding.target);
            }
            Some(SelectedProblem::Weights(side, index)) => {
                let problems = self.side_value::<WeightProblemPlan>(side).cloned();
                if let Some(found) = problems.as_ref().and_then(|found| found.list.get(index)) {
                    self.show_weight_problem(found);
                }
            }
            Some(SelectedProblem::BendPose(index)) => {
                let Some((_, test)) = self.bend_test.ok() else { return };
                let Some(result) = test.report.poses.get(index).cloned() else { return };
                self.frame_bend(&result);
            }
        }
        self.view.problem = problem;
    }

    /// Selects the joints or marks the vertices that a finding or a profile rule refers to, and frames them.
    pub fn show_place(&mut self, target: &Target) {
        let rig = Arc::clone(&self.document.rig);
        let joints = match target {
            Target::Skin(source) => rig.skins.iter().find(|s| s.source == *source).map(|s| s.joints.clone()),
            _ => Some(target.nodes().iter().filter_map(|&n| rig.hierarchy.by_source(n)).collect()),
        };
        let marked = match target {
            Target::Primitive { mesh, primitive, vertices, .. } => marks(&rig, *mesh, *primitive, vertices),
            _ => Vec::new(),
        };
        if let Target::Clip { clip, .. } = target {
            self.set_clip(Some(*clip));
            self.playback.is_playing = false;
        }
        // The first joint becomes the active one.
        self.mark(joints.unwrap_or_default().into_iter().rev().collect(), marked);
    }

    /// Selects joints, marks vertices, and frames the vertices or, if there are none, the joints. If there are neither,
    /// keeps the camera.
    pub(super) fn mark(&mut self, joints: Vec<NodeIndex>, vertices: Vec<VertexSet>) {
        (self.view.selected, self.view.marked, self.view.problem) = (joints, vertices, None);
        self.refresh();
        let mut around = Bounds::default();
        let (rig, posed) = (self.open_on(Side::A), self.characters.pose());
        let skinning = RigSkinning { skinning: &self.view.sides.a.skinning, centers: self.centers.get(rig) };
        for position in self.view.marked.iter().flat_map(|mark| mark.positions(rig, posed.skin_pose(), skinning)) {
            around.add(position);
        }
        if around.is_empty() {
            let world = |joint: &NodeIndex| posed.posed.world_from_node.get(joint.index());
            self.view.selected.iter().filter_map(world).for_each(|w| around.add(w.translation));
        }
        if !around.is_empty() {
            // The margin shows some of the body around the vertices.
            let margin = glam::Vec3::splat(self.document.rig.size() * 0.05);
            (around.min, around.max) = (around.min - margin, around.max + margin);
            self.view.camera.frame(around, self.aspect);
        }
    }

    /// Selects a joint, marks a vertex, and frames the joint or, without one, everything.
    pub(super) fn mark_vertex(&mut self, joint: Option<NodeIndex>, vertex: Option<(PrimitiveIndex, u32)>) {
        self.view.select(joint, &self.document.rig.hierarchy);
        self.refresh();
        let mark = vertex.map(|(part, vertex)| VertexSet { part, vertices: [vertex].into() });
        self.view.marked = mark.into_iter().collect();
        self.frame_selected();
    }
}

fn marks(rig: &Rig, mesh: usize, primitive: usize, vertices: &VertexList) -> Vec<VertexSet> {
    let vertices: Arc<[u32]> = vertices.first().into();
    let instances = rig.instances.iter().enumerate().filter(|(_, i)| rig.meshes[i.mesh].source == mesh);
    let parts = instances.flat_map(|(instance, placed)| {
        let primitives = rig.meshes[placed.mesh].primitives.iter().enumerate();
        primitives
            .filter(|(_, p)| p.source == primitive)
            .map(move |(primitive, _)| PrimitiveIndex { instance, primitive })
    });
    let mark = |part| VertexSet { part, vertices: Arc::clone(&vertices) };
    parts.filter(|_| !vertices.is_empty()).map(mark).collect()
}
