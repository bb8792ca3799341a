use std::fs::create_dir_all;
use std::io::{self, ErrorKind, Write, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, available_parallelism};

use image::RgbaImage;

use super::{ImageOptions, Studio, measure_sides};
use crate::export::{AnimatedPng, FfmpegFormat, ImageKind, VideoEncoder, VideoError, VideoTarget, find_ffmpeg};
use crate::files::{StreamedFile, find_same_file, write_atomically};
use crate::jobs::{Progress, lock};
use crate::rig::Bounds;
use crate::stage::{MeasureBench, Stage, VideoMotion};
use crate::view::Camera;

/// Maximum number of images: over 90 minutes at 30 images per second.
const MAX_IMAGES: u32 = 200_000;
const FRAMED: u32 = 64;

/// A video or image sequence: motion, image settings and target.
#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    /// Clip, turntable or both.
    pub motion: VideoMotion,
    /// Size and options of each image.
    pub picture: ImageOptions,
    /// Output files.
    pub target: VideoTarget,
    /// Files that must not be overwritten.
    pub inputs: Vec<PathBuf>,
}

/// Why an export failed or stopped early.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum VideoExportError {
    /// The job was cancelled.
    #[error("it was cancelled")]
    Cancelled,
    /// The export failed. Contains a message for the user.
    #[error("{0}")]
    Failed(String),
}

type Numbered = (u32, RgbaImage);

impl Video {
    /// Moves the camera so that the character stays in view in all images.
    pub fn frame(&self, stage: &mut Stage) {
        let (count, shown_secs) = (self.motion.count(), stage.playback.time_secs);
        let step = (count / FRAMED).max(1) as usize;
        let mut all = Bounds::default();
        for picture in (0..count).step_by(if self.motion.clip_secs.is_some() { step } else { count as usize }) {
            seek(stage, self.motion.moment(picture).time_secs);
            stage.refresh();
            let Bounds { min, max } = stage.all_bounds();
            all.add(min);
            all.add(max);
        }
        seek(stage, Some(shown_secs));
        stage.refresh();
        let [width, height] = self.picture.size;
        let aspect = width as f32 / height as f32;
        let turned = (0..count).step_by(step).map(|picture| {
            let mut camera = stage.view.camera;
            camera.scene_size = stage.rig().size_of(all);
            camera.orbit(self.motion.moment(picture).turn, 0.0);
            camera.frame(all, aspect);
            Camera { yaw: stage.view.camera.yaw, ..camera }
        });
        let farthest = turned.reduce(|a, b| if b.distance > a.distance { b } else { a });
        stage.view.camera = farthest.unwrap_or(stage.view.camera);
    }

    /// Draws all images while other threads write them. Each image is a progress step. Returns the number of images.
    /// *Errors*: rendering or writing fails. Finished images of a sequence then stay, and an existing single file is
    /// unchanged.
    pub fn render_frames(
        &self,
        studio: &mut Studio,
        stage: &mut Stage,
        progress: &Progress,
    ) -> Result<u32, VideoExportError> {
        if self.motion.clip_secs.is_some() {
            stage.springs.set_live(false);
        }
        let count = self.motion.count();
        if count > MAX_IMAGES {
            let problem = format!(
                "{count} images exceed the limit of {MAX_IMAGES}; lower the frame rate or render a part of the clip"
            );
            return Err(VideoExportError::Failed(problem));
        }
        self.target.check(self.picture.size, self.picture.is_transparent).map_err(VideoExportError::Failed)?;
        self.refuse_to_replace(count)?;
        self.make_folder()?;
        progress.enter("Rendering", 0, count as usize);
        let writers = if matches!(self.target, VideoTarget::Numbered { .. }) {
            available_parallelism()
        } else {
            Ok(NonZero::<usize>::MIN)
        };
        let writers = writers.map_or(1, NonZero::get);
        let (sender, receiver) = sync_channel::<Numbered>(writers);
        // If all writers fail, they drop the receiver, which stops the drawing.
        let receiver = Arc::new(Mutex::new(receiver));
        thread::scope(|scope| {
            let spawn = |_| {
                let receiver = Arc::clone(&receiver);
                scope.spawn(move || self.write(&receiver, count, progress))
            };
            let threads: Vec<_> = (0..writers).map(spawn).collect();
            drop(receiver);
            let drawn = self.draw(studio, stage, (count, progress), &sender);
            drop(sender);
            let died = || Err(VideoExportError::Failed("writing stopped because of a fault in Rigscope".to_owned()));
            let written: Vec<Result<(), VideoExportError>> =
                threads.into_iter().map(|t| t.join().unwrap_or_else(|_| died())).collect();
            // Reports errors of writers first, because drawing also fails if all writers fail.
            written.into_iter().collect::<Result<Vec<()>, _>>()?;
            drawn
        })?;
        Ok(count)
    }

