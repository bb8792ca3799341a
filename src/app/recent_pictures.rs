use std::fs::DirEntry;
use std::io::{Cursor, Error, Result};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use image::{ImageFormat, ImageReader, Limits, RgbaImage};

use super::thumbnail_studio::{ThumbnailPose, ThumbnailStudio};
use crate::export::ImageKind;
use crate::files::{cache_folder, content_digest, open, read_bounded, write_atomically};
use crate::import::FileState;
use crate::jobs::{JobKind, Jobs, Progress, Worker, WorkerChannel};
use crate::render::{RemoteScenes, RenderError};
use crate::rig::{Pose, Rig};
use crate::state::{AppState, JobResult, Thumbnail};

const RECENT: JobKind = JobKind::unlisted(
    "recent files",
    "Drawing the open file",
    "The list of recent files may lack a picture; all else works.",
);

/// A thumbnail is drawn once its file has been open for this long, so that stepping through files draws none.
const SHOWN: Duration = Duration::from_secs(1);
/// Maximum number of stored images. Larger than the number of listed files, because a changed file gets a new image.
const MAX_KEPT: usize = 50;
const MAX_BYTES: u64 = 1 << 20;

#[derive(Default)]
pub(super) struct RecentPictures {
    worker: Option<Worker<ThumbnailMessage, JobResult>>,
    listed: Vec<PathBuf>,
    drawn: Weak<Rig>,
}

enum ThumbnailMessage {
    Listed(Vec<PathBuf>),
    /// The open file; drawn unless another file is opened within [`SHOWN`].
    OpenFile(OpenFile),
}

struct OpenFile {
    rig: Arc<Rig>,
    file: FileState,
    is_dark: bool,
}

impl RecentPictures {
    pub(super) fn follow(&mut self, state: &AppState, (jobs, scenes): (&Jobs, &RemoteScenes)) {
        let recent = &state.settings.recent_files;
        let Some(worker) = &self.worker else {
            if !recent.is_empty() {
                let folder = cache_folder().map(|folder| folder.join("recent"));
                let scenes = scenes.clone();
                let run =
                    move |desk: &WorkerChannel<ThumbnailMessage, JobResult>| run(desk, folder.as_deref(), &scenes);
                self.worker = Some(Worker::start(jobs, &RECENT, run));
            }
            return;
        };
        if *recent != self.listed {
            let new = recent.iter().filter(|path| !self.listed.contains(path)).cloned();
            worker.send(ThumbnailMessage::Listed(new.collect()));
            self.listed.clone_from(recent);
        }
        let (document, rig) = (&state.open.stage.document, state.open.stage.rig());
        let Some(file) = document.files.first().filter(|_| document.source.path().is_some()) else { return };
        if !std::ptr::eq(self.drawn.as_ptr(), Arc::as_ptr(rig)) && state.tour.is_none() {
            self.drawn = Arc::downgrade(rig);
            let path = std::path::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
            let file = file.clone().named(path);
            let is_dark = state.open.stage.view.display.is_dark;
            worker.send(ThumbnailMessage::OpenFile(OpenFile { rig: Arc::clone(rig), file, is_dark }));
        }
    }

    pub(super) fn results(&self) -> impl Iterator<Item = JobResult> + '_ {
        self.worker.iter().flat_map(Worker::results)
    }
}

fn run(desk: &WorkerChannel<ThumbnailMessage, JobResult>, folder: Option<&Path>, scenes: &RemoteScenes) {
    let mut shown = None;
    loop {
        let message = if shown.is_some() { desk.next_within(SHOWN) } else { desk.next() };
        match (message, shown.take()) {
            (Some(ThumbnailMessage::Listed(paths)), still) => {
                shown = still;
                for path in paths {
                    let picture = folder.and_then(|folder| read(&place(folder, &FileState::now(&path))).ok());
                    desk.send(JobResult::RecentPicture(path, picture.map(Arc::new)));
                }
            }
            (Some(ThumbnailMessage::OpenFile(other)), _) => shown = Some(other),
            (None, Some(last)) if !desk.progress().is_cancelled() => draw(desk, folder, scenes, &last),
            (None, _) => return,
        }
    }
}

/// Sends a file's thumbnail and stores it on disk. Draws it only if it has not been stored before.
fn draw(
    desk: &WorkerChannel<ThumbnailMessage, JobResult>,
    folder: Option<&Path>,
    scenes: &RemoteScenes,
    OpenFile { rig, file, is_dark }: &OpenFile,
) {
    let place = folder.map(|folder| place(folder, file));
    let known = place.as_ref().and_then(|place| read(place).ok());
    let picture = known.map_or_else(|| drawn(rig, *is_dark, scenes, &desk.progress()), |picture| Ok(Some(picture)));
    match picture {
        Ok(Some(picture)) => {
            if let Some(Err(problem)) = place.map(|place| write(&place, &picture)) {
                log::warn!("the picture of {} was not kept: {problem}", file.path.display());
            }
            desk.send(JobResult::RecentPicture(file.path.clone(), Some(Arc::new(picture))));
        }
        Ok(None) => {}
        Err(problem) => log::warn!("{} has no picture among the recent files: {problem}", file.path.display()),
    }
}

