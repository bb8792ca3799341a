//! Weights of each side. All weights except the file's own are computed in the background and cached.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::derived::{Derived, fault, notes_of};
use super::rig_cache::{ChoiceState, RigCache, RigChoice, RigSource};
use super::{Document, Notice, NoticeTopic, Source, Stage};
use crate::import::{ImportError, ImportWarning, Job};
use crate::jobs::JobKind;
use crate::project::apply_repairs;
use crate::rig::{Rig, WeightSet};
use crate::view::{Side, View};
use crate::weights::{Helper, WeightChoice, WeightRepairResult, WeightResult, compute, helpers, refine, transfer};

/// The open character with weights other than the file's.
#[derive(Clone, Debug)]
pub struct WeightedRig {
    /// A copy of the character with the same nodes, skins and geometry but different influences.
    pub rig: Arc<Rig>,
    /// Messages about the weights, such as settings that could not be applied.
    pub notes: Vec<String>,
    /// Message about manual edits that could not be applied to this file.
    pub lost_edits: Option<String>,
    /// Duration of the computation.
    pub took: Duration,
}

impl WeightedRig {
    pub(crate) fn notes_of_base(&self) -> Vec<String> {
        self.notes.iter().filter(|note| Some(*note) != self.lost_edits.as_ref()).cloned().collect()
    }
}

impl RigSource for WeightedRig {
    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

impl RigChoice for WeightChoice {
    type Character = WeightedRig;

    fn on(stage: &Stage, side: Side) -> &Self {
        &stage.view.sides[side].weights
    }

    fn show(self, stage: &mut Stage, side: Side) {
        stage.view.sides[side].show_weights(self);
    }

    fn is_own(stage: &Stage, side: Side) -> bool {
        stage.view.sides[side].weights.is_file() || !stage.view.sides[side].file.is_open()
    }

    fn cache(stage: &Stage) -> &RigCache<Self, WeightedRig> {
        &stage.weights
    }

    fn remove(&self, stage: &mut Stage) {
        stage.weights.forget(self);
    }
}

/// The character with the weights to which manual edits are applied, and messages about these weights.
type Base = (Arc<Rig>, Vec<String>);

/// Input for computing weights.
#[derive(Clone, Debug)]
pub struct WeightPlan {
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    warnings: Arc<[ImportWarning]>,
    /// Weights to compute.
    pub choice: WeightChoice,
    base: Option<Arc<WeightedRig>>,
}

impl Derived for WeightPlan {
    type Value = Result<WeightedRig, String>;

    const JOB: JobKind = JobKind::new(
        "weights",
        "Computing weights",
        "The file's weights are shown in their place; try other settings or another method.",
    );

    const TOPIC: Option<NoticeTopic> = Some(NoticeTopic::Weights);

    fn wanted(stage: &Stage) -> Option<Self> {
        let choice = WeightChoice::awaited(stage)?.clone();
        let Document { rig, warnings, .. } = &stage.document;
        let base = choice.edits().and_then(|_| stage.weights.shared(choice.base())).cloned();
        Some(Self { rig: Arc::clone(rig), warnings: Arc::clone(warnings), choice, base })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.choice == other.choice
    }

    fn died(&self) -> Option<Self::Value> {
        Some(Err(fault()))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        match value {
            Some(made) => stage.weights.keep(self.choice, made, &stage.view),
            None => self.choice.give_up(stage),
        }
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
    }

    fn notice(&self, made: &Self::Value, _: &Stage) -> Option<Notice> {
        match made {
            Ok(made) => made.lost_edits.clone().map(Notice::warning),
            Err(problem) => Some(Notice::error(format!("The weights were not computed: {problem}"))),
        }
    }

