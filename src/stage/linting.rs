//! The findings of the open character, and the jump to their places.

use std::sync::Arc;

use super::document::judged;
use super::{Derived, Document, Done, Stage};
use crate::analysis::lint::rules::{Inventory, Sheet};
use crate::analysis::lint::{Finding, Suppressed, Target};
use crate::import::{ImportWarning, Job};
use crate::jobs::Kind;
use crate::project::{Config, profiles};
use crate::rig::{Bounds, NodeIndex, PrimitiveIndex, Rig, VertexList};
use crate::skinning::RigSkinning;
use crate::view::{Mark, Side};

/// Findings of the open character.
#[derive(Clone, Debug, Default)]
pub struct Lint {
    /// Findings, gravest first; `None` while they are being looked for.
    pub findings: Option<Arc<[Finding]>>,
    /// Findings that the file suppresses, in the same order.
    pub suppressed: Arc<[Suppressed]>,
    /// Position in `findings` of the one whose place is shown.
    pub selected: Option<usize>,
    /// The character under each profile: those of its project, then those inside the program.
    pub sheets: Arc<[Sheet]>,
    /// True where the search ended without a result, and nobody has asked for it again.
    pub is_stopped: bool,
}

impl Lint {
    /// Findings so far.
    pub fn list(&self) -> &[Finding] {
        self.findings.as_deref().unwrap_or_default()
    }

    /// True while findings are being looked for, or are to be.
    pub fn is_awaited(&self) -> bool {
        self.findings.is_none() && !self.is_stopped
    }
}

/// What was found in a character.
#[derive(Clone, Debug, Default)]
pub struct LintResult {
    /// Findings, gravest first.
    pub findings: Vec<Finding>,
    /// Findings that the file suppresses, in the same order.
    pub suppressed: Vec<Suppressed>,
    /// The character under each profile.
    pub sheets: Vec<Sheet>,
}

impl From<Vec<Finding>> for LintResult {
    fn from(findings: Vec<Finding>) -> Self {
        Self { findings, ..Self::default() }
    }
}

/// A character that findings are to be looked for in.
#[derive(Clone, Debug)]
pub struct LintPlan {
    /// The character as its file has it.
    pub rig: Arc<Rig>,
    file_bytes: Option<u64>,
    warnings: Arc<[ImportWarning]>,
    settings: Result<Arc<Config>, String>,
}

impl Done {
    /// Findings of a character, found elsewhere; `None` where looking for them was stopped.
    pub fn findings(rig: Arc<Rig>, linted: Option<LintResult>) -> Self {
        let (warnings, settings) = (Arc::default(), Ok(Arc::default()));
        Self::new(LintPlan { rig, file_bytes: None, warnings, settings }, linted)
    }
}

impl Derived for LintPlan {
    type Value = LintResult;

    const JOB: Kind = Kind::new(
        "lint",
        "Looking for findings",
        "All else works. Look again in the Lint panel, or open another file.",
    );

