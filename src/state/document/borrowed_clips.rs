//! Clips transferred from another file to the open character.

use std::sync::Arc;

use crate::posing::{ClipCorrection, has_rotations, shared_joints, without_rotations};
use crate::rig::ClipMoment;
use crate::stage::{ClipSource, Document, Source, Stage, TransferredClipRange};
use crate::state::{AfterLoad, History, Notice, OpenDocument, Request};
use crate::text::capitalized;

const MAX_NAMES: usize = 40;

/// Moves the pose's rotations into the correction of the current clip's file. The current frame looks the same as before.
pub(in crate::state) fn correct_clips(history: &mut History, stage: &mut Stage) {
    let Some((source, correction)) = clip_correction(stage).map(|(source, c)| (source.clone(), c)) else { return };
    let rig = Arc::clone(stage.rig());
    let Some(ClipMoment { clip, time_secs, .. }) = stage.playback.sample() else { return };
    history.cancel_edit(stage);
    history.as_step(stage, |stage| {
        let Document { pose, clip_corrections, .. } = &mut stage.document;
        let corrected = correction.and_pose(&rig.hierarchy, &rig.clips[clip], time_secs, pose);
        clip_corrections.set(&source, corrected);
        *pose = without_rotations(&rig.hierarchy, pose);
        stage.pose_changed();
    });
}

pub(in crate::state) fn remove_clip_correction(history: &mut History, stage: &mut Stage) {
    let Some(source) = clip_correction(stage).map(|(source, _)| source.clone()) else { return };
    history.as_step(stage, |stage| {
        stage.document.clip_corrections.set(&source, ClipCorrection::default());
        stage.pose_changed();
    });
}

impl OpenDocument {
    /// Adds the clips of another file to the open character and plays the first of them. `document` is the open file,
    /// reread together with these clips. Returns a notice.
    pub(in crate::state) fn show_with_clips(&mut self, document: Document) -> Option<Notice> {
        self.history.cancel_edit(&mut self.stage);
        *self = self.after_reload(document);
        self.stage.refresh();
        let newest = self.stage.document.clips_from.last().cloned()?;
        let notice = clips_notice(&newest, &self.stage.document.source);
        if let Ok(TransferredClipRange { first, count: 1.., .. }) = newest.found {
            self.stage.set_clip(Some(first));
        } else {
            // Removes the clip file, so that a reload does not read it.
            Arc::make_mut(&mut self.stage.document.clips_from).pop();
        }
        Some(notice)
    }
}

/// True if at least half of the open character's joints exist in the document, so that its clips can be used.
pub(in crate::state) fn is_akin(stage: &Stage, document: &Document) -> bool {
    let joints = stage.rig().joint_count();
    joints > 1 && 2 * shared_joints(&document.rig, stage.rig()) >= joints
}

/// Returns a request to reread the open file along with another file's clips, even if it already has them.
pub(in crate::state) fn use_clips(stage: &Stage, source: &Source) -> Request {
    let document = &stage.document;
    let known = document.clips_from.iter().map(|clips| clips.source.clone());
    let clips_from = known.filter(|known| known != source).chain([source.clone()]).collect();
    Request::Load { source: document.source.clone(), scene: document.scene, clips_from, then: AfterLoad::UseClips }
}

/// Returns the other file from which the current clip was transferred, and the correction of its clips; `None` for the
/// character's own clips.
pub fn clip_correction(stage: &Stage) -> Option<(&Source, ClipCorrection)> {
    let source = stage.document.origin_of_clip(stage.playback.clip?)?;
    Some((source, stage.document.clip_corrections.get(source)))
}

pub(in crate::state) fn correction_obstacle(stage: &Stage) -> Option<&'static str> {
    let Some((source, correction)) = clip_correction(stage) else { return Some("No clip of another file is shown") };
    let mut own = stage.document.clips_from.iter().filter(|from| from.source == *source);
    if !own.any(|from| from.found.as_ref().is_ok_and(|found| found.correction == correction)) {
        return Some("The clips are still being corrected");
    }
    (!has_rotations(&stage.rig().hierarchy, stage.pose())).then_some("The pose rotates no joint")
}

