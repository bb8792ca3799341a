use std::path::PathBuf;
use std::sync::Arc;

use crate::export::FfmpegFormat;
use crate::import::Job;
use crate::rig::{Clip, Rig};
use crate::stage::{BuiltIn, Document, VideoFormat, VideoPlan};
use crate::state::{
    Action, AppState, Command, DiskJob, JobResult, PathCommand, PathUse, Request, Settings, WindowRequest,
};
use crate::view::{Layout, Side};
use crate::weights::{Recipe, WeightChoice, Weighting};

#[test]
fn a_video_is_planned_then_asks_for_a_place_and_is_what_was_shown_then() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    assert_eq!(state.apply(Command::Do(Action::SaveVideo)), Some(Request::Disk(DiskJob::FindFfmpeg)));
    let plan = state.video.plan.unwrap();
    assert_eq!(
        (plan.turns, plan.motion(&state.open.stage).count()),
        (!plan.plays_clip, if plan.turns { 180 } else { plan.motion(&state.open.stage).count() })
    );
    let wanted =
        VideoPlan { plays_clip: false, turns: true, turn_secs: 2.0, rate: 25.0, height: 480, ..VideoPlan::default() };
    state.apply(Command::PlanVideo(Some(wanted)));
    state.apply(Command::SetLayout(Layout::SideBySide));
    assert!(
        matches!(state.apply(Command::ChooseVideoPath), Some(Request::Window(WindowRequest::PickPath(q))) if q.purpose == PathUse::SaveVideo(VideoFormat::Animated))
    );
    let path = PathBuf::from("/tmp/video.png");
    let request =
        state.apply(Command::Path(PathCommand::Answered(PathUse::SaveVideo(VideoFormat::Animated), path.clone())));
    assert_eq!(request, Some(Request::SaveVideo(wanted, path)));
    assert_eq!((state.video.plan, wanted.motion(&state.open.stage).count()), (None, 50));
    let copy = state.open.stage.still();
    assert_eq!((&copy.view, copy.pose()), (&state.open.stage.view, state.open.stage.pose()));
    assert_eq!(copy.posed().world_from_node, state.open.stage.posed().world_from_node);
}

#[test]
fn a_format_is_possible_where_ffmpeg_is_and_a_name_is_suggested_for_it() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    let video = VideoFormat::Video;
    let obstacle = |state: &AppState, format| state.video.obstacle(format, &state.settings);
    let impossible = |state: &AppState| VideoFormat::ALL.into_iter().filter(|f| obstacle(state, *f).is_some()).count();
    assert_eq!(impossible(&state), 3, "nothing is known of ffmpeg");
    state.receive(JobResult::FfmpegSought { is_found: false });
    assert!(obstacle(&state, video(FfmpegFormat::Gif)).unwrap().contains("ffmpeg"));
    state.receive(JobResult::FfmpegSought { is_found: true });
    assert_eq!(impossible(&state), 0);
    state.settings.transparent_images = true;
    assert!(obstacle(&state, video(FfmpegFormat::Mp4)).is_some_and(|why| why.contains("transparency")));
    assert_eq!(impossible(&state), 1);
    for (format, name) in
        [(video(FfmpegFormat::WebM), "tube.turntable.webm"), (VideoFormat::Numbered, "tube.turntable.%04d.png")]
    {
        state.apply(Command::PlanVideo(Some(VideoPlan {
            plays_clip: false,
            turns: true,
            format,
            ..VideoPlan::default()
        })));
        let Some(Request::Window(WindowRequest::PickPath(asked))) = state.apply(Command::ChooseVideoPath) else {
            panic!("no place is asked for")
        };
        assert_eq!((asked.purpose, asked.name.as_str()), (PathUse::SaveVideo(format), name));
    }
}

#[test]
fn the_dialog_begins_with_the_last_size_and_format_or_mp4() {
    let mp4 = VideoFormat::Video(FfmpegFormat::Mp4);
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    let ask = |state: &mut AppState, is_found| {
        state.apply(Command::Do(Action::SaveVideo));
        state.receive(JobResult::FfmpegSought { is_found });
        state.video.plan.unwrap()
    };
    assert_eq!(ask(&mut state, false).format, VideoFormat::Animated);
    let plan = ask(&mut state, true);
    assert_eq!((plan.format, plan.height), (mp4, 720));
    state.apply(Command::PlanVideo(Some(VideoPlan { height: 1080, ..plan })));
    state.apply(Command::PlanVideo(None));
    assert_eq!(state.settings.video.format, None, "only the size was chosen");
    let plan = ask(&mut state, false);
    assert_eq!((plan.format, plan.height), (VideoFormat::Animated, 1080));
    state.apply(Command::PlanVideo(Some(VideoPlan { format: VideoFormat::Numbered, ..plan })));
    state.apply(Command::PlanVideo(None));
    assert_eq!(ask(&mut state, true).format, VideoFormat::Numbered);
    let json = serde_json::to_string(&state.settings).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&json).unwrap().video, state.settings.video, "also for the next run");
}

