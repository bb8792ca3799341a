//! Applies manual corrections to clips transferred from other files, in the background.

use std::sync::Arc;

use super::derived::Derived;
use super::{Source, Stage, TransferredClipRange};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::posing::ClipCorrection;
use crate::rig::{Clip, Rig};

/// Input for correcting another file's clips.
#[derive(Clone, Debug)]
pub struct CorrectionPlan {
    rig: Arc<Rig>,
    source: Source,
    /// Index of the file's first clip in `Rig::clips`, and number of clips from the file.
    clips: [usize; 2],
    /// The uncorrected clips, if the rig's clips are already corrected.
    uncorrected: Option<Arc<[Clip]>>,
    correction: ClipCorrection,
}

/// A rig with corrected clips.
pub struct CorrectedClips {
    rig: Arc<Rig>,
    uncorrected: Arc<[Clip]>,
}

/// Rigs with no more vertices and clip values than this are corrected immediately, within the frame. Copying that many
/// takes 2 to 5 ms.
const MAX_AT_ONCE: [usize; 2] = [100_000, 2_000_000];

impl CorrectionPlan {
    /// Corrects the clips of small rigs immediately, so that no frame shows them uncorrected.
    pub(super) fn correct_small(stage: &mut Stage) {
        let [vertices, numbers] = MAX_AT_ONCE;
        let is_small = |rig: &Rig| {
            let channels = rig.clips.iter().flat_map(|clip| &clip.channels);
            rig.vertex_count() <= vertices && channels.map(|channel| channel.values.len()).sum::<usize>() <= numbers
        };
        while let Some(plan) = Self::wanted(stage).filter(|plan| is_small(&plan.rig)) {
            let corrected = plan.run(&Job::default());
            plan.take(corrected, stage);
        }
    }
}

impl Derived for CorrectionPlan {
    type Value = CorrectedClips;

    const JOB: JobKind = JobKind::new("corrections", "Correcting clips", "The clips stay as they are.");

    fn wanted(stage: &Stage) -> Option<Self> {
        let document = &stage.document;
        document.clips_from.iter().find_map(|from| {
            let found = from.found.as_ref().ok().filter(|found| found.count > 0)?;
            let correction = document.clip_corrections.get(&from.source);
            (found.correction != correction).then(|| Self {
                rig: Arc::clone(&document.rig),
                source: from.source.clone(),
                clips: [found.first, found.count],
                uncorrected: found.uncorrected.clone(),
                correction,
            })
        })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && (&self.source, &self.correction) == (&other.source, &other.correction)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        let [first, count] = self.clips;
        let uncorrected = self
            .uncorrected
            .clone()
            .unwrap_or_else(|| self.rig.clips.iter().skip(first).take(count).cloned().collect());
        let mut clips = Vec::with_capacity(count);
        for clip in &*uncorrected {
            job.progress.check_cancelled()?;
            clips.push(self.correction.corrected(&self.rig.hierarchy, clip));
        }
        let rig = Arc::new(Rig::clone(&self.rig).with_clips_replaced(first, clips));
        Some(CorrectedClips { rig, uncorrected })
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        let document = &mut stage.document;
        let from = Arc::make_mut(&mut document.clips_from).iter_mut().find(|from| from.source == self.source);
        let Some(TransferredClipRange { correction, uncorrected, .. }) = from.and_then(|from| from.found.as_mut().ok())
        else {
            return;
        };
        let Some(corrected) = value else {
            // The job was stopped, so the clips keep their previous correction.
            return document.clip_corrections.set(&self.source, correction.clone());
        };
        *uncorrected = (!self.correction.is_empty()).then_some(corrected.uncorrected);
        *correction = self.correction;
        stage.replace_clips(corrected.rig);
    }
}