fn clips_notice(ClipSource { source, found }: &ClipSource, onto: &Source) -> Notice {
    let (name, onto) = (source.name(), onto.name());
    match found {
        Err(problem) => Notice::error(format!("{problem}\nThe clips of {name} are not used.")),
        Ok(TransferredClipRange { count: 0, unmatched, .. }) if unmatched.is_empty() => {
            Notice::error(format!("{name} has no clips."))
        }
        Ok(TransferredClipRange { count: 0, unmatched, .. }) => Notice::error(format!(
            "No clip of {name} moves a joint of {onto}: joints are found by name or humanoid bone, and none is called {}.",
            listed(unmatched, "or")
        )),
        Ok(TransferredClipRange { count, matched, unmatched, errors, .. }) => {
            let clips = if *count == 1 { "1 clip".to_owned() } else { format!("{count} clips") };
            let all = matched + unmatched.len();
            let text = format!(
                "{clips} of {name} {} on {onto} now: {matched} of {all} nodes that move were found by name or humanoid bone.\n{}.",
                if *count == 1 { "is" } else { "are" },
                capitalized(&errors.summary())
            );
            if unmatched.is_empty() {
                return Notice::done(text);
            }
            Notice::warning(format!("{text}\nNot found: {}.", listed(unmatched, "and")))
        }
    }
}