    fn notes(value: &Self::Value) -> &[String] {
        notes_of(value, |weighted| &weighted.notes)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        let (start, rig, progress) = (Instant::now(), &*self.rig, &*job.progress);
        let made = match &self.choice {
            WeightChoice::File => return None,
            WeightChoice::Edited { base, rows } => {
                let (rig, notes) = match self.weight_base(base, job)? {
                    Ok(base) => base,
                    Err(problem) => return Some(Err(problem)),
                };
                let made = rows.applied(&rig, progress)?;
                let lost_edits = (made.lost > 0).then(|| {
                    let (lost, all) = (made.lost, rows.len());
                    format!(
                        "Edits of {lost} of {all} vertices were not applied: the vertices or their joints are missing in this file."
                    )
                });
                let notes = lost_edits.iter().cloned().chain(notes).collect();
                let rig = Arc::new(rig.with_weights(&made.weights));
                return Some(Ok(WeightedRig { rig, notes, lost_edits, took: start.elapsed() }));
            }
            WeightChoice::Stored => {
                let note = "The file stores all weights sorted, and they sum to 1: nothing differs.".to_owned();
                let notes = (!rig.has_stored_weights()).then_some(note).into_iter().collect();
                WeightResult { weights: WeightSet::stored(rig), notes }
            }
            WeightChoice::Refined(refinement) => refine(rig, &WeightSet::unchanged(rig), refinement, progress)?,
            WeightChoice::Computed(recipe) => compute(rig, recipe, progress)?,
            WeightChoice::Repaired(repairs) => {
                let WeightRepairResult { weights, changes, mut notes } =
                    apply_repairs(rig, &self.warnings, repairs, progress)?;
                notes.extend(changes.iter().map(ToString::to_string));
                WeightResult { weights, notes }
            }
            WeightChoice::Transferred { from, refinement } => {
                let other = match Document::open(&Source::File(from.clone()), job) {
                    Ok(other) => other,
                    Err(ImportError::Cancelled) => return None,
                    Err(problem) => return Some(Err(problem.to_string())),
                };
                let WeightResult { weights, mut notes } = transfer(rig, &other.rig, progress)?;
                let refined = refine(rig, &weights, refinement, progress)?;
                notes.extend(refined.notes);
                WeightResult { weights: refined.weights, notes }
            }
        };
        let rig = Arc::new(rig.with_weights(&made.weights));
        Some(Ok(WeightedRig { rig, notes: made.notes, lost_edits: None, took: start.elapsed() }))
    }
}

impl WeightPlan {
    fn weight_base(&self, choice: &WeightChoice, job: &Job) -> Option<Result<Base, String>> {
        if choice.is_file() {
            return Some(Ok((Arc::clone(&self.rig), Vec::new())));
        }
        if let Some(known) = &self.base {
            return Some(Ok((Arc::clone(&known.rig), known.notes.clone())));
        }
        let made = Self { choice: choice.clone(), ..self.clone() }.run(job)?;
        Some(made.map(|made| (made.rig, made.notes)))
    }
}

impl Stage {
    /// Returns the open character with a side's weights, or with the file's weights until the side's are computed.
    pub fn open_on(&self, side: Side) -> &Arc<Rig> {
        self.weighted(side).map_or(self.rig(), |weighted| &weighted.rig)
    }

    /// Returns the open character with a side's weights; `None` if these are the file's weights or are not computed
    /// yet.
    pub fn weighted(&self, side: Side) -> Option<&WeightedRig> {
        if let ChoiceState::Shown(weighted) = WeightChoice::state(self, side) { Some(weighted) } else { None }
    }
}

impl RigCache<WeightChoice, WeightedRig> {
    /// Stores a result. Keeps displayed weights, and the unedited weights below displayed edits, so that further edits
    /// don't recompute them.
    pub(crate) fn keep(&mut self, choice: WeightChoice, outcome: Result<WeightedRig, String>, view: &View) {
        let shown = view.weight_choices();
        self.insert(choice, outcome, |choice| shown.iter().any(|own| own == choice || own.base() == choice));
    }
}

/// Joints that probably should have no weight, computed on demand.
#[derive(Clone, Default)]
pub(crate) struct HelperJoints(OnceLock<Vec<Helper>>);

impl HelperJoints {
    /// Returns the joints with reasons. `rig` must always be the same.
    #[cfg_attr(not(feature = "window"), expect(dead_code, reason = "only the window asks for this"))]
    pub(crate) fn get(&self, rig: &Rig) -> &[Helper] {
        self.0.get_or_init(|| helpers(rig))
    }
}
