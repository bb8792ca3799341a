//! Clips ranked by their worst frame, measured in the background on request.

use std::sync::Arc;

use super::derived::CurrentRequest;
use super::motion::MotionPlan;
use super::{Derived, Notice, OnRequest, Stage};
use crate::analysis::motion::{Motions, WorstFrame};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::view::Side;

/// Input for ranking all clips: the pose and the sides at the time of the request.
#[derive(Clone, Debug)]
pub struct ClipRankingPlan(MotionPlan);

/// Worst frames of all clips.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipRanking {
    /// Clips with their worst frames: largest loss on side A first, clips without a reliable loss last.
    pub clips: Vec<RankedClip>,
}

/// A clip with its worst frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedClip {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Frame with the largest volume loss of any joint's region on side A, and its time in seconds; `None` if no loss
    /// is reliable.
    pub worst: Option<(WorstFrame, f32)>,
}

impl ClipRanking {
    fn new(motions: &Motions) -> Self {
        let ranked = |(at, worst): (usize, Option<WorstFrame>)| {
            let motion = &motions.clips[at];
            RankedClip { clip: motion.clip, worst: worst.map(|worst| (worst, motion.times_secs[worst.frame])) }
        };
        Self { clips: motions.ranking().into_iter().map(ranked).collect() }
    }

    /// Returns the entry of a clip.
    pub fn get(&self, clip: usize) -> Option<&RankedClip> {
        self.clips.iter().find(|ranked| ranked.clip == clip)
    }
}

impl Derived for ClipRankingPlan {
    type Value = Result<Arc<ClipRanking>, String>;

    const JOB: JobKind = JobKind::new(
        "clip ranking",
        "Ranking the clips",
        "Everything else works; measure one clip in the tracks, or run rigscope motion on the command line.",
    );

    fn requests(stage: &Stage) -> Option<&OnRequest<Self>> {
        Some(&stage.clip_ranking)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.0.rig)
    }

    fn is(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        Some(self.0.run(&job.progress)?.map(|(_, motions)| Arc::new(ClipRanking::new(&motions))))
    }

    fn notice(&self, ranking: &Self::Value, stage: &Stage) -> Option<Notice> {
        let RankedClip { clip, worst } = ranking.as_ref().ok()?.clips.first()?;
        let text = match (worst, stage.rig().clips.get(*clip)) {
            (Some((worst, time_secs)), Some(clip)) => {
                let actor = stage.actor(Side::A);
                let (joint, loss) = (actor.rig.hierarchy.name(worst.joint), worst.loss.a * 100.0);
                format!("Worst clip: {}. {joint} loses {loss:.1} % at {time_secs:.2} s.", clip.title())
            }
            _ => "No clip has a loss that is certain.".to_owned(),
        };
        Some(Notice::done(text))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.clip_ranking.take(self, value);
    }
}

impl CurrentRequest for ClipRankingPlan {
    fn current(stage: &Stage) -> Option<Self> {
        Some(Self(MotionPlan::new(stage, (0..stage.rig().clips.len()).collect())))
    }
}
