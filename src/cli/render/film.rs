//! Options that make a film of a picture.

use std::path::Path;

use clap::Args;

use crate::cli::numbers;
use crate::export::{FilmTarget, VideoFormat};
use crate::stage::FilmMotion;
use crate::stage::Stage;

/// A film of the clip, of the character from all sides, or of both.
#[derive(Args, Debug)]
pub(super) struct FilmArgs {
    /// Render the clip as a film at N frames per second, from --time to its end, or the range that --session plays: .mp4, .webm or .gif by ffmpeg, one animated .png, or numbered files as in "f/%04d.png" [default: the rate of the clip for a film, or 30]
    #[arg(long, value_name = "N", value_parser = |text: &str| numbers::within(text, 0.1..=1000.0, "frames per second"))]
    fps: Option<f32>,

    /// Render a film of N frames in which the camera circles the character once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    turntable: Option<u32>,
}

impl FilmArgs {
    /// True where the options or the output ask for a film, false for a single picture.
    pub(super) fn is_wanted(&self, output: &Path) -> bool {
        self.fps.is_some()
            || self.turntable.is_some()
            || FilmTarget::is_numbered(output)
            || VideoFormat::from_path(output).is_some()
    }

    /// The motion of the film that the options ask for.
    ///
    /// *Errors*: in words for the user, if they ask for none.
    pub(super) fn motion(&self, stage: &Stage) -> Result<FilmMotion, String> {
        let playback = &stage.playback;
        let to_end = [playback.time_secs, playback.duration_secs(stage.rig())];
        let clip_secs = playback.clip.map(|_| playback.range().unwrap_or(to_end));
        if clip_secs.is_none() && self.turntable.is_none() {
            return Err(
                "Nothing moves in this video: name a clip by --clip, or turn the camera by --turntable".to_owned()
            );
        }
        let rate = self.fps.unwrap_or_else(|| playback.frame_rate(stage.rig()).per_sec);
        Ok(FilmMotion { clip_secs, turntable: self.turntable, rate })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::import::Job;
    use crate::rig::{Clip, Rig};
    use crate::stage::{BuiltIn, Document, Source};

    #[test]
    fn a_film_is_from_the_time_that_is_named_to_the_end_or_of_the_part_that_a_session_plays() {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut parts = (**tube.rig).clone();
        parts.clips = vec![Clip { duration_secs: 1.0, ..Clip::default() }];
        let mut stage = Stage::new(Document { rig: Arc::new(Rig::new(parts)), ..tube });
        let film = FilmArgs { fps: None, turntable: None };
        assert!(film.motion(&stage).is_err());
        stage.set_clip(Some(0));
        stage.seek(0.25);
        assert_eq!(film.motion(&stage).unwrap().clip_secs, Some([0.25, 1.0]));
        stage.playback.set_range(Some([0.5, 0.75]), &stage.document.rig);
        assert_eq!(film.motion(&stage).unwrap().clip_secs, Some([0.5, 0.75]));
    }

    #[test]
    fn a_film_has_the_rate_of_its_clip_unless_another_one_is_named() {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut parts = (**tube.rig).clone();
        parts.clips = vec![Clip { duration_secs: 1.0, authored_rate: Some(24.0), ..Clip::default() }];
        let mut stage = Stage::new(Document { rig: Arc::new(Rig::new(parts)), ..tube });
        let rate = |stage: &Stage, fps| FilmArgs { fps, turntable: Some(4) }.motion(stage).unwrap().rate;
        assert_eq!(rate(&stage, None), 30.0);
        stage.set_clip(Some(0));
        assert_eq!((rate(&stage, None), rate(&stage, Some(60.0))), (24.0, 60.0));
    }
}