fn drawn(
    rig: &Arc<Rig>,
    is_dark: bool,
    scenes: &RemoteScenes,
    progress: &Arc<Progress>,
) -> std::result::Result<Option<Thumbnail>, RenderError> {
    let shown = ThumbnailPose::new(rig, &Pose::rest(&rig.hierarchy));
    ThumbnailStudio::new(scenes).picture(shown, Thumbnail::SIDE, is_dark, progress)
}

fn place(folder: &Path, file: &FileState) -> PathBuf {
    folder.join(format!("{}.png", content_digest(format!("{file:?}").as_bytes())))
}

fn read(place: &Path) -> Result<Thumbnail> {
    let bytes = read_bounded(open(place)?, MAX_BYTES)?;
    let mut reader = ImageReader::with_format(Cursor::new(&bytes[..]), ImageFormat::Png);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(Thumbnail::SIDE), Some(Thumbnail::SIDE));
    reader.limits(limits);
    let picture = reader.decode().map_err(Error::other)?.into_rgba8();
    if [picture.width(), picture.height()] != [Thumbnail::SIDE; 2] {
        return Err(Error::other("it is no picture of this program"));
    }
    Ok(Thumbnail { side: Thumbnail::SIDE, rgba: picture.into_raw() })
}

fn write(place: &Path, picture: &Thumbnail) -> Result<()> {
    let folder = place.parent().ok_or_else(|| Error::other("it has no folder"))?;
    std::fs::create_dir_all(folder)?;
    let pixels = RgbaImage::from_raw(picture.side, picture.side, picture.rgba.clone());
    let pixels = pixels.ok_or_else(|| Error::other("it has fewer pixels than its size says"))?;
    write_atomically(place, &ImageKind::Png.encode(&pixels)?)?;
    let mut kept: Vec<(SystemTime, PathBuf)> =
        std::fs::read_dir(folder)?.flatten().filter_map(|entry| of_picture(&entry)).collect();
    kept.sort_unstable();
    kept.iter().rev().skip(MAX_KEPT).try_for_each(|(_, path)| std::fs::remove_file(path))
}

/// Returns the modification time and path of a stored image; `None` for other files.
fn of_picture(entry: &DirEntry) -> Option<(SystemTime, PathBuf)> {
    let path = entry.path();
    let name = path.file_name()?.to_str()?.strip_suffix(".png")?;
    let is_digest = name.len() == 64 && name.bytes().all(|letter| letter.is_ascii_hexdigit());
    Some((entry.metadata().ok()?.modified().ok()?, path)).filter(|_| is_digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(shade: u8) -> Thumbnail {
        let pixels = (Thumbnail::SIDE * Thumbnail::SIDE) as usize;
        Thumbnail { side: Thumbnail::SIDE, rgba: [shade, 1, 2, 255].repeat(pixels) }
    }

    #[test]
    fn pictures_come_back_until_their_file_changes_and_the_oldest_go() {
        let folder = tempfile::tempdir().unwrap();
        let (file, kept) = (folder.path().join("a.glb"), folder.path().join("kept"));
        std::fs::write(&file, "one").unwrap();
        let before = place(&kept, &FileState::now(&file));
        assert!(read(&before).is_err());
        write(&before, &picture(7)).unwrap();
        assert_eq!(read(&before).unwrap(), picture(7));
        std::fs::write(&file, "other").unwrap();
        let after = place(&kept, &FileState::now(&file));
        assert!(before != after && read(&after).is_err());
        std::fs::write(&after, "no picture").unwrap();
        assert!(read(&after).is_err());
        std::fs::write(kept.join("mine.png"), "somebody else's").unwrap();
        for number in 0..MAX_KEPT {
            write(&kept.join(format!("{number:064x}.png")), &picture(0)).unwrap();
        }
        assert_eq!(
            std::fs::read_dir(&kept).unwrap().count(),
            MAX_KEPT + 1,
            "with the file that is of nobody's business"
        );
        assert!(!before.exists() && kept.join("mine.png").exists());
    }

    #[test]
    fn pictures_of_another_size_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for side in [1, 4000] {
            let path = folder.path().join(format!("{side}.png"));
            image::RgbaImage::new(side, side).save(&path).unwrap();
            assert!(read(&path).is_err(), "{side}");
        }
    }
}