    fn refuse_to_replace(&self, count: u32) -> Result<(), VideoExportError> {
        let inputs = || self.inputs.iter().map(PathBuf::as_path);
        let all =
            if matches!(self.target, VideoTarget::Numbered { .. }) && !self.inputs.is_empty() { count } else { 1 };
        let same = (0..all).find_map(|picture| find_same_file(&self.target.path(picture), inputs()));
        same.map_or(Ok(()), |input| {
            let problem =
                format!("{} is a file of the open character and would be lost; choose another name", input.display());
            Err(VideoExportError::Failed(problem))
        })
    }

    /// Creates the output folder. It is called before drawing, so that a failure wastes no work.
    fn make_folder(&self) -> Result<(), VideoExportError> {
        let path = self.target.path(0);
        let folder = path.parent().filter(|_| self.target != VideoTarget::Stream);
        folder.map_or(Ok(()), create_dir_all).map_err(|e| {
            let shown = folder.unwrap_or(&path).display();
            VideoExportError::Failed(format!("the folder was not made: {e} ({shown})"))
        })
    }

    fn draw(
        &self,
        studio: &mut Studio,
        stage: &mut Stage,
        (count, progress): (u32, &Progress),
        sender: &SyncSender<Numbered>,
    ) -> Result<(), VideoExportError> {
        let yaw = stage.view.camera.yaw;
        let mut bench = MeasureBench::default();
        for picture in 0..count {
            progress.check_cancelled().ok_or(VideoExportError::Cancelled)?;
            let moment = self.motion.moment(picture);
            seek(stage, moment.time_secs);
            stage.view.camera.yaw = yaw;
            stage.view.camera.orbit(moment.turn, 0.0);
            stage.refresh();
            if picture == 0 || moment.time_secs.is_some() {
                measure_sides(stage, &mut bench).map_err(VideoExportError::Failed)?;
            }
            let drawn = studio.picture(stage, self.picture).map_err(VideoExportError::Failed)?;
            if sender.send((picture, drawn)).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn write(
        &self,
        pictures: &Mutex<Receiver<Numbered>>,
        count: u32,
        progress: &Progress,
    ) -> Result<(), VideoExportError> {
        let next = || lock(pictures).recv().ok();
        let mut pictures = std::iter::from_fn(next);
        match &self.target {
            VideoTarget::Numbered { format, .. } => pictures.try_for_each(|(picture, pixels)| {
                let path = self.target.path(picture);
                let written = format.encode(&pixels).and_then(|bytes| write_atomically(&path, &bytes));
                written.map_err(|e| at(&path, &e))?;
                progress.add(1);
                Ok(())
            }),
            VideoTarget::Animated(path) => {
                self.write_animated(path, pictures, (count, progress)).map_err(|e| at(path, &e))
            }
            VideoTarget::Video(path, format) => self.write_video((path, *format), pictures, (count, progress)),
            VideoTarget::Stream => {
                write_stream(pictures, progress).map_err(|e| VideoExportError::Failed(e.to_string()))
            }
        }
    }

    fn write_animated(
        &self,
        path: &Path,
        pictures: impl Iterator<Item = Numbered>,
        (count, progress): (u32, &Progress),
    ) -> io::Result<()> {
        let mut file = StreamedFile::new(path)?;
        let mut video = AnimatedPng::new(&mut file, self.picture.size, count, self.motion.rate)?;
        let mut written = 0;
        for (_, pixels) in pictures {
            video.add(pixels)?;
            progress.add(1);
            written += 1;
        }
        if written < count {
            return Ok(());
        }
        video.finish()?;
        file.place()
    }

    fn write_video(
        &self,
        place: (&Path, FfmpegFormat),
        pictures: impl Iterator<Item = Numbered>,
        (count, progress): (u32, &Progress),
    ) -> Result<(), VideoExportError> {
        let form = (self.picture.size, self.motion.rate, self.picture.is_transparent);
        let ffmpeg = find_ffmpeg().map_err(VideoExportError::Failed)?;
        let failed = |problem| match problem {
            VideoError::Cancelled => VideoExportError::Cancelled,
            other => at(place.0, &other),
        };
        let mut encoder = VideoEncoder::start(&ffmpeg, place, form).map_err(failed)?;
        let mut written = 0;
        for (_, pixels) in pictures {
            encoder.add(pixels, progress).map_err(failed)?;
            progress.add(1);
            written += 1;
        }
        if written == count { encoder.finish(progress).map_err(failed) } else { Ok(()) }
    }
}

/// Writes concatenated PNG files to standard output. Succeeds if the reader closes its end early, as `head` does.
fn write_stream(pictures: impl Iterator<Item = Numbered>, progress: &Progress) -> io::Result<()> {
    for (_, pixels) in pictures {
        match ImageKind::Png.encode(&pixels).and_then(|bytes| stdout().lock().write_all(&bytes)) {
            Err(problem) if problem.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
        progress.add(1);
    }
    Ok(())
}

fn at(path: &Path, problem: &impl std::fmt::Display) -> VideoExportError {
    VideoExportError::Failed(format!("{problem} ({})", path.display()))
}

fn seek(stage: &mut Stage, time_secs: Option<f32>) {
    if let Some(time_secs) = time_secs {
        stage.playback.pause_at(time_secs, &stage.document.rig);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::stage::{BuiltIn, Document};
    use std::f32::consts::FRAC_PI_2;
    use std::path::Path;

    const SIZE: [u32; 2] = [64, 48];

    fn stage() -> Stage {
        let document = Document::built_in(BuiltIn::Tube);
        Stage::new(document)
    }

    fn turntable(path: &Path) -> Video {
        let motion = VideoMotion { clip_secs: None, turntable: Some(4), rate: 30.0 };
        Video { motion, picture: SIZE.into(), target: VideoTarget::from_path(path).unwrap(), inputs: Vec::new() }
    }

    fn shoot(video: &Video, progress: &Progress) -> Result<u32, VideoExportError> {
        video.render_frames(&mut Studio::new(None).unwrap(), &mut stage(), progress)
    }

    #[test]
    fn every_picture_of_a_turntable_is_the_one_from_that_direction() {
        let folder = tempfile::tempdir().unwrap();
        let video = turntable(&folder.path().join("%02d.png"));
        let progress = Progress::default();
        assert_eq!(shoot(&video, &progress), Ok(4));
        assert_eq!(progress.steps(), (4, 4));
        let (mut studio, mut seen) = (Studio::new(None).unwrap(), Vec::new());
        for picture in 0..4 {
            let mut stage = stage();
            stage.view.camera.orbit(FRAC_PI_2 * picture as f32, 0.0);
            let expected = studio.picture(&stage, SIZE).unwrap();
            let written = image::open(folder.path().join(format!("0{picture}.png"))).unwrap().into_rgba8();
            let far = written.iter().zip(expected.iter()).filter(|(a, b)| a.abs_diff(**b) > 2).count();
            assert!(far < 40, "{far} values of picture {picture} are others");
            seen.push(written);
        }
        assert_ne!(seen[0], seen[1]);
    }

    #[test]
    fn of_a_cancelled_video_nothing_takes_the_place_of_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("video.png");
        std::fs::write(&path, b"old").unwrap();
        assert_eq!(shoot(&turntable(&path), &Progress::cancelled()), Err(VideoExportError::Cancelled));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(shoot(&turntable(&path), &Progress::default()), Ok(4));
        assert_eq!(image::open(&path).unwrap().into_rgba8().dimensions(), (64, 48));
    }

    #[test]
    fn a_place_that_cannot_be_written_ends_the_video_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, b"no folder").unwrap();
        for name in ["video.png", "%d.png"] {
            let problem = shoot(&turntable(&file.join(name)), &Progress::default()).unwrap_err().to_string();
            assert!(problem.contains("the folder was not made") && problem.contains("file"), "{problem}");
        }
    }

    #[test]
    fn a_video_takes_the_place_of_no_input() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("2.png");
        std::fs::write(&input, b"texture").unwrap();
        let video = Video { inputs: vec![input.clone()], ..turntable(&folder.path().join("%d.png")) };
        assert!(shoot(&video, &Progress::default()).unwrap_err().to_string().contains("would be lost"));
        assert_eq!(std::fs::read(input).unwrap(), b"texture");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn turntable_keeps_the_character_in_the_image() {
        let (mut stage, video) = (stage(), turntable(Path::new("f.png")));
        video.frame(&mut stage);
        for picture in 0..4 {
            let mut camera = stage.view.camera;
            camera.orbit(video.motion.moment(picture).turn, 0.0);
            let lens = camera.lens(glam::Vec2::new(64.0, 48.0));
            for corner in stage.all_bounds().corners() {
                let seen = lens.project(corner).unwrap();
                assert!(seen.cmpge(glam::Vec2::ZERO).all() && seen.cmple(lens.viewport).all(), "{seen}");
            }
        }
    }
}