#[test]
fn names_of_videos_and_images_name_file_and_clip() {
    let tube = Document::built_in(BuiltIn::Tube);
    let mut parts = (**tube.rig).clone();
    parts.clips = vec![Clip { name: "Walk|in 50%/s".to_owned(), duration_secs: 1.0, ..Clip::default() }];
    let mut state = AppState::new(Document { rig: Arc::new(Rig::new(parts)), ..tube }, Settings::default());
    let name = |state: &mut AppState, purpose| match state.apply(Command::AskForPath(purpose)) {
        Some(Request::Window(WindowRequest::PickPath(asked))) => asked.name,
        other => panic!("{other:?}"),
    };
    assert_eq!(name(&mut state, PathUse::SaveImage), "tube.png");
    state.apply(Command::SetClip(Some(0)));
    assert_eq!(name(&mut state, PathUse::SaveImage), "tube.Walk_in 50__s.png");
    assert_eq!(name(&mut state, PathUse::SaveVideo(VideoFormat::Numbered)), "tube.Walk_in 50__s.%04d.png");
    assert_eq!(name(&mut state, PathUse::SavePose), "tube.pose.json");
}

#[test]
fn a_video_is_of_what_plays_wherever_the_clip_is_now() {
    let tube = Document::built_in(BuiltIn::Tube);
    let mut parts = (**tube.rig).clone();
    parts.clips = vec![Clip { duration_secs: 1.0, ..Clip::default() }];
    let mut state = AppState::new(Document { rig: Arc::new(Rig::new(parts)), ..tube }, Settings::default());
    state.apply(Command::SetClip(Some(0)));
    let plan = VideoPlan { rate: 30.0, ..VideoPlan::default() };
    let all = plan.motion(&state.open.stage);
    assert_eq!(all.clip_secs, Some([0.0, 1.0]));
    state.apply(Command::SetPlayedPart(Some([4.0 / 30.0, 17.0 / 30.0])));
    for time_secs in [0.0, 0.3, 0.9] {
        state.apply(Command::Seek(time_secs));
        let part = plan.motion(&state.open.stage);
        assert_eq!((part.count(), part.moment(0).time_secs), (13, Some(4.0 / 30.0)), "at {time_secs} s");
    }
}

#[test]
fn a_video_is_planned_at_the_rate_of_its_clip() {
    let tube = Document::built_in(BuiltIn::Tube);
    let mut parts = (**tube.rig).clone();
    parts.clips = vec![Clip { duration_secs: 1.0, authored_rate: Some(24.0), ..Clip::default() }];
    let mut state = AppState::new(Document { rig: Arc::new(Rig::new(parts)), ..tube }, Settings::default());
    for (clip, rate) in [(None, 30.0), (Some(0), 24.0)] {
        state.apply(Command::SetClip(clip));
        state.apply(Command::Do(Action::SaveVideo));
        assert_eq!(state.video.plan.map(|plan| plan.rate), Some(rate));
    }
}

#[test]
fn video_uses_the_weights_of_its_sides() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    let rigid = Recipe { weighting: Weighting::Rigid, ..Recipe::default() };
    state.apply(Command::SetWeights(Side::B, WeightChoice::Computed(rigid)));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    let copy = state.open.stage.still();
    for side in Side::ALL {
        assert!(Arc::ptr_eq(&copy.actor(side).rig, &state.open.stage.actor(side).rig), "{side:?}");
    }
    assert!(!Arc::ptr_eq(&copy.actor(Side::A).rig, &copy.actor(Side::B).rig));
}

#[test]
fn a_video_without_motion_is_not_saved() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    state.apply(Command::PlanVideo(Some(VideoPlan { plays_clip: false, turns: false, ..VideoPlan::default() })));
    assert_eq!(state.apply(Command::ChooseVideoPath), None);
}

#[test]
fn pictures_are_of_even_width() {
    let plan = VideoPlan::default();
    assert_eq!([plan.size(1.5), plan.size(1.001), plan.size(100.0)], [[1080, 720], [720, 720], [8192, 720]]);
}