fn listed(names: &[String], last: &str) -> String {
    let shown = &names[..names.len().min(MAX_NAMES)];
    match (names.len() - shown.len(), shown) {
        (0, [all @ .., end]) if !all.is_empty() => format!("{} {last} {end}", all.join(", ")),
        (0, shown) => shown.join(", "),
        (more, shown) => format!("{} {last} {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use glam::Quat;

    use super::*;
    use crate::import::Job;
    use crate::rig::Trs;
    use crate::stage::{BuiltIn, Session};
    use crate::state::document::open::is_built_in;
    use crate::state::document::reload::reload_changed;
    use crate::state::{Action, AppState, Command, ConfirmAnswer, JobResult, NoticeKind, Settings};

    const FIGURE: Source = Source::BuiltIn(BuiltIn::Figure);

    fn with_clips_from(source: &Source) -> Document {
        Document::open_with_clips(&FIGURE, std::slice::from_ref(source), &Job::default()).unwrap()
    }

    fn figure() -> AppState {
        AppState::new(Document::open(&FIGURE, &Job::default()).unwrap(), Settings::default())
    }

    fn asked_for(request: Option<Request>) -> Vec<Source> {
        match request {
            Some(Request::Load { source: FIGURE, clips_from, then: AfterLoad::UseClips, .. }) => clips_from,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn clips_of_another_file_stand_behind_the_own_ones_and_the_first_plays() {
        let mut state = figure();
        let (own, pose) = (state.open.stage.rig().clips.len(), state.open.stage.pose().clone());
        assert_eq!(asked_for(Some(use_clips(&state.open.stage, &FIGURE))), [FIGURE]);
        state.receive(JobResult::Document(Box::new(with_clips_from(&FIGURE)), AfterLoad::UseClips));
        assert_eq!(state.open.stage.rig().clips.len(), 2 * own);
        assert_eq!(
            state.open.stage.rig().clips[own].name,
            format!("{} (figure)", state.open.stage.rig().clips[0].name)
        );
        assert_eq!((state.open.stage.playback.clip, state.open.stage.playback.is_playing), (Some(own), true));
        assert_eq!(*state.open.stage.pose(), pose);
        let told = state.notices.newest().unwrap();
        assert!(
            told.kind == NoticeKind::Done && told.text.contains("nodes that move were found by name or humanoid bone"),
            "{}",
            told.text
        );
        // Transferred clips are kept after a reload, and sessions store their file.
        let again = reload_changed(&state.open.stage);
        assert!(matches!(&again, Request::Load { clips_from, .. } if *clips_from == [FIGURE]), "{again:?}");
        assert_eq!(state.open.snapshot().session().clips_from, [FIGURE]);
    }

    #[test]
    fn clips_of_a_file_that_is_named_very_often_are_put_on_once_and_of_very_many_files_not_at_all() {
        let often = Document::open_with_clips(&FIGURE, &vec![FIGURE; 200_000], &Job::default()).unwrap();
        assert_eq!((often.clips_from.len(), often.rig.clips.len()), (1, 2 * figure().open.stage.rig().clips.len()));
        let many: Vec<Source> = (0..1001).map(|n| Source::File(format!("{n}.glb").into())).collect();
        let told = Document::open_with_clips(&FIGURE, &many, &Job::default()).unwrap_err().to_string();
        assert!(told.starts_with("Too many clip files: 1001; the limit is 1000."), "{told}");
    }

    #[test]
    fn clips_that_match_few_joints_raise_a_question() {
        let few = || {
            let mut document = with_clips_from(&FIGURE);
            Arc::make_mut(&mut document.clips_from)[0].found.as_mut().unwrap().is_half_matched = false;
            Box::new(document)
        };
        let mut state = figure();
        let own = state.open.stage.rig().clips.len();
        for (answer, clips) in [(ConfirmAnswer::Cancel, own), (ConfirmAnswer::UseClips, 2 * own)] {
            state.receive(JobResult::Document(few(), AfterLoad::UseClips));
            assert!(state.question.as_ref().and_then(|question| question.few_match()).is_some());
            assert_eq!(state.open.stage.rig().clips.len(), own);
            state.apply(Command::Answer(answer));
            assert_eq!((state.open.stage.rig().clips.len(), state.question.is_none()), (clips, true), "{answer:?}");
        }
    }

    #[test]
    fn file_without_usable_clips_changes_nothing_and_explains_why() {
        let mut broken = tempfile::Builder::new().suffix(".glb").tempfile().unwrap();
        broken.write_all(b"glTF").unwrap();
        let cases =
            [(Source::BuiltIn(BuiltIn::Tube), "joint"), (Source::File(broken.path().to_owned()), "are not used")];
        for (source, says) in cases {
            let mut state = figure();
            let own = state.open.stage.rig().clips.len();
            state.receive(JobResult::Document(Box::new(with_clips_from(&source)), AfterLoad::UseClips));
            let told = state.notices.newest().unwrap();
            assert!(told.kind == NoticeKind::Error && told.text.contains(says), "{}", told.text);
            assert_eq!((state.open.stage.rig().clips.len(), state.open.stage.document.clips_from.len()), (own, 0));
        }
    }

    #[test]
    fn a_dropped_file_that_could_be_meant_for_its_clips_is_asked_about() {
        let dropped = || Box::new(Document::open(&FIGURE, &Job::default()).unwrap());
        let mut state = figure();
        assert!(matches!(state.apply(Command::Drop(FIGURE)), Some(Request::Load { then: AfterLoad::Dropped, .. })));
        for (answer, loads) in
            [(ConfirmAnswer::Cancel, false), (ConfirmAnswer::Open, false), (ConfirmAnswer::UseClips, true)]
        {
            state.receive(JobResult::Document(dropped(), AfterLoad::Dropped));
            assert!(state.question.as_ref().is_some_and(|question| question.dropped().is_some()));
            let request = state.apply(Command::Answer(answer));
            assert_eq!((request.is_some(), state.question.is_some()), (loads, false), "{answer:?}");
        }
        let tube = Document::built_in(BuiltIn::Tube);
        state.receive(JobResult::Document(Box::new(tube), AfterLoad::Dropped));
        assert!(state.question.is_none() && is_built_in(&state.open.stage, BuiltIn::Tube), "there is nothing to ask");
    }

    fn turned(state: &AppState, name: &str) -> Quat {
        let rig = state.open.stage.rig();
        let node = rig.hierarchy.node_named(name).unwrap();
        state.open.stage.posed().world_from_node[node.index()].to_scale_rotation_translation().1
    }

    fn forearm_rolled(state: &mut AppState, angle: f32) {
        forearm_rolled_unrefreshed(state, angle);
        state.open.stage.refresh();
    }

    fn forearm_rolled_unrefreshed(state: &mut AppState, angle: f32) {
        let rig = Arc::clone(state.open.stage.rig());
        let node = rig.hierarchy.node_named(JOINT).unwrap();
        let user_local = Trs::from_rotation(Quat::from_rotation_x(angle));
        state.apply(Command::Edit { node, user_local });
    }

    const JOINT: &str = "LeftLowerArm";
    const HAND: &str = "LeftHand";

    /// Returns the figure with its own clips transferred to it again, at a frame of the first transferred clip.
    fn borrowing() -> AppState {
        let mut state = figure();
        state.receive(JobResult::Document(Box::new(with_clips_from(&FIGURE)), AfterLoad::UseClips));
        state.apply(Command::Seek(0.4));
        state.open.stage.refresh();
        state
    }

    #[test]
    fn a_pose_becomes_part_of_borrowed_clips_and_can_be_undone() {
        let mut state = borrowing();
        let own = state.open.stage.rig().clips.len() / 2;
        let before = turned(&state, HAND);
        assert_eq!(state.obstacle(Action::CorrectClips), Some("The pose rotates no joint"));
        forearm_rolled(&mut state, 0.7);
        let wanted = turned(&state, HAND);
        assert!(before.angle_between(wanted) > 0.5);
        state.apply(Command::Do(Action::CorrectClips));
        state.open.stage.refresh();
        assert!(!state.open.stage.pose().is_any_posed() && turned(&state, HAND).angle_between(wanted) < 2e-3);
        assert_eq!(state.open.history.undo_label(), Some("Correct clips"));
        assert!(state.open.saved.is_edited(&state.open.stage), "it would be lost with the character");
        // The open file's own clips are unchanged.
        state.apply(Command::SetClip(Some(0)));
        state.apply(Command::Seek(0.4));
        state.open.stage.refresh();
        assert!(turned(&state, HAND).angle_between(before) < 1e-3);
        assert_eq!(state.obstacle(Action::CorrectClips), Some("No clip of another file is shown"));
        state.apply(Command::SetClip(Some(own)));
        state.apply(Command::Seek(0.4));
        for (action, expected) in
            [(Action::Undo, wanted), (Action::Undo, before), (Action::Redo, wanted), (Action::Redo, wanted)]
        {
            state.apply(Command::Do(action));
            state.open.stage.refresh();
            assert!(turned(&state, HAND).angle_between(expected) < 2e-3, "{action:?}");
        }
        state.apply(Command::Do(Action::RemoveClipCorrection));
        state.open.stage.refresh();
        assert!(turned(&state, HAND).angle_between(before) < 1e-3);
        assert_eq!(state.open.history.undo_label(), Some("Remove clip correction"));
        let found = |state: &AppState| state.open.stage.document.clips_from[0].found.clone().unwrap();
        assert!(found(&state).uncorrected.is_none() && found(&state).correction.is_empty());
    }

    #[test]
    fn clips_that_wait_for_a_correction_are_not_corrected_again() {
        let mut state = borrowing();
        forearm_rolled(&mut state, 0.7);
        state.apply(Command::Do(Action::CorrectClips));
        // Small clips are corrected at the next refresh, large ones when a job ends.
        forearm_rolled_unrefreshed(&mut state, 0.3);
        assert_eq!(state.obstacle(Action::CorrectClips), Some("The clips are still being corrected"));
        state.open.stage.refresh();
        assert_eq!(state.obstacle(Action::CorrectClips), None);
    }

    #[test]
    fn a_correction_survives_a_reload_more_clips_and_a_session() {
        let mut state = borrowing();
        forearm_rolled(&mut state, 0.7);
        let wanted = turned(&state, HAND);
        state.apply(Command::Do(Action::CorrectClips));
        let seek = |state: &mut AppState| {
            let own = state.open.stage.rig().clips.len() - 3;
            state.apply(Command::SetClip(Some(own)));
            state.apply(Command::Seek(0.4));
            state.open.stage.refresh();
        };
        state.receive(JobResult::Document(Box::new(with_clips_from(&FIGURE)), AfterLoad::Reload { is_asked: true }));
        seek(&mut state);
        assert!(turned(&state, HAND).angle_between(wanted) < 2e-3, "read again");
        state.receive(JobResult::Document(Box::new(with_clips_from(&FIGURE)), AfterLoad::UseClips));
        seek(&mut state);
        assert!(turned(&state, HAND).angle_between(wanted) < 2e-3, "clips were taken again");
        let session = Session::parse(state.open.snapshot().session().to_json().as_bytes()).unwrap();
        let mut other = figure();
        other.receive(JobResult::Document(Box::new(with_clips_from(&FIGURE)), AfterLoad::Restore(Box::new(session))));
        seek(&mut other);
        assert!(turned(&other, HAND).angle_between(wanted) < 2e-3, "a session was restored");
        let mut stage = Stage::new(with_clips_from(&FIGURE));
        let again = other.open.snapshot().session();
        again.restore(&mut stage);
        stage.compute_pending(&Job::default());
        assert!(!stage.document.clips_from[0].found.as_ref().unwrap().correction.is_empty());
    }
}