    /// Input for a search for findings, unless it has been done.
    fn wanted(stage: &Stage) -> Option<Self> {
        let Document { rig, warnings, settings, .. } = &stage.document;
        stage.lint.is_awaited().then(|| Self {
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
        stage.take_findings(&self.rig, value);
    }

    /// Looks for findings, see [`Document::findings`].
    fn run(&self, job: &Job) -> Option<LintResult> {
        let progress = &*job.progress;
        let (judged, mut sheets) = judged((&self.rig, self.file_bytes), &self.warnings, &self.settings, progress)?;
        let inventory = Inventory::new(&self.rig, self.file_bytes);
        for profile in profiles() {
            progress.go_on()?;
            if !sheets.iter().any(|sheet| sheet.profile == profile.name) {
                sheets.push(profile.judge(&inventory, None));
            }
        }
        Some(LintResult { findings: judged.shown, suppressed: judged.suppressed, sheets })
    }
}

impl Stage {
    /// Takes findings, or that there are none to come, unless their character is no longer open.
    fn take_findings(&mut self, rig: &Arc<Rig>, linted: Option<LintResult>) {
        if !self.is_of_open(rig) {
            return;
        }
        self.lint.is_stopped = linted.is_none();
        if let Some(LintResult { findings, suppressed, sheets }) = linted {
            let (findings, suppressed) = (Some(findings.into()), suppressed.into());
            self.lint = Lint { findings, suppressed, sheets: sheets.into(), ..Lint::default() };
            self.view.marked.clear();
        }
    }

    /// Selects the joints of a finding, or marks its vertices, and looks at them; `None` selects nothing.
    pub fn select_finding(&mut self, index: Option<usize>) {
        self.select(None);
        let Some((index, finding)) = index.and_then(|i| Some((i, self.lint.list().get(i)?.clone()))) else {
            return;
        };
        self.lint.selected = Some(index);
        self.mark_place(&finding.target);
    }

    /// Looks at what a rule of a profile is about: selects its joints, or marks its vertices.
    pub fn show_place(&mut self, target: &Target) {
        self.select(None);
        self.mark_place(target);
    }

    fn mark_place(&mut self, target: &Target) {
        let rig = Arc::clone(&self.document.rig);
        let joints = match target {
            Target::Skin(source) => rig.skins.iter().find(|s| s.source == *source).map(|s| s.joints.clone()),
            _ => Some(target.nodes().iter().filter_map(|&n| rig.hierarchy.by_source(n)).collect()),
        };
        // The first is the active one.
        self.view.selected = joints.unwrap_or_default().into_iter().rev().collect();
        match target {
            Target::Clip { clip, .. } => {
                self.set_clip(Some(*clip));
                self.playback.is_playing = false;
                self.refresh();
            }
            Target::Primitive { mesh, primitive, vertices, .. } => {
                self.view.marked = marks(&rig, *mesh, *primitive, vertices);
            }
            _ => {}
        }
        self.frame_marked();
    }

    /// Shows the marked vertices, else the selected joints; a place that is nowhere leaves the camera alone.
    pub(super) fn frame_marked(&mut self) {
        let derived = &self.derived;
        let mut around = Bounds::default();
        let rig = self.open_on(Side::A);
        for mark in &self.view.marked {
            let skinning = RigSkinning { skinning: self.skinning(Side::A), centers: self.centers.of(rig) };
            let positions = mark.positions(rig, derived.current.skin_pose(), skinning);
            for position in positions {
                around.add(position);
            }
        }
        if around.is_empty() {
            let world = |joint: &NodeIndex| derived.current.posed.world_from_node.get(joint.index());
            self.view.selected.iter().filter_map(world).for_each(|w| around.add(w.translation));
        }
        if !around.is_empty() {
            // Room to see where on the body it is.
            let margin = glam::Vec3::splat(self.document.rig.size() * 0.05);
            (around.min, around.max) = (around.min - margin, around.max + margin);
            self.view.camera.frame(around, self.aspect);
        }
    }
}

/// The vertices in every instance of a primitive of the file.
fn marks(rig: &Rig, mesh: usize, primitive: usize, vertices: &VertexList) -> Vec<Mark> {
    let vertices: Arc<[u32]> = vertices.first().into();
    let instances = rig.instances.iter().enumerate().filter(|(_, i)| rig.meshes[i.mesh].source == mesh);
    let parts = instances.flat_map(|(instance, placed)| {
        let primitives = rig.meshes[placed.mesh].primitives.iter().enumerate();
        primitives
            .filter(|(_, p)| p.source == primitive)
            .map(move |(primitive, _)| PrimitiveIndex { instance, primitive })
    });
    let mark = |part| Mark { part, vertices: Arc::clone(&vertices) };
    parts.filter(|_| !vertices.is_empty()).map(mark).collect()
}
